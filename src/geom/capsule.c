/* A capsule: all that lies within a radius of a line. */
#include <math.h>

#include "base/maths.h"
#include "geom/round.h"

static int capsule_describe(const rill_shape *s, char *text, size_t size)
{
    return rill_axis_describe("capsule", s, text, size);
}

static rill_bounds capsule_bounds(const rill_shape *s)
{
    rill_bounds b;
    for (int a = 0; a < 3; a++) {
        const double from = rill_vec3_get(&s->from, a), to = rill_vec3_get(&s->to, a);
        rill_vec3_set(&b.low, a, fmin(from, to) - s->radius);
        rill_vec3_set(&b.high, a, fmax(from, to) + s->radius);
    }
    return b;
}

static double capsule_reach(const rill_shape *s, rill_vec3 way)
{
    return 0.5 * fabs(rill_vec3_dot(rill_vec3_sub(s->to, s->from), way)) + s->radius;
}

/* The point of the line that is nearest. */
static rill_vec3 on_line(const rill_shape *s, rill_vec3 at)
{
    const rill_vec3 line = rill_vec3_sub(s->to, s->from);
    const double share = rill_vec3_dot(rill_vec3_sub(at, s->from), line) / rill_vec3_dot(line, line);
    if (!(share > 0)) return s->from;
    return share >= 1 ? s->to : rill_vec3_add(s->from, rill_vec3_scale(line, share));
}

static rill_nearest capsule_nearest(const rill_shape *s, rill_vec3 at)
{
    const rill_vec3 out = rill_vec3_sub(at, on_line(s, at));
    const double length = rill_vec3_length(out);
    if (length > 0) return (rill_nearest){length - s->radius, rill_vec3_scale(out, 1 / length)};
    return (rill_nearest){-s->radius, rill_axis_of(s).u};
}

static bool capsule_inside(const rill_shape *s, const rill_sides *sides, rill_vec3 at, double depth)
{
    (void)sides;
    return rill_vec3_length(rill_vec3_sub(at, on_line(s, at))) <= s->radius - depth;
}

static rill_shape capsule_grown(const rill_shape *s, double by)
{
    rill_shape grown = *s;
    grown.radius = fmax(s->radius + by, 0);
    return grown;
}

static rill_mass capsule_mass(const rill_shape *s)
{
    const double l = rill_axis_of(s).length, r = s->radius, r2 = r * r;
    const double rod = RILL_PI * r2 * l, ball = 4.0 / 3 * RILL_PI * r2 * r;
    return rill_axis_mass(s, rod + ball, 0.5 * rod * r2 + 0.4 * ball * r2,
                          rod * (3 * r2 + l * l) / 12 + ball * (0.4 * r2 + 0.25 * l * l + 0.375 * l * r));
}

/* ---- the sweep ---- */

static void capsule_keep_in(const rill_path *path, rill_stop *stop)
{
    const rill_shape *s = path->shape;
    const rill_nearest near = capsule_nearest(s, path->to);
    const double depth = fmin(path->margin, s->radius);
    if (near.distance <= -depth) return;
    /* Only what was inside is kept inside. */
    if (capsule_nearest(path->before, path->from).distance > 1e-3 * path->margin) return;
    stop->contact = near.distance > 0 ? RILL_CONTACT_PASSED : RILL_CONTACT_TOUCH;
    stop->at = rill_vec3_sub(path->to, rill_vec3_scale(near.normal, near.distance + depth));
    rill_stop_at(stop, near.normal, -1);
}

/* Where a path enters, as a share of it; 2: nowhere. */
static double capsule_entry(const rill_shape *s, rill_vec3 from, rill_vec3 to)
{
    const rill_axis axis = rill_axis_of(s);
    double first = INFINITY, last = -INFINITY, enter, leave;
    for (int end = 0; end < 2; end++)
        if (rill_ball_enters(end ? s->to : s->from, s->radius, from, to, &enter, &leave))
            first = fmin(first, enter), last = fmax(last, leave);
    if (rill_axis_enters(&axis, from, to, s->radius, &enter, &leave)) {
        const double x = rill_vec3_dot(rill_vec3_sub(from, axis.from), axis.way);
        const double dx = rill_vec3_dot(rill_vec3_sub(to, from), axis.way);
        const bool beside = x > 0 && x < axis.length;
        if (dx != 0) {
            enter = fmax(enter, ((dx > 0 ? 0 : axis.length) - x) / dx);
            leave = fmin(leave, ((dx > 0 ? axis.length : 0) - x) / dx);
        }
        if (enter < leave && (dx != 0 || beside)) first = fmin(first, enter), last = fmax(last, leave);
    }
    return first < last && last > 0 && first <= 1 ? fmax(first, 0) : 2;
}

static void capsule_keep_out(const rill_path *path, rill_stop *stop)
{
    rill_keep_out_by(path, capsule_entry, stop);
}

/* ---- samples ---- */

/* Rings along the line and over both ends to a point at each pole. */
static void capsule_sample(const rill_shape *s, const rill_sampling *how, rill_sample_each *each, void *user)
{
    const rill_ring_work work = {rill_axis_of(s), how->spacing, each, user};
    const double radius = s->radius + (how->solid ? -0.5 : 0.5) * how->spacing, length = work.axis.length;
    const double rings = rill_count_along(length, how->spacing);
    const bool thin = radius < 0.5 * how->spacing;
    const double turns = thin ? 0 : rill_count_along(0.5 * RILL_PI * radius, how->spacing);
    for (double k = turns; k >= 1; k--) {
        const double angle = 0.5 * RILL_PI * k / turns;
        rill_ring_sample(&work, -radius * rill_sin(angle), k == turns ? 0 : radius * rill_cos(angle));
    }
    for (double k = 0; k <= rings; k++) rill_ring_sample(&work, k * length / rings, thin ? 0 : radius);
    for (double k = 1; k <= turns; k++) {
        const double angle = 0.5 * RILL_PI * k / turns;
        rill_ring_sample(&work, length + radius * rill_sin(angle), k == turns ? 0 : radius * rill_cos(angle));
    }
}

static double capsule_guess(const rill_shape *s, const rill_sampling *how)
{
    const double r = s->radius / how->spacing + 1, l = rill_axis_of(s).length / how->spacing + 1;
    return 2 * RILL_PI * r * (2 * r + l) + 8;
}

/* ---- pictures ---- */

static void capsule_triangles(const rill_shape *s, const rill_bounds *clip, int fineness, rill_triangle_each *each,
                              void *user)
{
    (void)clip;
    const rill_axis axis = rill_axis_of(s);
    const rill_round round = rill_round_make(s->from, axis.way, fineness, each, user);
    const double low[2] = {0, s->radius}, high[2] = {axis.length, s->radius}, normal[2] = {0, 1};
    rill_round_arc(&round, 0, s->radius, -1, 0);
    rill_round_band(&round, low, high, normal, normal);
    rill_round_arc(&round, axis.length, s->radius, 0, 1);
}

static void capsule_lines(const rill_shape *s, const rill_bounds *clip, uint32_t open, rill_line_each *each,
                          void *user)
{
    (void)clip, (void)open;
    const rill_axis axis = rill_axis_of(s);
    rill_round_circle(s->from, axis.way, s->radius, 0, 1, false, each, user);
    rill_round_circle(s->to, axis.way, s->radius, 0, 1, false, each, user);
    for (int k = 0; k < 2; k++) {
        const rill_vec3 across = k ? axis.v : axis.u, out = rill_vec3_scale(across, s->radius);
        each(user, rill_vec3_add(s->from, out), rill_vec3_add(s->to, out), false);
        each(user, rill_vec3_sub(s->from, out), rill_vec3_sub(s->to, out), false);
    }
    rill_axis_half_circles(&axis, s->radius, each, user);
}

/* ---- lattices ---- */

/* Even about the middle. */
static rill_lattice capsule_lattice(const rill_shape *s, double d)
{
    const rill_axis axis = rill_axis_of(s);
    const double half = ceil(s->radius / d + 0.5), back = -(half - 0.5) * d;
    const double layers = ceil((0.5 * axis.length + s->radius) / d + 0.5);
    const rill_vec3 across = rill_vec3_add(rill_vec3_scale(axis.u, back), rill_vec3_scale(axis.v, back));
    const rill_vec3 along = rill_vec3_scale(axis.way, -(layers - 0.5) * d);
    return (rill_lattice){
        .first = rill_vec3_add(rill_axis_centre(s), rill_vec3_add(across, along)),
        .step = {rill_vec3_scale(axis.u, d), rill_vec3_scale(axis.v, d), rill_vec3_scale(axis.way, d)},
        .count = {2 * half, 2 * half, 2 * layers}};
}

static bool capsule_takes(const rill_shape *s, rill_vec3 at)
{
    return capsule_inside(s, &(rill_sides){0}, at, 0);
}

const rill_geometry rill_geometry_capsule = {
    .name = "capsule",
    .anchor = offsetof(rill_shape, from),
    .fault = rill_axis_fault,
    .numbers = rill_axis_numbers,
    .describe = capsule_describe,
    .centre = rill_axis_centre,
    .bounds = capsule_bounds,
    .reach = capsule_reach,
    .nearest = capsule_nearest,
    .inside = capsule_inside,
    .grown = capsule_grown,
    .mass = capsule_mass,
    .keep_in = capsule_keep_in,
    .keep_out = capsule_keep_out,
    .sample = capsule_sample,
    .guess = capsule_guess,
    .triangles = capsule_triangles,
    .lines = capsule_lines,
    .lattice = capsule_lattice,
    .takes = capsule_takes,
};

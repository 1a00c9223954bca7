/* A cylinder with flat ends. */
#include <math.h>

#include "base/maths.h"
#include "geom/round.h"

static int cylinder_describe(const rill_shape *s, char *text, size_t size)
{
    return rill_axis_describe("cylinder", s, text, size);
}

/* A pipe along the axis. */
static bool cylinder_continues(const rill_shape *s, int axis)
{
    const rill_vec3 way = rill_axis_of(s).way;
    return rill_shape_keeps_axis(s, axis) && fabs(rill_vec3_get(&way, axis)) == 1;
}

/* How far the disc at an end reaches along a unit vector. */
static double disc_reach(double radius, double cosine)
{
    return radius * sqrt(fmax(1 - cosine * cosine, 0));
}

static double cylinder_reach(const rill_shape *s, rill_vec3 way)
{
    const rill_axis axis = rill_axis_of(s);
    const double cosine = rill_vec3_dot(axis.way, way);
    return 0.5 * axis.length * fabs(cosine) + disc_reach(s->radius, cosine);
}

static rill_bounds cylinder_bounds(const rill_shape *s)
{
    const rill_axis axis = rill_axis_of(s);
    rill_bounds b;
    for (int a = 0; a < 3; a++) {
        const double from = rill_vec3_get(&s->from, a), to = rill_vec3_get(&s->to, a);
        const double disc = disc_reach(s->radius, rill_vec3_get(&axis.way, a));
        rill_vec3_set(&b.low, a, fmin(from, to) - disc);
        rill_vec3_set(&b.high, a, fmax(from, to) + disc);
    }
    return b;
}

static rill_nearest cylinder_nearest(const rill_shape *s, rill_vec3 at)
{
    const rill_axis axis = rill_axis_of(s);
    const rill_axial p = rill_axis_see(&axis, at);
    const bool high = p.along > 0.5 * axis.length;
    const rill_vec3 end = high ? axis.way : rill_vec3_scale(axis.way, -1);
    const double side = p.radius - s->radius, beyond = high ? p.along - axis.length : -p.along;
    if (side <= 0 || beyond <= 0)
        return side > beyond ? (rill_nearest){side, p.out} : (rill_nearest){beyond, end};
    const double distance = sqrt(side * side + beyond * beyond);
    return (rill_nearest){distance, rill_vec3_add(rill_vec3_scale(p.out, side / distance),
                                                  rill_vec3_scale(end, beyond / distance))};
}

/* A pipe that goes on along a periodic axis has no ends. */
static bool goes_on(const rill_sides *sides)
{
    return sides->periodic[0] || sides->periodic[1] || sides->periodic[2];
}

static bool cylinder_inside(const rill_shape *s, const rill_sides *sides, rill_vec3 at, double depth)
{
    if (!goes_on(sides)) return cylinder_nearest(s, at).distance <= -depth;
    const rill_axis axis = rill_axis_of(s);
    return rill_axis_see(&axis, at).radius <= s->radius - depth;
}

static rill_shape cylinder_grown(const rill_shape *s, double by)
{
    const rill_axis axis = rill_axis_of(s);
    /* Its direction stays even where nothing of its length is left. */
    const rill_vec3 more = rill_vec3_scale(axis.way, fmax(by, -0.4999 * axis.length));
    rill_shape grown = *s;
    grown.from = rill_vec3_sub(s->from, more);
    grown.to = rill_vec3_add(s->to, more);
    grown.radius = fmax(s->radius + by, 0);
    return grown;
}

static rill_mass cylinder_mass(const rill_shape *s)
{
    const double l = rill_axis_of(s).length, r2 = s->radius * s->radius, volume = RILL_PI * r2 * l;
    return rill_axis_mass(s, volume, 0.5 * volume * r2, volume * (3 * r2 + l * l) / 12);
}

/* ---- the sweep ---- */

static void cylinder_keep_in(const rill_path *path, rill_stop *stop)
{
    const rill_shape *s = path->shape;
    const rill_axis axis = rill_axis_of(s);
    const rill_axial p = rill_axis_see(&axis, path->to);
    const bool ends = !goes_on(&path->sides), high = p.along > 0.5 * axis.length;
    /* In a gap narrower than both margins the middle is the best place. */
    const double room = fmin(path->margin, 0.5 * axis.length), radius = fmax(s->radius - path->margin, 0);
    const bool side = p.radius > radius, end = ends && (high ? p.along > axis.length - room : p.along < room);
    if (!side && !end) return;
    /* Only what was inside is kept inside. */
    if (!cylinder_inside(path->before, &path->sides, path->from, -1e-3 * path->margin)) return;
    const bool passed = p.radius > s->radius || (ends && (p.along < 0 || p.along > axis.length));
    stop->contact = passed ? RILL_CONTACT_PASSED : RILL_CONTACT_TOUCH;
    stop->at = path->to;
    if (side) {
        stop->at = rill_vec3_add(stop->at, rill_vec3_scale(p.out, radius - p.radius));
        rill_stop_at(stop, p.out, -1);
    }
    if (end) {
        const double along = high ? axis.length - room : room;
        stop->at = rill_vec3_add(stop->at, rill_vec3_scale(axis.way, along - p.along));
        rill_stop_at(stop, rill_vec3_scale(axis.way, high ? 1 : -1), -1);
    }
}

/* Where a path enters, as a share of it; 2: nowhere. */
static double cylinder_entry(const rill_shape *s, rill_vec3 from, rill_vec3 to)
{
    const rill_axis axis = rill_axis_of(s);
    double enter, leave;
    if (!rill_axis_enters(&axis, from, to, s->radius, &enter, &leave)) return 2;
    const double x = rill_vec3_dot(rill_vec3_sub(from, axis.from), axis.way);
    const double dx = rill_vec3_dot(rill_vec3_sub(to, from), axis.way);
    if (dx == 0 && !(x > 0 && x < axis.length)) return 2;
    if (dx != 0) {
        enter = fmax(enter, ((dx > 0 ? 0 : axis.length) - x) / dx);
        leave = fmin(leave, ((dx > 0 ? axis.length : 0) - x) / dx);
    }
    return enter < leave && leave > 0 && enter <= 1 ? fmax(enter, 0) : 2;
}

static void cylinder_keep_out(const rill_path *path, rill_stop *stop)
{
    rill_keep_out_by(path, cylinder_entry, stop);
}

/* ---- samples ---- */

/* Rings along the side, and discs that close it where they meet its last ring. */
static void cylinder_sample(const rill_shape *s, const rill_sampling *how, rill_sample_each *each, void *user)
{
    const double out = (how->solid ? -0.5 : 0.5) * how->spacing, radius = s->radius + out;
    const rill_ring_work work = {rill_axis_of(s), how->spacing, each, user};
    const double length = work.axis.length + 2 * out;
    if (goes_on(&how->sides)) {
        const double rings = rill_count_along(work.axis.length, how->spacing);
        for (double k = 0; k < rings; k++) rill_ring_sample(&work, (k + 0.5) * work.axis.length / rings, radius);
        return;
    }
    if (length < 0.5 * how->spacing) {
        rill_disc_sample(&work, 0.5 * work.axis.length, radius);
        return;
    }
    const double rings = rill_count_along(length, how->spacing);
    for (double k = 0; k <= rings; k++) {
        const double along = k * length / rings - out;
        if (k == 0 || k == rings) rill_disc_sample(&work, along, radius);
        else rill_ring_sample(&work, along, radius);
    }
}

static double cylinder_guess(const rill_shape *s, const rill_sampling *how)
{
    const double r = s->radius / how->spacing + 1, l = rill_axis_of(s).length / how->spacing + 2;
    return 2 * RILL_PI * r * (r + l) + 8;
}

/* ---- pictures ---- */

static void cylinder_triangles(const rill_shape *s, const rill_bounds *clip, int fineness, rill_triangle_each *each,
                               void *user)
{
    (void)clip;
    const rill_axis axis = rill_axis_of(s);
    const rill_round round = rill_round_make(s->from, axis.way, fineness, each, user);
    const double r = s->radius, points[4][2] = {{0, 0}, {0, r}, {axis.length, r}, {axis.length, 0}};
    const double normals[3][2] = {{-1, 0}, {0, 1}, {1, 0}};
    for (int i = 0; i < 3; i++) rill_round_band(&round, points[i], points[i + 1], normals[i], normals[i]);
}

static void cylinder_lines(const rill_shape *s, const rill_bounds *clip, uint32_t open, rill_line_each *each,
                           void *user)
{
    (void)clip, (void)open;
    const rill_axis axis = rill_axis_of(s);
    rill_round_circle(s->from, axis.way, s->radius, 0, 1, true, each, user);
    rill_round_circle(s->to, axis.way, s->radius, 0, 1, true, each, user);
    for (int k = 0; k < 4; k++) {
        const rill_vec3 out = rill_vec3_scale(k & 1 ? axis.v : axis.u, k & 2 ? -s->radius : s->radius);
        each(user, rill_vec3_add(s->from, out), rill_vec3_add(s->to, out), false);
    }
}

/* ---- lattices ---- */

/* In layers from the first end, even about the axis. */
static rill_lattice cylinder_lattice(const rill_shape *s, double d)
{
    const rill_axis axis = rill_axis_of(s);
    const double half = ceil(s->radius / d + 0.5), back = -(half - 0.5) * d;
    const rill_vec3 across = rill_vec3_add(rill_vec3_scale(axis.u, back), rill_vec3_scale(axis.v, back));
    return (rill_lattice){
        .first = rill_vec3_add(s->from, rill_vec3_add(across, rill_vec3_scale(axis.way, 0.5 * d))),
        .step = {rill_vec3_scale(axis.u, d), rill_vec3_scale(axis.v, d), rill_vec3_scale(axis.way, d)},
        .count = {2 * half, 2 * half, rill_count_along(axis.length, d)}};
}

static bool cylinder_takes(const rill_shape *s, rill_vec3 at)
{
    const rill_axis axis = rill_axis_of(s);
    return rill_axis_see(&axis, at).radius <= s->radius;
}

const rill_geometry rill_geometry_cylinder = {
    .name = "cylinder",
    .anchor = offsetof(rill_shape, from),
    .fault = rill_axis_fault,
    .numbers = rill_axis_numbers,
    .describe = cylinder_describe,
    .continues = cylinder_continues,
    .centre = rill_axis_centre,
    .bounds = cylinder_bounds,
    .reach = cylinder_reach,
    .nearest = cylinder_nearest,
    .inside = cylinder_inside,
    .grown = cylinder_grown,
    .mass = cylinder_mass,
    .keep_in = cylinder_keep_in,
    .keep_out = cylinder_keep_out,
    .sample = cylinder_sample,
    .guess = cylinder_guess,
    .triangles = cylinder_triangles,
    .lines = cylinder_lines,
    .lattice = cylinder_lattice,
    .takes = cylinder_takes,
};

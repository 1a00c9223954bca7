/* A sphere. */
#include <math.h>
#include <stdio.h>

#include "base/maths.h"
#include "geom/geometry.h"
#include "geom/round.h"


static int sphere_numbers(const rill_shape *s, double n[RILL_GEOMETRY_NUMBERS])
{
    n[0] = s->center.x, n[1] = s->center.y, n[2] = s->center.z, n[3] = s->radius;
    return 4;
}

static int sphere_describe(const rill_shape *s, char *text, size_t size)
{
    return snprintf(text, size, "sphere at (%g, %g, %g) m, radius %g m", s->center.x, s->center.y, s->center.z,
                    s->radius);
}

static rill_vec3 sphere_centre(const rill_shape *s)
{
    return s->center;
}

static rill_bounds sphere_bounds(const rill_shape *s)
{
    const rill_vec3 r = {s->radius, s->radius, s->radius};
    return (rill_bounds){rill_vec3_sub(s->center, r), rill_vec3_add(s->center, r)};
}

static double sphere_reach(const rill_shape *s, rill_vec3 way)
{
    (void)way;
    return s->radius;
}

static rill_nearest sphere_nearest(const rill_shape *s, rill_vec3 at)
{
    const rill_vec3 out = rill_vec3_sub(at, s->center);
    const double length = rill_vec3_length(out);
    const rill_vec3 normal = length > 0 ? rill_vec3_scale(out, 1 / length) : (rill_vec3){0, 0, 1};
    return (rill_nearest){length - s->radius, normal};
}

static bool sphere_inside(const rill_shape *s, const rill_sides *sides, rill_vec3 at, double depth)
{
    (void)sides;
    return rill_vec3_length(rill_vec3_sub(at, s->center)) <= s->radius - depth;
}

static rill_shape sphere_grown(const rill_shape *s, double by)
{
    rill_shape grown = *s;
    grown.radius = fmax(s->radius + by, 0);
    return grown;
}

static rill_mass sphere_mass(const rill_shape *s)
{
    const double r = s->radius, volume = 4.0 / 3 * RILL_PI * r * r * r, i = 0.4 * volume * r * r;
    return (rill_mass){volume, s->center, {i, i, i}};
}

/* ---- the sweep ---- */

/* Puts the end on the sphere of this radius, along the direction from the centre. */
static void put_on(const rill_path *path, rill_vec3 out, double radius, rill_stop *stop)
{
    const double length = rill_vec3_length(out);
    const rill_vec3 normal = length > 0 ? rill_vec3_scale(out, 1 / length) : (rill_vec3){0, 0, 1};
    stop->at = rill_vec3_add(path->shape->center, rill_vec3_scale(normal, radius));
    rill_stop_at(stop, normal, -1);
}

static void sphere_keep_in(const rill_path *path, rill_stop *stop)
{
    const rill_vec3 start = rill_vec3_sub(path->from, path->before->center);
    const rill_vec3 end = rill_vec3_sub(path->to, path->shape->center);
    const double radius = fmax(path->shape->radius - path->margin, 0), distance = rill_vec3_length(end);
    if (distance <= radius) return;
    if (rill_vec3_length(start) > path->before->radius + 1e-3 * path->margin) return;
    stop->contact = distance > path->shape->radius ? RILL_CONTACT_PASSED : RILL_CONTACT_TOUCH;
    put_on(path, end, radius, stop);
}

static void sphere_keep_out(const rill_path *path, rill_stop *stop)
{
    const double radius = path->shape->radius + path->margin;
    /* The point of the path nearest to the centre, in the frame of the sphere. */
    const rill_vec3 start = rill_vec3_sub(path->from, path->before->center);
    const rill_vec3 end = rill_vec3_sub(path->to, path->shape->center), way = rill_vec3_sub(end, start);
    const double length2 = rill_vec3_dot(way, way);
    const double t = length2 > 0 ? fmin(fmax(-rill_vec3_dot(start, way) / length2, 0), 1) : 0;
    const double nearest = rill_vec3_length(rill_vec3_add(start, rill_vec3_scale(way, t)));
    const bool passed = nearest < path->shape->radius;
    const bool ends_near = rill_vec3_length(end) < radius;
    if (!passed && !ends_near) return;
    stop->contact = passed ? RILL_CONTACT_PASSED : RILL_CONTACT_TOUCH;
    /* What would come out on the other side stays on this one. */
    put_on(path, ends_near && rill_vec3_dot(start, end) >= 0 ? end : start, radius, stop);
}

/* ---- samples ---- */

/* Points of a spiral with equal areas between its turns, about a spacing apart. */
static void sphere_sample(const rill_shape *s, const rill_sampling *how, rill_sample_each *each, void *user)
{
    const double radius = s->radius + (how->solid ? -0.5 : 0.5) * how->spacing;
    if (radius < 0.5 * how->spacing) {
        each(user, s->center);
        return;
    }
    const int count = (int)ceil(4 * RILL_PI * radius * radius / (how->spacing * how->spacing));
    const double turn = RILL_PI * (3 - sqrt(5));
    for (int i = 0; i < count; i++) {
        const double z = 1 - (2 * i + 1.0) / count, r = sqrt(1 - z * z), angle = turn * i;
        const rill_vec3 out = {radius * r * rill_cos(angle), radius * r * rill_sin(angle), radius * z};
        each(user, rill_vec3_add(s->center, out));
    }
}

static double sphere_guess(const rill_shape *s, const rill_sampling *how)
{
    const double r = s->radius / how->spacing + 1;
    return 4 * RILL_PI * r * r;
}

/* ---- pictures ---- */

static void sphere_triangles(const rill_shape *s, const rill_bounds *clip, int fineness, rill_triangle_each *each,
                             void *user)
{
    (void)clip;
    rill_round round = rill_round_make(s->center, (rill_vec3){0, 0, 1}, fineness, each, user);
    rill_round_arc(&round, 0, s->radius, -1, 1);
}

/* Three great circles. */
static void sphere_lines(const rill_shape *s, const rill_bounds *clip, uint32_t open, rill_line_each *each, void *user)
{
    (void)clip, (void)open;
    for (int axis = 0; axis < 3; axis++)
        rill_round_circle(s->center, (rill_vec3){axis == 0, axis == 1, axis == 2}, s->radius, 0, 1, false, each, user);
}

/* ---- lattices ---- */

/* Even about the centre. */
static rill_lattice sphere_lattice(const rill_shape *s, double d)
{
    const double half = ceil(s->radius / d + 0.5);
    rill_lattice l = {.step = {{d, 0, 0}, {0, d, 0}, {0, 0, d}}, .count = {2 * half, 2 * half, 2 * half}};
    for (int a = 0; a < 3; a++) rill_vec3_set(&l.first, a, rill_vec3_get(&s->center, a) - (half - 0.5) * d);
    return l;
}

static bool sphere_takes(const rill_shape *s, rill_vec3 at)
{
    return !(rill_vec3_length(rill_vec3_sub(at, s->center)) > s->radius);
}

const rill_geometry rill_geometry_sphere = {
    .name = "sphere",
    .ball = true,
    .anchor = offsetof(rill_shape, center),
    .fault = rill_round_fault,
    .numbers = sphere_numbers,
    .describe = sphere_describe,
    .centre = sphere_centre,
    .bounds = sphere_bounds,
    .reach = sphere_reach,
    .nearest = sphere_nearest,
    .inside = sphere_inside,
    .grown = sphere_grown,
    .mass = sphere_mass,
    .keep_in = sphere_keep_in,
    .keep_out = sphere_keep_out,
    .sample = sphere_sample,
    .guess = sphere_guess,
    .triangles = sphere_triangles,
    .lines = sphere_lines,
    .lattice = sphere_lattice,
    .takes = sphere_takes,
};

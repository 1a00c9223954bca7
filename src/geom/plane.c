/* A plane: liquid is on the side its normal points to. It has no end, so where it is sampled or drawn a box says how
 * much of it counts. */
#include <math.h>
#include <stdio.h>

#include "geom/geometry.h"

static const void *plane_fault(const rill_shape *s, char *why, size_t size)
{
    if (rill_vec3_length(rill_unit_vector(s->normal)) > 0) return NULL;
    snprintf(why, size, "has no direction: its normal is zero");
    return &s->normal;
}

static int plane_numbers(const rill_shape *s, double n[RILL_GEOMETRY_NUMBERS])
{
    n[0] = s->center.x, n[1] = s->center.y, n[2] = s->center.z;
    n[3] = s->normal.x, n[4] = s->normal.y, n[5] = s->normal.z;
    return 6;
}

static int plane_describe(const rill_shape *s, char *text, size_t size)
{
    return snprintf(text, size, "plane through (%g, %g, %g) m, normal (%g, %g, %g)", s->center.x, s->center.y,
                    s->center.z, s->normal.x, s->normal.y, s->normal.z);
}

static rill_vec3 plane_centre(const rill_shape *s)
{
    return s->center;
}

/* What lies behind it has an end where the normal is an axis. */
static double plane_reach(const rill_shape *s, rill_vec3 way)
{
    return rill_vec3_dot(rill_unit_vector(s->normal), way) >= 1 ? 0 : INFINITY;
}

static rill_bounds plane_bounds(const rill_shape *s)
{
    rill_bounds b;
    for (int a = 0; a < 3; a++) {
        const rill_vec3 way = {a == 0, a == 1, a == 2}, back = {-way.x, -way.y, -way.z};
        rill_vec3_set(&b.high, a, rill_vec3_get(&s->center, a) + plane_reach(s, way));
        rill_vec3_set(&b.low, a, rill_vec3_get(&s->center, a) - plane_reach(s, back));
    }
    return b;
}

static rill_nearest plane_nearest(const rill_shape *s, rill_vec3 at)
{
    const rill_vec3 normal = rill_unit_vector(s->normal);
    return (rill_nearest){rill_vec3_dot(rill_vec3_sub(at, s->center), normal), normal};
}

static bool plane_inside(const rill_shape *s, const rill_sides *sides, rill_vec3 at, double depth)
{
    (void)sides;
    return plane_nearest(s, at).distance < -depth;
}

static rill_shape plane_grown(const rill_shape *s, double by)
{
    rill_shape grown = *s;
    grown.center = rill_vec3_add(s->center, rill_vec3_scale(rill_unit_vector(s->normal), by));
    return grown;
}

static rill_mass plane_mass(const rill_shape *s)
{
    return (rill_mass){INFINITY, s->center, {INFINITY, INFINITY, INFINITY}};
}

static void plane_keep_out(const rill_path *path, rill_stop *stop)
{
    const rill_nearest end = plane_nearest(path->shape, path->to);
    if (end.distance >= path->margin) return;
    stop->contact = end.distance < 0 ? RILL_CONTACT_PASSED : RILL_CONTACT_TOUCH;
    stop->at = rill_vec3_add(path->to, rill_vec3_scale(end.normal, path->margin - end.distance));
    rill_stop_at(stop, end.normal, -1);
}

/* ---- samples ---- */

/* Points along one direction of the plane. */
typedef struct row {
    rill_vec3 way;
    double first, spacing, count;
} row;

/* From the lowest to the highest corner of the box, counted from the plane's point, or once around. */
static row row_along(const rill_shape *s, const rill_sampling *how, rill_vec3 way)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < 8; i++) {
        const rill_bounds *c = &how->clip;
        const rill_vec3 corner = {i & 1 ? c->high.x : c->low.x, i & 2 ? c->high.y : c->low.y,
                                  i & 4 ? c->high.z : c->low.z};
        const double x = rill_vec3_dot(rill_vec3_sub(corner, s->center), way);
        low = fmin(low, x), high = fmax(high, x);
    }
    for (int a = 0; a < 3; a++) {
        if (!(how->repeat[a] > 0) || fabs(rill_vec3_get(&way, a)) != 1) continue;
        const double count = rill_count_along(how->repeat[a], how->spacing), spacing = how->repeat[a] / count;
        return (row){way, low + 0.5 * spacing, spacing, count};
    }
    const double first = floor(low / how->spacing), last = ceil(high / how->spacing);
    return (row){way, (first + 0.5) * how->spacing, how->spacing, last - first};
}

static void rows_of(const rill_shape *s, const rill_sampling *how, row *u, row *v)
{
    const rill_vec3 normal = rill_unit_vector(s->normal);
    rill_vec3 ways[2];
    rill_unit_frame(normal, &ways[0], &ways[1]);
    /* Along an axis on which the plane comes again, rows are to end where they begin. */
    for (int a = 2; a >= 0; a--) {
        const rill_vec3 axis = {a == 0, a == 1, a == 2};
        if (how->repeat[a] > 0) ways[0] = axis, ways[1] = rill_cross(normal, axis);
    }
    *u = row_along(s, how, ways[0]);
    *v = row_along(s, how, ways[1]);
}

static bool is_in(const rill_bounds *b, rill_vec3 at, double slack)
{
    return at.x >= b->low.x - slack && at.x <= b->high.x + slack && at.y >= b->low.y - slack &&
           at.y <= b->high.y + slack && at.z >= b->low.z - slack && at.z <= b->high.z + slack;
}

static void plane_sample(const rill_shape *s, const rill_sampling *how, rill_sample_each *each, void *user)
{
    row u, v;
    rows_of(s, how, &u, &v);
    const rill_vec3 behind =
        rill_vec3_sub(s->center, rill_vec3_scale(rill_unit_vector(s->normal), 0.5 * how->spacing));
    for (double j = 0; j < v.count; j++)
        for (double i = 0; i < u.count; i++) {
            const rill_vec3 across = rill_vec3_scale(v.way, v.first + j * v.spacing);
            const rill_vec3 at =
                rill_vec3_add(behind, rill_vec3_add(rill_vec3_scale(u.way, u.first + i * u.spacing), across));
            if (is_in(&how->clip, at, how->spacing)) each(user, at);
        }
}

static double plane_guess(const rill_shape *s, const rill_sampling *how)
{
    row u, v;
    rows_of(s, how, &u, &v);
    return u.count * v.count;
}

/* ---- pictures ---- */

enum { POLYGON_MOST = 16 };

typedef struct polygon {
    rill_vec3 corner[POLYGON_MOST];
    int count;
} polygon;

/* Cuts off what lies beyond one side of the box. */
static void cut(polygon *p, int axis, double limit, double sign)
{
    polygon kept = {.count = 0};
    for (int i = 0; i < p->count; i++) {
        const rill_vec3 a = p->corner[i], b = p->corner[(i + 1) % p->count];
        const double x = sign * (rill_vec3_get(&a, axis) - limit), y = sign * (rill_vec3_get(&b, axis) - limit);
        if (x <= 0 && kept.count < POLYGON_MOST) kept.corner[kept.count++] = a;
        if ((x < 0) != (y < 0) && x != 0 && y != 0 && kept.count < POLYGON_MOST) {
            rill_vec3 on = rill_vec3_add(a, rill_vec3_scale(rill_vec3_sub(b, a), x / (x - y)));
            rill_vec3_set(&on, axis, limit);
            kept.corner[kept.count++] = on;
        }
    }
    *p = kept;
}

/* What of the plane lies in the box, counter-clockwise seen from the side of the liquid. */
static polygon polygon_of(const rill_shape *s, const rill_bounds *clip)
{
    const rill_vec3 normal = rill_unit_vector(s->normal), size = rill_vec3_sub(clip->high, clip->low);
    const rill_vec3 middle = rill_vec3_scale(rill_vec3_add(clip->low, clip->high), 0.5);
    const double far = rill_vec3_length(size) + 1e-300;
    const rill_vec3 on = rill_vec3_sub(middle, rill_vec3_scale(normal, plane_nearest(s, middle).distance));
    rill_vec3 u, v;
    rill_unit_frame(normal, &u, &v);
    u = rill_vec3_scale(u, far), v = rill_vec3_scale(v, far);
    polygon p = {.count = 4};
    p.corner[0] = rill_vec3_sub(rill_vec3_sub(on, u), v);
    p.corner[1] = rill_vec3_sub(rill_vec3_add(on, u), v);
    p.corner[2] = rill_vec3_add(rill_vec3_add(on, u), v);
    p.corner[3] = rill_vec3_add(rill_vec3_sub(on, u), v);
    for (int a = 0; a < 3; a++) {
        cut(&p, a, rill_vec3_get(&clip->low, a), -1);
        cut(&p, a, rill_vec3_get(&clip->high, a), 1);
    }
    return p;
}

static void plane_triangles(const rill_shape *s, const rill_bounds *clip, int fineness, rill_triangle_each *each,
                            void *user)
{
    (void)fineness;
    const polygon p = polygon_of(s, clip);
    const rill_vec3 n = rill_unit_vector(s->normal);
    for (int i = 1; i + 1 < p.count; i++)
        each(user, (const rill_vec3[3]){p.corner[0], p.corner[i], p.corner[i + 1]}, (const rill_vec3[3]){n, n, n});
}

static void plane_lines(const rill_shape *s, const rill_bounds *clip, uint32_t open, rill_line_each *each, void *user)
{
    (void)open;
    const polygon p = polygon_of(s, clip);
    for (int i = 0; i < p.count; i++) each(user, p.corner[i], p.corner[(i + 1) % p.count], true);
}

const rill_geometry rill_geometry_plane = {
    .name = "plane",
    .unbounded = true,
    .anchor = offsetof(rill_shape, center),
    .fault = plane_fault,
    .numbers = plane_numbers,
    .describe = plane_describe,
    .centre = plane_centre,
    .bounds = plane_bounds,
    .reach = plane_reach,
    .nearest = plane_nearest,
    .inside = plane_inside,
    .grown = plane_grown,
    .mass = plane_mass,
    .keep_in = plane_keep_out,
    .keep_out = plane_keep_out,
    .sample = plane_sample,
    .guess = plane_guess,
    .triangles = plane_triangles,
    .lines = plane_lines,
};

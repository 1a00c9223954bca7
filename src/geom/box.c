/* A box along its own axes. */
#include <math.h>
#include <stdio.h>

#include "geom/geometry.h"

static const void *box_fault(const rill_shape *s, char *why, size_t size)
{
    for (int a = 0; a < 3; a++) {
        if (rill_vec3_get(&s->to, a) > rill_vec3_get(&s->from, a)) continue;
        snprintf(why, size, "has no extent along %c: 'to' must lie above 'from'", "xyz"[a]);
        return &s->to;
    }
    return NULL;
}

static int box_numbers(const rill_shape *s, double n[RILL_GEOMETRY_NUMBERS])
{
    n[0] = s->from.x, n[1] = s->from.y, n[2] = s->from.z;
    n[3] = s->to.x, n[4] = s->to.y, n[5] = s->to.z;
    return 6;
}

static int box_describe(const rill_shape *s, char *text, size_t size)
{
    return snprintf(text, size, "box from (%g, %g, %g) to (%g, %g, %g) m", s->from.x, s->from.y, s->from.z, s->to.x,
                    s->to.y, s->to.z);
}

static rill_vec3 box_centre(const rill_shape *s)
{
    return rill_vec3_scale(rill_vec3_add(s->from, s->to), 0.5);
}

static rill_bounds box_bounds(const rill_shape *s)
{
    return (rill_bounds){s->from, s->to};
}

static double box_reach(const rill_shape *s, rill_vec3 way)
{
    const rill_vec3 half = rill_vec3_scale(rill_vec3_sub(s->to, s->from), 0.5);
    return fabs(half.x * way.x) + fabs(half.y * way.y) + fabs(half.z * way.z);
}

/* The side that a point lies beyond, or nearest to. */
static int nearest_side(const rill_shape *s, rill_vec3 at, bool *high)
{
    double nearest = INFINITY;
    int axis = 0;
    for (int a = 0; a < 3; a++) {
        const double below = rill_vec3_get(&at, a) - rill_vec3_get(&s->from, a);
        const double above = rill_vec3_get(&s->to, a) - rill_vec3_get(&at, a);
        if (fmin(below, above) >= nearest) continue;
        nearest = fmin(below, above);
        axis = a;
        *high = above < below;
    }
    return axis;
}

static rill_vec3 normal_of(int axis, bool high)
{
    rill_vec3 normal = {0, 0, 0};
    rill_vec3_set(&normal, axis, high ? 1 : -1);
    return normal;
}

static rill_nearest box_nearest(const rill_shape *s, rill_vec3 at)
{
    const rill_vec3 on = {fmin(fmax(at.x, s->from.x), s->to.x), fmin(fmax(at.y, s->from.y), s->to.y),
                          fmin(fmax(at.z, s->from.z), s->to.z)};
    const rill_vec3 out = rill_vec3_sub(at, on);
    const double distance = rill_vec3_length(out);
    if (distance > 0) return (rill_nearest){distance, rill_vec3_scale(out, 1 / distance)};
    bool high = false;
    const int a = nearest_side(s, at, &high);
    const double x = rill_vec3_get(&at, a);
    return (rill_nearest){high ? x - rill_vec3_get(&s->to, a) : rill_vec3_get(&s->from, a) - x, normal_of(a, high)};
}

static bool side_open(const rill_sides *sides, int axis, bool high)
{
    return sides->open >> (2 * axis + high) & 1;
}

static bool box_inside(const rill_shape *s, const rill_sides *sides, rill_vec3 at, double depth)
{
    for (int a = 0; a < 3; a++) {
        if (sides->periodic[a]) continue;
        const double x = rill_vec3_get(&at, a);
        if (x < rill_vec3_get(&s->from, a) + depth && !side_open(sides, a, false)) return false;
        if (x > rill_vec3_get(&s->to, a) - depth && !side_open(sides, a, true)) return false;
    }
    return true;
}

static rill_shape box_grown(const rill_shape *s, double by)
{
    rill_shape grown = *s;
    for (int a = 0; a < 3; a++) {
        const double from = rill_vec3_get(&s->from, a), to = rill_vec3_get(&s->to, a);
        const double more = fmax(by, 0.5 * (from - to));
        rill_vec3_set(&grown.from, a, from - more);
        rill_vec3_set(&grown.to, a, to + more);
    }
    return grown;
}

static rill_mass box_mass(const rill_shape *s)
{
    const rill_vec3 l = rill_vec3_sub(s->to, s->from);
    const double volume = l.x * l.y * l.z, x2 = l.x * l.x, y2 = l.y * l.y, z2 = l.z * l.z;
    return (rill_mass){volume, box_centre(s), {volume * (y2 + z2) / 12, volume * (z2 + x2) / 12,
                                               volume * (x2 + y2) / 12}};
}

/* ---- the sweep ---- */

static bool within(const rill_shape *s, rill_vec3 p, double margin)
{
    return box_inside(s, &(rill_sides){0}, p, margin);
}

/* Only what was inside is kept inside. The margin covers rounding. */
static bool was_inside(const rill_path *path)
{
    const double margin = 1e-3 * path->margin;
    for (int a = 0; a < 3; a++) {
        const double x = rill_vec3_get(&path->from, a);
        if (path->sides.periodic[a]) continue;
        if (x < rill_vec3_get(&path->before->from, a) - margin || x > rill_vec3_get(&path->before->to, a) + margin)
            return false;
    }
    return true;
}

static void box_keep_in(const rill_path *path, rill_stop *stop)
{
    rill_contact contact = RILL_CONTACT_NONE;
    rill_vec3 at = path->to;
    for (int a = 0; a < 3; a++) {
        const double x = rill_vec3_get(&at, a);
        const double low = rill_vec3_get(&path->shape->from, a), high = rill_vec3_get(&path->shape->to, a);
        if (path->sides.periodic[a]) continue;
        const bool below = x < low + path->margin && !side_open(&path->sides, a, false);
        const bool above = x > high - path->margin && !side_open(&path->sides, a, true);
        if (!below && !above) continue;
        if (!contact && !was_inside(path)) return;
        if (x < low || x > high) contact = RILL_CONTACT_PASSED;
        else if (!contact) contact = RILL_CONTACT_TOUCH;
        /* In a gap narrower than both margins the middle is the best place. */
        const double room = fmin(path->margin, 0.5 * (high - low));
        rill_vec3_set(&at, a, below ? low + room : high - room);
        rill_stop_at(stop, normal_of(a, !below), 2 * a + !below);
    }
    if (!contact) return;
    stop->contact = contact;
    stop->at = at;
}

/* Where the path enters the box grown by the margin, as a share of the path; above 1: never. */
static double entry(const rill_shape *s, rill_vec3 from, rill_vec3 to, double margin, int *axis)
{
    double enter = -1, leave = 2;
    *axis = -1;
    for (int a = 0; a < 3; a++) {
        const double x = rill_vec3_get(&from, a), dx = rill_vec3_get(&to, a) - x;
        const double low = rill_vec3_get(&s->from, a) - margin, high = rill_vec3_get(&s->to, a) + margin;
        if (dx == 0) {
            if (x <= low || x >= high) return 2;
            continue;
        }
        const double t0 = ((dx > 0 ? low : high) - x) / dx, t1 = ((dx > 0 ? high : low) - x) / dx;
        if (t0 > enter) {
            enter = t0;
            *axis = a;
        }
        leave = t1 < leave ? t1 : leave;
    }
    return enter < leave && leave > 0 && enter <= 1 ? (enter > 0 ? enter : 0) : 2;
}

static void box_keep_out(const rill_path *path, rill_stop *stop)
{
    const rill_shape *s = path->shape, *before = path->before;
    /* In the frame of the box, which moved by the mean of its two corners. */
    const rill_vec3 moved = rill_vec3_scale(
        rill_vec3_add(rill_vec3_sub(s->from, before->from), rill_vec3_sub(s->to, before->to)), 0.5);
    const rill_vec3 start = rill_vec3_add(path->from, moved);
    int axis, unused;
    if (entry(s, start, path->to, path->margin, &axis) > 1) return;
    const bool passed = entry(s, start, path->to, 0, &unused) <= 1;
    /* A path that enters the margin and leaves it again without touching the box is fine. */
    if (!passed && !within(s, path->to, -path->margin)) return;
    bool high = axis >= 0 && rill_vec3_get(&start, axis) > rill_vec3_get(&path->to, axis);
    /* What begins near a side stays there, however thin the box is. */
    if (axis < 0 || within(s, start, -path->margin)) axis = nearest_side(s, start, &high);
    stop->contact = passed ? RILL_CONTACT_PASSED : RILL_CONTACT_TOUCH;
    stop->at = path->to;
    rill_vec3_set(&stop->at, axis,
                  high ? rill_vec3_get(&s->to, axis) + path->margin : rill_vec3_get(&s->from, axis) - path->margin);
    rill_stop_at(stop, normal_of(axis, high), 2 * axis + high);
}

/* ---- samples ---- */

/* Particles along an axis. */
typedef struct row {
    int count; /* inside the box */
    double spacing;
    double from;
} row;

static row row_along(const rill_shape *s, int axis, double spacing)
{
    const double from = rill_vec3_get(&s->from, axis), size = rill_vec3_get(&s->to, axis) - from;
    const int count = (int)rill_count_along(size, spacing);
    return (row){count, size / count, from};
}

/* A container's particles have indices 0 and count + 1 outside the box, an
 * obstacle's 1 and count inside it. */
static bool on_shell(const rill_sampling *how, const row l[3], const int i[3])
{
    for (int a = 0; a < 3; a++) {
        const int low = how->solid ? 1 : 0, high = how->solid ? l[a].count : l[a].count + 1;
        if (how->solid ? i[a] == low || i[a] == high
                       : (i[a] == low && !side_open(&how->sides, a, false)) ||
                             (i[a] == high && !side_open(&how->sides, a, true)))
            return true;
    }
    return false;
}

static void box_sample(const rill_shape *s, const rill_sampling *how, rill_sample_each *each, void *user)
{
    row l[3];
    int first[3], last[3], i[3];
    for (int a = 0; a < 3; a++) {
        l[a] = row_along(s, a, how->spacing);
        const bool inside = how->solid || how->sides.periodic[a];
        first[a] = inside ? 1 : 0;
        last[a] = inside ? l[a].count : l[a].count + 1;
    }
    for (i[2] = first[2]; i[2] <= last[2]; i[2]++)
        for (i[1] = first[1]; i[1] <= last[1]; i[1]++)
            for (i[0] = first[0]; i[0] <= last[0]; i[0]++) {
                /* Jump over the inside of a row. */
                if (i[0] == first[0] + 1 && !on_shell(how, l, i) && last[0] > i[0]) i[0] = last[0];
                if (!on_shell(how, l, i)) continue;
                each(user, (rill_vec3){l[0].from + (i[0] - 0.5) * l[0].spacing, l[1].from + (i[1] - 0.5) * l[1].spacing,
                                       l[2].from + (i[2] - 0.5) * l[2].spacing});
            }
}

static double box_guess(const rill_shape *s, const rill_sampling *how)
{
    const double d = how->spacing;
    const rill_vec3 size = rill_vec3_sub(s->to, s->from), n = {size.x / d + 2, size.y / d + 2, size.z / d + 2};
    return 2 * (n.x * n.y + n.y * n.z + n.z * n.x);
}

/* ---- pictures ---- */

/* Corner i has bit k set where axis k is high. */
static rill_vec3 corner_of(const rill_shape *s, int i)
{
    return (rill_vec3){i & 1 ? s->to.x : s->from.x, i & 2 ? s->to.y : s->from.y, i & 4 ? s->to.z : s->from.z};
}

static void box_triangles(const rill_shape *s, const rill_bounds *clip, int fineness, rill_triangle_each *each,
                          void *user)
{
    (void)clip, (void)fineness;
    static const int corners[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                       {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    static const int sides[12] = {4, 4, 5, 5, 2, 2, 3, 3, 0, 0, 1, 1};
    for (int t = 0; t < 12; t++) {
        const rill_vec3 n = normal_of(sides[t] / 2, sides[t] & 1);
        const rill_vec3 at[3] = {corner_of(s, corners[t][0]), corner_of(s, corners[t][1]), corner_of(s, corners[t][2])};
        each(user, at, (const rill_vec3[3]){n, n, n});
    }
}

/* An edge is drawn unless both sides that meet in it are open. */
static void box_lines(const rill_shape *s, const rill_bounds *clip, uint32_t open, rill_line_each *each, void *user)
{
    (void)clip;
    const rill_sides sides = {.open = open};
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < 4; k++) {
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            if (side_open(&sides, u, k & 1) && side_open(&sides, v, k & 2)) continue;
            const int base = (k & 1 ? 1 << u : 0) | (k & 2 ? 1 << v : 0);
            each(user, corner_of(s, base), corner_of(s, base | 1 << axis), true);
        }
}

/* ---- lattices ---- */

static rill_lattice box_lattice(const rill_shape *s, double spacing)
{
    rill_lattice l = {.step = {{spacing, 0, 0}, {0, spacing, 0}, {0, 0, spacing}}};
    for (int a = 0; a < 3; a++) {
        const double from = rill_vec3_get(&s->from, a), to = rill_vec3_get(&s->to, a);
        rill_vec3_set(&l.first, a, from + 0.5 * spacing);
        l.count[a] = rill_count_along(to - from, spacing);
    }
    return l;
}

static bool box_takes(const rill_shape *s, rill_vec3 at)
{
    (void)s, (void)at;
    return true;
}

const rill_geometry rill_geometry_box = {
    .name = "box",
    .sided = true,
    .anchor = offsetof(rill_shape, from),
    .fault = box_fault,
    .numbers = box_numbers,
    .describe = box_describe,
    .continues = rill_shape_keeps_axis,
    .centre = box_centre,
    .bounds = box_bounds,
    .reach = box_reach,
    .nearest = box_nearest,
    .inside = box_inside,
    .grown = box_grown,
    .mass = box_mass,
    .keep_in = box_keep_in,
    .keep_out = box_keep_out,
    .sample = box_sample,
    .guess = box_guess,
    .triangles = box_triangles,
    .lines = box_lines,
    .lattice = box_lattice,
    .takes = box_takes,
};

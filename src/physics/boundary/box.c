/* A box: a container with walls on its open or closed sides, or an obstacle. */
#include "physics/boundary/body.h"

/* Particles along an axis. */
typedef struct lattice {
    int count;       /* inside the box */
    double spacing;
    double from;
} lattice;

static lattice lattice_along(const rill_body *body, int axis, double diameter)
{
    const double size = rill_vec3_get(&body->size, axis);
    const int count = (int)rill_body_count_along(size, diameter);
    return (lattice){count, size / count, rill_vec3_get(&body->shape.from, axis)};
}

static bool side_open(const rill_body *body, int axis, bool high)
{
    return body->open >> (2 * axis + high) & 1;
}

/* A container's particles have indices 0 and count + 1 outside the box, an
 * obstacle's 1 and count inside it. */
static bool on_shell(const rill_body *body, const lattice l[3], const int i[3])
{
    for (int a = 0; a < 3; a++) {
        const int low = body->solid ? 1 : 0, high = body->solid ? l[a].count : l[a].count + 1;
        if (body->solid ? i[a] == low || i[a] == high
                        : (i[a] == low && !side_open(body, a, false)) || (i[a] == high && !side_open(body, a, true)))
            return true;
    }
    return false;
}

static void box_sample(const rill_body *body, double diameter, void (*each)(void *user, rill_vec3 at), void *user)
{
    lattice l[3];
    int first[3], last[3], i[3];
    for (int a = 0; a < 3; a++) {
        l[a] = lattice_along(body, a, diameter);
        const bool inside = body->solid || body->periodic[a];
        first[a] = inside ? 1 : 0;
        last[a] = inside ? l[a].count : l[a].count + 1;
    }
    for (i[2] = first[2]; i[2] <= last[2]; i[2]++)
        for (i[1] = first[1]; i[1] <= last[1]; i[1]++)
            for (i[0] = first[0]; i[0] <= last[0]; i[0]++) {
                /* Jump over the inside of a row. */
                if (i[0] == first[0] + 1 && !on_shell(body, l, i) && last[0] > i[0]) i[0] = last[0];
                if (!on_shell(body, l, i)) continue;
                each(user, (rill_vec3){l[0].from + (i[0] - 0.5) * l[0].spacing, l[1].from + (i[1] - 0.5) * l[1].spacing,
                                       l[2].from + (i[2] - 0.5) * l[2].spacing});
            }
}

/* True on a side that slides. */
static bool slides(const rill_body *body, rill_vec3 at)
{
    for (int a = 0; a < 3; a++) {
        const double x = rill_vec3_get(&at, a),
                     share = (x - rill_vec3_get(&body->shape.from, a)) / rill_vec3_get(&body->size, a);
        /* A container's particles lie outside the box, an obstacle's just inside. */
        const double edge = body->solid ? 0.5 : 0;
        if (body->slide_sides >> (2 * a) & 1 && (body->solid ? share < edge : share < 0)) return true;
        if (body->slide_sides >> (2 * a + 1) & 1 && (body->solid ? share > edge : share > 1)) return true;
    }
    return false;
}

/* Between the low and the high side the velocity changes evenly. */
static rill_vec3 box_velocity(const rill_body *body, rill_vec3 at)
{
    rill_vec3 v;
    for (int a = 0; a < 3; a++) {
        const double from = rill_vec3_get(&body->shape.from, a), to = rill_vec3_get(&body->shape.to, a);
        const double share = fmin(fmax((rill_vec3_get(&at, a) - from) / (to - from), 0), 1);
        rill_vec3_set(&v, a, (1 - share) * rill_vec3_get(&body->low, a) + share * rill_vec3_get(&body->high, a));
    }
    return slides(body, at) ? rill_vec3_add(v, body->slide) : v;
}

static bool inside(const rill_shape *s, rill_vec3 p, double margin)
{
    return p.x >= s->from.x + margin && p.x <= s->to.x - margin && p.y >= s->from.y + margin &&
           p.y <= s->to.y - margin && p.z >= s->from.z + margin && p.z <= s->to.z - margin;
}

static bool box_holds(const rill_body *body, rill_vec3 at, double margin)
{
    if (body->solid)
        return !inside(&body->shape, rill_vec3_add(at, rill_body_image(body, &body->shape, at)), -margin);
    for (int a = 0; a < 3; a++) {
        if (body->periodic[a]) continue;
        const double x = rill_vec3_get(&at, a);
        if (x < rill_vec3_get(&body->shape.from, a) + margin && !side_open(body, a, false)) return false;
        if (x > rill_vec3_get(&body->shape.to, a) - margin && !side_open(body, a, true)) return false;
    }
    return true;
}

/* Sets a coordinate to a wall and stops the motion into it. */
static void stop_at(rill_vec3 *to, rill_vec3 *velocity, int axis, double x, double wall_velocity, bool from_above)
{
    rill_vec3_set(to, axis, x);
    const double v = rill_vec3_get(velocity, axis);
    if (from_above ? v < wall_velocity : v > wall_velocity) rill_vec3_set(velocity, axis, wall_velocity);
}

/* Only what was inside is kept inside. The margin covers rounding. */
static bool was_inside(const rill_body *body, rill_vec3 from, double margin)
{
    for (int a = 0; a < 3; a++) {
        const double x = rill_vec3_get(&from, a);
        if (body->periodic[a]) continue;
        if (x < rill_vec3_get(&body->before.from, a) - margin || x > rill_vec3_get(&body->before.to, a) + margin)
            return false;
    }
    return true;
}

static rill_contact guard_container(const rill_body *body, rill_vec3 from, rill_vec3 *to, rill_vec3 *velocity,
                                    double margin)
{
    rill_contact contact = RILL_CONTACT_NONE;
    for (int a = 0; a < 3; a++) {
        const double x = rill_vec3_get(to, a);
        const double low = rill_vec3_get(&body->shape.from, a), high = rill_vec3_get(&body->shape.to, a);
        if (body->periodic[a]) continue;
        const bool below = x < low + margin && !side_open(body, a, false);
        const bool above = x > high - margin && !side_open(body, a, true);
        if (!below && !above) continue;
        if (!contact && !was_inside(body, from, 1e-3 * margin)) return RILL_CONTACT_NONE;
        if (x < low || x > high) contact = RILL_CONTACT_PASSED;
        else if (!contact) contact = RILL_CONTACT_TOUCH;
        /* In a gap narrower than both margins the middle is the best place. */
        const double room = fmin(margin, 0.5 * (high - low));
        if (below) stop_at(to, velocity, a, low + room, rill_vec3_get(&body->low, a), true);
        else stop_at(to, velocity, a, high - room, rill_vec3_get(&body->high, a), false);
    }
    return contact;
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

/* The side of the box that a point lies beyond, or nearest to. */
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

static rill_contact guard_obstacle(const rill_body *body, rill_vec3 from, rill_vec3 *to, rill_vec3 *velocity,
                                   double margin)
{
    /* In the frame of the box, which moved by the mean of its two corners. */
    const rill_vec3 moved = rill_vec3_scale(rill_vec3_add(rill_vec3_sub(body->shape.from, body->before.from),
                                                          rill_vec3_sub(body->shape.to, body->before.to)),
                                            0.5);
    const rill_vec3 start = rill_vec3_add(from, moved);
    int axis, unused;
    if (entry(&body->shape, start, *to, margin, &axis) > 1) return RILL_CONTACT_NONE;
    const bool passed = entry(&body->shape, start, *to, 0, &unused) <= 1;
    /* A path that enters the margin and leaves it again without touching the box is fine. */
    if (!passed && !inside(&body->shape, *to, -margin)) return RILL_CONTACT_NONE;
    bool high = axis >= 0 && rill_vec3_get(&start, axis) > rill_vec3_get(to, axis);
    /* What begins near a side stays there, however thin the box is. */
    if (axis < 0 || inside(&body->shape, start, -margin)) axis = nearest_side(&body->shape, start, &high);
    const double side =
        high ? rill_vec3_get(&body->shape.to, axis) + margin : rill_vec3_get(&body->shape.from, axis) - margin;
    stop_at(to, velocity, axis, side, rill_vec3_get(high ? &body->high : &body->low, axis), high);
    return passed ? RILL_CONTACT_PASSED : RILL_CONTACT_TOUCH;
}

static rill_contact box_guard(const rill_body *body, rill_vec3 from, rill_vec3 *to, rill_vec3 *velocity, double margin)
{
    if (!body->solid) return guard_container(body, from, to, velocity, margin);
    const rill_vec3 image = rill_body_image(body, &body->before, from);
    rill_vec3 end = rill_vec3_add(*to, image);
    const rill_contact contact = guard_obstacle(body, rill_vec3_add(from, image), &end, velocity, margin);
    if (contact) *to = rill_vec3_sub(end, image);
    return contact;
}

const rill_body_method rill_body_box = {"box", box_sample, box_velocity, box_holds, box_guard};

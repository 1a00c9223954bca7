/* What bodies do: move, say where their wall particles lie, and hold particles back. */
#include "physics/boundary/body.h"

#include "base/maths.h"

rill_body rill_body_make(const rill_shape *shape)
{
    rill_body body = {.shape = *shape, .size = rill_vec3_sub(shape->to, shape->from), .moved = true};
    body.made = body.size;
    body.shape.to = rill_vec3_add(body.shape.from, body.size);
    body.before = body.shape;
    body.pose = body.pose_before = rill_shape_pose(shape);
    return body;
}

/* ---- motion ---- */

void rill_body_move(rill_body *body, double dt)
{
    body->before = body->shape;
    body->pose_before = body->pose;
    rill_shape *s = &body->shape;
    const rill_vec3 low = rill_vec3_scale(body->low, dt), high = rill_vec3_scale(body->high, dt);
    if (rill_vec3_dot(low, low) == 0 && rill_vec3_dot(high, high) == 0) return;
    body->moved = true;
    s->center = rill_vec3_add(s->center, low);
    for (int a = 0; a < 3; a++) {
        const double size = rill_vec3_get(&body->size, a) + (rill_vec3_get(&high, a) - rill_vec3_get(&low, a));
        /* Sides that would pass each other stop instead. */
        if (rill_geometry_of(s)->sided && !(size > 0)) continue;
        rill_vec3_set(&body->size, a, size);
        rill_vec3_set(&s->from, a, rill_vec3_get(&s->from, a) + rill_vec3_get(&low, a));
    }
    s->to = rill_vec3_add(s->from, body->size);
}

void rill_body_steer(rill_body *body, rill_vec3 low, rill_vec3 high)
{
    body->low = rill_pose_unrotate(&body->pose, low);
    body->high = rill_geometry_of(&body->shape)->sided ? rill_pose_unrotate(&body->pose, high) : body->low;
}

rill_vec3 rill_body_image(const rill_body *body, const rill_shape *shape, const rill_pose *pose, rill_vec3 at)
{
    rill_vec3 shift = {0, 0, 0};
    if (!(body->period.x > 0 || body->period.y > 0 || body->period.z > 0)) return shift;
    const rill_vec3 middle = rill_pose_place(pose, rill_geometry_of(shape)->centre(shape));
    for (int a = 0; a < 3; a++) {
        const double period = rill_vec3_get(&body->period, a);
        if (period > 0)
            rill_vec3_set(&shift, a, period * round((rill_vec3_get(&middle, a) - rill_vec3_get(&at, a)) / period));
    }
    return shift;
}

static rill_vec3 displacement(const rill_motion *m, double time)
{
    const double stop = m->stop > 0 ? m->stop : INFINITY;
    const double s = (time < m->start ? m->start : time > stop ? stop : time) - m->start;
    rill_vec3 x = rill_vec3_scale(m->velocity, s);
    if (m->period > 0) x = rill_vec3_add(x, rill_vec3_scale(m->amplitude, rill_sin(2 * RILL_PI * s / m->period)));
    return x;
}

/* The mean velocity over a step, so that bodies arrive where the formula says. */
rill_vec3 rill_motion_velocity(const rill_motion *motion, double from, double to)
{
    if (!(to > from)) return (rill_vec3){0, 0, 0};
    return rill_vec3_scale(rill_vec3_sub(displacement(motion, to), displacement(motion, from)), 1 / (to - from));
}

/* ---- wall particles ---- */

static rill_sides sides_of(const rill_body *body)
{
    return (rill_sides){body->open, {body->periodic[0], body->periodic[1], body->periodic[2]}};
}

rill_sampling rill_body_sampling(const rill_body *body, double diameter)
{
    return (rill_sampling){.spacing = diameter,
                           .solid = body->solid,
                           .sides = sides_of(body),
                           .clip = body->clip,
                           .repeat = {body->repeat[0], body->repeat[1], body->repeat[2]}};
}

void rill_body_sample_own(const rill_body *body, rill_vec3 size, double diameter, rill_sample_each *each, void *user)
{
    const rill_vec3 back = rill_vec3_scale(rill_shape_anchor(&body->shape), -1);
    rill_shape own = rill_shape_moved(&body->shape, back);
    rill_sampling how = rill_body_sampling(body, diameter);
    own.to = rill_vec3_add(own.from, size);
    how.clip.low = rill_vec3_add(how.clip.low, back);
    how.clip.high = rill_vec3_add(how.clip.high, back);
    rill_geometry_of(&own)->sample(&own, &how, each, user);
}

rill_vec3 rill_body_place(const rill_body *body, rill_vec3 sample)
{
    return rill_pose_place(&body->pose, rill_vec3_add(rill_shape_anchor(&body->shape), sample));
}

typedef struct placing {
    const rill_body *body;
    rill_sample_each *each;
    void *user;
} placing;

static void place_sample(void *user, rill_vec3 sample)
{
    const placing *p = user;
    p->each(p->user, rill_body_place(p->body, sample));
}

void rill_body_sample(const rill_body *body, double diameter, rill_sample_each *each, void *user)
{
    placing p = {body, each, user};
    rill_body_sample_own(body, body->size, diameter, place_sample, &p);
}

/* True on a side that slides. */
static bool slides(const rill_body *body, rill_vec3 own)
{
    if (!rill_geometry_of(&body->shape)->sided) return true;
    for (int a = 0; a < 3; a++) {
        const double x = rill_vec3_get(&own, a),
                     share = (x - rill_vec3_get(&body->shape.from, a)) / rill_vec3_get(&body->size, a);
        /* A container's particles lie outside the box, an obstacle's just inside. */
        const double edge = body->solid ? 0.5 : 0;
        if (body->slide_sides >> (2 * a) & 1 && (body->solid ? share < edge : share < 0)) return true;
        if (body->slide_sides >> (2 * a + 1) & 1 && (body->solid ? share > edge : share > 1)) return true;
    }
    return false;
}

/* Between the low and the high side the velocity changes evenly. */
static rill_vec3 side_velocity(const rill_body *body, rill_vec3 own)
{
    if (!rill_geometry_of(&body->shape)->sided) return body->low;
    rill_vec3 v;
    for (int a = 0; a < 3; a++) {
        const double from = rill_vec3_get(&body->shape.from, a), to = rill_vec3_get(&body->shape.to, a);
        const double share = fmin(fmax((rill_vec3_get(&own, a) - from) / (to - from), 0), 1);
        rill_vec3_set(&v, a, (1 - share) * rill_vec3_get(&body->low, a) + share * rill_vec3_get(&body->high, a));
    }
    return v;
}

rill_vec3 rill_body_velocity(const rill_body *body, rill_vec3 at)
{
    const rill_vec3 own = rill_pose_own(&body->pose, at);
    const rill_vec3 v = rill_pose_rotate(&body->pose, side_velocity(body, own));
    return slides(body, own) ? rill_vec3_add(v, body->slide) : v;
}

/* ---- what it holds back ---- */

bool rill_body_holds(const rill_body *body, rill_vec3 at, double margin)
{
    const rill_geometry *g = rill_geometry_of(&body->shape);
    const rill_sides sides = sides_of(body), all = {0};
    if (!body->solid) return g->inside(&body->shape, &sides, rill_pose_own(&body->pose, at), margin);
    const rill_vec3 near = rill_vec3_add(at, rill_body_image(body, &body->shape, &body->pose, at));
    return !g->inside(&body->shape, &all, rill_pose_own(&body->pose, near), -margin);
}

/* Stops motion into the faces that a path met. */
static void stop_motion(const rill_body *body, const rill_stop *stop, rill_vec3 *velocity)
{
    rill_vec3 v = rill_pose_unrotate(&body->pose, *velocity);
    for (int k = 0; k < stop->count; k++) {
        if (stop->side[k] >= 0) {
            const int axis = stop->side[k] / 2;
            const bool high = stop->side[k] & 1, from_above = body->solid ? high : !high;
            const double wall = rill_vec3_get(high ? &body->high : &body->low, axis), own = rill_vec3_get(&v, axis);
            if (from_above ? own < wall : own > wall) rill_vec3_set(&v, axis, wall);
        } else {
            const double along = rill_vec3_dot(rill_vec3_sub(v, body->low), stop->normal[k]);
            if (body->solid ? along < 0 : along > 0) v = rill_vec3_sub(v, rill_vec3_scale(stop->normal[k], along));
        }
    }
    *velocity = rill_pose_rotate(&body->pose, v);
}

rill_contact rill_body_guard(const rill_body *body, rill_vec3 from, rill_vec3 *to, rill_vec3 *velocity, double margin)
{
    const rill_geometry *g = rill_geometry_of(&body->shape);
    rill_vec3 image = {0, 0, 0};
    if (body->solid) image = rill_body_image(body, &body->before, &body->pose_before, from);
    const rill_path path = {.before = &body->before,
                            .shape = &body->shape,
                            .sides = sides_of(body),
                            .margin = margin,
                            .from = rill_pose_own(&body->pose_before, rill_vec3_add(from, image)),
                            .to = rill_pose_own(&body->pose, rill_vec3_add(*to, image))};
    rill_stop stop = {.contact = RILL_CONTACT_NONE};
    if (body->solid) g->keep_out(&path, &stop);
    else g->keep_in(&path, &stop);
    if (!stop.contact) return stop.contact;
    *to = rill_vec3_sub(rill_pose_place(&body->pose, stop.at), image);
    stop_motion(body, &stop, velocity);
    return stop.contact;
}

/* What all bodies have in common: motion. */
#include "physics/boundary/body.h"

#include "base/maths.h"

const rill_body_method *rill_body_method_of(const rill_body *body)
{
    return body->shape.kind == RILL_SHAPE_SPHERE ? &rill_body_sphere : &rill_body_box;
}

rill_body rill_body_make(const rill_shape *shape)
{
    rill_body body = {.shape = *shape, .size = rill_vec3_sub(shape->to, shape->from), .moved = true};
    body.made = body.size;
    body.shape.to = rill_vec3_add(body.shape.from, body.size);
    body.before = body.shape;
    return body;
}

void rill_body_move(rill_body *body, double dt)
{
    body->before = body->shape;
    rill_shape *s = &body->shape;
    const rill_vec3 low = rill_vec3_scale(body->low, dt), high = rill_vec3_scale(body->high, dt);
    if (rill_vec3_dot(low, low) == 0 && rill_vec3_dot(high, high) == 0) return;
    body->moved = true;
    s->center = rill_vec3_add(s->center, low);
    for (int a = 0; a < 3; a++) {
        const double size = rill_vec3_get(&body->size, a) + (rill_vec3_get(&high, a) - rill_vec3_get(&low, a));
        /* Sides that would pass each other stop instead. */
        if (s->kind == RILL_SHAPE_BOX && !(size > 0)) continue;
        rill_vec3_set(&body->size, a, size);
        rill_vec3_set(&s->from, a, rill_vec3_get(&s->from, a) + rill_vec3_get(&low, a));
    }
    s->to = rill_vec3_add(s->from, body->size);
}

rill_vec3 rill_body_image(const rill_body *body, const rill_shape *shape, rill_vec3 at)
{
    const rill_vec3 middle = shape->kind == RILL_SHAPE_SPHERE
                                 ? shape->center
                                 : rill_vec3_scale(rill_vec3_add(shape->from, shape->to), 0.5);
    rill_vec3 shift = {0, 0, 0};
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

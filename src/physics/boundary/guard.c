/* The guard of all bodies. */
#include "physics/boundary/guard.h"

/* A container cannot touch what lies inside this box, an obstacle not what lies
 * outside it. Rounded to the safe side. */
static rill_guard_region region_of(const rill_body *body, double margin, double reach)
{
    rill_guard_region q;
    const rill_shape *s = &body->shape;
    /* The cube inside a round container, the cube around a ball. */
    const double half = body->solid ? s->radius : s->radius / sqrt(3.0);
    const double slack = body->solid ? -(margin + reach) : margin, safe = body->solid ? -1e-6 : 1e-6;
    for (int a = 0; a < 3; a++) {
        double low = rill_vec3_get(&s->from, a), high = rill_vec3_get(&s->to, a);
        if (s->kind == RILL_SHAPE_SPHERE) {
            low = rill_vec3_get(&s->center, a) - half;
            high = rill_vec3_get(&s->center, a) + half;
        }
        q.low[a] = (float)(low + slack + safe * fabs(low + slack));
        q.high[a] = (float)(high - slack - safe * fabs(high - slack));
        if (!body->solid && body->open >> (2 * a) & 1) q.low[a] = -INFINITY;
        if (!body->solid && body->open >> (2 * a + 1) & 1) q.high[a] = INFINITY;
        /* Where an obstacle comes again, it may be anywhere along the axis. */
        if (rill_vec3_get(&body->period, a) > 0) q.low[a] = -INFINITY, q.high[a] = INFINITY;
    }
    return q;
}

rill_guard rill_guard_make(const rill_body *bodies, uint32_t count, double margin, double speed_limit, double dt)
{
    rill_guard guard = {.bodies = bodies, .count = count, .margin = margin};
    for (uint32_t b = 0; b < count && b < RILL_GUARD_REGIONS; b++) {
        const double moved = rill_vec3_length(bodies[b].low) + rill_vec3_length(bodies[b].high);
        guard.regions[b] = region_of(&bodies[b], margin, (speed_limit + moved) * dt);
    }
    return guard;
}

/* Obstacles first, then containers, so that what cannot be held by all stays inside those. True when a container had
 * to: it may have put the particle into an obstacle. */
static bool hold_once(const rill_guard *guard, rill_vec3 start, rill_vec3 *end, rill_vec3 *velocity,
                          rill_contact *worst)
{
    bool contained = false;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t b = 0; b < guard->count; b++) {
            const rill_body *body = &guard->bodies[b];
            if (body->solid != (pass == 0)) continue;
            const rill_contact contact = rill_body_method_of(body)->guard(body, start, end, velocity, guard->margin);
            if (contact && !body->solid) contained = true;
            *worst = contact > *worst ? contact : *worst;
        }
    return contained;
}

static bool in_obstacle(const rill_guard *guard, rill_vec3 at)
{
    for (uint32_t b = 0; b < guard->count; b++) {
        const rill_body *body = &guard->bodies[b];
        if (body->solid && !rill_body_method_of(body)->holds(body, at, 0)) return true;
    }
    return false;
}

/* Rounds in which a particle finds a place between a ball and a wall: every round leads it further from where the two
 * touch, by a quarter or more for balls up to two diameters wide, less for larger ones. */
enum { SQUEEZE_ROUNDS = 64 };

rill_contact rill_guard_hold(const rill_guard *guard, const float from[3], float to[3], float v[3])
{
    if (!rill_guard_near(guard, to)) return RILL_CONTACT_NONE;
    const rill_vec3 start = {from[0], from[1], from[2]};
    rill_vec3 end = {to[0], to[1], to[2]}, velocity = {v[0], v[1], v[2]};
    rill_contact worst = RILL_CONTACT_NONE;
    const bool contained = hold_once(guard, start, &end, &velocity, &worst);
    for (int round = 0; contained && round < SQUEEZE_ROUNDS && in_obstacle(guard, end); round++)
        hold_once(guard, start, &end, &velocity, &worst);
    if (!worst) return worst;
    to[0] = (float)end.x, to[1] = (float)end.y, to[2] = (float)end.z;
    v[0] = (float)velocity.x, v[1] = (float)velocity.y, v[2] = (float)velocity.z;
    return worst;
}

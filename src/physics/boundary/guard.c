/* The guard of all bodies. */
#include "physics/boundary/guard.h"

/* Whether a container holds all corners of a box, and with them, being convex, all of it. */
static bool holds_box(const rill_body *body, const rill_bounds *box, double margin)
{
    for (int i = 0; i < 8; i++) {
        const rill_vec3 corner = {i & 1 ? box->high.x : box->low.x, i & 2 ? box->high.y : box->low.y,
                                  i & 4 ? box->high.z : box->low.z};
        if (!rill_body_holds(body, corner, margin)) return false;
    }
    return true;
}

/* A box in the middle of another one, with shares of its sides. */
static rill_bounds shrunk(const rill_bounds *box, const double share[3])
{
    rill_bounds b;
    for (int a = 0; a < 3; a++) {
        const double low = rill_vec3_get(&box->low, a), high = rill_vec3_get(&box->high, a);
        const double middle = 0.5 * (low + high), half = 0.5 * share[a] * (high - low);
        rill_vec3_set(&b.low, a, middle - half);
        rill_vec3_set(&b.high, a, middle + half);
    }
    return b;
}

/* A large box inside a container: as large a part of its bounds as it holds, then longer along each axis. */
static rill_bounds inside_of(const rill_body *body, double margin)
{
    enum { HALVINGS = 12 };
    const rill_bounds bounds = rill_placed_bounds(&body->shape, &body->pose);
    double share[3] = {0, 0, 0};
    const rill_bounds middle_point = shrunk(&bounds, share);
    if (!holds_box(body, &middle_point, margin))
        return (rill_bounds){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int part = 0; part < 4; part++) {
        double low = part ? share[part - 1] : 0, high = 1;
        for (int k = 0; k < HALVINGS; k++) {
            double tried[3] = {share[0], share[1], share[2]};
            const double middle = 0.5 * (low + high);
            for (int a = 0; a < 3; a++)
                if (!part || a == part - 1) tried[a] = middle;
            const rill_bounds box = shrunk(&bounds, tried);
            if (holds_box(body, &box, margin)) low = middle;
            else high = middle;
        }
        for (int a = 0; a < 3; a++)
            if (!part || a == part - 1) share[a] = low;
    }
    return shrunk(&bounds, share);
}

/* The box that containers cannot touch what lies in, and obstacles what lies beyond. */
static rill_bounds safe_box(const rill_body *body, double margin)
{
    const rill_shape *s = &body->shape;
    const rill_geometry *g = rill_geometry_of(s);
    const rill_bounds bounds = rill_placed_bounds(s, &body->pose);
    if (body->solid || (g->sided && !body->pose.turned)) return bounds;
    rill_bounds inside = inside_of(body, margin);
    /* The margin is in it already. */
    for (int a = 0; a < 3; a++) {
        rill_vec3_set(&inside.low, a, rill_vec3_get(&inside.low, a) - margin);
        rill_vec3_set(&inside.high, a, rill_vec3_get(&inside.high, a) + margin);
    }
    return inside;
}

/* A container cannot touch what lies inside this box, an obstacle not what lies
 * outside it. Rounded to the safe side. */
static rill_guard_region region_of(const rill_body *body, double margin, double reach)
{
    rill_guard_region q;
    const rill_bounds box = safe_box(body, margin);
    const double slack = body->solid ? -(margin + reach) : margin, safe = body->solid ? -1e-6 : 1e-6;
    for (int a = 0; a < 3; a++) {
        const double low = rill_vec3_get(&box.low, a), high = rill_vec3_get(&box.high, a);
        q.low[a] = (float)(low + slack + safe * fabs(low + slack));
        q.high[a] = (float)(high - slack - safe * fabs(high - slack));
        if (!body->solid && !body->pose.turned && body->open >> (2 * a) & 1) q.low[a] = -INFINITY;
        if (!body->solid && !body->pose.turned && body->open >> (2 * a + 1) & 1) q.high[a] = INFINITY;
        /* Where an obstacle comes again, it may be anywhere along the axis. */
        if (rill_vec3_get(&body->period, a) > 0) q.low[a] = -INFINITY, q.high[a] = INFINITY;
    }
    return q;
}

rill_guard rill_guard_make(const rill_body *bodies, uint32_t count, double margin, double speed_limit, double dt)
{
    rill_guard guard = {.bodies = bodies, .count = count, .margin = margin};
    for (uint32_t b = 0; b < count && b < RILL_GUARD_REGIONS; b++) {
        const double spin = rill_vec3_length(bodies[b].spin);
        const double turned = spin > 0 ? spin * rill_body_reach(&bodies[b]) : 0;
        const double moved = rill_vec3_length(bodies[b].low) + rill_vec3_length(bodies[b].high) + turned;
        guard.regions[b] = region_of(&bodies[b], margin, (speed_limit + moved) * dt);
    }
    return guard;
}

/* Obstacles first, then containers, so that what cannot be held by all stays inside those. True when a container had
 * to: it may have put the particle into an obstacle. */
static bool hold_once(const rill_guard *guard, rill_vec3 start, rill_vec3 *end, rill_vec3 *velocity,
                      rill_contact *worst, rill_guard_note *note, void *user)
{
    bool contained = false;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t b = 0; b < guard->count; b++) {
            const rill_body *body = &guard->bodies[b];
            if (body->solid != (pass == 0)) continue;
            const rill_vec3 to = *end, v = *velocity;
            const rill_contact contact = rill_body_guard(body, start, end, velocity, guard->margin);
            if (contact && !body->solid) contained = true;
            if (contact) note(user, b, rill_vec3_sub(*end, to), rill_vec3_sub(*velocity, v));
            *worst = contact > *worst ? contact : *worst;
        }
    return contained;
}

static bool in_obstacle(const rill_guard *guard, rill_vec3 at)
{
    for (uint32_t b = 0; b < guard->count; b++) {
        const rill_body *body = &guard->bodies[b];
        if (body->solid && !rill_body_holds(body, at, 0)) return true;
    }
    return false;
}

/* Rounds in which a particle finds a place between a ball and a wall: every round leads it further from where the two
 * touch, by a quarter or more for balls up to two diameters wide, less for larger ones. */
enum { SQUEEZE_ROUNDS = 64 };

rill_contact rill_guard_hold(const rill_guard *guard, const float from[3], float to[3], float v[3],
                             rill_guard_note *note, void *user)
{
    if (!rill_guard_near(guard, to)) return RILL_CONTACT_NONE;
    const rill_vec3 start = {from[0], from[1], from[2]};
    rill_vec3 end = {to[0], to[1], to[2]}, velocity = {v[0], v[1], v[2]};
    rill_contact worst = RILL_CONTACT_NONE;
    const bool contained = hold_once(guard, start, &end, &velocity, &worst, note, user);
    for (int round = 0; contained && round < SQUEEZE_ROUNDS && in_obstacle(guard, end); round++)
        hold_once(guard, start, &end, &velocity, &worst, note, user);
    if (!worst) return worst;
    to[0] = (float)end.x, to[1] = (float)end.y, to[2] = (float)end.z;
    v[0] = (float)velocity.x, v[1] = (float)velocity.y, v[2] = (float)velocity.z;
    return worst;
}

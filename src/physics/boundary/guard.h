/* The guard of all bodies: no path of a particle may lead through a surface. */
#ifndef RILL_PHYSICS_GUARD_H
#define RILL_PHYSICS_GUARD_H

#include "physics/boundary/body.h"

/* A region in which a body cannot touch a particle, as plain floats. */
typedef struct rill_guard_region {
    float low[3], high[3];
} rill_guard_region;

/* Bodies beyond the first so many are always asked. */
enum { RILL_GUARD_REGIONS = 16 };

typedef struct rill_guard {
    const rill_body *bodies; /* at the end of the step */
    uint32_t count;
    double margin; /* how near to a surface particles may come, m */
    rill_guard_region regions[RILL_GUARD_REGIONS];
} rill_guard;

/* With particles that go no faster than `speed_limit` for dt. */
rill_guard rill_guard_make(const rill_body *bodies, uint32_t count, double margin, double speed_limit, double dt);

/* True when a container cannot touch what comes to x, or an obstacle can. */
static inline bool rill_guard_within(const rill_guard_region *r, const float x[3])
{
    return x[0] >= r->low[0] && x[0] <= r->high[0] && x[1] >= r->low[1] && x[1] <= r->high[1] && x[2] >= r->low[2] &&
           x[2] <= r->high[2];
}

/* True when some body may touch what comes to x. */
static inline bool rill_guard_near(const rill_guard *guard, const float x[3])
{
    for (uint32_t b = 0; b < guard->count; b++)
        if (b >= RILL_GUARD_REGIONS || rill_guard_within(&guard->regions[b], x) == guard->bodies[b].solid) return true;
    return false;
}

/* Is told, for every body that a path met, by how much it moved the end of it and changed the velocity. */
typedef void rill_guard_note(void *user, uint32_t body, rill_vec3 moved, rill_vec3 slowed);

/* Asks every body about the path; containers have the last word. Moves `to` and takes from v what points into a
 * wall. */
rill_contact rill_guard_hold(const rill_guard *guard, const float from[3], float to[3], float v[3],
                             rill_guard_note *note, void *user);

#endif

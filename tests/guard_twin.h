/* The slow twin of the guard, which asks every body about every path. */
#ifndef RILL_TESTS_GUARD_TWIN_H
#define RILL_TESTS_GUARD_TWIN_H

#include "physics/boundary/guard.h"

static inline bool twin_once(const rill_body *bodies, uint32_t count, double margin, rill_vec3 from, rill_vec3 *to,
                      rill_vec3 *v, rill_contact *worst, rill_guard_note *note,
                      void *user)
{
    bool contained = false;
    for (int solid = 1; solid >= 0; solid--)
        for (uint32_t b = 0; b < count; b++) {
            if (bodies[b].solid != solid) continue;
            const rill_vec3 end = *to, speed = *v;
            const rill_contact contact = rill_body_guard(&bodies[b], from, to, v, margin);
            if (contact) note(user, b, rill_vec3_sub(*to, end), rill_vec3_sub(*v, speed));
            contained = contained || (contact && !solid);
            *worst = contact > *worst ? contact : *worst;
        }
    return contained;
}

/* Inside of an obstacle, whatever containers say. */
static inline bool twin_inside(const rill_body *bodies, uint32_t count, rill_vec3 at)
{
    for (uint32_t b = 0; b < count; b++)
        if (bodies[b].solid && !rill_body_holds(&bodies[b], at, 0)) return true;
    return false;
}

/* Apart from where paths are made: gcc 12 would else leave out the rounding of their ends to single precision. */
__attribute__((noinline)) static rill_contact twin_hold(const rill_body *bodies, uint32_t count, double margin,
                                                        const float from[3], float to[3], float v[3],
                                                        rill_guard_note *note, void *user)
{
    const rill_vec3 start = {from[0], from[1], from[2]};
    rill_vec3 end = {to[0], to[1], to[2]}, velocity = {v[0], v[1], v[2]};
    rill_contact worst = RILL_CONTACT_NONE;
    const bool contained = twin_once(bodies, count, margin, start, &end, &velocity, &worst, note, user);
    for (int round = 0; contained && round < 64 && twin_inside(bodies, count, end); round++)
        twin_once(bodies, count, margin, start, &end, &velocity, &worst, note, user);
    if (!worst) return worst;
    to[0] = (float)end.x, to[1] = (float)end.y, to[2] = (float)end.z;
    v[0] = (float)velocity.x, v[1] = (float)velocity.y, v[2] = (float)velocity.z;
    return worst;
}

#endif

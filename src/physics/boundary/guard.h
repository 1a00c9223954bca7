/* The guard of all bodies: no path of a particle may lead through a surface. */
#ifndef RILL_PHYSICS_GUARD_H
#define RILL_PHYSICS_GUARD_H

#include "physics/boundary/body.h"
#include "physics/boundary/broad.h"

typedef struct rill_guard {
    const rill_body *bodies; /* at the end of the step */
    uint32_t count;
    double margin;    /* how near to a surface particles may come, m */
    bool contains;    /* there is a container ... */
    bool closed;      /* ... and some have no way out */
    float longest;    /* longer paths ask every body, m */
    rill_box *reach;  /* of every body: a path that does not meet it is not touched */
    rill_box *clear;  /* of every container: nor is what ends in it; empty for obstacles */
    rill_box home;    /* the largest of these; empty: there is none */
    rill_broad broad; /* of their reaches */
    rill_buffer memory;
} rill_guard;

/* For bodies that have moved; what it was made for before is forgotten. */
rill_status rill_guard_make(rill_guard *guard, const rill_body *bodies, uint32_t count, double margin,
                            rill_error *err);
void rill_guard_free(rill_guard *guard);

/* True when some body may touch a path. */
bool rill_guard_near(const rill_guard *guard, const float from[3], const float to[3]);

/* Is told, for every body that a path met, by how much it moved the end of it and changed the velocity. */
typedef void rill_guard_note(void *user, uint32_t body, rill_vec3 moved, rill_vec3 slowed);

/* Asks every body about the path, the obstacles and then the containers, which have the last word, each in the order of
 * their numbers. Moves `to` and takes from v what points into a wall. */
rill_contact rill_guard_hold(const rill_guard *guard, const float from[3], float to[3], float v[3],
                             rill_guard_note *note, void *user);

/* Whether a point is in no container. */
bool rill_guard_outside(const rill_guard *guard, const float x[3]);

/* Whether it is in none although some are closed. */
static inline bool rill_guard_lost(const rill_guard *guard, const float x[3])
{
    return guard->closed && !rill_box_holds(&guard->home, x) && rill_guard_outside(guard, x);
}

/* Whether a point is so far from every surface, on the liquid's side: inside a container, if there is any. So far is no
 * farther than the guard's margin. */
bool rill_guard_allows(const rill_guard *guard, rill_vec3 at, double distance);

#endif

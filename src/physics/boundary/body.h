/* Bodies: containers and obstacles, boxes and spheres. A body says where its
 * wall particles lie and keeps liquid on the right side of its surface. */
#ifndef RILL_PHYSICS_BODY_H
#define RILL_PHYSICS_BODY_H

#include <math.h>
#include <stdbool.h>

#include "base/vec3.h"
#include "rill/scene.h"

/* A body at one moment. */
typedef struct rill_body {
    rill_shape shape;
    rill_shape before;           /* where it was when the step began */
    rill_vec3 size;              /* of a box: to = from + size, so that a box that only travels keeps its exact size */
    rill_vec3 made;              /* the size it began with */
    rill_vec3 low, high;         /* velocity of the low and high sides; a sphere has low = high */
    bool solid;                  /* liquid outside */
    uint32_t open;               /* sides without a wall */
    bool periodic[3];            /* axes along which the walls of a container continue */
    rill_vec3 period;            /* lengths after which an obstacle comes again; 0: never */
    double grip;                 /* 1 - slip */
    rill_vec3 slide;             /* velocity of the surface along itself ... */
    uint32_t slide_sides;        /* ... on these sides of a box, or all over a sphere */
    double volume_factor;        /* V_b = volume_factor / sum W over the body's own particles */
    bool moved;                  /* since its wall particles were last made */
} rill_body;

/* What the guard saw: nothing, a particle that came too near, or one that would have passed the surface. */
typedef enum rill_contact { RILL_CONTACT_NONE, RILL_CONTACT_TOUCH, RILL_CONTACT_PASSED } rill_contact;

/* One shape of bodies. */
typedef struct rill_body_method {
    const char *name;
    /* Calls back with the centre of every wall particle: half a diameter behind
     * the surface, about a diameter apart, always in the same order. */
    void (*sample)(const rill_body *body, double diameter, void (*each)(void *user, rill_vec3 at), void *user);
    /* The body's surface velocity at a wall particle. */
    rill_vec3 (*velocity)(const rill_body *body, rill_vec3 at);
    /* True when a point is at least `margin` away from the body's surface on the liquid's side. */
    bool (*holds)(const rill_body *body, rill_vec3 at, double margin);
    /* The last guard: the path from `from` to `*to` must not come nearer to the
     * surface than `margin`. If it does, moves *to back there and takes the part of
     * *velocity that points into the wall. */
    rill_contact (*guard)(const rill_body *body, rill_vec3 from, rill_vec3 *to, rill_vec3 *velocity, double margin);
} rill_body_method;

const rill_body_method *rill_body_method_of(const rill_body *body);

extern const rill_body_method rill_body_box, rill_body_sphere;

/* A body with this shape, at rest. */
rill_body rill_body_make(const rill_shape *shape);

/* How many wall particles lie along an axis of a box: spaced evenly, as near to the diameter as fits. */
static inline double rill_body_count_along(double size, double diameter)
{
    return fmax(floor(size / diameter + 0.5), 1);
}

/* Moves the body's sides with its velocities. */
void rill_body_move(rill_body *body, double dt);

/* What to add to a point to see it beside the obstacle that is nearest to it, where obstacles come again. */
rill_vec3 rill_body_image(const rill_body *body, const rill_shape *shape, rill_vec3 at);

/* The mean velocity a scene prescribes between two times. */
rill_vec3 rill_motion_velocity(const rill_motion *motion, double from, double to);

#endif

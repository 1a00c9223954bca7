/* Bodies: containers and obstacles of any geometry. A body says where its wall
 * particles lie and keeps liquid on the right side of its surface. */
#ifndef RILL_PHYSICS_BODY_H
#define RILL_PHYSICS_BODY_H

#include <math.h>
#include <stdbool.h>

#include "base/vec3.h"
#include "geom/geometry.h"
#include "rill/scene.h"

/* A body at one moment. Its shape and the velocities of its sides are in its own coordinates, which are the scene's
 * unless it is turned. It travels by the numbers of its shape; its pose turns it about a point that travels along. */
typedef struct rill_body {
    rill_shape shape;
    rill_shape before;           /* where it was when the step began */
    rill_pose pose, pose_before;
    rill_vec3 size;              /* to = from + size, so that a body that only travels keeps its exact size */
    rill_vec3 made;              /* the size it began with */
    rill_vec3 low, high;         /* velocity of the low and high sides; without sides low = high */
    rill_vec3 spin;              /* rad/s, in the axes of the scene, about where the point `about` of its pose is */
    rill_vec3 low_before, high_before, spin_before; /* in the step before */
    bool solid;                  /* liquid outside */
    uint32_t open;               /* sides without a wall */
    bool periodic[3];            /* own axes along which the walls of a container continue */
    rill_vec3 period;            /* lengths after which an obstacle comes again; 0: never */
    rill_bounds clip;            /* where an unbounded body has wall particles */
    double repeat[3];            /* lengths after which an unbounded body meets itself */
    double grip;                 /* 1 - slip */
    rill_vec3 slide;             /* velocity of the surface along itself, in the scene ... */
    uint32_t slide_sides;        /* ... on these sides of a box, or all over any other shape */
    uint32_t layers;             /* of wall particles, a diameter apart; 0 counts as 1 */
    double volume_factor;        /* V_b = volume_factor / sum W over the body's own particles */
    bool moved;                  /* since its wall particles were last made */
    rill_vec3 force, torque;     /* of the liquid on it in the last step, N and N m, about its centre */
} rill_body;

/* A body with this shape, at rest. */
rill_body rill_body_make(const rill_shape *shape);

/* How its wall particles lie, a diameter apart. */
/* The layer `k` of a body's wall particles is the first of this shape; false: the body is too thin to have one. */
bool rill_body_layer(const rill_body *body, const rill_shape *shape, uint32_t k, double diameter, rill_shape *layer);
rill_sampling rill_body_sampling(const rill_body *body, double diameter);

/* The wall particles of one of its layers, with the point at zero from which they count, so that they do not depend on
 * the body's place; false: it has no such layer. And where one of them is in the scene. */
bool rill_body_sample_layer(const rill_body *body, rill_vec3 size, double diameter, uint32_t layer,
                            rill_sample_each *each, void *user);
rill_vec3 rill_body_place(const rill_body *body, rill_vec3 sample);

/* Calls back with the place of every wall particle: half a diameter behind the surface, about a diameter apart, and so
 * for every further layer, always in the same order. */
void rill_body_sample(const rill_body *body, double diameter, rill_sample_each *each, void *user);

/* The velocity of a point that the body carries along. */
rill_vec3 rill_body_carried(const rill_body *body, rill_vec3 at);

/* The body's surface velocity at a wall particle, and the acceleration of the body there: the change of its velocities
 * since the step before, over the time between, and what holds a point of a turning body on its circle. */
rill_vec3 rill_body_velocity(const rill_body *body, rill_vec3 at);
rill_vec3 rill_body_acceleration(const rill_body *body, rill_vec3 at, double between);

/* How far from the point that it turns about the body reaches. */
double rill_body_reach(const rill_body *body);

/* The place of its centre. */
rill_vec3 rill_body_centre(const rill_body *body);

/* True when a point is at least `margin` away from the body's surface on the liquid's side. */
bool rill_body_holds(const rill_body *body, rill_vec3 at, double margin);

/* The last guard: the path from `from` to `*to` must not come nearer to the surface than `margin`. If it does, moves
 * *to back there and takes the part of *velocity that points into the wall. */
rill_contact rill_body_guard(const rill_body *body, rill_vec3 from, rill_vec3 *to, rill_vec3 *velocity, double margin);

/* Moves the body's sides with its velocities, and turns it. */
void rill_body_move(rill_body *body, double dt);

/* Gives the body velocities of the scene: those of its low and of its high sides, and how fast it turns. */
void rill_body_steer(rill_body *body, rill_vec3 low, rill_vec3 high, rill_vec3 spin);

/* Steers it so that its centre and rotation come nearer to a target, which they reach after `left` seconds; dt of them
 * pass in this step. */
void rill_body_head_for(rill_body *body, rill_vec3 centre, const double rotation[4], double left, double dt);

/* What to add to a point to see it beside the obstacle that is nearest to it, where obstacles come again. */
rill_vec3 rill_body_image(const rill_body *body, const rill_shape *shape, const rill_pose *pose, rill_vec3 at);

#endif

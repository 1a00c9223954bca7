/* Patches: parts of a body's surface for which what the liquid does is added up apart. */
#ifndef RILL_PHYSICS_PATCH_H
#define RILL_PHYSICS_PATCH_H

#include "physics/boundary/body.h"

/* What of the surface lies in a box of the scene, which stays where it is when the body moves. */
typedef struct rill_patch {
    uint32_t body;
    rill_vec3 from, to;
    double diameter;         /* a side of the box along the surface may be so far from it */
    double reach;            /* how far from a surface liquid still feels it */
    rill_vec3 force, torque; /* of the liquid on it in the last step, N and N m, about the body's centre */
} rill_patch;

/* What of that which the body gives a particle at this place comes from the patch. A particle belongs to the point of
 * the surface that is nearest to it. In the corner of a box that holds liquid every side within reach has the part of
 * the push that points away from it, so that a patch that is a whole side has all that presses on that side. */
rill_vec3 rill_patch_part(const rill_patch *patch, const rill_body *body, rill_vec3 at, rill_vec3 given);

/* False where that is nothing for sure. */
static inline bool rill_patch_near(const rill_patch *patch, const float x[3])
{
    const double far = patch->reach + patch->diameter;
    return x[0] >= patch->from.x - far && x[0] <= patch->to.x + far && x[1] >= patch->from.y - far &&
           x[1] <= patch->to.y + far && x[2] >= patch->from.z - far && x[2] <= patch->to.z + far;
}

#endif

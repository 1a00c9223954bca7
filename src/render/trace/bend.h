/* Shading normals that differ from the true ones make directions end up on the
 * wrong side of a surface, which shows as black edges or as light from within.
 * Here both are bent back. */
#ifndef RILL_RENDER_TRACE_BEND_H
#define RILL_RENDER_TRACE_BEND_H

#include "render/trace/vec.h"

/* A shading normal that the path sees from its front: bent towards the plane's where it leans away too far. */
static inline v3 rill_normal_facing(v3 normal, v3 plane, v3 w)
{
    const float least = 0.01f, seen = v3_dot(normal, w);
    if (seen >= least) return normal;
    const float square = v3_dot(plane, w);
    return square > least ? v3_unit(v3_along(normal, (least - seen) / square, plane)) : plane;
}

/* Turns a direction onto the side of the plane that it should be on. */
static inline bool rill_direction_fold(v3 *d, v3 plane, bool through, bool sharp)
{
    const float height = through ? -v3_dot(*d, plane) : v3_dot(*d, plane), least = 1e-4f;
    if (height > 0) return false;
    const float lift = sharp ? least - height : -2 * height;
    *d = v3_unit(v3_along(*d, through ? -lift : lift, plane));
    return true;
}

#endif

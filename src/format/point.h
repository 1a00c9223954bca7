/* Coordinates in files that are written: a scene far from zero needs double precision there, while in memory single
 * precision counted from an origin will do. */
#ifndef RILL_FORMAT_POINT_H
#define RILL_FORMAT_POINT_H

#include "base/store.h"
#include "format/scalar.h"

static inline bool rill_point_is_far(rill_vec3 origin)
{
    return origin.x != 0 || origin.y != 0 || origin.z != 0;
}

static inline rill_scalar rill_point_type(rill_vec3 origin)
{
    return rill_point_is_far(origin) ? RILL_SCALAR_F64 : RILL_SCALAR_F32;
}

/* The three numbers of one point, in the type above. */
static inline void rill_point_write(rill_store *store, rill_vec3 origin, const float near[3])
{
    const double at[3] = {origin.x + near[0], origin.y + near[1], origin.z + near[2]};
    if (rill_point_is_far(origin)) rill_store_write(store, at, sizeof at);
    else rill_store_write(store, near, 3 * sizeof *near);
}

#endif

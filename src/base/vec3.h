/* Small vectors in double precision, for scenes, bodies and probes. */
#ifndef RILL_BASE_VEC3_H
#define RILL_BASE_VEC3_H

#include <math.h>
#include <stdbool.h>

#include "rill/base.h"

static inline rill_vec3 rill_vec3_add(rill_vec3 a, rill_vec3 b)
{
    return (rill_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline rill_vec3 rill_vec3_sub(rill_vec3 a, rill_vec3 b)
{
    return (rill_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline rill_vec3 rill_vec3_scale(rill_vec3 a, double s)
{
    return (rill_vec3){a.x * s, a.y * s, a.z * s};
}

static inline double rill_vec3_dot(rill_vec3 a, rill_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline double rill_vec3_length(rill_vec3 a)
{
    return sqrt(rill_vec3_dot(a, a));
}

static inline bool rill_vec3_same(rill_vec3 a, rill_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static inline bool rill_vec3_finite(rill_vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static inline double rill_vec3_get(const rill_vec3 *a, int axis)
{
    return axis == 0 ? a->x : axis == 1 ? a->y : a->z;
}

static inline void rill_vec3_set(rill_vec3 *a, int axis, double value)
{
    if (axis == 0) a->x = value;
    else if (axis == 1) a->y = value;
    else a->z = value;
}

#endif

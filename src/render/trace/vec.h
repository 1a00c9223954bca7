/* Vectors of three floats: places, directions and colours of the path tracer. */
#ifndef RILL_RENDER_TRACE_VEC_H
#define RILL_RENDER_TRACE_VEC_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "rill/base.h"

#define RILL_PI_F 3.14159265358979f

/* In a line of machine code, where the library's must mind what is no number. */
static inline float f_min(float a, float b)
{
    return a < b ? a : b;
}

static inline float f_max(float a, float b)
{
    return a > b ? a : b;
}

/* For |a| below two thousand million. */
static inline float f_floor(float a)
{
    const float whole = (float)(int32_t)a;
    return whole > a ? whole - 1 : whole;
}

typedef struct v3 {
    float x, y, z;
} v3;

static inline v3 v3_of(const float *p)
{
    return (v3){p[0], p[1], p[2]};
}

static inline v3 v3_from(rill_vec3 a)
{
    return (v3){(float)a.x, (float)a.y, (float)a.z};
}

static inline v3 v3_all(float a)
{
    return (v3){a, a, a};
}

static inline v3 v3_add(v3 a, v3 b)
{
    return (v3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline v3 v3_sub(v3 a, v3 b)
{
    return (v3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline v3 v3_mul(v3 a, v3 b)
{
    return (v3){a.x * b.x, a.y * b.y, a.z * b.z};
}

static inline v3 v3_scale(v3 a, float s)
{
    return (v3){a.x * s, a.y * s, a.z * s};
}

/* a + s b */
static inline v3 v3_along(v3 a, float s, v3 b)
{
    return (v3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline float v3_dot(v3 a, v3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline v3 v3_cross(v3 a, v3 b)
{
    return (v3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline v3 v3_unit(v3 a)
{
    const float square = v3_dot(a, a);
    return square > 0 ? v3_scale(a, 1 / sqrtf(square)) : (v3){0, 0, 1};
}

static inline float v3_most(v3 a)
{
    return f_max(a.x, f_max(a.y, a.z));
}

static inline v3 v3_abs(v3 a)
{
    return (v3){fabsf(a.x), fabsf(a.y), fabsf(a.z)};
}

static inline bool v3_finite(v3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

/* How bright a linear colour looks (Rec. 709). */
static inline float v3_luminance(v3 a)
{
    return 0.2126f * a.x + 0.7152f * a.y + 0.0722f * a.z;
}

/* Two directions that make an orthonormal, right-handed basis with n (Duff et al. 2017). */
static inline void v3_basis(v3 n, v3 *s, v3 *t)
{
    const float sign = copysignf(1, n.z), a = -1 / (sign + n.z), b = n.x * n.y * a;
    *s = (v3){1 + sign * n.x * n.x * a, sign * b, -sign * n.x};
    *t = (v3){b, sign + n.y * n.y * a, -n.y};
}

#endif

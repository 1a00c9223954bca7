/* Vectors of three floats: places, directions and colours of the path tracer. */
#ifndef RILL_RENDER_TRACE_VEC_H
#define RILL_RENDER_TRACE_VEC_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "rill/base.h"
#include "text/pi.h"

#define RILL_PI_F ((float)RILL_PI)

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

/* Sine and cosine of a number of turns, to 3e-7. */
static inline void f_turn(float turns, float *sine, float *cosine)
{
    /* To the nearest quarter, and the rest by its series. */
    const float quarter = f_floor(4 * turns + 0.5f), x = 2 * RILL_PI_F * (turns - 0.25f * quarter), x2 = x * x;
    const float s = x * (1 + x2 * (-1.6666667e-1f + x2 * (8.3333310e-3f - x2 * 1.9840874e-4f)));
    const float c = 1 + x2 * (-0.5f + x2 * (4.1666668e-2f + x2 * (-1.3888397e-3f + x2 * 2.4760495e-5f)));
    const int k = (int)quarter & 3;
    *sine = k == 0 ? s : k == 1 ? c : k == 2 ? -s : -c;
    *cosine = k == 0 ? c : k == 1 ? -s : k == 2 ? -c : s;
}

/* atan2 as a number of turns, to 1e-7 (Abramowitz and Stegun 4.4.49). */
static inline float f_turns_of(float y, float x)
{
    const float ay = fabsf(y), ax = fabsf(x), most = f_max(ax, ay), least = f_min(ax, ay);
    const float t = most > 0 ? least / most : 0, s = t * t;
    float a = t * (1 + s * (-0.3333314528f + s * (0.1999355085f + s * (-0.1420889944f + s * (0.1065626393f +
              s * (-0.0752896400f + s * (0.0429096138f + s * (-0.0161657367f + s * 0.0028662257f))))))));
    a *= 1 / (2 * RILL_PI_F);
    if (ay > ax) a = 0.25f - a;
    if (x < 0) a = 0.5f - a;
    return y < 0 ? -a : a;
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

static inline v3 v3_max(v3 a, v3 b)
{
    return (v3){f_max(a.x, b.x), f_max(a.y, b.y), f_max(a.z, b.z)};
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

/* The mathematics is that of textbooks: an argument is reduced to a small range, where a truncated Taylor series is
 * accurate to less than a tenth of an ulp, so that its coefficients are fractions that can be checked by eye. Where
 * a double is too short, a number is the unevaluated sum of two (Dekker 1971, Knuth). The constants with two or three
 * parts were computed with 400 bits in Python's mpmath: each part is what is left of the constant, rounded. */
#include "base/maths.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

_Static_assert(FLT_EVAL_METHOD == 0, "Intermediate results must have the precision of their type.");

/* ---- numbers of two doubles ---- */

/* The sum of both; low is at most half an ulp of high. */
typedef struct pair {
    double high, low;
} pair;

/* a + b exactly, for |a| >= |b| or a = 0. */
static pair sum_ordered(double a, double b)
{
    const double sum = a + b;
    return (pair){sum, b - (sum - a)};
}

/* a + b exactly. */
static pair sum_exact(double a, double b)
{
    const double sum = a + b, b_seen = sum - a;
    return (pair){sum, (a - (sum - b_seen)) + (b - b_seen)};
}

/* The upper 26 bits of a; the rest fits 26 bits as well, so that products of halves are exact. */
static double upper_half(double a)
{
    const double shifted = 134217729 * a; /* 2^27 + 1 */
    return shifted - (shifted - a);
}

/* a b exactly, if neither is near overflow nor the product near underflow. */
static pair product_exact(double a, double b)
{
    const double a1 = upper_half(a), a2 = a - a1, b1 = upper_half(b), b2 = b - b1, product = a * b;
    return (pair){product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}

static pair pair_times(pair a, double b)
{
    const pair p = product_exact(a.high, b);
    return sum_ordered(p.high, p.low + a.low * b);
}

/* ---- sine and cosine ---- */

/* An angle in quarter turns and what is left, at most an eighth of a turn to either side. */
typedef struct angle {
    unsigned quarter; /* modulo 4 */
    pair rest;
} angle;

/* Beyond this the number of quarter turns is found less and less surely, and the rest would leave the range of the
 * series. Neighbouring doubles are 1/128 radian apart here, so the turns of a pi rounded to a double do as well. */
static const double MANY_TURNS = 0x1p45;

/* For x >= 0. The difference to the first part of n pi/2 is exact, since both are about equal. The product with the
 * second is needed exactly, as the whole difference may be as small as it. With the third pi/2 has 161 bits. */
static angle angle_of(double x)
{
    static const double HALF_PI[3] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110};
    if (x >= MANY_TURNS) x = fmod(x, 2 * RILL_PI);
    const int64_t n = (int64_t)(x * (2 / RILL_PI) + 0.5);
    const pair first = product_exact((double)n, HALF_PI[0]), second = product_exact((double)n, HALF_PI[1]);
    const pair near = sum_exact(x - first.high, -first.low), rest = sum_exact(near.high, -second.high);
    const double low = rest.low + (near.low - second.low - (double)n * HALF_PI[2]);
    return (angle){(unsigned)(n & 3), sum_ordered(rest.high, low)};
}

/* Taylor's series to x^17; the first term left out is 1e-19 of the sum at pi/4. */
static double sine_series(pair x)
{
    const double z = x.high * x.high;
    double s = 1.0 / 355687428096000;
    s = s * z - 1.0 / 1307674368000;
    s = s * z + 1.0 / 6227020800;
    s = s * z - 1.0 / 39916800;
    s = s * z + 1.0 / 362880;
    s = s * z - 1.0 / 5040;
    s = s * z + 1.0 / 120;
    s = s * z - 1.0 / 6;
    return x.high + (x.high * z * s + x.low * (1 - 0.5 * z));
}

/* To x^18; the first term left out is 1e-20. What rounding takes from 1 - z/2 is given back. */
static double cosine_series(pair x)
{
    const pair square = product_exact(x.high, x.high);
    const double z = square.high;
    double s = -1.0 / 6402373705728000;
    s = s * z + 1.0 / 20922789888000;
    s = s * z - 1.0 / 87178291200;
    s = s * z + 1.0 / 479001600;
    s = s * z - 1.0 / 3628800;
    s = s * z + 1.0 / 40320;
    s = s * z - 1.0 / 720;
    s = s * z + 1.0 / 24;
    const pair start = sum_ordered(1, -0.5 * z);
    return start.high + (start.low + z * z * s - 0.5 * square.low - x.high * x.low);
}

/* The sine of an angle that lies this many quarter turns further. */
static double sine_after(angle a, unsigned quarters)
{
    const unsigned q = (a.quarter + quarters) & 3;
    const double value = q & 1 ? cosine_series(a.rest) : sine_series(a.rest);
    return q & 2 ? -value : value;
}

double rill_sin(double x)
{
    if (!isfinite(x)) return NAN;
    if (fabs(x) < 0x1p-27) return x; /* x^3/6 is below half an ulp */
    const double value = sine_after(angle_of(fabs(x)), 0);
    return x < 0 ? -value : value;
}

double rill_cos(double x)
{
    if (!isfinite(x)) return NAN;
    return sine_after(angle_of(fabs(x)), 1);
}

/* ---- cube root ---- */

/* Newton's step t - (t^3 - x)/(3 t^2), with t^3 taken exactly as far as the difference needs it. */
static double cube_root_step(double t, double x)
{
    const pair square = product_exact(t, t), cube = pair_times(square, t);
    return t - ((cube.high - x) + cube.low) / (3 * square.high);
}

/* The fraction of x, times 1, 2 or 4, lies in [1/2, 4). There the line that starts is within 9 % of the root, and each
 * step squares the error. */
double rill_cbrt(double x)
{
    if (x == 0 || !isfinite(x)) return x;
    int exponent;
    double m = frexp(fabs(x), &exponent);
    for (; exponent % 3; exponent--) m *= 2;
    double t = 0.68 + 0.24 * m;
    for (int step = 0; step < 5; step++) t = cube_root_step(t, m);
    return copysign(ldexp(t, exponent / 3), x);
}

/* ---- powers ---- */

double rill_powi(double x, int n)
{
    double result = 1;
    for (unsigned left = n < 0 ? 0u - (unsigned)n : (unsigned)n; left; left /= 2) {
        if (left & 1) result *= x;
        x *= x;
    }
    return n < 0 ? 1 / result : result;
}

/* 1/3 + z/5 + z^2/7 + ..., which is (atanh(s) - s)/s^3 for z = s^2. For z up to 0.0295, the first term left out is
 * 1e-20 of the logarithm. Even and odd powers are summed side by side, which takes half the time. */
static double atanh_series(double z)
{
    const double w = z * z;
    double even = 1.0 / 23, odd = 1.0 / 25;
    even = even * w + 1.0 / 19;
    odd = odd * w + 1.0 / 21;
    even = even * w + 1.0 / 15;
    odd = odd * w + 1.0 / 17;
    even = even * w + 1.0 / 11;
    odd = odd * w + 1.0 / 13;
    even = even * w + 1.0 / 7;
    odd = odd * w + 1.0 / 9;
    even = even * w + 1.0 / 3;
    odd = odd * w + 1.0 / 5;
    return odd * z + even;
}

/* log2(x) for positive finite x: the exponent and, for a fraction m between the roots of 1/2 and 2,
 * 2/ln 2 atanh((m - 1)/(m + 1)). Good to 58 bits, since y log2(x) loses as many bits as its whole part has. */
static pair log2_of(double x)
{
    static const double TWO_PER_LN2[2] = {0x1.71547652b82fep+1, 0x1.777d0ffda0d24p-55};
    int exponent;
    double m = frexp(x, &exponent);
    if (m < 0.70710678118654752440) {
        m *= 2;
        exponent--;
    }
    const pair divisor = sum_exact(m, 1);
    const double s = (m - 1) / divisor.high, z = s * s;
    const pair back = product_exact(s, divisor.high);
    const double s_low = (((m - 1) - back.high) - back.low - s * divisor.low) / divisor.high;
    const pair atanh_s = sum_ordered(s, s * z * atanh_series(z) + s_low);
    const pair fraction = product_exact(atanh_s.high, TWO_PER_LN2[0]);
    const double low = fraction.low + (atanh_s.high * TWO_PER_LN2[1] + atanh_s.low * TWO_PER_LN2[0]);
    const pair sum = sum_exact(exponent, fraction.high);
    return sum_ordered(sum.high, sum.low + low);
}

/* exp(z) by Taylor's series to z^13; for |z| up to ln(2)/2 the first term left out is 4e-18. */
static double exp_series(double z)
{
    const double w = z * z;
    double even = 1.0 / 479001600, odd = 1.0 / 6227020800;
    even = even * w + 1.0 / 3628800;
    odd = odd * w + 1.0 / 39916800;
    even = even * w + 1.0 / 40320;
    odd = odd * w + 1.0 / 362880;
    even = even * w + 1.0 / 720;
    odd = odd * w + 1.0 / 5040;
    even = even * w + 1.0 / 24;
    odd = odd * w + 1.0 / 120;
    even = even * w + 1.0 / 2;
    odd = odd * w + 1.0 / 6;
    return 1 + (z + w * (odd * z + even));
}

/* 2^n for the exponents of normal numbers. */
static double two_to(int n)
{
    const uint64_t bits = (uint64_t)(n + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* For |p| below 1100. The second product rounds, where the result is subnormal or infinite; the first one never
 * does. */
static double exp2_of(pair p)
{
    const int n = (int)(p.high < 0 ? p.high - 0.5 : p.high + 0.5);
    const double value = exp_series(((p.high - n) + p.low) * 0.69314718055994530942);
    return value * two_to(n / 2) * two_to(n - n / 2);
}

/* For x >= 0. */
static double positive_power(double x, double y)
{
    if (x == 1) return 1;
    if (x == 0 || isinf(x) || isinf(y)) return (x > 1) == (y > 0) ? INFINITY : 0;
    const pair logarithm = log2_of(x);
    const double about = y * logarithm.high;
    if (!(fabs(about) < 1100)) return about > 0 ? INFINITY : 0;
    return exp2_of(pair_times(logarithm, y));
}

static bool is_odd(double y)
{
    return fabs(y) < 0x1p53 && y == floor(y) && ((int64_t)y & 1);
}

double rill_pow(double x, double y)
{
    if (y == 0 || x == 1) return 1;
    if (isnan(x) || isnan(y)) return NAN;
    if (!signbit(x)) return positive_power(x, y);
    if (x < 0 && isfinite(x) && isfinite(y) && y != floor(y)) return NAN;
    return is_odd(y) ? -positive_power(-x, y) : positive_power(-x, y);
}

/* ---- powers of floats ---- */

/* log2(x) for a normal x as above, but 5e-11 of itself are enough. */
static double log2_short(float x)
{
    const int32_t root = 0x3f3504f3; /* the bits of the root of 1/2 */
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int32_t exponent = (bits - root + (127 << 23)) / (1 << 23) - 127;
    bits -= exponent * (1 << 23);
    float fraction;
    memcpy(&fraction, &bits, sizeof fraction);
    const double m = (double)fraction, s = (m - 1) / (m + 1), z = s * s;
    const double series = 1 + z * (1.0 / 3 + z * (1.0 / 5 + z * (1.0 / 7 + z * (1.0 / 9 + z * (1.0 / 11)))));
    return exponent + 2.8853900817779268147 * s * series; /* 2/ln 2 */
}

/* 2^p for |p| below 1000, good to 2e-10. */
static double exp2_short(double p)
{
    const int n = (int)(p < 0 ? p - 0.5 : p + 0.5);
    const double z = (p - n) * 0.69314718055994530942;
    double s = 1.0 / 40320;
    s = s * z + 1.0 / 5040;
    s = s * z + 1.0 / 720;
    s = s * z + 1.0 / 120;
    s = s * z + 1.0 / 24;
    s = s * z + 1.0 / 6;
    s = s * z + 1.0 / 2;
    return (1 + (z + z * z * s)) * two_to(n);
}

float rill_powf(float x, float y)
{
    const bool ordinary = x >= FLT_MIN && x <= FLT_MAX && fabsf(y) <= FLT_MAX;
    const double p = ordinary ? (double)y * log2_short(x) : INFINITY;
    /* Special values and results beyond a float's range. */
    if (!(fabs(p) < 1000)) return (float)rill_pow((double)x, (double)y);
    return (float)exp2_short(p);
}

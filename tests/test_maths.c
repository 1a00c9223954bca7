/* The engine's own sines, roots and powers: against the C library in long doubles, at special values, and by a hash of
 * their bits that every compiler, sanitizer and machine must give. label: one thread */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/hash.h"
#include "base/maths.h"

enum { MANY = 100000 };

/* In [0, 1), a multiple of 2^-53, so that it is the same everywhere. */
static double next_random(uint64_t *state)
{
    *state = rill_hash_add(*state, 1);
    return (double)(*state >> 11) * 0x1p-53;
}

/* A number of any of these binary exponents. */
static double spread(uint64_t *state, int low, int high)
{
    const int exponent = low + (int)(next_random(state) * (high - low + 1));
    return ldexp(1 + next_random(state), exponent);
}

/* Where long doubles are doubles, the library's own error counts too. */
static const double slack = LDBL_MANT_DIG > DBL_MANT_DIG ? 0 : 1;

static void within_ulps(const char *what, double x, double value, long double expected, double allowed)
{
    const double size = fabs((double)expected), ulp = nextafter(size, INFINITY) - size;
    const double error = (double)fabsl(((long double)value - expected) / (long double)ulp);
    if (!(error <= allowed + slack)) fail_msg("%s at %.17g: %.17g is %.3g ulps off", what, x, value, error);
}

static void same(double value, double expected)
{
    if (isnan(expected) && isnan(value)) return;
    if (value != expected || signbit(value) != signbit(expected)) fail_msg("%.17g is not %.17g", value, expected);
}

/* ---- sine and cosine ---- */

static void check_angle(double x)
{
    within_ulps("sin", x, rill_sin(x), sinl((long double)x), 1);
    within_ulps("cos", x, rill_cos(x), cosl((long double)x), 1);
    same(rill_sin(-x), -rill_sin(x));
    same(rill_cos(-x), rill_cos(x));
}

static void angles_are_accurate(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int i = 0; i < MANY; i++) {
        check_angle(next_random(&random) * 7);
        check_angle(next_random(&random) * 1e6);
        check_angle(spread(&random, -60, 44));
    }
}

/* Next to multiples of pi/2 nearly all digits cancel. */
static void quarter_turns_are_accurate(void **state)
{
    (void)state;
    for (int i = 1; i < MANY; i++) {
        const double x = i * (RILL_PI / 2);
        check_angle(x);
        check_angle(nextafter(x, 0));
        check_angle(i * (RILL_PI / 4));
    }
}

static void special_angles(void **state)
{
    (void)state;
    same(rill_sin(0), 0);
    same(rill_sin(-0.0), -0.0);
    same(rill_sin(5e-324), 5e-324);
    same(rill_cos(0), 1);
    same(rill_cos(1e-300), 1);
    const double none[] = {INFINITY, -INFINITY, NAN};
    for (int i = 0; i < 3; i++) {
        assert_true(isnan(rill_sin(none[i])));
        assert_true(isnan(rill_cos(none[i])));
    }
    uint64_t random = 2;
    for (int i = 0; i < MANY; i++) {
        const double x = spread(&random, 40, 1023), s = rill_sin(x), c = rill_cos(x);
        if (!(fabs(s * s + c * c - 1) < 1e-15)) fail_msg("at %g sine and cosine are %g and %g", x, s, c);
    }
}

/* ---- roots ---- */

static void cube_roots(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int i = 0; i < MANY; i++) {
        const double x = spread(&random, -1022, 1023);
        within_ulps("cbrt", x, rill_cbrt(x), cbrtl((long double)x), 0.51);
        same(rill_cbrt(-x), -rill_cbrt(x));
    }
    for (int i = 0; i < MANY; i++) same(rill_cbrt((double)i * i * i), i);
    const double itself[] = {0, -0.0, 1, -1, INFINITY, -INFINITY, NAN};
    for (int i = 0; i < 7; i++) same(rill_cbrt(itself[i]), itself[i]);
    within_ulps("cbrt", 5e-324, rill_cbrt(5e-324), cbrtl((long double)5e-324), 0.51);
}

/* ---- powers ---- */

static void check_power(double x, double y, double tolerance)
{
    const long double expected = powl((long double)x, (long double)y);
    const long double error = fabsl(((long double)rill_pow(x, y) - expected) / expected);
    if (!((double)error < tolerance)) fail_msg("%.17g to the power %.17g is off by %g", x, y, (double)error);
}

static void powers_are_accurate(void **state)
{
    (void)state;
    uint64_t random = 4;
    for (int i = 0; i < MANY; i++) {
        /* Random logarithms of the result, and x near one and far from it. */
        const double far = spread(&random, -40, 40), near = 1 + (next_random(&random) - 0.5) * 1e-3;
        const double bits = (next_random(&random) - 0.5) * 2;
        check_power(far, bits * 100 / log2(far), 1e-15);
        check_power(near, bits * 100 / log2(near), 1e-15);
        check_power(far, bits * 1020 / log2(far), 1e-14);
        check_power(near, bits * 7, 4e-16);
    }
}

static void float_powers_are_accurate(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (int i = 0; i < MANY; i++) {
        const float x = (float)(i & 1 ? spread(&random, -12, 12) : 0.5 + next_random(&random));
        const float y = (float)((next_random(&random) - 0.4) * 12), power = rill_powf(x, y);
        const double expected = pow((double)x, (double)y), error = fabs((double)power - expected) / expected;
        if (expected > 1e-37 && expected < 1e38 && !(error < 6.1e-8))
            fail_msg("%g^%g is %g off", (double)x, (double)y, error);
    }
}

static void special_powers(void **state)
{
    (void)state;
    const double values[] = {0,    -0.0,   1,        -1,        2,   -2,     3,     -3,  0.5, -0.5, 7,
                             -7.5, 0x1p53, INFINITY, -INFINITY, NAN, 1e300, -1e300, 1e-300};
    const int count = sizeof values / sizeof *values;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++) {
            const double x = values[i], y = values[k], expected = pow(x, y);
            const bool exact = expected == 0 || !isfinite(expected);
            same(exact ? rill_pow(x, y) : copysign(1, rill_pow(x, y)), exact ? expected : copysign(1, expected));
            if (!exact && !(fabs(rill_pow(x, y) / expected - 1) < 1e-14)) fail_msg("%g^%g is wrong", x, y);
            const float short_power = powf((float)x, (float)y);
            if (short_power == 0 || !isfinite(short_power))
                same((double)rill_powf((float)x, (float)y), (double)short_power);
        }
    for (int n = -1074; n < 1024; n++) same(rill_pow(2, n), ldexp(1, n));
}

static void whole_powers(void **state)
{
    (void)state;
    same(rill_powi(10, 0), 1);
    same(rill_powi(10, 22), 1e22);
    same(rill_powi(10, -3), 0.001);
    same(rill_powi(-3, 3), -27);
    same(rill_powi(NAN, 0), 1);
    same(rill_powi(2, 2000), INFINITY);
    same(rill_powi(2, INT32_MIN), 0);
}

/* ---- the same bits ---- */

static uint64_t add_bits(uint64_t hash, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return rill_hash_add(hash, bits);
}

/* Stored from gcc -O3; clang -O2 and the sanitizers gave the same. It changes only when a formula is changed. */
static void bits_are_the_same_everywhere(void **state)
{
    (void)state;
    uint64_t random = 6, hash = 0;
    for (int i = 0; i < MANY; i++) {
        const double angle = spread(&random, -30, 60), x = spread(&random, -100, 100);
        const double y = (next_random(&random) - 0.5) * 16;
        hash = add_bits(add_bits(hash, rill_sin(angle)), rill_cos(angle));
        hash = add_bits(add_bits(hash, rill_cbrt(x)), rill_pow(x, y));
        hash = add_bits(hash, (double)rill_powf((float)x, (float)y));
        hash = add_bits(hash, rill_powi(x, i % 13 - 6));
    }
    if (hash != UINT64_C(0x6714a26d00cb6fc4)) fail_msg("the hash is 0x%016llx", (unsigned long long)hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(angles_are_accurate),       cmocka_unit_test(quarter_turns_are_accurate),
        cmocka_unit_test(special_angles),            cmocka_unit_test(cube_roots),
        cmocka_unit_test(powers_are_accurate),       cmocka_unit_test(float_powers_are_accurate),
        cmocka_unit_test(special_powers),            cmocka_unit_test(whole_powers),
        cmocka_unit_test(bits_are_the_same_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Kernels against their definitions. label: small, one thread
 * W integrates to one over the ball; slope and Laplacian agree with finite
 * differences of W; W vanishes at and beyond h. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "fluid/kernel.h"
#include "text/pi.h"

static const rill_kernel kernels[] = {RILL_CUBIC, RILL_POLY6, RILL_SPIKY, RILL_VISCOUS};
static const double supports[] = {0.04, 1, 3.7};
enum { KERNELS = sizeof kernels / sizeof *kernels, SUPPORTS = sizeof supports / sizeof *supports };

static void close_to(double value, double expected, double tolerance)
{
    if (fabs(value - expected) > tolerance) fail_msg("%.12g is not within %g of %.12g", value, tolerance, expected);
}

/* 4 pi r^2 W summed by the midpoint rule. */
static void integrates_to_one(void **state)
{
    (void)state;
    for (int k = 0; k < KERNELS; k++)
        for (int s = 0; s < SUPPORTS; s++) {
            const double h = supports[s];
            const int n = 200000;
            double sum = 0;
            for (int i = 0; i < n; i++) {
                const double r = (i + 0.5) * h / n;
                sum += 4 * RILL_PI * r * r * rill_kernel_w(kernels[k], r, h) * h / n;
            }
            close_to(sum, 1, 1e-6);
        }
}

static void slope_is_derivative(void **state)
{
    (void)state;
    for (int k = 0; k < KERNELS; k++)
        for (int s = 0; s < SUPPORTS; s++) {
            const double h = supports[s], e = 1e-6 * h, unit = rill_kernel_scale(kernels[k], h) / h;
            for (double q = 0.05; q < 0.999; q += 0.0137) {
                const double r = q * h;
                const double d = (rill_kernel_w(kernels[k], r + e, h) - rill_kernel_w(kernels[k], r - e, h)) / (2 * e);
                close_to(rill_kernel_slope(kernels[k], r, h) / unit, d / unit, 1e-5 * (1 + fabs(d / unit)));
            }
        }
}

/* W'' + 2 W'/r by differences of the slope; away from the spline's knot, where W'' has a kink. */
static void laplacian_is_divergence_of_slope(void **state)
{
    (void)state;
    for (int k = 0; k < KERNELS; k++)
        for (int s = 0; s < SUPPORTS; s++) {
            const double h = supports[s], e = 1e-6 * h, unit = rill_kernel_scale(kernels[k], h) / (h * h);
            for (double q = 0.05; q < 0.999; q += 0.0137) {
                if (kernels[k] == RILL_CUBIC && fabs(q - 0.5) < 1e-3) continue;
                const double r = q * h;
                const double second =
                    (rill_kernel_slope(kernels[k], r + e, h) - rill_kernel_slope(kernels[k], r - e, h)) / (2 * e);
                const double expected = (second + 2 / r * rill_kernel_slope(kernels[k], r, h)) / unit;
                close_to(rill_kernel_laplacian(kernels[k], r, h) / unit, expected, 1e-4 * (1 + fabs(expected)));
            }
        }
}

static void vanishes_outside(void **state)
{
    (void)state;
    for (int k = 0; k < KERNELS; k++)
        for (double q = 1; q < 3; q += 0.1) {
            assert_true(rill_kernel_w(kernels[k], q * 0.3, 0.3) < 1e-12);
            assert_true(fabs(rill_kernel_slope(kernels[k], q * 0.3, 0.3)) < 1e-9);
        }
}

/* The published closed forms, at a few places. */
static void matches_published_values(void **state)
{
    (void)state;
    const double pi = RILL_PI, h = 0.8;
    for (double q = 0.1; q < 1; q += 0.2) {
        const double r = q * h;
        const double cubic = 8 / (pi * pow(h, 3)) * (q <= 0.5 ? 6 * (q * q * q - q * q) + 1 : 2 * pow(1 - q, 3));
        close_to(rill_kernel_w(RILL_CUBIC, r, h), cubic, 1e-12 * (1 + cubic));
        const double poly6 = 315 / (64 * pi * pow(h, 9)) * pow(h * h - r * r, 3);
        close_to(rill_kernel_w(RILL_POLY6, r, h), poly6, 1e-12 * (1 + poly6));
        const double spiky = 15 / (pi * pow(h, 6)) * pow(h - r, 3);
        close_to(rill_kernel_w(RILL_SPIKY, r, h), spiky, 1e-12 * (1 + spiky));
        const double viscous = 15 / (2 * pi * pow(h, 3)) * (-q * q * q / 2 + q * q + 1 / (2 * q) - 1);
        close_to(rill_kernel_w(RILL_VISCOUS, r, h), viscous, 1e-12 * (1 + viscous));
        close_to(rill_kernel_laplacian(RILL_VISCOUS, r, h), 45 / (pi * pow(h, 6)) * (h - r), 1e-10);
    }
}

/* With d the spacing and h = 2d the lattice's volumes nearly fill space; its parts add up. */
static void lattice_sums_add_up(void **state)
{
    (void)state;
    const double d = 0.02, h = 2 * d;
    const double whole = rill_kernel_lattice_sum(RILL_CUBIC, h, d);
    close_to(whole * d * d * d, 1, 0.01);
    close_to(rill_kernel_plane_sum(RILL_CUBIC, h, d, 0) + 2 * rill_kernel_half_sum(RILL_CUBIC, h, d), whole,
             1e-9 * whole);
    close_to(rill_kernel_plane_sum(RILL_CUBIC, h, d, d), rill_kernel_half_sum(RILL_CUBIC, h, d), 1e-9 * whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integrates_to_one),        cmocka_unit_test(slope_is_derivative),
        cmocka_unit_test(laplacian_is_divergence_of_slope), cmocka_unit_test(vanishes_outside),
        cmocka_unit_test(matches_published_values), cmocka_unit_test(lattice_sums_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

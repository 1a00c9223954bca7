/* Pairs of particles in double precision, for the slow twins of the pair loops. */
#ifndef RILL_TESTS_PAIRS_H
#define RILL_TESTS_PAIRS_H

#include <math.h>

#include "fluid/sph.h"

/* d = a - b, the short way round where the domain is periodic; returns its length. */
static inline double pair_distance(const rill_sph *s, const double *a, const double *b, double d[3])
{
    double r2 = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = a[k] - b[k];
        if (s->grid.wrap[k]) d[k] -= s->grid.period[k] * round(d[k] / s->grid.period[k]);
        r2 += d[k] * d[k];
    }
    return sqrt(r2);
}

/* f with nabla W = f d */
static inline double pair_factor(const rill_sph *s, double r)
{
    const double h = s->support;
    return r > 0 && r < h ? rill_kernel_slope(rill_kernel_of_gradient(s->kernel), r, h) / r : 0;
}

/* W */
static inline double pair_kernel(const rill_sph *s, double r)
{
    return r < s->support ? rill_kernel_w(rill_kernel_of_density(s->kernel), r, s->support) : 0;
}

/* Where wall particle b is, how it moves, and for how many particles it counts. */
static inline void wall_at(const rill_sph *s, uint32_t b, double x[3], double v[3], double *psi)
{
    for (int k = 0; k < 3; k++) {
        x[k] = rill_walls_position(s)[4 * (size_t)b + (size_t)k];
        v[k] = rill_walls_velocity(s)[4 * (size_t)b + (size_t)k];
    }
    *psi = (double)s->wall_weight * rill_walls_position(s)[4 * (size_t)b + 3];
}

#endif

/* W and its slope of pairs, in vectors, for loops that need both. */
#ifndef RILL_FLUID_WIDE_PAIR_KERNELS_H
#define RILL_FLUID_WIDE_PAIR_KERNELS_H

#include "fluid/wide/wide.h"

/* The scales of a scene's kernels. */
typedef struct pair_kernels {
    vf inverse_h2; /* 1/h^2 */
    vf w_scale;    /* W = w_scale * shape(q) */
    vf f_scale;    /* f = f_scale * slope(q)/(3 q) */
    vf smallest;   /* added to r^2: keeps coincident particles finite */
} pair_kernels;

RILL_INLINE pair_kernels pair_kernels_of(const rill_sph *sph)
{
    const double h = sph->support;
    return (pair_kernels){
        .inverse_h2 = vf_set((float)(1 / (h * h))),
        .w_scale = vf_set((float)rill_kernel_scale(rill_kernel_of_density(sph->kernel), h)),
        .f_scale = vf_set((float)(3 * rill_kernel_scale(rill_kernel_of_gradient(sph->kernel), h) / (h * h))),
        .smallest = vf_set((float)(1e-12 * h * h)),
    };
}

/* q^2 = (r/h)^2 */
RILL_INLINE vf pair_square(const pair_kernels *k, vec d)
{
    return (d.x * d.x + (d.y * d.y + (d.z * d.z + k->smallest))) * k->inverse_h2;
}

/* Sums of W without its scale. The two cubes of the spline are summed apart, so that each pair costs two
 * multiply-adds. */
typedef struct pair_shapes {
    vf outer, inner;
} pair_shapes;

/* What a particle adds to its own sum. */
RILL_INLINE pair_shapes pair_shapes_self(bool cubic)
{
    return (pair_shapes){vf_set(1), cubic ? vf_set(1) : (vf){0}};
}

RILL_INLINE vf pair_shapes_sum(pair_shapes s)
{
    return cubic_of_cubes_vf(s.outer, s.inner);
}

/* Adds psi W of a pair and returns psi slope/3. The slope of the spiky kernel is that of the spline's outer term. */
RILL_INLINE vf pair_shapes_add(pair_shapes *sum, vf q2, vf psi, bool cubic)
{
    const vf q = vf_sqrt(q2), a = cubic_outer_vf(q), b = cubic ? cubic_inner_vf(q) : (vf){0};
    const vf a2 = a * a, b2 = b * b;
    if (cubic) {
        sum->outer += psi * a2 * a;
        sum->inner += psi * b2 * b;
    } else {
        sum->outer += psi * poly6_of_square_vf(q2);
    }
    return psi * (b2 - a2);
}

#endif

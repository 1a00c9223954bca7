/* Kernels by name, their dimensional factors, and what a lattice of particles
 * sums to. The formulas themselves are in kernel_formula.h. */
#ifndef RILL_FLUID_KERNEL_H
#define RILL_FLUID_KERNEL_H

#include "rill/scene.h"

typedef enum rill_kernel { RILL_CUBIC, RILL_POLY6, RILL_SPIKY, RILL_VISCOUS } rill_kernel;

/* In double precision, for tests, calibration and slow paths. */
double rill_kernel_w(rill_kernel kernel, double r, double h);
double rill_kernel_slope(rill_kernel kernel, double r, double h);     /* dW/dr */
double rill_kernel_laplacian(rill_kernel kernel, double r, double h); /* W'' + 2 W'/r */

/* Factor in front of the shape: W = scale * shape(q). */
double rill_kernel_scale(rill_kernel kernel, double h);

/* The density and gradient kernels of a choice. */
rill_kernel rill_kernel_of_density(rill_kernel_kind kind);
rill_kernel rill_kernel_of_gradient(rill_kernel_kind kind);

/* Sum of W over a cubic lattice of spacing d with a particle at the centre. */
double rill_kernel_lattice_sum(rill_kernel kernel, double h, double d);

/* Sum of W over one plane of such a lattice, at this distance. */
double rill_kernel_plane_sum(rill_kernel kernel, double h, double d, double distance);

/* Sum of W over the half lattice on the far side of a flat wall, as seen by a
 * particle of the first layer; only the layers at d, 2d, ... count. */
double rill_kernel_half_sum(rill_kernel kernel, double h, double d);

/* The largest eigenvalue of the pressure operator of incompressible SPH divided
 * by its diagonal, on the rest lattice: the maximum over wave vectors k of
 * |sum_j grad W_j sin(k.x_j)|^2 / sum_j |grad W_j|^2. */
double rill_kernel_lattice_eigenvalue(rill_kernel kernel, double h, double d);

#endif

/* Kernels in double precision and their sums over lattices. */
#include "fluid/kernel.h"

#include <math.h>

#define REAL double
#define KERNEL(name) name##_f64
#define KERNEL_INLINE static
#define POSITIVE(a) fmax(a, 0)
#include "fluid/kernel_formula.h"

static const double pi = 3.14159265358979323846;

double rill_kernel_scale(rill_kernel kernel, double h)
{
    static const double factor[] = {16, 315.0 / 64, 15, 7.5};
    return factor[kernel] / (pi * h * h * h);
}

double rill_kernel_w(rill_kernel kernel, double r, double h)
{
    static double (*const shape[])(double) = {cubic_shape_f64, poly6_shape_f64, spiky_shape_f64, viscosity_shape_f64};
    return rill_kernel_scale(kernel, h) * shape[kernel](r / h);
}

double rill_kernel_slope(rill_kernel kernel, double r, double h)
{
    static double (*const slope[])(double) = {cubic_slope_f64, poly6_slope_f64, spiky_slope_f64, viscosity_slope_f64};
    return rill_kernel_scale(kernel, h) / h * slope[kernel](r / h);
}

double rill_kernel_laplacian(rill_kernel kernel, double r, double h)
{
    static double (*const laplacian[])(double) = {cubic_laplacian_f64, poly6_laplacian_f64, spiky_laplacian_f64,
                                                  viscosity_laplacian_f64};
    return rill_kernel_scale(kernel, h) / (h * h) * laplacian[kernel](r / h);
}

rill_kernel rill_kernel_of_density(rill_kernel_kind kind)
{
    return kind == RILL_KERNEL_MUELLER ? RILL_POLY6 : RILL_CUBIC;
}

rill_kernel rill_kernel_of_gradient(rill_kernel_kind kind)
{
    return kind == RILL_KERNEL_MUELLER ? RILL_SPIKY : RILL_CUBIC;
}

static double plane_sum_at(rill_kernel kernel, double h, double d, double z)
{
    const int reach = (int)ceil(h / d);
    double sum = 0;
    for (int i = -reach; i <= reach; i++)
        for (int j = -reach; j <= reach; j++) {
            const double r = sqrt((i * i + j * j) * d * d + z * z);
            if (r < h) sum += rill_kernel_w(kernel, r, h);
        }
    return sum;
}

double rill_kernel_lattice_sum(rill_kernel kernel, double h, double d)
{
    return plane_sum_at(kernel, h, d, 0) + 2 * rill_kernel_half_sum(kernel, h, d);
}

double rill_kernel_plane_sum(rill_kernel kernel, double h, double d)
{
    return plane_sum_at(kernel, h, d, 0);
}

double rill_kernel_half_sum(rill_kernel kernel, double h, double d)
{
    double sum = 0;
    for (int k = 1; k * d < h; k++) sum += plane_sum_at(kernel, h, d, k * d);
    return sum;
}

double rill_kernel_layer_sum(rill_kernel kernel, double h, double d)
{
    return plane_sum_at(kernel, h, d, d);
}

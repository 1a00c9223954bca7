/* Kernels in double precision and their sums over lattices. */
#include "fluid/kernel.h"

#include <math.h>

#include "base/maths.h"

#define REAL double
#define KERNEL(name) name##_f64
#define KERNEL_INLINE static
#define POSITIVE(a) fmax(a, 0)
#include "fluid/kernel_formula.h"

double rill_kernel_scale(rill_kernel kernel, double h)
{
    static const double factor[] = {16, 315.0 / 64, 15, 7.5};
    return factor[kernel] / (RILL_PI * h * h * h);
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

double rill_kernel_plane_sum(rill_kernel kernel, double h, double d, double z)
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
    return rill_kernel_plane_sum(kernel, h, d, 0) + 2 * rill_kernel_half_sum(kernel, h, d);
}

double rill_kernel_half_sum(rill_kernel kernel, double h, double d)
{
    double sum = 0;
    for (int k = 1; k * d < h; k++) sum += rill_kernel_plane_sum(kernel, h, d, k * d);
    return sum;
}

/* |sum grad W sin(k.x)|^2 over the lattice; with k = NULL, sum |grad W|^2. */
static double lattice_response(rill_kernel kernel, double h, double d, const double *k)
{
    const int reach = (int)ceil(h / d);
    double sum[3] = {0}, squares = 0;
    for (int x = -reach; x <= reach; x++)
        for (int y = -reach; y <= reach; y++)
            for (int z = -reach; z <= reach; z++) {
                const double r = d * sqrt(x * x + y * y + z * z);
                if (!(r > 0) || r >= h) continue;
                const double slope = rill_kernel_slope(kernel, r, h);
                const double wave = k ? rill_sin(d * (k[0] * x + k[1] * y + k[2] * z)) * slope * d / r : 0;
                sum[0] += wave * x;
                sum[1] += wave * y;
                sum[2] += wave * z;
                squares += slope * slope;
            }
    return k ? sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] : squares;
}

double rill_kernel_lattice_eigenvalue(rill_kernel kernel, double h, double d)
{
    enum { SAMPLES = 12 };
    double most = 0;
    for (int a = 0; a <= SAMPLES; a++)
        for (int b = 0; b <= a; b++)
            for (int c = 0; c <= b; c++) {
                const double unit = RILL_PI / (SAMPLES * d), k[3] = {a * unit, b * unit, c * unit};
                most = fmax(most, lattice_response(kernel, h, d, k));
            }
    return most / lattice_response(kernel, h, d, NULL);
}

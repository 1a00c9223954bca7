/* The smoothing kernels in three dimensions, written once for any real type.
 * The file that includes this defines
 *   REAL           float, double or a vector of floats
 *   KERNEL(name)   the name of a function for this type
 *   KERNEL_INLINE  how the functions are declared
 *   POSITIVE(a)    a where it is above zero, else zero, lane by lane
 * and may do so several times. h is the support radius everywhere, W = 0 for
 * r >= h, q = r/h. Functions take q and return the kernel without its
 * dimensional factor; rill_kernel_scale (kernel.h) has the factors:
 *   W = scale.w * shape(q),  dW/dr = scale.w/h * slope(q),
 *   nabla W = factor * (x_i - x_j) with factor = scale.w/h^2 * slope(q)/q,
 *   laplacian W = scale.w/h^2 * laplacian(q).
 * Cubic spline: Monaghan 1992. Poly6, spiky, viscosity: Mueller et al. 2003. */

/* 8/(pi h^3) * { 6(q^3 - q^2) + 1, 2(1-q)^3 }, free of branches, in units of 16/(pi h^3): the difference of two cubes,
 * that of the outer term and half that of the inner one. */
KERNEL_INLINE REAL KERNEL(cubic_outer)(REAL q)
{
    return POSITIVE(1 - q);
}

KERNEL_INLINE REAL KERNEL(cubic_inner)(REAL q)
{
    return POSITIVE(1 - 2 * q);
}

KERNEL_INLINE REAL KERNEL(cubic_of_cubes)(REAL outer, REAL inner)
{
    return outer - 0.5f * inner;
}

KERNEL_INLINE REAL KERNEL(cubic_shape)(REAL q)
{
    const REAL a = KERNEL(cubic_outer)(q), b = KERNEL(cubic_inner)(q);
    return KERNEL(cubic_of_cubes)(a * a * a, b * b * b);
}

KERNEL_INLINE REAL KERNEL(cubic_slope)(REAL q)
{
    const REAL a = KERNEL(cubic_outer)(q), b = KERNEL(cubic_inner)(q);
    return 3 * (b * b - a * a);
}

/* W'' + 2 W'/r. */
KERNEL_INLINE REAL KERNEL(cubic_laplacian)(REAL q)
{
    const REAL a = KERNEL(cubic_outer)(q), b = KERNEL(cubic_inner)(q);
    return 6 * a - 12 * b + 6 * (b * b - a * a) / q;
}

/* 315/(64 pi h^3) * (1 - q^2)^3 */
KERNEL_INLINE REAL KERNEL(poly6_of_square)(REAL q2)
{
    const REAL a = POSITIVE(1 - q2);
    return a * a * a;
}

KERNEL_INLINE REAL KERNEL(poly6_shape)(REAL q)
{
    return KERNEL(poly6_of_square)(q * q);
}

KERNEL_INLINE REAL KERNEL(poly6_slope)(REAL q)
{
    const REAL a = POSITIVE(1 - q * q);
    return -6 * q * a * a;
}

KERNEL_INLINE REAL KERNEL(poly6_laplacian)(REAL q)
{
    const REAL a = POSITIVE(1 - q * q);
    return -6 * a * (3 - 7 * q * q);
}

/* 15/(pi h^3) * (1 - q)^3 */
KERNEL_INLINE REAL KERNEL(spiky_shape)(REAL q)
{
    const REAL a = POSITIVE(1 - q);
    return a * a * a;
}

KERNEL_INLINE REAL KERNEL(spiky_slope)(REAL q)
{
    const REAL a = POSITIVE(1 - q);
    return -3 * a * a;
}

KERNEL_INLINE REAL KERNEL(spiky_laplacian)(REAL q)
{
    const REAL a = POSITIVE(1 - q);
    return 6 * a - 6 * a * a / q;
}

/* 15/(2 pi h^3) * (-q^3/2 + q^2 + 1/(2q) - 1), factored so that it is exact at its root q = 1 */
KERNEL_INLINE REAL KERNEL(viscosity_shape)(REAL q)
{
    const REAL a = POSITIVE(1 - q);
    return a * a * a * (1 + q) / (2 * q);
}

KERNEL_INLINE REAL KERNEL(viscosity_slope)(REAL q)
{
    const REAL a = POSITIVE(1 - q);
    return -a * a * (3 * q * q + 2 * q + 1) / (2 * q * q);
}

/* 45/(pi h^6) (h - r) in units of 15/(2 pi h^5) */
KERNEL_INLINE REAL KERNEL(viscosity_laplacian)(REAL q)
{
    const REAL a = POSITIVE(1 - q);
    return 6 * a;
}

/* Sines, cosines, roots and powers that give the same bits everywhere.
 * Two C libraries, or two releases of one, differ in the last bit of sin and pow, and a simulation makes another splash
 * of that bit. So everything that leads to the state uses + - * / and sqrt, which IEEE 754 defines to the bit, exact
 * operations (floor, round, frexp, comparisons, conversions), and the functions below, which consist of those. Like all
 * baseline files of librill they are compiled without fused multiply-adds (cmake/library.cmake). */
#ifndef RILL_BASE_MATHS_H
#define RILL_BASE_MATHS_H

#include "text/pi.h"

/* Within an ulp for |x| below 2^45, or 3e13. Larger x are rounded to hundredths of a radian and worse; they give the
 * sine and cosine of one angle, but not quite that of x. NaN for infinite x. */
double rill_sin(double x);
double rill_cos(double x);

/* Within an ulp; exact where the root is a double. */
double rill_cbrt(double x);

/* x to the power y with the special values of C's pow. The relative error is below 1e-15 for results between 1e-30 and
 * 1e30 and below 1e-14 for all that are not subnormal. */
double rill_pow(double x, double y);

/* The same to a float's precision in a third of the time, for loops over particles. */
float rill_powf(float x, float y);

/* x to a whole power by repeated squaring: exact as long as the products are, as for 10^22. */
double rill_powi(double x, int n);

#endif

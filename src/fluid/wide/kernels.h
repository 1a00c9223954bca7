/* The kernels for vectors of floats: cubic_shape_vf and so on. */
#ifndef RILL_FLUID_WIDE_KERNELS_H
#define RILL_FLUID_WIDE_KERNELS_H

#include "base/simd.h"

#define REAL vf
#define KERNEL(name) name##_vf
#define POSITIVE(a) vf_max(a, (vf){0})
#define KERNEL_INLINE RILL_INLINE
#include "fluid/kernel_formula.h"

#endif

/* Fresnel's equations for light without polarisation, and Snell's law. */
#ifndef RILL_RENDER_TRACE_FRESNEL_H
#define RILL_RENDER_TRACE_FRESNEL_H

#include "render/trace/vec.h"

/* The share mirrored where light meets a boundary: both cosines, and eta, the index behind over that in front. */
static inline float rill_fresnel_of(float cos_i, float cos_t, float eta)
{
    const float parallel = (eta * cos_i - cos_t) / (eta * cos_i + cos_t);
    const float across = (cos_i - eta * cos_t) / (cos_i + eta * cos_t);
    return 0.5f * (parallel * parallel + across * across);
}

/* The same from the cosine in front; fills that behind, 0 where all is mirrored. */
static inline float rill_fresnel(float cos_i, float eta, float *cos_t)
{
    const float square = 1 - (1 - cos_i * cos_i) / (eta * eta);
    *cos_t = square > 0 ? sqrtf(square) : 0;
    return square > 0 ? rill_fresnel_of(cos_i, *cos_t, eta) : 1;
}

/* Where w, which points away from the boundary, goes on behind it; n on the side of w. */
static inline v3 rill_refract(v3 w, v3 n, float cos_i, float cos_t, float eta)
{
    const float k = 1 / eta;
    return v3_along(v3_scale(w, -k), k * cos_i - cos_t, n);
}

static inline v3 rill_reflect(v3 w, v3 n)
{
    return v3_along(v3_scale(w, -1), 2 * v3_dot(w, n), n);
}

#endif

/* Rough boundaries as facets with the GGX distribution and Smith's shadowing
 * (Walter et al. 2007), of which only those seen are drawn (Heitz 2018, by the
 * spherical caps of Dupuy and Benyoub 2023). Directions are in axes whose z is
 * the normal, on its side. */
#ifndef RILL_RENDER_TRACE_GGX_H
#define RILL_RENDER_TRACE_GGX_H

#include "render/trace/vec.h"

/* Lambda(w) = (sqrt(1 + alpha^2 tan^2) - 1) / 2 */
static inline float rill_ggx_lambda(v3 w, float alpha)
{
    const float z = w.z * w.z;
    return z > 0 ? 0.5f * (sqrtf(1 + alpha * alpha * (w.x * w.x + w.y * w.y) / z) - 1) : 1e18f;
}

/* D(m), written without 1 - cos^2, which would lose its digits near the normal. */
static inline float rill_ggx_density(v3 m, float alpha)
{
    const float a2 = alpha * alpha, k = m.x * m.x + m.y * m.y + a2 * m.z * m.z;
    return a2 / (RILL_PI_F * k * k);
}

/* A facet seen from w. */
static inline v3 rill_ggx_draw(v3 w, float alpha, float u, float v)
{
    const v3 s = v3_unit((v3){alpha * w.x, alpha * w.y, w.z});
    const float z = (1 - v) * (1 + s.z) - s.z, r = sqrtf(f_max(0, 1 - z * z));
    float sine, cosine;
    f_turn(u, &sine, &cosine);
    const v3 h = {r * cosine + s.x, r * sine + s.y, z + s.z};
    return v3_unit((v3){alpha * h.x, alpha * h.y, f_max(1e-7f, h.z)});
}

/* How likely that draws m, per solid angle of m: G1(w) max(0, w.m) D(m) / w.z */
static inline float rill_ggx_pdf(v3 w, v3 m, float alpha)
{
    const float seen = v3_dot(w, m);
    if (seen <= 0 || w.z <= 0) return 0;
    return seen * rill_ggx_density(m, alpha) / (w.z * (1 + rill_ggx_lambda(w, alpha)));
}

/* What of the facets seen from w is also lit from l: G2 / G1(w), on the same side or through the boundary. */
static inline float rill_ggx_lit(v3 w, v3 l, float alpha, bool through)
{
    const float there = rill_ggx_lambda(l, alpha), here = rill_ggx_lambda(w, alpha);
    return through ? 1 / (1 + there) : (1 + here) / (1 + here + there);
}

#endif

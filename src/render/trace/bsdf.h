/* How a boundary scatters light, in axes whose z is the shading normal on the
 * side light leaves to (w, towards the eye).
 *
 * Lambert       f = colour / pi
 * metal         GGX with Schlick's Fresnel term; what single scattering among facets loses is given back by
 *               1 + F0 (1 - E) / E, E(w) the share that is kept without Fresnel (Turquin 2019)
 * dielectric    mirrored with the share F, else refracted, at the plain boundary or at a facet (Walter et al. 2007); a
 *               rough one is divided by the share E(w) that is kept, so that none is lost
 * coated        a dielectric's mirroring with albedo S(w) over f = colour (1 - S(w)) (1 - S(l)) / (pi (1 - S mean))
 *               (Kelemen and Szirmay-Kalos 2001)
 *
 * Light that passes into another medium is radiance, so it is scaled by the square of the indices' ratio. */
#ifndef RILL_RENDER_TRACE_BSDF_H
#define RILL_RENDER_TRACE_BSDF_H

#include "render/trace/vec.h"
#include "rill/render.h"

enum { RILL_ALBEDO_NODES = 64 };

/* E or S over the cosine of w, at cosines (k / nodes)^2. */
typedef struct rill_albedo {
    float at[RILL_ALBEDO_NODES + 1];
    float mean; /* over the hemisphere, weighted by the cosine */
} rill_albedo;

typedef struct rill_bsdf {
    rill_material_kind kind;
    v3 colour;
    float alpha; /* of the facets; 0: smooth */
    float eta;   /* index behind the boundary over that in front */
    const rill_albedo *albedo; /* needed by all but Lambert and smooth boundaries of media */
} rill_bsdf;

typedef struct rill_scatter {
    v3 l;         /* where light comes from */
    v3 weight;    /* f cos / pdf */
    float pdf;    /* per solid angle; of a mirror or a plain boundary 0 */
    bool sharp;   /* one direction out of a continuum: no light could be drawn there */
    bool through; /* behind the boundary */
} rill_scatter;

/* Surfaces with less are smooth: a blur of a tenth of a degree. */
static inline float rill_bsdf_alpha(float roughness)
{
    return roughness < 0.03f ? 0 : roughness * roughness;
}

/* Draws where light comes from; false where it comes from nowhere. */
bool rill_bsdf_draw(const rill_bsdf *b, v3 w, const float *u, rill_scatter *scatter);

/* f cos for light from l, and how likely that direction would have been drawn. Sharp parts count as nothing. */
v3 rill_bsdf_value(const rill_bsdf *b, v3 w, v3 l, float *pdf);

/* Whether light drawn from lamps is of any use. */
static inline bool rill_bsdf_is_sharp(const rill_bsdf *b)
{
    return b->alpha == 0 && (b->kind == RILL_MATERIAL_METAL || b->kind == RILL_MATERIAL_DIELECTRIC);
}

/* Measures the albedo of a material with this alpha and eta. */
void rill_albedo_make(rill_material_kind kind, float alpha, float eta, rill_albedo *albedo);

#endif

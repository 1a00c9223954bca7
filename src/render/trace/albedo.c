/* How much of the light rough boundaries keep, by drawing from them what a path
 * would draw, at points that fill the unit square evenly. */
#include "render/trace/bsdf.h"

#include "render/trace/fresnel.h"
#include "render/trace/ggx.h"
#include "render/trace/sampler.h"

enum { DRAWS = 2048 };

/* Of light seen from w, the share that a draw keeps: all of a metal's, what a coat mirrors, or both ways of a medium's
 * boundary. */
static float kept_by(rill_material_kind kind, v3 w, v3 m, float alpha, float eta)
{
    const float wm = v3_dot(w, m);
    if (wm <= 0) return 0;
    float behind = 0, kept = 0;
    const v3 l = rill_reflect(w, m);
    const float mirrored = kind == RILL_MATERIAL_METAL ? 1 : rill_fresnel(wm, eta, &behind);
    if (l.z > 0) kept += mirrored * rill_ggx_lit(w, l, alpha, false);
    if (kind != RILL_MATERIAL_DIELECTRIC || mirrored >= 1) return kept;
    const v3 t = rill_refract(w, m, wm, behind, eta);
    return t.z < 0 ? kept + (1 - mirrored) * rill_ggx_lit(w, t, alpha, true) : kept;
}

static float measure(rill_material_kind kind, float alpha, float eta, float cosine)
{
    float behind;
    if (alpha == 0) return kind == RILL_MATERIAL_COATED ? rill_fresnel(cosine, eta, &behind) : 1;
    const v3 w = {sqrtf(f_max(0, 1 - cosine * cosine)), 0, cosine};
    double sum = 0;
    for (uint32_t i = 0; i < DRAWS; i++) {
        const float u = ((float)i + 0.5f) / DRAWS, v = ((float)(rill_bits_reverse(i) >> 8) + 0.5f) * 0x1p-24f;
        sum += (double)kept_by(kind, w, rill_ggx_draw(w, alpha, u, v), alpha, eta);
    }
    return (float)(sum / DRAWS);
}

void rill_albedo_make(rill_material_kind kind, float alpha, float eta, rill_albedo *albedo)
{
    double sum = 0, weight = 0;
    for (int k = 0; k <= RILL_ALBEDO_NODES; k++) {
        const float root = (float)k / RILL_ALBEDO_NODES, cosine = f_max(root * root, 1e-5f);
        albedo->at[k] = f_max(measure(kind, alpha, eta, cosine), 1e-3f);
        /* The mean is the integral of 2 c over c = root^2. */
        const double part = (k == 0 || k == RILL_ALBEDO_NODES ? 0.5 : 1) * 4 * pow((double)root, 3);
        sum += part * (double)albedo->at[k];
        weight += part;
    }
    albedo->mean = (float)(sum / weight);
}

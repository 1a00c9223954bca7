/* Drawing and valuing directions; the models are described in the header. */
#include "render/trace/bsdf.h"

#include "render/trace/fresnel.h"
#include "render/trace/ggx.h"

static float albedo_at(const rill_albedo *albedo, float cosine)
{
    const float x = sqrtf(f_min(f_max(cosine, 0), 1)) * RILL_ALBEDO_NODES;
    const int k = x < RILL_ALBEDO_NODES - 1 ? (int)x : RILL_ALBEDO_NODES - 1;
    return albedo->at[k] + (x - (float)k) * (albedo->at[k + 1] - albedo->at[k]);
}

/* By the projection of a disc (Shirley and Chiu 1997). */
static v3 cosine_draw(float u, float v)
{
    const float a = 2 * u - 1, b = 2 * v - 1;
    float r, turns, sine, cosine;
    if (a == 0 && b == 0) return (v3){0, 0, 1};
    if (fabsf(a) > fabsf(b)) {
        r = a;
        turns = 0.125f * (b / a);
    } else {
        r = b;
        turns = 0.25f - 0.125f * (a / b);
    }
    f_turn(turns, &sine, &cosine);
    return (v3){r * cosine, r * sine, sqrtf(f_max(0, 1 - r * r))};
}

/* ---- metal ---- */

static v3 schlick(v3 colour, float cosine)
{
    const float m = 1 - cosine, k = m * m * m * m * m;
    return v3_along(colour, k, v3_sub(v3_all(1), colour));
}

static v3 metal_weight(const rill_bsdf *b, v3 w, v3 l, v3 m)
{
    const float kept = albedo_at(b->albedo, w.z), lit = rill_ggx_lit(w, l, b->alpha, false);
    const v3 back = v3_along(v3_all(1), (1 - kept) / kept, b->colour);
    return v3_scale(v3_mul(schlick(b->colour, v3_dot(w, m)), back), lit);
}

static bool metal_draw(const rill_bsdf *b, v3 w, const float *u, rill_scatter *s)
{
    if (b->alpha == 0) {
        *s = (rill_scatter){.l = {-w.x, -w.y, w.z}, .weight = schlick(b->colour, w.z), .sharp = true};
        return true;
    }
    const v3 m = rill_ggx_draw(w, b->alpha, u[0], u[1]), l = rill_reflect(w, m);
    if (l.z <= 0) return false;
    *s = (rill_scatter){.l = l, .weight = metal_weight(b, w, l, m)};
    s->pdf = rill_ggx_pdf(w, m, b->alpha) / (4 * v3_dot(w, m));
    return true;
}

static v3 metal_value(const rill_bsdf *b, v3 w, v3 l, float *pdf)
{
    if (b->alpha == 0 || l.z <= 0) return v3_all(0);
    const v3 m = v3_unit(v3_add(w, l));
    *pdf = rill_ggx_pdf(w, m, b->alpha) / (4 * v3_dot(w, m));
    return v3_scale(metal_weight(b, w, l, m), *pdf);
}

/* ---- dielectric ---- */

static bool smooth_draw(const rill_bsdf *b, v3 w, float choice, rill_scatter *s)
{
    float behind;
    const float mirrored = rill_fresnel(w.z, b->eta, &behind);
    if (choice < mirrored) {
        *s = (rill_scatter){.l = {-w.x, -w.y, w.z}, .weight = v3_all(1), .sharp = true};
        return true;
    }
    const float k = 1 / b->eta;
    *s = (rill_scatter){.l = {-w.x * k, -w.y * k, -behind}, .weight = v3_scale(b->colour, k * k), .sharp = true,
                        .through = true};
    return true;
}

/* dm/dl of refraction at a facet: eta^2 |l.m| / (w.m + eta l.m)^2, with l.m negative. */
static float refraction_density(float wm, float lm, float eta)
{
    const float k = wm + eta * lm;
    return eta * eta * -lm / (k * k);
}

static bool rough_draw(const rill_bsdf *b, v3 w, const float *u, rill_scatter *s)
{
    const v3 m = rill_ggx_draw(w, b->alpha, u[0], u[1]);
    const float wm = v3_dot(w, m), facet = rill_ggx_pdf(w, m, b->alpha), whole = 1 / albedo_at(b->albedo, w.z);
    float behind;
    if (wm <= 0) return false;
    const float mirrored = rill_fresnel(wm, b->eta, &behind);
    if (u[2] < mirrored) {
        const v3 l = rill_reflect(w, m);
        if (l.z <= 0) return false;
        *s = (rill_scatter){.l = l, .weight = v3_all(whole * rill_ggx_lit(w, l, b->alpha, false)),
                            .pdf = mirrored * facet / (4 * wm)};
        return true;
    }
    const v3 l = rill_refract(w, m, wm, behind, b->eta);
    if (l.z >= 0 || behind <= 0) return false;
    const float k = 1 / b->eta, lit = rill_ggx_lit(w, l, b->alpha, true);
    *s = (rill_scatter){.l = l, .weight = v3_scale(b->colour, k * k * whole * lit), .through = true};
    s->pdf = (1 - mirrored) * facet * refraction_density(wm, -behind, b->eta);
    return true;
}

static v3 rough_value(const rill_bsdf *b, v3 w, v3 l, float *pdf)
{
    const bool through = l.z < 0;
    v3 m = v3_unit(through ? v3_along(w, b->eta, l) : v3_add(w, l));
    if (m.z < 0) m = v3_scale(m, -1);
    const float wm = v3_dot(w, m), lm = v3_dot(l, m), whole = 1 / albedo_at(b->albedo, w.z);
    if (wm <= 0 || (lm < 0) != through) return v3_all(0);
    float behind;
    const float mirrored = rill_fresnel(wm, b->eta, &behind), facet = rill_ggx_pdf(w, m, b->alpha);
    if (!through) {
        *pdf = mirrored * facet / (4 * wm);
        return v3_all(*pdf * whole * rill_ggx_lit(w, l, b->alpha, false));
    }
    const float k = 1 / b->eta;
    *pdf = (1 - mirrored) * facet * refraction_density(wm, lm, b->eta);
    return v3_scale(b->colour, *pdf * k * k * whole * rill_ggx_lit(w, l, b->alpha, true));
}

/* ---- coated ---- */

/* Albedo of the coat alone. */
static float coat_albedo(const rill_bsdf *b, float cosine)
{
    float behind;
    return b->alpha == 0 ? rill_fresnel(cosine, b->eta, &behind) : albedo_at(b->albedo, cosine);
}

/* How often the coat is drawn instead of what lies below. */
static float coat_chance(const rill_bsdf *b, float coat)
{
    const float below = (1 - coat) * v3_luminance(b->colour);
    return f_min(f_max(coat / (coat + below), 0.1f), below > 0 ? 0.9f : 1);
}

static v3 coated_value(const rill_bsdf *b, v3 w, v3 l, float *pdf)
{
    if (l.z <= 0) return v3_all(0);
    const float coat = coat_albedo(b, w.z), chance = coat_chance(b, coat), diffuse = l.z / RILL_PI_F;
    const float passed = (1 - coat) * (1 - coat_albedo(b, l.z)) / f_max(1e-4f, 1 - b->albedo->mean);
    v3 value = v3_scale(b->colour, passed * diffuse);
    *pdf = (1 - chance) * diffuse;
    if (b->alpha == 0) return value;
    const v3 m = v3_unit(v3_add(w, l));
    float behind;
    const float wm = v3_dot(w, m), mirrored = rill_fresnel(wm, b->eta, &behind);
    const float lobe = rill_ggx_pdf(w, m, b->alpha) / (4 * wm);
    *pdf += chance * lobe;
    return v3_add(value, v3_all(lobe * mirrored * rill_ggx_lit(w, l, b->alpha, false)));
}

static bool coated_draw(const rill_bsdf *b, v3 w, const float *u, rill_scatter *s)
{
    const float coat = coat_albedo(b, w.z), chance = coat_chance(b, coat);
    const bool mirror = u[2] < chance;
    if (mirror && b->alpha == 0) {
        *s = (rill_scatter){.l = {-w.x, -w.y, w.z}, .weight = v3_all(coat / chance), .sharp = true};
        return true;
    }
    *s = (rill_scatter){.pdf = 0};
    s->l = mirror ? rill_reflect(w, rill_ggx_draw(w, b->alpha, u[0], u[1])) : cosine_draw(u[0], u[1]);
    if (s->l.z <= 0) return false;
    const v3 value = coated_value(b, w, s->l, &s->pdf);
    s->weight = v3_scale(value, s->pdf > 0 ? 1 / s->pdf : 0);
    return s->pdf > 0;
}

/* ---- all ---- */

bool rill_bsdf_draw(const rill_bsdf *b, v3 w, const float *u, rill_scatter *scatter)
{
    switch (b->kind) {
    case RILL_MATERIAL_METAL: return metal_draw(b, w, u, scatter);
    case RILL_MATERIAL_DIELECTRIC:
        return b->alpha == 0 ? smooth_draw(b, w, u[2], scatter) : rough_draw(b, w, u, scatter);
    case RILL_MATERIAL_COATED: return coated_draw(b, w, u, scatter);
    default: break;
    }
    *scatter = (rill_scatter){.l = cosine_draw(u[0], u[1]), .weight = b->colour};
    scatter->pdf = scatter->l.z / RILL_PI_F;
    return scatter->l.z > 0;
}

v3 rill_bsdf_value(const rill_bsdf *b, v3 w, v3 l, float *pdf)
{
    *pdf = 0;
    switch (b->kind) {
    case RILL_MATERIAL_METAL: return metal_value(b, w, l, pdf);
    case RILL_MATERIAL_DIELECTRIC: return b->alpha == 0 ? v3_all(0) : rough_value(b, w, l, pdf);
    case RILL_MATERIAL_COATED: return coated_value(b, w, l, pdf);
    default: break;
    }
    if (l.z <= 0) return v3_all(0);
    *pdf = l.z / RILL_PI_F;
    return v3_scale(b->colour, *pdf);
}

/* Materials made ready: defaults, checks, the media they bound, and the light
 * their rough boundaries keep. */

#include "base/memory.h"
#include "base/vec3.h"
#include "render/trace/stage.h"

rill_material rill_material_default(rill_material_kind kind)
{
    rill_material m = {.kind = kind, .colour = {0.8f, 0.8f, 0.8f}, .index = 1.5f, .second = {0.4f, 0.4f, 0.4f},
                       .pattern_size = 0.1};
    const bool clear = kind == RILL_MATERIAL_DIELECTRIC, metal = kind == RILL_MATERIAL_METAL;
    for (int k = 0; k < 3; k++) {
        if (clear) m.colour[k] = 1;
        if (kind == RILL_MATERIAL_LIGHT) m.emission[k] = 1;
    }
    if (metal) m.roughness = 0.3f;
    if (clear) m.index = 1.333f;
    return m;
}

/* ---- checks ---- */

static bool within(const float *values, float low, float high)
{
    for (int k = 0; k < 3; k++)
        if (!(values[k] >= low && values[k] <= high)) return false;
    return true;
}

static rill_status colour_fail(rill_error *err, const char *what, const float *c, const char *range)
{
    return rill_fail(err, RILL_BAD_INPUT, "A material's %s is %g, %g, %g; each must lie %s.", what, (double)c[0],
                     (double)c[1], (double)c[2], range);
}

rill_status rill_matter_check(const rill_material *m, rill_error *err)
{
    const char *share = "between 0 and 1", *positive = "at or above 0 and be finite";
    if (m->kind < RILL_MATERIAL_LAMBERT || m->kind > RILL_MATERIAL_LIGHT)
        return rill_fail(err, RILL_BAD_INPUT, "There is no kind of material with the number %d.", (int)m->kind);
    if (!within(m->colour, 0, 1)) return colour_fail(err, "colour", m->colour, share);
    if (!within(m->second, 0, 1)) return colour_fail(err, "second colour", m->second, share);
    if (!within(m->absorption, 0, 1e9f)) return colour_fail(err, "absorption", m->absorption, positive);
    if (!within(m->scattering, 0, 1e9f)) return colour_fail(err, "scattering", m->scattering, positive);
    if (!within(m->emission, 0, 1e30f)) return colour_fail(err, "emission", m->emission, positive);
    if (!(m->roughness >= 0 && m->roughness <= 1))
        return rill_fail(err, RILL_BAD_INPUT, "A material's roughness is %g; it must lie between 0 and 1.",
                         (double)m->roughness);
    if (!(m->index >= 1 && m->index <= 10))
        return rill_fail(err, RILL_BAD_INPUT, "A material's refractive index is %g; it must lie between 1 and 10.",
                         (double)m->index);
    if (!(m->forward > -1 && m->forward < 1))
        return rill_fail(err, RILL_BAD_INPUT, "A medium's mean cosine of scattering is %g; it must be within -1 and 1.",
                         (double)m->forward);
    if ((unsigned)m->pattern > RILL_PATTERN_TEXTURE)
        return rill_fail(err, RILL_BAD_INPUT, "There is no pattern with the number %d.", (int)m->pattern);
    if (m->pattern != RILL_PATTERN_PLAIN && !(m->pattern_size > 0 && m->pattern_size < INFINITY))
        return rill_fail(err, RILL_BAD_INPUT, "A pattern's size is %g; it must be above zero.", m->pattern_size);
    const bool textured = m->pattern == RILL_PATTERN_TEXTURE;
    if (textured && (!m->texture || m->texture_width < 1 || m->texture_height < 1))
        return rill_fail(err, RILL_BAD_INPUT, "A material is to have a texture, and it is empty.");
    return RILL_OK;
}

/* ---- media ---- */

static void medium_fill(rill_medium *medium, const rill_material *m, int rank)
{
    const v3 absorption = v3_of(m->absorption), scattering = v3_of(m->scattering);
    *medium = (rill_medium){.index = m->index, .absorption = absorption, .scattering = scattering,
                            .extinction = v3_add(absorption, scattering), .forward = m->forward, .rank = rank};
    medium->absorbs = v3_most(medium->extinction) > 0;
    medium->scatters = v3_most(scattering) > 0;
}

/* 1 and how many other dielectrics are outranked: by a lower priority, or the same and a lower number. */
static int rank_of(const rill_stage *stage, uint32_t number)
{
    int rank = 1;
    for (uint32_t i = 0; i < stage->matter_count; i++) {
        const rill_material *other = &stage->matter[i].given, *own = &stage->matter[number].given;
        if (other->kind != RILL_MATERIAL_DIELECTRIC) continue;
        rank += other->priority < own->priority || (other->priority == own->priority && i < number);
    }
    return rank;
}

static rill_status media_list(rill_stage *stage, rill_error *err)
{
    stage->media = rill_calloc(stage->matter_count + 1, sizeof *stage->media);
    if (!stage->media) return rill_memory_fail(err, sizeof *stage->media, "the media");
    stage->media[0] = (rill_medium){.index = 1};
    stage->media_count = 1;
    for (uint32_t i = 0; i < stage->matter_count; i++) {
        rill_matter *m = &stage->matter[i];
        if (m->given.kind != RILL_MATERIAL_DIELECTRIC) continue;
        m->medium = (uint16_t)stage->media_count++;
        medium_fill(&stage->media[m->medium], &m->given, rank_of(stage, i));
    }
    return RILL_OK;
}

/* ---- albedos ---- */

static rill_status albedo_add(const rill_matter *m, size_t place, float eta, rill_error *err)
{
    rill_albedo *albedo = m->albedo[place] = rill_memory_alloc(sizeof *albedo);
    if (!albedo) return rill_memory_fail(err, sizeof *albedo, "a material");
    rill_albedo_make(m->given.kind, m->alpha, eta, albedo);
    return RILL_OK;
}

static rill_status albedos_make(rill_matter *m, const rill_stage *stage, rill_error *err)
{
    const rill_material_kind kind = m->given.kind;
    const bool needed = kind == RILL_MATERIAL_COATED ||
                        (m->alpha > 0 && (kind == RILL_MATERIAL_METAL || kind == RILL_MATERIAL_DIELECTRIC));
    if (!needed) return RILL_OK;
    m->albedo = rill_calloc(2 * (size_t)stage->media_count, sizeof *m->albedo);
    if (!m->albedo) return rill_memory_fail(err, sizeof *m->albedo, "a material");
    rill_status status = RILL_OK;
    for (uint32_t other = 0; other < stage->media_count && !status; other++) {
        const float eta = m->given.index / stage->media[other].index;
        if (kind == RILL_MATERIAL_METAL && other) break;
        status = albedo_add(m, 2 * other, eta, err);
        if (!status && kind == RILL_MATERIAL_DIELECTRIC) status = albedo_add(m, 2 * other + 1, 1 / eta, err);
    }
    return status;
}

rill_status rill_matter_ready(rill_stage *stage, rill_error *err)
{
    rill_status status = media_list(stage, err);
    for (uint32_t i = 0; i < stage->matter_count && !status; i++) status = albedos_make(&stage->matter[i], stage, err);
    return status;
}

void rill_matter_free(rill_matter *matter, uint32_t media_count)
{
    for (uint32_t i = 0; matter->albedo && i < 2 * media_count; i++) rill_memory_free(matter->albedo[i]);
    rill_free(matter->albedo);
    rill_memory_free((void *)matter->given.texture);
}

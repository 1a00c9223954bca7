/* Building a stage: parts and materials are copied in, then Embree makes its tree
 * on one thread, which makes the same tree every time. */
#include "render/trace/stage.h"

#include <string.h>

#include "base/memory.h"
#include "base/vec3.h"

/* ---- life ---- */

/* Embree's error for a call that has just failed, as ours. */
static rill_status embree_fail(RTCDevice device, const char *doing, rill_error *err)
{
    const enum RTCError code = rtcGetDeviceError(device);
    if (code == RTC_ERROR_OUT_OF_MEMORY)
        return rill_fail(err, RILL_NO_MEMORY, "There is no memory to %s; use a coarser mesh or a larger machine.",
                         doing);
    return rill_fail(err, RILL_TROUBLE, "Embree could not %s (its error %d).", doing, (int)code);
}

rill_stage *rill_stage_create(rill_error *err)
{
    rill_stage *stage = rill_memory_alloc(sizeof *stage);
    if (!stage) {
        rill_memory_fail(err, sizeof *stage, "a stage");
        return NULL;
    }
    stage->device = rtcNewDevice("threads=1");
    stage->scene = stage->device ? rtcNewScene(stage->device) : NULL;
    if (!stage->scene) {
        embree_fail(stage->device, "start", err);
        rill_stage_free(stage);
        return NULL;
    }
    rtcSetSceneFlags(stage->scene, RTC_SCENE_FLAG_ROBUST);
    rtcSetSceneBuildQuality(stage->scene, RTC_BUILD_QUALITY_MEDIUM);
    rill_sobol_make(&stage->sobol);
    return stage;
}

static void part_free(rill_part *part)
{
    rill_memory_free(part->vertex);
    rill_memory_free(part->uv);
    rill_memory_free(part->colour);
    rill_memory_free(part->triangle);
}

void rill_stage_free(rill_stage *stage)
{
    if (!stage) return;
    if (stage->scene) rtcReleaseScene(stage->scene);
    if (stage->device) rtcReleaseDevice(stage->device);
    for (uint32_t i = 0; i < stage->matter_count; i++) rill_matter_free(&stage->matter[i], stage->media_count);
    for (uint32_t i = 0; i < stage->part_count; i++) part_free(&stage->parts[i]);
    rill_free(stage->matter);
    rill_free(stage->parts);
    rill_free(stage->media);
    rill_memory_free(stage->lamps);
    rill_memory_free(stage->lamp_sums);
    rill_heaven_free(&stage->heaven);
    rill_memory_free(stage);
}

/* ---- adding ---- */

/* Zeroed bytes behind the copy: Embree reads a vertex as four floats. */
static void *copy(const void *data, size_t bytes)
{
    void *block = data ? rill_memory_alloc(bytes + 16) : NULL;
    if (block) memcpy(block, data, bytes);
    return block;
}

static rill_status open_check(const rill_stage *stage, rill_error *err)
{
    if (!stage->closed) return RILL_OK;
    return rill_fail(err, RILL_BAD_INPUT, "The stage is committed already; nothing can be added to it.");
}

rill_status rill_stage_add_material(rill_stage *stage, const rill_material *material, uint32_t *id, rill_error *err)
{
    rill_status status = open_check(stage, err);
    if (!status) status = rill_matter_check(material, err);
    if (status) return status;
    if (stage->matter_count >= UINT16_MAX - 1)
        return rill_fail(err, RILL_BAD_INPUT, "A stage holds no more than %d materials.", UINT16_MAX - 1);
    rill_matter *grown = rill_realloc(stage->matter, (stage->matter_count + 1) * sizeof *grown);
    if (grown) stage->matter = grown;
    const size_t texels = 3 * (size_t)material->texture_width * material->texture_height;
    const bool textured = material->pattern == RILL_PATTERN_TEXTURE;
    float *texture = grown && textured ? copy(material->texture, texels * sizeof *texture) : NULL;
    if (!grown || (textured && !texture)) return rill_memory_fail(err, texels * sizeof *texture, "a material");
    rill_matter *m = &stage->matter[stage->matter_count];
    *m = (rill_matter){.given = *material, .colour = v3_of(material->colour), .second = v3_of(material->second),
                       .emission = v3_of(material->emission), .alpha = rill_bsdf_alpha(material->roughness)};
    m->given.texture = texture;
    *id = stage->matter_count++;
    return RILL_OK;
}

static rill_status places_check(const float *values, size_t count, const char *what, rill_error *err)
{
    size_t bad = 0;
    for (size_t i = 0; i < count; i++) bad += !(fabsf(values[i]) < RILL_TRACE_REACH);
    if (!bad) return RILL_OK;
    return rill_fail(err, RILL_BAD_INPUT, "%zu of %zu numbers that give %s are no numbers or beyond %g m.", bad, count,
                     what, (double)RILL_TRACE_REACH);
}

static rill_status numbers_check(const float *values, size_t count, const char *what, rill_error *err)
{
    size_t bad = 0;
    for (size_t i = 0; i < count; i++) bad += !isfinite(values[i]);
    if (!bad) return RILL_OK;
    return rill_fail(err, RILL_BAD_INPUT, "%zu of %zu numbers that give %s are infinite or no numbers.", bad, count,
                     what);
}

static rill_status part_check(rill_stage *stage, size_t count, uint32_t material, rill_error *err)
{
    rill_status status = open_check(stage, err);
    if (status) return status;
    if (material >= stage->matter_count)
        return rill_fail(err, RILL_BAD_INPUT, "The stage has %u materials, none with the number %u.",
                         stage->matter_count, material);
    if (count > INT32_MAX)
        return rill_fail(err, RILL_BAD_INPUT, "A part of %zu pieces is more than the %d that can be numbered.", count,
                         INT32_MAX);
    rill_part *grown = rill_realloc(stage->parts, (stage->part_count + 1) * sizeof *grown);
    if (!grown) return rill_memory_fail(err, sizeof *grown, "the stage");
    stage->parts = grown;
    return RILL_OK;
}

static rill_status triangles_check(const rill_triangles *t, rill_error *err)
{
    rill_status status = places_check(t->position, 3 * t->vertex_count, "the places of vertices", err);
    if (!status && t->normal) status = numbers_check(t->normal, 3 * t->vertex_count, "normals", err);
    if (!status && t->uv) status = numbers_check(t->uv, 2 * t->vertex_count, "uv", err);
    if (!status && t->colour) status = numbers_check(t->colour, 3 * t->vertex_count, "colours of vertices", err);
    for (size_t i = 0; i < 3 * t->triangle_count && !status; i++)
        if (t->triangle[i] >= t->vertex_count)
            return rill_fail(err, RILL_BAD_INPUT, "Triangle %zu names vertex %u, and there are %zu.", i / 3,
                             t->triangle[i], t->vertex_count);
    return status;
}

/* Place and normal of each vertex side by side. */
static float *vertices_copy(const rill_triangles *t, uint32_t lanes)
{
    float *vertex = rill_memory_alloc((t->vertex_count + 1) * lanes * sizeof *vertex);
    for (size_t i = 0; vertex && i < t->vertex_count; i++) {
        memcpy(vertex + lanes * i, t->position + 3 * i, 3 * sizeof *vertex);
        if (t->normal) memcpy(vertex + lanes * i + 4, t->normal + 3 * i, 3 * sizeof *vertex);
    }
    return vertex;
}

rill_triangles rill_triangles_default(void)
{
    return (rill_triangles){0};
}

rill_status rill_stage_add_triangles(rill_stage *stage, const rill_triangles *t, uint32_t material, rill_error *err)
{
    rill_status status = part_check(stage, t->triangle_count, material, err);
    if (!status) status = triangles_check(t, err);
    if (status) return status;
    const size_t n = t->vertex_count, row = n * sizeof(float);
    rill_part p = {.material = material, .vertex_count = n, .count = t->triangle_count};
    p.lanes = t->normal ? 8 : 4;
    p.vertex = vertices_copy(t, p.lanes);
    p.uv = copy(t->uv, 2 * row);
    p.colour = copy(t->colour, 3 * row);
    p.triangle = copy(t->triangle, 3 * p.count * sizeof *p.triangle);
    const bool whole = p.vertex && (p.count == 0 || p.triangle) && !p.uv == !t->uv && !p.colour == !t->colour;
    if (!whole) {
        part_free(&p);
        return rill_memory_fail(err, 6 * row, "the triangles");
    }
    stage->parts[stage->part_count++] = p;
    return RILL_OK;
}

rill_status rill_stage_add_spheres(rill_stage *stage, const float *spheres, size_t count, uint32_t material,
                                   rill_error *err)
{
    rill_status status = part_check(stage, count, material, err);
    if (!status) status = places_check(spheres, 4 * count, "spheres", err);
    if (status) return status;
    if (stage->matter[material].given.kind == RILL_MATERIAL_LIGHT)
        return rill_fail(err, RILL_BAD_INPUT, "Spheres cannot be lights; give triangles that shine instead.");
    for (size_t i = 0; i < count; i++)
        if (!(spheres[4 * i + 3] > 0))
            return rill_fail(err, RILL_BAD_INPUT, "Sphere %zu has a radius of %g m; it must be above zero.", i,
                             (double)spheres[4 * i + 3]);
    rill_part p = {.material = material, .spheres = true, .vertex_count = count, .count = count, .lanes = 4};
    p.vertex = copy(spheres, 4 * count * sizeof *p.vertex);
    if (count && !p.vertex) return rill_memory_fail(err, 4 * count * sizeof *p.vertex, "the spheres");
    stage->parts[stage->part_count++] = p;
    return RILL_OK;
}

/* ---- committing ---- */

static void part_attach(const rill_stage *stage, uint32_t number)
{
    const rill_part *p = &stage->parts[number];
    if (p->count == 0) return;
    const enum RTCGeometryType type = p->spheres ? RTC_GEOMETRY_TYPE_SPHERE_POINT : RTC_GEOMETRY_TYPE_TRIANGLE;
    RTCGeometry g = rtcNewGeometry(stage->device, type);
    rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, p->spheres ? RTC_FORMAT_FLOAT4 : RTC_FORMAT_FLOAT3,
                               p->vertex, 0, p->lanes * sizeof(float), p->vertex_count);
    if (!p->spheres)
        rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, p->triangle, 0, 3 * sizeof(uint32_t),
                                   p->count);
    if (stage->matter[p->material].medium) rtcSetGeometryOccludedFilterFunction(g, rill_shadow_note);
    rtcCommitGeometry(g);
    rtcAttachGeometryByID(stage->scene, g, number);
    rtcReleaseGeometry(g);
}

rill_status rill_stage_commit(rill_stage *stage, rill_error *err)
{
    rill_status status = open_check(stage, err);
    stage->closed = true;
    if (!status) status = rill_matter_ready(stage, err);
    if (!status) status = rill_lamps_make(stage, err);
    if (status) return status;
    rtcGetDeviceError(stage->device);
    for (uint32_t i = 0; i < stage->part_count; i++) part_attach(stage, i);
    rtcCommitScene(stage->scene);
    const enum RTCError code = rtcGetDeviceError(stage->device);
    if (code == RTC_ERROR_OUT_OF_MEMORY)
        return rill_fail(err, RILL_NO_MEMORY, "There is no memory for the tree of triangles; use a coarser mesh.");
    if (code) return rill_fail(err, RILL_TROUBLE, "Embree could not build its tree (its error %d).", (int)code);
    stage->committed = true;
    return RILL_OK;
}

double rill_stage_white(const rill_stage *stage)
{
    return (double)(v3_luminance(stage->heaven.irradiance) / RILL_PI_F);
}

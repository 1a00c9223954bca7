/* Small stages that the tests of the path tracer share. */
#ifndef RILL_TESTS_TRACES_H
#define RILL_TESTS_TRACES_H

#include <math.h>

#include "render/trace/trace.h"
#include "rill/render.h"
#include "scenes.h"

static inline void fine(rill_status status, const rill_error *err)
{
    if (status) fail_msg("%s", err->text);
}

static inline rill_stage *stage_new(void)
{
    rill_error err = {0};
    rill_stage *stage = rill_stage_create(&err);
    if (!stage) fail_msg("%s", err.text);
    return stage;
}

static inline uint32_t stage_material(rill_stage *stage, rill_material material)
{
    rill_error err = {0};
    uint32_t id = 0;
    fine(rill_stage_add_material(stage, &material, &id, &err), &err);
    return id;
}

/* A material of this kind that keeps all light. */
static inline rill_material white(rill_material_kind kind, float roughness, float index)
{
    rill_material m = rill_material_default(kind);
    m.roughness = roughness;
    m.index = index;
    for (int k = 0; k < 3; k++) m.colour[k] = 1;
    return m;
}

static inline void stage_sky(rill_stage *stage, rill_sky sky)
{
    rill_error err = {0};
    fine(rill_stage_set_sky(stage, &sky, &err), &err);
}

/* One light above the horizon, another below. */
static inline void stage_two_skies(rill_stage *stage, float above, float below)
{
    enum { ROWS = 64 };
    float map[3 * ROWS];
    for (int i = 0; i < 3 * ROWS; i++) map[i] = i < 3 * ROWS / 2 ? above : below;
    rill_sky sky = rill_sky_default(RILL_SKY_MAP);
    sky.map = map;
    sky.map_width = 1;
    sky.map_height = ROWS;
    stage_sky(stage, sky);
}

static inline void stage_commit(rill_stage *stage)
{
    rill_error err = {0};
    fine(rill_stage_commit(stage, &err), &err);
}

static inline void stage_sphere(rill_stage *stage, uint32_t material, float x, float y, float z, float radius)
{
    rill_error err = {0};
    fine(rill_stage_add_spheres(stage, (float[]){x, y, z, radius}, 1, material, &err), &err);
}

/* A square at this height, its outside up, or down. */
static inline void stage_level(rill_stage *stage, uint32_t material, float half, float z, bool up)
{
    rill_error err = {0};
    const float p[] = {-half, -half, z, half, -half, z, half, half, z, -half, half, z};
    const uint32_t facing_up[] = {0, 1, 2, 0, 2, 3}, facing_down[] = {0, 2, 1, 0, 3, 2};
    const rill_triangles t = {.vertex_count = 4, .triangle_count = 2, .position = p,
                              .triangle = up ? facing_up : facing_down};
    fine(rill_stage_add_triangles(stage, &t, material, &err), &err);
}

/* A closed box, its outside out, or in. */
static inline void stage_box(rill_stage *stage, uint32_t material, rill_vec3 from, rill_vec3 to, bool out)
{
    rill_error err = {0};
    float p[24];
    for (int i = 0; i < 8; i++) {
        p[3 * i] = (float)(i & 1 ? to.x : from.x);
        p[3 * i + 1] = (float)(i & 2 ? to.y : from.y);
        p[3 * i + 2] = (float)(i & 4 ? to.z : from.z);
    }
    uint32_t t[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                      2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    for (int i = 0; i < 12 && !out; i++) {
        const uint32_t kept = t[3 * i];
        t[3 * i] = t[3 * i + 1];
        t[3 * i + 1] = kept;
    }
    const rill_triangles box = {.vertex_count = 8, .triangle_count = 12, .position = p, .triangle = t};
    fine(rill_stage_add_triangles(stage, &box, material, &err), &err);
}

/* What arrives at a place from a direction, the mean of so many paths; fills its standard error if that is wanted. */
typedef struct asked {
    uint32_t samples;
    bool caustics;
    rill_strategy strategy;
    uint32_t depth; /* 0: as good as none */
    float clamp;
    double error;
} asked;

static inline double radiance(const rill_stage *stage, v3 origin, v3 direction, asked *ask)
{
    const rill_tracer tracer = {.stage = stage, .depth = ask->depth ? ask->depth : 10000, .caustics = ask->caustics,
                                .strategy = ask->strategy, .clamp = ask->clamp, .eye = rill_media_at(stage, origin)};
    rill_rays rays = {0};
    double sum = 0, squares = 0;
    for (uint32_t i = 0; i < ask->samples; i++) {
        rill_path path = {.sampler = rill_sampler_at(&stage->sobol, 12345, i), .origin = origin,
                          .direction = v3_unit(direction), .chosen = 4};
        rill_paths_trace(&tracer, &path, 1, &rays);
        const double light = (double)v3_luminance(path.light);
        sum += light;
        squares += light * light;
    }
    const double n = ask->samples, mean = sum / n;
    ask->error = sqrt(fmax(0, squares / n - mean * mean) / n);
    return mean;
}

/* A picture of what is around the origin. */
static inline rill_trace_result picture(const rill_stage *stage, rill_camera camera, rill_trace_options options)
{
    rill_error err = {0};
    rill_trace_result result;
    fine(rill_trace(stage, &camera, &options, &result, &err), &err);
    return result;
}

static inline double pixel_luminance(const rill_trace_result *r, uint32_t x, uint32_t y)
{
    return (double)v3_luminance(v3_of(r->rgb + 3 * ((size_t)y * r->width + x)));
}

static inline double picture_mean(const rill_trace_result *r)
{
    double sum = 0;
    for (uint32_t y = 0; y < r->height; y++)
        for (uint32_t x = 0; x < r->width; x++) sum += pixel_luminance(r, x, y);
    return sum / ((double)r->width * r->height);
}

static inline void near_share(double value, double expected, double share)
{
    if (!(fabs(value - expected) <= share * fabs(expected)))
        fail_msg("%.6g is not %.6g within %g %%", value, expected, 100 * share);
}

#endif

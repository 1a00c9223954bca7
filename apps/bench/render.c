/* Path tracing, timed: the surface of 100 k particles as water in a glass tank
 * on a checked floor under a clear sky. The camera and bounce rays of a picture
 * are written down, and Embree alone traces the very same rays by the same
 * call, in the same order: that is the rate the tracer is measured against. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "machine.h"
#include "parts.h"
#include "render/trace/trace.h"
#include "rill/surface.h"
#include "run/threads.h"
#include "say.h"

enum { WIDTH = 160, HEIGHT = 90, SAMPLES = 16, REPEATS = 16, RAYS_A_PATH = 12, CHUNK = 4096 };

/* ---- the stage ---- */

static rill_status box_add(rill_stage *stage, uint32_t material, rill_vec3 from, rill_vec3 to, rill_error *err)
{
    static const uint32_t triangle[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                          2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    float p[24];
    for (int i = 0; i < 8; i++) {
        p[3 * i] = (float)(i & 1 ? to.x : from.x);
        p[3 * i + 1] = (float)(i & 2 ? to.y : from.y);
        p[3 * i + 2] = (float)(i & 4 ? to.z : from.z);
    }
    const rill_triangles box = {.vertex_count = 8, .triangle_count = 12, .position = p, .triangle = triangle};
    return rill_stage_add_triangles(stage, &box, material, err);
}

/* Five slabs of glass around a place of one by one metre; no two have a face in one plane, of which a ray would find
 * only one. */
static rill_status tank_add(rill_stage *stage, uint32_t glass, rill_error *err)
{
    const double t = 0.02, s = 0.99 * t, h = 1, g = 0.999;
    const struct {
        rill_vec3 from, to;
    } slabs[] = {{{-s, -s, -t}, {1 + s, 1 + s, 0}},
                 {{-t, -s, -s}, {0, 1 + s, h}},
                 {{1, -s, -s}, {1 + t, 1 + s, h}},
                 {{-s / 2, -t, -s / 2}, {1 + s / 2, 0, g}},
                 {{-s / 2, 1, -s / 2}, {1 + s / 2, 1 + t, g}}};
    rill_status status = RILL_OK;
    for (size_t i = 0; i < sizeof slabs / sizeof *slabs && !status; i++)
        status = box_add(stage, glass, slabs[i].from, slabs[i].to, err);
    return status;
}

static rill_status stage_fill(rill_stage *stage, const rill_mesh *mesh, rill_error *err)
{
    rill_material water = rill_material_default(RILL_MATERIAL_DIELECTRIC), glass = water;
    rill_material floor = rill_material_default(RILL_MATERIAL_LAMBERT);
    const rill_sky sky = rill_sky_default(RILL_SKY_PREETHAM);
    const rill_triangles t = {.vertex_count = mesh->vertex_count, .triangle_count = mesh->triangle_count,
                              .position = mesh->position, .normal = mesh->normal, .triangle = mesh->triangle};
    uint32_t water_id = 0, glass_id = 0, floor_id = 0;
    water.absorption[0] = 0.6f;
    glass.index = 1.5f;
    glass.priority = 1;
    floor.pattern = RILL_PATTERN_CHECKS;
    rill_status status = rill_stage_add_material(stage, &water, &water_id, err);
    if (!status) status = rill_stage_add_material(stage, &glass, &glass_id, err);
    if (!status) status = rill_stage_add_material(stage, &floor, &floor_id, err);
    if (!status) status = rill_stage_add_triangles(stage, &t, water_id, err);
    if (!status) status = tank_add(stage, glass_id, err);
    if (!status) status = box_add(stage, floor_id, (rill_vec3){-5, -5, -1}, (rill_vec3){6, 6, -0.03}, err);
    if (!status) status = rill_stage_set_sky(stage, &sky, err);
    if (!status) status = rill_stage_commit(stage, err);
    return status;
}

static rill_status stage_make(uint64_t count, const rill_scheduler *scheduler, rill_stage **stage, rill_error *err)
{
    rill_particles p;
    rill_mesh mesh = {0};
    rill_surface_options options = rill_surface_default();
    options.scheduler = scheduler;
    if (!bench_particles_make(count, &p)) return rill_fail(err, RILL_NO_MEMORY, "There is no memory left to mesh.");
    rill_status status = rill_surface_make(&p, &options, &mesh, NULL, err);
    rill_particles_free(&p);
    *stage = status ? NULL : rill_stage_create(err);
    if (*stage) status = stage_fill(*stage, &mesh, err);
    else if (!status) status = err->status;
    rill_mesh_free(&mesh);
    return status;
}

/* ---- rays ---- */

typedef struct replay {
    RTCScene scene;
    const rill_ray_log *log;
} replay;

static void replay_chunk(void *context, size_t chunk, unsigned worker)
{
    const replay *r = context;
    const size_t from = chunk * CHUNK, to = from + CHUNK < r->log->count ? from + CHUNK : r->log->count;
    struct RTCIntersectContext intersect;
    (void)worker;
    for (size_t i = from; i < to; i++) {
        struct RTCRayHit ray = {.ray = r->log->rays[i], .hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
        rtcInitIntersectContext(&intersect);
        rtcIntersect1(r->scene, &intersect, &ray);
    }
}

static double replay_seconds(const rill_stage *stage, const rill_ray_log *log, const rill_scheduler *scheduler)
{
    replay r = {stage->scene, log};
    const double start = machine_seconds();
    rill_parallel_for(scheduler, (log->count + CHUNK - 1) / CHUNK, replay_chunk, &r);
    return machine_seconds() - start;
}

static rill_status rays_time(const rill_stage *stage, const rill_scheduler *scheduler, rill_ray_log *log,
                             bench_render *b, rill_error *err)
{
    const rill_camera camera = {.eye = {2.6, -2.2, 1.7}, .target = {0.5, 0.5, 0.3}, .up = {0, 0, 1}, .angle = 32};
    const rill_trace_extra noting = {.log = log};
    rill_trace_options options = rill_trace_default();
    rill_trace_result result;
    options.width = WIDTH;
    options.height = HEIGHT;
    options.samples = SAMPLES;
    rill_status status = rill_trace_with(stage, &camera, &options, &noting, &result, err);
    options.scheduler = scheduler;
    /* By turns, so that both see the same machine. */
    for (int i = 0; i < REPEATS && !status; i++) {
        rill_trace_result_free(&result);
        const double raw = replay_seconds(stage, log, scheduler);
        status = rill_trace(stage, &camera, &options, &result, err);
        if (status) break;
        if (!i || raw < b->raw) b->raw = raw;
        if (!i || result.seconds < b->seconds) b->seconds = result.seconds;
        b->rays = (double)(result.camera_rays + result.bounce_rays);
        b->shadow_rays = (double)result.shadow_rays;
        b->paths = (double)result.paths;
        b->noted = (double)log->count;
    }
    if (!status) rill_trace_result_free(&result);
    return status;
}

static int render_time(uint64_t particles, unsigned threads, bench_render *b)
{
    rill_error err = {0};
    rill_threads *pool = rill_threads_create(threads, &err);
    if (!pool) return say_failure(&err);
    const rill_scheduler scheduler = rill_threads_scheduler(pool);
    rill_ray_log log = {.room = (size_t)WIDTH * HEIGHT * SAMPLES * RAYS_A_PATH};
    rill_stage *stage = NULL;
    log.rays = aligned_alloc(64, log.room * sizeof *log.rays);
    int code = log.rays ? EXIT_FINE : say_error(EXIT_MACHINE, "There is no memory left to note rays.");
    if (!code && stage_make(particles, &scheduler, &stage, &err)) code = say_failure(&err);
    if (!code && rays_time(stage, &scheduler, &log, b, &err)) code = say_failure(&err);
    rill_stage_free(stage);
    free(log.rays);
    rill_threads_destroy(pool);
    b->done = true;
    b->failed = code;
    return code;
}

/* ---- rows ---- */

int bench_measure_render(bench *b, const bench_row *row, bench_result *r)
{
    bench_render *m = &b->renders[row->one_thread];
    const unsigned threads = row->one_thread ? 1 : b->threads;
    if (!m->done && !b->quiet)
        fprintf(stderr, "  tracing rays among %s particles on %s ...\n", say_count(row->particles).text,
                say_many(threads, "thread").text);
    if (!m->done) render_time(row->particles, threads, m);
    if (m->failed) return EXIT_MACHINE;
    const struct {
        const char *of;
        double value;
    } values[] = {{"raw", m->noted / m->raw / 1e6},
                  {"rays", m->rays / m->seconds / 1e6},
                  {"all", (m->rays + m->shadow_rays) / m->seconds / 1e6},
                  {"paths", m->paths / m->seconds / 1e6},
                  {"share", 100 * (m->rays / m->seconds) / (m->noted / m->raw)}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (!strcmp(row->of, values[i].of)) r->value = values[i].value;
    return EXIT_FINE;
}

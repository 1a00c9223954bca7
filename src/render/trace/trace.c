/* A picture, tile by tile. Every sample depends on seed, pixel and number alone
 * and every pixel sums its samples in order, so threads leave no trace. With a
 * noise asked for, each tile goes on by itself until its pixels' errors are
 * small enough; how bright the picture is at large comes from a first look. */
#include "render/trace/trace.h"

#include <stdatomic.h>

#include "base/hash.h"
#include "base/memory.h"
#include "run/threads.h"

enum { TILE = 16, BATCH = 16, BATCHES_LEAST = 4, LOOK = 4, EDGE_MOST = 65536 };

rill_trace_options rill_trace_default(void)
{
    return (rill_trace_options){.width = 1280, .height = 720, .samples = 64, .depth = 64};
}

/* ---- options ---- */

static rill_status options_check(const rill_stage *stage, const rill_trace_options *o, rill_error *err)
{
    if (!stage->committed)
        return rill_fail(err, RILL_BAD_INPUT, "The stage is not committed; nothing can be seen yet.");
    if (o->width < 1 || o->height < 1 || o->width > EDGE_MOST || o->height > EDGE_MOST)
        return rill_fail(err, RILL_BAD_INPUT, "A picture of %u by %u pixels is not possible; each must be 1 to %d.",
                         o->width, o->height, EDGE_MOST);
    if (o->samples < 1 || o->samples > RILL_SAMPLES_MOST)
        return rill_fail(err, RILL_BAD_INPUT, "%u samples a pixel are not possible; it must be 1 to %d.", o->samples,
                         RILL_SAMPLES_MOST);
    if (!(o->noise >= 0 && o->noise <= 1))
        return rill_fail(err, RILL_BAD_INPUT, "A noise of %g is not possible; it must lie between 0 and 1.", o->noise);
    if (o->depth < 1 || o->depth > 100000)
        return rill_fail(err, RILL_BAD_INPUT, "A depth of %u is not possible; it must be 1 to 100000.", o->depth);
    if (!(o->clamp >= 0 && o->clamp < INFINITY))
        return rill_fail(err, RILL_BAD_INPUT, "A clamp of %g is not possible; it must be at or above 0.", o->clamp);
    return RILL_OK;
}

/* ---- pixels ---- */

typedef struct pixel {
    double rgb[3];
    double sum, squares;              /* of the samples' luminance */
    double batch, batch_sums, batch_squares; /* of the batch under way, of all whole ones */
    uint32_t samples, batches;
} pixel;

/* The standard error of the mean. Samples of a batch fill its domain evenly, so the means of batches say more than
 * single samples do, once there are some. */
static double pixel_error(const pixel *p)
{
    const bool few = p->batches < BATCHES_LEAST;
    const double n = few ? p->samples : p->batches, sum = few ? p->sum : p->batch_sums;
    const double squares = few ? p->squares : p->batch_squares;
    if (n < 2) return fabs(p->sum);
    return sqrt(fmax(0, squares - sum * sum / n) / (n * (n - 1)));
}

static void pixel_add(pixel *p, v3 light)
{
    const double bright = (double)v3_luminance(light);
    p->rgb[0] += (double)light.x;
    p->rgb[1] += (double)light.y;
    p->rgb[2] += (double)light.z;
    p->sum += bright;
    p->squares += bright * bright;
    p->batch += bright;
    if (++p->samples % BATCH) return;
    p->batch /= BATCH;
    p->batch_sums += p->batch;
    p->batch_squares += p->batch * p->batch;
    p->batch = 0;
    p->batches++;
}

/* ---- tiles ---- */

typedef struct worker_state {
    pixel pixels[TILE * TILE];
    rill_rays rays;
    uint64_t paths;
} worker_state;

typedef struct job {
    rill_tracer tracer;
    rill_lens lens;
    const rill_trace_options *options;
    rill_trace_result *result;
    worker_state *workers;
    size_t tiles, stride; /* the tile at place i of the order is the one with the number i * stride % tiles */
    uint32_t columns;
    double floor; /* of brightness: noise is not measured against less */
    float *looks; /* brightness of the first look */
    atomic_bool stop;
} job;

static rill_path sample_start(const job *j, uint32_t x, uint32_t y, uint32_t sample)
{
    const uint64_t place = (uint64_t)y << 32 | x;
    const uint32_t key = (uint32_t)rill_hash_add(rill_hash_add(0, j->options->seed), place);
    rill_path path = {.sampler = rill_sampler_at(&j->tracer.stage->sobol, key, sample)};
    path.choices = rill_sampler_draw(&path.sampler, 0);
    path.chosen = j->lens.radius > 0 ? 4 : 2;
    rill_lens_ray(&j->lens, x, y, path.choices.v, &path.origin, &path.direction);
    return path;
}

/* Samples of one pixel, from one number up to another, in order. */
static void pixel_trace(const job *j, worker_state *w, pixel *p, uint32_t x, uint32_t y, uint32_t from, uint32_t to)
{
    rill_path paths[RILL_PATHS_MOST];
    while (from < to) {
        const uint32_t count = to - from < RILL_PATHS_MOST ? to - from : RILL_PATHS_MOST;
        for (uint32_t i = 0; i < count; i++) paths[i] = sample_start(j, x, y, from + i);
        rill_paths_trace(&j->tracer, paths, count, &w->rays);
        for (uint32_t i = 0; i < count; i++) pixel_add(p, paths[i].light);
        w->paths += count;
        from += count;
    }
}

/* Noise of the tile: the errors' root mean square over its brightness. */
static bool tile_is_clean(const job *j, const pixel *pixels, uint32_t count)
{
    double error = 0, bright = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double e = pixel_error(&pixels[i]);
        error += e * e;
        bright += pixels[i].sum / pixels[i].samples;
    }
    return sqrt(error / count) <= j->options->noise * fmax(bright / count, j->floor);
}

static void tile_store(const job *j, const pixel *pixels, uint32_t x0, uint32_t y0, uint32_t w, uint32_t h)
{
    for (uint32_t i = 0; i < w * h; i++) {
        const pixel *p = &pixels[i];
        const size_t place = (size_t)(y0 + i / w) * j->result->width + x0 + i % w;
        for (size_t k = 0; k < 3; k++) j->result->rgb[3 * place + k] = (float)(p->rgb[k] / p->samples);
        j->result->error[place] = (float)pixel_error(p);
        j->result->samples[place] = p->samples;
    }
}

static size_t common_divisor(size_t a, size_t b)
{
    return b ? common_divisor(b, a % b) : a;
}

/* Tiles are taken in an order that is spread over the picture at any moment, so that the time of those done tells the
 * time of the rest: sky is cheap, and it lies on top. Steps of the golden ratio leave no gaps. */
static void order_tiles(job *j, uint32_t rows)
{
    j->tiles = (size_t)rows * j->columns;
    j->stride = (size_t)(0.6180339887498949 * (double)j->tiles);
    while (common_divisor(j->stride, j->tiles) != 1) j->stride--;
}

static void tile_trace(void *context, size_t place, unsigned worker)
{
    job *j = context;
    if (atomic_load_explicit(&j->stop, memory_order_relaxed)) return;
    const size_t number = place * j->stride % j->tiles;
    worker_state *state = &j->workers[worker];
    const rill_trace_options *o = j->options;
    const uint32_t x0 = (uint32_t)(number % j->columns) * TILE, y0 = (uint32_t)(number / j->columns) * TILE;
    const uint32_t w = o->width - x0 < TILE ? o->width - x0 : TILE, h = o->height - y0 < TILE ? o->height - y0 : TILE;
    const uint32_t stride = o->noise > 0 ? BATCH : o->samples;
    for (uint32_t i = 0; i < w * h; i++) state->pixels[i] = (pixel){.samples = 0};
    for (uint32_t from = 0; from < o->samples; from += stride) {
        const uint32_t to = o->samples - from < stride ? o->samples : from + stride;
        for (uint32_t i = 0; i < w * h; i++)
            pixel_trace(j, state, &state->pixels[i], x0 + i % w, y0 + i / w, from, to);
        if (o->noise > 0 && tile_is_clean(j, state->pixels, w * h)) break;
    }
    tile_store(j, state->pixels, x0, y0, w, h);
    if (o->tile && !o->tile(o->user, x0, y0, w, h)) atomic_store_explicit(&j->stop, true, memory_order_relaxed);
}

/* ---- the first look ---- */

static void look_trace(void *context, size_t row, unsigned worker)
{
    job *j = context;
    const uint32_t width = (j->options->width + LOOK - 1) / LOOK;
    for (uint32_t x = 0; x < width; x++) {
        pixel p = {.samples = 0};
        pixel_trace(j, &j->workers[worker], &p, x * LOOK, (uint32_t)row * LOOK, 0, 1);
        j->looks[row * width + x] = (float)p.sum;
    }
}

/* A tenth of the picture's mean brightness, each look cut at what is common, so that no glint lifts it. */
static rill_status picture_look(job *j, const rill_scheduler *scheduler, rill_error *err)
{
    const size_t width = (j->options->width + LOOK - 1) / LOOK, height = (j->options->height + LOOK - 1) / LOOK;
    j->looks = rill_memory_alloc(width * height * sizeof *j->looks);
    if (!j->looks) return rill_memory_fail(err, width * height * sizeof *j->looks, "a first look");
    rill_parallel_for(scheduler, height, look_trace, j);
    double roots = 0, sum = 0;
    for (size_t i = 0; i < width * height; i++) roots += sqrt((double)j->looks[i]);
    const double common = roots / (double)(width * height), most = 10 * common * common;
    for (size_t i = 0; i < width * height; i++) sum += fmin((double)j->looks[i], most);
    j->floor = 0.1 * sum / (double)(width * height);
    rill_memory_free(j->looks);
    return RILL_OK;
}

/* ---- the picture ---- */

static rill_status result_make(const rill_trace_options *o, rill_trace_result *result, rill_error *err)
{
    const size_t count = (size_t)o->width * o->height;
    *result = (rill_trace_result){.width = o->width, .height = o->height};
    result->rgb = rill_calloc(count, 3 * sizeof *result->rgb);
    result->error = rill_calloc(count, sizeof *result->error);
    result->samples = rill_calloc(count, sizeof *result->samples);
    if (result->rgb && result->error && result->samples) return RILL_OK;
    rill_trace_result_free(result);
    return rill_memory_fail(err, 20 * count, "the picture");
}

static rill_status picture_trace(job *j, const rill_scheduler *scheduler, rill_error *err)
{
    const uint32_t rows = (j->options->height + TILE - 1) / TILE;
    j->columns = (j->options->width + TILE - 1) / TILE;
    order_tiles(j, rows);
    const size_t bytes = scheduler->workers * sizeof *j->workers;
    j->workers = rill_memory_alloc(bytes);
    if (!j->workers) return rill_memory_fail(err, bytes, "tiles");
    rill_status status = j->options->noise > 0 ? picture_look(j, scheduler, err) : RILL_OK;
    if (!status) rill_parallel_for(scheduler, j->tiles, tile_trace, j);
    for (unsigned i = 0; i < scheduler->workers; i++) {
        j->result->paths += j->workers[i].paths;
        j->result->camera_rays += j->workers[i].rays.camera;
        j->result->bounce_rays += j->workers[i].rays.bounce;
        j->result->shadow_rays += j->workers[i].rays.shadow;
    }
    j->result->stopped = atomic_load(&j->stop);
    rill_memory_free(j->workers);
    return status;
}

rill_status rill_trace_with(const rill_stage *stage, const rill_camera *camera, const rill_trace_options *options,
                            const rill_trace_extra *extra, rill_trace_result *result, rill_error *err)
{
    const double start = rill_clock_seconds();
    const rill_scheduler *scheduler = options->scheduler && !extra->log ? options->scheduler : &rill_serial;
    *result = (rill_trace_result){.width = 0};
    job j = {.options = options, .result = result};
    rill_status status = options_check(stage, options, err);
    if (!status) status = rill_lens_make(camera, options->width, options->height, &j.lens, err);
    if (!status) status = result_make(options, result, err);
    if (status) return status;
    j.tracer = (rill_tracer){.stage = stage, .depth = options->depth, .caustics = options->caustics,
                             .clamp = (float)options->clamp, .strategy = extra->strategy, .log = extra->log,
                             .eye = rill_media_at(stage, j.lens.eye)};
    status = picture_trace(&j, scheduler, err);
    if (status) rill_trace_result_free(result);
    result->seconds = rill_clock_seconds() - start;
    return status;
}

rill_status rill_trace(const rill_stage *stage, const rill_camera *camera, const rill_trace_options *options,
                       rill_trace_result *result, rill_error *err)
{
    return rill_trace_with(stage, camera, options, &(rill_trace_extra){.strategy = RILL_STRATEGY_BOTH}, result, err);
}

void rill_trace_result_free(rill_trace_result *result)
{
    rill_free(result->rgb);
    rill_free(result->error);
    rill_free(result->samples);
    *result = (rill_trace_result){.width = 0};
}

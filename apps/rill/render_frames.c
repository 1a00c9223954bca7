/* The pictures of `rill render`, one after the other, and the film of them. */
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "film.h"
#include "machine.h"
#include "progress.h"
#include "render_parts.h"
#include "say.h"
#include "stop.h"

typedef struct shower {
    progress bar;
    uint32_t frame, place, count; /* the frame under way, its place among all */
    uint64_t pixels;              /* of a picture */
    uint32_t made;                /* how many were rendered before, without those that were there, */
    double made_seconds;          /* and how long that took */
    double surface;               /* s, of the picture under way; 0: it is being made */
    double trace;                 /* s, that tracing it takes, by what is known so far; 0: nothing is */
    double trace_start;           /* clock */
    atomic_uint_fast64_t done;
    atomic_flag busy; /* one thread at a time writes the line */
} shower;

/* What is left of this picture, and of the rest as if each took the mean of those known; below zero: not known yet.
 * Once a fiftieth of the tiles is done they say more than the pilot does. */
static double seconds_left(const shower *s, double within)
{
    double trace = s->trace;
    const double passed = machine_seconds() - s->trace_start;
    if (s->surface > 0 && within > 0.02) trace = passed / within;
    const bool known = s->surface > 0 && trace > 0;
    if (!known && !s->made) return -1;
    const double sum = s->made_seconds + (known ? s->surface + trace : 0), mean = sum / (s->made + known);
    const double here = known ? fmax(trace - passed, 0) : mean;
    return here + mean * (s->count - s->place - 1);
}

static void line_show(shower *s, const char *what)
{
    const double within = s->pixels ? fmin((double)atomic_load(&s->done) / (double)s->pixels, 1) : 0;
    const double share = (s->place + within) / s->count;
    if (!progress_due(&s->bar, share)) return;
    progress_line line = {0};
    progress_add(&line, 50, "frame %" PRIu32, s->frame);
    if (s->count > 1) progress_add(&line, 40, "%" PRIu32 "/%" PRIu32, s->place + 1, s->count);
    if (what) progress_add(&line, 60, "%s", what);
    progress_show_left(&s->bar, share, seconds_left(s, within), &line);
}

/* Called from any thread when a tile is done. */
static bool tile_done(void *user, uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
    shower *s = user;
    (void)x;
    (void)y;
    atomic_fetch_add(&s->done, (uint64_t)width * height);
    if (!atomic_flag_test_and_set(&s->busy)) {
        line_show(s, NULL);
        atomic_flag_clear(&s->busy);
    }
    return !stop_asked();
}

/* ---- one picture ---- */

static rill_camera camera_of(const render_job *job, const shower *s, double time)
{
    const double share = s->count > 1 ? (double)s->place / s->count : 0;
    return rill_orbit_camera(&job->orbit, share, time, (uint32_t)job->width, (uint32_t)job->height);
}

static int stage_build(const render_job *job, const shower *s, render_made *made, rill_stage **stage)
{
    rill_frame_file frame;
    rill_mesh mesh = {0};
    rill_error err = {0};
    int code = frame_load(job->run, made->frame, &frame);
    if (code) return code;
    made->time = frame.time;
    if (job->mesh && rill_mesh_read(render_mesh_path(job, made->frame).text, frame.origin, &mesh, &err))
        code = say_bad_file(&err);
    const rill_bounds view = rill_orbit_view(&job->orbit, frame.time);
    rill_stage_options options = rill_stage_options_default(job->look);
    options.glass = job->glass;
    options.ground = job->ground;
    options.texture = &job->texture;
    options.light = job->light;
    options.map = &job->map;
    options.azimuth = job->azimuth;
    options.camera = camera_of(job, s, frame.time);
    options.aspect = (double)job->width / (double)job->height;
    options.view = &view;
    options.mesh = job->mesh ? &mesh : NULL;
    options.scheduler = job->scheduler;
    if (!code && rill_stage_of_frame(&frame, &job->scene, &options, stage, &made->set, &err)) code = say_failure(&err);
    rill_mesh_free(&mesh);
    rill_frame_file_free(&frame);
    return code;
}

/* Before the first picture: how long it will take, and all of them if they are alike. */
static void estimate_say(const render_job *job, shower *s)
{
    if (!(s->trace > 0)) return;
    const uint32_t count = s->count - s->place;
    progress_clear(&s->bar);
    fprintf(stderr, "%s of %" PRIu64 " x %" PRIu64 " pixels, %s%" PRIu64 " sample%s: about %s%s\n",
            say_many(count, "picture").text, job->width, job->height, job->noise > 0 ? "up to " : "", job->samples,
            job->samples == 1 ? "" : "s", say_duration(count * (s->surface + s->trace)).text,
            count > 1 ? " if all take as long as the first" : "");
}

static int picture_trace(const render_job *job, const rill_stage *stage, shower *s, render_made *made,
                         rill_trace_result *result)
{
    rill_error err = {0};
    rill_trace_options options = rill_render_default(job->look).trace;
    const rill_camera camera = camera_of(job, s, made->time);
    options.width = (uint32_t)job->width;
    options.height = (uint32_t)job->height;
    options.samples = (uint32_t)job->samples;
    options.noise = job->noise;
    options.caustics = job->caustics;
    options.scheduler = job->scheduler;
    options.tile = tile_done;
    options.user = s;
    options.clamp = job->caustics ? 0 : made->set.clamp;
    if (!s->made && !job->quiet) {
        s->trace = render_pilot(stage, &camera, &options, s->count - s->place);
        estimate_say(job, s);
    }
    s->trace_start = machine_seconds();
    if (rill_trace(stage, &camera, &options, result, &err)) return say_failure(&err);
    made->paths = result->paths;
    made->rays = result->camera_rays + result->bounce_rays + result->shadow_rays;
    double error = 0, light = 0;
    for (size_t i = 0; i < (size_t)result->width * result->height; i++) {
        error += (double)result->error[i];
        light += 0.2126 * (double)result->rgb[3 * i] + 0.7152 * (double)result->rgb[3 * i + 1] +
                 0.0722 * (double)result->rgb[3 * i + 2];
    }
    made->noise = light > 0 ? error / light : 0;
    return EXIT_FINE;
}

/* The PNG comes last: where it is, the picture is finished. */
static int picture_write(render_job *job, const render_made *made, const rill_trace_result *result)
{
    rill_error err = {0};
    const rill_picture picture = {.width = result->width, .height = result->height, .rgb = result->rgb};
    int code = EXIT_FINE;
    if (!(job->exposure > 0)) {
        job->exposure = rill_picture_exposure(&picture, made->set.white);
        if ((code = render_state_save(job))) return code;
    }
    if (*made->exr.text && rill_picture_write_exr(&picture, made->exr.text, &err)) return say_failure(&err);
    if (!*made->png.text) return EXIT_FINE;
    if (rill_picture_write_png(&picture, job->exposure, made->png.text, &err)) code = say_failure(&err);
    return code;
}

static int frame_render(render_job *job, shower *s, render_made *made)
{
    const double start = machine_seconds();
    rill_stage *stage = NULL;
    rill_trace_result result = {0};
    atomic_store(&s->done, 0);
    s->surface = s->trace = 0;
    line_show(s, "surface");
    int code = stage_build(job, s, made, &stage);
    s->surface = machine_seconds() - start;
    if (!code && !stop_asked()) code = picture_trace(job, stage, s, made, &result);
    rill_stage_free(stage);
    if (!code && (result.stopped || stop_asked())) code = EXIT_INTERRUPTED;
    if (!code) code = picture_write(job, made, &result);
    rill_trace_result_free(&result);
    made->seconds = machine_seconds() - start;
    s->made++;
    s->made_seconds += made->seconds;
    return code;
}

/* ---- all of them ---- */

static void interrupted_say(const render_job *job, uint32_t count)
{
    if (job->quiet) return;
    if (job->one) fprintf(stderr, "Stopped; nothing was written.\n");
    else
        fprintf(stderr,
                "Stopped with %" PRIu32 " of %" PRIu32 " pictures finished; the same command goes on from there.\n",
                count, job->list.count);
}

int render_frames(render_job *job, render_made *made, uint32_t *count)
{
    shower s = {.bar = progress_start(job->quiet, 0), .count = job->list.count, .pixels = job->width * job->height};
    int code = EXIT_FINE;
    atomic_init(&s.done, 0);
    atomic_flag_clear(&s.busy);
    stop_catch();
    for (uint32_t i = 0; i < job->list.count && !code; i++) {
        render_made_name(job, job->list.numbers[i], &made[i]);
        s.frame = made[i].frame;
        s.place = i;
        made[i].kept = job->exposure > 0 && render_made_done(job, &made[i]);
        if (made[i].kept) s.bar.shown_share = (double)(i + 1) / job->list.count;
        else code = frame_render(job, &s, &made[i]);
        if (!code) *count = i + 1;
    }
    progress_clear(&s.bar);
    if (code == EXIT_INTERRUPTED) interrupted_say(job, *count);
    return code;
}

/* ---- the film ---- */

static int picture_add(film *f, const char *path, rill_picture *size)
{
    rill_pixels pixels;
    rill_error err = {0};
    if (rill_pixels_read(path, &pixels, &err)) return say_failure(&err);
    int code = EXIT_FINE;
    if (pixels.width != size->width || pixels.height != size->height)
        code = say_error(EXIT_MACHINE, "%s has another size than the film; remove it and start again.", path);
    if (!code) code = film_add(f, pixels.rgb);
    rill_pixels_free(&pixels);
    return code;
}

int render_film(const render_job *job, const render_made *made)
{
    const double rate = job->rate_given ? job->rate : film_rate(job->scene.time.frames_per_second);
    rill_picture size = {.width = (uint32_t)job->width, .height = (uint32_t)job->height};
    film f = {0};
    int code = film_start(&f, job->film, size.width, size.height, rate);
    for (uint32_t i = 0; i < job->list.count && !code; i++) code = picture_add(&f, made[i].png.text, &size);
    if (!code) code = film_end(&f);
    else film_cancel(&f);
    return code;
}

/* rill render: frames of a run as path-traced pictures, and films of them. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "command.h"
#include "film.h"
#include "machine.h"
#include "options.h"
#include "render_parts.h"
#include "rill/threads.h"
#include "say.h"

/* ---- what was asked for ---- */

static const char *const formats[] = {"png", "exr", NULL};
static const char *const tanks[] = {"glass", "unseen", NULL};
/* In the order of their kinds. The last stands for any name with a dot or a slash in it. */
static const char *const grounds[] = {"plain", "checks", "FILE.png", NULL};
static const char *const lights[] = {"sky", "lamps", "FILE.exr (or .png)", NULL};

static const char *look_at(const void *context, int i)
{
    (void)context;
    return rill_look_name((rill_look)i);
}

static const char *camera_at(const void *context, int i)
{
    (void)context;
    return rill_orbit_name((rill_orbit_kind)i);
}

static int word_or_file(const char *name, const char *given, const char *const *words)
{
    return strpbrk(given, "./") ? 2 : option_word(name, given, option_word_at, words);
}

static int formats_read(render_job *job)
{
    const char *names = job->format_names ? job->format_names : "png";
    job->formats = 0;
    for (const char *at = names; at;) {
        const size_t length = strcspn(at, ",");
        if (length == 3 && !strncasecmp(at, "png", 3)) job->formats |= FORMAT_PNG;
        else if (length == 3 && !strncasecmp(at, "exr", 3)) job->formats |= FORMAT_EXR;
        else return say_error(EXIT_USER, "--format knows png, exr and png,exr, and '%s' is none of them.", names);
        at = at[length] ? at + length + 1 : NULL;
    }
    if (job->film && !(job->formats & FORMAT_PNG))
        return say_error(EXIT_USER, "A film is made of PNG pictures; give --format png,exr.");
    return EXIT_FINE;
}

/* A name that ends in .png or .exr is one picture, everything else a folder. */
static int out_read(render_job *job)
{
    const char *dot = job->out ? strrchr(job->out, '.') : NULL;
    const bool png = dot && !strcasecmp(dot, ".png"), exr = dot && !strcasecmp(dot, ".exr");
    if (job->out && path_is_other_picture(job->out))
        return say_error(EXIT_USER, "A picture is written as .png or .exr, and %s ends like neither.", job->out);
    job->one = (png || exr) && !path_is_folder(job->out);
    if (!job->one) return EXIT_FINE;
    if (job->film) return say_error(EXIT_USER, "--out %s is one picture, and a film needs a folder of them.", job->out);
    const unsigned format = png ? FORMAT_PNG : FORMAT_EXR;
    if (job->format_names && job->formats != format)
        return say_error(EXIT_USER, "--out %s and --format %s contradict each other.", job->out, job->format_names);
    job->formats = format;
    path_text folder;
    if (path_may_write(job->out, &folder)) return EXIT_FINE;
    return say_error(EXIT_MACHINE, "The picture cannot go into the folder %s: %s.", folder.text, strerror(errno));
}

static int numbers_check(render_job *job)
{
    if (job->width < 16 || job->height < 16 || job->width > 16384 || job->height > 16384)
        return say_error(EXIT_USER, "A picture has 16 to 16384 pixels a side, not %" PRIu64 " x %" PRIu64 ".",
                         job->width, job->height);
    if (job->noise_given && !(job->noise >= 1e-4 && job->noise <= 1))
        return say_error(EXIT_USER, "--noise is a share of the brightness, 0.0001 to 1, and %g is not.", job->noise);
    if (job->noise_given && !job->samples_given) job->samples = 1024;
    if (job->samples < 1 || job->samples > 65536)
        return say_error(EXIT_USER, "--samples lies between 1 and 65536, and %" PRIu64 " does not.", job->samples);
    if (!(job->elevation >= 0 && job->elevation <= 90) || !(fabs(job->azimuth) <= 3600))
        return say_error(EXIT_USER, "--elevation lies between 0 and 90 degrees, and --azimuth within ten turns.");
    if (job->threads_given && (job->threads < 1 || job->threads > 1024))
        return say_error(EXIT_USER, "--threads must lie between 1 and 1024, and %" PRIu64 " does not.", job->threads);
    if (job->rate_given && !(job->rate >= 1 && job->rate <= 240))
        return say_error(EXIT_USER, "--fps lies between 1 and 240, and %g does not.", job->rate);
    if (job->rate_given && !job->film) return say_error(EXIT_USER, "--fps is the rate of a film; give --film too.");
    return EXIT_FINE;
}

int render_words_check(render_job *job)
{
    const int look = option_word("look", job->look_name, look_at, NULL);
    const int camera = look < 0 ? -1 : option_word("camera", job->camera_name, camera_at, NULL);
    if (look < 0 || camera < 0) return EXIT_USER;
    job->look = (rill_look)look;
    job->orbit.kind = (rill_orbit_kind)camera;
    job->glass = rill_look_has_glass(job->look);
    if (job->tank_name) {
        const int tank = option_word("tank", job->tank_name, option_word_at, tanks);
        if (tank < 0) return EXIT_USER;
        job->glass = tank == 0;
    }
    const int ground = word_or_file("ground", job->ground_name, grounds);
    const int light = ground < 0 ? -1 : word_or_file("light", job->light_name, lights);
    if (ground < 0 || light < 0) return EXIT_USER;
    job->ground = (rill_ground_kind)ground;
    job->light = (rill_light_kind)light;
    const int code = numbers_check(job);
    return code ? code : formats_read(job);
}

static int job_check(render_job *job)
{
    int code = render_words_check(job);
    if (!code) code = out_read(job);
    return code || !job->film ? code : film_check(job->film);
}

options_result render_options_read(int count, char **arguments, render_job *job)
{
    *job = (render_job){.orbit = rill_orbit_default(RILL_ORBIT_FIXED), .look_name = "clear",
                        .camera_name = "fixed", .light_name = "sky", .ground_name = "plain",
                        .width = 1280, .height = 720, .samples = 64, .azimuth = -62, .elevation = 14};
    const option options[] = {
        {"frames", OPTION_TEXT, "A:B", "as in 10:20, 5: or last (when not given; a film: all)", &job->frames, NULL},
        {"look", OPTION_TEXT, "NAME", "clear (when not given), river, ocean, toy or clay", &job->look_name, NULL},
        {"camera", OPTION_TEXT, "NAME", "fixed (when not given), orbit or follow", &job->camera_name, NULL},
        {"azimuth", OPTION_NUMBER, "DEGREES", "where the camera stands, from +x to +y; -62", &job->azimuth, NULL},
        {"elevation", OPTION_NUMBER, "DEGREES", "and how high, 0 to 90; 14 when not given", &job->elevation, NULL},
        {"width", OPTION_COUNT, "PIXELS", "1280 when not given", &job->width, NULL},
        {"height", OPTION_COUNT, "PIXELS", "720 when not given", &job->height, NULL},
        {"samples", OPTION_COUNT, "N", "paths a pixel; 64 when not given", &job->samples, &job->samples_given},
        {"noise", OPTION_NUMBER, "E", "fewer where noise is below E of the brightness", &job->noise, &job->noise_given},
        {"caustics", OPTION_FLAG, NULL, "light gathered by water: true, and noisy", &job->caustics, NULL},
        {"light", OPTION_TEXT, "WHAT", "sky (when not given), lamps, or an EXR or PNG", &job->light_name, NULL},
        {"ground", OPTION_TEXT, "WHAT", "plain (when not given), checks, or an EXR or PNG", &job->ground_name, NULL},
        {"tank", OPTION_TEXT, "NAME", "glass or unseen; as the look has it when not given", &job->tank_name, NULL},
        {"mesh", OPTION_FLAG, NULL, "show the surfaces in RUN/mesh (PLY) as they are", &job->mesh, NULL},
        {"format", OPTION_TEXT, "NAMES", "png (when not given), exr or png,exr", &job->format_names, NULL},
        {"film", OPTION_TEXT, "FILE", "an .mp4 of the frames; needs ffmpeg", &job->film, NULL},
        {"fps", OPTION_NUMBER, "N", "frames of the film a second; as they happened, or 30", &job->rate,
         &job->rate_given},
        {"threads", OPTION_COUNT, "N", "threads to use; all cores when not given", &job->threads, &job->threads_given},
        {"out", OPTION_TEXT, "DIR|FILE", "where to; RUN, or RUN/render for several", &job->out, NULL},
        {"json", OPTION_FLAG, NULL, "print a summary as JSON", &job->json, NULL},
        {"quiet", OPTION_FLAG, NULL, "say nothing but errors", &job->quiet, NULL}};
    const option_choice choices[] = {{"frames", option_word_at, frames_words, false},
                                     {"look", look_at, NULL, false},
                                     {"camera", camera_at, NULL, false},
                                     {"light", option_word_at, lights, false},
                                     {"ground", option_word_at, grounds, false},
                                     {"tank", option_word_at, tanks, false},
                                     {"format", option_word_at, formats, true},
                                     {0}};
    const option_table table = {"render", "RUN [options]",
                                "Path-traced pictures of a run's frames; goes on where it was stopped.",
                                NULL, options, sizeof options / sizeof *options, 1, choices};
    size_t word_count;
    const char *words[1];
    const options_result read = options_read(&table, count, arguments, words, &word_count);
    if (read == OPTIONS_GO && word_count) job->run = words[0];
    job->orbit.azimuth = job->azimuth;
    job->orbit.elevation = job->elevation;
    return read;
}

/* ---- doing it ---- */

static int pictures_load(render_job *job)
{
    rill_error err = {0};
    if (job->light == RILL_LIGHT_MAP && rill_picture_read(job->light_name, &job->map, &err))
        return say_bad_file(&err);
    if (job->ground == RILL_GROUND_TEXTURE && rill_picture_read(job->ground_name, &job->texture, &err))
        return say_bad_file(&err);
    return EXIT_FINE;
}

static int folder_make(render_job *job)
{
    if (job->one) return EXIT_FINE;
    job->folder = job->out ? path_join("", job->out) : path_join(job->run, "render");
    if (path_make(job->folder.text)) return EXIT_FINE;
    return say_error(EXIT_MACHINE, "The folder %s cannot be made (%s); choose another with --out.", job->folder.text,
                     strerror(errno));
}

static int job_render(render_job *job, render_made *made)
{
    const double start = machine_seconds();
    rill_error err = {0};
    uint32_t count = 0;
    int code = render_orbit_plan(job);
    if (!code) code = folder_make(job);
    if (!code) code = render_state_open(job);
    if (code) return code;
    rill_threads *pool = rill_threads_create((unsigned)job->threads, &err);
    if (!pool) return say_failure(&err);
    const rill_scheduler scheduler = rill_threads_scheduler(pool);
    job->scheduler = &scheduler;
    code = render_frames(job, made, &count);
    rill_threads_destroy(pool);
    if (!code && job->film) code = render_film(job, made);
    const double seconds = machine_seconds() - start;
    if ((!code || code == EXIT_INTERRUPTED) && job->json) render_end_put(job, made, count, seconds);
    else if (!code && !job->quiet) render_end_say(job, made, count, seconds);
    return code;
}

static int job_run(render_job *job)
{
    rill_error err = {0};
    int code = frames_of(job->run, &job->list);
    if (code) return code;
    /* A picture takes minutes: without a word it is one, of the end. */
    if (!job->frames) job->frames = job->film ? ":" : "last";
    code = frames_pick(job->run, job->frames, &job->list);
    /* One picture by itself goes beside those of `rill shot`; several, or those of a film, into a folder. */
    if (!code && !job->out && !job->film && job->list.count == 1) job->one = true;
    else if (!code && job->one && job->list.count > 1)
        code = say_error(EXIT_USER,
                         "%s is one picture, and there are %" PRIu32 " frames; give a folder, or --frames last.",
                         job->out, job->list.count);
    if (!code) code = pictures_load(job);
    if (!code && rill_run_read_scene(job->run, &job->scene, &err)) code = say_failure(&err);
    if (!code && !job->quiet && job->tank_name && job->glass && (job->scene.periodic[0] || job->scene.periodic[1]))
        fprintf(stderr, "The domain wraps around, so there is no tank to draw.\n");
    if (!code && job->mesh) code = render_meshes_check(job);
    render_made *made = code ? NULL : calloc(job->list.count, sizeof *made);
    if (!code && !made) code = say_error(EXIT_MACHINE, "There is no memory left to list the frames.");
    if (!code) code = job_render(job, made);
    free(made);
    rill_scene_free(&job->scene);
    frames_free(&job->list);
    return code;
}

int command_render(int count, char **arguments)
{
    render_job job;
    const options_result read = render_options_read(count, arguments, &job);
    if (read != OPTIONS_GO) return options_code(read);
    if (!job.run) return say_error(EXIT_USER, "rill render needs a run, as in 'rill render runs/dam_break'.");
    int code = job_check(&job);
    if (!code) code = job_run(&job);
    rill_picture_free(&job.map);
    rill_picture_free(&job.texture);
    return code;
}

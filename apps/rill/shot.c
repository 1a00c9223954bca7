/* rill shot: a frame of a run as a picture, or frames as a film. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "film.h"
#include "frame_list.h"
#include "options.h"
#include "paths.h"
#include "progress.h"
#include "rill/shot.h"
#include "rill/store.h"
#include "say.h"
#include "stop.h"

typedef struct shot_request {
    const char *run, *frame, *frames, *colour, *range, *out, *film;
    uint64_t width, height;
    double azimuth, elevation, rate;
    bool frame_given, rate_given, surface, plain, quiet;
} shot_request;

static const char *const colours[] = {[RILL_SHOT_SPEED] = "speed",
                                      [RILL_SHOT_DENSITY] = "density",
                                      [RILL_SHOT_PRESSURE] = "pressure",
                                      [RILL_SHOT_FLUID] = "fluid",
                                      NULL};

static int shot_fill(const shot_request *r, rill_shot *shot)
{
    if (r->width > UINT32_MAX || r->height > UINT32_MAX)
        return say_error(EXIT_USER, "A picture of %" PRIu64 " x %" PRIu64 " pixels is too large.", r->width, r->height);
    shot->width = (uint32_t)r->width;
    shot->height = (uint32_t)r->height;
    shot->azimuth = r->azimuth;
    shot->elevation = r->elevation;
    shot->legend = !r->plain;
    shot->surface = r->surface;
    const int colour = option_word("colour", r->colour, option_word_at, colours);
    if (colour < 0) return EXIT_USER;
    shot->colour = (rill_shot_colour)colour;
    if (r->range && shot->colour == RILL_SHOT_FLUID)
        return say_error(EXIT_USER, "--range is of a scale, and --colour fluid has none.");
    return !r->range || option_range("range", r->range, &shot->low, &shot->high) ? EXIT_FINE : EXIT_USER;
}

static int picture_do(const shot_request *r, const rill_shot *shot, const rill_scene *scene, uint32_t number)
{
    rill_frame_file frame;
    rill_error err = {0};
    int code = frame_load(r->run, number, &frame);
    if (code) return code;
    char name[64];
    snprintf(name, sizeof name, "%s_%06" PRIu32 "_%s.png", r->surface ? "surface" : "shot", number, r->colour);
    path_text path = r->out ? path_join("", r->out) : path_join(r->run, name);
    rill_store_sweep(path.text);
    if (rill_shot_write(&frame, scene, shot, path.text, &err)) {
        code = say_failure(&err);
    } else if (!r->quiet) {
        const char *what = r->surface ? "the surface of frame" : "frame";
        const uint32_t far = rill_shot_far_count(&frame);
        printf("Drew %s %" PRIu32 " (t = %.3f s) by %s: %s\n", what, number, frame.time, r->colour, path.text);
        if (far) printf("  %s too far away to be shown\n", say_many(far, "particle").text);
    }
    rill_frame_file_free(&frame);
    return code;
}

/* One range and one box for the whole film, from frames spread over it; a range that was asked for stays. */
static int film_frame(const shot_request *r, rill_shot *shot, const rill_scene *scene, const frame_list *list)
{
    enum { LOOKED_AT = 9 };
    const rill_shot asked = *shot;
    rill_error err = {0};
    for (uint32_t i = 0; i < LOOKED_AT && i < list->count; i++) {
        const uint32_t among = list->count < LOOKED_AT ? list->count : LOOKED_AT;
        const uint32_t place = among > 1 ? (uint32_t)((uint64_t)i * (list->count - 1) / (among - 1)) : 0;
        rill_frame_file frame;
        int code = frame_load(r->run, list->numbers[place], &frame);
        if (code) return code;
        if (rill_shot_widen(&frame, scene, i == 0, shot, &err)) code = say_failure(&err);
        rill_frame_file_free(&frame);
        if (code) return code;
    }
    if (r->range) shot->low = asked.low, shot->high = asked.high;
    return EXIT_FINE;
}

static int film_draw(const shot_request *r, const rill_shot *shot, const rill_scene *scene, const frame_list *list,
                     film *f, uint8_t *rgb)
{
    progress bar = progress_start(r->quiet, 0);
    rill_error err = {0};
    int code = EXIT_FINE;
    for (uint32_t i = 0; i < list->count && !code; i++) {
        const double share = (double)i / list->count;
        if (progress_due(&bar, share)) {
            progress_line line = {0};
            progress_add(&line, 50, "frame %" PRIu32, list->numbers[i]);
            progress_show(&bar, share, &line);
        }
        rill_frame_file frame;
        if ((code = frame_load(r->run, list->numbers[i], &frame))) break;
        if (rill_shot_draw(&frame, scene, shot, rgb, &err)) code = say_failure(&err);
        if (!code) code = film_add(f, rgb);
        rill_frame_file_free(&frame);
        if (!code && stop_asked()) code = EXIT_INTERRUPTED;
    }
    progress_clear(&bar);
    return code;
}

static int film_do(const shot_request *r, rill_shot *shot, const rill_scene *scene, const frame_list *list)
{
    const double rate = r->rate_given ? r->rate : film_rate(scene->time.frames_per_second);
    film f = {0};
    int code = film_check(r->film);
    stop_catch();
    if (!code) code = film_frame(r, shot, scene, list);
    uint8_t *rgb = code ? NULL : malloc((size_t)shot->width * shot->height * 3 + 1);
    if (!code && !rgb) code = say_error(EXIT_MACHINE, "There is no memory left for a picture.");
    if (!code) code = film_start(&f, r->film, shot->width, shot->height, rate);
    if (!code) code = film_draw(r, shot, scene, list, &f, rgb);
    if (!code) code = film_end(&f);
    else film_cancel(&f);
    free(rgb);
    if (code == EXIT_INTERRUPTED) fprintf(stderr, "Stopped; nothing was written.\n");
    if (!code && !r->quiet)
        printf("A film of %s by %s, %.4g s: %s\n", say_many(list->count, "frame").text, r->colour, list->count / rate,
               r->film);
    return code;
}

static int list_do(const shot_request *r, rill_shot *shot, frame_list *list)
{
    rill_scene scene;
    rill_error err = {0};
    const char *frames = r->frames ? r->frames : r->film ? ":" : r->frame;
    int code = frames_pick(r->run, frames, list);
    if (!code && list->count > 1 && !r->film)
        code = say_error(EXIT_USER, "rill shot draws one frame, and '%s' names more; --film makes a film of them.",
                         frames);
    if (code) return code;
    if (rill_run_read_scene(r->run, &scene, &err)) return say_failure(&err);
    code = r->film ? film_do(r, shot, &scene, list) : picture_do(r, shot, &scene, list->numbers[0]);
    rill_scene_free(&scene);
    return code;
}

static int request_do(const shot_request *r)
{
    rill_shot shot = rill_shot_default();
    frame_list list;
    if (r->film && r->out) return say_error(EXIT_USER, "--film and --out contradict each other: a film is one file.");
    if (r->out && path_is_other_picture(r->out))
        return say_error(EXIT_USER, "A picture is written as .png, and %s ends otherwise.", r->out);
    if (r->frames && r->frame_given) return say_error(EXIT_USER, "--frame and --frames contradict each other.");
    if (r->rate_given && !(r->rate >= 1 && r->rate <= 240))
        return say_error(EXIT_USER, "--fps lies between 1 and 240, and %g does not.", r->rate);
    if (r->rate_given && !r->film) return say_error(EXIT_USER, "--fps is the rate of a film; give --film too.");
    if (r->film && r->frame_given) return say_error(EXIT_USER, "--frame is one picture; a film takes --frames A:B.");
    int code = shot_fill(r, &shot);
    if (code || (code = frames_of(r->run, &list))) return code;
    code = list_do(r, &shot, &list);
    frames_free(&list);
    return code;
}

int command_shot(int count, char **arguments)
{
    rill_shot usual = rill_shot_default();
    shot_request r = {.frame = "last", .colour = "speed", .width = usual.width, .height = usual.height,
                      .azimuth = usual.azimuth, .elevation = usual.elevation};
    const option options[] = {
        {"frame", OPTION_TEXT, "K", "which frame, a number or last (when not given)", &r.frame, &r.frame_given},
        {"frames", OPTION_TEXT, "A:B", "for a film, as in 10:20 or 5:; all when not given", &r.frames, NULL},
        {"film", OPTION_TEXT, "FILE", "an .mp4 of the frames; needs ffmpeg", &r.film, NULL},
        {"fps", OPTION_NUMBER, "N", "frames of the film a second; as they happened, or 30", &r.rate, &r.rate_given},
        {"colour", OPTION_TEXT, "WHAT", "speed (when not given), density, pressure or fluid", &r.colour, NULL},
        {"range", OPTION_TEXT, "LOW:HIGH", "of the colour scale; from the frame when not given", &r.range, NULL},
        {"width", OPTION_COUNT, "PIXELS", "1280 when not given", &r.width, NULL},
        {"height", OPTION_COUNT, "PIXELS", "720 when not given", &r.height, NULL},
        {"azimuth", OPTION_NUMBER, "DEGREES", "where the camera stands, from +x towards +y", &r.azimuth, NULL},
        {"elevation", OPTION_NUMBER, "DEGREES", "and how high, -90 to 90", &r.elevation, NULL},
        {"surface", OPTION_FLAG, NULL, "the liquid's closed surface instead of spheres", &r.surface, NULL},
        {"plain", OPTION_FLAG, NULL, "without legend and words", &r.plain, NULL},
        {"out", OPTION_TEXT, "FILE", "the PNG; in the run folder when not given", &r.out, NULL},
        {"quiet", OPTION_FLAG, NULL, "say nothing but errors", &r.quiet, NULL}};
    const option_choice choices[] = {{"frame", option_word_at, frames_words, false},
                                     {"frames", option_word_at, frames_words, false},
                                     {"colour", option_word_at, colours, false},
                                     {0}};
    const option_table table = {"shot", "RUN [options]",
                                "Draws a frame of a run, as shaded spheres or as a surface, or a film of frames.",
                                "  rill shot runs/dam_break --frame 30 --colour pressure\n"
                                "  rill shot runs/dam_break --surface\n"
                                "  rill shot runs/dam_break --film dam.mp4\n"
                                "  rill shot runs/dam_break --azimuth -90 --elevation 5 --out side.png",
                                options, sizeof options / sizeof *options, 1, choices};
    size_t word_count;
    const char *words[1];
    options_result read = options_read(&table, count, arguments, words, &word_count);
    if (read != OPTIONS_GO) return options_code(read);
    if (!word_count)
        return say_error(EXIT_USER, "rill shot needs a run, as in 'rill shot runs/dam_break --frame last'.");
    r.run = words[0];
    return request_do(&r);
}

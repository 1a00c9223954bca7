/* The steps of a run: a frame at a time until the end, or until asked to stop. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "machine.h"
#include "run_parts.h"
#include "say.h"
#include "stop.h"

/* One rule for a fresh and a resumed run: both aim every step at the same times, to the bit. */
double run_frame_next(const rill_scene *scene, double t)
{
    double rate = scene->time.frames_per_second, end = scene->time.end;
    if (!scene->output.frames || !(rate > 0)) return end;
    double next = (floor(t * rate + 1e-6) + 1) / rate;
    return next > end - 1e-6 / rate ? end : next;
}

typedef struct loop {
    const run_plan *plan;
    rill_world *world;
    rill_run *run;
    run_tally *tally;
    progress progress;
    uint64_t window_steps; /* since the speed was last taken */
    double window_start, steps_per_second;
    bool window_whole;
    double window_time, rate; /* simulated s where the window began; simulated s per s, of late */
    double stop_at; /* when to give up the next frame, by machine_seconds; 0: nobody asked to stop */
} loop;

static double share_of(const loop *l)
{
    return fmin(rill_world_time(l->world) / l->plan->scene.time.end, 1);
}

/* Time left is judged by how fast the run was over about so many seconds: steps of the start, when all is at rest, say
 * little about a splash. */
static const double rate_memory = 30;

/* Steps a second over the last second or so; before there is one, since the start. */
static void speed_take(loop *l)
{
    double seconds = machine_seconds() - l->window_start;
    if (seconds < 1 && l->window_whole) return;
    if (seconds > 0) l->steps_per_second = (double)l->window_steps / seconds;
    if (seconds < 1) return;
    const double time = rill_world_time(l->world), now = (time - l->window_time) / seconds;
    l->rate = l->window_whole ? l->rate + fmin(seconds / rate_memory, 1) * (now - l->rate) : now;
    l->window_time = time;
    l->window_whole = true;
    l->window_start += seconds;
    l->window_steps = 0;
}

/* As "5+1 it", those of every method that iterates. */
static void iterations_show(const loop *l, const rill_report *report, progress_line *line)
{
    char text[64] = "";
    const rill_column *column;
    for (uint32_t i = 0; (column = rill_world_column(l->world, i)); i++) {
        const size_t length = strlen(text);
        if (strncmp(column->name, "iterations_", 11)) continue;
        snprintf(text + length, sizeof text - length, "%s%.0f", length ? "+" : "",
                 rill_report_value_at(l->world, report, i));
    }
    if (*text)
        progress_add(line, 30, "%s it, error %.3g %%", text, rill_report_value(l->world, report, "density_error"));
}

static void line_show(loop *l, const rill_report *report)
{
    const rill_scene *scene = &l->plan->scene;
    double time = rill_world_time(l->world), rate = scene->time.frames_per_second;
    speed_take(l);
    progress_line line = {0};
    if (l->plan->label) progress_add(&line, 60, "%s", l->plan->label);
    if (scene->output.frames && rate > 0)
        progress_add(&line, 50, "frame %.0f/%.0f", floor(time * rate + 1e-6), ceil(scene->time.end * rate - 1e-6));
    progress_add(&line, 70, "t %.3f s", time);
    progress_add(&line, 20, "%s", say_many(report->particles, "particle").text);
    progress_add(&line, 40, "%.*f steps/s", l->steps_per_second < 10 ? 1 : 0, l->steps_per_second);
    iterations_show(l, report, &line);
    if (l->rate > 0) progress_show_left(&l->progress, share_of(l), (scene->time.end - time) / l->rate, &line);
    else progress_show(&l->progress, share_of(l), &line);
}

/* How long a run that is asked to stop goes on towards its next frame, s. */
static const double stop_patience = 5;

static void stop_notice(loop *l)
{
    if (!stop_asked() || l->stop_at > 0) return;
    l->stop_at = machine_seconds() + stop_patience;
    if (l->progress.quiet) return;
    progress_clear(&l->progress);
    fprintf(stderr, "Finishing the frame under way; Ctrl-C again stops at once.\n");
}

/* A file could not be written: what was whole before stays so. */
static int write_fail(loop *l, const rill_error *err)
{
    progress_clear(&l->progress);
    int code = say_failure(err);
    if (!l->progress.quiet)
        fprintf(stderr, "The frames written so far are whole; go on later with: %s run --resume --out %s\n",
                say_program(), path_quote(l->plan->folder.text).text);
    return code;
}

static int frame_write(loop *l)
{
    rill_error err = {0};
    double start = machine_seconds();
    rill_status status = rill_run_write_frame(l->run, l->world, &err);
    l->tally->write_seconds += machine_seconds() - start;
    if (status) return write_fail(l, &err);
    l->tally->frames++;
    return EXIT_FINE;
}

static int step_take(loop *l, double until)
{
    rill_controls controls = {.until = until};
    rill_report report = {0};
    rill_error err = {0}, table_err = {0};
    rill_status status = rill_step(l->world, &controls, &report, &err);
    if (status && status != RILL_TROUBLE) {
        progress_clear(&l->progress);
        return say_failure(&err);
    }
    l->tally->steps++;
    rill_summary_add(&l->tally->report, l->world, &report);
    l->window_steps++;
    double start = machine_seconds();
    rill_status table = rill_run_write_report(l->run, l->world, &report, &table_err);
    l->tally->write_seconds += machine_seconds() - start;
    if (status) {
        l->tally->trouble = err;
        return EXIT_TROUBLE;
    }
    if (table) return write_fail(l, &table_err);
    if (progress_due(&l->progress, share_of(l))) line_show(l, &report);
    return EXIT_FINE;
}

/* Steps to the next frame and writes it. Where frames are not wanted, being asked to stop is reason enough for one: it
 * is what the run resumes from. Where the next frame is too far, the run resumes from the last. */
static int frame_advance(loop *l)
{
    double until = run_frame_next(&l->plan->scene, rill_world_time(l->world));
    bool wait = l->plan->scene.output.frames && l->plan->scene.time.frames_per_second > 0;
    while (rill_world_time(l->world) < until && !(stop_asked() && !wait)) {
        int code = step_take(l, until);
        if (code) return code;
        stop_notice(l);
        if (l->stop_at > 0 && machine_seconds() > l->stop_at) {
            if (!l->progress.quiet) fprintf(stderr, "The next frame is too far; the run resumes from the last one.\n");
            return EXIT_FINE;
        }
    }
    return frame_write(l);
}

/* The state before the first step is a frame too; a run killed before it was whole still lacks it. */
static int first_frame_write(loop *l)
{
    const rill_scene *scene = &l->plan->scene;
    if (rill_world_step_count(l->world) || !scene->output.frames || !(scene->time.frames_per_second > 0))
        return EXIT_FINE;
    rill_error err;
    uint32_t *numbers = NULL, count = 0;
    if (rill_run_list_frames(l->plan->folder.text, &numbers, &count, &err)) return say_failure(&err);
    rill_free(numbers);
    return count ? EXIT_FINE : frame_write(l);
}

int run_loop(const run_plan *plan, rill_world *world, rill_run *run, bool quiet, run_tally *tally)
{
    loop l = {.plan = plan, .world = world, .run = run, .tally = tally, .window_start = machine_seconds()};
    l.window_time = rill_world_time(world);
    stop_catch();
    l.progress = progress_start(quiet, share_of(&l));
    int code = first_frame_write(&l);
    while (!code && rill_world_time(world) < plan->scene.time.end && !stop_asked()) code = frame_advance(&l);
    progress_clear(&l.progress);
    if (!code && rill_world_time(world) < plan->scene.time.end) {
        tally->interrupted = true;
        code = EXIT_INTERRUPTED;
    }
    return code;
}

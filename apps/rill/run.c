/* rill run: a scene into a run folder, or an old run to its end. */
#include <stdlib.h>

#include "command.h"
#include "machine.h"
#include "rill/shot.h"
#include "run_parts.h"
#include "say.h"

static options_result request_read(int count, char **arguments, run_request *r)
{
    const option options[] = {
        {"solver", OPTION_TEXT, "NAME", "instead of the scene's solver", &r->solver, NULL},
        {"particles", OPTION_COUNT, "N", "about so many fluid particles ...", &r->particles, &r->particles_given},
        {"diameter", OPTION_TEXT, "D", "... or of this diameter, as in 20mm", &r->diameter, NULL},
        {"time", OPTION_TEXT, "S", "simulate so long, as in 2s", &r->time, NULL},
        {"fps", OPTION_TEXT, "F", "frames a second of simulated time", &r->fps, NULL},
        {"threads", OPTION_COUNT, "N", "threads to use; all cores when not given", &r->threads, &r->threads_given},
        {"out", OPTION_TEXT, "DIR", "the run folder; runs/NAME when not given", &r->out, NULL},
        {"resume", OPTION_FLAG, NULL, "go on with the run in DIR from its last frame", &r->resume, NULL},
        {"set", OPTION_LIST, "KEY=VALUE", "any key of the scene, as in time.step.cfl=0.2", &r->settings, NULL},
        {"json", OPTION_FLAG, NULL, "print a summary as JSON at the end", &r->json, NULL},
        {"quiet", OPTION_FLAG, NULL, "say nothing but errors", &r->quiet, NULL}};
    const option_choice choices[] = {{"solver", run_solver_at, NULL, false}, {0}};
    const option_table table = {
        "run", "SCENE [options]   or: rill run --resume --out DIR",
        "Simulates a scene, by name ('rill scenes') or as a file, into a run folder.",
        "  rill run dam_break --particles 10000 --time 1s\n"
        "  rill run dam_break --set fluids.water.viscosity.value=0.1 --out runs/thick\n"
        "--set may be given again and again. Ctrl-C stops after the frame under way;\n"
        "--resume goes on as if nothing had happened.",
        options, sizeof options / sizeof *options, 1, choices};
    size_t word_count;
    const char *words[1];
    options_result result = options_read(&table, count, arguments, words, &word_count);
    if (result == OPTIONS_GO && word_count) r->scene = words[0];
    return result;
}

/* A picture of the last frame. The run is whole without one, but what was promised is not all there. */
static int picture_make(const run_plan *plan, run_tally *tally)
{
    rill_error err = {0};
    uint32_t *numbers = NULL, count = 0;
    rill_frame_file frame;
    path_text path;
    if (rill_run_list_frames(plan->folder.text, &numbers, &count, &err)) return say_failure(&err);
    if (!count) {
        rill_free(numbers);
        return EXIT_FINE;
    }
    rill_status status = rill_run_frame_path(plan->folder.text, numbers[count - 1], path.text, sizeof path.text, &err);
    rill_free(numbers);
    if (!status) status = rill_frame_file_read(path.text, &frame, &err);
    if (!status) {
        rill_shot shot = rill_shot_default();
        path = path_join(plan->folder.text, "last.png");
        status = rill_shot_write(&frame, &plan->scene, &shot, path.text, &err);
        rill_frame_file_free(&frame);
    }
    if (status) return say_failure(&err);
    tally->picture = path;
    return EXIT_FINE;
}

static rill_run *run_open(const run_plan *plan, rill_world *world, rill_error *err)
{
    if (plan->resume) return rill_run_resume(plan->folder.text, world, err);
    return rill_run_create(plan->folder.text, world, err);
}

static void trouble_say(const run_plan *plan, const run_tally *tally, bool quiet)
{
    say_failure(&tally->trouble);
    if (quiet) return;
    path_text folder = path_quote(plan->folder.text);
    path_text scene = path_quote(path_join(plan->folder.text, "scene.yaml").text);
    fprintf(stderr, "The last good frame is kept: %s shot %s --frame last\n"
                    "To go on from it, lower time.step.max or set trouble.then: continue in %s, then: %s run --resume "
                    "--out %s\n",
            say_program(), folder.text, scene.text, say_program(), folder.text);
}

/* From the world to the closed run: what the summary is about. */
static int world_run(const run_request *r, const run_plan *plan, rill_world *world, run_tally *tally)
{
    rill_error err = {0};
    rill_run *run = run_open(plan, world, &err);
    if (!run) return say_failure(&err);
    /* Said once nothing stands in the way any more, so that a refusal is the only line there is. */
    if (!r->quiet) run_plan_say(plan, rill_world_threads(world));
    if (!r->quiet && *rill_run_note(run)) fprintf(stderr, "%s\n", rill_run_note(run));
    tally->resumed = plan->resume;
    int code = run_loop(plan, world, run, r->quiet, tally);
    if (code == EXIT_TROUBLE) trouble_say(plan, tally, r->quiet);
    if (rill_run_close(run, &err) && (code == EXIT_FINE || code == EXIT_INTERRUPTED)) code = say_failure(&err);
    /* A run that failed for want of memory has said so. */
    if (!run_tally_world(tally, world) && (code == EXIT_FINE || code == EXIT_INTERRUPTED))
        code = say_error(EXIT_MACHINE, "There is no memory left for the account of the boundaries.");
    run_tally_recall(tally, plan->folder.text);
    return code;
}

static int plan_execute(const run_request *r, const run_plan *plan)
{
    run_tally *tally = calloc(1, sizeof *tally);
    if (!tally) return say_error(EXIT_MACHINE, "There is no memory left to start the run.");
    tally->started = machine_seconds();
    rill_error err = {0};
    rill_options options = {.threads = (unsigned)r->threads};
    rill_world *world = rill_world_create(&plan->scene, &options, &err);
    if (!world) {
        free(tally);
        return say_failure(&err);
    }
    int code = world_run(r, plan, world, tally);
    bool ended = code == EXIT_FINE || code == EXIT_INTERRUPTED;
    tally->wall = machine_seconds() - tally->started;
    tally->cpu = machine_cpu_seconds();
    tally->peak_memory = machine_peak_memory();
    rill_world_destroy(world);
    if (code == EXIT_FINE) code = picture_make(plan, tally);
    tally->exit_code = code;
    if (ended && !r->quiet) run_tally_say(tally, plan, r->json ? stderr : stdout);
    if (r->json && (ended || code == EXIT_TROUBLE)) run_tally_json(tally, plan, stdout);
    run_tally_free(tally);
    free(tally);
    return code;
}

int command_run(int count, char **arguments)
{
    run_request request = {0};
    options_result read = request_read(count, arguments, &request);
    run_plan plan = {0};
    int code = options_code(read);
    if (read == OPTIONS_GO) {
        code = run_plan_make(&request, &plan);
        if (!code) code = run_estimate(&plan.scene, &plan.estimate);
        if (!code) code = run_plan_check(&plan);
        if (!code) code = plan_execute(&request, &plan);
        run_plan_free(&plan);
    }
    option_list_free(&request.settings);
    return code;
}

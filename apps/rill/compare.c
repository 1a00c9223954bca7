/* rill compare: one scene with several solvers, one after the other, and what
 * each of them took and gave. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "compare_parts.h"
#include "machine.h"
#include "rill/store.h"
#include "rill/text.h"
#include "run_parts.h"
#include "say.h"

typedef struct compare_request {
    run_request run;
    const char *solvers;
    char names[COMPARE_MAX][RILL_NAME_SIZE];
    size_t count;
} compare_request;

/* Any solver, or all of them. */
static const char *solver_word_at(const void *context, int i)
{
    return i ? run_solver_at(context, i - 1) : "all";
}

static options_result request_read(int count, char **arguments, compare_request *q)
{
    run_request *r = &q->run;
    const option options[] = {
        {"solvers", OPTION_TEXT, "A,B,...", "which ones, or all (when not given)", &q->solvers, NULL},
        {"particles", OPTION_COUNT, "N", "about so many fluid particles ...", &r->particles, &r->particles_given},
        {"diameter", OPTION_TEXT, "D", "... or of this diameter, as in 20mm", &r->diameter, NULL},
        {"time", OPTION_TEXT, "S", "simulate so long, as in 2s", &r->time, NULL},
        {"fps", OPTION_TEXT, "F", "frames a second; the last alone when not given", &r->fps, NULL},
        {"threads", OPTION_COUNT, "N", "threads to use; all cores when not given", &r->threads, &r->threads_given},
        {"out", OPTION_TEXT, "DIR", "the folder; runs/NAME-compare when not given", &r->out, NULL},
        {"set", OPTION_LIST, "KEY=VALUE", "any key of the scene, as in time.step.cfl=0.2", &r->settings, NULL},
        {"json", OPTION_FLAG, NULL, "print the table as JSON", &r->json, NULL},
        {"quiet", OPTION_FLAG, NULL, "say nothing but errors", &r->quiet, NULL}};
    const option_choice choices[] = {{"solvers", solver_word_at, NULL, true}, {0}};
    const option_table table = {
        "compare", "SCENE [options]",
        "Simulates a scene with each solver at the same tolerance and sets side by side\n"
        "what they took and gave: a table (CSV, markdown, JSON) and plots (with gnuplot).",
        "  rill compare dam_break --particles 10000 --time 1s\n"
        "  rill compare still_tank --solvers dfsph,wcsph --out runs/both\n"
        "The tolerance is the scene's, else 0.1 %; --set solver.density_error=1% sets it.",
        options, sizeof options / sizeof *options, 1, choices};
    size_t word_count;
    const char *words[1];
    options_result result = options_read(&table, count, arguments, words, &word_count);
    if (result == OPTIONS_GO && word_count) r->scene = words[0];
    return result;
}

static int solver_add(compare_request *q, const char *name, size_t length)
{
    char word[RILL_NAME_SIZE];
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    for (size_t i = 0; i < q->count; i++) {
        if (!strcmp(q->names[i], word)) return say_error(EXIT_USER, "--solvers names %s twice.", word);
    }
    uint32_t known = 0;
    while (rill_solver_name(known) && strcmp(rill_solver_name(known), word)) known++;
    if (!rill_solver_name(known)) {
        const char *nearest = rill_spelling_nearest(word, run_solver_at, NULL);
        return say_error(EXIT_USER, "There is no solver '%s'%s%s%s.", word, nearest ? "; did you mean '" : "",
                         nearest ? nearest : "", nearest ? "'?" : "; 'all' takes all there are");
    }
    if (q->count == COMPARE_MAX) return say_error(EXIT_USER, "At most %d solvers fit one comparison.", COMPARE_MAX);
    snprintf(q->names[q->count++], RILL_NAME_SIZE, "%s", word);
    return EXIT_FINE;
}

/* The names after --solvers, or all there are. */
static int solvers_choose(compare_request *q)
{
    int code = EXIT_FINE;
    if (!q->solvers || !strcmp(q->solvers, "all")) {
        for (uint32_t i = 0; rill_solver_name(i) && q->count < COMPARE_MAX; i++)
            code = solver_add(q, rill_solver_name(i), strlen(rill_solver_name(i)));
        return code;
    }
    for (const char *at = q->solvers; !code; at++) {
        size_t length = strcspn(at, ",");
        code = solver_add(q, at, length);
        at += length;
        if (!*at) break;
    }
    return code;
}

/* Frames cost time that is not the solver's, so there is the last alone unless they are asked for. */
static bool frames_asked(const run_request *r)
{
    for (size_t i = 0; i < r->settings.count; i++) {
        const char *setting = r->settings.items[i];
        if (!strncmp(setting, "time=", 5) || !strncmp(setting, "time.frames", 11)) return true;
    }
    return r->fps;
}

/* Where the scene leaves it to the solver: one that all of them reach. */
static const double SAME_TOLERANCE = 1e-3;

static int plan_make(const compare_request *q, const compare_row *row, run_plan *plan)
{
    run_request r = q->run;
    r.solver = row->solver;
    r.out = row->folder.text;
    int code = run_plan_make(&r, plan);
    if (code) return code;
    if (!frames_asked(&r)) plan->scene.time.frames_per_second = 0;
    if (!(plan->scene.solver.density_error > 0)) plan->scene.solver.density_error = SAME_TOLERANCE;
    code = run_estimate(&plan->scene, &plan->estimate);
    return code ? code : run_plan_check(plan);
}

/* What the particles have before the first step. */
static void start_measure(const rill_world *world, compare_row *row)
{
    const rill_frame f = rill_world_frame(world);
    const rill_scene *scene = rill_world_scene(world);
    const double volume = rill_world_particle_volume(world);
    row->start_energy = 0;
    row->start_volume = row->end_volume = rill_world_volume(world);
    for (size_t i = 0; i < f.count; i++) {
        const float *x = f.position + 4 * i, *v = f.velocity + 4 * i;
        const double mass = scene->fluids[f.fluid[i]].density * volume;
        const double speed2 = (double)v[0] * v[0] + (double)v[1] * v[1] + (double)v[2] * v[2];
        row->start_energy += mass * (0.5 * speed2 - scene->gravity.x * x[0] - scene->gravity.y * x[1] -
                                     scene->gravity.z * x[2]);
    }
}

static void start_say(const compare_request *q, const compare *c)
{
    fprintf(stderr, "%s with %s, %g s each, mean compression below %g %% where a solver iterates\n", c->scene.name,
            say_many(q->count, "solver").text, c->scene.time.end, 100 * c->scene.solver.density_error);
}

/* The run of one solver. Its own trouble goes into its row; what is returned concerns all. */
static int row_run(const compare_request *q, compare *c, const run_plan *plan, rill_world *world,
                   compare_row *row)
{
    rill_error err = {0};
    run_tally tally = {0};
    rill_run *run = rill_run_create(plan->folder.text, world, &err);
    if (!run) return say_failure(&err);
    /* Said once nothing stands in the way any more, so that a refusal is the only line there is. */
    if (!c->said && !q->run.quiet) start_say(q, c);
    c->said = true;
    start_measure(world, row);
    int code = run_loop(plan, world, run, q->run.quiet, &tally);
    if (rill_run_close(run, &err) && !code) code = say_failure(&err);
    row->write = tally.write_seconds;
    row->end_volume = rill_world_volume(world);
    if (code == EXIT_TROUBLE) {
        snprintf(row->reason, sizeof row->reason, "%s", tally.trouble.text);
        code = EXIT_FINE;
    }
    if (code == EXIT_INTERRUPTED)
        snprintf(row->reason, sizeof row->reason, "Stopped on request at %.4g s.",
                 rill_summary_value(&tally.report, "time"));
    return code;
}

static int row_make(const compare_request *q, compare *c, compare_row *row)
{
    run_plan plan = {0};
    rill_error err = {0};
    char label[RILL_NAME_SIZE + 32];
    const rill_options options = {.threads = (unsigned)q->run.threads};
    int code = plan_make(q, row, &plan);
    const double start = machine_seconds();
    rill_world *world = code ? NULL : rill_world_create(&plan.scene, &options, &err);
    snprintf(label, sizeof label, "%s (%zu of %zu)", row->solver, (size_t)(row - c->rows) + 1, q->count);
    plan.label = label;
    if (world) {
        c->threads = rill_world_threads(world);
        c->particles = rill_world_frame(world).count;
        code = row_run(q, c, &plan, world, row);
    } else if (!code && err.status != RILL_BAD_INPUT) {
        code = say_failure(&err);
    } else if (!code) {
        snprintf(row->reason, sizeof row->reason, "%s", err.text);
    }
    row->wall = machine_seconds() - start;
    rill_world_destroy(world);
    run_plan_free(&plan);
    if (world && (code == EXIT_FINE || code == EXIT_INTERRUPTED)) {
        const rill_status status = rill_run_read_table(row->folder.text, "report.csv", &row->report, &err);
        const int table = status ? say_failure(&err) : EXIT_FINE;
        code = code ? code : table;
    }
    compare_row_fill(row);
    if (*row->reason && !q->run.quiet) fprintf(stderr, "  %s: %s\n", row->solver, row->reason);
    return code;
}

static int file_save(const compare *c, const char *name, void (*put)(const compare *c, FILE *out))
{
    rill_error err = {0};
    rill_store store;
    if (rill_store_open(&store, path_join(c->folder.text, name).text, &err)) return say_failure(&err);
    put(c, store.file);
    return rill_store_commit(&store, &err) ? say_failure(&err) : EXIT_FINE;
}

static int results_give(const compare_request *q, compare *c)
{
    int code = file_save(c, "compare.csv", compare_put_csv);
    if (!code) code = file_save(c, "compare.json", compare_put_json);
    if (!code) code = compare_draw(c);
    if (!code) code = file_save(c, "compare.md", compare_put_markdown);
    if (q->run.json) compare_put_json(c, stdout);
    if (!q->run.quiet) {
        FILE *out = q->run.json ? stderr : stdout;
        compare_print(c, out);
        fprintf(out, "\n  table     %s, .csv and .json\n", path_join(c->folder.text, "compare.md").text);
        if (c->drawn)
            fprintf(out, "  plots     density_error, kinetic_energy, stages, .png and .svg, in %s\n", c->folder.text);
    }
    return code;
}

static int solvers_run(const compare_request *q, compare *c)
{
    int code = EXIT_FINE;
    bool failed = false;
    for (size_t i = 0; i < q->count && !code; i++) {
        compare_row *row = &c->rows[c->count++];
        row->solver = q->names[i];
        row->folder = path_join(c->folder.text, q->names[i]);
        code = row_make(q, c, row);
        failed = failed || *row->reason;
    }
    if (code && code != EXIT_INTERRUPTED) return code;
    /* A scene that no solver can begin with is at fault itself. */
    if (!c->particles && failed) return say_error(EXIT_USER, "%s", c->rows[0].reason);
    const int given = results_give(q, c);
    return given ? given : code ? code : failed ? EXIT_TROUBLE : EXIT_FINE;
}

/* What is there stays: a run, another comparison, files of a solver's name. */
static int folder_check(const compare_request *q, const compare *c)
{
    if (rill_run_exists(c->folder.text))
        return say_error(EXIT_USER, "%s already holds a run; choose another folder with --out.", c->folder.text);
    for (size_t i = 0; i <= q->count; i++) {
        path_text path = path_join(c->folder.text, i < q->count ? q->names[i] : "compare.csv");
        if (path_exists(path.text))
            return say_error(EXIT_USER, "%s is there already; choose another folder with --out.", path.text);
    }
    return EXIT_FINE;
}

/* Mistakes are told before the first solver runs for an hour. */
static int request_do(compare_request *q, compare *c)
{
    run_request r = q->run;
    int code = solvers_choose(q);
    if (code) return code;
    if (!r.scene)
        return say_error(EXIT_USER,
                         "rill compare needs a scene, as in 'rill compare dam_break'; 'rill scenes' lists them.");
    if (rill_run_exists(r.scene)) return say_error(EXIT_USER, "%s holds a run; rill compare wants its scene.", r.scene);
    r.solver = q->names[0];
    run_plan plan = {0};
    code = run_plan_make(&r, &plan);
    c->scene = plan.scene;
    if (!(c->scene.solver.density_error > 0)) c->scene.solver.density_error = SAME_TOLERANCE;
    if (code) return code;
    char name[RILL_NAME_SIZE + 16];
    snprintf(name, sizeof name, "%s-compare", c->scene.name);
    c->folder = r.out ? plan.folder : path_run_free(name);
    code = folder_check(q, c);
    return code ? code : solvers_run(q, c);
}

int command_compare(int count, char **arguments)
{
    compare_request request = {0};
    compare *c = calloc(1, sizeof *c);
    if (!c) return say_error(EXIT_MACHINE, "There is no memory left to compare solvers.");
    options_result read = request_read(count, arguments, &request);
    int code = options_code(read);
    if (read == OPTIONS_GO) code = request_do(&request, c);
    for (size_t i = 0; i < c->count; i++) rill_table_data_free(&c->rows[i].report);
    rill_scene_free(&c->scene);
    free(c);
    option_list_free(&request.run.settings);
    return code;
}

/* What rill is measured on: a column of water that has begun to fall. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine.h"
#include "parts.h"
#include "say.h"
#include "water.h"
#include "world/world.h"

/* A metre cube of water at one end of a tank two metres long. */
static rill_status column_scene(const char *solver, uint64_t particles, rill_scene *scene, rill_error *err)
{
    *scene = rill_scene_default();
    snprintf(scene->name, sizeof scene->name, "bench_column");
    snprintf(scene->solver.kind, sizeof scene->solver.kind, "%s", solver);
    /* Those of the paper whose table is repeated. */
    if (!strcmp(solver, "pbf")) scene->solver.iterations_min = scene->solver.iterations_pbf = 3;
    scene->time.end = 10;
    scene->output.density = scene->output.pressure = false;
    rill_fluid water = rill_fluid_default();
    rill_fill fill = rill_fill_default();
    fill.shape = (rill_shape){.kind = RILL_SHAPE_BOX, .from = {0, 0, 0}, .to = {1, 1, 1}};
    rill_boundary tank = rill_boundary_default();
    snprintf(tank.name, sizeof tank.name, "tank");
    tank.shape = (rill_shape){.kind = RILL_SHAPE_BOX, .from = {0, 0, 0}, .to = {2, 1, 1.5}};
    tank.snap = true;
    rill_status status = rill_scene_add_fluid(scene, &water, err);
    if (!status) status = rill_scene_add_fill(scene, &fill, err);
    if (!status) status = rill_scene_add_boundary(scene, &tank, err);
    if (!status) scene->particle_diameter = rill_scene_diameter_for(scene, particles);
    if (status) rill_scene_free(scene);
    return status;
}

rill_world *bench_column_create(const char *solver, uint64_t particles, unsigned threads)
{
    rill_scene scene;
    rill_error err = {0};
    rill_options options = {.threads = threads};
    if (column_scene(solver, particles, &scene, &err)) {
        say_failure(&err);
        return NULL;
    }
    rill_world *world = rill_world_create(&scene, &options, &err);
    rill_scene_free(&scene);
    if (!world) say_failure(&err);
    return world;
}

int bench_steps_take(rill_world *world, int count, rill_report *report)
{
    rill_error err = {0};
    for (int i = 0; i < count; i++) {
        if (rill_step(world, NULL, report, &err)) return say_failure(&err);
    }
    return EXIT_FINE;
}

/* ---- the same steps again and again ---- */

/* What one batch of steps took, in seconds and calls. */
typedef struct batch {
    double step, search, density;
    uint64_t iterations;
    rill_report last;
} batch;

static int phase_find(const char *name)
{
    for (uint32_t i = 0; i < RILL_PHASE_MAX && rill_phase_name(i); i++) {
        if (!strcmp(rill_phase_name(i), name)) return (int)i;
    }
    return -1;
}

/* Of all loops of the solver in one step. */
static uint64_t iterations_of(const rill_world *world, const rill_report *report)
{
    const double density = rill_report_value(world, report, "iterations_density");
    const double divergence = rill_report_value(world, report, "iterations_divergence");
    return (uint64_t)((density > 0 ? density : 0) + (divergence > 0 ? divergence : 0));
}

/* Steps from a snapshot. The first warms the caches, and does not count. */
static int batch_run(rill_world *world, const rill_snapshot *snapshot, int steps, batch *b)
{
    rill_error err = {0};
    const int search = phase_find("search"), density = phase_find("density");
    if (rill_snapshot_apply(world, snapshot, &err)) return say_failure(&err);
    int code = bench_steps_take(world, 1, &b->last);
    *b = (batch){0};
    world->sph.runner.timer_count = 0; /* passes are timed from here on */
    const double start = machine_seconds();
    for (int i = 0; i < steps && !code; i++) {
        code = bench_steps_take(world, 1, &b->last);
        b->iterations += iterations_of(world, &b->last);
        if (search >= 0) b->search += b->last.phase_seconds[search];
        if (density >= 0) b->density += b->last.phase_seconds[density];
    }
    b->step = machine_seconds() - start;
    return code;
}

static bench_pass *pass_of(bench_times *t, const char *name)
{
    for (size_t i = 0; i < t->pass_count; i++) {
        if (!strcmp(t->passes[i].name, name)) return &t->passes[i];
    }
    if (t->pass_count == BENCH_PASSES_MAX) return NULL;
    bench_pass *pass = &t->passes[t->pass_count++];
    *pass = (bench_pass){.time = INFINITY};
    snprintf(pass->name, sizeof pass->name, "%s", name);
    return pass;
}

static void pass_note(bench_times *t, const char *name, double seconds, double calls, int steps, double particles)
{
    bench_pass *pass = calls > 0 ? pass_of(t, name) : NULL;
    if (!pass) return;
    pass->time = fmin(pass->time, 1e9 * seconds / calls / particles);
    pass->calls = calls / steps;
}

/* What a pass does, by which rows are called: the first word of its name behind that of the solver. Passes with the
 * same word are timed together. */
typedef struct role {
    char word[32];
} role;

static role role_of(const rill_world *world, const char *name)
{
    role r;
    const size_t solver = strlen(world->solver->name);
    if (!strncmp(name, world->solver->name, solver) && name[solver] == '_') name += solver + 1;
    snprintf(r.word, sizeof r.word, "%.*s", (int)strcspn(name, "_"), name);
    return r;
}

/* Keeps the best. What of the search is not the lists is the sort. */
static void batch_note(const rill_world *world, const batch *b, int steps, bench_times *t)
{
    const rill_runner *now = &world->sph.runner;
    const double particles = (double)b->last.particles, per = 1e9 / steps / particles;
    double lists = 0, loop = 0;
    for (uint32_t i = 0; i < now->timer_count; i++) {
        const role r = role_of(world, now->timers[i].name);
        double seconds = 0, calls = 0;
        for (uint32_t k = 0; k < now->timer_count; k++) {
            if (strcmp(role_of(world, now->timers[k].name).word, r.word) != 0) continue;
            seconds += now->timers[k].seconds;
            calls += (double)now->timers[k].calls;
        }
        if (!strcmp(r.word, "neighbours")) lists = seconds;
        if (!strcmp(r.word, "push") || !strcmp(r.word, "test")) loop += now->timers[i].seconds;
        pass_note(t, r.word, seconds, calls, steps, particles);
    }
    pass_note(t, "sort", b->search - lists, steps, steps, particles);
    t->step = fmin(t->step, b->step * per);
    t->search = fmin(t->search, b->search * per);
    t->density = fmin(t->density, b->density * per);
    if (b->iterations) t->iteration = fmin(t->iteration, 1e9 * loop / (double)b->iterations / particles);
    t->iterations = (double)b->iterations / steps;
    t->neighbours = b->last.neighbours_mean;
    t->wall_neighbours = b->last.boundary_neighbours_mean;
}

static double sorted_bytes(const rill_fields *fields)
{
    double bytes = 0;
    for (uint32_t f = 0; f < fields->field_count; f++) {
        if (fields->defs[f].lifetime != RILL_STATE || !fields->data[f]) continue;
        bytes += (double)rill_field_bytes(&fields->defs[f]);
    }
    return bytes;
}

/* Enough batches that some run undisturbed; the fewer, the longer one takes. */
typedef struct effort {
    int warm, batches, steps;
} effort;

static effort effort_for(uint64_t particles, bool iterates)
{
    if (particles > 2000000) return (effort){2, 5, 1};
    /* Few steps at a time, so that some batches fall between other work. */
    if (particles < 40000) return (effort){30, 60, 3};
    if (particles > 400000) return iterates ? (effort){8, 5, 1} : (effort){30, 16, 2};
    return iterates ? (effort){30, 24, 2} : (effort){30, 40, 4};
}

static int times_measure(bench_times *t)
{
    const effort e = effort_for(t->particles, strcmp(t->solver, "wcsph"));
    rill_world *world = bench_column_create(t->solver, t->particles, t->threads);
    rill_snapshot *snapshot = NULL;
    rill_error err = {0};
    rill_report report;
    batch b;
    if (!world) return EXIT_MACHINE;
    t->state_bytes = sorted_bytes(&world->sph.liquid.fields);
    int code = bench_steps_take(world, e.warm, &report);
    if (!code) snapshot = rill_snapshot_take(world, &err);
    if (!code && !snapshot) code = say_failure(&err);
    for (int i = 0; i < e.batches && !code; i++) {
        code = batch_run(world, snapshot, e.steps, &b);
        if (!code) batch_note(world, &b, e.steps, t);
    }
    rill_snapshot_free(snapshot);
    rill_world_destroy(world);
    return code;
}

const bench_times *bench_times_get(bench *b, const char *solver, uint64_t particles, unsigned threads)
{
    bench_times *t = b->times;
    for (; t < b->times + BENCH_TIMES_MAX - 1 && t->solver; t++)
        if (!strcmp(t->solver, solver) && t->particles == particles && t->threads == threads) break;
    if (t->solver && t->round == b->round) return t->failed ? NULL : t;
    if (!t->solver)
        *t = (bench_times){.solver = solver, .particles = particles, .threads = threads, .step = INFINITY,
                           .search = INFINITY, .density = INFINITY, .iteration = INFINITY};
    if (!b->quiet) fprintf(stderr, "  timing %s with %s particles on %s ...\n", solver,
                           say_count(particles).text, say_many(threads, "thread").text);
    t->failed = times_measure(t);
    t->round = b->round;
    return t->failed ? NULL : t;
}

const bench_pass *bench_pass_find(const bench_times *t, const char *name)
{
    for (size_t i = 0; i < t->pass_count; i++) {
        if (!strcmp(t->passes[i].name, name)) return &t->passes[i];
    }
    return NULL;
}

int bench_times_memory(const char *solver, uint64_t particles, uint64_t *bytes)
{
    rill_scene scene;
    rill_estimate estimate;
    rill_error err = {0};
    if (column_scene(solver, particles, &scene, &err)) return say_failure(&err);
    rill_status status = rill_scene_estimate(&scene, &estimate, &err);
    rill_scene_free(&scene);
    if (status) return say_failure(&err);
    /* The state is kept a second time. */
    *bytes = estimate.memory_bytes + 100 * estimate.particles;
    return EXIT_FINE;
}

int bench_frame_measure(bench *b, uint64_t particles, double *bytes)
{
    rill_error err = {0};
    rill_report report;
    char path[] = "/tmp/rill_bench_XXXXXX";
    int file = mkstemp(path);
    if (file < 0) return say_error(EXIT_MACHINE, "No temporary file can be made in /tmp (%s).", strerror(errno));
    close(file);
    if (!b->quiet) fprintf(stderr, "  storing a frame of %s particles ...\n", say_count(particles).text);
    rill_world *world = bench_column_create("wcsph", particles, b->threads);
    int code = world ? EXIT_FINE : EXIT_MACHINE;
    /* Half a second of falling water leaves nothing of the lattice, which would pack too well. */
    if (!code && rill_advance(world, 0.5, NULL, &report, &err)) code = say_failure(&err);
    if (!code && rill_frame_file_write(path, world, &err)) code = say_failure(&err);
    struct stat info;
    if (!code && stat(path, &info)) code = say_error(EXIT_MACHINE, "%s cannot be read (%s).", path, strerror(errno));
    if (!code) *bytes = (double)info.st_size / (double)report.particles;
    rill_world_destroy(world);
    unlink(path);
    return code;
}

/* ---- between steps ---- */

int bench_measure_snapshot(bench *b, const bench_row *row, bench_result *r)
{
    rill_report report;
    rill_error err = {0};
    rill_world *world = bench_column_create(row->of, row->particles, b->threads);
    if (!world) return EXIT_MACHINE;
    int code = bench_steps_take(world, 20, &report);
    rill_snapshot *snapshot = code ? NULL : rill_snapshot_take(world, &err);
    if (!code && !snapshot) code = say_failure(&err);
    r->value = INFINITY;
    for (int k = 0; k < 30 && !code; k++) {
        code = bench_steps_take(world, 3, &report);
        const double start = machine_seconds();
        if (!code && rill_snapshot_apply(world, snapshot, &err)) code = say_failure(&err);
        r->value = fmin(r->value, 1e3 * (machine_seconds() - start));
    }
    rill_snapshot_free(snapshot);
    rill_world_destroy(world);
    return code;
}

int bench_measure_volume(bench *b, const bench_row *row, bench_result *r)
{
    rill_report report;
    rill_world *world = bench_column_create(row->of, row->particles, b->threads);
    if (!world) return EXIT_MACHINE;
    double step = INFINITY, volume = INFINITY;
    int code = bench_steps_take(world, 20, &report);
    for (int k = 0; k < 10 && !code; k++) {
        const double start = machine_seconds();
        code = bench_steps_take(world, 1, &report);
        const double middle = machine_seconds();
        if (!(rill_world_volume(world) > 0))
            code = say_error(EXIT_MACHINE, "There is no memory left to measure a volume.");
        volume = fmin(volume, machine_seconds() - middle);
        step = fmin(step, middle - start);
    }
    r->value = volume / step;
    rill_world_destroy(world);
    return code;
}

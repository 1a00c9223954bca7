/* What rill is measured on: a column of water that has begun to fall. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench_parts.h"
#include "command.h"
#include "machine.h"
#include "paths.h"
#include "say.h"

/* A metre cube of water at one end of a tank two metres long. */
static rill_status column_scene(uint64_t particles, rill_scene *scene, rill_error *err)
{
    *scene = rill_scene_default();
    snprintf(scene->name, sizeof scene->name, "bench_column");
    snprintf(scene->solver.kind, sizeof scene->solver.kind, "wcsph");
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

static rill_world *column_create(uint64_t particles, unsigned threads)
{
    rill_scene scene;
    rill_error err = {0};
    rill_options options = {.threads = threads};
    if (column_scene(particles, &scene, &err)) {
        say_failure(&err);
        return NULL;
    }
    rill_world *world = rill_world_create(&scene, &options, &err);
    rill_scene_free(&scene);
    if (!world) say_failure(&err);
    return world;
}

static int steps_take(rill_world *world, int count, rill_report *report)
{
    rill_error err = {0};
    for (int i = 0; i < count; i++) {
        if (rill_step(world, NULL, report, &err)) return say_failure(&err);
    }
    return EXIT_FINE;
}

static int stage_find(const char *name)
{
    for (uint32_t i = 0; i < RILL_STAGE_MAX && rill_stage_name(i); i++) {
        if (!strcmp(rill_stage_name(i), name)) return (int)i;
    }
    return -1;
}

/* A batch is short enough that some batch runs undisturbed, long enough to
 * hold what does not happen in every step. */
static int batch_time(rill_world *world, int steps, bench_times *best)
{
    int search = stage_find("search"), density = stage_find("density");
    double sums[2] = {0}, start = machine_seconds();
    rill_report report;
    for (int i = 0; i < steps; i++) {
        int code = steps_take(world, 1, &report);
        if (code) return code;
        if (search >= 0) sums[0] += report.stage_seconds[search];
        if (density >= 0) sums[1] += report.stage_seconds[density];
    }
    double per = 1e9 / steps / (double)report.particles;
    best->step = fmin(best->step, (machine_seconds() - start) * per);
    best->search = fmin(best->search, sums[0] * per);
    best->density = fmin(best->density, sums[1] * per);
    best->neighbours = report.neighbours_mean + report.boundary_neighbours_mean;
    return EXIT_FINE;
}

static int times_measure(bench_times *t)
{
    enum { WARM_STEPS = 30, BATCHES = 8 };
    int batch = t->particles > 400000 ? 5 : 20, code;
    rill_world *world = column_create(t->particles, t->threads);
    rill_report report;
    if (!world) return EXIT_MACHINE;
    t->step = t->search = t->density = INFINITY;
    code = steps_take(world, WARM_STEPS, &report);
    for (int i = 0; i < BATCHES && !code; i++) code = batch_time(world, batch, t);
    rill_world_destroy(world);
    return code;
}

const bench_times *bench_times_get(bench *b, uint64_t particles, unsigned threads)
{
    bench_times *t = b->times;
    while (t < b->times + BENCH_TIMES_MAX - 1 && t->done && (t->particles != particles || t->threads != threads)) t++;
    if (t->done && t->particles == particles && t->threads == threads) return t;
    *t = (bench_times){.particles = particles, .threads = threads};
    if (!b->quiet) fprintf(stderr, "  timing %s particles on %u thread%s ...\n", say_count(particles).text, threads,
                           threads == 1 ? "" : "s");
    if (times_measure(t)) return NULL;
    t->done = true;
    return t;
}

int bench_memory_child(const char *particles, const char *threads)
{
    uint64_t before = machine_peak_memory();
    rill_world *world = column_create(strtoull(particles, NULL, 10), (unsigned)strtoul(threads, NULL, 10));
    rill_report report;
    if (!world) return EXIT_MACHINE;
    int code = steps_take(world, 3, &report);
    if (!code) printf("%.3f\n", (double)(machine_peak_memory() - before) / (double)report.particles);
    rill_world_destroy(world);
    return code;
}

/* A process of its own has a peak of its own. */
int bench_memory_measure(bench *b, uint64_t particles, double *bytes)
{
    char command[2 * PATH_SIZE], self[PATH_SIZE];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0) return say_error(EXIT_MACHINE, "The program's own path cannot be found (%s).", strerror(errno));
    self[length] = 0;
    if (!b->quiet) fprintf(stderr, "  measuring the memory of %s particles ...\n", say_count(particles).text);
    snprintf(command, sizeof command, "%s bench --memory-of %" PRIu64 " %u", path_quote(self).text, particles, b->threads);
    FILE *child = popen(command, "r");
    bool read = child && fscanf(child, "%lf", bytes) == 1;
    bool ended = child && !pclose(child);
    return read && ended ? EXIT_FINE : say_error(EXIT_MACHINE, "The process that measures memory failed.");
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
    rill_world *world = column_create(particles, b->threads);
    int code = world ? EXIT_FINE : EXIT_MACHINE;
    /* Half a second of falling water leaves nothing of the lattice, which would pack too well. */
    if (!code && rill_advance(world, 0.5, NULL, &report, &err)) code = say_failure(&err);
    if (!code && rill_frame_write(path, world, &err)) code = say_failure(&err);
    struct stat info;
    if (!code && stat(path, &info)) code = say_error(EXIT_MACHINE, "%s cannot be read (%s).", path, strerror(errno));
    if (!code) *bytes = (double)info.st_size / (double)report.particles;
    rill_world_destroy(world);
    unlink(path);
    return code;
}

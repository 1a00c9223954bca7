/* What is measured in a process of its own, which has a peak of memory of its
 * own: the reference dam to its end, the memory of a large run and of a surface. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine.h"
#include "parts.h"
#include "paths.h"
#include "say.h"
#include "water.h"

/* The peak of this program alone: what the system reports as a process's peak begins with that of its parent. */
static double peak_memory(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    double kilobytes = 0;
    char line[256];
    while (file && !(kilobytes > 0) && fgets(line, sizeof line, file)) sscanf(line, "VmHWM: %lf", &kilobytes);
    if (file) fclose(file);
    return kilobytes > 0 ? 1024 * kilobytes : (double)machine_peak_memory();
}

/* ---- the child's side ---- */

static int memory_child(const char *solver, uint64_t particles, unsigned threads)
{
    rill_report report;
    rill_world *world = bench_column_create(solver, particles, threads);
    if (!world) return EXIT_MACHINE;
    int code = bench_steps_take(world, 3, &report);
    if (!code) printf("%.3f\n", peak_memory() / (double)report.particles);
    rill_world_destroy(world);
    return code;
}

static int dam_run(rill_world *world, bench_dam *dam)
{
    rill_error err = {0};
    rill_report report;
    const rill_controls controls = {.until = rill_world_scene(world)->time.end};
    uint64_t unfinished = 0;
    while (rill_world_time(world) < controls.until) {
        if (rill_step(world, &controls, &report, &err)) return say_failure(&err);
        dam->steps++;
        dam->density += rill_report_value(world, &report, "iterations_density");
        dam->divergence += rill_report_value(world, &report, "iterations_divergence");
        unfinished += report.limit_hit;
    }
    if (unfinished)
        fprintf(stderr, "  %s of the reference dam ended at the limit of iterations, short of the tolerance.\n",
                say_many(unfinished, "step").text);
    return EXIT_FINE;
}

static int dam_child(unsigned threads)
{
    static const char *const settings[] = {"solver.kind=dfsph"};
    const double start = machine_seconds();
    rill_error err = {0};
    rill_scene scene;
    rill_options options = {.threads = threads};
    bench_dam dam = {0};
    if (rill_scene_load("reference_dam", settings, 1, &scene, &err)) return say_failure(&err);
    rill_world *world = rill_world_create(&scene, &options, &err);
    rill_scene_free(&scene);
    if (!world) return say_failure(&err);
    int code = dam_run(world, &dam);
    if (!code) printf("%.6f %.0f %.0f %.6f %.6f\n", machine_seconds() - start, peak_memory(), dam.steps,
                      dam.density / dam.steps, dam.divergence / dam.steps);
    rill_world_destroy(world);
    return code;
}

static int surface_child(uint64_t particles, unsigned threads)
{
    double triangles;
    int code = bench_surface_child(particles, threads, &triangles);
    if (!code) printf("%.0f\n", peak_memory());
    return code;
}

bool bench_child_run(int count, char **arguments, int *code)
{
    if (count == 4 && !strcmp(arguments[0], "--memory-of")) {
        *code = memory_child(arguments[1], strtoull(arguments[2], NULL, 10), (unsigned)strtoul(arguments[3], NULL, 10));
        return true;
    }
    if (count == 3 && !strcmp(arguments[0], "--surface-of")) {
        *code = surface_child(strtoull(arguments[1], NULL, 10), (unsigned)strtoul(arguments[2], NULL, 10));
        return true;
    }
    if (count == 2 && !strcmp(arguments[0], "--dam-on")) {
        *code = dam_child((unsigned)strtoul(arguments[1], NULL, 10));
        return true;
    }
    return false;
}

/* ---- the parent's side ---- */

/* Runs this program again with arguments and reads the numbers it prints. */
static int child_ask(const char *arguments, double *numbers, int count)
{
    char command[2 * PATH_SIZE], self[PATH_SIZE];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0) return say_error(EXIT_MACHINE, "The program's own path cannot be found (%s).", strerror(errno));
    self[length] = 0;
    snprintf(command, sizeof command, "%s %s", path_quote(self).text, arguments);
    FILE *child = popen(command, "r");
    bool read = child;
    for (int i = 0; i < count && read; i++) read = fscanf(child, "%lf", &numbers[i]) == 1;
    bool ended = child && !pclose(child);
    if (read && ended) return EXIT_FINE;
    return say_error(EXIT_MACHINE, "The process that was to measure '%s' failed.", arguments);
}

int bench_memory_measure(bench *b, const char *solver, uint64_t particles, double *bytes)
{
    char arguments[128];
    if (!b->quiet) fprintf(stderr, "  measuring the memory of %s with %s particles ...\n", solver,
                           say_count(particles).text);
    snprintf(arguments, sizeof arguments, "--memory-of %s %" PRIu64 " %u", solver, particles, b->threads);
    return child_ask(arguments, bytes, 1);
}

int bench_surface_memory(bench *b, uint64_t particles, double *bytes)
{
    char arguments[64];
    if (!b->quiet)
        fprintf(stderr, "  measuring the memory of a surface of %s particles ...\n", say_count(particles).text);
    snprintf(arguments, sizeof arguments, "--surface-of %" PRIu64 " %u", particles, b->threads);
    return child_ask(arguments, bytes, 1);
}

const bench_dam *bench_dam_get(bench *b)
{
    char arguments[64];
    double numbers[5];
    if (b->dam.round == b->round) return b->dam.failed ? NULL : &b->dam;
    if (!b->quiet) fprintf(stderr, "  running the reference dam to its end on %s ...\n",
                           say_many(b->threads, "thread").text);
    snprintf(arguments, sizeof arguments, "--dam-on %u", b->threads);
    bool failed = child_ask(arguments, numbers, 5);
    const bool better = !failed && (!b->dam.round || b->dam.failed || numbers[0] < b->dam.seconds);
    if (better) b->dam = (bench_dam){0, false, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
    b->dam.failed = failed;
    b->dam.round = b->round;
    return failed ? NULL : &b->dam;
}

/* Surfaces, timed: a tank of particles with waves on top and spray above, as a
 * dam break leaves it. The large one runs in a process of its own, which has a
 * peak of memory of its own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "command.h"
#include "machine.h"
#include "parts.h"
#include "rill/surface.h"
#include "run/threads.h"
#include "say.h"

/* From 0 to 1, by the number of the particle. */
static double chance(uint64_t i)
{
    return (double)(rill_hash_mix(i * 0x9e3779b97f4a7c15u + 1) >> 11) / 9007199254740992.0;
}

/* One of a hundred is spray. The others fill a tank from the floor up on a lattice, each a little off its place. */
static void tank_fill(float *x, size_t count, double diameter)
{
    const size_t spray = count / 100, side = (size_t)(1.25 * cbrt((double)count));
    for (size_t i = 0; i < count - spray; i++) {
        const double column = (double)(i % side), row = (double)(i / side % side), layer = (double)(i / side / side);
        const double wave = 0.06 * (double)side * (sin(9 * column / (double)side) * cos(7 * row / (double)side));
        /* Layers are thinner in a trough and thicker under a crest, so that no particle is lost. */
        const double height = (layer + 0.5) * (1 + wave / (0.5 * (double)side));
        x[3 * i] = (float)(diameter * (column + 0.2 * chance(3 * i)));
        x[3 * i + 1] = (float)(diameter * (row + 0.2 * chance(3 * i + 1)));
        x[3 * i + 2] = (float)(diameter * (height + 0.2 * chance(3 * i + 2)));
    }
    for (size_t i = count - spray; i < count; i++)
        for (size_t k = 0; k < 3; k++)
            x[3 * i + k] = (float)(diameter * (double)side * (chance(3 * i + k) + (k == 2 ? 0.6 : 0)));
}

bool bench_particles_make(uint64_t count, rill_particles *p)
{
    *p = (rill_particles){.count = count, .diameter = 1 / (1.25 * cbrt((double)count))};
    p->position = malloc(3 * count * sizeof *p->position);
    if (p->position) tank_fill(p->position, count, p->diameter);
    return p->position;
}

/* What is left out when not asked for: smoothing, and values for vertices. */
static rill_status extras_time(rill_particles *p, rill_surface_options options, bench_surface *s, rill_error *err)
{
    static const char *const names[] = {"position"};
    rill_values place = {.name = "position", .lanes = 3, .data = p->position};
    const rill_particles with = {.count = p->count, .position = p->position, .diameter = p->diameter,
                                 .values = &place, .value_count = 1};
    rill_mesh mesh;
    rill_surface_report report;
    options.smooth = 5;
    options.values = names;
    options.value_count = 1;
    rill_status status = rill_surface_make(&with, &options, &mesh, &report, err);
    if (status) return status;
    s->smooth = report.seconds_smooth;
    s->values = report.seconds_values;
    rill_mesh_free(&mesh);
    return RILL_OK;
}

/* Meshes the particles so often and keeps the quickest. */
static int surface_time(uint64_t count, unsigned threads, int repeats, bench_surface *s)
{
    rill_error err = {0};
    rill_particles p;
    rill_threads *pool = rill_threads_create(threads, &err);
    if (!pool) return say_failure(&err);
    const rill_scheduler scheduler = rill_threads_scheduler(pool);
    rill_surface_options options = rill_surface_default();
    options.scheduler = &scheduler;
    int code = EXIT_FINE;
    if (!bench_particles_make(count, &p)) code = say_error(EXIT_MACHINE, "There is no memory left to mesh.");
    for (int i = 0; i < repeats && !code; i++) {
        rill_mesh mesh;
        rill_surface_report report;
        const double start = machine_seconds();
        if (rill_surface_make(&p, &options, &mesh, &report, &err)) {
            code = say_failure(&err);
            break;
        }
        const double seconds = machine_seconds() - start;
        if (!i || seconds < s->seconds)
            *s = (bench_surface){.seconds = seconds, .cull = report.seconds_cull, .field = report.seconds_field,
                                 .march = report.seconds_march, .triangles = (double)mesh.triangle_count};
        rill_mesh_free(&mesh);
    }
    if (!code && repeats > 1 && extras_time(&p, options, s, &err)) code = say_failure(&err);
    rill_particles_free(&p);
    rill_threads_destroy(pool);
    s->done = true;
    s->failed = code;
    return code;
}

int bench_surface_child(uint64_t particles, unsigned threads, double *triangles)
{
    bench_surface s = {0};
    int code = surface_time(particles, threads, 1, &s);
    *triangles = s.triangles;
    return code;
}

static const bench_surface *surface_get(bench *b, const bench_row *row)
{
    bench_surface *s = &b->surfaces[row->one_thread];
    const unsigned threads = row->one_thread ? 1 : b->threads;
    if (!s->done && !b->quiet)
        fprintf(stderr, "  meshing %s particles on %s ...\n", say_count(row->particles).text,
                say_many(threads, "thread").text);
    if (!s->done) surface_time(row->particles, threads, 3, s);
    return s->failed ? NULL : s;
}

int bench_measure_surface(bench *b, const bench_row *row, bench_result *r)
{
    const bench_surface *s = surface_get(b, row);
    if (!s) return EXIT_MACHINE;
    const struct {
        const char *stage;
        double value;
    } values[] = {{"all", s->seconds},     {"cull", s->cull},     {"field", s->field},
                  {"march", s->march},     {"smooth", s->smooth}, {"values", s->values},
                  {"triangles", s->triangles / s->seconds / 1e6}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (!strcmp(row->of, values[i].stage)) r->value = values[i].value;
    return EXIT_FINE;
}

int bench_measure_surface_memory(bench *b, const bench_row *row, bench_result *r)
{
    double peak;
    const uint64_t needed = 2000 * row->particles, free_bytes = machine_memory_available();
    r->value = NAN;
    if (needed > free_bytes) {
        fprintf(stderr, "  %s is left out: it may need %s of memory and %s are free.\n", row->name,
                say_bytes(needed).text, say_bytes(free_bytes).text);
        return EXIT_FINE;
    }
    int code = bench_surface_memory(b, row->particles, &peak);
    if (!code) r->value = peak / 1e9;
    return code;
}

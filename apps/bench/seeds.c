/* The tables of the papers rill grew from, measured on this machine: naive
 * search, octree and rill's own, the step of 5 000 particles, the search of up to
 * a million, steps a second. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "command.h"
#include "fluid/sph.h"
#include "machine.h"
#include "parts.h"
#include "rill/world.h"
#include "run/threads.h"
#include "say.h"
#include "searches.h"

static const bench_times *times_of(bench *b, const bench_row *row)
{
    return bench_times_get(b, row->of, row->particles, row->one_thread ? 1 : b->threads);
}

/* A solver that is not there leaves its rows empty. */
static bool solver_there(const bench *b, const bench_row *row)
{
    for (uint32_t i = 0; rill_solver_name(i); i++) {
        if (!strcmp(rill_solver_name(i), row->of)) return true;
    }
    if (!b->quiet) fprintf(stderr, "  %s is left out: there is no solver %s.\n", row->name, row->of);
    return false;
}

/* ---- searches among particles strewn at random ---- */

/* As dense as water: the radius is two diameters, so there are about 33 neighbours. */
static float *strew(uint32_t count)
{
    const double side = 0.5 * cbrt(count);
    float *x = malloc(3 * (size_t)count * sizeof *x);
    for (size_t i = 0; x && i < 3 * (size_t)count; i++)
        x[i] = (float)(side * (double)(rill_hash_mix(i * 0x9e3779b97f4a7c15u + 1) >> 11) / 9007199254740992.0);
    return x;
}

/* Seconds of the best of several repeats; negative without memory. */
static double simple_time(bench_search *search, const float *x, uint32_t count, const rill_scheduler *s)
{
    bench_found found = {0};
    double best = INFINITY;
    bool good = true;
    for (int k = 0; k < 6 && good; k++) {
        const double start = machine_seconds();
        good = search(&found, x, count, 1, s);
        best = fmin(best, machine_seconds() - start);
    }
    bench_found_free(&found);
    return good ? best : -1;
}

static rill_status own_prepare(rill_sph *sph, uint32_t count, const rill_scheduler *s)
{
    *sph = (rill_sph){.support = 1, .diameter = 0.5, .grid = rill_grid_make(1, NULL, NULL, NULL)};
    rill_status status = rill_runner_create(&sph->runner, s, NULL);
    rill_set_begin(&sph->liquid);
    rill_walls_begin(sph);
    if (!status) status = rill_set_append(&sph->liquid, count, NULL);
    if (!status) status = rill_lists_create(&sph->lists, s->workers, NULL);
    if (!status) status = rill_lists_create(&sph->wall_lists, s->workers, NULL);
    if (!status) status = rill_lists_create(&sph->liquid_lists, s->workers, NULL);
    if (!status) status = rill_walls_make(sph, 0, NULL);
    if (!status) status = rill_walls_sort(sph, NULL);
    return status;
}

/* The particles lie in the same disorder before every repeat. */
static double own_time(const float *x, uint32_t count, const rill_scheduler *s)
{
    rill_sph sph;
    double best = INFINITY;
    rill_status status = own_prepare(&sph, count, s);
    for (int k = 0; k < 30 && !status; k++) {
        for (size_t i = 0; i < count; i++) {
            memcpy(rill_field_f32(&sph.liquid.fields, FIELD_POSITION) + 4 * i, x + 3 * i, 3 * sizeof *x);
            rill_field_u64(&sph.liquid.fields, FIELD_ID)[i] = i;
        }
        const double start = machine_seconds();
        status = rill_sph_sort(&sph, rill_fluid_ops_for(0), NULL);
        if (!status)
            status = rill_sph_search(&sph, rill_fluid_ops_for(0), rill_runner_blocks(&sph.runner, count), NULL);
        best = fmin(best, machine_seconds() - start);
    }
    rill_sph_free(&sph);
    return status ? -1 : best;
}

static int searches_measure(bench *b, const bench_row *row, bench_search *simple, bench_result *r)
{
    const uint32_t count = (uint32_t)row->particles;
    float *x = strew(count);
    rill_threads *pool = rill_threads_create(row->one_thread ? 1 : b->threads, NULL);
    double seconds = -1;
    if (x && pool) {
        const rill_scheduler s = rill_threads_scheduler(pool);
        seconds = simple ? simple_time(simple, x, count, &s) : own_time(x, count, &s);
    }
    rill_threads_destroy(pool);
    free(x);
    r->value = 1e3 * seconds;
    return seconds > 0 ? EXIT_FINE : say_error(EXIT_MACHINE, "There is no memory left to measure %s.", row->name);
}

int bench_measure_naive(bench *b, const bench_row *row, bench_result *r)
{
    return searches_measure(b, row, bench_search_naive, r);
}

int bench_measure_octree(bench *b, const bench_row *row, bench_result *r)
{
    return searches_measure(b, row, bench_search_octree, r);
}

int bench_measure_cells(bench *b, const bench_row *row, bench_result *r)
{
    return searches_measure(b, row, NULL, r);
}

/* ---- steps of falling water ---- */

static int time_measure(bench *b, const bench_row *row, bool search, bench_result *r)
{
    r->value = NAN;
    if (!solver_there(b, row)) return EXIT_FINE;
    const bench_times *t = times_of(b, row);
    if (!t) return EXIT_MACHINE;
    r->value = 1e-6 * (search ? t->search : t->step) * (double)row->particles;
    return EXIT_FINE;
}

int bench_measure_step_time(bench *b, const bench_row *row, bench_result *r)
{
    return time_measure(b, row, false, r);
}

int bench_measure_search_time(bench *b, const bench_row *row, bench_result *r)
{
    return time_measure(b, row, true, r);
}

int bench_measure_pace(bench *b, const bench_row *row, bench_result *r)
{
    const int code = time_measure(b, row, false, r);
    r->value = 1e3 / r->value;
    return code;
}

/* An iteration of one solver against DFSPH's, with as many particles. */
int bench_measure_relative(bench *b, const bench_row *row, bench_result *r)
{
    r->value = NAN;
    if (!solver_there(b, row)) return EXIT_FINE;
    const bench_times *base = bench_times_get(b, "dfsph", row->particles, row->one_thread ? 1 : b->threads);
    const bench_times *t = base ? times_of(b, row) : NULL;
    if (!t) return EXIT_MACHINE;
    if (t->iteration > 0) r->value = t->iteration / base->iteration;
    return EXIT_FINE;
}

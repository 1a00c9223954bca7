/* How each kind of row is measured. */
#include <math.h>

#include "command.h"
#include "machine.h"
#include "parts.h"
#include "say.h"

static const bench_times *times_of(bench *b, const bench_row *row)
{
    return bench_times_get(b, row->of, row->particles, row->one_thread ? 1 : b->threads);
}

static int measure_search(bench *b, const bench_row *row, bench_result *r)
{
    const bench_times *t = times_of(b, row);
    if (!t) return EXIT_MACHINE;
    r->value = t->search;
    bench_share(b, row, bench_cost_of_search(t), r->value, r);
    return EXIT_FINE;
}

static int measure_density(bench *b, const bench_row *row, bench_result *r)
{
    const bench_times *t = times_of(b, row);
    bench_cost cost;
    if (!t) return EXIT_MACHINE;
    r->value = t->density;
    if (bench_cost_of_pass("density", t, &cost)) bench_share(b, row, cost, r->value, r);
    return EXIT_FINE;
}

static int measure_step(bench *b, const bench_row *row, bench_result *r)
{
    const bench_times *t = times_of(b, row);
    if (!t) return EXIT_MACHINE;
    r->value = t->step;
    bench_share(b, row, bench_cost_of_step(t), r->value, r);
    return EXIT_FINE;
}

static int measure_iteration(bench *b, const bench_row *row, bench_result *r)
{
    const bench_times *t = times_of(b, row);
    if (!t) return EXIT_MACHINE;
    r->value = t->iteration;
    bench_share(b, row, bench_cost_of_iteration(t), r->value, r);
    return EXIT_FINE;
}

static int measure_iterations(bench *b, const bench_row *row, bench_result *r)
{
    const bench_times *t = times_of(b, row);
    if (!t) return EXIT_MACHINE;
    r->value = t->iterations;
    return EXIT_FINE;
}

static int measure_scaling(bench *b, const bench_row *row, bench_result *r)
{
    const bench_times *one = bench_times_get(b, row->of, row->particles, 1);
    const bench_times *all = one ? times_of(b, row) : NULL;
    if (!all) return EXIT_MACHINE;
    r->value = one->step / all->step;
    r->limit_share = r->value / b->threads;
    r->limit = "threads";
    return EXIT_FINE;
}

/* An iteration of many particles against one of 100 k, per particle. */
static int measure_growth(bench *b, const bench_row *row, bench_result *r)
{
    uint64_t needed, free_bytes = machine_memory_available();
    int code = bench_times_memory(row->of, row->particles, &needed);
    if (code) return code;
    r->value = NAN;
    if (needed > free_bytes) {
        fprintf(stderr, "  %s is left out: %s particles need %s of memory and %s are free.\n", row->name,
                say_count(row->particles).text, say_bytes(needed).text, say_bytes(free_bytes).text);
        return EXIT_FINE;
    }
    const bench_times *few = bench_times_get(b, row->of, 100000, b->threads);
    const bench_times *many = few ? times_of(b, row) : NULL;
    if (!many) return EXIT_MACHINE;
    r->value = many->iteration / few->iteration;
    return EXIT_FINE;
}

static int measure_memory(bench *b, const bench_row *row, bench_result *r)
{
    return bench_memory_measure(b, row->of, row->particles, &r->value);
}

static int measure_frame(bench *b, const bench_row *row, bench_result *r)
{
    return bench_frame_measure(b, row->particles, &r->value);
}

/* ---- the reference dam ---- */

static int dam_value(bench *b, bench_result *r, size_t member, double scale)
{
    const bench_dam *dam = bench_dam_get(b);
    if (!dam) return EXIT_MACHINE;
    r->value = *(const double *)((const char *)dam + member) * scale;
    return EXIT_FINE;
}

static int measure_dam(bench *b, const bench_row *row, bench_result *r)
{
    (void)row;
    return dam_value(b, r, offsetof(bench_dam, seconds), 1);
}

static int measure_dam_memory(bench *b, const bench_row *row, bench_result *r)
{
    (void)row;
    return dam_value(b, r, offsetof(bench_dam, peak), 1e-6);
}

static int measure_dam_steps(bench *b, const bench_row *row, bench_result *r)
{
    (void)row;
    return dam_value(b, r, offsetof(bench_dam, steps), 1);
}

static int measure_dam_density(bench *b, const bench_row *row, bench_result *r)
{
    (void)row;
    return dam_value(b, r, offsetof(bench_dam, density), 1);
}

static int measure_dam_divergence(bench *b, const bench_row *row, bench_result *r)
{
    (void)row;
    return dam_value(b, r, offsetof(bench_dam, divergence), 1);
}

/* ---- where the time of a DFSPH step goes ---- */

static int measure_pass(bench *b, const bench_row *row, bench_result *r)
{
    const bench_times *t = bench_times_get(b, "dfsph", row->particles, b->threads);
    const bench_pass *pass = t ? bench_pass_find(t, row->of) : NULL;
    bench_cost cost;
    r->value = NAN;
    if (!t) return EXIT_MACHINE;
    if (!pass) return EXIT_FINE;
    r->value = pass->time;
    r->calls = pass->calls;
    r->step_share = pass->time * pass->calls / t->step;
    if (bench_cost_of_pass(row->of, t, &cost)) bench_share(b, row, cost, r->value, r);
    return EXIT_FINE;
}

/* What no row names: passes without a row, sums over blocks, probes. */
static int measure_rest(bench *b, const bench_row *row, bench_result *r)
{
    const bench_times *t = bench_times_get(b, "dfsph", row->particles, b->threads);
    if (!t) return EXIT_MACHINE;
    r->value = t->step;
    for (size_t i = 0; i < bench_row_count; i++) {
        const bench_pass *pass = bench_rows[i].kind == BENCH_ROW_PASS ? bench_pass_find(t, bench_rows[i].of) : NULL;
        if (pass) r->value -= pass->time * pass->calls;
    }
    r->calls = 1;
    r->step_share = r->value / t->step;
    return EXIT_FINE;
}

bool bench_row_is_pass(const bench_row *row)
{
    return row->kind == BENCH_ROW_PASS || row->kind == BENCH_ROW_REST;
}

/* ---- the machine itself ---- */

/* The particles of these rows say how much data they work on; a small number stands for the second cache. */
static int limit_value(bench *b, const bench_row *row, bench_limit limit, bench_result *r)
{
    bench_size size = row->particles == 100000 ? BENCH_100K : row->particles == 1000000 ? BENCH_1M : BENCH_L2;
    r->value = bench_limit_get(b, limit, size, row->one_thread) / 1e9;
    return r->value > 0 ? EXIT_FINE : say_error(EXIT_MACHINE, "There is no memory left to measure the machine.");
}

static int measure_copy(bench *b, const bench_row *row, bench_result *r)
{
    return limit_value(b, row, BENCH_COPY, r);
}

static int measure_read(bench *b, const bench_row *row, bench_result *r)
{
    return limit_value(b, row, BENCH_READ, r);
}

static int measure_fma(bench *b, const bench_row *row, bench_result *r)
{
    return limit_value(b, row, BENCH_FMA, r);
}

static int measure_gather(bench *b, const bench_row *row, bench_result *r)
{
    return limit_value(b, row, BENCH_GATHER, r);
}

int bench_row_measure(bench *b, const bench_row *row, bench_result *result)
{
    static int (*const kinds[BENCH_ROW_KINDS])(bench *, const bench_row *, bench_result *) = {
        [BENCH_ROW_SURFACE] = bench_measure_surface,
        [BENCH_ROW_RENDER] = bench_measure_render,
        [BENCH_ROW_PASS] = measure_pass,
        [BENCH_ROW_RELATIVE] = bench_measure_relative,
        [BENCH_ROW_STEP_TIME] = bench_measure_step_time,
        [BENCH_ROW_SEARCH_TIME] = bench_measure_search_time,
        [BENCH_ROW_PACE] = bench_measure_pace,
        [BENCH_ROW_COPY] = measure_copy,
        [BENCH_ROW_READ] = measure_read,
        [BENCH_ROW_FMA] = measure_fma,
        [BENCH_ROW_GATHER] = measure_gather,
        [BENCH_ROW_SEARCH] = measure_search,
        [BENCH_ROW_DENSITY] = measure_density,
        [BENCH_ROW_STEP] = measure_step,
        [BENCH_ROW_SCALING] = measure_scaling,
        [BENCH_ROW_ITERATION] = measure_iteration,
        [BENCH_ROW_ITERATIONS] = measure_iterations,
        [BENCH_ROW_GROWTH] = measure_growth,
        [BENCH_ROW_DAM] = measure_dam,
        [BENCH_ROW_DAM_MEMORY] = measure_dam_memory,
        [BENCH_ROW_DAM_STEPS] = measure_dam_steps,
        [BENCH_ROW_DAM_DENSITY] = measure_dam_density,
        [BENCH_ROW_DAM_DIVERGENCE] = measure_dam_divergence,
        [BENCH_ROW_MEMORY] = measure_memory,
        [BENCH_ROW_FRAME] = measure_frame,
        [BENCH_ROW_SNAPSHOT] = bench_measure_snapshot,
        [BENCH_ROW_VOLUME] = bench_measure_volume,
        [BENCH_ROW_BODIES] = bench_measure_bodies,
        [BENCH_ROW_SURFACE_MEMORY] = bench_measure_surface_memory,
        [BENCH_ROW_NAIVE] = bench_measure_naive,
        [BENCH_ROW_OCTREE] = bench_measure_octree,
        [BENCH_ROW_CELLS] = bench_measure_cells,
        [BENCH_ROW_REST] = measure_rest,
    };
    return kinds[row->kind](b, row, result);
}

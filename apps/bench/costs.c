/* The least each pass can cost, from what it must move and compute, and the
 * limit of the machine that this comes up against first. */
#include <math.h>
#include <string.h>

#include "parts.h"

/* One particle: what a pass reads and writes of its own, and what each pair
 * adds. A pair costs 2.25 bytes of its list and mostly a cached factor of 4 or a weight of 2; the
 * neighbours' records come from the cache and count as gathers instead. A lane
 * written into a record moves the record there and back. Operations of a pair
 * are its additions and multiplications, with 1 for a division or a root. */
typedef struct pass_model {
    const char *name, *solver; /* NULL: of any solver */
    double read, written;
    double operations;
    bool walls; /* visits walls as well */
    double pair_bytes, pair_operations, pair_gathers;
} pass_model;

static const pass_model models[] = {
    /* position, lists in, factors out, D in two places */
    {"density", NULL, 16 + 16, 16 + 4, 2, true, 6.25, 30, 1},
    /* position, velocity, X, counts; X, source, work, held */
    {"begin", "dfsph", 16 + 16 + 4 + 8, 4 + 4 + 16 + 16, 20, true, 8.25, 30, 2},
    /* position, velocity, X; X, source, work */
    {"predict", "dfsph", 16 + 16 + 4, 4 + 4 + 16, 4, true, 6.25, 13, 2},
    /* work, held; A */
    {"push", "dfsph", 16 + 16, 16, 12, false, 4.25, 11, 1},
    /* position, A, held, source, X, X before; X after, work */
    {"test", "dfsph", 16 + 16 + 16 + 4 + 4 + 4, 4 + 16, 30, false, 4.25, 9, 1},
    {"apply", "dfsph", 16 + 16, 16, 6, false, 0, 0, 0},
    {"publish", "dfsph", 4 + 16 + 4, 4 + 4, 4, false, 0, 0, 0},
    {"gravity", NULL, 0, 16, 0, false, 0, 0, 0},
    /* position, velocity, acceleration; acceleration */
    {"viscosity", NULL, 16 + 16 + 16, 16, 6, true, 6.25, 33, 2},
    {"kick", NULL, 16 + 16, 16 + 16, 6, false, 0, 0, 0},
    /* position, velocity, old velocity, D, fluid; position, velocity */
    {"move", NULL, 16 + 16 + 16 + 4 + 4, 16 + 16, 40, false, 0, 0, 0},
    /* position, velocity, D; pressure, density */
    {"predict", "wcsph", 16 + 16 + 4, 4 + 4, 8, true, 6.25, 13, 2},
    /* position, pressure, D; position */
    {"share", "wcsph", 16 + 4 + 4, 16, 2, false, 0, 0, 0},
    /* position, velocity; velocity */
    {"pressure", "wcsph", 16 + 16, 16, 6, true, 6.25, 11, 1},
};

/* Axes apart in, lists and counts out. Cells of size h hold 27/4.19 = 6.4
 * candidates for each neighbour, of which about half lie within reach of the
 * cell's own particles; a test takes 9 operations. */
static bench_cost cost_of_lists(const bench_times *t)
{
    const double n = t->neighbours + t->wall_neighbours;
    return (bench_cost){12 + 2.25 * n + 8, 3.2 * n * 9, 0};
}

/* Positions in, order out; every sorted field there and back by that order, the axes apart with it. */
static bench_cost cost_of_sort(const bench_times *t)
{
    return (bench_cost){16 + 4 + 4 + 2 * t->state_bytes + 12, 6, 0};
}

static bench_cost add(bench_cost a, bench_cost b)
{
    return (bench_cost){a.bytes + b.bytes, a.operations + b.operations, a.gathers + b.gathers};
}

bool bench_cost_of_pass(const char *name, const bench_times *t, bench_cost *cost)
{
    if (!strcmp(name, "neighbours")) *cost = cost_of_lists(t);
    else if (!strcmp(name, "sort")) *cost = cost_of_sort(t);
    else {
        const pass_model *m = models, *end = models + sizeof models / sizeof *models;
        while (m < end && (strcmp(m->name, name) || (m->solver && strcmp(m->solver, t->solver)))) m++;
        if (m == end) return false;
        const double n = t->neighbours + (m->walls ? t->wall_neighbours : 0);
        *cost = (bench_cost){m->read + m->written + m->pair_bytes * n, m->operations + m->pair_operations * n,
                             m->pair_gathers * n};
    }
    return true;
}

bench_cost bench_cost_of_search(const bench_times *t)
{
    return add(cost_of_sort(t), cost_of_lists(t));
}

bench_cost bench_cost_of_iteration(const bench_times *t)
{
    bench_cost push = {0}, test = {0};
    bench_cost_of_pass("push", t, &push);
    bench_cost_of_pass("test", t, &test);
    return add(push, test);
}

/* Every pass as often as it was run. */
bench_cost bench_cost_of_step(const bench_times *t)
{
    bench_cost sum = cost_of_sort(t), one;
    for (size_t i = 0; i < t->pass_count; i++) {
        const double calls = t->passes[i].calls;
        if (!strcmp(t->passes[i].name, "sort") || !bench_cost_of_pass(t->passes[i].name, t, &one)) continue;
        sum = add(sum, (bench_cost){calls * one.bytes, calls * one.operations, calls * one.gathers});
    }
    return sum;
}

void bench_share(bench *b, const bench_row *row, bench_cost cost, double nanoseconds, bench_result *result)
{
    const bench_size size = row->particles > 400000 ? BENCH_1M : BENCH_100K;
    const struct {
        const char *name;
        double work;
        bench_limit limit;
    } limits[] = {{"memory", cost.bytes, BENCH_READ},
                  {"arithmetic", cost.operations, BENCH_FMA},
                  {"gathers", cost.gathers, BENCH_GATHER}};
    double least = 0;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        if (!(limits[i].work > 0)) continue;
        const double speed = bench_limit_get(b, limits[i].limit, size, row->one_thread);
        const double time = speed > 0 ? 1e9 * limits[i].work / speed : 0;
        if (time <= least) continue;
        least = time;
        result->limit = limits[i].name;
    }
    result->limit_share = nanoseconds > 0 && isfinite(nanoseconds) ? least / nanoseconds : 0;
}

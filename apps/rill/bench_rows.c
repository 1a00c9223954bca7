/* The rows of the benchmark table, their bars, and the least each must cost. */
#include <math.h>

#include "bench_parts.h"
#include "command.h"

/* What a pass must at least move and compute for one particle with n
 * neighbours, in bytes and operations. The search reads and writes each
 * particle's record once for the sort and writes its list, and tests the
 * particles of 27 cells of size h, about 6.4 for each neighbour. The density
 * reads the list and sums a kernel; a step reads list and pair factors in each
 * of its three sweeps and moves the record once more. */
typedef struct cost {
    double bytes, operations;
} cost;

static cost cost_search(double n)
{
    return (cost){2 * 64 + 4 * n, 6.4 * n * 8};
}

static cost cost_density(double n)
{
    return (cost){16 + 4 + 4 * n, 20 * n};
}

static cost cost_step(double n)
{
    cost search = cost_search(n), density = cost_density(n);
    return (cost){search.bytes + density.bytes + 2 * (8 * n + 48) + 96, search.operations + density.operations + 2 * 30 * n};
}

/* The share of the machine's limit: the time it would take at full speed over the time it took. */
static double share(const bench *b, const bench_row *row, cost c, double nanoseconds)
{
    double copy = row->one_thread ? b->limits.copy_one : b->limits.copy_all;
    double fma = row->one_thread ? b->limits.fma_one : b->limits.fma_all;
    double least = fmax(c.bytes / copy, c.operations / fma) * 1e9;
    return nanoseconds > 0 ? least / nanoseconds : 0;
}

static const bench_times *times_of(bench *b, const bench_row *row)
{
    return bench_times_get(b, row->particles, row->one_thread ? 1 : b->threads);
}

static int measure_search(bench *b, const bench_row *row, bench_result *r)
{
    const bench_times *t = times_of(b, row);
    if (!t) return EXIT_MACHINE;
    *r = (bench_result){t->search, share(b, row, cost_search(t->neighbours), t->search)};
    return EXIT_FINE;
}

static int measure_density(bench *b, const bench_row *row, bench_result *r)
{
    const bench_times *t = times_of(b, row);
    if (!t) return EXIT_MACHINE;
    *r = (bench_result){t->density, share(b, row, cost_density(t->neighbours), t->density)};
    return EXIT_FINE;
}

static int measure_step(bench *b, const bench_row *row, bench_result *r)
{
    const bench_times *t = times_of(b, row);
    if (!t) return EXIT_MACHINE;
    *r = (bench_result){t->step, share(b, row, cost_step(t->neighbours), t->step)};
    return EXIT_FINE;
}

static int measure_scaling(bench *b, const bench_row *row, bench_result *r)
{
    const bench_times *one = bench_times_get(b, row->particles, 1);
    const bench_times *all = one ? bench_times_get(b, row->particles, b->threads) : NULL;
    if (!all) return EXIT_MACHINE;
    *r = (bench_result){one->step / all->step, one->step / all->step / b->threads};
    return EXIT_FINE;
}

static int measure_memory(bench *b, const bench_row *row, bench_result *r)
{
    *r = (bench_result){0};
    return bench_memory_measure(b, row->particles, &r->value);
}

static int measure_frame(bench *b, const bench_row *row, bench_result *r)
{
    *r = (bench_result){0};
    return bench_frame_measure(b, row->particles, &r->value);
}

static int measure_copy(bench *b, const bench_row *row, bench_result *r)
{
    *r = (bench_result){(row->one_thread ? b->limits.copy_one : b->limits.copy_all) / 1e9, 1};
    return EXIT_FINE;
}

static int measure_fma(bench *b, const bench_row *row, bench_result *r)
{
    *r = (bench_result){(row->one_thread ? b->limits.fma_one : b->limits.fma_all) / 1e9, 1};
    return EXIT_FINE;
}

static const char ns[] = "ns/particle";

const bench_row bench_rows[] = {
    {"copy_1", "memory copied, read + written, 1 thread", "GB/s", 0, 0, true, 0, true, measure_copy},
    {"copy", "the same, all threads", "GB/s", 0, 0, true, 0, false, measure_copy},
    {"fma_1", "multiply-adds in registers, 1 thread", "Gop/s", 0, 0, true, 0, true, measure_fma},
    {"fma", "the same, all threads", "Gop/s", 0, 0, true, 0, false, measure_fma},
    {"search_100k_1", "sort + neighbour list, 100 k, 1 thread", ns, 0, 0, false, 100000, true, measure_search},
    {"search_100k", "sort + neighbour list, 100 k, all threads", ns, 40, 25, false, 100000, false, measure_search},
    {"search_1m_1", "sort + neighbour list, 1 M, 1 thread", ns, 0, 0, false, 1000000, true, measure_search},
    {"search_1m", "sort + neighbour list, 1 M, all threads", ns, 48, 30, false, 1000000, false, measure_search},
    {"density_100k_1", "density pass, 100 k, 1 thread", ns, 0, 0, false, 100000, true, measure_density},
    {"density_100k", "density pass, 100 k, all threads", ns, 13, 8, false, 100000, false, measure_density},
    {"density_1m_1", "density pass, 1 M, 1 thread", ns, 0, 0, false, 1000000, true, measure_density},
    {"density_1m", "density pass, 1 M, all threads", ns, 13, 8, false, 1000000, false, measure_density},
    {"step_100k_1", "WCSPH step, 100 k, 1 thread", ns, 0, 0, false, 100000, true, measure_step},
    {"step_100k", "WCSPH step, 100 k, all threads", ns, 0, 0, false, 100000, false, measure_step},
    {"step_1m_1", "WCSPH step, 1 M, 1 thread", ns, 0, 0, false, 1000000, true, measure_step},
    {"step_1m", "WCSPH step, 1 M, all threads", ns, 120, 80, false, 1000000, false, measure_step},
    {"scaling", "WCSPH step, 1 M, 1 thread over all", "x", 1.8, 1.95, true, 1000000, false, measure_scaling},
    {"memory", "memory, 1 M particles, all told", "B/particle", 600, 400, false, 1000000, false, measure_memory},
    {"frame", "stored frame, all a restart needs", "B/particle", 30, 22, false, 30000, false, measure_frame},
};
const size_t bench_row_count = sizeof bench_rows / sizeof *bench_rows;

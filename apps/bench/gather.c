/* How fast the machine picks records of four floats by offset, some particles
 * side by side, and turns them into vectors: every loop over neighbours begins
 * with that, and this one does nothing else. The offsets are those of a lattice
 * in the order of its cells, so that records lie as near to each other as they
 * do in water. */
#include <stdlib.h>

#include "base/memory.h"
#include "fluid/sph.h"
#include "machine.h"
#include "parts.h"
#include "run/threads.h"
#include "wide/gather_loop.h"

RILL_VARIANTS_DECLARE(bench_gather_loop, bench_gather_loop);
static bench_gather_loop *const variants[] = RILL_VARIANTS_LIST(bench_gather_loop);

enum { REPEATS = 60, LANES = 16, NEIGHBOURS = 26 };

typedef struct gather_job {
    bench_gather_loop *loop;
    const float *records;
    const uint32_t *offsets;
    size_t groups;
    unsigned threads;
    int rounds;
    float *sums; /* one a thread: keeps the compiler from leaving the loop out */
} gather_job;

static void gather_part(void *context, size_t i, unsigned worker)
{
    (void)worker;
    const gather_job *job = context;
    const size_t first = job->groups * i / job->threads, last = job->groups * (i + 1) / job->threads;
    const uint32_t *offsets = job->offsets + first * NEIGHBOURS * LANES;
    float sum = 0;
    for (int round = 0; round < job->rounds; round++)
        sum += job->loop(job->records, offsets, (last - first) * NEIGHBOURS * LANES);
    job->sums[i] = sum;
}

/* ---- the lattice ---- */

/* Cells of two by two by two points, row by row. n is even. */
static uint32_t lattice_index(uint32_t n, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t cells = n / 2, cell = (z / 2 * cells + y / 2) * cells + x / 2;
    return 8 * cell + 4 * (z & 1) + 2 * (y & 1) + (x & 1);
}

/* The 26 points around each, on a lattice without sides: the first neighbours of as many particles as the widest
 * vector holds, then their second ones, ... Points past the last whole group are left out. */
static void lattice_offsets(uint32_t n, uint32_t *offsets)
{
    for (uint32_t z = 0; z < n; z++) {
        for (uint32_t y = 0; y < n; y++) {
            for (uint32_t x = 0; x < n; x++) {
                const uint32_t i = lattice_index(n, x, y, z);
                if (i / LANES >= (size_t)n * n * n / LANES) continue;
                uint32_t *to = offsets + (size_t)(i / LANES) * NEIGHBOURS * LANES + i % LANES;
                for (uint32_t k = 0; k <= NEIGHBOURS; k++) {
                    if (k == NEIGHBOURS / 2) continue; /* itself */
                    const uint32_t j = lattice_index(n, (x + k % 3 + n - 1) % n, (y + k / 3 % 3 + n - 1) % n,
                                                     (z + k / 9 + n - 1) % n);
                    *to = 16 * j;
                    to += LANES;
                }
            }
        }
    }
}

double bench_gather_measure(bench_size size, unsigned threads)
{
    static const uint32_t sides[BENCH_SIZES] = {14, 46, 100};
    static const int rounds[BENCH_SIZES] = {60, 2, 1};
    const uint32_t n = sides[size];
    const size_t count = (size_t)n * n * n, pairs = count / LANES * LANES * NEIGHBOURS;
    float *records = rill_memory_alloc(count * 16);
    uint32_t *offsets = rill_memory_alloc(pairs * sizeof *offsets);
    gather_job job = {variants[rill_fluid_ops_for(0)->variant], records, offsets, count / LANES, threads, rounds[size],
                      calloc(threads, sizeof(float))};
    rill_threads *pool = rill_threads_create(threads, NULL);
    double best = 0;
    if (records && offsets && job.sums && pool) {
        const rill_scheduler scheduler = rill_threads_scheduler(pool);
        for (size_t i = 0; i < 4 * count; i++) records[i] = (float)(i % 7);
        lattice_offsets(n, offsets);
        for (int i = 0; i < REPEATS; i++) {
            double start = machine_seconds();
            rill_parallel_for(&scheduler, threads, gather_part, &job);
            double rate = (double)pairs * job.rounds / (machine_seconds() - start);
            if (rate > best) best = rate;
        }
    }
    rill_threads_destroy(pool);
    rill_memory_free(records);
    rill_memory_free(offsets);
    free(job.sums);
    return best;
}

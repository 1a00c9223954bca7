/* How fast the machine picks records of four floats by offset, eight particles
 * side by side, and turns them into vectors: every loop over neighbours begins
 * with that, and this one does nothing else. The offsets are those of a lattice
 * in the order of its cells, so that records lie as near to each other as they
 * do in water. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bench_parts.h"
#include "machine.h"
#include "run/threads.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { REPEATS = 7, LANES = 8, NEIGHBOURS = 26 };

typedef float v4 __attribute__((vector_size(16)));
typedef float v4_loose __attribute__((vector_size(16), aligned(4), may_alias));

typedef struct gather_job {
    const float *records;
    const uint32_t *offsets; /* of all first neighbours of eight particles, of all second ones, ... */
    size_t groups;
    unsigned threads;
    int rounds;
    float *sums; /* one a thread: keeps the compiler from leaving the loop out */
} gather_job;

static v4 record_at(const float *records, uint32_t offset)
{
    return *(const v4_loose *)((const char *)records + offset);
}

/* Four lanes at a time, anywhere. */
static float gather_4(const float *records, const uint32_t *offsets, size_t rows)
{
    v4 x = {0}, y = x, z = x, w = x;
    for (size_t k = 0; k < 2 * rows; k++, offsets += 4) {
        __builtin_prefetch((const char *)offsets + 3072, 0, 3);
        const v4 a = record_at(records, offsets[0]), b = record_at(records, offsets[1]);
        const v4 c = record_at(records, offsets[2]), d = record_at(records, offsets[3]);
        const v4 ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5), cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
        const v4 ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7), cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
        x += __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
        y += __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
        z += __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
        w += __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
    }
    x += y + z + w;
    return x[0] + x[1] + x[2] + x[3];
}

#if defined(__x86_64__)
#define COLUMN(k)                                                                                                      \
    _mm256_insertf128_ps(_mm256_castps128_ps256(record_at(records, offsets[k])), record_at(records, offsets[(k) + 4]), 1)

__attribute__((target("avx2,fma"))) static float gather_8(const float *records, const uint32_t *offsets, size_t rows)
{
    __m256 x = _mm256_setzero_ps(), y = x, z = x, w = x;
    for (size_t k = 0; k < rows; k++, offsets += LANES) {
        __builtin_prefetch((const char *)offsets + 3072, 0, 3);
        const __m256 a = COLUMN(0), b = COLUMN(1), c = COLUMN(2), d = COLUMN(3);
        const __m256 ab_low = _mm256_unpacklo_ps(a, b), cd_low = _mm256_unpacklo_ps(c, d);
        const __m256 ab_high = _mm256_unpackhi_ps(a, b), cd_high = _mm256_unpackhi_ps(c, d);
        x = _mm256_add_ps(x, _mm256_shuffle_ps(ab_low, cd_low, 0x44));
        y = _mm256_add_ps(y, _mm256_shuffle_ps(ab_low, cd_low, 0xee));
        z = _mm256_add_ps(z, _mm256_shuffle_ps(ab_high, cd_high, 0x44));
        w = _mm256_add_ps(w, _mm256_shuffle_ps(ab_high, cd_high, 0xee));
    }
    float sums[LANES], sum = 0;
    _mm256_storeu_ps(sums, _mm256_add_ps(_mm256_add_ps(x, y), _mm256_add_ps(z, w)));
    for (int l = 0; l < LANES; l++) sum += sums[l];
    return sum;
}
#undef COLUMN
#endif

static void gather_part(void *context, size_t i, unsigned worker)
{
    (void)worker;
    const gather_job *job = context;
    const size_t first = job->groups * i / job->threads, last = job->groups * (i + 1) / job->threads;
    const uint32_t *offsets = job->offsets + first * NEIGHBOURS * LANES;
    const size_t rows = (last - first) * NEIGHBOURS;
    float sum = 0;
    for (int round = 0; round < job->rounds; round++) {
#if defined(__x86_64__)
        if (__builtin_cpu_supports("avx2")) {
            sum += gather_8(job->records, offsets, rows);
            continue;
        }
#endif
        sum += gather_4(job->records, offsets, rows);
    }
    job->sums[i] = sum;
}

/* ---- the lattice ---- */

/* Cells of two by two by two points, row by row. n is even. */
static uint32_t lattice_index(uint32_t n, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t cells = n / 2, cell = (z / 2 * cells + y / 2) * cells + x / 2;
    return 8 * cell + 4 * (z & 1) + 2 * (y & 1) + (x & 1);
}

/* The 26 points around each, on a lattice without sides. */
static void lattice_offsets(uint32_t n, uint32_t *offsets)
{
    for (uint32_t z = 0; z < n; z++) {
        for (uint32_t y = 0; y < n; y++) {
            for (uint32_t x = 0; x < n; x++) {
                const uint32_t i = lattice_index(n, x, y, z);
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
    static const int rounds[BENCH_SIZES] = {300, 8, 1};
    const uint32_t n = sides[size];
    const size_t count = (size_t)n * n * n, pairs = count * NEIGHBOURS;
    float *records = rill_memory_alloc(count * 16);
    uint32_t *offsets = rill_memory_alloc(pairs * sizeof *offsets);
    gather_job job = {records, offsets, count / LANES, threads, rounds[size], calloc(threads, sizeof *job.sums)};
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

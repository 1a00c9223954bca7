/* What the machine can do at best: copy and read memory, multiply and add.
 * Everything else is judged as a share of these, measured on the same day. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "machine.h"
#include "parts.h"
#include "run/threads.h"

/* Short and many, so that some run undisturbed on a busy machine. */
enum { REPEATS_LONG = 15, REPEATS = 100 };

double bench_limit_get(bench *b, bench_limit limit, bench_size size, bool one_thread)
{
    const unsigned threads = one_thread ? 1 : b->threads;
    /* Neither depends on the size. */
    if (limit == BENCH_COPY || limit == BENCH_FMA) size = BENCH_1M;
    double *known = &b->limits[limit][size][threads == 1], now = 0;
    unsigned *round = &b->limit_rounds[limit][size][threads == 1];
    if (*round == b->round) return *known;
    if (!b->quiet && !b->calibrated) fprintf(stderr, "  measuring the machine itself ...\n");
    b->calibrated = true;
    *round = b->round;
    switch (limit) {
    case BENCH_COPY: now = bench_copy_measure(threads); break;
    case BENCH_READ: now = bench_read_measure(size, threads); break;
    case BENCH_FMA: now = bench_fma_measure(threads); break;
    default: now = bench_gather_measure(size, threads); break;
    }
    if (now > *known) *known = now;
    return *known;
}

/* ---- memory ---- */

static const size_t copy_bytes = (size_t)192 << 20; /* well past any cache */

typedef struct copy_job {
    char *to, *from;
    size_t part;
} copy_job;

static void copy_part(void *context, size_t i, unsigned worker)
{
    (void)worker;
    copy_job *job = context;
    memcpy(job->to + i * job->part, job->from + i * job->part, job->part);
}

double bench_copy_measure(unsigned threads)
{
    copy_job job = {rill_memory_alloc(copy_bytes), rill_memory_alloc(copy_bytes), copy_bytes / threads};
    double best = 0;
    rill_threads *pool = rill_threads_create(threads, NULL);
    if (job.to && job.from && pool) {
        const rill_scheduler scheduler = rill_threads_scheduler(pool);
        memset(job.to, 1, copy_bytes);
        memset(job.from, 2, copy_bytes);
        for (int i = 0; i < REPEATS_LONG; i++) {
            double start = machine_seconds();
            rill_parallel_for(&scheduler, threads, copy_part, &job);
            double rate = 2.0 * (double)(job.part * threads) / (machine_seconds() - start);
            if (rate > best) best = rate;
        }
    }
    rill_threads_destroy(pool);
    rill_memory_free(job.to);
    rill_memory_free(job.from);
    return best;
}

/* A line of the cache, in vectors that every machine has. */
typedef uint64_t read_word __attribute__((vector_size(16)));
typedef struct read_line {
    read_word words[4];
} read_line;

typedef struct read_job {
    const read_line *lines;
    size_t part; /* lines of a thread */
    int rounds;
    uint64_t *sums; /* keep the compiler from leaving the loop out */
} read_job;

static void read_part(void *context, size_t i, unsigned worker)
{
    (void)worker;
    const read_job *job = context;
    const read_line *lines = job->lines + i * job->part;
    read_word a = {0}, b = a, c = a, d = a;
    for (int round = 0; round < job->rounds; round++) {
        for (size_t k = 0; k < job->part; k++) {
            __builtin_prefetch((const char *)(lines + k) + 3072, 0, 3);
            a += lines[k].words[0];
            b += lines[k].words[1];
            c += lines[k].words[2];
            d += lines[k].words[3];
        }
    }
    a += b + c + d;
    job->sums[i] = a[0] + a[1];
}

double bench_read_measure(bench_size size, unsigned threads)
{
    /* Lists of 30 neighbours, an offset and a factor each. */
    static const size_t bytes[BENCH_SIZES] = {(size_t)256 << 10, (size_t)100000 * 240, (size_t)1000000 * 240};
    read_job job = {.part = bytes[size] / sizeof(read_line) / threads, .rounds = size == BENCH_L2 ? 100 : 2};
    void *memory = rill_memory_alloc(bytes[size]);
    job.lines = memory;
    job.sums = calloc(threads, sizeof *job.sums);
    rill_threads *pool = rill_threads_create(threads, NULL);
    double best = 0;
    if (memory && job.sums && pool) {
        const rill_scheduler scheduler = rill_threads_scheduler(pool);
        memset(memory, 1, bytes[size]);
        for (int i = 0; i < (size == BENCH_1M ? REPEATS_LONG : REPEATS); i++) {
            double start = machine_seconds();
            rill_parallel_for(&scheduler, threads, read_part, &job);
            double read = (double)(job.part * sizeof(read_line) * threads) * job.rounds;
            double rate = read / (machine_seconds() - start);
            if (rate > best) best = rate;
        }
    }
    rill_threads_destroy(pool);
    rill_memory_free(memory);
    free(job.sums);
    return best;
}

/* ---- arithmetic ---- */

enum { CHAINS = 12, ROUNDS = 500000 };

/* Twelve chains hide the latency of the multiply-add on any core there is. */
#define FMA_LOOP(name, attributes, width)                                                                              \
    attributes static double name(void)                                                                                \
    {                                                                                                                  \
        typedef float vec __attribute__((vector_size((width) * 4)));                                                   \
        vec a = {1.0f}, b = a, c = a, d = a, e = a, f = a, g = a, h = a, i = a, j = a, k = a, l = a;                   \
        vec scale = {0.999f}, shift = {0.001f};                                                                        \
        for (int round = 0; round < ROUNDS; round++) {                                                                 \
            a = a * scale + shift, b = b * scale + shift, c = c * scale + shift, d = d * scale + shift;                \
            e = e * scale + shift, f = f * scale + shift, g = g * scale + shift, h = h * scale + shift;                \
            i = i * scale + shift, j = j * scale + shift, k = k * scale + shift, l = l * scale + shift;                \
            /* Keeps the compiler from seeing that all chains are alike. */                                            \
            __asm__ volatile("" : "+x"(a), "+x"(b), "+x"(c), "+x"(d), "+x"(e), "+x"(f));                               \
            __asm__ volatile("" : "+x"(g), "+x"(h), "+x"(i), "+x"(j), "+x"(k), "+x"(l));                               \
        }                                                                                                              \
        return 2.0 * (width) * CHAINS * (double)ROUNDS;                                                                \
    }

#if defined(__x86_64__)
FMA_LOOP(fma_4, , 4)
FMA_LOOP(fma_8, __attribute__((target("avx2,fma"))), 8)
FMA_LOOP(fma_16, __attribute__((target("avx512f"))), 16)

static double fma_run(void)
{
    if (__builtin_cpu_supports("avx512f")) return fma_16();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return fma_8();
    return fma_4();
}
#else
static double fma_run(void)
{
    typedef float vec __attribute__((vector_size(16)));
    vec chains[CHAINS] = {0}, scale = {0.999f}, shift = {0.001f};
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < CHAINS; i++) chains[i] = chains[i] * scale + shift;
    }
    volatile float kept = chains[0][0] + chains[CHAINS - 1][0];
    (void)kept;
    return 2.0 * 4 * CHAINS * (double)ROUNDS;
}
#endif

static void fma_part(void *context, size_t i, unsigned worker)
{
    (void)worker;
    ((double *)context)[i] = fma_run();
}

double bench_fma_measure(unsigned threads)
{
    rill_threads *pool = rill_threads_create(threads, NULL);
    double *operations = calloc(threads, sizeof *operations), best = 0;
    for (int i = 0; pool && operations && i < REPEATS; i++) {
        const rill_scheduler scheduler = rill_threads_scheduler(pool);
        double start = machine_seconds(), sum = 0;
        rill_parallel_for(&scheduler, threads, fma_part, operations);
        double seconds = machine_seconds() - start;
        for (unsigned t = 0; t < threads; t++) sum += operations[t];
        if (sum / seconds > best) best = sum / seconds;
    }
    rill_threads_destroy(pool);
    free(operations);
    return best;
}

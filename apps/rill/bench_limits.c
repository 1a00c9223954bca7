/* What the machine can do at best: copy memory, multiply and add. Everything
 * else is judged as a share of these, measured on the same day. */
#include <stdlib.h>
#include <string.h>

#include "bench_parts.h"
#include "machine.h"
#include "run/threads.h"

enum { REPEATS = 5 };
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

double bench_limit_copy(unsigned threads)
{
    copy_job job = {malloc(copy_bytes), malloc(copy_bytes), copy_bytes / threads};
    double best = 0;
    rill_threads *pool = rill_threads_create(threads, NULL);
    if (job.to && job.from && pool) {
        const rill_scheduler scheduler = rill_threads_scheduler(pool);
        memset(job.to, 1, copy_bytes);
        memset(job.from, 2, copy_bytes);
        for (int i = 0; i < REPEATS; i++) {
            double start = machine_seconds();
            rill_parallel_for(&scheduler, threads, copy_part, &job);
            double rate = 2.0 * (double)(job.part * threads) / (machine_seconds() - start);
            if (rate > best) best = rate;
        }
    }
    rill_threads_destroy(pool);
    free(job.to);
    free(job.from);
    return best;
}

enum { CHAINS = 12, ROUNDS = 4000000 };

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

double bench_limit_fma(unsigned threads)
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

/* The one place that knows how loops are spread over threads. */
#include "run/threads.h"

#include <omp.h>
#include <time.h>

static void openmp_for(void *user, size_t count, rill_loop_body *body, void *context)
{
    const int threads = (int)(intptr_t)user;
    if (threads == 1 || count <= 1) {
        for (size_t i = 0; i < count; i++) body(context, i, 0);
        return;
    }
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (size_t i = 0; i < count; i++) body(context, i, (unsigned)omp_get_thread_num());
}

rill_scheduler rill_threads_openmp(unsigned threads)
{
    if (!threads) threads = (unsigned)omp_get_max_threads();
    return (rill_scheduler){openmp_for, (void *)(intptr_t)threads, threads};
}

double rill_clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The one place that knows how loops are spread over threads. */
#ifndef RILL_RUN_THREADS_H
#define RILL_RUN_THREADS_H

#include "rill/base.h"

/* A pool of threads that serves one loop at a time. Threads that find nothing to
 * do watch for the next loop for some microseconds, then sleep; a loop never
 * waits for one that has not woken up in time. 0 threads: one per core the
 * process may use. Fewer are made when the system gives no more, and more than RILL_THREADS_MAX are refused. */
enum { RILL_THREADS_MAX = 1024 };
typedef struct rill_threads rill_threads;
rill_threads *rill_threads_create(unsigned threads, rill_error *err);
void rill_threads_destroy(rill_threads *pool);
rill_scheduler rill_threads_scheduler(rill_threads *pool);

static inline void rill_parallel_for(const rill_scheduler *s, size_t count, rill_loop_body *body, void *context)
{
    s->parallel_for(s->user, count, body, context);
}

/* Seconds on a clock that only goes forward. */
double rill_clock_seconds(void);

#endif

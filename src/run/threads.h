/* The one place that knows how loops are spread over threads. */
#ifndef RILL_RUN_THREADS_H
#define RILL_RUN_THREADS_H

#include "rill/threads.h"

/* The calling thread alone. */
extern const rill_scheduler rill_serial;

static inline void rill_parallel_for(const rill_scheduler *s, size_t count, rill_loop_body *body, void *context)
{
    s->parallel_for(s->user, count, body, context);
}

/* Seconds on a clock that only goes forward. */
double rill_clock_seconds(void);

#endif

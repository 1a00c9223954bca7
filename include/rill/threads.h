/* A pool of threads as a rill_scheduler, for surfaces, pictures and worlds of a host
 * that has no scheduler of its own. In librill. Pointers must not be NULL unless a
 * comment says so; err always may be. */
#ifndef RILL_THREADS_H
#define RILL_THREADS_H

#include "rill/base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RILL_THREADS_MAX = 1024 };

/* A pool of threads that serves one loop at a time. Threads that find nothing to
 * do watch for the next loop for some microseconds, then sleep; a loop never
 * waits for one that has not woken up in time. 0 threads: one per core the
 * process may use. Fewer are made when the system gives no more, and more than
 * RILL_THREADS_MAX are refused. NULL comes back when it failed. */
typedef struct rill_threads rill_threads;
RILL_API rill_threads *rill_threads_create(unsigned threads, rill_error *err);
RILL_API void rill_threads_destroy(rill_threads *pool); /* NULL is fine */

/* Valid as long as the pool is. */
RILL_API rill_scheduler rill_threads_scheduler(rill_threads *pool);

#ifdef __cplusplus
}
#endif
#endif

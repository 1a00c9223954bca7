/* The one place that knows how loops are spread over threads.
 *
 *   owner                              worker
 *   write loop, open = true            wait for `round` to change (watch, then sleep)
 *   round++, wake sleepers             active++
 *   take items                         if open: take items
 *   open = false                       active--
 *   wait until active == 0
 *
 * All of these are sequentially consistent. A worker that counted itself active
 * before the loop closed is waited for; one that comes later finds it closed.
 * So the loop's fields never change under a worker, and a worker that the
 * system put aside while it slept holds up nobody. */
#define _GNU_SOURCE
#include "run/threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"

/* Every worker begins with a share of its own, the same in every loop over as
 * many items, so that what it wrote in one loop is still in its cache in the
 * next. Done with it, it helps the others. */
typedef struct worker {
    _Alignas(64) atomic_size_t next; /* item of this worker's share */
    size_t end;
    rill_threads *pool;
    unsigned index;
    pthread_t thread;
} worker;

struct rill_threads {
    unsigned count; /* with the owner */
    unsigned watch_microseconds;
    worker *workers;
    /* the loop at hand */
    rill_loop_body *body;
    void *context;
    /* each on a cache line of its own */
    _Alignas(64) atomic_uint active;
    _Alignas(64) atomic_uint round;
    _Alignas(64) atomic_bool open;
    atomic_bool quit;
    atomic_uint sleepers;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
};

double rill_clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

static void take_items(rill_threads *pool, unsigned index)
{
    for (unsigned k = 0; k < pool->count; k++) {
        worker *share = &pool->workers[(index + k) % pool->count];
        for (size_t i; (i = atomic_fetch_add(&share->next, 1)) < share->end;) pool->body(pool->context, i, index);
    }
}

/* True when a new round has begun while we watched. */
static bool watch(rill_threads *pool, unsigned seen)
{
    if (!pool->watch_microseconds) return atomic_load(&pool->round) != seen;
    const double end = rill_clock_seconds() + 1e-6 * pool->watch_microseconds;
    do {
        for (int i = 0; i < 64; i++) {
            if (atomic_load(&pool->round) != seen) return true;
            relax();
        }
    } while (rill_clock_seconds() < end);
    return false;
}

static void sleep_until_round(rill_threads *pool, unsigned seen)
{
    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add(&pool->sleepers, 1);
    while (atomic_load(&pool->round) == seen) pthread_cond_wait(&pool->wake, &pool->mutex);
    atomic_fetch_sub(&pool->sleepers, 1);
    pthread_mutex_unlock(&pool->mutex);
}

static void *work(void *argument)
{
    worker *self = argument;
    rill_threads *pool = self->pool;
    unsigned seen = 0;
    while (true) {
        if (!watch(pool, seen)) sleep_until_round(pool, seen);
        seen = atomic_load(&pool->round);
        if (atomic_load(&pool->quit)) return NULL;
        atomic_fetch_add(&pool->active, 1);
        if (atomic_load(&pool->open)) take_items(pool, self->index);
        atomic_fetch_sub(&pool->active, 1);
    }
}

static void begin_round(rill_threads *pool)
{
    atomic_fetch_add(&pool->round, 1);
    if (!atomic_load(&pool->sleepers)) return;
    pthread_mutex_lock(&pool->mutex);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);
}

static void pool_for(void *user, size_t count, rill_loop_body *body, void *context)
{
    rill_threads *pool = user;
    if (pool->count == 1 || count <= 1) {
        for (size_t i = 0; i < count; i++) body(context, i, 0);
        return;
    }
    pool->body = body;
    pool->context = context;
    for (unsigned w = 0; w < pool->count; w++) {
        atomic_store(&pool->workers[w].next, count * w / pool->count);
        pool->workers[w].end = count * (w + 1) / pool->count;
    }
    atomic_store(&pool->open, true);
    begin_round(pool);
    take_items(pool, 0);
    atomic_store(&pool->open, false);
    for (unsigned spins = 0; atomic_load(&pool->active); spins++) {
        if (spins < 4096 && pool->watch_microseconds) relax();
        else sched_yield();
    }
}

/* The cores this process may use. */
static unsigned cores(void)
{
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return (unsigned)CPU_COUNT(&set);
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (unsigned)online : 1;
}

rill_threads *rill_threads_create(unsigned threads, rill_error *err)
{
    if (threads > RILL_THREADS_MAX) {
        rill_fail(err, RILL_BAD_INPUT, "%u threads are more than the %d that a pool can have; ask for fewer, or for 0, "
                  "which is one for each core.", threads, RILL_THREADS_MAX);
        return NULL;
    }
    const unsigned available = cores(), most = available < RILL_THREADS_MAX ? available : RILL_THREADS_MAX;
    const unsigned wanted = threads ? threads : most;
    rill_threads *pool = rill_memory_alloc(sizeof *pool);
    worker *workers = rill_memory_alloc(wanted * sizeof *workers);
    if (!pool || !workers) {
        rill_memory_free(pool);
        rill_memory_free(workers);
        rill_fail(err, RILL_NO_MEMORY, "There is no memory for %u threads.", wanted);
        return NULL;
    }
    /* Watching is worth it only while every thread has a core to itself. */
    *pool = (rill_threads){.count = 1, .watch_microseconds = wanted <= available ? 50 : 0, .workers = workers};
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->wake, NULL);
    workers[0] = (worker){.pool = pool};
    for (unsigned i = 1; i < wanted; i++) {
        workers[i] = (worker){.pool = pool, .index = i};
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i])) break;
        pool->count = i + 1;
    }
    return pool;
}

void rill_threads_destroy(rill_threads *pool)
{
    if (!pool) return;
    atomic_store(&pool->quit, true);
    begin_round(pool);
    for (unsigned i = 1; i < pool->count; i++) pthread_join(pool->workers[i].thread, NULL);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->mutex);
    rill_memory_free(pool->workers);
    rill_memory_free(pool);
}

rill_scheduler rill_threads_scheduler(rill_threads *pool)
{
    return (rill_scheduler){pool_for, pool, pool->count};
}

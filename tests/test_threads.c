/* The pool of threads: every item once, no worker twice at a time, whatever the
 * number of threads and however short the loop. label: small */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "run/threads.h"

typedef struct tally {
    atomic_uint done[1000];
    atomic_uint inside[16];
    atomic_uint clashes;
} tally;

static void count_item(void *context, size_t i, unsigned worker)
{
    tally *t = context;
    if (atomic_fetch_add(&t->inside[worker], 1)) atomic_fetch_add(&t->clashes, 1);
    atomic_fetch_add(&t->done[i], 1);
    atomic_fetch_sub(&t->inside[worker], 1);
}

static void runs_every_item_once(void **state)
{
    (void)state;
    static const unsigned sizes[] = {1, 2, 3, 8, 16};
    tally *t = calloc(1, sizeof *t);
    for (int s = 0; s < 5; s++) {
        rill_threads *pool = rill_threads_create(sizes[s], NULL);
        assert_non_null(pool);
        const rill_scheduler scheduler = rill_threads_scheduler(pool);
        assert_int_equal(scheduler.workers, sizes[s]);
        for (unsigned round = 0; round < 2000; round++) {
            const size_t count = round % 7 == 0 ? round % 1000 : round % 5;
            for (size_t i = 0; i < 1000; i++) atomic_store(&t->done[i], 0);
            rill_parallel_for(&scheduler, count, count_item, t);
            for (size_t i = 0; i < 1000; i++)
                if (t->done[i] != (i < count)) fail_msg("item %zu of %zu ran %u times", i, count, t->done[i]);
            /* Let the workers fall asleep now and then. */
            if (round % 500 == 0) usleep(2000);
        }
        assert_int_equal(t->clashes, 0);
        rill_threads_destroy(pool);
    }
    free(t);
}

static void begins_and_ends_unused(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 50; i++) rill_threads_destroy(rill_threads_create(i % 9, NULL));
    rill_threads_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_every_item_once),
        cmocka_unit_test(begins_and_ends_unused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

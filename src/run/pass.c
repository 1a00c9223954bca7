/* Running passes over blocks. */
#include "run/pass.h"

#include <string.h>

/* Small enough that all threads have work, large enough that handing out blocks costs nothing. */
enum { BLOCK = 256 };

rill_status rill_runner_create(rill_runner *runner, const rill_scheduler *scheduler, rill_error *err)
{
    *runner = (rill_runner){.scheduler = *scheduler, .block = BLOCK};
    runner->tallies = rill_memory_alloc(scheduler->workers * sizeof *runner->tallies);
    if (runner->tallies) return RILL_OK;
    return rill_memory_fail(err, scheduler->workers * sizeof *runner->tallies, "the threads");
}

void rill_runner_free(rill_runner *runner)
{
    rill_memory_free(runner->tallies);
    rill_free(runner->more);
    rill_free(runner->more_total);
    rill_free(runner->timers);
    *runner = (rill_runner){0};
}

rill_status rill_runner_more_sums(rill_runner *runner, uint32_t count, rill_error *err)
{
    const size_t bytes = (size_t)count * sizeof *runner->more;
    rill_sum *more = rill_calloc((size_t)count * runner->scheduler.workers + 1, sizeof *more);
    rill_sum *total = rill_calloc((size_t)count + 1, sizeof *total);
    if (!more || !total) {
        rill_free(more);
        rill_free(total);
        return rill_memory_fail(err, bytes * (runner->scheduler.workers + 1), "the sums of bodies");
    }
    rill_free(runner->more);
    rill_free(runner->more_total);
    runner->more = more;
    runner->more_total = total;
    runner->more_count = count;
    return RILL_OK;
}

rill_blocks rill_runner_blocks(const rill_runner *runner, uint32_t particles)
{
    return (rill_blocks){(particles + runner->block - 1) / runner->block, NULL, particles};
}

typedef struct tallying {
    const rill_runner *runner;
    rill_tally_body *body;
    void *context;
} tallying;

static void tally_part(void *context, size_t part, unsigned worker)
{
    const tallying *t = context;
    t->body(t->context, part, worker, &t->runner->tallies[worker]);
}

rill_tally rill_runner_tally(const rill_runner *runner, size_t parts, rill_tally_body *body, void *context)
{
    const unsigned workers = runner->scheduler.workers;
    rill_tally total = {0};
    memset(runner->tallies, 0, workers * sizeof *runner->tallies);
    rill_parallel_for(&runner->scheduler, parts, tally_part, &(tallying){runner, body, context});
    for (unsigned w = 0; w < workers; w++) rill_tally_merge(&total, &runner->tallies[w]);
    return total;
}

typedef struct run {
    const rill_runner *runner;
    const rill_pass *pass;
    void *context;
    rill_blocks blocks;
    uint32_t particles;
} run;

static void run_block(void *context, size_t i, unsigned worker, rill_tally *tally)
{
    const run *r = context;
    const uint32_t size = r->runner->block, begin = (r->blocks.list ? r->blocks.list[i] : (uint32_t)i) * size;
    const rill_pass_block block = {begin, begin + size < r->particles ? begin + size : r->particles, worker,
                                   tally, r->runner->more + (size_t)worker * r->runner->more_count};
    r->pass->body(r->context, &block);
}

static void run_block_alone(void *context, size_t i, unsigned worker)
{
    const run *r = context;
    run_block(context, i, worker, &r->runner->tallies[worker]);
}

void rill_pass_blocks(rill_runner *runner, const rill_fields *fields, const rill_pass *pass, void *context,
                      rill_blocks blocks)
{
    run r = {runner, pass, context, blocks, fields->count};
    const bool more = pass->writes & RILL_MORE_SUMS;
    const size_t count = runner->more_count;
    if (more) memset(runner->more, 0, count * runner->scheduler.workers * sizeof *runner->more);
    if (pass->writes & RILL_SUMS) runner->total = rill_runner_tally(runner, blocks.count, run_block, &r);
    else rill_parallel_for(&runner->scheduler, blocks.count, run_block_alone, &r);
    if (!more) return;
    memset(runner->more_total, 0, count * sizeof *runner->more_total);
    for (unsigned w = 0; w < runner->scheduler.workers; w++)
        for (size_t k = 0; k < count; k++) rill_sum_merge(&runner->more_total[k], runner->more[w * count + k]);
}

/* NULL where there is no memory for one. */
static rill_pass_timer *timer_of(rill_runner *runner, const char *name)
{
    for (uint32_t i = 0; i < runner->timer_count; i++)
        if (runner->timers[i].name == name || strcmp(runner->timers[i].name, name) == 0) return &runner->timers[i];
    rill_pass_timer *grown = rill_realloc(runner->timers, (runner->timer_count + 1) * sizeof *grown);
    if (!grown) return NULL;
    runner->timers = grown;
    grown[runner->timer_count] = (rill_pass_timer){.name = name};
    return &grown[runner->timer_count++];
}

void rill_pass_run(rill_runner *runner, const rill_fields *fields, const rill_pass *pass, void *context,
                   rill_blocks blocks)
{
    const double start = rill_clock_seconds();
    if (runner->hook) runner->hook(runner, fields, pass, context, blocks);
    else rill_pass_blocks(runner, fields, pass, context, blocks);
    rill_pass_timer *timer = timer_of(runner, pass->name);
    if (!timer) return;
    timer->seconds += rill_clock_seconds() - start;
    timer->calls++;
}

double rill_pass_seconds(const rill_runner *runner, const char *name)
{
    for (uint32_t i = 0; i < runner->timer_count; i++)
        if (strcmp(runner->timers[i].name, name) == 0) return runner->timers[i].seconds;
    return 0;
}

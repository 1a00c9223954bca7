/* Running passes over blocks. */
#include "run/pass.h"

#include <string.h>

#include "base/hash.h"

typedef struct run {
    const rill_pass *pass;
    void *context;
    rill_blocks blocks;
    uint32_t particles;
} run;

static void run_block(void *context, size_t i, unsigned worker)
{
    const run *r = context;
    const uint32_t block = r->blocks.list ? r->blocks.list[i] : (uint32_t)i;
    const uint32_t begin = block * RILL_BLOCK;
    const uint32_t end = begin + RILL_BLOCK < r->particles ? begin + RILL_BLOCK : r->particles;
    r->pass->body(r->context, begin, end, worker);
}

static rill_pass_timer *timer_of(rill_runner *runner, const char *name)
{
    for (uint32_t i = 0; i < runner->timer_count; i++)
        if (runner->timers[i].name == name || strcmp(runner->timers[i].name, name) == 0) return &runner->timers[i];
    if (runner->timer_count == RILL_PASS_TIMERS) return &runner->timers[RILL_PASS_TIMERS - 1];
    rill_pass_timer *timer = &runner->timers[runner->timer_count++];
    *timer = (rill_pass_timer){.name = name};
    return timer;
}

static uint64_t field_hash(const rill_fields *fields, uint32_t field)
{
    const uint32_t *words = fields->data[field];
    const size_t count = (size_t)fields->count * fields->defs[field].lanes;
    uint64_t hash = field;
    for (size_t i = 0; i < count; i++) hash = rill_hash_add(hash, words[i]);
    return hash;
}

static void hash_unwritten(const rill_fields *fields, const rill_pass *pass, uint64_t *hashes)
{
    for (uint32_t f = 0; f < fields->field_count; f++)
        hashes[f] = pass->writes >> f & 1 ? 0 : field_hash(fields, f);
}

void rill_pass_run(rill_runner *runner, const rill_fields *fields, const rill_pass *pass, void *context,
                   rill_blocks blocks)
{
    uint64_t before[RILL_FIELDS_MAX], after[RILL_FIELDS_MAX];
    if (runner->check_writes) hash_unwritten(fields, pass, before);
    const double start = rill_clock_seconds();
    run r = {pass, context, blocks, fields->count};
    rill_parallel_for(&runner->scheduler, blocks.count, run_block, &r);
    rill_pass_timer *timer = timer_of(runner, pass->name);
    timer->seconds += rill_clock_seconds() - start;
    timer->calls++;
    if (!runner->check_writes) return;
    hash_unwritten(fields, pass, after);
    for (uint32_t f = 0; f < fields->field_count && !runner->broken_pass; f++) {
        if (before[f] == after[f]) continue;
        runner->broken_pass = pass->name;
        runner->broken_field = fields->defs[f].name;
    }
}

double rill_pass_seconds(const rill_runner *runner, const char *name)
{
    for (uint32_t i = 0; i < runner->timer_count; i++)
        if (strcmp(runner->timers[i].name, name) == 0) return runner->timers[i].seconds;
    return 0;
}

double rill_blocks_sum(const double *values, size_t count, size_t stride)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += values[i * stride];
    return sum;
}

double rill_blocks_max(const double *values, size_t count, size_t stride)
{
    double max = count ? values[0] : 0;
    for (size_t i = 1; i < count; i++) max = values[i * stride] > max ? values[i * stride] : max;
    return max;
}

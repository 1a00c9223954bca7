/* A pass: a loop over blocks of particles that gathers over neighbours and
 * writes only its own particles. It declares the fields it reads and writes;
 * threads and timing hang on that one declaration, and a check can prove it. */
#ifndef RILL_RUN_PASS_H
#define RILL_RUN_PASS_H

#include "run/field.h"

/* Particles are worked on in fixed blocks, so that sums over blocks have one
 * order whatever the number of threads. */
enum { RILL_BLOCK = 256 };

/* The blocks a pass runs over. */
typedef struct rill_blocks {
    uint32_t count;
    const uint32_t *list; /* NULL: 0, 1, 2, ... */
} rill_blocks;

static inline uint32_t rill_block_count(uint32_t particles)
{
    return (particles + RILL_BLOCK - 1) / RILL_BLOCK;
}

static inline rill_blocks rill_blocks_all(uint32_t particles)
{
    return (rill_blocks){rill_block_count(particles), NULL};
}

/* Works on the particles begin <= i < end of one block. */
typedef void rill_pass_body(void *context, uint32_t begin, uint32_t end, unsigned worker);

typedef struct rill_pass {
    const char *name;
    rill_pass_body *body;
    uint64_t reads, writes; /* bits of the field table */
} rill_pass;

enum { RILL_PASS_TIMERS = 32 };

typedef struct rill_pass_timer {
    const char *name;
    double seconds;
    uint64_t calls;
} rill_pass_timer;

typedef struct rill_runner {
    rill_scheduler scheduler;
    rill_pass_timer timers[RILL_PASS_TIMERS];
    uint32_t timer_count;
    bool check_writes;         /* prove after every pass that it wrote only what it declares; slow */
    const char *broken_pass;   /* the first pass that did not keep its word */
    const char *broken_field;
} rill_runner;

void rill_pass_run(rill_runner *runner, const rill_fields *fields, const rill_pass *pass, void *context,
                   rill_blocks blocks);

/* Seconds a pass took so far, by name. */
double rill_pass_seconds(const rill_runner *runner, const char *name);

/* Sums one double a block in the order of the blocks. */
double rill_blocks_sum(const double *values, size_t count, size_t stride);
double rill_blocks_max(const double *values, size_t count, size_t stride);

#endif

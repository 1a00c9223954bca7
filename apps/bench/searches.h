/* Two simple neighbour searches to hold rill's own against: all pairs, and an
 * octree built again every time. For the benchmark and the tests alone. */
#ifndef RILL_BENCH_SEARCHES_H
#define RILL_BENCH_SEARCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rill/base.h"

/* What a block of particles found, one list after the other. */
typedef struct bench_block {
    uint32_t *items;
    size_t used, room;
    bool failed; /* there was no memory */
} bench_block;

enum { BENCH_BLOCK = 128 }; /* particles */

/* The neighbours of every particle: count[i] of them, from start[i] on in the items of block i / BENCH_BLOCK. */
typedef struct bench_found {
    uint32_t particles, *count;
    size_t *start;
    bench_block *blocks;
} bench_found;

/* Finds all others nearer than the radius; x holds three floats a particle. Memory is kept for the next call with as
 * many particles. False when there is not enough. */
typedef bool bench_search(bench_found *found, const float *x, uint32_t particles, float radius,
                          const rill_scheduler *s);
bench_search bench_search_naive, bench_search_octree;

void bench_found_free(bench_found *found);

#endif

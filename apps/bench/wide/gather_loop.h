/* The loop that gathers and does nothing else. */
#ifndef RILL_BENCH_GATHER_LOOP_H
#define RILL_BENCH_GATHER_LOOP_H

#include <stddef.h>
#include <stdint.h>

/* Picks `count` records of four floats by byte offset, RILL_WIDTH at a time; count is a multiple of that. */
typedef float bench_gather_loop(const float *records, const uint32_t *offsets, size_t count);

#endif

/* The water that benchmarks step. */
#ifndef RILL_BENCH_WATER_H
#define RILL_BENCH_WATER_H

#include "command.h"
#include "rill/frames.h"
#include "rill/scene_text.h"

/* A column that falls; NULL after saying what is wrong. */
rill_world *bench_column_create(const char *solver, uint64_t particles, unsigned threads);

/* Says what is wrong and returns an exit code, or EXIT_FINE. */
int bench_steps_take(rill_world *world, int count, rill_report *report);

#endif

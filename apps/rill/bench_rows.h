/* What `rill bench` measures, row by row; apps/bench measures it. */
#ifndef RILL_APP_BENCH_ROWS_H
#define RILL_APP_BENCH_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a row is measured. */
typedef enum bench_row_kind {
    BENCH_ROW_SURFACE, BENCH_ROW_RENDER, BENCH_ROW_PASS, BENCH_ROW_RELATIVE, BENCH_ROW_STEP_TIME,
    BENCH_ROW_SEARCH_TIME, BENCH_ROW_PACE, BENCH_ROW_COPY, BENCH_ROW_READ, BENCH_ROW_FMA, BENCH_ROW_GATHER,
    BENCH_ROW_SEARCH, BENCH_ROW_DENSITY, BENCH_ROW_STEP, BENCH_ROW_SCALING, BENCH_ROW_ITERATION, BENCH_ROW_ITERATIONS,
    BENCH_ROW_GROWTH, BENCH_ROW_DAM, BENCH_ROW_DAM_MEMORY, BENCH_ROW_DAM_STEPS, BENCH_ROW_DAM_DENSITY,
    BENCH_ROW_DAM_DIVERGENCE, BENCH_ROW_MEMORY, BENCH_ROW_FRAME, BENCH_ROW_SNAPSHOT, BENCH_ROW_VOLUME,
    BENCH_ROW_BODIES, BENCH_ROW_SURFACE_MEMORY, BENCH_ROW_NAIVE, BENCH_ROW_OCTREE, BENCH_ROW_CELLS, BENCH_ROW_REST,
    BENCH_ROW_KINDS
} bench_row_kind;

typedef struct bench_row {
    const char *name, *what, *unit;
    double bar, goal; /* 0: none */
    bool more_is_better;
    uint64_t particles; /* how many the row wants; 0: not about particles */
    bool one_thread;
    const char *of; /* a solver, a pass of DFSPH, or a stage of a surface; NULL: none */
    bench_row_kind kind;
    const char *paper; /* whose table it repeats; NULL: none's */
    double theirs;     /* what stands there, in the same unit; 0: nothing */
} bench_row;

extern const bench_row bench_rows[];
extern const size_t bench_row_count;

/* Words for several rows. */
extern const char bench_all_passes[], bench_all_papers[];

/* A word that may be asked for: a row, in their order, or a group of rows; NULL past the last. */
const char *bench_word_at(const void *unused, int i);

#endif

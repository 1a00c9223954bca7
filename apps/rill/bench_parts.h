/* The parts of `rill bench`: the machine's own limits, and what rill is measured by. */
#ifndef RILL_APP_BENCH_PARTS_H
#define RILL_APP_BENCH_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- what the machine can do, measured in the same sitting ---- */

typedef struct bench_limits {
    double copy_one, copy_all; /* bytes read plus written a second, one thread and all */
    double fma_one, fma_all;   /* single precision operations a second */
} bench_limits;

double bench_limit_copy(unsigned threads);
double bench_limit_fma(unsigned threads);

/* ---- rows ---- */

typedef struct bench bench;
typedef struct bench_row bench_row;

typedef struct bench_result {
    double value;
    double limit_share; /* of what the machine could do at best; 0: the row has no such limit */
} bench_result;

struct bench_row {
    const char *name, *what, *unit;
    double bar, goal; /* 0: none */
    bool more_is_better;
    uint64_t particles; /* how many the row wants; 0: not about particles */
    bool one_thread;
    /* Fills the result. Says what is wrong and returns an exit code, or EXIT_FINE. */
    int (*measure)(bench *b, const bench_row *row, bench_result *result);
};

extern const bench_row bench_rows[];
extern const size_t bench_row_count;

/* ---- one column of water, stepped and timed ---- */

/* The best of several repeats, in ns per particle. */
typedef struct bench_times {
    bool done;
    uint64_t particles;
    unsigned threads;
    double step, search, density;
    double neighbours; /* fluid and boundary, per particle */
} bench_times;

enum { BENCH_TIMES_MAX = 8 };

struct bench {
    unsigned threads; /* what "all threads" means */
    bool quiet;
    bench_limits limits;
    bench_times times[BENCH_TIMES_MAX];
};

/* Measures, or returns what was measured before. NULL after saying what is wrong. */
const bench_times *bench_times_get(bench *b, uint64_t particles, unsigned threads);

/* Bytes of memory a particle takes in a run of so many, measured in a process of its own. */
int bench_memory_measure(bench *b, uint64_t particles, double *bytes);

/* What that process does: prints bytes per particle. */
int bench_memory_child(const char *particles, const char *threads);

/* Bytes a particle takes in a stored frame of flowing water. */
int bench_frame_measure(bench *b, uint64_t particles, double *bytes);

#endif

/* Measuring the machine and rill on it: what the command `rill bench` may ask for. */
#ifndef RILL_BENCH_BENCH_H
#define RILL_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct bench_request {
    bool list;    /* name the rows and measure nothing */
    bool as_json; /* the table that is printed */
    bool quiet;
    uint64_t threads, rounds;
    const char *save, *page; /* files to write, or NULL */
    const char **words;      /* rows, or groups of them; none for all */
    size_t word_count;
} bench_request;

extern const size_t bench_row_count;

/* A word that `words` may have: a row, in their order, or a group of rows; NULL past the last. */
const char *bench_word_at(const void *unused, int i);

/* Says what is wrong and returns an exit code. */
int bench_run(const bench_request *request);

/* What is measured in a process of its own, called by arguments of its own; false when these are no such call. */
bool bench_child_run(int count, char **arguments, int *code);

#endif

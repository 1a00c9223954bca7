/* What is asked of `rill bench`: read by the command, for its help and mistakes, and by rill-bench, which does it. */
#ifndef RILL_APP_BENCH_REQUEST_H
#define RILL_APP_BENCH_REQUEST_H

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

/* False where nothing is to be done: the help was printed, or a mistake was said; *code is the exit code then. */
bool bench_request_read(int count, char **arguments, bench_request *request, int *code);
void bench_request_free(bench_request *request);

#endif

/* Cases with a known answer: what the command `rill validate` may ask for. */
#ifndef RILL_VALIDATE_VALIDATE_H
#define RILL_VALIDATE_VALIDATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct validate_request {
    bool list;  /* name the cases and compute nothing */
    bool small; /* coarse and short, to try the machinery */
    bool quiet;
    uint64_t threads;       /* 0: all cores */
    const char *out, *save; /* a folder, or NULL; a file, or NULL */
    const char **words;     /* cases; none for all */
    size_t word_count;
} validate_request;

/* The name of a case, in their order; NULL past the last. */
const char *validate_case_at(const void *unused, int i);

/* Says what is wrong and returns an exit code. */
int validate_run(const validate_request *request);

#endif

/* A pass: a loop over blocks of particles that gathers over neighbours and
 * writes only its own particles. It declares the fields it reads of its own particles, those it gathers from
 * neighbours, and those it writes; threads and timing hang on that one declaration, and a check can prove it. */
#ifndef RILL_RUN_PASS_H
#define RILL_RUN_PASS_H

#include "run/field.h"
#include "run/sum.h"

/* The blocks a pass runs over. */
typedef struct rill_blocks {
    uint32_t count;
    const uint32_t *list; /* NULL: 0, 1, 2, ... */
    uint32_t particles;   /* in all of them, copies of others left out */
} rill_blocks;

/* One of them: the particles begin <= i < end. */
typedef struct rill_pass_block {
    uint32_t begin, end;
    unsigned worker;
    rill_tally *tally; /* where the worker adds up what the pass sums */
    rill_sum *more;    /* and sums beyond those of a tally, as many as the runner was told */
} rill_pass_block;

typedef void rill_pass_body(void *context, const rill_pass_block *block);

typedef struct rill_pass {
    const char *name;
    rill_pass_body *body;
    rill_mask reads;   /* of its own particles */
    rill_mask gathers; /* of their neighbours */
    rill_mask writes;  /* of its own particles */
} rill_pass;

/* What passes use beside the fields has bits behind those of the table: memory that belongs to pairs, to another set of
 * particles, or to nobody. Its owner names it and says where it lies, in one piece of memory or several. */
#define RILL_BESIDE_BIT(k) ((rill_mask)1 << (RILL_FIELDS_MAX + (k)))
/* The sums of a pass, which it writes, and those that the runner has room for beyond them. */
#define RILL_SUMS RILL_BESIDE_BIT(23)
#define RILL_MORE_SUMS RILL_BESIDE_BIT(22)

enum { RILL_BESIDE_PIECES = 96 };

typedef struct rill_beside {
    const char *name;
    uint32_t bit; /* its k above */
    void *data;
    size_t bytes;
    uint32_t element;     /* bytes that are written together */
    uint32_t particles;   /* each element belongs to so many of them in a row; 0: that does not follow from its place */
    unsigned char poison; /* the check fills it with this */
} rill_beside;

typedef struct rill_pass_timer {
    const char *name;
    double seconds;
    uint64_t calls;
} rill_pass_timer;

struct rill_runner;
/* Takes the place of rill_pass_blocks, for tests that prove what passes declare. */
typedef void rill_pass_hook(struct rill_runner *runner, const rill_fields *fields, const rill_pass *pass, void *context,
                            rill_blocks blocks);

typedef struct rill_runner {
    rill_scheduler scheduler;
    uint32_t block;      /* particles of a block, a multiple of 16 */
    rill_tally *tallies; /* one a worker */
    rill_tally total;    /* of the last pass */
    uint32_t more_count;
    rill_sum *more;       /* so many a worker */
    rill_sum *more_total; /* of the last pass that has them */
    rill_pass_timer *timers;
    uint32_t timer_count;
    rill_pass_hook *hook; /* NULL: none */
    void *hook_user;
} rill_runner;

rill_status rill_runner_create(rill_runner *runner, const rill_scheduler *scheduler, rill_error *err);
void rill_runner_free(rill_runner *runner);
/* Makes room for so many more sums. */
rill_status rill_runner_more_sums(rill_runner *runner, uint32_t count, rill_error *err);

/* Runs parts of a loop, and returns what they add up to: the one way in which threads sum. */
typedef void rill_tally_body(void *context, size_t part, unsigned worker, rill_tally *tally);
rill_tally rill_runner_tally(const rill_runner *runner, size_t parts, rill_tally_body *body, void *context);

/* The blocks that hold all of so many particles. */
rill_blocks rill_runner_blocks(const rill_runner *runner, uint32_t particles);

void rill_pass_run(rill_runner *runner, const rill_fields *fields, const rill_pass *pass, void *context,
                   rill_blocks blocks);

/* The same without timing and hook. */
void rill_pass_blocks(rill_runner *runner, const rill_fields *fields, const rill_pass *pass, void *context,
                      rill_blocks blocks);

/* Seconds a pass took so far, by name. */
double rill_pass_seconds(const rill_runner *runner, const char *name);

#endif

/* The parts of the bench: the machine's own limits, and what rill is measured by. */
#ifndef RILL_BENCH_PARTS_H
#define RILL_BENCH_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "bench_request.h"
#include "bench_rows.h"

struct rill_particles;

typedef struct bench bench;

/* ---- what the machine can do, measured in the same sitting ---- */

typedef enum bench_limit {
    BENCH_COPY,   /* bytes read plus written a second */
    BENCH_READ,   /* bytes read a second */
    BENCH_FMA,    /* single precision operations a second */
    BENCH_GATHER, /* records of four floats picked by offset, a second */
    BENCH_LIMITS
} bench_limit;

/* How much data: the machine's caches make a difference. */
typedef enum bench_size {
    BENCH_L2,   /* fits the second cache */
    BENCH_100K, /* what 100 k particles and their lists take */
    BENCH_1M,   /* the same for 1 M: past any cache */
    BENCH_SIZES
} bench_size;

/* Measured when first asked for. */
double bench_limit_get(bench *b, bench_limit limit, bench_size size, bool one_thread);

double bench_copy_measure(unsigned threads);
double bench_read_measure(bench_size size, unsigned threads);
double bench_fma_measure(unsigned threads);
double bench_gather_measure(bench_size size, unsigned threads);

/* ---- water, stepped and timed ---- */

enum { BENCH_PASSES_MAX = 32 };

/* One pass of a step. */
typedef struct bench_pass {
    char name[32];
    double time;  /* ns per particle and call, the best of several repeats */
    double calls; /* a step */
} bench_pass;

/* The best of several repeats of the same steps, in ns per particle. */
typedef struct bench_times {
    unsigned round; /* when it was measured last */
    bool failed;
    const char *solver;
    uint64_t particles;
    unsigned threads;
    double step, search, density; /* the whole, and two of its phases */
    double iteration;             /* of the solver's own loop; infinite: it has none */
    double iterations;            /* a step */
    double neighbours, wall_neighbours; /* per particle */
    double state_bytes;                 /* per particle, that are sorted */
    bench_pass passes[BENCH_PASSES_MAX];
    size_t pass_count;
} bench_times;

enum { BENCH_TIMES_MAX = 32 };

/* Measures, or returns what was measured before. NULL after saying what is wrong. */
const bench_times *bench_times_get(bench *b, const char *solver, uint64_t particles, unsigned threads);
const bench_pass *bench_pass_find(const bench_times *t, const char *name); /* NULL: no such pass */

/* Memory that timing so many particles takes. */
int bench_times_memory(const char *solver, uint64_t particles, uint64_t *bytes);

/* Bytes a particle takes in a stored frame of flowing water. */
int bench_frame_measure(bench *b, uint64_t particles, double *bytes);

/* ---- what is measured in a process of its own, which has a peak of its own ---- */

/* The reference dam, from reading its scene to its end. */
typedef struct bench_dam {
    unsigned round; /* when it was measured last; 0: never */
    bool failed;
    double seconds, peak; /* s, bytes */
    double steps, density, divergence; /* iterations a step */
} bench_dam;

/* Measures, or returns what was measured before. NULL after saying what is wrong. */
const bench_dam *bench_dam_get(bench *b);

/* Bytes of memory a particle takes in a run of so many. */
int bench_memory_measure(bench *b, const char *solver, uint64_t particles, double *bytes);

/* Bytes of memory at most while a surface of so many particles is made. */
int bench_surface_memory(bench *b, uint64_t particles, double *bytes);

/* ---- surfaces ---- */

/* The best of several repeats, in seconds. */
typedef struct bench_surface {
    bool done, failed;
    double seconds, cull, field, march; /* the whole, and its stages */
    double smooth, values;              /* stages that must be asked for */
    double triangles;
} bench_surface;

/* A tank with waves and spray; rill_particles_free. False without memory. */
bool bench_particles_make(uint64_t count, struct rill_particles *particles);

/* Makes one surface in this process. */
int bench_surface_child(uint64_t particles, unsigned threads, double *triangles);

/* ---- path tracing ---- */

/* The best of several repeats. */
typedef struct bench_render {
    bool done, failed;
    double seconds;                  /* of a picture */
    double rays, shadow_rays, paths; /* in it; rays are those of the camera and of bounces */
    double raw, noted;               /* seconds Embree alone takes for how many of those rays */
} bench_render;

/* ---- the least a pass can cost ---- */

/* What must be moved and computed for one particle. */
typedef struct bench_cost {
    double bytes, operations, gathers;
} bench_cost;

/* False for a pass that has no model. */
bool bench_cost_of_pass(const char *name, const bench_times *t, bench_cost *cost);
bench_cost bench_cost_of_search(const bench_times *t);
bench_cost bench_cost_of_step(const bench_times *t);
bench_cost bench_cost_of_iteration(const bench_times *t);

/* ---- rows ---- */

typedef struct bench_result {
    double value;       /* NAN: not measured */
    double limit_share; /* of what the machine could do at best; 0: the row has no such limit */
    const char *limit;  /* which of the machine's limits that is; NULL: none */
    double calls, step_share; /* of a pass in its step; 0: no pass */
} bench_result;

/* Fills the result. Says what is wrong and returns an exit code, or EXIT_FINE. */
int bench_row_measure(bench *b, const bench_row *row, bench_result *result);

/* Rows about one pass form a table of their own. */
bool bench_row_is_pass(const bench_row *row);

/* What repeats the tables of papers: in milliseconds, steps a second, and one solver's iteration over DFSPH's. */
int bench_measure_naive(bench *b, const bench_row *row, bench_result *r);
int bench_measure_octree(bench *b, const bench_row *row, bench_result *r);
int bench_measure_cells(bench *b, const bench_row *row, bench_result *r);
int bench_measure_step_time(bench *b, const bench_row *row, bench_result *r);
int bench_measure_search_time(bench *b, const bench_row *row, bench_result *r);
int bench_measure_snapshot(bench *b, const bench_row *row, bench_result *r);
int bench_measure_volume(bench *b, const bench_row *row, bench_result *r);
int bench_measure_bodies(bench *b, const bench_row *row, bench_result *r);
int bench_measure_pace(bench *b, const bench_row *row, bench_result *r);
int bench_measure_relative(bench *b, const bench_row *row, bench_result *r);

/* Surfaces: seconds in all or of the stage `of`, millions of triangles a second, and GB at most. */
int bench_measure_surface(bench *b, const bench_row *row, bench_result *r);
int bench_measure_surface_memory(bench *b, const bench_row *row, bench_result *r);

/* Path tracing: millions of rays or paths a second, and rays as a share of Embree's own rate. */
int bench_measure_render(bench *b, const bench_row *row, bench_result *r);

/* The share of the machine's limit, and which limit binds: the time the work would take at full speed over the time
 * it took. */
void bench_share(bench *b, const bench_row *row, bench_cost cost, double nanoseconds, bench_result *result);

struct bench {
    unsigned threads; /* what "all threads" means */
    bool quiet;
    unsigned round;  /* 1 or more: what is measured again keeps the best of all rounds */
    bool calibrated; /* some limit was measured already */
    double limits[BENCH_LIMITS][BENCH_SIZES][2]; /* on all threads, on one; 0: not measured yet */
    unsigned limit_rounds[BENCH_LIMITS][BENCH_SIZES][2];
    bench_times times[BENCH_TIMES_MAX];
    bench_dam dam;
    bench_surface surfaces[2]; /* on all threads, on one */
    bench_render renders[2];
};

/* Measures what is asked for. Says what is wrong and returns an exit code. */
int bench_run(const bench_request *request);

/* What is measured in a process of its own, called by arguments of its own; false when these are no such call. */
bool bench_child_run(int count, char **arguments, int *code);

/* ---- the table ---- */

typedef struct bench_table {
    const bench_row **rows;
    bench_result *results;
    size_t count;
    char cpu[128], date[32];
    unsigned threads, rounds;
    double load; /* of the machine before anything was measured; negative: unknown */
} bench_table;

void bench_table_print(const bench_table *t, FILE *out);
void bench_table_put_json(const bench_table *t, FILE *out); /* an array of rows */
int bench_table_save(const bench_table *t, const char *path); /* JSON, and beside it the readable table */

/* The tables of the papers with rill's figures beside theirs, as a page; `source` names the file with all results. */
int bench_page_save(const bench_table *t, const char *path, const char *source);

#endif

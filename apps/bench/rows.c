/* The rows of the benchmark table and their bars. */
#include <math.h>

#include "command.h"
#include "machine.h"
#include "parts.h"
#include "say.h"

static const bench_times *times_of(bench *b, const bench_row *row)
{
    return bench_times_get(b, row->of, row->particles, row->one_thread ? 1 : b->threads);
}

static int measure_search(bench *b, const bench_row *row, bench_result *r)
{
    const bench_times *t = times_of(b, row);
    if (!t) return EXIT_MACHINE;
    r->value = t->search;
    bench_share(b, row, bench_cost_of_search(t), r->value, r);
    return EXIT_FINE;
}

static int measure_density(bench *b, const bench_row *row, bench_result *r)
{
    const bench_times *t = times_of(b, row);
    bench_cost cost;
    if (!t) return EXIT_MACHINE;
    r->value = t->density;
    if (bench_cost_of_pass("density", t, &cost)) bench_share(b, row, cost, r->value, r);
    return EXIT_FINE;
}

static int measure_step(bench *b, const bench_row *row, bench_result *r)
{
    const bench_times *t = times_of(b, row);
    if (!t) return EXIT_MACHINE;
    r->value = t->step;
    bench_share(b, row, bench_cost_of_step(t), r->value, r);
    return EXIT_FINE;
}

static int measure_iteration(bench *b, const bench_row *row, bench_result *r)
{
    const bench_times *t = times_of(b, row);
    if (!t) return EXIT_MACHINE;
    r->value = t->iteration;
    bench_share(b, row, bench_cost_of_iteration(t), r->value, r);
    return EXIT_FINE;
}

static int measure_iterations(bench *b, const bench_row *row, bench_result *r)
{
    const bench_times *t = times_of(b, row);
    if (!t) return EXIT_MACHINE;
    r->value = t->iterations;
    return EXIT_FINE;
}

static int measure_scaling(bench *b, const bench_row *row, bench_result *r)
{
    const bench_times *one = bench_times_get(b, row->of, row->particles, 1);
    const bench_times *all = one ? times_of(b, row) : NULL;
    if (!all) return EXIT_MACHINE;
    r->value = one->step / all->step;
    r->limit_share = r->value / b->threads;
    r->limit = "threads";
    return EXIT_FINE;
}

/* An iteration of many particles against one of 100 k, per particle. */
static int measure_growth(bench *b, const bench_row *row, bench_result *r)
{
    uint64_t needed, free_bytes = machine_memory_available();
    int code = bench_times_memory(row->of, row->particles, &needed);
    if (code) return code;
    r->value = NAN;
    if (needed > free_bytes) {
        fprintf(stderr, "  %s is left out: %s particles need %s of memory and %s are free.\n", row->name,
                say_count(row->particles).text, say_bytes(needed).text, say_bytes(free_bytes).text);
        return EXIT_FINE;
    }
    const bench_times *few = bench_times_get(b, row->of, 100000, b->threads);
    const bench_times *many = few ? times_of(b, row) : NULL;
    if (!many) return EXIT_MACHINE;
    r->value = many->iteration / few->iteration;
    return EXIT_FINE;
}

static int measure_memory(bench *b, const bench_row *row, bench_result *r)
{
    return bench_memory_measure(b, row->of, row->particles, &r->value);
}

static int measure_frame(bench *b, const bench_row *row, bench_result *r)
{
    return bench_frame_measure(b, row->particles, &r->value);
}

/* ---- the reference dam ---- */

static int dam_value(bench *b, bench_result *r, size_t member, double scale)
{
    const bench_dam *dam = bench_dam_get(b);
    if (!dam) return EXIT_MACHINE;
    r->value = *(const double *)((const char *)dam + member) * scale;
    return EXIT_FINE;
}

static int measure_dam(bench *b, const bench_row *row, bench_result *r)
{
    (void)row;
    return dam_value(b, r, offsetof(bench_dam, seconds), 1);
}

static int measure_dam_memory(bench *b, const bench_row *row, bench_result *r)
{
    (void)row;
    return dam_value(b, r, offsetof(bench_dam, peak), 1e-6);
}

static int measure_dam_steps(bench *b, const bench_row *row, bench_result *r)
{
    (void)row;
    return dam_value(b, r, offsetof(bench_dam, steps), 1);
}

static int measure_dam_density(bench *b, const bench_row *row, bench_result *r)
{
    (void)row;
    return dam_value(b, r, offsetof(bench_dam, density), 1);
}

static int measure_dam_divergence(bench *b, const bench_row *row, bench_result *r)
{
    (void)row;
    return dam_value(b, r, offsetof(bench_dam, divergence), 1);
}

/* ---- where the time of a DFSPH step goes ---- */

static int measure_pass(bench *b, const bench_row *row, bench_result *r)
{
    const bench_times *t = bench_times_get(b, "dfsph", row->particles, b->threads);
    const bench_pass *pass = t ? bench_pass_find(t, row->of) : NULL;
    bench_cost cost;
    r->value = NAN;
    if (!t) return EXIT_MACHINE;
    if (!pass) return EXIT_FINE;
    r->value = pass->time;
    r->calls = pass->calls;
    r->step_share = pass->time * pass->calls / t->step;
    if (bench_cost_of_pass(row->of, t, &cost)) bench_share(b, row, cost, r->value, r);
    return EXIT_FINE;
}

/* What no row names: passes without a row, sums over blocks, probes. */
static int measure_rest(bench *b, const bench_row *row, bench_result *r)
{
    const bench_times *t = bench_times_get(b, "dfsph", row->particles, b->threads);
    if (!t) return EXIT_MACHINE;
    r->value = t->step;
    for (size_t i = 0; i < bench_row_count; i++) {
        const bench_pass *pass = bench_rows[i].measure == measure_pass ? bench_pass_find(t, bench_rows[i].of) : NULL;
        if (pass) r->value -= pass->time * pass->calls;
    }
    r->calls = 1;
    r->step_share = r->value / t->step;
    return EXIT_FINE;
}

bool bench_row_is_pass(const bench_row *row)
{
    return row->measure == measure_pass || row->measure == measure_rest;
}

/* ---- the machine itself ---- */

/* The particles of these rows say how much data they work on; a small number stands for the second cache. */
static int limit_value(bench *b, const bench_row *row, bench_limit limit, bench_result *r)
{
    bench_size size = row->particles == 100000 ? BENCH_100K : row->particles == 1000000 ? BENCH_1M : BENCH_L2;
    r->value = bench_limit_get(b, limit, size, row->one_thread) / 1e9;
    return r->value > 0 ? EXIT_FINE : say_error(EXIT_MACHINE, "There is no memory left to measure the machine.");
}

static int measure_copy(bench *b, const bench_row *row, bench_result *r)
{
    return limit_value(b, row, BENCH_COPY, r);
}

static int measure_read(bench *b, const bench_row *row, bench_result *r)
{
    return limit_value(b, row, BENCH_READ, r);
}

static int measure_fma(bench *b, const bench_row *row, bench_result *r)
{
    return limit_value(b, row, BENCH_FMA, r);
}

static int measure_gather(bench *b, const bench_row *row, bench_result *r)
{
    return limit_value(b, row, BENCH_GATHER, r);
}

static const char ns[] = "ns/particle", gbs[] = "GB/s", ops[] = "Gop/s", records[] = "Grecords/s";
static const char wcsph[] = "wcsph", dfsph[] = "dfsph", iisph[] = "iisph", pcisph[] = "pcisph", pbf[] = "pbf";
static const char mijalkovic[] = "Mijalkovic", liu[] = "Liu et al.", azimkar[] = "Azimkar";
enum { HUNDRED_K = 100000, MILLION = 1000000 };

#define LIMIT(name, what, unit, particles, one, measure)                                                               \
    {name, what, unit, 0, 0, true, particles, one, NULL, measure, NULL, 0}
#define TIME(name, what, bar, goal, particles, one, of, measure)                                                       \
    {name, what, ns, bar, goal, false, particles, one, of, measure, NULL, 0}
#define DAM(name, what, unit, bar, goal, measure)                                                                      \
    {name, what, unit, bar, goal, false, 0, false, NULL, measure, NULL, 0}
#define SURFACE(name, what, unit, bar, goal, one, of)                                                                  \
    {name, what, unit, bar, goal, false, MILLION, one, of, bench_measure_surface, NULL, 0}
#define RENDER(name, what, unit, bar, goal, one, of)                                                                   \
    {name, what, unit, bar, goal, true, HUNDRED_K, one, of, bench_measure_render, NULL, 0}
#define PASS(name, what) {"pass_" name, what, ns, 0, 0, false, HUNDRED_K, false, name, measure_pass, NULL, 0}
#define RELATIVE(name, what, of)                                                                                       \
    {name, what, "x DFSPH", 1.3, 0, false, HUNDRED_K, false, of, bench_measure_relative, NULL, 0}
/* A row of a paper's table: on one thread or all, what stands there. */
#define STREWN(name, what, one, theirs, measure)                                                                       \
    {name, what, "ms", 0, 0, false, 5000, one, NULL, measure, mijalkovic, theirs}
#define STEP_5K(name, what, bar, goal, one, theirs)                                                                    \
    {name, what, "ms", bar, goal, false, 5000, one, pbf, bench_measure_step_time, mijalkovic, theirs}
#define SEARCH(size, particles, theirs)                                                                                \
    {"search_time_" size, "sort + neighbour list, " size, "ms", 0, 0, false, particles, false, wcsph,                  \
     bench_measure_search_time, liu, theirs}
#define PACE(size, particles, theirs)                                                                                  \
    {"steps_" size, "WCSPH steps a second, " size, "1/s", 0, 0, true, particles, false, wcsph, bench_measure_pace,     \
     azimkar, theirs}

const bench_row bench_rows[] = {
    LIMIT("copy_1", "memory copied, read + written, 1 thread", gbs, 0, true, measure_copy),
    LIMIT("copy", "the same, all threads", gbs, 0, false, measure_copy),
    LIMIT("read_100k_1", "memory read, lists of 100 k, 1 thread", gbs, HUNDRED_K, true, measure_read),
    LIMIT("read_100k", "the same, all threads", gbs, HUNDRED_K, false, measure_read),
    LIMIT("read_1m_1", "memory read, lists of 1 M, 1 thread", gbs, MILLION, true, measure_read),
    LIMIT("read_1m", "the same, all threads", gbs, MILLION, false, measure_read),
    LIMIT("fma_1", "multiply-adds in registers, 1 thread", ops, 0, true, measure_fma),
    LIMIT("fma", "the same, all threads", ops, 0, false, measure_fma),
    LIMIT("gather_l2_1", "gathers from the second cache, 1 thread", records, 0, true, measure_gather),
    LIMIT("gather_l2", "the same, all threads", records, 0, false, measure_gather),
    LIMIT("gather_100k_1", "gathers among 100 k, 1 thread", records, HUNDRED_K, true, measure_gather),
    LIMIT("gather_100k", "the same, all threads", records, HUNDRED_K, false, measure_gather),
    LIMIT("gather_1m_1", "gathers among 1 M, 1 thread", records, MILLION, true, measure_gather),
    LIMIT("gather_1m", "the same, all threads", records, MILLION, false, measure_gather),

    TIME("search_100k_1", "sort + neighbour list, 100 k, 1 thread", 0, 0, HUNDRED_K, true, wcsph, measure_search),
    TIME("search_100k", "sort + neighbour list, 100 k, all threads", 40, 25, HUNDRED_K, false, wcsph, measure_search),
    TIME("search_1m_1", "sort + neighbour list, 1 M, 1 thread", 0, 0, MILLION, true, wcsph, measure_search),
    TIME("search_1m", "sort + neighbour list, 1 M, all threads", 48, 30, MILLION, false, wcsph, measure_search),
    TIME("density_100k_1", "density pass, 100 k, 1 thread", 0, 0, HUNDRED_K, true, wcsph, measure_density),
    TIME("density_100k", "density pass, 100 k, all threads", 13, 8, HUNDRED_K, false, wcsph, measure_density),
    TIME("density_1m_1", "density pass, 1 M, 1 thread", 0, 0, MILLION, true, wcsph, measure_density),
    TIME("density_1m", "density pass, 1 M, all threads", 13, 8, MILLION, false, wcsph, measure_density),
    TIME("step_100k_1", "WCSPH step, 100 k, 1 thread", 0, 0, HUNDRED_K, true, wcsph, measure_step),
    TIME("step_100k", "WCSPH step, 100 k, all threads", 0, 0, HUNDRED_K, false, wcsph, measure_step),
    TIME("step_1m_1", "WCSPH step, 1 M, 1 thread", 0, 0, MILLION, true, wcsph, measure_step),
    TIME("step_1m", "WCSPH step, 1 M, all threads", 120, 80, MILLION, false, wcsph, measure_step),
    {"scaling", "WCSPH step, 1 M, 1 thread over all", "x", 1.8, 1.95, true, MILLION, false, wcsph,
     measure_scaling, NULL, 0},

    TIME("dfsph_iteration_100k_1", "DFSPH iteration, 100 k, 1 thread", 0, 0, HUNDRED_K, true, dfsph, measure_iteration),
    TIME("dfsph_iteration_100k", "DFSPH iteration, 100 k, all threads", 14, 10, HUNDRED_K, false, dfsph,
         measure_iteration),
    TIME("dfsph_iteration_1m_1", "DFSPH iteration, 1 M, 1 thread", 0, 0, MILLION, true, dfsph, measure_iteration),
    TIME("dfsph_iteration_1m", "DFSPH iteration, 1 M, all threads", 19, 13, MILLION, false, dfsph, measure_iteration),
    TIME("dfsph_step_100k_1", "DFSPH step, 100 k, 1 thread", 0, 0, HUNDRED_K, true, dfsph, measure_step),
    TIME("dfsph_step_100k", "DFSPH step, 100 k, all threads", 0, 0, HUNDRED_K, false, dfsph, measure_step),
    TIME("dfsph_step_1m_1", "DFSPH step, 1 M, 1 thread", 0, 0, MILLION, true, dfsph, measure_step),
    TIME("dfsph_step_1m", "DFSPH step, 1 M, all threads", 0, 0, MILLION, false, dfsph, measure_step),
    {"dfsph_iterations_100k", "iterations of that step, 100 k", "a step", 0, 0, false, HUNDRED_K, false, dfsph,
     measure_iterations, NULL, 0},
    {"dfsph_iterations_1m", "iterations of that step, 1 M", "a step", 0, 0, false, MILLION, false, dfsph,
     measure_iterations, NULL, 0},
    {"dfsph_scaling", "DFSPH step, 1 M, 1 thread over all", "x", 1.8, 1.95, true, MILLION, false, dfsph,
     measure_scaling, NULL, 0},
    {"dfsph_growth_4m", "DFSPH iteration, 4 M over 100 k", "x", 1.5, 1.2, false, 4000000, false, dfsph,
     measure_growth, NULL, 0},
    RELATIVE("iisph_iteration_100k", "IISPH iteration over DFSPH's, 100 k", iisph),
    RELATIVE("pcisph_iteration_100k", "PCISPH iteration over DFSPH's, 100 k", pcisph),
    DAM("reference_dam", "reference dam, 1 s, to the end", "s", 16, 11, measure_dam),
    DAM("reference_dam_memory", "its peak memory", "MB", 150, 0, measure_dam_memory),
    DAM("reference_dam_steps", "its steps", "", 0, 0, measure_dam_steps),
    DAM("reference_dam_density_iterations", "its density iterations, mean", "a step", 0, 0, measure_dam_density),
    DAM("reference_dam_divergence_iterations", "its divergence iterations, mean", "a step", 0, 0,
        measure_dam_divergence),

    {"memory", "memory, WCSPH, 1 M particles, all told", "B/particle", 600, 400, false, MILLION, false, wcsph,
     measure_memory, NULL, 0},
    {"dfsph_memory", "memory, DFSPH, 1 M particles, all told", "B/particle", 600, 400, false, MILLION, false, dfsph,
     measure_memory, NULL, 0},
    {"frame", "stored frame, all a restart needs", "B/particle", 22, 18, false, 30000, false, NULL,
     measure_frame, NULL, 0},

    {"snapshot_10k", "10 k brought back to a snapshot", "ms", 1, 0, false, 10000, false, dfsph,
     bench_measure_snapshot, NULL, 0},
    {"volume_100k", "volume of 100 k, share of a DFSPH step", "x", 0, 0, false, HUNDRED_K, false, dfsph,
     bench_measure_volume, NULL, 0},

    SURFACE("surface_1m_1", "surface, 1 M, cell 0.5, 1 thread", "s", 0, 0, true, "all"),
    SURFACE("surface_1m", "surface, 1 M, cell 0.5, all threads", "s", 0.5, 0.25, false, "all"),
    SURFACE("surface_1m_cull", "of that, sorting and leaving out", "s", 0, 0, false, "cull"),
    SURFACE("surface_1m_field", "of that, the field", "s", 0, 0, false, "field"),
    SURFACE("surface_1m_march", "of that, vertices and triangles", "s", 0, 0, false, "march"),
    SURFACE("surface_1m_smooth", "besides, five rounds of smoothing", "s", 0, 0, false, "smooth"),
    SURFACE("surface_1m_values", "besides, a vector for every vertex", "s", 0, 0, false, "values"),
    {"surface_1m_triangles", "its triangles a second, millions", "M/s", 0, 0, true, MILLION, false, "triangles",
     bench_measure_surface, NULL, 0},
    {"surface_4m_memory", "surface, 4 M, peak memory", "GB", 1, 0.6, false, 4000000, false, NULL,
     bench_measure_surface_memory, NULL, 0},

    RENDER("rays_raw_1", "Embree alone, rays of a picture, 1 thread", "M/s", 0, 0, true, "raw"),
    RENDER("rays_1", "path tracer, camera + bounce, 1 thread", "M/s", 0, 0, true, "rays"),
    RENDER("rays_share_1", "that as a share of Embree alone", "%", 40, 70, true, "share"),
    RENDER("rays_raw", "Embree alone, all threads", "M/s", 0, 0, false, "raw"),
    RENDER("rays", "path tracer, camera + bounce, all threads", "M/s", 0, 0, false, "rays"),
    RENDER("rays_all", "the same, shadow rays counted too", "M/s", 0, 0, false, "all"),
    RENDER("paths", "paths a second, all threads", "M/s", 0, 0, false, "paths"),
    RENDER("rays_share", "camera + bounce, share of Embree alone", "%", 40, 70, false, "share"),

    STREWN("naive_5k_1", "all pairs, 5 k strewn, 1 thread", true, 93.32, bench_measure_naive),
    STREWN("naive_5k", "all pairs, 5 k strewn, all threads", false, 102.34, bench_measure_naive),
    STREWN("octree_5k_1", "octree, 5 k strewn, 1 thread", true, 50.646, bench_measure_octree),
    STREWN("octree_5k", "octree, 5 k strewn, all threads", false, 20.318, bench_measure_octree),
    STREWN("cells_5k_1", "rill's search, 5 k strewn, 1 thread", true, 0, bench_measure_cells),
    STREWN("cells_5k", "rill's search, 5 k strewn, all threads", false, 0, bench_measure_cells),
    STEP_5K("pbf_step_5k_1", "PBF step, 5 k, 3 iterations, 1 thread", 0, 0, true, 370.84),
    STEP_5K("pbf_step_5k", "PBF step, 5 k, 3 iterations, all threads", 1, 0.5, false, 140.73),
    SEARCH("25k", 25000, 0.1),
    SEARCH("50k", 50000, 0.22),
    SEARCH("100k", HUNDRED_K, 0.5),
    SEARCH("200k", 200000, 3.3),
    SEARCH("300k", 300000, 3.6),
    SEARCH("700k", 700000, 4.4),
    SEARCH("1m", MILLION, 5.1),
    PACE("1k", 1000, 0),
    PACE("10k", 10000, 0),
    PACE("32k", 32000, 600),
    PACE("100k", HUNDRED_K, 0),
    PACE("390k", 390000, 60),
    PACE("1m", MILLION, 0),

    /* In the order of a step. */
    PASS("sort", "particles in the order of cells"),
    PASS("neighbours", "neighbour lists"),
    PASS("density", "density and pair factors"),
    PASS("begin", "diagonal, source of the divergence solve"),
    PASS("push", "pressure moves particles: half an iteration"),
    PASS("test", "what is left, next pressure: the other half"),
    PASS("apply", "velocities take what was solved"),
    PASS("gravity", "gravity"),
    PASS("viscosity", "viscosity"),
    PASS("kick", "velocities take the forces"),
    PASS("predict", "source of the density solve"),
    PASS("publish", "pressure and density for frames"),
    PASS("move", "particles move, walls hold them"),
    {"pass_rest", "all the rest of a step", ns, 0, 0, false, HUNDRED_K, false, NULL, measure_rest, NULL, 0},
};
const size_t bench_row_count = sizeof bench_rows / sizeof *bench_rows;

/* The rows of the benchmark table and their bars. */
#include "bench_rows.h"

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
    {name, what, unit, bar, goal, false, MILLION, one, of, BENCH_ROW_SURFACE, NULL, 0}
#define RENDER(name, what, unit, bar, goal, one, of)                                                                   \
    {name, what, unit, bar, goal, true, HUNDRED_K, one, of, BENCH_ROW_RENDER, NULL, 0}
#define PASS(name, what) {"pass_" name, what, ns, 0, 0, false, HUNDRED_K, false, name, BENCH_ROW_PASS, NULL, 0}
#define RELATIVE(name, what, of)                                                                                       \
    {name, what, "x DFSPH", 1.3, 0, false, HUNDRED_K, false, of, BENCH_ROW_RELATIVE, NULL, 0}
/* A row of a paper's table: on one thread or all, what stands there. */
#define STREWN(name, what, one, theirs, measure)                                                                       \
    {name, what, "ms", 0, 0, false, 5000, one, NULL, measure, mijalkovic, theirs}
#define STEP_5K(name, what, bar, goal, one, theirs)                                                                    \
    {name, what, "ms", bar, goal, false, 5000, one, pbf, BENCH_ROW_STEP_TIME, mijalkovic, theirs}
#define SEARCH(size, particles, theirs)                                                                                \
    {"search_time_" size, "sort + neighbour list, " size, "ms", 0, 0, false, particles, false, wcsph,                  \
     BENCH_ROW_SEARCH_TIME, liu, theirs}
#define PACE(size, particles, theirs)                                                                                  \
    {"steps_" size, "WCSPH steps a second, " size, "1/s", 0, 0, true, particles, false, wcsph, BENCH_ROW_PACE,     \
     azimkar, theirs}

const bench_row bench_rows[] = {
    LIMIT("copy_1", "memory copied, read + written, 1 thread", gbs, 0, true, BENCH_ROW_COPY),
    LIMIT("copy", "the same, all threads", gbs, 0, false, BENCH_ROW_COPY),
    LIMIT("read_100k_1", "memory read, lists of 100 k, 1 thread", gbs, HUNDRED_K, true, BENCH_ROW_READ),
    LIMIT("read_100k", "the same, all threads", gbs, HUNDRED_K, false, BENCH_ROW_READ),
    LIMIT("read_1m_1", "memory read, lists of 1 M, 1 thread", gbs, MILLION, true, BENCH_ROW_READ),
    LIMIT("read_1m", "the same, all threads", gbs, MILLION, false, BENCH_ROW_READ),
    LIMIT("fma_1", "multiply-adds in registers, 1 thread", ops, 0, true, BENCH_ROW_FMA),
    LIMIT("fma", "the same, all threads", ops, 0, false, BENCH_ROW_FMA),
    LIMIT("gather_l2_1", "gathers from the second cache, 1 thread", records, 0, true, BENCH_ROW_GATHER),
    LIMIT("gather_l2", "the same, all threads", records, 0, false, BENCH_ROW_GATHER),
    LIMIT("gather_100k_1", "gathers among 100 k, 1 thread", records, HUNDRED_K, true, BENCH_ROW_GATHER),
    LIMIT("gather_100k", "the same, all threads", records, HUNDRED_K, false, BENCH_ROW_GATHER),
    LIMIT("gather_1m_1", "gathers among 1 M, 1 thread", records, MILLION, true, BENCH_ROW_GATHER),
    LIMIT("gather_1m", "the same, all threads", records, MILLION, false, BENCH_ROW_GATHER),

    TIME("search_100k_1", "sort + neighbour list, 100 k, 1 thread", 0, 0, HUNDRED_K, true, wcsph, BENCH_ROW_SEARCH),
    TIME("search_100k", "sort + neighbour list, 100 k, all threads", 40, 25, HUNDRED_K, false, wcsph, BENCH_ROW_SEARCH),
    TIME("search_1m_1", "sort + neighbour list, 1 M, 1 thread", 0, 0, MILLION, true, wcsph, BENCH_ROW_SEARCH),
    TIME("search_1m", "sort + neighbour list, 1 M, all threads", 48, 30, MILLION, false, wcsph, BENCH_ROW_SEARCH),
    TIME("density_100k_1", "density pass, 100 k, 1 thread", 0, 0, HUNDRED_K, true, wcsph, BENCH_ROW_DENSITY),
    TIME("density_100k", "density pass, 100 k, all threads", 13, 8, HUNDRED_K, false, wcsph, BENCH_ROW_DENSITY),
    TIME("density_1m_1", "density pass, 1 M, 1 thread", 0, 0, MILLION, true, wcsph, BENCH_ROW_DENSITY),
    TIME("density_1m", "density pass, 1 M, all threads", 13, 8, MILLION, false, wcsph, BENCH_ROW_DENSITY),
    TIME("step_100k_1", "WCSPH step, 100 k, 1 thread", 0, 0, HUNDRED_K, true, wcsph, BENCH_ROW_STEP),
    TIME("step_100k", "WCSPH step, 100 k, all threads", 0, 0, HUNDRED_K, false, wcsph, BENCH_ROW_STEP),
    TIME("step_1m_1", "WCSPH step, 1 M, 1 thread", 0, 0, MILLION, true, wcsph, BENCH_ROW_STEP),
    TIME("step_1m", "WCSPH step, 1 M, all threads", 120, 80, MILLION, false, wcsph, BENCH_ROW_STEP),
    {"scaling", "WCSPH step, 1 M, 1 thread over all", "x", 1.8, 1.95, true, MILLION, false, wcsph,
     BENCH_ROW_SCALING, NULL, 0},

    TIME("dfsph_iteration_100k_1", "DFSPH iteration, 100 k, 1 thread", 0, 0, HUNDRED_K, true, dfsph,
         BENCH_ROW_ITERATION),
    TIME("dfsph_iteration_100k", "DFSPH iteration, 100 k, all threads", 14, 10, HUNDRED_K, false, dfsph,
         BENCH_ROW_ITERATION),
    TIME("dfsph_iteration_1m_1", "DFSPH iteration, 1 M, 1 thread", 0, 0, MILLION, true, dfsph, BENCH_ROW_ITERATION),
    TIME("dfsph_iteration_1m", "DFSPH iteration, 1 M, all threads", 19, 13, MILLION, false, dfsph, BENCH_ROW_ITERATION),
    TIME("dfsph_step_100k_1", "DFSPH step, 100 k, 1 thread", 0, 0, HUNDRED_K, true, dfsph, BENCH_ROW_STEP),
    TIME("dfsph_step_100k", "DFSPH step, 100 k, all threads", 0, 0, HUNDRED_K, false, dfsph, BENCH_ROW_STEP),
    TIME("dfsph_step_1m_1", "DFSPH step, 1 M, 1 thread", 0, 0, MILLION, true, dfsph, BENCH_ROW_STEP),
    TIME("dfsph_step_1m", "DFSPH step, 1 M, all threads", 0, 0, MILLION, false, dfsph, BENCH_ROW_STEP),
    {"dfsph_iterations_100k", "iterations of that step, 100 k", "a step", 0, 0, false, HUNDRED_K, false, dfsph,
     BENCH_ROW_ITERATIONS, NULL, 0},
    {"dfsph_iterations_1m", "iterations of that step, 1 M", "a step", 0, 0, false, MILLION, false, dfsph,
     BENCH_ROW_ITERATIONS, NULL, 0},
    {"dfsph_scaling", "DFSPH step, 1 M, 1 thread over all", "x", 1.8, 1.95, true, MILLION, false, dfsph,
     BENCH_ROW_SCALING, NULL, 0},
    {"dfsph_growth_4m", "DFSPH iteration, 4 M over 100 k", "x", 1.5, 1.2, false, 4000000, false, dfsph,
     BENCH_ROW_GROWTH, NULL, 0},
    RELATIVE("iisph_iteration_100k", "IISPH iteration over DFSPH's, 100 k", iisph),
    RELATIVE("pcisph_iteration_100k", "PCISPH iteration over DFSPH's, 100 k", pcisph),
    DAM("reference_dam", "reference dam, 1 s, to the end", "s", 16, 11, BENCH_ROW_DAM),
    DAM("reference_dam_memory", "its peak memory", "MB", 150, 0, BENCH_ROW_DAM_MEMORY),
    DAM("reference_dam_steps", "its steps", "", 0, 0, BENCH_ROW_DAM_STEPS),
    DAM("reference_dam_density_iterations", "its density iterations, mean", "a step", 0, 0, BENCH_ROW_DAM_DENSITY),
    DAM("reference_dam_divergence_iterations", "its divergence iterations, mean", "a step", 0, 0,
        BENCH_ROW_DAM_DIVERGENCE),

    {"memory", "memory, WCSPH, 1 M particles, all told", "B/particle", 600, 400, false, MILLION, false, wcsph,
     BENCH_ROW_MEMORY, NULL, 0},
    {"dfsph_memory", "memory, DFSPH, 1 M particles, all told", "B/particle", 600, 400, false, MILLION, false, dfsph,
     BENCH_ROW_MEMORY, NULL, 0},
    {"frame", "stored frame, all a restart needs", "B/particle", 22, 18, false, 30000, false, NULL,
     BENCH_ROW_FRAME, NULL, 0},

    {"snapshot_10k", "10 k brought back to a snapshot", "ms", 1, 0, false, 10000, false, dfsph,
     BENCH_ROW_SNAPSHOT, NULL, 0},
    {"volume_100k", "volume of 100 k, share of a DFSPH step", "x", 0, 0, false, HUNDRED_K, false, dfsph,
     BENCH_ROW_VOLUME, NULL, 0},
    {"bodies_1000", "DFSPH step, 1000 moving spheres over none", "x", 2, 0, false, HUNDRED_K, false, dfsph,
     BENCH_ROW_BODIES, NULL, 0},
    {"bodies_1000_wcsph", "WCSPH step, 1000 moving spheres over none", "x", 0, 0, false, HUNDRED_K, false, wcsph,
     BENCH_ROW_BODIES, NULL, 0},

    SURFACE("surface_1m_1", "surface, 1 M, cell 0.5, 1 thread", "s", 0, 0, true, "all"),
    SURFACE("surface_1m", "surface, 1 M, cell 0.5, all threads", "s", 0.5, 0.25, false, "all"),
    SURFACE("surface_1m_cull", "of that, sorting and leaving out", "s", 0, 0, false, "cull"),
    SURFACE("surface_1m_field", "of that, the field", "s", 0, 0, false, "field"),
    SURFACE("surface_1m_march", "of that, vertices and triangles", "s", 0, 0, false, "march"),
    SURFACE("surface_1m_smooth", "besides, five rounds of smoothing", "s", 0, 0, false, "smooth"),
    SURFACE("surface_1m_values", "besides, a vector for every vertex", "s", 0, 0, false, "values"),
    {"surface_1m_triangles", "its triangles a second, millions", "M/s", 0, 0, true, MILLION, false, "triangles",
     BENCH_ROW_SURFACE, NULL, 0},
    {"surface_4m_memory", "surface, 4 M, peak memory", "GB", 1, 0.6, false, 4000000, false, NULL,
     BENCH_ROW_SURFACE_MEMORY, NULL, 0},

    RENDER("rays_raw_1", "Embree alone, rays of a picture, 1 thread", "M/s", 0, 0, true, "raw"),
    RENDER("rays_1", "path tracer, camera + bounce, 1 thread", "M/s", 0, 0, true, "rays"),
    RENDER("rays_share_1", "that as a share of Embree alone", "%", 40, 70, true, "share"),
    RENDER("rays_raw", "Embree alone, all threads", "M/s", 0, 0, false, "raw"),
    RENDER("rays", "path tracer, camera + bounce, all threads", "M/s", 0, 0, false, "rays"),
    RENDER("rays_all", "the same, shadow rays counted too", "M/s", 0, 0, false, "all"),
    RENDER("paths", "paths a second, all threads", "M/s", 0, 0, false, "paths"),
    RENDER("rays_share", "camera + bounce, share of Embree alone", "%", 40, 70, false, "share"),

    STREWN("naive_5k_1", "all pairs, 5 k strewn, 1 thread", true, 93.32, BENCH_ROW_NAIVE),
    STREWN("naive_5k", "all pairs, 5 k strewn, all threads", false, 102.34, BENCH_ROW_NAIVE),
    STREWN("octree_5k_1", "octree, 5 k strewn, 1 thread", true, 50.646, BENCH_ROW_OCTREE),
    STREWN("octree_5k", "octree, 5 k strewn, all threads", false, 20.318, BENCH_ROW_OCTREE),
    STREWN("cells_5k_1", "rill's search, 5 k strewn, 1 thread", true, 0, BENCH_ROW_CELLS),
    STREWN("cells_5k", "rill's search, 5 k strewn, all threads", false, 0, BENCH_ROW_CELLS),
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
    {"pass_rest", "all the rest of a step", ns, 0, 0, false, HUNDRED_K, false, NULL, BENCH_ROW_REST, NULL, 0},
};
const size_t bench_row_count = sizeof bench_rows / sizeof *bench_rows;

/* Words that stand for all rows about passes, and for all that repeat a paper's. */
const char bench_all_passes[] = "passes", bench_all_papers[] = "papers";

const char *bench_word_at(const void *context, int i)
{
    (void)context;
    const size_t past = (size_t)i - bench_row_count;
    if ((size_t)i < bench_row_count) return bench_rows[i].name;
    return past == 0 ? bench_all_passes : past == 1 ? bench_all_papers : NULL;
}

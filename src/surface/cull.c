/* Culling, before any field is built, so that fly-away particles leave no shadow. */
#include "surface/cull.h"

#include "surface/mesh.h"

/* In diameters: how far a neighbour may be, and from how near two particles hang together. */
static const double NEIGHBOUR = 2, LINK = 1.5;

typedef struct culling {
    const rill_points *points;
    uint32_t neighbours;
    uint8_t *keep;
} culling;

static inline float square_distance(const rill_points *points, uint32_t i, uint32_t j)
{
    const float *x = points->position + 4 * (size_t)i, *y = points->position + 4 * (size_t)j;
    const float a = x[0] - y[0], b = x[1] - y[1], c = x[2] - y[2];
    return a * a + b * b + c * c;
}

/* Others near a particle, counted up to `most`. */
static uint32_t count_near(const rill_points *points, uint32_t i, const rill_span *runs, unsigned run_count,
                           float square, uint32_t most)
{
    uint32_t count = 0;
    for (unsigned r = 0; r < run_count; r++)
        for (uint32_t j = runs[r].begin; j < runs[r].end && count < most; j++)
            count += j != i && square_distance(points, i, j) < square;
    return count;
}

/* The particles of a cell, of the one before and of the one behind, among which most have all they need. */
static rill_span run_beside(const rill_points *points, uint32_t cell)
{
    const uint32_t last = cell + 2 < points->cells.cell_count ? cell + 2 : points->cells.cell_count;
    return (rill_span){points->cells.start[cell ? cell - 1 : 0], points->cells.start[last]};
}

static void cull_group(void *context, size_t group, unsigned worker)
{
    (void)worker;
    culling *c = context;
    const rill_points *points = c->points;
    const float reach = (float)(NEIGHBOUR * points->diameter);
    const uint32_t begin = (uint32_t)group * RILL_CELL_GROUP, need = c->neighbours;
    for (uint32_t cell = begin; cell < points->cells.cell_count && cell < begin + RILL_CELL_GROUP; cell++) {
        rill_span runs[RILL_RUNS];
        const rill_span beside = run_beside(points, cell);
        unsigned run_count = 0;
        for (uint32_t i = points->cells.start[cell]; i < points->cells.start[cell + 1]; i++) {
            c->keep[i] = count_near(points, i, &beside, 1, reach * reach, need) >= need;
            if (c->keep[i]) continue;
            if (!run_count) run_count = rill_points_runs_near(points, cell, (double)reach, runs);
            c->keep[i] = count_near(points, i, runs, run_count, reach * reach, need) >= need;
        }
    }
}

/* Groups of those kept, linked where they are near; sizes at their roots. */
typedef struct grouping {
    const rill_points *points;
    const uint8_t *keep;
    uint32_t *parent, *size, least;
} grouping;

/* Links a particle to those of a run, until its group is large enough. */
static bool link_run(const grouping *g, uint32_t i, rill_span run)
{
    const float reach = (float)(LINK * g->points->diameter);
    for (uint32_t j = run.begin; j < run.end; j++) {
        if (!g->keep[j] || j == i || !(square_distance(g->points, i, j) < reach * reach)) continue;
        const uint32_t a = rill_forest_root(g->parent, i), b = rill_forest_root(g->parent, j);
        const uint32_t size = a == b ? g->size[a] : g->size[a] + g->size[b];
        rill_forest_join(g->parent, i, j);
        g->size[rill_forest_root(g->parent, i)] = size;
        if (size >= g->least) return true;
    }
    return false;
}

/* Whoever is in a group that is large enough need not look farther: those who are not have looked at all others. */
static bool drop_groups(const rill_points *points, uint32_t least, uint8_t *keep)
{
    const double reach = LINK * points->diameter;
    uint32_t *parent = rill_malloc(2 * (size_t)points->count * sizeof *parent + 1);
    if (!parent) return false;
    const grouping g = {points, keep, parent, parent + points->count, least};
    for (uint32_t i = 0; i < points->count; i++) {
        g.parent[i] = i;
        g.size[i] = 1;
    }
    for (uint32_t cell = 0; cell < points->cells.cell_count; cell++) {
        rill_span runs[RILL_RUNS];
        unsigned run_count = 0;
        for (uint32_t i = points->cells.start[cell]; i < points->cells.start[cell + 1]; i++) {
            if (!keep[i] || g.size[rill_forest_root(parent, i)] >= least) continue;
            if (link_run(&g, i, run_beside(points, cell))) continue;
            if (!run_count) run_count = rill_points_runs_near(points, cell, reach, runs);
            for (unsigned r = 0; r < run_count && !link_run(&g, i, runs[r]); r++) {}
        }
    }
    for (uint32_t i = 0; i < points->count; i++) keep[i] = keep[i] && g.size[rill_forest_root(parent, i)] >= least;
    rill_free(parent);
    return true;
}

/* Sorts those that stay; their order within a cell remains. */
static rill_status sort_again(rill_points *points, const uint8_t *keep, const rill_scheduler *scheduler,
                              rill_error *err)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < points->count; i++) {
        if (!keep[i]) continue;
        for (size_t a = 0; a < 4; a++) points->position[4 * (size_t)count + a] = points->position[4 * (size_t)i + a];
        points->source[count++] = points->source[i];
    }
    if (count == points->count) return RILL_OK;
    rill_points rest;
    const rill_status status =
        rill_points_make(&rest, points->position, points->source, count, points->diameter, scheduler, err);
    rill_points_free(points);
    *points = rest;
    return status;
}

rill_status rill_cull(rill_points *points, uint32_t neighbours, uint32_t least, const rill_scheduler *scheduler,
                      rill_error *err)
{
    if (!neighbours && least <= 1) return RILL_OK;
    uint8_t *keep = rill_malloc((size_t)points->count + 1);
    if (!keep) return rill_memory_fail(err, points->count, "culling particles");
    culling c = {points, neighbours, keep};
    rill_parallel_for(scheduler, rill_points_groups(points), cull_group, &c);
    rill_status status = RILL_OK;
    if (least > 1 && !drop_groups(points, least, keep))
        status = rill_memory_fail(err, 8 * (size_t)points->count, "the groups of particles");
    if (!status) status = sort_again(points, keep, scheduler, err);
    rill_free(keep);
    return status;
}

rill_status rill_particles_strays(const rill_particles *particles, uint32_t neighbours, uint32_t least,
                                  const rill_scheduler *scheduler, bool *stray, rill_error *err)
{
    rill_points points = {0};
    if (!scheduler) scheduler = &rill_serial;
    if (!(particles->diameter > 0))
        return rill_fail(err, RILL_BAD_INPUT, "The particles' diameter is not known; give it.");
    rill_status status = rill_points_of(&points, particles, particles->diameter, scheduler, err);
    if (!status) status = rill_cull(&points, neighbours, least, scheduler, err);
    for (size_t i = 0; i < particles->count; i++) stray[i] = true;
    for (uint32_t i = 0; i < points.count && !status; i++) stray[points.source[i]] = false;
    rill_points_free(&points);
    return status;
}

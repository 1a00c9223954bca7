/* Sorted particles and runs of them. */
#include "surface/points.h"

#include <assert.h>
#include <string.h>

/* In diameters. A liquid at rest leaves no such cell empty. */
static const double SORT_CELL = 1.5;

typedef struct move {
    const float *from;
    unsigned lanes; /* of from, 3 or 4 */
    const uint32_t *source, *order;
    rill_points *points;
} move;

enum { MOVE_BLOCK = 8192 };

static void move_block(void *context, size_t block, unsigned worker)
{
    (void)worker;
    const move *m = context;
    typedef float record __attribute__((vector_size(16)));
    const size_t begin = block * MOVE_BLOCK, count = m->points->count;
    const size_t end = begin + MOVE_BLOCK < count ? begin + MOVE_BLOCK : count;
    for (size_t i = begin; i < end; i++) {
        const uint32_t from = m->order[i];
        const float *x = m->from + m->lanes * (size_t)from;
        ((record *)m->points->position)[i] = (record){x[0], x[1], x[2], m->lanes == 4 ? x[3] : 0};
        m->points->source[i] = m->source ? m->source[from] : from;
    }
}

static rill_status points_make(rill_points *points, const float *position, unsigned lanes, const uint32_t *source,
                               uint32_t count, double diameter, const rill_scheduler *scheduler, rill_error *err)
{
    const size_t bytes = 20 * (size_t)count + 64;
    *points = (rill_points){.count = count, .diameter = diameter};
    points->grid = rill_grid_make(SORT_CELL * diameter, NULL, NULL, NULL);
    points->position = rill_memory_alloc(16 * (size_t)count + RILL_POINTS_SLACK);
    points->source = rill_malloc(sizeof *points->source * ((size_t)count + 1));
    if (!points->position || !points->source) return rill_memory_fail(err, bytes, "the particles");
    /* Places become records where they will be overwritten in their order, which spares memory for both. */
    for (size_t i = 0; lanes == 3 && i < count; i++) memcpy(points->position + 4 * i, position + 3 * i, 12);
    const float *records = lanes == 3 ? points->position : position;
    const rill_status status =
        rill_cells_sort(&points->cells, &points->grid, &(rill_cell_input){records, NULL, count}, scheduler, err);
    if (status) return status;
    move m = {position, lanes, source, points->cells.order, points};
    rill_parallel_for(scheduler, ((size_t)count + MOVE_BLOCK - 1) / MOVE_BLOCK, move_block, &m);
    return RILL_OK;
}

rill_status rill_points_make(rill_points *points, const float *position, const uint32_t *source, uint32_t count,
                             double diameter, const rill_scheduler *scheduler, rill_error *err)
{
    return points_make(points, position, 4, source, count, diameter, scheduler, err);
}

rill_status rill_points_of(rill_points *points, const rill_particles *particles, double diameter,
                           const rill_scheduler *scheduler, rill_error *err)
{
    return points_make(points, particles->position, 3, NULL, (uint32_t)particles->count, diameter, scheduler, err);
}

void rill_points_free(rill_points *points)
{
    rill_memory_free(points->position);
    rill_free(points->source);
    rill_cells_free(&points->cells);
    *points = (rill_points){0};
}

static int32_t cell_of(const rill_points *points, int axis, double x)
{
    const double u = floor((x - points->grid.base[axis]) * points->grid.per_cell[axis]);
    return u < points->grid.first[axis] ? (int32_t)points->grid.first[axis]
           : u > points->grid.last[axis] ? (int32_t)points->grid.last[axis] : (int32_t)u;
}

/* As rill_row_find, at once where the row has no gap before x. */
static uint32_t find_cell(const rill_cells *cells, const rill_row *row, int32_t x)
{
    const int64_t ahead = (int64_t)x - cells->x[row->first];
    if (ahead <= 0) return row->first;
    if (cells->x[row->last - 1] < x) return row->last;
    if (ahead < row->last - row->first && cells->x[row->first + ahead] == x) return row->first + (uint32_t)ahead;
    return rill_row_find(cells, row, x);
}

rill_rows rill_points_rows(const rill_points *points, const double low[3], const double high[3])
{
    rill_rows rows = {.points = points};
    for (int a = 0; a < 3; a++) {
        rows.from[a] = cell_of(points, a, low[a]);
        rows.to[a] = cell_of(points, a, high[a]);
    }
    rows.y = rows.from[1] - 1;
    rows.z = rows.from[2];
    return rows;
}

/* The row at y and z, most often the one behind that of the last. */
static const rill_row *row_at(rill_rows *rows)
{
    const rill_cells *cells = &rows->points->cells;
    const rill_row *next = rows->row ? rows->row + 1 : NULL;
    const bool there = next && next < cells->rows + cells->row_count && next->y == rows->y && next->z == rows->z;
    return rows->row = there ? next : rill_cells_row(cells, rows->y, rows->z);
}

bool rill_rows_next(rill_rows *rows)
{
    const rill_cells *cells = &rows->points->cells;
    while (true) {
        if (++rows->y > rows->to[1]) {
            rows->y = rows->from[1];
            if (++rows->z > rows->to[2]) return false;
        }
        const rill_row *row = row_at(rows);
        if (!row) continue;
        const uint32_t a = find_cell(cells, row, rows->from[0]), b = find_cell(cells, row, rows->to[0] + 1);
        if (a == b) continue;
        rows->first = a;
        rows->last = b - 1;
        rows->run = (rill_span){cells->start[a], cells->start[b]};
        return true;
    }
}

unsigned rill_points_runs(const rill_points *points, const double low[3], const double high[3],
                          rill_span runs[RILL_RUNS])
{
    unsigned count = 0;
    for (rill_rows rows = rill_points_rows(points, low, high); count < RILL_RUNS && rill_rows_next(&rows);)
        runs[count++] = rows.run;
    return count;
}

/* Cells, none of them empty, that hold three quarters of what they could. */
static bool is_filled(const rill_points *points, uint64_t held, uint64_t cells)
{
    const double per_diameter = points->grid.per_cell[0] * points->diameter;
    return (double)held > 0.75 * ((double)cells / (per_diameter * per_diameter * per_diameter));
}

size_t rill_points_fill(rill_rows rows)
{
    const uint32_t wide = (uint32_t)(rows.to[0] - rows.from[0]);
    const uint64_t all = ((uint64_t)(rows.to[2] - rows.from[2]) + 1) * ((uint64_t)(rows.to[1] - rows.from[1]) + 1);
    uint64_t found = 0, held = 0;
    for (int32_t y = rows.from[1], z = rows.from[2]; rill_rows_next(&rows); found++) {
        /* The first row that is missing ends the search. */
        if (rows.y != y || rows.z != z || rows.last - rows.first != wide) return 0;
        held += rows.run.end - rows.run.begin;
        if (++y > rows.to[1]) {
            y = rows.from[1];
            z++;
        }
    }
    return found == all && is_filled(rows.points, held, found * (wide + 1)) ? held : 0;
}

void rill_points_cell_box(const rill_points *points, uint32_t cell, double margin, double low[3], double high[3])
{
    const rill_row *row = &points->cells.rows[rill_cells_row_of(&points->cells, cell)];
    const int32_t at[3] = {points->cells.x[cell], row->y, row->z};
    for (int a = 0; a < 3; a++) {
        low[a] = points->grid.base[a] + at[a] / points->grid.per_cell[a] - margin;
        high[a] = points->grid.base[a] + (at[a] + 1) / points->grid.per_cell[a] + margin;
    }
}

unsigned rill_points_runs_near(const rill_points *points, uint32_t cell, double reach, rill_span runs[RILL_RUNS])
{
    double low[3], high[3];
    rill_points_cell_box(points, cell, reach, low, high);
    return rill_points_runs(points, low, high, runs);
}

/* ---- deep cells ----
 * All are found together: what a cube of cells holds is summed along one axis after the other, row by row, which asks
 * for a row of cells where each cell would otherwise ask for all those around it. */

enum { REACH_MOST = 4 }; /* cells */

typedef struct deepening {
    const rill_points *points;
    uint32_t reach; /* cells */
    const uint32_t *from;
    uint32_t *to;
    int axis;
} deepening;

/* Particles in the cells within reach along x, or none where one of these is empty. */
static void held_along_row(const deepening *d, const rill_row *row)
{
    const rill_cells *cells = &d->points->cells;
    const uint32_t n = d->reach;
    for (uint32_t c = row->first; c < row->last; c++) {
        const bool inner = c - row->first >= n && row->last - c > n;
        const bool full = inner && cells->x[c + n] - cells->x[c - n] == 2 * (int32_t)n;
        d->to[c] = full ? cells->start[c + n + 1] - cells->start[c - n] : 0;
    }
}

/* Adds what was found for the cells within reach across the row, or none where one of these has nothing. */
static void held_across_rows(const deepening *d, const rill_row *row)
{
    const rill_cells *cells = &d->points->cells;
    const rill_row *near[2 * REACH_MOST];
    uint32_t at[2 * REACH_MOST], count = 0;
    for (int32_t k = -(int32_t)d->reach; k <= (int32_t)d->reach; k++) {
        if (!k) continue;
        near[count] = rill_cells_row(cells, row->y + (d->axis == 1 ? k : 0), row->z + (d->axis == 2 ? k : 0));
        if (!near[count]) break;
        at[count] = near[count]->first;
        count++;
    }
    const bool whole = count == 2 * d->reach;
    for (uint32_t c = row->first; c < row->last; c++) {
        uint32_t held = whole ? d->from[c] : 0;
        for (uint32_t k = 0; k < count && held; k++) {
            while (at[k] < near[k]->last && cells->x[at[k]] < cells->x[c]) at[k]++;
            const bool there = at[k] < near[k]->last && cells->x[at[k]] == cells->x[c] && d->from[at[k]];
            held = there ? held + d->from[at[k]] : 0;
        }
        d->to[c] = held;
    }
}

static void deepen_rows(void *context, size_t group, unsigned worker)
{
    (void)worker;
    const deepening *d = context;
    const rill_cells *cells = &d->points->cells;
    const size_t begin = group * RILL_CELL_GROUP, end = begin + RILL_CELL_GROUP;
    for (size_t r = begin; r < end && r < cells->row_count; r++)
        if (d->axis == 0) held_along_row(d, &cells->rows[r]);
        else held_across_rows(d, &cells->rows[r]);
}

bool *rill_points_deep(const rill_points *points, double margin, const rill_scheduler *scheduler)
{
    const size_t cells = points->cells.cell_count;
    const size_t groups = (points->cells.row_count + RILL_CELL_GROUP - 1) / RILL_CELL_GROUP;
    const uint32_t reach = (uint32_t)ceil(margin * points->diameter * points->grid.per_cell[0]), wide = 2 * reach + 1;
    assert(reach <= REACH_MOST);
    bool *deep = rill_malloc(cells * sizeof *deep + 1);
    uint32_t *held = deep ? rill_malloc(2 * cells * sizeof *held + 1) : NULL;
    if (!held) {
        rill_free(deep);
        return NULL;
    }
    uint32_t *other = held + cells;
    for (int axis = 0; axis < 3; axis++) {
        deepening d = {points, reach, axis == 1 ? held : other, axis == 1 ? other : held, axis};
        rill_parallel_for(scheduler, groups, deepen_rows, &d);
    }
    for (size_t c = 0; c < cells; c++) deep[c] = is_filled(points, held[c], (uint64_t)wide * wide * wide);
    rill_free(held);
    return deep;
}

/* Sorted particles and runs of them. */
#include "surface/points.h"

#include <stdlib.h>

/* In diameters. A liquid at rest leaves no such cell empty. */
static const double SORT_CELL = 1.5;

typedef struct move {
    const float *from;
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
        ((record *)m->points->position)[i] = ((const record *)m->from)[from];
        m->points->source[i] = m->source ? m->source[from] : from;
    }
}

rill_status rill_points_make(rill_points *points, const float *position, const uint32_t *source, uint32_t count,
                             double diameter, const rill_scheduler *scheduler, rill_error *err)
{
    const size_t bytes = 20 * (size_t)count + 64;
    *points = (rill_points){.count = count, .diameter = diameter};
    points->grid = rill_grid_make(SORT_CELL * diameter, NULL, NULL, NULL);
    points->position = rill_memory_alloc(16 * (size_t)count + RILL_POINTS_SLACK);
    points->source = malloc(sizeof *points->source * ((size_t)count + 1));
    if (!points->position || !points->source) return rill_memory_fail(err, bytes, "the particles");
    const rill_status status = rill_cells_sort(&points->cells, &points->grid, position, count, scheduler, err);
    if (status) return status;
    move m = {position, source, points->cells.order, points};
    rill_parallel_for(scheduler, ((size_t)count + MOVE_BLOCK - 1) / MOVE_BLOCK, move_block, &m);
    return RILL_OK;
}

void rill_points_free(rill_points *points)
{
    rill_memory_free(points->position);
    free(points->source);
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

bool rill_rows_next(rill_rows *rows)
{
    const rill_cells *cells = &rows->points->cells;
    while (true) {
        if (++rows->y > rows->to[1]) {
            rows->y = rows->from[1];
            if (++rows->z > rows->to[2]) return false;
        }
        const rill_row *row = rill_cells_row(cells, rows->y, rows->z);
        if (!row) continue;
        const uint32_t a = find_cell(cells, row, rows->from[0]), b = find_cell(cells, row, rows->to[0] + 1);
        if (a == b) continue;
        rows->first = a;
        rows->last = b - 1;
        rows->run = (rill_run){cells->start[a], cells->start[b]};
        return true;
    }
}

unsigned rill_points_runs(const rill_points *points, const double low[3], const double high[3],
                          rill_run runs[RILL_RUNS])
{
    unsigned count = 0;
    for (rill_rows rows = rill_points_rows(points, low, high); count < RILL_RUNS && rill_rows_next(&rows);)
        runs[count++] = rows.run;
    return count;
}

bool rill_points_fill(const rill_points *points, const double low[3], const double high[3])
{
    rill_rows rows = rill_points_rows(points, low, high);
    const uint32_t wide = (uint32_t)(rows.to[0] - rows.from[0]);
    const uint64_t all = ((uint64_t)(rows.to[2] - rows.from[2]) + 1) * ((uint64_t)(rows.to[1] - rows.from[1]) + 1);
    uint64_t found = 0, held = 0;
    for (int32_t y = rows.from[1], z = rows.from[2]; rill_rows_next(&rows); found++) {
        /* The first row that is missing ends the search. */
        if (rows.y != y || rows.z != z || rows.last - rows.first != wide) return false;
        held += rows.run.end - rows.run.begin;
        if (++y > rows.to[1]) {
            y = rows.from[1];
            z++;
        }
    }
    const double per_diameter = points->grid.per_cell[0] * points->diameter;
    const double whole = (double)(found * (wide + 1)) / (per_diameter * per_diameter * per_diameter);
    return found == all && (double)held > 0.75 * whole;
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

unsigned rill_points_runs_near(const rill_points *points, uint32_t cell, double reach, rill_run runs[RILL_RUNS])
{
    double low[3], high[3];
    rill_points_cell_box(points, cell, reach, low, high);
    return rill_points_runs(points, low, high, runs);
}

bool rill_points_deep(const rill_points *points, uint32_t cell, double margin)
{
    double low[3], high[3];
    rill_points_cell_box(points, cell, margin * points->diameter, low, high);
    return rill_points_fill(points, low, high);
}

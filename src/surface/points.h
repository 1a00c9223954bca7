/* Particles sorted by cells of one and a half diameters, and runs of them near a
 * place. All sums over particles follow this order, whichever thread asks. */
#ifndef RILL_SURFACE_POINTS_H
#define RILL_SURFACE_POINTS_H

#include "fluid/grid.h"
#include "rill/surface.h"

typedef struct rill_points {
    uint32_t count;
    double diameter;
    float *position;  /* records of four floats, sorted; the fourth is the field's (surface/field.h), zero at first */
    uint32_t *source; /* which of the given particles */
    rill_grid grid;
    rill_cells cells;
} rill_points;

/* Bytes behind the records, so that a vector of them may be read from the last. */
enum { RILL_POINTS_SLACK = 256 };

typedef struct rill_span {
    uint32_t begin, end;
} rill_span;

/* Sorts records of four floats; `source` may be NULL for those in their own order. The records are copied. */
rill_status rill_points_make(rill_points *points, const float *position, const uint32_t *source, uint32_t count,
                             double diameter, const rill_scheduler *scheduler, rill_error *err);
/* Sorts particles. */
rill_status rill_points_of(rill_points *points, const rill_particles *particles, double diameter,
                           const rill_scheduler *scheduler, rill_error *err);
void rill_points_free(rill_points *points);

/* Rows of cells that touch a box, each with the run of its particles, in the order of the particles. */
typedef struct rill_rows {
    const rill_points *points;
    int32_t from[3], to[3], y, z;
    const rill_row *row;
    rill_span run;
    uint32_t first, last; /* cells of the run, last included */
} rill_rows;
rill_rows rill_points_rows(const rill_points *points, const double low[3], const double high[3]);
/* Steps to the next row that is not empty; false after the last. */
bool rill_rows_next(rill_rows *rows);

/* All runs at once, for boxes of less than ten diameters. */
enum { RILL_RUNS = 64 };
unsigned rill_points_runs(const rill_points *points, const double low[3], const double high[3],
                          rill_span runs[RILL_RUNS]);

/* Runs of particles within reach (m) of a cell's, up to six diameters. */
unsigned rill_points_runs_near(const rill_points *points, uint32_t cell, double reach, rill_span runs[RILL_RUNS]);

/* The particles in a box, where liquid fills it: none of its cells is empty, and together they hold three quarters of
 * what they could. Otherwise none. */
size_t rill_points_fill(rill_rows rows);

/* The box of a cell in which particles are sorted, widened by a margin (m). */
void rill_points_cell_box(const rill_points *points, uint32_t cell, double margin, double low[3], double high[3]);
/* Of each cell whether liquid fills everything within so many diameters, up to six, of its box; NULL without memory.
 * To be freed. */
bool *rill_points_deep(const rill_points *points, double margin, const rill_scheduler *scheduler);

/* Loops over cells go in groups of this many. */
enum { RILL_CELL_GROUP = 64 };
static inline size_t rill_points_groups(const rill_points *points)
{
    return ((size_t)points->cells.cell_count + RILL_CELL_GROUP - 1) / RILL_CELL_GROUP;
}

#endif

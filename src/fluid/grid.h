/* Cells over an unbounded domain. Particles are sorted by cell, x fastest, then
 * y, then z; what remains is a table of the occupied rows (runs of cells along
 * x) and of the occupied cells in each. Nothing is bounded or capped: a particle
 * a million metres away costs one more row. */
#ifndef RILL_FLUID_GRID_H
#define RILL_FLUID_GRID_H

#include <math.h>
#include <stdbool.h>

#include "base/memory.h"
#include "run/threads.h"

/* The geometry: global cell coordinates, the same for every set of particles. */
typedef struct rill_grid {
    float support;     /* kernel support radius; cells are at least this large */
    double per_cell[3]; /* one over the size of a cell */
    double base[3];     /* where cell 0 begins */
    double first[3], last[3]; /* in cells: what lies outside is taken to lie here */
    int32_t wrap[3];   /* cells along a periodic axis, 0: not periodic */
    float period[3];   /* length of a periodic axis, 0: not periodic */
    bool periodic;     /* any axis is */
} rill_grid;

rill_grid rill_grid_make(double support, const bool periodic[3], const double from[3], const double to[3]);

/* The cell of a coordinate along an axis. NaN has one as well. */
static inline int32_t rill_grid_cell(const rill_grid *grid, int axis, float coordinate)
{
    double u = ((double)coordinate - grid->base[axis]) * grid->per_cell[axis];
    if (__builtin_expect(!(u >= grid->first[axis] && u <= grid->last[axis]), 0))
        u = u > grid->last[axis] ? grid->last[axis] : grid->first[axis];
    const int32_t c = (int32_t)u;
    return c - (u < c);
}

/* Brings a coordinate back into a periodic axis. */
static inline float rill_grid_wrap(const rill_grid *grid, int axis, float x)
{
    if (!grid->wrap[axis]) return x;
    const float from = (float)grid->base[axis], to = from + grid->period[axis];
    if (x >= to || x < from) x -= grid->period[axis] * floorf((x - from) / grid->period[axis]);
    return x;
}

/* A difference of coordinates, to the nearest image. */
static inline double rill_grid_nearest(const rill_grid *grid, int axis, double d)
{
    return grid->wrap[axis] ? d - grid->period[axis] * round(d / grid->period[axis]) : d;
}

/* A box of cells, as the sort sees it. */
typedef struct rill_cell_box {
    double base[3], per_cell[3]; /* the grid's */
    double first[3], last[3];    /* its corner, and what counts as the last cell from there on */
} rill_cell_box;

/* What is compiled once per variant for the sort: */
typedef struct rill_cell_ops {
    /* What bounds the records of four floats; NaN bounds nothing. */
    void (*bounds)(const float *records, uint32_t count, float low[3], float high[3]);
    /* The sum of stride x cell over the axes, cells counted from the corner of the box. What lies outside is taken to
     * lie at its border; NaN, which is nobody's neighbour, at its corner. */
    void (*keys)(const rill_cell_box *box, const uint32_t stride[3], const float *records, uint32_t count,
                 uint32_t *keys);
    /* The axes apart; these have room for RILL_PADDING more. */
    void (*split)(const float *records, uint32_t count, float *x, float *y, float *z);
} rill_cell_ops;

/* Tiles are cubes of so many cells, for passes that want places counted from near by. The first begins before cell 0,
 * so that most scenes lie in one. */
enum { RILL_TILE = 128, RILL_TILE_BEGIN = 32 };

/* True where a cell and those within two of it belong to one tile along an axis. */
bool rill_grid_inside_tile(const rill_grid *grid, int axis, int32_t cell);

typedef struct rill_row {
    int32_t y, z;
    uint32_t first, last; /* cells of the row: first <= c < last */
} rill_row;

enum { RILL_CELLS_BUFFERS = 8 };

/* One set of particles, sorted. */
typedef struct rill_cells {
    uint32_t particles, cell_count, row_count;
    int32_t *x;        /* of each occupied cell */
    uint32_t *start;   /* first particle of each occupied cell; one more at the end */
    rill_row *rows;    /* sorted by z, then y */
    uint32_t *slots;   /* hash table of rows, row + 1, 0: empty */
    uint32_t slot_mask;
    uint32_t *order;   /* after sorting: which particle moves to place i; padded as fields are */
    rill_buffer memory[RILL_CELLS_BUFFERS];
} rill_cells;

/* What is sorted. */
typedef struct rill_cell_input {
    const float *position; /* records of four floats */
    const uint64_t *id;    /* NULL: the place in the input is the id */
    uint32_t count;
} rill_cell_input;

/* Memory of others that a sort of particles with ids needs, for a number each. */
typedef struct rill_cell_desk {
    uint64_t *id;   /* left with the ids in their new order */
    uint32_t *keys; /* to work in */
} rill_cell_desk;

/* Finds order, cells and rows. The order within a cell is that of the ids, so the result depends neither on the threads
 * nor on how particles came to lie where they do. */
rill_status rill_cells_sort_at(rill_cells *cells, const rill_grid *grid, const rill_cell_input *input,
                               const rill_cell_desk *desk, const rill_scheduler *scheduler, rill_error *err);
/* The same without ids, in memory of its own. */
rill_status rill_cells_sort(rill_cells *cells, const rill_grid *grid, const rill_cell_input *input,
                            const rill_scheduler *scheduler, rill_error *err);
void rill_cells_free(rill_cells *cells);

/* The cells of two sorted sets of one grid together, in time that goes with their sizes: as if all had been sorted at
 * once. The order counts on from the first set's particles to the second's; ids are those of each set as it is
 * sorted. */
rill_status rill_cells_merge(rill_cells *to, const rill_cells *first, const uint64_t *first_id,
                             const rill_cells *second, const uint64_t *second_id, rill_error *err);

/* The row at (y, z), or NULL. */
const rill_row *rill_cells_row(const rill_cells *cells, int32_t y, int32_t z);

/* The first occupied cell of the row at or behind x. */
uint32_t rill_row_find(const rill_cells *cells, const rill_row *row, int32_t x);

/* The cell that holds a particle, and the row that holds a cell. */
uint32_t rill_cells_of_particle(const rill_cells *cells, uint32_t particle);
uint32_t rill_cells_row_of(const rill_cells *cells, uint32_t cell);

#endif

/* Sorting particles into cells. Two ways lead to the same order: a counting
 * sort over the box of all cells while that box is small, a radix sort of the
 * cell coordinates when particles lie far apart. */
#include "fluid/grid.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"

rill_grid rill_grid_make(double support, const bool periodic[3], const double from[3], const double to[3])
{
    rill_grid grid = {.support = (float)support};
    for (int a = 0; a < 3; a++) {
        /* A hair larger than the support, so that rounding never puts neighbours two cells apart. */
        const double cell = support * (1 + 1e-6);
        grid.per_cell[a] = 1 / cell;
        /* Beyond this range cells are merged, which keeps neighbours in touching cells. */
        grid.first[a] = -(1 << 29);
        grid.last[a] = 1 << 29;
        if (!periodic || !periodic[a]) continue;
        const double length = (float)(to[a] - from[a]);
        grid.periodic = true;
        grid.base[a] = (float)from[a];
        grid.period[a] = (float)length;
        grid.wrap[a] = (int32_t)(length / cell);
        if (grid.wrap[a] < 2) grid.wrap[a] = 2;
        grid.per_cell[a] = grid.wrap[a] / length;
        grid.first[a] = 0;
        grid.last[a] = nextafter(grid.wrap[a], 0);
    }
    return grid;
}

int32_t rill_grid_tile(const rill_grid *grid, int axis, int32_t cell)
{
    /* Far out single precision could not tell the tiles apart. */
    const int32_t farthest = 1 << 20, from = cell + RILL_TILE_BEGIN + farthest, tile = from / RILL_TILE;
    if (cell < 2 - farthest || cell > farthest || from % RILL_TILE < 2 || from % RILL_TILE >= RILL_TILE - 2) return -1;
    if (grid->wrap[axis] && (cell < 2 || cell >= grid->wrap[axis] - 2)) return -1;
    return tile;
}

enum { CHUNK = 16384 };

enum {
    MEMORY_X,
    MEMORY_START,
    MEMORY_ROWS,
    MEMORY_SLOTS,
    MEMORY_ORDER,
    MEMORY_KEYS,
    MEMORY_HISTOGRAM,
    MEMORY_BOUNDS
};
_Static_assert(MEMORY_BOUNDS + 1 == RILL_CELLS_BUFFERS, "one buffer each");

typedef struct box {
    int32_t low[3], high[3];
} box;

typedef struct sort {
    const rill_grid *grid;
    const float *position;
    uint32_t count, chunks, cells;
    int32_t low[3], size[3];  /* the box of all cells */
    double first[3], most[3]; /* its corner, and what counts as the last cell from there on */
    float *bounds;       /* per chunk: low x, y, z, high x, y, z */
    uint32_t *key;       /* per particle: cell in the box */
    uint32_t *histogram; /* per chunk and cell */
    uint32_t *order;
} sort;

static void chunk_range(const sort *s, size_t chunk, uint32_t *begin, uint32_t *end)
{
    *begin = (uint32_t)((uint64_t)s->count * chunk / s->chunks);
    *end = (uint32_t)((uint64_t)s->count * (chunk + 1) / s->chunks);
}

static void find_bounds(void *context, size_t chunk, unsigned worker)
{
    (void)worker;
    const sort *s = context;
    uint32_t begin, end;
    chunk_range(s, chunk, &begin, &end);
    typedef float record __attribute__((vector_size(16)));
    record low = {INFINITY, INFINITY, INFINITY, INFINITY}, high = -low;
    for (uint32_t i = begin; i < end; i++) {
        const record p = *(const record *)(s->position + 4 * (size_t)i);
        typedef int mask __attribute__((vector_size(16)));
        const mask below = p < low, above = p > high;
        low = (record)(((mask)p & below) | ((mask)low & ~below));
        high = (record)(((mask)p & above) | ((mask)high & ~above));
    }
    for (int a = 0; a < 3; a++) {
        s->bounds[6 * chunk + (size_t)a] = low[a];
        s->bounds[6 * chunk + 3 + (size_t)a] = high[a];
    }
}

/* The box of cells that holds every particle. */
static box box_of(const sort *s)
{
    box b;
    for (int a = 0; a < 3; a++) {
        float low = INFINITY, high = -INFINITY;
        for (size_t c = 0; c < s->chunks; c++) {
            low = fminf(low, s->bounds[6 * c + (size_t)a]);
            high = fmaxf(high, s->bounds[6 * c + 3 + (size_t)a]);
        }
        b.low[a] = rill_grid_cell(s->grid, a, fminf(low, high));
        b.high[a] = rill_grid_cell(s->grid, a, fmaxf(low, high));
    }
    return b;
}

/* The cell of a particle, counted from the corner of the box. The box does not know of NaN, which is nobody's neighbour:
 * any cell will do, as long as there is one. */
static inline void cell_of(const sort *s, uint32_t i, uint32_t c[3])
{
    for (int a = 0; a < 3; a++) {
        double u = ((double)s->position[4 * (size_t)i + (size_t)a] - s->grid->base[a]) * s->grid->per_cell[a];
        u -= s->first[a];
        u = u > 0 ? u : 0;
        u = u < s->most[a] ? u : s->most[a];
        c[a] = (uint32_t)(int32_t)u;
    }
}

/* The cell of every particle in the box, and how many each holds. */
static void count_cells(void *context, size_t chunk, unsigned worker)
{
    (void)worker;
    const sort *s = context;
    uint32_t *histogram = s->histogram + chunk * s->cells;
    memset(histogram, 0, s->cells * sizeof *histogram);
    uint32_t begin, end;
    chunk_range(s, chunk, &begin, &end);
    for (uint32_t i = begin; i < end; i++) {
        uint32_t c[3];
        cell_of(s, i, c);
        const uint32_t key = (c[2] * (uint32_t)s->size[1] + c[1]) * (uint32_t)s->size[0] + c[0];
        s->key[i] = key;
        histogram[key]++;
    }
}

static void place(void *context, size_t chunk, unsigned worker)
{
    (void)worker;
    const sort *s = context;
    uint32_t *next = s->histogram + chunk * s->cells;
    uint32_t begin, end;
    chunk_range(s, chunk, &begin, &end);
    for (uint32_t i = begin; i < end; i++) s->order[next[s->key[i]]++] = i;
}

/* The occupied cells and rows, appended one by one in order. */
static void append_cell(rill_cells *cells, int32_t x, int32_t y, int32_t z, uint32_t start)
{
    if (!cells->row_count || cells->rows[cells->row_count - 1].y != y || cells->rows[cells->row_count - 1].z != z)
        cells->rows[cells->row_count++] = (rill_row){y, z, cells->cell_count, cells->cell_count};
    cells->x[cells->cell_count] = x;
    cells->start[cells->cell_count++] = start;
    cells->rows[cells->row_count - 1].last = cells->cell_count;
}

static void sort_dense(rill_cells *cells, sort *s, const rill_scheduler *scheduler)
{
    rill_parallel_for(scheduler, s->chunks, count_cells, s);
    uint32_t sum = 0, key = 0;
    for (int32_t z = 0; z < s->size[2]; z++)
        for (int32_t y = 0; y < s->size[1]; y++)
            for (int32_t x = 0; x < s->size[0]; x++, key++) {
                const uint32_t start = sum;
                for (size_t c = 0; c < s->chunks; c++) {
                    uint32_t *slot = &s->histogram[c * s->cells + key];
                    const uint32_t held = *slot;
                    *slot = sum;
                    sum += held;
                }
                if (sum > start) append_cell(cells, x + s->low[0], y + s->low[1], z + s->low[2], start);
            }
    rill_parallel_for(scheduler, s->chunks, place, s);
}

/* Stable, least significant digit first, skipping digits that are all alike. */
static void sort_digit(const uint32_t *words, uint32_t shift, uint32_t *order, uint32_t *other, uint32_t count)
{
    uint32_t start[2049] = {0};
    for (uint32_t i = 0; i < count; i++) start[(words[i] >> shift & 2047) + 1]++;
    for (uint32_t d = 0; d < 2048; d++) start[d + 1] += start[d];
    for (uint32_t i = 0; i < count; i++) other[start[words[order[i]] >> shift & 2047]++] = order[i];
    memcpy(order, other, count * sizeof *order);
}

static void sort_sparse(rill_cells *cells, sort *s, uint32_t *scratch)
{
    uint32_t *axis[3] = {scratch, scratch + s->count, scratch + 2 * (size_t)s->count};
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t c[3];
        cell_of(s, i, c);
        for (int a = 0; a < 3; a++) axis[a][i] = c[a];
        s->order[i] = i;
    }
    for (int a = 0; a < 3; a++)
        for (uint32_t shift = 0; shift < 32 && (uint32_t)(s->size[a] - 1) >> shift; shift += 11)
            sort_digit(axis[a], shift, s->order, s->key, s->count);
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t p = s->order[i], q = s->order[i ? i - 1 : 0];
        if (i && axis[0][p] == axis[0][q] && axis[1][p] == axis[1][q] && axis[2][p] == axis[2][q]) continue;
        append_cell(cells, (int32_t)axis[0][p] + s->low[0], (int32_t)axis[1][p] + s->low[1],
                    (int32_t)axis[2][p] + s->low[2], i);
    }
}

static uint32_t row_hash(int32_t y, int32_t z)
{
    return (uint32_t)rill_hash_mix((uint64_t)(uint32_t)z << 32 | (uint32_t)y);
}

static bool index_rows(rill_cells *cells)
{
    uint32_t size = 16;
    while (size < 2 * cells->row_count) size *= 2;
    if (!rill_buffer_reserve(&cells->memory[MEMORY_SLOTS], size * sizeof *cells->slots)) return false;
    cells->slots = cells->memory[MEMORY_SLOTS].data;
    cells->slot_mask = size - 1;
    memset(cells->slots, 0, size * sizeof *cells->slots);
    for (uint32_t r = 0; r < cells->row_count; r++) {
        uint32_t slot = row_hash(cells->rows[r].y, cells->rows[r].z);
        while (cells->slots[slot & cells->slot_mask]) slot++;
        cells->slots[slot & cells->slot_mask] = r + 1;
    }
    return true;
}

static bool reserve_tables(rill_cells *cells, size_t most_cells, size_t most_rows)
{
    if (!rill_buffer_reserve(&cells->memory[MEMORY_X], most_cells * sizeof *cells->x)) return false;
    if (!rill_buffer_reserve(&cells->memory[MEMORY_START], (most_cells + 1) * sizeof *cells->start)) return false;
    if (!rill_buffer_reserve(&cells->memory[MEMORY_ROWS], most_rows * sizeof *cells->rows)) return false;
    cells->x = cells->memory[MEMORY_X].data;
    cells->start = cells->memory[MEMORY_START].data;
    cells->rows = cells->memory[MEMORY_ROWS].data;
    return true;
}

rill_status rill_cells_sort(rill_cells *cells, const rill_grid *grid, const float *position, uint32_t count,
                            const rill_scheduler *scheduler, rill_error *err)
{
    const size_t words = (size_t)count * sizeof(uint32_t);
    sort s = {.grid = grid, .position = position, .count = count};
    s.chunks = count / CHUNK + 1;
    if (s.chunks > scheduler->workers) s.chunks = scheduler->workers;
    if (!rill_buffer_reserve(&cells->memory[MEMORY_BOUNDS], s.chunks * 6 * sizeof(float)) ||
        !rill_buffer_reserve(&cells->memory[MEMORY_ORDER], words) || !rill_buffer_reserve(&cells->memory[MEMORY_KEYS], words))
        return rill_memory_fail(err, 2 * words, "sorting the particles");
    s.bounds = cells->memory[MEMORY_BOUNDS].data;
    cells->order = s.order = cells->memory[MEMORY_ORDER].data;
    s.key = cells->memory[MEMORY_KEYS].data;
    cells->particles = count;
    cells->cell_count = cells->row_count = 0;
    double volume = 1;
    if (count) {
        rill_parallel_for(scheduler, s.chunks, find_bounds, &s);
        const box b = box_of(&s);
        for (int a = 0; a < 3; a++) {
            s.low[a] = b.low[a];
            s.size[a] = b.high[a] - b.low[a] + 1;
            s.first[a] = s.low[a];
            s.most[a] = s.size[a] - 0.5;
            volume *= s.size[a];
        }
    }
    const bool dense = volume <= 4.0 * count + 4096;
    const size_t most = dense && volume < count ? (size_t)volume : count;
    if (!reserve_tables(cells, most, most)) return rill_memory_fail(err, 24 * most, "the table of cells");
    if (count && dense) {
        s.cells = (uint32_t)volume;
        /* Each chunk has a histogram of its own; many of them over many empty cells would dwarf the particles. */
        const double room = 8.0 * count + 8192;
        if (s.chunks * volume > room) s.chunks = (uint32_t)(room / volume);
        const size_t bytes = (size_t)s.chunks * s.cells * sizeof(uint32_t);
        if (!rill_buffer_reserve(&cells->memory[MEMORY_HISTOGRAM], bytes)) return rill_memory_fail(err, bytes, "sorting the particles");
        s.histogram = cells->memory[MEMORY_HISTOGRAM].data;
        sort_dense(cells, &s, scheduler);
    } else if (count) {
        if (!rill_buffer_reserve(&cells->memory[MEMORY_HISTOGRAM], 3 * words))
            return rill_memory_fail(err, 3 * words, "sorting the particles");
        sort_sparse(cells, &s, cells->memory[MEMORY_HISTOGRAM].data);
    }
    cells->start[cells->cell_count] = count;
    if (!index_rows(cells)) return rill_memory_fail(err, 4 * most, "the table of cells");
    return RILL_OK;
}

void rill_cells_free(rill_cells *cells)
{
    for (size_t i = 0; i < RILL_CELLS_BUFFERS; i++) rill_buffer_free(&cells->memory[i]);
    *cells = (rill_cells){0};
}

const rill_row *rill_cells_row(const rill_cells *cells, int32_t y, int32_t z)
{
    if (!cells->row_count) return NULL;
    for (uint32_t slot = row_hash(y, z);; slot++) {
        const uint32_t r = cells->slots[slot & cells->slot_mask];
        if (!r) return NULL;
        const rill_row *row = &cells->rows[r - 1];
        if (row->y == y && row->z == z) return row;
    }
}

uint32_t rill_row_find(const rill_cells *cells, const rill_row *row, int32_t x)
{
    uint32_t low = row->first, high = row->last;
    if (low < high && cells->x[low] >= x) return low;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (cells->x[middle] < x) low = middle + 1;
        else high = middle;
    }
    return low;
}

uint32_t rill_cells_of_particle(const rill_cells *cells, uint32_t particle)
{
    uint32_t low = 0, high = cells->cell_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (cells->start[middle] <= particle) low = middle;
        else high = middle;
    }
    return low;
}

uint32_t rill_cells_row_of(const rill_cells *cells, uint32_t cell)
{
    uint32_t low = 0, high = cells->row_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (cells->rows[middle].first <= cell) low = middle;
        else high = middle;
    }
    return low;
}

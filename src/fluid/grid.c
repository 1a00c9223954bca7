/* Sorting particles into cells. Two ways lead to the same order: a counting
 * sort over the box of all cells while that box is small, a radix sort of the
 * cell coordinates when particles lie far apart. */
#include "fluid/grid.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "fluid/sph.h"

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

bool rill_grid_inside_tile(const rill_grid *grid, int axis, int32_t cell)
{
    /* Far out single precision could not tell the tiles apart. */
    const int32_t farthest = 1 << 20;
    if (cell < 2 - farthest || cell > farthest) return false;
    const int32_t in_tile = (cell + RILL_TILE_BEGIN + farthest) % RILL_TILE;
    if (in_tile < 2 || in_tile >= RILL_TILE - 2) return false;
    return !grid->wrap[axis] || (cell >= 2 && cell < grid->wrap[axis] - 2);
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

/* A range of rows of the box: what lies before it, and what it holds itself. */
typedef struct part {
    uint32_t particles, cells, rows;
} part;

typedef struct sort {
    const rill_cell_ops *ops;
    const float *position;
    const uint64_t *id; /* NULL: there are none */
    rill_cells *to;
    uint64_t *sorted_id;
    uint32_t count, chunks, cells;
    int32_t low[3], size[3]; /* the box of all cells */
    rill_cell_box box;
    float *bounds;       /* per chunk: low x, y, z, high x, y, z */
    uint32_t *key;       /* per particle: cell in the box */
    uint32_t *histogram; /* per chunk and cell */
    part *parts;         /* per chunk */
} sort;

static void chunk_range(const sort *s, size_t chunk, uint32_t count, uint32_t *begin, uint32_t *end)
{
    *begin = (uint32_t)((uint64_t)count * chunk / s->chunks);
    *end = (uint32_t)((uint64_t)count * (chunk + 1) / s->chunks);
}

static void find_bounds(void *context, size_t chunk, unsigned worker)
{
    (void)worker;
    const sort *s = context;
    uint32_t begin, end;
    chunk_range(s, chunk, s->count, &begin, &end);
    s->ops->bounds(s->position + 4 * (size_t)begin, end - begin, s->bounds + 6 * chunk, s->bounds + 6 * chunk + 3);
}

/* The box of cells that holds every particle; returns how many cells that are. */
static double make_box(sort *s, const rill_grid *grid)
{
    double volume = 1;
    for (int a = 0; a < 3; a++) {
        float low = INFINITY, high = -INFINITY;
        for (size_t c = 0; c < s->chunks; c++) {
            low = fminf(low, s->bounds[6 * c + (size_t)a]);
            high = fmaxf(high, s->bounds[6 * c + 3 + (size_t)a]);
        }
        s->low[a] = rill_grid_cell(grid, a, fminf(low, high));
        s->size[a] = rill_grid_cell(grid, a, fmaxf(low, high)) - s->low[a] + 1;
        s->box.base[a] = grid->base[a];
        s->box.per_cell[a] = grid->per_cell[a];
        s->box.first[a] = s->low[a];
        s->box.last[a] = s->low[a] + (s->size[a] - 0.5);
        volume *= s->size[a];
    }
    return volume;
}

/* The cell of every particle in the box, and how many each holds. */
static void count_cells(void *context, size_t chunk, unsigned worker)
{
    (void)worker;
    const sort *s = context;
    const uint32_t stride[3] = {1, (uint32_t)s->size[0], (uint32_t)s->size[0] * (uint32_t)s->size[1]};
    uint32_t *histogram = s->histogram + chunk * s->cells;
    memset(histogram, 0, s->cells * sizeof *histogram);
    uint32_t begin, end;
    chunk_range(s, chunk, s->count, &begin, &end);
    s->ops->keys(&s->box, stride, s->position + 4 * (size_t)begin, end - begin, s->key + begin);
    for (uint32_t i = begin; i < end; i++) histogram[s->key[i]]++;
}

static uint32_t held_by(const sort *s, uint32_t key)
{
    uint32_t held = 0;
    for (size_t c = 0; c < s->chunks; c++) held += s->histogram[c * s->cells + key];
    return held;
}

static void measure_part(void *context, size_t chunk, unsigned worker)
{
    (void)worker;
    const sort *s = context;
    const uint32_t length = (uint32_t)s->size[0];
    uint32_t row, end;
    chunk_range(s, chunk, s->cells / length, &row, &end);
    part p = {0};
    for (; row < end; row++) {
        const uint32_t before = p.cells;
        for (uint32_t x = 0; x < length; x++) {
            const uint32_t held = held_by(s, row * length + x);
            p.particles += held;
            p.cells += held != 0;
        }
        p.rows += p.cells > before;
    }
    s->parts[chunk] = p;
}

/* The occupied cells and rows of a part. What the histograms hold becomes where each chunk puts its particles. */
static void list_part(void *context, size_t chunk, unsigned worker)
{
    (void)worker;
    const sort *s = context;
    const uint32_t length = (uint32_t)s->size[0], width = (uint32_t)s->size[1];
    uint32_t row, end;
    chunk_range(s, chunk, s->cells / length, &row, &end);
    part p = s->parts[chunk];
    for (; row < end; row++) {
        const uint32_t before = p.cells;
        for (uint32_t x = 0; x < length; x++) {
            const uint32_t start = p.particles;
            for (size_t c = 0; c < s->chunks; c++) {
                uint32_t *slot = &s->histogram[c * s->cells + row * length + x];
                const uint32_t held = *slot;
                *slot = p.particles;
                p.particles += held;
            }
            if (p.particles == start) continue;
            s->to->x[p.cells] = (int32_t)x + s->low[0];
            s->to->start[p.cells++] = start;
        }
        if (p.cells == before) continue;
        s->to->rows[p.rows++] =
            (rill_row){(int32_t)(row % width) + s->low[1], (int32_t)(row / width) + s->low[2], before, p.cells};
    }
}

static void place(void *context, size_t chunk, unsigned worker)
{
    (void)worker;
    const sort *s = context;
    uint32_t *next = s->histogram + chunk * s->cells;
    uint32_t begin, end;
    chunk_range(s, chunk, s->count, &begin, &end);
    for (uint32_t i = begin; i < end && !s->id; i++) s->to->order[next[s->key[i]]++] = i;
    for (uint32_t i = begin; i < end && s->id; i++) {
        const uint32_t to = next[s->key[i]]++;
        s->to->order[to] = i;
        s->sorted_id[to] = s->id[i];
    }
}

static void sort_dense(sort *s, const rill_scheduler *scheduler)
{
    rill_parallel_for(scheduler, s->chunks, count_cells, s);
    rill_parallel_for(scheduler, s->chunks, measure_part, s);
    part sum = {0};
    for (size_t c = 0; c < s->chunks; c++) {
        const part p = s->parts[c];
        s->parts[c] = sum;
        sum = (part){sum.particles + p.particles, sum.cells + p.cells, sum.rows + p.rows};
    }
    rill_parallel_for(scheduler, s->chunks, list_part, s);
    rill_parallel_for(scheduler, s->chunks, place, s);
    s->to->cell_count = sum.cells;
    s->to->row_count = sum.rows;
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

static void sort_sparse(sort *s, uint32_t *scratch)
{
    rill_cells *cells = s->to;
    uint32_t *axis[3] = {scratch, scratch + s->count, scratch + 2 * (size_t)s->count};
    for (int a = 0; a < 3; a++)
        s->ops->keys(&s->box, (const uint32_t[3]){a == 0, a == 1, a == 2}, s->position, s->count, axis[a]);
    for (uint32_t i = 0; i < s->count; i++) cells->order[i] = i;
    for (int a = 0; a < 3; a++)
        for (uint32_t shift = 0; shift < 32 && (uint32_t)(s->size[a] - 1) >> shift; shift += 11)
            sort_digit(axis[a], shift, cells->order, s->key, s->count);
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t p = cells->order[i], q = cells->order[i ? i - 1 : 0];
        const bool new_row = !i || axis[1][p] != axis[1][q] || axis[2][p] != axis[2][q];
        if (!new_row && axis[0][p] == axis[0][q]) continue;
        if (new_row)
            cells->rows[cells->row_count++] =
                (rill_row){(int32_t)axis[1][p] + s->low[1], (int32_t)axis[2][p] + s->low[2], cells->cell_count, 0};
        cells->x[cells->cell_count] = (int32_t)axis[0][p] + s->low[0];
        cells->start[cells->cell_count++] = i;
        cells->rows[cells->row_count - 1].last = cells->cell_count;
    }
    for (uint32_t i = 0; i < s->count && s->id; i++) s->sorted_id[i] = s->id[cells->order[i]];
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

/* ---- order within a cell ---- */

enum { CROWD = 64, SETTLE_CELLS = 32, SETTLE_PART = 64 * SETTLE_CELLS };

/* Sorts the particles of a cell by id. */
static void settle_cell(uint32_t *order, uint64_t *id, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t moved = order[i];
        const uint64_t own = id[i];
        uint32_t k = i;
        for (; k > 0 && id[k - 1] > own; k--) order[k] = order[k - 1], id[k] = id[k - 1];
        order[k] = moved, id[k] = own;
    }
}

/* Thousands of particles in one cell, as where all that ran away ends up, are merged instead. */
static void merge_sort(uint32_t *order, uint32_t *spare, uint32_t count, const uint64_t *id)
{
    for (uint32_t width = 1; width < count; width *= 2) {
        for (uint32_t first = 0; first < count; first += 2 * width) {
            const uint32_t middle = first + width < count ? first + width : count;
            const uint32_t last = middle + width < count ? middle + width : count;
            uint32_t a = first, b = middle;
            for (uint32_t k = first; k < last; k++)
                spare[k] = b >= last || (a < middle && id[order[a]] <= id[order[b]]) ? order[a++] : order[b++];
        }
        memcpy(order, spare, count * sizeof *order);
    }
}

/* Particles mostly are in order, since they were sorted the step before. So that is found out first, without a branch a
 * particle or a cell: in order, ids fall nowhere but from one cell to the next. */
static bool in_order(const uint32_t *start, uint32_t cells, const uint64_t *id)
{
    uint32_t falls = 0;
    for (uint32_t i = start[0] + 1; i < start[cells]; i++) falls += id[i - 1] > id[i];
    for (uint32_t c = 1; c < cells; c++) falls -= id[start[c] - 1] > id[start[c]];
    return !falls;
}

static void settle_cells(const sort *s, uint32_t first, uint32_t last)
{
    const rill_cells *cells = s->to;
    if (in_order(cells->start + first, last - first, s->sorted_id)) return;
    for (uint32_t c = first; c < last; c++) {
        const uint32_t start = cells->start[c], count = cells->start[c + 1] - start;
        if (count <= CROWD) {
            settle_cell(cells->order + start, s->sorted_id + start, count);
            continue;
        }
        merge_sort(cells->order + start, s->key + start, count, s->id); /* the keys are spent */
        for (uint32_t i = start; i < start + count; i++) s->sorted_id[i] = s->id[cells->order[i]];
    }
}

static void settle_part(void *context, size_t which, unsigned worker)
{
    (void)worker;
    const sort *s = context;
    const uint32_t begin = (uint32_t)which * SETTLE_PART, all = s->to->cell_count;
    const uint32_t end = begin + SETTLE_PART < all ? begin + SETTLE_PART : all;
    for (uint32_t c = begin; c < end; c += SETTLE_CELLS)
        settle_cells(s, c, c + SETTLE_CELLS < end ? c + SETTLE_CELLS : end);
}

static void settle(sort *s, const rill_scheduler *scheduler)
{
    rill_parallel_for(scheduler, (s->to->cell_count + SETTLE_PART - 1) / SETTLE_PART, settle_part, s);
}

rill_status rill_cells_sort_at(rill_cells *cells, const rill_grid *grid, const rill_cell_input *input,
                               const rill_cell_desk *desk, const rill_scheduler *scheduler, rill_error *err)
{
    const uint32_t count = input->count;
    const size_t words = (size_t)count * sizeof(uint32_t);
    sort s = {.ops = rill_fluid_ops_for(0)->cells, .position = input->position, .id = input->id, .to = cells,
              .sorted_id = desk->id, .key = desk->keys, .count = count};
    s.chunks = count / CHUNK + 1;
    if (s.chunks > scheduler->workers) s.chunks = scheduler->workers;
    const size_t per_chunk = 6 * sizeof(float) + sizeof(part);
    if (!rill_buffer_reserve(&cells->memory[MEMORY_BOUNDS], s.chunks * per_chunk) ||
        !rill_buffer_reserve(&cells->memory[MEMORY_ORDER], words + RILL_PADDING * sizeof(uint32_t)))
        return rill_memory_fail(err, words, "sorting the particles");
    s.bounds = cells->memory[MEMORY_BOUNDS].data;
    s.parts = (part *)(s.bounds + 6 * (size_t)s.chunks);
    cells->order = cells->memory[MEMORY_ORDER].data;
    cells->particles = count;
    cells->cell_count = cells->row_count = 0;
    if (count) rill_parallel_for(scheduler, s.chunks, find_bounds, &s);
    const double volume = count ? make_box(&s, grid) : 0;
    const bool dense = volume <= 4.0 * count + 4096;
    const size_t most = dense && volume < count ? (size_t)volume : count;
    const double rows = (double)s.size[1] * s.size[2];
    const size_t most_rows = dense && rows < count ? (size_t)rows : count;
    if (!reserve_tables(cells, most, most_rows)) return rill_memory_fail(err, 24 * most, "the table of cells");
    if (count && dense) {
        s.cells = (uint32_t)volume;
        /* Each chunk has a histogram of its own; many of them over many empty cells would dwarf the particles. */
        const double room = 8.0 * count + 8192;
        if (s.chunks * volume > room) s.chunks = (uint32_t)(room / volume);
        const size_t bytes = (size_t)s.chunks * s.cells * sizeof(uint32_t);
        if (!rill_buffer_reserve(&cells->memory[MEMORY_HISTOGRAM], bytes))
            return rill_memory_fail(err, bytes, "sorting the particles");
        s.histogram = cells->memory[MEMORY_HISTOGRAM].data;
        sort_dense(&s, scheduler);
    } else if (count) {
        if (!rill_buffer_reserve(&cells->memory[MEMORY_HISTOGRAM], 3 * words))
            return rill_memory_fail(err, 3 * words, "sorting the particles");
        sort_sparse(&s, cells->memory[MEMORY_HISTOGRAM].data);
    }
    cells->start[cells->cell_count] = count;
    if (input->id) settle(&s, scheduler);
    if (!index_rows(cells)) return rill_memory_fail(err, 4 * most, "the table of cells");
    return RILL_OK;
}

rill_status rill_cells_sort(rill_cells *cells, const rill_grid *grid, const rill_cell_input *input,
                            const rill_scheduler *scheduler, rill_error *err)
{
    const size_t words = (size_t)input->count * sizeof(uint32_t);
    if (!rill_buffer_reserve(&cells->memory[MEMORY_KEYS], words))
        return rill_memory_fail(err, words, "sorting the particles");
    const rill_cell_desk desk = {NULL, cells->memory[MEMORY_KEYS].data};
    return rill_cells_sort_at(cells, grid, input, &desk, scheduler, err);
}

/* ---- two sets in one ---- */

typedef struct merge {
    rill_cells *to;
    const rill_cells *from[2];
    const uint64_t *id[2];
} merge;

/* The particles of one cell of either set or both; UINT32_MAX: it has none there. */
static void merge_particles(const merge *m, uint32_t first_cell, uint32_t second_cell)
{
    rill_cells *to = m->to;
    const rill_cells *a = m->from[0], *b = m->from[1];
    uint32_t i = 0, i_end = 0, k = 0, k_end = 0;
    if (first_cell != UINT32_MAX) i = a->start[first_cell], i_end = a->start[first_cell + 1];
    if (second_cell != UINT32_MAX) k = b->start[second_cell], k_end = b->start[second_cell + 1];
    while (i < i_end || k < k_end) {
        const bool first = k == k_end || (i < i_end && m->id[0][i] < m->id[1][k]);
        to->order[to->particles++] = first ? i++ : a->particles + k++;
    }
}

/* The cells of one row of either set or both. */
static void merge_cells(const merge *m, const rill_row *first, const rill_row *second)
{
    rill_cells *to = m->to;
    const rill_cells *a = m->from[0], *b = m->from[1];
    const rill_row none = {0};
    const rill_row *rows[2] = {first ? first : &none, second ? second : &none};
    uint32_t i = rows[0]->first, k = rows[1]->first;
    while (i < rows[0]->last || k < rows[1]->last) {
        const bool no_first = i == rows[0]->last, no_second = k == rows[1]->last;
        const bool take_first = !no_first && (no_second || a->x[i] <= b->x[k]);
        const bool take_second = !no_second && (no_first || b->x[k] <= a->x[i]);
        to->x[to->cell_count] = take_first ? a->x[i] : b->x[k];
        to->start[to->cell_count++] = to->particles;
        merge_particles(m, take_first ? i : UINT32_MAX, take_second ? k : UINT32_MAX);
        i += take_first, k += take_second;
    }
}

static bool row_before(const rill_row *a, const rill_row *b)
{
    return a->z != b->z ? a->z < b->z : a->y < b->y;
}

static void merge_rows(const merge *m)
{
    rill_cells *to = m->to;
    const rill_cells *a = m->from[0], *b = m->from[1];
    for (uint32_t i = 0, k = 0; i < a->row_count || k < b->row_count;) {
        const rill_row *first = i < a->row_count ? &a->rows[i] : NULL, *second = k < b->row_count ? &b->rows[k] : NULL;
        if (first && second && row_before(first, second)) second = NULL;
        else if (first && second && row_before(second, first)) first = NULL;
        const uint32_t begin = to->cell_count;
        merge_cells(m, first, second);
        to->rows[to->row_count++] =
            (rill_row){first ? first->y : second->y, first ? first->z : second->z, begin, to->cell_count};
        i += first != NULL, k += second != NULL;
    }
}

rill_status rill_cells_merge(rill_cells *to, const rill_cells *first, const uint64_t *first_id,
                             const rill_cells *second, const uint64_t *second_id, rill_error *err)
{
    const size_t words = ((size_t)first->particles + second->particles) * sizeof *to->order;
    const size_t cells = (size_t)first->cell_count + second->cell_count;
    if (!rill_buffer_reserve(&to->memory[MEMORY_ORDER], words + RILL_PADDING * sizeof *to->order) ||
        !reserve_tables(to, cells, (size_t)first->row_count + second->row_count))
        return rill_memory_fail(err, words + 8 * cells, "the table of cells");
    to->order = to->memory[MEMORY_ORDER].data;
    to->particles = to->cell_count = to->row_count = 0;
    merge_rows(&(merge){to, {first, second}, {first_id, second_id}});
    to->start[to->cell_count] = to->particles;
    return index_rows(to) ? RILL_OK : rill_memory_fail(err, 4 * cells, "the table of cells");
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

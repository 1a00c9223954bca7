/* Building the neighbour lists of a block of particles, cell by cell. */
#include "base/simd.h"
#include "fluid/neighbour.h"
#include "fluid/wide/wide.h"

/* Particles of a cell whose neighbours are sought at once: as many as there are registers for. */
#ifdef __AVX512VL__
enum { TOGETHER = 4 };
#else
enum { TOGETHER = 2 };
#endif

/* No particle is a neighbour of one here, and its square is still finite. */
static const float FAR_AWAY = 1e18f;

/* Particles that may be neighbours of those in the cell at hand, side by side.
 * Runs from across a periodic side are shifted as they are copied. */
typedef struct candidates {
    float *x, *y, *z;
    uint32_t *number; /* of each in its set */
    uint32_t count, capacity;
    uint32_t own; /* where the particles of the cell at hand begin, when they are of the same set */
} candidates;

/* One of the nine rows around a row, with its cells from x - 1 to x + 1, which
 * move along with the cell at hand. */
typedef struct side_row {
    const rill_row *row;
    uint32_t first, last; /* occupied cells: first <= c < last */
    float shift_y, shift_z;
} side_row;

typedef struct builder {
    const rill_list_job *job;
    rill_list_scratch *scratch;
    unsigned worker;
    candidates found;
    side_row sides[9];
    uint32_t side_count;
    const rill_row *last[9]; /* rows that were found around the rows before */
    int32_t empty_before; /* cells of the row before this x have no candidates */
    uint32_t *rows;     /* hits of each particle of the group, and one more for what they have in common */
    uint32_t row_size;  /* room in each */
    float low[3], high[3]; /* box around the particles of the cell at hand */
    float reach2;          /* support squared, and a little more for rounding */
    uint64_t pairs;        /* found so far */
} builder;

/* The loop over candidates loads from four arrays and stores to a row at the
 * same time. A load that agrees with a store still under way in the last twelve
 * bits of its address waits for it, which can double the time of the whole
 * search. So the arrays all begin on a page, and the rows begin behind the part
 * of the page that a usual number of candidates takes, each a little further. */
enum { PAGE_ENTRIES = 1024, ROWS_BEGIN = 240, ROWS_STEP = 48 };

static uint32_t whole_pages(uint32_t entries)
{
    return (entries + PAGE_ENTRIES - 1) / PAGE_ENTRIES * PAGE_ENTRIES;
}

static void *first_page(const rill_buffer *buffer)
{
    const uintptr_t page = 4 * PAGE_ENTRIES, at = (uintptr_t)buffer->data;
    return (char *)buffer->data + (page - at % page) % page;
}

static void candidates_place(candidates *c, const rill_buffer *buffer, uint32_t capacity)
{
    c->capacity = capacity;
    c->x = first_page(buffer);
    c->y = c->x + capacity;
    c->z = c->y + capacity;
    c->number = (uint32_t *)(c->z + capacity);
}

static bool candidates_reserve(builder *b, uint32_t capacity)
{
    if (capacity <= b->found.capacity) return true;
    const candidates old = b->found;
    const uint32_t room = whole_pages(capacity + capacity / 2);
    rill_buffer grown = {0};
    if (!rill_buffer_reserve(&grown, (4 * (size_t)room + PAGE_ENTRIES) * sizeof(float))) return false;
    candidates_place(&b->found, &grown, room);
    if (old.count) {
        memcpy(b->found.x, old.x, old.count * sizeof(float));
        memcpy(b->found.y, old.y, old.count * sizeof(float));
        memcpy(b->found.z, old.z, old.count * sizeof(float));
        memcpy(b->found.number, old.number, old.count * sizeof(uint32_t));
    }
    rill_buffer_free(&b->scratch->candidates);
    b->scratch->candidates = grown;
    return true;
}

/* The box around the particles of the cell at hand. */
static void box_find(builder *b, uint32_t first, uint32_t last)
{
    const float *axes[3] = {b->job->own.x, b->job->own.y, b->job->own.z};
    for (int a = 0; a < 3; a++) {
        float low = axes[a][first], high = low;
        for (uint32_t i = first + 1; i < last; i++) {
            low = axes[a][i] < low ? axes[a][i] : low;
            high = axes[a][i] > high ? axes[a][i] : high;
        }
        b->low[a] = low;
        b->high[a] = high;
    }
}

/* How far outside an interval. */
RILL_INLINE vf outside(vf x, float low, float high)
{
    return x - vf_min(vf_max(x, vf_set(low)), vf_set(high));
}

/* A run of particles of the other set, and where they are seen across a periodic side. */
typedef struct run {
    uint32_t first, last; /* first <= j < last */
    uint32_t own;         /* the first particle of the cell at hand */
    bool shifted;
    float shift[3];
} run;

/* Appends those of the particles of the run from j on, at most a vector of them, that lie within reach of the box
 * around the cell's own particles, and returns how many there are then; with `tail`, the run ends among them. */
RILL_INLINE uint32_t copy_vector(builder *b, const run *r, uint32_t j, uint32_t count, bool tail)
{
    candidates *c = &b->found;
    const rill_search_set *other = &b->job->other;
    const float *low = b->low, *high = b->high;
    vf x = vf_load(other->x + j), y = vf_load(other->y + j), z = vf_load(other->z + j);
    if (r->shifted) {
        x += r->shift[0];
        y += r->shift[1];
        z += r->shift[2];
    }
    const vf dx = outside(x, low[0], high[0]), dy = outside(y, low[1], high[1]), dz = outside(z, low[2], high[2]);
    /* NaN is taken along, so that the cell's own particles are all there, one behind the other. */
    uint32_t bits = simd_not_above(dx * dx + dy * dy + dz * dz, vf_set(b->reach2));
    if (tail) bits &= simd_first(r->last - j);
    if (!r->shifted && r->own - j < RILL_WIDTH) c->own = count + simd_count(bits & simd_first(r->own - j));
    const vu lanes = vu_compress((vu)vi_lanes(), bits);
    vu_store((uint32_t *)c->x + count, vu_pick((vu)x, lanes));
    vu_store((uint32_t *)c->y + count, vu_pick((vu)y, lanes));
    vu_store((uint32_t *)c->z + count, vu_pick((vu)z, lanes));
    vu_store(c->number + count, lanes + j);
    return count + simd_count(bits);
}

/* About half of a run is within reach. There is room for all. */
RILL_INLINE void copy_run(builder *b, const run *r)
{
    uint32_t j = r->first, count = b->found.count;
    for (; j + RILL_WIDTH <= r->last; j += RILL_WIDTH) count = copy_vector(b, r, j, count, false);
    if (j < r->last) count = copy_vector(b, r, j, count, true);
    b->found.count = count;
}

/* A cell coordinate past a periodic side continues on the other one; what is
 * found there is seen at the near image. */
static void wrap_cell(const rill_grid *grid, int axis, int32_t *cell, float *shift)
{
    const int32_t n = grid->wrap[axis];
    *shift = 0;
    if (!n) return;
    if (*cell < 0) {
        *cell += n;
        *shift = -grid->period[axis];
    } else if (*cell >= n) {
        *cell -= n;
        *shift = grid->period[axis];
    }
}

/* The row at (y, z), or NULL; at or next behind `last`, more often than not. */
static const rill_row *row_near(const rill_cells *cells, const rill_row *last, int32_t y, int32_t z)
{
    for (const rill_row *row = last; row && row < cells->rows + cells->row_count && row <= last + 1; row++)
        if (row->y == y && row->z == z) return row;
    return rill_cells_row(cells, y, z);
}

static void enter_row(builder *b, const rill_row *row, int32_t x)
{
    const rill_grid *grid = b->job->grid;
    b->side_count = 0;
    b->empty_before = INT32_MIN;
    const rill_row **last = b->last;
    for (int32_t dz = -1; dz <= 1; dz++)
        for (int32_t dy = -1; dy <= 1; dy++, last++) {
            int32_t y = row->y + dy, z = row->z + dz;
            side_row *side = &b->sides[b->side_count];
            wrap_cell(grid, 1, &y, &side->shift_y);
            wrap_cell(grid, 2, &z, &side->shift_z);
            side->row = row_near(b->job->other.cells, *last, y, z);
            if (!side->row) continue;
            *last = side->row;
            side->first = side->last = rill_row_find(b->job->other.cells, side->row, x - 1);
            b->side_count++;
        }
}

/* Moves along to the cells around x and returns how many particles they hold. */
static uint32_t advance_side(const rill_cells *cells, side_row *side, int32_t x)
{
    const uint32_t end = side->row->last;
    while (side->first < end && cells->x[side->first] < x - 1) side->first++;
    if (side->last < side->first) side->last = side->first;
    while (side->last < end && cells->x[side->last] <= x + 1) side->last++;
    return cells->start[side->last] - cells->start[side->first];
}

/* The first cell of the row, from the one at hand on, that the next particles of a side are near. */
static int32_t next_candidates(const builder *b)
{
    const rill_cells *cells = b->job->other.cells;
    int32_t x = INT32_MAX;
    for (uint32_t s = 0; s < b->side_count; s++) {
        const side_row *side = &b->sides[s];
        if (side->last < side->row->last && cells->x[side->last] - 1 < x) x = cells->x[side->last] - 1;
    }
    return x;
}

static bool collect(builder *b, uint32_t cell)
{
    const rill_cells *cells = b->job->other.cells, *own = b->job->own.cells;
    if (own->x[cell] < b->empty_before) return true; /* as nearly everywhere among walls */
    uint32_t total = 0;
    for (uint32_t s = 0; s < b->side_count; s++) total += advance_side(cells, &b->sides[s], own->x[cell]);
    if (!total) {
        b->empty_before = next_candidates(b);
        return true;
    }
    box_find(b, own->start[cell], own->start[cell + 1]);
    if (!candidates_reserve(b, total + 2 * RILL_WIDTH)) return false;
    for (uint32_t s = 0; s < b->side_count; s++) {
        const side_row *side = &b->sides[s];
        if (side->first < side->last)
            copy_run(b, &(run){cells->start[side->first], cells->start[side->last], own->start[cell], false, {0}});
    }
    return true;
}

/* The same where sides are periodic: cell by cell, since x may wrap around. */
static bool collect_periodic(builder *b, uint32_t own_cell)
{
    const rill_cells *cells = b->job->other.cells, *own = b->job->own.cells;
    const int32_t x = own->x[own_cell];
    if (b->side_count) box_find(b, own->start[own_cell], own->start[own_cell + 1]);
    for (uint32_t s = 0; s < b->side_count; s++)
        for (int32_t dx = -1; dx <= 1; dx++) {
            const side_row *side = &b->sides[s];
            int32_t at = x + dx;
            float shift;
            wrap_cell(b->job->grid, 0, &at, &shift);
            const uint32_t cell = rill_row_find(cells, side->row, at);
            if (cell == side->row->last || cells->x[cell] != at) continue;
            const uint32_t first = cells->start[cell], last = cells->start[cell + 1];
            if (!candidates_reserve(b, b->found.count + (last - first) + 2 * RILL_WIDTH)) return false;
            const bool shifted = shift != 0 || side->shift_y != 0 || side->shift_z != 0;
            copy_run(b, &(run){first, last, own->start[own_cell], shifted, {shift, side->shift_y, side->shift_z}});
        }
    return true;
}

/* Everything in the 27 cells around a cell of the own set. */
static bool enter_cell(builder *b, uint32_t cell)
{
    candidates *c = &b->found;
    c->count = 0;
    if (!(b->job->grid->periodic ? collect_periodic(b, cell) : collect(b, cell))) return false;
    for (uint32_t k = 0; c->count && k < RILL_WIDTH; k++) c->x[c->count + k] = FAR_AWAY;
    return true;
}

/* Particles of the cell at hand whose neighbours are sought together, so that each candidate is loaded once. */
typedef struct seekers {
    vf x[TOGETHER], y[TOGETHER], z[TOGETHER];
    uint32_t *row[TOGETHER]; /* where the next hit goes */
    uint32_t self;           /* where the first of them is among the candidates, and the rest behind it */
} seekers;

/* Hits among the candidates k to `end`, compressed into a row each; with `selves`, the seekers are there too. */
RILL_INLINE void find_among(const builder *b, seekers *s, const uint32_t many, uint32_t k, uint32_t end, bool selves)
{
    const candidates *c = &b->found;
    const float h = b->job->grid->support;
    const vf h2 = vf_set(h * h);
    for (; k < end; k += RILL_WIDTH) {
        const vf cx = vf_load(c->x + k), cy = vf_load(c->y + k), cz = vf_load(c->z + k);
        const vu number = vu_load(c->number + k);
        for (uint32_t p = 0; p < many; p++) {
            const vf dx = s->x[p] - cx, dy = s->y[p] - cy, dz = s->z[p] - cz;
            uint32_t bits = simd_below(dx * dx + dy * dy + dz * dz, h2);
            if (selves && s->self + p - k < RILL_WIDTH) bits &= ~(1u << (s->self + p - k));
            vu_store(s->row[p], vu_compress(number, bits));
            s->row[p] += simd_count(bits);
        }
    }
}

/* Hits of `many` particles from i on, all of the cell at hand, which begins with particle `own`. */
RILL_INLINE void find_hits(const builder *b, uint32_t i, uint32_t own, const uint32_t many, uint32_t *rows,
                           uint32_t *counts)
{
    const rill_search_set *set = &b->job->own;
    const uint32_t end = b->found.count;
    seekers s = {.self = b->found.own + (i - own)};
    for (uint32_t p = 0; p < many; p++) {
        s.x[p] = vf_set(set->x[i + p]);
        s.y[p] = vf_set(set->y[i + p]);
        s.z[p] = vf_set(set->z[i + p]);
        s.row[p] = rows + p * b->row_size;
    }
    if (b->job->same) {
        const uint32_t first = s.self / RILL_WIDTH * RILL_WIDTH;
        const uint32_t behind = ((s.self + many - 1) / RILL_WIDTH + 1) * RILL_WIDTH;
        find_among(b, &s, many, 0, first, false);
        find_among(b, &s, many, first, behind, true);
        find_among(b, &s, many, behind, end, false);
    } else {
        find_among(b, &s, many, 0, end, false);
    }
    for (uint32_t p = 0; p < many; p++) counts[p] = (uint32_t)(s.row[p] - (rows + p * b->row_size));
}

static bool rows_reserve(builder *b, uint32_t size)
{
    if (size <= b->row_size) return true;
    /* Rows already filled in this group move to the wider layout. */
    const uint32_t wide = whole_pages(size + size / 2) + ROWS_STEP;
    rill_buffer grown = {0};
    if (!rill_buffer_reserve(&grown, ((size_t)wide * (RILL_WIDTH + 1) + 2 * PAGE_ENTRIES) * sizeof(uint32_t)))
        return false;
    uint32_t *rows = (uint32_t *)first_page(&grown) + ROWS_BEGIN;
    for (uint32_t l = 0; l < RILL_WIDTH && b->row_size; l++)
        memcpy(rows + (size_t)l * wide, b->rows + (size_t)l * b->row_size, b->row_size * sizeof *rows);
    rill_buffer_free(&b->scratch->rows);
    b->scratch->rows = grown;
    b->rows = rows;
    b->row_size = wide;
    return true;
}

/* Whether a cell and all cells near it lie in one tile. */
static bool inside_tile(const rill_grid *grid, int32_t x, const rill_row *row)
{
    return rill_grid_inside_tile(grid, 0, x) && rill_grid_inside_tile(grid, 1, row->y) &&
           rill_grid_inside_tile(grid, 2, row->z);
}

/* Rows of RILL_WIDTH numbers in 32 bits, near ones, and what lies before these, in units of what `places` points to. */
enum { FAR_ROW = 2 * RILL_WIDTH, NEAR_ROW = RILL_WIDTH + 1, NEAR_BASE = 2 };

/* Where the rows of a group begin, as particles. */
typedef struct row_bases {
    uint32_t *row;
    uint32_t first; /* of all of them */
    bool near;      /* all neighbours are near where their row begins */
} row_bases;

/* The smallest place among the k-th neighbours of a group, for every k, and then where the run before it begins. */
static row_bases find_bases(const builder *b, uint32_t length)
{
    row_bases bases = {.row = b->rows + (size_t)RILL_WIDTH * b->row_size};
    vi first = (vi){0} + INT32_MAX, farthest = {0}, most_runs = {0};
    for (uint32_t k = 0; k < length; k += RILL_WIDTH) {
        vi low = (vi)vu_load(b->rows + k), high = low;
        for (uint32_t l = 1; l < RILL_WIDTH; l++) {
            const vi other = (vi)vu_load(b->rows + (size_t)l * b->row_size + k);
            low = vi_min(low, other);
            high = vi_max(high, other);
        }
        farthest = vi_max(farthest, high - low);
        first = vi_min(first, low);
        vu_store(bases.row + k, (vu)low);
    }
    bases.first = (uint32_t)vi_least(first);
    for (uint32_t k = 0; k < length; k += RILL_WIDTH) {
        const vu runs = (vu_load(bases.row + k) - bases.first) / RILL_NEAR_RUN;
        most_runs = vi_max(most_runs, (vi)runs);
        vu_store(bases.row + k, runs * RILL_NEAR_RUN + bases.first);
    }
    /* A row may begin up to a run before its smallest place. */
    bases.near = !(simd_below(vf_set(0xffff - (RILL_NEAR_RUN - 1)), __builtin_convertvector(farthest, vf)) |
                   simd_below(vf_set(0xffff), __builtin_convertvector(most_runs, vf)));
    return bases;
}

/* Writes four rows: of offsets in bytes where they are far, else of distances from where the rows begin. */
RILL_INLINE void store_rows(uint16_t *places, const uint32_t *begin, uint32_t first, const vrec *columns, bool far)
{
    const vf column[4] = {columns->x, columns->y, columns->z, columns->w};
    for (int r = 0; r < 4; r++) {
        if (far) {
            vu_store((uint32_t *)(void *)places + (size_t)r * RILL_WIDTH, (vu)column[r] * 16);
            continue;
        }
        uint16_t *row = places + (size_t)r * NEAR_ROW;
        row[0] = (uint16_t)((begin[r] - first) / RILL_NEAR_RUN);
        vu_store16(row + 1, (vu)column[r] - begin[r]);
    }
}

/* Where the list of a group goes; the last few rows, which are padding, may be written over by the next group. Numbers
 * of 32 bits begin at an even place. */
static bool place_group(builder *b, rill_group_place *group, uint32_t padded)
{
    rill_list_scratch *s = b->scratch;
    const size_t entries = (size_t)group->length * RILL_WIDTH, row = group->far ? FAR_ROW : NEAR_ROW;
    const size_t base = group->far ? 0 : NEAR_BASE;
    if (!rill_lists_room(b->job->lists, b->worker, base + row * padded + 1, entries)) return false;
    if (group->far) s->places.first += s->places.first & 1;
    group->places = s->places.first;
    group->entry = s->entries.first;
    s->places.first += base + row * group->length;
    s->entries.first += entries;
    return true;
}

/* Turns the rows of a group into columns of a sliced list. */
static bool store_group(builder *b, uint32_t first, const uint32_t *counts, uint16_t in_tile)
{
    uint32_t longest = 0, sum = 0;
    for (uint32_t l = 0; l < RILL_WIDTH; l++) {
        longest = counts[l] > longest ? counts[l] : longest;
        sum += counts[l];
    }
    const uint32_t *owner = b->job->own.owner;
    for (uint32_t l = 0; owner && l < RILL_WIDTH; l++) sum -= owner[first + l] ? counts[l] : 0;
    rill_lists *lists = b->job->lists;
    rill_group_place *group = &lists->group[first / RILL_WIDTH];
    *group = (rill_group_place){.length = longest, .in_tile = in_tile};
    for (uint32_t l = 0; l < RILL_WIDTH; l++) lists->count[first + l] = counts[l];
    b->pairs += sum;
    if (!longest) return true;
    const uint32_t padded = (longest + 3) / 4 * 4;
    if (!rows_reserve(b, padded + 2 * RILL_WIDTH)) return false;
    uint32_t at[RILL_WIDTH];
    for (uint32_t l = 0; l < RILL_WIDTH; l++) {
        const vu itself = (vu){0} + (b->job->same ? first + l : 0);
        uint32_t *row = b->rows + (size_t)l * b->row_size;
        for (uint32_t k = counts[l]; k < longest + RILL_WIDTH; k += RILL_WIDTH) vu_store(row + k, itself);
        at[l] = 4 * l * b->row_size;
    }
    const row_bases bases = find_bases(b, longest);
    group->far = !bases.near;
    if (!place_group(b, group, padded)) return false;
    uint16_t *places = lists->places + group->places;
    const uint32_t base = 16 * bases.first;
    if (!group->far) memcpy(places, &base, sizeof base);
    for (uint32_t k = 0; k < padded; k += 4) {
        const vrec columns = vrec_gather((const float *)(b->rows + k), at);
        if (group->far) store_rows(places + (size_t)k * FAR_ROW, bases.row + k, 0, &columns, true);
        else store_rows(places + NEAR_BASE + (size_t)k * NEAR_ROW, bases.row + k, bases.first, &columns, false);
    }
    return true;
}

static void find_hits_of(const builder *b, uint32_t first, uint32_t own, uint32_t l, uint32_t stop, uint32_t *counts)
{
    uint32_t *rows = b->rows + (size_t)l * b->row_size;
    for (; l + TOGETHER <= stop; l += TOGETHER, rows += (size_t)TOGETHER * b->row_size)
        find_hits(b, first + l, own, TOGETHER, rows, counts + l);
    for (; l < stop; l++, rows += b->row_size) find_hits(b, first + l, own, 1, rows, counts + l);
}

static bool build_block(builder *b, uint32_t begin, uint32_t end)
{
    const rill_cells *cells = b->job->own.cells;
    uint32_t cell = rill_cells_of_particle(cells, begin);
    uint32_t row = rill_cells_row_of(cells, cell);
    bool new_cell = true, new_row = true;
    bool inside = false; /* the current cell lies inside a tile */
    for (uint32_t first = begin; first < end; first += RILL_WIDTH) {
        uint32_t counts[RILL_WIDTH] = {0}, l = 0,
                 in_tile = ~0u << (end - first < RILL_WIDTH ? end - first : RILL_WIDTH);
        const uint32_t last = first + RILL_WIDTH < end ? first + RILL_WIDTH : end;
        while (first + l < last) {
            const uint32_t i = first + l;
            while (i >= cells->start[cell + 1]) {
                cell++;
                new_cell = true;
            }
            while (cell >= cells->rows[row].last) {
                row++;
                new_row = true;
            }
            if (new_row) enter_row(b, &cells->rows[row], cells->x[cell]);
            if (new_cell && !enter_cell(b, cell)) return false;
            if (new_cell && b->job->same) inside = inside_tile(b->job->grid, cells->x[cell], &cells->rows[row]);
            new_row = new_cell = false;
            /* All of the group that are in this cell. */
            const uint32_t stop = (cells->start[cell + 1] < last ? cells->start[cell + 1] : last) - first;
            if (b->found.count && !rows_reserve(b, b->found.count + RILL_WIDTH)) return false;
            if (b->found.count) find_hits_of(b, first, cells->start[cell], l, stop, counts);
            if (inside) in_tile |= simd_first(stop) & ~simd_first(l);
            l = stop;
        }
        if (!store_group(b, first, counts, (uint16_t)(in_tile & simd_first(RILL_WIDTH)))) return false;
    }
    return true;
}

bool RILL_WIDE(rill_list_build_block)(const rill_list_job *job, uint32_t begin, uint32_t end, unsigned worker,
                                      uint64_t *pairs)
{
    builder b = {.job = job, .scratch = &job->lists->scratch[worker], .worker = worker};
    /* The scratch of the last block serves again; what it held does not matter. */
    b.reach2 = job->grid->support * job->grid->support * 1.0001f;
    if (b.scratch->candidates_room) candidates_place(&b.found, &b.scratch->candidates, b.scratch->candidates_room);
    if (b.scratch->rows_room) b.rows = (uint32_t *)first_page(&b.scratch->rows) + ROWS_BEGIN;
    b.row_size = b.scratch->rows_room;
    const bool built = build_block(&b, begin, end);
    if (built) *pairs += b.pairs;
    b.scratch->candidates_room = b.found.capacity;
    b.scratch->rows_room = b.row_size;
    return built;
}

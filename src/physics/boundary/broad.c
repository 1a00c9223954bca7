/* Boxes in the cells of a grid.
 *
 * Cells are about as large as half of a usual box, so that a point looks at few boxes, and a box lies in few cells. The
 * grid has no ends: behind its last cell the first comes again, which costs nothing but a box looked at in vain. So it
 * needs no more cells than there are boxes to sort, however far apart they lie. Along a periodic axis its cells go
 * around once. Every box that is found is compared with the one that looks for it, so what is found does not depend on
 * cells. */
#include "physics/boundary/broad.h"

#include <math.h>
#include <string.h>

/* A box may lie in so many cells on average; so many cells a box there may be; and a path goes through so many at
 * most, or asks all. */
enum { CELLS_OF_BOX = 64, CELLS_FOR_BOX = 32, CELLS_OF_PATH = 64 };

/* Fewer are asked one by one. */
enum { FEWEST = 8 };

void rill_broad_free(rill_broad *broad)
{
    rill_buffer_free(&broad->memory);
    *broad = (rill_broad){0};
}

/* ---- cells ---- */

/* The cells of a box along an axis, not yet brought into the grid. */
typedef struct span {
    int32_t first, count;
} span;

/* As a whole number; what is far out is taken to lie at one of two ends, which keeps the order. */
static inline int32_t cell_of(float x)
{
    const float end = 1 << 29;
    if (!(x > -end)) return -(1 << 29);
    if (x > end) return 1 << 29;
    const int32_t cell = (int32_t)x;
    return cell - (x < (float)cell);
}

static inline span span_of(const rill_broad *b, int axis, const rill_box *box)
{
    const int32_t first = cell_of(box->low[axis] * b->per_cell[axis]);
    const int32_t last = cell_of(box->high[axis] * b->per_cell[axis]);
    const int32_t n = b->cells[axis], count = last - first + 1;
    return (span){first, count < n ? count : n};
}

static inline uint32_t fold(int32_t cell, int32_t cells)
{
    if (cell >= 0 && cell < cells) return (uint32_t)cell;
    const int32_t rest = cell % cells;
    return (uint32_t)(rest < 0 ? rest + cells : rest);
}

static inline uint32_t slot_of(const rill_broad *b, int32_t x, int32_t y, int32_t z)
{
    const uint32_t row = fold(z, b->cells[2]) * (uint32_t)b->cells[1] + fold(y, b->cells[1]);
    return row * (uint32_t)b->cells[0] + fold(x, b->cells[0]);
}

/* ---- making ---- */

static double longest_side(const rill_box *box)
{
    double longest = 0;
    for (int a = 0; a < 3; a++) longest = fmax(longest, (double)box->high[a] - (double)box->low[a]);
    return longest;
}

/* Half of what half of all boxes are not longer than, up to a factor of two; 0: most have no end. */
static double usual_size(const rill_box *boxes, uint32_t count)
{
    enum { LOW = -1100, HIGH = 1100 };
    uint32_t seen[HIGH - LOW] = {0}, ended = 0;
    for (uint32_t i = 0; i < count; i++) {
        int exponent;
        const double longest = longest_side(&boxes[i]);
        if (!(longest > 0 && longest < INFINITY)) continue;
        frexp(longest, &exponent);
        seen[exponent - LOW]++;
        ended++;
    }
    uint32_t sum = 0;
    for (int e = 0; e < HIGH - LOW && ended; e++) {
        sum += seen[e];
        if (2 * sum >= ended) return ldexp(1, e + LOW - 1);
    }
    return 0;
}

/* In how many cells a box would lie. */
static double cells_of(const rill_box *box, double size)
{
    double cells = 1;
    for (int a = 0; a < 3; a++) cells *= ((double)box->high[a] - (double)box->low[a]) / size + 1;
    return cells;
}

/* The largest power of two such that all boxes in no more cells than that have room. */
static double most_cells(const rill_box *boxes, uint32_t count, double size)
{
    double most = 8;
    for (;; most *= 2) {
        double sum = 0, more = 0;
        for (uint32_t i = 0; i < count; i++) {
            const double cells = cells_of(&boxes[i], size);
            if (cells <= 2 * most) sum += cells;
            if (cells > most && cells < INFINITY) more++;
        }
        if (!(more > 0) || sum > (double)CELLS_OF_BOX * count) return most;
    }
}

/* How many cells the grid has along each axis: enough for where the boxes lie, but no more than may be. */
static void choose_cells(rill_broad *b, double size, double most)
{
    double low[3], high[3], wanted[3];
    for (int a = 0; a < 3; a++) low[a] = INFINITY, high[a] = -INFINITY;
    for (uint32_t i = 0; i < b->count; i++) {
        if (cells_of(&b->boxes[i], size) > most) continue;
        for (int a = 0; a < 3; a++) {
            low[a] = fmin(low[a], (double)b->boxes[i].low[a]);
            high[a] = fmax(high[a], (double)b->boxes[i].high[a]);
        }
    }
    const double room = (double)CELLS_FOR_BOX * b->count;
    for (int a = 0; a < 3; a++) {
        const double length = b->period[a] > 0 ? (double)b->period[a] : high[a] - low[a] + size;
        wanted[a] = fmin(fmax(floor(length / size), 1), room);
    }
    while (wanted[0] * wanted[1] * wanted[2] > room) {
        const int a = wanted[0] >= wanted[1] && wanted[0] >= wanted[2] ? 0 : wanted[1] >= wanted[2] ? 1 : 2;
        wanted[a] = floor(0.5 * wanted[a]);
    }
    for (int a = 0; a < 3; a++) {
        b->cells[a] = (int32_t)wanted[a];
        b->per_cell[a] = (float)(b->period[a] > 0 ? wanted[a] / (double)b->period[a] : 1 / size);
    }
}

/* Calls for every cell of a box: counts it, or puts the box there. */
static uint32_t visit_cells(const rill_broad *b, uint32_t box, uint32_t *counts, uint32_t *next)
{
    span s[3];
    for (int a = 0; a < 3; a++) s[a] = span_of(b, a, &b->boxes[box]);
    for (int32_t z = 0; z < s[2].count; z++)
        for (int32_t y = 0; y < s[1].count; y++)
            for (int32_t x = 0; x < s[0].count; x++) {
                const uint32_t slot = slot_of(b, s[0].first + x, s[1].first + y, s[2].first + z);
                if (counts) counts[slot]++;
                else b->items[next[slot]++] = box;
            }
    return (uint32_t)(s[0].count * s[1].count * s[2].count);
}

/* Where in its memory the lists lie: those of boxes without cells, then for every cell where its boxes begin and where
 * the next one goes, then the boxes. */
static rill_status reserve(rill_broad *b, size_t slots, size_t items, rill_error *err)
{
    const size_t words = b->count + 2 * (slots + 1) + items;
    if (!rill_buffer_reserve(&b->memory, words * sizeof *b->wide))
        return rill_memory_fail(err, words * sizeof *b->wide, "the bodies");
    b->wide = b->memory.data;
    b->start = slots ? b->wide + b->count : NULL;
    b->items = slots ? b->start + 2 * (slots + 1) : NULL;
    return RILL_OK;
}

static void fill_cells(rill_broad *b, double size, double most, size_t slots)
{
    uint32_t *next = b->start + slots + 1, sum = 0;
    memset(next, 0, slots * sizeof *next);
    for (uint32_t i = 0; i < b->count; i++)
        if (cells_of(&b->boxes[i], size) <= most) visit_cells(b, i, next, NULL);
    for (size_t s = 0; s < slots; s++) {
        const uint32_t held = next[s];
        b->start[s] = next[s] = sum;
        b->crowd = held > b->crowd ? held : b->crowd;
        sum += held;
    }
    b->start[slots] = sum;
    for (uint32_t i = 0; i < b->count; i++) {
        if (cells_of(&b->boxes[i], size) <= most) visit_cells(b, i, NULL, next);
        else b->wide[b->wide_count++] = i;
    }
}

rill_status rill_broad_make(rill_broad *broad, const rill_box *boxes, uint32_t count, const double period[3],
                            rill_error *err)
{
    *broad = (rill_broad){.boxes = boxes, .count = count, .memory = broad->memory};
    for (int a = 0; a < 3; a++) {
        broad->period[a] = (float)period[a];
        broad->periodic = broad->periodic || period[a] > 0;
    }
    const double size = count >= FEWEST ? usual_size(boxes, count) : 0;
    double items = 0, most = 0;
    if (size > 0) {
        most = most_cells(boxes, count, size);
        choose_cells(broad, size, most);
    }
    const size_t slots =
        size > 0 ? (size_t)broad->cells[0] * (size_t)broad->cells[1] * (size_t)broad->cells[2] : 0;
    /* One cell more along each axis than the box is long, by rounding. */
    for (uint32_t i = 0; i < count && slots; i++)
        if (cells_of(&boxes[i], size) <= most) {
            double cells = 1;
            for (int a = 0; a < 3; a++) cells *= span_of(broad, a, &boxes[i]).count;
            items += cells;
        }
    const rill_status status = reserve(broad, slots, (size_t)items, err);
    if (status) return status;
    if (slots) fill_cells(broad, size, most, slots);
    else
        for (uint32_t i = 0; i < count; i++) broad->wide[broad->wide_count++] = i;
    return RILL_OK;
}

uint32_t rill_broad_most(const rill_broad *broad)
{
    const uint32_t found = broad->wide_count + broad->crowd;
    return found > RILL_BROAD_ROOM ? broad->count : found;
}

/* ---- finding ---- */

static bool meets_around(const rill_broad *b, const rill_box *box, const rill_box *at)
{
    for (int a = 0; a < 3; a++) {
        const double low = (double)box->low[a] - (double)at->high[a], high = (double)box->high[a] - (double)at->low[a];
        const double period = (double)b->period[a];
        /* Some whole number of periods lies between the two. */
        if (period > 0 ? ceil(low / period) > floor(high / period) : low > 0 || high < 0) return false;
    }
    return true;
}

static inline bool meets(const rill_broad *b, const rill_box *box, const rill_box *at)
{
    if (b->periodic) return meets_around(b, box, at);
    return box->low[0] <= at->high[0] && box->high[0] >= at->low[0] && box->low[1] <= at->high[1] &&
           box->high[1] >= at->low[1] && box->low[2] <= at->high[2] && box->high[2] >= at->low[2];
}

bool rill_broad_meets(const rill_broad *b, const rill_box *box, const rill_box *at)
{
    return meets(b, box, at);
}

/* Puts a box into the list, if it meets the other; false: there is no room. */
static inline bool note(const rill_broad *b, uint32_t box, const rill_box *at, rill_broad_found *found)
{
    if (!meets(b, &b->boxes[box], at)) return true;
    uint32_t k = found->count;
    while (k > 0 && found->box[k - 1] > box) k--;
    if (k > 0 && found->box[k - 1] == box) return true;
    if (found->count == RILL_BROAD_ROOM) return false;
    for (uint32_t l = found->count++; l > k; l--) found->box[l] = found->box[l - 1];
    found->box[k] = box;
    return true;
}

static bool find_in_cell(const rill_broad *b, uint32_t slot, const rill_box *at, rill_broad_found *found)
{
    for (uint32_t k = b->start[slot]; k < b->start[slot + 1]; k++)
        if (!note(b, b->items[k], at, found)) return false;
    return true;
}

static bool find_in_cells(const rill_broad *b, const rill_box *at, rill_broad_found *found)
{
    span s[3];
    for (int a = 0; a < 3; a++) s[a] = span_of(b, a, at);
    if ((double)s[0].count * s[1].count * s[2].count > CELLS_OF_PATH) return false;
    for (int32_t z = 0; z < s[2].count; z++)
        for (int32_t y = 0; y < s[1].count; y++)
            for (int32_t x = 0; x < s[0].count; x++)
                if (!find_in_cell(b, slot_of(b, s[0].first + x, s[1].first + y, s[2].first + z), at, found))
                    return false;
    return true;
}

void rill_broad_find(const rill_broad *b, const rill_box *at, rill_broad_found *found)
{
    found->all = false;
    found->count = 0;
    bool room = true;
    for (uint32_t k = 0; k < b->wide_count && room; k++) room = note(b, b->wide[k], at, found);
    if (room && b->start) room = find_in_cells(b, at, found);
    if (room) return;
    found->all = true;
    found->count = b->count;
}

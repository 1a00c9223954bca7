/* The volume that the liquid fills, by nodes. */
#include "fluid/volume.h"

#include <math.h>
#include <string.h>

#define REAL float
#define KERNEL(name) name##_f
#define KERNEL_INLINE __attribute__((unused)) static inline
#define POSITIVE(a) ((a) > 0 ? (a) : 0)
#include "fluid/kernel_formula.h"

/* The share of nodes is summed in steps of 2^-20, so that threads do not matter. */
enum { CELL_BLOCK = 32, STEPS_OF_ONE = 1 << 20, LANES = 4 };
static const float DEEP = 0.85f;

typedef struct counting {
    const rill_sph *sph;
    float size[3]; /* of a cell */
    int nodes[3];  /* in it, along each axis */
    rill_kernel kernel;
    double scale;  /* V0 times the kernel's own */
} counting;

enum { COUNT_STEPS, COUNT_FAILED };

/* The cell at (x, y, z), or UINT32_MAX where it is empty; brings it into a periodic domain. */
static uint32_t cell_at(const rill_sph *sph, int32_t cell[3])
{
    for (int a = 0; a < 3; a++) {
        const int32_t wrap = sph->grid.wrap[a];
        if (wrap) cell[a] = (cell[a] % wrap + wrap) % wrap;
    }
    const rill_cells *cells = &sph->liquid.cells;
    const rill_row *row = rill_cells_row(cells, cell[1], cell[2]);
    const uint32_t c = row ? rill_row_find(cells, row, cell[0]) : 0;
    return row && c < row->last && cells->x[c] == cell[0] ? c : UINT32_MAX;
}

/* A cell and the cells around it. In a narrow periodic domain one may come twice: then it counts once. */
typedef struct around {
    int32_t cell[27][3];
    uint32_t index[27]; /* UINT32_MAX: empty, or there already */
    uint32_t occupied, lowest;
} around;

static around around_of(const rill_sph *sph, const int32_t cell[3])
{
    around r = {.lowest = UINT32_MAX};
    const bool narrow = sph->grid.wrap[0] == 2 || sph->grid.wrap[1] == 2 || sph->grid.wrap[2] == 2;
    for (int k = 0; k < 27; k++) {
        const int32_t to[3] = {cell[0] + k % 3 - 1, cell[1] + k / 3 % 3 - 1, cell[2] + k / 9 - 1};
        for (int a = 0; a < 3; a++) r.cell[k][a] = to[a];
        r.index[k] = cell_at(sph, r.cell[k]);
        for (int before = 0; narrow && before < k; before++)
            if (r.index[before] == r.index[k]) r.index[k] = UINT32_MAX;
        if (r.index[k] == UINT32_MAX) continue;
        r.occupied++;
        if (r.index[k] < r.lowest) r.lowest = r.index[k];
    }
    return r;
}

/* Liquid all around, no particle of which misses a neighbour: every node of the cell lies deep in it. */
static bool is_deep(const rill_sph *sph, const around *r)
{
    const float *D = rill_field_f32(&sph->liquid.fields, FIELD_COMPRESSION);
    const uint32_t *start = sph->liquid.cells.start;
    if (r->occupied < 27) return false;
    for (int k = 0; k < 27; k++)
        for (uint32_t i = start[r->index[k]]; i < start[r->index[k] + 1]; i++)
            if (!(D[i] > DEEP)) return false;
    return true;
}

/* The particles around a cell, counted from its corner. */
typedef struct crowd {
    float *x, *y, *z;
    uint32_t count, room;
    rill_buffer memory;
} crowd;

static bool crowd_reserve(crowd *c, uint32_t room)
{
    if (room <= c->room) return true;
    if (!rill_buffer_reserve(&c->memory, 3 * (size_t)room * sizeof(float))) return false;
    c->room = room;
    c->x = c->memory.data;
    c->y = c->x + room;
    c->z = c->y + room;
    return true;
}

static bool crowd_gather(crowd *to, const counting *c, const int32_t cell[3], const around *r)
{
    const rill_sph *sph = c->sph;
    const rill_cells *cells = &sph->liquid.cells;
    const float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    uint32_t most = 0;
    double corner[3];
    for (int a = 0; a < 3; a++) corner[a] = sph->grid.base[a] + (double)cell[a] * c->size[a];
    for (int k = 0; k < 27; k++)
        if (r->index[k] != UINT32_MAX) most += cells->start[r->index[k] + 1] - cells->start[r->index[k]];
    to->count = 0;
    if (!crowd_reserve(to, most + LANES)) return false;
    for (int k = 0; k < 27; k++) {
        if (r->index[k] == UINT32_MAX) continue;
        for (size_t i = cells->start[r->index[k]]; i < cells->start[r->index[k] + 1]; i++) {
            float *const at[3] = {to->x, to->y, to->z};
            for (int a = 0; a < 3; a++) {
                /* From the middle of the cell, so that the nearest image is the right one. */
                const double half = 0.5 * c->size[a];
                at[a][to->count] =
                    (float)(half + rill_grid_nearest(&sph->grid, a, position[4 * i + (size_t)a] - corner[a] - half));
            }
            to->count++;
        }
    }
    /* Filled up with what is out of reach. */
    for (; to->count % LANES; to->count++) to->x[to->count] = to->y[to->count] = to->z[to->count] = 1e9f;
    return true;
}

/* C at a point counted from the corner of the cell. Four sums side by side, so that the compiler takes vectors. */
static double colour_at(const counting *c, const crowd *near, const float at[3])
{
    const float per_h = (float)(1 / c->sph->support);
    const bool cubic = c->kernel == RILL_CUBIC;
    float sum[LANES] = {0};
    for (uint32_t i = 0; i < near->count; i += LANES)
        for (uint32_t l = 0; l < LANES; l++) {
            const float x = near->x[i + l] - at[0], y = near->y[i + l] - at[1], z = near->z[i + l] - at[2];
            const float q = sqrtf(x * x + y * y + z * z) * per_h;
            sum[l] += cubic ? cubic_shape_f(q) : poly6_shape_f(q);
        }
    return c->scale * ((double)(sum[0] + sum[1]) + (double)(sum[2] + sum[3]));
}

/* The nodes of a cell, in steps. */
static uint64_t count_nodes(const counting *c, const crowd *near)
{
    uint64_t steps = 0;
    int k[3];
    for (k[2] = 0; near->count && k[2] < c->nodes[2]; k[2]++)
        for (k[1] = 0; k[1] < c->nodes[1]; k[1]++)
            for (k[0] = 0; k[0] < c->nodes[0]; k[0]++) {
                float at[3];
                for (int a = 0; a < 3; a++) at[a] = ((float)k[a] + 0.5f) * c->size[a] / (float)c->nodes[a];
                steps += (uint64_t)(fmin(colour_at(c, near, at), 1) * STEPS_OF_ONE + 0.5);
            }
    return steps;
}

static uint64_t count_cell(const counting *c, crowd *near, const int32_t cell[3], const around *r, bool *failed)
{
    if (!crowd_gather(near, c, cell, r)) *failed = true;
    return *failed ? 0 : count_nodes(c, near);
}

/* Liquid reaches into empty cells; each is counted by the first of its occupied neighbours. */
static uint64_t count_empty(const counting *c, crowd *near, uint32_t i, const around *own, bool *failed)
{
    uint64_t steps = 0;
    for (int k = 0; k < 27; k++) {
        int32_t cell[3] = {own->cell[k][0], own->cell[k][1], own->cell[k][2]};
        bool again = false;
        for (int before = 0; before < k; before++) again = again || !memcmp(own->cell[before], cell, sizeof cell);
        if (again || own->index[k] != UINT32_MAX || cell_at(c->sph, cell) != UINT32_MAX) continue;
        const around r = around_of(c->sph, cell);
        if (r.lowest == i) steps += count_cell(c, near, cell, &r, failed);
    }
    return steps;
}

static void count_block(void *context, size_t block, unsigned worker, rill_tally *tally)
{
    (void)worker;
    const counting *c = context;
    const rill_sph *sph = c->sph;
    const rill_cells *cells = &sph->liquid.cells;
    const uint32_t first = (uint32_t)block * CELL_BLOCK, wanted = first + CELL_BLOCK;
    const uint32_t last = wanted < cells->cell_count ? wanted : cells->cell_count;
    uint64_t steps = 0;
    crowd near = {0};
    bool failed = false;
    for (uint32_t i = first, row = rill_cells_row_of(cells, first); i < last && !failed; i++) {
        while (i >= cells->rows[row].last) row++;
        if (!rill_set_owns(&sph->liquid, cells->start[i])) continue; /* cells are of one owner each */
        const int32_t cell[3] = {cells->x[i], cells->rows[row].y, cells->rows[row].z};
        const around r = around_of(sph, cell);
        if (is_deep(sph, &r)) {
            steps += (uint64_t)c->nodes[0] * (uint64_t)c->nodes[1] * (uint64_t)c->nodes[2] * STEPS_OF_ONE;
            continue;
        }
        steps += count_cell(c, &near, cell, &r, &failed) + count_empty(c, &near, i, &r, &failed);
    }
    rill_buffer_free(&near.memory);
    tally->counts[COUNT_STEPS] += steps;
    tally->counts[COUNT_FAILED] += failed;
}

double rill_sph_volume(const rill_sph *sph)
{
    const rill_kernel kernel = rill_kernel_of_density(sph->kernel);
    counting c = {.sph = sph, .kernel = kernel, .scale = sph->volume * rill_kernel_scale(kernel, sph->support)};
    double node = 1;
    for (int a = 0; a < 3; a++) {
        const double size = 1 / sph->grid.per_cell[a];
        c.size[a] = (float)size;
        c.nodes[a] = (int)fmax(1, round(size / sph->diameter));
        node *= size / c.nodes[a];
    }
    const size_t blocks = (sph->liquid.cells.cell_count + CELL_BLOCK - 1) / CELL_BLOCK;
    const rill_tally found = rill_runner_tally(&sph->runner, blocks, count_block, &c);
    if (found.counts[COUNT_FAILED]) return NAN;
    return node * ((double)found.counts[COUNT_STEPS] / STEPS_OF_ONE);
}

/* The particles around a point. */
#include "fluid/near.h"

#include <math.h>

/* Cells around that of the point: so many to either side. */
typedef struct rings {
    int32_t middle[3], ring[3];
} rings;

static rings rings_of(const rill_grid *grid, const double at[3], double reach)
{
    /* One more than the reach, for what has moved since the sort. */
    const int32_t wanted = 1 + (int32_t)ceil(reach / grid->support);
    rings r;
    for (int a = 0; a < 3; a++) {
        r.middle[a] = rill_grid_cell(grid, a, rill_grid_wrap(grid, a, (float)at[a]));
        const int32_t n = grid->wrap[a];
        r.ring[a] = n && n < 2 * wanted + 1 ? n / 2 : wanted;
    }
    return r;
}

/* The particles of a cell; false where there is no such cell, or it comes a second time. */
static bool cell_particles(const rill_sph *sph, const rings *r, const int32_t cell[3], uint32_t *first, uint32_t *last)
{
    const rill_cells *cells = &sph->liquid.cells;
    int32_t n[3];
    for (int a = 0; a < 3; a++) {
        const int32_t wrap = sph->grid.wrap[a];
        n[a] = cell[a];
        if (!wrap) continue;
        /* On an even number of cells both ends of the ring are one cell. */
        if (2 * r->ring[a] == wrap && cell[a] == r->middle[a] + r->ring[a]) return false;
        n[a] = (n[a] + wrap) % wrap;
    }
    const rill_row *row = rill_cells_row(cells, n[1], n[2]);
    const uint32_t c = row ? rill_row_find(cells, row, n[0]) : 0;
    if (!row || c == row->last || cells->x[c] != n[0]) return false;
    *first = cells->start[c];
    *last = cells->start[c + 1];
    return true;
}

bool rill_near_visit(const rill_sph *sph, const double at[3], double reach, rill_near_each *each, void *user)
{
    const rings r = rings_of(&sph->grid, at, reach);
    const float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    int32_t c[3];
    for (c[2] = r.middle[2] - r.ring[2]; c[2] <= r.middle[2] + r.ring[2]; c[2]++)
        for (c[1] = r.middle[1] - r.ring[1]; c[1] <= r.middle[1] + r.ring[1]; c[1]++)
            for (c[0] = r.middle[0] - r.ring[0]; c[0] <= r.middle[0] + r.ring[0]; c[0]++) {
                uint32_t j, last;
                if (!cell_particles(sph, &r, c, &j, &last)) continue;
                for (; j < last; j++) {
                    double d[3], r2 = 0;
                    for (int a = 0; a < 3; a++) {
                        d[a] = rill_grid_nearest(&sph->grid, a, position[4 * (size_t)j + (size_t)a] - at[a]);
                        r2 += d[a] * d[a];
                    }
                    if (r2 < reach * reach && !each(user, j, d, r2)) return false;
                }
            }
    return true;
}

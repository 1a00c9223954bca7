/* Pebbles by cellular noise (Worley 1996, A cellular texture basis function): a point in each square of a grid, shifted
 * at random. A place belongs to the pebble of the nearest point; how much farther the second nearest is tells how far
 * the pebble's edge is. */
#include "render/gravel.h"

#include <math.h>

#include "base/hash.h"

enum { SIZE = 1024, PEBBLES = 34 };

/* Between 0 and 1, the same wherever the pattern repeats. */
static double chance(int x, int y, int purpose)
{
    const uint64_t cell = (uint64_t)((x + PEBBLES) % PEBBLES * PEBBLES + (y + PEBBLES) % PEBBLES);
    return (double)(rill_hash_add((uint64_t)purpose, cell) >> 40) / 0x1p24;
}

typedef struct pebble {
    int x, y;
    double edge;   /* 0 at the edge, growing inwards, in squares */
    double centre; /* distance from its point */
} pebble;

/* The point of a square, within it, and how large its pebble is. */
typedef struct seed {
    double x, y, size;
} seed;

static pebble pebble_at(const seed seeds[PEBBLES][PEBBLES], double u, double v)
{
    const int i = (int)floor(u), j = (int)floor(v);
    double first = 9, second = 9;
    pebble found = {0};
    for (int y = j - 2; y <= j + 2; y++) {
        for (int x = i - 2; x <= i + 2; x++) {
            const seed *s = &seeds[(x + PEBBLES) % PEBBLES][(y + PEBBLES) % PEBBLES];
            const double dx = x + s->x - u, dy = y + s->y - v;
            /* Larger pebbles are nearer than they are. */
            const double d = sqrt(dx * dx + dy * dy) / s->size;
            if (d < first) {
                second = first;
                first = d;
                found.x = x, found.y = y;
            } else if (d < second) {
                second = d;
            }
        }
    }
    found.edge = second - first;
    found.centre = first;
    return found;
}

bool rill_gravel_make(rill_picture *picture)
{
    /* Sandstone, slate, quartz, clay. */
    static const double stones[4][3] = {{0.30, 0.25, 0.18}, {0.19, 0.19, 0.18}, {0.38, 0.35, 0.30}, {0.27, 0.20, 0.15}};
    seed seeds[PEBBLES][PEBBLES];
    if (!rill_picture_create(picture, SIZE, SIZE)) return false;
    for (int x = 0; x < PEBBLES; x++)
        for (int y = 0; y < PEBBLES; y++)
            seeds[x][y] = (seed){chance(x, y, 1), chance(x, y, 2), 0.7 + 0.6 * chance(x, y, 3)};
    for (int y = 0; y < SIZE; y++) {
        for (int x = 0; x < SIZE; x++) {
            const pebble p = pebble_at(seeds, (x + 0.5) * PEBBLES / SIZE, (y + 0.5) * PEBBLES / SIZE);
            const double *stone = stones[(int)(3.999 * chance(p.x, p.y, 4))];
            const double rise = fmin(p.edge / 0.4, 1), shade = 0.3 + 0.7 * rise * (2 - rise);
            const double tone = shade * (0.75 + 0.5 * chance(p.x, p.y, 5)) * (1.06 - 0.15 * p.centre);
            float *rgb = picture->rgb + 3 * ((size_t)y * SIZE + (size_t)x);
            for (int k = 0; k < 3; k++) rgb[k] = (float)(tone * stone[k]);
        }
    }
    return true;
}

/* Whether every node of a block has a particle near. Most nodes have one so near
 * that the half of a cell along each axis in which it lies tells: these parts are
 * bits, a row of them along x is a word, and all nodes of a row are asked at once.
 * With places counted in parts, a part lies within R of a node when its far corner
 * does. So in the rows whose far edges are a and b away from the node's, across,
 * all count that are up to w away along x:
 *
 *   w^2 <= R^2 - a^2 - b^2
 *
 * The few nodes that this leaves in doubt are compared with every particle. Where
 * cells are small the parts are whole cells. */
#include <math.h>
#include <string.h>

#include "base/simd.h"
#include "surface/field.h"

extern rill_field_cover RILL_WIDE(rill_nodes_covered);

/* R rounded up to whole cells, in parts; rows of parts, by what they are modulo a cell. */
enum { R_MOST = 8, ROWS = 26, STEPS = 8 + 2 * R_MOST };

typedef struct cover {
    int parts, r, rows, steps;
    float square;                  /* R^2, a hair less */
    uint32_t word[ROWS][2][STEPS]; /* by z, y modulo a cell, y in cells; a bit for each part along x */
    uint32_t covered[8][8];        /* the nodes' bits */
} cover;

static void enter(cover *c, const rill_gathered *near)
{
    const float parts = (float)c->parts, r = (float)c->r;
    const int low = c->parts - 1;
    memset(c->word, 0, (size_t)c->rows * sizeof *c->word);
    for (uint32_t i = 0; i < near->count; i++) {
        /* Nothing lies farther than R before the first node, so cutting off rounds down. */
        const float *at = near->position + 4 * (size_t)i;
        const int x = (int)(at[0] * parts + r), y = (int)(at[1] * parts + r), z = (int)(at[2] * parts + r);
        c->word[z][y & low][y >> low] |= 1u << x;
    }
}

/* Bit x of a word becomes that of the node before part x: whether there are particles in the parts on either side, and
 * after every further round in those one farther. */
static void widen(cover *c, bool first)
{
    for (int z = 0; z < c->rows; z++)
        for (int m = 0; m < c->parts; m++)
            for (int j = 0; j < c->steps; j++) {
                const uint32_t word = c->word[z][m][j];
                c->word[z][m][j] = word << 1 | (first ? word : word >> 1);
            }
}

/* Marks nodes by the rows that lie y and z parts behind theirs. */
static void mark(cover *c, int y, int z)
{
    const int from = y + c->r, m = from & (c->parts - 1), step = from / c->parts;
    for (int node = 0; node < 8; node++)
        for (int j = 0; j < 8; j++)
            c->covered[node][j] |= c->word[c->parts * node + z + c->r][m][step + j];
}

static void mark_all(cover *c)
{
    memset(c->covered, 0, sizeof c->covered);
    for (int w = 1; w < c->r; w++) {
        widen(c, w == 1);
        for (int a = 1; a < c->r; a++)
            for (int b = 1; b < c->r; b++) {
                const float left = c->square - (float)(a * a + b * b);
                if ((float)(w * w) > left || (float)((w + 1) * (w + 1)) <= left) continue;
                mark(c, a - 1, b - 1);
                mark(c, -a, b - 1);
                mark(c, a - 1, -b);
                mark(c, -a, -b);
            }
    }
}

static bool is_near(const rill_gathered *near, float x, float y, float z, float square)
{
    for (uint32_t i = 0; i < near->count; i += RILL_WIDTH) {
        const vrec p = vrec_load(near->position + 4 * (size_t)i);
        const vf dx = p.x - x, dy = p.y - y, dz = p.z - z;
        if (simd_below(dx * dx + dy * dy + dz * dz, vf_set(square)) & simd_first(near->count - i)) return true;
    }
    return false;
}

bool RILL_WIDE(rill_nodes_covered)(const rill_gathered *near, float reach)
{
    cover c = {.parts = reach < 3 ? 2 : 1};
    c.r = c.parts * (int)ceilf(reach);
    c.rows = 7 * c.parts + 2 * c.r;
    c.steps = 8 + 2 * c.r / c.parts;
    c.square = 0.9999f * reach * reach * (float)(c.parts * c.parts);
    if (c.r > R_MOST) c.r = 0;
    if (c.r) enter(&c, near);
    mark_all(&c);
    uint32_t nodes = 0;
    for (int x = 0; x < 8; x++) nodes |= 1u << (c.parts * x + c.r);
    for (int z = 0; z < 8; z++)
        for (int y = 0; y < 8; y++)
            for (uint32_t left = nodes & ~c.covered[z][y]; left; left &= left - 1) {
                const int x = (__builtin_ctz(left) - c.r) / c.parts;
                if (!is_near(near, (float)x, (float)y, (float)z, reach * reach)) return false;
            }
    return true;
}

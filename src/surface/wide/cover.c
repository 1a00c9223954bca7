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

#include "base/simd.h"
#include "surface/field.h"

extern rill_field_cover RILL_WIDE(rill_nodes_covered);

/* The most that R, rounded up to whole cells, may be; rows of parts, and steps of a cell among them. */
enum { R_MOST = 8, ROWS = 26, STEPS = 8 + 2 * R_MOST };

typedef struct cover {
    int parts, r, rows, steps;     /* of a cell; R in parts */
    float square;                  /* R^2 */
    uint32_t word[ROWS][2][STEPS]; /* by z, y modulo a cell, y in cells; a bit for each part along x */
    uint32_t covered[8][8];        /* the nodes' bits */
} cover;

/* Particles near a block, in parts from R before its first node. */
typedef struct nearby {
    float *x, *y, *z;
    uint32_t count;
} nearby;

/* What is left of the origin in single precision is taken off in a second step, so that far from zero nothing is
 * lost. */
typedef struct scale {
    float origin[3], rest[3], per_part, r, rows;
} scale;

RILL_INLINE vf parts_of(const scale *s, vf x, int axis)
{
    return ((x - s->origin[axis]) - s->rest[axis]) * s->per_part + s->r;
}

static void gather_run(const scale *s, const rill_points *points, rill_span run, nearby *near)
{
    for (uint32_t i = run.begin; i < run.end; i += RILL_WIDTH) {
        const vrec p = vrec_load(points->position + 4 * (size_t)i);
        const vf x = parts_of(s, p.x, 0), y = parts_of(s, p.y, 1), z = parts_of(s, p.z, 2);
        const uint32_t bits = simd_below(vf_max(vf_max(x, y), z), vf_set(s->rows)) &
                              ~simd_below(vf_min(vf_min(x, y), z), (vf){0}) & simd_first(run.end - i);
        vf_store(near->x + near->count, (vf)vu_compress((vu)x, bits));
        vf_store(near->y + near->count, (vf)vu_compress((vu)y, bits));
        vf_store(near->z + near->count, (vf)vu_compress((vu)z, bits));
        near->count += simd_count(bits);
    }
}

static void enter(cover *c, const nearby *near)
{
    const int low = c->parts - 1;
    for (uint32_t i = 0; i < near->count; i++) {
        const int x = (int)near->x[i], y = (int)near->y[i], z = (int)near->z[i];
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
    const float square = 0.999f * c->square; /* whatever rounding does */
    for (int w = 1; w < c->r; w++) {
        widen(c, w == 1);
        for (int a = 1; a < c->r; a++)
            for (int b = 1; b < c->r; b++) {
                const float left = square - (float)(a * a + b * b);
                if ((float)(w * w) > left || (float)((w + 1) * (w + 1)) <= left) continue;
                mark(c, a - 1, b - 1);
                mark(c, -a, b - 1);
                mark(c, a - 1, -b);
                mark(c, -a, -b);
            }
    }
}

/* None where R is beyond all words. */
static uint32_t node_bit(const cover *c, int x)
{
    return c->r <= R_MOST ? 1u << (c->parts * x + c->r) : 0;
}

static bool is_near(const cover *c, const nearby *near, int x, int y, int z)
{
    const float at[3] = {(float)(c->parts * x + c->r), (float)(c->parts * y + c->r), (float)(c->parts * z + c->r)};
    for (uint32_t i = 0; i < near->count; i += RILL_WIDTH) {
        const vf dx = vf_load(near->x + i) - at[0], dy = vf_load(near->y + i) - at[1];
        const vf dz = vf_load(near->z + i) - at[2];
        if (simd_below(dx * dx + dy * dy + dz * dz, vf_set(c->square)) & simd_first(near->count - i)) return true;
    }
    return false;
}

bool RILL_WIDE(rill_nodes_covered)(rill_rows box, size_t held, const double origin[3], double cell, float reach,
                                   float *scratch)
{
    cover c = {.parts = reach < 3 ? 2 : 1}; /* and no bit set */
    c.r = c.parts * (int)ceilf(reach);
    c.rows = 7 * c.parts + 2 * c.r;
    c.steps = 8 + 2 * c.r / c.parts;
    c.square = reach * reach * (float)(c.parts * c.parts);
    scale s = {.per_part = (float)(c.parts / cell), .r = (float)c.r, .rows = (float)c.rows};
    for (int a = 0; a < 3; a++) {
        s.origin[a] = (float)origin[a];
        s.rest[a] = (float)(origin[a] - (double)s.origin[a]);
    }
    uint32_t nodes = 0;
    for (int x = 0; x < 8; x++) nodes |= node_bit(&c, x);
    const size_t room = held + RILL_COVER_SLACK;
    nearby near = {scratch, scratch + room, scratch + 2 * room, 0};
    while (rill_rows_next(&box)) gather_run(&s, box.points, box.run, &near);
    if (c.r <= R_MOST) {
        enter(&c, &near);
        mark_all(&c);
    }
    for (int z = 0; z < 8; z++)
        for (int y = 0; y < 8; y++) {
            if (nodes && (c.covered[z][y] & nodes) == nodes) continue;
            for (int x = 0; x < 8; x++)
                if (!(c.covered[z][y] & node_bit(&c, x)) && !is_near(&c, &near, x, y, z)) return false;
        }
    return true;
}

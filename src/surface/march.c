/* Marching over the sparse grid. A vertex belongs to a cut edge of the lattice,
 * the edge to its lower node and so to one block, which makes the vertex. Its
 * number follows from the cut edges before it in the block, counted in bits, so
 * a cell finds the vertices of neighbouring blocks without any table of them. */
#include "surface/march.h"

#include <math.h>
#include <string.h>

/* A vertex keeps this share of its edge away from both nodes, so that triangles around a node do not collapse. */
static const float END_GAP = 1e-3f;

enum { PAD = 11 }; /* nodes of a block with one before and two behind, along an axis */

typedef struct march {
    const rill_sparse *sparse;
    rill_lattice lattice;
    rill_march_table table;
    uint32_t *block;          /* with values: which of the grid's */
    uint32_t *place;          /* the other way round */
    uint32_t count;
    uint64_t *cut;            /* per block, kind and layer: the cut edges */
    uint16_t *before;         /* per block, kind and layer: cut edges of the block before these */
    size_t *first_vertex;     /* one more at the end */
    size_t *first_triangle;
    rill_mesh *mesh;
} march;

/* Signs of the nodes of a block and of those right behind it, nine bits a row. */
typedef struct signs {
    unsigned row[9][9]; /* [z][y] */
} signs;

static signs signs_of(const rill_sparse *sparse, const uint32_t around[27])
{
    signs s;
    for (unsigned z = 0; z < 9; z++)
        for (unsigned y = 0; y < 9; y++) {
            const uint32_t *row = around + 9 * (1 + z / 8) + 3 * (1 + y / 8);
            s.row[z][y] = rill_sparse_row(sparse, row[1], y & 7, z & 7) |
                          (rill_sparse_row(sparse, row[2], y & 7, z & 7) & 1) << 8;
        }
    return s;
}

/* One bit for each corner. */
static unsigned cell_case(const signs *s, unsigned x, unsigned y, unsigned z)
{
    return (s->row[z][y] >> x & 3) | (s->row[z][y + 1] >> x & 3) << 2 | (s->row[z + 1][y] >> x & 3) << 4 |
           (s->row[z + 1][y + 1] >> x & 3) << 6;
}

/* The cells of a row along x whose corners differ. */
static unsigned mixed_cells(const signs *s, unsigned y, unsigned z)
{
    const unsigned a = s->row[z][y], b = s->row[z][y + 1], c = s->row[z + 1][y], d = s->row[z + 1][y + 1];
    const unsigned any = a | b | c | d, all = a & b & c & d;
    return (any | any >> 1) & ~(all & all >> 1) & 255;
}

static void count_block(void *context, size_t i, unsigned worker)
{
    (void)worker;
    march *m = context;
    const unsigned kinds = m->table.kinds;
    uint64_t *cut = m->cut + i * kinds * 8;
    uint16_t *before = m->before + i * kinds * 8;
    uint32_t around[27];
    rill_sparse_around(m->sparse, m->block[i], around);
    const signs s = signs_of(m->sparse, around);
    unsigned vertices = 0, triangles = 0;
    for (unsigned k = 0; k < kinds; k++) {
        const unsigned dx = m->table.axes[k] & 1, dy = m->table.axes[k] >> 1 & 1, dz = m->table.axes[k] >> 2;
        for (unsigned z = 0; z < 8; z++) {
            uint64_t bits = 0;
            for (unsigned y = 0; y < 8; y++)
                bits |= (uint64_t)((s.row[z][y] ^ s.row[z + dz][y + dy] >> dx) & 255) << 8 * y;
            cut[8 * k + z] = bits;
            before[8 * k + z] = (uint16_t)vertices;
            vertices += (unsigned)__builtin_popcountll(bits);
        }
    }
    for (unsigned z = 0; z < 8; z++)
        for (unsigned y = 0; y < 8; y++)
            for (unsigned cells = mixed_cells(&s, y, z); cells; cells &= cells - 1)
                triangles += m->table.count[cell_case(&s, (unsigned)__builtin_ctz(cells), y, z)];
    m->first_vertex[i + 1] = vertices;
    m->first_triangle[i + 1] = triangles;
}

/* ---- vertices ---- */

/* Values at nodes -1 to 9 along each axis; NaN where there is none. */
static void pad_values(const march *m, const uint32_t around[27], float *pad)
{
    for (unsigned z = 0; z < PAD; z++)
        for (unsigned y = 0; y < PAD; y++) {
            const unsigned nz = z + 7, ny = y + 7; /* counted from the block before */
            for (unsigned b = 0; b < 3; b++) {
                const uint32_t block = around[9 * (nz / 8) + 3 * (ny / 8) + b];
                const float *value = block == UINT32_MAX ? NULL : m->sparse->blocks[block].value;
                const unsigned from = b == 0 ? 7 : 0, count = b == 0 ? 1 : b == 1 ? 8 : 2;
                float *to = pad + PAD * (PAD * z + y) + (b == 0 ? 0 : b == 1 ? 1 : 9);
                for (unsigned x = 0; x < count; x++)
                    to[x] = value ? value[64 * (nz & 7) + 8 * (ny & 7) + from + x] : NAN;
            }
        }
}

/* The slope along an axis, per cell, central where both neighbours are known. */
static float slope(const float *at, ptrdiff_t step)
{
    const float up = at[step] - at[0], down = at[0] - at[-step];
    if (isnan(up)) return isnan(down) ? 0 : down;
    return isnan(down) ? up : 0.5f * (up + down);
}

/* Outwards, against the gradient, which is interpolated between the ends of the edge. */
static void make_normal(const float *from, const float *to, float t, const int axes[3], float *normal)
{
    static const ptrdiff_t step[3] = {1, PAD, PAD * PAD};
    float n[3], sum = 0;
    for (int a = 0; a < 3; a++) {
        n[a] = -((1 - t) * slope(from, step[a]) + t * slope(to, step[a]));
        sum += n[a] * n[a];
    }
    if (!(sum > 1e-30f) || !(sum < 1e30f)) {
        sum = 0;
        for (int a = 0; a < 3; a++) {
            n[a] = (float)(*from > 0 ? axes[a] : -axes[a]);
            sum += n[a] * n[a];
        }
    }
    for (int a = 0; a < 3; a++) normal[a] = n[a] / sqrtf(sum);
}

static void make_vertices(const march *m, size_t i, const float *pad)
{
    const rill_block *b = &m->sparse->blocks[m->block[i]];
    size_t v = m->first_vertex[i];
    for (unsigned k = 0; k < m->table.kinds; k++) {
        const unsigned mask = m->table.axes[k];
        const int axes[3] = {mask & 1, mask >> 1 & 1, (int)(mask >> 2)};
        const ptrdiff_t step = axes[0] + PAD * (axes[1] + PAD * axes[2]);
        for (unsigned z = 0; z < 8; z++)
            for (uint64_t bits = m->cut[(8 * i * m->table.kinds) + 8 * k + z]; bits; bits &= bits - 1, v++) {
                const unsigned n = (unsigned)__builtin_ctzll(bits);
                const unsigned node[3] = {n & 7, n >> 3, z};
                const float *from = pad + (node[0] + 1) + PAD * ((node[1] + 1) + PAD * (node[2] + 1));
                float t = from[0] / (from[0] - from[step]);
                t = !(t > END_GAP) ? END_GAP : t > 1 - END_GAP ? 1 - END_GAP : t;
                for (int a = 0; a < 3; a++) {
                    const double index = (double)b->at[a] * RILL_BLOCK_EDGE + node[a];
                    m->mesh->position[3 * v + (size_t)a] =
                        (float)(m->lattice.origin[a] + m->lattice.cell * (index + (double)(t * (float)axes[a])));
                }
                make_normal(from, from + step, t, axes, m->mesh->normal + 3 * v);
            }
    }
}

/* ---- triangles ---- */

static uint32_t vertex_of(const march *m, const uint32_t around[27], rill_cell_edge edge, const unsigned cell[3])
{
    const unsigned from = rill_cell_edge_from(edge), k = m->table.kind[rill_cell_edge_axes(edge)];
    const unsigned x = cell[0] + (from & 1), y = cell[1] + (from >> 1 & 1), z = cell[2] + (from >> 2);
    const size_t i = m->place[around[9 * (1 + z / 8) + 3 * (1 + y / 8) + 1 + x / 8]];
    const size_t layer = 8 * (i * m->table.kinds + k) + (z & 7);
    const uint64_t below = m->cut[layer] & (((uint64_t)1 << (8 * (y & 7) + (x & 7))) - 1);
    return (uint32_t)(m->first_vertex[i] + m->before[layer] + (unsigned)__builtin_popcountll(below));
}

static void make_triangles(const march *m, size_t i, const uint32_t around[27])
{
    const signs s = signs_of(m->sparse, around);
    uint32_t *out = m->mesh->triangle + 3 * m->first_triangle[i];
    for (unsigned z = 0; z < 8; z++)
        for (unsigned y = 0; y < 8; y++)
            for (unsigned cells = mixed_cells(&s, y, z); cells; cells &= cells - 1) {
                const unsigned cell[3] = {(unsigned)__builtin_ctz(cells), y, z};
                const unsigned inside = cell_case(&s, cell[0], y, z);
                for (unsigned t = 0; t < m->table.count[inside]; t++)
                    for (unsigned k = 0; k < 3; k++)
                        *out++ = vertex_of(m, around, m->table.triangle[inside][t][k], cell);
            }
}

static void make_block(void *context, size_t i, unsigned worker)
{
    (void)worker;
    const march *m = context;
    const bool vertices = m->first_vertex[i + 1] > m->first_vertex[i];
    const bool triangles = m->first_triangle[i + 1] > m->first_triangle[i];
    if (!vertices && !triangles) return;
    uint32_t around[27];
    rill_sparse_around(m->sparse, m->block[i], around);
    if (vertices) {
        float pad[PAD * PAD * PAD];
        pad_values(m, around, pad);
        make_vertices(m, i, pad);
    }
    if (triangles) make_triangles(m, i, around);
}

/* ---- the whole ---- */

static bool march_begin(march *m)
{
    const rill_sparse *sparse = m->sparse;
    m->place = rill_malloc((size_t)sparse->count * sizeof *m->place + 1);
    m->block = rill_malloc((size_t)sparse->stored * sizeof *m->block + 1);
    if (!m->place || !m->block) return false;
    for (uint32_t b = 0; b < sparse->count; b++) {
        m->place[b] = UINT32_MAX;
        if (sparse->blocks[b].state != RILL_BLOCK_VALUES) continue;
        m->place[b] = m->count;
        m->block[m->count++] = b;
    }
    const size_t layers = (size_t)m->count * m->table.kinds * 8;
    m->cut = rill_malloc(layers * sizeof *m->cut + 1);
    m->before = rill_malloc(layers * sizeof *m->before + 1);
    m->first_vertex = rill_calloc((size_t)m->count + 1, sizeof *m->first_vertex);
    m->first_triangle = rill_calloc((size_t)m->count + 1, sizeof *m->first_triangle);
    return m->cut && m->before && m->first_vertex && m->first_triangle;
}

static void march_end(march *m)
{
    rill_free(m->place);
    rill_free(m->block);
    rill_free(m->cut);
    rill_free(m->before);
    rill_free(m->first_vertex);
    rill_free(m->first_triangle);
}

static rill_status mesh_reserve(const march *m, rill_error *err)
{
    const size_t vertices = m->first_vertex[m->count], triangles = m->first_triangle[m->count];
    rill_mesh *mesh = m->mesh;
    if (vertices > UINT32_MAX)
        return rill_fail(err, RILL_BAD_INPUT,
                         "The surface would have %zu vertices, more than %u can be numbered; use larger cells.",
                         vertices, UINT32_MAX);
    const size_t bytes = 24 * vertices + 12 * triangles;
    if (m->sparse->limit && rill_sparse_bytes(m->sparse) + bytes > m->sparse->limit)
        return rill_fail(err, RILL_NO_MEMORY,
                         "There is no memory for a surface of %zu triangles (%.1f MB); use larger cells.", triangles,
                         (double)bytes / 1e6);
    mesh->position = rill_malloc(3 * vertices * sizeof *mesh->position + 1);
    mesh->normal = rill_malloc(3 * vertices * sizeof *mesh->normal + 1);
    mesh->triangle = rill_malloc(3 * triangles * sizeof *mesh->triangle + 1);
    if (!mesh->position || !mesh->normal || !mesh->triangle)
        return rill_memory_fail(err, bytes, "the surface");
    mesh->vertex_count = vertices;
    mesh->triangle_count = triangles;
    return RILL_OK;
}

static rill_status march_run(march *m, const rill_scheduler *scheduler, rill_error *err)
{
    if (!march_begin(m)) return rill_memory_fail(err, (size_t)m->sparse->stored * 400, "the edges of the surface");
    rill_parallel_for(scheduler, m->count, count_block, m);
    for (uint32_t i = 0; i < m->count; i++) {
        m->first_vertex[i + 1] += m->first_vertex[i];
        m->first_triangle[i + 1] += m->first_triangle[i];
    }
    const rill_status status = mesh_reserve(m, err);
    if (status) return status;
    rill_parallel_for(scheduler, m->count, make_block, m);
    return RILL_OK;
}

rill_status rill_march(const rill_sparse *sparse, const rill_lattice *lattice, rill_surface_method method,
                       const rill_scheduler *scheduler, rill_mesh *mesh, rill_error *err)
{
    march m = {.sparse = sparse, .lattice = *lattice, .mesh = mesh};
    rill_march_table_make(&m.table, method);
    const rill_status status = march_run(&m, scheduler, err);
    march_end(&m);
    return status;
}

/* Meshes: their end, their volume and area, the pieces they fall into. */
#include "surface/mesh.h"

#include <math.h>

#include "base/memory.h"

static void values_free(rill_values *values, uint32_t count)
{
    for (uint32_t i = 0; values && i < count; i++) rill_free(values[i].data);
    rill_free(values);
}

void rill_mesh_free(rill_mesh *mesh)
{
    if (!mesh) return;
    rill_free(mesh->position);
    rill_free(mesh->normal);
    rill_free(mesh->triangle);
    values_free(mesh->values, mesh->value_count);
    *mesh = (rill_mesh){0};
}

void rill_particles_free(rill_particles *particles)
{
    if (!particles) return;
    rill_free(particles->position);
    values_free(particles->values, particles->value_count);
    *particles = (rill_particles){0};
}

enum { BLOCK = 16384 };

typedef struct measuring {
    const rill_mesh *mesh;
    double origin[3];
    rill_mesh_size *size;
} measuring;

/* Tetrahedra from one vertex of the mesh to every triangle: far from the origin nothing is lost. */
static void measure_block(void *context, size_t block, unsigned worker)
{
    (void)worker;
    const measuring *m = context;
    const size_t begin = block * BLOCK, count = m->mesh->triangle_count;
    const size_t end = begin + BLOCK < count ? begin + BLOCK : count;
    rill_mesh_size sum = {0};
    for (size_t t = begin; t < end; t++) {
        double p[3][3], n[3];
        for (size_t k = 0; k < 3; k++)
            for (size_t a = 0; a < 3; a++)
                p[k][a] = (double)m->mesh->position[3 * (size_t)m->mesh->triangle[3 * t + k] + a] - m->origin[a];
        for (int a = 0; a < 3; a++) {
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            n[a] = (p[1][b] - p[0][b]) * (p[2][c] - p[0][c]) - (p[1][c] - p[0][c]) * (p[2][b] - p[0][b]);
        }
        sum.volume += (p[0][0] * n[0] + p[0][1] * n[1] + p[0][2] * n[2]) / 6;
        sum.area += sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 2;
    }
    m->size[block] = sum;
}

rill_status rill_mesh_measure(const rill_mesh *mesh, const rill_scheduler *scheduler, rill_mesh_size *size,
                              rill_error *err)
{
    const size_t blocks = (mesh->triangle_count + BLOCK - 1) / BLOCK;
    *size = (rill_mesh_size){0};
    if (!blocks) return RILL_OK;
    measuring m = {.mesh = mesh, .size = rill_malloc(blocks * sizeof *m.size)};
    if (!m.size) return rill_memory_fail(err, blocks * sizeof *m.size, "measuring the surface");
    for (size_t a = 0; a < 3; a++) m.origin[a] = (double)mesh->position[3 * (size_t)mesh->triangle[0] + a];
    rill_parallel_for(scheduler, blocks, measure_block, &m);
    for (size_t b = 0; b < blocks; b++) {
        size->volume += m.size[b].volume;
        size->area += m.size[b].area;
    }
    rill_free(m.size);
    return RILL_OK;
}

uint32_t *rill_mesh_label(const rill_mesh *mesh, size_t *pieces)
{
    const size_t count = mesh->vertex_count;
    uint32_t *label = rill_malloc(count * sizeof *label + 1);
    *pieces = 0;
    if (!label) return NULL;
    for (size_t v = 0; v < count; v++) label[v] = RILL_NO_PIECE;
    for (size_t i = 0; i < 3 * mesh->triangle_count; i++) label[mesh->triangle[i]] = mesh->triangle[i];
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *v = mesh->triangle + 3 * t;
        rill_forest_join(label, v[0], v[1]);
        rill_forest_join(label, v[0], v[2]);
    }
    /* A parent is never above its child, so roots are numbered before anyone asks for their number. */
    for (size_t v = 0; v < count; v++)
        if (label[v] != RILL_NO_PIECE) label[v] = rill_forest_root(label, (uint32_t)v);
    for (size_t v = 0; v < count; v++)
        if (label[v] != RILL_NO_PIECE) label[v] = label[v] == v ? (uint32_t)(*pieces)++ : label[label[v]];
    return label;
}

rill_status rill_mesh_pieces(const rill_mesh *mesh, size_t *pieces, rill_error *err)
{
    uint32_t *label = rill_mesh_label(mesh, pieces);
    if (!label)
        return rill_memory_fail(err, mesh->vertex_count * sizeof *label, "the pieces of the surface");
    rill_free(label);
    return RILL_OK;
}

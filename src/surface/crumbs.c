/* Closed pieces of a mesh that are neither liquid nor a bubble. A field sums over all particles in reach, so between
 * some that lie apart it may pass the level at a node or two: the distance to their mean is short in the middle of
 * them, and a few densities add up. Such a speck holds no particle, and the particles around it have its liquid
 * already. Deep in the liquid a single node may lie just outside: a cavity of a hundredth of a particle, which is no
 * bubble. */
#include "surface/crumbs.h"

#include <math.h>

#include "base/memory.h"

/* Pieces wider than this, in diameters, hold particles. */
static const double CRUMB_MAX = 4;

/* Drops and bubbles hold more than this of a particle's volume: one particle alone has 0.8 and more of it. */
static const double VOLUME_MIN = 0.1;

typedef struct piece {
    float low[3], high[3];
    double volume;
    bool small; /* it may be a crumb */
    bool empty; /* no particle lies in it */
} piece;

static const float *vertex_at(const rill_mesh *mesh, size_t vertex)
{
    return mesh->position + 3 * vertex;
}

static void boxes_find(const rill_mesh *mesh, const uint32_t *label, piece *pieces, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        pieces[i] = (piece){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0, false, false};
    }
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        if (label[v] == RILL_NO_PIECE) continue;
        piece *p = &pieces[label[v]];
        const float *x = vertex_at(mesh, v);
        for (int a = 0; a < 3; a++) {
            p->low[a] = x[a] < p->low[a] ? x[a] : p->low[a];
            p->high[a] = x[a] > p->high[a] ? x[a] : p->high[a];
        }
    }
}

static bool is_small(const piece *p, double most)
{
    for (int a = 0; a < 3; a++)
        if ((double)p->high[a] - (double)p->low[a] > most) return false;
    return true;
}

static bool holds_particle(const piece *p, const rill_points *points, double margin)
{
    double low[3], high[3];
    for (int a = 0; a < 3; a++) {
        low[a] = (double)p->low[a] - margin;
        high[a] = (double)p->high[a] + margin;
    }
    rill_span runs[RILL_RUNS];
    const unsigned count = rill_points_runs(points, low, high, runs);
    for (unsigned r = 0; r < count; r++) {
        for (uint32_t i = runs[r].begin; i < runs[r].end; i++) {
            const float *x = points->position + 4 * (size_t)i;
            bool within = true;
            for (int a = 0; a < 3; a++) within = within && (double)x[a] >= low[a] && (double)x[a] <= high[a];
            if (within) return true;
        }
    }
    return false;
}

/* The volumes of small pieces, from a corner of each; those of cavities are negative. */
static void volumes_sum(const rill_mesh *mesh, const uint32_t *label, piece *pieces)
{
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        piece *p = &pieces[label[mesh->triangle[3 * t]]];
        if (!p->small) continue;
        double x[3][3];
        for (size_t k = 0; k < 3; k++)
            for (size_t a = 0; a < 3; a++)
                x[k][a] = (double)(vertex_at(mesh, mesh->triangle[3 * t + k])[a] - p->low[a]);
        for (int a = 0; a < 3; a++) {
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            p->volume += x[0][a] * (x[1][b] * x[2][c] - x[1][c] * x[2][b]) / 6;
        }
    }
}

static bool is_crumb(const piece *p, double particle)
{
    return p->small && ((p->empty && p->volume > 0) || fabs(p->volume) < VOLUME_MIN * particle);
}

/* Closes up the vertices that stay; their labels become their new numbers. */
static void mesh_shrink(rill_mesh *mesh, uint32_t *label, const piece *pieces, double particle)
{
    size_t vertices = 0, triangles = 0;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        const bool stays = label[v] != RILL_NO_PIECE && !is_crumb(&pieces[label[v]], particle);
        for (size_t a = 0; a < 3 && stays; a++) {
            mesh->position[3 * vertices + a] = mesh->position[3 * v + a];
            mesh->normal[3 * vertices + a] = mesh->normal[3 * v + a];
        }
        label[v] = stays ? (uint32_t)vertices++ : RILL_NO_PIECE;
    }
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        if (label[mesh->triangle[3 * t]] == RILL_NO_PIECE) continue;
        for (size_t k = 0; k < 3; k++) mesh->triangle[3 * triangles + k] = label[mesh->triangle[3 * t + k]];
        triangles++;
    }
    mesh->vertex_count = vertices;
    mesh->triangle_count = triangles;
}

rill_status rill_crumbs_drop(rill_mesh *mesh, const rill_points *points, double margin, size_t *left, rill_error *err)
{
    const double particle = points->diameter * points->diameter * points->diameter;
    size_t count, small = 0, crumbs = 0;
    uint32_t *label = rill_mesh_label(mesh, &count);
    piece *pieces = label ? rill_malloc(count * sizeof *pieces + 1) : NULL;
    if (!pieces) {
        rill_free(label);
        return rill_memory_fail(err, mesh->vertex_count * sizeof *label, "the pieces of the surface");
    }
    boxes_find(mesh, label, pieces, count);
    for (size_t i = 0; i < count; i++) {
        pieces[i].small = is_small(&pieces[i], CRUMB_MAX * points->diameter - 2 * margin);
        pieces[i].empty = pieces[i].small && !holds_particle(&pieces[i], points, margin);
        small += pieces[i].small;
    }
    if (small) volumes_sum(mesh, label, pieces);
    for (size_t i = 0; i < count; i++) crumbs += is_crumb(&pieces[i], particle);
    if (crumbs) mesh_shrink(mesh, label, pieces, particle);
    *left = count - crumbs;
    rill_free(pieces);
    rill_free(label);
    return RILL_OK;
}

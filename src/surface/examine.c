/* Looks for everything that keeps a mesh from being the boundary of a body. An
 * edge is judged at its lower vertex, from the triangles around that vertex. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "surface/mesh.h"

/* A side of a triangle at a vertex: to or from another vertex. */
typedef struct side {
    uint32_t other, fan; /* which of the triangles around the vertex */
    bool leaves;
} side;

typedef struct around {
    size_t *first;   /* per vertex: its triangles, one more at the end */
    size_t *triangle;
    side *sides;     /* of one vertex */
    uint32_t *fans;  /* forest of its triangles */
} around;

static bool repeats(const uint32_t *v)
{
    return v[0] == v[1] || v[1] == v[2] || v[0] == v[2];
}

static void around_free(around *a)
{
    rill_free(a->first);
    rill_free(a->triangle);
    rill_free(a->sides);
    rill_free(a->fans);
}

/* Triangles by vertex; those with a vertex twice are left out. */
static bool around_make(around *a, const rill_mesh *mesh)
{
    const size_t vertices = mesh->vertex_count;
    size_t most = 0;
    a->first = rill_calloc(vertices + 2, sizeof *a->first);
    a->triangle = rill_malloc(3 * mesh->triangle_count * sizeof *a->triangle + 1);
    if (!a->first || !a->triangle) return false;
    for (size_t t = 0; t < mesh->triangle_count; t++)
        for (size_t k = 0; k < 3 && !repeats(mesh->triangle + 3 * t); k++) a->first[mesh->triangle[3 * t + k] + 2]++;
    for (size_t v = 0; v < vertices; v++) {
        if (a->first[v + 2] > most) most = a->first[v + 2];
        a->first[v + 2] += a->first[v + 1];
    }
    for (size_t t = 0; t < mesh->triangle_count; t++)
        for (size_t k = 0; k < 3 && !repeats(mesh->triangle + 3 * t); k++)
            a->triangle[a->first[mesh->triangle[3 * t + k] + 1]++] = t;
    a->sides = rill_malloc(2 * most * sizeof *a->sides + 1);
    a->fans = rill_malloc(most * sizeof *a->fans + 1);
    return a->sides && a->fans;
}

static int side_compare(const void *a, const void *b)
{
    const side *x = a, *y = b;
    return x->other != y->other ? (x->other > y->other) - (x->other < y->other) : (x->fan > y->fan) - (x->fan < y->fan);
}

/* Most vertices have six triangles: insertion beats a call for every comparison. */
static void sides_sort(side *sides, size_t count)
{
    if (count > 64) {
        qsort(sides, count, sizeof *sides, side_compare);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        const side s = sides[i];
        size_t k = i;
        for (; k && side_compare(&sides[k - 1], &s) > 0; k--) sides[k] = sides[k - 1];
        sides[k] = s;
    }
}

/* Counts the faults at a vertex; returns the edges to higher vertices. */
static size_t examine_vertex(const rill_mesh *mesh, around *a, uint32_t v, rill_mesh_check *check)
{
    const size_t begin = a->first[v], fans = a->first[v + 1] - begin;
    size_t edges = 0, trees = 0;
    for (size_t f = 0; f < fans; f++) {
        const uint32_t *corner = mesh->triangle + 3 * a->triangle[begin + f];
        const int k = corner[0] == v ? 0 : corner[1] == v ? 1 : 2;
        a->sides[2 * f] = (side){corner[(k + 1) % 3], (uint32_t)f, true};
        a->sides[2 * f + 1] = (side){corner[(k + 2) % 3], (uint32_t)f, false};
        a->fans[f] = (uint32_t)f;
    }
    sides_sort(a->sides, 2 * fans);
    for (size_t i = 0, end; i < 2 * fans; i = end) {
        size_t leaves = 0;
        for (end = i; end < 2 * fans && a->sides[end].other == a->sides[i].other; end++) {
            leaves += a->sides[end].leaves;
            rill_forest_join(a->fans, a->sides[i].fan, a->sides[end].fan);
        }
        if (a->sides[i].other < v) continue;
        edges++;
        check->boundary_edges += end - i == 1;
        check->crowded_edges += end - i > 2;
        check->twisted_edges += end - i == 2 && leaves != 1;
    }
    for (size_t f = 0; f < fans; f++) trees += a->fans[f] == f;
    check->pinched_vertices += trees > 1;
    return edges;
}

rill_status rill_mesh_examine(const rill_mesh *mesh, rill_mesh_check *check, rill_error *err)
{
    memset(check, 0, sizeof *check);
    for (size_t i = 0; i < 3 * mesh->triangle_count; i++)
        if (mesh->triangle[i] >= mesh->vertex_count)
            return rill_fail(err, RILL_BAD_INPUT, "Triangle %zu has vertex %u, but there are only %zu.", i / 3,
                             mesh->triangle[i], mesh->vertex_count);
    rill_mesh_size size;
    around a = {0};
    rill_status status = rill_mesh_measure(mesh, &rill_serial, &size, err);
    if (!status) status = rill_mesh_pieces(mesh, &check->pieces, err);
    if (!status && !around_make(&a, mesh))
        status = rill_memory_fail(err, 24 * mesh->triangle_count + 8 * mesh->vertex_count, "examining the surface");
    if (!status) {
        size_t edges = 0;
        for (size_t v = 0; v < mesh->vertex_count; v++) edges += examine_vertex(mesh, &a, (uint32_t)v, check);
        for (size_t t = 0; t < mesh->triangle_count; t++) check->degenerate += repeats(mesh->triangle + 3 * t);
        const size_t triangles = mesh->triangle_count - check->degenerate;
        check->euler = (int64_t)mesh->vertex_count - (int64_t)edges + (int64_t)triangles;
        check->volume = size.volume;
        check->area = size.area;
    }
    around_free(&a);
    return status;
}

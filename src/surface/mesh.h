/* What several stages need to know of a mesh. */
#ifndef RILL_SURFACE_MESH_H
#define RILL_SURFACE_MESH_H

#include "run/threads.h"
#include "rill/surface.h"

/* Summed block by block, so that the bits do not depend on the threads. */
typedef struct rill_mesh_size {
    double volume, area;
} rill_mesh_size;
rill_status rill_mesh_measure(const rill_mesh *mesh, const rill_scheduler *scheduler, rill_mesh_size *size,
                              rill_error *err);

/* Of each vertex which of the connected pieces it belongs to, numbered in the order of their first vertices;
 * RILL_NO_PIECE where it is in no triangle. To be freed; NULL without memory. */
#define RILL_NO_PIECE UINT32_MAX
uint32_t *rill_mesh_label(const rill_mesh *mesh, size_t *pieces);

/* How many there are. */
rill_status rill_mesh_pieces(const rill_mesh *mesh, size_t *pieces, rill_error *err);

/* The root of a tree in a forest of parents, with the path to it halved; and the union of two trees, the lower root
 * kept. */
static inline uint32_t rill_forest_root(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}
static inline void rill_forest_join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = rill_forest_root(parent, a);
    b = rill_forest_root(parent, b);
    if (a < b) parent[b] = a;
    else parent[a] = b;
}

#endif

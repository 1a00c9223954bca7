/* What a marcher does in a cell: triangles between cut edges, for each of the
 * 256 ways in which the eight corners lie inside or outside. */
#ifndef RILL_SURFACE_TABLES_H
#define RILL_SURFACE_TABLES_H

#include <stdint.h>

#include "rill/surface.h"

/* Corner c lies at x = c & 1, y = c >> 1 & 1, z = c >> 2. An edge runs from a
 * corner along one to three axes, all upwards: corner | axes << 3, with axes a
 * mask like a corner. Cubes cut edges along one axis only. */
typedef uint8_t rill_cell_edge;

static inline unsigned rill_cell_edge_from(rill_cell_edge edge)
{
    return edge & 7u;
}
static inline unsigned rill_cell_edge_axes(rill_cell_edge edge)
{
    return edge >> 3;
}
static inline unsigned rill_cell_edge_to(rill_cell_edge edge)
{
    return rill_cell_edge_from(edge) | rill_cell_edge_axes(edge);
}
static inline rill_cell_edge rill_cell_edge_of(unsigned a, unsigned b)
{
    return (rill_cell_edge)((a & b) | (a ^ b) << 3);
}

enum { RILL_CELL_TRIANGLES = 12, RILL_TETRAHEDRA = 6 };

typedef struct rill_march_table {
    uint8_t count[256]; /* triangles */
    rill_cell_edge triangle[256][RILL_CELL_TRIANGLES][3];
    unsigned kinds;     /* of edges that can be cut: 3 or 7 */
    uint8_t axes[7];    /* of each kind */
    uint8_t kind[8];    /* of each mask of axes */
} rill_march_table;

void rill_march_table_make(rill_march_table *table, rill_surface_method method);

/* The corners of the six faces, counter-clockwise seen from outside. */
void rill_cell_faces(uint8_t face[6][4]);

/* The corners of the tetrahedra of a cell. */
extern const uint8_t rill_cell_tetrahedra[RILL_TETRAHEDRA][4];

/* The triangles of one tetrahedron, of which bit k of inside says that its corner k is inside. */
unsigned rill_tetrahedron_triangles(const uint8_t corner[4], unsigned inside, rill_cell_edge triangle[2][3]);

#endif

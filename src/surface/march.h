/* Triangles from a sparse grid of values. */
#ifndef RILL_SURFACE_MARCH_H
#define RILL_SURFACE_MARCH_H

#include "surface/sparse.h"
#include "surface/tables.h"

/* Where node (0, 0, 0) lies, and the edge of a cell. */
typedef struct rill_lattice {
    double origin[3], cell;
} rill_lattice;

/* Fills the mesh, which is empty before. The grid must have been closed. */
rill_status rill_march(const rill_sparse *sparse, const rill_lattice *lattice, rill_surface_method method,
                       const rill_scheduler *scheduler, rill_mesh *mesh, rill_error *err);

#endif

/* Pieces of a mesh that no particle lies in. */
#ifndef RILL_SURFACE_CRUMBS_H
#define RILL_SURFACE_CRUMBS_H

#include "surface/mesh.h"
#include "surface/points.h"

/* Takes closed pieces out of a mesh in whose boxes, widened by a margin (m), no particle lies. Bubbles, which are
 * pieces that face inwards, stay. Tells how many pieces are left. */
rill_status rill_crumbs_drop(rill_mesh *mesh, const rill_points *points, double margin, size_t *pieces,
                             rill_error *err);

#endif

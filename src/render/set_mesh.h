/* Surfaces that `rill mesh` has made before. */
#ifndef RILL_RENDER_SET_MESH_H
#define RILL_RENDER_SET_MESH_H

#include "rill/surface.h"

/* Reads a PLY of triangles with normals, binary little-endian; coordinates are counted from `origin`. Every other file
 * is refused. */
rill_status rill_set_mesh_read(const char *path, rill_vec3 origin, rill_mesh *mesh, rill_error *err);

/* The same from memory; `name` is for the error. */
rill_status rill_set_mesh_decode(const char *data, size_t size, const char *name, rill_vec3 origin, rill_mesh *mesh,
                                 rill_error *err);

#endif

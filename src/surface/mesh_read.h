/* Meshes from the bytes of files. */
#ifndef RILL_SURFACE_MESH_READ_H
#define RILL_SURFACE_MESH_READ_H

#include "rill/surface.h"

/* As rill_mesh_read, from memory; `name` is for the error. */
rill_status rill_mesh_decode(const char *data, size_t size, const char *name, rill_vec3 origin, rill_mesh *mesh,
                             rill_error *err);

#endif

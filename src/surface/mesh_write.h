/* Meshes into files: what the formats share. */
#ifndef RILL_SURFACE_MESH_WRITE_H
#define RILL_SURFACE_MESH_WRITE_H

#include "base/store.h"
#include "rill/surface.h"

#define RILL_MESH_COLOUR "colour" /* three numbers from 0 to 1, which formats have a place of their own for */

/* As rill_mesh_write, for a mesh whose coordinates count from `origin`: a scene far from zero needs double precision
 * in the file, while the mesh itself does with single. */
rill_status rill_mesh_write_at(const rill_mesh *mesh, rill_vec3 origin, rill_mesh_format format, const char *path,
                               rill_error *err);

/* Each writes a mesh that was checked into an open store. */
void rill_mesh_write_ply(rill_store *store, const rill_mesh *mesh, rill_vec3 origin);
void rill_mesh_write_obj(rill_store *store, const rill_mesh *mesh, rill_vec3 origin);
void rill_mesh_write_vtp(rill_store *store, const rill_mesh *mesh, rill_vec3 origin);

bool rill_mesh_is_colour(const rill_values *values);

/* A part of a colour in a byte. */
unsigned char rill_mesh_colour_byte(float part);

#endif

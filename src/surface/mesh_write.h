/* Meshes into files: what the formats share. */
#ifndef RILL_SURFACE_MESH_WRITE_H
#define RILL_SURFACE_MESH_WRITE_H

#include "base/store.h"
#include "rill/surface.h"

/* Each writes a mesh that was checked into an open store. */
void rill_mesh_write_ply(rill_store *store, const rill_mesh *mesh, rill_vec3 origin);
void rill_mesh_write_obj(rill_store *store, const rill_mesh *mesh, rill_vec3 origin);
void rill_mesh_write_vtp(rill_store *store, const rill_mesh *mesh, rill_vec3 origin);

bool rill_mesh_is_colour(const rill_values *values);

/* A part of a colour in a byte. */
unsigned char rill_mesh_colour_byte(float part);

#endif

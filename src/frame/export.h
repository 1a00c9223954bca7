/* What the export formats share. */
#ifndef RILL_FRAME_EXPORT_H
#define RILL_FRAME_EXPORT_H

#include "base/store.h"
#include "rill/files.h"

/* Each writes a frame into an open store. */
void rill_vtp_write(rill_store *store, const rill_frame_file *frame);
void rill_ply_write(rill_store *store, const rill_frame_file *frame);

/* The particle arrays beside position, in order: NULL past the last. */
const rill_array *rill_export_array(const rill_frame_file *frame, uint32_t index);

/* A scene far from zero needs double precision for its coordinates. */
bool rill_export_is_far(const rill_frame_file *frame);

/* Coordinates of one particle, with the origin. */
void rill_export_point(const rill_frame_file *frame, const rill_array *position, uint64_t particle, double at[3]);

/* The line of a PLY header for one lane of a vertex's property. */
void rill_ply_property(rill_store *store, const char *type, const char *name, uint32_t lanes, uint32_t lane);

/* Text in XML: names may hold what it gives a meaning to. */
void rill_export_escaped(rill_store *store, const char *text);

#endif

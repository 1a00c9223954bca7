/* What the export formats share. */
#ifndef RILL_FRAME_EXPORT_H
#define RILL_FRAME_EXPORT_H

#include "base/store.h"
#include "format/scalar.h"
#include "rill/frames.h"

/* Each writes a frame into an open store. */
void rill_export_vtp(rill_store *store, const rill_frame_file *frame);
void rill_export_ply(rill_store *store, const rill_frame_file *frame);

/* The particle arrays beside position, in order: NULL past the last. */
const rill_array *rill_export_array(const rill_frame_file *frame, uint32_t index);

/* The type of the array's numbers, as files have it. */
rill_scalar rill_export_type(const rill_array *array);

/* Writes the coordinates of one particle. */
void rill_export_point(rill_store *store, const rill_frame_file *frame, const rill_array *position, uint64_t particle);

#endif

/* Frames as files: the parts that only run folders need. */
#ifndef RILL_FRAME_FRAME_H
#define RILL_FRAME_FRAME_H

#include "frame/image.h"

/* As rill_frame_file_read; *newer tells a frame of a later format from a damaged one. */
rill_status rill_frame_file_try(const char *path, rill_frame_file *frame, bool *newer, rill_error *err);

/* The bytes of the world's frame. Free image->bytes. */
rill_status rill_frame_file_encode(const rill_world *world, rill_image *image, rill_error *err);

#endif

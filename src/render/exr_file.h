/* Pictures as light from OpenEXR files. */
#ifndef RILL_RENDER_EXR_FILE_H
#define RILL_RENDER_EXR_FILE_H

#include "rill/picture.h"

/* The first part of a file, lines or tiles, with channels R, G and B, or Y alone; free with rill_picture_free. label
 * names the bytes in errors. */
rill_status rill_exr_decode(const void *bytes, size_t size, const char *label, rill_picture *picture, rill_error *err);

#endif

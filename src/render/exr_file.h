/* Pictures as light in OpenEXR files. */
#ifndef RILL_RENDER_EXR_FILE_H
#define RILL_RENDER_EXR_FILE_H

#include "render/picture.h"

/* Half floats, lines of pixels, ZIP. Written under a temporary name and renamed. What a half float cannot hold is
 * written as the largest it can; what is no number, as black. */
rill_status rill_exr_write(const rill_picture *picture, const char *path, rill_error *err);

/* The first part of a file, lines or tiles, with channels R, G and B, or Y alone; free with rill_picture_free. label
 * names the bytes in errors. */
rill_status rill_exr_decode(const void *bytes, size_t size, const char *label, rill_picture *picture, rill_error *err);

#endif

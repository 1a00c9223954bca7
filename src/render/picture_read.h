/* Pictures from files: what lights a scene, what covers its ground. */
#ifndef RILL_RENDER_PICTURE_READ_H
#define RILL_RENDER_PICTURE_READ_H

#include "render/picture.h"

/* PNG (8 or 16 bits, any kind; its curve is undone) or OpenEXR, told apart by the first bytes of the file. Free with
 * rill_picture_free. Values that are no number or below zero become black. */
rill_status rill_picture_read(const char *path, rill_picture *picture, rill_error *err);

/* The same from the bytes of a file; label names it in errors. */
rill_status rill_picture_decode(const void *bytes, size_t size, const char *label, rill_picture *picture,
                                rill_error *err);

#endif

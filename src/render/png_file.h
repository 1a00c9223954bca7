/* 8-bit pictures into PNG files. */
#ifndef RILL_RENDER_PNG_FILE_H
#define RILL_RENDER_PNG_FILE_H

#include <stddef.h>

#include "render/text.h"
#include "rill/base.h"

/* Written under a temporary name and renamed, so that no half picture ever bears the final name. */
rill_status rill_png_write(const rill_pixels *pixels, const char *path, rill_error *err);

/* Refuses a PNG whose header claims more pixels than are read, or than its bytes can hold. */
rill_status rill_png_check(const void *bytes, size_t size, const char *label, rill_error *err);

/* What libpng says of a file that it cannot read: damage, or too little memory. */
rill_status rill_png_fail(const char *message, const char *label, rill_error *err);

/* The bytes of a picture's colours as they are; free pixels->rgb. */
rill_status rill_png_read(const char *path, rill_pixels *pixels, rill_error *err);

#endif

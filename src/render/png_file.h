/* What readers of PNG files share. */
#ifndef RILL_RENDER_PNG_FILE_H
#define RILL_RENDER_PNG_FILE_H

#include "rill/picture.h"

/* Refuses a PNG whose header claims more pixels than are read, or than its bytes can hold. */
rill_status rill_png_check(const void *bytes, size_t size, const char *label, rill_error *err);

/* What libpng says of a file that it cannot read: damage, or too little memory. */
rill_status rill_png_fail(const char *message, const char *label, rill_error *err);

#endif

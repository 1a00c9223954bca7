/* Pictures while they are made. */
#ifndef RILL_RENDER_PICTURE_H
#define RILL_RENDER_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rill/picture.h"

/* Enough for maps of light of 8192 x 4096 pixels. A picture takes some 30 bytes of memory a pixel while it is read and
 * made ready, and a compressed file of a few kilobytes may claim any number of them. */
#define RILL_PICTURE_PIXELS_MAX ((uint64_t)1 << 25)

/* Whether a picture that is read has sides that make sense. */
static inline rill_status rill_picture_check(uint64_t width, uint64_t height, const char *label, rill_error *err)
{
    const bool good = width >= 1 && height >= 1 && width <= RILL_PICTURE_PIXELS_MAX / height;
    if (good) return RILL_OK;
    return rill_fail(
        err, RILL_BAD_FILE, "%s has %llu x %llu pixels, and at most %llu million can be read; make it smaller.", label,
        (unsigned long long)width, (unsigned long long)height, (unsigned long long)(RILL_PICTURE_PIXELS_MAX / 1000000));
}

/* Zeroed; false without memory. */
static inline bool rill_picture_create(rill_picture *picture, uint32_t width, uint32_t height)
{
    *picture = (rill_picture){.width = width, .height = height};
    picture->rgb = rill_calloc((size_t)width * height + 1, 3 * sizeof(float));
    return picture->rgb;
}

#endif

/* A picture as light: linear red, green and blue, not bounded above. */
#ifndef RILL_RENDER_PICTURE_H
#define RILL_RENDER_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "rill/base.h"

typedef struct rill_picture {
    uint32_t width, height;
    float *rgb; /* three floats a pixel, rows from the top */
} rill_picture;

/* Zeroed; false without memory. */
static inline bool rill_picture_create(rill_picture *picture, uint32_t width, uint32_t height)
{
    *picture = (rill_picture){width, height, calloc((size_t)width * height + 1, 3 * sizeof(float))};
    return picture->rgb;
}

static inline void rill_picture_free(rill_picture *picture)
{
    free(picture->rgb);
    *picture = (rill_picture){0};
}

#endif

/* A picture from memory: it has as many values as it says, none below zero. */
#ifndef RILL_TORTURE_PICTURE_H
#define RILL_TORTURE_PICTURE_H

#include <math.h>

#include "fuzz.h"
#include "rill/picture.h"

static inline void picture_try(const uint8_t *data, size_t size)
{
    rill_picture picture = {0};
    rill_error err = {0};
    const rill_status status = rill_picture_decode(data, size, "input", &picture, &err);
    FUZZ_CHECK(!status || *err.text, "refused without a word");
    const size_t count = status ? 0 : 3 * (size_t)picture.width * picture.height;
    for (size_t i = 0; i < count; i++)
        FUZZ_CHECK(picture.rgb[i] >= 0 && isfinite(picture.rgb[i]), "value %zu is %g", i, (double)picture.rgb[i]);
    if (!status) rill_picture_free(&picture);
}

#endif

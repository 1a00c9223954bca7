/* Pictures from light to the colours of a screen. */
#include "render/picture.h"

#include "render/tone.h"

void rill_picture_free(rill_picture *picture)
{
    rill_free(picture->rgb);
    *picture = (rill_picture){0};
}

void rill_pixels_free(rill_pixels *pixels)
{
    rill_free(pixels->rgb);
    *pixels = (rill_pixels){0};
}

rill_status rill_picture_expose(const rill_picture *picture, double exposure, rill_pixels *pixels, rill_error *err)
{
    *pixels = (rill_pixels){picture->width, picture->height, NULL};
    pixels->rgb = rill_malloc((size_t)picture->width * picture->height * 3 + 1);
    if (!pixels->rgb) return rill_fail(err, RILL_NO_MEMORY, "There is no memory left to write a picture.");
    rill_tone_map(picture, exposure, pixels);
    return RILL_OK;
}

rill_status rill_picture_write_png(const rill_picture *picture, double exposure, const char *path, rill_error *err)
{
    rill_pixels pixels;
    rill_status status = rill_picture_expose(picture, exposure, &pixels, err);
    if (!status) status = rill_pixels_write(&pixels, path, err);
    rill_pixels_free(&pixels);
    return status;
}

/* Pictures from PNG and OpenEXR files, as light. */
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <string.h>

#include "base/store.h"
#include "render/exr_file.h"
#include "render/picture.h"
#include "render/png_file.h"

/* The curve of sRGB undone. */
static float light_of(uint8_t level)
{
    const float v = (float)level / 255;
    return v <= 0.04045f ? v / 12.92f : powf((v + 0.055f) / 1.055f, 2.4f);
}

/* libpng's simple interface gives 16-bit samples of files that have 16 bits as light, but would round those of 8 bits
 * on the way, so these are turned into light here. What shows through is black. */
static rill_status png_pixels(png_image *image, const char *label, rill_picture *picture, rill_error *err)
{
    const png_color black = {0, 0, 0};
    const bool deep = image->format & PNG_FORMAT_FLAG_LINEAR;
    rill_status status = RILL_OK;
    image->format = deep ? PNG_FORMAT_LINEAR_RGB_ALPHA : PNG_FORMAT_RGB;
    void *samples = rill_malloc(PNG_IMAGE_SIZE(*image));
    if (!samples || !rill_picture_create(picture, image->width, image->height))
        status = rill_fail(err, RILL_NO_MEMORY, "There is not enough memory to read %s.", label);
    else if (!png_image_finish_read(image, &black, samples, 0, NULL))
        status = rill_png_fail(image->message, label, err);
    const size_t count = (size_t)picture->width * picture->height;
    for (size_t i = 0; !status && i < 3 * count; i++)
        picture->rgb[i] = deep ? (float)((const uint16_t *)samples)[i / 3 * 4 + i % 3] / 65535
                               : light_of(((const uint8_t *)samples)[i]);
    rill_free(samples);
    return status;
}

static rill_status png_decode(const void *bytes, size_t size, const char *label, rill_picture *picture, rill_error *err)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    rill_status status = rill_png_check(bytes, size, label, err);
    if (status) return status;
    if (!png_image_begin_read_from_memory(&image, bytes, size))
        return rill_png_fail(image.message, label, err);
    status = png_pixels(&image, label, picture, err);
    png_image_free(&image);
    return status;
}

static void values_clean(rill_picture *picture)
{
    const size_t count = (size_t)picture->width * picture->height * 3;
    for (size_t i = 0; i < count; i++)
        if (!(picture->rgb[i] >= 0 && isfinite(picture->rgb[i]))) picture->rgb[i] = 0;
}

rill_status rill_picture_decode(const void *bytes, size_t size, const char *label, rill_picture *picture,
                                rill_error *err)
{
    static const uint8_t exr[] = {0x76, 0x2f, 0x31, 0x01};
    *picture = (rill_picture){0};
    rill_status status;
    if (size >= 8 && !png_sig_cmp(bytes, 0, 8)) status = png_decode(bytes, size, label, picture, err);
    else if (size >= sizeof exr && !memcmp(bytes, exr, sizeof exr))
        status = rill_exr_decode(bytes, size, label, picture, err);
    else status = rill_fail(err, RILL_BAD_FILE, "%s is neither a PNG nor an OpenEXR picture.", label);
    if (status) rill_picture_free(picture);
    else values_clean(picture);
    return status;
}

rill_status rill_picture_read(const char *path, rill_picture *picture, rill_error *err)
{
    char *bytes;
    size_t size;
    *picture = (rill_picture){0};
    rill_status status = rill_store_get(path, SIZE_MAX, &bytes, &size, err);
    if (status) return status;
    status = rill_picture_decode(bytes, size, path, picture, err);
    rill_free(bytes);
    return status;
}

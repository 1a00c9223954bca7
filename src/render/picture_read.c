/* Pictures from PNG and OpenEXR files, as light. */
#include "render/picture_read.h"

#include <errno.h>
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <string.h>

#include "render/exr_file.h"

/* The curve of sRGB undone. */
static float light_of(uint8_t level)
{
    const float v = (float)level / 255;
    return v <= 0.04045f ? v / 12.92f : powf((v + 0.055f) / 1.055f, 2.4f);
}

/* libpng's simple interface gives 16-bit samples of files that have 16 bits as light, but would round those of 8 bits
 * on the way, so these are turned into light here. What shows through is black. */
static rill_status png_read(const char *path, rill_picture *picture, rill_error *err)
{
    const png_color black = {0, 0, 0};
    png_image image = {.version = PNG_IMAGE_VERSION};
    rill_status status = RILL_OK;
    if (!png_image_begin_read_from_file(&image, path))
        return rill_fail(err, RILL_BAD_FILE, "%s is a damaged PNG: %s.", path, image.message);
    const bool deep = image.format & PNG_FORMAT_FLAG_LINEAR;
    image.format = deep ? PNG_FORMAT_LINEAR_RGB_ALPHA : PNG_FORMAT_RGB;
    void *samples = malloc(PNG_IMAGE_SIZE(image));
    if (!samples || !rill_picture_create(picture, image.width, image.height))
        status = rill_fail(err, RILL_NO_MEMORY, "There is not enough memory to read %s.", path);
    else if (!png_image_finish_read(&image, &black, samples, 0, NULL))
        status = rill_fail(err, RILL_BAD_FILE, "%s is a damaged PNG: %s.", path, image.message);
    const size_t count = (size_t)picture->width * picture->height;
    for (size_t i = 0; !status && i < 3 * count; i++)
        picture->rgb[i] = deep ? (float)((const uint16_t *)samples)[i / 3 * 4 + i % 3] / 65535
                               : light_of(((const uint8_t *)samples)[i]);
    png_image_free(&image);
    free(samples);
    return status;
}

static void values_clean(rill_picture *picture)
{
    const size_t count = (size_t)picture->width * picture->height * 3;
    for (size_t i = 0; i < count; i++)
        if (!(picture->rgb[i] >= 0 && isfinite(picture->rgb[i]))) picture->rgb[i] = 0;
}

rill_status rill_picture_read(const char *path, rill_picture *picture, rill_error *err)
{
    static const uint8_t exr[] = {0x76, 0x2f, 0x31, 0x01};
    uint8_t opening[8] = {0};
    *picture = (rill_picture){0};
    FILE *file = fopen(path, "rb");
    if (!file) return rill_fail(err, RILL_BAD_INPUT, "%s cannot be read: %s.", path, strerror(errno));
    errno = 0;
    const size_t got = fread(opening, 1, sizeof opening, file);
    const int trouble = ferror(file) ? errno : 0;
    fclose(file);
    if (trouble) return rill_fail(err, RILL_BAD_INPUT, "%s cannot be read: %s.", path, strerror(trouble));
    rill_status status;
    if (got == sizeof opening && !png_sig_cmp(opening, 0, sizeof opening)) status = png_read(path, picture, err);
    else if (got >= sizeof exr && !memcmp(opening, exr, sizeof exr)) status = rill_exr_read(path, picture, err);
    else status = rill_fail(err, RILL_BAD_FILE, "%s is neither a PNG nor an OpenEXR picture.", path);
    if (status) rill_picture_free(picture);
    else values_clean(picture);
    return status;
}

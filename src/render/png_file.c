/* PNG through libpng. */
#include "render/png_file.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <string.h>

#include "base/store.h"
#include "render/picture.h"

/* libpng reports trouble by a long jump; nothing that needs freeing may start below it. */
static int rows_write(png_structp png, png_infop info, FILE *file, const rill_pixels *pixels)
{
    if (setjmp(png_jmpbuf(png))) return 0;
    png_init_io(png, file);
    png_set_compression_level(png, 6);
    png_set_IHDR(png, info, pixels->width, pixels->height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png, info);
    for (uint32_t y = 0; y < pixels->height; y++) png_write_row(png, pixels->rgb + (size_t)y * pixels->width * 3);
    png_write_end(png, info);
    return 1;
}

static void warning_drop(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

static void error_jump(png_structp png, png_const_charp text)
{
    (void)text;
    png_longjmp(png, 1);
}

static int file_write(FILE *file, const rill_pixels *pixels)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, error_jump, warning_drop);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    int done = info && rows_write(png, info, file, pixels);
    png_destroy_write_struct(&png, &info);
    return done;
}

rill_status rill_pixels_write(const rill_pixels *pixels, const char *path, rill_error *err)
{
    rill_store store;
    rill_status status = rill_store_open(&store, path, err);
    if (status) return status;
    errno = 0;
    /* Besides the disk, what libpng can lack is memory. */
    if (!file_write(store.file, pixels)) store.trouble = errno ? errno : ENOMEM;
    return rill_store_commit(&store, err);
}

rill_status rill_png_fail(const char *message, const char *label, rill_error *err)
{
    if (strstr(message, "memory"))
        return rill_fail(err, RILL_NO_MEMORY, "There is not enough memory to read %s.", label);
    return rill_fail(err, RILL_BAD_FILE, "%s is a damaged PNG: %s.", label, message);
}

static uint64_t number_at(const uint8_t *at)
{
    return (uint64_t)at[0] << 24 | (uint64_t)at[1] << 16 | (uint64_t)at[2] << 8 | at[3];
}

/* libpng asks for the memory of a chunk before it looks whether the bytes are there. */
static bool chunks_fit(const uint8_t *bytes, size_t size)
{
    for (size_t at = 8; size - at >= 12;) {
        const uint64_t length = number_at(bytes + at);
        if (length > size - at - 12) return false;
        at += 12 + (size_t)length;
    }
    return true;
}

/* The header is the first chunk: sides, bits of a sample, kind of colour. */
rill_status rill_png_check(const void *bytes, size_t size, const char *label, rill_error *err)
{
    enum { HEADER_AT = 16, HEADER_END = 26, SHRINK_MAX = 1040 }; /* deflate shrinks at most 1032 times */
    static const uint8_t samples[8] = {1, 0, 3, 1, 2, 0, 4, 0};
    static const uint8_t opening[8] = {0, 0, 0, 13, 'I', 'H', 'D', 'R'};
    const uint8_t *header = (const uint8_t *)bytes + HEADER_AT;
    if (size < HEADER_END || !chunks_fit(bytes, size))
        return rill_fail(err, RILL_BAD_FILE, "%s is a damaged PNG: it is cut short.", label);
    /* libpng takes a header behind other chunks, too, and would not be held to the sides that are checked here. */
    if (memcmp(header - sizeof opening, opening, sizeof opening) != 0)
        return rill_fail(err, RILL_BAD_FILE, "%s is a damaged PNG: it does not begin with its header.", label);
    const uint64_t width = number_at(header), height = number_at(header + 4), bits = header[8] * samples[header[9] & 7];
    rill_status status = rill_picture_check(width, height, label, err);
    if (status || width * height * bits / 8 <= (uint64_t)size * SHRINK_MAX) return status;
    return rill_fail(err, RILL_BAD_FILE, "%s is a damaged PNG: it is too short for %llu x %llu pixels.", label,
                     (unsigned long long)width, (unsigned long long)height);
}

static rill_status read_pixels(png_image *image, const char *path, rill_pixels *pixels, rill_error *err)
{
    const png_color black = {0, 0, 0};
    image->format = PNG_FORMAT_RGB;
    *pixels = (rill_pixels){image->width, image->height, rill_malloc(PNG_IMAGE_SIZE(*image))};
    if (!pixels->rgb) return rill_fail(err, RILL_NO_MEMORY, "There is not enough memory to read %s.", path);
    if (png_image_finish_read(image, &black, pixels->rgb, 0, NULL)) return RILL_OK;
    rill_free(pixels->rgb);
    pixels->rgb = NULL;
    return rill_png_fail(image->message, path, err);
}

rill_status rill_pixels_read(const char *path, rill_pixels *pixels, rill_error *err)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    char *bytes;
    size_t size;
    *pixels = (rill_pixels){0};
    rill_status status = rill_store_get(path, SIZE_MAX, &bytes, &size, err);
    if (status) return status;
    status = rill_png_check(bytes, size, path, err);
    if (!status && png_image_begin_read_from_memory(&image, bytes, size))
        status = read_pixels(&image, path, pixels, err);
    else if (!status)
        status = rill_png_fail(image.message, path, err);
    png_image_free(&image);
    rill_free(bytes);
    return status;
}

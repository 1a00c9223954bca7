/* PNG through libpng. */
#include "render/png_file.h"

#include <errno.h>
#include <png.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

rill_status rill_png_write(const rill_pixels *pixels, const char *path, rill_error *err)
{
    size_t size = strlen(path) + 8;
    char *temporary = malloc(size);
    if (!temporary) return rill_fail(err, RILL_NO_MEMORY, "There is no memory left to write %s.", path);
    /* Always the same name: what a killed process left is replaced by the next. */
    snprintf(temporary, size, "%s.tmp", path);
    errno = 0;
    FILE *file = fopen(temporary, "wb");
    int done = file && file_write(file, pixels);
    if (file) done = !fclose(file) && done;
    done = done && !rename(temporary, path);
    int why = errno;
    if (!done) unlink(temporary);
    free(temporary);
    if (done) return RILL_OK;
    return rill_fail(err, RILL_IO_FAILED, "The picture %s could not be written (%s); check the folder and its free space.",
                     path, why ? strerror(why) : "libpng refused");
}

rill_status rill_png_read(const char *path, rill_pixels *pixels, rill_error *err)
{
    const png_color black = {0, 0, 0};
    png_image image = {.version = PNG_IMAGE_VERSION};
    *pixels = (rill_pixels){0};
    if (!png_image_begin_read_from_file(&image, path))
        return rill_fail(err, RILL_BAD_FILE, "%s cannot be read as a PNG: %s.", path, image.message);
    image.format = PNG_FORMAT_RGB;
    *pixels = (rill_pixels){image.width, image.height, malloc(PNG_IMAGE_SIZE(image))};
    if (pixels->rgb && png_image_finish_read(&image, &black, pixels->rgb, 0, NULL)) return RILL_OK;
    const bool memory = pixels->rgb;
    png_image_free(&image);
    free(pixels->rgb);
    pixels->rgb = NULL;
    if (!memory) return rill_fail(err, RILL_NO_MEMORY, "There is not enough memory to read %s.", path);
    return rill_fail(err, RILL_BAD_FILE, "%s cannot be read as a PNG: %s.", path, image.message);
}

/* Pictures: light as linear red, green and blue, or the 8-bit colours of a screen, from
 * and to files. In librill_render. Pointers must not be NULL unless a comment says so;
 * err always may be. */
#ifndef RILL_PICTURE_H
#define RILL_PICTURE_H

#include "rill/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Light: linear, not bounded above. */
typedef struct rill_picture {
    uint32_t width, height;
    float *rgb; /* three floats a pixel, rows from the top */
    uint64_t room[4]; /* for members to come; 0 */
} rill_picture;

/* Colours of a screen, with the curve of sRGB. */
typedef struct rill_pixels {
    uint32_t width, height;
    uint8_t *rgb; /* three bytes a pixel, rows from the top */
} rill_pixels;

RILL_API void rill_picture_free(rill_picture *picture);
RILL_API void rill_pixels_free(rill_pixels *pixels);

/* ---- from light to colours ---- */

/* The factor that brings a picture to a middling brightness; 1 for a black one. `white` is the light of white paper in
 * the scene, which then comes out light but not glaring, however dark or light the rest is; 0: not known. */
RILL_API double rill_picture_exposure(const rill_picture *picture, double white);

/* The picture times its exposure, through a curve like that of film, as pixels for rill_pixels_free. */
RILL_API rill_status rill_picture_expose(const rill_picture *picture, double exposure, rill_pixels *pixels,
                                         rill_error *err);

/* ---- files ---- */

/* PNG (8 or 16 bits, any kind; its curve is undone) or OpenEXR, told apart by the first bytes of the file; to be freed.
 * Values that are no number or below zero become black. */
RILL_API rill_status rill_picture_read(const char *path, rill_picture *picture, rill_error *err);

/* The same from the bytes of a file; label names it in errors. */
RILL_API rill_status rill_picture_decode(const void *bytes, size_t size, const char *label, rill_picture *picture,
                                         rill_error *err);

/* OpenEXR: half floats, lines of pixels, ZIP. What a half float cannot hold is written as the largest it can; what is
 * no number, as black. */
RILL_API rill_status rill_picture_write_exr(const rill_picture *picture, const char *path, rill_error *err);

/* The picture, exposed, as PNG. */
RILL_API rill_status rill_picture_write_png(const rill_picture *picture, double exposure, const char *path,
                                            rill_error *err);

/* PNG: the bytes of a picture's colours as they are. What is read is for rill_pixels_free. */
RILL_API rill_status rill_pixels_read(const char *path, rill_pixels *pixels, rill_error *err);
RILL_API rill_status rill_pixels_write(const rill_pixels *pixels, const char *path, rill_error *err);

#ifdef __cplusplus
}
#endif
#endif

/* Drawing a small frame and reading the picture back. Included after cmocka. */
#ifndef RILL_TESTS_SHOTS_H
#define RILL_TESTS_SHOTS_H

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "rill/shot.h"

#define SAMPLE_TEST(name) cmocka_unit_test_setup_teardown(name, sample_make, sample_free)

enum { WIDTH = 320, HEIGHT = 200 };

/* Three particles in a row along x, slow to fast, and one that flew far away. */
typedef struct sample {
    float position[4][4], velocity[4][4], density[4], pressure[4];
    uint32_t fluid[4];
    rill_array arrays[5];
    rill_frame_file frame;
    char path[64];
} sample;

static void array_set(rill_array *a, const char *name, rill_array_type type, uint32_t lanes, uint32_t stride,
                      void *data)
{
    *a = (rill_array){.type = type, .lanes = lanes, .stride = stride, .count = 4, .particle = true, .data = data};
    snprintf(a->name, sizeof a->name, "%s", name);
}

static int sample_make(void **state)
{
    sample *s = calloc(1, sizeof *s);
    for (int i = 0; i < 4; i++) {
        s->position[i][0] = (float)i - 1;
        s->velocity[i][1] = (float)i;
        s->density[i] = 1000 + (float)i;
        s->pressure[i] = 5000 * (float)i;
        s->fluid[i] = i == 2;
    }
    s->position[3][0] = 0;
    s->position[3][2] = 1e-3f;
    array_set(&s->arrays[0], "position", RILL_F32, 3, 4, s->position);
    array_set(&s->arrays[1], "velocity", RILL_F32, 3, 4, s->velocity);
    array_set(&s->arrays[2], "density", RILL_F32, 1, 1, s->density);
    array_set(&s->arrays[3], "pressure", RILL_F32, 1, 1, s->pressure);
    array_set(&s->arrays[4], "fluid", RILL_U32, 1, 1, s->fluid);
    s->frame = (rill_frame_file){.time = 0.5, .diameter = 0.5, .count = 3, .state = {s->arrays, 5}};
    snprintf(s->path, sizeof s->path, "/tmp/rill_test_shot_%ld.png", (long)getpid());
    *state = s;
    return 0;
}

static int sample_free(void **state)
{
    sample *s = *state;
    unlink(s->path);
    free(s);
    return 0;
}

static rill_shot small_shot(rill_shot_colour colour)
{
    rill_shot shot = rill_shot_default();
    shot.width = WIDTH;
    shot.height = HEIGHT;
    shot.colour = colour;
    shot.azimuth = -90;
    shot.elevation = 0;
    shot.legend = false;
    return shot;
}

/* The picture as libpng reads it back. */
static uint8_t *picture_read(const char *path, uint32_t width, uint32_t height)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, path));
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, height);
    image.format = PNG_FORMAT_RGB;
    uint8_t *rgb = malloc(PNG_IMAGE_SIZE(image));
    assert_true(png_image_finish_read(&image, NULL, rgb, 0, NULL));
    return rgb;
}

static uint8_t *draw(sample *s, const rill_scene *scene, const rill_shot *shot)
{
    rill_error err = {0};
    rill_status status = rill_shot_write(&s->frame, scene, shot, s->path, &err);
    if (status) fail_msg("%s", err.text);
    return picture_read(s->path, shot->width, shot->height);
}

static const uint8_t *pixel(const uint8_t *rgb, int x, int y)
{
    return rgb + (y * WIDTH + x) * 3;
}

/* Background is light and almost grey; the maps' colours are not. */
static int is_background(const uint8_t *p)
{
    return p[0] > 200 && abs(p[0] - p[2]) < 30;
}

/* Left, middle and right of the drawn row, by the columns that hold anything. */
static void row_ends(const uint8_t *rgb, int *left, int *right)
{
    *left = WIDTH, *right = -1;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            if (is_background(pixel(rgb, x, y))) continue;
            if (x < *left) *left = x;
            if (x > *right) *right = x;
        }
    }
}

static double brightness(const uint8_t *p)
{
    return 0.3 * p[0] + 0.6 * p[1] + 0.1 * p[2];
}

#endif

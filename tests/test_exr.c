/* OpenEXR and PNG pictures as light: what was written comes back, and damaged
 * or foreign files are refused with a sentence. label: small, one thread */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/store.h"
#include "render/exr_file.h"
#include "render/picture.h"
#include "render/png_file.h"

enum { WIDTH = 37, HEIGHT = 45 };

static char folder[] = "/tmp/rill_test_exr_XXXXXX";

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int folder_make(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int folder_remove(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static rill_picture ramp(void)
{
    rill_picture p;
    assert_true(rill_picture_create(&p, WIDTH, HEIGHT));
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        p.rgb[3 * i] = 0.001f * (float)i;
        p.rgb[3 * i + 1] = expf(0.008f * (float)i - 6);
        p.rgb[3 * i + 2] = i % 7 ? 0.5f : 900;
    }
    return p;
}

/* A half float keeps eleven bits. */
static void written_comes_back(void **state)
{
    (void)state;
    rill_error err = {0};
    rill_picture p = ramp(), back;
    assert_int_equal(rill_picture_write_exr(&p, path_of("ramp.exr"), &err), RILL_OK);
    assert_int_equal(rill_picture_read(path_of("ramp.exr"), &back, &err), RILL_OK);
    assert_int_equal(back.width, WIDTH);
    assert_int_equal(back.height, HEIGHT);
    for (int i = 0; i < 3 * WIDTH * HEIGHT; i++)
        if (fabsf(back.rgb[i] - p.rgb[i]) > fmaxf(p.rgb[i] / 2048, 3e-8f))
            fail_msg("value %d: %g came back as %g", i, (double)p.rgb[i], (double)back.rgb[i]);
    rill_picture_free(&back);
    rill_picture_free(&p);
}

/* Small pictures, among them those whose lines have as many bytes compressed as plain. */
static void every_small_size_comes_back(void **state)
{
    (void)state;
    rill_error err = {0};
    for (uint32_t size = 0; size < 8 * 8; size++) {
        rill_picture p, back;
        assert_true(rill_picture_create(&p, 1 + size % 8, 1 + size / 8));
        const size_t count = (size_t)3 * p.width * p.height;
        for (size_t i = 0; i < count; i++) p.rgb[i] = (float)(i % 7) * 0.25f;
        assert_int_equal(rill_picture_write_exr(&p, path_of("small.exr"), &err), RILL_OK);
        assert_int_equal(rill_picture_read(path_of("small.exr"), &back, &err), RILL_OK);
        if (memcmp(p.rgb, back.rgb, count * sizeof *p.rgb)) fail_msg("%u x %u pixels changed", p.width, p.height);
        rill_picture_free(&back);
        rill_picture_free(&p);
    }
}

static void extremes_are_bounded(void **state)
{
    (void)state;
    rill_error err = {0};
    rill_picture p = ramp(), back;
    p.rgb[0] = 1e9f, p.rgb[1] = NAN, p.rgb[2] = INFINITY;
    assert_int_equal(rill_picture_write_exr(&p, path_of("extreme.exr"), &err), RILL_OK);
    assert_int_equal(rill_picture_read(path_of("extreme.exr"), &back, &err), RILL_OK);
    assert_true(back.rgb[0] == 65504 && back.rgb[1] == 0 && back.rgb[2] == 65504);
    rill_picture_free(&back);
    rill_picture_free(&p);
}

static void one_pixel_works(void **state)
{
    (void)state;
    float light[3] = {1, 0.25f, 4};
    rill_picture p = {.width = 1, .height = 1, .rgb = light}, back;
    rill_error err = {0};
    assert_int_equal(rill_picture_write_exr(&p, path_of("one.exr"), &err), RILL_OK);
    assert_int_equal(rill_picture_read(path_of("one.exr"), &back, &err), RILL_OK);
    assert_memory_equal(back.rgb, light, sizeof light);
    rill_picture_free(&back);
}

/* Every shorter file is refused: none reads as a whole picture, none leaves memory behind. */
static void torn_files_are_refused(void **state)
{
    (void)state;
    rill_error err = {0};
    rill_picture p = ramp(), back;
    char *data;
    size_t size;
    assert_int_equal(rill_picture_write_exr(&p, path_of("whole.exr"), &err), RILL_OK);
    assert_int_equal(rill_store_get(path_of("whole.exr"), SIZE_MAX, &data, &size, &err), RILL_OK);
    for (size_t keep = 0; keep < size; keep += size / 40 + 1) {
        assert_int_equal(rill_store_put(path_of("torn.exr"), data, keep, &err), RILL_OK);
        err = (rill_error){0};
        if (!rill_picture_read(path_of("torn.exr"), &back, &err)) fail_msg("%zu of %zu bytes were read", keep, size);
        assert_non_null(strstr(err.text, "torn.exr"));
        assert_null(back.rgb);
        assert_int_equal(err.text[strlen(err.text) - 1], '.');
    }
    free(data);
    rill_picture_free(&p);
}

static void foreign_files_are_refused(void **state)
{
    (void)state;
    rill_error err = {0};
    rill_picture back;
    assert_int_equal(rill_store_put(path_of("words.exr"), "not a picture at all", 20, &err), RILL_OK);
    assert_int_equal(rill_picture_read(path_of("words.exr"), &back, &err), RILL_BAD_FILE);
    assert_non_null(strstr(err.text, "neither"));
    assert_int_equal(rill_picture_read(folder, &back, &err), RILL_BAD_INPUT);
    assert_int_equal(rill_picture_read(path_of("gone.exr"), &back, &err), RILL_BAD_INPUT);
    assert_non_null(strstr(err.text, "No such file"));
    assert_int_equal(mkfifo(path_of("pipe.png"), 0600), 0);
    assert_int_equal(rill_picture_read(path_of("pipe.png"), &back, &err), RILL_BAD_INPUT);
    assert_non_null(strstr(err.text, "not a file"));
}

/* A picture of two pixels, not compressed, whose channels B, G and Y are half floats of 1, 2 and 3. */
static size_t exr_three(uint8_t *to)
{
    static const char head[] = "v/1\1\2\0\0\0channels\0chlist\0\x37\0\0\0"
                               "B\0\1\0\0\0\0\0\0\0\1\0\0\0\1\0\0\0"
                               "G\0\1\0\0\0\0\0\0\0\1\0\0\0\1\0\0\0"
                               "Y\0\1\0\0\0\0\0\0\0\1\0\0\0\1\0\0\0\0"
                               "dataWindow\0box2i\0\x10\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0"
                               "displayWindow\0box2i\0\x10\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0"
                               "lineOrder\0lineOrder\0\1\0\0\0\0"
                               "pixelAspectRatio\0float\0\4\0\0\0\0\0\x80?"
                               "screenWindowCenter\0v2f\0\x8\0\0\0\0\0\0\0\0\0\0\0"
                               "screenWindowWidth\0float\0\4\0\0\0\0\0\x80?";
    static const uint8_t line[20] = {0, 0, 0, 0, 12, 0, 0, 0, 0, 0x3c, 0, 0x3c, 0, 0x40, 0, 0x40, 0, 0x42, 0, 0x42};
    size_t size = sizeof head - 1;
    memcpy(to, head, size);
    memcpy(to + size, "compression\0compression\0\1\0\0\0", 28);
    to[size + 28] = to[size + 29] = 0; /* none; and the end of the header */
    size += 30;
    const uint64_t place = size + 8;
    memcpy(to + size, &place, 8);
    memcpy(to + size + 8, line, sizeof line);
    return size + 8 + sizeof line;
}

/* Channels that are not asked for stand between those that are. */
static void grey_beside_colours_is_read(void **state)
{
    (void)state;
    uint8_t bytes[600];
    rill_error err = {0};
    rill_picture back;
    const size_t size = exr_three(bytes);
    assert_int_equal(rill_picture_decode(bytes, size, "three.exr", &back, &err), RILL_OK);
    assert_true(back.width == 2 && back.height == 1);
    for (int i = 0; i < 6; i++) assert_true(back.rgb[i] == 3);
    rill_picture_free(&back);
}

/* The sum over a chunk of a PNG. */
static uint32_t png_sum(const uint8_t *data, size_t size)
{
    uint32_t sum = ~0u;
    for (size_t i = 0; i < size; i++) {
        sum ^= data[i];
        for (int bit = 0; bit < 8; bit++) sum = sum >> 1 ^ (sum & 1 ? 0xedb88320u : 0);
    }
    return ~sum;
}

static size_t png_chunk(uint8_t *to, const char *kind, const uint8_t *data, uint8_t size)
{
    const uint8_t length[4] = {0, 0, 0, size};
    memcpy(to, length, 4);
    memcpy(to + 4, kind, 4);
    if (size) memcpy(to + 8, data, size);
    const uint32_t sum = png_sum(to + 4, size + 4u);
    for (int i = 0; i < 4; i++) to[8 + size + i] = (uint8_t)(sum >> (24 - 8 * i));
    return size + 12u;
}

/* A few bytes may claim any number of pixels; the memory for them is not asked for. */
static void huge_pictures_are_refused(void **state)
{
    (void)state;
    static const uint8_t opening[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    const uint8_t head[13] = {0, 0, 0x61, 0xa8, 0, 0, 0x61, 0xa8, 8, 2, 0, 0, 0}; /* 25000 x 25000, 8 bits, RGB */
    uint8_t bytes[64];
    rill_error err = {0};
    rill_picture back;
    memcpy(bytes, opening, sizeof opening);
    size_t size = sizeof opening;
    size += png_chunk(bytes + size, "IHDR", head, sizeof head);
    size += png_chunk(bytes + size, "IDAT", NULL, 0);
    assert_int_equal(rill_picture_decode(bytes, size, "huge.png", &back, &err), RILL_BAD_FILE);
    assert_non_null(strstr(err.text, "25000 x 25000 pixels"));
    const uint8_t large[13] = {0, 0, 0x10, 0, 0, 0, 0x10, 0, 8, 2, 0, 0, 0}; /* 4096 x 4096 */
    size = sizeof opening + png_chunk(bytes + sizeof opening, "IHDR", large, sizeof large);
    size += png_chunk(bytes + size, "IDAT", NULL, 0);
    assert_int_equal(rill_picture_decode(bytes, size, "short.png", &back, &err), RILL_BAD_FILE);
    assert_non_null(strstr(err.text, "too short"));
    size = sizeof opening + png_chunk(bytes + sizeof opening, "IHDR", large, sizeof large);
    size += png_chunk(bytes + size, "tEXt", NULL, 0);
    bytes[size - 12] = 0x40; /* a gigabyte of text */
    assert_int_equal(rill_picture_decode(bytes, size, "text.png", &back, &err), RILL_BAD_FILE);
    assert_non_null(strstr(err.text, "cut short"));
    /* A header behind another chunk, whose first bytes look like small sides. */
    const uint8_t small[8] = {0, 0, 0, 1, 0, 0, 0, 1};
    size = sizeof opening + png_chunk(bytes + sizeof opening, "acTL", small, sizeof small);
    size += png_chunk(bytes + size, "IHDR", head, sizeof head);
    assert_true(size <= sizeof bytes);
    assert_int_equal(rill_picture_decode(bytes, size, "late.png", &back, &err), RILL_BAD_FILE);
    assert_non_null(strstr(err.text, "begin with its header"));
}

static void nothing_is_left_where_nothing_can_be_written(void **state)
{
    (void)state;
    rill_error err = {0};
    rill_picture p = ramp();
    assert_int_equal(rill_picture_write_exr(&p, path_of("missing/a.exr"), &err), RILL_IO_FAILED);
    assert_non_null(strstr(err.text, "cannot be written"));
    rill_picture_free(&p);
}

/* A PNG's values are not proportional to light; 188 of 255 is half of it. */
static void png_is_read_as_light(void **state)
{
    (void)state;
    rill_error err = {0};
    uint8_t rgb[] = {0, 188, 255, 255, 0, 21};
    rill_pixels pixels = {2, 1, rgb};
    rill_picture back;
    assert_int_equal(rill_pixels_write(&pixels, path_of("two.png"), &err), RILL_OK);
    assert_int_equal(rill_picture_read(path_of("two.png"), &back, &err), RILL_OK);
    const float wanted[] = {0, 0.503f, 1, 1, 0, 0.0075f};
    for (int i = 0; i < 6; i++)
        if (fabsf(back.rgb[i] - wanted[i]) > 2e-3f) fail_msg("value %d is %g", i, (double)back.rgb[i]);
    rill_picture_free(&back);
    char *data;
    size_t size;
    assert_int_equal(rill_store_get(path_of("two.png"), SIZE_MAX, &data, &size, &err), RILL_OK);
    assert_int_equal(rill_store_put(path_of("torn.png"), data, size - 20, &err), RILL_OK);
    free(data);
    assert_int_equal(rill_picture_read(path_of("torn.png"), &back, &err), RILL_BAD_FILE);
    assert_null(back.rgb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_comes_back),
        cmocka_unit_test(every_small_size_comes_back), cmocka_unit_test(grey_beside_colours_is_read),
        cmocka_unit_test(extremes_are_bounded),
        cmocka_unit_test(one_pixel_works),
        cmocka_unit_test(torn_files_are_refused),
        cmocka_unit_test(foreign_files_are_refused),
        cmocka_unit_test(huge_pictures_are_refused),
        cmocka_unit_test(nothing_is_left_where_nothing_can_be_written),
        cmocka_unit_test(png_is_read_as_light),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}

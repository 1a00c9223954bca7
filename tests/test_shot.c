/* Quick pictures: what is drawn where, in which colour, and what is refused.
 * label: small */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "render/canvas.h"
#include "render/legend.h"
#include "render/palette.h"
#include "render/text.h"
#include "tests/shots.h"

static void test_row_is_framed_and_centred(void **state)
{
    rill_shot shot = small_shot(RILL_SHOT_SPEED);
    uint8_t *rgb = draw(*state, NULL, &shot);
    int left, right;
    row_ends(rgb, &left, &right);
    assert_true(left > 0 && right < WIDTH - 1);
    assert_true(right - left > WIDTH / 2);
    assert_true(abs(left + right - (WIDTH - 1)) <= 4);
    assert_true(is_background(pixel(rgb, WIDTH / 2, 5)));
    assert_false(is_background(pixel(rgb, WIDTH / 2, HEIGHT / 2)));
    /* Between two particles a diameter apart one sees through. */
    assert_true(is_background(pixel(rgb, left + (right - left) / 3, HEIGHT / 2)));
    free(rgb);
}

static void test_faster_is_lighter(void **state)
{
    rill_shot shot = small_shot(RILL_SHOT_SPEED);
    uint8_t *rgb = draw(*state, NULL, &shot);
    int left, right;
    row_ends(rgb, &left, &right);
    int radius = (right - left) / 10;
    const uint8_t *slow = pixel(rgb, left + radius, HEIGHT / 2), *fast = pixel(rgb, right - radius, HEIGHT / 2);
    assert_true(brightness(fast) > brightness(slow) + 30);
    assert_true(slow[2] > slow[0]);
    free(rgb);
}

static void test_a_given_range_is_kept(void **state)
{
    rill_shot shot = small_shot(RILL_SHOT_SPEED);
    shot.low = 100, shot.high = 200;
    uint8_t *rgb = draw(*state, NULL, &shot);
    int left, right;
    row_ends(rgb, &left, &right);
    int radius = (right - left) / 10;
    const uint8_t *a = pixel(rgb, left + radius, HEIGHT / 2), *b = pixel(rgb, right - radius, HEIGHT / 2);
    for (int k = 0; k < 3; k++) assert_true(abs(a[k] - b[k]) < 40);
    free(rgb);
}

static void test_fluids_take_the_scenes_colours(void **state)
{
    rill_fluid fluids[2] = {{.name = "red", .colour = 0xd02020}, {.name = "green", .colour = 0x20d020}};
    rill_scene scene = {.name = "two", .fluids = fluids, .fluid_count = 2};
    rill_shot shot = small_shot(RILL_SHOT_FLUID);
    uint8_t *rgb = draw(*state, &scene, &shot);
    int left, right;
    row_ends(rgb, &left, &right);
    int radius = (right - left) / 10;
    const uint8_t *red = pixel(rgb, left + radius, HEIGHT / 2), *green = pixel(rgb, right - radius, HEIGHT / 2);
    assert_true(red[0] > 2 * red[1]);
    assert_true(green[1] > 2 * green[0]);
    free(rgb);
}

static void test_a_solid_hides_what_is_behind_it(void **state)
{
    rill_boundary wall = {.name = "wall", .solid = true,
                          .shape = {.kind = RILL_SHAPE_BOX, .from = {-2, -1, -1}, .to = {2, -0.9, 1}}};
    rill_boundary ball = {.name = "ball", .solid = true,
                          .shape = {.kind = RILL_SHAPE_SPHERE, .center = {0, -1, 0}, .radius = 0.4}};
    rill_scene scene = {.name = "hidden", .boundaries = &wall, .boundary_count = 1};
    rill_shot shot = small_shot(RILL_SHOT_SPEED);
    shot.low = 0, shot.high = 1e-6; /* any particle would be bright yellow */
    uint8_t *rgb = draw(*state, &scene, &shot);
    const uint8_t *middle = pixel(rgb, WIDTH / 2, HEIGHT / 2);
    assert_true(middle[0] < middle[2] + 80);
    free(rgb);
    scene.boundaries = &ball;
    rgb = draw(*state, &scene, &shot);
    middle = pixel(rgb, WIDTH / 2, HEIGHT / 2);
    assert_true(middle[0] < middle[2] + 80);
    /* From the other side the particles stand in front of it. */
    shot.azimuth = 90;
    free(rgb);
    rgb = draw(*state, &scene, &shot);
    middle = pixel(rgb, WIDTH / 2, HEIGHT / 2);
    assert_true(middle[0] > middle[2] + 80);
    free(rgb);
}

static void test_a_container_is_drawn_as_lines(void **state)
{
    rill_boundary tank = {.name = "tank", .open = RILL_SIDE_LOW_Z,
                          .shape = {.kind = RILL_SHAPE_BOX, .from = {-2, -1, -1}, .to = {2, 1, 1}}};
    rill_scene scene = {.name = "tank", .boundaries = &tank, .boundary_count = 1};
    rill_shot shot = small_shot(RILL_SHOT_SPEED);
    uint8_t *rgb = draw(*state, &scene, &shot);
    int dark_rows = 0;
    for (int y = 0; y < HEIGHT; y++) dark_rows += brightness(pixel(rgb, WIDTH / 4, y)) < 190;
    /* Front and back edges at top and bottom, a pixel or two each, and perhaps a particle. */
    assert_true(dark_rows >= 2 && dark_rows <= 60);
    int left, right;
    row_ends(rgb, &left, &right);
    assert_true(right - left > WIDTH / 2);
    free(rgb);
}

static void test_a_stray_particle_does_not_shrink_the_picture(void **state)
{
    sample *s = *state;
    enum { MANY = 4000 };
    float *position = calloc(MANY * 4, sizeof *position), *velocity = calloc(MANY * 4, sizeof *velocity);
    for (int i = 0; i < MANY; i++) {
        position[4 * i] = (float)(i % 20) / 10;
        position[4 * i + 2] = (float)(i / 20 % 20) / 10;
    }
    position[0] = 1e6f;
    position[5] = NAN;
    velocity[10] = INFINITY;
    array_set(&s->arrays[0], "position", RILL_F32, 3, 4, position);
    array_set(&s->arrays[1], "velocity", RILL_F32, 3, 4, velocity);
    s->arrays[0].count = s->arrays[1].count = MANY;
    s->frame.count = MANY;
    s->frame.diameter = 0.1;
    rill_shot shot = small_shot(RILL_SHOT_SPEED);
    uint8_t *rgb = draw(s, NULL, &shot);
    int filled = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) filled += !is_background(rgb + 3 * i);
    assert_true(filled > WIDTH * HEIGHT / 10);
    free(rgb);
    free(position);
    free(velocity);
}

/* Three of four particles, or all, far away or nowhere: what is near fills the picture as if it were alone. */
static void test_particles_far_away_are_left_out(void **state)
{
    sample *s = *state;
    const float places[] = {6e6f, 1e19f, 3e38f, INFINITY, NAN};
    rill_shot shot = small_shot(RILL_SHOT_SPEED);
    uint8_t *alone[2];
    s->frame.count = 1;
    for (int surface = 0; surface < 2; surface++) {
        shot.surface = surface;
        alone[surface] = draw(s, NULL, &shot);
        assert_false(is_background(pixel(alone[surface], WIDTH / 2, HEIGHT / 2)));
    }
    s->frame.count = 4;
    for (int i = 0; i < 10; i++) {
        shot.surface = i % 2;
        shot.low = shot.high = 0;
        for (int k = 1; k < 4; k++) s->position[k][k - 1] = places[i / 2], s->velocity[k][1] = 0;
        uint8_t *rgb = draw(s, NULL, &shot);
        assert_memory_equal(rgb, alone[i % 2], WIDTH * HEIGHT * 3);
        free(rgb);
        const float x = s->position[0][0];
        s->position[0][0] = places[i / 2];
        rgb = draw(s, NULL, &shot);
        assert_true(is_background(pixel(rgb, WIDTH / 2, HEIGHT / 2)));
        free(rgb);
        s->position[0][0] = x;
    }
    free(alone[0]);
    free(alone[1]);
}

static void test_what_cannot_be_drawn_is_refused(void **state)
{
    sample *s = *state;
    rill_error err;
    rill_shot shot = small_shot(RILL_SHOT_PRESSURE);
    snprintf(s->arrays[3].name, sizeof s->arrays[3].name, "other");
    assert_int_equal(rill_shot_write(&s->frame, NULL, &shot, s->path, &err), RILL_BAD_INPUT);
    assert_non_null(strstr(err.text, "pressure"));
    shot = small_shot(RILL_SHOT_SPEED);
    shot.width = 3;
    assert_int_equal(rill_shot_write(&s->frame, NULL, &shot, s->path, &err), RILL_BAD_INPUT);
    shot = small_shot(RILL_SHOT_SPEED);
    shot.colour = (rill_shot_colour)4;
    assert_int_equal(rill_shot_write(&s->frame, NULL, &shot, s->path, &err), RILL_BAD_INPUT);
    assert_non_null(strstr(err.text, "number 4"));
    shot = small_shot(RILL_SHOT_SPEED);
    shot.elevation = 100;
    assert_int_equal(rill_shot_write(&s->frame, NULL, &shot, s->path, &err), RILL_BAD_INPUT);
    shot = small_shot(RILL_SHOT_SPEED);
    shot.low = 2, shot.high = 1;
    assert_int_equal(rill_shot_write(&s->frame, NULL, &shot, s->path, &err), RILL_BAD_INPUT);
    shot = small_shot(RILL_SHOT_SPEED);
    s->arrays[1].count = 1;
    assert_int_equal(rill_shot_write(&s->frame, NULL, &shot, s->path, &err), RILL_BAD_FILE);
    s->arrays[1].count = 4;
    assert_int_equal(rill_shot_write(&s->frame, NULL, &shot, "/proc/none/picture.png", &err), RILL_IO_FAILED);
    assert_int_equal(access(s->path, F_OK), -1);
}

static void test_an_empty_frame_is_a_picture_too(void **state)
{
    sample *s = *state;
    s->frame.count = 0;
    rill_shot shot = small_shot(RILL_SHOT_DENSITY);
    shot.legend = true;
    uint8_t *rgb = draw(s, NULL, &shot);
    free(rgb);
}

static void test_a_bead_is_a_disc_with_the_right_depth(void **state)
{
    (void)state;
    rill_canvas canvas;
    assert_true(rill_canvas_create(&canvas, 64, 64, true));
    rill_view view = {.eye = {0, -10, 0}, .right = {1, 0, 0}, .up = {0, 0, 1}, .forward = {0, 1, 0},
                      .scale = 10, .centre_x = 32, .centre_y = 32};
    rill_canvas_bead(&canvas, &view, (rill_vec3){0, 0, 0}, 1, 0xff8040);
    int covered = 0;
    for (int y = 0; y < 64; y++) {
        for (int x = 0; x < 64; x++) {
            double dx = (x + 0.5 - 32) / 10, dy = (y + 0.5 - 32) / 10, rest = 1 - dx * dx - dy * dy;
            float depth = canvas.depth[y * 64 + x];
            assert_int_equal(isfinite(depth) != 0, rest >= 0);
            if (rest >= 0) assert_true(fabs((double)depth - (10 - sqrt(rest))) < 1e-5);
            covered += rest >= 0;
        }
    }
    assert_true(fabs(covered - 314.16) < 10);
    /* A second one behind it changes nothing; one in front replaces it. */
    rill_canvas_bead(&canvas, &view, (rill_vec3){0, 3, 0}, 1, 0x0000ff);
    assert_int_equal(canvas.samples[32 * 64 + 32].red, 0xff);
    rill_canvas_bead(&canvas, &view, (rill_vec3){0, -3, 0}, 1, 0x0000ff);
    assert_int_equal(canvas.samples[32 * 64 + 32].red, 0);
    /* Particles far outside, behind, or nowhere at all draw nothing and crash nothing. */
    rill_canvas_bead(&canvas, &view, (rill_vec3){1e30, 0, 1e30}, 1, 0xffffff);
    rill_canvas_bead(&canvas, &view, (rill_vec3){0, -50, 0}, 1, 0xffffff);
    rill_canvas_bead(&canvas, &view, (rill_vec3){NAN, NAN, NAN}, 1, 0xffffff);
    assert_int_equal(canvas.samples[32 * 64 + 32].red, 0);
    rill_canvas_free(&canvas);
}

static double lightness(uint32_t colour)
{
    double light = 0.2126 * (double)rill_palette_light((uint8_t)(colour >> 16)) +
                   0.7152 * (double)rill_palette_light((uint8_t)(colour >> 8)) +
                   0.0722 * (double)rill_palette_light((uint8_t)colour);
    return cbrt(light);
}

static void test_palettes_climb_evenly(void **state)
{
    (void)state;
    for (int map = RILL_SHOT_SPEED; map <= RILL_SHOT_PRESSURE; map++) {
        rill_palette p = rill_palette_for((rill_shot_colour)map);
        double first = lightness(p.colours[0]), span = lightness(p.colours[RILL_PALETTE_SIZE - 1]) - first;
        assert_true(span > 0.4);
        for (int i = 16; i < RILL_PALETTE_SIZE; i += 16) {
            double step = lightness(p.colours[i]) - lightness(p.colours[i - 16]);
            assert_true(step > 0.4 * span / 16 && step < 2.0 * span / 16);
        }
        assert_int_equal(rill_palette_at(&p, NAN), p.colours[0]);
        assert_int_equal(rill_palette_at(&p, -5), p.colours[0]);
        assert_int_equal(rill_palette_at(&p, 7), p.colours[RILL_PALETTE_SIZE - 1]);
    }
    for (int i = 0; i < 256; i++) assert_int_equal(rill_palette_level(rill_palette_light((uint8_t)i)), i);
}

static void test_ticks_are_round(void **state)
{
    (void)state;
    static const double spans[] = {1e-7, 0.003, 0.7, 1, 3, 9.99, 42, 1e5, 7.3e9};
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
        double step = rill_legend_step(0, spans[i], 6), digit = step / pow(10, floor(log10(step) + 1e-9));
        assert_true(spans[i] / step <= 6 + 1e-9);
        assert_true(spans[i] / step > 2);
        assert_true(fabs(digit - 1) < 1e-9 || fabs(digit - 2) < 1e-9 || fabs(digit - 2.5) < 1e-9 ||
                    fabs(digit - 5) < 1e-9);
    }
    char text[32];
    rill_legend_count(1234567, text, sizeof text);
    assert_string_equal(text, "1 234 567");
    rill_legend_count(12, text, sizeof text);
    assert_string_equal(text, "12");
}

/* Every printable letter leaves ink of its own, inside the width it claims. */
static void test_letters_have_ink(void **state)
{
    (void)state;
    enum { SIZE = 40 };
    uint8_t rgb[SIZE * SIZE * 3], seen[96][SIZE * SIZE * 3];
    for (int c = '!'; c <= '~'; c++) {
        char text[2] = {(char)c, 0};
        memset(rgb, 255, sizeof rgb);
        rill_pixels pixels = {SIZE, SIZE, rgb};
        rill_text_draw(&pixels, 6, 28, 18, 0.12, 0, text);
        double ink = 0;
        for (size_t i = 0; i < sizeof rgb; i += 3) ink += 255 - rgb[i];
        assert_true(ink > 255);
        for (int y = 0; y < SIZE; y++) assert_int_equal(rgb[(y * SIZE + SIZE - 1) * 3], 255);
        assert_true(rill_text_width(text, 18) < 20);
        for (int other = '!'; other < c; other++) assert_memory_not_equal(seen[other - '!'], rgb, sizeof rgb);
        memcpy(seen[c - '!'], rgb, sizeof rgb);
    }
    /* What the font lacks, and text that is not UTF-8, must not run off its end. */
    rill_pixels pixels = {SIZE, SIZE, rgb};
    rill_text_draw(&pixels, -50, 300, 18, 0.12, 0, "\xe6\xb0\xb4 \xff\xc3");
    assert_true(rill_text_width("kg/m³", 18) > rill_text_width("kg/m", 18));
}

/* The water of a frame, without what it knows of walls. */
static rill_frame_file particles_only(const rill_frame_file *frame, rill_array *arrays)
{
    rill_frame_file bare = *frame;
    bare.state = (rill_state){arrays, 0};
    for (uint32_t i = 0; i < frame->state.count; i++)
        if (frame->state.arrays[i].particle) arrays[bare.state.count++] = frame->state.arrays[i];
    return bare;
}

/* A stored frame of a world whose walls moved and turned looks like a scene that has them there from the start. */
static void test_walls_are_drawn_where_they_are(void **state)
{
    sample *s = *state;
    rill_scene scene = rill_scene_default(), later;
    rill_fluid water = rill_fluid_default();
    rill_fill pool = rill_fill_default();
    rill_boundary tank = rill_boundary_default(), block = rill_boundary_default(), ball = rill_boundary_default();
    rill_boundary log = rill_boundary_default();
    rill_error err = {0};
    rill_array arrays[16];
    rill_frame_file frame;
    scene.particle_diameter = 0.1;
    pool.shape.to = (rill_vec3){1, 0.5, 0.3};
    tank.shape.to = (rill_vec3){2, 0.5, 1};
    tank.motion.velocity.x = -1;
    tank.motion.sides = RILL_SIDE_HIGH_X;
    block.solid = ball.solid = true;
    block.shape.from = (rill_vec3){0.2, 0.1, 0.6};
    block.shape.to = (rill_vec3){0.5, 0.4, 0.8};
    ball.shape = (rill_shape){.kind = RILL_SHAPE_SPHERE, .center = {0.9, 0.2, 0.7}, .radius = 0.1};
    block.motion.velocity.x = ball.motion.velocity.x = 1;
    block.motion.spin = (rill_vec3){1, 4, 0};
    log.solid = true;
    log.shape = (rill_shape){.kind = RILL_SHAPE_CAPSULE, .from = {1.2, 0.1, 0.6}, .to = {1.5, 0.4, 0.8}};
    log.shape.radius = 0.05;
    log.shape.rotate = (rill_rotate){.given = 1, .axis = {0, 0, 1}, .angle = 0.4};
    log.motion.swing = (rill_vec3){0, 0.8, 0}, log.motion.period = 0.8;
    log.motion.about_given = 1, log.motion.about = log.shape.from;
    assert_int_equal(rill_scene_add_fluid(&scene, &water, &err), RILL_OK);
    assert_int_equal(rill_scene_add_fill(&scene, &pool, &err), RILL_OK);
    assert_int_equal(rill_scene_add_boundary(&scene, &tank, &err), RILL_OK);
    assert_int_equal(rill_scene_add_boundary(&scene, &block, &err), RILL_OK);
    assert_int_equal(rill_scene_add_boundary(&scene, &ball, &err), RILL_OK);
    assert_int_equal(rill_scene_add_boundary(&scene, &log, &err), RILL_OK);
    rill_world *world = rill_world_create(&scene, NULL, &err);
    assert_non_null(world);
    assert_int_equal(rill_advance(world, 0.2, NULL, NULL, &err), RILL_OK);
    assert_int_equal(rill_frame_file_write(s->path, world, &err), RILL_OK);
    assert_int_equal(rill_frame_file_read(s->path, &frame, &err), RILL_OK);
    assert_int_equal(rill_scene_copy(&later, &scene, &err), RILL_OK);
    for (uint32_t i = 0; i < 4; i++) later.boundaries[i].shape = rill_world_boundary_shape(world, i);
    assert_true(later.boundaries[0].shape.to.x < 1.9);

    rill_shot shot = small_shot(RILL_SHOT_SPEED);
    shot.azimuth = -60, shot.elevation = 20;
    s->frame = frame;
    uint8_t *moved = draw(s, &scene, &shot);
    s->frame = particles_only(&frame, arrays);
    uint8_t *placed = draw(s, &later, &shot), *stale = draw(s, &scene, &shot);
    assert_memory_equal(moved, placed, WIDTH * HEIGHT * 3);
    assert_memory_not_equal(moved, stale, WIDTH * HEIGHT * 3);
    free(moved), free(placed), free(stale);
    rill_frame_file_free(&frame);
    rill_world_destroy(world);
    rill_scene_free(&scene);
    rill_scene_free(&later);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SAMPLE_TEST(test_walls_are_drawn_where_they_are),
        SAMPLE_TEST(test_row_is_framed_and_centred),
        SAMPLE_TEST(test_faster_is_lighter),
        SAMPLE_TEST(test_a_given_range_is_kept),
        SAMPLE_TEST(test_fluids_take_the_scenes_colours),
        SAMPLE_TEST(test_a_solid_hides_what_is_behind_it),
        SAMPLE_TEST(test_a_container_is_drawn_as_lines),
        SAMPLE_TEST(test_a_stray_particle_does_not_shrink_the_picture),
        SAMPLE_TEST(test_what_cannot_be_drawn_is_refused),
        SAMPLE_TEST(test_an_empty_frame_is_a_picture_too),
        SAMPLE_TEST(test_particles_far_away_are_left_out),
        cmocka_unit_test(test_a_bead_is_a_disc_with_the_right_depth),
        cmocka_unit_test(test_palettes_climb_evenly),
        cmocka_unit_test(test_ticks_are_round),
        cmocka_unit_test(test_letters_have_ink),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Surfaces in quick pictures: where they are drawn, how deep, how lit, and what is refused.
 * label: small */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "render/shot_parts.h"
#include "rill/surface.h"
#include "tests/shots.h"
#include "text/pi.h"

/* A ball of particles on a lattice, faster towards +x, of fluid 0 on the left and 1 on the right. */
typedef struct ball {
    float *position, *velocity;
    uint32_t *fluid;
    rill_array arrays[3];
    double radius; /* of a ball with the particles' volume */
} ball;

static const double ball_diameter = 0.1;

static void ball_make(sample *s, ball *b)
{
    enum { HALF = 10, MOST = 8 * HALF * HALF * HALF };
    *b = (ball){.position = calloc(MOST, 4 * sizeof *b->position),
                .velocity = calloc(MOST, 4 * sizeof *b->velocity),
                .fluid = calloc(MOST, sizeof *b->fluid)};
    uint32_t count = 0;
    for (int cell = 0; cell < MOST; cell++) {
        double x = cell % (2 * HALF) - HALF + 0.5, y = cell / (2 * HALF) % (2 * HALF) - HALF + 0.5;
        double z = cell / (4 * HALF * HALF) - HALF + 0.5;
        if (x * x + y * y + z * z > (HALF - 0.5) * (HALF - 0.5)) continue;
        float *to = b->position + 4 * count;
        to[0] = (float)(x * ball_diameter), to[1] = (float)(y * ball_diameter), to[2] = (float)(z * ball_diameter);
        b->velocity[4 * count] = 1 + to[0];
        b->fluid[count++] = x > 0;
    }
    b->radius = ball_diameter * cbrt(count * 3 / (4 * RILL_PI));
    array_set(&b->arrays[0], "position", RILL_F32, 3, 4, b->position);
    array_set(&b->arrays[1], "velocity", RILL_F32, 3, 4, b->velocity);
    array_set(&b->arrays[2], "fluid", RILL_U32, 1, 1, b->fluid);
    for (int i = 0; i < 3; i++) b->arrays[i].count = count;
    s->frame = (rill_frame_file){.diameter = ball_diameter, .count = count, .state = {b->arrays, 3}};
}

static void ball_free(ball *b)
{
    free(b->position);
    free(b->velocity);
    free(b->fluid);
}

static void test_a_frame_gives_particles_and_a_surface(void **state)
{
    sample *s = *state;
    ball b;
    ball_make(s, &b);
    rill_error err = {0};
    rill_particles particles;
    rill_mesh mesh;
    rill_mesh_check check;
    rill_scene scene = rill_scene_default();
    rill_fluid water = rill_fluid_default(), oil = water;
    oil.colour = 0xff8000;
    assert_int_equal(rill_scene_add_fluid(&scene, &water, &err), RILL_OK);
    assert_int_equal(rill_scene_add_fluid(&scene, &oil, &err), RILL_OK);
    assert_int_equal(rill_particles_of_frame(&s->frame, &scene, &particles, &err), RILL_OK);
    const char *names[] = {"speed", "colour"};
    rill_surface_options options = rill_surface_default();
    options.values = names;
    options.value_count = 2;
    assert_int_equal(rill_surface_make(&particles, &options, &mesh, NULL, &err), RILL_OK);
    assert_int_equal(rill_mesh_examine(&mesh, &check, &err), RILL_OK);
    assert_true(check.boundary_edges == 0 && check.crowded_edges == 0 && check.euler == 2);
    const double volume = s->frame.count * pow(ball_diameter, 3);
    assert_true(fabs(check.volume - volume) < 0.05 * volume);
    for (size_t v = 0; v < mesh.vertex_count; v++) {
        const float x = mesh.position[3 * v];
        assert_true(fabsf(mesh.values[0].data[v] - (1 + x)) < 0.1f);
        if (x > 2 * (float)ball_diameter) assert_true(fabsf(mesh.values[1].data[3 * v + 1] - 128 / 255.0f) < 0.01f);
    }
    rill_mesh_free(&mesh);
    rill_particles_free(&particles);
    rill_scene_free(&scene);
    s->frame.state.count = 0;
    assert_int_equal(rill_particles_of_frame(&s->frame, NULL, &particles, &err), RILL_BAD_FILE);
    assert_null(particles.position);
    ball_free(&b);
}

static void test_the_surface_of_a_ball_is_a_disc_with_the_right_depth(void **state)
{
    sample *s = *state;
    ball b;
    ball_make(s, &b);
    enum { SIZE = 300 };
    rill_error err = {0};
    rill_canvas canvas;
    rill_paint paint;
    rill_mesh mesh = {0};
    rill_shot shot = small_shot(RILL_SHOT_SPEED);
    rill_stage_set set = {.frame = &s->frame, .position = &b.arrays[0]};
    /* Parallel, then in perspective from far enough that the outline hardly grows. */
    rill_view view = {.eye = {0, -500, 0}, .right = {1, 0, 0}, .up = {0, 0, 1}, .forward = {0, 1, 0},
                      .scale = 120, .centre_x = SIZE / 2.0, .centre_y = SIZE / 2.0};
    assert_int_equal(rill_paint_create(&s->frame, NULL, &shot, &paint, &err), RILL_OK);
    assert_int_equal(rill_shot_surface_make(&set, &paint, &mesh, &err), RILL_OK);
    for (int pass = 0; pass < 2; pass++) {
        assert_true(rill_canvas_create(&canvas, SIZE, SIZE, true));
        rill_shot_surface_draw(&mesh, &paint, &canvas, &view);
        int covered = 0, inner = 0;
        double off = 0;
        for (int i = 0; i < SIZE * SIZE; i++) {
            double x = (i % SIZE + 0.5 - SIZE / 2.0) / 120, y = (i / SIZE + 0.5 - SIZE / 2.0) / 120, r = hypot(x, y);
            double depth = (double)canvas.depth[i];
            covered += isfinite(depth) != 0;
            if (r > b.radius + ball_diameter) assert_true(isinf(depth) && !canvas.samples[i].material);
            if (r > b.radius - ball_diameter) continue;
            /* On the near half of the ball. */
            const double away = hypot(r, 500 - depth) - b.radius;
            if (!(depth < 500 && fabs(away) < 0.6 * ball_diameter)) fail_msg("%g m off the ball at %g m", away, r);
            assert_int_equal(canvas.samples[i].material, RILL_MATERIAL_LIQUID);
            off += hypot(canvas.samples[i].right / (double)RILL_NORMAL_LENGTH - x / b.radius,
                         canvas.samples[i].up / (double)RILL_NORMAL_LENGTH + y / b.radius);
            inner++;
        }
        /* Normals point as the ball's do, but for the lattice's terraces. */
        if (off > 0.1 * inner) fail_msg("normals are off by %.3f", off / inner);
        double disc = RILL_PI * b.radius * b.radius * 120 * 120;
        if (fabs(covered - disc) > 0.04 * disc) fail_msg("%d samples of %.0f are covered", covered, disc);
        rill_canvas_free(&canvas);
        view.perspective = true;
        view.scale = 120 * 500;
    }
    rill_mesh_free(&mesh);
    rill_paint_free(&paint);
    ball_free(&b);
}

static void test_a_surface_is_lit_and_leaves_the_background(void **state)
{
    sample *s = *state;
    ball b;
    ball_make(s, &b);
    rill_shot shot = small_shot(RILL_SHOT_SPEED);
    uint8_t *spheres = draw(s, NULL, &shot);
    shot.surface = true;
    uint8_t *surface = draw(s, NULL, &shot), *again = draw(s, NULL, &shot);
    assert_memory_equal(surface, again, WIDTH * HEIGHT * 3);
    int left, right, radius, covered[2] = {0, 0};
    row_ends(surface, &left, &right);
    radius = (right - left) / 2;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        covered[0] += !is_background(spheres + 3 * i);
        covered[1] += !is_background(surface + 3 * i);
        if (hypot(i % WIDTH - WIDTH / 2.0, i / WIDTH - HEIGHT / 2.0) > 1.15 * radius)
            assert_memory_equal(spheres + 3 * i, surface + 3 * i, 3);
    }
    assert_true(abs(covered[0] - covered[1]) < covered[0] / 12);
    /* The lamp stands to the upper left; the speed is the same along a column. */
    const int x = WIDTH / 2, below = HEIGHT / 2 + radius * 85 / 100;
    assert_true(brightness(pixel(surface, x, HEIGHT / 2)) > brightness(pixel(surface, x, below)) + 15);
    /* Beads cast shadows on each other everywhere; water is smooth. */
    double rough[2] = {0, 0};
    for (int y = HEIGHT / 2 - radius / 2; y < HEIGHT / 2 + radius / 2; y++) {
        rough[0] += fabs(brightness(pixel(spheres, x, y + 1)) - brightness(pixel(spheres, x, y)));
        rough[1] += fabs(brightness(pixel(surface, x, y + 1)) - brightness(pixel(surface, x, y)));
    }
    assert_true(rough[1] < rough[0] / 3);
    free(spheres), free(surface), free(again);
    ball_free(&b);
}

static void test_a_surface_takes_colours_and_passes_over_strays(void **state)
{
    sample *s = *state;
    ball b;
    ball_make(s, &b);
    rill_fluid fluids[2] = {{.name = "red", .colour = 0xd02020}, {.name = "green", .colour = 0x20d020}};
    rill_scene scene = {.name = "two", .fluids = fluids, .fluid_count = 2};
    rill_shot shot = small_shot(RILL_SHOT_FLUID);
    shot.surface = true;
    b.position[0] = 1e30f;
    b.position[5] = NAN;
    uint8_t *rgb = draw(s, &scene, &shot);
    int left, right;
    row_ends(rgb, &left, &right);
    const int radius = (right - left) / 2;
    const uint8_t *red = pixel(rgb, WIDTH / 2 - radius / 2, HEIGHT / 2);
    const uint8_t *green = pixel(rgb, WIDTH / 2 + radius / 2, HEIGHT / 2);
    assert_true(red[0] > red[1] + 60);
    assert_true(green[1] > green[0] + 60);
    free(rgb);
    shot.colour = RILL_SHOT_SPEED;
    shot.legend = true;
    b.velocity[4 * 2000] = INFINITY;
    rgb = draw(s, &scene, &shot);
    free(rgb);
    s->frame.count = 0;
    rgb = draw(s, &scene, &shot);
    for (int i = 0; i < HEIGHT; i++) assert_true(is_background(pixel(rgb, WIDTH / 2, i)) || i < 60);
    free(rgb);
    ball_free(&b);
}

static void test_what_has_no_surface_is_refused(void **state)
{
    sample *s = *state;
    rill_error err = {0};
    ball b;
    ball_make(s, &b);
    rill_shot shot = small_shot(RILL_SHOT_PRESSURE);
    shot.surface = true;
    assert_int_equal(rill_shot_write(&s->frame, NULL, &shot, s->path, &err), RILL_BAD_INPUT);
    assert_non_null(strstr(err.text, "pressure"));
    shot.colour = (rill_shot_colour)17;
    assert_int_equal(rill_shot_write(&s->frame, NULL, &shot, s->path, &err), RILL_BAD_INPUT);
    shot.colour = RILL_SHOT_SPEED;
    s->frame.diameter = 0;
    assert_int_equal(rill_shot_write(&s->frame, NULL, &shot, s->path, &err), RILL_BAD_FILE);
    assert_non_null(strstr(err.text, "surface"));
    assert_int_equal(access(s->path, F_OK), -1);
    ball_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SAMPLE_TEST(test_a_frame_gives_particles_and_a_surface),
        SAMPLE_TEST(test_the_surface_of_a_ball_is_a_disc_with_the_right_depth),
        SAMPLE_TEST(test_a_surface_is_lit_and_leaves_the_background),
        SAMPLE_TEST(test_a_surface_takes_colours_and_passes_over_strays),
        SAMPLE_TEST(test_what_has_no_surface_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* From a frame and its scene to a stage: what touches a wall, which pictures
 * come out, meshes that come back from files. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "render_sample.h"

#include "base/store.h"
#include "base/vec3.h"
#include "render/tone.h"
#include "rill/render.h"
#include "surface/mesh_read.h"

static rill_picture render(sample *s, const rill_stage_options *options, const rill_camera *camera, uint32_t samples)
{
    rill_stage *stage;
    rill_stage_report report;
    rill_error err = {0};
    rill_trace_result result = {0};
    if (rill_stage_of_frame(&s->frame, &s->scene, options, &stage, &report, &err)) fail_msg("%s", err.text);
    assert_int_equal(report.drops, 1);
    assert_true(report.triangles > 100);
    rill_trace_options trace = rill_trace_default();
    trace.width = WIDTH;
    trace.height = HEIGHT;
    trace.samples = samples;
    trace.scheduler = options->scheduler;
    if (rill_trace(stage, camera, &trace, &result, &err)) fail_msg("%s", err.text);
    rill_picture picture = {.width = result.width, .height = result.height, .rgb = result.rgb};
    result.rgb = NULL;
    rill_trace_result_free(&result);
    rill_stage_free(stage);
    return picture;
}

static rill_camera camera_of(const sample *s)
{
    (void)s;
    const rill_orbit orbit = {.azimuth = -62, .elevation = 17, .box = {{0, 0, 0}, {1, 0.4, 0.8}}};
    return rill_orbit_camera(&orbit, 0, 0, WIDTH, HEIGHT);
}

/* ---- liquid at walls ---- */

/* The surface of a block in a corner ends in the glass of three walls and below the floor, and nowhere else. */
static void liquid_touches_its_walls(void **state)
{
    sample *s = *state;
    const double d = s->frame.diameter;
    rill_particles particles = {.count = COUNT, .diameter = d};
    rill_surface_options surface = rill_look_surface(RILL_LOOK_CLEAR);
    rill_mesh mesh;
    particles.position = malloc(sizeof(float) * 3 * COUNT);
    for (int i = 0; i < COUNT; i++) memcpy(particles.position + 3 * i, s->position[i], 3 * sizeof(float));
    assert_int_equal(rill_surface_make(&particles, &surface, &mesh, NULL, NULL), RILL_OK);
    const rill_stage_options options = options_of(s, RILL_LOOK_CLEAR);
    const rill_set_work work = {.set = {.frame = &s->frame, .position = &s->arrays[0], .scene = &s->scene},
                                .options = &options, .glass = 0.02, .ground = 0};
    double low[3] = {1, 1, 1}, high[3] = {-1, -1, -1};
    assert_int_equal(rill_set_touch(&work, &mesh, 0.5, NULL), RILL_OK);
    size_t film = 0;
    for (size_t i = 0; i < mesh.vertex_count; i++) {
        for (int k = 0; k < 3; k++) {
            const double v = (double)mesh.position[3 * i + (size_t)k];
            low[k] = fmin(low[k], v), high[k] = fmax(high[k], v);
            if (k < 2 && v > 1e-6 && v < 0.2 * d) film++;
        }
    }
    /* No triangle has a corner whose normal looks to its back. */
    size_t turned = 0;
    for (size_t k = 0; k < mesh.triangle_count; k++) {
        const uint32_t *v = mesh.triangle + 3 * k;
        rill_vec3 p[3];
        for (int i = 0; i < 3; i++) {
            const float *at = mesh.position + 3 * (size_t)v[i];
            p[i] = (rill_vec3){(double)at[0], (double)at[1], (double)at[2]};
        }
        const rill_vec3 u = rill_vec3_sub(p[1], p[0]), w = rill_vec3_sub(p[2], p[0]);
        const rill_vec3 n = {u.y * w.z - u.z * w.y, u.z * w.x - u.x * w.z, u.x * w.y - u.y * w.x};
        for (int i = 0; i < 3; i++) {
            const float *m = mesh.normal + 3 * (size_t)v[i];
            turned += n.x * (double)m[0] + n.y * (double)m[1] + n.z * (double)m[2] < 0;
        }
    }
    assert_true(turned < mesh.triangle_count / 200);
    rill_mesh_check check;
    assert_int_equal(rill_mesh_examine(&mesh, &check, NULL), RILL_OK);
    assert_int_equal(check.boundary_edges + check.crowded_edges + check.twisted_edges, 0);
    assert_true(low[0] > -0.0101 && low[0] < -0.005 && low[1] > -0.0101 && low[1] < -0.005 && low[2] < -0.15 * d);
    assert_true(high[1] > 0.405 && high[1] < 0.4101);               /* the block is as wide as the tank */
    assert_true(high[0] > 0.3 && high[0] < 0.45 && high[2] < 0.45); /* free on the other sides */
    /* Few vertices, those on their way from the wall to the free surface, lie close to a wall without touching it. */
    assert_true(film < mesh.vertex_count / 10);
    rill_mesh_free(&mesh);
    free(particles.position);
}

/* Vertices one behind the other stay so, at walls of glass and at unseen ones: no film is pressed flat. */
static void films_keep_their_sides_apart(void **state)
{
    enum { POINTS = 40 };
    sample *s = *state;
    const double d = s->frame.diameter;
    for (int seen = 0; seen < 2; seen++) {
        float position[POINTS][3];
        for (int i = 0; i < POINTS; i++) {
            position[i][0] = (float)((i / 10.0 - 0.5) * d);
            position[i][1] = 0.2f, position[i][2] = 0.4f;
        }
        rill_mesh mesh = {.vertex_count = POINTS, .position = position[0]};
        const rill_stage_options options = options_of(s, RILL_LOOK_CLEAR);
        const rill_set_work work = {.set = {.frame = &s->frame, .position = &s->arrays[0], .scene = &s->scene},
                                    .options = &options, .glass = seen * 0.02, .ground = 0};
        assert_int_equal(rill_set_touch(&work, &mesh, 0.5, NULL), RILL_OK);
        for (int i = 1; i < POINTS; i++) assert_true((double)(position[i][0] - position[i - 1][0]) > 1e-3 * d);
        assert_true((double)position[10][0] < 0 && (double)position[0][0] > -0.5 * d);
        assert_true(fabs((double)position[POINTS - 1][0] - 3.4 * d) < 1e-6);
    }
}

static void open_and_wrapped_sides_have_no_wall(void **state)
{
    sample *s = *state;
    assert_true(rill_set_has_wall(&s->scene, 0, 0, false));
    s->scene.boundaries[0].open = RILL_SIDE_HIGH_X;
    s->scene.periodic[1] = true;
    assert_false(rill_set_has_wall(&s->scene, 0, 0, true));
    assert_true(rill_set_has_wall(&s->scene, 0, 0, false));
    assert_false(rill_set_has_wall(&s->scene, 0, 1, false) || rill_set_has_wall(&s->scene, 0, 1, true));
}

/* ---- pictures ---- */

/* Every look gives a picture that is lit everywhere and shows the liquid as something else than the ground. */
static void every_look_shows_the_liquid(void **state)
{
    sample *s = *state;
    const rill_camera camera = camera_of(s);
    for (int look = 0; look < RILL_LOOK_COUNT; look++) {
        const rill_stage_options options = options_of(s, (rill_look)look);
        rill_picture with = render(s, &options, &camera, slow_build() ? 2 : 8);
        rill_pixels pixels = {WIDTH, HEIGHT, malloc(3 * WIDTH * HEIGHT)};
        rill_tone_map(&with, rill_picture_exposure(&with, 0), &pixels);
        double ground = 0, most = 0;
        for (int x = 0; x < WIDTH; x++) ground += pixels.rgb[3 * x + 1] / (double)WIDTH;
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            for (int k = 0; k < 3; k++) assert_true(isfinite(with.rgb[3 * i + k]) && with.rgb[3 * i + k] >= 0);
            most = fmax(most, fabs(pixels.rgb[3 * i + 1] - ground));
        }
        const char *name = rill_look_name((rill_look)look);
        if (ground < 90 || ground > 252) fail_msg("the ground of %s has level %g", name, ground);
        if (most < 25) fail_msg("nothing is to be seen in %s", name);
        free(pixels.rgb);
        rill_picture_free(&with);
    }
}

static void threads_give_the_same_bits(void **state)
{
    sample *s = *state;
    const rill_camera camera = camera_of(s);
    rill_stage_options options = options_of(s, RILL_LOOK_CLEAR);
    rill_picture two = render(s, &options, &camera, 2);
    rill_threads *pool = rill_threads_create(3, NULL);
    const rill_scheduler three = rill_threads_scheduler(pool);
    options.scheduler = &three;
    rill_picture other = render(s, &options, &camera, 2);
    assert_memory_equal(two.rgb, other.rgb, 3 * WIDTH * HEIGHT * sizeof(float));
    rill_picture_free(&two);
    rill_picture_free(&other);
    rill_threads_destroy(pool);
}

/* A map that is bright on one side lights that side. */
static void environment_lights_the_scene(void **state)
{
    sample *s = *state;
    const rill_camera camera = camera_of(s);
    rill_stage_options options = options_of(s, RILL_LOOK_CLAY);
    rill_picture map;
    assert_true(rill_picture_create(&map, 16, 8));
    for (int i = 0; i < 16 * 4; i++) map.rgb[3 * i] = 5; /* red from above, nothing from below */
    options.light = RILL_LIGHT_MAP;
    options.map = &map;
    rill_picture picture = render(s, &options, &camera, 2);
    double red = 0, other = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) red += (double)picture.rgb[3 * i], other += (double)picture.rgb[3 * i + 1];
    assert_true(red / (WIDTH * HEIGHT) > 0.5 && other == 0);
    rill_picture_free(&picture);
    rill_picture_free(&map);
}

/* A container that is a ball shows as a thin shell, which dims what is behind it a little and, unlike a whole ball of
 * glass, turns nothing around. */
static void balls_hold_liquid_in_a_shell(void **state)
{
    sample *s = *state;
    rill_stage_options options = options_of(s, RILL_LOOK_CLEAR);
    rill_camera camera = rill_camera_default();
    rill_picture map, seen[2];
    double light[2][2][2] = {{{0}}}; /* with glass or without, left or right, red or blue */
    assert_true(rill_picture_create(&map, 1024, 8));
    for (int i = 0; i < 1024 * 8; i++) map.rgb[3 * i + (i % 1024 < 512 ? 0 : 2)] = 1;
    options.light = RILL_LIGHT_MAP;
    options.map = &map;
    s->scene.boundaries[0].shape = (rill_shape){.kind = RILL_SHAPE_SPHERE, .center = {0.5, 0.3, 0.5}, .radius = 0.5};
    camera.eye = (rill_vec3){-3, 0.3, 0.5};
    camera.target = (rill_vec3){0.5, 0.3, 0.75};
    camera.angle = 6;
    for (int glass = 0; glass < 2; glass++) {
        options.glass = glass;
        seen[glass] = render(s, &options, &camera, 8);
        for (int i = 0; i < HEIGHT / 4 * WIDTH; i++) {
            const int right = i % WIDTH >= WIDTH / 2;
            for (int k = 0; k < 2; k++) light[glass][right][k] += (double)seen[glass].rgb[3 * i + 2 * k];
        }
        rill_picture_free(&seen[glass]);
    }
    for (int right = 0; right < 2; right++) {
        const int own = light[0][right][0] > light[0][right][1] ? 0 : 1;
        const double share = light[1][right][own] / light[0][right][own];
        assert_true(share > 0.75 && share < 0.99);
        assert_true(light[1][right][own] > 4 * light[1][right][1 - own]);
    }
    rill_picture_free(&map);
}

static void frames_without_particles_are_pictures_too(void **state)
{
    sample *s = *state;
    const rill_stage_options options = options_of(s, RILL_LOOK_CLEAR);
    rill_stage *stage;
    rill_error err = {0};
    s->frame.count = 0;
    if (rill_stage_of_frame(&s->frame, &s->scene, &options, &stage, NULL, &err)) fail_msg("%s", err.text);
    rill_stage_free(stage);
    s->frame.state.count = 0;
    assert_int_equal(rill_stage_of_frame(&s->frame, &s->scene, &options, &stage, NULL, &err), RILL_BAD_FILE);
    assert_null(stage);
}

/* A few, all or all but one of the particles far away or nowhere, and one alone: what is near is shown, the rest is
 * counted. */
static void particles_far_away_are_left_out(void **state)
{
    sample *s = *state;
    const float places[] = {6e5f, 1e19f, 3e38f, -3e38f, INFINITY, NAN};
    const uint32_t counts[][2] = {{COUNT + 1, 8}, {COUNT + 1, COUNT + 1}, {COUNT + 1, COUNT}, {1, 0}, {1, 1}};
    rill_scene_free(&s->scene);
    s->scene = water_scene(s->frame.diameter);
    for (size_t i = 0; i < sizeof places / sizeof *places * 5; i++) {
        const uint32_t count = counts[i % 5][0], far = counts[i % 5][1];
        sample moved = *s;
        rill_stage_report report;
        rill_stage *stage;
        rill_error err = {0};
        moved.frame.state.arrays = moved.arrays;
        moved.arrays[0].data = moved.position;
        moved.frame.count = count;
        for (uint32_t k = 0; k < far; k++) moved.position[k][k % 3] = places[i / 5];
        const rill_stage_options options = options_of(&moved, i % 2 ? RILL_LOOK_CLEAR : RILL_LOOK_TOY);
        const rill_stage_set set = {.frame = &moved.frame, .position = &moved.arrays[0], .scene = &moved.scene};
        rill_bounds box;
        assert_int_equal(rill_set_bounds(&set, &box, &err), RILL_OK);
        const rill_orbit orbit = {.box = box, .azimuth = -62, .elevation = 14};
        const rill_camera camera = rill_orbit_camera(&orbit, 0, 0, WIDTH, HEIGHT);
        rill_trace_options trace = rill_trace_default();
        rill_trace_result result = {0};
        trace.width = trace.height = 16;
        trace.samples = 1;
        if (rill_stage_of_frame(&moved.frame, &moved.scene, &options, &stage, &report, &err)) fail_msg("%s", err.text);
        assert_int_equal(report.far, far);
        if (rill_trace(stage, &camera, &trace, &result, &err)) fail_msg("%s", err.text);
        rill_trace_result_free(&result);
        rill_stage_free(stage);
    }
}

/* Embree would end the program. */
static void stages_have_an_end(void **state)
{
    (void)state;
    rill_error err = {0};
    rill_stage *stage = rill_stage_create(&err);
    const rill_material matt = rill_material_default(RILL_MATERIAL_LAMBERT);
    uint32_t id;
    assert_int_equal(rill_stage_add_material(stage, &matt, &id, &err), RILL_OK);
    const float spheres[][4] = {{0, 1e19f, 0, 1}, {0, 0, 0, 1e19f}, {NAN, 0, 0, 1}};
    for (int i = 0; i < 3; i++)
        assert_int_equal(rill_stage_add_spheres(stage, spheres[i], 1, id, &err), RILL_BAD_INPUT);
    assert_int_equal(rill_stage_commit(stage, &err), RILL_OK);
    rill_trace_options options = rill_trace_default();
    rill_trace_result result;
    rill_camera camera = rill_camera_default();
    options.width = options.height = 4;
    camera.eye.x = 1e19;
    assert_int_equal(rill_trace(stage, &camera, &options, &result, &err), RILL_BAD_INPUT);
    rill_stage_free(stage);
}

/* ---- meshes from files ---- */

static void meshes_come_back(void **state)
{
    (void)state;
    float position[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, normal[] = {-1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    uint32_t triangle[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    const rill_mesh mesh = {.vertex_count = 4, .triangle_count = 4, .position = position, .normal = normal,
                            .triangle = triangle};
    rill_mesh back;
    char path[64];
    snprintf(path, sizeof path, "/tmp/rill_test_render_%ld.ply", (long)getpid());
    assert_int_equal(rill_mesh_write(&mesh, RILL_MESH_PLY, path, NULL), RILL_OK);
    assert_int_equal(rill_mesh_read(path, (rill_vec3){0, 0, 0}, &back, NULL), RILL_OK);
    assert_int_equal(back.vertex_count, 4);
    assert_memory_equal(back.position, position, sizeof position);
    assert_memory_equal(back.normal, normal, sizeof normal);
    assert_memory_equal(back.triangle, triangle, sizeof triangle);
    rill_mesh_free(&back);
    for (long size = 0; size < 300; size += 7) {
        assert_int_equal(truncate(path, 300 - size), 0);
        assert_int_equal(rill_mesh_read(path, (rill_vec3){0, 0, 0}, &back, NULL), RILL_BAD_FILE);
        assert_null(back.position);
    }
    unlink(path);
    assert_int_not_equal(rill_mesh_read(path, (rill_vec3){0, 0, 0}, &back, NULL), RILL_OK);
}

#define MESH_TOP "ply\nformat binary_little_endian 1.0\n"
#define MESH_NORMALS "property float nx\nproperty float ny\nproperty float nz\n"
#define MESH_POINTS "element vertex 1\nproperty float x\nproperty float y\nproperty float z\n" MESH_NORMALS
#define MESH_LIST "property list uchar int vertex_indices\n"

/* A header, and a body of so many zero bytes, at the origin. */
static rill_status mesh_try(const char *head, size_t body)
{
    const size_t length = strlen(head);
    char *bytes = calloc(1, length + body + 1);
    rill_mesh back;
    rill_error err = {0};
    assert_non_null(bytes);
    memcpy(bytes, head, length);
    const rill_status status = rill_mesh_decode(bytes, length + body, "a.ply", (rill_vec3){0}, &back, &err);
    assert_true(!status || strstr(err.text, "a.ply"));
    rill_mesh_free(&back);
    free(bytes);
    return status;
}

/* Bytes that would be read as what they are not. */
static void other_meshes_are_refused(void **state)
{
    static const struct {
        const char *head;
        size_t body;
    } wrong[] = {
        /* coordinates of both kinds */
        {MESH_TOP "element vertex 1\n" MESH_NORMALS "property float x\nproperty double y\nproperty double z\n"
                  "element face 0\n" MESH_LIST "end_header\n", 32},
        {MESH_TOP MESH_POINTS MESH_LIST "element face 0\n" MESH_LIST "end_header\n", 24},
        {MESH_TOP MESH_POINTS "element face 0\n" MESH_LIST MESH_LIST "end_header\n", 24},
        {MESH_TOP MESH_POINTS "element face 0\nproperty list uchar float vertex_indices\nend_header\n", 24},
        {MESH_TOP MESH_POINTS "element vertex 1\nelement face 0\n" MESH_LIST "end_header\n", 24},
        {MESH_TOP MESH_POINTS "element face 0\n" MESH_LIST "end_header", 0},
        {MESH_TOP MESH_POINTS "element face 0\n" MESH_LIST "end_header\n", 25},
        {MESH_TOP, 0},
    };
    (void)state;
    assert_int_equal(mesh_try(MESH_TOP MESH_POINTS "element face 0\n" MESH_LIST "end_header\n", 24), RILL_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (mesh_try(wrong[i].head, wrong[i].body) != RILL_BAD_FILE) fail_msg("mesh %zu was taken", i);
}

/* Lines of a header must not each cost as much as all of the file. */
static void long_headers_are_read(void **state)
{
    enum { LINES = 400000 };
    static const char remark[] = "comment\n", rest[] = MESH_POINTS "element face 0\n" MESH_LIST "end_header\n";
    const size_t top = strlen(MESH_TOP), length = strlen(remark);
    char *head = malloc(top + LINES * length + sizeof rest);
    (void)state;
    assert_non_null(head);
    memcpy(head, MESH_TOP, top);
    for (size_t i = 0; i < LINES; i++) memcpy(head + top + i * length, remark, length);
    memcpy(head + top + LINES * length, rest, sizeof rest);
    assert_int_equal(mesh_try(head, 24), RILL_OK);
    free(head);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SAMPLE_TEST(liquid_touches_its_walls),
        SAMPLE_TEST(films_keep_their_sides_apart),
        SAMPLE_TEST(open_and_wrapped_sides_have_no_wall),
        SAMPLE_TEST(every_look_shows_the_liquid),
        SAMPLE_TEST(threads_give_the_same_bits),
        SAMPLE_TEST(environment_lights_the_scene),
        SAMPLE_TEST(balls_hold_liquid_in_a_shell),
        SAMPLE_TEST(particles_far_away_are_left_out),
        cmocka_unit_test(stages_have_an_end),
        SAMPLE_TEST(frames_without_particles_are_pictures_too),
        cmocka_unit_test(meshes_come_back),
        cmocka_unit_test(other_meshes_are_refused),
        cmocka_unit_test(long_headers_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

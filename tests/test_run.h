/* What the tests of run folders share: a scene of a few hundred particles, a
 * run driven step by step, and comparing two runs by what they left on disk. */
#ifndef RILL_TESTS_TEST_RUN_H
#define RILL_TESTS_TEST_RUN_H

#include "frame/run.h"
#include "test_frame.h"

enum { STEPS = 40, STEPS_A_FRAME = 8, FRAMES = STEPS / STEPS_A_FRAME + 1 };

static inline rill_scene dam_scene(void)
{
    rill_scene scene = rill_scene_default();
    rill_fluid water = rill_fluid_default();
    rill_fill fill = rill_fill_default();
    rill_boundary tank = rill_boundary_default();
    rill_probe front = rill_probe_default(), energy = rill_probe_default();
    scene.particle_diameter = 0.1;
    fill.shape.to = (rill_vec3){0.6, 0.6, 0.6};
    tank.shape.to = (rill_vec3){1.4, 0.6, 1};
    tank.motion.velocity = (rill_vec3){-0.1, 0, 0}; /* a moving wall is state too */
    tank.motion.sides = RILL_SIDE_HIGH_X;
    strcpy(front.name, "front");
    strcpy(energy.name, "energy");
    strcpy(energy.kind, "kinetic");
    assert_int_equal(rill_scene_add_fluid(&scene, &water, NULL), RILL_OK);
    assert_int_equal(rill_scene_add_fill(&scene, &fill, NULL), RILL_OK);
    assert_int_equal(rill_scene_add_boundary(&scene, &tank, NULL), RILL_OK);
    rill_boundary paddle = rill_boundary_default();
    rill_keyframe keyframes[2] = {{.time = 0}, {.time = 0.5, .move = {0, 0, 0.1}, .turn = {0, 0, 1}}};
    strcpy(paddle.name, "paddle");
    paddle.solid = true;
    paddle.shape.from = (rill_vec3){0.7, 0.15, 0.2};
    paddle.shape.to = (rill_vec3){0.9, 0.45, 0.6};
    paddle.motion.spin = (rill_vec3){0, 2, 0};
    paddle.motion.keyframes = keyframes, paddle.motion.keyframe_count = 2;
    assert_int_equal(rill_scene_add_boundary(&scene, &paddle, NULL), RILL_OK);
    assert_int_equal(rill_scene_add_probe(&scene, &front, NULL), RILL_OK);
    assert_int_equal(rill_scene_add_probe(&scene, &energy, NULL), RILL_OK);
    return scene;
}

/* One thread: a child that is forked has no others. */
static inline rill_world *world_from(rill_scene scene)
{
    rill_error err = {0};
    const rill_options options = {.threads = 1};
    rill_world *world = rill_world_create(&scene, &options, &err);
    if (!world) fail_msg("%s", err.text);
    rill_scene_free(&scene);
    return world;
}

static inline rill_world *dam_world(void)
{
    return world_from(dam_scene());
}

/* One step, its rows, and a frame when it is due. */
static inline rill_status run_step(rill_run *run, rill_world *world, rill_error *err)
{
    rill_report report;
    rill_status status = rill_step(world, NULL, &report, err);
    if (!status) status = rill_run_write_report(run, world, &report, err);
    if (!status && report.step % STEPS_A_FRAME == 0) status = rill_run_write_frame(run, world, err);
    return status;
}

/* From wherever the run is to step `last`. */
static inline rill_status run_drive(rill_run *run, rill_world *world, uint64_t last, rill_error *err)
{
    rill_status status = run->next == 0 ? rill_run_write_frame(run, world, err) : RILL_OK;
    while (!status && rill_world_step_count(world) < last) status = run_step(run, world, err);
    return status;
}

static inline void run_whole(const char *folder, uint64_t last)
{
    rill_error err = {0};
    rill_world *world = dam_world();
    rill_run *run = rill_run_create(folder, world, &err);
    if (!run) fail_msg("%s", err.text);
    if (run_drive(run, world, last, &err)) fail_msg("%s", err.text);
    if (rill_run_close(run, &err)) fail_msg("%s", err.text);
    rill_world_destroy(world);
}

/* Continues to step `last`, in a world made from the run's own scene. */
static inline void run_go_on(const char *folder, uint64_t last, char *note, size_t note_size)
{
    rill_error err = {0};
    rill_scene scene;
    if (rill_run_read_scene(folder, &scene, &err)) fail_msg("%s", err.text);
    rill_world *world = world_from(scene);
    rill_run *run = rill_run_resume(folder, world, &err);
    if (!run) fail_msg("%s", err.text);
    if (note) snprintf(note, note_size, "%s", rill_run_note(run));
    if (run_drive(run, world, last, &err)) fail_msg("%s", err.text);
    if (rill_run_close(run, &err)) fail_msg("%s", err.text);
    rill_world_destroy(world);
}

static inline void check_same_file(const char *a, const char *b)
{
    size_t size_a, size_b;
    char *bytes_a = file_get(a, &size_a), *bytes_b = file_get(b, &size_b);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(bytes_a, bytes_b, size_a);
    free(bytes_a);
    free(bytes_b);
}

/* How many columns a report has before its seconds; all of them when it has none. */
static inline size_t columns_before_seconds(const char *text)
{
    size_t columns = 1;
    for (; *text != '\n' && strncmp(text, ",seconds_", 9) != 0; text++) columns += *text == ',';
    return columns;
}

/* Ends each row before the seconds, which no two runs share. */
static inline char *table_without_seconds(const char *path)
{
    size_t size, used = 0;
    char *text = file_get(path, &size), *kept = malloc(size + 1);
    size_t columns = columns_before_seconds(text), column = 1;
    for (size_t i = 0; i < size; i++) {
        if (text[i] == ',') column++;
        if (text[i] == '\n') column = 1;
        if (column <= columns) kept[used++] = text[i];
    }
    kept[used] = '\0';
    free(text);
    return kept;
}

static inline void check_same_table(const char *a, const char *b)
{
    char *text_a = table_without_seconds(a), *text_b = table_without_seconds(b);
    assert_string_equal(text_a, text_b);
    free(text_a);
    free(text_b);
}

/* Bit for bit the same frames, and the same rows. */
static inline void check_same_run(const char *a, const char *b)
{
    uint32_t *numbers, count;
    char path_a[600], path_b[600];
    assert_int_equal(rill_run_list_frames(a, &numbers, &count, NULL), RILL_OK);
    assert_int_equal(folder_count(path_of(b, "frames"), ".h5"), count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(rill_run_frame_path(a, numbers[i], path_a, sizeof path_a, NULL), RILL_OK);
        assert_int_equal(rill_run_frame_path(b, numbers[i], path_b, sizeof path_b, NULL), RILL_OK);
        check_same_file(path_a, path_b);
    }
    rill_free(numbers);
    check_same_file(path_of(a, "scene.yaml"), path_of(b, "scene.yaml"));
    check_same_table(path_of(a, "report.csv"), path_of(b, "report.csv"));
    check_same_table(path_of(a, "probes.csv"), path_of(b, "probes.csv"));
    assert_int_equal(folder_count(path_of(b, "frames"), RILL_STORE_TEMPORARY), 0);
}

#endif

/* Run folders: what is written, what is refused, and going on where a run stopped. label: one thread */
#include "test_run.h"

#include <errno.h>
#include <signal.h>

#include <hdf5.h>

static const char *frame_of(const char *folder, uint32_t number)
{
    static char paths[8][600];
    static unsigned next;
    char *path = paths[next++ % 8];
    assert_int_equal(rill_run_frame_path(folder, number, path, sizeof paths[0], NULL), RILL_OK);
    return path;
}

static void test_a_run_on_disk(void **state)
{
    const char *folder = path_of(*state, "deep/er/run");
    run_whole(folder, STEPS);
    uint32_t *numbers, count;
    assert_int_equal(rill_run_list_frames(folder, &numbers, &count, NULL), RILL_OK);
    assert_int_equal(count, FRAMES);
    for (uint32_t i = 0; i < count; i++) {
        rill_frame_file frame;
        assert_int_equal(numbers[i], i);
        assert_int_equal(rill_frame_file_read(frame_of(folder, i), &frame, NULL), RILL_OK);
        assert_int_equal(frame.step, i * STEPS_A_FRAME);
        assert_int_equal(frame.count, 216);
        assert_int_equal(rill_frame_file_array(&frame, "velocity")->lanes, 3);
        rill_frame_file_free(&frame);
    }
    rill_free(numbers);
    assert_string_equal(strrchr(frame_of(folder, 12), '/'), "/frame_000012.h5");
    rill_scene scene, asked = dam_scene();
    assert_int_equal(rill_run_read_scene(folder, &scene, NULL), RILL_OK);
    assert_true(scene.particle_diameter == asked.particle_diameter);
    assert_int_equal(scene.probe_count, 2);
    rill_scene_free(&scene);
    rill_scene_free(&asked);
}

/* The column's place in the header, or a failed test. */
static int column_of(const char *table, const char *name)
{
    char line[2048];
    int column = 0;
    snprintf(line, sizeof line, "%.*s", (int)strcspn(table, "\n"), table);
    for (char *word = strtok(line, ","); word; word = strtok(NULL, ","), column++)
        if (strcmp(word, name) == 0) return column;
    fail_msg("no column %s", name);
    return -1;
}

static const char *cell_of(const char *table, int row, const char *name)
{
    static char cell[128];
    int column = column_of(table, name);
    for (; row >= 0; row--) table = strchr(table, '\n') + 1;
    for (; column > 0; column--) table = strchr(table, ',') + 1;
    snprintf(cell, sizeof cell, "%.*s", (int)strcspn(table, ",\n"), table);
    return cell;
}

static void test_rows(void **state)
{
    const char *folder = path_of(*state, "run");
    rill_world *world = dam_world();
    rill_run *run = rill_run_create(folder, world, NULL);
    assert_non_null(run);
    double values[] = {1.0 / 3, -2e-9};
    rill_report report = {.step = 7,
                          .time = 1.0 / 3,
                          .dt = 1e-4,
                          .particles = 216,
                          .values = {5, 0, 0, 0.5}, /* of dfsph, in the order of its columns */
                          .limit_hit = true,
                          .momentum = {1, 2, 3},
                          .trouble = RILL_TROUBLE_RUNAWAY,
                          .trouble_id = UINT64_MAX,
                          .trouble_count = 2,
                          .trouble_at = {0, 5394932.125, 0},
                          .probe_value_count = 2,
                          .probe_values = values};
    report.phase_seconds[1] = 0.25;
    assert_int_equal(rill_run_write_report(run, world, &report, NULL), RILL_OK);
    report.step = 8;
    report.trouble = RILL_TROUBLE_NONE;
    report.probe_value_count = 0;
    assert_int_equal(rill_run_write_report(run, world, &report, NULL), RILL_OK);
    assert_int_equal(rill_run_close(run, NULL), RILL_OK);
    char *table = file_get(path_of(folder, "report.csv"), NULL);
    assert_int_equal(column_of(table, "step"), 0);
    assert_string_equal(cell_of(table, 0, "step"), "7");
    assert_true(strtod(cell_of(table, 0, "time"), NULL) == 1.0 / 3);
    assert_string_equal(cell_of(table, 0, "iterations_density"), "5");
    assert_string_equal(cell_of(table, 0, "density_error_max"), "0.5");
    assert_string_equal(cell_of(table, 0, "limit_hit"), "1");
    assert_string_equal(cell_of(table, 0, "momentum_z"), "3");
    assert_string_equal(cell_of(table, 0, "trouble"), "runaway");
    assert_string_equal(cell_of(table, 0, "trouble_id"), "18446744073709551615");
    assert_string_equal(cell_of(table, 0, "trouble_y"), "5394932.125");
    assert_string_equal(cell_of(table, 1, "trouble"), "none");
    char seconds[64];
    snprintf(seconds, sizeof seconds, "seconds_%s", rill_phase_name(1));
    assert_string_equal(cell_of(table, 1, seconds), "0.25");
    free(table);
    rill_summary summary;
    assert_int_equal(rill_run_read_summary(folder, &summary, NULL), RILL_OK);
    assert_true(summary.trouble_id == UINT64_MAX && summary.trouble_step == 7);
    table = file_get(path_of(folder, "probes.csv"), NULL);
    assert_non_null(rill_world_probe_name(world, 0));
    assert_true(fabs(strtod(cell_of(table, 0, rill_world_probe_name(world, 0)), NULL) - values[0]) < 1e-12);
    assert_string_equal(cell_of(table, 0, rill_world_probe_name(world, 1)), "-2e-09");
    assert_string_equal(cell_of(table, 1, rill_world_probe_name(world, 1)), "nan");
    free(table);
    rill_world_destroy(world);
    /* More columns than any report has. */
    rill_error err = {0};
    char wide[2 * RILL_COLUMN_MAX + 20] = "step";
    for (int c = 0; c < RILL_COLUMN_MAX; c++) strcat(wide, ",a");
    strcat(wide, "\n");
    file_put(path_of(folder, "report.csv"), wide, strlen(wide));
    assert_int_equal(rill_run_read_summary(folder, &summary, &err), RILL_BAD_FILE);
    assert_non_null(strstr(err.text, "columns"));
    check_sentence(&err);
}

static void test_create_refuses(void **state)
{
    rill_error err = {0};
    const char *folder = path_of(*state, "run");
    rill_world *world = dam_world();
    run_whole(folder, STEPS_A_FRAME);
    assert_null(rill_run_create(folder, world, &err));
    assert_int_equal(err.status, RILL_BAD_INPUT);
    check_sentence(&err);
    assert_non_null(strstr(err.text, "already holds a run; continue it with --resume or choose another --out"));
    run_go_on(folder, 2 * STEPS_A_FRAME, NULL, 0); /* nothing was touched */

    file_put(path_of(*state, "file"), "", 0);
    assert_null(rill_run_create(path_of(*state, "file"), world, &err));
    assert_int_equal(err.status, RILL_IO_FAILED);
    check_sentence(&err);
    assert_null(rill_run_create(path_of(*state, "file/run"), world, &err));
    assert_int_equal(err.status, RILL_IO_FAILED);
    assert_non_null(strstr(err.text, strerror(ENOTDIR)));
    assert_null(rill_run_create("/proc/rill-test/run", world, &err));
    assert_int_equal(err.status, RILL_IO_FAILED);
    check_sentence(&err);
    rill_world_destroy(world);
}

static void test_one_writer(void **state)
{
    rill_error err = {0};
    const char *folder = path_of(*state, "run");
    rill_world *world = dam_world();
    rill_run *run = rill_run_create(folder, world, NULL);
    assert_non_null(run);
    assert_null(rill_run_resume(folder, world, &err));
    assert_int_equal(err.status, RILL_BAD_INPUT);
    assert_non_null(strstr(err.text, "another process"));
    check_sentence(&err);
    assert_int_equal(rill_run_close(run, NULL), RILL_OK);
    run = rill_run_resume(folder, world, &err);
    assert_non_null(run);
    assert_string_equal(rill_run_note(run), "");
    assert_int_equal(rill_run_close(run, NULL), RILL_OK);
    assert_int_equal(rill_run_close(NULL, NULL), RILL_OK);
    rill_world_destroy(world);
}

static void test_folders_without_a_run(void **state)
{
    rill_error err = {0};
    rill_scene scene;
    uint32_t *numbers, count;
    rill_world *world = dam_world();
    assert_null(rill_run_resume(path_of(*state, "none"), world, &err));
    assert_int_equal(err.status, RILL_BAD_INPUT);
    check_sentence(&err);
    assert_false(file_exists(path_of(*state, "none")));
    assert_int_equal(rill_run_read_scene(*state, &scene, &err), RILL_BAD_INPUT);
    check_sentence(&err);
    assert_int_equal(rill_run_list_frames(*state, &numbers, &count, &err), RILL_BAD_INPUT);
    check_sentence(&err);
    assert_int_equal(count, 0);
    char small[8];
    assert_int_equal(rill_run_frame_path("folder", 1, small, sizeof small, NULL), RILL_BAD_INPUT);
    rill_world_destroy(world);
}

/* Names beside those of frames are left alone, and frames come in the order of their numbers. */
static void test_names_of_frames(void **state)
{
    static const char *const names[] = {"frame_1000000.h5", "frame_000010.h5",     "frame_000002.h5",
                                        "frame_2.h5",       "frame_0000002.h5",    "frame_000003.h5.damaged",
                                        "frame_.h5",        "frame_-00001.h5",     "frame_000004.h5.12.tmp",
                                        "picture.png",      "frame_99999999999.h5"};
    uint32_t *numbers, count;
    assert_int_equal(mkdir(path_of(*state, "frames"), 0777), 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        file_put(path_of(path_of(*state, "frames"), names[i]), "", 0);
    assert_int_equal(rill_run_list_frames(*state, &numbers, &count, NULL), RILL_OK);
    assert_int_equal(count, 3);
    assert_int_equal(numbers[0], 2);
    assert_int_equal(numbers[1], 10);
    assert_int_equal(numbers[2], 1000000);
    rill_free(numbers);
}

static void test_go_on_after_the_end(void **state)
{
    const char *whole = path_of(*state, "whole"), *parts = path_of(*state, "parts/"); /* a slash at the end is fine */
    run_whole(whole, STEPS);
    run_whole(parts, 19); /* three steps behind its last frame */
    run_go_on(parts, 25, NULL, 0);
    run_go_on(parts, STEPS, NULL, 0);
    check_same_run(whole, parts);
}

/* A run killed before its first frame, at each of its first writes. */
static void test_go_on_from_nothing(void **state)
{
    static const char *const missing[] = {"probes.csv", "report.csv", "frames"};
    const char *whole = path_of(*state, "whole"), *begun = path_of(*state, "begun");
    rill_world *world = dam_world();
    run_whole(whole, STEPS_A_FRAME);
    rill_run *run = rill_run_create(begun, world, NULL);
    assert_int_equal(rill_run_close(run, NULL), RILL_OK);
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        uint32_t *numbers, count;
        assert_int_equal(remove(path_of(begun, missing[i])), 0);
        assert_int_equal(rill_run_list_frames(begun, &numbers, &count, NULL), RILL_OK);
        assert_int_equal(count, 0);
    }
    run_go_on(begun, STEPS_A_FRAME, NULL, 0);
    check_same_run(whole, begun);
    rill_world_destroy(world);
}

static void file_cut(const char *path, double part)
{
    size_t size;
    free(file_get(path, &size));
    assert_int_equal(truncate(path, (off_t)((double)size * part)), 0);
}

static void test_damaged_frames_are_passed_over(void **state)
{
    char note[240];
    const char *whole = path_of(*state, "whole"), *hurt = path_of(*state, "hurt");
    run_whole(whole, STEPS);
    run_whole(hurt, STEPS);
    file_cut(frame_of(hurt, FRAMES - 1), 0.7);
    file_cut(frame_of(hurt, FRAMES - 2), 0);
    run_go_on(hurt, STEPS, note, sizeof note);
    assert_non_null(strstr(note, "2 frames from 4 on are damaged"));
    assert_non_null(strstr(note, "from frame 3."));
    assert_int_equal(folder_count(path_of(hurt, "frames"), ".damaged"), 2);
    check_same_run(whole, hurt);

    file_cut(frame_of(hurt, FRAMES - 1), 0.99);
    run_go_on(hurt, STEPS, note, sizeof note);
    assert_non_null(strstr(note, "Frame 5 is damaged"));
    check_same_run(whole, hurt);
}

/* Writes over the numbers of a world's array in a frame. */
static void frame_set(const char *path, const char *name, double value)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), set = H5Dopen2(file, name, H5P_DEFAULT);
    double values[64];
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) values[i] = value;
    hid_t space = H5Dget_space(set);
    assert_in_range(H5Sget_simple_extent_npoints(space), 1, 64);
    assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Sclose(space);
    H5Dclose(set);
    assert_true(H5Fclose(file) >= 0);
}

/* A frame of another time than its clock's would be gone on from at that other time. */
static void test_clocks_that_contradict_are_damage(void **state)
{
    static const double times[] = {0, 1e6, -1e6, NAN};
    char note[240];
    const char *whole = path_of(*state, "whole"), *hurt = path_of(*state, "hurt");
    run_whole(whole, STEPS);
    run_whole(hurt, STEPS);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        rill_frame_file frame;
        rill_error err = {0};
        frame_set(frame_of(hurt, FRAMES - 1), "world/clock_time", times[i]);
        assert_int_equal(rill_frame_file_read(frame_of(hurt, FRAMES - 1), &frame, &err), RILL_BAD_FILE);
        assert_non_null(strstr(err.text, "contradicts its clock"));
        check_sentence(&err);
        run_go_on(hurt, STEPS, note, sizeof note);
        assert_non_null(strstr(note, "Frame 5 is damaged"));
        check_same_run(whole, hurt);
    }
}

/* A frame that reads but holds what cannot be is passed over as well. */
static void test_refused_values_are_passed_over(void **state)
{
    char note[240];
    const char *whole = path_of(*state, "whole"), *hurt = path_of(*state, "hurt");
    run_whole(whole, STEPS);
    run_whole(hurt, STEPS);
    frame_set(frame_of(hurt, FRAMES - 1), "world/body_size", NAN);
    file_cut(frame_of(hurt, FRAMES - 2), 0.5);
    frame_set(frame_of(hurt, FRAMES - 3), "world/clock_dt", -1e6);
    run_go_on(hurt, STEPS, note, sizeof note);
    assert_non_null(strstr(note, "3 frames from 3 on are damaged"));
    check_same_run(whole, hurt);
}

/* Where no frame is taken though they read, the scene may be at fault: frames are not put aside for that. */
static void test_all_values_refused_stops(void **state)
{
    const char *hurt = path_of(*state, "hurt");
    rill_error err = {0};
    run_whole(hurt, STEPS);
    for (uint32_t i = 0; i < FRAMES; i++) frame_set(frame_of(hurt, i), "world/body_size", NAN);
    rill_world *world = dam_world();
    assert_null(rill_run_resume(hurt, world, &err));
    assert_int_equal(err.status, RILL_BAD_FILE);
    assert_non_null(strstr(err.text, "frame_000005.h5 cannot be continued from"));
    check_sentence(&err);
    assert_int_equal(folder_count(path_of(hurt, "frames"), ".damaged"), 0);
    rill_world_destroy(world);
}

static void test_all_frames_damaged(void **state)
{
    char note[240];
    const char *whole = path_of(*state, "whole"), *hurt = path_of(*state, "hurt");
    run_whole(whole, STEPS);
    run_whole(hurt, STEPS);
    for (uint32_t i = 0; i < FRAMES; i++) file_cut(frame_of(hurt, i), 0.5);
    run_go_on(hurt, STEPS, note, sizeof note);
    assert_non_null(strstr(note, "the beginning"));
    check_same_run(whole, hurt);
}

/* What a killed process leaves: temporaries, a torn row, rows past the frame. */
static void test_leftovers_go(void **state)
{
    const char *whole = path_of(*state, "whole"), *torn = path_of(*state, "torn");
    run_whole(whole, STEPS);
    run_whole(torn, 21);
    file_cut(path_of(torn, "report.csv"), 0.99);
    file_put(path_of(torn, "frames/frame_000003.h5.123.tmp"), "half", 4);
    file_put(path_of(torn, "scene.yaml.123.tmp"), "half", 4);
    file_put(path_of(torn, "mine.tmp"), "mine", 4);
    run_go_on(torn, STEPS, NULL, 0);
    assert_false(file_exists(path_of(torn, "scene.yaml.123.tmp")));
    assert_true(file_exists(path_of(torn, "mine.tmp")));
    check_same_run(whole, torn);
}

/* A newer rill's frame is not damage: nothing may be renamed or cut. */
static void test_newer_frames_stop(void **state)
{
    const char *folder = path_of(*state, "run");
    rill_error err = {0};
    uint32_t version = RILL_IMAGE_VERSION + 1;
    run_whole(folder, 11);
    char *before = file_get(path_of(folder, "report.csv"), NULL);
    hid_t file = H5Fopen(frame_of(folder, 1), H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t attribute = H5Aopen(file, "format_version", H5P_DEFAULT);
    H5Awrite(attribute, H5T_NATIVE_UINT32, &version);
    H5Aclose(attribute);
    H5Fclose(file);
    rill_world *world = dam_world();
    assert_null(rill_run_resume(folder, world, &err));
    assert_int_equal(err.status, RILL_BAD_FILE);
    assert_non_null(strstr(err.text, "newer rill"));
    check_sentence(&err);
    assert_int_equal(folder_count(path_of(folder, "frames"), ".damaged"), 0);
    char *after = file_get(path_of(folder, "report.csv"), NULL);
    assert_string_equal(before, after);
    free(before);
    free(after);
    rill_world_destroy(world);
}

static void test_another_scene_stops(void **state)
{
    const char *folder = path_of(*state, "run");
    rill_error err = {0};
    run_whole(folder, 11);
    rill_scene scene = dam_scene();
    rill_boundary post = rill_boundary_default();
    strcpy(post.name, "post");
    post.solid = true;
    post.shape.from = (rill_vec3){1, 0, 0};
    post.shape.to = (rill_vec3){1.2, 0.6, 0.4};
    assert_int_equal(rill_scene_add_boundary(&scene, &post, NULL), RILL_OK);
    rill_world *world = world_from(scene);
    char *before = file_get(path_of(folder, "report.csv"), NULL);
    assert_null(rill_run_resume(folder, world, &err));
    assert_int_equal(err.status, RILL_BAD_INPUT);
    assert_non_null(strstr(err.text, "frame_000001.h5 cannot be continued from"));
    assert_non_null(strstr(err.text, "other boundaries"));
    check_sentence(&err);
    char *after = file_get(path_of(folder, "report.csv"), NULL);
    assert_string_equal(before, after);
    free(before);
    free(after);
    rill_world_destroy(world);
}

/* A table with columns of methods that the run has no longer, or of an older rill, goes on as it was begun; one with
 * columns that no rill has is somebody else's. */
static void test_columns_stay(void **state)
{
    const char *folder = path_of(*state, "run"), *path = path_of(folder, "report.csv");
    static const char *const headers[] = {"step,time,iterations_viscosity,kinetic\n", "step,time,rubbish\n",
                                          "time,step\n"};
    char *table;
    run_whole(folder, 11);
    for (int i = 0; i < 3; i++) {
        rill_error err = {0};
        rill_world *world = dam_world();
        file_put(path, headers[i], strlen(headers[i]));
        rill_run *run = rill_run_resume(folder, world, &err);
        assert_int_equal(run == NULL, i > 0);
        if (run) assert_int_equal(run_drive(run, world, 10, NULL), RILL_OK);
        if (!run) assert_non_null(strstr(err.text, "does not have the columns"));
        assert_int_equal(rill_run_close(run, NULL), RILL_OK);
        rill_world_destroy(world);
        table = file_get(path, NULL);
        assert_memory_equal(table, headers[i], strlen(headers[i]));
        if (!i) {
            assert_string_equal(cell_of(table, 1, "step"), "10");
            assert_string_equal(cell_of(table, 1, "iterations_viscosity"), "");
            assert_true(strtod(cell_of(table, 1, "kinetic"), NULL) > 0);
        }
        free(table);
    }
}

/* The same number of particles, so that only their size tells the scenes apart. */
static void test_another_diameter_stops(void **state)
{
    const char *folder = path_of(*state, "run");
    rill_error err = {0};
    run_whole(folder, 11);
    rill_scene scene = dam_scene();
    scene.particle_diameter *= 2;
    scene.fills[0].shape.to = (rill_vec3){1.2, 1.2, 1.2};
    scene.boundaries[0].shape.to = (rill_vec3){2.8, 1.2, 2};
    rill_world *world = world_from(scene);
    assert_null(rill_run_resume(folder, world, &err));
    assert_int_equal(err.status, RILL_BAD_INPUT);
    assert_non_null(strstr(err.text, "another diameter"));
    check_sentence(&err);
    rill_world_destroy(world);
}

/* A world that holds nothing yet is written and goes on like any other. */
static void test_empty_world_resumes(void **state)
{
    const char *folder = path_of(*state, "run");
    rill_error err = {0};
    for (int half = 0; half < 2; half++) {
        rill_scene scene = dam_scene();
        rill_estimate estimate;
        free(scene.fills);
        scene.fills = NULL;
        scene.fill_count = 0;
        assert_int_equal(rill_scene_estimate(&scene, &estimate, &err), RILL_OK);
        assert_int_equal(estimate.particles, 0);
        rill_world *world = world_from(scene);
        rill_run *run = half ? rill_run_resume(folder, world, &err) : rill_run_create(folder, world, &err);
        if (!run) fail_msg("%s", err.text);
        assert_int_equal(rill_world_step_count(world), half ? STEPS_A_FRAME : 0);
        assert_int_equal(rill_world_frame(world).count, 0);
        assert_int_equal(run_drive(run, world, (uint64_t)(half + 1) * STEPS_A_FRAME, &err), RILL_OK);
        assert_int_equal(rill_run_close(run, NULL), RILL_OK);
        rill_world_destroy(world);
    }
    rill_frame_file frame;
    assert_int_equal(rill_frame_file_read(frame_of(folder, 2), &frame, &err), RILL_OK);
    assert_int_equal(frame.count, 0);
    rill_frame_file_free(&frame);
}

/* The disk fills up: the run stops with a sentence, keeps what it has, and goes on once there is room. */
static void test_full_disk(void **state)
{
    const char *whole = path_of(*state, "whole"), *full = path_of(*state, "full");
    rill_error err = {0};
    rill_world *world = dam_world();
    size_t size;
    run_whole(whole, STEPS);
    free(file_get(frame_of(whole, 0), &size));
    rill_run *run = rill_run_create(full, world, NULL);
    assert_int_equal(run_drive(run, world, 2 * STEPS_A_FRAME, &err), RILL_OK);
    signal(SIGXFSZ, SIG_IGN);
    disk_limit(size / 8); /* neither a frame nor the tables */
    assert_int_equal(run_drive(run, world, STEPS, &err), RILL_IO_FAILED);
    check_sentence(&err);
    assert_int_equal(folder_count(path_of(full, "frames"), ""), 3);
    assert_int_equal(rill_run_close(run, &err), RILL_IO_FAILED);
    check_sentence(&err);
    disk_limit(RLIM_INFINITY);
    run_go_on(full, STEPS, NULL, 0);
    check_same_run(whole, full);
    rill_world_destroy(world);
}

/* A run that cannot even start leaves nothing that looks like one. */
static void test_full_disk_at_the_start(void **state)
{
    rill_error err = {0};
    rill_world *world = dam_world();
    const char *there = path_of(*state, "there"), *fresh = path_of(*state, "fresh");
    assert_int_equal(mkdir(there, 0777), 0);
    signal(SIGXFSZ, SIG_IGN);
    disk_limit(200); /* neither scene nor header fits */
    assert_null(rill_run_create(there, world, &err));
    assert_int_equal(err.status, RILL_IO_FAILED);
    check_sentence(&err);
    assert_null(rill_run_create(fresh, world, &err));
    disk_limit(RLIM_INFINITY);
    assert_int_equal(folder_count(there, ""), 0);
    assert_false(file_exists(fresh));
    rill_run *run = rill_run_create(there, world, &err);
    assert_non_null(run);
    assert_int_equal(rill_run_close(run, NULL), RILL_OK);
    rill_world_destroy(world);
}

/* A frame alone holds all a world needs. */
static void test_frame_of_a_world(void **state)
{
    const char *path = path_of(*state, "a.h5");
    rill_world *one = dam_world(), *two = dam_world();
    rill_frame_file frame;
    rill_report report;
    for (int i = 0; i < 20; i++) assert_int_equal(rill_step(one, NULL, &report, NULL), RILL_OK);
    assert_int_equal(rill_frame_file_write(path, one, NULL), RILL_OK);
    assert_int_equal(rill_frame_file_read(path, &frame, NULL), RILL_OK);
    assert_true(frame.time == rill_world_time(one) && frame.diameter == 0.1);
    assert_int_equal(rill_world_load(two, &frame.state, NULL), RILL_OK);
    rill_frame_file_free(&frame);
    assert_true(rill_world_hash(one) == rill_world_hash(two));
    for (int i = 0; i < 20; i++) {
        assert_int_equal(rill_step(one, NULL, &report, NULL), RILL_OK);
        assert_int_equal(rill_step(two, NULL, &report, NULL), RILL_OK);
    }
    assert_true(rill_world_hash(one) == rill_world_hash(two));
    rill_world_destroy(one);
    rill_world_destroy(two);
}

/* A run whose world is changed on the way, and closed and continued at step `pause`. */
static void run_with_changes(const char *folder, uint64_t pause)
{
    rill_error err = {0};
    rill_world *world = dam_world();
    rill_run *run = rill_run_create(folder, world, &err);
    if (!run || run_drive(run, world, 10, &err)) fail_msg("%s", err.text);
    assert_int_equal(rill_world_change(world, "gravity.x", 4, NULL), RILL_OK);
    assert_int_equal(rill_world_change(world, "boundaries.tank.motion.velocity.x", -0.4, NULL), RILL_OK);
    if (run_drive(run, world, 13, &err)) fail_msg("%s", err.text);
    assert_int_equal(rill_world_change(world, "fluids.water.viscosity.value", 0.3, NULL), RILL_OK);
    assert_int_equal(rill_world_change(world, "gravity.x", 2, NULL), RILL_OK);
    if (run_drive(run, world, pause, &err) || rill_run_close(run, &err)) fail_msg("%s", err.text);
    rill_world_destroy(world);
    if (pause < STEPS) run_go_on(folder, STEPS, NULL, 0);
}

/* What was changed while a run was on comes back with its frames. */
static void test_changes_are_resumed(void **state)
{
    const char *whole = path_of(*state, "whole"), *parts = path_of(*state, "parts");
    run_with_changes(whole, STEPS);
    run_with_changes(parts, 20);
    check_same_run(whole, parts);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, folder_make, folder_drop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_a_run_on_disk), TEST(test_changes_are_resumed),
        TEST(test_rows),
        TEST(test_create_refuses),
        TEST(test_one_writer),
        TEST(test_folders_without_a_run),
        TEST(test_names_of_frames),
        TEST(test_go_on_after_the_end),
        TEST(test_go_on_from_nothing),
        TEST(test_empty_world_resumes),
        TEST(test_damaged_frames_are_passed_over),
        TEST(test_clocks_that_contradict_are_damage),
        TEST(test_refused_values_are_passed_over),
        TEST(test_all_values_refused_stops),
        TEST(test_all_frames_damaged),
        TEST(test_leftovers_go),
        TEST(test_newer_frames_stop),
        TEST(test_another_scene_stops),
        TEST(test_columns_stay),
        TEST(test_another_diameter_stops),
        TEST(test_full_disk),
        TEST(test_full_disk_at_the_start),
        TEST(test_frame_of_a_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

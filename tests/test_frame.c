/* Frames: what goes in comes out, bit for bit; what is damaged is refused.
 * label: small, one thread */
#include "test_frame.h"

#include <hdf5.h>
#include <signal.h>

static void check_round_trip(uint32_t count)
{
    sample s = sample_make(count);
    s.frame.state.arrays = s.arrays;
    rill_image image;
    rill_frame_file back;
    rill_error err;
    assert_int_equal(rill_image_encode(&s.frame, &image, &err), RILL_OK);
    assert_int_equal(rill_image_decode(image.bytes, image.size, "test", &back, NULL, &err), RILL_OK);
    assert_memory_equal(&back.time, &s.frame.time, sizeof(double));
    assert_memory_equal(&back.diameter, &s.frame.diameter, sizeof(double));
    assert_memory_equal(&back.origin, &s.frame.origin, sizeof(rill_vec3));
    assert_true(back.step == s.frame.step);
    assert_int_equal(back.count, count);
    assert_int_equal(back.state.count, 8);
    for (int i = 0; i < 8; i++) {
        const rill_array *found = rill_frame_file_array(&back, s.arrays[i].name);
        assert_non_null(found);
        assert_int_equal(found->stride, found->lanes);
        assert_string_equal(found->unit, s.arrays[i].unit);
        assert_int_equal(found->derived, s.arrays[i].derived);
        assert_int_equal(found->particle, s.arrays[i].particle);
        check_same_records(found, &s.arrays[i]);
    }
    assert_null(rill_frame_file_array(&back, "pressure"));
    rill_frame_file_free(&back);
    free(image.bytes);
    sample_free(&s);
}

static void test_round_trip(void **state)
{
    (void)state;
    static const uint32_t counts[] = {0, 1, 2, 1000, RILL_IMAGE_CHUNK, 7 * RILL_IMAGE_CHUNK + 1};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) check_round_trip(counts[i]);
}

static void test_same_state_same_bytes(void **state)
{
    (void)state;
    sample s = sample_make(3000);
    s.frame.state.arrays = s.arrays;
    rill_image a, b;
    assert_int_equal(rill_image_encode(&s.frame, &a, NULL), RILL_OK);
    sleep(1); /* a second later no time stamp may differ */
    assert_int_equal(rill_image_encode(&s.frame, &b, NULL), RILL_OK);
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.bytes, b.bytes, a.size);
    free(a.bytes);
    free(b.bytes);
    sample_free(&s);
}

/* Water in motion, in order of cells: jittered places, a smooth field of velocity with some noise. */
static void test_bytes_a_particle(void **state)
{
    (void)state;
    enum { SIDE = 40, COUNT = SIDE * SIDE * SIDE };
    uint64_t seed = 7;
    sample s = sample_make(COUNT);
    uint32_t *id = s.arrays[0].data;
    float *x = s.arrays[1].data, *v = s.arrays[2].data;
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t cell[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        id[i] = (uint32_t)(random_next(&seed) % COUNT);
        for (int k = 0; k < 3; k++) {
            float noise = (float)(random_next(&seed) >> 40) / (1 << 24);
            x[4 * i + k] = 0.02f * ((float)cell[k] + noise);
            v[5 * i + k] = sinf(3 * x[4 * i] + (float)k) + 0.1f * noise;
        }
    }
    s.frame.state.arrays = s.arrays;
    s.frame.state.count = 4; /* id, position, velocity, fluid */
    rill_image image;
    assert_int_equal(rill_image_encode(&s.frame, &image, NULL), RILL_OK);
    double bytes = (double)image.size / COUNT;
    print_message("%.1f bytes a particle\n", bytes);
    assert_true(bytes <= 22);
    free(image.bytes);
    sample_free(&s);
}

static void check_bad(const void *bytes, size_t size, const char *words)
{
    rill_frame_file back;
    rill_error err = {0};
    bool newer;
    rill_status status = rill_image_decode(bytes, size, "frame_000001.h5", &back, &newer, &err);
    assert_int_equal(status, RILL_BAD_FILE);
    assert_int_equal(newer, words && strstr(words, "newer") != NULL);
    assert_null(back.state.arrays);
    check_sentence(&err);
    assert_non_null(strstr(err.text, "frame_000001.h5"));
    if (words && !strstr(err.text, words)) fail_msg("\"%s\" lacks \"%s\"", err.text, words);
}

static void test_damage_anywhere_is_found(void **state)
{
    (void)state;
    sample s = sample_make(60);
    s.frame.state.arrays = s.arrays;
    rill_image image;
    assert_int_equal(rill_image_encode(&s.frame, &image, NULL), RILL_OK);
    for (size_t i = 0; i < image.size; i++) {
        image.bytes[i] ^= (uint8_t)(1u << i % 8);
        check_bad(image.bytes, image.size, NULL);
        image.bytes[i] ^= (uint8_t)(1u << i % 8);
    }
    for (size_t cut = 0; cut < image.size; cut++) {
        if (cut == image.size - sizeof(rill_image_seal)) continue; /* only the seal is gone: all is there */
        uint8_t *shorter = malloc(cut + 1);
        memcpy(shorter, image.bytes, cut);
        check_bad(shorter, cut, cut ? NULL : "empty");
        free(shorter);
    }
    free(image.bytes);
    sample_free(&s);
}

static void test_foreign_bytes(void **state)
{
    (void)state;
    char text[4096];
    memset(text, 'x', sizeof text);
    check_bad(text, sizeof text, "no HDF5 file");
    check_bad("\211HDF\r\n\032\n", 8, NULL);
}

/* A frame of 100 particles on disk, for others to change. */
static const char *frame_put(const char *folder)
{
    sample s = sample_make(100);
    s.frame.state.arrays = s.arrays;
    rill_image image;
    const char *path = path_of(folder, "frame.h5");
    assert_int_equal(rill_image_encode(&s.frame, &image, NULL), RILL_OK);
    file_put(path, image.bytes, image.size);
    free(image.bytes);
    sample_free(&s);
    return path;
}

static hid_t frame_edit(const char *path)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    return file;
}

static void check_edited(hid_t file, const char *path, const char *words)
{
    size_t size;
    assert_true(H5Fclose(file) >= 0);
    char *bytes = file_get(path, &size);
    check_bad(bytes, size, words);
    free(bytes);
}

static void attribute_set(hid_t file, const char *name, uint32_t value)
{
    hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
    assert_true(H5Awrite(attribute, H5T_NATIVE_UINT32, &value) >= 0);
    H5Aclose(attribute);
}

static void test_edited_by_others(void **state)
{
    const char *path = frame_put(*state);
    rill_frame_file frame;
    hid_t file = frame_edit(path);
    hid_t space = H5Screate(H5S_SCALAR);
    H5Aclose(H5Acreate2(file, "remark", H5T_STD_U32LE, space, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
    assert_true(H5Fclose(file) >= 0);
    assert_int_equal(rill_frame_file_read(path, &frame, NULL), RILL_OK); /* a remark does no harm */
    assert_int_equal(frame.count, 100);
    rill_frame_file_free(&frame);
}

static void test_newer_format(void **state)
{
    const char *path = frame_put(*state);
    hid_t file = frame_edit(path);
    attribute_set(file, "format_version", RILL_IMAGE_VERSION + 1);
    check_edited(file, path, "newer rill");
}

/* Copied into a file of the library's own form (superblock 0), a frame is not damaged, but nothing that this rill
 * reads. */
static void test_other_form(void **state)
{
    const char *path = frame_put(*state), *copy = path_of(*state, "copy.h5");
    hid_t from = frame_edit(path), to = H5Fcreate(copy, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Ocopy(from, "particles", to, "particles", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    assert_true(H5Ocopy(from, "world", to, "world", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    assert_true(H5Fclose(from) >= 0 && H5Fclose(to) >= 0);
    size_t size;
    rill_frame_file frame;
    rill_error err = {0};
    bool other;
    char *bytes = file_get(copy, &size);
    assert_int_equal(bytes[8], 0);
    assert_int_equal(rill_image_decode(bytes, size, "copy.h5", &frame, &other, &err), RILL_BAD_FILE);
    assert_non_null(strstr(err.text, "not in the form that this rill writes"));
    assert_true(other);
    check_bad(bytes, size / 2, "damaged");
    free(bytes);
}

static void test_missing_array(void **state)
{
    static const char *const names[] = {"particles/velocity", "world/clock", "world", "particles/position"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *path = frame_put(*state);
        hid_t file = frame_edit(path);
        assert_true(H5Ldelete(file, names[i], H5P_DEFAULT) >= 0);
        check_edited(file, path, "missing");
    }
    const char *path = frame_put(*state);
    hid_t file = frame_edit(path);
    assert_true(H5Ldelete(file, "particles/position", H5P_DEFAULT) >= 0);
    attribute_set(file, "arrays", 7);
    check_edited(file, path, "no positions");
}

static void test_wrong_counts(void **state)
{
    const char *path = frame_put(*state);
    hid_t file = frame_edit(path);
    attribute_set(file, "count", 99);
    check_edited(file, path, "one record a particle");

    path = frame_put(*state);
    file = frame_edit(path);
    attribute_set(file, "arrays", 0xffffffff);
    check_edited(file, path, "too many arrays");

    path = frame_put(*state);
    file = frame_edit(path);
    attribute_set(file, "arrays", 3);
    check_edited(file, path, "more arrays");
    path = frame_put(*state);
    file = frame_edit(path);
    const double nothing = NAN;
    hid_t time = H5Aopen(file, "time", H5P_DEFAULT);
    assert_true(H5Awrite(time, H5T_NATIVE_DOUBLE, &nothing) >= 0);
    H5Aclose(time);
    check_edited(file, path, "makes no sense");

    path = frame_put(*state);
    file = frame_edit(path);
    assert_true(H5Adelete(file, "time") >= 0);
    check_edited(file, path, "time");
}

/* Puts another dataset in place of clock. Closes space and settings. */
static void array_replace(hid_t file, hid_t type, hid_t space, hid_t settings)
{
    hid_t text = H5Tcopy(H5T_C_S1);
    uint8_t no = 0;
    assert_true(H5Ldelete(file, "world/clock", H5P_DEFAULT) >= 0);
    hid_t set = H5Dcreate2(file, "world/clock", type, space, H5P_DEFAULT, settings, H5P_DEFAULT);
    hid_t scalar = H5Screate(H5S_SCALAR);
    hid_t unit = H5Acreate2(set, "unit", text, scalar, H5P_DEFAULT, H5P_DEFAULT);
    hid_t derived = H5Acreate2(set, "derived", H5T_STD_U8LE, scalar, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(unit, text, "") >= 0 && H5Awrite(derived, H5T_NATIVE_UINT8, &no) >= 0);
    H5Aclose(unit);
    H5Aclose(derived);
    H5Sclose(scalar);
    H5Sclose(space);
    H5Tclose(text);
    H5Pclose(settings);
    H5Dclose(set);
}

static void clock_replace(hid_t file, hid_t type, int rank, const hsize_t *shape)
{
    const hsize_t chunk[3] = {4, 1, 1};
    hid_t settings = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(settings, rank, chunk);
    array_replace(file, type, H5Screate_simple(rank, shape, NULL), settings);
}

static void test_strange_arrays(void **state)
{
    static const struct {
        int rank;
        hsize_t shape[3];
        const char *words;
    } cases[] = {{1, {1ull << 50}, "larger than the file can hold"},
                 {2, {1ull << 60, 2}, "larger than the file can hold"},
                 {2, {4, 1000}, "no kind"},
                 {3, {4, 1, 1}, "cannot be opened"},
                 {1, {1000}, "holes"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = frame_put(*state);
        hid_t file = frame_edit(path);
        clock_replace(file, H5T_STD_U64LE, cases[i].rank, cases[i].shape);
        check_edited(file, path, cases[i].words);
    }
    const char *path = frame_put(*state);
    hid_t file = frame_edit(path);
    clock_replace(file, H5T_STD_I16LE, 1, (hsize_t[]){4});
    check_edited(file, path, "no kind");
}

/* Numbers that lie in another file, a chunk larger than all memory, links that lead elsewhere: HDF5 knows them all, a
 * frame has none. */
static void test_hostile_arrays(void **state)
{
    const hsize_t four = 4, any = H5S_UNLIMITED, huge = 400000000;
    const char *path = frame_put(*state);
    hid_t file = frame_edit(path), settings = H5Pcreate(H5P_DATASET_CREATE);
    assert_int_equal(mkfifo(path_of(*state, "pipe"), 0600), 0);
    assert_true(H5Pset_external(settings, path_of(*state, "pipe"), 0, 32) >= 0);
    array_replace(file, H5T_STD_U64LE, H5Screate_simple(1, &four, NULL), settings);
    check_edited(file, path, "holes");

    path = frame_put(*state);
    file = frame_edit(path);
    settings = H5Pcreate(H5P_DATASET_CREATE);
    assert_true(H5Pset_chunk(settings, 1, &huge) >= 0);
    array_replace(file, H5T_STD_U64LE, H5Screate_simple(1, &four, &any), settings);
    check_edited(file, path, "holes");

    path = frame_put(*state);
    file = frame_edit(path);
    assert_true(H5Ldelete(file, "world/clock", H5P_DEFAULT) >= 0);
    assert_true(H5Lcreate_soft("/particles/id", file, "world/clock", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    check_edited(file, path, "cannot be listed");
}

/* Without the seal the file's own checksums still find damage in an array. */
static void test_checksum_of_chunks(void **state)
{
    (void)state;
    sample s = sample_make(20000);
    s.frame.state.arrays = s.arrays;
    rill_image image;
    assert_int_equal(rill_image_encode(&s.frame, &image, NULL), RILL_OK);
    image.bytes[image.size / 2] ^= 1;
    check_bad(image.bytes, image.size - sizeof(rill_image_seal), "checksum");
    free(image.bytes);
    sample_free(&s);
}

static void test_states_that_make_no_frame(void **state)
{
    (void)state;
    rill_image image;
    rill_error err;
    sample s = sample_make(10);
    s.frame.state.arrays = s.arrays;
    s.arrays[2].count = 9;
    assert_int_equal(rill_image_encode(&s.frame, &image, &err), RILL_BAD_INPUT);
    check_sentence(&err);
    s.arrays[2].count = 10;
    s.arrays[2].stride = 2;
    assert_int_equal(rill_image_encode(&s.frame, &image, &err), RILL_BAD_INPUT);
    s.arrays[2].stride = 5;
    strcpy(s.arrays[2].name, "../velocity");
    assert_int_equal(rill_image_encode(&s.frame, &image, &err), RILL_BAD_INPUT);
    check_sentence(&err);
    sample_free(&s);
}

static void test_unreadable_paths(void **state)
{
    rill_frame_file frame;
    rill_error err;
    assert_int_equal(rill_frame_file_read(path_of(*state, "nothing.h5"), &frame, &err), RILL_BAD_INPUT);
    check_sentence(&err);
    assert_non_null(strstr(err.text, "No such file"));
    assert_int_equal(rill_frame_file_read(*state, &frame, &err), RILL_BAD_INPUT);
    check_sentence(&err);
    rill_frame_file_free(&frame);
}

static herr_t printed;
static herr_t error_handler(hid_t stack, void *user)
{
    (void)stack, (void)user;
    printed++;
    return 0;
}

/* HDF5's own way of reporting errors is left as the host program set it, and stays silent. */
static void test_errors_of_hdf5_stay_inside(void **state)
{
    const char *path = frame_put(*state);
    H5E_auto2_t handler;
    void *user;
    H5Eset_auto2(H5E_DEFAULT, error_handler, state);
    hid_t file = frame_edit(path);
    assert_true(H5Ldelete(file, "world", H5P_DEFAULT) >= 0);
    check_edited(file, path, "missing");
    assert_int_equal(printed, 0);
    H5Eget_auto2(H5E_DEFAULT, &handler, &user);
    assert_true(handler == error_handler && user == state);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_same_state_same_bytes),
        cmocka_unit_test(test_bytes_a_particle),
        cmocka_unit_test(test_damage_anywhere_is_found),
        cmocka_unit_test(test_foreign_bytes),
        cmocka_unit_test_setup_teardown(test_edited_by_others, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_newer_format, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_other_form, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_missing_array, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_wrong_counts, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_strange_arrays, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_hostile_arrays, folder_make, folder_drop),
        cmocka_unit_test(test_checksum_of_chunks),
        cmocka_unit_test(test_states_that_make_no_frame),
        cmocka_unit_test_setup_teardown(test_unreadable_paths, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_errors_of_hdf5_stay_inside, folder_make, folder_drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

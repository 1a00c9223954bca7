/* The part of HDF5 that frames need: HDF5's own library reads what is written here, and what is damaged, in whatever
 * way, is refused or read, but never believed beyond the bytes that are there. label: small, one thread */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame/hdf5.h"

enum { SETS = 70 };

/* Element (row, lane) of every set. */
static uint64_t value_at(uint64_t row, uint64_t lane)
{
    return row * 2654435761u + lane * 40503;
}

static void fill(const void *user, uint64_t from, uint64_t rows, uint64_t lane, void *chunk)
{
    const uint32_t size = *(const uint32_t *)user;
    for (uint64_t i = 0; i < rows; i++) {
        const uint64_t value = value_at(from + i, lane);
        memcpy((uint8_t *)chunk + i * size, &value, size);
    }
}

/* Shapes from nothing to a tree of three levels: 3750 chunks, 16 in a node. */
static rill_hdf5_shape shape_of(int i)
{
    static const struct {
        uint64_t count, rows;
        uint32_t lanes;
    } shapes[] = {{0, 1, 1},    {1, 1, 1},     {1, 1, 3},    {2049, 2049, 1},
                  {5000, 4, 3}, {700, 100, 3}, {333, 40, 2}, {0, 1, 4}};
    const int n = i % 8;
    const uint32_t size = i % 2 ? 4 : 8;
    return (rill_hdf5_shape){{RILL_HDF5_UINT, size}, shapes[n].count, shapes[n].rows, shapes[n].lanes};
}

static const char *name_of(int i)
{
    static char name[32];
    snprintf(name, sizeof name, "set_%d_%.*s", i * 37 % SETS, i % 12, "long_words_x");
    return name;
}

/* A file of many data sets in a group below the root. */
static rill_hdf5_out file_make(void)
{
    rill_hdf5_out out;
    rill_hdf5_link links[SETS];
    char names[SETS][32];
    rill_hdf5_begin(&out);
    for (int i = 0; i < SETS; i++) {
        const rill_hdf5_shape shape = shape_of(i);
        const rill_hdf5_attribute unit = {"unit", {RILL_HDF5_TEXT, 6}, 0, "kg/m3"};
        strcpy(names[i], name_of(i));
        links[i] = (rill_hdf5_link){names[i], rill_hdf5_put_set(&out, &shape, fill, &shape.type.size, &unit, 1)};
    }
    const double place[3] = {1, -2.5, 1e300};
    const rill_hdf5_attribute attribute = {"place", {RILL_HDF5_FLOAT, 8}, 3, place};
    rill_hdf5_link root = {"below", rill_hdf5_put_group(&out, links, SETS, NULL, 0)};
    rill_hdf5_end(&out, rill_hdf5_put_group(&out, &root, 1, &attribute, 1));
    assert_false(out.failed);
    return out;
}

static void check_with_library(hid_t file, int i)
{
    const rill_hdf5_shape shape = shape_of(i);
    char path[64];
    hsize_t found[2] = {0, 1};
    snprintf(path, sizeof path, "below/%s", name_of(i));
    hid_t set = H5Dopen2(file, path, H5P_DEFAULT), space = H5Dget_space(set);
    assert_true(set >= 0);
    assert_int_equal(H5Sget_simple_extent_dims(space, found, NULL), shape.lanes > 1 ? 2 : 1);
    assert_true(found[0] == shape.count && found[1] == shape.lanes);
    uint64_t *values = calloc(shape.count * shape.lanes + 1, sizeof *values);
    assert_true(H5Dread(set, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    for (uint64_t k = 0; k < shape.count * shape.lanes; k++) {
        const uint64_t wanted = value_at(k / shape.lanes, k % shape.lanes);
        if (values[k] != (shape.type.size == 4 ? (uint32_t)wanted : wanted)) fail_msg("%s differs at %llu", path,
                                                                                     (unsigned long long)k);
    }
    free(values);
    H5Sclose(space);
    H5Dclose(set);
}

static void library_reads_what_is_written(void **state)
{
    (void)state;
    rill_hdf5_out out = file_make();
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    assert_true(H5Pset_fapl_core(access, 65536, false) >= 0 && H5Pset_file_image(access, out.bytes, out.size) >= 0);
    hid_t file = H5Fopen("file", H5F_ACC_RDONLY, access);
    assert_true(file >= 0);
    for (int i = 0; i < SETS; i++) check_with_library(file, i);
    double place[3] = {0};
    hid_t attribute = H5Aopen(file, "place", H5P_DEFAULT);
    assert_true(H5Aread(attribute, H5T_NATIVE_DOUBLE, place) >= 0);
    assert_true(place[0] == 1 && place[1] == -2.5 && place[2] == 1e300);
    H5Aclose(attribute);
    H5Fclose(file);
    H5Pclose(access);
    free(out.bytes);
}

typedef struct visit {
    rill_hdf5_in *in;
    int sets;
    bool exact; /* the file is whole: every number must be right */
} visit;

static bool visit_set(void *user, const char *name, uint64_t address)
{
    visit *v = user;
    rill_hdf5_object set;
    bool no_memory;
    if (!rill_hdf5_read_object(v->in, address, &set)) return false;
    if (set.shape[0] > 10000 || set.shape[1] > 8 || set.rank < 1 || set.type.size > 8 || !set.type.size) return false;
    uint8_t *values = malloc(set.shape[0] * set.shape[1] * set.type.size + 1);
    const bool good = rill_hdf5_read_numbers(v->in, &set, values, &no_memory);
    for (uint64_t k = 0; good && v->exact && k < set.shape[0] * set.shape[1]; k++) {
        const uint64_t wanted = value_at(k / set.shape[1], k % set.shape[1]);
        if (memcmp(values + k * set.type.size, &wanted, set.type.size)) fail_msg("%s differs", name);
    }
    free(values);
    v->sets++;
    return good;
}

static bool visit_root(void *user, const char *name, uint64_t address)
{
    visit *v = user;
    rill_hdf5_object group;
    (void)name;
    return rill_hdf5_read_object(v->in, address, &group) && rill_hdf5_read_group(v->in, &group, visit_set, v);
}

static bool file_visit(const uint8_t *bytes, size_t size, bool exact, int *sets)
{
    rill_hdf5_in in;
    rill_hdf5_object root;
    const uint64_t address = rill_hdf5_open(&in, bytes, size);
    visit v = {&in, 0, exact};
    const bool good = address != RILL_HDF5_NONE && rill_hdf5_read_object(&in, address, &root) &&
                      rill_hdf5_read_group(&in, &root, visit_root, &v);
    *sets = v.sets;
    return good;
}

static void reader_reads_what_is_written(void **state)
{
    (void)state;
    rill_hdf5_out out = file_make();
    int sets;
    assert_true(file_visit(out.bytes, out.size, true, &sets));
    assert_int_equal(sets, SETS);
    free(out.bytes);
}

/* In a block of exactly its size, so that the sanitizers see any step beyond it. */
static void visit_exact(const uint8_t *bytes, size_t size)
{
    int sets;
    uint8_t *own = malloc(size ? size : 1);
    memcpy(own, bytes, size);
    file_visit(own, size, false, &sets);
    free(own);
}

/* A small file of its own, so that every byte can be changed in several ways. */
static void damage_is_survived(void **state)
{
    (void)state;
    static const uint8_t changes[] = {0x01, 0x80, 0xff};
    rill_hdf5_out out;
    rill_hdf5_begin(&out);
    const rill_hdf5_shape shape = {{RILL_HDF5_UINT, 8}, 300, 10, 2};
    const rill_hdf5_attribute attribute = {"unit", {RILL_HDF5_TEXT, 4}, 0, "m/s"};
    rill_hdf5_link set = {"set", rill_hdf5_put_set(&out, &shape, fill, &shape.type.size, &attribute, 1)};
    rill_hdf5_link group = {"below", rill_hdf5_put_group(&out, &set, 1, NULL, 0)};
    rill_hdf5_end(&out, rill_hdf5_put_group(&out, &group, 1, &attribute, 1));
    for (size_t i = 0; i < out.size; i++) {
        for (size_t k = 0; k < sizeof changes; k++) {
            out.bytes[i] ^= changes[k];
            visit_exact(out.bytes, out.size);
            out.bytes[i] ^= changes[k];
        }
    }
    for (size_t cut = 0; cut < out.size; cut += 7) visit_exact(out.bytes, cut);
    int sets;
    assert_true(file_visit(out.bytes, out.size, true, &sets));
    free(out.bytes);
}

/* A node that is its own child, a header that goes on in itself: looked at for a while, then refused. */
static void circles_end(void **state)
{
    (void)state;
    rill_hdf5_out out = file_make();
    int sets;
    for (size_t i = RILL_HDF5_SUPERBLOCK; i + 32 < out.size; i += 4) {
        if (memcmp(out.bytes + i, "TREE", 4) || out.bytes[i + 4] != 1) continue;
        uint8_t kept[40];
        memcpy(kept, out.bytes + i, sizeof kept);
        const uint64_t self = i;
        out.bytes[i + 5] = 9; /* a high level, so that children are nodes */
        memcpy(out.bytes + i + 24 + 24, &self, 8);
        assert_false(file_visit(out.bytes, out.size, false, &sets));
        memcpy(out.bytes + i, kept, sizeof kept);
        break;
    }
    /* The first message of the root becomes one that continues in the root's own messages. */
    rill_hdf5_in in;
    const uint64_t root = rill_hdf5_open(&in, out.bytes, out.size), at = root + 16, size = 24;
    out.bytes[at] = RILL_HDF5_CONTINUED;
    memcpy(out.bytes + at + 8, &at, 8);
    memcpy(out.bytes + at + 16, &size, 8);
    assert_false(file_visit(out.bytes, out.size, false, &sets));
    free(out.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(library_reads_what_is_written),
        cmocka_unit_test(reader_reads_what_is_written),
        cmocka_unit_test(damage_is_survived),
        cmocka_unit_test(circles_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

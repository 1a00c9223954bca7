/* Exports, read back by readers of a few lines that follow the formats' own
 * descriptions. label: small, one thread */
#include "test_frame.h"

#include <signal.h>

/* A frame with plain numbers in it and records further apart than they are long. */
static sample plain_make(uint32_t count, rill_vec3 origin)
{
    sample s = sample_make(count);
    float *x = s.arrays[1].data, *v = s.arrays[2].data, *density = s.arrays[4].data;
    for (uint32_t i = 0; i < count; i++) {
        ((uint32_t *)s.arrays[0].data)[i] = i * 7 + 1;
        for (uint32_t k = 0; k < 3; k++) {
            x[4 * i + k] = 0.1f * (float)(i + k) - 3;
            v[5 * i + k] = 0.01f * (float)i * (float)k - 1;
        }
        density[2 * i] = 1000 + (float)i;
    }
    s.frame.origin = origin;
    return s;
}

/* ---- a reader of VTK's XML files with raw appended data ---- */

typedef struct vtp {
    char *bytes;
    const char *raw; /* behind the underscore */
    size_t size;
} vtp;

static vtp vtp_open(const char *path)
{
    vtp file = {0};
    file.bytes = file_get(path, &file.size);
    assert_non_null(strstr(file.bytes, "type=\"PolyData\""));
    assert_non_null(strstr(file.bytes, "byte_order=\"LittleEndian\" header_type=\"UInt64\""));
    const char *appended = strstr(file.bytes, "<AppendedData encoding=\"raw\">");
    assert_non_null(appended);
    /* Where ParaView's reader splits the file it must split this tag, close behind its name. */
    const size_t behind = 4096 - ((size_t)(appended - file.bytes) + strlen("<AppendedData")) % 4096;
    assert_true(behind >= 2 && behind <= 8);
    file.raw = strchr(appended, '_') + 1;
    const char ending[] = "\n  </AppendedData>\n</VTKFile>\n";
    assert_memory_equal(file.bytes + file.size - strlen(ending), ending, strlen(ending));
    return file;
}

/* The data of an array, which must have this type, number of components and length. */
static const char *vtp_array(const vtp *file, const char *name, const char *type, unsigned lanes, uint64_t bytes)
{
    char wanted[128];
    snprintf(wanted, sizeof wanted, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%u\"", type, name, lanes);
    const char *found = strstr(file->bytes, wanted);
    if (!found) fail_msg("no %s", wanted);
    const char *offset = strstr(found, "offset=\"");
    const char *data = file->raw + strtoull(offset + strlen("offset=\""), NULL, 10);
    uint64_t length;
    assert_true(data + sizeof length + bytes < file->bytes + file->size);
    memcpy(&length, data, sizeof length);
    assert_true(length == bytes);
    return data + sizeof length;
}

static void check_vtp_data(const vtp *file, const sample *s)
{
    uint32_t n = s->frame.count;
    const char *id = vtp_array(file, "id", "UInt32", 1, 4ull * n);
    const char *velocity = vtp_array(file, "velocity", "Float32", 3, 12ull * n);
    const char *density = vtp_array(file, "density", "Float32", 1, 4ull * n);
    const char *first = vtp_array(file, "connectivity", "Int32", 1, 4ull * n);
    const char *last = vtp_array(file, "offsets", "Int32", 1, 4ull * n);
    vtp_array(file, "fluid", "UInt32", 1, 4ull * n);
    vtp_array(file, "spin", "Float64", 2, 16ull * n);
    assert_memory_equal(vtp_array(file, "TimeValue", "Float64", 1, 8), &s->frame.time, 8);
    assert_null(strstr(file->bytes, "\"clock\"")); /* not one a particle */
    for (uint32_t i = 0; i < n; i++) {
        int32_t cell[2];
        assert_memory_equal(id + 4 * i, (uint32_t *)s->arrays[0].data + i, 4);
        assert_memory_equal(velocity + 12 * i, (float *)s->arrays[2].data + 5 * i, 12);
        assert_memory_equal(density + 4 * i, (float *)s->arrays[4].data + 2 * i, 4);
        memcpy(&cell[0], first + 4 * i, 4);
        memcpy(&cell[1], last + 4 * i, 4);
        assert_int_equal(cell[0], i);
        assert_int_equal(cell[1], i + 1);
    }
}

static void test_vtp(void **state)
{
    static const uint32_t counts[] = {0, 1, 5000};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        const char *path = path_of(*state, "a.vtp");
        uint32_t n = counts[k];
        char points[64];
        sample s = plain_make(n, (rill_vec3){0, 0, 0});
        s.frame.state.arrays = s.arrays;
        assert_int_equal(rill_export_frame(&s.frame, RILL_EXPORT_VTP, path, NULL), RILL_OK);
        vtp file = vtp_open(path);
        snprintf(points, sizeof points, "NumberOfPoints=\"%u\" NumberOfVerts=\"%u\"", n, n);
        assert_non_null(strstr(file.bytes, points));
        check_vtp_data(&file, &s);
        const char *x = vtp_array(&file, "Points", "Float32", 3, 12ull * n);
        for (uint32_t i = 0; i < n; i++) assert_memory_equal(x + 12 * i, (float *)s.arrays[1].data + 4 * i, 12);
        free(file.bytes);
        sample_free(&s);
    }
    assert_int_equal(folder_count(*state, ""), 1);
}

/* Survey coordinates: single precision would round a northing of five million metres to half a metre. */
static void test_vtp_far_from_zero(void **state)
{
    const char *path = path_of(*state, "a.vtp");
    rill_vec3 origin = {1774.5, 5394932.125, 0};
    sample s = plain_make(100, origin);
    s.frame.state.arrays = s.arrays;
    assert_int_equal(rill_export_frame(&s.frame, RILL_EXPORT_VTP, path, NULL), RILL_OK);
    vtp file = vtp_open(path);
    const char *x = vtp_array(&file, "Points", "Float64", 3, 24 * 100);
    for (uint32_t i = 0; i < 100; i++) {
        const float *near = (float *)s.arrays[1].data + 4 * i;
        double at[3], expected[3] = {origin.x + near[0], origin.y + near[1], origin.z + near[2]};
        memcpy(at, x + 24 * i, sizeof at);
        assert_memory_equal(at, expected, sizeof at);
    }
    free(file.bytes);
    sample_free(&s);
}

/* ---- a reader of binary PLY ---- */

typedef struct ply {
    char *bytes;
    const char *vertices;
    size_t vertex, size; /* bytes of one, of all */
    unsigned count;
} ply;

static size_t ply_bytes(const char *type)
{
    return strncmp(type, "double", 6) == 0 ? 8 : 4;
}

/* Where in a vertex the property lies; it must be of this type. */
static size_t ply_property(const ply *file, const char *type, const char *name)
{
    size_t at = 0;
    char wanted[64];
    snprintf(wanted, sizeof wanted, "property %s %s\n", type, name);
    for (const char *line = strstr(file->bytes, "property"); line < file->vertices; line = strchr(line, '\n') + 1) {
        if (strncmp(line, wanted, strlen(wanted)) == 0) return at;
        if (strncmp(line, "property ", 9) == 0) at += ply_bytes(line + 9);
    }
    fail_msg("no %s", wanted);
    return 0;
}

static ply ply_open(const char *path)
{
    ply file = {0};
    file.bytes = file_get(path, &file.size);
    assert_memory_equal(file.bytes, "ply\nformat binary_little_endian 1.0\n", 36);
    assert_int_equal(sscanf(strstr(file.bytes, "element vertex"), "element vertex %u", &file.count), 1);
    const char *end = strstr(file.bytes, "end_header\n");
    assert_non_null(end);
    file.vertices = end + strlen("end_header\n");
    for (const char *line = strstr(file.bytes, "property"); line < end; line = strchr(line, '\n') + 1)
        file.vertex += ply_bytes(line + 9);
    assert_int_equal(file.size - (size_t)(file.vertices - file.bytes), file.vertex * file.count);
    return file;
}

static void test_ply(void **state)
{
    const char *path = path_of(*state, "a.ply");
    sample s = plain_make(1000, (rill_vec3){0, 0, 0});
    s.frame.state.arrays = s.arrays;
    assert_int_equal(rill_export_frame(&s.frame, RILL_EXPORT_PLY, path, NULL), RILL_OK);
    ply file = ply_open(path);
    assert_int_equal(file.count, 1000);
    size_t x = ply_property(&file, "float", "x"), v = ply_property(&file, "float", "vx");
    size_t id = ply_property(&file, "uint", "id"), density = ply_property(&file, "float", "density");
    size_t spin = ply_property(&file, "double", "spin_y");
    assert_int_equal(x, 0);
    assert_int_equal(ply_property(&file, "float", "z"), 8);
    assert_int_equal(ply_property(&file, "float", "vz"), v + 8);
    for (uint32_t i = 0; i < 1000; i++) {
        const char *vertex = file.vertices + i * file.vertex;
        assert_memory_equal(vertex + x, (float *)s.arrays[1].data + 4 * i, 12);
        assert_memory_equal(vertex + v, (float *)s.arrays[2].data + 5 * i, 12);
        assert_memory_equal(vertex + id, (uint32_t *)s.arrays[0].data + i, 4);
        assert_memory_equal(vertex + density, (float *)s.arrays[4].data + 2 * i, 4);
        assert_memory_equal(vertex + spin, (double *)s.arrays[5].data + 2 * i + 1, 8);
    }
    free(file.bytes);
    sample_free(&s);
}

static void test_ply_far_from_zero(void **state)
{
    const char *path = path_of(*state, "a.ply");
    rill_vec3 origin = {0, 5394932.125, 0};
    sample s = plain_make(10, origin);
    s.frame.state.arrays = s.arrays;
    assert_int_equal(rill_export_frame(&s.frame, RILL_EXPORT_PLY, path, NULL), RILL_OK);
    ply file = ply_open(path);
    size_t y = ply_property(&file, "double", "y");
    for (uint32_t i = 0; i < 10; i++) {
        double at, expected = origin.y + ((float *)s.arrays[1].data)[4 * i + 1];
        memcpy(&at, file.vertices + i * file.vertex + y, sizeof at);
        assert_memory_equal(&at, &expected, sizeof at);
    }
    free(file.bytes);
    sample_free(&s);
}

static void test_series(void **state)
{
    const char *path = path_of(*state, "run.pvd");
    const char *files[] = {path_of(*state, "frame_000000.vtp"), "other/a & \"b\".vtp", path_of(*state, "deep/c.vtp")};
    double times[] = {0, 1.0 / 3, 2};
    assert_int_equal(rill_export_series(path, files, times, 3, NULL), RILL_OK);
    char *text = file_get(path, NULL);
    assert_non_null(strstr(text, "<VTKFile type=\"Collection\""));
    assert_non_null(strstr(text, "<DataSet timestep=\"0\" part=\"0\" file=\"frame_000000.vtp\"/>"));
    assert_non_null(strstr(text, "timestep=\"0.33333333333333331\""));
    assert_non_null(strstr(text, "file=\"other/a &amp; &quot;b&quot;.vtp\"/>"));
    assert_non_null(strstr(text, "timestep=\"2\" part=\"0\" file=\"deep/c.vtp\"/>"));
    assert_non_null(strstr(text, "  </Collection>\n</VTKFile>\n"));
    free(text);
}

/* No part of a file under its name when the disk fills up, and the old one stays. */
static void test_export_to_a_full_disk(void **state)
{
    rill_error err = {0};
    sample s = plain_make(5000, (rill_vec3){0, 0, 0});
    s.frame.state.arrays = s.arrays;
    signal(SIGXFSZ, SIG_IGN);
    const char *path = path_of(*state, "a.vtp");
    file_put(path, "old", 3);
    disk_limit(20000);
    assert_int_equal(rill_export_frame(&s.frame, RILL_EXPORT_VTP, path, &err), RILL_IO_FAILED);
    check_sentence(&err);
    assert_int_equal(rill_export_frame(&s.frame, RILL_EXPORT_PLY, path_of(*state, "a.ply"), &err), RILL_IO_FAILED);
    disk_limit(RLIM_INFINITY);
    assert_int_equal(folder_count(*state, ""), 1);
    char *text = file_get(path, NULL);
    assert_string_equal(text, "old");
    free(text);
    sample_free(&s);
}

static void test_export_without_positions(void **state)
{
    rill_error err = {0};
    sample s = plain_make(10, (rill_vec3){0, 0, 0});
    assert_int_equal(rill_export_frame(&s.frame, (rill_export_format)2, path_of(*state, "a.vtp"), &err),
                     RILL_BAD_INPUT);
    check_sentence(&err);
    s.frame.state.arrays = s.arrays + 2;
    s.frame.state.count = 2;
    assert_int_equal(rill_export_frame(&s.frame, RILL_EXPORT_VTP, path_of(*state, "a.vtp"), &err), RILL_BAD_INPUT);
    check_sentence(&err);
    assert_int_equal(folder_count(*state, ""), 0);
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_vtp, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_vtp_far_from_zero, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_ply, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_ply_far_from_zero, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_series, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_export_to_a_full_disk, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_export_without_positions, folder_make, folder_drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Meshes into files: what goes out comes back in, whole or not at all. label: small, one thread */
#include "surface_files.h"

#include <locale.h>
#include <signal.h>

#include "surface/mesh_write.h"

/* Apart from the callers, since gcc 12 warns of pointers into a file that it sees being read. */
__attribute__((noinline)) static char *file_read(const char *path, size_t *size)
{
    return file_get(path, size);
}

/* A tetrahedron with a value of every kind; odd numbers bring out every digit. */
static float corner[12] = {0, 0, 0, 1.0f / 3, 0, 0, 0, -1e-7f, 1e7f, 123456.789f, 0.1f, 3e-30f};
static float normal[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0.577350269f, 0.577350269f, -0.577350269f};
static float velocity[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
static float pressure[4] = {1000.5f, -3, 0, 1e9f};
static float colour[12] = {0, 0.5f, 1, 1, 1, 1, 0.2f, 0.4f, 0.6f, -1, 2, 0};
static uint32_t triangle[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
static rill_values values[3] = {{"velocity", 3, velocity}, {"p & \"q\" <r>", 1, pressure}, {"colour", 3, colour}};

static rill_mesh mesh_make(void)
{
    return (rill_mesh){.vertex_count = 4, .triangle_count = 4, .position = corner, .normal = normal,
                       .triangle = triangle, .values = values, .value_count = 3};
}

static void test_mesh_ply(void **state)
{
    const char *path = path_of(*state, "a.ply");
    rill_mesh mesh = mesh_make();
    rill_particles p;
    size_t size;
    assert_int_equal(rill_mesh_write(&mesh, RILL_MESH_PLY, path, NULL), RILL_OK);
    read_good(path, &p);
    assert_int_equal(p.count, 4);
    assert_memory_equal(p.position, corner, sizeof corner);
    assert_memory_equal(value_of(&p, "normal")->data, normal, sizeof normal);
    assert_memory_equal(value_of(&p, "velocity")->data, velocity, sizeof velocity);
    assert_memory_equal(value_of(&p, "p_&_\"q\"_<r>")->data, pressure, sizeof pressure);
    for (int i = 0; i < 12; i++) {
        const float bounded = colour[i] < 0 ? 0 : colour[i] > 1 ? 1 : colour[i];
        assert_float_equal(value_of(&p, "colour")->data[i], bounded, 0.5 / 255 + 1e-6);
    }
    rill_particles_free(&p);
    char *bytes = file_read(path, &size);
    assert_non_null(strstr(bytes, "property uchar red\nproperty uchar green\nproperty uchar blue\nelement face 4\n"
                                  "property list uchar int vertex_indices\nend_header\n"));
    for (int i = 0; i < 4; i++) {
        const char *face = bytes + size - 13 * (4 - i);
        assert_int_equal(*face, 3);
        assert_memory_equal(face + 1, triangle + 3 * i, 12);
    }
    free(bytes);
}

/* A reader of a few lines; the locale of a host must not change what is written. */
static void test_mesh_obj(void **state)
{
    const char *path = path_of(*state, "a.obj");
    rill_mesh mesh = mesh_make();
    setlocale(LC_ALL, "de_DE.UTF-8");
    assert_int_equal(rill_mesh_write(&mesh, RILL_MESH_OBJ, path, NULL), RILL_OK);
    setlocale(LC_ALL, "C");
    char *text = file_read(path, NULL), *rest = text;
    int vertices = 0, normals = 0, faces = 0;
    for (char *line; (line = strsep(&rest, "\n"));) {
        float a[6];
        unsigned v[6];
        if (sscanf(line, "v %f %f %f %f %f %f", a, a + 1, a + 2, a + 3, a + 4, a + 5) == 6) {
            assert_memory_equal(a, corner + 3 * vertices, 12);
            assert_float_equal(a[5], fmaxf(0, fminf(1, colour[3 * vertices + 2])), 0.5 / 255 + 1e-4);
            vertices++;
        } else if (sscanf(line, "vn %f %f %f", a, a + 1, a + 2) == 3) {
            for (int k = 0; k < 3; k++) assert_float_equal(a[k], normal[3 * normals + k], 1e-6);
            normals++;
        } else if (sscanf(line, "f %u//%u %u//%u %u//%u", v, v + 1, v + 2, v + 3, v + 4, v + 5) == 6) {
            for (int k = 0; k < 3; k++) {
                assert_int_equal(v[2 * k], triangle[3 * faces + k] + 1);
                assert_int_equal(v[2 * k], v[2 * k + 1]);
            }
            faces++;
        } else {
            assert_true(!*line || *line == '#');
        }
    }
    assert_true(vertices == 4 && normals == 4 && faces == 4);
    free(text);
}

/* The text of every float, read by the C library, is that float. */
static void test_obj_numbers(void **state)
{
    enum { COUNT = 30000 };
    const char *path = path_of(*state, "a.obj");
    uint64_t seed = 7;
    float *position = malloc(3 * COUNT * sizeof *position);
    for (int i = 0; i < 3 * COUNT; i++) {
        const uint32_t bits = (uint32_t)random_next(&seed);
        memcpy(&position[i], &bits, sizeof bits);
        if (i % 2 || !isfinite(position[i])) position[i] = (float)((int32_t)random_next(&seed) * 1e-8);
    }
    rill_mesh mesh = {.vertex_count = COUNT, .position = position};
    assert_int_equal(rill_mesh_write(&mesh, RILL_MESH_OBJ, path, NULL), RILL_OK);
    char *text = file_read(path, NULL), *at = strchr(text, '\n') + 1;
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(*at++, 'v');
        for (int k = 0; k < 3; k++) {
            const float back = strtof(at, &at), was = position[3 * i + k];
            if (back != was) fail_msg("%.9g was written as %.9g", was, back);
        }
        assert_int_equal(*at++, '\n');
    }
    free(text);
    free(position);
}

static void test_mesh_vtp(void **state)
{
    const char *path = path_of(*state, "a.vtp");
    rill_mesh mesh = mesh_make();
    rill_particles p;
    assert_int_equal(rill_mesh_write(&mesh, RILL_MESH_VTP, path, NULL), RILL_OK);
    read_good(path, &p);
    assert_memory_equal(p.position, corner, sizeof corner);
    assert_memory_equal(value_of(&p, "Normals")->data, normal, sizeof normal);
    assert_memory_equal(value_of(&p, "velocity")->data, velocity, sizeof velocity);
    assert_memory_equal(value_of(&p, "p & \"q\" <r>")->data, pressure, sizeof pressure);
    assert_memory_equal(value_of(&p, "colour")->data, colour, sizeof colour);
    rill_particles_free(&p);
    size_t size;
    char *bytes = file_read(path, &size);
    assert_non_null(strstr(bytes, "NumberOfPolys=\"4\""));
    const char *offset = strstr(strstr(bytes, "\"connectivity\""), "offset=\"") + 8;
    const char *raw = strchr(strstr(bytes, "<AppendedData"), '_') + 1 + strtoull(offset, NULL, 10);
    const int32_t ends[4] = {3, 6, 9, 12};
    assert_memory_equal(raw + 8, triangle, sizeof triangle);
    assert_memory_equal(raw + 8 + sizeof triangle + 8, ends, sizeof ends);
    free(bytes);
}

/* Survey coordinates keep their millimetres on both ways. */
static void test_far_from_zero(void **state)
{
    static const char *const names[] = {[RILL_MESH_PLY] = "a.ply", [RILL_MESH_VTP] = "a.vtp"};
    static float near[12] = {0, 0, 0, 0.25f, 0.125f, 3, 1, 2, 3, 4, 5, 6.5f};
    const rill_vec3 origin = {1774.5, 5394932.125, -12};
    rill_mesh mesh = {.vertex_count = 4, .position = near};
    for (int format = 0; format < 3; format += 2) {
        const char *path = path_of(*state, names[format]);
        rill_particles p;
        rill_vec3 from;
        assert_int_equal(rill_mesh_write_at(&mesh, origin, (rill_mesh_format)format, path, NULL), RILL_OK);
        assert_int_equal(rill_particles_read_at(path, &p, &from, NULL), RILL_OK);
        for (int i = 0; i < 4; i++) {
            assert_true(from.x + p.position[3 * i] == origin.x + near[3 * i]);
            assert_true(from.y + p.position[3 * i + 1] == origin.y + near[3 * i + 1]);
            assert_true(from.z + p.position[3 * i + 2] == origin.z + near[3 * i + 2]);
        }
        rill_particles_free(&p);
    }
    assert_int_equal(rill_mesh_write_at(&mesh, origin, RILL_MESH_OBJ, path_of(*state, "a.obj"), NULL), RILL_OK);
    char *text = file_read(path_of(*state, "a.obj"), NULL);
    assert_non_null(strstr(text, "v 1774.75 5394932.25 -9\n"));
    free(text);
}

static void test_empty_mesh(void **state)
{
    const rill_mesh mesh = {0};
    rill_particles p;
    for (int format = 0; format < 3; format++) {
        static const char *const names[] = {"a.ply", "a.obj", "a.vtp"};
        const char *path = path_of(*state, names[format]);
        assert_int_equal(rill_mesh_write(&mesh, (rill_mesh_format)format, path, NULL), RILL_OK);
        if (format == RILL_MESH_OBJ) continue;
        read_good(path, &p);
        assert_int_equal(p.count, 0);
        rill_particles_free(&p);
    }
}

static void test_wrong_mesh(void **state)
{
    uint32_t beyond[3] = {0, 1, 4};
    rill_error err;
    rill_mesh mesh = mesh_make();
    mesh.triangle = beyond;
    mesh.triangle_count = 1;
    assert_int_equal(rill_mesh_write(&mesh, RILL_MESH_PLY, path_of(*state, "a.ply"), &err), RILL_BAD_INPUT);
    check_sentence(&err);
    mesh = mesh_make();
    assert_int_equal(rill_mesh_write(&mesh, (rill_mesh_format)3, path_of(*state, "a.ply"), &err), RILL_BAD_INPUT);
    check_sentence(&err);
    assert_int_equal(rill_mesh_write(&mesh, RILL_MESH_PLY, path_of(*state, "no/such/a.ply"), &err), RILL_IO_FAILED);
    check_sentence(&err);
    assert_int_equal(folder_count(*state, ""), 0);
}

/* No part of a file under its name when the disk fills up, and the old one stays. */
static void test_full_disk(void **state)
{
    enum { COUNT = 5000 };
    static float position[3 * COUNT];
    const rill_mesh mesh = {.vertex_count = COUNT, .position = position};
    rill_error err;
    signal(SIGXFSZ, SIG_IGN);
    for (int format = 0; format < 3; format++) {
        const char *path = path_of(*state, "a.mesh");
        file_put(path, "old", 3);
        disk_limit(8192);
        assert_int_equal(rill_mesh_write(&mesh, (rill_mesh_format)format, path, &err), RILL_IO_FAILED);
        disk_limit(RLIM_INFINITY);
        check_sentence(&err);
        assert_int_equal(folder_count(*state, ""), 1);
        char *text = file_read(path, NULL);
        assert_string_equal(text, "old");
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_mesh_ply, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_mesh_obj, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_obj_numbers, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_mesh_vtp, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_far_from_zero, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_empty_mesh, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_wrong_mesh, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_full_disk, folder_make, folder_drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

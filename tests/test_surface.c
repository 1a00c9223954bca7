/* Both marchers on functions: shapes of known volume, area and topology, signs
 * at random, zeros on nodes; and the examination that all of this rests on. label: one thread */
#include "tests/scenes.h"
#include "tests/surfaces.h"
#include "text/pi.h"

typedef struct shape {
    rill_surface_value *value;
    double size; /* half the box */
    int64_t euler;
    size_t pieces;
    double volume, area;
} shape;

static const double OFF[3] = {0.0123, -0.0317, 0.0211}; /* off the lattice */

static double sphere_value(void *user, double x, double y, double z)
{
    (void)user;
    return 0.7 - sqrt((x - OFF[0]) * (x - OFF[0]) + (y - OFF[1]) * (y - OFF[1]) + (z - OFF[2]) * (z - OFF[2]));
}

static double torus_value(void *user, double x, double y, double z)
{
    (void)user;
    const double ring = sqrt((x - OFF[0]) * (x - OFF[0]) + (y - OFF[1]) * (y - OFF[1])) - 0.6;
    return 0.25 - sqrt(ring * ring + (z - OFF[2]) * (z - OFF[2]));
}

static double drops_value(void *user, double x, double y, double z)
{
    (void)user;
    const double a = 0.35 - sqrt((x - 0.45) * (x - 0.45) + y * y + z * z);
    const double b = 0.3 - sqrt((x + 0.5) * (x + 0.5) + (y - 0.1) * (y - 0.1) + (z - OFF[0]) * (z - OFF[0]));
    return a > b ? a : b;
}

static const shape shapes[] = {
    {sphere_value, 1, 2, 1, 4.0 / 3 * RILL_PI * 0.343, 4 * RILL_PI * 0.49},
    {torus_value, 1, 0, 1, 2 * 9.8696044010893586 * 0.6 * 0.0625, 4 * 9.8696044010893586 * 0.6 * 0.25},
    {drops_value, 1, 4, 2, 4.0 / 3 * RILL_PI * (0.042875 + 0.027),
     4 * RILL_PI * (0.1225 + 0.09)},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static rill_mesh mesh_of(rill_surface_value *value, void *user, double half, double cell, int method)
{
    rill_mesh mesh;
    rill_error err = {0};
    if (rill_surface_of_function(value, user, (rill_vec3){-half, -half, -half}, (rill_vec3){half, half, half}, cell,
                                 (rill_surface_method)method, &mesh, &err))
        fail_msg("%s", err.text);
    return mesh;
}

static void shapes_are_whole(void **state)
{
    (void)state;
    for (int s = 0; s < SHAPES; s++)
        for (int m = 0; m < 2; m++) {
            rill_mesh mesh = mesh_of(shapes[s].value, NULL, shapes[s].size, 0.05, m);
            const rill_mesh_check c = whole(&mesh, method_names[m]);
            assert_int_equal(c.euler, shapes[s].euler);
            assert_int_equal(c.pieces, shapes[s].pieces);
            rill_mesh_free(&mesh);
        }
}

/* Half the cell leaves a quarter of the error. */
static void converges_at_second_order(void **state)
{
    (void)state;
    for (int s = 0; s < SHAPES; s++)
        for (int m = 0; m < 2; m++) {
            double volume[3], area[3];
            for (int k = 0; k < 3; k++) {
                rill_mesh mesh = mesh_of(shapes[s].value, NULL, shapes[s].size, 0.1 / (1 << k), m);
                const rill_mesh_check c = examined(&mesh);
                volume[k] = fabs(c.volume / shapes[s].volume - 1);
                area[k] = fabs(c.area / shapes[s].area - 1);
                rill_mesh_free(&mesh);
            }
            assert_true(volume[2] < 5e-3 && area[2] < 5e-3);
            for (int k = 0; k < 2; k++) {
                const double by_volume = volume[k] / volume[k + 1], by_area = area[k] / area[k + 1];
                if (by_volume < 3.3 || by_volume > 4.8 || by_area < 3.3 || by_area > 4.8)
                    fail_msg("%s, shape %d: volume %g -> %g, area %g -> %g", method_names[m], s, volume[k],
                             volume[k + 1], area[k], area[k + 1]);
            }
        }
}

/* Normals against the sphere's own, and every triangle against the normals at its corners. */
static void normals_point_outwards(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++) {
        rill_mesh mesh = mesh_of(sphere_value, NULL, 1, 0.05, m);
        for (size_t v = 0; v < mesh.vertex_count; v++) {
            double dot = 0, square = 0;
            for (size_t a = 0; a < 3; a++) {
                const double x = (double)mesh.position[3 * v + a] - OFF[a];
                dot += x * (double)mesh.normal[3 * v + a];
                square += x * x;
            }
            assert_true(dot > 0.999 * sqrt(square));
            assert_true(fabs(sqrt(square) - 0.7) < 0.002);
        }
        for (size_t t = 0; t < mesh.triangle_count; t++) {
            const float *p[3];
            for (size_t k = 0; k < 3; k++) p[k] = mesh.position + 3 * (size_t)mesh.triangle[3 * t + k];
            double dot = 0;
            for (int a = 0; a < 3; a++) {
                const int b = (a + 1) % 3, c = (a + 2) % 3;
                const double n = ((double)p[1][b] - p[0][b]) * ((double)p[2][c] - p[0][c]) -
                                 ((double)p[1][c] - p[0][c]) * ((double)p[2][b] - p[0][b]);
                dot += n * (double)mesh.normal[3 * (size_t)mesh.triangle[3 * t] + (size_t)a];
            }
            assert_true(dot > 0);
        }
        rill_mesh_free(&mesh);
    }
}

/* A value for each node from its place alone; how many are inside is up to the user. */
static double noise_value(void *user, double x, double y, double z)
{
    const double *share = user;
    uint64_t hash = rill_hash_add(1, (uint64_t)(int64_t)lround(x));
    hash = rill_hash_add(rill_hash_add(hash, (uint64_t)(int64_t)lround(y)), (uint64_t)(int64_t)lround(z));
    const double u = next_random(&hash);
    if (u < share[0]) return next_random(&hash);
    return u < share[1] ? 0 : u < share[2] ? NAN : u < share[3] ? -INFINITY : -next_random(&hash);
}

/* Every case next to every other, across the borders of blocks, with zeros, NaN and infinities among them. */
static void noise_is_whole(void **state)
{
    (void)state;
    static const double shares[][4] = {{0.5, 0.5, 0.5, 0.5}, {0.02, 0.02, 0.02, 0.02}, {0.97, 0.97, 0.97, 0.97},
                                       {0.3, 0.9, 0.9, 0.9}, {0.4, 0.5, 0.7, 0.8}};
    for (size_t s = 0; s < sizeof shares / sizeof *shares; s++)
        for (int m = 0; m < 2; m++) {
            rill_mesh mesh = mesh_of(noise_value, (void *)shares[s], slow_build() ? 9 : 21, 1, m);
            assert_true(mesh.triangle_count > 0);
            whole(&mesh, method_names[m]);
            rill_mesh_free(&mesh);
        }
}

/* Zero on whole planes of nodes. Zero is outside, so the cube is a little smaller than it looks, its edges cut. */
static double cube_value(void *user, double x, double y, double z)
{
    (void)user;
    return 4 - fmax(fabs(x), fmax(fabs(y), fabs(z)));
}

static void zeros_on_nodes_are_whole(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++) {
        rill_mesh mesh = mesh_of(cube_value, NULL, 10, 1, m);
        const rill_mesh_check c = whole(&mesh, method_names[m]);
        assert_int_equal(c.euler, 2);
        assert_true(c.volume > 460 && c.volume < 512);
        rill_mesh_free(&mesh);
    }
}

static double full_value(void *user, double x, double y, double z)
{
    (void)user, (void)x, (void)y, (void)z;
    return 1;
}

/* What fills the box is closed along its walls; what is nowhere has no surface. */
static void box_closes_the_surface(void **state)
{
    (void)state;
    static const double nowhere[4] = {0, 0, 0, 0};
    for (int m = 0; m < 2; m++) {
        rill_mesh mesh = mesh_of(full_value, NULL, 2, 0.25, m);
        const rill_mesh_check c = whole(&mesh, method_names[m]);
        assert_int_equal(c.euler, 2);
        assert_true(c.volume > 64 && c.volume < 4.5 * 4.5 * 4.5);
        rill_mesh_free(&mesh);
        mesh = mesh_of(noise_value, (void *)nowhere, 2, 0.25, m);
        assert_int_equal(mesh.vertex_count, 0);
        assert_int_equal(mesh.triangle_count, 0);
        assert_int_equal(whole(&mesh, "nothing").pieces, 0);
        rill_mesh_free(&mesh);
    }
    rill_mesh mesh;
    rill_error err = {0};
    assert_int_equal(rill_surface_of_function(full_value, NULL, (rill_vec3){0, 0, 0}, (rill_vec3){1, -1, 1}, 0.1,
                                              RILL_SURFACE_CUBES, &mesh, &err),
                     RILL_BAD_INPUT);
}

/* Two tetrahedra that share vertex 3 only. */
static float points[7][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 2}, {-1, 0, 2}, {0, 1, 2}};
static const uint32_t tetrahedra[24] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3, 4, 5, 6, 4, 3, 5, 4, 6, 3, 5, 3, 6};

static rill_mesh_check check_of(size_t vertices, size_t triangles, const uint32_t *triangle)
{
    uint32_t copy[24];
    memcpy(copy, triangle, 3 * triangles * sizeof *copy);
    const rill_mesh mesh = {
        .vertex_count = vertices, .triangle_count = triangles, .position = points[0], .triangle = copy};
    return examined(&mesh);
}

static void examination_finds_faults(void **state)
{
    (void)state;
    rill_mesh_check c = check_of(4, 4, tetrahedra);
    assert_int_equal(c.boundary_edges + c.crowded_edges + c.twisted_edges + c.pinched_vertices + c.degenerate, 0);
    assert_int_equal(c.euler, 2);
    assert_int_equal(c.pieces, 1);
    assert_true(fabs(c.volume - 1.0 / 6) < 1e-12);
    assert_true(fabs(c.area - (1.5 + sqrt(3) / 2)) < 1e-12);
    assert_int_equal(check_of(4, 3, tetrahedra).boundary_edges, 3);
    c = check_of(7, 8, tetrahedra);
    assert_int_equal(c.pinched_vertices, 1);
    assert_int_equal(c.boundary_edges + c.crowded_edges + c.twisted_edges, 0);
    uint32_t other[24];
    memcpy(other, tetrahedra, sizeof other);
    other[0] = 2, other[1] = 0;
    assert_int_equal(check_of(4, 4, other).twisted_edges, 3);
    memcpy(other + 12, tetrahedra, 3 * sizeof *other);
    other[0] = 0, other[1] = 2;
    assert_int_equal(check_of(4, 5, other).crowded_edges, 3);
    other[12] = other[13] = 1;
    c = check_of(4, 5, other);
    assert_int_equal(c.degenerate, 1);
    assert_int_equal(c.crowded_edges, 0);
    other[0] = 99;
    const rill_mesh mesh = {.vertex_count = 4, .triangle_count = 4, .position = points[0], .triangle = other};
    assert_int_equal(rill_mesh_examine(&mesh, &c, NULL), RILL_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examination_finds_faults), cmocka_unit_test(shapes_are_whole),
        cmocka_unit_test(converges_at_second_order), cmocka_unit_test(normals_point_outwards),
        cmocka_unit_test(noise_is_whole),           cmocka_unit_test(zeros_on_nodes_are_whole),
        cmocka_unit_test(box_closes_the_surface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

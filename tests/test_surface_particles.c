/* Surfaces of particles: always whole, of the right volume, the same on any
 * number of threads; culling, smoothing, and what is refused. */
#include <stdio.h>

#include "run/threads.h"
#include "tests/clouds.h"

/* Both methods and all fields; returns nothing, since all that counts is that they are whole. */
static void all_whole(double cell, const char *what)
{
    for (int f = 0; f < FIELDS; f++)
        for (int m = 0; m < 2; m++) {
            rill_surface_options options = rill_surface_default();
            rill_surface_report report;
            options.field = (rill_surface_field)f;
            options.method = (rill_surface_method)m;
            options.cell = cell;
            rill_mesh mesh = made(&options, &report);
            char name[200];
            snprintf(name, sizeof name, "%s, %s, %s, cell %g", what, field_names[f], method_names[m], cell);
            const rill_mesh_check check = whole(&mesh, name);
            assert_int_equal(check.pieces, report.pieces);
            assert_true(fabs(check.volume - report.volume) <= 1e-9 * check.area * D);
            rill_mesh_free(&mesh);
        }
}

static void ball_has_its_volume(void **state)
{
    (void)state;
    static const double jitters[] = {0, 0.5};
    for (int j = 0; j < 2; j++) {
        fill_ball(slow_build() ? 6000 : 30000, jitters[j]);
        for (int f = 0; f < FIELDS; f++)
            for (int m = 0; m < 2; m++) {
                rill_surface_options options = rill_surface_default();
                options.field = (rill_surface_field)f;
                options.method = (rill_surface_method)m;
                rill_mesh mesh = made(&options, NULL);
                const double share = whole(&mesh, field_names[f]).volume / ((double)c.count * D * D * D);
                if (fabs(share - 1) > 0.03) fail_msg("%s, %s: %g of N d^3", field_names[f], method_names[m], share);
                rill_mesh_free(&mesh);
            }
    }
}

static void one_and_two_are_whole(void **state)
{
    (void)state;
    rill_surface_options options = rill_surface_default();
    for (int k = 0; k <= 80; k++) {
        const double apart = 0.05 * k;
        c.count = 0;
        add(0.1, 0.2, 0.3);
        add(0.1 + 0.8 * apart, 0.2 - 0.36 * apart, 0.3 + 0.48 * apart);
        if (k % (slow_build() ? 20 : 4) == 0) all_whole(0.5, "two");
        rill_surface_report report;
        rill_mesh mesh = made(&options, &report);
        assert_int_equal(whole(&mesh, "two").pieces, apart < 1.2 ? 1 : apart > 2 ? 2 : report.pieces);
        rill_mesh_free(&mesh);
    }
    c.count = 1;
    options.cell = 0.1;
    rill_mesh mesh = made(&options, NULL);
    const rill_mesh_check one = whole(&mesh, "one");
    assert_int_equal(one.euler, 2);
    assert_true(fabs(one.volume / (D * D * D) - 1) < 0.05);
    rill_mesh_free(&mesh);
    c.count = 0;
    mesh = made(&options, NULL);
    assert_int_equal(mesh.vertex_count, 0);
    rill_mesh_free(&mesh);
}

/* From spray to several particles in each other's place, some far away, some coincident. */
static void clouds_are_whole(void **state)
{
    (void)state;
    static const double densities[] = {0.02, 0.1, 0.3, 0.6, 1, 2, 5};
    static const double cells[] = {0.5, 0.23, 1.7};
    const int count = slow_build() ? 200 : 1500;
    for (size_t k = 0; k < sizeof densities / sizeof *densities; k++) {
        uint64_t random = k;
        const double side = cbrt(count / densities[k]);
        c.count = 0;
        for (int i = 0; i < count; i++) {
            const double a = next_random(&random), b = next_random(&random), d = next_random(&random);
            add(side * a, side * b, side * d);
            if (i % 50 == 0) add(side * a, side * b, side * d);
        }
        add(1e5, -1e5, 3e4);
        for (int s = 0; s < (k % 3 || slow_build() ? 1 : 3); s++) all_whole(cells[s], "cloud");
    }
}

/* A block with a cavity, aligned with the lattice, and a thin sheet. */
static bool in_block(double x, double y, double z)
{
    return fabs(x) < 8 && fabs(y) < 8 && fabs(z) < 8 && x * x + y * y + z * z > 9;
}
static bool in_sheet(double x, double y, double z)
{
    return fabs(x) < 12 && fabs(y) < 12 && fabs(z) < 0.6;
}

static void block_and_sheet_are_whole(void **state)
{
    (void)state;
    fill(8, 0, in_block);
    all_whole(0.5, "block");
    rill_surface_options options = rill_surface_default();
    rill_surface_report report;
    rill_mesh mesh = made(&options, &report);
    assert_int_equal(report.pieces, 2);
    rill_mesh_free(&mesh);
    fill(12, 0.3, in_sheet);
    all_whole(0.5, "sheet");
    options.field = RILL_SURFACE_ANISOTROPIC;
    mesh = made(&options, &report);
    assert_int_equal(report.pieces, 1);
    assert_int_equal(whole(&mesh, "sheet").euler, 2);
    rill_mesh_free(&mesh);
}

static void same_bits_on_any_threads(void **state)
{
    (void)state;
    static const unsigned threads[] = {1, 2, 3, 8};
    static const char *const names[] = {"speed"};
    fill_ball(slow_build() ? 2000 : 12000, 0.8);
    uint64_t random = 5;
    for (int i = 0; i < 300; i++) {
        const double a = next_random(&random), b = next_random(&random), d = next_random(&random);
        add(60 * a - 30, 60 * b - 30, 60 * d - 30);
    }
    rill_values speed = {.name = "speed", .lanes = 3, .data = c.x};
    rill_particles p = particles();
    p.values = &speed;
    p.value_count = 1;
    for (int f = 0; f < FIELDS; f++) {
        uint64_t first = 0;
        for (int t = 0; t < 4; t++) {
            rill_threads *pool = rill_threads_create(threads[t], NULL);
            const rill_scheduler scheduler = rill_threads_scheduler(pool);
            rill_surface_options options = rill_surface_default();
            options.field = (rill_surface_field)f;
            options.cull = 1;
            options.smooth = 5;
            options.values = names;
            options.value_count = 1;
            options.scheduler = &scheduler;
            rill_mesh mesh;
            assert_int_equal(rill_surface_make(&p, &options, &mesh, NULL, NULL), RILL_OK);
            if (!t) first = mesh_hash(&mesh);
            assert_true(mesh_hash(&mesh) == first);
            rill_mesh_free(&mesh);
            rill_threads_destroy(pool);
        }
    }
}

/* What was culled leaves the same bits as what was never there. */
static void culling_leaves_no_shadow(void **state)
{
    (void)state;
    rill_surface_options options = rill_surface_default();
    rill_surface_report report;
    fill_ball(4000, 0.4);
    const size_t ball = c.count;
    rill_mesh mesh = made(&options, NULL);
    const uint64_t alone = mesh_hash(&mesh);
    rill_mesh_free(&mesh);
    for (int i = 0; i < 40; i++) add(ball_radius + 2.1 + 4 * i, 0.3 * i, 0);
    for (int i = 0; i < 3; i++) add(-ball_radius - 5, i, 0);
    options.cull = 3; /* those three have two each */
    mesh = made(&options, &report);
    assert_int_equal(report.culled, c.count - ball);
    assert_true(mesh_hash(&mesh) == alone);
    rill_mesh_free(&mesh);
    options.cull = 0;
    options.least_particles = 4;
    mesh = made(&options, &report);
    assert_int_equal(report.culled, c.count - ball);
    assert_true(mesh_hash(&mesh) == alone);
    rill_mesh_free(&mesh);
    options.least_particles = 3;
    mesh = made(&options, &report);
    assert_int_equal(report.culled, 40);
    assert_int_equal(report.pieces, 2);
    rill_mesh_free(&mesh);
}

/* Root mean square of the sine between the normals and those of the ball. */
static double bumps(const rill_mesh *mesh)
{
    double sum = 0;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        const float *x = mesh->position + 3 * v, *n = mesh->normal + 3 * v;
        const double square = (double)x[0] * x[0] + (double)x[1] * x[1] + (double)x[2] * x[2];
        const double dot = (double)x[0] * n[0] + (double)x[1] * n[1] + (double)x[2] * n[2];
        sum += fmax(0, 1 - dot * dot / square);
    }
    return sqrt(sum / (double)mesh->vertex_count);
}

static void smoothing_keeps_the_volume(void **state)
{
    (void)state;
    fill_ball(slow_build() ? 4000 : 12000, 0.5);
    for (int f = 0; f < FIELDS; f++) {
        rill_surface_options options = rill_surface_default();
        options.field = (rill_surface_field)f;
        double volume[3], bump[3];
        for (int k = 0; k < 3; k++) {
            options.smooth = k == 0 ? 0 : k == 1 ? 5 : 25;
            rill_mesh mesh = made(&options, NULL);
            volume[k] = whole(&mesh, "smooth").volume;
            bump[k] = bumps(&mesh);
            rill_mesh_free(&mesh);
        }
        if (fabs(volume[1] / volume[0] - 1) > 0.01 || fabs(volume[2] / volume[0] - 1) > 0.01)
            fail_msg("%s: volume %g, smoothed %g and %g", field_names[f], volume[0], volume[1], volume[2]);
        if (!(bump[1] < 0.9 * bump[0] && bump[2] < 0.8 * bump[1]))
            fail_msg("%s: bumps %g, smoothed %g and %g", field_names[f], bump[0], bump[1], bump[2]);
    }
}

/* The volume within the triangles on one side of x = 0. */
static double volume_right(const rill_mesh *mesh)
{
    double six = 0;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const float *p = mesh->position + 3 * (size_t)mesh->triangle[3 * t];
        const float *q = mesh->position + 3 * (size_t)mesh->triangle[3 * t + 1];
        const float *r = mesh->position + 3 * (size_t)mesh->triangle[3 * t + 2];
        for (int a = 0; p[0] > 0 && a < 3; a++) {
            const int b = (a + 1) % 3, d = (a + 2) % 3;
            six += (double)p[a] * ((double)q[b] * (double)r[d] - (double)q[d] * (double)r[b]);
        }
    }
    return six / 6;
}

/* A small ball next to a large one does not pay for it: each keeps its volume. */
static void smoothing_keeps_each_volume(void **state)
{
    (void)state;
    double share[2];
    rill_surface_options options = rill_surface_default();
    fill_ball(400, 0.3);
    const size_t small = c.count;
    static float kept[3 * 1000];
    assert_true(small < 1000);
    memcpy(kept, c.x, 3 * small * sizeof *kept);
    fill_ball(8000, 0.3);
    for (size_t i = 0; i < c.count; i++) c.x[3 * i] -= (float)(20 * D);
    for (size_t i = 0; i < small; i++)
        add((double)kept[3 * i] / D + 10, (double)kept[3 * i + 1] / D, (double)kept[3 * i + 2] / D);
    for (int k = 0; k < 2; k++) {
        options.smooth = k ? 15 : 0;
        rill_mesh mesh = made(&options, NULL);
        share[k] = volume_right(&mesh) / ((double)small * D * D * D);
        rill_mesh_free(&mesh);
    }
    if (fabs(share[0] - 1) > 0.05 || fabs(share[1] / share[0] - 1) > 0.03)
        fail_msg("the small ball holds %g, smoothed %g of N d^3", share[0], share[1]);
}

/* A drop alone is a feature. */
static void smoothing_keeps_drops(void **state)
{
    (void)state;
    c.count = 0;
    add(0.1, 0.2, 0.3);
    rill_surface_options options = rill_surface_default();
    rill_mesh before = made(&options, NULL);
    options.smooth = 20;
    rill_mesh after = made(&options, NULL);
    assert_memory_equal(before.position, after.position, 12 * before.vertex_count);
    rill_mesh_free(&before);
    rill_mesh_free(&after);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    rill_surface_options options = rill_surface_default();
    rill_mesh mesh;
    rill_error err = {0};
    fill_ball(500, 0);
    rill_particles p = particles();
    c.x[5] = NAN;
    c.x[70] = INFINITY;
    assert_int_equal(rill_surface_make(&p, &options, &mesh, NULL, &err), RILL_BAD_INPUT);
    assert_non_null(strstr(err.text, "2 of "));
    assert_null(mesh.position);
    fill_ball(500, 0);
    options.cell = 0;
    assert_int_equal(rill_surface_make(&p, &options, &mesh, NULL, &err), RILL_BAD_INPUT);
    options = rill_surface_default();
    options.field = (rill_surface_field)4;
    assert_int_equal(rill_surface_make(&p, &options, &mesh, NULL, &err), RILL_BAD_INPUT);
    assert_non_null(strstr(err.text, "field"));
    options = rill_surface_default();
    options.method = (rill_surface_method)-1;
    assert_int_equal(rill_surface_make(&p, &options, &mesh, NULL, &err), RILL_BAD_INPUT);
    assert_non_null(strstr(err.text, "number -1"));
    options = rill_surface_default();
    c.x[0] = 3e15f;
    assert_int_equal(rill_surface_make(&p, &options, &mesh, NULL, &err), RILL_BAD_INPUT);
    assert_non_null(strstr(err.text, "too far"));
    c.x[0] = 4e4f;
    assert_int_equal(rill_surface_make(&p, &options, &mesh, NULL, &err), RILL_BAD_INPUT);
    assert_non_null(strstr(err.text, "told apart"));
    options.cull = 1;
    assert_int_equal(rill_surface_make(&p, &options, &mesh, NULL, &err), RILL_OK);
    rill_mesh_free(&mesh);
    options.memory = 1000;
    assert_int_equal(rill_surface_make(&p, &options, &mesh, NULL, &err), RILL_NO_MEMORY);
    assert_non_null(strstr(err.text, "larger cells"));
    assert_null(mesh.position);
    options = rill_surface_default();
    p.count = 1;
    p.diameter = 0;
    fill_ball(500, 0);
    assert_int_equal(rill_surface_make(&p, &options, &mesh, NULL, &err), RILL_BAD_INPUT);
    assert_non_null(strstr(err.text, "diameter"));
}

/* A diameter that is not known is told from the particles, in order or not, with spray around. */
static void diameter_is_estimated(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        fill_ball(5000, 0.3 * k);
        for (int i = 0; i < 100; i++) add(30 + 3 * i, 7 * i, 0);
        rill_surface_options options = rill_surface_default();
        options.least_particles = 10;
        rill_particles p = particles();
        p.diameter = 0;
        rill_mesh mesh;
        rill_error err = {0};
        if (rill_surface_make(&p, &options, &mesh, NULL, &err)) fail_msg("%s", err.text);
        const double share = whole(&mesh, "estimated").volume / ((double)(c.count - 100) * D * D * D);
        if (fabs(share - 1) > 0.05) fail_msg("jitter %g: %g of N d^3", 0.3 * k, share);
        rill_mesh_free(&mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_has_its_volume),        cmocka_unit_test(one_and_two_are_whole),
        cmocka_unit_test(clouds_are_whole),           cmocka_unit_test(block_and_sheet_are_whole),
        cmocka_unit_test(same_bits_on_any_threads),   cmocka_unit_test(culling_leaves_no_shadow),
        cmocka_unit_test(smoothing_keeps_the_volume), cmocka_unit_test(smoothing_keeps_each_volume),
        cmocka_unit_test(smoothing_keeps_drops),      cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(diameter_is_estimated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Values of particles at vertices: those that are linear in space, those of two
 * kinds, and names that are unknown. label: one thread */
#include "tests/clouds.h"

/* How far values linear in space are from right, on the average and at most, in diameters. */
static void linear_errors(const rill_mesh *mesh, double *mean, double *most)
{
    size_t vertices = 0;
    *mean = *most = 0;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        const float *x = mesh->position + 3 * v, *y = mesh->values[0].data + 3 * v;
        if (fabs((double)x[0]) > 50 * D) continue;
        const double a = (double)x[0] - (double)y[0], b = (double)x[1] - (double)y[1], d = (double)x[2] - (double)y[2];
        *mean += sqrt(a * a + b * b + d * d) / D;
        *most = fmax(*most, sqrt(a * a + b * b + d * d) / D);
        vertices++;
    }
    *mean /= (double)vertices;
}

/* Linear in space, and two particles far away so that no value is the last of its kind: what is half a diameter inside
 * is carried on to the surface. */
static void values_reach_the_surface(void **state)
{
    (void)state;
    static const char *const names[] = {"place"};
    fill_ball(4000, 0.3);
    add(100, 100, 100);
    add(-100, -100, -100);
    rill_values place = {.name = "place", .lanes = 3, .data = c.x};
    rill_particles p = particles();
    p.values = &place;
    p.value_count = 1;
    for (int f = 0; f < FIELDS; f++) {
        rill_surface_options options = rill_surface_default();
        options.field = (rill_surface_field)f;
        options.values = names;
        options.value_count = 1;
        rill_mesh mesh;
        double mean, most;
        assert_int_equal(rill_surface_make(&p, &options, &mesh, NULL, NULL), RILL_OK);
        linear_errors(&mesh, &mean, &most);
        if (mean > 0.1 || most > 0.6) fail_msg("%s: off by %g d, at most %g d", field_names[f], mean, most);
        rill_mesh_free(&mesh);
    }
}

/* Two kinds side by side at random: no value goes beyond them, and what all share stays as it is. */
static void values_stay_in_range(void **state)
{
    (void)state;
    static const char *const names[] = {"kind", "one"};
    fill_ball(3000, 0.8);
    for (int i = 0; i < 50; i++) add(ball_radius + 2 + 0.7 * i, 0.3 * i, 0);
    float *kind = malloc(c.count * sizeof *kind), *same = malloc(c.count * sizeof *same);
    uint64_t random = 3;
    for (size_t i = 0; i < c.count; i++) {
        kind[i] = next_random(&random) < 0.5 ? 2 : 5;
        same[i] = 7;
    }
    rill_values values[2] = {{.name = "kind", .lanes = 1, .data = kind}, {.name = "one", .lanes = 1, .data = same}};
    rill_particles p = particles();
    p.values = values;
    p.value_count = 2;
    rill_surface_options options = rill_surface_default();
    options.values = names;
    options.value_count = 2;
    options.smooth = 3;
    rill_mesh mesh;
    assert_int_equal(rill_surface_make(&p, &options, &mesh, NULL, NULL), RILL_OK);
    for (size_t v = 0; v < mesh.vertex_count; v++) {
        assert_true(mesh.values[0].data[v] >= 2 && mesh.values[0].data[v] <= 5);
        assert_true(mesh.values[1].data[v] == 7);
    }
    rill_mesh_free(&mesh);
    free(kind);
    free(same);
}

static void values_are_carried_over(void **state)
{
    (void)state;
    static const char *const names[] = {"place", "height"};
    fill_ball(4000, 0.3);
    float *height = malloc(c.count * sizeof *height);
    for (size_t i = 0; i < c.count; i++) height[i] = c.x[3 * i + 2] + 7;
    rill_values values[2] = {{.name = "height", .lanes = 1, .data = height},
                             {.name = "place", .lanes = 3, .data = c.x}};
    rill_particles p = particles();
    p.values = values;
    p.value_count = 2;
    rill_surface_options options = rill_surface_default();
    options.values = names;
    options.value_count = 2;
    rill_mesh mesh;
    rill_error err = {0};
    assert_int_equal(rill_surface_make(&p, &options, &mesh, NULL, &err), RILL_OK);
    assert_int_equal(mesh.value_count, 2);
    assert_string_equal(mesh.values[0].name, "place");
    assert_int_equal(mesh.values[0].lanes, 3);
    assert_int_equal(mesh.values[1].lanes, 1);
    for (size_t v = 0; v < mesh.vertex_count; v++) {
        for (size_t a = 0; a < 3; a++)
            assert_true(fabs((double)mesh.values[0].data[3 * v + a] - (double)mesh.position[3 * v + a]) < 0.8 * D);
        assert_true(fabs((double)mesh.values[1].data[v] - 7 - (double)mesh.values[0].data[3 * v + 2]) < 1e-5);
    }
    rill_mesh_free(&mesh);
    static const char *const wrong[] = {"colour"};
    options.values = wrong;
    options.value_count = 1;
    assert_int_equal(rill_surface_make(&p, &options, &mesh, NULL, &err), RILL_BAD_INPUT);
    assert_non_null(strstr(err.text, "colour"));
    assert_non_null(strstr(err.text, "height, place"));
    free(height);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_reach_the_surface),
        cmocka_unit_test(values_stay_in_range),
        cmocka_unit_test(values_are_carried_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

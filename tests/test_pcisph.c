/* PCISPH: delta against a template moved particle by particle, one correction against all pairs in double precision,
 * and what every incompressible solver promises. */
#include "tests/promises.h"

/* D of a particle at x among n places, itself included, without walls. */
static double compression_at(const rill_sph *s, const double *x, const double *places, uint32_t n)
{
    double sum = 0, d[3];
    for (uint32_t j = 0; j < n; j++) sum += pair_kernel(s, pair_distance(s, x, places + 3 * j, d));
    return s->volume * sum;
}

/* The paper's template: one particle of the rest lattice and all its neighbours, every one with the same pressure. The
 * particle itself does not move, for its neighbours push from all sides; it pushes them away with 2 X f d. */
static void check_delta(rill_kernel_kind kernel, double support)
{
    rill_scene scene = water_scene(0.05);
    strcpy(scene.solver.kind, "pcisph");
    scene.kernel = kernel;
    scene.support = support;
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.4, 0.4, 0.4}, (rill_vec3){0, 0, 0});
    rill_world *world = world_of(&scene, 1, 0);
    steps(world, 1, NULL);
    const rill_sph *s = &world->sph;
    const double delta = solver_field(s, "pcisph_wall")[3];
    const int reach = (int)ceil(support);
    const uint32_t side = (uint32_t)(2 * reach + 1), n = side * side * side;
    double *x = calloc(3 * n, sizeof *x), *moved = calloc(3 * n, sizeof *moved);
    const double centre[3] = {0}, little = 1e-5;
    for (uint32_t j = 0; j < n; j++) {
        const int at[3] = {(int)(j % side) - reach, (int)(j / side % side) - reach, (int)(j / side / side) - reach};
        double d[3];
        for (int k = 0; k < 3; k++) x[3 * j + (uint32_t)k] = s->diameter * at[k];
        const double f = pair_factor(s, pair_distance(s, x + 3 * j, centre, d));
        for (uint32_t k = 0; k < 3; k++) moved[3 * j + k] = x[3 * j + k] - 2 * delta * little * f * d[k];
    }
    /* Where density has a kernel of its own, delta belongs to that of the gradient. */
    const rill_kernel of = rill_kernel_of_gradient(kernel);
    double change = 0, d[3];
    for (uint32_t j = 0; j < n; j++)
        change += rill_kernel_w(of, pair_distance(s, moved + 3 * j, centre, d), s->support) -
                  rill_kernel_w(of, pair_distance(s, x + 3 * j, centre, d), s->support);
    change *= s->volume / little;
    if (fabs(change + 1) > 1e-3) fail_msg("delta takes away %g of what it should", -change);
    free(x), free(moved);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

static void delta_fits_template(void **state)
{
    (void)state;
    check_delta(RILL_KERNEL_CUBIC, 2);
    check_delta(RILL_KERNEL_CUBIC, 3);
    check_delta(RILL_KERNEL_MUELLER, 2);
}

typedef struct twin {
    uint32_t n;
    double *x, *place, *X, *A; /* by place in memory */
} twin;

static double *copy_places(const float *records, uint32_t n)
{
    double *x = calloc(3 * n, sizeof *x);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < 3; k++) x[3 * i + k] = records[4 * i + k];
    return x;
}

/* D - 1 at predicted places, walls included. */
static double excess_at(const rill_sph *s, const double *places, uint32_t n, uint32_t i, double dt)
{
    double D = compression_at(s, places + 3 * i, places, n), d[3], xb[3], vb[3], psi;
    for (uint32_t b = 0; b < s->walls.count; b++) {
        wall_at(s, b, xb, vb, &psi);
        for (int k = 0; k < 3; k++) xb[k] += dt * vb[k];
        D += s->volume * psi * pair_kernel(s, pair_distance(s, places + 3 * i, xb, d));
    }
    return D - 1;
}

static void twin_push(const rill_sph *s, twin *t)
{
    double d[3], xb[3], vb[3], psi;
    for (uint32_t i = 0; i < t->n; i++) {
        const double s_i = s->rest_density[0] / s->rest_density[rill_field_u32(&s->fields, FIELD_FLUID)[i]];
        for (uint32_t j = 0; j < t->n; j++) {
            const double f = j == i ? 0 : pair_factor(s, pair_distance(s, t->x + 3 * i, t->x + 3 * j, d));
            for (uint32_t k = 0; f != 0 && k < 3; k++) t->A[3 * i + k] -= s_i * f * d[k] * (t->X[i] + t->X[j]);
        }
        for (uint32_t b = 0; b < s->walls.count; b++) {
            wall_at(s, b, xb, vb, &psi);
            const double f = psi * pair_factor(s, pair_distance(s, t->x + 3 * i, xb, d));
            for (uint32_t k = 0; f != 0 && k < 3; k++) t->A[3 * i + k] -= s_i * f * d[k] * t->X[i];
        }
    }
}

/* With one correction a step all of it can be told from the fields afterwards: x* without pressure is x* - A. */
static void check_correction(rill_world *world)
{
    const rill_report report = steps(world, 20, NULL);
    const rill_sph *s = &world->sph;
    twin t = {.n = s->fields.count};
    const float *A = rill_field_f32(&s->fields, FIELD_ACCELERATION), *wall = solver_field(s, "pcisph_wall");
    t.x = copy_places(solver_field(s, "pcisph_work"), t.n);
    t.place = copy_places(solver_field(s, "pcisph_place"), t.n);
    t.X = calloc(t.n, sizeof(double)), t.A = calloc(3 * t.n, sizeof(double));
    double *before = calloc(3 * t.n, sizeof(double));
    for (uint32_t i = 0; i < t.n; i++)
        for (uint32_t k = 0; k < 3; k++) before[3 * i + k] = t.place[3 * i + k] - A[4 * i + k];
    double mean = 0, largest = 0, scale = 0, error = 0, excess_before = 0;
    for (uint32_t i = 0; i < t.n; i++) {
        const double first = excess_at(s, before, t.n, i, report.dt), last = excess_at(s, t.place, t.n, i, report.dt);
        t.X[i] = fmax(0, wall[4 * i + 3] * first);
        excess_before += fmax(first, 0) * 100 / t.n;
        mean += fmax(last, 0) * 100 / t.n;
        largest = fmax(largest, 100 * last);
    }
    twin_push(s, &t);
    for (uint32_t i = 0; i < t.n; i++)
        for (uint32_t k = 0; k < 3; k++) {
            scale = fmax(scale, fabs(t.A[3 * i + k]));
            error = fmax(error, fabs(t.A[3 * i + k] - A[4 * i + k]));
        }
    assert_int_equal(report.iterations_density, 1);
    assert_true(scale > 0);
    if (error > 2e-4 * scale) fail_msg("%s: A is off by %g of %g", variant_of(world), error, scale);
    /* Neighbours that come within reach only at their predicted places are not in the lists. */
    if (fabs(excess_before - report.density_error_before) > 0.02 * excess_before + 1e-4 ||
        fabs(mean - report.density_error) > 0.02 * mean + 1e-4 ||
        fabs(largest - report.density_error_max) > 0.02 * largest + 1e-4)
        fail_msg("%s: the error goes from %g to %g %%, at most %g; the report says %g, %g, %g", variant_of(world),
                 excess_before, mean, largest, report.density_error_before, report.density_error,
                 report.density_error_max);
    free(before), free(t.x), free(t.place), free(t.X), free(t.A);
}

static void correction_matches_twin(void **state)
{
    (void)state;
    for (int two = 0; two < 2; two++)
        for (int variant = 0; variant < VARIANT_COUNT; variant++) {
            rill_scene scene = two ? two_fluids_with("pcisph") : dam_with("pcisph", 0.05);
            scene.solver.iterations_min = scene.solver.iterations_max = 1;
            if (two) scene.kernel = RILL_KERNEL_MUELLER;
            rill_world *world = world_with(&scene, 2, variant);
            if (world) check_correction(world);
            rill_world_destroy(world);
            rill_scene_free(&scene);
        }
}

/* Pressure starts from nothing in every step, so the tolerance is ten times that of the solvers that remember it. */
static void dam_keeps_tolerance(void **state)
{
    (void)state;
    check_dam("pcisph", 1e-3, 0.02);
}

static void still_water_stays_still(void **state)
{
    (void)state;
    check_still_water("pcisph", 1e-3, 100);
}

static void collision_keeps_momentum(void **state)
{
    (void)state;
    check_momentum("pcisph", 1e-3);
}

static void bits_do_not_depend_on_threads(void **state)
{
    (void)state;
    check_bits("pcisph");
}

static void passes_keep_their_word(void **state)
{
    (void)state;
    check_passes("pcisph");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(delta_fits_template),
        cmocka_unit_test(correction_matches_twin),
        cmocka_unit_test(dam_keeps_tolerance),
        cmocka_unit_test(still_water_stays_still),
        cmocka_unit_test(collision_keeps_momentum),
        cmocka_unit_test(bits_do_not_depend_on_threads),
        cmocka_unit_test(passes_keep_their_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

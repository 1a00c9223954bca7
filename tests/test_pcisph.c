/* PCISPH: delta against a template moved particle by particle, one correction against all pairs in double precision,
 * and what every incompressible solver promises. */
#include "tests/promises.h"

/* The paper's template: one particle of the rest lattice and all its neighbours, every one with the same pressure. The
 * particle itself does not move, for its neighbours push from all sides; it pushes them away with 2 X f d. */
static void check_delta(rill_kernel_kind kernel, double support)
{
    rill_scene scene = water_scene(0.05);
    strcpy(scene.solver.kind, "pcisph");
    scene.kernel = kernel;
    scene.support = support;
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.45, 0.45, 0.45}, (rill_vec3){0, 0, 0});
    rill_world *world = world_of(&scene, 1, 0);
    steps(world, 1, NULL);
    const rill_sph *s = &world->sph;
    /* Inside the liquid; at the surface a particle's own neighbourhood moves more than the template. */
    double delta = 0;
    for (uint32_t i = 0; i < s->liquid.fields.count; i++)
        delta = fmax(delta, solver_field(s, "pressure_held")[4 * i + 3]);
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
    double *x, *place, *G, *X, *A, *excess, *M; /* by place in memory */
} twin;

static double *doubles(uint32_t n)
{
    double *values = calloc(n, sizeof *values);
    assert_non_null(values);
    return values;
}

static double s_of(const rill_sph *s, uint32_t i)
{
    return s->rest_density[0] / s->rest_density[rill_field_u32(&s->liquid.fields, FIELD_FLUID)[i]];
}

/* D - 1 at the predicted places, among the neighbours the step began with; and G and M. */
static void twin_predict(const rill_sph *s, twin *t, double dt, double template)
{
    double d[3], xb[3], vb[3], psi;
    for (uint32_t i = 0; i < t->n; i++) {
        double sum[3] = {0}, squares = 0, W = pair_kernel(s, 0);
        for (uint32_t j = 0; j < t->n; j++) {
            if (j == i) continue;
            const double r = pair_distance(s, t->x + 3 * i, t->x + 3 * j, d), f = pair_factor(s, r);
            for (int k = 0; k < 3; k++) sum[k] += f * d[k], squares += s_of(s, j) * pow(f * d[k], 2);
            if (r < s->support) W += pair_kernel(s, pair_distance(s, t->place + 3 * i, t->place + 3 * j, d));
        }
        for (uint32_t b = 0; b < s->walls.fields.count; b++) {
            wall_at(s, b, xb, vb, &psi);
            const double r = pair_distance(s, t->x + 3 * i, xb, d), f = psi * pair_factor(s, r);
            for (uint32_t k = 0; k < 3; k++) t->G[3 * i + k] += f * d[k], xb[k] += dt * vb[k];
            if (r < s->support) W += psi * pair_kernel(s, pair_distance(s, t->place + 3 * i, xb, d));
        }
        double all = 0;
        for (uint32_t k = 0; k < 3; k++) all += pow(sum[k] + t->G[3 * i + k], 2);
        t->M[i] = fmax(s->volume * (s_of(s, i) * all + squares), s_of(s, i) * template);
        t->excess[i] = s->volume * W - 1;
        t->X[i] = fmax(0, t->excess[i] / (2 * t->M[i]));
    }
}

static void twin_push(const rill_sph *s, twin *t)
{
    double d[3];
    for (uint32_t i = 0; i < t->n; i++) {
        const double s_i = s_of(s, i);
        for (uint32_t k = 0; k < 3; k++) t->A[3 * i + k] = -s_i * t->X[i] * t->G[3 * i + k];
        for (uint32_t j = 0; j < t->n; j++) {
            const double f = j == i ? 0 : pair_factor(s, pair_distance(s, t->x + 3 * i, t->x + 3 * j, d));
            for (uint32_t k = 0; f != 0 && k < 3; k++) t->A[3 * i + k] -= s_i * f * d[k] * (t->X[i] + t->X[j]);
        }
    }
}

/* What A makes of the excess. */
static double twin_left(const rill_sph *s, const twin *t, uint32_t i)
{
    double change = 0, d[3];
    for (uint32_t j = 0; j < t->n; j++) {
        const double f = j == i ? 0 : pair_factor(s, pair_distance(s, t->x + 3 * i, t->x + 3 * j, d));
        for (uint32_t k = 0; f != 0 && k < 3; k++) change += f * d[k] * (t->A[3 * i + k] - t->A[3 * j + k]);
    }
    for (uint32_t k = 0; k < 3; k++) change += t->A[3 * i + k] * t->G[3 * i + k];
    return t->excess[i] + s->volume * change;
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-3 * fabs(b) + 1e-4;
}

/* With one correction a step all of it can be told from the fields afterwards. */
static void check_correction(rill_world *world)
{
    const rill_report report = steps(world, 20, NULL);
    const rill_sph *s = &world->sph;
    const uint32_t n = s->liquid.fields.count;
    twin t = {n, doubles(3 * n), doubles(3 * n), doubles(3 * n), doubles(n), doubles(3 * n), doubles(n), doubles(n)};
    const float *A = rill_field_f32(&s->liquid.fields, FIELD_ACCELERATION), *wall = solver_field(s, "pressure_held");
    for (uint32_t i = 0; i < 3 * n; i++) {
        t.x[i] = solver_field(s, "pressure_place")[4 * (i / 3) + i % 3];
        t.place[i] = solver_field(s, "pcisph_ahead")[4 * (i / 3) + i % 3];
    }
    double squares = 0;
    for (int x = -4; x <= 4; x++)
        for (int y = -4; y <= 4; y++)
            for (int z = -4; z <= 4; z++) {
                const double r = s->diameter * sqrt(x * x + y * y + z * z);
                squares += pow(r * pair_factor(s, r), 2);
            }
    twin_predict(s, &t, report.dt, s->volume * squares);
    twin_push(s, &t);
    double before = 0, left = 0, largest = 0, scale = 0, error = 0;
    for (uint32_t i = 0; i < n; i++) {
        const double last = twin_left(s, &t, i);
        before += fmax(t.excess[i], 0) * 100 / n;
        left += fmax(last, 0) * 100 / n;
        largest = fmax(largest, 100 * last);
        for (uint32_t k = 0; k < 3; k++) {
            scale = fmax(scale, fabs(t.A[3 * i + k]));
            error = fmax(error, fabs(t.A[3 * i + k] - A[4 * i + k]));
        }
        if (fabs(2 * t.M[i] * wall[4 * i + 3] - 1) > 1e-3)
            fail_msg("%s: delta of particle %u is off", variant_of(world), i);
    }
    assert_true(figure_of(world, &report, "iterations_density") == 1);
    assert_true(scale > 0);
    if (error > 3e-3 * scale) fail_msg("%s: A is off by %g of %g", variant_of(world), error, scale);
    const double told_before = figure_of(world, &report, "density_error_before");
    const double told = figure_of(world, &report, "density_error"),
                 told_most = figure_of(world, &report, "density_error_max");
    if (!near(told_before, before) || !near(told, left) || !near(told_most, largest))
        fail_msg("%s: the error goes from %g to %g %%, at most %g; the report says %g, %g, %g", variant_of(world),
                 before, left, largest, told_before, told, told_most);
    free(t.x), free(t.place), free(t.G), free(t.X), free(t.A), free(t.excess), free(t.M);
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
        cmocka_unit_test(collision_keeps_momentum),
        cmocka_unit_test(bits_do_not_depend_on_threads),
        cmocka_unit_test(passes_keep_their_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

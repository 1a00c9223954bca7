/* The implicit viscosity against a dense twin in double precision, against the series
 * solution of Couette flow, and against what must hold: momentum, bits, no explosion. */
#include "tests/pairs.h"
#include "tests/pass_proof.h"
#include "tests/scenes.h"
#include "tests/variants.h"
#include "text/pi.h"

#include <string.h>

static rill_scene viscous_scene(double diameter, double viscosity)
{
    rill_scene scene = water_scene(diameter);
    strcpy(scene.solver.kind, "dfsph");
    scene.fluids[0].viscosity_kind = RILL_VISCOSITY_IMPLICIT;
    scene.fluids[0].viscosity = viscosity;
    return scene;
}

/* Two fluids in a tank that is periodic along y, half filled, with a floor and sides that hold them and slide. */
static rill_scene two_fluids(void)
{
    rill_scene scene = viscous_scene(0.05, 0.5);
    rill_fluid oil = scene.fluids[0];
    oil.density = 300;
    oil.viscosity = 4;
    assert_int_equal(rill_scene_add_fluid(&scene, &oil, NULL), RILL_OK);
    scene.periodic[1] = true;
    scene.domain_to = (rill_vec3){0, 0.3, 0};
    rill_fill fill = box_fill((rill_vec3){0, 0, 0}, (rill_vec3){0.15, 0.3, 0.2}, (rill_vec3){0, 0, 0});
    assert_int_equal(rill_scene_add_fill(&scene, &fill, NULL), RILL_OK);
    fill = box_fill((rill_vec3){0.15, 0, 0}, (rill_vec3){0.3, 0.3, 0.2}, (rill_vec3){0, 0, 0});
    fill.fluid = 1;
    assert_int_equal(rill_scene_add_fill(&scene, &fill, NULL), RILL_OK);
    add_tank(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.4, 0.3, 0.4});
    scene.boundaries[0].slip = 0.3;
    scene.boundaries[0].slide = (rill_vec3){0.4, 0.2, 0};
    return scene;
}

/* ---- the dense twin ---- */

typedef struct twin {
    size_t n;
    double *x, *A, *b; /* 3n places, 3n x 3n matrix, 3n right side */
} twin;

static double density_of(const rill_sph *s, size_t i)
{
    return s->rest_density[rill_field_u32(&s->liquid.fields, FIELD_FLUID)[i]];
}

/* Adds c x x^T to the block of A at (i, k). */
static void add_block(twin *t, size_t i, size_t k, const double d[3], double c)
{
    for (size_t a = 0; a < 3; a++)
        for (size_t b = 0; b < 3; b++) t->A[(3 * i + a) * 3 * t->n + 3 * k + b] += c * d[a] * d[b];
}

static double weight_of(const rill_sph *s, double dt, double r, double eta, double mean_D)
{
    const double h = s->support;
    return -10 * dt * s->volume * eta * pair_factor(s, r) / ((r * r + 0.01 * h * h) * mean_D);
}

static void twin_walls(const rill_sph *s, twin *t, size_t i, double dt, double eta)
{
    const double D = rill_field_f32(&s->liquid.fields, FIELD_COMPRESSION)[i];
    double normal[3] = {0}, length = 0, d[3], xb[3], vb[3], psi;
    for (uint32_t b = 0; b < s->walls.fields.count; b++) {
        wall_at(s, b, xb, vb, &psi);
        const double f = psi * pair_factor(s, pair_distance(s, t->x + 3 * i, xb, d));
        for (int k = 0; k < 3; k++) normal[k] -= f * d[k];
    }
    for (int k = 0; k < 3; k++) length += normal[k] * normal[k];
    for (uint32_t b = 0; b < s->walls.fields.count && length > 0; b++) {
        wall_at(s, b, xb, vb, &psi);
        const double r = pair_distance(s, t->x + 3 * i, xb, d);
        double along = 0, vd = 0;
        for (int k = 0; k < 3; k++) along += d[k] * normal[k] / sqrt(length), vd += vb[k] * d[k];
        const double behind = rill_walls_velocity(s)[4 * (size_t)b + 3];
        along = fmax(along, behind + 0.25 * s->diameter);
        const double grip = s->grip * psi * along / (along - behind);
        const double c = grip * weight_of(s, dt, r, eta, 0.5 * (D + 1));
        add_block(t, i, i, d, c);
        for (size_t k = 0; k < 3; k++) t->b[3 * i + k] += c * d[k] * vd;
    }
}

/* The system of a step dt from the velocities `start`, three a particle in the order of the fields. */
static twin twin_of(const rill_sph *s, const double *start, double dt)
{
    twin t = {.n = s->liquid.fields.count};
    t.x = calloc(3 * t.n, sizeof(double));
    t.b = calloc(3 * t.n, sizeof(double));
    t.A = calloc(9 * t.n * t.n, sizeof(double));
    const float *x = rill_field_f32(&s->liquid.fields, FIELD_POSITION),
                *D = rill_field_f32(&s->liquid.fields, FIELD_COMPRESSION);
    const uint32_t *fluid = rill_field_u32(&s->liquid.fields, FIELD_FLUID);
    for (size_t i = 0; i < t.n; i++)
        for (size_t k = 0; k < 3; k++) t.x[3 * i + k] = x[4 * i + k];
    for (size_t i = 0; i < t.n; i++) {
        const double rho = density_of(s, i), eta = rho * s->viscosity[fluid[i]];
        for (size_t k = 0; k < 3; k++) {
            t.A[(3 * i + k) * 3 * t.n + 3 * i + k] += rho;
            t.b[3 * i + k] += rho * start[3 * i + k];
        }
        for (size_t j = 0; j < t.n; j++) {
            double d[3];
            const double r = pair_distance(s, t.x + 3 * i, t.x + 3 * j, d);
            if (i == j || r >= s->support) continue;
            const double other = density_of(s, j) * s->viscosity[fluid[j]], between = 2 * eta * other / (eta + other);
            const double c = weight_of(s, dt, r, between, 0.5 * (D[i] + D[j]));
            add_block(&t, i, i, d, c);
            add_block(&t, i, j, d, -c);
        }
        twin_walls(s, &t, i, dt, eta);
    }
    return t;
}

static void twin_free(twin *t)
{
    free(t->x), free(t->A), free(t->b);
}

/* b <- A^-1 b by Cholesky's decomposition, which fails where A is not positive definite. A is lost. */
static void solve_dense(twin *t)
{
    const size_t n = 3 * t->n;
    double *A = t->A;
    for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k < j; k++) A[j * n + j] -= A[j * n + k] * A[j * n + k];
        if (!(A[j * n + j] > 0)) fail_msg("the matrix is not positive definite at row %zu", j);
        A[j * n + j] = sqrt(A[j * n + j]);
        for (size_t i = j + 1; i < n; i++) {
            for (size_t k = 0; k < j; k++) A[i * n + j] -= A[i * n + k] * A[j * n + k];
            A[i * n + j] /= A[j * n + j];
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++) t->b[i] -= A[i * n + k] * t->b[k];
        t->b[i] /= A[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++) t->b[i] -= A[k * n + i] * t->b[k];
        t->b[i] /= A[i * n + i];
    }
}

static const float *field(const rill_sph *s, const char *name)
{
    const int row = rill_fields_find(&s->liquid.fields, name);
    assert_true(row >= 0);
    return rill_field_f32(&s->liquid.fields, (uint32_t)row);
}

/* The last product A p of the solve, which is left in its fields. */
static void check_product(const rill_sph *s, const twin *t)
{
    const float *p = field(s, "viscosity_direction"), *q = field(s, "viscosity_product");
    double worst = 0, most = 0;
    for (size_t i = 0; i < 3 * t->n; i++) {
        double sum = 0;
        for (size_t k = 0; k < 3 * t->n; k++) {
            assert_true(fabs(t->A[i * 3 * t->n + k] - t->A[k * 3 * t->n + i]) < 1e-9 * t->A[i * 3 * t->n + i]);
            sum += t->A[i * 3 * t->n + k] * p[4 * (k / 3) + k % 3];
        }
        most = fmax(most, fabs(sum));
        worst = fmax(worst, fabs(sum - q[4 * (i / 3) + i % 3]));
    }
    if (worst > 1e-5 * most) fail_msg("products differ by %g of %g", worst, most);
}

static void matches_the_dense_twin(void **state)
{
    (void)state;
    const double dt = 0.004;
    rill_scene scene = two_fluids();
    for (int variant = 0; variant < VARIANT_COUNT; variant++) {
        if (variant != RILL_VARIANT_AVX2 && too_slow_for("dense twins of all variants but avx2")) continue;
        rill_world *world = world_with(&scene, 2, variant);
        if (!world) continue;
        rill_sph *s = &world->sph;
        steps(world, 3, NULL);
        find_neighbours(world);
        float *v = rill_field_f32(&s->liquid.fields, FIELD_VELOCITY),
              *a = rill_field_f32(&s->liquid.fields, FIELD_ACCELERATION);
        double *start = calloc(3 * s->liquid.fields.count, sizeof *start);
        srand(7);
        for (size_t i = 0; i < s->liquid.fields.count; i++)
            for (size_t k = 0; k < 3; k++) {
                v[4 * i + k] = (float)(rand() % 2001 - 1000) * 1e-3f;
                a[4 * i + k] = (float)(rand() % 2001 - 1000) * 1e-2f;
                start[3 * i + k] = v[4 * i + k] + dt * a[4 * i + k];
            }
        twin t = twin_of(s, start, dt);
        double values[RILL_METHOD_VALUES_MAX] = {0};
        rill_solve_result result = {.values = values};
        const rill_step_context step = {.sph = s, .dt = dt, .last_dt = world->clock.dt};
        assert_int_equal(world->force_count, 1);
        assert_int_equal(world->forces[0].method->apply(world->forces[0].state, &step, &result, NULL), RILL_OK);
        assert_false(result.limit_hit);
        const double iterations = values[0], left = values[1]; /* iterations_viscosity, viscosity_error */
        assert_true(iterations > 3 && left <= 1e-2);
        check_product(s, &t);
        solve_dense(&t);
        double worst = 0, change = 0;
        for (size_t i = 0; i < s->liquid.fields.count; i++)
            for (size_t k = 0; k < 3; k++) {
                worst = fmax(worst, fabs(v[4 * i + k] + dt * a[4 * i + k] - t.b[3 * i + k]));
                change = fmax(change, fabs(t.b[3 * i + k] - start[3 * i + k]));
            }
        print_message("%s: %.0f iterations, velocities off by %.2g of %.2g m/s\n", variant_of(world),
                      iterations, worst, change);
        assert_true(worst < 2e-4 && change > 0.5);
        free(start);
        twin_free(&t);
        rill_world_destroy(world);
    }
    rill_scene_free(&scene);
}

/* ---- Couette flow ---- */

static const double gap = 0.1, viscosity = 0.01, pi = RILL_PI;

static double couette(double z, double t, double U)
{
    double u = U * z / gap;
    for (int n = 1; n < 60; n++)
        u += 2 * U / (n * pi) * (n % 2 ? -1 : 1) * sin(n * pi * z / gap) * exp(-viscosity * pow(n * pi / gap, 2) * t);
    return u;
}

/* The largest difference of the layers' mean velocity from the series, as a share of the top speed. */
static double couette_error(const rill_world *world, int layers, double U)
{
    const rill_frame f = rill_world_frame(world);
    double error = 0;
    for (int l = 0; l < layers; l++) {
        double sum = 0, z = 0, count = 0;
        for (size_t i = 0; i < f.count; i++) {
            if ((int)(f.position[4 * i + 2] / gap * layers) != l) continue;
            sum += f.velocity[4 * i];
            z += f.position[4 * i + 2];
            count++;
        }
        if (count > 0) error = fmax(error, fabs(sum / count - couette(z / count, f.time, U)) / U);
    }
    return error;
}

/* Ten times the longest step that the explicit Laplacian could take. */
static void couette_with_long_steps(void **state)
{
    (void)state;
    const int layers = 20;
    const double U = 0.5, d = gap / layers, length = 10 * d, limit = 0.02 * pow(2 * d, 2) / viscosity;
    rill_scene scene = viscous_scene(d, viscosity);
    scene.support = 4;
    scene.gravity = (rill_vec3){0, 0, 0};
    scene.periodic[0] = scene.periodic[1] = true;
    scene.domain_to = (rill_vec3){length, length, 0};
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){length, length, gap}, (rill_vec3){0, 0, 0});
    add_tank(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){length, length, gap});
    scene.boundaries[0].slip = 0;
    scene.boundaries[0].slide = (rill_vec3){U, 0, 0};
    scene.boundaries[0].slide_sides = RILL_SIDE_HIGH_Z;
    scene.time.step_max = 10 * limit;
    rill_world *world = world_of(&scene, 2, 0);
    double most = 0;
    const double times[] = {0.05, 0.1, 0.2, 0.5};
    for (int k = 0; k < (slow_build() ? 1 : 4); k++) {
        advance(world, times[k] * gap * gap / viscosity - rill_world_time(world));
        most = fmax(most, couette_error(world, layers, U));
    }
    const rill_report last = steps(world, 1, NULL);
    print_message("Couette: off by %.2f %% of the top speed at most, %.0f iterations\n", 100 * most,
                  figure_of(world, &last, "iterations_viscosity"));
    assert_true(last.dt > 9.9 * limit);
    assert_true(most < 0.05);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* ---- what must hold ---- */

static void collision_keeps_momentum(void **state)
{
    (void)state;
    rill_scene scene = viscous_scene(0.05, 2);
    rill_fluid oil = scene.fluids[0];
    oil.density = 500;
    oil.viscosity = 20;
    assert_int_equal(rill_scene_add_fluid(&scene, &oil, NULL), RILL_OK);
    scene.gravity = (rill_vec3){0, 0, 0};
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.4, 0.4, 0.4}, (rill_vec3){1, 0.2, 0});
    rill_fill fill = box_fill((rill_vec3){0.45, 0.15, 0.1}, (rill_vec3){0.85, 0.55, 0.5}, (rill_vec3){-1, 0, 0.3});
    fill.fluid = 1;
    assert_int_equal(rill_scene_add_fill(&scene, &fill, NULL), RILL_OK);
    rill_world *world = world_of(&scene, 2, 0);
    const rill_report first = steps(world, 1, NULL);
    const double scale = sqrt(2 * first.kinetic * 1000 * 0.064);
    double most = 0;
    rill_report last = first;
    for (int i = 0; i < 100; i++) {
        last = steps(world, 1, NULL);
        const rill_vec3 p = last.momentum, q = first.momentum;
        const double drift = sqrt(pow(p.x - q.x, 2) + pow(p.y - q.y, 2) + pow(p.z - q.z, 2));
        most = fmax(most, drift / scale);
    }
    print_message("momentum: drifted by %.2g\n", most);
    assert_true(most < 1e-5);
    assert_true(last.kinetic < 0.5 * first.kinetic);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* A column on a floor that holds it: thousands of times over the explicit limit, yet it only sags. */
static void honey_stands(void **state)
{
    (void)state;
    rill_scene scene = viscous_scene(0.02, 10);
    add_box_fill(&scene, (rill_vec3){0.2, 0.2, 0}, (rill_vec3){0.4, 0.4, 0.5}, (rill_vec3){0, 0, 0});
    add_tank(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.6, 0.6, 0.7});
    scene.boundaries[0].slip = 0;
    scene.time.step_max = scene.time.step_min = 5e-3;
    rill_world *world = world_of(&scene, 2, 0);
    double fastest = 0, worst = 0;
    double iterations = 0;
    for (int i = 0; i < (slow_build() ? 5 : 60); i++) {
        const rill_report r = steps(world, 1, NULL);
        if (i > 2) fastest = fmax(fastest, r.speed_max);
        iterations = fmax(iterations, figure_of(world, &r, "iterations_viscosity"));
        worst = fmax(worst, figure_of(world, &r, "viscosity_error"));
        assert_false(r.limit_hit);
    }
    /* It would fall at 3 m/s by now. A column of height H sags at about g H^2/(6 nu) = 0.04 m/s at its top. */
    print_message("honey: %.3f m/s at most, %.0f iterations at most, residual %.2g %%\n", fastest, iterations, worst);
    assert_true(fastest < 0.3 && worst <= 0.0100001);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

static void gives_the_same_bits(void **state)
{
    (void)state;
    rill_scene scene = two_fluids();
    check_same_bits(&scene, slow_build() ? 3 : 20);
    rill_scene_free(&scene);
}

/* The change to start from is saved and loaded with the rest. */
static void goes_on_after_a_restart(void **state)
{
    (void)state;
    rill_scene scene = two_fluids();
    rill_world *whole = world_of(&scene, 2, 0), *second = world_of(&scene, 2, 0);
    steps(whole, 8, NULL);
    rill_snapshot *saved = rill_snapshot_take(whole, NULL);
    assert_non_null(saved);
    assert_int_equal(rill_world_load(second, rill_snapshot_state(saved), NULL), RILL_OK);
    rill_snapshot_free(saved);
    assert_true(bits_after(whole, 5) == bits_after(second, 5));
    rill_world_destroy(whole);
    rill_world_destroy(second);
    rill_scene_free(&scene);
}

static void passes_keep_their_word(void **state)
{
    (void)state;
    rill_scene scene = two_fluids();
    rill_world *world = world_of(&scene, 2, 0);
    prove_steps(world, 2);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_the_dense_twin), cmocka_unit_test(couette_with_long_steps),
        cmocka_unit_test(collision_keeps_momentum), cmocka_unit_test(honey_stands),
        cmocka_unit_test(gives_the_same_bits),    cmocka_unit_test(goes_on_after_a_restart),
        cmocka_unit_test(passes_keep_their_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

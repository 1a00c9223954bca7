/* IISPH: the displacements, the residual and the diagonal against all pairs in double precision, and what every
 * incompressible solver promises. */
#include "tests/promises.h"

typedef struct twin {
    uint32_t n;
    double *x, *G, *A, *c, *s; /* by place in memory */
} twin;

static twin twin_create(const rill_world *world, double dt)
{
    const rill_sph *sph = &world->sph;
    twin t = {.n = sph->liquid.fields.count};
    t.x = calloc(3 * t.n, sizeof(double)), t.G = calloc(3 * t.n, sizeof(double)), t.A = calloc(3 * t.n, sizeof(double));
    t.c = calloc(t.n, sizeof(double)), t.s = calloc(t.n, sizeof(double));
    const float *work = solver_field(sph, "pressure_place");
    for (uint32_t i = 0; i < t.n; i++) {
        for (uint32_t k = 0; k < 3; k++) t.x[3 * i + k] = work[4 * i + k];
        t.s[i] = sph->rest_density[0] / sph->rest_density[rill_field_u32(&sph->liquid.fields, FIELD_FLUID)[i]];
        const double D = rill_field_f32(&sph->liquid.fields, FIELD_COMPRESSION)[i];
        t.c[i] = dt * dt * sph->volume / (sph->rest_density[0] * D * D);
    }
    for (uint32_t i = 0; i < t.n; i++)
        for (uint32_t b = 0; b < sph->walls.fields.count; b++) {
            double d[3], xb[3], vb[3], psi;
            wall_at(sph, b, xb, vb, &psi);
            const double f = psi * pair_factor(sph, pair_distance(sph, t.x + 3 * i, xb, d));
            for (uint32_t k = 0; k < 3; k++) t.G[3 * i + k] += f * d[k];
        }
    return t;
}

static void twin_free(twin *t)
{
    free(t->x), free(t->G), free(t->A), free(t->c), free(t->s);
}

/* The displacement of particle i when particle `of` alone has pressure p: d_ij p_j of the paper. */
static void push_of(const rill_sph *sph, const twin *t, uint32_t i, uint32_t of, double p, double A[3])
{
    double d[3];
    for (int k = 0; k < 3; k++) A[k] = i == of ? -t->s[i] * t->c[i] * p * t->G[3 * i + (uint32_t)k] : 0;
    for (uint32_t j = 0; j < t->n; j++) {
        if (j == i || (i != of && j != of)) continue;
        const double f = pair_factor(sph, pair_distance(sph, t->x + 3 * i, t->x + 3 * j, d));
        for (int k = 0; k < 3; k++) A[k] -= t->s[i] * f * d[k] * t->c[of] * p;
    }
}

/* The change of density at i that the displacements bring. */
static double change_at(const rill_sph *sph, const twin *t, uint32_t i, const double *A)
{
    double change = 0, d[3];
    for (uint32_t j = 0; j < t->n; j++) {
        const double f = j == i ? 0 : pair_factor(sph, pair_distance(sph, t->x + 3 * i, t->x + 3 * j, d));
        for (uint32_t k = 0; f != 0 && k < 3; k++) change += f * d[k] * (A[3 * i + k] - A[3 * j + k]);
    }
    for (uint32_t k = 0; k < 3; k++) change += t->G[3 * i + k] * A[3 * i + k];
    return sph->volume * change;
}

/* a_ii from its meaning: what one pascal at i alone does to the density at i. */
static double diagonal_at(const rill_sph *sph, const twin *t, uint32_t i)
{
    double *A = calloc(3 * t->n, sizeof *A);
    for (uint32_t j = 0; j < t->n; j++) push_of(sph, t, j, i, 1, A + 3 * j);
    const double a = change_at(sph, t, i, A);
    free(A);
    return a;
}

static void check_operator(rill_world *world)
{
    rill_report report = {0};
    for (int k = 0; k < 30; k++) report = steps(world, 1, NULL);
    const rill_sph *sph = &world->sph;
    twin t = twin_create(world, report.dt);
    const float *p = solver_field(sph, "iisph_pressure"), *wall = solver_field(sph, "pressure_held");
    const float *source = solver_field(sph, "iisph_source"),
                *A = rill_field_f32(&sph->liquid.fields, FIELD_ACCELERATION);
    double scale = 0, error = 0, left = 0;
    for (uint32_t i = 0; i < t.n; i++) {
        double d[3];
        for (uint32_t k = 0; k < 3; k++) t.A[3 * i + k] = -t.s[i] * t.c[i] * p[i] * t.G[3 * i + k];
        for (uint32_t j = 0; j < t.n; j++) {
            const double f = j == i ? 0 : pair_factor(sph, pair_distance(sph, t.x + 3 * i, t.x + 3 * j, d));
            const double both = t.c[i] * p[i] + t.c[j] * p[j];
            for (uint32_t k = 0; f != 0 && k < 3; k++) t.A[3 * i + k] -= t.s[i] * f * d[k] * both;
        }
        for (uint32_t k = 0; k < 3; k++) {
            scale = fmax(scale, fabs(t.A[3 * i + k]));
            error = fmax(error, fabs(t.A[3 * i + k] - A[4 * i + k]));
        }
    }
    assert_true(scale > 0);
    if (error > 1e-3 * scale) fail_msg("%s: A is off by %g of %g", variant_of(world), error, scale);
    for (uint32_t i = 0; i < t.n; i++) left += fmax(source[i] + change_at(sph, &t, i, t.A), 0) * 100 / t.n;
    const double told = figure_of(world, &report, "density_error");
    if (fabs(left - told) > 0.05 * told + 1e-5)
        fail_msg("%s: the error is %g %%, the report says %g %%", variant_of(world), left, told);
    for (uint32_t i = 0; i < t.n; i += 7) {
        const double a = diagonal_at(sph, &t, i);
        if (fabs(-a * wall[4 * i + 3] - 1) > 1e-3)
            fail_msg("%s: the diagonal of particle %u is %g, not %g", variant_of(world), i, -1 / wall[4 * i + 3], a);
    }
    twin_free(&t);
}

static void operator_matches_twin(void **state)
{
    (void)state;
    for (int two = 0; two < 2; two++)
        for (int variant = 0; variant < VARIANT_COUNT; variant++) {
            rill_scene scene = two ? two_fluids_with("iisph") : dam_with("iisph", 0.05);
            rill_world *world = world_with(&scene, 2, variant);
            if (world) check_operator(world);
            rill_world_destroy(world);
            rill_scene_free(&scene);
        }
}

static void dam_keeps_tolerance(void **state)
{
    (void)state;
    check_dam("iisph", 1e-4, 0.02);
}

static void collision_keeps_momentum(void **state)
{
    (void)state;
    check_momentum("iisph", 1e-4);
}

static void bits_do_not_depend_on_threads(void **state)
{
    (void)state;
    check_bits("iisph");
}

static void passes_keep_their_word(void **state)
{
    (void)state;
    check_passes("iisph");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operator_matches_twin),
        cmocka_unit_test(dam_keeps_tolerance),
        cmocka_unit_test(collision_keeps_momentum),
        cmocka_unit_test(bits_do_not_depend_on_threads),
        cmocka_unit_test(passes_keep_their_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

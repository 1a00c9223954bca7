/* DFSPH: its operator and diagonal against all pairs, its promise to keep the
 * error below the tolerance, still water, momentum, bits and restarts. */
#include "tests/pairs.h"
#include "tests/pass_proof.h"
#include "tests/variants.h"

#include <string.h>

static rill_scene dfsph_dam_at(double diameter, rill_vec3 corner)
{
    rill_scene scene = water_scene(diameter);
    add_box_fill(&scene, corner, (rill_vec3){corner.x + 0.4, corner.y + 0.4, corner.z + 0.6}, (rill_vec3){0, 0, 0});
    add_tank(&scene, corner, (rill_vec3){corner.x + 1.2, corner.y + 0.4, corner.z + 0.8});
    strcpy(scene.solver.kind, "dfsph");
    return scene;
}

static rill_scene dfsph_dam(double diameter)
{
    return dfsph_dam_at(diameter, (rill_vec3){0, 0, 0});
}

/* ---- the twin ---- */

typedef struct twin {
    uint32_t n;
    double *x, *A, *change, *M; /* by place in memory */
} twin;

/* A from X, the change of density A brings, and the diagonal, straight from the equations on top of dfsph.c. */
static void twin_apply(const rill_sph *s, const float *X, twin *t)
{
    double *G = calloc(3 * t->n, sizeof *G), d[3], xb[3], vb[3], psi;
    for (uint32_t i = 0; i < t->n; i++) {
        double sum[3] = {0}, push[3] = {0}, squares = 0;
        for (uint32_t j = 0; j < t->n; j++) {
            if (i == j) continue;
            const double f = pair_factor(s, pair_distance(s, t->x + 3 * i, t->x + 3 * j, d));
            for (int k = 0; k < 3; k++) {
                sum[k] += f * d[k];
                push[k] += f * d[k] * ((double)X[i] + X[j]);
                squares += f * f * d[k] * d[k];
            }
        }
        for (uint32_t b = 0; b < s->walls.fields.count; b++) {
            wall_at(s, b, xb, vb, &psi);
            const double f = psi * pair_factor(s, pair_distance(s, t->x + 3 * i, xb, d));
            for (int k = 0; k < 3; k++) G[3 * i + k] += f * d[k];
        }
        double all = 0;
        for (int k = 0; k < 3; k++) {
            t->A[3 * i + k] = -(push[k] + X[i] * G[3 * i + k]);
            all += pow(sum[k] + G[3 * i + k], 2);
        }
        t->M[i] = s->volume * (all + squares);
    }
    for (uint32_t i = 0; i < t->n; i++) {
        double change = 0;
        for (uint32_t j = 0; j < t->n; j++) {
            const double f = pair_factor(s, pair_distance(s, t->x + 3 * i, t->x + 3 * j, d));
            for (int k = 0; k < 3; k++) change += f * d[k] * (t->A[3 * i + k] - t->A[3 * j + k]);
        }
        for (int k = 0; k < 3; k++) change += G[3 * i + k] * t->A[3 * i + k];
        t->change[i] = s->volume * change;
    }
    free(G);
}

/* After a step the fields still hold the last solve: X, A and the diagonal of the positions it was found for. */
static void check_operator(const rill_scene *scene)
{
    for (int variant = 0; variant < VARIANT_COUNT; variant++) {
        rill_world *world = world_with(scene, 2, variant);
        if (!world) continue;
        const char *name = variant_of(world);
        rill_report report;
        for (int k = 0; k < 40; k++) report = steps(world, 1, NULL);
        const rill_sph *s = &world->sph;
        const float *X =
            rill_field_f32(&s->liquid.fields, (uint32_t)rill_fields_find(&s->liquid.fields, "dfsph_pressure"));
        const float *work =
            rill_field_f32(&s->liquid.fields, (uint32_t)rill_fields_find(&s->liquid.fields, "pressure_place"));
        const float *wall =
            rill_field_f32(&s->liquid.fields, (uint32_t)rill_fields_find(&s->liquid.fields, "pressure_held"));
        const float *source =
            rill_field_f32(&s->liquid.fields, (uint32_t)rill_fields_find(&s->liquid.fields, "dfsph_source"));
        const float *A = rill_field_f32(&s->liquid.fields, FIELD_ACCELERATION);
        twin t = {.n = s->liquid.fields.count};
        t.x = calloc(3 * t.n, sizeof(double)), t.A = calloc(3 * t.n, sizeof(double));
        t.change = calloc(t.n, sizeof(double)), t.M = calloc(t.n, sizeof(double));
        for (uint32_t i = 0; i < t.n; i++)
            for (uint32_t k = 0; k < 3; k++) t.x[3 * i + k] = work[4 * i + k];
        twin_apply(s, X, &t);
        double A_scale = 0, A_error = 0, M_error = 0, left = 0;
        for (uint32_t i = 0; i < t.n; i++) {
            for (uint32_t k = 0; k < 3; k++) {
                A_scale = fmax(A_scale, fabs(t.A[3 * i + k]));
                A_error = fmax(A_error, fabs(t.A[3 * i + k] - A[4 * i + k]));
            }
            M_error = fmax(M_error, fabs(t.M[i] * wall[4 * i + 3] - 1));
            left += fmax(source[i] + t.change[i], 0);
        }
        assert_true(A_scale > 0);
        /* Weights have 16 bits, and A is what is left of forces that nearly cancel. */
        if (A_error > 1e-3 * A_scale) fail_msg("%s: A is off by %g of %g", name, A_error, A_scale);
        if (M_error > 1e-3) fail_msg("%s: the diagonal is off by %g", name, M_error);
        /* What the solver says is left is what is left. */
        left *= 100.0 / t.n;
        const double told = figure_of(world, &report, "density_error");
        if (fabs(left - told) > 0.05 * told + 1e-5)
            fail_msg("%s: the error is %g %%, the report says %g %%", name, left, told);
        free(t.x), free(t.A), free(t.change), free(t.M);
        rill_world_destroy(world);
    }
}

/* Inside one tile of the grid, and where tiles meet: cell 96 begins at 9.6 m. */
static void operator_matches_twin(void **state)
{
    (void)state;
    const rill_vec3 corners[] = {{0, 0, 0}, {9, 0, 0}, {1, 9.4, 9.3}};
    for (size_t k = 0; k < sizeof corners / sizeof *corners; k++) {
        rill_scene scene = dfsph_dam_at(0.05, corners[k]);
        check_operator(&scene);
        rill_scene_free(&scene);
    }
}

/* The weights that pressure acts with are the pair factors to half a unit; padding weighs nothing. */
static void weights_are_the_factors(void **state)
{
    (void)state;
    rill_scene scene = dfsph_dam(0.05);
    for (int variant = 0; variant < VARIANT_COUNT; variant++) {
        rill_world *world = world_with(&scene, 2, variant);
        if (!world) continue;
        steps(world, 20, NULL);
        const rill_sph *s = &world->sph;
        const double h = s->support, unit = -pair_factor(s, 1e-6 * h) / 65535;
        const uint32_t width = world->ops->width;
        for (uint32_t i = 0; i < s->liquid.fields.count; i++) {
            const rill_group g = rill_lists_group(&s->lists, i / width);
            for (uint32_t k = 0; k < g.length; k++) {
                const size_t at = (size_t)k * width + i % width;
                const double expected = k < s->lists.count[i] ? -g.factors[at] / unit : 0;
                if (fabs(g.weights[at] - expected) > 0.55)
                    fail_msg("%s: weight %u instead of %g", variant_of(world), g.weights[at], expected);
            }
        }
        rill_world_destroy(world);
    }
    rill_scene_free(&scene);
}

/* The first dam lies in one tile, the second in two. */
static void tiles_meet(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        rill_scene scene = dfsph_dam_at(0.05, (rill_vec3){k ? 9 : 0, 0, 0});
        rill_world *world = world_of(&scene, 2, 0);
        steps(world, 40, NULL);
        const rill_lists *lists = &world->sph.lists;
        uint32_t in_tile = 0;
        for (uint32_t g = 0; g < lists->groups; g++) in_tile += (uint32_t)__builtin_popcount(lists->group[g].in_tile);
        const uint32_t all = lists->groups * world->ops->width;
        if (k) assert_in_range(in_tile, 1, all - 1);
        else assert_int_equal(in_tile, all);
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
}

/* ---- promises ---- */

static void error_stays_below_tolerance(void **state)
{
    (void)state;
    for (int jacobi = 0; jacobi < 2; jacobi++) {
        rill_scene scene = dfsph_dam(slow_build() ? 0.05 : 0.04);
        scene.solver.iteration = jacobi ? RILL_ITERATION_JACOBI : RILL_ITERATION_ACCELERATED;
        rill_world *world = world_of(&scene, 2, 0);
        double iterations = 0;
        int hits = 0;
        const int count = slow_build() ? 100 : 400;
        for (int k = 0; k < count; k++) {
            const rill_report r = steps(world, 1, NULL);
            iterations += figure_of(world, &r, "iterations_density");
            hits += r.limit_hit;
            if (r.limit_hit) continue;
            const double density = figure_of(world, &r, "density_error"),
                         divergence = figure_of(world, &r, "divergence_error");
            if (density > 0.01) fail_msg("step %d: density error %g %%", k, density);
            if (divergence > 0.1) fail_msg("step %d: divergence error %g %%", k, divergence);
            assert_int_equal(r.lost, 0);
        }
        print_message("%s: %.1f density iterations a step, %d limit hits\n", jacobi ? "jacobi" : "accelerated",
                      iterations / count, hits);
        assert_int_equal(hits, 0);
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
}

static void both_iterations_flow_alike(void **state)
{
    (void)state;
    double kinetic[2], potential[2];
    for (int jacobi = 0; jacobi < 2; jacobi++) {
        rill_scene scene = dfsph_dam(0.05);
        scene.solver.iteration = jacobi ? RILL_ITERATION_JACOBI : RILL_ITERATION_ACCELERATED;
        rill_world *world = world_of(&scene, 2, 0);
        const rill_report r = advance(world, 0.3);
        kinetic[jacobi] = r.kinetic;
        potential[jacobi] = r.potential;
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
    assert_true(fabs(kinetic[0] - kinetic[1]) < 0.03 * kinetic[1]);
    assert_true(fabs(potential[0] - potential[1]) < 0.01 * potential[1]);
}

static void collision_keeps_momentum(void **state)
{
    (void)state;
    rill_scene scene = water_scene(0.05);
    strcpy(scene.solver.kind, "dfsph");
    scene.gravity = (rill_vec3){0, 0, 0};
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.5, 0.5, 0.5}, (rill_vec3){2, 0.1, 0});
    add_box_fill(&scene, (rill_vec3){0.6, 0.1, 0.15}, (rill_vec3){1, 0.6, 0.6}, (rill_vec3){-3, 0, 0.3});
    rill_world *world = world_of(&scene, 2, 0);
    const rill_report first = steps(world, 1, NULL), last = steps(world, 150, NULL);
    const double scale = sqrt(2 * last.kinetic * 1000 * world->sph.volume * last.particles);
    const double drift = rill_vec3_length(rill_vec3_sub(last.momentum, first.momentum));
    if (drift > 1e-5 * scale) fail_msg("momentum drifted by %g of %g", drift, scale);
    assert_true(last.kinetic < 0.9 * first.kinetic);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

static void same_bits_on_any_threads_and_after_restart(void **state)
{
    (void)state;
    rill_scene scene = dfsph_dam(slow_build() ? 0.05 : 0.03);
    check_same_bits(&scene, slow_build() ? 30 : 60);
    rill_world *whole = world_of(&scene, 2, 0), *again = world_of(&scene, 2, 0);
    steps(whole, 30, NULL);
    rill_snapshot *saved = rill_snapshot_take(whole, NULL);
    assert_non_null(saved);
    assert_int_equal(rill_world_load(again, rill_snapshot_state(saved), NULL), RILL_OK);
    rill_snapshot_free(saved);
    steps(whole, 30, NULL);
    steps(again, 30, NULL);
    assert_int_equal(rill_world_hash(whole), rill_world_hash(again));
    rill_world_destroy(whole);
    rill_world_destroy(again);
    rill_scene_free(&scene);
}

static void passes_keep_their_word(void **state)
{
    (void)state;
    rill_scene scene = dfsph_dam(0.05);
    rill_world *world = world_of(&scene, 2, 0);
    prove_steps(world, 5);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operator_matches_twin),
        cmocka_unit_test(weights_are_the_factors),
        cmocka_unit_test(tiles_meet),
        cmocka_unit_test(error_stays_below_tolerance),
        cmocka_unit_test(both_iterations_flow_alike),
        cmocka_unit_test(collision_keeps_momentum),
        cmocka_unit_test(same_bits_on_any_threads_and_after_restart),
        cmocka_unit_test(passes_keep_their_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

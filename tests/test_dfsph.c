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
        const float *X = rill_field_f32(&s->liquid.fields, (uint32_t)rill_fields_find(&s->liquid.fields, "dfsph_pressure"));
        const float *work = rill_field_f32(&s->liquid.fields, (uint32_t)rill_fields_find(&s->liquid.fields, "pressure_place"));
        const float *wall = rill_field_f32(&s->liquid.fields, (uint32_t)rill_fields_find(&s->liquid.fields, "pressure_held"));
        const float *source = rill_field_f32(&s->liquid.fields, (uint32_t)rill_fields_find(&s->liquid.fields, "dfsph_source"));
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
        const int count = slow_build() ? 100 : 400;
        for (int k = 0; k < count; k++) {
            const rill_report r = steps(world, 1, NULL);
            iterations += figure_of(world, &r, "iterations_density");
            if (r.limit_hit) continue;
            const double density = figure_of(world, &r, "density_error"), divergence = figure_of(world, &r, "divergence_error");
            if (density > 0.01) fail_msg("step %d: density error %g %%", k, density);
            if (divergence > 0.1) fail_msg("step %d: divergence error %g %%", k, divergence);
            assert_int_equal(r.lost, 0);
        }
        print_message("%s: %.1f density iterations a step\n", jacobi ? "jacobi" : "accelerated",
                      iterations / count);
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

/* Mean pressure of the lowest layers over the weight of what stands above them. */
static double floor_pressure(const rill_world *world)
{
    const rill_frame f = rill_world_frame(world);
    double sum = 0, count = 0, height = 0;
    for (size_t i = 0; i < f.count; i++) height = fmax(height, f.position[4 * i + 2] + 0.5 * world->sph.diameter);
    for (size_t i = 0; i < f.count; i++) {
        if (f.position[4 * i + 2] > 0.05) continue;
        sum += f.pressure[i] / (1000 * 9.81 * (height - f.position[4 * i + 2]));
        count++;
    }
    return sum / count;
}

/* Still water after it has settled: returns how fast its fastest particle becomes, as a share of the wave speed. */
static double still_water(uint32_t seed)
{
    const double height = 0.4;
    rill_scene scene = water_scene(0.025);
    strcpy(scene.solver.kind, "dfsph");
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.3, 0.3, height}, (rill_vec3){0, 0, 0});
    add_tank(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.3, 0.3, 0.6});
    jiggle(&scene, seed);
    rill_world *world = world_of(&scene, 2, 0);
    /* The lattice rearranges itself for some seconds, one particle at a time. */
    const double settle = slow_build() ? 0.3 : 6;
    const rill_report early = advance(world, settle);
    double fastest = 0, share = 0, squares = 0;
    rill_report r = early;
    for (int k = 0; k < 20; k++) {
        r = advance(world, slow_build() ? 0.01 : 0.05);
        fastest = fmax(fastest, r.speed_max);
        for (int more = 0; more < 5; more++) {
            steps(world, 1, NULL);
            const double now = floor_pressure(world);
            share += now / 100;
            squares += now * now / 100;
        }
    }
    const double wave = sqrt(9.81 * height), mass = 1000 * world->sph.volume * r.particles;
    const double rms = sqrt(2 * r.kinetic / mass);
    print_message("still water: rms %.3f %%, fastest %.2f %% of sqrt(gH), volume drift %.3f %%\n", 100 * rms / wave,
                  100 * fastest / wave, 100 * (r.volume / early.volume - 1));
    if (!slow_build()) {
        assert_true(rms < 0.003 * wave);
        assert_true(fabs(r.potential / early.potential - 1) < 0.005);
    }
    assert_true(fabs(r.volume / early.volume - 1) < 0.005);
    /* Pressure carries the weight, and does not breathe. The layers next to the floor are the hardest. */
    const double swing = sqrt(fmax(squares - share * share, 0));
    print_message("pressure at the floor: %.4f of the weight, swings by %.4f\n", share, swing);
    if (!slow_build() && (fabs(share - 1) > 0.08 || swing > 0.03))
        fail_msg("pressure at the floor is %g of the weight and swings by %g", share, swing);
    rill_world_destroy(world);
    rill_scene_free(&scene);
    return fastest / wave;
}

/* In one of ten such worlds a particle still jumps to another place in that second, with up to a tenth of the wave
 * speed. */
static void still_water_stays_still(void **state)
{
    (void)state;
    double fastest[JIGGLES];
    for (uint32_t k = 0; k < JIGGLES; k++) fastest[k] = still_water(k + 1);
    if (!slow_build()) assert_true(median(fastest) < 0.03);
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
        cmocka_unit_test(still_water_stays_still),
        cmocka_unit_test(collision_keeps_momentum),
        cmocka_unit_test(same_bits_on_any_threads_and_after_restart),
        cmocka_unit_test(passes_keep_their_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

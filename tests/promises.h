/* What every incompressible solver promises: momentum, still water, liquid that stays in its tank, bits, restarts, and
 * passes that write what they say. Each check takes the solver's name and what suits it. */
#ifndef RILL_TESTS_PROMISES_H
#define RILL_TESTS_PROMISES_H

#include "tests/pairs.h"
#include "tests/pass_proof.h"
#include "tests/variants.h"

/* A field of the solver by name. */
static inline float *solver_field(const rill_sph *s, const char *name)
{
    const int field = rill_fields_find(&s->liquid.fields, name);
    assert_true(field >= 0);
    return rill_field_f32(&s->liquid.fields, (uint32_t)field);
}

static inline rill_scene dam_with(const char *solver, double diameter)
{
    rill_scene scene = small_dam();
    strcpy(scene.solver.kind, solver);
    scene.particle_diameter = diameter;
    return scene;
}

/* Oil on water between two walls, in a channel that wraps around: every feature at once. */
static inline rill_scene two_fluids_with(const char *solver)
{
    rill_scene scene = water_scene(0.05);
    strcpy(scene.solver.kind, solver);
    rill_fluid oil = rill_fluid_default();
    strcpy(oil.name, "oil");
    oil.density = 500;
    assert_int_equal(rill_scene_add_fluid(&scene, &oil, NULL), RILL_OK);
    scene.periodic[0] = true;
    scene.domain_to = (rill_vec3){0.6, 0.4, 0.8};
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.6, 0.2, 0.4}, (rill_vec3){0.5, 0, 0});
    add_box_fill(&scene, (rill_vec3){0, 0.2, 0}, (rill_vec3){0.6, 0.4, 0.3}, (rill_vec3){0, 0, 0});
    scene.fills[1].fluid = 1;
    add_tank(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.6, 0.4, 0.8});
    return scene;
}

/* Two blobs collide without gravity and walls. */
static inline void check_momentum(const char *solver, double tolerance)
{
    rill_scene scene = water_scene(0.05);
    strcpy(scene.solver.kind, solver);
    scene.solver.density_error = tolerance;
    scene.gravity = (rill_vec3){0, 0, 0};
    rill_fluid oil = rill_fluid_default();
    oil.density = 700;
    assert_int_equal(rill_scene_add_fluid(&scene, &oil, NULL), RILL_OK);
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.5, 0.5, 0.5}, (rill_vec3){2, 0.1, 0});
    add_box_fill(&scene, (rill_vec3){0.6, 0.1, 0.15}, (rill_vec3){1, 0.6, 0.6}, (rill_vec3){-3, 0, 0.3});
    scene.fills[1].fluid = 1;
    rill_world *world = world_of(&scene, 2, 0);
    const rill_report first = steps(world, 1, NULL), last = steps(world, slow_build() ? 50 : 150, NULL);
    const double scale = sqrt(2 * last.kinetic * 1000 * world->sph.volume * last.particles);
    const double drift = sqrt(pow(last.momentum.x - first.momentum.x, 2) + pow(last.momentum.y - first.momentum.y, 2) +
                              pow(last.momentum.z - first.momentum.z, 2));
    print_message("%s: momentum drifted by %.1e, kinetic energy %.2f of the first\n", solver, drift / scale,
                  last.kinetic / first.kinetic);
    if (drift > 1e-5 * scale) fail_msg("momentum drifted by %g of %g", drift, scale);
    assert_true(last.kinetic < 0.9 * first.kinetic);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* A dam breaks; every step keeps the tolerance or says that it could not. */
static inline void check_dam(const char *solver, double tolerance, double hits_allowed)
{
    rill_scene scene = dam_with(solver, slow_build() ? 0.05 : 0.04);
    scene.solver.density_error = tolerance;
    rill_world *world = world_of(&scene, 2, 0);
    const int count = slow_build() ? 60 : 400;
    double iterations = 0;
    uint64_t hits = 0;
    double worst = 0;
    rill_report r = {0};
    for (int k = 0; k < count; k++) {
        r = steps(world, 1, NULL);
        iterations += figure_of(world, &r, "iterations_density");
        hits += r.limit_hit;
        const double error = figure_of(world, &r, "density_error");
        worst = fmax(worst, error);
        if (!r.limit_hit && error > 100 * tolerance) fail_msg("step %d: density error %g %%", k, error);
        assert_int_equal(r.lost, 0);
        assert_true(isfinite(r.kinetic) && isfinite(figure_of(world, &r, "density_error_max")));
    }
    print_message("%s: %.1f iterations a step, limit hit in %.0f %% of the steps, worst mean error %.3f %%\n", solver,
                  iterations / count, 100.0 * (double)hits / count, worst);
    assert_true((double)hits <= hits_allowed * count);
    /* The water has fallen and is spread over the floor. */
    if (!too_slow_for("how low the water of a dam lies in the end"))
        assert_true(r.potential / (1000 * 9.81 * world->sph.volume * r.particles) < 0.15);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* On any number of threads, with every variant, and after a restart. */
static inline void check_bits(const char *solver)
{
    rill_scene scene = dam_with(solver, slow_build() ? 0.05 : 0.04);
    check_same_bits(&scene, slow_build() ? 15 : 40);
    rill_world *whole = world_of(&scene, 2, 0), *again = world_of(&scene, 3, 0);
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

static inline void check_passes(const char *solver)
{
    rill_scene scene = two_fluids_with(solver);
    rill_world *world = world_of(&scene, 2, 0);
    prove_steps(world, 5);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

#endif

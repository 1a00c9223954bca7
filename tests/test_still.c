/* Still water with every solver. Its bars are those that README.md and docs/validation.md name. */
#include "tests/still.h"

#include "tests/variants.h"

/* Larger deviations than these fail. A particle that finds another place in the lattice may do so with a tenth of the
 * wave speed. */
typedef struct bars {
    const char *solver;
    double tolerance; /* solver.density_error; 0: its own */
    double rms, fastest, level, volume, pressure, floor, swing;
    uint32_t limit_hits;
} bars;

static const bars table[] = {
    {"dfsph", 0, 0.003, 0.12, 0.04, 0.015, 0.055, 0.11, 0.01, 0},
    {"iisph", 0, 0.003, 0.12, 0.04, 0.015, 0.055, 0.11, 0.01, 0},
    {"pcisph", 0, 0.003, 0.12, 0.04, 0.015, 0.055, 0.11, 0.02, 5},
    {"pbf", 1e-2, 0.005, 0.12, 0.055, 0.02, 0.03, 0.03, 0.09, 0},
    {"wcsph", 0, 0.002, 0.03, 0.015, 0.01, 0.015, 0.03, 0.005, 0},
};

static void at_most(const char *solver, const char *what, double value, double bar)
{
    if (!(fabs(value) <= bar)) fail_msg("%s: %s is %g, and %g is the bar", solver, what, value, bar);
}

static void still_water_is_what_was_filled(void **state)
{
    (void)state;
    const still_tank tank = {0.3, 0.4, slow_build() ? 0.3 : 5, slow_build() ? 0.1 : 1};
    if (slow_build()) print_message("skipped: figures after five seconds, for which this build is too slow\n");
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const bars *b = &table[i];
        rill_scene scene = water_scene(0.025);
        strcpy(scene.solver.kind, b->solver);
        scene.solver.density_error = b->tolerance;
        if (!strcmp(b->solver, "pbf")) scene.solver.iterations_pbf = 100;
        const still_figures s = still_water_of(&scene, &tank);
        at_most(b->solver, "the number of limit hits", s.limit_hits, b->limit_hits);
        if (!slow_build()) {
            at_most(b->solver, "the root mean square of the speed over sqrt(gH)", s.rms, b->rms);
            at_most(b->solver, "the top speed over sqrt(gH)", s.fastest, b->fastest);
            at_most(b->solver, "the error of the level over H", s.level, b->level);
            at_most(b->solver, "the error of the volume", s.volume, b->volume);
            at_most(b->solver, "the error of the pressure over rho g H", s.pressure, b->pressure);
            at_most(b->solver, "the error of the pressure at the floor", s.floor - 1, b->floor);
            at_most(b->solver, "the swing of the pressure at the floor", s.swing, b->swing);
            at_most(b->solver, "the drift of the potential energy", s.drift, 0.002);
        }
        rill_scene_free(&scene);
    }
}

/* ---- the measure itself ---- */

/* Water on a lattice fills what it was filled into, wherever its levels lie between the nodes. */
static void volume_of_a_lattice(void **state)
{
    (void)state;
    double least = INFINITY, most = 0;
    for (int k = 0; k < 8; k++) {
        const double d = 0.05, shift = k * d / 8;
        rill_scene scene = water_scene(d);
        add_box_fill(&scene, (rill_vec3){shift, 2 * shift, -shift},
                     (rill_vec3){shift + 0.5, 2 * shift + 0.6, 0.7 - shift}, (rill_vec3){0, 0, 0});
        rill_world *world = world_of(&scene, 1 + k % 3, 0);
        const double share = rill_world_volume(world) / (0.5 * 0.6 * 0.7);
        least = fmin(least, share);
        most = fmax(most, share);
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
    print_message("a box of 10 x 12 x 14 particles fills %.4f to %.4f of itself\n", least, most);
    assert_true(least > 0.998 && most < 1.003);
}

/* A full periodic domain has no surface, drops count as what they hold, and squeezed liquid is smaller. */
static void volume_at_its_ends(void **state)
{
    (void)state;
    const double d = 0.05;
    rill_scene scene = water_scene(d);
    for (int a = 0; a < 3; a++) scene.periodic[a] = true;
    scene.domain_to = (rill_vec3){0.5, 0.4, 0.3};
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, scene.domain_to, (rill_vec3){0, 0, 0});
    rill_world *world = world_of(&scene, 2, 0);
    assert_true(fabs(rill_world_volume(world) / (0.5 * 0.4 * 0.3) - 1) < 2e-3);
    rill_world_destroy(world);
    rill_scene_free(&scene);

    scene = water_scene(d);
    scene.gravity = (rill_vec3){0, 0, 0};
    for (int k = 0; k < 5; k++)
        add_box_fill(&scene, (rill_vec3){k, 0, 0}, (rill_vec3){k + d, d, d}, (rill_vec3){0, 0, 0});
    world = world_of(&scene, 1, 0);
    assert_true(fabs(rill_world_volume(world) / (5 * d * d * d) - 1) < 1e-3);
    rill_world_destroy(world);
    rill_scene_free(&scene);

    scene = water_scene(d);
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.8, 0.8, 0.8}, (rill_vec3){0, 0, 0});
    world = world_of(&scene, 1, 0);
    const double before = rill_world_volume(world);
    rill_fields *fields = &world->sph.liquid.fields;
    for (size_t i = 0; i < fields->count; i++) rill_field_f32(fields, FIELD_POSITION)[4 * i + 2] *= 0.9f;
    assert_int_equal(rill_world_refresh(world, NULL), RILL_OK);
    const double share = rill_world_volume(world) / before;
    /* The outermost layers, where C < 1, are not seen to be squeezed. */
    if (!(share > 0.9 && share < 0.94)) fail_msg("squeezed to 0.9, the liquid fills %g of what it did", share);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(volume_of_a_lattice), cmocka_unit_test(volume_at_its_ends),
                                       cmocka_unit_test(still_water_is_what_was_filled)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

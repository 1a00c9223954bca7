/* Still water with every solver, graded by the bars of the case still_tank. */
#include "tests/still.h"

#include "apps/validate/bars.h"
#include "tests/variants.h"

/* What the case does not measure; larger values fail. */
typedef struct bars {
    const char *solver, *label;
    double tolerance; /* solver.density_error; 0: its own */
    double swing;     /* % */
    uint32_t limit_hits; /* in some 1200 steps */
} bars;

/* The few iterations of position based fluids are a budget, and every step uses it up. */
static const bars table[] = {
    {"dfsph", "dfsph", 0, 1, 0},
    {"iisph", "iisph", 0, 1, 0},
    {"pcisph", "pcisph", 0, 2, 5},
    {"pbf", "pbf", 0, 1, UINT32_MAX},
    {"pbf", "pbf to 1 %", 0.01, 9, 0},
    {"wcsph", "wcsph", 0, 0.5, 0},
};

static void at_most(const char *solver, const char *what, double value, double bar)
{
    if (!(fabs(value) <= bar)) fail_msg("%s: %s is %g, and %g is the bar", solver, what, value, bar);
}

/* In per cent, by the bar that the case has for it. */
static void meets_bar(const char *solver, const char *what, double share)
{
    const double bar = validate_bar_of("still_tank", solver, what);
    assert_true(bar > 0);
    at_most(solver, what, 100 * share, bar);
}

static void still_water_is_what_was_filled(void **state)
{
    (void)state;
    const bool slow = too_slow_for("still water after five seconds");
    const still_tank tank = {0.3, 0.4, slow ? 0.3 : 5, slow ? 0.1 : 1};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const bars *b = &table[i];
        rill_scene scene = water_scene(0.025);
        strcpy(scene.solver.kind, b->solver);
        scene.solver.density_error = b->tolerance;
        if (b->tolerance > 0) scene.solver.iterations_pbf = 100;
        const still_figures s = still_water_of(&scene, &tank);
        at_most(b->label, "the number of limit hits", s.limit_hits, b->limit_hits);
        if (!slow) {
            meets_bar(b->label, "rms speed", s.rms);
            meets_bar(b->label, "top speed", s.fastest);
            meets_bar(b->label, "level against what was filled", s.level);
            meets_bar(b->label, "volume against what was filled", s.volume);
            meets_bar(b->label, "rms of the pressure profile", s.pressure);
            meets_bar(b->label, "pressure at the floor", s.floor - 1);
            at_most(b->label, "swing of the pressure at the floor", 100 * s.swing, b->swing);
            at_most(b->label, "drift of the potential energy", 100 * s.drift, 0.2);
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

/* Stretches a cube of water 16 particles wide along z, about its floor; how much more it fills than before. */
static double share_when_stretched(double by)
{
    rill_scene scene = water_scene(0.05);
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.8, 0.8, 0.8}, (rill_vec3){0, 0, 0});
    rill_world *world = world_of(&scene, 1, 0);
    const double before = rill_world_volume(world);
    rill_fields *fields = &world->sph.liquid.fields;
    for (size_t i = 0; i < fields->count; i++) rill_field_f32(fields, FIELD_POSITION)[4 * i + 2] *= (float)by;
    assert_int_equal(rill_world_refresh(world, NULL), RILL_OK);
    const double share = rill_world_volume(world) / before;
    rill_world_destroy(world);
    rill_scene_free(&scene);
    return share;
}

/* A full periodic domain has no surface, drops count as what they hold, squeezed liquid is smaller and swollen liquid
 * larger, within limits. */
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

    /* The outermost layers, where C < 1, are not seen to be squeezed. Liquid is seen to swell where it is deep;
     * near the surface it counts as what it holds. */
    static const struct {
        double by, least, most;
    } stretches[] = {{0.9, 0.9, 0.94}, {0.96, 0.96, 0.98}, {1.05, 1.015, 1.05}, {1.1, 1.035, 1.1}};
    for (size_t k = 0; k < sizeof stretches / sizeof *stretches; k++) {
        const double by = stretches[k].by, share = share_when_stretched(by);
        print_message("stretched to %g, the liquid fills %g of what it did\n", by, share);
        if (!(share > stretches[k].least && share < stretches[k].most))
            fail_msg("stretched to %g, the liquid fills %g of what it did", by, share);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(volume_of_a_lattice), cmocka_unit_test(volume_at_its_ends),
                                       cmocka_unit_test(still_water_is_what_was_filled)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A force with a number for every fluid is one new file (tests/added/tether.c) and one line in the list of methods,
 * which the build adds to a copy of it for this test alone. Everything else must follow: its key in scenes, settings,
 * checks, texts and reference, its column, its energy, the same bits, and what its passes declare.
 * label: small */
#include "tests/test_scene.h"

#include "rill/scene_text.h"
#include "tests/pass_proof.h"
#include "tests/scenes.h"
#include "tests/variants.h"
#include "text/pi.h"

static const char tied[] = "particle_diameter: 0.05\n"
                           "gravity: [0, 0, 0]\n"
                           "time: {step: {max: 1 ms}}\n"
                           "fluids:\n"
                           "  water: {tether: 4, viscosity: {kind: none}}\n"
                           "  oil: {density: 900, viscosity: {kind: none}}\n"
                           "fill:\n"
                           "  - {fluid: water, box: {from: [0.4, 0, 0], size: [0.05, 0.05, 0.05]}}\n"
                           "  - {fluid: oil, box: {from: [0, 0, 2], size: [0.05, 0.05, 0.05]}}\n";

static double number_of(const rill_scene *scene, const char *key)
{
    double value = -1;
    assert_int_equal(rill_scene_get(scene, key, &value, NULL), RILL_OK);
    return value;
}

static void its_key_is_known(void **state)
{
    (void)state;
    rill_scene s = good(tied);
    assert_number(number_of(&s, "fluids.water.tether"), 4);
    assert_number(number_of(&s, "fluids.oil.tether"), 0);
    char *text = written(&s);
    assert_non_null(strstr(text, "tether: 4\n"));
    rill_scene again = good(text);
    assert_number(number_of(&again, "fluids.water.tether"), 4);
    free(text);
    rill_scene_free(&again);
    rill_error err = {0};
    assert_int_equal(rill_scene_set(&s, "fluids.oil.tether", 2.5, &err), RILL_OK);
    assert_number(number_of(&s, "fluids.oil.tether"), 2.5);
    assert_int_equal(rill_scene_set(&s, "fluids.oil.tether", 101, &err), RILL_BAD_INPUT);
    assert_string_equal(err.text, "fluids.oil.tether must lie between 0 and 100, but is 101.");
    rill_scene_free(&s);
    s = good_with(tied, "fluids.oil.tether=7");
    assert_number(number_of(&s, "fluids.oil.tether"), 7);
    s.fluids[1].values[0] = -1;
    assert_int_equal(rill_scene_check(&s, &err), RILL_BAD_INPUT);
    assert_string_equal(err.text, "fluids.oil.tether must lie between 0 and 100, but is -1.");
    rill_scene_free(&s);
    refused("fluids: {w: {tether: 1000}}\n", "a.yaml:1:22: fluids.w.tether must lie between 0 and 100, but is '1000'.");
    refused("fluids: {w: {tethr: 1}}\n", "a.yaml:1:14: unknown key 'tethr' in fluids.w; did you mean 'tether'?");
    refused("fluids: {w: {tether: 1 m}}\n",
            "a.yaml:1:22: fluids.w.tether wants a plain number, but '1 m' is a length.");
}

static void it_is_in_the_reference(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    assert_int_equal(rill_scene_reference(file, NULL), RILL_OK);
    char *text = take_text(file);
    assert_non_null(
        strstr(text, "| `fluids.NAME.tether` | number |  | 0 to 100 | `0` | How strongly the fluid is tied"));
    free(text);
    const char *method = NULL;
    const rill_column *column = NULL;
    for (uint32_t i = 0; (column = rill_column_known(i, &method)) && strcmp(column->name, "tether_distance");) i++;
    assert_non_null(column);
    assert_string_equal(method, "tether");
}

/* A quarter of a period later the water is at the zero with all energy in its speed; the oil stays. */
static void it_acts(void **state)
{
    (void)state;
    const rill_scene s = good(tied);
    assert_true(fabs(rill_world_expected_speed(&s) - 2 * sqrt(0.45 * 0.45 + 2 * 0.05 * 0.05)) < 1e-9);
    rill_world *world = world_of(&s, 1, 0);
    rill_report r = steps(world, 1, NULL);
    const double energy = r.kinetic + r.potential, far = sqrt(0.425 * 0.425 + 2 * 0.025 * 0.025);
    assert_true(fabs(energy - 0.5 * 1000 * world->sph.volume * 4 * far * far) < 1e-3 * energy);
    const double distance = rill_report_value(world, &r, "tether_distance");
    assert_true(fabs(distance - sqrt(2.025 * 2.025 + 2 * 0.025 * 0.025)) < 1e-6);
    assert_int_equal(rill_advance(world, RILL_PI / 4 - r.time, NULL, &r, NULL), RILL_OK);
    assert_true(fabs(r.kinetic + r.potential - energy) < 5e-3 * energy && r.potential < 1e-3 * energy);
    assert_true(fabs(r.speed_max - 2 * far) < 5e-3 * 2 * far);
    const rill_frame frame = rill_world_frame(world);
    for (size_t i = 0; i < frame.count; i++)
        if (frame.fluid[i]) assert_true(fabs((double)frame.position[4 * i + 2] - 2.025) < 1e-6);
    rill_world_destroy(world);
    rill_scene_free((rill_scene *)&s);
}

static void it_keeps_the_rules(void **state)
{
    (void)state;
    rill_scene s = small_dam();
    assert_int_equal(rill_scene_set(&s, "fluids.water.tether", 3, NULL), RILL_OK);
    check_same_bits(&s, 20);
    rill_world *world = world_of(&s, 2, 0);
    prove_steps(world, 3);
    rill_world_destroy(world);
    rill_scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(its_key_is_known), cmocka_unit_test(it_is_in_the_reference),
                                       cmocka_unit_test(it_acts), cmocka_unit_test(it_keeps_the_rules)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

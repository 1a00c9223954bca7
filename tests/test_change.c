/* Worlds that are changed, filled, emptied and read between steps. */
#include "tests/variants.h"

#include <stdio.h>

#include "world/table.h"

/* A scene in which every force acts, and what moves or slides is wet, so that every number that may change has a
 * meaning. */
static rill_scene full_scene(const char *solver)
{
    rill_scene scene = small_dam();
    strcpy(scene.solver.kind, solver);
    scene.fluids[0].tension_kind = RILL_TENSION_COHESION;
    scene.fluids[0].tension = 0.07;
    scene.shifting = 0.1;
    scene.vorticity = 0.1;
    scene.air = (rill_air_def){.coefficient = 0.5, .density = 1.2, .wind = {1, 0, 0}};
    scene.fills[0].velocity = (rill_vec3){3, 0, 0};
    scene.time.step_max = 0.05;
    if (!strcmp(solver, "pbf")) scene.solver.density_error = 0.1; /* so that the fewest iterations count as well */
    rill_boundary *tank = &scene.boundaries[0];
    tank->slip = 0.5;
    tank->slide = (rill_vec3){0.1, 0, 0};
    tank->slide_sides = RILL_SIDE_ALL;
    tank->motion = (rill_motion){.amplitude = {0.02, 0, 0}, .period = 0.3, .sides = RILL_SIDE_ALL};
    const rill_sine sine = {.amplitude = {0, 0.01, 0}, .swing = {0.01, 0, 0}, .period = 0.5};
    assert_int_equal(rill_motion_add_sine(&tank->motion, &sine, NULL), RILL_OK);
    return scene;
}

/* The same with the other kinds of forces. */
static rill_scene other_scene(const char *solver)
{
    rill_scene scene = full_scene(solver);
    const bool even = strlen(solver) % 2 == 0;
    scene.fluids[0].tension_kind = RILL_TENSION_COLOUR;
    scene.fluids[0].viscosity_kind = even ? RILL_VISCOSITY_IMPLICIT : RILL_VISCOSITY_ARTIFICIAL;
    scene.fluids[0].viscosity = 0.05;
    return scene;
}

typedef struct live_keys {
    char key[200][140];
    uint32_t count;
} live_keys;

static void find_live(const rill_param *table, const void *base, const rill_scene *scene, const char *path,
                      live_keys *keys)
{
    for (rill_param_rows r = rill_param_rows_of(table); r.row; rill_param_rows_next(&r)) {
        const rill_param *p = r.row;
        char key[128];
        snprintf(key, sizeof key, "%s%s%s", path, *path ? "." : "", p->name);
        const bool of_solver = p->in == RILL_IN_SOLVER || p->in == RILL_IN_ITERATIONS;
        if (p->items) {
            const rill_item_list list = rill_items_of(p->items, base);
            char item[200];
            snprintf(item, sizeof item, "%s.%s", key, p->items->named && list.count ? list.first : "0");
            if (list.count) find_live(p->items->parts, list.first, scene, item, keys);
        } else if (p->parts) {
            find_live(p->parts, base, scene, key, keys);
        } else if (p->live && rill_param_applies(p, base) &&
                   (!of_solver || rill_param_read_by(p, RILL_METHOD_SOLVER, scene->solver.kind))) {
            for (int a = 0; a < (p->type == RILL_PARAM_VECTOR ? 3 : 1); a++)
                snprintf(keys->key[keys->count++], sizeof *keys->key, "%s%s", key,
                         p->type == RILL_PARAM_VECTOR ? (const char *[]){".x", ".y", ".z"}[a] : "");
        }
    }
}

/* ---- numbers ---- */

/* A value of a live number that makes a difference within ten steps. */
static double telling_value(const rill_world *world, const char *key)
{
    static const struct {
        const char *key;
        double value;
    } values[] = {{"gravity.", 30},           {"viscosity.value", 0.2},    {"tension.value", 1},
                  {"adhesion", 0.8},          {".slip", 0},                {"slide.velocity", 2},
                  {"motion.velocity", -0.3},  {"motion.amplitude", 0.03},  {"motion.period", 0.2},
                  {"motion.spin", 0.5},       {"swing", 0.1},              {"phase", 1},
                  {"0.amplitude", 0.02},      {"0.period", 0.2},           {"motion.ramp", 0.4},
                  {"shifting", 0.5},          {"vorticity", 0.4},          {"air_drag.coefficient", 3},
                  {"air_drag.density", 5},    {"air_drag.wind", 5},        {"density_error", 1e-5},
                  {"divergence_error", 1e-9}, {"iterations.min", 15},      {"iterations.max", 2},
                  {"iterations.pbf", 1},      {"time.step.cfl", 0.1}};
    const double now = rill_world_time(world), dt = now / (double)rill_world_step_count(world);
    if (strstr(key, "step.max")) return 0.3 * dt;
    if (strstr(key, "step.min")) return 1.5 * dt;
    if (strstr(key, "motion.start") || strstr(key, "motion.stop")) return now + 2 * dt;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (strstr(key, values[i].key)) return values[i].value;
    fail_msg("the test has no value for %s", key);
    return 0;
}

/* A changed world goes on as one that was made so and took the same state, and not as one that was left alone. */
static void change_acts(const rill_scene *original, const char *key)
{
    rill_scene scene;
    assert_int_equal(rill_scene_copy(&scene, original, NULL), RILL_OK);
    rill_world *world = world_of(&scene, 2, 0), *plain = world_of(&scene, 2, 0);
    steps(world, 10, NULL);
    steps(plain, 10, NULL);
    const double value = telling_value(world, key);
    rill_snapshot *snapshot = rill_snapshot_take(world, NULL);
    rill_error err = {0};
    if (rill_world_change(world, key, value, &err)) fail_msg("%s: %s", key, err.text);
    assert_int_equal(rill_scene_set(&scene, key, value, NULL), RILL_OK);
    rill_world *made = world_of(&scene, 2, 0);
    assert_int_equal(rill_world_load(made, rill_snapshot_state(snapshot), NULL), RILL_OK);
    const uint64_t bits = bits_after(world, 10);
    if (bits != bits_after(made, 10)) fail_msg("%s: a changed %s is not that of a scene", scene.solver.kind, key);
    if (bits == bits_after(plain, 10)) fail_msg("%s: a change of %s does nothing", scene.solver.kind, key);
    rill_snapshot_free(snapshot);
    rill_world_destroy(world);
    rill_world_destroy(plain);
    rill_world_destroy(made);
    rill_scene_free(&scene);
}

static void changes_act(void **state)
{
    (void)state;
    for (uint32_t s = 0; rill_solver_name(s); s++)
        for (int kinds = 0; kinds < 2; kinds++) {
            rill_scene scene = kinds ? other_scene(rill_solver_name(s)) : full_scene(rill_solver_name(s));
            live_keys *keys = calloc(1, sizeof *keys);
            find_live(rill_scene_table(), &scene, &scene, "", keys);
            assert_true(keys->count > 25);
            /* Where steps are slow, every key has its turn with some solver. */
            const uint32_t stride = slow_build() ? 10 : 1;
            for (uint32_t k = (2 * s + (uint32_t)kinds) % stride; k < keys->count; k += stride)
                if (strcmp(keys->key[k], "trouble.speed") != 0) change_acts(&scene, keys->key[k]);
            free(keys);
            rill_scene_free(&scene);
        }
}

/* The speed at which a particle counts as run away leaves the others alone. */
static void speed_limit_acts(void **state)
{
    (void)state;
    rill_scene scene = full_scene("dfsph");
    rill_world *world = world_of(&scene, 2, 0);
    steps(world, 5, NULL);
    assert_int_equal(rill_world_change(world, "trouble.speed", 0.5, NULL), RILL_OK);
    rill_report report;
    assert_int_equal(rill_step(world, NULL, &report, NULL), RILL_TROUBLE);
    assert_int_equal(report.trouble, RILL_TROUBLE_RUNAWAY);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* What the engine chooses from the scene follows its numbers: liquid that falls much harder has not run away. */
static void limits_follow_gravity(void **state)
{
    (void)state;
    for (uint32_t s = 0; rill_solver_name(s); s++) {
        rill_scene scene = small_dam();
        strcpy(scene.solver.kind, rill_solver_name(s));
        scene.gravity.z = -0.001;
        rill_world *world = world_of(&scene, 2, 0);
        steps(world, 2, NULL);
        assert_int_equal(rill_world_change(world, "gravity.z", -50, NULL), RILL_OK);
        rill_error err = {0};
        if (rill_advance(world, 0.1, NULL, NULL, &err)) fail_msg("%s: %s", scene.solver.kind, err.text);
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
}

/* Every live number can be set, is in the state, and goes with it into a fresh world. */
static void every_live_number_is_saved(void **state)
{
    (void)state;
    for (uint32_t s = 0; rill_solver_name(s); s++) {
        rill_scene scene = full_scene(rill_solver_name(s));
        rill_world *world = world_of(&scene, 2, 0), *again = world_of(&scene, 1, 0);
        live_keys *keys = calloc(1, sizeof *keys);
        find_live(rill_scene_table(), &scene, &scene, "", keys);
        assert_true(keys->count > 15);
        for (uint32_t k = 0; k < keys->count; k++) {
            double value;
            rill_error err = {0};
            if (rill_scene_get(&scene, keys->key[k], &value, NULL)) continue;
            value = strstr(keys->key[k], "trouble")      ? 1000
                    : strstr(keys->key[k], "stop")       ? 100
                    : value == 0                         ? 0.01
                    : strstr(keys->key[k], "iterations") ? value + 1
                                                         : 0.99 * value;
            if (rill_world_change(world, keys->key[k], value, &err)) fail_msg("%s: %s", keys->key[k], err.text);
            steps(world, 1, NULL);
        }
        rill_snapshot *snapshot = rill_snapshot_take(world, NULL);
        assert_int_equal(rill_world_load(again, rill_snapshot_state(snapshot), NULL), RILL_OK);
        for (uint32_t k = 0; k < keys->count; k++) {
            double mine = 0, other = 1;
            rill_scene_get(rill_world_scene(world), keys->key[k], &mine, NULL);
            rill_scene_get(rill_world_scene(again), keys->key[k], &other, NULL);
            if (mine != other && other != 1) fail_msg("%s is %g and %g", keys->key[k], mine, other);
        }
        assert_true(bits_after(world, 5) == bits_after(again, 5));
        rill_snapshot_free(snapshot);
        free(keys);
        rill_world_destroy(world);
        rill_world_destroy(again);
        rill_scene_free(&scene);
    }
}

static void change_refused(rill_world *world, const char *key, double value, const char *sentence)
{
    rill_error err = {0};
    const uint64_t before = rill_world_hash(world);
    assert_int_equal(rill_world_change(world, key, value, &err), RILL_BAD_INPUT);
    assert_string_equal(err.text, sentence);
    assert_true(rill_world_hash(world) == before);
}

static void bad_changes_are_refused(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_world *world = world_of(&scene, 1, 0), *plain = world_of(&scene, 1, 0);
    change_refused(world, "particle_diameter", 0.04,
                   "particle_diameter cannot change while a world runs; make a new world.");
    change_refused(world, "gravty.z", 1, "The scene has no number 'gravty.z'.");
    change_refused(world, "fluids.water.viscosity.value", -1,
                   "fluids.water.viscosity.value must lie between 0 and 1e+09 m2/s, but is -1.");
    change_refused(world, "time.step.min", 1, "The time step needs min <= max, but min is 1 s and max is 0.005 s.");
    change_refused(
        world, "shifting", 0.5,
        "The force shifting was not there when the world was made, so it cannot begin to act; give it a value above "
        "0 in the scene.");
    assert_true(bits_after(world, 5) == bits_after(plain, 5));
    rill_world_destroy(world);
    rill_world_destroy(plain);
    rill_scene_free(&scene);
}

/* ---- particles ---- */

static const rill_vec3 NOWHERE = {-100, -100, -100}, FAR = {100, 100, 100};

static void liquid_comes_and_goes(void **state)
{
    (void)state;
    for (uint32_t s = 0; rill_solver_name(s); s++) {
        rill_scene scene = small_dam();
        strcpy(scene.solver.kind, rill_solver_name(s));
        uint64_t hashes[2];
        for (unsigned threads = 1; threads < 3; threads++) {
            rill_world *world = world_of(&scene, threads, 0);
            const uint32_t before = rill_world_frame(world).count;
            steps(world, 5, NULL);
            uint64_t first;
            uint32_t count;
            const rill_fill drop =
                box_fill((rill_vec3){0.8, 0.1, 0.5}, (rill_vec3){1, 0.3, 0.6}, (rill_vec3){0, 0, -1});
            assert_int_equal(rill_world_add_fill(world, &drop, &first, &count, NULL), RILL_OK);
            assert_true(first == before && count == 4 * 4 * 2);
            const float place[6] = {0.7f, 0.1f, 0.6f, 0.7f, 0.2f, 0.6f}, speed[6] = {0, 0, 1, 0, 0, 2};
            assert_int_equal(rill_world_add(world,
                                            &(rill_new_particles){.count = 2, .position = place, .velocity = speed},
                                            &first, NULL),
                             RILL_OK);
            assert_true(first == before + 32 && rill_world_count(world, NOWHERE, FAR) == before + 34u);
            assert_true(rill_world_count(world, (rill_vec3){0.65, 0, 0.5}, (rill_vec3){0.75, 0.4, 0.7}) == 2);
            steps(world, 5, NULL);
            const uint64_t gone[3] = {first + 1, 0, 7};
            assert_int_equal(rill_world_remove(world, gone, 3, NULL), RILL_OK);
            const rill_report r = steps(world, 5, NULL);
            assert_true(r.particles == before + 31u && r.lost == 0);
            const rill_frame frame = rill_world_frame(world);
            for (size_t i = 0; i < frame.count; i++)
                assert_true(frame.id[i] != 0 && frame.id[i] != 7 && frame.id[i] != first + 1);
            hashes[threads - 1] = rill_world_hash(world);
            rill_world_destroy(world);
        }
        assert_true(hashes[0] == hashes[1]);
        rill_scene_free(&scene);
    }
}

static void all_liquid_may_go(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_world *world = world_of(&scene, 2, 0);
    const rill_frame frame = rill_world_frame(world);
    uint64_t *ids = malloc(frame.count * sizeof *ids);
    memcpy(ids, frame.id, frame.count * sizeof *ids);
    assert_int_equal(rill_world_remove(world, ids, frame.count, NULL), RILL_OK);
    assert_true(steps(world, 3, NULL).particles == 0);
    rill_sample sample;
    rill_world_sample(world, &(rill_vec3){0.1, 0.1, 0.1}, 1, &sample);
    assert_true(!sample.wet && sample.pressure == 0);
    free(ids);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

static void refused_and_unchanged(rill_world *world, rill_status status, const rill_error *err, const char *words,
                                  uint64_t hash)
{
    assert_int_equal(status, RILL_BAD_INPUT);
    if (!strstr(err->text, words)) fail_msg("'%s' does not say '%s'", err->text, words);
    assert_true(rill_world_hash(world) == hash);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_world *world = world_of(&scene, 2, 0), *plain = world_of(&scene, 2, 0);
    steps(world, 5, NULL);
    steps(plain, 5, NULL);
    const uint64_t hash = rill_world_hash(world);
    rill_error err = {0};
    const rill_fill inside = box_fill((rill_vec3){0.1, 0.1, 0.1}, (rill_vec3){0.2, 0.2, 0.2}, (rill_vec3){0, 0, 0});
    refused_and_unchanged(world, rill_world_add_fill(world, &inside, NULL, NULL, &err), &err, "would overlap", hash);
    rill_fill alien = box_fill((rill_vec3){0.8, 0.1, 0.5}, (rill_vec3){1, 0.3, 0.6}, (rill_vec3){0, 0, 0});
    alien.fluid = 3;
    refused_and_unchanged(world, rill_world_add_fill(world, &alien, NULL, NULL, &err), &err, "names fluid 4", hash);
    const float out[3] = {5, 0, 0}, nan[3] = {NAN, 0.1f, 0.1f}, twice[6] = {0.9f, 0.1f, 0.6f, 0.91f, 0.1f, 0.6f};
    const float good[3] = {0.9f, 0.1f, 0.6f}, fast[3] = {1e9f, 0, 0};
    rill_new_particles p = {.count = 1, .position = out};
    refused_and_unchanged(world, rill_world_add(world, &p, NULL, &err), &err, "outside of all", hash);
    p.position = nan;
    refused_and_unchanged(world, rill_world_add(world, &p, NULL, &err), &err, "no particle may have", hash);
    p.position = good, p.velocity = fast;
    refused_and_unchanged(world, rill_world_add(world, &p, NULL, &err), &err, "no particle may have", hash);
    p = (rill_new_particles){.count = 2, .position = twice};
    refused_and_unchanged(world, rill_world_add(world, &p, NULL, &err), &err, "would overlap", hash);
    const uint64_t unknown = 1000000, same[2] = {3, 3};
    refused_and_unchanged(world, rill_world_remove(world, &unknown, 1, &err), &err, "no particle 1000000", hash);
    refused_and_unchanged(world, rill_world_remove(world, same, 2, &err), &err, "named twice", hash);
    refused_and_unchanged(world, rill_world_set_velocities(world, same, fast, 1, &err), &err,
                          "cannot have the velocity", hash);
    /* Nothing of all that is left, not even a used id. */
    assert_true(bits_after(world, 5) == bits_after(plain, 5));
    uint64_t first;
    assert_int_equal(rill_world_add(world, &(rill_new_particles){.count = 1, .position = good}, &first, NULL), RILL_OK);
    assert_true(first == rill_world_frame(plain).count);
    rill_world_destroy(world);
    rill_world_destroy(plain);
    rill_scene_free(&scene);
}

static void velocities_are_set_by_id(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_world *world = world_of(&scene, 2, 0);
    steps(world, 3, NULL);
    const uint64_t ids[2] = {17, 3};
    const float v[6] = {1, 2, 3, -4, 5, 6};
    assert_int_equal(rill_world_set_velocities(world, ids, v, 2, NULL), RILL_OK);
    const rill_frame frame = rill_world_frame(world);
    for (size_t i = 0; i < frame.count; i++)
        for (int k = 0; k < 2; k++)
            if (frame.id[i] == ids[k]) assert_memory_equal(frame.velocity + 4 * i, v + 3 * k, 3 * sizeof *v);
    /* The next step is as short as they ask for. */
    const double dt = steps(world, 1, NULL).dt;
    assert_true(dt <= 0.4 * 0.05 / sqrt(77));
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* ---- reading ---- */

static void samples_read_what_probes_do(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    const rill_vec3 at = {0.2, 0.2, 0.1};
    static const rill_quantity of[3] = {RILL_DENSITY, RILL_PRESSURE, RILL_VELOCITY};
    for (int q = 0; q < 3; q++) {
        rill_probe probe = rill_probe_default();
        snprintf(probe.name, sizeof probe.name, "p%d", q);
        strcpy(probe.kind, "point");
        probe.at = at;
        probe.of = of[q];
        rill_scene_add_probe(&scene, &probe, NULL);
    }
    rill_world *world = world_of(&scene, 2, 0);
    const rill_report r = steps(world, 20, NULL);
    rill_sample sample[2];
    rill_world_sample(world, (const rill_vec3[]){at, {1.1, 0.2, 0.7}}, 2, sample);
    assert_true(sample[0].wet && !sample[1].wet && sample[1].density == 0);
    assert_true(sample[0].density == r.probe_values[0] && sample[0].pressure == r.probe_values[1]);
    assert_true(sample[0].velocity.x == r.probe_values[2] && sample[0].velocity.z == r.probe_values[4]);
    assert_true(sample[0].density > 900 && sample[0].pressure > 500);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* ---- the host listens in ---- */

static bool count_to(void *user, const rill_world *world, const rill_report *report)
{
    int *left = user;
    assert_true(report->step == rill_world_step_count(world));
    return --*left > 0;
}

static void advancing_can_be_cancelled(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_world *world = world_of(&scene, 2, 0), *plain = world_of(&scene, 2, 0);
    int left = 7;
    rill_controls controls = rill_controls_default();
    controls.each_step = count_to;
    controls.user = &left;
    rill_report report;
    assert_int_equal(rill_advance(world, 0.1, &controls, &report, NULL), RILL_CANCELLED);
    assert_true(report.step == 7 && rill_world_step_count(world) == 7);
    left = 1000000;
    assert_int_equal(rill_advance(world, 0.1 - rill_world_time(world), &controls, NULL, NULL), RILL_OK);
    assert_int_equal(rill_advance(plain, 0.1, NULL, NULL, NULL), RILL_OK);
    assert_true(rill_world_time(world) == rill_world_time(plain));
    rill_world_destroy(world);
    rill_world_destroy(plain);
    rill_scene_free(&scene);
}

static void note(void *user, const char *sentence)
{
    char *notes = user;
    strncat(notes, sentence, 2000 - strlen(notes));
    strncat(notes, "\n", 2000 - strlen(notes));
}

static void the_log_is_told(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    strcpy(scene.solver.kind, "dfsph");
    scene.solver.iterations_max = scene.solver.iterations_min = 2;
    scene.solver.density_error = 1e-6;
    char notes[2100] = "";
    rill_options options = rill_options_default();
    options.threads = 1;
    options.log = note;
    options.log_user = notes;
    rill_world *world = rill_world_create(&scene, &options, NULL);
    assert_non_null(strstr(notes, "Scene scene has 768 particles and"));
    steps(world, 5, NULL);
    const char *told = strstr(notes, "ended at their limit");
    assert_non_null(told);
    assert_null(strstr(told + 1, "ended at their limit"));
    assert_string_equal(rill_version(), RILL_VERSION);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_act),               cmocka_unit_test(speed_limit_acts),
        cmocka_unit_test(limits_follow_gravity),     cmocka_unit_test(every_live_number_is_saved),
        cmocka_unit_test(bad_changes_are_refused),   cmocka_unit_test(liquid_comes_and_goes),
        cmocka_unit_test(all_liquid_may_go),         cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(velocities_are_set_by_id),  cmocka_unit_test(samples_read_what_probes_do),
        cmocka_unit_test(advancing_can_be_cancelled), cmocka_unit_test(the_log_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Many bodies at once: a tank with a crowd of spheres that swing, are led by controls, or rest. */
#include "tests/pass_proof.h"
#include "tests/variants.h"

#include <stdio.h>

#include "tests/guard_twin.h"
#include "tests/inside.h"

enum { ALONG = 5, SPHERES = ALONG * ALONG * ALONG };

/* Two of three swing by themselves. */
static rill_scene crowd(const char *solver)
{
    const double d = 0.04, room = 6 * d;
    rill_scene scene = water_scene(d);
    strcpy(scene.solver.kind, solver);
    const rill_vec3 top = {ALONG * room, ALONG * room, ALONG * room};
    add_tank(&scene, (rill_vec3){0, 0, 0}, rill_vec3_add(top, (rill_vec3){0, 0, 4 * d}));
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, top, (rill_vec3){0, 0, 0});
    for (int i = 0; i < SPHERES; i++) {
        const int at[3] = {i % ALONG, i / ALONG % ALONG, i / ALONG / ALONG};
        rill_boundary sphere = rill_boundary_default();
        snprintf(sphere.name, sizeof sphere.name, "sphere%d", i);
        sphere.solid = true;
        sphere.slip = 0.5;
        sphere.shape = (rill_shape){.kind = RILL_SHAPE_SPHERE, .radius = 2 * d,
                                    .center = {(at[0] + 0.5) * room, (at[1] + 0.5) * room, (at[2] + 0.5) * room}};
        if (i % 3) sphere.motion.amplitude = (rill_vec3){i % 2 ? d : -d, 0, i % 5 ? 0.5 * d : 0};
        sphere.motion.period = 0.3 + 0.01 * (i % 7);
        if (i % 3 == 2) sphere.motion.spin = (rill_vec3){0, 0, i % 4};
        assert_int_equal(rill_scene_add_boundary(&scene, &sphere, NULL), RILL_OK);
    }
    return scene;
}

/* Controls of some of the spheres that do not swing, by name and by number, as the time goes. */
static void lead(rill_world *world, int count)
{
    static char names[SPHERES][32];
    rill_body_control led[SPHERES];
    for (int k = 0; k < count; k++) {
        const uint64_t step = rill_world_step_count(world);
        rill_controls controls = {.bodies = led};
        for (int i = 0; i < SPHERES; i += 6) {
            const double v = (step + (uint64_t)i) / 5 % 2 ? 0.4 : -0.4;
            rill_body_control *c = &led[controls.body_count++];
            *c = (rill_body_control){.boundary = 1 + (uint32_t)i, .low = {0, v, 0}, .high = {0, v, 0}};
            snprintf(names[i], sizeof names[i], "sphere%d", i);
            if (i % 4) c->name = names[i];
        }
        const rill_report r = steps(world, 1, &controls);
        if (r.lost || r.trouble_count) fail_msg("step %d: %d lost", (int)step, (int)r.lost);
    }
}

static void same_bits_in_a_crowd(void **state)
{
    (void)state;
    static const char *const solvers[] = {"dfsph", "pbf", "wcsph"};
    const int half = slow_build() ? 5 : 15;
    for (int s = 0; s < (slow_build() ? 2 : 3); s++) {
        rill_scene scene = crowd(solvers[s]);
        uint64_t hash = 0;
        for (unsigned threads = 1; threads <= 4; threads *= 2) {
            rill_world *world = world_of(&scene, threads, 0), *again = world_of(&scene, 2, 0);
            lead(world, half);
            rill_snapshot *snapshot = rill_snapshot_take(world, NULL);
            assert_non_null(snapshot);
            lead(world, half);
            all_inside(world, solvers[s]);
            assert_int_equal(rill_world_load(again, rill_snapshot_state(snapshot), NULL), RILL_OK);
            lead(again, half);
            if (rill_world_hash(world) != rill_world_hash(again)) fail_msg("%s: a restart differs", solvers[s]);
            if (threads == 1) hash = rill_world_hash(world);
            if (rill_world_hash(world) != hash) fail_msg("%s: %u threads give other bits", solvers[s], threads);
            assert_true(world->guard.broad.start != NULL);
            rill_snapshot_free(snapshot);
            rill_world_destroy(world);
            rill_world_destroy(again);
        }
        rill_scene_free(&scene);
    }
}

static void note_nothing(void *user, uint32_t body, rill_vec3 moved, rill_vec3 slowed)
{
    (void)user, (void)body, (void)moved, (void)slowed;
}

/* All particles move into whatever is there, as a step would move them, and each as its twin that asks every body. */
static void particles_move_as_their_twins(void **state)
{
    (void)state;
    rill_scene scene = crowd("wcsph");
    rill_world *world = world_of(&scene, 2, 0);
    const rill_set *liquid = &world->sph.liquid;
    lead(world, 3);
    const size_t count = liquid->fields.count;
    float *x = rill_field_f32(&liquid->fields, FIELD_POSITION), *v = rill_field_f32(&liquid->fields, FIELD_VELOCITY);
    for (size_t i = 0; i < 4 * count; i++) v[i] = (float)(rill_hash_mix(i) % 2000) * 0.004f - 4;
    float *before = malloc(8 * count * sizeof *before);
    assert_non_null(before);
    memcpy(before, x, 4 * count * sizeof *x);
    memcpy(before + 4 * count, v, 4 * count * sizeof *v);
    for (uint32_t b = 0; b < world->body_count; b++) rill_body_move(&world->bodies[b], 0.01);
    rill_move_stats moved;
    const rill_step_context step = {.sph = &world->sph, .dt = 0.01};
    assert_int_equal(rill_world_move(world, &step, UINT32_MAX, &moved, NULL), RILL_OK);
    assert_true(moved.rescued > 100 && !moved.trouble && !moved.lost);
    uint64_t rescued = 0;
    for (size_t i = 0; i < 4 * count; i += 4) {
        float to[3], *u = before + 4 * count + i;
        for (int a = 0; a < 3; a++) to[a] = before[i + a] + 0.01f * u[a];
        rescued += twin_hold(world->bodies, world->body_count, world->guard.margin, before + i, to, u, note_nothing,
                             NULL) == RILL_CONTACT_PASSED;
        if (memcmp(to, x + i, sizeof to) || memcmp(u, v + i, sizeof to))
            fail_msg("particle %zu moves otherwise", i / 4);
    }
    assert_true(rescued == moved.rescued);
    free(before);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

static void passes_keep_their_word_in_a_crowd(void **state)
{
    (void)state;
    static const char *const solvers[] = {"dfsph", "pbf"};
    for (int s = 0; s < 2; s++) {
        rill_scene scene = crowd(solvers[s]);
        rill_world *world = world_of(&scene, 2, 0);
        lead(world, 2);
        prove_steps(world, slow_build() ? 1 : 2);
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits_in_a_crowd),
        cmocka_unit_test(particles_move_as_their_twins),
        cmocka_unit_test(passes_keep_their_word_in_a_crowd),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

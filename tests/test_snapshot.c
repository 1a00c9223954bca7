/* Snapshots bring a world back, bit for bit. label: small */
#include "tests/variants.h"

/* A wave maker, a moving ball, a mixer, two fluids: all that a world can have. */
static rill_scene busy_scene(const char *solver)
{
    rill_scene scene = small_dam();
    strcpy(scene.solver.kind, solver);
    rill_fluid oil = scene.fluids[0];
    strcpy(oil.name, "oil");
    oil.density = 800;
    rill_scene_add_fluid(&scene, &oil, NULL);
    rill_fill top = box_fill((rill_vec3){0, 0, 0.6}, (rill_vec3){0.2, 0.4, 0.7}, (rill_vec3){0, 0, 0});
    top.fluid = 1;
    rill_scene_add_fill(&scene, &top, NULL);
    scene.boundaries[0].motion = (rill_motion){.amplitude = {0.02, 0, 0}, .period = 0.3, .sides = RILL_SIDE_HIGH_X};
    rill_boundary ball = rill_boundary_default();
    strcpy(ball.name, "ball");
    ball.shape = (rill_shape){.kind = RILL_SHAPE_SPHERE, .center = {0.8, 0.2, 0.2}, .radius = 0.1};
    ball.solid = true;
    ball.motion = (rill_motion){.velocity = {-1, 0, 0}, .stop = 0.2};
    rill_scene_add_boundary(&scene, &ball, NULL);
    add_mixer(&scene);
    return scene;
}

static void worlds_rewind(void **state)
{
    (void)state;
    for (uint32_t s = 0; rill_solver_name(s); s++) {
        rill_scene scene = busy_scene(rill_solver_name(s));
        rill_world *world = world_of(&scene, 2, 0), *other = world_of(&scene, 3, 0);
        steps(world, 15, NULL);
        rill_snapshot *snapshot = rill_snapshot_take(world, NULL);
        assert_non_null(snapshot);
        const double time = rill_world_time(world);
        const uint64_t then = rill_world_hash(world), later = bits_after(world, 15);
        const float pressure = rill_world_frame(world).pressure[3];
        for (int round = 0; round < 3; round++) {
            rill_world *w = round < 2 ? world : other;
            assert_int_equal(rill_snapshot_apply(w, snapshot, NULL), RILL_OK);
            assert_true(rill_world_time(w) == time && rill_world_step_count(w) == 15 && rill_world_hash(w) == then);
            assert_true(bits_after(w, 15) == later);
            assert_true(rill_world_frame(w).pressure[3] == pressure);
        }
        rill_snapshot_free(snapshot);
        rill_world_destroy(world);
        rill_world_destroy(other);
        rill_scene_free(&scene);
    }
}

/* Density and pressure belong to their particles again at once, not after the next step. */
static void frames_come_back(void **state)
{
    (void)state;
    rill_scene scene = busy_scene("dfsph");
    scene.output.pressure = scene.output.density = false;
    rill_world *world = world_of(&scene, 2, 0);
    steps(world, 20, NULL);
    const rill_frame before = rill_world_frame(world);
    float *pressure = calloc(before.count, sizeof *pressure), *density = calloc(before.count, sizeof *density);
    for (size_t i = 0; i < before.count; i++)
        pressure[before.id[i]] = before.pressure[i], density[before.id[i]] = before.density[i];
    rill_snapshot *snapshot = rill_snapshot_take(world, NULL);
    steps(world, 20, NULL);
    assert_int_equal(rill_snapshot_apply(world, snapshot, NULL), RILL_OK);
    const rill_frame after = rill_world_frame(world);
    for (size_t i = 0; i < after.count; i++)
        assert_true(after.pressure[i] == pressure[after.id[i]] && after.density[i] == density[after.id[i]]);
    free(pressure);
    free(density);
    rill_snapshot_free(snapshot);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

static void other_scenes_are_refused(void **state)
{
    (void)state;
    rill_scene scene = busy_scene("dfsph"), finer = busy_scene("dfsph");
    finer.particle_diameter = 0.04;
    rill_world *world = world_of(&scene, 1, 0), *other = world_of(&finer, 1, 0);
    steps(other, 3, NULL);
    rill_snapshot *snapshot = rill_snapshot_take(world, NULL);
    const uint64_t before = rill_world_hash(other);
    rill_error err = {0};
    assert_int_equal(rill_snapshot_apply(other, snapshot, &err), RILL_BAD_INPUT);
    assert_non_null(strstr(err.text, "another particle diameter"));
    assert_true(rill_world_hash(other) == before && rill_world_step_count(other) == 3);
    rill_snapshot_free(snapshot);
    rill_world_destroy(world);
    rill_world_destroy(other);
    rill_scene_free(&scene);
    rill_scene_free(&finer);
}

/* What a scene may differ in, and whether the liquid's future depends on it. */
static bool differ(rill_scene *scene, int change)
{
    switch (change) {
    case 0: return scene->gravity.y = 1, true;
    case 1: return scene->boundaries[0].motion.period = 0.2, true;
    case 2: return scene->boundaries[0].motion.sides = RILL_SIDE_LOW_X, true;
    case 3: return scene->boundaries[1].slip = 0.5, true;
    case 4: return scene->boundaries[0].open = RILL_SIDE_HIGH_Z, true;
    case 5: return scene->boundaries[0].volume_factor = 0.7, true;
    case 6: return scene->fluids[1].viscosity = 0.3, true;
    case 7: return scene->fluids[0].viscosity_kind = scene->fluids[1].viscosity_kind = RILL_VISCOSITY_XSPH, true;
    case 8: return scene->solver.sound_speed = 60, true;
    case 9: return scene->solver.gamma = 5, true;
    case 10: return scene->solver.negative_pressure = true, true;
    case 11: return scene->time.step_max /= 2, true;
    case 12: return scene->fluids[1].mass_factor = scene->fluids[0].mass_factor = 1, true;
    case 13: return scene->shifting = 0.1, true;
    case 14: return scene->boundaries[2].motion.spin.z = 1, true;
    case 15: return scene->boundaries[2].motion.sines[1].phase = 2, true;
    case 16: return scene->boundaries[2].motion.keyframes[3].turn.z = 2, true;
    case 17: return scene->boundaries[2].motion.keyframe_count--, true;
    case 18: return scene->boundaries[2].motion.about.x += 0.01, true;
    case 19: return strcpy(scene->name, "another"), false;
    case 20: return scene->time.end += 1, scene->time.frames_per_second += 1, false;
    case 21: return scene->output.pressure = !scene->output.pressure, false;
    case 22: return scene->fluids[0].colour ^= 0xff, false;
    default: return scene->seed++, false;
    }
}

static void any_difference_is_refused(void **state)
{
    (void)state;
    rill_scene scene = busy_scene("wcsph");
    rill_world *world = world_of(&scene, 1, 0);
    steps(world, 5, NULL);
    rill_snapshot *snapshot = rill_snapshot_take(world, NULL);
    const uint64_t then = rill_world_hash(world), later = bits_after(world, 10);
    for (int change = 0; change < 24; change++) {
        rill_scene other = busy_scene("wcsph");
        const bool refused = differ(&other, change);
        rill_world *second = world_of(&other, 1, 0);
        const uint64_t before = rill_world_hash(second);
        rill_error err = {0};
        const rill_status status = rill_snapshot_apply(second, snapshot, &err);
        if (status != (refused ? RILL_BAD_INPUT : RILL_OK)) fail_msg("change %d: %d, %s", change, status, err.text);
        assert_true(rill_world_hash(second) == (refused ? before : then));
        if (!refused) assert_true(bits_after(second, 10) == later);
        rill_world_destroy(second);
        rill_scene_free(&other);
    }
    rill_snapshot_free(snapshot);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* What came, went and changed since is undone as well. */
static void changes_are_undone(void **state)
{
    (void)state;
    rill_scene scene = busy_scene("dfsph");
    rill_world *world = world_of(&scene, 2, 0);
    steps(world, 5, NULL);
    assert_int_equal(rill_world_change(world, "gravity.z", -5, NULL), RILL_OK);
    steps(world, 5, NULL);
    rill_snapshot *snapshot = rill_snapshot_take(world, NULL);
    const uint64_t then = rill_world_hash(world), later = bits_after(world, 10);
    assert_int_equal(rill_snapshot_apply(world, snapshot, NULL), RILL_OK);
    assert_int_equal(rill_world_change(world, "gravity.z", -20, NULL), RILL_OK);
    assert_int_equal(rill_world_change(world, "fluids.oil.viscosity.value", 0.5, NULL), RILL_OK);
    const rill_fill drop = box_fill((rill_vec3){0.9, 0.1, 0.6}, (rill_vec3){1.1, 0.3, 0.7}, (rill_vec3){0, 0, -1});
    assert_int_equal(rill_world_add_fill(world, &drop, NULL, NULL, NULL), RILL_OK);
    assert_true(bits_after(world, 10) != later);
    assert_int_equal(rill_snapshot_apply(world, snapshot, NULL), RILL_OK);
    assert_true(rill_world_scene(world)->gravity.z == -5 && rill_world_scene(world)->fluids[1].viscosity == 0.01);
    assert_true(rill_world_hash(world) == then && bits_after(world, 10) == later);
    /* A world that never changed takes the change from the snapshot. */
    rill_world *other = world_of(&scene, 1, 0);
    assert_int_equal(rill_snapshot_apply(other, snapshot, NULL), RILL_OK);
    assert_true(rill_world_scene(other)->gravity.z == -5 && bits_after(other, 10) == later);
    rill_snapshot_free(snapshot);
    rill_world_destroy(world);
    rill_world_destroy(other);
    rill_scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(worlds_rewind), cmocka_unit_test(frames_come_back),
                                       cmocka_unit_test(other_scenes_are_refused),
                                       cmocka_unit_test(any_difference_is_refused),
                                       cmocka_unit_test(changes_are_undone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

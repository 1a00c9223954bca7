/* Worlds: the same bits on any number of threads, with any scheduler and after a
 * restart; states that do not belong to a world are refused. */
#include "tests/variants.h"

#include <stdio.h>
#include <string.h>

static void same_bits_on_any_threads(void **state)
{
    (void)state;
    for (int setting = 0; setting < 3; setting++) {
        rill_scene scene = small_dam();
        scene.particle_diameter = slow_build() ? 0.04 : 0.03;
        scene.boundaries[0].slip = 0.25;
        scene.solver.density = setting == 1 ? RILL_DENSITY_CONTINUITY : RILL_DENSITY_SUMMATION;
        scene.solver.diffusion = setting == 1 ? 0.1 : 0;
        scene.shifting = setting == 2 ? 0.5 : 0;
        check_same_bits(&scene, slow_build() ? 30 : 60);
        rill_scene_free(&scene);
    }
}

/* The width asked for is the width used, and one that no machine has is refused. */
static void widths_are_obeyed(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    for (unsigned width = 0; width <= 32; width++) {
        const rill_options options = {.threads = 1, .simd_width = width};
        const rill_fluid_ops *ops = rill_fluid_ops_for(width);
        rill_error err = {0};
        rill_world *world = rill_world_create(&scene, &options, &err);
        if (width != 0 && width != 4 && width != 8 && width != 16) assert_null(ops);
        if (ops) {
            assert_non_null(world);
            assert_ptr_equal(world->ops, ops);
            assert_int_equal(rill_world_simd_width(world), width ? width : ops->width);
        } else {
            assert_null(world);
            assert_int_equal(err.status, RILL_BAD_INPUT);
            assert_non_null(strstr(err.text, "width"));
        }
        rill_world_destroy(world);
    }
    assert_non_null(rill_fluid_ops_for(4));
    rill_scene_free(&scene);
}

/* A host's own scheduler: backwards, one by one, workers handed out in turn. */
static void backwards_for(void *user, size_t count, rill_loop_body *body, void *context)
{
    *(int *)user += 1;
    for (size_t i = count; i-- > 0;) body(context, i, (unsigned)(i % 3));
}

static void same_bits_under_any_scheduler(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_world *plain = world_of(&scene, 2, 0);
    int calls = 0;
    const rill_scheduler scheduler = {backwards_for, &calls, 3};
    const rill_options options = {.scheduler = &scheduler};
    rill_world *hosted = rill_world_create(&scene, &options, NULL);
    assert_non_null(hosted);
    steps(plain, 50, NULL);
    steps(hosted, 50, NULL);
    assert_true(calls > 50);
    assert_int_equal(rill_world_hash(plain), rill_world_hash(hosted));
    rill_world_destroy(plain);
    rill_world_destroy(hosted);
    rill_scene_free(&scene);
}

static rill_snapshot *taken(const rill_world *world)
{
    rill_snapshot *snapshot = rill_snapshot_take(world, NULL);
    assert_non_null(snapshot);
    return snapshot;
}

static void same_bits_after_restart(void **state)
{
    (void)state;
    for (int setting = 0; setting < 6; setting++) {
        rill_scene scene = small_dam();
        /* A paddle in all motions that there are; stopped midway, with walls that know of it and with others. */
        if (setting >= 4) add_mixer(&scene);
        if (setting == 5) strcpy(scene.solver.kind, "dfsph");
        scene.solver.density = setting == 1 ? RILL_DENSITY_CONTINUITY : RILL_DENSITY_SUMMATION;
        if (setting == 2) {
            /* A wave maker and a swinging ball. */
            scene.boundaries[0].motion =
                (rill_motion){.amplitude = {0.05, 0, 0}, .period = 0.2, .sides = RILL_SIDE_HIGH_X};
            rill_boundary ball = rill_boundary_default();
            ball.shape = (rill_shape){.kind = RILL_SHAPE_SPHERE, .center = {0.45, 0.2, 0.2}, .radius = 0.1};
            ball.solid = true;
            ball.motion = (rill_motion){.velocity = {-1, 0, 0}, .stop = 0.05};
            rill_scene_add_boundary(&scene, &ball, NULL);
        }
        if (setting == 3) {
            /* A side of the tank has just come to rest in the liquid when the state is saved. */
            scene.boundaries[0].motion = (rill_motion){.velocity = {1, 0, 0}, .stop = 0.03, .sides = RILL_SIDE_LOW_X};
        }
        rill_world *whole = world_of(&scene, 2, 0);
        steps(whole, 70, NULL);
        rill_snapshot *snapshot = taken(whole);
        const rill_state *saved = rill_snapshot_state(snapshot);
        const rill_clock clock = whole->clock;
        steps(whole, 70, NULL);
        rill_world *again = world_of(&scene, 3, 0);
        assert_int_equal(rill_world_load(again, saved, NULL), RILL_OK);
        assert_int_equal(rill_world_step_count(again), 70);
        assert_memory_equal(&again->clock, &clock, sizeof clock);
        steps(again, 70, NULL);
        assert_true(rill_world_time(whole) == rill_world_time(again));
        if (rill_world_hash(whole) != rill_world_hash(again)) fail_msg("setting %d differs after a restart", setting);
        rill_snapshot_free(snapshot);
        rill_world_destroy(whole);
        rill_world_destroy(again);
        rill_scene_free(&scene);
    }
}

/* What holds for the settings above holds for every solver there is. */
static void same_bits_with_every_solver(void **state)
{
    (void)state;
    for (uint32_t i = 0; rill_solver_name(i); i++) {
        rill_scene scene = small_dam();
        strcpy(scene.solver.kind, rill_solver_name(i));
        scene.particle_diameter = slow_build() ? 0.05 : 0.04;
        scene.boundaries[0].slip = 0.25;
        print_message("%s\n", rill_solver_name(i));
        check_same_bits(&scene, slow_build() ? 10 : 20);
        rill_world *whole = world_of(&scene, 2, 0), *again = world_of(&scene, 3, 0);
        steps(whole, 20, NULL);
        rill_snapshot *snapshot = taken(whole);
        const rill_state *saved = rill_snapshot_state(snapshot);
        assert_int_equal(rill_world_load(again, saved, NULL), RILL_OK);
        rill_snapshot_free(snapshot);
        steps(whole, 10, NULL);
        steps(again, 10, NULL);
        assert_int_equal(rill_world_hash(whole), rill_world_hash(again));
        rill_world_destroy(whole);
        rill_world_destroy(again);
        rill_scene_free(&scene);
    }
}

/* A state goes into worlds of its own scene only, but a run may go on longer, in other steps, or thicker. */
static void a_state_knows_its_scene(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_world *world = world_of(&scene, 1, 0);
    rill_snapshot *snapshot = taken(world);
    const rill_state *saved = rill_snapshot_state(snapshot);
    for (int change = 0; change < 16; change++) {
        static const char *const words[] = {"diameter",   "origin", "domain", "solver", "fluids", "fills", "boundaries",
                                            "boundaries", NULL,     NULL,     NULL,     NULL,     NULL,    NULL,
                                            NULL,         "boundaries"};
        rill_scene other;
        rill_error err = {0};
        assert_int_equal(rill_scene_copy(&other, &scene, NULL), RILL_OK);
        if (change == 0) other.particle_diameter *= 1.0625;
        if (change == 1) other.origin.x = 1;
        if (change == 2) other.periodic[1] = true, other.domain_to.y = 0.4;
        if (change == 3) strcpy(other.solver.kind, "iisph");
        if (change == 4) other.fluids[0].density = 900;
        if (change == 5) other.fills[0].shape.to.z -= 0.05;
        if (change == 6) other.boundaries[0].shape.to.x += 0.05;
        if (change == 7) rill_scene_add_boundary(&other, &(rill_boundary){.shape = {.kind = RILL_SHAPE_SPHERE,
                         .center = {5, 0, 0}, .radius = 0.1}, .solid = true, .slip = 1, .name = "ball"}, NULL);
        if (change == 8) other.time.end += 1, other.time.step_max /= 2;
        if (change == 9) other.fluids[0].viscosity *= 2;
        if (change == 10) other.on_trouble = RILL_TROUBLE_CONTINUE;
        if (change == 11) other.boundaries[0].open = RILL_SIDE_HIGH_Z;
        if (change == 12) other.boundaries[0].volume_factor = 0.7;
        if (change == 13) other.boundaries[0].motion.sides = RILL_SIDE_LOW_X;
        if (change == 14) other.boundaries[0].motion.spin.z = 0.1;
        if (change == 15) other.boundaries[0].motion.about_given = 1;
        rill_world *second = world_of(&other, 1, 0);
        const rill_status status = rill_world_load(second, saved, &err);
        assert_int_equal(status, words[change] ? RILL_BAD_INPUT : RILL_OK);
        if (words[change] && !strstr(err.text, words[change])) fail_msg("change %d: %s", change, err.text);
        rill_world_destroy(second);
        rill_scene_free(&other);
    }
    rill_snapshot_free(snapshot);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

static void *array_of(const rill_state *state, const char *name)
{
    for (uint32_t i = 0; i < state->count; i++)
        if (!strcmp(state->arrays[i].name, name)) return state->arrays[i].data;
    fail_msg("there is no array %s", name);
    return NULL;
}

static void load_refused(rill_world *world, const rill_state *saved, const char *word)
{
    rill_error err = {0};
    assert_int_equal(rill_world_load(world, saved, &err), RILL_BAD_FILE);
    if (!strstr(err.text, word)) fail_msg("'%s' does not speak of %s", err.text, word);
}

/* Finite numbers that no step could have left behind. */
static void refuses_impossible_values(void **state)
{
    (void)state;
    static const char *const names[] = {"clock_time",  "clock_dt",           "clock_taken",
                                        "clock_speed", "clock_acceleration", "clock_head"};
    rill_scene scene = small_dam();
    rill_world *world = world_of(&scene, 1, 0);
    rill_snapshot *snapshot = taken(world);
    const rill_state *saved = rill_snapshot_state(snapshot);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        double *value = array_of(saved, names[i]), kept = *value;
        *value = -1e6, load_refused(world, saved, names[i]), *value = kept;
    }
    double *time = array_of(saved, "clock_time"), *from = array_of(saved, "body_from");
    *time = 1e300, load_refused(world, saved, "clock_time"), *time = 0;
    const double kept = from[0];
    from[0] = 1e300, load_refused(world, saved, "body_from"), from[0] = kept;
    double *rotation = array_of(saved, "body_rotation");
    rotation[0] = 0.999, load_refused(world, saved, "no rotation");
    rotation[0] = NAN, load_refused(world, saved, "no rotation"), rotation[0] = 1;
    uint64_t *step = array_of(saved, "clock_step");
    *step = UINT64_MAX, load_refused(world, saved, "clock_step"), *step = 0;
    uint64_t *id = array_of(saved, "id"), first = id[0];
    id[0] = UINT64_MAX, load_refused(world, saved, "'id'");
    id[0] = id[5], load_refused(world, saved, "twice"), id[0] = first;
    assert_int_equal(rill_world_load(world, saved, NULL), RILL_OK);
    rill_snapshot_free(snapshot);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

static void refuses_a_foreign_state(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_world *world = world_of(&scene, 1, 0);
    rill_error err = {0};
    rill_snapshot *snapshot = taken(world);
    const rill_state *saved = rill_snapshot_state(snapshot);
    for (uint32_t i = 0; i < saved->count; i++) {
        rill_array *a = &saved->arrays[i];
        if (strcmp(a->name, "id")) continue;
        snprintf(a->name, sizeof a->name, "other");
        assert_int_equal(rill_world_load(world, saved, &err), RILL_BAD_FILE);
        snprintf(a->name, sizeof a->name, "id");
        a->count--;
        assert_int_equal(rill_world_load(world, saved, &err), RILL_BAD_FILE);
        a->count++;
    }
    assert_int_equal(rill_world_load(world, saved, &err), RILL_OK);
    /* What is refused leaves the world as it was. */
    steps(world, 3, NULL);
    const uint64_t before = rill_world_hash(world);
    for (uint32_t i = 0; i < saved->count; i++) {
        rill_array *a = &saved->arrays[i];
        if (a->derived) continue;
        if (a->type == RILL_F32) ((float *)a->data)[1] += NAN;
        else if (a->type == RILL_F64) ((double *)a->data)[0] += INFINITY;
        else if (!strcmp(a->name, "fluid")) ((uint32_t *)a->data)[7] += 1;
        else continue;
        assert_int_equal(rill_world_load(world, saved, &err), RILL_BAD_FILE);
        if (!strstr(err.text, a->name)) fail_msg("'%s' does not speak of %s", err.text, a->name);
        if (a->type == RILL_F32) ((float *)a->data)[1] = 0;
        else if (a->type == RILL_F64) ((double *)a->data)[0] = 1;
        else ((uint32_t *)a->data)[7] -= 1;
    }
    assert_int_equal(rill_world_hash(world), before);
    assert_int_equal(rill_world_step_count(world), 3);
    rill_snapshot_free(snapshot);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

static void hash_knows_no_order(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_world *world = world_of(&scene, 1, 0);
    const uint64_t before = rill_world_hash(world);
    rill_fields *f = &world->sph.liquid.fields;
    uint32_t *order = malloc(f->count * sizeof *order);
    for (uint32_t i = 0; i < f->count; i++) order[i] = f->count - 1 - i;
    const rill_mask rows = rill_fields_until(f, RILL_STATE);
    assert_int_equal(rill_fields_reorder(f, order, rows, &world->sph.runner.scheduler, NULL), RILL_OK);
    assert_int_equal(rill_world_hash(world), before);
    rill_field_f32(f, FIELD_POSITION)[9] += 1e-6f;
    const uint64_t moved = rill_world_hash(world);
    assert_int_not_equal(moved, before);
    rill_field_f32(f, FIELD_VELOCITY)[5] += 1e-6f;
    assert_int_not_equal(rill_world_hash(world), moved);
    free(order);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits_on_any_threads),
        cmocka_unit_test(widths_are_obeyed),
        cmocka_unit_test(same_bits_under_any_scheduler),
        cmocka_unit_test(same_bits_after_restart),
        cmocka_unit_test(same_bits_with_every_solver),
        cmocka_unit_test(a_state_knows_its_scene),
        cmocka_unit_test(refuses_impossible_values),
        cmocka_unit_test(refuses_a_foreign_state),
        cmocka_unit_test(hash_knows_no_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

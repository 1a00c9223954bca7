/* Worlds in which bodies turn, are steered and carry their liquid along. */
#include "tests/scenes.h"

#include "base/vec3.h"
#include "tests/variants.h"
#include "text/pi.h"
#include "world/world.h"

/* ---- steering ---- */

static void refused(rill_world *world, rill_body_control control, double until, const char *sentence)
{
    const rill_controls controls = {.until = until, .bodies = &control, .body_count = 1};
    rill_error err = {0};
    assert_int_equal(rill_step(world, &controls, NULL, &err), RILL_BAD_INPUT);
    if (strcmp(err.text, sentence)) fail_msg("'%s'\nis not\n'%s'", err.text, sentence);
}

static void bad_controls_are_refused(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    add_mixer(&scene);
    rill_boundary ground = rill_boundary_default();
    strcpy(ground.name, "ground");
    ground.shape = (rill_shape){.kind = RILL_SHAPE_PLANE, .center = {0, 0, -1}, .normal = {0, 0, 1}};
    assert_int_equal(rill_scene_add_boundary(&scene, &ground, NULL), RILL_OK);
    rill_world *world = world_of(&scene, 1, 0);
    const uint64_t before = rill_world_hash(world);
    const rill_body_target far = {.position = {INFINITY, 0, 0}, .rotation = {1, 0, 0, 0}};
    const rill_body_target bent = {.position = {0, 0, 0}, .rotation = {1, 1, 0, 0}};
    const rill_body_target good = {.position = {0.5, 0.2, 0.4}, .rotation = {1, 0, 0, 0}};
    refused(world, (rill_body_control){.name = "mixr"}, 1,
            "The controls move boundary mixr, but the scene has none of that name.");
    refused(world, (rill_body_control){.boundary = 3}, 1, "The controls move boundary 3, but the scene has only 3.");
    refused(world, (rill_body_control){.name = "mixer", .spin = {0, NAN, 0}}, 1,
            "The controls give boundary mixer a velocity that is not finite.");
    refused(world, (rill_body_control){.name = "ground", .spin = {0, 1, 0}}, 1,
            "The controls turn boundary ground, but a plane has no end and cannot turn.");
    refused(world, (rill_body_control){.name = "mixer", .spin = {0, 1, 0}, .high = {1, 0, 0}}, 1,
            "The controls turn boundary mixer, so its low and high sides must have the same velocity.");
    refused(world, (rill_body_control){.name = "mixer", .target = &far}, 1,
            "The controls give boundary mixer a target that is not finite, or whose rotation is no unit quaternion.");
    refused(world, (rill_body_control){.name = "mixer", .target = &bent}, 1,
            "The controls give boundary mixer a target that is not finite, or whose rotation is no unit quaternion.");
    refused(world, (rill_body_control){.name = "mixer", .target = &good}, 0,
            "The controls give boundary mixer a target, so they must say until when it is reached.");
    assert_true(rill_world_hash(world) == before && rill_world_step_count(world) == 0);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* A body by its name goes where it is told, is there when it was to be, and follows its motion again from there. */
static void bodies_go_where_they_are_told(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    add_mixer(&scene);
    rill_world *world = world_of(&scene, 2, 0);
    rill_body_target target = rill_body_target_default();
    target.position = (rill_vec3){0.6, 0.2, 0.5};
    rill_rotation_of((rill_vec3){0.3, -1.2, 0.4}, target.rotation);
    rill_body_control control = {.name = "mixer", .target = &target};
    const rill_controls controls = {.bodies = &control, .body_count = 1};
    rill_error err = {0};
    if (rill_advance(world, 0.15, &controls, NULL, &err)) fail_msg("%s", err.text);
    const rill_body *body = &world->bodies[1];
    rill_vec3 off = rill_vec3_sub(rill_body_centre(body), target.position);
    assert_true(rill_vec3_length(off) < 1e-12);
    assert_true(rill_vec3_length(rill_rotation_between(body->pose.rotation, target.rotation)) < 1e-12);
    /* The same body by its index, with velocities. */
    control = (rill_body_control){.boundary = 1, .low = {1, 0, 0}, .high = {1, 0, 0}, .spin = {0, 2, 0}};
    const rill_vec3 from = body->pose.position;
    if (rill_advance(world, 0.05, &controls, NULL, &err)) fail_msg("%s", err.text);
    off = rill_vec3_sub(rill_vec3_sub(body->pose.position, from), (rill_vec3){0.05, 0, 0});
    assert_true(rill_vec3_length(off) < 1e-12);
    const rill_vec3 turned = rill_rotation_between(target.rotation, body->pose.rotation);
    assert_true(rill_vec3_length(rill_vec3_sub(turned, (rill_vec3){0, 0.1, 0})) < 1e-12);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* A motion that is changed while it runs goes on from where the body is. */
static void changed_motions_do_not_jump(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        double value;
    } changes[] = {{"boundaries.mixer.motion.phase", 0.3},          {"boundaries.mixer.motion.spin.y", -2},
                   {"boundaries.mixer.motion.sines.1.period", 0.5}, {"boundaries.mixer.motion.swing.x", 0.4},
                   {"boundaries.mixer.motion.velocity.x", 0.3},     {"boundaries.mixer.motion.start", 0.05}};
    rill_scene scene = small_dam();
    add_mixer(&scene);
    rill_world *world = world_of(&scene, 2, 0);
    const rill_body *body = &world->bodies[1];
    steps(world, 20, NULL);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        rill_error err = {0};
        if (rill_world_change(world, changes[i].key, changes[i].value, &err)) fail_msg("%s", err.text);
        for (int k = 0; k < 5; k++) {
            const rill_pose before = body->pose;
            const rill_report r = steps(world, 1, NULL);
            const rill_vec3 way = rill_vec3_sub(body->pose.position, before.position);
            const rill_vec3 turn = rill_rotation_between(before.rotation, body->pose.rotation);
            assert_true(rill_vec3_length(way) + rill_vec3_length(turn) * rill_body_reach(body) <=
                        world->body_speed * r.dt * (1 + 1e-9));
        }
    }
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* Lists that are counted and not there. */
static void missing_lists_are_refused(void **state)
{
    (void)state;
    for (int keyframes = 0; keyframes < 2; keyframes++) {
        rill_scene scene = small_dam(), copy;
        rill_motion *m = &scene.boundaries[0].motion;
        *(keyframes ? &m->keyframe_count : &m->sine_count) = 3;
        const char *sentence = keyframes ? "The scene counts 3 keyframes, but their list is NULL."
                                         : "The scene counts 3 sines, but their list is NULL.";
        rill_error err = {0};
        assert_int_equal(rill_scene_check(&scene, &err), RILL_BAD_INPUT);
        assert_string_equal(err.text, sentence);
        err = (rill_error){0};
        assert_null(rill_world_create(&scene, NULL, &err));
        assert_string_equal(err.text, sentence);
        assert_int_equal(rill_scene_copy(&copy, &scene, &err), RILL_OK);
        rill_scene_free(&copy);
        rill_scene_free(&scene);
    }
}

/* ---- the guard and the clock ---- */

/* Water tossed about in a box that rolls, with a paddle in it that turns the other way. No particle may be outside of
 * the one or inside the other after any step, and no point of a body goes farther in a step than it may. */
static void nothing_passes_what_turns(void **state)
{
    (void)state;
    rill_scene scene = water_scene(0.05);
    strcpy(scene.solver.kind, "dfsph");
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){1, 0.4, 0.4}, (rill_vec3){0, 0, 0});
    add_tank(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){1, 0.4, 0.8});
    rill_boundary *tank = &scene.boundaries[0];
    tank->motion.spin = (rill_vec3){0, 4, 0};
    tank->motion.swing = (rill_vec3){0, 0, 0.5}, tank->motion.period = 0.7;
    rill_boundary paddle = rill_boundary_default();
    strcpy(paddle.name, "paddle");
    paddle.solid = true;
    paddle.shape = (rill_shape){.kind = RILL_SHAPE_BOX, .from = {0.3, 0.1, 0.41}, .to = {0.7, 0.3, 0.44}};
    paddle.motion.spin = (rill_vec3){0, -12, 3};
    assert_int_equal(rill_scene_add_boundary(&scene, &paddle, NULL), RILL_OK);
    rill_world *world = world_of(&scene, 2, 0);
    double rescued = 0;
    while (rill_world_time(world) < (slow_build() ? 0.1 : 0.8)) {
        const rill_report r = steps(world, 1, NULL);
        const rill_frame frame = rill_world_frame(world);
        assert_true(r.lost == 0);
        rescued += (double)r.rescued;
        const double reach = rill_body_reach(&world->bodies[0]);
        assert_true(r.dt <= scene.time.cfl * 0.05 / (4 * reach) * (1 + 1e-9));
        for (uint32_t i = 0; i < frame.count; i++) {
            const float *x = frame.position + 4 * (size_t)i;
            const rill_vec3 at = {x[0], x[1], x[2]};
            for (int b = 0; b < 2; b++)
                if (!rill_body_holds(&world->bodies[b], at, 1e-4)) fail_msg("in step %g a particle passed %s",
                    (double)r.step, world->scene.boundaries[b].name);
        }
    }
    print_message("%g rescued\n", rescued);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* ---- liquid that goes along ---- */

/* A full box without gravity turns with its liquid as one: the liquid keeps the velocity of a solid and presses outward
 * with rho w^2 r^2 / 2. */
static void a_full_box_turns_as_one(void **state)
{
    (void)state;
    const double w = 2;
    rill_scene scene = water_scene(0.05);
    strcpy(scene.solver.kind, "dfsph");
    scene.gravity = (rill_vec3){0, 0, 0};
    scene.fluids[0].viscosity = 1e-3;
    add_box_fill(&scene, (rill_vec3){-0.4, -0.2, -0.4}, (rill_vec3){0.4, 0.2, 0.4}, (rill_vec3){0, 0, 0});
    add_tank(&scene, (rill_vec3){-0.4, -0.2, -0.4}, (rill_vec3){0.4, 0.2, 0.4});
    scene.boundaries[0].motion.spin = (rill_vec3){0, w, 0};
    rill_world *world = world_of(&scene, 2, 0);
    rill_frame f = rill_world_frame(world);
    float *v = calloc(3 * (size_t)f.count, sizeof *v);
    for (size_t i = 0; i < f.count; i++) {
        v[3 * i] = (float)(w * f.position[4 * i + 2]);
        v[3 * i + 2] = (float)(-w * f.position[4 * i]);
    }
    assert_int_equal(rill_world_set_velocities(world, f.id, v, f.count, NULL), RILL_OK);
    free(v);
    double off = 0, all = 0, level[2] = {0}, square[2] = {0}, count[2] = {0};
    rill_error err = {0};
    if (rill_advance(world, slow_build() ? 0.3 : 1.5, NULL, NULL, &err)) fail_msg("%s", err.text);
    for (int sample = 0; sample < 40; sample++) {
        if (rill_step(world, NULL, NULL, &err)) fail_msg("%s", err.text);
        f = rill_world_frame(world);
        for (size_t i = 0; i < f.count; i++) {
            const float *x = f.position + 4 * i, *u = f.velocity + 4 * i;
            const double r2 = x[0] * x[0] + x[2] * x[2], du = u[0] - w * x[2], dw = u[2] + w * x[0];
            off += du * du + dw * dw + u[1] * u[1], all += w * w * r2;
            /* In the middle, and in the corners, which only a wall that knows of its own turn holds. */
            const int part = r2 < 0.2 * 0.2 ? 0 : r2 > 0.45 * 0.45 ? 1 : -1;
            if (part >= 0) level[part] += f.pressure[i], square[part] += r2, count[part]++;
        }
    }
    for (int k = 0; k < 2; k++) level[k] /= count[k], square[k] /= count[k];
    const double rise = level[1] - level[0], right = 0.5 * 1000 * w * w * (square[1] - square[0]);
    print_message("%.3g of the velocity is off, the corners have %.3g of the pressure\n", sqrt(off / all),
                  rise / right);
    assert_true(sqrt(off / all) < 0.1);
    assert_true(fabs(rise / right - 1) < 0.15);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* What the walls of a tank are told of how it is pushed. */
static void walls_know_their_push(const rill_world *world, double push)
{
    const rill_fields *walls = &world->sph.walls.fields;
    const float *a = rill_field_f32(walls, WALL_ACCELERATION);
    assert_non_null(a);
    for (size_t b = 0; b < walls->count; b++)
        if (fabs(a[4 * b] - push) > 1e-5 * push || a[4 * b + 1] != 0 || a[4 * b + 2] != 0)
            fail_msg("a wall is accelerated by (%g, %g, %g) m/s2, not by %g", a[4 * b], a[4 * b + 1], a[4 * b + 2],
                     push);
}

/* In a full tank that is pushed sideways pressure rises to the back by rho a a metre. Every fifth step is a short one,
 * and every fifth of those is solved for longer than it lasts. */
static void pressure_tilts_in_a_pushed_tank(void **state)
{
    (void)state;
    const double push = 3, length = 0.8;
    static const char *const solvers[] = {"dfsph", "iisph"};
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
        rill_scene scene = water_scene(0.05);
        strcpy(scene.solver.kind, solvers[k]);
        add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){length, 0.4, 0.5}, (rill_vec3){0, 0, 0});
        add_tank(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){length, 0.4, 0.5});
        rill_world *world = world_of(&scene, 2, 0);
        double ends[2] = {0}, places[2] = {0}, count[2] = {0};
        const int most = slow_build() ? 600 : 900;
        for (int i = 0; i < most; i++) {
            const double time = rill_world_time(world), dt = i % 25 == 4 ? 1e-5 : i % 5 == 4 ? 5e-4 : 2e-3;
            const rill_vec3 v = {push * (time + 0.5 * dt), 0, 0};
            const rill_body_control control = {.name = "tank", .low = v, .high = v};
            steps(world, 1, &(rill_controls){.until = time + dt, .bodies = &control, .body_count = 1});
            walls_know_their_push(world, push);
            const rill_frame f = rill_world_frame(world);
            for (size_t p = 0; p < f.count && i > most / 2; p++) {
                const double x = f.position[4 * p] - world->bodies[0].shape.from.x;
                const int end = x < 0.1 ? 0 : x > length - 0.1 ? 1 : -1;
                if (end >= 0) ends[end] += f.pressure[p], places[end] += x, count[end]++;
            }
        }
        for (int end = 0; end < 2; end++) ends[end] /= count[end], places[end] /= count[end];
        const double tilt = (ends[0] - ends[1]) / (1000 * push * (places[1] - places[0]));
        print_message("%s: %.3g of the tilt\n", solvers[k], tilt);
        assert_true(fabs(tilt - 1) < 0.05);
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_controls_are_refused),
        cmocka_unit_test(bodies_go_where_they_are_told),
        cmocka_unit_test(changed_motions_do_not_jump),
        cmocka_unit_test(missing_lists_are_refused),
        cmocka_unit_test(nothing_passes_what_turns),
        cmocka_unit_test(a_full_box_turns_as_one),
        cmocka_unit_test(pressure_tilts_in_a_pushed_tank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Motions of bodies against closed answers: places, velocities, accelerations, bounds, and what years of steps add up
 * to. label: small */
#include "tests/scenes.h"

#include "base/hash.h"
#include "base/vec3.h"
#include "physics/boundary/body.h"
#include "physics/boundary/motion.h"
#include "text/pi.h"

static void near(const char *what, rill_vec3 a, rill_vec3 b, double most)
{
    const double off = rill_vec3_length(rill_vec3_sub(a, b));
    if (!(off <= most)) fail_msg("%s: (%g, %g, %g), not (%g, %g, %g)", what, a.x, a.y, a.z, b.x, b.y, b.z);
}

static double chance(uint64_t *key, double low, double high)
{
    return low + (high - low) * (double)(rill_hash_mix(++*key) >> 11) / 9007199254740992.0;
}

static rill_vec3 chance_vector(uint64_t *key, double most)
{
    const double x = chance(key, -most, most), y = chance(key, -most, most);
    return (rill_vec3){x, y, chance(key, -most, most)};
}

/* A body as a world makes it. */
static rill_body body_of(const rill_boundary *boundary)
{
    rill_body body = rill_body_make(&boundary->shape);
    const rill_vec3 about = boundary->motion.about;
    if (boundary->motion.about_given)
        body.pose = rill_pose_placed(body.pose.rotation, rill_pose_own(&body.pose, about), about);
    return body;
}

static void step(rill_body *body, const rill_motion *m, double time, double dt)
{
    const rill_vec3 v = rill_motion_velocity(m, time, time + dt);
    body->low_before = body->low, body->high_before = body->high, body->spin_before = body->spin;
    rill_body_steer(body, v, v, rill_motion_spin(m, time, time + dt));
    rill_body_move(body, dt);
}

/* Where a motion takes a point of the scene. */
static rill_vec3 carried(const rill_motion *m, rill_vec3 about, rill_vec3 at, double time)
{
    const rill_motion_place place = rill_motion_at(m, time);
    const rill_pose turn = rill_pose_turn(place.rotation, about);
    return rill_vec3_add(rill_pose_place(&turn, at), place.move);
}

/* ---- rotations ---- */

static void turns_are_found_again(void **state)
{
    (void)state;
    uint64_t key = 1;
    for (int trial = 0; trial < 20000; trial++) {
        const rill_vec3 axis = rill_unit_vector(chance_vector(&key, 1));
        const double angle = trial % 3 ? chance(&key, 0, RILL_PI - 1e-6) : pow(10, -chance(&key, 0, 12));
        const rill_vec3 turn = rill_vec3_scale(axis, angle);
        double from[4], by[4], to[4];
        rill_rotation_of(chance_vector(&key, 4), from);
        rill_rotation_of(turn, by);
        rill_rotation_after(by, from, to);
        near("turn", rill_rotation_between(from, to), turn, 1e-14 + 1e-9 * (angle > 3.14) + 4e-15 * angle);
    }
    const double one[4] = {1, 0, 0, 0}, minus[4] = {-1, 0, 0, 0};
    near("the same", rill_rotation_between(one, minus), (rill_vec3){0, 0, 0}, 0);
}

/* ---- places ---- */

static void parts_follow_their_formulas(void **state)
{
    (void)state;
    const double turn = 2 * RILL_PI;
    const rill_sine sines[2] = {{.amplitude = {0.1, 0, 0}, .period = 2, .phase = 0.5},
                                {.amplitude = {0.02, 0.3, 0}, .period = 0.7}};
    const rill_motion m = {.velocity = {0, 0, 2}, .start = 1, .sines = (rill_sine *)sines, .sine_count = 2};
    for (double t = 0; t < 5; t += 0.01) {
        const double s = fmax(t - 1, 0);
        const double x = 0.1 * (sin(turn * s / 2 + 0.5) - sin(0.5)) + 0.02 * sin(turn * s / 0.7);
        near("sines", rill_motion_at(&m, t).move, (rill_vec3){x, 0.3 * sin(turn * s / 0.7), 2 * s}, 1e-13);
    }
    /* A door that swings about its hinge, and a wheel. */
    const rill_motion door = {.swing = {0, 0, 0.4}, .period = 3, .phase = 1};
    const rill_motion wheel = {.spin = {0, -7, 0}, .start = 0.5};
    for (double t = 0; t < 20; t += 0.01) {
        const double a = 0.4 * (sin(turn * t / 3 + 1) - sin(1)), b = -7 * fmax(t - 0.5, 0);
        near("door", carried(&door, (rill_vec3){1, 1, 0}, (rill_vec3){3, 1, 5}, t),
             (rill_vec3){1 + 2 * cos(a), 1 + 2 * sin(a), 5}, 1e-13);
        near("wheel", carried(&wheel, (rill_vec3){0, 0, 0}, (rill_vec3){0, 2, 1}, t), (rill_vec3){sin(b), 2, cos(b)},
             1e-12);
    }
    /* A wheel that rocks: it spins about an axle that the swing tips. */
    const rill_motion both = {.spin = {0, 5, 0}, .swing = {0.3, 0, 0}, .period = 1.7};
    for (double t = 0; t < 3; t += 0.01) {
        const double a = 0.3 * sin(turn * t / 1.7);
        near("axle", carried(&both, (rill_vec3){0, 0, 0}, (rill_vec3){0, 1, 0}, t), (rill_vec3){0, cos(a), sin(a)},
             1e-13);
    }
}

/* With a ramp a velocity has its full reach less one ramp, the way is the integral of the envelope, and all begins and
 * ends at rest. */
static void ramps_add_up(void **state)
{
    (void)state;
    const rill_motion m = {.velocity = {3, 0, 0}, .spin = {0, 0, 2}, .start = 0.5, .stop = 4.5, .ramp = 1.2};
    double way = 0;
    for (int i = 0; i < 5000; i++) {
        const double t = (i + 0.5) * 1e-3, s = t - 0.5, u = fmin(fmin(s, 4 - s) / 1.2, 1);
        way += u > 0 ? 3 * 1e-3 * u * u * (3 - 2 * u) : 0;
        near("way", rill_motion_at(&m, t + 0.5e-3).move, (rill_vec3){way, 0, 0}, 1e-5);
    }
    near("reach", rill_motion_at(&m, 9).move, (rill_vec3){3 * (4 - 1.2), 0, 0}, 1e-12);
    double all[4];
    rill_rotation_of((rill_vec3){0, 0, 2 * (4 - 1.2)}, all);
    near("turn", rill_rotation_between(all, rill_motion_at(&m, 9).rotation), (rill_vec3){0, 0, 0}, 1e-12);
    assert_true(rill_vec3_length(rill_motion_velocity(&m, 0.5, 0.501)) < 1e-5);
    assert_true(rill_vec3_length(rill_motion_velocity(&m, 4.499, 4.5)) < 1e-5);
}

/* ---- keyframes ---- */

static rill_motion keyed(rill_keyframe *keys, uint32_t count)
{
    return (rill_motion){.keyframes = keys, .keyframe_count = count, .sides = RILL_SIDE_ALL};
}

/* What runs through keyframes meets each of them, is monotone between two, is held outside, and has no jump in its
 * velocity. */
static void keyframes_are_smooth(void **state)
{
    (void)state;
    uint64_t key = 7;
    for (int trial = 0; trial < 200; trial++) {
        rill_keyframe keys[12];
        for (int k = 0; k < 12; k++) {
            const double step = trial % 4 ? chance(&key, 0.01, 0.3) : pow(10, chance(&key, -3, 0));
            keys[k] = (rill_keyframe){.time = k ? keys[k - 1].time + step : 0.1, .move = chance_vector(&key, 1)};
            if (trial % 2 && k) keys[k].move.y = keys[k - 1].move.y + chance(&key, 0, 1);
            if (k % 3 == 1) keys[k].move.z = keys[k - 1].move.z;
        }
        const rill_motion m = keyed(keys, 12);
        const rill_vec3 first = keys[0].move;
        near("before", rill_motion_at(&m, 0.05).move, (rill_vec3){0, 0, 0}, 0);
        near("after", rill_motion_at(&m, 99).move, rill_vec3_sub(keys[11].move, first), 0);
        for (int k = 0; k < 11; k++) {
            near("at", rill_motion_at(&m, keys[k].time).move, rill_vec3_sub(keys[k].move, first), 1e-15);
            const double length = keys[k + 1].time - keys[k].time, e = 1e-6 * length;
            rill_vec3 last = keys[k].move;
            for (int i = 0; i <= 50; i++) {
                const rill_vec3 at = rill_vec3_add(rill_motion_at(&m, keys[k].time + i * length / 50).move, first);
                for (int a = 0; a < 3; a++) {
                    const double way = rill_vec3_get(&keys[k + 1].move, a) - rill_vec3_get(&keys[k].move, a);
                    const double moved = rill_vec3_get(&at, a) - rill_vec3_get(&last, a);
                    assert_true(way >= 0 ? moved >= -1e-15 : moved <= 1e-15);
                }
                last = at;
            }
            if (!k) continue;
            const double before = fmin(e, 1e-6 * (keys[k].time - keys[k - 1].time));
            const rill_vec3 left = rill_motion_velocity(&m, keys[k].time - before, keys[k].time);
            const rill_vec3 right = rill_motion_velocity(&m, keys[k].time, keys[k].time + e);
            near("slope", left, right, 1e-4 * rill_motion_most_speed(&m, -INFINITY, INFINITY));
        }
    }
}

/* ---- bodies ---- */

/* After 10 000 steps of all lengths a body is where its motion says. */
static void bodies_arrive(void **state)
{
    (void)state;
    uint64_t key = 3;
    for (int rotated = 0; rotated < 2; rotated++) {
        rill_boundary paddle = mixer();
        paddle.motion.stop = 0;
        if (rotated) paddle.shape.rotate = (rill_rotate){.given = 1, .axis = {1, 2, 3}, .angle = 0.7};
        rill_body body = body_of(&paddle);
        const rill_body first = body;
        double time = 0;
        for (int i = 0; i < 10000; i++) {
            const double dt = i % 7 ? chance(&key, 1e-4, 5e-3) : 1e-9;
            step(&body, &paddle.motion, time, dt);
            time += dt;
            if (i % 100 != 99) continue;
            for (int corner = 0; corner < 8; corner++) {
                const rill_shape *a = &first.shape, *b = &body.shape;
                const rill_vec3 was = {corner & 1 ? a->to.x : a->from.x, corner & 2 ? a->to.y : a->from.y,
                                       corner & 4 ? a->to.z : a->from.z};
                const rill_vec3 is = {corner & 1 ? b->to.x : b->from.x, corner & 2 ? b->to.y : b->from.y,
                                      corner & 4 ? b->to.z : b->from.z};
                near("corner", rill_pose_place(&body.pose, is),
                     carried(&paddle.motion, paddle.motion.about, rill_pose_place(&first.pose, was), time), 2e-12);
            }
        }
        const double *q = body.pose.rotation;
        assert_true(fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) < 1e-15);
    }
}

/* Its velocity is the derivative of its place, and its acceleration that of its velocity, at every point and in steps
 * of uneven length. */
static void points_move_as_their_place_does(void **state)
{
    (void)state;
    rill_boundary paddle = mixer();
    const rill_motion *m = &paddle.motion;
    const double h = 1e-5;
    for (double t = 0.02; t < 0.5; t += 0.0137) {
        rill_body body = body_of(&paddle);
        step(&body, m, 0, t - 3 * h);
        step(&body, m, t - 3 * h, 3 * h);
        /* The step to come begins at t and is shorter than the one before. */
        const rill_vec3 v = rill_motion_velocity(m, t, t + h);
        body.low_before = body.low, body.high_before = body.high, body.spin_before = body.spin;
        rill_body_steer(&body, v, v, rill_motion_spin(m, t, t + h));
        for (int corner = 0; corner < 8; corner++) {
            const rill_vec3 point = {corner & 1 ? 0.4 : 0.45, corner & 2 ? 0.05 : 0.35, corner & 4 ? 0.3 : 0.6};
            const rill_vec3 at = carried(m, m->about, point, t);
            const rill_vec3 early = carried(m, m->about, point, t - h), late = carried(m, m->about, point, t + h);
            const rill_vec3 speed = rill_vec3_scale(rill_vec3_sub(late, early), 0.5 / h);
            const rill_vec3 change = rill_vec3_sub(rill_vec3_sub(late, at), rill_vec3_sub(at, early));
            near("velocity", rill_body_velocity(&body, at), speed, 1e-3 * (1 + rill_vec3_length(speed)));
            const rill_vec3 pull = rill_vec3_scale(change, 1 / (h * h));
            near("acceleration", rill_body_acceleration(&body, at, 2 * h), pull, 1e-2 * (1 + rill_vec3_length(pull)));
        }
    }
}

static void nothing_is_faster_than_its_bound(void **state)
{
    (void)state;
    uint64_t key = 11;
    const rill_boundary paddle = mixer();
    for (int trial = 0; trial < 100; trial++) {
        rill_motion m = paddle.motion;
        m.velocity = chance_vector(&key, 1), m.spin = chance_vector(&key, 3);
        m.ramp = trial % 2 ? 0.2 : 0;
        double fastest = 0, turn = 0;
        for (double t = 0; t < 1; t += 1e-3) {
            const double bound = rill_motion_most_speed(&m, t, t + 1e-3), spin = rill_motion_most_spin(&m, t, t + 1e-3);
            const double v = rill_vec3_length(rill_motion_velocity(&m, t, t + 1e-3));
            const double w = rill_vec3_length(rill_motion_spin(&m, t, t + 1e-3));
            if (v > bound * (1 + 1e-9) || w > spin * (1 + 1e-9)) fail_msg("%g m/s and %g rad/s at %g s", v, w, t);
            fastest = fmax(fastest, v), turn = fmax(turn, w);
        }
        assert_true(rill_motion_most_speed(&m, -INFINITY, INFINITY) < 5 * fastest);
        assert_true(rill_motion_most_spin(&m, -INFINITY, INFINITY) < 5 * turn);
        assert_true(rill_motion_most_speed(&m, -1, 0.005) == 0 && rill_motion_most_spin(&m, 5.5, 9) == 0);
    }
}

/* ---- targets ---- */

static void bodies_reach_their_targets(void **state)
{
    (void)state;
    uint64_t key = 5;
    for (int trial = 0; trial < 100; trial++) {
        const rill_boundary paddle = mixer();
        rill_body body = body_of(&paddle);
        double rotation[4], left = 1;
        const rill_vec3 target = chance_vector(&key, 2);
        rill_rotation_of(chance_vector(&key, 1.8), rotation);
        while (left > 0) {
            const double dt = left < 0.02 ? left : chance(&key, 0.001, 0.02);
            rill_body_head_for(&body, target, rotation, left, dt);
            rill_body_move(&body, dt);
            left = left < 0.02 ? 0 : left - dt;
        }
        near("centre", rill_body_centre(&body), target, 1e-12);
        near("rotation", rill_rotation_between(body.pose.rotation, rotation), (rill_vec3){0, 0, 0}, 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_are_found_again),
        cmocka_unit_test(parts_follow_their_formulas),
        cmocka_unit_test(ramps_add_up),
        cmocka_unit_test(keyframes_are_smooth),
        cmocka_unit_test(bodies_arrive),
        cmocka_unit_test(points_move_as_their_place_does),
        cmocka_unit_test(nothing_is_faster_than_its_bound),
        cmocka_unit_test(bodies_reach_their_targets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Bodies: where their wall particles lie, how they move, and a guard that stops
 * what it must and nothing else. label: small, one thread */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/hash.h"
#include "physics/boundary/body.h"
#include "physics/boundary/motion.h"
#include "text/pi.h"

static rill_body box_body(rill_vec3 from, rill_vec3 to, bool solid)
{
    rill_body body = rill_body_make(&(rill_shape){.kind = RILL_SHAPE_BOX, .from = from, .to = to});
    body.solid = solid;
    return body;
}

static rill_body ball_body(rill_vec3 center, double radius, bool solid)
{
    rill_body body = rill_body_make(&(rill_shape){.kind = RILL_SHAPE_SPHERE, .center = center, .radius = radius});
    body.solid = solid;
    return body;
}

static rill_contact guard(const rill_body *body, rill_vec3 from, rill_vec3 *to, rill_vec3 *velocity)
{
    return rill_body_guard(body, from, to, velocity, 0.02);
}

static void is_at(rill_vec3 a, double x, double y, double z)
{
    if (fabs(a.x - x) + fabs(a.y - y) + fabs(a.z - z) > 1e-9)
        fail_msg("(%g, %g, %g) is not (%g, %g, %g)", a.x, a.y, a.z, x, y, z);
}

/* ---- samples ---- */

typedef struct samples {
    const rill_body *body;
    int count, beyond[6]; /* how many lie beyond each side of the box */
    double farthest;      /* from half a diameter behind the surface */
} samples;

static void see_box_sample(void *user, rill_vec3 at)
{
    samples *s = user;
    s->count++;
    for (int a = 0; a < 3; a++) {
        s->beyond[2 * a] += rill_vec3_get(&at, a) < rill_vec3_get(&s->body->shape.from, a);
        s->beyond[2 * a + 1] += rill_vec3_get(&at, a) > rill_vec3_get(&s->body->shape.to, a);
    }
}

static void open_sides_have_no_wall(void **state)
{
    (void)state;
    rill_body tank = box_body((rill_vec3){0, 0, 0}, (rill_vec3){1, 0.8, 0.6}, false);
    for (uint32_t open = 0; open < 64; open++) {
        tank.open = open;
        samples s = {.body = &tank};
        rill_body_sample(&tank, 0.1, see_box_sample, &s);
        static const int n[3] = {10, 8, 6};
        for (int side = 0; side < 6; side++) {
            /* Beyond an open side lie at most the rims of its neighbours. */
            const int face = n[(side / 2 + 1) % 3] * n[(side / 2 + 2) % 3];
            if (open >> side & 1) assert_true(s.beyond[side] < face);
            else assert_true(s.beyond[side] >= face);
        }
        if (open == 63) assert_int_equal(s.count, 0);
    }
}

static void see_ball_sample(void *user, rill_vec3 at)
{
    samples *s = user;
    const double behind = s->body->shape.radius + (s->body->solid ? -0.05 : 0.05);
    s->count++;
    s->farthest = fmax(s->farthest, fabs(rill_vec3_length(rill_vec3_sub(at, s->body->shape.center)) - behind));
}

static void balls_are_sampled_behind_their_surface(void **state)
{
    (void)state;
    for (int solid = 0; solid < 2; solid++) {
        const rill_body ball = ball_body((rill_vec3){1, 2, 3}, 0.5, solid);
        samples s = {.body = &ball};
        rill_body_sample(&ball, 0.1, see_ball_sample, &s);
        const double radius = solid ? 0.45 : 0.55;
        assert_true(s.farthest < 1e-9);
        assert_true(fabs(s.count - 4 * RILL_PI * radius * radius / 0.01) < 2);
    }
}

static void sides_have_their_own_velocity(void **state)
{
    (void)state;
    rill_body tank = box_body((rill_vec3){0, 0, 0}, (rill_vec3){2, 1, 1}, false);
    tank.low = (rill_vec3){1, 0, -3};
    tank.high = (rill_vec3){5, 0, 3};
        is_at(rill_body_velocity(&tank, (rill_vec3){-0.05, 0.5, 0.5}), 1, 0, 0);
    is_at(rill_body_velocity(&tank, (rill_vec3){2.05, 0.5, 1}), 5, 0, 3);
    is_at(rill_body_velocity(&tank, (rill_vec3){0.5, 0.5, 0}), 2, 0, -3);
}

/* ---- motion ---- */

static void motion_follows_its_formula(void **state)
{
    (void)state;
    const rill_motion m = {.velocity = {2, 0, 0}, .amplitude = {0, 0.3, 0}, .period = 0.5, .start = 1, .stop = 3};
    is_at(rill_motion_velocity(&m, 0, 1), 0, 0, 0);
    is_at(rill_motion_velocity(&m, 0.5, 1.5), 1, 0, 0);
    is_at(rill_motion_velocity(&m, 1, 1.125), 2, 0.3 / 0.125, 0);
    is_at(rill_motion_velocity(&m, 2.5, 3.5), 1, 0, 0);
    is_at(rill_motion_velocity(&m, 3, 9), 0, 0, 0);
    is_at(rill_motion_velocity(&m, 2, 2), 0, 0, 0);
    const rill_motion swing = {.amplitude = {0, 0, 0.3}, .period = 0.4, .start = 0.13};
    is_at(rill_motion_velocity(&swing, 0.13, 0.23), 0, 0, 3);
    rill_body tank = box_body((rill_vec3){0, 0, 0}, (rill_vec3){1, 1, 1}, false);
    tank.moved = false;
    rill_body_move(&tank, 0.5);
    assert_false(tank.moved);
    tank.low = (rill_vec3){1, 0, 0};
    rill_body_move(&tank, 0.5);
    assert_true(tank.moved);
    is_at(tank.shape.from, 0.5, 0, 0);
    is_at(tank.before.from, 0, 0, 0);
    is_at(tank.shape.to, 1, 1, 1);
    /* Sides never pass each other. */
    rill_body_move(&tank, 5);
    is_at(tank.shape.from, 0.5, 0, 0);
    is_at(tank.shape.to, 1, 1, 1);
}

/* ---- the guard ---- */

static void container_stops_motion_into_its_sides(void **state)
{
    (void)state;
    rill_body tank = box_body((rill_vec3){0, 0, 0}, (rill_vec3){1, 1, 1}, false);
    tank.low = (rill_vec3){0.5, 0, 0};
    tank.high = (rill_vec3){0.25, 0, 0};
    rill_vec3 to = {-0.1, 0.5, 0.5}, v = {-3, 1, 2};
    assert_int_equal(guard(&tank, (rill_vec3){0.1, 0.5, 0.5}, &to, &v), RILL_CONTACT_PASSED);
    is_at(to, 0.02, 0.5, 0.5);
    is_at(v, 0.5, 1, 2);
    to = (rill_vec3){1.1, 0.5, 0.99}, v = (rill_vec3){3, 1, 2};
    assert_int_equal(guard(&tank, (rill_vec3){0.9, 0.5, 0.9}, &to, &v), RILL_CONTACT_PASSED);
    is_at(to, 0.98, 0.5, 0.98);
    is_at(v, 0.25, 1, 0);
    /* What moves away from the wall keeps its velocity. */
    to = (rill_vec3){0.01, 0.5, 0.5}, v = (rill_vec3){4, 0, 0};
    assert_int_equal(guard(&tank, (rill_vec3){0.1, 0.5, 0.5}, &to, &v), RILL_CONTACT_TOUCH);
    is_at(v, 4, 0, 0);
    /* What was outside before is let be, and an open side lets go. */
    to = (rill_vec3){-0.2, 0.5, 0.5};
    assert_int_equal(guard(&tank, (rill_vec3){-0.1, 0.5, 0.5}, &to, &v), RILL_CONTACT_NONE);
    tank.open = RILL_SIDE_LOW_X;
    assert_int_equal(guard(&tank, (rill_vec3){0.1, 0.5, 0.5}, &to, &v), RILL_CONTACT_NONE);
    is_at(to, -0.2, 0.5, 0.5);
    rill_body round = ball_body((rill_vec3){0, 0, 0}, 1, false);
    to = (rill_vec3){0, 1.2, 0}, v = (rill_vec3){1, 2, 0};
    assert_int_equal(guard(&round, (rill_vec3){0, 0.9, 0}, &to, &v), RILL_CONTACT_PASSED);
    is_at(to, 0, 0.98, 0);
    is_at(v, 1, 0, 0);
}

/* A plate and a small ball that particles could jump over in one step, from right beside them. */
static void nothing_jumps_over_thin_bodies(void **state)
{
    (void)state;
    const rill_body plate = box_body((rill_vec3){-1, -1, 0}, (rill_vec3){1, 1, 0.001}, true);
    const rill_body ball = ball_body((rill_vec3){0, 0, 0}, 0.03, true);
    for (int k = 0; k < 200; k++) {
        /* From within the margin to the other side, near and far. */
        const double u = (double)(rill_hash_mix((uint64_t)k + 1) >> 11) / 9007199254740992.0;
        rill_vec3 to = {0.1 * u, 0.05, 0.01 + 0.1 * u}, v = {0, 0, 1};
        const rill_vec3 under = {0, 0, -0.02 * u};
        assert_int_equal(guard(&plate, under, &to, &v), RILL_CONTACT_PASSED);
        if (to.z > -0.02 + 1e-9) fail_msg("from %g a particle came through the plate to %g", under.z, to.z);
        is_at(v, 0, 0, 0);
        to = (rill_vec3){0, 0, 0.03 + 0.06 * u}, v = (rill_vec3){0, 0, 1};
        assert_int_equal(guard(&ball, (rill_vec3){0, 0.001, -0.03 - 0.03 * u}, &to, &v), RILL_CONTACT_PASSED);
        if (to.z > -0.04) fail_msg("a particle came through the ball to %g", to.z);
    }
}

/* Bodies that run into particles at rest push them ahead. */
static void moving_bodies_take_particles_along(void **state)
{
    (void)state;
    rill_body bodies[2] = {box_body((rill_vec3){0, 0, 0}, (rill_vec3){0.1, 1, 1}, true),
                           ball_body((rill_vec3){0.05, 0.5, 0.5}, 0.05, true)};
    for (int b = 0; b < 2; b++) {
        bodies[b].low = bodies[b].high = (rill_vec3){4, 0, 0};
        rill_body_move(&bodies[b], 0.1); /* right over the particle */
        rill_vec3 to = {0.2, 0.5, 0.5}, v = {0, 0, 0};
        assert_int_equal(guard(&bodies[b], to, &to, &v), RILL_CONTACT_PASSED);
        is_at(to, 0.52, 0.5, 0.5);
        is_at(v, 4, 0, 0);
        /* One that moves with the body just ahead of it is not touched. */
        to = (rill_vec3){0.53, 0.5, 0.5}, v = (rill_vec3){4, 0, 0};
        assert_int_equal(guard(&bodies[b], (rill_vec3){0.13, 0.5, 0.5}, &to, &v), RILL_CONTACT_NONE);
    }
}

/* On a periodic axis an obstacle is met again a period further, on both sides. */
static void obstacles_come_again(void **state)
{
    (void)state;
    rill_body bodies[2] = {box_body((rill_vec3){-0.1, 0, 0}, (rill_vec3){0.1, 1, 1}, true),
                           ball_body((rill_vec3){0, 0.5, 0.5}, 0.1, true)};
    for (int b = 0; b < 2; b++) {
        rill_body *body = &bodies[b];
        body->period = (rill_vec3){2, 0, 0};
        for (int turn = -3; turn <= 3; turn++) {
            const double x = 2 * turn;
            assert_false(rill_body_holds(body, (rill_vec3){x + 0.05, 0.5, 0.5}, 0));
            assert_true(rill_body_holds(body, (rill_vec3){x + 1, 0.5, 0.5}, 0.1));
            rill_vec3 to = {x - 0.05, 0.5, 0.5}, v = {1, 0, 0};
            assert_int_equal(guard(body, (rill_vec3){x - 0.2, 0.5, 0.5}, &to, &v), RILL_CONTACT_PASSED);
            is_at(to, x - 0.12, 0.5, 0.5);
            is_at(v, 0, 0, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_sides_have_no_wall),
        cmocka_unit_test(balls_are_sampled_behind_their_surface),
        cmocka_unit_test(sides_have_their_own_velocity),
        cmocka_unit_test(motion_follows_its_formula),
        cmocka_unit_test(container_stops_motion_into_its_sides),
        cmocka_unit_test(nothing_jumps_over_thin_bodies),
        cmocka_unit_test(moving_bodies_take_particles_along),
        cmocka_unit_test(obstacles_come_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

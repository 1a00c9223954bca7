/* Walls that hold, bodies that move, and what wall particles weigh. */
#include "tests/densities.h"
#include "tests/inside.h"
#include "tests/scenes.h"

#include <string.h>

#include "base/hash.h"
#include "physics/boundary/guard.h"
#include "world/world.h"

static void lattice_rests_on_walls(void **state)
{
    (void)state;
    /* Next to a flat wall the rest lattice has rest density, by the choice of the wall's volumes. */
    rill_scene scene = water_scene(0.05);
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.6, 0.6, 0.6}, (rill_vec3){0, 0, 0});
    add_tank(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.6, 0.6, 0.6});
    rill_world *world = world_of(&scene, 1, 0);
    sum_densities(world);
    const rill_frame f = rill_world_frame(world);
    const float *D = rill_field_f32(&world->sph.liquid.fields, FIELD_COMPRESSION);
    int flat = 0;
    for (size_t i = 0; i < f.count; i++) {
        int sides = 0;
        for (size_t k = 0; k < 3; k++) sides += f.position[4 * i + k] < 0.05 || f.position[4 * i + k] > 0.55;
        if (sides > 1) continue;
        if (fabs(D[i] - 1) > 1e-4 && (sides == 0 || f.position[4 * i] > 0.1)) {
            /* Two layers from an edge the wall's own particles are denser. */
            int edges = 0;
            for (size_t k = 0; k < 3; k++) edges += f.position[4 * i + k] < 0.1 || f.position[4 * i + k] > 0.5;
            const float *x = f.position + 4 * i;
            if (edges < 2) fail_msg("density %g at (%g, %g, %g)", D[i], x[0], x[1], x[2]);
        }
        flat += sides;
    }
    assert_true(flat > 100);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

static void nothing_passes_a_closing_wall(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    scene.on_trouble = RILL_TROUBLE_CONTINUE;
    rill_world *world = world_of(&scene, 2, 0);
    /* One side comes in, the floor goes up, the far side goes out. */
    const rill_body_control move = {.boundary = 0, .low = {0.5, 0, 0.3}, .high = {1, 0, 0}};
    const rill_controls controls = {.bodies = &move, .body_count = 1};
    for (int k = 0; k < 6; k++) {
        const rill_report r = steps(world, 60, &controls);
        all_inside(world, "moving tank");
        assert_int_equal(r.lost, 0);
    }
    const rill_shape shape = rill_world_boundary_shape(world, 0);
    const double t = rill_world_time(world);
    assert_true(fabs(shape.from.x - 0.5 * t) < 1e-9 && fabs(shape.from.z - 0.3 * t) < 1e-9);
    assert_true(fabs(shape.to.x - (1.2 + t)) < 1e-9 && fabs(shape.to.z - 0.8) < 1e-9);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

static void a_ball_pushes_water(void **state)
{
    (void)state;
    rill_scene scene = water_scene(0.05);
    scene.gravity = (rill_vec3){0, 0, -9.81};
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){1, 0.5, 0.4}, (rill_vec3){0, 0, 0});
    add_tank(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){1, 0.5, 0.8});
    rill_boundary ball = rill_boundary_default();
    ball.shape = (rill_shape){.kind = RILL_SHAPE_SPHERE, .center = {0.3, 0.25, 0.2}, .radius = 0.12};
    ball.solid = true;
    rill_scene_add_boundary(&scene, &ball, NULL);
    rill_world *world = world_of(&scene, 2, 0);
    const rill_body_control drag = {.boundary = 1, .low = {2, 0, 0}};
    const rill_controls controls = {.bodies = &drag, .body_count = 1};
    double ahead = 0;
    for (int k = 0; k < 5; k++) {
        const rill_report r = steps(world, 40, &controls);
        all_inside(world, "dragged ball");
        ahead = r.momentum.x;
    }
    assert_true(ahead > 0.5);
    assert_true(rill_world_boundary_shape(world, 1).center.x > 0.35);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* Random paths against every kind of body: the guard never lets one through. */
static void guard_lets_nothing_through(void **state)
{
    (void)state;
    rill_body bodies[4] = {
        {.shape = {.kind = RILL_SHAPE_BOX, .from = {-1, -1, -1}, .to = {1, 1, 1}}},
        {.shape = {.kind = RILL_SHAPE_BOX, .from = {-0.5, -0.4, -0.3}, .to = {0.5, 0.4, 0.3}}, .solid = true},
        {.shape = {.kind = RILL_SHAPE_SPHERE, .radius = 1}},
        {.shape = {.kind = RILL_SHAPE_SPHERE, .radius = 0.4}, .solid = true},
    };
    uint64_t key = 1;
    int met = 0;
    for (int b = 0; b < 4; b++)
        for (int trial = 0; trial < 20000; trial++) {
            rill_body *body = &bodies[b];
            body->before = body->shape;
            body->size = rill_vec3_sub(body->shape.to, body->shape.from);
            double u[12];
            for (int k = 0; k < 12; k++)
                u[k] = (double)(rill_hash_mix(key++ * 0x9e3779b97f4a7c15u) >> 11) / 9007199254740992.0 - 0.5;
            const rill_vec3 from = {2 * u[0], 2 * u[1], 2 * u[2]};
            if (!rill_body_holds(body, from, 0.02)) continue;
            rill_vec3 to = {4 * u[3], 4 * u[4], 4 * u[5]}, v = {u[6], u[7], u[8]};
            const rill_vec3 wanted = to;
            rill_body moved = *body;
            moved.low = moved.high = (rill_vec3){0.02 * u[9], 0.02 * u[10], 0.02 * u[11]};
            rill_body_move(&moved, 1);
            const rill_contact contact = rill_body_guard(&moved, from, &to, &v, 0.02);
            if (!rill_body_holds(&moved, to, 0.02 - 1e-9))
                fail_msg("body %d lets (%g, %g, %g) -> (%g, %g, %g) end at (%g, %g, %g)", b, from.x, from.y, from.z,
                         wanted.x, wanted.y, wanted.z, to.x, to.y, to.z);
            if (!contact) assert_true(to.x == wanted.x && to.y == wanted.y && to.z == wanted.z);
            /* A straight path to the other side of an obstacle is a passage. */
            const rill_vec3 middle = {(from.x + wanted.x) / 2, (from.y + wanted.y) / 2, (from.z + wanted.z) / 2};
            if (body->solid && !rill_body_holds(body, middle, -0.05)) {
                assert_int_equal(contact, RILL_CONTACT_PASSED);
                met++;
            }
        }
    assert_true(met > 100);
}

/* The scene says which sides of a box move, and when. */
static void only_named_sides_move(void **state)
{
    (void)state;
    for (uint32_t side = 0; side < 6; side++) {
        rill_scene scene = small_dam();
        scene.boundaries[0].motion =
            (rill_motion){.velocity = {0.4, 0.4, 0.4}, .start = 0.002, .stop = 0.006, .sides = 1u << side};
        rill_world *world = world_of(&scene, 1, 0);
        advance(world, 0.01);
        const rill_shape s = rill_world_boundary_shape(world, 0);
        const double moved[6] = {s.from.x, s.to.x - 1.2, s.from.y, s.to.y - 0.4, s.from.z, s.to.z - 0.8};
        for (uint32_t k = 0; k < 6; k++) assert_true(fabs(moved[k] - (k == side ? 0.0016 : 0)) < 1e-9);
        all_inside(world, "one side moved");
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
}

/* A ball that goes round and round through the sides of a periodic channel. */
static void a_ball_crosses_periodic_sides(void **state)
{
    (void)state;
    rill_scene scene = water_scene(0.05);
    scene.gravity = (rill_vec3){0, 0, 0};
    scene.solver.sound_speed = 40;
    scene.periodic[0] = true;
    scene.domain_from = (rill_vec3){-0.2, 0, 0};
    scene.domain_to = (rill_vec3){0.8, 0, 0};
    /* The fill runs over the side at 0.8 m and comes in again at -0.2 m. */
    add_box_fill(&scene, (rill_vec3){0.3, 0, 0}, (rill_vec3){1.1, 0.4, 0.4}, (rill_vec3){0, 0, 0});
    add_tank(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){3, 0.4, 0.5});
    rill_boundary ball = rill_boundary_default();
    ball.shape = (rill_shape){.kind = RILL_SHAPE_SPHERE, .center = {-0.2, 0.2, 0.2}, .radius = 0.1};
    ball.solid = true;
    rill_scene_add_boundary(&scene, &ball, NULL);
    rill_world *world = world_of(&scene, 2, 0);
    /* Once around: 20 diameters, with 10 x 12 - 8 x 10 particles each. */
    assert_true(rill_world_boundary_particles(world) < 20 * 40 + 60);
    all_inside(world, "fill in a periodic channel");
    const rill_body_control drag = {.boundary = 1, .low = {12, 0, 0}};
    const rill_controls controls = {.bodies = &drag, .body_count = 1};
    for (int k = 0; k < 20; k++) {
        const rill_report r = steps(world, 30, &controls);
        all_inside(world, "ball through periodic sides");
        assert_int_equal(r.lost, 0);
        const rill_set *walls = &world->sph.walls;
        for (size_t i = 0; i < walls->fields.count; i++)
            assert_true(rill_walls_position(&world->sph)[4 * i] >= -0.2001f &&
                        rill_walls_position(&world->sph)[4 * i] <= 0.8001f);
    }
    assert_true(rill_world_boundary_shape(world, 1).center.x > 2);
    rill_field_f32(&world->sph.liquid.fields, FIELD_POSITION)[2] = -1;
    assert_int_equal(steps(world, 1, &controls).lost, 1);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* Particles set down by hand: lost outside, held at the wall, put back from beyond it. */
static void counts_the_lost_and_the_rescued(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    scene.gravity = (rill_vec3){0, 0, 0};
    scene.solver.sound_speed = 20;
    scene.on_trouble = RILL_TROUBLE_CONTINUE;
    rill_world *world = world_of(&scene, 2, 0);
    assert_int_equal(steps(world, 1, NULL).lost, 0);
    rill_fields *f = &world->sph.liquid.fields;
    float *x = rill_field_f32(f, FIELD_POSITION), *v = rill_field_f32(f, FIELD_VELOCITY);
    const uint64_t *id = rill_field_u64(f, FIELD_ID);
    world->speed_limit = 200;
    /* Far from the others: one outside, one that will touch, one that will pass. */
    const float places[3][3] = {{0.8f, 0.2f, 2}, {0.8f, 0.2f, 0.786f}, {1.09f, 0.2f, 0.4f}};
    const float speeds[3][3] = {{0, 0, 0}, {0, 0, 2}, {150, 0, 0}};
    uint32_t ids[3];
    for (size_t p = 0; p < 3; p++) {
        memcpy(x + 4 * (10 * p), places[p], 12);
        memcpy(v + 4 * (10 * p), speeds[p], 12);
        ids[p] = id[10 * p];
    }
    const rill_report r = steps(world, 1, NULL);
    assert_int_equal(r.lost, 1);
    assert_int_equal(r.rescued, 1);
    assert_int_equal(r.trouble, RILL_TROUBLE_NONE);
    const rill_frame frame = rill_world_frame(world);
    for (size_t i = 0; i < frame.count; i++) {
        const float *at = frame.position + 4 * i, *speed = frame.velocity + 4 * i;
        if (frame.id[i] == ids[1]) assert_true(fabs(at[2] - (0.8 - 0.25 * 0.05)) < 1e-6 && speed[2] == 0);
        if (frame.id[i] == ids[2]) assert_true(fabs(at[0] - (1.2 - 0.25 * 0.05)) < 1e-6 && speed[0] == 0);
    }
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* A particle faster than a plate is thick, and a plate that is not near where it ends. */
static void nothing_shoots_through_a_plate(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    scene.gravity = (rill_vec3){0, 0, 0};
    scene.solver.sound_speed = 20;
    rill_boundary plate = rill_boundary_default();
    plate.shape = (rill_shape){.kind = RILL_SHAPE_BOX, .from = {0.8, -1, -1}, .to = {0.802, 2, 2}};
    plate.solid = true;
    rill_scene_add_boundary(&scene, &plate, NULL);
    rill_world *world = world_of(&scene, 1, 0);
    rill_fields *f = &world->sph.liquid.fields;
    const uint64_t id = rill_field_u64(f, FIELD_ID)[5];
    float *x = rill_field_f32(f, FIELD_POSITION) + 20, *v = rill_field_f32(f, FIELD_VELOCITY) + 20;
    x[0] = 0.69f, x[1] = 0.2f, x[2] = 0.4f;
    v[0] = 150, v[1] = v[2] = 0;
    world->speed_limit = 200;
    const rill_report r = steps(world, 1, NULL);
    assert_true(r.dt * 150 > 0.1);
    assert_int_equal(r.rescued, 1);
    const rill_frame frame = rill_world_frame(world);
    for (size_t i = 0; i < frame.count; i++)
        if (frame.id[i] == id) assert_true(fabs(frame.position[4 * i] - (0.8 - 0.25 * 0.05)) < 1e-6);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* What lies between a ball and the floor is squeezed out sideways, not into either. */
static void note_nothing(void *user, uint32_t body, rill_vec3 moved, rill_vec3 slowed)
{
    (void)user, (void)body, (void)moved, (void)slowed;
}

static void nothing_enters_a_ball_pressed_on_the_floor(void **state)
{
    (void)state;
    rill_body bodies[2] = {
        rill_body_make(&(rill_shape){.kind = RILL_SHAPE_BOX, .from = {-1, -1, 0}, .to = {1, 1, 1}}),
        rill_body_make(&(rill_shape){.kind = RILL_SHAPE_SPHERE, .center = {0, 0, 0.3}, .radius = 0.25})};
    bodies[1].solid = true;
    rill_guard guard = {0};
    float points[200][3];
    for (int p = 0; p < 200; p++) {
        const uint64_t r = rill_hash_mix((uint64_t)p + 1);
        points[p][0] = (float)(r % 1000) / 2000 - 0.25f;
        points[p][1] = (float)(r / 1000 % 1000) / 2000 - 0.25f;
        points[p][2] = 0.02f;
    }
    while (bodies[1].shape.center.z > 0.1) {
        bodies[1].low = bodies[1].high = (rill_vec3){0, 0, -1};
        rill_body_move(&bodies[1], 0.01);
        assert_int_equal(rill_guard_make(&guard, bodies, 2, 0.02, NULL), RILL_OK);
        for (int p = 0; p < 200; p++) {
            float to[3] = {points[p][0], points[p][1], points[p][2]}, v[3] = {0};
            rill_guard_hold(&guard, points[p], to, v, note_nothing, NULL);
            memcpy(points[p], to, sizeof to);
            for (int b = 0; b < 2; b++)
                if (!rill_body_holds(&bodies[b], (rill_vec3){to[0], to[1], to[2]}, -1e-6))
                    fail_msg("point %d at (%g, %g, %g) is behind the surface of body %d", p, to[0], to[1], to[2], b);
        }
    }
    rill_guard_free(&guard);
}

/* A particle that ran away is left behind at rest, but not behind a wall that comes along. */
static void walls_take_the_troubled_along(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    scene.on_trouble = RILL_TROUBLE_CONTINUE;
    rill_world *world = world_of(&scene, 1, 0);
    const rill_body_control move = {.boundary = 0, .low = {5, 0, 0}};
    const rill_controls controls = {.bodies = &move, .body_count = 1};
    world->speed_limit = 1e-6; /* all of them run away */
    for (int k = 0; k < 40; k++) {
        assert_int_equal(steps(world, 1, &controls).trouble, RILL_TROUBLE_RUNAWAY);
        all_inside(world, "moving wall");
    }
    assert_true(rill_world_boundary_shape(world, 0).from.x > 0.05);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* Wall particles carry the grip of their body, and a wall that shrinks gets new weights. */
static void walls_know_their_body(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    scene.boundaries[0].slip = 0.25;
    rill_world *world = world_of(&scene, 1, 0);
    const rill_set *walls = &world->sph.walls;
    for (size_t i = 0; i < walls->fields.count; i++)
        assert_true(fabs(rill_walls_velocity(&world->sph)[4 * i + 3] - 0.5 * world->sph.diameter) < 1e-6);
    const rill_body_control pull = {.boundary = 0, .high = {0, 0, 1}};
    const rill_controls controls = {.bodies = &pull, .body_count = 1};
    while (rill_world_boundary_shape(world, 0).to.z < 0.823) steps(world, 1, &controls);
    steps(world, 1, NULL);
    /* As many layers as before, further apart: each particle of the sides weighs more. */
    rill_scene larger = scene;
    larger.boundaries = malloc(sizeof *larger.boundaries);
    larger.boundaries[0] = scene.boundaries[0];
    larger.boundaries[0].shape.to.z = rill_world_boundary_shape(world, 0).to.z;
    rill_world *fresh = world_of(&larger, 1, 0);
    assert_int_equal(fresh->sph.walls.fields.count, walls->fields.count);
    for (size_t i = 3; i < 4 * (size_t)walls->fields.count; i += 4)
        assert_true(fabs(rill_walls_position(&fresh->sph)[i] - rill_walls_position(&world->sph)[i]) < 0.02);
    rill_world_destroy(fresh);
    free(larger.boundaries);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* In a channel that is periodic along its walls no place on a wall is special. */
static void periodic_walls_weigh_alike(void **state)
{
    (void)state;
    rill_scene scene = water_scene(0.05);
    scene.periodic[0] = scene.periodic[1] = true;
    scene.domain_to = (rill_vec3){0.5, 0.4, 0};
    scene.boundaries = NULL;
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.5, 0.4, 0.3}, (rill_vec3){0, 0, 0});
    add_tank(&scene, (rill_vec3){0.1, -0.3, 0}, (rill_vec3){0.7, 0.9, 0.5});
    rill_world *world = world_of(&scene, 1, 0);
    const rill_set *walls = &world->sph.walls;
    assert_int_equal(walls->fields.count, 2 * 10 * 8);
    for (size_t i = 1; i < walls->fields.count; i++)
        assert_true(fabs(rill_walls_position(&world->sph)[4 * i + 3] - rill_walls_position(&world->sph)[3]) < 1e-5);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

static void open_sides_let_water_out(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    scene.boundaries[0].open = RILL_SIDE_HIGH_X;
    rill_world *world = world_of(&scene, 2, 0);
    advance(world, slow_build() ? 0.5 : 0.6);
    const rill_frame f = rill_world_frame(world);
    float furthest = 0, lowest = 0;
    for (size_t i = 0; i < f.count; i++) {
        furthest = fmaxf(furthest, f.position[4 * i]);
        lowest = fminf(lowest, f.position[4 * i + 2]);
    }
    assert_true(furthest > 1.25f); /* it ran out past the edge at 1.2 m */
    assert_true(lowest < 0);       /* and fell */
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

static void boundary_particles_of_a_box(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_world *world = world_of(&scene, 1, 0);
    /* 24 x 8 x 16 diameters inside: a shell one thicker on each side. */
    assert_int_equal(rill_world_boundary_particles(world), 26 * 10 * 18 - 24 * 8 * 16);
    rill_estimate estimate;
    assert_int_equal(rill_scene_estimate(&scene, &estimate, NULL), RILL_OK);
    assert_int_equal(estimate.boundary_particles, rill_world_boundary_particles(world));
    assert_int_equal(estimate.particles, 8 * 8 * 12);
    assert_int_equal(rill_world_frame(world).count, 8 * 8 * 12);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* While a side moves weights are kept for a tenth of a diameter; at its ends rounding must not change their number. */
static void weights_fit_every_size(void **state)
{
    (void)state;
    const double d = 0.05;
    rill_scene scene = water_scene(d);
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.1, 0.1, 0.1}, (rill_vec3){0, 0, 0});
    add_tank(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){1, 0.3, 0.3});
    rill_world *world = world_of(&scene, 1, 0);
    rill_body *body = &world->bodies[0];
    for (int k = 20; k < 220; k++)
        for (int side = -1; side <= 1; side++) {
            body->size.x = nextafter(0.1 * k * d, side * INFINITY);
            if (!side) body->size.x = 1 - (200 - k) * 0.1 * d;
            body->shape.to.x = body->shape.from.x + body->size.x;
            body->moved = true;
            assert_int_equal(rill_world_make_walls(world, 0, NULL), RILL_OK);
            assert_int_equal(world->samples[0]->count, rill_body_count_particles(body, d));
            assert_int_equal(world->sph.walls.fields.count, world->samples[0]->count);
            for (uint32_t i = 0; i < world->sph.walls.fields.count; i++)
                if (!(rill_walls_position(&world->sph)[4 * i + 3] > 0.1f))
                    fail_msg("no weight, tenth %d, particle %u", k, i);
        }
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* ---- walls that move and walls that stay ---- */

/* A tank with obstacles of which some move at first, some later and some never. */
static rill_scene crowded(bool periodic)
{
    rill_scene scene = small_dam();
    scene.periodic[1] = periodic;
    scene.domain_to = (rill_vec3){0, 0.4, 0};
    for (int i = 0; i < 12; i++) {
        rill_boundary b = rill_boundary_default();
        snprintf(b.name, sizeof b.name, "body%d", i);
        b.shape = (rill_shape){.kind = i % 3 ? RILL_SHAPE_SPHERE : RILL_SHAPE_BOX, .radius = 0.06 + 0.01 * (i / 6)};
        const rill_vec3 at = {0.5 + 0.125 * (i % 6), 0.125 + 0.1875 * (i / 6), 0.125 + 0.0625 * (i % 4)};
        b.shape.center = b.shape.from = at;
        b.shape.to = rill_vec3_add(b.shape.from, (rill_vec3){0.125, 0.0625, 0.1875});
        b.solid = true;
        b.slip = 0.08 * i;
        if (i % 4 == 1) b.motion = (rill_motion){.velocity = {0, 0.2, 0.4}, .start = 0.002 * (i % 5), .stop = 0.02};
        if (i == 6) b.motion = (rill_motion){.velocity = {0.3, 0, 0}, .sides = RILL_SIDE_HIGH_X};
        assert_int_equal(rill_scene_add_boundary(&scene, &b, NULL), RILL_OK);
    }
    return scene;
}

static void same_bytes(const void *a, const void *b, size_t bytes, const char *what)
{
    if (bytes && memcmp(a, b, bytes) != 0) fail_msg("%s differ", what);
}

/* Two sets with the same particles in the same order, cells and places. */
static void same_sets(const rill_set *a, const rill_set *b)
{
    const size_t n = a->fields.count, cells = a->cells.cell_count;
    assert_int_equal(n, b->fields.count);
    assert_int_equal(cells, b->cells.cell_count);
    assert_int_equal(a->cells.row_count, b->cells.row_count);
    same_bytes(rill_field_u64(&a->fields, FIELD_ID), rill_field_u64(&b->fields, FIELD_ID), 8 * n, "bodies");
    for (uint32_t f = FIELD_POSITION; f <= FIELD_VELOCITY; f++)
        same_bytes(rill_field_f32(&a->fields, f), rill_field_f32(&b->fields, f), 16 * n, "places or motions");
    const float *x = rill_field_f32(&a->fields, WALL_ACCELERATION), *y = rill_field_f32(&b->fields, WALL_ACCELERATION);
    for (size_t i = 0; i < 4 * n; i++) assert_true((x ? x[i] : 0) == (y ? y[i] : 0));
    same_bytes(a->cells.x, b->cells.x, 4 * cells, "cells");
    same_bytes(a->cells.start, b->cells.start, 4 * (cells + 1), "beginnings of cells");
    same_bytes(a->cells.rows, b->cells.rows, a->cells.row_count * sizeof *a->cells.rows, "rows");
    for (int axis = 0; axis < 3; axis++) same_bytes(a->axis[axis], b->axis[axis], 4 * n, "axes");
}

/* Whether some move or none, after a restart as well, the walls are those that are made all at once. */
static void walls_of_two_parts_are_as_one(void **state)
{
    (void)state;
    for (int periodic = 0; periodic < 2; periodic++) {
        rill_scene scene = crowded(periodic);
        rill_world *world = world_of(&scene, 2, 0), *twin = world_of(&scene, 1, 0);
        uint32_t parts = 0;
        for (int k = 0; k < 30; k++) {
            rill_snapshot *before = rill_snapshot_take(world, NULL);
            assert_non_null(before);
            steps(world, 1, NULL);
            parts += world->sph.wall_parts[RILL_WALLS_STAY].fields.count > 0;
            /* As if all moved, and with nothing known of what was before. */
            assert_int_equal(rill_snapshot_apply(twin, before, NULL), RILL_OK);
            rill_snapshot_free(before);
            twin->walls_stale = k % 3 == 0;
            for (uint32_t b = 0; b < twin->body_count && k % 3; b++)
                twin->moves[b] = twin->bodies[b].moved = true;
            steps(twin, 1, NULL);
            same_sets(&world->sph.walls, &twin->sph.walls);
            assert_true(rill_world_hash(world) == rill_world_hash(twin));
        }
        assert_true(parts > 20);
        rill_world_destroy(twin);
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
}

/* Bodies of one shape are sampled and weighed once. */
static void equal_bodies_share_their_samples(void **state)
{
    (void)state;
    rill_scene scene = crowded(false);
    rill_world *world = world_of(&scene, 1, 0);
    const rill_wall_samples *const *of = (const rill_wall_samples *const *)world->samples;
    uint32_t users = 0, kinds = 0;
    for (const rill_wall_samples *s = world->sample_list; s; s = s->next) users += s->users, kinds++;
    assert_int_equal(users, world->body_count);
    assert_int_equal(kinds, 4); /* the tank, boxes and spheres of two sizes */
    assert_ptr_equal(of[1 + 0], of[1 + 3]);
    assert_ptr_equal(of[1 + 1], of[1 + 5]);
    assert_ptr_not_equal(of[1 + 1], of[1 + 7]);
    /* What is changed by a side that moves is its own from then on. */
    steps(world, 3, NULL);
    assert_ptr_not_equal(of[1 + 0], of[1 + 6]);
    assert_ptr_equal(of[1 + 0], of[1 + 9]);
    assert_int_equal(of[1 + 6]->users, 1);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lattice_rests_on_walls),
        cmocka_unit_test(nothing_passes_a_closing_wall),
        cmocka_unit_test(a_ball_pushes_water),
        cmocka_unit_test(guard_lets_nothing_through),
        cmocka_unit_test(only_named_sides_move),
        cmocka_unit_test(a_ball_crosses_periodic_sides),
        cmocka_unit_test(counts_the_lost_and_the_rescued),
        cmocka_unit_test(nothing_shoots_through_a_plate),
        cmocka_unit_test(nothing_enters_a_ball_pressed_on_the_floor),
        cmocka_unit_test(walls_take_the_troubled_along),
        cmocka_unit_test(walls_know_their_body),
        cmocka_unit_test(periodic_walls_weigh_alike),
        cmocka_unit_test(open_sides_let_water_out),
        cmocka_unit_test(boundary_particles_of_a_box),
        cmocka_unit_test(weights_fit_every_size),
        cmocka_unit_test(walls_of_two_parts_are_as_one),
        cmocka_unit_test(equal_bodies_share_their_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

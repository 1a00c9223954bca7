/* Worlds: the same bits on any number of threads and after a restart, walls
 * that hold, bodies that move, trouble that is named. */
#include "tests/scenes.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "world/world.h"

/* ---- the same bits ---- */

static void same_bits_on_any_threads(void **state)
{
    (void)state;
    static const unsigned threads[] = {1, 2, 3, 8};
    for (int variant = 0; variant < 3; variant++) {
        uint64_t expected = 0;
        for (int t = 0; t < 4; t++) {
            rill_scene scene = small_dam();
            scene.particle_diameter = slow_build() ? 0.04 : 0.025;
            scene.solver.density = variant == 1 ? RILL_DENSITY_CONTINUITY : RILL_DENSITY_SUMMATION;
            scene.solver.diffusion = variant == 1 ? 0.1 : 0;
            scene.shifting = variant == 2 ? 0.5 : 0;
            rill_world *world = world_of(&scene, threads[t], 0);
            const rill_report r = steps(world, 120, NULL);
            /* Figures are summed in a fixed order too. */
            uint64_t hash = rill_world_hash(world), kinetic;
            memcpy(&kinetic, &r.kinetic, 8);
            hash = rill_hash_add(hash, kinetic);
            if (!t) expected = hash;
            if (hash != expected) fail_msg("variant %d: %u threads give other bits", variant, threads[t]);
            rill_world_destroy(world);
            rill_scene_free(&scene);
        }
    }
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

/* Copies a saved state out of the world, as a file would. */
static rill_state state_copy(const rill_world *world)
{
    rill_state state;
    assert_int_equal(rill_world_save(world, &state, NULL), RILL_OK);
    for (uint32_t i = 0; i < state.count; i++) {
        rill_array *a = &state.arrays[i];
        const size_t size = a->type == RILL_F64 || a->type == RILL_U64 ? 8 : 4;
        char *packed = malloc((size_t)a->count * a->lanes * size + 1);
        for (uint64_t r = 0; r < a->count; r++)
            memcpy(packed + r * a->lanes * size, (const char *)a->data + r * a->stride * size, a->lanes * size);
        a->data = packed;
        a->stride = a->lanes;
    }
    return state;
}

static void state_drop(rill_state *state)
{
    for (uint32_t i = 0; i < state->count; i++) free(state->arrays[i].data);
    rill_state_free(state);
}

static void same_bits_after_restart(void **state)
{
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        rill_scene scene = small_dam();
        scene.solver.density = variant == 1 ? RILL_DENSITY_CONTINUITY : RILL_DENSITY_SUMMATION;
        if (variant == 2) {
            /* A wave maker and a swinging ball. */
            scene.boundaries[0].motion =
                (rill_motion){.amplitude = {0.05, 0, 0}, .period = 0.2, .sides = RILL_SIDE_HIGH_X};
            rill_boundary ball = rill_boundary_default();
            ball.shape = (rill_shape){.kind = RILL_SHAPE_SPHERE, .center = {0.45, 0.2, 0.2}, .radius = 0.1};
            ball.solid = true;
            ball.motion = (rill_motion){.velocity = {-1, 0, 0}, .stop = 0.05};
            rill_scene_add_boundary(&scene, &ball, NULL);
        }
        if (variant == 3) {
            /* A side of the tank has just come to rest in the liquid when the state is saved. */
            scene.boundaries[0].motion = (rill_motion){.velocity = {1, 0, 0}, .stop = 0.03, .sides = RILL_SIDE_LOW_X};
        }
        rill_world *whole = world_of(&scene, 2, 0);
        steps(whole, 70, NULL);
        rill_state saved = state_copy(whole);
        const rill_clock clock = whole->clock;
        steps(whole, 70, NULL);
        rill_world *again = world_of(&scene, 3, 0);
        assert_int_equal(rill_world_load(again, &saved, NULL), RILL_OK);
        assert_int_equal(rill_world_step_count(again), 70);
        assert_memory_equal(&again->clock, &clock, sizeof clock);
        steps(again, 70, NULL);
        assert_true(rill_world_time(whole) == rill_world_time(again));
        if (rill_world_hash(whole) != rill_world_hash(again)) fail_msg("variant %d differs after a restart", variant);
        state_drop(&saved);
        rill_world_destroy(whole);
        rill_world_destroy(again);
        rill_scene_free(&scene);
    }
}

static void refuses_a_foreign_state(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_world *world = world_of(&scene, 1, 0);
    rill_error err = {0};
    rill_state saved = state_copy(world);
    for (uint32_t i = 0; i < saved.count; i++) {
        rill_array *a = &saved.arrays[i];
        if (strcmp(a->name, "id")) continue;
        snprintf(a->name, sizeof a->name, "other");
        assert_int_equal(rill_world_load(world, &saved, &err), RILL_BAD_FILE);
        snprintf(a->name, sizeof a->name, "id");
        a->count--;
        assert_int_equal(rill_world_load(world, &saved, &err), RILL_BAD_FILE);
        a->count++;
    }
    assert_int_equal(rill_world_load(world, &saved, &err), RILL_OK);
    /* What is refused leaves the world as it was. */
    steps(world, 3, NULL);
    const uint64_t before = rill_world_hash(world);
    for (uint32_t i = 0; i < saved.count; i++) {
        rill_array *a = &saved.arrays[i];
        if (a->derived) continue;
        if (a->type == RILL_F32) ((float *)a->data)[1] += NAN;
        else if (a->type == RILL_F64) ((double *)a->data)[0] += INFINITY;
        else if (!strcmp(a->name, "fluid")) ((uint32_t *)a->data)[7] += 1;
        else continue;
        assert_int_equal(rill_world_load(world, &saved, &err), RILL_BAD_FILE);
        if (!strstr(err.text, a->name)) fail_msg("'%s' does not speak of %s", err.text, a->name);
        if (a->type == RILL_F32) ((float *)a->data)[1] = 0;
        else if (a->type == RILL_F64) ((double *)a->data)[0] = 1;
        else ((uint32_t *)a->data)[7] -= 1;
    }
    assert_int_equal(rill_world_hash(world), before);
    assert_int_equal(rill_world_step_count(world), 3);
    state_drop(&saved);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

static void hash_knows_no_order(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_world *world = world_of(&scene, 1, 0);
    const uint64_t before = rill_world_hash(world);
    rill_fields *f = &world->sph.fields;
    uint32_t *order = malloc(f->count * sizeof *order);
    for (uint32_t i = 0; i < f->count; i++) order[i] = f->count - 1 - i;
    assert_int_equal(rill_fields_reorder(f, order, &world->sph.runner.scheduler, NULL), RILL_OK);
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

/* ---- the clock ---- */

static void arrives_exactly(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_world *world = world_of(&scene, 2, 0);
    for (int k = 1; k <= 5; k++) {
        const rill_controls controls = {.until = k / 300.0};
        while (rill_world_time(world) < controls.until) {
            const rill_report r = steps(world, 1, &controls);
            assert_true(r.dt > 0 && r.dt <= scene.time.step_max);
        }
        assert_true(rill_world_time(world) == k / 300.0);
    }
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

static void steps_obey_their_limits(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_world *world = world_of(&scene, 2, 0);
    const double c = world->sound_speed;
    /* Ten times the speed of a fall from the top of the column to the floor. */
    assert_true(fabs(c - 10 * sqrt(2 * 9.81 * 0.6)) < 1e-6 * c);
    rill_report before = steps(world, 1, NULL);
    for (int i = 0; i < 100; i++) {
        const rill_report r = steps(world, 1, NULL);
        assert_true(r.dt <= 0.4 * 0.05 / (c + before.speed_max) * (1 + 1e-9));
        before = r;
    }
    rill_world_destroy(world);
    /* Forces that change fast divide the step, but not without end. */
    scene.fluids[0].viscosity = 500;
    world = world_of(&scene, 2, 0);
    assert_true(steps(world, 1, NULL).dt <= RILL_PARTS_MOST * 0.05 * 0.05 * 0.05 / 500 * (1 + 1e-9));
    rill_world_destroy(world);
    scene.fluids[0].viscosity = 0.01;
    scene.time.step_first = 1e-5;
    world = world_of(&scene, 2, 0);
    assert_true(fabs(steps(world, 1, NULL).dt - 1e-5) < 1e-12);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* ---- walls and bodies ---- */

static void all_inside(const rill_world *world, const char *when)
{
    const rill_frame f = rill_world_frame(world);
    for (size_t i = 0; i < f.count; i++)
        for (uint32_t b = 0; b < world->body_count; b++) {
            const rill_vec3 x = {f.position[4 * i], f.position[4 * i + 1], f.position[4 * i + 2]};
            if (!rill_body_method_of(&world->bodies[b])->holds(&world->bodies[b], x, -1e-5))
                fail_msg("%s: particle %u at (%g, %g, %g) passed boundary %u", when, f.id[i], x.x, x.y, x.z, b);
        }
}

static void lattice_rests_on_walls(void **state)
{
    (void)state;
    /* Next to a flat wall the rest lattice has rest density, by the choice of the wall's volumes. */
    rill_scene scene = water_scene(0.05);
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.6, 0.6, 0.6}, (rill_vec3){0, 0, 0});
    add_tank(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.6, 0.6, 0.6});
    rill_world *world = world_of(&scene, 1, 0);
    rill_sph_density(&world->sph, world->ops, false);
    const rill_frame f = rill_world_frame(world);
    const float *D = rill_field_f32(&world->sph.fields, FIELD_COMPRESSION);
    int flat = 0;
    for (size_t i = 0; i < f.count; i++) {
        int sides = 0;
        for (size_t k = 0; k < 3; k++) sides += f.position[4 * i + k] < 0.05 || f.position[4 * i + k] > 0.55;
        if (sides > 1) continue;
        if (fabs(D[i] - 1) > 1e-4 && (sides == 0 || f.position[4 * i] > 0.1)) {
            /* Two layers from an edge the wall's own particles are denser. */
            int edges = 0;
            for (size_t k = 0; k < 3; k++) edges += f.position[4 * i + k] < 0.1 || f.position[4 * i + k] > 0.5;
            if (edges < 2) fail_msg("density %g at (%g, %g, %g)", D[i], f.position[4 * i], f.position[4 * i + 1], f.position[4 * i + 2]);
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
            for (int k = 0; k < 12; k++) u[k] = (double)(rill_hash_mix(key++ * 0x9e3779b97f4a7c15u) >> 11) / 9007199254740992.0 - 0.5;
            const rill_vec3 from = {2 * u[0], 2 * u[1], 2 * u[2]};
            if (!rill_body_method_of(body)->holds(body, from, 0.02)) continue;
            rill_vec3 to = {4 * u[3], 4 * u[4], 4 * u[5]}, v = {u[6], u[7], u[8]};
            const rill_vec3 wanted = to;
            rill_body moved = *body;
            moved.low = moved.high = (rill_vec3){0.02 * u[9], 0.02 * u[10], 0.02 * u[11]};
            rill_body_move(&moved, 1);
            const rill_contact contact = rill_body_method_of(&moved)->guard(&moved, from, &to, &v, 0.02);
            if (!rill_body_method_of(&moved)->holds(&moved, to, 0.02 - 1e-9))
                fail_msg("body %d lets (%g, %g, %g) -> (%g, %g, %g) end at (%g, %g, %g)", b, from.x, from.y, from.z,
                         wanted.x, wanted.y, wanted.z, to.x, to.y, to.z);
            if (!contact) assert_true(to.x == wanted.x && to.y == wanted.y && to.z == wanted.z);
            /* A straight path to the other side of an obstacle is a passage. */
            const rill_vec3 middle = {(from.x + wanted.x) / 2, (from.y + wanted.y) / 2, (from.z + wanted.z) / 2};
            if (body->solid && !rill_body_method_of(body)->holds(body, middle, -0.05)) {
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
        scene.boundaries[0].motion = (rill_motion){.velocity = {0.4, 0.4, 0.4}, .start = 0.002, .stop = 0.006, .sides = 1u << side};
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
        const rill_walls *walls = &world->sph.walls;
        for (size_t i = 0; i < walls->count; i++)
            assert_true(walls->position[4 * i] >= -0.2001f && walls->position[4 * i] <= 0.8001f);
    }
    assert_true(rill_world_boundary_shape(world, 1).center.x > 2);
    rill_field_f32(&world->sph.fields, FIELD_POSITION)[2] = -1;
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
    rill_fields *f = &world->sph.fields;
    float *x = rill_field_f32(f, FIELD_POSITION), *v = rill_field_f32(f, FIELD_VELOCITY);
    const uint32_t *id = rill_field_u32(f, FIELD_ID);
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
        const float *at = frame.position + 4 * i;
        if (frame.id[i] == ids[1]) assert_true(fabs(at[2] - (0.8 - 0.25 * 0.05)) < 1e-6 && frame.velocity[4 * i + 2] == 0);
        if (frame.id[i] == ids[2]) assert_true(fabs(at[0] - (1.2 - 0.25 * 0.05)) < 1e-6 && frame.velocity[4 * i] == 0);
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
    rill_fields *f = &world->sph.fields;
    const uint32_t id = rill_field_u32(f, FIELD_ID)[5];
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

/* Wall particles carry the grip of their body, and a wall that shrinks gets new weights. */
static void walls_know_their_body(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    scene.boundaries[0].slip = 0.25;
    rill_world *world = world_of(&scene, 1, 0);
    const rill_walls *walls = &world->sph.walls;
    for (size_t i = 0; i < walls->count; i++) assert_true(fabs(walls->velocity[4 * i + 3] - 0.75) < 1e-6);
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
    assert_int_equal(fresh->sph.walls.count, walls->count);
    for (size_t i = 0; i < walls->count; i++) assert_true(fabs(fresh->sph.walls.position[4 * i + 3] - walls->position[4 * i + 3]) < 0.02);
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
    const rill_walls *walls = &world->sph.walls;
    assert_int_equal(walls->count, 2 * 10 * 8);
    for (size_t i = 1; i < walls->count; i++) assert_true(fabs(walls->position[4 * i + 3] - walls->position[3]) < 1e-5);
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

/* Fields that are not sorted with the particles must still belong to them in the first frame. */
static void first_frame_has_its_densities(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_fluid oil = rill_fluid_default();
    oil.density = 800;
    rill_scene_add_fluid(&scene, &oil, NULL);
    add_box_fill(&scene, (rill_vec3){0.8, 0, 0}, (rill_vec3){1.2, 0.4, 0.2}, (rill_vec3){0, 0, 0});
    scene.fills[1].fluid = 1;
    rill_world *world = world_of(&scene, 1, 0);
    const rill_frame f = rill_world_frame(world);
    for (size_t i = 0; i < f.count; i++) assert_true(f.density[i] == (f.fluid[i] ? 800 : 1000));
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* A ball of liquid holds the volume of the ball; obstacles and snapped walls cut what they should. */
static void fills_follow_their_shapes(void **state)
{
    (void)state;
    rill_scene scene = water_scene(0.02);
    rill_fill drop = rill_fill_default();
    drop.shape = (rill_shape){.kind = RILL_SHAPE_SPHERE, .center = {0.313, 0.2, 0.3}, .radius = 0.2};
    rill_scene_add_fill(&scene, &drop, NULL);
    rill_world *world = world_of(&scene, 1, 0);
    const double volume = rill_world_frame(world).count * 8e-6, expected = 4.0 / 3 * 3.14159265 * 0.008;
    if (fabs(volume / expected - 1) > 0.03) fail_msg("the drop holds %g m3, not %g m3", volume, expected);
    rill_world_destroy(world);
    rill_scene_free(&scene);
    scene = small_dam();
    scene.boundaries[0].snap = true;
    scene.boundaries[0].shape.to = (rill_vec3){1.218, 0.39, 0.81};
    world = world_of(&scene, 1, 0);
    const rill_vec3 to = rill_world_boundary_shape(world, 0).to;
    assert_true(fabs(to.x - 1.2) < 1e-9 && fabs(to.y - 0.4) < 1e-9 && fabs(to.z - 0.8) < 1e-9);
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

/* ---- bad scenes and trouble ---- */

static void refused(const rill_scene *scene, const char *word)
{
    rill_error err = {0};
    rill_world *world = rill_world_create(scene, NULL, &err);
    if (world) fail_msg("a scene without a sane %s was accepted", word);
    assert_int_equal(err.status, RILL_BAD_INPUT);
    if (!strstr(err.text, word)) fail_msg("'%s' does not speak of '%s'", err.text, word);
}

static void refuses_nonsense(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_scene s = scene;
    s.particle_diameter = -0.1, refused(&s, "diameter");
    s.particle_diameter = NAN, refused(&s, "diameter"), s = scene;
    s.support = 0.3, refused(&s, "support"), s = scene;
    s.time.step_min = 1, refused(&s, "step"), s = scene;
    s.solver.diffusion = 0.1, refused(&s, "continuity"), s = scene;
    strcpy(s.solver.kind, "magic"), refused(&s, "magic"), s = scene;
    s.fluid_count = 0, refused(&s, "fluid"), s = scene;
    s.fill_count = 0, refused(&s, "no particles"), s = scene;
    s.periodic[0] = true, refused(&s, "periodic"), s = scene;
    scene.fluids[0].density = 0, refused(&scene, "density"), scene.fluids[0].density = 1000;
    scene.fills[0].fluid = 3, refused(&scene, "fluid"), scene.fills[0].fluid = 0;
    scene.fills[0].shape.to.x = -1, refused(&scene, "extent"), scene.fills[0].shape.to.x = 0.4;
    scene.boundaries[0].slip = 2, refused(&scene, "slip"), scene.boundaries[0].slip = 1;
    add_box_fill(&scene, (rill_vec3){0.3, 0, 0.1}, (rill_vec3){0.6, 0.3, 0.3}, (rill_vec3){0, 0, 0});
    refused(&scene, "Fill 1 overlaps fill 2");
    scene.fills[1].shape.to.y = -1, refused(&scene, "fill 2");
    scene.fill_count = 1;
    /* What would take forever to count is refused at once. */
    scene.fills[0].shape.to.x = 1e12, refused(&scene, "particles");
    scene.fills[0].shape.to.x = 1e300, refused(&scene, "particles");
    scene.fills[0].shape.to.x = 0.4;
    scene.boundaries[0].shape.to.x = 1e12, refused(&scene, "walls");
    scene.boundaries[0].shape.to.x = 1e300, refused(&scene, "walls");
    scene.boundaries[0].shape.to.x = 1.2;
    scene.boundaries[0].motion.start = 2;
    scene.boundaries[0].motion.stop = 1, refused(&scene, "before it starts");
    scene.boundaries[0].motion.stop = 0;
    scene.periodic[0] = true, scene.domain_to.x = 0.36, refused(&scene, "overlaps itself");
    scene.periodic[0] = false, scene.boundary_count = 0;
    scene.fills[0].shape = (rill_shape){.from = {1e9, 0, 0}, .to = {1e9 + 1, 0.4, 0.4}}, refused(&scene, "overlaps itself");
    scene.boundary_count = 1;
    rill_scene_free(&scene);
}

static void names_a_nan(void **state)
{
    (void)state;
    for (int then = 0; then < 3; then++) {
        rill_scene scene = small_dam();
        /* A density that is carried along remembers. */
        if (then == 2) scene.solver.density = RILL_DENSITY_CONTINUITY;
        scene.on_trouble = then ? RILL_TROUBLE_CONTINUE : RILL_TROUBLE_STOP;
        rill_world *world = world_of(&scene, 2, 0);
        steps(world, 20, NULL);
        rill_fields *f = &world->sph.fields;
        const uint32_t id = rill_field_u32(f, FIELD_ID)[123];
        rill_field_f32(f, FIELD_VELOCITY)[4 * 123 + 1] = NAN;
        rill_report r;
        rill_error err = {0};
        const rill_status status = rill_step(world, NULL, &r, &err);
        assert_int_equal(status, then ? RILL_OK : RILL_TROUBLE);
        assert_int_equal(r.trouble, RILL_TROUBLE_NAN);
        assert_int_equal(r.step, 21);
        /* The NaN infects its neighbours within the step; it is among those counted. */
        assert_true(r.trouble_count >= 1 && r.trouble_id <= id);
        if (!then) assert_non_null(strstr(err.text, "NaN in step 21"));
        const rill_report after = steps(world, then ? 50 : 0, NULL);
        if (then) assert_true(after.trouble == RILL_TROUBLE_NONE && isfinite(after.kinetic));
        all_inside(world, "after a NaN");
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
}

static void names_a_runaway(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    scene.gravity = (rill_vec3){0, 0, 0};
    scene.solver.sound_speed = 20;
    scene.fluids[0].viscosity_kind = RILL_VISCOSITY_NONE;
    scene.speed_limit = 50;
    rill_world *world = world_of(&scene, 2, 0);
    rill_fields *f = &world->sph.fields;
    const uint32_t last = f->count - 1, id = rill_field_u32(f, FIELD_ID)[last];
    rill_field_f32(f, FIELD_VELOCITY)[4 * (size_t)last + 2] = 70;
    rill_report r;
    rill_error err = {0};
    assert_int_equal(rill_step(world, NULL, &r, &err), RILL_TROUBLE);
    assert_int_equal(r.trouble, RILL_TROUBLE_RUNAWAY);
    assert_int_equal(r.trouble_id, id);
    assert_int_equal(r.trouble_count, 1);
    assert_true(fabs(r.trouble_at.z - 0.575) < 1e-3);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

static void refuses_bad_controls(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_world *world = world_of(&scene, 1, 0);
    rill_report report;
    rill_error err = {0};
    const rill_vec3 weird = {0, NAN, 0};
    rill_body_control body = {.boundary = 7};
    rill_controls controls = {.bodies = &body, .body_count = 1};
    const uint64_t before = rill_world_hash(world);
    assert_int_equal(rill_step(world, &controls, &report, &err), RILL_BAD_INPUT);
    assert_non_null(strstr(err.text, "boundary 7"));
    body = (rill_body_control){.boundary = 0, .low = weird};
    assert_int_equal(rill_step(world, &controls, &report, &err), RILL_BAD_INPUT);
    controls = (rill_controls){.gravity = &weird};
    assert_int_equal(rill_step(world, &controls, &report, &err), RILL_BAD_INPUT);
    controls = (rill_controls){.until = NAN};
    assert_int_equal(rill_step(world, &controls, &report, &err), RILL_BAD_INPUT);
    assert_int_equal(rill_advance(world, -1, NULL, &report, &err), RILL_BAD_INPUT);
    assert_int_equal(rill_advance(world, NAN, NULL, &report, &err), RILL_BAD_INPUT);
    assert_int_equal(rill_advance(world, 0, NULL, &report, &err), RILL_OK);
    assert_int_equal(report.step, 0);
    /* Nothing of this touched the particles. */
    assert_int_equal(rill_world_hash(world), before);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* Explicit viscosity far beyond what one explicit step could carry. */
static void thick_fluids_do_not_explode(void **state)
{
    (void)state;
    static const char *const solvers[] = {"wcsph", "dfsph"};
    for (int kind = RILL_VISCOSITY_LAPLACIAN; kind <= RILL_VISCOSITY_MUELLER; kind++)
        for (int s = 0; s < 2; s++)
            for (int slip = 0; slip < 2; slip++) {
                rill_scene scene = small_dam();
                strcpy(scene.solver.kind, solvers[s]);
                scene.fluids[0].viscosity_kind = (rill_viscosity_kind)kind;
                scene.fluids[0].viscosity = 3;
                scene.boundaries[0].slip = slip;
                rill_world *world = world_of(&scene, 2, 0);
                for (int k = 0; k < 120; k++) {
                    const rill_report r = steps(world, 1, NULL);
                    /* It may not fall faster than it would freely. */
                    if (r.speed_max > 9.81 * r.time + 0.3) fail_msg("%s: %g m/s after %g s", solvers[s], r.speed_max, r.time);
                }
                rill_world_destroy(world);
                rill_scene_free(&scene);
            }
}

/* ---- probes ---- */

static void probes_read_the_liquid(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_probe p = rill_probe_default();
    strcpy(p.name, "front"), rill_scene_add_probe(&scene, &p, NULL);
    strcpy(p.name, "top"), p.kind = RILL_PROBE_HEIGHT, p.at = (rill_vec3){0.2, 0.2, 0}, rill_scene_add_probe(&scene, &p, NULL);
    strcpy(p.name, "v"), p.kind = RILL_PROBE_POINT, p.of = RILL_VELOCITY, p.at.z = 0.55, rill_scene_add_probe(&scene, &p, NULL);
    strcpy(p.name, "rho"), p.of = RILL_DENSITY, p.at.z = 0.3, rill_scene_add_probe(&scene, &p, NULL);
    strcpy(p.name, "dry"), p.of = RILL_PRESSURE, p.at.z = 0.78, rill_scene_add_probe(&scene, &p, NULL);
    strcpy(p.name, "volume"), p.kind = RILL_PROBE_VOLUME, rill_scene_add_probe(&scene, &p, NULL);
    rill_world *world = world_of(&scene, 2, 0);
    const rill_report r = steps(world, 5, NULL);
    assert_int_equal(r.probe_value_count, 8);
    assert_string_equal(rill_world_probe_name(world, 4), "v_z");
    assert_null(rill_world_probe_name(world, 8));
    assert_true(fabs(r.probe_values[0] - 0.4) < 1e-3);
    assert_true(fabs(r.probe_values[1] - 0.6) < 1e-3);
    /* Near the top the liquid still falls freely. */
    assert_true(fabs(r.probe_values[4] + 9.81 * r.time) < 0.1 * 9.81 * r.time);
    assert_true(fabs(r.probe_values[5] - 1000) < 5);
    assert_true(r.probe_values[6] == 0);
    assert_true(fabs(r.probe_values[7] - 0.4 * 0.4 * 0.6) < 0.002);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits_on_any_threads),      cmocka_unit_test(same_bits_under_any_scheduler),
        cmocka_unit_test(same_bits_after_restart),       cmocka_unit_test(refuses_a_foreign_state),
        cmocka_unit_test(hash_knows_no_order),           cmocka_unit_test(arrives_exactly),
        cmocka_unit_test(steps_obey_their_limits),       cmocka_unit_test(lattice_rests_on_walls),
        cmocka_unit_test(nothing_passes_a_closing_wall), cmocka_unit_test(a_ball_pushes_water),
        cmocka_unit_test(guard_lets_nothing_through),    cmocka_unit_test(open_sides_let_water_out),
        cmocka_unit_test(boundary_particles_of_a_box),   cmocka_unit_test(refuses_nonsense),
        cmocka_unit_test(a_ball_crosses_periodic_sides), cmocka_unit_test(counts_the_lost_and_the_rescued),
        cmocka_unit_test(nothing_shoots_through_a_plate), cmocka_unit_test(walls_know_their_body),
        cmocka_unit_test(periodic_walls_weigh_alike),    cmocka_unit_test(first_frame_has_its_densities),
        cmocka_unit_test(fills_follow_their_shapes),     cmocka_unit_test(only_named_sides_move),
        cmocka_unit_test(refuses_bad_controls),
        cmocka_unit_test(thick_fluids_do_not_explode),   cmocka_unit_test(names_a_nan),                   cmocka_unit_test(names_a_runaway),
        cmocka_unit_test(probes_read_the_liquid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

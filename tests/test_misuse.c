/* The API under misuse: what is refused leaves the world as it was, and worlds in
 * threads of their own have the bits that they have alone. */
#include "tests/scenes.h"

#include <math.h>
#include <float.h>
#include <pthread.h>

#include "rill/scene_text.h"
#include "rill/shot.h"
#include "rill/render.h"
#include "rill/surface.h"

/* ---- what is refused ---- */

static void refused_steps_change_nothing(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_world *world = world_of(&scene, 2, 0);
    steps(world, 3, NULL);
    const double time = rill_world_time(world);
    const uint64_t hash = rill_world_hash(world);
    const rill_vec3 nowhere = {0, NAN, 0};
    const rill_body_control bodies[] = {{.boundary = 1}, {.low = {NAN, 0, 0}}, {.high = {0, 0, -INFINITY}}};
    const rill_controls bad[] = {{.until = NAN},
                                 {.until = INFINITY},
                                 {.until = time / 2},
                                 {.gravity = &nowhere},
                                 {.bodies = &bodies[0], .body_count = 1},
                                 {.bodies = &bodies[1], .body_count = 1},
                                 {.bodies = &bodies[2], .body_count = 1}};
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        rill_error err = {0};
        assert_int_equal(rill_step(world, &bad[b], NULL, &err), RILL_BAD_INPUT);
        assert_true(strlen(err.text) > 10);
        assert_true(rill_world_time(world) == time && rill_world_step_count(world) == 3);
        assert_true(rill_world_hash(world) == hash);
    }
    const double times[] = {-1, NAN, INFINITY, -INFINITY};
    for (size_t t = 0; t < 4; t++) assert_int_equal(rill_advance(world, times[t], NULL, NULL, NULL), RILL_BAD_INPUT);
    assert_int_equal(rill_advance(world, 0, NULL, NULL, NULL), RILL_OK);
    assert_true(rill_world_hash(world) == hash);
    rill_world_destroy(world);
    rill_world_destroy(NULL);
    rill_scene_free(&scene);
    rill_scene_free(&scene);
}

/* Embree ends the process on rays that begin 1e19 m away. */
static void cameras_are_not_too_far(void **state)
{
    (void)state;
    rill_stage *stage = rill_stage_create(NULL);
    assert_non_null(stage);
    assert_int_equal(rill_stage_commit(stage, NULL), RILL_OK);
    const double far[] = {1e19, -1e39, 1e300, INFINITY, NAN};
    for (size_t f = 0; f < 5; f++)
        for (int which = 0; which < 5; which++) {
            rill_camera camera = rill_camera_default();
            double *const fields[] = {&camera.eye.x, &camera.target.y, &camera.up.z, &camera.aperture, &camera.focus};
            *fields[which] = far[f];
            rill_trace_options options = rill_trace_default();
            options.width = options.height = 4;
            options.samples = 1;
            rill_trace_result result = {0};
            rill_error err = {0};
            assert_int_equal(rill_trace(stage, &camera, &options, &result, &err), RILL_BAD_INPUT);
            assert_true(strlen(err.text) > 10);
        }
    rill_stage_free(stage);
}

/* ---- worlds in threads ---- */

enum { WORLDS = 3 };

typedef struct life {
    const char *solver;
    uint64_t hash;
    bool broken;
    pthread_t thread;
} life;

/* Steps, and goes on in a second world from what was saved. */
static void *live(void *argument)
{
    life *l = argument;
    rill_scene scene = rill_scene_default();
    const rill_fluid water = rill_fluid_default();
    rill_fill column = rill_fill_default();
    rill_boundary tank = rill_boundary_default();
    strcpy(scene.solver.kind, l->solver);
    scene.particle_diameter = 0.1;
    column.shape.to = (rill_vec3){0.5, 0.5, 0.6};
    tank.shape.to = (rill_vec3){1, 0.5, 0.8};
    rill_scene_add_fluid(&scene, &water, NULL);
    rill_scene_add_fill(&scene, &column, NULL);
    rill_scene_add_boundary(&scene, &tank, NULL);
    rill_world *world = rill_world_create(&scene, &(rill_options){.threads = 2}, NULL);
    rill_world *again = rill_world_create(&scene, &(rill_options){.threads = 1}, NULL);
    l->broken = !world || !again;
    for (int k = 0; k < 10 && !l->broken; k++) l->broken = rill_step(world, NULL, NULL, NULL) != RILL_OK;
    rill_snapshot *snapshot = rill_snapshot_take(world, NULL);
    l->broken = l->broken || !snapshot || rill_world_load(again, rill_snapshot_state(snapshot), NULL);
    rill_snapshot_free(snapshot);
    for (int k = 0; k < 10 && !l->broken; k++)
        l->broken = rill_step(world, NULL, NULL, NULL) || rill_step(again, NULL, NULL, NULL);
    l->broken = l->broken || rill_world_hash(world) != rill_world_hash(again);
    l->hash = l->broken ? 0 : rill_world_hash(world);
    rill_world_destroy(world);
    rill_world_destroy(again);
    rill_scene_free(&scene);
    return NULL;
}

static void worlds_live_in_threads_of_their_own(void **state)
{
    (void)state;
    static const char *const solvers[] = {"dfsph", "iisph", "pcisph", "pbf", "wcsph"};
    for (size_t first = 0; first < 5; first += 2) {
        life alone[WORLDS] = {0}, together[WORLDS] = {0};
        for (size_t w = 0; w < WORLDS; w++) {
            alone[w].solver = together[w].solver = solvers[(first + w) % 5];
            live(&alone[w]);
            assert_false(alone[w].broken);
        }
        for (size_t w = 0; w < WORLDS; w++)
            assert_int_equal(pthread_create(&together[w].thread, NULL, live, &together[w]), 0);
        for (size_t w = 0; w < WORLDS; w++) pthread_join(together[w].thread, NULL);
        for (size_t w = 0; w < WORLDS; w++) {
            assert_false(together[w].broken);
            assert_true(together[w].hash == alone[w].hash);
        }
    }
}

static void *hash_of(void *world)
{
    uint64_t *hash = malloc(sizeof *hash);
    if (hash) *hash = rill_world_hash(world) + rill_world_frame(world).count;
    return hash;
}

static void frames_may_be_read_by_many(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_world *world = world_of(&scene, 2, 0);
    steps(world, 3, NULL);
    const uint64_t wanted = rill_world_hash(world) + rill_world_frame(world).count;
    pthread_t threads[4];
    for (int t = 0; t < 4; t++) assert_int_equal(pthread_create(&threads[t], NULL, hash_of, world), 0);
    for (int t = 0; t < 4; t++) {
        void *hash;
        pthread_join(threads[t], &hash);
        assert_non_null(hash);
        assert_true(*(uint64_t *)hash == wanted);
        free(hash);
    }
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

static void threads_have_a_limit(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_error err = {0};
    assert_null(rill_world_create(&scene, &(rill_options){.threads = 100000}, &err));
    assert_int_equal(err.status, RILL_BAD_INPUT);
    assert_non_null(strstr(err.text, "100000 threads"));
    rill_scene_free(&scene);
}

/* A time so far off that the steps up to it cannot be counted is no reason for a step of none. */
static void far_times_are_stepped_towards(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_world *world = world_of(&scene, 1, 0);
    const rill_controls far = {.until = DBL_MAX};
    assert_int_equal(rill_step(world, &far, NULL, NULL), RILL_OK);
    assert_true(rill_world_time(world) > 0);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

static void volumes_must_fit_their_particles(void **state)
{
    (void)state;
    float position[3] = {0.1f, 0.2f, 0.3f};
    const rill_surface_options options = rill_surface_default();
    rill_error err = {0};
    rill_mesh mesh;
    for (double volume = 1e-300; volume < 1e301; volume *= 1e300) {
        const rill_particles particles = {.count = 1, .position = position, .diameter = 0.1, .volume = volume};
        const rill_status status = rill_surface_make(&particles, &options, &mesh, NULL, &err);
        assert_int_equal(status, volume == 1 ? RILL_OK : RILL_BAD_INPUT);
        if (!status) rill_mesh_free(&mesh);
    }
    static const double diameters[] = {1e300, 1e-300, -1, NAN, INFINITY};
    for (size_t i = 0; i < sizeof diameters / sizeof *diameters; i++) {
        const rill_particles particles = {.count = 1, .position = position, .diameter = diameters[i]};
        assert_int_equal(rill_surface_make(&particles, &options, &mesh, NULL, &err), RILL_BAD_INPUT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_have_a_limit),
        cmocka_unit_test(far_times_are_stepped_towards),
        cmocka_unit_test(volumes_must_fit_their_particles),
        cmocka_unit_test(refused_steps_change_nothing),
        cmocka_unit_test(cameras_are_not_too_far),
        cmocka_unit_test(worlds_live_in_threads_of_their_own),
        cmocka_unit_test(frames_may_be_read_by_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Running out of memory: every allocation of arrays fails once, in making a world
 * and in stepping it. Nothing crashes, nothing leaks, the error says so, and the
 * world goes on once there is memory again. label: small */
#include "tests/scenes.h"

#include <stdatomic.h>

#include "base/memory.h"
#include "world/world.h"

/* Stands in for the C library's: the allocation after this many more fails. */
static atomic_long until_failure = -1;

void *aligned_alloc(size_t alignment, size_t size)
{
    if (atomic_load(&until_failure) >= 0 && atomic_fetch_sub(&until_failure, 1) == 0) return NULL;
    void *block = NULL;
    return posix_memalign(&block, alignment, size) ? NULL : block;
}

static rill_scene busy_scene(void)
{
    rill_scene scene = small_dam();
    scene.solver.density = RILL_DENSITY_CONTINUITY;
    scene.shifting = 0.5;
    rill_boundary ball = rill_boundary_default();
    ball.shape = (rill_shape){.kind = RILL_SHAPE_SPHERE, .center = {0.6, 0.2, 0.2}, .radius = 0.1};
    ball.solid = true;
    rill_scene_add_boundary(&scene, &ball, NULL);
    return scene;
}

static void creation_fails_cleanly(void **state)
{
    (void)state;
    rill_scene scene = busy_scene();
    const rill_options options = {.threads = 2};
    int failures = 0;
    for (rill_world *world = NULL; !world; failures++) {
        rill_error err = {0};
        until_failure = failures;
        world = rill_world_create(&scene, &options, &err);
        if (until_failure >= 0) assert_non_null(world); /* nothing was left to fail */
        until_failure = -1;
        if (!world) assert_int_equal(err.status, RILL_NO_MEMORY);
        rill_world_destroy(world);
    }
    assert_true(failures > 20);
    rill_scene_free(&scene);
}

static void stepping_fails_cleanly(void **state)
{
    (void)state;
    rill_scene scene = busy_scene();
    rill_world *world = world_of(&scene, 2, 0);
    /* The tank grows all the time, so its walls need more and more particles. */
    const rill_body_control grow = {.boundary = 0, .high = {40, 30, 20}};
    const rill_controls controls = {.bodies = &grow, .body_count = 1};
    int failures = 0;
    for (long n = 0; n < 60; n++) {
        rill_report r;
        rill_error err = {0};
        until_failure = n % 20;
        const rill_status status = rill_step(world, &controls, &r, &err);
        const bool failed = until_failure < 0;
        until_failure = -1;
        if (!failed) assert_int_equal(status, RILL_OK);
        if (status) assert_true(err.status == RILL_NO_MEMORY && failed);
        failures += status != RILL_OK;
        assert_int_equal(rill_step(world, &controls, &r, &err), RILL_OK);
        /* The walls are there again, all of them. */
        uint64_t walls = 0;
        for (uint32_t b = 0; b < world->body_count; b++) walls += world->weights[b].count;
        assert_int_equal(r.boundary_particles, walls);
        assert_int_equal(r.lost, 0);
    }
    assert_true(failures > 10);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

static void blocks_are_aligned_and_zero(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 63, 64, 65536, 70001, (size_t)9 << 20};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        unsigned char *block = rill_memory_alloc(sizes[k]);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % RILL_ALIGNMENT, 0);
        for (size_t i = 0; i < sizes[k]; i++) assert_true(block[i] == 0);
        for (size_t i = 0; i < sizes[k]; i++) block[i] = 255;
        rill_memory_free(block);
    }
    assert_null(rill_memory_alloc(SIZE_MAX));
    assert_null(rill_memory_alloc(SIZE_MAX - 100));
    rill_buffer buffer = {0};
    assert_true(rill_buffer_reserve(&buffer, 1000));
    void *data = buffer.data;
    until_failure = 0;
    assert_false(rill_buffer_reserve(&buffer, 2000));
    until_failure = -1;
    assert_true(buffer.data == data && buffer.bytes == 1000);
    assert_true(rill_buffer_reserve(&buffer, 2000) && buffer.bytes >= 2000);
    rill_buffer_free(&buffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(creation_fails_cleanly),
        cmocka_unit_test(stepping_fails_cleanly),
        cmocka_unit_test(blocks_are_aligned_and_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Running out of memory: every allocation fails once, in making a world, in stepping it, and in all the other parts.
 * Nothing crashes, every byte comes back, the error says so, and the world goes on once there is memory again.
 * label: small */
#include "tests/scenes.h"

#include <stdatomic.h>

#include "base/memory.h"
#include "rill/scene_text.h"
#include "rill/shot.h"
#include "rill/surface.h"
#include "test_frame.h"
#include "world/world.h"

/* ---- an allocator that counts and fails ---- */

static atomic_long until_failure = -1; /* the allocation after this many more fails */
static atomic_size_t live_bytes, asked;

typedef union header {
    struct {
        uint64_t mark;
        size_t bytes;
    } block;
    max_align_t aligned;
} header;

/* Tells the hook's blocks from all others. */
static const uint64_t MARK = 0x72696c6c626c6f63;

static bool fails(void)
{
    atomic_fetch_add(&asked, 1);
    return atomic_load(&until_failure) >= 0 && atomic_fetch_sub(&until_failure, 1) == 0;
}

static void count_free(void *user, void *block)
{
    header *h = (header *)block - 1;
    assert_ptr_equal(user, &live_bytes);
    assert_true(h->block.mark == MARK);
    atomic_fetch_sub(&live_bytes, h->block.bytes);
    h->block.mark = 0;
    free(h);
}

static void *count_alloc(void *user, size_t bytes)
{
    assert_true(user == &live_bytes && bytes > 0);
    if (bytes > SIZE_MAX / 2 || fails()) return NULL;
    header *h = malloc(sizeof *h + bytes);
    if (!h) return NULL;
    h->block.mark = MARK;
    h->block.bytes = bytes;
    atomic_fetch_add(&live_bytes, bytes);
    memset(h + 1, 0xa5, bytes < 4096 ? bytes : 4096); /* new memory holds anything */
    return h + 1;
}

static void *count_realloc(void *user, void *block, size_t bytes)
{
    const size_t before = ((header *)block - 1)->block.bytes;
    void *grown = count_alloc(user, bytes);
    if (!grown) return NULL;
    memcpy(grown, block, before < bytes ? before : bytes);
    count_free(user, block);
    return grown;
}

static const rill_allocator counting = {count_alloc, count_realloc, count_free, &live_bytes};

/* Every byte is back where it came from. */
static void all_is_back(void)
{
    assert_int_equal(atomic_load(&live_bytes), 0);
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
    add_mixer(&scene);
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
    assert_true(failures > 60);
    rill_scene_free(&scene);
    all_is_back();
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
        for (uint32_t b = 0; b < world->body_count; b++) walls += world->samples[b]->count;
        assert_int_equal(r.boundary_particles, walls);
        assert_int_equal(r.lost, 0);
    }
    assert_true(failures > 10);
    rill_world_destroy(world);
    rill_scene_free(&scene);
    all_is_back();
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

/* ---- all parts ---- */

static const char text[] = "particle_diameter: 0.1\n"
                           "fill: [{box: {from: [0, 0, 0], to: [0.4, 0.4, 0.4]}}]\n"
                           "boundaries:\n"
                           "  tank: {box: {from: [0, 0, 0], to: [0.8, 0.4, 0.8]}}\n"
                           "  gate:\n"
                           "    box: {from: [0.6, 0.1, 0.1], to: [0.7, 0.3, 0.5]}\n"
                           "    solid: true\n"
                           "    motion: {sines: [{swing: {axis: [0, 1, 0], angle: 0.1}, period: 1}], "
                           "keyframes_file: gate.csv}\n"
                           "probes: {level: {kind: height, at: [0.2, 0.2, 0]}}\n";

static rill_status run_and_frame(const char *folder, rill_world *world, rill_frame_file *frame, rill_error *err)
{
    rill_report report;
    rill_run *run = rill_run_create(folder, world, err);
    if (!run) return err->status;
    rill_status status = rill_step(world, NULL, &report, err);
    if (!status) status = rill_run_write_report(run, world, &report, err);
    if (!status) status = rill_run_write_frame(run, world, err);
    const rill_status closed = rill_run_close(run, status ? NULL : err);
    uint32_t *numbers = NULL, count = 0;
    if (!status) status = closed;
    if (!status) status = rill_run_list_frames(folder, &numbers, &count, err);
    rill_free(numbers);
    char path[600];
    if (!status) status = rill_run_frame_path(folder, 0, path, sizeof path, err);
    return status ? status : rill_frame_file_read(path, frame, err);
}

static rill_status surface_and_picture(const rill_frame_file *frame, const rill_scene *scene, const char *folder,
                                       rill_error *err)
{
    char path[600];
    rill_particles particles = {0};
    rill_mesh mesh = {0};
    const rill_surface_options options = rill_surface_default();
    rill_shot shot = rill_shot_default();
    shot.width = 64, shot.height = 64;
    rill_status status = rill_particles_of_frame(frame, scene, &particles, err);
    if (!status) status = rill_surface_make(&particles, &options, &mesh, NULL, err);
    snprintf(path, sizeof path, "%s/mesh.ply", folder);
    if (!status) status = rill_mesh_write(&mesh, RILL_MESH_PLY, path, err);
    snprintf(path, sizeof path, "%s/shot.png", folder);
    if (!status) status = rill_shot_write(frame, scene, &shot, path, err);
    rill_mesh_free(&mesh);
    rill_particles_free(&particles);
    return status;
}

/* The text, as if it lay beside the folder, and so does the table that it names. */
static rill_status read_text(const char *folder, rill_scene *scene, rill_error *err)
{
    char label[600], table[600];
    snprintf(label, sizeof label, "%s.yaml", folder);
    snprintf(table, sizeof table, "%.*s/gate.csv", (int)(strrchr(folder, '/') - folder), folder);
    FILE *file = fopen(table, "w");
    assert_non_null(file);
    fputs("time, move.z, turn.x\n0, 0, 0\n0.5, 0.1, 20 deg\n1, 0, 0\n", file);
    fclose(file);
    const rill_status status = rill_scene_parse(text, strlen(text), label, NULL, 0, scene, err);
    unlink(table);
    return status;
}

static void reading_fails_cleanly(void **state)
{
    rill_scene scene;
    int failures = 0;
    for (rill_status status = RILL_NO_MEMORY; status; failures++) {
        rill_error err = {0};
        until_failure = failures;
        status = read_text(*state, &scene, &err);
        if (until_failure >= 0) assert_int_equal(status, RILL_OK);
        until_failure = -1;
        if (status) assert_int_equal(err.status, RILL_NO_MEMORY);
    }
    assert_true(failures > 100 && scene.boundaries[1].motion.keyframe_count == 3);
    rill_scene_free(&scene);
    all_is_back();
}

/* From a text to a picture. */
static rill_status all_parts(const char *folder, rill_error *err)
{
    rill_scene scene = {0};
    rill_frame_file frame = {0};
    rill_world *world = NULL;
    rill_snapshot *snapshot = NULL;
    rill_status status = read_text(folder, &scene, err);
    if (!status && !(world = rill_world_create(&scene, &(rill_options){.threads = 2}, err))) status = err->status;
    if (!status && !(snapshot = rill_snapshot_take(world, err))) status = err->status;
    char *written = status ? NULL : rill_scene_text(&scene, err);
    if (!status && !written) status = err->status;
    rill_free(written);
    if (!status) status = run_and_frame(folder, world, &frame, err);
    if (!status) status = surface_and_picture(&frame, &scene, folder, err);
    rill_frame_file_free(&frame);
    rill_snapshot_free(snapshot);
    rill_world_destroy(world);
    rill_scene_free(&scene);
    return status;
}

static void every_part_takes_the_allocator(void **state)
{
    rill_error err = {0};
    char folder[64];
    snprintf(folder, sizeof folder, "%s/run", (const char *)*state);
    const size_t before = atomic_load(&asked);
    if (all_parts(folder, &err)) fail_msg("%s", err.text);
    const size_t all = atomic_load(&asked) - before;
    assert_true(all > 300);
    all_is_back();
    size_t failures = 0;
    for (size_t n = 0; n < all; n += 1 + n / (slow_build() ? 5 : 40)) {
        folder_clear(folder);
        err = (rill_error){0};
        until_failure = (long)n;
        const rill_status status = all_parts(folder, &err);
        until_failure = -1;
        if (status && (err.status != RILL_NO_MEMORY || !*err.text)) fail_msg("allocation %zu: %s", n, err.text);
        failures += status != RILL_OK;
        all_is_back();
    }
    assert_true(failures > (slow_build() ? 15 : 50));
}

int main(void)
{
    rill_allocator_set(&counting);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(creation_fails_cleanly),
        cmocka_unit_test(stepping_fails_cleanly),
        cmocka_unit_test(blocks_are_aligned_and_zero),
        cmocka_unit_test_setup_teardown(reading_fails_cleanly, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(every_part_takes_the_allocator, folder_make, folder_drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Frames: edits of their structures and inside their shrunk chunks, with the
 * seal put again, so that the reader looks at what was edited. What is taken is
 * drawn, meshed and loaded into a world. */
#define _GNU_SOURCE /* memmem */
#include "frame/image.h"
#include "particles.h"
#include "rill/scene_text.h"
#include "rill/shot.h"
#include "rill/rill.h"
#include "zipped.h"

/* ---- edits ---- */

static bool is_sealed(const uint8_t *data, size_t size)
{
    return size >= sizeof(rill_image_seal) && !memcmp(data + size - sizeof(rill_image_seal), "rillsum1", 8);
}

static void seal_put(uint8_t *data, size_t size)
{
    const rill_image_seal seal = rill_image_seal_make(data, size - sizeof seal);
    memcpy(data + size - sizeof seal, &seal, sizeof seal);
}

/* The next of the structures that frames are made of, from some place on; that place where there is none. */
static size_t structure_find(const uint8_t *data, size_t size, fuzz_random *random)
{
    static const char marks[][5] = {"\x89HDF", "TREE", "SNOD", "HEAP"};
    static const char *const names[] = {"format", "time", "count", "unit", "derived", "position", "particles"};
    const size_t from = fuzz_below(random, (uint32_t)size);
    const bool named = fuzz_chance(random, 2);
    const char *wanted = named ? FUZZ_PICK(random, names) : FUZZ_PICK(random, marks);
    const uint8_t *found = memmem(data + from, size - from, wanted, strlen(wanted));
    if (!found) found = memmem(data, size, wanted, strlen(wanted));
    if (!found) return from;
    const size_t at = (size_t)(found - data);
    return named && at >= 32 ? at - fuzz_below(random, 32) : at;
}

/* A number, or a few bytes, within or around a structure. */
static void bytes_mutate(uint8_t *data, size_t size, fuzz_random *random)
{
    static const uint64_t numbers[] = {0,          1,
                                       2,          3,
                                       4,          5,
                                       8,          16,
                                       17,         64,
                                       255,        256,
                                       4096,       65535,
                                       65536,      1 << 20,
                                       INT32_MAX,  UINT32_MAX,
                                       1ull << 32, 1ull << 40,
                                       INT64_MAX,  UINT64_MAX - 1,
                                       UINT64_MAX};
    size_t at = structure_find(data, size, random) + fuzz_below(random, 96);
    if (at >= size) at = fuzz_below(random, (uint32_t)size);
    const size_t left = size - at, width = (size_t)1 << fuzz_below(random, 4);
    const uint64_t number =
        fuzz_chance(random, 4) ? fuzz_below(random, (uint32_t)size) & ~7u : FUZZ_PICK(random, numbers);
    if (!fuzz_chance(random, 4)) memcpy(data + at, &number, width < left ? width : left);
    else LLVMFuzzerMutate(data + at, left < 16 ? left : 16, left < 16 ? left : 16);
}

/* Numbers inside a chunk, as long as they shrink to no more than before. */
static void chunk_mutate(uint8_t *data, size_t size, fuzz_random *random)
{
    size_t begin, old, now;
    uint8_t *edited = malloc(size + 4096);
    memcpy(edited, data, size);
    const size_t got = fuzz_zipped_mutate(edited, size, size + 4096, random, true, &begin, &old, &now);
    if (got && now <= old) {
        memcpy(data + begin, edited + begin, now);
        memset(data + begin + now, 0, old - now);
    }
    free(edited);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    fuzz_random random = fuzz_random_from(seed);
    const bool sealed = is_sealed(data, size);
    if (!size || (!sealed && fuzz_chance(&random, 8))) return LLVMFuzzerMutate(data, size, most);
    for (uint32_t edits = 1 + fuzz_below(&random, 3); edits; edits--) {
        if (fuzz_chance(&random, 4)) chunk_mutate(data, size, &random);
        else bytes_mutate(data, size, &random);
    }
    if (sealed && fuzz_chance(&random, 8)) return size - sizeof(rill_image_seal);
    if (sealed) seal_put(data, size);
    return size;
}

/* ---- what is done with a frame ---- */

static rill_world *world_make(void)
{
    static const char text[] = "particle_diameter: 0.1\nfill: [{box: {from: [0, 0, 0], to: [0.2, 0.2, 0.2]}}]\n"
                               "boundaries: {tank: {box: {from: [0, 0, 0], to: [0.8, 0.5, 0.8]}}}\n"
                               "probes: {front: {kind: front, axis: x}}\noutput: {fields: [density, pressure]}\n";
    const rill_options options = {.threads = 1};
    rill_scene scene;
    if (rill_scene_parse(text, sizeof text - 1, "world", NULL, 0, &scene, NULL)) abort();
    scene.solver.iterations_max = 5;
    rill_world *world = rill_world_create(&scene, &options, NULL);
    rill_scene_free(&scene);
    return world;
}

static void frame_load(const rill_frame_file *frame)
{
    rill_world *world = world_make();
    if (!world) abort();
    if (!rill_world_load(world, &frame->state, NULL)) rill_step(world, NULL, NULL, NULL);
    rill_world_destroy(world);
}

static void frame_mesh(const rill_frame_file *frame, uint32_t choice)
{
    rill_particles particles;
    if (rill_particles_of_frame(frame, NULL, &particles, NULL)) return;
    particles_mesh(&particles, choice);
    rill_particles_free(&particles);
}

static void frame_draw(const rill_frame_file *frame, uint32_t choice)
{
    rill_shot shot = rill_shot_default();
    uint8_t rgb[3 * 32 * 24];
    shot.width = 32, shot.height = 24;
    shot.colour = (rill_shot_colour)(choice & 3);
    rill_shot_draw(frame, NULL, &shot, rgb, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rill_frame_file frame;
    rill_error err = {0};
    bool newer = false;
    const rill_status status = rill_image_decode(data, size, "input", &frame, &newer, &err);
    FUZZ_CHECK(!status || *err.text, "refused without a word");
    if (status) return 0;
    const uint32_t choice = fuzz_hash(data, size);
    if (frame.count <= FUZZ_MESH_PARTICLES && choice % 8 == 0) frame_mesh(&frame, choice >> 3);
    if (frame.count <= FUZZ_MESH_PARTICLES && choice % 8 == 1) frame_draw(&frame, choice >> 3);
    if (choice % 4 == 2) frame_load(&frame);
    rill_frame_file_free(&frame);
    return 0;
}

/* Worlds with each variant of the inner loops, as far as this machine has them.
 * A width alone does not tell the variants with eight lanes apart. */
#ifndef RILL_TESTS_VARIANTS_H
#define RILL_TESTS_VARIANTS_H

#include "base/hash.h"
#include "tests/scenes.h"
#include "world/world.h"

enum { VARIANT_COUNT = RILL_VARIANT_AVX512X16 + 1 };

static const char *const variant_names[VARIANT_COUNT] = {
    [RILL_VARIANT_BASE] = "base",
    [RILL_VARIANT_AVX2] = "avx2",
    [RILL_VARIANT_AVX512] = "avx512",
    [RILL_VARIANT_AVX512X16] = "avx512x16",
};

static inline const char *variant_of(const rill_world *world)
{
    return variant_names[world->ops->variant];
}

/* NULL where the machine or the build lacks the variant. */
static inline rill_world *world_with(const rill_scene *scene, unsigned threads, int variant)
{
    const rill_fluid_ops *ops = rill_fluid_ops_of((rill_variant)variant);
    if (!ops) {
        print_message("left out: the variant %s, which this machine or build has not\n", variant_names[variant]);
        return NULL;
    }
    rill_error err = {0};
    const rill_options options = {.threads = threads};
    rill_world *world = rill_world_create_with(ops, scene, &options, &err);
    if (!world) fail_msg("%s: %s", variant_names[variant], err.text);
    assert_ptr_equal(world->ops, ops);
    return world;
}

/* The particles and the energy after some steps, as one number; figures are summed in a fixed order too. */
static inline uint64_t bits_after(rill_world *world, int count)
{
    const rill_report report = steps(world, count, NULL);
    uint64_t kinetic;
    memcpy(&kinetic, &report.kinetic, 8);
    return rill_hash_add(rill_world_hash(world), kinetic);
}

/* A variant gives the same bits on any number of threads, and those with fused multiply-adds give the same as each
 * other. */
static inline void check_same_bits(const rill_scene *scene, int count)
{
    static const unsigned threads[] = {1, 2, 3, 8};
    uint64_t fused = 0;
    for (int variant = 0; variant < VARIANT_COUNT; variant++) {
        uint64_t expected = 0;
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
            rill_world *world = world_with(scene, threads[t], variant);
            if (!world) break;
            const uint64_t bits = bits_after(world, count);
            rill_world_destroy(world);
            if (!t) expected = bits;
            if (bits != expected) fail_msg("%s: %u threads give other bits", variant_names[variant], threads[t]);
        }
        if (variant == RILL_VARIANT_BASE || !expected) continue;
        if (!fused) fused = expected;
        if (fused != expected) fail_msg("%s: gives other bits than avx2", variant_names[variant]);
    }
}

#endif

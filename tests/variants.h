/* Worlds with each variant of the inner loops, as far as this machine has them.
 * A width alone does not tell the variants with eight lanes apart. */
#ifndef RILL_TESTS_VARIANTS_H
#define RILL_TESTS_VARIANTS_H

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
    if (!ops) return NULL;
    rill_error err = {0};
    const rill_options options = {.threads = threads};
    rill_world *world = rill_world_create_with(ops, scene, &options, &err);
    if (!world) fail_msg("%s: %s", variant_names[variant], err.text);
    assert_ptr_equal(world->ops, ops);
    return world;
}

#endif

/* The state of small scenes as one number each, stored here. The variant with four lanes fuses no multiply-adds and
 * takes nothing but + - * / and roots from the machine, so every compiler and every sanitizer gives the same numbers.
 * A number that changes is a decision: whoever changes the physics prints them again with RILL_PRINT_GOLDEN=1 and says
 * so.
 *
 * The same scenes, cut into blocks of other sizes, give the same numbers as well. */
#include "tests/variants.h"

#include <stdio.h>

static rill_scene dam(void)
{
    rill_scene scene = small_dam();
    scene.boundaries[0].slip = 0.25;
    return scene;
}

/* Two fluids with tension, a moving ball and a wave maker. */
static rill_scene stirred(void)
{
    rill_scene scene = small_dam();
    rill_fluid oil = scene.fluids[0];
    oil.density = 800;
    oil.viscosity = 0.05;
    rill_scene_add_fluid(&scene, &oil, NULL);
    for (uint32_t f = 0; f < 2; f++)
        scene.fluids[f].tension_kind = RILL_TENSION_COHESION, scene.fluids[f].tension = 0.1;
    rill_fill top = box_fill((rill_vec3){0, 0, 0.6}, (rill_vec3){0.3, 0.4, 0.8}, (rill_vec3){0, 0, 0});
    top.fluid = 1;
    rill_scene_add_fill(&scene, &top, NULL);
    scene.boundaries[0].motion = (rill_motion){.amplitude = {0.02, 0, 0}, .period = 0.3, .sides = RILL_SIDE_HIGH_X};
    rill_boundary ball = rill_boundary_default();
    ball.shape = (rill_shape){.kind = RILL_SHAPE_SPHERE, .center = {0.8, 0.2, 0.2}, .radius = 0.1};
    ball.solid = true;
    ball.motion = (rill_motion){.velocity = {-1, 0, 0}, .stop = 0.2};
    rill_scene_add_boundary(&scene, &ball, NULL);
    scene.air.coefficient = 0.5;
    scene.air.density = 1.2;
    return scene;
}

/* Thick liquid in a periodic channel, with vorticity and shifting. */
static rill_scene channel(void)
{
    rill_scene scene = water_scene(0.05);
    scene.periodic[0] = true;
    scene.domain_to = (rill_vec3){0.6, 0, 0};
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.6, 0.3, 0.3}, (rill_vec3){1, 0, 0});
    add_tank(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.6, 0.3, 0.6});
    scene.boundaries[0].slip = 0;
    scene.fluids[0].viscosity_kind = RILL_VISCOSITY_IMPLICIT;
    scene.fluids[0].viscosity = 0.1;
    scene.vorticity = 0.1;
    scene.shifting = 0.2;
    scene.solver.gamma = 5;
    return scene;
}

/* The dam across the border of a tile of the grid (RILL_TILE), where pressure solvers sum in two ways. */
static rill_scene border(void)
{
    rill_scene scene = small_dam();
    scene.fills[0].shape.from.x += 9.3, scene.fills[0].shape.to.x += 9.3;
    scene.boundaries[0].shape.from.x += 9.3, scene.boundaries[0].shape.to.x += 9.3;
    return scene;
}

typedef struct golden {
    const char *name, *solver;
    rill_scene (*make)(void);
    uint64_t hash;
} golden;

static const golden goldens[] = {
    {"dam", "dfsph", dam, 0x7da2efb796b248e3},
    {"dam", "iisph", dam, 0x551e4949703742a0},
    {"dam", "pcisph", dam, 0xb9bc7cc926f1dcef},
    {"dam", "pbf", dam, 0x70303a6652a22e7a},
    {"dam", "wcsph", dam, 0x51c9903fe0c624f5},
    {"stirred", "dfsph", stirred, 0x75c347424363247a},
    {"stirred", "iisph", stirred, 0x563a824d06090fe6},
    {"stirred", "pcisph", stirred, 0x53c83aede114e6e2},
    {"stirred", "pbf", stirred, 0x4194b8ed6ba36aa4},
    {"stirred", "wcsph", stirred, 0x7b8bdd6401597a06},
    {"channel", "dfsph", channel, 0x6c173442765bbdbf},
    {"channel", "iisph", channel, 0x4d50ab465a5a5e6f},
    {"channel", "pcisph", channel, 0x0d79e0b02fd90cb1},
    {"channel", "pbf", channel, 0x03ecc4dac1b8ed8f},
    {"channel", "wcsph", channel, 0x277fda41ac4d85d1},
    {"border", "dfsph", border, 0xac587cbd80733abd},
    {"border", "iisph", border, 0x5861b53d427f0d53},
    {"border", "pcisph", border, 0xda73d31484a908ec},
};

enum { GOLDEN_STEPS = 25 };

static uint64_t hash_of(const golden *g, int variant, uint32_t block)
{
    rill_scene scene = g->make();
    strcpy(scene.solver.kind, g->solver);
    rill_world *world = world_with(&scene, 2, variant);
    uint64_t hash = 0;
    if (world) {
        if (block) world->sph.runner.block = block;
        hash = bits_after(world, GOLDEN_STEPS);
    }
    rill_world_destroy(world);
    rill_scene_free(&scene);
    return hash;
}

static void states_are_golden(void **state)
{
    (void)state;
    const bool print = getenv("RILL_PRINT_GOLDEN");
    int wrong = 0;
    for (size_t i = 0; i < sizeof goldens / sizeof *goldens; i++) {
        const golden *g = &goldens[i];
        const uint64_t hash = hash_of(g, RILL_VARIANT_BASE, 0);
        if (print)
            print_message("    {\"%s\", \"%s\", %s, 0x%016llx},\n", g->name, g->solver, g->name,
                          (unsigned long long)hash);
        else if (hash != g->hash)
            print_message("%s with %s: 0x%016llx, not 0x%016llx\n", g->name, g->solver, (unsigned long long)hash,
                          (unsigned long long)g->hash);
        wrong += hash != g->hash;
    }
    if (!print) assert_int_equal(wrong, 0);
}

static void blocks_of_any_size_give_the_same_bits(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {16, 112, 1024};
    for (size_t i = 0; i < sizeof goldens / sizeof *goldens; i++)
        for (int variant = 0; variant < VARIANT_COUNT; variant += RILL_VARIANT_AVX512) {
            const uint64_t usual = hash_of(&goldens[i], variant, 0);
            for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
                if (hash_of(&goldens[i], variant, sizes[k]) != usual)
                    fail_msg("%s with %s, variant %s: blocks of %u particles give other bits", goldens[i].name,
                             goldens[i].solver, variant_names[variant], sizes[k]);
        }
}

/* Of the scene at the border some particles have all their neighbours in their tile, and some have not. */
static void the_border_is_crossed(void **state)
{
    (void)state;
    rill_scene scene = border();
    rill_world *world = world_of(&scene, 1, 4);
    const rill_report last = steps(world, GOLDEN_STEPS, NULL);
    const rill_lists *lists = &world->sph.lists;
    uint32_t in_tile = 0;
    for (uint32_t g = 0; g < lists->groups; g++) in_tile += (uint32_t)__builtin_popcount(lists->group[g].in_tile);
    assert_in_range(in_tile, last.particles / 10, last.particles * 9 / 10);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_are_golden),
        cmocka_unit_test(blocks_of_any_size_give_the_same_bits),
        cmocka_unit_test(the_border_is_crossed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

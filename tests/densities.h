/* Densities between steps, as a step would find them. */
#ifndef RILL_TESTS_DENSITIES_H
#define RILL_TESTS_DENSITIES_H

#include "tests/scenes.h"
#include "world/world.h"

static inline void sum_densities(rill_world *world)
{
    rill_sph *sph = &world->sph;
    const rill_step_context step = {
        .sph = sph, .dt = 1e-3, .bodies = world->bodies, .body_count = world->body_count};
    assert_int_equal(world->walls->touch(&step, NULL), RILL_OK);
    rill_sph_density(sph, world->ops, rill_clock_due(world), false);
}

#endif

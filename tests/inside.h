/* No particle is behind a wall or in a body. */
#ifndef RILL_TESTS_INSIDE_H
#define RILL_TESTS_INSIDE_H

#include "tests/scenes.h"
#include "world/world.h"

static inline void all_inside(const rill_world *world, const char *when)
{
    const rill_frame f = rill_world_frame(world);
    for (size_t i = 0; i < f.count; i++)
        for (uint32_t b = 0; b < world->body_count; b++) {
            const rill_vec3 x = {f.position[4 * i], f.position[4 * i + 1], f.position[4 * i + 2]};
            if (!rill_body_holds(&world->bodies[b], x, -1e-5))
                fail_msg("%s: particle %llu at (%g, %g, %g) passed boundary %u", when, (unsigned long long)f.id[i], x.x,
                         x.y, x.z, b);
        }
}

#endif

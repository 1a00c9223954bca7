/* The step limit that all models of surface tension share. */
#ifndef RILL_PHYSICS_CAPILLARY_H
#define RILL_PHYSICS_CAPILLARY_H

#include <math.h>

#include "base/maths.h"
#include "fluid/sph.h"
#include "rill/scene.h"

/* The shortest capillary waves that particles can carry must not outrun the step:
 * 0.4 sqrt(rho0 d^3/(2 pi sigma)) (Brackbill et al. 1992). */
static inline double capillary_step(double rest_density, double d, double tension)
{
    return 0.4 * sqrt(rest_density * (d * d * d) / (2 * RILL_PI * tension));
}

/* The limit of all fluids; what a force has as its longest_step. */
static inline double capillary_longest_step(const void *self, const rill_sph *sph)
{
    (void)self;
    double longest = INFINITY;
    for (uint32_t f = 0; f < sph->fluid_count; f++)
        if (sph->tension[f] > 0)
            longest =
                fmin(longest, capillary_step((double)sph->rest_density[f], sph->diameter, (double)sph->tension[f]));
    return longest;
}

/* The same before there is a world, of the fluids that ask for tension of whatever kind. */
static inline double capillary_expected_step(const rill_scene *scene)
{
    double longest = INFINITY;
    for (uint32_t f = 0; f < scene->fluid_count; f++) {
        const rill_fluid *fluid = &scene->fluids[f];
        if (fluid->tension_kind != RILL_TENSION_NONE && fluid->tension > 0)
            longest = fmin(longest, capillary_step(fluid->density, scene->particle_diameter, fluid->tension));
    }
    return longest;
}

#endif

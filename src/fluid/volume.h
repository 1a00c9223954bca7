/* The volume that the liquid fills. */
#ifndef RILL_FLUID_VOLUME_H
#define RILL_FLUID_VOLUME_H

#include "fluid/sph.h"

/* Measured in space, not summed over densities, so that liquid that sinks, swells or leaks shows. C = V0 sum W is 1 in
 * liquid, 0 outside and 1/2 on a surface half a diameter beyond the outermost layer. It is taken at nodes a diameter
 * apart; each counts by how far the surface lies from it, which C tells, so that a level is right to a hundredth of a
 * diameter wherever it lies between nodes. Spray, particles with D below 1/2, counts with V0 each. Particles are where
 * they are now; the cells are those of the last sort. */
double rill_sph_volume(const rill_sph *sph);

#endif

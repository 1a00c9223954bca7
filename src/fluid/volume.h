/* The volume that the liquid fills. */
#ifndef RILL_FLUID_VOLUME_H
#define RILL_FLUID_VOLUME_H

#include "fluid/sph.h"

/* Measured in space, not summed over densities: the integral of min(C, 1) with C = V0 sum W, at nodes a diameter apart.
 * Particles at rest density fill V0 each, in whatever shape, drops and sheets too. Where they lie too close they fill
 * only the space there is, so liquid that sinks or is pressed shows, all but its outermost layer. Nodes deep inside
 * count in full, since C scatters about 1 among particles in disorder. Particles are where they are now; the cells are
 * those of the last sort. */
double rill_sph_volume(const rill_sph *sph);

#endif

/* The diameter of particles from how densely they lie. */
#ifndef RILL_SURFACE_SPACING_H
#define RILL_SURFACE_SPACING_H

#include "surface/points.h"

/* In m; 0 where no two lie apart. */
rill_status rill_spacing_of(const rill_particles *particles, const rill_scheduler *scheduler, double *diameter,
                            rill_error *err);

#endif

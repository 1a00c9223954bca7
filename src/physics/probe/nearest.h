/* Distances for probes. */
#ifndef RILL_PHYSICS_PROBE_NEAREST_H
#define RILL_PHYSICS_PROBE_NEAREST_H

#include <math.h>

#include "fluid/grid.h"

/* A difference of coordinates, to the nearest image. */
static inline double nearest(const rill_grid *grid, int axis, double d)
{
    return grid->wrap[axis] ? d - grid->period[axis] * round(d / grid->period[axis]) : d;
}

#endif

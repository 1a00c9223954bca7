/* What the liquid is like at any point. */
#ifndef RILL_PHYSICS_PROBE_POINT_H
#define RILL_PHYSICS_PROBE_POINT_H

#include "fluid/sph.h"

/* The value of a quantity at a point, three of a velocity; zero, and false, where there is no liquid. */
bool rill_point_read(const rill_sph *sph, rill_quantity of, rill_vec3 at, double *values);

#endif

/* Particles that shall leave no trace in the surface. */
#ifndef RILL_SURFACE_CULL_H
#define RILL_SURFACE_CULL_H

#include "surface/points.h"

/* Leaves out particles with fewer than `neighbours` others within two diameters, then groups of fewer than `least`;
 * those that stay are sorted again. */
rill_status rill_cull(rill_points *points, uint32_t neighbours, uint32_t least, const rill_scheduler *scheduler,
                      rill_error *err);

#endif

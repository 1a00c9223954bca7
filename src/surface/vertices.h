/* What vertices take from the particles around them, and smoothing. */
#ifndef RILL_SURFACE_VERTICES_H
#define RILL_SURFACE_VERTICES_H

#include "surface/points.h"

/* Carries values over from the particles near each vertex. */
rill_status rill_vertices_values(const rill_points *points, const rill_particles *particles,
                                 const rill_surface_options *options, const rill_scheduler *scheduler,
                                 rill_mesh *mesh, rill_error *err);

/* The sum of weights (1 - s^2)^3 over 2.5 diameters at each vertex: 5 on flat water, 1 or less on a lone drop. */
void rill_vertices_weights(const rill_points *points, const rill_mesh *mesh, const rill_scheduler *scheduler,
                           float *weights);

/* Rounds of smoothing; weights as above. */
rill_status rill_mesh_smooth(rill_mesh *mesh, const float *weights, uint32_t rounds, const rill_scheduler *scheduler,
                             rill_error *err);

#endif

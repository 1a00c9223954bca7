/* How much of an unbounded surface counts where it is sampled or drawn. */
#ifndef RILL_GEOM_CLIP_H
#define RILL_GEOM_CLIP_H

#include "geom/geometry.h"

/* Where liquid is held by containers, their bounds, a bit larger. Elsewhere it may spread: the bounds of all fills and
 * obstacles, larger by their longest side. A periodic axis counts once around. */
rill_bounds rill_scene_clip(const rill_scene *scene);

/* The highest and lowest point of a shape along a unit vector, of an unbounded one within the box. */
void rill_clipped_extent(const rill_shape *shape, const rill_bounds *clip, rill_vec3 way, double *low, double *high);

/* The shape as it stands in the scene, if it has a pose and no end: then it is another one without a pose. */
rill_shape rill_shape_settled(const rill_shape *shape);

#endif

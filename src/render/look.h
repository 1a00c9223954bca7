/* Looks: the materials, light and ground of a rendered picture. */
#ifndef RILL_RENDER_LOOK_H
#define RILL_RENDER_LOOK_H

#include "rill/render.h"

/* Priorities of media where they overlap. */
enum { RILL_PRIORITY_LIQUID = 10, RILL_PRIORITY_GLASS = 100 };

/* A fluid of which there is so much that a cube of it has edges of `size`: the larger, the thinner its tint, so that a
 * drop and a lake of one colour look alike. */
rill_material rill_look_liquid(rill_look look, const rill_fluid *fluid, double size);
rill_material rill_look_glass(double size);
rill_material rill_look_solid(rill_look look);

/* Without pattern; size is that of the scene. */
rill_material rill_look_ground(rill_look look, double size);

/* What its colour is multiplied by far away from what stands on it. */
void rill_look_distance(rill_look look, float factor[3]);

/* What is seen behind all, in the light of lamps that make white paper one. */
void rill_look_backdrop(rill_look look, float light[3]);

/* Daylight for a camera that stands at this azimuth: from behind clear liquids, which it makes glow, and from the left
 * before those that light does not enter. */
rill_sky rill_look_sky(rill_look look, double azimuth);

/* How surfaces are made for it. */
rill_surface_options rill_look_surface(rill_look look);

#endif

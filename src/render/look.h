/* Looks: which materials, light and ground a rendered picture has. */
#ifndef RILL_RENDER_LOOK_H
#define RILL_RENDER_LOOK_H

#include "rill/render.h"
#include "rill/scene.h"
#include "rill/surface.h"

typedef enum rill_look {
    RILL_LOOK_CLEAR, /* drinking water in a glass tank on a light table */
    RILL_LOOK_RIVER, /* water that tints and blurs what lies in it, over gravel */
    RILL_LOOK_OCEAN, /* the surface alone: dark blue, with the sky in it */
    RILL_LOOK_TOY,   /* particles as balls that melt together, in bright paint */
    RILL_LOOK_CLAY,  /* matt grey */
    RILL_LOOK_COUNT
} rill_look;

/* The name of a look; NULL past the last. */
const char *rill_look_name(rill_look look);

/* Whether light passes through its liquids, and whether its tank shows as glass unless asked otherwise. */
bool rill_look_is_clear(rill_look look);
bool rill_look_has_glass(rill_look look);

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

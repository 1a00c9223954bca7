/* Building the stage of a rendered picture: from a frame and its scene to
 * triangles, spheres, materials and light. */
#ifndef RILL_RENDER_SET_PARTS_H
#define RILL_RENDER_SET_PARTS_H

#include "render/look.h"
#include "render/picture.h"
#include "render/shot_parts.h"

/* Whether a boundary is drawn as glass, where tanks are. */
bool rill_set_is_tank(const rill_scene *scene, uint32_t boundary);

/* Where no container holds the liquid, it floats: makes room in the view for ground below it, on which its shadow
 * falls. */
void rill_set_make_room(const rill_scene *scene, rill_bounds *view);

/* ---- its parts ---- */

/* A rectangle that shines. */
typedef struct rill_set_lamp {
    rill_vec3 corner[4]; /* counter-clockwise seen from where it shines to */
    float light[3];
} rill_set_lamp;
enum { RILL_LAMPS = 3 };

typedef struct rill_set_work {
    rill_stage_set set;
    const rill_stage_options *options;
    rill_stage *stage;
    rill_stage_report *report;
    rill_vec3 middle; /* of what is in view */
    double top;   /* its height */
    double size;  /* the longest side of what is in view */
    double cube;  /* edge of a cube that holds all liquid */
    double glass; /* thickness of the tank's walls; 0: not seen */
    double ground; /* its height */
    uint32_t lamp_count;
    rill_set_lamp lamps[RILL_LAMPS];
} rill_set_work;

rill_status rill_set_add_lamps(rill_set_work *work, rill_error *err);

/* Where nothing casts a shadow: light on a level sheet at a place, and of white paper in the middle of the ground.
 * Lamps and sky come first. */
void rill_set_irradiance(const rill_set_work *work, rill_vec3 at, double light[3]);
double rill_set_white(const rill_set_work *work);

rill_status rill_set_add_ground(rill_set_work *work, rill_error *err);

/* Tanks and obstacles. */
rill_status rill_set_add_solids(rill_set_work *work, rill_error *err);

/* Liquids: a mesh each, and strays as drops. */
rill_status rill_set_add_liquids(rill_set_work *work, rill_error *err);

/* Surfaces end about half a particle short of what holds the liquid: moves vertices near walls, floors and obstacles
 * onto them; where the wall is glass, this share of its thickness into it. */
rill_status rill_set_touch(const rill_set_work *work, rill_mesh *mesh, double depth, rill_error *err);

#endif

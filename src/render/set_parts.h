/* Building the stage of a rendered picture: from a frame and its scene to
 * triangles, spheres, materials and light. */
#ifndef RILL_RENDER_SET_PARTS_H
#define RILL_RENDER_SET_PARTS_H

#include "render/look.h"
#include "render/picture.h"
#include "render/shot_parts.h"

typedef enum rill_ground_kind { RILL_GROUND_PLAIN, RILL_GROUND_CHECKS, RILL_GROUND_TEXTURE } rill_ground_kind;

typedef enum rill_light_kind { RILL_LIGHT_SKY, RILL_LIGHT_LAMPS, RILL_LIGHT_MAP } rill_light_kind;

typedef struct rill_set_options {
    rill_look look;
    bool glass;                      /* the tank shows as glass; otherwise it is not seen */
    rill_ground_kind ground;
    const rill_picture *texture;     /* of the ground */
    rill_light_kind light;
    const rill_picture *map;         /* of all directions, where that is the light */
    double azimuth;                  /* degrees, of the camera that the sky's sun suits */
    rill_camera camera;              /* that lamps go with and keep out of the view of, */
    double aspect;                   /* and the width of its picture over its height */
    const rill_bounds *view;         /* what is to be seen, in the frame's coordinates; NULL: the whole scene */
    rill_mesh *mesh;                 /* the surface, made before; NULL: made here. Its vertices are moved. */
    const rill_scheduler *scheduler;
} rill_set_options;

typedef struct rill_set_report {
    size_t triangles, drops;
    uint32_t far;   /* particles too far away to be shown */
    double white;   /* radiance of white paper that lies in the middle of the ground */
    double seconds; /* for surfaces */
} rill_set_report;

/* A stage that is ready to be traced; free with rill_stage_free. */
rill_status rill_set_build(const rill_frame_file *frame, const rill_scene *scene, const rill_set_options *options,
                           rill_stage **stage, rill_set_report *report, rill_error *err);

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
    const rill_set_options *options;
    rill_stage *stage;
    rill_set_report *report;
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

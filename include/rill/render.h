/* Rendered pictures of frames: looks, grounds and lights, the stage that a frame and its
 * scene make, where a camera stands, and all of it in one call. Lengths are metres, in
 * the coordinates of the frame. In librill_render. Pointers must not be NULL unless a
 * comment says so; err always may be. */
#ifndef RILL_RENDER_H
#define RILL_RENDER_H

#include "rill/frames.h"
#include "rill/picture.h"
#include "rill/surface.h"
#include "rill/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what it looks like ---- */

/* Which materials, light and ground a picture has. */
typedef enum rill_look {
    RILL_LOOK_CLEAR, /* drinking water in a glass tank on a light table */
    RILL_LOOK_RIVER, /* water that tints and blurs what lies in it, over gravel */
    RILL_LOOK_OCEAN, /* the surface alone: dark blue, with the sky in it */
    RILL_LOOK_TOY,   /* particles as balls that melt together, in bright paint */
    RILL_LOOK_CLAY,  /* matt grey */
    RILL_LOOK_COUNT
} rill_look;
RILL_API const char *rill_look_name(rill_look look); /* NULL past the last */

/* Whether light passes through its liquids, and whether its tank shows as glass unless asked otherwise. */
RILL_API bool rill_look_is_clear(rill_look look);
RILL_API bool rill_look_has_glass(rill_look look);

typedef enum rill_ground_kind { RILL_GROUND_PLAIN, RILL_GROUND_CHECKS, RILL_GROUND_TEXTURE } rill_ground_kind;

typedef enum rill_light_kind { RILL_LIGHT_SKY, RILL_LIGHT_LAMPS, RILL_LIGHT_MAP } rill_light_kind;

/* ---- the stage of a frame ---- */

typedef struct rill_stage_options {
    rill_look look;
    bool glass;                      /* the tank shows as glass; otherwise it is not seen */
    rill_ground_kind ground;
    const rill_picture *texture;     /* of the ground, where it has one */
    rill_light_kind light;
    const rill_picture *map;         /* of all directions, where that is the light */
    double azimuth;                  /* degrees, of the camera that the sky's sun suits */
    rill_camera camera;              /* that lamps go with and keep out of the view of, */
    double aspect;                   /* and the width of its picture over its height */
    const rill_bounds *view;         /* what is to be seen; NULL: the whole scene */
    rill_mesh *mesh;                 /* the surface, made before; NULL: made here. Its vertices are moved. */
    const rill_scheduler *scheduler; /* NULL: one thread. The bits do not depend on it. */
    uint64_t room[8];                /* for members to come; 0 */
} rill_stage_options;
RILL_API rill_stage_options rill_stage_options_default(rill_look look); /* in daylight, on plain ground */

typedef struct rill_stage_report {
    size_t triangles, drops;
    uint32_t far;   /* particles too far away to be shown */
    double white;   /* radiance of white paper that lies in the middle of the ground */
    double clamp;   /* for rill_trace_options: a sample this much brighter than white paper is a spark, not light that
                       can be told from noise */
    double seconds; /* for surfaces */
    uint64_t room[8]; /* for members to come; 0 */
} rill_stage_report;

/* A stage that is ready to be traced, to be freed with rill_stage_free. report may be NULL. */
RILL_API rill_status rill_stage_of_frame(const rill_frame_file *frame, const rill_scene *scene,
                                         const rill_stage_options *options, rill_stage **stage,
                                         rill_stage_report *report, rill_error *err);

/* ---- where the camera stands ---- */

typedef enum rill_orbit_kind {
    RILL_ORBIT_FIXED,  /* the whole scene, from one place */
    RILL_ORBIT_ROUND,  /* once around the scene */
    RILL_ORBIT_FOLLOW, /* beside the liquid, wherever it goes */
    RILL_ORBIT_COUNT
} rill_orbit_kind;
RILL_API const char *rill_orbit_name(rill_orbit_kind kind); /* NULL past the last */

enum { RILL_ORBIT_FRAMES_MAX = 33 };

/* The way of a camera through a film, or its place for one picture. */
typedef struct rill_orbit {
    rill_orbit_kind kind;
    double azimuth, elevation; /* degrees */
    rill_bounds box;           /* what is to be seen; for one that follows, what is to be seen around the middle */
    uint32_t track_count;      /* where the middle of the liquid is at which time, in order */
    double time[RILL_ORBIT_FRAMES_MAX];
    rill_vec3 middle[RILL_ORBIT_FRAMES_MAX];
    rill_bounds seen;          /* in the frames that were added */
    uint64_t room[8];          /* for members to come; 0 */
} rill_orbit;
RILL_API rill_orbit rill_orbit_default(rill_orbit_kind kind);

/* Widens what is to be seen so that it holds what a frame shows: with tanks of glass everything in them, without one
 * the liquid and what stands in it. Up to RILL_ORBIT_FRAMES_MAX frames, spread over the film and in order. */
RILL_API rill_status rill_orbit_add(rill_orbit *orbit, const rill_frame_file *frame, const rill_scene *scene,
                                    bool glass, rill_error *err);

/* The box that is in view at this time. */
RILL_API rill_bounds rill_orbit_view(const rill_orbit *orbit, double time);

/* The camera of a picture that lies at this share (0 to 1) of a film and shows this time, in seconds. */
RILL_API rill_camera rill_orbit_camera(const rill_orbit *orbit, double share, double time, uint32_t width,
                                       uint32_t height);

/* ---- a picture in one call ---- */

typedef struct rill_render_options {
    rill_stage_options stage;  /* what it looks like; its camera and aspect follow from what stands below */
    rill_trace_options trace;  /* size and samples; a clamp of 0 is that of the stage, unless caustics are asked for */
    const rill_camera *camera; /* NULL: one that shows all, from the azimuth of the stage and this elevation */
    double elevation;          /* degrees */
    uint64_t room[8];          /* for members to come; 0 */
} rill_render_options;
RILL_API rill_render_options rill_render_default(rill_look look);

/* What a frame looks like, as light; free it with rill_picture_free. rill_picture_exposure takes the `white` of the
 * report, which may be NULL. RILL_CANCELLED where the callback of the tracing said stop. */
RILL_API rill_status rill_render_frame(const rill_frame_file *frame, const rill_scene *scene,
                                       const rill_render_options *options, rill_picture *picture,
                                       rill_stage_report *report, rill_error *err);

#ifdef __cplusplus
}
#endif
#endif

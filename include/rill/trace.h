/* Path tracing: a stage of triangles and spheres with materials under some light, a
 * camera, and the light it sees as linear red, green and blue. Up is +z, lengths are
 * metres. rill/render.h makes stages of frames, rill/picture.h writes what was seen.
 * In librill_render, which needs libpng, OpenEXR's C library and Embree. Pointers must
 * not be NULL unless a comment says so; err always may be. */
#ifndef RILL_TRACE_H
#define RILL_TRACE_H

#include <stdbool.h>

#include "rill/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- materials ---- */

typedef enum rill_material_kind {
    RILL_MATERIAL_LAMBERT,    /* matt */
    RILL_MATERIAL_METAL,      /* mirror, blurred by its roughness */
    RILL_MATERIAL_DIELECTRIC, /* bounds a clear medium: water, glass, oil. Fresnel and Snell, smooth or rough */
    RILL_MATERIAL_COATED,     /* matt under a clear coat: paint, plastic, water too deep to see into */
    RILL_MATERIAL_LIGHT       /* shines to its outside and reflects nothing */
} rill_material_kind;

typedef enum rill_pattern {
    RILL_PATTERN_PLAIN,
    RILL_PATTERN_CHECKS, /* squares of `colour` and `second` */
    RILL_PATTERN_TEXTURE /* a picture, repeated, times `colour` */
} rill_pattern;

/* Linear colours. Where triangles have colours of their own, those multiply that of the material. */
typedef struct rill_material {
    rill_material_kind kind;
    float colour[3];  /* lambert, coated: share of light sent back; metal: mirrored head-on; dielectric: let through */
    float roughness;  /* 0: smooth, 1: as rough as it gets; of metal, dielectric and coat */
    float index;      /* refractive index of a dielectric or a coat: water 1.333, glass 1.5 */
    float absorption[3]; /* 1/m, in the medium that a dielectric bounds */
    float scattering[3]; /* 1/m, of the same; 0: clear */
    float forward;       /* mean cosine of scattering, between -1 and 1; 0: alike in all directions */
    int priority;        /* where media overlap, the one with the highest is there: glass above water */
    float emission[3];   /* radiance of a light, in the unit of the sky's */
    rill_pattern pattern;
    float second[3];     /* the other colour of checks */
    double pattern_size; /* m: edge of a check, width of a texture; where triangles have uv, in units of those */
    const float *texture; /* linear rgb, rows from the top; copied */
    uint32_t texture_width, texture_height;
    uint64_t room[8]; /* for members to come; 0 */
} rill_material;
RILL_API rill_material rill_material_default(rill_material_kind kind);

/* ---- the stage: what is rendered ---- */

/* Coordinates, in metres, stay below this. */
#define RILL_TRACE_REACH 1e12f

typedef struct rill_stage rill_stage;
RILL_API rill_stage *rill_stage_create(rill_error *err);
RILL_API void rill_stage_free(rill_stage *stage); /* NULL is fine */

RILL_API rill_status rill_stage_add_material(rill_stage *stage, const rill_material *material, uint32_t *id,
                                             rill_error *err);

/* Triangles counter-clockwise seen from outside; all is copied. A dielectric's
 * triangles should close; an open sheet has its medium behind it without end.
 * Where two of them meet they should overlap a little: a ray finds one of two
 * faces in the same plane only, and loses count of the media. */
typedef struct rill_triangles {
    size_t vertex_count, triangle_count;
    const float *position;    /* x, y, z */
    const float *normal;      /* for smooth shading, outwards; NULL: flat */
    const float *uv;          /* two a vertex, v upwards; NULL: patterns lie along the axes */
    const float *colour;      /* linear rgb a vertex; NULL: white */
    const uint32_t *triangle; /* three vertices each */
    uint64_t room[4]; /* for members to come; 0 */
} rill_triangles;
RILL_API rill_triangles rill_triangles_default(void); /* none */
RILL_API rill_status rill_stage_add_triangles(rill_stage *stage, const rill_triangles *triangles, uint32_t material,
                                              rill_error *err);

/* x, y, z, radius each. Spheres of one medium may overlap. They cannot be lights. */
RILL_API rill_status rill_stage_add_spheres(rill_stage *stage, const float *spheres, size_t count, uint32_t material,
                                            rill_error *err);

typedef enum rill_sky_kind {
    RILL_SKY_UNIFORM,
    RILL_SKY_PREETHAM, /* clear daylight with a sun (Preetham, Shirley and Smits 1999), in kcd/m2 */
    RILL_SKY_MAP       /* a picture of all directions */
} rill_sky_kind;

typedef struct rill_sky {
    rill_sky_kind kind;
    float colour[3];   /* radiance of a uniform sky; times the light of the others */
    rill_vec3 sun;     /* towards the sun, of any length; at or above the horizon */
    double turbidity;  /* 2: very clear, 10: haze */
    double sun_radius; /* degrees, 0.2666 seen from here; larger softens shadows and keeps the sun's light. 0: no sun */
    float ground[3];   /* Preetham: colour of the land below the horizon */
    const float *map;  /* linear rgb, longitude by latitude, rows from straight up to straight down; copied */
    uint32_t map_width, map_height;
    double map_turn;   /* degrees, counter-clockwise from above; at 0 the middle of the map lies towards +x */
    uint64_t room[8]; /* for members to come; 0 */
} rill_sky;
RILL_API rill_sky rill_sky_default(rill_sky_kind kind);
RILL_API rill_status rill_stage_set_sky(rill_stage *stage, const rill_sky *sky, rill_error *err); /* none set: black */

/* Makes the stage ready; nothing may be added afterwards. */
RILL_API rill_status rill_stage_commit(rill_stage *stage, rill_error *err);

/* The radiance of a white matt sheet that lies level under the open sky; 0 without a sky. A measure for exposure. */
RILL_API double rill_stage_white(const rill_stage *stage);

/* ---- camera ---- */

typedef struct rill_camera {
    rill_vec3 eye, target, up;
    double angle;    /* degrees from the lower to the upper edge of the picture */
    double aperture; /* m, diameter of the lens; 0: a pinhole, all is sharp */
    double focus;    /* m from the eye to what is sharp; 0: the target */
    uint64_t room[4]; /* for members to come; 0 */
} rill_camera;
RILL_API rill_camera rill_camera_default(void);

/* ---- tracing ---- */

typedef struct rill_trace_options {
    uint32_t width, height;
    uint32_t samples; /* a pixel; the most, where noise is asked for. Up to 65536 */
    double noise;     /* stop a tile where its noise is below this share of its brightness, as 0.02; 0: all samples */
    uint32_t depth;   /* the most scatterings of a path; roulette ends most paths before */
    uint64_t seed;
    bool caustics;    /* true paths only: light is not led straight through smooth water and glass, but found by chance
                         where it gathers behind them. Noisy with small lights. */
    double clamp;     /* the most radiance one sample may bring to a pixel, but for light that is seen itself, mirrored
                         or on the first matt surface; 0: no limit */
    const rill_scheduler *scheduler; /* NULL: one thread. The bits do not depend on it. */
    /* Called when a tile is done, from any thread, from several at once; false stops the tracing. NULL: not called. */
    bool (*tile)(void *user, uint32_t x, uint32_t y, uint32_t width, uint32_t height);
    void *user;
    uint64_t room[8]; /* for members to come; 0 */
} rill_trace_options;
RILL_API rill_trace_options rill_trace_default(void);

typedef struct rill_trace_result {
    uint32_t width, height;
    float *rgb;        /* linear, rows from the top */
    float *error;      /* standard error of the pixel's luminance */
    uint32_t *samples; /* spent on the pixel */
    bool stopped;      /* by the callback: some tiles are black */
    uint64_t paths;
    uint64_t camera_rays, bounce_rays, shadow_rays;
    double seconds;
    uint64_t room[8]; /* for members to come; 0 */
} rill_trace_result;

/* What the camera sees of a stage that was committed. */
RILL_API rill_status rill_trace(const rill_stage *stage, const rill_camera *camera, const rill_trace_options *options,
                                rill_trace_result *result, rill_error *err);
RILL_API void rill_trace_result_free(rill_trace_result *result);

#ifdef __cplusplus
}
#endif
#endif

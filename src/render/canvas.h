/* What each sample of a picture shows: depth, surface colour, normal. Things
 * are drawn into it through a depth test; light is added afterwards. */
#ifndef RILL_RENDER_CANVAS_H
#define RILL_RENDER_CANVAS_H

#include "render/view.h"

typedef enum rill_shot_material {
    RILL_MATERIAL_NONE,
    RILL_MATERIAL_PARTICLE,
    RILL_MATERIAL_LIQUID,
    RILL_MATERIAL_SOLID,
    RILL_MATERIAL_FLOOR
} rill_shot_material;

/* One sample. The normal is in camera axes (right, up, towards the camera), of length RILL_NORMAL_LENGTH: fine enough
 * that a highlight on smooth water shows no steps. */
enum { RILL_NORMAL_LENGTH = 511 };
typedef struct rill_canvas_sample {
    uint8_t red, green, blue, material;
    int32_t right : 11, up : 11, near : 10;
} rill_canvas_sample;

typedef struct rill_canvas {
    uint32_t width, height;
    float *depth;         /* infinite where nothing was drawn */
    rill_canvas_sample *samples; /* NULL: depth is all that is wanted */
} rill_canvas;

/* False when there is no memory. */
bool rill_canvas_create(rill_canvas *canvas, uint32_t width, uint32_t height, bool samples);
void rill_canvas_free(rill_canvas *canvas);

/* A small sphere, drawn as a disc that faces the camera and bulges. colour is 0xRRGGBB. */
void rill_canvas_bead(rill_canvas *canvas, const rill_view *view, rill_vec3 centre, double radius, uint32_t colour);

/* A sphere of any size, by its exact outline. */
void rill_canvas_sphere(rill_canvas *canvas, const rill_view *view, rill_vec3 centre, double radius, uint32_t colour);

/* A flat four-sided face, corners in order around it. Nothing is drawn when a corner lies behind the camera. */
void rill_canvas_face(rill_canvas *canvas, const rill_view *view, const rill_vec3 corners[4], rill_vec3 normal,
                      rill_shot_material material, uint32_t colour);

/* A corner of a triangle. */
typedef struct rill_corner {
    rill_vec3 at, normal;
    uint32_t colour;
} rill_corner;

/* A triangle with colour and normal mixed between its corners, which run counter-clockwise seen from the camera;
 * otherwise, or when a corner lies behind the camera, nothing is drawn. */
void rill_canvas_triangle(rill_canvas *canvas, const rill_view *view, const rill_corner corners[3],
                          rill_shot_material material);

#endif

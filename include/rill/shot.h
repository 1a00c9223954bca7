/* Quick pictures of frames, drawn in a second. In librill_render. Pointers must not be
 * NULL unless a comment says so; err always may be. */
#ifndef RILL_SHOT_H
#define RILL_SHOT_H

#include "rill/frames.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rill_shot_colour {
    RILL_SHOT_SPEED,
    RILL_SHOT_DENSITY,
    RILL_SHOT_PRESSURE,
    RILL_SHOT_FLUID
} rill_shot_colour;

typedef struct rill_shot {
    uint32_t width, height;
    rill_shot_colour colour;
    double low, high;         /* range of the legend; equal: from the frame */
    double azimuth, elevation; /* degrees, where the camera stands */
    bool legend;
    bool surface;             /* the liquid's closed surface instead of spheres */
    rill_vec3 from, to;       /* the box in view, in the frame's coordinates; equal: from the frame */
    uint64_t room[8];         /* for members to come; 0 */
} rill_shot;
RILL_API rill_shot rill_shot_default(void);

/* Shaded spheres, or the surface, with a legend, by a z-buffer, to a PNG. scene
 * may be NULL; with it the containers are drawn as wire boxes, obstacles as solids, and
 * fluids take their colours. */
RILL_API rill_status rill_shot_write(const rill_frame_file *frame, const rill_scene *scene, const rill_shot *shot,
                                     const char *path, rill_error *err);

/* The same into memory for width x height pixels of red, green and blue, rows from the top. */
RILL_API rill_status rill_shot_draw(const rill_frame_file *frame, const rill_scene *scene, const rill_shot *shot,
                                    uint8_t *rgb, rill_error *err);

/* For films: widens the range and the box of the shot to hold those of a frame as well; the first frame sets them. */
RILL_API rill_status rill_shot_widen(const rill_frame_file *frame, const rill_scene *scene, bool first, rill_shot *shot,
                                     rill_error *err);

/* How many particles of a frame are in no picture, since they are nowhere or too far away for it. */
RILL_API uint32_t rill_shot_far_count(const rill_frame_file *frame);

#ifdef __cplusplus
}
#endif
#endif

/* A camera: from metres to samples of a canvas, perspective or parallel. */
#ifndef RILL_RENDER_VIEW_H
#define RILL_RENDER_VIEW_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/vec3.h"

typedef struct rill_view {
    rill_vec3 eye;
    rill_vec3 right, up, forward; /* orthonormal; forward points away from the camera */
    double scale;                 /* samples per metre at depth 1 (perspective) or anywhere (parallel) */
    double centre_x, centre_y;    /* where the optical axis meets the canvas, in samples */
    bool perspective;
} rill_view;

typedef struct rill_screen_point {
    double x, y;  /* samples, y down */
    double depth; /* metres along forward */
} rill_screen_point;

/* A part of the canvas, in samples. */
typedef struct rill_rect {
    double left, top, right, bottom;
} rill_rect;

rill_bounds rill_bounds_empty(void);
void rill_bounds_add(rill_bounds *bounds, rill_vec3 point);
bool rill_bounds_is_empty(const rill_bounds *bounds);

/* A perspective camera that stands at azimuth and elevation (degrees) and has
 * the whole of the bounds inside the rectangle, centred. */
rill_view rill_view_frame(const rill_bounds *bounds, double azimuth, double elevation, rill_rect into);

/* A parallel camera that looks along a direction and has the bounds inside a square canvas. */
rill_view rill_view_parallel(const rill_bounds *bounds, rill_vec3 direction, double size);

static inline rill_screen_point rill_view_project(const rill_view *view, rill_vec3 point)
{
    rill_vec3 d = rill_vec3_sub(point, view->eye);
    double depth = rill_vec3_dot(d, view->forward);
    double scale = view->perspective ? view->scale / depth : view->scale;
    return (rill_screen_point){view->centre_x + rill_vec3_dot(d, view->right) * scale,
                               view->centre_y - rill_vec3_dot(d, view->up) * scale, depth};
}

/* The point seen at (x, y) at this depth. */
rill_vec3 rill_view_unproject(const rill_view *view, double x, double y, double depth);

/* How many samples a metre covers at this depth. */
static inline double rill_view_scale_at(const rill_view *view, double depth)
{
    return view->perspective ? view->scale / depth : view->scale;
}

#endif

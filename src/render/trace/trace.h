/* Tracing with settings that only tests and measurements need. */
#ifndef RILL_RENDER_TRACE_TRACE_H
#define RILL_RENDER_TRACE_TRACE_H

#include "render/trace/path.h"

typedef struct rill_trace_extra {
    rill_strategy strategy;
    rill_ray_log *log; /* camera and bounce rays are noted here; needs one thread */
} rill_trace_extra;

rill_status rill_trace_with(const rill_stage *stage, const rill_camera *camera, const rill_trace_options *options,
                            const rill_trace_extra *extra, rill_trace_result *result, rill_error *err);

/* ---- camera (camera.c) ---- */

typedef struct rill_lens {
    v3 eye, right, up, forward; /* right and up span half the picture's height at distance one */
    float radius, focus;
    float width, height; /* pixels */
} rill_lens;
rill_status rill_lens_make(const rill_camera *camera, uint32_t width, uint32_t height, rill_lens *lens,
                           rill_error *err);

/* A ray through a pixel, spread over it by a tent one pixel to each side. */
void rill_lens_ray(const rill_lens *lens, uint32_t x, uint32_t y, const float *u, v3 *origin, v3 *direction);

#endif

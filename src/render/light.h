/* From what a canvas shows to light: lamp, shadow, occlusion, distance. */
#ifndef RILL_RENDER_LIGHT_H
#define RILL_RENDER_LIGHT_H

#include "render/canvas.h"

typedef struct rill_light_setup {
    const rill_view *view;
    const rill_canvas *shadow; /* depth seen from the lamp; NULL: no shadows */
    const rill_view *lamp;     /* the lamp's view, in scene axes */
    double reach;              /* how far occlusion reaches, m */
    double bias;               /* a surface this close behind another is not in its shadow, m */
} rill_light_setup;

/* Fills three floats of linear light a sample. */
void rill_light_apply(const rill_canvas *canvas, const rill_light_setup *setup, float *light);

/* A straight line of some width (samples), depth tested, mixed over the light. */
void rill_light_line(const rill_canvas *canvas, const rill_view *view, rill_vec3 from, rill_vec3 to, double width,
                     uint32_t colour, double opacity, float *light);

/* Averages blocks of factor x factor samples into 8-bit pixels, three bytes each. */
void rill_light_resolve(const float *light, uint32_t width, uint32_t height, uint32_t factor, uint8_t *pixels);

#endif

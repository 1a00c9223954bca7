/* The words and scales laid over a picture. */
#ifndef RILL_RENDER_LEGEND_H
#define RILL_RENDER_LEGEND_H

#include <stdbool.h>
#include <stdint.h>

#include "render/palette.h"
#include "render/text.h"

typedef struct rill_legend {
    const char *title;           /* "speed" */
    const char *unit;            /* "m/s"; a large pressure is shown in kPa or MPa */
    double low, high;            /* range of the scale */
    const rill_palette *palette; /* NULL: names with a colour each */
    const char *const *names;
    const uint32_t *colours;
    uint32_t name_count;
    const char *heading; /* the scene */
    const char *notes;   /* time and particles */
} rill_legend;

/* The height of capitals in the legend of a picture of this size. */
double rill_legend_text_size(uint32_t width, uint32_t height);

/* How much room on the right the scale needs, in pixels. */
double rill_legend_width(const rill_legend *legend, uint32_t width, uint32_t height);

void rill_legend_draw(const rill_legend *legend, rill_pixels *pixels);

/* A round step (1, 2, 2.5 or 5 times a power of ten) that cuts the range into at most `pieces`. */
double rill_legend_step(double low, double high, int pieces);

/* 1234567 as "1 234 567". */
void rill_legend_count(uint64_t count, char *text, size_t size);

#endif

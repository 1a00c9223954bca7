/* Words in a picture, in a stroke font of our own. */
#ifndef RILL_RENDER_TEXT_H
#define RILL_RENDER_TEXT_H

#include "rill/picture.h"

/* The size of a text is the height of its capitals, in pixels. Text is UTF-8;
 * what the font lacks shows as a box. */
double rill_text_width(const char *text, double size);

/* x is the left end, y the line the letters stand on. weight is the width of a
 * stroke over the size: 0.12 is ordinary, 0.17 bold. */
void rill_text_draw(rill_pixels *pixels, double x, double y, double size, double weight, uint32_t colour,
                    const char *text);

/* A filled rectangle with soft edges; opacity 1 covers what was there. */
void rill_text_box(rill_pixels *pixels, double left, double top, double right, double bottom, uint32_t colour,
                   double opacity);

#endif

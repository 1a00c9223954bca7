/* From light to the 8-bit colours of a screen. */
#ifndef RILL_RENDER_TONE_H
#define RILL_RENDER_TONE_H

#include "rill/picture.h"

/* Pixels of the same size, with memory of their own in pixels->rgb. */
void rill_tone_map(const rill_picture *picture, double exposure, rill_pixels *pixels);

/* One value of light, as the screen's share of white with the curve of sRGB, 0 to 1. */
double rill_tone_value(double light);

#endif

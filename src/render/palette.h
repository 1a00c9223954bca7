/* Colour maps, even to the eye, and colours that tell things apart. */
#ifndef RILL_RENDER_PALETTE_H
#define RILL_RENDER_PALETTE_H

#include <stdint.h>

#include "rill/shot.h"

enum { RILL_PALETTE_SIZE = 256 };

typedef struct rill_palette {
    uint32_t colours[RILL_PALETTE_SIZE]; /* 0xRRGGBB, dark to light */
} rill_palette;

/* The map of a quantity. Equal steps of the value are equal steps to the eye. */
rill_palette rill_palette_for(rill_shot_colour colour);

/* t in [0, 1]; what lies outside, or is not a number, takes the nearest end. */
uint32_t rill_palette_at(const rill_palette *palette, double t);

/* The colour of the i-th of several things that have none of their own. */
uint32_t rill_palette_distinct(uint32_t i);

/* Between the 8-bit steps of a file and the light they stand for. */
float rill_palette_light(uint8_t level);
uint8_t rill_palette_level(float light);

#endif

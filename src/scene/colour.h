/* Colours by name. */
#ifndef RILL_SCENE_COLOUR_H
#define RILL_SCENE_COLOUR_H

#include <stdbool.h>
#include <stdint.h>

/* The basic colours of CSS and some more of its names, whatever the case; false when there is none of that name. */
bool rill_colour_find(const char *name, uint32_t *colour);

#endif

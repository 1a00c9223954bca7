/* From a scene to its text. */
#ifndef RILL_SCENE_WRITE_H
#define RILL_SCENE_WRITE_H

#include <stdio.h>

#include "physics/param.h"

/* Writes one value that is no group, as it would stand behind its key. scene
 * names the fluids and may be NULL where there are none. Returns NULL, or what
 * is wrong with a value that cannot be written. */
const char *rill_write_value(FILE *out, const rill_param *param, const void *base, const rill_scene *scene);

/* Whether a parameter has a meaning where kinds are as they are, and so a place in the text. */
bool rill_write_is_due(const rill_param *param, const void *base);

#endif

/* Text in YAML. */
#ifndef RILL_SCENE_YAML_H
#define RILL_SCENE_YAML_H

#include <stdio.h>

/* Writes text as a YAML scalar, quoted where it has to be. */
void rill_yaml_write(FILE *out, const char *text);

#endif

/* Values of a scene that nothing reads. */
#ifndef RILL_SCENE_UNUSED_H
#define RILL_SCENE_UNUSED_H

#include "rill/scene.h"

/* The keys of a scene, with commas between, whose values differ from the defaults and that its solver and the kinds it
 * chose do not read; what does not fit is left out. They stay in the scene, since another solver may be asked for. */
void rill_scene_unused(const rill_scene *scene, char *keys, size_t size);

#endif

/* From a value of a scene back to the text it was read from. */
#ifndef RILL_SCENE_LOCATE_H
#define RILL_SCENE_LOCATE_H

#include "rill/scene.h"
#include "scene/tree.h"

/* Where the text has what `at` points to in the scene: the value itself, or the nearest map that would hold it. Without
 * a line where that is the whole scene, or where at is NULL. */
rill_place rill_locate(const rill_node *root, const rill_scene *scene, const void *at);

#endif

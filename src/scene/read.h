/* From the tree of a scene's text to the scene. */
#ifndef RILL_SCENE_READ_H
#define RILL_SCENE_READ_H

#include "rill/scene.h"
#include "scene/tree.h"

/* No scene comes near it, nor a file with as many keyframes as there may be, and a file that is none should not fill
 * the memory. */
enum { RILL_SCENE_BYTES = 4 << 20 };

/* Reads the tree against the table of parameters. On failure the scene is the default one and owns nothing. */
rill_status rill_read_scene(const rill_node *root, rill_scene *scene, rill_error *err);

#endif

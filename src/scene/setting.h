/* Settings: values given beside the scene's text, such as time.end=3 s. */
#ifndef RILL_SCENE_SETTING_H
#define RILL_SCENE_SETTING_H

#include "scene/tree.h"

/* Puts the setting's value into the tree, in the place of what the text has
 * there. Its value is checked later, with all others; its key is checked here. */
rill_status rill_setting_apply(rill_node *root, const char *setting, rill_error *err);

#endif

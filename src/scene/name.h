/* What a name in a scene may hold. */
#ifndef RILL_SCENE_NAME_H
#define RILL_SCENE_NAME_H

/* NULL when text can be the name of a scene, fluid, boundary or probe, else what is wrong with it. */
const char *rill_name_fault(const char *name);

#endif

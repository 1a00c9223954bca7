/* What a mistyped word was probably meant to be. */
#ifndef RILL_SCENE_SUGGEST_H
#define RILL_SCENE_SUGGEST_H

#include "physics/param.h"
#include "scene/place.h"

/* Fails with the key, where it stands, and the nearest valid key. path is that
 * of the map it stands in, "" for the scene itself. */
rill_status rill_suggest_key(const rill_place *place, const char *path, const rill_param *table, const char *key,
                             rill_error *err);

#endif

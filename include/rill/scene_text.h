/* Scenes as text: files by name or path, settings on top of them, and the reference of
 * all keys. In librill_scene, which needs libyaml. Pointers must not be NULL unless a
 * comment says so; err always may be. */
#ifndef RILL_SCENE_TEXT_H
#define RILL_SCENE_TEXT_H

#include <stdio.h>

#include "rill/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A scene by name ("dam_break", looked up among the built-in scenes) or by
 * path, then the settings ("solver.sound_speed=30 m/s") on top, each checked
 * like the text itself. Every error names file, line and column, or the
 * setting. settings may be NULL where there are none. A box that holds fluid is
 * opened across periodic axes, along which it has no walls. Files of keyframes are
 * looked for beside the scene: in the folder of `label`. */
RILL_API rill_status rill_scene_load(const char *name_or_path, const char *const *settings, size_t setting_count,
                                     rill_scene *scene, rill_error *err);
RILL_API rill_status rill_scene_parse(const char *text, size_t length, const char *label, const char *const *settings,
                                      size_t setting_count, rill_scene *scene, rill_error *err);

/* Writes the scene, every value resolved, as text that reads back to the same scene, bit for bit, but for sides that
 * periodic axes open. */
RILL_API rill_status rill_scene_write(const rill_scene *scene, FILE *out, rill_error *err);
/* The same as a string, for rill_free; NULL when it failed. Scenes are the same where their texts are. */
RILL_API char *rill_scene_text(const rill_scene *scene, rill_error *err);

/* Calls back with every key at or below `under` that has a meaning in the scene, and its value as the text has it:
 * under "probes.level" come "probes.level.kind" and "height", "probes.level.at" and "[0.2, 0.2, 0]". Under "" come
 * all. */
RILL_API rill_status rill_scene_list_values(const rill_scene *scene, const char *under,
                                            void (*each)(void *user, const char *key, const char *value), void *user,
                                            rill_error *err);

/* The keys of a scene, with commas between, whose values differ from the defaults and that its solver and the kinds it
 * chose do not read; what does not fit is left out. They stay in the scene, since another solver may be asked for. */
RILL_API void rill_scene_unused(const rill_scene *scene, char *keys, size_t size);

/* docs/scene.md: every key, unit, range and default. */
RILL_API rill_status rill_scene_reference(FILE *out, rill_error *err);

/* The folder of built-in scenes (RILL_SCENES in the environment, else share/rill/scenes
 * of the prefix in which this library is installed, or in which the program is that
 * holds it; in a build folder, the source's own; else rill/scenes in one of
 * XDG_DATA_DIRS, by default /usr/local/share and /usr/share), and its scenes: calls
 * back with name, path and the sentence about it, sorted by name. */
RILL_API rill_status rill_scene_folder(char *path, size_t size, rill_error *err);
RILL_API rill_status rill_scene_list(void (*each)(void *user, const char *name, const char *path, const char *about),
                                     void *user, rill_error *err);

#ifdef __cplusplus
}
#endif
#endif

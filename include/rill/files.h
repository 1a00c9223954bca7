/* Files: scene text, run folders, export and quick pictures. This part sits
 * outside librill proper, in librill_files, and needs libyaml, zlib and libpng.
 * Pointers must not be NULL unless a comment says so; err always may be. */
#ifndef RILL_FILES_H
#define RILL_FILES_H

#include <stdio.h>

#include "rill/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- scene text ---- */

/* A scene by name ("dam_break", looked up among the built-in scenes) or by
 * path, then the settings ("solver.sound_speed=30 m/s") on top, each checked
 * like the text itself. Every error names file, line and column, or the
 * setting. settings may be NULL where there are none. A box that holds fluid is
 * opened across periodic axes, along which it has no walls. */
RILL_API rill_status rill_scene_load(const char *name_or_path, const char *const *settings, size_t setting_count,
                                     rill_scene *scene, rill_error *err);
RILL_API rill_status rill_scene_parse(const char *text, size_t length, const char *label, const char *const *settings,
                                      size_t setting_count, rill_scene *scene, rill_error *err);

/* Writes the scene, every value resolved, as text that reads back to the same scene, bit for bit, but for sides that
 * periodic axes open. */
RILL_API rill_status rill_scene_write(const rill_scene *scene, FILE *out, rill_error *err);

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

/* ---- run folders ---- */

/* A run: scene.yaml (resolved), frames/frame_000000.h5 ..., report.csv with a
 * row a step, probes.csv with a row a step. */
typedef struct rill_run rill_run;

/* Starts a run in a folder that does not yet hold one. */
RILL_API rill_run *rill_run_create(const char *folder, const rill_world *world, rill_error *err);

/* Continues a run: loads the last whole frame into the world (made from the
 * run's own scene), cuts the tables back to it and removes what came after. */
RILL_API rill_run *rill_run_resume(const char *folder, rill_world *world, rill_error *err);

/* What continuing had to pass over (a damaged frame), as a sentence; "" when nothing. */
RILL_API const char *rill_run_note(const rill_run *run);

RILL_API rill_status rill_run_write_report(rill_run *run, const rill_world *world, const rill_report *report, rill_error *err);
/* The part of docs/run.md about report.csv: every column that a report can have. */
RILL_API rill_status rill_report_reference(FILE *out, rill_error *err);

RILL_API rill_status rill_run_write_frame(rill_run *run, const rill_world *world, rill_error *err);
RILL_API rill_status rill_run_close(rill_run *run, rill_error *err); /* NULL is fine */

/* Reading: the scene, the frames' numbers in order, one frame. */
RILL_API rill_status rill_run_read_scene(const char *folder, rill_scene *scene, rill_error *err);
RILL_API rill_status rill_run_list_frames(const char *folder, uint32_t **numbers, uint32_t *count, rill_error *err); /* free() */
RILL_API rill_status rill_run_frame_path(const char *folder, uint32_t number, char *path, size_t size);

/* A frame read from a file: owns its arrays; particle arrays by name. */
typedef struct rill_frame_file {
    double time, diameter;
    uint64_t step;
    rill_vec3 origin;
    uint32_t count;
    rill_state state;
} rill_frame_file;
RILL_API rill_status rill_frame_file_read(const char *path, rill_frame_file *frame, rill_error *err);
RILL_API rill_status rill_frame_file_write(const char *path, const rill_world *world, rill_error *err);
RILL_API void rill_frame_file_free(rill_frame_file *frame);
RILL_API const rill_array *rill_frame_file_array(const rill_frame_file *frame, const char *name); /* NULL: not there */

/* ---- export ---- */

typedef enum rill_export_format { RILL_EXPORT_VTP, RILL_EXPORT_PLY } rill_export_format;
RILL_API rill_status rill_export_frame(const rill_frame_file *frame, rill_export_format format, const char *path,
                                       rill_error *err);
/* The .pvd that lists the .vtp files of a run with their times. */
RILL_API rill_status rill_export_series(const char *path, const char *const *files, const double *times, size_t count,
                                        rill_error *err);

/* ---- quick pictures ---- */

typedef enum rill_shot_colour { RILL_SHOT_SPEED, RILL_SHOT_DENSITY, RILL_SHOT_PRESSURE, RILL_SHOT_FLUID } rill_shot_colour;

typedef struct rill_shot {
    uint32_t width, height;
    rill_shot_colour colour;
    double low, high;         /* range of the legend; equal: from the frame */
    double azimuth, elevation; /* degrees, where the camera stands */
    bool legend;
    bool surface;             /* the liquid's closed surface instead of spheres */
    rill_vec3 from, to;       /* the box in view, in the frame's coordinates; equal: from the frame */
} rill_shot;
RILL_API rill_shot rill_shot_default(void);

/* Shaded spheres, or the surface, with a legend, by a z-buffer, to a PNG. scene
 * may be NULL; with it the containers are drawn as wire boxes, obstacles as solids, and
 * fluids take their colours. */
RILL_API rill_status rill_shot_write(const rill_frame_file *frame, const rill_scene *scene, const rill_shot *shot,
                                     const char *path, rill_error *err);

/* The same into memory for width x height pixels of red, green and blue, rows from the top. */
RILL_API rill_status rill_shot_draw(const rill_frame_file *frame, const rill_scene *scene, const rill_shot *shot,
                                    uint8_t *rgb, rill_error *err);

/* For films: widens the range and the box of the shot to hold those of a frame as well; the first frame sets them. */
RILL_API rill_status rill_shot_widen(const rill_frame_file *frame, const rill_scene *scene, bool first, rill_shot *shot,
                                     rill_error *err);

#ifdef __cplusplus
}
#endif
#endif

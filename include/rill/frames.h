/* Run folders: what a run writes, goes on from and leaves behind, its tables, frames as
 * files, and frames for other programs. In librill_frames, which needs librill_scene
 * and zlib. Pointers must not be NULL unless a comment says so; err always may be. */
#ifndef RILL_FRAMES_H
#define RILL_FRAMES_H

#include <stdio.h>

#include "rill/world.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/* A row of report.csv and of probes.csv, and the next frame. */
RILL_API rill_status rill_run_write_report(rill_run *run, const rill_world *world, const rill_report *report,
                                           rill_error *err);
RILL_API rill_status rill_run_write_frame(rill_run *run, const rill_world *world, rill_error *err);
RILL_API rill_status rill_run_close(rill_run *run, rill_error *err); /* NULL is fine */

/* Whether the folder holds a run, and whether a process is writing it, as far as the system tells. */
RILL_API bool rill_run_exists(const char *folder);
RILL_API bool rill_run_is_busy(const char *folder);

/* Reading: the scene, the frames' numbers in order, where a frame lies. */
RILL_API rill_status rill_run_read_scene(const char *folder, rill_scene *scene, rill_error *err);
RILL_API rill_status rill_run_list_frames(const char *folder, uint32_t **numbers, uint32_t *count,
                                          rill_error *err); /* rill_free */
RILL_API rill_status rill_run_frame_path(const char *folder, uint32_t number, char *path, size_t size,
                                         rill_error *err);

/* ---- tables of a run ---- */

/* A table of a run, as numbers. Cells that are no numbers, or beyond 1e30, are NaN. */
typedef struct rill_table_data {
    char **names;
    double **columns; /* as many numbers each as there are rows */
    size_t column_count, rows;
    size_t damaged; /* rows left out: torn, or out of order */
    bool torn;      /* the last line has no end */
    uint64_t room[4]; /* for members to come; 0 */
} rill_table_data;

/* "report.csv" or "probes.csv" of a run. The data is to be freed where it was read and is empty otherwise. */
RILL_API rill_status rill_run_read_table(const char *folder, const char *name, rill_table_data *data, rill_error *err);
RILL_API void rill_table_data_free(rill_table_data *data);
RILL_API const double *rill_table_data_column(const rill_table_data *data, const char *name); /* NULL: not there */

/* What the steps of a run come to: one figure a column, by what the column says stands for a whole run; the last
 * where it says nothing. Begin with all zero, or read it. */
typedef struct rill_summary {
    uint64_t rows;
    const rill_column *columns[RILL_COLUMN_MAX];
    double sums[RILL_COLUMN_MAX]; /* of means, too: rill_summary_value divides them */
    uint64_t values[RILL_COLUMN_MAX]; /* how many; a column may be empty in some rows */
    uint32_t count;
    double trouble_step; /* the first */
    uint64_t trouble_id;
    rill_vec3 trouble_at;
    uint64_t room[8]; /* for members to come; 0 */
} rill_summary;

/* From the report.csv of a run. */
RILL_API rill_status rill_run_read_summary(const char *folder, rill_summary *summary, rill_error *err);
/* Adds a step while it runs. */
RILL_API void rill_summary_add(rill_summary *summary, const rill_world *world, const rill_report *report);

/* The figure of a column; 0 where the run has none of this name, or no steps. */
RILL_API double rill_summary_value(const rill_summary *summary, const char *name);
RILL_API double rill_summary_value_at(const rill_summary *summary, uint32_t column);
RILL_API bool rill_summary_has(const rill_summary *summary, const char *name);

/* Seconds in all phases of all steps. */
RILL_API double rill_summary_seconds(const rill_summary *summary);

/* The part of docs/run.md about report.csv: every column that a report can have. */
RILL_API rill_status rill_report_reference(FILE *out, rill_error *err);

/* ---- frames ---- */

/* A frame apart from its world: it owns its arrays, by name. From a file, or copied. */
typedef struct rill_frame_file {
    double time, diameter;
    uint64_t step;
    rill_vec3 origin;
    uint32_t count;
    rill_state state;
    uint64_t room[8]; /* for members to come; 0 */
} rill_frame_file;
RILL_API rill_status rill_frame_file_read(const char *path, rill_frame_file *frame, rill_error *err);
/* What a file of the world's frame would hold, with densities and pressures in any case, for surfaces, pictures and
 * exports of a world without files. */
RILL_API rill_status rill_frame_file_of_world(const rill_world *world, rill_frame_file *frame, rill_error *err);
RILL_API rill_status rill_frame_file_write(const char *path, const rill_world *world, rill_error *err);
RILL_API void rill_frame_file_free(rill_frame_file *frame);
RILL_API const rill_array *rill_frame_file_array(const rill_frame_file *frame, const char *name); /* NULL: not there */

/* ---- export ---- */

typedef enum rill_export_format { RILL_EXPORT_VTP, RILL_EXPORT_PLY } rill_export_format;
RILL_API const char *rill_export_ending(rill_export_format format); /* "vtp"; NULL past the last */
RILL_API rill_status rill_export_frame(const rill_frame_file *frame, rill_export_format format, const char *path,
                                       rill_error *err);
/* The .pvd that lists the .vtp files of a run with their times. */
RILL_API rill_status rill_export_series(const char *path, const char *const *files, const double *times, size_t count,
                                        rill_error *err);

#ifdef __cplusplus
}
#endif
#endif

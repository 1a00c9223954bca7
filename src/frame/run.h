/* A run folder and what the files that write and continue it share. */
#ifndef RILL_FRAME_RUN_H
#define RILL_FRAME_RUN_H

#include "frame/table.h"
#include "rill/frames.h"

#define RILL_RUN_SCENE "scene.yaml"
#define RILL_RUN_REPORT "report.csv"
#define RILL_RUN_PROBES "probes.csv"
#define RILL_RUN_FRAMES "frames"
#define RILL_RUN_LOCK ".lock"
#define RILL_RUN_DAMAGED ".damaged" /* added to the name of a frame that does not read */

enum { RILL_RUN_NO_COLUMN = 0xffff };

struct rill_run {
    char *folder;
    int lock; /* held while the folder is open for writing */
    rill_table report, probes;
    uint32_t columns[RILL_COLUMN_MAX]; /* of the report: the world's index of each, or RILL_RUN_NO_COLUMN */
    uint32_t column_count;
    uint32_t next; /* number of the next frame */
    char note[240];
};

/* A run with its folder's lock taken; the folder is there. */
rill_run *rill_run_open(const char *folder, rill_error *err);

/* Lets go of everything without flushing. */
void rill_run_drop(rill_run *run);

/* Makes the folder of the frames, and opens both tables to go on after `step`. */
rill_status rill_run_open_tables(rill_run *run, const rill_world *world, uint64_t step, rill_error *err);

/* The path of something in the folder; NULL without memory. */
char *rill_run_path(const char *folder, const char *name);

/* Whether the name is that of a frame, and of which. */
bool rill_run_frame_number(const char *name, uint32_t *number);

#endif

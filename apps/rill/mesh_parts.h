/* The parts of `rill mesh`: particles of a frame, what was asked for, and what was made. */
#ifndef RILL_APP_MESH_PARTS_H
#define RILL_APP_MESH_PARTS_H

#include "options.h"
#include "paths.h"
#include "rill/frames.h"
#include "rill/surface.h"

/* What was asked for. */
typedef struct mesh_job {
    const char *source, *frames, *method, *field, *format_name, *attributes, *diameter_text, *out;
    double cell, radius, diameter;
    uint64_t cull, least, smooth, threads;
    bool threads_given, json, quiet;
    bool run; /* the source is a run, not a file */
    rill_mesh_format format;
    rill_surface_options options;
    path_text folder; /* where frames go; "" when one file is written where it was asked for */
} mesh_job;

/* What became of one frame. */
typedef struct mesh_made {
    path_text path;
    uint32_t frame;
    double time, seconds;
    size_t vertices, triangles;
    rill_surface_report report;
} mesh_made;

/* The end: in words, or as JSON. */
void mesh_end_say(const mesh_job *job, const mesh_made *made, uint32_t count, double seconds);
void mesh_end_put(const mesh_job *job, const mesh_made *made, uint32_t count, double seconds);

/* Particles of a frame or a file, and where their coordinates count from. */
typedef struct mesh_particles {
    rill_particles particles;
    rill_vec3 origin;
    double time; /* s */
} mesh_particles;

/* Everything a frame stores of its particles, and what follows from it: speed, and the colour of the fluid. */
int mesh_particles_of_frame(const char *run, uint32_t number, const rill_scene *scene, mesh_particles *p);
int mesh_particles_of_file(const char *path, mesh_particles *p);

/* Splits names at commas; "all" stands for all there are. Says which is unknown and returns an exit code. */
int mesh_values_pick(const char *names, const rill_particles *particles, option_list *picked, char **text);

#endif

/* The parts of `rill render`: what was asked for, where the camera stands, what
 * was finished before, and what was made. */
#ifndef RILL_APP_RENDER_PARTS_H
#define RILL_APP_RENDER_PARTS_H

#include "frame_list.h"
#include "options.h"
#include "paths.h"
#include "rill/render.h"

enum { FORMAT_PNG = 1, FORMAT_EXR = 2 };

/* What was asked for. */
typedef struct render_job {
    const char *run, *frames, *look_name, *camera_name, *ground_name, *tank_name, *light_name, *format_names, *out,
        *film;
    uint64_t width, height, samples, threads;
    double noise, azimuth, elevation, rate;
    bool frames_given, samples_given, noise_given, threads_given, rate_given, mesh, caustics, json, quiet;
    rill_look look;
    bool glass;
    rill_ground_kind ground;
    rill_light_kind light;
    unsigned formats;
    rill_picture map, texture;
    rill_scene scene;
    rill_orbit orbit;
    frame_list list;  /* frames to render */
    path_text folder; /* where pictures go */
    bool one;         /* one picture by itself, not in a folder */
    double exposure;  /* 0: not known yet */
    const rill_scheduler *scheduler;
} render_job;

/* What became of one frame. */
typedef struct render_made {
    path_text png, exr; /* "" when not written */
    uint32_t frame;
    bool kept; /* was there already */
    double time, seconds;
    double noise; /* mean standard error over mean brightness */
    uint64_t paths, rays;
    rill_stage_report set;
} render_made;

/* What the command line says; as options_read. */
options_result render_options_read(int count, char **arguments, render_job *job);

/* What its words and numbers mean, without a look at any file. Says what is wrong and returns an exit code, or
 * EXIT_FINE. */
int render_words_check(render_job *job);

/* The box that the camera shows and the way it goes, from frames spread over the run. */
int render_orbit_plan(render_job *job);

/* Compares what was asked with what the folder's pictures were made with. Where they agree, finished pictures stay and
 * box and exposure are taken over; otherwise they are put aside, with a sentence. */
int render_state_open(render_job *job);
int render_state_save(const render_job *job);

/* What followed from the first start and is kept behind the settings: the box in view, which frames that came since
 * might widen, and the exposure. Parsing returns false for a text that is damaged. The text that is made is to be
 * freed; NULL: there is no memory. */
bool render_state_parse(const char *text, rill_bounds *box, double *exposure);
char *render_state_text(const char *settings, const rill_bounds *box, double exposure);

/* The names of a frame's pictures, and whether they are there and newer than what they show. */
void render_made_name(const render_job *job, uint32_t frame, render_made *made);
bool render_made_done(const render_job *job, const render_made *made);

/* With --mesh, the surface of a frame: its place, and whether all are there and newer than their frames. */
path_text render_mesh_path(const render_job *job, uint32_t frame);
int render_meshes_check(const render_job *job);

/* How long tracing a picture will take, s, by a small one with few samples; 0: so many of them are done in no time. */
double render_pilot(const rill_stage *stage, const rill_camera *camera, const rill_trace_options *options,
                    uint32_t pictures);

/* All frames, then the film. `count` tells how many were finished. */
int render_frames(render_job *job, render_made *made, uint32_t *count);
int render_film(const render_job *job, const render_made *made);

/* The end: in words, or as JSON. */
void render_end_say(const render_job *job, const render_made *made, uint32_t count, double seconds);
void render_end_put(const render_job *job, const render_made *made, uint32_t count, double seconds);

#endif

/* The parts of `rill run`: what was asked for, what it will take, the steps,
 * and the account at the end. */
#ifndef RILL_APP_RUN_PARTS_H
#define RILL_APP_RUN_PARTS_H

#include <stdio.h>

#include "options.h"
#include "paths.h"
#include "progress.h"
#include "rill/frames.h"
#include "rill/scene_text.h"
#include "tables.h"

/* ---- what was asked for ---- */

typedef struct run_request {
    const char *scene; /* name or path, or a run folder with --resume; NULL when not given */
    const char *solver, *diameter, *time, *fps, *out;
    uint64_t particles, threads;
    bool particles_given, threads_given;
    bool resume, json, quiet;
    option_list settings;
} run_request;

/* The scene with all that was asked for on top. Says what is wrong and returns an exit code, or EXIT_FINE. */
int run_scene_resolve(const run_request *request, rill_scene *scene);

/* Whether anything is asked for that a scene could hold otherwise. */
bool run_settings_given(const run_request *request);

/* Whether a container lacks walls because the domain is periodic. */
bool run_walls_periodic(const rill_scene *scene);

/* ---- the plan ---- */

typedef struct run_plan {
    rill_scene scene;
    rill_estimate estimate;
    path_text folder;
    const char *label; /* begins the line of progress; NULL: nothing */
    bool resume;
} run_plan;

/* The name of a solver, in their order; NULL past the last. */
const char *run_solver_at(const void *unused, int i);

/* Resolves scene and folder. Says what is wrong and returns an exit code, or EXIT_FINE. */
int run_plan_make(const run_request *request, run_plan *plan);

/* What the scene will take. A library's user may fill a world later; here nobody could, so a scene without a fill is a
 * slip. */
int run_estimate(const rill_scene *scene, rill_estimate *estimate);

/* Says what the run will take; refuses what cannot fit. */
int run_memory_check(const rill_scene *scene, const rill_estimate *estimate);
int run_plan_check(const run_plan *plan);
void run_plan_say(const run_plan *plan, unsigned threads);
void run_plan_free(run_plan *plan);

/* ---- the account ---- */

typedef struct run_tally {
    uint64_t steps;  /* this process took */
    uint64_t frames; /* this process wrote */
    rill_summary report; /* of those steps */
    double write_seconds;
    double started;   /* clock */
    double wall, cpu; /* s */
    uint64_t peak_memory;
    uint64_t hash;
    unsigned threads, simd_width;
    uint64_t boundary_particles, step_count;
    rill_body_state *bodies; /* at the end, without their names */
    uint32_t body_count;
    uint32_t particles;
    double time;
    bool interrupted, resumed;
    rill_error trouble; /* of a run that blew up, for the caller to say */
    int exit_code;
    path_text picture; /* empty: none was made */
} run_tally;

/* What the world is at the end; false: there is no memory for it. */
bool run_tally_world(run_tally *tally, const rill_world *world);
void run_tally_free(run_tally *tally);

/* A resumed run that had nothing left to do is described by its report so far. */
void run_tally_recall(run_tally *tally, const char *folder);
void run_tally_json(const run_tally *tally, const run_plan *plan, FILE *out);
void run_tally_say(const run_tally *tally, const run_plan *plan, FILE *out);

/* ---- the steps ---- */

/* Runs to the end of the scene's time or until asked to stop. Returns an exit code. */
int run_loop(const run_plan *plan, rill_world *world, rill_run *run, bool quiet, run_tally *tally);

/* When the next frame after time t is due. */
double run_frame_next(const rill_scene *scene, double t);

#endif

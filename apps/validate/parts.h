/* The parts of the validation: cases that are computed and compared with theory
 * or experiment, what came out, and the page about it. */
#ifndef RILL_VALIDATE_PARTS_H
#define RILL_VALIDATE_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "paths.h"
#include "plot_parts.h"
#include "progress.h"
#include "rill/frames.h"
#include "rill/scene_text.h"

typedef struct validation validation;

/* ---- cases ---- */

typedef struct validate_case {
    const char *name, *title;
    const char *about;       /* set-up, source of what it is compared with, which solver and why */
    const char *pictures[3]; /* names without ending; NULL: no more */
    /* Computes and notes results. A failure that concerns all cases has been said and is the exit code; a run that
     * blows up is a result like any other. */
    int (*run)(validation *v);
} validate_case;

extern const validate_case *const validate_cases[];
extern const size_t validate_case_count;

extern const validate_case validate_dam_break, validate_still_tank, validate_couette, validate_poiseuille,
    validate_taylor_green, validate_cavity, validate_standing_wave, validate_stretching_drop, validate_swinging_drop,
    validate_honey_front, validate_honey_buckle, validate_kernels, validate_falling_drop, validate_confined_whirls;

/* ---- results ---- */

enum { VALIDATE_RESULTS_MAX = 64, VALIDATE_SOLVERS_MAX = RILL_CURVES_MAX };

/* One error and the bar it must stay below. */
typedef struct validate_result {
    char solver[RILL_NAME_SIZE], what[96], unit[16];
    char reason[240]; /* why there is no value; empty: there is one */
    double value, bar; /* bar 0: for information */
    uint64_t particles;
    char machine[160]; /* that computed it, and when */
} validate_result;

struct validation {
    const validate_case *now;
    const char *folder; /* of pictures and tables */
    const char *page;   /* the file about them */
    unsigned threads;
    bool small, quiet;
    const char *solvers[VALIDATE_SOLVERS_MAX]; /* those that cases for every solver take */
    size_t solver_count;
    validate_result results[VALIDATE_RESULTS_MAX];
    size_t count;
    uint64_t particles; /* of the world under way */
    char label[64];
    progress progress;
};

bool validate_passes(const validate_result *r);
/* What has no row in bars.h is for information. */
void validate_note(validation *v, const char *solver, const char *what, double value, const char *unit);
void validate_fail(validation *v, const char *solver, const char *reason);

/* Keeps the results of a case beside its pictures, and writes the page again from all that are kept. */
int validate_keep(validation *v);
int validate_page_write(const validation *v);
int validate_save(const validation *v, const char *path); /* all tables in one file */

/* ---- worlds ---- */

/* Water of this diameter, without gravity, with this solver. */
rill_scene validate_scene(double diameter, const char *solver);
void validate_fill(rill_scene *scene, rill_vec3 from, rill_vec3 to);
void validate_tank(rill_scene *scene, rill_vec3 from, rill_vec3 to, double slip);
/* Periodic across a slab at y, wide enough for its support. Returns the width. */
double validate_slab(rill_scene *scene);

/* Frees the scene. NULL after noting why there is no world. */
rill_world *validate_world(validation *v, rill_scene *scene);

/* Steps to a time exactly; `end` is where the run ends, for the line of progress. False after noting why it cannot. */
bool validate_to(validation *v, rill_world *world, double time, double end, rill_report *report);

/* Gives every particle the velocity that belongs to its place. */
typedef void validate_velocity(const void *user, const float x[3], float v[3]);
bool validate_stir(validation *v, rill_world *world, validate_velocity *velocity, const void *user);

/* ---- curves ---- */

/* A curve that grows; x and y are allocated. */
typedef struct validate_track {
    double *x, *y;
    size_t count, room;
} validate_track;

bool validate_track_add(validate_track *t, double x, double y);
double validate_track_at(const validate_track *t, double x); /* between its points; the last one's past the end */
void validate_track_free(validate_track *t);

rill_chart validate_chart(const char *name, const char *title, const char *note, const char *along, const char *unit);
/* The track must outlive the chart. */
void validate_curve(rill_chart *chart, const char *label, const validate_track *t, unsigned colour,
                    rill_curve_style style);
void validate_points(validate_track *t, const double (*points)[2], size_t count);
/* Draws the chart as a PNG and frees it. */
int validate_draw(const validation *v, rill_chart *chart);

#endif

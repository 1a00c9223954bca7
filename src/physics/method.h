/* The shapes a method can have: a solver, a force, a probe. Each is a
 * small table of functions and rows in a file of its own, named in list.h.
 * Solvers and forces are compiled once per variant (base/variant.h). */
#ifndef RILL_PHYSICS_METHOD_H
#define RILL_PHYSICS_METHOD_H

#include "fluid/sph.h"
#include "physics/boundary/body.h"
#include "physics/boundary/patch.h"
#include "physics/param.h"
#include "rill/world.h"

/* What the world tells a method about the step under way. */
typedef struct rill_step_context {
    rill_sph *sph;
    double dt, last_dt; /* of this step and of the one before, 0: there was none */
    double between;     /* from the middle of the one before to that of this one: in this time walls changed their
                         * velocities, which are means over steps */
    double sound_speed; /* of the solver, or ten times the expected top speed */
    const rill_body *bodies; /* as the step finds them */
    uint32_t body_count;
    double contact;     /* how near to a body particles may come, m */
} rill_step_context;

/* Runs a pass over the particles that are due. */
static inline void rill_step_run(const rill_step_context *step, const rill_pass *pass, void *job)
{
    rill_pass_run(&step->sph->runner, &step->sph->liquid.fields, pass, job, step->sph->liquid.due);
}

/* A sum of the last pass, and its mean over the particles that are due. */
static inline double rill_step_sum(const rill_step_context *step, int which)
{
    return rill_tally_sum(&step->sph->runner.total, which);
}

static inline double rill_step_mean(const rill_step_context *step, int which)
{
    const uint32_t due = step->sph->liquid.due.particles;
    return rill_step_sum(step, which) / (due ? due : 1);
}

/* The largest of the last pass. */
static inline double rill_step_largest(const rill_step_context *step, int which)
{
    return step->sph->runner.total.largest[which];
}

/* What a method tells the report. */
typedef struct rill_solve_result {
    double *values; /* one for each of the method's columns, in their order; zero when the step begins */
    bool limit_hit; /* its iterations ended at their limit */
} rill_solve_result;

/* Makes the velocities obey the continuity of the liquid. When solve is called
 * the velocities hold everything but pressure; when it returns they are final. */
typedef struct rill_solver {
    const char *name;
    /* The keys of a scene that it reads, with a home each; ends with a NULL name. Those that several solvers read are
     * described once, in params.h. */
    const rill_param *params;
    /* The mean compression it leaves where the scene does not say, share of rest density. */
    double density_error;
    /* Adds the fields it owns and returns its own state in *self (may be NULL). */
    rill_status (*create)(rill_sph *sph, const rill_scene *scene, void **self, rill_error *err);
    void (*destroy)(void *self);
    /* Takes the numbers that may change while a world runs, and those that the engine chooses from them (density_error,
     * sound_speed): after create, and after every change of them. NULL: there are none. */
    void (*tune)(void *self, const rill_scene *scene);
    /* The speed that counts for the CFL condition beside the particles' own, m/s; NULL: there is no sound to follow. */
    double (*signal_speed)(const void *self);
    /* True when the solver carries the density itself; NULL: it never does. */
    bool (*keeps_density)(const void *self);
    /* Pressure acts as an explicit force, whose acceleration limits the step. Else FIELD_ACCELERATION is the solver's
     * to use. */
    bool explicit_pressure;
    /* Pressure moves particles by dt^2 times its force, which limits the step in deep liquid. */
    bool implicit_pressure;
    /* What it adds to the report; ends with a NULL name. NULL: nothing. */
    const rill_column *columns;
    /* Before forces act; NULL: nothing to do. */
    rill_status (*begin)(void *self, const rill_step_context *step, rill_solve_result *result, rill_error *err);
    rill_status (*solve)(void *self, const rill_step_context *step, rill_solve_result *result, rill_error *err);
} rill_solver;

/* Adds to FIELD_ACCELERATION what is neither pressure nor gravity. Forces act one after the other, and each finds
 * there what those before it added. */
typedef struct rill_force {
    const char *name;
    /* The keys of a scene that it brings, as a solver does; NULL: none, or another force brings them. */
    const rill_param *params;
    /* Refuses what its keys say together, in a sentence, and points *at to the value at fault; each by itself is in its
     * range already. Asked of every scene. NULL: there is nothing more to check. */
    rill_status (*check)(const rill_scene *scene, const void **at, rill_error *err);
    /* Whether the scene asks for it; nothing below is called where it does not. */
    bool (*active)(const rill_sph *sph, const rill_scene *scene);
    /* Adds the fields it owns and returns its own state in *self. NULL: it has none, and self is NULL. */
    rill_status (*create)(rill_sph *sph, const rill_scene *scene, void **self, rill_error *err);
    void (*destroy)(void *self);
    /* As a solver's. NULL: it has no such numbers, or reads them from sph. */
    void (*tune)(void *self, const rill_scene *scene);
    /* Before there is a world: the speed, m/s, that liquid may reach by it alone, and the longest step, s, that it will
     * allow. NULL: none, any. */
    double (*expected_speed)(const rill_scene *scene);
    double (*expected_step)(const rill_scene *scene);
    /* The longest time, s, for which its acceleration may be held while only velocities change; a longer step is
     * divided into equal parts. NULL: any. */
    double (*longest_part)(const void *self, const rill_sph *sph, double sound_speed);
    /* The longest step, s, in which particles may move under it. NULL: any. */
    double (*longest_step)(const void *self, const rill_sph *sph);
    /* What it adds to the report, as a solver does. A step that is divided into parts applies the force once for
     * each. */
    const rill_column *columns;
    /* NULL: it has no acceleration. */
    rill_status (*apply)(void *self, const rill_step_context *step, rill_solve_result *result, rill_error *err);
    /* Finds a small displacement of every particle beside that of its velocity, when velocities are final, and returns
     * the row of records it leaves it in. At most one force of a world has this. NULL: there is none. */
    uint32_t (*displace)(void *self, const rill_step_context *step);
    /* The potential energy, J, of the particles where they are now. NULL: it has none. */
    double (*potential)(void *self, const rill_step_context *step);
} rill_force;

/* What the liquid got from a body, as so many of the runner's further sums: momentum, and angular momentum about its
 * centre. */
enum { RILL_REACTION_SUMS = 6 };

/* How liquid feels bodies. Of a wall pair only the liquid's side carries pressure in a solve, so walls press with a
 * pressure of their own beside it. */
typedef struct rill_wall_method {
    /* Adds the fields it owns and returns its own state in *self. */
    rill_status (*create)(rill_sph *sph, void **self, rill_error *err);
    void (*destroy)(void *self);
    /* As so many times their psi wall particles count, at this time, s. */
    double (*weight)(const rill_sph *sph, double time);
    /* Once the neighbours are known: leaves the rows that passes read (fluid/touch.h). */
    rill_status (*touch)(const rill_step_context *step, rill_error *err);
    /* Before forces act: finds how hard walls will press in this step. */
    void (*begin)(void *self, const rill_step_context *step);
    /* Adds it to FIELD_ACCELERATION, like a force. */
    void (*push)(void *self, const rill_step_context *step);
    /* When the solver is done: notes what the next step needs. */
    void (*learn)(void *self, const rill_step_context *step);
    /* At the end of a step: adds up what the liquid got from every body, times a share. */
    void (*react)(const rill_step_context *step, double share);
} rill_wall_method;

/* What a probe may look at after a step. */
typedef struct rill_probe_view {
    const rill_sph *sph;
    double kinetic, potential; /* J, of all liquid */
    const rill_body *bodies;
    const rill_patch *patch; /* that of the probe; NULL: it has none */
} rill_probe_view;

/* Reads one or more figures off the liquid. */
typedef struct rill_probe_method {
    const char *name;
    const char *about; /* what it measures, a phrase */
    const rill_param *params; /* the keys it reads, at home in RILL_IN_PROBE; NULL: none */
    /* What it measures, one row for each value; the names come behind that of the probe. Ends with a NULL name. */
    const rill_column *(*columns)(const rill_probe *probe);
    void (*measure)(const rill_probe_view *view, const rill_probe *probe, double *values);
} rill_probe_method;

/* What all methods have in common. */
typedef struct rill_method {
    rill_method_kind kind;
    const char *name, *about;
    const rill_param *params;
} rill_method;

/* By index: solvers, then forces, then probes; false past the last. */
bool rill_method_at(uint32_t index, rill_method *method);

/* By name and variant; NULL: there is none. */
const rill_solver *rill_solver_find(const char *name, rill_variant variant);
/* By index; NULL past the last. */
const rill_solver *rill_solver_at(uint32_t index, rill_variant variant);
/* The forces in the order in which they act; NULL past the last. */
const rill_force *rill_force_at(uint32_t index, rill_variant variant);
/* By variant. */
const rill_wall_method *rill_wall_method_of(rill_variant variant);
/* By index or name; NULL: there is none. */
const rill_probe_method *rill_probe_method_at(uint32_t index);
const rill_probe_method *rill_probe_method_find(const char *name);

#endif

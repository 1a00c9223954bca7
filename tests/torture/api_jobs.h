/* What a job of the API's torture works with: what it may report, a scene that uses
 * every part of the physics, and worlds stepped to a hash. */
#ifndef RILL_TORTURE_API_JOBS_H
#define RILL_TORTURE_API_JOBS_H

#include "api_fields.h"
#include "section.h"

typedef struct job_result {
    uint64_t cases;
    char fault[300]; /* "" when all was as it must be */
} job_result;

typedef struct job job;
struct job {
    const char *part;
    void (*run)(const job *j, job_result *r);
    const field *field; /* for jobs that walk a struct */
    uint64_t seed;
    const char *work;
};

static inline void job_fault(job_result *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline void job_fault(job_result *r, const char *format, ...)
{
    if (r->fault[0]) return;
    va_list args;
    va_start(args, format);
    vsnprintf(r->fault, sizeof r->fault, format, args);
    va_end(args);
}

static inline uint32_t pick(uint64_t *random, uint32_t below)
{
    return (uint32_t)(rill_hash_mix(*random += 0x9e3779b97f4a7c15u) >> 33) % below;
}

/* ---- scenes ---- */

/* A small dam with a ball in it; `kind` chooses the solver and what else acts. */
static inline rill_scene api_scene(uint32_t kind)
{
    static const char *const solvers[] = {"dfsph", "iisph", "pcisph", "pbf", "wcsph"};
    rill_scene s = rill_scene_default();
    strcpy(s.solver.kind, solvers[kind % 5]);
    s.particle_diameter = 0.1;
    rill_fluid water = rill_fluid_default();
    if (kind % 3 == 1) water.viscosity_kind = RILL_VISCOSITY_IMPLICIT;
    if (kind % 4 == 1) water.tension_kind = RILL_TENSION_COHESION, water.tension = 1;
    rill_fluid oil = water;
    strcpy(oil.name, "oil");
    oil.density = 800;
    rill_fill low = rill_fill_default(), high = rill_fill_default();
    low.shape.to = (rill_vec3){0.5, 0.4, 0.4};
    high.shape.from = (rill_vec3){0, 0, 0.4};
    high.shape.to = (rill_vec3){0.5, 0.4, 0.6};
    high.fluid = 1;
    rill_boundary tank = rill_boundary_default(), ball = rill_boundary_default();
    tank.shape.to = (rill_vec3){1, 0.4, 0.8};
    tank.slip = 0.5;
    strcpy(ball.name, "ball");
    ball.shape = (rill_shape){.kind = RILL_SHAPE_SPHERE, .center = {0.8, 0.2, 0.15}, .radius = 0.12};
    ball.solid = true;
    rill_sine sine = {.amplitude = {0, 0, 0.01}, .swing = {0.1, 0, 0}, .period = 0.3};
    rill_keyframe keyframes[2] = {{.time = 0}, {.time = 1, .move = {0, 0, 0.1}, .turn = {0, 0, 1}}};
    ball.motion = (rill_motion){.amplitude = {0.05, 0, 0}, .period = 0.5, .about = {0.7, 0.2, 0.2}};
    ball.motion.sines = &sine, ball.motion.sine_count = 1;
    ball.motion.keyframes = keyframes, ball.motion.keyframe_count = 2;
    rill_probe probe = rill_probe_default();
    strcpy(probe.name, "point");
    strcpy(probe.kind, "point");
    probe.at = (rill_vec3){0.2, 0.2, 0.1};
    rill_scene_add_fluid(&s, &water, NULL);
    rill_scene_add_fluid(&s, &oil, NULL);
    rill_scene_add_fill(&s, &low, NULL);
    rill_scene_add_fill(&s, &high, NULL);
    rill_scene_add_boundary(&s, &tank, NULL);
    rill_scene_add_boundary(&s, &ball, NULL);
    rill_scene_add_probe(&s, &probe, NULL);
    return s;
}

static inline rill_world *api_world(uint32_t kind, const rill_options *options)
{
    rill_scene scene = api_scene(kind);
    rill_world *world = rill_world_create(&scene, options, NULL);
    rill_scene_free(&scene);
    return world;
}

static inline uint64_t hash_after(rill_world *world, int steps)
{
    for (int i = 0; i < steps; i++) rill_step(world, NULL, NULL, NULL);
    return rill_world_hash(world);
}

/* ---- what every failed call owes ---- */

/* A call may succeed, or fail as the caller's or the machine's trouble with a sentence. */
static inline void judge_call(job_result *r, const char *what, uint32_t v, rill_status status, const rill_error *err)
{
    r->cases++;
    if (status == RILL_OK) return;
    if (err->status != status)
        job_fault(r, "%s, value %u: the status is %d but the error says %d", what, v, (int)status, (int)err->status);
    if (strlen(err->text) < 10) job_fault(r, "%s, value %u: status %d without a sentence", what, v, (int)status);
}

#endif

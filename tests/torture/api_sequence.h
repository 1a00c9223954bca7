/* Jobs of many calls: random sequences with a model of what the world must say, and
 * worlds made and destroyed again and again. */
#ifndef RILL_TORTURE_API_SEQUENCE_H
#define RILL_TORTURE_API_SEQUENCE_H

#include "api_threads.h"

enum { SLOTS = 3, SEQUENCE_CALLS = 60, CHURN_WORLDS = 200 };

/* What a world must say of itself. */
typedef struct model {
    rill_world *world;
    uint32_t kind, count;
    uint64_t step, hash;
    double time;
} model;

typedef struct sequence {
    model models[SLOTS];
    rill_snapshot *snapshot; /* of `saved` */
    model saved;             /* its world is NULL while nothing is */
    uint64_t random;
    job_result *r;
} sequence;

static inline void model_note(model *m)
{
    m->time = rill_world_time(m->world);
    m->step = rill_world_step_count(m->world);
    m->hash = rill_world_hash(m->world);
    m->count = rill_world_frame(m->world).count;
}

static inline void model_check(sequence *q, const model *m, const char *after)
{
    if (!m->world) return;
    if (rill_world_time(m->world) != m->time || rill_world_step_count(m->world) != m->step)
        job_fault(q->r, "after %s the world is at step %llu, %g s instead of step %llu, %g s", after,
                  (unsigned long long)rill_world_step_count(m->world), rill_world_time(m->world),
                  (unsigned long long)m->step, m->time);
    if (rill_world_frame(m->world).count != m->count)
        job_fault(q->r, "after %s the number of particles is another", after);
    if (rill_world_hash(m->world) != m->hash) job_fault(q->r, "after %s the particles are others", after);
}

static inline void call_create(sequence *q, model *m)
{
    static const unsigned widths[] = {0, 0, 4, 8, 16, 5};
    const rill_options options = {.threads = pick(&q->random, 4), .simd_width = widths[pick(&q->random, 6)]};
    rill_world_destroy(m->world);
    *m = (model){.kind = pick(&q->random, 15)};
    m->world = api_world(m->kind, &options);
    if (m->world) model_note(m);
}

static inline void call_step(sequence *q, model *m)
{
    rill_report report;
    const rill_vec3 gravity = {pick(&q->random, 3) - 1.0, 0, -9.81};
    const rill_body_control body = {.boundary = pick(&q->random, 2), .low = {0.1 * pick(&q->random, 5), 0, 0}};
    const rill_controls controls = {.until = pick(&q->random, 3) ? 0 : m->time + 1e-3,
                                    .gravity = pick(&q->random, 2) ? &gravity : NULL,
                                    .bodies = &body,
                                    .body_count = pick(&q->random, 2)};
    const rill_status status = rill_step(m->world, pick(&q->random, 2) ? &controls : NULL, &report, NULL);
    if (status && status != RILL_TROUBLE) job_fault(q->r, "a good step failed with %d", (int)status);
    if (report.step != m->step + 1 || !(report.time > m->time) || report.particles != m->count || report.lost)
        job_fault(q->r, "a report says step %llu after %llu, %g s after %g s, %llu particles of %u, %llu lost",
                  (unsigned long long)report.step, (unsigned long long)m->step, report.time, m->time,
                  (unsigned long long)report.particles, m->count, (unsigned long long)report.lost);
    const uint32_t count = m->count;
    model_note(m);
    if (m->count != count) job_fault(q->r, "a step changed the number of particles");
}

static inline void call_bad_step(sequence *q, model *m)
{
    const rill_vec3 nowhere = {NAN, 0, 0};
    const rill_body_control bodies[] = {{.boundary = 2}, {.boundary = 0, .high = {0, INFINITY, 0}}};
    const rill_controls bad[] = {{.until = NAN},
                                 {.until = INFINITY},
                                 {.until = m->time > 0 ? m->time / 2 : NAN},
                                 {.gravity = &nowhere},
                                 {.bodies = &bodies[0], .body_count = 1},
                                 {.bodies = &bodies[1], .body_count = 1}};
    rill_error err = {0};
    const uint32_t b = pick(&q->random, sizeof bad / sizeof *bad);
    const rill_status status = rill_step(m->world, &bad[b], NULL, &err);
    judge_call(q->r, "bad controls", b, status, &err);
    if (status != RILL_BAD_INPUT) job_fault(q->r, "bad controls %u gave status %d", b, (int)status);
}

static inline void call_save(sequence *q, model *m)
{
    rill_snapshot_free(q->snapshot);
    q->snapshot = rill_snapshot_take(m->world, NULL);
    if (!q->snapshot) job_fault(q->r, "a world gives no snapshot");
    q->saved = q->snapshot ? *m : (model){0};
}

/* A state goes into a world of its own scene. Where it does not fit, the world is left as it was. */
static inline void call_load(sequence *q, model *m)
{
    if (!q->saved.world) return;
    rill_error err = {0};
    const bool load = pick(&q->random, 2);
    const rill_status status = load ? rill_world_load(m->world, rill_snapshot_state(q->snapshot), &err)
                                    : rill_snapshot_apply(m->world, q->snapshot, &err);
    judge_call(q->r, load ? "rill_world_load" : "rill_snapshot_apply", m->kind, status, &err);
    if (status && m->kind == q->saved.kind)
        job_fault(q->r, "a world does not load a state of its own scene: %s", err.text);
    if (!status) m->time = q->saved.time, m->step = q->saved.step, m->hash = q->saved.hash, m->count = q->saved.count;
}

static inline void call_advance(sequence *q, model *m)
{
    static const double times[] = {0, 1e-4, 3e-3, -1, NAN, INFINITY};
    const uint32_t t = pick(&q->random, 6);
    rill_error err = {0};
    const rill_status status = rill_advance(m->world, times[t], NULL, NULL, &err);
    judge_call(q->r, "rill_advance", t, status, &err);
    if (t > 2 && status != RILL_BAD_INPUT) job_fault(q->r, "advancing by %g s gave status %d", times[t], (int)status);
    if (t > 2) return;
    if (status && status != RILL_TROUBLE) job_fault(q->r, "advancing by %g s failed: %s", times[t], err.text);
    if (!status && rill_world_time(m->world) != m->time + times[t])
        job_fault(q->r, "advancing by %g s missed", times[t]);
    model_note(m);
}

static inline void random_calls(const job *j, job_result *r)
{
    static const struct {
        const char *name;
        void (*call)(sequence *q, model *m);
    } calls[] = {{"a step", call_step},      {"a step", call_step}, {"a bad step", call_bad_step},
                 {"saving", call_save},      {"loading", call_load}, {"advancing", call_advance},
                 {"creating", call_create}};
    sequence q = {.random = j->seed, .r = r};
    for (int k = 0; k < SEQUENCE_CALLS && !r->fault[0]; k++) {
        model *m = &q.models[pick(&q.random, SLOTS)];
        const uint32_t c = m->world ? pick(&q.random, 7) : 6;
        calls[c].call(&q, m);
        r->cases++;
        for (int s = 0; s < SLOTS; s++) model_check(&q, &q.models[s], calls[c].name);
    }
    rill_snapshot_free(q.snapshot);
    for (int s = 0; s < SLOTS; s++) rill_world_destroy(q.models[s].world);
}

/* ---- made and destroyed ---- */

static inline void churn(const job *j, job_result *r)
{
    uint64_t random = j->seed;
    for (int k = 0; k < CHURN_WORLDS; k++) {
        rill_scene scene = api_scene(pick(&random, 60)), copy;
        const uint32_t fate = pick(&random, 5);
        if (fate == 0) scene.fills[0].fluid = 9;
        if (fate == 1) strcpy(scene.solver.kind, "none");
        if (fate == 2) scene.fills[1].shape.from.z = 0.1; /* overlaps */
        rill_error err = {0};
        rill_world *world = rill_world_create(&scene, &(rill_options){.threads = 1 + (unsigned)k % 2}, &err);
        judge_call(r, "rill_world_create", fate, world ? RILL_OK : err.status, &err);
        if (world && fate < 3) job_fault(r, "a scene that makes no sense (%u) is taken", fate);
        if (!world && fate > 2) job_fault(r, "a good scene is refused: %s", err.text);
        if (fate == 4) hash_after(world, 1);
        if (!rill_scene_copy(&copy, &scene, NULL)) rill_scene_free(&copy);
        rill_scene_free(&copy);
        rill_world_destroy(world);
        rill_world_destroy(NULL);
        rill_scene_free(&scene);
        rill_scene_free(&scene);
    }
}

#endif

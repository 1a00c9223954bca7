/* Jobs with threads: worlds in threads of their own, frames read by many, scene text
 * parsed under another locale, and hosts' schedulers of every kind. All must give
 * the bits of a single thread. */
#ifndef RILL_TORTURE_API_THREADS_H
#define RILL_TORTURE_API_THREADS_H

#include <locale.h>
#include <pthread.h>

#include "api_jobs.h"

enum { API_THREADS = 4, THREAD_STEPS = 12 };

/* ---- states, copied as a file would ---- */

/* ---- worlds in threads ---- */

typedef struct world_thread {
    uint32_t kind;
    const char *work;
    uint64_t hash;
    bool broken;
    pthread_t thread;
} world_thread;

/* Steps, saves, makes another world from what was saved, steps both; writes and reads a frame on the way. */
static inline void *live(void *argument)
{
    world_thread *t = argument;
    const rill_options options = {.threads = 1 + t->kind % 3};
    rill_world *world = api_world(t->kind, &options), *again = api_world(t->kind, &options);
    t->broken = true;
    if (world && again) {
        hash_after(world, THREAD_STEPS / 2);
        rill_snapshot *snapshot = rill_snapshot_take(world, NULL);
        const bool loaded = snapshot && !rill_world_load(again, rill_snapshot_state(snapshot), NULL) &&
                            !rill_snapshot_apply(again, snapshot, NULL);
        rill_snapshot_free(snapshot);
        rill_frame_file frame = {0};
        char path[1024];
        snprintf(path, sizeof path, "%s/thread_%ld_%u_%p.h5", t->work, (long)getpid(), t->kind, (void *)t);
        const bool kept = !t->work || (!rill_frame_file_write(path, world, NULL) &&
                                       !rill_frame_file_read(path, &frame, NULL) &&
                                       frame.count == rill_world_frame(world).count);
        rill_frame_file_free(&frame);
        if (t->work) unlink(path);
        t->hash = hash_after(world, THREAD_STEPS / 2);
        t->broken = !loaded || !kept || hash_after(again, THREAD_STEPS / 2) != t->hash;
    }
    rill_world_destroy(world);
    rill_world_destroy(again);
    return NULL;
}

static inline void worlds_in_threads(const job *j, job_result *r)
{
    uint64_t random = j->seed;
    world_thread alone[API_THREADS], together[API_THREADS];
    for (uint32_t t = 0; t < API_THREADS; t++) {
        alone[t] = (world_thread){.kind = pick(&random, 60), .work = j->work};
        live(&alone[t]);
        together[t] = (world_thread){.kind = alone[t].kind, .work = j->work};
        if (alone[t].broken) job_fault(r, "scene %u does not go on from its own state or frame", alone[t].kind);
    }
    for (uint32_t t = 0; t < API_THREADS; t++) pthread_create(&together[t].thread, NULL, live, &together[t]);
    for (uint32_t t = 0; t < API_THREADS; t++) {
        pthread_join(together[t].thread, NULL);
        r->cases++;
        if (together[t].broken || together[t].hash != alone[t].hash)
            job_fault(r, "scene %u has other bits beside worlds in other threads", alone[t].kind);
    }
}

/* ---- many readers of one world ---- */

typedef struct reader {
    const rill_world *world;
    uint64_t sum;
    pthread_t thread;
} reader;

static inline void *read_world(void *argument)
{
    reader *q = argument;
    q->sum = rill_world_hash(q->world) + rill_world_step_count(q->world) + rill_world_frame(q->world).count +
             rill_world_boundary_particles(q->world) + (uint64_t)rill_world_boundary_shape(q->world, 1).kind;
    rill_snapshot *snapshot = rill_snapshot_take(q->world, NULL);
    for (uint32_t i = 0; snapshot && i < rill_snapshot_state(snapshot)->count; i++) {
        const rill_array *a = &rill_snapshot_state(snapshot)->arrays[i];
        q->sum = rill_hash_add(q->sum, a->count + a->lanes);
    }
    rill_snapshot_free(snapshot);
    rill_sample sample;
    rill_world_sample(q->world, &(rill_vec3){0.1, 0.1, 0.1}, 1, &sample);
    q->sum += (uint64_t)sample.wet + rill_world_count(q->world, (rill_vec3){0, 0, 0}, (rill_vec3){1, 1, 1});
    for (uint32_t i = 0; rill_world_probe_name(q->world, i); i++) q->sum += strlen(rill_world_probe_name(q->world, i));
    return NULL;
}

static inline void many_readers(const job *j, job_result *r)
{
    rill_world *world = api_world((uint32_t)(j->seed % 60), &(rill_options){.threads = 2});
    for (int round = 0; round < 4 && world; round++) {
        hash_after(world, 3);
        reader one = {.world = world}, readers[API_THREADS];
        read_world(&one);
        for (uint32_t t = 0; t < API_THREADS; t++) {
            readers[t] = (reader){.world = world};
            pthread_create(&readers[t].thread, NULL, read_world, &readers[t]);
        }
        for (uint32_t t = 0; t < API_THREADS; t++) {
            pthread_join(readers[t].thread, NULL);
            r->cases++;
            if (readers[t].sum != one.sum) job_fault(r, "a world reads differently from several threads");
        }
    }
    rill_world_destroy(world);
}

/* ---- scene text under another locale ---- */

typedef struct parser {
    const char *text;
    size_t length;
    bool broken;
    pthread_t thread;
} parser;

static inline char *scene_text(const rill_scene *scene, size_t *length)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    if (!out) return NULL;
    const rill_status status = rill_scene_write(scene, out, NULL);
    fclose(out);
    if (!status) return text;
    free(text);
    return NULL;
}

/* A scene that was read, written and read again is the same. */
static inline void *parse_text(void *argument)
{
    parser *p = argument;
    for (int k = 0; k < 5 && !p->broken; k++) {
        rill_scene scene;
        const char *settings[] = {"particle_diameter=62.5 mm", "solver.sound_speed=30.25 m/s"};
        p->broken = rill_scene_parse(p->text, p->length, "text", NULL, 0, &scene, NULL) != RILL_OK;
        if (p->broken) break;
        size_t length = 0;
        char *again = scene_text(&scene, &length);
        p->broken = !again || length != p->length || memcmp(again, p->text, length);
        free(again);
        rill_scene_free(&scene);
        if (rill_scene_parse(p->text, p->length, "text", settings, 2, &scene, NULL)) continue;
        p->broken = p->broken || scene.particle_diameter != 0.0625 || scene.solver.sound_speed != 30.25;
        rill_scene_free(&scene);
    }
    return NULL;
}

static inline void texts_in_threads(const job *j, job_result *r)
{
    parser parsers[API_THREADS] = {0};
    /* A comma in numbers, where the machine has such a locale. */
    static const char *const locales[] = {"C", "de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"};
    setlocale(LC_ALL, locales[j->seed % 4]);
    for (uint32_t t = 0; t < API_THREADS; t++) {
        rill_scene scene = api_scene((uint32_t)(j->seed + t) % 60);
        parsers[t].text = scene_text(&scene, &parsers[t].length);
        rill_scene_free(&scene);
        if (!parsers[t].text) job_fault(r, "a scene could not be written");
        if (parsers[t].text) pthread_create(&parsers[t].thread, NULL, parse_text, &parsers[t]);
    }
    for (uint32_t t = 0; t < API_THREADS; t++) {
        if (!parsers[t].text) continue;
        pthread_join(parsers[t].thread, NULL);
        r->cases++;
        if (parsers[t].broken)
            job_fault(r, "scene text does not read back as it was written under locale %s", setlocale(LC_ALL, NULL));
        free((char *)parsers[t].text);
    }
    setlocale(LC_ALL, "C");
}

/* ---- schedulers of the host ---- */

static inline void backwards_for(void *user, size_t count, rill_loop_body *body, void *context)
{
    (void)user;
    for (size_t i = count; i-- > 0;) body(context, i, (unsigned)(i % 3));
}

/* Halves the range again and again. */
static inline void halves(size_t from, size_t to, rill_loop_body *body, void *context)
{
    if (to - from == 1) {
        body(context, from, 0);
    } else if (to > from) {
        halves((from + to) / 2, to, body, context);
        halves(from, (from + to) / 2, body, context);
    }
}

static inline void halves_for(void *user, size_t count, rill_loop_body *body, void *context)
{
    (void)user;
    halves(0, count, body, context);
}

typedef struct stripe {
    size_t count;
    rill_loop_body *body;
    void *context;
    unsigned worker;
    pthread_t thread;
} stripe;

static inline void *run_stripe(void *argument)
{
    const stripe *s = argument;
    for (size_t i = s->worker; i < s->count; i += 3) s->body(s->context, i, s->worker);
    return NULL;
}

/* New threads for every loop. */
static inline void spawning_for(void *user, size_t count, rill_loop_body *body, void *context)
{
    (void)user;
    stripe stripes[3];
    for (unsigned w = 0; w < 3; w++) {
        stripes[w] = (stripe){count, body, context, w, 0};
        if (w) pthread_create(&stripes[w].thread, NULL, run_stripe, &stripes[w]);
    }
    run_stripe(&stripes[0]);
    for (unsigned w = 1; w < 3; w++) pthread_join(stripes[w].thread, NULL);
}

static inline void host_schedulers(const job *j, job_result *r)
{
    const uint32_t kind = (uint32_t)(j->seed % 60);
    rill_world *world = api_world(kind, &(rill_options){.threads = 1});
    const uint64_t usual = hash_after(world, 5);
    rill_world_destroy(world);
    const rill_scheduler schedulers[] = {{backwards_for, NULL, 3}, {halves_for, NULL, 1}, {spawning_for, NULL, 3},
                                         {halves_for, NULL, 100}};
    for (size_t s = 0; s < sizeof schedulers / sizeof *schedulers; s++) {
        world = api_world(kind, &(rill_options){.scheduler = &schedulers[s]});
        r->cases++;
        if (!world || hash_after(world, 5) != usual)
            job_fault(r, "scene %u has other bits under scheduler %zu", kind, s);
        rill_world_destroy(world);
    }
    const rill_scheduler bad[] = {{backwards_for, NULL, 0}, {NULL, NULL, 3}, {NULL, NULL, 0}};
    for (size_t s = 0; s < sizeof bad / sizeof *bad; s++) {
        rill_scene scene = api_scene(kind);
        rill_error err = {0};
        world = rill_world_create(&scene, &(rill_options){.scheduler = &bad[s]}, &err);
        judge_call(r, "rill_scheduler", (uint32_t)s, world ? RILL_OK : err.status, &err);
        if (world) job_fault(r, "a scheduler without workers or loop is taken");
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
}

#endif

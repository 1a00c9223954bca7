/* Jobs that put every strange value into one number of a public struct. A call must
 * refuse it with a sentence, or do without it. What can have no meaning (NaN,
 * infinity, a kind that does not exist) may be taken only where it changes nothing. */
#ifndef RILL_TORTURE_API_WALK_H
#define RILL_TORTURE_API_WALK_H

#include <signal.h>

#include "api_jobs.h"

/* ---- scenes ---- */

/* The record of a scene in which the field lies. */
static inline void *scene_record(rill_scene *s, const char *name)
{
    if (!strncmp(name, "rill_fluid.", 11)) return &s->fluids[0];
    if (!strncmp(name, "rill_fill.", 10)) return &s->fills[0];
    if (!strncmp(name, "rill_boundary.", 14)) return &s->boundaries[1];
    if (!strncmp(name, "rill_probe.", 11)) return &s->probes[0];
    return s;
}

static inline void walk_scene(const job *j, job_result *r)
{
    const uint32_t kind = (uint32_t)(j->seed % 60);
    const rill_options options = {.threads = 1};
    rill_world *plain = api_world(kind, &options);
    const uint64_t usual = hash_after(plain, 3);
    rill_world_destroy(plain);
    for (uint32_t v = 0; v < BAD_VALUES; v++) {
        rill_scene scene = api_scene(kind);
        const bool senseless = poke(scene_record(&scene, j->field->name), j->field, v);
        rill_error err = {0};
        const rill_status checked = rill_scene_check(&scene, &err);
        judge_call(r, j->field->name, v, checked, &err);
        rill_estimate estimate;
        err = (rill_error){0};
        judge_call(r, j->field->name, v, rill_scene_estimate(&scene, &estimate, &err), &err);
        err = (rill_error){0};
        rill_world *world = rill_world_create(&scene, &options, &err);
        judge_call(r, j->field->name, v, world ? RILL_OK : err.status, &err);
        if (!world && !err.status) job_fault(r, "%s, value %u: no world and no error", j->field->name, v);
        if (world && checked) job_fault(r, "%s, value %u: the check refuses what a world takes", j->field->name, v);
        if (world && senseless && hash_after(world, 3) != usual)
            job_fault(r, "%s, value %u: taken without a word, and it changes the result", j->field->name, v);
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
}

/* ---- controls and options ---- */

/* The world is as before after a step that was refused. */
static inline void judge_step(job_result *r, const field *f, uint32_t v, rill_world *world,
                              const rill_controls *controls, bool senseless)
{
    const double time = rill_world_time(world);
    const uint64_t step = rill_world_step_count(world), hash = rill_world_hash(world);
    rill_error err = {0};
    rill_report report;
    const rill_status status = rill_step(world, controls, &report, &err);
    judge_call(r, f->name, v, status, &err);
    const bool moved =
        rill_world_time(world) != time || rill_world_step_count(world) != step || rill_world_hash(world) != hash;
    if (status == RILL_BAD_INPUT && moved)
        job_fault(r, "%s, value %u: a step that was refused changed the world", f->name, v);
    if (!status && rill_world_step_count(world) != step + 1)
        job_fault(r, "%s, value %u: a step that did not count", f->name, v);
    if (!status && !(rill_world_time(world) > time)) job_fault(r, "%s, value %u: a step that took no time", f->name, v);
    if (!status && senseless) job_fault(r, "%s, value %u: taken without a word", f->name, v);
    if (!isfinite(rill_world_time(world))) job_fault(r, "%s, value %u: the time is not finite", f->name, v);
}

static inline void walk_controls(const job *j, job_result *r)
{
    for (uint32_t v = 0; v < BAD_VALUES; v++) {
        rill_world *world = api_world((uint32_t)(j->seed % 5), &(rill_options){.threads = 1});
        rill_body_control body = {.boundary = 1}, pull = {0};
        rill_controls controls = {.bodies = &body, .body_count = 1};
        bool senseless = false;
        if (!strncmp(j->field->name, "rill_controls.until", 19)) senseless = poke(&controls, j->field, v);
        else if (!strncmp(j->field->name, "rill_controls.body_count", 24))
            controls.body_count = 0, controls.bodies = NULL;
        else if (j->part[0] == 'g') senseless = poke(&pull, j->field, v), controls.gravity = &pull.low;
        else senseless = poke(&body, j->field, v);
        judge_step(r, j->field, v, world, &controls, senseless);
        judge_step(r, j->field, v, world, NULL, false);
        rill_error err = {0};
        judge_call(r, "rill_advance", v, rill_advance(world, 0, &controls, NULL, &err), &err);
        const double seconds = bad_double(v);
        err = (rill_error){0};
        if (!(seconds > 1)) judge_call(r, "rill_advance", v, rill_advance(world, seconds, NULL, NULL, &err), &err);
        rill_world_destroy(world);
    }
}

static inline void walk_options(const job *j, job_result *r)
{
    for (uint32_t v = 0; v < BAD_VALUES; v++) {
        rill_options options = {.threads = 1};
        poke(&options, j->field, v);
        rill_scene scene = api_scene(0);
        rill_error err = {0};
        rill_world *world = rill_world_create(&scene, &options, &err);
        judge_call(r, j->field->name, v, world ? RILL_OK : err.status, &err);
        if (!world && !err.status) job_fault(r, "%s, value %u: no world and no error", j->field->name, v);
        if (world) hash_after(world, 2);
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
}

/* ---- pictures and surfaces ---- */

/* A frame file made by hand, as one that was read. */
static inline bool frame_of(const rill_world *world, const char *work, rill_frame_file *frame)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/api_%ld.h5", work, (long)getpid());
    bool made = !rill_frame_file_write(path, world, NULL) && !rill_frame_file_read(path, frame, NULL);
    unlink(path);
    return made;
}

static inline void walk_shot(const job *j, job_result *r)
{
    rill_world *world = api_world(0, &(rill_options){.threads = 1});
    rill_frame_file frame = {0};
    if (!frame_of(world, j->work, &frame)) job_fault(r, "a frame could not be written and read");
    uint8_t *rgb = malloc(3 * 64 * 48);
    for (uint32_t v = 0; v < BAD_VALUES && !r->fault[0]; v++) {
        rill_shot shot = rill_shot_default();
        shot.width = 64, shot.height = 48;
        shot.surface = v % 2;
        poke(&shot, j->field, v);
        /* What is drawn must fit into the memory that the caller has. */
        if ((uint64_t)shot.width * shot.height > 64 * 48)
            shot.width = shot.width > shot.height ? shot.width : 64, shot.height = 0;
        rill_error err = {0};
        judge_call(r, j->field->name, v, rill_shot_draw(&frame, rill_world_scene(world), &shot, rgb, &err), &err);
        err = (rill_error){0};
        judge_call(r, j->field->name, v, rill_shot_widen(&frame, NULL, v % 2, &shot, &err), &err);
    }
    free(rgb);
    rill_frame_file_free(&frame);
    rill_world_destroy(world);
}

static inline void walk_surface(const job *j, job_result *r)
{
    rill_world *world = api_world(0, &(rill_options){.threads = 1});
    rill_frame_file frame = {0};
    rill_particles particles = {0};
    if (!frame_of(world, j->work, &frame) || rill_particles_of_frame(&frame, NULL, &particles, NULL))
        job_fault(r, "there are no particles of a frame");
    for (uint32_t v = 0; v < BAD_VALUES && !r->fault[0]; v++) {
        rill_surface_options options = rill_surface_default();
        options.memory = 64 << 20;
        rill_particles given = particles;
        const bool of_particles = !strncmp(j->field->name, "rill_particles", 14);
        const bool rounds =
            strstr(j->field->name, "smooth") && bad_word(v) > 7; /* that many rounds are a matter of time */
        const bool senseless = poke(of_particles ? (void *)&given : (void *)&options, j->field, v);
        if (rounds) continue;
        rill_error err = {0};
        rill_mesh mesh = {0};
        const rill_status status = rill_surface_make(&given, &options, &mesh, NULL, &err);
        judge_call(r, j->field->name, v, status, &err);
        if (!status && senseless) job_fault(r, "%s, value %u: taken without a word", j->field->name, v);
        if (!status) rill_mesh_free(&mesh);
    }
    rill_particles_free(&particles);
    rill_frame_file_free(&frame);
    rill_world_destroy(world);
}

static inline rill_stage *small_stage(const rill_material *material, const rill_sky *sky, rill_error *err)
{
    static const float ball[4] = {0, 0, 1, 1};
    rill_stage *stage = rill_stage_create(err);
    uint32_t id;
    if (!stage) return NULL;
    if (rill_stage_add_material(stage, material, &id, err) || rill_stage_add_spheres(stage, ball, 1, id, err) ||
        rill_stage_set_sky(stage, sky, err) || rill_stage_commit(stage, err)) {
        rill_stage_free(stage);
        return NULL;
    }
    return stage;
}

static inline void walk_render(const job *j, job_result *r)
{
    const char *name = j->field->name;
    for (uint32_t v = 0; v < BAD_VALUES; v++) {
        rill_material material = rill_material_default((rill_material_kind)(j->seed % 4));
        rill_sky sky = rill_sky_default(j->seed % 2 ? RILL_SKY_UNIFORM : RILL_SKY_PREETHAM);
        rill_camera camera = rill_camera_default();
        rill_trace_options options = rill_trace_default();
        options.width = options.height = 8;
        options.samples = 2;
        bool senseless = false;
        if (strstr(name, "rill_material")) senseless = poke(&material, j->field, v);
        else if (strstr(name, "rill_sky")) senseless = poke(&sky, j->field, v);
        else if (strstr(name, "rill_camera")) senseless = poke(&camera, j->field, v);
        else senseless = poke(&options, j->field, v);
        /* Large pictures and many samples are a matter of time. */
        if (options.width > 1000 && options.width < 1u << 30) continue;
        if (options.height > 1000 && options.height < 1u << 30) continue;
        if (options.samples > 1000 && options.samples <= 65536) continue;
        rill_error err = {0};
        rill_stage *stage = small_stage(&material, &sky, &err);
        judge_call(r, name, v, stage ? RILL_OK : err.status, &err);
        if (!stage) continue;
        rill_trace_result result = {0};
        err = (rill_error){0};
        const rill_status status = rill_trace(stage, &camera, &options, &result, &err);
        judge_call(r, name, v, status, &err);
        for (size_t i = 0; !status && senseless && i < 3 * (size_t)result.width * result.height; i++)
            if (!isfinite(result.rgb[i]))
                job_fault(r, "%s, value %u: taken without a word, and pixels are not finite", name, v);
        rill_trace_result_free(&result);
        rill_stage_free(stage);
    }
}

#endif

/* The account of a run: sums over its steps, as JSON and in words. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "json.h"
#include "run_parts.h"
#include "say.h"

bool run_tally_world(run_tally *t, const rill_world *world)
{
    t->hash = rill_world_hash(world);
    t->threads = rill_world_threads(world);
    t->simd_width = rill_world_simd_width(world);
    t->boundary_particles = rill_world_boundary_particles(world);
    t->step_count = rill_world_step_count(world);
    t->particles = rill_world_frame(world).count;
    t->time = rill_world_time(world);
    t->bodies = calloc(rill_world_body_count(world) + 1, sizeof *t->bodies);
    if (!t->bodies) return false;
    for (; t->body_count < rill_world_body_count(world); t->body_count++) {
        t->bodies[t->body_count] = rill_world_body(world, t->body_count);
        t->bodies[t->body_count].name = NULL; /* the world's own */
    }
    return true;
}

void run_tally_free(run_tally *t)
{
    free(t->bodies);
    t->bodies = NULL;
    t->body_count = 0;
}

void run_tally_recall(run_tally *t, const char *folder)
{
    if (!t->report.rows) rill_run_read_summary(folder, &t->report, NULL);
}

static void phases_put(json *j, const run_tally *t)
{
    json_open(j, "stages", '{');
    for (uint32_t i = 0; i < t->report.count; i++) {
        const char *phase = rill_column_phase(t->report.columns[i]->name);
        /* Those of a run that was complete already belong to another process. */
        if (phase) json_number(j, phase, t->steps ? rill_summary_value_at(&t->report, i) : 0);
    }
    json_number(j, "write", t->write_seconds);
    json_close(j, '}');
}

static void vector_put(json *j, const char *key, rill_vec3 v)
{
    json_numbers(j, key, (const double[]){v.x, v.y, v.z}, 3);
}

/* Where boundaries are in the world, and what the last step did to them. */
static void bodies_put(json *j, const run_tally *t, const rill_scene *scene)
{
    json_open(j, "bodies", '[');
    for (uint32_t i = 0; i < t->body_count; i++) {
        const rill_body_state *b = &t->bodies[i];
        const rill_vec3 o = scene->origin, at = {b->position.x + o.x, b->position.y + o.y, b->position.z + o.z};
        json_open(j, NULL, '{');
        json_text(j, "name", scene->boundaries[i].name);
        vector_put(j, "position", at);
        json_numbers(j, "rotation", b->rotation, 4);
        vector_put(j, "velocity", b->velocity);
        vector_put(j, "spin", b->spin);
        vector_put(j, "force", b->force);
        vector_put(j, "torque", b->torque);
        json_close(j, '}');
    }
    json_close(j, ']');
}

void run_tally_json(const run_tally *t, const run_plan *plan, FILE *out)
{
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, t->hash);
    json j = json_start(out);
    json_open(&j, NULL, '{');
    json_text(&j, "scene", plan->scene.name);
    json_text(&j, "solver", plan->scene.solver.kind);
    json_count(&j, "particles", t->particles);
    json_count(&j, "boundary_particles", t->boundary_particles);
    json_number(&j, "particle_diameter_m", plan->scene.particle_diameter);
    json_count(&j, "threads", t->threads);
    json_count(&j, "simd_width", t->simd_width);
    json_count(&j, "steps", t->step_count);
    json_count(&j, "steps_taken", t->steps);
    json_number(&j, "simulated_s", t->time);
    json_number(&j, "wall_s", t->wall);
    json_number(&j, "cpu_s", t->cpu);
    json_number(&j, "peak_rss_mb", (double)t->peak_memory / 1e6);
    report_put(&j, &t->report);
    json_number(&j, "energy_j",
                rill_summary_value(&t->report, "kinetic") + rill_summary_value(&t->report, "potential"));
    json_text(&j, "state_hash", hash);
    phases_put(&j, t);
    bodies_put(&j, t, &plan->scene);
    json_text(&j, "run", plan->folder.text);
    json_count(&j, "frames", t->frames);
    if (t->picture.text[0]) json_text(&j, "picture", t->picture.text);
    json_flag(&j, "resumed", t->resumed);
    json_flag(&j, "interrupted", t->interrupted);
    json_count(&j, "exit_code", (uint64_t)t->exit_code);
    json_close(&j, '}');
}

static void work_say(const run_tally *t, const run_plan *plan, FILE *out)
{
    if (!t->steps) {
        fprintf(out, "%s is %s at %.4g s after %s\n", plan->scene.name,
                t->interrupted ? "stopped" : t->resumed ? "complete already" : "complete", t->time,
                say_many(t->step_count, "step").text);
        return;
    }
    fprintf(out, "%s %.4g s of %s: %s in %s (%.0f ns per particle and step), %s of memory\n",
            t->interrupted ? "Stopped at" : "Simulated", t->time, plan->scene.name, say_many(t->steps, "step").text,
            say_duration(t->wall).text, t->wall / (double)t->steps / t->particles * 1e9,
            say_bytes(t->peak_memory).text);
}

void run_tally_say(const run_tally *t, const run_plan *plan, FILE *out)
{
    path_text folder = path_quote(plan->folder.text);
    work_say(t, plan, out);
    const uint64_t troubles = (uint64_t)rill_summary_value(&t->report, "trouble_count");
    const uint64_t lost = (uint64_t)rill_summary_value(&t->report, "lost");
    if (troubles) fprintf(out, "  troubles  %s, listed in report.csv\n", say_count(troubles).text);
    if (lost) fprintf(out, "  lost      %s outside every container\n", say_many(lost, "particle").text);
    fprintf(out, "  run       %s\n", plan->folder.text);
    if (t->interrupted) {
        fprintf(out, "  go on     %s run --resume --out %s\n", say_program(), folder.text);
        return;
    }
    if (t->picture.text[0]) fprintf(out, "  picture   %s\n", t->picture.text);
    fprintf(out, "  draw      %s shot %s --frame last --colour %s\n", say_program(), folder.text,
            plan->scene.output.pressure ? "pressure" : "speed");
    fprintf(out, "  open      %s export %s --format vtp, then open %s in ParaView\n", say_program(), folder.text,
            path_quote(path_join(plan->folder.text, "vtp/series.pvd").text).text);
}

/* rill info: what is in a scene or a run. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "frame_list.h"
#include "json.h"
#include "machine.h"
#include "run_parts.h"
#include "say.h"
#include "tables.h"

/* ---- scenes ---- */

static void vec_say(const char *before, rill_vec3 v, const char *unit)
{
    printf("%s(%g, %g, %g) %s", before, v.x, v.y, v.z, unit);
}

static bool vec_given(rill_vec3 v)
{
    return v.x || v.y || v.z;
}

static void fluids_say(const rill_scene *s)
{
    static const char *const kinds[] = {"none", "laplacian", "mueller", "xsph", "artificial", "implicit"};
    static const char *const units[] = {"", " m2/s", " m2/s", "", "", " m2/s"};
    static const char *const tensions[] = {"none", "colour", "cohesion"};
    for (uint32_t i = 0; i < s->fluid_count; i++) {
        const rill_fluid *f = &s->fluids[i];
        printf("  fluid       %s: %g kg/m3, viscosity %s", f->name, f->density, kinds[f->viscosity_kind]);
        if (f->viscosity_kind != RILL_VISCOSITY_NONE) printf(" %g%s", f->viscosity, units[f->viscosity_kind]);
        if (f->tension_kind != RILL_TENSION_NONE) printf(", tension %s %g N/m", tensions[f->tension_kind], f->tension);
        putchar('\n');
    }
}

static void sides_say(uint32_t sides)
{
    static const char *const names[] = {"-x", "+x", "-y", "+y", "-z", "+z"};
    for (int i = 0; i < 6; i++) {
        if (sides >> i & 1) printf(" %s", names[i]);
    }
}

static void motion_say(const rill_boundary *b)
{
    const rill_motion *m = &b->motion;
    const bool swings = vec_given(m->amplitude) || vec_given(m->swing);
    if (!vec_given(m->velocity) && !vec_given(m->spin) && !swings && !m->sine_count && !m->keyframe_count) return;
    printf(", moves");
    if (m->sides != RILL_SIDE_ALL) sides_say(m->sides);
    if (vec_given(m->velocity)) vec_say(" with ", m->velocity, "m/s");
    if (vec_given(m->spin)) vec_say(" turning with ", m->spin, "rad/s");
    if (vec_given(m->amplitude)) vec_say(" by ", m->amplitude, "m");
    if (vec_given(m->swing)) vec_say(" by ", m->swing, "rad");
    if (swings) printf(" to either side in %g s", m->period);
    if (m->sine_count) printf(" with %u %ssine%s", m->sine_count, swings ? "more " : "", m->sine_count > 1 ? "s" : "");
    if (m->keyframe_count)
        printf(" along %u keyframes in %g s", m->keyframe_count, m->keyframes[m->keyframe_count - 1].time);
    if (m->start > 0) printf(" from %g s", m->start);
    if (m->stop > 0) printf(" until %g s", m->stop);
}

static void boundaries_say(const rill_scene *s)
{
    for (uint32_t i = 0; i < s->boundary_count; i++) {
        const rill_boundary *b = &s->boundaries[i];
        char shape[240];
        rill_shape_describe(&b->shape, shape, sizeof shape);
        printf("  %s %s: %s", b->solid ? "obstacle   " : "container  ", b->name, shape);
        if (b->open) {
            printf(", open");
            sides_say(b->open);
        }
        printf(", slip %g", b->slip);
        motion_say(b);
        putchar('\n');
    }
}

static void fills_say(const rill_scene *s)
{
    for (uint32_t i = 0; i < s->fill_count; i++) {
        const rill_fill *f = &s->fills[i];
        char shape[240];
        rill_fill_describe(f, shape, sizeof shape);
        printf("  fill        %s: %s", s->fluids[f->fluid].name, shape);
        if (vec_given(f->velocity)) vec_say(", moving with ", f->velocity, "m/s");
        putchar('\n');
    }
}

static void domain_say(const rill_scene *s)
{
    const double from[] = {s->domain_from.x, s->domain_from.y, s->domain_from.z};
    const double to[] = {s->domain_to.x, s->domain_to.y, s->domain_to.z};
    const char *word = "  periodic   ";
    for (int a = 0; a < 3; a++) {
        if (!s->periodic[a]) continue;
        printf("%s %c from %g to %g m", word, 'x' + a, from[a], to[a]);
        word = ",";
    }
    if (*word == ',') printf("%s\n", run_walls_periodic(s) ? ", where containers have no walls" : "");
}

static void unused_say(const rill_scene *s)
{
    char keys[600];
    rill_scene_unused(s, keys, sizeof keys);
    if (*keys) printf("  not used    %s\n", keys);
}

static void probe_value_say(void *user, const char *key, const char *value)
{
    const char *name = key + *(const size_t *)user;
    if (strcmp(name, "kind")) printf(", %s %s", name, value);
}

/* A probe as the scene has it: its kind and the keys that this one reads. */
static void probes_say(const rill_scene *s)
{
    for (uint32_t i = 0; i < s->probe_count; i++) {
        const rill_probe *p = &s->probes[i];
        char key[RILL_NAME_SIZE + 16];
        size_t length = (size_t)snprintf(key, sizeof key, "probes.%s", p->name) + 1;
        printf("  probe       %s: %s", p->name, p->kind);
        rill_scene_list_values(s, key, probe_value_say, &length, NULL);
        putchar('\n');
    }
}

/* "about 400 steps", "400 to 600 steps": by the speed that liquid may reach in the scene. */
static void steps_say(const rill_estimate *e)
{
    if (e->steps_least < e->steps_most) printf("%s to ", say_count(e->steps_least).text);
    else printf("about ");
    fputs(say_many(e->steps_most, "step").text, stdout);
}

static void scene_say(const rill_scene *s, const rill_estimate *e)
{
    const double rate = s->output.frames ? s->time.frames_per_second : 0;
    printf("%s%s%s\n", s->name, s->about[0] ? ": " : "", s->about);
    printf("  solver      %s\n", s->solver.kind);
    printf("  particles   %s of %s, and %s\n", say_count(e->particles).text,
           say_length(s->particle_diameter).text, say_many(e->boundary_particles, "boundary particle").text);
    printf("  time        %g s in ", s->time.end);
    steps_say(e);
    printf(", %g frame%s a second\n", rate, rate == 1 ? "" : "s");
    printf("  memory      about %s of %s free\n", say_bytes(e->memory_bytes).text,
           say_bytes(machine_memory_available()).text);
    printf("  disk        up to %s in %s\n", say_bytes(e->frames * e->frame_bytes).text,
           say_many(e->frames, "frame").text);
    fluids_say(s);
    fills_say(s);
    boundaries_say(s);
    domain_say(s);
    probes_say(s);
    unused_say(s);
}

static void scene_put(json *j, const rill_scene *s, const rill_estimate *e)
{
    json_text(j, "scene", s->name);
    json_text(j, "about", s->about);
    json_text(j, "solver", s->solver.kind);
    json_number(j, "particle_diameter_m", s->particle_diameter);
    json_count(j, "particles", e->particles);
    json_count(j, "boundary_particles", e->boundary_particles);
    json_number(j, "time_end_s", s->time.end);
    json_count(j, "steps_least", e->steps_least);
    json_count(j, "steps_most", e->steps_most);
    json_count(j, "frames", e->frames);
    json_count(j, "frame_bytes", e->frame_bytes);
    json_count(j, "memory_bytes", e->memory_bytes);
    json_open(j, "fluids", '[');
    for (uint32_t i = 0; i < s->fluid_count; i++) json_text(j, NULL, s->fluids[i].name);
    json_close(j, ']');
    json_open(j, "boundaries", '[');
    for (uint32_t i = 0; i < s->boundary_count; i++) json_text(j, NULL, s->boundaries[i].name);
    json_close(j, ']');
    json_open(j, "probes", '[');
    for (uint32_t i = 0; i < s->probe_count; i++) json_text(j, NULL, s->probes[i].name);
    json_close(j, ']');
}

/* Makes the world, as a run would, and so refuses what a run refuses. Of more particles than that it would take too
 * long, or more memory than there is. */
static int world_try(const rill_scene *scene, const rill_estimate *e)
{
    const uint64_t most = 20000000;
    rill_error err = {0};
    if (e->particles > most || e->boundary_particles > most || e->memory_bytes > machine_memory_available())
        return EXIT_FINE;
    rill_world *world = rill_world_create(scene, NULL, &err);
    rill_world_destroy(world);
    return world ? EXIT_FINE : say_failure(&err);
}

static int scene_info(const run_request *r, bool as_json)
{
    rill_scene scene = {0};
    rill_estimate estimate;
    int code = run_scene_resolve(r, &scene);
    if (!code) code = run_estimate(&scene, &estimate);
    if (!code) code = world_try(&scene, &estimate);
    if (!code && as_json) {
        json j = json_start(stdout);
        json_open(&j, NULL, '{');
        scene_put(&j, &scene, &estimate);
        json_close(&j, '}');
    } else if (!code) {
        scene_say(&scene, &estimate);
    }
    /* Whoever asks for too much wants to know how much it would be. */
    if (!code) code = run_memory_check(&scene, &estimate);
    rill_scene_free(&scene);
    return code;
}

/* ---- runs ---- */

typedef struct run_facts {
    const char *folder;
    rill_scene scene;
    frame_list frames;
    rill_frame_file last;
    rill_summary report;
    bool reported;
    uint64_t bytes;
    uint32_t damaged; /* frames at the end that do not read */
    bool busy;        /* being written now */
} run_facts;

static void trouble_say(const rill_summary *r)
{
    const double troubles = rill_summary_value(r, "trouble_count"), limits = rill_summary_value(r, "limit_hit");
    const double rescued = rill_summary_value(r, "rescued"), lost = rill_summary_value(r, "lost");
    if (troubles > 0)
        printf("  trouble     %.0f in all; the first: particle %" PRIu64 " at (%g, %g, %g) m in step %.0f\n", troubles,
               r->trouble_id, r->trouble_at.x, r->trouble_at.y, r->trouble_at.z, r->trouble_step);
    if (limits > 0)
        printf("  limits      the iteration limit was hit in %s\n", say_many((uint64_t)limits, "step").text);
    if (rescued > 0)
        printf("  rescued     %s a particle was put back inside\n", say_many((uint64_t)rescued, "time").text);
    if (lost > 0) printf("  lost        %s outside every container\n", say_many((uint64_t)lost, "particle").text);
}

/* Resumed from its last frame, such a run would do the same again, to the bit. */
static bool stopped_by_trouble(const run_facts *f)
{
    const rill_summary *r = &f->report;
    return f->reported && rill_summary_value(r, "trouble_count") > 0 &&
           r->trouble_step == rill_summary_value(r, "step") && f->scene.on_trouble == RILL_TROUBLE_STOP;
}

static void run_say(const run_facts *f)
{
    const rill_scene *s = &f->scene;
    const rill_summary *r = &f->report;
    bool ended = f->frames.count && f->last.time >= s->time.end;
    printf("%s: a run of %s%s%s\n", f->folder, s->name, s->about[0] ? ". " : "", s->about);
    printf("  solver      %s, particles of %s\n", s->solver.kind, say_length(s->particle_diameter).text);
    if (f->frames.count) {
        printf("  frames      %s, %" PRIu32 " to %" PRIu32 ", the last at t = %g s of %g s (%s)\n",
               say_count(f->frames.count).text, f->frames.numbers[0], f->frames.numbers[f->frames.count - 1],
               f->last.time, s->time.end, ended ? "complete" : "not at its end");
        printf("  particles   %s\n", say_count(f->last.count).text);
        printf("  steps       %s\n", say_count(f->last.step).text);
    } else {
        printf("  frames      none yet\n");
    }
    if (f->damaged)
        printf("  damaged     frame %" PRIu32 "%s; resuming goes on from the one before\n",
               f->frames.numbers[f->frames.count], f->damaged == 1 ? " is damaged" : " and those after it are damaged");
    printf("  disk        %s\n", say_bytes(f->bytes).text);
    if (f->reported) {
        printf("  energy      kinetic %.4g J, potential %.4g J at t = %g s\n", rill_summary_value(r, "kinetic"),
               rill_summary_value(r, "potential"), rill_summary_value(r, "time"));
        printf("  speed       %.4g m/s at most, last step %.3g ms\n", rill_summary_value(r, "speed_max"),
               rill_summary_value(r, "dt") * 1e3);
        printf("  solving     %s, %.1f neighbours, density error %.3g %%\n", say_duration(rill_summary_seconds(r)).text,
               rill_summary_value(r, "neighbours_mean"), rill_summary_value(r, "density_error"));
        trouble_say(r);
    }
    if (f->busy) printf("  state       being written by a process now\n");
    else if (!ended && stopped_by_trouble(f))
        printf("  go on with  a smaller time.step.max, or trouble.then: continue, in %s;\n"
               "              resumed without such a change, the run ends the same way\n",
               path_quote(path_join(f->folder, "scene.yaml").text).text);
    else if (!ended) printf("  go on with  %s run --resume --out %s\n", say_program(), path_quote(f->folder).text);
}

static void run_put(const run_facts *f)
{
    const rill_summary *r = &f->report;
    json j = json_start(stdout);
    json_open(&j, NULL, '{');
    json_text(&j, "run", f->folder);
    json_text(&j, "scene", f->scene.name);
    json_text(&j, "about", f->scene.about);
    json_text(&j, "solver", f->scene.solver.kind);
    json_number(&j, "particle_diameter_m", f->scene.particle_diameter);
    json_number(&j, "time_end_s", f->scene.time.end);
    json_count(&j, "frames", f->frames.count);
    json_count(&j, "disk_bytes", f->bytes);
    if (f->frames.count) {
        json_count(&j, "frame_first", f->frames.numbers[0]);
        json_count(&j, "frame_last", f->frames.numbers[f->frames.count - 1]);
        json_number(&j, "time_s", f->last.time);
        json_count(&j, "steps", f->last.step);
        json_count(&j, "particles", f->last.count);
    }
    json_count(&j, "frames_damaged", f->damaged);
    json_flag(&j, "being_written", f->busy);
    json_flag(&j, "complete", f->frames.count && f->last.time >= f->scene.time.end);
    if (f->reported) report_put(&j, r);
    json_close(&j, '}');
}

/* The newest frame that reads, as resuming would take it. */
static int last_load(run_facts *f)
{
    for (; f->frames.count; f->frames.count--, f->damaged++) {
        path_text path;
        rill_error err = {0};
        if (rill_run_frame_path(f->folder, f->frames.numbers[f->frames.count - 1], path.text, sizeof path.text, &err))
            return say_failure(&err);
        rill_status status = rill_frame_file_read(path.text, &f->last, &err);
        if (!status) return EXIT_FINE;
        if (status != RILL_BAD_FILE) return say_failure(&err);
    }
    return EXIT_FINE;
}

/* A run without frames yet is still a run. */
static int facts_gather(const char *folder, run_facts *f)
{
    rill_error err = {0};
    *f = (run_facts){.folder = folder};
    if (rill_run_read_scene(folder, &f->scene, &err)) return say_failure(&err);
    if (rill_run_list_frames(folder, &f->frames.numbers, &f->frames.count, &err)) return say_failure(&err);
    int code = last_load(f);
    if (code) return code;
    f->reported = !rill_run_read_summary(folder, &f->report, NULL);
    f->bytes = path_bytes(folder);
    f->busy = rill_run_is_busy(folder);
    return EXIT_FINE;
}

static int run_info(const char *folder, bool as_json)
{
    run_facts f;
    int code = facts_gather(folder, &f);
    if (!code && as_json) run_put(&f);
    else if (!code) run_say(&f);
    if (!code && f.frames.count) rill_frame_file_free(&f.last);
    frames_free(&f.frames);
    rill_scene_free(&f.scene);
    return code;
}

int command_info(int count, char **arguments)
{
    run_request r = {0};
    const option options[] = {
        {"particles", OPTION_COUNT, "N", "of a scene: as with rill run", &r.particles, &r.particles_given},
        {"diameter", OPTION_TEXT, "D", "likewise", &r.diameter, NULL},
        {"time", OPTION_TEXT, "S", "likewise", &r.time, NULL},
        {"fps", OPTION_TEXT, "F", "likewise", &r.fps, NULL},
        {"solver", OPTION_TEXT, "NAME", "likewise", &r.solver, NULL},
        {"set", OPTION_LIST, "KEY=VALUE", "likewise", &r.settings, NULL},
        {"json", OPTION_FLAG, NULL, "print it as JSON", &r.json, NULL}};
    const option_choice choices[] = {{"solver", run_solver_at, NULL, false}, {0}};
    const option_table table = {"info", "RUN|SCENE [options]", "Says what is in a run folder or a scene.",
                                "  rill info dam_break --particles 1000000\n  rill info runs/dam_break", options,
                                sizeof options / sizeof *options, 1, choices};
    size_t word_count;
    const char *words[1];
    options_result read = options_read(&table, count, arguments, words, &word_count);
    int code = options_code(read);
    if (read == OPTIONS_GO && !word_count) {
        code = say_error(EXIT_USER, "rill info needs a run folder or a scene, as in 'rill info dam_break'.");
    } else if (read == OPTIONS_GO) {
        r.scene = words[0];
        bool run = rill_run_exists(r.scene), asked = run_settings_given(&r);
        if (run && asked)
            code = say_error(EXIT_USER, "%s is a run, which keeps the scene it was started with.", r.scene);
        else code = run ? run_info(r.scene, r.json) : scene_info(&r, r.json);
    }
    option_list_free(&r.settings);
    return code;
}

/* What a run is made of: scene, folder, and whether the machine can hold it. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "machine.h"
#include "run_parts.h"
#include "say.h"

const char *run_solver_at(const void *unused, int i)
{
    (void)unused;
    return rill_solver_name((uint32_t)i);
}

/* Settings as the scene reader takes them: those of options, then those of --set. */
typedef struct settings {
    option_list list;
    char text[6][160];
} settings;

static int setting_list(settings *s, const char *text)
{
    if (option_list_add(&s->list, text)) return EXIT_FINE;
    return say_error(EXIT_MACHINE, "There is no memory left to read the settings.");
}

static int setting_add(settings *s, int slot, const char *key, const char *value)
{
    if (!value) return EXIT_FINE;
    int length = snprintf(s->text[slot], sizeof s->text[slot], "%s=%s", key, value);
    if (length >= (int)sizeof s->text[slot]) return say_error(EXIT_USER, "The value given for %s is too long.", key);
    return setting_list(s, s->text[slot]);
}

/* Of two ways to set one value neither is the obvious winner. A setting of a whole group counts too. */
static int settings_agree(const run_request *r)
{
    if (r->particles_given && r->diameter)
        return say_error(EXIT_USER, "--particles and --diameter both set the particle size; give one of them.");
    const struct {
        const char *option, *key;
        bool given;
    } pairs[] = {{"--solver", "solver.kind", r->solver},
                 {"--particles", "particle_diameter", r->particles_given},
                 {"--diameter", "particle_diameter", r->diameter},
                 {"--time", "time.end", r->time},
                 {"--fps", "time.frames_per_second", r->fps}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        for (size_t j = 0; pairs[i].given && j < r->settings.count; j++) {
            const char *setting = r->settings.items[j], *key = pairs[i].key;
            size_t length = strcspn(setting, "=");
            if (strncmp(setting, key, length) || (key[length] && key[length] != '.') || !length) continue;
            return say_error(EXIT_USER, "%s and --set %s both set %s; give one of them.", pairs[i].option, setting,
                             key);
        }
    }
    return EXIT_FINE;
}

static int settings_fill(settings *s, const run_request *r)
{
    int code = EXIT_FINE;
    for (size_t i = 0; i < r->settings.count && !code; i++) code = setting_list(s, r->settings.items[i]);
    if (!code) code = setting_add(s, 0, "solver.kind", r->solver);
    if (!code) code = setting_add(s, 1, "particle_diameter", r->diameter);
    if (!code) code = setting_add(s, 2, "time.end", r->time);
    if (!code) code = setting_add(s, 3, "time.frames_per_second", r->fps);
    return code;
}

/* What the reader says of a setting that came from an option is said of the option. */
static int scene_load(const settings *s, const char *name, rill_scene *scene)
{
    static const char *const options[] = {"--solver", "--diameter", "--time", "--fps"};
    rill_error err = {0};
    if (!rill_scene_load(name, s->list.items, s->list.count, scene, &err)) return EXIT_FINE;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        char quoted[sizeof s->text[0] + 16];
        size_t length = (size_t)snprintf(quoted, sizeof quoted, "setting '%s': ", s->text[i]);
        if (!s->text[i][0] || strncmp(err.text, quoted, length)) continue;
        return say_error(EXIT_USER, "%s %s: %s", options[i], strchr(s->text[i], '=') + 1, err.text + length);
    }
    return say_failure(&err);
}

/* The number of particles becomes a diameter, which is a setting like any other. */
static int particles_apply(settings *s, const run_request *r, rill_scene *scene)
{
    if (!r->particles) return say_error(EXIT_USER, "--particles 0 leaves nothing to simulate; ask for at least one.");
    double diameter = rill_scene_diameter_for(scene, r->particles);
    if (!(diameter > 0)) return say_error(EXIT_USER, "No particle diameter gives %s in %s.",
                                          say_many(r->particles, "particle").text, r->scene);
    rill_scene_free(scene);
    *scene = (rill_scene){0};
    char value[48];
    snprintf(value, sizeof value, "%.17g m", diameter);
    int code = setting_add(s, 4, "particle_diameter", value);
    return code ? code : scene_load(s, r->scene, scene);
}

int run_scene_resolve(const run_request *r, rill_scene *scene)
{
    settings s = {0};
    int code = settings_agree(r);
    if (!code) code = settings_fill(&s, r);
    if (!code) code = scene_load(&s, r->scene, scene);
    if (!code && r->particles_given) code = particles_apply(&s, r, scene);
    option_list_free(&s.list);
    return code;
}

bool run_settings_given(const run_request *r)
{
    return r->solver || r->diameter || r->time || r->fps || r->particles_given || r->settings.count;
}

/* A run goes on with the scene it was started with. */
static int plan_resume(const run_request *r, const char *folder, run_plan *plan)
{
    if (!rill_run_exists(folder)) return say_error(EXIT_USER, "%s holds no run to resume.", folder);
    if (run_settings_given(r))
        return say_error(EXIT_USER,
                         "A resumed run keeps the scene it was started with; leave the settings out, or start a "
                         "new run; to go on longer, raise time.end in %s.",
                         path_join(folder, "scene.yaml").text);
    rill_error err = {0};
    plan->resume = true;
    snprintf(plan->folder.text, sizeof plan->folder.text, "%s", folder);
    return rill_run_read_scene(folder, &plan->scene, &err) ? say_failure(&err) : EXIT_FINE;
}

/* The same command again: it may go on only if it asks for the same. */
static int plan_match(const char *folder, const rill_scene *asked)
{
    rill_scene held;
    rill_error err = {0};
    if (rill_run_read_scene(folder, &held, &err)) return say_failure(&err);
    char *a = rill_scene_text(asked, NULL), *b = rill_scene_text(&held, NULL);
    rill_scene_free(&held);
    bool readable = a && b, same = readable && !strcmp(a, b);
    rill_free(a);
    rill_free(b);
    if (!readable) return say_error(EXIT_MACHINE, "There is no memory left to compare the scenes.");
    if (same) return EXIT_FINE;
    return say_error(EXIT_USER,
                     "%s holds a run of another scene or with other settings; resume it with 'rill run --resume "
                     "--out %s', or choose another folder.",
                     folder, path_quote(folder).text);
}

static int plan_fresh(const run_request *r, run_plan *plan)
{
    int code = run_scene_resolve(r, &plan->scene);
    if (code) return code;
    if (r->resume && rill_run_exists(r->out)) {
        plan->resume = true;
        /* A run keeps its boxes as they were rounded. */
        rill_scene_snap(&plan->scene);
        code = plan_match(r->out, &plan->scene);
    }
    if (r->out) snprintf(plan->folder.text, sizeof plan->folder.text, "%s", r->out);
    else plan->folder = path_run_free(plan->scene.name);
    return code;
}

int run_plan_make(const run_request *r, run_plan *plan)
{
    *plan = (run_plan){0};
    if (r->threads_given && (r->threads < 1 || r->threads > 1024))
        return say_error(EXIT_USER, "--threads must lie between 1 and 1024, and %" PRIu64 " does not.", r->threads);
    if (r->out && strlen(r->out) > PATH_SIZE - 64)
        return say_error(EXIT_USER, "--out needs the name of a folder of reasonable length.");
    if (!r->scene && r->resume && !r->out)
        return say_error(EXIT_USER, "--resume needs the run's folder, as in 'rill run --resume --out runs/dam_break'.");
    if (!r->scene && !r->resume)
        return say_error(EXIT_USER, "rill run needs a scene, as in 'rill run dam_break'; 'rill scenes' lists them.");
    if (r->scene && rill_run_exists(r->scene)) {
        if (!r->resume) return say_error(EXIT_USER, "%s holds a run; add --resume to go on with it.", r->scene);
        if (r->out) return say_error(EXIT_USER, "%s is a run folder itself; leave --out out to resume it.", r->scene);
        return plan_resume(r, r->scene, plan);
    }
    if (!r->scene) return plan_resume(r, r->out, plan);
    if (r->resume && !r->out)
        return say_error(EXIT_USER, "--resume needs the run's folder, as in 'rill run --resume --out runs/%s'.",
                         r->scene);
    return plan_fresh(r, plan);
}

static int disk_check(const run_plan *plan)
{
    uint64_t disk = plan->estimate.frames * plan->estimate.frame_bytes;
    uint64_t free_bytes = machine_disk_free(plan->folder.text);
    if (plan->resume || disk <= free_bytes) return EXIT_FINE;
    return say_error(EXIT_USER,
                     "%s would write %s of %s, %s in all, and %s are free there; ask for fewer with "
                     "--fps, or choose another folder with --out.",
                     plan->scene.name, say_many(plan->estimate.frames, "frame").text,
                     say_bytes(plan->estimate.frame_bytes).text, say_bytes(disk).text, say_bytes(free_bytes).text);
}

int run_estimate(const rill_scene *scene, rill_estimate *estimate)
{
    rill_error err = {0};
    if (!scene->fill_count)
        return say_error(EXIT_USER, "Scene %s has no particles: it has no fill.", scene->name);
    return rill_scene_estimate(scene, estimate, &err) ? say_failure(&err) : EXIT_FINE;
}

int run_memory_check(const rill_scene *scene, const rill_estimate *e)
{
    const uint64_t free_bytes = machine_memory_available();
    if (e->memory_bytes <= free_bytes) return EXIT_FINE;
    return say_error(EXIT_USER, "%s with %s of %s would need %s of memory and %s are free; ask for fewer with "
                                "--particles or a larger --diameter.",
                     scene->name, say_many(e->particles, "particle").text, say_length(scene->particle_diameter).text,
                     say_bytes(e->memory_bytes).text, say_bytes(free_bytes).text);
}

int run_plan_check(const run_plan *plan)
{
    const int code = run_memory_check(&plan->scene, &plan->estimate);
    return code ? code : disk_check(plan);
}

bool run_walls_periodic(const rill_scene *s)
{
    for (uint32_t i = 0; i < s->boundary_count; i++)
        for (int a = 0; a < 3; a++)
            if (rill_boundary_continues(s, &s->boundaries[i], a)) return true;
    return false;
}

/* What the scene holds and may not do as its author thinks. */
static void surprises_say(const rill_scene *s)
{
    char keys[600];
    const char *word = "  periodic along";
    for (int a = 0; a < 3 && run_walls_periodic(s); a++) {
        if (!s->periodic[a]) continue;
        fprintf(stderr, "%s %c", word, 'x' + a);
        word = ",";
    }
    if (*word == ',') fputs(", where containers have no walls\n", stderr);
    rill_scene_unused(s, keys, sizeof keys);
    if (*keys) fprintf(stderr, "  not used: %s\n", keys);
}

void run_plan_say(const run_plan *plan, unsigned threads)
{
    const rill_scene *s = &plan->scene;
    const rill_estimate *e = &plan->estimate;
    if (s->about[0]) fprintf(stderr, "%s: %s\n", s->name, s->about);
    else fprintf(stderr, "%s\n", s->name);
    fprintf(stderr, "  %s, %s of %s, %s, %s\n", s->solver.kind, say_many(e->particles, "particle").text,
            say_length(s->particle_diameter).text, say_many(e->boundary_particles, "boundary particle").text,
            say_many(threads, "thread").text);
    fprintf(stderr, "  %g s in %s and %s to %s; takes about %s of memory and up to %s of disk\n", s->time.end,
            say_many(e->frames, "frame").text, say_count(e->steps_least).text,
            say_many(e->steps_most, "step").text, say_bytes(e->memory_bytes).text,
            say_bytes(e->frames * e->frame_bytes).text);
    surprises_say(s);
    fprintf(stderr, "  %s %s\n", plan->resume ? "resuming" : "writing to", plan->folder.text);
}

void run_plan_free(run_plan *plan)
{
    rill_scene_free(&plan->scene);
}

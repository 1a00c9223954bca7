/* rill scenes: the built-in scenes, a line each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "json.h"
#include "options.h"
#include "rill/scene_text.h"
#include "say.h"

typedef struct listing {
    json *out;
    int name_width;
    bool names;   /* alone */
    bool measure; /* the first round only takes the width of the names */
} listing;

static uint64_t particles_of(const char *path)
{
    rill_scene scene;
    rill_estimate estimate = {0};
    rill_error err;
    if (rill_scene_load(path, NULL, 0, &scene, &err)) return 0;
    if (rill_scene_estimate(&scene, &estimate, &err)) estimate.particles = 0;
    rill_scene_free(&scene);
    return estimate.particles;
}

static void scene_show(void *user, const char *name, const char *path, const char *about)
{
    listing *l = user;
    if (l->measure) {
        if ((int)strlen(name) > l->name_width) l->name_width = (int)strlen(name);
        return;
    }
    if (l->names) {
        puts(name);
        return;
    }
    uint64_t particles = particles_of(path);
    if (!l->out) {
        printf("%-*s  %11s particles  %s\n", l->name_width, name, say_count(particles).text, about);
        return;
    }
    json_open(l->out, NULL, '{');
    json_text(l->out, "name", name);
    json_text(l->out, "path", path);
    json_text(l->out, "about", about);
    json_count(l->out, "particles", particles);
    json_close(l->out, '}');
}

int command_scenes(int count, char **arguments)
{
    bool as_json = false;
    listing l = {.measure = true};
    const option options[] = {{"names", OPTION_FLAG, NULL, "print nothing but their names", &l.names, NULL},
                              {"json", OPTION_FLAG, NULL, "print the list as JSON", &as_json, NULL}};
    const option_table table = {"scenes", "[options]", "Lists the built-in scenes.",
                                "  rill scenes\n  rill info dam_break", options, sizeof options / sizeof *options, 0,
                                NULL};
    size_t word_count;
    const char *words[1];
    options_result read = options_read(&table, count, arguments, words, &word_count);
    if (read != OPTIONS_GO) return options_code(read);

    rill_error err = {0};
    json j = json_start(stdout);
    if (as_json && l.names) return say_error(EXIT_USER, "--names and --json contradict each other.");
    l.out = as_json ? &j : NULL;
    rill_status status = rill_scene_list(scene_show, &l, &err);
    l.measure = false;
    if (status) return say_failure(&err);
    if (as_json) json_open(&j, NULL, '[');
    status = rill_scene_list(scene_show, &l, &err);
    if (as_json) json_close(&j, ']');
    return status ? say_failure(&err) : EXIT_FINE;
}

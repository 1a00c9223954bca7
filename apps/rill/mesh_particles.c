/* Particles for `rill mesh`, from a frame of a run or from a file, and the
 * values that the surface should carry. */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "frame_list.h"
#include "mesh_parts.h"
#include "rill/text.h"
#include "say.h"

static const char no_memory[] = "There is no memory left to hold the particles; close other programs.";

int mesh_particles_of_frame(const char *run, uint32_t number, const rill_scene *scene, mesh_particles *p)
{
    rill_frame_file frame;
    rill_error err = {0};
    *p = (mesh_particles){0};
    int code = frame_load(run, number, &frame);
    if (code) return code;
    p->time = frame.time;
    p->origin = frame.origin;
    if (rill_particles_of_frame(&frame, scene, &p->particles, &err)) code = say_failure(&err);
    rill_frame_file_free(&frame);
    return code;
}

int mesh_particles_of_file(const char *path, mesh_particles *p)
{
    rill_error err = {0};
    *p = (mesh_particles){0};
    if (rill_particles_read_at(path, &p->particles, &p->origin, &err)) return say_bad_file(&err);
    if (!rill_particles_add_speed(&p->particles, &err)) return EXIT_FINE;
    rill_particles_free(&p->particles);
    return say_failure(&err);
}

/* ---- which values ---- */

static const char *name_at(const void *context, int i)
{
    const rill_particles *p = context;
    return (uint32_t)i < p->value_count ? p->values[i].name : NULL;
}

static int unknown_say(const rill_particles *p, const char *name)
{
    char list[200] = "";
    const char *nearest = rill_spelling_nearest(name, name_at, p);
    for (uint32_t i = 0; i < p->value_count && strlen(list) < sizeof list - 70; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", p->values[i].name);
    if (nearest) return say_error(EXIT_USER, "The particles have no '%s'; did you mean %s?", name, nearest);
    if (!*list)
        return say_error(EXIT_USER, "The particles have no '%s', nor anything else beside their positions.", name);
    return say_error(EXIT_USER, "The particles have no '%s'; they have %s.", name, list);
}

/* Adds a name that is not there yet. */
static bool value_add(option_list *picked, const char *name)
{
    for (size_t i = 0; i < picked->count; i++)
        if (!strcmp(picked->items[i], name)) return true;
    return option_list_add(picked, name);
}

int mesh_values_pick(const char *names, const rill_particles *particles, option_list *picked, char **text)
{
    *picked = (option_list){0};
    *text = strdup(names ? names : "");
    if (!*text) return say_error(EXIT_MACHINE, no_memory);
    bool good = true;
    char *rest = *text;
    for (char *name; good && (name = strsep(&rest, ", "));) {
        const bool all = !strcmp(name, "all");
        if (*name && !all && !rill_particles_value(particles, name)) return unknown_say(particles, name);
        if (*name && !all) good = value_add(picked, name);
        for (uint32_t i = 0; good && all && i < particles->value_count; i++)
            good = value_add(picked, particles->values[i].name);
    }
    return good ? EXIT_FINE : say_error(EXIT_MACHINE, no_memory);
}

/* Particles for `rill mesh`, from a frame of a run or from a file, and the
 * values that the surface should carry. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "frames.h"
#include "mesh_parts.h"
#include "say.h"
#include "surface/particles_read.h"

static const char no_memory[] = "There is no memory left to hold the particles; close other programs.";

static rill_values *value_find(const rill_particles *p, const char *name)
{
    for (uint32_t i = 0; i < p->value_count; i++)
        if (!strcmp(p->values[i].name, name)) return &p->values[i];
    return NULL;
}

/* Room for a value more, with its memory; NULL without. */
static float *value_add(rill_particles *p, const char *name, uint32_t lanes)
{
    rill_values *values = realloc(p->values, (p->value_count + 1) * sizeof *values);
    if (!values) return NULL;
    p->values = values;
    rill_values *v = &values[p->value_count];
    *v = (rill_values){.lanes = lanes, .data = malloc(lanes * p->count * sizeof *v->data + 1)};
    snprintf(v->name, sizeof v->name, "%s", name);
    if (v->data) p->value_count++;
    return v->data;
}

static double number_of(const rill_array *array, uint64_t i)
{
    switch (array->type) {
    case RILL_F32: return ((const float *)array->data)[i];
    case RILL_F64: return ((const double *)array->data)[i];
    case RILL_U32: return ((const uint32_t *)array->data)[i];
    default: return (double)((const uint64_t *)array->data)[i];
    }
}

static bool array_copy(rill_particles *p, const rill_array *array)
{
    float *to = value_add(p, array->name, array->lanes);
    for (uint64_t i = 0; to && i < p->count; i++)
        for (uint32_t lane = 0; lane < array->lanes; lane++)
            to[i * array->lanes + lane] = (float)number_of(array, i * array->stride + lane);
    return to;
}

static bool speed_add(rill_particles *p)
{
    const rill_values *velocity = value_find(p, "velocity");
    if (!velocity || velocity->lanes != 3 || value_find(p, "speed")) return true;
    const float *v = velocity->data; /* stays where it is while the table grows */
    float *speed = value_add(p, "speed", 1);
    for (size_t i = 0; speed && i < p->count; i++) speed[i] = sqrtf(v[3 * i] * v[3 * i] + v[3 * i + 1] * v[3 * i + 1] +
                                                                    v[3 * i + 2] * v[3 * i + 2]);
    return speed;
}

/* The colour of each particle's fluid, three numbers from 0 to 1. */
static bool colour_add(rill_particles *p, const rill_array *fluid, const rill_scene *scene)
{
    if (!fluid || fluid->type != RILL_U32) return true;
    float *colour = value_add(p, "colour", 3);
    for (size_t i = 0; colour && i < p->count; i++) {
        const uint32_t index = ((const uint32_t *)fluid->data)[i * fluid->stride];
        const uint32_t rgb = index < scene->fluid_count ? scene->fluids[index].colour : 0xffffff;
        for (uint32_t k = 0; k < 3; k++) colour[3 * i + k] = (float)(rgb >> (16 - 8 * k) & 255) / 255;
    }
    return colour;
}

static bool frame_convert(const rill_frame_file *frame, const rill_scene *scene, rill_particles *p)
{
    p->count = frame->count;
    p->diameter = frame->diameter;
    /* A mass factor of 0 has particles rest one diameter apart. */
    if (scene->fluid_count) p->volume = scene->fluids[0].mass_factor * pow(frame->diameter, 3);
    for (uint32_t i = 0; i < frame->state.count; i++) {
        const rill_array *array = &frame->state.arrays[i];
        if (!array->particle || array->count != frame->count) continue;
        if (!strcmp(array->name, "position") && array->type == RILL_F32 && array->lanes >= 3) {
            p->position = malloc(3 * p->count * sizeof *p->position + 1);
            if (!p->position) return false;
            const float *x = array->data;
            for (size_t k = 0; k < p->count; k++) memcpy(p->position + 3 * k, x + array->stride * k, 3 * sizeof *x);
        } else if ((array->lanes == 1 || array->lanes == 3) && !array_copy(p, array)) {
            return false;
        }
    }
    return speed_add(p) && colour_add(p, rill_frame_array(frame, "fluid"), scene);
}

int mesh_particles_of_frame(const char *run, uint32_t number, const rill_scene *scene, mesh_particles *p)
{
    rill_frame_file frame;
    *p = (mesh_particles){0};
    int code = frame_load(run, number, &frame);
    if (code) return code;
    p->time = frame.time;
    p->origin = frame.origin;
    if (!frame_convert(&frame, scene, &p->particles)) code = say_error(EXIT_MACHINE, no_memory);
    else if (!p->particles.position && frame.count)
        code = say_error(EXIT_MACHINE, "A frame of %s has no positions.", run);
    rill_frame_file_free(&frame);
    if (code) rill_particles_free(&p->particles);
    return code;
}

int mesh_particles_of_file(const char *path, mesh_particles *p)
{
    rill_error err = {0};
    *p = (mesh_particles){0};
    if (rill_particles_read_at(path, &p->particles, &p->origin, &err)) return say_failure(&err);
    if (speed_add(&p->particles)) return EXIT_FINE;
    rill_particles_free(&p->particles);
    return say_error(EXIT_MACHINE, no_memory);
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
    const char *nearest = say_nearest(name, name_at, p);
    for (uint32_t i = 0; i < p->value_count && strlen(list) < sizeof list - 70; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", p->values[i].name);
    if (nearest) return say_error(EXIT_USER, "The particles have no '%s'; did you mean %s?", name, nearest);
    if (!*list)
        return say_error(EXIT_USER, "The particles have no '%s', nor anything else beside their positions.", name);
    return say_error(EXIT_USER, "The particles have no '%s'; they have %s.", name, list);
}

int mesh_values_pick(const char *names, const rill_particles *particles, option_list *picked, char **text)
{
    *picked = (option_list){0};
    *text = strdup(names ? names : "");
    if (!*text) return say_error(EXIT_MACHINE, no_memory);
    bool good = true;
    char *rest = *text;
    for (char *name; good && (name = strsep(&rest, ", "));) {
        if (!*name) continue;
        if (!strcmp(name, "all")) {
            for (uint32_t i = 0; good && i < particles->value_count; i++)
                good = option_list_add(picked, particles->values[i].name);
            continue;
        }
        if (!value_find(particles, name)) return unknown_say(particles, name);
        bool twice = false;
        for (size_t i = 0; i < picked->count; i++) twice |= !strcmp(picked->items[i], name);
        good = twice || option_list_add(picked, name);
    }
    return good ? EXIT_FINE : say_error(EXIT_MACHINE, no_memory);
}

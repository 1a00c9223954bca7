/* Particles of a frame, with everything the frame knows of them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "rill/frames.h"
#include "surface/particles_read.h"

rill_particles rill_particles_default(void)
{
    return (rill_particles){0};
}

rill_values *rill_particles_value(const rill_particles *p, const char *name)
{
    for (uint32_t i = 0; i < p->value_count; i++)
        if (!strcmp(p->values[i].name, name)) return &p->values[i];
    return NULL;
}

/* Room for a value more, with its memory; NULL without. */
static float *value_add(rill_particles *p, const char *name, uint32_t lanes)
{
    rill_values *values = rill_realloc(p->values, (p->value_count + 1) * sizeof *values);
    if (!values) return NULL;
    p->values = values;
    rill_values *v = &values[p->value_count];
    *v = (rill_values){.lanes = lanes, .data = rill_malloc(lanes * p->count * sizeof *v->data + 1)};
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
    const rill_values *velocity = rill_particles_value(p, "velocity");
    if (!velocity || velocity->lanes != 3 || rill_particles_value(p, "speed")) return true;
    const float *v = velocity->data; /* stays where it is while the table grows */
    float *speed = value_add(p, "speed", 1);
    for (size_t i = 0; speed && i < p->count; i++) speed[i] = sqrtf(v[3 * i] * v[3 * i] + v[3 * i + 1] * v[3 * i + 1] +
                                                                    v[3 * i + 2] * v[3 * i + 2]);
    return speed;
}

rill_status rill_particles_add_speed(rill_particles *particles, rill_error *err)
{
    if (speed_add(particles)) return RILL_OK;
    return rill_fail(err, RILL_NO_MEMORY, "There is no memory left to hold the particles; close other programs.");
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
    if (scene && scene->fluid_count) p->volume = scene->fluids[0].mass_factor * pow(frame->diameter, 3);
    for (uint32_t i = 0; i < frame->state.count; i++) {
        const rill_array *array = &frame->state.arrays[i];
        if (!array->particle || array->count != frame->count) continue;
        if (!strcmp(array->name, "position") && array->type == RILL_F32 && array->lanes >= 3) {
            p->position = rill_malloc(3 * p->count * sizeof *p->position + 1);
            if (!p->position) return false;
            const float *x = array->data;
            for (size_t k = 0; k < p->count; k++) memcpy(p->position + 3 * k, x + array->stride * k, 3 * sizeof *x);
        } else if ((array->lanes == 1 || array->lanes == 3) && !array_copy(p, array)) {
            return false;
        }
    }
    return speed_add(p) && (!scene || colour_add(p, rill_state_array(&frame->state, "fluid"), scene));
}

rill_status rill_particles_of_frame(const rill_frame_file *frame, const rill_scene *scene, rill_particles *particles,
                                    rill_error *err)
{
    *particles = (rill_particles){0};
    rill_status status = RILL_OK;
    if (!frame_convert(frame, scene, particles))
        status = rill_memory_fail(err, 16 * (size_t)frame->count, "the particles of a frame");
    else if (!particles->position && frame->count)
        status = rill_fail(err, RILL_BAD_FILE, "The frame has no positions.");
    if (status) rill_particles_free(particles);
    return status;
}

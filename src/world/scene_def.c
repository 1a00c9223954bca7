/* Scenes as plain data: defaults, adding, copying. */
#include "rill/scene.h"

#include <string.h>

#include "physics/param.h"

rill_scene rill_scene_default(void)
{
    rill_scene scene = {
        .name = "scene",
        .particle_diameter = 0.02,
        .support = 2,
        .seed = 1,
        .kernel = RILL_KERNEL_CUBIC,
        .gravity = {0, 0, -9.81},
        .air = {.density = 1.2},
        .on_trouble = RILL_TROUBLE_STOP,
        .time = {.end = 2, .frames_per_second = 30, .step_max = 5e-3, .step_min = 1e-6, .cfl = 0.4},
        .solver = {.kind = "dfsph", .eos = RILL_EOS_TAIT, .gamma = 7, .density = RILL_DENSITY_SUMMATION,
                   .divergence_error = 1e-3, .iterations_min = 2, .iterations_max = 100, .iterations_pbf = 3},
        .output = {.frames = true, .density = true, .pressure = true},
    };
    rill_param_own_defaults(RILL_IN_SCENE, scene.values);
    return scene;
}

rill_fluid rill_fluid_default(void)
{
    rill_fluid fluid = {.name = "water",
                        .density = 1000,
                        .viscosity_kind = RILL_VISCOSITY_LAPLACIAN,
                        .viscosity = 0.01,
                        .colour = 0x3a7bd5};
    rill_param_own_defaults(RILL_IN_FLUID, fluid.values);
    return fluid;
}

rill_fill rill_fill_default(void)
{
    return (rill_fill){.shape = {.kind = RILL_SHAPE_BOX, .to = {1, 1, 1}, .radius = 0.5}};
}

rill_motion rill_motion_default(void)
{
    return (rill_motion){.sides = RILL_SIDE_ALL};
}

rill_sine rill_sine_default(void)
{
    return (rill_sine){.period = 1};
}

rill_keyframe rill_keyframe_default(void)
{
    return (rill_keyframe){.time = 0};
}

rill_boundary rill_boundary_default(void)
{
    return (rill_boundary){.name = "tank",
                           .shape = {.kind = RILL_SHAPE_BOX, .to = {1, 1, 1}, .radius = 0.5},
                           .slip = 1,
                           .slide_sides = RILL_SIDE_ALL,
                           .motion = rill_motion_default()};
}

rill_probe rill_probe_default(void)
{
    rill_probe probe = {.name = "probe", .kind = "front", .of = RILL_PRESSURE, .min_neighbours = 6};
    rill_param_own_defaults(RILL_IN_PROBE, probe.values);
    return probe;
}

/* The lists that a scene owns have room for the next power of two, so that a long one is not copied for each record. */
static size_t list_room(uint32_t count)
{
    size_t room = 1;
    while (room < count) room *= 2;
    return room;
}

/* Appends one record to a list that the scene owns. */
static rill_status list_add(void **list, uint32_t *count, const void *record, size_t size, rill_error *err)
{
    const bool full = !*count || list_room(*count) == *count;
    void *grown = full ? rill_realloc(*list, list_room(*count + 1) * size) : *list;
    if (!grown) return rill_fail(err, RILL_NO_MEMORY, "There is no memory for one more record of the scene.");
    memcpy((char *)grown + *count * size, record, size);
    *list = grown;
    *count += 1;
    return RILL_OK;
}

rill_status rill_motion_add_sine(rill_motion *motion, const rill_sine *sine, rill_error *err)
{
    return list_add((void **)&motion->sines, &motion->sine_count, sine, sizeof *sine, err);
}

rill_status rill_motion_add_keyframe(rill_motion *motion, const rill_keyframe *keyframe, rill_error *err)
{
    return list_add((void **)&motion->keyframes, &motion->keyframe_count, keyframe, sizeof *keyframe, err);
}

void rill_motion_free(rill_motion *motion)
{
    rill_free(motion->sines);
    rill_free(motion->keyframes);
    motion->sines = NULL;
    motion->keyframes = NULL;
    motion->sine_count = motion->keyframe_count = 0;
}

/* A list that is counted and not there stays so, for the check of the scene to find. */
static bool list_copy(void **to, const void *from, uint32_t count, size_t size)
{
    *to = NULL;
    if (!count || !from) return true;
    *to = rill_malloc(list_room(count) * size);
    if (*to) memcpy(*to, from, count * size);
    return *to != NULL;
}

/* Gives a motion that was copied lists of its own; without memory it has none of those it had. */
static bool motion_copy_lists(rill_motion *motion)
{
    const bool sines = list_copy((void **)&motion->sines, motion->sines, motion->sine_count, sizeof *motion->sines);
    const bool keyframes = list_copy((void **)&motion->keyframes, motion->keyframes, motion->keyframe_count,
                                     sizeof *motion->keyframes);
    return sines && keyframes;
}

rill_status rill_scene_add_fluid(rill_scene *scene, const rill_fluid *fluid, rill_error *err)
{
    return list_add((void **)&scene->fluids, &scene->fluid_count, fluid, sizeof *fluid, err);
}

rill_status rill_scene_add_fill(rill_scene *scene, const rill_fill *fill, rill_error *err)
{
    return list_add((void **)&scene->fills, &scene->fill_count, fill, sizeof *fill, err);
}

rill_status rill_scene_add_boundary(rill_scene *scene, const rill_boundary *boundary, rill_error *err)
{
    rill_boundary copy = *boundary;
    rill_status status = RILL_OK;
    if (!motion_copy_lists(&copy.motion))
        status = rill_fail(err, RILL_NO_MEMORY, "There is no memory for the motion of boundary %s.", boundary->name);
    if (!status) status = list_add((void **)&scene->boundaries, &scene->boundary_count, &copy, sizeof copy, err);
    if (status) rill_motion_free(&copy.motion);
    return status;
}

rill_status rill_scene_add_probe(rill_scene *scene, const rill_probe *probe, rill_error *err)
{
    return list_add((void **)&scene->probes, &scene->probe_count, probe, sizeof *probe, err);
}

rill_status rill_scene_copy(rill_scene *to, const rill_scene *from, rill_error *err)
{
    *to = *from;
    const bool fluids = list_copy((void **)&to->fluids, from->fluids, from->fluid_count, sizeof *from->fluids);
    const bool fills = list_copy((void **)&to->fills, from->fills, from->fill_count, sizeof *from->fills);
    bool bounds = list_copy((void **)&to->boundaries, from->boundaries, from->boundary_count, sizeof *from->boundaries);
    for (uint32_t b = 0; to->boundaries && b < to->boundary_count; b++)
        bounds = motion_copy_lists(&to->boundaries[b].motion) && bounds;
    const bool probes = list_copy((void **)&to->probes, from->probes, from->probe_count, sizeof *from->probes);
    if (fluids && fills && bounds && probes) return RILL_OK;
    rill_scene_free(to);
    return rill_fail(err, RILL_NO_MEMORY, "There is no memory for a copy of scene %s.", from->name);
}

void rill_scene_free(rill_scene *scene)
{
    for (uint32_t b = 0; scene->boundaries && b < scene->boundary_count; b++)
        rill_motion_free(&scene->boundaries[b].motion);
    rill_free(scene->fluids);
    rill_free(scene->fills);
    rill_free(scene->boundaries);
    rill_free(scene->probes);
    scene->fluids = NULL;
    scene->fills = NULL;
    scene->boundaries = NULL;
    scene->probes = NULL;
    scene->fluid_count = scene->fill_count = scene->boundary_count = scene->probe_count = 0;
}

/* Small scenes that several tests share. */
#ifndef RILL_TESTS_SCENES_H
#define RILL_TESTS_SCENES_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "rill/rill.h"
#include "tests/leave_out.h"

/* What one particle does is a matter of chance: which places the last bits of the start choose. So tests of single
 * particles judge the median of worlds that differ in those bits. */
enum { JIGGLES = 3 };

static inline void jiggle(rill_scene *scene, uint32_t seed)
{
    scene->seed = seed;
    for (uint32_t f = 0; f < scene->fill_count; f++) scene->fills[f].jitter = 1e-5;
}

static inline double median(const double values[JIGGLES])
{
    const double low = fmin(values[0], values[1]), high = fmax(values[0], values[1]);
    return fmax(low, fmin(high, values[2]));
}

static inline rill_fill box_fill(rill_vec3 from, rill_vec3 to, rill_vec3 velocity)
{
    rill_fill fill = rill_fill_default();
    fill.shape = (rill_shape){.kind = RILL_SHAPE_BOX, .from = from, .to = to};
    fill.velocity = velocity;
    return fill;
}

static inline void add_box_fill(rill_scene *scene, rill_vec3 from, rill_vec3 to, rill_vec3 velocity)
{
    const rill_fill fill = box_fill(from, to, velocity);
    assert_int_equal(rill_scene_add_fill(scene, &fill, NULL), RILL_OK);
}

static inline void add_tank(rill_scene *scene, rill_vec3 from, rill_vec3 to)
{
    rill_boundary tank = rill_boundary_default();
    tank.shape.from = from;
    tank.shape.to = to;
    assert_int_equal(rill_scene_add_boundary(scene, &tank, NULL), RILL_OK);
}

/* Water and nothing else, this fine, with WCSPH. */
static inline rill_scene water_scene(double diameter)
{
    rill_scene scene = rill_scene_default();
    strcpy(scene.solver.kind, "wcsph");
    const rill_fluid water = rill_fluid_default();
    scene.particle_diameter = diameter;
    assert_int_equal(rill_scene_add_fluid(&scene, &water, NULL), RILL_OK);
    return scene;
}

/* A small dam break in a closed tank. */
static inline rill_scene small_dam(void)
{
    rill_scene scene = water_scene(0.05);
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.4, 0.4, 0.6}, (rill_vec3){0, 0, 0});
    add_tank(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){1.2, 0.4, 0.8});
    return scene;
}

/* A paddle in the water of that, which moves in all ways that a body can. */
static inline rill_boundary mixer(void)
{
    rill_boundary paddle = rill_boundary_default();
    strcpy(paddle.name, "mixer");
    paddle.shape = (rill_shape){.kind = RILL_SHAPE_BOX, .from = {0.4, 0.05, 0.3}, .to = {0.45, 0.35, 0.6}};
    paddle.solid = true;
    static rill_sine sines[2] = {{.amplitude = {0.01, 0, 0.02}, .period = 0.21, .phase = 1},
                                 {.swing = {0.05, 0, 0.1}, .period = 0.34, .phase = -0.5}};
    static rill_keyframe keyframes[4] = {{.time = 0, .move = {0.01, 0, 0}, .turn = {0, 0.2, 0}},
                                         {.time = 0.05, .move = {0.03, 0, 0}, .turn = {0, 0.2, 0.1}},
                                         {.time = 0.12, .move = {0.02, 0.01, 0.02}, .turn = {0, -0.2, 0.3}},
                                         {.time = 0.3, .move = {0.05, 0.01, 0}, .turn = {0, 0.4, 0.3}}};
    paddle.motion = (rill_motion){.velocity = {-0.1, 0, 0},
                                  .spin = {0.5, 3, 0},
                                  .amplitude = {0, 0.01, 0},
                                  .swing = {0, 0.1, 0.1},
                                  .period = 0.27,
                                  .phase = 2,
                                  .start = 0.01,
                                  .stop = 5,
                                  .ramp = 0.06,
                                  .sides = RILL_SIDE_ALL,
                                  .about_given = 1,
                                  .about = {0.43, 0.2, 0.4},
                                  .sines = sines,
                                  .keyframes = keyframes,
                                  .sine_count = 2,
                                  .keyframe_count = 4};
    return paddle;
}

static inline void add_mixer(rill_scene *scene)
{
    const rill_boundary paddle = mixer();
    assert_int_equal(rill_scene_add_boundary(scene, &paddle, NULL), RILL_OK);
}

static inline rill_world *world_of(const rill_scene *scene, unsigned threads, unsigned width)
{
    rill_error err = {0};
    const rill_options options = {.threads = threads, .simd_width = width};
    rill_world *world = rill_world_create(scene, &options, &err);
    if (!world) fail_msg("%s", err.text);
    return world;
}

static inline rill_report steps(rill_world *world, int count, const rill_controls *controls)
{
    rill_report report = {0};
    rill_error err = {0};
    for (int i = 0; i < count; i++)
        if (rill_step(world, controls, &report, &err)) fail_msg("%s", err.text);
    return report;
}

/* A figure of a method, which the world must have. */
static inline double figure_of(const rill_world *world, const rill_report *report, const char *name)
{
    for (uint32_t i = 0; rill_world_column(world, i); i++)
        if (!strcmp(rill_world_column(world, i)->name, name)) return rill_report_value_at(world, report, i);
    fail_msg("the report has no column %s", name);
    return NAN;
}

static inline rill_report advance(rill_world *world, double seconds)
{
    rill_report report = {0};
    rill_error err = {0};
    if (rill_advance(world, seconds, NULL, &report, &err)) fail_msg("%s", err.text);
    return report;
}

#endif

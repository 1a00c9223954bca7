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

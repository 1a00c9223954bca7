/* Containers of each shape, filled to a level. */
#ifndef RILL_TESTS_CONTAINERS_H
#define RILL_TESTS_CONTAINERS_H

#include "tests/inside.h"

typedef struct container {
    const char *name;
    rill_shape shape;
    double level;  /* share of its height */
    double volume; /* below the level, m3 */
} container;

/* A box that is turned by 20 degrees about two axes, a lying cylinder and a ball, all 2 r wide, about the origin. */
static inline container turned_box(double r)
{
    const double half = cos(10 * M_PI / 180), turn = sin(10 * M_PI / 180);
    const rill_vec3 axis = {half * turn, turn * half, -turn * turn};
    container c = {"turned box", {.kind = RILL_SHAPE_BOX, .from = {-r, -r, -r}, .to = {r, r, r}}, 0.6, 0};
    c.shape.rotate = (rill_rotate){.given = 1, .about_given = 1, .axis = axis, .angle = 2 * acos(half * half)};
    return c; /* its volume is counted */
}

static inline container lying_cylinder(double r)
{
    const double up = 0.2 * r, segment = r * r * (0.5 * M_PI + asin(up / r)) + up * sqrt(r * r - up * up);
    return (container){"lying cylinder",
                       {.kind = RILL_SHAPE_CYLINDER, .from = {-r, 0, 0}, .to = {r, 0, 0}, .radius = r},
                       0.6,
                       2 * r * segment};
}

static inline container round_tank(double r)
{
    const double h = 1.2 * r;
    return (container){
        "ball", {.kind = RILL_SHAPE_SPHERE, .radius = r}, 0.6, M_PI * h * h * (3 * r - h) / 3};
}

/* The lowest point and the height. */
static inline double container_bottom(const container *c, double *height)
{
    const rill_body body = rill_body_make(&c->shape);
    const rill_bounds b = rill_placed_bounds(&body.shape, &body.pose);
    *height = b.high.z - b.low.z;
    return b.low.z;
}

static inline rill_scene filled(const container *c, const char *solver, double diameter)
{
    rill_scene scene = water_scene(diameter);
    strcpy(scene.solver.kind, solver);
    rill_boundary tank = rill_boundary_default();
    strcpy(tank.name, "tank");
    tank.shape = c->shape;
    tank.snap = 0;
    double height;
    container_bottom(c, &height);
    assert_int_equal(rill_scene_add_boundary(&scene, &tank, NULL), RILL_OK);
    rill_fill fill = rill_fill_default();
    fill.shape = (rill_shape){.kind = RILL_SHAPE_INSIDE};
    strcpy(fill.inside, "tank");
    fill.level = c->level * height;
    assert_int_equal(rill_scene_add_fill(&scene, &fill, NULL), RILL_OK);
    return scene;
}

#endif

/* What many bodies cost: the step of a tank with a thousand moving spheres over the step of one without. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "machine.h"
#include "parts.h"
#include "say.h"
#include "water.h"

/* Spheres along each axis of the tank; their radius and how far apart they are, in particle diameters. */
enum { ALONG = 10, RADIUS = 2 };
static const double ROOM[3] = {6, 6, 4.5};
/* The tank without spheres holds about as many particles, in diameters. */
static const double ALONE[3] = {50, 50, 40};

/* Each swings to and fro by a diameter, beside its neighbours. */
static rill_status add_sphere(rill_scene *scene, int i, rill_error *err)
{
    const int at[3] = {i % ALONG, i / ALONG % ALONG, i / ALONG / ALONG};
    const double d = scene->particle_diameter;
    rill_boundary sphere = rill_boundary_default();
    snprintf(sphere.name, sizeof sphere.name, "sphere%d", i);
    sphere.solid = true;
    sphere.shape = (rill_shape){.kind = RILL_SHAPE_SPHERE,
                                .center = {(at[0] + 0.5) * ROOM[0] * d, (at[1] + 0.5) * ROOM[1] * d,
                                           (at[2] + 0.5) * ROOM[2] * d},
                                .radius = RADIUS * d};
    sphere.motion.amplitude = (rill_vec3){at[0] % 2 ? d : -d, at[1] % 2 ? 0.5 * d : -0.5 * d, 0};
    sphere.motion.period = 0.5 + 0.01 * (i % 7);
    return rill_scene_add_boundary(scene, &sphere, err);
}

/* Water at rest, with room above. */
static rill_status tank_scene(const bench_row *row, int spheres, rill_scene *scene, rill_error *err)
{
    const double *size = spheres ? ROOM : ALONE, times = spheres ? ALONG : 1;
    *scene = rill_scene_default();
    snprintf(scene->name, sizeof scene->name, "bench_spheres");
    snprintf(scene->solver.kind, sizeof scene->solver.kind, "%s", row->of);
    /* Both take as many iterations, however much the spheres stir. */
    scene->solver.iterations_max = 5;
    scene->solver.density_error = scene->solver.divergence_error = 1e-9;
    const double d = scene->particle_diameter = 0.02 * cbrt(100000.0 / (double)row->particles);
    rill_fluid water = rill_fluid_default();
    rill_fill fill = rill_fill_default();
    fill.shape.to = (rill_vec3){times * size[0] * d, times * size[1] * d, times * size[2] * d};
    rill_boundary tank = rill_boundary_default();
    tank.shape.to = (rill_vec3){fill.shape.to.x, fill.shape.to.y, fill.shape.to.z + 10 * d};
    rill_status status = rill_scene_add_fluid(scene, &water, err);
    if (!status) status = rill_scene_add_fill(scene, &fill, err);
    if (!status) status = rill_scene_add_boundary(scene, &tank, err);
    for (int i = 0; i < spheres && !status; i++) status = add_sphere(scene, i, err);
    if (status) rill_scene_free(scene);
    return status;
}

static rill_world *tank_create(const bench_row *row, int spheres, unsigned threads)
{
    rill_scene scene;
    rill_error err = {0};
    const rill_options options = {.threads = threads};
    rill_world *world = NULL;
    if (!tank_scene(row, spheres, &scene, &err)) {
        world = rill_world_create(&scene, &options, &err);
        rill_scene_free(&scene);
    }
    if (!world) say_failure(&err);
    return world;
}

/* In turns, so that what disturbs one disturbs the other; the best of many steps counts, by the particle. */
int bench_measure_bodies(bench *b, const bench_row *row, bench_result *r)
{
    enum { WARM = 20, STEPS = 40 };
    rill_world *worlds[2] = {tank_create(row, 0, b->threads), tank_create(row, ALONG * ALONG * ALONG, b->threads)};
    double best[2] = {INFINITY, INFINITY};
    int code = worlds[0] && worlds[1] ? EXIT_FINE : EXIT_MACHINE;
    rill_report report;
    if (!b->quiet && !code) fprintf(stderr, "  timing a thousand moving spheres ...\n");
    for (int w = 0; w < 2 && !code; w++) code = bench_steps_take(worlds[w], WARM, &report);
    for (int k = 0; k < STEPS; k++)
        for (int w = 0; w < 2 && !code; w++) {
            const double start = machine_seconds();
            code = bench_steps_take(worlds[w], 1, &report);
            best[w] = fmin(best[w], (machine_seconds() - start) / (double)report.particles);
        }
    r->value = best[1] / best[0];
    for (int w = 0; w < 2; w++) rill_world_destroy(worlds[w]);
    return code;
}

/* A ball is dragged to and fro through water, as a game would do it: the host decides the ball's velocity before every
 * picture. Gravity and viscosity change while the world runs. With rill installed:
 *   cc 02_steer.c -o steer $(pkg-config --cflags --libs rill) && ./steer */
#include <rill/rill.h>
#include <stdio.h>

static rill_scene scene_make(rill_error *err)
{
    rill_scene scene = rill_scene_default();
    rill_fluid water = rill_fluid_default();
    rill_fill pool = rill_fill_default();
    rill_boundary tank = rill_boundary_default(), ball = rill_boundary_default();
    scene.particle_diameter = 0.05;
    pool.shape.to = (rill_vec3){1.5, 0.5, 0.4};
    tank.shape.to = (rill_vec3){1.5, 0.5, 1};
    ball.shape = (rill_shape){.kind = RILL_SHAPE_SPHERE, .center = {0.3, 0.25, 0.25}, .radius = 0.1};
    ball.solid = true;
    rill_scene_add_fluid(&scene, &water, err);
    rill_scene_add_fill(&scene, &pool, err);
    rill_scene_add_boundary(&scene, &tank, err); /* boundary 0 */
    rill_scene_add_boundary(&scene, &ball, err); /* boundary 1 */
    return scene;
}

int main(void)
{
    rill_error err = {0};
    rill_report report;
    rill_scene scene = scene_make(&err);
    rill_world *world = rill_world_create(&scene, NULL, &err);
    for (int picture = 0; world && !err.status && picture < 30; picture++) {
        rill_body_control drag = {.boundary = 1, .low = {picture % 20 < 10 ? 1.5 : -1.5, 0, 0}};
        rill_controls controls = rill_controls_default();
        controls.bodies = &drag;
        controls.body_count = 1;
        /* Numbers that docs/scene.md marks as live, by their keys. */
        if (picture == 10) rill_world_change(world, "gravity.z", -1.6, &err); /* to the moon */
        if (picture == 20) rill_world_change(world, "fluids.water.viscosity.value", 0.1, &err);
        if (rill_advance(world, 1 / 30.0, &controls, &report, &err)) break;
        if (picture % 10 == 9)
            printf("%.2f s: ball at x = %.2f m, fastest water %.2f m/s\n", report.time,
                   rill_world_boundary_shape(world, 1).center.x, report.speed_max);
    }
    if (err.status) fprintf(stderr, "%s\n", err.text);
    rill_world_destroy(world);
    rill_scene_free(&scene);
    return err.status == RILL_OK ? 0 : 1;
}

/* A column of water collapses in a tank for a tenth of a second. With rill installed:
 *   cc hello.c -o hello $(pkg-config --cflags --libs rill) && ./hello */
#include <rill/rill.h>
#include <stdio.h>

int main(void)
{
    rill_error err = {0};
    rill_report report;
    rill_scene scene = rill_scene_default();
    rill_fluid water = rill_fluid_default();
    rill_fill column = rill_fill_default();
    rill_boundary tank = rill_boundary_default();
    scene.particle_diameter = 0.05;
    column.shape.to = (rill_vec3){0.5, 0.5, 0.75};
    tank.shape.to = (rill_vec3){1.5, 0.5, 1.0};
    rill_scene_add_fluid(&scene, &water, &err);
    rill_scene_add_fill(&scene, &column, &err);
    rill_scene_add_boundary(&scene, &tank, &err);

    rill_world *world = rill_world_create(&scene, NULL, &err);
    if (world && rill_advance(world, 0.1, NULL, &report, &err) == RILL_OK)
        printf("%u particles at %.3f s\n", rill_world_frame(world).count, rill_world_time(world));
    else
        fprintf(stderr, "%s\n", err.text);
    rill_world_destroy(world);
    rill_scene_free(&scene);
    return err.status == RILL_OK ? 0 : 1;
}

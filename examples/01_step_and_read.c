/* A column of water collapses in a tank; what the world holds is read after every tenth of a second. With rill
 * installed:
 *   cc 01_step_and_read.c -o step_and_read $(pkg-config --cflags --libs rill) && ./step_and_read */
#include <rill/rill.h>
#include <stdio.h>

static rill_scene scene_make(rill_error *err)
{
    rill_scene scene = rill_scene_default();
    rill_fluid water = rill_fluid_default();
    rill_fill column = rill_fill_default();
    rill_boundary tank = rill_boundary_default();
    scene.particle_diameter = 0.05; /* metres; all units are SI */
    column.shape.to = (rill_vec3){0.5, 0.5, 0.75};
    tank.shape.to = (rill_vec3){1.5, 0.5, 1.0};
    rill_scene_add_fluid(&scene, &water, err);
    rill_scene_add_fill(&scene, &column, err);
    rill_scene_add_boundary(&scene, &tank, err);
    return scene;
}

/* A frame is a view of the particles, valid until the next step. */
static float front_of(rill_frame frame)
{
    float front = 0;
    for (uint32_t i = 0; i < frame.count; i++)
        if (frame.position[4 * i] > front) front = frame.position[4 * i];
    return front;
}

int main(void)
{
    rill_error err = {0};
    rill_report report;
    rill_scene scene = scene_make(&err);
    rill_world *world = rill_world_create(&scene, NULL, &err);
    for (int k = 0; world && k < 5; k++) {
        if (rill_advance(world, 0.1, NULL, &report, &err)) break; /* as many steps as it takes */
        rill_sample floor;
        rill_world_sample(world, &(rill_vec3){0.25, 0.25, 0.0}, 1, &floor);
        printf("%.1f s, step %llu: front at %.2f m, %.0f Pa on the floor, %.1f J in motion, %.4f m3\n", report.time,
               (unsigned long long)report.step, (double)front_of(rill_world_frame(world)), floor.pressure,
               report.kinetic, rill_world_volume(world));
    }
    if (err.status) fprintf(stderr, "%s\n", err.text); /* one sentence that says what is wrong */
    rill_world_destroy(world);
    rill_scene_free(&scene);
    return err.status == RILL_OK ? 0 : 1;
}

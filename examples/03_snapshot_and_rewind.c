/* Tries three ways of tilting a tank from the same moment, as planning and learning do: a snapshot brings the world
 * back, bit for bit. With rill installed:
 *   cc 03_snapshot_and_rewind.c -o rewind $(pkg-config --cflags --libs rill) && ./rewind */
#include <rill/rill.h>
#include <stdio.h>

/* Half a second under another gravity; returns how far along x the water has come, in the mean. */
static double try_tilt(rill_world *world, double tilt, rill_error *err)
{
    const rill_vec3 gravity = {tilt, 0, -9.81};
    rill_controls controls = rill_controls_default();
    controls.gravity = &gravity;
    rill_advance(world, 0.5, &controls, NULL, err);
    const rill_frame frame = rill_world_frame(world);
    double sum = 0;
    for (uint32_t i = 0; i < frame.count; i++) sum += frame.position[4 * i];
    return sum / frame.count;
}

int main(void)
{
    rill_error err = {0};
    rill_scene scene = rill_scene_default();
    rill_fluid water = rill_fluid_default();
    rill_fill pool = rill_fill_default();
    rill_boundary tank = rill_boundary_default();
    scene.particle_diameter = 0.05;
    pool.shape.to = (rill_vec3){1, 0.4, 0.3};
    tank.shape.to = (rill_vec3){1, 0.4, 0.8};
    rill_scene_add_fluid(&scene, &water, &err);
    rill_scene_add_fill(&scene, &pool, &err);
    rill_scene_add_boundary(&scene, &tank, &err);

    rill_world *world = rill_world_create(&scene, NULL, &err);
    if (world) rill_advance(world, 0.3, NULL, NULL, &err);
    rill_snapshot *start = world && !err.status ? rill_snapshot_take(world, &err) : NULL;
    const uint64_t before = start ? rill_world_hash(world) : 0;
    for (int k = -1; start && k <= 1 && !err.status; k++) {
        printf("tilted by %+d m/s2: the water's middle at %.3f m\n", 3 * k, try_tilt(world, 3.0 * k, &err));
        rill_snapshot_apply(world, start, &err);
    }
    if (start && !err.status) printf("back at %.1f s: %s\n", rill_world_time(world),
                                     rill_world_hash(world) == before ? "the same particles" : "other particles");
    if (err.status) fprintf(stderr, "%s\n", err.text);
    rill_snapshot_free(start);
    rill_world_destroy(world);
    rill_scene_free(&scene);
    return err.status == RILL_OK ? 0 : 1;
}

/* A tap and a drain: drops of water come in from above and what reaches the far end of the tank is taken out. With rill
 * installed:
 *   cc 06_particles_in_and_out.c -o tap $(pkg-config --cflags --libs rill) && ./tap */
#include <rill/rill.h>
#include <stdio.h>
#include <stdlib.h>

/* A drop of 3 x 3 x 2 particles, on its way down; left for later where the last one is still in the way. */
static uint32_t pour(rill_world *world, rill_error *err)
{
    rill_fill drop = rill_fill_default();
    drop.shape.from = (rill_vec3){0.1, 0.1, 0.7};
    drop.shape.to = (rill_vec3){0.25, 0.25, 0.8};
    drop.velocity = (rill_vec3){0, 0, -2};
    if (rill_world_count(world, (rill_vec3){0.05, 0.05, 0.6}, (rill_vec3){0.3, 0.3, 0.9})) return 0;
    uint32_t count = 0;
    rill_world_add_fill(world, &drop, NULL, &count, err);
    return count;
}

/* Takes away all that is beyond x = 0.9 m. */
static uint32_t drain(rill_world *world, rill_error *err)
{
    const rill_frame frame = rill_world_frame(world);
    uint64_t *gone = malloc((frame.count + 1) * sizeof *gone);
    uint32_t count = 0;
    for (uint32_t i = 0; gone && i < frame.count; i++)
        if (frame.position[4 * i] > 0.9f) gone[count++] = frame.id[i];
    if (count) rill_world_remove(world, gone, count, err);
    free(gone);
    return count;
}

int main(void)
{
    rill_error err = {0};
    rill_scene scene = rill_scene_default();
    rill_fluid water = rill_fluid_default();
    rill_boundary tank = rill_boundary_default();
    scene.particle_diameter = 0.05;
    tank.shape.to = (rill_vec3){1, 0.35, 1};
    rill_scene_add_fluid(&scene, &water, &err);
    rill_scene_add_boundary(&scene, &tank, &err);

    rill_world *world = rill_world_create(&scene, NULL, &err); /* an empty tank */
    uint32_t in = 0, out = 0;
    for (int k = 0; world && !err.status && k < 60; k++) {
        in += pour(world, &err);
        if (!err.status) rill_advance(world, 1 / 30.0, NULL, NULL, &err);
        if (!err.status) out += drain(world, &err);
        if (k % 20 == 19)
            printf("%.1f s: %u came, %u went, %u are there, %.4f m3\n", rill_world_time(world), in, out,
                   rill_world_frame(world).count, rill_world_volume(world));
    }
    const int balanced = world && rill_world_frame(world).count == in - out;
    if (err.status) fprintf(stderr, "%s\n", err.text);
    rill_world_destroy(world);
    rill_scene_free(&scene);
    return err.status == RILL_OK && balanced ? 0 : 1;
}

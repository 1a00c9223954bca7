/* What water does to a gate that holds it back, as a mean over every fifth of a second: a step sees each wave of
 * pressure, a mean does not. With rill installed:
 *   cc 07_force_on_a_gate.c -o gate $(pkg-config --cflags --libs rill) && ./gate */
#include <rill/rill.h>
#include <stdio.h>

enum { TANK, GATE };

static rill_scene scene_make(rill_error *err)
{
    rill_scene scene = rill_scene_default();
    rill_fluid water = rill_fluid_default();
    rill_fill pool = rill_fill_default();
    rill_boundary tank = rill_boundary_default(), gate = rill_boundary_default();
    scene.particle_diameter = 0.05;
    water.viscosity_kind = RILL_VISCOSITY_LAPLACIAN;
    water.viscosity = 0.005; /* lets it come to rest */
    pool.shape.to = (rill_vec3){0.75, 0.5, 0.6};
    tank.shape.to = (rill_vec3){1.2, 0.5, 1};
    gate.shape.from = (rill_vec3){0.75, 0, 0};
    gate.shape.to = (rill_vec3){0.9, 0.5, 0.8};
    gate.solid = true;
    rill_scene_add_fluid(&scene, &water, err);
    rill_scene_add_fill(&scene, &pool, err);
    rill_scene_add_boundary(&scene, &tank, err);
    rill_scene_add_boundary(&scene, &gate, err);
    return scene;
}

typedef struct push {
    double time, force, torque;
} push;

/* After every step: its force along x, and its torque about the foot of the wet side, each times the step. */
static bool add_step(void *user, const rill_world *world, const rill_report *report)
{
    push *p = user;
    const rill_body_state gate = rill_world_body(world, GATE);
    const double up = gate.position.z, behind = gate.position.x - 0.75;
    p->time += report->dt;
    p->force += gate.force.x * report->dt;
    p->torque += (gate.torque.y + up * gate.force.x - behind * gate.force.z) * report->dt;
    return true;
}

int main(void)
{
    rill_error err = {0};
    rill_scene scene = scene_make(&err);
    rill_world *world = rill_world_create(&scene, NULL, &err);
    for (int k = 0; world && k < 5; k++) {
        push mean = {0};
        rill_controls controls = rill_controls_default();
        controls.each_step = add_step;
        controls.user = &mean;
        if (rill_advance(world, 0.2, &controls, NULL, &err)) break;
        printf("%.1f s: %.0f N on the gate, %.0f N m about its foot; at rest 883 N and 177 N m\n",
               rill_world_time(world), mean.force / mean.time, mean.torque / mean.time);
    }
    if (world && !err.status)
        printf("%.0f N on the tank along z\n", rill_world_body(world, TANK).force.z); /* of the last step */
    if (err.status) fprintf(stderr, "%s\n", err.text);
    rill_world_destroy(world);
    rill_scene_free(&scene);
    return err.status == RILL_OK ? 0 : 1;
}

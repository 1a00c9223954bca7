/* What the water is given is taken from bodies: momentum closes in every step, and forces are what they should be. */
#include "tests/promises.h"

static double length(rill_vec3 v)
{
    return rill_vec3_length(v);
}

/* How much momentum comes from nowhere in a step, of that which gravity gives. */
static double gap_of_step(rill_world *world, rill_vec3 *before, double mass)
{
    rill_report r;
    rill_error err = {0};
    if (rill_step(world, NULL, &r, &err)) fail_msg("%s", err.text);
    const rill_vec3 weight = rill_vec3_scale(world->scene.gravity, mass);
    rill_vec3 force = weight;
    for (uint32_t b = 0; b < world->body_count; b++) {
        const rill_body_state body = rill_world_body(world, b);
        force = rill_vec3_sub(force, body.force);
    }
    const rill_vec3 gain = rill_vec3_sub(r.momentum, *before);
    *before = r.momentum;
    return length(rill_vec3_sub(gain, rill_vec3_scale(force, r.dt))) / (length(weight) * r.dt);
}

static double mass_of(const rill_world *world)
{
    const rill_sph *sph = &world->sph;
    const uint32_t *fluid = rill_field_u32(&sph->liquid.fields, FIELD_FLUID);
    double mass = 0;
    for (uint32_t i = 0; i < sph->liquid.fields.count; i++) mass += sph->rest_density[fluid[i]] * sph->volume;
    return mass;
}

/* A dam that breaks over a ball, in a tank with one side that moves and walls that hold. */
static rill_scene rough_dam(const char *solver, rill_viscosity_kind kind)
{
    rill_scene scene = dam_with(solver, 0.05);
    scene.fluids[0].viscosity_kind = kind;
    scene.fluids[0].viscosity = 0.05;
    scene.boundaries[0].slip = 0.3;
    scene.boundaries[0].motion = (rill_motion){.amplitude = {0.02, 0, 0}, .period = 0.3, .sides = RILL_SIDE_HIGH_X};
    rill_boundary ball = rill_boundary_default();
    strcpy(ball.name, "ball");
    ball.solid = true;
    ball.shape = (rill_shape){.kind = RILL_SHAPE_SPHERE, .center = {0.7, 0.2, 0.1}, .radius = 0.1};
    assert_int_equal(rill_scene_add_boundary(&scene, &ball, NULL), RILL_OK);
    return scene;
}

static void momentum_closes(void **state)
{
    (void)state;
    static const rill_viscosity_kind kinds[] = {RILL_VISCOSITY_LAPLACIAN, RILL_VISCOSITY_IMPLICIT, RILL_VISCOSITY_XSPH};
    const char *solver;
    for (uint32_t s = 0; (solver = rill_solver_name(s)); s++)
        for (int k = 0; k < (s ? 1 : 3); k++) {
            rill_scene scene = rough_dam(solver, kinds[k]);
            rill_world *world = world_of(&scene, 2, 0);
            const double mass = mass_of(world);
            rill_vec3 momentum = {0, 0, 0};
            double most = 0;
            for (int i = 0; i < (slow_build() ? 100 : 400); i++) most = fmax(most, gap_of_step(world, &momentum, mass));
            print_message("%s, viscosity %d: gap %.2g of the weight\n", solver, kinds[k], most);
            if (!(most < 1e-5))
                fail_msg("%s, viscosity %d: %g of the weight comes from nowhere", solver, kinds[k], most);
            rill_world_destroy(world);
            rill_scene_free(&scene);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_closes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

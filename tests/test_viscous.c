/* Viscous flow between no-slip walls in a periodic slab, with DFSPH, against the
 * series solutions of start-up Couette and Poiseuille flow. */
#include "apps/validate/bars.h"
#include "tests/variants.h"
#include "text/pi.h"

#include <string.h>

static const double gap = 0.1, viscosity = 0.01, pi = RILL_PI;

/* Liquid between two plates, periodic along x and y. */
static rill_scene slab(int layers)
{
    const double d = gap / layers, length = 10 * d;
    rill_scene scene = water_scene(d);
    strcpy(scene.solver.kind, "dfsph");
    /* On sliding layers of a lattice the Laplacian sums to 0.78 of itself with the
     * usual support of two diameters, to 0.96 with four. */
    scene.support = 4;
    scene.gravity = (rill_vec3){0, 0, 0};
    scene.fluids[0].viscosity = viscosity;
    scene.periodic[0] = scene.periodic[1] = true;
    scene.domain_to = (rill_vec3){length, length, 0};
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){length, length, gap}, (rill_vec3){0, 0, 0});
    add_tank(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){length, length, gap});
    scene.boundaries[0].slip = 0;
    return scene;
}

/* u(z, t) of a plate at z = gap that starts to move with speed U. */
static double couette(double z, double t, double U)
{
    double u = U * z / gap;
    for (int n = 1; n < 60; n++)
        u += 2 * U / (n * pi) * (n % 2 ? -1 : 1) * sin(n * pi * z / gap) * exp(-viscosity * pow(n * pi / gap, 2) * t);
    return u;
}

/* u(z, t) under an acceleration g along the plates. */
static double poiseuille(double z, double t, double g)
{
    double u = g / (2 * viscosity) * z * (gap - z);
    for (int n = 1; n < 120; n += 2)
        u -= 4 * g * gap * gap / (viscosity * pow(n * pi, 3)) * sin(n * pi * z / gap) *
             exp(-viscosity * pow(n * pi / gap, 2) * t);
    return u;
}

/* Largest difference of the layers' mean velocity from the series, as a share of the scale. */
static double worst(const rill_world *world, int layers, double (*exact)(double, double, double), double parameter,
                    double scale)
{
    const rill_frame f = rill_world_frame(world);
    double error = 0;
    for (int l = 0; l < layers; l++) {
        double sum = 0, z = 0, count = 0;
        for (size_t i = 0; i < f.count; i++) {
            if ((int)(f.position[4 * i + 2] / gap * layers) != l) continue;
            sum += f.velocity[4 * i];
            z += f.position[4 * i + 2];
            count++;
        }
        if (count > 0) error = fmax(error, fabs(sum / count - exact(z / count, f.time, parameter)) / scale);
    }
    return error;
}

static double follow(rill_world *world, int layers, double (*exact)(double, double, double), double parameter,
                     double scale, int count)
{
    static const double times[] = {0.05, 0.1, 0.2, 0.5};
    double most = 0;
    for (int k = 0; k < count; k++) {
        advance(world, times[k] * gap * gap / viscosity - rill_world_time(world));
        most = fmax(most, worst(world, layers, exact, parameter, scale));
    }
    return most;
}

/* Every variant starts well; the best goes on to the end. */
static void check(rill_scene *scene, int layers, double (*exact)(double, double, double), double parameter,
                  double scale, const char *name)
{
    const double bar = validate_bar_of(name, "dfsph", "velocity profile at worst");
    const bool slow = too_slow_for("profiles of the flow but the first");
    for (int variant = 0; variant < VARIANT_COUNT; variant++) {
        rill_world *world = world_with(scene, 2, variant);
        if (!world) continue;
        const bool best = world->ops == rill_fluid_ops_for(0);
        const double most = follow(world, layers, exact, parameter, scale, best && !slow ? 4 : 1);
        print_message("%s, %s: off by %.2f %% of the top speed at most\n", name, variant_of(world), 100 * most);
        assert_true(100 * most < bar);
        rill_world_destroy(world);
    }
    rill_scene_free(scene);
}

static void couette_follows_the_series(void **state)
{
    (void)state;
    rill_scene scene = slab(20);
    scene.boundaries[0].slide = (rill_vec3){0.5, 0, 0};
    scene.boundaries[0].slide_sides = RILL_SIDE_HIGH_Z;
    check(&scene, 20, couette, 0.5, 0.5, "couette");
}

static void poiseuille_follows_the_series(void **state)
{
    (void)state;
    rill_scene scene = slab(20);
    const double g = 4;
    scene.gravity = (rill_vec3){g, 0, 0};
    check(&scene, 20, poiseuille, g, g * gap * gap / (8 * viscosity), "poiseuille");
}

/* Long after the start, with a liquid ten times as viscous in the upper half: both halves carry the same stress. */
static double layered(double z, double t, double U)
{
    (void)t;
    const double at_middle = U * 10 / 11;
    return z < gap / 2 ? at_middle * z / (gap / 2) : at_middle + (U - at_middle) * (2 * z / gap - 1);
}

static void layers_carry_one_stress(void **state)
{
    (void)state;
    if (too_slow_for("one stress in two layers")) skip();
    static const rill_viscosity_kind kinds[] = {RILL_VISCOSITY_LAPLACIAN, RILL_VISCOSITY_IMPLICIT};
    for (int k = 0; k < 2; k++) {
        rill_scene scene = slab(20);
        rill_fluid thick = scene.fluids[0];
        thick.viscosity = 10 * viscosity;
        strcpy(thick.name, "thick");
        scene.fluids[0].viscosity_kind = thick.viscosity_kind = kinds[k];
        const rill_vec3 to = scene.fills[0].shape.to;
        scene.fills[0].shape.to.z = gap / 2;
        assert_int_equal(rill_scene_add_fluid(&scene, &thick, NULL), RILL_OK);
        add_box_fill(&scene, (rill_vec3){0, 0, gap / 2}, to, (rill_vec3){0, 0, 0});
        scene.fills[1].fluid = 1;
        scene.boundaries[0].slide = (rill_vec3){0.5, 0, 0};
        scene.boundaries[0].slide_sides = RILL_SIDE_HIGH_Z;
        rill_world *world = world_of(&scene, 2, 0);
        advance(world, 0.5);
        const double most = worst(world, 20, layered, 0.5, 0.5);
        print_message("two layers, %s: off by %.2f %% of the top speed at most\n", k ? "implicit" : "explicit",
                      100 * most);
        assert_true(most < 0.05);
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(couette_follows_the_series),
        cmocka_unit_test(poiseuille_follows_the_series),
        cmocka_unit_test(layers_carry_one_stress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

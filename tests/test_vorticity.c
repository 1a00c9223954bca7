/* Vorticity confinement against a slow twin and in a whirl it must keep alive; drag in
 * air against the formulas of a falling and of a flying drop. */
#include "tests/forces.h"
#include "text/pi.h"

static const double pi = RILL_PI;

/* A box of water, periodic along y. */
static rill_scene stirred(void)
{
    rill_scene scene = water_scene(0.05);
    strcpy(scene.solver.kind, "dfsph");
    scene.vorticity = 0.2;
    scene.periodic[1] = true;
    scene.domain_to = (rill_vec3){0, 0.3, 0};
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.3, 0.3, 0.25}, (rill_vec3){0, 0, 0});
    add_tank(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.5, 0.3, 0.5});
    return scene;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void twin_vorticity(const rill_sph *s, double strength, double *out)
{
    const size_t n = s->liquid.fields.count;
    const float *v = rill_field_f32(&s->liquid.fields, FIELD_VELOCITY),
                *D = rill_field_f32(&s->liquid.fields, FIELD_COMPRESSION);
    double *w = calloc(4 * n, sizeof *w);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            double xi[3], xj[3], d[3], turn[3], vj[3];
            place_of(s, i, xi), place_of(s, j, xj);
            const double f = s->volume / D[j] * pair_factor(s, pair_distance(s, xi, xj, d));
            for (size_t k = 0; k < 3; k++) vj[k] = v[4 * j + k] - v[4 * i + k];
            cross(d, vj, turn);
            for (size_t k = 0; k < 3; k++) w[4 * i + k] += f * turn[k];
        }
        w[4 * i + 3] = sqrt(w[4 * i] * w[4 * i] + w[4 * i + 1] * w[4 * i + 1] + w[4 * i + 2] * w[4 * i + 2]);
    }
    for (size_t i = 0; i < n; i++) {
        double e[3] = {0}, length = 0, push[3];
        for (size_t j = 0; j < n; j++) {
            double xi[3], xj[3], d[3];
            place_of(s, i, xi), place_of(s, j, xj);
            const double f = pair_factor(s, pair_distance(s, xi, xj, d));
            for (int k = 0; k < 3; k++) e[k] += f * (w[4 * j + 3] - w[4 * i + 3]) * d[k];
        }
        for (int k = 0; k < 3; k++) length += e[k] * e[k];
        cross(e, w + 4 * i, push);
        for (size_t k = 0; k < 3; k++) out[3 * i + k] = length > 0 ? strength * push[k] / sqrt(length) : 0;
    }
    free(w);
}

static void confinement_matches_its_twin(void **state)
{
    (void)state;
    rill_scene scene = stirred();
    for (int variant = 0; variant < VARIANT_COUNT; variant++) {
        rill_world *world = world_with(&scene, 2, variant);
        if (!world) continue;
        shake(world, 0.2f, 1);
        double *slow = calloc(3 * world->sph.liquid.fields.count, sizeof *slow);
        twin_vorticity(&world->sph, scene.vorticity, slow);
        const float *fast = force_alone(world, "vorticity", 1e-3);
        const double off = difference(&world->sph, fast, slow);
        print_message("%s: confinement off by %.2g, its net force is %.2g of all\n", variant_of(world), off,
                      net_force(&world->sph, fast));
        assert_true(off < 1e-4);
        free(slow);
        rill_world_destroy(world);
    }
    rill_scene_free(&scene);
}

/* Kinetic energy of Taylor-Green whirls after a while, as a share of the first. Particles a tenth lighter than the
 * lattice's leave room to move in the full box. */
static double whirl_left(double strength)
{
    const double d = 0.05, side = 0.8;
    rill_scene scene = water_scene(d);
    strcpy(scene.solver.kind, "iisph");
    scene.gravity = (rill_vec3){0, 0, 0};
    scene.vorticity = strength;
    scene.fluids[0].mass_factor = 0.9;
    scene.fluids[0].viscosity = 1e-3;
    scene.speed_limit = 50;
    for (int k = 0; k < 3; k++) scene.periodic[k] = true;
    scene.domain_to = (rill_vec3){side, 4 * d, side};
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, scene.domain_to, (rill_vec3){0, 0, 0});
    rill_world *world = world_of(&scene, 2, 0);
    float *v = rill_field_f32(&world->sph.liquid.fields, FIELD_VELOCITY);
    const float *x = rill_field_f32(&world->sph.liquid.fields, FIELD_POSITION);
    const double k = 2 * pi / side;
    for (size_t i = 0; i < world->sph.liquid.fields.count; i++) {
        v[4 * i] = (float)(sin(k * x[4 * i]) * cos(k * x[4 * i + 2]));
        v[4 * i + 2] = (float)(-cos(k * x[4 * i]) * sin(k * x[4 * i + 2]));
    }
    const double first = 0.9 * 0.25 * 1000 * side * side * 4 * d;
    const rill_report r = advance(world, slow_build() ? 0.1 : 0.5);
    rill_world_destroy(world);
    rill_scene_free(&scene);
    return r.kinetic / first;
}

static void confinement_keeps_whirls_alive(void **state)
{
    (void)state;
    const double without = whirl_left(0), with = whirl_left(0.1);
    print_message("energy of the whirls: %.3f without confinement, %.3f with it\n", without, with);
    assert_true(with > (slow_build() ? 1.02 : 1.1) * without && with < 1);
}

/* A still liquid has no whirls to feed. */
static void confinement_leaves_rest_alone(void **state)
{
    (void)state;
    rill_scene scene = stirred();
    rill_world *world = world_of(&scene, 2, 0);
    shake(world, 0.2f, 0);
    const float *a = force_alone(world, "vorticity", 1e-3);
    for (size_t i = 0; i < 4 * (size_t)world->sph.liquid.fields.count; i++) assert_true(a[i] == 0);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* ---- drag in air ---- */

/* Lone drops far apart, and a block of water. */
static rill_scene spray(void)
{
    rill_scene scene = water_scene(0.01);
    strcpy(scene.solver.kind, "dfsph");
    scene.air.coefficient = 0.47;
    scene.fluids[0].viscosity_kind = RILL_VISCOSITY_NONE;
    scene.fluids[0].viscosity = 0;
    scene.speed_limit = 1000;
    scene.time.cfl = 2;
    return scene;
}

static double drag_of(const rill_world *world, double rho)
{
    return 0.75 * 0.47 * 1.2 / rho / cbrt(6 * world->sph.volume / pi);
}

static void lone_drop_slows_down(void **state)
{
    (void)state;
    rill_scene scene = spray();
    scene.gravity = (rill_vec3){0, 0, 0};
    scene.air.wind = (rill_vec3){3, 0, 0};
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.01, 0.01, 0.01}, (rill_vec3){23, 0, 0});
    rill_world *world = world_of(&scene, 1, 0);
    const double k = drag_of(world, 1000), U = 20;
    advance(world, 2);
    const rill_frame f = rill_world_frame(world);
    assert_int_equal(f.count, 1);
    const double exact = 3 + U / (1 + k * U * f.time);
    print_message("drop in wind: %.4f m/s, exactly %.4f m/s\n", (double)f.velocity[0], exact);
    assert_true(fabs(f.velocity[0] - exact) < 1e-3);
    assert_true(exact < 15);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

static void lone_drop_falls_no_faster(void **state)
{
    (void)state;
    rill_scene scene = spray();
    scene.air.density = 120;
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.01, 0.01, 0.01}, (rill_vec3){0, 0, 0});
    rill_world *world = world_of(&scene, 1, 0);
    const double terminal = sqrt(9.81 / (100 * drag_of(world, 1000)));
    advance(world, 3);
    const double speed = -rill_world_frame(world).velocity[2];
    print_message("falling drop: %.4f m/s, exactly %.4f m/s\n", speed, terminal);
    assert_true(fabs(speed / terminal - 1) < 0.02);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* Particles in the water and in its flat surface feel nothing. */
static void bulk_feels_no_air(void **state)
{
    (void)state;
    rill_scene scene = spray();
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.1, 0.1, 0.1}, (rill_vec3){0, 0, 0});
    rill_world *world = world_of(&scene, 1, 0);
    rill_sph *s = &world->sph;
    shake(world, 0, 10);
    const float *a = force_alone(world, "air_drag", 1e-3), *x = rill_field_f32(&s->liquid.fields, FIELD_POSITION);
    uint32_t felt = 0;
    for (size_t i = 0; i < s->liquid.fields.count; i++) {
        int sides = 0;
        for (size_t k = 0; k < 3; k++) sides += x[4 * i + k] < 0.01f || x[4 * i + k] > 0.09f;
        const bool pushed = a[4 * i] != 0 || a[4 * i + 1] != 0 || a[4 * i + 2] != 0;
        if (sides < 2) assert_false(pushed);
        felt += pushed;
    }
    /* Edges and corners stick out. */
    assert_true(felt > 0);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

static void gives_the_same_bits(void **state)
{
    (void)state;
    rill_scene scene = stirred();
    scene.air.coefficient = 0.47;
    scene.fills[0].velocity = (rill_vec3){1, 0.3, 0};
    check_same_bits(&scene, slow_build() ? 3 : 20);
    check_words(&scene);
    rill_scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(confinement_matches_its_twin), cmocka_unit_test(confinement_keeps_whirls_alive),
        cmocka_unit_test(confinement_leaves_rest_alone), cmocka_unit_test(lone_drop_slows_down),
        cmocka_unit_test(lone_drop_falls_no_faster),    cmocka_unit_test(bulk_feels_no_air),
        cmocka_unit_test(gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

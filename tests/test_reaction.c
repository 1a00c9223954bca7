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

/* ---- probes ---- */

static void add_probe(rill_scene *scene, const char *kind, uint32_t body, const rill_vec3 *about,
                      const rill_bounds *patch)
{
    rill_probe probe = rill_probe_default();
    snprintf(probe.name, sizeof probe.name, "p%u", scene->probe_count);
    strcpy(probe.kind, kind);
    probe.body = body;
    probe.about_given = about != NULL;
    probe.patch_given = patch != NULL;
    if (about) probe.at = *about;
    if (patch) probe.patch_from = patch->low, probe.patch_to = patch->high;
    assert_int_equal(rill_scene_add_probe(scene, &probe, NULL), RILL_OK);
}

static rill_vec3 probe_at(const rill_report *r, int which)
{
    const double *v = r->probe_values + 3 * which;
    return (rill_vec3){v[0], v[1], v[2]};
}

static void expect_same(const char *what, rill_vec3 a, rill_vec3 b, double scale)
{
    const double off = length(rill_vec3_sub(a, b)) / scale;
    if (!(off < 1e-6)) fail_msg("%s: (%g, %g, %g) and (%g, %g, %g)", what, a.x, a.y, a.z, b.x, b.y, b.z);
}

/* Probes of forces are what bodies have, about any point, and patches side by side add up to the whole: every particle
 * beside a body counts once, also what the guard stops. */
static void probes_add_up(void **state)
{
    (void)state;
    const rill_vec3 about = {0.3, -1, 2};
    const rill_bounds all = {{-9, -9, -9}, {9, 9, 9}}, tank = {{0, 0, 0}, {1.2, 0.4, 0.8}};
    const rill_bounds parts[] = {
        {{-1, -1, -1}, {0.31, 2, 2}}, {{0.31, -1, -1}, {2, 0.2, 2}}, {{0.31, 0.2, -1}, {2, 2, 2}}};
    for (int kind = 0; kind < 3; kind++) {
        rill_scene scene = rough_dam("dfsph", RILL_VISCOSITY_LAPLACIAN);
        const uint32_t body = kind == 1;
        scene.fills[0].velocity.x = 3;
        if (kind == 2) scene.boundaries[0].shape.rotate = (rill_rotate){.given = 1, .axis = {0, 1, 0}, .angle = 0.1};
        add_probe(&scene, "force", body, NULL, NULL);
        add_probe(&scene, "torque", body, NULL, NULL);
        add_probe(&scene, "torque", body, &about, NULL);
        add_probe(&scene, "force", body, NULL, kind == 0 ? &tank : &all);
        add_probe(&scene, "torque", body, &about, &all);
        for (int k = 0; k < 3; k++) add_probe(&scene, "force", body, NULL, &parts[k]);
        rill_world *world = world_of(&scene, 2, 0);
        uint64_t guarded = 0;
        for (int i = 0; i < 60; i++) {
            const rill_vec3 centre = rill_world_body(world, body).position;
            const rill_report r = steps(world, 1, NULL);
            const rill_body_state b = rill_world_body(world, body);
            const double scale = fmax(length(b.force), 1);
            guarded += r.rescued;
            expect_same("force", probe_at(&r, 0), b.force, scale);
            expect_same("torque", probe_at(&r, 1), b.torque, scale);
            const rill_vec3 turn = rill_vec3_add(b.torque, rill_cross(rill_vec3_sub(centre, about), b.force));
            expect_same("torque about a point", probe_at(&r, 2), turn, scale);
            expect_same("force on all of it", probe_at(&r, 3), b.force, scale);
            expect_same("torque on all of it", probe_at(&r, 4), turn, scale);
            rill_vec3 sum = {0, 0, 0};
            for (int k = 0; k < 3; k++) sum = rill_vec3_add(sum, probe_at(&r, 5 + k));
            expect_same("force on parts", sum, b.force, scale);
        }
        print_message("patches of body %u: %llu particles rescued\n", body, (unsigned long long)guarded);
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
}

/* In the corners of a tank each side has what presses on it, and nothing of what presses on another. */
static void sides_have_their_own(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    strcpy(scene.solver.kind, "dfsph");
    scene.fills[0].shape.to.x = 1.2;
    const rill_bounds left = {{0, 0, 0}, {0, 0.4, 0.8}}, bottom = {{0, 0, 0}, {1.2, 0.4, 0}};
    add_probe(&scene, "force", 0, NULL, &left);
    add_probe(&scene, "force", 0, NULL, &bottom);
    rill_world *world = world_of(&scene, 2, 0);
    const rill_report r = advance(world, 0.2);
    const double weight = mass_of(world) * 9.81, push = 0.5 * 1000 * 9.81 * 0.4 * 0.6 * 0.6;
    const rill_vec3 on_left = probe_at(&r, 0), on_bottom = probe_at(&r, 1);
    const double along = fmax(fabs(on_left.y) + fabs(on_left.z), fabs(on_bottom.x) + fabs(on_bottom.y));
    print_message("%.4f of the weight on the floor, %.4f of the push on a side, %.4f of it along them\n",
                  -on_bottom.z / weight, -on_left.x / push, along / push);
    assert_true(along < 0.01 * push);
    assert_true(fabs(-on_bottom.z / weight - 1) < 0.02 && fabs(-on_left.x / push - 1) < 0.1);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_closes),
        cmocka_unit_test(probes_add_up),
        cmocka_unit_test(sides_have_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

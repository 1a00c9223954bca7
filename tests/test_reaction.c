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

/* ---- closed answers ---- */

/* Particles that fill a metre. */
enum { FINE = 20 };
static const double d = 1.0 / FINE, weight_of_water = 1000 * 9.81;

static rill_scene still_scene(const char *solver, double wide, double deep, double high)
{
    rill_scene scene = water_scene(d);
    strcpy(scene.solver.kind, solver);
    scene.fluids[0].viscosity_kind = RILL_VISCOSITY_LAPLACIAN;
    scene.fluids[0].viscosity = 0.005;
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){wide * d, deep * d, high * d}, (rill_vec3){0, 0, 0});
    jiggle(&scene, 1);
    return scene;
}

static void add_solid(rill_scene *scene, const char *name, rill_shape shape)
{
    rill_boundary solid = rill_boundary_default();
    strcpy(solid.name, name);
    solid.solid = true;
    solid.shape = shape;
    assert_int_equal(rill_scene_add_boundary(scene, &solid, NULL), RILL_OK);
}

/* What the liquid does to bodies, as means over time, and how its first layer lies beside them. */
enum { BODIES = 3 };
typedef struct acting {
    double time;
    rill_vec3 force[BODIES], torque[BODIES];
    double distance[BODIES], count[BODIES]; /* of particles within a diameter of the surface, diameters */
} acting;

static void note_layer(acting *a, const rill_world *world, uint32_t which)
{
    const rill_body *body = &world->bodies[which];
    const float *x = rill_field_f32(&world->sph.liquid.fields, FIELD_POSITION);
    for (size_t i = 0; i < world->sph.liquid.fields.count; i++) {
        const rill_vec3 at = rill_pose_own(&body->pose, (rill_vec3){x[4 * i], x[4 * i + 1], x[4 * i + 2]});
        const double far = fabs(rill_geometry_of(&body->shape)->nearest(&body->shape, at).distance) / d;
        if (far < 1) a->distance[which] += far, a->count[which]++;
    }
}

static bool acting_step(void *user, const rill_world *world, const rill_report *report)
{
    acting *a = user;
    a->time += report->dt;
    for (uint32_t b = 0; b < rill_world_body_count(world); b++) {
        const rill_body_state body = rill_world_body(world, b);
        a->force[b] = rill_vec3_add(a->force[b], rill_vec3_scale(body.force, report->dt));
        a->torque[b] = rill_vec3_add(a->torque[b], rill_vec3_scale(body.torque, report->dt));
        note_layer(a, world, b);
    }
    return true;
}

static acting acts_on_bodies(rill_scene *scene, double settle, double watch)
{
    rill_world *world = world_of(scene, 2, 0);
    advance(world, settle);
    acting a = {0};
    const rill_controls controls = {.each_step = acting_step, .user = &a};
    assert_int_equal(rill_advance(world, watch, &controls, NULL, NULL), RILL_OK);
    for (uint32_t b = 0; b < rill_world_body_count(world); b++) {
        a.force[b] = rill_vec3_scale(a.force[b], 1 / a.time);
        a.torque[b] = rill_vec3_scale(a.torque[b], 1 / a.time);
        a.distance[b] /= a.count[b];
    }
    rill_world_destroy(world);
    rill_scene_free(scene);
    return a;
}

/* A figure over what it should be, which may be off by so much. */
static void expect_ratio(const char *solver, const char *what, double ratio, double off)
{
    print_message("%s: %s is %.4f of what it should be\n", solver, what, ratio);
    if (!(fabs(ratio - 1) <= off)) fail_msg("%s: %s is off by %.2f %%", solver, what, 100 * (ratio - 1));
}

/* What the far wall and the gate are to hold. Pressure also acts along walls, through pairs of liquid and wall, which
 * is a force on nobody: along every edge with another wetted wall a wall lacks the pressure of some 0.13 diameters.
 * Beside a gate 15 wide and 20 high that is 3 %, between open sides 1 %, and the water stands half a per cent low. */
static void gate_holds_the_water(const char *solver, bool open, double off)
{
    const double H = 20 * d, b = 15 * d, full = 0.5 * weight_of_water * b * H * H, thick = 3 * d, high = 25 * d;
    rill_scene scene = still_scene(solver, 15, 15, 20);
    scene.periodic[1] = open;
    scene.domain_to.y = b;
    add_tank(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){20 * d, b, 30 * d});
    const rill_shape gate = {.kind = RILL_SHAPE_BOX, .from = {15 * d, 0, 0}, .to = {15 * d + thick, b, high}};
    add_solid(&scene, "gate", gate);
    const acting a = acts_on_bodies(&scene, 3, 1);
    const double hinge = a.torque[1].y + 0.5 * high * a.force[1].x - 0.5 * thick * a.force[1].z;
    print_message("%s, %s: first layer %.3f d from the gate, %.3f d from the tank\n", solver,
                  open ? "between open sides" : "in a tank", a.distance[1], a.distance[0]);
    expect_ratio(solver, "the weight", -(a.force[0].z + a.force[1].z) / (weight_of_water * 15 * d * b * H), 0.002);
    expect_ratio(solver, "the force on a gate", a.force[1].x / full, off);
    expect_ratio(solver, "its torque about its foot", hinge / (full * H / 3), 0.03 + off - 0.02);
}

static void gates_hold_the_water(void **state)
{
    (void)state;
    gate_holds_the_water("dfsph", true, 0.025);
    if (too_slow_for("forces on gates in tanks and with other solvers")) return;
    gate_holds_the_water("dfsph", false, 0.045);
    gate_holds_the_water("iisph", false, 0.045);
    gate_holds_the_water("pcisph", false, 0.045);
    gate_holds_the_water("wcsph", false, 0.055);
}

/* A lattice of particles holds stresses as solids do, for many seconds: started from one, a box of five diameters
 * floats up with 5 to 7 % too much. So the water begins in disorder. */
static void floats_up(const char *solver, const char *what, rill_shape shape, double volume, double side, double off)
{
    rill_scene scene = still_scene(solver, side, side, side);
    scene.fills[0].jitter = 0.2;
    add_tank(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){side * d, side * d, (side + 10) * d});
    add_solid(&scene, what, shape);
    const acting a = acts_on_bodies(&scene, 3, 1);
    print_message("%s: first layer %.3f d from the %s\n", solver, a.distance[1], what);
    expect_ratio(solver, what, a.force[1].z / (weight_of_water * volume), off);
}

static void box_floats_up(const char *solver, double off)
{
    const rill_shape box = {.kind = RILL_SHAPE_BOX, .from = {5 * d, 5 * d, 5 * d}, .to = {10 * d, 10 * d, 10 * d}};
    floats_up(solver, "box", box, 125 * d * d * d, 15, off);
}

static void ball_floats_up(const char *solver, double radius, double side, double off)
{
    const double middle = 0.5 * side * d, r = radius * d;
    const rill_shape ball = {.kind = RILL_SHAPE_SPHERE, .center = {middle, middle, middle}, .radius = r};
    floats_up(solver, "ball", ball, 4 / 3.0 * 3.14159265358979 * r * r * r, side, off);
}

static void solids_float_up(void **state)
{
    (void)state;
    if (too_slow_for("buoyancy")) return;
    box_floats_up("dfsph", 0.03);
    box_floats_up("iisph", 0.03);
    box_floats_up("pcisph", 0.03);
    ball_floats_up("dfsph", 5, 30, 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_closes),
        cmocka_unit_test(probes_add_up),
        cmocka_unit_test(sides_have_their_own),
        cmocka_unit_test(gates_hold_the_water),
        cmocka_unit_test(solids_float_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

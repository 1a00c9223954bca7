/* Worlds: the clock, what fills hold, probes, and scenes, controls and trouble
 * that are refused or named. */
#include "tests/inside.h"
#include "tests/scenes.h"

#include <stdio.h>
#include <string.h>

#include "text/pi.h"
#include "world/world.h"

static void arrives_exactly(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_world *world = world_of(&scene, 2, 0);
    for (int k = 1; k <= 5; k++) {
        const rill_controls controls = {.until = k / 300.0};
        while (rill_world_time(world) < controls.until) {
            const rill_report r = steps(world, 1, &controls);
            assert_true(r.dt > 0 && r.dt <= scene.time.step_max);
        }
        assert_true(rill_world_time(world) == k / 300.0);
    }
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

static void steps_obey_their_limits(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_world *world = world_of(&scene, 2, 0);
    const double c = world->sound_speed;
    /* Ten times the speed of a fall from the top of the column to the floor. */
    assert_true(fabs(c - 10 * sqrt(2 * 9.81 * 0.6)) < 1e-6 * c);
    rill_report before = steps(world, 1, NULL);
    for (int i = 0; i < 100; i++) {
        const rill_report r = steps(world, 1, NULL);
        assert_true(r.dt <= 0.4 * 0.05 / (c + before.speed_max) * (1 + 1e-9));
        before = r;
    }
    rill_world_destroy(world);
    /* Forces that change fast divide the step, but not without end. */
    scene.fluids[0].viscosity = 500;
    world = world_of(&scene, 2, 0);
    assert_true(steps(world, 1, NULL).dt <= RILL_PARTS_MOST * 0.05 * 0.05 * 0.05 / 500 * (1 + 1e-9));
    rill_world_destroy(world);
    scene.fluids[0].viscosity = 0.01;
    scene.time.step_first = 1e-5;
    world = world_of(&scene, 2, 0);
    assert_true(fabs(steps(world, 1, NULL).dt - 1e-5) < 1e-12);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* A sliver of a step between two moments close together leaves the energy as it was, and what follows it too: pressure
 * that mended the density within the sliver made two to fifty times the energy, or a blow-up. */
static void slivers_stir_nothing(void **state)
{
    (void)state;
    for (uint32_t s = 0; rill_solver_name(s); s++) {
        rill_scene scene = small_dam();
        snprintf(scene.solver.kind, sizeof scene.solver.kind, "%s", rill_solver_name(s));
        rill_world *world = world_of(&scene, 2, 0), *twin = world_of(&scene, 2, 0);
        assert_true(advance(world, 1e-5).kinetic < 1);
        double kinetic = advance(world, 0.2).kinetic;
        const double usual = advance(twin, 0.20001).kinetic;
        for (double sliver = 1e-4; sliver > 1e-12; sliver /= 30) {
            const rill_report r = advance(world, sliver);
            if (!(fabs(r.kinetic / kinetic - 1) < 0.02) || !(fabs(r.kinetic / usual - 1) < 0.05))
                fail_msg("%s: %g s more made %g J of %g J; without slivers %g J", scene.solver.kind, sliver, r.kinetic,
                         kinetic, usual);
            kinetic = r.kinetic;
        }
        const double end = rill_world_time(world);
        const rill_report later = advance(world, 0.25 - end), same = advance(twin, 0.25 - rill_world_time(twin));
        if (!(fabs(later.kinetic / same.kinetic - 1) < 0.05))
            fail_msg("%s: %g J in the end; without slivers %g J", scene.solver.kind, later.kinetic, same.kinetic);
        rill_world_destroy(world);
        rill_world_destroy(twin);
        rill_scene_free(&scene);
    }
}

/* Bodies count with the first step on, moved by the scene or by the controls. */
static void fast_bodies_shorten_steps(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    snprintf(scene.solver.kind, sizeof scene.solver.kind, "dfsph");
    rill_world *world = world_of(&scene, 2, 0);
    assert_true(steps(world, 1, NULL).dt > 4e-3);
    const rill_body_control push = {.boundary = 0, .low = {10, 0, 0}, .high = {10, 0, 0}};
    const rill_controls controls = {.bodies = &push, .body_count = 1};
    assert_true(steps(world, 1, &controls).dt <= 0.4 * 0.05 / 10);
    rill_world_destroy(world);
    scene.boundaries[0].motion = (rill_motion){.amplitude = {0.2, 0, 0}, .period = 0.25, .sides = 63};
    world = world_of(&scene, 2, 0);
    assert_true(steps(world, 1, NULL).dt <= 0.4 * 0.05 / 5);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* Fields that are not sorted with the particles must still belong to them in the first frame. */
static void first_frame_has_its_densities(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_fluid oil = rill_fluid_default();
    oil.density = 800;
    rill_scene_add_fluid(&scene, &oil, NULL);
    add_box_fill(&scene, (rill_vec3){0.8, 0, 0}, (rill_vec3){1.2, 0.4, 0.2}, (rill_vec3){0, 0, 0});
    scene.fills[1].fluid = 1;
    rill_world *world = world_of(&scene, 1, 0);
    const rill_frame f = rill_world_frame(world);
    for (size_t i = 0; i < f.count; i++) assert_true(f.density[i] == (f.fluid[i] ? 800 : 1000));
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* A ball of liquid holds the volume of the ball; obstacles and snapped walls cut what they should. */
static void fills_follow_their_shapes(void **state)
{
    (void)state;
    rill_scene scene = water_scene(0.02);
    rill_fill drop = rill_fill_default();
    drop.shape = (rill_shape){.kind = RILL_SHAPE_SPHERE, .center = {0.313, 0.2, 0.3}, .radius = 0.2};
    rill_scene_add_fill(&scene, &drop, NULL);
    rill_world *world = world_of(&scene, 1, 0);
    const double volume = rill_world_frame(world).count * 8e-6, expected = 4.0 / 3 * RILL_PI * 0.008;
    if (fabs(volume / expected - 1) > 0.03) fail_msg("the drop holds %g m3, not %g m3", volume, expected);
    rill_world_destroy(world);
    rill_scene_free(&scene);
    scene = small_dam();
    scene.boundaries[0].snap = true;
    scene.boundaries[0].shape.to = (rill_vec3){1.218, 0.39, 0.81};
    world = world_of(&scene, 1, 0);
    const rill_vec3 to = rill_world_boundary_shape(world, 0).to;
    assert_true(fabs(to.x - 1.2) < 1e-9 && fabs(to.y - 0.4) < 1e-9 && fabs(to.z - 0.8) < 1e-9);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

static void refused(const rill_scene *scene, const char *word)
{
    rill_error err = {0};
    rill_world *world = rill_world_create(scene, NULL, &err);
    if (world) fail_msg("a scene without a sane %s was accepted", word);
    assert_int_equal(err.status, RILL_BAD_INPUT);
    if (!strstr(err.text, word)) fail_msg("'%s' does not speak of '%s'", err.text, word);
}

static void refuses_nonsense(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_scene s = scene;
    s.particle_diameter = -0.1, refused(&s, "diameter");
    s.particle_diameter = NAN, refused(&s, "diameter"), s = scene;
    s.support = 0.3, refused(&s, "support"), s = scene;
    s.time.step_min = 1, refused(&s, "step"), s = scene;
    s.solver.diffusion = 0.1, refused(&s, "continuity"), s = scene;
    strcpy(s.solver.kind, "magic"), refused(&s, "magic"), s = scene;
    s.fluid_count = 0, refused(&s, "fluid"), s = scene;
    s.periodic[0] = true, refused(&s, "periodic"), s = scene;
    scene.fluids[0].density = 0, refused(&scene, "density"), scene.fluids[0].density = 1000;
    scene.fills[0].fluid = 3, refused(&scene, "fluid"), scene.fills[0].fluid = 0;
    scene.fills[0].shape.to.x = -1, refused(&scene, "extent"), scene.fills[0].shape.to.x = 0.4;
    scene.boundaries[0].slip = 2, refused(&scene, "slip"), scene.boundaries[0].slip = 1;
    add_box_fill(&scene, (rill_vec3){0.3, 0, 0.1}, (rill_vec3){0.6, 0.3, 0.3}, (rill_vec3){0, 0, 0});
    refused(&scene, "fill.0 overlaps fill.1");
    /* Between the places of the lattice too. */
    scene.fills[1] = box_fill((rill_vec3){0.125, 0.125, 0.125}, (rill_vec3){0.325, 0.225, 0.225}, (rill_vec3){0, 0, 0});
    refused(&scene, "fill.0 overlaps fill.1");
    scene.fills[1].shape.to.y = -1, refused(&scene, "fill.1");
    scene.fills[1].shape.from = (rill_vec3){5, 5, 5}, scene.fills[1].shape.to = (rill_vec3){6, 6, 6};
    refused(&scene, "no particles in fill.1");
    scene.fill_count = 1;
    /* What would take forever to count is refused at once. */
    scene.fills[0].shape.to.x = 9e8, refused(&scene, "particles");
    scene.fills[0].shape.to.x = 1e300, refused(&scene, "fill.0.box.to.x");
    scene.fills[0].shape.to.x = 0.4;
    scene.boundaries[0].shape.to = (rill_vec3){9e8, 9e8, 9e8}, refused(&scene, "walls");
    scene.boundaries[0].shape.to = (rill_vec3){1.2, 0.4, 0.8};
    scene.boundaries[0].shape.to.x = 1.2;
    scene.boundaries[0].motion.start = 2;
    scene.boundaries[0].motion.stop = 1, refused(&scene, "before it starts");
    scene.boundaries[0].motion.stop = 0;
    scene.periodic[0] = true, scene.domain_to.x = 0.36, refused(&scene, "overlaps itself");
    scene.periodic[0] = false, scene.boundary_count = 0;
    scene.fills[0].shape = (rill_shape){.from = {9e8, 0, 0}, .to = {9e8 + 1, 0.4, 0.4}};
    refused(&scene, "overlaps itself");
    scene.boundary_count = 1;
    rill_scene_free(&scene);
}

/* What no scene file could hold, but a struct can. */
static void refuses_what_is_out_of_bounds(void **state)
{
    (void)state;
    rill_scene scene = small_dam(), s = scene;
    const rill_probe probe = rill_probe_default();
    rill_scene_add_probe(&scene, &probe, NULL);
    s = scene;
    s.kernel = (rill_kernel_kind)7, refused(&s, "kernel"), s = scene;
    s.on_trouble = (rill_on_trouble)-1, refused(&s, "trouble.then is number -1"), s = scene;
    s.solver.eos = (rill_eos)9, refused(&s, "equation"), s = scene;
    s.solver.density = (rill_density_mode)2, refused(&s, "density"), s = scene;
    s.solver.iteration = (rill_iteration)2, refused(&s, "solver.iteration is"), s = scene;
    s.solver.iterations_max = UINT32_MAX, refused(&s, "iterations"), s = scene;
    memset(s.name, 'a', sizeof s.name), refused(&s, "does not end"), s = scene;
    memset(s.solver.kind, 'a', sizeof s.solver.kind), refused(&s, "does not end"), s = scene;
    s.particle_diameter = 2e-5, s.time.step_max = 1e-10, s.time.step_min = 1e-12, refused(&s, "pressure"), s = scene;
    s.gravity.y = 1e39, refused(&s, "gravity.y"), s = scene;
    s.gravity.z = NAN, refused(&s, "gravity.z"), s = scene;
    s.time.step_max = 1e300, refused(&s, "time.step.max must be at most"), s = scene;
    s.particle_diameter = 1e-7, refused(&s, "particle_diameter must lie between"), s = scene;
    s.probes = NULL, refused(&s, "NULL"), s = scene;
    s.periodic[0] = true, s.domain_to.x = 1e8, refused(&s, "at most 16777216"), s = scene;
#define REFUSED(member, value, word)                                                                                   \
    do {                                                                                                               \
        const __typeof__(scene.member) kept = scene.member;                                                            \
        scene.member = (__typeof__(scene.member))(value), refused(&scene, word), scene.member = kept;                  \
    } while (0)
    REFUSED(fluids[0].viscosity_kind, 6, "fluids.water.viscosity.kind is number 6");
    REFUSED(fluids[0].tension_kind, 3, "fluids.water.tension.kind");
    REFUSED(fluids[0].colour, 0x1000000, "fluids.water.colour");
    REFUSED(fluids[0].density, 1e30, "fluids.water.density must lie between");
    REFUSED(fills[0].shape.kind, 9, "shape of fill.0 is number 9");
    REFUSED(fills[0].shape.kind, RILL_SHAPE_PLANE, "shape of fill.0 is number 4");
    REFUSED(fills[0].shape.kind, RILL_SHAPE_CYLINDER, "fill.0.cylinder.radius must be above 0 m");
    REFUSED(fills[0].shape.kind, RILL_SHAPE_INSIDE, "fill.0.level must be above 0 m");
    REFUSED(boundaries[0].shape.kind, RILL_SHAPE_INSIDE, "shape of boundaries.tank is number 5");
    REFUSED(boundaries[0].shape.kind, RILL_SHAPE_PLANE, "has no direction");
    REFUSED(boundaries[0].shape.rotate.given, 1, "has no direction");
    REFUSED(boundaries[0].shape.rotate.given, 7, "rotation of boundaries.tank is number 7");
    REFUSED(fills[0].velocity.x, 1e39, "fill.0.velocity.x must be at most");
    REFUSED(boundaries[0].shape.kind, -5, "shape of boundaries.tank");
    REFUSED(boundaries[0].open, 64, "boundaries.tank.open");
    REFUSED(boundaries[0].slide_sides, 1u << 31, "boundaries.tank.slide.sides");
    REFUSED(boundaries[0].motion.sides, 64, "boundaries.tank.motion.sides");
    REFUSED(boundaries[0].motion.velocity.z, INFINITY, "boundaries.tank.motion.velocity.z");
    strcpy(scene.probes[0].kind, "tide"), refused(&scene, "no probe named 'tide'; there is front, height");
    memset(scene.probes[0].kind, 'a', RILL_NAME_SIZE), refused(&scene, "does not end");
    strcpy(scene.probes[0].kind, "front");
    REFUSED(probes[0].axis, 3, "probes.probe.axis is number");
    REFUSED(probes[0].axis, -1, "probes.probe.axis is number");
    strcpy(scene.probes[0].kind, "point");
    REFUSED(probes[0].of, 3, "probes.probe.of is number 3");
    REFUSED(probes[0].at.x, 1e30, "probes.probe.at.x");
#undef REFUSED
    rill_error err = {0};
    assert_null(rill_world_create(&scene, &(rill_options){.threads = 100000}, &err));
    assert_int_equal(err.status, RILL_BAD_INPUT);
    assert_non_null(strstr(err.text, "100000 threads"));
    rill_scene_free(&scene);
}

static void names_a_nan(void **state)
{
    (void)state;
    for (int then = 0; then < 3; then++) {
        rill_scene scene = small_dam();
        /* A density that is carried along remembers. */
        if (then == 2) scene.solver.density = RILL_DENSITY_CONTINUITY;
        scene.on_trouble = then ? RILL_TROUBLE_CONTINUE : RILL_TROUBLE_STOP;
        rill_world *world = world_of(&scene, 2, 0);
        steps(world, 20, NULL);
        rill_fields *f = &world->sph.liquid.fields;
        const uint64_t id = rill_field_u64(f, FIELD_ID)[123];
        rill_field_f32(f, FIELD_VELOCITY)[4 * 123 + 1] = NAN;
        rill_report r;
        rill_error err = {0};
        const rill_status status = rill_step(world, NULL, &r, &err);
        assert_int_equal(status, then ? RILL_OK : RILL_TROUBLE);
        assert_int_equal(r.trouble, RILL_TROUBLE_NAN);
        assert_int_equal(r.step, 21);
        /* The NaN infects its neighbours within the step; it is among those counted. */
        assert_true(r.trouble_count >= 1 && r.trouble_id <= id);
        if (!then) assert_non_null(strstr(err.text, "NaN in step 21"));
        const rill_report after = steps(world, then ? 50 : 0, NULL);
        if (then) assert_true(after.trouble == RILL_TROUBLE_NONE && isfinite(after.kinetic));
        all_inside(world, "after a NaN");
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
}

/* A solver under a closing box may publish a pressure beyond single precision. */
static void takes_no_pressure_without_end(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_world *world = world_of(&scene, 2, 0);
    steps(world, 3, NULL);
    rill_fields *f = &world->sph.liquid.fields;
    rill_field_f32(f, FIELD_PRESSURE)[5] = INFINITY;
    rill_move_stats moved;
    const rill_step_context step = {.sph = &world->sph, .dt = 1e-4};
    assert_int_equal(rill_world_move(world, &step, UINT32_MAX, &moved, NULL), RILL_OK);
    assert_int_equal(moved.trouble_kind, RILL_TROUBLE_NAN);
    assert_int_equal(moved.trouble, 1);
    for (uint32_t i = 0; i < f->count; i++) assert_true(isfinite(rill_field_f32(f, FIELD_PRESSURE)[i]));
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

static void names_a_runaway(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    scene.gravity = (rill_vec3){0, 0, 0};
    scene.solver.sound_speed = 20;
    scene.fluids[0].viscosity_kind = RILL_VISCOSITY_NONE;
    scene.speed_limit = 50;
    rill_world *world = world_of(&scene, 2, 0);
    rill_fields *f = &world->sph.liquid.fields;
    const uint32_t last = f->count - 1;
    const uint64_t id = rill_field_u64(f, FIELD_ID)[last];
    rill_field_f32(f, FIELD_VELOCITY)[4 * (size_t)last + 2] = 70;
    rill_report r;
    rill_error err = {0};
    assert_int_equal(rill_step(world, NULL, &r, &err), RILL_TROUBLE);
    assert_int_equal(r.trouble, RILL_TROUBLE_RUNAWAY);
    assert_int_equal(r.trouble_id, id);
    assert_int_equal(r.trouble_count, 1);
    assert_true(fabs(r.trouble_at.z - 0.575) < 1e-3);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

static void refuses_bad_controls(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_world *world = world_of(&scene, 1, 0);
    rill_report report;
    rill_error err = {0};
    const rill_vec3 weird = {0, NAN, 0};
    rill_body_control body = {.boundary = 7};
    rill_controls controls = {.bodies = &body, .body_count = 1};
    const uint64_t before = rill_world_hash(world);
    assert_int_equal(rill_step(world, &controls, &report, &err), RILL_BAD_INPUT);
    assert_non_null(strstr(err.text, "boundary 7"));
    body = (rill_body_control){.boundary = 0, .low = weird};
    assert_int_equal(rill_step(world, &controls, &report, &err), RILL_BAD_INPUT);
    controls = (rill_controls){.gravity = &weird};
    assert_int_equal(rill_step(world, &controls, &report, &err), RILL_BAD_INPUT);
    controls = (rill_controls){.until = NAN};
    assert_int_equal(rill_step(world, &controls, &report, &err), RILL_BAD_INPUT);
    assert_int_equal(rill_advance(world, -1, NULL, &report, &err), RILL_BAD_INPUT);
    assert_int_equal(rill_advance(world, NAN, NULL, &report, &err), RILL_BAD_INPUT);
    assert_int_equal(rill_advance(world, 0, NULL, &report, &err), RILL_OK);
    assert_int_equal(report.step, 0);
    /* Nothing of this touched the particles. */
    assert_int_equal(rill_world_hash(world), before);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* Explicit viscosity far beyond what one explicit step could carry. */
static void thick_fluids_do_not_explode(void **state)
{
    (void)state;
    static const char *const solvers[] = {"wcsph", "dfsph"};
    for (int kind = RILL_VISCOSITY_LAPLACIAN; kind <= RILL_VISCOSITY_MUELLER; kind++)
        for (int s = 0; s < 2; s++)
            for (int slip = 0; slip < 2; slip++) {
                rill_scene scene = small_dam();
                strcpy(scene.solver.kind, solvers[s]);
                scene.fluids[0].viscosity_kind = (rill_viscosity_kind)kind;
                scene.fluids[0].viscosity = 3;
                scene.boundaries[0].slip = slip;
                rill_world *world = world_of(&scene, 2, 0);
                for (int k = 0; k < 120; k++) {
                    const rill_report r = steps(world, 1, NULL);
                    /* It may not fall faster than it would freely. */
                    if (r.speed_max > 9.81 * r.time + 0.3)
                        fail_msg("%s: %g m/s after %g s", solvers[s], r.speed_max, r.time);
                }
                rill_world_destroy(world);
                rill_scene_free(&scene);
            }
}

static void probes_read_the_liquid(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_probe p = rill_probe_default();
    strcpy(p.name, "front"), rill_scene_add_probe(&scene, &p, NULL);
    strcpy(p.name, "top"), strcpy(p.kind, "height"), p.at = (rill_vec3){0.2, 0.2, 0};
    rill_scene_add_probe(&scene, &p, NULL);
    strcpy(p.name, "v"), strcpy(p.kind, "point"), p.of = RILL_VELOCITY, p.at.z = 0.55;
    rill_scene_add_probe(&scene, &p, NULL);
    strcpy(p.name, "rho"), p.of = RILL_DENSITY, p.at.z = 0.3, rill_scene_add_probe(&scene, &p, NULL);
    strcpy(p.name, "dry"), p.of = RILL_PRESSURE, p.at.z = 0.78, rill_scene_add_probe(&scene, &p, NULL);
    strcpy(p.name, "volume"), strcpy(p.kind, "volume"), rill_scene_add_probe(&scene, &p, NULL);
    rill_world *world = world_of(&scene, 2, 0);
    const rill_report r = steps(world, 5, NULL);
    assert_int_equal(r.probe_value_count, 8);
    assert_string_equal(rill_world_probe_name(world, 4), "v_z");
    assert_null(rill_world_probe_name(world, 8));
    assert_true(fabs(r.probe_values[0] - 0.4) < 1e-3);
    assert_true(fabs(r.probe_values[1] - 0.6) < 1e-3);
    /* Near the top the liquid still falls freely. */
    assert_true(fabs(r.probe_values[4] + 9.81 * r.time) < 0.1 * 9.81 * r.time);
    assert_true(fabs(r.probe_values[5] - 1000) < 5);
    assert_true(r.probe_values[6] == 0);
    assert_true(fabs(r.probe_values[7] / (0.4 * 0.4 * 0.6) - 1) < 0.01);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* A deep column started on its lattice settles; steps that only speeds limit would throw it about. */
static void deep_water_settles(void **state)
{
    (void)state;
    const double height = slow_build() ? 0.16 : 0.32, d = 0.005;
    rill_scene scene = water_scene(d);
    strcpy(scene.solver.kind, "dfsph");
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){8 * d, 8 * d, height}, (rill_vec3){0, 0, 0});
    add_tank(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){8 * d, 8 * d, 1.2 * height});
    rill_world *world = world_of(&scene, 2, 0);
    const rill_report r = advance(world, slow_build() ? 0.1 : 0.5);
    const double mass = 1000 * world->sph.volume * r.particles, rms = sqrt(2 * r.kinetic / mass);
    print_message("%.0f layers: steps of %.2g ms, rms %.2g m/s\n", height / d, 1000 * r.dt, rms);
    assert_true(r.dt <= 0.6 * d / sqrt(9.81 * height));
    assert_true(rms < 0.1 * sqrt(9.81 * height));
    assert_int_equal(r.lost, 0);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* In a pool so wide that lists need more than 16 bits in places, far from its sides, all particles of a layer fare
 * alike. */
static void wide_pools_are_even(void **state)
{
    (void)state;
    enum { WIDE = 200, HIGH = 4 };
    const double d = 0.01;
    rill_scene scene = water_scene(d);
    strcpy(scene.solver.kind, "dfsph");
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){WIDE * d, WIDE * d, HIGH * d}, (rill_vec3){0, 0, 0});
    add_tank(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){WIDE * d, WIDE * d, 2 * HIGH * d});
    rill_world *world = world_of(&scene, 2, 0);
    const rill_report r = steps(world, 2, NULL);
    assert_true(figure_of(world, &r, "iterations_density") > 0);
    const rill_sph *sph = &world->sph;
    const float *x = rill_field_f32(&sph->liquid.fields, FIELD_POSITION),
                *v = rill_field_f32(&sph->liquid.fields, FIELD_VELOCITY);
    double low[HIGH], high[HIGH];
    uint32_t far = 0;
    for (int k = 0; k < HIGH; k++) low[k] = INFINITY, high[k] = -INFINITY;
    for (uint32_t i = 0; i < sph->liquid.fields.count; i++) {
        const float *at = x + 4 * (size_t)i;
        if (fabs(at[0] - 0.5 * WIDE * d) > 0.25 * WIDE * d || fabs(at[1] - 0.5 * WIDE * d) > 0.25 * WIDE * d) continue;
        far += sph->lists.group[i / world->ops->width].far;
        const int layer = (int)(at[2] / d);
        assert_in_range(layer, 0, HIGH - 1);
        low[layer] = fmin(low[layer], v[4 * (size_t)i + 2]);
        high[layer] = fmax(high[layer], v[4 * (size_t)i + 2]);
    }
    assert_true(far > 0);
    for (int k = 0; k < HIGH; k++) {
        print_message("layer %d: from %.6g to %.6g m/s\n", k, low[k], high[k]);
        assert_true(high[k] - low[k] < 1e-3 * r.speed_max);
    }
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrives_exactly),
        cmocka_unit_test(steps_obey_their_limits),
        cmocka_unit_test(slivers_stir_nothing),
        cmocka_unit_test(fast_bodies_shorten_steps),
        cmocka_unit_test(first_frame_has_its_densities),
        cmocka_unit_test(fills_follow_their_shapes),
        cmocka_unit_test(refuses_nonsense),
        cmocka_unit_test(refuses_what_is_out_of_bounds),
        cmocka_unit_test(names_a_nan),
        cmocka_unit_test(takes_no_pressure_without_end),
        cmocka_unit_test(names_a_runaway),
        cmocka_unit_test(refuses_bad_controls),
        cmocka_unit_test(thick_fluids_do_not_explode),
        cmocka_unit_test(probes_read_the_liquid),
        cmocka_unit_test(deep_water_settles),
        cmocka_unit_test(wide_pools_are_even),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

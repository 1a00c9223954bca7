/* Water that fills containers of other shapes than boxes, and stands still in them. */
#include "tests/containers.h"

/* ---- as much as the level says ---- */

static double volume_of(const rill_scene *scene)
{
    rill_world *world = world_of(scene, 2, 0);
    const double d = scene->particle_diameter, volume = (double)rill_world_frame(world).count * d * d * d;
    all_inside(world, "filled");
    rill_world_destroy(world);
    return volume;
}

static void containers_hold_what_their_level_says(void **state)
{
    (void)state;
    const double d = 0.02, r = 10.3 * d;
    const container all[] = {lying_cylinder(r), round_tank(r)};
    for (int k = 0; k < 2; k++) {
        rill_scene scene = filled(&all[k], "dfsph", d);
        const double volume = volume_of(&scene);
        if (!(fabs(volume / all[k].volume - 1) < 0.004))
            fail_msg("a %s holds %g m3, not %g", all[k].name, volume, all[k].volume);
        rill_scene_free(&scene);
    }
    /* Not where something else is. */
    rill_scene scene = filled(&all[0], "dfsph", d);
    rill_boundary ball = rill_boundary_default();
    strcpy(ball.name, "ball");
    ball.solid = true;
    ball.shape = (rill_shape){.kind = RILL_SHAPE_SPHERE, .radius = 0.5 * r, .center = {0, 0, -0.4 * r}};
    assert_int_equal(rill_scene_add_boundary(&scene, &ball, NULL), RILL_OK);
    const double left = all[0].volume - M_PI / 6 * r * r * r, volume = volume_of(&scene);
    if (!(fabs(volume / left - 1) < 0.006)) fail_msg("beside a ball there are %g m3, not %g", volume, left);
    rill_scene_free(&scene);
}

/* In an upright box the lattice has no gaps, and layers are whole where the level lets them. */
static void boxes_are_filled_in_layers(void **state)
{
    (void)state;
    const double d = 0.02, levels[] = {6, 6.5, 7};
    for (int k = 0; k < 3; k++) {
        const container box = {
            "box", {.kind = RILL_SHAPE_BOX, .from = {0, 0, 0}, .to = {10 * d, 8 * d, 12 * d}}, levels[k] / 12, 0};
        rill_scene scene = filled(&box, "dfsph", d);
        rill_world *world = world_of(&scene, 1, 0);
        const rill_frame f = rill_world_frame(world);
        assert_int_equal(f.count, (int)(80 * levels[k]));
        float top = 0;
        for (size_t i = 0; i < f.count; i++) top = fmaxf(top, f.position[4 * i + 2]);
        assert_float_equal(top, (ceil(levels[k]) - 0.5) * d, 1e-6);
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
}

/* ---- and stands still ---- */

enum { HEIGHTS = 8 };

/* Means over the end of a run. */
typedef struct stillness {
    double off[HEIGHTS], count[HEIGHTS]; /* of the pressure, as a share of rho g H, by height */
    double beside, walls;                /* the same and the particles, within a diameter of the wall */
    double force, time;                  /* of the liquid on the container along z */
    double top, tops;                    /* of the highest speed */
} stillness;

static void read_stillness(stillness *s, const rill_world *world, double bottom, double H)
{
    const rill_frame f = rill_world_frame(world);
    const double d = world->sph.diameter;
    for (size_t i = 0; i < f.count; i++) {
        const rill_vec3 x = {f.position[4 * i], f.position[4 * i + 1], f.position[4 * i + 2]};
        const double deep = bottom + H - x.z, off = f.pressure[i] / (9810 * H) - deep / H;
        const int k = (int)(HEIGHTS * (x.z - bottom) / H);
        /* At the surface a particle has the pressure of its own middle at best. */
        if (deep < 1.5 * d || k < 0 || k >= HEIGHTS) continue;
        s->off[k] += off;
        s->count[k]++;
        if (rill_body_holds(&world->bodies[0], x, d)) continue;
        s->beside += off;
        s->walls++;
    }
}

static void stands_still(const char *solver, const container *c, double d, double seconds)
{
    rill_scene scene = filled(c, solver, d);
    scene.fluids[0].viscosity_kind = RILL_VISCOSITY_LAPLACIAN;
    scene.fluids[0].viscosity = 0.005;
    double height;
    const double bottom = container_bottom(c, &height), H = c->level * height, speed = sqrt(9.81 * H);
    rill_world *world = world_of(&scene, 2, 0);
    stillness s = {0};
    while (rill_world_time(world) < seconds) {
        const rill_report r = steps(world, 1, NULL);
        assert_int_equal(r.lost, 0);
        if (r.time < 0.8 * seconds) continue;
        s.force -= r.dt * rill_world_body(world, 0).force.z;
        s.time += r.dt;
        s.top += r.speed_max;
        s.tops++;
        if (r.step % 9 == 0) read_stillness(&s, world, bottom, H);
    }
    const double weight = 9810 * world->sph.volume * (double)rill_world_frame(world).count;
    double most = 0;
    for (int k = 0; k < HEIGHTS; k++)
        if (s.count[k] > 0) most = fmax(most, fabs(s.off[k] / s.count[k]));
    s.beside /= s.walls;
    print_message("%s in a %s: pressure %.2f %% of rho g H off at worst by height, %+.2f %% beside walls, "
                  "force %.4f of the weight, top speed %.2f %% of sqrt(gH)\n",
                  solver, c->name, 100 * most, 100 * s.beside, s.force / s.time / weight, 100 * s.top / s.tops / speed);
    if (!(most < 0.03)) fail_msg("the pressure is off by %g of rho g H", most);
    if (!(fabs(s.beside) < 0.03)) fail_msg("beside walls the pressure is off by %g of rho g H", s.beside);
    if (!(fabs(s.force / s.time / weight - 1) < 2e-3)) fail_msg("%g of the weight rests", s.force / s.time / weight);
    if (!(s.top / s.tops < 0.02 * speed)) fail_msg("the top speed is %g m/s, of %g", s.top / s.tops, speed);
    all_inside(world, "at the end");
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

static void water_stands_still_in_any_shape(void **state)
{
    (void)state;
    if (too_slow_for("still water in other shapes")) return;
    const double d = 0.02, r = 9 * d;
    const container all[] = {turned_box(r), lying_cylinder(r), round_tank(r)};
    for (int k = 0; k < 3; k++) stands_still("dfsph", &all[k], d, 4);
    stands_still("iisph", &all[1], d, 4);
    stands_still("pcisph", &all[2], d, 4);
    stands_still("wcsph", &all[2], d, 4);
    stands_still("pbf", &all[2], d, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(containers_hold_what_their_level_says),
                                       cmocka_unit_test(boxes_are_filled_in_layers),
                                       cmocka_unit_test(water_stands_still_in_any_shape)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What a step reports: energies, momentum, trouble, probes, each against a few
 * lines in double precision; the clock's choice; and the tables underneath. label: small */
#include "tests/scenes.h"
#include "tests/pairs.h"
#include "tests/pass_proof.h"

#include <string.h>

#include "base/hash.h"
#include "base/maths.h"
#include "world/world.h"

static void close_to(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%.9g is not within %g of %.9g", value, tolerance, expected);
}

/* ---- figures ---- */

static void sums_are_sums_over_particles(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    scene.gravity = (rill_vec3){1, -2, -9};
    rill_fluid oil = scene.fluids[0];
    oil.density = 700;
    rill_scene_add_fluid(&scene, &oil, NULL);
    add_box_fill(&scene, (rill_vec3){0.6, 0, 0}, (rill_vec3){0.8, 0.4, 0.4}, (rill_vec3){0, 0, 1});
    scene.fills[1].fluid = 1;
    rill_world *world = world_of(&scene, 2, 0);
    const rill_report r = steps(world, 30, NULL);
    const rill_frame f = rill_world_frame(world);
    double kinetic = 0, potential = 0, fastest = 0, momentum[3] = {0};
    for (size_t i = 0; i < f.count; i++) {
        const float *x = f.position + 4 * i, *v = f.velocity + 4 * i;
        const double m = world->sph.volume * (f.fluid[i] ? 700 : 1000);
        const double v2 = pow(v[0], 2) + pow(v[1], 2) + pow(v[2], 2);
        kinetic += 0.5 * m * v2;
        potential -= m * (1 * x[0] - 2 * x[1] - 9 * x[2]);
        fastest = fmax(fastest, sqrt(v2));
        for (int a = 0; a < 3; a++) momentum[a] += m * v[a];
    }
    close_to(r.kinetic, kinetic, 1e-6 * kinetic);
    close_to(r.potential, potential, 1e-6 * fabs(potential));
    close_to(r.speed_max, fastest, 1e-6 * fastest);
    close_to(r.momentum.x, momentum[0], 1e-6 * fabs(momentum[0]));
    close_to(r.momentum.z, momentum[2], 1e-6 * fabs(momentum[2]));
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* One particle, no walls: the smallest world there is. */
static void one_particle_falls_freely(void **state)
{
    (void)state;
    rill_scene scene = water_scene(0.05);
    scene.solver.sound_speed = 20;
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.05, 0.05, 0.05}, (rill_vec3){1, 0, 0});
    rill_world *world = world_of(&scene, 2, 0);
    assert_int_equal(rill_world_frame(world).count, 1);
    assert_int_equal(rill_world_boundary_particles(world), 0);
    rill_report r = steps(world, 10, NULL);
    close_to(rill_world_frame(world).velocity[2], -9.81 * r.time, 1e-5);
    close_to(rill_world_frame(world).position[0], 0.025 + r.time, 1e-5);
    close_to(world->clock.acceleration, 9.81, 1e-2);
    const rill_vec3 up = {0, 0, 5};
    const rill_controls controls = {.gravity = &up};
    const double before = rill_world_frame(world).velocity[2];
    r = steps(world, 1, &controls);
    close_to(rill_world_frame(world).velocity[2], before + 5 * r.dt, 1e-5);
    assert_true(r.neighbours_mean == 0 && r.lost == 0 && r.rescued == 0);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* Two in trouble, in different blocks: the report names the one with the smaller id. */
static void names_the_first_in_trouble(void **state)
{
    (void)state;
    for (int swap = 0; swap < 2; swap++) {
        rill_scene scene = small_dam();
        scene.gravity = (rill_vec3){0, 0, 0};
        scene.solver.sound_speed = 20;
        scene.speed_limit = 50;
        scene.fluids[0].viscosity_kind = RILL_VISCOSITY_NONE;
        scene.on_trouble = RILL_TROUBLE_CONTINUE;
        rill_world *world = world_of(&scene, 2, 0);
        rill_fields *f = &world->sph.liquid.fields;
        float *x = rill_field_f32(f, FIELD_POSITION), *v = rill_field_f32(f, FIELD_VELOCITY);
        const uint32_t last = f->count - 1;
        assert_true(last > 2 * world->sph.runner.block);
        rill_field_u64(f, FIELD_ID)[0] = swap ? last : 0;
        rill_field_u64(f, FIELD_ID)[last] = swap ? 0 : last;
        x[0] = 0.1f, x[2] = -3; /* away from the liquid, below it, so that they stay first and last */
        x[4 * (size_t)last] = 0.3f, x[4 * (size_t)last + 2] = 3;
        v[2] = 70;
        v[4 * (size_t)last + 2] = 70;
        const rill_report r = steps(world, 1, NULL);
        assert_int_equal(r.trouble_count, 2);
        assert_int_equal(r.trouble_id, 0);
        close_to(r.trouble_at.z, swap ? 3 : -3, 1e-6);
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
}

/* ---- the clock ---- */

static void clock_obeys_every_limit(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    scene.gravity = (rill_vec3){0, 0, 0};
    scene.solver.sound_speed = 20;
    scene.fluids[0].viscosity = 1e-6;
    rill_world *world = world_of(&scene, 1, 0);
    const double cfl = 0.4 * 0.05 / 20;
    close_to(rill_clock_choose(world, 0), cfl, 1e-9);
    world->clock.speed = 20;
    close_to(rill_clock_choose(world, 0), cfl / 2, 1e-9);
    world->clock.acceleration = 1e6;
    close_to(rill_clock_choose(world, 0), 0.25 * sqrt(0.1 / 1e6), 1e-9);
    world->clock.acceleration = world->clock.speed = 0;
    /* Never past a time, and no sliver of a step before it. */
    close_to(rill_clock_choose(world, 0.7 * cfl), 0.7 * cfl, 1e-12);
    close_to(rill_clock_choose(world, 1.01 * cfl), 0.505 * cfl, 1e-9);
    world->scene.time.step_max = 1e-4;
    close_to(rill_clock_choose(world, 0), 1e-4, 1e-12);
    world->scene.time.step_max = world->scene.time.step_min = 3e-3;
    close_to(rill_clock_choose(world, 0), 3e-3, 1e-12);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

static void top_speed_is_foreseen(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    const double fall = sqrt(2 * 9.81 * 0.6);
    close_to(rill_world_expected_speed(&scene), fall, 1e-6);
    scene.fills[0].velocity = (rill_vec3){3, 0, 4};
    close_to(rill_world_expected_speed(&scene), sqrt(fall * fall + 25), 1e-6);
    scene.boundaries[0].motion = (rill_motion){.velocity = {0, 2, 0}, .amplitude = {1, 0, 0}, .period = 1};
    close_to(rill_world_expected_speed(&scene), sqrt(fall * fall + pow(2 + 2 * RILL_PI, 2)), 1e-6);
    scene.boundary_count = 0;
    scene.time.end = 3;
    close_to(rill_world_expected_speed(&scene), sqrt(pow(3 * 9.81, 2) + 25), 1e-6);
    scene.boundary_count = 1;
    rill_scene_free(&scene);
}

/* ---- probes ---- */

/* For a point probe, over all particles: the a of the weighted least squares of v = a + g.d with a little weight on g,
 * by elimination, within the range of v. */
static double plane_at(const rill_sph *s, rill_vec3 at, const float *value, size_t stride)
{
    const float *x = rill_field_f32(&s->liquid.fields, FIELD_POSITION);
    const double p[3] = {at.x, at.y, at.z};
    const double reach = 1.5 * s->support;
    double m[4][5] = {{0}}, least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < s->liquid.fields.count; i++) {
        double d[4] = {1}, r2 = 0;
        for (size_t a = 0; a < 3; a++) {
            d[1 + a] = x[4 * i + a] - p[a];
            if (s->grid.wrap[a]) d[1 + a] -= s->grid.period[a] * round(d[1 + a] / s->grid.period[a]);
            r2 += d[1 + a] * d[1 + a];
        }
        if (r2 >= reach * reach) continue;
        const double w = rill_kernel_w(rill_kernel_of_density(s->kernel), sqrt(r2), reach);
        least = fmin(least, value[stride * i]);
        most = fmax(most, value[stride * i]);
        for (int r = 0; r < 4; r++) {
            for (int c = 0; c < 4; c++) m[r][c] += w * d[r] * d[c];
            m[r][4] += w * d[r] * value[stride * i];
        }
    }
    if (m[0][0] * s->volume <= 0.02) return 0;
    for (int r = 1; r < 4; r++) m[r][r] += 1e-3 * reach * reach * m[0][0];
    for (int r = 3; r > 0; r--)
        for (int above = 0; above < r; above++) {
            const double share = m[above][r] / m[r][r];
            for (int c = 0; c < 5; c++) m[above][c] -= share * m[r][c];
        }
    return fmin(fmax(m[0][4] / m[0][0], least), most);
}

static void point_probes_see_every_neighbour(void **state)
{
    (void)state;
    for (int cells = 0; cells <= 8; cells++) {
        if (cells == 1) continue; /* 0: not periodic */
        rill_scene scene = water_scene(0.05);
        scene.gravity = (rill_vec3){0, 0, 0};
        const double length = cells ? cells * 0.1 + 0.001 : 0.3;
        for (int k = 0; k < 3; k++) scene.periodic[k] = cells > 0;
        scene.domain_to = (rill_vec3){length, length, length};
        const double whole = floor(length / 0.05) * 0.05;
        add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){whole, whole, whole}, (rill_vec3){0, 0, 0});
        rill_probe p = rill_probe_default();
        strcpy(p.kind, "point");
        for (int k = 0; k < 30; k++) {
            p.of = k % 3 == 0 ? RILL_PRESSURE : k % 3 == 1 ? RILL_DENSITY : RILL_VELOCITY;
            const uint64_t key = (uint64_t)(k / 3) * 3;
            /* Some of them outside the domain, where it comes again. */
            p.at.x =
                (double)(rill_hash_mix(key + 1) >> 11) / 9007199254740992.0 * length - (k > 20 && cells ? length : 0);
            p.at.y = (double)(rill_hash_mix(key + 2) >> 11) / 9007199254740992.0 * length;
            p.at.z = (double)(rill_hash_mix(key + 3) >> 11) / 9007199254740992.0 * length;
            rill_scene_add_probe(&scene, &p, NULL);
        }
        rill_world *world = world_of(&scene, 1, 0);
        const rill_fields *f = &world->sph.liquid.fields;
        for (uint32_t i = 0; i < f->count; i++) {
            rill_field_f32(f, FIELD_PRESSURE)[i] = (float)(i % 17);
            rill_field_f32(f, FIELD_DENSITY)[i] = (float)(i % 13);
            for (uint32_t a = 0; a < 3; a++)
                rill_field_f32(f, FIELD_VELOCITY)[4 * (size_t)i + a] = (float)(i % (5 + a));
        }
        rill_move_stats stats;
        assert_int_equal(rill_world_measure(world, &stats, NULL), RILL_OK);
        rill_probes_measure(world, &stats);
        const double *value = world->probe_values;
        for (uint32_t k = 0; k < 30; k++) {
            const rill_vec3 at = scene.probes[k].at;
            const uint32_t field = k % 3 == 0 ? FIELD_PRESSURE : k % 3 == 1 ? FIELD_DENSITY : FIELD_VELOCITY;
            for (size_t a = 0; a < (k % 3 == 2 ? 3 : 1); a++) {
                const double plane = plane_at(&world->sph, at, rill_field_f32(f, field) + a, k % 3 == 2 ? 4 : 1);
                close_to(*value++, plane, 1e-4);
            }
        }
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
}

/* Pressure that grows with depth is read as it is at the floor and in a corner, not as it is some way above. There is
 * none above the surface. */
static void point_probes_read_at_walls(void **state)
{
    (void)state;
    rill_scene scene = water_scene(0.05);
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.5, 0.5, 0.5}, (rill_vec3){0, 0, 0});
    const rill_vec3 places[4] = {{0.25, 0.25, 0}, {0, 0, 0}, {0.25, 0.25, 0.25}, {0.25, 0.25, 0.55}};
    for (int k = 0; k < 4; k++) {
        rill_probe p = rill_probe_default();
        strcpy(p.kind, "point");
        p.of = RILL_PRESSURE;
        p.at = places[k];
        rill_scene_add_probe(&scene, &p, NULL);
    }
    rill_world *world = world_of(&scene, 1, 0);
    const rill_fields *f = &world->sph.liquid.fields;
    world->sph.gravity[2] = -9.81f; /* as a step would leave it */
    for (size_t i = 0; i < f->count; i++)
        rill_field_f32(f, FIELD_PRESSURE)[i] = 9810 * (0.5f - rill_field_f32(f, FIELD_POSITION)[4 * i + 2]);
    rill_move_stats stats;
    assert_int_equal(rill_world_measure(world, &stats, NULL), RILL_OK);
    rill_probes_measure(world, &stats);
    for (int k = 0; k < 4; k++) close_to(world->probe_values[k], 9810 * fmax(0.5 - places[k].z, 0), 0.01 * 4905);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* The plane through two particles would lead far beyond the speed of either. */
static void point_probes_know_bounds(void **state)
{
    (void)state;
    rill_scene scene = water_scene(0.05);
    scene.gravity = (rill_vec3){0, 0, 0};
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.1, 0.05, 0.05}, (rill_vec3){0, 0, 0});
    rill_probe p = rill_probe_default();
    strcpy(p.kind, "point");
    p.of = RILL_VELOCITY;
    p.at = (rill_vec3){-0.02, 0.025, 0.025};
    rill_scene_add_probe(&scene, &p, NULL);
    rill_world *world = world_of(&scene, 1, 0);
    const rill_fields *f = &world->sph.liquid.fields;
    assert_int_equal(f->count, 2);
    for (size_t i = 0; i < 2; i++)
        rill_field_f32(f, FIELD_VELOCITY)[4 * i] = rill_field_f32(f, FIELD_POSITION)[4 * i] > 0.05f ? 10 : 1;
    rill_move_stats stats;
    assert_int_equal(rill_world_measure(world, &stats, NULL), RILL_OK);
    rill_probes_measure(world, &stats);
    close_to(world->probe_values[0], 1, 1e-6);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* Spray far ahead and above counts only for probes that want it. */
static void probes_know_spray(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_probe p = rill_probe_default();
    for (int k = 0; k < 6; k++) {
        strcpy(p.kind, k < 2 ? "front" : k < 4 ? "height" : k == 4 ? "kinetic" : "potential");
        p.min_neighbours = k % 2 ? 0 : 6;
        p.at = (rill_vec3){0.9, 0.2, 0};
        p.radius = 0.6;
        rill_scene_add_probe(&scene, &p, NULL);
    }
    strcpy(p.kind, "height"), p.radius = 0, rill_scene_add_probe(&scene, &p, NULL);
    rill_world *world = world_of(&scene, 1, 0);
    float *x = rill_field_f32(&world->sph.liquid.fields, FIELD_POSITION);
    x[0] = 1, x[1] = 0.2f, x[2] = 0.7f;
    const rill_report r = steps(world, 1, NULL);
    close_to(r.probe_values[0], 0.4, 2e-3);
    close_to(r.probe_values[1], 1.025, 2e-3);
    close_to(r.probe_values[2], 0.6, 2e-3);
    close_to(r.probe_values[3], 0.725, 2e-3);
    assert_true(r.probe_values[4] == r.kinetic && r.probe_values[5] == r.potential && r.kinetic != r.potential);
    /* A diameter around the place there is nothing. */
    close_to(r.probe_values[6], 0, 1e-12);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* ---- tables ---- */

static void reorders_all_that_is_state(void **state)
{
    (void)state;
    rill_fields f = {0};
    rill_fields_add_real(&f, "a", "", 4, 3, RILL_STATE);
    rill_fields_add_real(&f, "b", "", 1, 1, RILL_DERIVED);
    rill_fields_add(&f, &(rill_field_def){.name = "c", .unit = "", .type = RILL_FIELD_U32, .lanes = 1, .used = 1});
    rill_fields_add_real(&f, "d", "", 1, 1, RILL_STATE);
    rill_fields_add(&f, &(rill_field_def){.name = "e", .unit = "", .type = RILL_FIELD_U64, .lanes = 1, .used = 1});
    rill_threads *pool = rill_threads_create(2, NULL);
    const rill_scheduler scheduler = rill_threads_scheduler(pool);
    for (uint32_t count = 40000; count <= 80000; count *= 2) {
        assert_int_equal(rill_fields_reserve(&f, count, NULL), RILL_OK);
        f.count = count;
        uint32_t *order = malloc(count * sizeof *order);
        for (uint32_t i = 0; i < count; i++) {
            order[i] = (i * 7u + 3) % count;
            for (uint32_t l = 0; l < 4; l++) rill_field_f32(&f, 0)[4 * (size_t)i + l] = (float)(4 * i + l);
            rill_field_f32(&f, 1)[i] = rill_field_f32(&f, 3)[i] = (float)i;
            rill_field_u32(&f, 2)[i] = i;
            rill_field_u64(&f, 4)[i] = (uint64_t)i << 33;
        }
        assert_int_equal(rill_fields_reorder(&f, order, rill_fields_until(&f, RILL_STATE), &scheduler, NULL), RILL_OK);
        for (uint32_t i = 0; i < count; i++) {
            for (uint32_t l = 0; l < 4; l++)
                assert_true(rill_field_f32(&f, 0)[4 * (size_t)i + l] == (float)(4 * order[i] + l));
            assert_true(rill_field_f32(&f, 1)[i] == (float)i && rill_field_f32(&f, 3)[i] == (float)order[i]);
            assert_int_equal(rill_field_u32(&f, 2)[i], order[i]);
            assert_true(rill_field_u64(&f, 4)[i] == (uint64_t)order[i] << 33);
        }
        free(order);
    }
    rill_fields_free(&f);
    rill_threads_destroy(pool);
}

/* Shifting against its formula, over all pairs: with walls, not at the surface, never too far. */
static void shifts_follow_their_formula(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    scene.shifting = 0.5;
    rill_world *world = world_of(&scene, 1, 0);
    steps(world, 40, NULL);
    rill_sph *s = &world->sph;
    find_neighbours(world);
    const double dt = 0.1, h = s->support, d = s->diameter;
    const rill_step_context context = {.sph = s, .dt = dt};
    const rill_world_force *force = &world->forces[world->force_count - 1];
    const uint32_t field = force->method->displace(force->state, &context);
    const float *x = rill_field_f32(&s->liquid.fields, FIELD_POSITION),
                *v = rill_field_f32(&s->liquid.fields, FIELD_VELOCITY);
    const float *shift = rill_field_f32(&s->liquid.fields, field);
    const float *D = rill_field_f32(&s->liquid.fields, FIELD_COMPRESSION);
    int still = 0, shifted = 0;
    for (size_t i = 0; i < s->liquid.fields.count; i++) {
        double sum[3] = {0}, length = 0;
        for (size_t j = 0; j < s->liquid.fields.count + s->walls.fields.count; j++) {
            const bool wall = j >= s->liquid.fields.count;
            const float *y = wall ? rill_walls_position(s) + 4 * (j - s->liquid.fields.count) : x + 4 * j;
            const double e[3] = {(double)x[4 * i] - y[0], (double)x[4 * i + 1] - y[1], (double)x[4 * i + 2] - y[2]};
            const double r = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
            if (r == 0 || r >= h) continue;
            const double f = (wall ? s->wall_weight * y[3] : 1) * rill_kernel_slope(RILL_CUBIC, r, h) / r;
            for (int a = 0; a < 3; a++) sum[a] += f * e[a];
        }
        const double speed = sqrt(pow(v[4 * i], 2) + pow(v[4 * i + 1], 2) + pow(v[4 * i + 2], 2));
        for (int a = 0; a < 3; a++) sum[a] *= -2 * 0.5 * (h / 2) * speed * dt * s->volume;
        for (int a = 0; a < 3; a++) length += sum[a] * sum[a];
        const double cut = D[i] < 0.95 ? 0 : fmin(1, 0.2 * d / sqrt(length));
        for (size_t a = 0; a < 3; a++) close_to(shift[4 * i + a], cut * sum[a], 1e-6 * d);
        still += D[i] < 0.95;
        shifted += cut > 0 && sqrt(length) > 1e-4 * d;
    }
    if (still < 20 || shifted < 20) fail_msg("%d at the surface, %d shifted", still, shifted);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* Pair factors of padding are zero, among walls too, where padding is a real wall particle. */
static void padding_has_no_factor(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_world *world = world_of(&scene, 1, 0);
    /* Everyone within reach of the wall's first particle. */
    float *x = rill_field_f32(&world->sph.liquid.fields, FIELD_POSITION);
    for (size_t i = 0; i < world->sph.liquid.fields.count; i++)
        for (size_t a = 0; a < 3; a++) x[4 * i + a] *= 0.1f;
    find_neighbours(world);
    const unsigned width = world->ops->width;
    int padded = 0;
    for (int walls = 0; walls < 2; walls++) {
        const rill_lists *lists = walls ? &world->sph.wall_lists : &world->sph.lists;
        for (uint32_t i = 0; i < world->sph.liquid.fields.count; i++)
            for (uint32_t k = lists->count[i]; k < lists->group[i / width].length; k++, padded++)
                assert_true(rill_lists_group(lists, i / width).factors[(size_t)k * width + i % width] == 0);
    }
    assert_true(padded > 100);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_sums_over_particles), cmocka_unit_test(one_particle_falls_freely),
        cmocka_unit_test(names_the_first_in_trouble),   cmocka_unit_test(clock_obeys_every_limit),
        cmocka_unit_test(top_speed_is_foreseen),        cmocka_unit_test(point_probes_see_every_neighbour),
        cmocka_unit_test(point_probes_read_at_walls),     cmocka_unit_test(point_probes_know_bounds),
        cmocka_unit_test(probes_know_spray),            cmocka_unit_test(reorders_all_that_is_state),
        cmocka_unit_test(padding_has_no_factor),
        cmocka_unit_test(shifts_follow_their_formula),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The weakly compressible solver against a brute-force twin, step by step, and
 * against what must hold: momentum, mass, determinism. */
#include "tests/pairs.h"
#include "tests/pass_proof.h"
#include "tests/variants.h"
#include "tests/wall_twin.h"

#include <string.h>

/* All pairs, in double, straight from the equations on top of wcsph.c and
 * viscosity.c. One step of dt from x, v to x, v. */
typedef struct twin {
    uint32_t n, walls;
    double *x, *v, *D, *p, *a;
    double *mean, *rest; /* for walls that press */
} twin;

static void twin_density(const rill_sph *s, twin *t)
{
    for (uint32_t i = 0; i < t->n; i++) {
        double sum = 0, d[3], xb[3], vb[3], psi;
        for (uint32_t j = 0; j < t->n; j++) sum += pair_kernel(s, pair_distance(s, t->x + 3 * i, t->x + 3 * j, d));
        for (uint32_t b = 0; b < t->walls; b++) {
            wall_at(s, b, xb, vb, &psi);
            sum += psi * pair_kernel(s, pair_distance(s, t->x + 3 * i, xb, d));
        }
        t->D[i] = s->volume * sum;
    }
}

/* What one neighbour adds to sum_j X_ij; Dj is 1 and psi counts for walls. Half of a wall's particles are
 * approached. */
static void viscous_pair(const rill_sph *s, rill_viscosity_kind kind, double c, double dt, const double d[3], double r,
                         const double v[3], bool wall, double psi, double Di, double Dj, double X[3])
{
    const double h = s->support, mean = 0.5 * (Di + Dj), vd = v[0] * d[0] + v[1] * d[1] + v[2] * d[2];
    const double damp = vd / (r * r + 0.01 * h * h), f = psi * pair_factor(s, r);
    for (int k = 0; k < 3; k++) {
        if (r >= h) X[k] = 0;
        else if (kind == RILL_VISCOSITY_LAPLACIAN) X[k] = 10 * damp * f * d[k] / mean;
        else if (kind == RILL_VISCOSITY_ARTIFICIAL)
            X[k] = (wall ? 0.5 : vd < 0) * 0.5 * h * c * damp * f * d[k] / mean;
        else if (kind == RILL_VISCOSITY_MUELLER)
            X[k] = -psi * v[k] * rill_kernel_laplacian(RILL_VISCOUS, r > 0 ? r : 1e-9, h) / (Di * Dj);
        else if (kind == RILL_VISCOSITY_XSPH) X[k] = -psi * v[k] * pair_kernel(s, r) / mean / dt;
        else X[k] = 0;
    }
}

static void twin_forces(const rill_world *w, twin *t, double dt)
{
    const rill_sph *s = &w->sph;
    const double nu = s->viscosity[0];
    const plain_liquid liquid = {t->n, t->x, t->v, t->mean, t->rest};
    double *push = calloc(t->walls + 1, sizeof *push);
    for (uint32_t b = 0; b < t->walls; b++) push[b] = wall_pressure_twin(s, b, &liquid, dt, 0);
    for (uint32_t i = 0; i < t->n; i++) {
        double sum[3] = {0}, d[3], v[3], X[3], xb[3], vb[3], psi;
        for (uint32_t j = 0; j < t->n; j++) {
            if (i == j) continue;
            const double r = pair_distance(s, t->x + 3 * i, t->x + 3 * j, d);
            for (int k = 0; k < 3; k++) v[k] = t->v[3 * i + k] - t->v[3 * j + k];
            viscous_pair(s, s->viscosity_kind, w->sound_speed, dt, d, r, v, false, 1, t->D[i], t->D[j], X);
            for (int k = 0; k < 3; k++) sum[k] += nu * X[k];
        }
        double normal[3] = {0}, length = 0, pushed[3] = {0};
        for (uint32_t b = 0; b < t->walls; b++)
            wall_push_twin(s, b, push[b], t->x + 3 * i, s->rest_density[0], pushed);
        for (uint32_t b = 0; b < t->walls; b++) {
            wall_at(s, b, xb, vb, &psi);
            const double f = psi * pair_factor(s, pair_distance(s, t->x + 3 * i, xb, d));
            for (int k = 0; k < 3; k++) normal[k] -= f * d[k];
        }
        for (int k = 0; k < 3; k++) length += normal[k] * normal[k];
        for (uint32_t b = 0; b < t->walls && length > 0; b++) {
            wall_at(s, b, xb, vb, &psi);
            const double r = pair_distance(s, t->x + 3 * i, xb, d);
            double along = 0;
            for (int k = 0; k < 3; k++) along += d[k] * normal[k] / sqrt(length);
            const double behind = rill_walls_velocity(s)[4 * (size_t)b + 3];
            along = fmax(along, behind + 0.25 * s->diameter);
            for (int k = 0; k < 3; k++) v[k] = (t->v[3 * i + k] - vb[k]) * along / (along - behind);
            viscous_pair(s, s->viscosity_kind, w->sound_speed, dt, d, r, v, true, psi, t->D[i], 1, X);
            const double grip = w->bodies[rill_field_u32(&s->walls.fields, WALL_BODY)[b]].grip;
            for (int k = 0; k < 3; k++) sum[k] += nu * grip * X[k];
        }
        for (int k = 0; k < 3; k++) t->a[3 * i + k] = s->gravity[k] + s->volume * sum[k] + pushed[k];
    }
    free(push);
    for (uint32_t i = 0; i < 3 * t->n; i++) t->v[i] += dt * t->a[i];
}

static void twin_pressure(const rill_world *w, twin *t, double dt)
{
    const rill_sph *s = &w->sph;
    const double c = w->sound_speed, gamma = w->scene.solver.gamma, rho = s->rest_density[0];
    const double smooth = 2 * w->scene.solver.diffusion * s->support * c;
    double *next = calloc(t->n, sizeof *next);
    for (uint32_t i = 0; i < t->n; i++) {
        double rate = 0, d[3], xb[3], vb[3], psi;
        for (uint32_t j = 0; j < t->n; j++) {
            const double f = pair_factor(s, pair_distance(s, t->x + 3 * i, t->x + 3 * j, d));
            for (int k = 0; k < 3; k++) rate += f * d[k] * (t->v[3 * i + k] - t->v[3 * j + k]);
            const double still = -(s->gravity[0] * d[0] + s->gravity[1] * d[1] + s->gravity[2] * d[2]) / (c * c);
            rate -= smooth * f * (t->D[j] - t->D[i] - still);
        }
        for (uint32_t b = 0; b < t->walls; b++) {
            wall_at(s, b, xb, vb, &psi);
            const double f = psi * pair_factor(s, pair_distance(s, t->x + 3 * i, xb, d));
            for (int k = 0; k < 3; k++) rate += f * d[k] * (t->v[3 * i + k] - vb[k]);
        }
        next[i] = t->D[i] + dt * s->volume * rate;
        t->p[i] = w->scene.solver.eos == RILL_EOS_LINEAR ? rho * c * c * (next[i] - 1)
                                                         : rho * c * c / gamma * (pow(next[i], gamma) - 1);
        if (!w->scene.solver.negative_pressure && t->p[i] < 0) t->p[i] = 0;
    }
    if (w->scene.solver.density == RILL_DENSITY_CONTINUITY) memcpy(t->D, next, t->n * sizeof *next);
    for (uint32_t i = 0; i < t->n; i++) {
        double a[3] = {0}, d[3], xb[3], vb[3], psi;
        const double P = t->p[i] / (t->D[i] * t->D[i]);
        for (uint32_t j = 0; j < t->n; j++) {
            const double f = pair_factor(s, pair_distance(s, t->x + 3 * i, t->x + 3 * j, d));
            for (int k = 0; k < 3; k++) a[k] += f * d[k] * (P + t->p[j] / (t->D[j] * t->D[j]));
        }
        for (uint32_t b = 0; b < t->walls; b++) {
            wall_at(s, b, xb, vb, &psi);
            const double f = psi * pair_factor(s, pair_distance(s, t->x + 3 * i, xb, d));
            for (int k = 0; k < 3; k++) a[k] += f * d[k] * P;
        }
        for (int k = 0; k < 3; k++) t->a[3 * i + k] = -s->volume / rho * a[k];
    }
    for (uint32_t i = 0; i < 3 * t->n; i++) {
        t->v[i] += dt * t->a[i];
        t->x[i] += dt * t->v[i];
    }
    free(next);
}

static void twin_load(const rill_world *w, twin *t)
{
    const rill_frame f = rill_world_frame(w);
    *t = (twin){.n = f.count, .walls = w->sph.walls.fields.count};
    t->x = calloc(3 * t->n, sizeof(double));
    t->v = calloc(3 * t->n, sizeof(double));
    t->a = calloc(3 * t->n, sizeof(double));
    t->D = calloc(t->n, sizeof(double));
    t->p = calloc(t->n, sizeof(double));
    t->mean = calloc(t->n, sizeof(double));
    t->rest = calloc(t->n, sizeof(double));
    const rill_fields *fields = &w->sph.liquid.fields;
    const float *mean = rill_field_f32(fields, (uint32_t)rill_fields_find(fields, "wall_mean"));
    const float *D = rill_field_f32(&w->sph.liquid.fields, FIELD_COMPRESSION);
    for (size_t i = 0; i < t->n; i++) {
        for (size_t k = 0; k < 3; k++) {
            t->x[3 * f.id[i] + k] = f.position[4 * i + k];
            t->v[3 * f.id[i] + k] = f.velocity[4 * i + k];
        }
        t->D[f.id[i]] = D[i];
        t->mean[f.id[i]] = mean[i];
        t->rest[f.id[i]] = w->sph.rest_density[0];
    }
}

static void twin_free(twin *t)
{
    free(t->x), free(t->v), free(t->a), free(t->D), free(t->p), free(t->mean), free(t->rest);
}

static bool touches_wall(const rill_world *w, const double *x)
{
    for (uint32_t b = 0; b < w->body_count; b++)
        if (!rill_body_holds(&w->bodies[b], (rill_vec3){x[0], x[1], x[2]},
                             1.01 * RILL_CONTACT_DISTANCE * w->sph.diameter))
            return true;
    return false;
}

/* One fast step and one slow step from the same state must agree. */
static void compare_step(rill_world *w)
{
    twin t;
    twin_load(w, &t);
    const rill_report r = steps(w, 1, NULL);
    if (w->scene.solver.density == RILL_DENSITY_SUMMATION) twin_density(&w->sph, &t);
    twin_forces(w, &t, r.dt);
    twin_pressure(w, &t, r.dt);
    const rill_frame f = rill_world_frame(w);
    double worst_x = 0, worst_v = 0, worst_p = 0, p_scale = 1;
    for (size_t i = 0; i < t.n; i++) {
        const size_t id = f.id[i];
        p_scale = fmax(p_scale, t.p[id]);
        /* The twin knows no guard. */
        if (touches_wall(w, t.x + 3 * id)) continue;
        for (size_t k = 0; k < 3; k++) {
            double dx = fabs(t.x[3 * id + k] - f.position[4 * i + k]);
            if (w->sph.grid.wrap[k]) dx = fmin(dx, fabs(dx - w->sph.grid.period[k]));
            worst_x = fmax(worst_x, dx);
            worst_v = fmax(worst_v, fabs(t.v[3 * id + k] - f.velocity[4 * i + k]));
        }
    }
    for (size_t i = 0; i < t.n; i++) worst_p = fmax(worst_p, fabs(t.p[f.id[i]] - f.pressure[i]));
    /* Single precision: D to a few 1e-7, so p to that times rho c^2, and v to dt times its gradient. */
    const double c = w->sound_speed, p_error = 1e-6 * 1000 * c * c;
    const char *name = variant_of(w);
    assert_true(p_scale > 100 * p_error);
    if (worst_p > p_error) fail_msg("%s: pressures differ by %g of %g Pa", name, worst_p, p_scale);
    if (worst_v > 4 * r.dt * p_error / 1000 / w->sph.diameter)
        fail_msg("%s: velocities differ by %g m/s", name, worst_v);
    if (worst_x > r.dt * worst_v + 2e-7) fail_msg("%s: positions differ by %g m", name, worst_x);
    twin_free(&t);
}

static void matches_twin_in_a_tank(void **state)
{
    (void)state;
    for (int kind = RILL_VISCOSITY_NONE; kind <= RILL_VISCOSITY_ARTIFICIAL; kind++)
        for (int setting = 0; setting < 4; setting++) {
            /* All pairs take long under sanitizers, and what differs by setting does not differ by kind. */
            if (setting && kind != RILL_VISCOSITY_LAPLACIAN && too_slow_for("settings with every viscosity"))
                continue;
            rill_scene scene = small_dam();
            scene.fluids[0].viscosity_kind = (rill_viscosity_kind)kind;
            scene.fluids[0].viscosity = kind == RILL_VISCOSITY_XSPH ? 0.05 : 0.02;
            scene.boundaries[0].slip = 0.25;
            scene.solver.eos = setting == 1 ? RILL_EOS_LINEAR : RILL_EOS_TAIT;
            scene.solver.negative_pressure = setting == 1;
            scene.solver.density = setting == 3 ? RILL_DENSITY_CONTINUITY : RILL_DENSITY_SUMMATION;
            scene.solver.diffusion = setting == 3 ? 0.1 : 0;
            scene.kernel = setting == 2 ? RILL_KERNEL_MUELLER : RILL_KERNEL_CUBIC;
            for (int variant = 0; variant < VARIANT_COUNT; variant++) {
                rill_world *world = world_with(&scene, 2, variant);
                if (!world) continue;
                steps(world, 60, NULL);
                compare_step(world);
                rill_world_destroy(world);
            }
            rill_scene_free(&scene);
        }
}

/* Whirls that fit a periodic box of this side. */
static void stir(rill_world *world, float side)
{
    float *v = rill_field_f32(&world->sph.liquid.fields, FIELD_VELOCITY);
    const float *x = rill_field_f32(&world->sph.liquid.fields, FIELD_POSITION), wave = 6.2832f / side;
    for (size_t i = 0; i < world->sph.liquid.fields.count; i++) {
        v[4 * i] = sinf(wave * x[4 * i + 1]) * cosf(wave * x[4 * i]);
        v[4 * i + 1] = -cosf(wave * x[4 * i + 1]) * sinf(wave * x[4 * i]);
    }
}

static void matches_twin_in_a_periodic_box(void **state)
{
    (void)state;
    rill_scene scene = water_scene(0.05);
    for (int k = 0; k < 3; k++) scene.periodic[k] = true;
    scene.domain_from = (rill_vec3){-0.1, 0.2, 0};
    scene.domain_to = (rill_vec3){0.3, 0.6, 0.4};
    scene.gravity = (rill_vec3){1, 0.5, -2};
    scene.solver.sound_speed = 20;
    add_box_fill(&scene, scene.domain_from, scene.domain_to, (rill_vec3){1, 0, 0});
    for (int variant = 0; variant < VARIANT_COUNT; variant++) {
        rill_world *world = world_with(&scene, 2, variant);
        if (!world) continue;
        /* A lattice that moves as one would have no pressure. */
        stir(world, 0.4f);
        steps(world, 40, NULL);
        compare_step(world);
        rill_world_destroy(world);
    }
    rill_scene_free(&scene);
}

/* Two blobs meet in free space: total momentum stays, to 1e-5 of sum m|v|. */
static void collision_keeps_momentum(void **state)
{
    (void)state;
    for (int kind = RILL_VISCOSITY_NONE; kind <= RILL_VISCOSITY_ARTIFICIAL; kind++) {
        rill_scene scene = water_scene(0.05);
        scene.gravity = (rill_vec3){0, 0, 0};
        scene.fluids[0].viscosity_kind = (rill_viscosity_kind)kind;
        rill_fluid oil = scene.fluids[0];
        oil.density = 800;
        oil.viscosity = 0.03;
        rill_scene_add_fluid(&scene, &oil, NULL);
        add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.5, 0.5, 0.5}, (rill_vec3){2, 0.1, 0});
        add_box_fill(&scene, (rill_vec3){0.6, 0.1, 0.15}, (rill_vec3){1, 0.6, 0.6}, (rill_vec3){-3, 0, 0.3});
        scene.fills[1].fluid = 1;
        rill_world *world = world_of(&scene, 2, 0);
        const rill_report first = steps(world, 1, NULL);
        const rill_report last = steps(world, 400, NULL);
        double scale = 0;
        const rill_frame f = rill_world_frame(world);
        for (size_t i = 0; i < f.count; i++)
            scale += world->sph.volume * world->sph.rest_density[f.fluid[i]] *
                     sqrt(pow(f.velocity[4 * i], 2) + pow(f.velocity[4 * i + 1], 2) + pow(f.velocity[4 * i + 2], 2));
        const double drift = rill_vec3_length(rill_vec3_sub(last.momentum, first.momentum));
        if (drift > 1e-5 * scale) fail_msg("kind %d: momentum drifted by %g of %g", kind, drift, scale);
        /* They really met. */
        assert_true(fabs(last.kinetic - first.kinetic) > 0.01 * first.kinetic);
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
}

static void carried_density_conserves_and_smooths(void **state)
{
    (void)state;
    double roughness[2];
    for (int on = 0; on < 2; on++) {
        rill_scene scene = small_dam();
        scene.solver.density = RILL_DENSITY_CONTINUITY;
        scene.solver.diffusion = on ? 0.1 : 0;
        rill_world *world = world_of(&scene, 2, 0);
        steps(world, 300, NULL);
        /* The spread of pressure between neighbours. */
        const rill_sph *s = &world->sph;
        const float *p = rill_field_f32(&s->liquid.fields, FIELD_PRESSURE);
        double sum = 0;
        for (uint32_t i = 0; i < s->liquid.fields.count; i++) {
            const unsigned width = world->ops->width;
            for (uint32_t k = 0; k < s->lists.count[i]; k++) {
                const rill_group g = rill_lists_group(&s->lists, i / width);
                const uint32_t j = rill_group_neighbour(&g, width, k, i % width);
                sum += fabs((double)p[i] - p[j]);
            }
        }
        roughness[on] = sum / (double)s->lists.pairs;
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
    if (!(roughness[1] < 0.8 * roughness[0])) fail_msg("diffusion: %g Pa, without: %g Pa", roughness[1], roughness[0]);
}

/* In a periodic box without walls or surface, shifting makes a random-ish arrangement more even. */
static void shifting_evens_out(void **state)
{
    (void)state;
    double spread[2];
    for (int on = 0; on < 2; on++) {
        rill_scene scene = water_scene(0.05);
        for (int k = 0; k < 3; k++) scene.periodic[k] = true;
        scene.domain_to = (rill_vec3){0.6, 0.6, 0.6};
        scene.gravity = (rill_vec3){0, 0, 0};
        scene.solver.sound_speed = 10;
        scene.shifting = on ? 1 : 0;
        scene.fluids[0].viscosity_kind = RILL_VISCOSITY_NONE;
        add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.6, 0.6, 0.6}, (rill_vec3){0.5, 0, 0});
        rill_world *world = world_of(&scene, 2, 0);
        stir(world, 0.6f);
        steps(world, 300, NULL);
        const float *D = rill_field_f32(&world->sph.liquid.fields, FIELD_COMPRESSION);
        double sum = 0, sum2 = 0;
        for (size_t i = 0; i < world->sph.liquid.fields.count; i++) sum += D[i], sum2 += (double)D[i] * D[i];
        const double n = world->sph.liquid.fields.count;
        spread[on] = sqrt(sum2 / n - sum / n * (sum / n));
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
    if (!(spread[1] < spread[0]))
        fail_msg("with shifting the density spreads by %g, without by %g", spread[1], spread[0]);
}

/* Every pass writes only the fields it declares. */
static void passes_keep_their_word(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    scene.shifting = 0.5;
    rill_fluid oil = scene.fluids[0];
    oil.density = 800;
    oil.viscosity = 0.5;
    rill_scene_add_fluid(&scene, &oil, NULL);
    rill_world *world = world_of(&scene, 2, 0);
    prove_steps(world, 3);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* A tank of liquid without any viscosity rocks, but gains nothing. */
static void walls_feed_no_energy(void **state)
{
    (void)state;
    rill_scene scene = water_scene(0.05);
    scene.fluids[0].viscosity_kind = RILL_VISCOSITY_NONE;
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.4, 0.4, 0.4}, (rill_vec3){0.1, 0, 0});
    add_tank(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.4, 0.4, 0.6});
    rill_world *world = world_of(&scene, 1, 0);
    const rill_report first = steps(world, 1, NULL);
    const rill_report last = advance(world, 1.5); /* at first the lattice falls apart and stirs */
    const double gained = last.kinetic + last.potential - first.kinetic - first.potential;
    print_message("energy gained without viscosity: %.3g J of %.3g J kinetic\n", gained, first.kinetic);
    assert_true(gained < 0.05 * first.kinetic);
    assert_true(last.kinetic < 2 * first.kinetic);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* 64 particles in a box, at rest but for their lattice, in steps so small that no error of time hides behind them. */
static void few_particles_do_not_heat_themselves(void **state)
{
    (void)state;
    if (too_slow_for("small steps of few particles")) return;
    const double steps_most[] = {2e-4, 1e-3};
    for (int k = 0; k < 2; k++) {
        rill_scene scene = water_scene(0.1);
        scene.fluids[0].viscosity_kind = RILL_VISCOSITY_NONE;
        scene.time.step_max = steps_most[k];
        add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.4, 0.4, 0.4}, (rill_vec3){0, 0, 0});
        add_tank(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.4, 0.4, 1.2});
        rill_world *world = world_of(&scene, 1, 0);
        const rill_report first = steps(world, 1, NULL);
        double most = 0, late = 0;
        while (rill_world_time(world) < 6) {
            const rill_report r = steps(world, 1, NULL);
            most = fmax(most, r.kinetic + r.potential);
            if (r.time > 5) late = fmax(late, r.kinetic);
        }
        print_message("steps of %g s: %.1f J at first, %.1f J at most, %.2g J of motion in the end\n", steps_most[k],
                      first.potential, most, late);
        assert_true(most < 1.001 * (first.kinetic + first.potential));
        assert_true(late < 2e-3 * first.potential);
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walls_feed_no_energy),
        cmocka_unit_test(few_particles_do_not_heat_themselves),
        cmocka_unit_test(matches_twin_in_a_tank),
        cmocka_unit_test(matches_twin_in_a_periodic_box),
        cmocka_unit_test(collision_keeps_momentum),
        cmocka_unit_test(carried_density_conserves_and_smooths),
        cmocka_unit_test(shifting_evens_out),
        cmocka_unit_test(passes_keep_their_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

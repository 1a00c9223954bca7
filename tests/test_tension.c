/* Surface tension by colour field and by cohesion: slow twins, Lamb's period of an
 * oscillating drop, a cube that becomes round, momentum, bits. */
#include "tests/forces.h"
#include "text/pi.h"

static const double pi = RILL_PI;

static const char *name_of(rill_tension_kind kind)
{
    return kind == RILL_TENSION_COLOUR ? "tension_colour" : "tension_cohesion";
}

/* Two liquids side by side, periodic along y, on a floor to which they stick. */
static rill_scene two_liquids(rill_tension_kind kind)
{
    rill_scene scene = water_scene(0.05);
    strcpy(scene.solver.kind, "dfsph");
    scene.fluids[0].tension_kind = kind;
    scene.fluids[0].tension = 5;
    scene.fluids[0].adhesion = 0.5;
    rill_fluid oil = scene.fluids[0];
    oil.density = 700;
    oil.tension = 2;
    oil.adhesion = 0;
    assert_int_equal(rill_scene_add_fluid(&scene, &oil, NULL), RILL_OK);
    scene.periodic[1] = true;
    scene.domain_to = (rill_vec3){0, 0.3, 0};
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.2, 0.3, 0.25}, (rill_vec3){0, 0, 0});
    rill_fill fill = box_fill((rill_vec3){0.2, 0, 0}, (rill_vec3){0.4, 0.3, 0.25}, (rill_vec3){0, 0, 0});
    fill.fluid = 1;
    assert_int_equal(rill_scene_add_fill(&scene, &fill, NULL), RILL_OK);
    add_tank(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.6, 0.3, 0.5});
    return scene;
}

/* ---- slow twins ---- */

static double sigma_of(const rill_sph *s, size_t i)
{
    return s->tension[rill_field_u32(&s->liquid.fields, FIELD_FLUID)[i]];
}

/* V0 sum_j (sigma_ij/sigma_i) nabla W, over liquid and walls. */
static void twin_gradient(const rill_sph *s, size_t i, double g[3])
{
    double xi[3], xj[3], d[3], vb[3], psi;
    place_of(s, i, xi);
    const double sigma = sigma_of(s, i), grip = s->adhesion[rill_field_u32(&s->liquid.fields, FIELD_FLUID)[i]];
    for (int k = 0; k < 3; k++) g[k] = 0;
    for (size_t j = 0; j < s->liquid.fields.count; j++) {
        place_of(s, j, xj);
        const double f = pair_factor(s, pair_distance(s, xi, xj, d)) * fmin(sigma, sigma_of(s, j)) / sigma;
        for (int k = 0; k < 3; k++) g[k] += s->volume * f * d[k];
    }
    for (uint32_t b = 0; b < s->walls.fields.count; b++) {
        wall_at(s, b, xj, vb, &psi);
        const double f = psi * grip * pair_factor(s, pair_distance(s, xi, xj, d));
        for (int k = 0; k < 3; k++) g[k] += s->volume * f * d[k];
    }
}

static double kernel_mean(const rill_sph *s, const double *c, size_t i, double g[3])
{
    const float *D = rill_field_f32(&s->liquid.fields, FIELD_COMPRESSION);
    double xi[3], xj[3], d[3], weight = 0;
    place_of(s, i, xi);
    for (int k = 0; k < 3; k++) g[k] = 0;
    for (size_t j = 0; j < s->liquid.fields.count; j++) {
        place_of(s, j, xj);
        const double w = pair_kernel(s, pair_distance(s, xi, xj, d)) / D[j];
        for (size_t k = 0; k < 3; k++) g[k] += w * c[3 * j + k];
        weight += w;
    }
    for (int k = 0; k < 3; k++) g[k] /= weight;
    return sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
}

static void twin_colour(const rill_sph *s, const double *c, double *out)
{
    const size_t n = s->liquid.fields.count;
    const float *D = rill_field_f32(&s->liquid.fields, FIELD_COMPRESSION);
    double *normal = calloc(4 * n, sizeof *normal), layers = 0;
    for (int l = 0; l < 6; l++)
        for (int x = -6; x <= 6; x++)
            for (int y = -6; y <= 6; y++)
                for (int z = -6; z <= l; z++)
                    layers -= s->volume * pair_factor(s, s->diameter * sqrt(x * x + y * y + z * z)) * z *
                              pow(s->diameter, 2);
    for (size_t i = 0; i < n; i++) {
        double g[3];
        const double length = kernel_mean(s, c, i, g);
        normal[4 * i + 3] = length > 0.1 / s->diameter ? length : 0;
        for (size_t k = 0; k < 3 && normal[4 * i + 3] > 0; k++) normal[4 * i + k] = g[k] / length;
    }
    for (size_t i = 0; i < n; i++) {
        double xi[3], xj[3], d[3], turn = 0, moment = 0;
        place_of(s, i, xi);
        for (size_t j = 0; j < n; j++) {
            place_of(s, j, xj);
            const double r = pair_distance(s, xi, xj, d), f = normal[4 * j + 3] > 0 ? pair_factor(s, r) : 0;
            double along = 0;
            for (size_t k = 0; k < 3; k++) {
                turn += f * (normal[4 * j + k] - normal[4 * i + k]) * d[k];
                along += normal[4 * i + k] * d[k];
            }
            moment -= 0.5 * f * (r * r - along * along);
        }
        const double most = 1 / s->diameter, inside = moment > 0 ? fmax(-most, fmin(most, -turn / moment)) : 0;
        const double kappa = inside / (1 + 0.25 * s->diameter * inside);
        const double rho = s->rest_density[rill_field_u32(&s->liquid.fields, FIELD_FLUID)[i]] * D[i];
        for (size_t k = 0; k < 3; k++)
            out[3 * i + k] = sigma_of(s, i) * kappa * normal[4 * i + 3] * normal[4 * i + k] / rho / fabs(layers);
    }
    free(normal);
}

static double cohesion_kernel(double q)
{
    const double t = pow((1 - q) * q, 3);
    return q >= 1 ? 0 : 32 / pi * (q > 0.5 ? t : 2 * t - 1.0 / 64);
}

/* A and B of a flat surface of the lattice along z by the formula of Kirkwood and Buff, over a thick slab. */
static void flat_numbers(const rill_sph *s, double *A, double *B)
{
    enum { DEEP = 16 };
    const double h = s->support, d = s->diameter;
    double D[DEEP] = {0}, n[DEEP] = {0}, sums[2] = {0};
    for (int round = 0; round < 2; round++)
        for (int l = 0; l < DEEP; l++)
            for (int m = 0; m < DEEP; m++)
                for (int x = -4; x <= 4; x++)
                    for (int y = -4; y <= 4; y++) {
                        const double z = (m - l) * d, r = sqrt((x * x + y * y) * d * d + z * z);
                        if (!round) D[l] += s->volume * pair_kernel(s, r);
                        if (!round) n[l] += h * s->volume * pair_factor(s, r) * z;
                        if (!round || r == 0 || r >= h || l >= DEEP / 2) continue;
                        const double K = 2 / (D[l] + D[m]);
                        sums[0] -= 0.5 * K * cohesion_kernel(r / h) * (z * z - x * x * d * d) / r / d;
                        sums[1] -= 0.5 * K * (n[l] - n[m]) * z / d;
                    }
    *A = 0.2 / sums[0];
    *B = 0.8 / sums[1];
}

static void twin_cohesion(const rill_sph *s, const double *c, double *out)
{
    const float *D = rill_field_f32(&s->liquid.fields, FIELD_COMPRESSION);
    const uint32_t *fluid = rill_field_u32(&s->liquid.fields, FIELD_FLUID);
    const double h = s->support;
    double A, B;
    flat_numbers(s, &A, &B);
    for (size_t i = 0; i < s->liquid.fields.count; i++) {
        double xi[3], xj[3], d[3], vb[3], psi, sum[3] = {0};
        place_of(s, i, xi);
        for (size_t j = 0; j < s->liquid.fields.count; j++) {
            place_of(s, j, xj);
            const double r = pair_distance(s, xi, xj, d), w = fmin(sigma_of(s, i), sigma_of(s, j)) * 2 / (D[i] + D[j]);
            if (i == j || r >= h) continue;
            for (size_t k = 0; k < 3; k++)
                sum[k] += w * (A * cohesion_kernel(r / h) * d[k] / r + B * h * (c[3 * i + k] - c[3 * j + k]));
        }
        for (uint32_t b = 0; b < s->walls.fields.count; b++) {
            wall_at(s, b, xj, vb, &psi);
            const double r = pair_distance(s, xi, xj, d);
            const double w = psi * s->adhesion[fluid[i]] * sigma_of(s, i) * 2 / (D[i] + 1);
            for (int k = 0; k < 3; k++) sum[k] += w * A * cohesion_kernel(r / h) * d[k] / r;
        }
        for (size_t k = 0; k < 3; k++)
            out[3 * i + k] = -s->diameter * sum[k] / (s->rest_density[fluid[i]] * s->volume);
    }
}

static void matches_its_twin(rill_tension_kind kind)
{
    rill_scene scene = two_liquids(kind);
    for (int variant = 0; variant < VARIANT_COUNT; variant++) {
        rill_world *world = world_with(&scene, 2, variant);
        if (!world) continue;
        if (variant != RILL_VARIANT_AVX2 && too_slow_for("twins of all variants but avx2")) {
            rill_world_destroy(world);
            continue;
        }
        rill_sph *s = &world->sph;
        shake(world, 0.15f, 0);
        double *c = calloc(3 * s->liquid.fields.count, sizeof *c),
               *slow = calloc(3 * s->liquid.fields.count, sizeof *slow);
        for (size_t i = 0; i < s->liquid.fields.count; i++) twin_gradient(s, i, c + 3 * i);
        if (kind == RILL_TENSION_COLOUR) twin_colour(s, c, slow);
        else twin_cohesion(s, c, slow);
        const double off = difference(s, force_alone(world, name_of(kind), 1e-3), slow);
        print_message("%s, %s: off by %.2g\n", name_of(kind), variant_of(world), off);
        assert_true(off < 1e-4);
        free(c);
        free(slow);
        rill_world_destroy(world);
    }
    rill_scene_free(&scene);
}

static void colour_matches_its_twin(void **state)
{
    (void)state;
    matches_its_twin(RILL_TENSION_COLOUR);
}

static void cohesion_matches_its_twin(void **state)
{
    (void)state;
    matches_its_twin(RILL_TENSION_COHESION);
}

/* ---- drops ---- */

static rill_scene drop_scene(rill_tension_kind kind, double diameter, double viscosity)
{
    rill_scene scene = water_scene(diameter);
    strcpy(scene.solver.kind, "dfsph");
    scene.gravity = (rill_vec3){0, 0, 0};
    scene.fluids[0].tension_kind = kind;
    scene.fluids[0].tension = 1;
    scene.fluids[0].viscosity = viscosity;
    scene.time.step_max = 0.02;
    return scene;
}

/* Mean squares of the coordinates about their mean. */
static rill_vec3 moments(const rill_world *world)
{
    const rill_frame f = rill_world_frame(world);
    double mean[3] = {0}, square[3] = {0};
    for (size_t i = 0; i < f.count; i++)
        for (size_t k = 0; k < 3; k++) {
            mean[k] += f.position[4 * i + k] / (double)f.count;
            square[k] += pow(f.position[4 * i + k], 2) / (double)f.count;
        }
    return (rill_vec3){square[0] - mean[0] * mean[0], square[1] - mean[1] * mean[1], square[2] - mean[2] * mean[2]};
}

/* From the velocity of Lamb's second mode, the drop swings about the ball: half a period from one zero of its
 * stretch to the next but one. Measured from the first zero on, so that how it starts does not count. */
static void oscillates_as_lamb_says(void **state)
{
    (void)state;
    if (too_slow_for("the period of a drop")) skip();
    const double R = 0.1, pieces = 8;
    for (int kind = RILL_TENSION_COLOUR; kind <= RILL_TENSION_COHESION; kind++) {
        rill_scene scene = drop_scene((rill_tension_kind)kind, R / pieces, 2e-4);
        rill_fill ball = rill_fill_default();
        ball.shape = (rill_shape){.kind = RILL_SHAPE_SPHERE, .radius = R};
        assert_int_equal(rill_scene_add_fill(&scene, &ball, NULL), RILL_OK);
        rill_world *world = world_of(&scene, 2, 0);
        const double volume = world->sph.volume * world->sph.liquid.fields.count, radius3 = 3 * volume / (4 * pi);
        const double omega = sqrt(8 * 1.0 / (1000 * radius3)), period = 2 * pi / omega;
        float *v = rill_field_f32(&world->sph.liquid.fields, FIELD_VELOCITY);
        const float *x = rill_field_f32(&world->sph.liquid.fields, FIELD_POSITION);
        for (size_t i = 0; i < world->sph.liquid.fields.count; i++)
            for (size_t k = 0; k < 3; k++) v[4 * i + k] = (float)(0.1 * omega * (k < 2 ? -0.5 : 1)) * x[4 * i + k];
        double zero[3], last = 0, last_time = 0;
        rill_report r = {0};
        for (int found = 0; found < 3 && r.time < 2 * period;) {
            r = steps(world, 1, NULL);
            const rill_vec3 m = moments(world);
            const double stretch = m.z - 0.5 * (m.x + m.y);
            if (last * stretch < 0) zero[found++] = last_time + (r.time - last_time) * last / (last - stretch);
            last = stretch;
            last_time = r.time;
            if (found == 3) break;
        }
        assert_true(r.time < 2 * period);
        const rill_vec3 p = r.momentum;
        const double drift = sqrt(p.x * p.x + p.y * p.y + p.z * p.z) / (1000 * volume * 0.1 * omega * R);
        print_message("%s: period %.3f of Lamb's, momentum %.1g of the first motion's\n",
                      name_of((rill_tension_kind)kind), (zero[2] - zero[0]) / period, drift);
        /* With cohesion the swings are uneven, and rounding alone moves their mean between 0.79 and 0.93. */
        assert_true(fabs((zero[2] - zero[0]) / period - 1) < (kind == RILL_TENSION_COHESION ? 0.3 : 0.1));
        assert_true(drift < (kind == RILL_TENSION_COHESION ? 1e-5 : 1e-3));
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
}

/* How far the outermost particle is from the centre, over the radius of the ball of the same volume. */
static double reach(const rill_world *world)
{
    const rill_frame f = rill_world_frame(world);
    double mean[3] = {0}, most = 0;
    for (size_t i = 0; i < f.count; i++)
        for (size_t k = 0; k < 3; k++) mean[k] += f.position[4 * i + k] / (double)f.count;
    for (size_t i = 0; i < f.count; i++) {
        double r2 = 0;
        for (size_t k = 0; k < 3; k++) r2 += pow(f.position[4 * i + k] - mean[k], 2);
        most = fmax(most, sqrt(r2));
    }
    return most / cbrt(3 * world->sph.volume * f.count / (4 * pi));
}

static void cube_becomes_round(void **state)
{
    (void)state;
    if (too_slow_for("a cube that becomes round")) skip();
    for (int kind = RILL_TENSION_COLOUR; kind <= RILL_TENSION_COHESION; kind++) {
        rill_scene scene = drop_scene((rill_tension_kind)kind, 0.0125, 1e-3);
        add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.15, 0.15, 0.15}, (rill_vec3){0, 0, 0});
        rill_world *world = world_of(&scene, 2, 0);
        const double before = reach(world);
        advance(world, 6);
        const rill_vec3 m = moments(world);
        const double off = fmax(m.x, fmax(m.y, m.z)) / fmin(m.x, fmin(m.y, m.z)) - 1;
        print_message("%s: the cube reaches %.3f radii, at first %.3f; moments differ by %.1f %%; volume %.4f\n",
                      name_of((rill_tension_kind)kind), reach(world), before, 100 * off,
                      rill_world_volume(world) / (world->sph.volume * world->sph.liquid.fields.count));
        assert_true(before > 1.25 && reach(world) < 1.1 && off < 0.1);
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
}

/* Forces add up to nothing, and liquids that are alike pull each other as one. */
static void keeps_momentum_and_knows_its_like(void **state)
{
    (void)state;
    for (int kind = RILL_TENSION_COLOUR; kind <= RILL_TENSION_COHESION; kind++) {
        rill_scene scene = drop_scene((rill_tension_kind)kind, 0.0125, 1e-3);
        add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.1, 0.12, 0.15}, (rill_vec3){0, 0, 0});
        const float *a = NULL;
        float middle[2][3] = {{0}};
        for (int dyed = 0; dyed < 2; dyed++) {
            if (dyed) {
                rill_fluid same = scene.fluids[0];
                assert_int_equal(rill_scene_add_fluid(&scene, &same, NULL), RILL_OK);
            }
            rill_world *world = world_of(&scene, 2, 0);
            uint32_t *fluid = rill_field_u32(&world->sph.liquid.fields, FIELD_FLUID);
            for (size_t i = 0; i < world->sph.liquid.fields.count; i++) fluid[i] = dyed ? (uint32_t)(i % 2) : 0;
            shake(world, 0.2f, 0);
            a = force_alone(world, name_of((rill_tension_kind)kind), 1e-3);
            const double net = net_force(&world->sph, a);
            if (!dyed) print_message("%s: net force %.2g of all\n", name_of((rill_tension_kind)kind), net);
            assert_true(net < (kind == RILL_TENSION_COHESION ? 1e-5 : 0.05));
            for (int k = 0; k < 3; k++) middle[dyed][k] = a[4 * 77 + k];
            rill_world_destroy(world);
        }
        for (int k = 0; k < 3; k++)
            assert_true(fabsf(middle[0][k] - middle[1][k]) <= 1e-5f * (1 + fabsf(middle[0][k])));
        rill_scene_free(&scene);
    }
}

static void gives_the_same_bits(void **state)
{
    (void)state;
    for (int kind = RILL_TENSION_COLOUR; kind <= RILL_TENSION_COHESION; kind++) {
        rill_scene scene = two_liquids((rill_tension_kind)kind);
        check_same_bits(&scene, slow_build() ? 2 : 15);
        check_words(&scene);
        rill_scene_free(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colour_matches_its_twin), cmocka_unit_test(cohesion_matches_its_twin),
        cmocka_unit_test(oscillates_as_lamb_says), cmocka_unit_test(cube_becomes_round),
        cmocka_unit_test(keeps_momentum_and_knows_its_like), cmocka_unit_test(gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

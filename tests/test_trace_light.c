/* Where light comes from: sky, sun, maps and lamps, drawn or met by chance. */
#include "text/pi.h"
#include "traces.h"

static const double pi = RILL_PI;

/* ---- daylight ---- */

/* What a level sheet gets from Preetham's sky, by fine rings of the model itself. */
static void sheet_under_sky(double turbidity, rill_vec3 sun, double sum[3])
{
    enum { RINGS = 400, SPOKES = 400 };
    rill_daylight day;
    rill_daylight_make(turbidity, sun, &day);
    for (int k = 0; k < 3; k++) sum[k] = 0;
    for (int i = 0; i < RINGS; i++) {
        for (int j = 0; j < SPOKES; j++) {
            const double theta = (i + 0.5) / RINGS * pi / 2, phi = (j + 0.5) / SPOKES * 2 * pi;
            const rill_vec3 d = {sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta)};
            double rgb[3];
            rill_daylight_at(&day, d, rgb);
            const double weight = cos(theta) * sin(theta) * (pi / 2 / RINGS) * (2 * pi / SPOKES);
            for (int k = 0; k < 3; k++) sum[k] += weight * rgb[k];
        }
    }
}

static rill_sky day_sky(double turbidity, double height, double sun_radius)
{
    rill_sky sky = rill_sky_default(RILL_SKY_PREETHAM);
    sky.turbidity = turbidity;
    sky.sun = (rill_vec3){0.6 * sqrt(1 - height * height), 0.8 * sqrt(1 - height * height), height};
    sky.sun_radius = sun_radius;
    return sky;
}

static void sky_adds_up(void **state)
{
    (void)state;
    const double turbidities[] = {2, 4, 8}, heights[] = {0.15, 0.6, 0.95};
    for (int i = 0; i < 9; i++) {
        const rill_sky sky = day_sky(turbidities[i / 3], heights[i % 3], 0);
        rill_error err = {0};
        rill_heaven heaven;
        double sum[3];
        fine(rill_heaven_make(&sky, &heaven, &err), &err);
        sheet_under_sky(sky.turbidity, sky.sun, sum);
        for (int k = 0; k < 3; k++) near_share((double)(&heaven.irradiance.x)[k], sum[k], 5e-3);
        /* A sky gives a sheet some ten thousands of lux. */
        assert_true(sum[1] > 5 && sum[1] < 100);
        rill_heaven_free(&heaven);
    }
}

/* Drawing by brightness gives the same sum, and the chances add up to one. */
static void drawing_is_fair(void **state)
{
    (void)state;
    const int count = slow_build() ? 1 << 13 : 1 << 16;
    rill_sobol sobol;
    rill_sobol_make(&sobol);
    rill_error err = {0};
    for (int i = 0; i < 3; i++) {
        float map[3 * 7 * 5];
        for (int k = 0; k < 3 * 7 * 5; k++) map[k] = (float)(k * k % 17) + (k == 40 ? 300 : 0);
        rill_sky sky = i == 0 ? day_sky(3, 0.5, 0) : rill_sky_default(i == 1 ? RILL_SKY_MAP : RILL_SKY_UNIFORM);
        sky.map = map;
        sky.map_width = 7;
        sky.map_height = 5;
        sky.map_turn = 30;
        rill_heaven heaven;
        fine(rill_heaven_make(&sky, &heaven, &err), &err);
        double drawn = 0, evenly = 0, chance = 0;
        int other = 0;
        for (int k = 0; k < count; k++) {
            const rill_sampler sampler = rill_sampler_at(&sobol, 5, (uint32_t)k);
            const rill_draw u = rill_sampler_draw(&sampler, 3);
            float pdf, again;
            v3 light;
            const v3 d = rill_heaven_draw(&heaven, u.v[0], u.v[1], &light, &pdf);
            drawn += (double)(light.y / pdf) * fmax(0, (double)d.z) / count;
            const v3 same = rill_heaven_at(&heaven, d, &again);
            /* At a pixel's edge rounding may look up its neighbour, but seldom. */
            if (fabsf(again - pdf) < 1e-4f * pdf) near_share((double)same.y, (double)light.y, 2e-2);
            else other++;
            const double z = 2 * (double)u.v[2] - 1, r = sqrt(1 - z * z), phi = 2 * pi * (double)u.v[3];
            const v3 any = {(float)(r * cos(phi)), (float)(r * sin(phi)), (float)z};
            evenly += (double)rill_heaven_at(&heaven, any, &pdf).y * fmax(0, z) * 4 * pi / count;
            chance += (double)pdf * 4 * pi / count;
        }
        assert_true(other < count / 1000);
        near_share(drawn, evenly, 2e-2);
        near_share(chance, 1, 1e-2);
        rill_heaven_free(&heaven);
    }
}

/* A matt white sheet shows E / pi of sky and sun, whatever the sun's size. */
static void sun_lights_a_sheet(void **state)
{
    (void)state;
    const double heights[] = {0.3, 0.9};
    for (int i = 0; i < 4; i++) {
        rill_sky sky = day_sky(3, heights[i / 2], i % 2 ? 0.2666 : 5);
        rill_stage *stage = stage_new();
        rill_material sheet = white(RILL_MATERIAL_LAMBERT, 0, 1);
        stage_level(stage, stage_material(stage, sheet), 50, 0, true);
        stage_sky(stage, sky);
        stage_commit(stage);
        double sun[3], rest[3];
        rill_daylight_sun(3, heights[i / 2], sun);
        sheet_under_sky(3, sky.sun, rest);
        double expected = 0;
        for (int k = 0; k < 3; k++)
            expected += (k == 0 ? 0.2126 : k == 1 ? 0.7152 : 0.0722) * (sun[k] * heights[i / 2] + rest[k]) / pi;
        asked ask = {.samples = 1 << 12};
        near_share(radiance(stage, (v3){0, 0, 2}, (v3){0, 0, -1}, &ask), expected, 1e-2);
        near_share(rill_stage_white(stage), expected, 5e-3);
        /* Noon's sun gives a sheet about a hundred thousand lux. */
        if (i == 3) assert_true(sun[1] > 60 && sun[1] < 130);
        assert_true(sun[0] > sun[2]);
        rill_stage_free(stage);
    }
}

/* ---- lamps ---- */

/* A small lamp and a wide one over a floor with a rough metal ball on it, and so many little ones beside. */
static rill_stage *lamp_stage(rill_material floor, int more)
{
    rill_stage *stage = stage_new();
    rill_material small = rill_material_default(RILL_MATERIAL_LIGHT), wide = small;
    for (int k = 0; k < 3; k++) small.emission[k] = 200;
    stage_level(stage, stage_material(stage, floor), 20, 0, true);
    stage_level(stage, stage_material(stage, small), 0.1f, 2, false);
    stage_level(stage, stage_material(stage, wide), 3, 2.5f, false);
    for (int i = 0; i < more; i++)
        stage_level(stage, stage_material(stage, small), 0.04f, 0.2f + 0.15f * (float)i, false);
    stage_sphere(stage, stage_material(stage, white(RILL_MATERIAL_METAL, 0.3f, 1.5f)), 1, 0, 0.4f, 0.4f);
    rill_sky sky = rill_sky_default(RILL_SKY_UNIFORM);
    for (int k = 0; k < 3; k++) sky.colour[k] = 0.2f;
    stage_sky(stage, sky);
    stage_commit(stage);
    return stage;
}

static void strategies_agree(void **state)
{
    (void)state;
    const rill_material floors[] = {
        rill_material_default(RILL_MATERIAL_LAMBERT), white(RILL_MATERIAL_METAL, 0.4f, 1.5f),
        white(RILL_MATERIAL_COATED, 0.3f, 1.5f), white(RILL_MATERIAL_COATED, 0, 1.5f)};
    for (int i = 0; i < 8; i++) {
        rill_stage *stage = lamp_stage(floors[i % 4], i < 4 ? 0 : 10);
        asked both = {.samples = slow_build() ? 6000 : 60000, .depth = 4, .caustics = true};
        asked lamps = both, chance = both;
        lamps.strategy = RILL_STRATEGY_LAMPS;
        chance.strategy = RILL_STRATEGY_CHANCE;
        const v3 eye = {-0.6f, -2, 1.5f}, way = {0.5f, 1, -0.8f};
        const double b = radiance(stage, eye, way, &both), l = radiance(stage, eye, way, &lamps);
        const double c = radiance(stage, eye, way, &chance);
        if (fabs(b - l) > 4 * (both.error + lamps.error) || fabs(b - c) > 4 * (both.error + chance.error))
            fail_msg("Floor %d: both %g +- %g, lamps %g +- %g, chance %g +- %g.", i, b, both.error, l, lamps.error, c,
                     chance.error);
        /* And the two together are no worse than the better one, which few samples could not tell. */
        if (!too_slow_for("the noise of both strategies together"))
            assert_true(both.error < 1.3 * fmin(lamps.error, chance.error));
        rill_stage_free(stage);
    }
}

/* A square lamp on the floor below its middle: E is the integral of L cos cos / r^2 over the lamp. */
static void lamp_lights_a_floor(void **state)
{
    (void)state;
    rill_stage *stage = stage_new();
    stage_level(stage, stage_material(stage, white(RILL_MATERIAL_LAMBERT, 0, 1)), 10, 0, true);
    stage_level(stage, stage_material(stage, rill_material_default(RILL_MATERIAL_LIGHT)), 0.5f, 1, false);
    stage_commit(stage);
    double expected = 0;
    enum { N = 400 };
    for (int i = 0; i < N * N; i++) {
        const double x = ((i % N + 0.5) / N - 0.5), y = ((i / N + 0.5) / N - 0.5), r2 = x * x + y * y + 1;
        expected += 1 / (r2 * r2) / (N * N) / pi;
    }
    asked ask = {.samples = 1 << 12, .depth = 2};
    near_share(radiance(stage, (v3){0.9f, 0, 0.9f}, (v3){-1, 0, -1}, &ask), expected, 3e-3);
    /* Its back is dark. */
    assert_true(radiance(stage, (v3){0, 0, 3}, (v3){0, 0, -1}, &ask) == 0);
    rill_stage_free(stage);
}

/* Between the walls of a white ball light goes around until it is lost: with a lamp of flux F that does not shine there
 * a wall gets E = r / (1 - r) F / (4 pi R^2), whatever ends its paths. */
static void ball_adds_up(void **state)
{
    (void)state;
    const float grey[] = {0.3f, 0.6f, 0.9f};
    for (int i = 0; i < 3; i++) {
        rill_stage *stage = stage_new();
        rill_material wall = rill_material_default(RILL_MATERIAL_LAMBERT), lamp = wall;
        lamp.kind = RILL_MATERIAL_LIGHT;
        for (int k = 0; k < 3; k++) {
            wall.colour[k] = grey[i];
            lamp.emission[k] = 2500;
        }
        stage_sphere(stage, stage_material(stage, wall), 0, 0, 0, 1);
        stage_level(stage, stage_material(stage, lamp), 0.02f, 0, false);
        stage_commit(stage);
        const double r = (double)grey[i], flux = pi * 2500 * 0.0016, expected = r / pi * r / (1 - r) * flux / (4 * pi);
        asked ask = {.samples = slow_build() ? 4000 : 40000};
        const double light = radiance(stage, (v3){0, 0, 0.1f}, (v3){0.2f, 0.1f, 1}, &ask);
        if (fabs(light - expected) > 4 * ask.error + 0.004 * expected)
            fail_msg("Walls of %g shine with %g +- %g, not %g.", r, light, ask.error, expected);
        rill_stage_free(stage);
    }
}

/* Without `caustics` no mirror throws a lamp's light on a floor, with it every mirror does. */
static void mirrors_throw_light(void **state)
{
    (void)state;
    double light[2][2];
    for (int i = 0; i < 4; i++) {
        rill_stage *stage = stage_new();
        rill_material wall = white(i % 2 ? RILL_MATERIAL_METAL : RILL_MATERIAL_LAMBERT, 0, 1);
        for (int k = 0; k < 3 && !(i % 2); k++) wall.colour[k] = 0;
        stage_level(stage, stage_material(stage, white(RILL_MATERIAL_LAMBERT, 0, 1)), 5, 0, true);
        stage_level(stage, stage_material(stage, rill_material_default(RILL_MATERIAL_LIGHT)), 1, 2, false);
        stage_box(stage, stage_material(stage, wall), (rill_vec3){-2, 1, 0}, (rill_vec3){2, 1.1, 3}, true);
        stage_commit(stage);
        asked ask = {.samples = 1 << 13, .depth = 3, .caustics = i / 2};
        light[i / 2][i % 2] = radiance(stage, (v3){0, 0, 1}, (v3){0, 0.5f, -1}, &ask);
        rill_stage_free(stage);
    }
    near_share(light[0][1], light[0][0], 1e-2);
    assert_true(light[1][1] > 1.2 * light[1][0]);
    near_share(light[1][0], light[0][0], 1e-2);
}

/* What lies a millimetre above a floor keeps light from it, however wide the floor is. */
static void wide_floor_has_shadows(void **state)
{
    (void)state;
    rill_stage *stage = stage_new();
    const uint32_t matt = stage_material(stage, white(RILL_MATERIAL_LAMBERT, 0, 1));
    stage_level(stage, matt, 5000, 0, true);
    stage_level(stage, stage_material(stage, white(RILL_MATERIAL_METAL, 0, 1)), 1, 1e-3f, true);
    stage_sky(stage, rill_sky_default(RILL_SKY_UNIFORM));
    stage_commit(stage);
    asked ask = {.samples = 256, .depth = 3};
    /* From between the two, straight down: there is a gap of a thousandth. */
    assert_true(radiance(stage, (v3){0.1f, 0.2f, 5e-4f}, (v3){0, 0, -1}, &ask) < 0.01);
    near_share(radiance(stage, (v3){700, 0.2f, 5e-4f}, (v3){0, 0, -1}, &ask), 1, 1e-3);
    rill_stage_free(stage);
}

/* A limit cuts light that was refracted on its way, and neither lamps that are seen nor what they shine on. */
static void clamp_cuts(void **state)
{
    (void)state;
    rill_stage *stage = stage_new();
    rill_material lamp = rill_material_default(RILL_MATERIAL_LIGHT);
    for (int k = 0; k < 3; k++) lamp.emission[k] = 100;
    stage_level(stage, stage_material(stage, white(RILL_MATERIAL_LAMBERT, 0, 1)), 10, 0, true);
    stage_level(stage, stage_material(stage, lamp), 0.5f, 1, false);
    /* Below it a clear box that bends nothing, and a mirror. */
    stage_box(stage, stage_material(stage, white(RILL_MATERIAL_DIELECTRIC, 0, 1)), (rill_vec3){0.1, -0.1, 0.8},
              (rill_vec3){0.3, 0.1, 0.9}, true);
    stage_box(stage, stage_material(stage, white(RILL_MATERIAL_METAL, 0, 1)), (rill_vec3){-0.3, -0.1, 0.3},
              (rill_vec3){-0.1, 0.1, 0.4}, true);
    stage_commit(stage);
    asked free_light = {.samples = 64, .depth = 8}, limited = {.samples = 64, .depth = 8, .clamp = 5};
    const v3 eye = {0, 0, 0.6f}, up = {0, 0, 1}, down = {0, 0, -1};
    const v3 through = {0.2f, 0, 0.25f}, mirror = {-0.12f, 0, -0.2f};
    near_share(radiance(stage, eye, up, &limited), 100, 1e-5);
    near_share(radiance(stage, eye, mirror, &limited), 100, 1e-5);
    near_share(radiance(stage, eye, through, &free_light), 100, 1e-5);
    near_share(radiance(stage, eye, through, &limited), 5, 1e-5);
    assert_true(radiance(stage, eye, down, &limited) > 15);
    rill_stage_free(stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sky_adds_up),      cmocka_unit_test(drawing_is_fair),     cmocka_unit_test(sun_lights_a_sheet),
        cmocka_unit_test(strategies_agree), cmocka_unit_test(lamp_lights_a_floor),
        cmocka_unit_test(ball_adds_up),     cmocka_unit_test(mirrors_throw_light),
        cmocka_unit_test(wide_floor_has_shadows), cmocka_unit_test(clamp_cuts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Light on its way through media: absorption, scattering, media that overlap, and water between light and ground. */
#include "text/pi.h"
#include "traces.h"

static const double pi = RILL_PI;

/* ---- Beer and Lambert ---- */

static rill_material absorbing(float index, float absorption)
{
    rill_material m = white(RILL_MATERIAL_DIELECTRIC, 0, index);
    for (int k = 0; k < 3; k++) m.absorption[k] = absorption;
    return m;
}

/* A slab from z = 0 down to -depth, white light below and none above. */
static rill_stage *slab_stage(float index, float absorption, double depth)
{
    rill_stage *stage = stage_new();
    stage_box(stage, stage_material(stage, absorbing(index, absorption)), (rill_vec3){-20, -20, -depth},
              (rill_vec3){20, 20, 0}, true);
    stage_two_skies(stage, 0, 1);
    stage_commit(stage);
    return stage;
}

static void slab_absorbs(void **state)
{
    (void)state;
    /* An index of one: nothing is mirrored or bent. */
    rill_stage *stage = slab_stage(1, 0.7f, 1.5);
    for (double degrees = 0; degrees <= 70; degrees += 10) {
        const double a = degrees * pi / 180;
        asked ask = {.samples = 64, .caustics = true};
        const double light = radiance(stage, (v3){0, 0, 2}, (v3){(float)sin(a), 0, (float)-cos(a)}, &ask);
        near_share(light, exp(-0.7 * 1.5 / cos(a)), 1e-3);
    }
    rill_stage_free(stage);
    /* Glass: mirrored back and forth between its sides. */
    stage = slab_stage(1.5f, 0.3f, 2);
    const double r = pow(0.5 / 2.5, 2), pass = exp(-0.3 * 2);
    asked ask = {.samples = 1 << 14, .caustics = true};
    const double light = radiance(stage, (v3){0.1f, 0.2f, 2}, (v3){0, 0, -1}, &ask);
    near_share(light, (1 - r) * (1 - r) * pass / (1 - r * r * pass * pass), 5e-3);
    rill_stage_free(stage);
}

/* ---- media that overlap ---- */

static double mirrored(double from, double to)
{
    return pow((from - to) / (from + to), 2);
}

/* Two layers, each with what it mirrors and what it lets pass, straight on. */
static double layers_pass(const double *indices, int count)
{
    double pass = 1, back = 0;
    for (int i = 0; i + 1 < count; i++) {
        const double r = mirrored(indices[i], indices[i + 1]), between = 1 / (1 - back * r);
        const double all_pass = pass * (1 - r) * between, all_back = r + (1 - r) * (1 - r) * back * between;
        pass = all_pass;
        back = all_back; /* seen from behind the layers so far */
    }
    return pass;
}

static double water_in_glass(double overlap, int glass_priority, int water_priority)
{
    rill_stage *stage = stage_new();
    rill_material glass = white(RILL_MATERIAL_DIELECTRIC, 0, 1.5f), water = white(RILL_MATERIAL_DIELECTRIC, 0, 1.333f);
    glass.priority = glass_priority;
    water.priority = water_priority;
    const uint32_t glass_id = stage_material(stage, glass), water_id = stage_material(stage, water);
    stage_box(stage, glass_id, (rill_vec3){-50, -50, 0.9}, (rill_vec3){50, 50, 1}, true);
    stage_box(stage, glass_id, (rill_vec3){-50, -50, 0}, (rill_vec3){50, 50, 0.1}, true);
    stage_box(stage, water_id, (rill_vec3){-40, -40, 0.1 - overlap}, (rill_vec3){40, 40, 0.9 + overlap}, true);
    stage_two_skies(stage, 0, 1);
    stage_commit(stage);
    asked ask = {.samples = slow_build() ? 1 << 13 : 1 << 15, .caustics = true};
    const double light = radiance(stage, (v3){0.3f, 0.2f, 3}, (v3){0, 0, -1}, &ask);
    rill_stage_free(stage);
    return light;
}

static void water_touches_glass(void **state)
{
    (void)state;
    const double wet[] = {1, 1.5, 1.333, 1.5, 1}, gaps[] = {1, 1.5, 1, 1.333, 1, 1.5, 1};
    const double expected = layers_pass(wet, 5);
    assert_true(layers_pass(gaps, 7) < expected - 0.03);
    /* Overlapping, the glass stays as it is; not even overlapping by much matters. */
    near_share(water_in_glass(0.01, 2, 1), expected, 2e-3);
    near_share(water_in_glass(0.05, 2, 1), expected, 2e-3);
    /* A gap of air is one. */
    near_share(water_in_glass(-0.01, 2, 1), layers_pass(gaps, 7), 2e-3);
    /* Without a hint the later material wins: still no gap. */
    near_share(water_in_glass(0.01, 0, 0), expected, 2e-3);
}

/* Where they overlap, the medium with the higher priority is there: told by what absorbs. */
static void priority_decides(void **state)
{
    (void)state;
    for (int glass_wins = 0; glass_wins < 2; glass_wins++) {
        rill_stage *stage = stage_new();
        rill_material glass = absorbing(1, 2), water = absorbing(1, 0.25f);
        glass.priority = glass_wins ? 3 : -3;
        const uint32_t glass_id = stage_material(stage, glass), water_id = stage_material(stage, water);
        stage_box(stage, glass_id, (rill_vec3){-9, -9, 0}, (rill_vec3){9, 9, 0.5}, true);
        stage_box(stage, water_id, (rill_vec3){-8, -8, 0.3}, (rill_vec3){8, 8, 1.3}, true);
        stage_two_skies(stage, 0, 1);
        stage_commit(stage);
        asked ask = {.samples = 16, .caustics = true};
        const double shared = 0.2 * (glass_wins ? 2 : 0.25);
        const double light = radiance(stage, (v3){0.3f, 0.2f, 3}, (v3){0, 0, -1}, &ask);
        near_share(light, exp(-(0.3 * 2 + 0.8 * 0.25 + shared)), 1e-3);
        rill_stage_free(stage);
    }
}

/* Drops of one medium that overlap are one body: no boundary between them, and the right way out. */
static void drops_merge(void **state)
{
    (void)state;
    rill_stage *stage = stage_new();
    const uint32_t water = stage_material(stage, absorbing(1, 0.5f));
    stage_sphere(stage, water, 0, 0, 0, 1);
    stage_sphere(stage, water, 0, 0, 0.5f, 1);
    stage_sphere(stage, water, 0, 0, 1, 1);
    stage_two_skies(stage, 0, 1);
    stage_commit(stage);
    asked ask = {.samples = 16, .caustics = true};
    near_share(radiance(stage, (v3){0, 0, 5}, (v3){0, 0, -1}, &ask), exp(-0.5 * 3), 1e-3);
    /* From within as well. */
    near_share(radiance(stage, (v3){0, 0, 0.7f}, (v3){0, 0, -1}, &ask), exp(-0.5 * 1.7), 1e-3);
    rill_stage_free(stage);
}

static void eye_under_water(void **state)
{
    (void)state;
    rill_stage *stage = slab_stage(1.333f, 0.2f, 4);
    const rill_media media = rill_media_at(stage, (v3){0, 0, -1});
    assert_int_equal(media.top, 1);
    assert_int_equal(rill_media_at(stage, (v3){0, 0, 1}).top, 0);
    /* Radiance in water is higher by the square of its index. */
    asked ask = {.samples = 1 << 14, .caustics = true};
    const double r = mirrored(1, 1.333), down = exp(-0.2 * 3), round = exp(-0.2 * 8);
    const double expected = 1.333 * 1.333 * (1 - r) * down / (1 - r * r * round);
    near_share(radiance(stage, (v3){0, 0, -1}, (v3){0, 0, -1}, &ask), expected, 5e-3);
    rill_stage_free(stage);
}

/* ---- scattering ---- */

/* Fog that absorbs nothing vanishes in white light, however dense. */
static void white_fog_vanishes(void **state)
{
    (void)state;
    const float forward[] = {0, 0.8f, -0.5f}, index[] = {1, 1.333f, 1};
    for (int i = 0; i < 3; i++) {
        rill_stage *stage = stage_new();
        rill_material fog = white(RILL_MATERIAL_DIELECTRIC, 0, index[i]);
        for (int k = 0; k < 3; k++) fog.scattering[k] = (float)(1 + 2 * k);
        fog.forward = forward[i];
        stage_sphere(stage, stage_material(stage, fog), 0, 0, 0, 1);
        stage_sky(stage, rill_sky_default(RILL_SKY_UNIFORM));
        stage_commit(stage);
        asked ask = {.samples = slow_build() ? 4000 : 60000, .caustics = true};
        const double light = radiance(stage, (v3){0.2f, -4, 0.3f}, (v3){0, 1, 0}, &ask);
        assert_true(fabs(light - 1) < 4 * ask.error + 0.002);
        rill_stage_free(stage);
    }
}

/* ---- light led straight through water ---- */

/* White ground under level water that absorbs some. */
static rill_stage *pool_stage(rill_sky sky)
{
    rill_stage *stage = stage_new();
    rill_material ground = rill_material_default(RILL_MATERIAL_LAMBERT);
    stage_level(stage, stage_material(stage, ground), 400, 0, true);
    stage_box(stage, stage_material(stage, absorbing(1.333f, 0.4f)), (rill_vec3){-300, -300, -0.01},
              (rill_vec3){300, 300, 1}, true);
    stage_sky(stage, sky);
    stage_commit(stage);
    return stage;
}

static void straight_light_agrees(void **state)
{
    (void)state;
    rill_sky skies[3] = {rill_sky_default(RILL_SKY_UNIFORM), rill_sky_default(RILL_SKY_PREETHAM),
                         rill_sky_default(RILL_SKY_PREETHAM)};
    /* Suns wide enough to be met by chance, high and low. */
    skies[1].sun_radius = 15;
    skies[2].sun_radius = 10;
    skies[2].sun = (rill_vec3){1, 0, 0.6};
    for (int i = 0; i < 3; i++) {
        rill_stage *stage = pool_stage(skies[i]);
        asked led = {.samples = slow_build() ? 4000 : 60000}, met = {.samples = led.samples, .caustics = true};
        const v3 eye = {0.3f, 0.2f, 0.5f}, down = {0.1f, 0.05f, -1};
        const double straight = radiance(stage, eye, down, &led), chance = radiance(stage, eye, down, &met);
        if (fabs(straight - chance) > 4 * (led.error + met.error) + 0.003 * chance)
            fail_msg("Sky %d: led straight %g +- %g, met by chance %g +- %g.", i, straight, led.error, chance,
                     met.error);
        assert_true(led.error < met.error || i == 0);
        rill_stage_free(stage);
    }
}

/* The same for water that scatters, deep and dark below: what its particles get of a sky and of a sun. */
static void straight_light_in_fog_agrees(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        rill_sky sky = rill_sky_default(i ? RILL_SKY_PREETHAM : RILL_SKY_UNIFORM);
        rill_material fog = absorbing(1.333f, 0.5f);
        for (int k = 0; k < 3; k++) fog.scattering[k] = 0.5f;
        fog.forward = 0.5f;
        sky.sun_radius = 12;
        sky.sun = (rill_vec3){1, 0, 0.6};
        rill_stage *stage = stage_new();
        rill_material black = rill_material_default(RILL_MATERIAL_LAMBERT);
        for (int k = 0; k < 3; k++) black.colour[k] = 0;
        stage_level(stage, stage_material(stage, black), 400, 0, true);
        stage_box(stage, stage_material(stage, fog), (rill_vec3){-300, -300, -0.1}, (rill_vec3){300, 300, 2}, true);
        stage_sky(stage, sky);
        stage_commit(stage);
        asked led = {.samples = slow_build() ? 4000 : 60000}, met = {.samples = led.samples, .caustics = true};
        const v3 eye = {0.3f, 0.2f, 1.6f}, down = {0.3f, 0.05f, -1};
        const double straight = radiance(stage, eye, down, &led), chance = radiance(stage, eye, down, &met);
        if (fabs(straight - chance) > 4 * (led.error + met.error) + 0.003 * chance)
            fail_msg("Sky %d: led straight %g +- %g, met by chance %g +- %g.", i, straight, led.error, chance,
                     met.error);
        rill_stage_free(stage);
    }
}

/* Roughness between equal indices is none: light is led through it like what is seen. */
static void equal_indices_are_clear(void **state)
{
    (void)state;
    rill_stage *stage = stage_new();
    stage_level(stage, stage_material(stage, white(RILL_MATERIAL_LAMBERT, 0, 1)), 100, 0, true);
    stage_box(stage, stage_material(stage, white(RILL_MATERIAL_DIELECTRIC, 0.5f, 1)), (rill_vec3){-90, -90, 0.5},
              (rill_vec3){90, 90, 0.6}, true);
    stage_sky(stage, rill_sky_default(RILL_SKY_UNIFORM));
    stage_commit(stage);
    asked ask = {.samples = 1 << 12, .depth = 2};
    near_share(radiance(stage, (v3){0, 0, 0.1f}, (v3){0, 0, -1}, &ask), 1, 1e-2);
    rill_stage_free(stage);
}

/* A boundary whose colour comes from its pattern tints light that is led through it as it tints what is seen. */
static void shadows_are_tinted(void **state)
{
    (void)state;
    rill_stage *stage = stage_new();
    rill_material pane = white(RILL_MATERIAL_DIELECTRIC, 0, 1);
    pane.pattern = RILL_PATTERN_CHECKS;
    pane.pattern_size = 500; /* one square here */
    for (int k = 0; k < 3; k++) pane.second[k] = 0.5f;
    stage_level(stage, stage_material(stage, white(RILL_MATERIAL_LAMBERT, 0, 1)), 100, 0, true);
    stage_box(stage, stage_material(stage, pane), (rill_vec3){-200, -1, 0.5}, (rill_vec3){-1e-3, 400, 0.6}, true);
    stage_sky(stage, rill_sky_default(RILL_SKY_UNIFORM));
    stage_commit(stage);
    asked ask = {.samples = 1 << 12, .depth = 2};
    /* Close to the ground far from the pane's edges all of the sky comes through both its faces. */
    near_share(radiance(stage, (v3){-60, 60, 0.1f}, (v3){0, 0, -1}, &ask), 0.25, 2e-2);
    rill_stage_free(stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slab_absorbs),       cmocka_unit_test(water_touches_glass), cmocka_unit_test(priority_decides),
        cmocka_unit_test(drops_merge),
        cmocka_unit_test(eye_under_water),    cmocka_unit_test(white_fog_vanishes),
        cmocka_unit_test(straight_light_agrees), cmocka_unit_test(straight_light_in_fog_agrees),
        cmocka_unit_test(shadows_are_tinted), cmocka_unit_test(equal_indices_are_clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

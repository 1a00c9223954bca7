/* How boundaries scatter light: nothing is lost, nothing made, and Fresnel's equations hold. */
#include "traces.h"

#include "render/trace/ggx.h"
#include "text/pi.h"

static const double pi = RILL_PI;

/* ---- a white thing in white light cannot be seen ---- */

typedef struct furnace {
    rill_material_kind kind;
    float roughness, index;
} furnace;

static const furnace furnaces[] = {
    {RILL_MATERIAL_LAMBERT, 0, 1.5f},         {RILL_MATERIAL_METAL, 0, 1.5f},
    {RILL_MATERIAL_METAL, 0.2f, 1.5f},        {RILL_MATERIAL_METAL, 0.5f, 1.5f},
    {RILL_MATERIAL_METAL, 1, 1.5f},           {RILL_MATERIAL_DIELECTRIC, 0, 1.333f},
    {RILL_MATERIAL_DIELECTRIC, 0, 1.5f},      {RILL_MATERIAL_DIELECTRIC, 0.3f, 1.5f},
    {RILL_MATERIAL_DIELECTRIC, 0.8f, 1.333f}, {RILL_MATERIAL_COATED, 0, 1.5f},
    {RILL_MATERIAL_COATED, 0.4f, 1.333f}};
enum { FURNACES = sizeof furnaces / sizeof *furnaces };

static rill_trace_options furnace_options(void)
{
    rill_trace_options o = rill_trace_default();
    o.width = o.height = 32;
    o.samples = slow_build() ? 16 : 128;
    o.depth = 10000;
    o.caustics = true;
    return o;
}

static rill_camera furnace_camera(void)
{
    rill_camera c = rill_camera_default();
    c.eye = (rill_vec3){0, -5, 0};
    c.target = (rill_vec3){0, 0, 0};
    c.angle = 26; /* the sphere and some of the light around it */
    return c;
}

static void furnace_check(const rill_stage *stage, const furnace *f)
{
    const rill_trace_result r = picture(stage, furnace_camera(), furnace_options());
    const double mean = picture_mean(&r), share = slow_build() ? 0.02 : 0.005;
    if (fabs(mean - 1) > share)
        fail_msg("Kind %d, roughness %g, index %g: the sphere shows with %g.", (int)f->kind, (double)f->roughness,
                 (double)f->index, mean);
    /* No part of it stands out either: bands of rows from its pole to its middle. */
    for (uint32_t band = 0; band < 4; band++) {
        double sum = 0;
        for (uint32_t y = 8 * band; y < 8 * band + 8; y++)
            for (uint32_t x = 0; x < r.width; x++) sum += pixel_luminance(&r, x, y);
        near_share(sum / (8.0 * r.width), 1, 3 * share);
    }
    rill_trace_result_free((rill_trace_result *)&r);
}

static void sphere_vanishes(void **state)
{
    (void)state;
    for (int i = 0; i < FURNACES; i++) {
        rill_stage *stage = stage_new();
        const furnace *f = &furnaces[i];
        stage_sphere(stage, stage_material(stage, white(f->kind, f->roughness, f->index)), 0, 0, 0, 1);
        stage_sky(stage, rill_sky_default(RILL_SKY_UNIFORM));
        stage_commit(stage);
        furnace_check(stage, &furnaces[i]);
        rill_stage_free(stage);
    }
}

/* Triangles with the normals of a sphere: what shading normals get wrong shows here. */
static void mesh_sphere(rill_stage *stage, uint32_t material)
{
    enum { AROUND = 24, DOWN = 12 };
    static float p[3 * (AROUND + 1) * (DOWN + 1)];
    static uint32_t t[6 * AROUND * DOWN];
    size_t count = 0;
    for (int j = 0; j <= DOWN; j++) {
        for (int i = 0; i <= AROUND; i++) {
            const double theta = pi * j / DOWN, phi = 2 * pi * (i % AROUND) / AROUND;
            float *at = p + 3 * (j * (AROUND + 1) + i);
            at[0] = (float)(sin(theta) * cos(phi));
            at[1] = (float)(sin(theta) * sin(phi));
            at[2] = (float)cos(theta);
        }
    }
    for (uint32_t j = 0; j < DOWN; j++) {
        for (uint32_t i = 0; i < AROUND; i++) {
            const uint32_t a = j * (AROUND + 1) + i, b = a + AROUND + 1;
            const uint32_t two[6] = {a, b, a + 1, a + 1, b, b + 1};
            memcpy(t + count, two, sizeof two);
            count += 6;
        }
    }
    rill_error err = {0};
    const rill_triangles mesh = {.vertex_count = (AROUND + 1) * (DOWN + 1), .triangle_count = count / 3, .position = p,
                                 .normal = p, .triangle = t};
    fine(rill_stage_add_triangles(stage, &mesh, material, &err), &err);
}

static void mesh_vanishes(void **state)
{
    (void)state;
    const int which[] = {0, 3, 6, 7, 9};
    for (size_t i = 0; i < sizeof which / sizeof *which; i++) {
        const furnace *f = &furnaces[which[i]];
        rill_stage *stage = stage_new();
        mesh_sphere(stage, stage_material(stage, white(f->kind, f->roughness, f->index)));
        stage_sky(stage, rill_sky_default(RILL_SKY_UNIFORM));
        stage_commit(stage);
        furnace_check(stage, f);
        rill_stage_free(stage);
    }
}

/* A lamp inside a closed mesh is not seen from outside, however its normals bend. */
static void mesh_holds_light(void **state)
{
    (void)state;
    const int which[] = {0, 1, 3, 9, 10};
    for (size_t i = 0; i < sizeof which / sizeof *which; i++) {
        const furnace *f = &furnaces[which[i]];
        rill_stage *stage = stage_new();
        mesh_sphere(stage, stage_material(stage, white(f->kind, f->roughness, f->index)));
        const uint32_t lamp = stage_material(stage, rill_material_default(RILL_MATERIAL_LIGHT));
        stage_box(stage, lamp, (rill_vec3){-0.5, -0.5, -0.5}, (rill_vec3){0.5, 0.5, 0.5}, true);
        stage_commit(stage);
        rill_trace_result r = picture(stage, furnace_camera(), furnace_options());
        assert_true(picture_mean(&r) == 0);
        rill_trace_result_free(&r);
        rill_stage_free(stage);
    }
}

/* The same in a closed room whose walls are lamps: drawn and found light together are all there is. */
static void room_of_lamps(void **state)
{
    (void)state;
    for (int i = 0; i < FURNACES; i++) {
        rill_stage *stage = stage_new();
        const furnace *f = &furnaces[i];
        stage_sphere(stage, stage_material(stage, white(f->kind, f->roughness, f->index)), 0, 0, 0, 1);
        const uint32_t lamp = stage_material(stage, rill_material_default(RILL_MATERIAL_LIGHT));
        stage_box(stage, lamp, (rill_vec3){-6, -6, -6}, (rill_vec3){6, 6, 6}, false);
        stage_commit(stage);
        furnace_check(stage, &furnaces[i]);
        rill_stage_free(stage);
    }
}

/* Light that goes around for long between a white core and a clear shell, smooth or rough, is neither lost nor made. */
static void closed_shells_vanish(void **state)
{
    (void)state;
    const float rough[] = {0, 0.5f, 1};
    for (int i = 0; i < 3; i++) {
        rill_stage *stage = stage_new();
        stage_sphere(stage, stage_material(stage, white(RILL_MATERIAL_DIELECTRIC, rough[i], 1.5f)), 0, 0, 0, 1);
        stage_sphere(stage, stage_material(stage, white(RILL_MATERIAL_METAL, 0.6f, 1.5f)), 0, 0, 0, 0.5f);
        stage_sky(stage, rill_sky_default(RILL_SKY_UNIFORM));
        stage_commit(stage);
        asked ask = {.samples = slow_build() ? 2000 : 20000, .caustics = true};
        const double light = radiance(stage, (v3){0.3f, -5, 0.2f}, (v3){0, 1, 0}, &ask);
        assert_true(fabs(light - 1) < 0.005 + 4 * ask.error);
        rill_stage_free(stage);
    }
}

/* ---- drawing and valuing agree ---- */

static rill_bsdf bsdf_of(const furnace *f, bool inside, rill_albedo *albedo)
{
    const float eta = inside ? 1 / f->index : f->index, alpha = rill_bsdf_alpha(f->roughness);
    rill_albedo_make(f->kind, alpha, eta, albedo);
    return (rill_bsdf){.kind = f->kind, .colour = {0.9f, 0.9f, 0.9f}, .alpha = alpha, .eta = eta, .albedo = albedo};
}

static void values_match_draws(void **state)
{
    (void)state;
    const int count = slow_build() ? 1 << 14 : 1 << 16;
    rill_sobol sobol;
    rill_sobol_make(&sobol);
    for (int i = 0; i < 2 * FURNACES; i++) {
        const furnace *f = &furnaces[i / 2];
        const bool inside = i % 2;
        rill_albedo albedo;
        const rill_bsdf b = bsdf_of(f, inside, &albedo);
        const bool sharp = rill_bsdf_is_sharp(&b) || (b.kind == RILL_MATERIAL_COATED && b.alpha == 0);
        if (sharp || (inside && b.kind != RILL_MATERIAL_DIELECTRIC)) continue;
        const v3 w = v3_unit((v3){0.5f, 0.2f, 0.7f});
        double drawn = 0, valued = 0, chance = 0, happened = 0;
        for (int k = 0; k < count; k++) {
            const rill_sampler sampler = rill_sampler_at(&sobol, 77, (uint32_t)k);
            const rill_draw u = rill_sampler_draw(&sampler, 0);
            rill_scatter s;
            float pdf;
            if (rill_bsdf_draw(&b, w, u.v, &s)) {
                drawn += (double)s.weight.x / count;
                happened += 1.0 / count;
                const v3 value = rill_bsdf_value(&b, w, s.l, &pdf);
                /* What was drawn is worth what it was drawn as. */
                if (s.pdf > 1e-3f) near_share((double)(value.x / pdf), (double)s.weight.x, 2e-2);
            }
            /* Directions evenly over the sphere. */
            const double z = 2 * (double)u.v[0] - 1, r = sqrt(1 - z * z), phi = 2 * pi * (double)u.v[1];
            const v3 l = {(float)(r * cos(phi)), (float)(r * sin(phi)), (float)z};
            valued += (double)rill_bsdf_value(&b, w, l, &pdf).x * 4 * pi / count;
            chance += (double)pdf * 4 * pi / count;
        }
        const double loose = f->roughness < 0.25f && f->kind != RILL_MATERIAL_LAMBERT ? 0.2 : 0.03;
        near_share(valued, drawn, loose);
        near_share(chance, happened, loose);
    }
}

/* ---- Fresnel ---- */

static double fresnel_reference(double degrees, double from, double to)
{
    const double i = degrees * pi / 180, sine = from / to * sin(i);
    if (sine >= 1) return 1;
    const double t = asin(sine);
    if (i < 1e-6) return pow((from - to) / (from + to), 2);
    return 0.5 * (pow(sin(i - t) / sin(i + t), 2) + pow(tan(i - t) / tan(i + t), 2));
}

/* A sheet of water: from above, what is mirrored comes from the light sky and the rest from the black below. */
static void fresnel_curve(void **state)
{
    (void)state;
    for (int below = 0; below < 2; below++) {
        rill_stage *stage = stage_new();
        stage_level(stage, stage_material(stage, white(RILL_MATERIAL_DIELECTRIC, 0, 1.333f)), 1000, 0, true);
        stage_two_skies(stage, below ? 0 : 1, below ? 1 : 0);
        stage_commit(stage);
        for (double degrees = 0; degrees < 88; degrees += 4) {
            const double a = degrees * pi / 180;
            const v3 way = {(float)sin(a), 0, (float)(below ? cos(a) : -cos(a))};
            asked ask = {.samples = 4096, .caustics = true};
            const double mirrored = radiance(stage, v3_scale(way, -3), way, &ask);
            const double expected = below ? fresnel_reference(degrees, 1.333, 1) : fresnel_reference(degrees, 1, 1.333);
            if (fabs(mirrored - expected) > 2e-3)
                fail_msg("At %g degrees from %s %g is mirrored, not %g.", degrees, below ? "below" : "above", mirrored,
                         expected);
        }
        rill_stage_free(stage);
    }
}

static void glass_ball_inverts(void **state)
{
    (void)state;
    rill_stage *stage = stage_new();
    stage_sphere(stage, stage_material(stage, white(RILL_MATERIAL_DIELECTRIC, 0, 1.5f)), 0, 0, 0, 1);
    /* Red in front to the left, green above: four quarters ahead of the camera, which looks along +x. */
    enum { W = 64, H = 32 };
    static float map[3 * W * H];
    for (int y = 0; y < H; y++) {
        for (int x = 0; x < W; x++) {
            map[3 * (y * W + x)] = x < W / 2 ? 1 : 0;     /* left of +x */
            map[3 * (y * W + x) + 1] = y < H / 2 ? 1 : 0; /* above */
        }
    }
    rill_sky sky = rill_sky_default(RILL_SKY_MAP);
    sky.map = map;
    sky.map_width = W;
    sky.map_height = H;
    stage_sky(stage, sky);
    stage_commit(stage);
    rill_camera camera = rill_camera_default();
    camera.eye = (rill_vec3){-6, 0, 0};
    camera.target = (rill_vec3){0, 0, 0};
    camera.angle = 30;
    rill_trace_options o = rill_trace_default();
    o.width = o.height = 60;
    o.samples = 32;
    rill_trace_result r = picture(stage, camera, o);
    /* Beside the ball the picture is upright, inside it stands on its head: 8 pixels off the middle, 28 of them. */
    const float *beside_left = r.rgb + 3 * (22 * 60 + 1), *beside_right = r.rgb + 3 * (22 * 60 + 58);
    const float *ball_left = r.rgb + 3 * (22 * 60 + 22), *ball_right = r.rgb + 3 * (22 * 60 + 37);
    const float *ball_low = r.rgb + 3 * (37 * 60 + 22);
    assert_true(beside_left[0] > 0.9f && beside_right[0] < 0.1f && beside_left[1] > 0.9f);
    assert_true(ball_left[0] < 0.15f && ball_right[0] > 0.8f);
    assert_true(ball_left[1] < 0.15f && ball_low[1] > 0.8f);
    rill_trace_result_free(&r);
    rill_stage_free(stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sphere_vanishes),     cmocka_unit_test(mesh_vanishes), cmocka_unit_test(mesh_holds_light),
        cmocka_unit_test(room_of_lamps),
        cmocka_unit_test(closed_shells_vanish), cmocka_unit_test(values_match_draws), cmocka_unit_test(fresnel_curve),
        cmocka_unit_test(glass_ball_inverts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

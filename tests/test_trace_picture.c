/* Whole pictures: noise, bits, what is refused, and what is empty. */
#include "traces.h"

#include "run/threads.h"

/* ---- samples ---- */

static int compare_floats(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Each number alone falls once into each of as many equal parts as there are samples, and so do pairs in boxes. */
static void samples_are_even(void **state)
{
    (void)state;
    enum { N = 256 };
    rill_sobol sobol;
    rill_sobol_make(&sobol);
    for (uint32_t group = 0; group < 5; group++) {
        float values[4][N];
        for (uint32_t i = 0; i < N; i++) {
            const rill_sampler s = rill_sampler_at(&sobol, 99, i);
            const rill_draw draw = rill_sampler_draw(&s, group);
            for (int k = 0; k < 4; k++) values[k][i] = draw.v[k];
        }
        int boxes[16][16] = {0};
        for (int i = 0; i < N; i++) boxes[(int)(16 * values[0][i])][(int)(16 * values[1][i])]++;
        for (int i = 0; i < N; i++) assert_int_equal(boxes[i / 16][i % 16], 1);
        for (int k = 0; k < 4; k++) {
            qsort(values[k], N, sizeof **values, compare_floats);
            for (int i = 0; i < N; i++) assert_int_equal((int)(N * values[k][i]), i);
        }
    }
}

/* ---- a stage with some of everything ---- */

/* What glossy surfaces throw on a floor comes in rare bright samples, whose noise says little of how it falls. */
static rill_stage *stage_with(bool glossy)
{
    rill_stage *stage = stage_new();
    rill_material floor = rill_material_default(RILL_MATERIAL_LAMBERT);
    floor.pattern = RILL_PATTERN_CHECKS;
    floor.pattern_size = 0.5;
    rill_material lamp = rill_material_default(RILL_MATERIAL_LIGHT);
    for (int k = 0; k < 3; k++) lamp.emission[k] = 20;
    stage_level(stage, stage_material(stage, floor), 10, 0, true);
    stage_level(stage, stage_material(stage, lamp), 0.5f, 3, false);
    stage_sphere(stage, stage_material(stage, white(RILL_MATERIAL_DIELECTRIC, 0, 1.5f)), -0.8f, 0, 0.5f, 0.5f);
    const uint32_t metal = stage_material(stage, white(RILL_MATERIAL_METAL, 0.3f, 1.5f));
    const uint32_t frosted = stage_material(stage, white(RILL_MATERIAL_DIELECTRIC, 0.4f, 1.333f));
    if (glossy) stage_sphere(stage, metal, 0.8f, 0, 0.5f, 0.5f);
    if (glossy) stage_sphere(stage, frosted, 0, 0.8f, 0.5f, 0.4f);
    stage_sky(stage, rill_sky_default(RILL_SKY_UNIFORM));
    stage_commit(stage);
    return stage;
}

static rill_stage *mixed_stage(void)
{
    return stage_with(true);
}

static rill_camera mixed_camera(void)
{
    rill_camera c = rill_camera_default();
    c.eye = (rill_vec3){0, -4, 2};
    c.target = (rill_vec3){0, 0, 0.4};
    return c;
}

static rill_trace_options small_picture(uint32_t samples)
{
    rill_trace_options o = rill_trace_default();
    o.width = 50;
    o.height = 35;
    o.samples = samples;
    return o;
}

static void noise_falls(void **state)
{
    (void)state;
    enum { STEPS = 6 };
    rill_stage *stage = stage_with(false);
    rill_trace_options o = small_picture(slow_build() ? 512 : 4096);
    o.width = 24;
    o.height = 16;
    o.seed = 1000;
    rill_trace_result truth = picture(stage, mixed_camera(), o);
    const uint64_t seeds = slow_build() ? 4 : 16;
    double errors[STEPS], slope = 0;
    for (int i = 0; i < STEPS; i++) {
        o.samples = 2u << i;
        errors[i] = 0;
        for (uint64_t seed = 0; seed < seeds; seed++) {
            o.seed = seed;
            rill_trace_result r = picture(stage, mixed_camera(), o);
            for (size_t k = 0; k < 3 * (size_t)o.width * o.height; k++)
                errors[i] += pow((double)(r.rgb[k] - truth.rgb[k]), 2);
            rill_trace_result_free(&r);
        }
        errors[i] = sqrt(errors[i]);
        /* The slope of a straight line through the logarithms. */
        slope += (i - (STEPS - 1) / 2.0) * log2(errors[i]) / (STEPS * (STEPS * STEPS - 1) / 12.0);
        if (i) assert_true(errors[i] < (slow_build() ? 1 : 0.9) * errors[i - 1]);
    }
    /* One over the root of samples, or better: they are spread more evenly than by chance. */
    if (slope > -0.45 || slope < -1) fail_msg("Noise falls as samples to the power %g.", slope);
    rill_trace_result_free(&truth);
    rill_stage_free(stage);
}

/* The error that comes with each pixel is about as large as the true one. */
static void error_is_honest(void **state)
{
    (void)state;
    rill_stage *stage = mixed_stage();
    rill_trace_options o = small_picture(slow_build() ? 256 : 1024);
    o.seed = 1000;
    rill_trace_result truth = picture(stage, mixed_camera(), o);
    o.samples = 64;
    o.seed = 1;
    rill_trace_result r = picture(stage, mixed_camera(), o);
    double told = 0, true_error = 0;
    for (uint32_t y = 0; y < o.height; y++) {
        for (uint32_t x = 0; x < o.width; x++) {
            told += pow((double)r.error[y * o.width + x], 2);
            true_error += pow(pixel_luminance(&r, x, y) - pixel_luminance(&truth, x, y), 2);
        }
    }
    const double share = sqrt(told / true_error);
    if (share < 0.6 || share > 2) fail_msg("The errors told are %g of the true ones.", share);
    rill_trace_result_free(&truth);
    rill_trace_result_free(&r);
    rill_stage_free(stage);
}

/* With a noise asked for, dark and plain parts get few samples and the rest get more, down to that noise. */
static void noise_is_reached(void **state)
{
    (void)state;
    rill_stage *stage = mixed_stage();
    rill_trace_options o = small_picture(2048);
    o.noise = 0.04;
    rill_trace_result r = picture(stage, mixed_camera(), o);
    uint32_t least = UINT32_MAX, most = 0;
    for (uint32_t i = 0; i < o.width * o.height; i++) {
        least = r.samples[i] < least ? r.samples[i] : least;
        most = r.samples[i] > most ? r.samples[i] : most;
    }
    assert_true(least < most && most < 2048);
    double error = 0;
    for (uint32_t i = 0; i < o.width * o.height; i++) error += pow((double)r.error[i], 2);
    assert_true(sqrt(error / (o.width * o.height)) < 0.06 * picture_mean(&r));
    assert_true(r.paths >= (uint64_t)least * o.width * o.height);
    rill_trace_result_free(&r);
    rill_stage_free(stage);
}

/* ---- bits ---- */

static void threads_leave_no_trace(void **state)
{
    (void)state;
    rill_stage *stage = mixed_stage();
    rill_error err = {0};
    for (int noisy = 0; noisy < 2; noisy++) {
        rill_trace_options o = small_picture(noisy ? 96 : 5);
        o.noise = noisy ? 0.05 : 0;
        rill_trace_result alone = picture(stage, mixed_camera(), o);
        const unsigned threads[] = {1, 2, 3, 8};
        for (int i = 0; i < 4; i++) {
            rill_threads *pool = rill_threads_create(threads[i], &err);
            assert_non_null(pool);
            const rill_scheduler scheduler = rill_threads_scheduler(pool);
            o.scheduler = &scheduler;
            rill_trace_result r = picture(stage, mixed_camera(), o);
            const size_t count = (size_t)o.width * o.height;
            assert_memory_equal(r.rgb, alone.rgb, 3 * count * sizeof *r.rgb);
            assert_memory_equal(r.error, alone.error, count * sizeof *r.error);
            assert_memory_equal(r.samples, alone.samples, count * sizeof *r.samples);
            assert_int_equal(r.bounce_rays, alone.bounce_rays);
            assert_int_equal(r.shadow_rays, alone.shadow_rays);
            rill_trace_result_free(&r);
            rill_threads_destroy(pool);
        }
        rill_trace_result_free(&alone);
    }
    /* A stage built again gives the same bits, another seed gives others. */
    rill_stage *twin = mixed_stage();
    rill_trace_options o = small_picture(2);
    rill_trace_result a = picture(stage, mixed_camera(), o), b = picture(twin, mixed_camera(), o);
    o.seed = 7;
    rill_trace_result c = picture(stage, mixed_camera(), o);
    assert_memory_equal(a.rgb, b.rgb, 3 * 50 * 35 * sizeof *a.rgb);
    assert_memory_not_equal(a.rgb, c.rgb, 3 * 50 * 35 * sizeof *a.rgb);
    rill_trace_result_free(&a);
    rill_trace_result_free(&b);
    rill_trace_result_free(&c);
    rill_stage_free(twin);
    rill_stage_free(stage);
}

static bool stop_at_third(void *user, uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
    int *tiles = user;
    assert_true(x < 50 && y < 35 && width <= 16 && height <= 16);
    return ++*tiles < 3;
}

static void callback_stops(void **state)
{
    (void)state;
    int tiles = 0;
    rill_stage *stage = mixed_stage();
    rill_trace_options o = small_picture(1);
    o.tile = stop_at_third;
    o.user = &tiles;
    rill_trace_result r = picture(stage, mixed_camera(), o);
    assert_int_equal(tiles, 3);
    assert_true(r.stopped);
    assert_int_equal(r.samples[0], 1);
    assert_int_equal(r.samples[50 * 35 - 1], 0);
    rill_trace_result_free(&r);
    rill_stage_free(stage);
}

/* Where tiles were done, in halves of the picture each way. */
typedef struct halves {
    int done, low[2];
} halves;

static bool halves_count(void *user, uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
    halves *h = user;
    (void)width, (void)height;
    h->low[0] += x < 400;
    h->low[1] += y < 400;
    h->done++;
    /* Of 50 x 50 tiles, half lie in each half. */
    if (h->done >= 50)
        for (int a = 0; a < 2; a++) assert_true(fabs((double)h->low[a] / h->done - 0.5) < 0.1);
    return true;
}

/* At any moment the tiles done are spread over the picture, so that their time tells that of the rest. */
static void tiles_are_spread(void **state)
{
    (void)state;
    halves h = {0};
    rill_stage *stage = mixed_stage();
    rill_trace_options o = small_picture(1);
    o.width = o.height = 800;
    o.tile = halves_count;
    o.user = &h;
    rill_trace_result r = picture(stage, mixed_camera(), o);
    assert_int_equal(h.done, 2500);
    for (size_t i = 0; i < 800 * 800; i++) assert_int_equal(r.samples[i], 1);
    rill_trace_result_free(&r);
    rill_stage_free(stage);
}

/* ---- little to see ---- */

static void empty_stage(void **state)
{
    (void)state;
    rill_stage *stage = stage_new();
    stage_commit(stage);
    rill_trace_result r = picture(stage, mixed_camera(), small_picture(2));
    assert_true(picture_mean(&r) == 0);
    rill_trace_result_free(&r);
    rill_stage_free(stage);
    /* No parts but a sky, and parts without pieces. */
    stage = stage_new();
    rill_error err = {0};
    const uint32_t matt = stage_material(stage, rill_material_default(RILL_MATERIAL_LAMBERT));
    fine(rill_stage_add_triangles(stage, &(rill_triangles){0}, matt, &err), &err);
    fine(rill_stage_add_spheres(stage, NULL, 0, matt, &err), &err);
    stage_sky(stage, rill_sky_default(RILL_SKY_UNIFORM));
    stage_commit(stage);
    r = picture(stage, mixed_camera(), small_picture(2));
    near_share(picture_mean(&r), 1, 1e-6);
    rill_trace_result_free(&r);
    rill_stage_free(stage);
}

/* Triangles without area are there and do no harm. */
static void flat_triangles(void **state)
{
    (void)state;
    rill_stage *stage = stage_new();
    rill_error err = {0};
    const float p[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 1, 1, 0.5f};
    const uint32_t t[] = {0, 1, 2, 0, 0, 0, 0, 1, 1, 0, 1, 3};
    const rill_material_kind kinds[] = {RILL_MATERIAL_LAMBERT, RILL_MATERIAL_DIELECTRIC, RILL_MATERIAL_LIGHT};
    for (int i = 0; i < 3; i++) {
        const rill_triangles mesh = {.vertex_count = 4, .triangle_count = 4, .position = p, .normal = p, .triangle = t};
        const uint32_t material = stage_material(stage, rill_material_default(kinds[i]));
        fine(rill_stage_add_triangles(stage, &mesh, material, &err), &err);
    }
    stage_sky(stage, rill_sky_default(RILL_SKY_UNIFORM));
    stage_commit(stage);
    rill_camera c = mixed_camera();
    c.eye = (rill_vec3){1, -3, 0}; /* edge on */
    c.target = (rill_vec3){1, 0, 0};
    rill_trace_result r = picture(stage, c, small_picture(8));
    for (size_t i = 0; i < 3 * 50 * 35; i++) assert_true(isfinite(r.rgb[i]) && r.rgb[i] >= 0);
    rill_trace_result_free(&r);
    rill_stage_free(stage);
}

/* ---- what is refused ---- */

static void one_sentence(rill_status status, rill_error *err)
{
    assert_int_equal(status, RILL_BAD_INPUT);
    const size_t length = strlen(err->text);
    assert_true(length > 20 && length < 300);
    assert_int_equal(err->text[length - 1], '.');
    err->text[0] = 0;
}

static void bad_materials(void **state)
{
    (void)state;
    rill_stage *stage = stage_new();
    rill_error err = {0};
    uint32_t id;
    rill_material bad[13];
    for (int i = 0; i < 13; i++) bad[i] = rill_material_default(RILL_MATERIAL_DIELECTRIC);
    bad[0].colour[1] = 1.5f;
    bad[1].roughness = -0.1f;
    bad[2].index = 0.5f;
    bad[3].absorption[0] = -1;
    bad[4].scattering[2] = NAN;
    bad[5].forward = 1;
    bad[6].emission[0] = -1;
    bad[7].pattern = RILL_PATTERN_TEXTURE;
    bad[8].pattern = RILL_PATTERN_CHECKS;
    bad[8].pattern_size = 0;
    bad[9].kind = (rill_material_kind)9;
    bad[12].pattern = (rill_pattern)3;
    bad[10].index = INFINITY;
    bad[11].second[0] = NAN;
    for (int i = 0; i < 13; i++) one_sentence(rill_stage_add_material(stage, &bad[i], &id, &err), &err);
    rill_stage_free(stage);
}

static void bad_parts(void **state)
{
    (void)state;
    rill_stage *stage = stage_new();
    rill_error err = {0};
    const uint32_t matt = stage_material(stage, rill_material_default(RILL_MATERIAL_LAMBERT));
    const uint32_t lamp = stage_material(stage, rill_material_default(RILL_MATERIAL_LIGHT));
    float p[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    uint32_t t[] = {0, 1, 2};
    rill_triangles mesh = {.vertex_count = 3, .triangle_count = 1, .position = p, .triangle = t};
    one_sentence(rill_stage_add_triangles(stage, &mesh, 7, &err), &err);
    t[1] = 3;
    one_sentence(rill_stage_add_triangles(stage, &mesh, matt, &err), &err);
    t[1] = 1;
    p[4] = NAN;
    one_sentence(rill_stage_add_triangles(stage, &mesh, matt, &err), &err);
    one_sentence(rill_stage_add_spheres(stage, (float[]){0, 0, 0, 0}, 1, matt, &err), &err);
    one_sentence(rill_stage_add_spheres(stage, (float[]){0, INFINITY, 0, 1}, 1, matt, &err), &err);
    one_sentence(rill_stage_add_spheres(stage, (float[]){0, 0, 0, 1}, 1, lamp, &err), &err);
    stage_commit(stage);
    one_sentence(rill_stage_add_spheres(stage, (float[]){0, 0, 0, 1}, 1, matt, &err), &err);
    one_sentence(rill_stage_commit(stage, &err), &err);
    rill_stage_free(stage);
}

static void bad_skies(void **state)
{
    (void)state;
    rill_stage *stage = stage_new();
    rill_error err = {0};
    rill_sky bad[8];
    for (int i = 0; i < 8; i++) bad[i] = rill_sky_default(i < 5 ? RILL_SKY_PREETHAM : RILL_SKY_MAP);
    const float dark[3] = {-1, 0, 0};
    bad[0].turbidity = 1;
    bad[1].sun = (rill_vec3){0, 0, 0};
    bad[2].sun = (rill_vec3){0, 1, -0.1};
    bad[3].sun_radius = 80;
    bad[4].colour[0] = -1;
    bad[6].map = dark;
    bad[6].map_width = bad[6].map_height = 1;
    bad[7].kind = (rill_sky_kind)5;
    for (int i = 0; i < 8; i++) one_sentence(rill_stage_set_sky(stage, &bad[i], &err), &err);
    rill_stage_free(stage);
}

static void bad_views(void **state)
{
    (void)state;
    rill_stage *stage = stage_new();
    rill_error err = {0};
    rill_trace_result r;
    rill_camera c = mixed_camera();
    rill_trace_options o = small_picture(1);
    one_sentence(rill_trace(stage, &c, &o, &r, &err), &err); /* not committed */
    stage_commit(stage);
    rill_trace_options bad[6];
    for (int i = 0; i < 6; i++) bad[i] = o;
    bad[0].width = 0;
    bad[1].height = 100000;
    bad[2].samples = 0;
    bad[3].noise = NAN;
    bad[4].depth = 0;
    bad[5].clamp = -1;
    for (int i = 0; i < 6; i++) one_sentence(rill_trace(stage, &c, &bad[i], &r, &err), &err);
    rill_camera wrong[6];
    for (int i = 0; i < 6; i++) wrong[i] = c;
    wrong[0].target = c.eye;
    wrong[1].up = (rill_vec3){0, 0, 0};
    wrong[2].angle = 180;
    wrong[3].aperture = -1;
    wrong[4].focus = NAN;
    wrong[5].eye.x = INFINITY;
    for (int i = 0; i < 6; i++) one_sentence(rill_trace(stage, &wrong[i], &o, &r, &err), &err);
    rill_stage_free(stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_even), cmocka_unit_test(noise_falls),     cmocka_unit_test(error_is_honest),
        cmocka_unit_test(noise_is_reached), cmocka_unit_test(threads_leave_no_trace),
        cmocka_unit_test(callback_stops),
        cmocka_unit_test(tiles_are_spread),   cmocka_unit_test(empty_stage),     cmocka_unit_test(flat_triangles),
        cmocka_unit_test(bad_materials),    cmocka_unit_test(bad_parts),       cmocka_unit_test(bad_skies),
        cmocka_unit_test(bad_views),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The studio's lamps: how bright white paper is, how pictures come out, and that no lamp stands in them. */
#include <math.h>

#include "render_sample.h"

#include "base/vec3.h"
#include "render/tone.h"
#include "rill/render.h"

static rill_camera camera_at(double azimuth, double elevation, uint32_t width, uint32_t height)
{
    const rill_orbit orbit = {.azimuth = azimuth, .elevation = elevation, .box = {{0, 0, 0}, {1, 0.4, 0.8}}};
    return rill_orbit_camera(&orbit, 0, 0, width, height);
}

static rill_stage *stage_for(const sample *s, rill_look look, const rill_camera *camera, double aspect,
                             rill_stage_report *report)
{
    rill_stage_options options = options_of(s, look);
    rill_error err = {0};
    rill_stage *stage;
    options.light = RILL_LIGHT_LAMPS;
    options.camera = *camera;
    options.aspect = aspect;
    if (rill_stage_of_frame(&s->frame, &s->scene, &options, &stage, report, &err)) fail_msg("%s", err.text);
    return stage;
}

static rill_picture picture_of(const sample *s, const rill_stage *stage, const rill_camera *camera, uint32_t width,
                               uint32_t height, uint32_t samples)
{
    rill_error err = {0};
    rill_trace_result result = {0};
    rill_trace_options trace = rill_trace_default();
    trace.width = width;
    trace.height = height;
    trace.samples = samples;
    trace.scheduler = &s->scheduler;
    if (rill_trace(stage, camera, &trace, &result, &err)) fail_msg("%s", err.text);
    rill_picture picture = {.width = result.width, .height = result.height, .rgb = result.rgb};
    result.rgb = NULL;
    rill_trace_result_free(&result);
    return picture;
}

static double luminance(const float *rgb)
{
    return 0.2126 * (double)rgb[0] + 0.7152 * (double)rgb[1] + 0.0722 * (double)rgb[2];
}

/* Traced light on bare ground is what Lambert's formula foretold, at its middle and aside. */
static void white_paper_is_one(void **state)
{
    sample *s = *state;
    s->frame.count = 0;
    for (int look = 0; look < RILL_LOOK_COUNT; look++) {
        const rill_camera seen = camera_at(-62, 14, 160, 90);
        rill_stage_report report;
        rill_stage *stage = stage_for(s, (rill_look)look, &seen, 16 / 9.0, &report);
        assert_true(fabs(report.white - 1) < 1e-3);
        rill_camera down = rill_camera_default();
        down.eye = (rill_vec3){0.5, 0.2, 0.3};
        down.target = (rill_vec3){0.5, 0.2, 0};
        down.up = (rill_vec3){0, 1, 0};
        down.angle = 1;
        const rill_material ground = rill_look_ground((rill_look)look, 1);
        rill_picture picture = picture_of(s, stage, &down, 8, 8, slow_build() ? 64 : 512);
        double light = 0;
        for (int i = 0; i < 64; i++) light += luminance(picture.rgb + 3 * i) / 64;
        /* The tank of the clear look stands in the way, and the river's ground is of pebbles. */
        const double expected = luminance(ground.colour);
        if (look != RILL_LOOK_CLEAR && look != RILL_LOOK_RIVER && fabs(light - expected) > 0.015 * expected)
            fail_msg("%s: the ground has %g, not %g", rill_look_name((rill_look)look), light, expected);
        rill_picture_free(&picture);
        rill_stage_free(stage);
    }
}

/* Matt things in the light of one are never brighter than white paper near a lamp, lamps are; and their backs are
 * black, which nothing else is. */
static void no_lamp_is_in_the_picture(void **state)
{
    static const double elevations[] = {0, 5, 14, 30, 60, 90};
    sample *s = *state;
    for (int i = 0; i < 18; i++) {
        const uint32_t width = i % 3 == 0 ? 96 : i % 3 == 1 ? 54 : 30, height = i % 3 == 0 ? 40 : i % 3 == 1 ? 54 : 110;
        const rill_camera camera = camera_at(-62 + 40 * i, elevations[i / 3], width, height);
        rill_stage *stage = stage_for(s, RILL_LOOK_CLAY, &camera, (double)width / height, NULL);
        rill_picture picture = picture_of(s, stage, &camera, width, height, 4);
        for (uint32_t k = 0; k < width * height; k++) {
            const double light = luminance(picture.rgb + 3 * k);
            if (light > 1.8 || light < 0.01)
                fail_msg("elevation %g, %u x %u: a pixel has %g", elevations[i / 3], width, height, light);
        }
        rill_picture_free(&picture);
        rill_stage_free(stage);
    }
    /* Who turns around sees them. */
    const rill_camera camera = camera_at(0, 14, 64, 36);
    rill_stage *stage = stage_for(s, RILL_LOOK_CLAY, &camera, 16 / 9.0, NULL);
    rill_camera up = rill_camera_default();
    up.eye = (rill_vec3){0.5, 0.2, 0.85};
    up.target = (rill_vec3){0.5, 0.2, 2};
    up.up = (rill_vec3){0, 1, 0};
    up.angle = 150;
    rill_picture picture = picture_of(s, stage, &up, 40, 40, 4);
    int bright = 0;
    for (int i = 0; i < 1600; i++) bright += luminance(picture.rgb + 3 * i) > 2.5;
    assert_true(bright > 20);
    rill_picture_free(&picture);
    rill_stage_free(stage);
}

/* What stands in the middle comes out neither dark nor burnt, in every look. */
static void middle_is_well_exposed(void **state)
{
    sample *s = *state;
    enum { WIDE = 80, HIGH = 45 };
    const rill_camera camera = camera_at(-62, 14, WIDE, HIGH);
    for (int look = 0; look < RILL_LOOK_COUNT; look++) {
        rill_stage_report report;
        rill_stage *stage = stage_for(s, (rill_look)look, &camera, 16 / 9.0, &report);
        rill_picture picture = picture_of(s, stage, &camera, WIDE, HIGH, slow_build() ? 2 : 8);
        rill_pixels pixels = {WIDE, HIGH, malloc(3 * WIDE * HIGH)};
        rill_tone_map(&picture, rill_picture_exposure(&picture, report.white), &pixels);
        double sum = 0;
        int burnt = 0, count = 0;
        for (int y = HIGH / 3; y < 2 * HIGH / 3; y++)
            for (int x = WIDE / 3; x < 2 * WIDE / 3; x++, count++) {
                sum += pixels.rgb[3 * (y * WIDE + x) + 1];
                burnt += pixels.rgb[3 * (y * WIDE + x) + 1] > 250;
            }
        if (sum / count < 70 || sum / count > 225 || burnt > count / 20)
            fail_msg("%s: level %g, %d of %d burnt", rill_look_name((rill_look)look), sum / count, burnt, count);
        free(pixels.rgb);
        rill_picture_free(&picture);
        rill_stage_free(stage);
    }
}

/* Far away the ground looks like what is behind it: across the horizon light changes no more than a little further
 * down or up. */
static void no_line_at_the_horizon(void **state)
{
    sample *s = *state;
    s->frame.count = 0;
    enum { WIDE = 16, HIGH = 200 };
    for (int light = 0; light < 2; light++) {
        for (int look = 0; look < RILL_LOOK_COUNT; look++) {
            rill_stage_options options = options_of(s, (rill_look)look);
            rill_camera camera = rill_camera_default();
            rill_error err = {0};
            rill_stage *stage;
            camera.eye = (rill_vec3){0.5, -2, 0.6};
            camera.target = (rill_vec3){0.5, 2, 0.6};
            camera.angle = 2;
            options.light = (rill_light_kind)light;
            options.camera = camera;
            options.aspect = 0.2;
            options.glass = false;
            if (rill_stage_of_frame(&s->frame, &s->scene, &options, &stage, NULL, &err)) fail_msg("%s", err.text);
            rill_picture picture = picture_of(s, stage, &camera, WIDE, HIGH, slow_build() ? 8 : 32);
            double row[HIGH];
            for (int y = 0; y < HIGH; y++) {
                row[y] = 0;
                for (int x = 0; x < WIDE; x++) row[y] += luminance(picture.rgb + 3 * (y * WIDE + x)) / WIDE;
            }
            double above = 0, below = 0;
            for (int y = 5; y < 15; y++) above += row[HIGH / 2 - y], below += row[HIGH / 2 + y];
            if (look != RILL_LOOK_RIVER && fabs(above - below) > 0.06 * above)
                fail_msg("%s, light %d: %g above the horizon, %g below", rill_look_name((rill_look)look), light,
                         above / 10, below / 10);
            rill_picture_free(&picture);
            rill_stage_free(stage);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SAMPLE_TEST(white_paper_is_one),
        SAMPLE_TEST(no_lamp_is_in_the_picture),
        SAMPLE_TEST(middle_is_well_exposed),
        SAMPLE_TEST(no_line_at_the_horizon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Cameras that show everything, and tones. label: one thread */
#include <math.h>

#include "scenes.h"

#include "base/vec3.h"
#include "render/tone.h"
#include "rill/render.h"
#include "text/pi.h"

/* ---- cameras ---- */

static void project(const rill_camera *c, rill_vec3 p, uint32_t width, uint32_t height, double *x, double *y)
{
    const rill_vec3 f = rill_vec3_sub(c->target, c->eye), d = rill_vec3_sub(p, c->eye);
    const double length = rill_vec3_length(f), depth = rill_vec3_dot(d, f) / length;
    const rill_vec3 r = {f.y, -f.x, 0};
    const double level = rill_vec3_length(r), half = tan(c->angle * RILL_PI / 360);
    const rill_vec3 u = {-f.x * f.z / (level * length), -f.y * f.z / (level * length), level / length};
    *x = 0.5 + 0.5 * rill_vec3_dot(d, r) / level / depth / half * height / width;
    *y = 0.5 - 0.5 * rill_vec3_dot(d, u) / depth / half;
}

/* All corners of the box lie within the picture, from all around and in any shape of picture. */
static void cameras_show_the_whole_box(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1280, 720}, {100, 1000}, {400, 400}};
    rill_orbit orbit = {.azimuth = -62, .elevation = 17, .box = {{-1, 2, 0}, {2, 3, 2}}};
    for (int kind = RILL_ORBIT_FIXED; kind <= RILL_ORBIT_ROUND; kind++) {
        orbit.kind = (rill_orbit_kind)kind;
        for (int i = 0; i < 3 * 12; i++) {
            const uint32_t *size = sizes[i % 3];
            const rill_camera c = rill_orbit_camera(&orbit, i / 36.0, 0, size[0], size[1]);
            double widest = 0;
            for (int k = 0; k < 8; k++) {
                const rill_vec3 p = {k & 1 ? 2 : -1, k & 2 ? 3 : 2, k & 4 ? 2 : 0};
                double x, y;
                project(&c, p, size[0], size[1], &x, &y);
                assert_true(x > 0 && x < 1 && y > 0 && y < 1);
                widest = fmax(widest, fmax(fabs(x - 0.5), fabs(y - 0.5)));
            }
            if (kind == RILL_ORBIT_FIXED) assert_true(widest > 0.4);
        }
    }
}

static void follow_moves_with_the_liquid(void **state)
{
    (void)state;
    rill_orbit orbit = {.kind = RILL_ORBIT_FOLLOW, .azimuth = -62, .elevation = 17, .box = {{-1, -1, -1}, {1, 1, 1}},
                        .track_count = 2, .time = {0, 2}, .middle = {{0, 0, 0}, {4, 0, -2}}};
    const rill_camera first = rill_orbit_camera(&orbit, 0, 0, 640, 360);
    const rill_camera half = rill_orbit_camera(&orbit, 0, 1, 640, 360);
    const rill_camera last = rill_orbit_camera(&orbit, 0, 9, 640, 360);
    assert_true(fabs(half.eye.x - first.eye.x - 2) < 1e-9 && fabs(half.target.z - first.target.z + 1) < 1e-9);
    assert_true(fabs(last.eye.x - first.eye.x - 4) < 1e-9);
}

/* ---- tone ---- */

static void tones_rise_and_keep_to_their_range(void **state)
{
    (void)state;
    double before = -1;
    for (double light = 1e-5; light < 1e5; light *= 1.05) {
        const double v = rill_tone_value(light);
        assert_true(v >= before && v >= 0 && v <= 1);
        before = v;
    }
    assert_true(rill_tone_value(0) == 0 && rill_tone_value(-1) == 0 && fabs(rill_tone_value(1e30) - 1) < 1e-9);
    float light[] = {NAN, INFINITY, -1, 0.18f, 0.18f, 0.18f};
    const rill_picture picture = {.width = 2, .height = 1, .rgb = light};
    uint8_t rgb[6];
    rill_pixels pixels = {2, 1, rgb};
    rill_tone_map(&picture, 1, &pixels);
    assert_true(rgb[0] == 0 && rgb[1] == 255 && rgb[2] == 0);
    assert_int_equal(rgb[3], (int)(255 * rill_tone_value((double)0.18f) + 0.5));
}

/* A scene lit ten times as brightly gives the same picture. */
static void exposure_follows_the_light(void **state)
{
    (void)state;
    float dim[300], bright[300];
    for (int i = 0; i < 300; i++) dim[i] = 0.001f * (float)(i + 1), bright[i] = 10 * dim[i];
    const rill_picture a = {.width = 10, .height = 10, .rgb = dim}, b = {.width = 10, .height = 10, .rgb = bright};
    assert_true(fabs(rill_picture_exposure(&a, 0) / rill_picture_exposure(&b, 0) - 10) < 1e-4);
    assert_true(fabs(rill_picture_exposure(&a, 1) / rill_picture_exposure(&b, 10) - 10) < 1e-4);
    float black[3] = {0, 0, 0};
    const rill_picture night = {.width = 1, .height = 1, .rgb = black};
    assert_true(rill_picture_exposure(&night, 0) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cameras_show_the_whole_box),
        cmocka_unit_test(follow_moves_with_the_liquid),
        cmocka_unit_test(tones_rise_and_keep_to_their_range),
        cmocka_unit_test(exposure_follows_the_light),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

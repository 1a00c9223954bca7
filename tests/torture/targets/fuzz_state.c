/* What `rill render` keeps in render.txt behind its settings, and the pictures that follow from it. */
#include <math.h>

#include "base/vec3.h"
#include "fuzz.h"
#include "render/tone.h"
#include "render_parts.h"

static const char *const words[] = {"box ", "exposure ", "\n", " ", "box 0 0 0 1 1 1\n", "exposure 1\n", "nan", "inf",
                                    "-inf", "0x1p3", "-", "1e18", "1e-310", "\t"};

static void camera_try(const rill_bounds *box)
{
    for (int kind = RILL_ORBIT_FIXED; kind <= RILL_ORBIT_ROUND; kind++) {
        const rill_orbit orbit = {.kind = (rill_orbit_kind)kind, .azimuth = 30, .elevation = 20, .box = *box};
        const rill_camera camera = rill_orbit_camera(&orbit, 0.3, 0, 64, 48);
        FUZZ_CHECK(rill_vec3_finite(camera.eye) && rill_vec3_finite(camera.target) && isfinite(camera.angle),
                   "the camera stands at (%g, %g, %g)", camera.eye.x, camera.eye.y, camera.eye.z);
    }
}

static void picture_try(double exposure)
{
    float light[] = {0, 1e-30f, 1, 3e38f, -1, 0.5f};
    uint8_t shown[6] = {0};
    const rill_picture picture = {.width = 2, .height = 1, .rgb = light};
    rill_pixels pixels = {.width = 2, .height = 1, .rgb = shown};
    rill_tone_map(&picture, exposure, &pixels);
    FUZZ_CHECK(!shown[0] && shown[2] >= shown[5], "light of 1 shows as %d, of a half as %d", shown[2], shown[5]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_copy(data, size);
    rill_bounds box, box_again;
    double exposure, exposure_again;
    if (render_state_parse(text, &box, &exposure)) {
        char *again = render_state_text("", &box, exposure);
        FUZZ_CHECK(again && render_state_parse(again, &box_again, &exposure_again) && exposure == exposure_again &&
                       rill_vec3_length(rill_vec3_sub(box.low, box_again.low)) == 0 &&
                       rill_vec3_length(rill_vec3_sub(box.high, box_again.high)) == 0,
                   "'%s' comes back as '%s'", text, again);
        free(again);
        camera_try(&box);
        picture_try(exposure);
    }
    free(text);
    return 0;
}

static size_t state_make(uint8_t *data, size_t most, fuzz_random *random)
{
    fuzz_bytes out = {data, 0, most};
    fuzz_print(&out, "box");
    for (int k = 0; k < 6; k++)
        fuzz_print(&out, " %s%d%s", fuzz_chance(random, 4) ? "-" : "", (int)fuzz_below(random, 9) + 3 * k,
                   fuzz_chance(random, 12) ? FUZZ_PICK(random, ((const char *[]){"e17", "e-300", ".5", "e300"})) : "");
    fuzz_print(&out, "\nexposure %s\n", fuzz_chance(random, 2) ? "1" : FUZZ_PICK(random, fuzz_numbers));
    return out.size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    fuzz_random random = fuzz_random_from(seed);
    if (fuzz_chance(&random, 4)) size = state_make(data, most, &random);
    return fuzz_text_mutate(data, size, most, &random, words, sizeof words / sizeof *words);
}

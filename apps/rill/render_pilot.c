/* How long a picture will take: a small one of the same view with few samples, timed. */
#include <math.h>

#include "render_parts.h"

/* Enough tiles for every thread that the last ones do not count, and a small part of the whole. */
enum { SAMPLES = 8, PIXELS_EACH = 2048, SHARE_LEAST = 50 };

/* With --noise, samples go on until the error of their mean, which falls with the root of their number, is small
 * enough. */
static double samples_mean(const rill_trace_result *r, const rill_trace_options *o)
{
    const size_t count = (size_t)r->width * r->height;
    double light = 0, sum = 0;
    for (size_t i = 0; i < count; i++) light += (double)r->rgb[3 * i + 1] / (double)count;
    for (size_t i = 0; i < count; i++) {
        const double bright = fmax((double)r->rgb[3 * i + 1], 0.1 * light);
        const double ratio = bright > 0 ? (double)r->error[i] / (bright * o->noise) : 0;
        sum += fmin(fmax(SAMPLES * ratio * ratio, fmin(16, o->samples)), o->samples);
    }
    return sum / (double)count;
}

double render_pilot(const rill_stage *stage, const rill_camera *camera, const rill_trace_options *options,
                    uint32_t pictures)
{
    const double pixels = (double)options->width * options->height;
    const double small = PIXELS_EACH * (double)(options->scheduler ? options->scheduler->workers : 1);
    const double scale = sqrt(small / pixels);
    rill_trace_options pilot = *options;
    rill_trace_result result = {0};
    if (pixels * options->samples * pictures < SHARE_LEAST * small * SAMPLES) return 0;
    pilot.width = (uint32_t)fmax(scale * options->width, 1);
    pilot.height = (uint32_t)fmax(scale * options->height, 1);
    pilot.samples = SAMPLES;
    pilot.noise = 0;
    pilot.tile = NULL;
    if (rill_trace(stage, camera, &pilot, &result, NULL)) return 0;
    const double samples = options->noise > 0 ? samples_mean(&result, options) : options->samples;
    const double seconds = result.seconds * samples * pixels / ((double)SAMPLES * pilot.width * pilot.height);
    rill_trace_result_free(&result);
    return seconds;
}

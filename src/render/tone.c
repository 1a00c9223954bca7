/* Tone mapping. The exposure brings the log-average of the luminance to a key value (Reinhard et al. 2002, Photographic
 * tone reproduction for digital images, eq. 1 and 2); a film-like curve with a toe and a shoulder then takes light of
 * any strength into the range of a screen:
 *
 *   f(x) = x (a x + b) / (x (c x + d) + e)
 *
 * with Narkowicz's (2015) fit of the ACES reference transform, and the curve of sRGB follows. The curve acts on each
 * colour, so that very bright light turns white as on film. */
#include "render/tone.h"

#include <math.h>

/* Light at this level becomes the middle of the scale. */
static const double key = 0.42;

/* Between these, white paper is light grey to almost white. */
static const double paper_least = 0.65, paper_most = 1;

static double luminance(const float *rgb)
{
    return 0.2126 * (double)rgb[0] + 0.7152 * (double)rgb[1] + 0.0722 * (double)rgb[2];
}

double rill_picture_exposure(const rill_picture *picture, double white)
{
    const size_t count = (size_t)picture->width * picture->height;
    double sum = 0, mean = 0;
    size_t counted = 0;
    for (size_t i = 0; i < count; i++) {
        const double l = luminance(picture->rgb + 3 * i);
        if (isfinite(l) && l > 0) mean += l, counted++;
    }
    if (!counted) return 1;
    /* Deep shadows and the disc of the sun count as if they were less extreme than they are. */
    mean /= (double)counted;
    for (size_t i = 0; i < count; i++) {
        const double l = luminance(picture->rgb + 3 * i);
        sum += isfinite(l) && l > 0 ? log(fmin(fmax(l, 0.01 * mean), 20 * mean)) : 0;
    }
    double exposure = key / exp(sum / (double)counted);
    if (white > 0) exposure = fmin(fmax(exposure, paper_least / white), paper_most / white);
    return isfinite(exposure) && exposure > 0 ? exposure : 1;
}

double rill_tone_value(double light)
{
    const double a = 2.51, b = 0.03, c = 2.43, d = 0.59, e = 0.14;
    if (!(light > 0)) return 0;
    const double x = fmin(light, 1e6);
    const double y = fmin(x * (a * x + b) / (x * (c * x + d) + e), 1);
    return y <= 0.0031308 ? 12.92 * y : 1.055 * pow(y, 1 / 2.4) - 0.055;
}

void rill_tone_map(const rill_picture *picture, double exposure, rill_pixels *pixels)
{
    /* The curve is steep in the dark and flat in the light: a table over the logarithm has steps below a quarter of
     * what eight bits can show. */
    enum { STEPS = 4096 };
    const double low = -14, high = 8;
    uint8_t table[STEPS + 1];
    for (int i = 0; i <= STEPS; i++)
        table[i] = (uint8_t)(255 * rill_tone_value(exp2(low + (high - low) * i / STEPS)) + 0.5);
    const size_t count = (size_t)picture->width * picture->height * 3;
    for (size_t i = 0; i < count; i++) {
        const double light = (double)picture->rgb[i] * exposure;
        const double place = light > 0 ? (log2(light) - low) * (STEPS / (high - low)) : -1;
        pixels->rgb[i] = !(place >= 0) ? 0 : place >= STEPS ? table[STEPS] : table[(int)(place + 0.5)];
    }
}

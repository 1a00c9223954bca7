/* Colour maps drawn as curves through Oklab (Ottosson 2020), a space in which
 * distance is difference to the eye. A map climbs steadily in lightness while
 * its hue turns; it is then walked at even speed. */
#include "render/palette.h"
#include "text/pi.h"

#include <math.h>

typedef struct lab {
    double l, a, b;
} lab;

/* Where a map starts and ends: lightness, hue in degrees, and how colourful it is at the ends and between. */
typedef struct curve {
    double lightness[2], hue[2], chroma[2], chroma_middle;
} curve;

static const curve curve_speed = {{0.40, 0.93}, {265, 100}, {0.16, 0.13}, 0.100};
static const curve curve_density = {{0.36, 0.90}, {285, 445}, {0.16, 0.12}, 0.18};
static const curve curve_pressure = {{0.36, 0.94}, {310, 175}, {0.14, 0.07}, 0.115};

static void light_of(lab c, double rgb[3])
{
    double l = c.l + 0.3963377774 * c.a + 0.2158037573 * c.b;
    double m = c.l - 0.1055613458 * c.a - 0.0638541728 * c.b;
    double s = c.l - 0.0894841775 * c.a - 1.2914855480 * c.b;
    l = l * l * l, m = m * m * m, s = s * s * s;
    rgb[0] = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
    rgb[1] = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
    rgb[2] = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
}

static int displayable(const double rgb[3])
{
    for (int i = 0; i < 3; i++) {
        if (rgb[i] < -1e-6 || rgb[i] > 1 + 1e-6) return 0;
    }
    return 1;
}

/* Lightness, chroma and hue, with the chroma lowered until a screen can show it. */
static lab shown(double lightness, double chroma, double hue)
{
    double c = cos(hue * RILL_PI / 180), s = sin(hue * RILL_PI / 180), rgb[3], low = 0, high = chroma;
    lab colour = {lightness, chroma * c, chroma * s};
    light_of(colour, rgb);
    if (displayable(rgb)) return colour;
    for (int i = 0; i < 30; i++) {
        double middle = (low + high) / 2;
        light_of((lab){lightness, middle * c, middle * s}, rgb);
        if (displayable(rgb)) low = middle;
        else high = middle;
    }
    return (lab){lightness, low * c, low * s};
}

static lab curve_at(const curve *k, double t)
{
    double bump = 4 * t * (1 - t), ends = k->chroma[0] + (k->chroma[1] - k->chroma[0]) * t;
    return shown(k->lightness[0] + (k->lightness[1] - k->lightness[0]) * t, ends + (k->chroma_middle - ends) * bump,
                 k->hue[0] + (k->hue[1] - k->hue[0]) * t);
}

float rill_palette_light(uint8_t level)
{
    double v = level / 255.0;
    return (float)(v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
}

uint8_t rill_palette_level(float light)
{
    if (!(light > 0)) return 0;
    double v = light <= 0.0031308f ? 12.92 * (double)light : 1.055 * pow((double)light, 1 / 2.4) - 0.055;
    return v >= 1 ? 255 : (uint8_t)(v * 255 + 0.5);
}

static uint32_t packed(lab c)
{
    double rgb[3];
    light_of(c, rgb);
    uint32_t colour = 0;
    for (int i = 0; i < 3; i++) colour = colour << 8 | rill_palette_level((float)rgb[i]);
    return colour;
}

/* Walks the curve and drops a colour after every equal length of it. */
static rill_palette curve_walk(const curve *k)
{
    enum { STEPS = 2048 };
    double length[STEPS + 1];
    lab last = curve_at(k, 0);
    length[0] = 0;
    for (int i = 1; i <= STEPS; i++) {
        lab here = curve_at(k, (double)i / STEPS);
        double dl = here.l - last.l, da = here.a - last.a, db = here.b - last.b;
        length[i] = length[i - 1] + sqrt(dl * dl + da * da + db * db);
        last = here;
    }
    rill_palette palette;
    int i = 0;
    for (int c = 0; c < RILL_PALETTE_SIZE; c++) {
        double goal = length[STEPS] * c / (RILL_PALETTE_SIZE - 1);
        while (i < STEPS - 1 && length[i + 1] < goal) i++;
        double part = (goal - length[i]) / (length[i + 1] - length[i]);
        palette.colours[c] = packed(curve_at(k, (i + part) / STEPS));
    }
    return palette;
}

rill_palette rill_palette_for(rill_shot_colour colour)
{
    switch (colour) {
    case RILL_SHOT_DENSITY: return curve_walk(&curve_density);
    case RILL_SHOT_PRESSURE: return curve_walk(&curve_pressure);
    default: return curve_walk(&curve_speed);
    }
}

uint32_t rill_palette_at(const rill_palette *palette, double t)
{
    /* The negated comparison sends NaN to the low end. */
    if (!(t > 0)) return palette->colours[0];
    if (t >= 1) return palette->colours[RILL_PALETTE_SIZE - 1];
    return palette->colours[(int)(t * (RILL_PALETTE_SIZE - 1) + 0.5)];
}

uint32_t rill_palette_distinct(uint32_t i)
{
    /* The golden angle keeps every new hue away from all before it. */
    return packed(shown(0.62 + 0.08 * (i % 3), 0.14, 255 + 137.508 * i));
}

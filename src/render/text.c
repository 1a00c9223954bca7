/* A stroke font. Each letter is a path on a grid where capitals are 7 high and
 * small letters 5: "M x y" lifts the pen and sets it down, "L x y" draws a
 * line, "A cx cy rx ry from to" lifts the pen and draws an arc (degrees, from
 * the right, anticlockwise when `to` is larger), and "a" draws the same arc
 * without lifting. A pixel is inked by its distance to the nearest stroke. */
#include "render/text.h"
#include "text/pi.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct glyph {
    uint32_t code;
    double width;
    const char *path;
} glyph;

static const double cap_height = 7, gap = 1.75, space_width = 2.0;

static const glyph glyphs[] = {
    {'0', 4.0, "A 2 3.5 2 3.5 0 360"},
    {'1', 4.0, "M 0.7 5.5 L 2.4 7 L 2.4 0"},
    {'2', 4.0, "A 2 5.05 1.9 1.95 165 -28 L 0.1 0 L 4 0"},
    {'3', 4.0, "A 1.9 5.3 1.75 1.7 150 -90 M 1.2 3.6 L 1.9 3.6 a 1.9 1.8 2.05 1.8 90 -155"},
    {'4', 4.0, "M 3.1 0 L 3.1 7 L 0 2 L 4.2 2"},
    {'5', 4.0, "M 3.6 7 L 0.6 7 L 0.35 3.7 a 1.9 2.25 2.1 2.25 130 -150"},
    {'6', 4.0, "A 2 2.2 2 2.2 0 360 A 3.6 2.2 3.6 4.8 180 95"},
    {'7', 4.0, "M 0 7 L 4 7 L 1.4 0"},
    {'8', 4.0, "A 2 5.3 1.65 1.7 0 360 A 2 1.8 2 1.8 0 360"},
    {'9', 4.0, "A 2 4.8 2 2.2 0 360 A 0.4 4.8 3.6 4.8 0 -85"},
    {'A', 4.8, "M 0 0 L 2.4 7 L 4.8 0 M 0.85 2.4 L 3.95 2.4"},
    {'B', 4.2, "M 0 3.6 L 2.3 3.6 M 0 0 L 0 7 L 2.3 7 a 2.3 5.3 1.6 1.7 90 -90 a 2.3 1.8 1.9 1.8 90 -90 L 0 0"},
    {'C', 4.6, "A 2.6 3.5 2.6 3.5 45 315"},
    {'D', 4.6, "M 0 0 L 0 7 L 1.6 7 a 1.6 3.5 3 3.5 90 -90 L 0 0"},
    {'E', 4.0, "M 4 7 L 0 7 L 0 0 L 4 0 M 0 3.7 L 3.3 3.7"},
    {'F', 3.8, "M 4 7 L 0 7 L 0 0 M 0 3.6 L 3.3 3.6"},
    {'G', 4.8, "A 2.6 3.5 2.6 3.5 48 318 L 4.6 3.2 L 2.9 3.2"},
    {'H', 4.4, "M 0 0 L 0 7 M 4.4 0 L 4.4 7 M 0 3.6 L 4.4 3.6"},
    {'I', 0.0, "M 0 0 L 0 7"},
    {'J', 3.2, "M 3.2 7 L 3.2 1.8 a 1.6 1.8 1.6 1.8 0 -165"},
    {'K', 4.1, "M 0 0 L 0 7 M 4 7 L 0 2.6 M 1.5 4.25 L 4.2 0"},
    {'L', 3.6, "M 0 7 L 0 0 L 3.6 0"},
    {'M', 5.4, "M 0 0 L 0 7 L 2.7 1.8 L 5.4 7 L 5.4 0"},
    {'N', 4.5, "M 0 0 L 0 7 L 4.5 0 L 4.5 7"},
    {'O', 5.4, "A 2.7 3.5 2.7 3.5 0 360"},
    {'P', 4.2, "M 0 0 L 0 7 L 2.3 7 a 2.3 5.1 1.9 1.9 90 -90 L 0 3.2"},
    {'Q', 5.4, "A 2.7 3.5 2.7 3.5 0 360 M 3.2 1.7 L 5.2 -0.4"},
    {'R', 4.2, "M 0 0 L 0 7 L 2.3 7 a 2.3 5.1 1.9 1.9 90 -90 L 0 3.2 M 2.1 3.2 L 4.3 0"},
    {'S', 4.2, "A 2.1 5.25 1.9 1.75 35 270 a 2.1 1.75 2.1 1.75 90 -145"},
    {'T', 4.6, "M 0 7 L 4.6 7 M 2.3 7 L 2.3 0"},
    {'U', 4.4, "M 0 7 L 0 2.2 a 2.2 2.2 2.2 2.2 180 360 L 4.4 7"},
    {'V', 4.6, "M 0 7 L 2.3 0 L 4.6 7"},
    {'W', 6.8, "M 0 7 L 1.7 0 L 3.4 6 L 5.1 0 L 6.8 7"},
    {'X', 4.4, "M 0 0 L 4.4 7 M 0 7 L 4.4 0"},
    {'Y', 4.4, "M 0 7 L 2.2 3.4 L 4.4 7 M 2.2 3.4 L 2.2 0"},
    {'Z', 4.2, "M 0 7 L 4.2 7 L 0 0 L 4.2 0"},
    {'a', 3.8, "A 1.9 2.5 1.9 2.5 0 360 M 3.8 5 L 3.8 0"},
    {'b', 3.8, "M 0 7.4 L 0 0 A 1.9 2.5 1.9 2.5 0 360"},
    {'c', 3.5, "A 2 2.5 2 2.5 48 312"},
    {'d', 3.8, "A 1.9 2.5 1.9 2.5 0 360 M 3.8 7.4 L 3.8 0"},
    {'e', 3.9, "M 0.05 2.6 L 3.9 2.6 a 1.95 2.5 1.95 2.5 3 318"},
    {'f', 2.4, "A 2.2 5.8 1.3 1.6 70 180 L 0.9 0 M 0 5 L 2.4 5"},
    {'g', 3.8, "A 1.9 2.5 1.9 2.5 0 360 M 3.8 5 L 3.8 -0.3 a 2 -0.3 1.8 1.8 0 -150"},
    {'h', 3.4, "M 0 7.4 L 0 0 M 0 3 a 1.7 3.1 1.7 1.9 180 0 L 3.4 0"},
    {'i', 0.0, "M 0 0 L 0 5 M 0 6.9 L 0 7.0"},
    {'j', 1.2, "M 1.2 5 L 1.2 -0.6 a 0 -0.6 1.2 1.4 0 -90 M 1.2 6.9 L 1.2 7.0"},
    {'k', 3.4, "M 0 0 L 0 7.4 M 3.2 5 L 0 1.9 M 1.2 3 L 3.4 0"},
    {'l', 0.0, "M 0 7.4 L 0 0"},
    {'m', 5.6, "M 0 5 L 0 0 M 0 3.2 a 1.4 3.4 1.4 1.6 180 0 L 2.8 0 M 2.8 3.2 a 4.2 3.4 1.4 1.6 180 0 L 5.6 0"},
    {'n', 3.4, "M 0 5 L 0 0 M 0 3 a 1.7 3.1 1.7 1.9 180 0 L 3.4 0"},
    {'o', 4.0, "A 2 2.5 2 2.5 0 360"},
    {'p', 3.8, "M 0 5 L 0 -2.2 A 1.9 2.5 1.9 2.5 0 360"},
    {'q', 3.8, "A 1.9 2.5 1.9 2.5 0 360 M 3.8 5 L 3.8 -2.2"},
    {'r', 2.2, "M 0 5 L 0 0 M 0 3 a 1.8 3.1 1.8 1.9 180 70"},
    {'s', 3.1, "A 1.55 3.7 1.4 1.3 35 270 a 1.55 1.2 1.55 1.2 90 -145"},
    {'t', 2.4, "M 0.9 6.6 L 0.9 1.4 a 2.2 1.4 1.3 1.4 180 285 M 0 5 L 2.4 5"},
    {'u', 3.4, "M 0 5 L 0 1.9 a 1.7 1.9 1.7 1.9 180 360 M 3.4 5 L 3.4 0"},
    {'v', 3.8, "M 0 5 L 1.9 0 L 3.8 5"},
    {'w', 5.6, "M 0 5 L 1.4 0 L 2.8 4.4 L 4.2 0 L 5.6 5"},
    {'x', 3.6, "M 0 0 L 3.6 5 M 0 5 L 3.6 0"},
    {'y', 3.8, "M 0 5 L 1.95 0 M 3.8 5 L 1.5 -1.2 L 0.9 -2 L 0.1 -2.1"},
    {'z', 3.4, "M 0 5 L 3.4 5 L 0 0 L 3.4 0"},
    {'.', 0.2, "M 0.1 0 L 0.1 0.1"},
    {',', 0.4, "M 0.4 0.1 L 0 -1.3"},
    {':', 0.2, "M 0.1 0.2 L 0.1 0.3 M 0.1 4 L 0.1 4.1"},
    {';', 0.4, "M 0.4 0.1 L 0 -1.3 M 0.4 4 L 0.4 4.1"},
    {'-', 2.4, "M 0 2.9 L 2.4 2.9"},
    {'+', 4.0, "M 0 3 L 4 3 M 2 1 L 2 5"},
    {'=', 4.0, "M 0 2 L 4 2 M 0 4.1 L 4 4.1"},
    {'_', 4.0, "M 0 -1.2 L 4 -1.2"},
    {'/', 3.0, "M 0 -0.8 L 3 7.6"},
    {'\\', 3.0, "M 0 7.6 L 3 -0.8"},
    {'|', 0.0, "M 0 -1.5 L 0 8"},
    {'(', 1.5, "A 3.2 3.2 3.2 5 125 235"},
    {')', 1.5, "A -1.7 3.2 3.2 5 -55 55"},
    {'[', 1.4, "M 1.4 7.8 L 0 7.8 L 0 -1.4 L 1.4 -1.4"},
    {']', 1.4, "M 0 7.8 L 1.4 7.8 L 1.4 -1.4 L 0 -1.4"},
    {'{', 1.8, "M 1.8 7.8 L 1 7.4 L 1 4.1 L 0 3.2 L 1 2.3 L 1 -1 L 1.8 -1.4"},
    {'}', 1.8, "M 0 7.8 L 0.8 7.4 L 0.8 4.1 L 1.8 3.2 L 0.8 2.3 L 0.8 -1 L 0 -1.4"},
    {'<', 3.4, "M 3.4 5.4 L 0 3 L 3.4 0.6"},
    {'>', 3.4, "M 0 5.4 L 3.4 3 L 0 0.6"},
    {'%', 5.6, "A 1.2 5.6 1.2 1.4 0 360 A 4.4 1.4 1.2 1.4 0 360 M 4.8 7 L 0.8 0"},
    {'#', 4.4, "M 1 0 L 1.8 7 M 2.9 0 L 3.7 7 M 0 2.3 L 4.2 2.3 M 0.3 4.7 L 4.5 4.7"},
    {'&', 4.8, "M 4.8 0 L 1 4.6 a 1.9 5.6 1.3 1.4 220 -60 L 1 3 a 1.7 1.7 1.7 1.7 125 330 L 4.6 3.2"},
    {'*', 3.0, "M 1.5 3.4 L 1.5 7 M 0 4.3 L 3 6.1 M 0 6.1 L 3 4.3"},
    {'\'', 0.0, "M 0 5.2 L 0 7.2"},
    {'"', 1.4, "M 0 5.2 L 0 7.2 M 1.4 5.2 L 1.4 7.2"},
    {'!', 0.0, "M 0 2.2 L 0 7 M 0 0 L 0 0.1"},
    {'?', 3.4, "A 1.7 5.3 1.7 1.7 165 -60 L 1.7 2.9 L 1.7 2 M 1.7 0 L 1.7 0.1"},
    {'@', 6.0, "A 3 3 1.4 1.6 0 360 M 4.4 4.6 L 4.4 2 a 5.2 2.2 0.8 0.8 180 330 a 3 3 3 3.6 -10 310"},
    {'$', 4.2, "A 2.1 5 1.9 1.5 35 270 a 2.1 2 2.1 1.5 90 -145 M 2.1 7.6 L 2.1 -0.6"},
    {'^', 3.0, "M 0 5 L 1.5 7 L 3 5"},
    {'`', 1.0, "M 0 7.2 L 1 6"},
    {'~', 4.0, "M 0 2.6 L 0.9 3.5 L 2.8 2.6 L 4 3.5"},
    {0xb0, 1.8, "A 0.9 6.2 0.9 0.9 0 360"},
    {0xb2, 2.0, "A 1 6.6 0.95 1 160 -30 L 0 4.2 L 2 4.2"},
    {0xb3, 2.0, "A 0.9 6.8 0.9 0.8 150 -90 a 0.9 5.1 1 0.9 90 -150"},
    {0xb7, 0.2, "M 0.1 3 L 0.1 3.1"},
    {0xd7, 3.0, "M 0 1.5 L 3 4.5 M 0 4.5 L 3 1.5"},
    {0x2013, 3.4, "M 0 2.9 L 3.4 2.9"},
    {0x2212, 4.0, "M 0 3 L 4 3"},
};
static const glyph box = {0, 3.6, "M 0 0 L 3.6 0 L 3.6 7 L 0 7 L 0 0"};

enum { SEGMENT_MAX = 160, ARC_DEGREES = 15 };

typedef struct strokes {
    double ax[SEGMENT_MAX], ay[SEGMENT_MAX], bx[SEGMENT_MAX], by[SEGMENT_MAX];
    int count;
} strokes;

typedef struct pen {
    double x, y;
} pen;

/* One code point of UTF-8; a stray byte stands for itself. */
static uint32_t code_next(const char **text)
{
    const unsigned char *t = (const unsigned char *)*text;
    uint32_t code = t[0];
    int more = code >= 0xf0 ? 3 : code >= 0xe0 ? 2 : code >= 0xc0 ? 1 : 0;
    if (more) code &= 0x3fu >> more;
    int used = 1;
    for (; used <= more && (t[used] & 0xc0) == 0x80; used++) code = code << 6 | (t[used] & 0x3f);
    *text += used;
    return code;
}

static const glyph *glyph_find(uint32_t code)
{
    for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++) {
        if (glyphs[i].code == code) return &glyphs[i];
    }
    return &box;
}

static void stroke_to(strokes *s, pen *p, double x, double y, bool draw)
{
    if (draw && s->count < SEGMENT_MAX) {
        s->ax[s->count] = p->x, s->ay[s->count] = p->y;
        s->bx[s->count] = x, s->by[s->count++] = y;
    }
    *p = (pen){x, y};
}

static void stroke_arc(strokes *s, pen *p, const double v[6], bool joined)
{
    int pieces = (int)ceil(fabs(v[5] - v[4]) / ARC_DEGREES);
    for (int i = 0; i <= pieces; i++) {
        double angle = (v[4] + (v[5] - v[4]) * i / pieces) * RILL_PI / 180;
        stroke_to(s, p, v[0] + v[2] * cos(angle), v[1] + v[3] * sin(angle), joined || i > 0);
    }
}

static void path_trace(const char *path, strokes *s)
{
    pen p = {0};
    while (*path) {
        char command = *path++;
        if (command == ' ') continue;
        double v[6] = {0};
        int wanted = command == 'A' || command == 'a' ? 6 : 2;
        for (int i = 0; i < wanted; i++) {
            char *end;
            v[i] = strtod(path, &end);
            path = end;
        }
        if (wanted == 6) stroke_arc(s, &p, v, command == 'a');
        else stroke_to(s, &p, v[0], v[1], command == 'L');
    }
}

static double stroke_distance(const strokes *s, double x, double y)
{
    double best = INFINITY;
    for (int i = 0; i < s->count; i++) {
        double dx = s->bx[i] - s->ax[i], dy = s->by[i] - s->ay[i], px = x - s->ax[i], py = y - s->ay[i];
        double t = fmin(fmax((px * dx + py * dy) / fmax(dx * dx + dy * dy, 1e-12), 0), 1);
        best = fmin(best, (px - t * dx) * (px - t * dx) + (py - t * dy) * (py - t * dy));
    }
    return sqrt(best);
}

static void pixel_mix(rill_pixels *pixels, int x, int y, uint32_t colour, double opacity)
{
    if (x < 0 || y < 0 || x >= (int)pixels->width || y >= (int)pixels->height || opacity <= 0) return;
    uint8_t *rgb = pixels->rgb + ((size_t)y * pixels->width + (size_t)x) * 3;
    for (int k = 0; k < 3; k++) {
        double ink = (colour >> (16 - 8 * k)) & 255;
        rgb[k] = (uint8_t)(rgb[k] + (ink - rgb[k]) * fmin(opacity, 1) + 0.5);
    }
}

static void glyph_draw(rill_pixels *pixels, const glyph *g, double x, double y, double unit, double weight,
                       uint32_t colour)
{
    strokes s = {.count = 0};
    path_trace(g->path, &s);
    double half = weight * cap_height / 2;
    int left = (int)floor(x - 1.5 * unit - 1), right = (int)ceil(x + (g->width + 1.5) * unit + 1);
    int top = (int)floor(y - 9 * unit - 1), bottom = (int)ceil(y + 3.5 * unit + 1);
    for (int py = top; py <= bottom; py++) {
        for (int px = left; px <= right; px++) {
            double distance = stroke_distance(&s, (px + 0.5 - x) / unit, (y - py - 0.5) / unit);
            pixel_mix(pixels, px, py, colour, (half - distance) * unit + 0.5);
        }
    }
}

double rill_text_width(const char *text, double size)
{
    double width = 0;
    while (*text) {
        uint32_t code = code_next(&text);
        width += (code == ' ' ? space_width : glyph_find(code)->width) + gap;
    }
    return fmax(width - gap, 0) * size / cap_height;
}

void rill_text_draw(rill_pixels *pixels, double x, double y, double size, double weight, uint32_t colour,
                    const char *text)
{
    double unit = size / cap_height;
    while (*text) {
        uint32_t code = code_next(&text);
        if (code == ' ') {
            x += (space_width + gap) * unit;
            continue;
        }
        const glyph *g = glyph_find(code);
        glyph_draw(pixels, g, x, y, unit, weight, colour);
        x += (g->width + gap) * unit;
    }
}

/* How much of the unit interval from i lies in [low, high]. */
static double overlap(int i, double low, double high)
{
    return fmax(fmin(i + 1, high) - fmax(i, low), 0);
}

void rill_text_box(rill_pixels *pixels, double left, double top, double right, double bottom, uint32_t colour,
                   double opacity)
{
    for (int y = (int)floor(top); y < (int)ceil(bottom); y++) {
        for (int x = (int)floor(left); x < (int)ceil(right); x++)
            pixel_mix(pixels, x, y, colour, opacity * overlap(x, left, right) * overlap(y, top, bottom));
    }
}

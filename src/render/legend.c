/* Heading, notes and the colour scale with labels at round numbers. */
#include "render/legend.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const uint32_t ink = 0x1d2733, ink_soft = 0x5a6877;
static const double regular = 0.125, bold = 0.17;

double rill_legend_text_size(uint32_t width, uint32_t height)
{
    return fmax(6, fmin(fmin(width / 75.0, height / 45.0), 48));
}

double rill_legend_step(double low, double high, int pieces)
{
    double raw = (high - low) / pieces, power = pow(10, floor(log10(raw)));
    static const double round[] = {1, 2, 2.5, 5, 10};
    for (int i = 0; i < 4; i++) {
        if (round[i] * power >= raw * (1 - 1e-9)) return round[i] * power;
    }
    return round[4] * power;
}

void rill_legend_count(uint64_t count, char *text, size_t size)
{
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, count);
    size_t n = 0;
    for (int i = 0; i < length && n + 2 < size; i++) {
        if (i && (length - i) % 3 == 0) text[n++] = ' ';
        text[n++] = digits[i];
    }
    text[n] = 0;
}

/* Pressures of a deep tank read better in kPa. */
static double unit_scale(const rill_legend *legend, char *unit, size_t size)
{
    double largest = fmax(fabs(legend->low), fabs(legend->high)), scale = 1;
    const char *prefix = "";
    if (!strcmp(legend->unit, "Pa") && largest >= 2e6) scale = 1e-6, prefix = "M";
    else if (!strcmp(legend->unit, "Pa") && largest >= 2e3) scale = 1e-3, prefix = "k";
    snprintf(unit, size, "%s%s", prefix, legend->unit);
    return scale;
}

static void label_format(double value, double step, char *text, size_t size)
{
    if (fabs(value) < step * 1e-6) value = 0;
    double largest = fmax(fabs(value), step);
    if (largest >= 1e6 || largest < 1e-4) {
        snprintf(text, size, "%g", value);
        return;
    }
    int decimals = 0;
    /* As many decimals as the step itself has. */
    for (double s = step; decimals < 7 && fabs(s - round(s)) > 1e-6 * s; s *= 10) decimals++;
    snprintf(text, size, "%.*f", decimals, value);
}

typedef struct scale_layout {
    double text, left, right, top, bottom; /* of the bar, pixels */
} scale_layout;

static double label_width_max(const rill_legend *legend, double text)
{
    double widest = 0;
    if (!legend->palette) {
        for (uint32_t i = 0; i < legend->name_count; i++)
            widest = fmax(widest, rill_text_width(legend->names[i], text));
        return widest;
    }
    char unit[24], label[32];
    double scale = unit_scale(legend, unit, sizeof unit), low = legend->low * scale, high = legend->high * scale;
    double step = rill_legend_step(low, high, 6);
    for (double v = ceil(low / step - 1e-6) * step; v <= high + step * 1e-6; v += step) {
        label_format(v, step, label, sizeof label);
        widest = fmax(widest, rill_text_width(label, text));
    }
    return widest;
}

double rill_legend_width(const rill_legend *legend, uint32_t width, uint32_t height)
{
    double text = rill_legend_text_size(width, height);
    double title = rill_text_width(legend->title, text) + rill_text_width(" kg/m³", text);
    return fmax(label_width_max(legend, text) + 3.2 * text, title) + 2.5 * text;
}

static void scale_draw(const rill_legend *legend, rill_pixels *pixels, scale_layout at)
{
    int rows = (int)(at.bottom - at.top);
    for (int i = 0; i < rows; i++) {
        double t = 1 - (i + 0.5) / rows;
        rill_text_box(pixels, at.left, at.top + i, at.right, at.top + i + 1, rill_palette_at(legend->palette, t), 1);
    }
    char unit[24], label[32];
    double scale = unit_scale(legend, unit, sizeof unit), low = legend->low * scale, high = legend->high * scale;
    double step = rill_legend_step(low, high, 6), line = fmax(1, at.text / 9);
    for (double v = ceil(low / step - 1e-6) * step; v <= high + step * 1e-6; v += step) {
        double y = at.bottom - (v - low) / (high - low) * rows;
        rill_text_box(pixels, at.right, y - line / 2, at.right + 0.55 * at.text, y + line / 2, ink_soft, 1);
        label_format(v, step, label, sizeof label);
        rill_text_draw(pixels, at.right + at.text, y + at.text / 2, at.text, regular, ink, label);
    }
    char title[96];
    rill_text_draw(pixels, at.left, at.top - 1.5 * at.text, at.text, bold, ink, legend->title);
    snprintf(title, sizeof title, "%s ", legend->title);
    rill_text_draw(pixels, at.left + rill_text_width(title, at.text) + at.text * 0.9, at.top - 1.5 * at.text, at.text,
                   regular, ink_soft, unit);
}

static void names_draw(const rill_legend *legend, rill_pixels *pixels, scale_layout at)
{
    double y = at.top;
    rill_text_draw(pixels, at.left, y - 1.5 * at.text, at.text, bold, ink, legend->title);
    for (uint32_t i = 0; i < legend->name_count && y < at.bottom; i++, y += 2.4 * at.text) {
        rill_text_box(pixels, at.left, y, at.right, y + 1.4 * at.text, legend->colours[i], 1);
        rill_text_draw(pixels, at.right + at.text, y + 1.2 * at.text, at.text, regular, ink, legend->names[i]);
    }
}

void rill_legend_draw(const rill_legend *legend, rill_pixels *pixels)
{
    double text = rill_legend_text_size(pixels->width, pixels->height), margin = 2.4 * text;
    double left = pixels->width - rill_legend_width(legend, pixels->width, pixels->height);
    double length = fmin(pixels->height * 0.5, 34 * text);
    scale_layout at = {text, left, left + 1.4 * text, (pixels->height - length) / 2, (pixels->height + length) / 2};
    if (legend->palette) scale_draw(legend, pixels, at);
    else names_draw(legend, pixels, at);
    rill_text_draw(pixels, margin, margin + 1.35 * text, 1.35 * text, bold, ink, legend->heading);
    rill_text_draw(pixels, margin, margin + 3.6 * text, text, regular, ink_soft, legend->notes);
}

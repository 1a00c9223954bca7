/* The picture of the sky and the tables to draw from it: a row by its share of
 * the light, then a column within the row, then a place within the pixel, even
 * over its solid angle. */
#include "render/trace/sky.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec3.h"

enum { DAYLIGHT_WIDTH = 256 };

static const double pi = 3.14159265358979323846;

/* ---- looking up ---- */

static uint32_t wrap(int32_t x, uint32_t width)
{
    return (uint32_t)(x < 0 ? x + (int32_t)width : x >= (int32_t)width ? x - (int32_t)width : x);
}

/* Light at a place on the picture, between the middles of four pixels. */
static v3 picture_at(const rill_heaven *sky, float x, float y)
{
    const float left = f_floor(x - 0.5f), up = f_floor(y - 0.5f), a = x - 0.5f - left, b = y - 0.5f - up;
    const int32_t last = (int32_t)sky->height - 1, row = (int32_t)up;
    const uint32_t x0 = wrap((int32_t)left, sky->width), x1 = wrap((int32_t)left + 1, sky->width);
    const uint32_t y0 = (uint32_t)(row < 0 ? 0 : row), y1 = (uint32_t)(row + 1 > last ? last : row + 1);
    const float *top = sky->pixel + 4 * (size_t)y0 * sky->width, *low = sky->pixel + 4 * (size_t)y1 * sky->width;
    const v3 upper = v3_add(v3_scale(v3_of(top + 4 * x0), 1 - a), v3_scale(v3_of(top + 4 * x1), a));
    const v3 lower = v3_add(v3_scale(v3_of(low + 4 * x0), 1 - a), v3_scale(v3_of(low + 4 * x1), a));
    return v3_add(v3_scale(upper, 1 - b), v3_scale(lower, b));
}

v3 rill_heaven_at(const rill_heaven *sky, v3 d, float *pdf)
{
    *pdf = 0;
    if (!sky->width) return v3_all(0);
    if (sky->width * sky->height == 1) {
        *pdf = sky->pixel[3];
        return v3_of(sky->pixel);
    }
    float u = 0.5f + sky->turn - atan2f(d.y, d.x) / (2 * RILL_PI_F);
    u -= f_floor(u);
    const float x = f_min(u, 0.9999999f) * (float)sky->width;
    const float y = acosf(f_min(1, f_max(-1, d.z))) / RILL_PI_F * (float)sky->height;
    const uint32_t last = sky->height - 1, here = y < (float)last ? (uint32_t)y : last;
    *pdf = sky->pixel[4 * ((size_t)here * sky->width + (uint32_t)x) + 3];
    return picture_at(sky, x, y);
}

/* The place of u in rising sums from 0 to 1, and how far on it lies towards the next. The guide says for every `count`th
 * part of 1 where to begin, which leaves a step or two. */
static uint32_t sums_find(const float *sums, const uint16_t *guide, uint32_t count, float u, float *on)
{
    uint32_t at = guide[(uint32_t)(u * (float)count)];
    while (at + 1 < count && sums[at + 1] <= u) at++;
    const float share = sums[at + 1] - sums[at];
    *on = share > 0 ? f_min((u - sums[at]) / share, 0.9999999f) : 0.5f;
    return at;
}

v3 rill_heaven_draw(const rill_heaven *sky, float u, float v, v3 *light, float *pdf)
{
    float along, across;
    const uint32_t w = sky->width, y = sums_find(sky->row, sky->row_guide, sky->height, v, &across);
    const uint32_t x = sums_find(sky->column + (size_t)y * (w + 1), sky->column_guide + (size_t)y * w, w, u, &along);
    *pdf = sky->pixel[4 * ((size_t)y * w + x) + 3];
    const float above = sky->cosine[y], below = sky->cosine[y + 1], z = above + across * (below - above);
    const float r = sqrtf(f_max(0, 1 - z * z));
    const float phi = 2 * RILL_PI_F * (0.5f + sky->turn - ((float)x + along) / (float)w);
    if (w * sky->height == 1) *light = v3_of(sky->pixel);
    else *light = picture_at(sky, (float)x + along, acosf(f_min(1, f_max(-1, z))) / RILL_PI_F * (float)sky->height);
    return (v3){r * cosf(phi), r * sinf(phi), z};
}

v3 rill_heaven_draw_sun(const rill_heaven *sky, float u, float v)
{
    const float depth = u * sky->sun_depth, r = sqrtf(depth * (2 - depth)), phi = 2 * RILL_PI_F * v;
    v3 s, t;
    v3_basis(sky->sun, &s, &t);
    return v3_along(v3_along(v3_scale(sky->sun, 1 - depth), r * cosf(phi), s), r * sinf(phi), t);
}

/* ---- making ---- */

/* A pixel is drawn by the light around it too, since what is looked up lies between pixels; a little of the mean keeps
 * every direction possible. */
static float pixel_importance(const rill_heaven *sky, uint32_t x, uint32_t y)
{
    static const float weight[3] = {0.25f, 0.5f, 0.25f};
    float sum = 0;
    for (int j = -1; j <= 1; j++) {
        const uint32_t row = y == 0 && j < 0 ? 0 : y + (uint32_t)j >= sky->height ? sky->height - 1 : y + (uint32_t)j;
        for (int i = -1; i <= 1; i++) {
            const float *pixel = sky->pixel + 4 * ((size_t)row * sky->width + wrap((int32_t)x + i, sky->width));
            sum += weight[i + 1] * weight[j + 1] * v3_luminance(v3_of(pixel));
        }
    }
    return sum;
}

static double row_angle(const rill_heaven *sky, uint32_t y)
{
    return 2 * pi / sky->width * (cos(pi * y / sky->height) - cos(pi * (y + 1) / sky->height));
}

static double mean_importance(const rill_heaven *sky)
{
    double sum = 0;
    for (uint32_t y = 0; y < sky->height; y++)
        for (uint32_t x = 0; x < sky->width; x++)
            sum += (double)v3_luminance(v3_of(sky->pixel + 4 * ((size_t)y * sky->width + x))) * row_angle(sky, y);
    return sum / (4 * pi);
}

/* For every `count`th part of 1 the last place whose sum is not above it. */
static void guide_make(const float *sums, uint32_t count, uint16_t *guide)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        while (at + 1 < count && sums[at + 1] <= (float)i / (float)count) at++;
        guide[i] = (uint16_t)at;
    }
}

static rill_status tables_make(rill_heaven *sky, rill_error *err)
{
    const size_t columns = (size_t)sky->height * (sky->width + 1);
    sky->column = rill_memory_alloc(columns * sizeof *sky->column);
    sky->column_guide = rill_memory_alloc(columns * sizeof *sky->column_guide);
    sky->row = rill_memory_alloc((sky->height + 1) * sizeof *sky->row);
    sky->row_guide = rill_memory_alloc(sky->height * sizeof *sky->row_guide);
    sky->cosine = rill_memory_alloc((sky->height + 1) * sizeof *sky->cosine);
    if (!sky->column || !sky->column_guide || !sky->row || !sky->row_guide || !sky->cosine)
        return rill_memory_fail(err, columns * sizeof(float), "the sky");
    const float least = (float)fmax(0.05 * mean_importance(sky), 1e-20);
    double all = 0;
    for (uint32_t y = 0; y < sky->height; y++) {
        float *sums = sky->column + (size_t)y * (sky->width + 1);
        double sum = 0;
        for (uint32_t x = 0; x < sky->width; x++) {
            const float importance = pixel_importance(sky, x, y) + least;
            sky->pixel[4 * ((size_t)y * sky->width + x) + 3] = importance;
            sum += (double)importance;
            sums[x + 1] = (float)sum;
        }
        for (uint32_t x = 1; x <= sky->width; x++) sums[x] /= (float)sum;
        sums[sky->width] = 1;
        guide_make(sums, sky->width, sky->column_guide + (size_t)y * sky->width);
        all += sum * row_angle(sky, y);
        sky->row[y + 1] = (float)all;
    }
    for (uint32_t y = 1; y <= sky->height; y++) sky->row[y] /= (float)all;
    sky->row[sky->height] = 1;
    guide_make(sky->row, sky->height, sky->row_guide);
    for (uint32_t y = 0; y <= sky->height; y++) sky->cosine[y] = (float)cos(pi * y / sky->height);
    for (size_t i = 0; i < (size_t)sky->width * sky->height; i++) sky->pixel[4 * i + 3] /= (float)all;
    return RILL_OK;
}

static rill_vec3 pixel_direction(const rill_heaven *sky, uint32_t x, uint32_t y)
{
    const double theta = pi * (y + 0.5) / sky->height;
    const double phi = 2 * pi * (0.5 + (double)sky->turn - (x + 0.5) / sky->width);
    return (rill_vec3){sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta)};
}

/* What a level sheet gets, by the middles of pixels. */
static v3 irradiance_of(const rill_heaven *sky)
{
    double sum[3] = {0};
    for (uint32_t y = 0; y < sky->height; y++) {
        /* The integral of the cosine over a pixel of this row, as far as it lies above the horizon. */
        const double high = sin(fmin(pi / 2, pi * y / sky->height));
        const double low = sin(fmin(pi / 2, pi * (y + 1) / sky->height));
        const double weight = 2 * pi / sky->width * (low * low - high * high) / 2;
        for (uint32_t x = 0; x < sky->width && weight > 0; x++)
            for (int k = 0; k < 3; k++)
                sum[k] += weight * (double)sky->pixel[4 * ((size_t)y * sky->width + x) + (size_t)k];
    }
    const float sun = 2 * RILL_PI_F * sky->sun_depth * f_max(0, sky->sun.z);
    return v3_along((v3){(float)sum[0], (float)sum[1], (float)sum[2]}, sun, sky->sun_light);
}

static void daylight_paint(const rill_sky *ask, rill_heaven *sky)
{
    rill_daylight day;
    const rill_vec3 sun = rill_vec3_scale(ask->sun, 1 / rill_vec3_length(ask->sun));
    rill_daylight_make(ask->turbidity, sun, &day);
    sky->sun = v3_unit(v3_from(sun));
    const double half = ask->sun_radius * pi / 360;
    sky->sun_depth = (float)(2 * sin(half) * sin(half));
    double rgb[3];
    rill_daylight_sun(ask->turbidity, sun.z, rgb);
    for (int k = 0; k < 3 && ask->sun_radius > 0; k++)
        (&sky->sun_light.x)[k] = (float)(rgb[k] / (2 * pi * (double)sky->sun_depth)) * ask->colour[k];
    for (uint32_t y = 0; y < sky->height / 2; y++) {
        for (uint32_t x = 0; x < sky->width; x++) {
            rill_daylight_at(&day, pixel_direction(sky, x, y), rgb);
            for (size_t k = 0; k < 3; k++)
                sky->pixel[4 * ((size_t)y * sky->width + x) + k] = (float)rgb[k] * ask->colour[k];
        }
    }
    /* The land below is lit by all of that. */
    const v3 light = irradiance_of(sky), land = v3_scale(v3_mul(light, v3_of(ask->ground)), 1 / RILL_PI_F);
    for (size_t i = (size_t)sky->width * (sky->height / 2); i < (size_t)sky->width * sky->height; i++)
        memcpy(sky->pixel + 4 * i, &land, sizeof land);
}

rill_status rill_heaven_make(const rill_sky *ask, rill_heaven *sky, rill_error *err)
{
    const bool map = ask->kind == RILL_SKY_MAP, even = ask->kind == RILL_SKY_UNIFORM;
    *sky = (rill_heaven){.width = map ? ask->map_width : even ? 1 : DAYLIGHT_WIDTH};
    sky->height = map ? ask->map_height : even ? 1 : DAYLIGHT_WIDTH / 2;
    const size_t count = (size_t)sky->width * sky->height;
    sky->turn = map ? (float)(ask->map_turn / 360 - floor(ask->map_turn / 360)) : 0;
    sky->sun = (v3){0, 0, 1};
    sky->pixel = rill_memory_alloc(4 * count * sizeof *sky->pixel);
    if (!sky->pixel) return rill_memory_fail(err, 4 * count * sizeof *sky->pixel, "the sky");
    if (map || even) {
        for (size_t i = 0; i < count; i++)
            for (size_t k = 0; k < 3; k++) sky->pixel[4 * i + k] = (map ? ask->map[3 * i + k] : 1) * ask->colour[k];
    } else {
        daylight_paint(ask, sky);
    }
    sky->irradiance = irradiance_of(sky);
    return tables_make(sky, err);
}

void rill_heaven_free(rill_heaven *sky)
{
    rill_memory_free(sky->pixel);
    rill_memory_free(sky->column);
    rill_memory_free(sky->column_guide);
    rill_memory_free(sky->row);
    rill_memory_free(sky->row_guide);
    rill_memory_free(sky->cosine);
    *sky = (rill_heaven){0};
}

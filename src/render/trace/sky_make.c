/* Making the picture of the sky and the tables to draw from it. */
#include <string.h>

#include "base/memory.h"
#include "base/vec3.h"
#include "render/trace/sky.h"
#include "text/pi.h"

enum { DAYLIGHT_WIDTH = 128, DAYLIGHT_BLOCK = 2 };

/* ---- tables ---- */

/* Height above the horizon at the upper edge of a row of pixels. */
static double row_height(const rill_heaven *sky, double y)
{
    return sky->even ? 1 - 2 * y / sky->height : cos(RILL_PI * y / sky->height);
}

static double row_angle(const rill_heaven *sky, uint32_t y)
{
    return 2 * RILL_PI / sky->width * (row_height(sky, y) - row_height(sky, y + 1));
}

/* A pixel is drawn by the light around it too, since what is looked up lies between pixels. */
static double pixel_importance(const rill_heaven *sky, uint32_t x, uint32_t y)
{
    static const float weight[3] = {0.25f, 0.5f, 0.25f};
    float sum = 0;
    for (int j = -1; j <= 1; j++) {
        const uint32_t row = y == 0 && j < 0 ? 0 : y + (uint32_t)j >= sky->height ? sky->height - 1 : y + (uint32_t)j;
        for (int i = -1; i <= 1; i++) {
            const uint32_t column = rill_heaven_wrap((int32_t)x + i, sky->width);
            const float *pixel = sky->pixel + 4 * ((size_t)row * sky->width + column);
            sum += weight[i + 1] * weight[j + 1] * v3_luminance(v3_of(pixel));
        }
    }
    return (double)sum;
}

/* The mean over a cell. */
static float cell_importance(const rill_heaven *sky, uint32_t x, uint32_t y)
{
    double sum = 0, angle = 0;
    for (uint32_t j = y * sky->block; j < (y + 1) * sky->block; j++) {
        for (uint32_t i = x * sky->block; i < (x + 1) * sky->block; i++) {
            sum += pixel_importance(sky, i, j) * row_angle(sky, j);
            angle += row_angle(sky, j);
        }
    }
    return (float)(sum / angle);
}

static double mean_light(const rill_heaven *sky)
{
    double sum = 0;
    for (uint32_t y = 0; y < sky->height; y++)
        for (uint32_t x = 0; x < sky->width; x++)
            sum += (double)v3_luminance(v3_of(sky->pixel + 4 * ((size_t)y * sky->width + x))) * row_angle(sky, y);
    return sum / (4 * RILL_PI);
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

static rill_status tables_allocate(rill_heaven *sky, rill_error *err)
{
    const size_t cells = (size_t)sky->down * (sky->across + 1);
    sky->chance = rill_memory_alloc(cells * sizeof *sky->chance);
    sky->column = rill_memory_alloc(cells * sizeof *sky->column);
    sky->column_guide = rill_memory_alloc(cells * sizeof *sky->column_guide);
    sky->row = rill_memory_alloc((sky->down + 1) * sizeof *sky->row);
    sky->row_guide = rill_memory_alloc(sky->down * sizeof *sky->row_guide);
    sky->height_at = rill_memory_alloc((sky->down + 1) * sizeof *sky->height_at);
    if (sky->chance && sky->column && sky->column_guide && sky->row && sky->row_guide && sky->height_at) return RILL_OK;
    return rill_memory_fail(err, 2 * cells * sizeof(float), "the sky");
}

static rill_status tables_make(rill_heaven *sky, rill_error *err)
{
    const uint32_t w = sky->across;
    rill_status status = tables_allocate(sky, err);
    if (status) return status;
    /* A little of the mean keeps every direction possible. */
    const float least = (float)fmax(0.05 * mean_light(sky), 1e-20);
    double all = 0;
    for (uint32_t y = 0; y < sky->down; y++) {
        float *sums = sky->column + (size_t)y * (w + 1);
        double sum = 0;
        for (uint32_t x = 0; x < w; x++) {
            sky->chance[(size_t)y * w + x] = cell_importance(sky, x, y) + least;
            sum += (double)sky->chance[(size_t)y * w + x];
            sums[x + 1] = (float)sum;
        }
        for (uint32_t x = 1; x <= w; x++) sums[x] /= (float)sum;
        sums[w] = 1;
        guide_make(sums, w, sky->column_guide + (size_t)y * w);
        sky->height_at[y] = (float)row_height(sky, y * sky->block);
        sky->height_at[y + 1] = (float)row_height(sky, (y + 1) * sky->block);
        all += sum * 2 * RILL_PI / w * (row_height(sky, y * sky->block) - row_height(sky, (y + 1) * sky->block));
        sky->row[y + 1] = (float)all;
    }
    for (uint32_t y = 1; y <= sky->down; y++) sky->row[y] /= (float)all;
    sky->row[sky->down] = 1;
    guide_make(sky->row, sky->down, sky->row_guide);
    for (size_t i = 0; i < (size_t)w * sky->down; i++) sky->chance[i] /= (float)all;
    return RILL_OK;
}

/* ---- pictures ---- */

static rill_vec3 pixel_direction(const rill_heaven *sky, uint32_t x, uint32_t y)
{
    const double z = row_height(sky, y + 0.5), r = sqrt(1 - z * z);
    const double phi = 2 * RILL_PI * (0.5 + (double)sky->turn - (x + 0.5) / sky->width);
    return (rill_vec3){r * cos(phi), r * sin(phi), z};
}

/* What a level sheet gets, by the middles of pixels. */
static v3 irradiance_of(const rill_heaven *sky)
{
    double sum[3] = {0};
    for (uint32_t y = 0; y < sky->height; y++) {
        /* The integral of the cosine over a pixel of this row, as far as it lies above the horizon. */
        const double high = fmax(0, row_height(sky, y)), low = fmax(0, row_height(sky, y + 1));
        const double weight = 2 * RILL_PI / sky->width * (high * high - low * low) / 2;
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
    const double half = ask->sun_radius * RILL_PI / 360;
    sky->sun_depth = (float)(2 * sin(half) * sin(half));
    double rgb[3];
    rill_daylight_sun(ask->turbidity, sun.z, rgb);
    for (int k = 0; k < 3 && ask->sun_radius > 0; k++)
        (&sky->sun_light.x)[k] = (float)(rgb[k] / (2 * RILL_PI * (double)sky->sun_depth)) * ask->colour[k];
    for (uint32_t y = 0; y < sky->height / 2; y++) {
        for (uint32_t x = 0; x < sky->width; x++) {
            rill_daylight_at(&day, pixel_direction(sky, x, y), rgb);
            for (size_t k = 0; k < 3; k++)
                sky->pixel[4 * ((size_t)y * sky->width + x) + k] = (float)rgb[k] * ask->colour[k];
        }
    }
    /* The land below is lit by all of that. Its first row is the horizon's again, or between pixels the sky would turn
     * into land before the horizon. */
    const v3 light = irradiance_of(sky), land = v3_scale(v3_mul(light, v3_of(ask->ground)), 1 / RILL_PI_F);
    const size_t middle = (size_t)sky->width * (sky->height / 2);
    memcpy(sky->pixel + 4 * middle, sky->pixel + 4 * (middle - sky->width), 4 * sky->width * sizeof *sky->pixel);
    for (size_t i = middle + sky->width; i < 2 * middle; i++) memcpy(sky->pixel + 4 * i, &land, sizeof land);
}

rill_status rill_heaven_make(const rill_sky *ask, rill_heaven *sky, rill_error *err)
{
    const bool map = ask->kind == RILL_SKY_MAP, even = ask->kind == RILL_SKY_UNIFORM;
    *sky = (rill_heaven){.width = map ? ask->map_width : even ? 1 : DAYLIGHT_WIDTH};
    sky->height = map ? ask->map_height : even ? 1 : DAYLIGHT_WIDTH / 2;
    sky->even = !map;
    sky->block = map || even ? 1 : DAYLIGHT_BLOCK;
    sky->across = sky->width / sky->block;
    sky->down = sky->height / sky->block;
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
    rill_memory_free(sky->chance);
    rill_memory_free(sky->column);
    rill_memory_free(sky->column_guide);
    rill_memory_free(sky->row);
    rill_memory_free(sky->row_guide);
    rill_memory_free(sky->height_at);
    *sky = (rill_heaven){0};
}

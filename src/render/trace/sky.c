/* Looking up the picture of the sky and drawing from it: a row of cells by its
 * share of the light, then a cell within the row, then a place within the cell,
 * even over its solid angle. */
#include "render/trace/sky.h"

/* How far down the picture a height above the horizon lies. */
static float row_of(const rill_heaven *sky, float z)
{
    const float down = sky->even ? 0.5f - 0.5f * z : acosf(f_min(1, f_max(-1, z))) / RILL_PI_F;
    return f_max(0, down) * (float)sky->height;
}

/* Light at a place on the picture, between the middles of four pixels. */
static v3 picture_at(const rill_heaven *sky, float x, float y)
{
    const float left = f_floor(x - 0.5f), up = f_floor(y - 0.5f), a = x - 0.5f - left, b = y - 0.5f - up;
    const int32_t last = (int32_t)sky->height - 1, row = (int32_t)up;
    const uint32_t x0 = rill_heaven_wrap((int32_t)left, sky->width);
    const uint32_t x1 = rill_heaven_wrap((int32_t)left + 1, sky->width);
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
        *pdf = sky->chance[0];
        return v3_of(sky->pixel);
    }
    float u = 0.5f + sky->turn - f_turns_of(d.y, d.x);
    u -= f_floor(u);
    const float x = f_min(u, 0.9999999f) * (float)sky->width, y = row_of(sky, d.z);
    const uint32_t last = sky->height - 1, row = (y < (float)last ? (uint32_t)y : last) / sky->block;
    *pdf = sky->chance[(size_t)row * sky->across + (uint32_t)x / sky->block];
    return picture_at(sky, x, y);
}

/* The place of u in rising sums from 0 to 1, and how far on it lies towards the next. The guide says for every
 * `count`th part of 1 where to begin, which leaves a step or two. */
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
    float along, below;
    const uint32_t w = sky->across, y = sums_find(sky->row, sky->row_guide, sky->down, v, &below);
    const uint32_t x = sums_find(sky->column + (size_t)y * (w + 1), sky->column_guide + (size_t)y * w, w, u, &along);
    *pdf = sky->chance[(size_t)y * w + x];
    const float z = sky->height_at[y] + below * (sky->height_at[y + 1] - sky->height_at[y]);
    const float r = sqrtf(f_max(0, 1 - z * z)), turned = ((float)x + along) / (float)w;
    float sine, cosine;
    f_turn(0.5f + sky->turn - turned, &sine, &cosine);
    *light = sky->width * sky->height == 1 ? v3_of(sky->pixel)
                                           : picture_at(sky, turned * (float)sky->width, row_of(sky, z));
    return (v3){r * cosine, r * sine, z};
}

v3 rill_heaven_draw_sun(const rill_heaven *sky, float u, float v)
{
    const float depth = u * sky->sun_depth, r = sqrtf(depth * (2 - depth));
    float sine, cosine;
    v3 s, t;
    f_turn(v, &sine, &cosine);
    v3_basis(sky->sun, &s, &t);
    return v3_along(v3_along(v3_scale(sky->sun, 1 - depth), r * cosine, s), r * sine, t);
}

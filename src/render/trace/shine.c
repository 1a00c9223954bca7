/* Drawing a place that shines: of the sky by its brightness, on the sun evenly,
 * on lamps by their power. */
#include "render/trace/path.h"

static bool lamp_draw(const rill_stage *stage, v3 p, float pick, float u, float v, rill_shine *shine)
{
    uint32_t low = 0, high = stage->lamp_count;
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        if (stage->lamp_sums[middle] <= pick) low = middle;
        else high = middle;
    }
    const rill_lamp *lamp = &stage->lamps[low];
    const float root = sqrtf(u), b = root * (1 - v), c = root * v;
    const v3 there = v3_along(v3_along(lamp->corner, b, lamp->side[0]), c, lamp->side[1]), way = v3_sub(there, p);
    const float square = v3_dot(way, way), far = sqrtf(square);
    if (!(square > 0)) return false;
    shine->l = v3_scale(way, 1 / far);
    const float cosine = -v3_dot(shine->l, lamp->normal);
    if (cosine <= 1e-6f) return false;
    shine->far = far * 0.9999f;
    shine->light = lamp->light;
    shine->pdf = rill_lamp_pdf(stage, lamp->light, far, cosine);
    return true;
}

bool rill_shine_draw(const rill_stage *stage, rill_shine_kind kind, v3 p, const float *u, rill_shine *shine)
{
    const rill_heaven *sky = &stage->heaven;
    shine->far = INFINITY;
    if (kind == RILL_SHINE_LAMPS) return lamp_draw(stage, p, u[0], u[1], u[2], shine);
    if (kind == RILL_SHINE_SKY) {
        shine->l = rill_heaven_draw(sky, u[1], u[2], &shine->light, &shine->pdf);
        return shine->pdf > 0;
    }
    shine->l = rill_heaven_draw_sun(sky, u[1], u[2]);
    shine->light = sky->sun_light;
    shine->pdf = rill_heaven_sun_pdf(sky);
    return true;
}

/* Drawing a place that shines: of the sky by its brightness, on the sun evenly,
 * on a lamp evenly over its area. Which lamp follows from what each would bring
 * if all of it were where its middle is, and a part that is even; with many of
 * them, from their power alone. */
#include "render/trace/path.h"

enum { LAMPS_WEIGHED = 16 };

/* What a lamp brings, about. Nothing exactly where all of it faces away. */
static float lamp_weight(const rill_lamp *lamp, const rill_receiver *to)
{
    const v3 way = v3_sub(lamp->middle, to->p);
    const float cosine = -v3_dot(way, lamp->normal), square = v3_dot(way, way);
    if (!(cosine > 0)) return 0;
    const float far = sqrtf(square), facing = v3_dot(to->facing, to->facing) > 0 ? v3_dot(way, to->facing) / far : 1;
    /* As seen from nearby, a lamp is not much more than its own size away at any place. */
    return lamp->power * cosine / (far * (square + lamp->area)) * (0.15f + f_max(0, facing));
}

static float lamp_weights(const rill_stage *stage, const rill_receiver *to, float *weight)
{
    float sum = 0;
    for (uint32_t i = 0; i < stage->lamp_count; i++) sum += weight[i] = lamp_weight(&stage->lamps[i], to);
    return sum;
}

/* Which lamp, and how likely it was. */
static uint32_t lamp_pick(const rill_stage *stage, const rill_receiver *to, float pick, float *chance)
{
    uint32_t low = 0, high = stage->lamp_count;
    if (high <= LAMPS_WEIGHED) {
        float weight[LAMPS_WEIGHED], sum = 0;
        const float all = lamp_weights(stage, to, weight);
        while (low + 1 < high && (sum += weight[low]) <= pick * all) low++;
        *chance = all > 0 ? weight[low] / all : 0;
        return low;
    }
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        if (stage->lamp_sums[middle] <= pick) low = middle;
        else high = middle;
    }
    *chance = stage->lamps[low].power / stage->lamp_power;
    return low;
}

float rill_lamp_pdf(const rill_stage *stage, const rill_receiver *to, uint32_t lamp, float far, float cosine)
{
    float chance = stage->lamps[lamp].power / stage->lamp_power;
    if (stage->lamp_count <= LAMPS_WEIGHED) {
        float weight[LAMPS_WEIGHED];
        const float all = lamp_weights(stage, to, weight);
        chance = all > 0 ? weight[lamp] / all : 0;
    }
    return chance / stage->lamps[lamp].area * far * far / cosine;
}

static bool lamp_draw(const rill_stage *stage, const rill_receiver *to, float pick, float u, float v, rill_shine *shine)
{
    float chance;
    const rill_lamp *lamp = &stage->lamps[lamp_pick(stage, to, pick, &chance)];
    const float root = sqrtf(u), b = root * (1 - v), c = root * v;
    const v3 there = v3_along(v3_along(lamp->corner, b, lamp->side[0]), c, lamp->side[1]), way = v3_sub(there, to->p);
    const float square = v3_dot(way, way), far = sqrtf(square);
    if (!(square > 0 && chance > 0)) return false;
    shine->l = v3_scale(way, 1 / far);
    const float cosine = -v3_dot(shine->l, lamp->normal);
    if (cosine <= 1e-6f) return false;
    shine->far = far * 0.9999f;
    shine->light = lamp->light;
    shine->pdf = chance / lamp->area * square / cosine;
    return true;
}

bool rill_shine_draw(const rill_stage *stage, rill_shine_kind kind, const rill_receiver *to, const float *u,
                     rill_shine *shine)
{
    const rill_heaven *sky = &stage->heaven;
    shine->far = INFINITY;
    if (kind == RILL_SHINE_LAMPS) return lamp_draw(stage, to, u[0], u[1], u[2], shine);
    if (kind == RILL_SHINE_SKY) {
        shine->l = rill_heaven_draw(sky, u[1], u[2], &shine->light, &shine->pdf);
        return shine->pdf > 0;
    }
    shine->l = rill_heaven_draw_sun(sky, u[1], u[2]);
    shine->light = sky->sun_light;
    shine->pdf = rill_heaven_sun_pdf(sky);
    return true;
}

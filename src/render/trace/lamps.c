/* Triangles that shine: listed with their power. */

#include "base/memory.h"
#include "render/trace/path.h"

static bool part_shines(const rill_stage *stage, const rill_part *part)
{
    const rill_matter *m = &stage->matter[part->material];
    return m->given.kind == RILL_MATERIAL_LIGHT && v3_luminance(m->emission) > 0;
}

static rill_lamp lamp_of(const rill_part *part, size_t triangle, v3 light)
{
    const uint32_t *t = part->triangle + 3 * triangle;
    const v3 a = v3_of(part->vertex + (size_t)part->lanes * t[0]), b = v3_of(part->vertex + (size_t)part->lanes * t[1]);
    const v3 c = v3_of(part->vertex + (size_t)part->lanes * t[2]);
    rill_lamp lamp = {.corner = a, .side = {v3_sub(b, a), v3_sub(c, a)}, .light = light};
    const v3 cross = v3_cross(lamp.side[0], lamp.side[1]);
    lamp.normal = v3_unit(cross);
    lamp.middle = v3_along(v3_along(a, 1.0f / 3, lamp.side[0]), 1.0f / 3, lamp.side[1]);
    lamp.area = 0.5f * sqrtf(v3_dot(cross, cross));
    lamp.power = lamp.area * v3_luminance(light);
    return lamp;
}

static rill_status lamps_list(rill_stage *stage, size_t count, rill_error *err)
{
    stage->lamps = rill_memory_alloc(count * sizeof *stage->lamps);
    stage->lamp_sums = rill_memory_alloc((count + 1) * sizeof *stage->lamp_sums);
    if (!stage->lamps || !stage->lamp_sums) return rill_memory_fail(err, count * sizeof *stage->lamps, "the lights");
    double power = 0;
    for (uint32_t p = 0; p < stage->part_count; p++) {
        rill_part *part = &stage->parts[p];
        part->lamp = stage->lamp_count;
        for (size_t i = 0; part_shines(stage, part) && i < part->count; i++) {
            const rill_lamp lamp = lamp_of(part, i, stage->matter[part->material].emission);
            power += (double)lamp.power;
            stage->lamps[stage->lamp_count++] = lamp;
            stage->lamp_sums[stage->lamp_count] = (float)power;
        }
    }
    for (uint32_t i = 1; i <= stage->lamp_count && power > 0; i++) stage->lamp_sums[i] /= (float)power;
    stage->lamp_sums[stage->lamp_count] = 1;
    stage->lamp_power = (float)power;
    return RILL_OK;
}

rill_status rill_lamps_make(rill_stage *stage, rill_error *err)
{
    size_t count = 0;
    for (uint32_t p = 0; p < stage->part_count; p++)
        if (part_shines(stage, &stage->parts[p])) count += stage->parts[p].count;
    if (count > INT32_MAX)
        return rill_fail(err, RILL_BAD_INPUT, "%zu triangles shine, more than the %d that can be numbered.", count,
                         INT32_MAX);
    rill_status status = count ? lamps_list(stage, count, err) : RILL_OK;
    stage->shines[RILL_SHINE_SUN] = rill_heaven_has_sun(&stage->heaven);
    stage->shines[RILL_SHINE_SKY] = stage->heaven.width > 0;
    stage->shines[RILL_SHINE_LAMPS] = stage->lamp_power > 0;
    return status;
}

/* Skies as they are asked for: defaults and checks. */
#include "base/vec3.h"
#include "render/trace/stage.h"

rill_sky rill_sky_default(rill_sky_kind kind)
{
    return (rill_sky){.kind = kind, .colour = {1, 1, 1}, .sun = {0.4, -0.5, 0.8}, .turbidity = 3, .sun_radius = 0.2666,
                      .ground = {0.3f, 0.3f, 0.3f}};
}

static rill_status map_check(const rill_sky *sky, rill_error *err)
{
    if (!sky->map || sky->map_width < 1 || sky->map_height < 1)
        return rill_fail(err, RILL_BAD_INPUT, "The sky is to be a map, and it is empty.");
    if (sky->map_width > 65536 || sky->map_height > 65536)
        return rill_fail(err, RILL_BAD_INPUT, "A map of %u by %u pixels is too large for a sky; use 65536 at most.",
                         sky->map_width, sky->map_height);
    const size_t count = 3 * (size_t)sky->map_width * sky->map_height;
    for (size_t i = 0; i < count; i++)
        if (!(sky->map[i] >= 0 && sky->map[i] < INFINITY))
            return rill_fail(err, RILL_BAD_INPUT, "The sky's map holds %g at pixel %zu; light is at or above 0.",
                             (double)sky->map[i], i / 3);
    return isfinite(sky->map_turn) ? RILL_OK
                                   : rill_fail(err, RILL_BAD_INPUT, "The sky's map is turned by no finite angle.");
}

static rill_status daylight_check(const rill_sky *sky, rill_error *err)
{
    const double length = rill_vec3_length(sky->sun);
    if (!(length > 0 && length < INFINITY))
        return rill_fail(err, RILL_BAD_INPUT, "The sun's direction has no length or is no number.");
    if (sky->sun.z < 0)
        return rill_fail(err, RILL_BAD_INPUT, "The sun stands below the horizon (z of its direction is %g).",
                         sky->sun.z);
    if (!(sky->turbidity >= 2 && sky->turbidity <= 10))
        return rill_fail(err, RILL_BAD_INPUT, "A turbidity of %g is outside of what the sky's model knows, 2 to 10.",
                         sky->turbidity);
    if (!(sky->sun_radius >= 0 && sky->sun_radius <= 45))
        return rill_fail(err, RILL_BAD_INPUT, "The sun's radius is %g degrees; it must lie between 0 and 45.",
                         sky->sun_radius);
    for (int k = 0; k < 3; k++)
        if (!(sky->ground[k] >= 0 && sky->ground[k] <= 1))
            return rill_fail(err, RILL_BAD_INPUT, "The land's colour has a part of %g; each must lie between 0 and 1.",
                             (double)sky->ground[k]);
    return RILL_OK;
}

rill_status rill_stage_set_sky(rill_stage *stage, const rill_sky *sky, rill_error *err)
{
    if (stage->closed) return rill_fail(err, RILL_BAD_INPUT, "The stage is committed already; its sky stays.");
    if (sky->kind < RILL_SKY_UNIFORM || sky->kind > RILL_SKY_MAP)
        return rill_fail(err, RILL_BAD_INPUT, "There is no kind of sky with the number %d.", (int)sky->kind);
    for (int k = 0; k < 3; k++)
        if (!(sky->colour[k] >= 0 && sky->colour[k] < INFINITY))
            return rill_fail(err, RILL_BAD_INPUT, "The sky's colour has a part of %g; light is at or above 0.",
                             (double)sky->colour[k]);
    rill_status status = RILL_OK;
    if (sky->kind == RILL_SKY_MAP) status = map_check(sky, err);
    if (sky->kind == RILL_SKY_PREETHAM) status = daylight_check(sky, err);
    if (status) return status;
    rill_heaven_free(&stage->heaven);
    status = rill_heaven_make(sky, &stage->heaven, err);
    if (status) rill_heaven_free(&stage->heaven);
    return status;
}

/* From pixels to rays: a thin lens, or a pinhole. */
#include "base/vec3.h"
#include "render/trace/trace.h"
#include "text/pi.h"

rill_camera rill_camera_default(void)
{
    return (rill_camera){.eye = {2, -3, 2}, .target = {0, 0, 0.5}, .up = {0, 0, 1}, .angle = 35};
}

static rill_vec3 cross(rill_vec3 a, rill_vec3 b)
{
    return (rill_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static bool is_within_reach(rill_vec3 a)
{
    return fmax(fmax(fabs(a.x), fabs(a.y)), fabs(a.z)) < (double)RILL_TRACE_REACH && rill_vec3_finite(a);
}

rill_status rill_lens_make(const rill_camera *c, uint32_t width, uint32_t height, rill_lens *lens, rill_error *err)
{
    if (!is_within_reach(c->eye) || !is_within_reach(c->target) || !is_within_reach(c->up))
        return rill_fail(err, RILL_BAD_INPUT, "The camera's eye, target or up is no number or beyond %g m.",
                         (double)RILL_TRACE_REACH);
    if (!(c->angle > 0 && c->angle < 180))
        return rill_fail(err, RILL_BAD_INPUT, "The camera's angle is %g degrees; it must lie between 0 and 180.",
                         c->angle);
    if (!(c->aperture >= 0 && c->aperture < (double)RILL_TRACE_REACH))
        return rill_fail(err, RILL_BAD_INPUT, "The camera's aperture is %g m; it must lie between 0 and %g m.",
                         c->aperture, (double)RILL_TRACE_REACH);
    if (!(c->focus >= 0 && c->focus < (double)RILL_TRACE_REACH))
        return rill_fail(err, RILL_BAD_INPUT, "The camera's focus is %g m away; it must lie between 0 and %g m.",
                         c->focus, (double)RILL_TRACE_REACH);
    const rill_vec3 way = rill_vec3_sub(c->target, c->eye);
    const double far = rill_vec3_length(way);
    if (!(far > 0)) return rill_fail(err, RILL_BAD_INPUT, "The camera's eye and target are the same place.");
    const rill_vec3 forward = rill_vec3_scale(way, 1 / far), side = cross(forward, c->up);
    const double length = rill_vec3_length(side);
    if (!(length > 1e-9 * rill_vec3_length(c->up)))
        return rill_fail(err, RILL_BAD_INPUT, "The camera looks straight along its up direction; choose another up.");
    const double half = tan(c->angle / 360 * RILL_PI);
    const rill_vec3 right = rill_vec3_scale(side, 1 / length), up = cross(right, forward);
    *lens = (rill_lens){.eye = v3_from(c->eye), .right = v3_from(rill_vec3_scale(right, half)),
                        .up = v3_from(rill_vec3_scale(up, half)), .forward = v3_from(forward),
                        .radius = (float)(c->aperture / 2), .focus = (float)(c->focus > 0 ? c->focus : far),
                        .width = (float)width, .height = (float)height};
    return RILL_OK;
}

/* From a square to a tent over -1 to 1. */
static float tent(float u)
{
    return u < 0.5f ? sqrtf(2 * u) - 1 : 1 - sqrtf(2 - 2 * u);
}

void rill_lens_ray(const rill_lens *lens, uint32_t x, uint32_t y, const float *u, v3 *origin, v3 *direction)
{
    const float scale = 2 / lens->height;
    const float across = ((float)x + 0.5f + tent(u[0])) * scale - lens->width / lens->height;
    const float above = 1 - ((float)y + 0.5f + tent(u[1])) * scale;
    const v3 through = v3_along(v3_along(lens->forward, across, lens->right), above, lens->up);
    *origin = lens->eye;
    *direction = v3_unit(through);
    if (lens->radius <= 0) return;
    const float r = lens->radius * sqrtf(u[2]);
    float sine, cosine;
    f_turn(u[3], &sine, &cosine);
    const v3 right = v3_unit(lens->right), up = v3_unit(lens->up);
    const v3 sharp = v3_along(lens->eye, lens->focus, through);
    *origin = v3_along(v3_along(lens->eye, r * cosine, right), r * sine, up);
    *direction = v3_unit(v3_sub(sharp, *origin));
}

/* Whether a light is seen, and through what. Light is led straight through
 * smooth boundaries of media, as if it kept its direction in air: below level
 * water this gives the true irradiance, since a ray that falls in at an angle a
 * has the angle sin(a) / n in a medium of index n, whatever lies between, so
 * that Fresnel's terms and the way through each layer (cos a / cos a_n of the
 * straight one) are known. Elsewhere it gives soft shadows without caustics. */
#include "render/trace/fresnel.h"
#include "render/trace/path.h"

/* A boundary between two media and the way to it through the first. */
static v3 boundary_pass(const rill_medium *near, const rill_medium *next, v3 colour, float cosine, float way)
{
    const float sine = f_max(0, 1 - cosine * cosine);
    const float c1 = sqrtf(f_max(1e-6f, 1 - sine / (near->index * near->index)));
    const float c2 = sqrtf(f_max(1e-6f, 1 - sine / (next->index * next->index)));
    const float passed = 1 - rill_fresnel_of(c1, c2, next->index / near->index);
    const v3 tinted = v3_scale(colour, passed);
    return near->absorbs ? v3_mul(tinted, rill_medium_pass(near, way * cosine / c1)) : tinted;
}

static bool blocked(const rill_stage *stage, v3 origin, v3 l, float far)
{
    struct RTCRayHit ray;
    struct RTCIntersectContext context;
    rill_ray_set(&ray, origin, l, far);
    rtcInitIntersectContext(&context);
    rtcOccluded1(stage->scene, &context, &ray.ray);
    return ray.ray.tfar < 0;
}

v3 rill_shadow_pass(const rill_tracer *tracer, v3 origin, v3 l, float far, rill_media media, bool *crossed,
                    rill_rays *rays)
{
    enum { BOUNDARIES_MOST = 64 };
    const rill_stage *stage = tracer->stage;
    const bool some_media = stage->media_count > 1;
    v3 passed = v3_all(1);
    float way = 0; /* since the last real boundary */
    *crossed = false;
    if (!some_media) {
        rays->shadow++;
        return blocked(stage, origin, l, far) ? v3_all(0) : passed;
    }
    for (int i = 0; i < BOUNDARIES_MOST; i++) {
        struct RTCRayHit ray;
        rill_ray_set(&ray, origin, l, far);
        rays->shadow++;
        if (!rill_ray_meets(stage, &ray)) {
            /* From here on there is nothing but the medium that the light is in too. */
            const rill_medium *medium = &stage->media[media.top];
            return medium->absorbs ? v3_mul(passed, rill_medium_pass(medium, way + far)) : passed;
        }
        if (!stage->matter[stage->parts[ray.hit.geomID].material].medium) return v3_all(0);
        rill_hit hit;
        rill_hit_take(stage, &ray, &hit);
        rill_media behind;
        const bool real = rill_media_cross(&media, hit.matter->medium, hit.front, stage->media, &behind);
        if (real && (tracer->caustics || hit.matter->alpha > 0)) return v3_all(0);
        way += ray.ray.tfar;
        if (real) {
            const float cosine = f_min(1, f_max(1e-3f, fabsf(v3_dot(l, hit.normal))));
            passed = v3_mul(passed, boundary_pass(&stage->media[media.top], &stage->media[behind.top],
                                                  hit.matter->colour, cosine, way));
            *crossed = true;
            way = 0;
        }
        media = behind;
        const v3 next = rill_hit_leave(&hit, l);
        far -= isfinite(far) ? v3_dot(v3_sub(next, origin), l) : 0;
        origin = next;
        if (far <= 0) return passed;
    }
    return v3_all(0);
}

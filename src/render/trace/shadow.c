/* Whether a light is seen, and through what. Light is led straight through
 * smooth boundaries of media, as if it kept its direction in air: below level
 * water this gives the true irradiance, since a ray that falls in at an angle a
 * has the angle sin(a) / n in a medium of index n, whatever lies between, so
 * that Fresnel's terms and the way through each layer (cos a / cos a_n of the
 * straight one) are known. Elsewhere it gives soft shadows without caustics.
 *
 * Particles have no side that the light's cosine belongs to. Radiance in the
 * medium is n^2 that in air and fills a solid angle of cos a / (n^2 cos a_n), so
 * they get cos a / cos a_n of the light, from the refracted direction. */
#include "render/trace/fresnel.h"
#include "render/trace/path.h"

/* The cosine in a medium of light that falls in from air at the cosine whose sine has this square. */
static float cosine_in(const rill_medium *medium, float sine)
{
    return sqrtf(f_max(1e-6f, 1 - sine / (medium->index * medium->index)));
}

/* A boundary between two media and the way to it through the first. */
static v3 boundary_pass(const rill_medium *near, const rill_medium *next, v3 colour, float cosine, float way)
{
    const float sine = f_max(0, 1 - cosine * cosine), c1 = cosine_in(near, sine), c2 = cosine_in(next, sine);
    const float passed = 1 - rill_fresnel_of(c1, c2, next->index / near->index);
    const v3 tinted = v3_scale(colour, passed);
    return near->absorbs ? v3_mul(tinted, rill_medium_pass(near, way * cosine / c1)) : tinted;
}

/* The last boundary on the light's way, which is met first. */
static void light_bend(rill_passage *p, const rill_medium *near, v3 normal, float cosine)
{
    const float c = cosine_in(near, f_max(0, 1 - cosine * cosine)), k = 1 / near->index;
    const v3 n = v3_dot(p->bent, normal) > 0 ? normal : v3_scale(normal, -1);
    p->squeeze = cosine / c;
    p->bent = v3_unit(v3_along(v3_scale(p->bent, k), c - k * cosine, n));
    p->crossed = true;
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

/* On the way to the light nothing is left but the medium that both are in. Who leaves the stage upwards out of one came
 * through a gap in its boundary, and loses nothing by that. */
static v3 rest_pass(const rill_medium *medium, v3 l, float way, float far)
{
    if (!medium->absorbs) return v3_all(1);
    return rill_medium_pass(medium, isfinite(far) || l.z <= 0 ? way + far : way);
}

rill_passage rill_shadow_pass(const rill_tracer *tracer, v3 origin, v3 l, float far, rill_media media, rill_rays *rays)
{
    enum { BOUNDARIES_MOST = 64 };
    const rill_stage *stage = tracer->stage;
    const rill_passage none = {.squeeze = 1};
    rill_passage p = {.share = v3_all(1), .bent = l, .squeeze = 1};
    float way = 0; /* since the last real boundary */
    if (stage->media_count == 1) {
        rays->shadow++;
        return blocked(stage, origin, l, far) ? none : p;
    }
    for (int i = 0; i < BOUNDARIES_MOST; i++) {
        struct RTCRayHit ray;
        rill_ray_set(&ray, origin, l, far);
        rays->shadow++;
        if (!rill_ray_meets(stage, &ray)) {
            p.share = v3_mul(p.share, rest_pass(&stage->media[media.top], l, way, far));
            return p;
        }
        if (!stage->matter[stage->parts[ray.hit.geomID].material].medium) return none;
        rill_hit hit;
        rill_hit_take(stage, &ray, &hit);
        rill_media behind;
        const bool real = rill_media_cross(&media, hit.matter->medium, hit.front, stage->media, &behind);
        if (real && (tracer->caustics || hit.matter->alpha > 0)) return none;
        way += ray.ray.tfar;
        if (real) {
            const float cosine = f_min(1, f_max(1e-3f, fabsf(v3_dot(l, hit.normal))));
            const rill_medium *near = &stage->media[media.top], *next = &stage->media[behind.top];
            p.share = v3_mul(p.share, boundary_pass(near, next, rill_hit_colour(&hit), cosine, way));
            if (!p.crossed) light_bend(&p, near, hit.normal, cosine);
            way = 0;
        }
        media = behind;
        const v3 next = rill_hit_leave(&hit, l);
        far -= isfinite(far) ? v3_dot(v3_sub(next, origin), l) : 0;
        origin = next;
        if (far <= 0) return p;
    }
    return none;
}

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

/* ---- what lies on the way ---- */

enum { BOUNDARIES_MOST = 64 };

/* The plane's normal will do: Embree gives it, and no vertex is read. */
typedef struct boundary {
    float t, u, v;
    uint32_t part, piece;
    v3 plane; /* of any length, outwards */
} boundary;

/* Embree hands this on to the filter below. */
typedef struct boundaries {
    struct RTCIntersectContext context;
    uint32_t count;
    boundary at[BOUNDARIES_MOST];
} boundaries;

/* Called for every boundary of a medium on the way, in no order: notes it, lets the ray pass. Too many are a wall. */
void rill_shadow_note(const struct RTCFilterFunctionNArguments *found)
{
    boundaries *list = (boundaries *)(void *)found->context;
    if (list->count == BOUNDARIES_MOST) return;
    const struct RTCHit *hit = (const struct RTCHit *)(const void *)found->hit;
    const float t = ((const struct RTCRay *)(const void *)found->ray)->tfar;
    found->valid[0] = 0;
    uint32_t i = list->count++;
    for (; i && list->at[i - 1].t > t; i--) list->at[i] = list->at[i - 1];
    list->at[i] = (boundary){t, hit->u, hit->v, hit->geomID, hit->primID, {hit->Ng_x, hit->Ng_y, hit->Ng_z}};
}

/* All boundaries up to there by one ray, in order; false where something that is not clear stands in the way. */
static bool boundaries_find(const rill_stage *stage, struct RTCRayHit *ray, boundaries *list)
{
    list->count = 0;
    rtcInitIntersectContext(&list->context);
    rtcOccluded1(stage->scene, &list->context, &ray->ray);
    return !(ray->ray.tfar < 0);
}

static v3 boundary_colour(const rill_stage *stage, struct RTCRayHit *ray, const boundary *b)
{
    const rill_part *part = &stage->parts[b->part];
    const rill_matter *matter = &stage->matter[part->material];
    if (matter->given.pattern == RILL_PATTERN_PLAIN && !part->colour) return matter->colour;
    rill_hit hit;
    ray->ray.tfar = b->t;
    ray->hit.u = b->u;
    ray->hit.v = b->v;
    ray->hit.geomID = b->part;
    ray->hit.primID = b->piece;
    rill_hit_take(stage, ray, &hit);
    return rill_hit_colour(&hit);
}

/* ---- together ---- */

/* After the last boundary nothing is left but the medium that the light is in too. Who leaves the stage upwards out of
 * one came through a gap in its boundary, and loses nothing by that. */
static v3 rest_pass(const rill_medium *medium, v3 l, float last, float far)
{
    if (!medium->absorbs || (isinf(far) && l.z > 0)) return v3_all(1);
    return rill_medium_pass(medium, far - last);
}

rill_passage rill_shadow_pass(const rill_tracer *tracer, v3 origin, v3 l, float far, rill_media media, rill_rays *rays)
{
    const rill_stage *stage = tracer->stage;
    const rill_passage none = {.squeeze = 1};
    rill_passage p = {.share = v3_all(1), .bent = l, .squeeze = 1};
    float last = 0; /* where the last real boundary was */
    boundaries list;
    struct RTCRayHit ray;
    rill_ray_set(&ray, origin, l, far);
    rays->shadow++;
    if (!boundaries_find(stage, &ray, &list)) return none;
    for (uint32_t i = 0; i < list.count; i++) {
        const boundary *at = &list.at[i];
        const rill_matter *matter = &stage->matter[stage->parts[at->part].material];
        const float side = v3_dot(l, at->plane);
        rill_media behind;
        const bool real = rill_media_cross(&media, matter->medium, side < 0, stage->media, &behind);
        if (real) {
            const rill_medium *near = &stage->media[media.top], *next = &stage->media[behind.top];
            if (tracer->caustics || rill_matter_alpha(matter, next->index / near->index) > 0) return none;
            const v3 normal = v3_unit(at->plane);
            const float cosine = f_min(1, f_max(1e-3f, fabsf(v3_dot(l, normal))));
            const v3 colour = boundary_colour(stage, &ray, at);
            p.share = v3_mul(p.share, boundary_pass(near, next, colour, cosine, at->t - last));
            if (!p.crossed) light_bend(&p, near, normal, cosine);
            last = at->t;
        }
        media = behind;
    }
    p.share = v3_mul(p.share, rest_pass(&stage->media[media.top], l, last, far));
    return p;
}

/* Where a ray met the stage. */
#ifndef RILL_RENDER_TRACE_HIT_H
#define RILL_RENDER_TRACE_HIT_H

#include "render/trace/stage.h"

typedef struct rill_hit {
    v3 p;
    v3 plane;  /* the true normal, outwards */
    v3 normal; /* for shading, outwards */
    const rill_matter *matter;
    const rill_part *part;
    uint32_t piece;
    float u, v;
    float slack; /* m: rounding may have put p this far off the surface */
    bool front;  /* the ray came from outside */
} rill_hit;

/* What Embree found, in full; only where it found something. */
void rill_hit_take(const rill_stage *stage, const struct RTCRayHit *found, rill_hit *hit);

/* Has the processor bring what rill_hit_take will read: first which vertices, then those. */
static inline void rill_hit_fetch(const rill_stage *stage, const struct RTCRayHit *found)
{
    const rill_part *part = &stage->parts[found->hit.geomID];
    if (part->spheres) __builtin_prefetch(part->vertex + 4 * (size_t)found->hit.primID);
    else __builtin_prefetch(part->triangle + 3 * (size_t)found->hit.primID);
}

static inline void rill_hit_fetch_vertices(const rill_stage *stage, const struct RTCRayHit *found)
{
    const rill_part *part = &stage->parts[found->hit.geomID];
    if (part->spheres) return;
    const uint32_t *t = part->triangle + 3 * (size_t)found->hit.primID;
    for (int k = 0; k < 3; k++) __builtin_prefetch(part->vertex + (size_t)part->lanes * t[k]);
}

/* The material's colour there: pattern and vertices included. */
v3 rill_hit_colour(const rill_hit *hit);

/* Where a ray that goes on from there in this direction begins: off the surface, on the side it goes to. */
static inline v3 rill_hit_leave(const rill_hit *hit, v3 direction)
{
    return v3_along(hit->p, v3_dot(direction, hit->plane) > 0 ? hit->slack : -hit->slack, hit->plane);
}

/* Field by field: a ray put together elsewhere and copied would wait for its own stores. */
static inline void rill_ray_set(struct RTCRayHit *r, v3 origin, v3 direction, float length)
{
    r->ray.org_x = origin.x;
    r->ray.org_y = origin.y;
    r->ray.org_z = origin.z;
    r->ray.tnear = 0;
    r->ray.dir_x = direction.x;
    r->ray.dir_y = direction.y;
    r->ray.dir_z = direction.z;
    r->ray.time = 0;
    r->ray.tfar = length;
    r->ray.mask = UINT32_MAX;
    r->ray.id = 0;
    r->ray.flags = 0;
    r->hit.geomID = RTC_INVALID_GEOMETRY_ID;
    r->hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
}

/* Whether anything lies along the ray; false at once in an empty stage. */
static inline bool rill_ray_meets(const rill_stage *stage, struct RTCRayHit *ray)
{
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1(stage->scene, &context, ray);
    return ray->hit.geomID != RTC_INVALID_GEOMETRY_ID;
}

#endif

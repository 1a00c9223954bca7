/* What media a place is in, by following a ray out of the stage. */
#include "render/trace/path.h"

rill_media rill_media_at(const rill_stage *stage, v3 place)
{
    enum { BOUNDARIES_MOST = 4096 };
    const v3 d = v3_unit((v3){0.0731f, 0.0419f, 1});
    rill_media inside = {0}, passed = {0};
    for (int i = 0; i < BOUNDARIES_MOST; i++) {
        struct RTCRayHit ray;
        rill_ray_set(&ray, place, d, INFINITY);
        if (!rill_ray_meets(stage, &ray)) break;
        rill_hit hit;
        rill_hit_take(stage, &ray, &hit);
        const uint16_t medium = hit.matter->medium;
        if (medium && hit.front) {
            rill_media_enter(&passed, medium, stage->media);
        } else if (medium && !rill_media_leave(&passed, medium, stage->media)) {
            rill_media_enter(&inside, medium, stage->media);
        }
        place = rill_hit_leave(&hit, d);
    }
    return inside;
}

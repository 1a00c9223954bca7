/* A stage made ready for rays: Embree's tree over all parts, and what a ray
 * needs to know of where it hit. */
#ifndef RILL_RENDER_TRACE_STAGE_H
#define RILL_RENDER_TRACE_STAGE_H

#include <embree3/rtcore.h>

#include "render/trace/bsdf.h"
#include "render/trace/medium.h"
#include "render/trace/sampler.h"
#include "render/trace/sky.h"

/* Embree ends the program where a ray starts beyond 1.8e18 m. */
_Static_assert((int64_t)RILL_TRACE_REACH < (int64_t)1e18f, "rays start within Embree's reach");

/* A material and what was worked out for it. */
typedef struct rill_matter {
    rill_material given; /* its texture is a copy */
    v3 colour, second, emission;
    float alpha;
    uint16_t medium;      /* that it bounds; 0: none */
    rill_albedo **albedo; /* by medium on the other side, twice: seen from outside, from inside. NULL: not needed */
} rill_matter;

/* How rough a boundary is to light that passes it: between equal indices there is nothing to bend it. */
static inline float rill_matter_alpha(const rill_matter *m, float eta)
{
    return fabsf(eta - 1) < 1e-4f ? 0 : m->alpha;
}

/* Triangles or spheres that were added together; Embree knows them by their place among the parts. */
typedef struct rill_part {
    uint32_t material;
    bool spheres;
    size_t vertex_count, count;
    float *vertex; /* `lanes` floats each: x, y, z, then the radius of a sphere or nothing, then the normal where it has
                      one, so that a hit touches few lines of the cache */
    uint32_t lanes;
    float *uv, *colour;
    uint32_t *triangle;
    uint32_t lamp; /* the first of its triangles among the lamps, where they shine */
} rill_part;

/* A triangle that shines. */
typedef struct rill_lamp {
    v3 corner, side[2], normal, middle;
    v3 light;
    float area, power; /* luminance times area */
} rill_lamp;

struct rill_stage {
    RTCDevice device;
    RTCScene scene;
    bool closed;    /* committing began; what failed on the way is not tried again */
    bool committed;
    rill_matter *matter;
    rill_part *parts;
    rill_medium *media; /* of dielectrics, after air */
    rill_lamp *lamps;
    float *lamp_sums;     /* of the lamps' power, from 0 to 1 */
    float lamp_power;     /* all of it */
    uint32_t matter_count, part_count, media_count, lamp_count;
    rill_heaven heaven;
    bool shines[3]; /* by rill_shine_kind */
    rill_sobol sobol;
};

/* Lists the lamps and settles how often each kind of light is drawn (lamps.c). */
rill_status rill_lamps_make(rill_stage *stage, rill_error *err);

/* Media and albedos of all materials (matter.c). */
rill_status rill_matter_ready(rill_stage *stage, rill_error *err);
rill_status rill_matter_check(const rill_material *material, rill_error *err);
void rill_matter_free(rill_matter *matter, uint32_t media_count);

/* What Embree calls for boundaries of media on the way to a light (shadow.c). */
void rill_shadow_note(const struct RTCFilterFunctionNArguments *found);

#endif

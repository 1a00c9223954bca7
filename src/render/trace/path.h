/* One path from the camera through the stage, and the light it brings back. */
#ifndef RILL_RENDER_TRACE_PATH_H
#define RILL_RENDER_TRACE_PATH_H

#include "render/trace/hit.h"

/* Where light comes from, for tests: both ways of finding it weighed against each other, or one alone. */
typedef enum rill_strategy { RILL_STRATEGY_BOTH, RILL_STRATEGY_LAMPS, RILL_STRATEGY_CHANCE } rill_strategy;

typedef struct rill_rays {
    uint64_t camera, bounce, shadow;
} rill_rays;

/* Takes note of every camera and bounce ray, for measuring. */
typedef struct rill_ray_log {
    struct RTCRay *rays;
    size_t count, room;
} rill_ray_log;

typedef struct rill_tracer {
    const rill_stage *stage;
    uint32_t depth;
    bool caustics;
    float clamp; /* 0: none */
    rill_strategy strategy;
    rill_media eye; /* what the camera stands in */
    rill_ray_log *log; /* NULL: none; only with one thread */
} rill_tracer;

/* The media at a place, by counting boundaries on the way out. */
rill_media rill_media_at(const rill_stage *stage, v3 place);

enum { RILL_PATHS_MOST = 16 };

typedef struct rill_path {
    rill_sampler sampler;
    v3 origin, direction;
    rill_draw choices; /* numbers of the camera's group, */
    uint32_t chosen;   /* of which so many were used */
    v3 light; /* radiance that arrives at the origin from the direction: the answer */
} rill_path;

/* Follows up to RILL_PATHS_MOST paths; each is as if it were alone. */
void rill_paths_trace(const rill_tracer *tracer, rill_path *paths, uint32_t count, rill_rays *rays);

/* ---- light drawn from lamps and sky (shine.c) ---- */

typedef enum rill_shine_kind { RILL_SHINE_SUN, RILL_SHINE_SKY, RILL_SHINE_LAMPS, RILL_SHINE_KINDS } rill_shine_kind;

typedef struct rill_shine {
    v3 l;      /* towards it */
    float far; /* m */
    v3 light;  /* radiance */
    float pdf; /* per solid angle */
} rill_shine;
/* Where light falls on something that faces this way; a way of zero: to all sides. */
typedef struct rill_receiver {
    v3 p, facing;
} rill_receiver;
bool rill_shine_draw(const rill_stage *stage, rill_shine_kind kind, const rill_receiver *to, const float *u,
                     rill_shine *shine);

/* How likely a place on a lamp would be drawn from the receiver, which sees it at this distance and cosine. */
float rill_lamp_pdf(const rill_stage *stage, const rill_receiver *to, uint32_t lamp, float far, float cosine);

/* What becomes of light on its way from there. (shadow.c) */
typedef struct rill_passage {
    v3 share;      /* that gets through */
    bool crossed;  /* it passed a real boundary */
    v3 bent;       /* where it arrives from, refracted by the last of them */
    float squeeze; /* light that arrives over that which would without boundaries, the share left aside */
} rill_passage;

/* Starting in these media. */
rill_passage rill_shadow_pass(const rill_tracer *tracer, v3 origin, v3 l, float far, rill_media media, rill_rays *rays);

#endif

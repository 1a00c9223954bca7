/* The media a path is in. Several may overlap (water a little into glass): the
 * one with the highest priority is there, and a boundary is real only where
 * that one changes (Schmidt and Budge 2002). Air, outside of all, is number 0. */
#ifndef RILL_RENDER_TRACE_MEDIUM_H
#define RILL_RENDER_TRACE_MEDIUM_H

#include "render/trace/vec.h"

typedef struct rill_medium {
    float index;
    v3 absorption, scattering, extinction; /* the last is their sum */
    float forward;
    bool absorbs, scatters;
    int rank; /* by priority, then by number; air is lowest */
} rill_medium;

enum { RILL_MEDIA_MOST = 8 };

typedef struct rill_media {
    uint16_t top; /* what is there */
    uint16_t count;
    struct {
        uint16_t medium, times; /* spheres of one medium may overlap: inside two of them, it is left twice */
    } in[RILL_MEDIA_MOST];
} rill_media;

static inline void rill_media_order(rill_media *list, const rill_medium *media)
{
    list->top = 0;
    for (int i = 0; i < list->count; i++)
        if (media[list->in[i].medium].rank > media[list->top].rank) list->top = list->in[i].medium;
}

static inline void rill_media_enter(rill_media *list, uint16_t medium, const rill_medium *media)
{
    int i = 0;
    while (i < list->count && list->in[i].medium != medium) i++;
    if (i == RILL_MEDIA_MOST) return;
    if (i == list->count) {
        list->in[i].medium = medium;
        list->in[i].times = 0;
        list->count++;
    }
    list->in[i].times++;
    rill_media_order(list, media);
}

/* False where the medium was not entered before. */
static inline bool rill_media_leave(rill_media *list, uint16_t medium, const rill_medium *media)
{
    int i = 0;
    while (i < list->count && list->in[i].medium != medium) i++;
    if (i == list->count) return false;
    if (--list->in[i].times == 0) list->in[i] = list->in[--list->count];
    rill_media_order(list, media);
    return true;
}

/* The media on both sides of a boundary that a path meets: in front of it, the list as it is; behind, as it would be.
 * Who leaves a medium that it never entered (a sheet without an end, a gap in a mesh) was inside all along. Returns
 * whether anything changes there. */
static inline bool rill_media_cross(rill_media *front, uint16_t medium, bool entering, const rill_medium *media,
                                    rill_media *behind)
{
    if (!entering) {
        int i = 0;
        while (i < front->count && front->in[i].medium != medium) i++;
        if (i == front->count) rill_media_enter(front, medium, media);
    }
    *behind = *front;
    if (entering) rill_media_enter(behind, medium, media);
    else rill_media_leave(behind, medium, media);
    return behind->top != front->top;
}

/* Beer-Lambert: the share left after a way that may have no end. */
static inline v3 rill_medium_pass(const rill_medium *medium, float length)
{
    const v3 k = medium->extinction;
    return (v3){k.x > 0 ? expf(-k.x * length) : 1, k.y > 0 ? expf(-k.y * length) : 1,
                k.z > 0 ? expf(-k.z * length) : 1};
}

/* Henyey and Greenstein: cosine between the ways before and after. */
static inline float rill_phase_at(float g, float cosine)
{
    const float k = 1 + g * g - 2 * g * cosine;
    return (1 - g * g) / (4 * RILL_PI_F * k * sqrtf(f_max(k, 1e-12f)));
}

static inline v3 rill_phase_draw(float g, float u, float v)
{
    const float s = fabsf(g) < 1e-3f ? 0 : (1 - g * g) / (1 - g + 2 * g * u);
    const float z = fabsf(g) < 1e-3f ? 1 - 2 * u : (1 + g * g - s * s) / (2 * g), r = sqrtf(f_max(0, 1 - z * z));
    float sine, cosine;
    f_turn(v, &sine, &cosine);
    return (v3){r * cosine, r * sine, z};
}

#endif

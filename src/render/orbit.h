/* Where the camera stands in each frame of a film. */
#ifndef RILL_RENDER_ORBIT_H
#define RILL_RENDER_ORBIT_H

#include "render/view.h"
#include "rill/render.h"

typedef enum rill_orbit_kind {
    RILL_ORBIT_FIXED,  /* the whole scene, from one place */
    RILL_ORBIT_ROUND,  /* once around the scene */
    RILL_ORBIT_FOLLOW, /* beside the liquid, wherever it goes */
    RILL_ORBIT_COUNT
} rill_orbit_kind;
const char *rill_orbit_name(rill_orbit_kind kind); /* NULL past the last */

enum { RILL_TRACK_MAX = 33 };

typedef struct rill_orbit {
    rill_orbit_kind kind;
    double azimuth, elevation; /* degrees */
    rill_bounds box;           /* what is to be seen; for one that follows, what is to be seen around the middle */
    uint32_t track_count;      /* where the middle of the liquid is at which time, in order */
    double time[RILL_TRACK_MAX];
    rill_vec3 middle[RILL_TRACK_MAX];
} rill_orbit;

/* The box that is in view at this time. */
rill_bounds rill_orbit_view(const rill_orbit *orbit, double time);

/* The camera of a picture that lies at this share (0 to 1) of a film and shows this time, in seconds. */
rill_camera rill_orbit_camera(const rill_orbit *orbit, double share, double time, uint32_t width, uint32_t height);

#endif

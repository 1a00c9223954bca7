/* The parts of a quick picture: what colour each particle takes, and what of
 * the scene is drawn around them. */
#ifndef RILL_RENDER_SHOT_PARTS_H
#define RILL_RENDER_SHOT_PARTS_H

#include "render/canvas.h"
#include "render/legend.h"
#include "rill/shot.h"
#include "rill/surface.h"

/* ---- colours ---- */

typedef struct rill_paint {
    rill_shot_colour colour;
    rill_palette palette;
    const rill_array *array; /* what the colour is read from */
    double low, high;
    uint32_t *fluid_colours;
    const char **fluid_names;
    uint32_t fluid_count;
    char *name_store;
} rill_paint;

/* Finds the array and the range. scene may be NULL. */
rill_status rill_paint_create(const rill_frame_file *frame, const rill_scene *scene, const rill_shot *shot,
                              rill_paint *paint, rill_error *err);
void rill_paint_free(rill_paint *paint);
uint32_t rill_paint_at(const rill_paint *paint, uint32_t particle);
/* Where a particle's value lies in the range, 0 to 1; not for fluids, which have no range. */
double rill_paint_share(const rill_paint *paint, uint32_t particle);

/* The value at a share (0 to 1) of the sorted values; sorts them. */
double rill_paint_quantile(double *values, size_t count, double share);

/* ---- what is drawn ---- */

typedef struct rill_stage_set {
    const rill_frame_file *frame;
    const rill_array *position;
    const rill_scene *scene;  /* may be NULL */
    rill_vec3 shift;          /* from the scene's coordinates to the frame's */
    const rill_mesh *surface; /* NULL: particles are drawn as spheres */
} rill_stage_set;

static inline rill_vec3 rill_set_particle(const rill_stage_set *set, uint32_t i)
{
    const float *p = (const float *)set->position->data + (size_t)i * set->position->stride;
    return (rill_vec3){(double)p[0], (double)p[1], (double)p[2]};
}

/* Particles nowhere, or ten million diameters away and more, are in no picture: nothing could be told apart there. */
bool rill_set_is_near(const rill_stage_set *set, rill_vec3 particle);
uint32_t rill_set_far_count(const rill_stage_set *set); /* how many are not */

/* Where a boundary stands in the frame, in the frame's coordinates; its own pose places it. */
rill_shape rill_set_boundary(const rill_stage_set *set, uint32_t boundary);
/* Whether a side of a container holds liquid in: it is neither open nor one through which the domain wraps around. */
bool rill_set_has_wall(const rill_scene *scene, uint32_t boundary, int axis, bool high);

/* Whether liquid is outside of a boundary: an obstacle, or a plane. */
bool rill_set_is_solid(const rill_scene *scene, uint32_t boundary);
/* The part of a surface without an end that is drawn, in the frame's coordinates. */
rill_bounds rill_set_clip(const rill_stage_set *set);

/* Widens bounds so that they hold a shape. */
void rill_set_add_shape(rill_bounds *bounds, const rill_shape *shape);

/* Containers, obstacles and nearly all particles: a few that flew far away do not shrink the picture. */
rill_status rill_set_bounds(const rill_stage_set *set, rill_bounds *bounds, rill_error *err);

/* Particles or their surface, and obstacles, and, where the camera stands above it, the floor of each container. */
void rill_set_draw(const rill_stage_set *set, const rill_paint *paint, rill_canvas *canvas, const rill_view *view,
                   bool floors);

/* The edges of the containers. */
void rill_set_wires(const rill_stage_set *set, const rill_canvas *canvas, const rill_view *view, double width,
                    float *light);

/* ---- the surface ---- */

/* The surface of the particles, with what its colour comes from at its vertices. */
rill_status rill_shot_surface_make(const rill_stage_set *set, const rill_paint *paint, rill_mesh *mesh,
                                   rill_error *err);
void rill_shot_surface_draw(const rill_mesh *mesh, const rill_paint *paint, rill_canvas *canvas, const rill_view *view);

#endif

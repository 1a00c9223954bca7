/* How much of an unbounded surface counts. */
#include "geom/clip.h"

#include <math.h>

static void widen(rill_bounds *b, const rill_bounds *by)
{
    *b = (rill_bounds){{fmin(b->low.x, by->low.x), fmin(b->low.y, by->low.y), fmin(b->low.z, by->low.z)},
                       {fmax(b->high.x, by->high.x), fmax(b->high.y, by->high.y), fmax(b->high.z, by->high.z)}};
}

static void widen_by_shape(rill_bounds *b, const rill_shape *shape)
{
    const rill_geometry *g = rill_geometry_of(shape);
    if (!g || g->unbounded) return;
    const rill_bounds own = rill_shape_bounds(shape);
    widen(b, &own);
}

static rill_bounds nothing(void)
{
    return (rill_bounds){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

rill_bounds rill_scene_clip(const rill_scene *scene)
{
    rill_bounds held = nothing(), all = nothing();
    for (uint32_t i = 0; i < scene->boundary_count; i++) {
        const rill_boundary *b = &scene->boundaries[i];
        widen_by_shape(&all, &b->shape);
        if (!b->solid) widen_by_shape(&held, &b->shape);
    }
    for (uint32_t i = 0; i < scene->fill_count; i++) widen_by_shape(&all, &scene->fills[i].shape);
    const bool open = held.low.x > held.high.x;
    rill_bounds clip = open ? all : held;
    if (clip.low.x > clip.high.x) clip = (rill_bounds){{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}};
    const rill_vec3 size = rill_vec3_sub(clip.high, clip.low);
    const double more = (open ? fmax(fmax(size.x, size.y), size.z) : 0) + scene->support * scene->particle_diameter;
    for (int a = 0; a < 3; a++) {
        const bool around = scene->periodic[a];
        rill_vec3_set(&clip.low, a,
                      around ? rill_vec3_get(&scene->domain_from, a) : rill_vec3_get(&clip.low, a) - more);
        rill_vec3_set(&clip.high, a,
                      around ? rill_vec3_get(&scene->domain_to, a) : rill_vec3_get(&clip.high, a) + more);
    }
    return clip;
}

rill_shape rill_shape_settled(const rill_shape *shape)
{
    if (!rill_geometry_of(shape)->unbounded || !shape->rotate.given) return *shape;
    const rill_pose pose = rill_shape_pose(shape);
    rill_shape settled = *shape;
    settled.center = rill_pose_place(&pose, shape->center);
    settled.normal = rill_pose_rotate(&pose, shape->normal);
    settled.rotate = (rill_rotate){0};
    return settled;
}

typedef struct extent {
    rill_vec3 way;
    double low, high;
} extent;

static void see_triangle(void *user, const rill_vec3 corner[3], const rill_vec3 normal[3])
{
    (void)normal;
    extent *e = user;
    for (int i = 0; i < 3; i++) {
        const double x = rill_vec3_dot(corner[i], e->way);
        e->low = fmin(e->low, x), e->high = fmax(e->high, x);
    }
}

void rill_clipped_extent(const rill_shape *shape, const rill_bounds *clip, rill_vec3 way, double *low, double *high)
{
    const rill_geometry *g = rill_geometry_of(shape);
    if (!g->unbounded) {
        rill_shape_extent(shape, way, low, high);
        return;
    }
    extent e = {way, INFINITY, -INFINITY};
    const rill_shape settled = rill_shape_settled(shape);
    g->triangles(&settled, clip, 0, see_triangle, &e);
    *low = e.low, *high = e.high;
}

/* What all geometries share: the list of them, and shapes as they stand in the scene. */
#include "geom/geometry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "text/pi.h"

const rill_geometry *rill_geometry_of(const rill_shape *shape)
{
    static const rill_geometry *const all[] = {
        [RILL_SHAPE_BOX] = &rill_geometry_box,           [RILL_SHAPE_SPHERE] = &rill_geometry_sphere,
        [RILL_SHAPE_CYLINDER] = &rill_geometry_cylinder, [RILL_SHAPE_CAPSULE] = &rill_geometry_capsule,
        [RILL_SHAPE_PLANE] = &rill_geometry_plane,
    };
    return (unsigned)shape->kind < sizeof all / sizeof *all ? all[shape->kind] : NULL;
}

rill_pose rill_shape_pose(const rill_shape *shape)
{
    const rill_rotate *r = &shape->rotate;
    if (!r->given) return (rill_pose){0};
    return rill_pose_about(r->axis, r->angle, r->about_given ? r->about : rill_geometry_of(shape)->centre(shape));
}

rill_shape rill_shape_posed(const rill_shape *shape, const rill_pose *pose)
{
    rill_shape posed = rill_shape_moved(shape, rill_vec3_sub(pose->position, pose->about));
    const double *q = pose->rotation;
    const rill_vec3 axis = {q[1], q[2], q[3]};
    const double sine = rill_vec3_length(axis);
    posed.rotate = (rill_rotate){0};
    if (sine > 0)
        posed.rotate = (rill_rotate){
            .given = 1, .about_given = 1, .axis = axis, .angle = 2 * atan2(sine, q[0]), .about = pose->position};
    return posed;
}

bool rill_shape_keeps_axis(const rill_shape *shape, int axis)
{
    const rill_vec3 about = rill_unit_vector(shape->rotate.axis);
    return !shape->rotate.given || fabs(rill_vec3_get(&about, axis)) == 1;
}

int rill_shape_describe(const rill_shape *shape, char *text, size_t size)
{
    const rill_geometry *g = rill_geometry_of(shape);
    const int length = g ? g->describe(shape, text, size) : snprintf(text, size, "no shape");
    const rill_rotate *r = &shape->rotate;
    if (!r->given || length < 0 || (size_t)length >= size) return length;
    return length + snprintf(text + length, size - (size_t)length, ", rotated by %g degrees about (%g, %g, %g)",
                             r->angle * 180 / RILL_PI, r->axis.x, r->axis.y, r->axis.z);
}

rill_shape rill_shape_moved(const rill_shape *shape, rill_vec3 by)
{
    rill_shape moved = *shape;
    moved.from = rill_vec3_add(shape->from, by);
    moved.to = rill_vec3_add(shape->to, by);
    moved.center = rill_vec3_add(shape->center, by);
    return moved;
}

rill_shape rill_shape_snapped(const rill_shape *shape, double length)
{
    rill_shape snapped = *shape;
    for (int a = 0; a < 3 && rill_geometry_of(shape)->sided; a++) {
        const double from = rill_vec3_get(&shape->from, a), size = rill_vec3_get(&shape->to, a) - from;
        rill_vec3_set(&snapped.to, a, from + length * rill_count_along(size, length));
    }
    return snapped;
}

rill_vec3 rill_shape_anchor(const rill_shape *shape)
{
    rill_vec3 anchor;
    memcpy(&anchor, (const char *)shape + rill_geometry_of(shape)->anchor, sizeof anchor);
    return anchor;
}

rill_bounds rill_placed_bounds(const rill_shape *shape, const rill_pose *pose)
{
    const rill_geometry *g = rill_geometry_of(shape);
    if (!pose->turned) return g->bounds(shape);
    const rill_vec3 middle = rill_pose_place(pose, g->centre(shape));
    rill_bounds b;
    for (int a = 0; a < 3; a++) {
        const rill_vec3 way = {a == 0, a == 1, a == 2}, back = {-way.x, -way.y, -way.z};
        const double x = rill_vec3_get(&middle, a);
        rill_vec3_set(&b.high, a, x + g->reach(shape, rill_pose_unrotate(pose, way)));
        rill_vec3_set(&b.low, a, x - g->reach(shape, rill_pose_unrotate(pose, back)));
    }
    return b;
}

rill_bounds rill_shape_bounds(const rill_shape *shape)
{
    const rill_pose pose = rill_shape_pose(shape);
    return rill_placed_bounds(shape, &pose);
}

void rill_shape_extent(const rill_shape *shape, rill_vec3 way, double *low, double *high)
{
    const rill_geometry *g = rill_geometry_of(shape);
    const rill_pose pose = rill_shape_pose(shape);
    const rill_vec3 own = rill_pose_unrotate(&pose, way);
    const double middle = rill_vec3_dot(rill_pose_place(&pose, g->centre(shape)), way);
    *high = middle + g->reach(shape, own);
    *low = middle - g->reach(shape, rill_vec3_scale(own, -1));
}

void rill_stop_at(rill_stop *stop, rill_vec3 normal, int side)
{
    stop->normal[stop->count] = normal;
    stop->side[stop->count++] = side;
}

/* A shape that is convex lies behind the plane that touches it where a path enters, and the path begins before it. So
 * a point that is put before that plane never comes through, however thin the shape is. */
void rill_keep_out_by(const rill_path *path, rill_entry *entry, rill_stop *stop)
{
    const rill_geometry *g = rill_geometry_of(path->shape);
    const rill_vec3 moved = rill_vec3_sub(g->centre(path->shape), g->centre(path->before));
    const rill_vec3 start = rill_vec3_add(path->from, moved);
    const rill_nearest end = g->nearest(path->shape, path->to);
    const double share = entry(path->shape, start, path->to);
    const bool passed = share <= 1;
    if (!passed && end.distance >= path->margin) return;
    rill_nearest face = end;
    rill_vec3 on = rill_vec3_sub(path->to, rill_vec3_scale(end.normal, end.distance));
    if (passed) {
        /* What begins near the surface stays on its side of it. */
        face = g->nearest(path->shape, start);
        on = rill_vec3_sub(start, rill_vec3_scale(face.normal, face.distance));
        if (face.distance >= path->margin) {
            on = rill_vec3_add(start, rill_vec3_scale(rill_vec3_sub(path->to, start), share));
            face = g->nearest(path->shape, on);
        }
    }
    const double before = rill_vec3_dot(rill_vec3_sub(path->to, on), face.normal);
    /* What begins inside may leave. */
    if (passed && before >= path->margin && end.distance >= path->margin) return;
    stop->contact = passed ? RILL_CONTACT_PASSED : RILL_CONTACT_TOUCH;
    stop->at = rill_vec3_add(path->to, rill_vec3_scale(face.normal, path->margin - before));
    rill_stop_at(stop, face.normal, -1);
}

/* Which part of a push comes from a part of a surface. */
#include "physics/boundary/patch.h"

/* A point of the surface with its normal there, in the scene. A side of the box that lies along the surface need not
 * touch it: sides of tanks are rounded to whole diameters. Otherwise its low sides belong to a patch and its high sides
 * do not, so that patches side by side have each point once. */
static bool holds(const rill_patch *patch, rill_vec3 on, rill_vec3 normal)
{
    for (int a = 0; a < 3; a++) {
        const double x = rill_vec3_get(&on, a), along = fabs(rill_vec3_get(&normal, a));
        const double slack = patch->diameter * (along > 0.99 ? 1 : 1e-3 * along);
        if (!(x >= rill_vec3_get(&patch->from, a) - slack && x < rill_vec3_get(&patch->to, a) + slack)) return false;
    }
    return true;
}

/* A side of a box that holds liquid. */
static bool holds_side(const rill_patch *patch, const rill_body *body, rill_vec3 own, int axis, bool high)
{
    rill_vec3 normal = {0, 0, 0};
    rill_vec3_set(&own, axis, rill_vec3_get(high ? &body->shape.to : &body->shape.from, axis));
    rill_vec3_set(&normal, axis, 1);
    return holds(patch, rill_pose_place(&body->pose, own), rill_pose_rotate(&body->pose, normal));
}

/* The part along one axis of the box comes from the side that it points away from, if that is near, else from the
 * opposite one. False: neither is. */
static bool side_of(const rill_patch *patch, const rill_body *body, rill_vec3 own, int axis, bool from_high, bool *high)
{
    for (int k = 0; k < 2; k++) {
        *high = from_high != (k == 1);
        const double face = rill_vec3_get(*high ? &body->shape.to : &body->shape.from, axis);
        const bool open = body->periodic[axis] || (body->open >> (2 * axis + *high) & 1);
        if (!open && fabs(face - rill_vec3_get(&own, axis)) <= patch->reach) return true;
    }
    return false;
}

/* By sides. What lies along an axis without a side nearby goes with the nearest side that there is. */
static rill_vec3 part_by_sides(const rill_patch *patch, const rill_body *body, rill_vec3 own, rill_vec3 given)
{
    rill_vec3 part = {0, 0, 0};
    bool near[3], in[3] = {false, false, false};
    int nearest = -1;
    double least = INFINITY;
    for (int a = 0; a < 3; a++) {
        bool high = false;
        near[a] = side_of(patch, body, own, a, rill_vec3_get(&given, a) < 0, &high);
        if (!near[a]) continue;
        const double face = rill_vec3_get(high ? &body->shape.to : &body->shape.from, a);
        const double distance = fabs(face - rill_vec3_get(&own, a));
        in[a] = holds_side(patch, body, own, a, high);
        if (distance < least) least = distance, nearest = a;
    }
    for (int a = 0; a < 3 && nearest >= 0; a++)
        if (in[near[a] ? a : nearest]) rill_vec3_set(&part, a, rill_vec3_get(&given, a));
    return part;
}

rill_vec3 rill_patch_part(const rill_patch *patch, const rill_body *body, rill_vec3 at, rill_vec3 given)
{
    const rill_geometry *g = rill_geometry_of(&body->shape);
    const rill_pose *pose = &body->pose;
    if (g->sided && !body->solid)
        return rill_pose_rotate(pose, part_by_sides(patch, body, rill_pose_own(pose, at),
                                                    rill_pose_unrotate(pose, given)));
    rill_vec3 image = {0, 0, 0};
    if (body->solid) image = rill_body_image(body, &body->shape, pose, at);
    const rill_nearest near = g->nearest(&body->shape, rill_pose_own(pose, rill_vec3_add(at, image)));
    const rill_vec3 normal = rill_pose_rotate(pose, near.normal);
    const bool in = holds(patch, rill_vec3_sub(at, rill_vec3_scale(normal, near.distance)), normal);
    return in ? given : (rill_vec3){0, 0, 0};
}

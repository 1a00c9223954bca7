/* What holds the liquid and what stands in it: walls of glass, obstacles. */
#include <math.h>

#include "geom/geometry.h"
#include "render/set_parts.h"

static rill_status box_add(rill_set_work *work, const rill_pose *pose, rill_vec3 from, rill_vec3 to, uint32_t material,
                           rill_error *err)
{
    /* Two triangles a side, counter-clockwise seen from outside; corner i has bit k set where axis k is high. */
    static const uint32_t triangles[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                         2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    float corners[24];
    for (int i = 0; i < 8; i++) {
        const rill_vec3 own = {i & 1 ? to.x : from.x, i & 2 ? to.y : from.y, i & 4 ? to.z : from.z};
        const rill_vec3 at = rill_pose_place(pose, own);
        for (int k = 0; k < 3; k++) corners[3 * i + k] = (float)rill_vec3_get(&at, k);
    }
    const rill_triangles box = {
        .vertex_count = 8, .triangle_count = 12, .position = corners, .triangle = triangles};
    return rill_stage_add_triangles(work->stage, &box, material, err);
}

/* ---- the tank ---- */

/* A pane of glass for each upright wall, standing on the ground; at a corner both run on through it. Of two faces in
 * one plane a ray would find only one and lose count of the panes it is in, so the panes end a hair apart. The lid is
 * left off: it would show nothing but the sky. A rotated tank stands on nothing and has a pane for its floor. */
static rill_status panes_add(rill_set_work *work, uint32_t boundary, const rill_shape *box, uint32_t glass,
                             rill_error *err)
{
    const double hair = 0.01 * work->glass;
    const bool upright = !box->rotate.given;
    const rill_pose pose = rill_shape_pose(box);
    rill_status status = RILL_OK;
    for (int side = 0; side < 4 && !status; side++) {
        const int axis = side / 2, other = 1 - axis;
        if (!rill_set_has_wall(work->set.scene, boundary, axis, side & 1)) continue;
        rill_vec3 from = box->from, to = box->to;
        if (upright) from.z = fmin(from.z, work->ground) - 0.5 * work->glass - axis * hair;
        else from.z -= axis * hair;
        to.z += axis * hair;
        const double at = rill_vec3_get(side & 1 ? &box->to : &box->from, axis);
        rill_vec3_set(&from, axis, side & 1 ? at : at - work->glass);
        rill_vec3_set(&to, axis, side & 1 ? at + work->glass : at);
        for (int end = 0; end < 2; end++) {
            if (!rill_set_has_wall(work->set.scene, boundary, other, end)) continue;
            rill_vec3 *corner = end ? &to : &from;
            rill_vec3_set(corner, other, rill_vec3_get(corner, other) + (end ? 1 : -1) * (work->glass - hair));
        }
        status = box_add(work, &pose, from, to, glass, err);
    }
    if (status || upright || !rill_set_has_wall(work->set.scene, boundary, 2, false)) return status;
    const rill_vec3 wide = {work->glass - 2 * hair, work->glass - 2 * hair, 0};
    rill_vec3 from = rill_vec3_sub(box->from, wide), to = rill_vec3_add(box->to, wide);
    to.z = box->from.z + 0.5 * hair;
    from.z = box->from.z - work->glass;
    return box_add(work, &pose, from, to, glass, err);
}

/* ---- shapes as triangles ---- */

typedef struct mesh {
    rill_pose pose;
    float *position, *normal;
    uint32_t *triangle;
    size_t count; /* of triangles; without arrays they are only counted */
    bool inwards; /* the inside of a shell */
} mesh;

static void mesh_take(void *user, const rill_vec3 corner[3], const rill_vec3 normal[3])
{
    mesh *m = user;
    const size_t first = 3 * m->count++;
    for (size_t i = 0; i < 3 && m->position; i++) {
        const size_t from = m->inwards ? 2 - i : i;
        const rill_vec3 at = rill_pose_place(&m->pose, corner[from]), n = rill_pose_rotate(&m->pose, normal[from]);
        for (size_t k = 0; k < 3; k++) {
            const double way = rill_vec3_get(&n, (int)k);
            m->position[3 * (first + i) + k] = (float)rill_vec3_get(&at, (int)k);
            m->normal[3 * (first + i) + k] = (float)(m->inwards ? -way : way);
        }
        m->triangle[first + i] = (uint32_t)(first + i);
    }
}

/* The surface of a shape; one that faces inwards is the inside of a shell. */
static rill_status surface_add(rill_set_work *work, const rill_shape *shape, bool inwards, uint32_t material,
                               rill_error *err)
{
    enum { FINENESS = 192 };
    const rill_geometry *g = rill_geometry_of(shape);
    const rill_bounds clip = rill_set_clip(&work->set);
    mesh m = {.pose = rill_shape_pose(shape), .inwards = inwards};
    g->triangles(shape, &clip, FINENESS, mesh_take, &m);
    const size_t count = m.count;
    m.position = rill_malloc(9 * count * sizeof *m.position + 1);
    m.normal = rill_malloc(9 * count * sizeof *m.normal + 1);
    m.triangle = rill_malloc(3 * count * sizeof *m.triangle + 1);
    m.count = 0;
    rill_status status = m.position && m.normal && m.triangle ? RILL_OK : RILL_NO_MEMORY;
    if (status) rill_fail(err, status, "There is no memory left to build the picture.");
    else g->triangles(shape, &clip, FINENESS, mesh_take, &m);
    const rill_triangles all = {.vertex_count = 3 * count, .triangle_count = count, .position = m.position,
                                .normal = m.normal, .triangle = m.triangle};
    if (!status && count) status = rill_stage_add_triangles(work->stage, &all, material, err);
    rill_free(m.position);
    rill_free(m.normal);
    rill_free(m.triangle);
    return status;
}

static rill_status tank_add(rill_set_work *work, uint32_t boundary, uint32_t glass, rill_error *err)
{
    const rill_shape shape = rill_set_boundary(&work->set, boundary);
    const rill_geometry *g = rill_geometry_of(&shape);
    if (g->sided) return panes_add(work, boundary, &shape, glass, err);
    const rill_shape outside = g->grown(&shape, work->glass);
    const rill_status status = surface_add(work, &shape, true, glass, err);
    return status ? status : surface_add(work, &outside, false, glass, err);
}

/* Sides through which the domain wraps around hold nothing, and what is left of such a tank would only hide it. */
bool rill_set_is_tank(const rill_scene *scene, uint32_t boundary)
{
    return !rill_set_is_solid(scene, boundary) && !scene->periodic[0] && !scene->periodic[1];
}

static rill_status tanks_add(rill_set_work *work, rill_error *err)
{
    uint32_t glass = 0;
    const rill_material material = rill_look_glass(work->size);
    rill_status status = rill_stage_add_material(work->stage, &material, &glass, err);
    for (uint32_t i = 0; i < work->set.scene->boundary_count && !status; i++)
        if (rill_set_is_tank(work->set.scene, i)) status = tank_add(work, i, glass, err);
    return status;
}

/* ---- obstacles ---- */

/* A box that stands against a wall reaches into the glass: of two faces in one plane a ray would find only one, and
 * half of the rays end inside the box. */
static void box_reach(const rill_set_work *work, rill_shape *box)
{
    const rill_scene *scene = work->set.scene;
    const double near = 0.1 * work->set.frame->diameter, reach = 0.5 * work->glass;
    for (uint32_t i = 0; i < scene->boundary_count; i++) {
        const rill_shape tank = rill_set_boundary(&work->set, i);
        if (!rill_set_is_tank(scene, i) || !rill_geometry_of(&tank)->sided || tank.rotate.given) continue;
        for (int side = 0; side < 4; side++) {
            const int axis = side / 2;
            const double wall = rill_vec3_get(side & 1 ? &tank.to : &tank.from, axis);
            rill_vec3 *corner = side & 1 ? &box->to : &box->from;
            const double apart = fabs(rill_vec3_get(corner, axis) - wall);
            if (rill_set_has_wall(scene, i, axis, side & 1) && apart < near)
                rill_vec3_set(corner, axis, wall + (side & 1 ? reach : -reach));
        }
    }
}

static rill_status obstacles_add(rill_set_work *work, rill_error *err)
{
    uint32_t id = 0;
    const rill_material material = rill_look_solid(work->options->look);
    rill_status status = rill_stage_add_material(work->stage, &material, &id, err);
    for (uint32_t i = 0; i < work->set.scene->boundary_count && !status; i++) {
        if (!rill_set_is_solid(work->set.scene, i)) continue;
        rill_shape s = rill_set_boundary(&work->set, i);
        const rill_geometry *g = rill_geometry_of(&s);
        const rill_pose pose = rill_shape_pose(&s);
        /* The ground is drawn where it is. */
        if (g->unbounded && g->bounds(&s).high.z == work->ground) continue;
        if (work->glass > 0 && g->sided && !s.rotate.given) box_reach(work, &s);
        const rill_vec3 c = rill_pose_place(&pose, s.center);
        const float ball[4] = {(float)c.x, (float)c.y, (float)c.z, (float)s.radius};
        if (g->ball) status = rill_stage_add_spheres(work->stage, ball, 1, id, err);
        else if (g->sided) status = box_add(work, &pose, s.from, s.to, id, err);
        else status = surface_add(work, &s, false, id, err);
    }
    return status;
}

rill_status rill_set_add_solids(rill_set_work *work, rill_error *err)
{
    const rill_status status = work->glass > 0 ? tanks_add(work, err) : RILL_OK;
    return status ? status : obstacles_add(work, err);
}

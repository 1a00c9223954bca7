/* What holds the liquid and what stands in it: walls of glass, obstacles. */
#include <math.h>

#include "render/set_parts.h"
#include "text/pi.h"

static rill_status box_add(rill_set_work *work, rill_vec3 from, rill_vec3 to, uint32_t material, rill_error *err)
{
    /* Two triangles a side, counter-clockwise seen from outside; corner i has bit k set where axis k is high. */
    static const uint32_t triangles[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                         2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    float corners[24];
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            corners[3 * i + k] = (float)(i >> k & 1 ? rill_vec3_get(&to, k) : rill_vec3_get(&from, k));
    const rill_triangles box = {
        .vertex_count = 8, .triangle_count = 12, .position = corners, .triangle = triangles};
    return rill_stage_add_triangles(work->stage, &box, material, err);
}

/* ---- the tank ---- */

/* A pane of glass for each upright wall, standing on the ground; at a corner both run on through it. Of two faces in
 * one plane a ray would find only one and lose count of the panes it is in, so the panes end a hair apart. The lid is
 * left off: it would show nothing but the sky. */
static rill_status panes_add(rill_set_work *work, uint32_t boundary, const rill_shape *box, uint32_t glass,
                             rill_error *err)
{
    const double hair = 0.01 * work->glass;
    rill_status status = RILL_OK;
    for (int side = 0; side < 4 && !status; side++) {
        const int axis = side / 2, other = 1 - axis;
        if (!rill_set_has_wall(work->set.scene, boundary, axis, side & 1)) continue;
        rill_vec3 from = box->from, to = box->to;
        from.z = fmin(from.z, work->ground) - 0.5 * work->glass - axis * hair;
        to.z += axis * hair;
        const double at = rill_vec3_get(side & 1 ? &box->to : &box->from, axis);
        rill_vec3_set(&from, axis, side & 1 ? at : at - work->glass);
        rill_vec3_set(&to, axis, side & 1 ? at + work->glass : at);
        for (int end = 0; end < 2; end++) {
            if (!rill_set_has_wall(work->set.scene, boundary, other, end)) continue;
            rill_vec3 *corner = end ? &to : &from;
            rill_vec3_set(corner, other, rill_vec3_get(corner, other) + (end ? 1 : -1) * (work->glass - hair));
        }
        status = box_add(work, from, to, glass, err);
    }
    return status;
}

/* A ball of triangles; one that faces inwards is the inside of a shell. */
static rill_status ball_add(rill_set_work *work, const rill_shape *ball, double radius, bool inwards, uint32_t material,
                            rill_error *err)
{
    enum { RINGS = 96, SPOKES = 192, VERTICES = (RINGS + 1) * (SPOKES + 1), TRIANGLES = 2 * RINGS * SPOKES };
    float *position = rill_malloc(3 * VERTICES * sizeof *position);
    float *normal = rill_malloc(3 * VERTICES * sizeof *normal);
    uint32_t *triangle = rill_malloc(3 * TRIANGLES * sizeof *triangle), *t = triangle;
    rill_status status = position && normal && triangle ? RILL_OK : RILL_NO_MEMORY;
    if (status) rill_fail(err, status, "There is no memory left to build the picture.");
    for (uint32_t i = 0; i < VERTICES && !status; i++) {
        const double down = RILL_PI * (i / (SPOKES + 1)) / RINGS, round = 2 * RILL_PI * (i % (SPOKES + 1)) / SPOKES;
        const rill_vec3 out = {sin(down) * cos(round), sin(down) * sin(round), cos(down)};
        for (int k = 0; k < 3; k++) {
            const double n = rill_vec3_get(&out, k);
            position[3 * i + (uint32_t)k] = (float)(rill_vec3_get(&ball->center, k) + radius * n);
            normal[3 * i + (uint32_t)k] = (float)(inwards ? -n : n);
        }
    }
    for (uint32_t i = 0; i < RINGS * SPOKES && !status; i++, t += 6) {
        const uint32_t at = i / SPOKES * (SPOKES + 1) + i % SPOKES, below = at + SPOKES + 1;
        const uint32_t side[2] = {inwards ? at + 1 : below, inwards ? below : at + 1};
        t[0] = at, t[1] = side[0], t[2] = side[1];
        t[3] = below + 1, t[4] = side[1], t[5] = side[0];
    }
    const rill_triangles sphere = {.vertex_count = VERTICES, .triangle_count = TRIANGLES, .position = position,
                                   .normal = normal, .triangle = triangle};
    if (!status) status = rill_stage_add_triangles(work->stage, &sphere, material, err);
    rill_free(position);
    rill_free(normal);
    rill_free(triangle);
    return status;
}

static rill_status tank_add(rill_set_work *work, uint32_t boundary, uint32_t glass, rill_error *err)
{
    const rill_shape shape = rill_set_boundary(&work->set, boundary);
    if (shape.kind == RILL_SHAPE_BOX) return panes_add(work, boundary, &shape, glass, err);
    const rill_status status = ball_add(work, &shape, shape.radius, true, glass, err);
    return status ? status : ball_add(work, &shape, shape.radius + work->glass, false, glass, err);
}

/* Sides through which the domain wraps around hold nothing, and what is left of such a tank would only hide it. */
bool rill_set_is_tank(const rill_scene *scene, uint32_t boundary)
{
    return !scene->boundaries[boundary].solid && !scene->periodic[0] && !scene->periodic[1];
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
        if (!rill_set_is_tank(scene, i) || tank.kind != RILL_SHAPE_BOX) continue;
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
        if (!work->set.scene->boundaries[i].solid) continue;
        rill_shape s = rill_set_boundary(&work->set, i);
        if (work->glass > 0 && s.kind == RILL_SHAPE_BOX) box_reach(work, &s);
        const float ball[4] = {(float)s.center.x, (float)s.center.y, (float)s.center.z, (float)s.radius};
        if (s.kind == RILL_SHAPE_SPHERE) status = rill_stage_add_spheres(work->stage, ball, 1, id, err);
        else status = box_add(work, s.from, s.to, id, err);
    }
    return status;
}

rill_status rill_set_add_solids(rill_set_work *work, rill_error *err)
{
    const rill_status status = work->glass > 0 ? tanks_add(work, err) : RILL_OK;
    return status ? status : obstacles_add(work, err);
}

/* What holds the liquid and what stands in it: glass walls, obstacles, the ground. */
#include <math.h>

#include "render/gravel.h"
#include "render/set_parts.h"

bool rill_set_has_wall(const rill_scene *scene, uint32_t boundary, int axis, bool high)
{
    const uint32_t side = (high ? 2u : 1u) << (2 * axis);
    return !scene->periodic[axis] && !(scene->boundaries[boundary].open & side);
}

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

/* A pane of glass for each upright wall, standing on the ground; at a corner both run on through it. Of two faces in one
 * plane a ray would find only one and lose count of the panes it is in, so the panes end a hair apart. The lid is left
 * off: it would show nothing but the sky. */
static rill_status tank_add(rill_set_work *work, uint32_t boundary, uint32_t glass, rill_error *err)
{
    const rill_shape box = rill_set_boundary(&work->set, boundary);
    const double hair = 0.01 * work->glass;
    rill_status status = RILL_OK;
    for (int side = 0; side < 4 && !status; side++) {
        const int axis = side / 2, other = 1 - axis;
        if (!rill_set_has_wall(work->set.scene, boundary, axis, side & 1)) continue;
        rill_vec3 from = box.from, to = box.to;
        from.z = fmin(from.z, work->ground) - 0.5 * work->glass - axis * hair;
        to.z += axis * hair;
        const double at = rill_vec3_get(side & 1 ? &box.to : &box.from, axis);
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

/* A ball of glass has an inside as well: a sphere cannot be turned inside out, so only boxes are made of glass. */
static bool is_tank(const rill_scene *scene, uint32_t boundary)
{
    const rill_boundary *b = &scene->boundaries[boundary];
    return !b->solid && b->shape.kind == RILL_SHAPE_BOX && !scene->periodic[0] && !scene->periodic[1];
}

static rill_status tanks_add(rill_set_work *work, rill_error *err)
{
    uint32_t glass = 0;
    const rill_material material = rill_look_glass(work->size);
    rill_status status = rill_stage_add_material(work->stage, &material, &glass, err);
    for (uint32_t i = 0; i < work->set.scene->boundary_count && !status; i++)
        if (is_tank(work->set.scene, i)) status = tank_add(work, i, glass, err);
    return status;
}

/* ---- obstacles ---- */

static rill_status obstacles_add(rill_set_work *work, rill_error *err)
{
    uint32_t id = 0;
    const rill_material material = rill_look_solid(work->options->look);
    rill_status status = rill_stage_add_material(work->stage, &material, &id, err);
    for (uint32_t i = 0; i < work->set.scene->boundary_count && !status; i++) {
        if (!work->set.scene->boundaries[i].solid) continue;
        const rill_shape s = rill_set_boundary(&work->set, i);
        const float ball[4] = {(float)s.center.x, (float)s.center.y, (float)s.center.z, (float)s.radius};
        if (s.kind == RILL_SHAPE_SPHERE) status = rill_stage_add_spheres(work->stage, ball, 1, id, err);
        else status = box_add(work, s.from, s.to, id, err);
    }
    return status;
}

/* ---- the ground ---- */

static void texture_set(rill_material *m, const rill_picture *texture, double size)
{
    m->pattern = RILL_PATTERN_TEXTURE;
    m->pattern_size = size;
    m->texture = texture->rgb;
    m->texture_width = texture->width;
    m->texture_height = texture->height;
    for (int k = 0; k < 3; k++) m->colour[k] = 1;
}

static rill_status ground_material(rill_set_work *work, uint32_t *id, rill_error *err)
{
    const rill_set_options *o = work->options;
    rill_picture gravel = {0};
    rill_material m = rill_look_ground(o->look, work->size);
    if (o->ground == RILL_GROUND_CHECKS) m.pattern = RILL_PATTERN_CHECKS;
    else if (o->ground == RILL_GROUND_TEXTURE) texture_set(&m, o->texture, work->size);
    else if (o->look == RILL_LOOK_RIVER) {
        if (!rill_gravel_make(&gravel)) return rill_fail(err, RILL_NO_MEMORY, "There is no memory left for the ground.");
        texture_set(&m, &gravel, 0.4 * work->size);
    }
    const rill_status status = rill_stage_add_material(work->stage, &m, id, err);
    rill_picture_free(&gravel);
    return status;
}

/* So wide that its end is hidden by distance. */
static rill_status ground_add(rill_set_work *work, rill_error *err)
{
    static const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
    uint32_t id = 0;
    const rill_status status = ground_material(work, &id, err);
    const float x = (float)work->middle.x, y = (float)work->middle.y, z = (float)work->ground;
    const float far = (float)(300 * work->size);
    const float corners[] = {x - far, y - far, z, x + far, y - far, z, x + far, y + far, z, x - far, y + far, z};
    const rill_triangles sheet = {
        .vertex_count = 4, .triangle_count = 2, .position = corners, .triangle = triangles};
    return status ? status : rill_stage_add_triangles(work->stage, &sheet, id, err);
}

rill_status rill_set_add_solids(rill_set_work *work, rill_error *err)
{
    rill_status status = ground_add(work, err);
    if (!status && work->glass > 0) status = tanks_add(work, err);
    return status ? status : obstacles_add(work, err);
}

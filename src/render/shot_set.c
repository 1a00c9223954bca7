/* What stands in a picture: particles, containers, obstacles. */
#include <math.h>

#include "geom/clip.h"
#include "render/light.h"
#include "render/shot_parts.h"

static const uint32_t obstacle_colour = 0xc9b79c, floor_colour = 0xd9dfe6, wire_colour = 0x3c4a5a;

bool rill_set_is_near(const rill_stage_set *set, rill_vec3 p)
{
    const double diameter = set->frame->diameter;
    const double limit = 1e7 * (diameter > 0 && isfinite(diameter) ? diameter : 1);
    return fabs(p.x) < limit && fabs(p.y) < limit && fabs(p.z) < limit;
}

uint32_t rill_set_far_count(const rill_stage_set *set)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < set->frame->count; i++) count += !rill_set_is_near(set, rill_set_particle(set, i));
    return count;
}

uint32_t rill_shot_far_count(const rill_frame_file *frame)
{
    const rill_stage_set set = {.frame = frame, .position = rill_frame_file_array(frame, "position")};
    return set.position && set.position->type == RILL_F32 && set.position->lanes >= 3 ? rill_set_far_count(&set) : 0;
}

/* The particles' own box, less a few in a thousand at each end of each axis. */
static rill_status particle_bounds(const rill_stage_set *set, rill_bounds *bounds, rill_error *err)
{
    enum { SAMPLE_MAX = 60000 };
    uint32_t every = set->frame->count / SAMPLE_MAX + 1;
    double *values = rill_malloc((set->frame->count / every + 1) * sizeof *values);
    if (!values) return rill_fail(err, RILL_NO_MEMORY, "There is no memory left to draw the frame.");
    double low[3] = {0}, high[3] = {0}, margin = set->frame->diameter;
    size_t count = 0;
    for (int axis = 0; axis < 3; axis++) {
        count = 0;
        for (uint32_t i = 0; i < set->frame->count; i += every) {
            rill_vec3 p = rill_set_particle(set, i);
            if (rill_set_is_near(set, p)) values[count++] = rill_vec3_get(&p, axis);
        }
        if (!count) break;
        low[axis] = rill_paint_quantile(values, count, 0.002) - margin;
        high[axis] = values[(size_t)(0.998 * (double)(count - 1) + 0.5)] + margin;
    }
    rill_free(values);
    if (!count) return RILL_OK;
    rill_bounds_add(bounds, (rill_vec3){low[0], low[1], low[2]});
    rill_bounds_add(bounds, (rill_vec3){high[0], high[1], high[2]});
    return RILL_OK;
}

void rill_set_add_shape(rill_bounds *bounds, const rill_shape *shape)
{
    /* What has no end is drawn as far as other things reach. */
    if (rill_geometry_of(shape)->unbounded) return;
    const rill_bounds own = rill_shape_bounds(shape);
    rill_bounds_add(bounds, own.low);
    rill_bounds_add(bounds, own.high);
}

bool rill_set_is_solid(const rill_scene *scene, uint32_t boundary)
{
    const rill_boundary *b = &scene->boundaries[boundary];
    return b->solid || rill_geometry_of(&b->shape)->unbounded;
}

rill_bounds rill_set_clip(const rill_stage_set *set)
{
    const rill_bounds clip = rill_scene_clip(set->scene);
    return (rill_bounds){rill_vec3_add(clip.low, set->shift), rill_vec3_add(clip.high, set->shift)};
}

/* Keeps a box within the other one grown by half its size on every side. */
static void bounds_clip(rill_bounds *box, const rill_bounds *around)
{
    for (int axis = 0; axis < 3; axis++) {
        double a = rill_vec3_get(&around->low, axis), b = rill_vec3_get(&around->high, axis), more = 0.5 * (b - a);
        rill_vec3_set(&box->low, axis, fmin(fmax(rill_vec3_get(&box->low, axis), a - more), b));
        rill_vec3_set(&box->high, axis, fmax(fmin(rill_vec3_get(&box->high, axis), b + more), a));
    }
}

rill_status rill_set_bounds(const rill_stage_set *set, rill_bounds *bounds, rill_error *err)
{
    rill_bounds water = rill_bounds_empty(), things = rill_bounds_empty();
    rill_status status = particle_bounds(set, &water, err);
    if (status) return status;
    for (uint32_t i = 0; set->scene && i < set->scene->boundary_count; i++) {
        rill_shape shape = rill_set_boundary(set, i);
        rill_set_add_shape(&things, &shape);
    }
    *bounds = rill_bounds_is_empty(&things) ? water : things;
    if (!rill_bounds_is_empty(&things) && !rill_bounds_is_empty(&water)) {
        bounds_clip(&water, &things);
        rill_bounds_add(bounds, water.low);
        rill_bounds_add(bounds, water.high);
    }
    if (rill_bounds_is_empty(bounds)) *bounds = (rill_bounds){{-1, -1, -1}, {1, 1, 1}};
    return RILL_OK;
}

/* What the frame knows of a boundary, which may have moved since the scene; NULL: nothing. */
static const double *body_find(const rill_stage_set *set, const char *name, uint32_t boundary, uint32_t lanes)
{
    const rill_array *array = rill_frame_file_array(set->frame, name);
    if (!array || array->type != RILL_F64 || array->lanes != lanes || array->count != set->scene->boundary_count)
        return NULL;
    return (const double *)array->data + (size_t)boundary * array->stride;
}

static void body_take(const rill_stage_set *set, const char *name, uint32_t boundary, rill_vec3 *value)
{
    const double *at = body_find(set, name, boundary, 3);
    if (at) *value = (rill_vec3){at[0], at[1], at[2]};
}

/* The middle of what the world makes of it: about that it is rotated where nothing else is said. */
static rill_vec3 first_centre(const rill_stage_set *set, const rill_boundary *b, const rill_shape *shape)
{
    const rill_shape first = b->snap ? rill_shape_snapped(shape, set->scene->particle_diameter) : *shape;
    return rill_geometry_of(&first)->centre(&first);
}

rill_shape rill_set_boundary(const rill_stage_set *set, uint32_t boundary)
{
    const rill_boundary *b = &set->scene->boundaries[boundary];
    rill_shape shape = rill_shape_settled(&b->shape);
    if (shape.rotate.given && !shape.rotate.about_given) {
        shape.rotate.about = first_centre(set, b, &shape);
        shape.rotate.about_given = 1;
    }
    rill_vec3 size = rill_vec3_sub(shape.to, shape.from), about = {0, 0, 0}, position = {0, 0, 0};
    body_take(set, "body_from", boundary, &shape.from);
    body_take(set, "body_size", boundary, &size);
    body_take(set, "body_center", boundary, &shape.center);
    body_take(set, "body_about", boundary, &about);
    body_take(set, "body_position", boundary, &position);
    shape.to = rill_vec3_add(shape.from, size);
    const double *rotation = body_find(set, "body_rotation", boundary, 4);
    if (rotation) {
        const rill_pose pose = rill_pose_placed(rotation, about, position);
        shape = rill_shape_posed(&shape, &pose);
    }
    shape = rill_shape_moved(&shape, set->shift);
    shape.rotate.about = rill_vec3_add(shape.rotate.about, set->shift);
    return shape;
}

static rill_vec3 box_corner(const rill_shape *box, int i)
{
    return (rill_vec3){i & 1 ? box->to.x : box->from.x, i & 2 ? box->to.y : box->from.y,
                       i & 4 ? box->to.z : box->from.z};
}

/* Draws the side of a box at the low or high end of an axis, facing outwards or inwards. */
static void side_draw(const rill_shape *box, int axis, bool high, bool outwards, rill_shot_material material,
                      uint32_t colour, rill_canvas *canvas, const rill_view *view)
{
    const rill_pose pose = rill_shape_pose(box);
    int u = 1 << ((axis + 1) % 3), v = 1 << ((axis + 2) % 3), base = high ? 1 << axis : 0;
    rill_vec3 corners[4] = {box_corner(box, base), box_corner(box, base | u), box_corner(box, base | u | v),
                            box_corner(box, base | v)};
    for (int i = 0; i < 4; i++) corners[i] = rill_pose_place(&pose, corners[i]);
    rill_vec3 normal = {0, 0, 0};
    rill_vec3_set(&normal, axis, high == outwards ? 1 : -1);
    normal = rill_pose_rotate(&pose, normal);
    rill_vec3 towards = rill_vec3_sub(view->eye, corners[0]);
    double facing = view->perspective ? rill_vec3_dot(normal, towards) : -rill_vec3_dot(normal, view->forward);
    if (facing > 0) rill_canvas_face(canvas, view, corners, normal, material, colour);
}

typedef struct drawing {
    rill_pose pose;
    rill_canvas *canvas;
    const rill_view *view;
    rill_shot_material material;
    uint32_t colour;
} drawing;

static void triangle_draw(void *user, const rill_vec3 corner[3], const rill_vec3 normal[3])
{
    const drawing *d = user;
    rill_corner corners[3];
    for (int i = 0; i < 3; i++)
        corners[i] = (rill_corner){rill_pose_place(&d->pose, corner[i]), rill_pose_rotate(&d->pose, normal[i]),
                                   d->colour};
    rill_canvas_triangle(d->canvas, d->view, corners, d->material);
}

/* What is flat and what is a ball has a way of its own to the canvas; all else comes as triangles. */
static void obstacle_draw(const rill_shape *shape, const rill_bounds *clip, rill_canvas *canvas, const rill_view *view)
{
    enum { FINENESS = 128 };
    const rill_geometry *g = rill_geometry_of(shape);
    drawing d = {rill_shape_pose(shape), canvas, view, RILL_MATERIAL_SOLID, obstacle_colour};
    if (g->unbounded) d.material = RILL_MATERIAL_FLOOR, d.colour = floor_colour;
    if (g->ball) {
        rill_canvas_sphere(canvas, view, rill_pose_place(&d.pose, shape->center), shape->radius, obstacle_colour);
        return;
    }
    for (int side = 0; side < 6 && g->sided; side++)
        side_draw(shape, side / 2, side & 1, true, RILL_MATERIAL_SOLID, obstacle_colour, canvas, view);
    if (!g->sided) g->triangles(shape, clip, FINENESS, triangle_draw, &d);
}

bool rill_set_has_wall(const rill_scene *scene, uint32_t boundary, int axis, bool high)
{
    const uint32_t side = (high ? 2u : 1u) << (2 * axis);
    const rill_boundary *b = &scene->boundaries[boundary];
    return !rill_boundary_continues(scene, b, axis) && !(b->open & side);
}

void rill_set_draw(const rill_stage_set *set, const rill_paint *paint, rill_canvas *canvas, const rill_view *view,
                   bool floors)
{
    double radius = set->frame->diameter / 2;
    if (set->surface) rill_shot_surface_draw(set->surface, paint, canvas, view);
    for (uint32_t i = 0; !set->surface && i < set->frame->count; i++) {
        const rill_vec3 p = rill_set_particle(set, i);
        uint32_t colour = canvas->samples ? rill_paint_at(paint, i) : 0;
        if (rill_set_is_near(set, p)) rill_canvas_bead(canvas, view, p, radius, colour);
    }
    const rill_bounds clip = set->scene ? rill_set_clip(set) : (rill_bounds){{0, 0, 0}, {0, 0, 0}};
    for (uint32_t i = 0; set->scene && i < set->scene->boundary_count; i++) {
        rill_shape shape = rill_set_boundary(set, i);
        if (rill_set_is_solid(set->scene, i)) obstacle_draw(&shape, &clip, canvas, view);
        else if (floors && rill_geometry_of(&shape)->sided && rill_set_has_wall(set->scene, i, 2, false))
            side_draw(&shape, 2, false, false, RILL_MATERIAL_FLOOR, floor_colour, canvas, view);
    }
}

typedef struct wires {
    rill_pose pose;
    const rill_canvas *canvas;
    const rill_view *view;
    double width;
    float *light;
} wires;

static void wire_draw(void *user, rill_vec3 from, rill_vec3 to, bool edge)
{
    const wires *w = user;
    rill_light_line(w->canvas, w->view, rill_pose_place(&w->pose, from), rill_pose_place(&w->pose, to), w->width,
                    wire_colour, edge ? 0.75 : 0.4, w->light);
}

void rill_set_wires(const rill_stage_set *set, const rill_canvas *canvas, const rill_view *view, double width,
                    float *light)
{
    for (uint32_t i = 0; set->scene && i < set->scene->boundary_count; i++) {
        if (rill_set_is_solid(set->scene, i)) continue;
        const rill_shape shape = rill_set_boundary(set, i);
        const rill_bounds bounds = rill_shape_bounds(&shape);
        wires w = {rill_shape_pose(&shape), canvas, view, width, light};
        uint32_t open = 0;
        for (int side = 0; side < 6; side++)
            if (!rill_set_has_wall(set->scene, i, side / 2, side & 1)) open |= 1u << side;
        rill_geometry_of(&shape)->lines(&shape, &bounds, open, wire_draw, &w);
    }
}

/* Where liquid touches what holds it. Particles keep half a diameter away from a wall and so does the surface made of
 * them; in a picture that would be a film of air, which mirrors like silver. Vertices near a wall are therefore moved
 * onto it: with s the distance to the wall and n = 0.75 d,
 *
 *   s -> -p (3 - s / n) / 4                       for -n < s < n
 *   s -> -p / 2 + (s - n) (2 n + p / 2) / n       for n <= s < 2 n
 *
 * which is continuous, rises strictly, so that the two sides of a film never fall together, and leaves everything
 * farther away where it is. p is how far past the wall the surface ends: inside glass, which has the higher priority,
 * below the ground, which hides it, or just beyond a wall that is not seen. */
#include <math.h>
#include <string.h>

#include "geom/geometry.h"
#include "render/set_parts.h"
#include "run/threads.h"

enum { BLOCK = 4096 };

typedef struct touching {
    const rill_set_work *work;
    rill_mesh *mesh;
    double near;
    double depth;   /* into glass, m */
    uint8_t *moved; /* vertices whose normals no longer fit */
} touching;

static double moved(double s, double near, double past)
{
    if (s < near) return -past * (3 - fmax(s / near, -1)) / 4;
    return s < 2 * near ? -past / 2 + (s - near) * (2 * near + past / 2) / near : s;
}

/* Moves a vertex along the unit vector that points away from a wall; true when it was near. */
static bool vertex_move(const touching *t, rill_vec3 *x, rill_vec3 away, double s, double past)
{
    if (s < -2 * t->near || s >= 2 * t->near) return false;
    *x = rill_vec3_add(*x, rill_vec3_scale(away, moved(s, t->near, past) - s));
    return true;
}

static bool is_beside(const rill_shape *box, const rill_vec3 *x, int axis, double reach)
{
    for (int k = 0; k < 3; k++) {
        const double v = rill_vec3_get(x, k);
        if (k != axis && (v < rill_vec3_get(&box->from, k) - reach || v > rill_vec3_get(&box->to, k) + reach))
            return false;
    }
    return true;
}

/* In the shape's own coordinates. */
static bool container_touch(const touching *t, uint32_t boundary, const rill_shape *shape, rill_vec3 *x)
{
    const rill_set_work *w = t->work;
    const double past = 0.1 * t->near;
    const rill_geometry *g = rill_geometry_of(shape);
    if (!g->sided) {
        const rill_nearest wall = g->nearest(shape, *x);
        return vertex_move(t, x, rill_vec3_scale(wall.normal, -1), -wall.distance, w->glass > 0 ? t->depth : past);
    }
    bool near = false;
    /* Toys show their balls at the sides as well. */
    for (int side = w->options->look == RILL_LOOK_TOY ? 4 : 0; side < 6; side++) {
        const int axis = side / 2;
        if (!rill_set_has_wall(w->set.scene, boundary, axis, side & 1)) continue;
        if (!is_beside(shape, x, axis, 2 * t->near)) continue;
        const double wall = rill_vec3_get(side & 1 ? &shape->to : &shape->from, axis), v = rill_vec3_get(x, axis);
        double deep = axis < 2 && w->glass > 0 ? t->depth : past;
        if (side == 4 && !shape->rotate.given && fabs(wall - w->ground) < t->near) deep = 0.5 * t->near;
        rill_vec3 away = {0, 0, 0};
        rill_vec3_set(&away, axis, side & 1 ? -1 : 1);
        near |= vertex_move(t, x, away, side & 1 ? wall - v : v - wall, deep);
    }
    return near;
}

static bool obstacle_touch(const touching *t, const rill_shape *shape, rill_vec3 *x)
{
    const rill_nearest face = rill_geometry_of(shape)->nearest(shape, *x);
    return vertex_move(t, x, face.normal, face.distance, 0.5 * t->near);
}

static void touch_block(void *context, size_t block, unsigned worker)
{
    (void)worker;
    const touching *t = context;
    const rill_scene *scene = t->work->set.scene;
    const size_t begin = block * BLOCK, count = t->mesh->vertex_count;
    for (uint32_t b = 0; b < scene->boundary_count; b++) {
        const rill_shape shape = rill_set_boundary(&t->work->set, b);
        const rill_pose pose = rill_shape_pose(&shape);
        const bool solid = rill_set_is_solid(scene, b);
        for (size_t i = begin; i < count && i < begin + BLOCK; i++) {
            float *p = t->mesh->position + 3 * i;
            const rill_vec3 at = {(double)p[0], (double)p[1], (double)p[2]};
            rill_vec3 x = rill_pose_own(&pose, at);
            if (solid ? obstacle_touch(t, &shape, &x) : container_touch(t, b, &shape, &x)) t->moved[i] = 1;
            else continue;
            x = rill_pose_place(&pose, x);
            p[0] = (float)x.x, p[1] = (float)x.y, p[2] = (float)x.z;
        }
    }
}

/* Across a triangle whose normals point to opposite sides light finds no way: where vertices moved, normals follow the
 * triangles again, each by its area. */
static void normals_make(const touching *t)
{
    rill_mesh *m = t->mesh;
    for (size_t i = 0; i < m->vertex_count; i++)
        if (t->moved[i]) memset(m->normal + 3 * i, 0, 3 * sizeof *m->normal);
    for (size_t k = 0; k < m->triangle_count; k++) {
        const uint32_t *v = m->triangle + 3 * k;
        if (!(t->moved[v[0]] | t->moved[v[1]] | t->moved[v[2]])) continue;
        const float *a = m->position + 3 * (size_t)v[0], *b = m->position + 3 * (size_t)v[1];
        const float *c = m->position + 3 * (size_t)v[2];
        const float u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, w[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
        const float n[3] = {u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]};
        for (int corner = 0; corner < 3; corner++)
            for (int axis = 0; axis < 3 && t->moved[v[corner]]; axis++)
                m->normal[3 * (size_t)v[corner] + (size_t)axis] += n[axis];
    }
    for (size_t i = 0; i < m->vertex_count; i++) {
        float *n = m->normal + 3 * i;
        const float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        if (!t->moved[i]) continue;
        for (int axis = 0; axis < 3; axis++) n[axis] = length > 0 ? n[axis] / length : axis == 2;
    }
}

rill_status rill_set_touch(const rill_set_work *work, rill_mesh *mesh, double depth, rill_error *err)
{
    touching t = {work, mesh, 0.75 * work->set.frame->diameter, depth * work->glass,
                  rill_calloc(mesh->vertex_count + 1, 1)};
    if (!t.moved) return rill_fail(err, RILL_NO_MEMORY, "There is no memory left to build the picture.");
    const rill_scheduler *scheduler = work->options->scheduler ? work->options->scheduler : &rill_serial;
    rill_parallel_for(scheduler, (mesh->vertex_count + BLOCK - 1) / BLOCK, touch_block, &t);
    if (mesh->normal) normals_make(&t);
    rill_free(t.moved);
    return RILL_OK;
}

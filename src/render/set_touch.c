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

#include "render/set_parts.h"
#include "run/threads.h"

enum { BLOCK = 4096 };

typedef struct touching {
    const rill_set_work *work;
    rill_mesh *mesh;
    double near;
    double depth; /* into glass, m */
} touching;

static double moved(double s, double near, double past)
{
    if (s < near) return -past * (3 - fmax(s / near, -1)) / 4;
    return s < 2 * near ? -past / 2 + (s - near) * (2 * near + past / 2) / near : s;
}

/* Moves a vertex along the unit vector that points away from a wall; on the wall its normal is the wall's. */
static void vertex_move(const touching *t, rill_vec3 *x, float *normal, rill_vec3 away, double s, double past)
{
    if (s < -2 * t->near || s >= 2 * t->near) return;
    *x = rill_vec3_add(*x, rill_vec3_scale(away, moved(s, t->near, past) - s));
    if (s >= t->near || !normal) return;
    const double facing = -(away.x * (double)normal[0] + away.y * (double)normal[1] + away.z * (double)normal[2]);
    if (facing > 0.3) normal[0] = (float)-away.x, normal[1] = (float)-away.y, normal[2] = (float)-away.z;
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

static void container_touch(const touching *t, uint32_t boundary, const rill_shape *shape, rill_vec3 *x, float *normal)
{
    const rill_set_work *w = t->work;
    const double past = 0.1 * t->near;
    if (shape->kind == RILL_SHAPE_SPHERE) {
        const rill_vec3 in = rill_vec3_sub(shape->center, *x);
        const double length = rill_vec3_length(in);
        if (length > 0) vertex_move(t, x, normal, rill_vec3_scale(in, 1 / length), shape->radius - length, past);
        return;
    }
    /* Toys show their balls at the sides as well. */
    for (int side = w->options->look == RILL_LOOK_TOY ? 4 : 0; side < 6; side++) {
        const int axis = side / 2;
        if (!rill_set_has_wall(w->set.scene, boundary, axis, side & 1)) continue;
        if (!is_beside(shape, x, axis, 2 * t->near)) continue;
        const double wall = rill_vec3_get(side & 1 ? &shape->to : &shape->from, axis), v = rill_vec3_get(x, axis);
        double deep = axis < 2 && w->glass > 0 ? t->depth : past;
        if (side == 4 && fabs(wall - w->ground) < t->near) deep = 0.5 * t->near;
        rill_vec3 away = {0, 0, 0};
        rill_vec3_set(&away, axis, side & 1 ? -1 : 1);
        vertex_move(t, x, normal, away, side & 1 ? wall - v : v - wall, deep);
    }
}

static void obstacle_touch(const touching *t, const rill_shape *shape, rill_vec3 *x, float *normal)
{
    rill_vec3 nearest = shape->center;
    double inside = shape->radius;
    if (shape->kind == RILL_SHAPE_BOX) {
        inside = 0;
        nearest = (rill_vec3){fmin(fmax(x->x, shape->from.x), shape->to.x),
                              fmin(fmax(x->y, shape->from.y), shape->to.y),
                              fmin(fmax(x->z, shape->from.z), shape->to.z)};
    }
    const rill_vec3 out = rill_vec3_sub(*x, nearest);
    const double length = rill_vec3_length(out);
    if (length > 0) vertex_move(t, x, normal, rill_vec3_scale(out, 1 / length), length - inside, 0.5 * t->near);
}

static void touch_block(void *context, size_t block, unsigned worker)
{
    (void)worker;
    const touching *t = context;
    const rill_scene *scene = t->work->set.scene;
    const size_t begin = block * BLOCK, count = t->mesh->vertex_count;
    for (uint32_t b = 0; b < scene->boundary_count; b++) {
        const rill_shape shape = rill_set_boundary(&t->work->set, b);
        for (size_t i = begin; i < count && i < begin + BLOCK; i++) {
            float *p = t->mesh->position + 3 * i, *normal = t->mesh->normal ? t->mesh->normal + 3 * i : NULL;
            rill_vec3 x = {(double)p[0], (double)p[1], (double)p[2]};
            if (scene->boundaries[b].solid) obstacle_touch(t, &shape, &x, normal);
            else container_touch(t, b, &shape, &x, normal);
            p[0] = (float)x.x, p[1] = (float)x.y, p[2] = (float)x.z;
        }
    }
}

void rill_set_touch(const rill_set_work *work, rill_mesh *mesh, double depth)
{
    touching t = {work, mesh, 0.75 * work->set.frame->diameter, depth * work->glass};
    rill_parallel_for(work->options->scheduler, (mesh->vertex_count + BLOCK - 1) / BLOCK, touch_block, &t);
}

/* Where particles start: on a lattice inside each fill, cut by walls. */
#include <math.h>

#include "world/world.h"

void rill_scene_snap(rill_scene *scene)
{
    const double d = scene->particle_diameter;
    for (uint32_t i = 0; i < scene->boundary_count; i++) {
        rill_boundary *b = &scene->boundaries[i];
        if (!b->snap || b->shape.kind != RILL_SHAPE_BOX) continue;
        for (int a = 0; a < 3; a++) {
            const double from = rill_vec3_get(&b->shape.from, a), length = rill_vec3_get(&b->shape.to, a) - from;
            rill_vec3_set(&b->shape.to, a, from + d * fmax(1, floor(length / d + 0.5)));
        }
    }
}

void rill_bodies_place(const rill_scene *scene, rill_body *bodies)
{
    for (uint32_t i = 0; i < scene->boundary_count; i++) {
        const rill_boundary *def = &scene->boundaries[i];
        bodies[i] = rill_body_make(&def->shape);
        bodies[i].solid = def->solid;
        bodies[i].open = def->open;
        bodies[i].grip = 1 - def->slip;
        bodies[i].volume_factor = def->volume_factor;
        for (int a = 0; a < 3; a++) {
            bodies[i].periodic[a] = scene->periodic[a] && !def->solid;
            if (bodies[i].periodic[a]) bodies[i].open |= 3u << (2 * a);
        }
    }
}

/* Inside a container, if there is any, and outside every obstacle. */
static bool allowed(const rill_scene *scene, const rill_body *bodies, rill_vec3 at)
{
    const double margin = 0.45 * scene->particle_diameter;
    bool contained = false, containers = false;
    for (uint32_t i = 0; i < scene->boundary_count; i++) {
        const bool holds = rill_body_method_of(&bodies[i])->holds(&bodies[i], at, margin);
        if (bodies[i].solid && !holds) return false;
        if (bodies[i].solid) continue;
        containers = true;
        contained = contained || holds;
    }
    return contained || !containers;
}

/* Layers of the lattice along an axis: place of the first and number. */
static void layers(const rill_scene *scene, const rill_shape *shape, int axis, double *first, int64_t *count)
{
    const double d = scene->particle_diameter;
    if (shape->kind == RILL_SHAPE_SPHERE) {
        /* Even about the centre. */
        const double half = ceil(shape->radius / d + 0.5);
        *first = rill_vec3_get(&shape->center, axis) - (half - 0.5) * d;
        *count = (int64_t)(2 * half);
        return;
    }
    const double from = rill_vec3_get(&shape->from, axis), to = rill_vec3_get(&shape->to, axis);
    *first = from + 0.5 * d;
    *count = (int64_t)fmax(1, floor((to - from) / d + 0.5));
}

bool rill_fill_particles(const rill_scene *scene, const rill_body *bodies, uint32_t fill, rill_fill_each *each, void *user)
{
    const rill_shape *shape = &scene->fills[fill].shape;
    const double d = scene->particle_diameter;
    double first[3];
    int64_t count[3];
    for (int a = 0; a < 3; a++) layers(scene, shape, a, &first[a], &count[a]);
    for (int64_t k = 0; k < count[2]; k++)
        for (int64_t j = 0; j < count[1]; j++)
            for (int64_t i = 0; i < count[0]; i++) {
                const rill_vec3 at = {first[0] + (double)i * d, first[1] + (double)j * d, first[2] + (double)k * d};
                if (shape->kind == RILL_SHAPE_SPHERE &&
                    rill_vec3_length(rill_vec3_sub(at, shape->center)) > shape->radius)
                    continue;
                if (allowed(scene, bodies, at) && !each(user, at, fill)) return false;
            }
    return true;
}

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

/* The walls of a box go on along a periodic axis. */
static bool continues(const rill_scene *scene, const rill_boundary *def, int axis)
{
    return scene->periodic[axis] && !def->solid && def->shape.kind == RILL_SHAPE_BOX;
}

void rill_bodies_place(const rill_scene *scene, rill_body *bodies)
{
    for (uint32_t i = 0; i < scene->boundary_count; i++) {
        const rill_boundary *def = &scene->boundaries[i];
        const rill_vec3 length = rill_vec3_sub(scene->domain_to, scene->domain_from);
        rill_shape shape = def->shape;
        for (int a = 0; a < 3; a++) {
            if (!continues(scene, def, a)) continue;
            /* Once around, whatever the box says: its walls must neither overlap nor leave a gap. */
            rill_vec3_set(&shape.from, a, rill_vec3_get(&scene->domain_from, a));
            rill_vec3_set(&shape.to, a, rill_vec3_get(&scene->domain_to, a));
        }
        bodies[i] = rill_body_make(&shape);
        bodies[i].solid = def->solid;
        bodies[i].open = def->open;
        bodies[i].grip = 1 - def->slip;
        bodies[i].slide = def->slide;
        bodies[i].slide_sides = def->slide_sides;
        bodies[i].volume_factor = def->volume_factor;
        for (int a = 0; a < 3; a++) {
            bodies[i].periodic[a] = continues(scene, def, a);
            if (bodies[i].periodic[a]) bodies[i].open |= 3u << (2 * a);
            if (def->solid && scene->periodic[a]) rill_vec3_set(&bodies[i].period, a, (float)rill_vec3_get(&length, a));
        }
    }
}

bool rill_fill_allowed(const rill_scene *scene, const rill_body *bodies, rill_vec3 at)
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
static void layers(const rill_scene *scene, const rill_shape *shape, int axis, double *first, double *count)
{
    const double d = scene->particle_diameter;
    if (shape->kind == RILL_SHAPE_SPHERE) {
        /* Even about the centre. */
        const double half = ceil(shape->radius / d + 0.5);
        *first = rill_vec3_get(&shape->center, axis) - (half - 0.5) * d;
        *count = 2 * half;
        return;
    }
    const double from = rill_vec3_get(&shape->from, axis), to = rill_vec3_get(&shape->to, axis);
    *first = from + 0.5 * d;
    *count = fmax(1, floor((to - from) / d + 0.5));
}

double rill_fill_places(const rill_scene *scene, const rill_fill *fill)
{
    double first, count, product = 1;
    for (int a = 0; a < 3; a++) {
        layers(scene, &fill->shape, a, &first, &count);
        product *= count;
    }
    return product;
}

bool rill_fill_particles(const rill_scene *scene, const rill_body *bodies, const rill_fill *fill, rill_fill_each *each,
                         void *user)
{
    const rill_shape *shape = &fill->shape;
    const double d = scene->particle_diameter;
    double first[3], count[3];
    for (int a = 0; a < 3; a++) layers(scene, shape, a, &first[a], &count[a]);
    /* Walls may cut away most of a fill, but not all ends of the world. */
    if (!(rill_fill_places(scene, fill) < 64.0 * UINT32_MAX / 16)) return false;
    for (double k = 0; k < count[2]; k++)
        for (double j = 0; j < count[1]; j++)
            for (double i = 0; i < count[0]; i++) {
                const rill_vec3 at = {first[0] + i * d, first[1] + j * d, first[2] + k * d};
                if (shape->kind == RILL_SHAPE_SPHERE &&
                    rill_vec3_length(rill_vec3_sub(at, shape->center)) > shape->radius)
                    continue;
                if (rill_fill_allowed(scene, bodies, at) && !each(user, at)) return false;
            }
    return true;
}

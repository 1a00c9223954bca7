/* Which scenes can go on from each other's states: those whose particles and bodies mean the same. */
#include <string.h>

#include "base/hash.h"
#include "world/world.h"

static uint64_t add_number(uint64_t hash, double value)
{
    uint64_t bits;
    value += 0.0; /* zero has two signs */
    memcpy(&bits, &value, sizeof bits);
    return rill_hash_add(hash, bits);
}

static uint64_t add_vector(uint64_t hash, rill_vec3 v)
{
    return add_number(add_number(add_number(hash, v.x), v.y), v.z);
}

static uint64_t add_shape(uint64_t hash, const rill_shape *s)
{
    double numbers[RILL_GEOMETRY_NUMBERS];
    const rill_geometry *g = rill_geometry_of(s);
    const int count = g ? g->numbers(s, numbers) : 0;
    hash = rill_hash_add(hash, (uint64_t)s->kind);
    for (int i = 0; i < count; i++) hash = add_number(hash, numbers[i]);
    const rill_rotate *r = &s->rotate;
    if (!r->given) return hash;
    hash = add_number(add_vector(hash, r->axis), r->angle);
    return r->about_given ? add_vector(hash, r->about) : hash;
}

static uint64_t add_inside(uint64_t hash, const rill_fill *fill)
{
    for (const char *c = fill->inside; *c; c++) hash = rill_hash_add(hash, (unsigned char)*c);
    return add_number(hash, fill->level);
}

static uint64_t space_of(const rill_scene *s)
{
    uint64_t hash = add_vector(add_number(0, s->particle_diameter), s->origin);
    for (int a = 0; a < 3; a++) {
        hash = rill_hash_add(hash, s->periodic[a]);
        if (!s->periodic[a]) continue;
        hash = add_number(add_number(hash, rill_vec3_get(&s->domain_from, a)), rill_vec3_get(&s->domain_to, a));
    }
    return hash;
}

void rill_identity_of(const rill_scene *scene, uint64_t identity[RILL_IDENTITY_COUNT])
{
    memset(identity, 0, RILL_IDENTITY_COUNT * sizeof *identity);
    identity[RILL_IDENTITY_SPACE] = space_of(scene);
    for (const char *c = scene->solver.kind; *c; c++)
        identity[RILL_IDENTITY_SOLVER] = rill_hash_add(identity[RILL_IDENTITY_SOLVER], (unsigned char)*c);
    uint64_t *solver = &identity[RILL_IDENTITY_SOLVER];
    *solver = add_number(rill_hash_add(*solver, (uint64_t)scene->kernel), scene->support);
    for (uint32_t i = 0; i < scene->fluid_count; i++) {
        uint64_t *hash = &identity[RILL_IDENTITY_FLUIDS];
        *hash = add_number(add_number(*hash, scene->fluids[i].density), scene->fluids[i].mass_factor);
    }
    for (uint32_t i = 0; i < scene->fill_count; i++) {
        uint64_t *hash = &identity[RILL_IDENTITY_FILLS];
        *hash = add_shape(rill_hash_add(*hash, scene->fills[i].fluid), &scene->fills[i].shape);
        if (!rill_geometry_of(&scene->fills[i].shape)) *hash = add_inside(*hash, &scene->fills[i]);
        if (scene->fills[i].jitter > 0) *hash = add_number(*hash, scene->fills[i].jitter);
    }
    for (uint32_t i = 0; i < scene->boundary_count; i++) {
        uint64_t *hash = &identity[RILL_IDENTITY_BOUNDARIES];
        *hash = add_shape(rill_hash_add(*hash, scene->boundaries[i].solid), &scene->boundaries[i].shape);
    }
}

const char *rill_identity_word(uint32_t part)
{
    static const char *const words[RILL_IDENTITY_COUNT] = {
        [RILL_IDENTITY_SPACE] = "another particle diameter, origin or periodic domain",
        [RILL_IDENTITY_SOLVER] = "another solver",
        [RILL_IDENTITY_FLUIDS] = "other fluids",
        [RILL_IDENTITY_FILLS] = "other fills",
        [RILL_IDENTITY_BOUNDARIES] = "other boundaries",
    };
    return words[part];
}

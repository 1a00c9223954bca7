/* Which scenes can go on from each other's states: those whose particles and bodies mean the same. */
#include <string.h>

#include "base/hash.h"
#include "world/table.h"
#include "world/world.h"

static uint64_t add_number(uint64_t hash, double value)
{
    uint64_t bits;
    value += 0.0; /* zero has two signs */
    memcpy(&bits, &value, sizeof bits);
    return rill_hash_add(hash, bits);
}

static uint64_t add_text(uint64_t hash, const char *text)
{
    for (; *text; text++) hash = rill_hash_add(hash, (unsigned char)*text);
    return hash;
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
    uint64_t *solver = &identity[RILL_IDENTITY_SOLVER];
    *solver = add_text(0, scene->solver.kind);
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
        const rill_boundary *b = &scene->boundaries[i];
        *hash = add_shape(rill_hash_add(*hash, b->solid), &b->shape);
        if (b->motion.about_given) *hash = add_vector(*hash, b->motion.about); /* of which the state has a pose */
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

/* ---- all that the future depends on ---- */

static uint64_t add_rows(uint64_t hash, const rill_param *table, const void *base);

static uint64_t add_items(uint64_t hash, const rill_items *items, const void *base)
{
    const rill_item_list list = rill_items_of(items, base);
    hash = rill_hash_add(hash, list.count);
    for (uint32_t i = 0; i < list.count; i++) {
        const char *item = list.first + i * items->size;
        if (items->named) hash = rill_hash_add(add_text(hash, item), 0); /* changes go by names */
        hash = add_rows(hash, items->parts, item);
    }
    return hash;
}

static uint64_t add_flags(uint64_t hash, const rill_param *p, const void *base)
{
    for (const rill_word *w = p->words; w->name; w++)
        if (w->value != RILL_WORD_ALWAYS) hash = rill_hash_add(hash, *((const bool *)base + w->value));
    return hash;
}

static uint64_t add_value(uint64_t hash, const rill_param *p, const void *base)
{
    const void *at = rill_param_at(p, base);
    switch (p->type) {
    case RILL_PARAM_NUMBER: return add_number(hash, *(const double *)at);
    case RILL_PARAM_VECTOR: return add_vector(hash, *(const rill_vec3 *)at);
    case RILL_PARAM_INTEGER:
    case RILL_PARAM_CHOICE: return rill_hash_add(hash, (uint64_t)rill_param_get_int(base, p->offset));
    case RILL_PARAM_BOOL: return rill_hash_add(hash, *(const bool *)at);
    case RILL_PARAM_NAME:
    case RILL_PARAM_TEXT:
    case RILL_PARAM_METHOD: return rill_hash_add(add_text(hash, at), 0);
    case RILL_PARAM_COLOUR:
    case RILL_PARAM_SIDES:
    case RILL_PARAM_FLUID:
    case RILL_PARAM_BOUNDARY: return rill_hash_add(hash, *(const uint32_t *)at);
    case RILL_PARAM_FLAGS: return add_flags(hash, p, base);
    case RILL_PARAM_SIZE: /* another word for `to` */
    case RILL_PARAM_FILE:
    case RILL_PARAM_GROUP:
    case RILL_PARAM_MAP:
    case RILL_PARAM_LIST:
    case RILL_PARAM_METHODS: break;
    }
    return hash;
}

static uint64_t add_rows(uint64_t hash, const rill_param *table, const void *base)
{
    for (rill_param_rows r = rill_param_rows_of(table); r.row; rill_param_rows_next(&r)) {
        const rill_param *p = r.row;
        if (p->passive || !rill_param_applies(p, base)) continue;
        if (p->chooses) hash = rill_hash_add(hash, (uint64_t)rill_param_get_int(base, p->chooses->offset));
        if (p->chooses && rill_param_get_int(base, p->chooses->offset) != p->choice) continue;
        if (p->items) hash = add_items(hash, p->items, base);
        else if (p->parts) hash = add_rows(hash, p->parts, base);
        else hash = add_value(hash, p, base);
    }
    return hash;
}

uint64_t rill_scene_hash(const rill_scene *scene)
{
    /* The engine's own speed of sound may rest on how long a scene is to last. */
    return add_rows(add_number(0, rill_world_expected_speed(scene)), rill_scene_table(), scene);
}

/* Numbers of a scene that change while its world runs. What was changed, and what it was before, is part of the
 * state. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "text/string.h"
#include "world/table.h"
#include "world/world.h"

static uint64_t hash_of(const char *key)
{
    uint64_t hash = 0;
    for (; *key; key++) hash = rill_hash_add(hash, (unsigned char)*key);
    return hash;
}

/* ---- keys by their hashes ---- */

typedef struct wanted {
    uint64_t hash;
    rill_key *found;
} wanted;

static rill_key key_down(const rill_key *key, const char *word)
{
    rill_key down = *key;
    rill_string_join(down.text, sizeof down.text, ".", word);
    return down;
}

static bool look_in(const rill_param *table, const void *base, const rill_key *key, const wanted *w);

/* Long lists hold no number that may change. */
static bool is_live(const rill_param *table)
{
    for (rill_param_rows r = rill_param_rows_of(table); r.row; rill_param_rows_next(&r)) {
        const rill_param *below = r.row->items ? r.row->items->parts : r.row->parts;
        if (below ? is_live(below) : r.row->live) return true;
    }
    return false;
}

static bool look_at_items(const rill_items *items, const void *base, const rill_key *key, const wanted *w)
{
    const rill_item_list list = rill_items_of(items, base);
    for (uint32_t i = 0; i < list.count && is_live(items->parts); i++) {
        const char *item = list.first + i * items->size;
        char number[16];
        snprintf(number, sizeof number, "%u", i);
        const rill_key down = key_down(key, items->named ? item : number);
        if (look_in(items->parts, item, &down, w)) return true;
    }
    return false;
}

static bool look_at(const rill_param *p, const void *base, const rill_key *key, const wanted *w)
{
    if (p->items) return look_at_items(p->items, base, key, w);
    if (p->parts) return look_in(p->parts, base, key, w);
    if (!p->live) return false;
    for (int a = 0; a < (p->type == RILL_PARAM_VECTOR ? 3 : 1); a++) {
        const rill_key whole = p->type == RILL_PARAM_VECTOR ? key_down(key, (const char *[]){"x", "y", "z"}[a]) : *key;
        if (hash_of(whole.text) != w->hash) continue;
        *w->found = whole;
        return true;
    }
    return false;
}

static bool look_in(const rill_param *table, const void *base, const rill_key *key, const wanted *w)
{
    for (rill_param_rows r = rill_param_rows_of(table); r.row; rill_param_rows_next(&r)) {
        const rill_key down = key_down(key, r.row->name);
        if (look_at(r.row, base, &down, w)) return true;
    }
    return false;
}

static bool key_of_hash(const rill_scene *scene, uint64_t hash, rill_key *key)
{
    return look_in(rill_scene_table(), scene, &(rill_key){""}, &(wanted){hash, key});
}

/* ---- the world takes them ---- */

void rill_world_tune(rill_world *world)
{
    const rill_scene *scene = &world->scene;
    rill_sph *sph = &world->sph;
    sph->grip = 0;
    for (uint32_t f = 0; f < scene->fluid_count; f++) {
        const rill_fluid *fluid = &scene->fluids[f];
        sph->viscosity[f] = (float)fluid->viscosity;
        sph->tension[f] = fluid->tension_kind ? (float)fluid->tension : 0;
        sph->adhesion[f] = (float)fluid->adhesion;
    }
    for (uint32_t b = 0; b < scene->boundary_count; b++) sph->grip = fmax(sph->grip, 1 - scene->boundaries[b].slip);
    for (uint32_t b = 0; b < world->body_count; b++) {
        rill_body *body = &world->bodies[b];
        const rill_boundary *def = &scene->boundaries[b];
        const bool same = body->grip == 1 - def->slip && !memcmp(&body->slide, &def->slide, sizeof body->slide);
        body->grip = 1 - def->slip;
        body->slide = def->slide;
        world->walls_stale = world->walls_stale || !same;
    }
    const double fast = 10 * rill_world_expected_speed(scene);
    world->sound_speed = scene->solver.sound_speed > 0 ? scene->solver.sound_speed : fast;
    world->speed_limit = scene->speed_limit > 0 ? scene->speed_limit : fmax(fast, world->sound_speed);
    rill_scene resolved = *scene;
    resolved.solver.density_error = rill_scene_density_error(scene);
    resolved.solver.sound_speed = world->sound_speed;
    if (world->solver && world->solver->tune) world->solver->tune(world->solver_state, &resolved);
    for (uint32_t f = 0; f < world->force_count; f++)
        if (world->forces[f].method->tune) world->forces[f].method->tune(world->forces[f].state, &resolved);
}

/* A force that the scene asks for now and that was not there when the world was made; NULL: there is none. */
static const rill_force *missing_force(const rill_world *world)
{
    const rill_force *force;
    for (uint32_t f = 0; (force = rill_force_at(f, world->ops->variant)); f++) {
        bool there = false;
        for (uint32_t k = 0; k < world->force_count; k++) there = there || world->forces[k].method == force;
        if (!there && force->active(&world->sph, &world->scene)) return force;
    }
    return NULL;
}

/* The scene has other numbers now; refused where the world cannot follow. */
static rill_status follow(rill_world *world, rill_error *err)
{
    const rill_status status = rill_scene_check(&world->scene, err);
    if (status) return status;
    rill_world_tune(world);
    const rill_force *missing = missing_force(world);
    if (!missing) return RILL_OK;
    return rill_fail(err, RILL_BAD_INPUT,
                     "The force %s was not there when the world was made, so it cannot begin to act; give "
                     "it a value above 0 in the scene.",
                     missing->name);
}

/* Sets a number whose key is known to be right. */
static void put(rill_world *world, const char *key, double value)
{
    rill_scene_set(&world->scene, key, value, NULL);
}

/* ---- changes ---- */

static rill_change *change_of(const rill_world *world, const char *key)
{
    for (uint32_t i = 0; i < world->change_count; i++)
        if (!strcmp(world->changes[i].key.text, key)) return &world->changes[i];
    return NULL;
}

static rill_change *change_add(rill_world *world, const char *key, rill_error *err)
{
    rill_change *grown = rill_realloc(world->changes, (world->change_count + 1) * sizeof *grown);
    if (!grown) {
        rill_memory_fail(err, sizeof *grown, "a change of the scene");
        return NULL;
    }
    world->changes = grown;
    rill_change *c = &grown[world->change_count];
    *c = (rill_change){.hash = hash_of(key)};
    snprintf(c->key.text, sizeof c->key.text, "%s", key);
    rill_scene_get(&world->scene, key, &c->before, NULL);
    return c;
}

rill_status rill_world_change(rill_world *world, const char *key, double value, rill_error *err)
{
    rill_key known;
    double old;
    rill_status status = rill_scene_get(&world->scene, key, &old, err);
    if (status) return status;
    if (!key_of_hash(&world->scene, hash_of(key), &known))
        return rill_fail(err, RILL_BAD_INPUT, "%s cannot change while a world runs; make a new world.", key);
    rill_change *c = change_of(world, key);
    const bool first = !c;
    if (first) c = change_add(world, key, err);
    if (!c) return RILL_NO_MEMORY;
    status = rill_scene_set(&world->scene, key, value, err);
    if (!status) status = follow(world, err);
    if (status) {
        put(world, key, old);
        rill_world_tune(world);
        return status;
    }
    world->change_count += first;
    c->value = value;
    return RILL_OK;
}

/* ---- states ---- */

static void swap_changes(rill_world *world, rill_change **list, uint32_t *count)
{
    rill_change *other = *list;
    const uint32_t others = *count;
    *list = world->changes, *count = world->change_count;
    world->changes = other, world->change_count = others;
}

/* Undoes all changes, the newest first. */
static void undo(rill_world *world)
{
    for (uint32_t i = world->change_count; i-- > 0;) put(world, world->changes[i].key.text, world->changes[i].before);
}

static void redo(rill_world *world)
{
    for (uint32_t i = 0; i < world->change_count; i++) put(world, world->changes[i].key.text, world->changes[i].value);
}

/* Makes the changes of a state on a scene without any. */
static rill_status make_changes(rill_world *world, const rill_array *keys, const rill_array *values, rill_error *err)
{
    rill_status status = RILL_OK;
    for (uint64_t i = 0; !status && keys && i < keys->count; i++) {
        const uint64_t hash = ((const uint64_t *)keys->data)[i * keys->stride];
        const double value = ((const double *)values->data)[i * values->stride];
        rill_key key;
        if (!key_of_hash(&world->scene, hash, &key))
            return rill_fail(err, RILL_BAD_FILE, "The saved state changes a number that scene %s does not have.",
                             world->scene.name);
        rill_change *c = change_add(world, key.text, err);
        if (!c) return RILL_NO_MEMORY;
        c->value = value;
        world->change_count++;
        status = rill_scene_set(&world->scene, key.text, value, err);
    }
    return status ? status : follow(world, err);
}

rill_status rill_world_take_changes(rill_world *world, const rill_array *keys, const rill_array *values,
                                    rill_error *err)
{
    if (!keys && !world->change_count) return RILL_OK;
    if (keys && (!values || keys->type != RILL_U64 || values->type != RILL_F64 || keys->lanes != 1 ||
                 values->lanes != 1 || keys->count != values->count || keys->count > RILL_CHANGES_MOST))
        return rill_fail(err, RILL_BAD_FILE,
                         "The saved arrays 'changed_key' and 'changed_value' do not belong together.");
    rill_change *before = NULL;
    uint32_t count = 0;
    undo(world);
    swap_changes(world, &before, &count);
    const rill_status status = make_changes(world, keys, values, err);
    if (status) {
        undo(world);
        swap_changes(world, &before, &count);
        redo(world);
        rill_world_tune(world);
    }
    rill_free(before);
    return status;
}

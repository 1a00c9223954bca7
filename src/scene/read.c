/* Reading: every map of the tree is matched against its part of the table.
 * Parameters are read in the table's order, not the text's, so that a value may
 * depend on another one wherever that stands. */
#include "scene/read.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "geom/pose.h"
#include "rill/world.h"
#include "scene/colour.h"
#include "scene/name.h"
#include "scene/rows.h"
#include "scene/suggest.h"
#include "text/chars.h"
#include "text/string.h"
#include "world/table.h"

typedef struct reader {
    rill_scene *scene;
    rill_unit_scale scale; /* what units may stand on: the diameter, once known, and the density of a fluid */
    const rill_node *item; /* the map of the struct being read */
    char path[200];        /* of what is being read, such as fill.0.box.to */
    rill_error *err;
} reader;

/* Goes down one level; returns what path_leave needs to come back. */
static size_t path_enter(reader *r, const char *name)
{
    const size_t length = strlen(r->path);
    rill_string_join(r->path, sizeof r->path, ".", rill_chars_excerpt(name).text);
    return length;
}

static void path_leave(reader *r, size_t length)
{
    r->path[length] = 0;
}

static rill_status fail(reader *r, const rill_node *node, const char *what)
{
    return rill_place_fail(&node->place, r->err, "%s %s.", r->path, what);
}

static rill_status fail_value(reader *r, const rill_node *node, const char *wants)
{
    return rill_place_fail(&node->place, r->err, "%s wants %s, but is '%s'.", r->path, wants,
                           rill_chars_excerpt(node->text).text);
}

static rill_status expect(reader *r, const rill_node *node, rill_node_kind kind, const char *wants)
{
    static const char *const given[] = {"a single value", "a list", "a map"};
    if (rill_tree_is_empty(node))
        return rill_place_fail(&node->key_place, r->err, "%s is empty, but wants %s.", r->path, wants);
    if (node->kind == kind) return RILL_OK;
    return rill_place_fail(&node->place, r->err, "%s wants %s, but is %s.", r->path, wants, given[node->kind]);
}

/* ---- numbers ---- */

static rill_status check_range(reader *r, const rill_node *node, const rill_reading *v, double value)
{
    char why[160];
    if (rill_param_in_range(v, value, why, sizeof why)) return RILL_OK;
    return rill_place_fail(&node->place, r->err, "%s %s, but is '%s'.", r->path, why,
                           rill_chars_excerpt(node->text).text);
}

static rill_status read_double(reader *r, const rill_node *node, const rill_reading *v, double *value)
{
    rill_status status = expect(r, node, RILL_NODE_SCALAR, rill_unit_noun(v->dimension));
    if (status) return status;
    char why[320];
    if (!rill_unit_read(node->text, v->dimension, r->scale, value, why, sizeof why)) return fail(r, node, why);
    return check_range(r, node, v, *value);
}

static rill_status read_turn(reader *r, const rill_node *node, const rill_param *p, rill_vec3 *out);

static rill_status read_vector(reader *r, const rill_node *node, const rill_param *p, void *base)
{
    if (p->turn && node->kind == RILL_NODE_MAP && !rill_tree_is_empty(node))
        return read_turn(r, node, p, (rill_vec3 *)((char *)base + p->offset));
    rill_status status = expect(r, node, RILL_NODE_LIST, "a list of three numbers, such as [0, 0, 1]");
    if (status) return status;
    const size_t count = rill_tree_count(node);
    if (count != 3)
        return rill_place_fail(&node->place, r->err, "%s wants a list of three numbers, but has %zu.", r->path, count);
    const rill_reading v = rill_param_variant(p, base);
    double values[3] = {0};
    const size_t length = strlen(r->path);
    for (size_t i = 0; i < 3 && !status; i++) {
        path_enter(r, (const char *[]){"x", "y", "z"}[i]);
        status = read_double(r, rill_tree_at(node, i), &v, &values[i]);
        path_leave(r, length);
    }
    if (status) return status;
    rill_vec3 *out = (rill_vec3 *)((char *)base + p->offset);
    const rill_vec3 from = p->type == RILL_PARAM_SIZE ? *(rill_vec3 *)((char *)base + p->base) : (rill_vec3){0, 0, 0};
    *out = (rill_vec3){values[0], values[1], values[2]};
    if (p->type == RILL_PARAM_SIZE) *out = (rill_vec3){out->x + from.x, out->y + from.y, out->z + from.z};
    return RILL_OK;
}

static rill_status read_integer(reader *r, const rill_node *node, const rill_param *p, void *out)
{
    const rill_status status = expect(r, node, RILL_NODE_SCALAR, "a whole number");
    if (status) return status;
    if (!*node->text || node->text[strspn(node->text, "0123456789")]) return fail_value(r, node, "a whole number");
    errno = 0;
    const unsigned long long value = strtoull(node->text, NULL, 10);
    const rill_reading v = {.range = p->range};
    if (errno) return fail(r, node, "wants a smaller number");
    const rill_status within = check_range(r, node, &v, (double)value);
    if (!within) *(int *)out = (int)value;
    return within;
}

/* ---- words ---- */

static void words_join(char *text, size_t size, const rill_word *words)
{
    for (; words->name; words++) {
        rill_string_append(text, size, words->name);
        rill_string_append(text, size, words[1].name ? ", " : "");
    }
}

static rill_status read_word(reader *r, const rill_node *node, const rill_word *words, size_t *value)
{
    char wants[160] = "one of ";
    words_join(wants, sizeof wants, words);
    const rill_status status = expect(r, node, RILL_NODE_SCALAR, wants);
    if (status) return status;
    const rill_word *word = rill_param_word_find(words, node->text);
    if (!word) return fail_value(r, node, wants);
    *value = word->value;
    return RILL_OK;
}

static rill_status read_words(reader *r, const rill_node *node, const rill_param *p, void *base)
{
    char wants[160] = "a list of words from ";
    words_join(wants, sizeof wants, p->words);
    rill_status status = expect(r, node, RILL_NODE_LIST, wants);
    uint32_t sides = 0;
    if (!status && p->type == RILL_PARAM_FLAGS)
        for (const rill_word *w = p->words; w->name; w++)
            if (w->value != RILL_WORD_ALWAYS) *((bool *)((char *)base + w->value)) = false;
    for (const rill_node *child = status ? NULL : node->first; child && !status; child = child->next) {
        size_t value = 0;
        status = read_word(r, child, p->words, &value);
        if (status) return status;
        if (p->type == RILL_PARAM_SIDES) sides |= (uint32_t)value;
        else if (value != RILL_WORD_ALWAYS) *((bool *)((char *)base + value)) = true;
    }
    if (!status && p->type == RILL_PARAM_SIDES) *(uint32_t *)((char *)base + p->offset) = sides;
    return status;
}

static rill_status read_choice(reader *r, const rill_node *node, const rill_param *p, void *base)
{
    size_t value = 0;
    const rill_status status = read_word(r, node, p->words, &value);
    if (!status) rill_param_set_int(base, p->offset, (int)value);
    return status;
}

static rill_status read_bool(reader *r, const rill_node *node, bool *out)
{
    const rill_status status = expect(r, node, RILL_NODE_SCALAR, "true or false");
    if (status) return status;
    *out = !strcmp(node->text, "true");
    return *out || !strcmp(node->text, "false") ? RILL_OK : fail_value(r, node, "true or false");
}

static rill_status read_method(reader *r, const rill_node *node, rill_method_kind kind, char *out)
{
    char wants[240] = "one of ";
    bool known = false;
    const char *name;
    for (uint32_t i = 0; (name = rill_method_name(kind, i)); i++) {
        if (i) rill_string_append(wants, sizeof wants, ", ");
        rill_string_append(wants, sizeof wants, name);
        known = known || (node->text && !strcmp(node->text, name));
    }
    const rill_status status = expect(r, node, RILL_NODE_SCALAR, wants);
    if (status) return status;
    if (!known || strlen(node->text) >= RILL_NAME_SIZE) return fail_value(r, node, wants);
    memset(out, 0, RILL_NAME_SIZE);
    strcpy(out, node->text);
    return RILL_OK;
}

static rill_status read_fluid(reader *r, const rill_node *node, uint32_t *out)
{
    const rill_status status = expect(r, node, RILL_NODE_SCALAR, "the name of a fluid");
    if (status) return status;
    char names[200] = "";
    for (uint32_t i = 0; i < r->scene->fluid_count; i++) {
        const char *name = r->scene->fluids[i].name;
        *out = i;
        if (!strcmp(name, node->text)) return RILL_OK;
        rill_string_join(names, sizeof names, ", ", name);
    }
    return rill_place_fail(&node->place, r->err, "%s names '%s', but there is no such fluid; there %s %s.", r->path,
                           rill_chars_excerpt(node->text).text, r->scene->fluid_count > 1 ? "are" : "is", names);
}

static const char *boundary_at(const void *scene, int i)
{
    const rill_scene *s = scene;
    return (uint32_t)i < s->boundary_count ? s->boundaries[i].name : NULL;
}

static rill_status read_boundary(reader *r, const rill_node *node, uint32_t *out)
{
    const rill_status status = expect(r, node, RILL_NODE_SCALAR, "the name of a boundary");
    if (status) return status;
    char hint[320] = "";
    for (uint32_t i = 0; i < r->scene->boundary_count; i++) {
        *out = i;
        if (!strcmp(r->scene->boundaries[i].name, node->text)) return RILL_OK;
        rill_string_join(hint, sizeof hint, ", ", r->scene->boundaries[i].name);
    }
    const char *nearest = rill_spelling_nearest(node->text, boundary_at, r->scene);
    const uint32_t count = r->scene->boundary_count;
    if (nearest) snprintf(hint, sizeof hint, "%s'?", nearest);
    return rill_place_fail(&node->place, r->err, "%s names '%s', but there is no such boundary; %s%s%s", r->path,
                           rill_chars_excerpt(node->text).text,
                           nearest     ? "did you mean '"
                           : count > 1 ? "there are "
                                       : count ? "there is " : "there is none",
                           hint, nearest ? "" : ".");
}

/* ---- text ---- */

static rill_status read_text(reader *r, const rill_node *node, char *out, size_t size)
{
    const rill_status status = expect(r, node, RILL_NODE_SCALAR, "text");
    if (status) return status;
    const size_t length = strlen(node->text);
    if (length >= size)
        return rill_place_fail(&node->place, r->err, "%s is %zu bytes long, but has room for %zu.", r->path, length,
                               size - 1);
    memset(out, 0, size);
    memcpy(out, node->text, length);
    return RILL_OK;
}

static rill_status read_name(reader *r, const rill_node *node, char *out)
{
    const rill_status status = expect(r, node, RILL_NODE_SCALAR, "a name");
    if (status) return status;
    const char *fault = rill_name_fault(node->text);
    if (fault)
        return rill_place_fail(&node->place, r->err, "the name '%s' %s.", rill_chars_excerpt(node->text).text, fault);
    return read_text(r, node, out, RILL_NAME_SIZE);
}

static rill_status read_colour(reader *r, const rill_node *node, uint32_t *out)
{
    const char *wants = "a colour: a name such as blue, or as in \"#3a7bd5\", in quotes";
    const rill_status status = expect(r, node, RILL_NODE_SCALAR, wants);
    if (status) return status;
    if (rill_colour_find(node->text, out)) return RILL_OK;
    const char *digits = node->text + (*node->text == '#');
    if (strlen(digits) != 6 || strspn(digits, "0123456789abcdefABCDEF") != 6) return fail_value(r, node, wants);
    *out = (uint32_t)strtoul(digits, NULL, 16);
    return RILL_OK;
}

/* ---- groups, maps and lists ---- */

static rill_status read_parts(reader *r, const rill_node *node, const rill_param *table, void *base,
                              const void *initial);

/* A turn about an axis of any length, and the vector along it that stands for both. */
typedef struct turn {
    rill_vec3 axis;
    double angle; /* rad, or rad/s */
} turn;

#define TURN_PARTS(name, dimension)                                                                                    \
    {                                                                                                                  \
        {"axis", RILL_PARAM_VECTOR, .offset = offsetof(turn, axis), .required = true},                                 \
            {name, RILL_PARAM_NUMBER, dimension, .offset = offsetof(turn, angle), .required = true},                   \
        {                                                                                                              \
            0                                                                                                          \
        }                                                                                                              \
    }
static const rill_param turn_parts[] = TURN_PARTS("angle", RILL_ANGLE);
static const rill_param spin_parts[] = TURN_PARTS("speed", RILL_SPIN);

static rill_status read_turn(reader *r, const rill_node *node, const rill_param *p, rill_vec3 *out)
{
    turn given = {.angle = 0}, initial = given;
    const rill_status status =
        read_parts(r, node, p->dimension == RILL_SPIN ? spin_parts : turn_parts, &given, &initial);
    if (status) return status;
    const rill_vec3 unit = rill_unit_vector(given.axis);
    if (!(rill_vec3_length(unit) > 0)) return fail(r, node, "has no direction: its axis is zero");
    *out = rill_vec3_scale(unit, given.angle);
    return RILL_OK;
}

static rill_status read_item(reader *r, const rill_node *node, const rill_items *items, void *owner)
{
    rill_item item, initial;
    memset(&item, 0, sizeof item);
    memset(&initial, 0, sizeof initial);
    items->init(&item);
    items->init(&initial);
    if (items->named) {
        const char *fault = rill_name_fault(node->key);
        if (fault)
            return rill_place_fail(&node->key_place, r->err, "the name '%s' of a %s %s.",
                                   rill_chars_excerpt(node->key).text, items->noun, fault);
        memset(item.name, 0, sizeof item.name);
        strcpy(item.name, node->key);
    }
    const rill_node *outer = r->item;
    r->item = node;
    rill_status status = read_parts(r, node, items->parts, &item, &initial);
    r->item = outer;
    if (!status) status = items->add(owner, &item, r->err);
    if (items->free) items->free(&item);
    return status;
}

static rill_status read_items(reader *r, const rill_node *node, const rill_items *items, void *owner)
{
    const bool named = items->named;
    char wants[64];
    snprintf(wants, sizeof wants, named ? "a map of named %s" : "a list of %s", items->plural);
    rill_status status = expect(r, node, named ? RILL_NODE_MAP : RILL_NODE_LIST, wants);
    size_t index = 0;
    for (const rill_node *child = status ? NULL : node->first; child && !status; child = child->next) {
        char number[24];
        snprintf(number, sizeof number, "%zu", index++);
        const size_t length = path_enter(r, named ? child->key : number);
        status = read_item(r, child, items, owner);
        path_leave(r, length);
    }
    return status;
}

/* The items in the rows of a file, which is looked for beside the text that names it. A setting stands in no file. */
static rill_status read_file(reader *r, const rill_node *node, const rill_items *items, void *owner)
{
    rill_status status = expect(r, node, RILL_NODE_SCALAR, "the path of a CSV file");
    if (status) return status;
    const char *slash = node->place.setting || *node->text == '/' ? NULL : strrchr(node->place.label, '/');
    char *path = rill_string_make("%.*s%s", slash ? (int)(slash + 1 - node->place.label) : 0, node->place.label,
                                  node->text);
    if (!path) return rill_place_no_memory(r->err);
    rill_node *rows = NULL;
    status = rill_rows_read(path, node, items, &rows, r->err);
    if (!status) status = read_items(r, rows, items, owner);
    rill_tree_free(rows);
    rill_free(path);
    return status;
}

static rill_status read_value(reader *r, const rill_node *node, const rill_param *p, void *base, const void *initial)
{
    char *out = (char *)base + rill_param_offset(p);
    const rill_reading variant = rill_param_variant(p, base);
    r->scale.density = p->density ? *(double *)((char *)base + p->density) : 0;
    if (p->chooses) rill_param_set_int(base, p->chooses->offset, p->choice);
    switch (p->type) {
    case RILL_PARAM_NUMBER: return read_double(r, node, &variant, (double *)out);
    case RILL_PARAM_VECTOR:
    case RILL_PARAM_SIZE: return read_vector(r, node, p, base);
    case RILL_PARAM_INTEGER: return read_integer(r, node, p, out);
    case RILL_PARAM_BOOL: return read_bool(r, node, (bool *)out);
    case RILL_PARAM_NAME: return read_name(r, node, out);
    case RILL_PARAM_TEXT: return read_text(r, node, out, RILL_TEXT_SIZE);
    case RILL_PARAM_METHOD: return read_method(r, node, p->method, out);
    case RILL_PARAM_COLOUR: return read_colour(r, node, (uint32_t *)out);
    case RILL_PARAM_CHOICE: return read_choice(r, node, p, base);
    case RILL_PARAM_FLAGS:
    case RILL_PARAM_SIDES: return read_words(r, node, p, base);
    case RILL_PARAM_FLUID: return read_fluid(r, node, (uint32_t *)out);
    case RILL_PARAM_BOUNDARY: return read_boundary(r, node, (uint32_t *)out);
    case RILL_PARAM_GROUP:
    case RILL_PARAM_METHODS: break;
    case RILL_PARAM_MAP:
    case RILL_PARAM_LIST: return read_items(r, node, p->items, base);
    case RILL_PARAM_FILE: return read_file(r, node, p->rows, base);
    }
    return read_parts(r, node, p->parts, base, initial);
}

/* The key that is given instead of a parameter; NULL: there is none. */
static const rill_node *find_instead(const rill_node *map, const rill_param *p)
{
    const rill_node *found = NULL;
    for (const char *const *key = p->instead; key && *key && !found; key++)
        if (strcmp(*key, p->name)) found = rill_tree_find(map, *key);
    return found;
}

/* 'box', 'sphere' or 'plane'. */
static void keys_join(char *text, size_t size, const rill_param *p)
{
    snprintf(text, size, "'%s'", p->name);
    for (const char *const *key = p->instead; key && *key; key++) {
        if (!strcmp(*key, p->name)) continue;
        const bool last = !key[1] || (!key[2] && !strcmp(key[1], p->name));
        rill_string_append(text, size, last ? " or '" : ", '");
        rill_string_append(text, size, *key);
        rill_string_append(text, size, "'");
    }
}

/* A parameter that is not there keeps its default, unless it has none. */
static rill_status read_absent(reader *r, const rill_node *map, const rill_param *p, void *base, const void *initial)
{
    if (find_instead(map, p)) return RILL_OK;
    if (p->required) {
        char keys[160];
        keys_join(keys, sizeof keys, p);
        return rill_place_fail(&map->key_place, r->err, "%s needs %s.", r->path, keys);
    }
    if (!p->variants) return RILL_OK;
    const rill_reading v = rill_param_variant(p, base);
    char *out = (char *)base + rill_param_offset(p);
    if (v.fixed && p->type == RILL_PARAM_BOOL) *(bool *)out = v.fallback != 0;
    else if (v.fixed) *(double *)out = v.fallback;
    if (v.fixed) return RILL_OK;
    const int chosen = rill_param_get_int(base, p->by->offset);
    if (chosen == rill_param_get_int(initial, p->by->offset)) return RILL_OK;
    return rill_place_fail(&map->key_place, r->err, "%s needs '%s' with %s '%s': %s, such as %s.", r->path, p->name,
                           p->by->key, rill_param_word(p->by->words, (size_t)chosen), rill_unit_noun(v.dimension),
                           rill_unit_example(v.dimension));
}

/* A parameter without meaning here is refused, unless a setting changed what
 * the text had meant: settings can replace a key but not take one away. */
static rill_status read_meaningless(reader *r, const rill_node *map, const rill_node *node, const rill_param *p,
                                    const void *base)
{
    const char *key = p->by ? p->by->key : "kind";
    const char *word = p->by ? rill_param_word(p->by->words, (size_t)rill_param_get_int(base, p->by->offset))
                             : ((const rill_probe *)base)->kind;
    const rill_node *selector = rill_tree_find(map, key);
    if (!selector) selector = rill_tree_find(r->item, word);
    if (selector && selector->place.setting && !node->place.setting) return RILL_OK;
    return rill_place_fail(&node->key_place, r->err, "%s has no meaning with %s '%s'; leave it out.", r->path, key,
                           word);
}

/* Whether the key has a meaning here as another row has it: a point is of a quantity, a force of a boundary. */
static bool is_read_otherwise(const rill_param *table, const rill_param *p, const void *base)
{
    for (rill_param_rows rows = rill_param_rows_of(table); rows.row; rill_param_rows_next(&rows))
        if (rows.row != p && !strcmp(rows.row->name, p->name) && rill_param_applies(rows.row, base)) return true;
    return false;
}

static rill_status read_param(reader *r, const rill_node *map, const rill_param *table, const rill_param *p, void *base,
                              const void *initial)
{
    const rill_node *node = rill_tree_find(map, p->name);
    if (node && !rill_param_applies(p, base) && is_read_otherwise(table, p, base)) return RILL_OK;
    if (!node) return rill_param_applies(p, base) ? read_absent(r, map, p, base, initial) : RILL_OK;
    const rill_node *other = find_instead(map, p);
    if (other)
        return rill_place_fail(&node->key_place, r->err, "%s has both '%s' and '%s'; keep one.", r->path, p->name,
                               other->key);
    const size_t length = path_enter(r, p->name);
    const bool applies = rill_param_applies(p, base);
    const rill_status status =
        applies ? read_value(r, node, p, base, initial) : read_meaningless(r, map, node, p, base);
    path_leave(r, length);
    return status;
}

static rill_status read_parts(reader *r, const rill_node *node, const rill_param *table, void *base,
                              const void *initial)
{
    rill_status status = expect(r, node, RILL_NODE_MAP, "a map of keys and values");
    if (status) return status;
    for (const rill_node *child = node->first; child; child = child->next) {
        if (!rill_param_find(table, child->key))
            return rill_suggest_key(&child->key_place, r->path, table, child->key, r->err);
        const rill_node *same = rill_tree_find(node, child->key);
        if (same != child)
            return rill_place_fail(&child->key_place, r->err, "'%s' and '%s' are the same key; keep one.", same->key,
                                   child->key);
    }
    for (rill_param_rows rows = rill_param_rows_of(table); rows.row && !status; rill_param_rows_next(&rows)) {
        const rill_param *p = rows.row;
        status = read_param(r, node, table, p, base, initial);
        /* From here on lengths may be given in diameters. */
        if (base == r->scene && p->offset == offsetof(rill_scene, particle_diameter) && p->type == RILL_PARAM_NUMBER)
            r->scale.diameter = r->scene->particle_diameter;
    }
    return status;
}

rill_status rill_read_scene(const rill_node *root, rill_scene *scene, rill_error *err)
{
    const rill_scene initial = rill_scene_default();
    reader r = {.scene = scene, .item = root, .err = err};
    *scene = initial;
    if (root->kind != RILL_NODE_MAP) return rill_place_fail(&root->place, err, "a scene is a map of keys and values.");
    const rill_status status = read_parts(&r, root, rill_scene_table(), scene, &initial);
    if (!status) return RILL_OK;
    rill_scene_free(scene);
    *scene = initial;
    return status;
}

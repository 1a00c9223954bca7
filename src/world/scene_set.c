/* Numbers of a scene by their keys. */
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"
#include "world/table.h"

/* A number found by its key. */
typedef struct number {
    const rill_param *row;
    void *base; /* the struct it is kept in */
    double *at; /* NULL: it is kept as a whole number, at the row's offset */
} number;

/* Takes the first word off a key with dots. */
static const char *next_word(const char *key, char word[RILL_NAME_SIZE])
{
    const size_t length = strcspn(key, ".");
    snprintf(word, RILL_NAME_SIZE, "%.*s", (int)length, key);
    return key + length + (key[length] == '.');
}

static void *find_item(const rill_items *items, const void *base, const char *word)
{
    const rill_item_list list = rill_items_of(items, base);
    for (uint32_t i = 0; i < list.count; i++) {
        const char *item = list.first + i * items->size;
        char index[16];
        snprintf(index, sizeof index, "%u", i);
        if (!strcmp(items->named ? item : index, word)) return (void *)item;
    }
    return NULL;
}

static bool find(const rill_param *table, void *base, const char *key, number *found)
{
    char word[RILL_NAME_SIZE];
    const char *rest = next_word(key, word);
    const rill_param *p = rill_param_find(table, word);
    if (!p) return false;
    /* A box has no radius. */
    if (p->chooses && rill_param_get_int(base, p->chooses->offset) != p->choice) return false;
    if (p->parts) return find(p->parts, base, rest, found);
    if (p->items) {
        const char *below = next_word(rest, word);
        void *item = find_item(p->items, base, word);
        return item && find(p->items->parts, item, below, found);
    }
    *found = (number){.row = p, .base = base};
    if (p->type == RILL_PARAM_INTEGER) return !*rest;
    found->at = (double *)((char *)base + rill_param_offset(p));
    if (p->type == RILL_PARAM_NUMBER) return !*rest;
    if (p->type != RILL_PARAM_VECTOR || strlen(rest) != 1 || !strchr("xyz", *rest)) return false;
    found->at += *rest - 'x';
    return true;
}

static rill_status find_number(const rill_scene *scene, const char *key, number *found, rill_error *err)
{
    if (!find(rill_scene_table(), (void *)scene, key, found))
        return rill_fail(err, RILL_BAD_INPUT, "The scene has no number '%s'.", key);
    if (!rill_param_applies(found->row, found->base))
        return rill_fail(err, RILL_BAD_INPUT, "%s has no meaning in this scene.", key);
    return RILL_OK;
}

rill_status rill_scene_get(const rill_scene *scene, const char *key, double *value, rill_error *err)
{
    number found;
    const rill_status status = find_number(scene, key, &found, err);
    if (!status) *value = found.at ? *found.at : rill_param_get_int(found.base, found.row->offset);
    return status;
}

rill_status rill_scene_set(rill_scene *scene, const char *key, double value, rill_error *err)
{
    number found;
    char why[160];
    const rill_status status = find_number(scene, key, &found, err);
    if (status) return status;
    const rill_reading reading = rill_param_variant(found.row, found.base);
    if (!rill_param_in_range(&reading, value, why, sizeof why))
        return rill_fail(err, RILL_BAD_INPUT, "%s %s, but is %g.", key, why, value);
    if (found.at) *found.at = value;
    else if (value != (int)value)
        return rill_fail(err, RILL_BAD_INPUT, "%s wants a whole number, but is %g.", key, value);
    else rill_param_set_int(found.base, found.row->offset, (int)value);
    return RILL_OK;
}

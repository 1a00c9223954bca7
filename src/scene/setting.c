/* A setting walks down the table and the tree side by side: the table says
 * which keys there are, the tree which things have been named. */
#include "scene/setting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world/table.h"
#include "scene/suggest.h"
#include "text/chars.h"
#include "text/string.h"

typedef struct walk {
    rill_place place;
    const char *rest;        /* of the key, not yet walked */
    const rill_param *table; /* keys of the map that node is */
    rill_node *node;
    rill_node *value; /* to be put at the end of the walk */
    rill_error *err;
    char path[200]; /* walked so far */
} walk;

static rill_status no_memory(walk *w)
{
    return rill_place_no_memory(w->err);
}

/* Takes the next word of the key, up to a dot. */
static size_t next_length(const walk *w)
{
    return strcspn(w->rest, ".");
}

/* Steps over `length` bytes of the key and the dot behind them; true when that was the last word. */
static bool advance(walk *w, size_t length)
{
    char word[RILL_NAME_SIZE];
    snprintf(word, sizeof word, "%.*s", (int)length, w->rest);
    rill_string_join(w->path, sizeof w->path, ".", word);
    w->rest += length;
    if (!*w->rest) return true;
    w->rest++;
    return false;
}

/* Puts the value, or an empty map to walk on in, at the key; returns what is there now, or NULL without memory. */
static rill_node *put(rill_node *map, rill_node *old, const char *key, size_t length, rill_node *value)
{
    if (old) rill_tree_replace(map, old, value);
    else if (!rill_tree_set_key(value, key, length)) return NULL;
    else rill_tree_append(map, value);
    return value;
}

static rill_status put_value(walk *w, rill_node *old, const char *key, size_t length)
{
    if (!put(w->node, old, key, length, w->value)) return no_memory(w);
    w->value = NULL;
    return RILL_OK;
}

/* The maps and lists on the way must be what the table says they are. */
static rill_status check_kind(walk *w, const rill_node *node, bool list)
{
    if (node->kind == (list ? RILL_NODE_LIST : RILL_NODE_MAP)) return RILL_OK;
    return rill_place_fail(&node->place, w->err, "%s wants a %s.", w->path, list ? "list" : "map of keys and values");
}

static rill_status fail_no_item(walk *w, const rill_items *items, const char *name)
{
    char names[200] = "";
    for (const rill_node *child = w->node->first; child; child = child->next) {
        rill_string_join(names, sizeof names, ", ", child->key);
    }
    return rill_place_fail(&w->place, w->err, "there is no %s '%s'; the %s are: %s.", items->noun,
                           rill_chars_excerpt(name).text, items->plural, *names ? names : "none");
}

/* The named item at the front of the key. A name may hold dots, so the longest that fits wins. */
static rill_node *find_named(const walk *w)
{
    rill_node *found = NULL;
    for (rill_node *child = w->node->first; child; child = child->next) {
        const size_t length = strlen(child->key);
        const bool fits = !strncmp(child->key, w->rest, length) && (w->rest[length] == '.' || !w->rest[length]);
        if (fits && (!found || length > strlen(found->key))) found = child;
    }
    return found;
}

static rill_status walk_named(walk *w, const rill_items *items)
{
    rill_node *item = find_named(w);
    if (!item && !strchr(w->rest, '.') && *w->rest) return put_value(w, NULL, w->rest, strlen(w->rest));
    if (!item) return fail_no_item(w, items, w->rest);
    if (advance(w, strlen(item->key))) return put_value(w, item, NULL, 0);
    w->node = item;
    w->table = items->parts;
    return check_kind(w, item, false);
}

static rill_status walk_indexed(walk *w, const rill_items *items)
{
    const size_t length = next_length(w), count = rill_tree_count(w->node);
    const bool is_number = length && length < 10 && strspn(w->rest, "0123456789") == length;
    const size_t index = is_number ? strtoul(w->rest, NULL, 10) : 0;
    rill_node *item = is_number ? rill_tree_at(w->node, index) : NULL;
    if (!item && is_number && index == count && !w->rest[length]) {
        rill_tree_append(w->node, w->value);
        w->value = NULL;
        advance(w, length);
        return RILL_OK;
    }
    if (!item)
        return rill_place_fail(&w->place, w->err, "%s holds %zu %s, numbered from 0, but none at '%s'.", w->path, count,
                               count == 1 ? items->noun : items->plural, rill_chars_excerpt(w->rest).text);
    if (advance(w, length)) return put_value(w, item, NULL, 0);
    w->node = item;
    w->table = items->parts;
    return check_kind(w, item, false);
}

/* The node at the key, made when it is not there yet, to walk on in. */
static rill_status enter(walk *w, const rill_param *p, rill_node *old)
{
    const bool list = p->type == RILL_PARAM_LIST;
    rill_node *node = old;
    if (!node) {
        node = rill_tree_node(list ? RILL_NODE_LIST : RILL_NODE_MAP, &w->place);
        if (!node) return no_memory(w);
        if (!put(w->node, NULL, p->name, strlen(p->name), node)) {
            rill_tree_free(node);
            return no_memory(w);
        }
    }
    const rill_status status = check_kind(w, node, list);
    if (status) return status;
    w->node = node;
    w->table = p->parts;
    if (!p->items) return RILL_OK;
    return p->items->named ? walk_named(w, p->items) : walk_indexed(w, p->items);
}

/* One key of the table: the value if it is the last, else a step down. */
static rill_status walk_key(walk *w)
{
    char key[RILL_NAME_SIZE];
    const size_t length = next_length(w);
    snprintf(key, sizeof key, "%.*s", (int)length, w->rest);
    const rill_param *p = rill_param_find(w->table, key);
    if (!p) return rill_suggest_key(&w->place, w->path, w->table, key, w->err);
    rill_node *old = rill_tree_find(w->node, key);
    /* Setting a box where there was a sphere means: no longer a sphere. */
    for (const char *const *one = p->instead; one && *one; one++) {
        rill_node *other = strcmp(*one, p->name) ? rill_tree_find(w->node, *one) : NULL;
        if (other) rill_tree_remove(w->node, other);
    }
    if (advance(w, length)) return put_value(w, old, p->name, strlen(p->name));
    if (p->parts || p->items) return enter(w, p, old);
    return rill_place_fail(&w->place, w->err, "%s has no '%s' of its own; set it as a whole.", w->path,
                           rill_chars_excerpt(w->rest).text);
}

/* A value in brackets, braces or quotes is YAML; any other is taken as it
 * stands, so that #3a7bd5 is a colour and not a comment. */
static rill_status value_read(const char *text, const rill_place *place, rill_node **value, rill_error *err)
{
    text += strspn(text, " \t");
    if (*text && strchr("[{\"'", *text))
        return rill_tree_parse(text, strlen(text), place->label, place->setting, value, err);
    size_t length = strlen(text);
    while (length && strchr(" \t\r\n", text[length - 1])) length--;
    if (length && !rill_chars_is_utf8(text)) return rill_place_fail(place, err, "the value is not UTF-8 text.");
    *value = rill_tree_scalar(text, length, place);
    return *value ? RILL_OK : rill_place_no_memory(err);
}

/* The key without the blanks around it. */
static char *key_copy(const char *setting, size_t length)
{
    while (length && strchr(" \t", *setting)) setting++, length--;
    while (length && strchr(" \t", setting[length - 1])) length--;
    return rill_string_part(setting, length);
}

rill_status rill_setting_apply(rill_node *root, const char *setting, rill_error *err)
{
    walk w = {.place = {.label = root->place.label, .setting = setting}, .node = root, .err = err};
    const char *equals = strchr(setting, '=');
    if (!equals) return rill_place_fail(&w.place, err, "a setting is written key=value, such as time.end=3 s.");
    if (root->kind != RILL_NODE_MAP) return rill_place_fail(&root->place, err, "a scene is a map of keys and values.");
    char *key = key_copy(setting, (size_t)(equals - setting));
    if (!key) return rill_place_no_memory(err);
    w.rest = key;
    w.table = rill_scene_table();
    rill_status status = value_read(equals + 1, &w.place, &w.value, err);
    while (!status && w.value) status = walk_key(&w);
    rill_tree_free(w.value);
    rill_free(key);
    return status;
}

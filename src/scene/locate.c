/* The table knows which key is kept where, so it leads from a value of the scene to its place in the tree. */
#include "scene/locate.h"

#include <string.h>

#include "world/table.h"

static bool is_at(const rill_param *p, const void *base, const void *at)
{
    return rill_param_at(p, base) == at;
}

static bool holds(const rill_param *table, const void *base, const void *at);

/* The struct of a map or list in which it lies, or in a list of which it does, and its index; NULL: in none of them. */
static const char *item_of(const rill_items *items, const void *base, const void *at, size_t *index)
{
    const rill_item_list list = rill_items_of(items, base);
    for (*index = 0; *index < list.count; ++*index) {
        const char *item = list.first + *index * items->size;
        if ((const char *)at >= item && (const char *)at < item + items->size) return item;
        if (holds(items->parts, item, at)) return item;
    }
    return NULL;
}

/* Whether one of these parameters, or something in their lists, is kept there. */
static bool holds(const rill_param *table, const void *base, const void *at)
{
    for (rill_param_rows r = rill_param_rows_of(table); r.row; rill_param_rows_next(&r)) {
        const rill_param *p = r.row;
        size_t index;
        if (p->parts ? holds(p->parts, base, at) : p->items ? item_of(p->items, base, at, &index) != NULL
                                                            : is_at(p, base, at))
            return true;
    }
    return false;
}

static rill_place locate(const rill_node *map, const rill_param *table, const void *base, const void *at)
{
    for (rill_param_rows r = rill_param_rows_of(table); r.row; rill_param_rows_next(&r)) {
        const rill_param *p = r.row;
        const rill_node *node = rill_tree_find(map, p->name);
        size_t index;
        if (!node) continue;
        if (p->parts && holds(p->parts, base, at)) return locate(node, p->parts, base, at);
        const char *item = p->items ? item_of(p->items, base, at, &index) : NULL;
        if (item) return locate(rill_tree_at(node, index), p->items->parts, item, at);
        if (p->rows && item_of(p->rows, base, at, &index)) return node->place;
        if (!p->parts && !p->items && is_at(p, base, at)) return node->place;
    }
    return map->key_place;
}

rill_place rill_locate(const rill_node *root, const rill_scene *scene, const void *at)
{
    rill_node whole = *root;
    whole.key_place = (rill_place){.label = root->place.label};
    return at ? locate(&whole, rill_scene_table(), scene, at) : whole.key_place;
}

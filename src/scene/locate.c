/* The table knows which key is kept where, so it leads from a value of the scene to its place in the tree. */
#include "scene/locate.h"

#include <string.h>

#include "world/table.h"

static bool is_at(const rill_param *p, const void *base, const void *at)
{
    return rill_param_at(p, base) == at;
}

/* Whether one of these parameters is kept there. */
static bool holds(const rill_param *table, const void *base, const void *at)
{
    for (rill_param_rows r = rill_param_rows_of(table); r.row; rill_param_rows_next(&r)) {
        const rill_param *p = r.row;
        if (p->parts ? holds(p->parts, base, at) : !p->items && is_at(p, base, at)) return true;
    }
    return false;
}

/* The struct of a map or list in which it lies, and its index; NULL: in none of them. */
static const char *item_of(const rill_items *items, const rill_scene *scene, const void *at, size_t *index)
{
    const char *list;
    uint32_t count;
    memcpy(&list, (const char *)scene + items->list, sizeof list);
    memcpy(&count, (const char *)scene + items->count, sizeof count);
    for (*index = 0; *index < count; ++*index, list += items->size)
        if ((const char *)at >= list && (const char *)at < list + items->size) return list;
    return NULL;
}

static rill_place locate(const rill_node *map, const rill_param *table, const rill_scene *scene, const void *base,
                         const void *at)
{
    for (rill_param_rows r = rill_param_rows_of(table); r.row; rill_param_rows_next(&r)) {
        const rill_param *p = r.row;
        const rill_node *node = rill_tree_find(map, p->name);
        size_t index;
        if (!node) continue;
        if (p->parts && holds(p->parts, base, at)) return locate(node, p->parts, scene, base, at);
        const char *item = p->items ? item_of(p->items, scene, at, &index) : NULL;
        if (item) return locate(rill_tree_at(node, index), p->items->parts, scene, item, at);
        if (!p->parts && !p->items && is_at(p, base, at)) return node->place;
    }
    return map->key_place;
}

rill_place rill_locate(const rill_node *root, const rill_scene *scene, const void *at)
{
    rill_node whole = *root;
    whole.key_place = (rill_place){.label = root->place.label};
    return at ? locate(&whole, rill_scene_table(), scene, scene, at) : whole.key_place;
}

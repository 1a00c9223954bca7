/* Values of a scene that nothing reads. */
#include "rill/scene_text.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "text/string.h"
#include "world/table.h"

static bool differs(const rill_param *p, const void *base, const void *initial)
{
    const bool number = p->type == RILL_PARAM_NUMBER, flag = p->type == RILL_PARAM_BOOL;
    const size_t size = number ? sizeof(double) : flag ? sizeof(bool) : sizeof(int);
    return memcmp(rill_param_at(p, base), rill_param_at(p, initial), size) != 0;
}

/* The solver does not read it, nor does artificial viscosity. */
static bool solver_ignores(const rill_param *p, const rill_scene *scene, const void *base, const void *initial)
{
    if (p->in != RILL_IN_SOLVER && p->in != RILL_IN_ITERATIONS) return false;
    if (rill_param_read_by(p, RILL_METHOD_SOLVER, scene->solver.kind) || !differs(p, base, initial)) return false;
    for (uint32_t i = 0; i < scene->fluid_count && p->offset == offsetof(rill_scene, solver.sound_speed); i++)
        if (scene->fluids[i].viscosity_kind == RILL_VISCOSITY_ARTIFICIAL) return false;
    return true;
}

/* A value of whatever dimension is one of a kind that has none. */
static bool kind_ignores(const rill_param *p, const void *base)
{
    if (!p->variants || p->type != RILL_PARAM_NUMBER) return false;
    const rill_reading v = rill_param_variant(p, base);
    double value;
    memcpy(&value, rill_param_at(p, base), sizeof value);
    return v.dimension == RILL_ANY_DIMENSION && value != v.fallback;
}

typedef struct search {
    const rill_scene *scene;
    char *keys;
    size_t size;
    char path[240]; /* of what is looked at */
} search;

static void unused_in(search *s, const rill_param *table, const void *base, const void *initial);

static size_t path_enter(search *s, const char *name)
{
    const size_t length = strlen(s->path);
    rill_string_join(s->path, sizeof s->path, ".", name);
    return length;
}

static void unused_in_items(search *s, const rill_items *items, const void *base)
{
    const rill_item_list list = rill_items_of(items, base);
    for (uint32_t i = 0; i < list.count; i++) {
        const char *item = list.first + i * items->size;
        char number[16];
        rill_item initial = {0};
        items->init(&initial);
        snprintf(number, sizeof number, "%u", i);
        const size_t length = path_enter(s, items->named ? item : number);
        unused_in(s, items->parts, item, &initial);
        s->path[length] = 0;
    }
}

static void unused_in(search *s, const rill_param *table, const void *base, const void *initial)
{
    for (rill_param_rows r = rill_param_rows_of(table); r.row; rill_param_rows_next(&r)) {
        const rill_param *p = r.row;
        const size_t length = path_enter(s, p->name);
        if (p->parts) unused_in(s, p->parts, base, initial);
        else if (p->items) unused_in_items(s, p->items, base);
        else if (rill_param_applies(p, base) && (solver_ignores(p, s->scene, base, initial) || kind_ignores(p, base))) {
            rill_string_join(s->keys, s->size, ", ", s->path);
        }
        s->path[length] = 0;
    }
}

void rill_scene_unused(const rill_scene *scene, char *keys, size_t size)
{
    const rill_scene initial = rill_scene_default();
    search s = {.scene = scene, .keys = keys, .size = size};
    *keys = 0;
    unused_in(&s, rill_scene_table(), scene, &initial);
}

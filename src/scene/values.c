/* The keys of a scene and their values, one by one. */
#define _GNU_SOURCE /* open_memstream */
#include <string.h>

#include "rill/scene_text.h"
#include "scene/write.h"
#include "text/locale.h"
#include "text/string.h"
#include "world/table.h"

typedef struct walk {
    const rill_scene *scene;
    const char *under;
    void (*each)(void *user, const char *key, const char *value);
    void *user;
    rill_error *err;
    char path[240]; /* of what is looked at */
} walk;

static rill_status walk_table(walk *w, const rill_param *table, const void *base);

static size_t path_enter(walk *w, const char *name)
{
    const size_t length = strlen(w->path);
    rill_string_join(w->path, sizeof w->path, ".", name);
    return length;
}

static bool is_asked(const walk *w)
{
    const size_t length = strlen(w->under);
    return !length || (!strncmp(w->path, w->under, length) && (!w->path[length] || w->path[length] == '.'));
}

static rill_status value_tell(walk *w, const rill_param *p, const void *base)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    const char *fault = out ? rill_write_value(out, p, base, w->scene) : NULL;
    const bool whole = rill_string_end(out, &text);
    rill_status status = RILL_OK;
    if (!whole) status = rill_fail(w->err, RILL_NO_MEMORY, "There is no memory left to write a value of the scene.");
    else if (fault) status = rill_fail(w->err, RILL_BAD_INPUT, "The scene cannot be written: %s %s.", w->path, fault);
    else w->each(w->user, w->path, text);
    rill_free(text);
    return status;
}

static rill_status walk_items(walk *w, const rill_items *items, const void *base)
{
    const rill_item_list list = rill_items_of(items, base);
    rill_status status = RILL_OK;
    for (uint32_t i = 0; i < list.count && !status; i++) {
        const char *item = list.first + i * items->size;
        char number[16];
        snprintf(number, sizeof number, "%u", i);
        const size_t length = path_enter(w, items->named ? item : number);
        status = walk_table(w, items->parts, item);
        w->path[length] = 0;
    }
    return status;
}

static rill_status walk_table(walk *w, const rill_param *table, const void *base)
{
    rill_status status = RILL_OK;
    for (rill_param_rows r = rill_param_rows_of(table); r.row && !status; rill_param_rows_next(&r)) {
        const rill_param *p = r.row;
        if (!rill_write_is_due(p, base)) continue;
        const size_t length = path_enter(w, p->name);
        if (p->items) status = walk_items(w, p->items, base);
        else if (p->parts) status = walk_table(w, p->parts, base);
        else if (is_asked(w)) status = value_tell(w, p, base);
        w->path[length] = 0;
    }
    return status;
}

rill_status rill_scene_list_values(const rill_scene *scene, const char *under,
                                   void (*each)(void *user, const char *key, const char *value), void *user,
                                   rill_error *err)
{
    walk w = {.scene = scene, .under = under, .each = each, .user = user, .err = err};
    rill_locale locale = rill_locale_begin();
    const rill_status status = walk_table(&w, rill_scene_table(), scene);
    rill_locale_end(&locale);
    return status;
}

/* Nearest keys: first among those that could stand here, then the same word
 * elsewhere in the table, else all that could stand here. */
#include "scene/suggest.h"

#include <stdio.h>
#include <string.h>

#include "text/chars.h"
#include "text/spelling.h"
#include "text/string.h"
#include "world/table.h"

static const char *key_at(const void *table, int i)
{
    rill_param_rows rows = rill_param_rows_of(table);
    while (rows.row && i--) rill_param_rows_next(&rows);
    return rows.row ? rows.row->name : NULL;
}

/* Finds a parameter of that name anywhere below the table; path grows to it, with NAME and 0 for items. */
static bool find_elsewhere(const rill_param *table, const char *key, char *path, size_t size)
{
    const size_t length = strlen(path);
    for (rill_param_rows r = rill_param_rows_of(table); r.row; rill_param_rows_next(&r)) {
        const rill_param *p = r.row;
        path[length] = 0;
        rill_string_join(path, size, ".", p->name);
        if (!strcmp(p->name, key)) return true;
        if (p->items) rill_string_append(path, size, p->items->named ? ".NAME" : ".0");
        const rill_param *parts = p->items ? p->items->parts : p->parts;
        if (parts && find_elsewhere(parts, key, path, size)) return true;
    }
    path[length] = 0;
    return false;
}

rill_status rill_suggest_key(const rill_place *place, const char *path, const rill_param *table, const char *key,
                             rill_error *err)
{
    char hint[320] = "did you mean '", elsewhere[96] = "";
    const char *nearest = rill_spelling_nearest(key, key_at, table);
    if (nearest || find_elsewhere(rill_scene_table(), key, elsewhere, sizeof elsewhere)) {
        rill_string_append(hint, sizeof hint, nearest ? nearest : elsewhere);
        rill_string_append(hint, sizeof hint, "'?");
    } else {
        strcpy(hint, "the keys here are");
        for (rill_param_rows r = rill_param_rows_of(table); r.row; rill_param_rows_next(&r)) {
            rill_string_append(hint, sizeof hint, r.row == rill_param_rows_of(table).row ? " " : ", ");
            rill_string_append(hint, sizeof hint, r.row->name);
        }
        rill_string_append(hint, sizeof hint, ".");
    }
    return rill_place_fail(place, err, "unknown key '%s'%s%s; %s", rill_chars_excerpt(key).text, *path ? " in " : "",
                           path, hint);
}

/* Nearest keys: first among those that could stand here, then the same word
 * elsewhere in the table, else all that could stand here. */
#include "scene/suggest.h"

#include <stdio.h>
#include <string.h>

#include "text/chars.h"
#include "text/spelling.h"
#include "text/string.h"

static const char *key_at(const void *table, int i)
{
    return ((const rill_param *)table)[i].name;
}

/* Finds a parameter of that name anywhere below the table; path grows to it, with NAME and 0 for items. */
static bool find_elsewhere(const rill_param *table, const char *key, char *path, size_t size)
{
    const size_t length = strlen(path);
    for (; table->name; table++) {
        path[length] = 0;
        rill_string_join(path, size, ".", table->name);
        if (!strcmp(table->name, key)) return true;
        if (table->items) rill_string_append(path, size, table->items->named ? ".NAME" : ".0");
        const rill_param *parts = table->items ? table->items->parts : table->parts;
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
    if (nearest || find_elsewhere(rill_param_table(), key, elsewhere, sizeof elsewhere)) {
        rill_string_append(hint, sizeof hint, nearest ? nearest : elsewhere);
        rill_string_append(hint, sizeof hint, "'?");
    } else {
        strcpy(hint, "the keys here are ");
        for (const rill_param *p = table; p->name; p++) {
            rill_string_append(hint, sizeof hint, p->name);
            rill_string_append(hint, sizeof hint, p[1].name ? ", " : ".");
        }
    }
    return rill_place_fail(place, err, "unknown key '%s'%s%s; %s", rill_chars_excerpt(key).text, *path ? " in " : "",
                           path, hint);
}

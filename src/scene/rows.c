/* Rows of a CSV file become the nodes that a scene's own text would have become, so that reading them, units and errors
 * included, is what it is elsewhere. */
#include "scene/rows.h"

#include <string.h>

#include "base/store.h"
#include "scene/read.h"
#include "text/chars.h"
#include "text/csv.h"
#include "text/string.h"
#include "world/table.h"

enum { COLUMNS_MOST = 16 };

/* A number of an item: a parameter, or one of the three of a vector. */
typedef struct column {
    const rill_param *row;
    int axis;
} column;

typedef struct table {
    const char *label;
    const rill_items *items;
    const char *line; /* the first byte of the current line, and which it is */
    unsigned number;
    column columns[COLUMNS_MOST];
    size_t column_count, row_count;
    rill_error *err;
} table;

static rill_place place_of(const table *t, const char *at)
{
    return (rill_place){.label = t->label, .line = t->number, .column = (unsigned)(at - t->line) + 1};
}

static rill_csv_cell trimmed(rill_csv_cell cell)
{
    while (cell.size && strchr(" \t", *cell.text)) cell.text++, cell.size--;
    while (cell.size && strchr(" \t", cell.text[cell.size - 1])) cell.size--;
    return cell;
}

/* ---- the header ---- */

/* Whether a cell of the header names the parameter: "time", or "move.x", "move_x" or "move x". */
static bool names(rill_csv_cell cell, const rill_param *p, int *axis)
{
    const size_t length = strlen(p->name);
    if (cell.size < length || memcmp(cell.text, p->name, length)) return false;
    *axis = 0;
    if (p->type == RILL_PARAM_NUMBER) return cell.size == length;
    if (p->type != RILL_PARAM_VECTOR || cell.size != length + 2 || !strchr("._ ", cell.text[length])) return false;
    const char *found = strchr("xyz", cell.text[length + 1]);
    if (found && *found) *axis = (int)(found - "xyz");
    return found && *found;
}

static rill_status fail_column(const table *t, rill_csv_cell cell)
{
    char known[200] = "", name[RILL_NAME_SIZE] = "";
    for (rill_param_rows r = rill_param_rows_of(t->items->parts); r.row; rill_param_rows_next(&r)) {
        const bool vector = r.row->type == RILL_PARAM_VECTOR;
        for (int a = 0; a < (vector ? 3 : 1); a++) {
            rill_string_join(known, sizeof known, ", ", r.row->name);
            if (vector) rill_string_append(known, sizeof known, (const char *[]){".x", ".y", ".z"}[a]);
        }
    }
    memcpy(name, cell.text, cell.size < sizeof name - 1 ? cell.size : sizeof name - 1);
    const rill_place place = place_of(t, cell.text);
    return rill_place_fail(&place, t->err, "there is no column '%s'; the columns of %s are %s.",
                           rill_chars_excerpt(name).text, t->items->plural, known);
}

static rill_status read_column(table *t, rill_csv_cell cell)
{
    const rill_place place = place_of(t, cell.text);
    column found = {.row = NULL};
    for (rill_param_rows r = rill_param_rows_of(t->items->parts); r.row && !found.row; rill_param_rows_next(&r))
        if (names(cell, r.row, &found.axis)) found.row = r.row;
    if (!found.row) return fail_column(t, cell);
    for (size_t c = 0; c < t->column_count; c++)
        if (t->columns[c].row == found.row && t->columns[c].axis == found.axis)
            return rill_place_fail(&place, t->err, "this column is there twice; keep one.");
    t->columns[t->column_count++] = found; /* no two are the same, so there is room for all */
    return RILL_OK;
}

static rill_status read_header(table *t, rill_csv_cell line)
{
    rill_csv_cell cell;
    rill_status status = RILL_OK;
    const char *at = line.text;
    while (!status && rill_csv_next(&at, line.text + line.size, &cell)) status = read_column(t, trimmed(cell));
    return status;
}

/* ---- rows ---- */

/* The child of a map under a key; NULL without memory, and then `child` is freed. */
static rill_node *put(rill_node *map, const char *key, rill_node *child)
{
    if (!child || !rill_tree_set_key(child, key, strlen(key))) {
        rill_tree_free(child);
        return NULL;
    }
    child->key_place = child->place;
    rill_tree_append(map, child);
    return child;
}

/* The three numbers of a vector, all of them 0; NULL without memory. */
static rill_node *put_vector(rill_node *map, const char *key, const rill_place *place)
{
    rill_node *list = put(map, key, rill_tree_node(RILL_NODE_LIST, place));
    for (int a = 0; list && a < 3; a++) {
        rill_node *zero = rill_tree_scalar("0", 1, place);
        if (!zero) return NULL;
        rill_tree_append(list, zero);
    }
    return list;
}

static bool put_cell(rill_node *map, const column *c, rill_csv_cell cell, const rill_place *place)
{
    rill_node *scalar = rill_tree_scalar(cell.text, cell.size, place);
    if (!scalar || c->row->type == RILL_PARAM_NUMBER) return put(map, c->row->name, scalar);
    rill_node *list = rill_tree_find(map, c->row->name);
    if (!list) list = put_vector(map, c->row->name, place);
    if (list) rill_tree_replace(list, rill_tree_at(list, (size_t)c->axis), scalar);
    else rill_tree_free(scalar);
    return list;
}

static rill_status read_row(table *t, rill_csv_cell line, rill_node *rows)
{
    const rill_place start = place_of(t, line.text);
    const size_t count = rill_csv_count(line.text, line.text + line.size);
    if (count != t->column_count)
        return rill_place_fail(&start, t->err, "this row has %zu %s, but the header has %zu.", count,
                               count == 1 ? "cell" : "cells", t->column_count);
    if (t->row_count++ == RILL_MOST_KEYFRAMES)
        return rill_place_fail(&start, t->err, "there are more than %d %s; leave some out.", RILL_MOST_KEYFRAMES,
                               t->items->plural);
    rill_node *map = rill_tree_node(RILL_NODE_MAP, &start);
    if (!map) return rill_place_no_memory(t->err);
    map->key_place = start;
    rill_tree_append(rows, map);
    rill_csv_cell cell;
    const char *at = line.text;
    for (size_t c = 0; rill_csv_next(&at, line.text + line.size, &cell); c++) {
        cell = trimmed(cell);
        const rill_place place = place_of(t, cell.text);
        if (!put_cell(map, &t->columns[c], cell, &place)) return rill_place_no_memory(t->err);
    }
    return RILL_OK;
}

static rill_status read_lines(table *t, const char *text, size_t length, rill_node *rows)
{
    const char *at = text, *end = text + length;
    bool whole;
    rill_csv_cell line;
    rill_status status = RILL_OK;
    for (t->line = at; !status && rill_csv_line(&at, end, &line, &whole); t->line = at) {
        t->number++;
        if (!trimmed(line).size) continue;
        status = t->column_count ? read_row(t, line, rows) : read_header(t, line);
    }
    const rill_place place = {.label = t->label};
    if (status || rows->first) return status;
    return rill_place_fail(&place, t->err, "there are no rows of %s.", t->items->plural);
}

rill_status rill_rows_parse(const char *text, size_t length, const char *label, const rill_items *items,
                            rill_node **rows, rill_error *err)
{
    table t = {.label = label, .items = items, .err = err};
    const rill_place place = {.label = label};
    *rows = NULL;
    if (memchr(text, 0, length) || !rill_chars_is_utf8(text))
        return rill_place_fail(&place, err, "the file is not UTF-8 text.");
    const bool marked = !strncmp(text, "\xef\xbb\xbf", 3); /* as spreadsheets begin theirs */
    rill_node *list = rill_tree_node(RILL_NODE_LIST, &place);
    if (!list) return rill_place_no_memory(err);
    const rill_status status = read_lines(&t, text + (marked ? 3 : 0), length - (marked ? 3 : 0), list);
    if (status) rill_tree_free(list);
    else *rows = list;
    return status;
}

rill_status rill_rows_read(const char *path, const rill_node *named, const rill_items *items, rill_node **rows,
                           rill_error *err)
{
    char *text;
    size_t length = 0;
    rill_error inner = {0};
    *rows = NULL;
    rill_status status = rill_store_get(path, RILL_SCENE_BYTES, &text, &length, &inner);
    if (!status) {
        status = rill_rows_parse(text, length, path, items, rows, err);
    } else {
        rill_place_fail(&named->place, err, "%s", inner.text);
        if (err) err->status = status;
    }
    rill_free(text);
    return status;
}

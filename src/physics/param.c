/* Walks over rows and questions to them. */
#include "physics/param.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "physics/method.h"
#include "text/spelling.h"

/* ---- the rows that methods bring ---- */

/* The row with the home, name and type of another one; NULL: there is none. */
static const rill_param *find_same(const rill_param *params, const rill_param *row)
{
    for (; params && params->name; params++)
        if (params->in == row->in && params->type == row->type && !strcmp(params->name, row->name)) return params;
    return NULL;
}

static bool is_brought_before(const rill_param *row, uint32_t method)
{
    rill_method other;
    for (uint32_t m = 0; m < method && rill_method_at(m, &other); m++)
        if (find_same(other.params, row)) return true;
    return false;
}

/* Goes on from where the walk stands to the next row that counts, which may be this one. */
static void settle(rill_param_rows *rows)
{
    for (;;) {
        if (!rows->place) {
            if (!rows->row->name) rows->row = NULL;
            if (!rows->row || rows->row->type != RILL_PARAM_METHODS) return;
            rows->place = rows->row;
            rows->row = NULL;
            rows->method = UINT32_MAX;
        }
        for (; rows->row && rows->row->name; rows->row++)
            if (rows->row->in == rows->place->in && !is_brought_before(rows->row, rows->method)) return;
        rill_method method;
        if (rill_method_at(++rows->method, &method)) {
            rows->row = method.params;
        } else {
            rows->row = rows->place + 1;
            rows->place = NULL;
        }
    }
}

rill_param_rows rill_param_rows_of(const rill_param *table)
{
    rill_param_rows rows = {.row = table};
    settle(&rows);
    return rows;
}

void rill_param_rows_next(rill_param_rows *rows)
{
    rows->row++;
    settle(rows);
}

const rill_param *rill_param_find(const rill_param *table, const char *name)
{
    for (rill_param_rows r = rill_param_rows_of(table); r.row; rill_param_rows_next(&r))
        if (rill_spelling_same(r.row->name, name)) return r.row;
    return NULL;
}

/* ---- numbers without a member ---- */

/* The values of a struct are numbered through, whatever part of it their keys stand in. */
static rill_param_home struct_of(rill_param_home in)
{
    return in == RILL_IN_SOLVER || in == RILL_IN_ITERATIONS ? RILL_IN_SCENE : in;
}

/* Calls back for every number of a struct that has no member, in their order; stops when `each` returns false. */
typedef bool own_each(void *user, const rill_param *row, uint32_t index);

static void own_walk(rill_param_home in, own_each *each, void *user)
{
    rill_method method;
    uint32_t index = 0;
    for (uint32_t m = 0; rill_method_at(m, &method); m++)
        for (const rill_param *row = method.params; row && row->name; row++)
            if (row->own && struct_of(row->in) == struct_of(in) && !is_brought_before(row, m) &&
                !each(user, row, index++))
                return;
}

typedef struct own_search {
    const rill_param *row;
    uint32_t index;
} own_search;

static bool own_is(void *user, const rill_param *row, uint32_t index)
{
    own_search *s = user;
    s->index = index;
    return row->in != s->row->in || strcmp(row->name, s->row->name);
}

static bool own_count(void *user, const rill_param *row, uint32_t index)
{
    (void)row;
    *(uint32_t *)user = index + 1;
    return true;
}

static bool own_default(void *user, const rill_param *row, uint32_t index)
{
    if (index < RILL_VALUES_MAX) ((double *)user)[index] = row->fallback;
    return true;
}

uint32_t rill_param_own_count(rill_param_home in)
{
    uint32_t count = 0;
    own_walk(in, own_count, &count);
    return count;
}

void rill_param_own_defaults(rill_param_home in, double values[RILL_VALUES_MAX])
{
    own_walk(in, own_default, values);
}

/* A scene whose methods have more numbers than there is room for is refused (scene_check.c), but its defaults and texts
 * are made before that: what has no room shares the last place. */
size_t rill_param_offset(const rill_param *param)
{
    if (!param->own) return param->offset;
    own_search s = {.row = param};
    own_walk(param->in, own_is, &s);
    const uint32_t index = s.index < RILL_VALUES_MAX ? s.index : RILL_VALUES_MAX - 1;
    const rill_param_home in = struct_of(param->in);
    const size_t first = in == RILL_IN_FLUID   ? offsetof(rill_fluid, values)
                         : in == RILL_IN_PROBE ? offsetof(rill_probe, values)
                                               : offsetof(rill_scene, values);
    return first + index * sizeof(double);
}

double rill_param_own(const rill_param *param, const void *base)
{
    return *(const double *)rill_param_at(param, base);
}

/* ---- words and values ---- */

const char *rill_param_word(const rill_word *words, size_t value)
{
    for (; words->name; words++)
        if (words->value == value) return words->name;
    return NULL;
}

const rill_word *rill_param_word_find(const rill_word *words, const char *name)
{
    for (; words->name; words++)
        if (rill_spelling_same(words->name, name)) return words;
    return NULL;
}

int rill_param_get_int(const void *base, size_t offset)
{
    int value;
    memcpy(&value, (const char *)base + offset, sizeof value);
    return value;
}

void rill_param_set_int(void *base, size_t offset, int value)
{
    memcpy((char *)base + offset, &value, sizeof value);
}

bool rill_param_applies(const rill_param *param, const void *base)
{
    if (param->in == RILL_IN_PROBE)
        return rill_param_read_by(param, RILL_METHOD_PROBE, ((const rill_probe *)base)->kind);
    if (!param->by || !param->only) return true;
    const int chosen = rill_param_get_int(base, param->by->offset);
    return chosen >= 0 && chosen < 32 && param->only >> chosen & 1;
}

rill_reading rill_param_variant(const rill_param *param, const void *base)
{
    if (param->variants) return param->variants[rill_param_get_int(base, param->by->offset)];
    return (rill_reading){.dimension = param->dimension, .range = param->range};
}

bool rill_param_in_range(const rill_reading *reading, double value, char *why, size_t size)
{
    const rill_range *range = &reading->range;
    const bool free = range->low == range->high;
    const double most = rill_unit_most(reading->dimension);
    if ((free || (value <= range->high && (range->above ? value > range->low : value >= range->low))) &&
        fabs(value) <= most)
        return true;
    char wants[96];
    if (!free && range->high < 1e300)
        snprintf(wants, sizeof wants, "lie between %g and %g", range->low, range->high);
    else if (value > most) snprintf(wants, sizeof wants, "be at most %g", most);
    else if (free) snprintf(wants, sizeof wants, "be at least %g", -most);
    else snprintf(wants, sizeof wants, "be %s %g", range->above ? "above" : "at least", range->low);
    const char *unit = rill_unit_symbol(reading->dimension);
    snprintf(why, size, "must %s%s%s", wants, *unit ? " " : "", unit);
    return false;
}

/* ---- methods ---- */

/* The nth method of a kind; false past the last. */
static bool method_of_kind(rill_method_kind kind, uint32_t index, rill_method *method)
{
    for (uint32_t m = 0; rill_method_at(m, method); m++)
        if (method->kind == kind && !index--) return true;
    return false;
}

const char *rill_method_name(rill_method_kind kind, uint32_t index)
{
    rill_method method;
    return method_of_kind(kind, index, &method) ? method.name : NULL;
}

const char *rill_method_about(rill_method_kind kind, uint32_t index)
{
    rill_method method;
    return method_of_kind(kind, index, &method) && method.about ? method.about : "";
}

bool rill_param_read_by(const rill_param *param, rill_method_kind kind, const char *name)
{
    if (param->in == RILL_IN_TABLE) return true;
    rill_method method;
    for (uint32_t m = 0; rill_method_at(m, &method); m++)
        if (method.kind == kind && !strcmp(method.name, name) && find_same(method.params, param)) return true;
    return false;
}

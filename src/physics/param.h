/* A parameter is a row of a table: a key of a scene, with its type, unit, range, default and a sentence. Reading, range
 * checks, settings, writing and docs/scene.md follow from it. What every scene has stands in src/world/table.c; a
 * solver, force or probe brings rows of its own in its own file, and a row of type RILL_PARAM_METHODS in a table marks
 * where those come in. */
#ifndef RILL_PHYSICS_PARAM_H
#define RILL_PHYSICS_PARAM_H

#include <string.h>

#include "rill/scene.h"
#include "text/unit.h"

/* What the libraries of files take from librill though it is not public: a copy of the table would bring all methods
 * with it. */
#ifdef __GNUC__
#define RILL_SHARED __attribute__((visibility("default")))
#else
#define RILL_SHARED
#endif

typedef enum rill_param_type {
    RILL_PARAM_NUMBER,  /* double */
    RILL_PARAM_VECTOR,  /* rill_vec3 */
    RILL_PARAM_SIZE,    /* rill_vec3, kept as its sum with the vector at `base` */
    RILL_PARAM_INTEGER, /* int */
    RILL_PARAM_BOOL,
    RILL_PARAM_NAME,    /* char[RILL_NAME_SIZE] */
    RILL_PARAM_TEXT,    /* char[RILL_TEXT_SIZE] */
    RILL_PARAM_METHOD,  /* char[RILL_NAME_SIZE], the name of a method of the kind `method` */
    RILL_PARAM_COLOUR,  /* uint32_t */
    RILL_PARAM_CHOICE,  /* an enum or int: one of the words */
    RILL_PARAM_FLAGS,   /* a list of words, each a bool of its own */
    RILL_PARAM_SIDES,   /* a list of words, each a bit of a uint32_t */
    RILL_PARAM_FLUID,   /* uint32_t: a fluid by its name */
    RILL_PARAM_BOUNDARY, /* uint32_t: a boundary by its name */
    RILL_PARAM_GROUP,   /* a map of parameters of the same struct */
    RILL_PARAM_MAP,     /* named structs */
    RILL_PARAM_LIST,    /* structs in order */
    RILL_PARAM_FILE,    /* the path of a CSV file with such structs, one a row; kept nowhere */
    RILL_PARAM_METHODS  /* stands for the rows that methods bring to `in` */
} rill_param_type;

typedef enum rill_method_kind { RILL_METHOD_SOLVER, RILL_METHOD_FORCE, RILL_METHOD_PROBE } rill_method_kind;

/* Where in a scene the row of a method stands. Keys of `solver` and of probes are read by the methods that bring them
 * alone; those of the scene and of fluids have a meaning whatever else the scene asks for. */
typedef enum rill_param_home {
    RILL_IN_TABLE, /* where its table stands: a row that no method brings */
    RILL_IN_SCENE,
    RILL_IN_SOLVER,
    RILL_IN_ITERATIONS, /* solver.iterations */
    RILL_IN_FLUID,
    RILL_IN_PROBE
} rill_param_home;

/* A word and what it stands for: an enum's value, a bit, or the offset of a bool. */
typedef struct rill_word {
    const char *name; /* NULL ends the list */
    size_t value;
} rill_word;

/* A word for something that is always so and is stored nowhere. */
#define RILL_WORD_ALWAYS ((size_t)-1)

/* Limits of a number; equal ones are none. */
typedef struct rill_range {
    double low, high;
    bool above; /* low itself is refused */
} rill_range;

#define RILL_AT_LEAST(bound) .range = {bound, 1e300, false}
#define RILL_ABOVE(bound) .range = {bound, 1e300, true}
#define RILL_BETWEEN(bound, limit) .range = {bound, limit, false}
#define RILL_BIT(value) (1u << (value))
#define RILL_INSTEAD(...) .instead = (const char *const[]){__VA_ARGS__, NULL}

/* An enum that decides what other parameters mean. */
typedef struct rill_selector {
    const char *key; /* its name in errors, and its key where it has one */
    size_t offset;
    const rill_word *words;
} rill_selector;

/* How a parameter reads for one value of its selector. */
typedef struct rill_reading {
    rill_dimension dimension;
    rill_range range;
    bool fixed;      /* `fallback` is the default; otherwise that of the def, if it has the same selector value */
    double fallback; /* also 0 or 1 for a bool */
} rill_reading;

typedef struct rill_items rill_items;
typedef struct rill_param rill_param;
struct rill_param {
    const char *name; /* NULL ends the table */
    rill_param_type type;
    rill_dimension dimension;
    rill_range range;
    size_t offset;                /* in the struct that it is kept in */
    rill_param_home in;
    bool own;                     /* a number without a member: kept in `values` of its struct, `fallback` by default.
                                   * Not for rows of a group. */
    double fallback;
    size_t base;                  /* RILL_PARAM_SIZE: offset of the vector it is added to */
    size_t density;               /* offset of the density that a dynamic viscosity is divided by; 0: none */
    rill_method_kind method;      /* RILL_PARAM_METHOD */
    const rill_word *words;       /* choice, flags, sides */
    const rill_param *parts;      /* group */
    const rill_items *items;      /* map, list */
    const rill_items *rows;       /* file */
    bool turn;                    /* a vector along an axis, which may be given as {axis, angle} or {axis, speed} */
    bool required;                /* must be given, or `instead` */
    const char *const *instead;   /* keys of which one can be given instead of this one, ended by NULL; its own counts
                                   * for nothing */
    const rill_selector *chooses; /* giving it sets this selector ... */
    int choice;                   /* ... to this value */
    const rill_selector *by;      /* what the parameter depends on */
    unsigned only;                /* bits of the selector's values for which it has a meaning; 0: all */
    const rill_reading *variants; /* indexed by the selector's value */
    bool flow;                    /* a group written on one line */
    bool live;                    /* a number that may change while a world runs (rill_world_change) */
    bool passive;                 /* what the liquid does does not depend on it */
    const char *about;            /* a sentence */
};

/* The structs of a map or list. */
struct rill_items {
    const char *noun;   /* "fluid" */
    const char *plural; /* "fluids" */
    const rill_param *parts;
    size_t size, list, count; /* of one; offsets in the struct that owns them of the pointer and of the uint32_t */
    bool named;               /* the struct begins with its name */
    bool flow;                /* each is written on one line */
    void (*init)(void *item);
    rill_status (*add)(void *owner, const void *item, rill_error *err); /* a copy of it */
    void (*free)(void *item); /* NULL: it owns nothing */
};

/* The items that a struct has. */
typedef struct rill_item_list {
    const char *first;
    uint32_t count;
} rill_item_list;

static inline rill_item_list rill_items_of(const rill_items *items, const void *owner)
{
    rill_item_list list;
    memcpy(&list.first, (const char *)owner + items->list, sizeof list.first);
    memcpy(&list.count, (const char *)owner + items->count, sizeof list.count);
    return list;
}

/* Room for one of any of them. */
typedef union rill_item {
    char name[RILL_NAME_SIZE];
    rill_fluid fluid;
    rill_fill fill;
    rill_boundary boundary;
    rill_probe probe;
    rill_sine sine;
    rill_keyframe keyframe;
} rill_item;

/* ---- rows ---- */

/* A walk over the rows of a table, those that methods bring included. A key that several methods bring comes once; one
 * that takes something else with some of them, once for each type:
 *     for (rill_param_rows r = rill_param_rows_of(table); r.row; rill_param_rows_next(&r)) */
typedef struct rill_param_rows {
    const rill_param *row;   /* NULL: past the last */
    const rill_param *place; /* the row that stands for those of methods, while they come */
    uint32_t method;
} rill_param_rows;
RILL_SHARED rill_param_rows rill_param_rows_of(const rill_param *table);
RILL_SHARED void rill_param_rows_next(rill_param_rows *rows);

RILL_SHARED const rill_param *rill_param_find(const rill_param *table, const char *name);

/* Where it is kept in the struct. */
RILL_SHARED size_t rill_param_offset(const rill_param *param);
static inline const void *rill_param_at(const rill_param *param, const void *base)
{
    return (const char *)base + rill_param_offset(param);
}

/* The number that a scene, fluid or probe has for a row that is its method's own. */
double rill_param_own(const rill_param *param, const void *base);
/* Numbers without a member as they are by default. */
void rill_param_own_defaults(rill_param_home in, double values[RILL_VALUES_MAX]);
/* How many there are in a struct; more than RILL_VALUES_MAX have no room. */
uint32_t rill_param_own_count(rill_param_home in);

/* ---- words and values ---- */

/* The word for a value, or NULL. */
RILL_SHARED const char *rill_param_word(const rill_word *words, size_t value);
RILL_SHARED const rill_word *rill_param_word_find(const rill_word *words, const char *name);

/* The value of an enum or int in a struct. */
RILL_SHARED int rill_param_get_int(const void *base, size_t offset);
RILL_SHARED void rill_param_set_int(void *base, size_t offset, int value);

/* False when the parameter has no meaning for what its selector, or the kind of the probe, says. */
RILL_SHARED bool rill_param_applies(const rill_param *param, const void *base);

/* Dimension and range, as its selector has it. */
RILL_SHARED rill_reading rill_param_variant(const rill_param *param, const void *base);

/* Whether the number is in its range, and no larger than any of its dimension may be. If not, `why` holds the rest of a
 * sentence about the parameter, such as "must be above 0 m"; the caller adds what it is. */
RILL_SHARED bool rill_param_in_range(const rill_reading *reading, double value, char *why, size_t size);

/* ---- methods ---- */

/* The name of the nth method of a kind, and a phrase about it ("" where it has none); NULL past the last. */
RILL_SHARED const char *rill_method_name(rill_method_kind kind, uint32_t index);
RILL_SHARED const char *rill_method_about(rill_method_kind kind, uint32_t index);

/* Whether a solver or probe reads the row. One that no method brings is read by all. */
RILL_SHARED bool rill_param_read_by(const rill_param *param, rill_method_kind kind, const char *name);

#endif

/* The table of parameters: one row for every key of a scene. Reading, range
 * checks, settings, writing and docs/scene.md all follow from it. */
#ifndef RILL_SCENE_PARAM_H
#define RILL_SCENE_PARAM_H

#include "rill/scene.h"
#include "text/unit.h"

typedef enum rill_param_type {
    RILL_PARAM_NUMBER,  /* double */
    RILL_PARAM_VECTOR,  /* rill_vec3 */
    RILL_PARAM_SIZE,    /* rill_vec3, kept as its sum with the vector at `base` */
    RILL_PARAM_INTEGER, /* int */
    RILL_PARAM_BOOL,
    RILL_PARAM_NAME,   /* char[RILL_NAME_SIZE] */
    RILL_PARAM_TEXT,   /* char[RILL_TEXT_SIZE] */
    RILL_PARAM_SOLVER, /* char[RILL_NAME_SIZE], one of the engine's solvers */
    RILL_PARAM_COLOUR, /* uint32_t */
    RILL_PARAM_CHOICE, /* an enum or int: one of the words */
    RILL_PARAM_FLAGS,  /* a list of words, each a bool of its own */
    RILL_PARAM_SIDES,  /* a list of words, each a bit of a uint32_t */
    RILL_PARAM_FLUID,  /* uint32_t: a fluid by its name */
    RILL_PARAM_GROUP,  /* a map of parameters of the same struct */
    RILL_PARAM_MAP,    /* named structs */
    RILL_PARAM_LIST    /* structs in order */
} rill_param_type;

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
    size_t offset;
    size_t base;                  /* RILL_PARAM_SIZE: offset of the vector it is added to */
    size_t density;               /* offset of the density that a dynamic viscosity is divided by; 0: none */
    const rill_word *words;       /* choice, flags, sides */
    const rill_param *parts;      /* group */
    const rill_items *items;      /* map, list */
    bool required;                /* must be given, or `instead` */
    const char *instead;          /* a key that can be given instead of this one, not both */
    const rill_selector *chooses; /* group: giving it sets this selector ... */
    int choice;                   /* ... to this value */
    const rill_selector *by;      /* what the parameter depends on */
    unsigned only;                /* bits of the selector's values for which it has a meaning; 0: all */
    const rill_reading *variants; /* indexed by the selector's value */
    const char *solvers;          /* words: the solvers that read it; NULL: all */
    bool flow;                    /* a group written on one line */
    const char *about;            /* a sentence */
};

/* The structs of a map or list. */
struct rill_items {
    const char *noun;   /* "fluid" */
    const char *plural; /* "fluids" */
    const rill_param *parts;
    size_t size, list, count; /* of one; offsets in rill_scene of the pointer and of the uint32_t */
    bool named;               /* the struct begins with its name */
    void (*init)(void *item);
    rill_status (*add)(rill_scene *scene, const void *item, rill_error *err);
};

/* Room for one of any of them. */
typedef union rill_item {
    char name[RILL_NAME_SIZE];
    rill_fluid fluid;
    rill_fill fill;
    rill_boundary boundary;
    rill_probe probe;
} rill_item;

const rill_param *rill_param_table(void);
const rill_param *rill_param_find(const rill_param *table, const char *name);

/* The word for a value, or NULL. */
const char *rill_param_word(const rill_word *words, size_t value);
const rill_word *rill_param_word_find(const rill_word *words, const char *name);

/* The value of an enum or int in a struct. */
int rill_param_get_int(const void *base, size_t offset);
void rill_param_set_int(void *base, size_t offset, int value);

/* False when the parameter has no meaning for what its selector says. */
bool rill_param_applies(const rill_param *param, const void *base);

/* Whether a solver reads the parameter. */
bool rill_param_read_by(const rill_param *param, const char *solver);

/* Dimension and range, as its selector has it. */
rill_reading rill_param_variant(const rill_param *param, const void *base);

/* The keys of a scene, with commas between, whose values differ from the defaults and that its solver and the kinds it
 * chose do not read; what does not fit is left out. They stay in the scene, since another solver may be asked for. */
void rill_param_unused(const rill_scene *scene, char *keys, size_t size);

#endif

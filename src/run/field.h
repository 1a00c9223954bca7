/* The field table: one row a field, from which storage, sorting, saving and
 * export follow. Knows bytes, not water. */
#ifndef RILL_RUN_FIELD_H
#define RILL_RUN_FIELD_H

#include <stdbool.h>

#include "base/memory.h"
#include "rill/base.h"
#include "run/threads.h"

typedef enum rill_lifetime {
    RILL_STATE,   /* sorted with the particles and needed for a restart */
    RILL_DERIVED, /* worth saving, made anew every step, not sorted */
    RILL_SCRATCH  /* made anew every step */
} rill_lifetime;

typedef enum rill_field_type { RILL_FIELD_F32, RILL_FIELD_U32 } rill_field_type;

typedef struct rill_field_def {
    const char *name, *unit;
    rill_field_type type;
    uint32_t lanes; /* 1, or 4 for records */
    uint32_t saved; /* lanes that mean something in a file */
    rill_lifetime lifetime;
} rill_field_def;

enum { RILL_FIELDS_MAX = 32 };

typedef struct rill_fields {
    uint32_t count;    /* particles */
    uint32_t capacity; /* records each field has room for, not counting the padding */
    uint32_t field_count;
    rill_field_def defs[RILL_FIELDS_MAX];
    void *data[RILL_FIELDS_MAX];
    rill_buffer spare[2]; /* for sorting: one for single lanes, one for records */
} rill_fields;

/* Every field has this many records of padding behind it, so that a vector may
 * load and store past the last particle. */
enum { RILL_PADDING = 64 };

/* Adds a row; returns its index, which is also its bit in a pass's masks. */
uint32_t rill_fields_add(rill_fields *fields, const rill_field_def *def);

/* Storage for `capacity` particles; what was there before stays. */
rill_status rill_fields_reserve(rill_fields *fields, uint32_t capacity, rill_error *err);
void rill_fields_free(rill_fields *fields);

static inline size_t rill_field_bytes(const rill_field_def *def)
{
    return 4 * (size_t)def->lanes;
}

static inline float *rill_field_f32(const rill_fields *fields, uint32_t field)
{
    return fields->data[field];
}

static inline uint32_t *rill_field_u32(const rill_fields *fields, uint32_t field)
{
    return fields->data[field];
}

/* Puts record order[i] of every state field at place i. */
rill_status rill_fields_reorder(rill_fields *fields, const uint32_t *order, const rill_scheduler *scheduler,
                                rill_error *err);

/* The row with this name, or -1. */
int rill_fields_find(const rill_fields *fields, const char *name);

#endif

/* The field table: one row a field, from which storage, sorting, birth, saving and
 * export follow. Knows bytes, not water. */
#ifndef RILL_RUN_FIELD_H
#define RILL_RUN_FIELD_H

#include <stdbool.h>

#include "base/memory.h"
#include "rill/base.h"
#include "run/threads.h"

typedef enum rill_lifetime {
    RILL_STATE,   /* sorted with the particles and needed for a restart */
    RILL_DERIVED, /* worth saving, made again every step, not sorted */
    RILL_SCRATCH  /* made again every step */
} rill_lifetime;

typedef enum rill_field_type { RILL_FIELD_F32, RILL_FIELD_U32, RILL_FIELD_U64 } rill_field_type;

typedef struct rill_field_def {
    const char *name, *unit;
    rill_field_type type;
    uint32_t lanes; /* 1, or 4 for records */
    uint32_t used;  /* lanes that mean something, and go into files */
    rill_lifetime lifetime;
    float birth[4]; /* what a new particle has; whole numbers begin with 0 */
    /* A row may be a second name for lanes of another one, which hold this at other times. `in` is that row plus one;
     * 0: the row has bytes of its own. */
    uint32_t in, lane;
    bool late; /* gets its memory only when rill_fields_make asks for it */
} rill_field_def;

/* A set of rows, one bit each. */
__extension__ typedef unsigned __int128 rill_mask;
#define FIELD_BIT(field) ((rill_mask)1 << (field))

/* The bits behind these are for what is not in the table (run/pass.h). */
enum { RILL_FIELDS_MAX = 104 };

typedef struct rill_fields {
    uint32_t count;    /* particles */
    uint32_t capacity; /* records each field has room for, not counting the padding */
    uint32_t field_count;
    bool full; /* more rows were added than there is room for */
    rill_field_def defs[RILL_FIELDS_MAX];
    void *data[RILL_FIELDS_MAX]; /* NULL for second names */
    rill_buffer spare[3]; /* for sorting: for elements of 4, 8 and 16 bytes */
} rill_fields;

/* Every field has this many records of padding behind it, so that a vector may
 * load and store past the last particle. */
enum { RILL_PADDING = 64 };

/* Adds a row; returns its index, which is also its bit in a pass's masks. One too many is refused by the next
 * rill_fields_reserve. */
uint32_t rill_fields_add(rill_fields *fields, const rill_field_def *def);

/* The same for numbers that are born as zero. */
static inline uint32_t rill_fields_add_real(rill_fields *fields, const char *name, const char *unit, uint32_t lanes,
                                            uint32_t used, rill_lifetime lifetime)
{
    const rill_field_def def = {.name = name, .unit = unit, .lanes = lanes, .used = used, .lifetime = lifetime};
    return rill_fields_add(fields, &def);
}

/* The same for a second name of lanes of another row. */
static inline uint32_t rill_fields_add_name(rill_fields *fields, uint32_t row, uint32_t lane, const char *name,
                                            const char *unit, uint32_t used)
{
    const rill_field_def def = {.name = name, .unit = unit, .lanes = used == 1 ? 1 : 4, .used = used,
                                .lifetime = RILL_SCRATCH, .in = row + 1, .lane = lane};
    return rill_fields_add(fields, &def);
}

/* Storage for `capacity` particles; what was there before stays. */
rill_status rill_fields_reserve(rill_fields *fields, uint32_t capacity, rill_error *err);
/* Storage for a late row; all particles get what they are born with. */
rill_status rill_fields_make(rill_fields *fields, uint32_t field, rill_error *err);
void rill_fields_free(rill_fields *fields);

/* Adds particles behind the last, each as its rows say it is born. Room grows by half at least. */
rill_status rill_fields_append(rill_fields *fields, uint32_t count, rill_error *err);

/* Takes away the particles i for which gone[i], and moves the others up in their order. */
void rill_fields_remove(rill_fields *fields, const bool *gone);

static inline size_t rill_field_bytes(const rill_field_def *def)
{
    return (def->type == RILL_FIELD_U64 ? 8 : 4) * (size_t)def->lanes;
}

/* The row that has the bytes of a row. */
static inline uint32_t rill_field_home(const rill_fields *fields, uint32_t field)
{
    return fields->defs[field].in ? fields->defs[field].in - 1 : field;
}

static inline float *rill_field_f32(const rill_fields *fields, uint32_t field)
{
    return fields->data[field];
}

static inline uint32_t *rill_field_u32(const rill_fields *fields, uint32_t field)
{
    return fields->data[field];
}

static inline uint64_t *rill_field_u64(const rill_fields *fields, uint32_t field)
{
    return fields->data[field];
}

/* ---- sorting ----
 * A row is sorted into other memory of its size, and both change places. For records that is a row which every step
 * makes again, if there is one; else it is a spare. What spares hold between two sorts is up to the owner of the
 * fields. */

/* Memory to sort a row into whose elements have so many bytes; NULL: there is none. */
void *rill_fields_spare(rill_fields *fields, size_t size, rill_error *err);
/* A row and that memory change places. */
void rill_fields_trade(rill_fields *fields, uint32_t field);

/* The rows that belong to a lifetime up to the last: the state, or what is derived as well. */
rill_mask rill_fields_until(const rill_fields *fields, rill_lifetime last);
/* Puts record order[i] at place i in all of these rows. */
rill_status rill_fields_reorder(rill_fields *fields, const uint32_t *order, rill_mask rows,
                                const rill_scheduler *scheduler, rill_error *err);

/* Takes the records of two other tables that begin with the same rows: at place i that of order[i], counted on from the
 * first table's to the second's, in every field up to this lifetime. Where a table has no memory for a late row, its
 * particles have what they are born with. */
rill_status rill_fields_gather(rill_fields *fields, const rill_fields *first, const rill_fields *second,
                               const uint32_t *order, rill_lifetime last, const rill_scheduler *scheduler,
                               rill_error *err);

/* The row with this name, or -1. */
int rill_fields_find(const rill_fields *fields, const char *name);

#endif

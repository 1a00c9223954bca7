/* The field table. */
#include "run/field.h"

#include <assert.h>
#include <string.h>

uint32_t rill_fields_add(rill_fields *fields, const rill_field_def *def)
{
    assert(def->lanes == 1 || def->lanes == 4);
    if (fields->field_count == RILL_FIELDS_MAX) {
        fields->full = true;
        return RILL_FIELDS_MAX - 1;
    }
    fields->defs[fields->field_count] = *def;
    return fields->field_count++;
}

static rill_status give_memory(rill_fields *fields, uint32_t f, uint32_t capacity, rill_error *err)
{
    const size_t size = rill_field_bytes(&fields->defs[f]);
    const size_t bytes = ((size_t)capacity + RILL_PADDING) * size;
    void *data = rill_memory_alloc(bytes);
    if (!data) return rill_memory_fail(err, bytes, "the particles");
    if (fields->data[f]) memcpy(data, fields->data[f], fields->count * size);
    rill_memory_free(fields->data[f]);
    fields->data[f] = data;
    return RILL_OK;
}

rill_status rill_fields_reserve(rill_fields *fields, uint32_t capacity, rill_error *err)
{
    if (fields->full)
        return rill_fail(err, RILL_BAD_INPUT, "A world has room for %d fields, and the methods of this one need more.",
                         RILL_FIELDS_MAX);
    for (uint32_t f = 0; f < fields->field_count; f++) {
        const rill_field_def *def = &fields->defs[f];
        if (def->in || (fields->data[f] ? capacity <= fields->capacity : def->late)) continue;
        const rill_status status = give_memory(fields, f, capacity, err);
        if (status) return status;
    }
    if (capacity > fields->capacity) fields->capacity = capacity;
    return RILL_OK;
}

void rill_fields_free(rill_fields *fields)
{
    for (uint32_t f = 0; f < fields->field_count; f++) rill_memory_free(fields->data[f]);
    for (int s = 0; s < 3; s++) rill_buffer_free(&fields->spare[s]);
    *fields = (rill_fields){0};
}

/* ---- birth and death ---- */

static void bear(rill_fields *fields, uint32_t f, uint32_t first, uint32_t count)
{
    const rill_field_def *def = &fields->defs[f];
    const size_t size = rill_field_bytes(def);
    char *data = fields->data[f];
    for (size_t i = first; i < (size_t)first + count; i++) {
        if (def->type == RILL_FIELD_F32) memcpy(data + i * size, def->birth, size);
        else memset(data + i * size, 0, size);
    }
}

rill_status rill_fields_make(rill_fields *fields, uint32_t field, rill_error *err)
{
    if (fields->data[field]) return RILL_OK;
    const rill_status status = give_memory(fields, field, fields->capacity, err);
    if (!status) bear(fields, field, 0, fields->count);
    return status;
}

rill_status rill_fields_append(rill_fields *fields, uint32_t count, rill_error *err)
{
    const uint64_t wanted = (uint64_t)fields->count + count;
    if (wanted > UINT32_MAX / 16) /* lists count bytes of records in 32 bits */
        return rill_fail(err, RILL_BAD_INPUT, "A world cannot hold %llu particles; the most is %u.",
                         (unsigned long long)wanted, UINT32_MAX / 16);
    if (wanted > fields->capacity) {
        const uint64_t half_more = fields->capacity + fields->capacity / 2u;
        const uint64_t room = fields->count && half_more > wanted ? half_more : wanted;
        const rill_status status = rill_fields_reserve(fields, (uint32_t)room, err);
        if (status) return status;
    }
    for (uint32_t f = 0; f < fields->field_count; f++)
        if (fields->data[f]) bear(fields, f, fields->count, count);
    fields->count = (uint32_t)wanted;
    return RILL_OK;
}

void rill_fields_remove(rill_fields *fields, const bool *gone)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < fields->count; i++) left += !gone[i];
    for (uint32_t f = 0; f < fields->field_count; f++) {
        char *data = fields->data[f];
        if (!data) continue;
        const size_t size = rill_field_bytes(&fields->defs[f]);
        size_t to = 0;
        for (size_t i = 0; i < fields->count; i++)
            if (!gone[i]) memmove(data + to++ * size, data + i * size, size);
    }
    fields->count = left;
}

/* ---- sorting ---- */

typedef struct reorder {
    const uint32_t *order;
    const void *from;
    void *to;
    size_t count;
} reorder;

enum { REORDER_BLOCK = 4096 };

typedef float record __attribute__((vector_size(16)));

#define REORDER(name, type)                                                                                            \
    static void reorder_##name(void *context, size_t block, unsigned worker)                                           \
    {                                                                                                                  \
        (void)worker;                                                                                                  \
        const reorder *r = context;                                                                                    \
        const type *from = r->from;                                                                                    \
        type *to = r->to;                                                                                              \
        const size_t begin = block * REORDER_BLOCK;                                                                    \
        const size_t end = begin + REORDER_BLOCK < r->count ? begin + REORDER_BLOCK : r->count;                        \
        for (size_t i = begin; i < end; i++) to[i] = from[r->order[i]];                                                \
    }
REORDER(words, uint32_t)
REORDER(doubles, uint64_t)
REORDER(records, record)
#undef REORDER

static int kind_of(size_t size)
{
    return size == 4 ? 0 : size == 8 ? 1 : 2;
}

/* Where the address of that memory is kept. */
static void **spare_of(rill_fields *fields, size_t size)
{
    for (uint32_t f = 0; f < fields->field_count && size == sizeof(record); f++) {
        const rill_field_def *def = &fields->defs[f];
        if (fields->data[f] && def->lifetime == RILL_SCRATCH && rill_field_bytes(def) == size) return &fields->data[f];
    }
    return &fields->spare[kind_of(size)].data;
}

void *rill_fields_spare(rill_fields *fields, size_t size, rill_error *err)
{
    rill_buffer *own = &fields->spare[kind_of(size)];
    void **spare = spare_of(fields, size);
    if (spare != &own->data) return *spare;
    const size_t bytes = ((size_t)fields->capacity + RILL_PADDING) * size;
    if (own->bytes < bytes) rill_buffer_free(own);
    if (!rill_buffer_reserve(own, bytes)) rill_memory_fail(err, bytes, "sorting the particles");
    return own->data;
}

void rill_fields_trade(rill_fields *fields, uint32_t field)
{
    if (!fields->data[field]) return; /* there never was a particle */
    void **spare = spare_of(fields, rill_field_bytes(&fields->defs[field]));
    void *old = fields->data[field];
    fields->data[field] = *spare;
    *spare = old;
}

rill_mask rill_fields_until(const rill_fields *fields, rill_lifetime last)
{
    rill_mask rows = 0;
    for (uint32_t f = 0; f < fields->field_count; f++)
        if (fields->defs[f].lifetime <= last && fields->data[f]) rows |= FIELD_BIT(f);
    return rows;
}

rill_status rill_fields_reorder(rill_fields *fields, const uint32_t *order, rill_mask rows,
                                const rill_scheduler *scheduler, rill_error *err)
{
    static rill_loop_body *const bodies[3] = {reorder_words, reorder_doubles, reorder_records};
    const size_t blocks = (fields->count + REORDER_BLOCK - 1) / REORDER_BLOCK;
    for (uint32_t f = 0; f < fields->field_count; f++) {
        if (!(rows >> f & 1)) continue;
        const size_t size = rill_field_bytes(&fields->defs[f]);
        reorder r = {order, fields->data[f], rill_fields_spare(fields, size, err), fields->count};
        if (!r.to) return RILL_NO_MEMORY;
        rill_parallel_for(scheduler, blocks, bodies[kind_of(size)], &r);
        rill_fields_trade(fields, f);
    }
    return RILL_OK;
}

/* ---- two tables in one ---- */

typedef struct gather {
    const uint32_t *order;
    const char *from[2]; /* NULL: as they are born */
    const char *birth;
    char *to;
    size_t size, count;
    uint32_t first; /* records of the first table */
} gather;

static void gather_block(void *context, size_t block, unsigned worker)
{
    (void)worker;
    const gather *g = context;
    const size_t begin = block * REORDER_BLOCK, size = g->size;
    const size_t end = begin + REORDER_BLOCK < g->count ? begin + REORDER_BLOCK : g->count;
    for (size_t i = begin; i < end; i++) {
        const uint32_t k = g->order[i], second = k >= g->first;
        const char *from = g->from[second];
        const char *at = from ? from + (second ? k - g->first : k) * size : g->birth;
        if (size == 16) memcpy(g->to + i * 16, at, 16);
        else if (size == 8) memcpy(g->to + i * 8, at, 8);
        else memcpy(g->to + i * 4, at, 4);
    }
}

rill_status rill_fields_gather(rill_fields *fields, const rill_fields *first, const rill_fields *second,
                               const uint32_t *order, rill_lifetime last, const rill_scheduler *scheduler,
                               rill_error *err)
{
    static const char zeros[16];
    const size_t blocks = (fields->count + REORDER_BLOCK - 1) / REORDER_BLOCK;
    assert(first->field_count == second->field_count && first->field_count <= fields->field_count);
    for (uint32_t f = 0; f < first->field_count; f++) {
        const rill_field_def *def = &fields->defs[f];
        if (def->lifetime > last || def->in || (!first->data[f] && !second->data[f] && !fields->data[f])) continue;
        const rill_status status = rill_fields_make(fields, f, err);
        if (status) return status;
        gather g = {.order = order,
                    .from = {first->data[f], second->data[f]},
                    .birth = def->type == RILL_FIELD_F32 ? (const char *)def->birth : zeros,
                    .to = fields->data[f],
                    .size = rill_field_bytes(def),
                    .count = fields->count,
                    .first = first->count};
        rill_parallel_for(scheduler, blocks, gather_block, &g);
    }
    return RILL_OK;
}

int rill_fields_find(const rill_fields *fields, const char *name)
{
    for (uint32_t f = 0; f < fields->field_count; f++)
        if (strcmp(fields->defs[f].name, name) == 0) return (int)f;
    return -1;
}

/* The field table. */
#include "run/field.h"

#include <assert.h>
#include <string.h>

uint32_t rill_fields_add(rill_fields *fields, const rill_field_def *def)
{
    assert(fields->field_count < RILL_FIELDS_MAX);
    assert(def->lanes == 1 || def->lanes == 4);
    fields->defs[fields->field_count] = *def;
    return fields->field_count++;
}

rill_status rill_fields_reserve(rill_fields *fields, uint32_t capacity, rill_error *err)
{
    for (uint32_t f = 0; f < fields->field_count; f++) {
        if (fields->data[f] && capacity <= fields->capacity) continue;
        const size_t size = rill_field_bytes(&fields->defs[f]);
        const size_t bytes = ((size_t)capacity + RILL_PADDING) * size;
        void *data = rill_memory_alloc(bytes);
        if (!data) return rill_memory_fail(err, bytes, "the particles");
        if (fields->data[f]) memcpy(data, fields->data[f], fields->count * size);
        rill_memory_free(fields->data[f]);
        fields->data[f] = data;
    }
    if (capacity > fields->capacity) fields->capacity = capacity;
    return RILL_OK;
}

void rill_fields_free(rill_fields *fields)
{
    for (uint32_t f = 0; f < fields->field_count; f++) rill_memory_free(fields->data[f]);
    rill_buffer_free(&fields->spare[0]);
    rill_buffer_free(&fields->spare[1]);
    *fields = (rill_fields){0};
}

typedef struct reorder {
    const uint32_t *order;
    const void *from;
    void *to;
    size_t count;
} reorder;

enum { REORDER_BLOCK = 4096 };

static void reorder_words(void *context, size_t block, unsigned worker)
{
    (void)worker;
    const reorder *r = context;
    const uint32_t *from = r->from;
    uint32_t *to = r->to;
    const size_t begin = block * REORDER_BLOCK;
    const size_t end = begin + REORDER_BLOCK < r->count ? begin + REORDER_BLOCK : r->count;
    for (size_t i = begin; i < end; i++) to[i] = from[r->order[i]];
}

static void reorder_records(void *context, size_t block, unsigned worker)
{
    (void)worker;
    typedef float record __attribute__((vector_size(16)));
    const reorder *r = context;
    const record *from = r->from;
    record *to = r->to;
    const size_t begin = block * REORDER_BLOCK;
    const size_t end = begin + REORDER_BLOCK < r->count ? begin + REORDER_BLOCK : r->count;
    for (size_t i = begin; i < end; i++) to[i] = from[r->order[i]];
}

rill_status rill_fields_reorder(rill_fields *fields, const uint32_t *order, const rill_scheduler *scheduler,
                                rill_error *err)
{
    const size_t blocks = (fields->count + REORDER_BLOCK - 1) / REORDER_BLOCK;
    for (uint32_t f = 0; f < fields->field_count; f++) {
        const rill_field_def *def = &fields->defs[f];
        if (def->lifetime != RILL_STATE) continue;
        rill_buffer *spare = &fields->spare[def->lanes == 4];
        const size_t bytes = ((size_t)fields->capacity + RILL_PADDING) * rill_field_bytes(def);
        if (spare->bytes < bytes) rill_buffer_free(spare);
        if (!rill_buffer_reserve(spare, bytes)) return rill_memory_fail(err, bytes, "sorting the particles");
        reorder r = {order, fields->data[f], spare->data, fields->count};
        rill_parallel_for(scheduler, blocks, def->lanes == 4 ? reorder_records : reorder_words, &r);
        void *old = fields->data[f];
        fields->data[f] = spare->data;
        spare->data = old;
    }
    return RILL_OK;
}

int rill_fields_find(const rill_fields *fields, const char *name)
{
    for (uint32_t f = 0; f < fields->field_count; f++)
        if (strcmp(fields->defs[f].name, name) == 0) return (int)f;
    return -1;
}

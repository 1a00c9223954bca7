/* Sets of particles. */
#include "fluid/set.h"

#include <assert.h>
#include <string.h>

void rill_set_begin(rill_set *set)
{
    static const rill_field_def defs[SET_FIELDS] = {
        [FIELD_POSITION] = {.name = "position", .unit = "m", .lanes = 4, .used = 3},
        [FIELD_VELOCITY] = {.name = "velocity", .unit = "m/s", .lanes = 4, .used = 3, .birth = {0, 0, 0, 1}},
        [FIELD_ID] = {.name = "id", .unit = "", .type = RILL_FIELD_U64, .lanes = 1, .used = 1},
        [FIELD_OWNER] = {.name = "owner", .unit = "", .type = RILL_FIELD_U32, .lanes = 1, .used = 1, .late = true},
    };
    for (uint32_t f = 0; f < SET_FIELDS; f++) rill_fields_add(&set->fields, &defs[f]);
}

void rill_set_free(rill_set *set)
{
    rill_fields_free(&set->fields);
    rill_cells_free(&set->cells);
    for (int a = 0; a < 3; a++) rill_buffer_free(&set->axis[a]);
    *set = (rill_set){0};
}

rill_status rill_set_append(rill_set *set, uint32_t count, rill_error *err)
{
    const uint32_t first = set->fields.count;
    const rill_status status = rill_fields_append(&set->fields, count, err);
    if (status) return status;
    uint64_t *id = rill_field_u64(&set->fields, FIELD_ID);
    for (uint32_t i = first; i < set->fields.count; i++) id[i] = set->next_id++;
    set->own += count;
    return RILL_OK;
}

rill_status rill_set_append_copies(rill_set *set, uint32_t count, uint32_t owner, rill_error *err)
{
    assert(owner > 0);
    const uint32_t first = set->fields.count;
    rill_status status = rill_fields_make(&set->fields, FIELD_OWNER, err);
    if (!status) status = rill_fields_append(&set->fields, count, err);
    if (status) return status;
    for (uint32_t i = first; i < set->fields.count; i++) rill_field_u32(&set->fields, FIELD_OWNER)[i] = owner;
    return RILL_OK;
}

rill_status rill_set_resize(rill_set *set, uint32_t count, rill_error *err)
{
    if (count > set->fields.count) {
        const rill_status status = rill_fields_append(&set->fields, count - set->fields.count, err);
        if (status) return status;
    }
    set->fields.count = set->own = count;
    uint32_t *owner = rill_field_u32(&set->fields, FIELD_OWNER);
    if (owner) memset(owner, 0, count * sizeof *owner);
    return RILL_OK;
}

void rill_set_remove(rill_set *set, const bool *gone)
{
    for (uint32_t i = 0; i < set->fields.count; i++) set->own -= gone[i] && rill_set_owns(set, i);
    rill_fields_remove(&set->fields, gone);
}

typedef struct split {
    const float *position;
    float *axis[3];
    uint32_t count;
    const rill_cell_ops *ops;
} split;

enum { SPLIT_BLOCK = 4096 };

static void split_axes(void *context, size_t block, unsigned worker)
{
    (void)worker;
    const split *s = context;
    const size_t begin = block * SPLIT_BLOCK, left = s->count - begin;
    s->ops->split(s->position + 4 * begin, (uint32_t)(left < SPLIT_BLOCK ? left : SPLIT_BLOCK), s->axis[0] + begin,
                  s->axis[1] + begin, s->axis[2] + begin);
}

static rill_status split_set(rill_set *set, const rill_cell_ops *ops, const rill_scheduler *scheduler, rill_error *err)
{
    const uint32_t count = set->fields.count;
    const size_t bytes = ((size_t)count + RILL_PADDING) * sizeof(float);
    for (int a = 0; a < 3; a++)
        if (!rill_buffer_reserve(&set->axis[a], bytes)) return rill_memory_fail(err, bytes, "the neighbour search");
    split s = {rill_field_f32(&set->fields, FIELD_POSITION),
               {set->axis[0].data, set->axis[1].data, set->axis[2].data},
               count,
               ops};
    rill_parallel_for(scheduler, (count + SPLIT_BLOCK - 1) / SPLIT_BLOCK, split_axes, &s);
    return RILL_OK;
}

rill_status rill_set_sort(rill_set *set, const rill_grid *grid, const rill_cell_ops *ops, rill_lifetime last,
                          const rill_scheduler *scheduler, rill_error *err)
{
    const rill_cell_input input = {rill_field_f32(&set->fields, FIELD_POSITION), rill_field_u64(&set->fields, FIELD_ID),
                                   set->fields.count};
    rill_status status = rill_cells_sort(&set->cells, grid, &input, scheduler, err);
    if (!status) status = rill_fields_reorder(&set->fields, set->cells.order, last, scheduler, err);
    return status ? status : split_set(set, ops, scheduler, err);
}

rill_status rill_set_merge(rill_set *set, const rill_set *first, const rill_set *second, const rill_cell_ops *ops,
                           const rill_scheduler *scheduler, rill_error *err)
{
    const rill_fields *a = &first->fields, *b = &second->fields;
    rill_status status = rill_set_resize(set, a->count + b->count, err);
    if (!status)
        status = rill_cells_merge(&set->cells, &first->cells, rill_field_u64(a, FIELD_ID), &second->cells,
                                  rill_field_u64(b, FIELD_ID), err);
    if (!status) status = rill_fields_gather(&set->fields, a, b, set->cells.order, RILL_STATE, scheduler, err);
    return status ? status : split_set(set, ops, scheduler, err);
}

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

/* ---- sorting ---- */

typedef struct arrangement {
    const uint32_t *order;
    const float *from;
    float *to, *axis[3];
    uint32_t count;
    const rill_cell_ops *ops;
} arrangement;

/* So few that they are still in the first cache when they are taken apart; whole vectors. */
enum { ARRANGE_BLOCK = 1024 };

static void arrange_block(void *context, size_t block, unsigned worker)
{
    (void)worker;
    const arrangement *s = context;
    const size_t begin = block * ARRANGE_BLOCK, left = s->count - begin;
    const uint32_t count = (uint32_t)(left < ARRANGE_BLOCK ? left : ARRANGE_BLOCK);
    for (size_t i = begin; i < begin + count; i++) memcpy(s->to + 4 * i, s->from + 4 * (size_t)s->order[i], 16);
    s->ops->split(s->to + 4 * begin, count, s->axis[0] + begin, s->axis[1] + begin, s->axis[2] + begin);
}

/* Brings the positions into their order, and their axes apart. */
static void arrange_positions(rill_set *set, const rill_cell_ops *ops, const rill_scheduler *scheduler)
{
    rill_fields *fields = &set->fields;
    arrangement s = {.order = set->cells.order, .from = rill_field_f32(fields, FIELD_POSITION),
                     .to = rill_fields_spare(fields, 16, NULL), .count = fields->count, .ops = ops};
    for (int a = 0; a < 3; a++) s.axis[a] = set->axis[a];
    rill_parallel_for(scheduler, (fields->count + ARRANGE_BLOCK - 1) / ARRANGE_BLOCK, arrange_block, &s);
    rill_fields_trade(fields, FIELD_POSITION);
}

/* The axes lie where the sort worked: in the order, a block of which is read before its x are written, and in the
 * spares for smaller rows, once these are sorted. What a worker writes was mostly its own before, so that it need not
 * come from the cache of another: y are in the middle of ids, which are twice as long. */
static void place_axes(rill_set *set)
{
    float *ids = rill_fields_spare(&set->fields, 8, NULL);
    set->axis[0] = (float *)(void *)set->cells.order;
    set->axis[1] = ids + set->fields.count / 32 * 16;
    set->axis[2] = rill_fields_spare(&set->fields, 4, NULL);
}

rill_status rill_set_sort(rill_set *set, const rill_grid *grid, const rill_cell_ops *ops, rill_lifetime last,
                          const rill_scheduler *scheduler, rill_error *err)
{
    rill_fields *fields = &set->fields;
    const rill_cell_desk desk = {rill_fields_spare(fields, 8, err), rill_fields_spare(fields, 4, err)};
    if (!desk.id || !desk.keys || !rill_fields_spare(fields, 16, err)) return RILL_NO_MEMORY;
    const rill_cell_input input = {rill_field_f32(fields, FIELD_POSITION), rill_field_u64(fields, FIELD_ID),
                                   fields->count};
    rill_status status = rill_cells_sort_at(&set->cells, grid, &input, &desk, scheduler, err);
    if (status) return status;
    rill_fields_trade(fields, FIELD_ID);
    const rill_mask others = rill_fields_until(fields, last) & ~FIELD_BIT(FIELD_ID) & ~FIELD_BIT(FIELD_POSITION);
    status = rill_fields_reorder(fields, set->cells.order, others, scheduler, err);
    place_axes(set);
    if (!status) arrange_positions(set, ops, scheduler);
    return status;
}

/* ---- two sets in one ---- */

static void split_block(void *context, size_t block, unsigned worker)
{
    (void)worker;
    const arrangement *s = context;
    const size_t begin = block * ARRANGE_BLOCK, left = s->count - begin;
    const uint32_t count = (uint32_t)(left < ARRANGE_BLOCK ? left : ARRANGE_BLOCK);
    s->ops->split(s->from + 4 * begin, count, s->axis[0] + begin, s->axis[1] + begin, s->axis[2] + begin);
}

/* Takes the positions apart, which are in their order already. */
static rill_status split_positions(rill_set *set, const rill_cell_ops *ops, const rill_scheduler *scheduler,
                                   rill_error *err)
{
    rill_fields *fields = &set->fields;
    if (!rill_fields_spare(fields, 8, err) || !rill_fields_spare(fields, 4, err)) return RILL_NO_MEMORY;
    place_axes(set);
    arrangement s = {.from = rill_field_f32(fields, FIELD_POSITION), .count = fields->count, .ops = ops};
    for (int a = 0; a < 3; a++) s.axis[a] = set->axis[a];
    rill_parallel_for(scheduler, (fields->count + ARRANGE_BLOCK - 1) / ARRANGE_BLOCK, split_block, &s);
    return RILL_OK;
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
    return status ? status : split_positions(set, ops, scheduler, err);
}

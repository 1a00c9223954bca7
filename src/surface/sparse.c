/* The sparse grid: a hash table of blocks, their values, and the search for
 * blocks that the surface runs into. */
#include "surface/sparse.h"

#include <string.h>

#include "base/hash.h"

/* Chunks have twice as many blocks each time. Pages of memory that come and go with every surface cost a tenth of its
 * time, so the larger ones are on huge pages (src/base/memory.c). */
enum { BATCH = 512, CHUNK_LEAST = 256, CHUNK_DOUBLINGS = 4 };

/* Sixteen blocks along x lie side by side, since neighbours are asked for far more often than others. */
static uint32_t slot_of(const int32_t at[3])
{
    const uint64_t low = (uint64_t)(uint32_t)at[1] << 32 | (uint32_t)at[0] >> 4;
    return (uint32_t)rill_hash_mix(low + 0x9e3779b97f4a7c15u * (uint32_t)at[2]) << 4 | ((uint32_t)at[0] & 15);
}

static void slots_enter(rill_sparse *sparse, uint32_t block)
{
    const int32_t *at = sparse->blocks[block].at;
    uint32_t slot = slot_of(at);
    while (sparse->slots[slot & sparse->slot_mask].number) slot++;
    sparse->slots[slot & sparse->slot_mask] = (rill_block_slot){{at[0], at[1], at[2]}, block + 1};
}

static bool sparse_grow(rill_sparse *sparse)
{
    const uint32_t room = sparse->room ? 2 * sparse->room : 64;
    if (room < sparse->room) return false;
    rill_block *blocks = rill_realloc(sparse->blocks, room * sizeof *blocks);
    if (!blocks) return false;
    sparse->blocks = blocks;
    rill_block_slot *slots = rill_calloc(2 * (size_t)room, sizeof *slots);
    if (!slots) return false;
    rill_free(sparse->slots);
    sparse->slots = slots;
    sparse->slot_mask = 2 * room - 1;
    sparse->room = room;
    for (uint32_t b = 0; b < sparse->count; b++) slots_enter(sparse, b);
    return true;
}

uint32_t rill_sparse_find(const rill_sparse *sparse, const int32_t at[3])
{
    if (!sparse->count) return UINT32_MAX;
    for (uint32_t slot = slot_of(at);; slot++) {
        const rill_block_slot *s = &sparse->slots[slot & sparse->slot_mask];
        if (!s->number) return UINT32_MAX;
        if (s->at[0] == at[0] && s->at[1] == at[1] && s->at[2] == at[2]) return s->number - 1;
    }
}

uint32_t rill_sparse_add(rill_sparse *sparse, const int32_t at[3])
{
    const uint32_t found = rill_sparse_find(sparse, at);
    if (found != UINT32_MAX) return found;
    if (sparse->count == sparse->room && !sparse_grow(sparse)) return UINT32_MAX;
    const uint32_t b = sparse->count++;
    sparse->blocks[b] = (rill_block){.at = {at[0], at[1], at[2]}, .state = RILL_BLOCK_WANTED};
    slots_enter(sparse, b);
    return b;
}

void rill_sparse_free(rill_sparse *sparse)
{
    for (uint32_t c = 0; c < sparse->chunk_count; c++) rill_memory_free(sparse->chunks[c]);
    rill_free(sparse->chunks);
    rill_free(sparse->blocks);
    rill_free(sparse->slots);
    *sparse = (rill_sparse){0};
}

void rill_sparse_around(const rill_sparse *sparse, uint32_t block, uint32_t around[27])
{
    const int32_t *at = sparse->blocks[block].at;
    for (int k = 0; k < 27; k++) {
        const int32_t other[3] = {at[0] + k % 3 - 1, at[1] + k / 3 % 3 - 1, at[2] + k / 9 - 1};
        around[k] = k == 13 ? block : rill_sparse_find(sparse, other);
    }
}

size_t rill_sparse_bytes(const rill_sparse *sparse)
{
    return (size_t)sparse->stored * RILL_BLOCK_NODES * sizeof **sparse->chunks;
}

static bool chunk_add(rill_sparse *sparse)
{
    if (sparse->chunk_count == sparse->chunk_room) {
        const uint32_t room = sparse->chunk_room ? 2 * sparse->chunk_room : 16;
        float **chunks = rill_realloc(sparse->chunks, room * sizeof *chunks);
        if (!chunks) return false;
        sparse->chunks = chunks;
        sparse->chunk_room = room;
    }
    const uint32_t doublings = sparse->chunk_count < CHUNK_DOUBLINGS ? sparse->chunk_count : CHUNK_DOUBLINGS;
    const uint32_t blocks = CHUNK_LEAST << doublings;
    float *chunk = rill_memory_alloc_raw((size_t)blocks * RILL_BLOCK_NODES * sizeof *chunk);
    if (!chunk) return false;
    sparse->chunks[sparse->chunk_count++] = chunk;
    sparse->next = chunk;
    sparse->left = blocks;
    return true;
}

/* Room for the values of one more block. */
static float *values_take(rill_sparse *sparse)
{
    if (sparse->limit && rill_sparse_bytes(sparse) > sparse->limit) return NULL;
    if (!sparse->left && !chunk_add(sparse)) return NULL;
    float *values = sparse->next;
    sparse->next += RILL_BLOCK_NODES;
    sparse->left--;
    sparse->stored++;
    return values;
}

typedef struct fill {
    rill_sparse *sparse;
    const rill_block_source *source;
    const uint32_t *wanted;
    float *value;
    float *highest; /* of each block of the batch */
} fill;

static void fill_block(void *context, size_t i, unsigned worker)
{
    fill *f = context;
    rill_block *b = &f->sparse->blocks[f->wanted[i]];
    float *value = f->value + i * RILL_BLOCK_NODES, highest = f->source->far;
    f->source->values(f->source->user, b->at, value, worker);
    for (unsigned z = 0; z < 8; z++) {
        uint64_t inside = 0;
        for (unsigned n = 0; n < 64; n++) {
            const float v = value[64 * z + n];
            inside |= (uint64_t)(v > 0) << n;
            highest = v > highest ? v : highest;
        }
        b->inside[z] = inside;
    }
    f->highest[i] = highest;
}

/* Values are kept where they may matter. A block that a cell with different corners asks for is kept in any case. */
static bool keep_batch(fill *f, size_t count, bool all)
{
    for (size_t i = 0; i < count; i++) {
        rill_block *b = &f->sparse->blocks[f->wanted[i]];
        b->state = RILL_BLOCK_OUTSIDE;
        if (!all && !(f->highest[i] > f->source->far)) continue;
        b->value = values_take(f->sparse);
        if (!b->value) return false;
        b->state = RILL_BLOCK_VALUES;
        memcpy(b->value, f->value + i * RILL_BLOCK_NODES, RILL_BLOCK_NODES * sizeof(float));
    }
    return true;
}

static bool fill_list(rill_sparse *sparse, const rill_block_source *source, const uint32_t *wanted, size_t count,
                      bool all, const rill_scheduler *scheduler)
{
    const size_t most = count < BATCH ? count : BATCH;
    float *value = rill_memory_alloc_raw(most * (RILL_BLOCK_NODES + 1) * sizeof *value);
    if (!value) return false;
    fill f = {.sparse = sparse, .source = source, .value = value, .highest = value + most * RILL_BLOCK_NODES};
    bool fine = true;
    for (size_t done = 0; fine && done < count; done += BATCH) {
        const size_t batch = count - done < BATCH ? count - done : BATCH;
        f.wanted = wanted + done;
        rill_parallel_for(scheduler, batch, fill_block, &f);
        sparse->filled += batch;
        fine = keep_batch(&f, batch, all);
    }
    rill_memory_free(value);
    return fine;
}

static rill_status fill_wanted(rill_sparse *sparse, const rill_block_source *source, bool all,
                               const rill_scheduler *scheduler, rill_error *err)
{
    const size_t bytes = (size_t)sparse->count * sizeof(uint32_t);
    uint32_t *wanted = rill_malloc(bytes + 1);
    size_t count = 0;
    if (!wanted) return rill_memory_fail(err, bytes, "the blocks of the surface");
    for (uint32_t b = 0; b < sparse->count; b++)
        if (sparse->blocks[b].state == RILL_BLOCK_WANTED) wanted[count++] = b;
    const bool fine = fill_list(sparse, source, wanted, count, all, scheduler);
    rill_free(wanted);
    if (!fine)
        return rill_fail(err, RILL_NO_MEMORY,
                         "There is no memory for the cells near the surface, of which %.1f MB were filled; use larger "
                         "cells.",
                         (double)rill_sparse_bytes(sparse) / 1e6);
    return RILL_OK;
}

rill_status rill_sparse_fill(rill_sparse *sparse, const rill_block_source *source, const rill_scheduler *scheduler,
                             rill_error *err)
{
    return fill_wanted(sparse, source, false, scheduler, err);
}

/* ---- closing ---- */

/* Which cells of a row along x have different corners, bit 0 for the cell that begins one node before the block. The
 * four rows have ten bits each, from one node before the block to one behind. */
static unsigned mixed(unsigned a, unsigned b, unsigned c, unsigned d)
{
    const unsigned any = a | b | c | d, all = a & b & c & d;
    return ((any | any >> 1) & ~(all & all >> 1)) & 511;
}

static unsigned ring_row(const rill_sparse *sparse, const uint32_t around[27], int y, int z)
{
    const unsigned by = y < 0 ? 0 : y > 7 ? 2 : 1, bz = z < 0 ? 0 : z > 7 ? 2 : 1;
    const uint32_t *row = around + 9 * bz + 3 * by;
    const unsigned ny = (unsigned)y & 7, nz = (unsigned)z & 7;
    return rill_sparse_row(sparse, row[0], ny, nz) >> 7 | rill_sparse_row(sparse, row[1], ny, nz) << 1 |
           (rill_sparse_row(sparse, row[2], ny, nz) & 1) << 9;
}

/* The 27 neighbours that a cell with different corners reaches from this block, one bit each. */
static uint32_t reached(const rill_sparse *sparse, const uint32_t around[27])
{
    unsigned rows[10][10];
    uint32_t needs = 0;
    for (int z = 0; z < 10; z++)
        for (int y = 0; y < 10; y++) rows[z][y] = ring_row(sparse, around, y - 1, z - 1);
    for (unsigned z = 0; z < 9; z++)
        for (unsigned y = 0; y < 9; y++) {
            const unsigned m = mixed(rows[z][y], rows[z][y + 1], rows[z + 1][y], rows[z + 1][y + 1]);
            if (!m) continue;
            /* Along x, y and z: the blocks before, at and behind, as bits 0 to 2. */
            const unsigned x3 = (m & 1 ? 3u : 0) | (m & 254 ? 2u : 0) | (m & 256 ? 6u : 0);
            const unsigned y3 = y == 0 ? 3 : y == 8 ? 6 : 2, z3 = z == 0 ? 3 : z == 8 ? 6 : 2;
            for (unsigned k = 0; k < 27; k++)
                needs |= (x3 >> k % 3 & y3 >> k / 3 % 3 & z3 >> k / 9 & 1) << k;
        }
    return needs;
}

typedef struct closing {
    const rill_sparse *sparse;
    uint32_t *needs;
    bool first; /* of the rounds; thereafter no more blocks lie outside than before */
} closing;

static void find_needs(void *context, size_t i, unsigned worker)
{
    (void)worker;
    closing *c = context;
    const rill_sparse *sparse = c->sparse;
    const rill_block *b = &sparse->blocks[i];
    uint32_t around[27], missing = 0;
    c->needs[i] = 0;
    if (b->state == RILL_BLOCK_OUTSIDE || (b->state == RILL_BLOCK_INSIDE && !c->first)) return;
    rill_sparse_around(sparse, (uint32_t)i, around);
    for (unsigned k = 0; k < 27; k++)
        if (around[k] == UINT32_MAX || sparse->blocks[around[k]].state != RILL_BLOCK_VALUES) missing |= 1u << k;
    if (!missing) return;
    if (b->state == RILL_BLOCK_VALUES) {
        c->needs[i] = reached(sparse, around) & missing;
        return;
    }
    /* A block taken for inside must have no neighbour taken for outside. */
    for (unsigned k = 0; k < 27; k++)
        if (around[k] == UINT32_MAX || sparse->blocks[around[k]].state == RILL_BLOCK_OUTSIDE) c->needs[i] = 1u << 13;
}

/* Marks what is needed as wanted. False without memory. */
static bool add_needs(rill_sparse *sparse, const uint32_t *needs, uint32_t count, size_t *added)
{
    for (uint32_t i = 0; i < count; i++)
        for (unsigned k = 0; k < 27; k++) {
            if (!(needs[i] >> k & 1)) continue;
            const int32_t *from = sparse->blocks[i].at;
            const int32_t at[3] = {from[0] + (int)k % 3 - 1, from[1] + (int)k / 3 % 3 - 1, from[2] + (int)k / 9 - 1};
            const uint32_t b = rill_sparse_add(sparse, at);
            if (b == UINT32_MAX) return false;
            if (sparse->blocks[b].state == RILL_BLOCK_VALUES) continue;
            sparse->blocks[b].state = RILL_BLOCK_WANTED;
            (*added)++;
        }
    return true;
}

rill_status rill_sparse_close(rill_sparse *sparse, const rill_block_source *source, const rill_scheduler *scheduler,
                              rill_error *err)
{
    bool first = true;
    for (size_t added = 1; added; first = false) {
        added = 0;
        const uint32_t count = sparse->count;
        const size_t bytes = (size_t)count * sizeof(uint32_t);
        uint32_t *needs = rill_malloc(bytes + 1);
        if (!needs) return rill_memory_fail(err, bytes, "the blocks of the surface");
        closing c = {sparse, needs, first};
        rill_parallel_for(scheduler, count, find_needs, &c);
        const bool fine = add_needs(sparse, needs, count, &added);
        rill_free(needs);
        if (!fine) return rill_memory_fail(err, 2 * bytes, "the blocks of the surface");
        const rill_status status = fill_wanted(sparse, source, true, scheduler, err);
        if (status) return status;
    }
    return RILL_OK;
}

/* A sparse grid of nodes in blocks of 8 x 8 x 8. A block holds values, or is
 * known to lie inside or outside as a whole; what is in no block lies outside.
 * Before triangles are drawn, rill_sparse_close adds blocks until every cell
 * whose corners differ has values at all eight, so that a surface never ends
 * where values do, however blocks were guessed. */
#ifndef RILL_SURFACE_SPARSE_H
#define RILL_SURFACE_SPARSE_H

#include "base/memory.h"
#include "run/threads.h"

enum { RILL_BLOCK_EDGE = 8, RILL_BLOCK_NODES = 512 };

typedef enum rill_block_state {
    RILL_BLOCK_OUTSIDE,
    RILL_BLOCK_INSIDE,
    RILL_BLOCK_VALUES,
    RILL_BLOCK_WANTED /* to be filled */
} rill_block_state;

typedef struct rill_block {
    int32_t at[3]; /* node 0 is 8 at */
    rill_block_state state;
    float *value;       /* x fastest; above zero is inside; NULL without values */
    uint64_t inside[8]; /* bit x + 8 y of layer z */
} rill_block;

/* Values at the 512 nodes of a block. Blocks are asked for at the same time, each once, on a worker's own scratch. */
typedef struct rill_block_source {
    void (*values)(void *user, const int32_t at[3], float *value, unsigned worker);
    void *user;
    float far; /* blocks with no value above this hold nothing of interest and are taken as outside */
} rill_block_source;

typedef struct rill_block_slot {
    int32_t at[3];
    uint32_t number; /* block + 1; 0: empty */
} rill_block_slot;

typedef struct rill_sparse {
    rill_block *blocks;
    uint32_t count, room;
    rill_block_slot *slots; /* hash table */
    uint32_t slot_mask;
    float **chunks; /* of values */
    uint32_t chunk_count, chunk_room, stored;
    float *next;   /* where the values of the next block go, ... */
    uint32_t left; /* ... and those of so many in all */
    size_t filled; /* blocks whose values were asked for, whether they were kept or not */
    size_t limit; /* bytes of values, 0: none; beyond, filling fails for want of memory */
} rill_sparse;

/* Bytes of the values that are stored. */
size_t rill_sparse_bytes(const rill_sparse *sparse);

/* The block at these coordinates, made (wanted) where there is none; UINT32_MAX without memory. */
uint32_t rill_sparse_add(rill_sparse *sparse, const int32_t at[3]);
/* The same, or UINT32_MAX where there is none. */
uint32_t rill_sparse_find(const rill_sparse *sparse, const int32_t at[3]);
void rill_sparse_free(rill_sparse *sparse);

/* Fills all wanted blocks. */
rill_status rill_sparse_fill(rill_sparse *sparse, const rill_block_source *source, const rill_scheduler *scheduler,
                             rill_error *err);
/* Adds and fills blocks until no cell with different corners lacks values. */
rill_status rill_sparse_close(rill_sparse *sparse, const rill_block_source *source, const rill_scheduler *scheduler,
                              rill_error *err);

/* The 27 blocks around and including a block, x fastest; UINT32_MAX where there is none. */
void rill_sparse_around(const rill_sparse *sparse, uint32_t block, uint32_t around[27]);

/* Eight nodes of a row, one bit each; uniform blocks and none have their one sign. */
static inline unsigned rill_sparse_row(const rill_sparse *sparse, uint32_t block, unsigned y, unsigned z)
{
    if (block == UINT32_MAX) return 0;
    const rill_block *b = &sparse->blocks[block];
    return (unsigned)(b->inside[z] >> 8 * y) & 255;
}

#endif

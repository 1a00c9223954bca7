/* Neighbour lists: for groups of RILL_WIDTH particles in a row, the k-th
 * neighbours of all of them lie side by side (sliced lists). Short lists are
 * padded with the particle itself, for which every pair term is zero. Each pair
 * has room for one cached float, the factor f with nabla W = f (x_i - x_j).
 * Lists are most of what a pass reads, so they are kept short: neighbours of
 * particles in a row are mostly near each other in memory, and a row of the list
 * is one number and, in 16 bits each, how far behind it the neighbours are. Where
 * that is too few bits for a group, its rows hold byte offsets of records of four
 * floats in 32 bits.
 * Found once a step, by cells: the candidates of a cell's 27 cells are copied
 * side by side, tested in a row and compressed. */
#ifndef RILL_FLUID_NEIGHBOUR_H
#define RILL_FLUID_NEIGHBOUR_H

#include <string.h>

#include "fluid/grid.h"

/* Lists live in chunks that each worker fills on its own; where a list lies
 * depends on the threads, what it holds does not. */
typedef struct rill_chunk {
    char *data;
    size_t size, used; /* bytes */
} rill_chunk;

typedef struct rill_arena {
    rill_chunk *chunks;
    uint32_t count, current;
} rill_arena;

/* What the parts of a list lie in. */
enum { RILL_POOL_PLACES, RILL_POOL_FACTORS, RILL_POOL_WEIGHTS, RILL_POOL_PARTS };
typedef struct rill_pool {
    rill_arena parts[RILL_POOL_PARTS];
} rill_pool;

typedef struct rill_group {
    uint16_t *places; /* near: rows of a number in 32 bits and RILL_WIDTH in 16; far: of RILL_WIDTH in 32 */
    float *factors;   /* length * RILL_WIDTH */
    uint16_t *weights;
    uint32_t length; /* of the longest list in the group */
    bool far;
    bool in_tile; /* all neighbours, of the same set, belong to one tile of the grid with the group */
} rill_group;

/* The k-th neighbour of the particle in a lane of a group, one by one; wide loops have group_gather(). */
static inline uint32_t rill_group_neighbour(const rill_group *group, unsigned width, uint32_t k, uint32_t lane)
{
    uint32_t number;
    if (group->far) {
        memcpy(&number, group->places + 2 * ((size_t)k * width + lane), sizeof number);
        return number / 16;
    }
    const uint16_t *row = group->places + (size_t)k * (width + 2);
    memcpy(&number, row, sizeof number);
    return number + row[2 + lane];
}

/* What a worker needs to build lists. */
typedef struct rill_list_scratch {
    rill_buffer candidates, rows;
    uint32_t candidates_room, rows_room; /* entries from one row to the next */
    uint64_t pairs; /* found by this worker */
    bool failed;    /* ran out of memory */
} rill_list_scratch;

/* The neighbours of one set of particles among another (or the same). */
typedef struct rill_lists {
    uint32_t particles, groups;
    rill_group *group;
    uint32_t *count; /* neighbours of each particle */
    uint64_t pairs;  /* all neighbours */
    unsigned workers;
    rill_pool *pools;           /* one a worker */
    rill_list_scratch *scratch; /* one a worker */
    bool weighted;              /* each pair has room for a factor in 16 bits as well, for solvers that read it often */
    size_t chunk_size;          /* bytes of an ordinary chunk */
    rill_buffer group_memory, count_memory;
} rill_lists;

/* A set of particles as the search sees it. */
typedef struct rill_search_set {
    const rill_cells *cells;
    const float *x, *y, *z; /* sorted, padded with RILL_PADDING readable floats */
} rill_search_set;

rill_status rill_lists_create(rill_lists *lists, unsigned workers, size_t chunk_size, rill_error *err);
void rill_lists_free(rill_lists *lists);
size_t rill_lists_bytes(const rill_lists *lists);

/* Makes the lists ready for a build. */
rill_status rill_lists_begin(rill_lists *lists, uint32_t particles, unsigned width, rill_error *err);
/* After all blocks are built: sums up, or says that memory ran out. */
rill_status rill_lists_end(rill_lists *lists, rill_error *err);

/* Room for so many bytes, or NULL; the caller adds what it keeps to `used` of the chunk. */
rill_chunk *rill_lists_room(const rill_lists *lists, rill_arena *arena, size_t bytes);

/* Wide: builds the lists of particles begin <= i < end of `own` among `other`. */
typedef struct rill_list_job {
    const rill_grid *grid;
    rill_search_set own, other;
    bool same; /* own and other are one set: a particle is not its own neighbour */
    rill_lists *lists;
} rill_list_job;
typedef void rill_list_build(const rill_list_job *job, uint32_t begin, uint32_t end, unsigned worker);

#endif

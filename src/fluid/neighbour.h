/* Neighbour lists: for groups of RILL_WIDTH particles in a row, the k-th
 * neighbours of all of them lie side by side (sliced lists). Short lists are
 * padded with the particle itself, for which every pair term is zero. Each pair
 * has room for one cached float, the factor f with nabla W = f (x_i - x_j).
 * Lists are most of what a pass reads, so they are kept short: neighbours of
 * particles in a row are mostly near each other in memory, so a row of the list
 * says in 16 bits where it begins, in runs of 256 particles from the first of all
 * neighbours of the group, and in 16 bits each how far behind that the neighbours
 * are. Where that is too few bits for a group, its rows hold byte offsets of
 * records of four floats in 32 bits.
 * Found once a step, by cells: the candidates of a cell's 27 cells are copied
 * side by side, tested in a row and compressed. */
#ifndef RILL_FLUID_NEIGHBOUR_H
#define RILL_FLUID_NEIGHBOUR_H

#include <stdatomic.h>
#include <string.h>

#include "fluid/grid.h"

/* Where the list of a group lies in the flat buffers of all lists, as numbers, so that lists can be moved or kept. */
typedef struct rill_group_place {
    size_t places;   /* first 16-bit number; near lists begin with their base, in two */
    size_t entry;    /* first factor, and first weight */
    uint32_t length; /* rows: of the longest list in the group */
    uint16_t in_tile; /* a bit for each lane whose neighbours, of the same set, all lie in its tile of the grid */
    bool far;         /* neighbours are too far apart in memory for 16 bits */
} rill_group_place;

enum { RILL_NEAR_RUN = 256 };

/* The list of a group, ready to read. */
typedef struct rill_group {
    uint16_t *places; /* near: rows of RILL_WIDTH + 1 numbers; far: of RILL_WIDTH in 32 bits */
    float *factors;   /* length * RILL_WIDTH */
    uint16_t *weights;
    uint32_t base; /* near: runs are counted from here, in bytes of records */
    uint32_t length;
    uint16_t in_tile;
    bool far;
} rill_group;

/* The k-th neighbour of the particle in a lane of a group, one by one; wide loops have group_gather(). */
static inline uint32_t rill_group_neighbour(const rill_group *group, unsigned width, uint32_t k, uint32_t lane)
{
    const uint16_t *row = group->places + (size_t)k * (width + 1);
    if (!group->far) return group->base / 16 + RILL_NEAR_RUN * (uint32_t)row[0] + row[1 + lane];
    uint32_t offset;
    memcpy(&offset, group->places + 2 * ((size_t)k * width + lane), sizeof offset);
    return offset / 16;
}

/* A piece of a flat buffer that one worker fills: first <= k < last is still free. */
typedef struct rill_piece {
    size_t first, last;
} rill_piece;

/* What a worker needs to build lists. It writes here for every group, so no other worker's may lie in the same cache
 * line. */
typedef struct rill_list_scratch {
    rill_buffer candidates, rows;
    uint32_t candidates_room, rows_room; /* entries from one row to the next */
    rill_piece places, entries;
    char apart[RILL_ALIGNMENT - 8];
} rill_list_scratch;
_Static_assert(sizeof(rill_list_scratch) % RILL_ALIGNMENT == 0, "whole cache lines");

/* The neighbours of one set of particles among another (or the same). Where a list lies in the buffers depends on the
 * threads, what it holds does not. */
typedef struct rill_lists {
    uint32_t particles, groups;
    rill_group_place *group;
    uint32_t *count; /* neighbours of each particle */
    uint64_t pairs;  /* all neighbours of the set's own particles */
    uint16_t *places;  /* of all groups */
    float *factors;
    uint16_t *weights; /* NULL unless weighted */
    size_t places_room, entries_room;
    atomic_size_t places_used, entries_used; /* may be beyond the room, and then says how much was wanted */
    size_t places_expected, entries_expected; /* what was wanted last time */
    unsigned workers;
    rill_list_scratch *scratch; /* one a worker */
    bool weighted; /* each pair has room for a factor in 16 bits as well, for solvers that read it often */
    rill_buffer group_memory, count_memory;
} rill_lists;

/* The list of a group. */
static inline rill_group rill_lists_group(const rill_lists *lists, uint32_t group)
{
    const rill_group_place *at = &lists->group[group];
    uint16_t *places = lists->places + at->places;
    uint16_t *weights = lists->weights ? lists->weights + at->entry : NULL;
    uint32_t base;
    memcpy(&base, places, sizeof base); /* of a far list this is something else, and not used */
    return (rill_group){
        at->far ? places : places + 2, lists->factors + at->entry, weights, base, at->length, at->in_tile, at->far};
}

/* A set of particles as the search sees it. */
typedef struct rill_search_set {
    const rill_cells *cells;
    const float *x, *y, *z; /* sorted, padded with RILL_PADDING readable floats */
    const uint32_t *owner;  /* whose particles are not counted, where above 0; NULL: there are none */
} rill_search_set;

rill_status rill_lists_create(rill_lists *lists, unsigned workers, rill_error *err);
void rill_lists_free(rill_lists *lists);
size_t rill_lists_bytes(const rill_lists *lists);

/* Makes the lists ready for a build; the first time, with room for `mean` neighbours of every particle. */
rill_status rill_lists_begin(rill_lists *lists, uint32_t particles, unsigned width, double mean, rill_error *err);
/* Room for a list in the buffers; false where they are full. */
bool rill_lists_room(rill_lists *lists, unsigned worker, size_t places, size_t entries);
/* True when a buffer was full and lists are missing. */
bool rill_lists_full(const rill_lists *lists);
/* Makes the buffers as large as was wanted, and somewhat larger; what they hold stays. */
rill_status rill_lists_grow(rill_lists *lists, rill_error *err);
/* Wide: builds the lists of particles begin <= i < end of `own` among `other`, and adds to `pairs` what neighbours the
 * set's own particles among them have; false where the buffers were full or memory ran out. */
typedef struct rill_list_job {
    const rill_grid *grid;
    rill_search_set own, other;
    bool same; /* own and other are one set: a particle is not its own neighbour */
    rill_lists *lists;
} rill_list_job;
typedef bool rill_list_build(const rill_list_job *job, uint32_t begin, uint32_t end, unsigned worker,
                             uint64_t *pairs);

#endif

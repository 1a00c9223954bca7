/* The broad phase: which of many boxes a small box meets. Boxes that are alike in size lie in the cells of a grid; the
 * few that are much larger, or have no end, are met by asking each. */
#ifndef RILL_PHYSICS_BROAD_H
#define RILL_PHYSICS_BROAD_H

#include <stdbool.h>

#include "base/memory.h"

typedef struct rill_box {
    float low[3], high[3]; /* may be infinite */
} rill_box;

/* True where a point lies in a box. */
static inline bool rill_box_holds(const rill_box *box, const float x[3])
{
    return x[0] >= box->low[0] && x[0] <= box->high[0] && x[1] >= box->low[1] && x[1] <= box->high[1] &&
           x[2] >= box->low[2] && x[2] <= box->high[2];
}

typedef struct rill_broad {
    const rill_box *boxes;
    uint32_t count;
    float period[3];  /* lengths after which every box comes again; 0: never */
    bool periodic;    /* any of them is above 0 */
    float per_cell[3];
    int32_t cells[3]; /* along each axis; beyond the last the first comes again */
    uint32_t *start;  /* of every cell, where its boxes begin, and one more; NULL: there are no cells */
    uint32_t *items;  /* boxes by cell, those of a cell by their number */
    uint32_t *wide;   /* boxes that are not in cells, by their number */
    uint32_t wide_count;
    uint32_t crowd;   /* boxes in the fullest cell */
    rill_buffer memory;
} rill_broad;

/* More than so many are not listed: then the answer is "all". */
enum { RILL_BROAD_ROOM = 64 };

typedef struct rill_broad_found {
    bool all;
    uint32_t count; /* of all, if all */
    uint32_t box[RILL_BROAD_ROOM]; /* by their number, unless all */
} rill_broad_found;

static inline uint32_t rill_broad_at(const rill_broad_found *found, uint32_t k)
{
    return found->all ? k : found->box[k];
}

/* Sorts the boxes, which must stay where they are; what it was made for before is forgotten. */
rill_status rill_broad_make(rill_broad *broad, const rill_box *boxes, uint32_t count, const double period[3],
                            rill_error *err);
void rill_broad_free(rill_broad *broad);

/* Whether a box, or one that comes again, meets another. */
bool rill_broad_meets(const rill_broad *broad, const rill_box *box, const rill_box *at);

/* All boxes that meet one, each once, by their number. */
void rill_broad_find(const rill_broad *broad, const rill_box *at, rill_broad_found *found);

/* About the most boxes that are looked at for a small one. */
uint32_t rill_broad_most(const rill_broad *broad);

#endif

/* A set of particles: their fields, sorted by cell, and who of them takes part in a step. The liquid is one, the
 * particles that stand for walls are another. */
#ifndef RILL_FLUID_SET_H
#define RILL_FLUID_SET_H

#include "fluid/grid.h"
#include "run/pass.h"

/* Rows of the field table that every set begins with. */
enum {
    FIELD_POSITION, /* x, y, z; the fourth lane is for what pair passes gather */
    FIELD_VELOCITY,
    FIELD_ID,
    FIELD_OWNER, /* 0 for the set's own particles; late: there is none before copies come */
    SET_FIELDS
};

typedef struct rill_set {
    rill_fields fields;
    uint32_t own;    /* particles that are its own; the rest are copies of others, as neighbours for its own alone */
    rill_blocks due; /* who takes part in the step, as the clock says */
    uint64_t next_id; /* of the next particle that is born */
    rill_cells cells;
    float *axis[3]; /* x, y, z apart, for the search; where the sort worked */
} rill_set;

/* Adds the rows that every set has. Ids are for sets whose particles live longer than a step; the others are known by
 * their place in the order in which they are made. */
void rill_set_begin(rill_set *set);
void rill_set_free(rill_set *set);

/* Adds particles of its own, born as their fields say, with ids of their own. They are the last until the next sort. */
rill_status rill_set_append(rill_set *set, uint32_t count, rill_error *err);

/* Adds copies of another owner's particles (1, 2, ...), born in the same way but for their ids, which are the caller's
 * to fill in. Sorting mixes them with the others; whatever is summed, counted or reported leaves them out. */
rill_status rill_set_append_copies(rill_set *set, uint32_t count, uint32_t owner, rill_error *err);

static inline bool rill_set_owns(const rill_set *set, size_t i)
{
    const uint32_t *owner = rill_field_u32(&set->fields, FIELD_OWNER);
    return !owner || !owner[i];
}

/* Gives it so many particles of its own and no others, all to be filled in. */
rill_status rill_set_resize(rill_set *set, uint32_t count, rill_error *err);

/* Takes away the particles i for which gone[i]. */
void rill_set_remove(rill_set *set, const bool *gone);

/* Sorts the particles by cell, those of a cell by id; fields of later lifetimes than `last` stay as they are. */
rill_status rill_set_sort(rill_set *set, const rill_grid *grid, const rill_cell_ops *ops, rill_lifetime last,
                          const rill_scheduler *scheduler, rill_error *err);

/* Makes a set of two that are sorted and begin with the same rows: as if all of their particles had been sorted at
 * once. */
rill_status rill_set_merge(rill_set *set, const rill_set *first, const rill_set *second, const rill_cell_ops *ops,
                           const rill_scheduler *scheduler, rill_error *err);

#endif

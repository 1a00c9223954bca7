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
    SET_FIELDS
};

typedef struct rill_set {
    rill_fields fields;
    uint32_t own;     /* the first so many particles are its own, the rest are copies of others */
    uint64_t next_id; /* of the next particle that is born */
    rill_cells cells;
    rill_buffer axis[3]; /* x, y, z apart, for the search */
} rill_set;

/* Adds the rows that every set has. Ids are for sets whose particles live longer than a step; the others are known by
 * their place in the order in which they are made. */
void rill_set_begin(rill_set *set);
void rill_set_free(rill_set *set);

/* Adds particles of its own, born as their fields say, with ids of their own. They are the last until the next sort. */
rill_status rill_set_append(rill_set *set, uint32_t count, rill_error *err);

/* Takes away the particles i for which gone[i]. */
void rill_set_remove(rill_set *set, const bool *gone);

/* Sorts the particles by cell, those of a cell by id; fields of later lifetimes than `last` stay as they are. */
rill_status rill_set_sort(rill_set *set, const rill_grid *grid, const rill_cell_ops *ops, rill_lifetime last,
                          const rill_scheduler *scheduler, rill_error *err);

#endif

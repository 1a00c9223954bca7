/* What bodies do to the liquid beside them. Particles that lie in a row are mostly beside the same body, so every group
 * of as many as a vector has lanes has one row for each body that any of them touches. The boundary method makes the
 * rows once a step from wall particles, at which nobody else looks: solvers and forces read rows, and add what they
 * make the body give to the liquid, which is then taken from the body.
 *
 *   sums  lambda = V0 sum_b psi_b W_ib,  G = sum_b f_ib (x_i - x_b),  sum_b f_ib u_b.(x_i - x_b),  how many b there are
 *   push  sum_b f_ib P_b (x_i - x_b), with the walls' own pressure
 *   hold  K = sum_b c_ib x_ib x_ib^T and sum_b c_ib x_ib (x_ib.u_b): how it holds on to liquid that slides along it
 *   pull  sum_b psi_b C(r) (x_i - x_b): how it attracts liquid
 *   given the velocity that the body has given to each particle in this step, m/s
 *
 * over the wall particles b of the body, which move with u_b. */
#ifndef RILL_FLUID_TOUCH_H
#define RILL_FLUID_TOUCH_H

#include "base/memory.h"
#include "rill/base.h"
#include "run/pass.h"

typedef enum rill_touch_part {
    TOUCH_SUMS,
    TOUCH_PUSH,
    TOUCH_HOLD,
    TOUCH_PULL,
    TOUCH_GIVEN,
    TOUCH_PARTS
} rill_touch_part;

/* Numbers of every part for one particle and body. */
static const unsigned rill_touch_numbers[TOUCH_PARTS] = {6, 3, 9, 3, 3};

/* All rows of a step. A part that no method of the world reads has no memory. */
typedef struct rill_touches {
    uint32_t groups, rows;
    uint32_t *count; /* rows of every group */
    uint32_t *first; /* and the first of them */
    uint32_t *body;  /* of every row */
    float *part[TOUCH_PARTS]; /* of a row one vector after another, a lane for each particle */
    bool wanted[TOUCH_PARTS];
    rill_buffer count_memory, first_memory, body_memory, part_memory[TOUCH_PARTS];
} rill_touches;

/* Room for the counts of all groups, which are zero. */
rill_status rill_touches_begin(rill_touches *touches, uint32_t particles, unsigned width, rill_error *err);
/* Room for as many rows as were counted; nothing is given yet. */
rill_status rill_touches_lay_out(rill_touches *touches, unsigned width, rill_error *err);
void rill_touches_free(rill_touches *touches);

#endif

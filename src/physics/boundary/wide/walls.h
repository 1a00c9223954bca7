/* What the files of this folder have of each other. */
#ifndef RILL_PHYSICS_WALLS_H
#define RILL_PHYSICS_WALLS_H

#include "fluid/wide/touch.h"
#include "physics/method.h"

/* Counts the bodies that every group of liquid particles touches, and sums over their wall particles. */
rill_status RILL_WIDE(rill_walls_touch)(const rill_step_context *step, rill_error *err);

/* What a solver wants to know of places that it tries. */
typedef struct rill_walls_try {
    uint32_t places; /* row of the liquid's table: the places */
    bool slopes;     /* G there as well as lambda */
    float ahead;     /* s until walls are where they count */
    float crowd;     /* above 0: sum_b (crowd W_ib)^4 f_ib (x_i - x_b) in place of the push */
} rill_walls_try;

/* The same sums where liquid would be at other places, and walls a little later. Bodies and neighbours stay as they
 * are. */
void RILL_WIDE(rill_walls_look)(const rill_step_context *step, const rill_walls_try *what);

/* Adds up, as sums beyond those of a tally, what the liquid got from every body: six for each, the momentum and the
 * angular momentum about its centre. */
void RILL_WIDE(rill_walls_react)(const rill_step_context *step, double share);

#endif

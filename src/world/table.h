/* The table of a scene: a row for every key (physics/param.h). */
#ifndef RILL_WORLD_TABLE_H
#define RILL_WORLD_TABLE_H

#include "physics/param.h"

/* Solvers sum products of kernel gradients, which go with the fourth power of one over the diameter: outside this range
 * pressures vanish or overflow in single precision. */
#define RILL_LEAST_DIAMETER 2e-5 /* m */
#define RILL_MOST_DIAMETER 1e5   /* m */

#define RILL_LEAST_DENSITY 1e-6 /* kg/m3 */
#define RILL_LEAST_STEP 1e-12   /* s, of the longest step */

/* Of all boundaries of a scene together: its text, with which a run begins, has room for them. */
#define RILL_MOST_KEYFRAMES 10000

RILL_SHARED const rill_param *rill_scene_table(void);

#endif

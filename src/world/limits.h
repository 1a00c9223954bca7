/* What a value of a scene may be by itself, whoever made the scene. */
#ifndef RILL_WORLD_LIMITS_H
#define RILL_WORLD_LIMITS_H

#include "rill/scene.h"
#include "text/unit.h"

/* Solvers sum products of kernel gradients, which go with the fourth power of one over the diameter: outside this range
 * pressures vanish or overflow in single precision. */
#define RILL_LEAST_DIAMETER 2e-5 /* m */
#define RILL_MOST_DIAMETER 1e5   /* m */

#define RILL_LEAST_DENSITY 1e-6 /* kg/m3 */
#define RILL_LEAST_STEP 1e-12   /* s, of the longest step */
enum { RILL_MOST_ITERATIONS = 100000, RILL_MOST_NEIGHBOURS = 1000000 };

/* A check of a scene, and what it found fault with. */
typedef struct rill_check {
    rill_error *err;
    const void *at; /* the value in the scene; NULL: none in particular */
} rill_check;

/* Fails with a sentence about the value. */
rill_status rill_check_fault(rill_check *check, const void *at, const char *format, ...) RILL_PRINTF(3, 4);

/* Every value of the scene: numbers that are finite and not too large, enums that exist, names that end. */
rill_status rill_limits_check(const rill_scene *scene, rill_check *check);

#endif

/* Keys of a scene that several methods read, described once. A method lists those it reads among its own. */
#ifndef RILL_PHYSICS_PARAMS_H
#define RILL_PHYSICS_PARAMS_H

#include "physics/param.h"

/* Iterations in vain end with the step they are for. */
enum { RILL_MOST_ITERATIONS = 100000, RILL_MOST_NEIGHBOURS = 1000000 };

#define RILL_PARAM_DENSITY_ERROR                                                                                       \
    {"density_error", RILL_PARAM_NUMBER, RILL_BETWEEN(0, 1), .in = RILL_IN_SOLVER,                                     \
     .offset = offsetof(rill_scene, solver.density_error), .live = true,                                               \
     .about = "the mean compression that may remain, of rest density; 0: the solver's own."}
#define RILL_PARAM_ITERATIONS_MIN                                                                                      \
    {"min", RILL_PARAM_INTEGER, RILL_BETWEEN(0, RILL_MOST_ITERATIONS), .in = RILL_IN_ITERATIONS,                       \
     .offset = offsetof(rill_scene, solver.iterations_min), .live = true,                                              \
     .about = "the fewest iterations of the density solve."}
#define RILL_PARAM_ITERATIONS_MAX                                                                                      \
    {"max", RILL_PARAM_INTEGER, RILL_BETWEEN(1, RILL_MOST_ITERATIONS), .in = RILL_IN_ITERATIONS,                       \
     .offset = offsetof(rill_scene, solver.iterations_max), .live = true,                                              \
     .about = "the most iterations of a solve; the report counts how often they did not suffice."}
#define RILL_PARAM_NEGATIVE_PRESSURE                                                                                   \
    {"negative_pressure", RILL_PARAM_BOOL, .in = RILL_IN_SOLVER,                                                       \
     .offset = offsetof(rill_scene, solver.negative_pressure),                                                         \
     .about = "keeps pressures below zero, which pull, instead of cutting them off."}

/* ---- of probes ---- */

#define RILL_PARAM_PROBE_AT                                                                                            \
    {"at", RILL_PARAM_VECTOR, RILL_LENGTH, .in = RILL_IN_PROBE, .offset = offsetof(rill_probe, at), .required = true,  \
     .about = "the place; a height looks at its x and y."}
#define RILL_PARAM_PROBE_MIN_NEIGHBOURS                                                                                \
    {"min_neighbours", RILL_PARAM_INTEGER, RILL_BETWEEN(0, RILL_MOST_NEIGHBOURS), .in = RILL_IN_PROBE,                 \
     .offset = offsetof(rill_probe, min_neighbours),                                                                   \
     .about = "spray with fewer neighbours than this does not count."}

#endif

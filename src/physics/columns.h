/* Columns of the report that several solvers have, described once. A method lists those it fills among its own. */
#ifndef RILL_PHYSICS_COLUMNS_H
#define RILL_PHYSICS_COLUMNS_H

#include "rill/world.h"

#define RILL_COLUMN_ITERATIONS_DENSITY                                                                                 \
    {"iterations_density", "", RILL_COLUMN_COUNT, RILL_OVER_MEAN, "Iterations for the density."}
#define RILL_COLUMN_DENSITY_ERROR_BEFORE                                                                               \
    {"density_error_before", "%", RILL_COLUMN_NUMBER, RILL_OVER_MEAN,                                                  \
     "Mean compression that the step would leave without pressure, of rest density."}
#define RILL_COLUMN_DENSITY_ERROR                                                                                      \
    {"density_error", "%", RILL_COLUMN_NUMBER, RILL_OVER_MEAN,                                                         \
     "Mean compression that the step leaves, of rest density."}
#define RILL_COLUMN_DENSITY_ERROR_MAX                                                                                  \
    {"density_error_max", "%", RILL_COLUMN_NUMBER, RILL_OVER_MAX,                                                      \
     "Compression that the step leaves to the worst particle, of rest density."}

#endif

/* Reading back a run's report.csv. */
#ifndef RILL_APP_TABLES_H
#define RILL_APP_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the rows of a report add up to. */
typedef struct report_summary {
    uint64_t rows;
    double step, time, dt, particles, kinetic, potential, volume, speed_max, lost; /* of the last row */
    double wall;                         /* s, all stages of all rows */
    double rescued, troubles, limit_hits; /* over all rows */
    double density_error_max;
    double iterations_density, iterations_divergence, density_error, neighbours; /* means over all rows */
    double trouble_step, trouble_id, trouble_x, trouble_y, trouble_z; /* the first */
} report_summary;

/* False when there is no such file or it has no rows. */
bool report_read(const char *run, report_summary *summary);
/* The same of a report's bytes, which may be anything. */
bool report_parse(const char *text, size_t size, report_summary *summary);

#endif

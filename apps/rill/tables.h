/* What the steps of a run come to, column by column: added up while it runs, or from its report.csv. */
#ifndef RILL_APP_TABLES_H
#define RILL_APP_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "json.h"
#include "rill/world.h"

/* One figure a column, by what the column says stands for a whole run; the last where it says nothing. */
typedef struct report_summary {
    uint64_t rows;
    const rill_column *columns[RILL_COLUMN_MAX];
    double sums[RILL_COLUMN_MAX]; /* of means, too: report_figure divides them */
    uint64_t values[RILL_COLUMN_MAX]; /* how many; a column may be empty in some rows */
    uint32_t count;
    double trouble_step, trouble_id, trouble_x, trouble_y, trouble_z; /* the first */
} report_summary;

void report_add(report_summary *summary, const rill_world *world, const rill_report *report);

/* The figure of a column; 0 where the run has none of this name, or no steps. */
double report_figure(const report_summary *summary, const char *name);
double report_figure_at(const report_summary *summary, uint32_t column);
bool report_has(const report_summary *summary, const char *name);

/* Seconds in all phases of all steps, by the columns for them. */
double report_seconds(const report_summary *summary);
/* The phase whose seconds a column has; NULL: it is another. */
const char *report_phase(const char *column);

/* Every figure, under its column's name with what it is of the run and its unit, as in density_error_mean_percent. */
void report_put(json *j, const report_summary *summary);

/* False when there is no such file or it has no rows. */
bool report_read(const char *run, report_summary *summary);
/* The same of a report's bytes, which may be anything. */
bool report_parse(const char *text, size_t size, report_summary *summary);

/* What rill knows of a column of report.csv by its name; NULL: nothing. *method, if wanted, as of rill_column_known. */
const rill_column *report_column(const char *name, const char **method);
/* Whether a solver has the column. */
bool report_column_of_solver(const char *solver, const char *name);

#endif

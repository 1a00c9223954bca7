/* What the steps of a run come to, as JSON, and what is known of its columns. */
#ifndef RILL_APP_TABLES_H
#define RILL_APP_TABLES_H

#include <stdbool.h>

#include "json.h"
#include "rill/frames.h"

/* Every figure, under its column's name with what it is of the run and its unit, as in density_error_mean_percent. */
void report_put(json *j, const rill_summary *summary);

#endif

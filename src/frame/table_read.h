/* Reading a table of a run back, as columns of numbers. */
#ifndef RILL_FRAME_TABLE_READ_H
#define RILL_FRAME_TABLE_READ_H

#include <stdbool.h>

#include "rill/base.h"

/* A table of a run, as numbers. Cells that are no numbers, or beyond 1e30, are NaN. */
typedef struct rill_table_data {
    char **names;
    double **columns; /* as many numbers each as there are rows */
    size_t column_count, rows;
    size_t damaged; /* rows left out: torn, or out of order */
    bool torn;      /* the last line has no end */
} rill_table_data;

/* Reads the bytes of a table, which may be anything; `name` is for the error. The data is to be freed if it is RILL_OK
 * and is empty otherwise. */
rill_status rill_table_parse(const char *name, const char *text, size_t size, rill_table_data *data, rill_error *err);
void rill_table_data_free(rill_table_data *data);
const double *rill_table_column(const rill_table_data *data, const char *name); /* NULL: not there */

#endif

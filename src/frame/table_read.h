/* Reading a table of a run back: rows of comma-separated text into cells, and whole tables into numbers. */
#ifndef RILL_FRAME_TABLE_READ_H
#define RILL_FRAME_TABLE_READ_H

#include <stdbool.h>

#include "rill/base.h"

/* Part of a row, without its quotes. It is no string: no zero follows. */
typedef struct rill_cell {
    const char *text;
    size_t size;
} rill_cell;

/* The next cell of the row that ends at `end`. *at starts at the row's first byte and is NULL after the last cell;
 * then it returns false. A cell that begins with a quote goes on to the quote that closes it, commas included; quotes
 * elsewhere are characters like others. */
bool rill_cell_next(const char **at, const char *end, rill_cell *cell);
size_t rill_cells_count(const char *row, const char *end);

bool rill_cell_is(rill_cell cell, const char *word);
double rill_cell_number(rill_cell cell); /* NaN where the cell is no number */

/* The next line of a text, without its end. *at starts at the first byte. *whole tells whether the line had an end:
 * the last row of a run that is being written may lack it. */
bool rill_line_next(const char **at, const char *end, rill_cell *line, bool *whole);

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

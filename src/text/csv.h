/* Comma-separated text: lines, and the cells of a line. */
#ifndef RILL_TEXT_CSV_H
#define RILL_TEXT_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Part of a row, without its quotes. It is no string: no zero follows. */
typedef struct rill_csv_cell {
    const char *text;
    size_t size;
} rill_csv_cell;

/* The next cell of the row that ends at `end`. *at starts at the row's first byte and is NULL after the last cell;
 * then it returns false. A cell that begins with a quote goes on to the quote that closes it, commas included; quotes
 * elsewhere are characters like others. */
bool rill_csv_next(const char **at, const char *end, rill_csv_cell *cell);
size_t rill_csv_count(const char *row, const char *end);

bool rill_csv_is(rill_csv_cell cell, const char *word);
double rill_csv_number(rill_csv_cell cell); /* NaN where the cell is no number */
uint64_t rill_csv_whole(rill_csv_cell cell); /* every digit of 64 bits; 0 where the cell is no whole number */

/* The next line of a text, without its end. *at starts at the first byte. *whole tells whether the line had an end:
 * the last row of a run that is being written may lack it. */
bool rill_csv_line(const char **at, const char *end, rill_csv_cell *line, bool *whole);

#endif

/* A table on disk: comma-separated text, one row a step, the step first. Rows
 * collect in memory and reach the file whole unless the process dies midway;
 * continuing cuts off what is torn or past the step to continue from. */
#ifndef RILL_FRAME_TABLE_H
#define RILL_FRAME_TABLE_H

#include <stdbool.h>

#include "rill/base.h"

typedef struct rill_table {
    char *path;
    int fd;
    char *rows; /* not yet in the file */
    size_t used, room;
    bool no_memory;
} rill_table;

/* header is the first line, with its line end. A file that is there is replaced. */
rill_status rill_table_create(rill_table *table, const char *path, const char *header, rill_error *err);

/* Opens a table to go on after the row of `step`, making it when it is not there. */
rill_status rill_table_resume(rill_table *table, const char *path, const char *header, uint64_t step, rill_error *err);

/* The first line of a table, with its line end, to be freed. NULL: there is no such file, it has no whole line within
 * 64 KB, or there is no memory. */
char *rill_table_header(const char *path);

/* Adds text to the row; end_row closes it. Trouble shows in end_row and flush. */
void rill_table_print(rill_table *table, const char *format, ...) RILL_PRINTF(2, 3);
rill_status rill_table_end_row(rill_table *table, rill_error *err);

/* All rows to the file; with sync, to the disk as well. */
rill_status rill_table_flush(rill_table *table, bool sync, rill_error *err);

/* Drops what was not flushed. */
void rill_table_close(rill_table *table);

/* How many bytes of a table's text stay when it is cut back to `step`: the
 * header and the whole rows up to the first that is torn, out of order or past
 * the step. 0 when the text does not begin with the header. */
size_t rill_table_cut(const char *text, size_t size, const char *header, uint64_t step);

#endif

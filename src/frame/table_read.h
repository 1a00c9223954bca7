/* Reading a table of a run back, as columns of numbers. */
#ifndef RILL_FRAME_TABLE_READ_H
#define RILL_FRAME_TABLE_READ_H

#include "rill/frames.h"

/* Reads the bytes of a table, which may be anything; `name` is for the error. The data is to be freed if it is RILL_OK
 * and is empty otherwise. */
rill_status rill_table_data_parse(const char *name, const char *text, size_t size, rill_table_data *data,
                                  rill_error *err);

#endif

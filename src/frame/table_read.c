/* Reading a table of a run back, as columns of numbers. */
#define _GNU_SOURCE /* strndup */
#include "frame/table_read.h"

#include <math.h>
#include <string.h>

#include "frame/run.h"
#include "rill/store.h"
#include "text/csv.h"
#include "text/string.h"

void rill_table_data_free(rill_table_data *data)
{
    for (size_t i = 0; i < data->column_count; i++) {
        rill_free(data->names[i]);
        rill_free(data->columns[i]);
    }
    rill_free(data->names);
    rill_free(data->columns);
    *data = (rill_table_data){0};
}

const double *rill_table_data_column(const rill_table_data *data, const char *name)
{
    for (size_t i = 0; i < data->column_count; i++) {
        if (!strcmp(data->names[i], name)) return data->columns[i];
    }
    return NULL;
}

/* A row of n cells takes n bytes at least, so however many columns a text claims, its numbers take at most eight times
 * its size. */
static size_t rows_max(const char *at, const char *end, size_t columns)
{
    size_t lines = 0, most = (size_t)(end - at) / columns;
    for (; lines < most && at < end && (at = memchr(at, '\n', (size_t)(end - at))); at++) lines++;
    return lines;
}

static bool header_read(rill_table_data *data, rill_csv_cell line, const char *rows, const char *rows_end)
{
    const char *at = line.text, *end = line.text + line.size;
    const size_t count = rill_csv_count(at, end), room = rows_max(rows, rows_end, count) + 1;
    data->names = rill_calloc(count, sizeof *data->names);
    data->columns = rill_calloc(count, sizeof *data->columns);
    if (!data->names || !data->columns) return false;
    data->column_count = count;
    rill_csv_cell cell;
    for (size_t i = 0; i < count && rill_csv_next(&at, end, &cell); i++) {
        data->names[i] = rill_string_part(cell.text, cell.size);
        data->columns[i] = rill_calloc(room, sizeof **data->columns);
        if (!data->names[i] || !data->columns[i]) return false;
    }
    return true;
}

/* Takes a row in, unless it has too few or too many cells or goes back in time. */
static bool row_read(rill_table_data *data, rill_csv_cell line, const double *time)
{
    const char *at = line.text, *end = line.text + line.size;
    const size_t row = data->rows;
    size_t i = 0;
    rill_csv_cell cell;
    for (; i < data->column_count && rill_csv_next(&at, end, &cell); i++) {
        const double value = rill_csv_number(cell);
        /* What a run that blew up leaves is a gap, not a reason to squash the rest. */
        data->columns[i][row] = fabs(value) < 1e30 ? value : NAN;
    }
    if (i < data->column_count || at) return false;
    return isfinite(time[row]) && (!row || time[row] >= time[row - 1]);
}

static void rows_read(rill_table_data *data, const char *at, const char *end, const double *time)
{
    rill_csv_cell line;
    for (bool whole; rill_csv_line(&at, end, &line, &whole);) {
        if (whole && row_read(data, line, time)) data->rows++;
        else if (whole) data->damaged++;
        else data->torn = true;
    }
}

rill_status rill_table_data_parse(const char *name, const char *text, size_t size, rill_table_data *data,
                                  rill_error *err)
{
    const char *at = text, *end = text + size;
    const double *time = NULL;
    rill_csv_cell line;
    bool whole = false;
    *data = (rill_table_data){0};
    if (!rill_csv_line(&at, end, &line, &whole) || !whole)
        return rill_fail(err, RILL_BAD_FILE, "%s is empty; the run has not begun or lost its table.", name);
    if (!header_read(data, line, at, end)) {
        rill_table_data_free(data);
        return rill_fail(err, RILL_NO_MEMORY, "There is not enough memory to read %s.", name);
    }
    time = rill_table_data_column(data, "time");
    if (!time) {
        rill_table_data_free(data);
        return rill_fail(err, RILL_BAD_FILE, "%s has no column 'time', so it is no table of a run.", name);
    }
    rows_read(data, at, end, time);
    return RILL_OK;
}

rill_status rill_run_read_table(const char *folder, const char *name, rill_table_data *data, rill_error *err)
{
    char *text = NULL, *path = rill_run_path(folder, name);
    size_t size;
    *data = (rill_table_data){0};
    if (!path) return rill_fail(err, RILL_NO_MEMORY, "There is not enough memory to read %s.", name);
    rill_status status = rill_store_get(path, SIZE_MAX, &text, &size, err);
    if (!status) status = rill_table_data_parse(path, text, size, data, err);
    rill_free(text);
    rill_free(path);
    return status;
}

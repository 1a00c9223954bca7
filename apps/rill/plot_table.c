/* rill plot: reading a table of a run back as numbers, passing over what is torn. */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "base/store.h"
#include "paths.h"
#include "plot_parts.h"
#include "say.h"

void plot_table_free(plot_table *table)
{
    for (size_t i = 0; i < table->column_count; i++) {
        if (table->names) free(table->names[i]);
        if (table->columns) free(table->columns[i]);
    }
    free(table->names);
    free(table->columns);
    *table = (plot_table){0};
}

const double *plot_table_column(const plot_table *table, const char *name)
{
    for (size_t i = 0; i < table->column_count; i++) {
        if (!strcmp(table->names[i], name)) return table->columns[i];
    }
    return NULL;
}

/* Ends the cell at *text with a zero, moves past it and returns it; NULL past the last. A name with a comma stands in
 * quotes. */
static char *cell_next(char **text)
{
    char *cell = *text;
    if (!cell) return NULL;
    char *close = *cell == '"' ? strchr(cell + 1, '"') : NULL;
    char *comma = strchr(close ? close : cell, ',');
    if (comma) *comma = 0;
    *text = comma ? comma + 1 : NULL;
    if (!close) return cell;
    *close = 0;
    return cell + 1;
}

static size_t cells_count(const char *line)
{
    size_t count = 1;
    for (bool quoted = false; *line; line++) {
        if (*line == '"') quoted = !quoted;
        if (*line == ',' && !quoted) count++;
    }
    return count;
}

static bool header_read(plot_table *table, char *line, size_t rows_max)
{
    size_t count = cells_count(line);
    table->names = calloc(count, sizeof *table->names);
    table->columns = calloc(count, sizeof *table->columns);
    if (!table->names || !table->columns) return false;
    table->column_count = count;
    for (size_t i = 0; i < count; i++) {
        const char *name = cell_next(&line);
        table->names[i] = strdup(name ? name : "");
        table->columns[i] = malloc((rows_max + 1) * sizeof **table->columns);
        if (!table->names[i] || !table->columns[i]) return false;
    }
    return true;
}

static double number_read(const char *cell)
{
    char *end;
    double value = strtod(cell, &end);
    /* What a run that blew up leaves is a gap, not a reason to squash the rest. */
    return end != cell && !*end && fabs(value) < 1e30 ? value : NAN;
}

static bool row_read(plot_table *table, char *line, const double *time)
{
    if (cells_count(line) != table->column_count) return false;
    for (size_t i = 0; i < table->column_count; i++) table->columns[i][table->rows] = number_read(cell_next(&line));
    return isfinite(time[table->rows]) && (!table->rows || time[table->rows] >= time[table->rows - 1]);
}

static size_t lines_count(const char *text)
{
    size_t count = 0;
    for (; (text = strchr(text, '\n')); text++) count++;
    return count;
}

/* The next line of the text without its end; *whole tells whether it had one. */
static char *line_next(char **text, bool *whole)
{
    char *line = *text, *end = strchr(line, '\n');
    if (!*line) return NULL;
    *whole = end != NULL;
    *text = end ? end + 1 : line + strlen(line);
    if (end) *end = 0;
    if (end && end > line && end[-1] == '\r') end[-1] = 0;
    return line;
}

static int text_read(const char *path, char *text, plot_table *table)
{
    size_t lines = lines_count(text);
    bool whole = false;
    char *line = line_next(&text, &whole);
    if (!line || !whole) return say_error(EXIT_MACHINE, "%s is empty; the run has not begun or lost its table.", path);
    if (!header_read(table, line, lines))
        return say_error(EXIT_MACHINE, "There is not enough memory to read %s.", path);
    const double *time = plot_table_column(table, "time");
    if (!time) return say_error(EXIT_MACHINE, "%s has no column 'time', so it is no table of a run.", path);
    while ((line = line_next(&text, &whole))) {
        bool good = whole && row_read(table, line, time);
        if (good) table->rows++;
        else if (whole) table->damaged++;
        else table->torn = true;
    }
    return EXIT_FINE;
}

int plot_table_read(const char *run, const char *name, plot_table *table)
{
    path_text path = path_join(run, name);
    rill_error err = {0};
    char *text;
    size_t size;
    *table = (plot_table){0};
    if (rill_store_get(path.text, SIZE_MAX, &text, &size, &err)) return say_failure(&err);
    /* A crash may leave zero bytes; they must not end the text for the functions above. */
    for (char *zero = text; (zero = memchr(zero, 0, size - (size_t)(zero - text)));) *zero = '?';
    int code = text_read(path.text, text, table);
    free(text);
    if (code) plot_table_free(table);
    return code;
}

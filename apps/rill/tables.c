/* The figures of a run as JSON: a key for every column of its report. */
#include <math.h>
#include <string.h>

#include "json.h"
#include "tables.h"

/* The key of a column in the summary: its name, what of it stands for the run, and its unit. */
static void key_write(const rill_column *column, char *key, size_t size)
{
    static const struct {
        const char *column, *key;
    } others[] = {{"limit_hit", "iteration_limit_hits"}, {"trouble_count", "troubles"}};
    static const struct {
        const char *unit, *ending;
    } units[] = {{"%", "_percent"}, {"J", "_j"}, {"m3", "_m3"}};
    const char *way = column->over_run == RILL_OVER_MEAN ? "_mean" : column->over_run == RILL_OVER_MAX ? "_max" : "";
    const char *unit = "";
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strcmp(units[i].unit, column->unit)) unit = units[i].ending;
    const size_t length = strlen(column->name);
    if (length > strlen(way) && !strcmp(column->name + length - strlen(way), way)) way = "";
    snprintf(key, size, "%s%s%s", column->name, way, unit);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(others[i].column, column->name)) snprintf(key, size, "%s", others[i].key);
}

static void figure_put(json *j, const rill_column *column, double value)
{
    char key[96];
    if (column->over_run == RILL_OVER_NONE || rill_column_phase(column->name)) return;
    key_write(column, key, sizeof key);
    const bool whole = column->type != RILL_COLUMN_NUMBER && column->over_run != RILL_OVER_MEAN;
    if (whole && value >= 0) json_count(j, key, (uint64_t)value);
    else json_number(j, key, value);
}

/* Every column of the report. Those of methods that this run does not have are there, too, so that programs find the
 * same keys in every summary: no iterations, and no error that could be known. */
void report_put(json *j, const rill_summary *report)
{
    const rill_column *column;
    for (uint32_t i = 0; i < report->count; i++) figure_put(j, report->columns[i], rill_summary_value_at(report, i));
    for (uint32_t i = 0; (column = rill_column_known(i, NULL)); i++)
        if (!rill_summary_has(report, column->name) && rill_column_find(column->name, NULL) == column)
            figure_put(j, column, column->type == RILL_COLUMN_NUMBER ? NAN : 0);
}

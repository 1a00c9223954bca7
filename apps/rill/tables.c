/* What the steps of a run come to, column by column: added up while it runs, or from its report.csv. */
#include "tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "paths.h"
#include "rill/store.h"
#include "text/csv.h"

const rill_column *report_column(const char *name, const char **method)
{
    const rill_column *column;
    for (uint32_t i = 0; (column = rill_column_known(i, method)); i++)
        if (!strcmp(column->name, name)) return column;
    return NULL;
}

bool report_column_of_solver(const char *solver, const char *name)
{
    const rill_column *column;
    const char *method;
    for (uint32_t i = 0; (column = rill_column_known(i, &method)); i++)
        if (method && !strcmp(method, solver) && !strcmp(column->name, name)) return true;
    return false;
}

const char *report_phase(const char *column)
{
    static const char prefix[] = "seconds_";
    return strncmp(column, prefix, sizeof prefix - 1) ? NULL : column + sizeof prefix - 1;
}

/* ---- figures ---- */

static uint32_t figure_find(const report_summary *s, const char *name)
{
    uint32_t i = 0;
    while (i < s->count && strcmp(s->columns[i]->name, name)) i++;
    return i;
}

static void figure_add(report_summary *s, uint32_t i, double value)
{
    const rill_over_run over = s->columns[i]->over_run;
    if (over == RILL_OVER_MEAN || over == RILL_OVER_SUM) s->sums[i] += value;
    else if (over != RILL_OVER_MAX || !s->values[i] || value > s->sums[i]) s->sums[i] = value;
    s->values[i]++;
}

double report_figure_at(const report_summary *s, uint32_t i)
{
    return s->columns[i]->over_run == RILL_OVER_MEAN && s->values[i] ? s->sums[i] / (double)s->values[i] : s->sums[i];
}

bool report_has(const report_summary *s, const char *name)
{
    return figure_find(s, name) < s->count;
}

double report_figure(const report_summary *s, const char *name)
{
    const uint32_t i = figure_find(s, name);
    return i < s->count ? report_figure_at(s, i) : 0;
}

double report_seconds(const report_summary *s)
{
    double sum = 0;
    for (uint32_t i = 0; i < s->count; i++)
        if (report_phase(s->columns[i]->name)) sum += s->sums[i];
    return sum;
}

void report_add(report_summary *s, const rill_world *world, const rill_report *report)
{
    const rill_column *column;
    for (; !s->rows && s->count < RILL_COLUMN_MAX && (column = rill_world_column(world, s->count)); s->count++)
        s->columns[s->count] = column;
    for (uint32_t i = 0; i < s->count; i++) figure_add(s, i, rill_report_value_at(world, report, i));
    s->rows++;
}

/* ---- from the file ---- */

typedef struct header {
    uint32_t figures[RILL_COLUMN_MAX]; /* which figure a column adds to; the summary's count: none */
    int count, troubles, trouble_id, trouble_x;
} header;

/* A name that comes twice counts once. */
static void figure_open(report_summary *s, rill_csv_cell name, uint32_t *figure)
{
    char word[64];
    *figure = RILL_COLUMN_MAX;
    if (name.size >= sizeof word) return;
    memcpy(word, name.text, name.size);
    word[name.size] = 0;
    const rill_column *column = report_column(word, NULL);
    if (!column || report_has(s, word)) return;
    *figure = s->count;
    s->columns[s->count++] = column;
}

static header header_read(rill_csv_cell line, report_summary *s)
{
    header h = {.troubles = -1, .trouble_id = -1, .trouble_x = -1};
    rill_csv_cell name;
    const char *at = line.text, *end = line.text + line.size;
    for (; h.count < RILL_COLUMN_MAX && rill_csv_next(&at, end, &name); h.count++) {
        figure_open(s, name, &h.figures[h.count]);
        if (rill_csv_is(name, "trouble_count")) h.troubles = h.count;
        if (rill_csv_is(name, "trouble_id")) h.trouble_id = h.count;
        if (rill_csv_is(name, "trouble_x")) h.trouble_x = h.count;
    }
    return h;
}

static void trouble_take(const header *h, const double *values, report_summary *s)
{
    if (h->troubles < 0 || h->trouble_id < 0 || h->trouble_x < 0 || h->trouble_x + 2 >= h->count) return;
    if (report_figure(s, "trouble_count") > 0 || !(values[h->troubles] > 0)) return;
    s->trouble_step = values[0];
    s->trouble_id = values[h->trouble_id];
    s->trouble_x = values[h->trouble_x];
    s->trouble_y = values[h->trouble_x + 1];
    s->trouble_z = values[h->trouble_x + 2];
}

/* Damaged rows are left out: those of another length, and where a count that is summed up is none. */
static bool row_is_whole(const header *h, const report_summary *s, const double *values, int count)
{
    for (int i = 0; i < count && count == h->count; i++) {
        const rill_column *column = h->figures[i] < s->count ? s->columns[h->figures[i]] : NULL;
        const bool counts = column && (column->type == RILL_COLUMN_COUNT || column->type == RILL_COLUMN_FLAG);
        const bool summed = counts && (column->over_run == RILL_OVER_SUM || column->over_run == RILL_OVER_LAST);
        if (summed && !(values[i] >= 0 && values[i] <= UINT32_MAX)) return false;
    }
    return count == h->count;
}

static void row_take(const header *h, rill_csv_cell line, report_summary *s)
{
    double values[RILL_COLUMN_MAX];
    bool empty[RILL_COLUMN_MAX];
    int count = 0;
    rill_csv_cell cell;
    const char *at = line.text, *end = line.text + line.size;
    for (; count < RILL_COLUMN_MAX && rill_csv_next(&at, end, &cell); count++) {
        values[count] = rill_csv_number(cell);
        empty[count] = !cell.size;
    }
    if (!row_is_whole(h, s, values, count)) return;
    trouble_take(h, values, s);
    for (int i = 0; i < count; i++)
        if (h->figures[i] < s->count && !empty[i]) figure_add(s, h->figures[i], values[i]);
    s->rows++;
}

bool report_parse(const char *text, size_t size, report_summary *summary)
{
    const char *at = text, *end = text + size;
    rill_csv_cell line;
    bool whole;
    *summary = (report_summary){0};
    if (!rill_csv_line(&at, end, &line, &whole) || !whole) return false;
    const header h = header_read(line, summary);
    /* A torn last row, of a run still being written, is left out. */
    while (rill_csv_line(&at, end, &line, &whole))
        if (whole) row_take(&h, line, summary);
    return summary->rows > 0;
}

bool report_read(const char *run, report_summary *summary)
{
    char *text;
    size_t size;
    *summary = (report_summary){0};
    if (rill_store_get(path_join(run, "report.csv").text, SIZE_MAX, &text, &size, NULL)) return false;
    const bool good = report_parse(text, size, summary);
    free(text);
    return good;
}

/* What the steps of a run come to, column by column: added up while it runs, or from its report.csv. */
#include "frame/summary.h"

#include <math.h>
#include <string.h>

#include "frame/run.h"
#include "rill/store.h"
#include "text/csv.h"

/* ---- figures ---- */

static uint32_t figure_find(const rill_summary *s, const char *name)
{
    uint32_t i = 0;
    while (i < s->count && strcmp(s->columns[i]->name, name)) i++;
    return i;
}

static void figure_add(rill_summary *s, uint32_t i, double value)
{
    const rill_over_run over = s->columns[i]->over_run;
    if (over == RILL_OVER_MEAN || over == RILL_OVER_SUM) s->sums[i] += value;
    else if (over != RILL_OVER_MAX || !s->values[i] || value > s->sums[i]) s->sums[i] = value;
    s->values[i]++;
}

double rill_summary_value_at(const rill_summary *s, uint32_t i)
{
    return s->columns[i]->over_run == RILL_OVER_MEAN && s->values[i] ? s->sums[i] / (double)s->values[i] : s->sums[i];
}

bool rill_summary_has(const rill_summary *s, const char *name)
{
    return figure_find(s, name) < s->count;
}

double rill_summary_value(const rill_summary *s, const char *name)
{
    const uint32_t i = figure_find(s, name);
    return i < s->count ? rill_summary_value_at(s, i) : 0;
}

double rill_summary_seconds(const rill_summary *s)
{
    double sum = 0;
    for (uint32_t i = 0; i < s->count; i++)
        if (rill_column_phase(s->columns[i]->name)) sum += s->sums[i];
    return sum;
}

void rill_summary_add(rill_summary *s, const rill_world *world, const rill_report *report)
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
static void figure_open(rill_summary *s, rill_csv_cell name, uint32_t *figure)
{
    char word[64];
    *figure = RILL_COLUMN_MAX;
    if (name.size >= sizeof word) return;
    memcpy(word, name.text, name.size);
    word[name.size] = 0;
    const rill_column *column = rill_column_find(word, NULL);
    if (!column || rill_summary_has(s, word)) return;
    *figure = s->count;
    s->columns[s->count++] = column;
}

/* Of at most RILL_COLUMN_MAX columns. */
static header header_read(rill_csv_cell line, rill_summary *s)
{
    header h = {.troubles = -1, .trouble_id = -1, .trouble_x = -1};
    rill_csv_cell name;
    const char *at = line.text, *end = line.text + line.size;
    for (; rill_csv_next(&at, end, &name); h.count++) {
        figure_open(s, name, &h.figures[h.count]);
        if (rill_csv_is(name, "trouble_count")) h.troubles = h.count;
        if (rill_csv_is(name, "trouble_id")) h.trouble_id = h.count;
        if (rill_csv_is(name, "trouble_x")) h.trouble_x = h.count;
    }
    return h;
}

static void trouble_take(const header *h, const double *values, uint64_t id, rill_summary *s)
{
    if (h->troubles < 0 || h->trouble_id < 0 || h->trouble_x < 0 || h->trouble_x + 2 >= h->count) return;
    if (rill_summary_value(s, "trouble_count") > 0 || !(values[h->troubles] > 0)) return;
    s->trouble_step = values[0];
    s->trouble_id = id;
    s->trouble_at = (rill_vec3){values[h->trouble_x], values[h->trouble_x + 1], values[h->trouble_x + 2]};
}

/* Damaged rows are left out: those of another length, and where a count that is summed up is none. */
static bool row_is_whole(const header *h, const rill_summary *s, const double *values, int count)
{
    for (int i = 0; i < count && count == h->count; i++) {
        const rill_column *column = h->figures[i] < s->count ? s->columns[h->figures[i]] : NULL;
        const bool counts = column && (column->type == RILL_COLUMN_COUNT || column->type == RILL_COLUMN_FLAG);
        const bool summed = counts && (column->over_run == RILL_OVER_SUM || column->over_run == RILL_OVER_LAST);
        if (summed && !(values[i] >= 0 && values[i] <= UINT32_MAX)) return false;
    }
    return count == h->count;
}

static void row_take(const header *h, rill_csv_cell line, rill_summary *s)
{
    double values[RILL_COLUMN_MAX];
    bool empty[RILL_COLUMN_MAX];
    int count = 0;
    uint64_t id = 0;
    rill_csv_cell cell;
    const char *at = line.text, *end = line.text + line.size;
    for (; count < RILL_COLUMN_MAX && rill_csv_next(&at, end, &cell); count++) {
        values[count] = rill_csv_number(cell);
        empty[count] = !cell.size;
        if (count == h->trouble_id) id = rill_csv_whole(cell);
    }
    if (!row_is_whole(h, s, values, count)) return;
    trouble_take(h, values, id, s);
    for (int i = 0; i < count; i++)
        if (h->figures[i] < s->count && !empty[i]) figure_add(s, h->figures[i], values[i]);
    s->rows++;
}

/* Of the first line. */
static size_t columns_of(const char *text, size_t size)
{
    const char *stop = memchr(text, '\n', size);
    return rill_csv_count(text, stop ? stop : text + size);
}

bool rill_summary_parse(const char *text, size_t size, rill_summary *summary)
{
    const char *at = text, *end = text + size;
    rill_csv_cell line;
    bool whole;
    *summary = (rill_summary){0};
    if (!rill_csv_line(&at, end, &line, &whole) || !whole || columns_of(text, size) > RILL_COLUMN_MAX) return false;
    const header h = header_read(line, summary);
    /* A torn last row, of a run still being written, is left out. */
    while (rill_csv_line(&at, end, &line, &whole))
        if (whole) row_take(&h, line, summary);
    return summary->rows > 0;
}

rill_status rill_run_read_summary(const char *folder, rill_summary *summary, rill_error *err)
{
    char *text = NULL, *path = rill_run_path(folder, RILL_RUN_REPORT);
    size_t size;
    *summary = (rill_summary){0};
    if (!path) return rill_fail(err, RILL_NO_MEMORY, "There is not enough memory to read " RILL_RUN_REPORT ".");
    rill_status status = rill_store_get(path, SIZE_MAX, &text, &size, err);
    if (!status && columns_of(text, size) > RILL_COLUMN_MAX)
        status = rill_fail(err, RILL_BAD_FILE, "%s is no report of rill: it has %zu columns, and a report at most %d.",
                           path, columns_of(text, size), RILL_COLUMN_MAX);
    if (!status && !rill_summary_parse(text, size, summary))
        status = rill_fail(err, RILL_BAD_FILE, "%s has no whole row; the run has not begun or lost its table.", path);
    rill_free(text);
    rill_free(path);
    return status;
}

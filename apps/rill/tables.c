/* Reading back a run's report.csv, by the names of its columns. */
#include "tables.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/store.h"
#include "paths.h"
#include "text/csv.h"

enum { COLUMN_MAX = 96 };

typedef enum column_use { USE_LAST, USE_SUM, USE_MEAN, USE_MAX } column_use;

static const struct {
    const char *name;
    column_use use;
    size_t offset;
    bool count; /* of particles or the like, in one step */
} wanted[] = {
    {"step", USE_LAST, offsetof(report_summary, step), false},
    {"time", USE_LAST, offsetof(report_summary, time), false},
    {"dt", USE_LAST, offsetof(report_summary, dt), false},
    {"particles", USE_LAST, offsetof(report_summary, particles), false},
    {"kinetic", USE_LAST, offsetof(report_summary, kinetic), false},
    {"potential", USE_LAST, offsetof(report_summary, potential), false},
    {"volume", USE_LAST, offsetof(report_summary, volume), false},
    {"speed_max", USE_LAST, offsetof(report_summary, speed_max), false},
    {"lost", USE_LAST, offsetof(report_summary, lost), true},
    {"rescued", USE_SUM, offsetof(report_summary, rescued), true},
    {"trouble_count", USE_SUM, offsetof(report_summary, troubles), true},
    {"limit_hit", USE_SUM, offsetof(report_summary, limit_hits), true},
    {"iterations_density", USE_MEAN, offsetof(report_summary, iterations_density), false},
    {"iterations_divergence", USE_MEAN, offsetof(report_summary, iterations_divergence), false},
    {"density_error", USE_MEAN, offsetof(report_summary, density_error), false},
    {"density_error_max", USE_MAX, offsetof(report_summary, density_error_max), false},
    {"neighbours_mean", USE_MEAN, offsetof(report_summary, neighbours), false},
};
enum { WANTED_COUNT = sizeof wanted / sizeof *wanted };

typedef struct columns {
    int wanted[COLUMN_MAX]; /* index into the table above, -1: none */
    bool seconds[COLUMN_MAX];
    int count, troubles, trouble_id, trouble_x;
} columns;

static double *target(report_summary *s, int i)
{
    return (double *)((char *)s + wanted[i].offset);
}

static columns header_read(rill_csv_cell line)
{
    columns c = {.troubles = -1, .trouble_id = -1, .trouble_x = -1};
    rill_csv_cell name;
    const char *at = line.text, *end = line.text + line.size;
    for (; c.count < COLUMN_MAX && rill_csv_next(&at, end, &name); c.count++) {
        c.wanted[c.count] = -1;
        for (int i = 0; i < WANTED_COUNT; i++) {
            if (rill_csv_is(name, wanted[i].name)) c.wanted[c.count] = i;
        }
        c.seconds[c.count] = name.size > 8 && !memcmp(name.text, "seconds_", 8);
        if (rill_csv_is(name, "trouble_count")) c.troubles = c.count;
        if (rill_csv_is(name, "trouble_id")) c.trouble_id = c.count;
        if (rill_csv_is(name, "trouble_x")) c.trouble_x = c.count;
    }
    return c;
}

static void trouble_take(const columns *c, const double *values, report_summary *s)
{
    if (c->troubles < 0 || c->trouble_id < 0 || c->trouble_x < 0 || c->trouble_x + 2 >= c->count) return;
    if (s->troubles > 0 || !(values[c->troubles] > 0)) return;
    s->trouble_step = values[0];
    s->trouble_id = values[c->trouble_id];
    s->trouble_x = values[c->trouble_x];
    s->trouble_y = values[c->trouble_x + 1];
    s->trouble_z = values[c->trouble_x + 2];
}

/* Damaged rows are left out: those of another length, and where a count is none. */
static bool row_is_whole(const columns *c, const double *values, int count)
{
    for (int i = 0; i < count && count == c->count; i++) {
        const bool counts = c->wanted[i] >= 0 && wanted[c->wanted[i]].count;
        if (counts && !(values[i] >= 0 && values[i] <= UINT32_MAX)) return false;
    }
    return count == c->count;
}

static void row_take(const columns *c, rill_csv_cell line, report_summary *s)
{
    double values[COLUMN_MAX];
    int count = 0;
    rill_csv_cell cell;
    const char *at = line.text, *end = line.text + line.size;
    for (; count < COLUMN_MAX && rill_csv_next(&at, end, &cell); count++) values[count] = rill_csv_number(cell);
    if (!row_is_whole(c, values, count)) return;
    trouble_take(c, values, s);
    for (int i = 0; i < count; i++) {
        if (c->seconds[i]) s->wall += values[i];
        if (c->wanted[i] < 0) continue;
        double *sum = target(s, c->wanted[i]);
        column_use use = wanted[c->wanted[i]].use;
        if (use == USE_LAST || (use == USE_MAX && values[i] > *sum)) *sum = values[i];
        else if (use != USE_MAX) *sum += values[i];
    }
    s->rows++;
}

/* A torn last row, of a run still being written, is left out. */
static void rows_take(const char *at, const char *end, report_summary *s)
{
    rill_csv_cell line;
    bool whole;
    if (!rill_csv_line(&at, end, &line, &whole)) return;
    const columns c = header_read(line);
    while (rill_csv_line(&at, end, &line, &whole)) {
        if (whole) row_take(&c, line, s);
    }
}

bool report_parse(const char *text, size_t size, report_summary *summary)
{
    *summary = (report_summary){0};
    rows_take(text, text + size, summary);
    for (int i = 0; i < WANTED_COUNT && summary->rows; i++) {
        if (wanted[i].use == USE_MEAN) *target(summary, i) /= (double)summary->rows;
    }
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

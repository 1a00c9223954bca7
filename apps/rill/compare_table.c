/* rill compare: the figures of each solver, and the table of them in words, as
 * markdown, CSV and JSON. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "compare_parts.h"
#include "json.h"
#include "machine.h"
#include "say.h"

typedef struct column {
    const char *key;  /* in CSV and JSON */
    const char *what; /* in the table; NULL: not there */
    const char *unit;
    size_t offset;
} column;

#define COLUMN(key, what, unit, member) {key, what, unit, offsetof(compare_row, member)}

static const column columns[] = {
    COLUMN("steps", "steps", "", steps),
    COLUMN("simulated_s", "simulated", "s", simulated),
    COLUMN("iterations_mean", "iterations a step, mean", "", iterations_mean),
    COLUMN("iterations_max", "iterations a step, most", "", iterations_max),
    COLUMN("iterations_density_mean", NULL, "", density_mean),
    COLUMN("iterations_density_max", NULL, "", density_max),
    COLUMN("iterations_divergence_mean", NULL, "", divergence_mean),
    COLUMN("iterations_divergence_max", NULL, "", divergence_max),
    COLUMN("iteration_limit_hits", "steps at the limit", "", limit_hits),
    COLUMN("density_error_mean_percent", "density error, mean", "%", error_mean),
    COLUMN("density_error_max_percent", "density error, worst step", "%", error_max),
    COLUMN("density_error_particle_percent", "density error, worst particle", "%", error_worst),
    COLUMN("wall_s", "wall time", "s", wall),
};

static const column ends[] = {
    COLUMN("write_s", "  writing", "s", write),
    COLUMN("kinetic_j", "kinetic energy at the end", "J", kinetic),
    COLUMN("potential_j", "potential energy at the end", "J", potential),
    COLUMN("energy_change_j", "change of their sum", "J", energy_change),
    COLUMN("energy_change_percent", "change of their sum", "%", energy_percent),
    COLUMN("volume_drift_percent", "volume drift", "%", volume_drift),
    COLUMN("lost", "particles lost", "", lost),
};
enum { COLUMN_COUNT = sizeof columns / sizeof *columns, END_COUNT = sizeof ends / sizeof *ends };

/* ---- figures ---- */

typedef struct series {
    double mean, most, last;
} series;

/* Of a column of the report; all NaN when there is none. */
static series series_of(const rill_table_data *report, const char *name)
{
    const double *values = rill_table_data_column(report, name);
    series s = {.most = -INFINITY};
    if (!values || !report->rows) return (series){NAN, NAN, NAN};
    for (size_t i = 0; i < report->rows; i++) {
        s.mean += values[i] / (double)report->rows;
        s.most = fmax(s.most, values[i]);
    }
    s.last = values[report->rows - 1];
    return s;
}

/* A solver without such iterations has no such column: it takes none. */
static void iterations_fill(compare_row *row)
{
    const rill_table_data *t = &row->report;
    const double *density = rill_table_data_column(t, "iterations_density");
    const double *divergence = rill_table_data_column(t, "iterations_divergence");
    const series none = {0}, unknown = {NAN, NAN, NAN};
    const series a = density ? series_of(t, "iterations_density") : t->rows ? none : unknown;
    const series b = divergence ? series_of(t, "iterations_divergence") : t->rows ? none : unknown;
    row->density_mean = a.mean, row->density_max = a.most;
    row->divergence_mean = b.mean, row->divergence_max = b.most;
    row->iterations_mean = a.mean + b.mean;
    row->iterations_max = t->rows ? 0 : NAN;
    for (size_t i = 0; i < t->rows; i++)
        row->iterations_max = fmax(row->iterations_max, (density ? density[i] : 0) + (divergence ? divergence[i] : 0));
}

void compare_row_fill(compare_row *row)
{
    const rill_table_data *t = &row->report;
    const double rows = t->rows ? (double)t->rows : NAN;
    row->steps = (double)t->rows;
    row->simulated = t->rows ? series_of(t, "time").last : 0;
    iterations_fill(row);
    row->limit_hits = round(series_of(t, "limit_hit").mean * rows);
    const series error = series_of(t, "density_error");
    row->error_mean = error.mean;
    row->error_max = error.most;
    row->error_worst = series_of(t, "density_error_max").most;
    for (uint32_t s = 0; s < RILL_PHASE_MAX && rill_phase_name(s); s++) {
        char name[64];
        snprintf(name, sizeof name, "seconds_%s", rill_phase_name(s));
        row->phases[s] = series_of(t, name).mean * rows;
    }
    row->kinetic = series_of(t, "kinetic").last;
    row->potential = series_of(t, "potential").last;
    row->energy_change = row->kinetic + row->potential - row->start_energy;
    row->energy_percent = row->start_energy ? 100 * row->energy_change / fabs(row->start_energy) : NAN;
    row->volume_drift = 100 * (row->end_volume / row->start_volume - 1);
    row->lost = series_of(t, "lost").last;
}

static double value_of(const compare_row *row, const column *c)
{
    return *(const double *)((const char *)row + c->offset);
}

/* ---- in words ---- */

typedef struct cell {
    char text[48];
} cell;

static cell cell_of(double value, const char *unit)
{
    cell c;
    if (!isfinite(value)) snprintf(c.text, sizeof c.text, "-");
    else if (!*unit && value == floor(value)) snprintf(c.text, sizeof c.text, "%s", say_count((uint64_t)value).text);
    else snprintf(c.text, sizeof c.text, "%.*g", fabs(value) < 1000 ? 3 : 4, value);
    return c;
}

static void line_print(const compare *c, const char *what, const char *unit, const double *values, FILE *out)
{
    char head[64];
    snprintf(head, sizeof head, "%s%s%s", what, *unit ? ", " : "", unit);
    fprintf(out, "| %-33s |", head);
    for (size_t i = 0; i < c->count; i++) fprintf(out, " %9s |", cell_of(values[i], unit).text);
    fputc('\n', out);
}

static void columns_print(const compare *c, const column *list, size_t count, FILE *out)
{
    double values[COMPARE_MAX];
    for (size_t k = 0; k < count; k++) {
        for (size_t i = 0; i < c->count; i++) values[i] = value_of(&c->rows[i], &list[k]);
        if (list[k].what) line_print(c, list[k].what, list[k].unit, values, out);
    }
}

static void phases_print(const compare *c, FILE *out)
{
    double values[COMPARE_MAX];
    for (uint32_t s = 0; s < RILL_PHASE_MAX && rill_phase_name(s); s++) {
        char what[48];
        for (size_t i = 0; i < c->count; i++) values[i] = c->rows[i].phases[s];
        snprintf(what, sizeof what, "  %s", rill_phase_name(s));
        line_print(c, what, "s", values, out);
    }
}

void compare_print(const compare *c, FILE *out)
{
    fprintf(out, "%s, %s, %s, %g s; mean compression below %g %% where a solver iterates\n\n", c->scene.name,
            say_many(c->particles, "particle").text, say_many(c->threads, "thread").text, c->scene.time.end,
            100 * c->scene.solver.density_error);
    fprintf(out, "| %-33s |", "");
    for (size_t i = 0; i < c->count; i++) fprintf(out, " %9s |", c->rows[i].solver);
    fprintf(out, "\n| %-33s |", "---");
    for (size_t i = 0; i < c->count; i++) fprintf(out, " %9s |", "---:");
    fputc('\n', out);
    columns_print(c, columns, COLUMN_COUNT, out);
    phases_print(c, out);
    columns_print(c, ends, END_COUNT, out);
    for (size_t i = 0; i < c->count; i++) {
        const compare_row *row = &c->rows[i];
        if (*row->reason) fprintf(out, "\n%s did not come to its end: %s\n", row->solver, row->reason);
    }
}

void compare_put_markdown(const compare *c, FILE *out)
{
    static const char *const plots[] = {"density_error", "kinetic_energy", "stages"};
    char cpu[128];
    machine_cpu_name(cpu, sizeof cpu);
    fprintf(out, "# Solvers on %s\n\nMeasured on %s with rill %s.\n\n", c->scene.name, cpu, RILL_VERSION);
    compare_print(c, out);
    for (size_t i = 0; c->drawn && i < sizeof plots / sizeof *plots; i++)
        fprintf(out, "\n![%s](%s.png)\n", plots[i], plots[i]);
}

/* ---- for programs ---- */

static void number_put(FILE *out, double value)
{
    if (isfinite(value)) fprintf(out, ",%.10g", value);
    else fputc(',', out);
}

static void quoted_put(FILE *out, const char *text)
{
    fputs(",\"", out);
    for (; *text; text++) fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
    fputs("\"\n", out);
}

void compare_put_csv(const compare *c, FILE *out)
{
    fputs("solver", out);
    for (size_t k = 0; k < COLUMN_COUNT; k++) fprintf(out, ",%s", columns[k].key);
    for (uint32_t s = 0; s < RILL_PHASE_MAX && rill_phase_name(s); s++) fprintf(out, ",seconds_%s", rill_phase_name(s));
    for (size_t k = 0; k < END_COUNT; k++) fprintf(out, ",%s", ends[k].key);
    fputs(",trouble\n", out);
    for (size_t i = 0; i < c->count; i++) {
        const compare_row *row = &c->rows[i];
        fputs(row->solver, out);
        for (size_t k = 0; k < COLUMN_COUNT; k++) number_put(out, value_of(row, &columns[k]));
        for (uint32_t s = 0; s < RILL_PHASE_MAX && rill_phase_name(s); s++) number_put(out, row->phases[s]);
        for (size_t k = 0; k < END_COUNT; k++) number_put(out, value_of(row, &ends[k]));
        quoted_put(out, row->reason);
    }
}

static void row_put(json *j, const compare_row *row)
{
    json_open(j, NULL, '{');
    json_text(j, "solver", row->solver);
    for (size_t k = 0; k < COLUMN_COUNT; k++) json_number(j, columns[k].key, value_of(row, &columns[k]));
    json_open(j, "stages", '{');
    for (uint32_t s = 0; s < RILL_PHASE_MAX && rill_phase_name(s); s++)
        json_number(j, rill_phase_name(s), row->phases[s]);
    json_close(j, '}');
    for (size_t k = 0; k < END_COUNT; k++) json_number(j, ends[k].key, value_of(row, &ends[k]));
    json_text(j, "run", row->folder.text);
    if (*row->reason) json_text(j, "trouble", row->reason);
    json_close(j, '}');
}

void compare_put_json(const compare *c, FILE *out)
{
    char cpu[128];
    machine_cpu_name(cpu, sizeof cpu);
    json j = json_start(out);
    json_open(&j, NULL, '{');
    json_text(&j, "scene", c->scene.name);
    json_text(&j, "cpu", cpu);
    json_count(&j, "threads", c->threads);
    json_count(&j, "particles", c->particles);
    json_number(&j, "time_s", c->scene.time.end);
    json_number(&j, "tolerance_percent", 100 * c->scene.solver.density_error);
    json_open(&j, "solvers", '[');
    for (size_t i = 0; i < c->count; i++) row_put(&j, &c->rows[i]);
    json_close(&j, ']');
    json_close(&j, '}');
}

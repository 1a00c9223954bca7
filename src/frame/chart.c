/* Which charts a run gives, and what they say. */
#include "rill/chart.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/memory.h"
#include "text/locale.h"

void rill_chart_free(rill_chart *chart)
{
    for (size_t i = 0; i < chart->curve_count; i++) rill_free(chart->curves[i].values);
    *chart = (rill_chart){0};
}

enum {
    BLUE = RILL_CHART_BLUE,
    RED = RILL_CHART_RED,
    GREEN = RILL_CHART_GREEN,
    ORANGE = RILL_CHART_ORANGE,
    SKY = RILL_CHART_SKY,
    PINK = RILL_CHART_PINK,
    GREY = RILL_CHART_GREY
};

unsigned rill_chart_colour(size_t index)
{
    static const unsigned colours[] = {BLUE, RED, GREEN, ORANGE, SKY, PINK, GREY};
    return colours[index % (sizeof colours / sizeof *colours)];
}

/* ---- words ---- */

typedef struct phrase {
    char text[64];
} phrase;

/* A number in groups of three digits, as "101 306". */
static phrase digits(uint64_t count)
{
    char plain[32];
    const int length = snprintf(plain, sizeof plain, "%" PRIu64, count);
    phrase out = {""};
    for (int i = 0, n = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0) out.text[n++] = ' ';
        out.text[n++] = plain[i];
    }
    return out;
}

/* The same with a noun, as "1 step" or "20 steps". */
static phrase many(uint64_t count, const char *noun)
{
    phrase out = digits(count);
    const size_t used = strlen(out.text);
    snprintf(out.text + used, sizeof out.text - used, " %s%s", noun, count == 1 ? "" : "s");
    return out;
}

/* Adds a word to a list "a, b, c". What does not fit is not worth a longer sentence. */
static void list_add(char *list, const char *word)
{
    size_t length = strlen(list), size = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += size) {
        bool begins = at == list || at[-1] == ' ', ends = !at[size] || at[size] == ',';
        if (begins && ends) return;
    }
    snprintf(list + length, RILL_CHART_TEXT - length, "%s%s", length ? ", " : "", word);
}

RILL_PRINTF(2, 3) static void note_add(rill_chart *chart, const char *format, ...)
{
    size_t length = strlen(chart->note);
    va_list args;
    va_start(args, format);
    vsnprintf(chart->note + length, sizeof chart->note - length, format, args);
    va_end(args);
}

static bool column_of_solver(const char *solver, const char *name)
{
    const rill_column *column;
    const char *method;
    for (uint32_t i = 0; (column = rill_column_known(i, &method)); i++)
        if (method && !strcmp(method, solver) && !strcmp(column->name, name)) return true;
    return false;
}

/* Whether reports of the run should have the column: all have it, or its solver does. */
static bool column_due(const rill_chart_source *s, const char *name)
{
    const char *method = NULL;
    const rill_column *column = rill_column_find(name, &method);
    return (column && !method) || column_of_solver(s->scene.solver.kind, name);
}

static const double *column_find(rill_chart_source *s, const char *name)
{
    const double *column = rill_table_data_column(&s->report, name);
    if (!column && column_due(s, name)) list_add(s->absent, name);
    return column;
}

/* The name of a column in words, as "Density error". */
static const char *words_of(const char *name, bool capital, char *words, size_t size)
{
    snprintf(words, size, "%s", name);
    for (char *at = words; (at = strchr(at, '_')); at++) *at = ' ';
    if (capital && words[0] >= 'a' && words[0] <= 'z') words[0] = (char)(words[0] - 'a' + 'A');
    return words;
}

const char *rill_chart_unit(const char *name)
{
    const rill_column *column = rill_column_find(name, NULL);
    return column ? column->unit : "";
}

void rill_chart_axis(char *axis, size_t size, const char *name)
{
    char words[96];
    const char *unit = rill_chart_unit(name);
    snprintf(axis, size, *unit ? "%s (%s)" : "%s", words_of(name, false, words, sizeof words), unit);
}

/* A new curve of zeros, or NULL. */
static rill_curve *curve_add(rill_chart_source *s, rill_chart *chart, const char *label, unsigned colour,
                             rill_curve_style style)
{
    if (chart->curve_count == RILL_CURVES_MAX) return NULL;
    rill_curve *curve = &chart->curves[chart->curve_count];
    *curve = (rill_curve){.colour = colour, .style = style};
    snprintf(curve->label, sizeof curve->label, "%s", label);
    curve->values = rill_calloc(chart->rows + 1, sizeof *curve->values);
    if (!curve->values) {
        s->no_memory = true;
        return NULL;
    }
    chart->curve_count++;
    return curve;
}

/* The curve of a column of the report, scaled; NULL when there is none. */
static rill_curve *curve_of(rill_chart_source *s, rill_chart *chart, const char *name, double factor, const char *label,
                            unsigned colour, rill_curve_style style)
{
    const double *column = column_find(s, name);
    rill_curve *curve = column ? curve_add(s, chart, label, colour, style) : NULL;
    for (size_t i = 0; curve && i < chart->rows; i++) curve->values[i] = column[i] * factor;
    return curve;
}

typedef struct figures {
    double sum, mean, most;
    size_t above; /* values above the limit */
} figures;

static figures figures_of(const double *values, size_t count, double limit)
{
    figures f = {.most = -INFINITY};
    size_t finite = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) continue;
        finite++;
        f.sum += values[i];
        if (values[i] > f.most) f.most = values[i];
        if (values[i] > limit) f.above++;
    }
    f.mean = finite ? f.sum / (double)finite : 0;
    if (!finite) f.most = 0;
    return f;
}

static bool column_works(const rill_chart_source *s, const char *name)
{
    const double *column = rill_table_data_column(&s->report, name);
    return column && figures_of(column, s->report.rows, INFINITY).most > 0;
}

/* Whether a column is missing, or zero throughout, because the run's solver has no such figure. */
static bool column_idles(const rill_chart_source *s, const char *name)
{
    return rill_table_data_column(&s->report, name) ? !column_works(s, name) : !column_due(s, name);
}

/* A unit with the prefix that suits the greatest value. */
typedef struct unit {
    double factor;
    char text[16];
} unit;

static unit unit_for(double most, const char *base)
{
    static const struct {
        double size;
        const char *prefix;
    } steps[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}};
    size_t last = sizeof steps / sizeof *steps - 1, i = 0;
    while (i < last && most < steps[i].size) i++;
    if (!(most > 0)) i = 3;
    unit u = {.factor = 1 / steps[i].size};
    snprintf(u.text, sizeof u.text, "%s%s", steps[i].prefix, base);
    return u;
}

static void title_write(const rill_chart_source *s, rill_chart *chart, const char *what)
{
    const double *particles = rill_table_data_column(&s->report, "particles");
    double count = particles && s->report.rows ? particles[s->report.rows - 1] : NAN;
    int length = snprintf(chart->title, sizeof chart->title, "%s: %s, %s", what, s->scene.name, s->scene.solver.kind);
    if (count >= 0 && length > 0 && (size_t)length < sizeof chart->title)
        snprintf(chart->title + length, sizeof chart->title - (size_t)length, ", %s",
                 many((uint64_t)count, "particle").text);
}

/* Title and axis of a chart about one column. */
static void column_title(const rill_chart_source *s, rill_chart *chart, const char *name)
{
    char words[96];
    title_write(s, chart, words_of(name, true, words, sizeof words));
    rill_chart_axis(chart->unit, sizeof chart->unit, name);
}

/* Before and after, with the tolerance; `solves` when the solver works towards it. */
static void error_chart(rill_chart_source *s, rill_chart *chart, const char *before, const char *after,
                        double tolerance, bool solves)
{
    column_title(s, chart, after);
    chart->decades = 12;
    chart->from_zero = true;
    if (solves) curve_of(s, chart, before, 1, "before the solve", GREY, RILL_CURVE_FAINT);
    rill_curve *curve = curve_of(s, chart, after, 1, solves ? "after the solve" : "mean", BLUE, RILL_CURVE_STRONG);
    double limit = solves ? tolerance : INFINITY;
    if (curve) {
        figures f = figures_of(curve->values, chart->rows, limit * (1 + 1e-9));
        note_add(chart, "%s: mean %.3g %%, largest %.3g %%", solves ? "After the solve" : "Over the run", f.mean,
                 f.most);
        if (solves)
            note_add(chart, "; above the tolerance in %s of %s", digits(f.above).text,
                     many(chart->rows, "step").text);
        note_add(chart, ".");
    }
    if (!solves || !(tolerance > 0) || !chart->curve_count) return;
    chart->has_level = true;
    chart->level.value = tolerance;
    snprintf(chart->level.label, sizeof chart->level.label, "tolerance, %g %%", tolerance);
}

static void divergence_chart(rill_chart_source *s, rill_chart *chart)
{
    /* Older runs have the column whatever their solver, full of zeros. */
    if (column_idles(s, "iterations_divergence")) {
        list_add(s->idle, "divergence_error");
        return;
    }
    error_chart(s, chart, "divergence_error_before", "divergence_error", 100 * s->scene.solver.divergence_error, true);
}

static void density_chart(rill_chart_source *s, rill_chart *chart)
{
    bool solves = column_works(s, "iterations_density");
    error_chart(s, chart, "density_error_before", "density_error", 100 * rill_scene_density_error(&s->scene), solves);
    curve_of(s, chart, "density_error_max", 1, "worst particle", ORANGE, RILL_CURVE_FAINT);
}

/* Steps in which a solver stopped at the limit instead of the tolerance. */
static void limit_marks(rill_chart_source *s, rill_chart *chart)
{
    const double *hit = column_find(s, "limit_hit");
    size_t hits = hit ? (size_t)figures_of(hit, chart->rows, 0).above : 0;
    if (hit)
        note_add(chart, "  Limit of %u hit in %s of %s.", s->scene.solver.iterations_max, digits(hits).text,
                 many(chart->rows, "step").text);
    rill_curve *marks = hits ? curve_add(s, chart, "limit hit", RED, RILL_CURVE_POINTS) : NULL;
    for (size_t i = 0; marks && i < chart->rows; i++) {
        double most = 0;
        for (size_t c = 0; c + 1 < chart->curve_count; c++) most = fmax(most, chart->curves[c].values[i]);
        marks->values[i] = hit[i] > 0 ? most : NAN;
    }
}

#define ITERATIONS "iterations_"

/* A curve for each method that iterates. */
static void iterations_chart(rill_chart_source *s, rill_chart *chart)
{
    static const unsigned colours[] = {BLUE, ORANGE, GREEN, SKY, PINK};
    title_write(s, chart, "Iterations");
    snprintf(chart->unit, sizeof chart->unit, "iterations a step");
    chart->from_zero = true;
    for (size_t i = 0; i < s->report.column_count && chart->curve_count < sizeof colours / sizeof *colours; i++) {
        const char *name = s->report.names[i], *label = name + strlen(ITERATIONS);
        char words[96];
        if (strncmp(name, ITERATIONS, strlen(ITERATIONS)) || !column_works(s, name)) continue;
        rill_curve *curve = curve_of(s, chart, name, 1, words_of(label, false, words, sizeof words),
                                     colours[chart->curve_count], RILL_CURVE_LINE);
        if (!curve) return;
        figures f = figures_of(curve->values, chart->rows, INFINITY);
        note_add(chart, "%s%s: mean %.3g, largest %g.", *chart->note ? "  " : "",
                 words_of(label, true, words, sizeof words), f.mean, f.most);
    }
    if (chart->curve_count) limit_marks(s, chart);
    else if (column_idles(s, "iterations_density")) list_add(s->idle, "iterations");
    else column_find(s, "iterations_density");
}

/* All phases of a step together; NaN where one is unknown. */
static bool step_seconds(const rill_chart_source *s, double *seconds)
{
    bool any = false;
    for (size_t c = 0; c < s->report.column_count; c++) {
        if (strncmp(s->report.names[c], "seconds_", 8)) continue;
        any = true;
        for (size_t i = 0; i < s->report.rows; i++) seconds[i] += s->report.columns[c][i];
    }
    return any;
}

static void solve_time_chart(rill_chart_source *s, rill_chart *chart)
{
    title_write(s, chart, "Solve time");
    chart->decades = 200;
    chart->from_zero = true;
    rill_curve *step = curve_add(s, chart, "whole step", GREY, RILL_CURVE_FAINT);
    if (!step) return;
    if (!step_seconds(s, step->values)) {
        list_add(s->absent, "seconds_solve");
        rill_chart_free(chart);
        return;
    }
    figures all = figures_of(step->values, chart->rows, INFINITY);
    unit u = unit_for(all.mean, rill_chart_unit("seconds_solve"));
    for (size_t i = 0; i < chart->rows; i++) step->values[i] *= u.factor;
    curve_of(s, chart, "seconds_search", u.factor, "neighbour search", ORANGE, RILL_CURVE_FAINT);
    rill_curve *solve = curve_of(s, chart, "seconds_solve", u.factor, "pressure solve", BLUE, RILL_CURVE_STRONG);
    snprintf(chart->unit, sizeof chart->unit, "time a step (%s)", u.text);
    if (!solve) return;
    figures f = figures_of(solve->values, chart->rows, INFINITY);
    double solve_sum = f.sum / u.factor;
    note_add(chart, "Pressure solve: mean %.3g %s, largest %.3g %s, %.3g s in all, %.0f %% of the steps' %.3g s.",
             f.mean, u.text, f.most, u.text, solve_sum, all.sum > 0 ? 100 * solve_sum / all.sum : 0, all.sum);
}

static void energy_chart(rill_chart_source *s, rill_chart *chart)
{
    const double *kinetic = column_find(s, "kinetic"), *potential = column_find(s, "potential");
    double most = 0;
    for (size_t i = 0; i < chart->rows; i++) {
        if (kinetic) most = fmax(most, fabs(kinetic[i]));
        if (potential) most = fmax(most, fabs(potential[i]));
    }
    unit u = unit_for(most, rill_chart_unit("kinetic"));
    title_write(s, chart, "Energy");
    snprintf(chart->unit, sizeof chart->unit, "energy (%s)", u.text);
    chart->from_zero = true;
    rill_curve *sum = kinetic && potential ? curve_add(s, chart, "sum", GREY, RILL_CURVE_LINE) : NULL;
    for (size_t i = 0; sum && i < chart->rows; i++) sum->values[i] = (kinetic[i] + potential[i]) * u.factor;
    curve_of(s, chart, "potential", u.factor, "potential", ORANGE, RILL_CURVE_LINE);
    curve_of(s, chart, "kinetic", u.factor, "kinetic", BLUE, RILL_CURVE_STRONG);
    if (sum && chart->rows)
        note_add(chart, "From %.4g %s at the first step to %.4g %s at the last.", sum->values[0], u.text,
                 sum->values[chart->rows - 1], u.text);
}

static void time_step_chart(rill_chart_source *s, rill_chart *chart)
{
    const double *dt = column_find(s, "dt");
    if (!dt) return;
    figures f = figures_of(dt, chart->rows, INFINITY);
    unit u = unit_for(f.most, rill_chart_unit("dt"));
    title_write(s, chart, "Time step and speed");
    snprintf(chart->unit, sizeof chart->unit, "time step (%s)", u.text);
    chart->from_zero = true;
    note_add(chart, "%s, mean %.3g %s, largest %.3g %s.", many(chart->rows, "step").text, f.mean * u.factor, u.text,
             f.most * u.factor, u.text);
    rill_curve *speed = curve_of(s, chart, "speed_max", 1, "top speed (right)", ORANGE, RILL_CURVE_FAINT);
    if (speed) {
        speed->right = true;
        snprintf(chart->right_unit, sizeof chart->right_unit, "speed (%s)", rill_chart_unit("speed_max"));
    }
    curve_of(s, chart, "dt", u.factor, "time step", BLUE, RILL_CURVE_STRONG);
    /* A limit far above what is used would only flatten the curve. */
    double limit = s->scene.time.step_max;
    if (!(limit > 0) || limit > 2 * f.most) return;
    chart->has_level = true;
    chart->level.value = limit * u.factor;
    snprintf(chart->level.label, sizeof chart->level.label, "longest allowed, %.4g %s", limit * u.factor, u.text);
}

/* ---- columns of methods that no chart above is about ---- */

static bool column_is_charted(const char *name)
{
    static const char *const begins[] = {ITERATIONS, "density_error", "divergence_error"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (!strncmp(name, begins[i], strlen(begins[i]))) return true;
    return false;
}

/* The nth of them that has anything to show; NULL past the last. */
static const rill_column *column_left(const rill_chart_source *s, size_t nth)
{
    for (size_t i = 0; i < s->report.column_count; i++) {
        const char *method = NULL, *name = s->report.names[i];
        const rill_column *column = rill_column_find(name, &method);
        if (column && method && !column_is_charted(name) && column_works(s, name) && !nth--) return column;
    }
    return NULL;
}

static void column_chart(rill_chart_source *s, rill_chart *chart, const rill_column *column)
{
    snprintf(chart->name, sizeof chart->name, "%s", column->name);
    column_title(s, chart, column->name);
    chart->decades = 200;
    chart->from_zero = true;
    rill_curve *curve = curve_of(s, chart, column->name, 1, "each step", BLUE, RILL_CURVE_STRONG);
    if (!curve) return;
    figures f = figures_of(curve->values, chart->rows, INFINITY);
    note_add(chart, "%s  Mean %.3g, largest %.3g%s%s.", column->about, f.mean, f.most, *column->unit ? " " : "",
             column->unit);
}

/* Probes of one unit share a chart. */
typedef struct probe_group {
    const char *name, *title, *axis, *unit;
    bool prefixed; /* J and Pa take a prefix; m3 must not, and lengths stay as the scene has them */
} probe_group;

static const probe_group groups[] = {
    {"probes_length", "Front and height", "length", "m", false},
    {"probes_pressure", "Pressure at points", "pressure", "Pa", true},
    {"probes_velocity", "Velocity at points", "velocity", "m/s", false},
    {"probes_density", "Density at points", "density", "kg/m3", false},
    {"probes_force", "Force on boundaries", "force", "N", true},
    {"probes_torque", "Torque on boundaries", "torque", "N m", true},
    {"probes_energy", "Energy by probes", "energy", "J", true},
    {"probes_volume", "Volume", "volume", "m3", false},
    {"probes_other", "Other probes", "value", "", false}, /* of any other unit */
};
enum { GROUP_COUNT = sizeof groups / sizeof *groups };

static size_t group_of(const rill_column *column)
{
    size_t group = 0;
    while (group < GROUP_COUNT - 1 && strcmp(groups[group].unit, column->unit)) group++;
    return group;
}

/* The column of the nth value of a group; 0 past the last. After step and time come the scene's probes. */
static size_t group_column(const rill_chart_source *s, size_t group, size_t nth)
{
    size_t column = 2;
    const rill_column *value;
    for (uint32_t p = 0; p < s->scene.probe_count; p++)
        for (uint32_t v = 0; (value = rill_probe_column(&s->scene.probes[p], v)); v++, column++) {
            if (column >= s->probes.column_count) return 0;
            if (group_of(value) == group && !nth--) return column;
        }
    return 0;
}

static void probes_chart(rill_chart_source *s, rill_chart *chart, size_t group, size_t part)
{
    const rill_table_data *table = &s->probes;
    const probe_group *g = &groups[group];
    double most = 0;
    size_t column;
    chart->time = rill_table_data_column(table, "time");
    chart->rows = table->rows;
    for (size_t n = 0; n < RILL_CURVES_MAX && (column = group_column(s, group, part * RILL_CURVES_MAX + n)); n++) {
        rill_curve *curve = curve_add(s, chart, table->names[column], rill_chart_colour(n), RILL_CURVE_LINE);
        if (!curve) return;
        memcpy(curve->values, table->columns[column], table->rows * sizeof *curve->values);
        for (size_t i = 0; i < table->rows; i++) most = fmax(most, fabs(curve->values[i]));
    }
    unit u = g->prefixed ? unit_for(most, g->unit) : unit_for(1, g->unit);
    for (size_t c = 0; c < chart->curve_count; c++) {
        for (size_t i = 0; i < table->rows; i++) chart->curves[c].values[i] *= u.factor;
    }
    snprintf(chart->name, sizeof chart->name, part ? "%s_%zu" : "%s", g->name, part + 1);
    title_write(s, chart, g->title);
    snprintf(chart->unit, sizeof chart->unit, *u.text ? "%s (%s)" : "%s", g->axis, u.text);
    note_add(chart, "The scene's probes, from probes.csv.");
}

static const struct {
    const char *name;
    void (*fill)(rill_chart_source *s, rill_chart *chart);
} charts[] = {{"divergence_error", divergence_chart}, {"density_error", density_chart},
              {"solve_time", solve_time_chart},       {"iterations", iterations_chart},
              {"energy", energy_chart},               {"time_step", time_step_chart}};
enum { CHART_COUNT = sizeof charts / sizeof *charts };

/* The chart of the index in `chart`, empty but for its times; false past the last. */
static bool chart_fill(rill_chart_source *source, size_t index, rill_chart *chart)
{
    if (index < CHART_COUNT) {
        charts[index].fill(source, chart);
        snprintf(chart->name, sizeof chart->name, "%s", charts[index].name);
        return true;
    }
    index -= CHART_COUNT;
    const rill_column *left = column_left(source, index);
    if (left) {
        column_chart(source, chart, left);
        return true;
    }
    for (size_t n = 0; column_left(source, n); n++) index--;
    for (size_t group = 0; source->probes.rows && group < GROUP_COUNT; group++) {
        size_t part = 0;
        for (; group_column(source, group, part * RILL_CURVES_MAX); part++) {
            if (part != index) continue;
            probes_chart(source, chart, group, part);
            return true;
        }
        index -= part;
    }
    return false;
}

rill_status rill_chart_make(rill_chart_source *source, size_t index, rill_chart *chart, rill_error *err)
{
    *chart = (rill_chart){.time = rill_table_data_column(&source->report, "time"), .rows = source->report.rows};
    rill_locale locale = rill_locale_begin();
    source->no_memory = !locale.plain;
    if (!source->no_memory) chart_fill(source, index, chart);
    rill_locale_end(&locale);
    if (!source->no_memory) return RILL_OK;
    rill_chart_free(chart);
    return rill_memory_fail(err, 8 * source->report.rows, "a chart");
}

/* ---- what charts are made from ---- */

void rill_chart_source_free(rill_chart_source *source)
{
    rill_table_data_free(&source->report);
    rill_table_data_free(&source->probes);
    rill_scene_free(&source->scene);
    *source = (rill_chart_source){0};
}

rill_status rill_run_read_charts(const char *folder, rill_chart_source *source, rill_error *err)
{
    *source = (rill_chart_source){0};
    rill_status status = rill_run_read_scene(folder, &source->scene, err);
    if (status) return status;
    status = rill_run_read_table(folder, "report.csv", &source->report, err);
    /* Probes are a bonus: where their file is no good, there are the other charts. */
    if (!status && source->report.rows && source->scene.probe_count &&
        rill_run_read_table(folder, "probes.csv", &source->probes, &source->probes_trouble) == RILL_NO_MEMORY)
        status = rill_memory_fail(err, 0, "probes.csv");
    if (status) rill_chart_source_free(source);
    return status;
}

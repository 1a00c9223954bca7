/* rill compare: density error and kinetic energy of all solvers over time, and
 * where their time went. */
#include <math.h>
#include <stdlib.h>

#include "command.h"
#include "compare_parts.h"
#include "say.h"

enum { WIDTH = 1280, HEIGHT = 720 };

/* One curve for each solver that took a step. */
static bool curves_add(const compare *c, const char *column, rill_chart *chart)
{
    for (size_t i = 0; i < c->count; i++) {
        const rill_table_data *report = &c->rows[i].report;
        const double *values = rill_table_data_column(report, column), *time = rill_table_data_column(report, "time");
        if (!values || !time || !report->rows) continue;
        rill_curve *curve = &chart->curves[chart->curve_count];
        *curve = (rill_curve){.colour = rill_chart_colour(i), .at = time, .rows = report->rows};
        snprintf(curve->label, sizeof curve->label, "%s", c->rows[i].solver);
        curve->values = rill_malloc(report->rows * sizeof *curve->values);
        if (!curve->values) return false;
        for (size_t k = 0; k < report->rows; k++) curve->values[k] = values[k];
        chart->curve_count++;
    }
    return true;
}

static rill_chart chart_begin(const compare *c, const char *name, const char *what)
{
    rill_chart chart = {0};
    snprintf(chart.name, sizeof chart.name, "%s", name);
    snprintf(chart.title, sizeof chart.title, "%s: %s, %s", what, c->scene.name,
             say_many(c->particles, "particle").text);
    return chart;
}

static int chart_finish(const plot_target *target, rill_chart *chart, bool whole)
{
    int code = EXIT_FINE;
    if (!whole) code = say_error(EXIT_MACHINE, "There is not enough memory to draw %s.", chart->name);
    else if (chart->curve_count) code = plot_draw(target, chart->name, plot_chart_write, chart);
    rill_chart_free(chart);
    return code;
}

static int error_draw(const compare *c, const plot_target *target)
{
    rill_chart chart = chart_begin(c, "density_error", "Density error");
    const double tolerance = 100 * c->scene.solver.density_error;
    rill_chart_axis(chart.unit, sizeof chart.unit, "density_error");
    snprintf(chart.note, sizeof chart.note, "After each step; WCSPH works towards no tolerance.");
    chart.decades = 12;
    chart.from_zero = true;
    chart.has_level = tolerance > 0;
    chart.level.value = tolerance;
    snprintf(chart.level.label, sizeof chart.level.label, "tolerance, %g %%", tolerance);
    return chart_finish(target, &chart, curves_add(c, "density_error", &chart));
}

static int energy_draw(const compare *c, const plot_target *target)
{
    rill_chart chart = chart_begin(c, "kinetic_energy", "Kinetic energy");
    snprintf(chart.unit, sizeof chart.unit, "kinetic energy (%s)", rill_chart_unit("kinetic"));
    chart.from_zero = true;
    return chart_finish(target, &chart, curves_add(c, "kinetic", &chart));
}

static int phases_draw(const compare *c, const plot_target *target)
{
    plot_stacks s = {.name = "stages", .unit = "wall time (s)"};
    snprintf(s.title, sizeof s.title, "Time by phase: %s, %s", c->scene.name, say_many(c->particles, "particle").text);
    snprintf(s.note, sizeof s.note, "%g s simulated on %s.", c->scene.time.end,
             say_many(c->threads, "thread").text);
    while (s.layer_count < PLOT_LAYERS_MAX && rill_phase_name((uint32_t)s.layer_count)) {
        s.layers[s.layer_count] = rill_phase_name((uint32_t)s.layer_count);
        s.layer_count++;
    }
    for (size_t i = 0; i < c->count; i++) {
        if (!c->rows[i].report.rows) continue;
        s.labels[s.count] = c->rows[i].solver;
        for (size_t l = 0; l < s.layer_count; l++) s.heights[s.count][l] = c->rows[i].phases[l];
        s.count++;
    }
    return s.count ? plot_draw(target, s.name, plot_stacks_write, &s) : EXIT_FINE;
}

int compare_draw(compare *c)
{
    const plot_target target = {c->folder.text, PLOT_PNG | PLOT_SVG, WIDTH, HEIGHT, NULL};
    size_t ran = 0;
    for (size_t i = 0; i < c->count; i++) ran += c->rows[i].report.rows > 0;
    if (!ran || plot_check()) return EXIT_FINE;
    int code = error_draw(c, &target);
    if (!code) code = energy_draw(c, &target);
    if (!code) code = phases_draw(c, &target);
    c->drawn = !code;
    return code;
}

/* rill plot: a chart as a script for gnuplot, axes chosen, long curves thinned. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot_parts.h"

/* More points than pixels say nothing and make an SVG heavy. */
enum { POINTS_MAX = 2000, BUCKETS = POINTS_MAX / 2, MARKED_MAX = 40 };

typedef struct axis {
    double low, high;
    bool decades;
} axis;

static size_t rows_of(const rill_chart *chart, const rill_curve *curve)
{
    return curve->at ? curve->rows : chart->rows;
}

static const double *places_of(const rill_chart *chart, const rill_curve *curve)
{
    return curve->at ? curve->at : chart->time;
}

/* A string as gnuplot takes it. In single quotes nothing but the quote is special. */
void plot_text_write(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text; text++) {
        if (*text == '\'') fputc('\'', out);
        fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
    }
    fputc('\'', out);
}

static int numbers_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The finite values of all curves of an axis, sorted; NULL when there are none or no memory. */
static double *values_sort(const rill_chart *chart, bool right, size_t *count)
{
    size_t n = 0, most = 1;
    for (size_t c = 0; c < chart->curve_count; c++) most += rows_of(chart, &chart->curves[c]);
    double *values = malloc(most * sizeof *values);
    for (size_t c = 0; values && c < chart->curve_count; c++) {
        const rill_curve *curve = &chart->curves[c];
        for (size_t i = 0; curve->right == right && i < rows_of(chart, curve); i++) {
            if (isfinite(curve->values[i])) values[n++] = curve->values[i];
        }
    }
    if (n) qsort(values, n, sizeof *values, numbers_compare);
    *count = n;
    if (n) return values;
    free(values);
    return NULL;
}

static axis axis_linear(double low, double high, bool from_zero)
{
    if (from_zero && low > 0) low = 0;
    if (from_zero && high <= 0) high = 1;
    double room = 0.06 * (high - low);
    /* Rounding errors of a constant are no shape worth drawing. */
    if (!(high - low > 1e-6 * fmax(fabs(low), fabs(high)))) room = fmax(0.05 * fmax(fabs(low), fabs(high)), 1e-12);
    return (axis){from_zero && low >= 0 ? 0 : low - room, high + room, false};
}

/* Logarithmic where wanted and the values span enough. A few tiny values do not stretch it far: they, and zeros, lie on
 * its lower edge. */
static axis axis_choose(const rill_chart *chart, bool right)
{
    size_t count;
    double *values = values_sort(chart, right, &count);
    if (!values) return (axis){0, 1, false};
    double low = values[0], high = values[count - 1];
    size_t positive = 0;
    while (positive < count && values[positive] <= 0) positive++;
    double small = positive < count ? fmax(values[positive], values[positive + (count - positive) / 50] / 5) : 0;
    free(values);
    if (chart->has_level && !right) {
        low = fmin(low, chart->level.value);
        high = fmax(high, chart->level.value);
        small = small > 0 ? fmin(small, chart->level.value) : chart->level.value;
    }
    bool decades = chart->decades > 0 && !right && small > 0 && high / small > chart->decades;
    if (!decades) return axis_linear(low, high, chart->from_zero || right);
    return (axis){fmax(small, high * 1e-7) / 1.6, high * 1.6, true};
}

static void point_write(FILE *out, double x, double y, const axis *a)
{
    if (!isfinite(y)) fprintf(out, "%.9g NaN\n", x);
    else fprintf(out, "%.9g %.7g\n", x, a->decades && y < a->low ? a->low : y);
}

/* The least and the greatest value of rows [from, to), in the order of time, so that no peak is lost. */
static void bucket_write(FILE *out, const double *time, const double *values, size_t from, size_t to, const axis *a)
{
    size_t least = to, most = to;
    for (size_t i = from; i < to; i++) {
        if (!isfinite(values[i])) continue;
        if (least == to || values[i] < values[least]) least = i;
        if (most == to || values[i] > values[most]) most = i;
    }
    if (least == to) {
        point_write(out, time[from], NAN, a);
        return;
    }
    size_t first = least < most ? least : most, second = least < most ? most : least;
    point_write(out, time[first], values[first], a);
    if (second != first) point_write(out, time[second], values[second], a);
}

static void curve_write(FILE *out, const rill_chart *chart, const rill_curve *curve, const axis *a)
{
    const double *time = places_of(chart, curve), *values = curve->values;
    const size_t rows = rows_of(chart, curve);
    if (rows <= POINTS_MAX) {
        for (size_t i = 0; i < rows; i++) point_write(out, time[i], values[i], a);
        return;
    }
    double width = (time[rows - 1] - time[0]) / BUCKETS;
    for (size_t from = 0, to; from < rows; from = to) {
        double bucket = width > 0 ? floor((time[from] - time[0]) / width) : 0;
        for (to = from + 1; to < rows && (!(width > 0) || floor((time[to] - time[0]) / width) == bucket);) to++;
        bucket_write(out, time, values, from, to, a);
    }
}

static double sheet_scale(const plot_sheet *sheet)
{
    return fmin(sheet->width / 1280.0, sheet->height / 720.0);
}

void plot_sheet_write(FILE *out, const plot_sheet *sheet, const char *title, const char *note)
{
    const double scale = sheet_scale(sheet), size = (sheet->format == PLOT_PNG ? 13 : 17) * scale;
    const char *terminal = sheet->format == PLOT_PNG ? "pngcairo" : "svg dynamic";
    fprintf(out, "set terminal %s size %u,%u noenhanced font '%s,%.1f' linewidth %.2f background '#ffffff'\n", terminal,
            sheet->width, sheet->height, sheet->format == PLOT_PNG ? "sans" : "sans-serif", size, scale);
    fputs("set encoding utf8\nset label 1 ", out);
    plot_text_write(out, title);
    fprintf(out, " at screen 0.02,0.95 left font ',%.1f' textcolor '#1a1a1a'\nset label 2 ", 1.35 * size);
    plot_text_write(out, note);
    fprintf(out, " at screen 0.02,0.89 left textcolor '#555555'\n");
}

static void words_write(FILE *out, const rill_chart *chart)
{
    fputs("set xlabel ", out);
    plot_text_write(out, *chart->along ? chart->along : "time (s)");
    fputs(" textcolor '#1a1a1a'\nset ylabel ", out);
    plot_text_write(out, chart->unit);
    fputs(" textcolor '#1a1a1a'\n", out);
    if (!*chart->right_unit) return;
    fputs("set y2label ", out);
    plot_text_write(out, chart->right_unit);
    fputs(" textcolor '#1a1a1a'\n", out);
}

/* Rows the legend takes: gnuplot gives every entry the width of the longest. */
static size_t legend_rows(const rill_chart *chart, double width)
{
    size_t entries = chart->curve_count + chart->has_level, longest = chart->has_level ? strlen(chart->level.label) : 0;
    for (size_t i = 0; i < chart->curve_count; i++) {
        if (strlen(chart->curves[i].label) > longest) longest = strlen(chart->curves[i].label);
    }
    size_t columns = (size_t)(0.85 * width / (10.5 * ((double)longest + 8)));
    if (!columns) columns = 1;
    return (entries + columns - 1) / columns;
}

static void axes_write(FILE *out, const rill_chart *chart, const axis *left, const axis *right, double width)
{
    double begin = INFINITY, end = -INFINITY;
    for (size_t c = 0; c < chart->curve_count; c++) {
        const double *at = places_of(chart, &chart->curves[c]);
        for (size_t i = 0; i < rows_of(chart, &chart->curves[c]); i++) {
            begin = fmin(begin, at[i]);
            end = fmax(end, at[i]);
        }
    }
    if (begin > 0 && begin < 0.1 * end) begin = 0;
    if (!(end > begin)) begin -= 0.5e-3, end += 0.5e-3;
    fprintf(out, "set xrange [%.9g:%.9g]\nset yrange [%.7g:%.7g]\n", begin, end, left->low, left->high);
    if (left->decades) fputs("set logscale y\nset mytics 10\n", out);
    fputs("set format x '%g'\nset format y '%g'\nset format y2 '%g'\n", out);
    if (*chart->right_unit)
        fprintf(out, "set y2range [%.7g:%.7g]\nset y2tics textcolor '#1a1a1a'\n", right->low, right->high);
    fprintf(out,
            "set border %d linecolor '#888888' linewidth 1\n"
            "set tics nomirror textcolor '#1a1a1a'\n"
            "set grid xtics ytics %s linetype 1 linecolor '#dddddd' linewidth 1, linetype 1 linecolor '#efefef' "
            "linewidth 0.7\n"
            "set tmargin at screen %.3f\n"
            "set key at graph 0,1.03 left bottom horizontal Left reverse samplen 2.2 textcolor '#1a1a1a'\n",
            *chart->right_unit ? 11 : 3, left->decades ? "mytics" : "",
            0.79 - 0.03 * (double)(legend_rows(chart, width) - 1));
}

/* A tolerance is drawn last, so that no curve hides it. */
static void plot_write(FILE *out, const rill_chart *chart)
{
    static const double widths[] = {[RILL_CURVE_LINE] = 1.8, [RILL_CURVE_FAINT] = 1.3, [RILL_CURVE_STRONG] = 2.4};
    fputs("plot ", out);
    for (size_t i = 0; i < chart->curve_count; i++) {
        const rill_curve *curve = &chart->curves[i];
        const bool few = rows_of(chart, curve) <= MARKED_MAX;
        fprintf(out, "%s$curve%zu using 1:2 axes x1y%d ", i ? ", " : "", i, curve->right ? 2 : 1);
        if (curve->style == RILL_CURVE_POINTS) fputs("with points pointtype 2 pointsize 1.1 linewidth 2", out);
        else
            fprintf(out, "with %s linewidth %.1f", few ? "linespoints pointtype 7 pointsize 0.7" : "lines",
                    widths[curve->style]);
        fprintf(out, " linecolor '#%06x' title ", curve->colour);
        plot_text_write(out, curve->label);
    }
    if (chart->has_level) {
        fprintf(out, ", %.7g with lines linewidth 1.8 dashtype (8,5) linecolor '#000000' title ", chart->level.value);
        plot_text_write(out, chart->level.label);
    }
    fputs("\n", out);
}

void plot_chart_write(FILE *out, const void *what, const plot_sheet *sheet)
{
    const rill_chart *chart = what;
    const axis left = axis_choose(chart, false), right = axis_choose(chart, true);
    plot_sheet_write(out, sheet, chart->title, chart->note);
    words_write(out, chart);
    axes_write(out, chart, &left, &right, sheet->width / sheet_scale(sheet));
    for (size_t i = 0; i < chart->curve_count; i++) {
        fprintf(out, "$curve%zu << END\n", i);
        curve_write(out, chart, &chart->curves[i], chart->curves[i].right ? &right : &left);
        fputs("END\n", out);
    }
    plot_write(out, chart);
}

/* rill plot: the figures of a run as graphs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "options.h"
#include "paths.h"
#include "plot_parts.h"
#include "rill/text.h"
#include "say.h"

enum { SIDE_MAX = 8192, WIDTH_MIN = 320, HEIGHT_MIN = 240 };

typedef struct plot_request {
    const char *run, *out, *format;
    uint64_t width, height;
    bool quiet;
    unsigned formats; /* of plot_format */
    path_text folder;
    char *drawn; /* lines that name what was drawn */
    size_t drawn_size, drawn_count;
} plot_request;

static int request_check(plot_request *r)
{
    r->formats = !strcmp(r->format, "png")    ? PLOT_PNG
                 : !strcmp(r->format, "svg")  ? PLOT_SVG
                 : !strcmp(r->format, "both") ? PLOT_PNG | PLOT_SVG
                                              : 0;
    if (!r->formats)
        return say_error(EXIT_USER, "There is no format '%s'; there are png, svg and both.", r->format);
    if (r->width < WIDTH_MIN || r->height < HEIGHT_MIN || r->width > SIDE_MAX || r->height > SIDE_MAX)
        return say_error(EXIT_USER, "A plot of %" PRIu64 " x %" PRIu64 " pixels cannot be; give %d x %d to %d x %d.",
                         r->width, r->height, WIDTH_MIN, HEIGHT_MIN, SIDE_MAX, SIDE_MAX);
    if (!rill_run_exists(r->run)) return say_error(EXIT_USER, "%s holds no run; 'rill run' makes one.", r->run);
    r->folder = r->out ? path_join("", r->out) : path_join(r->run, "plots");
    return EXIT_FINE;
}

static void damage_say(const char *run, const char *name, const rill_table_data *table)
{
    path_text path = path_join(run, name);
    if (table->damaged)
        say_error(EXIT_FINE, "%s has %s, left out here.", path.text,
                  say_many(table->damaged, "damaged row").text);
    if (table->torn) say_error(EXIT_FINE, "%s ends in the middle of a row, left out here.", path.text);
}

static int source_read(const plot_request *r, rill_chart_source *s)
{
    rill_error err = {0};
    if (rill_run_read_charts(r->run, s, &err)) return say_failure(&err);
    if (!s->report.rows) {
        bool damaged = s->report.damaged || s->report.torn;
        return say_error(damaged ? EXIT_MACHINE : EXIT_USER, "%s holds no %sstep %s to plot.", r->run,
                         damaged ? "undamaged " : "", damaged ? "in report.csv" : "yet");
    }
    damage_say(r->run, "report.csv", &s->report);
    /* The rest is drawn all the same. */
    if (s->probes_trouble.status) say_failure(&s->probes_trouble);
    else damage_say(r->run, "probes.csv", &s->probes);
    return EXIT_FINE;
}

static int charts_draw(plot_request *r, rill_chart_source *s)
{
    FILE *drawn = open_memstream(&r->drawn, &r->drawn_size);
    const plot_target target = {r->folder.text, r->formats, (unsigned)r->width, (unsigned)r->height, drawn};
    int code = drawn ? EXIT_FINE : EXIT_MACHINE;
    bool whole = drawn, more = true;
    for (size_t i = 0; !code && more && whole; i++) {
        rill_chart chart;
        whole = !rill_chart_make(s, i, &chart, NULL);
        more = *chart.name;
        if (whole && chart.curve_count) {
            code = plot_draw(&target, chart.name, plot_chart_write, &chart);
            r->drawn_count++;
        }
        rill_chart_free(&chart);
    }
    whole = rill_string_end(drawn, &r->drawn) && whole;
    if (!whole) code = code && drawn ? code : say_error(EXIT_MACHINE, "There is not enough memory to plot %s.", r->run);
    return code;
}

static void outcome_say(const plot_request *r, const rill_chart_source *s)
{
    if (*s->absent)
        say_error(EXIT_FINE, "%s lacks columns, and what needs them was left out: %s.",
                  path_join(r->run, "report.csv").text, s->absent);
    if (*s->idle)
        say_error(EXIT_FINE, "Left out, since %s does not solve for them: %s.", s->scene.solver.kind, s->idle);
    if (r->quiet) return;
    printf("Drew %s of %s (%s), %s to t = %.4g s:\n%s", say_many(r->drawn_count, "plot").text, s->scene.name,
           s->scene.solver.kind, say_many(s->report.rows, "step").text,
           rill_table_data_column(&s->report, "time")[s->report.rows - 1], r->drawn);
}

static int request_do(plot_request *r)
{
    rill_chart_source source = {.report = {0}};
    int code = request_check(r);
    if (!code) code = source_read(r, &source);
    if (!code) code = charts_draw(r, &source);
    if (!code && !r->drawn_count)
        code = say_error(EXIT_MACHINE, "%s has none of the columns that rill plot draws.",
                         path_join(r->run, "report.csv").text);
    if (!code) outcome_say(r, &source);
    rill_free(r->drawn);
    rill_chart_source_free(&source);
    return code;
}

int command_plot(int count, char **arguments)
{
    plot_request r = {.format = "both", .width = 1280, .height = 720};
    const option options[] = {
        {"out", OPTION_TEXT, "DIR", "the folder of the plots; RUN/plots when not given", &r.out, NULL},
        {"format", OPTION_TEXT, "png|svg|both", "both when not given", &r.format, NULL},
        {"width", OPTION_COUNT, "PIXELS", "1280 when not given", &r.width, NULL},
        {"height", OPTION_COUNT, "PIXELS", "720 when not given", &r.height, NULL},
        {"quiet", OPTION_FLAG, NULL, "say nothing but errors", &r.quiet, NULL}};
    const option_table table = {"plot", "RUN [options]",
                                "Draws errors, solve time, iterations, energies, time step and probes of a run.\n"
                                "Needs gnuplot.",
                                "  rill plot runs/dam_break\n"
                                "  rill plot runs/dam_break --format svg --out figures",
                                options, sizeof options / sizeof *options, 1, NULL};
    size_t word_count;
    const char *words[1];
    options_result read = options_read(&table, count, arguments, words, &word_count);
    if (read != OPTIONS_GO) return options_code(read);
    if (!word_count) return say_error(EXIT_USER, "rill plot needs a run, as in 'rill plot runs/dam_break'.");
    r.run = words[0];
    return request_do(&r);
}

/* rill bench: measures the machine, then rill on it, and prints the table. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench_parts.h"
#include "command.h"
#include "json.h"
#include "machine.h"
#include "options.h"
#include "paths.h"
#include "say.h"

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

typedef struct bench_table {
    const bench_row **rows;
    bench_result *results;
    size_t count;
    char cpu[128], date[32];
    unsigned threads;
} bench_table;

static const char *row_name_at(const void *context, int i)
{
    (void)context;
    return (size_t)i < bench_row_count ? bench_rows[i].name : NULL;
}

static const bench_row *row_find(const char *name)
{
    for (size_t i = 0; i < bench_row_count; i++) {
        if (!strcmp(bench_rows[i].name, name)) return &bench_rows[i];
    }
    const char *nearest = say_nearest(name, row_name_at, NULL);
    if (nearest) say_error(EXIT_USER, "There is no row '%s'; did you mean %s?", name, nearest);
    else say_error(EXIT_USER, "There is no row '%s'; 'rill bench --list' names them.", name);
    return NULL;
}

/* null where there is none */
static void row_bars_put(json *j, const bench_row *row)
{
    json_number(j, "bar", row->bar > 0 ? row->bar : (double)INFINITY);
    json_number(j, "goal", row->goal > 0 ? row->goal : (double)INFINITY);
}

static int rows_list_json(void)
{
    json j = json_start(stdout);
    json_open(&j, NULL, '[');
    for (size_t i = 0; i < bench_row_count; i++) {
        const bench_row *row = &bench_rows[i];
        json_open(&j, NULL, '{');
        json_text(&j, "row", row->name);
        json_text(&j, "what", row->what);
        json_text(&j, "unit", row->unit);
        row_bars_put(&j, row);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    return EXIT_FINE;
}

static int rows_list(bool as_json, size_t asked, const char *save)
{
    if (asked || save) return say_error(EXIT_USER, "--list measures nothing; leave the rows and --save out.");
    if (as_json) return rows_list_json();
    for (size_t i = 0; i < bench_row_count; i++) {
        const bench_row *row = &bench_rows[i];
        printf("%-16s %-44s %s", row->name, row->what, row->unit);
        if (row->bar > 0) printf(", bar %g, goal %g", row->bar, row->goal);
        putchar('\n');
    }
    return EXIT_FINE;
}

static const char *verdict(const bench_row *row, double value)
{
    if (!(row->bar > 0)) return "";
    bool bar = row->more_is_better ? value >= row->bar : value <= row->bar;
    bool goal = row->more_is_better ? value >= row->goal : value <= row->goal;
    return goal ? "goal met" : bar ? "bar met" : "missed";
}

/* ---- what is printed and kept ---- */

static void machine_print(const bench_table *t, FILE *out, const char *prefix)
{
    fprintf(out, "%s%s, %u threads of %u cores, %s\n", prefix, t->cpu, t->threads, machine_cores(), t->date);
    fprintf(out, "%srill %s, compiled with %s\n", prefix, RILL_VERSION, COMPILER);
}

static void number_text(char *text, size_t size, double value)
{
    snprintf(text, size, "%.*f", value >= 100 ? 0 : value >= 10 ? 1 : 2, value);
}

static void row_print(const bench_row *row, const bench_result *r, FILE *out)
{
    char value[32], bar[32] = "", goal[32] = "", part[32] = "";
    number_text(value, sizeof value, r->value);
    if (row->bar > 0) snprintf(bar, sizeof bar, "%g", row->bar);
    if (row->goal > 0) snprintf(goal, sizeof goal, "%g", row->goal);
    if (r->limit_share > 0) snprintf(part, sizeof part, "%.0f %%", 100 * r->limit_share);
    fprintf(out, "| %-14s | %-42s | %8s | %-11s | %5s | %5s | %8s | %8s |\n", row->name, row->what, value, row->unit, bar,
            goal, verdict(row, r->value), part);
}

static void table_head(FILE *out)
{
    fprintf(out, "| %-14s | %-42s | %8s | %-11s | %5s | %5s | %8s | %8s |\n", "row", "what", "measured", "unit", "bar",
            "goal", "", "of limit");
    fprintf(out, "| --- | --- | ---: | --- | ---: | ---: | --- | ---: |\n");
}

static void results_put(json *j, const bench_table *t)
{
    for (size_t i = 0; i < t->count; i++) {
        json_open(j, NULL, '{');
        json_text(j, "row", t->rows[i]->name);
        json_text(j, "what", t->rows[i]->what);
        json_number(j, "value", t->results[i].value);
        json_text(j, "unit", t->rows[i]->unit);
        row_bars_put(j, t->rows[i]);
        json_number(j, "limit_share", t->results[i].limit_share > 0 ? t->results[i].limit_share : (double)INFINITY);
        json_close(j, '}');
    }
}

static void json_save(const bench_table *t, FILE *out)
{
    json j = json_start(out);
    json_open(&j, NULL, '{');
    json_text(&j, "cpu", t->cpu);
    json_count(&j, "cores", machine_cores());
    json_count(&j, "threads", t->threads);
    json_text(&j, "compiler", COMPILER);
    json_text(&j, "version", RILL_VERSION);
    json_text(&j, "date", t->date);
    json_open(&j, "rows", '[');
    results_put(&j, t);
    json_close(&j, ']');
    json_close(&j, '}');
}

static void text_save(const bench_table *t, FILE *out)
{
    fprintf(out, "# rill bench\n\n");
    machine_print(t, out, "");
    fprintf(out, "\n");
    table_head(out);
    for (size_t i = 0; i < t->count; i++) row_print(t->rows[i], &t->results[i], out);
}

static int file_save(const bench_table *t, const char *path, void (*put)(const bench_table *t, FILE *out))
{
    FILE *out = fopen(path, "w");
    if (out) put(t, out);
    if (out && !fclose(out)) return EXIT_FINE;
    return say_error(EXIT_MACHINE, "%s could not be written (%s).", path, strerror(errno));
}

/* The readable table lies beside the JSON, with the ending .md. */
static int table_save(const bench_table *t, const char *path)
{
    path_text text;
    size_t length = strlen(path);
    if (length > 5 && !strcmp(path + length - 5, ".json")) length -= 5;
    snprintf(text.text, sizeof text.text, "%.*s.md", (int)length, path);
    int code = file_save(t, path, json_save);
    return code ? code : file_save(t, text.text, text_save);
}

/* ---- measuring ---- */

static void limits_measure(bench *b)
{
    if (!b->quiet) fprintf(stderr, "  measuring the machine itself ...\n");
    b->limits = (bench_limits){bench_limit_copy(1), bench_limit_copy(b->threads), bench_limit_fma(1),
                               bench_limit_fma(b->threads)};
}

static int rows_measure(bench *b, bench_table *t, bool print)
{
    limits_measure(b);
    for (size_t i = 0; i < t->count; i++) {
        int code = t->rows[i]->measure(b, t->rows[i], &t->results[i]);
        if (code) return code;
    }
    if (!print) return EXIT_FINE;
    machine_print(t, stdout, "");
    table_head(stdout);
    for (size_t i = 0; i < t->count; i++) row_print(t->rows[i], &t->results[i], stdout);
    return EXIT_FINE;
}

static void table_name(bench_table *t, unsigned threads)
{
    time_t now = time(NULL);
    machine_cpu_name(t->cpu, sizeof t->cpu);
    strftime(t->date, sizeof t->date, "%Y-%m-%d", localtime(&now));
    t->threads = threads;
}

static int bench_do(bench *b, const char **names, size_t name_count, bool as_json, const char *save)
{
    bench_table t = {.count = name_count ? name_count : bench_row_count};
    t.rows = calloc(t.count, sizeof *t.rows);
    t.results = calloc(t.count, sizeof *t.results);
    int code = t.rows && t.results ? EXIT_FINE : say_error(EXIT_MACHINE, "There is no memory left to measure.");
    for (size_t i = 0; i < t.count && !code; i++) {
        t.rows[i] = name_count ? row_find(names[i]) : &bench_rows[i];
        if (!t.rows[i]) code = EXIT_USER;
    }
    if (!code) table_name(&t, b->threads);
    if (!code) code = rows_measure(b, &t, !as_json);
    if (!code && as_json) {
        json j = json_start(stdout);
        json_open(&j, NULL, '[');
        results_put(&j, &t);
        json_close(&j, ']');
    }
    if (!code && save) code = table_save(&t, save);
    free(t.rows);
    free(t.results);
    return code;
}

int command_bench(int count, char **arguments)
{
    if (count == 3 && !strcmp(arguments[0], "--memory-of")) return bench_memory_child(arguments[1], arguments[2]);
    bool as_json = false, list = false, threads_given = false;
    uint64_t threads = machine_cores();
    const char *save = NULL;
    bench b = {0};
    const option options[] = {{"list", OPTION_FLAG, NULL, "name the rows and measure nothing", &list, NULL},
                              {"threads", OPTION_COUNT, "N", "what all threads means; all cores when not given", &threads,
                               &threads_given},
                              {"json", OPTION_FLAG, NULL, "print an array of rows as JSON", &as_json, NULL},
                              {"save", OPTION_TEXT, "FILE", "keep the results as JSON, and beside it as .md", &save, NULL},
                              {"quiet", OPTION_FLAG, NULL, "say nothing but results and errors", &b.quiet, NULL}};
    const option_table table = {"bench", "[ROW ...] [options]",
                                "Measures the machine, then rill on it; each row is the best of several repeats.",
                                "  rill bench\n  rill bench step_1m memory --json", options,
                                sizeof options / sizeof *options, bench_row_count};
    size_t word_count;
    const char **words = calloc(bench_row_count, sizeof *words);
    if (!words) return say_error(EXIT_MACHINE, "There is no memory left to measure.");
    options_result read = options_read(&table, count, arguments, words, &word_count);
    int code = read == OPTIONS_WRONG ? EXIT_USER : EXIT_FINE;
    if (read == OPTIONS_GO && (threads < 1 || threads > 1024))
        code = say_error(EXIT_USER, "--threads must lie between 1 and 1024, and %" PRIu64 " does not.", threads);
    b.threads = (unsigned)threads;
    if (read == OPTIONS_GO && !code) code = list ? rows_list(as_json, word_count, save)
                                                   : bench_do(&b, words, word_count, as_json, save);
    free(words);
    return code;
}

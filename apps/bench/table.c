/* The table of results: printed, as JSON, and kept in files. */
#include <math.h>
#include <string.h>

#include "command.h"
#include "json.h"
#include "machine.h"
#include "parts.h"
#include "paths.h"
#include "rill/store.h"
#include "say.h"

static const char *verdict(const bench_row *row, double value)
{
    if (!(row->bar > 0) || !isfinite(value)) return "";
    bool bar = row->more_is_better ? value >= row->bar : value <= row->bar;
    bool goal = row->goal > 0 && (row->more_is_better ? value >= row->goal : value <= row->goal);
    return goal ? "goal met" : bar ? "bar met" : "missed";
}

typedef struct cell {
    char text[48];
} cell;

/* Nothing where there is no number. */
static cell number(double value, bool there)
{
    cell c = {""};
    if (there && isfinite(value))
        snprintf(c.text, sizeof c.text, "%.*f", value >= 100 ? 0 : value >= 10 ? 1 : 2, value);
    else if (there) snprintf(c.text, sizeof c.text, "-");
    return c;
}

static cell share(double value, const char *of)
{
    cell c = {""};
    if (value > 0) snprintf(c.text, sizeof c.text, "%.0f %%%s%s", 100 * value, of ? " " : "", of ? of : "");
    return c;
}

static cell threshold(double value)
{
    cell c = {""};
    if (value > 0) snprintf(c.text, sizeof c.text, "%g", value);
    return c;
}

/* The three tables. */
typedef enum kind { PLAIN, PASSES, PAPERS, KINDS } kind;

static kind kind_of(const bench_row *row)
{
    return bench_row_is_pass(row) ? PASSES : row->paper ? PAPERS : PLAIN;
}

static int name_width(const bench_table *t, kind which)
{
    int width = 3;
    for (size_t i = 0; i < t->count; i++) {
        const int length = (int)strlen(t->rows[i]->name);
        if (kind_of(t->rows[i]) == which && length > width) width = length;
    }
    return width;
}

static void rows_print(const bench_table *t, int width, FILE *out)
{
    fprintf(out, "| %-*s | %-42s | %8s | %-11s | %5s | %5s | %8s | %-15s |\n", width, "row", "what", "measured", "unit",
            "bar", "goal", "", "of limit");
    fprintf(out, "| --- | --- | ---: | --- | ---: | ---: | --- | --- |\n");
    for (size_t i = 0; i < t->count; i++) {
        const bench_row *row = t->rows[i];
        const bench_result *r = &t->results[i];
        if (kind_of(row) != PLAIN) continue;
        fprintf(out, "| %-*s | %-42s | %8s | %-11s | %5s | %5s | %8s | %-15s |\n", width, row->name, row->what,
                number(r->value, true).text, row->unit, threshold(row->bar).text, threshold(row->goal).text,
                verdict(row, r->value), share(r->limit_share, r->limit).text);
    }
}

static void passes_print(const bench_table *t, int width, FILE *out)
{
    fprintf(out, "Where the time of a DFSPH step goes, 100 k particles, all threads, ns per particle and call:\n\n");
    fprintf(out, "| %-*s | %-44s | %8s | %6s | %7s | %-15s |\n", width, "row", "what", "measured", "calls", "of step",
            "of limit");
    fprintf(out, "| --- | --- | ---: | ---: | ---: | --- |\n");
    for (size_t i = 0; i < t->count; i++) {
        const bench_row *row = t->rows[i];
        const bench_result *r = &t->results[i];
        if (!bench_row_is_pass(row)) continue;
        cell part = {""};
        if (r->calls > 0) snprintf(part.text, sizeof part.text, "%.1f %%", 100 * r->step_share);
        fprintf(out, "| %-*s | %-44s | %8s | %6s | %7s | %-15s |\n", width, row->name, row->what,
                number(r->value, true).text, number(r->calls, r->calls > 0).text, part.text,
                share(r->limit_share, r->limit).text);
    }
}

static void papers_print(const bench_table *t, int width, FILE *out)
{
    fprintf(out, "The tables of the papers rill grew from, on this machine (docs/results.md tells which):\n\n");
    fprintf(out, "| %-*s | %-42s | %8s | %-4s | %5s | %5s | %8s | %8s | %-10s |\n", width, "row", "what", "measured",
            "unit", "bar", "goal", "", "theirs", "paper");
    fprintf(out, "| --- | --- | ---: | --- | ---: | ---: | --- | ---: | --- |\n");
    for (size_t i = 0; i < t->count; i++) {
        const bench_row *row = t->rows[i];
        const bench_result *r = &t->results[i];
        if (kind_of(row) != PAPERS) continue;
        fprintf(out, "| %-*s | %-42s | %8s | %-4s | %5s | %5s | %8s | %8s | %-10s |\n", width, row->name, row->what,
                number(r->value, true).text, row->unit, threshold(row->bar).text, threshold(row->goal).text,
                verdict(row, r->value), threshold(row->theirs).text, row->paper);
    }
}

void bench_table_print(const bench_table *t, FILE *out)
{
    static void (*const print[KINDS])(const bench_table *t, int width, FILE *out) = {
        [PLAIN] = rows_print, [PASSES] = passes_print, [PAPERS] = papers_print};
    size_t counts[KINDS] = {0};
    bool filled = false;
    for (size_t i = 0; i < t->count; i++) counts[kind_of(t->rows[i])]++;
    fprintf(out, "%s, %s of %s, %s, best of %s\n", t->cpu, say_many(t->threads, "thread").text,
            say_many(machine_cores(), "core").text, t->date, say_many(t->rounds, "round").text);
    fprintf(out, "rill %s, compiled with %s\n\n", RILL_VERSION, MACHINE_COMPILER);
    for (int k = 0; k < KINDS; k++) {
        if (counts[k] && filled) fputc('\n', out);
        if (counts[k]) print[k](t, name_width(t, (kind)k), out);
        filled = filled || counts[k];
    }
}

/* null where there is none */
static void put_positive(json *j, const char *key, double value)
{
    json_number(j, key, value > 0 ? value : (double)INFINITY);
}

static void rows_put(json *j, const bench_table *t)
{
    for (size_t i = 0; i < t->count; i++) {
        const bench_row *row = t->rows[i];
        const bench_result *r = t->results ? &t->results[i] : NULL;
        json_open(j, NULL, '{');
        json_text(j, "row", row->name);
        json_text(j, "what", row->what);
        if (r) json_number(j, "value", r->value);
        json_text(j, "unit", row->unit);
        put_positive(j, "bar", row->bar);
        put_positive(j, "goal", row->goal);
        if (r) put_positive(j, "limit_share", r->limit_share);
        if (r && r->limit) json_text(j, "limit", r->limit);
        if (row->paper) {
            json_text(j, "paper", row->paper);
            put_positive(j, "theirs", row->theirs);
        }
        if (r && r->calls > 0) {
            json_number(j, "calls", r->calls);
            json_number(j, "step_share", r->step_share);
        }
        json_close(j, '}');
    }
}

void bench_table_put_json(const bench_table *t, FILE *out)
{
    json j = json_start(out);
    json_open(&j, NULL, '[');
    rows_put(&j, t);
    json_close(&j, ']');
}

static void json_save(const bench_table *t, FILE *out)
{
    json j = json_start(out);
    json_open(&j, NULL, '{');
    json_text(&j, "cpu", t->cpu);
    json_count(&j, "cores", machine_cores());
    json_count(&j, "threads", t->threads);
    json_count(&j, "rounds", t->rounds);
    json_text(&j, "compiler", MACHINE_COMPILER);
    json_text(&j, "version", RILL_VERSION);
    json_text(&j, "date", t->date);
    json_open(&j, "rows", '[');
    rows_put(&j, t);
    json_close(&j, ']');
    json_close(&j, '}');
}

static void text_save(const bench_table *t, FILE *out)
{
    fprintf(out, "# rill bench\n\n");
    bench_table_print(t, out);
}

static int file_save(const bench_table *t, const char *path, void (*put)(const bench_table *t, FILE *out))
{
    rill_error err = {0};
    rill_store store;
    if (rill_store_open(&store, path, &err)) return say_failure(&err);
    put(t, store.file);
    return rill_store_commit(&store, &err) ? say_failure(&err) : EXIT_FINE;
}

/* The readable table lies beside the JSON, with the ending .md. */
int bench_table_save(const bench_table *t, const char *path)
{
    path_text text;
    size_t length = strlen(path);
    if (length > 5 && !strcmp(path + length - 5, ".json")) length -= 5;
    snprintf(text.text, sizeof text.text, "%.*s.md", (int)length, path);
    int code = file_save(t, path, json_save);
    return code ? code : file_save(t, text.text, text_save);
}

/* The results of each case in a small file, and the page that is made of all of
 * them. */
#define _DEFAULT_SOURCE /* strsep */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "machine.h"
#include "parts.h"
#include "rill/store.h"
#include "say.h"

static path_text table_path(const validation *v, const validate_case *c)
{
    char name[96];
    snprintf(name, sizeof name, "%s.csv", c->name);
    return path_join(v->folder, name);
}

/* Commas part the columns, so sentences get along without. */
static void plain_put(FILE *out, const char *text)
{
    for (; *text; text++) fputc(*text == ',' ? ';' : *text, out);
}

static const char columns[] = "solver,what,value,unit,bar,particles,trouble,machine\n";

static void row_put(const validate_result *r, FILE *out)
{
    fprintf(out, "%s,", r->solver);
    plain_put(out, r->what);
    fprintf(out, ",%.4g,%s,%g,%" PRIu64 ",", r->value, r->unit, r->bar, r->particles);
    plain_put(out, r->reason);
    fputc(',', out);
    plain_put(out, r->machine);
    fputc('\n', out);
}

int validate_keep(validation *v)
{
    rill_error err = {0};
    rill_store store;
    char machine[160];
    if (rill_store_open(&store, table_path(v, v->now).text, &err)) return say_failure(&err);
    machine_line(v->threads, machine, sizeof machine);
    fputs(columns, store.file);
    for (size_t i = 0; i < v->count; i++) {
        snprintf(v->results[i].machine, sizeof v->results[i].machine, "%s", machine);
        row_put(&v->results[i], store.file);
    }
    return rill_store_commit(&store, &err) ? say_failure(&err) : EXIT_FINE;
}

static bool row_read(char *line, validate_result *r)
{
    char *cells[8];
    line[strcspn(line, "\r\n")] = 0;
    for (int i = 0; i < 8; i++) {
        cells[i] = strsep(&line, ",");
        if (!cells[i]) return false;
    }
    *r = (validate_result){.value = strtod(cells[2], NULL), .bar = strtod(cells[4], NULL),
                           .particles = strtoull(cells[5], NULL, 10)};
    snprintf(r->solver, sizeof r->solver, "%s", cells[0]);
    snprintf(r->what, sizeof r->what, "%s", cells[1]);
    snprintf(r->unit, sizeof r->unit, "%s", cells[3]);
    snprintf(r->reason, sizeof r->reason, "%s", cells[6]);
    snprintf(r->machine, sizeof r->machine, "%s", cells[7]);
    return true;
}

/* The results kept of a case; 0: none. */
static size_t results_read(const validation *v, const validate_case *c, validate_result *results)
{
    FILE *file = fopen(table_path(v, c).text, "r");
    char *line = NULL;
    size_t room = 0, count = 0;
    bool head = file && getline(&line, &room, file) > 0;
    while (head && count < VALIDATE_RESULTS_MAX && getline(&line, &room, file) > 0)
        count += row_read(line, &results[count]);
    free(line);
    if (file) fclose(file);
    return count;
}

/* The pictures' folder as the page sees it. */
static const char *folder_seen(const validation *v)
{
    const char *slash = strrchr(v->page, '/');
    const size_t above = slash ? (size_t)(slash - v->page) + 1 : 0;
    return !strncmp(v->folder, v->page, above) ? v->folder + above : v->folder;
}

static void rows_put(const validation *v, const validate_case *c, FILE *out)
{
    validate_result results[VALIDATE_RESULTS_MAX];
    const size_t count = results_read(v, c, results);
    for (size_t i = 0; i < count; i++) {
        const validate_result *r = &results[i];
        char bar[48] = "–";
        if (r->bar > 0) snprintf(bar, sizeof bar, "%g %s", r->bar, r->unit);
        fprintf(out, "| [%s](#%s) | %s | %s | ", c->title, c->name, r->solver, r->what);
        if (*r->reason) fprintf(out, "%s | %s | missed |", r->reason, bar);
        else fprintf(out, "%.3g %s | %s | %s |", r->value, r->unit, bar,
                     !(r->bar > 0) ? "" : validate_passes(r) ? "met" : "missed");
        fprintf(out, " %s |", r->particles ? say_count(r->particles).text : "");
        for (int p = 0; c->pictures[p]; p++)
            fprintf(out, "%s [%s](%s/%s.png)", p ? "," : "", c->pictures[p], folder_seen(v), c->pictures[p]);
        fputs(" |\n", out);
    }
    if (!count) fprintf(out, "| [%s](#%s) | | not run yet | | | | | |\n", c->title, c->name);
}

static void case_put(const validation *v, const validate_case *c, FILE *out)
{
    validate_result results[VALIDATE_RESULTS_MAX];
    fprintf(out, "\n<a id=\"%s\"></a>\n## %s\n\n%s\n", c->name, c->title, c->about);
    if (results_read(v, c, results)) fprintf(out, "\nComputed by: %s.\n", results[0].machine);
    for (int p = 0; c->pictures[p]; p++) {
        char name[96];
        snprintf(name, sizeof name, "%s.png", c->pictures[p]);
        if (path_exists(path_join(v->folder, name).text))
            fprintf(out, "\n![%s](%s/%s)\n", c->title, folder_seen(v), name);
    }
}

int validate_page_write(const validation *v)
{
    rill_error err = {0};
    rill_store store;
    if (rill_store_open(&store, v->page, &err)) return say_failure(&err);
    fputs("# Validation\n\nWhat rill computes against theory and experiment. `make validate` runs every case, "
          "draws the pictures and writes this page; `rill validate CASE` does so for one. The numbers come from the "
          "tables beside the pictures, one for each case.\n\n"
          "| case | solver | error | is | bar | | particles | picture |\n"
          "| --- | --- | --- | ---: | ---: | --- | ---: | --- |\n", store.file);
    for (size_t c = 0; c < validate_case_count; c++) rows_put(v, validate_cases[c], store.file);
    for (size_t c = 0; c < validate_case_count; c++) case_put(v, validate_cases[c], store.file);
    return rill_store_commit(&store, &err) ? say_failure(&err) : EXIT_FINE;
}

int validate_save(const validation *v, const char *path)
{
    rill_error err = {0};
    rill_store store;
    if (rill_store_open(&store, path, &err)) return say_failure(&err);
    fprintf(store.file, "case,%s", columns);
    for (size_t c = 0; c < validate_case_count; c++) {
        validate_result results[VALIDATE_RESULTS_MAX];
        const size_t count = results_read(v, validate_cases[c], results);
        for (size_t i = 0; i < count; i++) {
            fprintf(store.file, "%s,", validate_cases[c]->name);
            row_put(&results[i], store.file);
        }
    }
    return rill_store_commit(&store, &err) ? say_failure(&err) : EXIT_FINE;
}

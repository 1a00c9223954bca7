/* Measures the rows that are asked for, and prints the table. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "machine.h"
#include "parts.h"
#include "paths.h"
#include "rill/text.h"
#include "say.h"

static const bench_row *row_find(const char *name)
{
    for (size_t i = 0; i < bench_row_count; i++) {
        if (!strcmp(bench_rows[i].name, name)) return &bench_rows[i];
    }
    const char *nearest = rill_spelling_nearest(name, bench_word_at, NULL);
    if (nearest) say_error(EXIT_USER, "There is no row '%s'; did you mean %s?", name, nearest);
    else say_error(EXIT_USER, "There is no row '%s'; 'rill bench --list' names them.", name);
    return NULL;
}

/* Appends the rows a word names, all of them for NULL; false after saying that it names none. */
static bool rows_add(bench_table *t, const char *word)
{
    const bool passes = word && !strcmp(word, bench_all_passes), papers = word && !strcmp(word, bench_all_papers);
    const bool group = !word || passes || papers;
    if (!group) t->rows[t->count] = row_find(word);
    if (!group) return t->rows[t->count++];
    for (size_t i = 0; i < bench_row_count; i++) {
        const bench_row *row = &bench_rows[i];
        if (!word || (passes && bench_row_is_pass(row)) || (papers && row->paper)) t->rows[t->count++] = row;
    }
    return true;
}

static void rows_print(const bench_table *t)
{
    for (size_t i = 0; i < t->count; i++) {
        const bench_row *row = t->rows[i];
        printf("%-35s %-44s %s", row->name, row->what, row->unit);
        if (row->bar > 0) printf(", bar %g", row->bar);
        if (row->goal > 0) printf(", goal %g", row->goal);
        putchar('\n');
    }
}

static int rows_list(const bench_table *t, const bench_request *q)
{
    if (q->word_count || q->save)
        return say_error(EXIT_USER, "--list measures nothing; leave the rows and --save out.");
    if (q->as_json) bench_table_put_json(t, stdout);
    else rows_print(t);
    return EXIT_FINE;
}

static void table_name(bench_table *t, unsigned threads)
{
    machine_cpu_name(t->cpu, sizeof t->cpu);
    machine_date(t->date, sizeof t->date);
    t->threads = threads;
}

/* Memory is the same in every round. */
static bool row_is_timed(const bench_row *row)
{
    static const char *const sizes[] = {"B/particle", "MB", "GB"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (!strcmp(row->unit, sizes[i])) return false;
    return true;
}

/* Whether a later round's value takes the place of an earlier one: the better of two times, the later of two ratios,
 * which comes from the best times of all rounds. */
static bool row_takes(const bench_row *row, double before, double after)
{
    if (!isfinite(before) || !isfinite(after)) return isfinite(after);
    if (*row->unit == 'x' || *row->unit == '%') return true;
    return row->more_is_better ? after >= before : after <= before;
}

static int rows_measure(bench *b, bench_table *t, const bench_request *q)
{
    t->results = calloc(t->count, sizeof *t->results);
    if (!t->results) return say_error(EXIT_MACHINE, "There is no memory left to measure.");
    t->load = machine_load();
    /* A row that fails has said why; the others are worth having all the same. */
    int worst = EXIT_FINE;
    for (b->round = 1; b->round <= q->rounds; b->round++) {
        if (!b->quiet && q->rounds > 1) fprintf(stderr, "Round %u of %" PRIu64 ":\n", b->round, q->rounds);
        for (size_t i = 0; i < t->count; i++) {
            if (b->round > 1 && !row_is_timed(t->rows[i])) continue;
            bench_result result = {0};
            int code = bench_row_measure(b, t->rows[i], &result);
            if (code) result = (bench_result){.value = NAN};
            if (code) worst = code;
            if (b->round == 1 || row_takes(t->rows[i], t->results[i].value, result.value)) t->results[i] = result;
        }
    }
    t->rounds = (unsigned)q->rounds;
    table_name(t, b->threads);
    if (q->as_json) bench_table_put_json(t, stdout);
    else bench_table_print(t, stdout);
    int code = q->save ? bench_table_save(t, q->save) : EXIT_FINE;
    if (!code && q->page) code = bench_page_save(t, q->page, q->save);
    return worst ? worst : code;
}

int bench_run(const bench_request *q)
{
    bench b = {.threads = (unsigned)q->threads, .quiet = q->quiet};
    bench_table t = {.rows = calloc((q->word_count + 1) * bench_row_count, sizeof *t.rows)};
    if (!t.rows) return say_error(EXIT_MACHINE, "There is no memory left to measure.");
    int code = EXIT_FINE;
    for (size_t i = 0; i < q->word_count && !code && !q->list; i++)
        code = rows_add(&t, q->words[i]) ? EXIT_FINE : EXIT_USER;
    if (!q->word_count || q->list) rows_add(&t, NULL);
    path_text folder;
    if (!code && q->save && !path_may_write(q->save, &folder))
        code = say_error(EXIT_MACHINE, "The results cannot go into the folder %s: %s.", folder.text, strerror(errno));
    if (!code && q->list) code = rows_list(&t, q);
    else if (!code) code = rows_measure(&b, &t, q);
    free(t.rows);
    free(t.results);
    return code;
}

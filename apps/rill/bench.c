/* rill bench: measures the machine, then rill on it, and prints the table. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench_parts.h"
#include "command.h"
#include "machine.h"
#include "options.h"
#include "paths.h"
#include "say.h"

/* Words that stand for all rows about passes, and for all that repeat a paper's. */
static const char all_passes[] = "passes", all_papers[] = "papers";

static const char *row_name_at(const void *context, int i)
{
    (void)context;
    const size_t past = (size_t)i - bench_row_count;
    return (size_t)i < bench_row_count ? bench_rows[i].name : past == 0 ? all_passes : past == 1 ? all_papers : NULL;
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

/* Appends the rows a word names, all of them for NULL; false after saying that it names none. */
static bool rows_add(bench_table *t, const char *word)
{
    const bool passes = word && !strcmp(word, all_passes), papers = word && !strcmp(word, all_papers);
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

static int rows_list(bench_table *t, bool as_json, size_t asked, const char *save)
{
    if (asked || save) return say_error(EXIT_USER, "--list measures nothing; leave the rows and --save out.");
    if (as_json) bench_table_put_json(t, stdout);
    else rows_print(t);
    return EXIT_FINE;
}

static void table_name(bench_table *t, unsigned threads)
{
    machine_cpu_name(t->cpu, sizeof t->cpu);
    machine_date(t->date, sizeof t->date);
    t->threads = threads;
}

typedef struct request {
    bool list, as_json;
    uint64_t rounds;
    const char *save, *page;
} request;

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

static int rows_measure(bench *b, bench_table *t, const request *q)
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
            int code = t->rows[i]->measure(b, t->rows[i], &result);
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

static int bench_do(bench *b, const request *r, const char **words, size_t word_count)
{
    bench_table t = {.rows = calloc((word_count + 1) * bench_row_count, sizeof *t.rows)};
    if (!t.rows) return say_error(EXIT_MACHINE, "There is no memory left to measure.");
    int code = EXIT_FINE;
    for (size_t i = 0; i < word_count && !code && !r->list; i++) code = rows_add(&t, words[i]) ? EXIT_FINE : EXIT_USER;
    if (!word_count || r->list) rows_add(&t, NULL);
    path_text folder;
    if (!code && r->save && !path_may_write(r->save, &folder))
        code = say_error(EXIT_MACHINE, "The results cannot go into the folder %s: %s.", folder.text, strerror(errno));
    if (!code && r->list) code = rows_list(&t, r->as_json, word_count, r->save);
    else if (!code) code = rows_measure(b, &t, r);
    free(t.rows);
    free(t.results);
    return code;
}

int command_bench(int count, char **arguments)
{
    int code;
    if (bench_child_run(count, arguments, &code)) return code;
    request r = {.rounds = 1};
    uint64_t threads = machine_cores();
    bench b = {0};
    const option options[] = {
        {"list", OPTION_FLAG, NULL, "name the rows and measure nothing", &r.list, NULL},
        {"threads", OPTION_COUNT, "N", "what all threads means; all cores when not given", &threads, NULL},
        {"rounds", OPTION_COUNT, "N", "time solvers so often and keep the best; 1", &r.rounds, NULL},
        {"json", OPTION_FLAG, NULL, "print an array of rows as JSON", &r.as_json, NULL},
        {"save", OPTION_TEXT, "FILE", "keep the results as JSON, and beside it as .md", &r.save, NULL},
        {"page", OPTION_TEXT, "FILE", "write a page: the tables of papers, rill beside them", &r.page, NULL},
        {"quiet", OPTION_FLAG, NULL, "say nothing but results and errors", &b.quiet, NULL}};
    const option_table table = {"bench", "[ROW ...] [options]",
                                "Measures the machine, then rill on it; each row is the best of several repeats.",
                                "  rill bench\n  rill bench step_1m memory --json\n"
                                "  rill bench passes      where the time of a DFSPH step goes\n"
                                "  rill bench papers      the tables of the papers rill grew from",
                                options, sizeof options / sizeof *options, bench_row_count};
    size_t word_count;
    const char **words = calloc(bench_row_count, sizeof *words);
    if (!words) return say_error(EXIT_MACHINE, "There is no memory left to measure.");
    options_result read = options_read(&table, count, arguments, words, &word_count);
    code = options_code(read);
    if (read == OPTIONS_GO && (threads < 1 || threads > 1024))
        code = say_error(EXIT_USER, "--threads must lie between 1 and 1024, and %" PRIu64 " does not.", threads);
    else if (read == OPTIONS_GO && (r.rounds < 1 || r.rounds > 100))
        code = say_error(EXIT_USER, "--rounds must lie between 1 and 100, and %" PRIu64 " does not.", r.rounds);
    b.threads = (unsigned)threads;
    if (read == OPTIONS_GO && !code) code = bench_do(&b, &r, words, word_count);
    free(words);
    return code;
}

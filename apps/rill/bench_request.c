/* The options of rill bench. */
#include "bench_request.h"

#include <inttypes.h>
#include <stdlib.h>

#include "bench_rows.h"
#include "command.h"
#include "machine.h"
#include "options.h"
#include "say.h"

static int request_check(const bench_request *r)
{
    if (r->threads < 1 || r->threads > 1024)
        return say_error(EXIT_USER, "--threads must lie between 1 and 1024, and %" PRIu64 " does not.", r->threads);
    if (r->rounds < 1 || r->rounds > 100)
        return say_error(EXIT_USER, "--rounds must lie between 1 and 100, and %" PRIu64 " does not.", r->rounds);
    return EXIT_FINE;
}

bool bench_request_read(int count, char **arguments, bench_request *r, int *code)
{
    *r = (bench_request){.threads = machine_cores(), .rounds = 1};
    const option options[] = {
        {"list", OPTION_FLAG, NULL, "name the rows and measure nothing", &r->list, NULL},
        {"threads", OPTION_COUNT, "N", "what all threads means; all cores when not given", &r->threads, NULL},
        {"rounds", OPTION_COUNT, "N", "time solvers so often and keep the best; 1", &r->rounds, NULL},
        {"json", OPTION_FLAG, NULL, "print an array of rows as JSON", &r->as_json, NULL},
        {"save", OPTION_TEXT, "FILE", "keep the results as JSON, and beside it as .md", &r->save, NULL},
        {"page", OPTION_TEXT, "FILE", "write a page: the tables of papers, rill beside them", &r->page, NULL},
        {"quiet", OPTION_FLAG, NULL, "say nothing but results and errors", &r->quiet, NULL}};
    const option_choice choices[] = {{"ROW", bench_word_at, NULL, false}, {0}};
    const option_table table = {"bench", "[ROW ...] [options]",
                                "Measures the machine, then rill on it; each row is the best of several repeats.",
                                "  rill bench\n  rill bench step_1m memory --json\n"
                                "  rill bench passes      where the time of a DFSPH step goes\n"
                                "  rill bench papers      the tables of the papers rill grew from",
                                options, sizeof options / sizeof *options, bench_row_count, choices};
    r->words = calloc(bench_row_count, sizeof *r->words);
    if (!r->words) return *code = say_error(EXIT_MACHINE, "There is no memory left to measure."), false;
    const options_result read = options_read(&table, count, arguments, r->words, &r->word_count);
    *code = read == OPTIONS_GO ? request_check(r) : options_code(read);
    if (read == OPTIONS_GO && !*code) return true;
    bench_request_free(r);
    return false;
}

void bench_request_free(bench_request *r)
{
    free(r->words);
    *r = (bench_request){0};
}

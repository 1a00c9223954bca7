/* rill validate: cases with a known answer, computed large and laid beside it. */
#include "validate/validate.h"

#include <stdlib.h>

#include "command.h"
#include "options.h"
#include "say.h"

int command_validate(int count, char **arguments)
{
    validate_request r = {.words = calloc((size_t)count + 1, sizeof *r.words)};
    const option options[] = {
        {"out", OPTION_TEXT, "DIR", "where the page goes; docs when not given, or small", &r.out, NULL},
        {"save", OPTION_TEXT, "FILE", "all results as one CSV, with the machine named", &r.save, NULL},
        {"threads", OPTION_COUNT, "N", "threads to use; all cores when not given", &r.threads, NULL},
        {"small", OPTION_FLAG, NULL, "coarse and short, to try the machinery, into small", &r.small, NULL},
        {"list", OPTION_FLAG, NULL, "name the cases", &r.list, NULL},
        {"quiet", OPTION_FLAG, NULL, "say nothing but errors", &r.quiet, NULL}};
    const option_choice choices[] = {{"CASE", validate_case_at, NULL, false}, {0}};
    const option_table table = {"validate", "[CASE ...] [options]",
                                "Computes cases with a known answer, draws both, writes a page about errors.\n"
                                "All cases take about half an hour. Needs gnuplot.",
                                "  rill validate --list\n"
                                "  rill validate taylor_green cavity",
                                options, sizeof options / sizeof *options, (size_t)count + 1, choices};
    if (!r.words) return say_error(EXIT_MACHINE, "There is no memory left to validate anything.");
    const options_result read = options_read(&table, count, arguments, r.words, &r.word_count);
    const int code = read == OPTIONS_GO ? validate_run(&r) : options_code(read);
    free(r.words);
    return code;
}

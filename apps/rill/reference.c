/* rill reference: the parts of docs that are made from tables in the program. */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "options.h"
#include "rill/frames.h"
#include "rill/scene_text.h"
#include "say.h"

static const struct {
    const char *name;
    rill_status (*write)(FILE *out, rill_error *err);
} references[] = {{"scene", rill_scene_reference}, {"report", rill_report_reference}};

int command_reference(int count, char **arguments)
{
    const option_table table = {"reference", "[scene|report]",
                                "Prints the reference of scene files: every key, unit and default.\n"
                                "With 'report', that of report.csv: every column and its unit.",
                                NULL, NULL, 0, 1};
    size_t word_count;
    const char *words[1];
    options_result read = options_read(&table, count, arguments, words, &word_count);
    if (read != OPTIONS_GO) return options_code(read);
    rill_error err = {0};
    const char *name = word_count ? words[0] : references[0].name;
    for (size_t i = 0; i < sizeof references / sizeof *references; i++)
        if (!strcmp(references[i].name, name)) return references[i].write(stdout, &err) ? say_failure(&err) : EXIT_FINE;
    return say_error(EXIT_USER, "There is no reference of '%s'; there are scene and report.", name);
}

/* rill reference: the reference of scene files, from which docs/scene.md is made. */
#include <stdio.h>

#include "command.h"
#include "options.h"
#include "say.h"

int command_reference(int count, char **arguments)
{
    const option_table table = {"reference", "", "Prints the reference of scene files: every key, unit and default.",
                                NULL, NULL, 0, 0};
    size_t word_count;
    const char *words[1];
    options_result read = options_read(&table, count, arguments, words, &word_count);
    if (read != OPTIONS_GO) return options_code(read);
    rill_error err = {0};
    return rill_scene_reference(stdout, &err) ? say_failure(&err) : EXIT_FINE;
}

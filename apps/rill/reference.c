/* rill reference: what is made from tables in the program: parts of docs, the man page, completion for shells. */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "options.h"
#include "reference_parts.h"
#include "rill/frames.h"
#include "rill/scene_text.h"
#include "say.h"

static const struct {
    const char *name;
    rill_status (*write)(FILE *out, rill_error *err); /* NULL: */
    int (*print)(const char *shell);                  /* shell: NULL where none was named */
} references[] = {{"scene", rill_scene_reference, NULL},
                  {"report", rill_report_reference, NULL},
                  {"man", NULL, reference_man},
                  {"completion", NULL, reference_completion}};
enum { REFERENCE_COUNT = sizeof references / sizeof *references };

static const char *name_at(const void *context, int i)
{
    (void)context;
    return i < REFERENCE_COUNT ? references[i].name : NULL;
}

void reference_commands(const char *form)
{
    char word[32];
    snprintf(word, sizeof word, "--help=%s", form);
    for (size_t i = 0; command_at(i); i++) command_at(i)->call(1, (char *[]){word});
}

int command_reference(int count, char **arguments)
{
    const option_choice choices[] = {{"WHAT", name_at, NULL, false}, {"SHELL", reference_shell_at, NULL, false}, {0}};
    const option_table table = {"reference", "[WHAT] [SHELL]",
                                "Prints what is made from tables in the program: the keys of scene files (scene),\n"
                                "the columns of report.csv (report), the man page (man), or completion for a\n"
                                "shell (completion): bash, zsh or fish.",
                                "  rill reference man | man -l -\n"
                                "  rill reference completion bash >~/.local/share/bash-completion/completions/rill",
                                NULL, 0, 2, choices};
    size_t word_count;
    const char *words[2];
    options_result read = options_read(&table, count, arguments, words, &word_count);
    if (read != OPTIONS_GO) return options_code(read);
    rill_error err = {0};
    int i = 0;
    while (word_count && i < REFERENCE_COUNT && strcmp(references[i].name, words[0])) i++;
    if (i == REFERENCE_COUNT)
        return say_error(EXIT_USER, "There is no reference of '%s'; there are scene, report, man and completion.",
                         words[0]);
    if (word_count > 1 && references[i].print != reference_completion)
        return say_error(EXIT_USER, "A shell follows 'completion' alone, and '%s' follows '%s'.", words[1], words[0]);
    if (references[i].print) return references[i].print(word_count > 1 ? words[1] : NULL);
    return references[i].write(stdout, &err) ? say_failure(&err) : EXIT_FINE;
}

/* A command in the man page. */
#define _GNU_SOURCE /* memmem */
#include <stdio.h>
#include <string.h>

#include "help.h"
#include "roff.h"

/* Words of a choice that the sentence about the option leaves out. */
static bool words_are_told(const help_value *value, const char *about)
{
    char word[64];
    const char *text;
    size_t length;
    for (int i = 0; (text = help_word_at(value, i, &length)); i++) {
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        if (!strstr(about, word) && !memmem(value->text, value->length, text, length)) return false;
    }
    return true;
}

static void option_print(const option_table *table, const option *o)
{
    printf(".TP\n\\fB");
    man_text("--");
    man_text(o->name);
    printf("\\fR");
    if (o->value) {
        printf(" \\fI");
        man_text(o->value);
        printf("\\fR");
    }
    putchar('\n');
    man_line(o->about, strlen(o->about));
    const help_value value = help_option_value(table, o);
    if (!o->value || words_are_told(&value, o->about)) return;
    size_t length;
    const bool several = help_word_at(&value, 1, &length);
    printf(".br\n%s ", value.choice->list ? "Some of" : several ? "One of" : "Or");
    help_words(&value, ", ");
    puts(".");
}

/* Lines that are set in are commands, all others sentences. */
static void examples_print(const char *lines)
{
    bool commands = false;
    puts(".PP");
    while (*lines) {
        const size_t length = strcspn(lines, "\n");
        const bool command = *lines == ' ';
        if (command != commands) puts(command ? ".nf" : ".fi\n.PP");
        commands = command;
        man_line(lines, length);
        lines += length + (lines[length] == '\n');
    }
    if (commands) puts(".fi");
}

void help_man(const option_table *table)
{
    printf(".SS rill %s\n.nf\n\\fBrill %s\\fR ", table->command, table->command);
    man_text(table->usage);
    puts("\n.fi\n.PP");
    for (const char *line = table->about; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        man_line(line, strcspn(line, "\n"));
    for (size_t i = 0; i < table->option_count; i++) option_print(table, &table->options[i]);
    if (table->examples) examples_print(table->examples);
}

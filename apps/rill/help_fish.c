/* A command in fish's completion: a line for each option and each kind of word. */
#include <stdio.h>

#include "help.h"

static void text_print(const char *text)
{
    putchar('\'');
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\') putchar('\\');
        putchar(*text == '\n' ? ' ' : *text);
    }
    putchar('\'');
}

/* What -a offers. Options that take files say so. */
static void value_print(const help_value *value)
{
    const unsigned kinds = help_kinds(value);
    size_t length;
    const bool words = help_word_at(value, 0, &length), list = value->choice && value->choice->list;
    if (kinds & HELP_FILES) printf(" -F");
    if (!words && !(kinds & (HELP_SCENES | HELP_FOLDERS))) return;
    printf(" -a '");
    if (words && list) printf("(__rill_list ");
    if (words) help_words(value, " ");
    if (words && list) putchar(')');
    if (kinds & HELP_SCENES) printf(" (__rill_scenes)");
    else if ((kinds & HELP_FOLDERS) && !(kinds & HELP_FILES))
        printf(" (__fish_complete_directories (commandline -ct))");
    putchar('\'');
}

static void option_print(const option_table *table, const option *o)
{
    printf("complete -c rill -n '__rill_in %s' -l %s", table->command, o->name);
    const help_value value = help_option_value(table, o);
    if (o->value) printf(help_kinds(&value) & HELP_FILES ? " -r" : " -x");
    if (o->value) value_print(&value);
    printf(" -d ");
    text_print(o->about);
    putchar('\n');
}

void help_fish(const option_table *table)
{
    help_value value;
    const size_t count = help_usage_count(table);
    for (size_t i = 0; help_usage_value(table, i, &value); i++) {
        printf("complete -c rill -n '__rill_in %s", table->command);
        if (count > 1) printf("; and __rill_at %zu", i + 2);
        putchar('\'');
        value_print(&value);
        putchar('\n');
    }
    for (size_t i = 0; i < table->option_count; i++) option_print(table, &table->options[i]);
    printf("complete -c rill -n '__rill_in %s' -l help -d 'explain this command'\n", table->command);
}

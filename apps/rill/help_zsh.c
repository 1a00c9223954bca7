/* A command in zsh's completion: what _arguments is told of its options and words. */
#include <stdio.h>
#include <string.h>

#include "help.h"

/* Text within single quotes, in which _arguments reads colons and brackets. */
static void text_print(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\'') fputs("'\\''", stdout);
        else if (strchr("[]:\\", text[i])) printf("\\%c", text[i]);
        else putchar(text[i] == '\n' ? ' ' : text[i]);
    }
}

/* :message:{what to call}. */
static void value_print(const help_value *value)
{
    const unsigned kinds = help_kinds(value);
    const bool list = value->choice && value->choice->list;
    size_t length;
    putchar(':');
    text_print(value->text, value->length);
    putchar(':');
    if (!kinds && !help_word_at(value, 0, &length)) {
        putchar(' ');
        return;
    }
    putchar('{');
    if (help_word_at(value, 0, &length)) {
        fputs(list ? "_values -s , word " : "compadd -- ", stdout);
        help_words(value, " ");
        putchar(';');
    }
    if (kinds & HELP_SCENES) fputs("_rill_scenes;", stdout);
    if (kinds & HELP_FILES) fputs("_files;", stdout);
    else if (kinds & HELP_FOLDERS) fputs("_files -/;", stdout);
    putchar('}');
}

static void option_print(const option_table *table, const option *o)
{
    printf("            '%s--%s%s[", o->kind == OPTION_LIST ? "*" : "", o->name, o->value ? "=" : "");
    text_print(o->about, strlen(o->about));
    putchar(']');
    const help_value value = help_option_value(table, o);
    if (o->value) value_print(&value);
    puts("' \\");
}

void help_zsh(const option_table *table)
{
    printf("        (%s)\n            _arguments \\\n", table->command);
    for (size_t i = 0; i < table->option_count; i++) option_print(table, &table->options[i]);
    const size_t count = help_usage_count(table);
    help_value value;
    for (size_t i = 0; help_usage_value(table, i, &value); i++) {
        /* The last word may come again and again, where the command takes more. */
        if (i + 1 == count && table->words_max > count) printf("            '*");
        else printf("            '%zu", i + 1);
        value_print(&value);
        puts("' \\");
    }
    puts("            '--help[explain this command]' ;;");
}

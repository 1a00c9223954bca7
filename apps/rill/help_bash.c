/* A command in bash's completion: a case of what precedes the word under the cursor. */
#include <stdio.h>

#include "help.h"

/* Calls of the functions that offer what may stand there. */
static void value_print(const help_value *value)
{
    const unsigned kinds = help_kinds(value);
    size_t length;
    const char *before = " ";
    if (help_word_at(value, 0, &length)) {
        printf(" %s '", value->choice && value->choice->list ? "_rill_list" : "_rill_words");
        help_words(value, " ");
        putchar('\'');
        before = "; ";
    }
    if (kinds & HELP_SCENES) {
        printf("%s_rill_scenes", before);
        before = "; ";
    }
    if (kinds & HELP_FILES) printf("%s_rill_files", before);
    else if (kinds & HELP_FOLDERS) printf("%s_rill_folders", before);
}

static void words_print(const option_table *table)
{
    help_value value;
    const size_t count = help_usage_count(table);
    if (count == 1 && help_usage_value(table, 0, &value)) {
        printf("            *)");
        value_print(&value);
        puts(" ;;");
    }
    /* Commands with several kinds of words have no options, so a word's place is its number. */
    for (size_t i = 0; count > 1 && help_usage_value(table, i, &value); i++) {
        printf("            *,%zu)", i + 2);
        value_print(&value);
        puts(" ;;");
    }
}

void help_bash(const option_table *table)
{
    printf("    %s)\n        case $before in\n", table->command);
    for (size_t i = 0; i < table->option_count; i++) {
        const option *o = &table->options[i];
        if (!o->value) continue;
        const help_value value = help_option_value(table, o);
        printf("        --%s)", o->name);
        value_print(&value);
        puts(" ;;");
    }
    printf("        *)\n            case $word,$COMP_CWORD in\n            -*) _rill_words '");
    for (size_t i = 0; i < table->option_count; i++) printf("--%s ", table->options[i].name);
    puts("--help' ;;");
    words_print(table);
    puts("            esac ;;\n        esac ;;");
}

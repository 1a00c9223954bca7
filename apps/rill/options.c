/* Reading options: --name value, --name=value, and words. */
#include "options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "help.h"
#include "rill/text.h"
#include "say.h"

static const char *option_name_at(const void *context, int i)
{
    const option_table *table = context;
    return (size_t)i < table->option_count ? table->options[i].name : (size_t)i == table->option_count ? "help" : NULL;
}

void options_help(const option_table *table)
{
    printf("Usage: rill %s %s\n%s\n", table->command, table->usage, table->about);
    if (table->option_count) putchar('\n');
    for (size_t i = 0; i < table->option_count; i++) {
        const option *o = &table->options[i];
        char left[48];
        snprintf(left, sizeof left, "--%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
        printf("  %-24s %s\n", left, o->about);
    }
    if (table->examples) printf("\nExamples:\n%s\n", table->examples);
}

const char *option_word_at(const void *words, int i)
{
    return ((const char *const *)words)[i];
}

int option_word(const char *name, const char *word, const char *(*next)(const void *context, int i),
                const void *context)
{
    char all[100] = "";
    for (int i = 0; next(context, i); i++) {
        if (rill_spelling_same(next(context, i), word)) return i;
        const char *between = !i ? "" : next(context, i + 1) ? ", " : " and ";
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", between, next(context, i));
    }
    /* Any two words of three letters are close to each other. */
    const char *nearest = strlen(word) > 3 ? rill_spelling_nearest(word, next, context) : NULL;
    if (nearest) say_error(EXIT_USER, "--%s knows no '%s'; did you mean %s?", name, word, nearest);
    else say_error(EXIT_USER, "--%s knows no '%s'; there are %s.", name, word, all);
    return -1;
}

bool option_list_add(option_list *list, const char *item)
{
    const char **items = realloc(list->items, (list->count + 1) * sizeof *items);
    if (!items) return false;
    list->items = items;
    list->items[list->count++] = item;
    return true;
}

void option_list_free(option_list *list)
{
    free(list->items);
    *list = (option_list){0};
}

/* A whole number, also written as 1e6 or 2.5e5. */
static bool count_read(const char *text, uint64_t *count, bool *large)
{
    char *end;
    errno = 0;
    /* strtoull would take " -1" for a huge number, and strtod would take 0x10. */
    if (text[0] < '0' || text[0] > '9' || strspn(text, "0123456789.eE+") != strlen(text)) return false;
    *count = strtoull(text, &end, 10);
    *large = errno == ERANGE;
    if (!*end) return !*large;
    double number = strtod(text, &end);
    if (*end || number != floor(number)) return false;
    *large = !(number < 0x1p64);
    if (!*large) *count = (uint64_t)number;
    return !*large;
}

static bool number_read(const char *text, double *number)
{
    char *end;
    *number = strtod(text, &end);
    return end != text && !*end && isfinite(*number);
}

bool option_range(const char *name, const char *text, double *low, double *high)
{
    char *end;
    *low = strtod(text, &end);
    const bool half = end != text && *end == ':';
    const char *second = half ? end + 1 : end;
    *high = strtod(second, &end);
    if (half && end != second && !*end && *low < *high && isfinite(*high - *low)) return true;
    say_error(EXIT_USER, "--%s wants two rising numbers, as in 0:3, and '%s' is not that.", name, text);
    return false;
}

static options_result lack_say(const option_table *table, const option *o)
{
    say_error(EXIT_USER, "--%s of rill %s needs a value: --%s %s.", o->name, table->command, o->name, o->value);
    return OPTIONS_WRONG;
}

static options_result value_store(const option_table *table, const option *o, const char *text)
{
    bool large = false;
    switch (o->kind) {
    case OPTION_TEXT: *(const char **)o->target = text; return *text ? OPTIONS_GO : lack_say(table, o);
    case OPTION_LIST:
        if (option_list_add(o->target, text)) return OPTIONS_GO;
        say_error(EXIT_MACHINE, "There is no memory left to read the options.");
        return OPTIONS_FAILED;
    case OPTION_COUNT:
        if (count_read(text, o->target, &large)) return OPTIONS_GO;
        say_error(EXIT_USER,
                  large ? "--%s of rill %s is too large with '%s'."
                        : "--%s of rill %s wants a whole number, and '%s' is none.",
                  o->name, table->command, text);
        return OPTIONS_WRONG;
    default:
        if (number_read(text, o->target)) return OPTIONS_GO;
        say_error(EXIT_USER, "--%s of rill %s wants a number, and '%s' is none.", o->name, table->command, text);
        return OPTIONS_WRONG;
    }
}

static const option *option_find(const option_table *table, const char *name, size_t length)
{
    char word[64];
    if (length >= sizeof word) return NULL;
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    for (size_t i = 0; i < table->option_count; i++)
        if (rill_spelling_same(table->options[i].name, word)) return &table->options[i];
    return NULL;
}

static options_result unknown_say(const option_table *table, const char *argument, const char *name, size_t length)
{
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    const char *nearest = rill_spelling_nearest(word, option_name_at, table);
    if (nearest)
        say_error(EXIT_USER, "rill %s has no option %s; did you mean --%s?", table->command, argument, nearest);
    else
        say_error(EXIT_USER, "rill %s has no option %s; see 'rill %s --help'.", table->command, argument,
                  table->command);
    return OPTIONS_WRONG;
}

/* Reads the option at arguments[*i] and moves past its value. */
static options_result option_read(const option_table *table, int count, char **arguments, int *i)
{
    const char *argument = arguments[*i], *name = argument + 1 + (argument[1] == '-');
    const char *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const option *o = argument[1] == '-' ? option_find(table, name, length) : NULL;
    if (!o) return unknown_say(table, argument, name, length);
    if (o->given) *o->given = true;
    if (o->kind == OPTION_FLAG) {
        if (equals) say_error(EXIT_USER, "--%s of rill %s takes no value.", o->name, table->command);
        *(bool *)o->target = true;
        return equals ? OPTIONS_WRONG : OPTIONS_GO;
    }
    if (equals) return value_store(table, o, equals + 1);
    if (*i + 1 >= count) return lack_say(table, o);
    return value_store(table, o, arguments[++*i]);
}

/* How to print the help that a word asks for; NULL: it does not. */
static help_print *help_asked(const char *word)
{
    static const char form[] = "--help=";
    if (!strcmp(word, "--help") || !strcmp(word, "-h")) return options_help;
    return strncmp(word, form, sizeof form - 1) ? NULL : help_form(word + sizeof form - 1);
}

options_result options_read(const option_table *table, int count, char **arguments, const char **words,
                            size_t *word_count)
{
    *word_count = 0;
    for (int i = 0; i < count; i++) {
        help_print *print = help_asked(arguments[i]);
        if (!print) continue;
        print(table);
        return OPTIONS_HELPED;
    }
    for (int i = 0; i < count; i++) {
        if (arguments[i][0] == '-' && arguments[i][1]) {
            const options_result read = option_read(table, count, arguments, &i);
            if (read != OPTIONS_GO) return read;
        } else if (*word_count == table->words_max) {
            say_error(EXIT_USER, "rill %s does not know what to do with '%s'; usage: rill %s %s.", table->command,
                      arguments[i], table->command, table->usage);
            return OPTIONS_WRONG;
        } else {
            words[(*word_count)++] = arguments[i];
        }
    }
    return OPTIONS_GO;
}

int options_code(options_result result)
{
    return result == OPTIONS_WRONG ? EXIT_USER : result == OPTIONS_FAILED ? EXIT_MACHINE : EXIT_FINE;
}

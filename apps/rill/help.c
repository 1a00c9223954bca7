/* What tables of options say about values, for all forms of help. */
#include "help.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    help_print *print;
} forms[] = {{"man", help_man}, {"bash", help_bash}, {"zsh", help_zsh}, {"fish", help_fish}};

help_print *help_form(const char *name)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (!strcmp(forms[i].name, name)) return forms[i].print;
    return NULL;
}

/* ---- where a value stands ---- */

static const option_choice *choice_find(const option_table *table, const char *name, size_t length)
{
    for (const option_choice *c = table->choices; c && c->name; c++)
        if (strlen(c->name) == length && !strncmp(c->name, name, length)) return c;
    return NULL;
}

help_value help_option_value(const option_table *table, const option *o)
{
    const char *text = o->value ? o->value : "";
    return (help_value){text, strlen(text), choice_find(table, o->name, strlen(o->name))};
}

/* The next word of a usage without its brackets; false at what is no word, such as [options]. */
static bool usage_next(const char **usage, help_value *value)
{
    *usage += strspn(*usage, " [");
    *value = (help_value){*usage, strcspn(*usage, " ]"), NULL};
    *usage += value->length;
    *usage += strspn(*usage, "]");
    const bool options = value->length == 7 && !strncmp(value->text, "options", 7);
    return value->length && !options && *value->text != '-' && *value->text != '.';
}

bool help_usage_value(const option_table *table, size_t place, help_value *value)
{
    const char *usage = table->usage;
    bool found = usage_next(&usage, value);
    for (; found && place; place--) found = usage_next(&usage, value);
    if (found) value->choice = choice_find(table, value->text, value->length);
    return found;
}

size_t help_usage_count(const option_table *table)
{
    size_t count = 0;
    for (help_value value; help_usage_value(table, count, &value);) count++;
    return count;
}

/* ---- what may stand there ---- */

static unsigned kind_of(const char *text, size_t length)
{
    static const struct {
        const char *name;
        unsigned kinds;
    } known[] = {
        {"FILE", HELP_FILES}, {"DIR", HELP_FOLDERS}, {"RUN", HELP_FOLDERS}, {"SCENE", HELP_SCENES | HELP_FILES}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const size_t size = strlen(known[i].name);
        if (size <= length && !strncmp(known[i].name, text, size)) return known[i].kinds;
    }
    return 0;
}

/* The part of RUN|SCENE or vtp|ply at a place; NULL past the last. */
static const char *part_at(const help_value *value, int place, size_t *length)
{
    const char *part = value->text, *end = value->text + value->length;
    for (;; place--) {
        const char *bar = memchr(part, '|', (size_t)(end - part));
        *length = (size_t)((bar ? bar : end) - part);
        if (!place || !bar) return place ? NULL : part;
        part = bar + 1;
    }
}

static const char *choice_at(const help_value *value, int place, size_t *length)
{
    const char *word = value->choice ? value->choice->next(value->choice->context, place) : NULL;
    *length = word ? strlen(word) : 0;
    return word;
}

unsigned help_kinds(const help_value *value)
{
    unsigned kinds = 0;
    size_t length;
    const char *text;
    for (int i = 0; (text = part_at(value, i, &length)); i++) kinds |= kind_of(text, length);
    for (int i = 0; (text = choice_at(value, i, &length)); i++) kinds |= kind_of(text, length);
    return kinds;
}

const char *help_word_at(const help_value *value, int place, size_t *length)
{
    const char *text;
    for (int i = 0; (text = value->choice ? choice_at(value, i, length) : part_at(value, i, length)); i++) {
        const bool word = (*text >= 'a' && *text <= 'z') || (*text >= '0' && *text <= '9');
        if (word && !place--) break;
    }
    return text;
}

void help_words(const help_value *value, const char *between)
{
    size_t length;
    const char *word;
    for (int i = 0; (word = help_word_at(value, i, &length)); i++)
        printf("%s%.*s", i ? between : "", (int)length, word);
}

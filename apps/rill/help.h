/* What the table of a command's options says, in other forms than its help: a section of the man page, and what shells
 * complete. `rill reference` asks every command for its part by `--help=FORM` and prints what goes around it. */
#ifndef RILL_APP_HELP_H
#define RILL_APP_HELP_H

#include "options.h"

typedef void help_print(const option_table *table);

/* NULL: there is no such form. */
help_print *help_form(const char *name);

help_print help_man, help_bash, help_zsh, help_fish;

/* What may stand somewhere in the command line: the value of an option, or a word. */
typedef struct help_value {
    const char *text; /* as the help calls it: RUN|SCENE, vtp|ply */
    size_t length;
    const option_choice *choice; /* NULL: none */
} help_value;

enum { HELP_FILES = 1, HELP_FOLDERS = 2, HELP_SCENES = 4 };

help_value help_option_value(const option_table *table, const option *o);
/* Of the word at `place`, counted from 0; false: none. */
bool help_usage_value(const option_table *table, size_t place, help_value *value);
/* How many places differ. The last one may be there several times. */
size_t help_usage_count(const option_table *table);

/* A set of the kinds above. */
unsigned help_kinds(const help_value *value);
/* The words that may stand there; NULL past the last. */
const char *help_word_at(const help_value *value, int place, size_t *length);
/* Prints them with something between. */
void help_words(const help_value *value, const char *between);

#endif

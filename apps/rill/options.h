/* Options of a command, read against one table from which its help comes too. */
#ifndef RILL_APP_OPTIONS_H
#define RILL_APP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum option_kind {
    OPTION_FLAG,   /* bool */
    OPTION_TEXT,   /* const char * */
    OPTION_LIST,   /* option_list; may be given again and again */
    OPTION_COUNT,  /* uint64_t, a whole number */
    OPTION_NUMBER  /* double */
} option_kind;

typedef struct option_list {
    const char **items;
    size_t count;
} option_list;

typedef struct option {
    const char *name;  /* without the dashes */
    option_kind kind;
    const char *value; /* what the help calls the value */
    const char *about;
    void *target;
    bool *given;       /* may be NULL */
} option;

/* The words that a value may be: that of the option of this name, or of what the usage calls so, as ROW. A word that
 * begins with FILE stands for the names of files. */
typedef struct option_choice {
    const char *name;
    const char *(*next)(const void *context, int i);
    const void *context;
    bool list; /* several, with commas between them */
} option_choice;

typedef struct option_table {
    const char *command;
    const char *usage;    /* what follows the command in the first line of the help; FILE, DIR, RUN and SCENE there, and
                           * as values of options, are completed by shells, and so are small words between bars */
    const char *about;    /* a sentence */
    const char *examples; /* lines, or NULL */
    const option *options;
    size_t option_count;
    size_t words_max;     /* words that are not options */
    const option_choice *choices; /* ends with a row without a name; NULL: none */
} option_table;

/* OPTIONS_FAILED: without a mistake of the user. */
typedef enum options_result { OPTIONS_GO, OPTIONS_HELPED, OPTIONS_WRONG, OPTIONS_FAILED } options_result;

/* Fills the targets and the words that are not options. A mistake has been
 * said already; OPTIONS_HELPED means the help was asked for and printed.
 * words must have room for count pointers. */
options_result options_read(const option_table *table, int count, char **arguments, const char **words,
                            size_t *word_count);

/* The exit code of a command that does not go on. */
int options_code(options_result result);

/* The place of an option's value among the words that `next` lists; -1 after saying which there are. */
int option_word(const char *name, const char *word, const char *(*next)(const void *context, int i),
                const void *context);
/* As `next`, for an array of words that ends with NULL. */
const char *option_word_at(const void *words, int i);

/* The two ends of LOW:HIGH; false after saying what is wrong. */
bool option_range(const char *name, const char *text, double *low, double *high);

void options_help(const option_table *table);
void option_list_free(option_list *list);
bool option_list_add(option_list *list, const char *item);

#endif

/* Command lines as inputs: their words, one a line, and what the program says of them. */
#ifndef RILL_TORTURE_SAID_H
#define RILL_TORTURE_SAID_H

#include "fuzz.h"

enum { SAID_ARGUMENTS = 16 };

/* Cuts the text into words; returns how many there are. */
static inline int said_arguments(char *text, char *arguments[SAID_ARGUMENTS])
{
    int count = 0;
    for (char *word; count < SAID_ARGUMENTS && (word = strsep(&text, "\n"));) arguments[count++] = word;
    return count;
}

/* What goes to people is caught: a refusal is one sentence, however odd the words. */
typedef struct said {
    FILE *out, *err, *kept_out, *kept_err;
    char *text, *other;
    size_t size, other_size;
} said;

static inline void said_begin(said *s)
{
    *s = (said){.kept_out = stdout, .kept_err = stderr};
    s->out = open_memstream(&s->other, &s->other_size);
    s->err = open_memstream(&s->text, &s->size);
    if (!s->out || !s->err) abort();
    stdout = s->out;
    stderr = s->err;
}

static inline void said_end(said *s, bool refused)
{
    stdout = s->kept_out;
    stderr = s->kept_err;
    fclose(s->out);
    fclose(s->err);
    size_t lines = 0;
    for (size_t i = 0; i < s->size; i++) lines += s->text[i] == '\n';
    FUZZ_CHECK(lines <= 1 && (!refused || lines), "refused is %d, and it says '%s'", refused, s->text);
    FUZZ_CHECK(!lines || (!strncmp(s->text, "rill: ", 6) && strchr(".?", s->text[s->size - 2])), "no sentence: '%s'",
               s->text);
    free(s->text);
    free(s->other);
}

#endif

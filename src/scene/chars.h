/* Text: what a name may hold, how it is quoted, how alike two words are. */
#ifndef RILL_SCENE_CHARS_H
#define RILL_SCENE_CHARS_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A short printable copy for an error's sentence. */
typedef struct rill_excerpt {
    char text[64];
} rill_excerpt;
rill_excerpt rill_chars_excerpt(const char *text);

bool rill_chars_is_utf8(const char *text);

/* NULL when text can be the name of a scene, fluid, boundary or probe, else what is wrong with it. */
const char *rill_chars_name_fault(const char *name);

/* Writes text as a YAML scalar, quoted where it has to be. */
void rill_chars_write_yaml(FILE *out, const char *text);

/* The shortest decimal that reads back to the same double. */
typedef struct rill_digits {
    char text[32];
} rill_digits;
rill_digits rill_chars_digits(double value);

/* Numbers are read and written with a decimal point, whatever the host
 * program's locale; begin and end bracket the work, on this thread alone. */
typedef struct rill_plain_locale {
    locale_t plain, before;
} rill_plain_locale;
rill_plain_locale rill_chars_locale_begin(void);
void rill_chars_locale_end(rill_plain_locale *locale);

/* Whether two words are the same, in whichever spelling: colour and color, centre and center. */
bool rill_chars_same(const char *a, const char *b);

/* Edits (insert, delete, replace, swap of neighbours) that turn a into b. */
size_t rill_chars_distance(const char *a, const char *b);

/* True when a typing slip could explain b for a. */
bool rill_chars_resembles(const char *a, const char *b);

#endif

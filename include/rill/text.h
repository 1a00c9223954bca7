/* Text as rill reads and writes it: numbers alike in every locale, quantities with
 * units, words that were misspelt. In librill. Pointers must not be NULL unless a
 * comment says so; err always may be. */
#ifndef RILL_TEXT_H
#define RILL_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "rill/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A number with a unit, as "27 mm" or "5 ms", in SI; without one it is taken as SI. `in` says what is wanted: "m",
 * "s", "m/s", "m/s2", "kg/m3", "m2/s", "1/s", "N/m", or "" for a plain number or a share such as 50 %. On failure err
 * holds the rest of a sentence about the number: "wants a length, but '5 ms' is a time". */
RILL_API rill_status rill_unit_parse(const char *text, const char *in, double *value, rill_error *err);

/* Whether two words are the same, in whichever spelling: colour and color, centre and center. */
RILL_API bool rill_spelling_same(const char *a, const char *b);

/* The closest of several words, or NULL when none is close enough to be meant. next(context, i) is NULL past the
 * last. */
RILL_API const char *rill_spelling_nearest(const char *word, const char *(*next)(const void *context, int i),
                                           const void *context);

/* A string made like printf's, for rill_free, with numbers as in C whatever the locale; NULL without memory. */
RILL_API char *rill_string_make(const char *format, ...) RILL_PRINTF(1, 2);

/* Closes a stream of open_memstream; *text, which must not hold zero bytes, is for rill_free from then on. False, and
 * no text, where the stream is NULL or could not take all that was written. */
RILL_API bool rill_string_end(FILE *memory, char **text);

#ifdef __cplusplus
}
#endif
#endif

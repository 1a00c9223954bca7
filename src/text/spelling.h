/* Spelling: how alike two words are. */
#ifndef RILL_TEXT_SPELLING_H
#define RILL_TEXT_SPELLING_H

#include <stdbool.h>
#include <stddef.h>

/* Whether two words are the same, in whichever spelling: colour and color, centre and center. */
bool rill_spelling_same(const char *a, const char *b);

/* Edits (insert, delete, replace, swap of neighbours) that turn a into b. */
size_t rill_spelling_distance(const char *a, const char *b);

/* True when a typing slip could explain b for a. */
bool rill_spelling_resembles(const char *a, const char *b);

/* The closest of several words, or NULL when none is close enough to be meant. next(context, i) is NULL past the
 * last. */
const char *rill_spelling_nearest(const char *word, const char *(*next)(const void *context, int i),
                                  const void *context);

#endif

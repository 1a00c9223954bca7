/* Spelling: how alike two words are. */
#ifndef RILL_TEXT_SPELLING_H
#define RILL_TEXT_SPELLING_H

#include "rill/text.h"

/* Edits (insert, delete, replace, swap of neighbours) that turn a into b. */
size_t rill_spelling_distance(const char *a, const char *b);

/* True when a typing slip could explain b for a. */
bool rill_spelling_resembles(const char *a, const char *b);

#endif

/* Strings that are put together. */
#ifndef RILL_TEXT_STRING_H
#define RILL_TEXT_STRING_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "rill/base.h"

/* A string made like printf's, with numbers as in C whatever the locale; NULL without memory. */
char *rill_string_make(const char *format, ...) RILL_PRINTF(1, 2);
char *rill_string_make_list(const char *format, va_list args) RILL_PRINTF(1, 0);

/* Closes a stream of open_memstream. False when it is NULL or could not take all that was written to *text. */
bool rill_string_end(FILE *memory, char *const *text);

/* Appends text to a sentence that has room for size bytes; what does not fit is left out. */
void rill_string_append(char *sentence, size_t size, const char *text);

/* Appends one more of several, with something between it and what is there already. */
void rill_string_join(char *sentence, size_t size, const char *between, const char *text);

#endif

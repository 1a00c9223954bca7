/* Strings that are put together: rill/text.h, and what only the library needs of it. */
#ifndef RILL_TEXT_STRING_H
#define RILL_TEXT_STRING_H

#include <stdarg.h>

#include "rill/text.h"

/* Copies, to be freed with rill_free, of a text or of its first bytes; NULL without memory. */
char *rill_string_copy(const char *text);
char *rill_string_part(const char *text, size_t length);

char *rill_string_make_list(const char *format, va_list args) RILL_PRINTF(1, 0);

/* Appends text to a sentence that has room for size bytes; what does not fit is left out. */
void rill_string_append(char *sentence, size_t size, const char *text);

/* Appends one more of several, with something between it and what is there already. */
void rill_string_join(char *sentence, size_t size, const char *between, const char *text);

#endif

/* Strings that are put together. */
#ifndef RILL_TEXT_STRING_H
#define RILL_TEXT_STRING_H

#include <stddef.h>

/* Appends text to a sentence that has room for size bytes; what does not fit is left out. */
void rill_string_append(char *sentence, size_t size, const char *text);

#endif

/* Strings that are put together. */
#define _GNU_SOURCE /* vasprintf */
#include "text/string.h"

#include <stdlib.h>
#include <string.h>

#include "text/locale.h"

/* A host program may have chosen a locale that writes 1,5 for 1.5. */
char *rill_string_make_list(const char *format, va_list args)
{
    rill_locale locale = rill_locale_begin();
    if (!locale.plain) return NULL;
    char *text = NULL;
    if (vasprintf(&text, format, args) < 0) text = NULL;
    rill_locale_end(&locale);
    return text;
}

char *rill_string_make(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = rill_string_make_list(format, args);
    va_end(args);
    return text;
}

bool rill_string_end(FILE *memory, char *const *text)
{
    if (!memory) return false;
    const bool whole = !fflush(memory) && !ferror(memory);
    /* Where it finds no memory at the end, closing sets the text to NULL and says nothing else. */
    return !fclose(memory) && whole && *text;
}

void rill_string_append(char *sentence, size_t size, const char *text)
{
    const size_t used = strlen(sentence);
    snprintf(sentence + used, size - used, "%s", text);
}

void rill_string_join(char *sentence, size_t size, const char *between, const char *text)
{
    if (*sentence) rill_string_append(sentence, size, between);
    rill_string_append(sentence, size, text);
}

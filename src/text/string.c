/* Strings that are put together. */
#include "text/string.h"

#include <stdlib.h>
#include <string.h>

#include "text/locale.h"

/* A host program may have chosen a locale that writes 1,5 for 1.5. */
char *rill_string_make_list(const char *format, va_list args)
{
    rill_locale locale = rill_locale_begin();
    if (!locale.plain) return NULL;
    va_list again;
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, args);
    char *text = length < 0 ? NULL : rill_malloc((size_t)length + 1);
    if (text) vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
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

char *rill_string_part(const char *text, size_t length)
{
    const size_t size = strnlen(text, length);
    char *copy = rill_malloc(size + 1);
    if (!copy) return NULL;
    memcpy(copy, text, size);
    copy[size] = 0;
    return copy;
}

char *rill_string_copy(const char *text)
{
    return rill_string_part(text, strlen(text));
}

bool rill_string_end(FILE *memory, char **text)
{
    if (!memory) return false;
    const bool whole = !fflush(memory) && !ferror(memory);
    /* Where it finds no memory at the end, closing sets the text to NULL and says nothing else. */
    const bool closed = !fclose(memory);
    char *made = *text;
    *text = made && whole && closed ? rill_string_copy(made) : NULL;
    free(made); /* libc's own */
    return *text;
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

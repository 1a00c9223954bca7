/* Plain text in the language of man pages. */
#include "roff.h"

#include <stdio.h>
#include <string.h>

static void character_put(char c)
{
    if (c == '-') fputs("\\-", stdout);
    else if (c == '\\') fputs("\\e", stdout);
    else if (c == '\'') fputs("\\(aq", stdout);
    else putchar(c);
}

void man_text(const char *text)
{
    while (*text) character_put(*text++);
}

void man_line(const char *text, size_t length)
{
    if (length && *text == '.') fputs("\\&", stdout);
    for (size_t i = 0; i < length; i++) character_put(text[i]);
    putchar('\n');
}

/* Characters: whether bytes are UTF-8, and a copy of them that can be shown. */
#ifndef RILL_TEXT_CHARS_H
#define RILL_TEXT_CHARS_H

#include <stdbool.h>

/* A short printable copy for an error's sentence. */
typedef struct rill_excerpt {
    char text[64];
} rill_excerpt;
rill_excerpt rill_chars_excerpt(const char *text);

bool rill_chars_is_utf8(const char *text);

#endif

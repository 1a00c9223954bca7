/* Bytes that may be anything, made fit to be shown. */
#include "text/chars.h"

#include <string.h>

rill_excerpt rill_chars_excerpt(const char *text)
{
    enum { SHOWN = sizeof((rill_excerpt *)0)->text - 4 };
    rill_excerpt excerpt;
    const size_t length = strlen(text);
    const bool broken = !rill_chars_is_utf8(text);
    size_t kept = length < SHOWN ? length : SHOWN;
    while (kept < length && kept > 0 && ((unsigned char)text[kept] & 0xc0) == 0x80) kept--;
    for (size_t i = 0; i < kept; i++) {
        const unsigned char c = (unsigned char)text[i];
        excerpt.text[i] = c < 0x20 || c == 0x7f ? ' ' : c >= 0x80 && broken ? '?' : text[i];
    }
    strcpy(excerpt.text + kept, kept < length ? "..." : "");
    return excerpt;
}

/* Length of the UTF-8 sequence at text, 0 when it is not one. */
static size_t sequence_length(const unsigned char *text)
{
    const unsigned char c = text[0];
    if (c < 0x80) return 1;
    const size_t length = c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80) return 0;
    /* Overlong forms, surrogates and what lies past U+10FFFF. */
    if (c == 0xe0 && text[1] < 0xa0) return 0;
    if (c == 0xed && text[1] > 0x9f) return 0;
    if (c == 0xf0 && text[1] < 0x90) return 0;
    if (c == 0xf4 && text[1] > 0x8f) return 0;
    return length;
}

bool rill_chars_is_utf8(const char *text)
{
    for (size_t length; *text; text += length) {
        length = sequence_length((const unsigned char *)text);
        if (!length) return false;
    }
    return true;
}

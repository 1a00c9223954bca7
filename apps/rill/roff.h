/* Plain text in the language of man pages. */
#ifndef RILL_APP_ROFF_H
#define RILL_APP_ROFF_H

#include <stddef.h>

/* Dashes stay dashes, so that options can be copied, and backslashes show. */
void man_text(const char *text);
/* As a line of its own, which no dot or quote at its beginning turns into a request. */
void man_line(const char *text, size_t length);

#endif

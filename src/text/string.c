/* Strings that grow. */
#include "text/string.h"

#include <stdio.h>
#include <string.h>

void rill_string_append(char *sentence, size_t size, const char *text)
{
    const size_t used = strlen(sentence);
    snprintf(sentence + used, size - used, "%s", text);
}

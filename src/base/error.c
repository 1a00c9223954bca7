/* Errors as values: a status and a sentence. */
#include "rill/base.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>

rill_status rill_fail(rill_error *err, rill_status status, const char *format, ...)
{
    if (!err) return status;
    err->status = status;
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    /* A sentence is one line, whatever names it quotes. */
    for (char *c = err->text; *c; c++)
        if (iscntrl((unsigned char)*c)) *c = ' ';
    return status;
}

/* Errors as values: a status and a sentence. */
#include "rill/base.h"

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
    return status;
}

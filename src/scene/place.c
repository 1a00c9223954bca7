/* Errors that say where: file, line and column, or the setting. */
#include "scene/place.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text/chars.h"

enum { LABEL_SHOWN = 160 };

rill_status rill_place_fail(const rill_place *place, rill_error *err, const char *format, ...)
{
    char sentence[sizeof err->text];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);

    /* The end of a long path tells more than its beginning, and the sentence must fit as well. */
    const size_t length = strlen(place->label);
    const char *dots = length > LABEL_SHOWN ? "..." : "";
    const char *label = place->label + (length > LABEL_SHOWN ? length - LABEL_SHOWN : 0);
    if (place->setting)
        return rill_fail(err, RILL_BAD_INPUT, "setting '%s': %s", rill_chars_excerpt(place->setting).text, sentence);
    if (!place->line) return rill_fail(err, RILL_BAD_INPUT, "%s%s: %s", dots, label, sentence);
    return rill_fail(err, RILL_BAD_INPUT, "%s%s:%u:%u: %s", dots, label, place->line, place->column, sentence);
}

rill_status rill_place_no_memory(rill_error *err)
{
    return rill_fail(err, RILL_NO_MEMORY, "There is no memory to read the scene.");
}

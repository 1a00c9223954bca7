/* JSON text, one item a line. */
#include "json.h"

#include <inttypes.h>
#include <math.h>

json json_start(FILE *out)
{
    return (json){.out = out};
}

static void string_put(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') fprintf(out, "\\%c", c);
        else if (c < 0x20) fprintf(out, "\\u%04x", c);
        else fputc(c, out);
    }
    fputc('"', out);
}

static void item_begin(json *j, const char *key)
{
    if (j->filled) fputc(',', j->out);
    if (j->depth) fprintf(j->out, "\n%*s", 2 * j->depth, "");
    if (key) {
        string_put(j->out, key);
        fputs(": ", j->out);
    }
    j->filled = true;
}

void json_open(json *j, const char *key, char bracket)
{
    item_begin(j, key);
    fputc(bracket, j->out);
    j->depth++;
    j->filled = false;
}

void json_close(json *j, char bracket)
{
    j->depth--;
    if (j->filled) fprintf(j->out, "\n%*s", 2 * j->depth, "");
    fputc(bracket, j->out);
    j->filled = true;
    if (!j->depth) fputc('\n', j->out);
}

void json_text(json *j, const char *key, const char *value)
{
    item_begin(j, key);
    string_put(j->out, value);
}

static void number_put(FILE *out, double value)
{
    if (isfinite(value)) fprintf(out, "%.10g", value);
    else fputs("null", out);
}

void json_number(json *j, const char *key, double value)
{
    item_begin(j, key);
    number_put(j->out, value);
}

void json_numbers(json *j, const char *key, const double *values, int count)
{
    item_begin(j, key);
    for (int i = 0; i < count; i++) {
        fputs(i ? ", " : "[", j->out);
        number_put(j->out, values[i]);
    }
    fputc(']', j->out);
}

void json_count(json *j, const char *key, uint64_t value)
{
    item_begin(j, key);
    fprintf(j->out, "%" PRIu64, value);
}

void json_flag(json *j, const char *key, bool value)
{
    item_begin(j, key);
    fputs(value ? "true" : "false", j->out);
}

/* Lines and cells of comma-separated text, which may be anything. */
#include "text/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/number.h"

/* The quote that closes the one at `open`; two in a row stand for one inside. NULL when none does. */
static const char *quote_close(const char *open, const char *end)
{
    for (const char *at = open + 1; (at = memchr(at, '"', (size_t)(end - at))); at += 2) {
        if (at + 1 == end || at[1] != '"') return at;
    }
    return NULL;
}

bool rill_csv_next(const char **at, const char *end, rill_csv_cell *cell)
{
    const char *from = *at;
    if (!from) return false;
    const char *close = from < end && *from == '"' ? quote_close(from, end) : NULL;
    const char *rest = close ? close : from;
    const char *comma = memchr(rest, ',', (size_t)(end - rest));
    *cell = close ? (rill_csv_cell){from + 1, (size_t)(close - from - 1)}
                  : (rill_csv_cell){from, (size_t)((comma ? comma : end) - from)};
    *at = comma ? comma + 1 : NULL;
    return true;
}

size_t rill_csv_count(const char *row, const char *end)
{
    rill_csv_cell cell;
    size_t count = 0;
    while (rill_csv_next(&row, end, &cell)) count++;
    return count;
}

bool rill_csv_is(rill_csv_cell cell, const char *word)
{
    return cell.size == strlen(word) && !memcmp(cell.text, word, cell.size);
}

double rill_csv_number(rill_csv_cell cell)
{
    char text[64], *end;
    if (!cell.size || cell.size >= sizeof text) return NAN;
    memcpy(text, cell.text, cell.size);
    text[cell.size] = 0;
    double value = strtod(text, &end);
    return end == text + cell.size ? value : NAN;
}

uint64_t rill_csv_whole(rill_csv_cell cell)
{
    uint64_t count;
    const char *at = cell.text, *end = cell.text + cell.size;
    return rill_number_read_count(&at, end, &count) && at == end ? count : 0;
}

bool rill_csv_line(const char **at, const char *end, rill_csv_cell *line, bool *whole)
{
    const char *from = *at;
    if (from == end) return false;
    const char *stop = memchr(from, '\n', (size_t)(end - from));
    *whole = stop != NULL;
    *at = stop ? stop + 1 : end;
    if (!stop) stop = end;
    if (*whole && stop > from && stop[-1] == '\r') stop--;
    *line = (rill_csv_cell){from, (size_t)(stop - from)};
    return true;
}

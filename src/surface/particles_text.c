/* Particles from plain columns: XYZ (blanks between numbers, with or without
 * the count and the comment on top, with or without the name of an element in
 * front) and CSV with a header line, as ParaView, DualSPHysics or a spreadsheet
 * write it. Two rounds: the first counts rows and cells, so that memory is asked
 * for once and never for more than the file can hold. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "surface/particles_read.h"
#include "text/chars.h"
#include "text/number.h"

typedef struct span {
    const char *begin, *end;
} span;

/* Takes the next line, without its end; false when there is none. */
static bool line_next(span *rest, span *line)
{
    if (rest->begin >= rest->end) return false;
    const char *end = memchr(rest->begin, '\n', (size_t)(rest->end - rest->begin));
    line->begin = rest->begin;
    line->end = end ? end : rest->end;
    rest->begin = end ? end + 1 : rest->end;
    if (line->end > line->begin && line->end[-1] == '\r') line->end--;
    return true;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static span trim(span s)
{
    while (s.begin < s.end && is_blank(*s.begin)) s.begin++;
    while (s.begin < s.end && is_blank(s.end[-1])) s.end--;
    return s;
}

/* Takes the next cell of a line. A blank stands for any run of blanks and commas, other separators for themselves. */
static bool cell_next(span *line, char separator, span *cell)
{
    const char *c = line->begin, *end = line->end;
    if (separator == ' ') {
        while (c < end && (is_blank(*c) || *c == ',' || *c == ';')) c++;
        if (c == end) return false;
        cell->begin = c;
        while (c < end && !is_blank(*c) && *c != ',' && *c != ';') c++;
        *line = (span){c, end};
        cell->end = c;
        return true;
    }
    if (!c) return false;
    bool quoted = false;
    cell->begin = c;
    for (; c < end && (quoted || *c != separator); c++) quoted ^= *c == '"';
    cell->end = c;
    *cell = trim(*cell);
    if (cell->end - cell->begin >= 2 && *cell->begin == '"' && cell->end[-1] == '"') {
        cell->begin++;
        cell->end--;
    }
    *line = c < end ? (span){c + 1, end} : (span){NULL, NULL}; /* behind a last separator comes an empty cell */
    return true;
}

/* A line that holds nothing, or a remark. */
static bool is_idle(span line)
{
    line = trim(line);
    return line.begin == line.end || *line.begin == '#';
}

static bool cell_number(span cell, double *number)
{
    const char *at = cell.begin;
    return rill_number_read(&at, cell.end, number) && at == cell.end;
}

static rill_excerpt shown(span cell)
{
    char text[64];
    const size_t length = (size_t)(cell.end - cell.begin), kept = length < sizeof text - 1 ? length : sizeof text - 1;
    memcpy(text, cell.begin, kept);
    text[kept] = '\0';
    return rill_chars_excerpt(text);
}

/* ---- rows ---- */

static uint32_t cells_of(span line, char separator)
{
    span cell = {NULL, NULL};
    uint32_t count = 0;
    while (count <= RILL_COLUMNS_MAX + 1 && cell_next(&line, separator, &cell)) count++;
    /* Some programs end every line with a separator. */
    return count && separator != ' ' && cell.begin == cell.end ? count - 1 : count;
}

/* Rows that hold as many cells as there are columns, up to the end or to `most`. */
static rill_status rows_count(rill_reader *r, span rest, char separator, uint64_t most, size_t *rows)
{
    span line;
    *rows = 0;
    while (line_next(&rest, &line)) {
        if (is_idle(line)) continue;
        const uint32_t cells = cells_of(line, separator);
        /* An empty last cell may be meant. */
        const bool empty = separator != ' ' && line.end[-1] == separator;
        if (cells != r->column_count && !(empty && cells + 1 == r->column_count))
            return rill_reader_fail_line(r, line.begin, "there are %u numbers where %u are wanted", cells,
                                         r->column_count);
        if (*rows == most)
            return rill_reader_fail_line(r, line.begin, "there are more particles than the %zu that line 1 promises; "
                                         "keep one frame in a file", *rows);
        ++*rows;
    }
    return RILL_OK;
}

static rill_status row_read(rill_reader *r, span line, char separator, size_t row)
{
    const char *begin = line.begin;
    span cell;
    for (uint32_t i = 0; i < r->column_count && cell_next(&line, separator, &cell); i++) {
        rill_particle_column *c = &r->columns[i];
        double number = NAN;
        if (c->skip) continue;
        const bool given = cell.begin < cell.end;
        if ((given || c->axis >= 0) && !cell_number(cell, &number))
            return rill_reader_fail_line(r, begin, "'%s' is no number (column %s)", shown(cell).text,
                                         rill_chars_excerpt(c->name).text);
        if (c->axis >= 0 && !isfinite(number))
            return rill_reader_fail_line(r, begin, "the position is not finite");
        rill_column_put(c, row, number);
    }
    return RILL_OK;
}

static rill_status rows_read(rill_reader *r, span rest, char separator)
{
    span line;
    rill_status status = RILL_OK;
    for (size_t row = 0; !status && row < r->rows && line_next(&rest, &line);)
        if (!is_idle(line)) status = row_read(r, line, separator, row++);
    return status;
}

/* Columns that hold words in the first row are left out. */
static void words_skip(rill_reader *r, span rest, char separator)
{
    span line, cell;
    double number;
    while (line_next(&rest, &line)) {
        if (is_idle(line)) continue;
        for (uint32_t i = 0; i < r->column_count && cell_next(&line, separator, &cell); i++)
            if (r->columns[i].axis < 0 && cell.begin < cell.end && !cell_number(cell, &number))
                r->columns[i].skip = true;
        return;
    }
}

static rill_status table_read(rill_reader *r, span rest, char separator, uint64_t most)
{
    size_t rows;
    rill_status status = rows_count(r, rest, separator, most, &rows);
    if (status) return status;
    if (most != UINT64_MAX && rows < most)
        return rill_fail(r->err, RILL_BAD_FILE, "%s ends after %zu particles, and its line 1 promises %llu.", r->path,
                         rows, (unsigned long long)most);
    if (separator != ' ') words_skip(r, rest, separator);
    status = rill_columns_reserve(r, rows);
    return status ? status : rows_read(r, rest, separator);
}

static span text_of(const rill_reader *r)
{
    span text = {r->text, r->end};
    if (r->end - r->text >= 3 && !memcmp(r->text, "\xef\xbb\xbf", 3)) text.begin += 3; /* a mark some editors leave */
    return text;
}

/* ---- XYZ ---- */

/* The number of particles, when the line holds nothing else. */
static bool is_count(span line, uint64_t *count)
{
    uint64_t number;
    line = trim(line);
    const char *at = line.begin;
    if (!rill_number_read_count(&at, line.end, &number) || at != line.end) return false;
    *count = number < UINT64_MAX ? number : number - 1; /* the largest stands for none */
    return true;
}

/* Columns from the first row: the name of an element, x, y, z and what follows, numbered. */
static rill_status columns_from_row(rill_reader *r, span line)
{
    const char *begin = line.begin;
    span cell;
    double number;
    int numbers = 0;
    for (int i = 1; cell_next(&line, ' ', &cell); i++) {
        char name[24] = {"xyz"[numbers < 3 ? numbers : 0]};
        const bool word = !cell_number(cell, &number);
        if (word && i > 1)
            return rill_reader_fail_line(r, begin, "'%s' is no number", shown(cell).text);
        if (numbers >= 3) snprintf(name, sizeof name, "column_%d", i);
        rill_particle_column *c =
            rill_particle_column_add(r, word ? "" : name, strlen(name), word || numbers >= 3 ? -1 : numbers);
        if (!c) return RILL_BAD_FILE;
        c->skip = word;
        numbers += !word;
    }
    if (numbers < 3) return rill_reader_fail_line(r, begin, "a particle needs three numbers, x, y and z");
    return RILL_OK;
}

/* A line of nothing but words names the columns. */
static bool is_header(span line)
{
    span cell;
    double number;
    int words = 0;
    for (; cell_next(&line, ' ', &cell); words++)
        if (cell_number(cell, &number)) return false;
    return words >= 3;
}

static rill_status columns_from_header(rill_reader *r, span line, char separator)
{
    span cell;
    while (cell_next(&line, separator, &cell)) {
        /* A unit behind the name is no part of it, as in "Pos.x [m]". */
        const char *unit = memchr(cell.begin, '[', (size_t)(cell.end - cell.begin));
        if (unit && unit > cell.begin && is_blank(unit[-1])) cell = trim((span){cell.begin, unit});
        if (cell.begin == cell.end && !line.begin && separator != ' ') break; /* behind a separator at the end */
        rill_particle_column *c = rill_particle_column_add(r, cell.begin, (size_t)(cell.end - cell.begin), -1);
        if (!c) return RILL_BAD_FILE;
        if (!*c->name) snprintf(c->name, sizeof c->name, "column_%u", r->column_count);
    }
    return rill_columns_place(r);
}

/* Goes on to the next line with something in it, without taking it. */
static bool line_find(span *rest, span *line)
{
    for (span after = *rest; line_next(&after, line); *rest = after)
        if (!is_idle(*line)) return true;
    rest->begin = rest->end;
    return false;
}

rill_status rill_particles_read_xyz(rill_reader *r)
{
    span rest = text_of(r), line;
    uint64_t most = UINT64_MAX;
    bool any = line_find(&rest, &line);
    if (any && is_count(line, &most)) {
        line_next(&rest, &line);
        line_next(&rest, &line); /* the remark */
        any = line_find(&rest, &line);
    }
    rill_status status = RILL_OK;
    if (!any && most == UINT64_MAX) return rill_fail(r->err, RILL_BAD_FILE, "%s holds no particles.", r->path);
    if (!any) {
        line = (span){"x y z", NULL};
        line.end = line.begin + 5;
        status = columns_from_header(r, line, ' ');
    } else if (is_header(line)) {
        status = columns_from_header(r, line, ' ');
        line_next(&rest, &line);
    } else {
        status = columns_from_row(r, line);
    }
    return status ? status : table_read(r, rest, ' ', most);
}

/* ---- CSV ---- */

static char separator_of(span line)
{
    static const char candidates[] = ",;\t";
    for (const char *c = candidates; *c; c++)
        if (memchr(line.begin, *c, (size_t)(line.end - line.begin))) return *c;
    return ' ';
}

static rill_status header_read(rill_reader *r, span line, char separator)
{
    span cells = line, cell;
    double number;
    r->column_count = 0;
    if (cell_next(&cells, separator, &cell) && cell_number(cell, &number))
        return rill_reader_fail_line(r, line.begin, "there is no header that names the columns x, y and z");
    return columns_from_header(r, line, separator);
}

rill_status rill_particles_read_csv(rill_reader *r)
{
    span rest = text_of(r), line;
    while (line_next(&rest, &line)) {
        span head = trim(line);
        const bool remark = head.begin < head.end && *head.begin == '#';
        if (remark) head.begin++;
        head = trim(head);
        if (head.begin == head.end) continue;
        /* A header may stand behind the sign of a remark. */
        const char separator = separator_of(head);
        rill_status status = header_read(r, head, separator);
        if (!status) return table_read(r, rest, separator, UINT64_MAX);
        if (!remark) return status;
    }
    return rill_fail(r->err, RILL_BAD_FILE, "%s has no header that names the columns x, y and z.", r->path);
}

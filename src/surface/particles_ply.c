/* Particles from PLY (Turk 1994), text or binary of either byte order: the
 * element `vertex` with its properties in any order and of any type; lists and
 * other elements are passed over. */
#include <string.h>

#include "format/ply.h"
#include "surface/particles_read.h"
#include "text/chars.h"
#include "text/number.h"

enum { ELEMENTS_MAX = 32, PROPERTIES_MAX = 256, ENCODING_ASCII = 0, ENCODING_LITTLE, ENCODING_BIG };

typedef struct property {
    rill_scalar item, count; /* count: of a list */
    bool list;
    int column; /* of the reader; -1: passed over */
    double scale;
} property;

typedef struct element {
    uint64_t count;
    bool vertex;
    uint32_t first, properties; /* in the table of all properties */
} element;

typedef struct ply {
    rill_reader *r;
    const char *at;
    int encoding;
    element elements[ELEMENTS_MAX];
    uint32_t element_count, property_count;
    property properties[PROPERTIES_MAX];
} ply;

/* ---- header ---- */

typedef struct words {
    char word[6][64];
    int count;
} words;

/* The words of the next line, those past the sixth left out; false at the end of the file. */
static bool line_take(ply *p, words *w)
{
    const char *end = p->r->end, *stop = memchr(p->at, '\n', (size_t)(end - p->at));
    if (!stop) return false;
    const char *c = p->at;
    for (w->count = 0; w->count < 6;) {
        while (c < stop && (*c == ' ' || *c == '\t' || *c == '\r')) c++;
        const char *begin = c;
        while (c < stop && *c != ' ' && *c != '\t' && *c != '\r') c++;
        if (c == begin) break;
        const size_t length = c - begin < 63 ? (size_t)(c - begin) : 63;
        memcpy(w->word[w->count], begin, length);
        w->word[w->count++][length] = '\0';
    }
    p->at = stop + 1;
    return true;
}

static rill_status format_read(ply *p, const words *w, const char *line)
{
    static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    for (int i = 0; i < 3 && w->count >= 2; i++) {
        if (strcmp(w->word[1], names[i])) continue;
        p->encoding = i;
        return RILL_OK;
    }
    return rill_reader_fail_line(p->r, line, "the format is not ascii, binary_little_endian or binary_big_endian");
}

static rill_status element_read(ply *p, const words *w, const char *line)
{
    const char *at = w->count >= 3 ? w->word[2] : "";
    if (p->element_count == ELEMENTS_MAX) return rill_reader_fail_line(p->r, line, "there are too many elements");
    element *e = &p->elements[p->element_count++];
    *e = (element){.first = p->property_count, .vertex = w->count >= 3 && !strcmp(w->word[1], "vertex")};
    if (rill_number_read_count(&at, at + strlen(at), &e->count) && !*at) return RILL_OK;
    return rill_reader_fail_line(p->r, line, "an element has no name and count");
}

static bool is_colour(const char *name)
{
    return !strcmp(name, "red") || !strcmp(name, "green") || !strcmp(name, "blue");
}

static rill_status property_read(ply *p, const words *w, const char *line)
{
    property x = {.column = -1, .scale = 1};
    x.list = w->count >= 5 && !strcmp(w->word[1], "list");
    const char *name = w->word[x.list ? 4 : 2];
    if (!p->element_count) return rill_reader_fail_line(p->r, line, "a property belongs to no element");
    if (p->property_count == PROPERTIES_MAX) return rill_reader_fail_line(p->r, line, "there are too many properties");
    if (w->count < 3 || !rill_ply_type_find(w->word[x.list ? 3 : 1], &x.item) ||
        (x.list && !rill_ply_type_find(w->word[2], &x.count)))
        return rill_reader_fail_line(p->r, line, "'%s' is no type of a property",
                                     rill_chars_excerpt(w->count > 1 ? w->word[1] : "").text);
    if (x.list && x.count >= RILL_SCALAR_F32)
        return rill_reader_fail_line(p->r, line, "a list is not counted in whole numbers");
    element *e = &p->elements[p->element_count - 1];
    if (e->vertex && !x.list) {
        x.column = (int)p->r->column_count;
        if (x.item == RILL_SCALAR_U8 && is_colour(name)) x.scale = 1 / 255.0;
        if (!rill_particle_column_add(p->r, name, strlen(name), -1)) return RILL_BAD_FILE;
    }
    p->properties[p->property_count++] = x;
    e->properties++;
    return RILL_OK;
}

static rill_status header_read(ply *p)
{
    words w;
    const char *line = p->at;
    bool format = false;
    if (!line_take(p, &w) || !w.count || strcmp(w.word[0], "ply"))
        return rill_fail(p->r->err, RILL_BAD_FILE, "%s is no PLY file: it does not begin with the word ply.",
                         p->r->path);
    for (line = p->at; line_take(p, &w); line = p->at) {
        rill_status status = RILL_OK;
        const char *word = w.count ? w.word[0] : "comment";
        if (!strcmp(word, "end_header")) {
            if (format) return RILL_OK;
            return rill_reader_fail_line(p->r, line, "the header names no format");
        }
        if (!strcmp(word, "format")) status = format_read(p, &w, line), format = true;
        else if (!strcmp(word, "element")) status = element_read(p, &w, line);
        else if (!strcmp(word, "property")) status = property_read(p, &w, line);
        else if (strcmp(word, "comment") && strcmp(word, "obj_info"))
            status = rill_reader_fail_line(p->r, line, "'%s' is no word of a PLY header",
                                           rill_chars_excerpt(word).text);
        if (status) return status;
    }
    return rill_reader_fail_line(p->r, line, "the header does not end");
}

/* ---- data ---- */

static rill_status cut_off(const ply *p, const char *what, uint64_t i, uint64_t count)
{
    return rill_reader_fail_byte(p->r, p->r->end, "the file ends in %s %llu of %llu", what, (unsigned long long)(i + 1),
                                 (unsigned long long)count);
}

static const char *element_name(const element *e)
{
    return e->vertex ? "vertex" : "the element with number";
}

/* The next number; false when the file ends or there is none. */
static bool number_take(ply *p, rill_scalar type, double *number)
{
    rill_reader *r = p->r;
    if (p->encoding == ENCODING_ASCII) {
        while (p->at < r->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\r' || *p->at == '\n')) p->at++;
        const char *at = p->at;
        if (!rill_number_read(&at, r->end, number)) return false;
        if (at < r->end && *at != ' ' && *at != '\t' && *at != '\r' && *at != '\n') return false;
        p->at = at;
        return true;
    }
    if ((size_t)(r->end - p->at) < rill_scalar_size(type)) return false;
    *number = rill_scalar_read(type, (const unsigned char *)p->at, p->encoding == ENCODING_BIG);
    p->at += rill_scalar_size(type);
    return true;
}

static rill_status trouble(const ply *p, const element *e, uint64_t i)
{
    if (p->encoding != ENCODING_ASCII || p->at >= p->r->end) return cut_off(p, element_name(e), i, e->count);
    return rill_reader_fail_line(p->r, p->at, "there is no number where one is wanted");
}

/* Passes over the items of a list; every item takes a byte at least, so a count that cannot be ends at once. */
static bool list_skip(ply *p, const property *x)
{
    double count, item;
    if (!number_take(p, x->count, &count) || !(count >= 0)) return false;
    const size_t left = (size_t)(p->r->end - p->at), size = rill_scalar_size(x->item);
    if (p->encoding != ENCODING_ASCII) {
        if (count > (double)(left / size)) return false;
        p->at += (size_t)count * size;
        return true;
    }
    if (count > (double)left) return false;
    for (uint64_t i = 0; i < (uint64_t)count; i++)
        if (!number_take(p, RILL_SCALAR_F64, &item)) return false;
    return true;
}

static rill_status element_data(ply *p, const element *e)
{
    for (uint64_t i = 0; i < e->count && e->properties; i++) {
        for (uint32_t k = 0; k < e->properties; k++) {
            const property *x = &p->properties[e->first + k];
            double number;
            if (x->list ? !list_skip(p, x) : !number_take(p, x->item, &number)) return trouble(p, e, i);
            if (x->column >= 0) rill_column_put(&p->r->columns[x->column], i, number * x->scale);
        }
    }
    return RILL_OK;
}

/* The least bytes so many of the element can take. */
static bool fits(const ply *p, const element *e)
{
    uint64_t each = 0;
    for (uint32_t k = 0; k < e->properties; k++) {
        const property *x = &p->properties[e->first + k];
        each += p->encoding == ENCODING_ASCII ? 2 : x->list ? rill_scalar_size(x->count) : rill_scalar_size(x->item);
    }
    const uint64_t left = (uint64_t)(p->r->end - p->at) + 1; /* a last number may lack its blank */
    return !each || e->count <= left / each;
}

static rill_status data_read(ply *p)
{
    for (uint32_t i = 0; i < p->element_count; i++) {
        const element *e = &p->elements[i];
        if (!fits(p, e))
            return rill_reader_fail_byte(p->r, p->r->end,
                                         "the file ends too early for the %llu that its header promises of %s",
                                         (unsigned long long)e->count, e->vertex ? "vertex" : "an element");
        rill_status status = e->vertex ? rill_columns_reserve(p->r, e->count) : RILL_OK;
        if (!status) status = element_data(p, e);
        if (status || e->vertex) return status; /* what follows the vertices is of no interest */
    }
    return rill_fail(p->r->err, RILL_BAD_FILE, "%s has no element vertex.", p->r->path);
}

rill_status rill_particles_read_ply(rill_reader *r)
{
    ply *p = rill_calloc(1, sizeof *p);
    if (!p) return rill_reader_no_memory(r);
    p->r = r;
    p->at = r->text;
    bool vertex = false;
    rill_status status = header_read(p);
    for (uint32_t i = 0; i < p->element_count; i++) {
        if (p->elements[i].vertex && vertex && !status)
            status = rill_fail(r->err, RILL_BAD_FILE, "%s has two elements vertex.", r->path);
        vertex |= p->elements[i].vertex;
    }
    if (!status && vertex) status = rill_columns_place(r);
    if (!status) status = data_read(p);
    rill_free(p);
    return status;
}

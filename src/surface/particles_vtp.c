/* Particles from VTK's XML poly data: points and the arrays that belong to
 * them, of one piece or several. Only as much XML as those files use is
 * understood here. */
#include <stdio.h>
#include <string.h>

#include "format/vtp.h"
#include "surface/vtp_data.h"
#include "text/chars.h"
#include "text/number.h"

enum { ARRAYS_MAX = 1024, PIECES_MAX = 1024 };

typedef struct tag {
    const char *begin, *name, *attributes, *end; /* end: behind the > */
    size_t length;                               /* of the name */
    bool closing, empty;
} tag;

typedef struct array {
    uint32_t piece, lanes;
    bool points; /* the coordinates themselves */
    bool appended;
    uint64_t offset;
    char name[64];
    rill_vtp_source source;
    const char *tag;
} array;

typedef struct vtp {
    rill_reader *r;
    rill_vtp_layout layout;
    array arrays[ARRAYS_MAX];
    uint32_t array_count, pieces;
    uint64_t points[PIECES_MAX];
    const char *appended; /* behind the underscore; NULL: none */
    bool appended_base64, typed, sealed; /* sealed: compressed by what is not understood */
    char sealer[48];
} vtp;

/* ---- tags ---- */

static const char *find(const char *at, const char *end, const char *text)
{
    const size_t length = strlen(text);
    for (; (size_t)(end - at) >= length && (at = memchr(at, *text, (size_t)(end - at))); at++)
        if ((size_t)(end - at) >= length && !memcmp(at, text, length)) return at;
        else if ((size_t)(end - at) < length) return NULL;
    return NULL;
}

/* Where the tag ends, past quoted values; NULL: nowhere. */
static const char *tag_end(const char *at, const char *end)
{
    for (char quote = 0; at < end; at++) {
        if (quote) quote = *at == quote ? 0 : quote;
        else if (*at == '"' || *at == '\'') quote = *at;
        else if (*at == '>') return at + 1;
    }
    return NULL;
}

/* The next tag from *at on, remarks and the like left out. RILL_OK with tag->name NULL at the end of the file. */
static rill_status tag_next(const vtp *v, const char **at, tag *t)
{
    const char *end = v->r->end;
    *t = (tag){0};
    for (const char *open; (open = memchr(*at, '<', (size_t)(end - *at)));) {
        const bool remark = end - open >= 4 && !memcmp(open, "<!--", 4);
        const char *close = remark ? find(open, end, "-->") : tag_end(open, end);
        if (!close) return rill_reader_fail_byte(v->r, open, "the file ends in the middle of a tag");
        *at = remark ? close + 3 : close;
        if (remark || open[1] == '?' || open[1] == '!') continue;
        const char *c = open + 1, *last = close - 1;
        t->begin = open;
        t->end = close;
        if ((t->closing = *c == '/')) c++;
        t->empty = last > c && last[-1] == '/';
        t->name = c;
        while (c < last && *c != ' ' && *c != '\t' && *c != '\r' && *c != '\n' && *c != '/') c++;
        t->length = (size_t)(c - t->name);
        t->attributes = c;
        return RILL_OK;
    }
    return RILL_OK;
}

static bool tag_is(const tag *t, const char *name)
{
    return t->length == strlen(name) && !memcmp(t->name, name, t->length);
}

/* The few characters that XML writes by name. */
static void plain_copy(char *out, size_t size, const char *at, const char *end)
{
    static const char *const written[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    size_t used = 0;
    while (at < end && used + 1 < size) {
        size_t length = 1;
        out[used] = *at;
        for (int i = 0; i < 5 && *at == '&'; i++) {
            const size_t whole = strlen(written[i]);
            if ((size_t)(end - at) < whole || memcmp(at, written[i], whole)) continue;
            out[used] = "&<>\"'"[i];
            length = whole;
            break;
        }
        used++;
        at += length;
    }
    out[used] = '\0';
}

/* The value of an attribute; false when the tag has none of this name. */
static bool attribute(const tag *t, const char *name, char *out, size_t size)
{
    const char *at = t->attributes, *end = t->end - 1;
    while (at < end) {
        while (at < end && strchr(" \t\r\n/", *at)) at++;
        const char *begin = at;
        while (at < end && *at != '=') at++;
        const char *stop = at;
        while (stop > begin && strchr(" \t\r\n", stop[-1])) stop--;
        while (at < end && *at != '"' && *at != '\'') at++;
        if (at >= end) return false;
        const char *value = at + 1, *close = memchr(value, *at, (size_t)(end - value));
        if (!close) return false;
        if ((size_t)(stop - begin) == strlen(name) && !memcmp(begin, name, strlen(name))) {
            plain_copy(out, size, value, close);
            return true;
        }
        at = close + 1;
    }
    return false;
}

/* A whole number; `usual` when there is no such attribute. */
static rill_status attribute_count(const vtp *v, const tag *t, const char *name, uint64_t usual, uint64_t *count)
{
    char text[32];
    *count = usual;
    if (!attribute(t, name, text, sizeof text)) return RILL_OK;
    const char *at = text + strspn(text, " "), *end = text + strlen(text);
    if (rill_number_read_count(&at, end, count) && at[strspn(at, " ")] == '\0') return RILL_OK;
    return rill_reader_fail_line(v->r, t->begin, "%s=\"%s\" is no whole number", name, rill_chars_excerpt(text).text);
}

/* ---- what the tags say ---- */

static rill_status file_tag(vtp *v, const tag *t)
{
    char text[64];
    if (!attribute(t, "type", text, sizeof text) || strcmp(text, "PolyData"))
        return rill_reader_fail_line(v->r, t->begin, "this is no VTK file of poly data");
    v->typed = true;
    v->layout.big = attribute(t, "byte_order", text, sizeof text) && !strcmp(text, "BigEndian");
    v->layout.wide = attribute(t, "header_type", text, sizeof text) && !strcmp(text, "UInt64");
    if (!attribute(t, "compressor", text, sizeof text) || !*text) return RILL_OK;
    v->layout.compressed = true;
    v->sealed = strcmp(text, "vtkZLibDataCompressor") != 0;
    snprintf(v->sealer, sizeof v->sealer, "%.40s", rill_chars_excerpt(text).text);
    return RILL_OK;
}

static rill_status piece_tag(vtp *v, const tag *t)
{
    if (v->pieces == PIECES_MAX) return rill_reader_fail_line(v->r, t->begin, "there are too many pieces");
    rill_status status = attribute_count(v, t, "NumberOfPoints", 0, &v->points[v->pieces++]);
    if (!status && v->points[v->pieces - 1] > UINT64_MAX >> 24)
        status = rill_reader_fail_line(v->r, t->begin, "so many points cannot be");
    return status;
}

static rill_status array_tag(vtp *v, const tag *t, bool points)
{
    char text[64] = "";
    uint64_t lanes;
    rill_scalar type;
    attribute(t, "type", text, sizeof text);
    if (!rill_vtp_type_find(text, &type) && !points) return RILL_OK; /* words, or bits */
    if (!v->pieces) return rill_reader_fail_line(v->r, t->begin, "an array belongs to no piece");
    if (!rill_vtp_type_find(text, &type)) return rill_reader_fail_line(v->r, t->begin, "the points are no numbers");
    if (v->array_count == ARRAYS_MAX) return rill_reader_fail_line(v->r, t->begin, "there are too many arrays");
    array *a = &v->arrays[v->array_count++];
    *a = (array){.piece = v->pieces - 1, .points = points, .tag = t->begin};
    a->source.type = type;
    if (!attribute(t, "Name", a->name, sizeof a->name) || !*a->name)
        snprintf(a->name, sizeof a->name, "array_%u", v->array_count);
    rill_status status = attribute_count(v, t, "NumberOfComponents", points ? 3 : 1, &lanes);
    if (!status) status = attribute_count(v, t, "offset", 0, &a->offset);
    if (status) return status;
    if (lanes < 1 || lanes > 64 || (points && lanes != 3))
        return rill_reader_fail_line(v->r, t->begin, "the array %s has %llu components",
                                     rill_chars_excerpt(a->name).text, (unsigned long long)lanes);
    a->lanes = (uint32_t)lanes;
    if (!attribute(t, "format", text, sizeof text)) snprintf(text, sizeof text, "ascii");
    a->appended = !strcmp(text, "appended");
    a->source.text = !strcmp(text, "ascii");
    a->source.base64 = !strcmp(text, "binary");
    if (!a->appended && !a->source.text && !a->source.base64)
        return rill_reader_fail_line(v->r, t->begin, "the array %s has the unknown format '%s'",
                                     rill_chars_excerpt(a->name).text, rill_chars_excerpt(text).text);
    const char *close = t->empty ? t->end : memchr(t->end, '<', (size_t)(v->r->end - t->end));
    a->source.begin = t->end;
    a->source.end = close ? close : v->r->end;
    return RILL_OK;
}

static rill_status appended_tag(vtp *v, const tag *t)
{
    char text[32] = "base64";
    attribute(t, "encoding", text, sizeof text);
    v->appended_base64 = strcmp(text, "raw") != 0;
    const char *mark = memchr(t->end, '_', (size_t)(v->r->end - t->end));
    if (!mark) return rill_reader_fail_byte(v->r, t->end, "no _ begins the appended data");
    v->appended = mark + 1;
    return RILL_OK;
}

/* All tags up to the appended data, which may hold anything. */
static rill_status tags_read(vtp *v)
{
    enum { ELSEWHERE, POINTS, POINT_DATA } where = ELSEWHERE;
    const char *at = v->r->text;
    tag t;
    rill_status status;
    while (!(status = tag_next(v, &at, &t)) && t.name && !v->appended) {
        if (tag_is(&t, "Points")) where = t.closing || t.empty ? ELSEWHERE : POINTS;
        else if (tag_is(&t, "PointData")) where = t.closing || t.empty ? ELSEWHERE : POINT_DATA;
        else if (t.closing) continue;
        else if (tag_is(&t, "VTKFile")) status = file_tag(v, &t);
        else if (!v->typed) break;
        else if (tag_is(&t, "Piece")) status = piece_tag(v, &t);
        else if (tag_is(&t, "AppendedData")) status = appended_tag(v, &t);
        else if (tag_is(&t, "DataArray") && where != ELSEWHERE) status = array_tag(v, &t, where == POINTS);
        if (status) return status;
    }
    if (status || v->typed) return status;
    return rill_fail(v->r->err, RILL_BAD_FILE, "%s is no VTK file: it holds no tag VTKFile.", v->r->path);
}

/* ---- from arrays to columns ---- */

/* The array of the same name in another piece. */
static array *twin(vtp *v, const array *a, uint32_t piece)
{
    for (uint32_t i = 0; i < v->array_count; i++) {
        array *b = &v->arrays[i];
        if (b->piece != piece || b->points != a->points || b->lanes != a->lanes) continue;
        if (a->points || !strcmp(a->name, b->name)) return b;
    }
    return NULL;
}

/* Every array of the first piece is in all others that hold points. */
static rill_status twins_check(vtp *v)
{
    for (uint32_t i = 0; i < v->array_count && v->arrays[i].piece == 0; i++)
        for (uint32_t piece = 1; piece < v->pieces; piece++)
            if (v->points[piece] && !twin(v, &v->arrays[i], piece))
                return rill_fail(v->r->err, RILL_BAD_FILE, "%s lacks the array %s in piece %u.", v->r->path,
                                 rill_chars_excerpt(v->arrays[i].name).text, piece + 1);
    return RILL_OK;
}

static rill_status columns_make(vtp *v)
{
    bool points = false;
    for (uint32_t i = 0; i < v->array_count && v->arrays[i].piece == 0; i++) {
        array *a = &v->arrays[i];
        if (a->points && points) return rill_reader_fail_line(v->r, a->tag, "the points stand here twice");
        points |= a->points;
        for (uint32_t k = 0; k < a->lanes; k++) {
            char name[80];
            snprintf(name, sizeof name, a->lanes == 1 ? "%.60s" : "%.60s:%u", a->name, k);
            if (!rill_particle_column_add(v->r, name, strlen(name), a->points ? (int)k : -1)) return RILL_BAD_FILE;
        }
    }
    if (points) return RILL_OK;
    return rill_fail(v->r->err, RILL_BAD_FILE, "%s holds no points.", v->r->path);
}

/* Gives every array its place in the file, and checks that the file can hold what all promise together. */
static rill_status sources_find(vtp *v)
{
    const uint64_t size = (uint64_t)(v->r->end - v->r->text);
    const uint64_t shrink = v->layout.compressed ? RILL_VTP_SHRINK_MAX : 1;
    uint64_t budget = shrink * size;
    for (uint32_t i = 0; i < v->array_count; i++) {
        array *a = &v->arrays[i];
        const uint64_t numbers = v->points[a->piece] * a->lanes;
        if (v->sealed && numbers && !a->source.text)
            return rill_fail(v->r->err, RILL_BAD_FILE,
                             "%s is compressed by %s; save it with zlib or without compression.", v->r->path,
                             v->sealer);
        if (a->appended) {
            if (!v->appended) return rill_reader_fail_byte(v->r, v->r->end, "the appended data is missing");
            if (a->offset > (uint64_t)(v->r->end - v->appended))
                return rill_reader_fail_line(v->r, a->tag, "the array %s begins behind the end of the file",
                                             rill_chars_excerpt(a->name).text);
            a->source.begin = v->appended + a->offset;
            a->source.end = v->r->end;
            a->source.base64 = v->appended_base64;
        }
        /* Text is never compressed: each number takes a digit and what parts it from the next. */
        const uint64_t bytes = numbers * (a->source.text ? 2 * shrink : rill_scalar_size(a->source.type));
        if (bytes > budget)
            return rill_reader_fail_line(v->r, a->tag, "the array %s is longer than the file can hold",
                                         rill_chars_excerpt(a->name).text);
        budget -= bytes;
    }
    return RILL_OK;
}

typedef struct target {
    rill_particle_column *columns;
    uint32_t lanes;
    size_t first; /* row */
} target;

static void give(void *user, uint64_t i, double number)
{
    const target *t = user;
    rill_column_put(&t->columns[i % t->lanes], t->first + i / t->lanes, number);
}

static rill_status pieces_read(vtp *v)
{
    size_t first = 0;
    rill_status status = RILL_OK;
    for (uint32_t piece = 0; piece < v->pieces && !status; first += v->points[piece++]) {
        rill_particle_column *column = v->r->columns;
        for (uint32_t i = 0; i < v->array_count && v->arrays[i].piece == 0 && !status; i++) {
            const array *a = &v->arrays[i], *b = piece ? twin(v, a, piece) : a;
            if (!v->points[piece]) continue;
            target t = {column, a->lanes, first};
            status = rill_vtp_data_read(v->r, &v->layout, &b->source, rill_chars_excerpt(b->name).text,
                                        v->points[piece] * a->lanes, give, &t);
            column += a->lanes;
        }
    }
    return status;
}

rill_status rill_particles_read_vtp(rill_reader *r)
{
    vtp *v = rill_calloc(1, sizeof *v);
    if (!v) return rill_reader_no_memory(r);
    v->r = r;
    rill_status status = tags_read(v);
    if (!status && !v->pieces) status = rill_fail(r->err, RILL_BAD_FILE, "%s holds no piece with points.", r->path);
    if (!status) status = columns_make(v);
    if (!status) status = twins_check(v);
    if (!status) status = sources_find(v);
    uint64_t points = 0;
    for (uint32_t i = 0; i < v->pieces; i++) points += v->points[i];
    if (!status) status = rill_columns_reserve(r, points);
    if (!status) status = pieces_read(v);
    rill_free(v);
    return status;
}

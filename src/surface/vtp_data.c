/* The data of one array in a VTK XML file: decimal text, or bytes behind their
 * length, raw or in base64, plain or as blocks that zlib shrank. Sizes are
 * checked against what the file can hold before memory is asked for. */
#include "surface/vtp_data.h"

#include <string.h>
#include <zlib.h>

#include "text/number.h"

/* ---- bytes ---- */

typedef struct stream {
    const char *at, *end;
    bool base64;
    unsigned char left[3]; /* decoded and not yet taken */
    int left_count;
} stream;

static int base64_value(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Four characters to up to three bytes. A part that ends in = may be followed by another: writers encode the lengths
 * apart from the data. */
static bool group_take(stream *s)
{
    uint32_t bits = 0;
    int characters = 0, padding = 0;
    for (; characters < 4 && s->at < s->end; s->at++) {
        const int value = base64_value(*s->at);
        if (*s->at == ' ' || *s->at == '\n' || *s->at == '\r' || *s->at == '\t') continue;
        if (*s->at == '=') padding++;
        else if (value < 0 || padding) return false;
        bits = bits << 6 | (uint32_t)(value < 0 ? 0 : value);
        characters++;
    }
    if (characters < 4 || padding > 2) return false;
    s->left_count = 3 - padding;
    for (int i = 0; i < s->left_count; i++) s->left[i] = (unsigned char)(bits >> (16 - 8 * i));
    return true;
}

static bool take(stream *s, void *out, size_t size)
{
    unsigned char *to = out;
    if (!s->base64) {
        if ((size_t)(s->end - s->at) < size) return false;
        if (size) memcpy(to, s->at, size);
        s->at += size;
        return true;
    }
    while (size) {
        if (!s->left_count && !group_take(s)) return false;
        const size_t part = (size_t)s->left_count < size ? (size_t)s->left_count : size;
        memcpy(to, s->left, part);
        memmove(s->left, s->left + part, sizeof s->left - part);
        s->left_count -= (int)part;
        to += part;
        size -= part;
    }
    return true;
}

/* How many bytes the rest of the stream can hold. */
static uint64_t room(const stream *s)
{
    const uint64_t left = (uint64_t)(s->end - s->at);
    return s->base64 ? left / 4 * 3 + 3 : left;
}

static bool length_take(stream *s, const rill_vtp_layout *layout, uint64_t *length)
{
    unsigned char bytes[8];
    const size_t size = layout->wide ? 8 : 4;
    if (!take(s, bytes, size)) return false;
    *length = rill_scalar_bits(bytes, size, layout->big);
    return true;
}

/* ---- arrays of bytes ---- */

static rill_status array_fail(const rill_reader *r, const char *at, const char *name, const char *what)
{
    return rill_reader_fail_byte(r, at, "the array %s %s", name, what);
}

static rill_status plain_read(const rill_reader *r, const rill_vtp_layout *layout, stream *s, const char *name,
                              uint64_t bytes, unsigned char **data)
{
    const char *begin = s->at;
    uint64_t length;
    if (!length_take(s, layout, &length)) return array_fail(r, begin, name, "ends before its length");
    if (length != bytes) return array_fail(r, begin, name, "has another length than the number of points asks for");
    if (length > room(s)) return array_fail(r, begin, name, "is longer than the file");
    if (!(*data = rill_malloc(bytes + 1))) return rill_reader_no_memory(r);
    return take(s, *data, bytes) ? RILL_OK : array_fail(r, s->at, name, "is cut off or damaged");
}

/* One block after the other; each of `whole` bytes but the last. */
static rill_status blocks_read(const rill_reader *r, stream *s, const char *name, const uint64_t *sizes,
                               uint64_t blocks, uint64_t whole, uint64_t bytes, unsigned char *data)
{
    uint64_t done = 0;
    for (uint64_t i = 0; i < blocks; i++) {
        const uint64_t wanted = bytes - done < whole ? bytes - done : whole;
        if (sizes[i] > room(s)) return array_fail(r, s->at, name, "has a block longer than the file");
        unsigned char *block = rill_malloc(sizes[i] + 1);
        if (!block) return rill_reader_no_memory(r);
        uLongf got = wanted;
        const int state = take(s, block, sizes[i]) ? uncompress(data + done, &got, block, sizes[i]) : Z_DATA_ERROR;
        rill_free(block);
        if (state == Z_MEM_ERROR) return rill_reader_no_memory(r);
        if (state != Z_OK || got != wanted) return array_fail(r, s->at, name, "is cut off or damaged");
        done += wanted;
    }
    return done == bytes ? RILL_OK : array_fail(r, s->at, name, "has too few blocks");
}

/* Blocks behind their number, the bytes of a whole one, those of a part at the end, and how long each is shrunk. */
static rill_status shrunk_read(const rill_reader *r, const rill_vtp_layout *layout, stream *s, const char *name,
                               uint64_t bytes, unsigned char **data)
{
    const char *begin = s->at;
    uint64_t blocks, whole, part;
    if (!length_take(s, layout, &blocks) || !length_take(s, layout, &whole) || !length_take(s, layout, &part))
        return array_fail(r, begin, name, "ends before its lengths");
    if (blocks > room(s) / (layout->wide ? 8 : 4))
        return array_fail(r, begin, name, "has more blocks than the file can hold");
    if (bytes / RILL_VTP_SHRINK_MAX > room(s)) return array_fail(r, begin, name, "is longer than the file can hold");
    const uint64_t full = part ? blocks - 1 : blocks;
    if (bytes && (!blocks || !whole || full > bytes / whole || full * whole + part != bytes || part > whole))
        return array_fail(r, begin, name, "has another length than the number of points asks for");
    uint64_t *sizes = rill_malloc(blocks * sizeof *sizes + 1);
    *data = rill_malloc(bytes + 1);
    rill_status status = sizes && *data ? RILL_OK : rill_reader_no_memory(r);
    for (uint64_t i = 0; !status && i < blocks; i++)
        if (!length_take(s, layout, &sizes[i])) status = array_fail(r, s->at, name, "ends before its lengths");
    if (!status && bytes) status = blocks_read(r, s, name, sizes, blocks, whole, bytes, *data);
    rill_free(sizes);
    return status;
}

/* ---- numbers ---- */

static rill_status text_read(const rill_reader *r, const rill_vtp_source *source, const char *name, uint64_t count,
                             rill_vtp_give *give, void *user)
{
    const char *at = source->begin;
    for (uint64_t i = 0; i < count; i++) {
        double number;
        while (at < source->end && strchr(" \t\r\n", *at)) at++;
        if (at == source->end)
            return rill_reader_fail_line(r, at, "the array %s ends after %llu of %llu numbers", name,
                                         (unsigned long long)i, (unsigned long long)count);
        if (!rill_number_read(&at, source->end, &number))
            return rill_reader_fail_line(r, at, "there is no number where the array %s wants one", name);
        give(user, i, number);
    }
    return RILL_OK;
}

rill_status rill_vtp_data_read(const rill_reader *r, const rill_vtp_layout *layout, const rill_vtp_source *source,
                               const char *name, uint64_t count, rill_vtp_give *give, void *user)
{
    if (!count) return RILL_OK;
    if (source->text) return text_read(r, source, name, count, give, user);
    const size_t size = rill_scalar_size(source->type);
    stream s = {.at = source->begin, .end = source->end, .base64 = source->base64};
    unsigned char *data = NULL;
    rill_status status = layout->compressed ? shrunk_read(r, layout, &s, name, count * size, &data)
                                            : plain_read(r, layout, &s, name, count * size, &data);
    for (uint64_t i = 0; !status && i < count; i++)
        give(user, i, rill_scalar_read(source->type, data + i * size, layout->big));
    rill_free(data);
    return status;
}

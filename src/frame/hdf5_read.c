/* HDF5 files as frames have them: from bytes to objects. */
#include <string.h>
#include <zlib.h>

#include "frame/hdf5.h"
#include "rill/base.h"

enum { STRETCHES_MAX = 32 };

/* ---- bytes ---- */

/* A place in a stretch of the bytes. Reading past its end gives zeros and is remembered. */
typedef struct cursor {
    const uint8_t *at, *end;
    bool over;
} cursor;

/* A stretch of the file; empty and over where it lies outside, or where too much has been looked at. */
static cursor cursor_at(rill_hdf5_in *in, uint64_t address, uint64_t size)
{
    const bool good = address <= in->size && size <= in->size - address && size <= in->work;
    if (!good) return (cursor){.over = true};
    in->work -= size;
    return (cursor){in->bytes + address, in->bytes + address + size, false};
}

static uint64_t left(const cursor *c)
{
    return c->over ? 0 : (uint64_t)(c->end - c->at);
}

static const uint8_t *take_bytes(cursor *c, uint64_t size)
{
    if (left(c) < size) {
        c->over = true;
        return NULL;
    }
    const uint8_t *bytes = c->at;
    c->at += size;
    return bytes;
}

static uint64_t take(cursor *c, unsigned bytes)
{
    const uint8_t *at = take_bytes(c, bytes);
    uint64_t value = 0;
    for (unsigned i = 0; at && i < bytes; i++) value |= (uint64_t)at[i] << 8 * i;
    return value;
}

static bool take_mark(cursor *c, const char *mark)
{
    const uint8_t *at = take_bytes(c, 4);
    return at && !memcmp(at, mark, 4);
}

static cursor take_part(cursor *c, uint64_t size)
{
    const uint8_t *at = take_bytes(c, size);
    return at ? (cursor){at, at + size, false} : (cursor){.over = true};
}

/* ---- messages ---- */

static bool read_float(cursor *c, unsigned mantissa_flags, unsigned sign, rill_hdf5_type *type)
{
    const bool wide = type->size == 8;
    const unsigned bits = 8 * type->size, mantissa = wide ? 52 : 23;
    type->kind = RILL_HDF5_FLOAT;
    return (wide || type->size == 4) && mantissa_flags == 0x20 && sign == bits - 1 && take(c, 2) == 0 &&
           take(c, 2) == bits && take(c, 1) == mantissa && take(c, 1) == (wide ? 11u : 8u) && take(c, 1) == 0 &&
           take(c, 1) == mantissa && take(c, 4) == (wide ? 1023u : 127u) && !c->over;
}

/* Little-endian integers of whole bytes, IEEE floats, texts of fixed length. */
static bool read_type(cursor c, rill_hdf5_type *type)
{
    const unsigned head = (unsigned)take(&c, 1), flags = (unsigned)take(&c, 1), sign = (unsigned)take(&c, 2);
    type->size = (uint32_t)take(&c, 4);
    if (c.over || head >> 4 < 1 || head >> 4 > 3 || type->size == 0) return false;
    if ((head & 15) == 3) {
        type->kind = RILL_HDF5_TEXT;
        return true;
    }
    if ((head & 15) == 1) return read_float(&c, flags, sign, type);
    type->kind = flags & 8 ? RILL_HDF5_INT : RILL_HDF5_UINT;
    return (head & 15) == 0 && !(flags & 7) && type->size <= 8 && take(&c, 2) == 0 &&
           take(&c, 2) == 8u * type->size && !c.over;
}

/* A scalar has rank 0 and one element. */
static bool read_space(cursor c, uint32_t *rank, uint64_t shape[2])
{
    const unsigned version = (unsigned)take(&c, 1);
    *rank = (uint32_t)take(&c, 1);
    take(&c, version == 1 ? 6 : 2);
    shape[0] = shape[1] = 1;
    if (version < 1 || version > 2 || *rank > 2) return false;
    for (uint32_t i = 0; i < *rank; i++) shape[i] = take(&c, 8);
    return !c.over;
}

static bool read_layout(cursor c, rill_hdf5_object *o)
{
    if (take(&c, 1) != 3) return false;
    const unsigned kind = (unsigned)take(&c, 1);
    o->chunked = kind == 2;
    if (kind == 1) {
        o->data = take(&c, 8);
        o->bytes = take(&c, 8);
        return !c.over;
    }
    const unsigned sides = (unsigned)take(&c, 1);
    o->data = take(&c, 8);
    o->chunk[1] = 1;
    if (kind != 2 || sides < 2 || sides > 3) return false;
    for (unsigned i = 0; i + 1 < sides; i++) o->chunk[i] = take(&c, 4);
    return !c.over;
}

static bool read_filters(cursor c, rill_hdf5_object *o)
{
    if (take(&c, 1) != 1) return false;
    o->filter_count = (uint32_t)take(&c, 1);
    take(&c, 6);
    if (o->filter_count > RILL_HDF5_FILTERS_MAX) return false;
    for (uint32_t i = 0; i < o->filter_count; i++) {
        o->filters[i] = (uint32_t)take(&c, 2);
        const uint64_t name = take(&c, 2), flags = take(&c, 2), values = take(&c, 2);
        (void)flags;
        take_bytes(&c, name + 4 * (values + values % 2));
        if (o->filters[i] != RILL_HDF5_SHUFFLE && o->filters[i] != RILL_HDF5_DEFLATE) return false;
    }
    return !c.over;
}

/* Version 1 pads each part to eight bytes; version 3 has the name's character set besides. Attributes of other kinds,
 * which other programs may have added, are passed over. */
static bool read_attribute(cursor c, rill_hdf5_object *o)
{
    const unsigned version = (unsigned)take(&c, 1);
    take(&c, 1);
    const uint64_t pad = version == 1 ? 7 : 0;
    const uint64_t name_size = take(&c, 2), type_size = take(&c, 2), space_size = take(&c, 2);
    if (version == 3) take(&c, 1);
    const uint8_t *name = take_bytes(&c, (name_size + pad) & ~pad);
    const cursor type = take_part(&c, (type_size + pad) & ~pad), space = take_part(&c, (space_size + pad) & ~pad);
    if (c.over || version < 1 || version > 3 || !name_size || name[name_size - 1]) return false;
    rill_hdf5_attribute a = {.name = (const char *)name};
    uint32_t rank;
    uint64_t shape[2];
    if (!read_type(type, &a.type) || !read_space(space, &rank, shape) || rank > 1) return true;
    a.count = shape[0];
    if (a.count > left(&c) / a.type.size || o->attribute_count == RILL_HDF5_ATTRIBUTES_MAX) return false;
    a.data = take_bytes(&c, a.count * a.type.size);
    o->attributes[o->attribute_count++] = a;
    return true;
}

/* Stretches of messages that an object header goes on in. */
typedef struct stretches {
    uint64_t address[STRETCHES_MAX], size[STRETCHES_MAX];
    unsigned count;
} stretches;

static bool read_continued(cursor body, stretches *more)
{
    if (more->count == STRETCHES_MAX) return false;
    more->address[more->count] = take(&body, 8);
    more->size[more->count] = take(&body, 8);
    more->count++;
    return !body.over;
}

static bool read_message(unsigned kind, cursor body, rill_hdf5_object *o, stretches *more)
{
    switch (kind) {
    case RILL_HDF5_SPACE:
        return read_space(body, &o->rank, o->shape);
    case RILL_HDF5_TYPE:
        return read_type(body, &o->type);
    case RILL_HDF5_LAYOUT:
        return read_layout(body, o);
    case RILL_HDF5_FILTERS:
        return read_filters(body, o);
    case RILL_HDF5_ATTRIBUTE:
        return read_attribute(body, o);
    case RILL_HDF5_CONTINUED:
        return read_continued(body, more);
    case RILL_HDF5_TABLE:
        o->tree = take(&body, 8);
        o->heap = take(&body, 8);
        return !body.over;
    default: /* nothing, times, comments ... */
        return true;
    }
}

static bool read_messages(cursor c, rill_hdf5_object *o, stretches *more)
{
    while (left(&c) >= 8) {
        const unsigned kind = (unsigned)take(&c, 2), size = (unsigned)take(&c, 2), flags = (unsigned)take(&c, 1);
        take(&c, 3);
        const cursor body = take_part(&c, size);
        /* A message that is shared lies elsewhere, which no frame has. */
        if (c.over || flags & 2 || !read_message(kind, body, o, more)) return false;
    }
    return !c.over;
}

bool rill_hdf5_read_object(rill_hdf5_in *in, uint64_t address, rill_hdf5_object *o)
{
    *o = (rill_hdf5_object){.tree = RILL_HDF5_NONE, .heap = RILL_HDF5_NONE, .data = RILL_HDF5_NONE};
    cursor c = cursor_at(in, address, 16);
    const uint64_t version = take(&c, 1);
    take_bytes(&c, 7);
    stretches more = {.address = {address + 16}, .size = {take(&c, 4)}, .count = 1};
    bool good = !c.over && version == 1;
    for (unsigned i = 0; i < more.count && good; i++)
        good = read_messages(cursor_at(in, more.address[i], more.size[i]), o, &more);
    return good;
}

const rill_hdf5_attribute *rill_hdf5_attribute_find(const rill_hdf5_object *o, const char *name)
{
    for (uint32_t i = 0; i < o->attribute_count; i++)
        if (!strcmp(o->attributes[i].name, name)) return &o->attributes[i];
    return NULL;
}

/* ---- trees ---- */

/* Calls `each` for every child of a tree's lowest nodes, with the key before it. */
typedef struct tree {
    rill_hdf5_in *in;
    unsigned kind; /* 0 names, 1 chunks */
    uint64_t key;  /* bytes of a key */
    bool (*each)(struct tree *tree, cursor key, uint64_t child);
    void *user;
} tree;

static bool read_node(tree *t, uint64_t address, int above)
{
    cursor c = cursor_at(t->in, address, 24);
    const bool mark = take_mark(&c, "TREE");
    const unsigned kind = (unsigned)take(&c, 1), level = (unsigned)take(&c, 1), count = (unsigned)take(&c, 2);
    if (!mark || kind != t->kind || level > 30 || (above >= 0 && (int)level != above - 1)) return false;
    c = cursor_at(t->in, address + 24, count * (t->key + 8));
    for (unsigned i = 0; i < count; i++) {
        const cursor key = take_part(&c, t->key);
        const uint64_t child = take(&c, 8);
        if (c.over) return false;
        if (level > 0 ? !read_node(t, child, (int)level) : !t->each(t, key, child)) return false;
    }
    return true;
}

/* ---- groups ---- */

typedef struct listing {
    cursor heap;
    rill_hdf5_each *each;
    void *user;
} listing;

/* A text of the heap that ends within it. */
static const char *name_at(const cursor *heap, uint64_t place)
{
    if (place >= left(heap)) return NULL;
    const uint8_t *name = heap->at + place;
    return memchr(name, 0, left(heap) - place) ? (const char *)name : NULL;
}

static bool read_entries(tree *t, cursor key, uint64_t address)
{
    listing *l = t->user;
    (void)key;
    cursor c = cursor_at(t->in, address, 8);
    const bool mark = take_mark(&c, "SNOD");
    take(&c, 2);
    const uint64_t count = take(&c, 2);
    if (!mark) return false;
    c = cursor_at(t->in, address + 8, 40 * count);
    for (uint64_t i = 0; i < count; i++) {
        const char *name = name_at(&l->heap, take(&c, 8));
        const uint64_t object = take(&c, 8), cached = take(&c, 8);
        take_bytes(&c, 16);
        /* 2: a symbolic link, which may lead anywhere */
        if (c.over || !name || (cached & UINT32_MAX) > 1 || !l->each(l->user, name, object)) return false;
    }
    return true;
}

bool rill_hdf5_read_group(rill_hdf5_in *in, const rill_hdf5_object *group, rill_hdf5_each *each, void *user)
{
    if (group->tree == RILL_HDF5_NONE) return false;
    cursor c = cursor_at(in, group->heap, 32);
    const bool mark = take_mark(&c, "HEAP");
    take(&c, 4);
    const uint64_t size = take(&c, 8), unused = take(&c, 8), address = take(&c, 8);
    (void)unused;
    listing l = {cursor_at(in, address, size), each, user};
    tree t = {.in = in, .kind = 0, .key = 8, .each = read_entries, .user = &l};
    return mark && !l.heap.over && read_node(&t, group->tree, -1);
}

/* ---- numbers ---- */

typedef struct gathering {
    const rill_hdf5_object *set;
    uint8_t *to, *packed_out, *plain;
    uint64_t chunk_bytes, chunks, next; /* how many there must be; the one after the last that came, by row and lane */
    bool *no_memory;
} gathering;

static bool has_filter(const rill_hdf5_object *set, uint32_t filter, uint64_t mask)
{
    for (uint32_t i = 0; i < set->filter_count; i++)
        if (set->filters[i] == filter && !(mask >> i & 1)) return true;
    return false;
}

static void unshuffle(const uint8_t *from, uint64_t count, uint64_t size, uint8_t *to)
{
    for (uint64_t k = 0; k < size; k++)
        for (uint64_t i = 0; i < count; i++) to[i * size + k] = from[k * count + i];
}

/* The elements of a chunk side by side, or NULL. */
static const uint8_t *unpack(gathering *g, const cursor *stored, uint64_t mask)
{
    const uint8_t *bytes = stored->at;
    if (has_filter(g->set, RILL_HDF5_DEFLATE, mask)) {
        uLongf size = g->chunk_bytes;
        const int state = uncompress(g->packed_out, &size, bytes, left(stored));
        if (state == Z_MEM_ERROR) *g->no_memory = true;
        if (state != Z_OK || size != g->chunk_bytes) return NULL;
        bytes = g->packed_out;
    } else if (left(stored) != g->chunk_bytes) {
        return NULL;
    }
    if (!has_filter(g->set, RILL_HDF5_SHUFFLE, mask)) return bytes;
    unshuffle(bytes, g->chunk_bytes / g->set->type.size, g->set->type.size, g->plain);
    return g->plain;
}

/* What of a chunk lies within the data set goes to its place. */
static void place(const gathering *g, const uint8_t *chunk, uint64_t row, uint64_t lane)
{
    const rill_hdf5_object *s = g->set;
    const uint64_t size = s->type.size, lanes = s->shape[1];
    const uint64_t rows = s->shape[0] - row < s->chunk[0] ? s->shape[0] - row : s->chunk[0];
    const uint64_t columns = lanes - lane < s->chunk[1] ? lanes - lane : s->chunk[1];
    for (uint64_t k = 0; k < columns; k++) {
        const uint8_t *from = chunk + k * size;
        uint8_t *to = g->to + (row * lanes + lane + k) * size;
        const uint64_t step = s->chunk[1] * size, stride = lanes * size;
        if (size == 4)
            for (uint64_t i = 0; i < rows; i++) memcpy(to + i * stride, from + i * step, 4);
        else
            for (uint64_t i = 0; i < rows; i++) memcpy(to + i * stride, from + i * step, size);
    }
}

/* Chunks come in the order of their places, each once. */
static bool read_chunk(tree *t, cursor key, uint64_t address)
{
    gathering *g = t->user;
    const rill_hdf5_object *s = g->set;
    const uint64_t size = take(&key, 4), mask = take(&key, 4), row = take(&key, 8);
    const uint64_t lane = s->rank == 2 ? take(&key, 8) : 0;
    const uint64_t columns = (s->shape[1] + s->chunk[1] - 1) / s->chunk[1];
    if (row >= s->shape[0] || lane >= s->shape[1] || row % s->chunk[0] || lane % s->chunk[1]) return false;
    if (row / s->chunk[0] * columns + lane / s->chunk[1] != g->next) return false;
    const cursor stored = cursor_at(t->in, address, size);
    const uint8_t *chunk = stored.over ? NULL : unpack(g, &stored, mask);
    if (!chunk) return false;
    place(g, chunk, row, lane);
    g->next++;
    return true;
}

static bool read_chunks(rill_hdf5_in *in, gathering *g)
{
    const rill_hdf5_object *s = g->set;
    tree t = {.in = in, .kind = 1, .key = 8 + 8 * (s->rank + 1u), .each = read_chunk, .user = g};
    return read_node(&t, s->data, -1) && g->next == g->chunks;
}

bool rill_hdf5_read_numbers(rill_hdf5_in *in, const rill_hdf5_object *s, void *to, bool *no_memory)
{
    const uint64_t elements = s->shape[0] * s->shape[1];
    *no_memory = false;
    if (elements == 0) return true;
    if (!s->chunked) {
        const cursor c = cursor_at(in, s->data, s->bytes);
        if (c.over || s->bytes != elements * s->type.size || s->filter_count) return false;
        memcpy(to, c.at, s->bytes);
        return true;
    }
    if (s->chunk[0] < 1 || s->chunk[0] > s->shape[0] || s->chunk[1] < 1 || s->chunk[1] > s->shape[1]) return false;
    gathering g = {.set = s, .to = to, .no_memory = no_memory, .chunk_bytes = s->chunk[0] * s->chunk[1] * s->type.size};
    g.chunks = ((s->shape[0] + s->chunk[0] - 1) / s->chunk[0]) * ((s->shape[1] + s->chunk[1] - 1) / s->chunk[1]);
    g.packed_out = rill_malloc(2 * g.chunk_bytes);
    *no_memory = !g.packed_out;
    g.plain = g.packed_out ? g.packed_out + g.chunk_bytes : NULL;
    const bool good = g.packed_out && read_chunks(in, &g);
    rill_free(g.packed_out);
    return good;
}

/* ---- files ---- */

uint64_t rill_hdf5_open(rill_hdf5_in *in, const void *bytes, uint64_t size)
{
    /* Every part of a file is looked at about once; what a file of no particles needs comes on top. */
    *in = (rill_hdf5_in){bytes, size, 4 * size + 65536};
    cursor c = cursor_at(in, 0, RILL_HDF5_SUPERBLOCK);
    const uint8_t *signature = take_bytes(&c, 8);
    const uint64_t versions = take(&c, 5), sizes = take(&c, 2);
    take_bytes(&c, 9 + 4);
    const uint64_t base = take(&c, 8);
    take_bytes(&c, 24 + 8);
    const uint64_t root = take(&c, 8);
    const bool good =
        !c.over && !memcmp(signature, RILL_HDF5_SIGNATURE, 8) && versions == 1 && sizes == 0x0808 && !base;
    return good ? root : RILL_HDF5_NONE;
}

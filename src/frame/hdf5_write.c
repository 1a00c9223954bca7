/* HDF5 files as frames need them: from objects to bytes. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "frame/hdf5.h"
#include "rill/base.h"

/* More costs time and gains nothing: the low bytes of positions and velocities are noise. */
enum { DEFLATE_LEVEL = 2, SMALL_BYTES = 2048 };

/* ---- bytes ---- */

/* Room for this many zero bytes at the next multiple of eight; their address. */
static uint64_t put_room(rill_hdf5_out *out, uint64_t size)
{
    const size_t at = (out->size + 7) & ~(size_t)7;
    if (!out->failed && at + size > out->room) {
        const size_t room = out->room + out->room / 2 + size + 4096;
        uint8_t *grown = rill_realloc(out->bytes, room);
        if (grown) out->bytes = grown, out->room = room;
        else out->failed = true;
    }
    if (out->failed) return 0;
    memset(out->bytes + out->size, 0, at + size - out->size);
    out->size = at + size;
    return at;
}

/* A place in the bytes that moves on as numbers are put there. */
typedef struct pen {
    uint8_t *at;
} pen;

static void put(pen *p, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) *p->at++ = (uint8_t)(value >> 8 * i);
}

static void put_bytes(pen *p, const void *data, size_t size)
{
    memcpy(p->at, data, size);
    p->at += size;
}

static size_t padded(size_t size)
{
    return (size + 7) & ~(size_t)7;
}

/* ---- messages ---- */

static size_t type_size(rill_hdf5_type type)
{
    return type.kind == RILL_HDF5_FLOAT ? 20 : type.kind == RILL_HDF5_TEXT ? 8 : 12;
}

static void put_type(pen *p, rill_hdf5_type type)
{
    const unsigned bits = 8 * type.size;
    const bool wide = type.size == 8;
    switch (type.kind) {
    case RILL_HDF5_FLOAT: /* sign at the top, mantissa with an implied one */
        put(p, 0x11, 1), put(p, 0x20, 1), put(p, bits - 1, 1), put(p, 0, 1), put(p, type.size, 4);
        put(p, 0, 2), put(p, bits, 2);
        put(p, wide ? 52 : 23, 1), put(p, wide ? 11 : 8, 1), put(p, 0, 1), put(p, wide ? 52 : 23, 1);
        put(p, wide ? 1023 : 127, 4);
        break;
    case RILL_HDF5_TEXT: /* ends with a zero, UTF-8 */
        put(p, 0x13, 1), put(p, 0x10, 3), put(p, type.size, 4);
        break;
    default:
        put(p, 0x10, 1), put(p, type.kind == RILL_HDF5_INT ? 8 : 0, 3), put(p, type.size, 4);
        put(p, 0, 2), put(p, bits, 2);
        break;
    }
}

static void put_space(pen *p, uint32_t rank, const uint64_t *shape)
{
    put(p, 1, 1), put(p, rank, 1), put(p, 0, 6);
    for (uint32_t i = 0; i < rank; i++) put(p, shape[i], 8);
}

/* Messages are collected in a buffer of their own, since their header tells how long they are together. */
typedef struct header {
    uint8_t bytes[8192];
    pen pen;
    unsigned count;
} header;

/* The message's body begins at the pen, zeroed; its length is padded. */
static pen put_message(header *h, unsigned kind, size_t size, unsigned flags)
{
    assert((size_t)(h->pen.at - h->bytes) + 8 + padded(size) <= sizeof h->bytes);
    put(&h->pen, kind, 2), put(&h->pen, padded(size), 2), put(&h->pen, flags, 1), put(&h->pen, 0, 3);
    pen body = h->pen;
    memset(body.at, 0, padded(size));
    h->pen.at += padded(size);
    h->count++;
    return body;
}

static void put_attribute(header *h, const rill_hdf5_attribute *a)
{
    const size_t name = strlen(a->name) + 1, type = type_size(a->type), space = a->count ? 16 : 8;
    const size_t data = a->type.size * (a->count ? a->count : 1);
    pen p = put_message(h, RILL_HDF5_ATTRIBUTE, 8 + padded(name) + padded(type) + space + data, 0);
    pen body = p;
    put(&p, 1, 2), put(&p, name, 2), put(&p, type, 2), put(&p, space, 2);
    put_bytes(&p, a->name, name);
    p.at = body.at + 8 + padded(name);
    put_type(&p, a->type);
    p.at = body.at + 8 + padded(name) + padded(type);
    put_space(&p, a->count ? 1 : 0, &a->count);
    put_bytes(&p, a->data, data);
}

static uint64_t put_header(rill_hdf5_out *out, const header *h)
{
    const size_t size = (size_t)(h->pen.at - h->bytes);
    const uint64_t address = put_room(out, 16 + size);
    if (out->failed) return 0;
    pen p = {out->bytes + address};
    put(&p, 1, 2), put(&p, h->count, 2), put(&p, 1, 4), put(&p, size, 4), put(&p, 0, 4);
    put_bytes(&p, h->bytes, size);
    return address;
}

/* ---- data sets ---- */

/* One chunk in the tree: where it begins in the data set, where it lies and how long it is. */
typedef struct chunk {
    uint64_t from, lane, address;
    uint32_t size;
} chunk;

static size_t chunk_bytes(const rill_hdf5_shape *s)
{
    return s->rows * s->type.size;
}

static uint32_t rank_of(const rill_hdf5_shape *s)
{
    return s->lanes > 1 ? 2 : 1;
}

/* All first bytes, then all second bytes ...: like bytes side by side compress better. */
static void shuffle(const uint8_t *from, size_t count, size_t size, uint8_t *to)
{
    for (size_t k = 0; k < size; k++)
        for (size_t i = 0; i < count; i++) to[k * count + i] = from[i * size + k];
}

/* Appends one chunk, compressed. plain and mixed hold a chunk each. */
static chunk put_chunk(rill_hdf5_out *out, const rill_hdf5_shape *s, const uint8_t *plain, uint8_t *mixed)
{
    uLongf packed = compressBound(chunk_bytes(s));
    chunk c = {.address = put_room(out, packed)};
    shuffle(plain, s->rows, s->type.size, mixed);
    if (!out->failed && compress2(out->bytes + c.address, &packed, mixed, chunk_bytes(s), DEFLATE_LEVEL) != Z_OK)
        out->failed = true;
    if (!out->failed) out->size = c.address + packed;
    c.size = (uint32_t)packed;
    return c;
}

/* By row, then by lane: the order of the tree. */
static void put_chunks(rill_hdf5_out *out, const rill_hdf5_shape *s, rill_hdf5_fill *fill, const void *user,
                       chunk *chunks)
{
    uint8_t *plain = rill_malloc(2 * chunk_bytes(s));
    if (!plain) out->failed = true;
    size_t n = 0;
    for (uint64_t from = 0; from < s->count && !out->failed; from += s->rows) {
        const uint64_t rows = s->count - from < s->rows ? s->count - from : s->rows;
        for (uint64_t lane = 0; lane < s->lanes && !out->failed; lane++) {
            fill(user, from, rows, lane, plain);
            memset(plain + rows * s->type.size, 0, (s->rows - rows) * s->type.size);
            chunks[n] = put_chunk(out, s, plain, plain + chunk_bytes(s));
            chunks[n].from = from, chunks[n].lane = lane;
            n++;
        }
    }
    rill_free(plain);
}

static void put_key(pen *p, const rill_hdf5_shape *s, const chunk *c, bool beyond)
{
    put(p, beyond ? 0 : c->size, 4), put(p, 0, 4);
    put(p, c->from + (beyond ? s->rows : 0), 8);
    if (rank_of(s) == 2) put(p, c->lane + (beyond ? 1 : 0), 8);
    put(p, beyond ? s->type.size : 0, 8);
}

/* One node over `count` children; those of level 0 are chunks, those above are nodes. Its last key is that of the first
 * chunk to the right of it, or lies beyond the last chunk of all. */
static uint64_t put_node(rill_hdf5_out *out, const rill_hdf5_shape *s, unsigned level, const chunk *children,
                         size_t count, const chunk *next, const chunk *last)
{
    const size_t key = 8 + 8 * (rank_of(s) + 1u);
    const uint64_t address = put_room(out, 24 + RILL_HDF5_CHUNK_ENTRIES * (key + 8) + key);
    if (out->failed) return 0;
    pen p = {out->bytes + address};
    put_bytes(&p, "TREE", 4);
    put(&p, 1, 1), put(&p, level, 1), put(&p, count, 2);
    put(&p, RILL_HDF5_NONE, 8), put(&p, RILL_HDF5_NONE, 8);
    for (size_t i = 0; i < count; i++) {
        put_key(&p, s, &children[i], false);
        put(&p, children[i].address, 8);
    }
    put_key(&p, s, next ? next : last, !next);
    return address;
}

/* Neighbours on one level know each other. */
static void link_nodes(rill_hdf5_out *out, const chunk *nodes, size_t count)
{
    for (size_t i = 0; i < count && !out->failed; i++) {
        pen p = {out->bytes + nodes[i].address + 8};
        put(&p, i > 0 ? nodes[i - 1].address : RILL_HDF5_NONE, 8);
        put(&p, i + 1 < count ? nodes[i + 1].address : RILL_HDF5_NONE, 8);
    }
}

/* Level by level, each in place of the one below, until one node holds all. */
static uint64_t put_tree(rill_hdf5_out *out, const rill_hdf5_shape *s, chunk *chunks, size_t count)
{
    const chunk last = chunks[count - 1];
    for (unsigned level = 0;; level++) {
        size_t nodes = 0;
        for (size_t at = 0; at < count; nodes++) {
            const size_t some = count - at < RILL_HDF5_CHUNK_ENTRIES ? count - at : RILL_HDF5_CHUNK_ENTRIES;
            const chunk *next = at + some < count ? &chunks[at + some] : NULL;
            chunk node = chunks[at];
            node.address = put_node(out, s, level, &chunks[at], some, next, &last);
            chunks[nodes] = node;
            at += some;
        }
        link_nodes(out, chunks, nodes);
        if (nodes <= 1 || out->failed) return chunks[0].address;
        count = nodes;
    }
}

/* The tree of a chunk takes more room than numbers as few as these; they lie side by side as they are. */
static bool is_small(const rill_hdf5_shape *s)
{
    return s->count * s->lanes * s->type.size <= SMALL_BYTES;
}

static uint64_t put_small(rill_hdf5_out *out, const rill_hdf5_shape *s, rill_hdf5_fill *fill, const void *user)
{
    if (!s->count) return RILL_HDF5_NONE;
    uint8_t lane[SMALL_BYTES];
    const uint64_t address = put_room(out, s->count * s->lanes * s->type.size);
    for (uint64_t k = 0; k < s->lanes && !out->failed; k++) {
        fill(user, 0, s->count, k, lane);
        for (uint64_t i = 0; i < s->count; i++)
            memcpy(out->bytes + address + (i * s->lanes + k) * s->type.size, lane + i * s->type.size, s->type.size);
    }
    return address;
}

/* The address of the numbers of a small data set, or of the tree of chunks. */
static uint64_t put_data(rill_hdf5_out *out, const rill_hdf5_shape *s, rill_hdf5_fill *fill, const void *user)
{
    if (is_small(s)) return put_small(out, s, fill, user);
    const size_t count = (s->count + s->rows - 1) / s->rows * s->lanes;
    chunk *chunks = rill_calloc(count, sizeof *chunks);
    if (!chunks) out->failed = true;
    if (chunks) put_chunks(out, s, fill, user, chunks);
    const uint64_t tree = out->failed ? 0 : put_tree(out, s, chunks, count);
    rill_free(chunks);
    return tree;
}

static void put_layout(header *h, const rill_hdf5_shape *s, uint64_t data)
{
    if (is_small(s)) {
        pen p = put_message(h, RILL_HDF5_LAYOUT, 18, 0);
        put(&p, 3, 1), put(&p, 1, 1), put(&p, data, 8), put(&p, s->count * s->lanes * s->type.size, 8);
        return;
    }
    const uint32_t sides = rank_of(s) + 1;
    pen p = put_message(h, RILL_HDF5_LAYOUT, 11 + 4 * sides, 0);
    put(&p, 3, 1), put(&p, 2, 1), put(&p, sides, 1), put(&p, data, 8);
    put(&p, s->rows, 4);
    if (sides == 3) put(&p, 1, 4);
    put(&p, s->type.size, 4);
    p = put_message(h, RILL_HDF5_FILTERS, 8 + 2 * 16, 1);
    put(&p, 1, 1), put(&p, 2, 1), put(&p, 0, 6);
    put(&p, RILL_HDF5_SHUFFLE, 2), put(&p, 0, 2), put(&p, 1, 2), put(&p, 1, 2), put(&p, s->type.size, 8);
    put(&p, RILL_HDF5_DEFLATE, 2), put(&p, 0, 2), put(&p, 1, 2), put(&p, 1, 2), put(&p, DEFLATE_LEVEL, 8);
}

uint64_t rill_hdf5_put_set(rill_hdf5_out *out, const rill_hdf5_shape *s, rill_hdf5_fill *fill, const void *user,
                           const rill_hdf5_attribute *attributes, size_t attribute_count)
{
    const uint64_t shape[2] = {s->count, s->lanes}, data = put_data(out, s, fill, user);
    header h = {.pen = {h.bytes}};
    pen p = put_message(&h, RILL_HDF5_SPACE, 8 + 8 * rank_of(s), 0);
    put_space(&p, rank_of(s), shape);
    p = put_message(&h, RILL_HDF5_TYPE, type_size(s->type), 1);
    put_type(&p, s->type);
    /* Chunks are made one by one; what was never written reads as zero. */
    p = put_message(&h, RILL_HDF5_FILL, 8, 1);
    put(&p, 2, 1), put(&p, 3, 1), put(&p, 2, 1), put(&p, 1, 1), put(&p, 0, 4);
    put_layout(&h, s, data);
    for (size_t i = 0; i < attribute_count; i++) put_attribute(&h, &attributes[i]);
    return put_header(out, &h);
}

/* ---- groups ---- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const rill_hdf5_link *)a)->name, ((const rill_hdf5_link *)b)->name);
}

/* The names, after an empty one. */
static uint64_t put_heap(rill_hdf5_out *out, const rill_hdf5_link *links, size_t count)
{
    size_t size = 8;
    for (size_t i = 0; i < count; i++) size += padded(strlen(links[i].name) + 1);
    const uint64_t address = put_room(out, 32 + size);
    if (out->failed) return 0;
    pen p = {out->bytes + address};
    put_bytes(&p, "HEAP", 4);
    put(&p, 0, 4), put(&p, size, 8), put(&p, 1, 8), put(&p, address + 32, 8), put(&p, 0, 8);
    for (size_t i = 0; i < count; i++) {
        memcpy(p.at, links[i].name, strlen(links[i].name));
        p.at += padded(strlen(links[i].name) + 1);
    }
    return address;
}

/* A node of up to GROUP_ENTRIES names. *name is the place of the first in the heap, and then that behind the last. */
static uint64_t put_entries(rill_hdf5_out *out, const rill_hdf5_link *links, size_t count, uint64_t *name,
                            uint64_t *last)
{
    const uint64_t address = put_room(out, 8 + 40 * RILL_HDF5_GROUP_ENTRIES);
    if (out->failed) return 0;
    pen p = {out->bytes + address};
    put_bytes(&p, "SNOD", 4);
    put(&p, 1, 2), put(&p, count, 2);
    for (size_t i = 0; i < count; i++) {
        *last = *name;
        put(&p, *name, 8), put(&p, links[i].address, 8), put(&p, 0, 8), put(&p, 0, 8), put(&p, 0, 8);
        *name += padded(strlen(links[i].name) + 1);
    }
    return address;
}

/* A tree of one node, which holds up to GROUP_ENTRIES nodes of names. */
static uint64_t put_names(rill_hdf5_out *out, const rill_hdf5_link *links, size_t count)
{
    uint64_t nodes[RILL_HDF5_GROUP_ENTRIES], last[RILL_HDF5_GROUP_ENTRIES], name = 8;
    size_t used = 0;
    for (size_t at = 0; at < count; used++) {
        const size_t some = count - at < RILL_HDF5_GROUP_ENTRIES ? count - at : RILL_HDF5_GROUP_ENTRIES;
        nodes[used] = put_entries(out, links + at, some, &name, &last[used]);
        at += some;
    }
    const uint64_t address = put_room(out, 24 + RILL_HDF5_GROUP_ENTRIES * 16 + 8);
    if (out->failed) return 0;
    pen p = {out->bytes + address};
    put_bytes(&p, "TREE", 4);
    put(&p, 0, 2), put(&p, used, 2), put(&p, RILL_HDF5_NONE, 8), put(&p, RILL_HDF5_NONE, 8), put(&p, 0, 8);
    for (size_t i = 0; i < used; i++) put(&p, nodes[i], 8), put(&p, last[i], 8);
    return address;
}

uint64_t rill_hdf5_put_group(rill_hdf5_out *out, rill_hdf5_link *links, size_t link_count,
                             const rill_hdf5_attribute *attributes, size_t attribute_count)
{
    assert(link_count <= RILL_HDF5_LINKS_MAX);
    qsort(links, link_count, sizeof *links, compare_names);
    const uint64_t heap = put_heap(out, links, link_count), tree = put_names(out, links, link_count);
    header h = {.pen = {h.bytes}};
    pen p = put_message(&h, RILL_HDF5_TABLE, 16, 0);
    put(&p, tree, 8), put(&p, heap, 8);
    for (size_t i = 0; i < attribute_count; i++) put_attribute(&h, &attributes[i]);
    return put_header(out, &h);
}

/* ---- files ---- */

void rill_hdf5_begin(rill_hdf5_out *out)
{
    *out = (rill_hdf5_out){0};
    put_room(out, RILL_HDF5_SUPERBLOCK);
}

void rill_hdf5_end(rill_hdf5_out *out, uint64_t root)
{
    put_room(out, 0);
    if (out->failed) return;
    pen p = {out->bytes};
    put_bytes(&p, RILL_HDF5_SIGNATURE, 8);
    put(&p, 1, 5), put(&p, 8, 1), put(&p, 8, 1), put(&p, 0, 1);
    put(&p, RILL_HDF5_GROUP_ENTRIES / 2, 2), put(&p, RILL_HDF5_GROUP_ENTRIES / 2, 2), put(&p, 0, 4);
    put(&p, RILL_HDF5_CHUNK_ENTRIES / 2, 2), put(&p, 0, 2);
    put(&p, 0, 8), put(&p, RILL_HDF5_NONE, 8), put(&p, out->size, 8), put(&p, RILL_HDF5_NONE, 8);
    put(&p, 0, 8), put(&p, root, 8), put(&p, 1, 8);
    /* The root's tree and heap stand in its first message, behind both headers. */
    put_bytes(&p, out->bytes + root + 24, 16);
}

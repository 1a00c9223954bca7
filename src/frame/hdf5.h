/* The part of the HDF5 file format that frames need, written and read here: groups, data sets of numbers in one or two
 * dimensions, in compressed chunks, and attributes. HDF5's own library is not used, since it crashes on damaged files
 * and when memory runs out while it writes; the tests read what is written here with it.
 *
 * Format: "HDF5 File Format Specification Version 3.0", in its oldest form, which every program reads: superblock 1,
 * object headers 1, groups as symbol tables, chunks in a version 1 B-tree. All numbers are little-endian. */
#ifndef RILL_FRAME_HDF5_H
#define RILL_FRAME_HDF5_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RILL_HDF5_SIGNATURE "\x89HDF\r\n\x1a\n"

/* An address or size of nothing. */
#define RILL_HDF5_NONE UINT64_MAX

enum {
    RILL_HDF5_SUPERBLOCK = 100,   /* bytes */
    RILL_HDF5_END_AT = 44,        /* where the superblock has the end of the file */
    RILL_HDF5_CHUNK_ENTRIES = 16, /* in a node of a tree of chunks */
    RILL_HDF5_GROUP_ENTRIES = 32, /* in a node of a tree of names, and of names in a node of those */
    RILL_HDF5_LINKS_MAX = RILL_HDF5_GROUP_ENTRIES * RILL_HDF5_GROUP_ENTRIES
};

/* Kinds of messages in object headers. */
enum {
    RILL_HDF5_SPACE = 0x01,
    RILL_HDF5_TYPE = 0x03,
    RILL_HDF5_FILL = 0x05,
    RILL_HDF5_LAYOUT = 0x08,
    RILL_HDF5_FILTERS = 0x0b,
    RILL_HDF5_ATTRIBUTE = 0x0c,
    RILL_HDF5_CONTINUED = 0x10,
    RILL_HDF5_TABLE = 0x11
};

enum { RILL_HDF5_DEFLATE = 1, RILL_HDF5_SHUFFLE = 2 };

/* What an element is: an unsigned or signed integer, a float, or a text of fixed length. */
typedef enum rill_hdf5_kind { RILL_HDF5_UINT, RILL_HDF5_INT, RILL_HDF5_FLOAT, RILL_HDF5_TEXT } rill_hdf5_kind;
typedef struct rill_hdf5_type {
    rill_hdf5_kind kind;
    uint32_t size; /* bytes of an element */
} rill_hdf5_type;

/* count 0 is a scalar in a file that is written; a file that is read has 1 there. */
typedef struct rill_hdf5_attribute {
    const char *name;
    rill_hdf5_type type;
    uint64_t count;
    const void *data;
} rill_hdf5_attribute;

/* ---- writing ---- */

/* Bytes that grow. A call that finds no memory sets `failed`, and what follows does nothing. */
typedef struct rill_hdf5_out {
    uint8_t *bytes;
    size_t size, room;
    bool failed;
} rill_hdf5_out;

/* Numbers in rows of `lanes`, in chunks of `rows` rows of one lane. */
typedef struct rill_hdf5_shape {
    rill_hdf5_type type;
    uint64_t count, rows;
    uint32_t lanes;
} rill_hdf5_shape;

/* Fills a chunk with `rows` elements of one lane, from row `from` on. */
typedef void rill_hdf5_fill(const void *user, uint64_t from, uint64_t rows, uint64_t lane, void *chunk);

typedef struct rill_hdf5_link {
    const char *name;
    uint64_t address;
} rill_hdf5_link;

/* Objects are put before the groups that name them. Each returns its address. */
void rill_hdf5_begin(rill_hdf5_out *out);
uint64_t rill_hdf5_put_set(rill_hdf5_out *out, const rill_hdf5_shape *shape, rill_hdf5_fill *fill, const void *user,
                           const rill_hdf5_attribute *attributes, size_t attribute_count);
/* Sorts the links by name. */
uint64_t rill_hdf5_put_group(rill_hdf5_out *out, rill_hdf5_link *links, size_t link_count,
                             const rill_hdf5_attribute *attributes, size_t attribute_count);
void rill_hdf5_end(rill_hdf5_out *out, uint64_t root);

/* ---- reading ---- */

/* The bytes may be anything: each address is checked, and `work` bounds what is looked at, since a damaged file may go
 * round in circles. */
typedef struct rill_hdf5_in {
    const uint8_t *bytes;
    uint64_t size, work;
} rill_hdf5_in;

enum { RILL_HDF5_ATTRIBUTES_MAX = 64, RILL_HDF5_FILTERS_MAX = 4 };

/* What an object header says; what it does not say is zero, or RILL_HDF5_NONE for addresses. */
typedef struct rill_hdf5_object {
    uint64_t tree, heap; /* of a group */
    rill_hdf5_type type;
    uint32_t rank;
    uint64_t shape[2];
    bool chunked;
    uint64_t data; /* of the chunks' tree, or of the numbers side by side */
    uint64_t bytes; /* of numbers side by side */
    uint64_t chunk[2];
    uint32_t filters[RILL_HDF5_FILTERS_MAX], filter_count;
    uint32_t attribute_count;
    rill_hdf5_attribute attributes[RILL_HDF5_ATTRIBUTES_MAX];
} rill_hdf5_object;

/* The root group's address; RILL_HDF5_NONE when the bytes do not begin as a file that is written here. */
uint64_t rill_hdf5_open(rill_hdf5_in *in, const void *bytes, uint64_t size);

/* False when the bytes are damaged, or hold what no frame does. */
bool rill_hdf5_read_object(rill_hdf5_in *in, uint64_t address, rill_hdf5_object *object);

/* Calls back with each name in a group. False when damaged, or when `each` returns false. */
typedef bool rill_hdf5_each(void *user, const char *name, uint64_t address);
bool rill_hdf5_read_group(rill_hdf5_in *in, const rill_hdf5_object *group, rill_hdf5_each *each, void *user);

/* All numbers of a data set, rows side by side: shape[0] * shape[1] elements. False when damaged; *no_memory tells that
 * there is too little memory instead. */
bool rill_hdf5_read_numbers(rill_hdf5_in *in, const rill_hdf5_object *set, void *to, bool *no_memory);

/* NULL: not there. */
const rill_hdf5_attribute *rill_hdf5_attribute_find(const rill_hdf5_object *object, const char *name);

#endif

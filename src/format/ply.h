/* PLY (Turk 1994): what its readers and writers share. */
#ifndef RILL_FORMAT_PLY_H
#define RILL_FORMAT_PLY_H

#include "base/store.h"
#include "format/scalar.h"

/* How every file begins that rill writes. */
#define RILL_PLY_TOP "ply\nformat binary_little_endian 1.0\n"

const char *rill_ply_type_name(rill_scalar type);

/* The type of either name, such as uchar and uint8; false when there is none. */
bool rill_ply_type_find(const char *name, rill_scalar *type);

/* The lines of a header for a property of this many lanes. */
void rill_ply_property(rill_store *store, rill_scalar type, const char *name, uint32_t lanes);

/* Those for x, y and z, with something in front: "" for a position, n for a normal. */
void rill_ply_axes(rill_store *store, rill_scalar type, const char *front);

#endif

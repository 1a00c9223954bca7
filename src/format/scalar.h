/* Numbers in the bytes of a file, of any type and either byte order. */
#ifndef RILL_FORMAT_SCALAR_H
#define RILL_FORMAT_SCALAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef enum rill_scalar {
    RILL_SCALAR_I8,
    RILL_SCALAR_U8,
    RILL_SCALAR_I16,
    RILL_SCALAR_U16,
    RILL_SCALAR_I32,
    RILL_SCALAR_U32,
    RILL_SCALAR_I64,
    RILL_SCALAR_U64,
    RILL_SCALAR_F32,
    RILL_SCALAR_F64,
    RILL_SCALARS
} rill_scalar;

static inline size_t rill_scalar_size(rill_scalar type)
{
    static const unsigned char sizes[RILL_SCALARS] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    return sizes[type];
}

/* Up to eight bytes as a whole number. */
static inline uint64_t rill_scalar_bits(const unsigned char *bytes, size_t size, bool big)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++) bits |= (uint64_t)bytes[big ? size - 1 - i : i] << 8 * i;
    return bits;
}

static inline double rill_scalar_read(rill_scalar type, const unsigned char *bytes, bool big)
{
    float narrow;
    double wide;
    /* What nearly all files hold, on nearly all machines. */
    if (type == RILL_SCALAR_F32 && !big && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
        memcpy(&narrow, bytes, sizeof narrow);
        return narrow;
    }
    const uint64_t bits = rill_scalar_bits(bytes, rill_scalar_size(type), big);
    const uint32_t low = (uint32_t)bits;
    memcpy(&narrow, &low, sizeof narrow);
    memcpy(&wide, &bits, sizeof wide);
    switch (type) {
    case RILL_SCALAR_I8: return (int8_t)bits;
    case RILL_SCALAR_I16: return (int16_t)bits;
    case RILL_SCALAR_I32: return (int32_t)bits;
    case RILL_SCALAR_I64: return (double)(int64_t)bits;
    case RILL_SCALAR_F32: return narrow;
    case RILL_SCALAR_F64: return wide;
    default: return (double)bits;
    }
}

#endif

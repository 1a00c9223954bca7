/* Edits inside what zlib has shrunk, which plain edits would only damage. */
#ifndef RILL_TORTURE_ZIPPED_H
#define RILL_TORTURE_ZIPPED_H

#include <zlib.h>

#include "fuzz.h"

enum { FUZZ_UNZIPPED = 1 << 16 };

static inline uint32_t fuzz_u32(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline void fuzz_u32_set(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++) at[i] = (uint8_t)(value >> 8 * i);
}

/* How many bytes the stream at the start of data takes; 0 when there is none. *plain: what it holds, and its size. */
static inline size_t fuzz_unzip(const uint8_t *data, size_t size, uint8_t *plain, size_t *plain_size)
{
    z_stream z = {.next_in = (Bytef *)(uintptr_t)data, .avail_in = (uInt)size, .next_out = plain,
                  .avail_out = FUZZ_UNZIPPED};
    if (inflateInit(&z) != Z_OK) return 0;
    const bool good = inflate(&z, Z_FINISH) == Z_STREAM_END;
    *plain_size = z.total_out;
    const size_t taken = z.total_in;
    inflateEnd(&z);
    return good ? taken : 0;
}

/* Looks for a stream from some place on, edits what it holds and compresses it again: *begin and *old say where it lay
 * and how long it was, *now how long it has become. Returns the size of all, or 0 when there is no stream or no
 * room. */
static inline size_t fuzz_zipped_mutate(uint8_t *data, size_t size, size_t most, fuzz_random *random, bool keep_length,
                                        size_t *begin, size_t *old, size_t *now)
{
    static uint8_t plain[FUZZ_UNZIPPED], shrunk[FUZZ_UNZIPPED + 1024];
    const size_t start = size ? fuzz_below(random, (uint32_t)size) : 0;
    for (size_t i = 0; i < size; i++) {
        const size_t at = (start + i) % size;
        size_t plain_size;
        if (data[at] != 0x78 || !(*old = fuzz_unzip(data + at, size - at, plain, &plain_size))) continue;
        const size_t edited = LLVMFuzzerMutate(plain, plain_size, keep_length ? plain_size : FUZZ_UNZIPPED);
        if (keep_length && edited < plain_size) memset(plain + edited, 0, plain_size - edited);
        uLongf got = sizeof shrunk;
        if (compress2(shrunk, &got, plain, keep_length ? plain_size : edited, 9) != Z_OK) return 0;
        *begin = at;
        *now = got;
        if (size - *old + got > most) return 0;
        return fuzz_splice(data, size, most, at, at + *old, shrunk, got);
    }
    return 0;
}

#endif

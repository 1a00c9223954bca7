/* Pictures from PNG: edits of chunks and inside the shrunk pixels, with sums
 * that fit. */
#include "picture.h"
#include "zipped.h"

enum { SIGNATURE = 8, CHUNK = 12, IHDR = 13 };

static uint32_t length_at(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void big_set(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++) at[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* Where the next chunk begins; size when this is the last whole one. */
static size_t chunk_next(const uint8_t *data, size_t size, size_t at)
{
    if (size - at < CHUNK || length_at(data + at) > size - at - CHUNK) return size;
    return at + CHUNK + length_at(data + at);
}

static void sums_fix(uint8_t *data, size_t size)
{
    for (size_t at = SIGNATURE, next; at < size; at = next) {
        next = chunk_next(data, size, at);
        if (size - at < CHUNK || next - at < CHUNK || length_at(data + at) != next - at - CHUNK) return;
        big_set(data + next - 4, (uint32_t)crc32(0, data + at + 4, (uInt)(next - at - 8)));
    }
}

static size_t chunk_pick(const uint8_t *data, size_t size, fuzz_random *random)
{
    size_t count = 0, picked = SIGNATURE;
    for (size_t at = SIGNATURE; at < size; at = chunk_next(data, size, at))
        if (fuzz_below(random, (uint32_t)++count) == 0) picked = at;
    return picked;
}

static void header_mutate(uint8_t *data, fuzz_random *random)
{
    static const uint32_t small[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33};
    static const uint32_t large[] = {100, 1000, 25000, 65536, 1000000, 0x7fffffff, 0, 0xffffffff};
    const uint32_t side = fuzz_chance(random, 20) ? FUZZ_PICK(random, large) : FUZZ_PICK(random, small);
    static const uint8_t depths[] = {1, 2, 4, 8, 16, 0, 3}, kinds[] = {0, 2, 3, 4, 6, 1, 7};
    uint8_t *header = data + SIGNATURE + 8;
    switch (fuzz_below(random, 5)) {
    case 0: big_set(header, side); break;
    case 1: big_set(header + 4, side); break;
    case 2: header[8] = FUZZ_PICK(random, depths); break;
    case 3: header[9] = FUZZ_PICK(random, kinds); break;
    default: header[10 + fuzz_below(random, 3)] = (uint8_t)fuzz_below(random, 3);
    }
}

static size_t chunk_mutate(uint8_t *data, size_t size, size_t most, size_t at)
{
    const size_t next = chunk_next(data, size, at), length = length_at(data + at);
    if (next - at < CHUNK || length != next - at - CHUNK) return size;
    const size_t room = length + 64;
    uint8_t *edited = malloc(room);
    memcpy(edited, data + at + 8, length);
    const size_t now = LLVMFuzzerMutate(edited, length, room);
    const size_t result = fuzz_splice(data, size, most, at + 8, at + 8 + length, edited, now);
    if (result != size || now == length) big_set(data + at, (uint32_t)now);
    free(edited);
    return result;
}

static size_t chunk_insert(uint8_t *data, size_t size, size_t most, size_t at, fuzz_random *random)
{
    static const char *const kinds[] = {"PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "bKGD", "sBIT", "iCCP",
                                        "IDAT", "IEND", "IHDR", "zTXt", "tEXt", "abcd", "ABCD", "acTL"};
    uint8_t chunk[CHUNK + 48] = {0};
    const uint32_t length = fuzz_below(random, 17) * 3;
    big_set(chunk, length);
    memcpy(chunk + 4, FUZZ_PICK(random, kinds), 4);
    for (uint32_t i = 0; i < length && i < 48; i++) chunk[8 + i] = (uint8_t)fuzz_below(random, 256);
    return fuzz_splice(data, size, most, at, at, chunk, CHUNK + length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    picture_try(data, size);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    fuzz_random random = fuzz_random_from(seed);
    if (size < SIGNATURE + CHUNK + IHDR) return LLVMFuzzerMutate(data, size, most);
    const size_t at = chunk_pick(data, size, &random);
    switch (fuzz_below(&random, 8)) {
    case 0:
    case 1: header_mutate(data, &random); break;
    case 2: size = chunk_mutate(data, size, most, at); break;
    case 3: size = chunk_insert(data, size, most, at, &random); break;
    case 4: size = fuzz_splice(data, size, most, at, chunk_next(data, size, at), "", 0); break;
    case 5:
    case 6: {
        size_t begin, old, now;
        const size_t got = fuzz_zipped_mutate(data, size, most, &random, false, &begin, &old, &now);
        if (!got) break;
        size = got;
        if (begin >= SIGNATURE + 8 && length_at(data + begin - 8) == old) big_set(data + begin - 8, (uint32_t)now);
        break;
    }
    default: size = LLVMFuzzerMutate(data, size, most);
    }
    if (!fuzz_chance(&random, 16)) sums_fix(data, size);
    return size;
}

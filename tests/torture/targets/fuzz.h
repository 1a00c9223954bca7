/* What the fuzz targets share: libFuzzer's hooks, a way to complain, random
 * choices that its seed decides, and edits of bytes and of text. */
#ifndef RILL_TORTURE_FUZZ_H
#define RILL_TORTURE_FUZZ_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/* A promise that was not kept is a find, like a crash. */
#define FUZZ_CHECK(good, ...)                                                                                          \
    do {                                                                                                               \
        if (good) break;                                                                                               \
        fprintf(stderr, "Promise not kept (%s): ", #good);                                                             \
        fprintf(stderr, __VA_ARGS__);                                                                                  \
        fputc('\n', stderr);                                                                                           \
        abort();                                                                                                       \
    } while (0)

/* A copy with a zero byte behind it, as files are read; free it. */
static inline char *fuzz_copy(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text) abort();
    if (size) memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

/* What to do with an input besides reading it depends on the input alone. */
static inline uint32_t fuzz_hash(const uint8_t *data, size_t size)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < size; i++) hash = (hash ^ data[i]) * 16777619u;
    return hash ^ hash >> 15;
}

/* ---- random choices ---- */

typedef struct fuzz_random {
    uint64_t state;
} fuzz_random;

static inline fuzz_random fuzz_random_from(unsigned int seed)
{
    return (fuzz_random){seed * 0x9e3779b97f4a7c15u + 0x7f4a7c159e3779b9u};
}

/* 0 .. count - 1 */
static inline uint32_t fuzz_below(fuzz_random *random, uint32_t count)
{
    random->state ^= random->state << 13;
    random->state ^= random->state >> 7;
    random->state ^= random->state << 17;
    return (uint32_t)((random->state >> 32) * count >> 32);
}

static inline bool fuzz_chance(fuzz_random *random, uint32_t one_in)
{
    return fuzz_below(random, one_in) == 0;
}

#define FUZZ_PICK(random, list) ((list)[fuzz_below(random, (uint32_t)(sizeof(list) / sizeof *(list)))])

/* ---- output of makers, cut off where there is no more room ---- */

typedef struct fuzz_bytes {
    uint8_t *bytes;
    size_t size, most;
} fuzz_bytes;

static inline void fuzz_put(fuzz_bytes *out, const void *data, size_t size)
{
    const size_t room = out->most - out->size, part = size < room ? size : room;
    if (part) memcpy(out->bytes + out->size, data, part);
    out->size += part;
}

__attribute__((format(printf, 2, 3))) static inline void fuzz_print(fuzz_bytes *out, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fuzz_put(out, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

/* ---- edits ---- */

/* Bytes from a to b become the text; nothing happens where that does not fit. Returns the size. */
static inline size_t fuzz_splice(uint8_t *data, size_t size, size_t most, size_t a, size_t b, const void *text,
                                 size_t length)
{
    if (a > b || b > size || size - (b - a) + length > most) return size;
    uint8_t *kept = (uint8_t *)fuzz_copy(text, length);
    memmove(data + a + length, data + b, size - b);
    if (length) memcpy(data + a, kept, length);
    free(kept);
    return size - (b - a) + length;
}

static const char *const fuzz_numbers[] = {
    "0",    "-0",    "1",     "-1",        "2",          "3",      "0.5",    "0.1",    "1e-3",   "1e3",
    "10",   "100",   "255",   "256",       "65535",      "65536",  "1e6",    "1e9",    "1e-9",   "2147483647",
    "1e15", "1e-30", "1e30",  "1e38",      "3.5e38",     "1e-45",  "1e300",  "1e-300", "1e308",  "4294967295",
    "1e400", "-1e30", "nan",  "inf",       "-inf",       "1e99999", "0x10",  "1.",     ".5",     "9223372036854775807",
    "1.7976931348623157e308", "-9223372036854775808", "18446744073709551615", "18446744073709551616", "4294967296"};

static inline bool fuzz_is_number(uint8_t c)
{
    return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e';
}

/* A number of the text, from some place on; false when there is none. */
static inline bool fuzz_number_find(const uint8_t *data, size_t size, fuzz_random *random, size_t *a, size_t *b)
{
    size_t at = size ? fuzz_below(random, (uint32_t)size) : 0;
    while (at < size && !(data[at] >= '0' && data[at] <= '9')) at++;
    if (at >= size) return false;
    for (*a = at; *a > 0 && fuzz_is_number(data[*a - 1]); --*a) continue;
    for (*b = at; *b < size && fuzz_is_number(data[*b]); ++*b) continue;
    return true;
}

/* Some line of the text, with its end. */
static inline void fuzz_line_find(const uint8_t *data, size_t size, fuzz_random *random, size_t *a, size_t *b)
{
    *a = *b = size ? fuzz_below(random, (uint32_t)size) : 0;
    while (*a > 0 && data[*a - 1] != '\n') --*a;
    while (*b < size && data[*b] != '\n') ++*b;
    *b += *b < size;
}

/* An edit that suits text: another number, a word, lines doubled, dropped or moved. */
static inline size_t fuzz_text_mutate(uint8_t *data, size_t size, size_t most, fuzz_random *random,
                                      const char *const *words, size_t word_count)
{
    size_t a, b, c, d;
    switch (fuzz_below(random, 8)) {
    case 0:
    case 1: {
        const char *number = FUZZ_PICK(random, fuzz_numbers);
        if (!fuzz_number_find(data, size, random, &a, &b)) break;
        return fuzz_splice(data, size, most, a, b, number, strlen(number));
    }
    case 2: {
        const char *word = words[fuzz_below(random, (uint32_t)word_count)];
        a = b = fuzz_below(random, (uint32_t)size + 1);
        if (fuzz_chance(random, 2))
            while (b < size && ((data[b] | 32) >= 'a' && (data[b] | 32) <= 'z')) b++;
        return fuzz_splice(data, size, most, a, b, word, strlen(word));
    }
    case 3:
        fuzz_line_find(data, size, random, &a, &b);
        return fuzz_splice(data, size, most, a, b, "", 0);
    case 4:
        fuzz_line_find(data, size, random, &a, &b);
        fuzz_line_find(data, size, random, &c, &d);
        return fuzz_splice(data, size, most, c, c, data + a, b - a);
    default: break;
    }
    return LLVMFuzzerMutate(data, size, most);
}

#endif

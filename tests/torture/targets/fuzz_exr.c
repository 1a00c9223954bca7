/* Pictures from OpenEXR: edits of attributes and inside shrunk lines. */
#include "picture.h"
#include "zipped.h"

enum { MAGIC = 8, ATTRIBUTES = 40 };

typedef struct attribute {
    size_t name, type, data, size;
} attribute;

static bool word_pass(const uint8_t *data, size_t size, size_t *at)
{
    const uint8_t *end = *at < size ? memchr(data + *at, 0, size - *at) : NULL;
    if (!end) return false;
    *at = (size_t)(end - data) + 1;
    return true;
}

static uint32_t attributes_find(const uint8_t *data, size_t size, attribute *list)
{
    uint32_t count = 0;
    for (size_t at = MAGIC; count < ATTRIBUTES && at < size && data[at];) {
        attribute *a = &list[count];
        a->name = at;
        if (!word_pass(data, size, &at)) break;
        a->type = at;
        if (!word_pass(data, size, &at) || size - at < 4 || fuzz_u32(data + at) > size - at - 4) break;
        a->data = at + 4;
        a->size = fuzz_u32(data + at);
        at += 4 + a->size;
        count++;
    }
    return count;
}

static size_t attribute_mutate(uint8_t *data, size_t size, size_t most, fuzz_random *random)
{
    static const uint32_t small[] = {0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 63, 0xffffffff, 0xfffffff0};
    static const uint32_t large[] = {255, 1000, 65535, 65536, 1000000, 0x7fffffff, 0x80000000};
    attribute list[ATTRIBUTES];
    const uint32_t count = attributes_find(data, size, list);
    if (!count) return LLVMFuzzerMutate(data, size, most);
    const attribute *a = &list[fuzz_below(random, count)];
    const char *type = (const char *)data + a->type;
    if (!strcmp(type, "compression") && a->size) data[a->data] = (uint8_t)fuzz_below(random, 11);
    else if (!strcmp(type, "box2i") && a->size >= 16)
        fuzz_u32_set(data + a->data + 4 * fuzz_below(random, 4),
                     fuzz_chance(random, 20) ? FUZZ_PICK(random, large) : FUZZ_PICK(random, small));
    else if (!strcmp(type, "lineOrder") && a->size) data[a->data] = (uint8_t)fuzz_below(random, 4);
    else if (fuzz_chance(random, 4)) return fuzz_splice(data, size, most, a->name, a->data + a->size, "", 0);
    else LLVMFuzzerMutate(data + a->data, a->size, a->size);
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    picture_try(data, size);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    fuzz_random random = fuzz_random_from(seed);
    size_t begin, old, now;
    switch (fuzz_below(&random, 6)) {
    case 0:
    case 1: return attribute_mutate(data, size, most, &random);
    case 2:
    case 3: {
        const size_t got = fuzz_zipped_mutate(data, size, most, &random, fuzz_chance(&random, 2), &begin, &old, &now);
        if (!got) break;
        if (begin >= 4 && fuzz_u32(data + begin - 4) == old) fuzz_u32_set(data + begin - 4, (uint32_t)now);
        return got;
    }
    default: break;
    }
    return LLVMFuzzerMutate(data, size, most);
}

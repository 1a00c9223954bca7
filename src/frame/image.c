/* A frame as the bytes of an HDF5 file: what packing and unpacking share. */
#include "frame/image.h"

#include <string.h>

#include "frame/hdf5.h"

size_t rill_image_element(rill_array_type type)
{
    return type == RILL_F32 || type == RILL_U32 ? 4 : 8;
}

bool rill_image_name_good(const char *name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    return name[0] != '\0' && name[strspn(name, plain)] == '\0';
}

uint64_t rill_image_chunk(uint64_t count)
{
    if (count == 0) return 1;
    uint64_t chunks = (count + RILL_IMAGE_CHUNK - 1) / RILL_IMAGE_CHUNK;
    return (count + chunks - 1) / chunks;
}

uint64_t rill_image_end(const uint8_t *bytes, size_t size)
{
    uint64_t end;
    if (size < RILL_HDF5_SUPERBLOCK || memcmp(bytes, RILL_HDF5_SIGNATURE "\1", 9) != 0) return 0;
    memcpy(&end, bytes + RILL_HDF5_END_AT, sizeof end);
    return end;
}

/* Each step is a bijection of the sum and of the word, so that no change of one word can go unseen. */
static uint64_t sum_add(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
    return sum ^ sum >> 32;
}

rill_image_seal rill_image_seal_make(const uint8_t *bytes, size_t size)
{
    rill_image_seal seal = {.mark = "rillsum1", .sum = size};
    size_t at = 0;
    for (; at + sizeof(uint64_t) <= size; at += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, bytes + at, sizeof word);
        seal.sum = sum_add(seal.sum, word);
    }
    uint64_t rest = 0;
    memcpy(&rest, bytes + at, size - at);
    seal.sum = sum_add(seal.sum, rest);
    return seal;
}

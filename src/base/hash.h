/* Mixing of 64-bit words, for hashes of state and for keyed randomness. */
#ifndef RILL_BASE_HASH_H
#define RILL_BASE_HASH_H

#include <stdint.h>

/* A bijection on 64-bit words with good avalanche (xor-shift-multiply, three rounds). */
static inline uint64_t rill_hash_mix(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    return x;
}

static inline uint64_t rill_hash_add(uint64_t hash, uint64_t word)
{
    return rill_hash_mix(hash * 0x9e3779b97f4a7c15u + word + 0x632be59bd9b4e019u);
}

#endif

/* Random numbers that depend on nothing but what they are for: the seed of the scene, whom (an id), when (a step) and
 * which (a purpose and its number). There is no state to advance, so order, threads and restarts do not matter, and all
 * that is to be saved is the seed. */
#ifndef RILL_BASE_RANDOM_H
#define RILL_BASE_RANDOM_H

#include "base/hash.h"

/* What a number is drawn for, so that two uses never share one. */
typedef enum rill_purpose { RILL_RANDOM_JITTER } rill_purpose;

typedef struct rill_random_key {
    uint64_t seed, id, step;
    rill_purpose purpose;
} rill_random_key;

/* Evenly in [0, 1), in steps of 2^-53; numbers of the same key differ by `which`. */
static inline double rill_random(const rill_random_key *key, uint32_t which)
{
    uint64_t hash = rill_hash_add(rill_hash_add(key->seed, key->id), key->step);
    hash = rill_hash_add(hash, (uint64_t)key->purpose << 32 | which);
    return (double)(hash >> 11) * 0x1p-53;
}

#endif

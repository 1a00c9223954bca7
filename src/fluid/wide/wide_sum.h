/* Sums over the particles of a block, in vectors, that are the same in any grouping (run/sum.h). */
#ifndef RILL_FLUID_WIDE_SUM_H
#define RILL_FLUID_WIDE_SUM_H

#include "base/simd.h"
#include "fluid/set.h"

/* One sum, spread over the lanes. */
typedef struct vsum {
    vd high, low;
    double grid_high, grid_low;
    float cap;
    int32_t level;
} vsum;

/* The lowest level whose cap is an ordinary single-precision number. */
enum { VSUM_LEVEL_MIN = 34 };

RILL_INLINE void vsum_set_grid(vsum *s)
{
    const rill_sum_grid grid = rill_sum_grid_of(s->level);
    s->grid_high = grid.high;
    s->grid_low = grid.low;
    s->cap = grid.cap < 0x1p127 ? (float)grid.cap : INFINITY;
}

/* A sum of nothing that will be merged with another. */
RILL_INLINE vsum vsum_begin(const rill_sum *other)
{
    vsum s = {.level = other->level > VSUM_LEVEL_MIN ? other->level : VSUM_LEVEL_MIN};
    vsum_set_grid(&s);
    return s;
}

/* Makes room for larger numbers. */
static __attribute__((noinline, unused)) void vsum_raise(vsum *s, const vf *numbers)
{
    int32_t level = s->level;
    for (int l = 0; l < RILL_WIDTH; l++) {
        const int32_t wanted = rill_sum_level_of((*numbers)[l]);
        level = wanted > level ? wanted : level;
    }
    if (level == s->level) return;
    const vd zero = {0};
    s->low = level == s->level + 1 ? s->high : zero;
    s->high = zero;
    s->level = level;
    vsum_set_grid(s);
}

RILL_INLINE void vsum_add(vsum *s, vf numbers)
{
    const vf size = vf_max(numbers, -numbers);
    if (__builtin_expect(simd_below(size, vf_set(s->cap)) != simd_first(RILL_WIDTH), 0)) vsum_raise(s, &numbers);
    const vd all = __builtin_convertvector(numbers, vd), high = (all + s->grid_high) - s->grid_high;
    s->high += high;
    s->low += ((all - high) + s->grid_low) - s->grid_low;
}

/* Adds what the lanes hold to the sum they belong to. */
RILL_INLINE void vsum_end(const vsum *s, rill_sum *to)
{
    rill_sum sum = {.level = s->level};
    for (int l = 0; l < RILL_WIDTH; l++) {
        sum.high += s->high[l];
        sum.low += s->low[l];
    }
    rill_sum_merge(to, sum);
}

/* Keeps the largest of numbers that are never below zero; NaN is none. */
RILL_INLINE void tally_largest(rill_tally *tally, int which, vf numbers)
{
    for (int l = 0; l < RILL_WIDTH; l++)
        if (numbers[l] > tally->largest[which]) tally->largest[which] = numbers[l];
}

/* All bits set in the lanes of the group of particle i that are particles of the set's own: those that sums count. */
RILL_INLINE vi lanes_own(const rill_set *set, uint32_t i, uint32_t end)
{
    const uint32_t *owner = rill_field_u32(&set->fields, FIELD_OWNER);
    const vi there = vi_lanes() < (int32_t)(end - i);
    return __builtin_expect(owner == NULL, 1) ? there : there & ((vi)vu_load(owner + i) == 0);
}

#endif

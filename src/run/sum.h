/* Sums that come out the same in any order and any grouping: on any number of threads, with blocks of any size, and
 * later on several machines. All sums that steer a simulation or stand in its report are made this way.
 *
 * Every number is rounded to a grid that all numbers of the sum share, and sums of grid points are exact in double
 * precision. Grids come in levels, 24 bits apart. At level L numbers below 2^(24 L + 23) are split into a multiple of
 * 2^(24 L) and a multiple of 2^(24 (L - 1)), and what is left is dropped. The largest number of a sum sets its level,
 * so at least 24 bits of that one count.
 *
 * A sum that was made at a lower level is easily brought to a higher one: one level up, its high part is the low part
 * there, since rounding to a grid is the same whichever part is taken off first; two levels up and more, each of its
 * numbers would have been rounded to zero. That is why the grouping does not matter.
 *
 * Room for 2^29 numbers. One that is not finite, or beyond 2^983, makes the sum infinite. */
#ifndef RILL_RUN_SUM_H
#define RILL_RUN_SUM_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A sum so far; all zero is the sum of nothing. Levels count from the lowest, far below every number that matters. */
typedef struct rill_sum {
    double high, low;
    int32_t level;
} rill_sum;

enum { RILL_SUM_LEVELS = 81, RILL_SUM_ENDLESS = RILL_SUM_LEVELS };

/* 2^e for e within the range of doubles. */
static inline double rill_sum_power(int e)
{
    const uint64_t bits = (uint64_t)(1023 + e) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* Adding one of these to a number and taking it off again rounds the number to the grid: it leaves no room for bits
 * below. Numbers of a level are below its cap. */
typedef struct rill_sum_grid {
    double high, low, cap;
} rill_sum_grid;

static inline rill_sum_grid rill_sum_grid_of(int32_t level)
{
    if (level >= RILL_SUM_ENDLESS) return (rill_sum_grid){0, 0, INFINITY};
    const int e = 24 * (level - 40);
    return (rill_sum_grid){1.5 * rill_sum_power(52 + e), 1.5 * rill_sum_power(28 + e), rill_sum_power(23 + e)};
}

/* The lowest level that holds a number. */
static inline int32_t rill_sum_level_of(double number)
{
    int32_t level = 0;
    if (!isfinite(number)) return RILL_SUM_ENDLESS;
    while (level < RILL_SUM_LEVELS && !(fabs(number) < rill_sum_grid_of(level).cap)) level++;
    return level;
}

/* Brings a sum to a higher level. */
static inline void rill_sum_raise(rill_sum *sum, int32_t level)
{
    if (level <= sum->level) return;
    sum->low = level == sum->level + 1 ? sum->high : 0;
    sum->high = 0;
    sum->level = level;
}

static inline void rill_sum_merge(rill_sum *sum, rill_sum other)
{
    rill_sum_raise(sum, other.level);
    rill_sum_raise(&other, sum->level);
    sum->high += other.high;
    sum->low += other.low;
}

static inline double rill_sum_value(const rill_sum *sum)
{
    return sum->level >= RILL_SUM_ENDLESS ? INFINITY : sum->high + sum->low;
}

/* Adds one number; for what is rare. */
static inline void rill_sum_add(rill_sum *sum, double number)
{
    rill_sum one = {.level = rill_sum_level_of(number)};
    if (sum->level > one.level) one.level = sum->level;
    const rill_sum_grid grid = rill_sum_grid_of(one.level);
    one.high = (number + grid.high) - grid.high;
    one.low = ((number - one.high) + grid.low) - grid.low;
    rill_sum_merge(sum, one);
}

/* ---- four sums at once, number by number ---- */

typedef struct rill_sum_four {
    double high[4], low[4];
    double grid_high[4], grid_low[4], cap[4];
    int32_t level[4];
} rill_sum_four;

/* Begins four sums of nothing at the levels of others, which they will be merged with. */
static inline rill_sum_four rill_sum_four_begin(const rill_sum *others)
{
    rill_sum_four s = {0};
    for (int k = 0; k < 4; k++) {
        const rill_sum_grid grid = rill_sum_grid_of(others[k].level);
        s.grid_high[k] = grid.high;
        s.grid_low[k] = grid.low;
        s.cap[k] = grid.cap;
        s.level[k] = others[k].level;
    }
    return s;
}

static inline rill_sum rill_sum_four_get(const rill_sum_four *s, int k)
{
    return (rill_sum){s->high[k], s->low[k], s->level[k]};
}

/* Makes room for larger numbers. */
void rill_sum_four_raise(rill_sum_four *s, const double numbers[4]);

static inline void rill_sum_four_add(rill_sum_four *s, const double numbers[4])
{
    bool fits = true;
    for (int k = 0; k < 4; k++) fits &= fabs(numbers[k]) < s->cap[k];
    if (__builtin_expect(!fits, 0)) rill_sum_four_raise(s, numbers);
    for (int k = 0; k < 4; k++) {
        const double high = (numbers[k] + s->grid_high[k]) - s->grid_high[k];
        s->high[k] += high;
        s->low[k] += ((numbers[k] - high) + s->grid_low[k]) - s->grid_low[k];
    }
}

/* ---- what the blocks of a pass add up to ---- */

enum { RILL_TALLY_SUMS = 8, RILL_TALLY_LARGEST = 4, RILL_TALLY_COUNTS = 4 };

/* One a worker, and one for all together. None of its parts depends on the grouping. */
typedef struct rill_tally {
    rill_sum sums[RILL_TALLY_SUMS];
    double largest[RILL_TALLY_LARGEST]; /* of numbers that are never below zero */
    uint64_t counts[RILL_TALLY_COUNTS];
    uint64_t first;     /* the smallest key that was put, plus one; 0: none was */
    double of_first[4]; /* what was put with it */
} __attribute__((aligned(64))) rill_tally;

void rill_tally_merge(rill_tally *tally, const rill_tally *other);

/* Keeps the numbers if their key is the smallest so far. */
static inline void rill_tally_put(rill_tally *tally, uint64_t key, const double numbers[4])
{
    if (tally->first && tally->first <= key + 1) return;
    tally->first = key + 1;
    memcpy(tally->of_first, numbers, sizeof tally->of_first);
}

static inline void rill_tally_add_four(rill_tally *tally, int first, const rill_sum_four *four)
{
    for (int k = 0; k < 4; k++) rill_sum_merge(&tally->sums[first + k], rill_sum_four_get(four, k));
}

static inline double rill_tally_sum(const rill_tally *tally, int which)
{
    return rill_sum_value(&tally->sums[which]);
}

#endif

/* Sums that come out the same in any grouping. */
#include "run/sum.h"

void rill_sum_four_raise(rill_sum_four *s, const double numbers[4])
{
    for (int k = 0; k < 4; k++) {
        rill_sum sum = rill_sum_four_get(s, k);
        rill_sum_raise(&sum, rill_sum_level_of(numbers[k]));
        const rill_sum_grid grid = rill_sum_grid_of(sum.level);
        s->high[k] = sum.high;
        s->low[k] = sum.low;
        s->level[k] = sum.level;
        s->grid_high[k] = grid.high;
        s->grid_low[k] = grid.low;
        s->cap[k] = grid.cap;
    }
}

void rill_tally_merge(rill_tally *tally, const rill_tally *other)
{
    for (int k = 0; k < RILL_TALLY_SUMS; k++) rill_sum_merge(&tally->sums[k], other->sums[k]);
    for (int k = 0; k < RILL_TALLY_LARGEST; k++)
        if (other->largest[k] > tally->largest[k]) tally->largest[k] = other->largest[k];
    for (int k = 0; k < RILL_TALLY_COUNTS; k++) tally->counts[k] += other->counts[k];
    if (other->first) rill_tally_put(tally, other->first - 1, other->of_first);
}

/* What bodies do to the liquid, as passes read it. */
#ifndef RILL_FLUID_WIDE_TOUCH_H
#define RILL_FLUID_WIDE_TOUCH_H

#include "fluid/wide/wide.h"

/* The rows of a group: first <= row < last. */
typedef struct touch_rows {
    uint32_t first, last;
} touch_rows;

RILL_INLINE touch_rows touches_at(const rill_sph *sph, uint32_t i)
{
    const uint32_t *first = sph->touches.first + i / RILL_WIDTH;
    return (touch_rows){first[0], first[1]};
}

/* A row of a part. */
RILL_INLINE float *touch_at(const rill_sph *sph, rill_touch_part part, uint32_t row)
{
    return sph->touches.part[part] + (size_t)row * rill_touch_numbers[part] * RILL_WIDTH;
}

/* Three numbers of a row, and one. */
RILL_INLINE vec touch_vec(const float *record, int first)
{
    return (vec){vf_load(record + first * RILL_WIDTH), vf_load(record + (first + 1) * RILL_WIDTH),
                 vf_load(record + (first + 2) * RILL_WIDTH)};
}

RILL_INLINE void touch_store(float *record, int first, vec v)
{
    vf_store(record + first * RILL_WIDTH, v.x);
    vf_store(record + (first + 1) * RILL_WIDTH, v.y);
    vf_store(record + (first + 2) * RILL_WIDTH, v.z);
}

/* lambda, G, and the walls' part of the divergence. */
RILL_INLINE vf touch_weight(const rill_sph *sph, uint32_t row)
{
    return vf_load(touch_at(sph, TOUCH_SUMS, row));
}

RILL_INLINE vec touch_slope(const rill_sph *sph, uint32_t row)
{
    return touch_vec(touch_at(sph, TOUCH_SUMS, row), 1);
}

RILL_INLINE vf touch_carried(const rill_sph *sph, uint32_t row)
{
    return vf_load(touch_at(sph, TOUCH_SUMS, row) + 4 * RILL_WIDTH);
}

/* Over all bodies that the group of particle i touches: lambda ... */
RILL_INLINE vf touches_weight(const rill_sph *sph, uint32_t i)
{
    vf sum = {0};
    for (touch_rows r = touches_at(sph, i); r.first < r.last; r.first++) sum += touch_weight(sph, r.first);
    return sum;
}

/* ... G ... */
RILL_INLINE vec touches_slope(const rill_sph *sph, uint32_t i)
{
    vec sum = {0};
    for (touch_rows r = touches_at(sph, i); r.first < r.last; r.first++) {
        const vec G = touch_slope(sph, r.first);
        sum = (vec){sum.x + G.x, sum.y + G.y, sum.z + G.z};
    }
    return sum;
}

/* ... and sum_b f_ib (v_i - u_b).(x_i - x_b). */
RILL_INLINE vf touches_divergence(const rill_sph *sph, uint32_t i, const vrec *v)
{
    vf sum = {0};
    for (touch_rows r = touches_at(sph, i); r.first < r.last; r.first++)
        sum += vec_dot((vec){v->x, v->y, v->z}, touch_slope(sph, r.first)) - touch_carried(sph, r.first);
    return sum;
}

/* Notes that a body gives this velocity. */
RILL_INLINE void touch_give(const rill_sph *sph, uint32_t row, vec v)
{
    float *given = touch_at(sph, TOUCH_GIVEN, row);
    const vec old = touch_vec(given, 0);
    touch_store(given, 0, (vec){old.x + v.x, old.y + v.y, old.z + v.z});
}

/* ... and how many wall particles there are. */
RILL_INLINE vf touches_count(const rill_sph *sph, uint32_t i)
{
    vf count = {0};
    for (touch_rows r = touches_at(sph, i); r.first < r.last; r.first++)
        count += vf_load(touch_at(sph, TOUCH_SUMS, r.first) + 5 * RILL_WIDTH);
    return count;
}

/* All that each particle of a group has near it, liquid and walls. */
RILL_INLINE vf touches_neighbours(const rill_sph *sph, uint32_t i)
{
    return __builtin_convertvector((vi)vu_load(sph->lists.count + i), vf) + touches_count(sph, i);
}

#endif

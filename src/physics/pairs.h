/* Sums over neighbours that several solvers share, in vectors. */
#ifndef RILL_PHYSICS_PAIRS_H
#define RILL_PHYSICS_PAIRS_H

#include "fluid/wide/wide.h"

/* sum_j f_ij (v_i - v_j).(x_i - x_j), which is the rate of change of D / V0. With
 * walls the factors hold psi already. */
RILL_INLINE vf pairs_divergence(const rill_group *g, const vrec *xi, const vrec *vi_, const float *position,
                                const float *velocity, bool periodic, const period *p)
{
    vf sum = {0};
    for (uint32_t k = 0; k < g->length; k++) {
        group_prefetch(g, k);
        const uint32_t *offsets = g->offsets + (size_t)k * RILL_WIDTH;
        const vrec xj = vrec_gather(position, offsets), vj = vrec_gather(velocity, offsets);
        const vec d = pair_difference(xi, &xj, periodic, p);
        sum += vf_load(g->factors + (size_t)k * RILL_WIDTH) * vec_dot(vec_difference(vi_, &vj), d);
    }
    return sum;
}

/* sum_j f_ij (own + w_j) (x_i - x_j), with w_j the neighbour's fourth lane. */
RILL_INLINE vec pairs_gradient(const rill_group *g, const vrec *xi, vf own, const float *position, bool periodic,
                               const period *p)
{
    vec sum = {0};
    for (uint32_t k = 0; k < g->length; k++) {
        group_prefetch(g, k);
        const vrec xj = vrec_gather(position, g->offsets + (size_t)k * RILL_WIDTH);
        const vec d = pair_difference(xi, &xj, periodic, p);
        const vf s = vf_load(g->factors + (size_t)k * RILL_WIDTH) * (own + xj.w);
        sum.x += s * d.x;
        sum.y += s * d.y;
        sum.z += s * d.z;
    }
    return sum;
}

/* One value per particle from a table by fluid. */
RILL_INLINE vf by_fluid(const rill_sph *sph, const float *table, uint32_t i)
{
    if (sph->fluid_count == 1) return vf_set(table[0]);
    const uint32_t *fluid = rill_field_u32(&sph->fields, FIELD_FLUID);
    vf values = vf_set(table[0]);
    for (uint32_t l = 0; l < RILL_WIDTH && i + l < sph->fields.count; l++) values[l] = table[fluid[i + l]];
    return values;
}

#endif

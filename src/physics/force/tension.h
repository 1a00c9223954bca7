/* What both models of surface tension sum: gradients of the colour, which is one in the liquid and zero outside, with
 * sigma_ij the smaller of both particles' and the share of the adhesion for walls. */
#ifndef RILL_PHYSICS_TENSION_H
#define RILL_PHYSICS_TENSION_H

#include "physics/method.h"
#include "physics/pairs.h"

/* Hands every particle's sigma to its neighbours, in the position's fourth lane. */
RILL_INLINE void tension_share(const rill_sph *sph, const rill_pass_block *block)
{
    const uint32_t *fluid = rill_field_u32(&sph->liquid.fields, FIELD_FLUID);
    float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    for (size_t i = block->begin; i < block->end; i++) position[4 * i + 3] = sph->tension[fluid[i]];
}

/* sum_j sigma_ij nabla W_ij of the group of particle i, over liquid and walls; uniform: one tension for all. */
RILL_INLINE vec tension_gradient(const rill_sph *sph, uint32_t i, const vrec *xi, vf sigma, bool uniform, bool periodic,
                                 const period *p)
{
    const float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    const rill_group list = group_at(&sph->lists, i);
    vec g = {0};
    for (uint32_t k = 0; k < list.length; k++) {
        const vrec xj = group_gather(&list, k, position);
        const vec d = pair_difference(xi, &xj, periodic, p);
        const vf w = uniform ? sigma : vf_min(sigma, xj.w), s = w * vf_load(list.factors + (size_t)k * RILL_WIDTH);
        g.x += s * d.x;
        g.y += s * d.y;
        g.z += s * d.z;
    }
    const vec G = touches_slope(sph, i);
    const vf grip = sigma * by_fluid(sph, sph->adhesion, i);
    return (vec){g.x + grip * G.x, g.y + grip * G.y, g.z + grip * G.z};
}

#endif

/* Sums over neighbours that several solvers share, in vectors, and the few passes around them. */
#ifndef RILL_PHYSICS_PAIRS_H
#define RILL_PHYSICS_PAIRS_H

#include "fluid/wide/pair_kernels.h"
#include "fluid/wide/touch.h"

/* sum_j f_ij (v_i - v_j).(x_i - x_j), which is the rate of change of D / V0. */
RILL_INLINE vf pairs_divergence(const rill_group *g, const vrec *xi, const vrec *vi_, const float *position,
                                const float *velocity, bool periodic, const period *p)
{
    vf sum = {0};
    for (uint32_t k = 0; k < g->length; k++) {
        group_prefetch(g, k);
        const vrec xj = group_gather(g, k, position), vj = group_gather(g, k, velocity);
        const vec d = pair_difference(xi, &xj, periodic, p);
        sum += vf_load(g->factors + (size_t)k * RILL_WIDTH) * vec_dot(vec_difference(vi_, &vj), d);
    }
    return sum;
}

/* sum_j f_ij (w_i + w_j) (x_i - x_j), with w the fourth lane of a record. */
RILL_INLINE vec pairs_gradient(const rill_group *g, const vrec *xi, const float *records, bool periodic,
                               const period *p)
{
    vec sum = {0};
    for (uint32_t k = 0; k < g->length; k++) {
        group_prefetch(g, k);
        const vrec xj = group_gather(g, k, records);
        const vec d = pair_difference(xi, &xj, periodic, p);
        const vf s = vf_load(g->factors + (size_t)k * RILL_WIDTH) * (xi->w + xj.w);
        sum.x += s * d.x;
        sum.y += s * d.y;
        sum.z += s * d.z;
    }
    return sum;
}

/* What the diagonal of a pressure operator is made of. */
typedef struct pair_moments {
    vec sum;    /* sum_j f d */
    vf squares; /* sum_j s_j |f d|^2 */
} pair_moments;

RILL_INLINE void pair_moments_add(pair_moments *m, vf f, vec d, vf s)
{
    const vec w = {f * d.x, f * d.y, f * d.z};
    m->sum.x += w.x;
    m->sum.y += w.y;
    m->sum.z += w.z;
    m->squares += s * vec_dot(w, w);
}

/* sum f (x_i - x_j) */
RILL_INLINE vec pairs_slope(const rill_group *g, const vrec *xi, const float *position, bool periodic, const period *p)
{
    pair_moments m = {0};
    for (uint32_t k = 0; k < g->length; k++) {
        const vrec xj = group_gather(g, k, position);
        const vec d = pair_difference(xi, &xj, periodic, p);
        pair_moments_add(&m, vf_load(g->factors + (size_t)k * RILL_WIDTH), d, (vf){0});
    }
    return m.sum;
}

/* Hands every particle's s = rho_ref/rho0 to its neighbours, in the fourth lane of its position. */
RILL_INLINE void pairs_share_ratios(const rill_sph *sph, uint32_t begin, uint32_t end)
{
    const uint32_t *fluid = rill_field_u32(&sph->liquid.fields, FIELD_FLUID);
    float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    for (size_t i = begin; i < end; i++) position[4 * i + 3] = sph->rest_density[0] / sph->rest_density[fluid[i]];
}

/* The rows in which every lane has a neighbour. */
RILL_INLINE uint32_t pairs_full_rows(const rill_group *g, const uint32_t *counts)
{
    uint32_t full = g->length;
    for (uint32_t l = 0; l < RILL_WIDTH; l++) full = counts[l] < full ? counts[l] : full;
    return full;
}

/* Adds the rows k to `end`, at the places in `position`; with `masked`, some lanes hold padding. */
RILL_INLINE pair_shapes pairs_shape_rows(const pair_kernels *kernels, const rill_group *g, uint32_t k, uint32_t end,
                                         const vrec *xi, const float *position, vi counts, bool masked, pair_shapes sum,
                                         bool cubic, bool periodic, const period *p)
{
    for (; k < end; k++) {
        places_prefetch(g, k);
        const vrec xj = group_gather(g, k, position);
        const vf one = vf_set(1), psi = masked ? vf_mask((int32_t)k < counts, one) : one;
        pair_shapes_add(&sum, pair_square(kernels, pair_difference(xi, &xj, periodic, p)), psi, cubic);
    }
    return sum;
}

/* D of the group of particle i at xi, as far as its fluid neighbours at `position` and itself make it up. */
RILL_INLINE vf pairs_compression(const rill_sph *sph, const pair_kernels *kernels, uint32_t i, const vrec *xi,
                                 const float *position, bool cubic, bool periodic, const period *p)
{
    const rill_group g = group_at(&sph->lists, i);
    const uint32_t full = pairs_full_rows(&g, sph->lists.count + i);
    const vi counts = (vi)vu_load(sph->lists.count + i);
    pair_shapes sum = pair_shapes_self(cubic);
    sum = pairs_shape_rows(kernels, &g, 0, full, xi, position, counts, false, sum, cubic, periodic, p);
    sum = pairs_shape_rows(kernels, &g, full, g.length, xi, position, counts, true, sum, cubic, periodic, p);
    return pair_shapes_sum(sum) * (kernels->w_scale * (float)sph->volume);
}

/* sum |nabla W|^2 around a particle of the rest lattice, 1/m^8 */
RILL_INLINE double pairs_lattice_squares(const rill_sph *sph)
{
    const double d = sph->diameter, h = sph->support;
    const int reach = (int)ceil(h / d);
    double sum = 0;
    for (int x = -reach; x <= reach; x++)
        for (int y = -reach; y <= reach; y++)
            for (int z = -reach; z <= reach; z++) {
                const double r = d * sqrt(x * x + y * y + z * z);
                if (!(r > 0) || r >= h) continue;
                const double slope = rill_kernel_slope(rill_kernel_of_gradient(sph->kernel), r, h);
                sum += slope * slope;
            }
    return sum;
}

#endif

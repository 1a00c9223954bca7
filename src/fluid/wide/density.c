/* Density by summation, and the pair factors that later passes reuse. Walls have left their part, lambda, in touch.h.
 *   D_i = V0 (W(0) + sum_j W_ij) + sum lambda
 *   f_ij = (dW/dr) / r, so that nabla_i W_ij = f_ij (x_i - x_j) */
#include "fluid/wide/pair_kernels.h"
#include "fluid/wide/touch.h"

typedef struct job {
    const rill_density_job *density;
    rill_sph *sph;
    pair_kernels k;
    period p;
} job;

/* The k-th pairs of a group: q^2, one where lanes hold padding. */
RILL_INLINE vf row_of(const job *j, const rill_group *g, uint32_t k, const vrec *xi, const float *position, vi counts,
                      bool masked, bool periodic)
{
    places_prefetch(g, k);
    const vrec xj = group_gather(g, k, position);
    const vf q2 = pair_square(&j->k, pair_difference(xi, &xj, periodic, &j->p));
    return masked ? vf_select((int32_t)k < counts, q2, vf_set(1)) : q2;
}

/* Adds W of a row and leaves f in the list. */
RILL_INLINE pair_shapes sum_row(const job *j, vf q2, float *factors, pair_shapes sum, bool cubic)
{
    simd_prefetch_write((const char *)factors + PREFETCH_AHEAD);
    const vf slope = pair_shapes_add(&sum, q2, vf_set(1), cubic);
    vf_store(factors, (j->k.f_scale / vf_sqrt(q2)) * slope);
    return sum;
}

/* The rows k to `end`; the flags are constants wherever this is inlined. A row's distances are found while the one
 * before is summed, which halves what a row has to wait for; the group is copied, so that no store can change it. */
RILL_INLINE pair_shapes sum_rows(const job *j, const rill_group *group, uint32_t k, uint32_t end, const vrec *xi,
                                 const float *position, vi counts, pair_shapes sum, bool masked, bool cubic,
                                 bool periodic)
{
    if (k >= end) return sum;
    const rill_group g = *group;
    float *factors = g.factors + (size_t)k * RILL_WIDTH;
    vf q2 = row_of(j, &g, k, xi, position, counts, masked, periodic);
    for (k++; k < end; k++, factors += RILL_WIDTH) {
        const vf next = row_of(j, &g, k, xi, position, counts, masked, periodic);
        sum = sum_row(j, q2, factors, sum, cubic);
        q2 = next;
    }
    return sum_row(j, q2, factors, sum, cubic);
}

/* The rows in which every lane has a neighbour need no mask. */
RILL_INLINE pair_shapes sum_group(const job *j, const rill_group *g, const vrec *xi, const float *position,
                                  const uint32_t *counts, bool cubic, bool periodic)
{
    uint32_t full = g->length;
    for (uint32_t l = 0; l < RILL_WIDTH; l++) full = counts[l] < full ? counts[l] : full;
    const vi lanes = (vi)vu_load(counts);
    const pair_shapes sum =
        sum_rows(j, g, 0, full, xi, position, lanes, pair_shapes_self(cubic), false, cubic, periodic);
    return sum_rows(j, g, full, g->length, xi, position, lanes, sum, true, cubic, periodic);
}

RILL_INLINE void density_block(const job *j, const rill_pass_block *block, bool cubic, bool periodic)
{
    rill_sph *sph = j->sph;
    float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    float *velocity = rill_field_f32(&sph->liquid.fields, FIELD_VELOCITY);
    float *compression = rill_field_f32(&sph->liquid.fields, FIELD_COMPRESSION);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const rill_group g = group_at(&sph->lists, i);
        const vrec xi = vrec_load(position + 4 * (size_t)i);
        const pair_shapes sum = sum_group(j, &g, &xi, position, sph->lists.count + i, cubic, periodic);
        vf D;
        if (j->density->keep_compression) {
            D = vf_load(compression + i);
        } else {
            D = pair_shapes_sum(sum) * (j->k.w_scale * (float)sph->volume) + touches_weight(sph, i);
            vf_store(compression + i, D);
        }
        for (uint32_t l = 0; l < RILL_WIDTH; l++) velocity[4 * (size_t)(i + l) + 3] = D[l];
    }
}

static void density_body(void *context, const rill_pass_block *block)
{
    const rill_density_job *density = context;
    rill_sph *sph = density->sph;
    const job j = {density, sph, pair_kernels_of(sph), period_of(&sph->grid)};
    const bool cubic = sph->kernel == RILL_KERNEL_CUBIC, periodic = sph->grid.periodic;
    if (cubic && !periodic) density_block(&j, block, true, false);
    else if (cubic) density_block(&j, block, true, true);
    else if (!periodic) density_block(&j, block, false, false);
    else density_block(&j, block, false, true);
}

const rill_fluid_ops RILL_WIDE(rill_fluid_ops) = {
    RILL_PASTE(RILL_IS, RILL_VARIANT), RILL_WIDTH, &RILL_WIDE(rill_cell_ops), RILL_WIDE(rill_list_build_block),
    density_body, RILL_WIDE(rill_measure_block)};

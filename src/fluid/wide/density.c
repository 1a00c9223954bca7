/* Density by summation, and the pair factors that later passes reuse.
 *   D_i = V0 (W(0) + sum_j W_ij + sum_b psi_b W_ib)
 *   f_ij = (dW/dr) / r, so that nabla_i W_ij = f_ij (x_i - x_j) */
#include "fluid/wide/pair_kernels.h"

typedef struct job {
    const rill_density_job *density;
    rill_sph *sph;
    pair_kernels k;
    period p;
} job;

/* What a row of pairs is summed with. */
typedef struct row_kind {
    bool wall;     /* neighbours are wall particles and count psi, their fourth lane */
    bool masked;   /* some lanes hold padding */
    bool cubic, periodic;
} row_kind;

/* The k-th pairs of a group: q^2, and psi of walls. */
typedef struct row {
    vf q2, psi;
} row;

RILL_INLINE row row_of(const job *j, const rill_group *g, uint32_t k, const vrec *xi, const float *position, vi counts,
                       row_kind kind)
{
    places_prefetch(g, k);
    const vrec xj = group_gather(g, k, position);
    const vec d = pair_difference(xi, &xj, kind.periodic, &j->p);
    const vf q2 = pair_square(&j->k, d);
    const vf psi = kind.wall ? xj.w * j->sph->wall_weight : vf_set(1);
    return (row){kind.masked ? vf_select((int32_t)k < counts, q2, vf_set(1)) : q2, psi};
}

/* Adds W of a row and leaves f in the list. */
RILL_INLINE pair_shapes sum_row(const job *j, row r, float *factors, pair_shapes sum, row_kind kind)
{
    simd_prefetch_write((const char *)factors + PREFETCH_AHEAD);
    const vf slope = pair_shapes_add(&sum, r.q2, r.psi, kind.cubic);
    vf_store(factors, (j->k.f_scale / vf_sqrt(r.q2)) * slope);
    return sum;
}

/* The rows k to `end`; the kind is a constant wherever this is inlined. A row's distances are found while the one
 * before is summed, which halves what a row has to wait for; the group is copied, so that no store can change it. */
RILL_INLINE pair_shapes sum_rows(const job *j, const rill_group *group, uint32_t k, uint32_t end, const vrec *xi,
                          const float *position, vi counts, pair_shapes sum, row_kind kind)
{
    if (k >= end) return sum;
    const rill_group g = *group;
    float *factors = g.factors + (size_t)k * RILL_WIDTH;
    row r = row_of(j, &g, k, xi, position, counts, kind);
    for (k++; k < end; k++, factors += RILL_WIDTH) {
        const row next = row_of(j, &g, k, xi, position, counts, kind);
        sum = sum_row(j, r, factors, sum, kind);
        r = next;
    }
    return sum_row(j, r, factors, sum, kind);
}

/* The rows in which every lane has a neighbour need no mask. */
RILL_INLINE pair_shapes sum_group(const job *j, const rill_group *g, const vrec *xi, const float *position,
                           const uint32_t *counts, pair_shapes sum, bool wall, bool cubic, bool periodic)
{
    uint32_t full = g->length;
    for (uint32_t l = 0; l < RILL_WIDTH; l++) full = counts[l] < full ? counts[l] : full;
    const vi lanes = (vi)vu_load(counts);
    sum = sum_rows(j, g, 0, full, xi, position, lanes, sum, (row_kind){wall, false, cubic, periodic});
    return sum_rows(j, g, full, g->length, xi, position, lanes, sum, (row_kind){wall, true, cubic, periodic});
}

RILL_INLINE void density_block(const job *j, const rill_pass_block *block, bool cubic, bool periodic)
{
    rill_sph *sph = j->sph;
    float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    float *velocity = rill_field_f32(&sph->liquid.fields, FIELD_VELOCITY);
    float *compression = rill_field_f32(&sph->liquid.fields, FIELD_COMPRESSION);
    const pair_shapes own = pair_shapes_self(cubic);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const rill_group g = group_at(&sph->lists, i);
        const vrec xi = vrec_load(position + 4 * (size_t)i);
        pair_shapes sum = sum_group(j, &g, &xi, position, sph->lists.count + i, own, false, cubic, periodic);
        const rill_group wall = group_at(&sph->wall_lists, i);
        if (wall.length)
            sum = sum_group(j, &wall, &xi, rill_walls_position(sph), sph->wall_lists.count + i, sum, true, cubic,
                            periodic);
        vf D = pair_shapes_sum(sum) * (j->k.w_scale * (float)sph->volume);
        if (j->density->keep_compression) D = vf_load(compression + i);
        else vf_store(compression + i, D);
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

/* Density by summation, and the pair factors that later passes reuse.
 *   D_i = V0 (W(0) + sum_j W_ij + sum_b psi_b W_ib)
 *   f_ij = (dW/dr) / r, so that nabla_i W_ij = f_ij (x_i - x_j) */
#include "fluid/wide/wide.h"

typedef struct kernels {
    vf inverse_h2; /* 1/h^2 */
    vf w_scale;    /* W = w_scale * shape(q) */
    vf f_scale;    /* f = f_scale * slope(q)/q */
    vf smallest;   /* added to r^2: keeps coincident particles finite */
} kernels;

typedef struct job {
    const rill_density_job *density;
    rill_sph *sph;
    kernels k;
    period p;
} job;

static kernels kernels_of(const rill_sph *sph)
{
    const double h = sph->support;
    return (kernels){
        .inverse_h2 = vf_set((float)(1 / (h * h))),
        .w_scale = vf_set((float)rill_kernel_scale(rill_kernel_of_density(sph->kernel), h)),
        .f_scale = vf_set((float)(rill_kernel_scale(rill_kernel_of_gradient(sph->kernel), h) / (h * h))),
        .smallest = vf_set((float)(1e-12 * h * h)),
    };
}

/* Sums W over one group's list (times the w lane of the neighbour for walls) and leaves f in the list. */
RILL_INLINE vf sum_group(const job *j, const rill_group *g, const vrec *xi, const float *position, vi counts, bool wall,
                         bool cubic, bool periodic)
{
    vf sum = {0};
    const uint32_t *offsets = g->offsets;
    float *factors = g->factors;
    const uint32_t length = g->length;
    for (uint32_t k = 0; k < length; k++, offsets += RILL_WIDTH, factors += RILL_WIDTH) {
        simd_prefetch((const char *)offsets + PREFETCH_AHEAD);
        const vrec xj = vrec_gather(position, offsets);
        const vec d = pair_difference(xi, &xj, periodic, &j->p);
        const vi real = (int32_t)k < counts;
        const vf r2 = d.x * d.x + (d.y * d.y + (d.z * d.z + j->k.smallest));
        const vf q = vf_sqrt(r2 * j->k.inverse_h2);
        vf w = cubic ? cubic_shape_vf(q) : poly6_shape_vf(q);
        vf f = j->k.f_scale * (cubic ? cubic_slope_vf(q) : spiky_slope_vf(q)) / q;
        if (wall) {
            /* Padding is the particle itself among fluid, where f does no harm, but some other one among walls. */
            w *= xj.w;
            f = vf_mask(real, f * xj.w);
        }
        sum += vf_mask(real, w);
        vf_store(factors, f);
    }
    return sum;
}

RILL_INLINE void density_block(const job *j, uint32_t begin, uint32_t end, bool cubic, bool periodic)
{
    rill_sph *sph = j->sph;
    float *position = rill_field_f32(&sph->fields, FIELD_POSITION);
    float *velocity = rill_field_f32(&sph->fields, FIELD_VELOCITY);
    float *compression = rill_field_f32(&sph->fields, FIELD_COMPRESSION);
    const vf own = cubic ? cubic_shape_vf((vf){0}) : poly6_shape_vf((vf){0});
    for (uint32_t i = begin; i < end; i += RILL_WIDTH) {
        const rill_group *g = &sph->lists.group[i / RILL_WIDTH];
        const vrec xi = vrec_load(position + 4 * (size_t)i);
        const vi counts = (vi)vu_load(sph->lists.count + i);
        vf sum = own + sum_group(j, g, &xi, position, counts, false, cubic, periodic);
        const rill_group *wall = &sph->wall_lists.group[i / RILL_WIDTH];
        if (wall->length) {
            const vi wall_counts = (vi)vu_load(sph->wall_lists.count + i);
            sum += sum_group(j, wall, &xi, sph->walls.position, wall_counts, true, cubic, periodic);
        }
        vf D = sum * (j->k.w_scale * (float)sph->volume);
        if (j->density->keep_compression) D = vf_load(compression + i);
        else vf_store(compression + i, D);
        for (uint32_t l = 0; l < RILL_WIDTH; l++) velocity[4 * (size_t)(i + l) + 3] = D[l];
    }
}

static void density_body(void *context, uint32_t begin, uint32_t end, unsigned worker)
{
    (void)worker;
    const rill_density_job *density = context;
    rill_sph *sph = density->sph;
    const job j = {density, sph, kernels_of(sph), period_of(&sph->grid)};
    const bool cubic = sph->kernel == RILL_KERNEL_CUBIC, periodic = sph->grid.periodic;
    if (cubic && !periodic) density_block(&j, begin, end, true, false);
    else if (cubic) density_block(&j, begin, end, true, true);
    else if (!periodic) density_block(&j, begin, end, false, false);
    else density_block(&j, begin, end, false, true);
}

const rill_fluid_ops RILL_WIDE(rill_fluid_ops) = {
    RILL_PASTE(RILL_IS, RILL_VARIANT), RILL_WIDTH, RILL_WIDE(rill_list_build_block), density_body};

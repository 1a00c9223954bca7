/* What the liquid of a block adds up to: energies, volume, momentum, top speed.
 *   kinetic s v^2/2,  potential -s g.x,  volume 1/D of what is not stretched,  momentum s v,
 * with s = rho0/rho_ref, so that single precision holds them at any scale; the caller knows rho_ref V0. */
#include "fluid/wide/wide.h"

/* Three sums at a time, which is what fits into registers. */
typedef struct three {
    vsum sum[3];
} three;

RILL_INLINE three three_begin(const rill_tally *tally, int first)
{
    three t;
    for (int k = 0; k < 3; k++) t.sum[k] = vsum_begin(&tally->sums[first + k]);
    return t;
}

RILL_INLINE void three_add(three *t, vec numbers, vi there)
{
    vsum_add(&t->sum[0], vf_mask(there, numbers.x));
    vsum_add(&t->sum[1], vf_mask(there, numbers.y));
    vsum_add(&t->sum[2], vf_mask(there, numbers.z));
}

RILL_INLINE void three_end(const three *t, rill_tally *tally, int first)
{
    for (int k = 0; k < 3; k++) vsum_end(&t->sum[k], &tally->sums[first + k]);
}

static void measure_energies(const rill_sph *sph, const rill_pass_block *block)
{
    const rill_fields *fields = &sph->liquid.fields;
    const float *position = rill_field_f32(fields, FIELD_POSITION), *velocity = rill_field_f32(fields, FIELD_VELOCITY);
    const float *compression = rill_field_f32(fields, FIELD_COMPRESSION), *g = sph->gravity;
    three t = three_begin(block->tally, RILL_SUM_KINETIC);
    vf fastest2 = {0};
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const vi there = lanes_before(i, block->end);
        const vrec x = vrec_load(position + 4 * (size_t)i), v = vrec_load(velocity + 4 * (size_t)i);
        const vf s = by_fluid(sph, sph->rest_density, i) / sph->rest_density[0];
        const vf speed2 = v.x * v.x + (v.y * v.y + v.z * v.z), fall = g[0] * x.x + (g[1] * x.y + g[2] * x.z);
        fastest2 = vf_max(fastest2, vf_mask(there, speed2));
        three_add(&t, (vec){0.5f * s * speed2, -s * fall, 1 / vf_max(vf_load(compression + i), vf_set(1))}, there);
    }
    tally_largest(block->tally, RILL_LARGEST_SPEED2, fastest2);
    three_end(&t, block->tally, RILL_SUM_KINETIC);
}

static void measure_momentum(const rill_sph *sph, const rill_pass_block *block)
{
    const float *velocity = rill_field_f32(&sph->liquid.fields, FIELD_VELOCITY);
    three t = three_begin(block->tally, RILL_SUM_MOMENTUM);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const vrec v = vrec_load(velocity + 4 * (size_t)i);
        const vf s = by_fluid(sph, sph->rest_density, i) / sph->rest_density[0];
        three_add(&t, (vec){s * v.x, s * v.y, s * v.z}, lanes_before(i, block->end));
    }
    three_end(&t, block->tally, RILL_SUM_MOMENTUM);
}

void RILL_WIDE(rill_measure_block)(const rill_sph *sph, const rill_pass_block *block)
{
    measure_energies(sph, block);
    measure_momentum(sph, block);
}

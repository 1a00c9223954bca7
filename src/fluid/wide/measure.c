/* What the liquid of a block adds up to: energies, momentum, top speed.
 *   kinetic s v^2/2,  potential -s g.x,  momentum s v,
 * with s = rho0/rho_ref, so that single precision holds them at any scale; the caller knows rho_ref V0. */
#include "fluid/wide/wide.h"

static void measure_energies(const rill_sph *sph, const rill_pass_block *block)
{
    const rill_fields *fields = &sph->liquid.fields;
    const float *position = rill_field_f32(fields, FIELD_POSITION), *velocity = rill_field_f32(fields, FIELD_VELOCITY);
    const float *g = sph->gravity;
    rill_sum *sums = block->tally->sums;
    vsum kinetic = vsum_begin(&sums[RILL_SUM_KINETIC]), potential = vsum_begin(&sums[RILL_SUM_POTENTIAL]);
    vf fastest2 = {0};
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const vi there = lanes_own(&sph->liquid, i, block->end);
        const vrec x = vrec_load(position + 4 * (size_t)i), v = vrec_load(velocity + 4 * (size_t)i);
        const vf s = by_fluid(sph, sph->rest_density, i) / sph->rest_density[0];
        const vf speed2 = v.x * v.x + (v.y * v.y + v.z * v.z), fall = g[0] * x.x + (g[1] * x.y + g[2] * x.z);
        fastest2 = vf_max(fastest2, vf_mask(there, speed2));
        vsum_add(&kinetic, vf_mask(there, 0.5f * s * speed2));
        vsum_add(&potential, vf_mask(there, -s * fall));
    }
    tally_largest(block->tally, RILL_LARGEST_SPEED2, fastest2);
    vsum_end(&kinetic, &sums[RILL_SUM_KINETIC]);
    vsum_end(&potential, &sums[RILL_SUM_POTENTIAL]);
}

static void measure_momentum(const rill_sph *sph, const rill_pass_block *block)
{
    const float *velocity = rill_field_f32(&sph->liquid.fields, FIELD_VELOCITY);
    rill_sum *sums = block->tally->sums + RILL_SUM_MOMENTUM;
    vsum x = vsum_begin(&sums[0]), y = vsum_begin(&sums[1]), z = vsum_begin(&sums[2]);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const vi there = lanes_own(&sph->liquid, i, block->end);
        const vrec v = vrec_load(velocity + 4 * (size_t)i);
        const vf s = by_fluid(sph, sph->rest_density, i) / sph->rest_density[0];
        vsum_add(&x, vf_mask(there, s * v.x));
        vsum_add(&y, vf_mask(there, s * v.y));
        vsum_add(&z, vf_mask(there, s * v.z));
    }
    vsum_end(&x, &sums[0]);
    vsum_end(&y, &sums[1]);
    vsum_end(&z, &sums[2]);
}

void RILL_WIDE(rill_measure_block)(const rill_sph *sph, const rill_pass_block *block)
{
    measure_energies(sph, block);
    measure_momentum(sph, block);
}

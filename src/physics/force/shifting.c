/* Particle shifting: moves particles down the gradient of their concentration
 * so that they stay evenly spread (Lind et al. 2012; speed-based coefficient of
 * Skillen et al. 2013):
 *   shift_i = -2 A (h/2) |v_i| dt V0 sum_j nabla W_ij, at most 0.2 d
 * Near a free surface the gradient points out of the liquid, so particles with
 * D < 0.95 stay where they are. Velocities do not change. */
#include "physics/method.h"
#include "physics/pairs.h"

typedef struct job {
    rill_sph *sph;
    float strength, most;
    uint32_t field;
} job;

RILL_INLINE void shift_block(const job *j, uint32_t begin, uint32_t end, bool periodic)
{
    rill_sph *sph = j->sph;
    const float *position = rill_field_f32(&sph->fields, FIELD_POSITION);
    const float *velocity = rill_field_f32(&sph->fields, FIELD_VELOCITY);
    float *shift = rill_field_f32(&sph->fields, j->field);
    const period p = period_of(&sph->grid);
    for (uint32_t i = begin; i < end; i += RILL_WIDTH) {
        const rill_group *g = &sph->lists.group[i / RILL_WIDTH], *wall = &sph->wall_lists.group[i / RILL_WIDTH];
        const vrec xi = vrec_load(position + 4 * (size_t)i), v = vrec_load(velocity + 4 * (size_t)i);
        vec sum = {0};
        for (int set = 0; set < 2; set++) {
            const rill_group *list = set ? wall : g;
            const float *records = set ? sph->walls.position : position;
            for (uint32_t k = 0; k < list->length; k++) {
                const vrec xj = group_gather(list, k, records);
                const vec d = pair_difference(&xi, &xj, periodic, &p);
                const vf f = vf_load(list->factors + (size_t)k * RILL_WIDTH);
                sum.x += f * d.x;
                sum.y += f * d.y;
                sum.z += f * d.z;
            }
        }
        const vf speed = vf_sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
        const vf scale = -j->strength * speed * (float)sph->volume;
        vec s = {scale * sum.x, scale * sum.y, scale * sum.z};
        const vf length = vf_sqrt(vec_dot(s, s));
        const vf cut = vf_select(length > j->most, j->most / length, vf_set(1));
        const vf keep = vf_mask(v.w >= 0.95f, cut);
        vrec_store(shift + 4 * (size_t)i, (vrec){keep * s.x, keep * s.y, keep * s.z, (vf){0}});
    }
}

static void shift_body(void *context, uint32_t begin, uint32_t end, unsigned worker)
{
    (void)worker;
    const job *j = context;
    if (j->sph->grid.periodic) shift_block(j, begin, end, true);
    else shift_block(j, begin, end, false);
}

extern rill_shift RILL_WIDE(rill_shift_particles);
void RILL_WIDE(rill_shift_particles)(const rill_step_context *step, double strength, uint32_t field)
{
    const rill_pass pass = {"shifting", shift_body, FIELD_BIT(FIELD_POSITION) | FIELD_BIT(FIELD_VELOCITY),
                            FIELD_BIT(field)};
    rill_sph *sph = step->sph;
    job j = {sph, (float)(2 * strength * 0.5 * sph->support * step->dt), (float)(0.2 * sph->diameter), field};
    rill_pass_run(&sph->runner, &sph->fields, &pass, &j, rill_sph_blocks(sph));
}

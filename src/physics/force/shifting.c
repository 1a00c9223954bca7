/* Particle shifting: moves particles down the gradient of their concentration
 * so that they stay evenly spread (Lind et al. 2012; speed-based coefficient of
 * Skillen et al. 2013):
 *   shift_i = -2 A (h/2) |v_i| dt V0 sum_j nabla W_ij, at most 0.2 d
 * Near a free surface the gradient points out of the liquid, so particles with
 * D < 0.95 stay where they are. Velocities do not change. */

#include "physics/method.h"
#include "physics/pairs.h"

typedef struct shifting {
    double strength; /* A */
    uint32_t shift;  /* row of the field table */
} shifting;

typedef struct job {
    rill_sph *sph;
    float strength, most;
    uint32_t field;
} job;

RILL_INLINE void shift_block(const job *j, const rill_pass_block *block, bool periodic)
{
    rill_sph *sph = j->sph;
    const float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    const float *velocity = rill_field_f32(&sph->liquid.fields, FIELD_VELOCITY);
    float *shift = rill_field_f32(&sph->liquid.fields, j->field);
    const period p = period_of(&sph->grid);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const rill_group g = group_at(&sph->lists, i);
        const vrec xi = vrec_load(position + 4 * (size_t)i), v = vrec_load(velocity + 4 * (size_t)i);
        const vec near = pairs_slope(&g, &xi, position, periodic, &p), G = touches_slope(sph, i);
        const vec sum = {near.x + G.x, near.y + G.y, near.z + G.z};
        const vf speed = vf_sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
        const vf scale = -j->strength * speed * (float)sph->volume;
        vec s = {scale * sum.x, scale * sum.y, scale * sum.z};
        const vf length = vf_sqrt(vec_dot(s, s));
        const vf cut = vf_select(length > j->most, j->most / length, vf_set(1));
        const vf keep = vf_mask(v.w >= 0.95f, cut);
        vrec_store(shift + 4 * (size_t)i, (vrec){keep * s.x, keep * s.y, keep * s.z, (vf){0}});
    }
}

RILL_BODY(job, shift)

static bool shifting_active(const rill_sph *sph, const rill_scene *scene)
{
    (void)sph;
    return scene->shifting > 0;
}

static rill_status shifting_create(rill_sph *sph, const rill_scene *scene, void **self, rill_error *err)
{
    shifting *s = rill_calloc(1, sizeof *s);
    if (!s) return rill_memory_fail(err, sizeof *s, "the shifting of particles");
    (void)scene;
    s->shift = rill_fields_add_real(&sph->liquid.fields, "shift", "m", 4, 4, RILL_SCRATCH);
    *self = s;
    return RILL_OK;
}

static void shifting_tune(void *self, const rill_scene *scene)
{
    ((shifting *)self)->strength = scene->shifting;
}

static uint32_t shifting_displace(void *self, const rill_step_context *step)
{
    const shifting *s = self;
    rill_sph *sph = step->sph;
    job j = {sph, (float)(2 * s->strength * 0.5 * sph->support * step->dt), (float)(0.2 * sph->diameter), s->shift};
    const rill_mask x = FIELD_BIT(FIELD_POSITION), v = FIELD_BIT(FIELD_VELOCITY) | FIELD_BIT(FIELD_CARRIED);
    const rill_pass pass = {"shifting", shift_body, x | v | USES_PAIRS | USES_TOUCHES, x, FIELD_BIT(s->shift)};
    rill_step_run(step, &pass, &j);
    return s->shift;
}

/* ---- keys ---- */

static const rill_param params[] = {
    {"shifting", RILL_PARAM_NUMBER, RILL_BETWEEN(0, 1), .in = RILL_IN_SCENE, .offset = offsetof(rill_scene, shifting),
     .live = true,
     .about = "The strength of particle shifting, which evens out the particles; 0: none."},
    {0}};

extern const rill_force RILL_WIDE(rill_force_shifting);
const rill_force RILL_WIDE(rill_force_shifting) = {
    .name = "shifting",
    .params = params,
    .active = shifting_active,
    .create = shifting_create,
    .tune = shifting_tune,
    .destroy = rill_free,
    .displace = shifting_displace,
};

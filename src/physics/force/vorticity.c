/* Vorticity confinement (Fedkiw et al. 2001; for particles Macklin and Mueller 2013):
 * pushes the liquid around the places where it whirls most, which gives back what
 * numerical damping takes from small whirls.
 *   w_i = V0 sum_j nabla W_ij x (v_j - v_i) / D_j           the curl of the velocity, 1/s
 *   e_i = sum_j (|w_j| - |w_i|) nabla W_ij                  along the gradient of its size
 *   a_i = strength N x w_i,   N = e/|e|
 * with the strength in m/s. Differences are taken inside both sums, so that a free
 * surface alone makes neither whirl nor gradient. Walls take no part. Momentum is not
 * kept: the force is no pair force.
 * Fields: vorticity (w, |w|) is scratch. */

#include "physics/method.h"
#include "physics/pairs.h"

typedef struct vorticity {
    uint32_t whirl, size; /* rows of the field table: the vorticity, and its size with it */
    double strength;
} vorticity;

typedef struct job {
    const vorticity *s;
    rill_sph *sph;
} job;

static bool vorticity_active(const rill_sph *sph, const rill_scene *scene)
{
    (void)sph;
    return scene->vorticity > 0;
}

static rill_status vorticity_create(rill_sph *sph, const rill_scene *scene, void **self, rill_error *err)
{
    vorticity *s = rill_calloc(1, sizeof *s);
    if (!s) return rill_memory_fail(err, sizeof *s, "the vorticity confinement");
    s->whirl = rill_fields_add_real(&sph->liquid.fields, "vorticity", "1/s", 4, 3, RILL_SCRATCH);
    s->size = rill_fields_add_name(&sph->liquid.fields, s->whirl, 3, "vorticity_size", "1/s", 1);
    (void)scene;
    *self = s;
    return RILL_OK;
}

static void vorticity_tune(void *self, const rill_scene *scene)
{
    ((vorticity *)self)->strength = scene->vorticity;
}

RILL_INLINE vec cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

RILL_INLINE void whirl_block(const job *j, const rill_pass_block *block, bool periodic)
{
    rill_sph *sph = j->sph;
    const float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    const float *velocity = rill_field_f32(&sph->liquid.fields, FIELD_VELOCITY);
    float *whirl = rill_field_f32(&sph->liquid.fields, j->s->whirl);
    const period p = period_of(&sph->grid);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const rill_group g = group_at(&sph->lists, i);
        const vrec xi = vrec_load(position + 4 * (size_t)i), v = vrec_load(velocity + 4 * (size_t)i);
        vec sum = {0};
        for (uint32_t k = 0; k < g.length; k++) {
            group_prefetch(&g, k);
            const vrec xj = group_gather(&g, k, position), vj = group_gather(&g, k, velocity);
            const vf f = vf_load(g.factors + (size_t)k * RILL_WIDTH) / vj.w;
            const vec w = cross(pair_difference(&xi, &xj, periodic, &p), vec_difference(&vj, &v));
            sum.x += f * w.x;
            sum.y += f * w.y;
            sum.z += f * w.z;
        }
        const float V0 = (float)sph->volume;
        vrec_store(whirl + 4 * (size_t)i, (vrec){V0 * sum.x, V0 * sum.y, V0 * sum.z, V0 * vf_sqrt(vec_dot(sum, sum))});
    }
}

RILL_INLINE void force_block(const job *j, const rill_pass_block *block, bool periodic)
{
    rill_sph *sph = j->sph;
    const float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    const float *whirl = rill_field_f32(&sph->liquid.fields, j->s->whirl);
    float *acceleration = rill_field_f32(&sph->liquid.fields, FIELD_ACCELERATION);
    const period p = period_of(&sph->grid);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const rill_group g = group_at(&sph->lists, i);
        const vrec xi = vrec_load(position + 4 * (size_t)i), w = vrec_load(whirl + 4 * (size_t)i);
        vec e = {0};
        for (uint32_t k = 0; k < g.length; k++) {
            group_prefetch(&g, k);
            const vrec xj = group_gather(&g, k, position), wj = group_gather(&g, k, whirl);
            const vec d = pair_difference(&xi, &xj, periodic, &p);
            const vf f = vf_load(g.factors + (size_t)k * RILL_WIDTH) * (wj.w - w.w);
            e.x += f * d.x;
            e.y += f * d.y;
            e.z += f * d.z;
        }
        const vf length = vf_sqrt(vec_dot(e, e)), scale = vf_mask(length > 0, (float)j->s->strength / length);
        const vec push = cross(e, (vec){w.x, w.y, w.z});
        vrec a = vrec_load(acceleration + 4 * (size_t)i);
        a.x += scale * push.x;
        a.y += scale * push.y;
        a.z += scale * push.z;
        vrec_store(acceleration + 4 * (size_t)i, a);
    }
}

RILL_BODY(job, whirl)
RILL_BODY(job, force)

/* The force is a transport of whirls with the strength as its speed. */
static double vorticity_longest_step(const void *self, const rill_sph *sph)
{
    const vorticity *s = self;
    return 0.4 * sph->diameter / s->strength;
}

static rill_status vorticity_apply(void *self, const rill_step_context *step, rill_solve_result *result,
                                   rill_error *err)
{
    (void)result, (void)err;
    const vorticity *s = self;
    rill_sph *sph = step->sph;
    job j = {s, sph};
    const rill_mask x = FIELD_BIT(FIELD_POSITION), v = FIELD_BIT(FIELD_VELOCITY);
    const rill_mask w = FIELD_BIT(s->whirl) | FIELD_BIT(s->size);
    const rill_mask a = FIELD_BIT(FIELD_ACCELERATION);
    const rill_pass whirl = {"vorticity_whirl", whirl_body, x | v | USES_PAIRS, x | v | FIELD_BIT(FIELD_CARRIED), w};
    const rill_pass force = {"vorticity", force_body, x | w | a | USES_PAIRS, x | w, a};
    rill_step_run(step, &whirl, &j);
    rill_step_run(step, &force, &j);
    return RILL_OK;
}

/* ---- keys ---- */

static const rill_param params[] = {
    {"vorticity", RILL_PARAM_NUMBER, RILL_SPEED, RILL_BETWEEN(0, 1e6), .in = RILL_IN_SCENE,
     .offset = offsetof(rill_scene, vorticity), .live = true,
     .about = "The strength of vorticity confinement, which gives whirls back what the method costs them; 0: none."},
    {0}};

extern const rill_force RILL_WIDE(rill_force_vorticity);
const rill_force RILL_WIDE(rill_force_vorticity) = {
    .name = "vorticity",
    .params = params,
    .active = vorticity_active,
    .create = vorticity_create,
    .tune = vorticity_tune,
    .destroy = rill_free,
    .longest_step = vorticity_longest_step,
    .apply = vorticity_apply,
};

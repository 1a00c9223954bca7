/* A force as somebody would add it, in one file: every fluid is tied to the scene's zero by a spring of its own,
 *   a = -k x,   E = sum m k x^2/2
 * With k the liquid swings through zero at up to sqrt(k) times its distance. */
#include <math.h>
#include <stdlib.h>

#include "base/vec3.h"
#include "physics/method.h"
#include "physics/pairs.h"

typedef struct tether {
    rill_sph *sph;
    float stiffness[]; /* k of every fluid, 1/s2 */
} tether;

static const rill_param params[] = {
    {"tether", RILL_PARAM_NUMBER, RILL_PLAIN, RILL_BETWEEN(0, 100), .in = RILL_IN_FLUID, .own = true, .fallback = 0,
     .about = "How strongly the fluid is tied to the scene's zero, 1/s2; 0: not at all."},
    {0}};

static const rill_column columns[] = {
    {"tether_distance", "m", RILL_COLUMN_NUMBER, RILL_OVER_MAX, "Distance of the farthest particle from the zero."},
    {0}};

static bool tether_active(const rill_sph *sph, const rill_scene *scene)
{
    (void)sph;
    for (uint32_t f = 0; f < scene->fluid_count; f++)
        if (rill_param_own(params, &scene->fluids[f]) > 0) return true;
    return false;
}

static double tether_expected_speed(const rill_scene *scene)
{
    double fastest = 0;
    for (uint32_t i = 0; i < scene->fill_count; i++) {
        const rill_shape *s = &scene->fills[i].shape;
        const double far = s->kind == RILL_SHAPE_SPHERE ? rill_vec3_length(s->center) + s->radius
                                                        : fmax(rill_vec3_length(s->from), rill_vec3_length(s->to));
        fastest = fmax(fastest, far * sqrt(rill_param_own(params, &scene->fluids[scene->fills[i].fluid])));
    }
    return fastest;
}

static rill_status tether_create(rill_sph *sph, const rill_scene *scene, void **self, rill_error *err)
{
    const size_t size = sizeof(tether) + scene->fluid_count * sizeof(float);
    tether *t = calloc(1, size);
    if (!t) return rill_memory_fail(err, size, "the tether");
    t->sph = sph;
    for (uint32_t f = 0; f < scene->fluid_count; f++)
        t->stiffness[f] = (float)rill_param_own(params, &scene->fluids[f]);
    *self = t;
    return RILL_OK;
}

static void pull_body(void *context, const rill_pass_block *block)
{
    const tether *t = context;
    const float *position = rill_field_f32(&t->sph->liquid.fields, FIELD_POSITION);
    float *acceleration = rill_field_f32(&t->sph->liquid.fields, FIELD_ACCELERATION);
    double *farthest2 = &block->tally->largest[0];
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const vrec x = vrec_load(position + 4 * (size_t)i);
        vrec a = vrec_load(acceleration + 4 * (size_t)i);
        const vf k = by_fluid(t->sph, t->stiffness, i);
        a.x -= k * x.x;
        a.y -= k * x.y;
        a.z -= k * x.z;
        vrec_store(acceleration + 4 * (size_t)i, a);
    }
    for (size_t i = block->begin; i < block->end; i++) {
        const float *x = position + 4 * i;
        *farthest2 = fmax(*farthest2, (double)x[0] * x[0] + (double)x[1] * x[1] + (double)x[2] * x[2]);
    }
}

static rill_mask fluids_read(const rill_sph *sph)
{
    return sph->fluid_count > 1 ? FIELD_BIT(FIELD_FLUID) : 0;
}

static rill_status tether_apply(void *self, const rill_step_context *step, rill_solve_result *result, rill_error *err)
{
    (void)err;
    const rill_mask a = FIELD_BIT(FIELD_ACCELERATION);
    const rill_pass pull = {"tether", pull_body, FIELD_BIT(FIELD_POSITION) | fluids_read(step->sph) | a, 0,
                            a | RILL_SUMS};
    rill_step_run(step, &pull, self);
    result->values[0] = sqrt(rill_step_largest(step, 0));
    return RILL_OK;
}

static void energy_body(void *context, const rill_pass_block *block)
{
    const tether *t = context;
    const rill_fields *fields = &t->sph->liquid.fields;
    const uint32_t *fluid = rill_field_u32(fields, FIELD_FLUID);
    rill_sum_four sum = rill_sum_four_begin(&block->tally->sums[0]);
    for (size_t i = block->begin; i < block->end; i++) {
        const float *x = rill_field_f32(fields, FIELD_POSITION) + 4 * i;
        const double r2 = (double)x[0] * x[0] + (double)x[1] * x[1] + (double)x[2] * x[2];
        const double mass = t->sph->rest_density[fluid[i]] * t->sph->volume;
        if (!rill_set_owns(&t->sph->liquid, i)) continue;
        rill_sum_four_add(&sum, (const double[4]){0.5 * mass * t->stiffness[fluid[i]] * r2});
    }
    rill_tally_add_four(block->tally, 0, &sum);
}

static double tether_potential(void *self, const rill_step_context *step)
{
    const rill_pass energy = {"tether_energy", energy_body, FIELD_BIT(FIELD_POSITION) | FIELD_BIT(FIELD_FLUID), 0,
                              RILL_SUMS};
    rill_step_run(step, &energy, self);
    return rill_step_sum(step, 0);
}

extern const rill_force RILL_WIDE(rill_force_tether);
const rill_force RILL_WIDE(rill_force_tether) = {
    .name = "tether",
    .params = params,
    .columns = columns,
    .active = tether_active,
    .expected_speed = tether_expected_speed,
    .create = tether_create,
    .destroy = free,
    .apply = tether_apply,
    .potential = tether_potential,
};

/* Predictive-corrective incompressible SPH (Solenthaler and Pajarola 2009): pressure grows, from nothing in every step,
 * until the predicted density is no longer above rest.
 *
 *   x*_i = x_i + dt v_i
 *   D*_i = V0 (W(0) + sum_j W(x*_i - x*_j) + sum_b psi_b W(x*_i - x*_b)) + dD_i
 *   p_i <- max(0, p_i + delta_i (D*_i - 1)),  in Pa
 * where X = dt^2 V0 p / rho_ref moves particles by A = dt^2 a and thereby changes the density by dD, as in pressure.h.
 * As in the paper the density is summed again at the predicted places, with the neighbours the step began with. What
 * pressure adds to it, dD, is the first-order change from which the paper derives delta. Summing again at x* + A in
 * every iteration costs a fifth more, and it diverged in deep water at the steps that the particles' speed allows:
 * particles beside walls move far there, any disorder makes the sum larger, and pressure answers with more disorder.
 *
 * delta is the pressure at a particle and all its neighbours that takes away one unit of D where the neighbourhood is
 * full, on the rest lattice, where sum nabla W = 0:
 *   delta_i = rho0_i / (2 dt^2 V0^2 sum_lattice |nabla W|^2)
 * or in X, with M = s_i V0 sum_lattice |nabla W|^2:  X_i <- max(0, X_i + (D*_i - 1)/(2 M)). The template is there for
 * neighbourhoods that lack particles. Where a particle's own moves more, beside a wall or a lighter fluid, so that the
 * template's delta would overshoot and grow, its own M counts.
 * Correction goes on until the mean compression is below the tolerance.
 *
 * Fields: all scratch, with the rows of pressure.h. */

#include "physics/boundary/wide/walls.h"
#include "physics/params.h"
#include "physics/pressure.h"

typedef struct pcisph {
    double tolerance;
    double template; /* M where s = 1 */
    uint32_t least, most;
    /* rows of the field table */
    uint32_t ahead;     /* x* */
    uint32_t source;    /* D* - 1 without pressure */
    uint32_t tested;    /* X that A was found from */
    pressure_rows rows; /* held: S, 1/(2 M) */
} pcisph;

typedef struct job {
    const pcisph *s;
    rill_sph *sph;
    float dt;
} job;

static rill_status pcisph_create(rill_sph *sph, const rill_scene *scene, void **self, rill_error *err)
{
    (void)scene;
    pcisph *s = rill_calloc(1, sizeof *s);
    if (!s) return rill_memory_fail(err, sizeof *s, "the solver");
    s->template = sph->volume * pairs_lattice_squares(sph);
    s->ahead = rill_fields_add_real(&sph->liquid.fields, "pcisph_ahead", "m", 4, 4, RILL_SCRATCH);
    s->source = rill_fields_add_real(&sph->liquid.fields, "pcisph_source", "", 1, 1, RILL_SCRATCH);
    s->tested = rill_fields_add_real(&sph->liquid.fields, "pcisph_tested", "", 1, 1, RILL_SCRATCH);
    s->rows = pressure_rows_add(sph);
    sph->lists.weighted = true;
    *self = s;
    return RILL_OK;
}

static void pcisph_tune(void *self, const rill_scene *scene)
{
    pcisph *s = self;
    s->tolerance = scene->solver.density_error;
    s->least = scene->solver.iterations_min;
    s->most = scene->solver.iterations_max;
}

/* Places without pressure, S and delta. */
RILL_INLINE void predict_block(const job *j, const rill_pass_block *block, bool periodic)
{
    rill_sph *sph = j->sph;
    const float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    const float *velocity = rill_field_f32(&sph->liquid.fields, FIELD_VELOCITY);
    float *held = rill_field_f32(&sph->liquid.fields, j->s->rows.held),
          *place = rill_field_f32(&sph->liquid.fields, j->s->ahead),
          *tested = rill_field_f32(&sph->liquid.fields, j->s->tested);
    float *A = rill_field_f32(&sph->liquid.fields, FIELD_ACCELERATION);
    const period p = period_of(&sph->grid);
    const vf zero = {0};
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const vrec xi = vrec_load(position + 4 * (size_t)i), v = vrec_load(velocity + 4 * (size_t)i);
        const pressure_held h = pressure_hold(sph, i, &xi, periodic, &p);
        const vf s_i = sph->rest_density[0] / by_fluid(sph, sph->rest_density, i);
        const vf M = vf_max(h.M, s_i * (float)j->s->template);
        vrec_store(held + 4 * (size_t)i, (vrec){h.S.x, h.S.y, h.S.z, 1 / (2 * M)});
        vrec_store(place + 4 * (size_t)i, (vrec){xi.x + j->dt * v.x, xi.y + j->dt * v.y, xi.z + j->dt * v.z, zero});
        vrec_store(A + 4 * (size_t)i, (vrec){zero, zero, zero, zero});
        vf_store(tested + i, zero);
    }
}

/* The density at the predicted places, and the first X. */
RILL_INLINE void source_block(const job *j, const rill_pass_block *block, bool cubic, bool periodic)
{
    rill_sph *sph = j->sph;
    const float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    const float *place = rill_field_f32(&sph->liquid.fields, j->s->ahead),
                *held = rill_field_f32(&sph->liquid.fields, j->s->rows.held);
    float *source = rill_field_f32(&sph->liquid.fields, j->s->source),
          *work = rill_field_f32(&sph->liquid.fields, j->s->rows.place);
    const period p = period_of(&sph->grid);
    const pair_kernels kernels = pair_kernels_of(sph);
    pressure_over over = pressure_over_begin(block, 0);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const vrec to = vrec_load(place + 4 * (size_t)i);
        const vf r = pairs_compression(sph, &kernels, i, &to, place, cubic, periodic, &p) +
                     touches_weight(sph, i) - 1;
        vf_store(source + i, r);
        const vrec xi = vrec_load(position + 4 * (size_t)i);
        pressure_store(work, i, &xi, vf_max(r * vrec_load(held + 4 * (size_t)i).w, (vf){0}));
        pressure_over_add(&over, r, lanes_own(&sph->liquid, i, block->end));
    }
    pressure_over_end(&over, block, 0);
}

/* What A leaves of it, and the next X. */
RILL_INLINE void test_block(const job *j, const rill_pass_block *block, bool periodic)
{
    rill_sph *sph = j->sph;
    const float *held = rill_field_f32(&sph->liquid.fields, j->s->rows.held);
    const float *source = rill_field_f32(&sph->liquid.fields, j->s->source);
    float *work = rill_field_f32(&sph->liquid.fields, j->s->rows.place),
          *tested = rill_field_f32(&sph->liquid.fields, j->s->tested);
    const period p = period_of(&sph->grid);
    const tiles t = tiles_of(&sph->grid);
    const float unit = pressure_unit(sph);
    pressure_over over = pressure_over_begin(block, 0);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const vrec S = vrec_load(held + 4 * (size_t)i), place = vrec_load(work + 4 * (size_t)i);
        const vf r = vf_load(source + i) + pressure_change(sph, i, &place, &S, unit, periodic, &p, &t);
        vf_store(tested + i, place.w);
        pressure_store(work, i, &place, vf_max(place.w + r * S.w, (vf){0}));
        pressure_over_add(&over, r, lanes_own(&sph->liquid, i, block->end));
    }
    pressure_over_end(&over, block, 0);
}

/* A from X. */
RILL_INLINE void push_block(const job *j, const rill_pass_block *block, bool periodic)
{
    pressure_push(j->sph, &j->s->rows, block, periodic);
}

static vf tested_at(const void *context, uint32_t i)
{
    const job *j = context;
    return vf_load(rill_field_f32(&j->sph->liquid.fields, j->s->tested) + i);
}

/* v += A / dt; pressure and density for frames and probes. */
static void apply_body(void *context, const rill_pass_block *block)
{
    const job *j = context;
    const rill_sph *sph = j->sph;
    const float *v = rill_field_f32(&sph->liquid.fields, FIELD_VELOCITY);
    const uint32_t *fluid = rill_field_u32(&sph->liquid.fields, FIELD_FLUID);
    const float *X = rill_field_f32(&sph->liquid.fields, j->s->tested);
    float *pressure = rill_field_f32(&sph->liquid.fields, FIELD_PRESSURE);
    float *density = rill_field_f32(&sph->liquid.fields, FIELD_DENSITY);
    const float pascal = (float)(sph->rest_density[0] / (sph->volume * j->dt * j->dt));
    pressure_apply(sph, j->dt, block, tested_at, j);
    for (size_t i = block->begin; i < block->end; i++) {
        pressure[i] = X[i] * pascal;
        density[i] = v[4 * i + 3] * sph->rest_density[fluid[i]];
    }
}

RILL_BODY(job, predict)
RILL_BODY(job, push)
RILL_BODY(job, test)

RILL_BODY_BY_KERNEL(job, source)

static const rill_column columns[] = {PRESSURE_COLUMN_ROWS, {0}};

/* The A that was tested last is the one applied. */
static void iterate(job *j, const rill_step_context *step, rill_solve_result *result)
{
    const pcisph *s = j->s;
    const pressure_rows *r = &s->rows;
    const rill_mask X = FIELD_BIT(r->place) | FIELD_BIT(r->unknown), ahead = FIELD_BIT(s->ahead);
    const rill_pass source = {"pcisph_source", source_body,
                              ahead | FIELD_BIT(FIELD_POSITION) | FIELD_BIT(r->inverse) | USES_LISTS | USES_TOUCHES |
                                  FIELD_BIT(FIELD_OWNER),
                              ahead, FIELD_BIT(s->source) | X | RILL_SUMS};
    const rill_pass push = {"pcisph_push", push_body, pressure_push_reads(j->sph, r), pressure_push_gathers(r),
                            pressure_push_writes(r)};
    const rill_pass test = {"pcisph_test", test_body,
                            pressure_change_reads(r) | FIELD_BIT(s->source) | FIELD_BIT(r->unknown) |
                                FIELD_BIT(r->inverse) | FIELD_BIT(FIELD_OWNER),
                            pressure_change_gathers(r), X | FIELD_BIT(s->tested) | RILL_SUMS};
    RILL_WIDE(rill_walls_look)(step, &(rill_walls_try){.places = s->ahead, .ahead = j->dt});
    rill_step_run(step, &source, j);
    bool enough = pressure_judge(step, s->tolerance, result);
    result->values[ERROR_BEFORE] = result->values[ERROR];
    while (!enough || result->values[ITERATIONS] < s->least) {
        if (result->values[ITERATIONS] >= s->most) {
            result->limit_hit = result->limit_hit || !enough;
            return;
        }
        rill_step_run(step, &push, j);
        rill_step_run(step, &test, j);
        result->values[ITERATIONS]++;
        enough = pressure_judge(step, s->tolerance, result);
    }
}

static rill_status pcisph_solve(void *self, const rill_step_context *step, rill_solve_result *result, rill_error *err)
{
    (void)err;
    pcisph *s = self;
    rill_sph *sph = step->sph;
    const pressure_rows *r = &s->rows;
    job j = {.s = s, .sph = sph, .dt = (float)step->dt};
    const rill_mask x = FIELD_BIT(FIELD_POSITION), v = FIELD_BIT(FIELD_VELOCITY), D = FIELD_BIT(FIELD_CARRIED);
    const rill_pass predict = {"pcisph_predict", predict_body,
                               x | v | pressure_fluid_bit(sph) | USES_PAIRS | USES_TOUCHES,
                               x | pressure_ratio_bit(sph, r),
                               FIELD_BIT(s->ahead) | FIELD_BIT(s->tested) | FIELD_BIT(r->held) | FIELD_BIT(r->inverse) |
                                   pressure_push_writes(r) | USES_WEIGHTS};
    const rill_pass apply = {"pcisph_apply", apply_body,
                             FIELD_BIT(r->push) | FIELD_BIT(s->tested) | v | D | FIELD_BIT(FIELD_FLUID) |
                                 PRESSURE_APPLY_READS,
                             0, v | FIELD_BIT(FIELD_PRESSURE) | FIELD_BIT(FIELD_DENSITY) | PRESSURE_APPLY_WRITES};
    pressure_share(step, r);
    rill_step_run(step, &predict, &j);
    iterate(&j, step, result);
    rill_step_run(step, &apply, &j);
    return RILL_OK;
}

/* ---- keys ---- */

static const rill_param params[] = {
    RILL_PARAM_DENSITY_ERROR, RILL_PARAM_ITERATIONS_MIN, RILL_PARAM_ITERATIONS_MAX, {0}};

extern const rill_solver RILL_WIDE(rill_solver_pcisph);
const rill_solver RILL_WIDE(rill_solver_pcisph) = {
    .name = "pcisph",
    .params = params,
    .columns = columns,
    .density_error = 1e-3,
    .implicit_pressure = true,
    .create = pcisph_create,
    .tune = pcisph_tune,
    .destroy = rill_free,
    .solve = pcisph_solve,
};

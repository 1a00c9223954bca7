/* Implicit incompressible SPH (Ihmsen, Cornelis, Solenthaler, Horvath and Teschner 2014): one solve a step for the
 * pressures, Pa, that bring the density predicted with the new velocities back to rest.
 *
 * With c_i = dt^2 V0 / (rho_ref D_i^2) and X = c p the pressures p move particles by A = dt^2 a, the paper's
 * d_ii p_i + sum_j d_ij p_j, and change the density by dD, as in pressure.h. The linear system, one row a particle, is
 *   (A p)_i = dD_i = 1 - D*_i
 *   D*_i = D_i + dt V0 sum (v_i - v_j).nabla W            over fluid and walls
 * and its diagonal a_ii = -c_i M_i.
 * Relaxed Jacobi from half the last pressure:
 *   p <- max(0, p + omega (1 - D* - (A p)_i) / a_ii),  omega = 1/2,
 * less where the support is so wide that 1/2 would not converge: omega = 1.9/L at most, where L bounds the largest
 * eigenvalue as in dfsph.c. The solve ends when the mean compression is below the tolerance. Two sweeps make an
 * iteration: the first finds A, the second its divergence. The A that was tested is the one applied.
 *
 * Fields: iisph_pressure is state; the rest is scratch, with the rows of pressure.h. */

#include "physics/params.h"
#include "physics/pressure.h"

typedef struct iisph {
    double tolerance, smallest; /* a diagonal below the smallest, over c, belongs to a lone particle */
    float omega;
    uint32_t least, most;
    /* rows of the field table */
    uint32_t pressure, next; /* p, Pa: that was tested last, and to test next */
    uint32_t source;         /* D* - 1 */
    pressure_rows rows;      /* held: S, -1/a_ii; unknown: c p */
} iisph;

typedef struct job {
    const iisph *s;
    rill_sph *sph;
    float dt;
    float scale; /* dt^2 V0 / rho_ref */
} job;

static uint32_t add_field(rill_sph *sph, const char *name, const char *unit, uint32_t lanes, rill_lifetime lifetime)
{
    return rill_fields_add_real(&sph->liquid.fields, name, unit, lanes, lanes, lifetime);
}

static rill_status iisph_create(rill_sph *sph, const rill_scene *scene, void **self, rill_error *err)
{
    (void)scene;
    iisph *s = rill_calloc(1, sizeof *s);
    if (!s) return rill_memory_fail(err, sizeof *s, "the solver");
    const rill_kernel kernel = rill_kernel_of_gradient(sph->kernel);
    const double bound = 1.35 * rill_kernel_lattice_eigenvalue(kernel, sph->support, sph->diameter);
    s->omega = (float)fmin(0.5, 1.9 / bound);
    s->smallest = 1e-3 * sph->volume * pairs_lattice_squares(sph);
    s->pressure = add_field(sph, "iisph_pressure", "Pa", 1, RILL_STATE);
    s->next = add_field(sph, "iisph_next", "Pa", 1, RILL_SCRATCH);
    s->source = add_field(sph, "iisph_source", "", 1, RILL_SCRATCH);
    s->rows = pressure_rows_add(sph);
    sph->lists.weighted = true;
    *self = s;
    return RILL_OK;
}

static void iisph_tune(void *self, const rill_scene *scene)
{
    iisph *s = self;
    s->tolerance = scene->solver.density_error;
    s->least = scene->solver.iterations_min;
    s->most = scene->solver.iterations_max;
}

/* c of the group of particle i. */
RILL_INLINE vf pressure_scale(const job *j, uint32_t i)
{
    const vf D = vf_load(rill_field_f32(&j->sph->liquid.fields, FIELD_COMPRESSION) + i);
    return j->scale / (D * D);
}

/* S, the diagonal, the source, and the pressure to start from. */
RILL_INLINE void predict_block(const job *j, const rill_pass_block *block, bool periodic)
{
    rill_sph *sph = j->sph;
    const iisph *s = j->s;
    const float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    const float *velocity = rill_field_f32(&sph->liquid.fields, FIELD_VELOCITY);
    const float *pressure = rill_field_f32(&sph->liquid.fields, s->pressure);
    float *next = rill_field_f32(&sph->liquid.fields, s->next),
          *source = rill_field_f32(&sph->liquid.fields, s->source);
    float *work = rill_field_f32(&sph->liquid.fields, s->rows.place),
          *held = rill_field_f32(&sph->liquid.fields, s->rows.held);
    const period p = period_of(&sph->grid);
    pressure_over over = pressure_over_begin(block, 0);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const vrec xi = vrec_load(position + 4 * (size_t)i), v = vrec_load(velocity + 4 * (size_t)i);
        const pressure_held h = pressure_hold(sph, i, &xi, periodic, &p);
        const vf c = pressure_scale(j, i), inverse = vf_mask(h.M > (float)s->smallest, 1 / (c * h.M));
        vrec_store(held + 4 * (size_t)i, (vrec){h.S.x, h.S.y, h.S.z, inverse});
        const vf rate = pressure_divergence(sph, i, &xi, &v, periodic, &p);
        const vf b = v.w + j->dt * (float)sph->volume * rate - 1, start = 0.5f * vf_load(pressure + i);
        vf_store(source + i, b);
        vf_store(next + i, start);
        vrec_store(work + 4 * (size_t)i, (vrec){xi.x, xi.y, xi.z, c * start});
        pressure_over_add(&over, b, lanes_own(&sph->liquid, i, block->end));
    }
    pressure_over_end(&over, block, 0);
}

/* A from p. */
RILL_INLINE void push_block(const job *j, const rill_pass_block *block, bool periodic)
{
    pressure_push(j->sph, &j->s->rows, block, periodic);
}

/* The compression that A leaves, and the next p. */
RILL_INLINE void test_block(const job *j, const rill_pass_block *block, bool periodic)
{
    rill_sph *sph = j->sph;
    const iisph *s = j->s;
    const float *source = rill_field_f32(&sph->liquid.fields, s->source),
                *held = rill_field_f32(&sph->liquid.fields, s->rows.held);
    float *next = rill_field_f32(&sph->liquid.fields, s->next),
          *tested = rill_field_f32(&sph->liquid.fields, s->pressure);
    float *work = rill_field_f32(&sph->liquid.fields, s->rows.place);
    const period p = period_of(&sph->grid);
    const tiles t = tiles_of(&sph->grid);
    const float unit = pressure_unit(sph);
    pressure_over over = pressure_over_begin(block, 0);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const vrec S = vrec_load(held + 4 * (size_t)i), place = vrec_load(work + 4 * (size_t)i);
        const vf r = vf_load(source + i) + pressure_change(sph, i, &place, &S, unit, periodic, &p, &t);
        const vf now = vf_load(next + i), stepped = vf_max(now + s->omega * r * S.w, (vf){0});
        vf_store(tested + i, now);
        vf_store(next + i, stepped);
        pressure_store(work, i, &place, stepped * pressure_scale(j, i));
        pressure_over_add(&over, r, lanes_own(&sph->liquid, i, block->end));
    }
    pressure_over_end(&over, block, 0);
}

static vf tested_at(const void *context, uint32_t i)
{
    const job *j = context;
    return vf_load(rill_field_f32(&j->sph->liquid.fields, j->s->pressure) + i) * pressure_scale(j, i);
}

/* v += A / dt; pressure and density for frames and probes. */
static void apply_body(void *context, const rill_pass_block *block)
{
    const job *j = context;
    const rill_sph *sph = j->sph;
    const float *p = rill_field_f32(&sph->liquid.fields, j->s->pressure),
                *v = rill_field_f32(&sph->liquid.fields, FIELD_VELOCITY);
    const uint32_t *fluid = rill_field_u32(&sph->liquid.fields, FIELD_FLUID);
    float *pressure = rill_field_f32(&sph->liquid.fields, FIELD_PRESSURE);
    float *density = rill_field_f32(&sph->liquid.fields, FIELD_DENSITY);
    pressure_apply(sph, j->dt, block, tested_at, j);
    for (size_t i = block->begin; i < block->end; i++) {
        pressure[i] = p[i];
        density[i] = v[4 * i + 3] * sph->rest_density[fluid[i]];
    }
}

RILL_BODY(job, predict)
RILL_BODY(job, push)
RILL_BODY(job, test)

static const rill_column columns[] = {PRESSURE_COLUMN_ROWS, {0}};

static void iterate(job *j, const rill_step_context *step, rill_solve_result *result)
{
    const iisph *s = j->s;
    const pressure_rows *r = &s->rows;
    const rill_mask p = FIELD_BIT(s->pressure), next = FIELD_BIT(s->next);
    const rill_pass push = {"iisph_push", push_body, pressure_push_reads(j->sph, r), pressure_push_gathers(r),
                            pressure_push_writes(r)};
    const rill_pass test = {"iisph_test", test_body,
                            pressure_change_reads(r) | FIELD_BIT(FIELD_COMPRESSION) | FIELD_BIT(s->source) | next |
                                FIELD_BIT(r->inverse) | FIELD_BIT(FIELD_OWNER),
                            pressure_change_gathers(r),
                            p | next | FIELD_BIT(r->place) | FIELD_BIT(r->unknown) | RILL_SUMS};
    for (;;) {
        rill_step_run(step, &push, j);
        rill_step_run(step, &test, j);
        result->values[ITERATIONS]++;
        const bool enough = pressure_judge(step, s->tolerance, result);
        if (enough && result->values[ITERATIONS] >= s->least) return;
        if (result->values[ITERATIONS] < s->most) continue;
        result->limit_hit = result->limit_hit || !enough;
        return;
    }
}

static rill_status iisph_solve(void *self, const rill_step_context *step, rill_solve_result *result, rill_error *err)
{
    (void)err;
    iisph *s = self;
    rill_sph *sph = step->sph;
    const pressure_rows *r = &s->rows;
    job j = {.s = s, .sph = sph, .dt = (float)step->dt,
             .scale = (float)(step->dt * step->dt * sph->volume / sph->rest_density[0])};
    const rill_mask x = FIELD_BIT(FIELD_POSITION), v = FIELD_BIT(FIELD_VELOCITY), D = FIELD_BIT(FIELD_CARRIED);
    const rill_mask p = FIELD_BIT(s->pressure), next = FIELD_BIT(s->next);
    const rill_pass predict = {"iisph_predict", predict_body,
                               x | v | D | FIELD_BIT(FIELD_COMPRESSION) | pressure_fluid_bit(sph) | p | USES_PAIRS |
                                   USES_TOUCHES | FIELD_BIT(FIELD_OWNER),
                               x | v | pressure_ratio_bit(sph, r),
                               next | FIELD_BIT(s->source) | FIELD_BIT(r->place) | FIELD_BIT(r->unknown) |
                                   FIELD_BIT(r->held) | FIELD_BIT(r->inverse) | USES_WEIGHTS | RILL_SUMS};
    const rill_pass apply = {"iisph_apply", apply_body,
                             FIELD_BIT(r->push) | v | D | FIELD_BIT(FIELD_FLUID) | FIELD_BIT(FIELD_COMPRESSION) | p |
                                 PRESSURE_APPLY_READS,
                             0, v | FIELD_BIT(FIELD_PRESSURE) | FIELD_BIT(FIELD_DENSITY) | PRESSURE_APPLY_WRITES};
    pressure_share(step, r);
    rill_step_run(step, &predict, &j);
    result->values[ERROR_BEFORE] = 100 * rill_step_mean(step, 0);
    iterate(&j, step, result);
    rill_step_run(step, &apply, &j);
    return RILL_OK;
}

/* ---- keys ---- */

static const rill_param params[] = {
    RILL_PARAM_DENSITY_ERROR, RILL_PARAM_ITERATIONS_MIN, RILL_PARAM_ITERATIONS_MAX, {0}};

extern const rill_solver RILL_WIDE(rill_solver_iisph);
const rill_solver RILL_WIDE(rill_solver_iisph) = {
    .name = "iisph",
    .params = params,
    .columns = columns,
    .density_error = 1e-3,
    .implicit_pressure = true,
    .create = iisph_create,
    .tune = iisph_tune,
    .destroy = rill_free,
    .solve = iisph_solve,
};

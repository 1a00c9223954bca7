/* Predictive-corrective incompressible SPH (Solenthaler and Pajarola 2009): pressure grows, from nothing in every step,
 * until the predicted density is no longer above rest.
 *
 *   x*_i = x_i + dt v_i
 *   D*_i = V0 (W(0) + sum_j W(x*_i - x*_j) + sum_b psi_b W(x*_i - x*_b)) + dD_i
 *   p_i <- max(0, p_i + delta_i (D*_i - 1)),  in Pa
 * where X = dt^2 V0 p / rho_ref moves particles by A = dt^2 a and thereby changes the density by dD, as in pressure.h.
 * As in the paper the density is summed anew at the predicted places, with the neighbours the step began with. What
 * pressure adds to it, dD, is the first-order change from which the paper derives delta. Summing anew at x* + A in
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
 * Fields: all scratch. FIELD_ACCELERATION holds A during the solve. */
#include <stdlib.h>

#include "physics/pressure.h"

typedef struct pcisph {
    double tolerance;
    double template; /* M where s = 1 */
    uint32_t least, most;
    /* rows of the field table */
    uint32_t work;      /* x, y, z, X: what the first sweep gathers */
    uint32_t place;     /* x*, y*, z* */
    uint32_t held;      /* S, 1/(2 M) */
    uint32_t source;    /* D* - 1 without pressure */
    rill_buffer memory; /* sums of the blocks */
} pcisph;

typedef struct job {
    const pcisph *s;
    rill_sph *sph;
    float dt;
    bool moving;  /* some wall does */
    double *sums; /* per block: compression, its largest */
} job;

static uint32_t add_scratch(rill_sph *sph, const char *name, uint32_t lanes)
{
    return rill_fields_add(&sph->fields, &(rill_field_def){name, "", RILL_FIELD_F32, lanes, lanes, RILL_SCRATCH});
}

static rill_status pcisph_create(rill_sph *sph, const rill_scene *scene, double sound_speed, void **self,
                                  rill_error *err)
{
    (void)sound_speed;
    pcisph *s = calloc(1, sizeof *s);
    if (!s) return rill_memory_fail(err, sizeof *s, "the solver");
    s->tolerance = scene->solver.density_error;
    s->template = sph->volume * pairs_lattice_squares(sph);
    s->least = scene->solver.iterations_min;
    s->most = scene->solver.iterations_max;
    s->work = add_scratch(sph, "pcisph_work", 4);
    s->place = add_scratch(sph, "pcisph_place", 4);
    s->held = add_scratch(sph, "pcisph_held", 4);
    s->source = add_scratch(sph, "pcisph_source", 1);
    sph->lists.weighted = true;
    *self = s;
    return RILL_OK;
}

static void pcisph_destroy(void *self)
{
    pcisph *s = self;
    if (s) rill_buffer_free(&s->memory);
    free(s);
}

/* The neighbours' s, in the position's fourth lane, where there are several fluids. */
static void share_body(void *context, uint32_t begin, uint32_t end, unsigned worker)
{
    (void)worker;
    pairs_share_ratios(((const job *)context)->sph, begin, end);
}

/* Places without pressure, S and delta. */
RILL_INLINE void predict_block(const job *j, uint32_t begin, uint32_t end, bool periodic)
{
    rill_sph *sph = j->sph;
    const float *position = rill_field_f32(&sph->fields, FIELD_POSITION);
    const float *velocity = rill_field_f32(&sph->fields, FIELD_VELOCITY);
    float *held = rill_field_f32(&sph->fields, j->s->held), *place = rill_field_f32(&sph->fields, j->s->place);
    float *A = rill_field_f32(&sph->fields, FIELD_ACCELERATION);
    const period p = period_of(&sph->grid);
    const vf zero = {0};
    for (uint32_t i = begin; i < end; i += RILL_WIDTH) {
        const vrec xi = vrec_load(position + 4 * (size_t)i), v = vrec_load(velocity + 4 * (size_t)i);
        const pressure_held h = pressure_hold(sph, i, &xi, periodic, &p);
        const vf s_i = sph->rest_density[0] / by_fluid(sph, sph->rest_density, i);
        const vf M = vf_max(h.M, s_i * (float)j->s->template);
        vrec_store(held + 4 * (size_t)i, (vrec){h.S.x, h.S.y, h.S.z, 1 / (2 * M)});
        vrec_store(place + 4 * (size_t)i, (vrec){xi.x + j->dt * v.x, xi.y + j->dt * v.y, xi.z + j->dt * v.z, zero});
        vrec_store(A + 4 * (size_t)i, (vrec){zero, zero, zero, zero});
    }
}

/* The density at the predicted places, and the first X. */
RILL_INLINE void source_block(const job *j, uint32_t begin, uint32_t end, bool cubic, bool periodic)
{
    rill_sph *sph = j->sph;
    const float *place = rill_field_f32(&sph->fields, j->s->place), *held = rill_field_f32(&sph->fields, j->s->held);
    float *source = rill_field_f32(&sph->fields, j->s->source), *work = rill_field_f32(&sph->fields, j->s->work);
    const period p = period_of(&sph->grid);
    const pair_kernels kernels = pair_kernels_of(sph);
    pressure_over over = {0};
    for (uint32_t i = begin; i < end; i += RILL_WIDTH) {
        const vrec to = vrec_load(place + 4 * (size_t)i);
        const vf r = pairs_compression(sph, &kernels, i, &to, place, cubic, periodic, &p) +
                     pairs_wall_compression(sph, &kernels, i, &to, j->dt, j->moving, cubic, periodic, &p) - 1;
        vf_store(source + i, r);
        pressure_store(sph, work, i, vf_max(r * vrec_load(held + 4 * (size_t)i).w, (vf){0}));
        pressure_over_add(&over, r, pressure_exist(i, end));
    }
    double *sums = j->sums + 2 * (begin / RILL_BLOCK);
    pressure_over_store(&over, &sums[0], &sums[1]);
}

/* What A leaves of it, and the next X. */
RILL_INLINE void test_block(const job *j, uint32_t begin, uint32_t end, bool periodic)
{
    rill_sph *sph = j->sph;
    const float *held = rill_field_f32(&sph->fields, j->s->held);
    const float *source = rill_field_f32(&sph->fields, j->s->source);
    float *work = rill_field_f32(&sph->fields, j->s->work);
    const period p = period_of(&sph->grid);
    const tiles t = tiles_of(&sph->grid);
    const float unit = pressure_unit(sph);
    pressure_over over = {0};
    for (uint32_t i = begin; i < end; i += RILL_WIDTH) {
        const vrec S = vrec_load(held + 4 * (size_t)i);
        const vf r = vf_load(source + i) + pressure_change(sph, i, &S, unit, periodic, &p, &t);
        const vf X = vrec_load(work + 4 * (size_t)i).w;
        pressure_store(sph, work, i, vf_max(X + r * S.w, (vf){0}));
        pressure_over_add(&over, r, pressure_exist(i, end));
    }
    double *sums = j->sums + 2 * (begin / RILL_BLOCK);
    pressure_over_store(&over, &sums[0], &sums[1]);
}

/* A from X. */
RILL_INLINE void push_block(const job *j, uint32_t begin, uint32_t end, bool periodic)
{
    const rill_fields *fields = &j->sph->fields;
    pressure_push(j->sph, rill_field_f32(fields, j->s->work), rill_field_f32(fields, j->s->held), begin, end, periodic);
}

/* v += A / dt; pressure and density for frames and probes. */
static void apply_body(void *context, uint32_t begin, uint32_t end, unsigned worker)
{
    (void)worker;
    const job *j = context;
    const rill_sph *sph = j->sph;
    const float *v = rill_field_f32(&sph->fields, FIELD_VELOCITY);
    const uint32_t *fluid = rill_field_u32(&sph->fields, FIELD_FLUID);
    const float *work = rill_field_f32(&sph->fields, j->s->work);
    float *pressure = rill_field_f32(&sph->fields, FIELD_PRESSURE);
    float *density = rill_field_f32(&sph->fields, FIELD_DENSITY);
    const float pascal = (float)(sph->rest_density[0] / (sph->volume * j->dt * j->dt));
    pressure_apply(sph, j->dt, begin, end);
    for (size_t i = begin; i < end; i++) {
        pressure[i] = work[4 * i + 3] * pascal;
        density[i] = v[4 * i + 3] * sph->rest_density[fluid[i]];
    }
}

#define BODY(name)                                                                                                     \
    static void name##_body(void *context, uint32_t begin, uint32_t end, unsigned worker)                              \
    {                                                                                                                  \
        (void)worker;                                                                                                  \
        const job *j = context;                                                                                        \
        if (j->sph->grid.periodic) name##_block(j, begin, end, true);                                                  \
        else name##_block(j, begin, end, false);                                                                       \
    }
BODY(predict)
BODY(push)
BODY(test)
#undef BODY

static void source_body(void *context, uint32_t begin, uint32_t end, unsigned worker)
{
    (void)worker;
    const job *j = context;
    const bool cubic = j->sph->kernel == RILL_KERNEL_CUBIC, periodic = j->sph->grid.periodic;
    if (cubic && !periodic) source_block(j, begin, end, true, false);
    else if (cubic) source_block(j, begin, end, true, true);
    else source_block(j, begin, end, false, periodic);
}

/* True when little enough compression is left. */
static bool judge(const job *j, rill_solve_result *result)
{
    const uint32_t blocks = rill_block_count(j->sph->fields.count);
    const double count = j->sph->fields.count ? j->sph->fields.count : 1;
    result->density_error = 100 * rill_blocks_sum(j->sums, blocks, 2) / count;
    result->density_error_max = 100 * rill_blocks_max(j->sums + 1, blocks, 2);
    return result->density_error <= 100 * j->s->tolerance;
}

/* The A that was tested last is the one applied. */
static void iterate(job *j, rill_solve_result *result)
{
    const pcisph *s = j->s;
    pressure_sweep(j->sph, j, "source", source_body, FIELD_BIT(s->place) | FIELD_BIT(s->held) | FIELD_BIT(FIELD_POSITION),
          FIELD_BIT(s->source) | FIELD_BIT(s->work));
    bool enough = judge(j, result);
    result->density_error_before = result->density_error;
    while (!enough || result->iterations_density < s->least) {
        if (result->iterations_density >= s->most) {
            result->limit_hit = result->limit_hit || !enough;
            return;
        }
        pressure_sweep(j->sph, j, "push", push_body, FIELD_BIT(s->work) | FIELD_BIT(s->held) | FIELD_BIT(FIELD_FLUID),
              FIELD_BIT(FIELD_ACCELERATION));
        pressure_sweep(j->sph, j, "test", test_body,
              FIELD_BIT(FIELD_POSITION) | FIELD_BIT(FIELD_ACCELERATION) | FIELD_BIT(s->held) | FIELD_BIT(s->source) |
                  FIELD_BIT(s->work),
              FIELD_BIT(s->work));
        result->iterations_density++;
        enough = judge(j, result);
    }
}

static rill_status pcisph_solve(void *self, const rill_step_context *step, rill_solve_result *result, rill_error *err)
{
    pcisph *s = self;
    rill_sph *sph = step->sph;
    const size_t bytes = 2 * sizeof(double) * ((size_t)rill_block_count(sph->fields.count) + 1);
    if (!rill_buffer_reserve(&s->memory, bytes)) return rill_memory_fail(err, bytes, "the solver");
    job j = {.s = s, .sph = sph, .dt = (float)step->dt, .moving = pairs_walls_move(&sph->walls),
             .sums = s->memory.data};
    if (sph->fluid_count > 1) pressure_sweep(sph, &j, "share", share_body, FIELD_BIT(FIELD_FLUID), FIELD_BIT(FIELD_POSITION));
    pressure_sweep(sph, &j, "predict", predict_body, FIELD_BIT(FIELD_POSITION) | FIELD_BIT(FIELD_VELOCITY) | FIELD_BIT(FIELD_FLUID),
          FIELD_BIT(s->place) | FIELD_BIT(s->held) | FIELD_BIT(FIELD_ACCELERATION));
    iterate(&j, result);
    pressure_sweep(sph, &j, "apply", apply_body,
          FIELD_BIT(FIELD_ACCELERATION) | FIELD_BIT(FIELD_VELOCITY) | FIELD_BIT(FIELD_FLUID) | FIELD_BIT(s->work) |
              FIELD_BIT(s->held),
          FIELD_BIT(FIELD_VELOCITY) | FIELD_BIT(FIELD_PRESSURE) | FIELD_BIT(FIELD_DENSITY));
    pressure_even_beside_walls(sph, s->work);
    return RILL_OK;
}

extern const rill_solver RILL_WIDE(rill_solver_pcisph);
const rill_solver RILL_WIDE(rill_solver_pcisph) = {
    .name = "pcisph",
    .density_error = 1e-3,
    .implicit_pressure = true,
    .create = pcisph_create,
    .destroy = pcisph_destroy,
    .solve = pcisph_solve,
};

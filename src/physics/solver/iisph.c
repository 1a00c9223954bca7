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
 * Fields: iisph_pressure is state; the rest is scratch. FIELD_ACCELERATION holds A during the solve. */
#include <stdlib.h>

#include "physics/pressure.h"

typedef struct iisph {
    double tolerance, smallest; /* a diagonal below the smallest, over c, belongs to a lone particle */
    float omega;
    uint32_t least, most;
    /* rows of the field table */
    uint32_t pressure, next; /* p, Pa */
    uint32_t source;         /* D* - 1 */
    uint32_t work;           /* x, y, z, c p: what the first sweep gathers */
    uint32_t held;           /* S, -1/a_ii */
    rill_buffer memory;      /* sums of the blocks */
} iisph;

typedef struct job {
    const iisph *s;
    rill_sph *sph;
    float dt;
    float scale;  /* dt^2 V0 / rho_ref */
    double *sums; /* per block: compression, its largest */
} job;

static uint32_t add_field(rill_sph *sph, const char *name, const char *unit, uint32_t lanes, rill_lifetime lifetime)
{
    return rill_fields_add(&sph->fields, &(rill_field_def){name, unit, RILL_FIELD_F32, lanes, lanes, lifetime});
}

static rill_status iisph_create(rill_sph *sph, const rill_scene *scene, double sound_speed, void **self,
                                 rill_error *err)
{
    (void)sound_speed;
    iisph *s = calloc(1, sizeof *s);
    if (!s) return rill_memory_fail(err, sizeof *s, "the solver");
    const rill_kernel kernel = rill_kernel_of_gradient(sph->kernel);
    const double bound = 1.35 * rill_kernel_lattice_eigenvalue(kernel, sph->support, sph->diameter);
    s->omega = (float)fmin(0.5, 1.9 / bound);
    s->tolerance = scene->solver.density_error;
    s->smallest = 1e-3 * sph->volume * pairs_lattice_squares(sph);
    s->least = scene->solver.iterations_min;
    s->most = scene->solver.iterations_max;
    s->pressure = add_field(sph, "iisph_pressure", "Pa", 1, RILL_STATE);
    s->next = add_field(sph, "iisph_next", "Pa", 1, RILL_SCRATCH);
    s->source = add_field(sph, "iisph_source", "", 1, RILL_SCRATCH);
    s->work = add_field(sph, "iisph_work", "", 4, RILL_SCRATCH);
    s->held = add_field(sph, "iisph_held", "", 4, RILL_SCRATCH);
    sph->lists.weighted = true;
    *self = s;
    return RILL_OK;
}

static void iisph_destroy(void *self)
{
    iisph *s = self;
    if (s) rill_buffer_free(&s->memory);
    free(s);
}

/* The neighbours' s, in the position's fourth lane, where there are several fluids. */
static void share_body(void *context, uint32_t begin, uint32_t end, unsigned worker)
{
    (void)worker;
    pairs_share_ratios(((const job *)context)->sph, begin, end);
}

/* c of the group of particle i. */
RILL_INLINE vf pressure_scale(const job *j, uint32_t i)
{
    const vf D = vf_load(rill_field_f32(&j->sph->fields, FIELD_COMPRESSION) + i);
    return j->scale / (D * D);
}

/* S, the diagonal, the source, and the pressure to start from. */
RILL_INLINE void predict_block(const job *j, uint32_t begin, uint32_t end, bool periodic)
{
    rill_sph *sph = j->sph;
    const iisph *s = j->s;
    const float *position = rill_field_f32(&sph->fields, FIELD_POSITION);
    const float *velocity = rill_field_f32(&sph->fields, FIELD_VELOCITY);
    float *pressure = rill_field_f32(&sph->fields, s->pressure), *source = rill_field_f32(&sph->fields, s->source);
    float *work = rill_field_f32(&sph->fields, s->work), *held = rill_field_f32(&sph->fields, s->held);
    const period p = period_of(&sph->grid);
    double sum = 0;
    for (uint32_t i = begin; i < end; i += RILL_WIDTH) {
        const vrec xi = vrec_load(position + 4 * (size_t)i), v = vrec_load(velocity + 4 * (size_t)i);
        const pressure_held h = pressure_hold(sph, i, &xi, periodic, &p);
        const vf c = pressure_scale(j, i), inverse = vf_mask(h.M > (float)s->smallest, 1 / (c * h.M));
        vrec_store(held + 4 * (size_t)i, (vrec){h.S.x, h.S.y, h.S.z, inverse});
        const vf rate = pressure_divergence(sph, i, &xi, &v, periodic, &p);
        const vf b = v.w + j->dt * (float)sph->volume * rate - 1, start = 0.5f * vf_load(pressure + i);
        vf_store(source + i, b);
        vf_store(pressure + i, start);
        vrec_store(work + 4 * (size_t)i, (vrec){xi.x, xi.y, xi.z, c * start});
        for (uint32_t l = 0; l < RILL_WIDTH && i + l < end; l++) sum += b[l] > 0 ? b[l] : 0;
    }
    j->sums[2 * (begin / RILL_BLOCK)] = sum;
}

/* A from p. */
RILL_INLINE void push_block(const job *j, uint32_t begin, uint32_t end, bool periodic)
{
    const rill_fields *fields = &j->sph->fields;
    pressure_push(j->sph, rill_field_f32(fields, j->s->work), rill_field_f32(fields, j->s->held), begin, end, periodic);
}

/* The compression that A leaves, and the next p. */
RILL_INLINE void test_block(const job *j, uint32_t begin, uint32_t end, bool periodic)
{
    rill_sph *sph = j->sph;
    const iisph *s = j->s;
    const float *source = rill_field_f32(&sph->fields, s->source), *held = rill_field_f32(&sph->fields, s->held);
    const float *pressure = rill_field_f32(&sph->fields, s->pressure);
    float *next = rill_field_f32(&sph->fields, s->next), *work = rill_field_f32(&sph->fields, s->work);
    const period p = period_of(&sph->grid);
    const tiles t = tiles_of(&sph->grid);
    const float unit = pressure_unit(sph);
    pressure_over over = {0};
    for (uint32_t i = begin; i < end; i += RILL_WIDTH) {
        const vrec S = vrec_load(held + 4 * (size_t)i);
        const vf r = vf_load(source + i) + pressure_change(sph, i, &S, unit, periodic, &p, &t);
        const vf stepped = vf_max(vf_load(pressure + i) + s->omega * r * S.w, (vf){0});
        vf_store(next + i, stepped);
        pressure_store(sph, work, i, stepped * pressure_scale(j, i));
        pressure_over_add(&over, r, pressure_exist(i, end));
    }
    double *sums = j->sums + 2 * (begin / RILL_BLOCK);
    pressure_over_store(&over, &sums[0], &sums[1]);
}

/* v += A / dt; pressure and density for frames and probes. */
static void apply_body(void *context, uint32_t begin, uint32_t end, unsigned worker)
{
    (void)worker;
    const job *j = context;
    const rill_sph *sph = j->sph;
    const float *p = rill_field_f32(&sph->fields, j->s->pressure), *v = rill_field_f32(&sph->fields, FIELD_VELOCITY);
    const uint32_t *fluid = rill_field_u32(&sph->fields, FIELD_FLUID);
    float *pressure = rill_field_f32(&sph->fields, FIELD_PRESSURE);
    float *density = rill_field_f32(&sph->fields, FIELD_DENSITY);
    pressure_apply(sph, j->dt, begin, end);
    for (size_t i = begin; i < end; i++) {
        pressure[i] = p[i];
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

/* In percent. */
static double mean_compression(const job *j)
{
    const double count = j->sph->fields.count ? j->sph->fields.count : 1;
    return 100 * rill_blocks_sum(j->sums, rill_block_count(j->sph->fields.count), 2) / count;
}

static void iterate(job *j, rill_solve_result *result)
{
    rill_fields *fields = &j->sph->fields;
    const iisph *s = j->s;
    for (;;) {
        pressure_sweep(j->sph, j, "push", push_body, FIELD_BIT(s->work) | FIELD_BIT(s->held) | FIELD_BIT(FIELD_FLUID),
              FIELD_BIT(FIELD_ACCELERATION));
        pressure_sweep(j->sph, j, "test", test_body,
              FIELD_BIT(FIELD_POSITION) | FIELD_BIT(FIELD_ACCELERATION) | FIELD_BIT(FIELD_COMPRESSION) |
                  FIELD_BIT(s->held) | FIELD_BIT(s->source) | FIELD_BIT(s->pressure),
              FIELD_BIT(s->next) | FIELD_BIT(s->work));
        result->iterations_density++;
        result->density_error = mean_compression(j);
        const bool enough = result->density_error <= 100 * s->tolerance;
        if (enough && result->iterations_density >= s->least) break;
        if (result->iterations_density >= s->most) {
            result->limit_hit = result->limit_hit || !enough;
            break;
        }
        void *spent = fields->data[s->pressure];
        fields->data[s->pressure] = fields->data[s->next];
        fields->data[s->next] = spent;
    }
    result->density_error_max = 100 * rill_blocks_max(j->sums + 1, rill_block_count(fields->count), 2);
}

static rill_status iisph_solve(void *self, const rill_step_context *step, rill_solve_result *result, rill_error *err)
{
    iisph *s = self;
    rill_sph *sph = step->sph;
    const size_t bytes = 2 * sizeof(double) * ((size_t)rill_block_count(sph->fields.count) + 1);
    if (!rill_buffer_reserve(&s->memory, bytes)) return rill_memory_fail(err, bytes, "the solver");
    job j = {.s = s, .sph = sph, .dt = (float)step->dt, .sums = s->memory.data,
             .scale = (float)(step->dt * step->dt * sph->volume / sph->rest_density[0])};
    if (sph->fluid_count > 1) pressure_sweep(sph, &j, "share", share_body, FIELD_BIT(FIELD_FLUID), FIELD_BIT(FIELD_POSITION));
    pressure_sweep(sph, &j, "predict", predict_body,
          FIELD_BIT(FIELD_POSITION) | FIELD_BIT(FIELD_VELOCITY) | FIELD_BIT(FIELD_COMPRESSION) |
              FIELD_BIT(FIELD_FLUID) | FIELD_BIT(s->pressure),
          FIELD_BIT(s->pressure) | FIELD_BIT(s->source) | FIELD_BIT(s->work) | FIELD_BIT(s->held));
    result->density_error_before = mean_compression(&j);
    iterate(&j, result);
    pressure_sweep(sph, &j, "apply", apply_body,
          FIELD_BIT(FIELD_ACCELERATION) | FIELD_BIT(FIELD_VELOCITY) | FIELD_BIT(FIELD_FLUID) | FIELD_BIT(s->pressure) |
              FIELD_BIT(s->held),
          FIELD_BIT(FIELD_VELOCITY) | FIELD_BIT(FIELD_PRESSURE) | FIELD_BIT(FIELD_DENSITY));
    pressure_even_beside_walls(sph, s->work);
    return RILL_OK;
}

extern const rill_solver RILL_WIDE(rill_solver_iisph);
const rill_solver RILL_WIDE(rill_solver_iisph) = {
    .name = "iisph",
    .density_error = 1e-3,
    .implicit_pressure = true,
    .create = iisph_create,
    .destroy = iisph_destroy,
    .solve = iisph_solve,
};

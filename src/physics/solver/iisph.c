/* Implicit incompressible SPH (Ihmsen, Cornelis, Solenthaler, Horvath and Teschner 2014): one solve a step for the
 * pressures, Pa, that bring the density predicted with the new velocities back to rest.
 *
 * With c_i = dt^2 V0 / (rho_ref D_i^2) and s = rho_ref/rho0 the pressures p move particles by
 *   A_i = dt^2 a_i = -s_i [ sum_j f_ij (c_i p_i + c_j p_j) (x_i - x_j) + c_i p_i G_i ]
 *   G_i = sum_b f_ib (x_i - x_b)           over walls, of which only the fluid's side carries pressure
 * which is the paper's d_ii p_i + sum_j d_ij p_j. The linear system, one row a particle, is
 *   (A p)_i = V0 [ sum_j f_ij (A_i - A_j).(x_i - x_j) + A_i.G_i ] = 1 - D*_i
 *   D*_i = D_i + dt V0 sum (v_i - v_j).nabla W            over fluid and walls
 * and its diagonal holds what p_i does to i and, by way of its neighbours, to i again:
 *   a_ii = -c_i V0 ( s_i |sum_j f d + G|^2 + sum_j s_j |f d|^2 ).
 * Relaxed Jacobi from half the last pressure:
 *   p <- max(0, p + omega (1 - D* - (A p)_i) / a_ii),  omega = 1/2,
 * less where the support is so wide that 1/2 would not converge: omega = 1.9/L at most, where L bounds the largest
 * eigenvalue as in dfsph.c. The solve ends when the mean compression is below the tolerance. Two sweeps make an
 * iteration: the first finds A, the second its divergence. The A that was tested is the one applied.
 *
 * Fields: iisph_pressure is state; the rest is scratch. FIELD_ACCELERATION holds A during the solve. */
#include <stdlib.h>

#include "physics/method.h"
#include "physics/pairs.h"

typedef struct iisph {
    double tolerance, smallest; /* a diagonal below the smallest, over c, belongs to a lone particle */
    float omega;
    uint32_t least, most;
    /* rows of the field table */
    uint32_t pressure, next; /* p, Pa */
    uint32_t source;         /* D* - 1 */
    uint32_t work;           /* x, y, z, c p: what the first sweep gathers */
    uint32_t wall;           /* G, -1/a_ii */
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
    s->wall = add_field(sph, "iisph_wall", "", 4, RILL_SCRATCH);
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

/* G, the diagonal, the source, and the pressure to start from. */
RILL_INLINE void predict_block(const job *j, uint32_t begin, uint32_t end, bool periodic)
{
    rill_sph *sph = j->sph;
    const iisph *s = j->s;
    const float *position = rill_field_f32(&sph->fields, FIELD_POSITION);
    const float *velocity = rill_field_f32(&sph->fields, FIELD_VELOCITY);
    float *pressure = rill_field_f32(&sph->fields, s->pressure), *source = rill_field_f32(&sph->fields, s->source);
    float *work = rill_field_f32(&sph->fields, s->work), *walls = rill_field_f32(&sph->fields, s->wall);
    const period p = period_of(&sph->grid);
    const float volume = (float)sph->volume;
    double sum = 0;
    for (uint32_t i = begin; i < end; i += RILL_WIDTH) {
        const rill_group *g = &sph->lists.group[i / RILL_WIDTH], *wall = &sph->wall_lists.group[i / RILL_WIDTH];
        const vrec xi = vrec_load(position + 4 * (size_t)i), v = vrec_load(velocity + 4 * (size_t)i);
        const pair_moments fluid = pairs_moments(g, &xi, position, sph->fluid_count > 1, periodic, &p);
        vf rate = pairs_divergence(g, &xi, &v, position, velocity, periodic, &p);
        vec G = {0};
        if (wall->length) {
            G = pairs_moments(wall, &xi, sph->walls.position, false, periodic, &p).sum;
            rate += pairs_divergence(wall, &xi, &v, sph->walls.position, sph->walls.velocity, periodic, &p);
        }
        const vec all = {fluid.sum.x + G.x, fluid.sum.y + G.y, fluid.sum.z + G.z};
        const vf s_i = sph->rest_density[0] / by_fluid(sph, sph->rest_density, i);
        const vf M = volume * (s_i * vec_dot(all, all) + fluid.squares), c = pressure_scale(j, i);
        vrec_store(walls + 4 * (size_t)i, (vrec){G.x, G.y, G.z, vf_mask(M > (float)s->smallest, 1 / (c * M))});
        const vf b = v.w + j->dt * volume * rate - 1, start = 0.5f * vf_load(pressure + i);
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
    rill_sph *sph = j->sph;
    const float *work = rill_field_f32(&sph->fields, j->s->work), *walls = rill_field_f32(&sph->fields, j->s->wall);
    float *A = rill_field_f32(&sph->fields, FIELD_ACCELERATION);
    const period p = period_of(&sph->grid);
    for (uint32_t i = begin; i < end; i += RILL_WIDTH) {
        const vrec xi = vrec_load(work + 4 * (size_t)i), G = vrec_load(walls + 4 * (size_t)i);
        const vec sum = pairs_gradient(&sph->lists.group[i / RILL_WIDTH], &xi, xi.w, work, periodic, &p);
        const vf s_i = -sph->rest_density[0] / by_fluid(sph, sph->rest_density, i);
        vrec_store(A + 4 * (size_t)i, (vrec){s_i * (sum.x + xi.w * G.x), s_i * (sum.y + xi.w * G.y),
                                             s_i * (sum.z + xi.w * G.z), (vf){0}});
    }
}

/* The compression that A leaves, and the next p. */
RILL_INLINE void test_block(const job *j, uint32_t begin, uint32_t end, bool periodic)
{
    rill_sph *sph = j->sph;
    const iisph *s = j->s;
    const float *position = rill_field_f32(&sph->fields, FIELD_POSITION);
    const float *A = rill_field_f32(&sph->fields, FIELD_ACCELERATION), *walls = rill_field_f32(&sph->fields, s->wall);
    const float *source = rill_field_f32(&sph->fields, s->source);
    const float *pressure = rill_field_f32(&sph->fields, s->pressure);
    float *next = rill_field_f32(&sph->fields, s->next), *work = rill_field_f32(&sph->fields, s->work);
    const period p = period_of(&sph->grid);
    double sum = 0, largest = 0;
    for (uint32_t i = begin; i < end; i += RILL_WIDTH) {
        const vrec xi = vrec_load(position + 4 * (size_t)i), Ai = vrec_load(A + 4 * (size_t)i);
        const vrec G = vrec_load(walls + 4 * (size_t)i);
        vf change = pairs_divergence(&sph->lists.group[i / RILL_WIDTH], &xi, &Ai, position, A, periodic, &p);
        change += Ai.x * G.x + Ai.y * G.y + Ai.z * G.z;
        const vf r = vf_load(source + i) + (float)sph->volume * change;
        const vf stepped = vf_max(vf_load(pressure + i) + s->omega * r * G.w, (vf){0});
        const vf X = stepped * pressure_scale(j, i);
        vf_store(next + i, stepped);
        for (uint32_t l = 0; l < RILL_WIDTH && i + l < end; l++) {
            work[4 * (size_t)(i + l) + 3] = X[l];
            const double over = r[l] > 0 ? r[l] : 0;
            sum += over;
            largest = over > largest ? over : largest;
        }
    }
    j->sums[2 * (begin / RILL_BLOCK)] = sum;
    j->sums[2 * (begin / RILL_BLOCK) + 1] = largest;
}

/* v += A / dt; pressure and density for frames and probes, the pressure in the fourth lane of the work record as well,
 * -1 next to walls. */
static void apply_body(void *context, uint32_t begin, uint32_t end, unsigned worker)
{
    (void)worker;
    const job *j = context;
    const rill_sph *sph = j->sph;
    const float *A = rill_field_f32(&sph->fields, FIELD_ACCELERATION);
    const float *walls = rill_field_f32(&sph->fields, j->s->wall);
    const float *p = rill_field_f32(&sph->fields, j->s->pressure);
    const uint32_t *fluid = rill_field_u32(&sph->fields, FIELD_FLUID);
    float *v = rill_field_f32(&sph->fields, FIELD_VELOCITY), *work = rill_field_f32(&sph->fields, j->s->work);
    float *pressure = rill_field_f32(&sph->fields, FIELD_PRESSURE);
    float *density = rill_field_f32(&sph->fields, FIELD_DENSITY);
    const float scale = 1 / j->dt, volume = (float)sph->volume;
    for (size_t i = begin; i < end; i++) {
        const float *G = walls + 4 * i, D = v[4 * i + 3], rest = sph->rest_density[fluid[i]];
        for (size_t l = 0; l < 3; l++) v[4 * i + l] += scale * A[4 * i + l];
        pressure[i] = p[i];
        density[i] = D * rest;
        /* The walls' share of the diagonal. */
        const float walled = volume * (G[0] * G[0] + G[1] * G[1] + G[2] * G[2]) * G[3] * j->scale / (D * D);
        work[4 * i + 3] = walled * sph->rest_density[0] > 0.02f * rest ? -1 : p[i];
    }
}

RILL_INLINE void continue_block(const job *j, uint32_t begin, uint32_t end, bool periodic)
{
    pairs_continue_pressure(j->sph, rill_field_f32(&j->sph->fields, j->s->work), begin, end, periodic);
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
BODY(continue)
#undef BODY

static void sweep(job *j, const char *name, rill_pass_body *body, uint64_t reads, uint64_t writes)
{
    const rill_pass pass = {name, body, reads, writes};
    rill_pass_run(&j->sph->runner, &j->sph->fields, &pass, j, rill_sph_blocks(j->sph));
}

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
        sweep(j, "push", push_body, FIELD_BIT(s->work) | FIELD_BIT(s->wall) | FIELD_BIT(FIELD_FLUID),
              FIELD_BIT(FIELD_ACCELERATION));
        sweep(j, "test", test_body,
              FIELD_BIT(FIELD_POSITION) | FIELD_BIT(FIELD_ACCELERATION) | FIELD_BIT(FIELD_COMPRESSION) |
                  FIELD_BIT(s->wall) | FIELD_BIT(s->source) | FIELD_BIT(s->pressure),
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
    if (sph->fluid_count > 1) sweep(&j, "share", share_body, FIELD_BIT(FIELD_FLUID), FIELD_BIT(FIELD_POSITION));
    sweep(&j, "predict", predict_body,
          FIELD_BIT(FIELD_POSITION) | FIELD_BIT(FIELD_VELOCITY) | FIELD_BIT(FIELD_COMPRESSION) |
              FIELD_BIT(FIELD_FLUID) | FIELD_BIT(s->pressure),
          FIELD_BIT(s->pressure) | FIELD_BIT(s->source) | FIELD_BIT(s->work) | FIELD_BIT(s->wall));
    result->density_error_before = mean_compression(&j);
    iterate(&j, result);
    sweep(&j, "apply", apply_body,
          FIELD_BIT(FIELD_ACCELERATION) | FIELD_BIT(FIELD_VELOCITY) | FIELD_BIT(FIELD_FLUID) | FIELD_BIT(s->pressure) |
              FIELD_BIT(s->wall),
          FIELD_BIT(FIELD_VELOCITY) | FIELD_BIT(FIELD_PRESSURE) | FIELD_BIT(FIELD_DENSITY) | FIELD_BIT(s->work));
    sweep(&j, "publish", continue_body, FIELD_BIT(s->work) | FIELD_BIT(FIELD_PRESSURE) | FIELD_BIT(FIELD_DENSITY),
          FIELD_BIT(FIELD_PRESSURE));
    return RILL_OK;
}

extern const rill_solver RILL_WIDE(rill_solver_iisph);
const rill_solver RILL_WIDE(rill_solver_iisph) = {
    .name = "iisph",
    .create = iisph_create,
    .destroy = iisph_destroy,
    .solve = iisph_solve,
};

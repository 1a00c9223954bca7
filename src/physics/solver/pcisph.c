/* Predictive-corrective incompressible SPH (Solenthaler and Pajarola 2009): pressure grows, from nothing in every step,
 * until the predicted density is no longer above rest.
 *
 *   x*_i = x_i + dt v_i
 *   D*_i = V0 (W(0) + sum_j W(x*_i - x*_j) + sum_b psi_b W(x*_i - x*_b)) + dD_i
 *   dD_i = V0 [ sum_j f_ij (A_i - A_j).(x_i - x_j) + A_i.G_i ]
 *   p_i <- max(0, p_i + delta_i (D*_i - 1)),  in Pa
 *   A_i = dt^2 a_i = -s_i [ sum_j f_ij (X_i + X_j) (x_i - x_j) + X_i G_i ],  X = dt^2 V0 p / rho_ref,  s = rho_ref/rho0
 *   G_i = sum_b f_ib (x_i - x_b)           over walls, of which only the fluid's side carries pressure
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
 * template's delta would overshoot and grow, its own counts:
 *   M_i = V0 ( s_i |sum_j f d + G|^2 + sum_j s_j |f d|^2 ).
 * Correction goes on until the mean compression is below the tolerance.
 *
 * Fields: all scratch. FIELD_ACCELERATION holds A during the solve. */
#include <stdlib.h>

#include "physics/method.h"
#include "physics/pairs.h"

typedef struct pcisph {
    double tolerance;
    double template; /* M where s = 1 */
    uint32_t least, most;
    /* rows of the field table */
    uint32_t work;      /* x, y, z, X: what the first sweep gathers */
    uint32_t place;     /* x*, y*, z* */
    uint32_t wall;      /* G, 1/(2 M) */
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
    s->wall = add_scratch(sph, "pcisph_wall", 4);
    s->source = add_scratch(sph, "pcisph_source", 1);
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

/* Places without pressure, G and delta. */
RILL_INLINE void predict_block(const job *j, uint32_t begin, uint32_t end, bool periodic)
{
    rill_sph *sph = j->sph;
    const float *position = rill_field_f32(&sph->fields, FIELD_POSITION);
    const float *velocity = rill_field_f32(&sph->fields, FIELD_VELOCITY);
    float *walls = rill_field_f32(&sph->fields, j->s->wall), *place = rill_field_f32(&sph->fields, j->s->place);
    float *A = rill_field_f32(&sph->fields, FIELD_ACCELERATION);
    const period p = period_of(&sph->grid);
    const vf zero = {0};
    for (uint32_t i = begin; i < end; i += RILL_WIDTH) {
        const rill_group *g = &sph->lists.group[i / RILL_WIDTH], *wall = &sph->wall_lists.group[i / RILL_WIDTH];
        const vrec xi = vrec_load(position + 4 * (size_t)i), v = vrec_load(velocity + 4 * (size_t)i);
        const pair_moments fluid = pairs_moments(g, &xi, position, sph->fluid_count > 1, periodic, &p);
        vec G = {0};
        if (wall->length) G = pairs_moments(wall, &xi, sph->walls.position, false, periodic, &p).sum;
        const vec all = {fluid.sum.x + G.x, fluid.sum.y + G.y, fluid.sum.z + G.z};
        const vf s_i = sph->rest_density[0] / by_fluid(sph, sph->rest_density, i);
        const vf own = (float)sph->volume * (s_i * vec_dot(all, all) + fluid.squares);
        const vf M = vf_max(own, s_i * (float)j->s->template);
        vrec_store(walls + 4 * (size_t)i, (vrec){G.x, G.y, G.z, 1 / (2 * M)});
        vrec_store(place + 4 * (size_t)i, (vrec){xi.x + j->dt * v.x, xi.y + j->dt * v.y, xi.z + j->dt * v.z, zero});
        vrec_store(A + 4 * (size_t)i, (vrec){zero, zero, zero, zero});
    }
}

/* Takes down the excess r of a group and corrects its X. */
RILL_INLINE void correct_group(const job *j, uint32_t i, uint32_t end, vf r, vf delta, double *sum, double *largest)
{
    float *work = rill_field_f32(&j->sph->fields, j->s->work);
    for (uint32_t l = 0; l < RILL_WIDTH && i + l < end; l++) {
        float *X = work + 4 * (size_t)(i + l) + 3;
        const float stepped = *X + delta[l] * r[l];
        *X = stepped > 0 ? stepped : 0;
        const double over = r[l] > 0 ? r[l] : 0;
        *sum += over;
        *largest = over > *largest ? over : *largest;
    }
}

/* The density at the predicted places, and the first X. */
RILL_INLINE void source_block(const job *j, uint32_t begin, uint32_t end, bool cubic, bool periodic)
{
    rill_sph *sph = j->sph;
    const float *place = rill_field_f32(&sph->fields, j->s->place), *walls = rill_field_f32(&sph->fields, j->s->wall);
    const float *position = rill_field_f32(&sph->fields, FIELD_POSITION);
    float *source = rill_field_f32(&sph->fields, j->s->source), *work = rill_field_f32(&sph->fields, j->s->work);
    const period p = period_of(&sph->grid);
    const pair_kernels kernels = pair_kernels_of(sph);
    double sum = 0, largest = 0;
    for (uint32_t i = begin; i < end; i += RILL_WIDTH) {
        const vrec x = vrec_load(position + 4 * (size_t)i), to = vrec_load(place + 4 * (size_t)i);
        const vf r = pairs_compression(sph, &kernels, i, &to, place, cubic, periodic, &p) +
                     pairs_wall_compression(sph, &kernels, i, &to, j->dt, j->moving, cubic, periodic, &p) - 1;
        vf_store(source + i, r);
        vrec_store(work + 4 * (size_t)i, (vrec){x.x, x.y, x.z, (vf){0}});
        correct_group(j, i, end, r, vrec_load(walls + 4 * (size_t)i).w, &sum, &largest);
    }
    j->sums[2 * (begin / RILL_BLOCK)] = sum;
    j->sums[2 * (begin / RILL_BLOCK) + 1] = largest;
}

/* What A leaves of it, and the next X. */
RILL_INLINE void test_block(const job *j, uint32_t begin, uint32_t end, bool periodic)
{
    rill_sph *sph = j->sph;
    const float *position = rill_field_f32(&sph->fields, FIELD_POSITION);
    const float *A = rill_field_f32(&sph->fields, FIELD_ACCELERATION);
    const float *walls = rill_field_f32(&sph->fields, j->s->wall);
    const float *source = rill_field_f32(&sph->fields, j->s->source);
    const period p = period_of(&sph->grid);
    double sum = 0, largest = 0;
    for (uint32_t i = begin; i < end; i += RILL_WIDTH) {
        const vrec xi = vrec_load(position + 4 * (size_t)i), Ai = vrec_load(A + 4 * (size_t)i);
        const vrec G = vrec_load(walls + 4 * (size_t)i);
        vf change = pairs_divergence(&sph->lists.group[i / RILL_WIDTH], &xi, &Ai, position, A, periodic, &p);
        change += Ai.x * G.x + Ai.y * G.y + Ai.z * G.z;
        correct_group(j, i, end, vf_load(source + i) + (float)sph->volume * change, G.w, &sum, &largest);
    }
    j->sums[2 * (begin / RILL_BLOCK)] = sum;
    j->sums[2 * (begin / RILL_BLOCK) + 1] = largest;
}

/* A from X. */
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

/* v += A / dt; pressure and density for frames and probes, the pressure in the fourth lane of the work record as well,
 * -1 next to walls. */
static void apply_body(void *context, uint32_t begin, uint32_t end, unsigned worker)
{
    (void)worker;
    const job *j = context;
    const rill_sph *sph = j->sph;
    const float *A = rill_field_f32(&sph->fields, FIELD_ACCELERATION);
    const float *walls = rill_field_f32(&sph->fields, j->s->wall);
    const uint32_t *fluid = rill_field_u32(&sph->fields, FIELD_FLUID);
    float *v = rill_field_f32(&sph->fields, FIELD_VELOCITY), *work = rill_field_f32(&sph->fields, j->s->work);
    float *pressure = rill_field_f32(&sph->fields, FIELD_PRESSURE);
    float *density = rill_field_f32(&sph->fields, FIELD_DENSITY);
    const float scale = 1 / j->dt, pascal = (float)(sph->rest_density[0] / (sph->volume * j->dt * j->dt));
    /* The walls' share of the diagonal, with the template for the rest of it. */
    const float walled = (float)(0.02 * j->s->template / sph->volume);
    for (size_t i = begin; i < end; i++) {
        const float *G = walls + 4 * i;
        for (size_t l = 0; l < 3; l++) v[4 * i + l] += scale * A[4 * i + l];
        pressure[i] = work[4 * i + 3] * pascal;
        density[i] = v[4 * i + 3] * sph->rest_density[fluid[i]];
        work[4 * i + 3] = G[0] * G[0] + G[1] * G[1] + G[2] * G[2] > walled ? -1 : pressure[i];
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

static void source_body(void *context, uint32_t begin, uint32_t end, unsigned worker)
{
    (void)worker;
    const job *j = context;
    const bool cubic = j->sph->kernel == RILL_KERNEL_CUBIC, periodic = j->sph->grid.periodic;
    if (cubic && !periodic) source_block(j, begin, end, true, false);
    else if (cubic) source_block(j, begin, end, true, true);
    else source_block(j, begin, end, false, periodic);
}

static void sweep(job *j, const char *name, rill_pass_body *body, uint64_t reads, uint64_t writes)
{
    const rill_pass pass = {name, body, reads, writes};
    rill_pass_run(&j->sph->runner, &j->sph->fields, &pass, j, rill_sph_blocks(j->sph));
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
    sweep(j, "source", source_body, FIELD_BIT(s->place) | FIELD_BIT(s->wall) | FIELD_BIT(FIELD_POSITION),
          FIELD_BIT(s->source) | FIELD_BIT(s->work));
    bool enough = judge(j, result);
    result->density_error_before = result->density_error;
    while (!enough || result->iterations_density < s->least) {
        if (result->iterations_density >= s->most) {
            result->limit_hit = result->limit_hit || !enough;
            return;
        }
        sweep(j, "push", push_body, FIELD_BIT(s->work) | FIELD_BIT(s->wall) | FIELD_BIT(FIELD_FLUID),
              FIELD_BIT(FIELD_ACCELERATION));
        sweep(j, "test", test_body,
              FIELD_BIT(FIELD_POSITION) | FIELD_BIT(FIELD_ACCELERATION) | FIELD_BIT(s->wall) | FIELD_BIT(s->source) |
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
    if (sph->fluid_count > 1) sweep(&j, "share", share_body, FIELD_BIT(FIELD_FLUID), FIELD_BIT(FIELD_POSITION));
    sweep(&j, "predict", predict_body, FIELD_BIT(FIELD_POSITION) | FIELD_BIT(FIELD_VELOCITY) | FIELD_BIT(FIELD_FLUID),
          FIELD_BIT(s->place) | FIELD_BIT(s->wall) | FIELD_BIT(FIELD_ACCELERATION));
    iterate(&j, result);
    sweep(&j, "apply", apply_body,
          FIELD_BIT(FIELD_ACCELERATION) | FIELD_BIT(FIELD_VELOCITY) | FIELD_BIT(FIELD_FLUID) | FIELD_BIT(s->work) |
              FIELD_BIT(s->wall),
          FIELD_BIT(FIELD_VELOCITY) | FIELD_BIT(FIELD_PRESSURE) | FIELD_BIT(FIELD_DENSITY) | FIELD_BIT(s->work));
    sweep(&j, "publish", continue_body, FIELD_BIT(s->work) | FIELD_BIT(FIELD_PRESSURE) | FIELD_BIT(FIELD_DENSITY),
          FIELD_BIT(FIELD_PRESSURE));
    return RILL_OK;
}

extern const rill_solver RILL_WIDE(rill_solver_pcisph);
const rill_solver RILL_WIDE(rill_solver_pcisph) = {
    .name = "pcisph",
    .create = pcisph_create,
    .destroy = pcisph_destroy,
    .solve = pcisph_solve,
};

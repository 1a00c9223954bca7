/* Divergence-free SPH (Bender and Koschier 2017): two solves a step keep the
 * liquid incompressible, one for the velocities before forces act (its density
 * must not grow), one after (its density must not exceed rest).
 *
 * Unknown of both: X = dt^2 V0 P / rho_ref >= 0 with P = p/D^2. It moves particles by A = dt^2 a and
 * changes the density by dD, as in pressure.h. A solve looks for X with
 *   r = b + dD <= 0,  X >= 0,  X r = 0, where
 *   b = dt V0 sum (v_i - v_j).nabla W            divergence solve
 *   b = D + dt V0 sum (v_i - v_j).nabla W - 1    density solve.
 *
 * jacobi, as in the paper:       X <- max(0, X + w r/M), half the last X to start from;
 *   w = 1.9/L, the paper's 1/2 for h = 2d
 * accelerated, the default:      Brakhage's nu-method with nu = 1,
 *   X <- max(0, X + mu_k (X - X_prev) + (omega_k/L) r/M)
 *   mu_k = (k-1)(2k-3)(2k+1)/((k+1)(2k+3)(2k-1)),  omega_k = 4k(2k+1)/((k+1)(2k+3))
 *   from the mean X of the last steps; k starts again when the error grows. L bounds
 *   the largest eigenvalue of M^-1 dD: 1.35 times that of the rest lattice, which
 *   is 3.8 for h = 2d, where 3.5 was seen in flows.
 * A solve ends when the mean of |min(-r, M X)| is below the tolerance: that counts
 * compression, and pressure that is no longer needed as well. The A that was tested is
 * the one applied. Particles with fewer than 20 neighbours take no part in the
 * divergence solve, and it starts from half the last X where the liquid still
 * converges.
 *
 * Why the mean. The few iterations of a step change what varies slowly in space by a share g only, small in deep water.
 * With the compression e and its rate u, both per step, and the pressure's distance y from what holds the liquid up,
 * a start from the last X gives
 *   y' = (1 - g) y + g (e + u),  u' = u - y',  e' = e + u',
 * which grows for every g < 1/2 until the tolerance is passed: still water breathed, its pressure swung by a fifth.
 * A start from a mean that takes over the share kappa of every new X grows for g < kappa/(1 + kappa) only. Where X
 * changes much, at a start or an impact, the mean follows within a factor.
 *
 * Fields: dfsph_start (the mean X of the density solve) and dfsph_divergence (X of the other) are state; the rest is
 * scratch, with the rows of pressure.h. */

#include "physics/params.h"
#include "physics/pressure.h"

typedef struct dfsph {
    bool jacobi;
    double density_tolerance, divergence_tolerance;
    double bound; /* L */
    uint32_t density_least, density_most, divergence_most;
    /* rows of the field table */
    uint32_t pressure, divergence; /* X of both solves, that was tested last */
    uint32_t start;                /* what the density solve starts from */
    uint32_t source;               /* b */
    pressure_rows rows;            /* held: S, 1/M */
} dfsph;

/* Sums of the sweeps. */
enum { SUM_RESIDUAL, SUM_OVER };

static const float LEAST_NEIGHBOURS = 20;

/* The share of every new X that the mean takes over, and the factor within which it follows: of a dozen pairs tried on
 * still tanks and dams, the one with few iterations in all of them. */
#define MEAN_SHARE 0.05f
#define MEAN_WITHIN 1.5f

/* What one sweep needs. */
typedef struct job {
    const dfsph *s;
    const rill_step_context *step;
    rill_sph *sph;
    float dt;
    uint32_t unknown;  /* row of the X being solved for */
    float keep;        /* share of the last X, or of the mean, to start from */
    float mu, omega;   /* of the iteration at hand */
    float smallest;    /* M below this has no meaning */
} job;

static uint32_t add_field(rill_sph *sph, const char *name, uint32_t lanes, rill_lifetime lifetime)
{
    return rill_fields_add_real(&sph->liquid.fields, name, "", lanes, lanes, lifetime);
}

static rill_status dfsph_create(rill_sph *sph, const rill_scene *scene, void **self, rill_error *err)
{
    dfsph *s = rill_calloc(1, sizeof *s);
    if (!s) return rill_memory_fail(err, sizeof *s, "the solver");
    s->jacobi = scene->solver.iteration == RILL_ITERATION_JACOBI;
    s->bound = 1.35 * rill_kernel_lattice_eigenvalue(rill_kernel_of_gradient(sph->kernel), sph->support, sph->diameter);
    s->start = add_field(sph, "dfsph_start", 1, RILL_STATE);
    s->divergence = add_field(sph, "dfsph_divergence", 1, RILL_STATE);
    s->pressure = add_field(sph, "dfsph_pressure", 1, RILL_SCRATCH);
    s->source = add_field(sph, "dfsph_source", 1, RILL_SCRATCH);
    s->rows = pressure_rows_add(sph);
    sph->lists.weighted = true;
    *self = s;
    return RILL_OK;
}

static void dfsph_tune(void *self, const rill_scene *scene)
{
    dfsph *s = self;
    const rill_solver_def *def = &scene->solver;
    s->density_tolerance = def->density_error;
    s->divergence_tolerance = def->divergence_error;
    s->density_least = def->iterations_min;
    s->density_most = s->divergence_most = def->iterations_max;
}

/* ---- sources ---- */

/* Once a step: S and 1/M of every particle, and the source of the divergence solve. */
RILL_INLINE void begin_block(const job *j, const rill_pass_block *block, bool periodic)
{
    rill_sph *sph = j->sph;
    const dfsph *s = j->s;
    const float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    const float *velocity = rill_field_f32(&sph->liquid.fields, FIELD_VELOCITY);
    const float *X = rill_field_f32(&sph->liquid.fields, s->divergence);
    float *source = rill_field_f32(&sph->liquid.fields, s->source);
    float *work = rill_field_f32(&sph->liquid.fields, s->rows.place),
          *held = rill_field_f32(&sph->liquid.fields, s->rows.held);
    const period p = period_of(&sph->grid);
    const float change = j->dt * (float)sph->volume;
    pressure_over over = pressure_over_begin(block, SUM_OVER);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const vrec xi = vrec_load(position + 4 * (size_t)i), v = vrec_load(velocity + 4 * (size_t)i);
        const pressure_held h = pressure_hold(sph, i, &xi, periodic, &p);
        vrec_store(held + 4 * (size_t)i, (vrec){h.S.x, h.S.y, h.S.z, vf_mask(h.M > j->smallest, 1 / h.M)});
        const vi enough = touches_neighbours(sph, i) >= LEAST_NEIGHBOURS;
        const vf b = vf_mask(enough, change * pressure_divergence(sph, i, &xi, &v, periodic, &p));
        const vf start = vf_mask(b > 0, j->keep * vf_load(X + i));
        vf_store(source + i, b);
        vrec_store(work + 4 * (size_t)i, (vrec){xi.x, xi.y, xi.z, start});
        pressure_over_add(&over, b, lanes_own(&sph->liquid, i, block->end));
    }
    pressure_over_end(&over, block, SUM_OVER);
}

/* The source of the density solve, and the pressure to start from. */
RILL_INLINE void predict_block(const job *j, const rill_pass_block *block, bool periodic)
{
    rill_sph *sph = j->sph;
    const dfsph *s = j->s;
    const float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    const float *velocity = rill_field_f32(&sph->liquid.fields, FIELD_VELOCITY);
    float *source = rill_field_f32(&sph->liquid.fields, s->source);
    float *work = rill_field_f32(&sph->liquid.fields, s->rows.place),
          *mean = rill_field_f32(&sph->liquid.fields, s->start);
    const period p = period_of(&sph->grid);
    const float change = j->dt * (float)sph->volume;
    pressure_over over = pressure_over_begin(block, SUM_OVER);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const vrec xi = vrec_load(position + 4 * (size_t)i), v = vrec_load(velocity + 4 * (size_t)i);
        const vf b = v.w + change * pressure_divergence(sph, i, &xi, &v, periodic, &p) - 1;
        const vf start = j->keep * vf_load(mean + i);
        vf_store(source + i, b);
        vf_store(mean + i, start);
        vrec_store(work + 4 * (size_t)i, (vrec){xi.x, xi.y, xi.z, start});
        pressure_over_add(&over, b, lanes_own(&sph->liquid, i, block->end));
    }
    pressure_over_end(&over, block, SUM_OVER);
}

/* ---- one iteration, in two sweeps ---- */

/* A from X. */
RILL_INLINE void push_block(const job *j, const rill_pass_block *block, bool periodic)
{
    pressure_push(j->sph, &j->s->rows, block, periodic);
}

/* What is left, r, and the next X. */
RILL_INLINE void test_block(const job *j, const rill_pass_block *block, bool periodic)
{
    rill_sph *sph = j->sph;
    const dfsph *s = j->s;
    const float *source = rill_field_f32(&sph->liquid.fields, s->source),
                *held = rill_field_f32(&sph->liquid.fields, s->rows.held);
    float *tested = rill_field_f32(&sph->liquid.fields, j->unknown),
          *work = rill_field_f32(&sph->liquid.fields, s->rows.place);
    const period p = period_of(&sph->grid);
    const tiles t = tiles_of(&sph->grid);
    const float unit = pressure_unit(sph);
    const bool divergence = j->unknown == s->divergence;
    pressure_over over = pressure_over_begin(block, SUM_OVER);
    vsum residual = vsum_begin(&block->tally->sums[SUM_RESIDUAL]);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const vrec S = vrec_load(held + 4 * (size_t)i), place = vrec_load(work + 4 * (size_t)i);
        const vf b = vf_load(source + i), x = place.w;
        vf r = b + pressure_change(sph, i, &place, &S, unit, periodic, &p, &t), inverse = S.w;
        if (divergence) {
            const vi enough = touches_neighbours(sph, i) >= LEAST_NEIGHBOURS;
            r = vf_mask(enough, r);
            inverse = vf_mask(enough, inverse);
        }
        const vf momentum = j->mu != 0 ? j->mu * (x - vf_load(tested + i)) : (vf){0};
        const vf stepped = vf_max(x + momentum + j->omega * r * inverse, (vf){0});
        vf_store(tested + i, x);
        pressure_store(work, i, &place, stepped);
        const vi counts = lanes_own(&sph->liquid, i, block->end) & (inverse > 0);
        const vf slack = vf_min(-r, x / inverse);
        vsum_add(&residual, vf_mask(counts, vf_max(slack, -slack)));
        pressure_over_add(&over, r, counts);
    }
    vsum_end(&residual, &block->tally->sums[SUM_RESIDUAL]);
    pressure_over_end(&over, block, SUM_OVER);
}

static vf tested_at(const void *context, uint32_t i)
{
    const job *j = context;
    return vf_load(rill_field_f32(&j->sph->liquid.fields, j->unknown) + i);
}

static void apply_body(void *context, const rill_pass_block *block)
{
    const job *j = context;
    pressure_apply(j->sph, j->dt, block, tested_at, j);
}

/* ---- for frames and probes ---- */

/* Pressure and density as the solve left them, and what the next one starts from. */
static void publish_body(void *context, const rill_pass_block *block)
{
    const job *j = context;
    const rill_sph *sph = j->sph;
    const float *X = rill_field_f32(&sph->liquid.fields, j->s->pressure),
                *v = rill_field_f32(&sph->liquid.fields, FIELD_VELOCITY);
    const uint32_t *fluid = rill_field_u32(&sph->liquid.fields, FIELD_FLUID);
    float *pressure = rill_field_f32(&sph->liquid.fields, FIELD_PRESSURE);
    float *density = rill_field_f32(&sph->liquid.fields, FIELD_DENSITY),
          *mean = rill_field_f32(&sph->liquid.fields, j->s->start);
    const float share = j->s->jacobi ? 1 : MEAN_SHARE;
    const float scale = (float)(sph->rest_density[0] / (sph->volume * j->dt * j->dt));
    for (size_t i = block->begin; i < block->end; i++) {
        const float D = v[4 * i + 3], moved = mean[i] + share * (X[i] - mean[i]);
        pressure[i] = X[i] * scale * D * D;
        density[i] = D * sph->rest_density[fluid[i]];
        mean[i] = fminf(fmaxf(moved, X[i] / MEAN_WITHIN), X[i] * MEAN_WITHIN);
    }
}

RILL_BODY(job, begin)
RILL_BODY(job, predict)
RILL_BODY(job, push)
RILL_BODY(job, test)

/* ---- the solves ---- */

/* Weights of iteration k = 1, 2, ... */
static void choose_weights(job *j, uint32_t k)
{
    if (j->s->jacobi) {
        j->mu = 0;
        j->omega = (float)(1.9 / j->s->bound);
        return;
    }
    const double n = k;
    j->mu = (float)((n - 1) * (2 * n - 3) * (2 * n + 1) / ((n + 1) * (2 * n + 3) * (2 * n - 1)));
    j->omega = (float)(4 * n * (2 * n + 1) / ((n + 1) * (2 * n + 3)) / j->s->bound);
}

/* Columns of the report. */
enum { DIVERGENCE_ITERATIONS = PRESSURE_COLUMNS, DIVERGENCE_BEFORE, DIVERGENCE };
static const rill_column columns[] = {
    PRESSURE_COLUMN_ROWS,
    [DIVERGENCE_ITERATIONS] = {"iterations_divergence", "", RILL_COLUMN_COUNT, RILL_OVER_MEAN,
                               "Iterations for the divergence."},
    [DIVERGENCE_BEFORE] = {"divergence_error_before", "%", RILL_COLUMN_NUMBER, RILL_OVER_MEAN,
                           "Mean change of density in a step before the divergence solve, of rest density."},
    [DIVERGENCE] = {"divergence_error", "%", RILL_COLUMN_NUMBER, RILL_OVER_MEAN,
                    "Mean change of density in a step that the divergence solve leaves, of rest density."},
    {0},
};

typedef struct outcome {
    uint32_t iterations;
    double error, largest; /* compression that is left */
    bool limit_hit;
} outcome;

static outcome solve(job *j, double tolerance, uint32_t least, uint32_t most)
{
    const dfsph *s = j->s;
    const pressure_rows *r = &s->rows;
    const rill_mask X = FIELD_BIT(j->unknown), next = FIELD_BIT(r->place) | FIELD_BIT(r->unknown);
    const rill_pass push = {"dfsph_push", push_body, pressure_push_reads(j->sph, r), pressure_push_gathers(r),
                            pressure_push_writes(r)};
    const rill_pass test = {"dfsph_test", test_body,
                            pressure_change_reads(r) | FIELD_BIT(r->inverse) | FIELD_BIT(s->source) | X | next |
                                USES_TOUCHES | FIELD_BIT(FIELD_OWNER),
                            pressure_change_gathers(r),
                            X | next | RILL_SUMS};
    outcome o = {0};
    double last = INFINITY;
    for (uint32_t k = 1;; k++) {
        choose_weights(j, k);
        rill_step_run(j->step, &push, j);
        rill_step_run(j->step, &test, j);
        o.iterations++;
        /* Jacobi of the paper looks at compression alone. */
        const double residual = rill_step_mean(j->step, s->jacobi ? SUM_OVER : SUM_RESIDUAL);
        o.error = rill_step_mean(j->step, SUM_OVER);
        o.largest = rill_step_largest(j->step, 0);
        if (residual <= tolerance && o.iterations >= least) return o;
        if (o.iterations >= most) {
            o.limit_hit = residual > tolerance;
            return o;
        }
        if (residual > last && k > 2) k = 0;
        last = residual;
    }
}

/* A diagonal a thousand times smaller than that of a particle inside the rest lattice belongs to a lone particle. */
static float smallest_diagonal(const rill_sph *sph)
{
    const rill_kernel kernel = rill_kernel_of_gradient(sph->kernel);
    const double h = sph->support, slope = rill_kernel_slope(kernel, sph->diameter, h);
    return (float)(1e-3 * sph->volume * 6 * slope * slope);
}

static void apply(job *j)
{
    const rill_mask v = FIELD_BIT(FIELD_VELOCITY);
    const rill_mask reads = FIELD_BIT(j->s->rows.push) | FIELD_BIT(j->unknown) | FIELD_BIT(FIELD_FLUID) | v;
    const rill_pass pass = {"dfsph_apply", apply_body, reads | PRESSURE_APPLY_READS, 0, v | PRESSURE_APPLY_WRITES};
    rill_step_run(j->step, &pass, j);
}

static rill_status dfsph_begin(void *self, const rill_step_context *step, rill_solve_result *result, rill_error *err)
{
    (void)err;
    dfsph *s = self;
    rill_sph *sph = step->sph;
    const pressure_rows *r = &s->rows;
    job j = {.s = s, .step = step, .sph = sph, .dt = (float)step->dt, .unknown = s->divergence, .keep = 0.5f,
             .smallest = smallest_diagonal(sph)};
    const rill_mask x = FIELD_BIT(FIELD_POSITION), v = FIELD_BIT(FIELD_VELOCITY);
    const rill_pass begin = {"dfsph_begin", begin_body,
                             x | v | FIELD_BIT(s->divergence) | pressure_fluid_bit(sph) | USES_PAIRS |
                                 USES_TOUCHES | FIELD_BIT(FIELD_OWNER),
                             x | v | pressure_ratio_bit(sph, r),
                             FIELD_BIT(s->source) | FIELD_BIT(r->place) | FIELD_BIT(r->unknown) |
                                 FIELD_BIT(r->held) | FIELD_BIT(r->inverse) | USES_WEIGHTS | RILL_SUMS};
    pressure_share(step, r);
    rill_step_run(step, &begin, &j);
    result->values[DIVERGENCE_BEFORE] = 100 * rill_step_mean(step, SUM_OVER);
    const outcome o = solve(&j, s->divergence_tolerance, 1, s->divergence_most);
    apply(&j);
    result->values[DIVERGENCE_ITERATIONS] = o.iterations;
    result->values[DIVERGENCE] = 100 * o.error;
    result->limit_hit = o.limit_hit;
    return RILL_OK;
}

static rill_status dfsph_solve(void *self, const rill_step_context *step, rill_solve_result *result, rill_error *err)
{
    (void)err;
    dfsph *s = self;
    rill_sph *sph = step->sph;
    const pressure_rows *r = &s->rows;
    /* X goes with dt^2 at the same pressure. */
    const double ratio = step->last_dt > 0 ? step->dt / step->last_dt : 1;
    job j = {.s = s, .step = step, .sph = sph, .dt = (float)step->dt, .unknown = s->pressure,
             .keep = (float)((s->jacobi ? 0.5 : 1) * ratio * ratio)};
    const rill_mask x = FIELD_BIT(FIELD_POSITION), v = FIELD_BIT(FIELD_VELOCITY), D = FIELD_BIT(FIELD_CARRIED);
    const rill_mask start = FIELD_BIT(s->start);
    const rill_pass predict = {"dfsph_predict", predict_body,
                               x | v | D | start | USES_PAIRS | USES_TOUCHES | FIELD_BIT(FIELD_OWNER), x | v,
                               start | FIELD_BIT(s->source) | FIELD_BIT(r->place) |
                                   FIELD_BIT(r->unknown) | RILL_SUMS};
    const rill_pass publish = {"dfsph_publish", publish_body,
                               FIELD_BIT(s->pressure) | start | D | FIELD_BIT(FIELD_FLUID), 0,
                               start | FIELD_BIT(FIELD_PRESSURE) | FIELD_BIT(FIELD_DENSITY)};
    rill_step_run(step, &predict, &j);
    result->values[ERROR_BEFORE] = 100 * rill_step_mean(step, SUM_OVER);
    const outcome o = solve(&j, s->density_tolerance, s->density_least, s->density_most);
    apply(&j);
    rill_step_run(step, &publish, &j);
    result->values[ITERATIONS] = o.iterations;
    result->values[ERROR] = 100 * o.error;
    result->values[ERROR_MAX] = 100 * o.largest;
    result->limit_hit = result->limit_hit || o.limit_hit;
    return RILL_OK;
}

/* ---- keys ---- */

static const rill_word iteration_words[] = {
    {"accelerated", RILL_ITERATION_ACCELERATED}, {"jacobi", RILL_ITERATION_JACOBI}, {0}};
static const rill_param params[] = {
    RILL_PARAM_DENSITY_ERROR,
    {"divergence_error", RILL_PARAM_NUMBER, RILL_BETWEEN(1e-9, 1), .in = RILL_IN_SOLVER,
     .offset = offsetof(rill_scene, solver.divergence_error), .live = true,
     .about = "the mean change of density in a step that may remain, of rest density."},
    {"iteration", RILL_PARAM_CHOICE, .in = RILL_IN_SOLVER, .offset = offsetof(rill_scene, solver.iteration),
     .words = iteration_words, .about = "how it iterates: accelerated, or the plain Jacobi of the paper."},
    RILL_PARAM_ITERATIONS_MIN,
    RILL_PARAM_ITERATIONS_MAX,
    {0}};

extern const rill_solver RILL_WIDE(rill_solver_dfsph);
const rill_solver RILL_WIDE(rill_solver_dfsph) = {
    .name = "dfsph",
    .params = params,
    .columns = columns,
    .density_error = 1e-4,
    .implicit_pressure = true,
    .create = dfsph_create,
    .tune = dfsph_tune,
    .destroy = rill_free,
    .begin = dfsph_begin,
    .solve = dfsph_solve,
};

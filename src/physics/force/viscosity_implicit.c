/* Implicit viscosity (Weiler et al. 2018): the velocities at the end of the step obey
 * the viscosity that they themselves cause, which is stable for any value and step.
 *   rho0_i v'_i + sum_j c_ij x_ij (x_ij.(v'_i - v'_j)) + sum_b c_ib x_ib (x_ib.(v'_i - v_b)) = rho0_i v*_i
 *   c_ij = -10 dt V0 eta_ij f_ij / ((r^2 + 0.01 h^2) mean(D))      >= 0, kg/(m3 m2)
 * with v* = v + dt a of all that acted before, eta = rho0 nu, eta_ij of both particles
 * as grip.h says: the explicit Laplacian of viscosity.c at the end of the step, multiplied by
 * the density. Walls only add to a particle's own block, by the tensor that the boundary leaves
 * (physics/boundary/wide/touch.c):
 *   K_i = sum_b c_ib x_ib x_ib^T.
 * The matrix A = rho0 + K + pairs is symmetric and positive definite and is never
 * stored. Conjugate gradients with the diagonal of A as preconditioner (inside the
 * liquid the paper's blocks are multiples of the identity) start from the last step's
 * change and end when
 *   rms(|r|/rho0) <= 1e-4 rms(|v*|),   r = rho0 v* - A v':
 * as no eigenvalue of A/rho0 is below one, the left side bounds the error. What the rest
 * does to the momentum, beside what walls give, is given back to all particles.
 * Fields: viscosity_change (v' - v*, to start from) is state; the rest is scratch. */

#include "physics/force/grip.h"
#include "physics/method.h"

typedef struct implicit {
    /* rows of the field table */
    uint32_t change;    /* v' - v* */
    uint32_t residual;  /* r */
    uint32_t direction; /* p */
    uint32_t start;     /* in the direction's place, before there is one: what the solve starts from */
    uint32_t carried;   /* in the direction's fourth lane: D */
    uint32_t product;   /* A p */
    uint32_t inverse;   /* 1 over the diagonal of A, and with it ... */
    uint32_t density;   /* ... rho0 */
    uint32_t handed;    /* eta, in the position's fourth lane */
} implicit;

static const double tolerance = 1e-4;
enum { ITERATIONS_MOST = 500 };

/* Sums of the passes. */
enum { SUM_RZ, SUM_RR, SUM_SPEED, SUM_PQ = 0 };

/* What one pass needs. */
typedef struct job {
    const implicit *s;
    const rill_step_context *step;
    rill_sph *sph;
    float dt, scale, eps; /* scale: 10 dt V0 */
    float alpha, beta;    /* of the iteration at hand */
    bool first;           /* it is the first */
    float keep;           /* share of the last change to start from */
    float shift[3];       /* m/s, what all particles get back */
    bool uniform;         /* one dynamic viscosity for all */
} job;

static bool implicit_active(const rill_sph *sph, const rill_scene *scene)
{
    (void)scene;
    if (sph->viscosity_kind != RILL_VISCOSITY_IMPLICIT) return false;
    for (uint32_t f = 0; f < sph->fluid_count; f++)
        if (sph->viscosity[f] > 0) return true;
    return false;
}

static uint32_t add_record(rill_sph *sph, const char *name, uint32_t used)
{
    return rill_fields_add_real(&sph->liquid.fields, name, "", 4, used, RILL_SCRATCH);
}

/* A second name for lanes of the direction. */
static uint32_t add_name(rill_sph *sph, const implicit *s, const char *name, uint32_t lane, uint32_t used)
{
    return rill_fields_add_name(&sph->liquid.fields, s->direction, lane, name, "m/s", used);
}

static rill_status implicit_create(rill_sph *sph, const rill_scene *scene, void **self, rill_error *err)
{
    (void)scene;
    implicit *s = rill_calloc(1, sizeof *s);
    if (!s) return rill_memory_fail(err, sizeof *s, "the implicit viscosity");
    s->change = rill_fields_add_real(&sph->liquid.fields, "viscosity_change", "m/s", 4, 3, RILL_STATE);
    s->residual = add_record(sph, "viscosity_residual", 4);
    s->direction = add_record(sph, "viscosity_direction", 3);
    s->start = add_name(sph, s, "viscosity_start", 0, 3);
    s->carried = add_name(sph, s, "viscosity_carried", 3, 1);
    s->product = add_record(sph, "viscosity_product", 4);
    s->inverse = add_record(sph, "viscosity_inverse", 3);
    s->density = rill_fields_add_name(&sph->liquid.fields, s->inverse, 3, "viscosity_density", "kg/m3", 1);
    s->handed = rill_sph_add_handed(sph, "viscosity_handed", "Pa s");
    *self = s;
    return RILL_OK;
}

/* ---- the matrix ---- */

/* c_ij without 10 dt V0 eta. */
RILL_INLINE vf pair_weight(const job *j, vec d, vf f, vf D, vf Dj)
{
    return -f / ((vec_dot(d, d) + j->eps) * (0.5f * (D + Dj)));
}

/* sum_j c_ij x_ij (x_ij.(p_i - p_j)) without 10 dt V0, and the diagonal of the pairs' part of A if wanted. */
RILL_INLINE vec sum_pairs(const job *j, const rill_group *g, const vrec *xi, const vrec *pi_, vf eta, vec *diagonal,
                          bool periodic, const period *p)
{
    const float *position = rill_field_f32(&j->sph->liquid.fields, FIELD_POSITION);
    const float *direction = rill_field_f32(&j->sph->liquid.fields, j->s->direction);
    vec sum = {0};
    for (uint32_t k = 0; k < g->length; k++) {
        group_prefetch(g, k);
        const vrec xj = group_gather(g, k, position), pj = group_gather(g, k, direction);
        const vec d = pair_difference(xi, &xj, periodic, p);
        const vf between = j->uniform ? eta : eta_between(eta, xj.w);
        const vf c = between * pair_weight(j, d, vf_load(g->factors + (size_t)k * RILL_WIDTH), pi_->w, pj.w);
        const vf s = c * vec_dot(vec_difference(pi_, &pj), d);
        sum.x += s * d.x;
        sum.y += s * d.y;
        sum.z += s * d.z;
        if (!diagonal) continue;
        diagonal->x += c * d.x * d.x;
        diagonal->y += c * d.y * d.y;
        diagonal->z += c * d.z * d.z;
    }
    return sum;
}

/* What a body adds to A v, in a row of the group of particle i: K v, and less its own velocity. The fourth lane of v is
 * D. */
RILL_INLINE vec row_held(const job *j, uint32_t row, vf eta, const vrec *v, bool moving, vec *diagonal)
{
    const symmetric K = hold_tensor(j->sph, row);
    const vec held = moving ? hold_on(j->sph, row, v) : symmetric_times(&K, v);
    const vf c = -j->scale * eta / (0.5f * (v->w + 1));
    if (diagonal) *diagonal = (vec){diagonal->x + c * K.xx, diagonal->y + c * K.yy, diagonal->z + c * K.zz};
    return (vec){c * held.x, c * held.y, c * held.z};
}

RILL_INLINE vec sum_held(const job *j, uint32_t i, vf eta, const vrec *v, bool moving, vec *diagonal)
{
    vec sum = {0};
    for (touch_rows r = touches_at(j->sph, i); bodies_hold(j->sph) && r.first < r.last; r.first++) {
        const vec held = row_held(j, r.first, eta, v, moving, diagonal);
        sum = (vec){sum.x + held.x, sum.y + held.y, sum.z + held.z};
    }
    return sum;
}

/* The diagonal, and the residual of the velocities in the direction's place. */
RILL_INLINE void begin_block(const job *j, const rill_pass_block *block, bool periodic)
{
    rill_sph *sph = j->sph;
    const implicit *s = j->s;
    const float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    const float *direction = rill_field_f32(&sph->liquid.fields, s->direction);
    const float *change = rill_field_f32(&sph->liquid.fields, s->change);
    float *residual = rill_field_f32(&sph->liquid.fields, s->residual),
          *inverse = rill_field_f32(&sph->liquid.fields, s->inverse);
    const period p = period_of(&sph->grid);
    vsum sums[3];
    for (int k = 0; k < 3; k++) sums[k] = vsum_begin(&block->tally->sums[k]);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const rill_group g = group_at(&sph->lists, i);
        const vrec xi = vrec_load(position + 4 * (size_t)i), v = vrec_load(direction + 4 * (size_t)i);
        const vrec old = vrec_load(change + 4 * (size_t)i);
        const vf rho = by_fluid(sph, sph->rest_density, i), eta = rho * by_fluid(sph, sph->viscosity, i);
        vec diagonal = {0}, block_of_walls = {0};
        const vec pairs = sum_pairs(j, &g, &xi, &v, eta, &diagonal, periodic, &p);
        const vec held = sum_held(j, i, eta, &v, true, &block_of_walls);
        const float c = j->scale;
        const vec r = {-vf_fma(rho, old.x, vf_fma(vf_set(c), pairs.x, held.x)),
                       -vf_fma(rho, old.y, vf_fma(vf_set(c), pairs.y, held.y)),
                       -vf_fma(rho, old.z, vf_fma(vf_set(c), pairs.z, held.z))};
        const vec z = {1 / (rho + c * diagonal.x + block_of_walls.x), 1 / (rho + c * diagonal.y + block_of_walls.y),
                       1 / (rho + c * diagonal.z + block_of_walls.z)};
        vrec_store(residual + 4 * (size_t)i, (vrec){r.x, r.y, r.z, (vf){0}});
        vrec_store(inverse + 4 * (size_t)i, (vrec){z.x, z.y, z.z, rho});
        const vec start = {v.x - old.x, v.y - old.y, v.z - old.z};
        const vf rz = vec_dot((vec){r.x * z.x, r.y * z.y, r.z * z.z}, r), rr = vec_dot(r, r) / (rho * rho);
        const vi exist = lanes_own(&sph->liquid, i, block->end);
        vsum_add(&sums[SUM_RZ], vf_mask(exist, rz));
        vsum_add(&sums[SUM_RR], vf_mask(exist, rr));
        vsum_add(&sums[SUM_SPEED], vf_mask(exist, vec_dot(start, start)));
    }
    for (int k = 0; k < 3; k++) vsum_end(&sums[k], &block->tally->sums[k]);
}

/* A p, and p.Ap. */
RILL_INLINE void product_block(const job *j, const rill_pass_block *block, bool periodic)
{
    rill_sph *sph = j->sph;
    const implicit *s = j->s;
    const float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    const float *direction = rill_field_f32(&sph->liquid.fields, s->direction);
    float *product = rill_field_f32(&sph->liquid.fields, s->product);
    const period p = period_of(&sph->grid);
    vsum sum = vsum_begin(&block->tally->sums[SUM_PQ]);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const vrec xi = vrec_load(position + 4 * (size_t)i), v = vrec_load(direction + 4 * (size_t)i);
        const vf rho = by_fluid(sph, sph->rest_density, i), eta = rho * by_fluid(sph, sph->viscosity, i);
        const rill_group g = group_at(&sph->lists, i);
        const vec pairs = sum_pairs(j, &g, &xi, &v, eta, NULL, periodic, &p);
        const vec held = sum_held(j, i, eta, &v, false, NULL);
        const vf scale = vf_set(j->scale);
        const vec q = {vf_fma(scale, pairs.x, vf_fma(rho, v.x, held.x)),
                       vf_fma(scale, pairs.y, vf_fma(rho, v.y, held.y)),
                       vf_fma(scale, pairs.z, vf_fma(rho, v.z, held.z))};
        vrec_store(product + 4 * (size_t)i, (vrec){q.x, q.y, q.z, (vf){0}});
        const vf pq = vec_dot((vec){v.x, v.y, v.z}, q);
        vsum_add(&sum, vf_mask(lanes_own(&sph->liquid, i, block->end), pq));
    }
    vsum_end(&sum, &block->tally->sums[SUM_PQ]);
}

RILL_BODY(job, begin)
RILL_BODY(job, product)

/* ---- passes over particles alone ---- */

/* What the solve starts from, v* and the last change, in the direction's place; eta for the neighbours. */
static void prepare_body(void *context, const rill_pass_block *block)
{
    const job *j = context;
    const rill_sph *sph = j->sph;
    const uint32_t *fluid = rill_field_u32(&sph->liquid.fields, FIELD_FLUID);
    const float *v = rill_field_f32(&sph->liquid.fields, FIELD_VELOCITY);
    const float *a = rill_field_f32(&sph->liquid.fields, FIELD_ACCELERATION);
    float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    float *direction = rill_field_f32(&sph->liquid.fields, j->s->direction);
    float *change = rill_field_f32(&sph->liquid.fields, j->s->change);
    for (size_t i = block->begin; i < block->end; i++) {
        for (size_t l = 0; l < 3; l++) {
            change[4 * i + l] *= j->keep;
            direction[4 * i + l] = v[4 * i + l] + j->dt * a[4 * i + l] + change[4 * i + l];
        }
        direction[4 * i + 3] = v[4 * i + 3];
        if (!j->uniform) position[4 * i + 3] = sph->viscosity[fluid[i]] * sph->rest_density[fluid[i]];
    }
}

/* p <- z + beta p with z = r / diagonal; the first direction has none before it. */
static void direct_body(void *context, const rill_pass_block *block)
{
    const job *j = context;
    const rill_fields *fields = &j->sph->liquid.fields;
    const float *r = rill_field_f32(fields, j->s->residual), *inverse = rill_field_f32(fields, j->s->inverse);
    float *p = rill_field_f32(fields, j->s->direction);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const vrec R = vrec_load(r + 4 * (size_t)i), Z = vrec_load(inverse + 4 * (size_t)i);
        vrec P = vrec_load(p + 4 * (size_t)i);
        const vec last = j->first ? (vec){0} : (vec){j->beta * P.x, j->beta * P.y, j->beta * P.z};
        P.x = vf_fma(Z.x, R.x, last.x);
        P.y = vf_fma(Z.y, R.y, last.y);
        P.z = vf_fma(Z.z, R.z, last.z);
        vrec_store(p + 4 * (size_t)i, P);
    }
}

/* v' += alpha p, r -= alpha A p; r.z and |r/rho0|^2. */
static void advance_body(void *context, const rill_pass_block *block)
{
    const job *j = context;
    const rill_fields *fields = &j->sph->liquid.fields;
    const float *p = rill_field_f32(fields, j->s->direction), *q = rill_field_f32(fields, j->s->product);
    const float *inverse = rill_field_f32(fields, j->s->inverse);
    float *r = rill_field_f32(fields, j->s->residual), *change = rill_field_f32(fields, j->s->change);
    rill_sum_four sums = rill_sum_four_begin(&block->tally->sums[SUM_RZ]);
    for (size_t i = block->begin; i < block->end; i++) {
        const float rho = inverse[4 * i + 3];
        double rz = 0, rr = 0;
        for (size_t l = 4 * i; l < 4 * i + 3; l++) {
            change[l] += j->alpha * p[l];
            r[l] -= j->alpha * q[l];
            rz += r[l] * inverse[l] * r[l];
            rr += (r[l] / rho) * (r[l] / rho);
        }
        if (rill_set_owns(&j->sph->liquid, i)) rill_sum_four_add(&sums, (const double[4]){rz, rr});
    }
    rill_tally_add_four(block->tally, SUM_RZ, &sums);
}

/* v' of the group of particle i, with D. */
RILL_INLINE vrec velocity_after(const job *j, uint32_t i)
{
    const rill_fields *fields = &j->sph->liquid.fields;
    const vrec v = vrec_load(rill_field_f32(fields, FIELD_VELOCITY) + 4 * (size_t)i);
    const vrec a = vrec_load(rill_field_f32(fields, FIELD_ACCELERATION) + 4 * (size_t)i);
    const vrec dv = vrec_load(rill_field_f32(fields, j->s->change) + 4 * (size_t)i);
    return (vrec){v.x + j->dt * a.x + dv.x, v.y + j->dt * a.y + dv.y, v.z + j->dt * a.z + dv.z, v.w};
}

/* The momentum that the change would add to the liquid beside what walls give, and its mass, both per V0. */
static void tally_body(void *context, const rill_pass_block *block)
{
    const job *j = context;
    const rill_sph *sph = j->sph;
    const float *change = rill_field_f32(&sph->liquid.fields, j->s->change);
    vsum sums[4];
    for (int k = 0; k < 4; k++) sums[k] = vsum_begin(&block->tally->sums[k]);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const vf rho = by_fluid(sph, sph->rest_density, i), eta = rho * by_fluid(sph, sph->viscosity, i);
        const vrec dv = vrec_load(change + 4 * (size_t)i), v = velocity_after(j, i);
        const vec held = sum_held(j, i, eta, &v, true, NULL);
        const vi own = lanes_own(&sph->liquid, i, block->end);
        vsum_add(&sums[0], vf_mask(own, rho * dv.x + held.x));
        vsum_add(&sums[1], vf_mask(own, rho * dv.y + held.y));
        vsum_add(&sums[2], vf_mask(own, rho * dv.z + held.z));
        vsum_add(&sums[3], vf_mask(own, rho));
    }
    for (int k = 0; k < 4; k++) vsum_end(&sums[k], &block->tally->sums[k]);
}

/* What bodies give; then the acceleration. */
static void finish_body(void *context, const rill_pass_block *block)
{
    const job *j = context;
    const rill_sph *sph = j->sph;
    float *acceleration = rill_field_f32(&sph->liquid.fields, FIELD_ACCELERATION),
          *change = rill_field_f32(&sph->liquid.fields, j->s->change);
    const float scale = 1 / j->dt;
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const vf rho = by_fluid(sph, sph->rest_density, i), eta = rho * by_fluid(sph, sph->viscosity, i);
        const vrec v = velocity_after(j, i);
        for (touch_rows r = touches_at(sph, i); bodies_hold(sph) && r.first < r.last; r.first++) {
            const vec held = row_held(j, r.first, eta, &v, true, NULL);
            touch_give(sph, r.first, (vec){-held.x / rho, -held.y / rho, -held.z / rho});
        }
        vrec dv = vrec_load(change + 4 * (size_t)i), a = vrec_load(acceleration + 4 * (size_t)i);
        dv = (vrec){dv.x - j->shift[0], dv.y - j->shift[1], dv.z - j->shift[2], dv.w};
        a = (vrec){a.x + scale * dv.x, a.y + scale * dv.y, a.z + scale * dv.z, a.w};
        vrec_store(change + 4 * (size_t)i, dv);
        vrec_store(acceleration + 4 * (size_t)i, a);
    }
}

/* ---- the solve ---- */

/* What bodies that hold on to the liquid have left. */
static rill_mask held_bits(const job *j)
{
    return bodies_hold(j->sph) ? USES_TOUCHES : 0;
}

/* What every pass over pairs uses beside the velocities. */
static rill_mask pair_reads(const job *j)
{
    return FIELD_BIT(FIELD_POSITION) | FIELD_BIT(j->s->carried) |
           (j->sph->fluid_count > 1 ? FIELD_BIT(FIELD_FLUID) : 0) | USES_PAIRS | held_bits(j);
}

static rill_mask pair_gathers(const job *j)
{
    return FIELD_BIT(FIELD_POSITION) | FIELD_BIT(j->s->carried) | (j->uniform ? 0 : FIELD_BIT(j->s->handed));
}

/* Columns of the report. */
enum { ITERATIONS, ERROR };
static const rill_column columns[] = {
    [ITERATIONS] = {"iterations_viscosity", "", RILL_COLUMN_COUNT, RILL_OVER_MEAN,
                    "Iterations for the viscosity, in all parts of the step together."},
    [ERROR] = {"viscosity_error", "%", RILL_COLUMN_NUMBER, RILL_OVER_MEAN,
               "What is left of the equation of viscosity, of the mean speed."},
    {0},
};

/* Conjugate gradients from the residual that begin left; r.z and |r/rho0|^2 are those of the start. */
static void iterate(job *j, double rz, double rr, double enough, rill_solve_result *result)
{
    const implicit *s = j->s;
    const rill_mask r = FIELD_BIT(s->residual), p = FIELD_BIT(s->direction), q = FIELD_BIT(s->product);
    const rill_mask inverse = FIELD_BIT(s->inverse), rho = FIELD_BIT(s->density), change = FIELD_BIT(s->change);
    const rill_pass start = {"implicit_start", direct_body, r | inverse, 0, p};
    const rill_pass direct = {"implicit_direct", direct_body, r | inverse | p, 0, p};
    const rill_pass product = {"implicit_product", product_body,
                               pair_reads(j) | p | FIELD_BIT(FIELD_OWNER), pair_gathers(j) | p,
                               q | RILL_SUMS};
    const rill_pass advance = {"implicit_advance", advance_body,
                               p | q | inverse | rho | r | change | FIELD_BIT(FIELD_OWNER), 0,
                               r | change | RILL_SUMS};
    uint32_t k = 0;
    for (; rr > enough && k < ITERATIONS_MOST; k++) {
        j->first = k == 0;
        rill_step_run(j->step, j->first ? &start : &direct, j);
        rill_step_run(j->step, &product, j);
        const double pq = rill_step_sum(j->step, SUM_PQ);
        /* Nothing is left that single precision could tell from zero, or a particle is not a number. */
        if (!(pq > 0 && isfinite(pq))) break;
        j->alpha = (float)(rz / pq);
        rill_step_run(j->step, &advance, j);
        const double last = rz;
        rz = rill_step_sum(j->step, SUM_RZ);
        rr = rill_step_sum(j->step, SUM_RR);
        j->beta = (float)(rz / last);
    }
    result->values[ITERATIONS] += k;
    result->limit_hit = result->limit_hit || (k >= ITERATIONS_MOST && rr > enough);
    result->values[ERROR] = enough > 0 ? 100 * tolerance * sqrt(rr / enough) : 0;
}

/* The velocities after the solve, and what holds them. */
static rill_mask after_reads(const job *j)
{
    return FIELD_BIT(FIELD_VELOCITY) | FIELD_BIT(FIELD_CARRIED) | FIELD_BIT(FIELD_ACCELERATION) |
           FIELD_BIT(j->s->change) | (j->sph->fluid_count > 1 ? FIELD_BIT(FIELD_FLUID) : 0) | held_bits(j);
}

/* The liquid must not gain momentum from what the solve leaves undone. */
static void keep_momentum(job *j)
{
    const rill_pass gain = {"implicit_gain", tally_body, after_reads(j) | FIELD_BIT(FIELD_OWNER), 0, RILL_SUMS};
    rill_step_run(j->step, &gain, j);
    const double mass = rill_step_sum(j->step, 3);
    for (int l = 0; l < 3 && mass > 0; l++) j->shift[l] = (float)(rill_step_sum(j->step, l) / mass);
}

static rill_status implicit_apply(void *self, const rill_step_context *step, rill_solve_result *result, rill_error *err)
{
    (void)err;
    const implicit *s = self;
    rill_sph *sph = step->sph;
    const double h = sph->support;
    job j = {.s = s, .step = step, .sph = sph, .dt = (float)step->dt, .scale = (float)(10 * step->dt * sph->volume),
             .eps = (float)(0.01 * h * h), .keep = (float)(step->last_dt > 0 ? step->dt / step->last_dt : 1),
             .uniform = is_uniform(sph)};
    const rill_mask v = FIELD_BIT(FIELD_VELOCITY), a = FIELD_BIT(FIELD_ACCELERATION), change = FIELD_BIT(s->change);
    const rill_mask start = FIELD_BIT(s->start), eta = j.uniform ? 0 : FIELD_BIT(s->handed);
    const rill_pass prepare = {
        "implicit_prepare", prepare_body,
        v | FIELD_BIT(FIELD_CARRIED) | a | change | (j.uniform ? 0 : FIELD_BIT(FIELD_FLUID)), 0,
        start | FIELD_BIT(s->carried) | change | eta};
    const rill_pass begin = {
        "implicit_begin", begin_body,
        pair_reads(&j) | start | change | FIELD_BIT(FIELD_OWNER), pair_gathers(&j) | start,
        FIELD_BIT(s->residual) | FIELD_BIT(s->inverse) | FIELD_BIT(s->density) | RILL_SUMS};
    const rill_mask given = bodies_hold(sph) ? USES_GIVEN : 0;
    const rill_pass finish = {"implicit_finish", finish_body, after_reads(&j) | given, 0, a | change | given};
    rill_step_run(step, &prepare, &j);
    rill_step_run(step, &begin, &j);
    iterate(&j, rill_step_sum(step, SUM_RZ), rill_step_sum(step, SUM_RR),
            tolerance * tolerance * rill_step_sum(step, SUM_SPEED), result);
    keep_momentum(&j);
    rill_step_run(step, &finish, &j);
    return RILL_OK;
}

extern const rill_force RILL_WIDE(rill_force_viscosity_implicit);
const rill_force RILL_WIDE(rill_force_viscosity_implicit) = {
    .name = "viscosity_implicit",
    .columns = columns,
    .active = implicit_active,
    .create = implicit_create,
    .destroy = rill_free,
    .apply = implicit_apply,
};

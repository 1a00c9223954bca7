/* Implicit viscosity (Weiler et al. 2018): the velocities at the end of the step obey
 * the viscosity that they themselves cause, which is stable for any value and step.
 *   rho0_i v'_i + sum_j c_ij x_ij (x_ij.(v'_i - v'_j)) + sum_b c_ib x_ib (x_ib.(v'_i - v_b)) = rho0_i v*_i
 *   c_ij = -10 dt V0 eta_ij f_ij / ((r^2 + 0.01 h^2) mean(D))      >= 0, kg/(m3 m2)
 * with v* = v + dt a of all that acted before, eta = rho0 nu, eta_ij of both particles
 * as grip.h says: the explicit Laplacian of viscosity.c at the end of the step, multiplied by
 * the density. Walls weigh 1 - slip and are continued as grip.h says; they only add to a
 * particle's own block, so iterations never look at them:
 *   K_i = sum_b c_ib x_ib x_ib^T.
 * The matrix A = rho0 + K + pairs is symmetric and positive definite and is never
 * stored. Conjugate gradients with the diagonal of A as preconditioner (inside the
 * liquid the paper's blocks are multiples of the identity) start from the last step's
 * change and end when
 *   rms(|r|/rho0) <= 1e-4 rms(|v*|),   r = rho0 v* - A v':
 * as no eigenvalue of A/rho0 is below one, the left side bounds the error. What the rest
 * does to the momentum is given back to all particles where no wall holds the liquid.
 * Fields: viscosity_change (v' - v*, to start from) is state; the rest is scratch. */
#include <stdlib.h>

#include "physics/force/grip.h"
#include "physics/method.h"

typedef struct implicit {
    /* rows of the field table */
    uint32_t change;    /* v' - v* */
    uint32_t residual;  /* r */
    uint32_t direction; /* p, D */
    uint32_t product;   /* A p */
    uint32_t inverse;   /* 1 over the diagonal of A */
    uint32_t wall[2];   /* K: xx, yy, zz, -; yz, xz, xy, - */
    rill_buffer memory; /* sums of the blocks */
} implicit;

static const double tolerance = 1e-4;
enum { ITERATIONS_MOST = 500, SUMS = 5 };

/* What one pass needs. */
typedef struct job {
    const implicit *s;
    rill_sph *sph;
    float dt, scale, eps; /* scale: 10 dt V0 */
    float alpha, beta;    /* of the iteration at hand */
    float keep;           /* share of the last change to start from */
    float shift[3];       /* m/s, what all particles get back */
    bool uniform;         /* one dynamic viscosity for all */
    double *sums;         /* per block: r.z or p.Ap, |r/rho0|^2, |v*|^2, trace K */
} job;

static bool implicit_active(const rill_sph *sph, const rill_scene *scene)
{
    (void)scene;
    if (sph->viscosity_kind != RILL_VISCOSITY_IMPLICIT) return false;
    for (uint32_t f = 0; f < sph->fluid_count; f++)
        if (sph->viscosity[f] > 0) return true;
    return false;
}

static uint32_t add_record(rill_sph *sph, const char *name, const char *unit, rill_lifetime lifetime)
{
    return rill_fields_add(&sph->fields, &(rill_field_def){name, unit, RILL_FIELD_F32, 4, 3, lifetime});
}

static rill_status implicit_create(rill_sph *sph, const rill_scene *scene, void **self, rill_error *err)
{
    (void)scene;
    implicit *s = calloc(1, sizeof *s);
    if (!s) return rill_memory_fail(err, sizeof *s, "the implicit viscosity");
    s->change = add_record(sph, "viscosity_change", "m/s", RILL_STATE);
    s->residual = add_record(sph, "viscosity_residual", "", RILL_SCRATCH);
    s->direction = add_record(sph, "viscosity_direction", "", RILL_SCRATCH);
    s->product = add_record(sph, "viscosity_product", "", RILL_SCRATCH);
    s->inverse = add_record(sph, "viscosity_inverse", "", RILL_SCRATCH);
    s->wall[0] = add_record(sph, "viscosity_wall_diagonal", "", RILL_SCRATCH);
    s->wall[1] = add_record(sph, "viscosity_wall_rest", "", RILL_SCRATCH);
    *self = s;
    return RILL_OK;
}

static void implicit_destroy(void *self)
{
    implicit *s = self;
    if (s) rill_buffer_free(&s->memory);
    free(s);
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
    const float *position = rill_field_f32(&j->sph->fields, FIELD_POSITION);
    const float *direction = rill_field_f32(&j->sph->fields, j->s->direction);
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

typedef struct symmetric {
    vf xx, yy, zz, yz, xz, xy;
} symmetric;

RILL_INLINE vec symmetric_times(const symmetric *K, const vrec *v)
{
    return (vec){K->xx * v->x + K->xy * v->y + K->xz * v->z, K->xy * v->x + K->yy * v->y + K->yz * v->z,
                 K->xz * v->x + K->yz * v->y + K->zz * v->z};
}

/* sum_b c_ib x_ib (x_ib.(v_i - v_b)) and K, both without 10 dt V0. */
RILL_INLINE vec sum_walls(const job *j, const rill_group *g, const vrec *xi, const vrec *vi_, vf eta, symmetric *K,
                          bool periodic, const period *p)
{
    const rill_walls *walls = &j->sph->walls;
    const vec normal = wall_normal(j->sph, g, xi, periodic, p);
    vec sum = {0};
    for (uint32_t k = 0; k < g->length; k++) {
        const vrec xb = group_gather(g, k, walls->position), vb = group_gather(g, k, walls->velocity);
        const vec d = pair_difference(xi, &xb, periodic, p);
        const vf weight = pair_weight(j, d, vf_load(g->factors + (size_t)k * RILL_WIDTH), vi_->w, vf_set(1));
        const vf c = eta * vb.w * weight * wall_beyond(j->sph, d, normal);
        const vf s = c * vec_dot(vec_difference(vi_, &vb), d);
        sum.x += s * d.x;
        sum.y += s * d.y;
        sum.z += s * d.z;
        K->xx += c * d.x * d.x;
        K->yy += c * d.y * d.y;
        K->zz += c * d.z * d.z;
        K->yz += c * d.y * d.z;
        K->xz += c * d.x * d.z;
        K->xy += c * d.x * d.y;
    }
    return sum;
}

/* K, the diagonal, and the residual of the velocities in the direction's place. */
RILL_INLINE void begin_block(const job *j, uint32_t begin, uint32_t end, bool periodic)
{
    rill_sph *sph = j->sph;
    const implicit *s = j->s;
    const float *position = rill_field_f32(&sph->fields, FIELD_POSITION);
    const float *direction = rill_field_f32(&sph->fields, s->direction);
    const float *change = rill_field_f32(&sph->fields, s->change);
    float *residual = rill_field_f32(&sph->fields, s->residual), *inverse = rill_field_f32(&sph->fields, s->inverse);
    float *walls = rill_field_f32(&sph->fields, s->wall[0]), *rest = rill_field_f32(&sph->fields, s->wall[1]);
    const period p = period_of(&sph->grid);
    double sums[4] = {0};
    for (uint32_t i = begin; i < end; i += RILL_WIDTH) {
        const rill_group *wall = &sph->wall_lists.group[i / RILL_WIDTH];
        const vrec xi = vrec_load(position + 4 * (size_t)i), v = vrec_load(direction + 4 * (size_t)i);
        const vrec old = vrec_load(change + 4 * (size_t)i);
        const vf rho = by_fluid(sph, sph->rest_density, i), eta = rho * by_fluid(sph, sph->viscosity, i);
        vec diagonal = {0}, held = {0};
        symmetric K = {0};
        const vec pairs = sum_pairs(j, &sph->lists.group[i / RILL_WIDTH], &xi, &v, eta, &diagonal, periodic, &p);
        if (wall->length) held = sum_walls(j, wall, &xi, &v, eta, &K, periodic, &p);
        const float c = j->scale;
        const vec r = {-rho * old.x - c * (pairs.x + held.x), -rho * old.y - c * (pairs.y + held.y),
                       -rho * old.z - c * (pairs.z + held.z)};
        const vec z = {1 / (rho + c * (diagonal.x + K.xx)), 1 / (rho + c * (diagonal.y + K.yy)),
                       1 / (rho + c * (diagonal.z + K.zz))};
        vrec_store(residual + 4 * (size_t)i, (vrec){r.x, r.y, r.z, (vf){0}});
        vrec_store(inverse + 4 * (size_t)i, (vrec){z.x, z.y, z.z, rho});
        vrec_store(walls + 4 * (size_t)i, (vrec){c * K.xx, c * K.yy, c * K.zz, (vf){0}});
        vrec_store(rest + 4 * (size_t)i, (vrec){c * K.yz, c * K.xz, c * K.xy, (vf){0}});
        const vec start = {v.x - old.x, v.y - old.y, v.z - old.z};
        const vf rz = r.x * z.x * r.x + r.y * z.y * r.y + r.z * z.z * r.z, rr = vec_dot(r, r) / (rho * rho);
        const vf speed = vec_dot(start, start), trace = K.xx + K.yy + K.zz;
        for (uint32_t l = 0; l < RILL_WIDTH && i + l < end; l++)
            sums[0] += rz[l], sums[1] += rr[l], sums[2] += speed[l], sums[3] += trace[l];
    }
    for (int k = 0; k < 4; k++) j->sums[SUMS * (begin / RILL_BLOCK) + (uint32_t)k] = sums[k];
}

/* A p, and p.Ap. */
RILL_INLINE void product_block(const job *j, uint32_t begin, uint32_t end, bool periodic)
{
    rill_sph *sph = j->sph;
    const implicit *s = j->s;
    const float *position = rill_field_f32(&sph->fields, FIELD_POSITION);
    const float *direction = rill_field_f32(&sph->fields, s->direction);
    const float *walls = rill_field_f32(&sph->fields, s->wall[0]), *rest = rill_field_f32(&sph->fields, s->wall[1]);
    float *product = rill_field_f32(&sph->fields, s->product);
    const period p = period_of(&sph->grid);
    double sum = 0;
    for (uint32_t i = begin; i < end; i += RILL_WIDTH) {
        const vrec xi = vrec_load(position + 4 * (size_t)i), v = vrec_load(direction + 4 * (size_t)i);
        const vf rho = by_fluid(sph, sph->rest_density, i), eta = rho * by_fluid(sph, sph->viscosity, i);
        const vec pairs = sum_pairs(j, &sph->lists.group[i / RILL_WIDTH], &xi, &v, eta, NULL, periodic, &p);
        vec held = {0};
        if (sph->wall_lists.group[i / RILL_WIDTH].length) {
            const vrec a = vrec_load(walls + 4 * (size_t)i), b = vrec_load(rest + 4 * (size_t)i);
            held = symmetric_times(&(symmetric){a.x, a.y, a.z, b.x, b.y, b.z}, &v);
        }
        const vec q = {rho * v.x + held.x + j->scale * pairs.x, rho * v.y + held.y + j->scale * pairs.y,
                       rho * v.z + held.z + j->scale * pairs.z};
        vrec_store(product + 4 * (size_t)i, (vrec){q.x, q.y, q.z, (vf){0}});
        const vf pq = v.x * q.x + v.y * q.y + v.z * q.z;
        for (uint32_t l = 0; l < RILL_WIDTH && i + l < end; l++) sum += pq[l];
    }
    j->sums[SUMS * (begin / RILL_BLOCK)] = sum;
}

#define BODY(name)                                                                                                     \
    static void name##_body(void *context, uint32_t begin, uint32_t end, unsigned worker)                              \
    {                                                                                                                  \
        (void)worker;                                                                                                  \
        const job *j = context;                                                                                        \
        if (j->sph->grid.periodic) name##_block(j, begin, end, true);                                                  \
        else name##_block(j, begin, end, false);                                                                       \
    }
BODY(begin)
BODY(product)
#undef BODY

/* ---- passes over particles alone ---- */

/* What the solve starts from, v* and the last change, in the direction's place; eta for the neighbours. */
static void prepare_body(void *context, uint32_t begin, uint32_t end, unsigned worker)
{
    (void)worker;
    const job *j = context;
    const rill_sph *sph = j->sph;
    const uint32_t *fluid = rill_field_u32(&sph->fields, FIELD_FLUID);
    const float *v = rill_field_f32(&sph->fields, FIELD_VELOCITY);
    const float *a = rill_field_f32(&sph->fields, FIELD_ACCELERATION);
    float *position = rill_field_f32(&sph->fields, FIELD_POSITION);
    float *direction = rill_field_f32(&sph->fields, j->s->direction);
    float *change = rill_field_f32(&sph->fields, j->s->change);
    for (size_t i = begin; i < end; i++) {
        for (size_t l = 0; l < 3; l++) {
            change[4 * i + l] *= j->keep;
            direction[4 * i + l] = v[4 * i + l] + j->dt * a[4 * i + l] + change[4 * i + l];
        }
        direction[4 * i + 3] = v[4 * i + 3];
        if (!j->uniform) position[4 * i + 3] = sph->viscosity[fluid[i]] * sph->rest_density[fluid[i]];
    }
}

/* p <- z + beta p with z = r / diagonal. */
static void direct_body(void *context, uint32_t begin, uint32_t end, unsigned worker)
{
    (void)worker;
    const job *j = context;
    const rill_fields *fields = &j->sph->fields;
    const float *r = rill_field_f32(fields, j->s->residual), *inverse = rill_field_f32(fields, j->s->inverse);
    float *p = rill_field_f32(fields, j->s->direction);
    for (uint32_t i = begin; i < end; i += RILL_WIDTH) {
        const vrec R = vrec_load(r + 4 * (size_t)i), Z = vrec_load(inverse + 4 * (size_t)i);
        vrec P = vrec_load(p + 4 * (size_t)i);
        P.x = Z.x * R.x + j->beta * P.x;
        P.y = Z.y * R.y + j->beta * P.y;
        P.z = Z.z * R.z + j->beta * P.z;
        vrec_store(p + 4 * (size_t)i, P);
    }
}

/* v' += alpha p, r -= alpha A p; r.z and |r/rho0|^2. */
static void advance_body(void *context, uint32_t begin, uint32_t end, unsigned worker)
{
    (void)worker;
    const job *j = context;
    const rill_fields *fields = &j->sph->fields;
    const float *p = rill_field_f32(fields, j->s->direction), *q = rill_field_f32(fields, j->s->product);
    const float *inverse = rill_field_f32(fields, j->s->inverse);
    float *r = rill_field_f32(fields, j->s->residual), *change = rill_field_f32(fields, j->s->change);
    double rz = 0, rr = 0;
    for (size_t i = begin; i < end; i++) {
        const float rho = inverse[4 * i + 3];
        for (size_t l = 4 * i; l < 4 * i + 3; l++) {
            change[l] += j->alpha * p[l];
            r[l] -= j->alpha * q[l];
            rz += r[l] * inverse[l] * r[l];
            rr += (r[l] / rho) * (r[l] / rho);
        }
    }
    j->sums[SUMS * (begin / RILL_BLOCK)] = rz;
    j->sums[SUMS * (begin / RILL_BLOCK) + 1] = rr;
}

/* The momentum that the change would add to the liquid, and its mass, both per V0. */
static void tally_body(void *context, uint32_t begin, uint32_t end, unsigned worker)
{
    (void)worker;
    const job *j = context;
    const rill_fields *fields = &j->sph->fields;
    const float *inverse = rill_field_f32(fields, j->s->inverse), *change = rill_field_f32(fields, j->s->change);
    double sums[4] = {0};
    for (size_t i = begin; i < end; i++) {
        const double rho = inverse[4 * i + 3];
        for (size_t l = 0; l < 3; l++) sums[l] += rho * change[4 * i + l];
        sums[3] += rho;
    }
    for (size_t l = 0; l < 4; l++) j->sums[SUMS * (begin / RILL_BLOCK) + l] = sums[l];
}

static void finish_body(void *context, uint32_t begin, uint32_t end, unsigned worker)
{
    (void)worker;
    const job *j = context;
    const rill_fields *fields = &j->sph->fields;
    float *a = rill_field_f32(fields, FIELD_ACCELERATION), *change = rill_field_f32(fields, j->s->change);
    const float scale = 1 / j->dt;
    for (size_t i = begin; i < end; i++)
        for (size_t l = 0; l < 3; l++) {
            change[4 * i + l] -= j->shift[l];
            a[4 * i + l] += scale * change[4 * i + l];
        }
}

/* ---- the solve ---- */

static void sweep(job *j, rill_pass_body *body, uint64_t reads, uint64_t writes)
{
    const rill_pass pass = {"viscosity", body, reads, writes};
    rill_pass_run(&j->sph->runner, &j->sph->fields, &pass, j, rill_sph_blocks(j->sph));
}

static double total(const job *j, uint32_t which)
{
    return rill_blocks_sum(j->sums + which, rill_block_count(j->sph->fields.count), SUMS);
}

/* Conjugate gradients from the residual that begin left; r.z and |r/rho0|^2 are those of the start. */
static void iterate(job *j, double rz, double rr, double enough, rill_solve_result *result)
{
    const implicit *s = j->s;
    uint32_t k = 0;
    j->beta = 0;
    for (; rr > enough && k < ITERATIONS_MOST; k++) {
        sweep(j, direct_body, FIELD_BIT(s->residual) | FIELD_BIT(s->inverse) | FIELD_BIT(s->direction),
              FIELD_BIT(s->direction));
        sweep(j, product_body,
              FIELD_BIT(FIELD_POSITION) | FIELD_BIT(FIELD_FLUID) | FIELD_BIT(s->direction) | FIELD_BIT(s->wall[0]) |
                  FIELD_BIT(s->wall[1]),
              FIELD_BIT(s->product));
        const double pq = total(j, 0);
        /* Nothing is left that single precision could tell from zero, or a particle is not a number. */
        if (!(pq > 0)) break;
        j->alpha = (float)(rz / pq);
        sweep(j, advance_body,
              FIELD_BIT(s->direction) | FIELD_BIT(s->product) | FIELD_BIT(s->inverse) | FIELD_BIT(s->residual) |
                  FIELD_BIT(s->change),
              FIELD_BIT(s->residual) | FIELD_BIT(s->change));
        const double last = rz;
        rz = total(j, 0);
        rr = total(j, 1);
        j->beta = (float)(rz / last);
    }
    result->iterations_viscosity += k;
    result->limit_hit = result->limit_hit || (k >= ITERATIONS_MOST && rr > enough);
    result->viscosity_error = enough > 0 ? tolerance * sqrt(rr / enough) : 0;
}

static rill_status implicit_apply(void *self, const rill_step_context *step, rill_solve_result *result, rill_error *err)
{
    implicit *s = self;
    rill_sph *sph = step->sph;
    const size_t bytes = SUMS * sizeof(double) * ((size_t)rill_block_count(sph->fields.count) + 1);
    if (!rill_buffer_reserve(&s->memory, bytes)) return rill_memory_fail(err, bytes, "the implicit viscosity");
    const double h = sph->support;
    job j = {.s = s, .sph = sph, .dt = (float)step->dt, .scale = (float)(10 * step->dt * sph->volume),
             .eps = (float)(0.01 * h * h), .keep = (float)(step->last_dt > 0 ? step->dt / step->last_dt : 1),
             .uniform = is_uniform(sph), .sums = s->memory.data};
    sweep(&j, prepare_body,
          FIELD_BIT(FIELD_VELOCITY) | FIELD_BIT(FIELD_ACCELERATION) | FIELD_BIT(FIELD_FLUID) | FIELD_BIT(s->change),
          FIELD_BIT(FIELD_POSITION) | FIELD_BIT(s->direction) | FIELD_BIT(s->change));
    sweep(&j, begin_body,
          FIELD_BIT(FIELD_POSITION) | FIELD_BIT(FIELD_FLUID) | FIELD_BIT(s->direction) | FIELD_BIT(s->change),
          FIELD_BIT(s->residual) | FIELD_BIT(s->inverse) | FIELD_BIT(s->wall[0]) | FIELD_BIT(s->wall[1]));
    const bool free = !(total(&j, 3) > 0);
    iterate(&j, total(&j, 0), total(&j, 1), tolerance * tolerance * total(&j, 2), result);
    if (free) {
        sweep(&j, tally_body, FIELD_BIT(s->inverse) | FIELD_BIT(s->change), 0);
        const double mass = total(&j, 3);
        for (uint32_t l = 0; l < 3 && mass > 0; l++) j.shift[l] = (float)(total(&j, l) / mass);
    }
    sweep(&j, finish_body, FIELD_BIT(FIELD_ACCELERATION) | FIELD_BIT(s->change),
          FIELD_BIT(FIELD_ACCELERATION) | FIELD_BIT(s->change));
    return RILL_OK;
}

extern const rill_force RILL_WIDE(rill_force_viscosity_implicit);
const rill_force RILL_WIDE(rill_force_viscosity_implicit) = {
    .name = "viscosity_implicit",
    .active = implicit_active,
    .create = implicit_create,
    .destroy = implicit_destroy,
    .apply = implicit_apply,
};

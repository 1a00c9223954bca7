/* Position based fluids (Macklin and Mueller 2013): predicted places are moved until no particle is denser than at
 * rest, a fixed and small number of times, and velocities follow from the places.
 *
 *   x*_i = x_i + dt v_i
 *   C_i = D_i(x*) - 1,  D_i = V0 (W(0) + sum_j W(x*_i - x*_j) + sum_b psi_b W(x*_i - x*_b))
 *   lambda_i = -C_i / (sum_k s_k |nabla_k C_i|^2 + eps)                                          in m^2
 *     nabla_i C_i = V0 (sum_j nabla W + sum_b psi_b nabla W),  nabla_j C_i = -V0 nabla W,  s = rho_ref/rho0
 *   dx_i = s_i V0 [ sum_j (lambda_i + lambda_j + s_corr) nabla W + sum_b (lambda_i + s_corr) psi_b nabla W ]
 *   s_corr = -k (W / W(dq))^4
 *   x*_i <- x*_i + dx_i, held on the liquid's side of every body
 *   v_i = (x*_i - x_i) / dt
 * Kernels are those of the predicted places, neighbours those of the step's beginning. s makes it right for several
 * fluids: the paper's particles all weigh the same. Walls do not give way. The sweep that finds lambda leaves the pair
 * factors of the predicted places in the lists, so that the one that moves need not find them again.
 *
 * The paper has unit masses and its own unit of length. In SI, lambda is an area, so
 *   eps_i = s_i sum_lattice |nabla C|^2, the sum over a particle of the rest lattice, which goes with 1/d^2,
 *           or sum_k s_k |nabla_k C_i|^2 where that is larger
 *   k = 0.1 d^2,  |dq| = 0.2 h
 * or small scenes explode. All particles are corrected at once from the same places, which overshoots where the
 * largest eigenvalue of that map is above 2; it is 2.8 on the rest lattice and 3.5 was seen in flows. Such an eps
 * halves the correction inside the liquid and so keeps it calm.
 *
 * C is not let below zero, and s_corr is left out, unless the scene asks for negative pressures: those pull particles
 * at the surface and in spray together, and s_corr, which pushes, is there to keep them from clumping.
 *
 * lambda is a pressure: P = p/D^2 = -rho_ref sum lambda / dt^2, summed over the iterations.
 *
 * Fields: all scratch. The row `push` of pressure.h holds the sum of dx, so that velocities keep the digits that places
 * lose far from the origin. */

#include "physics/boundary/guard.h"
#include "physics/boundary/wide/walls.h"
#include "physics/params.h"
#include "physics/pressure.h"

typedef struct pbf {
    double tolerance;
    bool pull;        /* C below zero counts, and s_corr acts */
    float relaxation; /* eps where s = 1 */
    float artificial; /* k */
    float inverse_w;  /* 1 / shape at dq */
    uint32_t least, most;
    /* rows of the field table */
    uint32_t ahead;     /* x*, and with it ... */
    uint32_t ratio;     /* ... s */
    uint32_t lambda;    /* its sum over the iterations */
    pressure_rows rows; /* place: x* again; unknown: lambda; held: sum_b psi_b nabla W; push: sum of dx */
    bool restore;       /* what comes after the solve needs the pair factors of the places it began with */
    rill_buffer bodies; /* where they will be at the end of the step ... */
    rill_guard guard;   /* ... and their guard */
} pbf;

typedef struct job {
    const pbf *s;
    rill_sph *sph;
    float dt;
} job;

static rill_status pbf_create(rill_sph *sph, const rill_scene *scene, void **self, rill_error *err)
{
    pbf *s = rill_calloc(1, sizeof *s);
    if (!s) return rill_memory_fail(err, sizeof *s, "the solver");
    const double d = sph->diameter, h = sph->support;
    const rill_kernel kernel = rill_kernel_of_density(sph->kernel);
    s->relaxation = (float)(sph->volume * sph->volume * pairs_lattice_squares(sph));
    s->pull = scene->solver.negative_pressure;
    s->artificial = s->pull ? (float)(0.1 * d * d) : 0;
    s->inverse_w = (float)(rill_kernel_scale(kernel, h) / rill_kernel_w(kernel, 0.2 * h, h));
    s->ahead = rill_fields_add_real(&sph->liquid.fields, "pbf_ahead", "m", 4, 3, RILL_SCRATCH);
    s->ratio = rill_fields_add_name(&sph->liquid.fields, s->ahead, 3, "pbf_ratio", "", 1);
    s->lambda = rill_fields_add_real(&sph->liquid.fields, "pbf_lambda", "m2", 1, 1, RILL_SCRATCH);
    s->rows = pressure_rows_add(sph);
    *self = s;
    return RILL_OK;
}

static void pbf_tune(void *self, const rill_scene *scene)
{
    pbf *s = self;
    s->tolerance = scene->solver.density_error;
    s->most = scene->solver.iterations_pbf;
    s->least = scene->solver.iterations_min < s->most ? scene->solver.iterations_min : s->most;
    s->restore = scene->shifting > 0;
}

static void pbf_destroy(void *self)
{
    pbf *s = self;
    if (s) rill_buffer_free(&s->bodies);
    if (s) rill_guard_free(&s->guard);
    rill_free(s);
}

/* What the guard moves a particle by is given by the bodies that it meets. */
typedef struct holding {
    const job *j;
    touch_rows rows;
    uint32_t lane, row; /* the row of the body that was met last */
    rill_vec3 moved;    /* so far */
} holding;

static void give_held(const holding *h, rill_vec3 moved)
{
    float *given = touch_at(h->j->sph, TOUCH_GIVEN, h->row) + h->lane;
    for (int a = 0; a < 3; a++) given[a * RILL_WIDTH] += (float)rill_vec3_get(&moved, a) / h->j->dt;
}

static void note_held(void *user, uint32_t body, rill_vec3 moved, rill_vec3 slowed)
{
    holding *h = user;
    (void)slowed;
    h->row = h->rows.first;
    for (uint32_t r = h->row; r < h->rows.last; r++)
        if (h->j->sph->touches.body[r] == body) h->row = r;
    h->moved = rill_vec3_add(h->moved, moved);
    give_held(h, moved);
}

/* Holds the places of a group on the liquid's side of every body. Only particles with wall particles in reach can come
 * to one in a step. */
RILL_INLINE void hold_group(const job *j, uint32_t i, uint32_t end, const float *position, vec *to)
{
    const vf near = touches_count(j->sph, i);
    for (uint32_t l = 0; l < RILL_WIDTH && i + l < end; l++) {
        if (!(near[l] > 0)) continue;
        holding held = {j, touches_at(j->sph, i), l, 0, {0, 0, 0}};
        float there[3] = {to->x[l], to->y[l], to->z[l]}, unused[3] = {0};
        if (!rill_guard_hold(&j->s->guard, position + 4 * (size_t)(i + l), there, unused, note_held, &held)) continue;
        /* Places are rounded, which at a wall is its doing as well. */
        const rill_vec3 moved = {there[0] - to->x[l], there[1] - to->y[l], there[2] - to->z[l]};
        give_held(&held, rill_vec3_sub(moved, held.moved));
        to->x[l] = there[0];
        to->y[l] = there[1];
        to->z[l] = there[2];
    }
}

/* x* = x + dt v */
static void predict_block(const job *j, const rill_pass_block *block)
{
    rill_sph *sph = j->sph;
    const float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    const float *velocity = rill_field_f32(&sph->liquid.fields, FIELD_VELOCITY);
    float *place = rill_field_f32(&sph->liquid.fields, j->s->ahead),
          *moved = rill_field_f32(&sph->liquid.fields, FIELD_ACCELERATION);
    float *lambda = rill_field_f32(&sph->liquid.fields, j->s->lambda);
    const vf zero = {0};
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const vrec x = vrec_load(position + 4 * (size_t)i), v = vrec_load(velocity + 4 * (size_t)i);
        const vf s_i = sph->rest_density[0] / by_fluid(sph, sph->rest_density, i);
        vrec_store(place + 4 * (size_t)i, (vrec){x.x + j->dt * v.x, x.y + j->dt * v.y, x.z + j->dt * v.z, s_i});
        vrec_store(moved + 4 * (size_t)i, (vrec){zero, zero, zero, zero});
        vf_store(lambda + i, zero);
    }
}

/* What C and its gradients sum up to. */
typedef struct constraint {
    pair_shapes shapes; /* sum of W without its scale */
    vec sum;            /* sum nabla W */
    vf squares;         /* sum s_j |nabla W|^2 without its scale */
} constraint;

/* Adds a pair, q2 = (r/h)^2, and returns its factor. */
RILL_INLINE vf constraint_add(constraint *c, const pair_kernels *k, vec d, vf q2, vf psi, vf s_j, bool cubic)
{
    const vf slope = pair_shapes_add(&c->shapes, q2, psi, cubic), f = (k->f_scale / vf_sqrt(q2)) * slope;
    c->sum.x += f * d.x;
    c->sum.y += f * d.y;
    c->sum.z += f * d.z;
    c->squares += s_j * slope * slope;
    return f;
}

/* The k-th pairs of a group. */
typedef struct row {
    vec d;
    vf q2, s_j;
} row;

RILL_INLINE row row_of(const pair_kernels *kernels, const rill_group *g, uint32_t k, const vrec *xi, const float *place,
                       bool periodic, const period *p)
{
    places_prefetch(g, k);
    const vrec xj = group_gather(g, k, place);
    const vec d = pair_difference(xi, &xj, periodic, p);
    return (row){d, pair_square(kernels, d), xj.w};
}

/* Adds the rows k to `end` of fluid; with `masked`, some lanes hold padding. As in the density pass, a row is fetched
 * while the one before is summed. */
RILL_INLINE void constraint_rows(constraint *c, const pair_kernels *kernels, const rill_group *group, uint32_t k,
                                 uint32_t end, const vrec *xi, const float *place, vi counts, bool masked, bool cubic,
                                 bool periodic, const period *p)
{
    if (k >= end) return;
    const rill_group g = *group;
    row next = row_of(kernels, &g, k, xi, place, periodic, p);
    for (; k < end; k++) {
        float *factors = g.factors + (size_t)k * RILL_WIDTH;
        const row now = next;
        if (k + 1 < end) next = row_of(kernels, &g, k + 1, xi, place, periodic, p);
        simd_prefetch_write((const char *)factors + PREFETCH_AHEAD);
        const vf one = vf_set(1), psi = masked ? vf_mask((int32_t)k < counts, one) : one;
        vf_store(factors, constraint_add(c, kernels, now.d, now.q2, psi, now.s_j, cubic));
    }
}

/* The power of two above x. */
static float power_of_two(float x)
{
    int exponent;
    frexpf(x, &exponent);
    return ldexpf(1, exponent);
}

/* lambda of every particle, and how dense it is. */
RILL_INLINE void lambda_block(const job *j, const rill_pass_block *block, bool cubic, bool periodic)
{
    rill_sph *sph = j->sph;
    const float *place = rill_field_f32(&sph->liquid.fields, j->s->ahead);
    float *push = rill_field_f32(&sph->liquid.fields, j->s->rows.place);
    const period p = period_of(&sph->grid);
    const pair_kernels kernels = pair_kernels_of(sph);
    const float volume = (float)sph->volume;
    /* Squares of gradients are beyond single precision where particles are below a tenth of a millimetre. Times a power
     * of two near the volume they are of order 1/d, and no bit changes. */
    const float unit = power_of_two(volume), share = volume / unit;
    const vf f_scale = kernels.f_scale * unit;
    /* |nabla W|^2 = (f r)^2 = slope^2 f_scale^2 h^2 */
    const vf slope_scale = f_scale * f_scale / kernels.inverse_h2;
    pressure_over over = pressure_over_begin(block, 0);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const rill_group g = group_at(&sph->lists, i);
        const vrec xi = vrec_load(place + 4 * (size_t)i);
        const vi counts = (vi)vu_load(sph->lists.count + i);
        const uint32_t full = pairs_full_rows(&g, sph->lists.count + i);
        constraint c = {.shapes = pair_shapes_self(cubic)};
        constraint_rows(&c, &kernels, &g, 0, full, &xi, place, counts, false, cubic, periodic, &p);
        constraint_rows(&c, &kernels, &g, full, g.length, &xi, place, counts, true, cubic, periodic, &p);
        const vec G = touches_slope(sph, i);
        const vf C = pair_shapes_sum(c.shapes) * (kernels.w_scale * volume) + touches_weight(sph, i) - 1;
        const vec sums = {unit * (c.sum.x + G.x), unit * (c.sum.y + G.y), unit * (c.sum.z + G.z)};
        const vf squares = share * share * (xi.w * vec_dot(sums, sums) + slope_scale * c.squares);
        const vf kept = j->s->pull ? C : vf_max(C, (vf){0});
        const vf eps = vf_max(squares, xi.w * j->s->relaxation);
        vrec_store(push + 4 * (size_t)i, (vrec){xi.x, xi.y, xi.z, -kept / (squares + eps)});
        pressure_over_add(&over, C, lanes_own(&sph->liquid, i, block->end));
    }
    pressure_over_end(&over, block, 0);
}

/* s_corr of a pair without its -k. */
RILL_INLINE vf crowding(const job *j, const pair_kernels *kernels, vec d, bool cubic)
{
    pair_shapes w = {0};
    pair_shapes_add(&w, pair_square(kernels, d), vf_set(1), cubic);
    const vf ratio = pair_shapes_sum(w) * j->s->inverse_w, ratio2 = ratio * ratio;
    return ratio2 * ratio2;
}

/* sum_j s_corr nabla W without the walls' part */
RILL_INLINE vec artificial_push(const job *j, const pair_kernels *kernels, uint32_t i, const vrec *xi, bool cubic,
                                bool periodic, const period *p)
{
    const rill_sph *sph = j->sph;
    const float *push = rill_field_f32(&sph->liquid.fields, j->s->rows.place);
    const rill_group g = group_at(&sph->lists, i);
    vec sum = {0};
    for (uint32_t k = 0; k < g.length; k++) {
        const vrec xj = group_gather(&g, k, push);
        const vec d = pair_difference(xi, &xj, periodic, p);
        const vf s = crowding(j, kernels, d, cubic) * vf_load(g.factors + (size_t)k * RILL_WIDTH);
        sum = (vec){sum.x + s * d.x, sum.y + s * d.y, sum.z + s * d.z};
    }
    const float k = -j->s->artificial;
    return (vec){k * sum.x, k * sum.y, k * sum.z};
}

/* What walls add to a sum over neighbours: lambda G, and s_corr nabla W. All that they move a particle is theirs to
 * give. */
RILL_INLINE vec push_of_walls(const job *j, uint32_t i, vf lambda, vf scale)
{
    const rill_sph *sph = j->sph;
    vec sum = {0};
    for (touch_rows r = touches_at(sph, i); r.first < r.last; r.first++) {
        const vec G = touch_slope(sph, r.first);
        vec dx = {lambda * G.x, lambda * G.y, lambda * G.z};
        if (j->s->pull) {
            const vec crowd = touch_vec(touch_at(sph, TOUCH_PUSH, r.first), 0);
            const float k = -j->s->artificial;
            dx = (vec){dx.x + k * crowd.x, dx.y + k * crowd.y, dx.z + k * crowd.z};
        }
        const vf per_step = scale * (1 / j->dt);
        touch_give(sph, r.first, (vec){per_step * dx.x, per_step * dx.y, per_step * dx.z});
        sum = (vec){sum.x + dx.x, sum.y + dx.y, sum.z + dx.z};
    }
    return sum;
}

/* dx, and the places it leads to. */
RILL_INLINE void displace_block(const job *j, const rill_pass_block *block, bool cubic, bool periodic)
{
    rill_sph *sph = j->sph;
    const float *push = rill_field_f32(&sph->liquid.fields, j->s->rows.place);
    const float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    float *place = rill_field_f32(&sph->liquid.fields, j->s->ahead),
          *moved = rill_field_f32(&sph->liquid.fields, FIELD_ACCELERATION);
    float *lambda = rill_field_f32(&sph->liquid.fields, j->s->lambda);
    const period p = period_of(&sph->grid);
    const pair_kernels kernels = pair_kernels_of(sph);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const vf s_i = sph->rest_density[0] / by_fluid(sph, sph->rest_density, i), scale = s_i * (float)sph->volume;
        const rill_group g = group_at(&sph->lists, i);
        const vrec xi = vrec_load(push + 4 * (size_t)i);
        const vec walls = push_of_walls(j, i, xi.w, scale);
        vec sum = pairs_gradient(&g, &xi, push, periodic, &p);
        sum = (vec){sum.x + walls.x, sum.y + walls.y, sum.z + walls.z};
        if (j->s->pull) {
            const vec more = artificial_push(j, &kernels, i, &xi, cubic, periodic, &p);
            sum = (vec){sum.x + more.x, sum.y + more.y, sum.z + more.z};
        }
        vec dx = {scale * sum.x, scale * sum.y, scale * sum.z};
        const vec free = {xi.x + dx.x, xi.y + dx.y, xi.z + dx.z};
        vec to = free;
        const touch_rows rows = touches_at(sph, i);
        if (rows.first < rows.last) hold_group(j, i, block->end, position, &to);
        dx = (vec){dx.x + (to.x - free.x), dx.y + (to.y - free.y), dx.z + (to.z - free.z)};
        const vrec all = vrec_load(moved + 4 * (size_t)i);
        vrec_store(moved + 4 * (size_t)i, (vrec){all.x + dx.x, all.y + dx.y, all.z + dx.z, (vf){0}});
        vrec_store(place + 4 * (size_t)i, (vrec){to.x, to.y, to.z, s_i});
        vf_store(lambda + i, vf_load(lambda + i) + xi.w);
    }
}

/* How dense the last correction left the liquid. */
RILL_INLINE void measure_block(const job *j, const rill_pass_block *block, bool cubic, bool periodic)
{
    const rill_sph *sph = j->sph;
    const float *place = rill_field_f32(&sph->liquid.fields, j->s->ahead);
    const period p = period_of(&sph->grid);
    const pair_kernels kernels = pair_kernels_of(sph);
    pressure_over over = pressure_over_begin(block, 0);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const vrec xi = vrec_load(place + 4 * (size_t)i);
        const vf C = pairs_compression(sph, &kernels, i, &xi, place, cubic, periodic, &p) + touches_weight(sph, i) - 1;
        pressure_over_add(&over, C, lanes_own(&sph->liquid, i, block->end));
    }
    pressure_over_end(&over, block, 0);
}

/* v += sum of dx / dt; pressure and density for frames and probes. */
static void apply_body(void *context, const rill_pass_block *block)
{
    const job *j = context;
    rill_sph *sph = j->sph;
    const float *moved = rill_field_f32(&sph->liquid.fields, FIELD_ACCELERATION);
    const float *lambda = rill_field_f32(&sph->liquid.fields, j->s->lambda);
    const uint32_t *fluid = rill_field_u32(&sph->liquid.fields, FIELD_FLUID);
    float *v = rill_field_f32(&sph->liquid.fields, FIELD_VELOCITY);
    float *pressure = rill_field_f32(&sph->liquid.fields, FIELD_PRESSURE);
    float *density = rill_field_f32(&sph->liquid.fields, FIELD_DENSITY);
    const float scale = 1 / j->dt, pascal = -sph->rest_density[0] / (j->dt * j->dt);
    for (size_t i = block->begin; i < block->end; i++) {
        const float D = v[4 * i + 3];
        for (size_t l = 0; l < 3; l++) v[4 * i + l] += scale * moved[4 * i + l];
        pressure[i] = pascal * lambda[i] * D * D;
        density[i] = D * sph->rest_density[fluid[i]];
    }
}

static void predict_body(void *context, const rill_pass_block *block)
{
    predict_block(context, block);
}

RILL_BODY_BY_KERNEL(job, lambda)
RILL_BODY_BY_KERNEL(job, displace)
RILL_BODY_BY_KERNEL(job, measure)

static const rill_column columns[] = {PRESSURE_COLUMN_ROWS, {0}};

static void iterate(job *j, const rill_step_context *step, rill_solve_result *result)
{
    const pbf *s = j->s;
    const pressure_rows *r = &s->rows;
    const rill_mask ahead = FIELD_BIT(s->ahead) | FIELD_BIT(s->ratio), all = FIELD_BIT(s->lambda);
    const rill_mask dx = pressure_push_writes(r);
    const rill_mask push = FIELD_BIT(r->place) | FIELD_BIT(r->unknown);
    const rill_mask lists = USES_LISTS | USES_TOUCHES | FIELD_BIT(FIELD_OWNER);
    const rill_mask crowd = s->pull ? USES_TOUCH_PUSH : 0;
    const rill_pass lambda = {"pbf_lambda", lambda_body, ahead | lists, ahead, push | USES_FACTORS | RILL_SUMS};
    const rill_pass displace = {"pbf_displace", displace_body,
                                push | all | dx | FIELD_BIT(FIELD_POSITION) | pressure_fluid_bit(j->sph) | USES_PAIRS |
                                    USES_TOUCHES | USES_GIVEN | crowd,
                                push, ahead | all | dx | USES_GIVEN};
    const rill_pass measure = {"pbf_measure", measure_body, ahead | lists, ahead, RILL_SUMS};
    const rill_walls_try there = {s->ahead, true, j->dt, s->pull ? s->inverse_w : 0};
    for (;;) {
        RILL_WIDE(rill_walls_look)(step, &there);
        rill_step_run(step, &lambda, j);
        const bool enough = pressure_judge(step, s->tolerance, result);
        if (!result->values[ITERATIONS]) result->values[ERROR_BEFORE] = result->values[ERROR];
        if (enough && result->values[ITERATIONS] >= s->least) return;
        rill_step_run(step, &displace, j);
        result->values[ITERATIONS]++;
        if (result->values[ITERATIONS] < s->most) continue;
        RILL_WIDE(rill_walls_look)(step, &there);
        rill_step_run(step, &measure, j);
        result->limit_hit = !pressure_judge(step, s->tolerance, result) || result->limit_hit;
        return;
    }
}

/* The guard of the bodies where they will be at the end of the step. */
static rill_status make_guard(pbf *s, const rill_step_context *step, rill_error *err)
{
    const size_t bytes = (step->body_count + 1) * sizeof(rill_body);
    if (!rill_buffer_reserve(&s->bodies, bytes)) return rill_memory_fail(err, bytes, "the solver");
    rill_body *bodies = s->bodies.data;
    for (uint32_t b = 0; b < step->body_count; b++) {
        bodies[b] = step->bodies[b];
        rill_body_move(&bodies[b], step->dt);
    }
    return rill_guard_make(&s->guard, bodies, step->body_count, step->contact, err);
}

static rill_status pbf_solve(void *self, const rill_step_context *step, rill_solve_result *result, rill_error *err)
{
    pbf *s = self;
    rill_sph *sph = step->sph;
    const pressure_rows *r = &s->rows;
    job j = {.s = s, .sph = sph, .dt = (float)step->dt};
    const rill_status status = make_guard(s, step, err);
    if (status) return status;
    const rill_mask v = FIELD_BIT(FIELD_VELOCITY), lambda = FIELD_BIT(s->lambda), dx = pressure_push_writes(r);
    const rill_pass predict = {"pbf_predict", predict_body, FIELD_BIT(FIELD_POSITION) | v | pressure_fluid_bit(sph), 0,
                               FIELD_BIT(s->ahead) | FIELD_BIT(s->ratio) | lambda | dx};
    const rill_pass apply = {"pbf_apply", apply_body,
                             v | FIELD_BIT(FIELD_CARRIED) | FIELD_BIT(r->push) | FIELD_BIT(FIELD_FLUID) | lambda, 0,
                             v | FIELD_BIT(FIELD_PRESSURE) | FIELD_BIT(FIELD_DENSITY)};
    rill_step_run(step, &predict, &j);
    iterate(&j, step, result);
    rill_step_run(step, &apply, &j);
    if (!s->restore) return RILL_OK;
    rill_sph_density(sph, &RILL_WIDE(rill_fluid_ops), sph->liquid.due, true);
    RILL_WIDE(rill_walls_look)(step, &(rill_walls_try){.places = FIELD_POSITION, .slopes = true});
    return RILL_OK;
}

/* ---- keys ---- */

static const rill_param params[] = {
    RILL_PARAM_DENSITY_ERROR,
    RILL_PARAM_NEGATIVE_PRESSURE,
    RILL_PARAM_ITERATIONS_MIN,
    {"pbf", RILL_PARAM_INTEGER, RILL_BETWEEN(1, RILL_MOST_ITERATIONS), .in = RILL_IN_ITERATIONS,
     .offset = offsetof(rill_scene, solver.iterations_pbf), .live = true,
     .about = "the most iterations of this solver, which is made for a few, in place of `max`."},
    {0}};

extern const rill_solver RILL_WIDE(rill_solver_pbf);
const rill_solver RILL_WIDE(rill_solver_pbf) = {
    .name = "pbf",
    .params = params,
    .columns = columns,
    .density_error = 1e-3,
    .create = pbf_create,
    .tune = pbf_tune,
    .destroy = pbf_destroy,
    .solve = pbf_solve,
};

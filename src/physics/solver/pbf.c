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
 * fluids: the paper's particles all weigh the same. Walls do not give way.
 *
 * The paper has unit masses and its own unit of length. In SI, lambda is an area, so
 *   eps = e sum_lattice |nabla C|^2, the sum over a particle of the rest lattice, which goes with 1/d^2
 *   k = 0.1 d^2,  |dq| = 0.2 h
 * or small scenes explode. All particles are corrected at once from the same places, which overshoots where the
 * largest eigenvalue of that map is above 2; it is 2.8 on the rest lattice and 3.5 was seen in flows. e = 1 halves the
 * correction inside the liquid and so keeps it calm.
 *
 * C is not let below zero, and s_corr is left out, unless the scene asks for negative pressures: those pull particles
 * at the surface and in spray together, and s_corr, which pushes, is there to keep them from clumping.
 *
 * lambda is a pressure: P = p/D^2 = -rho_ref sum lambda / dt^2, summed over the iterations.
 *
 * Fields: all scratch. FIELD_ACCELERATION holds the sum of dx during the solve, so that velocities keep the digits
 * that places lose far from the origin. */
#include <stdlib.h>

#include "physics/boundary/body.h"
#include "physics/method.h"
#include "physics/pairs.h"

typedef struct pbf {
    double tolerance;
    bool pull;        /* C below zero counts, and s_corr acts */
    float relaxation; /* eps */
    float artificial; /* k */
    float inverse_w;  /* 1 / shape at dq */
    double template;  /* sum_lattice |nabla W|^2 */
    uint32_t least, most;
    /* rows of the field table */
    uint32_t place;     /* x*, y*, z*, s */
    uint32_t push;      /* x*, y*, z*, lambda */
    uint32_t lambda;    /* its sum over the iterations */
    rill_buffer memory; /* sums of the blocks */
    rill_buffer bodies; /* where they will be at the end of the step */
} pbf;

typedef struct job {
    const pbf *s;
    rill_sph *sph;
    float dt;
    double contact; /* how near to a body particles may come */
    uint32_t body_count;
    const rill_body *bodies;
    double *sums; /* per block: compression, its largest */
} job;

static rill_status pbf_create(rill_sph *sph, const rill_scene *scene, double sound_speed, void **self, rill_error *err)
{
    (void)sound_speed;
    pbf *s = calloc(1, sizeof *s);
    if (!s) return rill_memory_fail(err, sizeof *s, "the solver");
    const double d = sph->diameter, h = sph->support;
    const rill_kernel kernel = rill_kernel_of_density(sph->kernel);
    s->tolerance = scene->solver.density_error;
    s->template = pairs_lattice_squares(sph);
    s->relaxation = (float)(sph->volume * sph->volume * s->template);
    s->pull = scene->solver.negative_pressure;
    s->artificial = s->pull ? (float)(0.1 * d * d) : 0;
    s->inverse_w = (float)(rill_kernel_scale(kernel, h) / rill_kernel_w(kernel, 0.2 * h, h));
    s->most = scene->solver.iterations_pbf;
    s->least = scene->solver.iterations_min < s->most ? scene->solver.iterations_min : s->most;
    s->place = rill_fields_add(&sph->fields, &(rill_field_def){"pbf_place", "m", RILL_FIELD_F32, 4, 4, RILL_SCRATCH});
    s->push = rill_fields_add(&sph->fields, &(rill_field_def){"pbf_push", "m", RILL_FIELD_F32, 4, 4, RILL_SCRATCH});
    s->lambda = rill_fields_add(&sph->fields, &(rill_field_def){"pbf_lambda", "m2", RILL_FIELD_F32, 1, 1, RILL_SCRATCH});
    *self = s;
    return RILL_OK;
}

static void pbf_destroy(void *self)
{
    pbf *s = self;
    if (s) {
        rill_buffer_free(&s->memory);
        rill_buffer_free(&s->bodies);
    }
    free(s);
}

/* No sound to follow: the particles' own speed limits the step. */
static double pbf_signal_speed(const void *self)
{
    (void)self;
    return 0;
}

static bool pbf_keeps_density(const void *self)
{
    (void)self;
    return false;
}

/* Holds the places of a group on the liquid's side of every body. Only particles with wall particles in reach can
 * come to one in a step. Obstacles first: containers have the last word. */
RILL_INLINE void hold_group(const job *j, uint32_t i, uint32_t end, const vrec *from, vec *to)
{
    const uint32_t *near = j->sph->wall_lists.count + i;
    for (uint32_t l = 0; l < RILL_WIDTH && i + l < end; l++) {
        if (!near[l]) continue;
        const rill_vec3 start = {from->x[l], from->y[l], from->z[l]};
        rill_vec3 there = {to->x[l], to->y[l], to->z[l]}, unused = {0, 0, 0};
        for (int solid = 1; solid >= 0; solid--)
            for (uint32_t b = 0; b < j->body_count; b++)
                if (j->bodies[b].solid == solid)
                    rill_body_method_of(&j->bodies[b])->guard(&j->bodies[b], start, &there, &unused, j->contact);
        to->x[l] = (float)there.x;
        to->y[l] = (float)there.y;
        to->z[l] = (float)there.z;
    }
}

/* x* = x + dt v */
static void predict_block(const job *j, uint32_t begin, uint32_t end)
{
    rill_sph *sph = j->sph;
    const float *position = rill_field_f32(&sph->fields, FIELD_POSITION);
    const float *velocity = rill_field_f32(&sph->fields, FIELD_VELOCITY);
    float *place = rill_field_f32(&sph->fields, j->s->place), *moved = rill_field_f32(&sph->fields, FIELD_ACCELERATION);
    float *lambda = rill_field_f32(&sph->fields, j->s->lambda);
    const vf zero = {0};
    for (uint32_t i = begin; i < end; i += RILL_WIDTH) {
        const vrec x = vrec_load(position + 4 * (size_t)i), v = vrec_load(velocity + 4 * (size_t)i);
        const vf s_i = sph->rest_density[0] / by_fluid(sph, sph->rest_density, i);
        vrec_store(place + 4 * (size_t)i, (vrec){x.x + j->dt * v.x, x.y + j->dt * v.y, x.z + j->dt * v.z, s_i});
        vrec_store(moved + 4 * (size_t)i, (vrec){zero, zero, zero, zero});
        vf_store(lambda + i, zero);
    }
}

/* What C and its gradients sum up to. */
typedef struct constraint {
    vf shape;   /* sum of W without its scale */
    vec sum;    /* sum nabla W, over fluid and walls */
    vf squares; /* sum s_j |nabla W|^2 */
} constraint;

RILL_INLINE void add_pair(constraint *c, const pair_kernels *kernels, vec d, vf psi, vf s_j, vi real, bool cubic)
{
    vf f;
    const vf w = pair_shape(kernels, d, cubic, &f);
    const vec gradient = {psi * f * d.x, psi * f * d.y, psi * f * d.z};
    c->shape += vf_mask(real, psi * w);
    c->sum.x += gradient.x;
    c->sum.y += gradient.y;
    c->sum.z += gradient.z;
    c->squares += s_j * vec_dot(gradient, gradient);
}

/* lambda of every particle, and how dense it is. */
RILL_INLINE void lambda_block(const job *j, uint32_t begin, uint32_t end, bool cubic, bool periodic)
{
    rill_sph *sph = j->sph;
    const float *place = rill_field_f32(&sph->fields, j->s->place);
    float *push = rill_field_f32(&sph->fields, j->s->push);
    const period p = period_of(&sph->grid);
    const pair_kernels kernels = pair_kernels_of(sph);
    const float volume = (float)sph->volume;
    double sum = 0, largest = 0;
    for (uint32_t i = begin; i < end; i += RILL_WIDTH) {
        const rill_group *g = &sph->lists.group[i / RILL_WIDTH], *wall = &sph->wall_lists.group[i / RILL_WIDTH];
        const vrec xi = vrec_load(place + 4 * (size_t)i);
        const vi counts = (vi)vu_load(sph->lists.count + i), wall_counts = (vi)vu_load(sph->wall_lists.count + i);
        constraint c = {.shape = vf_set(cubic ? 0.5f : 1)};
        for (uint32_t k = 0; k < g->length; k++) {
            const uint32_t *offsets = g->offsets + (size_t)k * RILL_WIDTH;
            simd_prefetch((const char *)offsets + PREFETCH_AHEAD);
            const vrec xj = vrec_gather(place, offsets);
            const vec d = pair_difference(&xi, &xj, periodic, &p);
            add_pair(&c, &kernels, d, vf_set(1), xj.w, (int32_t)k < counts, cubic);
        }
        for (uint32_t k = 0; k < wall->length; k++) {
            const vrec xb = pairs_wall_ahead(&sph->walls, wall->offsets + (size_t)k * RILL_WIDTH, j->dt);
            const vec d = pair_difference(&xi, &xb, periodic, &p);
            add_pair(&c, &kernels, d, xb.w, (vf){0}, (int32_t)k < wall_counts, cubic);
        }
        const vf C = c.shape * (kernels.w_scale * volume) - 1;
        const vf squares = volume * volume * (xi.w * vec_dot(c.sum, c.sum) + c.squares);
        const vf kept = j->s->pull ? C : vf_max(C, (vf){0});
        vrec_store(push + 4 * (size_t)i, (vrec){xi.x, xi.y, xi.z, -kept / (squares + j->s->relaxation)});
        for (uint32_t l = 0; l < RILL_WIDTH && i + l < end; l++) {
            const double over = C[l] > 0 ? C[l] : 0;
            sum += over;
            largest = over > largest ? over : largest;
        }
    }
    j->sums[2 * (begin / RILL_BLOCK)] = sum;
    j->sums[2 * (begin / RILL_BLOCK) + 1] = largest;
}

/* Adds (lambda + s_corr) nabla W of a pair. */
RILL_INLINE void add_push(const job *j, vec *sum, const pair_kernels *kernels, vec d, vf lambda, vf psi, bool cubic,
                          bool pull)
{
    vf f;
    const vf w = pair_shape(kernels, d, cubic, &f);
    if (pull) {
        const vf ratio = w * j->s->inverse_w, ratio2 = ratio * ratio;
        lambda -= j->s->artificial * (ratio2 * ratio2);
    }
    const vf scale = psi * lambda * f;
    sum->x += scale * d.x;
    sum->y += scale * d.y;
    sum->z += scale * d.z;
}

/* dx, and the places it leads to. */
RILL_INLINE void displace_block(const job *j, uint32_t begin, uint32_t end, bool cubic, bool pull, bool periodic)
{
    rill_sph *sph = j->sph;
    const float *push = rill_field_f32(&sph->fields, j->s->push);
    const float *position = rill_field_f32(&sph->fields, FIELD_POSITION);
    float *place = rill_field_f32(&sph->fields, j->s->place), *moved = rill_field_f32(&sph->fields, FIELD_ACCELERATION);
    float *lambda = rill_field_f32(&sph->fields, j->s->lambda);
    const period p = period_of(&sph->grid);
    const pair_kernels kernels = pair_kernels_of(sph);
    for (uint32_t i = begin; i < end; i += RILL_WIDTH) {
        const rill_group *g = &sph->lists.group[i / RILL_WIDTH], *wall = &sph->wall_lists.group[i / RILL_WIDTH];
        const vrec xi = vrec_load(push + 4 * (size_t)i);
        vec sum = {0};
        for (uint32_t k = 0; k < g->length; k++) {
            const uint32_t *offsets = g->offsets + (size_t)k * RILL_WIDTH;
            simd_prefetch((const char *)offsets + PREFETCH_AHEAD);
            const vrec xj = vrec_gather(push, offsets);
            const vec d = pair_difference(&xi, &xj, periodic, &p);
            add_push(j, &sum, &kernels, d, xi.w + xj.w, vf_set(1), cubic, pull);
        }
        for (uint32_t k = 0; k < wall->length; k++) {
            const vrec xb = pairs_wall_ahead(&sph->walls, wall->offsets + (size_t)k * RILL_WIDTH, j->dt);
            add_push(j, &sum, &kernels, pair_difference(&xi, &xb, periodic, &p), xi.w, xb.w, cubic, pull);
        }
        const vf s_i = sph->rest_density[0] / by_fluid(sph, sph->rest_density, i), scale = s_i * (float)sph->volume;
        vec dx = {scale * sum.x, scale * sum.y, scale * sum.z};
        if (wall->length) {
            const vrec from = vrec_load(position + 4 * (size_t)i);
            const vec free = {xi.x + dx.x, xi.y + dx.y, xi.z + dx.z};
            vec to = free;
            hold_group(j, i, end, &from, &to);
            dx = (vec){dx.x + (to.x - free.x), dx.y + (to.y - free.y), dx.z + (to.z - free.z)};
        }
        const vrec all = vrec_load(moved + 4 * (size_t)i);
        vrec_store(moved + 4 * (size_t)i, (vrec){all.x + dx.x, all.y + dx.y, all.z + dx.z, (vf){0}});
        vrec_store(place + 4 * (size_t)i, (vrec){xi.x + dx.x, xi.y + dx.y, xi.z + dx.z, s_i});
        vf_store(lambda + i, vf_load(lambda + i) + xi.w);
    }
}

/* How dense the last correction left the liquid. */
RILL_INLINE void measure_block(const job *j, uint32_t begin, uint32_t end, bool cubic, bool periodic)
{
    const rill_sph *sph = j->sph;
    const float *place = rill_field_f32(&sph->fields, j->s->place);
    const period p = period_of(&sph->grid);
    const pair_kernels kernels = pair_kernels_of(sph);
    double sum = 0, largest = 0;
    for (uint32_t i = begin; i < end; i += RILL_WIDTH) {
        const vrec xi = vrec_load(place + 4 * (size_t)i);
        const vf C = pairs_compression(sph, &kernels, i, &xi, place, j->dt, cubic, periodic, &p) - 1;
        for (uint32_t l = 0; l < RILL_WIDTH && i + l < end; l++) {
            const double over = C[l] > 0 ? C[l] : 0;
            sum += over;
            largest = over > largest ? over : largest;
        }
    }
    j->sums[2 * (begin / RILL_BLOCK)] = sum;
    j->sums[2 * (begin / RILL_BLOCK) + 1] = largest;
}

/* v += sum of dx / dt; pressure and density for frames and probes, the pressure in a record's fourth lane as well, -1
 * next to walls. */
RILL_INLINE void apply_block(const job *j, uint32_t begin, uint32_t end, bool periodic)
{
    rill_sph *sph = j->sph;
    const float *moved = rill_field_f32(&sph->fields, FIELD_ACCELERATION), *lambda = rill_field_f32(&sph->fields, j->s->lambda);
    const float *position = rill_field_f32(&sph->fields, FIELD_POSITION);
    float *velocity = rill_field_f32(&sph->fields, FIELD_VELOCITY), *push = rill_field_f32(&sph->fields, j->s->push);
    float *pressure = rill_field_f32(&sph->fields, FIELD_PRESSURE);
    float *density = rill_field_f32(&sph->fields, FIELD_DENSITY);
    const period p = period_of(&sph->grid);
    const float scale = 1 / j->dt, pascal = -sph->rest_density[0] / (j->dt * j->dt);
    for (uint32_t i = begin; i < end; i += RILL_WIDTH) {
        const rill_group *wall = &sph->wall_lists.group[i / RILL_WIDTH];
        const vrec x = vrec_load(position + 4 * (size_t)i), dx = vrec_load(moved + 4 * (size_t)i);
        const vrec v = vrec_load(velocity + 4 * (size_t)i);
        vec G = {0};
        if (wall->length) G = pairs_moments(wall, &x, sph->walls.position, false, periodic, &p).sum;
        const vf P = pascal * vf_load(lambda + i) * (v.w * v.w);
        vrec_store(velocity + 4 * (size_t)i, (vrec){v.x + scale * dx.x, v.y + scale * dx.y, v.z + scale * dx.z, v.w});
        vf_store(pressure + i, P);
        vf_store(density + i, v.w * by_fluid(sph, sph->rest_density, i));
        const vi beside = vec_dot(G, G) > (float)(0.02 * j->s->template);
        vrec_store(push + 4 * (size_t)i, (vrec){x.x, x.y, x.z, vf_select(beside, vf_set(-1), vf_max(P, (vf){0}))});
    }
}

RILL_INLINE void continue_block(const job *j, uint32_t begin, uint32_t end, bool periodic)
{
    pairs_continue_pressure(j->sph, rill_field_f32(&j->sph->fields, j->s->push), begin, end, periodic);
}

static void predict_body(void *context, uint32_t begin, uint32_t end, unsigned worker)
{
    (void)worker;
    predict_block(context, begin, end);
}

static void displace_body(void *context, uint32_t begin, uint32_t end, unsigned worker)
{
    (void)worker;
    const job *j = context;
    const bool cubic = j->sph->kernel == RILL_KERNEL_CUBIC, periodic = j->sph->grid.periodic;
    if (cubic && !periodic && !j->s->pull) displace_block(j, begin, end, true, false, false);
    else if (cubic && !periodic) displace_block(j, begin, end, true, true, false);
    else if (cubic) displace_block(j, begin, end, true, j->s->pull, true);
    else displace_block(j, begin, end, false, j->s->pull, periodic);
}

#define BODY(name)                                                                                                     \
    static void name##_body(void *context, uint32_t begin, uint32_t end, unsigned worker)                              \
    {                                                                                                                  \
        (void)worker;                                                                                                  \
        const job *j = context;                                                                                        \
        const bool cubic = j->sph->kernel == RILL_KERNEL_CUBIC, periodic = j->sph->grid.periodic;                      \
        if (cubic && !periodic) name##_block(j, begin, end, true, false);                                              \
        else if (cubic) name##_block(j, begin, end, true, true);                                                       \
        else name##_block(j, begin, end, false, periodic);                                                             \
    }
BODY(lambda)
BODY(measure)
#undef BODY

#define BODY(name)                                                                                                     \
    static void name##_body(void *context, uint32_t begin, uint32_t end, unsigned worker)                              \
    {                                                                                                                  \
        (void)worker;                                                                                                  \
        const job *j = context;                                                                                        \
        if (j->sph->grid.periodic) name##_block(j, begin, end, true);                                                  \
        else name##_block(j, begin, end, false);                                                                       \
    }
BODY(apply)
BODY(continue)
#undef BODY

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

static void iterate(job *j, rill_solve_result *result)
{
    const pbf *s = j->s;
    for (;;) {
        sweep(j, "lambda", lambda_body, FIELD_BIT(s->place), FIELD_BIT(s->push));
        const bool enough = judge(j, result);
        if (!result->iterations_density) result->density_error_before = result->density_error;
        if (enough && result->iterations_density >= s->least) return;
        sweep(j, "displace", displace_body,
              FIELD_BIT(s->push) | FIELD_BIT(s->lambda) | FIELD_BIT(FIELD_POSITION) | FIELD_BIT(FIELD_FLUID) |
                  FIELD_BIT(FIELD_ACCELERATION),
              FIELD_BIT(s->place) | FIELD_BIT(s->lambda) | FIELD_BIT(FIELD_ACCELERATION));
        result->iterations_density++;
        if (result->iterations_density < s->most) continue;
        sweep(j, "measure", measure_body, FIELD_BIT(s->place), 0);
        result->limit_hit = !judge(j, result) || result->limit_hit;
        return;
    }
}

/* Bodies where they will be at the end of the step. */
static rill_status move_bodies(pbf *s, const rill_step_context *step, rill_error *err)
{
    const size_t bytes = (step->body_count + 1) * sizeof(rill_body);
    if (!rill_buffer_reserve(&s->bodies, bytes)) return rill_memory_fail(err, bytes, "the solver");
    rill_body *bodies = s->bodies.data;
    for (uint32_t b = 0; b < step->body_count; b++) {
        bodies[b] = step->bodies[b];
        rill_body_move(&bodies[b], step->dt);
    }
    return RILL_OK;
}

static rill_status pbf_solve(void *self, const rill_step_context *step, rill_solve_result *result, rill_error *err)
{
    pbf *s = self;
    rill_sph *sph = step->sph;
    const size_t bytes = 2 * sizeof(double) * ((size_t)rill_block_count(sph->fields.count) + 1);
    if (!rill_buffer_reserve(&s->memory, bytes)) return rill_memory_fail(err, bytes, "the solver");
    const rill_status status = move_bodies(s, step, err);
    if (status) return status;
    job j = {.s = s, .sph = sph, .dt = (float)step->dt, .contact = step->contact, .body_count = step->body_count,
             .bodies = s->bodies.data, .sums = s->memory.data};
    sweep(&j, "predict", predict_body, FIELD_BIT(FIELD_POSITION) | FIELD_BIT(FIELD_VELOCITY) | FIELD_BIT(FIELD_FLUID),
          FIELD_BIT(s->place) | FIELD_BIT(s->lambda) | FIELD_BIT(FIELD_ACCELERATION));
    iterate(&j, result);
    sweep(&j, "apply", apply_body,
          FIELD_BIT(FIELD_POSITION) | FIELD_BIT(FIELD_VELOCITY) | FIELD_BIT(FIELD_ACCELERATION) | FIELD_BIT(FIELD_FLUID) |
              FIELD_BIT(s->lambda),
          FIELD_BIT(FIELD_VELOCITY) | FIELD_BIT(FIELD_PRESSURE) | FIELD_BIT(FIELD_DENSITY) | FIELD_BIT(s->push));
    sweep(&j, "publish", continue_body, FIELD_BIT(s->push) | FIELD_BIT(FIELD_PRESSURE) | FIELD_BIT(FIELD_DENSITY),
          FIELD_BIT(FIELD_PRESSURE));
    return RILL_OK;
}

extern const rill_solver RILL_WIDE(rill_solver_pbf);
const rill_solver RILL_WIDE(rill_solver_pbf) = {
    .name = "pbf",
    .create = pbf_create,
    .destroy = pbf_destroy,
    .signal_speed = pbf_signal_speed,
    .keeps_density = pbf_keeps_density,
    .solve = pbf_solve,
};

/* The pressure of the walls. In a solve only the liquid's side of a wall pair carries pressure (pressure.h). That side
 * transmits half of the pressure through a flat wall; without the other half the first layer sinks until
 * false pressures, or the guard, hold it. The other half belongs to the wall particle, once a step, outside the
 * iteration:
 *
 *   P_b = sum_f W_bf max(0, P_f + rho0_f (g - a_b).(x_b - x_f)) / max(sum_f W_bf, w)   over the liquid with P_f > 0
 *   a_i = -(V0/rho0_i) sum_b f_ib P_b (x_i - x_b)
 *
 * after Adami et al. 2012, with P = p/D^2 and a_b the acceleration of the wall. Near spray alone, the sum of W is
 * small, and w lets the pressure fade.
 *
 * P_f is a mean over time. With the pressure of the moment, such a wall feeds energy to liquid that rocks against
 * it: it is no gradient of an energy. A pressure that belongs to the wall and varies slowly is one. The time is
 * 20 sqrt(d/g): a wall whose pressure follows that of the layer before it feeds slow swings of deep columns, which are
 * hardly damped, at half the rate at which it follows. Where pressure falls, the mean falls at once to twice of it, or
 * walls would go on pushing where water has left.
 *
 * For the same reason walls resist approach, and help departure, a little:
 *   P_b += clamp(0.2 (rho0/V0) q_b/(m_b dt), -0.1 P_b, 0.1 P_b)
 *   q_b = sum_f f_bf (x_f - x_b).(v_f - v_b),  m_b = sum_f |f_bf (x_f - x_b)|^2
 * with the velocities before forces act, and so without what the wall has gained by a_b since the step before. It takes
 * energy, P_b q_b, in every pair. Without the clamp thin, fast layers would feel the grain of the wall as friction.
 *
 * Figures behind these numbers: docs/notes/walls.md. Fields: wall_mean, the mean of P, is state. */
#include <stdlib.h>

#include "fluid/wide/touch.h"
#include "physics/boundary/wide/walls.h"
#include "physics/pairs.h"

static const float RESISTANCE = 0.2f, RESISTANCE_MOST = 0.1f;
/* w, as a share of the sum of W of a flat wall with water behind it; in the corner of a box it is a hundredth. */
static const double WETTED_LEAST = 0.1;
/* The mean takes over no more than this share of a new pressure, and keeps to this many times it. */
static const double SHARE_MOST = 0.05;
static const float MEAN_MOST = 2;
/* In the disorder of moving liquid the first layer comes nearer to walls that complete the rest lattice than half a
 * diameter, by a twentieth. Walls so much heavier keep it, and the level, where they belong. They become so while the
 * lattice of the start breaks up, over the mean's time: at once they would press it together. */
static const double HEAVIER = 1.03;
/* The mean's time in units of sqrt(d/g); where nothing has weight, so many steps. */
static const double MEAN_TIME = 20, MEAN_STEPS = 100;

typedef struct wall_pressure {
    uint32_t mean; /* row of the liquid's table: the mean of P, Pa */
} wall_pressure;

typedef struct job {
    const wall_pressure *s;
    rill_sph *sph;
    pair_kernels kernels;
    float least;  /* w */
    float resist; /* 0.2 / (V0 dt) */
    float share;  /* of the new pressure, in the mean */
    float dt;
    bool several; /* wall particles belong to more than one body */
    float between; /* s, in which walls have changed their velocities */
} job;

static rill_status wall_pressure_create(rill_sph *sph, void **self, rill_error *err)
{
    wall_pressure *s = rill_calloc(1, sizeof *s);
    if (!s) return rill_memory_fail(err, sizeof *s, "the walls");
    s->mean = rill_fields_add_real(&sph->liquid.fields, "wall_mean", "Pa", 1, 1, RILL_STATE);
    sph->touches.wanted[TOUCH_PUSH] = true;
    *self = s;
    return RILL_OK;
}

/* ---- the walls' pressure ---- */

/* What a wall particle finds in the liquid beside it. */
typedef struct found {
    vf weight, pressure, density; /* sums of W, of W times each of the others */
    vf approach, squares;         /* q and m */
} found;

/* The mean pressure and the rest density of the k-th neighbours. */
RILL_INLINE void look_up(const job *j, const rill_group *g, uint32_t k, const uint32_t *counts, vf *mean, vf *rest)
{
    const rill_sph *sph = j->sph;
    const float *of = rill_field_f32(&sph->liquid.fields, j->s->mean);
    const uint32_t *fluid = rill_field_u32(&sph->liquid.fields, FIELD_FLUID);
    *mean = (vf){0};
    *rest = vf_set(sph->rest_density[0]);
    for (uint32_t l = 0; l < RILL_WIDTH; l++) {
        if (k >= counts[l]) continue;
        const uint32_t f = rill_group_neighbour(g, RILL_WIDTH, k, l);
        (*mean)[l] = of[f];
        if (sph->fluid_count > 1) (*rest)[l] = sph->rest_density[fluid[f]];
    }
}

/* Adds the k-th neighbours of a group of wall particles at xb that move with vb; their weight pulls along `pull`. */
RILL_INLINE void look_at(const job *j, const rill_group *g, uint32_t k, const uint32_t *counts, const vrec *xb,
                         const vrec *vb, const vec *pull, found *sum, bool cubic, bool periodic, const period *p)
{
    const rill_sph *sph = j->sph;
    const vrec x = group_gather(g, k, rill_field_f32(&sph->liquid.fields, FIELD_POSITION));
    const vrec v = group_gather(g, k, rill_field_f32(&sph->liquid.fields, FIELD_VELOCITY));
    const vi there = (int32_t)k < (vi)vu_load(counts);
    const vec d = pair_difference(&x, xb, periodic, p);
    const vf q2 = vf_select(there, pair_square(&j->kernels, d), vf_set(1));
    pair_shapes shapes = {0};
    const vf slope = pair_shapes_add(&shapes, q2, vf_set(1), cubic);
    const vf W = vf_mask(there, pair_shapes_sum(shapes) * j->kernels.w_scale);
    const vf f = vf_mask(there, xb->w * (j->kernels.f_scale / vf_sqrt(q2)) * slope);
    vf mean, rest;
    look_up(j, g, k, counts, &mean, &rest);
    const vf lift = rest * (pull->x * d.x + pull->y * d.y + pull->z * d.z);
    sum->weight += W;
    sum->pressure += vf_mask(mean > 0, W * vf_max(mean - lift, (vf){0}));
    sum->density += W * rest;
    sum->approach += f * vec_dot(d, vec_difference(&v, vb));
    sum->squares += f * f * vec_dot(d, d);
}

/* The acceleration of wall particles. */
RILL_INLINE vec accelerated(const rill_sph *sph, uint32_t b)
{
    const float *acceleration = rill_field_f32(&sph->walls.fields, WALL_ACCELERATION);
    if (!acceleration) return (vec){0};
    const vrec a = vrec_load(acceleration + 4 * (size_t)b);
    return (vec){a.x, a.y, a.z};
}

RILL_INLINE void press_block(const job *j, const rill_pass_block *block, bool cubic, bool periodic)
{
    rill_sph *sph = j->sph;
    const float *position = rill_walls_position(sph), *velocity = rill_walls_velocity(sph);
    float *push = rill_field_f32(&sph->walls.fields, WALL_PUSH);
    const period p = period_of(&sph->grid);
    for (uint32_t b = block->begin; b < block->end; b += RILL_WIDTH) {
        const rill_group g = group_at(&sph->liquid_lists, b);
        const vrec xb = vrec_load(position + 4 * (size_t)b);
        vrec vb = vrec_load(velocity + 4 * (size_t)b);
        const vec a = accelerated(sph, b);
        const vec pull = {sph->gravity[0] - a.x, sph->gravity[1] - a.y, sph->gravity[2] - a.z};
        /* The liquid has not felt the step's forces yet, and neither has the wall. */
        vb.x -= j->between * a.x, vb.y -= j->between * a.y, vb.z -= j->between * a.z;
        found sum = {0};
        for (uint32_t k = 0; k < g.length; k++)
            look_at(j, &g, k, sph->liquid_lists.count + b, &xb, &vb, &pull, &sum, cubic, periodic, &p);
        const vf pressure = sum.pressure / vf_max(sum.weight, vf_set(j->least));
        const vf known = vf_select(sum.weight > 0, sum.weight, vf_set(1)),
                 squares = vf_select(sum.squares > 0, sum.squares, vf_set(1));
        const vf resistance = j->resist * (sum.density / known) * sum.approach / squares;
        const vf most = RESISTANCE_MOST * pressure;
        const vf P = pressure + vf_min(vf_max(vf_mask(sum.squares > 0, resistance), -most), most);
        vrec_store(push + 4 * (size_t)b, (vrec){xb.x, xb.y, xb.z, P});
    }
}

RILL_BODY_BY_KERNEL(job, press)

/* ---- what it does to the liquid ---- */

/* The k-th wall particles of a group that belong to the body of a row. */
RILL_INLINE vf factors_of(const job *j, const rill_group *wall, uint32_t k, uint32_t i, uint32_t body)
{
    const rill_sph *sph = j->sph;
    vf f = vf_load(wall->factors + (size_t)k * RILL_WIDTH);
    if (!j->several) return f;
    const uint32_t *of = rill_field_u32(&sph->walls.fields, WALL_BODY), *counts = sph->wall_lists.count + i;
    for (uint32_t l = 0; l < RILL_WIDTH; l++)
        if (k >= counts[l] || of[rill_group_neighbour(wall, RILL_WIDTH, k, l)] != body) f[l] = 0;
    return f;
}

/* sum_b f_ib P_b (x_i - x_b) of every body. */
RILL_INLINE void gather_block(const job *j, const rill_pass_block *block, bool periodic)
{
    rill_sph *sph = j->sph;
    const float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    const float *push = rill_field_f32(&sph->walls.fields, WALL_PUSH);
    const period p = period_of(&sph->grid);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH)
        for (touch_rows rows = touches_at(sph, i); rows.first < rows.last; rows.first++) {
            const rill_group wall = group_at(&sph->wall_lists, i);
            const vrec xi = vrec_load(position + 4 * (size_t)i);
            vec sum = {0};
            for (uint32_t k = 0; k < wall.length; k++) {
                const vrec xb = group_gather(&wall, k, push);
                const vec d = pair_difference(&xi, &xb, periodic, &p);
                const vf s = factors_of(j, &wall, k, i, sph->touches.body[rows.first]) * xb.w;
                sum.x += s * d.x;
                sum.y += s * d.y;
                sum.z += s * d.z;
            }
            touch_store(touch_at(sph, TOUCH_PUSH, rows.first), 0, sum);
        }
}

RILL_BODY(job, gather)

static void push_body(void *context, const rill_pass_block *block)
{
    const job *j = context;
    rill_sph *sph = j->sph;
    float *acceleration = rill_field_f32(&sph->liquid.fields, FIELD_ACCELERATION);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH)
        for (touch_rows rows = touches_at(sph, i); rows.first < rows.last; rows.first++) {
            const vec push = touch_vec(touch_at(sph, TOUCH_PUSH, rows.first), 0);
            const vf scale = -(float)sph->volume / by_fluid(sph, sph->rest_density, i);
            const vec a = {scale * push.x, scale * push.y, scale * push.z};
            vrec all = vrec_load(acceleration + 4 * (size_t)i);
            all.x += a.x;
            all.y += a.y;
            all.z += a.z;
            vrec_store(acceleration + 4 * (size_t)i, all);
            touch_give(sph, rows.first, (vec){j->dt * a.x, j->dt * a.y, j->dt * a.z});
        }
}

/* ---- the mean ---- */

static void learn_body(void *context, const rill_pass_block *block)
{
    const job *j = context;
    const rill_fields *fields = &j->sph->liquid.fields;
    const float *pressure = rill_field_f32(fields, FIELD_PRESSURE), *D = rill_field_f32(fields, FIELD_COMPRESSION);
    float *mean = rill_field_f32(fields, j->s->mean);
    for (size_t i = block->begin; i < block->end; i++) {
        const float P = pressure[i] / (D[i] * D[i]), moved = mean[i] + j->share * (P - mean[i]);
        mean[i] = fminf(moved, MEAN_MOST * P);
    }
}

/* ---- a step ---- */

/* The mean's time, s. */
static double mean_time(const rill_sph *sph, double dt)
{
    const float *g = sph->gravity;
    const double weight = sqrt((double)g[0] * g[0] + (double)g[1] * g[1] + (double)g[2] * g[2]);
    return weight > 0 ? MEAN_TIME * sqrt(sph->diameter / weight) : MEAN_STEPS * dt;
}

static double wall_pressure_weight(const rill_sph *sph, double time)
{
    const double grown = mean_time(sph, 0);
    return grown > 0 ? 1 + (HEAVIER - 1) * fmin(time / grown, 1) : 1;
}

static job job_of(const wall_pressure *s, const rill_step_context *step)
{
    rill_sph *sph = step->sph;
    const rill_kernel kernel = rill_kernel_of_density(sph->kernel);
    return (job){.s = s,
                 .sph = sph,
                 .kernels = pair_kernels_of(sph),
                 .least = (float)(WETTED_LEAST * rill_kernel_half_sum(kernel, sph->support, sph->diameter)),
                 .between = (float)step->between,
                 .resist = (float)(RESISTANCE / (sph->volume * step->dt)),
                 .share = (float)fmin(SHARE_MOST, step->dt / mean_time(sph, step->dt)),
                 .dt = (float)step->dt,
                 .several = step->body_count > 1};
}

static void wall_pressure_begin(void *self, const rill_step_context *step)
{
    const wall_pressure *s = self;
    job j = job_of(s, step);
    rill_set *walls = &step->sph->walls;
    const rill_pass press = {"walls_press", press_body,
                             FIELD_BIT(FIELD_POSITION) | FIELD_BIT(WALL_PSI) | FIELD_BIT(FIELD_VELOCITY) |
                                 FIELD_BIT(WALL_ACCELERATION) | USES_LIQUID_LISTS,
                             USES_LIQUID, FIELD_BIT(WALL_PUSH)};
    const rill_pass gather = {"walls_gather", gather_body,
                              FIELD_BIT(FIELD_POSITION) | USES_WALL_LISTS | USES_WALL_FACTORS | USES_TOUCHES,
                              USES_WALL_PUSH | USES_WALL_BODIES, USES_TOUCH_PUSH};
    rill_pass_run(&step->sph->runner, &walls->fields, &press, &j,
                  rill_runner_blocks(&step->sph->runner, walls->fields.count));
    rill_step_run(step, &gather, &j);
}

static void wall_pressure_push(void *self, const rill_step_context *step)
{
    const wall_pressure *s = self;
    job j = job_of(s, step);
    const rill_mask a = FIELD_BIT(FIELD_ACCELERATION);
    const rill_pass push = {"walls_push", push_body,
                            FIELD_BIT(FIELD_FLUID) | a | USES_TOUCHES | USES_TOUCH_PUSH | USES_GIVEN, 0,
                            a | USES_GIVEN};
    rill_step_run(step, &push, &j);
}

static void wall_pressure_learn(void *self, const rill_step_context *step)
{
    const wall_pressure *s = self;
    job j = job_of(s, step);
    const rill_mask mean = FIELD_BIT(s->mean);
    const rill_pass learn = {"walls_learn", learn_body, mean | FIELD_BIT(FIELD_PRESSURE) | FIELD_BIT(FIELD_COMPRESSION),
                             0, mean};
    rill_step_run(step, &learn, &j);
}

extern const rill_wall_method RILL_WIDE(rill_wall_particles);
const rill_wall_method RILL_WIDE(rill_wall_particles) = {
    .touch = RILL_WIDE(rill_walls_touch),
    .react = RILL_WIDE(rill_walls_react),
    .create = wall_pressure_create,
    .destroy = rill_free,
    .weight = wall_pressure_weight,
    .begin = wall_pressure_begin,
    .push = wall_pressure_push,
    .learn = wall_pressure_learn,
};

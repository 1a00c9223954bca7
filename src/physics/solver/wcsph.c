/* Weakly compressible SPH, split: non-pressure accelerations first, then a
 * density predicted with the new velocities, then pressure (Ihmsen et al. 2014;
 * equation of state of Monaghan 1994).
 *   D* = D + dt V0 sum_j (v_i - v_j).nabla W_ij
 *   p = rho0 c^2/gamma ((D*)^gamma - 1)            Tait
 *   p = rho0 c^2 (D* - 1)                          linear
 *   a_i = -(V0/rho0_i) sum_j (p_i/D_i^2 + p_j/D_j^2) nabla W_ij
 * which conserves momentum. Negative pressures are clamped unless asked for.
 * Of a wall pair the liquid's side carries p_i/D_i^2; the wall presses with its own.
 * D is summed again every step, or carried by the continuity equation; then
 * delta-SPH may smooth it (Molteni and Colagrossi 2009, with the hydrostatic
 * part left out after Fourtakas et al. 2019):
 *   dD_i/dt += 2 delta h c V0 sum_j -f_ij (D_j - D_i - g.(x_j - x_i)/c^2).
 * Fields: FIELD_COMPRESSION becomes state when D is carried. */

#include "base/maths.h"
#include "physics/columns.h"
#include "physics/method.h"
#include "physics/pairs.h"
#include "physics/params.h"

typedef struct wcsph {
    float sound_speed, gamma;
    bool linear, negative, carried;
    float diffusion;
    uint32_t handed; /* row of the field table: P in the position's fourth lane */
} wcsph;

typedef struct job {
    const wcsph *w;
    rill_sph *sph;
    float dt;
} job;

static rill_status wcsph_create(rill_sph *sph, const rill_scene *scene, void **self, rill_error *err)
{
    wcsph *w = rill_calloc(1, sizeof *w);
    if (!w) return rill_memory_fail(err, sizeof *w, "the solver");
    const rill_solver_def *def = &scene->solver;
    w->gamma = (float)def->gamma;
    w->linear = def->eos == RILL_EOS_LINEAR;
    w->negative = def->negative_pressure;
    w->carried = def->density == RILL_DENSITY_CONTINUITY;
    w->diffusion = (float)def->diffusion;
    w->handed = rill_sph_add_handed(sph, "wcsph_handed", "Pa");
    if (w->carried) sph->liquid.fields.defs[FIELD_COMPRESSION].lifetime = RILL_STATE;
    *self = w;
    return RILL_OK;
}

static void wcsph_tune(void *self, const rill_scene *scene)
{
    ((wcsph *)self)->sound_speed = (float)scene->solver.sound_speed;
}

static double wcsph_signal_speed(const void *self)
{
    return ((const wcsph *)self)->sound_speed;
}

static bool wcsph_keeps_density(const void *self)
{
    return ((const wcsph *)self)->carried;
}

/* sum_j -f_ij (D_j - D_i - g.(x_j - x_i)/c^2) */
RILL_INLINE vf diffusion_sum(const job *j, const rill_group *g, const vrec *xi, const vrec *vi_, bool periodic,
                             const period *p)
{
    const float *position = rill_field_f32(&j->sph->liquid.fields, FIELD_POSITION);
    const float *velocity = rill_field_f32(&j->sph->liquid.fields, FIELD_VELOCITY);
    const float *gravity = j->sph->gravity;
    const vf inverse_c2 = vf_set(1 / (j->w->sound_speed * j->w->sound_speed));
    vf sum = {0};
    for (uint32_t k = 0; k < g->length; k++) {
        const vrec xj = group_gather(g, k, position), vj = group_gather(g, k, velocity);
        const vec d = pair_difference(xi, &xj, periodic, p);
        const vf still = -(gravity[0] * d.x + gravity[1] * d.y + gravity[2] * d.z) * inverse_c2;
        sum -= vf_load(g->factors + (size_t)k * RILL_WIDTH) * (vj.w - vi_->w - still);
    }
    return sum;
}

RILL_INLINE vf pressure_of(const wcsph *w, vf D, vf rest_density)
{
    const vf stiffness = rest_density * (w->sound_speed * w->sound_speed);
    vf p;
    if (w->linear) {
        p = stiffness * (D - 1);
    } else if (w->gamma == 7) {
        const vf D2 = D * D;
        p = stiffness * (1 / 7.0f) * (D2 * D2 * D2 * D - 1);
    } else {
        for (int l = 0; l < RILL_WIDTH; l++) p[l] = stiffness[l] / w->gamma * (rill_powf(D[l], w->gamma) - 1);
    }
    return w->negative ? p : vf_max(p, (vf){0});
}

RILL_INLINE void predict_block(const job *j, const rill_pass_block *block, bool periodic)
{
    rill_sph *sph = j->sph;
    const float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    const float *velocity = rill_field_f32(&sph->liquid.fields, FIELD_VELOCITY);
    float *compression = rill_field_f32(&sph->liquid.fields, FIELD_COMPRESSION);
    float *pressure = rill_field_f32(&sph->liquid.fields, FIELD_PRESSURE);
    float *density = rill_field_f32(&sph->liquid.fields, FIELD_DENSITY);
    const period p = period_of(&sph->grid);
    const float volume = (float)sph->volume;
    vsum sum = vsum_begin(&block->tally->sums[0]);
    vf largest = {0};
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const rill_group g = group_at(&sph->lists, i);
        const vrec xi = vrec_load(position + 4 * (size_t)i), vi_ = vrec_load(velocity + 4 * (size_t)i);
        vf rate = pairs_divergence(&g, &xi, &vi_, position, velocity, periodic, &p) + touches_divergence(sph, i, &vi_);
        if (j->w->diffusion > 0)
            rate += 2 * j->w->diffusion * (float)sph->support * j->w->sound_speed *
                    diffusion_sum(j, &g, &xi, &vi_, periodic, &p);
        const vf D = vf_load(compression + i);
        const vf next = D + j->dt * volume * rate;
        const vf rest = by_fluid(sph, sph->rest_density, i);
        if (j->w->carried) vf_store(compression + i, next);
        vf_store(pressure + i, pressure_of(j->w, next, rest));
        vf_store(density + i, next * rest);
        const vf over = vf_max(vf_mask(lanes_own(&sph->liquid, i, block->end), next - 1), (vf){0});
        vsum_add(&sum, over);
        largest = vf_max(over, largest);
    }
    vsum_end(&sum, &block->tally->sums[0]);
    tally_largest(block->tally, 0, largest);
}

RILL_BODY(job, predict)

/* Hands P = p/D^2 to the neighbours in the position's fourth lane. */
static void share_body(void *context, const rill_pass_block *block)
{
    const job *j = context;
    float *position = rill_field_f32(&j->sph->liquid.fields, FIELD_POSITION);
    const float *pressure = rill_field_f32(&j->sph->liquid.fields, FIELD_PRESSURE);
    const float *compression = rill_field_f32(&j->sph->liquid.fields, FIELD_COMPRESSION);
    for (uint32_t i = block->begin; i < block->end; i++)
        position[4 * (size_t)i + 3] = pressure[i] / (compression[i] * compression[i]);
}

RILL_INLINE void pressure_block(const job *j, const rill_pass_block *block, bool periodic)
{
    rill_sph *sph = j->sph;
    const float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    float *velocity = rill_field_f32(&sph->liquid.fields, FIELD_VELOCITY);
    const period p = period_of(&sph->grid);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const rill_group g = group_at(&sph->lists, i);
        const vrec xi = vrec_load(position + 4 * (size_t)i);
        const vf scale = -j->dt * (float)sph->volume / by_fluid(sph, sph->rest_density, i);
        vrec v = vrec_load(velocity + 4 * (size_t)i);
        const vec a = pairs_gradient(&g, &xi, position, periodic, &p);
        v.x += scale * a.x;
        v.y += scale * a.y;
        v.z += scale * a.z;
        for (touch_rows r = touches_at(sph, i); r.first < r.last; r.first++) {
            const vec G = touch_slope(sph, r.first);
            const vf s = scale * xi.w;
            touch_give(sph, r.first, (vec){s * G.x, s * G.y, s * G.z});
            v.x += s * G.x;
            v.y += s * G.y;
            v.z += s * G.z;
        }
        vrec_store(velocity + 4 * (size_t)i, v);
    }
}

RILL_BODY(job, pressure)

/* Columns of the report. */
enum { ERROR, ERROR_MAX };
static const rill_column columns[] = {
    [ERROR] = RILL_COLUMN_DENSITY_ERROR,
    [ERROR_MAX] = RILL_COLUMN_DENSITY_ERROR_MAX,
    {0},
};

static rill_status wcsph_solve(void *self, const rill_step_context *step, rill_solve_result *result, rill_error *err)
{
    (void)err;
    wcsph *w = self;
    rill_sph *sph = step->sph;
    const rill_mask x = FIELD_BIT(FIELD_POSITION), v = FIELD_BIT(FIELD_VELOCITY), D = FIELD_BIT(FIELD_COMPRESSION);
    const rill_mask p = FIELD_BIT(FIELD_PRESSURE), P = FIELD_BIT(w->handed), carried = FIELD_BIT(FIELD_CARRIED);
    const rill_mask fluid = sph->fluid_count > 1 ? FIELD_BIT(FIELD_FLUID) : 0;
    const rill_mask pairs = USES_PAIRS | USES_TOUCHES;
    const rill_pass predict = {"wcsph_predict", predict_body,
                               x | v | D | fluid | pairs | FIELD_BIT(FIELD_OWNER) | (w->diffusion > 0 ? carried : 0),
                               x | v | (w->diffusion > 0 ? carried : 0),
                               p | FIELD_BIT(FIELD_DENSITY) | (w->carried ? D : 0) | RILL_SUMS};
    const rill_pass share = {"wcsph_share", share_body, p | D, 0, P};
    const rill_pass pressure = {"wcsph_pressure", pressure_body, x | P | v | fluid | pairs | USES_GIVEN, x | P,
                                v | USES_GIVEN};
    job j = {w, sph, (float)step->dt};
    rill_step_run(step, &predict, &j);
    result->values[ERROR] = 100 * rill_step_mean(step, 0);
    result->values[ERROR_MAX] = 100 * rill_step_largest(step, 0);
    rill_step_run(step, &share, &j);
    rill_step_run(step, &pressure, &j);
    return RILL_OK;
}

/* ---- keys ---- */

static const rill_word eos_words[] = {{"tait", RILL_EOS_TAIT}, {"linear", RILL_EOS_LINEAR}, {0}};
static const rill_word density_words[] = {
    {"summation", RILL_DENSITY_SUMMATION}, {"continuity", RILL_DENSITY_CONTINUITY}, {0}};
static const rill_selector equation = {"equation", offsetof(rill_scene, solver.eos), eos_words};
static const rill_selector density_kind = {"density", offsetof(rill_scene, solver.density), density_words};
static const rill_param params[] = {
    {"equation", RILL_PARAM_CHOICE, .in = RILL_IN_SOLVER, .offset = offsetof(rill_scene, solver.eos),
     .words = eos_words, .about = "the equation of state, from density to pressure."},
    {"gamma", RILL_PARAM_NUMBER, RILL_BETWEEN(1, 20), .in = RILL_IN_SOLVER,
     .offset = offsetof(rill_scene, solver.gamma), .by = &equation, .only = RILL_BIT(RILL_EOS_TAIT),
     .about = "the exponent of Tait's equation."},
    {"sound_speed", RILL_PARAM_NUMBER, RILL_SPEED, RILL_BETWEEN(0, 1e6), .in = RILL_IN_SOLVER,
     .offset = offsetof(rill_scene, solver.sound_speed),
     .about = "the speed of sound; 0: ten times the expected top speed. Artificial viscosity reads it with any "
              "solver."},
    RILL_PARAM_NEGATIVE_PRESSURE,
    {"density", RILL_PARAM_CHOICE, .in = RILL_IN_SOLVER, .offset = offsetof(rill_scene, solver.density),
     .words = density_words,
     .about = "density summed over the neighbours, or carried along by the continuity equation."},
    {"diffusion", RILL_PARAM_NUMBER, RILL_BETWEEN(0, 1), .in = RILL_IN_SOLVER,
     .offset = offsetof(rill_scene, solver.diffusion), .by = &density_kind, .only = RILL_BIT(RILL_DENSITY_CONTINUITY),
     .about = "density diffusion, the delta of delta-SPH; needs `density: continuity`."},
    {0}};

extern const rill_solver RILL_WIDE(rill_solver_wcsph);
const rill_solver RILL_WIDE(rill_solver_wcsph) = {
    .name = "wcsph",
    .params = params,
    .columns = columns,
    .density_error = 1e-2,
    .create = wcsph_create,
    .destroy = rill_free,
    .tune = wcsph_tune,
    .signal_speed = wcsph_signal_speed,
    .keeps_density = wcsph_keeps_density,
    .explicit_pressure = true,
    .solve = wcsph_solve,
};

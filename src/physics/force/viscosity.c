/* Explicit viscosities. All are pairwise antisymmetric, so momentum is kept:
 * with eta = rho0 times the scene's value, eta_ij of both particles as grip.h says,
 *   a_i = (V0/rho0_i) sum_j eta_ij X_ij
 *   laplacian   X = 10 (v_ij.x_ij)/(r^2 + 0.01 h^2) nabla W / mean(D)   (Monaghan 2005)
 *   mueller     X = (v_j - v_i) laplacian W_viscosity / (D_i D_j)       (Mueller et al. 2003)
 *   xsph        X = (v_j - v_i) W / mean(D) / dt                        (Monaghan 1989)
 *   artificial  X = (h/2) c (v_ij.x_ij)/(r^2 + 0.01 h^2) nabla W / mean(D)
 *               while the particles approach, v_ij.x_ij < 0             (Monaghan 1992)
 * Walls that are not free-slip drag alike, weighted with 1 - slip, by the tensor that the boundary leaves
 * (physics/boundary/wide/touch.c). */

#include "physics/force/grip.h"
#include "physics/method.h"

typedef struct viscosity {
    uint32_t handed; /* row of the field table: eta, in the position's fourth lane */
} viscosity;

typedef struct job {
    rill_sph *sph;
    rill_viscosity_kind kind;
    float dt, h, eps, sound_speed, w_scale, lap_scale;
    bool uniform; /* one dynamic viscosity for all */
} job;

/* X_ij = along top/bottom, without eta and without 1/mean(D) where walls have no D. */
typedef struct term {
    vec along;
    vf top, bottom;
    vf eta; /* between both particles */
} term;

RILL_INLINE term term_of(const job *j, rill_viscosity_kind kind, vec d, vec v, vf f, vf psi, vf D, vf Dj, vf eta)
{
    const vf r2 = vec_dot(d, d);
    if (kind == RILL_VISCOSITY_LAPLACIAN || kind == RILL_VISCOSITY_ARTIFICIAL) {
        const vf approach = vec_dot(v, d), top = f * approach;
        const vf kept = kind == RILL_VISCOSITY_ARTIFICIAL ? vf_mask(approach < 0, top) : top;
        return (term){d, kept, (r2 + j->eps) * (0.5f * (D + Dj)), eta};
    }
    const vf q = vf_sqrt(r2) * (1 / j->h);
    if (kind == RILL_VISCOSITY_MUELLER) return (term){v, -psi * j->lap_scale * viscosity_laplacian_vf(q), D * Dj, eta};
    const vf w = j->sph->kernel == RILL_KERNEL_CUBIC ? cubic_shape_vf(q) : poly6_shape_vf(q);
    return (term){v, -psi * j->w_scale * w, 0.5f * (D + Dj) * j->dt, eta};
}

RILL_INLINE vec term_add(const job *j, rill_viscosity_kind kind, const term *t, vec sum)
{
    vf s = t->top / t->bottom;
    if (kind == RILL_VISCOSITY_LAPLACIAN) s *= 10;
    if (kind == RILL_VISCOSITY_ARTIFICIAL) s *= 0.5f * j->h * j->sound_speed;
    return (vec){sum.x + t->eta * (s * t->along.x), sum.y + t->eta * (s * t->along.y),
                 sum.z + t->eta * (s * t->along.z)};
}

/* The k-th pairs of a group. */
RILL_INLINE term fluid_term(const job *j, const rill_group *g, uint32_t k, const vrec *xi, const vrec *vi_, vf eta,
                            vi counts, rill_viscosity_kind kind, bool periodic, const period *p)
{
    const float *position = rill_field_f32(&j->sph->liquid.fields, FIELD_POSITION);
    const float *velocity = rill_field_f32(&j->sph->liquid.fields, FIELD_VELOCITY);
    group_prefetch(g, k);
    const vrec xj = group_gather(g, k, position), vj = group_gather(g, k, velocity);
    const vec d = pair_difference(xi, &xj, periodic, p);
    const vf real = vf_mask((int32_t)k < counts, vf_set(1));
    const vf f = vf_load(g->factors + (size_t)k * RILL_WIDTH);
    return term_of(j, kind, d, vec_difference(vi_, &vj), f, real, vi_->w, vj.w,
                   j->uniform ? eta : eta_between(eta, xj.w));
}

/* A row of pairs is fetched while the one before is divided and added: divisions are what it would wait for. */
RILL_INLINE vec sum_fluid(const job *j, const rill_group *g, const vrec *xi, const vrec *vi_, vf eta, vi counts,
                          rill_viscosity_kind kind, bool periodic, const period *p)
{
    vec sum = {0};
    if (!g->length) return sum;
    term now = fluid_term(j, g, 0, xi, vi_, eta, counts, kind, periodic, p);
    for (uint32_t k = 1; k < g->length; k++) {
        const term next = fluid_term(j, g, k, xi, vi_, eta, counts, kind, periodic, p);
        sum = term_add(j, kind, &now, sum);
        now = next;
    }
    return term_add(j, kind, &now, sum);
}

/* What bodies add to a, of a whole step's pull j->dt of which they are the givers. Of pairs in which only approach
 * counts, half approach. */
RILL_INLINE vec sum_bodies(const job *j, uint32_t i, const vrec *v, vf scale, rill_viscosity_kind kind)
{
    const rill_sph *sph = j->sph;
    const vf D = 0.5f * (v->w + 1);
    const vf bottom = kind == RILL_VISCOSITY_MUELLER ? v->w : kind == RILL_VISCOSITY_XSPH ? D * j->dt : D;
    const float factor = kind == RILL_VISCOSITY_LAPLACIAN    ? 10
                         : kind == RILL_VISCOSITY_ARTIFICIAL ? 0.25f * j->h * j->sound_speed
                         : kind == RILL_VISCOSITY_MUELLER    ? j->lap_scale
                                                             : j->w_scale;
    vec sum = {0};
    for (touch_rows r = touches_at(sph, i); r.first < r.last; r.first++) {
        const vec held = hold_on(sph, r.first, v);
        const vf s = scale * factor / bottom;
        const vec a = {s * held.x, s * held.y, s * held.z};
        touch_give(sph, r.first, (vec){j->dt * a.x, j->dt * a.y, j->dt * a.z});
        sum = (vec){sum.x + a.x, sum.y + a.y, sum.z + a.z};
    }
    return sum;
}

RILL_INLINE void viscosity_block(const job *j, const rill_pass_block *block, rill_viscosity_kind kind, bool periodic)
{
    rill_sph *sph = j->sph;
    const float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    const float *velocity = rill_field_f32(&sph->liquid.fields, FIELD_VELOCITY);
    float *acceleration = rill_field_f32(&sph->liquid.fields, FIELD_ACCELERATION);
    const period p = period_of(&sph->grid);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const rill_group g = group_at(&sph->lists, i);
        const vrec xi = vrec_load(position + 4 * (size_t)i), vi_ = vrec_load(velocity + 4 * (size_t)i);
        const vf rest = by_fluid(sph, sph->rest_density, i);
        const vf eta = rest * by_fluid(sph, sph->viscosity, i);
        const vec x = sum_fluid(j, &g, &xi, &vi_, eta, (vi)vu_load(sph->lists.count + i), kind, periodic, &p);
        const vf scale = (float)sph->volume / rest;
        const vec held = bodies_hold(sph) ? sum_bodies(j, i, &vi_, scale * eta, kind) : (vec){0};
        vrec a = vrec_load(acceleration + 4 * (size_t)i);
        a.x += scale * x.x + held.x;
        a.y += scale * x.y + held.y;
        a.z += scale * x.z + held.z;
        vrec_store(acceleration + 4 * (size_t)i, a);
    }
}

static void viscosity_body(void *context, const rill_pass_block *block)
{
    const job *j = context;
    const bool periodic = j->sph->grid.periodic;
    if (j->kind == RILL_VISCOSITY_LAPLACIAN && !periodic)
        viscosity_block(j, block, RILL_VISCOSITY_LAPLACIAN, false);
    else if (j->kind == RILL_VISCOSITY_LAPLACIAN) viscosity_block(j, block, RILL_VISCOSITY_LAPLACIAN, true);
    else if (j->kind == RILL_VISCOSITY_ARTIFICIAL) viscosity_block(j, block, RILL_VISCOSITY_ARTIFICIAL, periodic);
    else if (j->kind == RILL_VISCOSITY_MUELLER) viscosity_block(j, block, RILL_VISCOSITY_MUELLER, periodic);
    else viscosity_block(j, block, RILL_VISCOSITY_XSPH, periodic);
}

/* The neighbours' eta, in the position's fourth lane. */
static void share_body(void *context, const rill_pass_block *block)
{
    const job *j = context;
    const uint32_t *fluid = rill_field_u32(&j->sph->liquid.fields, FIELD_FLUID);
    float *position = rill_field_f32(&j->sph->liquid.fields, FIELD_POSITION);
    for (uint32_t i = block->begin; i < block->end; i++)
        position[4 * (size_t)i + 3] = j->sph->viscosity[fluid[i]] * j->sph->rest_density[fluid[i]];
}

static rill_status viscosity_create(rill_sph *sph, const rill_scene *scene, void **self, rill_error *err)
{
    (void)scene;
    viscosity *s = rill_calloc(1, sizeof *s);
    if (!s) return rill_memory_fail(err, sizeof *s, "the viscosity");
    s->handed = rill_sph_add_handed(sph, "viscosity_handed", "Pa s");
    *self = s;
    return RILL_OK;
}

static bool viscosity_active(const rill_sph *sph, const rill_scene *scene)
{
    (void)scene;
    if (sph->viscosity_kind == RILL_VISCOSITY_NONE || sph->viscosity_kind == RILL_VISCOSITY_IMPLICIT) return false;
    for (uint32_t f = 0; f < sph->fluid_count; f++)
        if (sph->viscosity[f] > 0) return true;
    return false;
}

/* The kinematic viscosity, or what an artificial one amounts to. */
static double strongest(const rill_sph *sph, double sound_speed)
{
    const double most = strongest_between(sph);
    if (sph->viscosity_kind == RILL_VISCOSITY_ARTIFICIAL) return 0.05 * sph->support * sound_speed * most;
    return sph->viscosity_kind == RILL_VISCOSITY_XSPH ? 0 : most;
}

/* With l half the support, velocities that alternate from particle to particle
 * grow in explicit steps above 0.11 to 0.14 l^2/nu on the rest lattice, sooner
 * where particles are close, and sooner still next to a wall that holds the
 * liquid. */
static double viscosity_longest_part(const void *self, const rill_sph *sph, double sound_speed)
{
    (void)self;
    const double l = 0.5 * sph->support, nu = strongest(sph, sound_speed);
    return nu > 0 ? (sph->grip > 0 ? 0.02 : 0.05) * l * l / nu : INFINITY;
}

static rill_status viscosity_apply(void *self, const rill_step_context *step, rill_solve_result *result,
                                   rill_error *err)
{
    (void)result, (void)err;
    const viscosity *s = self;
    rill_sph *sph = step->sph;
    const double h = sph->support;
    job j = {.sph = sph,
             .kind = sph->viscosity_kind,
             .dt = (float)step->dt,
             .h = (float)h,
             .eps = (float)(0.01 * h * h),
             .sound_speed = (float)step->sound_speed,
             .w_scale = (float)rill_kernel_scale(rill_kernel_of_density(sph->kernel), h),
             .lap_scale = (float)(rill_kernel_scale(RILL_VISCOUS, h) / (h * h)),
             .uniform = is_uniform(sph)};
    const rill_mask x = FIELD_BIT(FIELD_POSITION), v = FIELD_BIT(FIELD_VELOCITY) | FIELD_BIT(FIELD_CARRIED);
    const rill_mask eta = j.uniform ? 0 : FIELD_BIT(s->handed), a = FIELD_BIT(FIELD_ACCELERATION);
    const rill_mask fluid = sph->fluid_count > 1 ? FIELD_BIT(FIELD_FLUID) : 0;
    const rill_pass share = {"viscosity_share", share_body, FIELD_BIT(FIELD_FLUID), 0, eta};
    const rill_pass pass = {"viscosity", viscosity_body,
                            x | v | fluid | a | USES_PAIRS | (bodies_hold(sph) ? USES_TOUCHES | USES_GIVEN : 0),
                            x | v | eta, a | (bodies_hold(sph) ? USES_GIVEN : 0)};
    if (!j.uniform) rill_step_run(step, &share, &j);
    rill_step_run(step, &pass, &j);
    return RILL_OK;
}

/* ---- keys ---- */

/* The implicit kind is a force of its own, with the same keys. */
static const rill_word kind_words[] = {{"none", RILL_VISCOSITY_NONE},
                                       {"laplacian", RILL_VISCOSITY_LAPLACIAN},
                                       {"mueller", RILL_VISCOSITY_MUELLER},
                                       {"xsph", RILL_VISCOSITY_XSPH},
                                       {"artificial", RILL_VISCOSITY_ARTIFICIAL},
                                       {"implicit", RILL_VISCOSITY_IMPLICIT},
                                       {0}};
static const rill_selector kind_of_fluid = {"kind", offsetof(rill_fluid, viscosity_kind), kind_words};
static const rill_reading variants[] = {
    [RILL_VISCOSITY_NONE] = {RILL_ANY_DIMENSION, RILL_AT_LEAST(0), .fixed = true, .fallback = 0},
    [RILL_VISCOSITY_LAPLACIAN] = {RILL_KINEMATIC_VISCOSITY, RILL_BETWEEN(0, RILL_MOST_VISCOSITY)},
    [RILL_VISCOSITY_MUELLER] = {RILL_KINEMATIC_VISCOSITY, RILL_BETWEEN(0, RILL_MOST_VISCOSITY)},
    [RILL_VISCOSITY_XSPH] = {RILL_PLAIN, RILL_BETWEEN(0, 1)},
    [RILL_VISCOSITY_ARTIFICIAL] = {RILL_PLAIN, RILL_BETWEEN(0, RILL_MOST_PLAIN)},
    [RILL_VISCOSITY_IMPLICIT] = {RILL_KINEMATIC_VISCOSITY, RILL_BETWEEN(0, RILL_MOST_VISCOSITY)},
};
static const rill_param parts[] = {
    {"kind", RILL_PARAM_CHOICE, .offset = offsetof(rill_fluid, viscosity_kind), .words = kind_words,
     .about = "How neighbours slow each other down: `laplacian` (an explicit Laplacian of the velocity), `mueller` "
              "(that of Müller et al. 2003), `xsph` (each particle moves a little with its neighbours), "
              "`artificial` (Monaghan 1992, on approach only), `implicit` (the Laplacian at the end of the step, for "
              "honey: stable at any value) or not at all. The same kind for all fluids of a scene."},
    {"value", RILL_PARAM_NUMBER, .offset = offsetof(rill_fluid, viscosity), .by = &kind_of_fluid, .variants = variants,
     .density = offsetof(rill_fluid, density), .live = true,
     .about = "How much: the kinematic viscosity with `laplacian`, `mueller` and `implicit`, or a dynamic one, as in "
              "`1 mPa*s`, which is divided by the fluid's density; the share of the "
              "neighbours' mean velocity with `xsph`, Monaghan's alpha with `artificial`; not used with `none`."},
    {0}};
static const rill_param params[] = {{"viscosity", RILL_PARAM_GROUP, .in = RILL_IN_FLUID, .parts = parts, .flow = true,
                                     .about = "Inner friction."},
                                    {0}};

static rill_status viscosity_check(const rill_scene *scene, const void **at, rill_error *err)
{
    for (uint32_t f = 1; f < scene->fluid_count; f++) {
        const rill_fluid *first = &scene->fluids[0], *fluid = &scene->fluids[f];
        if (fluid->viscosity_kind == first->viscosity_kind) continue;
        *at = &fluid->viscosity_kind;
        return rill_fail(err, RILL_BAD_INPUT,
                         "Fluids %s and %s have viscosities of different kinds; give both the same kind.", first->name,
                         fluid->name);
    }
    return RILL_OK;
}

extern const rill_force RILL_WIDE(rill_force_viscosity);
const rill_force RILL_WIDE(rill_force_viscosity) = {
    .name = "viscosity",
    .params = params,
    .check = viscosity_check,
    .active = viscosity_active,
    .create = viscosity_create,
    .destroy = rill_free,
    .longest_part = viscosity_longest_part,
    .apply = viscosity_apply,
};

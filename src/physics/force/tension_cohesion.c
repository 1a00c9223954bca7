/* Surface tension by cohesion and area (Akinci et al. 2013): neighbours attract each
 * other at a distance and repel each other when close, and differences of their normals
 * make the surface small:
 *   F_ij = -sigma_ij d K_ij [ A C(q) x_ij/r + B (n_i - n_j) ],   K_ij = 2/(D_i + D_j)
 *   C(q) = 32/pi { (1-q)^3 q^3 for q > 1/2;  2 (1-q)^3 q^3 - 1/64 below },   q = r/h
 *   n_i = h V0 sum_j (sigma_ij/sigma_i) nabla W_ij
 * Pairs push each other oppositely, so momentum is kept. A and B are pure numbers, which
 * the paper leaves to taste. Here cohesion carries a fifth of the tension of a flat
 * surface of the rest lattice and the area the rest, by the formula of Kirkwood and Buff
 * (1949): a surface's tension is the excess of normal over tangential pressure, summed
 * over its layers, for a surface along z
 *   sigma = 1/d^2 sum_layers 1/2 sum_j (F_z z_ij - F_x x_ij).
 * That makes the scene's value the physical tension at rest, for every support and
 * kernel. Swinging drops are stiffer, as jelly is, the more so the more cohesion there is
 * and the finer they are: half of it gives periods of 0.74 of Lamb's at R = 8 d and 0.64
 * at 14 d, a fifth 0.72 to 0.98 at 8 d, as the particles happen to lie. With less the
 * area's push from inside is not held. Where periods matter, take the colour field. The
 * attraction inside the liquid adds about sigma/(2 d) to the solver's pressure.
 * sigma_ij is the smaller of both particles': two liquids have the difference of their
 * tensions between them (Antonow's rule), equal ones none. A wall particle attracts as
 * psi particles of the liquid would, times the share of the adhesion.
 * Fields: tension_normal (n, D) is scratch. */

#include "base/maths.h"
#include "physics/attraction.h"
#include "physics/force/capillary.h"
#include "physics/force/tension.h"

typedef struct cohesion {
    uint32_t normal, density; /* rows of the field table: n, and D with it */
    uint32_t handed;          /* sigma, in the position's fourth lane */
    double A, B;
} cohesion;

typedef struct job {
    const cohesion *s;
    rill_sph *sph;
    float A, B, dt;
    bool uniform; /* one tension for all */
} job;

/* ---- A and B ---- */

static const double cohesion_share = 0.2;

static double cohesion_shape(double q)
{
    const double a = (1 - q) * q, t = a * a * a;
    return 32 / RILL_PI * (q > 0.5 ? t : 2 * t - 1.0 / 64);
}

/* D and n of a layer of the rest lattice under a flat surface, 0 the first; lengths in diameters. */
typedef struct layer {
    double D, n;
} layer;

enum { REACH_MOST = 6 };

/* x and z of x_i - x_j, the outward direction being positive, its length, and the neighbour's layer. */
typedef struct neighbour {
    double x, z, r;
    int layer;
} neighbour;

/* The neighbours of a particle in layer l, itself among them. */
static int flat_neighbours(double h, int l, neighbour *out)
{
    const int reach = (int)ceil(h);
    int count = 0;
    for (int z = -l; z <= reach; z++)
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++) {
                const double r = sqrt(x * x + y * y + z * z);
                if (r < h) out[count++] = (neighbour){x, z, r, l + z};
            }
    return count;
}

static layer layer_of(const rill_sph *sph, double h, double V0, const neighbour *all, int count)
{
    layer t = {0};
    for (int k = 0; k < count; k++) {
        const double r = all[k].r;
        t.D += V0 * rill_kernel_w(rill_kernel_of_density(sph->kernel), r, h);
        if (r > 0) t.n += h * V0 * rill_kernel_slope(rill_kernel_of_gradient(sph->kernel), r, h) * all[k].z / r;
    }
    return t;
}

/* The tension of either force at a flat surface, with A = B = 1. */
static void flat_tensions(const rill_sph *sph, neighbour *all, double tension[2])
{
    const double d = sph->diameter, h = sph->support / d, V0 = sph->volume / (d * d * d);
    const int reach = (int)ceil(h);
    layer layers[4 * REACH_MOST + 1];
    for (int l = 0; l <= 4 * reach; l++) layers[l] = layer_of(sph, h, V0, all, flat_neighbours(h, l, all));
    tension[0] = tension[1] = 0;
    for (int l = 0; l <= 3 * reach; l++) {
        const int count = flat_neighbours(h, l, all);
        for (int k = 0; k < count; k++) {
            const neighbour *j = &all[k];
            if (j->r <= 0) continue;
            const double K = 2 / (layers[l].D + layers[j->layer].D);
            tension[0] -= 0.5 * K * cohesion_shape(j->r / h) * (j->z * j->z - j->x * j->x) / j->r;
            tension[1] -= 0.5 * K * (layers[l].n - layers[j->layer].n) * j->z;
        }
    }
}

static rill_status cohesion_create(rill_sph *sph, const rill_scene *scene, void **self, rill_error *err)
{
    (void)scene;
    cohesion *s = rill_calloc(1, sizeof *s);
    const size_t side = 2 * REACH_MOST + 1;
    neighbour *all = rill_calloc(side * side * side, sizeof *all);
    if (!s || !all) {
        rill_free(s);
        rill_free(all);
        return rill_memory_fail(err, side * side * side * sizeof *all, "the surface tension");
    }
    double tension[2];
    flat_tensions(sph, all, tension);
    rill_free(all);
    sph->touches.wanted[TOUCH_PULL] = true;
    s->A = cohesion_share / tension[0];
    s->B = (1 - cohesion_share) / tension[1];
    s->normal = rill_fields_add_real(&sph->liquid.fields, "tension_normal", "", 4, 3, RILL_SCRATCH);
    s->density = rill_fields_add_name(&sph->liquid.fields, s->normal, 3, "tension_density", "", 1);
    s->handed = rill_sph_add_handed(sph, "tension_handed", "N/m");
    *self = s;
    return RILL_OK;
}

static bool cohesion_active(const rill_sph *sph, const rill_scene *scene)
{
    for (uint32_t f = 0; f < sph->fluid_count; f++)
        if (scene->fluids[f].tension_kind == RILL_TENSION_COHESION && sph->tension[f] > 0) return true;
    return false;
}

/* ---- the forces ---- */

static void share_body(void *context, const rill_pass_block *block)
{
    tension_share(((const job *)context)->sph, block);
}

RILL_INLINE void normal_block(const job *j, const rill_pass_block *block, bool periodic)
{
    rill_sph *sph = j->sph;
    const float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    const float *compression = rill_field_f32(&sph->liquid.fields, FIELD_COMPRESSION);
    float *normal = rill_field_f32(&sph->liquid.fields, j->s->normal);
    const period p = period_of(&sph->grid);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const vrec xi = vrec_load(position + 4 * (size_t)i);
        const vf sigma = by_fluid(sph, sph->tension, i);
        const vec g = tension_gradient(sph, i, &xi, sigma, j->uniform, periodic, &p);
        const vf scale = vf_mask(sigma > 0, (float)(sph->support * sph->volume) / sigma);
        vrec_store(normal + 4 * (size_t)i, (vrec){scale * g.x, scale * g.y, scale * g.z, vf_load(compression + i)});
    }
}

RILL_INLINE void force_block(const job *j, const rill_pass_block *block, bool periodic)
{
    rill_sph *sph = j->sph;
    const float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    const float *normal = rill_field_f32(&sph->liquid.fields, j->s->normal);
    float *acceleration = rill_field_f32(&sph->liquid.fields, FIELD_ACCELERATION);
    const period p = period_of(&sph->grid);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const rill_group g = group_at(&sph->lists, i);
        const vrec xi = vrec_load(position + 4 * (size_t)i), ni = vrec_load(normal + 4 * (size_t)i);
        const vf sigma = by_fluid(sph, sph->tension, i), grip = sigma * by_fluid(sph, sph->adhesion, i);
        const vi counts = (vi)vu_load(sph->lists.count + i);
        const vf scale = (float)(-sph->diameter / sph->volume) / by_fluid(sph, sph->rest_density, i);
        vec sum = {0};
        for (uint32_t k = 0; k < g.length; k++) {
            group_prefetch(&g, k);
            const vrec xj = group_gather(&g, k, position), nj = group_gather(&g, k, normal);
            const vec d = pair_difference(&xi, &xj, periodic, &p), turn = vec_difference(&ni, &nj);
            const vf w = 2 * (j->uniform ? sigma : vf_min(sigma, xj.w)) / (ni.w + nj.w);
            const vf pull = j->A * attraction_of(sph, d);
            const vf real = vf_mask((int32_t)k < counts, w);
            sum.x += real * (pull * d.x + j->B * turn.x);
            sum.y += real * (pull * d.y + j->B * turn.y);
            sum.z += real * (pull * d.z + j->B * turn.z);
        }
        for (touch_rows r = touches_at(sph, i); r.first < r.last; r.first++) {
            const vec pull = touch_vec(touch_at(sph, TOUCH_PULL, r.first), 0);
            const vf w = 2 * grip * j->A / (ni.w + 1), given = j->dt * scale * w;
            touch_give(sph, r.first, (vec){given * pull.x, given * pull.y, given * pull.z});
            sum = (vec){sum.x + w * pull.x, sum.y + w * pull.y, sum.z + w * pull.z};
        }
        vrec a = vrec_load(acceleration + 4 * (size_t)i);
        a.x += scale * sum.x;
        a.y += scale * sum.y;
        a.z += scale * sum.z;
        vrec_store(acceleration + 4 * (size_t)i, a);
    }
}

RILL_BODY(job, normal)
RILL_BODY(job, force)

static rill_status cohesion_apply(void *self, const rill_step_context *step, rill_solve_result *result, rill_error *err)
{
    (void)result, (void)err;
    const cohesion *s = self;
    rill_sph *sph = step->sph;
    job j = {.s = s, .sph = sph, .A = (float)(32 / RILL_PI * s->A), .B = (float)s->B, .dt = (float)step->dt,
             .uniform = sph->fluid_count == 1};
    const rill_mask x = FIELD_BIT(FIELD_POSITION), a = FIELD_BIT(FIELD_ACCELERATION);
    const rill_mask n = FIELD_BIT(s->normal) | FIELD_BIT(s->density);
    const rill_mask D = FIELD_BIT(FIELD_COMPRESSION), sigma = j.uniform ? 0 : FIELD_BIT(s->handed);
    const rill_mask fluid = j.uniform ? 0 : FIELD_BIT(FIELD_FLUID);
    const rill_pass share = {"tension_cohesion_share", share_body, fluid, 0, sigma};
    const rill_pass normal = {"tension_cohesion_normal", normal_body,
                              x | fluid | D | USES_PAIRS | USES_TOUCHES, x | sigma, n};
    const rill_pass force = {"tension_cohesion", force_body, x | fluid | n | a | USES_LISTS | USES_TOUCHES | USES_GIVEN,
                             x | n | sigma, a | USES_GIVEN};
    if (!j.uniform) rill_step_run(step, &share, &j);
    rill_step_run(step, &normal, &j);
    rill_step_run(step, &force, &j);
    return RILL_OK;
}

/* ---- keys ---- */

/* Both models of surface tension have the same keys. */
static const rill_word kind_words[] = {
    {"none", RILL_TENSION_NONE}, {"colour", RILL_TENSION_COLOUR}, {"cohesion", RILL_TENSION_COHESION}, {0}};
static const rill_selector kind_of_fluid = {"kind", offsetof(rill_fluid, tension_kind), kind_words};
static const rill_reading variants[] = {
    [RILL_TENSION_NONE] = {RILL_ANY_DIMENSION, RILL_AT_LEAST(0), .fixed = true, .fallback = 0},
    [RILL_TENSION_COLOUR] = {RILL_SURFACE_TENSION, RILL_BETWEEN(0, RILL_MOST_TENSION), .fixed = true,
                             .fallback = 0.072},
    [RILL_TENSION_COHESION] = {RILL_SURFACE_TENSION, RILL_BETWEEN(0, RILL_MOST_TENSION), .fixed = true,
                               .fallback = 0.072},
};
static const rill_param parts[] = {
    {"kind", RILL_PARAM_CHOICE, .offset = offsetof(rill_fluid, tension_kind), .words = kind_words,
     .about = "How the surface pulls itself together: `colour` (by the gradient of the colour field), `cohesion` "
              "(neighbours attract each other and the surface is made small, Akinci et al. 2013) or not at all."},
    {"value", RILL_PARAM_NUMBER, .offset = offsetof(rill_fluid, tension), .by = &kind_of_fluid, .variants = variants,
     .live = true,
     .about =
         "The surface tension against air, that of water unless given; where two fluids meet, it is the difference "
         "of theirs. Not used with `none`."},
    {"adhesion", RILL_PARAM_NUMBER, RILL_BETWEEN(0, 1), .offset = offsetof(rill_fluid, adhesion), .by = &kind_of_fluid,
     .only = RILL_BIT(RILL_TENSION_COLOUR) | RILL_BIT(RILL_TENSION_COHESION), .live = true,
     .about = "0: to the fluid a wall is like air, and drops roll off it; 1: it is like the fluid itself."},
    {0}};
static const rill_param params[] = {{"tension", RILL_PARAM_GROUP, .in = RILL_IN_FLUID, .parts = parts, .flow = true,
                                     .about = "Surface tension."},
                                    {0}};

/* Of both kinds, since their keys are the same. */
static rill_status tension_check(const rill_scene *scene, const void **at, rill_error *err)
{
    const rill_fluid *first = NULL;
    for (uint32_t f = 0; f < scene->fluid_count; f++) {
        const rill_fluid *fluid = &scene->fluids[f];
        if (fluid->tension_kind == RILL_TENSION_NONE) continue;
        if (!first) first = fluid;
        if (fluid->tension_kind == first->tension_kind) continue;
        *at = &fluid->tension_kind;
        return rill_fail(err, RILL_BAD_INPUT,
                         "Fluids %s and %s have surface tensions of different kinds; give both the same kind.",
                         first->name, fluid->name);
    }
    return RILL_OK;
}

extern const rill_force RILL_WIDE(rill_force_tension_cohesion);
const rill_force RILL_WIDE(rill_force_tension_cohesion) = {
    .name = "tension_cohesion",
    .params = params,
    .check = tension_check,
    .active = cohesion_active,
    .create = cohesion_create,
    .destroy = rill_free,
    .expected_step = capillary_expected_step,
    .longest_step = capillary_longest_step,
    .apply = cohesion_apply,
};

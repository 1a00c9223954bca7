/* Surface tension from the colour field (Mueller et al. 2003; curvature after Morris
 * 2000): the colour is one in the liquid and zero outside; its gradient is a thin layer
 * along the surface and points into the liquid:
 *   c_i = V0 sum_j (sigma_ij/sigma_i) nabla W_ij
 *   g_i = sum_j c_j W_ij/D_j / sum_j W_ij/D_j        with itself among the neighbours
 *   n = g/|g| where |g| > 0.1/d, else 0
 *   a_i = k sigma_i kappa_i g_i / (rho0_i D_i)
 *   kappa_i = -div n = -sum_j (n_j - n_i).nabla W_ij / m_i over neighbours with an n,
 *   m_i = -1/2 sum_j x_t.nabla W_ij,   x_t = x_ij without its part along n_i
 * Where the paper's Laplacian of the colour would need neighbours all around, m takes
 * those that there are: it makes kappa = 2/r exact on a ball of radius r through the
 * particle. The surface lies half a diameter outside, where the curvature is
 * kappa/(1 + kappa d/4); that is what acts. The mean over the neighbours keeps single
 * particles from showing in the curvature; without it, drops with the usual support of
 * two diameters never come to rest. Below the threshold (a flat surface has
 * |g| = 0.4/d) the gradient is noise of the inside.
 * k: particles lie on the liquid's side of the surface alone and see the colour fall
 * from one to a half, so k is about 2; it is chosen so that the layers of a flat surface
 * of the rest lattice sum to k sum |c| d = 1, which makes sigma the physical tension.
 * sigma_ij is the smaller of both particles': two liquids have the difference of their
 * tensions between them (Antonow's rule), equal ones none. Walls count as liquid with
 * the share of the adhesion. Momentum is kept as far as the layer is closed, not pair
 * by pair.
 * The force is not taken from an energy, and feeds small motions of the surface that
 * viscosity has to take away: drops stay calm with nu sqrt(rho0/(sigma R)) above 0.02.
 * Thinner liquids want cohesion.
 * Fields: tension_gradient (c, D) and tension_normal (n, |g|) are scratch. */

#include "physics/force/capillary.h"
#include "physics/force/tension.h"

typedef struct colour {
    uint32_t gradient, density; /* rows of the field table: c, and D with it */
    uint32_t normal, slope;     /* n, and |g| with it */
    uint32_t handed;           /* sigma, in the position's fourth lane */
    double k;
} colour;

typedef struct job {
    const colour *s;
    rill_sph *sph;
    float least;  /* |g| below this is noise, 1/m */
    float inverse_h;
    bool uniform; /* one tension for all */
} job;

static const double threshold = 0.1;

/* sum |c| d over the layers of a flat surface of the rest lattice. */
static double flat_layers(const rill_sph *sph)
{
    const double d = sph->diameter, h = sph->support;
    const int reach = (int)ceil(h / d);
    double sum = 0;
    for (int layer = 0; layer < reach; layer++) {
        double g = 0;
        for (int z = -reach; z <= layer; z++)
            for (int y = -reach; y <= reach; y++)
                for (int x = -reach; x <= reach; x++) {
                    const double r = d * sqrt(x * x + y * y + z * z);
                    if (r > 0 && r < h)
                        g -= sph->volume * rill_kernel_slope(rill_kernel_of_gradient(sph->kernel), r, h) * z * d / r;
                }
        sum += fabs(g) * d;
    }
    return sum;
}

static bool colour_active(const rill_sph *sph, const rill_scene *scene)
{
    for (uint32_t f = 0; f < sph->fluid_count; f++)
        if (scene->fluids[f].tension_kind == RILL_TENSION_COLOUR && sph->tension[f] > 0) return true;
    return false;
}

static rill_status colour_create(rill_sph *sph, const rill_scene *scene, void **self, rill_error *err)
{
    (void)scene;
    colour *s = rill_calloc(1, sizeof *s);
    if (!s) return rill_memory_fail(err, sizeof *s, "the surface tension");
    s->gradient = rill_fields_add_real(&sph->liquid.fields, "tension_gradient", "1/m", 4, 3, RILL_SCRATCH);
    s->density = rill_fields_add_name(&sph->liquid.fields, s->gradient, 3, "tension_density", "", 1);
    s->normal = rill_fields_add_real(&sph->liquid.fields, "tension_normal", "", 4, 3, RILL_SCRATCH);
    s->slope = rill_fields_add_name(&sph->liquid.fields, s->normal, 3, "tension_slope", "1/m", 1);
    s->handed = rill_sph_add_handed(sph, "tension_handed", "N/m");
    s->k = 1 / flat_layers(sph);
    *self = s;
    return RILL_OK;
}

static void share_body(void *context, const rill_pass_block *block)
{
    tension_share(((const job *)context)->sph, block);
}

RILL_INLINE void gradient_block(const job *j, const rill_pass_block *block, bool periodic)
{
    rill_sph *sph = j->sph;
    const float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    const float *compression = rill_field_f32(&sph->liquid.fields, FIELD_COMPRESSION);
    float *gradient = rill_field_f32(&sph->liquid.fields, j->s->gradient);
    const period p = period_of(&sph->grid);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const vrec xi = vrec_load(position + 4 * (size_t)i);
        const vf sigma = by_fluid(sph, sph->tension, i);
        vec g = tension_gradient(sph, i, &xi, sigma, j->uniform, periodic, &p);
        const vf scale = vf_mask(sigma > 0, (float)sph->volume / sigma);
        g = (vec){scale * g.x, scale * g.y, scale * g.z};
        vrec_store(gradient + 4 * (size_t)i, (vrec){g.x, g.y, g.z, vf_load(compression + i)});
    }
}

/* The mean of the gradient over the neighbours, itself among them, and the normal. */
RILL_INLINE void normal_block(const job *j, const rill_pass_block *block, bool cubic, bool periodic)
{
    rill_sph *sph = j->sph;
    const float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    const float *gradient = rill_field_f32(&sph->liquid.fields, j->s->gradient);
    float *normal = rill_field_f32(&sph->liquid.fields, j->s->normal);
    const period p = period_of(&sph->grid);
    const float own = cubic ? 0.5f : 1;
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const rill_group list = group_at(&sph->lists, i);
        const vrec xi = vrec_load(position + 4 * (size_t)i), gi = vrec_load(gradient + 4 * (size_t)i);
        const vi counts = (vi)vu_load(sph->lists.count + i);
        vec g = {own * gi.x / gi.w, own * gi.y / gi.w, own * gi.z / gi.w};
        vf weight = own / gi.w;
        for (uint32_t k = 0; k < list.length; k++) {
            const vrec xj = group_gather(&list, k, position), gj = group_gather(&list, k, gradient);
            const vec d = pair_difference(&xi, &xj, periodic, &p);
            const vf q = vf_sqrt(vec_dot(d, d)) * j->inverse_h;
            const vf w = vf_mask((int32_t)k < counts, (cubic ? cubic_shape_vf(q) : poly6_shape_vf(q)) / gj.w);
            g.x += w * gj.x;
            g.y += w * gj.y;
            g.z += w * gj.z;
            weight += w;
        }
        g = (vec){g.x / weight, g.y / weight, g.z / weight};
        const vf length = vf_sqrt(vec_dot(g, g)), inverse = vf_mask(length > j->least, 1 / length);
        vrec_store(normal + 4 * (size_t)i,
                   (vrec){inverse * g.x, inverse * g.y, inverse * g.z, vf_mask(length > j->least, length)});
    }
}

/* kappa, from the neighbours that have a normal; rounder than a ball of two diameters they cannot tell. */
RILL_INLINE vf curvature(const job *j, const rill_group *g, const vrec *xi, const vrec *ni, bool periodic,
                         const period *p)
{
    const float *position = rill_field_f32(&j->sph->liquid.fields, FIELD_POSITION);
    const float *normal = rill_field_f32(&j->sph->liquid.fields, j->s->normal);
    vf turn = {0}, moment = {0};
    for (uint32_t k = 0; k < g->length; k++) {
        group_prefetch(g, k);
        const vrec xj = group_gather(g, k, position), nj = group_gather(g, k, normal);
        const vec d = pair_difference(xi, &xj, periodic, p);
        const vf f = vf_mask(nj.w > 0, vf_load(g->factors + (size_t)k * RILL_WIDTH));
        const vf along = d.x * ni->x + d.y * ni->y + d.z * ni->z;
        turn += f * vec_dot(vec_difference(&nj, ni), d);
        moment -= f * (vec_dot(d, d) - along * along);
    }
    const float most = (float)(1 / j->sph->diameter), deep = (float)(0.25 * j->sph->diameter);
    const vf inside = vf_mask(moment > 0, -2 * turn / moment);
    const vf kappa = vf_max(vf_min(inside, vf_set(most)), vf_set(-most));
    return kappa / (1 + deep * kappa);
}

RILL_INLINE void force_block(const job *j, const rill_pass_block *block, bool periodic)
{
    rill_sph *sph = j->sph;
    const float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    const float *normal = rill_field_f32(&sph->liquid.fields, j->s->normal);
    const float *compression = rill_field_f32(&sph->liquid.fields, FIELD_COMPRESSION);
    float *acceleration = rill_field_f32(&sph->liquid.fields, FIELD_ACCELERATION);
    const period p = period_of(&sph->grid);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const vrec xi = vrec_load(position + 4 * (size_t)i), ni = vrec_load(normal + 4 * (size_t)i);
        const rill_group g = group_at(&sph->lists, i);
        const vf kappa = curvature(j, &g, &xi, &ni, periodic, &p);
        const vf mass = by_fluid(sph, sph->rest_density, i) * vf_load(compression + i);
        const vf s = (float)j->s->k * by_fluid(sph, sph->tension, i) * kappa * ni.w / mass;
        vrec a = vrec_load(acceleration + 4 * (size_t)i);
        a.x += s * ni.x;
        a.y += s * ni.y;
        a.z += s * ni.z;
        vrec_store(acceleration + 4 * (size_t)i, a);
    }
}

RILL_BODY(job, gradient)
RILL_BODY(job, force)

RILL_BODY_BY_KERNEL(job, normal)

static rill_status colour_apply(void *self, const rill_step_context *step, rill_solve_result *result, rill_error *err)
{
    (void)result, (void)err;
    const colour *s = self;
    rill_sph *sph = step->sph;
    job j = {.s = s, .sph = sph, .least = (float)(threshold / sph->diameter),
             .inverse_h = (float)(1 / sph->support), .uniform = sph->fluid_count == 1};
    const rill_mask x = FIELD_BIT(FIELD_POSITION), g = FIELD_BIT(s->gradient) | FIELD_BIT(s->density);
    const rill_mask n = FIELD_BIT(s->normal) | FIELD_BIT(s->slope);
    const rill_mask D = FIELD_BIT(FIELD_COMPRESSION), a = FIELD_BIT(FIELD_ACCELERATION);
    const rill_mask sigma = j.uniform ? 0 : FIELD_BIT(s->handed), fluid = j.uniform ? 0 : FIELD_BIT(FIELD_FLUID);
    const rill_pass share = {"tension_colour_share", share_body, fluid, 0, sigma};
    const rill_pass gradient = {"tension_colour_gradient", gradient_body,
                                x | fluid | D | USES_PAIRS | USES_TOUCHES, x | sigma, g};
    const rill_pass normal = {"tension_colour_normal", normal_body, x | g | USES_LISTS, x | g, n};
    const rill_pass force = {"tension_colour", force_body, x | fluid | n | D | a | USES_PAIRS, x | n, a};
    if (!j.uniform) rill_step_run(step, &share, &j);
    rill_step_run(step, &gradient, &j);
    rill_step_run(step, &normal, &j);
    rill_step_run(step, &force, &j);
    return RILL_OK;
}

extern const rill_force RILL_WIDE(rill_force_tension_colour);
const rill_force RILL_WIDE(rill_force_tension_colour) = {
    .name = "tension_colour",
    .active = colour_active,
    .create = colour_create,
    .destroy = rill_free,
    .expected_step = capillary_expected_step,
    .longest_step = capillary_longest_step,
    .apply = colour_apply,
};

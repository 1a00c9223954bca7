/* What wall particles do to the liquid beside them, as rows for passes to read (fluid/touch.h). After Akinci et al.
 * 2012 a wall particle counts as psi particles of the liquid.
 *
 * Walls that are not free-slip hold the liquid: its velocity is continued through the surface to the wall particle, so
 * that it is the wall's at the surface itself (Morris et al. 1997). With s the distance along the wall's normal, the
 * direction of -G, and e how far the wall particle is behind the surface, v_ib = (v_i - u_b) s/(s - e). Every viscosity
 * is linear in that, so a tensor K and a vector are all it needs:
 *   sum_b c_ib x_ib (x_ib.v_ib) = K v_i - sum_b c_ib x_ib (x_ib.u_b),  K = sum_b c_ib x_ib x_ib^T
 * with c_ib = (1 - slip) s/(s - e) f_ib/(r^2 + 0.01 h^2), or without directions where a viscosity has none. */
#include "fluid/wide/pair_kernels.h"
#include "fluid/wide/touch.h"
#include "physics/attraction.h"
#include "physics/boundary/wide/walls.h"

typedef struct job {
    rill_sph *sph;
    pair_kernels kernels;
    period p;
    bool several; /* wall particles belong to more than one body */
    bool hold, pull;
    const rill_walls_try *trying; /* NULL: places are where the liquid is */
    const rill_body *bodies;
    double share;
} job;

static job job_of(const rill_step_context *step)
{
    rill_sph *sph = step->sph;
    return (job){.sph = sph,
                 .kernels = pair_kernels_of(sph),
                 .p = period_of(&sph->grid),
                 .several = step->body_count > 1,
                 .hold = sph->touches.wanted[TOUCH_HOLD],
                 .pull = sph->touches.wanted[TOUCH_PULL],
                 .bodies = step->bodies};
}

/* ---- who touches whom ---- */

/* Of the bodies beside a group, the first from this one on, and the last. */
typedef struct reach {
    uint32_t first, last;
} reach;

static reach bodies_from(const rill_sph *sph, const rill_group *wall, uint32_t i, uint32_t from)
{
    const uint32_t *body = rill_field_u32(&sph->walls.fields, WALL_BODY), *counts = sph->wall_lists.count + i;
    reach r = {UINT32_MAX, 0};
    for (uint32_t l = 0; l < RILL_WIDTH; l++)
        for (uint32_t k = 0; k < counts[l]; k++) {
            const uint32_t b = body[rill_group_neighbour(wall, RILL_WIDTH, k, l)];
            if (b < from) continue;
            if (b < r.first) r.first = b;
            if (b > r.last) r.last = b;
        }
    return r;
}

static void count_body(void *context, const rill_pass_block *block)
{
    const job *j = context;
    rill_sph *sph = j->sph;
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const rill_group wall = group_at(&sph->wall_lists, i);
        uint32_t count = wall.length > 0;
        if (wall.length && j->several) {
            reach r = bodies_from(sph, &wall, i, 0);
            for (; r.first != r.last; count++) r = bodies_from(sph, &wall, i, r.first + 1);
        }
        sph->touches.count[i / RILL_WIDTH] = count;
    }
}

/* The lanes whose k-th wall particle belongs to this body. */
RILL_INLINE vi lanes_of_body(const rill_sph *sph, const rill_group *wall, uint32_t k, const uint32_t *counts,
                             uint32_t which)
{
    const uint32_t *body = rill_field_u32(&sph->walls.fields, WALL_BODY);
    vi lanes = {0};
    for (uint32_t l = 0; l < RILL_WIDTH; l++)
        if (k < counts[l] && body[rill_group_neighbour(wall, RILL_WIDTH, k, l)] == which) lanes[l] = -1;
    return lanes;
}

/* ---- sums ---- */

/* The wall particles of one body beside a group. */
typedef struct beside {
    const rill_group *wall;
    const uint32_t *counts;
    vi listed; /* how many each lane has */
    uint32_t body;
} beside;

RILL_INLINE vi lanes_there(const job *j, const beside *b, uint32_t k)
{
    return j->several ? lanes_of_body(j->sph, b->wall, k, b->counts, b->body) : (int32_t)k < b->listed;
}

/* Where a wall particle is, or will be, with its psi. */
RILL_INLINE vrec wall_place(const job *j, const beside *b, uint32_t k)
{
    const vrec x = group_gather(b->wall, k, rill_walls_position(j->sph));
    if (!j->trying || !j->sph->walls_move) return x;
    const vrec v = group_gather(b->wall, k, rill_walls_velocity(j->sph));
    const float dt = j->trying->ahead;
    return (vrec){x.x + dt * v.x, x.y + dt * v.y, x.z + dt * v.z, x.w};
}

typedef struct sums {
    pair_shapes shapes;
    vec slope, pull, crowd;
    vf carried, count;
} sums;

RILL_INLINE void sums_add(vec *sum, vf s, vec d)
{
    sum->x += s * d.x;
    sum->y += s * d.y;
    sum->z += s * d.z;
}

/* Adds the k-th wall particles; f stays in their list, but for places that are only tried. */
RILL_INLINE void sums_pair(const job *j, const beside *b, uint32_t k, const vrec *xi, sums *sum, bool cubic,
                           bool periodic)
{
    const rill_sph *sph = j->sph;
    const vi there = lanes_there(j, b, k);
    const vrec xb = wall_place(j, b, k);
    const vec d = pair_difference(xi, &xb, periodic, &j->p);
    const vf q2 = vf_select(there, pair_square(&j->kernels, d), vf_set(1));
    const vf psi = vf_mask(there, xb.w * sph->wall_weight);
    const vf slope = pair_shapes_add(&sum->shapes, q2, psi, cubic);
    const vf f = (j->kernels.f_scale / vf_sqrt(q2)) * slope;
    sums_add(&sum->slope, f, d);
    if (j->trying) {
        pair_shapes W = {0};
        pair_shapes_add(&W, q2, vf_mask(there, vf_set(1)), cubic);
        const vf ratio = pair_shapes_sum(W) * j->trying->crowd, ratio2 = ratio * ratio;
        if (j->trying->crowd > 0) sums_add(&sum->crowd, ratio2 * ratio2 * f, d);
        return;
    }
    float *factors = b->wall->factors + (size_t)k * RILL_WIDTH;
    const vf others = j->several ? vf_mask((int32_t)k < b->listed, vf_load(factors)) : (vf){0};
    vf_store(factors, vf_select(there, f, others));
    sum->count += vf_mask(there, vf_set(1));
    if (j->pull) sums_add(&sum->pull, psi * attraction_of(sph, d), d);
    if (!sph->walls_move) return;
    const vrec u = group_gather(b->wall, k, rill_walls_velocity(sph));
    sum->carried += f * (u.x * d.x + u.y * d.y + u.z * d.z);
}

/* ---- how walls hold on to liquid ---- */

typedef struct held {
    vf xx, yy, zz, yz, xz, xy;
    vec drag; /* sum_b c_ib x_ib (x_ib.u_b) */
} held;

/* c of a pair, with u_b, of which the fourth lane is how far the wall particle is behind the surface. */
RILL_INLINE vf hold_of(const job *j, vec d, const vrec *u, vec normal, float slip, vf f, vf psi)
{
    const rill_sph *sph = j->sph;
    const float least = (float)(0.25 * sph->diameter), h = (float)sph->support;
    /* Next to the surface the continued velocity would know no bounds. */
    const vf s = vf_max(vec_dot(d, normal), u->w + least), grip = (1 - slip) * (s / (s - u->w));
    const vf r2 = vec_dot(d, d), q = vf_sqrt(r2) * (1 / h);
    if (sph->viscosity_kind == RILL_VISCOSITY_MUELLER) return -grip * psi * viscosity_laplacian_vf(q);
    if (sph->viscosity_kind == RILL_VISCOSITY_XSPH)
        return -grip * psi * (sph->kernel == RILL_KERNEL_CUBIC ? cubic_shape_vf(q) : poly6_shape_vf(q));
    return grip * f / (r2 + 0.01f * h * h);
}

RILL_INLINE held hold_sum(const job *j, const beside *b, const vrec *xi, vec G, bool periodic)
{
    const rill_sph *sph = j->sph;
    const vf length = vf_sqrt(vec_dot(G, G)), scale = vf_mask(length > 0, -1 / length);
    const vec normal = {scale * G.x, scale * G.y, scale * G.z};
    const bool plain = sph->viscosity_kind == RILL_VISCOSITY_MUELLER || sph->viscosity_kind == RILL_VISCOSITY_XSPH;
    const float slip = (float)(1 - j->bodies[b->body].grip);
    held h = {0};
    for (uint32_t k = 0; k < b->wall->length; k++) {
        const vi there = lanes_there(j, b, k);
        const vrec xb = wall_place(j, b, k), u = group_gather(b->wall, k, rill_walls_velocity(sph));
        const vec d = pair_difference(xi, &xb, periodic, &j->p);
        const vf f = vf_mask(there, vf_load(b->wall->factors + (size_t)k * RILL_WIDTH));
        const vf c = vf_mask(there, hold_of(j, d, &u, normal, slip, f, xb.w * sph->wall_weight));
        if (plain) {
            h.xx += c;
            sums_add(&h.drag, c, (vec){u.x, u.y, u.z});
            continue;
        }
        h.xx += c * d.x * d.x;
        h.yy += c * d.y * d.y;
        h.zz += c * d.z * d.z;
        h.yz += c * d.y * d.z;
        h.xz += c * d.x * d.z;
        h.xy += c * d.x * d.y;
        sums_add(&h.drag, c * (u.x * d.x + u.y * d.y + u.z * d.z), d);
    }
    if (plain) h.yy = h.zz = h.xx;
    return h;
}

/* ---- rows ---- */

RILL_INLINE void row_store(const job *j, const beside *b, uint32_t row, const vrec *xi, const sums *sum, bool periodic)
{
    rill_sph *sph = j->sph;
    float *to = touch_at(sph, TOUCH_SUMS, row);
    sph->touches.body[row] = b->body;
    vf_store(to, pair_shapes_sum(sum->shapes) * (j->kernels.w_scale * (float)sph->volume));
    touch_store(to, 1, sum->slope);
    vf_store(to + 4 * RILL_WIDTH, sum->carried);
    vf_store(to + 5 * RILL_WIDTH, sum->count);
    if (j->pull) touch_store(touch_at(sph, TOUCH_PULL, row), 0, sum->pull);
    if (!j->hold) return;
    const held h = hold_sum(j, b, xi, sum->slope, periodic);
    float *hold = touch_at(sph, TOUCH_HOLD, row);
    touch_store(hold, 0, (vec){h.xx, h.yy, h.zz});
    touch_store(hold, 3, (vec){h.yz, h.xz, h.xy});
    touch_store(hold, 6, h.drag);
}

/* At places that are tried. */
RILL_INLINE void row_try(const job *j, uint32_t row, const sums *sum)
{
    rill_sph *sph = j->sph;
    float *to = touch_at(sph, TOUCH_SUMS, row);
    vf_store(to, pair_shapes_sum(sum->shapes) * (j->kernels.w_scale * (float)sph->volume));
    if (j->trying->slopes) touch_store(to, 1, sum->slope);
    if (j->trying->crowd > 0) touch_store(touch_at(sph, TOUCH_PUSH, row), 0, sum->crowd);
}

RILL_INLINE void touch_block(const job *j, const rill_pass_block *block, bool cubic, bool periodic)
{
    rill_sph *sph = j->sph;
    const float *places = rill_field_f32(&sph->liquid.fields, j->trying ? j->trying->places : (uint32_t)FIELD_POSITION);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const touch_rows rows = touches_at(sph, i);
        if (rows.first == rows.last) continue;
        const rill_group wall = group_at(&sph->wall_lists, i);
        const vrec xi = vrec_load(places + 4 * (size_t)i);
        beside b = {&wall, sph->wall_lists.count + i, (vi)vu_load(sph->wall_lists.count + i), 0};
        for (uint32_t row = rows.first; row < rows.last; row++, b.body++) {
            if (j->trying) b.body = sph->touches.body[row];
            else if (j->several) b.body = bodies_from(sph, &wall, i, b.body).first;
            sums sum = {0};
            for (uint32_t k = 0; k < wall.length; k++) sums_pair(j, &b, k, &xi, &sum, cubic, periodic);
            if (j->trying) row_try(j, row, &sum);
            else row_store(j, &b, row, &xi, &sum, periodic);
        }
    }
}

RILL_BODY_BY_KERNEL(job, touch)

rill_status RILL_WIDE(rill_walls_touch)(const rill_step_context *step, rill_error *err)
{
    rill_sph *sph = step->sph;
    rill_touches *t = &sph->touches;
    t->wanted[TOUCH_SUMS] = t->wanted[TOUCH_GIVEN] = true;
    t->wanted[TOUCH_HOLD] = sph->grip > 0 && sph->viscosity_kind != RILL_VISCOSITY_NONE;
    job j = job_of(step);
    const rill_mask lists = USES_WALL_LISTS;
    const rill_pass count = {"touch_count", count_body, lists, USES_WALL_BODIES, USES_TOUCH_COUNTS};
    const rill_pass touch = {"touch", touch_body, FIELD_BIT(FIELD_POSITION) | lists, USES_WALLS,
                             USES_WALL_FACTORS | USES_TOUCHES};
    rill_status status = rill_touches_begin(t, sph->liquid.fields.count, RILL_WIDTH, err);
    if (status) return status;
    rill_step_run(step, &count, &j);
    status = rill_touches_lay_out(t, RILL_WIDTH, err);
    if (!status) rill_step_run(step, &touch, &j);
    return status;
}

void RILL_WIDE(rill_walls_look)(const rill_step_context *step, const rill_walls_try *what)
{
    job j = job_of(step);
    j.trying = what;
    const rill_mask push = what->crowd > 0 ? USES_TOUCH_PUSH : 0;
    const rill_pass look = {"touch_look", touch_body, FIELD_BIT(what->places) | USES_WALL_LISTS | USES_TOUCHES,
                            USES_WALLS, USES_TOUCHES | push};
    rill_step_run(step, &look, &j);
}

/* ---- what bodies lose ---- */

/* The momentum and angular momentum that a body gave to particles. */
typedef struct reaction {
    vsum sums[6];
    uint32_t body; /* UINT32_MAX: none yet */
    float centre[3];
} reaction;

static void reaction_end(reaction *r, rill_sum *to)
{
    if (r->body == UINT32_MAX) return;
    for (int k = 0; k < 6; k++) vsum_end(&r->sums[k], &to[6 * (size_t)r->body + k]);
}

static void reaction_turn_to(reaction *r, const job *j, uint32_t body, rill_sum *to)
{
    if (r->body == body) return;
    const rill_vec3 centre = rill_body_centre(&j->bodies[body]);
    reaction_end(r, to);
    r->body = body;
    for (int a = 0; a < 3; a++) r->centre[a] = (float)rill_vec3_get(&centre, a);
    for (int k = 0; k < 6; k++) r->sums[k] = vsum_begin(&to[6 * (size_t)body + k]);
}

/* Forces of wall pairs are central, so their torque on a body is that of forces at the particle. */
RILL_INLINE void react_block(const job *j, const rill_pass_block *block, bool periodic)
{
    (void)periodic;
    const rill_sph *sph = j->sph;
    const float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    reaction r = {.body = UINT32_MAX};
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        for (touch_rows rows = touches_at(sph, i); rows.first < rows.last; rows.first++) {
            const uint32_t body = sph->touches.body[rows.first];
            reaction_turn_to(&r, j, body, block->more);
            const vrec x = vrec_load(position + 4 * (size_t)i);
            const vec arm = {x.x - r.centre[0], x.y - r.centre[1], x.z - r.centre[2]};
            const vf m = vf_mask(lanes_own(&sph->liquid, i, block->end),
                                 (float)(j->share * sph->volume) * by_fluid(sph, sph->rest_density, i));
            const vec v = touch_vec(touch_at(sph, TOUCH_GIVEN, rows.first), 0);
            const vec p = {m * v.x, m * v.y, m * v.z};
            vsum_add(&r.sums[0], p.x);
            vsum_add(&r.sums[1], p.y);
            vsum_add(&r.sums[2], p.z);
            vsum_add(&r.sums[3], arm.y * p.z - arm.z * p.y);
            vsum_add(&r.sums[4], arm.z * p.x - arm.x * p.z);
            vsum_add(&r.sums[5], arm.x * p.y - arm.y * p.x);
        }
    }
    reaction_end(&r, block->more);
}

RILL_BODY(job, react)

void RILL_WIDE(rill_walls_react)(const rill_step_context *step, double share)
{
    job j = job_of(step);
    j.share = share;
    const rill_pass react = {"touch_react", react_body,
                             FIELD_BIT(FIELD_POSITION) | FIELD_BIT(FIELD_FLUID) | FIELD_BIT(FIELD_OWNER) |
                                 USES_TOUCHES | USES_GIVEN,
                             0, RILL_MORE_SUMS};
    rill_step_run(step, &react, &j);
}

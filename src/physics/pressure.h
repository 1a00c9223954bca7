/* What pressure does, as the pressure solvers share it. X, a pressure in units of each solver's own, moves particles by
 *   A_i = -s_i [ sum_j f_ij (X_i + X_j) (x_i - x_j) + X_i G_i ] = -s_i [ X_i S_i + sum_j f_ij X_j (x_i - x_j) ]
 *   s = rho_ref/rho0,  G_i = sum_b f_ib (x_i - x_b) over walls,  S_i = sum_j f_ij (x_i - x_j) + G_i
 * (of a wall pair only the fluid's side carries pressure) and thereby changes the density by
 *   (dD)_i = V0 [ sum_j f_ij (A_i - A_j).(x_i - x_j) + A_i.G_i ] = V0 [ A_i.S_i - sum_j f_ij A_j.(x_i - x_j) ].
 * The diagonal of -dD, what X_i does to i by itself and by way of its neighbours, is
 *   M_i = V0 ( s_i |S_i|^2 + sum_j s_j |f_ij (x_i - x_j)|^2 ).
 *
 * Both sums of an iteration read f, as -weight times a unit with the weight in 16 bits: the same f for i and j, so that
 * momentum is kept, and S and M are made of it too. It is off by 8e-6 of the largest f, and half the bytes.
 *
 * The last sum of dD is the dearest part of every solver, and needs one record a neighbour instead of two:
 *   sum_j f_ij A_j.(x_i - x_j) = x_i.sum_j f_ij A_j - sum_j f_ij (A_j.x_j),
 * with A_j.x_j in the fourth lane of A_j. That is a difference of large numbers, so x counts from the middle of a tile
 * of the grid, which leaves an error of 1e-6 of A over the diameter at most; groups whose neighbours may belong to
 * another tile take both records. */
#ifndef RILL_PHYSICS_PRESSURE_H
#define RILL_PHYSICS_PRESSURE_H

#include "physics/method.h"
#include "physics/pairs.h"

/* The middles of the grid's tiles. */
typedef struct tiles {
    vf middle[3], size[3], inverse[3];
} tiles;

RILL_INLINE tiles tiles_of(const rill_grid *grid)
{
    tiles t;
    for (int a = 0; a < 3; a++) {
        const double cell = 1 / grid->per_cell[a];
        t.middle[a] = vf_set((float)(grid->base[a] + (RILL_TILE / 2 - RILL_TILE_BEGIN) * cell));
        t.size[a] = vf_set((float)(RILL_TILE * cell));
        t.inverse[a] = vf_set((float)(1 / (RILL_TILE * cell)));
    }
    return t;
}

RILL_INLINE vf tile_place_along(const tiles *t, int axis, vf x)
{
    const vf from = x - t->middle[axis];
    return from - t->size[axis] * vf_round(from * t->inverse[axis]);
}

/* Places counted from the middle of their tile. */
RILL_INLINE vec tile_place(const tiles *t, const vrec *x)
{
    return (vec){tile_place_along(t, 0, x->x), tile_place_along(t, 1, x->y), tile_place_along(t, 2, x->z)};
}

/* What stays the same all step long. */
typedef struct pressure_held {
    vec S;
    vf M;
} pressure_held;

/* What one weight stands for. f is largest where particles coincide; where it has no bound there, a tenth of the support
 * apart, and weights end there. */
RILL_INLINE float pressure_unit(const rill_sph *sph)
{
    const rill_kernel kernel = rill_kernel_of_gradient(sph->kernel);
    const double h = sph->support, r = (sph->kernel == RILL_KERNEL_CUBIC ? 1e-6 : 0.1) * h;
    return (float)(-rill_kernel_slope(kernel, r, h) / r / 65535);
}

/* The weights of a group, and the sums over its pairs with them. */
RILL_INLINE pair_moments pressure_weigh(const rill_group *g, const vrec *xi, const float *position, float unit,
                                        bool several, bool periodic, const period *p)
{
    const vf scale = vf_set(-1 / unit), most = vf_set(65535);
    pair_moments m = {0};
    for (uint32_t k = 0; k < g->length; k++) {
        group_prefetch(g, k);
        const vrec xj = group_gather(g, k, position);
        const vec d = pair_difference(xi, &xj, periodic, p);
        uint16_t *weights = g->weights + (size_t)k * RILL_WIDTH;
        const vf weight = vf_round(vf_min(scale * vf_load(g->factors + (size_t)k * RILL_WIDTH), most));
        vf_store16(weights, weight);
        pair_moments_add(&m, -unit * weight, d, several ? xj.w : vf_set(1));
    }
    return m;
}

/* Of the group of particle i at xi. The neighbours' s are in the fourth lane of their position. */
RILL_INLINE pressure_held pressure_hold(const rill_sph *sph, uint32_t i, const vrec *xi, bool periodic, const period *p)
{
    const float unit = pressure_unit(sph);
    const float *position = rill_field_f32(&sph->fields, FIELD_POSITION);
    const rill_group *g = &sph->lists.group[i / RILL_WIDTH], *wall = &sph->wall_lists.group[i / RILL_WIDTH];
    const pair_moments fluid = sph->fluid_count > 1 ? pressure_weigh(g, xi, position, unit, true, periodic, p)
                                                    : pressure_weigh(g, xi, position, unit, false, periodic, p);
    vec S = fluid.sum;
    if (wall->length) {
        const vec G = pairs_slope(wall, xi, sph->walls.position, periodic, p);
        S = (vec){S.x + G.x, S.y + G.y, S.z + G.z};
    }
    const vf s = sph->rest_density[0] / by_fluid(sph, sph->rest_density, i);
    return (pressure_held){S, (float)sph->volume * (s * vec_dot(S, S) + fluid.squares)};
}

/* sum (v_i - v_j).nabla W over fluid and walls */
RILL_INLINE vf pressure_divergence(const rill_sph *sph, uint32_t i, const vrec *xi, const vrec *v, bool periodic,
                                   const period *p)
{
    const float *position = rill_field_f32(&sph->fields, FIELD_POSITION);
    const float *velocity = rill_field_f32(&sph->fields, FIELD_VELOCITY);
    const rill_group *wall = &sph->wall_lists.group[i / RILL_WIDTH];
    vf rate = pairs_divergence(&sph->lists.group[i / RILL_WIDTH], xi, v, position, velocity, periodic, p);
    if (wall->length) rate += pairs_divergence(wall, xi, v, sph->walls.position, sph->walls.velocity, periodic, p);
    return rate;
}

RILL_INLINE void pressure_prefetch(const rill_group *g, uint32_t k)
{
    places_prefetch(g, k);
    simd_prefetch((const char *)(g->weights + (size_t)k * RILL_WIDTH) + PREFETCH_AHEAD / 2);
}

/* sum_j f_ij X_j (x_i - x_j) */
RILL_INLINE vec pressure_sum(const rill_group *g, const vrec *xi, const float *work, float unit, bool periodic,
                             const period *p)
{
    vec sum = {0};
    for (uint32_t k = 0; k < g->length; k++) {
        pressure_prefetch(g, k);
        const vrec xj = group_gather(g, k, work);
        const vec d = pair_difference(xi, &xj, periodic, p);
        const vf s = vf_load16(g->weights + (size_t)k * RILL_WIDTH) * xj.w;
        sum.x += s * d.x;
        sum.y += s * d.y;
        sum.z += s * d.z;
    }
    return (vec){-unit * sum.x, -unit * sum.y, -unit * sum.z};
}

/* A from X, for the particles of a block: `work` holds x, y, z, X and `held` begins with S. */
RILL_INLINE void pressure_push(const rill_sph *sph, const float *work, const float *held, uint32_t begin, uint32_t end,
                               bool periodic)
{
    float *A = rill_field_f32(&sph->fields, FIELD_ACCELERATION);
    const period p = period_of(&sph->grid);
    const tiles t = tiles_of(&sph->grid);
    const float unit = pressure_unit(sph);
    for (uint32_t i = begin; i < end; i += RILL_WIDTH) {
        const vrec xi = vrec_load(work + 4 * (size_t)i), S = vrec_load(held + 4 * (size_t)i);
        const vec sum = pressure_sum(&sph->lists.group[i / RILL_WIDTH], &xi, work, unit, periodic, &p);
        const vf s = -sph->rest_density[0] / by_fluid(sph, sph->rest_density, i);
        const vec a = {s * (sum.x + xi.w * S.x), s * (sum.y + xi.w * S.y), s * (sum.z + xi.w * S.z)};
        vrec_store(A + 4 * (size_t)i, (vrec){a.x, a.y, a.z, vec_dot(a, tile_place(&t, &xi))});
    }
}

/* sum_j w_ij A_j.(x_i - x_j) with weights w, of a group whose neighbours all belong to its tile ... */
RILL_INLINE vf pressure_others_in_tile(const rill_group *g, vec place, const float *A)
{
    vrec sum = {0};
    for (uint32_t k = 0; k < g->length; k++) {
        pressure_prefetch(g, k);
        const vrec Aj = group_gather(g, k, A);
        const vf f = vf_load16(g->weights + (size_t)k * RILL_WIDTH);
        sum.x += f * Aj.x;
        sum.y += f * Aj.y;
        sum.z += f * Aj.z;
        sum.w += f * Aj.w;
    }
    return vec_dot(place, (vec){sum.x, sum.y, sum.z}) - sum.w;
}

/* ... and of any other. */
RILL_INLINE vf pressure_others(const rill_group *g, const vrec *xi, const float *position, const float *A,
                               bool periodic, const period *p)
{
    vf sum = {0};
    for (uint32_t k = 0; k < g->length; k++) {
        pressure_prefetch(g, k);
        const vrec xj = group_gather(g, k, position), Aj = group_gather(g, k, A);
        const vec d = pair_difference(xi, &xj, periodic, p);
        sum += vf_load16(g->weights + (size_t)k * RILL_WIDTH) * vec_dot((vec){Aj.x, Aj.y, Aj.z}, d);
    }
    return sum;
}

/* dD of the group of particle i, S at hand. */
RILL_INLINE vf pressure_change(const rill_sph *sph, uint32_t i, const vrec *S, float unit, bool periodic,
                               const period *p, const tiles *t)
{
    const float *position = rill_field_f32(&sph->fields, FIELD_POSITION);
    const float *A = rill_field_f32(&sph->fields, FIELD_ACCELERATION);
    const rill_group *g = &sph->lists.group[i / RILL_WIDTH];
    const vrec xi = vrec_load(position + 4 * (size_t)i), Ai = vrec_load(A + 4 * (size_t)i);
    const vf others = g->in_tile ? pressure_others_in_tile(g, tile_place(t, &xi), A)
                                 : pressure_others(g, &xi, position, A, periodic, p);
    return (float)sph->volume * (vec_dot((vec){Ai.x, Ai.y, Ai.z}, (vec){S->x, S->y, S->z}) + unit * others);
}

/* v += A / dt */
RILL_INLINE void pressure_apply(const rill_sph *sph, float dt, uint32_t begin, uint32_t end)
{
    const float *A = rill_field_f32(&sph->fields, FIELD_ACCELERATION);
    float *v = rill_field_f32(&sph->fields, FIELD_VELOCITY);
    const float scale = 1 / dt;
    for (size_t i = begin; i < end; i++)
        for (size_t l = 0; l < 3; l++) v[4 * i + l] += scale * A[4 * i + l];
}

/* ---- what is left ---- */

/* Sums over a block, in eight lanes with vectors of eight and more, so that those give the same bits. */
#if RILL_WIDTH == 16
typedef float vsum __attribute__((vector_size(32)));
RILL_INLINE vsum vsum_add(vsum sum, vf v)
{
    return sum + __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7) +
           __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);
}
#else
typedef vf vsum;
RILL_INLINE vsum vsum_add(vsum sum, vf v)
{
    return sum + v;
}
#endif

RILL_INLINE double vsum_total(vsum sum)
{
    double total = 0;
    for (uint32_t l = 0; l < sizeof sum / sizeof sum[0]; l++) total += sum[l];
    return total;
}

/* The compression of the particles of a block. */
typedef struct pressure_over {
    vsum sum;
    vf largest;
} pressure_over;

/* All bits set where the group of particle i has a particle. */
RILL_INLINE vi pressure_exist(uint32_t i, uint32_t end)
{
    return vi_lanes() < (int32_t)(end - i);
}

RILL_INLINE void pressure_over_add(pressure_over *over, vf r, vi counts)
{
    const vf compressed = vf_max(vf_mask(counts, r), (vf){0});
    over->sum = vsum_add(over->sum, compressed);
    over->largest = vf_max(compressed, over->largest);
}

RILL_INLINE void pressure_over_store(const pressure_over *over, double *sum, double *largest)
{
    *sum = vsum_total(over->sum);
    *largest = 0;
    for (uint32_t l = 0; l < RILL_WIDTH; l++) *largest = over->largest[l] > *largest ? over->largest[l] : *largest;
}

/* Stores X where `work` holds it, behind the places. */
RILL_INLINE void pressure_store(const rill_sph *sph, float *work, uint32_t i, vf X)
{
    const vrec x = vrec_load(rill_field_f32(&sph->fields, FIELD_POSITION) + 4 * (size_t)i);
    vrec_store(work + 4 * (size_t)i, (vrec){x.x, x.y, x.z, X});
}

/* ---- passes ---- */

RILL_INLINE void pressure_sweep(rill_sph *sph, void *job, const char *name, rill_pass_body *body, uint64_t reads,
                                uint64_t writes)
{
    const rill_pass pass = {name, body, reads, writes};
    rill_pass_run(&sph->runner, &sph->fields, &pass, job, rill_sph_blocks(sph));
}

/* ---- for frames and probes ---- */

/* Where only the fluid's side of a wall pair carries pressure, the layer next to a wall lies closer to it and has the
 * pressure that holds it there, not that of the liquid, and the next layer has less in turn. For frames, probes and the
 * clock the second is evened out with the liquid behind it, which counts for more, and the first continued from the
 * second, both by the weight of still liquid; pressure below zero counts as none there. The fourth lane of `work` hands
 * pressures to the neighbours: p, or -2 - p from the second layer while it is not even, or -1 from the first. */
/* Chosen, not derived: with it the floors of three still tanks, 24 to 64 layers deep, read 2 to 3 % low. */
#define BESIDE_COUNTS 0.4f

typedef struct pressure_beside {
    rill_sph *sph;
    uint32_t work; /* row of a record to use */
    bool first;    /* the layer at hand */
} pressure_beside;

RILL_INLINE void pressure_mark_block(const pressure_beside *j, uint32_t begin, uint32_t end, bool periodic)
{
    const rill_sph *sph = j->sph;
    const float *position = rill_field_f32(&sph->fields, FIELD_POSITION);
    const float *pressure = rill_field_f32(&sph->fields, FIELD_PRESSURE);
    const float walled = (float)(0.02 * pairs_lattice_squares(sph));
    const period p = period_of(&sph->grid);
    for (uint32_t i = begin; i < end; i += RILL_WIDTH) {
        const rill_group *wall = &sph->wall_lists.group[i / RILL_WIDTH];
        const vrec xi = vrec_load(position + 4 * (size_t)i);
        vf handed = vf_max(vf_load(pressure + i), (vf){0});
        if (wall->length) {
            const vec G = pairs_slope(wall, &xi, sph->walls.position, periodic, &p);
            const vi beside = (vi)vu_load(sph->wall_lists.count + i) > 0;
            handed = vf_select(vec_dot(G, G) > walled, vf_set(-1), vf_select(beside, -2 - handed, handed));
        }
        pressure_store(sph, rill_field_f32(&sph->fields, j->work), i, handed);
    }
}

RILL_INLINE void pressure_even_block(const pressure_beside *j, uint32_t begin, uint32_t end, bool periodic)
{
    const rill_sph *sph = j->sph;
    const float *work = rill_field_f32(&sph->fields, j->work), *gravity = sph->gravity;
    const float *density = rill_field_f32(&sph->fields, FIELD_DENSITY);
    float *pressure = rill_field_f32(&sph->fields, FIELD_PRESSURE);
    const period p = period_of(&sph->grid);
    for (uint32_t i = begin; i < end; i += RILL_WIDTH) {
        if (!sph->wall_lists.group[i / RILL_WIDTH].length) continue;
        const rill_group *g = &sph->lists.group[i / RILL_WIDTH];
        const vrec xi = vrec_load(work + 4 * (size_t)i);
        const vf rho = vf_load(density + i);
        vf sum = {0}, weight = {0};
        for (uint32_t k = 0; k < g->length; k++) {
            const vrec xj = group_gather(g, k, work);
            const vec d = pair_difference(&xi, &xj, periodic, &p);
            const vf share = vf_select(xj.w >= 0, vf_set(1), vf_mask(xj.w <= -2, vf_set(BESIDE_COUNTS)));
            const vf w = -share * vf_load(g->factors + (size_t)k * RILL_WIDTH);
            const vf there = vf_select(xj.w >= 0, xj.w, -2 - xj.w);
            sum += w * vf_max(there + rho * (gravity[0] * d.x + gravity[1] * d.y + gravity[2] * d.z), (vf){0});
            weight += w;
        }
        const vi layer = j->first ? xi.w == -1 : xi.w <= -2;
        const vi known = layer & (weight > 0);
        vf_store(pressure + i, vf_select(known, sum / vf_select(known, weight, vf_set(1)), vf_load(pressure + i)));
    }
}

/* Hands on what the second layer has become. */
static void pressure_hand_body(void *context, uint32_t begin, uint32_t end, unsigned worker)
{
    (void)worker;
    const pressure_beside *j = context;
    const float *pressure = rill_field_f32(&j->sph->fields, FIELD_PRESSURE);
    float *work = rill_field_f32(&j->sph->fields, j->work);
    for (uint32_t i = begin; i < end; i += RILL_WIDTH) {
        if (!j->sph->wall_lists.group[i / RILL_WIDTH].length) continue;
        const vf handed = vrec_load(work + 4 * (size_t)i).w;
        pressure_store(j->sph, work, i, vf_select(handed <= -2, vf_max(vf_load(pressure + i), (vf){0}), handed));
    }
}

#define BODY(name)                                                                                                     \
    static void pressure_##name##_body(void *context, uint32_t begin, uint32_t end, unsigned worker)                   \
    {                                                                                                                  \
        (void)worker;                                                                                                  \
        const pressure_beside *j = context;                                                                            \
        if (j->sph->grid.periodic) pressure_##name##_block(j, begin, end, true);                                       \
        else pressure_##name##_block(j, begin, end, false);                                                            \
    }
BODY(mark)
BODY(even)
#undef BODY

static void pressure_even_beside_walls(rill_sph *sph, uint32_t work)
{
    pressure_beside j = {.sph = sph, .work = work};
    const uint64_t p = FIELD_BIT(FIELD_PRESSURE), w = FIELD_BIT(work);
    pressure_sweep(sph, &j, "publish", pressure_mark_body, p | FIELD_BIT(FIELD_POSITION), w);
    pressure_sweep(sph, &j, "publish", pressure_even_body, p | w | FIELD_BIT(FIELD_DENSITY), p);
    pressure_sweep(sph, &j, "publish", pressure_hand_body, p | w | FIELD_BIT(FIELD_POSITION), w);
    j.first = true;
    pressure_sweep(sph, &j, "publish", pressure_even_body, p | w | FIELD_BIT(FIELD_DENSITY), p);
}

#endif

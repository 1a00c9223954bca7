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
 * another tile take both records. Which of both holds follows from the cell of a particle alone. */
#ifndef RILL_PHYSICS_PRESSURE_H
#define RILL_PHYSICS_PRESSURE_H

#include "physics/columns.h"
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

/* Rows of the field table that pressure solvers have. */
typedef struct pressure_rows {
    uint32_t place;   /* x, y, z again, so that a sweep gathers them with ... */
    uint32_t unknown; /* ... X, in the fourth lane of the place */
    uint32_t held;    /* S, and with it ... */
    uint32_t inverse; /* ... 1/M, in each solver's own scale */
    uint32_t push;    /* in place of the acceleration: A, and with it ... */
    uint32_t along;   /* ... A.x from the middle of the tile */
    uint32_t ratio;   /* in the fourth lane of the position: s, where there are several fluids */
} pressure_rows;

static pressure_rows pressure_rows_add(rill_sph *sph)
{
    rill_fields *fields = &sph->liquid.fields;
    pressure_rows r;
    r.place = rill_fields_add_real(fields, "pressure_place", "m", 4, 3, RILL_SCRATCH);
    r.held = rill_fields_add_real(fields, "pressure_held", "", 4, 3, RILL_SCRATCH);
    r.inverse = rill_fields_add_name(fields, r.held, 3, "pressure_inverse", "", 1);
    r.unknown = rill_fields_add_name(fields, r.place, 3, "pressure_unknown", "", 1);
    r.push = rill_fields_add_name(fields, FIELD_ACCELERATION, 0, "pressure_push", "m", 3);
    r.along = rill_fields_add_name(fields, FIELD_ACCELERATION, 3, "pressure_along", "m2", 1);
    r.ratio = rill_sph_add_handed(sph, "pressure_ratio", "");
    return r;
}

/* What the passes below use. */
RILL_INLINE rill_mask pressure_fluid_bit(const rill_sph *sph)
{
    return sph->fluid_count > 1 ? FIELD_BIT(FIELD_FLUID) : 0;
}

RILL_INLINE rill_mask pressure_ratio_bit(const rill_sph *sph, const pressure_rows *r)
{
    return sph->fluid_count > 1 ? FIELD_BIT(r->ratio) : 0;
}

/* What stays the same all step long. */
typedef struct pressure_held {
    vec S;
    vf M;
} pressure_held;

/* What one weight stands for. f is largest where particles coincide; where it has no bound there, a tenth of the
 * support apart, and weights end there. */
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
    const float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    const rill_group g = group_at(&sph->lists, i);
    const pair_moments fluid = sph->fluid_count > 1 ? pressure_weigh(&g, xi, position, unit, true, periodic, p)
                                                    : pressure_weigh(&g, xi, position, unit, false, periodic, p);
    const vec G = touches_slope(sph, i), S = {fluid.sum.x + G.x, fluid.sum.y + G.y, fluid.sum.z + G.z};
    const vf s = sph->rest_density[0] / by_fluid(sph, sph->rest_density, i);
    return (pressure_held){S, (float)sph->volume * (s * vec_dot(S, S) + fluid.squares)};
}

/* sum (v_i - v_j).nabla W over fluid and walls */
RILL_INLINE vf pressure_divergence(const rill_sph *sph, uint32_t i, const vrec *xi, const vrec *v, bool periodic,
                                   const period *p)
{
    const float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    const float *velocity = rill_field_f32(&sph->liquid.fields, FIELD_VELOCITY);
    const rill_group g = group_at(&sph->lists, i);
    return pairs_divergence(&g, xi, v, position, velocity, periodic, p) + touches_divergence(sph, i, v);
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

/* A from X, for the particles of a block. */
RILL_INLINE void pressure_push(const rill_sph *sph, const pressure_rows *rows, const rill_pass_block *block,
                               bool periodic)
{
    const float *work = rill_field_f32(&sph->liquid.fields, rows->place),
                *held = rill_field_f32(&sph->liquid.fields, rows->held);
    float *A = rill_field_f32(&sph->liquid.fields, FIELD_ACCELERATION);
    const period p = period_of(&sph->grid);
    const tiles t = tiles_of(&sph->grid);
    const float unit = pressure_unit(sph);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const vrec xi = vrec_load(work + 4 * (size_t)i), S = vrec_load(held + 4 * (size_t)i);
        const rill_group g = group_at(&sph->lists, i);
        const vec sum = pressure_sum(&g, &xi, work, unit, periodic, &p);
        const vf s = -sph->rest_density[0] / by_fluid(sph, sph->rest_density, i);
        const vec a = {s * (sum.x + xi.w * S.x), s * (sum.y + xi.w * S.y), s * (sum.z + xi.w * S.z)};
        vrec_store(A + 4 * (size_t)i, (vrec){a.x, a.y, a.z, vec_dot(a, tile_place(&t, &xi))});
    }
}

/* sum_j w_ij A_j.(x_i - x_j) with weights w, for particles whose neighbours all belong to their tile ... */
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

/* dD of the group of particle i at xi, with its S. The caller has both in records that it reads anyway: an iteration of
 * a million particles is bound by the bytes it reads. */
RILL_INLINE vf pressure_change(const rill_sph *sph, uint32_t i, const vrec *xi, const vrec *S, float unit,
                               bool periodic, const period *p, const tiles *t)
{
    const float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    const float *A = rill_field_f32(&sph->liquid.fields, FIELD_ACCELERATION);
    const rill_group g = group_at(&sph->lists, i);
    const vrec Ai = vrec_load(A + 4 * (size_t)i);
    /* At the border of a tile a group may need both. */
    vf others = {0};
    if (__builtin_expect(g.in_tile != 0, 1)) others = pressure_others_in_tile(&g, tile_place(t, xi), A);
    if (__builtin_expect(g.in_tile != simd_first(RILL_WIDTH), 0))
        others = vf_select(simd_mask(g.in_tile), others, pressure_others(&g, xi, position, A, periodic, p));
    return (float)sph->volume * (vec_dot((vec){Ai.x, Ai.y, Ai.z}, (vec){S->x, S->y, S->z}) + unit * others);
}

/* X of the group of particle i, as it was when A was found. */
typedef vf pressure_tested(const void *context, uint32_t i);

/* v += A / dt, of which walls have given -s X G / dt. */
RILL_INLINE void pressure_apply(const rill_sph *sph, float dt, const rill_pass_block *block, pressure_tested *tested,
                                const void *context)
{
    const float *A = rill_field_f32(&sph->liquid.fields, FIELD_ACCELERATION);
    float *v = rill_field_f32(&sph->liquid.fields, FIELD_VELOCITY);
    const float scale = 1 / dt;
    for (size_t i = block->begin; i < block->end; i++)
        for (size_t l = 0; l < 3; l++) v[4 * i + l] += scale * A[4 * i + l];
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH)
        for (touch_rows r = touches_at(sph, i); r.first < r.last; r.first++) {
            const vec G = touch_slope(sph, r.first);
            const vf s = -scale * sph->rest_density[0] / by_fluid(sph, sph->rest_density, i) * tested(context, i);
            touch_give(sph, r.first, (vec){s * G.x, s * G.y, s * G.z});
        }
}

/* What it reads and writes beside A and v. */
#define PRESSURE_APPLY_READS (USES_TOUCHES | USES_GIVEN)
#define PRESSURE_APPLY_WRITES USES_GIVEN

static void pressure_share_body(void *context, const rill_pass_block *block)
{
    pairs_share_ratios(context, block->begin, block->end);
}

/* Hands s to the neighbours, where there are several fluids. */
RILL_INLINE void pressure_share(const rill_step_context *step, const pressure_rows *r)
{
    const rill_pass share = {"share_ratios", pressure_share_body, FIELD_BIT(FIELD_FLUID), 0, FIELD_BIT(r->ratio)};
    if (step->sph->fluid_count > 1) rill_step_run(step, &share, step->sph);
}

/* What pressure_push reads, writes and gathers, and what pressure_hold, pressure_divergence and pressure_change do. */
RILL_INLINE rill_mask pressure_push_reads(const rill_sph *sph, const pressure_rows *r)
{
    return FIELD_BIT(r->place) | FIELD_BIT(r->unknown) | FIELD_BIT(r->held) | pressure_fluid_bit(sph) | USES_LISTS |
           USES_WEIGHTS;
}

RILL_INLINE rill_mask pressure_push_writes(const pressure_rows *r)
{
    return FIELD_BIT(r->push) | FIELD_BIT(r->along);
}

RILL_INLINE rill_mask pressure_push_gathers(const pressure_rows *r)
{
    return FIELD_BIT(r->place) | FIELD_BIT(r->unknown);
}

RILL_INLINE rill_mask pressure_change_reads(const pressure_rows *r)
{
    return FIELD_BIT(r->place) | FIELD_BIT(r->push) | FIELD_BIT(r->held) | USES_LISTS | USES_WEIGHTS;
}

RILL_INLINE rill_mask pressure_change_gathers(const pressure_rows *r)
{
    return FIELD_BIT(FIELD_POSITION) | FIELD_BIT(r->push) | FIELD_BIT(r->along);
}

/* ---- what is left ---- */

/* The compression of the particles of a block: its sum, and its largest. */
typedef struct pressure_over {
    vsum sum;
    vf largest;
} pressure_over;

RILL_INLINE pressure_over pressure_over_begin(const rill_pass_block *block, int which)
{
    return (pressure_over){.sum = vsum_begin(&block->tally->sums[which])};
}

RILL_INLINE void pressure_over_add(pressure_over *over, vf r, vi counts)
{
    const vf compressed = vf_max(vf_mask(counts, r), (vf){0});
    vsum_add(&over->sum, compressed);
    over->largest = vf_max(compressed, over->largest);
}

RILL_INLINE void pressure_over_end(const pressure_over *over, const rill_pass_block *block, int which)
{
    vsum_end(&over->sum, &block->tally->sums[which]);
    tally_largest(block->tally, 0, over->largest);
}

/* ---- what the report is told ---- */

/* Columns that every pressure solver begins with. */
enum { ITERATIONS, ERROR_BEFORE, ERROR, ERROR_MAX, PRESSURE_COLUMNS };
#define PRESSURE_COLUMN_ROWS                                                                                           \
    [ITERATIONS] = RILL_COLUMN_ITERATIONS_DENSITY, [ERROR_BEFORE] = RILL_COLUMN_DENSITY_ERROR_BEFORE,                  \
    [ERROR] = RILL_COLUMN_DENSITY_ERROR, [ERROR_MAX] = RILL_COLUMN_DENSITY_ERROR_MAX

/* Tells what compression the last pass found, as its first sum and largest; true where that is little enough. */
RILL_INLINE bool pressure_judge(const rill_step_context *step, double tolerance, rill_solve_result *result)
{
    result->values[ERROR] = 100 * rill_step_mean(step, 0);
    result->values[ERROR_MAX] = 100 * rill_step_largest(step, 0);
    return result->values[ERROR] <= 100 * tolerance;
}

/* Stores X where `work` holds it, behind the places. */
RILL_INLINE void pressure_store(float *work, uint32_t i, const vrec *x, vf X)
{
    vrec_store(work + 4 * (size_t)i, (vrec){x->x, x->y, x->z, X});
}

#endif

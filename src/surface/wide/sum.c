/* Sums over particles at the nodes of a block, in vectors along x. Particles
 * come one after the other, so every node adds them up in the same order.
 *
 *   Zhu and Bridson 2005   w_j = (1 - s^2)^3, s = |x - x_j| / R
 *                          phi = r - |x - sum w_j x_j / sum w_j|, r = sum w_j r_j / sum w_j
 *   union of spheres       phi = max(r - a, min(b (sum w_j / w - level), g - a)), a = min_j |x - x_j|, w = sum w_j
 *                          amidst liquid: a gap of up to g deep inside is no hole
 *   density                phi = V0 sum W(|x - x_j|) - level, W the cubic spline
 *   Yu and Turk 2013       phi = sum V_j det(G_j) P(|G_j (x - x_j)|) - level, P the poly6 kernel
 *
 * The mean of two drops' particles lies between the drops, where no liquid is. So
 * Zhu and Bridson's phi is bounded by c - min_j |x - x_j|: where weights are few,
 * as in spray, c is the radius and drops are spheres; where they are many, as at
 * the surface of a liquid, c lets the mean have its way, and in the liquid c has
 * no bound, so that gaps between particles are no bubbles. The r_j are in excess.c;
 * a particle alone has a radius for which its mesh holds its volume (field.c). */
#include <math.h>

#include "base/simd.h"
#include "fluid/wide/kernels.h"
#include "surface/field.h"

#if RILL_WIDTH > 8
#error "a row of nodes has eight lanes"
#endif

enum { PARTS = 8 / RILL_WIDTH };

extern const rill_field_ops RILL_WIDE(rill_field_ops);
extern rill_field_cover RILL_WIDE(rill_nodes_covered);
extern rill_moments_sum RILL_WIDE(rill_moments_near);
extern rill_move_mean RILL_WIDE(rill_move_mean_near);

/* The rows of nodes that a particle may reach: y from low to high, at layer z. */
typedef struct span {
    int low, high;
} span;

static inline span span_of(float at, float reach)
{
    const float low = at - reach, high = at + reach;
    return (span){low <= 0 ? 0 : low > 7 ? 8 : (int)ceilf(low), high >= 7 ? 7 : high < 0 ? -1 : (int)high};
}

RILL_INLINE void along_x(float at, vf difference[PARTS])
{
    static const float nodes[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int p = 0; p < PARTS; p++) difference[p] = at - vf_load(nodes + p * RILL_WIDTH);
}

/* The sum of one particle's part over the rows that it reaches. */
typedef struct sums {
    float weight[RILL_BLOCK_NODES], x[RILL_BLOCK_NODES], y[RILL_BLOCK_NODES], z[RILL_BLOCK_NODES];
    float nearest[RILL_BLOCK_NODES]; /* 1 - s^2 of the nearest particle */
    float excess[RILL_BLOCK_NODES];
} sums;

RILL_INLINE void add(float *to, vf value)
{
    vf_store(to, vf_load(to) + value);
}

RILL_INLINE void mean_row(sums *s, int row, const vf dx[PARTS], const vf fall[PARTS], float dy, float dz, float rest,
                          float excess)
{
    for (int p = 0; p < PARTS; p++) {
        const int n = row + p * RILL_WIDTH;
        const vf t = vf_max(rest - fall[p], (vf){0}), w = t * t * t;
        add(s->weight + n, w);
        add(s->x + n, w * dx[p]);
        add(s->y + n, w * dy);
        add(s->z + n, w * dz);
        add(s->excess + n, w * excess);
        vf_store(s->nearest + n, vf_max(vf_load(s->nearest + n), t));
    }
}

/* How much a particle is alone, from the sum of weights: 1 where there is no other, 0 from two close ones on. */
RILL_INLINE vf alone_of(vf w)
{
    return vf_min(vf_max(2 - w, (vf){0}), vf_set(1));
}

/* From 0 where weights are few, as around a particle alone, to 1 where they are many. */
RILL_INLINE vf share_of(const rill_field_setting *set, vf w)
{
    const vf t = vf_min(vf_max((w - set->few) * (1 / (set->many - set->few)), (vf){0}), vf_set(1));
    return t * t * (3 - 2 * t);
}

static void mean_finish(const sums *s, const rill_field_setting *set, float *value)
{
    for (int n = 0; n < RILL_BLOCK_NODES; n += RILL_WIDTH) {
        const vf w = vf_load(s->weight + n), none = vf_mask(w <= 0, vf_set(1));
        const vf one = 1 / (w + none);
        const vf x = vf_load(s->x + n) * one, y = vf_load(s->y + n) * one, z = vf_load(s->z + n) * one;
        const vf mean = set->radius + vf_load(s->excess + n) * one - vf_sqrt(x * x + y * y + z * z);
        const vf share = share_of(set, w);
        const vf distance = set->reach * vf_sqrt(vf_max(1 - vf_load(s->nearest + n), (vf){0}));
        const vf plenty = vf_max(w - set->plenty, (vf){0});
        const vf bound = set->radius + set->spread * (share + plenty) - distance;
        const vf alone = set->alone * alone_of(w);
        vf_store(value + n, alone + vf_select(w > 0, vf_min(mean, bound), bound));
    }
}

static void sum_mean(const rill_gathered *near, const rill_field_setting *set, float *value)
{
    sums s;
    memset(&s, 0, sizeof s);
    const float square = set->reach * set->reach, per_square = 1 / square;
    for (uint32_t i = 0; i < near->count; i++) {
        const float *at = near->position + 4 * (size_t)i;
        vf dx[PARTS], fall[PARTS];
        along_x(at[0], dx);
        for (int p = 0; p < PARTS; p++) fall[p] = dx[p] * dx[p] * per_square;
        const span zs = span_of(at[2], set->reach);
        for (int z = zs.low; z <= zs.high; z++) {
            const float dz = at[2] - (float)z, left = square - dz * dz;
            const span ys = span_of(at[1], sqrtf(left > 0 ? left : 0));
            for (int y = ys.low; y <= ys.high; y++) {
                const float dy = at[1] - (float)y;
                mean_row(&s, 64 * z + 8 * y, dx, fall, dy, dz, 1 - (dy * dy + dz * dz) * per_square, at[3]);
            }
        }
    }
    mean_finish(&s, set, value);
}

static void spheres_finish(const sums *s, const rill_field_setting *set, float *value)
{
    for (int n = 0; n < RILL_BLOCK_NODES; n += RILL_WIDTH) {
        const vf distance = set->reach * vf_sqrt(vf_max(1 - vf_load(s->nearest + n), (vf){0}));
        const vf w = vf_load(s->weight + n), depth = set->spread * (w * set->weight - set->level);
        const vf radius = set->radius + set->alone * alone_of(w);
        vf_store(value + n, vf_max(radius - distance, vf_min(depth, set->gap - distance)));
    }
}

static void sum_spheres(const rill_gathered *near, const rill_field_setting *set, float *value)
{
    sums s;
    memset(s.weight, 0, sizeof s.weight);
    memset(s.nearest, 0, sizeof s.nearest);
    const float square = set->reach * set->reach, per_square = 1 / square;
    for (uint32_t i = 0; i < near->count; i++) {
        const float *at = near->position + 4 * (size_t)i;
        vf dx[PARTS];
        along_x(at[0], dx);
        const span zs = span_of(at[2], set->reach);
        for (int z = zs.low; z <= zs.high; z++) {
            const float dz = at[2] - (float)z, left = square - dz * dz;
            const span ys = span_of(at[1], sqrtf(left > 0 ? left : 0));
            for (int y = ys.low; y <= ys.high; y++) {
                const float dy = at[1] - (float)y, rest = 1 - (dy * dy + dz * dz) * per_square;
                for (int p = 0; p < PARTS; p++) {
                    const int n = 64 * z + 8 * y + p * RILL_WIDTH;
                    const vf t = vf_max(rest - dx[p] * dx[p] * per_square, (vf){0});
                    add(s.weight + n, t * t * t);
                    vf_store(s.nearest + n, vf_max(vf_load(s.nearest + n), t));
                }
            }
        }
    }
    spheres_finish(&s, set, value);
}

static void sum_density(const rill_gathered *near, const rill_field_setting *set, float *value)
{
    const float square = set->reach * set->reach, per_reach = 1 / set->reach;
    for (int n = 0; n < RILL_BLOCK_NODES; n++) value[n] = -set->level;
    for (uint32_t i = 0; i < near->count; i++) {
        const float *at = near->position + 4 * (size_t)i;
        vf dx[PARTS];
        along_x(at[0], dx);
        const span zs = span_of(at[2], set->reach);
        for (int z = zs.low; z <= zs.high; z++) {
            const float dz = at[2] - (float)z, left = square - dz * dz;
            const span ys = span_of(at[1], sqrtf(left > 0 ? left : 0));
            for (int y = ys.low; y <= ys.high; y++) {
                const float dy = at[1] - (float)y, rest = dy * dy + dz * dz;
                for (int p = 0; p < PARTS; p++) {
                    const vf q = per_reach * vf_sqrt(dx[p] * dx[p] + rest);
                    add(value + 64 * z + 8 * y + p * RILL_WIDTH, set->weight * cubic_shape_vf(q));
                }
            }
        }
    }
}

static void sum_anisotropic(const rill_gathered *near, const rill_field_setting *set, float *value)
{
    const float square = set->reach * set->reach;
    for (int n = 0; n < RILL_BLOCK_NODES; n++) value[n] = -set->level;
    for (uint32_t i = 0; i < near->count; i++) {
        const float *at = near->position + 4 * (size_t)i, *m = near->shape + RILL_SHAPE * (size_t)i;
        vf dx[PARTS];
        along_x(at[0], dx);
        const span zs = span_of(at[2], set->reach);
        for (int z = zs.low; z <= zs.high; z++) {
            const float dz = at[2] - (float)z, left = square - dz * dz;
            const span ys = span_of(at[1], sqrtf(left > 0 ? left : 0));
            for (int y = ys.low; y <= ys.high; y++) {
                const float dy = at[1] - (float)y;
                const float across = m[1] * dy * dy + m[2] * dz * dz + m[5] * dy * dz, slant = m[3] * dy + m[4] * dz;
                for (int p = 0; p < PARTS; p++) {
                    const vf t = vf_max(1 - across - dx[p] * (slant + m[0] * dx[p]), (vf){0});
                    add(value + 64 * z + 8 * y + p * RILL_WIDTH, m[6] * (t * t * t));
                }
            }
        }
    }
}

const rill_field_ops RILL_WIDE(rill_field_ops) = {
    .sum =
        {
            [RILL_SURFACE_ZHU_BRIDSON] = sum_mean,
            [RILL_SURFACE_SPHERES] = sum_spheres,
            [RILL_SURFACE_DENSITY] = sum_density,
            [RILL_SURFACE_ANISOTROPIC] = sum_anisotropic,
        },
    .cover = RILL_WIDE(rill_nodes_covered),
    .moments = RILL_WIDE(rill_moments_near),
    .move_mean = RILL_WIDE(rill_move_mean_near),
};

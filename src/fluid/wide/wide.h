/* The pair loop, in vectors: what every pass over neighbours has in common. */
#ifndef RILL_FLUID_WIDE_H
#define RILL_FLUID_WIDE_H

#include "base/simd.h"
#include "fluid/sph.h"
#include "fluid/wide/kernels.h"
#include "fluid/wide/wide_sum.h"

/* Which variant this file is compiled for. */
#define RILL_IS_base RILL_VARIANT_BASE
#define RILL_IS_avx2 RILL_VARIANT_AVX2
#define RILL_IS_avx512 RILL_VARIANT_AVX512
#define RILL_IS_avx512x16 RILL_VARIANT_AVX512X16

/* Exported once per variant. */
extern const rill_cell_ops RILL_WIDE(rill_cell_ops);
rill_list_build RILL_WIDE(rill_list_build_block);
rill_block_measure RILL_WIDE(rill_measure_block);
extern const rill_fluid_ops RILL_WIDE(rill_fluid_ops);

/* The bodies of passes over name_block, which is compiled apart for periodic domains, and for the kernel most in use.
 * The context is a struct with a member `sph`. */
#define RILL_BODY(type, name)                                                                                          \
    static void name##_body(void *context, const rill_pass_block *block)                                               \
    {                                                                                                                  \
        const type *j = context;                                                                                       \
        if (j->sph->grid.periodic) name##_block(j, block, true);                                                       \
        else name##_block(j, block, false);                                                                            \
    }
#define RILL_BODY_BY_KERNEL(type, name)                                                                                \
    static void name##_body(void *context, const rill_pass_block *block)                                               \
    {                                                                                                                  \
        const type *j = context;                                                                                       \
        const bool cubic = j->sph->kernel == RILL_KERNEL_CUBIC, periodic = j->sph->grid.periodic;                      \
        if (cubic && !periodic) name##_block(j, block, true, false);                                                   \
        else if (cubic) name##_block(j, block, true, true);                                                            \
        else name##_block(j, block, false, periodic);                                                                  \
    }

/* The neighbours of the group of particle i. */
RILL_INLINE rill_group group_at(const rill_lists *lists, uint32_t i)
{
    return rill_lists_group(lists, i / RILL_WIDTH);
}

/* One value per particle from a table by fluid. */
RILL_INLINE vf by_fluid(const rill_sph *sph, const float *table, uint32_t i)
{
    if (sph->fluid_count == 1) return vf_set(table[0]);
    const uint32_t *fluid = rill_field_u32(&sph->liquid.fields, FIELD_FLUID);
    vf values = vf_set(table[0]);
    for (uint32_t l = 0; l < RILL_WIDTH && i + l < sph->liquid.fields.count; l++) values[l] = table[fluid[i + l]];
    return values;
}

/* Lists and factors stream from memory; ask for them this many bytes ahead. */
enum { PREFETCH_AHEAD = 3072 };

typedef struct vec {
    vf x, y, z;
} vec;

/* Lengths of the periodic axes; zero where there is none. */
typedef struct period {
    vf length[3], inverse[3];
} period;

RILL_INLINE period period_of(const rill_grid *grid)
{
    period p;
    for (int a = 0; a < 3; a++) {
        p.length[a] = vf_set(grid->period[a]);
        p.inverse[a] = vf_set(grid->period[a] > 0 ? 1 / grid->period[a] : 0);
    }
    return p;
}

/* x_i - x_j, to the nearest image where sides are periodic. The flag is a
 * constant wherever this is inlined. */
RILL_INLINE vec pair_difference(const vrec *a, const vrec *b, bool periodic, const period *p)
{
    vec d = {a->x - b->x, a->y - b->y, a->z - b->z};
    if (periodic) {
        d.x -= p->length[0] * vf_round(d.x * p->inverse[0]);
        d.y -= p->length[1] * vf_round(d.y * p->inverse[1]);
        d.z -= p->length[2] * vf_round(d.z * p->inverse[2]);
    }
    return d;
}

RILL_INLINE vf vec_dot(vec a, vec b)
{
    return vf_fma(a.x, b.x, vf_fma(a.y, b.y, a.z * b.z));
}

RILL_INLINE vec vec_difference(const vrec *a, const vrec *b)
{
    return (vec){a->x - b->x, a->y - b->y, a->z - b->z};
}

/* With every access checked, two gathers in every loop would take minutes to compile. */
#ifdef RILL_SANITIZED
#define GROUP_FAR static __attribute__((noinline, unused))
#else
#define GROUP_FAR RILL_INLINE
#endif
GROUP_FAR void group_gather_far(const rill_group *g, uint32_t k, const float *records, vrec *to)
{
    *to = vrec_gather(records, (const uint32_t *)g->places + (size_t)k * RILL_WIDTH);
}

/* The records of the k-th neighbours of a group. */
RILL_INLINE vrec group_gather(const rill_group *g, uint32_t k, const float *records)
{
    if (__builtin_expect(g->far, 0)) {
        vrec far;
        group_gather_far(g, k, records, &far);
        return far;
    }
    const uint16_t *row = g->places + (size_t)k * (RILL_WIDTH + 1);
    /* As numbers, so that compilers add what is the same for all rows but once. */
    const uintptr_t begin = (uintptr_t)records + g->base;
    return vrec_gather16((const float *)(begin + 16 * RILL_NEAR_RUN * (uintptr_t)row[0]), row + 1);
}

/* Asks for what follows in a stream of rows of places. */
RILL_INLINE void places_prefetch(const rill_group *g, uint32_t k)
{
    simd_prefetch((const char *)(g->places + (size_t)k * (RILL_WIDTH + 1)) + PREFETCH_AHEAD * 9 / 16);
}

RILL_INLINE void group_prefetch(const rill_group *g, uint32_t k)
{
    places_prefetch(g, k);
    simd_prefetch((const char *)(g->factors + (size_t)k * RILL_WIDTH) + PREFETCH_AHEAD);
}

#endif

/* Vectors of RILL_WIDTH lanes from the compiler's own vector types. A file that
 * includes this is compiled once per variant (src/base/variant.h) and names its
 * exported symbols with RILL_WIDE(). Machine intrinsics stand here and nowhere else, only where the
 * language has no word (square root, minimum, maximum, mask bits, compression) or
 * its word is slow (halves from memory). */
#ifndef RILL_BASE_SIMD_H
#define RILL_BASE_SIMD_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifndef RILL_WIDTH
#define RILL_WIDTH 4
#define RILL_VARIANT base
#endif

#ifdef __x86_64__
#include <immintrin.h>
#endif

#define RILL_PASTE_(a, b) a##_##b
#define RILL_PASTE(a, b) RILL_PASTE_(a, b)
#define RILL_WIDE(name) RILL_PASTE(name, RILL_VARIANT)

#define RILL_INLINE static inline __attribute__((always_inline, unused))

typedef float vf __attribute__((vector_size(4 * RILL_WIDTH)));
typedef int32_t vi __attribute__((vector_size(4 * RILL_WIDTH)));
typedef uint32_t vu __attribute__((vector_size(4 * RILL_WIDTH)));
typedef double vd __attribute__((vector_size(8 * RILL_WIDTH)));
typedef float v4f __attribute__((vector_size(16)));
typedef float v4f_loose __attribute__((vector_size(16), aligned(4), may_alias));
typedef float vf_loose __attribute__((vector_size(4 * RILL_WIDTH), aligned(4), may_alias));
typedef uint32_t vu_loose __attribute__((vector_size(4 * RILL_WIDTH), aligned(4), may_alias));

typedef uint16_t vh __attribute__((vector_size(2 * RILL_WIDTH)));
typedef uint16_t vh_loose __attribute__((vector_size(2 * RILL_WIDTH), aligned(2), may_alias));

/* A record of four floats, one particle a lane. */
typedef struct vrec {
    vf x, y, z, w;
} vrec;

RILL_INLINE vf vf_set(float value)
{
    return value - (vf){0};
}

RILL_INLINE vf vf_load(const float *p)
{
    return *(const vf_loose *)p;
}

RILL_INLINE void vf_store(float *p, vf v)
{
    *(vf_loose *)p = v;
}

RILL_INLINE vu vu_load(const uint32_t *p)
{
    return *(const vu_loose *)p;
}

RILL_INLINE void vu_store(uint32_t *p, vu v)
{
    *(vu_loose *)p = v;
}

/* Whole numbers in 16 bits, as floats; what is stored is rounded. */
RILL_INLINE vf vf_load16(const uint16_t *p)
{
    return __builtin_convertvector(__builtin_convertvector(*(const vh_loose *)p, vi), vf);
}

RILL_INLINE void vf_store16(uint16_t *p, vf v)
{
    *(vh_loose *)p = __builtin_convertvector(__builtin_convertvector(v + 0.5f, vi), vh);
}

RILL_INLINE void vu_store16(uint16_t *p, vu v)
{
    *(vh_loose *)p = __builtin_convertvector(v, vh);
}

/* The lanes of a where the mask is set, of b elsewhere. */
RILL_INLINE vf vf_select(vi mask, vf a, vf b)
{
    return (vf)(((vi)a & mask) | ((vi)b & ~mask));
}

RILL_INLINE vf vf_mask(vi mask, vf a)
{
    return (vf)((vi)a & mask);
}

#if defined(__x86_64__) && RILL_WIDTH == 16
#define RILL_X86(name) _mm512_##name
#define RILL_X86_WHOLE(v) ((__m512i)(v))
#elif defined(__x86_64__) && RILL_WIDTH == 8
#define RILL_X86(name) _mm256_##name
#define RILL_X86_WHOLE(v) ((__m256i)(v))
#elif defined(__x86_64__)
#define RILL_X86(name) _mm_##name
#endif

#ifdef RILL_X86
RILL_INLINE vf vf_min(vf a, vf b)
{
    return (vf)RILL_X86(min_ps)(a, b);
}
RILL_INLINE vf vf_max(vf a, vf b)
{
    return (vf)RILL_X86(max_ps)(a, b);
}
RILL_INLINE vf vf_sqrt(vf a)
{
    return (vf)RILL_X86(sqrt_ps)(a);
}
#else
RILL_INLINE vf vf_min(vf a, vf b)
{
    return vf_select(a < b, a, b);
}
RILL_INLINE vf vf_max(vf a, vf b)
{
    return vf_select(a > b, a, b);
}
RILL_INLINE vf vf_sqrt(vf a)
{
    vf r;
    for (int i = 0; i < RILL_WIDTH; i++) r[i] = sqrtf(a[i]);
    return r;
}
#endif

RILL_INLINE vi vi_min(vi a, vi b)
{
#if defined(RILL_X86) && RILL_WIDTH >= 8
    return (vi)RILL_X86(min_epi32)(RILL_X86_WHOLE(a), RILL_X86_WHOLE(b));
#else
    const vi mask = a < b;
    return (a & mask) | (b & ~mask);
#endif
}

RILL_INLINE vi vi_max(vi a, vi b)
{
#if defined(RILL_X86) && RILL_WIDTH >= 8
    return (vi)RILL_X86(max_epi32)(RILL_X86_WHOLE(a), RILL_X86_WHOLE(b));
#else
    const vi mask = a > b;
    return (a & mask) | (b & ~mask);
#endif
}

/* a b + c, rounded once where the machine can: for sums of products, in which the compiler is free to round either one
 * of two products first and does not choose alike for every width. */
RILL_INLINE vf vf_fma(vf a, vf b, vf c)
{
#if defined(RILL_X86) && defined(__FMA__)
    return (vf)RILL_X86(fmadd_ps)(a, b, c);
#else
    return a * b + c;
#endif
}

/* To the nearest whole number, for |a| below four million. */
RILL_INLINE vf vf_round(vf a)
{
    const float magic = 12582912.0f;
    return (a + magic) - magic;
}

RILL_INLINE vi vi_lanes(void)
{
    vi lanes;
    for (int i = 0; i < RILL_WIDTH; i++) lanes[i] = i;
    return lanes;
}

/* Shuffles that act alike in every group of four lanes. a..d pick from the
 * first operand with 0..3 and from the second with 4..7. */
#define RILL_PICK(k, n) ((k) < 4 ? (k) + (n) : (k)-4 + RILL_WIDTH + (n))
#define RILL_PICK4(a, b, c, d, n) RILL_PICK(a, n), RILL_PICK(b, n), RILL_PICK(c, n), RILL_PICK(d, n)
#if RILL_WIDTH == 4
#define RILL_SHUFFLE(p, q, a, b, c, d) __builtin_shufflevector(p, q, RILL_PICK4(a, b, c, d, 0))
#elif RILL_WIDTH == 8
#define RILL_SHUFFLE(p, q, a, b, c, d)                                                                                 \
    __builtin_shufflevector(p, q, RILL_PICK4(a, b, c, d, 0), RILL_PICK4(a, b, c, d, 4))
#else
#define RILL_SHUFFLE(p, q, a, b, c, d)                                                                                 \
    __builtin_shufflevector(p, q, RILL_PICK4(a, b, c, d, 0), RILL_PICK4(a, b, c, d, 4), RILL_PICK4(a, b, c, d, 8),     \
                            RILL_PICK4(a, b, c, d, 12))
#endif

/* The smallest of all lanes. */
RILL_INLINE int32_t vi_least(vi a)
{
    a = vi_min(a, RILL_SHUFFLE(a, a, 2, 3, 0, 1));
    a = vi_min(a, RILL_SHUFFLE(a, a, 1, 0, 3, 2));
    int32_t least = a[0];
    for (int l = 4; l < RILL_WIDTH; l += 4) least = a[l] < least ? a[l] : least;
    return least;
}

RILL_INLINE vrec vrec_transpose(vf a, vf b, vf c, vf d)
{
    const vf ab_low = RILL_SHUFFLE(a, b, 0, 4, 1, 5);
    const vf cd_low = RILL_SHUFFLE(c, d, 0, 4, 1, 5);
    const vf ab_high = RILL_SHUFFLE(a, b, 2, 6, 3, 7);
    const vf cd_high = RILL_SHUFFLE(c, d, 2, 6, 3, 7);
    return (vrec){
        RILL_SHUFFLE(ab_low, cd_low, 0, 1, 4, 5),
        RILL_SHUFFLE(ab_low, cd_low, 2, 3, 6, 7),
        RILL_SHUFFLE(ab_high, cd_high, 0, 1, 4, 5),
        RILL_SHUFFLE(ab_high, cd_high, 2, 3, 6, 7),
    };
}

RILL_INLINE v4f v4f_at(const float *records, uint32_t offset)
{
    return *(const v4f_loose *)((const char *)records + offset);
}

/* Lane k of the result takes the records at offsets k, k + 4, k + 8, ... so that
 * the transpose, which works within groups of four, leaves lanes in order. */
RILL_INLINE vf vrec_column(const float *records, const uint32_t *offsets, int k)
{
#if RILL_WIDTH == 4
    return v4f_at(records, offsets[k]);
#elif RILL_WIDTH == 8 && defined(__x86_64__)
    /* The word for a shuffle of two halves costs a shuffle; an insert from memory is a load. */
    return (vf)_mm256_insertf128_ps(_mm256_castps128_ps256(v4f_at(records, offsets[k])),
                                    v4f_at(records, offsets[k + 4]), 1);
#elif RILL_WIDTH == 8
    return __builtin_shufflevector(v4f_at(records, offsets[k]), v4f_at(records, offsets[k + 4]), 0, 1, 2, 3, 4, 5, 6,
                                   7);
#elif defined(__x86_64__)
    __m512 column = _mm512_castps128_ps512(v4f_at(records, offsets[k]));
    column = _mm512_insertf32x4(column, v4f_at(records, offsets[k + 4]), 1);
    column = _mm512_insertf32x4(column, v4f_at(records, offsets[k + 8]), 2);
    return (vf)_mm512_insertf32x4(column, v4f_at(records, offsets[k + 12]), 3);
#else
    typedef float v8f __attribute__((vector_size(32)));
    const v8f low = __builtin_shufflevector(v4f_at(records, offsets[k]), v4f_at(records, offsets[k + 4]), 0, 1, 2, 3, 4,
                                            5, 6, 7);
    const v8f high = __builtin_shufflevector(v4f_at(records, offsets[k + 8]), v4f_at(records, offsets[k + 12]), 0, 1, 2,
                                             3, 4, 5, 6, 7);
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#endif
}

/* Records scattered in memory, by byte offset. */
RILL_INLINE vrec vrec_gather(const float *records, const uint32_t *offsets)
{
    return vrec_transpose(vrec_column(records, offsets, 0), vrec_column(records, offsets, 1),
                          vrec_column(records, offsets, 2), vrec_column(records, offsets, 3));
}

/* The same by number, in 16 bits. */
RILL_INLINE vrec vrec_gather16(const float *records, const uint16_t *numbers)
{
    uint32_t offsets[RILL_WIDTH];
    for (uint32_t i = 0; i < RILL_WIDTH; i++) offsets[i] = 16u * numbers[i];
    return vrec_gather(records, offsets);
}

/* RILL_WIDTH records in a row. */
RILL_INLINE vrec vrec_load(const float *records)
{
    uint32_t offsets[RILL_WIDTH];
    for (uint32_t i = 0; i < RILL_WIDTH; i++) offsets[i] = 16 * i;
    return vrec_gather(records, offsets);
}

RILL_INLINE void vrec_store(float *records, vrec r)
{
    /* A transpose within groups of four is its own inverse. */
    const vrec t = vrec_transpose(r.x, r.y, r.z, r.w);
    const vf columns[4] = {t.x, t.y, t.z, t.w};
    for (int k = 0; k < 4; k++)
        for (int g = 0; g < RILL_WIDTH / 4; g++)
            memcpy(records + 4 * (4 * g + k), (const float *)&columns[k] + 4 * g, 16);
}

/* One bit for each lane in which a < b. */
RILL_INLINE uint32_t simd_below(vf a, vf b)
{
#if defined(__x86_64__) && RILL_WIDTH == 16
    return (uint32_t)_mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
#elif defined(__AVX512VL__) && RILL_WIDTH == 8
    return (uint32_t)_mm256_cmp_ps_mask(a, b, _CMP_LT_OQ);
#elif defined(__x86_64__) && RILL_WIDTH == 8
    return (uint32_t)_mm256_movemask_ps((__m256)(a < b));
#elif defined(__x86_64__)
    return (uint32_t)_mm_movemask_ps((__m128)(a < b));
#else
    const vi mask = a < b;
    uint32_t bits = 0;
    for (int i = 0; i < RILL_WIDTH; i++) bits |= (uint32_t)(mask[i] & 1) << i;
    return bits;
#endif
}

/* One bit for each lane in which a is not above b: also where either is NaN. */
RILL_INLINE uint32_t simd_not_above(vf a, vf b)
{
#if defined(__x86_64__) && RILL_WIDTH == 16
    return (uint32_t)_mm512_cmp_ps_mask(a, b, _CMP_NGT_UQ);
#elif defined(__AVX512VL__) && RILL_WIDTH == 8
    return (uint32_t)_mm256_cmp_ps_mask(a, b, _CMP_NGT_UQ);
#else
    return ~simd_below(b, a) & ((1u << RILL_WIDTH) - 1);
#endif
}

/* The bits of the first n lanes; all of them for n beyond the width. */
RILL_INLINE uint32_t simd_first(uint32_t n)
{
    return n < RILL_WIDTH ? (1u << n) - 1 : (1u << RILL_WIDTH) - 1;
}

/* All bits of the lanes whose bit is set. */
RILL_INLINE vi simd_mask(uint32_t bits)
{
    const vi one = ((vi){0} + 1) << vi_lanes();
    return (((vi){0} + (int32_t)bits) & one) != 0;
}

RILL_INLINE uint32_t simd_count(uint32_t bits)
{
    return (uint32_t)__builtin_popcount(bits);
}

/* The lanes of v whose bit is set, one behind the other; what follows them does not matter. */
RILL_INLINE vu vu_compress(vu v, uint32_t bits)
{
#if defined(__x86_64__) && RILL_WIDTH == 16
    return (vu)_mm512_maskz_compress_epi32((__mmask16)bits, (__m512i)v);
#elif defined(__AVX512VL__) && RILL_WIDTH == 8
    return (vu)_mm256_maskz_compress_epi32((__mmask8)bits, (__m256i)v);
#elif defined(__x86_64__) && RILL_WIDTH == 8
    const uint64_t bytes = _pdep_u64(bits, 0x0101010101010101u) * 0xff;
    const uint64_t order = _pext_u64(0x0706050403020100u, bytes);
    const __m256i lanes = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)order));
    return (vu)_mm256_permutevar8x32_epi32((__m256i)v, lanes);
#else
    vu packed = {0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < RILL_WIDTH; i++) {
        packed[n & (RILL_WIDTH - 1)] = (bits >> i) & 1 ? v[i] : packed[n & (RILL_WIDTH - 1)];
        n += (bits >> i) & 1;
    }
    return packed;
#endif
}

/* Lanes by their numbers. */
RILL_INLINE vu vu_pick(vu v, vu lanes)
{
#if defined(__x86_64__) && RILL_WIDTH == 16
    return (vu)_mm512_permutexvar_epi32((__m512i)lanes, (__m512i)v);
#elif defined(__x86_64__) && RILL_WIDTH == 8
    return (vu)_mm256_permutevar8x32_epi32((__m256i)v, (__m256i)lanes);
#else
    vu picked;
    for (uint32_t i = 0; i < RILL_WIDTH; i++) picked[i] = v[lanes[i] & (RILL_WIDTH - 1)];
    return picked;
#endif
}

RILL_INLINE void simd_prefetch(const void *p)
{
    __builtin_prefetch(p, 0, 3);
}

RILL_INLINE void simd_prefetch_write(const void *p)
{
    __builtin_prefetch(p, 1, 3);
}

#endif

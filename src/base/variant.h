/* Variants of the inner loops: for which machines and how many lanes they are
 * compiled. The build defines RILL_HAVE_X86_VARIANTS where it has them all. On
 * the machines measured so far eight lanes with the instructions of AVX-512 beat
 * sixteen: the shuffles of a gather cost as much as the arithmetic saves. */
#ifndef RILL_BASE_VARIANT_H
#define RILL_BASE_VARIANT_H

typedef enum rill_variant {
    RILL_VARIANT_BASE,     /* 4 lanes, any machine */
    RILL_VARIANT_AVX2,     /* 8 lanes */
    RILL_VARIANT_AVX512,   /* 8 lanes */
    RILL_VARIANT_AVX512X16 /* 16 lanes */
} rill_variant;

/* Declares name_base, name_avx2, ... and lists their addresses in the order above. */
#ifdef RILL_HAVE_X86_VARIANTS
#define RILL_VARIANTS_DECLARE(type, name) extern type name##_base, name##_avx2, name##_avx512, name##_avx512x16
#define RILL_VARIANTS_LIST(name) {&name##_base, &name##_avx2, &name##_avx512, &name##_avx512x16}
#else
#define RILL_VARIANTS_DECLARE(type, name) extern type name##_base
#define RILL_VARIANTS_LIST(name) {&name##_base}
#endif

#endif

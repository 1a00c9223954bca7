/* Numbers between 0 and 1 for the decisions of a path: points of Sobol's
 * sequence in four dimensions, shuffled and scrambled again for every pixel and
 * every group of four decisions (Burley 2020, "Practical hash-based Owen
 * scrambling"; the hash is Laine's and Karras's with Vegdahl's constants). They
 * depend on seed, pixel, sample and decision alone. */
#ifndef RILL_RENDER_TRACE_SAMPLER_H
#define RILL_RENDER_TRACE_SAMPLER_H

#include <stdint.h>

enum { RILL_SAMPLES_MOST = 1 << 16 };

/* Sobol's points by the low and the high byte of their number, with their bits reversed. */
typedef struct rill_sobol {
    uint32_t point[4][2][256];
} rill_sobol;
void rill_sobol_make(rill_sobol *sobol);

typedef struct rill_sampler {
    const rill_sobol *sobol;
    uint32_t key;   /* of the pixel */
    uint32_t index; /* of the sample, its 16 bits reversed */
} rill_sampler;

typedef struct rill_draw {
    float v[4];
} rill_draw;

static inline uint32_t rill_bits_reverse(uint32_t x)
{
    x = __builtin_bswap32(x);
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    return (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
}

static inline uint32_t rill_bits_mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

/* Owen's scrambling of a number whose bits are reversed: each bit may turn by those below it. */
static inline uint32_t rill_bits_scramble(uint32_t x, uint32_t key)
{
    x ^= x * 0x3d20adeau;
    x += key;
    x *= (key >> 16) | 1;
    x ^= x * 0x05526c56u;
    x ^= x * 0x53a22864u;
    return x;
}

static inline rill_sampler rill_sampler_at(const rill_sobol *sobol, uint32_t key, uint32_t sample)
{
    return (rill_sampler){sobol, key, rill_bits_reverse(sample) >> 16};
}

/* The numbers of the group of decisions, from one of them on. */
static inline rill_draw rill_sampler_draw_from(const rill_sampler *s, uint32_t group, int first)
{
    uint32_t key = rill_bits_mix(s->key + group * 0x9e3779b9u);
    const uint32_t index = rill_bits_reverse(rill_bits_scramble(s->index, key)) >> 16;
    rill_draw draw;
    for (int k = 0; k < 4; k++) {
        key = key * 0x2c1b3c6du + 0x297a2d39u;
        if (k < first) continue;
        const uint32_t point = s->sobol->point[k][0][index & 255] ^ s->sobol->point[k][1][index >> 8];
        const uint32_t bits = rill_bits_reverse(rill_bits_scramble(point, key ^ key >> 15));
        draw.v[k] = (float)(bits >> 8) * 0x1p-24f;
    }
    return draw;
}

static inline rill_draw rill_sampler_draw(const rill_sampler *s, uint32_t group)
{
    return rill_sampler_draw_from(s, group, 0);
}

/* Only the last two. */
static inline rill_draw rill_sampler_draw_last(const rill_sampler *s, uint32_t group)
{
    return rill_sampler_draw_from(s, group, 2);
}

#endif

/* Sobol's points in four dimensions, from the first primitive polynomials and
 * the initial numbers of Joe and Kuo (2008). */
#include "render/trace/sampler.h"

/* v_k of a dimension as 32-bit fractions; degree 0 is van der Corput's own sequence. */
static void directions_make(int degree, uint32_t inner, const uint32_t *first, uint32_t v[16])
{
    for (int k = 0; k < 16; k++) {
        if (!degree) {
            v[k] = 1u << (31 - k);
        } else if (k < degree) {
            v[k] = first[k] << (31 - k);
        } else {
            v[k] = v[k - degree] ^ v[k - degree] >> degree;
            for (int j = 1; j < degree; j++)
                if (inner >> (degree - 1 - j) & 1) v[k] ^= v[k - j];
        }
    }
}

void rill_sobol_make(rill_sobol *sobol)
{
    static const struct {
        int degree;
        uint32_t inner, first[3];
    } dimensions[4] = {{0, 0, {0}}, {1, 0, {1}}, {2, 1, {1, 3}}, {3, 1, {1, 3, 1}}};
    for (int d = 0; d < 4; d++) {
        uint32_t v[16];
        directions_make(dimensions[d].degree, dimensions[d].inner, dimensions[d].first, v);
        for (int byte = 0; byte < 2; byte++) {
            for (int i = 0; i < 256; i++) {
                uint32_t point = 0;
                for (int bit = 0; bit < 8; bit++)
                    if (i >> bit & 1) point ^= v[8 * byte + bit];
                sobol->point[d][byte][i] = rill_bits_reverse(point);
            }
        }
    }
}

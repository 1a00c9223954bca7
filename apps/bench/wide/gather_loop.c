/* The bare gather, compiled once per variant like the loops it calibrates. */
#include "base/simd.h"
#include "fluid/wide/wide.h"
#include "gather_loop.h"

bench_gather_loop RILL_WIDE(bench_gather_loop);

float RILL_WIDE(bench_gather_loop)(const float *records, const uint32_t *offsets, size_t count)
{
    vrec sum = {0};
    for (size_t k = 0; k < count; k += RILL_WIDTH) {
        simd_prefetch((const char *)(offsets + k) + PREFETCH_AHEAD);
        const vrec r = vrec_gather(records, offsets + k);
        sum.x += r.x;
        sum.y += r.y;
        sum.z += r.z;
        sum.w += r.w;
    }
    const vf all = (sum.x + sum.y) + (sum.z + sum.w);
    float total = 0;
    for (int l = 0; l < RILL_WIDTH; l++) total += all[l];
    return total;
}

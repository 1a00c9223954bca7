/* Moments of a particle's neighbours, for anisotropic kernels: sums over runs of
 * sorted particles, a vector of them at a time, of which those out of range count
 * nothing. Lanes are added up at the end, first to last. */
#include "base/simd.h"
#include "surface/field.h"

extern rill_moments_sum RILL_WIDE(rill_moments_near);
extern rill_move_mean RILL_WIDE(rill_move_mean_near);

/* The particle whose neighbours are asked for, lengths in diameters. */
typedef struct centre {
    float x, y, z, scale, range;
} centre;

static centre centre_of(const rill_points *points, uint32_t i, float range)
{
    const float *x = points->position + 4 * (size_t)i;
    return (centre){x[0], x[1], x[2], (float)(1 / points->diameter), range};
}

typedef struct offsets {
    vf x, y, z, weight;
} offsets;

/* Where particles lie as seen from the centre, and w = 1 - (r / range)^3; zero out of range and behind the run. */
RILL_INLINE offsets offsets_of(const rill_points *points, const centre *c, uint32_t j, uint32_t end)
{
    const vrec p = vrec_load(points->position + 4 * (size_t)j);
    offsets o = {(p.x - c->x) * c->scale, (p.y - c->y) * c->scale, (p.z - c->z) * c->scale, {0}};
    const vf square = o.x * o.x + o.y * o.y + o.z * o.z, s = vf_sqrt(square) / c->range;
    const vi within = (square < vf_set(c->range * c->range)) & ((vi_lanes() - (int32_t)(end - j)) < (vi){0});
    o.weight = vf_mask(within, 1 - s * s * s);
    return o;
}

static float sum_of(vf v)
{
    float sum = v[0];
    for (int k = 1; k < RILL_WIDTH; k++) sum += v[k];
    return sum;
}

void RILL_WIDE(rill_moments_near)(const rill_points *points, uint32_t i, const rill_span *runs, unsigned run_count,
                                  float range, rill_moments *m)
{
    const centre c = centre_of(points, i, range);
    vf weight = {0}, mean[3] = {{0}}, square[6] = {{0}}, near = {0};
    for (unsigned r = 0; r < run_count; r++)
        for (uint32_t j = runs[r].begin; j < runs[r].end; j += RILL_WIDTH) {
            const offsets o = offsets_of(points, &c, j, runs[r].end);
            const vf x = o.weight * o.x, y = o.weight * o.y, z = o.weight * o.z;
            weight += o.weight;
            near += vf_mask(o.weight > (vf){0}, vf_set(1));
            mean[0] += x;
            mean[1] += y;
            mean[2] += z;
            square[0] += x * o.x;
            square[1] += y * o.y;
            square[2] += z * o.z;
            square[3] += x * o.y;
            square[4] += x * o.z;
            square[5] += y * o.z;
        }
    m->weight = sum_of(weight);
    m->count = (uint32_t)sum_of(near);
    for (int k = 0; k < 3; k++) m->mean[k] = sum_of(mean[k]);
    for (int k = 0; k < 6; k++) m->square[k] = sum_of(square[k]);
}

void RILL_WIDE(rill_move_mean_near)(const rill_points *points, const float *move, uint32_t i, const rill_span *runs,
                                    unsigned run_count, float range, float mean[3])
{
    const centre c = centre_of(points, i, range);
    vf weight = {0}, x = {0}, y = {0}, z = {0};
    for (unsigned r = 0; r < run_count; r++)
        for (uint32_t j = runs[r].begin; j < runs[r].end; j += RILL_WIDTH) {
            const offsets o = offsets_of(points, &c, j, runs[r].end);
            const vrec u = vrec_load(move + 4 * (size_t)j);
            weight += o.weight;
            x += o.weight * u.x;
            y += o.weight * u.y;
            z += o.weight * u.z;
        }
    const float all = sum_of(weight);
    mean[0] = sum_of(x) / all;
    mean[1] = sum_of(y) / all;
    mean[2] = sum_of(z) / all;
}

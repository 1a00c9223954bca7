/* What the sort of particles into cells does to every one of them, in vectors. */
#include "fluid/wide/wide.h"

typedef int64_t vl __attribute__((vector_size(8 * RILL_WIDTH)));

/* A vector of records; the last one is filled up with copies of the last record, so that nothing
 * behind it is read. */
RILL_INLINE vrec records_at(const float *records, uint32_t i, uint32_t count)
{
    if (__builtin_expect(i + RILL_WIDTH <= count, 1)) return vrec_load(records + 4 * (size_t)i);
    float last[4 * RILL_WIDTH];
    for (uint32_t l = 0; l < RILL_WIDTH; l++) {
        const uint32_t from = i + l < count ? i + l : count - 1;
        memcpy(last + 4 * l, records + 4 * (size_t)from, 16);
    }
    return vrec_load(last);
}

/* NaN bounds nothing. */
static void cells_bounds(const float *records, uint32_t count, float low[3], float high[3])
{
    vf from[3], to[3];
    for (int a = 0; a < 3; a++) {
        from[a] = vf_set(INFINITY);
        to[a] = vf_set(-INFINITY);
    }
    for (uint32_t i = 0; i < count; i += RILL_WIDTH) {
        const vrec p = records_at(records, i, count);
        const vf x[3] = {p.x, p.y, p.z};
        for (int a = 0; a < 3; a++) {
            from[a] = vf_select(x[a] < from[a], x[a], from[a]);
            to[a] = vf_select(x[a] > to[a], x[a], to[a]);
        }
    }
    for (int a = 0; a < 3; a++) {
        low[a] = from[a][0];
        high[a] = to[a][0];
        for (int l = 1; l < RILL_WIDTH; l++) {
            low[a] = from[a][l] < low[a] ? from[a][l] : low[a];
            high[a] = to[a][l] > high[a] ? to[a][l] : high[a];
        }
    }
}

/* Cells counted from the corner of the box. */
RILL_INLINE vi cells_along(const rill_cell_box *box, int axis, vf coordinate)
{
    const vd zero = {0}, first = box->first[axis] - zero, last = box->last[axis] - zero;
    vd u = (__builtin_convertvector(coordinate, vd) - box->base[axis]) * box->per_cell[axis];
    const vl inside = u > first;
    u = (vd)((inside & (vl)u) | (~inside & (vl)first));
    const vl before = u < last;
    u = (vd)((before & (vl)u) | (~before & (vl)last));
    return __builtin_convertvector(u - first, vi);
}

static void cells_keys(const rill_cell_box *box, const uint32_t stride[3], const float *records, uint32_t count,
                      uint32_t *keys)
{
    const vu sx = stride[0] - (vu){0}, sy = stride[1] - (vu){0}, sz = stride[2] - (vu){0};
    for (uint32_t i = 0; i < count; i += RILL_WIDTH) {
        const vrec p = records_at(records, i, count);
        const vu key = (vu)cells_along(box, 0, p.x) * sx + (vu)cells_along(box, 1, p.y) * sy +
                       (vu)cells_along(box, 2, p.z) * sz;
        if (i + RILL_WIDTH <= count) vu_store(keys + i, key);
        else memcpy(keys + i, &key, (count - i) * sizeof *keys);
    }
}

static void cells_split(const float *records, uint32_t count, float *x, float *y, float *z)
{
    for (uint32_t i = 0; i < count; i += RILL_WIDTH) {
        const vrec p = records_at(records, i, count);
        vf_store(x + i, p.x);
        vf_store(y + i, p.y);
        vf_store(z + i, p.z);
    }
}

const rill_cell_ops RILL_WIDE(rill_cell_ops) = {cells_bounds, cells_keys, cells_split};

/* Fills that overlap. Shapes are compared by a sweep along x, so that thousands of fills stay cheap. */
#include <math.h>
#include <stdlib.h>

#include "world/world.h"

typedef struct extent {
    double low[3], high[3];
    uint32_t fill;
} extent;

static extent region_extent(const rill_region *region, uint32_t fill)
{
    const rill_bounds b = rill_region_bounds(region);
    return (extent){{b.low.x, b.low.y, b.low.z}, {b.high.x, b.high.y, b.high.z}, fill};
}

/* Of particles where they are, which periodic axes may have wrapped. */
static extent particle_extent(const float *x, uint32_t first, uint32_t end)
{
    extent e = {.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = first; i < end; i++)
        for (size_t a = 0; a < 3; a++) {
            e.low[a] = fmin(e.low[a], (double)x[4 * i + a]);
            e.high[a] = fmax(e.high[a], (double)x[4 * i + a]);
        }
    return e;
}

static int compare_low(const void *a, const void *b)
{
    const extent *left = a, *right = b;
    return left->low[0] < right->low[0] ? -1 : left->low[0] > right->low[0];
}

static bool touch(const extent *a, const extent *b)
{
    for (int k = 0; k < 3; k++)
        if (a->low[k] > b->high[k] || b->low[k] > a->high[k]) return false;
    return true;
}

static rill_status overlap_fail(uint32_t a, uint32_t b, const float x[3], rill_error *err)
{
    return rill_fail(err, RILL_BAD_INPUT, "fill.%u overlaps fill.%u at (%.4g, %.4g, %.4g) m; move them apart.",
                     a < b ? a : b, a < b ? b : a, x[0], x[1], x[2]);
}

/* The first of the sorted extents that begins at or behind x. */
static uint32_t first_from(const extent *sorted, uint32_t count, double x)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (sorted[middle].low[0] < x) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Looks for particles of a fill in the shapes of others; none of these is longer along x than `longest`. */
static rill_status check_fill(const rill_world *world, const uint32_t *first, uint32_t fill, const extent *sorted,
                              double longest, rill_error *err)
{
    const float *x = rill_field_f32(&world->sph.liquid.fields, FIELD_POSITION);
    const uint32_t count = world->scene.fill_count;
    const extent own = particle_extent(x, first[fill], first[fill + 1]);
    for (uint32_t k = first_from(sorted, count, own.low[0] - longest); k < count && sorted[k].low[0] <= own.high[0];
         k++) {
        if (sorted[k].fill == fill || !touch(&own, &sorted[k])) continue;
        const rill_region other =
            rill_fill_region(&world->scene, world->bodies, &world->scene.fills[sorted[k].fill]);
        for (size_t i = first[fill]; i < first[fill + 1]; i++)
            if (rill_region_holds(&other, (rill_vec3){x[4 * i], x[4 * i + 1], x[4 * i + 2]}, 0.5 * world->sph.diameter))
                return overlap_fail(fill, sorted[k].fill, x + 4 * i, err);
    }
    return RILL_OK;
}

rill_status rill_overlap_of_shapes(const rill_world *world, const uint32_t *first, rill_error *err)
{
    const uint32_t count = world->scene.fill_count;
    extent *sorted = rill_malloc(count * sizeof *sorted);
    if (!sorted) return rill_memory_fail(err, count * sizeof *sorted, "the fills");
    double longest = 0;
    for (uint32_t f = 0; f < count; f++) {
        const rill_region region = rill_fill_region(&world->scene, world->bodies, &world->scene.fills[f]);
        sorted[f] = region_extent(&region, f);
        longest = fmax(longest, sorted[f].high[0] - sorted[f].low[0]);
    }
    qsort(sorted, count, sizeof *sorted, compare_low);
    rill_status status = RILL_OK;
    for (uint32_t f = 0; f < count && !status; f++) status = check_fill(world, first, f, sorted, longest, err);
    rill_free(sorted);
    return status;
}

static uint32_t fill_of(const uint32_t *first, uint32_t fills, uint64_t id)
{
    uint32_t f = fills - 1;
    while (f && first[f] > id) f--;
    return f;
}

static rill_status pair_fail(const rill_world *world, const uint32_t *first, uint32_t i, uint32_t j, rill_error *err)
{
    const float *x = rill_field_f32(&world->sph.liquid.fields, FIELD_POSITION) + 4 * (size_t)i;
    const uint64_t *id = rill_field_u64(&world->sph.liquid.fields, FIELD_ID);
    const uint32_t a = fill_of(first, world->scene.fill_count, id[i]);
    const uint32_t b = fill_of(first, world->scene.fill_count, id[j]);
    if (a != b) return overlap_fail(a, b, x, err);
    return rill_fail(
        err, RILL_BAD_INPUT,
        "fill.%u overlaps itself at (%.4g, %.4g, %.4g) m: it is longer than the periodic domain, or so far "
        "from zero that single precision cannot tell its particles apart.",
        a, x[0], x[1], x[2]);
}

rill_status rill_overlap_of_particles(const rill_world *world, const uint32_t *first, rill_error *err)
{
    const rill_sph *sph = &world->sph;
    const unsigned width = world->ops->width;
    const float *x = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    const double least = 0.5 * sph->diameter;
    for (uint32_t i = 0; i < sph->liquid.fields.count; i++) {
        const rill_group g = rill_lists_group(&sph->lists, i / width);
        for (uint32_t k = 0; k < sph->lists.count[i]; k++) {
            const uint32_t j = rill_group_neighbour(&g, width, k, i % width);
            double r2 = 0;
            for (int a = 0; a < 3; a++) {
                const double d = rill_grid_nearest(&sph->grid, a,
                                                   (double)x[4 * (size_t)i + (size_t)a] - x[4 * (size_t)j + (size_t)a]);
                r2 += d * d;
            }
            if (r2 < least * least) return pair_fail(world, first, i, j, err);
        }
    }
    return RILL_OK;
}

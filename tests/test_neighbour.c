/* The neighbour search against all pairs. label: small
 * Every list must hold each neighbour exactly once, whatever the particles, the
 * vector width and the threads. Pairs within rounding of the support may go
 * either way; everything else must agree with the distances in double. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/hash.h"
#include "fluid/sph.h"
#include "tests/leave_out.h"

/* Uniform in [0, 1), keyed. */
static double uniform(uint64_t key)
{
    return (double)(rill_hash_mix(key * 0x9e3779b97f4a7c15u + 1) >> 11) / 9007199254740992.0;
}

typedef struct cloud {
    uint32_t count;
    float *at; /* x, y, z */
} cloud;

static cloud cloud_make(uint32_t count)
{
    return (cloud){count, calloc(count, 3 * sizeof(float))};
}

static void sph_make(rill_sph *sph, const cloud *c, const cloud *walls, const rill_grid *grid, unsigned threads,
                     rill_threads **pool)
{
    *sph = (rill_sph){.support = grid->support, .diameter = grid->support / 2, .grid = *grid};
    *pool = rill_threads_create(threads, NULL);
    const rill_scheduler scheduler = rill_threads_scheduler(*pool);
    assert_int_equal(rill_runner_create(&sph->runner, &scheduler, NULL), RILL_OK);
    rill_set_begin(&sph->liquid);
    rill_walls_begin(sph);
    assert_int_equal(rill_set_append(&sph->liquid, c->count, NULL), RILL_OK);
    for (size_t i = 0; i < c->count; i++)
        memcpy(rill_field_f32(&sph->liquid.fields, FIELD_POSITION) + 4 * i, c->at + 3 * i, 12);
    assert_int_equal(rill_lists_create(&sph->lists, threads, NULL), RILL_OK);
    assert_int_equal(rill_lists_create(&sph->wall_lists, threads, NULL), RILL_OK);
    assert_int_equal(rill_lists_create(&sph->liquid_lists, threads, NULL), RILL_OK);
    assert_int_equal(rill_walls_make(sph, walls->count, NULL), RILL_OK);
    for (size_t i = 0; i < walls->count; i++) memcpy(rill_walls_position(sph) + 4 * i, walls->at + 3 * i, 12);
    assert_int_equal(rill_walls_sort(sph, NULL), RILL_OK);
}

static void search_all(rill_sph *sph, const rill_fluid_ops *ops)
{
    assert_int_equal(rill_sph_sort(sph, ops, NULL), RILL_OK);
    assert_int_equal(rill_sph_search(sph, ops, rill_runner_blocks(&sph->runner, sph->liquid.fields.count), NULL),
                     RILL_OK);
}

static double distance2(const rill_grid *grid, const float *a, const float *b)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double d = (double)a[k] - b[k];
        if (grid->wrap[k]) d -= grid->period[k] * round(d / grid->period[k]);
        sum += d * d;
    }
    return sum;
}

/* Compares the list of every particle with the distances to all others. */
static void check_lists(const rill_sph *sph, const rill_lists *lists, unsigned width, const float *others,
                        uint32_t count, bool same)
{
    const float *own = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    unsigned char *seen = calloc(count + 1, 1);
    uint64_t pairs = 0;
    for (uint32_t i = 0; i < sph->liquid.fields.count; i++) {
        memset(seen, 0, count);
        const rill_group g = rill_lists_group(lists, i / width);
        for (uint32_t k = 0; k < lists->count[i]; k++) {
            const uint32_t j = rill_group_neighbour(&g, width, k, i % width);
            if (j >= count) fail_msg("particle %u lists %u of %u", i, j, count);
            if (seen[j]) fail_msg("particle %u lists %u twice", i, j);
            seen[j] = 1;
        }
        pairs += lists->count[i];
        for (uint32_t j = 0; j < count; j++) {
            const double h = sph->support, r2 = distance2(&sph->grid, own + 4 * (size_t)i, others + 4 * (size_t)j);
            /* Shifting across a periodic side rounds once more, at the size of the coordinates. */
            const double blur = sph->grid.periodic ? 1e-5 : 2e-6;
            if (same && i == j) {
                if (seen[j]) fail_msg("particle %u lists itself", i);
            } else if (fabs(r2 - h * h) > blur * h * h && (r2 < h * h) != seen[j]) {
                fail_msg("particle %u at distance %g h of %u is %s", i, sqrt(r2) / h, j,
                         seen[j] ? "listed" : "missing");
            }
        }
        /* Padding is the particle itself, so that pair terms vanish; among walls it is the first of them. */
        for (uint32_t k = lists->count[i]; k < g.length; k++)
            assert_int_equal(rill_group_neighbour(&g, width, k, i % width), same ? i : 0);
    }
    assert_int_equal(pairs, lists->pairs);
    free(seen);
}

static void check_order(const rill_sph *sph)
{
    const float *x = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    for (size_t i = 1; i < sph->liquid.fields.count; i++) {
        int32_t a[3], b[3];
        for (int k = 0; k < 3; k++) {
            a[k] = rill_grid_cell(&sph->grid, k, x[4 * (i - 1) + (size_t)k]);
            b[k] = rill_grid_cell(&sph->grid, k, x[4 * i + (size_t)k]);
        }
        const bool ordered = a[2] != b[2] ? a[2] < b[2] : a[1] != b[1] ? a[1] < b[1] : a[0] <= b[0];
        if (!ordered) fail_msg("particles %zu and %zu are out of order", i - 1, i);
    }
}

static bool same_tile(const rill_grid *grid, const float *a, const float *b)
{
    for (int k = 0; k < 3; k++) {
        const double first = floor((rill_grid_cell(grid, k, a[k]) + 32) / 128.0);
        if (floor((rill_grid_cell(grid, k, b[k]) + 32) / 128.0) != first) return false;
    }
    return true;
}

/* Particles that are said to do so share a tile with all their neighbours. */
static void check_tiles(const rill_sph *sph, uint32_t width)
{
    const float *x = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    for (uint32_t i = 0; i < sph->liquid.fields.count; i++) {
        const rill_group g = rill_lists_group(&sph->lists, i / width);
        for (uint32_t k = 0; (g.in_tile >> i % width & 1) && k < sph->lists.count[i]; k++) {
            const float *other = x + 4 * rill_group_neighbour(&g, width, k, i % width);
            if (!same_tile(&sph->grid, x + 4 * (size_t)i, other)) fail_msg("a neighbour of %u is in another tile", i);
        }
    }
}

/* Searches with every variant and several numbers of threads. */
static void check_cloud(const cloud *c, const cloud *walls, const rill_grid *grid)
{
    static const unsigned threads[] = {1, 3};
    uint64_t *order = NULL;
    for (int variant = RILL_VARIANT_BASE; variant <= RILL_VARIANT_AVX512X16; variant++)
        for (int t = 0; t < 2; t++) {
            const rill_fluid_ops *ops = rill_fluid_ops_of((rill_variant)variant);
            if (!ops) {
                leave_out("searches of variants that this machine or build has not");
                continue;
            }
            rill_sph sph;
            rill_threads *pool;
            sph_make(&sph, c, walls, grid, threads[t], &pool);
            /* Twice: the second search starts from sorted particles and used memory. */
            for (int again = 0; again < 2; again++) {
                search_all(&sph, ops);
                check_order(&sph);
                check_tiles(&sph, ops->width);
                check_lists(&sph, &sph.lists, ops->width, rill_field_f32(&sph.liquid.fields, FIELD_POSITION), c->count,
                            true);
                check_lists(&sph, &sph.wall_lists, ops->width, rill_walls_position(&sph), walls->count, false);
            }
            const uint64_t *id = rill_field_u64(&sph.liquid.fields, FIELD_ID);
            if (!order) {
                order = malloc(c->count * sizeof *order + 1);
                memcpy(order, id, c->count * sizeof *order);
            }
            assert_memory_equal(order, id, c->count * sizeof *order);
            rill_sph_free(&sph);
            rill_threads_destroy(pool);
        }
    free(order);
}

static const rill_grid *plain_grid(double h)
{
    static rill_grid grid;
    grid = rill_grid_make(h, NULL, NULL, NULL);
    return &grid;
}

static void run_cloud(cloud c, cloud walls, double h)
{
    check_cloud(&c, &walls, plain_grid(h));
    free(c.at);
    free(walls.at);
}

static cloud random_cloud(uint32_t count, double size, uint64_t seed)
{
    cloud c = cloud_make(count);
    for (uint32_t i = 0; i < 3 * count; i++) c.at[i] = (float)((uniform(seed + i) - 0.5) * size);
    return c;
}

static void finds_all_of_random(void **state)
{
    (void)state;
    run_cloud(random_cloud(1500, 1.0, 7), random_cloud(300, 1.2, 99), 0.17);
    run_cloud(random_cloud(700, 1.0, 7), random_cloud(0, 1, 1), 0.31);
    run_cloud(random_cloud(37, 0.5, 11), random_cloud(1, 0.2, 5), 0.2);
    run_cloud(random_cloud(1, 0.5, 11), random_cloud(3, 0.2, 5), 0.2);
}

static cloud lattice_cloud(int n, double spacing, double offset)
{
    cloud c = cloud_make((uint32_t)(n * n * n));
    for (int i = 0; i < n * n * n; i++) {
        c.at[3 * i] = (float)((i % n) * spacing + offset);
        c.at[3 * i + 1] = (float)((i / n % n) * spacing + offset);
        c.at[3 * i + 2] = (float)((i / n / n) * spacing + offset);
    }
    return c;
}

static void finds_all_of_lattice(void **state)
{
    (void)state;
    run_cloud(lattice_cloud(11, 0.05, 0.025), lattice_cloud(5, 0.05, -0.1), 0.1);
}

/* Powers of two are exact in float, so these lie on the borders of cells. */
static void finds_all_on_cell_borders(void **state)
{
    (void)state;
    const double h = 0.125 / (1 + 1e-6);
    run_cloud(lattice_cloud(9, 0.125, -0.5), lattice_cloud(3, 0.125, 0), h);
    run_cloud(lattice_cloud(10, 0.0625, -0.3125), lattice_cloud(3, 0.0625, 0), h);
}

static void finds_all_of_clusters(void **state)
{
    (void)state;
    cloud c = random_cloud(1200, 0.02, 3);
    for (uint32_t i = 600; i < 1200; i++) c.at[3 * i] += 5;
    run_cloud(c, random_cloud(40, 0.02, 5), 0.1);
}

static void finds_coincident(void **state)
{
    (void)state;
    cloud c = cloud_make(500);
    for (uint32_t i = 250; i < 500; i++) c.at[3 * i + 1] = 0.05f;
    run_cloud(c, cloud_make(20), 0.1);
}

static void finds_far_flung(void **state)
{
    (void)state;
    cloud c = random_cloud(900, 0.4, 17);
    for (uint32_t i = 300; i < 900; i++)
        for (uint32_t k = 0; k < 3; k++) c.at[3 * i + k] += i < 600 ? 1e6f : (k == 1 ? -1e6f : 3e5f);
    run_cloud(c, random_cloud(50, 0.4, 23), 0.5);
    /* Beyond the range of cell numbers all fall into the outermost cells and are still right. */
    cloud d = random_cloud(60, 0.4, 29);
    for (uint32_t i = 30; i < 60; i++) d.at[3 * i] = i % 2 ? 3e15f : -3e15f;
    run_cloud(d, random_cloud(10, 0.4, 31), 0.2);
}

static void finds_across_periodic_sides(void **state)
{
    (void)state;
    static const bool sides[][3] = {
        {true, false, false}, {true, true, false}, {true, true, true}, {false, true, false}};
    static const double lengths[] = {0.4, 0.5, 0.61, 1.0};
    for (int s = 0; s < 4; s++)
        for (int l = 0; l < 4; l++) {
            const double from[3] = {-0.1, -0.2, 0.3}, length = lengths[l];
            const double to[3] = {from[0] + length, from[1] + length, from[2] + length};
            const rill_grid grid = rill_grid_make(0.2, sides[s], from, to);
            cloud c = cloud_make(400), walls = cloud_make(60);
            for (uint32_t i = 0; i < 3 * c.count; i++)
                c.at[i] = rill_grid_wrap(&grid, (int)(i % 3), (float)(from[i % 3] + uniform(i + 1000) * length));
            for (uint32_t i = 0; i < 3 * walls.count; i++)
                walls.at[i] = rill_grid_wrap(&grid, (int)(i % 3), (float)(from[i % 3] + uniform(i + 9000) * length));
            /* Exactly on both ends. */
            for (int k = 0; k < 3; k++) c.at[k] = (float)from[k];
            check_cloud(&c, &walls, &grid);
            free(c.at);
            free(walls.at);
        }
}

/* A NaN is nobody's neighbour, harms no list and writes nowhere it should not. */
static void survives_nan(void **state)
{
    (void)state;
    const bool sides[3] = {true, false, false};
    const double from[3] = {-0.1, 0, 0}, to[3] = {0.9, 0, 0};
    for (int periodic = 0; periodic < 2; periodic++) {
        const rill_grid grid = rill_grid_make(0.17, periodic ? sides : NULL, from, to);
        cloud c = cloud_make(1500), none = cloud_make(0);
        for (uint32_t i = 0; i < 3 * c.count; i++) c.at[i] = (float)(0.3 + 0.5 * uniform(i + 77));
        for (uint32_t i = 0; i < 3; i++) c.at[3 * (100 * i + 7) + i] = NAN;
        rill_sph sph;
        rill_threads *pool;
        sph_make(&sph, &c, &none, &grid, 2, &pool);
        const rill_fluid_ops *ops = rill_fluid_ops_for(0);
        search_all(&sph, ops);
        check_lists(&sph, &sph.lists, ops->width, rill_field_f32(&sph.liquid.fields, FIELD_POSITION), c.count, true);
        rill_sph_free(&sph);
        rill_threads_destroy(pool);
        free(c.at);
        free(none.at);
    }
}

/* However far away, a coordinate comes back between the sides. */
static void wraps_from_afar(void **state)
{
    (void)state;
    const bool sides[3] = {true, true, true};
    const double from[3] = {-0.25, 0, 1}, to[3] = {0.25, 1, 3};
    const rill_grid grid = rill_grid_make(0.1, sides, from, to);
    for (int axis = 0; axis < 3; axis++)
        for (int turns = -7; turns <= 7; turns++) {
            const double length = to[axis] - from[axis], inside = from[axis] + 0.375 * length;
            const float x = rill_grid_wrap(&grid, axis, (float)(inside + turns * length));
            if (fabs(x - inside) > 1e-6) fail_msg("axis %d, %d turns: %g, not %g", axis, turns, x, inside);
        }
}

/* The box of cells and the radix sort must give the same order. */
static void sorts_alike_dense_and_sparse(void **state)
{
    (void)state;
    cloud c = random_cloud(3000, 1.0, 41);
    float *records = calloc(c.count + 1, 16);
    for (size_t i = 0; i < c.count; i++) memcpy(records + 4 * i, c.at + 3 * i, 12);
    for (int k = 0; k < 3; k++) records[4 * (size_t)c.count + (size_t)k] = 4e5f;
    const rill_grid *grid = plain_grid(0.15);
    rill_threads *pool = rill_threads_create(1, NULL);
    const rill_scheduler one = rill_threads_scheduler(pool);
    rill_cells dense = {0}, sparse = {0};
    assert_int_equal(rill_cells_sort(&dense, grid, &(rill_cell_input){records, NULL, c.count}, &one, NULL), RILL_OK);
    /* One stray particle makes the box of cells far too large. */
    assert_int_equal(rill_cells_sort(&sparse, grid, &(rill_cell_input){records, NULL, c.count + 1}, &one, NULL),
                     RILL_OK);
    assert_memory_equal(dense.order, sparse.order, c.count * sizeof(uint32_t));
    assert_int_equal(sparse.order[c.count], c.count);
    assert_int_equal(dense.cell_count + 1, sparse.cell_count);
    rill_cells_free(&dense);
    rill_cells_free(&sparse);
    rill_threads_destroy(pool);
    free(records);
    free(c.at);
}

/* Against a plain insertion by cell: particles of one cell keep the order in which they came. */
static void check_sort(const float *records, uint32_t count, const rill_grid *grid, unsigned threads)
{
    rill_threads *pool = rill_threads_create(threads, NULL);
    const rill_scheduler scheduler = rill_threads_scheduler(pool);
    rill_cells cells = {0};
    assert_int_equal(rill_cells_sort(&cells, grid, &(rill_cell_input){records, NULL, count}, &scheduler, NULL),
                     RILL_OK);
    uint32_t seen = 0;
    for (uint32_t row = 0; row < cells.row_count; row++)
        for (uint32_t c = cells.rows[row].first; c < cells.rows[row].last; c++)
            for (uint32_t i = cells.start[c]; i < cells.start[c + 1]; i++, seen++) {
                const float *x = records + 4 * (size_t)cells.order[i];
                if (i > cells.start[c]) assert_true(cells.order[i - 1] < cells.order[i]);
                assert_int_equal(rill_grid_cell(grid, 0, x[0]), cells.x[c]);
                assert_int_equal(rill_grid_cell(grid, 1, x[1]), cells.rows[row].y);
                assert_int_equal(rill_grid_cell(grid, 2, x[2]), cells.rows[row].z);
            }
    assert_int_equal(seen, count);
    for (uint32_t row = 1; row < cells.row_count; row++) {
        const rill_row *a = &cells.rows[row - 1], *b = &cells.rows[row];
        assert_true(a->z < b->z || (a->z == b->z && a->y < b->y));
    }
    rill_cells_free(&cells);
    rill_threads_destroy(pool);
}

/* Enough particles for a chunk a thread; some on the borders of cells, far from zero; then flung apart. */
static void sorts_stably(void **state)
{
    (void)state;
    const uint32_t count = 60000;
    const rill_grid *grid = plain_grid(0.125 / (1 + 1e-6));
    float *records = calloc(count, 16);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t a = 0; a < 3; a++) {
            const double u = 4 * uniform(3 * i + a);
            records[4 * (size_t)i + a] = (float)(100 + (i % 3 ? u : floor(u * 8) / 8 + (i % 2 ? 1e-5 : 0)));
        }
    for (unsigned threads = 1; threads <= 4; threads++) check_sort(records, count, grid, threads);
    /* On borders that neither float nor double can hold exactly. */
    const rill_grid odd = rill_grid_make(0.1, NULL, NULL, NULL);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t a = 0; a < 3; a++)
            records[4 * (size_t)i + a] = (float)(floor(40 * uniform(3 * i + a) - 10) / odd.per_cell[a]);
    check_sort(records, count, &odd, 2);
    /* Three times as many cells as particles, so that not every thread has its own count of them. */
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t a = 0; a < 3; a++) records[4 * (size_t)i + a] = (float)(100 + 7 * uniform(3 * i + a));
    for (unsigned threads = 1; threads <= 4; threads++) check_sort(records, count, grid, threads);
    for (uint32_t i = 0; i < count; i += 2)
        for (uint32_t a = 0; a < 3; a++) records[4 * (size_t)i + a] *= i % 4 ? 1e5f : -300.0f;
    check_sort(records, count, grid, 3);
    free(records);
}

/* A lattice so wide that particles above one another lie far apart in memory: some lists then need more than 16 bits.
 * Each particle must list each of the up to 26 around it once. */
static void check_lattice(uint32_t wide, uint32_t high, bool expect_far)
{
    cloud c = cloud_make(wide * wide * high), none = {0};
    for (uint32_t i = 0; i < c.count; i++) {
        c.at[3 * i] = 0.5f * (float)(i % wide);
        c.at[3 * i + 1] = 0.5f * (float)(i / wide % wide);
        c.at[3 * i + 2] = 0.5f * (float)(i / (wide * wide));
    }
    rill_sph sph;
    rill_threads *pool;
    sph_make(&sph, &c, &none, plain_grid(0.9), 2, &pool);
    const rill_fluid_ops *ops = rill_fluid_ops_for(0);
    search_all(&sph, ops);
    const uint64_t *id = rill_field_u64(&sph.liquid.fields, FIELD_ID);
    uint32_t far = 0;
    for (uint32_t i = 0; i < c.count; i++) {
        const rill_group g = rill_lists_group(&sph.lists, i / ops->width);
        far += g.far;
        const int at[3] = {(int)(id[i] % wide), (int)(id[i] / wide % wide), (int)(id[i] / (wide * wide))};
        uint32_t seen = 1u << 13, expected = 1;
        for (int a = 0; a < 3; a++) expected *= (at[a] > 0) + 1u + (at[a] + 1 < (int)(a < 2 ? wide : high));
        for (uint32_t k = 0; k < sph.lists.count[i]; k++) {
            const uint32_t j = rill_group_neighbour(&g, ops->width, k, i % ops->width);
            const int dx = (int)(id[j] % wide) - at[0], dy = (int)(id[j] / wide % wide) - at[1];
            const int dz = (int)(id[j] / (wide * wide)) - at[2];
            if (abs(dx) > 1 || abs(dy) > 1 || abs(dz) > 1)
                fail_msg("%llu lists %llu, which is far away", (unsigned long long)id[i], (unsigned long long)id[j]);
            const uint32_t bit = 1u << (dx + 1 + 3 * (dy + 1) + 9 * (dz + 1));
            if (seen & bit) fail_msg("%llu lists %llu twice", (unsigned long long)id[i], (unsigned long long)id[j]);
            seen |= bit;
        }
        assert_int_equal(sph.lists.count[i] + 1, expected);
        for (uint32_t k = sph.lists.count[i]; k < g.length; k++)
            assert_int_equal(rill_group_neighbour(&g, ops->width, k, i % ops->width), i);
    }
    assert_int_equal(far > 0, expect_far);
    rill_sph_free(&sph);
    rill_threads_destroy(pool);
    free(c.at);
}

static void finds_all_far_apart_in_memory(void **state)
{
    (void)state;
    check_lattice(200, 4, true);
    check_lattice(50, 4, false);
}

/* The sort takes the best variant of the machine; the others must give the same cells and bounds. */
static void variants_sort_alike(void **state)
{
    (void)state;
    enum { MOST = 67 };
    float records[4 * MOST];
    for (uint32_t i = 0; i < 4 * MOST; i++) records[i] = (float)(40 * uniform(i) - 20);
    for (uint32_t i = 0; i < MOST; i += 5) records[4 * i] = floorf(records[4 * i]);
    records[4 * 9 + 1] = NAN;
    const rill_cell_box box = {{0, 0, 0}, {1, 1, 1}, {-15, -15, -15}, {15.5, 15.5, 15.5}};
    const uint32_t stride[3] = {1, 31, 31 * 31};
    for (int v = RILL_VARIANT_BASE; v <= RILL_VARIANT_AVX512X16; v++) {
        const rill_fluid_ops *ops = rill_fluid_ops_of((rill_variant)v);
        for (uint32_t count = 1; ops && count <= MOST; count++) {
            uint32_t keys[MOST + 1];
            float low[3], high[3];
            keys[count] = 12345;
            ops->cells->keys(&box, stride, records, count, keys);
            ops->cells->bounds(records, count, low, high);
            assert_int_equal(keys[count], 12345);
            for (uint32_t i = 0; i < count; i++) {
                uint32_t key = 0;
                for (uint32_t a = 0; a < 3; a++) {
                    const float x = records[4 * i + a];
                    key += stride[a] * (uint32_t)(x > -15 ? (x < 15.5f ? floorf(x) : 15) + 15 : 0);
                    if (!isnan(x)) assert_true(x >= low[a] && x <= high[a]);
                }
                if (keys[i] != key) fail_msg("variant %d, %u of %u: cell %u, not %u", v, i, count, keys[i], key);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_all_of_random),   cmocka_unit_test(finds_all_of_lattice),
        cmocka_unit_test(finds_all_on_cell_borders), cmocka_unit_test(finds_all_of_clusters),
        cmocka_unit_test(finds_coincident),      cmocka_unit_test(finds_far_flung),
        cmocka_unit_test(finds_across_periodic_sides), cmocka_unit_test(sorts_alike_dense_and_sparse),
        cmocka_unit_test(sorts_stably),          cmocka_unit_test(survives_nan),
        cmocka_unit_test(wraps_from_afar),       cmocka_unit_test(finds_all_far_apart_in_memory),
        cmocka_unit_test(variants_sort_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

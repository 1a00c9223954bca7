/* The simple searches of the benchmark against rill's own. label: small
 * They must find the same neighbours, or the table that sets their times side by
 * side would compare different work. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* They are part of the program, not of the library. */
#include "apps/bench/searches.c"
#include "base/hash.h"
#include "fluid/sph.h"
#include "run/threads.h"

static double uniform(uint64_t key)
{
    return (double)(rill_hash_mix(key * 0x9e3779b97f4a7c15u + 1) >> 11) / 9007199254740992.0;
}

static void own_search(rill_sph *sph, const float *x, uint32_t count, double radius, const rill_scheduler *s)
{
    *sph = (rill_sph){.support = radius, .diameter = radius / 2, .grid = rill_grid_make(radius, NULL, NULL, NULL)};
    assert_int_equal(rill_runner_create(&sph->runner, s, NULL), RILL_OK);
    rill_set_begin(&sph->liquid);
    rill_walls_begin(sph);
    assert_int_equal(rill_set_append(&sph->liquid, count, NULL), RILL_OK);
    for (uint32_t i = 0; i < count; i++)
        memcpy(rill_field_f32(&sph->liquid.fields, FIELD_POSITION) + 4 * (size_t)i, x + 3 * (size_t)i, 3 * sizeof *x);
    assert_int_equal(rill_lists_create(&sph->lists, s->workers, NULL), RILL_OK);
    assert_int_equal(rill_lists_create(&sph->wall_lists, s->workers, NULL), RILL_OK);
    assert_int_equal(rill_lists_create(&sph->liquid_lists, s->workers, NULL), RILL_OK);
    assert_int_equal(rill_walls_make(sph, 0, NULL), RILL_OK);
    assert_int_equal(rill_walls_sort(sph, NULL), RILL_OK);
    assert_int_equal(rill_sph_sort(sph, rill_fluid_ops_for(0), NULL), RILL_OK);
    assert_int_equal(rill_sph_search(sph, rill_fluid_ops_for(0), rill_runner_blocks(&sph->runner, count), NULL),
                     RILL_OK);
}

/* Pairs within rounding of the radius may go either way. */
static bool at_the_edge(const float *x, uint32_t a, uint32_t b, double radius)
{
    double r2 = 0;
    for (size_t k = 0; k < 3; k++) {
        const double d = (double)x[3 * (size_t)a + k] - x[3 * (size_t)b + k];
        r2 += d * d;
    }
    return fabs(sqrt(r2) - radius) < 1e-5 * radius;
}

/* Marks what rill found of each particle, then takes the marks away by what the other search found. */
static void compare(const rill_sph *sph, const bench_found *found, const float *x, double radius, const char *name)
{
    const uint32_t n = found->particles;
    const unsigned width = rill_fluid_ops_for(0)->width;
    const uint64_t *id = rill_field_u64(&sph->liquid.fields, FIELD_ID);
    unsigned char *mark = calloc(n + 1, 1);
    uint64_t pairs = 0;
    for (uint32_t i = 0; i < n; i++) {
        const rill_group g = rill_lists_group(&sph->lists, i / width);
        const uint32_t own = id[i];
        for (uint32_t k = 0; k < sph->lists.count[i]; k++) mark[id[rill_group_neighbour(&g, width, k, i % width)]] = 1;
        const uint32_t *items = found->blocks[own / BENCH_BLOCK].items + found->start[own];
        for (uint32_t k = 0; k < found->count[own]; k++) {
            if (mark[items[k]] != 1 && !at_the_edge(x, own, items[k], radius))
                fail_msg("%s: %u has %u, which is no neighbour or comes twice", name, own, items[k]);
            mark[items[k]] = 2;
        }
        for (uint32_t k = 0; k < n; k++) {
            if (mark[k] == 1 && !at_the_edge(x, own, k, radius)) fail_msg("%s: %u lacks %u", name, own, k);
            mark[k] = 0;
        }
        pairs += found->count[own];
    }
    assert_true(pairs > n);
    free(mark);
}

static void check(const float *x, uint32_t count, double radius)
{
    for (unsigned threads = 1; threads <= 3; threads += 2) {
        rill_threads *pool = rill_threads_create(threads, NULL);
        assert_non_null(pool);
        const rill_scheduler s = rill_threads_scheduler(pool);
        rill_sph sph;
        own_search(&sph, x, count, radius, &s);
        bench_found all = {0}, tree = {0};
        /* The second call uses the memory of the first. */
        for (int k = 0; k < 2; k++) {
            assert_true(bench_search_naive(&all, x, count, (float)radius, &s));
            assert_true(bench_search_octree(&tree, x, count, (float)radius, &s));
        }
        compare(&sph, &all, x, radius, "all pairs");
        compare(&sph, &tree, x, radius, "octree");
        bench_found_free(&all);
        bench_found_free(&tree);
        rill_sph_free(&sph);
        rill_threads_destroy(pool);
    }
}

static void strewn_particles_have_the_same_neighbours(void **state)
{
    (void)state;
    enum { COUNT = 1500 };
    static float x[3 * COUNT];
    for (uint64_t i = 0; i < 3 * COUNT; i++) x[i] = (float)(5 * uniform(i) - 2);
    check(x, COUNT, 1);
}

static void lattices_have_the_same_neighbours(void **state)
{
    (void)state;
    enum { SIDE = 11, COUNT = SIDE * SIDE * SIDE };
    static float x[3 * COUNT];
    for (int i = 0; i < COUNT; i++) {
        x[3 * i] = 0.1f * (float)(i % SIDE);
        x[3 * i + 1] = 0.1f * (float)(i / SIDE % SIDE);
        x[3 * i + 2] = 0.1f * (float)(i / SIDE / SIDE);
    }
    check(x, COUNT, 0.21);
    /* Here many pairs lie on the edge itself. */
    check(x, COUNT, 0.2);
}

/* Dense heaps far apart, some particles in one and the same place: the tree must end. */
static void clusters_have_the_same_neighbours(void **state)
{
    (void)state;
    enum { COUNT = 1200 };
    static float x[3 * COUNT];
    for (uint64_t i = 0; i < COUNT; i++) {
        const double place = (double)(i % 5), size = i % 5 == 4 ? 0 : 0.4;
        for (uint64_t k = 0; k < 3; k++)
            x[3 * i + k] = (float)(7 * place * (k == i % 2 ? 1 : 0.3) + size * uniform(3 * i + k));
    }
    check(x, COUNT, 0.2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strewn_particles_have_the_same_neighbours),
        cmocka_unit_test(lattices_have_the_same_neighbours),
        cmocka_unit_test(clusters_have_the_same_neighbours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Blocks that are taken for inside without a look, and blocks that are found only
 * by following the surface: the same mesh as from all blocks, bubbles and all. label: one thread */
#include "surface/march.h"
#include "tests/sorted_points.h"

static rill_mesh_check meshed(rill_field *field, bool skip, uint32_t *stored)
{
    rill_sparse sparse = {0};
    rill_mesh mesh = {0};
    const rill_block_source source = {rill_field_values, field, field->far};
    const rill_lattice lattice = {.cell = field->cell};
    assert_int_equal(rill_field_blocks(field, &sparse, skip, &serial, NULL), RILL_OK);
    assert_int_equal(rill_sparse_fill(&sparse, &source, &serial, NULL), RILL_OK);
    assert_int_equal(rill_sparse_close(&sparse, &source, &serial, NULL), RILL_OK);
    assert_int_equal(rill_march(&sparse, &lattice, RILL_SURFACE_CUBES, &serial, &mesh, NULL), RILL_OK);
    const rill_mesh_check check = whole(&mesh, skip ? "some blocks" : "all blocks");
    *stored = sparse.stored;
    rill_mesh_free(&mesh);
    rill_sparse_free(&sparse);
    return check;
}

/* The same surface with and without blocks that are taken for inside. Returns the pieces there are. */
static size_t skipping_changes_nothing(int f)
{
    const rill_field_ops *ops = rill_field_ops_best();
    rill_points points = sorted(), moved = {0};
    rill_shapes shapes = {0};
    rill_field field;
    rill_surface_options options = rill_surface_default();
    options.field = (rill_surface_field)f;
    if (f == 0) rill_excess_make(&points, ops, &serial);
    if (f == 3) assert_int_equal(rill_anisotropic_make(&points, ops, 0.7, &serial, &moved, &shapes, NULL), RILL_OK);
    const rill_points *where = f == 3 ? &moved : &points;
    assert_int_equal(rill_field_make(&field, where, f == 3 ? &shapes : NULL, &options, 1, NULL), RILL_OK);
    uint32_t all, some;
    const rill_mesh_check a = meshed(&field, false, &all), b = meshed(&field, true, &some);
    assert_true(some < all);
    assert_int_equal(a.euler, b.euler);
    assert_int_equal(a.pieces, b.pieces);
    assert_true(fabs(a.volume / b.volume - 1) < 1e-9);
    rill_field_free(&field);
    rill_shapes_free(&shapes);
    rill_points_free(&moved);
    rill_points_free(&points);
    return a.pieces;
}

static void skipping_a_ball(void **state)
{
    (void)state;
    fill_ball(slow_build() ? 11 : 19);
    for (int f = 0; f < 4; f++) skipping_changes_nothing(f);
}

/* Takes the particles nearer than this to a place away, in diameters. */
static void pierce(double x, double y, double z, double radius)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const float *r = records + 4 * (size_t)i;
        const double a = (double)r[0] / D - x, b = (double)r[1] / D - y, c = (double)r[2] / D - z;
        if (a * a + b * b + c * c < radius * radius) continue;
        memmove(records + 4 * (size_t)kept++, r, 16);
    }
    count = kept;
}

/* Bubbles of all sizes, wherever they lie among the blocks: none is filled. */
static void skipping_leaves_bubbles(void **state)
{
    (void)state;
    static const double places[8][3] = {{0, 0, 0},       {7.2, 0.3, 1},    {-7, 1.4, 0.5},  {0.2, 7.4, 0.4},
                                        {0.7, -7.1, -1}, {0.1, 1.1, 7.7}, {-1, 0.3, -7.3}, {5, 5, -5}};
    for (int f = 0; f < 4; f++)
        for (int s = 0; s < (slow_build() ? 1 : 6); s++) {
            fill_ball(slow_build() ? 12 : 14);
            const int bubbles = slow_build() ? 1 : 8;
            for (int k = 0; k < bubbles; k++)
                pierce(places[k][0] + 0.17 * s, places[k][1] - 0.23 * s, places[k][2] + 0.31 * s, 1.0 + 0.3 * s);
            const size_t pieces = skipping_changes_nothing(f);
            if (s == 5) assert_int_equal(pieces, 1 + bubbles);
        }
}

/* A closed grid that was guessed wrong: only one block was asked for, and the surface is found from there. */
static void closing_follows_the_surface(void **state)
{
    (void)state;
    fill_ball(slow_build() ? 7 : 11);
    rill_points points = sorted();
    rill_field field;
    const rill_surface_options options = rill_surface_default();
    assert_int_equal(rill_field_make(&field, &points, NULL, &options, 1, NULL), RILL_OK);
    uint32_t all;
    const rill_mesh_check right = meshed(&field, false, &all);
    rill_sparse sparse = {0};
    rill_mesh mesh = {0};
    const rill_block_source source = {rill_field_values, &field, field.far};
    const rill_lattice lattice = {.cell = field.cell};
    /* All that lies within is taken for inside but for one block; the rest for outside. */
    for (int32_t k = 0; k < 27; k++) {
        const uint32_t b = rill_sparse_add(&sparse, (int32_t[3]){k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1});
        if (k == 13) continue;
        sparse.blocks[b].state = RILL_BLOCK_INSIDE;
        memset(sparse.blocks[b].inside, 0xff, sizeof sparse.blocks[b].inside);
    }
    assert_int_equal(rill_sparse_fill(&sparse, &source, &serial, NULL), RILL_OK);
    assert_int_equal(rill_sparse_close(&sparse, &source, &serial, NULL), RILL_OK);
    assert_int_equal(rill_march(&sparse, &lattice, RILL_SURFACE_CUBES, &serial, &mesh, NULL), RILL_OK);
    const rill_mesh_check found = whole(&mesh, "followed");
    assert_int_equal(found.euler, right.euler);
    assert_true(fabs(found.volume / right.volume - 1) < 1e-9);
    rill_mesh_free(&mesh);
    rill_sparse_free(&sparse);
    rill_field_free(&field);
    rill_points_free(&points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skipping_a_ball),
        cmocka_unit_test(skipping_leaves_bubbles),
        cmocka_unit_test(closing_follows_the_surface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

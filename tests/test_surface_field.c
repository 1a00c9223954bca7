/* The fields against sums over all pairs in double precision, with every variant
 * the machine has; the shapes of anisotropic kernels against their definition; and
 * blocks that are passed over. */
#include "fluid/sph.h"
#include "surface/field.h"
#include "surface/march.h"
#include "tests/scenes.h"
#include "tests/surfaces.h"

static const double D = 0.01, PI = 3.14159265358979323846;
enum { MOST = 40000 };

static float records[4 * MOST] __attribute__((aligned(64)));
static uint32_t count;

static void add(double x, double y, double z)
{
    assert_true(count < MOST);
    const double at[3] = {x, y, z};
    for (size_t a = 0; a < 3; a++) records[4 * count + a] = (float)(D * at[a]);
    count++;
}

static void fill_random(unsigned particles, double side, uint64_t seed)
{
    count = 0;
    while (count < particles) {
        const double x = next_random(&seed), y = next_random(&seed), z = next_random(&seed);
        add(side * x, side * y, side * z);
    }
}

static void serial_for(void *user, size_t n, rill_loop_body *body, void *context)
{
    (void)user;
    for (size_t i = 0; i < n; i++) body(context, i, 0);
}
static const rill_scheduler serial = {serial_for, NULL, 1};

static rill_points sorted(void)
{
    rill_points points;
    assert_int_equal(rill_points_make(&points, records, NULL, count, D, &serial, NULL), RILL_OK);
    return points;
}

/* Phi at a place, from the formulas in src/surface/wide/sum.c, lengths in diameters. */
static double phi(int f, const rill_points *points, const float *shapes, const double x[3])
{
    double sum = 0, mean[3] = {0}, nearest = INFINITY;
    for (uint32_t i = 0; i < points->count; i++) {
        double y[3], square = 0;
        for (int a = 0; a < 3; a++) {
            y[a] = ((double)points->position[4 * (size_t)i + (size_t)a] - x[a]) / D;
            square += y[a] * y[a];
        }
        nearest = fmin(nearest, sqrt(square));
        if (f == RILL_SURFACE_DENSITY) {
            const double q = sqrt(square) / 2;
            sum += q >= 1 ? 0 : 1 / PI * (q > 0.5 ? 2 * pow(1 - q, 3) : 6 * (q * q * q - q * q) + 1);
        } else if (f == RILL_SURFACE_ANISOTROPIC) {
            const float *m = shapes + RILL_SHAPE * (size_t)i;
            const double q = (double)m[0] * y[0] * y[0] + (double)m[1] * y[1] * y[1] + (double)m[2] * y[2] * y[2] +
                             (double)m[3] * y[0] * y[1] + (double)m[4] * y[0] * y[2] + (double)m[5] * y[1] * y[2];
            sum += q >= 1 ? 0 : (double)m[6] * pow(1 - q, 3);
        } else if (square < 6.25) {
            const double w = pow(1 - square / 6.25, 3);
            sum += w;
            for (int a = 0; a < 3; a++) mean[a] += w * y[a];
        }
    }
    nearest = fmin(nearest, 2.5);
    if (f == RILL_SURFACE_DENSITY) return sum - 0.5;
    if (f == RILL_SURFACE_ANISOTROPIC) return sum - 0.3;
    if (f == RILL_SURFACE_SPHERES)
        return fmax(0.65 - nearest, fmin(2.5 * (sum / (4 * PI * 15.625 * 16 / 315) - 0.65), 1 - nearest));
    const double t = fmin(fmax((sum - 1) / 2, 0), 1), share = t * t * (3 - 2 * t) + fmax(sum - 5, 0);
    const double bound = 0.62 + 0.335 * share - nearest;
    if (sum <= 0) return bound;
    const double length = sqrt(mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]) / sum;
    return fmin(0.62 - length, bound);
}

static void compare_block(rill_field *field, int f, const float *shapes, const int32_t at[3])
{
    float value[RILL_BLOCK_NODES];
    const double unit = f < 2 ? field->cell / D : 1;
    rill_field_values(field, at, value, 0);
    for (int n = 0; n < RILL_BLOCK_NODES; n++) {
        const double x[3] = {field->cell * (8 * at[0] + n % 8), field->cell * (8 * at[1] + n / 8 % 8),
                             field->cell * (8 * at[2] + n / 64)};
        const double right = phi(f, field->points, shapes, x), found = (double)value[n] * unit;
        /* Where the weights all but vanish their mean is any of the particles. */
        if (fabs(found - right) > 2e-4 && right > -1)
            fail_msg("%s at node %d: %g instead of %g", field_names[f], n, found, right);
    }
}

static void sums_are_right(void **state)
{
    (void)state;
    static const double sides[] = {4, 7, 12}, cells[] = {0.5, 0.31, 1.3};
    for (int f = 0; f < 4; f++)
        for (int s = 0; s < 3; s++)
            for (int v = 0; v < 4; v++) {
                if (!rill_fluid_ops_of((rill_variant)v)) continue;
                rill_surface_options options = rill_surface_default();
                options.field = (rill_surface_field)f;
                options.cell = cells[s];
                fill_random(slow_build() ? 60 : 250, sides[s], (uint64_t)s);
                rill_points points = sorted(), moved = {0};
                float *shapes = NULL;
                rill_field field;
                const rill_field_ops *ops = rill_field_ops_of((rill_variant)v);
                if (f == 3)
                    assert_int_equal(rill_anisotropic_make(&points, ops, &serial, &moved, &shapes, NULL), RILL_OK);
                const rill_points *where = f == 3 ? &moved : &points;
                assert_int_equal(rill_field_make(&field, where, shapes, &options, 1, NULL), RILL_OK);
                field.sum = ops->sum[f];
                for (int32_t z = -1; z < 2; z++)
                    for (int32_t x = -1; x < 2; x++) compare_block(&field, f, shapes, (int32_t[3]){x, 0, z});
                rill_field_free(&field);
                rill_memory_free(shapes);
                rill_points_free(&moved);
                rill_points_free(&points);
            }
}

/* M of a stored shape. */
static void unpack(const float *s, double m[3][3])
{
    m[0][0] = (double)s[0], m[1][1] = (double)s[1], m[2][2] = (double)s[2];
    m[0][1] = m[1][0] = (double)s[3] / 2, m[0][2] = m[2][0] = (double)s[4] / 2, m[1][2] = m[2][1] = (double)s[5] / 2;
}

static double determinant(double m[3][3])
{
    double sum = 0;
    for (int a = 0; a < 3; a++)
        sum += m[0][a] * (m[1][(a + 1) % 3] * m[2][(a + 2) % 3] - m[1][(a + 2) % 3] * m[2][(a + 1) % 3]);
    return sum;
}

/* Moments over all particles: the move of a particle, and the covariance of its neighbours. */
static double brute_moments(uint32_t i, double move[3], double c[3][3])
{
    double weight = 0, square[3][3] = {{0}};
    unsigned near = 0;
    move[0] = move[1] = move[2] = 0;
    for (uint32_t j = 0; j < count; j++) {
        double y[3], r = 0;
        for (size_t a = 0; a < 3; a++) {
            y[a] = ((double)records[4 * j + a] - (double)records[4 * i + a]) / D;
            r += y[a] * y[a];
        }
        if (r >= 9) continue;
        const double w = 1 - pow(sqrt(r) / 3, 3);
        near++;
        weight += w;
        for (int a = 0; a < 3; a++) {
            move[a] += w * y[a];
            for (int b = 0; b < 3; b++) square[a][b] += w * y[a] * y[b];
        }
    }
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) c[a][b] = square[a][b] / weight - move[a] * move[b] / (weight * weight);
    for (int a = 0; a < 3; a++) move[a] *= 0.9 / weight;
    return near;
}

/* C and M have the same axes, so they commute; the weight goes with the volume; the few are round. */
static void shapes_are_right_with(const rill_field_ops *ops)
{
    fill_random(slow_build() ? 100 : 600, 9, 3);
    for (int i = 0; i < 10; i++) add(40 + 1.5 * i, 0, 0);
    rill_points points = sorted(), moved;
    float *shapes;
    assert_int_equal(rill_anisotropic_make(&points, ops, &serial, &moved, &shapes, NULL), RILL_OK);
    unsigned few = 0;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = points.source[moved.source[k]];
        double move[3], c[3][3], m[3][3], size = 0, turned = 0;
        const double near = brute_moments(i, move, c);
        unpack(shapes + RILL_SHAPE * (size_t)k, m);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) {
                double cm = 0, mc = 0;
                for (int e = 0; e < 3; e++) {
                    cm += c[a][e] * m[e][b];
                    mc += m[a][e] * c[e][b];
                }
                size = fmax(size, fabs(cm));
                turned = fmax(turned, fabs(cm - mc));
            }
        assert_true(turned < 1e-3 * size);
        const double weight = 315 / (64 * PI) * sqrt(determinant(m));
        assert_true(fabs((double)shapes[RILL_SHAPE * (size_t)k + 6] / weight - 1) < 1e-3);
        if (near > 12) continue;
        few++;
        for (int a = 0; a < 3; a++) assert_true(fabs(m[a][a] - 1) < 1e-6);
    }
    assert_true(few >= 10);
    rill_memory_free(shapes);
    rill_points_free(&moved);
    rill_points_free(&points);
}

/* x' = x + u minus the neighbours' mean u. */
static void moves_are_right_with(const rill_field_ops *ops)
{
    static double u[1000][3];
    fill_random(slow_build() ? 60 : 300, 8, 4);
    for (uint32_t i = 0; i < count; i++) {
        double c[3][3];
        brute_moments(i, u[i], c);
    }
    rill_points points = sorted(), moved;
    float *shapes;
    assert_int_equal(rill_anisotropic_make(&points, ops, &serial, &moved, &shapes, NULL), RILL_OK);
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = points.source[moved.source[k]];
        double mean[3] = {0}, weight = 0;
        for (uint32_t j = 0; j < count; j++) {
            double r = 0;
            for (size_t a = 0; a < 3; a++) r += pow(((double)records[4 * j + a] - (double)records[4 * i + a]) / D, 2);
            if (r >= 9) continue;
            const double w = 1 - pow(sqrt(r) / 3, 3);
            weight += w;
            for (int a = 0; a < 3; a++) mean[a] += w * u[j][a];
        }
        for (size_t a = 0; a < 3; a++) {
            const double right = (double)records[4 * i + a] + D * (u[i][a] - mean[a] / weight);
            assert_true(fabs((double)moved.position[4 * (size_t)k + a] - right) < 1e-4 * D);
        }
    }
    rill_memory_free(shapes);
    rill_points_free(&moved);
    rill_points_free(&points);
}

static void shapes_are_right(void **state)
{
    (void)state;
    for (int v = 0; v < 4; v++)
        if (rill_fluid_ops_of((rill_variant)v)) shapes_are_right_with(rill_field_ops_of((rill_variant)v));
}

static void moves_are_right(void **state)
{
    (void)state;
    for (int v = 0; v < 4; v++)
        if (rill_fluid_ops_of((rill_variant)v)) moves_are_right_with(rill_field_ops_of((rill_variant)v));
}

/* A film of one layer has kernels four times as wide as thick; amidst liquid they are round. */
static void films_are_flat(void **state)
{
    (void)state;
    const rill_field_ops *ops = rill_field_ops_best();
    count = 0;
    for (int y = 0; y < 12; y++)
        for (int x = 0; x < 12; x++) add(x, y, 0.3);
    rill_points points = sorted(), moved;
    float *shapes;
    assert_int_equal(rill_anisotropic_make(&points, ops, &serial, &moved, &shapes, NULL), RILL_OK);
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = points.source[moved.source[k]];
        if (i % 12 < 4 || i % 12 > 7 || i / 12 < 4 || i / 12 > 7) continue;
        const float *s = shapes + RILL_SHAPE * (size_t)k;
        assert_true(fabsf(s[2] / s[0] - 16) < 0.1f && fabsf(s[2] / s[1] - 16) < 0.1f);
    }
    rill_memory_free(shapes);
    rill_points_free(&moved);
    rill_points_free(&points);
}

static void fill_ball(double radius)
{
    uint64_t random = 1;
    const int n = (int)radius + 1;
    count = 0;
    for (int z = -n; z <= n; z++)
        for (int y = -n; y <= n; y++)
            for (int x = -n; x <= n; x++) {
                if (x * x + y * y + z * z >= radius * radius) continue;
                const double a = next_random(&random), b = next_random(&random), d = next_random(&random);
                add(x + 0.4 * a, y + 0.4 * b, z + 0.4 * d);
            }
}

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

/* Blocks taken for inside change nothing: the same surface with and without. */
static void skipping_changes_nothing(void **state)
{
    (void)state;
    fill_ball(slow_build() ? 11 : 19);
    rill_points points = sorted();
    for (int f = 0; f < 3; f++) {
        rill_field field;
        rill_surface_options options = rill_surface_default();
        options.field = (rill_surface_field)f;
        assert_int_equal(rill_field_make(&field, &points, NULL, &options, 1, NULL), RILL_OK);
        uint32_t all, some;
        const rill_mesh_check a = meshed(&field, false, &all), b = meshed(&field, true, &some);
        assert_true(some < all);
        assert_int_equal(a.euler, b.euler);
        assert_int_equal(a.pieces, b.pieces);
        assert_true(fabs(a.volume / b.volume - 1) < 1e-9);
        rill_field_free(&field);
    }
    rill_points_free(&points);
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
        cmocka_unit_test(sums_are_right),           cmocka_unit_test(shapes_are_right),
        cmocka_unit_test(moves_are_right),          cmocka_unit_test(films_are_flat),
        cmocka_unit_test(skipping_changes_nothing), cmocka_unit_test(closing_follows_the_surface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The fields against sums over all pairs in double precision, with every variant
 * the machine has; the radii of particles and the shapes of anisotropic kernels
 * against their definitions. label: one thread */
#include "fluid/sph.h"
#include "tests/leave_out.h"
#include "tests/sorted_points.h"
#include "text/pi.h"

static const double PI = RILL_PI;

/* The radius x of a particle alone, by bisection: x (x^2 - k c^2) = 0.62^3. */
static double drop_radius(double k, double cell)
{
    double low = 0.62, high = 1.6 * 0.62;
    for (int i = 0; i < 60; i++) {
        const double x = (low + high) / 2;
        if (x * (x * x - k * cell * cell) < 0.62 * 0.62 * 0.62) low = x;
        else high = x;
    }
    return low;
}

/* Phi at a place, from the formulas in src/surface/wide/sum.c, lengths in diameters. */
static double phi(int f, const rill_points *points, const rill_shapes *shapes, double cell, const double x[3])
{
    double sum = 0, mean[3] = {0}, nearest = INFINITY, excess = 0;
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
            const float *m = rill_shapes_at(shapes, i);
            const double q = (double)m[0] * y[0] * y[0] + (double)m[1] * y[1] * y[1] + (double)m[2] * y[2] * y[2] +
                             (double)m[3] * y[0] * y[1] + (double)m[4] * y[0] * y[2] + (double)m[5] * y[1] * y[2];
            sum += q >= 1 ? 0 : (double)m[6] * pow(1 - q, 3);
        } else if (square < 6.25) {
            const double w = pow(1 - square / 6.25, 3);
            sum += w;
            excess += w * (double)points->position[4 * (size_t)i + 3];
            for (int a = 0; a < 3; a++) mean[a] += w * y[a];
        }
    }
    nearest = fmin(nearest, 2.5);
    if (f == RILL_SURFACE_DENSITY) return sum - 0.5;
    if (f == RILL_SURFACE_ANISOTROPIC) return sum - 0.3;
    const double alone = fmin(fmax(2 - sum, 0), 1), drop = drop_radius(0.58, cell);
    if (f == RILL_SURFACE_SPHERES)
        return fmax(0.65 + alone * (drop - 0.65) - nearest,
                    fmin(2.5 * (sum / (4 * PI * 15.625 * 16 / 315) - 0.65), 1 - nearest));
    const double t = fmin(fmax((sum - 1) / 2, 0), 1), share = t * t * (3 - 2 * t) + fmax(sum - 5, 0);
    const double bound = 0.62 + 0.335 * share - nearest;
    if (sum <= 0) return drop - nearest;
    const double length = sqrt(mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]) / sum;
    return fmin(0.62 + excess / sum - length, bound) + alone * (drop - 0.62);
}

static void compare_block(rill_field *field, int f, const rill_shapes *shapes, const int32_t at[3])
{
    float value[RILL_BLOCK_NODES];
    const double unit = f < 2 ? field->cell / D : 1;
    rill_field_values(field, at, value, 0);
    for (int n = 0; n < RILL_BLOCK_NODES; n++) {
        const double x[3] = {field->cell * (8 * at[0] + n % 8), field->cell * (8 * at[1] + n / 8 % 8),
                             field->cell * (8 * at[2] + n / 64)};
        const double right = phi(f, field->points, shapes, field->cell / D, x), found = (double)value[n] * unit;
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
                if (!rill_fluid_ops_of((rill_variant)v)) {
                    leave_out("fields of variants that this machine or build has not");
                    continue;
                }
                rill_surface_options options = rill_surface_default();
                options.field = (rill_surface_field)f;
                options.cell = cells[s];
                fill_random(slow_build() ? 60 : 250, sides[s], (uint64_t)s);
                rill_points points = sorted(), moved = {0};
                rill_shapes shapes = {0};
                rill_field field;
                const rill_field_ops *ops = rill_field_ops_of((rill_variant)v);
                if (f == 0) rill_excess_make(&points, ops, &serial);
                if (f == 3)
                    assert_int_equal(rill_anisotropic_make(&points, ops, 0.7, &serial, &moved, &shapes, NULL), RILL_OK);
                const rill_points *where = f == 3 ? &moved : &points;
                assert_int_equal(rill_field_make(&field, where, f == 3 ? &shapes : NULL, &options, 1, NULL), RILL_OK);
                field.ops = ops;
                for (int32_t z = -1; z < 2; z++)
                    for (int32_t x = -1; x < 2; x++) compare_block(&field, f, &shapes, (int32_t[3]){x, 0, z});
                rill_field_free(&field);
                rill_shapes_free(&shapes);
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

/* Moments over all particles: how many are near, the move of a particle, the covariance of its neighbours, and the
 * sum of weights. */
static double brute_moments(uint32_t i, double move[3], double c[3][3], double *all)
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
    *all = weight;
    return near;
}

/* C and M have the same axes, so they commute; the weight goes with the volume; the few are round. */
static void shapes_are_right_with(const rill_field_ops *ops)
{
    fill_random(slow_build() ? 100 : 600, 9, 3);
    for (int i = 0; i < 10; i++) add(40 + 1.5 * i, 0, 0);
    add(80, 0, 0);
    rill_points points = sorted(), moved;
    rill_shapes shapes = {0};
    assert_int_equal(rill_anisotropic_make(&points, ops, 0.7, &serial, &moved, &shapes, NULL), RILL_OK);
    unsigned few = 0, lone = 0;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = points.source[moved.source[k]];
        double move[3], c[3][3], m[3][3], size = 0, turned = 0, all;
        const double near = brute_moments(i, move, c, &all), grown = 1 + fmax(2 - all, 0) * (0.7 / 0.651 - 1);
        unpack(rill_shapes_at(&shapes, k), m);
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
        assert_true(turned <= 1e-3 * size);
        const double weight = 315 / (64 * PI) * sqrt(determinant(m)) * grown * grown * grown;
        assert_true(fabs((double)rill_shapes_at(&shapes, k)[6] / weight - 1) < 1e-3);
        if (near > 12) continue;
        few++;
        lone += near == 1;
        for (int a = 0; a < 3; a++) assert_true(fabs(m[a][a] * grown * grown - 1) < 1e-6);
    }
    assert_true(few >= 10 && lone == 1);
    rill_shapes_free(&shapes);
    rill_points_free(&moved);
    rill_points_free(&points);
}

/* x' = x + v / (1 + (v / 0.5)^3), v = u minus the neighbours' mean u. */
static void moves_are_right_with(const rill_field_ops *ops)
{
    static double u[1000][3];
    fill_random(slow_build() ? 60 : 300, 8, 4);
    for (uint32_t i = 0; i < count; i++) {
        double c[3][3], all;
        brute_moments(i, u[i], c, &all);
    }
    rill_points points = sorted(), moved;
    rill_shapes shapes = {0};
    assert_int_equal(rill_anisotropic_make(&points, ops, 0.7, &serial, &moved, &shapes, NULL), RILL_OK);
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
        double v[3], length = 0;
        for (int a = 0; a < 3; a++) {
            v[a] = u[i][a] - mean[a] / weight;
            length += v[a] * v[a];
        }
        const double kept = 1 / (1 + pow(sqrt(length) / 0.5, 3));
        for (size_t a = 0; a < 3; a++) {
            const double right = (double)records[4 * i + a] + D * kept * v[a];
            assert_true(fabs((double)moved.position[4 * (size_t)k + a] - right) < 1e-4 * D);
        }
    }
    rill_shapes_free(&shapes);
    rill_points_free(&moved);
    rill_points_free(&points);
}

/* r_i - r = 0.5 max(m - 0.7 min(sum w / 10, 1), 0), in a ball, of which the middle is passed over, and in spray. */
static void radii_are_right_with(const rill_field_ops *ops)
{
    fill_ball(slow_build() ? 6 : 9);
    add(30, 0, 0);
    for (int i = 0; i < 2; i++) add(40 + i, 0, 0);
    rill_points points = sorted();
    unsigned larger = 0;
    rill_excess_make(&points, ops, &serial);
    for (uint32_t k = 0; k < count; k++) {
        double move[3], c[3][3], all;
        brute_moments(points.source[k], move, c, &all);
        const double m = sqrt(move[0] * move[0] + move[1] * move[1] + move[2] * move[2]) / 0.9;
        const double right = 0.5 * fmax(m - 0.7 * fmin(all / 10, 1), 0);
        assert_true(fabs((double)points.position[4 * (size_t)k + 3] - right) < 1e-4);
        larger += right > 0;
    }
    assert_true(larger > 20 && larger < count / 2);
    rill_points_free(&points);
}

static void radii_are_right(void **state)
{
    (void)state;
    for (int v = 0; v < 4; v++)
        if (rill_fluid_ops_of((rill_variant)v)) radii_are_right_with(rill_field_ops_of((rill_variant)v));
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
    rill_shapes shapes = {0};
    assert_int_equal(rill_anisotropic_make(&points, ops, 0.7, &serial, &moved, &shapes, NULL), RILL_OK);
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = points.source[moved.source[k]];
        if (i % 12 < 4 || i % 12 > 7 || i / 12 < 4 || i / 12 > 7) continue;
        const float *s = rill_shapes_at(&shapes, k);
        assert_true(fabsf(s[2] / s[0] - 16) < 0.1f && fabsf(s[2] / s[1] - 16) < 0.1f);
    }
    rill_shapes_free(&shapes);
    rill_points_free(&moved);
    rill_points_free(&points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_right),           cmocka_unit_test(shapes_are_right),
        cmocka_unit_test(moves_are_right),          cmocka_unit_test(films_are_flat),
        cmocka_unit_test(radii_are_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

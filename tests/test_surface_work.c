/* How much is done for a surface: work that grows with it and not with what lies
 * inside, and the short ways to that against the long ones. label: one thread */
#include "fluid/sph.h"
#include "surface/cull.h"
#include "surface/spacing.h"
#include "tests/sorted_points.h"
#include "text/pi.h"

/* Calm: in great disorder there are gaps inside that spheres and density have to be asked about. */
static void fill_cube(int n)
{
    uint64_t random = 5;
    count = 0;
    for (int z = 0; z < n; z++)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                const double a = next_random(&random), b = next_random(&random), d = next_random(&random);
                add(x + 0.2 * a, y + 0.2 * b, z + 0.2 * d);
            }
}

/* The cloud as others give it. */
static rill_particles particles(void)
{
    static float x[3 * MOST];
    for (uint32_t i = 0; i < count; i++) memcpy(x + 3 * (size_t)i, records + 4 * (size_t)i, 12);
    return (rill_particles){.count = count, .position = x, .diameter = D};
}

/* Particles that are not known to lie deep inside, whose neighbours count one by one. */
static double looked_at(double margin)
{
    rill_points points = sorted();
    bool *deep = rill_points_deep(&points, margin, &serial);
    assert_non_null(deep);
    uint32_t looked = 0;
    for (uint32_t cell = 0; cell < points.cells.cell_count; cell++)
        if (!deep[cell]) looked += points.cells.start[cell + 1] - points.cells.start[cell];
    free(deep);
    rill_points_free(&points);
    return looked;
}

static double nodes_summed(int f)
{
    const rill_particles p = particles();
    rill_surface_options options = rill_surface_default();
    rill_surface_report report;
    rill_mesh mesh;
    options.field = (rill_surface_field)f;
    assert_int_equal(rill_surface_make(&p, &options, &mesh, &report, NULL), RILL_OK);
    assert_true(report.nodes >= report.cells && report.cells > mesh.vertex_count);
    rill_mesh_free(&mesh);
    return (double)report.nodes;
}

/* Eight times the particles have four times the surface. */
static void work_grows_with_the_surface(void **state)
{
    (void)state;
    double nodes[2][4];
    for (int k = 0; k < 2; k++) {
        const int n = k ? 32 : 16;
        fill_cube(n);
        /* Two diameters and two cells: nobody deeper than five is looked at. */
        assert_true(looked_at(2) < pow(n, 3) - pow(n - 10, 3));
        for (int f = 0; f < 4; f++) nodes[k][f] = nodes_summed(f);
    }
    for (int f = 0; f < 4; f++)
        if (!(nodes[1][f] < 4.1 * nodes[0][f]))
            fail_msg("%s: %g nodes, then %g", field_names[f], nodes[0][f], nodes[1][f]);
}

/* Cells are deep where the box around each is filled. */
static void deep_cells_are_right(void **state)
{
    (void)state;
    for (int s = 0; s < 4; s++) {
        if (s < 2) fill_ball(slow_build() ? 9 : 15);
        else fill_random(slow_build() ? 3000 : 20000, slow_build() ? 13 : 25, (uint64_t)s);
        uint32_t kept = 0;
        for (uint32_t i = 0; i < count; i++) /* holes along slanted lines */
            if (s % 2 == 0 || fabs(fmod((double)(records[4 * i] + 2 * records[4 * i + 1]) / D, 17)) > 2)
                memmove(records + 4 * (size_t)kept++, records + 4 * (size_t)i, 16);
        count = kept;
        rill_points points = sorted();
        for (int margin = 1; margin <= 4; margin++) {
            bool *deep = rill_points_deep(&points, margin, &serial);
            uint32_t found = 0;
            for (uint32_t cell = 0; cell < points.cells.cell_count; cell++) {
                double low[3], high[3];
                rill_points_cell_box(&points, cell, margin * D, low, high);
                assert_int_equal(deep[cell], rill_points_fill(rill_points_rows(&points, low, high)) > 0);
                found += deep[cell];
            }
            if (s == 0 && margin == 2) assert_true(found > 10);
            free(deep);
        }
        rill_points_free(&points);
    }
}

static bool covered(const rill_points *points, const double origin[3], double cell, double reach)
{
    for (int n = 0; n < RILL_BLOCK_NODES; n++) {
        const double x[3] = {origin[0] + cell * (n % 8), origin[1] + cell * (n / 8 % 8), origin[2] + cell * (n / 64)};
        double least = INFINITY;
        for (uint32_t i = 0; i < points->count; i++) {
            double square = 0;
            for (size_t a = 0; a < 3; a++) square += pow((double)points->position[4 * (size_t)i + a] - x[a], 2);
            least = fmin(least, square);
        }
        if (sqrt(least) >= cell * reach) return false;
    }
    return true;
}

/* A lattice from which one particle is missing, looked at with reaches around the size of that hole. */
static void covered_blocks_are_right(void **state)
{
    (void)state;
    static const double cells[] = {0.5, 0.25, 0.31, 1, 1.4, 0.1};
    unsigned yes = 0, no = 0;
    for (int s = 0; s < 6; s++)
        for (int k = 0; k < (slow_build() ? 4 : 24); k++) {
            fill_ball(slow_build() ? 7 : 10);
            for (uint32_t i = 0; i < count; i++) records[4 * i] += s % 2 ? (float)(3e4 * D) : 0;
            memmove(records + 4 * (size_t)(count / 2), records + 4 * (size_t)(count - 1), 16);
            count--;
            rill_points points = sorted();
            const double cell = cells[s] * D, reach = (0.8 + 0.02 * k) / cells[s];
            const float *hole = points.position + 4 * (size_t)(count / 2);
            double origin[3], low[3], high[3];
            for (int a = 0; a < 3; a++) {
                origin[a] = (double)hole[a] - cell * (3.3 + 0.1 * k);
                low[a] = origin[a] - reach * cell;
                high[a] = origin[a] + (7 + reach) * cell;
            }
            const rill_rows box = rill_points_rows(&points, low, high);
            float *scratch = malloc(3 * (count + RILL_COVER_SLACK) * sizeof *scratch);
            const bool right = covered(&points, origin, cell, reach);
            for (int v = 0; v < 4; v++)
                if (rill_fluid_ops_of((rill_variant)v))
                    assert_int_equal(rill_field_ops_of((rill_variant)v)->cover(box, count, origin, cell, (float)reach,
                                                                               scratch), right);
            yes += right;
            no += !right;
            free(scratch);
            rill_points_free(&points);
        }
    assert_true(yes > 5 && no > 5);
}

static double distance(uint32_t i, uint32_t j)
{
    double square = 0;
    for (size_t a = 0; a < 3; a++) square += pow((double)records[4 * i + a] - (double)records[4 * j + a], 2);
    return sqrt(square) / D;
}

/* Of spray, those with enough neighbours, and of these the groups that are large enough. */
static void culling_is_right(void **state)
{
    (void)state;
    static const uint32_t neighbours[] = {0, 3, 9, 0}, least[] = {7, 1, 12, 60};
    static uint32_t group[2000], size[2000];
    static bool kept[2000], found[2000];
    for (int s = 0; s < 4; s++) {
        fill_random(slow_build() ? 300 : 1500, slow_build() ? 9 : 16, (uint64_t)s);
        rill_points points = sorted();
        assert_int_equal(rill_cull(&points, neighbours[s], least[s], &serial, NULL), RILL_OK);
        memset(found, 0, sizeof found);
        for (uint32_t i = 0; i < points.count; i++) found[points.source[i]] = true;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t near = 0;
            for (uint32_t j = 0; j < count; j++) near += j != i && distance(i, j) < 2;
            kept[i] = near >= neighbours[s];
            group[i] = i;
        }
        for (bool changed = true; changed;) {
            changed = false;
            for (uint32_t i = 0; i < count; i++)
                for (uint32_t j = 0; j < count; j++) {
                    if (!kept[i] || !kept[j] || group[j] >= group[i] || distance(i, j) >= 1.5) continue;
                    group[i] = group[j];
                    changed = true;
                }
        }
        memset(size, 0, sizeof size);
        for (uint32_t i = 0; i < count; i++) size[group[i]] += kept[i];
        for (uint32_t i = 0; i < count; i++) assert_int_equal(found[i], kept[i] && size[group[i]] >= least[s]);
        assert_true(points.count < count);
        rill_points_free(&points);
    }
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* As src/surface/spacing.c says, by asking all particles. */
static double spacing_of_all(void)
{
    double found[128], diameter = 0;
    const uint32_t samples = count < 128 ? count : 128;
    for (int round = 0; round < 3; round++) {
        for (uint32_t s = 0; s < samples; s++) {
            double nearest = INFINITY, near = 0;
            for (uint32_t j = 0; j < count; j++) {
                const double r = distance(count * s / samples, j);
                if (r > 0) nearest = fmin(nearest, r);
                near += r < 3.3 * diameter;
            }
            found[s] = round ? near : nearest;
        }
        qsort(found, samples, sizeof *found, compare);
        if (round == 0) diameter = found[samples / 2];
        else if (found[samples * 4 / 5] > 15)
            diameter = cbrt(4.0 / 3 * RILL_PI * pow(3.3 * diameter, 3) / found[samples * 4 / 5]);
    }
    return D * diameter;
}

/* On a plane, on a line, in spray, in a ball that one has left by far, and where all are in one place. */
static void spacing_is_right(void **state)
{
    (void)state;
    for (int s = 0; s < 5; s++) {
        if (s < 2) fill_random(900, 20, (uint64_t)s);
        else fill_ball(slow_build() ? 4 : 7);
        for (uint32_t i = 0; i < count; i++)
            for (size_t a = 0; a < 3; a++)
                if ((s == 0 && a > 1) || (s == 1 && a > 0) || s == 4) records[4 * i + a] = (float)(3 * D);
        if (s == 3) add(1e5, 0, -1e5);
        const rill_particles p = particles();
        double diameter;
        assert_int_equal(rill_spacing_of(&p, &serial, &diameter, NULL), RILL_OK);
        if (s == 4) assert_true(diameter == 0);
        else assert_true(fabs(diameter / spacing_of_all() - 1) < 1e-4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_grows_with_the_surface), cmocka_unit_test(deep_cells_are_right),
        cmocka_unit_test(covered_blocks_are_right),    cmocka_unit_test(culling_is_right),
        cmocka_unit_test(spacing_is_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Density, pressure or velocity at a point. */
#include <math.h>

#include "physics/method.h"
#include "physics/params.h"
#include "physics/probe/nearest.h"

static uint32_t values_of(const rill_probe *probe)
{
    return probe->of == RILL_VELOCITY ? 3 : 1;
}

/* Weighted sums over the neighbours of a point: with d from the point to a neighbour and v its values,
 * 1, d, d d^T, v and d v; and the range of v. */
typedef struct point_sum {
    double weight, d[3], dd[3][3], value[3], d_value[3][3];
    double least[3], most[3];
} point_sum;

/* A point looks further than particles do, so that the noise of single ones is evened out. */
static double reach_of(const rill_sph *sph)
{
    return 1.5 * sph->support;
}

static void add_neighbour(const rill_sph *sph, const rill_probe *probe, const double at[3], size_t j, point_sum *sum)
{
    const float *x = rill_field_f32(&sph->liquid.fields, FIELD_POSITION) + 4 * j;
    double d[3], r2 = 0;
    for (int a = 0; a < 3; a++) {
        d[a] = nearest(&sph->grid, a, x[a] - at[a]);
        r2 += d[a] * d[a];
    }
    const double reach = reach_of(sph);
    if (r2 >= reach * reach) return;
    const double w = sph->volume * rill_kernel_w(rill_kernel_of_density(sph->kernel), sqrt(r2), reach);
    const float *v = probe->of == RILL_DENSITY    ? rill_field_f32(&sph->liquid.fields, FIELD_DENSITY) + j
                     : probe->of == RILL_PRESSURE ? rill_field_f32(&sph->liquid.fields, FIELD_PRESSURE) + j
                                                  : rill_field_f32(&sph->liquid.fields, FIELD_VELOCITY) + 4 * j;
    const bool first = !(sum->weight > 0);
    sum->weight += w;
    for (int a = 0; a < 3; a++) {
        sum->d[a] += w * d[a];
        for (int b = 0; b < 3; b++) sum->dd[a][b] += w * d[a] * d[b];
    }
    for (uint32_t k = 0; k < values_of(probe); k++) {
        sum->value[k] += w * v[k];
        sum->least[k] = first ? v[k] : fmin(sum->least[k], v[k]);
        sum->most[k] = first ? v[k] : fmax(sum->most[k], v[k]);
        for (int a = 0; a < 3; a++) sum->d_value[k][a] += w * d[a] * v[k];
    }
}

/* The plane through the neighbours' values by least squares, read at the point: at a wall, where all neighbours lie on
 * one side, their mean would be the value some way off. C g = c with the covariances of d with d and with v; a small
 * share of the reach's square on the diagonal makes the plane level where neighbours do not span space. */
static double read_plane(const rill_sph *sph, const point_sum *sum, uint32_t k)
{
    const double W = sum->weight, mean = sum->value[k] / W, level = 1e-3 * reach_of(sph) * reach_of(sph);
    double m[3], c[3], C[3][3], det = 0, slope = 0; /* slope: m.g = m.(adj C) c / det C */
    for (int a = 0; a < 3; a++) {
        m[a] = sum->d[a] / W;
        c[a] = sum->d_value[k][a] / W - m[a] * mean;
        for (int b = 0; b < 3; b++) C[a][b] = sum->dd[a][b] / W - m[a] * sum->d[b] / W + (a == b ? level : 0);
    }
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            const int a1 = (a + 1) % 3, a2 = (a + 2) % 3, b1 = (b + 1) % 3, b2 = (b + 2) % 3;
            const double adjugate = C[a1][b1] * C[a2][b2] - C[a1][b2] * C[a2][b1];
            if (a == 0) det += C[a][b] * adjugate;
            slope += m[a] * adjugate * c[b];
        }
    return mean - slope / det;
}

/* The value that belongs to a point; zero where there is no liquid. A plane through few neighbours may lead anywhere,
 * so it ends with their range, to which the pressure adds what still liquid would over the reach. Pressure also ends at
 * the surface, where it would change its sign. */
static double point_value(const rill_sph *sph, const rill_probe *probe, const point_sum *sum, uint32_t k)
{
    if (sum->weight <= 0.02) return 0;
    const float *g = sph->gravity;
    const double weight = sph->rest_density[0] * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    const double beyond = probe->of == RILL_PRESSURE ? weight * reach_of(sph) : 0;
    const double value = fmin(fmax(read_plane(sph, sum, k), sum->least[k] - beyond), sum->most[k] + beyond);
    return probe->of == RILL_PRESSURE && value * sum->value[k] < 0 ? 0 : value;
}

/* The values at a point, from its neighbours. The cells are as wide as the support, and those of the
 * beginning of the step: a particle has moved by less than one of them since, so three rings of cells find all. */
static void measure(const rill_probe_view *view, const rill_probe *probe, double *values)
{
    const rill_sph *sph = view->sph;
    const double at[3] = {probe->at.x, probe->at.y, probe->at.z};
    int32_t c[3], ring[3];
    for (int a = 0; a < 3; a++) {
        c[a] = rill_grid_cell(&sph->grid, a, rill_grid_wrap(&sph->grid, a, (float)at[a]));
        const int32_t n = sph->grid.wrap[a];
        ring[a] = n && n < 7 ? n / 2 : 3;
    }
    point_sum sum = {0};
    for (int32_t z = c[2] - ring[2]; z <= c[2] + ring[2]; z++)
        for (int32_t y = c[1] - ring[1]; y <= c[1] + ring[1]; y++)
            for (int32_t x = c[0] - ring[0]; x <= c[0] + ring[0]; x++) {
                int32_t n[3] = {x, y, z};
                bool again = false;
                for (int a = 0; a < 3; a++) {
                    const int32_t wrap = sph->grid.wrap[a];
                    if (!wrap) continue;
                    /* On an even number of cells both ends of the ring are one cell. */
                    again = again || (wrap < 7 && 2 * ring[a] == wrap && n[a] == c[a] + ring[a]);
                    n[a] = (n[a] + wrap) % wrap;
                }
                const rill_row *row = again ? NULL : rill_cells_row(&sph->liquid.cells, n[1], n[2]);
                const uint32_t cell = row ? rill_row_find(&sph->liquid.cells, row, n[0]) : 0;
                if (!row || cell == row->last || sph->liquid.cells.x[cell] != n[0]) continue;
                for (uint32_t j = sph->liquid.cells.start[cell]; j < sph->liquid.cells.start[cell + 1]; j++)
                    add_neighbour(sph, probe, at, j, &sum);
            }
    for (uint32_t v = 0; v < values_of(probe); v++) values[v] = point_value(sph, probe, &sum, v);
}

static const rill_column *columns(const rill_probe *probe)
{
    static const rill_column density[] = {
        {"", "kg/m³", RILL_COLUMN_NUMBER, RILL_OVER_LAST, "Density at the point."}, {0}};
    static const rill_column pressure[] = {
        {"", "Pa", RILL_COLUMN_NUMBER, RILL_OVER_LAST, "Pressure at the point."}, {0}};
    static const rill_column velocity[] = {
        {"_x", "m/s", RILL_COLUMN_NUMBER, RILL_OVER_LAST, "Velocity along x at the point."},
        {"_y", "m/s", RILL_COLUMN_NUMBER, RILL_OVER_LAST, "Velocity along y at the point."},
        {"_z", "m/s", RILL_COLUMN_NUMBER, RILL_OVER_LAST, "Velocity along z at the point."},
        {0}};
    return probe->of == RILL_VELOCITY ? velocity : probe->of == RILL_PRESSURE ? pressure : density;
}

static const rill_word quantity_words[] = {
    {"density", RILL_DENSITY}, {"pressure", RILL_PRESSURE}, {"velocity", RILL_VELOCITY}, {0}};
static const rill_param params[] = {
    RILL_PARAM_PROBE_AT,
    {"of", RILL_PARAM_CHOICE, .in = RILL_IN_PROBE, .offset = offsetof(rill_probe, of), .words = quantity_words,
     .about = "the quantity, by a plane through the particles within 1.5 supports. With all solvers but `wcsph` "
              "still liquid lies closer to its walls than it should: its level is 2 to 3 % low, its pressure within 3 % "
              "of the weight of what stands there, so up to 10 % too low near the surface, and refining does not mend "
              "the part at walls."},
    {0}};

extern const rill_probe_method rill_probe_point;
const rill_probe_method rill_probe_point = {.name = "point",
                                            .about = "density, pressure or velocity at a point",
                                            .params = params,
                                            .columns = columns,
                                            .measure = measure};

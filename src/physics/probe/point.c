/* Density, pressure or velocity at a point. */
#include <math.h>

#include "fluid/near.h"
#include "physics/method.h"
#include "physics/params.h"
#include "physics/probe/point.h"

static uint32_t values_of(rill_quantity of)
{
    return of == RILL_VELOCITY ? 3 : 1;
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

/* A sum in the making. */
typedef struct reading {
    const rill_sph *sph;
    rill_quantity of;
    point_sum sum;
} reading;

static bool add_neighbour(void *user, uint32_t j, const double d[3], double r2)
{
    reading *r = user;
    const rill_fields *fields = &r->sph->liquid.fields;
    point_sum *sum = &r->sum;
    const double w = r->sph->volume * rill_kernel_w(rill_kernel_of_density(r->sph->kernel), sqrt(r2), reach_of(r->sph));
    const float *v = r->of == RILL_DENSITY    ? rill_field_f32(fields, FIELD_DENSITY) + j
                     : r->of == RILL_PRESSURE ? rill_field_f32(fields, FIELD_PRESSURE) + j
                                              : rill_field_f32(fields, FIELD_VELOCITY) + 4 * (size_t)j;
    const bool first = !(sum->weight > 0);
    sum->weight += w;
    for (int a = 0; a < 3; a++) {
        sum->d[a] += w * d[a];
        for (int b = 0; b < 3; b++) sum->dd[a][b] += w * d[a] * d[b];
    }
    for (uint32_t k = 0; k < values_of(r->of); k++) {
        sum->value[k] += w * v[k];
        sum->least[k] = first ? v[k] : fmin(sum->least[k], v[k]);
        sum->most[k] = first ? v[k] : fmax(sum->most[k], v[k]);
        for (int a = 0; a < 3; a++) sum->d_value[k][a] += w * d[a] * v[k];
    }
    return true;
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

/* The value that belongs to a point. A plane through few neighbours may lead anywhere,
 * so it ends with their range, to which the pressure adds what still liquid would over the reach. Pressure also ends at
 * the surface, where it would change its sign. */
static double point_value(const rill_sph *sph, rill_quantity of, const point_sum *sum, uint32_t k)
{
    const float *g = sph->gravity;
    const double weight = sph->rest_density[0] * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    const double beyond = of == RILL_PRESSURE ? weight * reach_of(sph) : 0;
    const double value = fmin(fmax(read_plane(sph, sum, k), sum->least[k] - beyond), sum->most[k] + beyond);
    return of == RILL_PRESSURE && value * sum->value[k] < 0 ? 0 : value;
}

bool rill_point_read(const rill_sph *sph, rill_quantity of, rill_vec3 at, double *values)
{
    reading r = {.sph = sph, .of = of};
    rill_near_visit(sph, (const double[]){at.x, at.y, at.z}, reach_of(sph), add_neighbour, &r);
    const bool wet = r.sum.weight > 0.02;
    for (uint32_t v = 0; v < values_of(of); v++) values[v] = wet ? point_value(sph, of, &r.sum, v) : 0;
    return wet;
}

static void measure(const rill_probe_view *view, const rill_probe *probe, double *values)
{
    rill_point_read(view->sph, probe->of, probe->at, values);
}

static const rill_column *columns(const rill_probe *probe)
{
    static const rill_column density[] = {
        {"", "kg/m3", RILL_COLUMN_NUMBER, RILL_OVER_LAST, "Density at the point."}, {0}};
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
     .about = "the quantity, by a plane through the particles within 1.5 supports."},
    {0}};

extern const rill_probe_method rill_probe_point;
const rill_probe_method rill_probe_point = {.name = "point",
                                            .about = "density, pressure or velocity at a point",
                                            .params = params,
                                            .columns = columns,
                                            .measure = measure};

/* Probes: figures read off the liquid after every step. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world/world.h"

static uint32_t values_of(const rill_probe *probe)
{
    return probe->kind == RILL_PROBE_POINT && probe->of == RILL_VELOCITY ? 3 : 1;
}

rill_status rill_probes_create(rill_world *world, rill_error *err)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->scene.probe_count; i++) count += values_of(&world->scene.probes[i]);
    world->probe_values = calloc(count + 1, sizeof *world->probe_values);
    world->probe_names = calloc(count + 1, sizeof *world->probe_names);
    if (!world->probe_values || !world->probe_names)
        return rill_fail(err, RILL_NO_MEMORY, "There is no memory for %u probe values.", count);
    world->probe_value_count = count;
    for (uint32_t i = 0, v = 0; i < world->scene.probe_count; i++) {
        const rill_probe *probe = &world->scene.probes[i];
        if (values_of(probe) == 1) {
            snprintf(world->probe_names[v++], sizeof *world->probe_names, "%.60s", probe->name);
            continue;
        }
        for (int a = 0; a < 3; a++)
            snprintf(world->probe_names[v++], sizeof *world->probe_names, "%.60s_%c", probe->name, "xyz"[a]);
    }
    return RILL_OK;
}

const char *rill_world_probe_name(const rill_world *world, uint32_t value)
{
    return value < world->probe_value_count ? world->probe_names[value] : NULL;
}

/* A difference of coordinates, to the nearest image. */
static double nearest(const rill_grid *grid, int axis, double d)
{
    return grid->wrap[axis] ? d - grid->period[axis] * round(d / grid->period[axis]) : d;
}

/* The furthest particle that is still part of the liquid, by its surface. */
static double front(const rill_sph *sph, const rill_probe *probe)
{
    const float *x = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    double furthest = -INFINITY;
    for (size_t i = 0; i < sph->liquid.fields.count; i++) {
        const double at = x[4 * i + (size_t)probe->axis];
        if (at > furthest && (int64_t)sph->lists.count[i] >= probe->min_neighbours) furthest = at;
    }
    return furthest > -INFINITY ? furthest + 0.5 * sph->diameter : NAN;
}

static double height(const rill_sph *sph, const rill_probe *probe)
{
    const float *x = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    const double radius = probe->radius > 0 ? probe->radius : sph->diameter;
    double highest = -INFINITY;
    for (size_t i = 0; i < sph->liquid.fields.count; i++) {
        const double dx = nearest(&sph->grid, 0, x[4 * i] - probe->at.x);
        const double dy = nearest(&sph->grid, 1, x[4 * i + 1] - probe->at.y);
        if (dx * dx + dy * dy <= radius * radius && x[4 * i + 2] > highest &&
            (int64_t)sph->lists.count[i] >= probe->min_neighbours)
            highest = x[4 * i + 2];
    }
    return highest > -INFINITY ? highest + 0.5 * sph->diameter : 0;
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
static void point(const rill_sph *sph, const rill_probe *probe, double *values)
{
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

void rill_probes_measure(rill_world *world, const rill_move_stats *stats)
{
    double *value = world->probe_values;
    for (uint32_t i = 0; i < world->scene.probe_count; i++) {
        const rill_probe *probe = &world->scene.probes[i];
        if (probe->kind == RILL_PROBE_FRONT) *value = front(&world->sph, probe);
        else if (probe->kind == RILL_PROBE_HEIGHT) *value = height(&world->sph, probe);
        else if (probe->kind == RILL_PROBE_POINT) point(&world->sph, probe, value);
        else if (probe->kind == RILL_PROBE_KINETIC) *value = stats->kinetic;
        else if (probe->kind == RILL_PROBE_POTENTIAL) *value = stats->potential;
        else *value = stats->volume;
        value += values_of(probe);
    }
}

/* Values at vertices from particles near by: a plane fitted to their values by
 * weighted least squares, read at the vertex. With y_j = x_j - x in diameters and
 * weights w_j = (1 - |y_j|^2 / R^2)^3,
 *
 *   b = sum w_j y_j / sum w_j        C = sum w_j y_j y_j^T / sum w_j - b b^T + e 1
 *   f = sum w_j (1 - (y_j - b).C^-1 b) f_j / sum w_j
 *
 * A mean alone would show what lies half a diameter inside, since all particles do;
 * the plane carries on to the surface. e lets one particle, a row or a film have a
 * mean only in directions of which they know nothing. What is read goes beyond the
 * values near by no more than half their range, and never beyond those of all. */
#include "surface/vertices.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 512 };

/* R and e, in diameters. */
static const double REACH = 2.5, RIDGE = 0.01;

typedef struct carrying {
    const rill_points *points;
    const rill_mesh *mesh;
    const rill_values *from;
    rill_values *to;
    uint32_t value_count, lane_count;
    float *low, *high; /* of all particles, lane by lane */
    float *scratch;    /* of the workers */
} carrying;

static void block_range(const rill_mesh *mesh, size_t block, size_t *begin, size_t *end)
{
    *begin = block * BLOCK;
    *end = *begin + BLOCK < mesh->vertex_count ? *begin + BLOCK : mesh->vertex_count;
}

static rill_rows rows_near(const rill_points *points, const float *x, double reach)
{
    double low[3], high[3];
    for (int a = 0; a < 3; a++) {
        low[a] = (double)x[a] - reach;
        high[a] = (double)x[a] + reach;
    }
    return rill_points_rows(points, low, high);
}

static inline float weight_at(const rill_points *points, uint32_t i, const float *x, float per_square)
{
    const float *y = points->position + 4 * (size_t)i;
    const float a = y[0] - x[0], b = y[1] - x[1], c = y[2] - x[2], t = 1 - (a * a + b * b + c * c) * per_square;
    return t > 0 ? t * t * t : 0;
}

/* What all particles near a vertex have in common. */
typedef struct fit {
    float per_square;        /* 1 / R^2 */
    float weight, middle[3]; /* sum w, and b */
    float slant[3];          /* C^-1 b */
} fit;

/* Solves (a + e 1) x = b for a symmetric a: xx, yy, zz, xy, xz, yz. */
static void solve(const double a[6], const double b[3], float x[3])
{
    const double m[3][3] = {{a[0] + RIDGE, a[3], a[4]}, {a[3], a[1] + RIDGE, a[5]}, {a[4], a[5], a[2] + RIDGE}};
    double inverse[3][3], determinant = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            inverse[k][i] = m[i1][k1] * m[i2][k2] - m[i1][k2] * m[i2][k1];
        }
    for (int k = 0; k < 3; k++) determinant += m[0][k] * inverse[k][0];
    for (int i = 0; i < 3; i++)
        x[i] = (float)((inverse[i][0] * b[0] + inverse[i][1] * b[1] + inverse[i][2] * b[2]) / determinant);
}

static fit fit_near(const rill_points *points, const float *x, double reach)
{
    fit f = {.per_square = (float)(1 / (reach * reach))};
    const float scale = (float)(1 / points->diameter);
    float weight = 0, mean[3] = {0}, square[6] = {0};
    for (rill_rows rows = rows_near(points, x, reach); rill_rows_next(&rows);)
        for (uint32_t i = rows.run.begin; i < rows.run.end; i++) {
            const float w = weight_at(points, i, x, f.per_square), *p = points->position + 4 * (size_t)i;
            if (!(w > 0)) continue;
            const float y[3] = {(p[0] - x[0]) * scale, (p[1] - x[1]) * scale, (p[2] - x[2]) * scale};
            weight += w;
            for (int a = 0; a < 3; a++) {
                mean[a] += w * y[a];
                square[a] += w * y[a] * y[a];
            }
            square[3] += w * y[0] * y[1];
            square[4] += w * y[0] * y[2];
            square[5] += w * y[1] * y[2];
        }
    f.weight = weight;
    if (!(weight > 0)) return f;
    static const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    double b[3], c[6];
    for (int a = 0; a < 3; a++) f.middle[a] = (float)(b[a] = (double)mean[a] / (double)weight);
    for (int k = 0; k < 6; k++) c[k] = (double)square[k] / (double)weight - b[pairs[k][0]] * b[pairs[k][1]];
    solve(c, b, f.slant);
    return f;
}

/* Values near a vertex, lane by lane. Sums are of differences from the first, so that large values lose nothing. */
typedef struct near_values {
    float *low, *high, *first;
    bool any;
} near_values;

static void add_near(const carrying *c, size_t vertex, double reach, const fit *f, near_values *near)
{
    const float *x = c->mesh->position + 3 * vertex, scale = (float)(1 / c->points->diameter);
    for (rill_rows rows = rows_near(c->points, x, reach); rill_rows_next(&rows);)
        for (uint32_t i = rows.run.begin; i < rows.run.end; i++) {
            float w = weight_at(c->points, i, x, f->per_square), along = 1;
            if (!(w > 0)) continue;
            const float *p = c->points->position + 4 * (size_t)i;
            for (int a = 0; a < 3; a++) along -= ((p[a] - x[a]) * scale - f->middle[a]) * f->slant[a];
            w *= along / f->weight;
            for (uint32_t k = 0, n = 0; k < c->value_count; k++) {
                const uint32_t lanes = c->to[k].lanes;
                const float *from = c->from[k].data + lanes * (size_t)c->points->source[i];
                for (uint32_t l = 0; l < lanes; l++, n++) {
                    if (!near->any) near->low[n] = near->high[n] = near->first[n] = from[l];
                    c->to[k].data[lanes * vertex + l] += w * (from[l] - near->first[n]);
                    near->low[n] = from[l] < near->low[n] ? from[l] : near->low[n];
                    near->high[n] = from[l] > near->high[n] ? from[l] : near->high[n];
                }
            }
            near->any = true;
        }
}

static inline float within(float value, float low, float high)
{
    return value < low ? low : value > high ? high : value; /* what is not a number stays so */
}

static void carry_vertex(const carrying *c, size_t vertex, near_values *near)
{
    double reach = REACH * c->points->diameter;
    fit f = fit_near(c->points, c->mesh->position + 3 * vertex, reach);
    /* A vertex that a large radius or smoothing has moved away looks farther. */
    for (int k = 0; k < 5 && !(f.weight > 1e-6f); k++)
        f = fit_near(c->points, c->mesh->position + 3 * vertex, reach *= 2);
    for (uint32_t k = 0; k < c->value_count; k++)
        memset(c->to[k].data + c->to[k].lanes * vertex, 0, c->to[k].lanes * sizeof(float));
    if (!(f.weight > 0)) return;
    near->any = false;
    add_near(c, vertex, reach, &f, near);
    for (uint32_t k = 0, n = 0; k < c->value_count; k++)
        for (uint32_t l = 0; l < c->to[k].lanes; l++, n++) {
            float *value = &c->to[k].data[c->to[k].lanes * vertex + l];
            const float low = near->low[n], high = near->high[n], more = 0.5f * (high - low);
            *value = within(within(near->first[n] + *value, low - more, high + more), c->low[n], c->high[n]);
        }
}

static void carry_block(void *context, size_t block, unsigned worker)
{
    const carrying *c = context;
    float *low = c->scratch + 3 * (size_t)c->lane_count * worker;
    near_values near = {low, low + c->lane_count, low + 2 * (size_t)c->lane_count, false};
    size_t begin, end;
    block_range(c->mesh, block, &begin, &end);
    for (size_t v = begin; v < end; v++) carry_vertex(c, v, &near);
}

/* The least and largest of all values, lane by lane. */
static void range_of_all(const carrying *c)
{
    for (uint32_t k = 0, n = 0; k < c->value_count; k++)
        for (uint32_t l = 0; l < c->from[k].lanes; l++, n++) {
            float low = INFINITY, high = -INFINITY;
            for (uint32_t i = 0; i < c->points->count; i++) {
                const float v = c->from[k].data[c->from[k].lanes * (size_t)c->points->source[i] + l];
                low = v < low ? v : low;
                high = v > high ? v : high;
            }
            c->low[n] = low;
            c->high[n] = high;
        }
}

static rill_status carry_all(carrying *c, const rill_scheduler *scheduler, rill_error *err)
{
    for (uint32_t k = 0; k < c->value_count; k++) c->lane_count += c->from[k].lanes;
    const size_t floats = 3 * (size_t)c->lane_count * (scheduler->workers + 1);
    c->scratch = rill_malloc(floats * sizeof *c->scratch + 1);
    if (!c->scratch) return rill_memory_fail(err, floats * sizeof *c->scratch, "the ranges of values");
    c->low = c->scratch + 3 * (size_t)c->lane_count * scheduler->workers;
    c->high = c->low + c->lane_count;
    range_of_all(c);
    rill_parallel_for(scheduler, (c->mesh->vertex_count + BLOCK - 1) / BLOCK, carry_block, c);
    rill_free(c->scratch);
    return RILL_OK;
}

static const rill_values *find_values(const rill_particles *particles, const char *name)
{
    for (uint32_t k = 0; k < particles->value_count; k++)
        if (strcmp(particles->values[k].name, name) == 0) return &particles->values[k];
    return NULL;
}

rill_status rill_vertices_values(const rill_points *points, const rill_particles *particles,
                                 const rill_surface_options *options, const rill_scheduler *scheduler,
                                 rill_mesh *mesh, rill_error *err)
{
    const uint32_t count = options->value_count;
    if (!count) return RILL_OK;
    rill_values *from = rill_calloc(count, sizeof *from);
    mesh->values = rill_calloc(count, sizeof *mesh->values);
    rill_status status = from && mesh->values ? RILL_OK : rill_memory_fail(err, 2 * count * sizeof *from, "the values");
    for (uint32_t k = 0; !status && k < count; k++) {
        from[k] = *find_values(particles, options->values[k]); /* the names were checked before */
        mesh->values[k] = from[k];
        const size_t bytes = mesh->vertex_count * from[k].lanes * sizeof(float);
        mesh->values[k].data = rill_malloc(bytes + 1);
        mesh->value_count = k + 1;
        if (!mesh->values[k].data) status = rill_memory_fail(err, bytes, "the values at vertices");
    }
    if (!status) {
        carrying c = {.points = points, .mesh = mesh, .from = from, .to = mesh->values, .value_count = count};
        status = carry_all(&c, scheduler, err);
    }
    rill_free(from);
    return status;
}

/* ---- how many are near ---- */

typedef struct weighing {
    const rill_points *points;
    const rill_mesh *mesh;
    double reach;
    float *weights;
} weighing;

static void weigh_block(void *context, size_t block, unsigned worker)
{
    (void)worker;
    const weighing *c = context;
    const float per_square = (float)(1 / (c->reach * c->reach));
    size_t begin, end;
    block_range(c->mesh, block, &begin, &end);
    for (size_t v = begin; v < end; v++) {
        const float *x = c->mesh->position + 3 * v;
        float sum = 0;
        for (rill_rows rows = rows_near(c->points, x, c->reach); rill_rows_next(&rows);)
            for (uint32_t i = rows.run.begin; i < rows.run.end; i++) sum += weight_at(c->points, i, x, per_square);
        c->weights[v] = sum;
    }
}

void rill_vertices_weights(const rill_points *points, const rill_mesh *mesh, const rill_scheduler *scheduler,
                           float *weights)
{
    weighing c = {points, mesh, 2.5 * points->diameter, weights};
    rill_parallel_for(scheduler, (mesh->vertex_count + BLOCK - 1) / BLOCK, weigh_block, &c);
}

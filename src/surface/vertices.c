/* Values at vertices from particles near by. */
#include "surface/vertices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 512 };

typedef struct carrying {
    const rill_points *points;
    const rill_mesh *mesh;
    const rill_values *from;
    rill_values *to;
    uint32_t value_count;
    double reach;
    float *weights;
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

/* Adds up all values of the particles near a vertex; returns the sum of weights. */
static float add_near(const carrying *c, size_t vertex, double reach)
{
    const float *x = c->mesh->position + 3 * vertex, per_square = (float)(1 / (reach * reach));
    float sum = 0;
    for (uint32_t k = 0; k < c->value_count; k++)
        memset(c->to[k].data + c->to[k].lanes * vertex, 0, c->to[k].lanes * sizeof(float));
    for (rill_rows rows = rows_near(c->points, x, reach); rill_rows_next(&rows);)
        for (uint32_t i = rows.run.begin; i < rows.run.end; i++) {
            const float w = weight_at(c->points, i, x, per_square);
            if (!(w > 0)) continue;
            sum += w;
            for (uint32_t k = 0; k < c->value_count; k++) {
                const uint32_t lanes = c->to[k].lanes;
                const float *from = c->from[k].data + lanes * (size_t)c->points->source[i];
                for (uint32_t l = 0; l < lanes; l++) c->to[k].data[lanes * vertex + l] += w * from[l];
            }
        }
    return sum;
}

static void carry_block(void *context, size_t block, unsigned worker)
{
    (void)worker;
    const carrying *c = context;
    size_t begin, end;
    block_range(c->mesh, block, &begin, &end);
    for (size_t v = begin; v < end; v++) {
        double reach = c->reach;
        float sum = add_near(c, v, reach);
        /* A vertex that smoothing has moved away looks farther. */
        for (int k = 0; k < 4 && !(sum > 1e-6f); k++) sum = add_near(c, v, reach *= 2);
        for (uint32_t k = 0; sum > 0 && k < c->value_count; k++)
            for (uint32_t l = 0; l < c->to[k].lanes; l++) c->to[k].data[c->to[k].lanes * v + l] /= sum;
    }
}

static const rill_values *find_values(const rill_particles *particles, const char *name)
{
    for (uint32_t k = 0; k < particles->value_count; k++)
        if (strcmp(particles->values[k].name, name) == 0) return &particles->values[k];
    return NULL;
}

rill_status rill_vertices_values(const rill_points *points, const rill_particles *particles,
                                 const rill_surface_options *options, double reach, const rill_scheduler *scheduler,
                                 rill_mesh *mesh, rill_error *err)
{
    const uint32_t count = options->value_count;
    if (!count) return RILL_OK;
    rill_values *from = calloc(count, sizeof *from);
    mesh->values = calloc(count, sizeof *mesh->values);
    rill_status status = from && mesh->values ? RILL_OK : rill_memory_fail(err, 2 * count * sizeof *from, "the values");
    for (uint32_t k = 0; !status && k < count; k++) {
        from[k] = *find_values(particles, options->values[k]); /* the names were checked before */
        mesh->values[k] = from[k];
        const size_t bytes = mesh->vertex_count * from[k].lanes * sizeof(float);
        mesh->values[k].data = malloc(bytes + 1);
        mesh->value_count = k + 1;
        if (!mesh->values[k].data) status = rill_memory_fail(err, bytes, "the values at vertices");
    }
    if (!status) {
        carrying c = {points, mesh, from, mesh->values, count, reach, NULL};
        rill_parallel_for(scheduler, (mesh->vertex_count + BLOCK - 1) / BLOCK, carry_block, &c);
    }
    free(from);
    return status;
}

static void weigh_block(void *context, size_t block, unsigned worker)
{
    (void)worker;
    const carrying *c = context;
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
    carrying c = {.points = points, .mesh = mesh, .reach = 2.5 * points->diameter, .weights = weights};
    rill_parallel_for(scheduler, (mesh->vertex_count + BLOCK - 1) / BLOCK, weigh_block, &c);
}

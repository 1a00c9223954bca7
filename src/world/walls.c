/* Wall particles of all bodies, with the volume of Akinci et al. 2012,
 *   V_b = gamma / sum_b' W_bb'   over the particles of the same body,
 * so that denser sampling counts less. With gamma = 1 a single flat layer weighs
 * too much; the default gamma makes a flat wall complete the rest lattice exactly. */
#include <math.h>

#include "world/world.h"

typedef struct sampling {
    rill_world *world;
    const rill_body *body;
    uint32_t at; /* next free wall particle */
} sampling;

static void count_sample(void *user, rill_vec3 at)
{
    (void)at;
    *(uint64_t *)user += 1;
}

uint64_t rill_body_count_particles(const rill_body *body, double diameter)
{
    uint64_t count = 0;
    rill_body_method_of(body)->sample(body, diameter, count_sample, &count);
    return count;
}

static void store_sample(void *user, rill_vec3 at)
{
    sampling *s = user;
    rill_walls *walls = &s->world->sph.walls;
    const rill_vec3 v = rill_body_method_of(s->body)->velocity(s->body, at);
    float *x = walls->position + 4 * (size_t)s->at, *u = walls->velocity + 4 * (size_t)s->at;
    x[0] = (float)at.x, x[1] = (float)at.y, x[2] = (float)at.z, x[3] = 0;
    u[0] = (float)v.x, u[1] = (float)v.y, u[2] = (float)v.z, u[3] = (float)s->body->grip;
    const rill_grid *grid = &s->world->sph.grid;
    for (int a = 0; a < 3; a++) x[a] = rill_grid_wrap(grid, a, x[a]);
    s->at++;
}

/* sum W over the body's own particles within reach of one of them. */
static double own_sum(const rill_sph *sph, const rill_cells *cells, const float *sorted, uint32_t i)
{
    const rill_grid *grid = &sph->grid;
    const float *p = sorted + 4 * (size_t)i;
    int32_t c[3];
    for (int a = 0; a < 3; a++) c[a] = rill_grid_cell(grid, a, p[a]);
    const rill_kernel kernel = rill_kernel_of_density(sph->kernel);
    double sum = 0;
    for (int32_t dz = -1; dz <= 1; dz++)
        for (int32_t dy = -1; dy <= 1; dy++)
            for (int32_t dx = -1; dx <= 1; dx++) {
                int32_t n[3] = {c[0] + dx, c[1] + dy, c[2] + dz};
                double shift[3] = {0};
                for (int a = 0; a < 3; a++) {
                    if (!grid->wrap[a]) continue;
                    if (n[a] < 0) n[a] += grid->wrap[a], shift[a] = -grid->period[a];
                    else if (n[a] >= grid->wrap[a]) n[a] -= grid->wrap[a], shift[a] = grid->period[a];
                }
                const rill_row *row = rill_cells_row(cells, n[1], n[2]);
                if (!row) continue;
                const uint32_t cell = rill_row_find(cells, row, n[0]);
                if (cell == row->last || cells->x[cell] != n[0]) continue;
                for (uint32_t j = cells->start[cell]; j < cells->start[cell + 1]; j++) {
                    const float *q = sorted + 4 * (size_t)j;
                    double r2 = 0;
                    for (int a = 0; a < 3; a++) {
                        const double d = (double)p[a] - q[a] - shift[a];
                        r2 += d * d;
                    }
                    if (r2 < sph->support * sph->support) sum += rill_kernel_w(kernel, sqrt(r2), sph->support);
                }
            }
    return sum;
}

typedef struct weighing {
    const rill_sph *sph;
    const rill_cells *cells;
    const float *sorted;
    float *records; /* of the body, in its own order */
    double gamma_over_volume;
    uint32_t count;
} weighing;

enum { WEIGH_BLOCK = 256 };

static void weigh_block(void *context, size_t block, unsigned worker)
{
    (void)worker;
    const weighing *w = context;
    const uint32_t begin = (uint32_t)block * WEIGH_BLOCK;
    const uint32_t end = begin + WEIGH_BLOCK < w->count ? begin + WEIGH_BLOCK : w->count;
    for (uint32_t i = begin; i < end; i++)
        w->records[4 * (size_t)w->cells->order[i] + 3] =
            (float)(w->gamma_over_volume / own_sum(w->sph, w->cells, w->sorted, i));
}

/* Fills the psi of the wall particles first <= b < first + count, which belong to one body. */
static rill_status weigh(rill_world *world, const rill_body *body, uint32_t first, uint32_t count, rill_error *err)
{
    rill_sph *sph = &world->sph;
    float *records = sph->walls.position + 4 * (size_t)first;
    rill_cells cells = {0};
    rill_status status = rill_cells_sort(&cells, &sph->grid, records, count, &sph->runner.scheduler, err);
    float *sorted = rill_memory_alloc(16 * (size_t)count + 16);
    if (!status && !sorted) status = rill_memory_fail(err, 16 * (size_t)count, "the walls");
    for (size_t i = 0; !status && i < count; i++)
        for (size_t l = 0; l < 4; l++) sorted[4 * i + l] = records[4 * (size_t)cells.order[i] + l];
    const rill_kernel kernel = rill_kernel_of_density(sph->kernel);
    const double h = sph->support, d = sph->diameter;
    const double plain = sph->volume * rill_kernel_plane_sum(kernel, h, d) * rill_kernel_half_sum(kernel, h, d) /
                         rill_kernel_layer_sum(kernel, h, d);
    const double gamma = body->volume_factor > 0 ? body->volume_factor : plain;
    weighing w = {sph, &cells, sorted, records, gamma / sph->volume, count};
    if (!status) rill_parallel_for(&sph->runner.scheduler, (count + WEIGH_BLOCK - 1) / WEIGH_BLOCK, weigh_block, &w);
    rill_memory_free(sorted);
    rill_cells_free(&cells);
    return status;
}

rill_status rill_world_make_walls(rill_world *world, rill_error *err)
{
    rill_sph *sph = &world->sph;
    uint64_t total = 0;
    for (uint32_t b = 0; b < world->body_count; b++) total += rill_body_count_particles(&world->bodies[b], sph->diameter);
    if (total > UINT32_MAX / 16)
        return rill_fail(err, RILL_BAD_INPUT, "The walls would need %.3g particles; use a larger particle diameter.",
                         (double)total);
    rill_status status = rill_walls_reserve(&sph->walls, (uint32_t)total, err);
    sampling s = {.world = world};
    for (uint32_t b = 0; !status && b < world->body_count; b++) {
        rill_body *body = &world->bodies[b];
        const uint32_t first = s.at;
        s.body = body;
        rill_body_method_of(body)->sample(body, sph->diameter, store_sample, &s);
        status = weigh(world, body, first, s.at - first, err);
        body->moved = false;
    }
    sph->walls.count = s.at;
    world->walls_stale = false;
    return status ? status : rill_walls_sort(sph, err);
}

/* Samples of bodies: their wall particles in the body's own frame, with the volume of Akinci et al. 2012,
 *   V_b = gamma / sum_b' W_bb'   over the particles of the same body,
 * so that denser sampling counts less. With gamma = 1 a single flat layer weighs too much; the default gamma makes a
 * flat wall complete the rest lattice exactly. They depend on the body's shape and size alone, so that bodies of the
 * same shape share them, one that travels keeps them, and a restarted run finds the same bits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "world/world.h"

static void count_sample(void *user, rill_vec3 at)
{
    (void)at;
    *(uint64_t *)user += 1;
}

double rill_body_guess_particles(const rill_body *body, double diameter)
{
    const rill_sampling how = rill_body_sampling(body, diameter);
    rill_shape layer;
    double sum = 0;
    for (uint32_t k = 0; (k < body->layers || !k) && rill_body_layer(body, &body->shape, k, diameter, &layer); k++)
        sum += rill_geometry_of(&layer)->guess(&layer, &how);
    return sum;
}

uint64_t rill_body_count_particles(const rill_body *body, double diameter)
{
    uint64_t count = 0;
    rill_body_sample(body, diameter, count_sample, &count);
    return count;
}

/* ---- weights ---- */

typedef struct weighing {
    const rill_sph *sph;
    rill_grid grid; /* of the body's own frame */
    rill_cells cells;
    float *records, *sorted;
    double gamma_over_volume;
    uint32_t count;
    float *psi;
} weighing;

static void store_local(weighing *w, rill_vec3 at)
{
    float *x = w->records + 4 * (size_t)w->count++;
    x[0] = (float)at.x, x[1] = (float)at.y, x[2] = (float)at.z, x[3] = 0;
    for (int a = 0; a < 3; a++) x[a] = rill_grid_wrap(&w->grid, a, x[a]);
}

/* Kernel sum over the particles first <= j < last, seen across a periodic side by `shift`. */
static double run_sum(const weighing *w, const float *p, uint32_t first, uint32_t last, const double shift[3])
{
    const double h = w->sph->support;
    const rill_kernel kernel = rill_kernel_of_density(w->sph->kernel);
    double sum = 0;
    for (uint32_t j = first; j < last; j++) {
        const float *q = w->sorted + 4 * (size_t)j;
        double r2 = 0;
        for (int a = 0; a < 3; a++) {
            const double d = (double)p[a] - q[a] - shift[a];
            r2 += d * d;
        }
        if (r2 < h * h) sum += rill_kernel_w(kernel, sqrt(r2), h);
    }
    return sum;
}

static double shift_into(const rill_grid *grid, int axis, int32_t *cell)
{
    const int32_t n = grid->wrap[axis];
    if (!n || (*cell >= 0 && *cell < n)) return 0;
    const double shift = *cell < 0 ? -grid->period[axis] : grid->period[axis];
    *cell += *cell < 0 ? n : -n;
    return shift;
}

/* sum W over the body's own particles within reach of one of them. */
static double own_sum(const weighing *w, uint32_t i)
{
    const rill_grid *grid = &w->grid;
    const float *p = w->sorted + 4 * (size_t)i;
    int32_t c[3];
    for (int a = 0; a < 3; a++) c[a] = rill_grid_cell(grid, a, p[a]);
    double sum = 0, shift[3];
    for (int32_t dz = -1; dz <= 1; dz++)
        for (int32_t dy = -1; dy <= 1; dy++) {
            int32_t y = c[1] + dy, z = c[2] + dz;
            shift[1] = shift_into(grid, 1, &y);
            shift[2] = shift_into(grid, 2, &z);
            const rill_row *row = rill_cells_row(&w->cells, y, z);
            for (int32_t dx = -1; row && dx <= 1; dx++) {
                int32_t x = c[0] + dx;
                shift[0] = shift_into(grid, 0, &x);
                const uint32_t cell = rill_row_find(&w->cells, row, x);
                if (cell < row->last && w->cells.x[cell] == x)
                    sum += run_sum(w, p, w->cells.start[cell], w->cells.start[cell + 1], shift);
            }
        }
    return sum;
}

enum { WEIGH_BLOCK = 256 };

static void weigh_block(void *context, size_t block, unsigned worker)
{
    (void)worker;
    const weighing *w = context;
    const uint32_t begin = (uint32_t)block * WEIGH_BLOCK;
    const uint32_t end = begin + WEIGH_BLOCK < w->count ? begin + WEIGH_BLOCK : w->count;
    for (uint32_t i = begin; i < end; i++)
        w->psi[w->cells.order[i]] = (float)(w->gamma_over_volume / own_sum(w, i));
}

/* gamma with which a flat wall of so many layers completes the rest lattice. */
static double flat_gamma(const rill_sph *sph, uint32_t layers)
{
    const rill_kernel kernel = rill_kernel_of_density(sph->kernel);
    const double h = sph->support, d = sph->diameter;
    double seen = 0;
    for (int k = 0; k < (int)layers || !k; k++) {
        double own = 0;
        for (int l = 0; l < (int)layers || !l; l++) own += rill_kernel_plane_sum(kernel, h, d, abs(k - l) * d);
        seen += rill_kernel_plane_sum(kernel, h, d, (k + 1) * d) / own;
    }
    return sph->volume * rill_kernel_half_sum(kernel, h, d) / seen;
}

/* The size for which weights are found. While a side moves that is the middle of
 * a tenth of a diameter, so that they need not be found again in every step. All
 * sizes within it have as many particles, but for rounding where the number
 * changes: there the tenth beside it is the one. */
static rill_vec3 weighed_size(const rill_world *world, const rill_body *body)
{
    rill_vec3 size = body->size;
    const double d = world->sph.diameter, tenth = 0.1 * d;
    for (int a = 0; a < 3 && rill_geometry_of(&body->shape)->sided; a++) {
        const double now = rill_vec3_get(&body->size, a), middle = (floor(now / tenth) + 0.5) * tenth;
        const double more = rill_count_along(now, d) - rill_count_along(middle, d);
        if (now != rill_vec3_get(&body->made, a)) rill_vec3_set(&size, a, middle + more * tenth);
    }
    return size;
}

typedef struct listing {
    rill_vec3 *samples;
    uint32_t count;
} listing;

static void list_sample(void *user, rill_vec3 at)
{
    listing *l = user;
    l->samples[l->count++] = at;
}

/* All layers of a body, one behind the other. */
static void list_layers(const rill_body *body, rill_vec3 size, double diameter, rill_wall_samples *own)
{
    listing l = {own->samples, 0};
    for (uint32_t k = 0; rill_body_sample_layer(body, size, diameter, k, list_sample, &l); k++)
        own->layer_end[k] = l.count;
}

/* The weights of the samples of a body of this size. */
static rill_status weigh(rill_world *world, const rill_body *body, rill_wall_samples *own, rill_error *err)
{
    rill_sph *sph = &world->sph;
    const double gamma = body->volume_factor > 0 ? body->volume_factor : flat_gamma(sph, body->layers);
    weighing w = {.sph = sph, .gamma_over_volume = gamma / sph->volume, .psi = own->psi};
    const rill_vec3 length = rill_vec3_sub(world->scene.domain_to, world->scene.domain_from);
    const double from[3] = {0, 0, 0}, to[3] = {length.x, length.y, length.z};
    const bool wraps[3] = {body->periodic[0] || body->repeat[0] > 0, body->periodic[1] || body->repeat[1] > 0,
                           body->periodic[2] || body->repeat[2] > 0};
    w.grid = rill_grid_make(sph->support, wraps, from, to);
    w.records = rill_memory_alloc(32 * (size_t)own->count + 16);
    if (!w.records) return rill_memory_fail(err, 32 * (size_t)own->count, "the walls");
    for (uint32_t i = 0; i < own->count; i++) store_local(&w, own->samples[i]);
    const rill_status status =
        rill_cells_sort(&w.cells, &w.grid, &(rill_cell_input){w.records, NULL, w.count}, &sph->runner.scheduler, err);
    if (!status) {
        w.sorted = w.records + 4 * (size_t)own->count;
        for (size_t i = 0; i < own->count; i++)
            for (size_t l = 0; l < 4; l++) w.sorted[4 * i + l] = w.records[4 * (size_t)w.cells.order[i] + l];
        rill_parallel_for(&sph->runner.scheduler, (own->count + WEIGH_BLOCK - 1) / WEIGH_BLOCK, weigh_block, &w);
    }
    rill_memory_free(w.records);
    rill_cells_free(&w.cells);
    return status;
}

/* ---- who shares them ---- */

/* All that samples and weights depend on. Whoever has not the size that it is weighed for keeps its samples to
 * itself. */
static rill_wall_key key_of(const rill_world *world, uint32_t b)
{
    const rill_body *body = &world->bodies[b];
    const rill_vec3 back = rill_vec3_scale(rill_shape_anchor(&body->shape), -1);
    rill_shape own = rill_shape_moved(&body->shape, back);
    rill_wall_key key = {.size = weighed_size(world, body), .volume_factor = body->volume_factor,
                         .kind = (uint32_t)own.kind, .flags = body->solid | body->open << 1};
    own.to = rill_vec3_add(own.from, key.size);
    rill_geometry_of(&own)->numbers(&own, key.numbers);
    for (int a = 0; a < 3; a++) {
        key.repeat[a] = body->repeat[a];
        key.flags |= (uint32_t)body->periodic[a] << (8 + a);
    }
    if (rill_geometry_of(&own)->unbounded)
        key.clip = (rill_bounds){rill_vec3_add(body->clip.low, back), rill_vec3_add(body->clip.high, back)};
    else if (!rill_vec3_same(key.size, body->size)) key.alone = b + 1;
    return key;
}

static void let_go(rill_world *world, uint32_t b)
{
    rill_wall_samples *own = world->samples[b];
    world->samples[b] = NULL;
    if (!own || --own->users) return;
    rill_wall_samples **at = &world->sample_list;
    while (*at != own) at = &(*at)->next;
    *at = own->next;
    rill_free(own->psi);
    rill_free(own->samples);
    rill_free(own);
}

void rill_wall_samples_free(rill_world *world)
{
    for (uint32_t b = 0; world->samples && b < world->body_count; b++) let_go(world, b);
    rill_free(world->samples);
    world->samples = NULL;
}

bool rill_wall_samples_known(rill_world *world, uint32_t b)
{
    const rill_body *body = &world->bodies[b];
    const rill_wall_samples *own = world->samples[b];
    if (own && rill_vec3_same(own->key.size, own->key.alone ? weighed_size(world, body) : body->size)) return true;
    let_go(world, b);
    const rill_wall_key key = key_of(world, b);
    for (rill_wall_samples *s = world->sample_list; s && !world->samples[b]; s = s->next) {
        if (memcmp(&s->key, &key, sizeof key) != 0) continue;
        world->samples[b] = s;
        s->users++;
    }
    return world->samples[b];
}

rill_status rill_wall_samples_make(rill_world *world, uint32_t b, rill_error *err)
{
    const rill_body *body = &world->bodies[b];
    const uint32_t count = (uint32_t)rill_body_count_particles(body, world->sph.diameter);
    rill_wall_samples *own = rill_calloc(1, sizeof *own);
    if (!own) return rill_memory_fail(err, sizeof *own, "the walls");
    *own = (rill_wall_samples){.next = world->sample_list, .users = 1, .key = key_of(world, b), .count = count};
    own->sampled = own->key.size;
    own->samples = rill_malloc(count * sizeof *own->samples + 1);
    own->psi = rill_malloc(count * sizeof *own->psi + 1);
    world->sample_list = own;
    world->samples[b] = own;
    rill_status status =
        own->samples && own->psi ? RILL_OK : rill_memory_fail(err, 28 * (size_t)count, "the walls");
    if (!status) {
        list_layers(body, own->key.size, world->sph.diameter, own);
        status = weigh(world, body, own, err);
    }
    if (status) let_go(world, b);
    return status;
}

void rill_wall_samples_fit(rill_world *world, uint32_t b)
{
    const rill_body *body = &world->bodies[b];
    rill_wall_samples *own = world->samples[b];
    if (rill_vec3_same(own->sampled, body->size)) return;
    list_layers(body, body->size, world->sph.diameter, own);
    own->sampled = body->size;
}

/* Wall particles of all bodies, with the volume of Akinci et al. 2012,
 *   V_b = gamma / sum_b' W_bb'   over the particles of the same body,
 * so that denser sampling counts less. With gamma = 1 a single flat layer weighs
 * too much; the default gamma makes a flat wall complete the rest lattice exactly.
 * The sums are taken in the body's own frame and kept while its size stays, so
 * that a body that travels costs little and a restarted run finds the same bits. */
#include <math.h>

#include "base/maths.h"
#include "world/world.h"

static void count_sample(void *user, rill_vec3 at)
{
    (void)at;
    *(uint64_t *)user += 1;
}

double rill_body_guess_particles(const rill_body *body, double diameter)
{
    const rill_sampling how = rill_body_sampling(body, diameter);
    return rill_geometry_of(&body->shape)->guess(&body->shape, &how);
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

/* gamma with which a flat wall completes the rest lattice. */
static double flat_gamma(const rill_sph *sph)
{
    const rill_kernel kernel = rill_kernel_of_density(sph->kernel);
    const double h = sph->support, d = sph->diameter;
    return sph->volume * rill_kernel_plane_sum(kernel, h, d) * rill_kernel_half_sum(kernel, h, d) /
           rill_kernel_layer_sum(kernel, h, d);
}

/* The size for which weights are found. While a side moves that is the middle of
 * a tenth of a diameter, so that they need not be found anew in every step. All
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

static rill_status weigh(rill_world *world, uint32_t b, rill_error *err)
{
    rill_sph *sph = &world->sph;
    const rill_body *body = &world->bodies[b];
    const uint32_t count = (uint32_t)rill_body_count_particles(body, sph->diameter);
    const double gamma = body->volume_factor > 0 ? body->volume_factor : flat_gamma(sph);
    weighing w = {.sph = sph, .gamma_over_volume = gamma / sph->volume};
    const rill_vec3 size = weighed_size(world, body);
    const rill_vec3 length = rill_vec3_sub(world->scene.domain_to, world->scene.domain_from);
    const double from[3] = {0, 0, 0}, to[3] = {length.x, length.y, length.z};
    const bool wraps[3] = {body->periodic[0] || body->repeat[0] > 0, body->periodic[1] || body->repeat[1] > 0,
                           body->periodic[2] || body->repeat[2] > 0};
    w.grid = rill_grid_make(sph->support, wraps, from, to);
    listing own = {.samples = rill_malloc(count * sizeof *own.samples + 1)};
    w.records = rill_memory_alloc(32 * (size_t)count + 16);
    w.psi = rill_malloc(count * sizeof *w.psi + 1);
    rill_status status =
        w.records && w.psi && own.samples ? RILL_OK : rill_memory_fail(err, 60 * (size_t)count, "the walls");
    if (!status) {
        rill_body_sample_own(body, size, sph->diameter, list_sample, &own);
        for (uint32_t i = 0; i < own.count; i++) store_local(&w, own.samples[i]);
        status = rill_cells_sort(&w.cells, &w.grid, &(rill_cell_input){w.records, NULL, w.count},
                                 &sph->runner.scheduler, err);
    }
    if (!status) {
        w.sorted = w.records + 4 * (size_t)count;
        for (size_t i = 0; i < count; i++)
            for (size_t l = 0; l < 4; l++) w.sorted[4 * i + l] = w.records[4 * (size_t)w.cells.order[i] + l];
        rill_parallel_for(&sph->runner.scheduler, (count + WEIGH_BLOCK - 1) / WEIGH_BLOCK, weigh_block, &w);
        rill_wall_weights_free(&world->weights[b]);
        world->weights[b] = (rill_wall_weights){size, size, count, w.psi, own.samples};
    } else {
        rill_free(w.psi);
        rill_free(own.samples);
    }
    rill_memory_free(w.records);
    rill_cells_free(&w.cells);
    return status;
}

void rill_wall_weights_free(rill_wall_weights *weights)
{
    rill_free(weights->psi);
    rill_free(weights->samples);
    *weights = (rill_wall_weights){0};
}

static bool weights_hold(const rill_world *world, const rill_wall_weights *weights, const rill_body *body)
{
    return weights->psi && rill_vec3_same(weights->size, weighed_size(world, body));
}

/* ---- particles ---- */

typedef struct sampling {
    rill_world *world;
    uint32_t body, at, first; /* body at hand, next wall particle, first of the body */
    double between; /* as rill_world_make_walls has it */
} sampling;

/* Whether its wall particles are accelerated. */
static bool accelerates(const rill_body *b)
{
    return !rill_vec3_same(b->low, b->low_before) || !rill_vec3_same(b->high, b->high_before) ||
           !rill_vec3_same(b->spin, b->spin_before) || rill_vec3_length(b->spin) > 0;
}

static void store_acceleration(const sampling *s, rill_vec3 at)
{
    const rill_body *body = &s->world->bodies[s->body];
    float *a = rill_field_f32(&s->world->sph.walls.fields, WALL_ACCELERATION);
    if (!a) return;
    rill_vec3 value = {0, 0, 0};
    if (s->between > 0 && accelerates(body)) value = rill_body_acceleration(body, at, s->between);
    a += 4 * (size_t)s->at;
    a[0] = (float)value.x, a[1] = (float)value.y, a[2] = (float)value.z, a[3] = 0;
}

static void store_sample(sampling *s, rill_vec3 at)
{
    const rill_body *body = &s->world->bodies[s->body];
    const rill_vec3 v = rill_body_velocity(body, at);
    float *x = rill_walls_position(&s->world->sph) + 4 * (size_t)s->at;
    float *u = rill_walls_velocity(&s->world->sph) + 4 * (size_t)s->at;
    x[0] = (float)at.x, x[1] = (float)at.y, x[2] = (float)at.z;
    x[3] = s->world->weights[s->body].psi[s->at - s->first];
    u[0] = (float)v.x, u[1] = (float)v.y, u[2] = (float)v.z, u[3] = (float)body->grip;
    for (int a = 0; a < 3; a++) x[a] = rill_grid_wrap(&s->world->sph.grid, a, x[a]);
    store_acceleration(s, at);
    s->at++;
}

/* The samples of a body where it stands. They are kept while its size stays and only moved along. */
static void place_samples(sampling *s)
{
    const rill_body *body = &s->world->bodies[s->body];
    rill_wall_weights *weights = &s->world->weights[s->body];
    if (!rill_vec3_same(weights->sampled, body->size)) {
        rill_body_sample_own(body, body->size, s->world->sph.diameter, list_sample, &(listing){weights->samples, 0});
        weights->sampled = body->size;
    }
    for (uint32_t i = 0; i < weights->count; i++) store_sample(s, rill_body_place(body, weights->samples[i]));
}

/* Makes room for accelerations, if there are any. */
static rill_status prepare_accelerations(rill_world *world, double between, rill_error *err)
{
    world->walls_accelerate = false;
    for (uint32_t b = 0; b < world->body_count && between > 0; b++)
        world->walls_accelerate = world->walls_accelerate || accelerates(&world->bodies[b]);
    return world->walls_accelerate ? rill_fields_make(&world->sph.walls.fields, WALL_ACCELERATION, err) : RILL_OK;
}

rill_status rill_world_make_walls(rill_world *world, double between, rill_error *err)
{
    rill_sph *sph = &world->sph;
    const double most = UINT32_MAX / 16;
    double total = 0;
    rill_status status = RILL_OK;
    world->walls_stale = true;
    for (uint32_t b = 0; !status && b < world->body_count; b++) {
        const bool known = weights_hold(world, &world->weights[b], &world->bodies[b]);
        /* Counting one by one is for what can be counted. */
        const double guess = rill_body_guess_particles(&world->bodies[b], sph->diameter);
        if (known) total += world->weights[b].count;
        else if (!(guess < 4 * most)) total += guess;
        else total += (double)rill_body_count_particles(&world->bodies[b], sph->diameter);
        if (!(total <= most))
            return rill_fail(err, RILL_BAD_INPUT,
                             "The walls would need %.3g particles; use a larger particle diameter.", total);
        if (!known) status = weigh(world, b, err);
    }
    if (!status) status = rill_walls_make(sph, (uint32_t)total, err);
    if (!status) status = prepare_accelerations(world, between, err);
    if (status) return status;
    sampling s = {.world = world, .between = between};
    for (uint32_t b = 0; b < world->body_count; b++) {
        s.body = b;
        s.first = s.at;
        place_samples(&s);
        world->bodies[b].moved = false;
    }
    status = rill_walls_sort(sph, err);
    world->walls_stale = status != RILL_OK;
    return status;
}

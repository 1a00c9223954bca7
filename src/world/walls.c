/* Wall particles of all bodies. Those of bodies that stay where they are are placed and sorted once; those that move,
 * again for every step. Sorted together they lie as if all had been made at once: by cell, then by body and sample. */
#include <string.h>

#include "world/world.h"

/* ---- who moves ---- */

static bool is_zero(rill_vec3 v)
{
    return v.x == 0 && v.y == 0 && v.z == 0;
}

/* Whether its wall particles are accelerated. */
static bool accelerates(const rill_body *b)
{
    return !rill_vec3_same(b->low, b->low_before) || !rill_vec3_same(b->high, b->high_before) ||
           !rill_vec3_same(b->spin, b->spin_before) || !is_zero(b->spin);
}

bool rill_body_walls_change(const rill_body *b)
{
    return b->moved || !rill_vec3_same(b->low, b->low_before) || !rill_vec3_same(b->high, b->high_before) ||
           !rill_vec3_same(b->spin, b->spin_before);
}

static bool is_at_rest(const rill_body *b)
{
    return is_zero(b->low) && is_zero(b->high) && !accelerates(b);
}

/* Bodies that begin to move are taken from those that stay; they do not go back before all walls are made again. True
 * when those that stay are others than before. */
static bool choose_movers(rill_world *world, bool again)
{
    bool others = again;
    for (uint32_t b = 0; b < world->body_count; b++) {
        const rill_body *body = &world->bodies[b];
        const bool moves = again ? !is_at_rest(body) : world->moves[b] || rill_body_walls_change(body);
        others = others || moves != world->moves[b];
        world->moves[b] = moves;
    }
    return others;
}

/* ---- particles ---- */

/* Bodies whose wall particles are placed in a set, one behind the other. */
typedef struct placing {
    const rill_world *world;
    rill_set *set;
    const uint32_t *first; /* of every body, its first particle, and one more */
    double between; /* as rill_world_make_walls has it */
} placing;

/* How one of a body's wall particles moves. */
typedef struct wall_motion {
    rill_vec3 velocity, acceleration;
} wall_motion;

static wall_motion motion_of(const placing *p, const rill_body *body, rill_vec3 at)
{
    wall_motion m = {.velocity = rill_body_velocity(body, at)};
    if (p->between > 0 && accelerates(body)) m.acceleration = rill_body_acceleration(body, at, p->between);
    return m;
}

static void store_sample(const placing *p, uint32_t b, uint32_t i, rill_vec3 at, const wall_motion *m)
{
    const uint32_t sample = i - p->first[b];
    const rill_wall_samples *own = p->world->samples[b];
    uint32_t layer = 0;
    while (sample >= own->layer_end[layer]) layer++;
    float *x = rill_field_f32(&p->set->fields, FIELD_POSITION) + 4 * (size_t)i;
    float *u = rill_field_f32(&p->set->fields, FIELD_VELOCITY) + 4 * (size_t)i;
    float *a = rill_field_f32(&p->set->fields, WALL_ACCELERATION);
    x[0] = (float)at.x, x[1] = (float)at.y, x[2] = (float)at.z;
    x[3] = own->psi[sample];
    for (int k = 0; k < 3; k++) x[k] = rill_grid_wrap(&p->world->sph.grid, k, x[k]);
    u[0] = (float)m->velocity.x, u[1] = (float)m->velocity.y, u[2] = (float)m->velocity.z;
    u[3] = (float)((layer + 0.5) * p->world->sph.diameter);
    rill_field_u64(&p->set->fields, FIELD_ID)[i] = (uint64_t)b << 32 | sample;
    rill_field_u32(&p->set->fields, WALL_BODY)[i] = b;
    if (!a) return;
    a += 4 * (size_t)i;
    a[0] = (float)m->acceleration.x, a[1] = (float)m->acceleration.y, a[2] = (float)m->acceleration.z, a[3] = 0;
}

/* Whether all points of a body move alike. */
static bool moves_evenly(const rill_body *b)
{
    return !rill_geometry_of(&b->shape)->sided && is_zero(b->spin) && is_zero(b->spin_before);
}

/* Places the particles first <= i < last, all of one body. */
static void place_samples(const placing *p, uint32_t b, uint32_t first, uint32_t last)
{
    const rill_body *body = &p->world->bodies[b];
    const rill_vec3 *samples = p->world->samples[b]->samples;
    const bool even = moves_evenly(body);
    wall_motion m = {0};
    if (even) m = motion_of(p, body, body->pose.position);
    for (uint32_t i = first; i < last; i++) {
        const rill_vec3 at = rill_body_place(body, samples[i - p->first[b]]);
        if (!even) m = motion_of(p, body, at);
        store_sample(p, b, i, at, &m);
    }
}

enum { PLACE_BLOCK = 1024 };

/* The body that a particle belongs to: the last that begins at or before it. */
static uint32_t body_at(const placing *p, uint32_t particle)
{
    uint32_t low = 0, high = p->world->body_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (p->first[middle] <= particle) low = middle;
        else high = middle;
    }
    return low;
}

static void place_block(void *context, size_t block, unsigned worker)
{
    (void)worker;
    const placing *p = context;
    const uint32_t begin = (uint32_t)block * PLACE_BLOCK, count = p->set->fields.count;
    const uint32_t end = begin + PLACE_BLOCK < count ? begin + PLACE_BLOCK : count;
    uint32_t next;
    for (uint32_t i = begin, b = body_at(p, begin); i < end; i = next, b++) {
        next = p->first[b + 1] < end ? p->first[b + 1] : end;
        place_samples(p, b, i, next);
    }
}

/* Where the particles of every body begin that moves, or does not, or of all; returns how many there are. */
static uint32_t lay_out(rill_world *world, bool movers, bool all)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < world->body_count; b++) {
        world->wall_first[b] = count;
        if (all || world->moves[b] == movers) count += world->samples[b]->count;
    }
    world->wall_first[world->body_count] = count;
    return count;
}

static void place_walls(rill_world *world, rill_set *set, double between)
{
    placing p = {world, set, world->wall_first, between};
    const size_t blocks = ((size_t)set->fields.count + PLACE_BLOCK - 1) / PLACE_BLOCK;
    rill_parallel_for(&world->sph.runner.scheduler, blocks, place_block, &p);
}

/* Makes all walls at once. */
static rill_status make_whole(rill_world *world, double between, rill_error *err)
{
    rill_sph *sph = &world->sph;
    const uint32_t count = lay_out(world, false, true);
    rill_status status = rill_walls_make(sph, count, err);
    if (!status && world->walls_accelerate) status = rill_fields_make(&sph->walls.fields, WALL_ACCELERATION, err);
    if (status) return status;
    place_walls(world, &sph->walls, between);
    return rill_walls_sort(sph, err);
}

/* Makes those of the bodies that move, or of the others. */
static rill_status make_part(rill_world *world, uint32_t part, double between, rill_error *err)
{
    rill_sph *sph = &world->sph;
    const bool movers = part == RILL_WALLS_MOVE;
    const uint32_t count = lay_out(world, movers, false);
    rill_set *set = &sph->wall_parts[part];
    rill_status status = rill_walls_make_part(sph, part, count, err);
    if (!status && movers && world->walls_accelerate) status = rill_fields_make(&set->fields, WALL_ACCELERATION, err);
    if (status) return status;
    place_walls(world, set, between);
    return rill_walls_sort_part(sph, part, err);
}

/* ---- all of it ---- */

/* Finds the samples of all bodies, where there is room for so many. */
static rill_status find_samples(rill_world *world, rill_error *err)
{
    const double most = UINT32_MAX / 16, d = world->sph.diameter;
    double total = 0;
    for (uint32_t b = 0; b < world->body_count; b++) {
        const bool known = rill_wall_samples_known(world, b);
        /* Counting one by one is for what can be counted. */
        const double guess = known ? 0 : rill_body_guess_particles(&world->bodies[b], d);
        if (known) total += world->samples[b]->count;
        else if (!(guess < 4 * most)) total += guess;
        else total += (double)rill_body_count_particles(&world->bodies[b], d);
        if (!(total <= most))
            return rill_fail(err, RILL_BAD_INPUT,
                             "The walls would need %.3g particles; use a larger particle diameter.", total);
        const rill_status status = known ? RILL_OK : rill_wall_samples_make(world, b, err);
        if (status) return status;
        rill_wall_samples_fit(world, b);
    }
    return RILL_OK;
}

rill_status rill_world_make_walls(rill_world *world, double between, rill_error *err)
{
    const bool again = world->walls_stale || !world->walls_made;
    world->walls_stale = true;
    rill_status status = find_samples(world, err);
    if (status) return status;
    const bool others = choose_movers(world, again);
    bool some = false, all = true;
    world->walls_accelerate = world->sph.walls_move = false;
    for (uint32_t b = 0; b < world->body_count; b++) {
        const rill_body *body = &world->bodies[b];
        some = some || world->moves[b], all = all && world->moves[b];
        world->walls_accelerate = world->walls_accelerate || (between > 0 && accelerates(body));
        world->sph.walls_move = world->sph.walls_move || !is_at_rest(body) || !is_zero(body->slide);
    }
    if (!some || all) {
        status = make_whole(world, between, err);
    } else {
        if (others) status = make_part(world, RILL_WALLS_STAY, between, err);
        if (!status) status = make_part(world, RILL_WALLS_MOVE, between, err);
        if (!status) status = rill_walls_merge(&world->sph, err);
    }
    for (uint32_t b = 0; b < world->body_count && !status; b++) world->bodies[b].moved = false;
    world->walls_made = true;
    world->walls_stale = status != RILL_OK;
    return status;
}

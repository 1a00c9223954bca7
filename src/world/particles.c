/* Particles that come, go and are read between steps. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "fluid/near.h"
#include "fluid/volume.h"
#include "physics/probe/point.h"
#include "world/world.h"

static const double LEAST_DISTANCE = 0.5; /* diameters between two particles */

/* ---- fills ---- */

static bool count_one(void *user, rill_vec3 at)
{
    (void)at;
    return ++*(uint64_t *)user < UINT32_MAX / 16;
}

/* Fills the particles that were appended, one after the other. */
typedef struct placing {
    rill_world *world;
    const rill_fill *fill;
    uint32_t next;
} placing;

static void put_particle(rill_world *world, uint32_t i, const double at[3], const double velocity[3], uint32_t fluid)
{
    rill_fields *fields = &world->sph.liquid.fields;
    float *x = rill_field_f32(fields, FIELD_POSITION) + 4 * (size_t)i;
    float *v = rill_field_f32(fields, FIELD_VELOCITY) + 4 * (size_t)i;
    for (int a = 0; a < 3; a++) {
        x[a] = rill_grid_wrap(&world->sph.grid, a, (float)at[a]);
        v[a] = (float)velocity[a];
    }
    rill_field_u32(fields, FIELD_FLUID)[i] = fluid;
}

static bool place_one(void *user, rill_vec3 at)
{
    placing *p = user;
    const uint32_t i = p->next++;
    const uint64_t id = rill_field_u64(&p->world->sph.liquid.fields, FIELD_ID)[i];
    const rill_random_key key = {p->world->scene.seed, id, 0, RILL_RANDOM_JITTER};
    const double jitter = p->fill->jitter * p->world->sph.diameter;
    double x[3];
    for (int a = 0; a < 3; a++)
        x[a] = rill_vec3_get(&at, a) + (jitter > 0 ? jitter * (2 * rill_random(&key, (uint32_t)a) - 1) : 0);
    const rill_vec3 *v = &p->fill->velocity;
    put_particle(p->world, i, x, (const double[]){v->x, v->y, v->z}, p->fill->fluid);
    return true;
}

static rill_status too_many(const rill_world *world, rill_error *err)
{
    return rill_fail(err, RILL_BAD_INPUT, "Scene %s would need more than %u million particles; use a larger diameter.",
                     world->scene.name, UINT32_MAX / 16 / 1000000);
}

rill_status rill_world_append(rill_world *world, uint64_t count, rill_error *err)
{
    if (count + world->sph.liquid.fields.count >= UINT32_MAX / 16) return too_many(world, err);
    return rill_set_append(&world->sph.liquid, (uint32_t)count, err);
}

rill_status rill_world_fill_count(const rill_world *world, const rill_guard *room, const rill_fill *fill,
                                  uint64_t *count, rill_error *err)
{
    *count = 0;
    const bool whole = rill_fill_particles(&world->scene, room, fill, count_one, count);
    return whole ? RILL_OK : too_many(world, err);
}

uint32_t rill_world_fill_put(rill_world *world, const rill_guard *room, const rill_fill *fill, uint32_t first)
{
    placing p = {world, fill, first};
    rill_fill_particles(&world->scene, room, fill, place_one, &p);
    return p.next;
}

void rill_world_set_densities(rill_world *world, uint32_t first)
{
    const rill_sph *sph = &world->sph;
    const uint32_t *fluid = rill_field_u32(&sph->liquid.fields, FIELD_FLUID);
    float *density = rill_field_f32(&sph->liquid.fields, FIELD_DENSITY);
    for (size_t i = first; i < sph->liquid.fields.count; i++) density[i] = sph->rest_density[fluid[i]];
}

/* ---- after particles came, went or changed ---- */

rill_status rill_world_refresh(rill_world *world, rill_error *err)
{
    rill_move_stats stats;
    rill_status status = rill_sph_sort_all(&world->sph, world->ops, err);
    if (!status) status = rill_world_measure(world, &stats, err);
    if (status) return status;
    world->clock.speed = stats.speed;
    return RILL_OK;
}

/* Takes away what has an id from `first` on, as if it had never come; `gone` has room for a flag a particle. */
static void take_back(rill_world *world, uint64_t first, bool *gone)
{
    rill_set *liquid = &world->sph.liquid;
    const uint64_t *id = rill_field_u64(&liquid->fields, FIELD_ID);
    for (uint32_t i = 0; i < liquid->fields.count; i++) gone[i] = id[i] >= first;
    rill_set_remove(liquid, gone);
    liquid->next_id = first;
}

typedef struct crowding {
    uint64_t own;
    const uint64_t *id;
} crowding;

static bool is_itself(void *user, uint32_t j, const double d[3], double r2)
{
    (void)d, (void)r2;
    const crowding *c = user;
    return c->id[j] == c->own;
}

/* No new particle may lie in another one. */
static rill_status check_room(const rill_world *world, uint64_t first, rill_error *err)
{
    const rill_fields *fields = &world->sph.liquid.fields;
    const uint64_t *id = rill_field_u64(fields, FIELD_ID);
    const float *x = rill_field_f32(fields, FIELD_POSITION);
    for (size_t i = 0; i < fields->count; i++) {
        if (id[i] < first) continue;
        crowding c = {id[i], id};
        const double at[3] = {x[4 * i], x[4 * i + 1], x[4 * i + 2]};
        if (!rill_near_visit(&world->sph, at, LEAST_DISTANCE * world->sph.diameter, is_itself, &c))
            return rill_fail(err, RILL_BAD_INPUT,
                             "New liquid would overlap other liquid at (%.4g, %.4g, %.4g) m; leave it at "
                             "least half a diameter of room.",
                             at[0], at[1], at[2]);
    }
    return RILL_OK;
}

/* Sorts new particles in, or takes them away again where they do not fit. */
static rill_status settle(rill_world *world, uint64_t first, rill_error *err)
{
    rill_set *liquid = &world->sph.liquid;
    const uint32_t count = (uint32_t)(liquid->next_id - first);
    bool *gone = rill_malloc(liquid->fields.count + 1); /* taking them back must not fail */
    if (!gone) {
        liquid->fields.count -= count, liquid->own -= count; /* they are the last */
        liquid->next_id = first;
        return rill_memory_fail(err, liquid->fields.count, "new particles");
    }
    rill_world_set_densities(world, liquid->fields.count - count);
    rill_status status = rill_world_refresh(world, err);
    if (!status) status = check_room(world, first, err);
    if (status) {
        take_back(world, first, gone);
        rill_world_refresh(world, NULL);
    }
    rill_free(gone);
    return status;
}

/* ---- the public calls ---- */

rill_status rill_world_add_fill(rill_world *world, const rill_fill *fill, uint64_t *first_id, uint32_t *count,
                                rill_error *err)
{
    rill_scene one = world->scene; /* for the checks that a scene has */
    one.fills = (rill_fill *)fill;
    one.fill_count = 1;
    const uint64_t first = world->sph.liquid.next_id;
    const uint32_t before = world->sph.liquid.fields.count;
    uint64_t wanted = 0;
    rill_guard room = {0};
    rill_status status = rill_scene_check(&one, err);
    if (!status) status = rill_fill_room(&world->scene, world->bodies, &room, err);
    if (!status) status = rill_world_fill_count(world, &room, fill, &wanted, err);
    if (!status) status = rill_world_append(world, wanted, err);
    if (!status) rill_world_fill_put(world, &room, fill, before);
    rill_guard_free(&room);
    if (!status && wanted) status = settle(world, first, err);
    if (first_id) *first_id = first;
    if (count) *count = status ? 0 : (uint32_t)wanted;
    return status;
}

static rill_status check_new(const rill_world *world, const rill_guard *room, const rill_new_particles *p,
                             rill_error *err)
{
    for (uint32_t i = 0; i < p->count; i++) {
        const rill_vec3 at = {p->position[3 * (size_t)i], p->position[3 * (size_t)i + 1],
                              p->position[3 * (size_t)i + 2]};
        const float *v = p->velocity ? p->velocity + 3 * (size_t)i : (const float[3]){0};
        const double speed2 = (double)v[0] * v[0] + (double)v[1] * v[1] + (double)v[2] * v[2];
        if (!(fabs(at.x) + fabs(at.y) + fabs(at.z) <= RILL_MOST_LENGTH) ||
            !(speed2 <= world->speed_limit * world->speed_limit))
            return rill_fail(err, RILL_BAD_INPUT,
                             "New particle %u has a place or a velocity that no particle may have.", i);
        if (p->fluid && p->fluid[i] >= world->scene.fluid_count)
            return rill_fail(err, RILL_BAD_INPUT, "New particle %u is of fluid %u, but the scene has only %u.", i,
                             p->fluid[i] + 1, world->scene.fluid_count);
        if (!rill_fill_allowed(&world->scene, room, at))
            return rill_fail(err, RILL_BAD_INPUT,
                             "New particle %u at (%.4g, %.4g, %.4g) m lies in a wall or outside of all "
                             "containers.",
                             i, at.x, at.y, at.z);
    }
    return RILL_OK;
}

rill_status rill_world_add(rill_world *world, const rill_new_particles *p, uint64_t *first_id, rill_error *err)
{
    const uint64_t first = world->sph.liquid.next_id;
    const uint32_t before = world->sph.liquid.fields.count;
    rill_guard room = {0};
    rill_status status = rill_fill_room(&world->scene, world->bodies, &room, err);
    if (!status) status = check_new(world, &room, p, err);
    if (!status) status = rill_world_append(world, p->count, err);
    rill_guard_free(&room);
    if (status) return status;
    for (uint32_t i = 0; i < p->count; i++) {
        double x[3], v[3];
        for (size_t a = 0; a < 3; a++) {
            x[a] = p->position[3 * (size_t)i + a];
            v[a] = p->velocity ? p->velocity[3 * (size_t)i + a] : 0;
        }
        put_particle(world, before + i, x, v, p->fluid ? p->fluid[i] : 0);
    }
    if (first_id) *first_id = first;
    return p->count ? settle(world, first, err) : RILL_OK;
}

/* Where each of the ids is in the caller's list, sorted for looking up. */
typedef struct id_place {
    uint64_t id;
    size_t place;
} id_place;

static int compare_ids(const void *a, const void *b)
{
    const uint64_t x = ((const id_place *)a)->id, y = ((const id_place *)b)->id;
    return (x > y) - (x < y);
}

static id_place *ids_sort(const uint64_t *ids, size_t count, rill_error *err)
{
    id_place *sorted = rill_malloc((count + 1) * sizeof *sorted);
    if (!sorted) {
        rill_memory_fail(err, count * sizeof *sorted, "a list of ids");
        return NULL;
    }
    for (size_t i = 0; i < count; i++) sorted[i] = (id_place){ids[i], i};
    qsort(sorted, count, sizeof *sorted, compare_ids);
    return sorted;
}

/* The particle of each id in the caller's order; refused where one is not there or comes twice. */
static rill_status ids_find(const rill_world *world, const uint64_t *ids, size_t count, uint32_t *particle,
                            rill_error *err)
{
    const rill_fields *fields = &world->sph.liquid.fields;
    const uint64_t *id = rill_field_u64(fields, FIELD_ID);
    id_place *sorted = ids_sort(ids, count, err);
    if (!sorted) return RILL_NO_MEMORY;
    rill_status status = RILL_OK;
    size_t found = 0;
    for (size_t i = 1; i < count && !status; i++)
        if (sorted[i].id == sorted[i - 1].id)
            status = rill_fail(err, RILL_BAD_INPUT, "Particle %llu is named twice.", (unsigned long long)sorted[i].id);
    for (size_t i = 0; i < count; i++) particle[i] = UINT32_MAX;
    for (uint32_t i = 0; i < fields->count && found < count && !status; i++) {
        const id_place key = {id[i], 0}, *at = bsearch(&key, sorted, count, sizeof *sorted, compare_ids);
        if (at) particle[at->place] = i, found++;
    }
    rill_free(sorted);
    for (size_t i = 0; i < count && !status; i++)
        if (particle[i] == UINT32_MAX)
            status = rill_fail(err, RILL_BAD_INPUT, "There is no particle %llu.", (unsigned long long)ids[i]);
    return status;
}

rill_status rill_world_remove(rill_world *world, const uint64_t *ids, size_t count, rill_error *err)
{
    rill_set *liquid = &world->sph.liquid;
    uint32_t *particle = rill_malloc((count + 1) * sizeof *particle);
    bool *gone = rill_calloc(liquid->fields.count + 1, 1);
    rill_status status = particle && gone ? RILL_OK : rill_memory_fail(err, 5 * count, "a list of ids");
    if (!status) status = ids_find(world, ids, count, particle, err);
    if (!status) {
        for (size_t i = 0; i < count; i++) gone[particle[i]] = true;
        rill_set_remove(liquid, gone);
        status = rill_world_refresh(world, err);
    }
    rill_free(particle);
    rill_free(gone);
    return status;
}

rill_status rill_world_set_velocities(rill_world *world, const uint64_t *ids, const float *velocity, size_t count,
                                      rill_error *err)
{
    float *v = rill_field_f32(&world->sph.liquid.fields, FIELD_VELOCITY);
    for (size_t i = 0; i < count; i++) {
        const double x = velocity[3 * i], y = velocity[3 * i + 1], z = velocity[3 * i + 2];
        if (x * x + y * y + z * z <= world->speed_limit * world->speed_limit) continue;
        return rill_fail(err, RILL_BAD_INPUT,
                         "Particle %llu cannot have the velocity (%g, %g, %g) m/s; %g m/s are the limit.",
                         (unsigned long long)ids[i], x, y, z, world->speed_limit);
    }
    uint32_t *particle = rill_malloc((count + 1) * sizeof *particle);
    rill_status status = particle ? RILL_OK : rill_memory_fail(err, 4 * count, "a list of ids");
    if (!status) status = ids_find(world, ids, count, particle, err);
    for (size_t i = 0; i < count && !status; i++) memcpy(v + 4 * (size_t)particle[i], velocity + 3 * i, 3 * sizeof *v);
    rill_free(particle);
    return status ? status : rill_world_refresh(world, err);
}

/* ---- reading ---- */

void rill_world_sample(const rill_world *world, const rill_vec3 *at, size_t count, rill_sample *samples)
{
    for (size_t i = 0; i < count; i++) {
        double v[3];
        rill_sample *s = &samples[i];
        *s = (rill_sample){0};
        s->wet = rill_point_read(&world->sph, RILL_VELOCITY, at[i], v);
        s->velocity = (rill_vec3){v[0], v[1], v[2]};
        rill_point_read(&world->sph, RILL_DENSITY, at[i], &s->density);
        rill_point_read(&world->sph, RILL_PRESSURE, at[i], &s->pressure);
    }
}

double rill_world_volume(const rill_world *world)
{
    return rill_sph_volume(&world->sph);
}

uint64_t rill_world_count(const rill_world *world, rill_vec3 from, rill_vec3 to)
{
    const rill_fields *fields = &world->sph.liquid.fields;
    uint64_t count = 0;
    for (size_t i = 0; i < fields->count; i++) {
        const float *x = rill_field_f32(fields, FIELD_POSITION) + 4 * i;
        count += x[0] >= from.x && x[0] < to.x && x[1] >= from.y && x[1] < to.y && x[2] >= from.z && x[2] < to.z;
    }
    return count;
}

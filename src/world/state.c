/* Looking at a world from outside: frames, saving, loading, hashing. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "text/unit.h"
#include "world/world.h"

rill_frame rill_world_frame(const rill_world *world)
{
    const rill_fields *fields = &world->sph.liquid.fields;
    return (rill_frame){
        .step = world->clock.step,
        .time = world->clock.time,
        .diameter = world->sph.diameter,
        .origin = world->scene.origin,
        .count = fields->count,
        .id = rill_field_u64(fields, FIELD_ID),
        .fluid = rill_field_u32(fields, FIELD_FLUID),
        .position = rill_field_f32(fields, FIELD_POSITION),
        .velocity = rill_field_f32(fields, FIELD_VELOCITY),
        .density = rill_field_f32(fields, FIELD_DENSITY),
        .pressure = rill_field_f32(fields, FIELD_PRESSURE),
    };
}

double rill_world_time(const rill_world *world)
{
    return world->clock.time;
}

uint64_t rill_world_step_count(const rill_world *world)
{
    return world->clock.step;
}

const rill_scene *rill_world_scene(const rill_world *world)
{
    return &world->scene;
}

uint32_t rill_world_boundary_particles(const rill_world *world)
{
    return world->sph.walls.fields.count;
}

unsigned rill_world_threads(const rill_world *world)
{
    return world->sph.runner.scheduler.workers;
}

double rill_world_particle_volume(const rill_world *world)
{
    return world->sph.volume;
}

unsigned rill_world_simd_width(const rill_world *world)
{
    return world->ops->width;
}

rill_shape rill_world_boundary_shape(const rill_world *world, uint32_t boundary)
{
    if (boundary >= world->body_count) return (rill_shape){0};
    const rill_body *body = &world->bodies[boundary];
    return rill_shape_posed(&body->shape, &body->pose);
}

uint32_t rill_world_body_count(const rill_world *world)
{
    return world->body_count;
}

rill_body_state rill_world_body(const rill_world *world, uint32_t boundary)
{
    if (boundary >= world->body_count) return (rill_body_state){0};
    const rill_body *body = &world->bodies[boundary];
    const rill_vec3 centre = rill_body_centre(body);
    rill_body_state state = {.name = world->scene.boundaries[boundary].name,
                             .position = centre,
                             .velocity = rill_body_carried(body, centre),
                             .spin = body->spin,
                             .force = body->force,
                             .torque = body->torque};
    memcpy(state.rotation, body->pose.rotation, sizeof state.rotation);
    return state;
}

/* ---- the arrays of a state ---- */

/* Adds an array, with room for twice as many where the list is full. */
static rill_status add_array(rill_state *list, const char *name, const char *unit, rill_array array, rill_error *err)
{
    if (strlen(name) >= sizeof array.name || strlen(unit) >= sizeof array.unit)
        return rill_fail(err, RILL_BAD_INPUT,
                         "The field %s (%s) cannot be saved: its name may have %zu characters and its unit %zu.", name,
                         unit, sizeof array.name - 1, sizeof array.unit - 1);
    if ((list->count & (list->count - 1)) == 0) {
        rill_array *grown = rill_realloc(list->arrays, (list->count ? 2 * list->count : 1) * sizeof *grown);
        if (!grown) return rill_fail(err, RILL_NO_MEMORY, "There is no memory for the list of arrays.");
        list->arrays = grown;
    }
    strcpy(array.name, name);
    strcpy(array.unit, unit);
    list->arrays[list->count++] = array;
    return RILL_OK;
}

/* What a restart needs beside the fields: the clock, the scene it belongs to, and the bodies. */
static rill_status list_scalars(rill_world *world, rill_state *list, rill_error *err)
{
    rill_clock *c = &world->clock;
    const struct {
        const char *name, *unit;
        rill_array_type type;
        void *data;
        uint64_t count;
    } scalars[] = {
        {"clock_time", "s", RILL_F64, &c->time, 1},
        {"clock_step", "", RILL_U64, &c->step, 1},
        {"clock_dt", "s", RILL_F64, &c->dt, 1},
        {"clock_taken", "s", RILL_F64, &c->taken, 1},
        {"clock_speed", "m/s", RILL_F64, &c->speed, 1},
        {"clock_acceleration", "m/s2", RILL_F64, &c->acceleration, 1},
        {"clock_head", "m2/s2", RILL_F64, &c->head, 1},
        {"next_id", "", RILL_U64, &world->sph.liquid.next_id, 1},
        {"seed", "", RILL_U32, &world->scene.seed, 1},
        {"identity", "", RILL_U64, world->identity, RILL_IDENTITY_COUNT},
    };
    rill_status status = RILL_OK;
    for (size_t i = 0; !status && i < sizeof scalars / sizeof *scalars; i++) {
        const rill_array a = {
            .type = scalars[i].type, .lanes = 1, .stride = 1, .count = scalars[i].count, .data = scalars[i].data};
        status = add_array(list, scalars[i].name, scalars[i].unit, a, err);
    }
    return status;
}

static rill_status list_bodies(rill_world *world, rill_state *list, rill_error *err)
{
    const struct {
        const char *name, *unit;
        uint32_t lanes;
        size_t offset;
    } places[] = {
        {"body_from", "m", 3, offsetof(rill_body, shape.from)},
        {"body_size", "m", 3, offsetof(rill_body, size)},
        {"body_center", "m", 3, offsetof(rill_body, shape.center)},
        {"body_about", "m", 3, offsetof(rill_body, pose.about)},
        {"body_position", "m", 3, offsetof(rill_body, pose.position)},
        {"body_rotation", "", 4, offsetof(rill_body, pose.rotation)},
        {"body_low", "m/s", 3, offsetof(rill_body, low)},
        {"body_high", "m/s", 3, offsetof(rill_body, high)},
        {"body_spin", "rad/s", 3, offsetof(rill_body, spin)},
        {"body_force", "N", 3, offsetof(rill_body, force)},
        {"body_torque", "N m", 3, offsetof(rill_body, torque)},
    };
    _Static_assert(sizeof(rill_body) % sizeof(double) == 0, "bodies are strided by doubles");
    rill_status status = RILL_OK;
    for (size_t i = 0; !status && world->body_count && i < sizeof places / sizeof *places; i++) {
        const rill_array a = {.type = RILL_F64,
                              .lanes = places[i].lanes,
                              .stride = sizeof(rill_body) / sizeof(double),
                              .count = world->body_count,
                              /* Forces are for looking at: every step finds its own. */
                              .derived = places[i].offset >= offsetof(rill_body, force),
                              .data = (char *)world->bodies + places[i].offset};
        status = add_array(list, places[i].name, places[i].unit, a, err);
    }
    return status;
}

/* What was changed while the world ran. */
static rill_status list_changes(const rill_world *world, rill_state *list, rill_error *err)
{
    if (!world->change_count) return RILL_OK;
    _Static_assert(sizeof(rill_change) % sizeof(double) == 0, "changes are strided by doubles");
    rill_array a = {.type = RILL_U64, .lanes = 1, .stride = sizeof(rill_change) / sizeof(double),
                    .count = world->change_count, .data = &world->changes->hash};
    const rill_status status = add_array(list, "changed_key", "", a, err);
    a.type = RILL_F64, a.data = &world->changes->value;
    return status ? status : add_array(list, "changed_value", "", a, err);
}

static bool is_change(const rill_array *a)
{
    return !strcmp(a->name, "changed_key") || !strcmp(a->name, "changed_value");
}

static rill_status list_fields(const rill_world *world, bool all, rill_state *list, rill_error *err)
{
    static const rill_array_type types[] = {
        [RILL_FIELD_F32] = RILL_F32, [RILL_FIELD_U32] = RILL_U32, [RILL_FIELD_U64] = RILL_U64};
    const rill_fields *fields = &world->sph.liquid.fields;
    rill_status status = RILL_OK;
    for (uint32_t f = 0; !status && f < fields->field_count; f++) {
        const rill_field_def *def = &fields->defs[f];
        if (def->lifetime == RILL_SCRATCH || def->in || f == FIELD_OWNER) continue;
        if (f == FIELD_DENSITY && !all && !world->scene.output.density) continue;
        if (f == FIELD_PRESSURE && !all && !world->scene.output.pressure) continue;
        const rill_array a = {.type = types[def->type],
                              .lanes = def->used,
                              .stride = def->lanes,
                              .count = fields->count,
                              .derived = def->lifetime == RILL_DERIVED,
                              .particle = true,
                              .data = fields->data[f]};
        status = add_array(list, def->name, def->unit, a, err);
    }
    return status;
}

rill_status rill_world_views(const rill_world *world, bool all, rill_state *views, rill_error *err)
{
    *views = (rill_state){0};
    rill_status status = list_fields(world, all, views, err);
    if (!status) status = list_scalars((rill_world *)world, views, err);
    if (!status) status = list_bodies((rill_world *)world, views, err);
    if (!status) status = list_changes(world, views, err);
    if (status) rill_state_free(views);
    return status;
}

void rill_state_free(rill_state *state)
{
    rill_free(state->arrays);
    *state = (rill_state){0};
}

const rill_array *rill_state_array(const rill_state *state, const char *name)
{
    for (uint32_t i = 0; i < state->count; i++)
        if (strcmp(state->arrays[i].name, name) == 0) return &state->arrays[i];
    return NULL;
}

size_t rill_array_element(rill_array_type type)
{
    return type == RILL_F64 || type == RILL_U64 ? 8 : 4;
}

static void copy_array(const rill_array *to, const rill_array *from)
{
    const size_t size = rill_array_element(to->type);
    for (uint64_t i = 0; i < to->count; i++)
        memcpy((char *)to->data + i * to->stride * size, (const char *)from->data + i * from->stride * size,
               to->lanes * size);
}

/* Checks that a saved array fits the world's own, or so many particles. */
static rill_status check_array(const rill_array *mine, const rill_array *saved, uint64_t particles, rill_error *err)
{
    if (!saved)
        return rill_fail(err, RILL_BAD_FILE,
                         "The saved state has no array '%s', so this scene cannot continue from it.", mine->name);
    if (!strcmp(mine->name, "id") && saved->type == RILL_U32)
        return rill_fail(err, RILL_BAD_FILE,
                         "The saved state has ids of 32 bits, as rill 0.1 wrote them, so it can be looked at but not "
                         "continued; continue it with the rill that wrote it.");
    if (saved->type != mine->type || saved->lanes != mine->lanes || saved->stride < saved->lanes ||
        (!mine->particle && saved->count != mine->count))
        return rill_fail(err, RILL_BAD_FILE, "The saved array '%s' has another type or size than this scene needs.",
                         mine->name);
    if (mine->particle && saved->count != particles)
        return rill_fail(err, RILL_BAD_FILE, "The saved array '%s' is for %llu particles, but there are %llu ids.",
                         mine->name, (unsigned long long)saved->count, (unsigned long long)particles);
    return RILL_OK;
}

static double value_at(const rill_array *a, uint64_t record, uint32_t lane)
{
    const char *at = (const char *)a->data + (record * a->stride + lane) * rill_array_element(a->type);
    switch (a->type) {
    case RILL_F32: return *(const float *)at;
    case RILL_F64: return *(const double *)at;
    case RILL_U32: return *(const uint32_t *)at;
    case RILL_U64: return (double)*(const uint64_t *)at;
    }
    return NAN;
}

/* Numbers that go on counting leave room for it; doubles do not know each of them. */
static rill_status check_whole(const rill_array *saved, rill_error *err)
{
    const bool counts = !strcmp(saved->name, "next_id") || !strcmp(saved->name, "clock_step");
    for (uint64_t i = 0; counts && i < saved->count; i++) {
        const uint64_t value = ((const uint64_t *)saved->data)[i * saved->stride];
        if (value > UINT64_MAX / 2)
            return rill_fail(err, RILL_BAD_FILE,
                             "The saved array '%s' holds a value that cannot be (%llu in record %llu).", saved->name,
                             (unsigned long long)value, (unsigned long long)i);
    }
    return RILL_OK;
}

/* Where the numbers of an array may lie. Every one is finite; bodies stay where their squares fit single precision. */
static void range_of(const rill_world *world, const char *name, double *low, double *high)
{
    const double body = 1e18;
    const struct {
        const char *name;
        double low, high;
    } ranges[] = {
        {"clock_time", 0, 2 * RILL_MOST_TIME}, {"clock_dt", 0, RILL_MOST_TIME}, {"clock_taken", 0, RILL_MOST_TIME},
        {"clock_speed", 0, DBL_MAX},           {"clock_head", 0, DBL_MAX},      {"clock_acceleration", 0, DBL_MAX},
        {"seed", 0, RILL_MOST_SEED},           {"body_from", -body, body},      {"body_size", -body, body},
        {"body_center", -body, body},          {"body_about", -body, body},     {"body_position", -body, body},
        {"body_low", -body, body},             {"body_high", -body, body},      {"body_spin", -body, body},
        {"fluid", 0, world->sph.fluid_count - 1.0},
    };
    *low = -DBL_MAX, *high = DBL_MAX;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (!strcmp(ranges[i].name, name)) *low = ranges[i].low, *high = ranges[i].high;
}

/* Rotations are unit quaternions, but for rounding. */
static rill_status check_rotations(const rill_array *saved, rill_error *err)
{
    for (uint64_t i = 0; i < saved->count; i++) {
        double sum = 0;
        for (uint32_t l = 0; l < saved->lanes; l++) sum += value_at(saved, i, l) * value_at(saved, i, l);
        if (!(fabs(sum - 1) < 1e-9))
            return rill_fail(err, RILL_BAD_FILE,
                             "The saved array '%s' holds what is no rotation (of length %g in record %llu).",
                             saved->name, sqrt(sum), (unsigned long long)i);
    }
    return RILL_OK;
}

/* Checks what a saved array holds: numbers in their range, boxes that have a size. */
static rill_status check_values(const rill_world *world, const rill_array *saved, rill_error *err)
{
    if (saved->type == RILL_U64) return check_whole(saved, err);
    if (!strcmp(saved->name, "body_rotation")) return check_rotations(saved, err);
    const bool size = strcmp(saved->name, "body_size") == 0;
    double low, high;
    range_of(world, saved->name, &low, &high);
    for (uint64_t i = 0; i < saved->count; i++) {
        const rill_body *body = size ? &world->bodies[i] : NULL;
        const bool sided = body && rill_geometry_of(&body->shape)->sided;
        for (uint32_t l = 0; l < saved->lanes; l++) {
            const double value = value_at(saved, i, l);
            const bool fits = !body || (sided ? value > 0 : value == rill_vec3_get(&body->size, (int)l));
            if (value >= low && value <= high && fits) continue;
            return rill_fail(err, RILL_BAD_FILE,
                             "The saved array '%s' holds a value that cannot be (%g in record %llu).", saved->name,
                             value, (unsigned long long)i);
        }
    }
    return RILL_OK;
}

static int compare_ids(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Every particle has an id of its own, that was given before the next one. */
static rill_status check_ids(const rill_array *id, uint64_t next, rill_error *err)
{
    rill_status status = RILL_OK;
    uint64_t *sorted = rill_malloc((id->count + 1) * sizeof *sorted);
    if (!sorted)
        return rill_fail(err, RILL_NO_MEMORY, "There is no memory to check %llu ids.", (unsigned long long)id->count);
    for (uint64_t i = 0; i < id->count; i++) sorted[i] = ((const uint64_t *)id->data)[i * id->stride];
    qsort(sorted, id->count, sizeof *sorted, compare_ids);
    for (uint64_t i = 1; i < id->count && !status; i++)
        if (sorted[i] == sorted[i - 1])
            status =
                rill_fail(err, RILL_BAD_FILE, "The saved array 'id' holds %llu twice.", (unsigned long long)sorted[i]);
    if (!status && id->count && sorted[id->count - 1] >= next)
        status = rill_fail(err, RILL_BAD_FILE,
                           "The saved array 'id' holds a value that cannot be (%llu, and the next id is %llu).",
                           (unsigned long long)sorted[id->count - 1], (unsigned long long)next);
    rill_free(sorted);
    return status;
}

static rill_status check_identity(const rill_world *world, const rill_array *saved, rill_error *err)
{
    for (uint32_t part = 0; part < RILL_IDENTITY_COUNT; part++) {
        const uint64_t other = ((const uint64_t *)saved->data)[(size_t)part * saved->stride];
        if (other != world->identity[part])
            return rill_fail(err, RILL_BAD_INPUT,
                             "The saved state is of a scene with %s, so scene %s cannot continue from "
                             "it.",
                             rill_identity_word(part), world->scene.name);
    }
    return RILL_OK;
}

/* All that a restart needs is there, is of this scene, and makes sense. */
static rill_status check_state(const rill_world *world, const rill_state *mine, const rill_state *state,
                               const uint64_t *scene_hash, rill_error *err)
{
    const rill_array *identity = rill_state_array(state, "identity");
    const rill_array *id = rill_state_array(state, "id"), *next = rill_state_array(state, "next_id");
    const uint64_t particles = id ? id->count : 0;
    rill_status status = check_array(rill_state_array(mine, "identity"), identity, 0, err);
    if (!status) status = check_identity(world, identity, err);
    if (!status && scene_hash && *scene_hash != world->scene_hash)
        status = rill_fail(err, RILL_BAD_INPUT,
                           "The snapshot is of another scene than %s, so its future would be another; apply it to a "
                           "world of its own scene, or load its state.",
                           world->scene.name);
    for (uint32_t i = 0; !status && i < mine->count; i++) {
        const rill_array *own = &mine->arrays[i], *saved = rill_state_array(state, own->name);
        if (is_change(own) || (own->derived && (own->particle || !saved))) continue;
        status = check_array(own, saved, particles, err);
        if (!status && !scene_hash) status = check_values(world, saved, err);
    }
    if (status || scene_hash) return status;
    if (particles > UINT32_MAX / 16)
        return rill_fail(err, RILL_BAD_FILE, "The saved state has more particles than a world can hold.");
    return check_ids(id, *(const uint64_t *)next->data, err);
}

/* Copies all that fits; the world has as many particles as the state by now. */
static rill_status copy_state(rill_world *world, const rill_state *state, rill_error *err)
{
    rill_state mine;
    const rill_status status = rill_world_views(world, true, &mine, err);
    if (status) return status;
    /* Older states have no forces. */
    for (uint32_t b = 0; b < world->body_count; b++) world->bodies[b].force = world->bodies[b].torque = (rill_vec3){0};
    for (uint32_t i = 0; i < mine.count; i++) {
        const rill_array *own = &mine.arrays[i], *saved = rill_state_array(state, own->name);
        if (is_change(own)) continue;
        if (saved && saved->type == own->type && saved->lanes == own->lanes && saved->count == own->count)
            copy_array(own, saved);
    }
    rill_state_free(&mine);
    return RILL_OK;
}

/* What the wall particles were made from. */
static bool same_walls(const rill_body *a, const rill_body *b)
{
    return !memcmp(&a->shape, &b->shape, sizeof a->shape) && !memcmp(&a->size, &b->size, sizeof a->size) &&
           !memcmp(&a->pose, &b->pose, sizeof a->pose) && !memcmp(&a->spin, &b->spin, sizeof a->spin) &&
           !memcmp(&a->low, &b->low, sizeof a->low) && !memcmp(&a->high, &b->high, sizeof a->high);
}

/* Bodies are where the state has them. Wall particles stay where they are if no body is elsewhere. */
static void place_bodies(rill_world *world, const rill_body *before)
{
    for (uint32_t b = 0; b < world->body_count; b++) {
        rill_body *body = &world->bodies[b];
        body->shape.to = rill_vec3_add(body->shape.from, body->size);
        body->pose = rill_pose_placed(body->pose.rotation, body->pose.about, body->pose.position);
        if (before[b].moved || !same_walls(body, &before[b])) world->walls_stale = true;
        body->before = body->shape;
        body->pose_before = body->pose;
    }
}

rill_status rill_world_restore(rill_world *world, const rill_state *state, const uint64_t *scene_hash,
                               rill_error *err)
{
    rill_state mine;
    rill_status status = rill_world_views(world, true, &mine, err);
    if (status) return status;
    status = check_state(world, &mine, state, scene_hash, err);
    rill_state_free(&mine);
    rill_body *before = rill_malloc((world->body_count + 1) * sizeof *before);
    if (!status && !before) status = rill_memory_fail(err, world->body_count * sizeof *before, "the bodies");
    if (!status) status = rill_world_take_changes(world, rill_state_array(state, "changed_key"),
                                                          rill_state_array(state, "changed_value"), err);
    const uint32_t count = world->sph.liquid.fields.count;
    if (!status) status = rill_set_resize(&world->sph.liquid, (uint32_t)rill_state_array(state, "id")->count, err);
    if (!status) {
        memcpy(before, world->bodies, world->body_count * sizeof *before);
        status = copy_state(world, state, err);
        if (status) rill_set_resize(&world->sph.liquid, count, NULL);
        else place_bodies(world, before);
    }
    rill_free(before);
    return status ? status : rill_sph_sort_all(&world->sph, world->ops, err);
}

rill_status rill_world_load(rill_world *world, const rill_state *state, rill_error *err)
{
    return rill_world_restore(world, state, NULL, err);
}

uint64_t rill_world_hash(const rill_world *world)
{
    const rill_frame frame = rill_world_frame(world);
    uint64_t sum = 0;
    for (size_t i = 0; i < frame.count; i++) {
        uint64_t hash = frame.id[i];
        for (size_t l = 0; l < 3; l++) {
            uint32_t x, v;
            memcpy(&x, &frame.position[4 * i + l], 4);
            memcpy(&v, &frame.velocity[4 * i + l], 4);
            hash = rill_hash_add(hash, (uint64_t)x << 32 | v);
        }
        sum += hash; /* a sum does not know the order */
    }
    return rill_hash_add(sum, frame.count);
}

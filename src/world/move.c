/* The end of a step: particles move, walls hold them, and trouble is seen the
 * moment it appears. */
#include <math.h>

#include "physics/boundary/guard.h"
#include "world/world.h"

typedef struct job {
    rill_world *world;
    float dt;
    bool still;          /* only measure */
    float speed_limit2;
    rill_guard guard;
    rill_move_stats *stats;
} job;

/* Sides that let liquid out; along a periodic axis there are none. */
static uint32_t open_sides(const rill_body *body)
{
    uint32_t open = body->open;
    for (int a = 0; a < 3; a++)
        if (body->periodic[a]) open &= ~(3u << (2 * a));
    return open;
}

/* Outside every container, and some of them are closed. */
static bool is_lost(const job *j, const float x[3])
{
    bool containers = false;
    for (uint32_t b = 0; b < j->world->body_count; b++) {
        const rill_body *body = &j->world->bodies[b];
        if (body->solid) continue;
        containers = containers || !open_sides(body);
        if (b < RILL_GUARD_REGIONS && rill_guard_within(&j->guard.regions[b], x)) return false;
        if (rill_body_method_of(body)->holds(body, (rill_vec3){x[0], x[1], x[2]}, 0)) return false;
    }
    return containers;
}

static void note_trouble(rill_move_stats *s, rill_trouble_kind kind, uint32_t id, const float x[3])
{
    if (!s->trouble || id < s->trouble_id) {
        s->trouble_kind = kind;
        s->trouble_id = id;
        s->trouble_at = (rill_vec3){x[0], x[1], x[2]};
    }
    s->trouble++;
}

/* A new place, a velocity and a pressure, or what is wrong with them. */
static rill_trouble_kind judge(const job *j, const float to[3], const float v[3], float pressure)
{
    const float speed2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    const float reach = fabsf(to[0]) + fabsf(to[1]) + fabsf(to[2]);
    if (!(speed2 <= INFINITY) || !(reach < INFINITY) || !(fabsf(pressure) < INFINITY)) return RILL_TROUBLE_NAN;
    return speed2 > j->speed_limit2 ? RILL_TROUBLE_RUNAWAY : RILL_TROUBLE_NONE;
}

/* Fields that show something of the step, or carry it to the next, beside place and motion: what made the trouble
 * would stay in them. */
static bool is_memory(const rill_fields *fields, uint32_t f)
{
    const rill_field_def *def = &fields->defs[f];
    if (f == FIELD_POSITION || f == FIELD_VELOCITY) return false;
    return f == FIELD_PRESSURE || (def->type == RILL_FIELD_F32 && def->lifetime == RILL_STATE);
}

static void forget(const rill_fields *fields, uint32_t i)
{
    for (uint32_t f = 0; f < fields->field_count; f++) {
        const uint32_t lanes = fields->defs[f].lanes;
        float *value = rill_field_f32(fields, f) + (size_t)lanes * i;
        for (uint32_t l = 0; is_memory(fields, f) && l < lanes; l++) value[l] = f == FIELD_COMPRESSION ? 1 : 0;
    }
}

static void move_particle(const job *j, uint32_t i, float *x, float *v, const float *old, const float *shift,
                          rill_move_stats *s)
{
    const rill_sph *sph = &j->world->sph;
    float to[3];
    for (int a = 0; a < 3; a++) to[a] = x[a] + j->dt * v[a] + (shift ? shift[a] : 0);
    const rill_trouble_kind trouble = judge(j, to, v, rill_field_f32(&sph->fields, FIELD_PRESSURE)[i]);
    if (trouble) {
        /* Named with where it was last seen whole, and left there at rest, unless a body comes along. */
        note_trouble(s, trouble, rill_field_u32(&sph->fields, FIELD_ID)[i], x);
        for (int a = 0; a < 3; a++) to[a] = x[a], v[a] = 0;
        forget(&sph->fields, i);
    }
    if (rill_guard_hold(&j->guard, x, to, v) == RILL_CONTACT_PASSED) s->rescued++;
    float acceleration2 = 0;
    for (int a = 0; a < 3; a++) {
        const float kick = v[a] - old[a];
        acceleration2 += kick * kick;
        x[a] = rill_grid_wrap(&sph->grid, a, to[a]);
    }
    if (!trouble && acceleration2 > s->acceleration2) s->acceleration2 = acceleration2;
}

static void measure_particle(const job *j, uint32_t i, const float *x, const float *v, float compression,
                             rill_move_stats *s)
{
    const rill_sph *sph = &j->world->sph;
    const double rest = sph->rest_density[rill_field_u32(&sph->fields, FIELD_FLUID)[i]], mass = rest * sph->volume;
    const double speed2 = (double)v[0] * v[0] + (double)v[1] * v[1] + (double)v[2] * v[2];
    if (speed2 > s->speed2) s->speed2 = speed2;
    s->head += rill_field_f32(&sph->fields, FIELD_PRESSURE)[i] / rest;
    s->kinetic += 0.5 * mass * speed2;
    for (int a = 0; a < 3; a++) {
        s->potential -= mass * sph->gravity[a] * x[a];
        s->momentum[a] += mass * v[a];
    }
    s->volume += sph->volume / (compression > 1 ? compression : 1);
    if (is_lost(j, x)) s->lost++;
}

static void move_body(void *context, uint32_t begin, uint32_t end, unsigned worker)
{
    (void)worker;
    const job *j = context;
    const rill_fields *fields = &j->world->sph.fields;
    float *position = rill_field_f32(fields, FIELD_POSITION), *velocity = rill_field_f32(fields, FIELD_VELOCITY);
    const float *old = rill_field_f32(fields, FIELD_ACCELERATION);
    const float *compression = rill_field_f32(fields, FIELD_COMPRESSION);
    const float *shift = j->world->shift_field == UINT32_MAX ? NULL : rill_field_f32(fields, j->world->shift_field);
    rill_move_stats s = {0};
    for (uint32_t i = begin; i < end; i++) {
        float *x = position + 4 * (size_t)i, *v = velocity + 4 * (size_t)i;
        if (!j->still) move_particle(j, i, x, v, old + 4 * (size_t)i, shift ? shift + 4 * (size_t)i : NULL, &s);
        measure_particle(j, i, x, v, compression[i], &s);
    }
    s.head /= end - begin;
    j->stats[begin / RILL_BLOCK] = s;
}

static void add_stats(rill_move_stats *t, const rill_move_stats *s)
{
    t->speed2 = fmax(t->speed2, s->speed2);
    t->acceleration2 = fmax(t->acceleration2, s->acceleration2);
    t->head = fmax(t->head, s->head);
    t->kinetic += s->kinetic;
    t->potential += s->potential;
    t->volume += s->volume;
    for (int a = 0; a < 3; a++) t->momentum[a] += s->momentum[a];
    t->rescued += s->rescued;
    t->lost += s->lost;
    if (s->trouble && (!t->trouble || s->trouble_id < t->trouble_id)) {
        t->trouble_id = s->trouble_id;
        t->trouble_kind = s->trouble_kind;
        t->trouble_at = s->trouble_at;
    }
    t->trouble += s->trouble;
}

static rill_status run(rill_world *world, double dt, bool still, rill_move_stats *total, rill_error *err)
{
    rill_sph *sph = &world->sph;
    const rill_blocks blocks = rill_sph_blocks(sph);
    const size_t bytes = (blocks.count + 1) * sizeof(rill_move_stats);
    if (!rill_buffer_reserve(&world->stats, bytes)) return rill_memory_fail(err, bytes, "the figures of a step");
    job j = {.world = world,
             .dt = (float)dt,
             .still = still,
             .speed_limit2 = (float)(world->speed_limit * world->speed_limit),
             .guard = rill_guard_make(world->bodies, world->body_count, RILL_CONTACT_DISTANCE * sph->diameter,
                                      world->speed_limit, dt),
             .stats = world->stats.data};
    uint64_t reads = FIELD_BIT(FIELD_POSITION) | FIELD_BIT(FIELD_VELOCITY) | FIELD_BIT(FIELD_ACCELERATION) |
                     FIELD_BIT(FIELD_COMPRESSION) | FIELD_BIT(FIELD_PRESSURE) | FIELD_BIT(FIELD_ID) | FIELD_BIT(FIELD_FLUID);
    if (world->shift_field != UINT32_MAX) reads |= FIELD_BIT(world->shift_field);
    uint64_t writes = FIELD_BIT(FIELD_POSITION) | FIELD_BIT(FIELD_VELOCITY);
    for (uint32_t f = 0; f < sph->fields.field_count; f++)
        if (is_memory(&sph->fields, f)) writes |= FIELD_BIT(f);
    const rill_pass pass = {"move", move_body, reads, writes};
    rill_pass_run(&sph->runner, &sph->fields, &pass, &j, blocks);
    *total = (rill_move_stats){0};
    for (uint32_t b = 0; b < blocks.count; b++) add_stats(total, &j.stats[b]);
    if (dt > 0) total->acceleration2 /= dt * dt;
    return RILL_OK;
}

rill_status rill_world_move(rill_world *world, double dt, rill_move_stats *total, rill_error *err)
{
    return run(world, dt, false, total, err);
}

rill_status rill_world_measure(rill_world *world, rill_move_stats *total, rill_error *err)
{
    return run(world, 0, true, total, err);
}

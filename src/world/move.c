/* The end of a step: particles move, walls hold them, and trouble is seen the
 * moment it appears. */
#include <math.h>

#include "world/world.h"

typedef struct job {
    rill_world *world;
    float dt;
    bool still; /* only measure */
    bool kicked; /* the velocity before forces and pressure is known */
    float speed_limit2;
    uint32_t shift; /* row of a displacement to add; UINT32_MAX: none */
} job;

/* What the pass tallies beside what the liquid adds up to. */
enum { LARGEST_KICK2 = RILL_LARGEST_SPEED2 + 1 };
enum { COUNT_RESCUED, COUNT_LOST, COUNT_TROUBLE };

static void note_trouble(rill_tally *tally, rill_trouble_kind kind, uint64_t id, const float x[3])
{
    rill_tally_put(tally, id, (const double[4]){kind, x[0], x[1], x[2]});
    tally->counts[COUNT_TROUBLE]++;
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
    return f == FIELD_PRESSURE || (def->type == RILL_FIELD_F32 && def->lifetime == RILL_STATE && !def->in);
}

static void forget(const rill_fields *fields, uint32_t i)
{
    for (uint32_t f = 0; f < fields->field_count; f++) {
        const rill_field_def *def = &fields->defs[f];
        if (!is_memory(fields, f)) continue;
        float *value = rill_field_f32(fields, f) + (size_t)def->lanes * i;
        for (uint32_t l = 0; l < def->lanes; l++) value[l] = def->birth[l];
    }
}

/* How much forces and pressure changed a velocity. */
static void note_kick(const rill_sph *sph, uint32_t i, const float v[3], rill_tally *tally)
{
    const float *old = rill_field_f32(&sph->liquid.fields, FIELD_ACCELERATION) + 4 * (size_t)i;
    float kick2 = 0;
    for (int a = 0; a < 3; a++) {
        const float kick = v[a] - old[a];
        kick2 += kick * kick;
    }
    if (kick2 > tally->largest[LARGEST_KICK2]) tally->largest[LARGEST_KICK2] = kick2;
}

/* A particle that the guard holds back. */
typedef struct held {
    const job *j;
    double mass;
    rill_vec3 at;
    rill_sum *sums; /* six for every body: what it gave */
} held;

static void note_held(void *user, uint32_t body, rill_vec3 moved, rill_vec3 slowed)
{
    held *h = user;
    const rill_vec3 p = rill_vec3_scale(slowed, h->mass);
    h->at = rill_vec3_add(h->at, moved);
    const rill_vec3 turn = rill_cross(rill_vec3_sub(h->at, rill_body_centre(&h->j->world->bodies[body])), p);
    for (int a = 0; a < 3; a++) {
        rill_sum_add(&h->sums[6 * (size_t)body + a], rill_vec3_get(&p, a));
        rill_sum_add(&h->sums[6 * (size_t)body + 3 + a], rill_vec3_get(&turn, a));
    }
    rill_patches_note(h->j->world, body, h->at, p, h->sums);
}

static rill_contact hold(const job *j, uint32_t i, const float *x, float *to, float *v, rill_sum *sums)
{
    const rill_sph *sph = &j->world->sph;
    const uint32_t fluid = rill_field_u32(&sph->liquid.fields, FIELD_FLUID)[i];
    held h = {j, sph->rest_density[fluid] * sph->volume, {to[0], to[1], to[2]}, sums};
    return rill_guard_hold(&j->world->guard, x, to, v, note_held, &h);
}

static void move_particle(const job *j, uint32_t i, float *x, float *v, rill_tally *tally, rill_sum *sums)
{
    const rill_sph *sph = &j->world->sph;
    const float *shift = j->shift == UINT32_MAX ? NULL : rill_field_f32(&sph->liquid.fields, j->shift) + 4 * (size_t)i;
    float to[3];
    for (int a = 0; a < 3; a++) to[a] = x[a] + j->dt * v[a] + (shift ? shift[a] : 0);
    const rill_trouble_kind trouble = judge(j, to, v, rill_field_f32(&sph->liquid.fields, FIELD_PRESSURE)[i]);
    if (trouble) {
        /* Named with where it was last seen whole, and left there at rest, unless a body comes along. */
        note_trouble(tally, trouble, rill_field_u64(&sph->liquid.fields, FIELD_ID)[i], x);
        for (int a = 0; a < 3; a++) to[a] = x[a], v[a] = 0;
        forget(&sph->liquid.fields, i);
    }
    if (hold(j, i, x, to, v, sums) == RILL_CONTACT_PASSED) tally->counts[COUNT_RESCUED]++;
    if (j->kicked && !trouble) note_kick(sph, i, v, tally);
    for (int a = 0; a < 3; a++) x[a] = rill_grid_wrap(&sph->grid, a, to[a]);
}

static void move_body(void *context, const rill_pass_block *block)
{
    const job *j = context;
    const rill_sph *sph = &j->world->sph;
    float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    float *velocity = rill_field_f32(&sph->liquid.fields, FIELD_VELOCITY);
    for (uint32_t i = block->begin; i < block->end; i++) {
        float *x = position + 4 * (size_t)i, *v = velocity + 4 * (size_t)i;
        if (!rill_set_owns(&sph->liquid, i)) continue; /* its owner moves it */
        if (!j->still) move_particle(j, i, x, v, block->tally, block->more);
        if (rill_guard_lost(&j->world->guard, x)) block->tally->counts[COUNT_LOST]++;
    }
    j->world->ops->measure(sph, block);
}

static void read_stats(const rill_sph *sph, double dt, rill_move_stats *stats)
{
    const rill_tally *total = &sph->runner.total;
    const double mass = sph->rest_density[0] * sph->volume;
    *stats = (rill_move_stats){
        .speed = sqrt(total->largest[RILL_LARGEST_SPEED2]),
        .acceleration = dt > 0 ? sqrt(total->largest[LARGEST_KICK2]) / dt : 0,
        .kinetic = mass * rill_tally_sum(total, RILL_SUM_KINETIC),
        .potential = mass * rill_tally_sum(total, RILL_SUM_POTENTIAL),
        .rescued = total->counts[COUNT_RESCUED],
        .lost = total->counts[COUNT_LOST],
        .trouble = total->counts[COUNT_TROUBLE],
    };
    for (int a = 0; a < 3; a++) stats->momentum[a] = mass * rill_tally_sum(total, RILL_SUM_MOMENTUM + a);
    if (!total->first) return;
    stats->trouble_id = total->first - 1;
    stats->trouble_kind = (rill_trouble_kind)total->of_first[0];
    stats->trouble_at = (rill_vec3){total->of_first[1], total->of_first[2], total->of_first[3]};
}

/* The fields that moving uses: those that trouble wipes out, too. */
static rill_pass pass_of(const job *j)
{
    const rill_fields *fields = &j->world->sph.liquid.fields;
    const rill_mask x = FIELD_BIT(FIELD_POSITION), v = FIELD_BIT(FIELD_VELOCITY);
    rill_pass pass = {"move", move_body, x | v | FIELD_BIT(FIELD_FLUID) | FIELD_BIT(FIELD_OWNER), 0, RILL_SUMS};
    if (j->still) return pass;
    pass.reads |= FIELD_BIT(FIELD_PRESSURE) | FIELD_BIT(FIELD_ID) | (j->kicked ? FIELD_BIT(FIELD_KICKED) : 0);
    if (j->shift != UINT32_MAX) pass.reads |= FIELD_BIT(j->shift);
    pass.writes |= x | v | RILL_MORE_SUMS;
    for (uint32_t f = 0; f < fields->field_count; f++)
        if (is_memory(fields, f)) pass.writes |= FIELD_BIT(f), pass.reads |= FIELD_BIT(f);
    return pass;
}

static rill_status run(job *j, rill_blocks blocks, rill_move_stats *stats, rill_error *err)
{
    rill_world *world = j->world;
    rill_sph *sph = &world->sph;
    const rill_pass pass = pass_of(j);
    j->speed_limit2 = (float)(world->speed_limit * world->speed_limit);
    const double margin = RILL_CONTACT_DISTANCE * sph->diameter;
    const rill_status status = rill_guard_make(&world->guard, world->bodies, world->body_count, margin, err);
    if (status) return status;
    rill_pass_run(&sph->runner, &sph->liquid.fields, &pass, j, blocks);
    read_stats(sph, j->dt, stats);
    return RILL_OK;
}

rill_status rill_world_move(rill_world *world, const rill_step_context *step, uint32_t shift, rill_move_stats *stats,
                            rill_error *err)
{
    job j = {.world = world, .dt = (float)step->dt, .shift = shift, .kicked = world->solver->explicit_pressure};
    return run(&j, step->sph->liquid.due, stats, err);
}

rill_status rill_world_measure(rill_world *world, rill_move_stats *stats, rill_error *err)
{
    job j = {.world = world, .still = true, .shift = UINT32_MAX};
    return run(&j, rill_clock_due(world), stats, err);
}

/* One step, readable at a glance. */
#include <math.h>

#include "run/threads.h"
#include "world/world.h"

/* Times a phase: the seconds since the last mark are its own. */
typedef struct stopwatch {
    double mark;
    double *seconds;
} stopwatch;

static void lap(stopwatch *watch, uint32_t phase)
{
    const double now = rill_clock_seconds();
    watch->seconds[phase] += now - watch->mark;
    watch->mark = now;
}

typedef struct kick_job {
    rill_sph *sph;
    float dt;
} kick_job;

static void gravity_body(void *context, const rill_pass_block *block)
{
    const kick_job *j = context;
    float *a = rill_field_f32(&j->sph->liquid.fields, FIELD_ACCELERATION);
    for (size_t i = block->begin; i < block->end; i++)
        for (size_t l = 0; l < 3; l++) a[4 * i + l] = j->sph->gravity[l];
}

/* v += dt a. The old velocity stays behind in the acceleration's place, for the
 * clock to see how hard the step pushed. */
static void kick_body(void *context, const rill_pass_block *block)
{
    const kick_job *j = context;
    float *a = rill_field_f32(&j->sph->liquid.fields, FIELD_ACCELERATION);
    float *v = rill_field_f32(&j->sph->liquid.fields, FIELD_VELOCITY);
    for (size_t i = block->begin; i < block->end; i++)
        for (size_t l = 0; l < 3; l++) {
            const float old = v[4 * i + l];
            v[4 * i + l] = old + j->dt * a[4 * i + l];
            a[4 * i + l] = old;
        }
}

/* Gravity and forces, in as many parts as the fastest of them needs. */
static rill_status apply_forces(rill_world *world, const rill_step_context *context, rill_report *report,
                                rill_error *err)
{
    const rill_mask a = FIELD_BIT(FIELD_ACCELERATION), v = FIELD_BIT(FIELD_VELOCITY);
    const rill_pass gravity = {"gravity", gravity_body, 0, 0, a};
    const rill_pass kick = {"kick", kick_body, a | v, 0, FIELD_BIT(FIELD_KICKED) | v};
    rill_sph *sph = &world->sph;
    const double parts = fmin(fmax(1, ceil(context->dt / rill_world_longest_part(world) - 1e-9)), RILL_PARTS_MOST);
    rill_step_context part = *context;
    part.dt /= parts;
    kick_job j = {sph, (float)part.dt};
    for (int p = 0; p < parts; p++) {
        rill_step_run(context, &gravity, &j);
        world->walls->push(world->walls_state, &part);
        for (uint32_t f = 0; f < world->force_count; f++) {
            const rill_world_force *force = &world->forces[f];
            rill_solve_result result = {.values = report->values + force->first_value};
            const rill_status status =
                force->method->apply ? force->method->apply(force->state, &part, &result, err) : RILL_OK;
            if (status) return status;
            report->limit_hit = report->limit_hit || result.limit_hit;
        }
        rill_step_run(context, &kick, &j);
    }
    return RILL_OK;
}

/* Where a force has left a displacement of the particles beside that of their velocities; UINT32_MAX: none has. */
static uint32_t find_displacement(const rill_world *world, const rill_step_context *context)
{
    for (uint32_t f = 0; f < world->force_count; f++)
        if (world->forces[f].method->displace)
            return world->forces[f].method->displace(world->forces[f].state, context);
    return UINT32_MAX;
}

void rill_reaction_take(const rill_sum *given, double dt, rill_vec3 *force, rill_vec3 *torque)
{
    for (int a = 0; a < 3; a++) {
        rill_vec3_set(force, a, rill_vec3_get(force, a) - rill_sum_value(&given[a]) / dt);
        rill_vec3_set(torque, a, rill_vec3_get(torque, a) - rill_sum_value(&given[3 + a]) / dt);
    }
}

/* What the last pass says that bodies gave the liquid, the liquid takes from them; `first` of the step. */
static void take_reactions(rill_world *world, double dt, bool first)
{
    for (uint32_t b = 0; b < world->body_count; b++) {
        rill_body *body = &world->bodies[b];
        if (first) body->force = body->torque = (rill_vec3){0, 0, 0};
        rill_reaction_take(world->sph.runner.more_total + (size_t)RILL_REACTION_SUMS * b, dt, &body->force,
                           &body->torque);
    }
}

/* What forces add to the potential energy in gravity. */
static double potential_of_forces(const rill_world *world, const rill_step_context *context)
{
    double sum = 0;
    for (uint32_t f = 0; f < world->force_count; f++)
        if (world->forces[f].method->potential)
            sum += world->forces[f].method->potential(world->forces[f].state, context);
    return sum;
}

static void fill_report(const rill_world *world, double dt, const rill_move_stats *moved, rill_report *r)
{
    const rill_sph *sph = &world->sph;
    const double due = sph->liquid.due.particles ? sph->liquid.due.particles : 1;
    r->step = world->clock.step;
    r->time = world->clock.time;
    r->dt = dt;
    r->particles = sph->liquid.own;
    r->boundary_particles = sph->walls.fields.count;
    r->neighbours_mean = (double)sph->lists.pairs / due;
    r->boundary_neighbours_mean = (double)sph->wall_lists.pairs / due;
    r->speed_max = moved->speed;
    r->kinetic = moved->kinetic;
    r->potential = moved->potential;
    r->momentum = (rill_vec3){moved->momentum[0], moved->momentum[1], moved->momentum[2]};
    r->rescued = moved->rescued;
    r->lost = moved->lost;
    r->trouble = moved->trouble_kind;
    r->trouble_count = moved->trouble;
    r->trouble_id = moved->trouble_id;
    r->trouble_at = moved->trouble_at;
    r->probe_value_count = world->probe_value_count;
    r->probe_values = world->probe_values;
}

/* What to change after a blow-up: the shortest step allowed, if it was in the way of a shorter one. */
static const char *trouble_advice(const rill_world *world)
{
    return world->clock.dt <= world->scene.time.step_min ? "time.step.min, which was in force"
                                                         : "time.step.max or time.step.cfl";
}

static rill_status judge_trouble(const rill_world *world, const rill_report *r, rill_error *err)
{
    if (!r->trouble || world->scene.on_trouble == RILL_TROUBLE_CONTINUE) return RILL_OK;
    const rill_vec3 at = rill_vec3_add(r->trouble_at, world->scene.origin);
    if (r->trouble == RILL_TROUBLE_NAN)
        return rill_fail(
            err, RILL_TROUBLE,
            "Particle %llu at (%g, %g, %g) m became NaN in step %llu (t = %g s), one of %llu; try a smaller "
            "%s.",
            (unsigned long long)r->trouble_id, at.x, at.y, at.z, (unsigned long long)r->step, r->time,
            (unsigned long long)r->trouble_count, trouble_advice(world));
    return rill_fail(
        err, RILL_TROUBLE,
        "Particle %llu at (%g, %g, %g) m ran faster than %g m/s in step %llu (t = %g s), one of %llu; try a "
        "smaller %s, or raise trouble.speed.",
        (unsigned long long)r->trouble_id, at.x, at.y, at.z, world->speed_limit, (unsigned long long)r->step, r->time,
        (unsigned long long)r->trouble_count, trouble_advice(world));
}

/* Tells the log, once each, of what a step should do without. */
static void tell(rill_world *world, const rill_report *r)
{
    const struct {
        bool happened;
        const char *what;
    } news[] = {{r->limit_hit, "the iterations of a solve ended at their limit"},
                {r->rescued > 0, "particles would have passed a wall and were held back"},
                {r->lost > 0, "particles lie outside of all containers"},
                {r->trouble != RILL_TROUBLE_NONE, "particles ran away or became NaN"}};
    for (uint32_t i = 0; i < sizeof news / sizeof *news; i++) {
        if (!news[i].happened || world->told >> i & 1) continue;
        world->told |= 1u << i;
        rill_world_log(world, "In step %llu (t = %g s) %s, for the first time.", (unsigned long long)r->step, r->time,
                       news[i].what);
    }
}

static void set_gravity(rill_world *world, const rill_controls *controls)
{
    const rill_vec3 g = controls && controls->gravity ? *controls->gravity : world->scene.gravity;
    world->sph.gravity[0] = (float)g.x;
    world->sph.gravity[1] = (float)g.y;
    world->sph.gravity[2] = (float)g.z;
}

rill_status rill_step(rill_world *world, const rill_controls *controls, rill_report *report, rill_error *err)
{
    rill_report unwanted;
    rill_report *r = report ? report : &unwanted;
    *r = (rill_report){0};
    rill_sph *sph = &world->sph;
    rill_solve_result solved = {.values = r->values + world->solver_first_value};
    rill_move_stats moved = {0};
    stopwatch watch = {rill_clock_seconds(), r->phase_seconds};
    const double until = controls ? controls->until : 0;
    rill_status status = rill_controls_take(world, controls, err);
    if (status) return status;

    set_gravity(world, controls);
    world->body_speed = rill_clock_body_speed(world, until);
    const double dt = rill_clock_choose(world, until), solved_dt = rill_clock_solved(world, dt);
    const bool part = solved_dt > dt;
    rill_step_context context = {.sph = sph,
                                 .dt = solved_dt,
                                 .last_dt = world->clock.dt,
                                 .between = 0.5 * (world->clock.taken + dt),
                                 .sound_speed = world->sound_speed,
                                 .bodies = world->bodies,
                                 .body_count = world->body_count,
                                 .contact = RILL_CONTACT_DISTANCE * sph->diameter};
    status = rill_bodies_steer(world, until, dt, context.between, err);
    lap(&watch, RILL_PHASE_BODIES);

    if (!status) status = rill_sph_sort(sph, world->ops, err);
    if (!status) status = rill_sph_search(sph, world->ops, rill_clock_due(world), err);
    if (status) return status;
    lap(&watch, RILL_PHASE_SEARCH);

    const rill_solver *solver = world->solver;
    sph->wall_weight = (float)world->walls->weight(sph, world->clock.time);
    status = world->walls->touch(&context, err);
    if (status) return status;
    const bool keeps = solver->keeps_density && solver->keeps_density(world->solver_state);
    rill_sph_density(sph, world->ops, sph->liquid.due, keeps);
    lap(&watch, RILL_PHASE_DENSITY);

    if (part) status = rill_clock_begin_part(world, &context, err);
    if (!status && world->solver->begin) status = world->solver->begin(world->solver_state, &context, &solved, err);
    if (status) return status;
    lap(&watch, RILL_PHASE_SOLVE);

    world->walls->begin(world->walls_state, &context);
    status = apply_forces(world, &context, r, err);
    if (status) return status;
    lap(&watch, RILL_PHASE_FORCES);

    status = world->solver->solve(world->solver_state, &context, &solved, err);
    if (status) return status;
    r->limit_hit = r->limit_hit || solved.limit_hit;
    world->walls->learn(world->walls_state, &context);
    if (part) rill_clock_end_part(world, &context, dt / solved_dt);
    lap(&watch, RILL_PHASE_SOLVE);

    context.dt = dt;
    world->walls->react(&context, dt / solved_dt);
    take_reactions(world, dt, true);
    rill_patches_react(world, &context, dt / solved_dt);
    const uint32_t shift = find_displacement(world, &context);
    for (uint32_t b = 0; b < world->body_count; b++) rill_body_move(&world->bodies[b], dt);
    status = rill_world_move(world, &context, shift, &moved, err);
    if (status) return status;
    take_reactions(world, dt, false);
    rill_patches_take(world, dt);
    moved.potential += potential_of_forces(world, &context);
    world->clock.time = until > 0 && world->clock.time + dt >= until * (1 - 1e-12) ? until : world->clock.time + dt;
    world->clock.step++;
    world->clock.dt = solved_dt;
    world->clock.taken = dt;
    world->clock.speed = moved.speed;
    world->clock.acceleration = moved.acceleration;
    world->clock.head = rill_clock_head(world);
    lap(&watch, RILL_PHASE_MOVE);

    rill_probes_measure(world, &moved);
    fill_report(world, dt, &moved, r);
    lap(&watch, RILL_PHASE_PROBES);
    tell(world, r);
    return judge_trouble(world, r, err);
}

rill_status rill_advance(rill_world *world, double seconds, const rill_controls *controls, rill_report *report,
                         rill_error *err)
{
    rill_controls all = controls ? *controls : (rill_controls){0};
    if (report) *report = (rill_report){0};
    if (!(seconds >= 0) || !isfinite(seconds))
        return rill_fail(err, RILL_BAD_INPUT, "A world cannot advance by %g s.", seconds);
    const double end = world->clock.time + seconds;
    if (!(all.until > 0) || all.until > end) all.until = end;
    rill_report unwanted, *r = report ? report : &unwanted;
    rill_status status = RILL_OK;
    while (!status && world->clock.time < all.until) {
        status = rill_step(world, &all, r, err);
        if (!status && all.each_step && !all.each_step(all.user, world, r))
            status = rill_fail(err, RILL_CANCELLED, "The host stopped the world at %g s.", world->clock.time);
    }
    return status;
}

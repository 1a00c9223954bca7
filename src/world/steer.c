/* What moves bodies in a step: their motions, or the controls. */
#include <math.h>
#include <string.h>

#include "physics/boundary/motion.h"
#include "world/world.h"

/* ---- controls ---- */

/* The boundary of a control, or body_count: it names none. */
static uint32_t boundary_of(const rill_world *world, const rill_body_control *control)
{
    for (uint32_t b = 0; control->name && b < world->body_count; b++)
        if (!strcmp(control->name, world->scene.boundaries[b].name)) return b;
    return control->name || control->boundary > world->body_count ? world->body_count : control->boundary;
}

static rill_status fail_no_boundary(const rill_world *world, const rill_body_control *control, rill_error *err)
{
    if (control->name)
        return rill_fail(err, RILL_BAD_INPUT, "The controls move boundary %.60s, but the scene has none of that name.",
                         control->name);
    return rill_fail(err, RILL_BAD_INPUT, "The controls move boundary %u, but the scene has only %u.",
                     control->boundary, world->body_count);
}

static rill_status check_target(const rill_body_target *target, const char *name, double until, rill_error *err)
{
    const double *q = target->rotation;
    const double length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!rill_vec3_finite(target->position) || !(fabs(length - 1) < 1e-6))
        return rill_fail(err, RILL_BAD_INPUT,
                         "The controls give boundary %s a target that is not finite, or whose rotation is no unit "
                         "quaternion.", name);
    if (!(until > 0))
        return rill_fail(err, RILL_BAD_INPUT,
                         "The controls give boundary %s a target, so they must say until when it is reached.", name);
    return RILL_OK;
}

static rill_status check_control(const rill_body *body, const rill_body_control *control, const char *name,
                                 double until, rill_error *err)
{
    const bool spins = rill_vec3_length(control->spin) > 0 && !control->target;
    if (!rill_vec3_finite(control->low) || !rill_vec3_finite(control->high) || !rill_vec3_finite(control->spin))
        return rill_fail(err, RILL_BAD_INPUT, "The controls give boundary %s a velocity that is not finite.", name);
    if ((spins || control->target) && rill_geometry_of(&body->shape)->unbounded)
        return rill_fail(err, RILL_BAD_INPUT, "The controls turn boundary %s, but a plane has no end and cannot turn.",
                         name);
    if (spins && rill_geometry_of(&body->shape)->sided && !rill_vec3_same(control->low, control->high))
        return rill_fail(err, RILL_BAD_INPUT,
                         "The controls turn boundary %s, so its low and high sides must have the same velocity.", name);
    return control->target ? check_target(control->target, name, until, err) : RILL_OK;
}

rill_status rill_controls_take(rill_world *world, const rill_controls *controls, rill_error *err)
{
    memset(world->steered, 0, world->body_count * sizeof *world->steered);
    if (!controls) return RILL_OK;
    if (!isfinite(controls->until) || (controls->until > 0 && controls->until <= world->clock.time))
        return rill_fail(err, RILL_BAD_INPUT, "The world is at %g s, so it cannot step until %g s.", world->clock.time,
                         controls->until);
    if (controls->gravity && !rill_vec3_finite(*controls->gravity))
        return rill_fail(err, RILL_BAD_INPUT, "The gravity of the controls must be finite.");
    rill_status status = RILL_OK;
    for (uint32_t c = 0; c < controls->body_count && !status; c++) {
        const rill_body_control *control = &controls->bodies[c];
        const uint32_t b = boundary_of(world, control);
        if (b == world->body_count) return fail_no_boundary(world, control, err);
        status = check_control(&world->bodies[b], control, world->scene.boundaries[b].name, controls->until, err);
        world->steered[b] = control;
    }
    return status;
}

/* ---- velocities ---- */

static void follow_motion(rill_body *body, const rill_motion *motion, double from, double to)
{
    const rill_vec3 v = rill_motion_velocity(motion, from, to);
    rill_body_steer(body, v, v, rill_motion_spin(motion, from, to));
    for (int a = 0; a < 3 && rill_geometry_of(&body->shape)->sided; a++) {
        if (!(motion->sides >> (2 * a) & 1)) rill_vec3_set(&body->low, a, 0);
        if (!(motion->sides >> (2 * a + 1) & 1)) rill_vec3_set(&body->high, a, 0);
    }
}

static void follow_control(rill_body *body, const rill_body_control *control, double left, double dt)
{
    if (control->target) rill_body_head_for(body, control->target->position, control->target->rotation, left, dt);
    else rill_body_steer(body, control->low, control->high, control->spin);
}

/* Whether its wall particles, or how they move, are other ones than in the step before. */
static bool is_moving(const rill_body *b)
{
    return b->moved || !rill_vec3_same(b->low, b->low_before) || !rill_vec3_same(b->high, b->high_before) ||
           !rill_vec3_same(b->spin, b->spin_before);
}

rill_status rill_bodies_steer(rill_world *world, double until, double dt, double between, rill_error *err)
{
    const double time = world->clock.time;
    bool moving = false;
    for (uint32_t b = 0; b < world->body_count; b++) {
        rill_body *body = &world->bodies[b];
        const rill_body_control *control = world->steered[b];
        body->low_before = body->low, body->high_before = body->high, body->spin_before = body->spin;
        if (control) follow_control(body, control, until - time, dt);
        else follow_motion(body, &world->scene.boundaries[b].motion, time, time + dt);
        moving = moving || is_moving(body);
    }
    const bool stale = moving || world->walls_stale || world->walls_accelerate;
    return stale ? rill_world_make_walls(world, between, err) : RILL_OK;
}

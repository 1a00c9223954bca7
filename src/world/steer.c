/* What moves bodies in a step: their motions, or the controls. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "physics/boundary/motion.h"
#include "world/world.h"

/* ---- controls ---- */

static int compare_names(const void *a, const void *b)
{
    const rill_body_name *left = a, *right = b;
    return strcmp(left->name, right->name);
}

rill_status rill_controls_create(rill_world *world, rill_error *err)
{
    world->steered = rill_calloc(world->body_count + 1, sizeof *world->steered);
    world->names = rill_calloc(world->body_count + 1, sizeof *world->names);
    if (!world->steered || !world->names)
        return rill_memory_fail(err, world->body_count * sizeof *world->names, "the bodies");
    for (uint32_t b = 0; b < world->body_count; b++)
        world->names[b] = (rill_body_name){world->scene.boundaries[b].name, b};
    qsort(world->names, world->body_count, sizeof *world->names, compare_names);
    return RILL_OK;
}

/* The boundary of a control, or body_count: it names none. */
static uint32_t boundary_of(const rill_world *world, const rill_body_control *control)
{
    if (!control->name) return control->boundary < world->body_count ? control->boundary : world->body_count;
    const rill_body_name wanted = {control->name, 0};
    const rill_body_name *found =
        bsearch(&wanted, world->names, world->body_count, sizeof *world->names, compare_names);
    return found ? found->body : world->body_count;
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
        moving = moving || rill_body_walls_change(body);
    }
    const bool stale = moving || world->walls_stale || world->walls_accelerate;
    return stale ? rill_world_make_walls(world, between, err) : RILL_OK;
}

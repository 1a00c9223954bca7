/* The clock: who steps and by how much. Everyone is due at every step. */
#include <math.h>

#include "world/world.h"

/* The height water can fall in the scene, and its speed at the bottom. */
double rill_world_expected_speed(const rill_scene *scene)
{
    const double g = rill_vec3_length(scene->gravity);
    double fastest = 0, top = -INFINITY, bottom = INFINITY;
    bool floor = false;
    const rill_vec3 up = g > 0 ? rill_vec3_scale(scene->gravity, -1 / g) : (rill_vec3){0, 0, 1};
    for (uint32_t i = 0; i < scene->fill_count + scene->boundary_count; i++) {
        const bool fill = i < scene->fill_count;
        const rill_boundary *b = fill ? NULL : &scene->boundaries[i - scene->fill_count];
        const rill_shape *s = fill ? &scene->fills[i].shape : &b->shape;
        rill_vec3 centre = s->center, half = {s->radius, s->radius, s->radius};
        if (s->kind == RILL_SHAPE_BOX) {
            centre = rill_vec3_scale(rill_vec3_add(s->from, s->to), 0.5);
            half = rill_vec3_scale(rill_vec3_sub(s->to, s->from), 0.5);
        }
        const double middle = rill_vec3_dot(centre, up);
        const double reach = s->kind == RILL_SHAPE_SPHERE
                                 ? s->radius
                                 : fabs(half.x * up.x) + fabs(half.y * up.y) + fabs(half.z * up.z);
        if (fill) {
            top = fmax(top, middle + reach);
            bottom = fmin(bottom, middle - reach);
            fastest = fmax(fastest, rill_vec3_length(scene->fills[i].velocity));
        } else {
            const rill_motion *m = &b->motion;
            const double swing = m->period > 0 ? 6.2832 * rill_vec3_length(m->amplitude) / m->period : 0;
            fastest = fmax(fastest, rill_vec3_length(m->velocity) + swing);
            if (!b->solid) bottom = fmin(bottom, middle - reach);
            floor = floor || !b->solid;
        }
    }
    const double height = top > bottom ? top - bottom : 0;
    double fall = sqrt(2 * g * height);
    if (!floor) fall = fmax(fall, g * scene->time.end);
    const double speed = sqrt(fall * fall + fastest * fastest);
    return speed > 0 ? speed : 1;
}

double rill_world_longest_part(const rill_world *world)
{
    double longest = INFINITY;
    for (uint32_t f = 0; f < world->force_count; f++) {
        const rill_world_force *force = &world->forces[f];
        if (force->method->longest_part)
            longest = fmin(longest, force->method->longest_part(force->state, &world->sph, world->sound_speed));
    }
    return longest;
}

double rill_world_longest_step(const rill_world *world)
{
    double longest = INFINITY;
    for (uint32_t f = 0; f < world->force_count; f++) {
        const rill_world_force *force = &world->forces[f];
        if (force->method->longest_step) longest = fmin(longest, force->method->longest_step(force->state, &world->sph));
    }
    return longest;
}

/* Under pressure p, particles whose neighbours are uneven by about their size move by dt^2 p / (rho d) in a step, in
 * diameters (dt/d)^2 p/rho. Deep below the surface that comes near one, and then what evens them out leaves them uneven
 * again. Where viscosity takes all the momentum of a step it does so the sooner: 40 layers of honey blew up at 1 and
 * were calm at 0.6 squared. */
static double pressure_share(const rill_world *world)
{
    for (uint32_t f = 0; f < world->force_count; f++)
        if (world->forces[f].method->damps) return 0.6;
    return 1;
}

double rill_clock_choose(const rill_world *world, double until)
{
    const rill_clock *clock = &world->clock;
    const rill_time_def *def = &world->scene.time;
    const double d = world->sph.diameter;
    const double signal = world->solver->signal_speed ? world->solver->signal_speed(world->solver_state) : 0;
    double dt = def->step_max;
    const float *g = world->sph.gravity;
    const double gravity = sqrt((double)g[0] * g[0] + (double)g[1] * g[1] + (double)g[2] * g[2]);
    /* What gravity adds in a step counts where the step may be long. */
    const double speed = signal + clock->speed + gravity * clock->dt;
    if (speed > 0) dt = fmin(dt, def->cfl * d / speed);
    if (clock->head > 0) dt = fmin(dt, pressure_share(world) * d / sqrt(clock->head));
    if (world->solver->explicit_pressure && clock->acceleration > 0) dt = fmin(dt, 0.25 * sqrt(world->sph.support / clock->acceleration));
    dt = fmin(dt, fmin(RILL_PARTS_MOST * rill_world_longest_part(world), rill_world_longest_step(world)));
    if (!clock->step && def->step_first > 0) dt = fmin(dt, def->step_first);
    dt = fmax(dt, def->step_min);
    if (until > 0) {
        /* Arrive exactly, in even steps: a sudden change of the step stirs the liquid. */
        const double left = until - clock->time;
        dt = left / fmax(1, ceil(left / dt * (1 - 1e-6)));
    }
    return dt;
}

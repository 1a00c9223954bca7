/* The clock: who steps and by how much. Everyone is due at every step. */
#include <math.h>

#include "base/maths.h"
#include "geom/clip.h"
#include "physics/boundary/motion.h"
#include "world/world.h"

/* The fastest that a point of a body goes by its motion between two times. */
static double motion_speed(const rill_motion *motion, const rill_body *body, double from, double to)
{
    const double spin = rill_motion_most_spin(motion, from, to);
    return rill_motion_most_speed(motion, from, to) + (spin > 0 ? spin * rill_body_reach(body) : 0);
}

double rill_clock_motion_speed(const rill_scene *scene, const rill_boundary *boundary)
{
    rill_body body = {.solid = false};
    if (rill_motion_turns(&boundary->motion)) body = rill_body_of(scene, boundary);
    return motion_speed(&boundary->motion, &body, -INFINITY, INFINITY);
}

/* The height water can fall in the scene, and its speed at the bottom; with what forces add. */
double rill_world_expected_speed(const rill_scene *scene)
{
    const double g = rill_vec3_length(scene->gravity);
    double fastest = 0, top = -INFINITY, bottom = INFINITY, low, high;
    bool floor = false;
    const rill_vec3 up = g > 0 ? rill_vec3_scale(scene->gravity, -1 / g) : (rill_vec3){0, 0, 1};
    for (uint32_t i = 0; i < scene->fill_count; i++) {
        const rill_region region = rill_fill_region(scene, NULL, &scene->fills[i]);
        rill_region_extent(&region, up, &low, &high);
        top = fmax(top, high);
        bottom = fmin(bottom, low);
        fastest = fmax(fastest, rill_vec3_length(scene->fills[i].velocity));
    }
    const rill_bounds clip = rill_scene_clip(scene);
    for (uint32_t i = 0; i < scene->boundary_count; i++) {
        const rill_boundary *b = &scene->boundaries[i];
        fastest = fmax(fastest, rill_clock_motion_speed(scene, b));
        if (!rill_boundary_catches(b, up)) continue;
        rill_clipped_extent(&b->shape, &clip, up, &low, &high);
        bottom = fmin(bottom, low);
        floor = true;
    }
    const double height = top > bottom ? top - bottom : 0;
    double fall = sqrt(2 * g * height);
    if (!floor) fall = fmax(fall, g * scene->time.end);
    double speed2 = fall * fall + fastest * fastest;
    const rill_force *force;
    for (uint32_t f = 0; (force = rill_force_at(f, RILL_VARIANT_BASE)); f++) {
        const double by_force = force->expected_speed ? force->expected_speed(scene) : 0;
        speed2 += by_force * by_force;
    }
    return speed2 > 0 ? sqrt(speed2) : 1;
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
        if (force->method->longest_step)
            longest = fmin(longest, force->method->longest_step(force->state, &world->sph));
    }
    return longest;
}

/* Under pressure p, particles whose neighbours are uneven by about their size move by dt^2 p / (rho d) in a step, or
 * (dt/d)^2 p/rho diameters. Deep below the surface that comes near one, and then what evens them out leaves them uneven
 * again: still columns of 64 layers of water and 40 of honey blew up where the root of it was 1 or more, stirred at 0.8
 * and were calm at 0.5. Smaller steps cost no more there, since they take fewer iterations. */
static const double PRESSURE_STEP = 0.5;

/* Liquid that hangs together may come to rest under its own weight at once: what counts until the pressure is known. */
double rill_world_expected_head(const rill_scene *scene)
{
    const double g = rill_vec3_length(scene->gravity);
    const rill_vec3 up = g > 0 ? rill_vec3_scale(scene->gravity, -1 / g) : (rill_vec3){0, 0, 1};
    double tallest = 0;
    for (uint32_t i = 0; i < scene->fill_count; i++) {
        const rill_region region = rill_fill_region(scene, NULL, &scene->fills[i]);
        tallest = fmax(tallest, rill_region_reach(&region, up));
    }
    return 2 * g * tallest;
}

/* ---- the highest pressure ---- */

/* The pressure of one particle may jump, so what counts is the mean of all within 32 cells of a row. Rows and cells do
 * not depend on how particles are grouped into blocks. */
enum { HEAD_CELLS = 32, HEAD_ROWS = 64 };

/* The mean pressure over rest density of the particles first <= i < last. */
static double mean_head(const rill_sph *sph, uint32_t first, uint32_t last)
{
    const float *pressure = rill_field_f32(&sph->liquid.fields, FIELD_PRESSURE);
    const uint32_t *fluid = rill_field_u32(&sph->liquid.fields, FIELD_FLUID);
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t i = first; i < last; i++) {
        if (!rill_set_owns(&sph->liquid, i)) continue;
        sum += pressure[i] / sph->rest_density[fluid[i]];
        count++;
    }
    return count ? sum / count : 0;
}

static int32_t segment_of(int32_t cell)
{
    return (cell - (cell < 0 ? HEAD_CELLS - 1 : 0)) / HEAD_CELLS;
}

static void head_of_rows(void *context, size_t part, unsigned worker, rill_tally *tally)
{
    (void)worker;
    const rill_sph *sph = context;
    const rill_cells *cells = &sph->liquid.cells;
    double *largest = &tally->largest[0];
    const uint32_t end =
        (uint32_t)(part + 1) * HEAD_ROWS < cells->row_count ? (uint32_t)(part + 1) * HEAD_ROWS : cells->row_count;
    for (uint32_t r = (uint32_t)part * HEAD_ROWS; r < end; r++)
        for (uint32_t c = cells->rows[r].first, next; c < cells->rows[r].last; c = next) {
            for (next = c + 1; next < cells->rows[r].last && segment_of(cells->x[next]) == segment_of(cells->x[c]);)
                next++;
            const double head = mean_head(sph, cells->start[c], cells->start[next]);
            if (head > *largest) *largest = head;
        }
}

/* The highest pressure of the last steps: columns that bounce are under none at all for a while. */
double rill_clock_head(const rill_world *world)
{
    const rill_sph *sph = &world->sph;
    const size_t parts = (sph->liquid.cells.row_count + HEAD_ROWS - 1) / HEAD_ROWS;
    const rill_tally found = rill_runner_tally(&sph->runner, parts, head_of_rows, (void *)sph);
    return fmax(0.95 * world->clock.head, found.largest[0]);
}

/* What the controls make of a body's speed. */
static double control_speed(const rill_body *body, const rill_body_control *control, double left)
{
    double speed = fmax(rill_vec3_length(control->low), rill_vec3_length(control->high));
    double spin = rill_vec3_length(control->spin);
    if (control->target) {
        speed = rill_vec3_length(rill_vec3_sub(control->target->position, rill_body_centre(body))) / left;
        spin = rill_vec3_length(rill_rotation_between(body->pose.rotation, control->target->rotation)) / left;
    }
    return speed + (spin > 0 ? spin * rill_body_reach(body) : 0);
}

double rill_clock_body_speed(const rill_world *world, double until)
{
    const double now = world->clock.time, longest = fmax(world->scene.time.step_max, world->scene.time.step_min);
    double fastest = 0;
    for (uint32_t b = 0; b < world->body_count; b++) {
        const rill_body *body = &world->bodies[b];
        const rill_body_control *control = world->steered[b];
        fastest = fmax(fastest, control ? control_speed(body, control, until - now)
                                        : motion_speed(&world->scene.boundaries[b].motion, body, now, now + longest));
    }
    return fastest;
}

/* The step that the state of the world allows. */
static double longest(const rill_world *world)
{
    const rill_clock *clock = &world->clock;
    const rill_time_def *def = &world->scene.time;
    const double d = world->sph.diameter;
    const double signal = world->solver->signal_speed ? world->solver->signal_speed(world->solver_state) : 0;
    double dt = def->step_max;
    const float *g = world->sph.gravity;
    const double gravity = sqrt((double)g[0] * g[0] + (double)g[1] * g[1] + (double)g[2] * g[2]);
    /* What gravity adds in a step counts where the step may be long. */
    const double speed = signal + fmax(clock->speed, world->body_speed) + gravity * clock->dt;
    if (speed > 0) dt = fmin(dt, def->cfl * d / speed);
    if (world->solver->implicit_pressure && clock->head > 0) dt = fmin(dt, PRESSURE_STEP * d / sqrt(clock->head));
    if (world->solver->explicit_pressure && clock->acceleration > 0)
        dt = fmin(dt, 0.25 * sqrt(world->sph.support / clock->acceleration));
    dt = fmin(dt, fmin(RILL_PARTS_MOST * rill_world_longest_part(world), rill_world_longest_step(world)));
    if (!clock->step && def->step_first > 0) dt = fmin(dt, def->step_first);
    return fmax(dt, def->step_min);
}

double rill_clock_choose(const rill_world *world, double until)
{
    const double dt = longest(world), left = until - world->clock.time, steps = ceil(left / dt * (1 - 1e-6));
    /* Arrive exactly, in even steps: a sudden change of the step stirs the liquid. */
    return until > 0 && isfinite(steps) ? left / fmax(1, steps) : dt;
}

/* ---- steps of which only a part is taken ---- */

/* If the step is cut short to hit a frame time, the density correction of an implicit solver becomes a velocity of
 * error/dt, which explodes. So such a step is solved for at least this share of the usual one, and velocities change by
 * the part of it that is taken. */
static const double SHORTEST_SOLVED = 0.25;

double rill_clock_solved(const rill_world *world, double dt)
{
    return world->solver->explicit_pressure ? dt : fmax(dt, SHORTEST_SOLVED * longest(world));
}

typedef struct part_job {
    const rill_fields *fields;
    uint32_t start;
    float share;
} part_job;

static void remember_body(void *context, const rill_pass_block *block)
{
    const part_job *j = context;
    const float *v = rill_field_f32(j->fields, FIELD_VELOCITY);
    float *start = rill_field_f32(j->fields, j->start);
    for (size_t i = block->begin; i < block->end; i++)
        for (size_t l = 4 * i; l < 4 * i + 3; l++) start[l] = v[l];
}

static void shorten_body(void *context, const rill_pass_block *block)
{
    const part_job *j = context;
    const float *start = rill_field_f32(j->fields, j->start);
    float *v = rill_field_f32(j->fields, FIELD_VELOCITY);
    for (size_t i = block->begin; i < block->end; i++)
        for (size_t l = 4 * i; l < 4 * i + 3; l++) v[l] = start[l] + j->share * (v[l] - start[l]);
}

rill_status rill_clock_begin_part(rill_world *world, const rill_step_context *step, rill_error *err)
{
    const rill_pass remember = {"remember", remember_body, FIELD_BIT(FIELD_VELOCITY), 0, FIELD_BIT(world->start_field)};
    const rill_status status = rill_fields_make(&world->sph.liquid.fields, world->start_field, err);
    if (!status) rill_step_run(step, &remember, &(part_job){&world->sph.liquid.fields, world->start_field, 0});
    return status;
}

void rill_clock_end_part(rill_world *world, const rill_step_context *step, double share)
{
    const rill_mask v = FIELD_BIT(FIELD_VELOCITY);
    const rill_pass shorten = {"shorten", shorten_body, v | FIELD_BIT(world->start_field), 0, v};
    rill_step_run(step, &shorten, &(part_job){&world->sph.liquid.fields, world->start_field, (float)share});
}

/* ---- who takes part ---- */

rill_blocks rill_clock_due(rill_world *world)
{
    rill_set *liquid = &world->sph.liquid;
    liquid->due = rill_runner_blocks(&world->sph.runner, liquid->fields.count);
    liquid->due.particles = liquid->own;
    return liquid->due;
}

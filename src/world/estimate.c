/* What a run of a scene will take, before it is made. */
#include <math.h>

#include "base/maths.h"
#include "geom/clip.h"
#include "world/world.h"

/* So many places of all fills, and so many of all bodies, are counted one by one. Beyond that, volumes and areas tell
 * the number of particles. */
static const double countable = 2e7;

/* Asking so many bodies about a place takes about as long as finding the place. */
static const double bodies_free = 16;

/* Takes from what is left to be counted; false: that is not enough. */
static bool spend(double *left, double places)
{
    if (!(places < *left)) return false;
    *left -= places;
    return true;
}

static uint64_t whole(double x)
{
    return x < 1e15 ? (uint64_t)x : (uint64_t)1e15;
}

/* Memory of one fluid particle: fields and their spare, axes, cells, and lists
 * of about 38 entries (the longest of a group) with a factor and a weight each. Writing a
 * frame packs it once more. */
enum { BYTES_FLUID = 600, BYTES_WALL = 140, BYTES_FRAME = 28, BYTES_FRAME_FIELD = 3 };

static bool count_one(void *user, rill_vec3 at)
{
    (void)at;
    *(uint64_t *)user += 1;
    return true;
}

static double fills_volume(const rill_scene *scene)
{
    double volume = 0;
    for (uint32_t i = 0; i < scene->fill_count; i++) {
        const rill_region region = rill_fill_region(scene, NULL, &scene->fills[i]);
        volume += rill_region_volume(&region);
    }
    return volume;
}

/* Fluid and wall particles of a scene whose boxes are snapped already. */
static rill_status count_particles(const rill_scene *scene, uint64_t *fluid, uint64_t *walls, rill_error *err)
{
    const double d = scene->particle_diameter;
    double fluid_left = countable, walls_left = countable;
    rill_guard room = {0};
    rill_body *bodies = rill_calloc(scene->boundary_count + 1, sizeof *bodies);
    if (!bodies) return rill_memory_fail(err, scene->boundary_count * sizeof *bodies, "the bodies");
    rill_bodies_place(scene, bodies);
    const rill_status status = rill_fill_room(scene, bodies, &room, err);
    const double weight = status ? 1 : fmax(1, rill_broad_most(&room.broad) / bodies_free);
    for (uint32_t i = 0; i < scene->fill_count && !status; i++) {
        const rill_region region = rill_fill_region(scene, bodies, &scene->fills[i]);
        if (spend(&fluid_left, weight * rill_fill_places(scene, bodies, &scene->fills[i])))
            rill_fill_particles(scene, &room, &scene->fills[i], count_one, fluid);
        else *fluid += whole(rill_region_volume(&region) / (d * d * d));
    }
    for (uint32_t i = 0; i < scene->boundary_count; i++) {
        const double guess = rill_body_guess_particles(&bodies[i], d);
        *walls += spend(&walls_left, guess) ? rill_body_count_particles(&bodies[i], d) : whole(guess);
    }
    rill_guard_free(&room);
    rill_free(bodies);
    return status;
}

/* How far liquid may fall before something is in its way. */
static double fall_height(const rill_scene *scene, rill_vec3 up)
{
    double top = -INFINITY, bottom = INFINITY, low, high;
    for (uint32_t i = 0; i < scene->fill_count; i++) {
        const rill_region region = rill_fill_region(scene, NULL, &scene->fills[i]);
        rill_region_extent(&region, up, &low, &high);
        top = fmax(top, high);
        bottom = fmin(bottom, low);
    }
    const rill_bounds clip = rill_scene_clip(scene);
    for (uint32_t i = 0; i < scene->boundary_count; i++) {
        rill_clipped_extent(&scene->boundaries[i].shape, &clip, up, &low, &high);
        bottom = fmin(bottom, low);
    }
    return top > bottom ? top - bottom : 0;
}

/* The step of liquid this fast, by the scene's limits and those of its forces. */
static double step_at(const rill_scene *scene, double speed)
{
    const double d = scene->particle_diameter;
    double dt = scene->time.step_max;
    if (speed > 0) dt = fmin(dt, scene->time.cfl * d / speed);
    const rill_force *force;
    for (uint32_t f = 0; (force = rill_force_at(f, RILL_VARIANT_BASE)); f++)
        if (force->expected_step) dt = fmin(dt, force->expected_step(scene));
    return fmax(dt, scene->time.step_min);
}

/* Every frame is met exactly, in even steps. */
static uint64_t steps_at(const rill_scene *scene, double speed)
{
    const double end = scene->time.end, rate = scene->output.frames ? scene->time.frames_per_second : 0;
    const double interval = rate > 0 ? fmin(1 / rate, end) : end;
    if (!(end > 0)) return 0;
    return whole(ceil(end / interval - 1e-6) * ceil(interval / step_at(scene, speed) * (1 - 1e-6)));
}

/* How fast liquid will be is known only by computing it; both ends rest on the height it can fall, and liquid that is
 * thick or at rest is far slower. Where pressure is an explicit force, sound counts, and that is known. */
static void estimate_steps(const rill_scene *scene, rill_estimate *estimate)
{
    const rill_solver *solver = rill_solver_find(scene->solver.kind, RILL_VARIANT_BASE);
    const double g = rill_vec3_length(scene->gravity), expected = rill_world_expected_speed(scene);
    const rill_vec3 up = g > 0 ? rill_vec3_scale(scene->gravity, -1 / g) : (rill_vec3){0, 0, 1};
    const double sound = scene->solver.sound_speed > 0 ? scene->solver.sound_speed : 10 * expected;
    const double add = !solver || solver->explicit_pressure ? sound : 0;
    const double falling = fmin(sqrt(2 * g * fall_height(scene, up)), expected);
    estimate->steps_least = steps_at(scene, falling / 5 + add);
    estimate->steps_most = steps_at(scene, 1.5 * expected + add);
}

rill_status rill_scene_estimate(const rill_scene *scene, rill_estimate *estimate, rill_error *err)
{
    rill_status status = rill_scene_check(scene, err);
    if (status) return status;
    rill_scene copy;
    status = rill_scene_copy(&copy, scene, err);
    if (status) return status;
    rill_scene_snap(&copy);
    *estimate = (rill_estimate){0};
    status = count_particles(&copy, &estimate->particles, &estimate->boundary_particles, err);
    /* Where some walls move, all are kept twice. */
    double moves = 0;
    for (uint32_t b = 0; b < copy.boundary_count; b++)
        moves = fmax(moves, rill_clock_motion_speed(&copy, &copy.boundaries[b]));
    const double wall = moves > 0 ? 2 * BYTES_WALL : BYTES_WALL;
    const double memory =
        16e6 + (double)BYTES_FLUID * (double)estimate->particles + wall * (double)estimate->boundary_particles;
    estimate->memory_bytes = memory < 1e19 ? (uint64_t)memory : (uint64_t)1e19;
    const uint64_t fields = (uint64_t)scene->output.density + (uint64_t)scene->output.pressure;
    estimate->frame_bytes = 20000 + estimate->particles * (BYTES_FRAME + BYTES_FRAME_FIELD * fields);
    /* The first, one at every whole interval, and one at the end if that lies between. */
    const double intervals = scene->time.end * scene->time.frames_per_second, frames = ceil(intervals - 1e-6) + 1;
    estimate->frames = scene->output.frames && frames > 1 ? (frames < 1e15 ? (uint64_t)frames : (uint64_t)1e15) : 1;
    estimate_steps(scene, estimate);
    rill_scene_free(&copy);
    return status;
}

/* The power of ten at or below x; bounded where x is no ordinary number. */
static int tens_of(double x)
{
    int tens = 0;
    while (tens < 300 && x >= rill_powi(10, tens + 1)) tens++;
    while (tens > -300 && x < rill_powi(10, tens)) tens--;
    return tens;
}

/* Rounds to this many significant digits. */
static double round_digits(double x, int digits)
{
    /* Divided by a power of ten, not multiplied: 72 times 0.001 is not what 0.072 is read as. */
    const double per_one = rill_powi(10, digits - 1 - tens_of(x));
    return floor(x * per_one + 0.5) / per_one;
}

double rill_scene_diameter_for(const rill_scene *scene, uint64_t particles)
{
    const double volume = fills_volume(scene);
    if (!particles || !(volume > 0)) return scene->particle_diameter;
    const double exact = rill_cbrt(volume / (double)particles);
    /* A round number is nicer, as long as it gives about as many. */
    const double round = round_digits(exact, 2), share = rill_powi(exact / round, 3);
    return share > 0.93 && share < 1.07 ? round : round_digits(exact, 3);
}

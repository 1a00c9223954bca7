/* What a run of a scene will take, before it is made. */
#include <math.h>
#include <stdlib.h>

#include "world/world.h"

/* Above this many places in one fill or body, volumes and areas are counted instead of particles. */
static const double countable = 2e7;

static uint64_t whole(double x)
{
    return x < 1e15 ? (uint64_t)x : (uint64_t)1e15;
}

/* Memory of one fluid particle: fields and their spare, axes, cells, and lists
 * of about 38 entries (the longest of a group) with a factor and a weight each. Writing a
 * frame packs it once more. */
enum { BYTES_FLUID = 600, BYTES_WALL = 140, BYTES_FRAME = 28, BYTES_FRAME_FIELD = 3 };

static bool count_one(void *user, rill_vec3 at, uint32_t fill)
{
    (void)at, (void)fill;
    *(uint64_t *)user += 1;
    return true;
}

static double shape_volume(const rill_shape *s)
{
    if (s->kind == RILL_SHAPE_SPHERE) return 4.0 / 3 * 3.14159265358979323846 * s->radius * s->radius * s->radius;
    return (s->to.x - s->from.x) * (s->to.y - s->from.y) * (s->to.z - s->from.z);
}

static double fills_volume(const rill_scene *scene)
{
    double volume = 0;
    for (uint32_t i = 0; i < scene->fill_count; i++) volume += shape_volume(&scene->fills[i].shape);
    return volume;
}

/* Fluid and wall particles of a scene whose boxes are snapped already. */
static bool count_particles(const rill_scene *scene, uint64_t *fluid, uint64_t *walls)
{
    const double d = scene->particle_diameter;
    *fluid = *walls = 0;
    rill_body *bodies = calloc(scene->boundary_count + 1, sizeof *bodies);
    if (!bodies) return false;
    rill_bodies_place(scene, bodies);
    for (uint32_t i = 0; i < scene->fill_count; i++) {
        if (rill_fill_places(scene, i) < countable) rill_fill_particles(scene, bodies, i, count_one, fluid);
        else *fluid += whole(shape_volume(&scene->fills[i].shape) / (d * d * d));
    }
    for (uint32_t i = 0; i < scene->boundary_count; i++) {
        const double guess = rill_body_guess_particles(&bodies[i], d);
        *walls += guess < countable ? rill_body_count_particles(&bodies[i], d) : whole(guess);
    }
    free(bodies);
    return true;
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
    if (!count_particles(&copy, &estimate->particles, &estimate->boundary_particles))
        status = rill_fail(err, RILL_NO_MEMORY, "There is no memory to count the particles of scene %s.", scene->name);
    const double memory = 16e6 + (double)BYTES_FLUID * (double)estimate->particles +
                          (double)BYTES_WALL * (double)estimate->boundary_particles;
    estimate->memory_bytes = memory < 1e19 ? (uint64_t)memory : (uint64_t)1e19;
    const uint64_t fields = (uint64_t)scene->output.density + (uint64_t)scene->output.pressure;
    estimate->frame_bytes = 20000 + estimate->particles * (BYTES_FRAME + BYTES_FRAME_FIELD * fields);
    /* The first, one at every whole interval, and one at the end if that lies between. */
    const double intervals = scene->time.end * scene->time.frames_per_second, frames = ceil(intervals - 1e-6) + 1;
    estimate->frames = scene->output.frames && frames > 1 ? (frames < 1e15 ? (uint64_t)frames : (uint64_t)1e15) : 1;
    rill_scene_free(&copy);
    return status;
}

/* Rounds to this many significant digits. */
static double round_digits(double x, int digits)
{
    /* Divided by a power of ten, not multiplied: 72 times 0.001 is not what 0.072 is read as. */
    const double per_one = pow(10, digits - 1 - floor(log10(x)));
    return floor(x * per_one + 0.5) / per_one;
}

double rill_scene_diameter_for(const rill_scene *scene, uint64_t particles)
{
    const double volume = fills_volume(scene);
    if (!particles || !(volume > 0)) return scene->particle_diameter;
    const double exact = cbrt(volume / (double)particles);
    /* A round number is nicer, as long as it gives about as many. */
    const double round = round_digits(exact, 2), share = pow(exact / round, 3);
    return share > 0.93 && share < 1.07 ? round : round_digits(exact, 3);
}

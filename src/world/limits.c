/* One table for each struct of a scene, with a row for every value that could be out of bounds. */
#include "world/limits.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"

typedef enum limit_kind { NUMBER, VECTOR, CHOICE, SIDES, COUNT, TEXT } limit_kind;

typedef struct limit {
    const char *name; /* NULL ends the table */
    limit_kind kind;
    size_t offset;
    double most; /* the largest number, the last value of an enum, the size of a text */
    const char *unit;
} limit;

#define ROW(owner, name, kind, member, ...) {name, kind, offsetof(rill_##owner, member), __VA_ARGS__}

#define SHAPE_ROWS(owner)                                                                                              \
    ROW(owner, "kind of shape", CHOICE, shape.kind, RILL_SHAPE_SPHERE, ""),                                            \
        ROW(owner, "box's from", VECTOR, shape.from, RILL_MOST_LENGTH, " m"),                                          \
        ROW(owner, "box's to", VECTOR, shape.to, RILL_MOST_LENGTH, " m"),                                              \
        ROW(owner, "center", VECTOR, shape.center, RILL_MOST_LENGTH, " m"),                                            \
        ROW(owner, "radius", NUMBER, shape.radius, RILL_MOST_LENGTH, " m")

static const limit scene_limits[] = {
    ROW(scene, "name", TEXT, name, RILL_NAME_SIZE, ""),
    ROW(scene, "about", TEXT, about, RILL_TEXT_SIZE, ""),
    ROW(scene, "solver", TEXT, solver.kind, RILL_NAME_SIZE, ""),
    ROW(scene, "kernel", CHOICE, kernel, RILL_KERNEL_MUELLER, ""),
    ROW(scene, "gravity", VECTOR, gravity, RILL_MOST_ACCELERATION, " m/s2"),
    ROW(scene, "origin", VECTOR, origin, RILL_MOST_LENGTH, " m"),
    ROW(scene, "domain's from", VECTOR, domain_from, RILL_MOST_LENGTH, " m"),
    ROW(scene, "domain's to", VECTOR, domain_to, RILL_MOST_LENGTH, " m"),
    ROW(scene, "wind", VECTOR, air.wind, RILL_MOST_SPEED, " m/s"),
    ROW(scene, "speed limit", NUMBER, speed_limit, RILL_MOST_SPEED, " m/s"),
    ROW(scene, "answer to trouble", CHOICE, on_trouble, RILL_TROUBLE_CONTINUE, ""),
    ROW(scene, "end", NUMBER, time.end, RILL_MOST_TIME, " s"),
    ROW(scene, "rate of frames", NUMBER, time.frames_per_second, RILL_MOST_RATE, " 1/s"),
    ROW(scene, "longest step", NUMBER, time.step_max, RILL_MOST_TIME, " s"),
    ROW(scene, "shortest step", NUMBER, time.step_min, RILL_MOST_TIME, " s"),
    ROW(scene, "first step", NUMBER, time.step_first, RILL_MOST_TIME, " s"),
    ROW(scene, "equation of state", CHOICE, solver.eos, RILL_EOS_LINEAR, ""),
    ROW(scene, "way to find the density", CHOICE, solver.density, RILL_DENSITY_CONTINUITY, ""),
    ROW(scene, "way to iterate", CHOICE, solver.iteration, RILL_ITERATION_JACOBI, ""),
    ROW(scene, "least number of iterations", COUNT, solver.iterations_min, RILL_MOST_ITERATIONS, ""),
    ROW(scene, "most iterations", COUNT, solver.iterations_max, RILL_MOST_ITERATIONS, ""),
    ROW(scene, "most iterations of pbf", COUNT, solver.iterations_pbf, RILL_MOST_ITERATIONS, ""),
    {0}};
static const limit fluid_limits[] = {
    ROW(fluid, "name", TEXT, name, RILL_NAME_SIZE, ""),
    ROW(fluid, "density", NUMBER, density, RILL_MOST_DENSITY, " kg/m3"),
    ROW(fluid, "kind of viscosity", CHOICE, viscosity_kind, RILL_VISCOSITY_IMPLICIT, ""),
    ROW(fluid, "viscosity", NUMBER, viscosity, RILL_MOST_VISCOSITY, ""),
    ROW(fluid, "kind of surface tension", CHOICE, tension_kind, RILL_TENSION_COHESION, ""),
    ROW(fluid, "surface tension", NUMBER, tension, RILL_MOST_TENSION, " N/m"),
    ROW(fluid, "colour", COUNT, colour, 0xffffff, ""),
    {0}};
static const limit fill_limits[] = {
    SHAPE_ROWS(fill), ROW(fill, "velocity", VECTOR, velocity, RILL_MOST_SPEED, " m/s"), {0}};
static const limit boundary_limits[] = {
    ROW(boundary, "name", TEXT, name, RILL_NAME_SIZE, ""),
    SHAPE_ROWS(boundary),
    ROW(boundary, "open sides", SIDES, open, RILL_SIDE_ALL, ""),
    ROW(boundary, "sliding velocity", VECTOR, slide, RILL_MOST_SPEED, " m/s"),
    ROW(boundary, "sliding sides", SIDES, slide_sides, RILL_SIDE_ALL, ""),
    ROW(boundary, "velocity", VECTOR, motion.velocity, RILL_MOST_SPEED, " m/s"),
    ROW(boundary, "amplitude", VECTOR, motion.amplitude, RILL_MOST_LENGTH, " m"),
    ROW(boundary, "period", NUMBER, motion.period, RILL_MOST_TIME, " s"),
    ROW(boundary, "start", NUMBER, motion.start, RILL_MOST_TIME, " s"),
    ROW(boundary, "stop", NUMBER, motion.stop, RILL_MOST_TIME, " s"),
    ROW(boundary, "moving sides", SIDES, motion.sides, RILL_SIDE_ALL, ""),
    {0}};
static const limit probe_limits[] = {
    ROW(probe, "name", TEXT, name, RILL_NAME_SIZE, ""),
    ROW(probe, "kind", CHOICE, kind, RILL_PROBE_VOLUME, ""),
    ROW(probe, "axis", CHOICE, axis, 2, ""),
    ROW(probe, "place", VECTOR, at, RILL_MOST_LENGTH, " m"),
    ROW(probe, "quantity", CHOICE, of, RILL_VELOCITY, ""),
    ROW(probe, "radius", NUMBER, radius, RILL_MOST_LENGTH, " m"),
    ROW(probe, "least number of neighbours", COUNT, min_neighbours, RILL_MOST_NEIGHBOURS, ""),
    {0}};

rill_status rill_check_fault(rill_check *check, const void *at, const char *format, ...)
{
    char sentence[sizeof check->err->text];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    check->at = at;
    return rill_fail(check->err, RILL_BAD_INPUT, "%s", sentence);
}

static rill_status number_check(const limit *l, const char *axis, const double *value, const void *at, const char *what,
                                rill_check *check)
{
    if (fabs(*value) <= l->most) return RILL_OK;
    if (isnan(*value)) return rill_check_fault(check, at, "The %s%s of %s is no number.", l->name, axis, what);
    return rill_check_fault(check, at, "The %s%s of %s is %g%s, which is beyond the limit of %g%s.", l->name, axis, what,
                            *value, l->unit, l->most, l->unit);
}

static rill_status vector_check(const limit *l, const rill_vec3 *v, const char *what, rill_check *check)
{
    rill_status status = number_check(l, ".x", &v->x, v, what, check);
    if (!status) status = number_check(l, ".y", &v->y, v, what, check);
    return status ? status : number_check(l, ".z", &v->z, v, what, check);
}

/* An enum, a count or the bits of sides, all kept in four bytes. */
static rill_status word_check(const limit *l, const void *at, const char *what, rill_check *check)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    if (value <= l->most) return RILL_OK;
    if (l->kind == CHOICE)
        return rill_check_fault(check, at, "The %s of %s is number %d, but there are only 0 to %g.", l->name, what,
                                (int)value, l->most);
    if (l->kind == SIDES)
        return rill_check_fault(check, at, "The %s of %s have bits that are no side (0x%x).", l->name, what, value);
    return rill_check_fault(check, at, "The %s of %s must be at most %.0f, but it is %u.", l->name, what, l->most, value);
}

static rill_status row_check(const limit *l, const void *base, const char *what, rill_check *check)
{
    const void *at = (const char *)base + l->offset;
    if (l->kind == NUMBER) return number_check(l, "", at, at, what, check);
    if (l->kind == VECTOR) return vector_check(l, at, what, check);
    if (l->kind != TEXT) return word_check(l, at, what, check);
    if (memchr(at, 0, (size_t)l->most)) return RILL_OK;
    return rill_check_fault(check, at, "The %s of %s does not end within its %g bytes.", l->name, what, l->most);
}

static rill_status table_check(const limit *table, const void *base, const char *what, rill_check *check)
{
    rill_status status = RILL_OK;
    for (; table->name && !status; table++) status = row_check(table, base, what, check);
    return status;
}

typedef struct items {
    const char *noun;
    const limit *limits;
    const void *first;
    uint32_t count;
    size_t size;
} items;

static rill_status items_check(const items *list, rill_check *check)
{
    rill_status status = RILL_OK;
    if (list->count && !list->first)
        return rill_check_fault(check, NULL, "The scene counts %u of its %s list, which is NULL.", list->count,
                                list->noun);
    for (uint32_t i = 0; i < list->count && !status; i++) {
        char what[32];
        snprintf(what, sizeof what, "%s.%u", list->noun, i);
        status = table_check(list->limits, (const char *)list->first + i * list->size, what, check);
    }
    return status;
}

rill_status rill_limits_check(const rill_scene *scene, rill_check *check)
{
    const items lists[] = {{"fluid", fluid_limits, scene->fluids, scene->fluid_count, sizeof *scene->fluids},
                           {"fill", fill_limits, scene->fills, scene->fill_count, sizeof *scene->fills},
                           {"boundary", boundary_limits, scene->boundaries, scene->boundary_count,
                            sizeof *scene->boundaries},
                           {"probe", probe_limits, scene->probes, scene->probe_count, sizeof *scene->probes}};
    rill_status status = table_check(scene_limits, scene, "the scene", check);
    for (size_t i = 0; i < sizeof lists / sizeof *lists && !status; i++) status = items_check(&lists[i], check);
    return status;
}

/* Scenes as plain data: defaults, adding, copying, and the checks that keep
 * nonsense out of a world. */
#include "rill/scene.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "world/world.h"

rill_scene rill_scene_default(void)
{
    rill_scene scene = {
        .name = "scene",
        .particle_diameter = 0.02,
        .support = 2,
        .kernel = RILL_KERNEL_CUBIC,
        .gravity = {0, 0, -9.81},
        .air = {.density = 1.2},
        .on_trouble = RILL_TROUBLE_STOP,
        .time = {.end = 2, .frames_per_second = 30, .step_max = 5e-3, .step_min = 1e-6, .cfl = 0.4},
        .solver = {.kind = "dfsph", .eos = RILL_EOS_TAIT, .gamma = 7, .density = RILL_DENSITY_SUMMATION,
                   .divergence_error = 1e-3, .iterations_min = 2, .iterations_max = 100, .iterations_pbf = 3},
        .output = {.frames = true, .density = true, .pressure = true},
    };
    return scene;
}

rill_fluid rill_fluid_default(void)
{
    return (rill_fluid){.name = "water",
                        .density = 1000,
                        .viscosity_kind = RILL_VISCOSITY_LAPLACIAN,
                        .viscosity = 0.01,
                        .colour = 0x3a7bd5};
}

rill_fill rill_fill_default(void)
{
    return (rill_fill){.shape = {.kind = RILL_SHAPE_BOX, .to = {1, 1, 1}, .radius = 0.5}};
}

rill_boundary rill_boundary_default(void)
{
    return (rill_boundary){.name = "tank",
                           .shape = {.kind = RILL_SHAPE_BOX, .to = {1, 1, 1}, .radius = 0.5},
                           .slip = 1,
                           .slide_sides = RILL_SIDE_ALL,
                           .motion = {.sides = RILL_SIDE_ALL}};
}

rill_probe rill_probe_default(void)
{
    return (rill_probe){.name = "probe", .kind = RILL_PROBE_FRONT, .of = RILL_PRESSURE, .min_neighbours = 6};
}

/* Appends one record to a list that the scene owns. */
static rill_status list_add(void **list, uint32_t *count, const void *record, size_t size, rill_error *err)
{
    void *grown = realloc(*list, (*count + 1) * size);
    if (!grown) return rill_fail(err, RILL_NO_MEMORY, "There is no memory for one more record of the scene.");
    memcpy((char *)grown + *count * size, record, size);
    *list = grown;
    *count += 1;
    return RILL_OK;
}

rill_status rill_scene_add_fluid(rill_scene *scene, const rill_fluid *fluid, rill_error *err)
{
    return list_add((void **)&scene->fluids, &scene->fluid_count, fluid, sizeof *fluid, err);
}

rill_status rill_scene_add_fill(rill_scene *scene, const rill_fill *fill, rill_error *err)
{
    return list_add((void **)&scene->fills, &scene->fill_count, fill, sizeof *fill, err);
}

rill_status rill_scene_add_boundary(rill_scene *scene, const rill_boundary *boundary, rill_error *err)
{
    return list_add((void **)&scene->boundaries, &scene->boundary_count, boundary, sizeof *boundary, err);
}

rill_status rill_scene_add_probe(rill_scene *scene, const rill_probe *probe, rill_error *err)
{
    return list_add((void **)&scene->probes, &scene->probe_count, probe, sizeof *probe, err);
}

static bool list_copy(void **to, const void *from, uint32_t count, size_t size)
{
    *to = NULL;
    if (!count) return true;
    *to = malloc(count * size);
    if (*to) memcpy(*to, from, count * size);
    return *to != NULL;
}

rill_status rill_scene_copy(rill_scene *to, const rill_scene *from, rill_error *err)
{
    *to = *from;
    const bool fluids = list_copy((void **)&to->fluids, from->fluids, from->fluid_count, sizeof *from->fluids);
    const bool fills = list_copy((void **)&to->fills, from->fills, from->fill_count, sizeof *from->fills);
    const bool bounds =
        list_copy((void **)&to->boundaries, from->boundaries, from->boundary_count, sizeof *from->boundaries);
    const bool probes = list_copy((void **)&to->probes, from->probes, from->probe_count, sizeof *from->probes);
    if (fluids && fills && bounds && probes) return RILL_OK;
    rill_scene_free(to);
    return rill_fail(err, RILL_NO_MEMORY, "There is no memory for a copy of scene %s.", from->name);
}

void rill_scene_free(rill_scene *scene)
{
    free(scene->fluids);
    free(scene->fills);
    free(scene->boundaries);
    free(scene->probes);
    scene->fluids = NULL;
    scene->fills = NULL;
    scene->boundaries = NULL;
    scene->probes = NULL;
    scene->fluid_count = scene->fill_count = scene->boundary_count = scene->probe_count = 0;
}

static bool within(double value, double low, double high)
{
    return isfinite(value) && value >= low && value <= high;
}

static bool positive(double value)
{
    return isfinite(value) && value > 0;
}

/* A check of a scene, and what it found fault with. */
typedef struct check {
    rill_error *err;
    const void *at; /* the value in the scene; NULL: none in particular */
} check;

static rill_status fault(check *c, const void *at, const char *format, ...) RILL_PRINTF(3, 4);
static rill_status fault(check *c, const void *at, const char *format, ...)
{
    char sentence[sizeof c->err->text];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    c->at = at;
    return rill_fail(c->err, RILL_BAD_INPUT, "%s", sentence);
}

static rill_status check_shape(const rill_shape *shape, const char *what, check *c)
{
    if (shape->kind == RILL_SHAPE_SPHERE) {
        if (!rill_vec3_finite(shape->center) || !positive(shape->radius))
            return fault(c, &shape->radius, "The sphere of %s needs a finite center and a radius above zero.", what);
        return RILL_OK;
    }
    if (!rill_vec3_finite(shape->from) || !rill_vec3_finite(shape->to))
        return fault(c, &shape->from, "The box of %s needs finite corners.", what);
    for (int axis = 0; axis < 3; axis++) {
        if (rill_vec3_get(&shape->to, axis) > rill_vec3_get(&shape->from, axis)) continue;
        return fault(c, &shape->to, "The box of %s has no extent along %c: 'to' must lie above 'from'.", what,
                         "xyz"[axis]);
    }
    return RILL_OK;
}

static rill_status check_basics(const rill_scene *s, check *c)
{
    if (!positive(s->particle_diameter))
        return fault(c, &s->particle_diameter, "The particle diameter must be above zero, but it is %g m.",
                         s->particle_diameter);
    if (!within(s->support, 1.2, 6))
        return fault(c, &s->support, "The kernel support must be 1.2 to 6 diameters, but it is %g.", s->support);
    if (!rill_vec3_finite(s->gravity) || !rill_vec3_finite(s->origin))
        return fault(c, &s->gravity, "Gravity and origin must be finite numbers.");
    if (!within(s->shifting, 0, 1))
        return fault(c, &s->shifting, "Shifting must be 0 to 1, but it is %g.", s->shifting);
    if (!within(s->vorticity, 0, 1e6))
        return fault(c, &s->vorticity, "Vorticity confinement must be 0 (none) or a speed in m/s, but it is %g.",
                         s->vorticity);
    if (!within(s->air.coefficient, 0, 1e6) || !within(s->air.density, 0, 1e6) || !rill_vec3_finite(s->air.wind))
        return fault(c, &s->air.coefficient,
                         "The drag in air needs a coefficient and a density that are not negative, and a finite wind.");
    if (!within(s->speed_limit, 0, 1e9))
        return fault(c, &s->speed_limit, "The speed limit must be 0 (chosen) or a speed in m/s, but it is %g.",
                         s->speed_limit);
    const rill_time_def *t = &s->time;
    if (!within(t->end, 0, 1e12) || !within(t->frames_per_second, 0, 1e9))
        return fault(c, &t->end, "The end time and the frames per second must not be negative.");
    if (!positive(t->step_max) || !positive(t->step_min) || t->step_min > t->step_max || !within(t->step_first, 0, 1e6))
        return fault(c, &t->step_min, "The time step needs 0 < min <= max, but min is %g s and max is %g s.",
                         t->step_min, t->step_max);
    if (!within(t->cfl, 1e-3, 2))
        return fault(c, &t->cfl, "The CFL number must be 0.001 to 2, but it is %g.", t->cfl);
    for (int axis = 0; axis < 3; axis++) {
        if (!s->periodic[axis]) continue;
        const double length = rill_vec3_get(&s->domain_to, axis) - rill_vec3_get(&s->domain_from, axis);
        const double least = 2 * s->support * s->particle_diameter;
        if (!(length >= least * (1 - 1e-6)) || !isfinite(length))
            return fault(c, &s->domain_to,
                             "The domain is periodic along %c, so it must be at least two kernel supports (%g m) long "
                             "there, but it is %g m.",
                             "xyz"[axis], least, length);
    }
    return RILL_OK;
}

static rill_status check_solver(const rill_solver_def *s, check *c)
{
    if (!within(s->gamma, 1, 20))
        return fault(c, &s->gamma, "Tait's exponent gamma must be 1 to 20, but it is %g.", s->gamma);
    if (!within(s->sound_speed, 0, 1e6))
        return fault(c, &s->sound_speed, "The sound speed must be 0 (chosen) or a speed in m/s, but it is %g.",
                         s->sound_speed);
    if (!within(s->density_error, 0, 1) || !within(s->divergence_error, 1e-9, 1))
        return fault(c, &s->density_error, "The density and divergence errors allowed must be at most 100 %%, the first "
                         "0 (the solver's own) or more and the second above 0.");
    if (!s->iterations_max || s->iterations_min > s->iterations_max)
        return fault(c, &s->iterations_min,
                     "The solver's iterations need min <= max and at least one, but min is %u and max is %u.",
                     s->iterations_min, s->iterations_max);
    if (!s->iterations_pbf) return fault(c, &s->iterations_pbf, "Position based fluids need at least one iteration.");
    if (!within(s->diffusion, 0, 1))
        return fault(c, &s->diffusion, "Density diffusion must be 0 to 1, but it is %g.", s->diffusion);
    if (s->diffusion > 0 && s->density != RILL_DENSITY_CONTINUITY)
        return fault(c, &s->diffusion,
                         "Density diffusion needs a density carried by the continuity equation; set solver.density to "
                         "continuity or solver.diffusion to 0.");
    return RILL_OK;
}

static rill_status check_fluids(const rill_scene *s, check *c)
{
    if (!s->fluid_count) return fault(c, NULL, "The scene has no fluid.");
    for (uint32_t i = 0; i < s->fluid_count; i++) {
        const rill_fluid *f = &s->fluids[i];
        if (!positive(f->density))
            return fault(c, &f->density, "The density of fluid %s must be above zero, but it is %g kg/m3.",
                             f->name, f->density);
        if (!within(f->viscosity, 0, 1e9))
            return fault(c, &f->viscosity, "The viscosity of fluid %s must not be negative, but it is %g.", f->name,
                             f->viscosity);
        if (f->viscosity_kind == RILL_VISCOSITY_XSPH && f->viscosity > 1)
            return fault(c, &f->viscosity, "The XSPH viscosity of fluid %s must be 0 to 1, but it is %g.", f->name,
                             f->viscosity);
        if (!within(f->mass_factor, 0, 10))
            return fault(c, &f->mass_factor, "The mass factor of fluid %s must be 0 (chosen) to 10, but it is %g.",
                             f->name, f->mass_factor);
        if (f->mass_factor != s->fluids[0].mass_factor)
            return fault(c, &f->mass_factor,
                             "Fluids %s and %s have different mass factors; all particles share one rest volume.",
                             s->fluids[0].name, f->name);
        if (f->viscosity_kind != s->fluids[0].viscosity_kind)
            return fault(c, &f->viscosity_kind,
                             "Fluids %s and %s have viscosities of different kinds; give both the same kind.",
                             s->fluids[0].name, f->name);
    }
    return RILL_OK;
}

static rill_status check_tension(const rill_scene *s, check *c)
{
    const rill_fluid *first = NULL;
    for (uint32_t i = 0; i < s->fluid_count; i++) {
        const rill_fluid *f = &s->fluids[i];
        if (!within(f->tension, 0, 1e9))
            return fault(c, &f->tension, "The surface tension of fluid %s must not be negative, but it is %g N/m.",
                             f->name, f->tension);
        if (!within(f->adhesion, 0, 1))
            return fault(c, &f->adhesion, "The adhesion of fluid %s must be 0 to 1, but it is %g.", f->name,
                             f->adhesion);
        if (f->tension_kind == RILL_TENSION_NONE) continue;
        if (first && f->tension_kind != first->tension_kind)
            return fault(c, &f->tension_kind,
                             "Fluids %s and %s have surface tensions of different kinds; give both the same kind.",
                             first->name, f->name);
        if (!first) first = f;
    }
    return RILL_OK;
}

static rill_status check_boundary(const rill_boundary *b, check *c)
{
    char what[RILL_NAME_SIZE + 16] = "boundary ";
    strncat(what, b->name, RILL_NAME_SIZE);
    const rill_status status = check_shape(&b->shape, what, c);
    if (status) return status;
    if (!within(b->slip, 0, 1))
        return fault(c, &b->slip, "The slip of %s must be 0 (no slip) to 1 (free slip), but it is %g.", what,
                         b->slip);
    if (!within(b->volume_factor, 0, 10))
        return fault(c, &b->volume_factor, "The volume factor of %s must be 0 (chosen) to 10, but it is %g.", what,
                         b->volume_factor);
    if (!rill_vec3_finite(b->slide))
        return fault(c, &b->slide, "The sliding velocity of %s must be finite.", what);
    if (rill_vec3_length(b->slide) > 0 && b->slip >= 1)
        return fault(c, &b->slide,
                     "The surface of %s slides, but with slip 1 the liquid would not feel it; give it a slip below 1.",
                     what);
    if (b->solid && b->open)
        return fault(c, &b->open, "The solid %s cannot have open sides.", what);
    if (b->open && b->shape.kind != RILL_SHAPE_BOX)
        return fault(c, &b->open, "Only a box can have open sides, but %s is a sphere.", what);
    const rill_motion *m = &b->motion;
    if (!rill_vec3_finite(m->velocity) || !rill_vec3_finite(m->amplitude) || !within(m->period, 0, 1e12) ||
        !within(m->start, 0, 1e12) || !within(m->stop, 0, 1e12))
        return fault(c, m, "The motion of %s needs finite numbers and times that are not negative.",
                         what);
    if (m->stop > 0 && m->stop < m->start)
        return fault(c, &m->stop, "The motion of %s stops at %g s, before it starts at %g s.", what, m->stop,
                         m->start);
    if (rill_vec3_length(m->amplitude) > 0 && !(m->period > 0))
        return fault(c, &m->amplitude, "The motion of %s has an amplitude, so it needs a period above zero.", what);
    return RILL_OK;
}

static rill_status check_all(const rill_scene *scene, check *c)
{
    rill_status status = check_basics(scene, c);
    if (!status) status = check_solver(&scene->solver, c);
    if (!status) status = check_fluids(scene, c);
    if (!status) status = check_tension(scene, c);
    for (uint32_t i = 0; !status && i < scene->fill_count; i++) {
        char what[32];
        snprintf(what, sizeof what, "fill.%u", i);
        const rill_fill *fill = &scene->fills[i];
        status = check_shape(&fill->shape, what, c);
        if (!status && fill->fluid >= scene->fluid_count)
            status = fault(c, &fill->fluid, "fill.%u names fluid %u, but the scene has only %u.", i,
                               fill->fluid + 1, scene->fluid_count);
        if (!status && !rill_vec3_finite(fill->velocity))
            status = fault(c, &fill->velocity, "The velocity of fill.%u must be finite.", i);
    }
    for (uint32_t i = 0; !status && i < scene->boundary_count; i++) status = check_boundary(&scene->boundaries[i], c);
    for (uint32_t i = 0; !status && i < scene->probe_count; i++) {
        const rill_probe *p = &scene->probes[i];
        if (!rill_vec3_finite(p->at) || !within(p->radius, 0, 1e12) || p->axis < 0 || p->axis > 2)
            status = fault(c, &p->at, "Probe %s needs a finite place, a radius of zero or more and an axis.",
                               p->name);
    }
    return status;
}

rill_status rill_scene_check_at(const rill_scene *scene, const void **at, rill_error *err)
{
    check c = {.err = err};
    const rill_status status = check_all(scene, &c);
    *at = c.at;
    return status;
}

rill_status rill_scene_check(const rill_scene *scene, rill_error *err)
{
    const void *at;
    return rill_scene_check_at(scene, &at, err);
}

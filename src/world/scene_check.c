/* The checks that keep nonsense out of a world: what values must be to each other. What each may be by itself is in
 * limits.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/maths.h"
#include "base/vec3.h"
#include "world/limits.h"
#include "world/world.h"

static bool within(double value, double low, double high)
{
    return value >= low && value <= high;
}

static rill_status check_shape(const rill_shape *shape, const char *what, rill_check *c)
{
    if (shape->kind == RILL_SHAPE_SPHERE) {
        if (shape->radius > 0) return RILL_OK;
        return rill_check_fault(c, &shape->radius, "The sphere of %s needs a radius above zero.", what);
    }
    for (int axis = 0; axis < 3; axis++) {
        if (rill_vec3_get(&shape->to, axis) > rill_vec3_get(&shape->from, axis)) continue;
        return rill_check_fault(c, &shape->to, "The box of %s has no extent along %c: 'to' must lie above 'from'.", what,
                         "xyz"[axis]);
    }
    return RILL_OK;
}

static rill_status check_basics(const rill_scene *s, rill_check *c)
{
    if (!within(s->particle_diameter, RILL_LEAST_DIAMETER, RILL_MOST_DIAMETER))
        return rill_check_fault(c, &s->particle_diameter,
                                "The particle diameter must be %g to %g m, which single precision can hold, but it is %g m.",
                                RILL_LEAST_DIAMETER, RILL_MOST_DIAMETER, s->particle_diameter);
    if (!within(s->support, 1.2, 6))
        return rill_check_fault(c, &s->support, "The kernel support must be 1.2 to 6 diameters, but it is %g.", s->support);
    if (!within(s->shifting, 0, 1))
        return rill_check_fault(c, &s->shifting, "Shifting must be 0 to 1, but it is %g.", s->shifting);
    if (!within(s->vorticity, 0, 1e6))
        return rill_check_fault(c, &s->vorticity, "Vorticity confinement must be 0 (none) or a speed in m/s, but it is %g.",
                         s->vorticity);
    if (!within(s->air.coefficient, 0, 1e6) || !within(s->air.density, 0, 1e6))
        return rill_check_fault(c, &s->air.coefficient,
                         "The drag in air needs a coefficient and a density that are not negative.");
    if (!within(s->speed_limit, 0, RILL_MOST_SPEED))
        return rill_check_fault(c, &s->speed_limit, "The speed limit must be 0 (chosen) or a speed in m/s, but it is %g.",
                         s->speed_limit);
    const rill_time_def *t = &s->time;
    if (!(t->end >= 0) || !(t->frames_per_second >= 0))
        return rill_check_fault(c, &t->end, "The end time and the frames per second must not be negative.");
    if (!(t->step_min > 0) || t->step_min > t->step_max || !within(t->step_first, 0, 1e6))
        return rill_check_fault(c, &t->step_min, "The time step needs 0 < min <= max, but min is %g s and max is %g s.",
                                t->step_min, t->step_max);
    if (!(t->step_max >= RILL_LEAST_STEP))
        return rill_check_fault(c, &t->step_max, "The longest time step must be at least %g s, but it is %g s.",
                                RILL_LEAST_STEP, t->step_max);
    if (!within(t->cfl, 1e-3, 2))
        return rill_check_fault(c, &t->cfl, "The CFL number must be 0.001 to 2, but it is %g.", t->cfl);
    return RILL_OK;
}

/* Solvers have pressure in units of rho / (V dt^2), which single precision must hold, with room for the pressure. */
static rill_status check_step(const rill_scene *s, rill_check *c)
{
    const double d = s->particle_diameter, most = 1e36;
    double heaviest = 0;
    for (uint32_t f = 0; f < s->fluid_count; f++) heaviest = fmax(heaviest, s->fluids[f].density);
    const double least = sqrt(heaviest / (d * d * d * most));
    if (s->time.step_max >= least) return RILL_OK;
    return rill_check_fault(c, &s->time.step_max,
                            "The longest time step must be at least %.2g s for particles of %g m, whose pressure single "
                            "precision cannot hold otherwise, but it is %g s.",
                            least, d, s->time.step_max);
}

/* Cells of a periodic axis are counted, and single precision must tell places on it apart. */
static rill_status check_domain(const rill_scene *s, rill_check *c)
{
    const double support = s->support * s->particle_diameter, most = 1 << 24;
    for (int axis = 0; axis < 3; axis++) {
        if (!s->periodic[axis]) continue;
        const double length = rill_vec3_get(&s->domain_to, axis) - rill_vec3_get(&s->domain_from, axis);
        if (!(length >= 2 * support * (1 - 1e-6)))
            return rill_check_fault(c, &s->domain_to,
                                    "The domain is periodic along %c, so it must be at least two kernel supports (%g m) "
                                    "long there, but it is %g m.",
                                    "xyz"[axis], 2 * support, length);
        if (!(length <= most * support))
            return rill_check_fault(c, &s->domain_to,
                                    "The domain is periodic along %c, so it must be at most %.0f kernel supports (%g m) "
                                    "long there, but it is %g m.",
                                    "xyz"[axis], most, most * support, length);
    }
    return RILL_OK;
}

static rill_status check_solver(const rill_solver_def *s, rill_check *c)
{
    if (!within(s->gamma, 1, 20))
        return rill_check_fault(c, &s->gamma, "Tait's exponent gamma must be 1 to 20, but it is %g.", s->gamma);
    if (!within(s->sound_speed, 0, 1e6))
        return rill_check_fault(c, &s->sound_speed, "The sound speed must be 0 (chosen) or a speed in m/s, but it is %g.",
                         s->sound_speed);
    if (!within(s->density_error, 0, 1) || !within(s->divergence_error, 1e-9, 1))
        return rill_check_fault(c, &s->density_error, "The density and divergence errors allowed must be at most 100 %%, the first "
                         "0 (the solver's own) or more and the second above 0.");
    if (!s->iterations_max || s->iterations_min > s->iterations_max)
        return rill_check_fault(c, &s->iterations_min,
                     "The solver's iterations need min <= max and at least one, but min is %u and max is %u.",
                     s->iterations_min, s->iterations_max);
    if (!s->iterations_pbf) return rill_check_fault(c, &s->iterations_pbf, "Position based fluids need at least one iteration.");
    if (!within(s->diffusion, 0, 1))
        return rill_check_fault(c, &s->diffusion, "Density diffusion must be 0 to 1, but it is %g.", s->diffusion);
    if (s->diffusion > 0 && s->density != RILL_DENSITY_CONTINUITY)
        return rill_check_fault(c, &s->diffusion,
                         "Density diffusion needs a density carried by the continuity equation; set solver.density to "
                         "continuity or solver.diffusion to 0.");
    return RILL_OK;
}

static rill_status check_fluids(const rill_scene *s, rill_check *c)
{
    if (!s->fluid_count) return rill_check_fault(c, NULL, "The scene has no fluid.");
    for (uint32_t i = 0; i < s->fluid_count; i++) {
        const rill_fluid *f = &s->fluids[i];
        if (!(f->density >= RILL_LEAST_DENSITY))
            return rill_check_fault(c, &f->density, "The density of fluid %s must be at least %g kg/m3, but it is %g kg/m3.",
                                    f->name, RILL_LEAST_DENSITY, f->density);
        if (!(f->viscosity >= 0))
            return rill_check_fault(c, &f->viscosity, "The viscosity of fluid %s must not be negative, but it is %g.", f->name,
                             f->viscosity);
        if (f->viscosity_kind == RILL_VISCOSITY_XSPH && f->viscosity > 1)
            return rill_check_fault(c, &f->viscosity, "The XSPH viscosity of fluid %s must be 0 to 1, but it is %g.", f->name,
                             f->viscosity);
        if (!within(f->mass_factor, 0, 10))
            return rill_check_fault(c, &f->mass_factor, "The mass factor of fluid %s must be 0 (chosen) to 10, but it is %g.",
                             f->name, f->mass_factor);
        if (f->mass_factor != s->fluids[0].mass_factor)
            return rill_check_fault(c, &f->mass_factor,
                             "Fluids %s and %s have different mass factors; all particles share one rest volume.",
                             s->fluids[0].name, f->name);
        if (f->viscosity_kind != s->fluids[0].viscosity_kind)
            return rill_check_fault(c, &f->viscosity_kind,
                             "Fluids %s and %s have viscosities of different kinds; give both the same kind.",
                             s->fluids[0].name, f->name);
    }
    return RILL_OK;
}

static rill_status check_tension(const rill_scene *s, rill_check *c)
{
    const rill_fluid *first = NULL;
    for (uint32_t i = 0; i < s->fluid_count; i++) {
        const rill_fluid *f = &s->fluids[i];
        if (!(f->tension >= 0))
            return rill_check_fault(c, &f->tension, "The surface tension of fluid %s must not be negative, but it is %g N/m.",
                             f->name, f->tension);
        if (!within(f->adhesion, 0, 1))
            return rill_check_fault(c, &f->adhesion, "The adhesion of fluid %s must be 0 to 1, but it is %g.", f->name,
                             f->adhesion);
        if (f->tension_kind == RILL_TENSION_NONE) continue;
        if (first && f->tension_kind != first->tension_kind)
            return rill_check_fault(c, &f->tension_kind,
                             "Fluids %s and %s have surface tensions of different kinds; give both the same kind.",
                             first->name, f->name);
        if (!first) first = f;
    }
    return RILL_OK;
}

static rill_status check_boundary(const rill_boundary *b, rill_check *c)
{
    char what[RILL_NAME_SIZE + 16] = "boundary ";
    strncat(what, b->name, RILL_NAME_SIZE);
    const rill_status status = check_shape(&b->shape, what, c);
    if (status) return status;
    if (!within(b->slip, 0, 1))
        return rill_check_fault(c, &b->slip, "The slip of %s must be 0 (no slip) to 1 (free slip), but it is %g.", what,
                         b->slip);
    if (!within(b->volume_factor, 0, 10))
        return rill_check_fault(c, &b->volume_factor, "The volume factor of %s must be 0 (chosen) to 10, but it is %g.", what,
                         b->volume_factor);
    if (rill_vec3_length(b->slide) > 0 && b->slip >= 1)
        return rill_check_fault(c, &b->slide,
                     "The surface of %s slides, but with slip 1 the liquid would not feel it; give it a slip below 1.",
                     what);
    if (b->solid && b->open)
        return rill_check_fault(c, &b->open, "The solid %s cannot have open sides.", what);
    if (b->open && b->shape.kind != RILL_SHAPE_BOX)
        return rill_check_fault(c, &b->open, "Only a box can have open sides, but %s is a sphere.", what);
    const rill_motion *m = &b->motion;
    if (!(m->period >= 0) || !(m->start >= 0) || !(m->stop >= 0))
        return rill_check_fault(c, m, "The motion of %s needs times that are not negative.", what);
    if (m->stop > 0 && m->stop < m->start)
        return rill_check_fault(c, &m->stop, "The motion of %s stops at %g s, before it starts at %g s.", what, m->stop,
                         m->start);
    if (rill_vec3_length(m->amplitude) > 0 && !(m->period > 0))
        return rill_check_fault(c, &m->amplitude, "The motion of %s has an amplitude, so it needs a period above zero.", what);
    const double speed = m->period > 0 ? 2 * RILL_PI * rill_vec3_length(m->amplitude) / m->period : 0;
    if (!(speed <= RILL_MOST_SPEED))
        return rill_check_fault(c, &m->period, "The motion of %s reaches %g m/s, and %g m/s are the limit; give it a longer "
                         "period.", what, speed, RILL_MOST_SPEED);
    return RILL_OK;
}

static rill_status check_fill(const rill_scene *scene, uint32_t i, rill_check *c)
{
    char what[32];
    snprintf(what, sizeof what, "fill.%u", i);
    const rill_fill *fill = &scene->fills[i];
    if (fill->fluid < scene->fluid_count) return check_shape(&fill->shape, what, c);
    return rill_check_fault(c, &fill->fluid, "fill.%u names fluid %u, but the scene has only %u.", i, fill->fluid + 1,
                            scene->fluid_count);
}

/* ---- probes ---- */

/* A column of the table of probes. */
typedef struct column {
    char name[RILL_NAME_SIZE + 8];
    const rill_probe *probe; /* NULL: there anyway */
} column;

static int compare_columns(const void *a, const void *b)
{
    const column *left = a, *right = b;
    const int order = strcmp(left->name, right->name);
    if (order) return order;
    return left->probe < right->probe ? -1 : left->probe > right->probe;
}

/* The columns of a probe: one, or three with the axis behind the name. */
static size_t columns_of(const rill_probe *p, column *out)
{
    const bool vector = p->kind == RILL_PROBE_POINT && p->of == RILL_VELOCITY;
    for (int a = 0; a < (vector ? 3 : 1); a++) {
        snprintf(out[a].name, sizeof out[a].name, "%s%.*s", p->name, vector ? 2 : 0, (const char *[]){"_x", "_y", "_z"}[a]);
        out[a].probe = p;
    }
    return vector ? 3 : 1;
}

/* Every column of the table of probes has a name of its own. Without a table, probes may go by their index. */
static rill_status check_columns(const rill_scene *scene, rill_check *c)
{
    column *columns = malloc((3 * (size_t)scene->probe_count + 2) * sizeof *columns);
    if (!columns) return rill_fail(c->err, RILL_NO_MEMORY, "There is no memory for the names of the probes.");
    size_t count = 2;
    columns[0] = (column){.name = "step"}, columns[1] = (column){.name = "time"};
    for (uint32_t i = 0; i < scene->probe_count; i++) count += columns_of(&scene->probes[i], columns + count);
    qsort(columns, count, sizeof *columns, compare_columns);
    rill_status status = RILL_OK;
    for (size_t i = 1; i < count && !status; i++) {
        const rill_probe *other = columns[i - 1].probe, *p = columns[i].probe;
        if (strcmp(columns[i - 1].name, columns[i].name)) continue;
        status = other ? rill_check_fault(c, &p->kind, "Probes %s and %s fill columns of the same name; choose another.",
                                          other->name, p->name)
                       : rill_check_fault(c, &p->kind, "Probe %s has the name of a column that is there anyway; choose "
                                                       "another.", p->name);
    }
    free(columns);
    return status;
}

static rill_status check_all(const rill_scene *scene, rill_check *c)
{
    rill_status status = rill_limits_check(scene, c);
    if (!status) status = check_basics(scene, c);
    if (!status) status = check_domain(scene, c);
    if (!status) status = check_solver(&scene->solver, c);
    if (!status) status = check_fluids(scene, c);
    if (!status) status = check_step(scene, c);
    if (!status) status = check_tension(scene, c);
    for (uint32_t i = 0; !status && i < scene->fill_count; i++) status = check_fill(scene, i, c);
    for (uint32_t i = 0; !status && i < scene->boundary_count; i++) status = check_boundary(&scene->boundaries[i], c);
    for (uint32_t i = 0; !status && i < scene->probe_count; i++)
        if (!(scene->probes[i].radius >= 0))
            status = rill_check_fault(c, &scene->probes[i].radius, "Probe %s needs a radius of zero or more.",
                                      scene->probes[i].name);
    return status;
}

rill_status rill_scene_check_at(const rill_scene *scene, const void **at, rill_error *err)
{
    rill_check c = {.err = err};
    rill_status status = check_all(scene, &c);
    if (!status) status = check_columns(scene, &c);
    *at = c.at;
    return status;
}

rill_status rill_scene_check(const rill_scene *scene, rill_error *err)
{
    rill_check c = {.err = err};
    return check_all(scene, &c);
}

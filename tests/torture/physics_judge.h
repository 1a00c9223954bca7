/* Runs a case and judges it. What must hold, and why:
 *
 * nan, leak, lost, count  Never excused: every number of frames and reports is finite, every particle stays inside the
 *   tank, outside solids and on its side of a plate, and there are as many as at the start, each once.
 * nan caught  The library met a NaN, named the particle and put it back, so that no frame shows it. Excused only where
 *   a row of physics_known.h names it.
 * trouble  A particle ran away.
 * energy   Kinetic and potential energy E may only fall, but for the work W of moving bodies:
 *   E(t) <= min over earlier times of (E - W) + W(t) + tolerance * M g H, where H is the height of the liquid's top.
 *   All bodies of a shaken tank move as one, so W is exact: the force on the liquid is the change of its momentum less
 *   its weight. A pushing surface of area A and speed U does at most A U (rho g H_tank + 3 rho U^2) of work a second:
 *   the pressure at its foot when all of the tank's height were liquid, and three times twice the pressure of
 *   stagnation. Both are more than any flow needs.
 *   The tolerance covers what solvers may do without harm: walls that push the lattice of the start apart (1 to 2 % of
 *   M g H), sound in a liquid that can be compressed, and single precision. With surface tension, what the surface of
 *   the start holds may be set free.
 * speed    Nothing is faster than SPEED_MOST times free fall through the tank plus the body. Splashes reach twice that.
 * sunk     The potential energy is not below that of the liquid packed at the floor, by more than SUNK_MOST of it. */
#ifndef RILL_TORTURE_PHYSICS_JUDGE_H
#define RILL_TORTURE_PHYSICS_JUDGE_H

#include "physics_case.h"
#include "world/world.h"

#define ENERGY_TOLERANCE 0.05
#define SPEED_MOST 4
#define SUNK_MOST 0.2
/* Steps after which a case is done. */
enum { STEPS_MOST = 700 };

typedef enum torture_fault {
    FAULT_NONE, FAULT_REFUSED, FAULT_NAN, FAULT_LEAK, FAULT_LOST, FAULT_COUNT, FAULT_NAN_CAUGHT, FAULT_TROUBLE,
    FAULT_ENERGY, FAULT_SPEED, FAULT_SUNK, FAULT_KINDS
} torture_fault;

static const char *const fault_names[FAULT_KINDS] = {"fine", "refused", "nan", "leak", "lost", "count", "nan caught",
                                                     "trouble", "energy", "speed", "sunk"};

typedef struct torture_verdict {
    torture_fault fault; /* the worst: the first of the list above */
    double energy;       /* most gain beyond what was put in, of M g H */
    double speed;        /* most, of free fall and body */
    double sunk;         /* most, of the potential energy of liquid packed at the floor */
    uint64_t steps, rescued;
    uint32_t particles;
    char text[300];
} torture_verdict;

static inline void fault_found(torture_verdict *v, torture_fault fault, const char *format, ...)
{
    if (v->fault && v->fault <= fault) return;
    v->fault = fault;
    va_list args;
    va_start(args, format);
    vsnprintf(v->text, sizeof v->text, format, args);
    va_end(args);
}

/* ---- the particles ---- */

static inline bool all_finite(const rill_frame *f, size_t i)
{
    for (size_t a = 0; a < 3; a++)
        if (!isfinite(f->position[4 * i + a]) || !isfinite(f->velocity[4 * i + a])) return false;
    return isfinite(f->density[i]) && isfinite(f->pressure[i]);
}

/* Every particle where it may be, and each of them once. */
static inline void judge_particles(const rill_world *world, const torture_case *c, torture_verdict *v)
{
    const rill_frame f = rill_world_frame(world);
    uint8_t *seen = calloc(v->particles, 1);
    if (f.count != v->particles) fault_found(v, FAULT_COUNT, "%u particles became %u", v->particles, f.count);
    for (size_t i = 0; i < f.count; i++) {
        const rill_vec3 x = {f.position[4 * i], f.position[4 * i + 1], f.position[4 * i + 2]};
        const double rounding = 1e-6 * (fabs(x.x) + fabs(x.y) + fabs(x.z));
        if (!all_finite(&f, i))
            fault_found(v, FAULT_NAN, "particle %llu is not finite in step %llu", (unsigned long long)f.id[i],
                        (unsigned long long)f.step);
        if (f.id[i] >= v->particles || seen[f.id[i]]++)
            fault_found(v, FAULT_COUNT, "particle %llu is there twice", (unsigned long long)f.id[i]);
        for (uint32_t b = 0; b < world->body_count; b++) {
            const rill_body *body = &world->bodies[b];
            const bool held = rill_body_holds(body, x, -rounding);
            const bool side = c->at[AXIS_SCENE] != PLATE || !body->solid || x.x > body->shape.from.x;
            if (held && side) continue;
            fault_found(v, FAULT_LEAK, "particle %llu passed the wall of %s at (%.9g, %.9g, %.9g) m in step %llu",
                        (unsigned long long)f.id[i], world->scene.boundaries[b].name, x.x, x.y, x.z,
                        (unsigned long long)f.step);
        }
    }
    free(seen);
}

/* ---- energy ---- */

typedef struct torture_energy {
    double mass, heavy, light; /* kg, m3 of either fluid */
    double scale;              /* M g H */
    double tolerance;          /* of the same */
    double work, least;        /* of bodies so far; least E - W so far */
    rill_vec3 momentum, place; /* after the last step: of the liquid, of the tank */
    double floor;              /* height at which the potential energy counts from, m */
} torture_energy;

static inline double surface_energy(const rill_scene *scene)
{
    double energy = 0;
    for (uint32_t f = 0; f < scene->fill_count; f++) {
        const rill_shape *shape = &scene->fills[f].shape;
        const rill_fluid *fluid = &scene->fluids[scene->fills[f].fluid];
        const rill_vec3 l = rill_vec3_sub(shape->to, shape->from);
        const bool box = shape->kind == RILL_SHAPE_BOX;
        const double area = box ? 2 * (l.x * l.y + l.y * l.z + l.z * l.x) : 12.57 * shape->radius * shape->radius;
        if (fluid->tension_kind) energy += area * fluid->tension;
    }
    return energy;
}

static inline torture_energy energy_begin(const rill_world *world, const torture_setup *s)
{
    torture_energy e = {.least = INFINITY};
    const rill_frame f = rill_world_frame(world);
    for (size_t i = 0; i < f.count; i++) {
        *(f.fluid[i] ? &e.light : &e.heavy) += world->sph.volume;
        e.mass += world->sph.rest_density[f.fluid[i]] * world->sph.volume;
    }
    e.scale = e.mass * GRAVITY * s->top;
    e.tolerance = ENERGY_TOLERANCE + surface_energy(&world->scene) / e.scale;
    e.place = world->bodies[0].shape.from;
    return e;
}

static inline double work_of_step(const torture_setup *s, const rill_report *r, const rill_world *world,
                                  torture_energy *e)
{
    const rill_vec3 place = world->bodies[0].shape.from, moved = rill_vec3_sub(place, e->place);
    const rill_vec3 weight = {0, 0, -GRAVITY * e->mass};
    const rill_vec3 push = rill_vec3_sub(rill_vec3_sub(r->momentum, e->momentum), rill_vec3_scale(weight, r->dt));
    e->momentum = r->momentum;
    e->place = place;
    if (s->wave > 0) return rill_vec3_dot(push, rill_vec3_scale(moved, 1 / r->dt));
    if (s->mover == UINT32_MAX || r->time - r->dt >= s->stop) return 0;
    const double height = s->scale, most = 1000 * (GRAVITY * height + 3 * s->speed * s->speed);
    return s->area * s->speed * r->dt * most;
}

static inline void judge_energy(const rill_world *world, const torture_setup *s, const rill_report *r,
                                torture_energy *e, torture_verdict *v)
{
    const double energy = r->kinetic + r->potential;
    e->work += work_of_step(s, r, world, e);
    e->least = fmin(e->least, energy - e->work);
    const double gain = (energy - e->work - e->least) / e->scale;
    if (gain > v->energy) v->energy = gain;
    if (gain > e->tolerance)
        fault_found(v, FAULT_ENERGY, "energy grew by %.3g of M g H beyond what was put in, in step %llu", gain,
                    (unsigned long long)r->step);
}

/* Less potential energy than the heavier liquid at the floor and the lighter one on it. */
static inline void judge_sunk(const rill_world *world, const torture_setup *s, const rill_report *r,
                              const torture_energy *e, torture_verdict *v)
{
    const rill_vec3 size = world->bodies[0].size;
    const double area = size.x * size.y, a = e->heavy / area, b = e->light / area;
    const double base = world->bodies[0].shape.from.z;
    const double packed = GRAVITY * (1000 * e->heavy * a / 2 + 1000 / s->ratio * e->light * (a + b / 2));
    const double sunk = 1 - (r->potential - GRAVITY * e->mass * base) / packed;
    if (sunk > v->sunk) v->sunk = sunk;
    if (sunk > SUNK_MOST)
        fault_found(v, FAULT_SUNK, "the liquid sank by %.3g of its potential energy into itself by step %llu", sunk,
                    (unsigned long long)r->step);
}

/* ---- the report ---- */

static inline void judge_finite(const rill_world *world, const rill_report *r, torture_verdict *v)
{
    /* What a solver did not reach may be endless in a step that is named as trouble, but even then it is a number. */
    const double others[] = {r->time, r->dt, r->neighbours_mean, r->boundary_neighbours_mean, r->speed_max, r->kinetic,
                             r->potential, r->momentum.x, r->momentum.y, r->momentum.z, r->trouble_at.x,
                             r->trouble_at.y, r->trouble_at.z};
    bool good = true;
    for (uint32_t i = 0; rill_world_column(world, i); i++) {
        const double value = rill_report_value_at(world, r, i);
        good = good && (r->trouble ? !isnan(value) : isfinite(value));
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) good = good && isfinite(others[i]);
    if (!good) fault_found(v, FAULT_NAN, "the report of step %llu holds a NaN or what is not finite",
                           (unsigned long long)r->step);
}

static inline void judge_trouble(const rill_report *r, torture_verdict *v)
{
    const bool nan = r->trouble == RILL_TROUBLE_NAN;
    if (r->trouble)
        fault_found(v, nan ? FAULT_NAN_CAUGHT : FAULT_TROUBLE, "%llu particles %s in step %llu",
                    (unsigned long long)r->trouble_count, nan ? "became NaN and were put back" : "ran away",
                    (unsigned long long)r->step);
}

static inline void judge_speed(const torture_setup *s, const rill_report *r, torture_verdict *v)
{
    const double fastest = sqrt(2 * GRAVITY * s->scale) + s->speed;
    v->speed = fmax(v->speed, r->speed_max / fastest);
    if (r->speed_max > SPEED_MOST * fastest)
        fault_found(v, FAULT_SPEED, "a particle has %.3g times the speed of free fall through the tank in step %llu",
                    r->speed_max / fastest, (unsigned long long)r->step);
}

/* ---- a case ---- */

static inline void judge_step(const rill_world *world, const torture_case *c, const torture_setup *s,
                              const rill_report *r, torture_energy *e, torture_verdict *v)
{
    v->steps = r->step;
    v->rescued += r->rescued;
    if (r->lost) fault_found(v, FAULT_LOST, "%llu particles are lost in step %llu", (unsigned long long)r->lost,
                             (unsigned long long)r->step);
    judge_finite(world, r, v);
    judge_trouble(r, v);
    if (c->at[AXIS_SCENE] == CRUSH) return; /* what physics does not allow has no energy to be judged by */
    judge_speed(s, r, v);
    judge_energy(world, s, r, e, v);
    judge_sunk(world, s, r, e, v);
}

/* Whether to stop: a scene that goes on after trouble may still lose particles. */
static inline bool hopeless(const torture_setup *s, const torture_verdict *v)
{
    const bool goes_on = s->scene.on_trouble == RILL_TROUBLE_CONTINUE;
    return v->fault && v->fault <= (goes_on ? FAULT_COUNT : FAULT_TROUBLE);
}

static inline void run_steps(rill_world *world, const torture_case *c, const torture_setup *s, torture_verdict *v)
{
    torture_energy e = energy_begin(world, s);
    rill_status status = RILL_OK;
    while (!status && v->steps < STEPS_MOST && rill_world_time(world) < s->end && !hopeless(s, v)) {
        const double time = rill_world_time(world), swing = s->wave > 0 ? sin(s->wave * time) : 1;
        const rill_body_control move = {.boundary = s->mover,
                                        .low = rill_vec3_scale(s->low, swing),
                                        .high = rill_vec3_scale(s->high, swing)};
        const bool moves = s->mover != UINT32_MAX && time < s->stop;
        const rill_controls controls = {.until = moves ? s->stop : s->end, .bodies = &move, .body_count = moves};
        rill_report r = {0};
        rill_error err = {0};
        status = rill_step(world, &controls, &r, &err);
        if (!(r.dt > 0)) fault_found(v, FAULT_REFUSED, "a step was refused: %s", err.text);
        else judge_step(world, c, s, &r, &e, v);
        judge_particles(world, c, v);
    }
}

/* To be run in a process of its own. */
static inline void case_run(void *context, void *result)
{
    const torture_case *c = context;
    torture_verdict *v = result;
    *v = (torture_verdict){0};
    torture_setup s = case_setup(c);
    rill_error err = {0};
    rill_world *world = rill_world_create(&s.scene, &(rill_options){.threads = 1}, &err);
    if (!world) {
        fault_found(v, FAULT_REFUSED, "no world could be made: %s", err.text);
    } else {
        v->particles = rill_world_frame(world).count;
        run_steps(world, c, &s, v);
    }
    rill_world_destroy(world);
    rill_scene_free(&s.scene);
}

#endif

/* The checks that keep nonsense out of a world: every value by itself, as its row in the table says, then what values
 * must be to each other. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/maths.h"
#include "base/vec3.h"
#include "geom/clip.h"
#include "physics/boundary/motion.h"
#include "text/string.h"
#include "world/table.h"
#include "world/world.h"

/* A check of a scene, and what it found fault with. */
typedef struct rill_check {
    rill_error *err;
    const void *at; /* the value in the scene; NULL: none in particular */
    const rill_scene *scene;
} rill_check;

/* Fails with a sentence about the value. */
static rill_status fault(rill_check *check, const void *at, const char *format, ...) RILL_PRINTF(3, 4);

static rill_status fault(rill_check *check, const void *at, const char *format, ...)
{
    char sentence[sizeof check->err->text];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    check->at = at;
    return rill_fail(check->err, RILL_BAD_INPUT, "%s", sentence);
}

/* ---- every value by itself ---- */

/* The key of what is checked, as in fluids.water.density. */
typedef struct key_path {
    char text[3 * RILL_NAME_SIZE];
} key_path;

static key_path path_down(const key_path *path, const char *name)
{
    key_path down = *path;
    rill_string_join(down.text, sizeof down.text, ".", name);
    return down;
}

static rill_status check_number(const rill_reading *reading, const key_path *path, double value, const void *at,
                                rill_check *c)
{
    char why[160];
    if (rill_param_in_range(reading, value, why, sizeof why)) return RILL_OK;
    if (isnan(value)) return fault(c, at, "%s is no number.", path->text);
    return fault(c, at, "%s %s, but is %g.", path->text, why, value);
}

static rill_status check_vector(const rill_reading *reading, const key_path *path, const rill_vec3 *v, rill_check *c)
{
    rill_status status = RILL_OK;
    for (int axis = 0; axis < 3 && !status; axis++) {
        const key_path part = path_down(path, (const char *[]){"x", "y", "z"}[axis]);
        status = check_number(reading, &part, rill_vec3_get(v, axis), v, c);
    }
    return status;
}

static rill_status check_text(const char *text, size_t size, const key_path *path, rill_check *c)
{
    if (memchr(text, 0, size)) return RILL_OK;
    return fault(c, text, "%s does not end within its %zu bytes.", path->text, size);
}

static rill_status check_method(const rill_param *p, const char *name, const key_path *path, rill_check *c)
{
    const rill_status status = check_text(name, RILL_NAME_SIZE, path, c);
    if (status) return status;
    char names[200] = "";
    const char *known;
    for (uint32_t i = 0; (known = rill_method_name(p->method, i)); i++) {
        if (!strcmp(known, name)) return RILL_OK;
        rill_string_join(names, sizeof names, ", ", known);
    }
    return fault(c, name, "There is no %s named '%s'; there is %s.",
                 p->method == RILL_METHOD_SOLVER ? "solver" : "probe", name, names);
}

static rill_status check_value(const rill_param *p, const void *base, const key_path *path, rill_check *c)
{
    const void *at = rill_param_at(p, base);
    const rill_reading reading = rill_param_variant(p, base);
    uint32_t bits = 0, allowed = 0;
    switch (p->type) {
    case RILL_PARAM_NUMBER: return check_number(&reading, path, *(const double *)at, at, c);
    case RILL_PARAM_VECTOR: return check_vector(&reading, path, at, c);
    case RILL_PARAM_INTEGER: return check_number(&reading, path, *(const uint32_t *)at, at, c);
    case RILL_PARAM_TEXT: return check_text(at, RILL_TEXT_SIZE, path, c);
    case RILL_PARAM_NAME: return check_text(at, RILL_NAME_SIZE, path, c);
    case RILL_PARAM_METHOD: return check_method(p, at, path, c);
    case RILL_PARAM_CHOICE:
        if (rill_param_word(p->words, (size_t)rill_param_get_int(at, 0))) return RILL_OK;
        return fault(c, at, "%s is number %d, which stands for nothing.", path->text, rill_param_get_int(at, 0));
    case RILL_PARAM_COLOUR: allowed = 0xffffff; break;
    case RILL_PARAM_SIDES: allowed = RILL_SIDE_ALL; break;
    case RILL_PARAM_BOUNDARY:
        if (*(const uint32_t *)at < c->scene->boundary_count) return RILL_OK;
        return fault(c, at, "%s names boundary %u, but the scene has only %u.", path->text, *(const uint32_t *)at + 1,
                     c->scene->boundary_count);
    default: return RILL_OK;
    }
    memcpy(&bits, at, sizeof bits);
    if (!(bits & ~allowed)) return RILL_OK;
    return fault(c, at, "%s has bits that mean nothing (0x%x).", path->text, bits);
}

static rill_status check_rows(const rill_param *table, const void *base, const key_path *path, rill_check *c);

static rill_status check_items(const rill_items *items, const void *base, const key_path *path, rill_check *c)
{
    const rill_item_list list = rill_items_of(items, base);
    if (list.count && !list.first)
        return fault(c, NULL, "The scene counts %u %s, but their list is NULL.", list.count, items->plural);
    rill_status status = RILL_OK;
    for (uint32_t i = 0; i < list.count && !status; i++) {
        const char *item = list.first + i * items->size;
        char number[16];
        snprintf(number, sizeof number, "%u", i);
        key_path down = path_down(path, number);
        if (items->named) {
            status = check_text(item, RILL_NAME_SIZE, &down, c);
            if (status) return status;
            down = path_down(path, item);
        }
        status = check_rows(items->parts, item, &down, c);
    }
    return status;
}

static rill_status check_row(const rill_param *p, const void *base, const key_path *path, rill_check *c)
{
    const key_path down = path_down(path, p->name);
    if (p->items) return check_items(p->items, base, &down, c);
    if (p->chooses) {
        const int chosen = rill_param_get_int(base, p->chooses->offset);
        if (!rill_param_word(p->chooses->words, (size_t)chosen))
            return fault(c, (const char *)base + p->chooses->offset,
                         "The %s of %s is number %d, which stands for nothing.", p->chooses->key, path->text, chosen);
        if (chosen != p->choice) return RILL_OK;
    }
    if (p->parts) return check_rows(p->parts, base, &down, c);
    return rill_param_applies(p, base) ? check_value(p, base, &down, c) : RILL_OK;
}

static rill_status check_rows(const rill_param *table, const void *base, const key_path *path, rill_check *c)
{
    rill_status status = RILL_OK;
    for (rill_param_rows r = rill_param_rows_of(table); r.row && !status; rill_param_rows_next(&r))
        status = check_row(r.row, base, path, c);
    return status;
}

static rill_status check_table(const rill_scene *scene, rill_check *c)
{
    static const rill_param_home homes[] = {RILL_IN_SCENE, RILL_IN_FLUID, RILL_IN_PROBE};
    for (size_t i = 0; i < sizeof homes / sizeof *homes; i++)
        if (rill_param_own_count(homes[i]) > RILL_VALUES_MAX)
            return fault(c, NULL,
                         "The methods have %u numbers without a member, but a struct of a scene has room for %d; "
                         "raise RILL_VALUES_MAX.",
                         rill_param_own_count(homes[i]), RILL_VALUES_MAX);
    return check_rows(rill_scene_table(), scene, &(key_path){""}, c);
}

/* ---- values to each other ---- */

static rill_status check_times(const rill_scene *s, rill_check *c)
{
    const rill_time_def *t = &s->time;
    if (t->step_min <= t->step_max) return RILL_OK;
    return fault(c, &t->step_min, "The time step needs min <= max, but min is %g s and max is %g s.", t->step_min,
                 t->step_max);
}

static rill_status check_shape(const rill_shape *shape, const char *what, rill_check *c)
{
    char why[160];
    const rill_geometry *g = rill_geometry_of(shape);
    const void *at = g->fault(shape, why, sizeof why);
    if (at) return fault(c, at, "The %s of %s %s.", g->name, what, why);
    if (!shape->rotate.given || rill_vec3_length(rill_unit_vector(shape->rotate.axis)) > 0) return RILL_OK;
    return fault(c, &shape->rotate.axis, "The rotation of %s has no direction: its axis is zero.", what);
}

/* Solvers have pressure in units of rho / (V dt^2), which single precision must hold, with room for the pressure. */
static rill_status check_step(const rill_scene *s, rill_check *c)
{
    const double d = s->particle_diameter, most = 1e36;
    double heaviest = 0;
    for (uint32_t f = 0; f < s->fluid_count; f++) heaviest = fmax(heaviest, s->fluids[f].density);
    const double least = sqrt(heaviest / (d * d * d * most));
    if (s->time.step_max >= least) return RILL_OK;
    return fault(c, &s->time.step_max,
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
            return fault(c, &s->domain_to,
                         "The domain is periodic along %c, so it must be at least two kernel supports (%g m) "
                         "long there, but it is %g m.",
                         "xyz"[axis], 2 * support, length);
        if (!(length <= most * support))
            return fault(c, &s->domain_to,
                         "The domain is periodic along %c, so it must be at most %.0f kernel supports (%g m) "
                         "long there, but it is %g m.",
                         "xyz"[axis], most, most * support, length);
    }
    return RILL_OK;
}

static rill_status check_solver(const rill_solver_def *s, rill_check *c)
{
    if (s->iterations_min > s->iterations_max)
        return fault(c, &s->iterations_min, "The solver's iterations need min <= max, but min is %u and max is %u.",
                     s->iterations_min, s->iterations_max);
    if (s->diffusion > 0 && s->density != RILL_DENSITY_CONTINUITY)
        return fault(c, &s->diffusion,
                     "Density diffusion needs a density carried by the continuity equation; set solver.density to "
                     "continuity or solver.diffusion to 0.");
    return RILL_OK;
}

static rill_status check_fluids(const rill_scene *s, rill_check *c)
{
    if (!s->fluid_count) return fault(c, NULL, "The scene has no fluid.");
    for (uint32_t i = 0; i < s->fluid_count; i++) {
        const rill_fluid *f = &s->fluids[i];
        if (f->mass_factor != s->fluids[0].mass_factor)
            return fault(c, &f->mass_factor,
                         "Fluids %s and %s have different mass factors; all particles share one rest volume.",
                         s->fluids[0].name, f->name);
    }
    return RILL_OK;
}

static rill_status check_forces(const rill_scene *s, rill_check *c)
{
    rill_status status = RILL_OK;
    const rill_force *force;
    for (uint32_t f = 0; !status && (force = rill_force_at(f, RILL_VARIANT_BASE)); f++)
        if (force->check) status = force->check(s, &c->at, c->err);
    return status;
}

/* A plane that is there again on the other side of a periodic axis is level along it. */
static rill_status check_level_walls(const rill_scene *scene, const rill_boundary *b, const char *what, rill_check *c)
{
    const rill_vec3 normal = rill_unit_vector(rill_shape_settled(&b->shape).normal);
    for (int a = 0; a < 3; a++)
        if (scene->periodic[a] && !(fabs(rill_vec3_get(&normal, a)) < 1e-9))
            return fault(c, &b->shape.normal,
                         "The plane of %s is not level along %c, along which the domain is periodic.", what, "xyz"[a]);
    return RILL_OK;
}

/* ---- motions ---- */

static rill_status check_keyframes(const rill_motion *m, const char *what, rill_check *c)
{
    if (m->keyframe_count == 1)
        return fault(c, m->keyframes, "The motion of %s has one keyframe, which moves nothing; give it two or more.",
                     what);
    for (uint32_t k = 1; k < m->keyframe_count; k++)
        if (!(m->keyframes[k].time > m->keyframes[k - 1].time))
            return fault(c, &m->keyframes[k].time,
                         "The keyframe of %s at %g s must come after the one before it, which is at %g s.", what,
                         m->keyframes[k].time, m->keyframes[k - 1].time);
    return RILL_OK;
}

static bool is_along(const rill_vec3 *v, int axis)
{
    return rill_vec3_get(v, (axis + 1) % 3) == 0 && rill_vec3_get(v, (axis + 2) % 3) == 0;
}

/* Whether all turns of a motion are about an axis of the scene. */
static bool turns_about(const rill_motion *m, int axis)
{
    bool about = is_along(&m->spin, axis) && is_along(&m->swing, axis);
    for (uint32_t i = 0; i < m->sine_count; i++) about = about && is_along(&m->sines[i].swing, axis);
    for (uint32_t k = 0; k < m->keyframe_count; k++) about = about && is_along(&m->keyframes[k].turn, axis);
    return about;
}

static rill_status check_turns(const rill_scene *scene, const rill_boundary *b, const char *what, rill_check *c)
{
    const rill_motion *m = &b->motion;
    const rill_geometry *g = rill_geometry_of(&b->shape);
    if (!rill_motion_turns(m)) return RILL_OK;
    if (g->unbounded) return fault(c, &m->spin, "The motion of %s turns it, but a %s cannot turn.", what, g->name);
    if (g->sided && m->sides != RILL_SIDE_ALL)
        return fault(c, &m->sides, "The motion of %s turns it, so all of its sides must move together.", what);
    for (int a = 0; a < 3; a++)
        if (rill_boundary_continues(scene, b, a) && !turns_about(m, a))
            return fault(c, &m->spin, "The domain is periodic along %c and %s goes on there, so it can turn about %c "
                         "alone.", "xyz"[a], what, "xyz"[a]);
    return RILL_OK;
}

static rill_status check_motion(const rill_scene *scene, const rill_boundary *b, const char *what, rill_check *c)
{
    const rill_motion *m = &b->motion;
    if (m->stop > 0 && m->stop < m->start)
        return fault(c, &m->stop, "The motion of %s stops at %g s, before it starts at %g s.", what, m->stop,
                     m->start);
    if (m->stop > 0 && m->stop - m->start < 2 * m->ramp)
        return fault(c, &m->ramp, "The motion of %s lasts %g s, which is too short to grow and to fade for %g s each.",
                     what, m->stop - m->start, m->ramp);
    const bool reaches = rill_vec3_length(m->amplitude) > 0;
    if ((reaches || rill_vec3_length(m->swing) > 0) && !(m->period > 0))
        return fault(c, reaches ? &m->amplitude : &m->swing,
                     "The motion of %s has %s, so it needs a period above zero.", what,
                     reaches ? "an amplitude" : "a swing");
    rill_status status = check_keyframes(m, what, c);
    if (!status) status = check_turns(scene, b, what, c);
    if (status) return status;
    const double speed = rill_clock_motion_speed(scene, b);
    if (speed <= RILL_MOST_SPEED) return RILL_OK;
    return fault(c, &m->period, "The motion of %s reaches %g m/s, and %g m/s are the limit; make it slower.", what,
                 speed, RILL_MOST_SPEED);
}

/* A run begins with the text of its scene, keyframes included. */
static rill_status check_keyframe_count(const rill_scene *scene, rill_check *c)
{
    double sum = 0;
    for (uint32_t b = 0; b < scene->boundary_count; b++) sum += scene->boundaries[b].motion.keyframe_count;
    if (sum <= RILL_MOST_KEYFRAMES) return RILL_OK;
    return fault(c, NULL, "The scene has %.0f keyframes, and %d are the limit; leave some out.", sum,
                 RILL_MOST_KEYFRAMES);
}

/* ---- boundaries and fills ---- */

static rill_status check_boundary(const rill_scene *scene, const rill_boundary *b, rill_check *c)
{
    char what[RILL_NAME_SIZE + 16] = "boundary ";
    strncat(what, b->name, RILL_NAME_SIZE);
    const rill_status status = check_shape(&b->shape, what, c);
    if (status) return status;
    if (rill_vec3_length(b->slide) > 0 && b->slip >= 1)
        return fault(c, &b->slide,
                     "The surface of %s slides, but with slip 1 the liquid would not feel it; give it a slip below 1.",
                     what);
    const rill_geometry *g = rill_geometry_of(&b->shape);
    if (b->solid && b->open)
        return fault(c, &b->open, "The solid %s cannot have open sides.", what);
    if (b->open && !g->sided)
        return fault(c, &b->open, "Only a box can have open sides, but %s is a %s.", what, g->name);
    const rill_status rises = g->unbounded ? check_level_walls(scene, b, what, c) : RILL_OK;
    if (rises) return rises;
    return check_motion(scene, b, what, c);
}

static rill_status check_fill(const rill_scene *scene, uint32_t i, rill_check *c)
{
    char what[32];
    snprintf(what, sizeof what, "fill.%u", i);
    const rill_fill *fill = &scene->fills[i];
    if (fill->fluid >= scene->fluid_count)
        return fault(c, &fill->fluid, "fill.%u names fluid %u, but the scene has only %u.", i, fill->fluid + 1,
                     scene->fluid_count);
    return rill_geometry_of(&fill->shape) ? check_shape(&fill->shape, what, c) : RILL_OK;
}

/* The first side of a container that is open and lies lower than this along `up`; -1: there is none. */
static int open_below(const rill_scene *scene, const rill_boundary *b, rill_vec3 up, double level)
{
    const rill_pose pose = rill_shape_pose(&b->shape);
    for (int side = 0; side < 6; side++) {
        const int axis = side / 2;
        if (!(b->open >> side & 1) || rill_boundary_continues(scene, b, axis)) continue;
        rill_shape face = b->shape;
        if (side & 1) rill_vec3_set(&face.from, axis, rill_vec3_get(&face.to, axis));
        else rill_vec3_set(&face.to, axis, rill_vec3_get(&face.from, axis));
        const rill_geometry *g = rill_geometry_of(&face);
        const double low = rill_vec3_dot(rill_pose_place(&pose, g->centre(&face)), up) -
                           g->reach(&face, rill_pose_unrotate(&pose, rill_vec3_scale(up, -1)));
        if (low < level - 1e-6 * scene->particle_diameter) return side;
    }
    return -1;
}

/* What a fill is inside of is a container, and has walls up to the level. */
static rill_status check_inside(const rill_scene *scene, uint32_t i, rill_check *c)
{
    static const char *const sides[] = {"-x", "+x", "-y", "+y", "-z", "+z"};
    const rill_fill *fill = &scene->fills[i];
    if (rill_geometry_of(&fill->shape)) return RILL_OK;
    const int container = rill_fill_container(scene, fill);
    if (container < 0)
        return fault(c, fill->inside, "fill.%u fills '%s', but there is no boundary of that name.", i, fill->inside);
    const rill_boundary *b = &scene->boundaries[container];
    if (b->solid || rill_geometry_of(&b->shape)->unbounded)
        return fault(c, fill->inside, "fill.%u fills %s, but that is no container.", i, b->name);
    const rill_region region = rill_fill_region(scene, NULL, fill);
    const int side = open_below(scene, b, region.up, region.level);
    if (side < 0) return RILL_OK;
    return fault(c, &fill->level, "fill.%u fills %s up to %g m, but its side %s is open below that.", i, b->name,
                 fill->level, sides[side]);
}

/* ---- probes ---- */

/* The box of a patch may be flat. */
static rill_status check_patch(const rill_probe *p, rill_check *c)
{
    if (!rill_probe_has_patch(p)) return RILL_OK;
    for (int a = 0; a < 3; a++)
        if (rill_vec3_get(&p->patch_to, a) < rill_vec3_get(&p->patch_from, a))
            return fault(c, &p->patch_to, "The patch of probe %s is empty along %c: 'to' lies below 'from'.", p->name,
                         "xyz"[a]);
    return RILL_OK;
}

/* A column of the table of probes. */
typedef struct column {
    rill_probe_name name;
    const rill_probe *probe; /* NULL: there anyway */
} column;

static int compare_columns(const void *a, const void *b)
{
    const column *left = a, *right = b;
    const int order = strcmp(left->name.text, right->name.text);
    if (order) return order;
    return left->probe < right->probe ? -1 : left->probe > right->probe;
}

/* The columns of a probe, into `out` where that is wanted. */
static size_t columns_of(const rill_probe *p, column *out)
{
    const uint32_t count = rill_probe_columns(p);
    for (uint32_t v = 0; out && v < count; v++) {
        rill_probe_column_name(p, v, &out[v].name);
        out[v].probe = p;
    }
    return count;
}

/* Every column of the table of probes has a name of its own. Without a table, probes may go by their index. */
static rill_status check_columns(const rill_scene *scene, rill_check *c)
{
    size_t room = 2;
    for (uint32_t i = 0; i < scene->probe_count; i++) room += columns_of(&scene->probes[i], NULL);
    column *columns = rill_malloc(room * sizeof *columns);
    if (!columns) return rill_fail(c->err, RILL_NO_MEMORY, "There is no memory for the names of the probes.");
    size_t count = 2;
    columns[0] = (column){.name = {"step"}}, columns[1] = (column){.name = {"time"}};
    for (uint32_t i = 0; i < scene->probe_count; i++) count += columns_of(&scene->probes[i], columns + count);
    qsort(columns, count, sizeof *columns, compare_columns);
    rill_status status = RILL_OK;
    for (size_t i = 1; i < count && !status; i++) {
        const rill_probe *other = columns[i - 1].probe, *p = columns[i].probe;
        if (strcmp(columns[i - 1].name.text, columns[i].name.text)) continue;
        status = other ? fault(c, &p->kind, "Probes %s and %s fill columns of the same name; choose another.",
                               other->name, p->name)
                       : fault(c, &p->kind, "Probe %s has the name of a column that is there anyway; choose "
                               "another.", p->name);
    }
    rill_free(columns);
    return status;
}

static rill_status check_all(const rill_scene *scene, rill_check *c)
{
    rill_status status = check_table(scene, c);
    if (!status) status = check_times(scene, c);
    if (!status) status = check_domain(scene, c);
    if (!status) status = check_solver(&scene->solver, c);
    if (!status) status = check_fluids(scene, c);
    if (!status) status = check_step(scene, c);
    if (!status) status = check_forces(scene, c);
    if (!status) status = check_keyframe_count(scene, c);
    for (uint32_t i = 0; !status && i < scene->fill_count; i++) status = check_fill(scene, i, c);
    for (uint32_t i = 0; !status && i < scene->boundary_count; i++)
        status = check_boundary(scene, &scene->boundaries[i], c);
    for (uint32_t i = 0; !status && i < scene->fill_count; i++) status = check_inside(scene, i, c);
    for (uint32_t i = 0; !status && i < scene->probe_count; i++) status = check_patch(&scene->probes[i], c);
    return status;
}

rill_status rill_scene_check_at(const rill_scene *scene, const void **at, rill_error *err)
{
    rill_check c = {.err = err, .scene = scene};
    rill_status status = check_all(scene, &c);
    if (!status) status = check_columns(scene, &c);
    *at = c.at;
    return status;
}

rill_status rill_scene_check(const rill_scene *scene, rill_error *err)
{
    rill_check c = {.err = err, .scene = scene};
    return check_all(scene, &c);
}

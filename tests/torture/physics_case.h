/* Cases of the physics: a choice along each of eight axes, as text and as a scene.
 * All lengths are shares of L, the scale, and all times of T = sqrt(L / g), so
 * that every scale has the same flow. */
#ifndef RILL_TORTURE_PHYSICS_CASE_H
#define RILL_TORTURE_PHYSICS_CASE_H

#include <math.h>

#include "base/vec3.h"
#include "rill/rill.h"
#include "section.h"
#include "text/pi.h"

enum { AXIS_SCENE, AXIS_SOLVER, AXIS_SUPPORT, AXIS_RATIO, AXIS_STEP, AXIS_SCALE, AXIS_LIQUID, AXIS_EXTRA, AXIS_COUNT };
enum { AXIS_MOST = 16 };

enum { STILL, OVERTURN, DAM, DROP, BALL, PLATE, PINCH, PISTON, CLOSING, SHAKEN, CRUSH };

/* The first of each axis is the usual one; with it the systematic cases vary one other at a time. */
static const char *const axis_values[AXIS_COUNT][AXIS_MOST] = {
    [AXIS_SCENE] = {"still", "overturn", "dam", "drop", "ball", "plate", "pinch", "piston", "closing", "shaken",
                    "crush"},
    [AXIS_SOLVER] = {"dfsph", "iisph", "pcisph", "pbf", "wcsph"},
    [AXIS_SUPPORT] = {"h2", "h1.2", "h1.5", "h2.5", "h3", "h4"},
    [AXIS_RATIO] = {"1:1", "3:1", "10:1", "100:1"},
    [AXIS_STEP] = {"usual", "tiny", "long", "longest"},
    [AXIS_SCALE] = {"1m", "1mm", "1km"},
    [AXIS_LIQUID] = {"thin", "inviscid", "artificial", "xsph", "thick", "honey", "cohesive", "tense"},
    [AXIS_EXTRA] = {"plain", "noslip", "mueller", "shifting", "continuity", "afar", "air"},
};

typedef struct torture_case {
    uint32_t at[AXIS_COUNT];
} torture_case;

static inline uint32_t axis_length(int axis)
{
    uint32_t n = 0;
    while (n < AXIS_MOST && axis_values[axis][n]) n++;
    return n;
}

static inline void case_name(const torture_case *c, char name[128])
{
    name[0] = 0;
    for (int a = 0; a < AXIS_COUNT; a++) {
        if (a) strcat(name, " ");
        strcat(name, axis_values[a][c->at[a]]);
    }
}

/* Reads a name back; a word that is not there leaves the usual choice. */
static inline torture_case case_parse(const char *name)
{
    torture_case c = {0};
    char words[256];
    snprintf(words, sizeof words, "%s", name);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        bool known = false;
        for (int a = 0; a < AXIS_COUNT; a++)
            for (uint32_t v = 0; v < axis_length(a); v++)
                if (!strcmp(word, axis_values[a][v])) c.at[a] = v, known = true;
        if (known) continue;
        fprintf(stderr, "physics: '%s' is no word of a case.\n", word);
        exit(2);
    }
    return c;
}

/* What is known of a case before it runs. */
typedef struct torture_setup {
    rill_scene scene;
    double scale, unit;   /* L in m, T in s */
    double ratio;
    double end, stop;     /* of the case and of its bodies' motion, s */
    double top;           /* of the liquid at the start, m above the floor */
    double speed, area;   /* of the moving surface that pushes, m/s and m2 */
    uint32_t mover;       /* boundary that moves; UINT32_MAX: none */
    rill_vec3 low, high;  /* its velocities */
    double wave;          /* they swing with the sine of this times the time, 1/s; 0: they are constant */
} torture_setup;

static const double GRAVITY = 9.81;
/* Particles along L. */
enum { FINENESS = 12 };

static inline rill_vec3 scaled(const torture_setup *s, double x, double y, double z)
{
    return (rill_vec3){s->scale * x, s->scale * y, s->scale * z};
}

/* ---- the parts of a scene ---- */

static inline void add_fluid(torture_setup *s, const torture_case *c, double density)
{
    rill_fluid f = rill_fluid_default();
    const double speed = sqrt(GRAVITY * s->scale), nu = s->scale * speed;
    static const rill_viscosity_kind kinds[] = {RILL_VISCOSITY_LAPLACIAN, RILL_VISCOSITY_NONE,
                                                RILL_VISCOSITY_ARTIFICIAL, RILL_VISCOSITY_XSPH,
                                                RILL_VISCOSITY_LAPLACIAN, RILL_VISCOSITY_IMPLICIT,
                                                RILL_VISCOSITY_LAPLACIAN, RILL_VISCOSITY_LAPLACIAN};
    const double values[] = {0.003 * nu, 0, 0.05, 0.05, 0.1 * nu, 0.5 * nu, 0.003 * nu, 0.003 * nu};
    const uint32_t liquid = c->at[AXIS_LIQUID];
    f.density = density;
    f.viscosity_kind = kinds[liquid];
    f.viscosity = values[liquid];
    f.tension_kind = liquid == 6 ? RILL_TENSION_COHESION : liquid == 7 ? RILL_TENSION_COLOUR : RILL_TENSION_NONE;
    /* As strong as gravity over a tenth of L. */
    f.tension = 0.01 * density * GRAVITY * s->scale * s->scale;
    snprintf(f.name, sizeof f.name, "fluid%u", s->scene.fluid_count);
    rill_scene_add_fluid(&s->scene, &f, NULL);
}

static inline void add_fill(torture_setup *s, uint32_t fluid, rill_vec3 from, rill_vec3 to)
{
    rill_fill f = rill_fill_default();
    f.fluid = fluid;
    f.shape = (rill_shape){.kind = RILL_SHAPE_BOX, .from = from, .to = to};
    rill_scene_add_fill(&s->scene, &f, NULL);
    s->top = fmax(s->top, to.z);
}

/* A block of liquid; of two, the heavier one lies below, or above where the scene overturns. */
static inline void add_liquid(torture_setup *s, const torture_case *c, rill_vec3 from, rill_vec3 to)
{
    if (s->ratio == 1) {
        add_fill(s, 0, from, to);
        return;
    }
    const double d = s->scene.particle_diameter, middle = d * round(0.5 * (from.z + to.z) / d);
    const bool overturn = c->at[AXIS_SCENE] == OVERTURN;
    add_fill(s, overturn, from, (rill_vec3){to.x, to.y, middle});
    add_fill(s, !overturn, (rill_vec3){from.x, from.y, middle}, to);
}

static inline rill_boundary *add_body(torture_setup *s, const torture_case *c, const rill_shape *shape, bool solid)
{
    rill_boundary b = rill_boundary_default();
    snprintf(b.name, sizeof b.name, "body%u", s->scene.boundary_count);
    b.shape = *shape;
    b.solid = solid;
    b.slip = c->at[AXIS_EXTRA] == 1 ? 0 : 1;
    rill_scene_add_boundary(&s->scene, &b, NULL);
    return &s->scene.boundaries[s->scene.boundary_count - 1];
}

static inline void add_box(torture_setup *s, const torture_case *c, rill_vec3 from, rill_vec3 to, bool solid)
{
    add_body(s, c, &(rill_shape){.kind = RILL_SHAPE_BOX, .from = from, .to = to}, solid);
}

/* The last body moves from the start until `stop`, with the pushing area. */
static inline void add_motion(torture_setup *s, rill_vec3 low, rill_vec3 high, double stop, double area)
{
    const double speed = sqrt(GRAVITY * s->scale);
    s->mover = s->scene.boundary_count - 1;
    s->low = rill_vec3_scale(low, speed);
    s->high = rill_vec3_scale(high, speed);
    s->stop = stop * s->unit;
    s->speed = fmax(rill_vec3_length(s->low), rill_vec3_length(s->high));
    s->area = area * s->scale * s->scale;
}

/* ---- the scenes ---- */

static inline void add_ball(torture_setup *s, const torture_case *c, double x, double z, double radius)
{
    add_body(s, c,
             &(rill_shape){.kind = RILL_SHAPE_SPHERE, .center = scaled(s, x, 0.25, z), .radius = radius * s->scale},
             true);
}

static inline void build_moving(torture_setup *s, const torture_case *c)
{
    const rill_vec3 none = {0, 0, 0};
    switch (c->at[AXIS_SCENE]) {
    case BALL: /* shoved through from one side to the other */
        add_ball(s, c, 0.2, 0.2, 0.12);
        add_motion(s, (rill_vec3){1, 0, 0}, none, 0.8, 0.046);
        break;
    case PINCH: /* pressed into the floor until half of it is in there */
        add_ball(s, c, 0.6, 0.4, 0.15);
        add_motion(s, (rill_vec3){0.1, 0, -0.5}, none, 0.8, 0.071);
        break;
    case PLATE: /* thinner than a particle, closing the whole section, through the water */
        add_box(s, c, scaled(s, 0.02, -0.2, -0.2), scaled(s, 0.04, 0.8, 1.2), true);
        add_motion(s, (rill_vec3){0.5, 0, 0}, (rill_vec3){0.5, 0, 0}, 0.8, 0.5);
        break;
    case PISTON: /* one side moves in and leaves room above */
        add_motion(s, none, (rill_vec3){-0.5, 0, 0}, 0.8, 0.5);
        break;
    case CLOSING: /* all sides but the floor move in; room is left */
        add_motion(s, (rill_vec3){0.15, 0.03, 0}, (rill_vec3){-0.15, -0.03, -0.15}, 1, 1.5);
        break;
    case CRUSH: /* to a fifth of the liquid's volume */
        add_motion(s, (rill_vec3){0.2, 0, 0}, (rill_vec3){-0.2, 0, -0.7}, 1.2, 1.5);
        break;
    case SHAKEN: /* in smooth waves of 1.5 T */
        add_motion(s, (rill_vec3){0.4, 0.08, 0.2}, (rill_vec3){0.4, 0.08, 0.2}, 3, 0);
        s->wave = 2 * RILL_PI / (1.5 * s->unit);
        break;
    default: break;
    }
}

static inline void build_scene(torture_setup *s, const torture_case *c)
{
    const uint32_t kind = c->at[AXIS_SCENE];
    const bool long_tank = kind == DAM;
    add_box(s, c, scaled(s, 0, 0, 0), scaled(s, long_tank ? 2 : 1.2, 0.5, 1), false);
    if (kind == DAM) add_liquid(s, c, scaled(s, 0, 0, 0), scaled(s, 0.75, 0.5, 0.83));
    else if (kind == PLATE) add_liquid(s, c, scaled(s, 0.083, 0, 0), scaled(s, 1.2, 0.5, 0.42));
    else if (kind == DROP) add_liquid(s, c, scaled(s, 0, 0, 0), scaled(s, 1.2, 0.5, 0.25));
    else add_liquid(s, c, scaled(s, 0, 0, 0), scaled(s, 1.2, 0.5, 0.5));
    if (kind == DROP) {
        rill_fill drop = rill_fill_default();
        drop.shape =
            (rill_shape){.kind = RILL_SHAPE_SPHERE, .center = scaled(s, 0.6, 0.25, 0.7), .radius = 0.2 * s->scale};
        rill_scene_add_fill(&s->scene, &drop, NULL);
        s->top = 0.9 * s->scale;
    }
    build_moving(s, c);
}

/* Moves all of the scene far from the origin, where single precision is coarse. */
static inline void move_afar(torture_setup *s)
{
    const rill_vec3 by = scaled(s, 300, -300, 0);
    rill_scene *scene = &s->scene;
    for (uint32_t i = 0; i < scene->fill_count + scene->boundary_count; i++) {
        rill_shape *shape =
            i < scene->fill_count ? &scene->fills[i].shape : &scene->boundaries[i - scene->fill_count].shape;
        shape->from = rill_vec3_add(shape->from, by);
        shape->to = rill_vec3_add(shape->to, by);
        shape->center = rill_vec3_add(shape->center, by);
    }
}

static inline void set_steps(torture_setup *s, const torture_case *c)
{
    rill_time_def *time = &s->scene.time;
    time->step_max = 0.1 * s->unit;
    time->step_min = 1e-7 * s->unit;
    time->end = s->end;
    switch (c->at[AXIS_STEP]) {
    case 1: time->step_max = 1e-3 * s->unit; break;
    case 2: time->cfl = 1; break;
    case 3: /* all that a scene may ask for */
        time->cfl = 2;
        time->step_max = 100 * s->unit;
        break;
    default: break;
    }
}

static inline torture_setup case_setup(const torture_case *c)
{
    static const double supports[] = {2, 1.2, 1.5, 2.5, 3, 4}, ratios[] = {1, 3, 10, 100}, scales[] = {1, 1e-3, 1e3};
    torture_setup s = {.scene = rill_scene_default(), .scale = scales[c->at[AXIS_SCALE]], .mover = UINT32_MAX};
    rill_scene *scene = &s.scene;
    s.unit = sqrt(s.scale / GRAVITY);
    s.ratio = ratios[c->at[AXIS_RATIO]];
    s.end = 4 * s.unit;
    snprintf(scene->name, sizeof scene->name, "%s", axis_values[AXIS_SCENE][c->at[AXIS_SCENE]]);
    snprintf(scene->solver.kind, sizeof scene->solver.kind, "%s", axis_values[AXIS_SOLVER][c->at[AXIS_SOLVER]]);
    scene->particle_diameter = s.scale / FINENESS;
    scene->support = supports[c->at[AXIS_SUPPORT]];
    scene->gravity = (rill_vec3){0, 0, -GRAVITY};
    /* A body that crushes liquid makes speeds that no scene means; all others must do without trouble. */
    if (c->at[AXIS_SCENE] == CRUSH) scene->on_trouble = RILL_TROUBLE_CONTINUE;
    add_fluid(&s, c, 1000);
    if (s.ratio > 1) add_fluid(&s, c, 1000 / s.ratio);
    build_scene(&s, c);
    set_steps(&s, c);
    switch (c->at[AXIS_EXTRA]) {
    case 2: scene->kernel = RILL_KERNEL_MUELLER; break;
    case 3: scene->shifting = 0.1; break;
    case 4:
        scene->solver.density = RILL_DENSITY_CONTINUITY;
        scene->solver.diffusion = 0.1;
        break;
    case 5: move_afar(&s); break;
    case 6: scene->air.coefficient = 0.5; break;
    default: break;
    }
    return s;
}

#endif

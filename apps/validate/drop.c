/* rill validate: drops without gravity: one that is stretched and keeps on
 * stretching, after Monaghan (1994), and one that swings by its surface tension. */
#include <math.h>
#include <string.h>

#include "command.h"
#include "parts.h"
#include "say.h"

static rill_world *drop_world(validation *v, rill_scene *scene, double radius)
{
    rill_fill fill = rill_fill_default();
    fill.shape = (rill_shape){.kind = RILL_SHAPE_SPHERE, .radius = radius};
    rill_scene_add_fill(scene, &fill, NULL);
    return validate_world(v, scene);
}

/* The drop's own axes, oblique to the lattice: one that is squeezed and stretched along its own rows keeps them, and
 * with rows far apart and crowded within there is no telling the density. */
static const double oblique[3][3] = {
    {2.0 / 3, -1.0 / 3, 2.0 / 3}, {2.0 / 3, 2.0 / 3, -1.0 / 3}, {-1.0 / 3, 2.0 / 3, 2.0 / 3}};

static double along(const float x[3], int axis)
{
    return oblique[axis][0] * x[0] + oblique[axis][1] * x[1] + oblique[axis][2] * x[2];
}

/* Half axes of the ellipsoid that has the same second moments. */
static rill_vec3 axes_of(const rill_world *world)
{
    const rill_frame f = rill_world_frame(world);
    double axis[3];
    for (int a = 0; a < 3; a++) {
        double mean = 0, square = 0;
        for (size_t i = 0; i < f.count; i++) {
            const double at = along(f.position + 4 * i, a);
            mean += at / (double)f.count;
            square += at * at / (double)f.count;
        }
        axis[a] = sqrt(5 * (square - mean * mean));
    }
    return (rill_vec3){axis[0], axis[1], axis[2]};
}

/* ---- stretching ---- */

/* Monaghan's field (J. Comput. Phys. 110 (1994) 399-406) in three dimensions. An ellipsoid without forces stays one:
 * with half axes a_i and the pressure zero on its surface, a_i'' = lambda / a_i, where the volume is kept by
 * lambda = sum (a_i'/a_i)^2 / sum 1/a_i^2. */
static void stretch_velocity(const void *user, const float x[3], float v[3])
{
    (void)user;
    const double squeezed = along(x, 0), stretched = along(x, 2);
    for (int k = 0; k < 3; k++) v[k] = (float)(stretched * oblique[2][k] - squeezed * oblique[0][k]);
}

typedef struct ellipsoid {
    double a[3], speed[3];
} ellipsoid;

static void ellipsoid_advance(ellipsoid *e, double seconds)
{
    const int steps = 2000;
    for (int s = 0; s < steps; s++) {
        double shear = 0, width = 0;
        for (int i = 0; i < 3; i++) {
            shear += e->speed[i] * e->speed[i] / (e->a[i] * e->a[i]);
            width += 1 / (e->a[i] * e->a[i]);
        }
        for (int i = 0; i < 3; i++) {
            e->speed[i] += seconds / steps * shear / width / e->a[i];
            e->a[i] += seconds / steps * e->speed[i];
        }
    }
}

static bool stretch_run(validation *v, const char *solver, validate_track *track, double *worst)
{
    const double d = v->small ? 0.2 : 0.05, last = v->small ? 0.4 : 0.8;
    rill_scene scene = validate_scene(d, solver);
    scene.fluids[0].viscosity_kind = RILL_VISCOSITY_NONE;
    scene.fluids[0].viscosity = 0;
    scene.solver.sound_speed = 15;
    rill_world *world = drop_world(v, &scene, 1);
    ellipsoid e = {{1, 1, 1}, {-1, 0, 1}};
    rill_report r;
    bool good = world && validate_stir(v, world, stretch_velocity, NULL);
    const rill_vec3 start = good ? axes_of(world) : (rill_vec3){1, 1, 1};
    *worst = 0;
    for (int k = 1; good && k <= 20; k++) {
        good = validate_to(v, world, last * k / 20, last, &r);
        if (!good) break;
        const rill_vec3 now = axes_of(world);
        ellipsoid_advance(&e, last / 20);
        good = validate_track_add(track, r.time, now.z / start.z);
        *worst = fmax(*worst, fmax(fabs(now.z / start.z / e.a[2] - 1), fabs(now.x / start.x / e.a[0] - 1)));
    }
    rill_world_destroy(world);
    return good;
}

static int stretching_drop_run(validation *v)
{
    validate_track tracks[VALIDATE_SOLVERS_MAX] = {0}, exact = {0};
    rill_chart chart = validate_chart("stretching_drop", "A drop that is stretched",
                                      "A ball with the velocity A(−x, 0, z) in empty space; its long half axis.", "t A",
                                      "c / R");
    ellipsoid e = {{1, 1, 1}, {-1, 0, 1}};
    for (int k = 0; k <= 40; k++) {
        validate_track_add(&exact, 0.02 * k, e.a[2]);
        ellipsoid_advance(&e, 0.02);
    }
    validate_curve(&chart, "exact", &exact, 0x000000, RILL_CURVE_LINE);
    for (size_t i = 0; i < v->solver_count; i++) {
        double worst;
        const bool good = stretch_run(v, v->solvers[i], &tracks[i], &worst);
        if (good) validate_note(v, v->solvers[i], "half axes at worst", 100 * worst, "%");
        validate_curve(&chart, v->solvers[i], &tracks[i], rill_chart_colour(i), RILL_CURVE_POINTS);
    }
    int code = validate_draw(v, &chart);
    for (size_t i = 0; i < v->solver_count; i++) validate_track_free(&tracks[i]);
    validate_track_free(&exact);
    return code;
}

const validate_case validate_stretching_drop = {
    "stretching_drop", "A drop that is stretched",
    "Monaghan's elliptical drop (1994) in three dimensions: a ball of liquid in empty space starts with the velocity "
    "A(−x, 0, z) along axes oblique to the lattice. Without forces it stays an ellipsoid whose half axes follow an "
    "ordinary differential equation; the largest difference of the shortest and the longest of them to At = 0.8. "
    "Every solver, without viscosity.",
    {"stretching_drop", NULL}, stretching_drop_run};

/* ---- swinging ---- */

/* The second mode of a drop, at the moment when it is round. */
static void swing_velocity(const void *user, const float x[3], float v[3])
{
    const double rate = *(const double *)user, middle = along(x, 2);
    for (int k = 0; k < 3; k++) v[k] = (float)(rate * (1.5 * middle * oblique[2][k] - 0.5 * x[k]));
}

/* From the first time that it is round again to the third, so that how it starts does not count. */
static double swing_period(const validate_track *t)
{
    double first = 0;
    int times = 0;
    for (size_t i = 1; i < t->count; i++) {
        if (t->y[i - 1] * t->y[i] > 0) continue;
        const double now = t->x[i - 1] + (t->x[i] - t->x[i - 1]) * t->y[i - 1] / (t->y[i - 1] - t->y[i]);
        if (++times == 1) first = now;
        if (times == 3) return now - first;
    }
    return NAN;
}

static const struct {
    rill_tension_kind kind;
    const char *name;
} tensions[] = {{RILL_TENSION_COLOUR, "colour"}, {RILL_TENSION_COHESION, "cohesion"}};
enum { TENSIONS = sizeof tensions / sizeof *tensions };

static bool swing_run(validation *v, rill_tension_kind kind, validate_track *track)
{
    const double radius = 0.1, tension = 1, density = 1000, across = v->small ? 6 : 12;
    const double omega = sqrt(8 * tension / (density * pow(radius, 3))), period = 2 * M_PI / omega;
    const double rate = 0.1 * omega;
    rill_scene scene = validate_scene(radius / across, "dfsph");
    scene.fluids[0].density = density;
    scene.fluids[0].viscosity_kind = RILL_VISCOSITY_LAPLACIAN;
    scene.fluids[0].viscosity = 2e-4; /* damps as exp(-0.1 t / s), which leaves the period as it is */
    scene.fluids[0].tension_kind = kind;
    scene.fluids[0].tension = tension;
    rill_world *world = drop_world(v, &scene, radius);
    rill_report r;
    bool good = world && validate_stir(v, world, swing_velocity, &rate);
    for (int k = 1; good && k <= 90; k++) {
        good = validate_to(v, world, 1.8 * period * k / 90, 1.8 * period, &r);
        const rill_vec3 now = axes_of(world);
        if (good) good = validate_track_add(track, r.time / period, (now.z - 0.5 * (now.x + now.y)) / radius);
    }
    rill_world_destroy(world);
    return good;
}

static int swinging_drop_run(validation *v)
{
    validate_track tracks[TENSIONS] = {0}, exact = {0};
    rill_chart chart = validate_chart("swinging_drop", "A drop that swings by its surface tension",
                                      "Second mode, ω² = 8σ/ρR³; difference of its half axes.", "t / T", "(c − a) / R");
    for (int k = 0; k < TENSIONS; k++) {
        char what[64];
        const bool good = swing_run(v, tensions[k].kind, &tracks[k]);
        snprintf(what, sizeof what, "period by %s", tensions[k].name);
        if (good) validate_note(v, "dfsph", what, 100 * fabs(swing_period(&tracks[k]) - 1), "%");
        validate_curve(&chart, tensions[k].name, &tracks[k], rill_chart_colour((size_t)k), RILL_CURVE_LINE);
    }
    for (int i = 0; i <= 180; i++) validate_track_add(&exact, 0.01 * i, 1.5 * 0.1 * sin(2 * M_PI * 0.01 * i));
    validate_curve(&chart, "Rayleigh, without friction", &exact, 0x000000, RILL_CURVE_FAINT);
    int code = validate_draw(v, &chart);
    for (int k = 0; k < TENSIONS; k++) validate_track_free(&tracks[k]);
    validate_track_free(&exact);
    return code;
}

const validate_case validate_swinging_drop = {
    "swinging_drop", "A drop that swings",
    "A drop without gravity, R = 0.1 m, σ = 1 N/m, ν = 2e-4 m²/s, set off in its second mode with a velocity oblique "
    "to the lattice. The period against Rayleigh's (1879) for a drop without friction, ω² = 8σ/ρR³. DFSPH, for the "
    "volume must hold while tension squeezes it. The bar is that of the colour field, whose tension is the physical "
    "one; cohesion between particles is shown beside it.",
    {"swinging_drop", NULL}, swinging_drop_run};

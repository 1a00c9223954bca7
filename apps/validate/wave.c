/* rill validate: a standing wave in a tank against the linear theory of waves. */
#include <math.h>
#include <string.h>

#include "command.h"
#include "parts.h"

static const double length = 1, depth = 0.5, g = 9.81;
/* Some diameters high, or the wave would only bend the lattice, which is stiff. */
static const double amplitude = 0.04;

/* The second mode of the tank: a whole wave between its walls. */
typedef struct wave {
    double k, omega;
} wave;

static wave wave_make(void)
{
    const double k = 2 * M_PI / length;
    return (wave){k, sqrt(g * k * tanh(k * depth))};
}

/* The potential flow of the wave at the moment when its surface is flat. */
static void wave_velocity(const void *user, const float x[3], float v[3])
{
    const wave *w = user;
    const double scale = amplitude * w->omega / sinh(w->k * depth);
    v[0] = (float)(-scale * cosh(w->k * x[2]) * sin(w->k * x[0]));
    v[1] = 0;
    v[2] = (float)(scale * sinh(w->k * x[2]) * cos(w->k * x[0]));
}

/* How high the wave stands. For liquid below a surface eta the moment of height with cos(kx) is depth times that of
 * eta, to first order. */
static double wave_height(const rill_world *world, const wave *w)
{
    const rill_frame f = rill_world_frame(world);
    double sum = 0;
    for (size_t i = 0; i < f.count; i++) sum += f.position[4 * i + 2] * cos(w->k * f.position[4 * i]);
    return 2 * sum / f.count;
}

static rill_world *wave_world(validation *v, const char *solver, int layers)
{
    rill_scene scene = validate_scene(depth / layers, solver);
    scene.gravity.z = -g;
    scene.fluids[0].viscosity_kind = RILL_VISCOSITY_LAPLACIAN;
    scene.fluids[0].viscosity = 1e-6;
    const double width = validate_slab(&scene);
    validate_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){length, width, depth});
    validate_tank(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){length, width, 1.5 * depth}, 1);
    return validate_world(v, &scene);
}

/* Passages through zero in one sense are a period apart. As the liquid settles zero shifts a little, which makes the
 * falling ones late and the rising ones early, so both are used. A wiggle about zero is no passage. */
static double period_of(const validate_track *t)
{
    double first[2] = {0}, last[2] = {0}, periods[2] = {-1, -1};
    bool swung = false;
    for (size_t i = 1; i < t->count; i++) {
        swung = swung || fabs(t->y[i]) > 0.1;
        if (!swung || t->y[i - 1] * t->y[i] > 0 || t->y[i - 1] == 0) continue;
        const int sense = t->y[i - 1] < 0;
        last[sense] = t->x[i - 1] + (t->x[i] - t->x[i - 1]) * t->y[i - 1] / (t->y[i - 1] - t->y[i]);
        if (++periods[sense] < 1) first[sense] = last[sense];
        swung = false;
    }
    const double falling = (last[0] - first[0]) / periods[0], rising = (last[1] - first[1]) / periods[1];
    if (periods[0] > 0 && periods[1] > 0) return 0.5 * (falling + rising);
    return periods[0] > 0 ? falling : NAN;
}

static bool solver_run(validation *v, const char *solver, int layers, double *period, validate_track *track)
{
    const wave w = wave_make();
    const double T = 2 * M_PI / w.omega, last = (v->small ? 1.7 : 4.2) * T;
    rill_world *world = wave_world(v, solver, layers);
    rill_report r;
    bool good = world && validate_stir(v, world, wave_velocity, &w);
    for (int k = 1; good && k * T / 50 <= last; k++) {
        good = validate_to(v, world, k * T / 50, last, &r);
        if (good) good = validate_track_add(track, r.time / T, wave_height(world, &w) / amplitude);
    }
    rill_world_destroy(world);
    if (good) *period = period_of(track);
    return good;
}

static int standing_wave_run(validation *v)
{
    const int layers = v->small ? 10 : 32;
    validate_track tracks[VALIDATE_SOLVERS_MAX] = {0}, exact = {0};
    rill_chart chart = validate_chart("standing_wave", "A standing wave",
                                      "One wave of 4 cm between the walls of a tank, 1 m long and filled 0.5 m deep.",
                                      "t / T", "height of the wave / its amplitude");
    for (int i = 0; i <= 300; i++) validate_track_add(&exact, 4.2 * i / 300, sin(2 * M_PI * 4.2 * i / 300));
    validate_curve(&chart, "linear theory", &exact, 0x000000, RILL_CURVE_FAINT);
    for (size_t i = 0; i < v->solver_count; i++) {
        double period;
        const bool good = solver_run(v, v->solvers[i], layers, &period, &tracks[i]);
        /* The case is DFSPH's; the others show what they make of it. */
        if (good) validate_note(v, v->solvers[i], "frequency", 100 * fabs(1 / period - 1), "%");
        validate_curve(&chart, v->solvers[i], &tracks[i], rill_chart_colour(i), RILL_CURVE_LINE);
    }
    int code = validate_draw(v, &chart);
    for (size_t i = 0; i < v->solver_count; i++) validate_track_free(&tracks[i]);
    validate_track_free(&exact);
    return code;
}

const validate_case validate_standing_wave = {
    "standing_wave", "Standing wave",
    "A tank, 1 m long and filled 0.5 m deep, with one wave of 4 cm amplitude between its walls, started with the "
    "velocities of the potential flow below a flat surface, free slip. The frequency over four periods against linear "
    "theory, ω² = gk tanh(kd). The bar is DFSPH's, the default, which is meant for water with a surface; the others "
    "are shown.",
    {"standing_wave", NULL}, standing_wave_run};

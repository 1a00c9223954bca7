/* rill validate: water in a tank stays still and bears its own weight. */
#include <math.h>
#include <string.h>

#include "command.h"
#include "parts.h"

enum { LAYERS = 16, SAMPLES = 20 };
static const double height = 0.4, side = 0.3, g = 9.81;

/* Sums over samples of what the layers of the tank hold. */
typedef struct profile {
    double pressure[LAYERS], z[LAYERS], weight[LAYERS];
    double level; /* m; twice the mean height */
    double kinetic, fastest;
} profile;

static void profile_add(profile *p, const rill_world *world, const rill_report *r)
{
    const rill_frame f = rill_world_frame(world);
    double sum = 0;
    for (size_t i = 0; i < f.count; i++) {
        const double z = f.position[4 * i + 2];
        const int layer = (int)(z / height * LAYERS);
        sum += z;
        if (layer < 0 || layer >= LAYERS) continue;
        p->pressure[layer] += f.pressure[i];
        p->z[layer] += z;
        p->weight[layer] += 1;
    }
    p->level += 2 * sum / f.count / SAMPLES;
    p->kinetic += r->kinetic / SAMPLES;
    p->fastest = fmax(p->fastest, r->speed_max);
}

/* Root mean square over all layers of what their pressure lacks of ρg(H − z), with the height H that was filled, over
 * ρgH. */
static double profile_error(const profile *p, validate_track *track)
{
    double sum = 0, count = 0;
    const double scale = 1000 * g * height;
    for (int l = 0; l < LAYERS; l++) {
        if (!(p->weight[l] > 0)) continue;
        const double z = p->z[l] / p->weight[l], pressure = p->pressure[l] / p->weight[l];
        const double error = (pressure - 1000 * g * (height - z)) / scale;
        validate_track_add(track, z / height, pressure / scale);
        sum += error * error;
        count++;
    }
    return sqrt(sum / count);
}

/* What each solver reaches with today's walls, in per cent; tests/test_still.c asserts as much. */
typedef struct rest_bars {
    const char *solver;
    double level, volume, pressure;
} rest_bars;

static const rest_bars *bars_of(const char *solver)
{
    static const rest_bars all[] = {{"dfsph", 4, 1.5, 5.5},
                                    {"iisph", 4, 1.5, 5.5},
                                    {"pcisph", 4, 1.5, 5.5},
                                    {"pbf", 5.5, 2, 3},
                                    {"wcsph", 1.5, 1, 1.5}};
    static const rest_bars others = {"", 4, 1.5, 5.5};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i].solver, solver)) return &all[i];
    return &others;
}

static void solver_run(validation *v, const char *solver, validate_track *track)
{
    const double settle = v->small ? 0.2 : 5, watch = v->small ? 0.1 : 1, wave = sqrt(g * height);
    const double d = v->small ? 0.05 : 0.02;
    rill_scene scene = validate_scene(d, solver);
    scene.gravity.z = -g;
    validate_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){side, side, height});
    validate_tank(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){side, side, 1.5 * height}, 1);
    rill_world *world = validate_world(v, &scene);
    const rest_bars *bars = bars_of(solver);
    rill_report r;
    profile p = {0};
    bool good = world && validate_to(v, world, settle, settle + watch, &r);
    for (int s = 1; good && s <= SAMPLES; s++) {
        good = validate_to(v, world, settle + watch * s / SAMPLES, settle + watch, &r);
        if (good) profile_add(&p, world, &r);
    }
    if (good) {
        const double mass = 1000 * side * side * height;
        validate_note(v, solver, "rms speed", 100 * sqrt(2 * p.kinetic / mass) / wave, "% of √(gH)", 1);
        validate_note(v, solver, "top speed", 100 * p.fastest / wave, "% of √(gH)", 5);
        validate_note(v, solver, "level against what was filled", 100 * fabs(p.level / height - 1), "%", bars->level);
        validate_note(v, solver, "volume against what was filled",
                      100 * fabs(rill_world_volume(world) / (side * side * height) - 1), "%", bars->volume);
        validate_note(v, solver, "rms of the pressure profile", 100 * profile_error(&p, track), "% of ρgH",
                      bars->pressure);
    }
    rill_world_destroy(world);
}

static int still_tank_run(validation *v)
{
    validate_track tracks[VALIDATE_SOLVERS_MAX] = {0}, exact = {0};
    validate_track_add(&exact, 0, 1);
    validate_track_add(&exact, 1, 0);
    rill_chart chart = validate_chart("still_tank", "Pressure of still water",
                                      "Mean of every layer over the last second, against the weight of what is above.",
                                      "z / H", "p / ρgH");
    validate_curve(&chart, "ρg(H − z)", &exact, 0x000000, RILL_CURVE_LINE);
    for (size_t i = 0; i < v->solver_count; i++) {
        solver_run(v, v->solvers[i], &tracks[i]);
        validate_curve(&chart, v->solvers[i], &tracks[i], rill_chart_colour(i), RILL_CURVE_POINTS);
    }
    int code = validate_draw(v, &chart);
    for (size_t i = 0; i < v->solver_count; i++) validate_track_free(&tracks[i]);
    validate_track_free(&exact);
    return code;
}

const validate_case validate_still_tank = {
    "still_tank", "Still water",
    "A tank of 0.3 m × 0.3 m filled 0.4 m high settles for 5 s and is watched for one more: root mean square and top "
    "speed against √(gH), the drift of the volume, and the mean pressure of 16 layers against p = ρg(H − z). Every "
    "solver, with its default tolerance.",
    {"still_tank", NULL}, still_tank_run};

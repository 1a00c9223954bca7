/* rill validate: water in a tank stays still and bears its own weight. */
#include <math.h>

#include "command.h"
#include "parts.h"

enum { LAYERS = 20, SAMPLES = 20 };
static const double height = 0.4, side = 0.3, g = 9.81;

/* Sums over samples of what the layers of the tank hold, each a diameter thick. */
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
        /* A particle above the height that was filled belongs to the highest layer. */
        const int layer = (int)fmax(0, fmin(LAYERS - 1, z / f.diameter));
        sum += z;
        p->pressure[layer] += f.pressure[i];
        p->z[layer] += z;
        p->weight[layer] += 1;
    }
    p->level += 2 * sum / f.count / SAMPLES;
    p->kinetic += r->kinetic / SAMPLES;
    p->fastest = fmax(p->fastest, r->speed_max);
}

/* Root mean square over all particles, layer by layer, of what their pressure lacks of ρg(H − z), over ρgH. H is the
 * height that was filled. */
static double profile_error(const profile *p, validate_track *track)
{
    double sum = 0, count = 0;
    const double scale = 1000 * g * height;
    for (int l = 0; l < LAYERS; l++) {
        if (!(p->weight[l] > 0)) continue;
        const double z = p->z[l] / p->weight[l], pressure = p->pressure[l] / p->weight[l];
        const double error = (pressure - 1000 * g * (height - z)) / scale;
        validate_track_add(track, z / height, pressure / scale);
        sum += p->weight[l] * error * error;
        count += p->weight[l];
    }
    return sqrt(sum / count);
}

static double floor_error(const profile *p)
{
    return fabs(p->pressure[0] / (1000 * g * (p->weight[0] * height - p->z[0])) - 1);
}

/* `label` is the solver's name, or PBF_EXACT. */
static const char PBF_EXACT[] = "pbf to 1 %";

static void solver_run(validation *v, const char *label, validate_track *track)
{
    const bool exact = label == PBF_EXACT;
    const double settle = v->small ? 0.2 : 5, watch = v->small ? 0.1 : 1, wave = sqrt(g * height);
    const double d = v->small ? 0.05 : 0.02;
    rill_scene scene = validate_scene(d, exact ? "pbf" : label);
    if (exact) {
        scene.solver.density_error = 0.01;
        scene.solver.iterations_pbf = 100;
    }
    scene.gravity.z = -g;
    validate_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){side, side, height});
    validate_tank(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){side, side, 1.5 * height}, 1);
    rill_world *world = validate_world(v, &scene);
    rill_report r;
    profile p = {0};
    bool good = world && validate_to(v, world, settle, settle + watch, &r);
    for (int s = 1; good && s <= SAMPLES; s++) {
        good = validate_to(v, world, settle + watch * s / SAMPLES, settle + watch, &r);
        if (good) profile_add(&p, world, &r);
    }
    if (good) {
        const double mass = 1000 * side * side * height;
        validate_note(v, label, "rms speed", 100 * sqrt(2 * p.kinetic / mass) / wave, "% of √(gH)");
        validate_note(v, label, "top speed", 100 * p.fastest / wave, "% of √(gH)");
        validate_note(v, label, "level against what was filled", 100 * fabs(p.level / height - 1), "%");
        validate_note(v, label, "volume against what was filled",
                      100 * fabs(rill_world_volume(world) / (side * side * height) - 1), "%");
        validate_note(v, label, "rms of the pressure profile", 100 * profile_error(&p, track), "% of ρgH");
        validate_note(v, label, "pressure at the floor", 100 * floor_error(&p), "%");
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
    solver_run(v, PBF_EXACT, &tracks[v->solver_count]);
    validate_curve(&chart, PBF_EXACT, &tracks[v->solver_count], rill_chart_colour(v->solver_count), RILL_CURVE_POINTS);
    int code = validate_draw(v, &chart);
    for (size_t i = 0; i <= v->solver_count; i++) validate_track_free(&tracks[i]);
    validate_track_free(&exact);
    return code;
}

const validate_case validate_still_tank = {
    "still_tank", "Still water",
    "A tank of 0.3 m × 0.3 m filled 0.4 m high settles for 5 s and is watched for one more: root mean square and top "
    "speed against √(gH), and the level, the volume and the mean pressure of 20 layers, p = ρg(H − z), against the "
    "height H that was filled. The floor is the lowest layer. Every solver, with its default "
    "tolerance; position based fluids also with up to 100 iterations a step, to 1 % of compression.",
    {"still_tank", NULL}, still_tank_run};

/* rill validate: honey, so viscous that only the implicit viscosity can take
 * its steps: a ridge that spreads under its own weight, and a sheet that buckles. */
#include <math.h>
#include <string.h>

#include "command.h"
#include "parts.h"
#include "say.h"

/* ---- spreading ---- */

/* Huppert (J. Fluid Mech. 121 (1982) 43-58): a ridge of area 2q per unit of its length that spreads both ways over a
 * floor it sticks to, long after it was let go, reaches
 *   x(t) = eta (g q^3 / (3 nu))^(1/5) t^(1/5),  eta = 1.411. */
static const double half = 0.1, height = 0.1, viscosity = 0.03, gravity = 9.81; /* m, m, m2/s, m/s2 */
static const double first_time = 1, last_time = 4;

static double huppert(double t)
{
    return 1.411 * pow(gravity * pow(half * height, 3) / (3 * viscosity) * t, 0.2);
}

static rill_scene ridge(double d)
{
    rill_scene scene = validate_scene(d, "dfsph");
    scene.fluids[0].viscosity_kind = RILL_VISCOSITY_IMPLICIT;
    scene.fluids[0].viscosity = viscosity;
    scene.fluids[0].density = 1400;
    scene.gravity.z = -gravity;
    /* As for flow between plates: with the usual two diameters the viscosity depends on how particles lie. */
    scene.support = 4;
    /* Wide enough that the front is the mean of many particles. */
    const double width = scene.domain_to.y = 2 * validate_slab(&scene);
    validate_fill(&scene, (rill_vec3){-half, 0, 0}, (rill_vec3){half, width, height});
    validate_tank(&scene, (rill_vec3){-0.5, 0, 0}, (rill_vec3){0.5, width, 0.2}, 0);
    return scene;
}

/* Half of what lies between the outermost particles, and half a particle more on either side. */
static double reach(const rill_world *world, double d)
{
    const rill_frame f = rill_world_frame(world);
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < f.count; i++) {
        low = fmin(low, f.position[4 * i]);
        high = fmax(high, f.position[4 * i]);
    }
    return (high - low + d) / 2;
}

static bool ridge_run(validation *v, double d, validate_track *track)
{
    rill_scene scene = ridge(d);
    rill_world *world = validate_world(v, &scene);
    rill_report r;
    bool good = world && validate_track_add(track, 0, half);
    const double end = v->small ? first_time / 4 : last_time;
    for (int k = 1; good && k <= 80; k++)
        good = validate_to(v, world, end * k / 80, end, &r) && validate_track_add(track, r.time, reach(world, d));
    rill_world_destroy(world);
    return good;
}

static double front_speed(const validate_track *t)
{
    return (validate_track_at(t, last_time) - validate_track_at(t, first_time)) / (last_time - first_time);
}

static int honey_front_run(validation *v)
{
    enum { FINENESSES = 3 };
    static const double diameters[FINENESSES] = {0.01, 0.005, 0.0025};
    const int count = v->small ? 1 : FINENESSES;
    validate_track exact = {0}, tracks[FINENESSES] = {0};
    const double expected = (huppert(last_time) - huppert(first_time)) / (last_time - first_time);
    rill_chart chart = validate_chart("honey_front", "A ridge of honey spreads",
                                      "Line: Huppert's solution for long times. Marks: the front of the particles.",
                                      "t, s", "x, m");
    for (int k = 1; k <= 80; k++) validate_track_add(&exact, last_time * k / 80, huppert(last_time * k / 80));
    validate_curve(&chart, "Huppert", &exact, 0x000000, RILL_CURVE_LINE);
    for (int k = 0; k < count; k++) {
        char label[64];
        snprintf(label, sizeof label, "DFSPH, d = %g mm", 1000 * diameters[k]);
        const bool good = ridge_run(v, diameters[k], &tracks[k]);
        validate_curve(&chart, label, &tracks[k], rill_chart_colour((size_t)k), RILL_CURVE_POINTS);
        snprintf(label, sizeof label, "mean speed of the front from 1 to 4 s, d = %g mm", 1000 * diameters[k]);
        if (good) validate_note(v, "dfsph", label, 100 * fabs(front_speed(&tracks[k]) / expected - 1), "%");
    }
    int code = validate_draw(v, &chart);
    for (int k = 0; k < FINENESSES; k++) validate_track_free(&tracks[k]);
    validate_track_free(&exact);
    return code;
}

const validate_case validate_honey_front = {
    "honey_front",
    "A ridge of honey spreads",
    "A ridge of honey, 0.2 m wide and 0.1 m high, 300 St, is let go on a floor that it sticks to and spreads both "
    "ways. Long after, its front follows Huppert's similarity solution (1982), which leaves out what is not thin; "
    "compared is the mean speed of the front, the outermost particle, from 1 s to 4 s at three resolutions. The "
    "errors do not fall steadily, so no order of convergence is claimed. A support of four diameters: with two, the "
    "viscosity depends on how particles lie, from 0.7 of its value across a lattice to 1.2 along it. DFSPH with the "
    "implicit viscosity, the only one that stays stable here at the steps that the flow allows.",
    {"honey_front", NULL},
    honey_front_run};

/* ---- buckling ---- */

static const double thickness = 0.012; /* m */

/* Where the sheet ends and the heap begins that it has become, of its thickness, from the middle: the lowest slice from
 * the top down that is no wider than nearly two sheets. */
static double foot_of(const rill_world *world)
{
    enum { SLICES = 160 };
    const double slice = 0.006;
    double sum[SLICES] = {0}, low[SLICES], high[SLICES], foot = 0;
    size_t count[SLICES] = {0};
    const rill_frame f = rill_world_frame(world);
    for (int s = 0; s < SLICES; s++) {
        low[s] = INFINITY;
        high[s] = -INFINITY;
    }
    for (size_t i = 0; i < f.count; i++) {
        const double x = f.position[4 * i], z = f.position[4 * i + 2];
        const int s = z < SLICES * slice ? (int)(z / slice) : SLICES - 1;
        sum[s] += x;
        low[s] = fmin(low[s], x);
        high[s] = fmax(high[s], x);
        count[s]++;
    }
    for (int s = SLICES - 1; s > 0; s--) {
        if (count[s] < 8) continue;
        if (high[s] - low[s] > 1.8 * thickness) break;
        foot = sum[s] / (double)count[s] / thickness;
    }
    return foot;
}

/* How often the foot goes from one side to the other, by a quarter of the thickness at least. */
static int swings_of(const validate_track *t)
{
    int swings = 0;
    double side = 0;
    for (size_t i = 0; i < t->count; i++) {
        if (fabs(t->y[i]) < 0.25 || t->y[i] * side > 0) continue;
        swings += side != 0;
        side = t->y[i];
    }
    return swings;
}

/* The scene's sheet with a tenth of its waviness, a wave that by itself would stay far below a quarter of the
 * thickness. */
static bool sheet_run(validation *v, const char *diameter, validate_track *track)
{
    rill_scene scene;
    rill_error err = {0};
    if (rill_scene_load("honey", &diameter, 1, &scene, &err)) {
        validate_fail(v, "dfsph", err.text);
        return false;
    }
    for (uint32_t i = 0; i < scene.fill_count; i++) scene.fills[i].velocity.x *= 0.1;
    const double end = v->small ? 0.05 : 0.3;
    rill_world *world = validate_world(v, &scene);
    rill_report r;
    bool good = world;
    for (int k = 1; good && k <= 120; k++)
        good = validate_to(v, world, end * k / 120, end, &r) && validate_track_add(track, r.time, foot_of(world));
    rill_world_destroy(world);
    return good;
}

static int honey_buckle_run(validation *v)
{
    static const char *const settings[] = {"particle_diameter=3 mm", "particle_diameter=2 mm"};
    validate_track tracks[2] = {0};
    rill_chart chart = validate_chart("honey_buckle", "A sheet of honey buckles",
                                      "Where the falling sheet meets its own heap, from side to side.", "t, s",
                                      "x / thickness");
    for (size_t k = 0; k < (v->small ? 1 : 2); k++) {
        char label[64];
        const char *d = strchr(settings[k], '=') + 1;
        const bool good = sheet_run(v, settings[k], &tracks[k]);
        snprintf(label, sizeof label, "three folds over those counted, d = %s", d);
        if (good) validate_note(v, "dfsph", label, 3.0 / fmax(swings_of(&tracks[k]), 0.1), "");
        validate_curve(&chart, d, &tracks[k], rill_chart_colour(k), RILL_CURVE_LINE);
    }
    int code = validate_draw(v, &chart);
    for (size_t k = 0; k < 2; k++) validate_track_free(&tracks[k]);
    return code;
}

const validate_case validate_honey_buckle = {
    "honey_buckle", "A sheet of honey buckles",
    "The scene `honey` with a tenth of its waviness: a sheet 12 mm thick falls onto the floor, is pressed together "
    "along its length and gives way sideways, to one side and then to the other, so that it lies down in folds. "
    "Counted is how often its foot goes from one side to the other by more than a quarter of the thickness at each; "
    "three times at least. DFSPH with the implicit viscosity.",
    {"honey_buckle", NULL}, honey_buckle_run};

/* rill validate: whirls with and without vorticity confinement. */
#include <math.h>

#include "command.h"
#include "parts.h"

static const double side = 0.8;
static const double strengths[] = {0, 0.05, 0.1}; /* m/s */
enum { RUNS = sizeof strengths / sizeof *strengths, SAMPLES = 20 };

static void whirls(const void *user, const float x[3], float u[3])
{
    (void)user;
    const double k = 2 * M_PI / side;
    u[0] = (float)(sin(k * x[0]) * cos(k * x[2]));
    u[1] = 0;
    u[2] = (float)(-cos(k * x[0]) * sin(k * x[2]));
}

/* Energy over that at the start. */
static bool whirls_run(validation *v, double strength, validate_track *energy)
{
    const double d = side / 16, mass_factor = 0.9, last = v->small ? 0.1 : 0.5;
    rill_scene scene = validate_scene(d, "iisph");
    scene.vorticity = strength;
    /* A little room between the particles, or a closed flow would be under pressure everywhere. */
    scene.fluids[0].mass_factor = mass_factor;
    scene.fluids[0].viscosity = 1e-3;
    scene.speed_limit = 50;
    for (int k = 0; k < 3; k++) scene.periodic[k] = true;
    scene.domain_to = (rill_vec3){side, 4 * d, side};
    validate_fill(&scene, (rill_vec3){0, 0, 0}, scene.domain_to);
    rill_world *world = validate_world(v, &scene);
    rill_report r;
    bool good = world && validate_stir(v, world, whirls, NULL) && validate_track_add(energy, 0, 1);
    const double start = mass_factor * 0.25 * 1000 * side * side * 4 * d;
    for (int k = 1; good && k <= SAMPLES; k++)
        good = validate_to(v, world, last * k / SAMPLES, last, &r) &&
               validate_track_add(energy, r.time, r.kinetic / start);
    rill_world_destroy(world);
    return good;
}

static double mean_of(const validate_track *t)
{
    double sum = 0;
    for (size_t i = 0; i < t->count; i++) sum += t->y[i] / (double)t->count;
    return sum;
}

static int confined_whirls_run(validation *v)
{
    validate_track energy[RUNS] = {0};
    bool good[RUNS];
    rill_chart chart = validate_chart("confined_whirls", "Whirls with vorticity confinement",
                                      "Energy of Taylor and Green's vortices over that at the start.", "t, s",
                                      "E / E(0)");
    for (size_t i = 0; i < RUNS; i++) {
        char label[64];
        good[i] = whirls_run(v, strengths[i], &energy[i]);
        snprintf(label, sizeof label, strengths[i] > 0 ? "%g m/s" : "none", strengths[i]);
        validate_curve(&chart, label, &energy[i], rill_chart_colour(i), RILL_CURVE_LINE);
    }
    for (size_t i = 1; i < RUNS; i++) {
        char what[64];
        double most = 0;
        if (!good[0] || !good[i]) continue;
        for (size_t k = 1; k < energy[i].count; k++) most = fmax(most, energy[i].y[k]);
        snprintf(what, sizeof what, "most energy over the first, %g m/s", strengths[i]);
        validate_note(v, "iisph", what, most, "");
        snprintf(what, sizeof what, "mean energy without over with %g m/s", strengths[i]);
        validate_note(v, "iisph", what, mean_of(&energy[0]) / mean_of(&energy[i]), "");
    }
    int code = validate_draw(v, &chart);
    for (size_t i = 0; i < RUNS; i++) validate_track_free(&energy[i]);
    return code;
}

const validate_case validate_confined_whirls = {
    "confined_whirls", "Whirls with vorticity confinement",
    "Taylor and Green's vortices of 1 m/s in a periodic box of 0.8 m, 16 particles across, with IISPH, without and "
    "with confinement. It keeps energy in them, in the mean over time; what they have beyond the first is what it "
    "adds. How much is a matter of looks, and there is no exact answer.",
    {"confined_whirls", NULL}, confined_whirls_run};

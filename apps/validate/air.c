/* rill validate: drops that fall through air. */
#include <math.h>

#include "command.h"
#include "parts.h"

static const double gravity = 9.81, coefficient = 0.47, air = 1.2, water = 1000; /* m/s2, -, kg/m3 */
static const double diameters[] = {0.001, 0.002, 0.004};                         /* of particles, m */
enum { DROPS = sizeof diameters / sizeof *diameters, SAMPLES = 40 };

/* A lone particle falls from rest. Returns the largest difference from v = V tanh(gt/V), over the terminal speed V. */
static double drop_run(validation *v, double diameter, double last, validate_track *measured, validate_track *exact)
{
    rill_scene scene = validate_scene(diameter, "dfsph");
    scene.gravity.z = -gravity;
    scene.air.coefficient = coefficient;
    scene.air.density = air;
    scene.fluids[0].viscosity_kind = RILL_VISCOSITY_NONE;
    scene.fluids[0].viscosity = 0;
    scene.fluids[0].density = water;
    scene.speed_limit = 1000;
    scene.time.cfl = 2;
    validate_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){diameter, diameter, diameter});
    rill_world *world = validate_world(v, &scene);
    rill_report r;
    bool good = world;
    double worst = 0;
    for (int k = 1; good && k <= SAMPLES; k++) {
        good = validate_to(v, world, last * k / SAMPLES, last, &r);
        if (!good) break;
        const double speed = -(double)rill_world_frame(world).velocity[2];
        /* The drop is a ball of the particle's volume, which its energy tells. */
        const double ball = cbrt(6 / M_PI * (2 * r.kinetic / (speed * speed)) / water);
        const double terminal = sqrt(gravity / (0.75 * coefficient * air / (water * ball)));
        const double expected = terminal * tanh(gravity * r.time / terminal);
        worst = fmax(worst, fabs(speed - expected) / terminal);
        good = validate_track_add(measured, r.time, speed) && validate_track_add(exact, r.time, expected);
    }
    rill_world_destroy(world);
    return good ? worst : NAN;
}

static int falling_drop_run(validation *v)
{
    validate_track measured[DROPS] = {0}, exact[DROPS] = {0};
    rill_chart chart = validate_chart("falling_drop", "Drops that fall through air",
                                      "Marks: particles. Lines: V tanh(gt/V) with the terminal speed V of each.",
                                      "t, s", "speed, m/s");
    for (size_t i = 0; i < DROPS; i++) {
        char what[64];
        snprintf(what, sizeof what, "d = %g mm", 1000 * diameters[i]);
        const double worst = drop_run(v, diameters[i], v->small ? 0.2 : 3, &measured[i], &exact[i]);
        validate_curve(&chart, what, &measured[i], rill_chart_colour(i), RILL_CURVE_POINTS);
        validate_curve(&chart, "", &exact[i], rill_chart_colour(i), RILL_CURVE_LINE);
        snprintf(what, sizeof what, "speed at worst, d = %g mm", 1000 * diameters[i]);
        validate_note(v, "dfsph", what, 100 * worst, "% of V");
    }
    int code = validate_draw(v, &chart);
    for (size_t i = 0; i < DROPS; i++) {
        validate_track_free(&measured[i]);
        validate_track_free(&exact[i]);
    }
    return code;
}

const validate_case validate_falling_drop = {
    "falling_drop", "A drop that falls through air",
    "Lone particles of three sizes fall from rest through air of 1.2 kg/m³ with a drag coefficient of 0.47, each as a "
    "ball of its own volume. Speeds against V tanh(gt/V), V the terminal speed: the largest difference in three "
    "seconds. DFSPH; with one particle the solver has nothing to do.",
    {"falling_drop", NULL}, falling_drop_run};

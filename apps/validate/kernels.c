/* rill validate: the kernels, as pairs of particles feel them. */
#include <math.h>

#include "command.h"
#include "parts.h"

enum { SAMPLES = 31 };
static const double diameter = 0.1, support = 4; /* m, diameters */

/* W over W(0) at q = r/h, and -h dW/dr over W(0). */
static double cubic(double q)
{
    return q <= 0.5 ? 6 * (q * q * q - q * q) + 1 : 2 * pow(1 - q, 3);
}

static double cubic_slope(double q)
{
    return q <= 0.5 ? 12 * q - 18 * q * q : 6 * (1 - q) * (1 - q);
}

static double poly6(double q)
{
    return pow(1 - q * q, 3);
}

static double spiky_slope(double q)
{
    return 3 * (1 - q) * (1 - q);
}

typedef struct shape {
    const char *name;
    rill_kernel_kind kernel;
    double (*value)(double q);
} shape;

static const shape shapes[] = {{"cubic", RILL_KERNEL_CUBIC, cubic}, {"mueller", RILL_KERNEL_MUELLER, poly6}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* The density at a particle alone, or with another one at a distance; NAN after noting why there is none. */
static double density_of(validation *v, rill_kernel_kind kernel, double distance)
{
    rill_scene scene = validate_scene(diameter, "wcsph");
    scene.kernel = kernel;
    scene.support = support;
    const rill_vec3 to = {diameter, diameter, diameter};
    validate_fill(&scene, (rill_vec3){0, 0, 0}, to);
    if (distance > 0) validate_fill(&scene, (rill_vec3){distance, 0, 0}, (rill_vec3){distance + to.x, to.y, to.z});
    rill_world *world = validate_world(v, &scene);
    rill_report r;
    const bool good = world && validate_to(v, world, 1e-6, 1e-6, &r);
    const double density = good ? (double)rill_world_frame(world).density[0] : NAN;
    rill_world_destroy(world);
    return density;
}

/* Particles cannot be set closer together than a diameter. */
static double shape_run(validation *v, const shape *s, validate_track *track)
{
    const double lone = density_of(v, s->kernel, 0);
    double worst = 0;
    for (int k = 0; k < SAMPLES && isfinite(lone); k++) {
        const double q = 1 / support + (1.05 - 1 / support) * k / (SAMPLES - 1);
        const double W = density_of(v, s->kernel, q * support * diameter) / lone - 1;
        const double error = fabs(W - (q < 1 ? s->value(q) : 0));
        if (!isfinite(W) || !validate_track_add(track, q, W)) return NAN;
        worst = fmax(worst, error);
    }
    return isfinite(lone) ? worst : NAN;
}

static void line_add(rill_chart *chart, validate_track *track, const char *label, double (*value)(double q),
                     size_t colour, rill_curve_style style)
{
    for (int k = 0; k <= 100; k++) validate_track_add(track, 0.01 * k, value(0.01 * k));
    validate_curve(chart, label, track, rill_chart_colour(colour), style);
}

static int kernels_run(validation *v)
{
    validate_track measured[SHAPES] = {0}, lines[4] = {0};
    rill_chart chart = validate_chart("kernels", "Kernels and their slopes",
                                      "Marks: from the densities of two particles. Lines: the formulas.", "r / h",
                                      "W / W(0),  −h W' / W(0)");
    for (size_t i = 0; i < SHAPES; i++) {
        char what[64];
        const double worst = shape_run(v, &shapes[i], &measured[i]);
        snprintf(what, sizeof what, "%s over its middle at worst", shapes[i].name);
        validate_note(v, "wcsph", what, 100 * worst, "%");
        validate_curve(&chart, shapes[i].name, &measured[i], rill_chart_colour(i), RILL_CURVE_POINTS);
    }
    line_add(&chart, &lines[0], "W, cubic spline", cubic, 0, RILL_CURVE_LINE);
    line_add(&chart, &lines[1], "W, poly6", poly6, 1, RILL_CURVE_LINE);
    line_add(&chart, &lines[2], "−h W', cubic spline", cubic_slope, 2, RILL_CURVE_FAINT);
    line_add(&chart, &lines[3], "−h W', spiky", spiky_slope, 3, RILL_CURVE_FAINT);
    int code = validate_draw(v, &chart);
    for (size_t i = 0; i < SHAPES; i++) validate_track_free(&measured[i]);
    for (int i = 0; i < 4; i++) validate_track_free(&lines[i]);
    return code;
}

const validate_case validate_kernels = {
    "kernels", "Kernels",
    "Two particles at distances from one diameter to beyond the support of four: what one adds to the density of the "
    "other, over what each adds to its own, against the formula of the kernel. `cubic` is the cubic spline; `mueller` "
    "takes poly6 for densities and the slope of spiky for gradients. Slopes are drawn from their formulas.",
    {"kernels", NULL}, kernels_run};

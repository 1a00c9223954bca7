/* rill validate: flows without a free surface: vortices that decay in a
 * periodic square, and a square cavity driven by its lid. */
#include <math.h>

#include "command.h"
#include "parts.h"

/* WCSPH with pressures below zero and shifting: without a surface nothing else keeps the particles evenly spread. */
static rill_scene closed_scene(int across, double support, double viscosity)
{
    rill_scene scene = validate_scene(1.0 / across, "wcsph");
    scene.support = support;
    scene.shifting = 1;
    scene.solver.negative_pressure = true;
    scene.solver.sound_speed = 10; /* the top speed is 1 m/s */
    scene.time.step_max = 1;
    scene.fluids[0].viscosity_kind = RILL_VISCOSITY_LAPLACIAN;
    scene.fluids[0].viscosity = viscosity;
    return scene;
}

/* ---- Taylor and Green's vortices ---- */

static void vortices(const void *user, const float x[3], float v[3])
{
    (void)user;
    v[0] = (float)(-cos(2 * M_PI * x[0]) * sin(2 * M_PI * x[2]));
    v[1] = 0;
    v[2] = (float)(sin(2 * M_PI * x[0]) * cos(2 * M_PI * x[2]));
}

/* Reynolds number 100, unit speed and length. */
static const double decay = 8 * 9.8696044010893586 / 100; /* 1/s, of the velocity */

static rill_world *vortex_world(validation *v, int across)
{
    rill_scene scene = closed_scene(across, 4, 0.01);
    const double width = validate_slab(&scene);
    scene.periodic[0] = scene.periodic[2] = true;
    scene.domain_to = (rill_vec3){1, width, 1};
    validate_fill(&scene, (rill_vec3){0, 0, 0}, scene.domain_to);
    return validate_world(v, &scene);
}

/* Slope of ln(E)/2 over time, by least squares. */
static double rate_of(const validate_track *energy)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (size_t i = 0; i < energy->count; i++) {
        const double t = energy->x[i], value = 0.5 * log(energy->y[i]);
        n++, x += t, y += value, xx += t * t, xy += t * value;
    }
    return -(n * xy - x * y) / (n * xx - x * x);
}

static bool vortex_run(validation *v, int across, double *rate, validate_track *energy)
{
    /* On the lattice the vortices would first break it up, which costs energy once: so they turn for a while, and begin
     * again among particles that have found their places. */
    const double mix = 0.6, last = v->small ? 0.4 : 1.5;
    rill_world *world = vortex_world(v, across);
    rill_report r;
    bool good = world && validate_stir(v, world, vortices, NULL) && validate_to(v, world, mix, mix + last, &r) &&
                validate_stir(v, world, vortices, NULL);
    /* The exact start: rho U^2 / 4 a unit volume of the domain, which is full. */
    const rill_vec3 size = good ? rill_world_scene(world)->domain_to : (rill_vec3){1, 1, 1};
    const double start = 1000 * 0.25 * size.x * size.y * size.z;
    if (good) good = validate_track_add(energy, 0, 1);
    for (int k = 1; good && k <= 20; k++) {
        good = validate_to(v, world, mix + last * k / 20, mix + last, &r);
        if (good) good = validate_track_add(energy, r.time - mix, r.kinetic / start);
    }
    rill_world_destroy(world);
    if (good) *rate = rate_of(energy);
    return good;
}

static int taylor_green_run(validation *v)
{
    const int across[] = {v->small ? 12 : 24, v->small ? 16 : 48};
    validate_track energy[2] = {0}, exact = {0};
    double rate;
    rill_chart chart = validate_chart("taylor_green", "Decay of Taylor and Green's vortices",
                                      "Reynolds number 100; kinetic energy over that at the start.", "t U / L",
                                      "E / E(0)");
    chart.decades = 2;
    for (int k = 0; k < 2; k++) {
        char label[64];
        const bool good = vortex_run(v, across[k], &rate, &energy[k]);
        snprintf(label, sizeof label, "decay rate with %d across", across[k]);
        if (good) validate_note(v, "wcsph", label, 100 * fabs(rate / decay - 1), "%");
        snprintf(label, sizeof label, "WCSPH, %d across", across[k]);
        validate_curve(&chart, label, &energy[k], rill_chart_colour((size_t)k), RILL_CURVE_POINTS);
    }
    const double last = energy[1].count ? energy[1].x[energy[1].count - 1] : 1;
    for (int i = 0; i <= 60; i++) validate_track_add(&exact, last * i / 60, exp(-2 * decay * last * i / 60));
    validate_curve(&chart, "exact", &exact, 0x000000, RILL_CURVE_LINE);
    int code = validate_draw(v, &chart);
    for (int k = 0; k < 2; k++) validate_track_free(&energy[k]);
    validate_track_free(&exact);
    return code;
}

/* ---- the cavity ---- */

/* U. Ghia, K.N. Ghia and C.T. Shin, J. Comput. Phys. 48 (1982) 387-411, Re = 100: table I, u on the vertical line
 * through the middle, and table II, v on the horizontal one. */
static const double ghia_u[][2] = {
    {0, 0},            {0.0547, -0.03717}, {0.0625, -0.04192}, {0.0703, -0.04775}, {0.1016, -0.06434},
    {0.1719, -0.1015}, {0.2813, -0.15662}, {0.4531, -0.2109},  {0.5, -0.20581},    {0.6172, -0.13641},
    {0.7344, 0.00332}, {0.8516, 0.23151},  {0.9531, 0.68717},  {0.9609, 0.73722},  {0.9688, 0.78871},
    {0.9766, 0.84123}, {1, 1},
};
static const double ghia_v[][2] = {
    {0, 0},             {0.0625, 0.09233},  {0.0703, 0.10091},  {0.0781, 0.1089},   {0.0938, 0.12317},
    {0.1563, 0.16077},  {0.2266, 0.17507},  {0.2344, 0.17527},  {0.5, 0.05454},     {0.8047, -0.24533},
    {0.8594, -0.22445}, {0.9063, -0.16914}, {0.9453, -0.10313}, {0.9531, -0.08864}, {0.9609, -0.07391},
    {0.9688, -0.05906}, {1, 0},
};
enum { GHIA = 17 };

static rill_world *cavity_world(validation *v, int across)
{
    rill_scene scene = closed_scene(across, 3, 0.01);
    const double width = validate_slab(&scene);
    scene.domain_to = (rill_vec3){1, width, 1};
    validate_fill(&scene, (rill_vec3){0, 0, 0}, scene.domain_to);
    validate_tank(&scene, (rill_vec3){0, 0, 0}, scene.domain_to, 0);
    if (scene.boundary_count) {
        scene.boundaries[0].slide = (rill_vec3){1, 0, 0};
        scene.boundaries[0].slide_sides = RILL_SIDE_HIGH_Z;
    }
    return validate_world(v, &scene);
}

/* A velocity's component at a place, from the particles around it across the whole slab. */
static double velocity_at(const rill_frame *f, double x, double z, int axis)
{
    const double h = 1.5 * f->diameter;
    double sum = 0, weight = 0;
    for (size_t i = 0; i < f->count; i++) {
        const double dx = f->position[4 * i] - x, dz = f->position[4 * i + 2] - z, q = sqrt(dx * dx + dz * dz) / h;
        if (q >= 1) continue;
        const double w = pow(1 - q, 3) * (1 + 3 * q);
        sum += w * f->velocity[4 * i + (size_t)axis];
        weight += w;
    }
    return weight > 0 ? sum / weight : NAN;
}

/* Mean profiles over the last third of the run, when the flow is steady. Returns the largest difference inside. */
static bool cavity_run_one(validation *v, int across, double *worst, validate_track *u, validate_track *w)
{
    const double last = v->small ? 1 : 15, from = last * 2 / 3;
    const int samples = 25;
    rill_world *world = cavity_world(v, across);
    rill_report r;
    double mean[2][GHIA] = {0};
    bool good = world;
    for (int s = 1; good && s <= samples; s++) {
        good = validate_to(v, world, from + (last - from) * s / samples, last, &r);
        const rill_frame f = rill_world_frame(world);
        for (int k = 1; good && k < GHIA - 1; k++) {
            mean[0][k] += velocity_at(&f, 0.5, ghia_u[k][0], 0) / samples;
            mean[1][k] += velocity_at(&f, ghia_v[k][0], 0.5, 2) / samples;
        }
    }
    rill_world_destroy(world);
    *worst = 0;
    for (int k = 1; good && k < GHIA - 1; k++) {
        *worst = fmax(*worst, fmax(fabs(mean[0][k] - ghia_u[k][1]), fabs(mean[1][k] - ghia_v[k][1])));
        good = validate_track_add(u, ghia_u[k][0], mean[0][k]) && validate_track_add(w, ghia_v[k][0], mean[1][k]);
    }
    return good;
}

static int cavity_run(validation *v)
{
    const int across[] = {v->small ? 10 : 16, v->small ? 12 : 24, v->small ? 14 : 48};
    validate_track u[3] = {0}, w[3] = {0}, ghia[2] = {0};
    double worst[3] = {NAN, NAN, NAN};
    rill_chart upright = validate_chart("cavity_u", "Lid-driven cavity, Re 100: along the vertical line in the middle",
                                        "Velocity along the lid, over the lid's own.", "z / L", "u / U");
    rill_chart level = validate_chart("cavity_v", "Lid-driven cavity, Re 100: along the horizontal line in the middle",
                                      "Velocity towards the lid, over the lid's own.", "x / L", "v / U");
    validate_points(&ghia[0], ghia_u, GHIA);
    validate_points(&ghia[1], ghia_v, GHIA);
    validate_curve(&upright, "Ghia et al. 1982", &ghia[0], 0x000000, RILL_CURVE_POINTS);
    validate_curve(&level, "Ghia et al. 1982", &ghia[1], 0x000000, RILL_CURVE_POINTS);
    for (int k = 0; k < 3; k++) {
        char label[64];
        const bool ran = cavity_run_one(v, across[k], &worst[k], &u[k], &w[k]);
        snprintf(label, sizeof label, "profiles at worst with %d across", across[k]);
        if (ran) validate_note(v, "wcsph", label, 100 * worst[k], "% of lid");
        snprintf(label, sizeof label, "WCSPH, %d across", across[k]);
        validate_curve(&upright, label, &u[k], rill_chart_colour((size_t)k), RILL_CURVE_LINE);
        validate_curve(&level, label, &w[k], rill_chart_colour((size_t)k), RILL_CURVE_LINE);
    }
    int code = validate_draw(v, &upright);
    const int other = validate_draw(v, &level);
    for (int k = 0; k < 3; k++) {
        validate_track_free(&u[k]);
        validate_track_free(&w[k]);
    }
    validate_track_free(&ghia[0]);
    validate_track_free(&ghia[1]);
    return code ? code : other;
}

const validate_case validate_taylor_green = {
    "taylor_green", "Taylor and Green's vortices",
    "Four vortices in a doubly periodic square, Reynolds number 100; their energy decays as exp(−16π²νt/L²). The rate "
    "is fitted to the logarithm of the energy. WCSPH with pressures below zero, shifting and a support of four "
    "diameters: a closed flow has no surface where pressure is known to be zero, and solvers that push but do not "
    "pull open holes in it (DFSPH loses the vortices within a fifth of the time). The vortices turn for 0.6 L/U and "
    "are then started again, since breaking up the lattice costs energy that has nothing to do with viscosity.",
    {"taylor_green", NULL}, taylor_green_run};

const validate_case validate_cavity = {
    "cavity", "Lid-driven cavity",
    "A square cavity whose lid slides with unit speed, Reynolds number 100, from rest to t = 15 L/U; profiles through "
    "the middle, averaged over the last third, against Ghia, Ghia and Shin (1982), tables I and II. Three "
    "resolutions; the bar is for the finest. The errors do not fall steadily, so no order of convergence is claimed. "
    "WCSPH for the reasons given for the vortices, with a support of three diameters.",
    {"cavity_u", "cavity_v", NULL}, cavity_run};

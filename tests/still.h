/* Still water in a tank, graded against what was filled in: its level, its volume, and the pressure of every layer. The
 * bars are what solvers reach today. */
#ifndef RILL_TESTS_STILL_H
#define RILL_TESTS_STILL_H

#include "tests/scenes.h"

/* Shares: speeds of sqrt(gH), lengths of H, volumes of the volume filled, pressures of rho g H. */
typedef struct still_figures {
    double rms, fastest;
    double level;    /* twice the mean height, less what was filled */
    double volume;   /* as measured, less what was filled */
    double pressure; /* root mean square over all layers of p - rho g (H - z) */
    double floor;    /* p of the lowest layer over rho g (H - z) */
    double swing;    /* of that from step to step */
    double drift;    /* of the potential energy while it is watched */
    uint32_t limit_hits; /* steps whose iterations ended at their limit */
} still_figures;

typedef struct still_tank {
    double side, height;
    double settle, watch; /* s */
} still_tank;

enum { STILL_LAYERS = 64, STILL_SAMPLES = 100 };

typedef struct still_layers {
    double pressure[STILL_LAYERS], z[STILL_LAYERS], count[STILL_LAYERS];
} still_layers;

static inline void still_layers_add(still_layers *l, const rill_frame *f)
{
    for (size_t i = 0; i < f->count; i++) {
        const double z = f->position[4 * i + 2];
        const int k = (int)fmax(0, fmin(STILL_LAYERS - 1, z / f->diameter));
        l->pressure[k] += f->pressure[i];
        l->z[k] += z;
        l->count[k]++;
    }
}

/* p - rho g (H - z), root mean square over particles, layer by layer. */
static inline double still_pressure(const still_layers *l, double height)
{
    double sum = 0, count = 0;
    for (int k = 0; k < STILL_LAYERS; k++) {
        if (!(l->count[k] > 0)) continue;
        const double error = l->pressure[k] / l->count[k] - 1000 * 9.81 * (height - l->z[k] / l->count[k]);
        sum += l->count[k] * error * error;
        count += l->count[k];
    }
    return sqrt(sum / count) / (1000 * 9.81 * height);
}

static inline bool still_step(void *user, const rill_world *world, const rill_report *report)
{
    (void)world;
    *(uint32_t *)user += report->limit_hit;
    return true;
}

static inline still_figures still_water_of(rill_scene *scene, const still_tank *tank)
{
    const double height = tank->height, wave = sqrt(9.81 * height);
    add_box_fill(scene, (rill_vec3){0, 0, 0}, (rill_vec3){tank->side, tank->side, height}, (rill_vec3){0, 0, 0});
    add_tank(scene, (rill_vec3){0, 0, 0}, (rill_vec3){tank->side, tank->side, 1.5 * height});
    jiggle(scene, 1);
    rill_world *world = world_of(scene, 2, 0);
    const double filled = tank->side * tank->side * height;
    still_figures s = {0};
    still_layers all = {0};
    double potential = 0, squares = 0, mass = 0;
    const rill_controls controls = {.each_step = still_step, .user = &s.limit_hits};
    rill_report r = {0};
    assert_int_equal(rill_advance(world, tank->settle, &controls, &r, NULL), RILL_OK);
    for (int k = 0; k < STILL_SAMPLES; k++) {
        assert_int_equal(rill_advance(world, tank->watch / STILL_SAMPLES, &controls, &r, NULL), RILL_OK);
        mass = 1000 * filled;
        if (!k) potential = r.potential;
        s.rms = fmax(s.rms, sqrt(2 * r.kinetic / mass) / wave);
        s.fastest = fmax(s.fastest, r.speed_max / wave);
        s.level += (2 * r.potential / (9.81 * mass) / height - 1) / STILL_SAMPLES;
        const rill_frame f = rill_world_frame(world);
        still_layers lowest = {0};
        still_layers_add(&all, &f);
        still_layers_add(&lowest, &f);
        const double share = lowest.pressure[0] / (1000 * 9.81 * (height * lowest.count[0] - lowest.z[0]));
        s.floor += share / STILL_SAMPLES;
        squares += share * share / STILL_SAMPLES;
    }
    s.swing = sqrt(fmax(squares - s.floor * s.floor, 0));
    s.drift = r.potential / potential - 1;
    s.volume = rill_world_volume(world) / filled - 1;
    s.pressure = still_pressure(&all, height);
    assert_int_equal(r.lost, 0);
    print_message(
        "%s, still water: rms %.3f %%, fastest %.2f %% of sqrt(gH); level %+.2f %%, volume %+.2f %%; pressure "
        "%.2f %% of rho g H off in the mean of all layers, floor %.3f of its weight, swings by %.4f; drift "
        "%.3f %%; %u limit hits\n",
        scene->solver.kind, 100 * s.rms, 100 * s.fastest, 100 * s.level, 100 * s.volume, 100 * s.pressure, s.floor,
        s.swing, 100 * s.drift, s.limit_hits);
    rill_world_destroy(world);
    return s;
}

#endif

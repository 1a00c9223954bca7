/* The most that a measure may be: `rill validate` and the tests grade by this table, and pages quote it. Bars lie a
 * little above what is reached today. */
#ifndef RILL_VALIDATE_BARS_H
#define RILL_VALIDATE_BARS_H

#include <stddef.h>
#include <string.h>

typedef struct validate_bar {
    const char *of;     /* the case */
    const char *solver; /* NULL: every one */
    const char *what;
    double bar; /* in the unit of the measure */
} validate_bar;

static const validate_bar validate_bars[] = {
    {"dam_break", NULL, "front (Martin and Moyce)", 0.2},
    {"dam_break", NULL, "front (Koshizuka and Oka)", 0.4},
    {"dam_break", NULL, "height at the wall (Martin and Moyce)", 0.05},
    {"still_tank", "dfsph", "rms speed", 0.3},
    {"still_tank", "dfsph", "top speed", 6},
    {"still_tank", "dfsph", "level against what was filled", 0.9},
    {"still_tank", "dfsph", "volume against what was filled", 0.7},
    {"still_tank", "dfsph", "rms of the pressure profile", 1.6},
    {"still_tank", "dfsph", "pressure at the floor", 4},
    {"still_tank", "iisph", "rms speed", 0.3},
    {"still_tank", "iisph", "top speed", 6},
    {"still_tank", "iisph", "level against what was filled", 0.9},
    {"still_tank", "iisph", "volume against what was filled", 0.7},
    {"still_tank", "iisph", "rms of the pressure profile", 1.6},
    {"still_tank", "iisph", "pressure at the floor", 4},
    {"still_tank", "pcisph", "rms speed", 0.3},
    {"still_tank", "pcisph", "top speed", 6},
    {"still_tank", "pcisph", "level against what was filled", 0.9},
    {"still_tank", "pcisph", "volume against what was filled", 0.7},
    {"still_tank", "pcisph", "rms of the pressure profile", 1.6},
    {"still_tank", "pcisph", "pressure at the floor", 4},
    {"still_tank", "pbf", "rms speed", 0.5},
    {"still_tank", "pbf", "top speed", 12},
    {"still_tank", "pbf", "level against what was filled", 5.5},
    {"still_tank", "pbf", "volume against what was filled", 2.5},
    {"still_tank", "pbf", "rms of the pressure profile", 5},
    {"still_tank", "pbf", "pressure at the floor", 6},
    {"still_tank", "pbf to 1 %", "rms speed", 0.9},
    {"still_tank", "pbf to 1 %", "top speed", 12},
    {"still_tank", "pbf to 1 %", "level against what was filled", 3},
    {"still_tank", "pbf to 1 %", "volume against what was filled", 1.3},
    {"still_tank", "pbf to 1 %", "rms of the pressure profile", 5},
    {"still_tank", "pbf to 1 %", "pressure at the floor", 6},
    {"still_tank", "wcsph", "rms speed", 0.2},
    {"still_tank", "wcsph", "top speed", 3},
    {"still_tank", "wcsph", "level against what was filled", 1.2},
    {"still_tank", "wcsph", "volume against what was filled", 0.7},
    {"still_tank", "wcsph", "rms of the pressure profile", 1.1},
    {"still_tank", "wcsph", "pressure at the floor", 2},
    {"couette", NULL, "velocity profile at worst", 5},
    {"poiseuille", NULL, "velocity profile at worst", 5},
    {"taylor_green", NULL, "decay rate with 48 across", 10},
    {"cavity", NULL, "profiles at worst with 48 across", 5},
    {"standing_wave", "dfsph", "frequency", 3},
    {"stretching_drop", NULL, "half axes at worst", 3},
    {"swinging_drop", NULL, "period by colour", 10},
    {"honey_front", NULL, "mean speed of the front from 1 to 4 s, d = 2.5 mm", 10},
    {"honey_buckle", NULL, "three folds over those counted, d = 3 mm", 1},
    {"honey_buckle", NULL, "three folds over those counted, d = 2 mm", 1},
    {"kernels", NULL, "cubic over its middle at worst", 0.001},
    {"kernels", NULL, "mueller over its middle at worst", 0.001},
    {"falling_drop", NULL, "speed at worst, d = 1 mm", 0.1},
    {"falling_drop", NULL, "speed at worst, d = 2 mm", 0.1},
    {"falling_drop", NULL, "speed at worst, d = 4 mm", 0.1},
    {"confined_whirls", NULL, "most energy over the first, 0.05 m/s", 1.02},
    {"confined_whirls", NULL, "most energy over the first, 0.1 m/s", 1.05},
    {"confined_whirls", NULL, "mean energy without over with 0.05 m/s", 0.97},
    {"confined_whirls", NULL, "mean energy without over with 0.1 m/s", 0.9},
};

/* 0: there is none, the measure is for information. */
static inline double validate_bar_of(const char *of, const char *solver, const char *what)
{
    for (size_t i = 0; i < sizeof validate_bars / sizeof *validate_bars; i++) {
        const validate_bar *b = &validate_bars[i];
        if (!strcmp(b->of, of) && (!b->solver || !strcmp(b->solver, solver)) && !strcmp(b->what, what)) return b->bar;
    }
    return 0;
}

#endif

/* Clouds of particles for tests of surfaces, a hundredth of a metre in diameter, in one place that all share. */
#ifndef RILL_TESTS_CLOUDS_H
#define RILL_TESTS_CLOUDS_H

#include "tests/scenes.h"
#include "tests/surfaces.h"
#include "text/pi.h"

static const double D = 0.01;
enum { FIELDS = 4, MOST = 60000 };

typedef struct cloud {
    float x[3 * MOST];
    size_t count;
} cloud;
static cloud c;

static inline void add(double x, double y, double z)
{
    assert_true(c.count < MOST);
    const double at[3] = {x, y, z};
    for (size_t a = 0; a < 3; a++) c.x[3 * c.count + a] = (float)(D * at[a]);
    c.count++;
}

/* A jittered lattice where the function says so, in diameters. */
static inline void fill(double half, double jitter, bool (*within)(double x, double y, double z))
{
    uint64_t random = 1;
    const int n = (int)half + 2;
    c.count = 0;
    for (int z = -n; z <= n; z++)
        for (int y = -n; y <= n; y++)
            for (int x = -n; x <= n; x++) {
                if (!within(x + 0.37, y + 0.21, z + 0.11)) continue;
                const double a = next_random(&random), b = next_random(&random), d = next_random(&random);
                add(x + 0.37 + jitter * (a - 0.5), y + 0.21 + jitter * (b - 0.5), z + 0.11 + jitter * (d - 0.5));
            }
}

static double ball_radius;
static inline bool in_ball(double x, double y, double z)
{
    return x * x + y * y + z * z < ball_radius * ball_radius;
}
static inline void fill_ball(double count, double jitter)
{
    ball_radius = cbrt(count * 3 / (4 * RILL_PI));
    fill(ball_radius, jitter, in_ball);
}

static inline rill_particles particles(void)
{
    return (rill_particles){.count = c.count, .position = c.x, .diameter = D};
}

static inline rill_mesh made(const rill_surface_options *options, rill_surface_report *report)
{
    const rill_particles p = particles();
    rill_mesh mesh;
    rill_error err = {0};
    if (rill_surface_make(&p, options, &mesh, report, &err)) fail_msg("%s", err.text);
    return mesh;
}

#endif

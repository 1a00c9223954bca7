/* Sorted particles for tests of what surfaces are made from, a hundredth of a metre in diameter. */
#ifndef RILL_TESTS_SORTED_POINTS_H
#define RILL_TESTS_SORTED_POINTS_H

#include "surface/field.h"
#include "tests/scenes.h"
#include "tests/surfaces.h"

static const double D = 0.01;
enum { MOST = 40000 };

static float records[4 * MOST] __attribute__((aligned(64)));
static uint32_t count;

static inline void add(double x, double y, double z)
{
    assert_true(count < MOST);
    const double at[3] = {x, y, z};
    for (size_t a = 0; a < 3; a++) records[4 * count + a] = (float)(D * at[a]);
    count++;
}

static inline void fill_random(unsigned particles, double side, uint64_t seed)
{
    count = 0;
    while (count < particles) {
        const double x = next_random(&seed), y = next_random(&seed), z = next_random(&seed);
        add(side * x, side * y, side * z);
    }
}

static inline void fill_ball(double radius)
{
    uint64_t random = 1;
    const int n = (int)radius + 1;
    count = 0;
    for (int z = -n; z <= n; z++)
        for (int y = -n; y <= n; y++)
            for (int x = -n; x <= n; x++) {
                if (x * x + y * y + z * z >= radius * radius) continue;
                const double a = next_random(&random), b = next_random(&random), d = next_random(&random);
                add(x + 0.4 * a, y + 0.4 * b, z + 0.4 * d);
            }
}

static inline void serial_for(void *user, size_t n, rill_loop_body *body, void *context)
{
    (void)user;
    for (size_t i = 0; i < n; i++) body(context, i, 0);
}
static const rill_scheduler serial = {serial_for, NULL, 1};

static inline rill_points sorted(void)
{
    rill_points points;
    assert_int_equal(rill_points_make(&points, records, NULL, count, D, &serial, NULL), RILL_OK);
    return points;
}

#endif

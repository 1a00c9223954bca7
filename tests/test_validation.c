/* Against experiments, small enough for every test run: the collapse of a 2 : 1
 * column against Martin and Moyce (1952) and Koshizuka and Oka (1996) with WCSPH
 * and DFSPH. Still water is in test_still.c. */
#include "apps/validate/bars.h"
#include "tests/scenes.h"

#include <stdio.h>
#include <string.h>

/* ---- a collapsing column ---- */

typedef struct points {
    const double (*at)[2];
    int count;
} points;

/* Table 2 of Martin and Moyce, Phil. Trans. R. Soc. A 244 (1952) 312, front of the
 * column with n^2 = 2, a = 2.25 in: T = t n sqrt(g/a), Z = x/a. */
static const double martin_moyce[][2] = {
    {0.41, 1.11}, {0.84, 1.22}, {1.19, 1.44}, {1.43, 1.67}, {1.63, 1.89}, {1.83, 2.11}, {1.98, 2.33}, {2.20, 2.56},
    {2.32, 2.78}, {2.51, 3.00}, {2.65, 3.22}, {2.83, 3.44}, {2.98, 3.67}, {3.11, 3.89}, {3.33, 4.11},
};

/* Their table 6, height of the column at the wall: here against T as well (theirs
 * is T/n), H = height / (n^2 a). */
static const double martin_moyce_height[][2] = {
    {0.79, 0.94}, {1.09, 0.89}, {1.32, 0.83}, {1.53, 0.78}, {1.81, 0.72}, {2.06, 0.67},
    {2.35, 0.61}, {2.60, 0.56}, {2.83, 0.50}, {3.13, 0.44},
};

/* Koshizuka and Oka, Nucl. Sci. Eng. 123 (1996) 421, front, made dimensionless alike. */
static const double koshizuka_oka[][2] = {
    {0.381, 1.111}, {0.769, 1.252}, {1.153, 1.505}, {1.537, 1.892}, {1.935, 2.241}, {2.323, 2.615}, {2.719, 3.003},
};
#define POINTS(table) ((points){table, sizeof table / sizeof *table})
enum { CURVE = 400 };

/* A slab of the column, periodic across, on a dry floor. */
static rill_scene column_scene(double a, int across, const char *solver)
{
    const double d = a / across, width = 6 * d;
    rill_scene scene = water_scene(d);
    strcpy(scene.solver.kind, solver);
    scene.periodic[1] = true;
    scene.domain_to.y = width;
    scene.fluids[0].viscosity_kind = RILL_VISCOSITY_ARTIFICIAL;
    scene.fluids[0].viscosity = 0.02;
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){a, width, 2 * a}, (rill_vec3){0, 0, 0});
    add_tank(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){6 * a, width, 3 * a});
    rill_probe probe = rill_probe_default();
    rill_scene_add_probe(&scene, &probe, NULL);
    strcpy(probe.kind, "height");
    probe.at = (rill_vec3){0, width / 2, 0};
    probe.radius = 2 * d;
    rill_scene_add_probe(&scene, &probe, NULL);
    return scene;
}

static double interpolate(const double curve[][2], int count, double T)
{
    for (int i = 1; i < count; i++) {
        if (curve[i][0] < T) continue;
        const double share = (T - curve[i - 1][0]) / (curve[i][0] - curve[i - 1][0]);
        return curve[i - 1][1] + share * (curve[i][1] - curve[i - 1][1]);
    }
    return curve[count - 1][1];
}

/* Largest difference for 1 <= T <= 3 with the best time shift of at most 0.2: the
 * gate of an experiment does not open at once. */
static double worst_of_best(const double curve[][2], int count, points measured)
{
    double best = INFINITY;
    for (double shift = -0.2; shift <= 0.2001; shift += 0.01) {
        double worst = 0;
        for (int i = 0; i < measured.count; i++) {
            const double T = measured.at[i][0];
            if (T < 1 || T > 3) continue;
            worst = fmax(worst, fabs(interpolate(curve, count, T + shift) - measured.at[i][1]));
        }
        best = fmin(best, worst);
    }
    return best;
}

static void meets_bar(const char *solver, const char *what, double value)
{
    const double bar = validate_bar_of("dam_break", solver, what);
    if (!(value <= bar)) fail_msg("%s: %s is off by %g, and %g is the bar", solver, what, value, bar);
}

static void collapse(const char *solver)
{
    const bool slow = too_slow_for("the column against experiments");
    const double a = 0.05715, unit = sqrt(2 * 9.81 / a);
    rill_scene scene = column_scene(a, slow ? 8 : 20, solver);
    rill_world *world = world_of(&scene, 2, 0);
    static double front[CURVE][2], height[CURVE][2];
    int count = 1;
    front[0][0] = height[0][0] = 0, front[0][1] = height[0][1] = 1;
    const double end = slow ? 1.0 : 3.25;
    while (front[count - 1][0] < end && count < CURVE) {
        const rill_report r = advance(world, 0.02 / unit);
        front[count][0] = height[count][0] = r.time * unit;
        front[count][1] = r.probe_values[0] / a;
        height[count++][1] = r.probe_values[1] / (2 * a);
    }
    if (slow) {
        assert_true(front[count - 1][1] > 1.2 && front[count - 1][1] < 1.7);
    } else {
        const double moyce = worst_of_best(front, count, POINTS(martin_moyce));
        const double oka = worst_of_best(front, count, POINTS(koshizuka_oka));
        const double column = worst_of_best(height, count, POINTS(martin_moyce_height));
        print_message("%s: front off by %.3f (Martin and Moyce), %.3f (Koshizuka and Oka), column by %.3f\n", solver,
                      moyce, oka, column);
        meets_bar(solver, "front (Martin and Moyce)", moyce);
        meets_bar(solver, "front (Koshizuka and Oka)", oka);
        meets_bar(solver, "height at the wall (Martin and Moyce)", column);
    }
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

static void wcsph_collapses_as_measured(void **state)
{
    (void)state;
    collapse("wcsph");
}

static void dfsph_collapses_as_measured(void **state)
{
    (void)state;
    collapse("dfsph");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wcsph_collapses_as_measured),
        cmocka_unit_test(dfsph_collapses_as_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

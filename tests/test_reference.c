/* The reference dam against another code: SPlisHSPlasH 2.16 on the same lattice
 * with the same tolerances. Its energies and front at a few times, in J and m; its
 * walls lie half a diameter further out. A second opinion, not the truth. */
#include "tests/scenes.h"

#include "rill/frames.h"
#include "rill/scene_text.h"

static const struct {
    double time, kinetic, potential, front;
} trace[] = {
    {0.051, 119.005, 7846.44, 1.01672},
    {0.101, 378.239, 7483.43, 1.09423},
    {0.207331, 1250.83, 6320.5, 1.38999},
    {0.401498, 2686.25, 4207.8, 2.15330},
};

static void follows_another_code(void **state)
{
    (void)state;
    rill_scene scene;
    rill_error err = {0};
    if (rill_scene_load("reference_dam", NULL, 0, &scene, &err)) fail_msg("%s", err.text);
    rill_world *world = world_of(&scene, 2, 0);
    assert_int_equal(rill_world_frame(world).count, 101306);
    assert_int_equal(rill_world_boundary_particles(world), 46266);
    assert_string_equal(rill_world_scene(world)->solver.kind, "dfsph");
    const double peak = 3774, length = 118 * 0.027;
    for (int k = 0; k < (slow_build() ? 1 : 4); k++) {
        const rill_report r = advance(world, trace[k].time - rill_world_time(world));
        const double front = r.probe_values[0] - 0.5 * 0.027;
        print_message("t = %.3f s: kinetic energy %.1f J (%.1f), front %.3f m (%.3f)\n", r.time, r.kinetic,
                      trace[k].kinetic, front, trace[k].front);
        assert_true(fabs(r.kinetic - trace[k].kinetic) < 0.05 * peak);
        assert_true(fabs(r.kinetic - trace[k].kinetic) < 0.03 * trace[k].kinetic);
        assert_true(fabs(r.potential - trace[k].potential) < 0.005 * trace[k].potential);
        assert_true(fabs(front - trace[k].front) < 0.03 * length);
        assert_int_equal(r.lost, 0);
    }
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(follows_another_code)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

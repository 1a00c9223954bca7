/* Which solver reads which key: a key that changes a run is named as read, one that does not is named as unused.
 * label: one thread */
#include "test_scene.h"

#include "rill/world.h"

static const char tank[] =
    "particle_diameter: 5 cm\n"
    "fill: [{box: {from: [0, 0, 0], to: [0.4, 0.4, 0.4]}}]\n"
    "boundaries: {tank: {box: {from: [0, 0, 0], to: [0.7, 0.4, 0.5]}}}\n";

static rill_scene scene_of(const char *solver, const char *base, const char *setting)
{
    char kind[64];
    snprintf(kind, sizeof kind, "solver.kind=%s", solver);
    const char *settings[] = {kind, base ? base : setting, setting};
    rill_scene scene;
    rill_error err = {0};
    const size_t count = !setting && !base ? 1 : !setting || !base ? 2 : 3;
    if (rill_scene_parse(tank, strlen(tank), "tank.yaml", settings, count, &scene, &err)) fail_msg("%s", err.text);
    return scene;
}

/* What the particles are after some steps of a collapsing column. */
static uint64_t end_of(const rill_scene *scene)
{
    rill_error err = {0};
    rill_world *world = rill_world_create(scene, &(rill_options){.threads = 1}, &err);
    if (!world) fail_msg("%s", err.text);
    for (int i = 0; i < 30; i++) {
        rill_report report;
        if (rill_step(world, NULL, &report, &err)) fail_msg("%s", err.text);
    }
    const uint64_t hash = rill_world_hash(world);
    rill_world_destroy(world);
    return hash;
}

static void test_solvers_read_their_keys(void **state)
{
    (void)state;
    static const struct {
        const char *key, *value, *base; /* base: a setting that it needs */
    } keys[] = {{"equation", "linear", NULL},
                {"gamma", "3", NULL},
                {"sound_speed", "77", NULL},
                {"negative_pressure", "true", NULL},
                {"density", "continuity", NULL},
                {"diffusion", "0.1", "solver.density=continuity"},
                {"density_error", "30%", NULL},
                {"divergence_error", "1e-6", NULL},
                {"iteration", "jacobi", NULL},
                {"iterations.min", "9", "solver.iterations.pbf=9"},
                {"iterations.max", "2", NULL},
                {"iterations.pbf", "9", NULL}};
    for (uint32_t n = 0; rill_solver_name(n); n++) {
        const char *solver = rill_solver_name(n);
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            char setting[80], name[40], unused[200];
            snprintf(name, sizeof name, "solver.%s", keys[k].key);
            snprintf(setting, sizeof setting, "%s=%s", name, keys[k].value);
            rill_scene plain = scene_of(solver, keys[k].base, NULL), changed = scene_of(solver, keys[k].base, setting);
            const bool read = end_of(&plain) != end_of(&changed);
            rill_scene_unused(&changed, unused, sizeof unused);
            if (read == (strstr(unused, name) != NULL))
                fail_msg("%s %s %s, but the keys named as unused are '%s'", solver, read ? "reads" : "does not read",
                         setting, unused);
            rill_scene_free(&plain);
            rill_scene_free(&changed);
        }
    }
}

static void unused_is(const char *text, const char *keys)
{
    char unused[200];
    rill_scene scene = good(text);
    rill_scene_unused(&scene, unused, sizeof unused);
    assert_string_equal(unused, keys);
    rill_scene_free(&scene);
}

static void test_unused_keys(void **state)
{
    (void)state;
    unused_is("name: plain\n", "");
    unused_is("solver: {kind: dfsph, equation: linear, iteration: jacobi}\n", "solver.equation");
    unused_is("solver: {kind: wcsph, equation: linear, iteration: jacobi}\n", "solver.iteration");
    /* A value that is the default is not worth a word. */
    unused_is("solver: {kind: dfsph, gamma: 7, equation: tait}\n", "");
    unused_is("fluids:\n  a: {tension: {kind: none, value: 1}}\n  b: {viscosity: {kind: laplacian, value: 1}}\n",
              "fluids.a.tension.value");
    unused_is("fluids: {a: {viscosity: {kind: none, value: 1}}, b: {viscosity: {kind: none}}}\n",
              "fluids.a.viscosity.value");
    /* Artificial viscosity needs the speed of sound, whatever the solver. */
    unused_is("solver: {kind: dfsph, sound_speed: 50}\n", "solver.sound_speed");
    unused_is("solver: {kind: dfsph, sound_speed: 50}\nfluids: {a: {viscosity: {kind: artificial, value: 1}}}\n", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solvers_read_their_keys),
        cmocka_unit_test(test_unused_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Scene text: reading, refusing, settings, writing, the reference, the
 * built-in scenes. label: small */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rill/files.h"
#include "scene/chars.h"
#include "scene/unit.h"

static const char *const built_in[] = {"ball_drop",     "dam_break",  "double_dam_break", "falling_drop",
                                       "reference_dam", "still_tank", "tiny"};
enum { BUILT_IN = sizeof built_in / sizeof *built_in };

/* ---- helpers ---- */

static rill_status parse(const char *text, rill_scene *scene, rill_error *err)
{
    memset(err, 0, sizeof *err);
    return rill_scene_parse(text, strlen(text), "a.yaml", NULL, 0, scene, err);
}

static rill_status parse_with(const char *text, const char *setting, rill_scene *scene, rill_error *err)
{
    memset(err, 0, sizeof *err);
    return rill_scene_parse(text, strlen(text), "a.yaml", &setting, 1, scene, err);
}

/* A scene that must read; the caller frees it. */
static rill_scene good(const char *text)
{
    rill_scene scene;
    rill_error err;
    if (parse(text, &scene, &err)) fail_msg("refused: %s", err.text);
    return scene;
}

static rill_scene good_with(const char *text, const char *setting)
{
    rill_scene scene;
    rill_error err;
    if (parse_with(text, setting, &scene, &err)) fail_msg("refused: %s", err.text);
    return scene;
}

/* The text must be refused with exactly this sentence. */
static void refused(const char *text, const char *sentence)
{
    rill_scene scene;
    rill_error err;
    const rill_status status = parse(text, &scene, &err);
    if (status == RILL_OK) fail_msg("accepted, but expected: %s", sentence);
    assert_string_equal(err.text, sentence);
    assert_int_equal(status, RILL_BAD_INPUT);
    assert_int_equal(err.status, RILL_BAD_INPUT);
    assert_null(scene.fluids);
    assert_int_equal(scene.fill_count, 0);
}

static void refused_with(const char *text, const char *setting, const char *sentence)
{
    rill_scene scene;
    rill_error err;
    const rill_status status = parse_with(text, setting, &scene, &err);
    if (status == RILL_OK) fail_msg("accepted %s, but expected: %s", setting, sentence);
    assert_string_equal(err.text, sentence);
    assert_int_equal(status, RILL_BAD_INPUT);
}

static void assert_number(double a, double b)
{
    if (memcmp(&a, &b, sizeof a)) fail_msg("%.17g is not %.17g", a, b);
}

static void assert_vector(rill_vec3 a, double x, double y, double z)
{
    assert_number(a.x, x);
    assert_number(a.y, y);
    assert_number(a.z, z);
}

static void assert_same_vector(rill_vec3 a, rill_vec3 b)
{
    assert_vector(a, b.x, b.y, b.z);
}

static void assert_same_shape(const rill_shape *a, const rill_shape *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_same_vector(a->from, b->from);
    assert_same_vector(a->to, b->to);
    assert_same_vector(a->center, b->center);
    assert_number(a->radius, b->radius);
}

static void assert_same_basics(const rill_scene *a, const rill_scene *b)
{
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->about, b->about);
    assert_number(a->particle_diameter, b->particle_diameter);
    assert_number(a->support, b->support);
    assert_int_equal(a->kernel, b->kernel);
    assert_same_vector(a->gravity, b->gravity);
    assert_same_vector(a->origin, b->origin);
    for (int i = 0; i < 3; i++) assert_int_equal(a->periodic[i], b->periodic[i]);
    assert_same_vector(a->domain_from, b->domain_from);
    assert_same_vector(a->domain_to, b->domain_to);
    assert_number(a->shifting, b->shifting);
    assert_true(a->seed == b->seed);
    assert_number(a->speed_limit, b->speed_limit);
    assert_int_equal(a->on_trouble, b->on_trouble);
    assert_number(a->time.end, b->time.end);
    assert_number(a->time.frames_per_second, b->time.frames_per_second);
    assert_number(a->time.step_max, b->time.step_max);
    assert_number(a->time.step_min, b->time.step_min);
    assert_number(a->time.step_first, b->time.step_first);
    assert_number(a->time.cfl, b->time.cfl);
    assert_string_equal(a->solver.kind, b->solver.kind);
    assert_int_equal(a->solver.eos, b->solver.eos);
    assert_number(a->solver.gamma, b->solver.gamma);
    assert_number(a->solver.sound_speed, b->solver.sound_speed);
    assert_int_equal(a->solver.negative_pressure, b->solver.negative_pressure);
    assert_int_equal(a->solver.density, b->solver.density);
    assert_number(a->solver.diffusion, b->solver.diffusion);
    assert_int_equal(a->output.frames, b->output.frames);
    assert_int_equal(a->output.density, b->output.density);
    assert_int_equal(a->output.pressure, b->output.pressure);
}

static void assert_same_boundary(const rill_boundary *a, const rill_boundary *b)
{
    assert_string_equal(a->name, b->name);
    assert_same_shape(&a->shape, &b->shape);
    assert_int_equal(a->solid, b->solid);
    assert_int_equal(a->open, b->open);
    assert_int_equal(a->snap, b->snap);
    assert_number(a->slip, b->slip);
    assert_number(a->volume_factor, b->volume_factor);
    assert_same_vector(a->motion.velocity, b->motion.velocity);
    assert_same_vector(a->motion.amplitude, b->motion.amplitude);
    assert_number(a->motion.period, b->motion.period);
    assert_number(a->motion.start, b->motion.start);
    assert_number(a->motion.stop, b->motion.stop);
    assert_int_equal(a->motion.sides, b->motion.sides);
}

static void assert_same_probe(const rill_probe *a, const rill_probe *b)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->axis, b->axis);
    assert_same_vector(a->at, b->at);
    assert_int_equal(a->of, b->of);
    assert_number(a->radius, b->radius);
    assert_int_equal(a->min_neighbours, b->min_neighbours);
}

static void assert_same_scene(const rill_scene *a, const rill_scene *b)
{
    assert_same_basics(a, b);
    assert_int_equal(a->fluid_count, b->fluid_count);
    for (uint32_t i = 0; i < a->fluid_count; i++) {
        assert_string_equal(a->fluids[i].name, b->fluids[i].name);
        assert_number(a->fluids[i].density, b->fluids[i].density);
        assert_int_equal(a->fluids[i].viscosity_kind, b->fluids[i].viscosity_kind);
        assert_number(a->fluids[i].viscosity, b->fluids[i].viscosity);
        assert_number(a->fluids[i].mass_factor, b->fluids[i].mass_factor);
        assert_int_equal(a->fluids[i].colour, b->fluids[i].colour);
    }
    assert_int_equal(a->fill_count, b->fill_count);
    for (uint32_t i = 0; i < a->fill_count; i++) {
        assert_int_equal(a->fills[i].fluid, b->fills[i].fluid);
        assert_same_shape(&a->fills[i].shape, &b->fills[i].shape);
        assert_same_vector(a->fills[i].velocity, b->fills[i].velocity);
    }
    assert_int_equal(a->boundary_count, b->boundary_count);
    for (uint32_t i = 0; i < a->boundary_count; i++) assert_same_boundary(&a->boundaries[i], &b->boundaries[i]);
    assert_int_equal(a->probe_count, b->probe_count);
    for (uint32_t i = 0; i < a->probe_count; i++) assert_same_probe(&a->probes[i], &b->probes[i]);
}

/* The scene as text; free() it. */
static char *written(const rill_scene *scene)
{
    char *text = NULL;
    size_t size = 0;
    rill_error err = {0};
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    const rill_status status = rill_scene_write(scene, out, &err);
    fclose(out);
    if (status) fail_msg("not written: %s", err.text);
    return text;
}

static void assert_round_trip(const rill_scene *scene)
{
    char *text = written(scene);
    rill_scene again;
    rill_error err;
    if (parse(text, &again, &err)) fail_msg("written, but refused: %s in\n%s", err.text, text);
    assert_same_scene(scene, &again);
    char *text_again = written(&again);
    assert_string_equal(text, text_again);
    rill_scene_free(&again);
    free(text_again);
    free(text);
}

/* ---- units ---- */

static void assert_unit(const char *text, rill_dimension dimension, double expected)
{
    double value = 0;
    char why[320] = "";
    if (!rill_unit_read(text, dimension, 0.5, &value, why, sizeof why)) fail_msg("'%s' %s", text, why);
    assert_number(value, expected);
}

static void assert_no_unit(const char *text, rill_dimension dimension, const char *expected)
{
    double value = 0;
    char why[320] = "";
    if (rill_unit_read(text, dimension, 0.5, &value, why, sizeof why)) fail_msg("accepted '%s'", text);
    assert_string_equal(why, expected);
}

static void test_units(void **state)
{
    (void)state;
    assert_unit("27 mm", RILL_LENGTH, 0.027);
    assert_unit("27mm", RILL_LENGTH, 0.027);
    assert_unit("0.027", RILL_LENGTH, 0.027);
    assert_unit("+1.5e1 cm", RILL_LENGTH, 0.15);
    assert_unit(".5 km", RILL_LENGTH, 500);
    assert_unit("5. um", RILL_LENGTH, 5e-6);
    assert_unit("5 \u00b5m", RILL_LENGTH, 5e-6);
    assert_unit("3 d", RILL_LENGTH, 1.5);
    assert_unit("5 ms", RILL_TIME, 0.005);
    assert_unit("2 min", RILL_TIME, 120);
    assert_unit("1.5 h", RILL_TIME, 5400);
    assert_unit("998 kg/m3", RILL_MASS_DENSITY, 998);
    assert_unit("1 g/cm3", RILL_MASS_DENSITY, 1000);
    assert_unit("998 kg/m\u00b3", RILL_MASS_DENSITY, 998);
    assert_unit("-9.81 m/s2", RILL_ACCELERATION, -9.81);
    assert_unit("9.81 m/s^2", RILL_ACCELERATION, 9.81);
    assert_unit("9.81 m/s/s", RILL_ACCELERATION, 9.81);
    assert_unit("36 km/h", RILL_SPEED, 10);
    assert_unit("1e-6 m2/s", RILL_KINEMATIC_VISCOSITY, 1e-6);
    assert_unit("1 cSt", RILL_KINEMATIC_VISCOSITY, 1e-6);
    assert_unit("30 Hz", RILL_RATE, 30);
    assert_unit("30 1/s", RILL_RATE, 30);
    assert_unit("0.01 %", RILL_PLAIN, 0.0001);
    assert_unit("50%", RILL_PLAIN, 0.5);
    assert_unit("7 m2/s", RILL_ANY_DIMENSION, 7);
    assert_no_unit("5 ms", RILL_LENGTH, "wants a length, but '5 ms' is a time");
    assert_no_unit("5 mm", RILL_TIME, "wants a time, but '5 mm' is a length");
    assert_no_unit("5 m", RILL_PLAIN, "wants a plain number, but '5 m' is a length");
    assert_no_unit("5 deg", RILL_LENGTH, "wants a length, but '5 deg' is an angle");
    assert_no_unit("5 kg*m", RILL_LENGTH, "wants a length, but '5 kg*m' is of another kind");
    assert_no_unit("5 %", RILL_LENGTH, "wants a length, but '5 %' is a plain number");
    assert_no_unit("5 Pa*s", RILL_KINEMATIC_VISCOSITY,
                   "wants a kinematic viscosity, but '5 Pa*s' is a dynamic viscosity");
    assert_no_unit("5 mmm", RILL_LENGTH, "wants a length, such as 27 mm, but 'mmm' in '5 mmm' is not a known unit");
    assert_no_unit("5 m/", RILL_LENGTH, "wants a length, such as 27 mm, but 'm/' in '5 m/' is not a known unit");
    assert_no_unit("5 m22", RILL_LENGTH, "wants a length, such as 27 mm, but 'm22' in '5 m22' is not a known unit");
    assert_no_unit("1 2", RILL_LENGTH, "wants a length, such as 27 mm, but '2' in '1 2' is not a known unit");
    assert_no_unit("0x10", RILL_LENGTH, "wants a length, such as 27 mm, but 'x10' in '0x10' is not a known unit");
    assert_no_unit("1,5", RILL_LENGTH, "wants a length, such as 27 mm, but ',5' in '1,5' is not a known unit");
    assert_no_unit("", RILL_LENGTH, "is empty, but wants a length, such as 27 mm");
    assert_no_unit("mm", RILL_LENGTH, "wants a length, but 'mm' is not a number");
    assert_no_unit(".", RILL_PLAIN, "wants a plain number, but '.' is not a number");
    assert_no_unit("nan", RILL_LENGTH, "wants a finite number, but is 'nan'");
    assert_no_unit("-.INF", RILL_LENGTH, "wants a finite number, but is '-.INF'");
    assert_no_unit("1e999", RILL_LENGTH, "wants a finite number, but '1e999' is too large");
    assert_no_unit("1e308 km", RILL_LENGTH, "wants a finite number, but '1e308 km' is too large");
}

/* Every decimal prefix gives the double nearest to the decimal number. */
static void test_units_round_once(void **state)
{
    (void)state;
    for (int i = 1; i < 2000; i++) {
        char text[32], plain[32];
        snprintf(text, sizeof text, "%d mm", i);
        snprintf(plain, sizeof plain, "%d.%03d", i / 1000, i % 1000);
        assert_unit(text, RILL_LENGTH, strtod(plain, NULL));
        snprintf(text, sizeof text, "%d %%", i);
        snprintf(plain, sizeof plain, "%d.%02d", i / 100, i % 100);
        assert_unit(text, RILL_PLAIN, strtod(plain, NULL));
    }
}

/* ---- reading ---- */

static const char full_scene[] = "probes:\n"
                                 "  front: {kind: front, axis: y, min_neighbours: 3}\n"
                                 "  p: {kind: point, at: [1, 2, 3 cm], of: velocity}\n"
                                 "  h: {kind: height, at: [1, 2, 0], radius: 2 d}\n"
                                 "  k: {kind: kinetic}\n"
                                 "  e: {kind: potential}\n"
                                 "  v: {kind: volume}\n"
                                 "fill:\n"
                                 "  - {fluid: oil, box: {from: [0, 0, 0], to: [1, 1, 1.5]}, velocity: [1, 0, -2 cm/s]}\n"
                                 "  - {sphere: {center: [2, 0.5, 1], radius: 4 d}, fluid: water}\n"
                                 "  - box: {size: [1, 2, 3], from: [1 d, 2 d, 3 d]}\n"
                                 "fluids:\n"
                                 "  water: {density: 998 kg/m3, viscosity: {value: 10 %, kind: xsph}, colour: \"#010203\"}\n"
                                 "  oil: {density: 0.9 g/cm3, viscosity: {kind: xsph, value: 0.5}, colour: 'FFfe00'}\n"
                                 "boundaries:\n"
                                 "  tank:\n"
                                 "    box: {from: [0, 0, 0], to: [3, 1, 2]}\n"
                                 "    open: [+z, -x]\n"
                                 "    snap: true\n"
                                 "    slip: 0.25\n"
                                 "    volume_factor: 1\n"
                                 "    motion: {velocity: [1, 2, 3], amplitude: [1 cm, 0, 0], period: 2 s, start: 1 s,\n"
                                 "             stop: 5 s, sides: [-x]}\n"
                                 "  block: {box: {from: [1, 0, 0], to: [1.5, 1, 0.5]}, solid: true}\n"
                                 "  ball: {sphere: {center: [2, 0.5, 0.2], radius: 10 cm}}\n"
                                 "  bubble: {sphere: {center: [2, 0.5, 0.2], radius: 5}, solid: false}\n"
                                 "output: {frames: false, fields: [velocity, pressure]}\n"
                                 "solver: {kind: wcsph, equation: linear, sound_speed: 30 m/s,\n"
                                 "         negative_pressure: true, density: continuity, diffusion: 0.1}\n"
                                 "time: {end: 3 s, frames_per_second: 25, step: {max: 4 ms, min: 1 us, first: 1 ms, cfl: 0.3}}\n"
                                 "trouble: {speed: 200 m/s, then: continue}\n"
                                 "seed: 18446744073709551615\n"
                                 "shifting: 0.5\n"
                                 "domain: {from: [0, 0, -1], to: [4, 4, 8], periodic: [z, x]}\n"
                                 "origin: [5394932.125, 1 km, 0]\n"
                                 "gravity: [0, 0, -1.62 m/s2]\n"
                                 "kernel: mueller\n"
                                 "support: 2.5\n"
                                 "particle_diameter: 5 cm\n"
                                 "about: \"Everything: at once.\"\n"
                                 "name: full\n";

static void check_full_basics(const rill_scene *s)
{
    assert_string_equal(s->name, "full");
    assert_string_equal(s->about, "Everything: at once.");
    assert_number(s->particle_diameter, 0.05);
    assert_number(s->support, 2.5);
    assert_int_equal(s->kernel, RILL_KERNEL_MUELLER);
    assert_vector(s->gravity, 0, 0, -1.62);
    assert_vector(s->origin, 5394932.125, 1000, 0);
    assert_true(s->periodic[0] && !s->periodic[1] && s->periodic[2]);
    assert_vector(s->domain_from, 0, 0, -1);
    assert_vector(s->domain_to, 4, 4, 8);
    assert_number(s->shifting, 0.5);
    assert_true(s->seed == UINT64_MAX);
    assert_number(s->speed_limit, 200);
    assert_int_equal(s->on_trouble, RILL_TROUBLE_CONTINUE);
    assert_number(s->time.end, 3);
    assert_number(s->time.frames_per_second, 25);
    assert_number(s->time.step_max, 0.004);
    assert_number(s->time.step_min, 1e-6);
    assert_number(s->time.step_first, 1e-3);
    assert_number(s->time.cfl, 0.3);
    assert_string_equal(s->solver.kind, "wcsph");
    assert_int_equal(s->solver.eos, RILL_EOS_LINEAR);
    assert_number(s->solver.sound_speed, 30);
    assert_true(s->solver.negative_pressure);
    assert_int_equal(s->solver.density, RILL_DENSITY_CONTINUITY);
    assert_number(s->solver.diffusion, 0.1);
    assert_true(!s->output.frames && !s->output.density && s->output.pressure);
}

static void check_full_fluids(const rill_scene *s)
{
    assert_int_equal(s->fluid_count, 2);
    assert_string_equal(s->fluids[0].name, "water");
    assert_number(s->fluids[0].density, 998);
    assert_int_equal(s->fluids[0].viscosity_kind, RILL_VISCOSITY_XSPH);
    assert_number(s->fluids[0].viscosity, 0.1);
    assert_int_equal(s->fluids[0].colour, 0x010203);
    assert_string_equal(s->fluids[1].name, "oil");
    assert_number(s->fluids[1].density, 900);
    assert_int_equal(s->fluids[1].colour, 0xfffe00);
    assert_int_equal(s->fill_count, 3);
    assert_int_equal(s->fills[0].fluid, 1);
    assert_vector(s->fills[0].shape.to, 1, 1, 1.5);
    assert_vector(s->fills[0].velocity, 1, 0, -0.02);
    assert_int_equal(s->fills[1].shape.kind, RILL_SHAPE_SPHERE);
    assert_int_equal(s->fills[1].fluid, 0);
    assert_vector(s->fills[1].shape.center, 2, 0.5, 1);
    assert_number(s->fills[1].shape.radius, 0.2);
    assert_vector(s->fills[2].shape.from, 0.05, 0.1, 3 * 0.05);
    assert_vector(s->fills[2].shape.to, 1.05, 2.1, 3 + 3 * 0.05);
}

static void check_full_boundaries(const rill_scene *s)
{
    assert_int_equal(s->boundary_count, 4);
    const rill_boundary *tank = &s->boundaries[0];
    assert_string_equal(tank->name, "tank");
    assert_int_equal(tank->open, RILL_SIDE_HIGH_Z | RILL_SIDE_LOW_X);
    assert_true(tank->snap && !tank->solid);
    assert_number(tank->slip, 0.25);
    assert_number(tank->volume_factor, 1);
    assert_vector(tank->motion.velocity, 1, 2, 3);
    assert_vector(tank->motion.amplitude, 0.01, 0, 0);
    assert_number(tank->motion.period, 2);
    assert_number(tank->motion.start, 1);
    assert_number(tank->motion.stop, 5);
    assert_int_equal(tank->motion.sides, RILL_SIDE_LOW_X);
    assert_true(s->boundaries[1].solid);
    assert_int_equal(s->boundaries[1].motion.sides, RILL_SIDE_ALL);
    assert_int_equal(s->boundaries[2].shape.kind, RILL_SHAPE_SPHERE);
    assert_true(s->boundaries[2].solid);
    assert_number(s->boundaries[2].shape.radius, 0.1);
    assert_false(s->boundaries[3].solid);
}

static void check_full_probes(const rill_scene *s)
{
    assert_int_equal(s->probe_count, 6);
    assert_int_equal(s->probes[0].kind, RILL_PROBE_FRONT);
    assert_int_equal(s->probes[0].axis, 1);
    assert_int_equal(s->probes[0].min_neighbours, 3);
    assert_int_equal(s->probes[1].of, RILL_VELOCITY);
    assert_vector(s->probes[1].at, 1, 2, 0.03);
    assert_number(s->probes[2].radius, 0.1);
    assert_int_equal(s->probes[3].kind, RILL_PROBE_KINETIC);
    assert_int_equal(s->probes[4].kind, RILL_PROBE_POTENTIAL);
    assert_int_equal(s->probes[5].kind, RILL_PROBE_VOLUME);
}

/* Keys in the reverse of their natural order: nothing depends on it. */
static void test_full_scene(void **state)
{
    (void)state;
    rill_scene s = good(full_scene);
    check_full_basics(&s);
    check_full_fluids(&s);
    check_full_boundaries(&s);
    check_full_probes(&s);
    assert_round_trip(&s);
    rill_scene_free(&s);
}

static void test_defaults(void **state)
{
    (void)state;
    rill_scene s = good("fill: [{box: {from: [0, 0, 0], to: [1, 1, 1]}}]\n");
    rill_scene expected = rill_scene_default();
    const rill_fluid water = rill_fluid_default();
    strcpy(expected.name, "a"); /* from a.yaml */
    assert_same_basics(&s, &expected);
    assert_int_equal(s.fluid_count, 1);
    assert_string_equal(s.fluids[0].name, "water");
    assert_number(s.fluids[0].density, water.density);
    assert_int_equal(s.fills[0].fluid, 0);
    assert_round_trip(&s);
    rill_scene_free(&s);
}

static void test_small_things_that_read(void **state)
{
    (void)state;
    rill_scene s = good("\xef\xbb\xbf---\nname: \"yes\" # a comment\nabout: \"\"\noutput: {fields: []}\n...\n");
    assert_string_equal(s.name, "yes");
    assert_string_equal(s.about, "");
    assert_false(s.output.density || s.output.pressure);
    assert_round_trip(&s);
    rill_scene_free(&s);

    s = good("fluids: {w: {viscosity: {kind: none}}}\nfill: []\nprobes: {}\nboundaries: {}\n");
    assert_int_equal(s.fluids[0].viscosity_kind, RILL_VISCOSITY_NONE);
    assert_number(s.fluids[0].viscosity, 0);
    assert_round_trip(&s);
    rill_scene_free(&s);

    s = good("about: >\n  Several\n  lines.\nfluids: {w: {viscosity: {kind: artificial, value: 2}}}\n");
    assert_string_equal(s.about, "Several lines.\n");
    assert_round_trip(&s);
    rill_scene_free(&s);

    s = good("fluids: {w: {viscosity: {kind: none, value: 1 m2/s}}}\n");
    assert_number(s.fluids[0].viscosity, 1);
    assert_round_trip(&s);
    rill_scene_free(&s);
}

/* ---- refusing ---- */

static void test_refuses_values(void **state)
{
    (void)state;
    refused("particle_diameter: 5 ms\n", "a.yaml:1:20: particle_diameter wants a length, but '5 ms' is a time.");
    refused("particle_diameter: 5 mm x\n", "a.yaml:1:20: particle_diameter wants a length, such as 27 mm, but 'mm x' in "
                                           "'5 mm x' is not a known unit.");
    refused("particle_diameter: -5 mm\n", "a.yaml:1:20: particle_diameter must be above 0 m, but is '-5 mm'.");
    refused("particle_diameter: 0\n", "a.yaml:1:20: particle_diameter must be above 0 m, but is '0'.");
    refused("particle_diameter: 1 d\n",
            "a.yaml:1:20: particle_diameter cannot be given in particle diameters, as in '1 d'.");
    refused("particle_diameter: .nan\n", "a.yaml:1:20: particle_diameter wants a finite number, but is '.nan'.");
    refused("time:\n  end: inf\n", "a.yaml:2:8: time.end wants a finite number, but is 'inf'.");
    refused("time: {end: }\n", "a.yaml:1:8: time.end is empty, but wants a time.");
    refused("time: {end: ''}\n", "a.yaml:1:13: time.end is empty, but wants a time, such as 5 ms.");
    refused("time: {end: ~}\n", "a.yaml:1:8: time.end is empty, but wants a time.");
    refused("time: {end: -1}\n", "a.yaml:1:13: time.end must lie between 0 and 1e+12 s, but is '-1'.");
    refused("time: {end: [1]}\n", "a.yaml:1:13: time.end wants a time, but is a list.");
    refused("time: {end: {a: 1}}\n", "a.yaml:1:13: time.end wants a time, but is a map.");
    refused("time: 5\n", "a.yaml:1:7: time wants a map of keys and values, but is a single value.");
    refused("time:\n", "a.yaml:1:1: time is empty, but wants a map of keys and values.");
    refused("support: 9\n", "a.yaml:1:10: support must lie between 1.2 and 6, but is '9'.");
    refused("gravity: [0, 0]\n", "a.yaml:1:10: gravity wants a list of three numbers, but has 2.");
    refused("gravity: [0, 0, 0, 0]\n", "a.yaml:1:10: gravity wants a list of three numbers, but has 4.");
    refused("gravity: [0, 0, m]\n", "a.yaml:1:17: gravity.z wants an acceleration, but 'm' is not a number.");
    refused("gravity: [0, [1], 0]\n", "a.yaml:1:14: gravity.y wants an acceleration, but is a list.");
    refused("gravity: 9.81\n",
            "a.yaml:1:10: gravity wants a list of three numbers, such as [0, 0, 1], but is a single value.");
    refused("seed: -1\n", "a.yaml:1:7: seed wants a whole number, but is '-1'.");
    refused("seed: 1.5\n", "a.yaml:1:7: seed wants a whole number, but is '1.5'.");
    refused("seed: 18446744073709551616\n", "a.yaml:1:7: seed wants a smaller number.");
    refused("output: {frames: yes}\n", "a.yaml:1:18: output.frames wants true or false, but is 'yes'.");
    refused("kernel: quintic\n", "a.yaml:1:9: kernel wants one of cubic, mueller, but is 'quintic'.");
    refused("domain: {periodic: [x, w]}\n", "a.yaml:1:24: domain.periodic wants one of x, y, z, but is 'w'.");
    refused("domain: {periodic: x}\n",
            "a.yaml:1:20: domain.periodic wants a list of words from x, y, z, but is a single value.");
    refused("solver: {kind: magic}\n", "a.yaml:1:16: solver.kind wants one of the solvers wcsph, but is 'magic'.");
    refused("name: a/b\n", "a.yaml:1:7: the name 'a/b' holds one of / \\ , ; \".");
    refused("name: ''\n", "a.yaml:1:7: the name '' is empty.");
}

static void test_refuses_things(void **state)
{
    (void)state;
    refused("fill: {a: 1}\n", "a.yaml:1:7: fill wants a list of fills, but is a map.");
    refused("fill: [{}]\n", "a.yaml:1:8: fill.0 needs 'box' or 'sphere'.");
    refused("fill: [5]\n", "a.yaml:1:8: fill.0 wants a map of keys and values, but is a single value.");
    refused("fill: [{box: {from: [0, 0, 0]}}]\n", "a.yaml:1:9: fill.0.box needs 'to' or 'size'.");
    refused("fill: [{box: {from: [0, 0, 0], to: [1, 1, 1], size: [1, 1, 1]}}]\n",
            "a.yaml:1:32: fill.0.box has both 'to' and 'size'; keep one.");
    refused("fill: [{box: {from: [0, 0, 0], size: [1, 1, 0]}}]\n",
            "a.yaml:1:45: fill.0.box.size.z must be above 0 m, but is '0'.");
    refused("fill:\n  - {box: {from: [0, 0, 0], to: [1, 1, 1]}, sphere: {center: [0, 0, 0], radius: 1}}\n",
            "a.yaml:2:6: fill.0 has both 'box' and 'sphere'; keep one.");
    refused("fill: [{fluid: oil, box: {from: [0, 0, 0], to: [1, 1, 1]}}]\nfluids: {water: {}, honey: {}}\n",
            "a.yaml:1:16: fill.0.fluid names 'oil', but there is no such fluid; there are water, honey.");
    refused("fluids: [1]\n", "a.yaml:1:9: fluids wants a map of named fluids, but is a list.");
    refused("fluids: {}\n", "a.yaml: The scene has no fluid.");
    refused("fluids: {'a,b': {}}\n", "a.yaml:1:10: the name 'a,b' of a fluid holds one of / \\ , ; \".");
    refused("fluids: {w: }\n", "a.yaml:1:10: fluids.w is empty, but wants a map of keys and values.");
    refused("fluids: {w: {colour: blue}}\n",
            "a.yaml:1:22: fluids.w.colour wants a colour in quotes, such as \"#3a7bd5\", but is 'blue'.");
    refused("fluids:\n  w:\n    colour: #3a7bd5\n",
            "a.yaml:3:5: fluids.w.colour is empty, but wants a colour in quotes, such as \"#3a7bd5\".");
    refused("fluids: {w: {viscosity: {kind: xsph}}}\n",
            "a.yaml:1:14: fluids.w.viscosity needs 'value' with kind 'xsph': a plain number, such as 0.5.");
    refused("fluids: {w: {viscosity: {kind: xsph, value: 1 m2/s}}}\n",
            "a.yaml:1:45: fluids.w.viscosity.value wants a plain number, but '1 m2/s' is a kinematic viscosity.");
    refused("fluids: {w: {viscosity: {kind: xsph, value: 2}}}\n",
            "a.yaml:1:45: fluids.w.viscosity.value must lie between 0 and 1, but is '2'.");
    refused("fluids: {w: {viscosity: {kind: laplacian, value: 1 Pa*s}}}\n",
            "a.yaml:1:50: fluids.w.viscosity.value wants a kinematic viscosity, but '1 Pa*s' is a dynamic viscosity.");
    refused("boundaries: {b: {sphere: {center: [0, 0, 0], radius: 1}, open: [+z]}}\n",
            "a.yaml:1:58: boundaries.b.open has no meaning with shape 'sphere'; leave it out.");
    refused("boundaries: {b: {box: {from: [0, 0, 0], to: [1, 1, 1]}, open: [up]}}\n",
            "a.yaml:1:64: boundaries.b.open wants one of -x, +x, -y, +y, -z, +z, but is 'up'.");
    refused("probes: {p: {kind: point}}\n", "a.yaml:1:10: probes.p needs 'at'.");
    refused("probes: {p: {}}\n", "a.yaml:1:10: probes.p needs 'kind'.");
    refused("probes: {p: {kind: volume, axis: x}}\n",
            "a.yaml:1:28: probes.p.axis has no meaning with kind 'volume'; leave it out.");
    refused("probes: {p: {kind: front, min_neighbours: 9999999}}\n",
            "a.yaml:1:43: probes.p.min_neighbours must lie between 0 and 1e+06, but is '9999999'.");
    refused("solver: {equation: linear, gamma: 7}\n",
            "a.yaml:1:28: solver.gamma has no meaning with equation 'linear'; leave it out.");
    /* What only the engine's own check sees is told with the file's name. */
    refused("time: {step: {max: 1 ms, min: 2 ms}}\n",
            "a.yaml: The time step needs 0 < min <= max, but min is 0.002 s and max is 0.001 s.");
}

static void test_refuses_unknown_keys(void **state)
{
    (void)state;
    refused("name: a\nparticel_diameter: 1\n",
            "a.yaml:2:1: unknown key 'particel_diameter'; did you mean 'particle_diameter'?");
    refused("time:\n  step: {maxx: 1}\n", "a.yaml:2:10: unknown key 'maxx' in time.step; did you mean 'max'?");
    refused("fluids: {w: {color: '#000000'}}\n",
            "a.yaml:1:14: unknown key 'color' in fluids.w; did you mean 'colour'?");
    refused("cfl: 0.4\n", "a.yaml:1:1: unknown key 'cfl'; did you mean 'time.step.cfl'?");
    refused("mass_factor: 1\n", "a.yaml:1:1: unknown key 'mass_factor'; did you mean 'fluids.NAME.mass_factor'?");
    refused("time: {zzzzzz: 1}\n",
            "a.yaml:1:8: unknown key 'zzzzzz' in time; the keys here are end, frames_per_second, step.");
    refused("<<: {a: 1}\n",
            "a.yaml:1:1: unknown key '<<'; the keys here are name, about, particle_diameter, support, kernel, gravity, "
            "origin, shifting, seed, domain, time, solver, trouble, output, fluids, fill, boundaries, probes.");
    /* Deep items are named by their path. */
    refused("fill:\n  - box: {from: [0, 0, 0], to: [1, 1, 1]}\n  - bix: {from: [0, 0, 0]}\n",
            "a.yaml:3:5: unknown key 'bix' in fill.1; did you mean 'box'?");
}

static void test_refuses_yaml(void **state)
{
    (void)state;
    refused("", "a.yaml: the scene is empty.");
    refused("# nothing\n", "a.yaml: the scene is empty.");
    refused("- 1\n", "a.yaml:1:1: a scene is a map of keys and values.");
    refused("text\n", "a.yaml:1:1: a scene is a map of keys and values.");
    refused("name: a\nname: b\n", "a.yaml:2:1: the key 'name' was already given at line 1; keep one.");
    refused("time: {end: 1, step: {max: 1}, end: 2}\n",
            "a.yaml:1:32: the key 'end' was already given at line 1; keep one.");
    refused("name: a\n---\nname: b\n", "a.yaml:2:1: a scene is one YAML document, but here a second one begins.");
    refused("name: &x a\n", "a.yaml:1:7: a scene cannot use YAML anchors and aliases; write the values out.");
    refused("about: *x\n", "a.yaml:1:8: a scene cannot use YAML anchors and aliases; write the values out.");
    refused("*x : 1\n", "a.yaml:1:1: a scene cannot use YAML anchors and aliases; write the values out.");
    refused("seed: !!int 5\n", "a.yaml:1:7: a scene cannot use YAML tags; write the plain value.");
    refused("[a]: 1\n", "a.yaml:1:1: a key must be a word, not a list or a map.");
    refused("name: \"a\\0b\"\n", "a.yaml:1:7: this text holds a zero byte.");
    refused("time: {end: 1\nname: a\n", "a.yaml:2:5: this is not valid YAML: did not find expected ',' or '}' while "
                                        "parsing a flow mapping.");
    refused("name: a\n\tabout: b\n", "a.yaml:2:1: this is not valid YAML: found a tab character that violates indentation "
                                     "while scanning a plain scalar.");
    refused("name: a\nabout: \xff\xfe\n", "a.yaml:2:8: this is not valid YAML: invalid leading UTF-8 octet.");
    refused("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]\n",
            "a.yaml:1:18: the scene is nested too deeply.");
}

static void test_refuses_long_text(void **state)
{
    (void)state;
    char text[1200];
    snprintf(text, sizeof text, "about: %0300d\n", 7);
    refused(text, "a.yaml:1:8: about is 300 bytes long, but has room for 239.");
    snprintf(text, sizeof text, "name: %064d\n", 7);
    refused(text, "a.yaml:1:7: the name '000000000000000000000000000000000000000000000000000000000000...' is longer than 63 "
                  "bytes.");
    /* However long the text, the sentence ends. */
    snprintf(text, sizeof text, "seed: %01000d\n", 7);
    rill_scene scene;
    rill_error err;
    assert_int_equal(parse(text, &scene, &err), RILL_OK);
    rill_scene_free(&scene);
    snprintf(text, sizeof text, "seed: x%01000d\n", 7);
    assert_int_equal(parse(text, &scene, &err), RILL_BAD_INPUT);
    assert_int_equal(err.text[strlen(err.text) - 1], '.');
}

/* ---- settings ---- */

static const char base_scene[] = "particle_diameter: 10 cm\n"
                                 "fluids: {water: {viscosity: {kind: laplacian, value: 0.01}}, salt.water: {}}\n"
                                 "fill:\n"
                                 "  - {fluid: water, box: {from: [0, 0, 0], size: [1 d, 2 d, 3 d]}}\n"
                                 "boundaries:\n"
                                 "  tank: {box: {from: [0, 0, 0], to: [3, 1, 2]}, open: [+z], snap: true}\n"
                                 "probes: {p: {kind: point, at: [1, 1, 1], of: density}}\n";

static void test_settings(void **state)
{
    (void)state;
    rill_scene s = good_with(base_scene, "time.end=3 s");
    assert_number(s.time.end, 3);
    rill_scene_free(&s);
    s = good_with(base_scene, " time.step.max = 2 ms ");
    assert_number(s.time.step_max, 0.002);
    rill_scene_free(&s);
    s = good_with(base_scene, "boundaries.tank.slip=0");
    assert_number(s.boundaries[0].slip, 0);
    assert_int_equal(s.boundaries[0].open, RILL_SIDE_HIGH_Z);
    rill_scene_free(&s);
    s = good_with(base_scene, "fluids.water.viscosity.value=0.05");
    assert_number(s.fluids[0].viscosity, 0.05);
    rill_scene_free(&s);
    s = good_with(base_scene, "fluids.salt.water.density=1025");
    assert_number(s.fluids[1].density, 1025);
    rill_scene_free(&s);
    s = good_with(base_scene, "fluids.water.colour=#a0b0c0");
    assert_int_equal(s.fluids[0].colour, 0xa0b0c0);
    rill_scene_free(&s);
    s = good_with(base_scene, "about=Water: # and more");
    assert_string_equal(s.about, "Water: # and more");
    rill_scene_free(&s);
    s = good_with(base_scene, "name=\"quoted name\"");
    assert_string_equal(s.name, "quoted name");
    rill_scene_free(&s);
    s = good_with(base_scene, "output.fields=[pressure]");
    assert_true(s.output.pressure && !s.output.density);
    rill_scene_free(&s);
}

/* A setting takes the place of its alternative, and of keys that lose their meaning by it. */
static void test_settings_replace(void **state)
{
    (void)state;
    rill_scene s = good_with(base_scene, "fill.0.box.to=[1, 1, 2]");
    assert_vector(s.fills[0].shape.to, 1, 1, 2);
    rill_scene_free(&s);
    s = good_with(base_scene, "fill.0.sphere={center: [0, 0, 0], radius: 5 d}");
    assert_int_equal(s.fills[0].shape.kind, RILL_SHAPE_SPHERE);
    assert_number(s.fills[0].shape.radius, 0.5);
    rill_scene_free(&s);
    s = good_with(base_scene, "boundaries.tank.sphere={center: [0, 0, 0], radius: 5}");
    assert_true(s.boundaries[0].solid);
    assert_int_equal(s.boundaries[0].open, 0);
    rill_scene_free(&s);
    s = good_with(base_scene, "probes.p.kind=height");
    assert_int_equal(s.probes[0].kind, RILL_PROBE_HEIGHT);
    rill_scene_free(&s);
    s = good_with(base_scene, "particle_diameter=20 cm");
    assert_vector(s.fills[0].shape.to, 0.2, 0.4, 3 * 0.2);
    rill_scene_free(&s);
    s = good_with(base_scene, "time={end: 7}");
    assert_number(s.time.end, 7);
    rill_scene_free(&s);
}

static void test_settings_add(void **state)
{
    (void)state;
    rill_scene s = good_with(base_scene, "probes.level={kind: height, at: [1, 1, 0]}");
    assert_int_equal(s.probe_count, 2);
    assert_string_equal(s.probes[1].name, "level");
    rill_scene_free(&s);
    s = good_with(base_scene, "fill.1={sphere: {center: [2, 0.5, 1], radius: 1}}");
    assert_int_equal(s.fill_count, 2);
    rill_scene_free(&s);
    /* The water of a scene without fluids can be set like any other. */
    s = good_with("name: a\n", "fluids.water.density=900");
    assert_number(s.fluids[0].density, 900);
    rill_scene_free(&s);
    s = good_with("name: a\n", "fill.0={box: {from: [0, 0, 0], to: [1, 1, 1]}}");
    assert_int_equal(s.fill_count, 1);
    rill_scene_free(&s);

    const char *const twice[] = {"time.end=1", "time.end=2", "fill.0.velocity=[1, 0, 0]", "solver.equation=linear"};
    rill_error err = {0};
    assert_int_equal(rill_scene_parse(base_scene, strlen(base_scene), "a.yaml", twice, 4, &s, &err), RILL_OK);
    assert_number(s.time.end, 2);
    assert_number(s.fills[0].velocity.x, 1);
    assert_int_equal(s.solver.eos, RILL_EOS_LINEAR);
    rill_scene_free(&s);
}

static void test_settings_refused(void **state)
{
    (void)state;
    refused_with(base_scene, "time.end", "setting 'time.end': a setting is written key=value, such as time.end=3 s.");
    refused_with(base_scene, "time.end=", "setting 'time.end=': time.end is empty, but wants a time.");
    refused_with(base_scene, "time.end=3 m", "setting 'time.end=3 m': time.end wants a time, but '3 m' is a length.");
    refused_with(base_scene, "time.end=-3", "setting 'time.end=-3': time.end must lie between 0 and 1e+12 s, but is '-3'.");
    refused_with(base_scene, "time.end=[1, 2]", "setting 'time.end=[1, 2]': time.end wants a time, but is a list.");
    refused_with(base_scene, "time.ende=3", "setting 'time.ende=3': unknown key 'ende' in time; did you mean 'end'?");
    refused_with(base_scene, "tiem.end=3", "setting 'tiem.end=3': unknown key 'tiem'; did you mean 'time'?");
    refused_with(base_scene, "time.end.x=3", "setting 'time.end.x=3': time.end has no 'x' of its own; set it as a whole.");
    refused_with(base_scene, "boundaries.tnak.slip=0",
                 "setting 'boundaries.tnak.slip=0': there is no boundary 'tnak.slip'; the boundaries are: tank.");
    refused_with(base_scene, "boundaries.tank.slip=2",
                 "setting 'boundaries.tank.slip=2': boundaries.tank.slip must lie between 0 and 1, but is '2'.");
    refused_with(base_scene, "boundaries.tnak=5",
                 "setting 'boundaries.tnak=5': boundaries.tnak wants a map of keys and values, but is a single value.");
    refused_with(base_scene, "fill.1.fluid=water",
                 "setting 'fill.1.fluid=water': fill holds 1 fills, numbered from 0, but none at '1.fluid'.");
    refused_with(base_scene, "fill.x=1", "setting 'fill.x=1': fill holds 1 fills, numbered from 0, but none at 'x'.");
    refused_with(base_scene, "fill.0.fluid=oil",
                 "setting 'fill.0.fluid=oil': fill.0.fluid names 'oil', but there is no such fluid; there are water, "
                 "salt.water.");
    refused_with(base_scene, "gravity=[0, 0", "setting 'gravity=[0, 0': this is not valid YAML: did not find expected ',' "
                                              "or ']' while parsing a flow sequence.");
    refused_with(base_scene, "probes.p.axis=x",
                 "setting 'probes.p.axis=x': probes.p.axis has no meaning with kind 'point'; leave it out.");
    refused_with(base_scene, "=", "setting '=': unknown key ''; the keys here are name, about, particle_diameter, support, "
                                  "kernel, gravity, origin, shifting, seed, domain, time, solver, trouble, output, fluids, "
                                  "fill, boundaries, probes.");
    refused_with("fluids: 5\n", "fluids.water.density=3", "a.yaml:1:9: fluids wants a map of keys and values.");
    refused_with("- 5\n", "time.end=3", "a.yaml:1:1: a scene is a map of keys and values.");
}

/* ---- writing ---- */

static void test_write_exact(void **state)
{
    (void)state;
    rill_scene s = good(full_scene);
    s.particle_diameter = 0.1 + 0.2 - 0.25;
    s.gravity = (rill_vec3){-0.0, 5e-324, -1.7976931348623157e308};
    s.time.end = nextafter(1, 2);
    s.fluids[0].density = 1.0 / 3;
    s.fills[0].shape.to.x = 2.0 / 3;
    s.output.pressure = false;
    assert_round_trip(&s);
    rill_scene_free(&s);
}

/* Names and texts that YAML would take for something else must be quoted. */
static void test_write_quotes(void **state)
{
    (void)state;
    static const char *const names[] = {"yes",  "12",       "a: b",    "x #y",      "-", "- a", "?", "~",  "null", "true",
                                        "1e5",  "[a]",      "{a}",     "it's",      "*a", "&a", "!a", "%a", "@a",  "`a",
                                        "|",    ">",        "a b",     "r\u00e9sum\u00e9", "\u6c34", "a:", ":a", "0x1", "=", "<<"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        rill_scene s = good(full_scene);
        strcpy(s.name, names[i]);
        strcpy(s.about, names[i]);
        strcpy(s.fluids[1].name, names[i]);
        strcpy(s.boundaries[0].name, names[i]);
        strcpy(s.probes[0].name, names[i]);
        assert_round_trip(&s);
        rill_scene_free(&s);
    }
    rill_scene s = good(full_scene);
    strcpy(s.about, " \t\"quoted\" \\ back\n\r\x01\x7f\xc2\x85\u2028\ufeff\uffff\u00e9 ");
    assert_round_trip(&s);
    rill_scene_free(&s);
}

static void write_refused(const rill_scene *scene, const char *sentence)
{
    rill_error err = {0};
    FILE *out = fopen("/dev/null", "w");
    assert_int_equal(rill_scene_write(scene, out, &err), RILL_BAD_INPUT);
    assert_string_equal(err.text, sentence);
    fclose(out);
}

static void test_write_refuses(void **state)
{
    (void)state;
    rill_scene s = good(full_scene);
    s.time.end = NAN;
    write_refused(&s, "The scene cannot be written: time.end is not a finite number.");
    s.time.end = 1;
    s.fills[0].fluid = 7;
    write_refused(&s, "The scene cannot be written: fill.fluid names a fluid that is not there.");
    s.fills[0].fluid = 0;
    s.boundaries[1].shape.kind = 9;
    write_refused(&s, "The scene cannot be written: boundaries.shape has a value without a name.");
    s.boundaries[1].shape.kind = RILL_SHAPE_BOX;
    strcpy(s.probes[1].name, "a,b");
    write_refused(&s, "The scene cannot be written: probes.probe holds one of / \\ , ; \".");
    strcpy(s.probes[1].name, "a");
    strcpy(s.about, "\xff");
    write_refused(&s, "The scene cannot be written: about is not UTF-8 text.");
    strcpy(s.about, "");
    rill_error err = {0};
    FILE *full = fopen("/dev/full", "w");
    if (full) {
        assert_int_equal(rill_scene_write(&s, full, &err), RILL_IO_FAILED);
        assert_string_equal(err.text, "The scene could not be written: No space left on device.");
        fclose(full);
    }
    rill_scene_free(&s);
}

/* A host program's locale must not turn 0.5 into 0,5. */
static void test_locale(void **state)
{
    (void)state;
    if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "de_DE")) {
        print_message("no German locale here, skipped\n");
        skip();
    }
    rill_scene s = good("time: {end: 1.5 s}\n");
    assert_number(s.time.end, 1.5);
    assert_round_trip(&s);
    rill_scene_free(&s);
    assert_string_equal(localeconv()->decimal_point, ",");
    setlocale(LC_ALL, "C");
}

/* ---- the reference ---- */

static char *reference(void)
{
    char *text = NULL;
    size_t size = 0;
    rill_error err = {0};
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(rill_scene_reference(out, &err), RILL_OK);
    fclose(out);
    return text;
}

/* docs/scene.md is what the table says. To write it anew: RILL_WRITE_DOCS=1 test_scene. */
static void test_reference_is_current(void **state)
{
    (void)state;
    char *expected = reference();
    if (getenv("RILL_WRITE_DOCS")) {
        FILE *out = fopen("docs/scene.md", "w");
        assert_non_null(out);
        fputs(expected, out);
        fclose(out);
    }
    FILE *file = fopen("docs/scene.md", "r");
    assert_non_null(file);
    char *text = calloc(1, strlen(expected) + 2);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, strlen(expected) + 1, file), strlen(expected));
    assert_string_equal(text, expected);
    fclose(file);
    free(text);
    free(expected);
}

static void test_reference_example_reads(void **state)
{
    (void)state;
    char *text = reference();
    char *start = strstr(text, "```yaml\n");
    assert_non_null(start);
    start += strlen("```yaml\n");
    char *end = strstr(start, "```");
    assert_non_null(end);
    *end = 0;
    rill_scene s = good(start);
    assert_string_equal(s.name, "channel");
    assert_int_equal(s.fluid_count, 2);
    assert_int_equal(s.boundary_count, 2);
    assert_number(s.fills[1].shape.radius, 0.16);
    rill_scene_free(&s);
    free(text);
}

/* ---- built-in scenes ---- */

static void test_built_in_scenes(void **state)
{
    (void)state;
    for (size_t i = 0; i < BUILT_IN; i++) {
        rill_scene s;
        rill_error err = {0};
        if (rill_scene_load(built_in[i], NULL, 0, &s, &err)) fail_msg("%s", err.text);
        assert_string_equal(s.name, built_in[i]);
        assert_true(strlen(s.about) > 20);
        assert_true(s.fill_count >= 1 && s.boundary_count >= 1 && s.probe_count >= 3);
        assert_round_trip(&s);
        rill_scene_free(&s);
    }
}

typedef struct listing {
    size_t count;
    bool right;
} listing;

static void list_one(void *user, const char *name, const char *path, const char *about)
{
    listing *l = user;
    l->right = l->right && l->count < BUILT_IN && !strcmp(name, built_in[l->count]) && strstr(path, name) && strlen(about);
    l->count++;
}

static void test_list(void **state)
{
    (void)state;
    listing l = {.right = true};
    rill_error err = {0};
    assert_int_equal(rill_scene_list(list_one, &l, &err), RILL_OK);
    assert_int_equal(l.count, BUILT_IN);
    assert_true(l.right);
}

/* Lattice layers of the reference dam and surfaces of its tank, as they were
 * fixed, at both resolutions. */
static void check_reference_dam(const char *setting, double d, const int *fluid, const int *tank)
{
    rill_scene s;
    rill_error err = {0};
    if (rill_scene_load("reference_dam", &setting, 1, &s, &err)) fail_msg("%s", err.text);
    assert_number(s.particle_diameter, d);
    const rill_shape *f = &s.fills[0].shape, *t = &s.boundaries[0].shape;
    const double fluid_size[] = {f->to.x - f->from.x, f->to.y - f->from.y, f->to.z - f->from.z};
    const double tank_size[] = {t->to.x - t->from.x, t->to.y - t->from.y, t->to.z - t->from.z};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(lround(fluid_size[i] / d), fluid[i]);
        assert_int_equal(lround(tank_size[i] / d), tank[i]);
    }
    assert_vector(f->from, d / 2, d / 2, d / 2);
    assert_vector(t->from, d / 2, d / 2, d / 2);
    assert_true(s.boundaries[0].snap && !s.output.frames);
    assert_number(s.boundaries[0].volume_factor, 1);
    assert_number(s.boundaries[0].slip, 1);
    assert_number(s.fluids[0].mass_factor, 0.8);
    assert_number(s.fluids[0].viscosity, 0.01);
    assert_number(s.time.step_max, 5e-3);
    assert_number(s.time.step_min, 1e-4);
    assert_number(s.time.step_first, 1e-3);
    assert_number(s.time.cfl, 0.4);
    assert_number(s.time.end, 1);
    rill_scene_free(&s);
}

static void test_reference_dam(void **state)
{
    (void)state;
    check_reference_dam("particle_diameter=27 mm", 0.027, (int[]){37, 74, 37}, (int[]){117, 74, 73});
    check_reference_dam("particle_diameter=17 mm", 0.017, (int[]){59, 118, 59}, (int[]){187, 118, 117});
}

/* ---- files and names ---- */

static void load_refused(const char *name, rill_status status, const char *sentence)
{
    rill_scene s;
    rill_error err = {0};
    assert_int_equal(rill_scene_load(name, NULL, 0, &s, &err), status);
    assert_string_equal(err.text, sentence);
    assert_null(s.fluids);
}

static char folder[64];

static const char *in_folder(const char *name)
{
    static char path[2][128];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static void put_file(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    fclose(file);
}

static void test_load_refuses(void **state)
{
    (void)state;
    load_refused("dam_brake", RILL_BAD_INPUT,
                 "There is no scene 'dam_brake'; did you mean 'dam_break'? `rill scenes` lists them.");
    load_refused("stil_tank", RILL_BAD_INPUT,
                 "There is no scene 'stil_tank'; did you mean 'still_tank'? `rill scenes` lists them.");
    load_refused("no/such.yaml", RILL_BAD_INPUT, "The scene 'no/such.yaml' cannot be read: No such file or directory.");
    load_refused("/", RILL_BAD_INPUT, "The scene '/' cannot be read: Is a directory.");
    load_refused("/dev/zero", RILL_BAD_INPUT, "/dev/zero: this file is larger than 1 MB, so it is not a scene.");
}

static void test_load_files(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/rill_scene_XXXXXX");
    assert_non_null(mkdtemp(folder));
    rill_scene s;
    rill_error err = {0};
    const char text[] = "time: {end: 4}\n";
    put_file(in_folder("mine.yaml"), text, strlen(text));
    assert_int_equal(rill_scene_load(in_folder("mine.yaml"), NULL, 0, &s, &err), RILL_OK);
    assert_string_equal(s.name, "mine");
    assert_number(s.time.end, 4);
    rill_scene_free(&s);

    char *huge = malloc(3 << 20);
    assert_non_null(huge);
    memset(huge, '[', 3 << 20);
    put_file(in_folder("huge.yaml"), huge, 3 << 20);
    assert_int_equal(rill_scene_load(in_folder("huge.yaml"), NULL, 0, &s, &err), RILL_BAD_INPUT);
    assert_non_null(strstr(err.text, "larger than 1 MB"));
    /* Just as hostile, but small enough to be looked at. */
    assert_int_equal(rill_scene_parse(huge, 1 << 20, "huge", NULL, 0, &s, &err), RILL_BAD_INPUT);
    for (size_t i = 0; i < 1 << 20; i++) huge[i] = (char)(i * 2654435761u >> 13);
    assert_int_equal(rill_scene_parse(huge, 1 << 20, "rubbish", NULL, 0, &s, &err), RILL_BAD_INPUT);
    for (size_t i = 0; i + 8 < 1 << 20; i += 8) memcpy(huge + i, "\nab: {} ", 8), huge[i + 1] = (char)('a' + i / 8 % 26);
    assert_int_equal(rill_scene_parse(huge, 1 << 20, "many keys", NULL, 0, &s, &err), RILL_BAD_INPUT);
    free(huge);

    /* A folder of the user's own, with a bad scene that does not hide the good one. */
    put_file(in_folder("bad.yaml"), "about: [", 8);
    char before[512];
    snprintf(before, sizeof before, "%s", getenv("RILL_SCENES") ? getenv("RILL_SCENES") : "");
    setenv("RILL_SCENES", folder, 1);
    assert_int_equal(rill_scene_load("mine", NULL, 0, &s, &err), RILL_OK);
    rill_scene_free(&s);
    listing l = {.right = true};
    assert_int_equal(rill_scene_list(list_one, &l, &err), RILL_OK);
    assert_int_equal(l.count, 3);
    setenv("RILL_SCENES", "/no/such/folder", 1);
    load_refused("mine", RILL_BAD_INPUT, "RILL_SCENES names '/no/such/folder', which is not a folder of scenes.");
    if (*before) setenv("RILL_SCENES", before, 1);
    else unsetenv("RILL_SCENES");
    unlink(in_folder("bad.yaml"));
    unlink(in_folder("huge.yaml"));
    unlink(in_folder("mine.yaml"));
    rmdir(folder);
}

/* ---- fuzz ---- */

/* Whatever the text, there is a scene that can be written, or a sentence. */
static void survive(const char *text, size_t length, const char *setting)
{
    rill_scene s;
    rill_error err = {0};
    const rill_status status = rill_scene_parse(text, length, "fuzz", &setting, setting ? 1 : 0, &s, &err);
    if (status == RILL_OK) {
        assert_round_trip(&s);
    } else {
        assert_int_equal(status, RILL_BAD_INPUT);
        assert_int_equal(err.status, RILL_BAD_INPUT);
        assert_true(strlen(err.text) > 10);
        assert_true(rill_chars_is_utf8(err.text));
        assert_non_null(strchr(".?", err.text[strlen(err.text) - 1]));
    }
    rill_scene_free(&s);
}

static uint32_t random_state = 12345;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)random_state * limit >> 32);
}

static void test_fuzz_truncation(void **state)
{
    (void)state;
    for (size_t length = 0; length < strlen(full_scene); length += 3) survive(full_scene, length, NULL);
}

static void test_fuzz_mutation(void **state)
{
    (void)state;
    static const char spice[] = "{}[]:,-?&*#!|>'\"%@`\n \t.0e9xd/\\~<=\0\x7f\xff\xc3";
    char text[sizeof full_scene];
    for (int round = 0; round < 3000; round++) {
        memcpy(text, full_scene, sizeof text);
        for (uint32_t i = 0; i <= random_below(3); i++) {
            const size_t at = random_below(sizeof text - 1);
            text[at] = random_below(4) ? spice[random_below(sizeof spice - 1)] : (char)random_below(256);
        }
        survive(text, sizeof text - 1, NULL);
    }
}

static void test_fuzz_settings(void **state)
{
    (void)state;
    static const char *const settings[] = {"fill.0.box.to=[1, 1, 2]", "boundaries.tank.slip=0.5", "probes.p.kind=height",
                                           "fluids.water={density: 1}", "name=\"a\\u00e9\""};
    static const char spice[] = "{}[]:,-.=0129adxyz \"'#\\\xff";
    for (int round = 0; round < 2000; round++) {
        char setting[64];
        strcpy(setting, settings[round % 5]);
        const size_t length = strlen(setting);
        for (uint32_t i = 0; i <= random_below(2); i++)
            setting[random_below((uint32_t)length)] = spice[random_below(sizeof spice - 1)];
        if (!random_below(4)) setting[random_below((uint32_t)length)] = 0;
        survive(base_scene, strlen(base_scene), setting);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_units_round_once),
        cmocka_unit_test(test_full_scene),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_small_things_that_read),
        cmocka_unit_test(test_refuses_values),
        cmocka_unit_test(test_refuses_things),
        cmocka_unit_test(test_refuses_unknown_keys),
        cmocka_unit_test(test_refuses_yaml),
        cmocka_unit_test(test_refuses_long_text),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_settings_replace),
        cmocka_unit_test(test_settings_add),
        cmocka_unit_test(test_settings_refused),
        cmocka_unit_test(test_write_exact),
        cmocka_unit_test(test_write_quotes),
        cmocka_unit_test(test_write_refuses),
        cmocka_unit_test(test_locale),
        cmocka_unit_test(test_reference_is_current),
        cmocka_unit_test(test_reference_example_reads),
        cmocka_unit_test(test_built_in_scenes),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_reference_dam),
        cmocka_unit_test(test_load_refuses),
        cmocka_unit_test(test_load_files),
        cmocka_unit_test(test_fuzz_truncation),
        cmocka_unit_test(test_fuzz_mutation),
        cmocka_unit_test(test_fuzz_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

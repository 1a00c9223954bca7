/* Scene text that reads: units, every key, settings, and writing it back to
 * the bit. label: small, one thread */
#include "test_scene.h"

#include <locale.h>
#include <math.h>

#include "text/pi.h"
#include "text/unit.h"

/* ---- units ---- */

static void assert_unit(const char *text, rill_dimension dimension, double expected)
{
    double value = 0;
    char why[320] = "";
    if (!rill_unit_read(text, dimension, (rill_unit_scale){.diameter = 0.5}, &value, why, sizeof why))
        fail_msg("'%s' %s", text, why);
    assert_number(value, expected);
}

static void assert_no_unit(const char *text, rill_dimension dimension, const char *expected)
{
    double value = 0;
    char why[320] = "";
    if (rill_unit_read(text, dimension, (rill_unit_scale){.diameter = 0.5}, &value, why, sizeof why))
        fail_msg("accepted '%s'", text);
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
    assert_unit("1000 kg m/m3/m", RILL_MASS_DENSITY, 1000);
    assert_unit("998 kg / m3", RILL_MASS_DENSITY, 998);
    assert_unit("3 N s2/m4", RILL_MASS_DENSITY, 3);
    assert_unit("3 kg/(m m2)", RILL_MASS_DENSITY, 3);
    assert_unit("3 1/(m*s)*m", RILL_RATE, 3);
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
    assert_no_unit("5 kg/m s", RILL_LENGTH,
                   "wants a length, such as 27 mm, but 'kg/m s' in '5 kg/m s' is not a known unit");
    assert_no_unit("5 m/(s", RILL_SPEED, "wants a speed, such as 30 m/s, but 'm/(s' in '5 m/(s' is not a known unit");
    assert_no_unit("5 m/(s/s)", RILL_SPEED,
                   "wants a speed, such as 30 m/s, but 'm/(s/s)' in '5 m/(s/s)' is not a known unit");
    assert_no_unit("5 (m)", RILL_LENGTH, "wants a length, such as 27 mm, but '(m)' in '5 (m)' is not a known unit");
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

static void check_full_turns(const rill_motion *m)
{
    assert_vector(m->spin, 0, 0, -(30 * RILL_PI / 30));
    assert_vector(m->swing, RILL_PI, 0, 0);
    assert_number(m->period, 4);
    assert_number(m->phase, -1);
    assert_number(m->ramp, 0.5);
    assert_true(m->about_given);
    assert_vector(m->about, 1, 1, 0.05);
    assert_int_equal(m->sine_count, 2);
    assert_vector(m->sines[0].amplitude, 0, 0, 0.05);
    assert_number(m->sines[0].period, 3);
    assert_vector(m->sines[1].swing, 0, RILL_PI / 18, 0);
    assert_number(m->sines[1].phase, RILL_PI / 2);
    assert_number(m->sines[1].period, 0.2);
    assert_int_equal(m->keyframe_count, 3);
    assert_vector(m->keyframes[0].move, 0, 0, 0);
    assert_number(m->keyframes[1].time, 2);
    assert_vector(m->keyframes[1].turn, 0, 0.6, 0.8);
    assert_vector(m->keyframes[2].move, 0.001, 2, 3);
    assert_vector(m->keyframes[2].turn, 0, 0, 7);
}

static void check_full_boundaries(const rill_scene *s)
{
    assert_int_equal(s->boundary_count, 4);
    const rill_boundary *tank = &s->boundaries[0];
    assert_string_equal(tank->name, "tank");
    /* -x and +z as asked for, and the sides across the periodic axes, x and z. */
    assert_int_equal(tank->open, RILL_SIDE_LOW_X | RILL_SIDE_HIGH_X | RILL_SIDE_LOW_Z | RILL_SIDE_HIGH_Z);
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
    check_full_turns(&s->boundaries[1].motion);
    assert_int_equal(s->boundaries[2].shape.kind, RILL_SHAPE_SPHERE);
    assert_true(s->boundaries[2].solid);
    assert_number(s->boundaries[2].shape.radius, 0.1);
    assert_false(s->boundaries[3].solid);
}

static void check_full_probes(const rill_scene *s)
{
    assert_int_equal(s->probe_count, 6);
    assert_string_equal(s->probes[0].kind, "front");
    assert_int_equal(s->probes[0].axis, 1);
    assert_int_equal(s->probes[0].min_neighbours, 3);
    assert_int_equal(s->probes[1].of, RILL_VELOCITY);
    assert_vector(s->probes[1].at, 1, 2, 0.03);
    assert_number(s->probes[2].radius, 0.1);
    assert_string_equal(s->probes[3].kind, "kinetic");
    assert_string_equal(s->probes[4].kind, "potential");
    assert_string_equal(s->probes[5].kind, "volume");
}


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

    s = good(
        "fluids:\n"
        "  w: {viscosity: {kind: implicit, value: 70 St}, tension: {kind: cohesion, value: 32 mN/m, adhesion: 0.5}}\n"
        "  o: {viscosity: {kind: implicit, value: 1}, tension: {kind: cohesion}}\n"
        "  p: {viscosity: {kind: implicit, value: 0}}\n"
        "vorticity: 5 cm/s\nair_drag: {coefficient: 0.47, wind: [3, 0, 0]}\n");
    assert_int_equal(s.fluids[0].viscosity_kind, RILL_VISCOSITY_IMPLICIT);
    assert_number(s.fluids[0].viscosity, 0.007);
    assert_int_equal(s.fluids[0].tension_kind, RILL_TENSION_COHESION);
    assert_number(s.fluids[0].tension, 0.032);
    assert_number(s.fluids[0].adhesion, 0.5);
    assert_number(s.fluids[1].tension, 0.072);
    assert_int_equal(s.fluids[2].tension_kind, RILL_TENSION_NONE);
    assert_number(s.vorticity, 0.05);
    assert_number(s.air.coefficient, 0.47);
    assert_number(s.air.density, 1.2);
    assert_number(s.air.wind.x, 3);
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

/* ---- settings ---- */

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
    assert_string_equal(s.probes[0].kind, "height");
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

/* ---- writing ---- */

static void test_write_exact(void **state)
{
    (void)state;
    rill_scene s = good(full_scene);
    s.particle_diameter = 0.1 + 0.2 - 0.25;
    s.gravity = (rill_vec3){-0.0, 5e-324, -999999999.99999988};
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
    static const char *const names[] = {
        "yes", "12", "a: b", "x #y", "-",  "- a", "?", "~",   "null", "true", "1e5", "[a]", "{a}", "it's",   "*a",
        "&a",  "!a", "%a",   "@a",   "`a", "|",   ">", "a b", "a:",   ":a",   "0x1", "=",   "<<",  "\u6c34", "\u00e9",
    };
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
        leave_out("a locale with a decimal comma, since no German one is installed");
        skip();
    }
    rill_scene s = good("time: {end: 1.5 s}\n");
    assert_number(s.time.end, 1.5);
    assert_round_trip(&s);
    rill_scene_free(&s);
    assert_string_equal(localeconv()->decimal_point, ",");
    setlocale(LC_ALL, "C");
}

/* A dynamic viscosity is divided by the density, wherever that stands in the text. */
static void test_dynamic_viscosity(void **state)
{
    (void)state;
    rill_scene s = good("fluids: {w: {viscosity: {kind: laplacian, value: 2 Pa*s}, density: 800}, "
                        "v: {viscosity: {kind: laplacian, value: 1 mPa*s}}, "
                        "u: {viscosity: {kind: laplacian, value: 1 mPa s}}, "
                        "t: {viscosity: {kind: laplacian, value: 1e-3 kg/(m s)}}}\n");
    assert_number(s.fluids[0].viscosity, 2.0 / 800);
    for (int f = 1; f < 4; f++) assert_number(s.fluids[f].viscosity, 1e-6);
    rill_scene_free(&s);
    s = good_with("fluids: {w: {density: 500, viscosity: {kind: implicit, value: 1}}}\n",
                  "fluids.w.viscosity.value=1 cP");
    assert_number(s.fluids[0].viscosity, 1.0 / 500e3);
    rill_scene_free(&s);
}

/* Colours have names, and words two spellings. */
static void test_colours(void **state)
{
    (void)state;
    rill_scene s =
        good("fluids: {w: {color: red, tension: {kind: color}}, v: {colour: Teal, tension: {kind: colour}}}\n"
             "fill: [{sphere: {centre: [1, 2, 3], radius: 1}}]\n");
    assert_int_equal(s.fluids[0].colour, 0xff0000);
    assert_int_equal(s.fluids[1].colour, 0x008080);
    assert_int_equal(s.fluids[0].tension_kind, RILL_TENSION_COLOUR);
    assert_vector(s.fills[0].shape.center, 1, 2, 3);
    rill_scene_free(&s);
    s = good_with("fluids: {w: {color: red}}\n", "fluids.w.colour=#010203");
    assert_int_equal(s.fluids[0].colour, 0x010203);
    rill_scene_free(&s);
    s = good_with("fluids: {w: {colour: red}}\n", "fluids.w.color=lime");
    assert_int_equal(s.fluids[0].colour, 0x00ff00);
    rill_scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dynamic_viscosity),
        cmocka_unit_test(test_colours),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_units_round_once),
        cmocka_unit_test(test_full_scene),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_small_things_that_read),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_settings_replace),
        cmocka_unit_test(test_settings_add),
        cmocka_unit_test(test_write_exact),
        cmocka_unit_test(test_write_quotes),
        cmocka_unit_test(test_write_refuses),
        cmocka_unit_test(test_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Scene text that must be refused: one sentence each, and never a crash. label: small, one thread */
#include "test_scene.h"
#include "text/chars.h"


static void test_refuses_values(void **state)
{
    (void)state;
    refused("particle_diameter: 5 ms\n", "a.yaml:1:20: particle_diameter wants a length, but '5 ms' is a time.");
    refused("particle_diameter: 5 mm x\n",
            "a.yaml:1:20: particle_diameter wants a length, such as 27 mm, but 'mm x' in '5 mm x' is not a known "
            "unit.");
    refused("particle_diameter: -5 mm\n",
            "a.yaml:1:20: particle_diameter must lie between 2e-05 and 100000 m, but is '-5 mm'.");
    refused("particle_diameter: 0\n",
            "a.yaml:1:20: particle_diameter must lie between 2e-05 and 100000 m, but is '0'.");
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
    refused("solver: {iterations: {min: -1}}\n",
            "a.yaml:1:28: solver.iterations.min wants a whole number, but is '-1'.");
    refused("solver: {iterations: {min: 1.5}}\n",
            "a.yaml:1:28: solver.iterations.min wants a whole number, but is '1.5'.");
    refused("solver: {iterations: {min: 18446744073709551616}}\n",
            "a.yaml:1:28: solver.iterations.min wants a smaller number.");
    refused("output: {frames: yes}\n", "a.yaml:1:18: output.frames wants true or false, but is 'yes'.");
    refused("kernel: quintic\n", "a.yaml:1:9: kernel wants one of cubic, mueller, but is 'quintic'.");
    refused("domain: {periodic: [x, w]}\n", "a.yaml:1:24: domain.periodic wants one of x, y, z, but is 'w'.");
    refused("domain: {periodic: x}\n",
            "a.yaml:1:20: domain.periodic wants a list of words from x, y, z, but is a single value.");
    refused("name: a/b\n", "a.yaml:1:7: the name 'a/b' holds one of / \\ , ; \".");
    refused("name: ''\n", "a.yaml:1:7: the name '' is empty.");
}

/* The motion of a box, or of what else is given. */
static void motion_refused(const char *shape, const char *motion, const char *sentence)
{
    char text[400];
    snprintf(text, sizeof text, "boundaries:\n  b:\n    %s\n    motion: %s\n", shape, motion);
    refused(text, sentence);
}

static void test_refuses_motions(void **state)
{
    (void)state;
    const char *box = "box: {from: [0, 0, 0], to: [1, 1, 1]}";
    motion_refused(box, "{spin: {axis: [0, 0, 0], speed: 3}}",
                   "a.yaml:4:20: boundaries.b.motion.spin has no direction: its axis is zero.");
    motion_refused(box, "{spin: {axis: [0, 0, 1], angle: 3}}",
                   "a.yaml:4:38: unknown key 'angle' in boundaries.b.motion.spin; did you mean 'fill.0.rotate.angle'?");
    motion_refused(box, "{swing: {angle: 3}}", "a.yaml:4:14: boundaries.b.motion.swing needs 'axis'.");
    motion_refused(box, "{spin: [0, 0, 3 m]}",
                   "a.yaml:4:27: boundaries.b.motion.spin.z wants an angular speed, but '3 m' is a length.");
    motion_refused(box, "{spin: [0, 0, 1e10]}",
                   "a.yaml:4:27: boundaries.b.motion.spin.z must be at most 1e+09 rad/s, but is '1e10'.");
    motion_refused(box, "{spin: [0, 0, 1e9], about: [9, 0, 0]}",
                   "a.yaml:4:5: The motion of boundary b reaches 9.39539e+09 m/s, and 1e+09 m/s are the limit; make it "
                   "slower.");
    motion_refused(box, "{swing: [0, 0, 1]}",
                   "a.yaml:4:21: The motion of boundary b has a swing, so it needs a period above zero.");
    motion_refused(box, "{sines: [{amplitude: [0, 0, 1]}]}",
                   "a.yaml:4:22: boundaries.b.motion.sines.0 needs 'period'.");
    motion_refused(box, "{sines: [{period: 0}]}",
                   "a.yaml:4:31: boundaries.b.motion.sines.0.period must be above 0 s, but is '0'.");
    motion_refused(box, "{sines: {period: 0}}",
                   "a.yaml:4:21: boundaries.b.motion.sines wants a list of sines, but is a map.");
    motion_refused(box, "{spin: [0, 0, 1], sides: [-x]}",
                   "a.yaml:4:38: The motion of boundary b turns it, so all of its sides must move together.");
    motion_refused("plane: {point: [0, 0, 0], normal: [0, 0, 1]}", "{spin: [0, 0, 1]}",
                   "a.yaml:4:20: The motion of boundary b turns it, but a plane cannot turn.");
    motion_refused(box, "{velocity: [1, 0, 0], stop: 3, ramp: 2}",
                   "a.yaml:4:50: The motion of boundary b lasts 3 s, which is too short to grow and to fade for 2 s "
                   "each.");
    motion_refused(box, "{keyframes: [{time: 1}]}",
                   "a.yaml:4:33: The motion of boundary b has one keyframe, which moves nothing; give it two or more.");
    motion_refused(box, "{keyframes: [{time: 1}, {time: 1}]}",
                   "a.yaml:4:44: The keyframe of boundary b at 1 s must come after the one before it, which is at "
                   "1 s.");
    motion_refused(box, "{keyframes: [{move: [1, 0, 0]}]}",
                   "a.yaml:4:26: boundaries.b.motion.keyframes.0 needs 'time'.");
    motion_refused(box, "{keyframes: [{time: -1}]}",
                   "a.yaml:4:33: boundaries.b.motion.keyframes.0.time must lie between 0 and 1e+12 s, but is '-1'.");
    motion_refused(box, "{keyframes: [{time: 0}, {time: 1e-100, move: [1, 0, 0]}]}",
                   "a.yaml:4:5: The motion of boundary b reaches 1.5e+100 m/s, and 1e+09 m/s are the limit; make it "
                   "slower.");
    motion_refused(box, "{keyframes: [], keyframes_file: a.csv}",
                   "a.yaml:4:14: boundaries.b.motion has both 'keyframes' and 'keyframes_file'; keep one.");
    motion_refused(box, "{keyframes_file: no.csv}",
                   "a.yaml:4:30: no.csv cannot be read: No such file or directory.");
    motion_refused(box, "{keyframes_file: [1]}",
                   "a.yaml:4:30: boundaries.b.motion.keyframes_file wants the path of a CSV file, but is a list.");
    refused("domain: {periodic: [x], to: [1, 1, 1]}\n"
            "boundaries: {b: {box: {from: [0, 0, 0], to: [1, 1, 1]}, motion: {spin: [0, 1, 0]}}}\n",
            "a.yaml:2:72: The domain is periodic along x and boundary b goes on there, so it can turn about x alone.");
}

/* Numbers that single precision, its squares or the count of cells could not hold. */
static void test_refuses_numbers_too_large(void **state)
{
    (void)state;
    refused("particle_diameter: 1e308\n",
            "a.yaml:1:20: particle_diameter must lie between 2e-05 and 100000 m, but is '1e308'.");
    refused("particle_diameter: 1 um\n",
            "a.yaml:1:20: particle_diameter must lie between 2e-05 and 100000 m, but is '1 um'.");
    refused("time: {step: {max: 1e308}}\n", "a.yaml:1:20: time.step.max must be at most 1e+12 s, but is '1e308'.");
    refused("time: {step: {max: 1e-60, min: 1e-70}}\n",
            "a.yaml:1:20: time.step.max must be at least 1e-12 s, but is '1e-60'.");
    refused("gravity: [0, 0, -1e39]\n", "a.yaml:1:17: gravity.z must be at least -1e+09 m/s2, but is '-1e39'.");
    refused("origin: [1e300, 0, 0]\n", "a.yaml:1:10: origin.x must be at most 1e+09 m, but is '1e300'.");
    refused("domain: {to: [1e300, 1, 1], periodic: [x]}\n",
            "a.yaml:1:15: domain.to.x must be at most 1e+09 m, but is '1e300'.");
    refused(
        "domain: {to: [1e9, 1, 1], periodic: [x]}\n",
        "a.yaml:1:14: The domain is periodic along x, so it must be at most 16777216 kernel supports (671089 m) long "
        "there, but it is 1e+09 m.");
    refused("fill: [{box: {from: [0, 0, 0], to: [1, 1, 1]}, velocity: [1e39, 0, 0]}]\n",
            "a.yaml:1:59: fill.0.velocity.x must be at most 1e+09 m/s, but is '1e39'.");
    refused("fill: [{box: {from: [0, 0, 0], size: [1, 1, 1e10]}}]\n",
            "a.yaml:1:45: fill.0.box.size.z must be at most 1e+09 m, but is '1e10'.");
    refused("fill: [{box: {from: [9e8, 0, 0], size: [9e8, 1, 1]}}]\n",
            "a.yaml:1:40: fill.0.box.to.x must be at most 1e+09 m, but is 1.8e+09.");
    refused("fill: [{sphere: {center: [0, 0, 0], radius: 1e308}}]\n",
            "a.yaml:1:45: fill.0.sphere.radius must be at most 1e+09 m, but is '1e308'.");
    refused("fluids: {w: {density: 1e-40}}\n",
            "a.yaml:1:23: fluids.w.density must lie between 1e-06 and 1e+09 kg/m3, but is '1e-40'.");
    refused("air_drag: {wind: [0, -1e30, 0]}\n",
            "a.yaml:1:22: air_drag.wind.y must be at least -1e+09 m/s, but is '-1e30'.");
    refused(
        "boundaries: {b: {box: {from: [0, 0, 0], to: [1, 1, 1]}, motion: {amplitude: [1, 0, 0], period: 1e-300}}}\n",
        "a.yaml:1:96: The motion of boundary b reaches 6.28319e+300 m/s, and 1e+09 m/s are the limit; make it "
        "slower.");
    refused("boundaries: {b: {box: {from: [0, 0, 0], to: [1, 1, 1]}, motion: {amplitude: [1e20, 0, 0], period: 1}}}\n",
            "a.yaml:1:78: boundaries.b.motion.amplitude.x must be at most 1e+09 m, but is '1e20'.");
    refused("probes: {p: {kind: point, at: [0, 0, 1e300]}}\n",
            "a.yaml:1:38: probes.p.at.z must be at most 1e+09 m, but is '1e300'.");
}

/* Thousands of probes are compared by sorting; two of one name are still found. */
static void test_many_probes(void **state)
{
    (void)state;
    enum { MANY = 20000 };
    char *text = malloc(64 * (MANY + 2));
    size_t length = (size_t)sprintf(text, "probes:\n");
    for (int i = 0; i < MANY; i++) length += (size_t)sprintf(text + length, "  p%d: {kind: volume}\n", i);
    rill_scene scene = good(text);
    assert_int_equal(scene.probe_count, MANY);
    rill_scene_free(&scene);
    sprintf(text + length, "  p: {kind: point, at: [0, 0, 0], of: velocity}\n  p_y: {kind: volume}\n");
    refused(text, "a.yaml:20003:15: Probes p and p_y fill columns of the same name; choose another.");
    free(text);
}

/* The sentence lists the solvers there are. */
static void test_refuses_solver(void **state)
{
    (void)state;
    const char *text = "solver: {kind: magic}\n";
    rill_scene scene;
    rill_error err;
    assert_int_equal(parse(text, &scene, &err), RILL_BAD_INPUT);
    assert_non_null(strstr(err.text, "a.yaml:1:16: solver.kind wants one of "));
    assert_non_null(strstr(err.text, ", but is 'magic'."));
    for (uint32_t i = 0; rill_solver_name(i); i++) assert_non_null(strstr(err.text, rill_solver_name(i)));
}

static void test_refuses_things(void **state)
{
    (void)state;
    refused("fill: {a: 1}\n", "a.yaml:1:7: fill wants a list of fills, but is a map.");
    refused("fill: [{}]\n", "a.yaml:1:8: fill.0 needs 'box', 'sphere', 'cylinder', 'capsule' or 'inside'.");
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
    refused("fluids: {w: {colour: bleu}}\n",
            "a.yaml:1:22: fluids.w.colour wants a colour: a name such as blue, or as in \"#3a7bd5\", in quotes, but is "
            "'bleu'.");
    refused("fluids:\n  w:\n    colour: #3a7bd5\n", "a.yaml:3:5: fluids.w.colour is empty, but wants a colour: a name "
                                                    "such as blue, or as in \"#3a7bd5\", in quotes.");
    refused("fluids: {w: {viscosity: {kind: xsph}}}\n",
            "a.yaml:1:14: fluids.w.viscosity needs 'value' with kind 'xsph': a plain number, such as 0.5.");
    refused("fluids: {w: {viscosity: {kind: xsph, value: 1 m2/s}}}\n",
            "a.yaml:1:45: fluids.w.viscosity.value wants a plain number, but '1 m2/s' is a kinematic viscosity.");
    refused("fluids: {w: {viscosity: {kind: xsph, value: 2}}}\n",
            "a.yaml:1:45: fluids.w.viscosity.value must lie between 0 and 1, but is '2'.");
    refused("fluids: {w: {viscosity: {kind: implicit}}}\n",
            "a.yaml:1:14: fluids.w.viscosity needs 'value' with kind 'implicit': a kinematic viscosity, such as 1e-6 "
            "m2/s.");
    refused("fluids: {w: {tension: {kind: colour, value: 1 N}}}\n",
            "a.yaml:1:45: fluids.w.tension.value wants a surface tension, but '1 N' is a force.");
    refused("fluids: {w: {tension: {kind: cohesion, value: -1}}}\n",
            "a.yaml:1:47: fluids.w.tension.value must lie between 0 and 1e+09 N/m, but is '-1'.");
    refused("fluids: {w: {tension: {kind: colour, adhesion: 2}}}\n",
            "a.yaml:1:48: fluids.w.tension.adhesion must lie between 0 and 1, but is '2'.");
    refused("vorticity: 5 m\n", "a.yaml:1:12: vorticity wants a speed, but '5 m' is a length.");
    refused("air_drag: {coefficient: -1}\n",
            "a.yaml:1:25: air_drag.coefficient must lie between 0 and 1e+06, but is '-1'.");
    refused("fluids: {w: {viscosity: {kind: xsph, value: 1 Pa*s}}}\n",
            "a.yaml:1:45: fluids.w.viscosity.value wants a plain number, but '1 Pa*s' is a dynamic viscosity.");
    refused("boundaries: {b: {sphere: {center: [0, 0, 0], radius: 1}, open: [+z]}}\n",
            "a.yaml:1:58: boundaries.b.open has no meaning with shape 'sphere'; leave it out.");
    refused("boundaries: {b: {box: {from: [0, 0, 0], to: [1, 1, 1]}, open: [up]}}\n",
            "a.yaml:1:64: boundaries.b.open wants one of -x, +x, -y, +y, -z, +z, but is 'up'.");
    refused("probes: {time: {kind: kinetic}}\n",
            "a.yaml:1:23: Probe time has the name of a column that is there anyway; choose another.");
    refused("probes: {v: {kind: point, at: [0, 0, 0], of: velocity}, v_x: {kind: volume}}\n",
            "a.yaml:1:69: Probes v and v_x fill columns of the same name; choose another.");
    refused("probes: {p: {kind: point}}\n", "a.yaml:1:10: probes.p needs 'at'.");
    refused("probes: {p: {}}\n", "a.yaml:1:10: probes.p needs 'kind'.");
    refused("probes: {p: {kind: volume, axis: x}}\n",
            "a.yaml:1:28: probes.p.axis has no meaning with kind 'volume'; leave it out.");
    refused("probes: {p: {kind: front, min_neighbours: 9999999}}\n",
            "a.yaml:1:43: probes.p.min_neighbours must lie between 0 and 1e+06, but is '9999999'.");
    refused("probes: {p: {kind: force}}\n", "a.yaml:1:10: probes.p needs 'of'.");
    refused("probes: {p: {kind: force, of: pressure}}\n",
            "a.yaml:1:31: probes.p.of names 'pressure', but there is no such boundary; there is none.");
    refused("probes: {p: {kind: force, of: gat}}\nboundaries: {gate: {box: {from: [0, 0, 0], to: [1, 1, 1]}}}\n",
            "a.yaml:1:31: probes.p.of names 'gat', but there is no such boundary; did you mean 'gate'?");
    refused("probes: {p: {kind: volume, of: gate}}\n",
            "a.yaml:1:28: probes.p.of has no meaning with kind 'volume'; leave it out.");
    refused("probes: {p: {kind: torque, of: g, patch: {from: [0, 0, 1], to: [1, 1, 0.5]}}}\n"
            "boundaries: {g: {box: {from: [0, 0, 0], to: [1, 1, 1]}}}\n",
            "a.yaml:1:64: The patch of probe p is empty along z: 'to' lies below 'from'.");
    refused("solver: {equation: linear, gamma: 7}\n",
            "a.yaml:1:28: solver.gamma has no meaning with equation 'linear'; leave it out.");
    refused("time: {step: {max: 1 ms, min: 2 ms}}\n",
            "a.yaml:1:31: The time step needs min <= max, but min is 0.002 s and max is 0.001 s.");
}

/* Shapes that are none, and fills of what holds nothing. */
static void test_refuses_shapes(void **state)
{
    (void)state;
    refused("fill: [{cylinder: {from: [0, 0, 0], to: [0, 0, 1], radius: 0}}]\n",
            "a.yaml:1:60: fill.0.cylinder.radius must be above 0 m, but is '0'.");
    refused("fill: [{capsule: {from: [0, 0, 1], to: [0, 0, 1], radius: 1}}]\n",
            "a.yaml:1:40: The capsule of fill.0 has no length: 'to' must differ from 'from'.");
    refused("boundaries: {b: {cylinder: {from: [1, 0, 0], to: [1, 0, 0], radius: 2 d}}}\n",
            "a.yaml:1:50: The cylinder of boundary b has no length: 'to' must differ from 'from'.");
    refused("boundaries: {b: {plane: {point: [0, 0, 0], normal: [0, 0, 0]}}}\n",
            "a.yaml:1:52: The plane of boundary b has no direction: its normal is zero.");
    refused("boundaries: {b: {plane: {point: [0, 0, 0], normal: [0, 0, inf]}}}\n",
            "a.yaml:1:59: boundaries.b.plane.normal.z wants a finite number, but is 'inf'.");
    refused("boundaries: {b: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, solid: true}}\n",
            "a.yaml:1:64: boundaries.b.solid has no meaning with shape 'plane'; leave it out.");
    refused("boundaries: {b: {plane: {normal: [0, 0, 1]}}}\n", "a.yaml:1:18: boundaries.b.plane needs 'point'.");
    refused("fill: [{plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]\n",
            "a.yaml:1:9: unknown key 'plane' in fill.0; did you mean 'boundaries.NAME.plane'?");
    refused("fill: [{box: {from: [0, 0, 0], to: [1, 1, 1]}, rotate: {axis: [0, 0, 0], angle: 1}}]\n",
            "a.yaml:1:63: The rotation of fill.0 has no direction: its axis is zero.");
    refused("fill: [{box: {from: [0, 0, 0], to: [1, 1, 1]}, rotate: {angle: 1 s, axis: [0, 0, 1]}}]\n",
            "a.yaml:1:64: fill.0.rotate.angle wants an angle, but '1 s' is a time.");
    refused("fill: [{box: {from: [0, 0, 0], to: [1, 1, 1]}, rotate: {axis: [0, 0, 1]}}]\n",
            "a.yaml:1:48: fill.0.rotate needs 'angle'.");
    refused("boundaries: {b: {sphere: {center: [0, 0, 0], radius: 1}, rotate: {axis: [0, 0, 1], angle: 1}, "
            "cylinder: {from: [0, 0, 0], to: [1, 1, 1], radius: 1}}}\n",
            "a.yaml:1:18: boundaries.b has both 'sphere' and 'cylinder'; keep one.");
    refused("domain: {periodic: [x], to: [1, 0, 0]}\n"
            "boundaries: {b: {plane: {point: [0, 0, 0], normal: [1, 0, 9]}}}\n",
            "a.yaml:2:52: The plane of boundary b is not level along x, along which the domain is periodic.");
}

static void test_refuses_to_fill_what_holds_nothing(void **state)
{
    (void)state;
    const char *tank = "boundaries: {tank: {box: {from: [0, 0, 0], to: [1, 1, 1]}, open: [%s]}, ball: {sphere: "
                       "{center: [0, 0, 0], radius: 1}}, floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
                       "fill: [{%s}]\n";
    const struct {
        const char *open, *fill, *answer;
    } cases[] = {
        {"", "inside: tub, level: 1", "a.yaml:2:17: fill.0 fills 'tub', but there is no boundary of that name."},
        {"", "inside: ball, level: 1", "a.yaml:2:17: fill.0 fills ball, but that is no container."},
        {"", "inside: floor, level: 1", "a.yaml:2:17: fill.0 fills floor, but that is no container."},
        {"", "inside: tank", "a.yaml:2:8: fill.0 needs 'level'."},
        {"", "inside: tank, level: 0", "a.yaml:2:30: fill.0.level must be above 0 m, but is '0'."},
        {"", "inside: tank, level: 1, rotate: {axis: [0, 0, 1], angle: 1}",
         "a.yaml:2:33: fill.0.rotate has no meaning with shape 'inside'; leave it out."},
        {"", "box: {from: [0, 0, 0], to: [1, 1, 1]}, level: 1",
         "a.yaml:2:48: fill.0.level has no meaning with shape 'box'; leave it out."},
        {"+x", "inside: tank, level: 0.2",
         "a.yaml:2:30: fill.0 fills tank up to 0.2 m, but its side +x is open below that."},
        {"+z", "inside: tank, level: 1.2",
         "a.yaml:2:30: fill.0 fills tank up to 1.2 m, but its side +z is open below that."},
        {"-z", "inside: tank, level: 0.2",
         "a.yaml:2:30: fill.0 fills tank up to 0.2 m, but its side -z is open below that."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[600];
        snprintf(text, sizeof text, tank, cases[i].open, cases[i].fill);
        refused(text, cases[i].answer);
    }
}

/* Values that do not go together are told where one of them stands, or what would hold it. */
static void test_places_of_contradictions(void **state)
{
    (void)state;
    refused("name: a\ntime:\n  step: {max: 0.1 us}\n",
            "a.yaml:3:3: The time step needs min <= max, but min is 1e-06 s and max is 1e-07 s.");
    refused("solver: {iterations: {max: 1}}\n",
            "a.yaml:1:10: The solver's iterations need min <= max, but min is 2 and max is 1.");
    refused("fluids:\n  a: {}\n  b: {viscosity: {kind: none}}\n",
            "a.yaml:3:25: Fluids a and b have viscosities of different kinds; give both the same kind.");
    refused("fluids:\n  a: {viscosity: {kind: none}}\n  b: {}\n",
            "a.yaml:3:3: Fluids a and b have viscosities of different kinds; give both the same kind.");
    refused("boundaries:\n  lid:\n    box: {from: [0, 0, 0], to: [1, 1, 1]}\n    slide: {velocity: [1, 0, 0]}\n",
            "a.yaml:4:23: The surface of boundary lid slides, but with slip 1 the liquid would not feel it; give it a "
            "slip below 1.");
    refused("fill:\n  - {box: {from: [0, 0, 0], to: [1, 1, 1]}}\n  - {box: {from: [0, 0, 1], to: [1, 1, 0]}}\n",
            "a.yaml:3:33: The box of fill.1 has no extent along z: 'to' must lie above 'from'.");
    refused_with("fill:\n  - {box: {from: [0, 0, 0], to: [1, 1, 1]}}\n", "fill.0.box.from=[0, 0, 2]",
                 "a.yaml:2:33: The box of fill.0 has no extent along z: 'to' must lie above 'from'.");
    refused_with("name: a\n", "time.step.max=0.1 us",
                 "setting 'time.step.max=0.1 us': The time step needs min <= max, but min is 1e-06 s and max is 1e-07 "
                 "s.");
    refused("domain: {periodic: [x]}\n",
            "a.yaml:1:1: The domain is periodic along x, so it must be at least two kernel "
            "supports (0.08 m) long there, but it is 0 m.");
}

static void test_refuses_unknown_keys(void **state)
{
    (void)state;
    refused("name: a\nparticel_diameter: 1\n",
            "a.yaml:2:1: unknown key 'particel_diameter'; did you mean 'particle_diameter'?");
    refused("time:\n  step: {maxx: 1}\n", "a.yaml:2:10: unknown key 'maxx' in time.step; did you mean 'max'?");
    refused("fluids: {w: {colur: '#000000'}}\n",
            "a.yaml:1:14: unknown key 'colur' in fluids.w; did you mean 'colour'?");
    refused("fluids: {w: {color: '#000000', colour: '#000000'}}\n",
            "a.yaml:1:32: 'color' and 'colour' are the same key; keep one.");
    /* A word that is nothing like any key is answered with the keys. */
    refused(
        "boundaries: {b: {torus: {radius: 1}}}\n",
        "a.yaml:1:18: unknown key 'torus' in boundaries.b; the keys here are box, sphere, cylinder, capsule, plane, "
        "rotate, solid, open, snap, slip, slide, volume_factor, motion.");
    refused("cfl: 0.4\n", "a.yaml:1:1: unknown key 'cfl'; did you mean 'time.step.cfl'?");
    refused("mass_factor: 1\n", "a.yaml:1:1: unknown key 'mass_factor'; did you mean 'fluids.NAME.mass_factor'?");
    refused("time: {zzzzzz: 1}\n",
            "a.yaml:1:8: unknown key 'zzzzzz' in time; the keys here are end, frames_per_second, step.");
    refused("<<: {a: 1}\n", "a.yaml:1:1: unknown key '<<'; the keys here are name, about, particle_diameter, support, "
                            "kernel, seed, gravity, "
                            "origin, vorticity, air_drag, shifting, domain, time, solver, trouble, output, fluids, "
                            "fill, boundaries, probes.");
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
    refused("name: !!int 5\n", "a.yaml:1:7: a scene cannot use YAML tags; write the plain value.");
    refused("[a]: 1\n", "a.yaml:1:1: a key must be a word, not a list or a map.");
    refused("name: \"a\\0b\"\n", "a.yaml:1:7: this text holds a zero byte.");
    refused("time: {end: 1\nname: a\n", "a.yaml:2:5: this is not valid YAML: did not find expected ',' or '}' while "
                                        "parsing a flow mapping.");
    refused("name: a\n\tabout: b\n", "a.yaml:2:1: this line is indented with a tab, and YAML takes only spaces.");
    refused("name: a\ntime:\n  \tend: 1\n",
            "a.yaml:3:3: this line is indented with a tab, and YAML takes only spaces.");
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
    refused(text, "a.yaml:1:7: the name '000000000000000000000000000000000000000000000000000000000000...' is longer "
                  "than 63 bytes.");
    /* However long the text, the sentence ends. */
    snprintf(text, sizeof text, "solver: {iterations: {min: %01000d}}\n", 7);
    rill_scene scene;
    rill_error err;
    assert_int_equal(parse(text, &scene, &err), RILL_OK);
    rill_scene_free(&scene);
    snprintf(text, sizeof text, "solver: {iterations: {min: x%01000d}}\n", 7);
    assert_int_equal(parse(text, &scene, &err), RILL_BAD_INPUT);
    assert_int_equal(err.text[strlen(err.text) - 1], '.');
}

static void test_settings_refused(void **state)
{
    (void)state;
    refused_with(base_scene, "time.end", "setting 'time.end': a setting is written key=value, such as time.end=3 s.");
    refused_with(base_scene, "time.end=", "setting 'time.end=': time.end is empty, but wants a time.");
    refused_with(base_scene, "time.end=3 m", "setting 'time.end=3 m': time.end wants a time, but '3 m' is a length.");
    refused_with(base_scene, "time.end=-3",
                 "setting 'time.end=-3': time.end must lie between 0 and 1e+12 s, but is '-3'.");
    refused_with(base_scene, "time.end=[1, 2]", "setting 'time.end=[1, 2]': time.end wants a time, but is a list.");
    refused_with(base_scene, "time.ende=3", "setting 'time.ende=3': unknown key 'ende' in time; did you mean 'end'?");
    refused_with(base_scene, "tiem.end=3", "setting 'tiem.end=3': unknown key 'tiem'; did you mean 'time'?");
    refused_with(base_scene, "time.end.x=3",
                 "setting 'time.end.x=3': time.end has no 'x' of its own; set it as a whole.");
    refused_with(base_scene, "boundaries.tnak.slip=0",
                 "setting 'boundaries.tnak.slip=0': there is no boundary 'tnak.slip'; the boundaries are: tank.");
    refused_with(base_scene, "boundaries.tank.slip=2",
                 "setting 'boundaries.tank.slip=2': boundaries.tank.slip must lie between 0 and 1, but is '2'.");
    refused_with(base_scene, "boundaries.tnak=5",
                 "setting 'boundaries.tnak=5': boundaries.tnak wants a map of keys and values, but is a single value.");
    refused_with(base_scene, "fill.1.fluid=water",
                 "setting 'fill.1.fluid=water': fill holds 1 fill, numbered from 0, but none at '1.fluid'.");
    refused_with(base_scene, "fill.x=1", "setting 'fill.x=1': fill holds 1 fill, numbered from 0, but none at 'x'.");
    refused_with(base_scene, "fill.0.fluid=oil",
                 "setting 'fill.0.fluid=oil': fill.0.fluid names 'oil', but there is no such fluid; there are water, "
                 "salt.water.");
    refused_with(base_scene, "gravity=[0, 0",
                 "setting 'gravity=[0, 0': this is not valid YAML: did not find expected ',' or ']' while parsing a "
                 "flow sequence.");
    refused_with(base_scene, "probes.p.axis=x",
                 "setting 'probes.p.axis=x': probes.p.axis has no meaning with kind 'point'; leave it out.");
    refused_with(
        base_scene, "=",
        "setting '=': unknown key ''; the keys here are name, about, particle_diameter, support, kernel, seed, "
        "gravity, origin, vorticity, air_drag, shifting, domain, time, solver, trouble, output, fluids, fill, "
        "boundaries, "
        "probes.");
    refused_with("fluids: 5\n", "fluids.water.density=3", "a.yaml:1:9: fluids wants a map of keys and values.");
    refused_with("- 5\n", "time.end=3", "a.yaml:1:1: a scene is a map of keys and values.");
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
    static const char *const settings[] = {"fill.0.box.to=[1, 1, 2]", "boundaries.tank.slip=0.5",
                                           "probes.p.kind=height", "fluids.water={density: 1}", "name=\"a\\u00e9\""};
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
        cmocka_unit_test(test_refuses_values),
        cmocka_unit_test(test_refuses_motions),
        cmocka_unit_test(test_refuses_numbers_too_large),
        cmocka_unit_test(test_many_probes),
        cmocka_unit_test(test_refuses_solver),
        cmocka_unit_test(test_refuses_things),
        cmocka_unit_test(test_refuses_shapes),
        cmocka_unit_test(test_refuses_to_fill_what_holds_nothing),
        cmocka_unit_test(test_places_of_contradictions),
        cmocka_unit_test(test_refuses_unknown_keys),
        cmocka_unit_test(test_refuses_yaml),
        cmocka_unit_test(test_refuses_long_text),
        cmocka_unit_test(test_settings_refused),
        cmocka_unit_test(test_fuzz_truncation),
        cmocka_unit_test(test_fuzz_mutation),
        cmocka_unit_test(test_fuzz_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

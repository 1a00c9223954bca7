/* What the tests of scene text share: reading, refusing, comparing field by field. */
#ifndef RILL_TESTS_TEST_SCENE_H
#define RILL_TESTS_TEST_SCENE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rill/scene_text.h"
#include "rill/world.h"
#include "tests/leave_out.h"

static inline rill_status parse(const char *text, rill_scene *scene, rill_error *err)
{
    memset(err, 0, sizeof *err);
    return rill_scene_parse(text, strlen(text), "a.yaml", NULL, 0, scene, err);
}

static inline rill_status parse_with(const char *text, const char *setting, rill_scene *scene, rill_error *err)
{
    memset(err, 0, sizeof *err);
    return rill_scene_parse(text, strlen(text), "a.yaml", &setting, 1, scene, err);
}

/* A scene that must read; the caller frees it. */
static inline rill_scene good(const char *text)
{
    rill_scene scene;
    rill_error err;
    if (parse(text, &scene, &err)) fail_msg("refused: %s", err.text);
    return scene;
}

static inline rill_scene good_with(const char *text, const char *setting)
{
    rill_scene scene;
    rill_error err;
    if (parse_with(text, setting, &scene, &err)) fail_msg("refused: %s", err.text);
    return scene;
}

/* The text must be refused with exactly this sentence. */
static inline void refused(const char *text, const char *sentence)
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

static inline void refused_with(const char *text, const char *setting, const char *sentence)
{
    rill_scene scene;
    rill_error err;
    const rill_status status = parse_with(text, setting, &scene, &err);
    if (status == RILL_OK) fail_msg("accepted %s, but expected: %s", setting, sentence);
    assert_string_equal(err.text, sentence);
    assert_int_equal(status, RILL_BAD_INPUT);
}

static inline void assert_number(double a, double b)
{
    if (memcmp(&a, &b, sizeof a)) fail_msg("%.17g is not %.17g", a, b);
}

static inline void assert_vector(rill_vec3 a, double x, double y, double z)
{
    assert_number(a.x, x);
    assert_number(a.y, y);
    assert_number(a.z, z);
}

static inline void assert_same_vector(rill_vec3 a, rill_vec3 b)
{
    assert_vector(a, b.x, b.y, b.z);
}

static inline void assert_same_shape(const rill_shape *a, const rill_shape *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_same_vector(a->from, b->from);
    assert_same_vector(a->to, b->to);
    assert_same_vector(a->center, b->center);
    assert_number(a->radius, b->radius);
}

static inline void assert_same_basics(const rill_scene *a, const rill_scene *b)
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
    assert_number(a->vorticity, b->vorticity);
    assert_number(a->air.coefficient, b->air.coefficient);
    assert_number(a->air.density, b->air.density);
    assert_same_vector(a->air.wind, b->air.wind);
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

static inline void assert_same_turns(const rill_motion *a, const rill_motion *b)
{
    assert_same_vector(a->spin, b->spin);
    assert_same_vector(a->swing, b->swing);
    assert_number(a->phase, b->phase);
    assert_number(a->ramp, b->ramp);
    assert_int_equal(a->about_given, b->about_given);
    if (a->about_given) assert_same_vector(a->about, b->about);
    assert_int_equal(a->sine_count, b->sine_count);
    for (uint32_t i = 0; i < a->sine_count; i++) {
        assert_same_vector(a->sines[i].amplitude, b->sines[i].amplitude);
        assert_same_vector(a->sines[i].swing, b->sines[i].swing);
        assert_number(a->sines[i].period, b->sines[i].period);
        assert_number(a->sines[i].phase, b->sines[i].phase);
    }
    assert_int_equal(a->keyframe_count, b->keyframe_count);
    for (uint32_t i = 0; i < a->keyframe_count; i++) {
        assert_number(a->keyframes[i].time, b->keyframes[i].time);
        assert_same_vector(a->keyframes[i].move, b->keyframes[i].move);
        assert_same_vector(a->keyframes[i].turn, b->keyframes[i].turn);
    }
}

static inline void assert_same_boundary(const rill_boundary *a, const rill_boundary *b)
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
    assert_same_turns(&a->motion, &b->motion);
}

static inline void assert_same_probe(const rill_probe *a, const rill_probe *b)
{
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->kind, b->kind);
    assert_int_equal(a->axis, b->axis);
    assert_same_vector(a->at, b->at);
    assert_int_equal(a->of, b->of);
    assert_number(a->radius, b->radius);
    assert_int_equal(a->min_neighbours, b->min_neighbours);
}

static inline void assert_same_scene(const rill_scene *a, const rill_scene *b)
{
    assert_same_basics(a, b);
    assert_int_equal(a->fluid_count, b->fluid_count);
    for (uint32_t i = 0; i < a->fluid_count; i++) {
        assert_string_equal(a->fluids[i].name, b->fluids[i].name);
        assert_number(a->fluids[i].density, b->fluids[i].density);
        assert_int_equal(a->fluids[i].viscosity_kind, b->fluids[i].viscosity_kind);
        assert_number(a->fluids[i].viscosity, b->fluids[i].viscosity);
        assert_int_equal(a->fluids[i].tension_kind, b->fluids[i].tension_kind);
        assert_number(a->fluids[i].tension, b->fluids[i].tension);
        assert_number(a->fluids[i].adhesion, b->fluids[i].adhesion);
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

/* All that was written to a temporary file, which is closed; free() it. */
static inline char *take_text(FILE *file)
{
    const long length = ftell(file);
    assert_true(length > 0);
    char *text = calloc(1, (size_t)length + 1);
    assert_non_null(text);
    rewind(file);
    assert_int_equal(fread(text, 1, (size_t)length, file), length);
    fclose(file);
    return text;
}

/* The scene as text; free() it. */
static inline char *written(const rill_scene *scene)
{
    rill_error err = {0};
    FILE *out = tmpfile();
    assert_non_null(out);
    if (rill_scene_write(scene, out, &err)) fail_msg("not written: %s", err.text);
    return take_text(out);
}

static inline void assert_round_trip(const rill_scene *scene)
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

/* Every key, in the reverse of its natural order: nothing depends on it. */
__attribute__((unused)) static const char full_scene[] =
    "probes:\n"
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
    "  block:\n"
    "    box: {from: [1, 0, 0], to: [1.5, 1, 0.5]}\n"
    "    solid: true\n"
    "    motion:\n"
    "      sines: [{period: 3, amplitude: [0, 0, 1 d]}, {swing: [0, 10 deg, 0], phase: 90 deg, period: 200 ms}]\n"
    "      keyframes:\n"
    "        - {time: 0}\n"
    "        - {turn: {angle: 1, axis: [0, 3, 4]}, time: 2 s}\n"
    "        - {time: 3, move: [1 mm, 2, 3], turn: [0, 0, 7]}\n"
    "      spin: {axis: [0, 0, -2], speed: 30 rpm}\n"
    "      swing: {axis: [5, 0, 0], angle: 180 deg}\n"
    "      period: 4\n"
    "      phase: -1\n"
    "      ramp: 0.5 s\n"
    "      about: [1, 1, 1 d]\n"
    "  ball: {sphere: {center: [2, 0.5, 0.2], radius: 10 cm}}\n"
    "  bubble: {sphere: {center: [2, 0.5, 0.2], radius: 5}, solid: false}\n"
    "output: {frames: false, fields: [velocity, pressure]}\n"
    "solver: {kind: wcsph, equation: linear, sound_speed: 30 m/s,\n"
    "         negative_pressure: true, density: continuity, diffusion: 0.1}\n"
    "time: {end: 3 s, frames_per_second: 25, step: {max: 4 ms, min: 1 us, first: 1 ms, cfl: 0.3}}\n"
    "trouble: {speed: 200 m/s, then: continue}\n"
    "shifting: 0.5\n"
    "domain: {from: [0, 0, -1], to: [4, 4, 8], periodic: [z, x]}\n"
    "origin: [5394932.125, 1 km, 0]\n"
    "gravity: [0, 0, -1.62 m/s2]\n"
    "kernel: mueller\n"
    "support: 2.5\n"
    "particle_diameter: 5 cm\n"
    "about: \"Everything: at once.\"\n"
    "name: full\n";

/* A small scene to put settings on. */
__attribute__((unused)) static const char base_scene[] =
    "particle_diameter: 10 cm\n"
    "fluids: {water: {viscosity: {kind: laplacian, value: 0.01}}, salt.water: {}}\n"
    "fill:\n"
    "  - {fluid: water, box: {from: [0, 0, 0], size: [1 d, 2 d, 3 d]}}\n"
    "boundaries:\n"
    "  tank: {box: {from: [0, 0, 0], to: [3, 1, 2]}, open: [+z], snap: true}\n"
    "probes: {p: {kind: point, at: [1, 1, 1], of: density}}\n";

#endif

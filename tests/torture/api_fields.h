/* Every number of the public structs, by name and place, and what to put there. */
#ifndef RILL_TORTURE_API_FIELDS_H
#define RILL_TORTURE_API_FIELDS_H

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "rill/scene_text.h"
#include "rill/shot.h"
#include "rill/render.h"
#include "rill/surface.h"

typedef enum field_kind { KIND_DOUBLE, KIND_FLOAT, KIND_U32, KIND_ENUM } field_kind;

typedef struct field {
    const char *name;
    size_t offset;
    field_kind kind;
} field;

#define DOUBLE(type, member) {#type "." #member, offsetof(type, member), KIND_DOUBLE}
#define FLOAT(type, member) {#type "." #member, offsetof(type, member), KIND_FLOAT}
#define U32(type, member) {#type "." #member, offsetof(type, member), KIND_U32}
#define ENUM(type, member) {#type "." #member, offsetof(type, member), KIND_ENUM}
#define VEC(type, member) DOUBLE(type, member.x), DOUBLE(type, member.y), DOUBLE(type, member.z)

static const field scene_fields[] = {
    DOUBLE(rill_scene, particle_diameter),
    DOUBLE(rill_scene, support),
    ENUM(rill_scene, kernel),
    VEC(rill_scene, gravity),
    VEC(rill_scene, origin),
    VEC(rill_scene, domain_from),
    VEC(rill_scene, domain_to),
    DOUBLE(rill_scene, shifting),
    DOUBLE(rill_scene, vorticity),
    DOUBLE(rill_scene, air.coefficient),
    DOUBLE(rill_scene, air.density),
    VEC(rill_scene, air.wind),
    DOUBLE(rill_scene, speed_limit),
    ENUM(rill_scene, on_trouble),
    DOUBLE(rill_scene, time.end),
    DOUBLE(rill_scene, time.frames_per_second),
    DOUBLE(rill_scene, time.step_max),
    DOUBLE(rill_scene, time.step_min),
    DOUBLE(rill_scene, time.step_first),
    DOUBLE(rill_scene, time.cfl),
    ENUM(rill_scene, solver.eos),
    DOUBLE(rill_scene, solver.gamma),
    DOUBLE(rill_scene, solver.sound_speed),
    ENUM(rill_scene, solver.density),
    DOUBLE(rill_scene, solver.diffusion),
    ENUM(rill_scene, solver.iteration),
    DOUBLE(rill_scene, solver.density_error),
    DOUBLE(rill_scene, solver.divergence_error),
    U32(rill_scene, solver.iterations_min),
    U32(rill_scene, solver.iterations_max),
    U32(rill_scene, solver.iterations_pbf),
};

static const field fluid_fields[] = {
    DOUBLE(rill_fluid, density), ENUM(rill_fluid, viscosity_kind), DOUBLE(rill_fluid, viscosity),
    ENUM(rill_fluid, tension_kind), DOUBLE(rill_fluid, tension), DOUBLE(rill_fluid, adhesion),
    DOUBLE(rill_fluid, mass_factor), U32(rill_fluid, colour),
};

static const field fill_fields[] = {
    U32(rill_fill, fluid), ENUM(rill_fill, shape.kind), VEC(rill_fill, shape.from), VEC(rill_fill, shape.to),
    VEC(rill_fill, shape.center), DOUBLE(rill_fill, shape.radius), VEC(rill_fill, velocity),
    ENUM(rill_fill, shape.rotate.given), VEC(rill_fill, shape.rotate.axis), DOUBLE(rill_fill, shape.rotate.angle),
};

static const field boundary_fields[] = {
    ENUM(rill_boundary, shape.kind), VEC(rill_boundary, shape.from), VEC(rill_boundary, shape.to),
    VEC(rill_boundary, shape.center), DOUBLE(rill_boundary, shape.radius), U32(rill_boundary, open),
    ENUM(rill_boundary, shape.rotate.given), VEC(rill_boundary, shape.rotate.axis),
    DOUBLE(rill_boundary, shape.rotate.angle),
    DOUBLE(rill_boundary, slip), VEC(rill_boundary, slide), U32(rill_boundary, slide_sides),
    DOUBLE(rill_boundary, volume_factor), VEC(rill_boundary, motion.velocity), VEC(rill_boundary, motion.amplitude),
    DOUBLE(rill_boundary, motion.period), DOUBLE(rill_boundary, motion.start), DOUBLE(rill_boundary, motion.stop),
    U32(rill_boundary, motion.sides), VEC(rill_boundary, motion.spin), VEC(rill_boundary, motion.swing),
    DOUBLE(rill_boundary, motion.phase), DOUBLE(rill_boundary, motion.ramp), VEC(rill_boundary, motion.about),
    ENUM(rill_boundary, motion.about_given),
};

static const field probe_fields[] = {
    U32(rill_probe, axis), VEC(rill_probe, at), ENUM(rill_probe, of), DOUBLE(rill_probe, radius),
    U32(rill_probe, min_neighbours),
};

static const field control_fields[] = {
    DOUBLE(rill_controls, until), U32(rill_controls, body_count),
};
static const field body_control_fields[] = {
    U32(rill_body_control, boundary), VEC(rill_body_control, low), VEC(rill_body_control, high),
    VEC(rill_body_control, spin),
};
static const field gravity_fields[] = {VEC(rill_body_control, low)};
static const field option_fields[] = {U32(rill_options, threads), U32(rill_options, simd_width)};

static const field shot_fields[] = {
    U32(rill_shot, width),        U32(rill_shot, height),  ENUM(rill_shot, colour),
    DOUBLE(rill_shot, low),       DOUBLE(rill_shot, high), DOUBLE(rill_shot, azimuth),
    DOUBLE(rill_shot, elevation), VEC(rill_shot, from),    VEC(rill_shot, to),
};

static const field surface_fields[] = {
    ENUM(rill_surface_options, method), ENUM(rill_surface_options, field), DOUBLE(rill_surface_options, cell),
    DOUBLE(rill_surface_options, radius), U32(rill_surface_options, cull), U32(rill_surface_options, least_particles),
    U32(rill_surface_options, smooth),
};

static const field particle_fields[] = {DOUBLE(rill_particles, diameter), DOUBLE(rill_particles, volume)};

static const field trace_fields[] = {
    U32(rill_trace_options, width), U32(rill_trace_options, height), U32(rill_trace_options, samples),
    DOUBLE(rill_trace_options, noise), U32(rill_trace_options, depth), DOUBLE(rill_trace_options, clamp),
};

static const field camera_fields[] = {
    VEC(rill_camera, eye), VEC(rill_camera, target), VEC(rill_camera, up), DOUBLE(rill_camera, angle),
    DOUBLE(rill_camera, aperture), DOUBLE(rill_camera, focus),
};

static const field material_fields[] = {
    ENUM(rill_material, kind),         FLOAT(rill_material, colour[0]),     FLOAT(rill_material, roughness),
    FLOAT(rill_material, index),       FLOAT(rill_material, absorption[1]), FLOAT(rill_material, scattering[2]),
    FLOAT(rill_material, forward),     U32(rill_material, priority),        FLOAT(rill_material, emission[0]),
    ENUM(rill_material, pattern),      FLOAT(rill_material, second[0]),     DOUBLE(rill_material, pattern_size),
    U32(rill_material, texture_width),
};

static const field sky_fields[] = {
    ENUM(rill_sky, kind), FLOAT(rill_sky, colour[0]), VEC(rill_sky, sun), DOUBLE(rill_sky, turbidity),
    DOUBLE(rill_sky, sun_radius), FLOAT(rill_sky, ground[0]), U32(rill_sky, map_width), DOUBLE(rill_sky, map_turn),
};

/* ---- values ---- */

enum { BAD_VALUES = 14 };

static inline double bad_double(uint32_t v)
{
    const double values[BAD_VALUES] = {NAN,    INFINITY, -INFINITY, -1,    0,     1e300, -1e300,
                                       1e-300, DBL_MAX,  -DBL_MAX,  5e-324, 1e39, 1e19,  1e-30};
    return values[v];
}

static inline uint32_t bad_word(uint32_t v)
{
    const uint32_t values[BAD_VALUES] = {UINT32_MAX, 0,     1,        2,        3,        7,         99,
                                         1000,       65536, 1u << 24, 1u << 30, 1u << 31, INT32_MAX, 64};
    return values[v];
}

/* Puts the v-th value into a field of a record. True where no code may take it: a number that is not finite, a kind
 * that does not exist. */
static inline bool poke(void *record, const field *f, uint32_t v)
{
    char *at = (char *)record + f->offset;
    const double number = bad_double(v);
    const float small = (float)number;
    const uint32_t word = bad_word(v);
    if (f->kind == KIND_DOUBLE) memcpy(at, &number, sizeof number);
    else if (f->kind == KIND_FLOAT) memcpy(at, &small, sizeof small);
    else memcpy(at, &word, sizeof word);
    if (f->kind == KIND_DOUBLE) return !isfinite(number);
    if (f->kind == KIND_FLOAT) return !isfinite(small);
    return f->kind == KIND_ENUM && word > 15;
}

#endif

/* A scene: what was asked for, as plain data. SI units, right-handed, z up.
 * Start from rill_scene_default(), add fluids, fills, boundaries and probes,
 * then hand it to rill_world_create(). rill/scene_text.h reads and writes scenes as
 * text. In librill. Pointers must not be NULL unless a comment says so; err always
 * may be. */
#ifndef RILL_SCENE_H
#define RILL_SCENE_H

#include <stdbool.h>

#include "rill/base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RILL_NAME_SIZE = 64, RILL_TEXT_SIZE = 240, RILL_VALUES_MAX = 32 };

typedef enum rill_kernel_kind {
    RILL_KERNEL_CUBIC,  /* cubic spline for density and gradients */
    RILL_KERNEL_MUELLER /* poly6 for density, spiky for gradients */
} rill_kernel_kind;

typedef enum rill_viscosity_kind {
    RILL_VISCOSITY_NONE,
    RILL_VISCOSITY_LAPLACIAN,  /* value: kinematic viscosity, m2/s */
    RILL_VISCOSITY_MUELLER,    /* value: kinematic viscosity, m2/s */
    RILL_VISCOSITY_XSPH,       /* value: share of the neighbours' mean velocity, 0..1 */
    RILL_VISCOSITY_ARTIFICIAL, /* value: alpha of Monaghan 1992, acts on approach only */
    RILL_VISCOSITY_IMPLICIT    /* value: kinematic viscosity, m2/s; stable at any value and step */
} rill_viscosity_kind;

typedef enum rill_tension_kind {
    RILL_TENSION_NONE,
    RILL_TENSION_COLOUR,  /* from the gradient of the colour field */
    RILL_TENSION_COHESION /* neighbours attract each other, Akinci et al. 2013 */
} rill_tension_kind;

typedef struct rill_fluid {
    char name[RILL_NAME_SIZE];
    double density; /* kg/m3, at rest */
    rill_viscosity_kind viscosity_kind;
    double viscosity;   /* meaning and unit depend on the kind */
    rill_tension_kind tension_kind;
    double tension;     /* against air, N/m; between two fluids it is the difference of theirs */
    double adhesion;    /* 0: a wall is to the fluid as air is, 1: as the fluid itself */
    double mass_factor; /* particle mass / (density * diameter^3); 0: exact rest density on the lattice */
    uint32_t colour;    /* 0xRRGGBB */
    double values[RILL_VALUES_MAX]; /* numbers of methods that have no member here; see rill_scene_set */
    uint64_t room[8]; /* for members to come; 0 */
} rill_fluid;

typedef enum rill_shape_kind {
    RILL_SHAPE_BOX,
    RILL_SHAPE_SPHERE,
    RILL_SHAPE_CYLINDER,
    RILL_SHAPE_CAPSULE, /* all that lies within a radius of a line */
    RILL_SHAPE_PLANE,   /* liquid is on the side that its normal points to, solid or not; no shape of a fill */
    RILL_SHAPE_INSIDE   /* of a fill alone: what a container holds up to a level */
} rill_shape_kind;

/* A turn of a shape, counter-clockwise as seen with the axis pointing at the viewer. */
typedef struct rill_rotate {
    int given;       /* 0: the shape is not rotated */
    int about_given; /* 0: about the centre of the shape */
    rill_vec3 axis;  /* of any length */
    double angle;    /* rad */
    rill_vec3 about; /* the point that stays where it is */
    uint64_t room[2]; /* for members to come; 0 */
} rill_rotate;

typedef struct rill_shape {
    rill_shape_kind kind;
    rill_vec3 from, to; /* box corners; the ends of the line in the middle of a cylinder or capsule */
    rill_vec3 center;   /* sphere; any point of a plane */
    double radius;      /* sphere, cylinder, capsule */
    rill_vec3 normal;   /* plane, of any length */
    rill_rotate rotate;
    uint64_t room[4]; /* for members to come; 0 */
} rill_shape;

typedef struct rill_fill {
    uint32_t fluid; /* index into fluids */
    rill_shape shape;
    char inside[RILL_NAME_SIZE]; /* RILL_SHAPE_INSIDE: the boundary that it fills, ... */
    double level;       /* ... up to this height above the boundary's lowest point, m */
    rill_vec3 velocity; /* at the start, m/s */
    double jitter;      /* how far particles lie off the lattice at random, along each axis, in diameters */
    uint64_t room[8]; /* for members to come; 0 */
} rill_fill;

/* Sides of a box, as bits. */
enum {
    RILL_SIDE_LOW_X = 1,
    RILL_SIDE_HIGH_X = 2,
    RILL_SIDE_LOW_Y = 4,
    RILL_SIDE_HIGH_Y = 8,
    RILL_SIDE_LOW_Z = 16,
    RILL_SIDE_HIGH_Z = 32,
    RILL_SIDE_ALL = 63
};

/* One more sine of a motion. Turns are vectors: an axis of the scene times the angle about it, counter-clockwise as
 * seen with the axis pointing at the viewer. */
typedef struct rill_sine {
    rill_vec3 amplitude; /* m */
    rill_vec3 swing;     /* rad */
    double period;       /* s */
    double phase;        /* rad */
    uint64_t room[4]; /* for members to come; 0 */
} rill_sine;

/* Where a boundary is at a time, from where and how the scene has it. */
typedef struct rill_keyframe {
    double time;    /* s after the start of the motion */
    rill_vec3 move; /* m */
    rill_vec3 turn; /* rad */
    uint64_t room[2]; /* for members to come; 0 */
} rill_keyframe;

/* Prescribed motion. With s = clamp(t, start, stop) - start, a boundary has moved by
 *   velocity * int e ds + sum of sines e amplitude sin(2 pi s / period + phase) + what the keyframes say,
 * less what that is at s = 0. In the same way it has turned about a point that is moved with it: first by its spin,
 * then by the sum of its swings, then by the turn of its keyframes. Keyframes are held before the first and after the
 * last; what runs through them has no jump in its velocity and never goes beyond two that follow each other. e is 1;
 * with a ramp it grows smoothly from 0 to 1 after the start and falls to 0 again before the stop. */
typedef struct rill_motion {
    rill_vec3 velocity;  /* m/s */
    rill_vec3 spin;      /* rad/s */
    rill_vec3 amplitude; /* m, of one sine that needs no list */
    rill_vec3 swing;     /* rad, of the same sine */
    double period;       /* s; 0: no sine */
    double phase;        /* rad */
    double start, stop;  /* s; stop 0: never stops */
    double ramp;         /* s */
    uint32_t sides;      /* which sides of a box move; those of a rotated one by what lies along their normals */
    int about_given;     /* 0: it turns about the centre of the shape */
    rill_vec3 about;     /* the point that it turns about, where that is at the start */
    rill_sine *sines;
    rill_keyframe *keyframes;
    uint32_t sine_count, keyframe_count;
    uint64_t room[8]; /* for members to come; 0 */
} rill_motion;

typedef struct rill_boundary {
    char name[RILL_NAME_SIZE];
    rill_shape shape;
    bool solid;           /* false: a container, fluid inside; true: an obstacle, fluid outside; a plane is neither */
    uint32_t open;        /* sides of a box that have no wall */
    bool snap;            /* round the sides to whole particle diameters */
    double slip;          /* 1: free slip, 0: no slip */
    rill_vec3 slide;      /* velocity of the surface along itself, m/s: a lid, a belt; needs slip < 1 */
    uint32_t slide_sides; /* the sides of a box that slide */
    double volume_factor; /* scales the boundary particles' volume; 0: a flat wall completes the lattice exactly */
    rill_motion motion;
    uint64_t room[8]; /* for members to come; 0 */
} rill_boundary;

typedef enum rill_quantity { RILL_DENSITY, RILL_PRESSURE, RILL_VELOCITY } rill_quantity;

typedef struct rill_probe {
    char name[RILL_NAME_SIZE];
    char kind[RILL_NAME_SIZE]; /* "front", "height", "point", "force", "torque", "kinetic", "potential", "volume" */
    int axis;              /* front: 0 x, 1 y, 2 z */
    rill_vec3 at;          /* point, height; torque: the point that it is about */
    rill_quantity of;      /* point */
    double radius;         /* height: how wide a column is looked at, m; 0: one diameter */
    int min_neighbours;    /* front, height: spray with fewer neighbours does not count */
    double values[RILL_VALUES_MAX]; /* as those of a fluid */
    uint32_t body;         /* force, torque: index into boundaries */
    int about_given;       /* torque: 0: about the centre of the body */
    int patch_given;       /* force, torque: 0: of the whole surface ... */
    rill_vec3 patch_from, patch_to; /* ... or of what of it lies in this box of the scene */
    uint64_t room[8]; /* for members to come; 0 */
} rill_probe;

typedef enum rill_eos { RILL_EOS_TAIT, RILL_EOS_LINEAR } rill_eos;
typedef enum rill_density_mode { RILL_DENSITY_SUMMATION, RILL_DENSITY_CONTINUITY } rill_density_mode;

typedef enum rill_iteration { RILL_ITERATION_ACCELERATED, RILL_ITERATION_JACOBI } rill_iteration;

typedef struct rill_solver_def {
    char kind[RILL_NAME_SIZE]; /* "dfsph", "iisph", "pcisph", "pbf", "wcsph" */
    rill_eos eos;
    double gamma;              /* exponent of Tait's equation */
    double sound_speed;        /* m/s; 0: ten times the expected top speed */
    bool negative_pressure;    /* keep pressures below zero */
    rill_density_mode density; /* summed over neighbours, or carried by the continuity equation */
    double diffusion;          /* delta of delta-SPH; needs continuity */
    rill_iteration iteration;  /* of the incompressible solvers */
    double density_error;      /* mean compression allowed, share of rest density; 0: the solver's own */
    double divergence_error;   /* mean density change a step allowed, share of rest density */
    uint32_t iterations_min, iterations_max;
    uint32_t iterations_pbf; /* the most of pbf, which is made for a few */
    uint64_t room[8]; /* for members to come; 0 */
} rill_solver_def;

typedef struct rill_time_def {
    double end;               /* s */
    double frames_per_second; /* 0: no frames but the last */
    double step_max, step_min, step_first; /* s; first 0: chosen */
    double cfl;               /* step <= cfl * diameter / speed */
    uint64_t room[4]; /* for members to come; 0 */
} rill_time_def;

/* The air through which spray flies. */
typedef struct rill_air_def {
    double coefficient; /* drag coefficient of a drop; 0: the air does not matter */
    double density;     /* kg/m3 */
    rill_vec3 wind;     /* m/s */
    uint64_t room[4]; /* for members to come; 0 */
} rill_air_def;

typedef enum rill_on_trouble { RILL_TROUBLE_STOP, RILL_TROUBLE_CONTINUE } rill_on_trouble;

typedef struct rill_output_def {
    bool frames;
    bool density, pressure; /* fields written beside what a restart needs */
    uint64_t room[4]; /* for members to come; 0 */
} rill_output_def;

typedef struct rill_scene {
    char name[RILL_NAME_SIZE];
    char about[RILL_TEXT_SIZE];
    double particle_diameter; /* m */
    double support;           /* kernel support radius / diameter */
    uint32_t seed;            /* of all that is random */
    rill_kernel_kind kernel;
    rill_vec3 gravity; /* m/s2 */
    rill_vec3 origin;  /* added to every coordinate of the scene in every file, m */
    bool periodic[3];  /* sides that wrap around, between domain_from and domain_to */
    rill_vec3 domain_from, domain_to;
    double shifting;  /* strength of particle shifting, 0: none */
    double vorticity; /* strength of vorticity confinement, m/s, 0: none */
    rill_air_def air;
    double speed_limit; /* m/s; a faster particle is trouble; 0: chosen */
    rill_on_trouble on_trouble;
    rill_time_def time;
    rill_solver_def solver;
    rill_output_def output;
    double values[RILL_VALUES_MAX]; /* as those of a fluid */
    rill_fluid *fluids;
    rill_fill *fills;
    rill_boundary *boundaries;
    rill_probe *probes;
    uint32_t fluid_count, fill_count, boundary_count, probe_count;
    uint64_t room[16]; /* for members to come; 0 */
} rill_scene;

/* Each def with good defaults. A scene owns its arrays; free it with
 * rill_scene_free. The add functions copy the def into the scene, with the lists of a motion. */
RILL_API rill_scene rill_scene_default(void);
RILL_API rill_fluid rill_fluid_default(void);         /* water */
RILL_API rill_fill rill_fill_default(void);
RILL_API rill_boundary rill_boundary_default(void);   /* a closed box, free slip */
RILL_API rill_motion rill_motion_default(void);       /* at rest; all sides move together */
RILL_API rill_sine rill_sine_default(void);           /* of a second, reaching nowhere */
RILL_API rill_keyframe rill_keyframe_default(void);   /* at the start, where the boundary is */
RILL_API rill_probe rill_probe_default(void);

RILL_API rill_status rill_scene_add_fluid(rill_scene *scene, const rill_fluid *fluid, rill_error *err);
RILL_API rill_status rill_scene_add_fill(rill_scene *scene, const rill_fill *fill, rill_error *err);
RILL_API rill_status rill_scene_add_boundary(rill_scene *scene, const rill_boundary *boundary, rill_error *err);
RILL_API rill_status rill_scene_add_probe(rill_scene *scene, const rill_probe *probe, rill_error *err);

/* Lists of a motion that grow. They are the motion's own then, and rill_motion_free frees them, which a scene does for
 * its boundaries. Lists of a boundary that is only added may as well be arrays of yours. */
RILL_API rill_status rill_motion_add_sine(rill_motion *motion, const rill_sine *sine, rill_error *err);
RILL_API rill_status rill_motion_add_keyframe(rill_motion *motion, const rill_keyframe *keyframe, rill_error *err);
RILL_API void rill_motion_free(rill_motion *motion);

RILL_API rill_status rill_scene_copy(rill_scene *to, const rill_scene *from, rill_error *err);
RILL_API void rill_scene_free(rill_scene *scene);

/* Refuses what makes no sense, with a sentence that says what and why. */
RILL_API rill_status rill_scene_check(const rill_scene *scene, rill_error *err);

/* Sets or reads a number by its key, as docs/scene.md has it: "time.end", "fluids.water.viscosity.value",
 * "fill.0.velocity.x". In SI units, with the checks of a scene file. */
RILL_API rill_status rill_scene_set(rill_scene *scene, const char *key, double value, rill_error *err);
RILL_API rill_status rill_scene_get(const rill_scene *scene, const char *key, double *value, rill_error *err);

/* A shape, or what a fill fills, in words: "sphere at (0, 0, 1) m, radius 0.2 m". Returns as snprintf does. */
RILL_API int rill_shape_describe(const rill_shape *shape, char *text, size_t size);
RILL_API int rill_fill_describe(const rill_fill *fill, char *text, size_t size);

/* Whether a boundary goes on along a periodic axis (0 x, 1 y, 2 z) of the scene instead of ending there: boxes that
 * hold liquid, and pipes. */
RILL_API bool rill_boundary_continues(const rill_scene *scene, const rill_boundary *boundary, int axis);

/* Rounds the sides of containers to whole diameters where their defs say so, as a world does with its own copy. */
RILL_API void rill_scene_snap(rill_scene *scene);

/* What a run of the scene will take. */
typedef struct rill_estimate {
    uint64_t particles, boundary_particles;
    uint64_t memory_bytes;
    uint64_t frames;
    uint64_t frame_bytes; /* each, on disk */
    uint64_t steps_least, steps_most; /* where the liquid moves at a fifth of the speed it may fall with, and at one
                                         and a half times that speed */
    uint64_t room[8]; /* for members to come; 0 */
} rill_estimate;
RILL_API rill_status rill_scene_estimate(const rill_scene *scene, rill_estimate *estimate, rill_error *err);

/* The mean compression allowed: what the scene says, or else its solver's own. */
RILL_API double rill_scene_density_error(const rill_scene *scene);

/* The diameter that gives about this many fluid particles. */
RILL_API double rill_scene_diameter_for(const rill_scene *scene, uint64_t particles);

#ifdef __cplusplus
}
#endif
#endif

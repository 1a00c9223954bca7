/* The world: all state that changes. rill_step is a function of the world and
 * the controls alone, so a run can be replayed, restarted and learned from.
 * The same scene gives the same particles, bit for bit, on any number of
 * threads, under any scheduler, and across a save and load. In librill. Pointers must
 * not be NULL unless a comment says so; err always may be.
 *
 * Threads. Any number of worlds may live and step at once, each in a thread of its own;
 * they share nothing but the allocator. One world takes one call at a time: what changes
 * it (a step, a change, a load) must be alone, while what takes a const world may be
 * called by several threads at once as long as nothing changes it, except for
 * rill_world_volume, which works in the world's own threads and wants it alone. A frame
 * and what else points into a world hold until the next call that changes it: a reader
 * that works while the world steps needs a snapshot or a copy of the frame
 * (rill_frame_file_of_world). Callbacks come in the thread of the call that they belong
 * to, a scheduler's loops in whatever threads it runs them; each_step may read the world,
 * and nothing else may call back into it.
 *
 * Versions. Before 1.0 a minor version may change this interface and the bits of
 * results, and says so in CHANGELOG.md; the soname has both numbers (librill.so.0.1). A
 * patch changes neither. docs/library.md says what holds from 1.0 on. */
#ifndef RILL_WORLD_H
#define RILL_WORLD_H

#include "rill/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rill_world rill_world;

typedef struct rill_options {
    unsigned threads;                 /* 0: all cores; at most 1024; ignored with a scheduler */
    const rill_scheduler *scheduler;  /* NULL: threads of our own */
    unsigned simd_width;              /* 0: the machine's own; 4, 8 or 16 */
    /* Told what is worth knowing and no error, in a sentence: what a world is made of, iterations that end at their
     * limit, particles that had to be held back. From the thread that called the library. NULL: nobody is told. */
    void (*log)(void *user, const char *sentence);
    void *log_user;
    uint64_t room[6]; /* for members to come; 0 */
} rill_options;

/* Where a body is to be: the place of its centre, and its rotation from what the numbers of its shape say, as a unit
 * quaternion w, x, y, z. */
typedef struct rill_body_target {
    rill_vec3 position;
    double rotation[4];
    uint64_t room[4]; /* for members to come; 0 */
} rill_body_target;

/* What acts from outside during a step. A body that is controlled does not follow its motion. Of two controls for one
 * body the last counts. */
typedef struct rill_body_control {
    uint32_t boundary;   /* index into the scene's boundaries ... */
    const char *name;    /* ... or, unless it is NULL, the boundary's name */
    rill_vec3 low, high; /* velocity of the low and the high sides of a box, m/s; other shapes take low */
    rill_vec3 spin;      /* rad/s: the axis that it turns about times the angular speed */
    const rill_body_target *target; /* NULL: it goes by the velocities. Else it heads for this, steadily, and is there
                                     * at the time `until` of the controls, which rill_advance sets */
    uint64_t room[8]; /* for members to come; 0 */
} rill_body_control;

struct rill_report;
typedef struct rill_controls {
    double until;             /* never step past this time, s; 0: no limit */
    const rill_vec3 *gravity; /* replaces the scene's, m/s2; NULL: the scene's */
    const rill_body_control *bodies; /* may be NULL where there are none */
    uint32_t body_count;
    /* rill_advance calls this after every step; false ends it there. NULL: not called. */
    bool (*each_step)(void *user, const rill_world *world, const struct rill_report *report);
    void *user;
    uint64_t room[6]; /* for members to come; 0 */
} rill_controls;

enum {
    RILL_PHASE_MAX = 16,        /* phases of a step */
    RILL_METHOD_VALUES_MAX = 32, /* figures that the methods of one world add to its report */
    RILL_COLUMN_MAX = 96        /* columns of a report, those of its methods included */
};

typedef enum rill_trouble_kind { RILL_TROUBLE_NONE, RILL_TROUBLE_NAN, RILL_TROUBLE_RUNAWAY } rill_trouble_kind;

/* A column of the report: what report.csv, summaries, plots and docs/run.md say of a figure follows from it. */
typedef enum rill_column_type {
    RILL_COLUMN_NUMBER,
    RILL_COLUMN_COUNT, /* a whole number, not below zero */
    RILL_COLUMN_FLAG,  /* 0 or 1 */
    RILL_COLUMN_WORD   /* a number with names; rill_report_text has them */
} rill_column_type;

/* What stands for a whole run. */
typedef enum rill_over_run {
    RILL_OVER_NONE, /* nothing: it belongs to its step */
    RILL_OVER_LAST,
    RILL_OVER_MEAN,
    RILL_OVER_MAX,
    RILL_OVER_SUM
} rill_over_run;

typedef struct rill_column {
    const char *name;
    const char *unit; /* "": none */
    rill_column_type type;
    rill_over_run over_run;
    const char *about; /* a sentence */
} rill_column;

/* What one step did, and any trouble. Members are figures of every world; those of its solver and forces are in
 * `values`. Each is a column, by which rill_world_column and docs/run.md say what it is and in which unit. */
typedef struct rill_report {
    uint64_t step;
    double time, dt;
    uint64_t particles, boundary_particles;
    double neighbours_mean, boundary_neighbours_mean;
    bool limit_hit;
    double speed_max;
    double kinetic, potential;
    rill_vec3 momentum;
    uint64_t rescued, lost;
    rill_trouble_kind trouble;
    uint64_t trouble_count, trouble_id;
    rill_vec3 trouble_at;
    double phase_seconds[RILL_PHASE_MAX];  /* named by rill_phase_name */
    double values[RILL_METHOD_VALUES_MAX]; /* read them with rill_report_value */
    uint32_t probe_value_count;
    const double *probe_values; /* named by rill_world_probe_name; valid until the next step */
    uint64_t room[16]; /* for members to come; 0 */
} rill_report;

/* A read-only view of the particles, valid until the next step. */
typedef struct rill_frame {
    uint64_t step;
    double time;
    double diameter;
    rill_vec3 origin;
    uint32_t count;
    const uint64_t *id; /* of a particle for its whole life; never given twice */
    const uint32_t *fluid;
    const float *position; /* four floats a particle: x, y, z relative to origin, and one without meaning */
    const float *velocity; /* four floats a particle, as position */
    const float *density;  /* kg/m3 */
    const float *pressure; /* Pa */
    uint64_t room[8]; /* for members to come; 0 */
} rill_frame;

/* Named arrays: everything an exact restart needs, and what is worth looking at. */
typedef enum rill_array_type { RILL_F32, RILL_F64, RILL_U32, RILL_U64 } rill_array_type;
typedef struct rill_array {
    char name[32];
    char unit[16];
    rill_array_type type;
    uint32_t lanes;  /* components */
    uint32_t stride; /* elements from one record to the next */
    uint64_t count;  /* records */
    bool derived;    /* not needed to restart */
    bool particle;   /* one record a particle */
    void *data;
    uint64_t room[2]; /* for members to come; 0 */
} rill_array;
typedef struct rill_state {
    rill_array *arrays;
    uint32_t count;
} rill_state;

/* ---- a world and its steps ---- */

/* Defaults, for structs that grow: members that come later are zero, which means what it did before. */
RILL_API rill_options rill_options_default(void);
RILL_API rill_controls rill_controls_default(void);
RILL_API rill_body_control rill_body_control_default(void); /* the first boundary, at rest */
RILL_API rill_body_target rill_body_target_default(void);   /* at zero, as the numbers of its shape say */

/* options may be NULL. NULL comes back when it failed. */
RILL_API rill_world *rill_world_create(const rill_scene *scene, const rill_options *options, rill_error *err);
RILL_API void rill_world_destroy(rill_world *world); /* NULL is fine */

/* One step. controls and report may be NULL. Returns RILL_TROUBLE when a particle turned
 * NaN or ran away and the scene says stop; the report names it. */
RILL_API rill_status rill_step(rill_world *world, const rill_controls *controls, rill_report *report, rill_error *err);

/* As many steps as it takes to pass `seconds`; the report is the last step's. controls and report may be NULL. Returns
 * RILL_CANCELLED where the callback of the controls ended it; the world is whole and can go on. */
RILL_API rill_status rill_advance(rill_world *world, double seconds, const rill_controls *controls, rill_report *report,
                                  rill_error *err);

RILL_API rill_frame rill_world_frame(const rill_world *world);
RILL_API double rill_world_time(const rill_world *world);
RILL_API uint64_t rill_world_step_count(const rill_world *world);
RILL_API const rill_scene *rill_world_scene(const rill_world *world);
RILL_API uint32_t rill_world_boundary_particles(const rill_world *world);
RILL_API double rill_world_particle_volume(const rill_world *world); /* of the liquid in each at rest, m3 */
RILL_API unsigned rill_world_threads(const rill_world *world);
RILL_API unsigned rill_world_simd_width(const rill_world *world);

/* Where a boundary is now. The numbers of a rotated one are those before its rotation, which says about which point. */
RILL_API rill_shape rill_world_boundary_shape(const rill_world *world, uint32_t boundary);

/* How a boundary is and what the liquid does to it. */
typedef struct rill_body_state {
    const char *name;
    rill_vec3 position; /* of its centre, m */
    double rotation[4]; /* from what the numbers of its shape say, as a unit quaternion w, x, y, z */
    rill_vec3 velocity; /* of its centre, m/s */
    rill_vec3 spin;     /* rad/s */
    rill_vec3 force;    /* of the liquid on it, mean of the last step, N; 0 before the first step */
    rill_vec3 torque;   /* the same about its centre, N m */
    uint64_t room[4]; /* for members to come; 0 */
} rill_body_state;
RILL_API uint32_t rill_world_body_count(const rill_world *world);
RILL_API rill_body_state rill_world_body(const rill_world *world, uint32_t boundary);

/* The columns of the world's reports, in the order of report.csv; NULL past the last. Which there are depends on its
 * solver and forces alone. */
RILL_API const rill_column *rill_world_column(const rill_world *world, uint32_t index);

/* A figure of a report of this world, by the name of its column or by its index. NaN: there is no such column. */
RILL_API double rill_report_value(const rill_world *world, const rill_report *report, const char *name);
RILL_API double rill_report_value_at(const rill_world *world, const rill_report *report, uint32_t index);

/* The same as text, as report.csv has it: whole numbers with all digits, words as words. Writes and returns as snprintf
 * does, which heeds the program's locale; 64 bytes are enough. */
RILL_API int rill_report_text(const rill_world *world, const rill_report *report, uint32_t index, char *text,
                              size_t size);

/* Every column that a report can have: those of all worlds, then those of each method. NULL past the last. *method, if
 * wanted, is the name of the solver or force it belongs to, NULL: it is in every report. A column that several methods
 * have comes once for each. */
RILL_API const rill_column *rill_column_known(uint32_t index, const char **method);
/* The first of them with this name; NULL: there is none. */
RILL_API const rill_column *rill_column_find(const char *name, const char **method);

/* The phase whose seconds a column of this name has; NULL: it is another. */
RILL_API const char *rill_column_phase(const char *name);

/* Names of the report's phases and probe values; NULL past the last. */
RILL_API const char *rill_phase_name(uint32_t phase);
RILL_API const char *rill_world_probe_name(const rill_world *world, uint32_t value);

/* What the nth value of a probe is; its name, behind that of the probe, is the column of probes.csv. NULL past the
 * last, and where there is no probe of that kind. */
RILL_API const rill_column *rill_probe_column(const rill_probe *probe, uint32_t value);

/* Names of the kinds of probes; NULL past the last. */
RILL_API const char *rill_probe_kind(uint32_t index);

/* Names of the solvers; NULL past the last. */
RILL_API const char *rill_solver_name(uint32_t index);

/* ---- snapshots and states ---- */

/* A copy in memory of all that changes. A world that takes steps and is brought back to a snapshot has the same time,
 * particles and future, bit for bit; so has another world of the same scene with vectors of the same width. It is
 * refused where it is of another scene: one made with other numbers in anything that the liquid's future depends on.
 * Names, colours, probes, output, seeds and the end may differ. */
typedef struct rill_snapshot rill_snapshot;
RILL_API rill_snapshot *rill_snapshot_take(const rill_world *world, rill_error *err); /* NULL when it failed */
RILL_API rill_status rill_snapshot_apply(rill_world *world, const rill_snapshot *snapshot, rill_error *err);
RILL_API void rill_snapshot_free(rill_snapshot *snapshot); /* NULL is fine */

/* What a snapshot holds, by name, for files of your own; valid as long as the snapshot is. */
RILL_API const rill_state *rill_snapshot_state(const rill_snapshot *snapshot);

/* Brings a world to a state that comes from a file, and checks every number of it.
 * The world must be of the same diameter, origin and domain, solver, kernel and
 * support, densities, fills and shapes of boundaries. All else may differ, so that
 * a run can go on with other numbers: times, limits of steps, forces; of boundaries
 * slip, motion but for the point that it turns about, open sides and volume_factor;
 * probes and output. The seed of the scene, and what was changed while the world ran,
 * become those of the state. A state that does not fit leaves the world as it was. */
RILL_API rill_status rill_world_load(rill_world *world, const rill_state *state, rill_error *err);
/* An array of a state by its name; NULL: not there. */
RILL_API const rill_array *rill_state_array(const rill_state *state, const char *name);

/* ---- changing a world between steps ---- */

/* Sets a number of the scene by its key, as rill_scene_set does, for the keys that docs/scene.md marks as live:
 * gravity, viscosities, tensions, tolerances, limits of steps, slip, motions. A force that was not there when the world
 * was made cannot begin to act. Refused changes leave the world as it was. */
RILL_API rill_status rill_world_change(rill_world *world, const char *key, double value, rill_error *err);

/* Adds liquid: a fill, of which what lies in walls is left out, or single particles, none of which may. The ids of new
 * particles follow each other from *first_id on. Liquid that would overlap other liquid is refused as a whole.
 * first_id and count may be NULL. */
typedef struct rill_new_particles {
    uint32_t count;
    const float *position; /* x, y, z each, in the coordinates of the scene, m */
    const float *velocity; /* the same, m/s; NULL: at rest */
    const uint32_t *fluid; /* index into the scene's fluids; NULL: the first */
    uint64_t room[4];      /* for members to come; 0 */
} rill_new_particles;
RILL_API rill_new_particles rill_new_particles_default(void); /* none */
RILL_API rill_status rill_world_add_fill(rill_world *world, const rill_fill *fill, uint64_t *first_id, uint32_t *count,
                                         rill_error *err);
RILL_API rill_status rill_world_add(rill_world *world, const rill_new_particles *particles, uint64_t *first_id,
                                    rill_error *err);

/* Takes particles away, or gives them velocities (x, y, z each, m/s). An id that is not there, or comes twice, is
 * refused, and nothing is done. */
RILL_API rill_status rill_world_remove(rill_world *world, const uint64_t *ids, size_t count, rill_error *err);
RILL_API rill_status rill_world_set_velocities(rill_world *world, const uint64_t *ids, const float *velocity,
                                               size_t count, rill_error *err);

/* ---- reading a world anywhere ---- */

/* What the liquid is like at a point of the scene, as a probe there would read it; all zero where it is dry. */
typedef struct rill_sample {
    bool wet;
    double density;     /* kg/m3 */
    double pressure;    /* Pa */
    rill_vec3 velocity; /* m/s */
    uint64_t room[4]; /* for members to come; 0 */
} rill_sample;
RILL_API void rill_world_sample(const rill_world *world, const rill_vec3 *at, size_t count, rill_sample *samples);

/* The volume that the liquid fills, m3, measured in space: where it sinks or leaks, this shows it. Swelling shows in
 * deep liquid alone: within some four diameters of a surface, liquid that has swollen counts as what it holds. Costs
 * about half a step. NaN: there is no memory for it. */
RILL_API double rill_world_volume(const rill_world *world);

/* Particles in a box: from <= x < to. */
RILL_API uint64_t rill_world_count(const rill_world *world, rill_vec3 from, rill_vec3 to);

/* A hash of the particles (id, position, velocity), whatever their order in memory. */
RILL_API uint64_t rill_world_hash(const rill_world *world);

#ifdef __cplusplus
}
#endif
#endif

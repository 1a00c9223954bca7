/* The inside of a world. */
#ifndef RILL_WORLD_WORLD_H
#define RILL_WORLD_WORLD_H

#include "fluid/sph.h"
#include "physics/boundary/guard.h"
#include "physics/method.h"
#include "rill/world.h"

/* Phases of a step, timed apart. */
enum {
    RILL_PHASE_BODIES,
    RILL_PHASE_SEARCH,
    RILL_PHASE_DENSITY,
    RILL_PHASE_FORCES,
    RILL_PHASE_SOLVE,
    RILL_PHASE_MOVE,
    RILL_PHASE_PROBES,
    RILL_PHASE_COUNT
};

/* Who steps when, and by how much. */
typedef struct rill_clock {
    double time;
    uint64_t step;
    double dt;           /* for which the last step was solved; 0 before the first */
    double taken;        /* the time that it took */
    double speed;        /* fastest particle after the last step */
    double acceleration; /* largest of the last step */
    double head;         /* highest pressure of the last step over rest density, m2/s2 */
} rill_clock;

/* What moving the particles found. */
typedef struct rill_move_stats {
    double speed, acceleration; /* the largest; acceleration only where pressure is explicit */
    double kinetic, potential;
    double momentum[3];
    uint64_t rescued, lost, trouble;
    uint64_t trouble_id; /* the smallest id in trouble */
    rill_trouble_kind trouble_kind;
    rill_vec3 trouble_at;
} rill_move_stats;

/* What the wall particles of a body depend on, in its own frame. */
typedef struct rill_wall_key {
    double numbers[RILL_GEOMETRY_NUMBERS], repeat[3], volume_factor;
    rill_vec3 size; /* for which weights are found */
    rill_bounds clip;
    uint32_t kind, flags, alone; /* the body that has them for itself, plus one; 0: whoever has this key */
    uint32_t unused; /* keys are compared byte by byte */
} rill_wall_key;

/* As many as the widest support reaches. */
enum { RILL_WALL_LAYERS_MOST = 6 };

/* The wall particles of bodies of one shape and size in their own frame, and their weights. */
typedef struct rill_wall_samples {
    struct rill_wall_samples *next;
    uint32_t users; /* bodies */
    rill_wall_key key;
    rill_vec3 sampled; /* the size for which particles are placed */
    uint32_t count;
    uint32_t layer_end[RILL_WALL_LAYERS_MOST]; /* samples up to the end of each layer */
    float *psi; /* in the order of the sampling */
    rill_vec3 *samples;
} rill_wall_samples;

/* The name of a column of probes.csv: that of the probe, and which of its values. */
typedef struct rill_probe_name {
    char text[RILL_NAME_SIZE + 16];
} rill_probe_name;

/* The name of a body, for looking it up. */
typedef struct rill_body_name {
    const char *name;
    uint32_t body;
} rill_body_name;

/* A force that the scene asks for. */
typedef struct rill_world_force {
    const rill_force *method;
    void *state;
    uint32_t first_value; /* of its columns, in rill_report.values */
} rill_world_force;

/* What a scene must have in common with the one that a state comes from, each as a hash. Times, limits of steps,
 * viscosities, slip, probes and output may differ: a run may go on with other ones. */
enum { RILL_IDENTITY_SPACE, RILL_IDENTITY_SOLVER, RILL_IDENTITY_FLUIDS, RILL_IDENTITY_FILLS, RILL_IDENTITY_BOUNDARIES,
       RILL_IDENTITY_COUNT };

/* A number that was changed while the world ran. */
typedef struct rill_key {
    char text[3 * RILL_NAME_SIZE];
} rill_key;

typedef struct rill_change {
    uint64_t hash; /* of the key, by which states name it */
    double before, value;
    rill_key key;
} rill_change;

/* More keys than any scene that fits into memory has. */
enum { RILL_CHANGES_MOST = 1 << 20 };

struct rill_world {
    uint64_t identity[RILL_IDENTITY_COUNT];
    uint64_t scene_hash; /* of the scene it was made from, before any change */
    rill_scene scene; /* resolved: boxes snapped, names filled in */
    rill_sph sph;
    rill_clock clock;
    void (*log)(void *user, const char *sentence);
    void *log_user;
    uint32_t told; /* bits of what the log was told already */
    rill_threads *threads; /* NULL: the host schedules */
    const rill_fluid_ops *ops;
    const rill_solver *solver;
    void *solver_state;
    uint32_t solver_first_value; /* of its columns, in rill_report.values */
    const rill_wall_method *walls;
    void *walls_state;
    rill_world_force *forces; /* in the order in which they act */
    uint32_t force_count;
    const rill_column *value_columns[RILL_METHOD_VALUES_MAX]; /* of all methods: what rill_report.values are */
    uint32_t value_count;
    double sound_speed, speed_limit;
    rill_change *changes;
    uint32_t change_count;
    bool walls_accelerate; /* wall particles were made with accelerations, so they are made again without them */
    double body_speed; /* of the fastest point of a body in this step, at most */
    rill_body *bodies; /* one per boundary of the scene */
    uint32_t body_count;
    rill_body_name *names; /* of the bodies, sorted */
    const rill_body_control **steered; /* one per body, of this step; NULL: it follows its motion */
    rill_guard guard; /* of the bodies where the last step, or a look at the particles, found them */
    rill_wall_samples **samples, *sample_list; /* of every body, and all that there are */
    uint32_t *wall_first; /* where the wall particles of every body begin, while they are placed */
    bool *moves;          /* bodies whose wall particles are made again for every step */
    bool walls_made;      /* they were made before */
    bool walls_stale;     /* all wall particles must be made again */
    rill_patch *patches; /* of the probes that have one, in their order */
    uint32_t patch_count;
    uint32_t start_field; /* row of the velocities with which a step began, while only a part of it is taken */
    double *probe_values;
    rill_probe_name *probe_names;
    uint32_t probe_value_count;
};

/* create.c: a world whose inner loops are these, whatever the width in the options. */
rill_world *rill_world_create_with(const rill_fluid_ops *ops, const rill_scene *scene, const rill_options *options,
                                   rill_error *err);

/* Tells the host's log a sentence, if there is one. */
void rill_world_log(const rill_world *world, const char *format, ...) RILL_PRINTF(2, 3);

/* scene_check.c: as rill_scene_check, and that probes have columns of their own, as files need them; `at` points to the
 * value at fault in the scene, or is NULL. */
RILL_SHARED rill_status rill_scene_check_at(const rill_scene *scene, const void **at, rill_error *err);

/* fill.c: calls back for every particle of a fill; stops when each returns false, or at once when there is more room
 * for particles than any world can hold. */
typedef bool rill_fill_each(void *user, rill_vec3 at);
/* Places of the lattice around a fill, of which some may lie outside it or in a wall. */
double rill_fill_places(const rill_scene *scene, const rill_body *bodies, const rill_fill *fill);
bool rill_fill_particles(const rill_scene *scene, const rill_guard *room, const rill_fill *fill, rill_fill_each *each,
                         void *user);
/* The room that bodies leave, for a guard that is free or of other bodies. */
rill_status rill_fill_room(const rill_scene *scene, const rill_body *bodies, rill_guard *room, rill_error *err);
/* Whether a particle may lie there: inside a container, if there is any, and outside every obstacle. */
bool rill_fill_allowed(const rill_scene *scene, const rill_guard *room, rill_vec3 at);
/* What a fill fills: a shape, or what a body holds below a level. */
typedef struct rill_region {
    rill_shape shape;
    rill_pose pose;
    rill_vec3 up;
    double level; /* m along `up`; infinite: all of the shape */
    bool held;
    rill_body body; /* if held: what holds it */
} rill_region;
/* The boundary that a fill is inside of; -1: there is none of that name. */
int rill_fill_container(const rill_scene *scene, const rill_fill *fill);
/* Where bodies are, or, if they are NULL, where the scene has them. */
rill_region rill_fill_region(const rill_scene *scene, const rill_body *bodies, const rill_fill *fill);
/* Whether a point is so deep in it. */
bool rill_region_holds(const rill_region *region, rill_vec3 at, double depth);
rill_bounds rill_region_bounds(const rill_region *region);
/* The lowest and highest point along a unit vector. */
void rill_region_extent(const rill_region *region, rill_vec3 way, double *low, double *high);
double rill_region_volume(const rill_region *region);
/* Half of its height along a unit vector. */
double rill_region_reach(const rill_region *region, rill_vec3 way);
/* Whether liquid that falls ends there: a container, or a plane that does not face down. */
bool rill_boundary_catches(const rill_boundary *boundary, rill_vec3 up);
/* Against gravity, or along z where there is none. */
rill_vec3 rill_scene_up(const rill_scene *scene);
/* Bodies as the scene places them. */
rill_body rill_body_of(const rill_scene *scene, const rill_boundary *boundary);
void rill_bodies_place(const rill_scene *scene, rill_body *bodies);

/* overlap.c: two fills that hold the same place would explode at once. first[f] is the id of fill f's first particle,
 * and one more ends the list. */
/* None may have a whole particle in the shape of another; particles still in the order of their ids. */
rill_status rill_overlap_of_shapes(const rill_world *world, const uint32_t *first, rill_error *err);
/* No two particles may lie less than half a diameter apart; after a search. */
rill_status rill_overlap_of_particles(const rill_world *world, const uint32_t *first, rill_error *err);

/* identity.c: that of a scene whose boxes are snapped. */
void rill_identity_of(const rill_scene *scene, uint64_t identity[RILL_IDENTITY_COUNT]);
/* All that the future of the scene's world depends on beside its state, as a hash. */
uint64_t rill_scene_hash(const rill_scene *scene);
/* What differs, as the rest of a sentence such as "other fluids". */
const char *rill_identity_word(uint32_t part);

/* state.c: the arrays of a state as views into the world, valid until its next step, for rill_state_free; with `all`,
 * those as well that the scene leaves out of files. */
RILL_SHARED rill_status rill_world_views(const rill_world *world, bool all, rill_state *views, rill_error *err);
/* Frees the list of arrays, not what they point to. */
void rill_state_free(rill_state *state);
/* Brings the world to a state. One with the hash of its scene is a snapshot's: it was never out of memory, so its
 * values are trusted, and the scene must be the same. NULL: it is from a file. */
rill_status rill_world_restore(rill_world *world, const rill_state *state, const uint64_t *scene_hash,
                               rill_error *err);
RILL_SHARED size_t rill_array_element(rill_array_type type); /* bytes */

/* change.c: takes the numbers of the scene that may change while the world runs. */
void rill_world_tune(rill_world *world);
/* Makes the changes of a state instead of those made so far; both arrays may be NULL. */
rill_status rill_world_take_changes(rill_world *world, const rill_array *keys, const rill_array *values,
                                    rill_error *err);

/* particles.c: adds so many particles, where a world can hold them. */
rill_status rill_world_append(rill_world *world, uint64_t count, rill_error *err);
/* How many particles a fill has in the room that bodies leave, and filling them in, from the particle `first` on;
 * returns the one behind them. */
rill_status rill_world_fill_count(const rill_world *world, const rill_guard *room, const rill_fill *fill,
                                  uint64_t *count, rill_error *err);
uint32_t rill_world_fill_put(rill_world *world, const rill_guard *room, const rill_fill *fill, uint32_t first);
/* Liquid that was not yet in a step is shown at rest density; from the particle `first` on. Derived fields do not go
 * along when a step sorts, so this comes after that. */
void rill_world_set_densities(rill_world *world, uint32_t first);
/* Sorts the particles and sees how fast they are, after some came, went or were given other velocities. */
rill_status rill_world_refresh(rill_world *world, rill_error *err);

/* walls.c: makes the wall particles of all bodies, whose velocities have changed within so much time; 0: they were not
 * in a step yet. */
rill_status rill_world_make_walls(rill_world *world, double between, rill_error *err);
/* Whether a body's wall particles, or how they move, are other ones than in the step before. */
bool rill_body_walls_change(const rill_body *body);

/* wall_samples.c: whether a body has samples that fit its size, its own or those of another body like it. */
bool rill_wall_samples_known(rill_world *world, uint32_t body);
/* Makes them. */
rill_status rill_wall_samples_make(rill_world *world, uint32_t body, rill_error *err);
/* While a side moves weights stay and samples follow. */
void rill_wall_samples_fit(rill_world *world, uint32_t body);
void rill_wall_samples_free(rill_world *world);
uint64_t rill_body_count_particles(const rill_body *body, double diameter);
/* About as many, and hardly fewer: for bodies too large to count. */
double rill_body_guess_particles(const rill_body *body, double diameter);

/* clock.c */
/* A step is divided into at most so many parts for forces that change fast. */
enum { RILL_PARTS_MOST = 64 };
/* The longest time for which every active force may be held. */
double rill_world_longest_part(const rill_world *world);
/* The longest step in which particles may move under every active force. */
double rill_world_longest_step(const rill_world *world);
/* No point of a body is faster in the next step. */
double rill_clock_body_speed(const rill_world *world, double until);
/* The next step: as long as may be, and not past `until`, 0: there is none. */
double rill_clock_choose(const rill_world *world, double until);
/* Chooses who takes part in the step, which the liquid knows from then on. */
rill_blocks rill_clock_due(rill_world *world);
/* The step to solve for, of which only dt is taken: dt itself, unless that is much shorter than usual. */
double rill_clock_solved(const rill_world *world, double dt);
/* Before and after a step of which only the share dt / solved is taken. */
rill_status rill_clock_begin_part(rill_world *world, const rill_step_context *step, rill_error *err);
void rill_clock_end_part(rill_world *world, const rill_step_context *step, double share);
/* Nor than this, ever, where only its motion moves a boundary. */
double rill_clock_motion_speed(const rill_scene *scene, const rill_boundary *boundary);
double rill_world_expected_speed(const rill_scene *scene);
double rill_world_expected_head(const rill_scene *scene);
double rill_clock_head(const rill_world *world);

/* steer.c: makes ready to look for controls. */
rill_status rill_controls_create(rill_world *world, rill_error *err);
/* Finds the controls of bodies for the step to come; refuses what would poison the world. */
rill_status rill_controls_take(rill_world *world, const rill_controls *controls, rill_error *err);
/* Gives all bodies their velocities for a step of dt, from those of the step before a time of `between` ago, and makes
 * wall particles again where that changes them. */
rill_status rill_bodies_steer(rill_world *world, double until, double dt, double between, rill_error *err);

/* report.c: the columns of a method, which may be NULL, get a place in rill_report.values from *first on. */
rill_status rill_report_add_columns(rill_world *world, const rill_column *columns, uint32_t *first, rill_error *err);

/* move.c */
/* Pressure keeps liquid half a diameter from a wall. Spray has no pressure: it
 * comes this near, in diameters, and no nearer. */
#define RILL_CONTACT_DISTANCE 0.25
/* `shift` is a row of records to add to the displacement, or UINT32_MAX. */
rill_status rill_world_move(rill_world *world, const rill_step_context *step, uint32_t shift, rill_move_stats *stats,
                            rill_error *err);
/* Sums up energies and the like without moving. */
rill_status rill_world_measure(rill_world *world, rill_move_stats *stats, rill_error *err);

/* patch.c: patches have sums behind those of bodies, as many each. */
rill_status rill_patches_create(rill_world *world, rill_error *err);
bool rill_probe_has_patch(const rill_probe *probe);
/* At the end of a step, before bodies move: what patches gave the liquid, times a share, is taken from them over dt. */
void rill_patches_react(rill_world *world, const rill_step_context *step, double share);
/* Adds what a body gave at a place to the sums of its patches, and takes what a pass has added up. */
void rill_patches_note(const rill_world *world, uint32_t body, rill_vec3 at, rill_vec3 given, rill_sum *sums);
void rill_patches_take(rill_world *world, double dt);
/* step.c: a force and a torque less what six sums have given over dt. */
void rill_reaction_take(const rill_sum *given, double dt, rill_vec3 *force, rill_vec3 *torque);

/* probe.c: how many values a probe has, and the names of their columns. */
uint32_t rill_probe_columns(const rill_probe *probe);
void rill_probe_column_name(const rill_probe *probe, uint32_t value, rill_probe_name *name);
rill_status rill_probes_create(rill_world *world, rill_error *err);
void rill_probes_measure(rill_world *world, const rill_move_stats *stats);

#endif

/* The keys that every scene has; those of solvers, forces and probes stand in their files. Every row's sentence is what
 * docs/scene.md says of it; its default is that of the def it belongs to. */
#include "world/table.h"

#include <stddef.h>
#include <string.h>

_Static_assert(sizeof(rill_kernel_kind) == sizeof(int) && sizeof(rill_shape_kind) == sizeof(int) &&
                   sizeof(rill_viscosity_kind) == sizeof(int) && sizeof(rill_tension_kind) == sizeof(int) &&
                   sizeof(rill_quantity) == sizeof(int) && sizeof(rill_eos) == sizeof(int) &&
                   sizeof(rill_density_mode) == sizeof(int) && sizeof(rill_on_trouble) == sizeof(int),
               "a choice is kept as an int");
_Static_assert(offsetof(rill_fluid, name) == 0 && offsetof(rill_boundary, name) == 0 && offsetof(rill_probe, name) == 0,
               "a named item begins with its name");

/* ---- words ---- */

static const rill_word kernel_words[] = {{"cubic", RILL_KERNEL_CUBIC}, {"mueller", RILL_KERNEL_MUELLER}, {0}};
static const rill_word trouble_words[] = {{"stop", RILL_TROUBLE_STOP}, {"continue", RILL_TROUBLE_CONTINUE}, {0}};
static const rill_word fill_shape_words[] = {{"box", RILL_SHAPE_BOX},
                                             {"sphere", RILL_SHAPE_SPHERE},
                                             {"cylinder", RILL_SHAPE_CYLINDER},
                                             {"capsule", RILL_SHAPE_CAPSULE},
                                             {"inside", RILL_SHAPE_INSIDE},
                                             {0}};
static const rill_word boundary_shape_words[] = {{"box", RILL_SHAPE_BOX},
                                                 {"sphere", RILL_SHAPE_SPHERE},
                                                 {"cylinder", RILL_SHAPE_CYLINDER},
                                                 {"capsule", RILL_SHAPE_CAPSULE},
                                                 {"plane", RILL_SHAPE_PLANE},
                                                 {0}};
static const char *const fill_shapes[] = {"box", "sphere", "cylinder", "capsule", "inside", NULL};
static const char *const boundary_shapes[] = {"box", "sphere", "cylinder", "capsule", "plane", NULL};
static const rill_word side_words[] = {{"-x", RILL_SIDE_LOW_X},  {"+x", RILL_SIDE_HIGH_X}, {"-y", RILL_SIDE_LOW_Y},
                                       {"+y", RILL_SIDE_HIGH_Y}, {"-z", RILL_SIDE_LOW_Z},  {"+z", RILL_SIDE_HIGH_Z},
                                       {0}};
static const rill_word periodic_words[] = {{"x", offsetof(rill_scene, periodic)},
                                           {"y", offsetof(rill_scene, periodic) + sizeof(bool)},
                                           {"z", offsetof(rill_scene, periodic) + 2 * sizeof(bool)},
                                           {0}};
static const rill_word field_words[] = {{"velocity", RILL_WORD_ALWAYS},
                                        {"density", offsetof(rill_scene, output.density)},
                                        {"pressure", offsetof(rill_scene, output.pressure)},
                                        {0}};

/* ---- shapes, shared by fills and boundaries ---- */

/* Whether a rotation, or the point it is about, is given. */
static const rill_word given_words[] = {{"none", 0}, {"given", 1}, {0}};

#define ENDS(owner, what)                                                                                              \
    {"from", RILL_PARAM_VECTOR, RILL_LENGTH, .offset = offsetof(rill_##owner, shape.from), .required = true,           \
     .about = "One end of the line in the middle of the " what "."},                                                   \
    {"to", RILL_PARAM_VECTOR, RILL_LENGTH, .offset = offsetof(rill_##owner, shape.to), .required = true,               \
     .about = "The other end of it."},                                                                                 \
    {"radius", RILL_PARAM_NUMBER, RILL_LENGTH, RILL_ABOVE(0), .offset = offsetof(rill_##owner, shape.radius),          \
     .required = true, .about = "The radius of the " what "."},                                                        \
    {0}

#define SHAPE_PARTS(owner)                                                                                             \
    static const rill_selector owner##_shape = {"shape", offsetof(rill_##owner, shape.kind), owner##_shape_words};     \
    static const rill_selector owner##_rotate = {"rotation", offsetof(rill_##owner, shape.rotate.given), given_words}; \
    static const rill_selector owner##_about = {"centre of rotation",                                                  \
                                                offsetof(rill_##owner, shape.rotate.about_given), given_words};        \
    static const rill_param owner##_box[] = {                                                                          \
        {"from", RILL_PARAM_VECTOR, RILL_LENGTH, .offset = offsetof(rill_##owner, shape.from), .required = true,       \
         .about = "The corner with the smallest x, y and z."},                                                         \
        {"to", RILL_PARAM_VECTOR, RILL_LENGTH, .offset = offsetof(rill_##owner, shape.to), .required = true,           \
         RILL_INSTEAD("size"), .about = "The corner opposite to `from`."},                                             \
        {"size", RILL_PARAM_SIZE, RILL_LENGTH, RILL_ABOVE(0), .offset = offsetof(rill_##owner, shape.to),              \
         .base = offsetof(rill_##owner, shape.from), .required = true, RILL_INSTEAD("to"),                             \
         .about = "The lengths of the box's edges, instead of `to`."},                                                 \
        {0}};                                                                                                          \
    static const rill_param owner##_sphere[] = {                                                                       \
        {"center", RILL_PARAM_VECTOR, RILL_LENGTH, .offset = offsetof(rill_##owner, shape.center), .required = true,   \
         .about = "The centre of the sphere."},                                                                        \
        {"radius", RILL_PARAM_NUMBER, RILL_LENGTH, RILL_ABOVE(0), .offset = offsetof(rill_##owner, shape.radius),      \
         .required = true, .about = "The radius of the sphere."},                                                      \
        {0}};                                                                                                          \
    static const rill_param owner##_cylinder[] = {ENDS(owner, "cylinder")};                                            \
    static const rill_param owner##_capsule[] = {ENDS(owner, "capsule")};                                              \
    static const rill_param owner##_turn[] = {                                                                         \
        {"axis", RILL_PARAM_VECTOR, .offset = offsetof(rill_##owner, shape.rotate.axis), .required = true,             \
         .about = "The direction of the axis, of any length. Seen with it pointing at you, the shape turns "           \
                  "counter-clockwise."},                                                                               \
        {"angle", RILL_PARAM_NUMBER, RILL_ANGLE, .offset = offsetof(rill_##owner, shape.rotate.angle),                 \
         .required = true, .about = "The angle, as in `20 deg`."},                                                     \
        {"about", RILL_PARAM_VECTOR, RILL_LENGTH, .offset = offsetof(rill_##owner, shape.rotate.about),                \
         .chooses = &owner##_about, .choice = 1,                                                                       \
         .about = "The point that stays where it is; without it, the centre of the shape."},                           \
        {0}}

/* A shape's row; each shape is one of its words, which may be given instead of one another. */
#define SHAPE_ROW(owner, shape, kind, sentence)                                                                        \
    {#shape, RILL_PARAM_GROUP, .parts = owner##_##shape, .chooses = &owner##_shape, .choice = kind, .required = true,  \
     .instead = owner##_shapes, .flow = true, .about = sentence}

#define SHAPE_ROWS(owner)                                                                                              \
    SHAPE_ROW(owner, box, RILL_SHAPE_BOX, "A box along the axes."),                                                    \
        SHAPE_ROW(owner, sphere, RILL_SHAPE_SPHERE, "A sphere."),                                                      \
        SHAPE_ROW(owner, cylinder, RILL_SHAPE_CYLINDER, "A cylinder with flat ends."),                                 \
        SHAPE_ROW(owner, capsule, RILL_SHAPE_CAPSULE, "A cylinder with round ends: all within a radius of a line.")

#define ROTATE_ROW(owner, kinds)                                                                                       \
    {                                                                                                                  \
        "rotate", RILL_PARAM_GROUP, .parts = owner##_turn, .chooses = &owner##_rotate, .choice = 1,                    \
            .by = &owner##_shape, .only = kinds, .flow = true,                                                         \
            .about = "Turns the shape, and with it the lattice of a fill."                                             \
    }

/* ---- fluids ---- */

static const rill_param fluid_parts[] = {
    {"density", RILL_PARAM_NUMBER, RILL_MASS_DENSITY, RILL_BETWEEN(RILL_LEAST_DENSITY, RILL_MOST_DENSITY),
     .offset = offsetof(rill_fluid, density),
     .about = "The density at rest."},
    {"mass_factor", RILL_PARAM_NUMBER, RILL_BETWEEN(0, 10), .offset = offsetof(rill_fluid, mass_factor),
     .about = "The mass of a particle over density times diameter cubed; 0 chooses it so that the fluid starts exactly "
              "at rest density. The same for all fluids of a scene."},
    {"colour", RILL_PARAM_COLOUR, .offset = offsetof(rill_fluid, colour), .passive = true,
     .about = "For pictures: red, green and blue, as in `\"#3a7bd5\"`, in quotes, or a name such as `blue`: one of the "
              "basic colours of CSS or orange, pink, brown, gold, tan."},
    {"", RILL_PARAM_METHODS, .in = RILL_IN_FLUID},
    {0}};

/* ---- fills ---- */

SHAPE_PARTS(fill);
static const rill_param fill_parts[] = {
    {"fluid", RILL_PARAM_FLUID, .offset = offsetof(rill_fill, fluid), .about = "Which of the fluids."},
    SHAPE_ROWS(fill),
    {"inside", RILL_PARAM_NAME, .offset = offsetof(rill_fill, inside), .chooses = &fill_shape,
     .choice = RILL_SHAPE_INSIDE, .required = true, .instead = fill_shapes,
     .about = "The name of a container, whatever its shape, which is filled up to `level` on a lattice that lies as it "
              "does."},
    {"level", RILL_PARAM_NUMBER, RILL_LENGTH, RILL_ABOVE(0), .offset = offsetof(rill_fill, level), .required = true,
     .by = &fill_shape, .only = RILL_BIT(RILL_SHAPE_INSIDE),
     .about = "How high it is filled above its lowest point, against gravity. Up to there all its sides need walls."},
    ROTATE_ROW(fill, ~RILL_BIT(RILL_SHAPE_INSIDE)),
    {"velocity", RILL_PARAM_VECTOR, RILL_SPEED, .offset = offsetof(rill_fill, velocity),
     .about = "The velocity at the start."},
    {"jitter", RILL_PARAM_NUMBER, RILL_BETWEEN(0, 0.2), .offset = offsetof(rill_fill, jitter),
     .about =
         "Moves every particle off the lattice by up to this share of a diameter along each axis, at random; the same "
         "`seed` gives the same places. Perfect order can survive for long where nothing stirs."},
    {0}};

/* ---- boundaries ---- */

SHAPE_PARTS(boundary);
static const rill_param boundary_plane[] = {
    {"point", RILL_PARAM_VECTOR, RILL_LENGTH, .offset = offsetof(rill_boundary, shape.center), .required = true,
     .about = "Any point of the plane."},
    {"normal", RILL_PARAM_VECTOR, .offset = offsetof(rill_boundary, shape.normal), .required = true,
     .about = "The direction to the side that the fluid is on, of any length."},
    {0}};
static const rill_reading solid_variants[] = {
    [RILL_SHAPE_BOX] = {.fixed = true, .fallback = 0},
    [RILL_SHAPE_SPHERE] = {.fixed = true, .fallback = 1},
    [RILL_SHAPE_CYLINDER] = {.fixed = true, .fallback = 1},
    [RILL_SHAPE_CAPSULE] = {.fixed = true, .fallback = 1},
    [RILL_SHAPE_PLANE] = {.dimension = RILL_ANY_DIMENSION, .fixed = true, .fallback = 1},
};
static const rill_param slide_parts[] = {
    {"velocity", RILL_PARAM_VECTOR, RILL_SPEED, .offset = offsetof(rill_boundary, slide), .live = true,
     .about = "The velocity of the surface."},
    {"sides", RILL_PARAM_SIDES, .offset = offsetof(rill_boundary, slide_sides), .words = side_words,
     .by = &boundary_shape, .only = RILL_BIT(RILL_SHAPE_BOX), .about = "Which sides of a box slide."},
    {0}};

static const rill_param sine_parts[] = {
    {"amplitude", RILL_PARAM_VECTOR, RILL_LENGTH, .offset = offsetof(rill_sine, amplitude), .live = true,
     .about = "The reach, to either side."},
    {"swing", RILL_PARAM_VECTOR, RILL_ANGLE, .turn = true, .offset = offsetof(rill_sine, swing), .live = true,
     .about = "The angle that it turns by, to either side."},
    {"period", RILL_PARAM_NUMBER, RILL_TIME, RILL_ABOVE(0), .offset = offsetof(rill_sine, period), .required = true,
     .live = true, .about = "The period."},
    {"phase", RILL_PARAM_NUMBER, RILL_ANGLE, .offset = offsetof(rill_sine, phase), .live = true,
     .about = "Where in its period it begins."},
    {0}};

/* Their numbers are not live: keyframes may be many, and what is live is looked for by name. */
static const rill_param keyframe_parts[] = {
    {"time", RILL_PARAM_NUMBER, RILL_TIME, RILL_BETWEEN(0, RILL_MOST_TIME), .offset = offsetof(rill_keyframe, time),
     .required = true, .about = "When, counted from `start`; later than the one before."},
    {"move", RILL_PARAM_VECTOR, RILL_LENGTH, .offset = offsetof(rill_keyframe, move),
     .about = "How far the boundary is then from where it began."},
    {"turn", RILL_PARAM_VECTOR, RILL_ANGLE, .turn = true, .offset = offsetof(rill_keyframe, turn),
     .about = "How far it is turned. Axes and angles between keyframes follow from the three numbers, each by itself, "
              "so a turn may be longer than once around."},
    {0}};

static void sine_init(void *item)
{
    *(rill_sine *)item = rill_sine_default();
}

static void keyframe_init(void *item)
{
    *(rill_keyframe *)item = rill_keyframe_default();
}

static rill_status sine_add(void *boundary, const void *item, rill_error *err)
{
    return rill_motion_add_sine(&((rill_boundary *)boundary)->motion, item, err);
}

static rill_status keyframe_add(void *boundary, const void *item, rill_error *err)
{
    return rill_motion_add_keyframe(&((rill_boundary *)boundary)->motion, item, err);
}

static const rill_items sine_items = {.noun = "sine",
                                      .plural = "sines",
                                      .parts = sine_parts,
                                      .size = sizeof(rill_sine),
                                      .list = offsetof(rill_boundary, motion.sines),
                                      .count = offsetof(rill_boundary, motion.sine_count),
                                      .flow = true,
                                      .init = sine_init,
                                      .add = sine_add};
static const rill_items keyframe_items = {.noun = "keyframe",
                                          .plural = "keyframes",
                                          .parts = keyframe_parts,
                                          .size = sizeof(rill_keyframe),
                                          .list = offsetof(rill_boundary, motion.keyframes),
                                          .count = offsetof(rill_boundary, motion.keyframe_count),
                                          .flow = true,
                                          .init = keyframe_init,
                                          .add = keyframe_add};

static const rill_selector motion_about = {"centre of motion", offsetof(rill_boundary, motion.about_given),
                                           given_words};
static const rill_param motion_parts[] = {
    {"velocity", RILL_PARAM_VECTOR, RILL_SPEED, .offset = offsetof(rill_boundary, motion.velocity), .live = true,
     .about = "A steady velocity."},
    {"spin", RILL_PARAM_VECTOR, RILL_SPIN, .turn = true, .offset = offsetof(rill_boundary, motion.spin), .live = true,
     .about = "A steady turn: the axis times the angular speed, or both as in `{axis: [0, 0, 1], speed: 60 rpm}`. Seen "
              "with the axis pointing at you, it turns counter-clockwise."},
    {"amplitude", RILL_PARAM_VECTOR, RILL_LENGTH, .offset = offsetof(rill_boundary, motion.amplitude), .live = true,
     .about = "The reach of a sine on top of it, to either side."},
    {"swing", RILL_PARAM_VECTOR, RILL_ANGLE, .turn = true, .offset = offsetof(rill_boundary, motion.swing),
     .live = true, .about = "The angle that the same sine turns by, as in `{axis: [0, 1, 0], angle: 10 deg}`."},
    {"period", RILL_PARAM_NUMBER, RILL_TIME, RILL_BETWEEN(0, RILL_MOST_TIME),
     .offset = offsetof(rill_boundary, motion.period), .live = true,
     .about = "The period of the sine; an amplitude or a swing needs one above 0."},
    {"phase", RILL_PARAM_NUMBER, RILL_ANGLE, .offset = offsetof(rill_boundary, motion.phase), .live = true,
     .about = "Where in its period the sine begins; the boundary still begins where its shape is."},
    {"sines", RILL_PARAM_LIST, .items = &sine_items, .about = "More sines."},
    {"keyframes", RILL_PARAM_LIST, .items = &keyframe_items, RILL_INSTEAD("keyframes_file"),
     .about = "Where the boundary is at some times, on top of all that. What runs through them is smooth and never "
              "goes beyond two that follow each other; before the first and after the last it rests."},
    {"keyframes_file", RILL_PARAM_FILE, .offset = offsetof(rill_boundary, motion.keyframes), .rows = &keyframe_items,
     RILL_INSTEAD("keyframes"),
     .about = "A CSV file with keyframes, one a row, under a header such as `time, move.x, turn.z`; columns left out "
              "are 0. Its path counts from the folder of the scene, that in a setting from the current one. The scene "
              "that a run folder keeps has the keyframes themselves."},
    {"ramp", RILL_PARAM_NUMBER, RILL_TIME, RILL_BETWEEN(0, RILL_MOST_TIME),
     .offset = offsetof(rill_boundary, motion.ramp), .live = true,
     .about = "How long velocity, spin and sines take to grow after `start` and to fade before `stop`; 0: they jump."},
    {"start", RILL_PARAM_NUMBER, RILL_TIME, RILL_BETWEEN(0, RILL_MOST_TIME),
     .offset = offsetof(rill_boundary, motion.start), .live = true,
     .about = "When the motion begins."},
    {"stop", RILL_PARAM_NUMBER, RILL_TIME, RILL_BETWEEN(0, RILL_MOST_TIME),
     .offset = offsetof(rill_boundary, motion.stop), .live = true,
     .about = "When it ends; 0: never."},
    {"about", RILL_PARAM_VECTOR, RILL_LENGTH, .offset = offsetof(rill_boundary, motion.about),
     .chooses = &motion_about, .choice = 1,
     .about = "The point about which it turns, where that is at the start; without it, the centre of the shape."},
    {"sides", RILL_PARAM_SIDES, .offset = offsetof(rill_boundary, motion.sides), .words = side_words,
     .by = &boundary_shape, .only = RILL_BIT(RILL_SHAPE_BOX),
     .about = "Which sides of a box move; `[-x]` alone is a wave maker."},
    {0}};
static const rill_param boundary_parts[] = {
    SHAPE_ROWS(boundary),
    SHAPE_ROW(boundary, plane, RILL_SHAPE_PLANE,
              "A plane without an end, with the fluid on the side that its normal points to. Wall particles lie on it "
              "where containers are or, where there are none, around all fills and obstacles, as far as they reach."),
    ROTATE_ROW(boundary, ~0u),
    {"solid", RILL_PARAM_BOOL, .offset = offsetof(rill_boundary, solid), .by = &boundary_shape,
     .only = ~RILL_BIT(RILL_SHAPE_PLANE), .variants = solid_variants,
     .about = "`false`: a container with the fluid inside; `true`: an obstacle with the fluid outside."},
    {"open", RILL_PARAM_SIDES, .offset = offsetof(rill_boundary, open), .words = side_words, .by = &boundary_shape,
     .only = RILL_BIT(RILL_SHAPE_BOX), .about = "Sides of a container that have no wall, as in `[+z]`."},
    {"snap", RILL_PARAM_BOOL, .offset = offsetof(rill_boundary, snap), .by = &boundary_shape,
     .only = RILL_BIT(RILL_SHAPE_BOX),
     .about = "Rounds the edges of a box to whole particle diameters, keeping `from`, so that a lattice of particles "
              "fits without a gap."},
    {"slip", RILL_PARAM_NUMBER, RILL_BETWEEN(0, 1), .offset = offsetof(rill_boundary, slip), .live = true,
     .about = "1: the fluid slips freely along the wall; 0: it sticks to it."},
    {"slide", RILL_PARAM_GROUP, .parts = slide_parts, .flow = true,
     .about = "A surface that runs along itself, as a belt or the lid of a cavity does; needs a slip below 1."},
    {"volume_factor", RILL_PARAM_NUMBER, RILL_BETWEEN(0, 10), .offset = offsetof(rill_boundary, volume_factor),
     .about = "Scales the volume of the boundary particles; 0 chooses it so that a flat wall completes the lattice "
              "exactly."},
    {"motion", RILL_PARAM_GROUP, .parts = motion_parts,
     .about = "A prescribed motion: velocity · s + amplitude · sin(2π s / period + phase) and what keyframes say, less "
              "what that is at the start, with s the time since `start`, held from `stop` on. In the same way it "
              "turns by spin, swing and keyframes. Its vectors are in the axes of the scene; a side of a rotated box "
              "that moves by itself takes what lies along its normal."},
    {0}};

/* ---- probes ---- */

static const rill_param probe_parts[] = {
    {"kind", RILL_PARAM_METHOD, .offset = offsetof(rill_probe, kind), .method = RILL_METHOD_PROBE, .required = true,
     .about = "What is measured."},
    {"", RILL_PARAM_METHODS, .in = RILL_IN_PROBE},
    {0}};

/* ---- lists and maps of these ---- */

static void fluid_init(void *item)
{
    *(rill_fluid *)item = rill_fluid_default();
}

static void fill_init(void *item)
{
    *(rill_fill *)item = rill_fill_default();
}

static void boundary_init(void *item)
{
    *(rill_boundary *)item = rill_boundary_default();
}

static void probe_init(void *item)
{
    *(rill_probe *)item = rill_probe_default();
}

static rill_status fluid_add(void *scene, const void *item, rill_error *err)
{
    return rill_scene_add_fluid(scene, item, err);
}

static rill_status fill_add(void *scene, const void *item, rill_error *err)
{
    return rill_scene_add_fill(scene, item, err);
}

static rill_status boundary_add(void *scene, const void *item, rill_error *err)
{
    return rill_scene_add_boundary(scene, item, err);
}

static rill_status probe_add(void *scene, const void *item, rill_error *err)
{
    return rill_scene_add_probe(scene, item, err);
}

static void boundary_free(void *item)
{
    rill_motion_free(&((rill_boundary *)item)->motion);
}

#define ITEMS(owner, many, is_named, is_freed_by)                                                                      \
    static const rill_items owner##_items = {.noun = #owner,                                                           \
                                             .plural = #many,                                                          \
                                             .parts = owner##_parts,                                                   \
                                             .size = sizeof(rill_##owner),                                             \
                                             .list = offsetof(rill_scene, many),                                       \
                                             .count = offsetof(rill_scene, owner##_count),                             \
                                             .named = is_named,                                                        \
                                             .init = owner##_init,                                                     \
                                             .add = owner##_add,                                                       \
                                             .free = is_freed_by}
ITEMS(fluid, fluids, true, NULL);
ITEMS(fill, fills, false, NULL);
ITEMS(boundary, boundaries, true, boundary_free);
ITEMS(probe, probes, true, NULL);

/* ---- groups of the scene ---- */

static const rill_param domain_parts[] = {
    {"from", RILL_PARAM_VECTOR, RILL_LENGTH, .offset = offsetof(rill_scene, domain_from),
     .about = "The corner of the periodic domain with the smallest coordinates."},
    {"to", RILL_PARAM_VECTOR, RILL_LENGTH, .offset = offsetof(rill_scene, domain_to),
     .about = "The opposite corner; only the periodic axes count."},
    {"periodic", RILL_PARAM_FLAGS, .words = periodic_words,
     .about = "The axes along which what leaves on one side comes back on the other, as in `[x, y]`. Boxes that hold "
              "fluid are open across them."},
    {0}};
static const rill_param trouble_parts[] = {
    {"speed", RILL_PARAM_NUMBER, RILL_SPEED, RILL_BETWEEN(0, RILL_MOST_SPEED),
     .offset = offsetof(rill_scene, speed_limit), .live = true,
     .about = "A particle faster than this has run away; 0: chosen by the engine."},
    {"then", RILL_PARAM_CHOICE, .offset = offsetof(rill_scene, on_trouble), .words = trouble_words,
     .about = "What to do when a particle runs away or turns into NaN; the report names it either way."},
    {0}};
static const rill_param step_parts[] = {
    {"max", RILL_PARAM_NUMBER, RILL_TIME, RILL_AT_LEAST(RILL_LEAST_STEP),
     .offset = offsetof(rill_scene, time.step_max), .live = true,
     .about = "The longest time step."},
    {"min", RILL_PARAM_NUMBER, RILL_TIME, RILL_ABOVE(0), .offset = offsetof(rill_scene, time.step_min), .live = true,
     .about = "The shortest time step, whatever the limits ask for."},
    {"first", RILL_PARAM_NUMBER, RILL_TIME, RILL_BETWEEN(0, 1e6), .offset = offsetof(rill_scene, time.step_first),
     .about = "The first time step; 0: chosen by the engine."},
    {"cfl", RILL_PARAM_NUMBER, RILL_BETWEEN(0.001, 2), .offset = offsetof(rill_scene, time.cfl), .live = true,
     .about = "The share of a diameter that a particle, a wall or a body may move in a step."},
    {0}};
static const rill_param time_parts[] = {
    {"end", RILL_PARAM_NUMBER, RILL_TIME, RILL_BETWEEN(0, RILL_MOST_TIME), .offset = offsetof(rill_scene, time.end),
     .passive = true,
     .about = "How much time to simulate."},
    {"frames_per_second", RILL_PARAM_NUMBER, RILL_RATE, RILL_BETWEEN(0, RILL_MOST_RATE),
     .offset = offsetof(rill_scene, time.frames_per_second), .passive = true,
     .about = "Frames stored per simulated second; 0: only the last."},
    {"step", RILL_PARAM_GROUP, .parts = step_parts, .flow = true, .about = "Limits of the time step."},
    {0}};
static const rill_param iterations_parts[] = {{"", RILL_PARAM_METHODS, .in = RILL_IN_ITERATIONS}, {0}};
static const rill_param solver_parts[] = {
    {"kind", RILL_PARAM_METHOD, .offset = offsetof(rill_scene, solver.kind), .method = RILL_METHOD_SOLVER,
     .about = "The solver."},
    {"", RILL_PARAM_METHODS, .in = RILL_IN_SOLVER},
    {"iterations", RILL_PARAM_GROUP, .parts = iterations_parts, .flow = true, .about = "Limits of the iterations."},
    {0}};
static const rill_param output_parts[] = {
    {"frames", RILL_PARAM_BOOL, .offset = offsetof(rill_scene, output.frames),
     .about = "Stores frames on the way; without, there is one, of the end, to go on from."},
    {"fields", RILL_PARAM_FLAGS, .words = field_words,
     .about = "What is stored beside all that a restart needs; the velocity always is."},
    {0}};

/* particle_diameter comes before every other length, which may be given in
 * diameters, and fluids come before the fills that name them. */
static const rill_param scene_parts[] = {
    {"name", RILL_PARAM_NAME, .offset = offsetof(rill_scene, name), .passive = true,
     .about = "A short name; without it, that of the file."},
    {"about", RILL_PARAM_TEXT, .offset = offsetof(rill_scene, about), .passive = true,
     .about = "A sentence about the scene."},
    {"particle_diameter", RILL_PARAM_NUMBER, RILL_LENGTH, RILL_BETWEEN(RILL_LEAST_DIAMETER, RILL_MOST_DIAMETER),
     .offset = offsetof(rill_scene, particle_diameter),
     .about = "The distance between particles at rest, and with it the number of particles."},
    {"support", RILL_PARAM_NUMBER, RILL_BETWEEN(1.2, 6), .offset = offsetof(rill_scene, support),
     .about =
         "The radius within which particles are neighbours, in particle diameters. With 2, `laplacian` and `implicit` "
         "viscosities act with 0.7 to 1.2 of their value, depending on how particles lie; with 4, within 4 %. "
         "Wide ones cost more, and 20 layers of still water stand 0.4 per cent low with 2, 1 with 3 and 3 with 4."},
    {"kernel", RILL_PARAM_CHOICE, .offset = offsetof(rill_scene, kernel), .words = kernel_words,
     .about = "The smoothing kernel: `cubic` is the cubic spline, `mueller` poly6 for densities and spiky for "
              "gradients."},
    {"seed", RILL_PARAM_INTEGER, RILL_BETWEEN(0, RILL_MOST_SEED), .offset = offsetof(rill_scene, seed),
     .passive = true, /* beyond the fills; states have one of their own */
     .about = "Another number gives other random numbers, wherever the scene uses some."},
    {"gravity", RILL_PARAM_VECTOR, RILL_ACCELERATION, .offset = offsetof(rill_scene, gravity), .live = true,
     .about = "The acceleration that acts on everything."},
    {"origin", RILL_PARAM_VECTOR, RILL_LENGTH, .offset = offsetof(rill_scene, origin),
     .about =
         "Where the zero of the scene lies in the world, so that a scene far from zero loses no accuracy: surfaces "
         "and exported files add it to every coordinate, frames keep it beside the positions, probes are in the "
         "coordinates of the scene."},
    {"", RILL_PARAM_METHODS, .in = RILL_IN_SCENE},
    {"domain", RILL_PARAM_GROUP, .parts = domain_parts, .about = "Sides that wrap around."},
    {"time", RILL_PARAM_GROUP, .parts = time_parts, .about = "How long, how many frames, which steps."},
    {"solver", RILL_PARAM_GROUP, .parts = solver_parts, .about = "How the pressure is found."},
    {"trouble", RILL_PARAM_GROUP, .parts = trouble_parts, .flow = true,
     .about = "What counts as trouble, and what then."},
    {"output", RILL_PARAM_GROUP, .parts = output_parts, .flow = true, .passive = true, .about = "What is stored."},
    {"fluids", RILL_PARAM_MAP, .items = &fluid_items,
     .about = "The fluids by name. A scene without them has one, `water`, with the defaults."},
    {"fill", RILL_PARAM_LIST, .items = &fill_items,
     .about = "What is filled with fluid at the start: shapes on a lattice of one particle diameter, or a container "
              "up to a level. A box takes as many whole layers as fit best, the first half a diameter from its sides "
              "at `from`; a cylinder does along its line. What lies outside a container is dropped."},
    {"boundaries", RILL_PARAM_MAP, .items = &boundary_items,
     .about = "Containers and obstacles by name. The shape is the surface that the fluid touches."},
    {"probes", RILL_PARAM_MAP, .items = &probe_items, .passive = true,
     .about = "Measurements by name, one row a step in `probes.csv`."},
    {0}};

const rill_param *rill_scene_table(void)
{
    return scene_parts;
}

/* The table itself. Every row's sentence is what docs/scene.md says of it; its
 * default is that of the def it belongs to. */
#include "scene/param.h"

#include <stddef.h>
#include <string.h>

#include "world/limits.h"

_Static_assert(sizeof(rill_kernel_kind) == sizeof(int) && sizeof(rill_shape_kind) == sizeof(int) &&
                   sizeof(rill_viscosity_kind) == sizeof(int) && sizeof(rill_tension_kind) == sizeof(int) &&
                   sizeof(rill_probe_kind) == sizeof(int) &&
                   sizeof(rill_quantity) == sizeof(int) && sizeof(rill_eos) == sizeof(int) &&
                   sizeof(rill_density_mode) == sizeof(int) && sizeof(rill_on_trouble) == sizeof(int),
               "a choice is kept as an int");
_Static_assert(offsetof(rill_fluid, name) == 0 && offsetof(rill_boundary, name) == 0 && offsetof(rill_probe, name) == 0,
               "a named item begins with its name");

#define AT_LEAST(bound) .range = {bound, 1e300, false}
#define ABOVE(bound) .range = {bound, 1e300, true}
#define BETWEEN(bound, limit) .range = {bound, limit, false}
#define BIT(value) (1u << (value))

/* ---- words ---- */

static const rill_word kernel_words[] = {{"cubic", RILL_KERNEL_CUBIC}, {"mueller", RILL_KERNEL_MUELLER}, {0}};
static const rill_word axis_words[] = {{"x", 0}, {"y", 1}, {"z", 2}, {0}};
static const rill_word trouble_words[] = {{"stop", RILL_TROUBLE_STOP}, {"continue", RILL_TROUBLE_CONTINUE}, {0}};
static const rill_word eos_words[] = {{"tait", RILL_EOS_TAIT}, {"linear", RILL_EOS_LINEAR}, {0}};
static const rill_word iteration_words[] = {
    {"accelerated", RILL_ITERATION_ACCELERATED}, {"jacobi", RILL_ITERATION_JACOBI}, {0}};
static const rill_word density_words[] = {
    {"summation", RILL_DENSITY_SUMMATION}, {"continuity", RILL_DENSITY_CONTINUITY}, {0}};
static const rill_word viscosity_words[] = {{"none", RILL_VISCOSITY_NONE},
                                            {"laplacian", RILL_VISCOSITY_LAPLACIAN},
                                            {"mueller", RILL_VISCOSITY_MUELLER},
                                            {"xsph", RILL_VISCOSITY_XSPH},
                                            {"artificial", RILL_VISCOSITY_ARTIFICIAL},
                                            {"implicit", RILL_VISCOSITY_IMPLICIT},
                                            {0}};
static const rill_word tension_words[] = {
    {"none", RILL_TENSION_NONE}, {"colour", RILL_TENSION_COLOUR}, {"cohesion", RILL_TENSION_COHESION}, {0}};
static const rill_word shape_words[] = {{"box", RILL_SHAPE_BOX}, {"sphere", RILL_SHAPE_SPHERE}, {0}};
static const rill_word side_words[] = {{"-x", RILL_SIDE_LOW_X},  {"+x", RILL_SIDE_HIGH_X}, {"-y", RILL_SIDE_LOW_Y},
                                       {"+y", RILL_SIDE_HIGH_Y}, {"-z", RILL_SIDE_LOW_Z},  {"+z", RILL_SIDE_HIGH_Z},
                                       {0}};
static const rill_word probe_words[] = {{"front", RILL_PROBE_FRONT},     {"height", RILL_PROBE_HEIGHT},
                                        {"point", RILL_PROBE_POINT},     {"kinetic", RILL_PROBE_KINETIC},
                                        {"potential", RILL_PROBE_POTENTIAL}, {"volume", RILL_PROBE_VOLUME},
                                        {0}};
static const rill_word quantity_words[] = {
    {"density", RILL_DENSITY}, {"pressure", RILL_PRESSURE}, {"velocity", RILL_VELOCITY}, {0}};
static const rill_word periodic_words[] = {{"x", offsetof(rill_scene, periodic)},
                                           {"y", offsetof(rill_scene, periodic) + sizeof(bool)},
                                           {"z", offsetof(rill_scene, periodic) + 2 * sizeof(bool)},
                                           {0}};
static const rill_word field_words[] = {{"velocity", RILL_WORD_ALWAYS},
                                        {"density", offsetof(rill_scene, output.density)},
                                        {"pressure", offsetof(rill_scene, output.pressure)},
                                        {0}};

/* ---- shapes, shared by fills and boundaries ---- */

#define SHAPE_PARTS(owner)                                                                                             \
    static const rill_selector owner##_shape = {"shape", offsetof(rill_##owner, shape.kind), shape_words};             \
    static const rill_param owner##_box[] = {                                                                          \
        {"from", RILL_PARAM_VECTOR, RILL_LENGTH, .offset = offsetof(rill_##owner, shape.from), .required = true,       \
         .about = "The corner with the smallest x, y and z."},                                                         \
        {"to", RILL_PARAM_VECTOR, RILL_LENGTH, .offset = offsetof(rill_##owner, shape.to), .required = true,           \
         .instead = "size", .about = "The corner opposite to `from`."},                                                \
        {"size", RILL_PARAM_SIZE, RILL_LENGTH, ABOVE(0), .offset = offsetof(rill_##owner, shape.to),                   \
         .base = offsetof(rill_##owner, shape.from), .required = true, .instead = "to",                                \
         .about = "The lengths of the box's edges, instead of `to`."},                                                 \
        {0}};                                                                                                          \
    static const rill_param owner##_sphere[] = {                                                                       \
        {"center", RILL_PARAM_VECTOR, RILL_LENGTH, .offset = offsetof(rill_##owner, shape.center), .required = true,   \
         .about = "The centre of the sphere."},                                                                        \
        {"radius", RILL_PARAM_NUMBER, RILL_LENGTH, ABOVE(0), .offset = offsetof(rill_##owner, shape.radius),           \
         .required = true, .about = "The radius of the sphere."},                                                      \
        {0}}

#define SHAPE_ROWS(owner)                                                                                              \
    {"box", RILL_PARAM_GROUP, .parts = owner##_box, .chooses = &owner##_shape, .choice = RILL_SHAPE_BOX,               \
     .required = true, .instead = "sphere", .flow = true, .about = "A box along the axes."},                           \
    {                                                                                                                  \
        "sphere", RILL_PARAM_GROUP, .parts = owner##_sphere, .chooses = &owner##_shape, .choice = RILL_SHAPE_SPHERE,   \
            .required = true, .instead = "box", .flow = true, .about = "A sphere."                                     \
    }

/* ---- fluids ---- */

static const rill_selector viscosity_kind = {"kind", offsetof(rill_fluid, viscosity_kind), viscosity_words};
static const rill_reading viscosity_variants[] = {
    [RILL_VISCOSITY_NONE] = {RILL_ANY_DIMENSION, AT_LEAST(0), .fixed = true, .fallback = 0},
    [RILL_VISCOSITY_LAPLACIAN] = {RILL_KINEMATIC_VISCOSITY, BETWEEN(0, RILL_MOST_VISCOSITY)},
    [RILL_VISCOSITY_MUELLER] = {RILL_KINEMATIC_VISCOSITY, BETWEEN(0, RILL_MOST_VISCOSITY)},
    [RILL_VISCOSITY_XSPH] = {RILL_PLAIN, BETWEEN(0, 1)},
    [RILL_VISCOSITY_ARTIFICIAL] = {RILL_PLAIN, BETWEEN(0, 1e9)},
    [RILL_VISCOSITY_IMPLICIT] = {RILL_KINEMATIC_VISCOSITY, BETWEEN(0, RILL_MOST_VISCOSITY)},
};
static const rill_param viscosity_parts[] = {
    {"kind", RILL_PARAM_CHOICE, .offset = offsetof(rill_fluid, viscosity_kind), .words = viscosity_words,
     .about = "How neighbours slow each other down: `laplacian` (an explicit Laplacian of the velocity), `mueller` "
              "(that of Müller et al. 2003), `xsph` (each particle moves a little with its neighbours), "
              "`artificial` (Monaghan 1992, on approach only), `implicit` (the Laplacian at the end of the step, for "
              "honey: stable at any value) or not at all. The same kind for all fluids of a scene."},
    {"value", RILL_PARAM_NUMBER, .offset = offsetof(rill_fluid, viscosity), .by = &viscosity_kind,
     .variants = viscosity_variants, .density = offsetof(rill_fluid, density),
     .about = "How much: the kinematic viscosity with `laplacian`, `mueller` and `implicit`, or a dynamic one, as in "
              "`1 mPa*s`, which is divided by the fluid's density; the share of the "
              "neighbours' mean velocity with `xsph`, Monaghan's alpha with `artificial`; not used with `none`."},
    {0}};
static const rill_selector tension_kind = {"kind", offsetof(rill_fluid, tension_kind), tension_words};
static const rill_reading tension_variants[] = {
    [RILL_TENSION_NONE] = {RILL_ANY_DIMENSION, AT_LEAST(0), .fixed = true, .fallback = 0},
    [RILL_TENSION_COLOUR] = {RILL_SURFACE_TENSION, BETWEEN(0, RILL_MOST_TENSION), .fixed = true, .fallback = 0.072},
    [RILL_TENSION_COHESION] = {RILL_SURFACE_TENSION, BETWEEN(0, RILL_MOST_TENSION), .fixed = true, .fallback = 0.072},
};
static const rill_param tension_parts[] = {
    {"kind", RILL_PARAM_CHOICE, .offset = offsetof(rill_fluid, tension_kind), .words = tension_words,
     .about = "How the surface pulls itself together: `colour` (by the gradient of the colour field), `cohesion` "
              "(neighbours attract each other and the surface is made small, Akinci et al. 2013) or not at all."},
    {"value", RILL_PARAM_NUMBER, .offset = offsetof(rill_fluid, tension), .by = &tension_kind,
     .variants = tension_variants,
     .about = "The surface tension against air, that of water unless given; where two fluids meet, it is the difference "
              "of theirs. Not used with `none`."},
    {"adhesion", RILL_PARAM_NUMBER, BETWEEN(0, 1), .offset = offsetof(rill_fluid, adhesion), .by = &tension_kind,
     .only = BIT(RILL_TENSION_COLOUR) | BIT(RILL_TENSION_COHESION),
     .about = "0: to the fluid a wall is like air, and drops roll off it; 1: it is like the fluid itself."},
    {0}};
static const rill_param fluid_parts[] = {
    {"density", RILL_PARAM_NUMBER, RILL_MASS_DENSITY, BETWEEN(RILL_LEAST_DENSITY, RILL_MOST_DENSITY),
     .offset = offsetof(rill_fluid, density),
     .about = "The density at rest."},
    {"viscosity", RILL_PARAM_GROUP, .parts = viscosity_parts, .flow = true, .about = "Inner friction."},
    {"tension", RILL_PARAM_GROUP, .parts = tension_parts, .flow = true, .about = "Surface tension."},
    {"mass_factor", RILL_PARAM_NUMBER, BETWEEN(0, 10), .offset = offsetof(rill_fluid, mass_factor),
     .about = "The mass of a particle over density times diameter cubed; 0 chooses it so that the fluid starts exactly "
              "at rest density. The same for all fluids of a scene."},
    {"colour", RILL_PARAM_COLOUR, .offset = offsetof(rill_fluid, colour),
     .about = "For pictures: red, green and blue, as in `\"#3a7bd5\"`, in quotes, or a name such as `blue`: one of the "
              "basic colours of CSS or orange, pink, brown, gold, tan."},
    {0}};

/* ---- fills ---- */

SHAPE_PARTS(fill);
static const rill_param fill_parts[] = {
    {"fluid", RILL_PARAM_FLUID, .offset = offsetof(rill_fill, fluid), .about = "Which of the fluids."},
    SHAPE_ROWS(fill),
    {"velocity", RILL_PARAM_VECTOR, RILL_SPEED, .offset = offsetof(rill_fill, velocity),
     .about = "The velocity at the start."},
    {0}};

/* ---- boundaries ---- */

SHAPE_PARTS(boundary);
static const rill_reading solid_variants[] = {
    [RILL_SHAPE_BOX] = {.fixed = true, .fallback = 0},
    [RILL_SHAPE_SPHERE] = {.fixed = true, .fallback = 1},
};
static const rill_param slide_parts[] = {
    {"velocity", RILL_PARAM_VECTOR, RILL_SPEED, .offset = offsetof(rill_boundary, slide),
     .about = "The velocity of the surface."},
    {"sides", RILL_PARAM_SIDES, .offset = offsetof(rill_boundary, slide_sides), .words = side_words,
     .by = &boundary_shape, .only = BIT(RILL_SHAPE_BOX), .about = "Which sides of a box slide."},
    {0}};
static const rill_param motion_parts[] = {
    {"velocity", RILL_PARAM_VECTOR, RILL_SPEED, .offset = offsetof(rill_boundary, motion.velocity),
     .about = "A steady velocity."},
    {"amplitude", RILL_PARAM_VECTOR, RILL_LENGTH, .offset = offsetof(rill_boundary, motion.amplitude),
     .about = "The reach of a sine on top of it, to either side."},
    {"period", RILL_PARAM_NUMBER, RILL_TIME, BETWEEN(0, RILL_MOST_TIME), .offset = offsetof(rill_boundary, motion.period),
     .about = "The period of the sine; an amplitude needs one above 0."},
    {"start", RILL_PARAM_NUMBER, RILL_TIME, BETWEEN(0, RILL_MOST_TIME), .offset = offsetof(rill_boundary, motion.start),
     .about = "When the motion begins."},
    {"stop", RILL_PARAM_NUMBER, RILL_TIME, BETWEEN(0, RILL_MOST_TIME), .offset = offsetof(rill_boundary, motion.stop),
     .about = "When it ends; 0: never."},
    {"sides", RILL_PARAM_SIDES, .offset = offsetof(rill_boundary, motion.sides), .words = side_words,
     .by = &boundary_shape, .only = BIT(RILL_SHAPE_BOX),
     .about = "Which sides of a box move; `[-x]` alone is a wave maker."},
    {0}};
static const rill_param boundary_parts[] = {
    SHAPE_ROWS(boundary),
    {"solid", RILL_PARAM_BOOL, .offset = offsetof(rill_boundary, solid), .by = &boundary_shape,
     .variants = solid_variants,
     .about = "`false`: a container with the fluid inside; `true`: an obstacle with the fluid outside."},
    {"open", RILL_PARAM_SIDES, .offset = offsetof(rill_boundary, open), .words = side_words, .by = &boundary_shape,
     .only = BIT(RILL_SHAPE_BOX), .about = "Sides of a container that have no wall, as in `[+z]`."},
    {"snap", RILL_PARAM_BOOL, .offset = offsetof(rill_boundary, snap), .by = &boundary_shape,
     .only = BIT(RILL_SHAPE_BOX),
     .about = "Rounds the edges of a box to whole particle diameters, keeping `from`, so that a lattice of particles "
              "fits without a gap."},
    {"slip", RILL_PARAM_NUMBER, BETWEEN(0, 1), .offset = offsetof(rill_boundary, slip),
     .about = "1: the fluid slips freely along the wall; 0: it sticks to it."},
    {"slide", RILL_PARAM_GROUP, .parts = slide_parts, .flow = true,
     .about = "A surface that runs along itself, as a belt or the lid of a cavity does; needs a slip below 1."},
    {"volume_factor", RILL_PARAM_NUMBER, BETWEEN(0, 10), .offset = offsetof(rill_boundary, volume_factor),
     .about = "Scales the volume of the boundary particles; 0 chooses it so that a flat wall completes the lattice "
              "exactly."},
    {"motion", RILL_PARAM_GROUP, .parts = motion_parts,
     .about = "A prescribed motion: velocity · s + amplitude · sin(2π s / period), with s the time since `start`, "
              "held from `stop` on."},
    {0}};

/* ---- probes ---- */

static const rill_selector probe_kind = {"kind", offsetof(rill_probe, kind), probe_words};
static const rill_param probe_parts[] = {
    {"kind", RILL_PARAM_CHOICE, .offset = offsetof(rill_probe, kind), .words = probe_words, .required = true,
     .about = "What is measured: the `front` of the fluid along an axis, the surface's `height` above a place, a value "
              "at a `point`, the `kinetic` or `potential` energy, or the `volume` of the fluid."},
    {"axis", RILL_PARAM_CHOICE, .offset = offsetof(rill_probe, axis), .words = axis_words, .by = &probe_kind,
     .only = BIT(RILL_PROBE_FRONT), .about = "`front`: the axis along which the furthest fluid is sought."},
    {"at", RILL_PARAM_VECTOR, RILL_LENGTH, .offset = offsetof(rill_probe, at), .required = true, .by = &probe_kind,
     .only = BIT(RILL_PROBE_HEIGHT) | BIT(RILL_PROBE_POINT),
     .about = "`point`, `height`: the place; a height looks at its x and y."},
    {"of", RILL_PARAM_CHOICE, .offset = offsetof(rill_probe, of), .words = quantity_words, .by = &probe_kind,
     .only = BIT(RILL_PROBE_POINT),
     .about = "`point`: the quantity, by a plane through the particles within 1.5 supports. With all solvers but `wcsph` "
              "still liquid lies closer to its walls than it should: its level is 2 to 3 % low, its pressure within 3 % "
              "of the weight of what stands there, so up to 10 % too low near the surface, and refining does not mend "
              "the part at walls."},
    {"radius", RILL_PARAM_NUMBER, RILL_LENGTH, BETWEEN(0, RILL_MOST_LENGTH), .offset = offsetof(rill_probe, radius),
     .by = &probe_kind, .only = BIT(RILL_PROBE_HEIGHT),
     .about = "`height`: the radius of the column looked at; 0: one particle diameter."},
    {"min_neighbours", RILL_PARAM_INTEGER, BETWEEN(0, RILL_MOST_NEIGHBOURS), .offset = offsetof(rill_probe, min_neighbours),
     .by = &probe_kind, .only = BIT(RILL_PROBE_FRONT),
     .about = "`front`: spray with fewer neighbours than this does not count."},
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

static rill_status fluid_add(rill_scene *scene, const void *item, rill_error *err)
{
    return rill_scene_add_fluid(scene, item, err);
}

static rill_status fill_add(rill_scene *scene, const void *item, rill_error *err)
{
    return rill_scene_add_fill(scene, item, err);
}

static rill_status boundary_add(rill_scene *scene, const void *item, rill_error *err)
{
    return rill_scene_add_boundary(scene, item, err);
}

static rill_status probe_add(rill_scene *scene, const void *item, rill_error *err)
{
    return rill_scene_add_probe(scene, item, err);
}

#define ITEMS(owner, many, is_named)                                                                                   \
    static const rill_items owner##_items = {#owner,                                                                   \
                                             #many,                                                                    \
                                             owner##_parts,                                                            \
                                             sizeof(rill_##owner),                                                     \
                                             offsetof(rill_scene, many),                                               \
                                             offsetof(rill_scene, owner##_count),                                      \
                                             is_named,                                                                 \
                                             owner##_init,                                                             \
                                             owner##_add}
ITEMS(fluid, fluids, true);
ITEMS(fill, fills, false);
ITEMS(boundary, boundaries, true);
ITEMS(probe, probes, true);

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
    {"speed", RILL_PARAM_NUMBER, RILL_SPEED, BETWEEN(0, RILL_MOST_SPEED), .offset = offsetof(rill_scene, speed_limit),
     .about = "A particle faster than this has run away; 0: chosen by the engine."},
    {"then", RILL_PARAM_CHOICE, .offset = offsetof(rill_scene, on_trouble), .words = trouble_words,
     .about = "What to do when a particle runs away or turns into NaN; the report names it either way."},
    {0}};
static const rill_param step_parts[] = {
    {"max", RILL_PARAM_NUMBER, RILL_TIME, AT_LEAST(RILL_LEAST_STEP), .offset = offsetof(rill_scene, time.step_max),
     .about = "The longest time step."},
    {"min", RILL_PARAM_NUMBER, RILL_TIME, ABOVE(0), .offset = offsetof(rill_scene, time.step_min),
     .about = "The shortest time step, whatever the limits ask for."},
    {"first", RILL_PARAM_NUMBER, RILL_TIME, BETWEEN(0, 1e6), .offset = offsetof(rill_scene, time.step_first),
     .about = "The first time step; 0: chosen by the engine."},
    {"cfl", RILL_PARAM_NUMBER, BETWEEN(0.001, 2), .offset = offsetof(rill_scene, time.cfl),
     .about = "The share of a diameter that a particle, a wall or a body may move in a step."},
    {0}};
static const rill_param time_parts[] = {
    {"end", RILL_PARAM_NUMBER, RILL_TIME, BETWEEN(0, RILL_MOST_TIME), .offset = offsetof(rill_scene, time.end),
     .about = "How much time to simulate."},
    {"frames_per_second", RILL_PARAM_NUMBER, RILL_RATE, BETWEEN(0, RILL_MOST_RATE),
     .offset = offsetof(rill_scene, time.frames_per_second),
     .about = "Frames stored per simulated second; 0: only the last."},
    {"step", RILL_PARAM_GROUP, .parts = step_parts, .flow = true, .about = "Limits of the time step."},
    {0}};
static const rill_selector solver_equation = {"equation", offsetof(rill_scene, solver.eos), eos_words};
static const rill_selector solver_density = {"density", offsetof(rill_scene, solver.density), density_words};
#define ITERATIVE "dfsph iisph pcisph pbf"
static const rill_param iterations_parts[] = {
    {"min", RILL_PARAM_INTEGER, BETWEEN(0, RILL_MOST_ITERATIONS), .offset = offsetof(rill_scene, solver.iterations_min),
     .solvers = ITERATIVE, .about = "the fewest iterations of the density solve."},
    {"max", RILL_PARAM_INTEGER, BETWEEN(1, RILL_MOST_ITERATIONS), .offset = offsetof(rill_scene, solver.iterations_max),
     .solvers = "dfsph iisph pcisph",
     .about = "the most iterations of a solve; the report counts how often they did not suffice."},
    {"pbf", RILL_PARAM_INTEGER, BETWEEN(1, RILL_MOST_ITERATIONS), .offset = offsetof(rill_scene, solver.iterations_pbf),
     .solvers = "pbf", .about = "the most iterations of this solver, which is made for a few, in place of `max`."},
    {0}};
static const rill_param solver_parts[] = {
    {"kind", RILL_PARAM_SOLVER, .offset = offsetof(rill_scene, solver.kind), .about = "The solver."},
    {"equation", RILL_PARAM_CHOICE, .offset = offsetof(rill_scene, solver.eos), .words = eos_words,
     .solvers = "wcsph", .about = "the equation of state, from density to pressure."},
    {"gamma", RILL_PARAM_NUMBER, BETWEEN(1, 20), .offset = offsetof(rill_scene, solver.gamma), .by = &solver_equation,
     .only = BIT(RILL_EOS_TAIT), .solvers = "wcsph", .about = "the exponent of Tait's equation."},
    {"sound_speed", RILL_PARAM_NUMBER, RILL_SPEED, BETWEEN(0, 1e6), .offset = offsetof(rill_scene, solver.sound_speed),
     .solvers = "wcsph",
     .about = "the speed of sound; 0: ten times the expected top speed. Artificial viscosity reads it with any "
              "solver."},
    {"negative_pressure", RILL_PARAM_BOOL, .offset = offsetof(rill_scene, solver.negative_pressure),
     .solvers = "wcsph pbf", .about = "keeps pressures below zero, which pull, instead of cutting them off."},
    {"density", RILL_PARAM_CHOICE, .offset = offsetof(rill_scene, solver.density), .words = density_words,
     .solvers = "wcsph", .about = "density summed over the neighbours, or carried along by the continuity equation."},
    {"diffusion", RILL_PARAM_NUMBER, BETWEEN(0, 1), .offset = offsetof(rill_scene, solver.diffusion),
     .by = &solver_density, .only = BIT(RILL_DENSITY_CONTINUITY), .solvers = "wcsph",
     .about = "density diffusion, the delta of delta-SPH; needs `density: continuity`."},
    {"density_error", RILL_PARAM_NUMBER, BETWEEN(0, 1), .offset = offsetof(rill_scene, solver.density_error),
     .solvers = ITERATIVE,
     .about = "the mean compression that may remain, of rest density; 0: the solver's own, 0.01% for dfsph and 0.1% "
              "for iisph, pcisph and pbf."},
    {"divergence_error", RILL_PARAM_NUMBER, BETWEEN(1e-9, 1),
     .offset = offsetof(rill_scene, solver.divergence_error),
     .solvers = "dfsph", .about = "the mean change of density in a step that may remain, of rest density."},
    {"iteration", RILL_PARAM_CHOICE, .offset = offsetof(rill_scene, solver.iteration), .words = iteration_words,
     .solvers = "dfsph", .about = "how it iterates: accelerated, or the plain Jacobi of the paper."},
    {"iterations", RILL_PARAM_GROUP, .parts = iterations_parts, .flow = true, .about = "Limits of the iterations."},
    {0}};
static const rill_param air_parts[] = {
    {"coefficient", RILL_PARAM_NUMBER, BETWEEN(0, 1e6), .offset = offsetof(rill_scene, air.coefficient),
     .about = "The drag coefficient of a drop, 0.47 for a sphere; 0: the air does not matter."},
    {"density", RILL_PARAM_NUMBER, RILL_MASS_DENSITY, BETWEEN(0, 1e6), .offset = offsetof(rill_scene, air.density),
     .about = "The density of the air."},
    {"wind", RILL_PARAM_VECTOR, RILL_SPEED, .offset = offsetof(rill_scene, air.wind),
     .about = "The velocity of the air."},
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
    {"name", RILL_PARAM_NAME, .offset = offsetof(rill_scene, name),
     .about = "A short name; without it, that of the file."},
    {"about", RILL_PARAM_TEXT, .offset = offsetof(rill_scene, about), .about = "A sentence about the scene."},
    {"particle_diameter", RILL_PARAM_NUMBER, RILL_LENGTH, BETWEEN(RILL_LEAST_DIAMETER, RILL_MOST_DIAMETER),
     .offset = offsetof(rill_scene, particle_diameter),
     .about = "The distance between particles at rest, and with it the number of particles."},
    {"support", RILL_PARAM_NUMBER, BETWEEN(1.2, 6), .offset = offsetof(rill_scene, support),
     .about = "The radius within which particles are neighbours, in particle diameters. With 2, `laplacian` and `implicit` "
              "viscosities act with 0.7 to 1.2 of their value, depending on how particles lie; with 4, within 4 %. But "
              "the more, the closer liquid lies to its walls: 20 layers of still water stand 3 % low with 2, 5 % with 3 "
              "and 7 % with 4, and pressures at walls go wrong with them."},
    {"kernel", RILL_PARAM_CHOICE, .offset = offsetof(rill_scene, kernel), .words = kernel_words,
     .about = "The smoothing kernel: `cubic` is the cubic spline, `mueller` poly6 for densities and spiky for "
              "gradients."},
    {"gravity", RILL_PARAM_VECTOR, RILL_ACCELERATION, .offset = offsetof(rill_scene, gravity),
     .about = "The acceleration that acts on everything."},
    {"origin", RILL_PARAM_VECTOR, RILL_LENGTH, .offset = offsetof(rill_scene, origin),
     .about = "Where the zero of the scene lies in the world, so that a scene far from zero loses no accuracy: surfaces "
              "and exported files add it to every coordinate, frames keep it beside the positions, probes are in the "
              "coordinates of the scene."},
    {"shifting", RILL_PARAM_NUMBER, BETWEEN(0, 1), .offset = offsetof(rill_scene, shifting),
     .about = "The strength of particle shifting, which evens out the particles; 0: none."},
    {"vorticity", RILL_PARAM_NUMBER, RILL_SPEED, BETWEEN(0, 1e6), .offset = offsetof(rill_scene, vorticity),
     .about = "The strength of vorticity confinement, which gives whirls back what the method costs them; 0: none."},
    {"air_drag", RILL_PARAM_GROUP, .parts = air_parts, .flow = true,
     .about = "Drag in air, for spray: it acts in full on a lone particle and not at all on one that lies in the fluid "
              "or its surface."},
    {"domain", RILL_PARAM_GROUP, .parts = domain_parts, .about = "Sides that wrap around."},
    {"time", RILL_PARAM_GROUP, .parts = time_parts, .about = "How long, how many frames, which steps."},
    {"solver", RILL_PARAM_GROUP, .parts = solver_parts, .about = "How the pressure is found."},
    {"trouble", RILL_PARAM_GROUP, .parts = trouble_parts, .flow = true,
     .about = "What counts as trouble, and what then."},
    {"output", RILL_PARAM_GROUP, .parts = output_parts, .flow = true, .about = "What is stored."},
    {"fluids", RILL_PARAM_MAP, .items = &fluid_items,
     .about = "The fluids by name. A scene without them has one, `water`, with the defaults."},
    {"fill", RILL_PARAM_LIST, .items = &fill_items,
     .about = "What is filled with fluid at the start: shapes on a lattice of one particle diameter. A box takes as "
              "many whole layers as fit best, the first half a diameter from its sides at `from`. What lies outside a "
              "container is dropped."},
    {"boundaries", RILL_PARAM_MAP, .items = &boundary_items,
     .about = "Containers and obstacles by name. The shape is the surface that the fluid touches."},
    {"probes", RILL_PARAM_MAP, .items = &probe_items,
     .about = "Measurements by name, one row a step in `probes.csv`."},
    {0}};

const rill_param *rill_param_table(void)
{
    return scene_parts;
}

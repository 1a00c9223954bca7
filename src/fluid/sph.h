/* The liquid as every pass sees it: particles, wall particles, lists, constants.
 *
 * Symbols, with units:
 *   d   particle diameter, m            h   support radius, m
 *   V0  rest volume of a particle, m3   rho0  rest density of its fluid, kg/m3
 *   D   density / rest density, from the number density: D_i = V0 sum_j W_ij
 *   p   pressure, Pa                    P = p / D^2
 *   f   pair factor: nabla_i W_ij = f_ij (x_i - x_j)
 * Every particle has the same rest volume, and its mass is rho0 V0. Densities
 * come from the number of neighbours, never from their masses, so several
 * fluids can touch (Solenthaler and Pajarola 2008), and pair loops need no
 * masses. A wall particle counts as psi particles, psi = V_b / V0, with the
 * volume V_b of Akinci et al. 2012. */
#ifndef RILL_FLUID_SPH_H
#define RILL_FLUID_SPH_H

#include "base/variant.h"
#include "fluid/kernel.h"
#include "fluid/neighbour.h"
#include "fluid/set.h"
#include "fluid/touch.h"

/* Rows of the liquid's field table behind those of every set; a solver may add more. */
enum {
    FIELD_FLUID = SET_FIELDS,
    FIELD_ACCELERATION, /* of all that is not pressure */
    FIELD_COMPRESSION,  /* D */
    FIELD_PRESSURE,
    FIELD_DENSITY,      /* kg/m3, for frames */
    /* other names for lanes of these */
    FIELD_CARRIED,      /* D in the velocity's fourth lane, for passes that gather both */
    FIELD_KICKED,       /* in place of the acceleration: the velocity before it was applied */
    FIELD_COUNT
};

/* Rows of the walls' field table: the fourth lanes of position and velocity. */
enum {
    WALL_PSI = SET_FIELDS, /* as so many particles of the liquid it counts */
    WALL_BEHIND,           /* m, how far behind the surface */
    WALL_PUSH,             /* x, y, z, and the pressure with which it pushes, Pa */
    WALL_BODY,             /* the body it belongs to */
    WALL_ACCELERATION,     /* m/s2; late: none before a body changes its velocity or turns */
    WALL_FIELDS
};

/* What passes use beside the fields. */
enum {
    BESIDE_LISTS,
    BESIDE_FACTORS,
    BESIDE_WEIGHTS,
    BESIDE_WALL_LISTS,
    BESIDE_WALL_FACTORS,
    BESIDE_WALL_PLACES,
    BESIDE_WALL_MOTION,
    BESIDE_AXES,
    BESIDE_WALL_AXES,
    BESIDE_MISSING,
    BESIDE_WALL_PUSH,
    BESIDE_LIQUID_LISTS,
    BESIDE_LIQUID,
    BESIDE_WALL_BODIES,
    BESIDE_TOUCH_COUNTS,
    BESIDE_TOUCHES,
    BESIDE_TOUCH_PUSH,
    BESIDE_GIVEN
};
#define USES_LISTS RILL_BESIDE_BIT(BESIDE_LISTS)               /* who neighbours whom, and how many each has */
#define USES_FACTORS RILL_BESIDE_BIT(BESIDE_FACTORS)           /* f of every pair */
#define USES_WEIGHTS RILL_BESIDE_BIT(BESIDE_WEIGHTS)           /* f in 16 bits */
#define USES_WALL_LISTS RILL_BESIDE_BIT(BESIDE_WALL_LISTS)     /* the same among walls */
#define USES_WALL_FACTORS RILL_BESIDE_BIT(BESIDE_WALL_FACTORS)
#define USES_WALL_PLACES RILL_BESIDE_BIT(BESIDE_WALL_PLACES)   /* where wall particles are, and psi */
#define USES_WALL_MOTION RILL_BESIDE_BIT(BESIDE_WALL_MOTION)   /* how they move, and how far they are behind */
#define USES_AXES RILL_BESIDE_BIT(BESIDE_AXES)                 /* x, y, z apart, as the sort left them */
#define USES_WALL_AXES RILL_BESIDE_BIT(BESIDE_WALL_AXES)
#define USES_MISSING RILL_BESIDE_BIT(BESIDE_MISSING)           /* lists that are yet to be built */
#define USES_WALL_PUSH RILL_BESIDE_BIT(BESIDE_WALL_PUSH)       /* how hard they press */
#define USES_LIQUID_LISTS RILL_BESIDE_BIT(BESIDE_LIQUID_LISTS) /* who of the liquid is near a wall particle */
#define USES_LIQUID RILL_BESIDE_BIT(BESIDE_LIQUID)             /* the liquid's fields, for passes over walls */
#define USES_WALL_BODIES RILL_BESIDE_BIT(BESIDE_WALL_BODIES)   /* which body they belong to */
#define USES_WALLS (USES_WALL_PLACES | USES_WALL_MOTION | USES_WALL_BODIES)
#define USES_TOUCH_COUNTS RILL_BESIDE_BIT(BESIDE_TOUCH_COUNTS) /* how many bodies each group touches */
#define USES_TOUCHES RILL_BESIDE_BIT(BESIDE_TOUCHES)           /* what bodies do to the liquid: sums, hold and pull */
#define USES_TOUCH_PUSH RILL_BESIDE_BIT(BESIDE_TOUCH_PUSH)     /* and their push */
#define USES_GIVEN RILL_BESIDE_BIT(BESIDE_GIVEN)               /* the velocity they have given */
#define USES_PAIRS (USES_LISTS | USES_FACTORS)

typedef struct rill_sph {
    rill_runner runner;
    rill_grid grid;
    rill_set liquid;
    rill_set walls; /* particles that stand for walls and bodies */
    rill_set wall_parts[2]; /* those that stay and those that move, sorted apart, where there are both */
    rill_lists lists;      /* liquid among liquid */
    rill_lists wall_lists; /* liquid among walls */
    rill_lists liquid_lists; /* walls among liquid, where walls look at it */
    bool walls_move; /* some wall particle does in this step */
    rill_touches touches; /* what bodies do to the liquid, made from all of these once a step */
    float wall_weight; /* wall particles count so many times their psi */
    rill_buffer missing; /* for the search: what is yet to be built of every block */

    double diameter, support, volume; /* d, h, V0 */
    rill_kernel_kind kernel;
    float gravity[3];
    uint32_t fluid_count;
    float *rest_density; /* per fluid */
    float *viscosity;    /* per fluid */
    float *tension;      /* per fluid, N/m */
    float *adhesion;     /* per fluid, share of the tension */
    rill_viscosity_kind viscosity_kind;
    double grip; /* 1 - slip of the wall that holds the liquid most */
} rill_sph;

/* Records of the wall particles: x, y, z, psi, and velocities with how far they are behind the surface. */
static inline float *rill_walls_position(const rill_sph *sph)
{
    return rill_field_f32(&sph->walls.fields, FIELD_POSITION);
}

static inline float *rill_walls_velocity(const rill_sph *sph)
{
    return rill_field_f32(&sph->walls.fields, FIELD_VELOCITY);
}

/* Adds a row for what a pair pass gathers along with positions, in their fourth lane. */
static inline uint32_t rill_sph_add_handed(rill_sph *sph, const char *name, const char *unit)
{
    return rill_fields_add_name(&sph->liquid.fields, FIELD_POSITION, 3, name, unit, 1);
}

/* Where a pass that calls rill_fluid_ops.measure finds what the liquid adds up to: sums, and the largest. */
enum { RILL_SUM_KINETIC, RILL_SUM_POTENTIAL, RILL_SUM_MOMENTUM };
enum { RILL_LARGEST_SPEED2 };
typedef void rill_block_measure(const rill_sph *sph, const rill_pass_block *block);

/* What is compiled once per variant in this layer. */
typedef struct rill_fluid_ops {
    rill_variant variant;
    unsigned width;
    const rill_cell_ops *cells;
    rill_list_build *list_build;
    rill_pass_body *density;     /* context: rill_density_job */
    rill_block_measure *measure; /* adds the particles of a block to its tally */
} rill_fluid_ops;

typedef struct rill_density_job {
    rill_sph *sph;
    bool keep_compression; /* only the pair factors are wanted */
} rill_density_job;

/* The best ops of a width, or NULL when this machine or build has none; 0: the best of all. */
const rill_fluid_ops *rill_fluid_ops_for(unsigned width);
/* The ops of a variant, or NULL. */
const rill_fluid_ops *rill_fluid_ops_of(rill_variant variant);

/* Sorts the liquid, when a step begins. */
rill_status rill_sph_sort(rill_sph *sph, const rill_fluid_ops *ops, rill_error *err);
/* The same between steps: density and pressure go along, which a step makes again. */
rill_status rill_sph_sort_all(rill_sph *sph, const rill_fluid_ops *ops, rill_error *err);

/* Finds all neighbours of the particles in these blocks. */
rill_status rill_sph_search(rill_sph *sph, const rill_fluid_ops *ops, rill_blocks blocks, rill_error *err);

/* D and the pair factors. With keep_compression, D stays as it is. */
void rill_sph_density(rill_sph *sph, const rill_fluid_ops *ops, rill_blocks blocks, bool keep_compression);

/* Where what passes use beside the fields lies now; returns how many pieces there are. */
uint32_t rill_sph_beside(const rill_sph *sph, unsigned width, rill_beside *pieces);

/* Adds the rows of the walls' field table. */
void rill_walls_begin(rill_sph *sph);
/* So many wall particles, all to be filled in; rill_walls_sort must follow. */
rill_status rill_walls_make(rill_sph *sph, uint32_t count, rill_error *err);
rill_status rill_walls_sort(rill_sph *sph, rill_error *err);

/* The parts of the walls: one that stays is sorted once, one that moves again and again, and then both are merged. */
enum { RILL_WALLS_STAY, RILL_WALLS_MOVE };
/* As rill_walls_make and rill_walls_sort. */
rill_status rill_walls_make_part(rill_sph *sph, uint32_t part, uint32_t count, rill_error *err);
rill_status rill_walls_sort_part(rill_sph *sph, uint32_t part, rill_error *err);
/* Makes the walls of both parts. */
rill_status rill_walls_merge(rill_sph *sph, rill_error *err);

void rill_sph_free(rill_sph *sph);

#endif

/* Fields of particles on blocks of nodes. Positive inside; lengths in cells of
 * the lattice, so that nodes of a block lie at 0, 1, ... 7. */
#ifndef RILL_SURFACE_FIELD_H
#define RILL_SURFACE_FIELD_H

#include <stdatomic.h>

#include "base/variant.h"
#include "surface/points.h"
#include "surface/sparse.h"

/* Particles near one block, in the block's coordinates. */
typedef struct rill_gathered {
    uint32_t count;
    const float *position; /* x, y, z, and by how much the particle's radius is larger than that of all */
    const float *shape;    /* anisotropic: xx, yy, zz, 2 xy, 2 xz, 2 yz of G^T G, then the weight */
} rill_gathered;

/* What a field needs to know, in cells. */
typedef struct rill_field_setting {
    float reach;     /* a particle acts on nodes nearer than this */
    float radius;    /* of a particle */
    float spread;    /* Zhu and Bridson: how much farther than the radius the surface may lie from the nearest particle;
                        spheres: the length b */
    float gap;       /* spheres: how far from a particle a gap may be filled */
    float alone;     /* by how much the radius of a particle alone is larger, so that its mesh holds its volume */
    float few, many, plenty; /* Zhu and Bridson: sums of weights between which the spread begins to count, and beyond
                                which it grows */
    float weight;    /* of a particle in sums, so that liquid has one */
    float level;     /* of sums at the surface; spheres: at which gaps are filled */
} rill_field_setting;

/* Values at the 512 nodes of a block. */
typedef void rill_field_sum(const rill_gathered *near, const rill_field_setting *setting, float *value);
enum { RILL_SHAPE = 7 };

/* Anisotropic kernels, as in rill_gathered but in diameters. */
typedef struct rill_shapes {
    float *shape;    /* the first is that of all particles deep inside */
    uint32_t *which; /* of each particle, in the points' order */
} rill_shapes;
static inline const float *rill_shapes_at(const rill_shapes *shapes, uint32_t i)
{
    return shapes->shape + RILL_SHAPE * (size_t)shapes->which[i];
}
void rill_shapes_free(rill_shapes *shapes);

/* Every node of a block, which begins at the origin, is nearer than the reach (in cells) to one of the particles that a
 * box around it holds. The scratch has room for three floats for each of them and for some more. */
enum { RILL_COVER_SLACK = 16 };
typedef bool rill_field_cover(rill_rows box, size_t held, const double origin[3], double cell, float reach,
                              float *scratch);

/* Sums over a particle's neighbours with weights 1 - (r / range)^3, itself among them; lengths in diameters. */
typedef struct rill_moments {
    float weight, mean[3], square[6]; /* sums of w, w y and w y y^T: xx, yy, zz, xy, xz, yz */
    uint32_t count;
} rill_moments;
typedef void rill_moments_sum(const rill_points *points, uint32_t i, const rill_span *runs, unsigned run_count,
                              float range, rill_moments *moments);
/* The mean of the neighbours' moves, records of four floats. */
typedef void rill_move_mean(const rill_points *points, const float *move, uint32_t i, const rill_span *runs,
                            unsigned run_count, float range, float mean[3]);

/* Compiled once per variant (base/variant.h). */
typedef struct rill_field_ops {
    rill_field_sum *sum[4]; /* in the order of rill_surface_field */
    rill_field_cover *cover;
    rill_moments_sum *moments;
    rill_move_mean *move_mean;
} rill_field_ops;
const rill_field_ops *rill_field_ops_of(rill_variant variant);
/* The best that the machine has. */
const rill_field_ops *rill_field_ops_best(void);

/* A field of sorted particles over the lattice whose node (0, 0, 0) lies at the origin. */
typedef struct rill_field {
    const rill_points *points;
    const rill_shapes *shapes; /* anisotropic; NULL otherwise */
    double cell;
    rill_field_setting setting;
    double extent;       /* no surface lies farther than this from a particle, m */
    rill_surface_field kind;
    const rill_field_ops *ops;
    rill_buffer *scratch; /* one a worker */
    unsigned workers;
    atomic_bool failed;   /* a worker had no memory */
    float far;            /* as in rill_block_source */
} rill_field;

rill_status rill_field_make(rill_field *field, const rill_points *points, const rill_shapes *shapes,
                            const rill_surface_options *options, unsigned workers, rill_error *err);
void rill_field_free(rill_field *field);

/* As rill_block_source. */
void rill_field_values(void *user, const int32_t at[3], float *value, unsigned worker);

/* Adds the blocks that the surface may run through, taking those for inside that lie amidst particles. */
rill_status rill_field_blocks(rill_field *field, rill_sparse *sparse, bool skip_inside,
                              const rill_scheduler *scheduler, rill_error *err);

/* Zhu and Bridson: writes to the fourth of each record by how much the particle's radius is larger than a flat
 * surface's, in diameters. False: no memory. */
bool rill_excess_make(rill_points *points, const rill_field_ops *ops, const rill_scheduler *scheduler);

/* No anisotropic kernel reaches farther, in diameters. */
#define RILL_ANISOTROPIC_REACH 3.0

/* Yu and Turk: particles moved to their neighbours' mean, with a shape each. A particle alone is to have this radius,
 * in diameters. */
rill_status rill_anisotropic_make(const rill_points *points, const rill_field_ops *ops, double drop,
                                  const rill_scheduler *scheduler, rill_points *moved, rill_shapes *shapes,
                                  rill_error *err);

/* The radius of a particle alone, in diameters, for its mesh to hold d^3. */
double rill_field_drop(const rill_surface_options *options);

#endif

/* Geometries: what a shape is. A shape's numbers count in coordinates of its own; a pose (geom/pose.h) places it. All
 * shapes are convex. Whoever needs to know where a surface is, how it looks or how much it encloses asks the shape's
 * table of functions; nobody else tells shapes apart. */
#ifndef RILL_GEOM_GEOMETRY_H
#define RILL_GEOM_GEOMETRY_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "geom/pose.h"
#include "rill/scene.h"

/* The surface as seen from a point: how far it is, below zero inside, and the unit vector that leads outwards there.
 * The nearest point of the surface is at - distance * normal. */
typedef struct rill_nearest {
    double distance;
    rill_vec3 normal;
} rill_nearest;

/* What of a container's surface is no wall. */
typedef struct rill_sides {
    uint32_t open;    /* sides of a box, as bits */
    bool periodic[3]; /* own axes along which the walls go on for ever; of a cylinder, any of them: along its own */
} rill_sides;

/* ---- the sweep of a point ---- */

/* What a path met: nothing, a surface that it came too near to, or one that it would have passed. */
typedef enum rill_contact { RILL_CONTACT_NONE, RILL_CONTACT_TOUCH, RILL_CONTACT_PASSED } rill_contact;

/* A straight path of a point while a shape moves. */
typedef struct rill_path {
    const rill_shape *before, *shape; /* at the beginning and at the end */
    rill_sides sides;
    double margin;      /* how near the point may come */
    rill_vec3 from, to; /* in the own coordinates of the beginning and of the end */
} rill_path;

/* Where a path may end, and the faces that it was stopped by. */
typedef struct rill_stop {
    rill_contact contact;
    rill_vec3 at;
    int count;
    rill_vec3 normal[3]; /* outwards */
    int side[3];         /* of a box: 2 * axis + high; -1: a face without a number */
} rill_stop;

/* ---- samples ---- */

/* Samples lie half a spacing behind the surface as the liquid sees it. */
typedef struct rill_sampling {
    double spacing;
    bool solid; /* liquid outside: samples lie inside */
    rill_sides sides;
    rill_bounds clip; /* in own coordinates: where an unbounded surface counts */
    double repeat[3]; /* after which an unbounded surface comes again along an own axis; 0: never */
} rill_sampling;

typedef void rill_sample_each(void *user, rill_vec3 at);

/* ---- pictures ---- */

/* A triangle, counter-clockwise seen from outside, with the surface's normals at its corners. */
typedef void rill_triangle_each(void *user, const rill_vec3 corner[3], const rill_vec3 normal[3]);

/* A line that shows the shape: an edge, or one drawn on a round surface to make it seen. */
typedef void rill_line_each(void *user, rill_vec3 from, rill_vec3 to, bool edge);

/* ---- lattices ---- */

/* Places of particles in a shape: first + i step[0] + j step[1] + k step[2]. */
typedef struct rill_lattice {
    rill_vec3 first, step[3];
    double count[3];
} rill_lattice;

/* Volume, centre of mass and the moments of inertia about it, for a density of 1. */
typedef struct rill_mass {
    double volume;
    rill_vec3 centre;
    double inertia[6]; /* xx, yy, zz, xy, yz, zx of the tensor */
} rill_mass;

/* ---- one kind of shape ---- */

enum { RILL_GEOMETRY_NUMBERS = 7 };

typedef struct rill_geometry {
    const char *name;
    bool sided;     /* has sides that may be open, slide and move by themselves */
    bool ball;      /* a sphere around its centre, which may be drawn as one */
    size_t anchor;  /* offset of the point of a shape from which its samples count */
    bool unbounded; /* divides all space: liquid is where its normal points to, whatever `solid` says */

    /* The shape in words, such as "sphere at (0, 0, 1) m, radius 0.2 m". */
    int (*describe)(const rill_shape *shape, char *text, size_t size);
    /* NULL, or the value that makes no sense with the rest of a sentence about the shape, such as "has no normal". */
    const void *(*fault)(const rill_shape *shape, char *why, size_t size);
    /* The numbers that make the shape; returns how many. */
    int (*numbers)(const rill_shape *shape, double numbers[RILL_GEOMETRY_NUMBERS]);

    rill_vec3 (*centre)(const rill_shape *shape);
    rill_bounds (*bounds)(const rill_shape *shape);
    /* How far the shape reaches from its centre along a unit vector. */
    double (*reach)(const rill_shape *shape, rill_vec3 way);
    rill_nearest (*nearest)(const rill_shape *shape, rill_vec3 at);
    /* Whether a point is at least so deep inside the sides that have a wall; below zero: so near. */
    bool (*inside)(const rill_shape *shape, const rill_sides *sides, rill_vec3 at, double depth);
    /* The shape with a surface that lies farther out by so much everywhere, as far as a shape of its kind can. */
    rill_shape (*grown)(const rill_shape *shape, double by);
    rill_mass (*mass)(const rill_shape *shape);

    /* Keeps the path of a point inside, or outside. Leaves *stop as it is where nothing is in the way. */
    void (*keep_in)(const rill_path *path, rill_stop *stop);
    void (*keep_out)(const rill_path *path, rill_stop *stop);

    /* Calls back for every sample, always in the same order; about as many as `guess` says, and hardly more. */
    void (*sample)(const rill_shape *shape, const rill_sampling *how, rill_sample_each *each, void *user);
    double (*guess)(const rill_shape *shape, const rill_sampling *how);

    /* The closed surface in triangles, with so many around a circle; an unbounded one where the box cuts it. */
    void (*triangles)(const rill_shape *shape, const rill_bounds *clip, int fineness, rill_triangle_each *each,
                      void *user);
    void (*lines)(const rill_shape *shape, const rill_bounds *clip, uint32_t open, rill_line_each *each, void *user);

    /* Whether a container goes on along a periodic axis instead of ending there. NULL: it never does. */
    bool (*continues)(const rill_shape *shape, int axis);

    /* Where particles lie in it at rest, and whether one of these places is taken. NULL: it cannot be filled. */
    rill_lattice (*lattice)(const rill_shape *shape, double spacing);
    bool (*takes)(const rill_shape *shape, rill_vec3 at);
} rill_geometry;

extern const rill_geometry rill_geometry_box, rill_geometry_sphere, rill_geometry_cylinder, rill_geometry_capsule,
    rill_geometry_plane;

/* That of a shape; NULL where its kind has none. */
const rill_geometry *rill_geometry_of(const rill_shape *shape);

/* ---- shapes in the scene ---- */

/* The pose that a shape asks for. */
rill_pose rill_shape_pose(const rill_shape *shape);

/* The shape that stands in the scene as this one does with a pose of its own. */
rill_shape rill_shape_posed(const rill_shape *shape, const rill_pose *pose);

/* The shape that lies elsewhere, in its own coordinates. */
rill_shape rill_shape_moved(const rill_shape *shape, rill_vec3 by);

/* The shape with sides of whole lengths, its first corner where it is. */
rill_shape rill_shape_snapped(const rill_shape *shape, double length);

/* The point from which the samples of a shape count, and so move with it to the bit. */
rill_vec3 rill_shape_anchor(const rill_shape *shape);

/* Around the shape where it stands. Those of a plane are infinite where it is. */
rill_bounds rill_shape_bounds(const rill_shape *shape);

/* Its highest and lowest point along a unit vector. */
void rill_shape_extent(const rill_shape *shape, rill_vec3 way, double *low, double *high);

/* Its bounds with the pose apart from the shape. */
rill_bounds rill_placed_bounds(const rill_shape *shape, const rill_pose *pose);

/* Whether the shape is not rotated, or about this axis of the scene, so that its own is the same. */
bool rill_shape_keeps_axis(const rill_shape *shape, int axis);

/* ---- what shapes share ---- */

/* How many points lie along a length: spaced evenly, as near to the spacing as fits. */
static inline double rill_count_along(double length, double spacing)
{
    return fmax(floor(length / spacing + 0.5), 1);
}

/* The end of `keep_out` for shapes that say where a path enters them, as a share of it, or 2: nowhere. */
typedef double rill_entry(const rill_shape *shape, rill_vec3 from, rill_vec3 to);
void rill_keep_out_by(const rill_path *path, rill_entry *entry, rill_stop *stop);

/* Stops a path at a face. */
void rill_stop_at(rill_stop *stop, rill_vec3 normal, int side);

#endif

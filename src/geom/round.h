/* What round shapes share: rings of samples, and triangles and lines around an axis. */
#ifndef RILL_GEOM_ROUND_H
#define RILL_GEOM_ROUND_H

#include "geom/geometry.h"

/* Always NULL: a radius above zero is all that a sphere needs, and the table of parameters sees to that. */
const void *rill_round_fault(const rill_shape *shape, char *why, size_t size);

/* The axis of a shape from `from` to `to`, and a frame around it. */
typedef struct rill_axis {
    rill_vec3 from, way, u, v; /* way: unit vector along it */
    double length;
} rill_axis;
rill_axis rill_axis_of(const rill_shape *shape);

/* A point of the shape as seen from its axis. */
typedef struct rill_axial {
    double along, radius; /* m from `from`, m from the axis */
    rill_vec3 out;        /* unit vector away from the axis */
} rill_axial;
rill_axial rill_axis_see(const rill_axis *axis, rill_vec3 at);

const void *rill_axis_fault(const rill_shape *shape, char *why, size_t size);
int rill_axis_numbers(const rill_shape *shape, double numbers[RILL_GEOMETRY_NUMBERS]);
int rill_axis_describe(const char *name, const rill_shape *shape, char *text, size_t size);
rill_vec3 rill_axis_centre(const rill_shape *shape);

/* The moments of inertia of what is round about the axis, from those along and across it. */
rill_mass rill_axis_mass(const rill_shape *shape, double volume, double along, double across);

/* The shares of a path between which it lies within a radius of the axis; false: nowhere. */
bool rill_axis_enters(const rill_axis *axis, rill_vec3 from, rill_vec3 to, double radius, double *enter, double *leave);

/* The same for a ball. */
bool rill_ball_enters(rill_vec3 centre, double radius, rill_vec3 from, rill_vec3 to, double *enter, double *leave);

/* ---- samples ---- */

typedef struct rill_ring_work {
    rill_axis axis;
    double spacing;
    rill_sample_each *each;
    void *user;
} rill_ring_work;

/* Points on a ring about a spacing apart; of one too small for three, its middle alone. */
void rill_ring_sample(const rill_ring_work *work, double along, double radius);
/* Rings around each other from a rim to the middle. */
void rill_disc_sample(const rill_ring_work *work, double along, double radius);

/* ---- pictures ---- */

typedef struct rill_round {
    rill_axis axis;
    int spokes;
    rill_triangle_each *each;
    void *user;
} rill_round;

/* Triangles around an axis through a point. What follows goes along the outline from the low end of the axis up. */
rill_round rill_round_make(rill_vec3 from, rill_vec3 way, int spokes, rill_triangle_each *each, void *user);
/* Between two rings, with normals given by their share along the axis and away from it. */
void rill_round_band(const rill_round *round, const double low[2], const double high[2], const double low_normal[2],
                     const double high_normal[2]);
/* A part of a ball around a point of the axis, between two quarters of a circle from its middle: -1 to 1 is all. */
void rill_round_arc(const rill_round *round, double along, double radius, int from, int to);

/* A part of a circle, in turns. */
void rill_round_circle(rill_vec3 centre, rill_vec3 axis, double radius, double from, double to, bool edge,
                       rill_line_each *each, void *user);

/* Four half circles that lead over the ends of an axis, in two planes through it. */
void rill_axis_half_circles(const rill_axis *axis, double radius, rill_line_each *each, void *user);

#endif

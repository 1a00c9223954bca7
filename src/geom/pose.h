/* Poses: where a geometry, which has coordinates of its own, stands in the scene. */
#ifndef RILL_GEOM_POSE_H
#define RILL_GEOM_POSE_H

#include <stdbool.h>

#include "base/vec3.h"
#include "rill/scene.h"

/* x = position + R (own - about). A pose of zeros leaves every point where it is, to the bit. */
typedef struct rill_pose {
    double rotation[4]; /* unit quaternion: w, x, y, z */
    double matrix[9];   /* the same, row by row */
    rill_vec3 about;    /* in the geometry's own coordinates ... */
    rill_vec3 position; /* ... and where that point is in the scene */
    uint64_t turned;    /* 0: own coordinates are the scene's */
} rill_pose;

/* A turn by a unit quaternion about a point that stays where it is. */
rill_pose rill_pose_turn(const double rotation[4], rill_vec3 about);

/* A turn by an angle, rad, about an axis of any length above zero. */
rill_pose rill_pose_about(rill_vec3 axis, double angle, rill_vec3 about);

rill_vec3 rill_pose_rotate(const rill_pose *pose, rill_vec3 own);   /* a direction into the scene */
rill_vec3 rill_pose_unrotate(const rill_pose *pose, rill_vec3 way); /* and back */
rill_vec3 rill_pose_place(const rill_pose *pose, rill_vec3 own);    /* a point into the scene */
rill_vec3 rill_pose_own(const rill_pose *pose, rill_vec3 at);       /* and back */

/* A pose with a unit quaternion. One that neither turns nor moves leaves own coordinates to be the scene's. */
rill_pose rill_pose_placed(const double rotation[4], rill_vec3 about, rill_vec3 position);

/* Turns it further, about where its point `about` is: by an axis of the scene times an angle, rad. */
void rill_pose_turn_by(rill_pose *pose, rill_vec3 turn);

/* The unit quaternion of such a turn, that of first `b`, then `a`, which may be one of them, and the smallest turn that
 * leads from one to another. */
void rill_rotation_of(rill_vec3 turn, double rotation[4]);
void rill_rotation_after(const double a[4], const double b[4], double product[4]);
rill_vec3 rill_rotation_between(const double from[4], const double to[4]);

/* The box along the axes around a box that is placed, and around one seen in own coordinates. */
rill_bounds rill_pose_bounds(const rill_pose *pose, const rill_bounds *own);
rill_bounds rill_pose_own_bounds(const rill_pose *pose, const rill_bounds *scene);

/* The vector with length 1, whatever its length above zero; a zero vector stays one. */
rill_vec3 rill_unit_vector(rill_vec3 v);

rill_vec3 rill_cross(rill_vec3 a, rill_vec3 b);

/* Two unit vectors that make a right-handed frame with a third one. Of an axis of the scene they are the next ones. */
void rill_unit_frame(rill_vec3 axis, rill_vec3 *u, rill_vec3 *v);

#endif

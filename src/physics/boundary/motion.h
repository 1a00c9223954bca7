/* Prescribed motions: where sines, keyframes and steady motion have taken a body at a time. */
#ifndef RILL_PHYSICS_MOTION_H
#define RILL_PHYSICS_MOTION_H

#include "rill/scene.h"

/* How far a body has moved since its motion began, and how it has turned about the point that it turns about: a unit
 * quaternion w, x, y, z. */
typedef struct rill_motion_place {
    rill_vec3 move;
    double rotation[4];
} rill_motion_place;

rill_motion_place rill_motion_at(const rill_motion *motion, double time);

/* The mean velocity of the point that it turns about between two times, so that bodies arrive where the motion says. */
rill_vec3 rill_motion_velocity(const rill_motion *motion, double from, double to);

/* The steady angular velocity, rad/s in the axes of the scene, that turns a body between the two times. */
rill_vec3 rill_motion_spin(const rill_motion *motion, double from, double to);

/* Whether it ever turns. */
bool rill_motion_turns(const rill_motion *motion);

/* Between two times, which may be infinite, no move is faster than this, m/s, and no turn, rad/s. */
double rill_motion_most_speed(const rill_motion *motion, double from, double to);
double rill_motion_most_spin(const rill_motion *motion, double from, double to);

#endif

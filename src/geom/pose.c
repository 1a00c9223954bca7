/* Poses, and the vectors that they need. */
#include "geom/pose.h"

#include <math.h>
#include <string.h>

#include "base/maths.h"

rill_vec3 rill_cross(rill_vec3 a, rill_vec3 b)
{
    return (rill_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

rill_vec3 rill_unit_vector(rill_vec3 v)
{
    /* Scaled first, so that squares neither vanish nor overflow. */
    const double most = fmax(fmax(fabs(v.x), fabs(v.y)), fabs(v.z));
    if (!(most > 0)) return (rill_vec3){0, 0, 0};
    const rill_vec3 near = {v.x / most, v.y / most, v.z / most};
    const double length = rill_vec3_length(near);
    return (rill_vec3){near.x / length, near.y / length, near.z / length};
}

void rill_unit_frame(rill_vec3 axis, rill_vec3 *u, rill_vec3 *v)
{
    for (int a = 0; a < 3; a++) {
        const double along = rill_vec3_get(&axis, a);
        if (fabs(along) != 1) continue;
        *u = *v = (rill_vec3){0, 0, 0};
        rill_vec3_set(u, (a + 1) % 3, along);
        rill_vec3_set(v, (a + 2) % 3, 1);
        return;
    }
    const rill_vec3 size = {fabs(axis.x), fabs(axis.y), fabs(axis.z)};
    const int least = size.x <= size.y && size.x <= size.z ? 0 : size.y <= size.z ? 1 : 2;
    rill_vec3 other = {0, 0, 0};
    rill_vec3_set(&other, least, 1);
    *u = rill_unit_vector(rill_cross(other, axis));
    *v = rill_cross(axis, *u);
}

static void set_rotation(rill_pose *pose, const double q[4])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double matrix[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
                              2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                              2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)};
    memcpy(pose->rotation, q, sizeof pose->rotation);
    memcpy(pose->matrix, matrix, sizeof matrix);
}

rill_pose rill_pose_turn(const double rotation[4], rill_vec3 about)
{
    rill_pose pose = {.about = about, .position = about, .turned = 1};
    set_rotation(&pose, rotation);
    return pose;
}

rill_pose rill_pose_placed(const double rotation[4], rill_vec3 about, rill_vec3 position)
{
    const bool stays = rill_vec3_same(about, position);
    const bool turns = rotation[1] != 0 || rotation[2] != 0 || rotation[3] != 0;
    rill_pose pose = {.about = about, .position = position, .turned = turns || !stays};
    set_rotation(&pose, rotation);
    return pose;
}

rill_pose rill_pose_about(rill_vec3 axis, double angle, rill_vec3 about)
{
    const rill_vec3 unit = rill_unit_vector(axis);
    const double s = rill_sin(0.5 * angle), c = rill_cos(0.5 * angle);
    return rill_pose_turn((const double[4]){c, s * unit.x, s * unit.y, s * unit.z}, about);
}

/* ---- rotations ---- */

void rill_rotation_of(rill_vec3 turn, double rotation[4])
{
    const double angle = rill_vec3_length(turn), share = angle > 0 ? rill_sin(0.5 * angle) / angle : 0;
    rotation[0] = rill_cos(0.5 * angle);
    rotation[1] = share * turn.x, rotation[2] = share * turn.y, rotation[3] = share * turn.z;
}

/* With length 1 again, so that many turns in a row stay turns. */
void rill_rotation_after(const double a[4], const double b[4], double product[4])
{
    const double q[4] = {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                         a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                         a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
                         a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) product[i] = q[i] / length;
}

rill_vec3 rill_rotation_between(const double from[4], const double to[4])
{
    const double back[4] = {from[0], -from[1], -from[2], -from[3]};
    double q[4];
    rill_rotation_after(to, back, q);
    const double sign = q[0] < 0 ? -1 : 1, c = sign * q[0];
    const rill_vec3 way = {sign * q[1], sign * q[2], sign * q[3]};
    const double s = rill_vec3_length(way);
    if (!(s > 0)) return (rill_vec3){0, 0, 0};
    /* Half of the angle, of which s and c are the sine and cosine: each round takes off the sine of the error. */
    double half = s * (1 + (0.5 * RILL_PI - 1) * (1 - c));
    for (int round = 0; round < 4; round++) half += s * rill_cos(half) - c * rill_sin(half);
    return rill_vec3_scale(way, 2 * half / s);
}

void rill_pose_turn_by(rill_pose *pose, rill_vec3 turn)
{
    double further[4], rotation[4];
    rill_rotation_of(turn, further);
    rill_rotation_after(further, pose->rotation, rotation);
    *pose = rill_pose_placed(rotation, pose->about, pose->position);
}

/* ---- places ---- */

rill_vec3 rill_pose_rotate(const rill_pose *pose, rill_vec3 v)
{
    const double *m = pose->matrix;
    if (!pose->turned) return v;
    return (rill_vec3){m[0] * v.x + m[1] * v.y + m[2] * v.z, m[3] * v.x + m[4] * v.y + m[5] * v.z,
                       m[6] * v.x + m[7] * v.y + m[8] * v.z};
}

rill_vec3 rill_pose_unrotate(const rill_pose *pose, rill_vec3 v)
{
    const double *m = pose->matrix;
    if (!pose->turned) return v;
    return (rill_vec3){m[0] * v.x + m[3] * v.y + m[6] * v.z, m[1] * v.x + m[4] * v.y + m[7] * v.z,
                       m[2] * v.x + m[5] * v.y + m[8] * v.z};
}

rill_vec3 rill_pose_place(const rill_pose *pose, rill_vec3 own)
{
    if (!pose->turned) return own;
    return rill_vec3_add(pose->position, rill_pose_rotate(pose, rill_vec3_sub(own, pose->about)));
}

rill_vec3 rill_pose_own(const rill_pose *pose, rill_vec3 at)
{
    if (!pose->turned) return at;
    return rill_vec3_add(pose->about, rill_pose_unrotate(pose, rill_vec3_sub(at, pose->position)));
}

/* With the sums of its rows' or columns' sizes a box spans as far as its corners do. */
static rill_bounds spanned(rill_vec3 middle, const double m[9], bool columns, rill_vec3 half)
{
    rill_vec3 reach;
    for (int a = 0; a < 3; a++) {
        double sum = 0;
        for (int b = 0; b < 3; b++) sum += fabs(m[columns ? 3 * b + a : 3 * a + b]) * rill_vec3_get(&half, b);
        rill_vec3_set(&reach, a, sum);
    }
    return (rill_bounds){rill_vec3_sub(middle, reach), rill_vec3_add(middle, reach)};
}

rill_bounds rill_pose_bounds(const rill_pose *pose, const rill_bounds *own)
{
    if (!pose->turned) return *own;
    const rill_vec3 middle = rill_vec3_scale(rill_vec3_add(own->low, own->high), 0.5);
    return spanned(rill_pose_place(pose, middle), pose->matrix, false,
                   rill_vec3_scale(rill_vec3_sub(own->high, own->low), 0.5));
}

rill_bounds rill_pose_own_bounds(const rill_pose *pose, const rill_bounds *scene)
{
    if (!pose->turned) return *scene;
    const rill_vec3 middle = rill_vec3_scale(rill_vec3_add(scene->low, scene->high), 0.5);
    return spanned(rill_pose_own(pose, middle), pose->matrix, true,
                   rill_vec3_scale(rill_vec3_sub(scene->high, scene->low), 0.5));
}

/* Prescribed motions. Positions at both ends of a step say how fast a body goes in it, so errors do not add up. */
#include "physics/boundary/motion.h"

#include <math.h>

#include "base/maths.h"
#include "geom/pose.h"

/* ---- the ramp ---- */

/* Grows from 0 to 1 while u does, with no jump of its slope. */
static double grown(double u)
{
    return u * u * (3 - 2 * u);
}

/* Its integral from 0 to u. */
static double grown_sum(double u)
{
    return u * u * u * (1 - 0.5 * u);
}

/* How long the motion lasts; 0: for ever. */
static double length_of(const rill_motion *m)
{
    return m->stop > 0 ? m->stop - m->start : 0;
}

/* e at the time s after the start, and its integral. */
static double envelope(const rill_motion *m, double s)
{
    const double left = length_of(m) > 0 ? length_of(m) - s : m->ramp;
    if (!(m->ramp > 0)) return 1;
    return s < m->ramp ? grown(s / m->ramp) : left < m->ramp ? grown(left / m->ramp) : 1;
}

static double envelope_sum(const rill_motion *m, double s)
{
    const double ramp = m->ramp, left = length_of(m) > 0 ? length_of(m) - s : ramp;
    if (!(ramp > 0)) return s;
    if (s < ramp) return ramp * grown_sum(s / ramp);
    if (left < ramp) return length_of(m) - ramp - ramp * grown_sum(left / ramp);
    return s - 0.5 * ramp;
}

/* ---- keyframes ---- */

static rill_vec3 key_vector(const rill_keyframe *key, bool turn)
{
    return turn ? key->turn : key->move;
}

/* The slope at a keyframe after Fritsch and Butland: the harmonic mean of those to either side, and none at a turning
 * point or an end. So the curve never goes beyond two keyframes that follow each other. */
static double slope_at(const rill_motion *m, uint32_t k, int axis, bool turn)
{
    if (!k || k + 1 >= m->keyframe_count) return 0;
    const rill_keyframe *key = &m->keyframes[k];
    const double before = key->time - key[-1].time, after = key[1].time - key->time;
    const rill_vec3 low = key_vector(key - 1, turn), here = key_vector(key, turn), high = key_vector(key + 1, turn);
    const double x = rill_vec3_get(&here, axis);
    const double left = (x - rill_vec3_get(&low, axis)) / before, right = (rill_vec3_get(&high, axis) - x) / after;
    if (!(left * right > 0)) return 0;
    const double a = 2 * after + before, b = after + 2 * before;
    return (a + b) / (a / left + b / right);
}

/* The last keyframe that is not after the time. */
static uint32_t key_before(const rill_motion *m, double time)
{
    uint32_t low = 0, high = m->keyframe_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (m->keyframes[middle].time <= time) low = middle;
        else high = middle;
    }
    return low;
}

/* The cubic through two keyframes with their slopes. */
static rill_vec3 key_at(const rill_motion *m, double time, bool turn)
{
    const uint32_t k = key_before(m, time);
    const rill_keyframe *low = &m->keyframes[k], *high = low + 1;
    if (time <= low->time || k + 1 == m->keyframe_count) return key_vector(low, turn);
    const double length = high->time - low->time, u = (time - low->time) / length, v = 1 - u;
    rill_vec3 at;
    for (int a = 0; a < 3; a++) {
        const rill_vec3 from = key_vector(low, turn), to = key_vector(high, turn);
        const double x = rill_vec3_get(&from, a), y = rill_vec3_get(&to, a);
        const double slopes = v * slope_at(m, k, a, turn) - u * slope_at(m, k + 1, a, turn);
        rill_vec3_set(&at, a, v * v * (1 + 2 * u) * x + u * u * (1 + 2 * v) * y + u * v * length * slopes);
    }
    return at;
}

/* ---- the sum ---- */

static const rill_vec3 NOTHING = {0, 0, 0};

/* The sines together, as places or as turns, s after the start. Turns of a few sines add up as vectors, so that none of
 * them comes first. */
static rill_vec3 sines_at(const rill_motion *m, double s, bool turn)
{
    const double e = envelope(m, s);
    rill_vec3 sum = NOTHING;
    if (m->period > 0)
        sum = rill_vec3_scale(turn ? m->swing : m->amplitude, e * rill_sin(2 * RILL_PI * s / m->period + m->phase));
    for (uint32_t i = 0; i < m->sine_count; i++) {
        const rill_sine *sine = &m->sines[i];
        if (!(sine->period > 0)) continue;
        const double now = e * rill_sin(2 * RILL_PI * s / sine->period + sine->phase);
        sum = rill_vec3_add(sum, rill_vec3_scale(turn ? sine->swing : sine->amplitude, now));
    }
    return sum;
}

static rill_vec3 move_at(const rill_motion *m, double s)
{
    const rill_vec3 steady = rill_vec3_scale(m->velocity, envelope_sum(m, s));
    const rill_vec3 sum = rill_vec3_add(steady, sines_at(m, s, false));
    return m->keyframe_count ? rill_vec3_add(sum, key_at(m, s, false)) : sum;
}

/* First it spins, then it swings, then it takes the turn of the keyframes. */
static void rotation_at(const rill_motion *m, double s, double rotation[4])
{
    double swing[4], keys[4];
    rill_rotation_of(rill_vec3_scale(m->spin, envelope_sum(m, s)), rotation);
    rill_rotation_of(sines_at(m, s, true), swing);
    rill_rotation_after(swing, rotation, rotation);
    if (!m->keyframe_count) return;
    rill_rotation_of(key_at(m, s, true), keys);
    rill_rotation_after(keys, rotation, rotation);
}

rill_motion_place rill_motion_at(const rill_motion *m, double time)
{
    const double stop = m->stop > 0 ? m->stop : INFINITY;
    const double s = (time < m->start ? m->start : time > stop ? stop : time) - m->start;
    rill_motion_place place = {rill_vec3_sub(move_at(m, s), move_at(m, 0)), {1, 0, 0, 0}};
    if (!rill_motion_turns(m)) return place;
    double first[4];
    rotation_at(m, 0, first);
    rotation_at(m, s, place.rotation);
    rill_rotation_after(place.rotation, (const double[4]){first[0], -first[1], -first[2], -first[3]}, place.rotation);
    return place;
}

rill_vec3 rill_motion_velocity(const rill_motion *motion, double from, double to)
{
    if (!(to > from)) return NOTHING;
    const rill_motion_place before = rill_motion_at(motion, from), after = rill_motion_at(motion, to);
    return rill_vec3_scale(rill_vec3_sub(after.move, before.move), 1 / (to - from));
}

rill_vec3 rill_motion_spin(const rill_motion *motion, double from, double to)
{
    if (!(to > from) || !rill_motion_turns(motion)) return NOTHING;
    const rill_motion_place before = rill_motion_at(motion, from), after = rill_motion_at(motion, to);
    return rill_vec3_scale(rill_rotation_between(before.rotation, after.rotation), 1 / (to - from));
}

/* ---- bounds ---- */

static bool is_zero(rill_vec3 v)
{
    return v.x == 0 && v.y == 0 && v.z == 0;
}

bool rill_motion_turns(const rill_motion *m)
{
    if (!is_zero(m->spin) || !is_zero(m->swing)) return true;
    for (uint32_t i = 0; i < m->sine_count; i++)
        if (!is_zero(m->sines[i].swing)) return true;
    for (uint32_t i = 1; i < m->keyframe_count; i++)
        if (!is_zero(rill_vec3_sub(m->keyframes[i].turn, m->keyframes[0].turn))) return true;
    return false;
}

/* A ramp adds its own slope, 1.5 / ramp at most. */
static double sine_most(const rill_motion *m, rill_vec3 size, double period)
{
    if (!(period > 0)) return 0;
    return rill_vec3_length(size) * (2 * RILL_PI / period + (m->ramp > 0 ? 1.5 / m->ramp : 0));
}

/* The fastest between a keyframe and the next. The slope of a cubic is largest at one of its ends, or no more than 1.5
 * times that of the line between them. */
static double key_most(const rill_motion *m, uint32_t k, bool turn)
{
    const rill_keyframe *low = &m->keyframes[k];
    const rill_vec3 way = rill_vec3_sub(key_vector(low + 1, turn), key_vector(low, turn));
    double sum = 0;
    for (int a = 0; a < 3; a++) {
        const double line = 1.5 * fabs(rill_vec3_get(&way, a)) / (low[1].time - low->time);
        const double ends = fmax(fabs(slope_at(m, k, a, turn)), fabs(slope_at(m, k + 1, a, turn)));
        sum += fmax(line, ends) * fmax(line, ends);
    }
    return sqrt(sum);
}

/* Parts of a motion add up, so their speeds do at most; turns that follow each other turn no faster than their sum. */
static double most(const rill_motion *m, double from, double to, bool turn)
{
    if (to < m->start || (m->stop > 0 && from > m->stop)) return 0;
    double sum = rill_vec3_length(turn ? m->spin : m->velocity), keys = 0;
    sum += sine_most(m, turn ? m->swing : m->amplitude, m->period);
    for (uint32_t i = 0; i < m->sine_count; i++)
        sum += sine_most(m, turn ? m->sines[i].swing : m->sines[i].amplitude, m->sines[i].period);
    for (uint32_t k = key_before(m, from - m->start); k + 1 < m->keyframe_count; k++) {
        if (m->keyframes[k].time > to - m->start) break;
        keys = fmax(keys, key_most(m, k, turn));
    }
    return sum + keys;
}

double rill_motion_most_speed(const rill_motion *m, double from, double to)
{
    return most(m, from, to, false);
}

double rill_motion_most_spin(const rill_motion *m, double from, double to)
{
    return rill_motion_turns(m) ? most(m, from, to, true) : 0;
}

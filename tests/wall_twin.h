/* The walls' own pressure by the equations on top of wall_pressure.c, over all of the liquid, in double precision. */
#ifndef RILL_TESTS_WALL_TWIN_H
#define RILL_TESTS_WALL_TWIN_H

#include "tests/pairs.h"

/* Liquid as plain numbers, three a particle in x and v. */
typedef struct plain_liquid {
    uint32_t count;
    const double *x, *v, *mean, *rest;
} plain_liquid;

/* g - a_b */
static inline void pull_on_wall(const rill_sph *s, uint32_t b, double pull[3])
{
    const float *a = rill_field_f32(&s->walls.fields, WALL_ACCELERATION);
    for (uint32_t k = 0; k < 3; k++) pull[k] = s->gravity[k] - (a ? a[4 * (size_t)b + k] : 0);
}

/* The pressure of wall particle b in a step of dt, when it has changed its velocity within `between`. */
static inline double wall_pressure_twin(const rill_sph *s, uint32_t b, const plain_liquid *l, double dt, double between)
{
    double weight = 0, pressure = 0, density = 0, q = 0, m = 0, xb[3], vb[3], pull[3], d[3], psi;
    wall_at(s, b, xb, vb, &psi);
    pull_on_wall(s, b, pull);
    psi /= s->wall_weight;
    for (int k = 0; k < 3; k++) vb[k] -= between * (s->gravity[k] - pull[k]);
    for (uint32_t i = 0; i < l->count; i++) {
        const double r = pair_distance(s, l->x + 3 * i, xb, d), W = pair_kernel(s, r), f = psi * pair_factor(s, r);
        if (W == 0) continue;
        double lift = 0, along = 0, square = 0;
        for (int k = 0; k < 3; k++) {
            lift += l->rest[i] * pull[k] * d[k];
            along += d[k] * (l->v[3 * i + (uint32_t)k] - vb[k]);
            square += d[k] * d[k];
        }
        if (l->mean[i] > 0) pressure += W * fmax(0, l->mean[i] - lift);
        weight += W;
        density += W * l->rest[i];
        q += f * along;
        m += f * f * square;
    }
    const double least = 0.1 * rill_kernel_half_sum(rill_kernel_of_density(s->kernel), s->support, s->diameter);
    const double P = pressure / fmax(weight, least);
    if (!(m > 0)) return P;
    const double resistance = 0.2 * (density / weight) * q / (s->volume * m * dt);
    return P + fmin(fmax(resistance, -0.1 * P), 0.1 * P);
}

/* Adds what wall particle b with pressure P does to liquid at x: its acceleration. */
static inline void wall_push_twin(const rill_sph *s, uint32_t b, double P, const double x[3], double rest, double a[3])
{
    double xb[3], vb[3], d[3], psi;
    wall_at(s, b, xb, vb, &psi);
    const double f = psi * pair_factor(s, pair_distance(s, x, xb, d));
    for (int k = 0; k < 3; k++) a[k] -= s->volume / rest * f * P * d[k];
}

#endif

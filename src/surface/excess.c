/* Radii of particles for Zhu and Bridson's field. The mean of the particles near
 * lies deeper beneath a round surface than beneath a flat one, so that with one
 * radius for all a drop of a hundred particles would lose a fifth of itself. How
 * round the surface is shows in how far a particle's neighbours lie to one side:
 *
 *   w_ij = 1 - (|x_i - x_j| / 3)^3      m_i = |sum_j w_ij (x_j - x_i)| / sum_j w_ij
 *   r_i  = r + 0.5 max(m_i - 0.7 min(sum_j w_ij / 10, 1), 0)
 *
 * with lengths in diameters. At a flat surface m is hardly above 0.7, in a drop of
 * thirty particles about 1.2; the last factor is for two or three that are alone.
 * The numbers were chosen for drops of 2 to 30 000 particles to keep their volume. */
#include <math.h>

#include "surface/field.h"

static const double RANGE = 3, FLAT = 0.7, SOME = 10, SHARE = 0.5;
/* Farther than this from the surface neighbours lie on all sides. */
static const double DEEP = 2;

typedef struct swelling {
    rill_points *points;
    const rill_field_ops *ops;
    const bool *deep; /* of each cell */
    float *excess; /* apart from the points, which others read meanwhile */
} swelling;

static float excess_of(const rill_moments *m)
{
    double square = 0;
    for (int a = 0; a < 3; a++) square += (double)m->mean[a] * (double)m->mean[a];
    const double weight = (double)m->weight, flat = FLAT * fmin(weight / SOME, 1);
    return (float)(SHARE * fmax(sqrt(square) / weight - flat, 0));
}

static void excess_group(void *context, size_t group, unsigned worker)
{
    (void)worker;
    const swelling *s = context;
    rill_points *points = s->points;
    const uint32_t cells = points->cells.cell_count, begin = (uint32_t)group * RILL_CELL_GROUP;
    for (uint32_t c = begin; c < cells && c < begin + RILL_CELL_GROUP; c++) {
        if (s->deep[c]) continue;
        rill_span runs[RILL_RUNS];
        const unsigned run_count = rill_points_runs_near(points, c, RANGE * points->diameter, runs);
        for (uint32_t i = points->cells.start[c]; i < points->cells.start[c + 1]; i++) {
            rill_moments m;
            s->ops->moments(points, i, runs, run_count, (float)RANGE, &m);
            s->excess[i] = excess_of(&m);
        }
    }
}

bool rill_excess_make(rill_points *points, const rill_field_ops *ops, const rill_scheduler *scheduler)
{
    const uint32_t count = points->cells.particles;
    bool *deep = rill_points_deep(points, DEEP, scheduler);
    swelling s = {points, ops, deep, rill_calloc((size_t)count + 1, sizeof(float))};
    const bool fine = deep && s.excess;
    if (fine) rill_parallel_for(scheduler, rill_points_groups(points), excess_group, &s);
    for (uint32_t c = 0; fine && c < points->cells.cell_count; c++)
        for (size_t i = points->cells.start[c]; !deep[c] && i < points->cells.start[c + 1]; i++)
            points->position[4 * i + 3] = s.excess[i];
    rill_free(s.excess);
    rill_free(deep);
    return fine;
}

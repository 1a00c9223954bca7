/* Anisotropic kernels: J. Yu and G. Turk, Reconstructing surfaces of
 * particle-based fluids using anisotropic kernels, ACM Trans. Graph. 32 (2013).
 *
 *   w_ij = 1 - (|x_i - x_j| / r)^3                   r = 3 d
 *   m_i  = sum_j w_ij x_j / sum_j w_ij
 *   u_i  = lambda (m_i - x_i)                        lambda = 0.9
 *   v_i  = u_i - beta sum_j w_ij u_j / sum_j w_ij,   beta = 1
 *   x'_i = x_i + v_i / (1 + (|v_i| / b)^3)           b = 0.5 d
 *   C_i  = sum_j w_ij (x_j - m_i)(x_j - m_i)^T / sum_j w_ij = R diag(c_1, c_2, c_3) R^T
 *
 * The paper has beta = 0, which draws the surface inwards by four tenths of a
 * diameter; taking the neighbours' common move back, as J. Vollmer et al. 1999 do
 * for meshes, keeps it in place and still takes the bumps out. What would move
 * farther than a bump is high is no bump but a small drop, whose particles would
 * all end up in its middle; so they stay where they are.
 *
 * The kernel of particle i is stretched to the half-axes a_k = h c_k / c, where c
 * is the variance amidst liquid (0.15 r^2), with ratios of no more than k_r = 4.
 * Particles with fewer than 12 neighbours, fewer than in a film of one layer, are
 * round and small, those alone as large as their mesh needs (field.c). We store
 * M_i = R diag(1 / a_k^2) R^T and the weight 315 d^3 / (64 pi a_1 a_2 a_3), so that
 * V0 of every particle goes into the sum whatever its shape. Particles deep inside
 * stay where they are, round. Lengths in diameters. */
#include <math.h>
#include <string.h>

#include "surface/field.h"
#include "text/pi.h"

static const double RANGE = 3, LAMBDA = 0.9, BETA = 1, SUPPORT = 2.4, RATIO = 4, LEAST_AXIS = 0.25, BUMP = 0.5;
/* Half-axes of the few, and the radius of their surface at the field's level; the depth beyond which no node near the
 * surface is reached. */
static const double ROUND = 1, ROUND_RADIUS = 0.651, DEEP = 4;
enum { FEW = 12 };

typedef struct shaping {
    const rill_points *points;
    const rill_field_ops *ops;
    double drop; /* radius of a particle alone */
    const uint32_t *first; /* of each cell of the points: the shape of its first particle; 0: it lies deep */
    float *move;           /* u, records of four floats */
    float *moved, *shape;
} shaping;

/* Turns rows and columns p and q of the symmetric a so that a_pq vanishes, and the columns of v with them. */
static void turn(double a[3][3], double v[3][3], int p, int q)
{
    if (a[p][q] == 0) return;
    const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    const double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    const double c = 1 / sqrt(t * t + 1), s = t * c;
    const int r = 3 - p - q;
    const double apr = a[p][r], aqr = a[q][r], change = t * a[p][q];
    a[p][p] -= change;
    a[q][q] += change;
    a[p][q] = a[q][p] = 0;
    a[p][r] = a[r][p] = c * apr - s * aqr;
    a[q][r] = a[r][q] = s * apr + c * aqr;
    for (int k = 0; k < 3; k++) {
        const double vp = v[k][p], vq = v[k][q];
        v[k][p] = c * vp - s * vq;
        v[k][q] = s * vp + c * vq;
    }
}

/* Jacobi's method: eigenvalues onto the diagonal of a, eigenvectors into the columns of v. */
static void diagonalise(double a[3][3], double v[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) v[i][k] = i == k;
    for (int sweep = 0; sweep < 8; sweep++) {
        const double off = a[0][1] * a[0][1] + a[0][2] * a[0][2] + a[1][2] * a[1][2];
        const double on = a[0][0] * a[0][0] + a[1][1] * a[1][1] + a[2][2] * a[2][2];
        if (off <= 1e-16 * on) return;
        turn(a, v, 0, 1);
        turn(a, v, 0, 2);
        turn(a, v, 1, 2);
    }
}

/* Without moments: of a particle amidst liquid. */
static void shape_of(const rill_moments *m, double drop, float shape[RILL_SHAPE])
{
    /* Another particle near weighs nearly one. */
    const double alone = m ? fmax(2 - (double)m->weight, 0) : 0, grown = 1 + alone * (drop / ROUND_RADIUS - 1);
    double axis[3] = {grown * ROUND, grown * ROUND, grown * ROUND}, v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (!m)
        for (int k = 0; k < 3; k++) axis[k] = SUPPORT;
    else if (m->count > FEW) {
        static const int place[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
        const double weight = (double)m->weight;
        double a[3][3], largest = 0;
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                a[i][k] = ((double)m->square[place[i][k]] - (double)m->mean[i] * (double)m->mean[k] / weight) /
                          (weight * 0.15 * RANGE * RANGE);
        diagonalise(a, v);
        for (int k = 0; k < 3; k++) largest = fmax(largest, a[k][k]);
        for (int k = 0; k < 3; k++) {
            const double stretch = fmax(fmax(a[k][k], largest / RATIO), LEAST_AXIS);
            axis[k] = fmin(SUPPORT * stretch, RILL_ANISOTROPIC_REACH);
        }
    }
    double s[6] = {0};
    for (int k = 0; k < 3; k++) {
        static const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
        for (int e = 0; e < 6; e++)
            s[e] += (e < 3 ? 1 : 2) * v[pairs[e][0]][k] * v[pairs[e][1]][k] / (axis[k] * axis[k]);
    }
    for (int e = 0; e < 6; e++) shape[e] = (float)s[e];
    shape[6] = (float)(315 * grown * grown * grown / (64 * RILL_PI * axis[0] * axis[1] * axis[2]));
}

static void shape_group(void *context, size_t group, unsigned worker)
{
    (void)worker;
    const shaping *s = context;
    const rill_points *points = s->points;
    const uint32_t cells = points->cells.cell_count, begin = (uint32_t)group * RILL_CELL_GROUP;
    for (uint32_t c = begin; c < cells && c < begin + RILL_CELL_GROUP; c++) {
        if (!s->first[c]) continue;
        rill_span runs[RILL_RUNS];
        const unsigned run_count = rill_points_runs_near(points, c, RANGE * points->diameter, runs);
        for (uint32_t i = points->cells.start[c]; i < points->cells.start[c + 1]; i++) {
            rill_moments m;
            s->ops->moments(points, i, runs, run_count, (float)RANGE, &m);
            for (size_t a = 0; a < 3; a++) s->move[4 * (size_t)i + a] = (float)LAMBDA * m.mean[a] / m.weight;
            shape_of(&m, s->drop, s->shape + RILL_SHAPE * (size_t)(s->first[c] + i - points->cells.start[c]));
        }
    }
}

static void move_group(void *context, size_t group, unsigned worker)
{
    (void)worker;
    const shaping *s = context;
    const rill_points *points = s->points;
    const uint32_t cells = points->cells.cell_count, begin = (uint32_t)group * RILL_CELL_GROUP;
    for (uint32_t c = begin; c < cells && c < begin + RILL_CELL_GROUP; c++) {
        const uint32_t first = points->cells.start[c], last = points->cells.start[c + 1];
        if (!s->first[c]) {
            const float *from = points->position + 4 * (size_t)first;
            memcpy(s->moved + 4 * (size_t)first, from, 16 * (size_t)(last - first));
            continue;
        }
        rill_span runs[RILL_RUNS];
        const unsigned run_count = rill_points_runs_near(points, c, RANGE * points->diameter, runs);
        for (uint32_t i = first; i < last; i++) {
            const float *x = points->position + 4 * (size_t)i, *u = s->move + 4 * (size_t)i;
            float mean[3];
            s->ops->move_mean(points, s->move, i, runs, run_count, (float)RANGE, mean);
            double move[3], square = 0;
            for (int a = 0; a < 3; a++) {
                move[a] = (double)u[a] - BETA * (double)mean[a];
                square += move[a] * move[a];
            }
            const double far = sqrt(square) / BUMP, kept = 1 / (1 + far * far * far);
            for (int a = 0; a < 3; a++)
                s->moved[4 * (size_t)i + (size_t)a] = (float)((double)x[a] + points->diameter * kept * move[a]);
        }
    }
}

/* Numbers the shapes; returns how many there are, 0 without memory. */
static size_t count_shapes(const rill_points *points, const rill_scheduler *scheduler, uint32_t **first)
{
    const rill_cells *cells = &points->cells;
    bool *deep = rill_points_deep(points, DEEP, scheduler);
    uint32_t next = 1;
    *first = deep ? rill_malloc((size_t)cells->cell_count * sizeof **first + 1) : NULL;
    for (uint32_t c = 0; *first && c < cells->cell_count; c++) {
        (*first)[c] = deep[c] ? 0 : next;
        next += deep[c] ? 0 : cells->start[c + 1] - cells->start[c];
    }
    rill_free(deep);
    return *first ? next : 0;
}

/* Which shape each of the moved particles has. */
static uint32_t *find_shapes(const rill_points *points, const rill_points *moved, const uint32_t *first)
{
    uint32_t *number = rill_malloc(points->count * sizeof *number + 1);
    uint32_t *which = rill_malloc(points->count * sizeof *which + 1);
    for (uint32_t c = 0; number && c < points->cells.cell_count; c++) {
        const uint32_t begin = points->cells.start[c];
        for (uint32_t i = begin; i < points->cells.start[c + 1]; i++) number[i] = first[c] ? first[c] + i - begin : 0;
    }
    for (uint32_t i = 0; number && which && i < points->count; i++) which[i] = number[moved->source[i]];
    if (!number) {
        rill_free(which);
        which = NULL;
    }
    rill_free(number);
    return which;
}

void rill_shapes_free(rill_shapes *shapes)
{
    rill_free(shapes->shape);
    rill_free(shapes->which);
    *shapes = (rill_shapes){0};
}

rill_status rill_anisotropic_make(const rill_points *points, const rill_field_ops *ops, double drop,
                                  const rill_scheduler *scheduler, rill_points *moved, rill_shapes *shapes,
                                  rill_error *err)
{
    uint32_t *first;
    const size_t count = points->count, shape_count = count_shapes(points, scheduler, &first);
    const size_t bytes = 32 * count + shape_count * RILL_SHAPE * sizeof(float);
    shaping s = {.points = points, .ops = ops, .drop = drop, .first = first};
    rill_status status = RILL_OK;
    *shapes = (rill_shapes){0};
    /* Moves deep inside are zero and take no memory. */
    s.move = rill_calloc(16 * count + RILL_POINTS_SLACK, 1);
    s.moved = rill_memory_alloc(16 * count + 64);
    s.shape = shapes->shape = rill_malloc(shape_count * RILL_SHAPE * sizeof(float) + 1);
    const bool fine = shape_count && s.move && s.moved && s.shape;
    if (fine) {
        shape_of(NULL, 0, s.shape);
        rill_parallel_for(scheduler, rill_points_groups(points), shape_group, &s);
        rill_parallel_for(scheduler, rill_points_groups(points), move_group, &s);
    }
    rill_free(s.move);
    if (fine) status = rill_points_make(moved, s.moved, NULL, points->count, points->diameter, scheduler, err);
    rill_memory_free(s.moved);
    if (fine && !status) shapes->which = find_shapes(points, moved, first);
    if (!status && !shapes->which) status = rill_memory_fail(err, bytes, "the shapes of particles");
    rill_free(first);
    return status;
}

/* What round shapes share. */
#include "geom/round.h"

#include <math.h>
#include <stdio.h>

#include "base/maths.h"

const void *rill_round_fault(const rill_shape *s, char *why, size_t size)
{
    (void)s, (void)why, (void)size;
    return NULL;
}

/* ---- axes ---- */

rill_axis rill_axis_of(const rill_shape *s)
{
    rill_axis axis = {.from = s->from};
    const rill_vec3 way = rill_vec3_sub(s->to, s->from);
    axis.length = rill_vec3_length(way);
    axis.way = rill_unit_vector(way);
    rill_unit_frame(axis.way, &axis.u, &axis.v);
    return axis;
}

rill_axial rill_axis_see(const rill_axis *axis, rill_vec3 at)
{
    const rill_vec3 from = rill_vec3_sub(at, axis->from);
    rill_axial seen = {.along = rill_vec3_dot(from, axis->way)};
    const rill_vec3 away = rill_vec3_sub(from, rill_vec3_scale(axis->way, seen.along));
    seen.radius = rill_vec3_length(away);
    seen.out = seen.radius > 0 ? rill_vec3_scale(away, 1 / seen.radius) : axis->u;
    return seen;
}

const void *rill_axis_fault(const rill_shape *s, char *why, size_t size)
{
    if (rill_vec3_length(rill_vec3_sub(s->to, s->from)) > 0) return NULL;
    snprintf(why, size, "has no length: 'to' must differ from 'from'");
    return &s->to;
}

int rill_axis_numbers(const rill_shape *s, double n[RILL_GEOMETRY_NUMBERS])
{
    n[0] = s->from.x, n[1] = s->from.y, n[2] = s->from.z;
    n[3] = s->to.x, n[4] = s->to.y, n[5] = s->to.z, n[6] = s->radius;
    return 7;
}

int rill_axis_describe(const char *name, const rill_shape *s, char *text, size_t size)
{
    return snprintf(text, size, "%s from (%g, %g, %g) to (%g, %g, %g) m, radius %g m", name, s->from.x, s->from.y,
                    s->from.z, s->to.x, s->to.y, s->to.z, s->radius);
}

rill_vec3 rill_axis_centre(const rill_shape *s)
{
    return rill_vec3_scale(rill_vec3_add(s->from, s->to), 0.5);
}

rill_mass rill_axis_mass(const rill_shape *s, double volume, double along, double across)
{
    const rill_vec3 a = rill_axis_of(s).way;
    const double more = along - across;
    return (rill_mass){volume, rill_axis_centre(s), {across + more * a.x * a.x, across + more * a.y * a.y,
                                                     across + more * a.z * a.z, more * a.x * a.y, more * a.y * a.z,
                                                     more * a.z * a.x}};
}

/* The roots of a t^2 + 2 b t + c, between which it is below zero. */
static bool below_zero(double a, double b, double c, double *enter, double *leave)
{
    if (!(a > 0)) {
        *enter = -INFINITY, *leave = INFINITY;
        return c < 0;
    }
    const double root2 = b * b - a * c;
    if (!(root2 > 0)) return false;
    /* Without a difference of numbers that are nearly the same. */
    const double q = b > 0 ? -b - sqrt(root2) : -b + sqrt(root2);
    const double t0 = q / a, t1 = c / q;
    *enter = fmin(t0, t1), *leave = fmax(t0, t1);
    return true;
}

bool rill_axis_enters(const rill_axis *axis, rill_vec3 from, rill_vec3 to, double radius, double *enter, double *leave)
{
    const rill_vec3 start = rill_vec3_sub(from, axis->from), path = rill_vec3_sub(to, from);
    const rill_vec3 x = rill_vec3_sub(start, rill_vec3_scale(axis->way, rill_vec3_dot(start, axis->way)));
    const rill_vec3 d = rill_vec3_sub(path, rill_vec3_scale(axis->way, rill_vec3_dot(path, axis->way)));
    return below_zero(rill_vec3_dot(d, d), rill_vec3_dot(x, d), rill_vec3_dot(x, x) - radius * radius, enter, leave);
}

bool rill_ball_enters(rill_vec3 centre, double radius, rill_vec3 from, rill_vec3 to, double *enter, double *leave)
{
    const rill_vec3 x = rill_vec3_sub(from, centre), d = rill_vec3_sub(to, from);
    return below_zero(rill_vec3_dot(d, d), rill_vec3_dot(x, d), rill_vec3_dot(x, x) - radius * radius, enter, leave);
}

/* ---- samples ---- */

static rill_vec3 point_at(const rill_axis *axis, double along, double radius, double angle)
{
    const double c = radius * rill_cos(angle), s = radius * rill_sin(angle);
    rill_vec3 at = rill_vec3_add(axis->from, rill_vec3_scale(axis->way, along));
    at = rill_vec3_add(at, rill_vec3_scale(axis->u, c));
    return rill_vec3_add(at, rill_vec3_scale(axis->v, s));
}

void rill_ring_sample(const rill_ring_work *w, double along, double radius)
{
    if (radius < 0.5 * w->spacing) {
        w->each(w->user, point_at(&w->axis, along, 0, 0));
        return;
    }
    const double count = fmax(3, floor(2 * RILL_PI * radius / w->spacing + 0.5));
    for (double k = 0; k < count; k++) w->each(w->user, point_at(&w->axis, along, radius, 2 * RILL_PI * k / count));
}

void rill_disc_sample(const rill_ring_work *w, double along, double radius)
{
    const double rings = rill_count_along(radius, w->spacing), apart = radius / rings;
    for (double k = rings; k >= 1; k--) rill_ring_sample(w, along, k * apart);
    if (apart >= 0.8 * w->spacing) rill_ring_sample(w, along, 0);
}

/* ---- triangles ---- */

rill_round rill_round_make(rill_vec3 from, rill_vec3 way, int spokes, rill_triangle_each *each, void *user)
{
    rill_round round = {
        .axis = {.from = from, .way = way}, .spokes = spokes < 3 ? 3 : spokes, .each = each, .user = user};
    rill_unit_frame(way, &round.axis.u, &round.axis.v);
    return round;
}

static rill_vec3 normal_at(const rill_round *r, const double normal[2], double angle)
{
    const rill_axis free = {.way = r->axis.way, .u = r->axis.u, .v = r->axis.v};
    return rill_unit_vector(point_at(&free, normal[0], normal[1], angle));
}

void rill_round_band(const rill_round *r, const double low[2], const double high[2], const double low_normal[2],
                     const double high_normal[2])
{
    for (int k = 0; k < r->spokes; k++) {
        rill_vec3 at[4], n[4]; /* low, low of the next spoke, high of that, high */
        for (int i = 0; i < 4; i++) {
            const int spoke = (k + (i == 1 || i == 2)) % r->spokes;
            const double angle = 2 * RILL_PI * spoke / r->spokes;
            at[i] = point_at(&r->axis, i < 2 ? low[0] : high[0], i < 2 ? low[1] : high[1], angle);
            n[i] = normal_at(r, i < 2 ? low_normal : high_normal, angle);
        }
        if (low[1] > 0)
            r->each(r->user, (const rill_vec3[3]){at[0], at[1], at[2]}, (const rill_vec3[3]){n[0], n[1], n[2]});
        if (high[1] > 0)
            r->each(r->user, (const rill_vec3[3]){at[0], at[2], at[3]}, (const rill_vec3[3]){n[0], n[2], n[3]});
    }
}

/* Exact at whole quarters, so that parts meet without a gap. */
static void quarter(double turn, double *sine, double *cosine)
{
    const bool whole = turn == -1 || turn == 0 || turn == 1;
    *sine = whole ? turn : rill_sin(0.5 * RILL_PI * turn);
    *cosine = whole ? turn == 0 : rill_cos(0.5 * RILL_PI * turn);
}

void rill_round_arc(const rill_round *r, double along, double radius, int from, int to)
{
    const int rings = (r->spokes + 3) / 4 * (to - from);
    double low[2] = {0}, low_normal[2] = {0};
    for (int i = 0; i <= rings; i++) {
        double normal[2];
        quarter(from + (double)(to - from) * i / rings, &normal[0], &normal[1]);
        const double high[2] = {along + radius * normal[0], radius * normal[1]};
        if (i) rill_round_band(r, low, high, low_normal, normal);
        for (int k = 0; k < 2; k++) low[k] = high[k], low_normal[k] = normal[k];
    }
}

/* ---- lines ---- */

void rill_round_circle(rill_vec3 centre, rill_vec3 way, double radius, double from, double to, bool edge,
                       rill_line_each *each, void *user)
{
    enum { PIECES = 96 };
    rill_axis axis = {.from = centre, .way = way};
    rill_unit_frame(way, &axis.u, &axis.v);
    const int pieces = (int)ceil(PIECES * (to - from));
    rill_vec3 last = {0, 0, 0};
    for (int i = 0; i <= pieces; i++) {
        const rill_vec3 at = point_at(&axis, 0, radius, 2 * RILL_PI * (from + (to - from) * i / pieces));
        if (i) each(user, last, at, edge);
        last = at;
    }
}

void rill_axis_half_circles(const rill_axis *axis, double radius, rill_line_each *each, void *user)
{
    enum { PIECES = 48 };
    for (int part = 0; part < 4; part++) {
        const bool high = part & 1;
        const rill_axis arc = {
            .from = high ? rill_vec3_add(axis->from, rill_vec3_scale(axis->way, axis->length)) : axis->from,
            .u = part & 2 ? axis->v : axis->u, .v = rill_vec3_scale(axis->way, high ? 1 : -1)};
        rill_vec3 last = {0, 0, 0};
        for (int i = 0; i <= PIECES; i++) {
            const rill_vec3 at = point_at(&arc, 0, radius, RILL_PI * i / PIECES);
            if (i) each(user, last, at, false);
            last = at;
        }
    }
}

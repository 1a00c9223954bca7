/* The guard of all bodies.
 *
 * Asking a body about a path is exact, and slow. So every body has a box around all paths that it can touch, and a path
 * asks those bodies alone whose box it meets, in the order of their numbers: what the others would say is known. */
#include "physics/boundary/guard.h"

/* A longer path than so many margins, four diameters, asks every body. */
static const double LONGEST = 16;
/* A body that turns by more in a step, as a chord of the unit circle, is asked about every path. */
static const double MOST_TURN = 0.5;

void rill_guard_free(rill_guard *guard)
{
    rill_broad_free(&guard->broad);
    rill_buffer_free(&guard->memory);
    *guard = (rill_guard){0};
}

/* ---- where containers touch nothing ---- */

/* Whether a container holds all corners of a box, and with them, being convex, all of it. */
static bool holds_box(const rill_body *body, const rill_bounds *box, double margin)
{
    for (int i = 0; i < 8; i++) {
        const rill_vec3 corner = {i & 1 ? box->high.x : box->low.x, i & 2 ? box->high.y : box->low.y,
                                  i & 4 ? box->high.z : box->low.z};
        if (!rill_body_holds(body, corner, margin)) return false;
    }
    return true;
}

/* A box in the middle of another one, with shares of its sides. */
static rill_bounds shrunk(const rill_bounds *box, const double share[3])
{
    rill_bounds b;
    for (int a = 0; a < 3; a++) {
        const double low = rill_vec3_get(&box->low, a), high = rill_vec3_get(&box->high, a);
        const double middle = 0.5 * (low + high), half = 0.5 * share[a] * (high - low);
        rill_vec3_set(&b.low, a, middle - half);
        rill_vec3_set(&b.high, a, middle + half);
    }
    return b;
}

/* A large box inside a container: as large a part of its bounds as it holds, then longer along each axis. */
static rill_bounds inside_of(const rill_body *body, double margin)
{
    enum { HALVINGS = 12 };
    const rill_bounds bounds = rill_placed_bounds(&body->shape, &body->pose);
    double share[3] = {0, 0, 0};
    const rill_bounds middle_point = shrunk(&bounds, share);
    if (!holds_box(body, &middle_point, margin))
        return (rill_bounds){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int part = 0; part < 4; part++) {
        double low = part ? share[part - 1] : 0, high = 1;
        for (int k = 0; k < HALVINGS; k++) {
            double tried[3] = {share[0], share[1], share[2]};
            const double middle = 0.5 * (low + high);
            for (int a = 0; a < 3; a++)
                if (!part || a == part - 1) tried[a] = middle;
            const rill_bounds box = shrunk(&bounds, tried);
            if (holds_box(body, &box, margin)) low = middle;
            else high = middle;
        }
        for (int a = 0; a < 3; a++)
            if (!part || a == part - 1) share[a] = low;
    }
    return shrunk(&bounds, share);
}

/* Bounds moved outwards by so much and, for what rounding adds, a millionth of where they are. */
static rill_box widened(const rill_bounds *bounds, double by)
{
    rill_box box;
    for (int a = 0; a < 3; a++) {
        const double low = rill_vec3_get(&bounds->low, a), high = rill_vec3_get(&bounds->high, a);
        const double finite = fmin(fabs(low), 1e30) + fmin(fabs(high), 1e30), more = by + 1e-6 * (finite + fabs(by));
        box.low[a] = (float)(low - more);
        box.high[a] = (float)(high + more);
    }
    return box;
}

static const rill_box nowhere = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static rill_box clear_of(const rill_body *body, double margin)
{
    if (body->solid) return nowhere;
    const bool turned = body->pose.turned;
    const bool box_like = rill_geometry_of(&body->shape)->sided && !turned;
    const rill_bounds bounds = box_like ? rill_placed_bounds(&body->shape, &body->pose) : inside_of(body, margin);
    rill_box clear;
    for (int a = 0; a < 3; a++) {
        /* The margin is in the others already. */
        const double low = rill_vec3_get(&bounds.low, a) + (box_like ? margin : 0);
        const double high = rill_vec3_get(&bounds.high, a) - (box_like ? margin : 0);
        clear.low[a] = !turned && body->open >> (2 * a) & 1 ? -INFINITY : (float)(low + 1e-6 * fabs(low));
        clear.high[a] = !turned && body->open >> (2 * a + 1) & 1 ? INFINITY : (float)(high - 1e-6 * fabs(high));
    }
    return clear;
}

static float volume_of(const rill_box *box)
{
    float volume = 1;
    for (int a = 0; a < 3; a++) volume *= fmaxf(box->high[a] - box->low[a], 0);
    return volume;
}

/* ---- what bodies can touch ---- */

static const rill_box everywhere = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};

static rill_bounds around_both(const rill_bounds *a, const rill_bounds *b)
{
    return (rill_bounds){
        {fmin(a->low.x, b->low.x), fmin(a->low.y, b->low.y), fmin(a->low.z, b->low.z)},
        {fmax(a->high.x, b->high.x), fmax(a->high.y, b->high.y), fmax(a->high.z, b->high.z)}};
}

/* A container touches what begins inside, and holds what lies beyond its open sides as well. */
static rill_box reach_of_container(const rill_body *body, double margin)
{
    const rill_bounds before = rill_placed_bounds(&body->before, &body->pose_before);
    const rill_bounds now = rill_placed_bounds(&body->shape, &body->pose), both = around_both(&before, &now);
    rill_box box = widened(&both, 0.01 * margin);
    const bool ends = !body->open && !body->periodic[0] && !body->periodic[1] && !body->periodic[2];
    if (ends) return box;
    if (body->pose.turned || !rill_geometry_of(&body->shape)->sided) return everywhere;
    for (int a = 0; a < 3; a++) {
        if (body->open >> (2 * a) & 1 || body->periodic[a]) box.low[a] = -INFINITY;
        if (body->open >> (2 * a + 1) & 1 || body->periodic[a]) box.high[a] = INFINITY;
    }
    return box;
}

/* How far the shape has travelled in its own coordinates, beside what its pose carries along. */
static rill_vec3 own_way(const rill_body *body)
{
    const rill_geometry *g = rill_geometry_of(&body->shape);
    const rill_vec3 way = rill_vec3_sub(g->centre(&body->shape), g->centre(&body->before));
    return rill_vec3_sub(way, rill_vec3_sub(body->pose.about, body->pose_before.about));
}

/* The largest distance that a turn takes a point, for a distance of 1 from where it turns about. */
static double turn_of(const rill_body *body)
{
    double sum = 0;
    for (int i = 0; i < 9; i++) {
        const double d = body->pose.matrix[i] - body->pose_before.matrix[i];
        sum += d * d;
    }
    return sqrt(0.5 * sum);
}

/* An obstacle is swept along a straight line in the coordinates of its end (geom/geometry.h), where a path begins at
 *   x0 + m,  m = c1 - c0 + R1 w     c: where the point is that it turns about, w: own_way
 * if it does not turn, so that it touches nothing that does not meet its bounds moved back by m. If it turns, with the
 * chord s = 2 sin(angle/2), and lies within R of c, a point of the path seen from c, u, is off by no more than
 *   s |x0 - c0| <= s (|u| + L + |c1 - c0|)     L: the length of the path
 * so that it touches nothing that stays (R + |w| + margin + s (L + |c1 - c0|)) / (1 - s) away from c. */
static rill_box reach_of_obstacle(const rill_body *body, double margin, double longest)
{
    const rill_vec3 c0 = body->pose_before.position, c1 = body->pose.position, way = own_way(body);
    const rill_vec3 carried = rill_vec3_sub(c1, c0);
    const double turn = turn_of(body);
    if (turn > MOST_TURN) return everywhere;
    if (turn > 0) {
        const double reach = (rill_body_reach(body) + rill_vec3_length(way) + margin +
                              turn * (longest + rill_vec3_length(carried))) / (1 - turn);
        const rill_bounds ends = around_both(&(rill_bounds){c0, c0}, &(rill_bounds){c1, c1});
        return widened(&ends, reach);
    }
    const rill_vec3 m = rill_vec3_add(carried, rill_pose_rotate(&body->pose, way));
    const rill_bounds now = rill_placed_bounds(&body->shape, &body->pose);
    const rill_bounds back = {rill_vec3_sub(now.low, m), rill_vec3_sub(now.high, m)}, both = around_both(&now, &back);
    return widened(&both, margin);
}

/* Sides that let liquid out; along a periodic axis there are none. */
static uint32_t open_sides(const rill_body *body)
{
    uint32_t open = body->open;
    for (int a = 0; a < 3; a++)
        if (body->periodic[a]) open &= ~(3u << (2 * a));
    return open;
}

/* All obstacles that come again do so after the same lengths, those of the domain. */
static void note_period(const rill_body *body, double period[3])
{
    for (int a = 0; a < 3; a++) period[a] = fmax(period[a], rill_vec3_get(&body->period, a));
}

rill_status rill_guard_make(rill_guard *guard, const rill_body *bodies, uint32_t count, double margin,
                            rill_error *err)
{
    const size_t bytes = 2 * ((size_t)count + 1) * sizeof *guard->reach;
    double period[3] = {0, 0, 0};
    *guard = (rill_guard){.broad = guard->broad, .memory = guard->memory, .bodies = bodies, .count = count,
                          .margin = margin, .longest = (float)(LONGEST * margin), .home = nowhere};
    if (!rill_buffer_reserve(&guard->memory, bytes)) return rill_memory_fail(err, bytes, "the bodies");
    guard->reach = guard->memory.data;
    guard->clear = guard->reach + count + 1;
    for (uint32_t b = 0; b < count; b++) {
        const rill_body *body = &bodies[b];
        guard->contains = guard->contains || !body->solid;
        guard->closed = guard->closed || (!body->solid && !open_sides(body));
        guard->clear[b] = clear_of(body, margin);
        if (volume_of(&guard->clear[b]) > volume_of(&guard->home)) guard->home = guard->clear[b];
        guard->reach[b] = body->solid ? reach_of_obstacle(body, margin, LONGEST * margin)
                                      : reach_of_container(body, margin);
        note_period(body, period);
    }
    return rill_broad_make(&guard->broad, guard->reach, count, period, err);
}

/* ---- asking ---- */

/* Around a path, and whether it is short enough for what bodies can touch to be known. */
typedef struct path_box {
    rill_box box;
    bool known;
} path_box;

static path_box path_of(const rill_guard *guard, const float from[3], const float to[3])
{
    path_box p;
    float length2 = 0;
    for (int a = 0; a < 3; a++) {
        p.box.low[a] = from[a] < to[a] ? from[a] : to[a];
        p.box.high[a] = from[a] < to[a] ? to[a] : from[a];
        length2 += (to[a] - from[a]) * (to[a] - from[a]);
    }
    p.known = length2 <= guard->longest * guard->longest;
    return p;
}

/* The bodies that may touch a path, by their number; containers that are clear are among them. */
static void find_all(const rill_guard *guard, const path_box *path, rill_broad_found *found)
{
    if (path->known) {
        rill_broad_find(&guard->broad, &path->box, found);
        return;
    }
    found->all = true;
    found->count = guard->count;
}

static void find_at(const rill_guard *guard, rill_vec3 at, rill_broad_found *found)
{
    const float x[3] = {(float)at.x, (float)at.y, (float)at.z};
    const path_box path = path_of(guard, x, x);
    find_all(guard, &path, found);
}

/* Without containers that are clear. */
static void find_bodies(const rill_guard *guard, const float from[3], const float to[3], rill_broad_found *found)
{
    const path_box path = path_of(guard, from, to);
    find_all(guard, &path, found);
    if (found->all) return;
    uint32_t left = 0;
    for (uint32_t k = 0; k < found->count; k++)
        if (!rill_box_holds(&guard->clear[found->box[k]], to)) found->box[left++] = found->box[k];
    found->count = left;
}

/* Few bodies need no list, and most paths end where every container is clear. */
static bool few_touch(const rill_guard *guard, const float from[3], const float to[3])
{
    uint32_t b = 0;
    while (b < guard->count && rill_box_holds(&guard->clear[b], to)) b++;
    if (b == guard->count) return false;
    const path_box path = path_of(guard, from, to);
    for (; b < guard->count; b++)
        if (!rill_box_holds(&guard->clear[b], to) &&
            (!path.known || rill_broad_meets(&guard->broad, &guard->reach[b], &path.box)))
            return true;
    return false;
}

bool rill_guard_near(const rill_guard *guard, const float from[3], const float to[3])
{
    if (!guard->broad.start) return few_touch(guard, from, to);
    rill_broad_found found;
    find_bodies(guard, from, to, &found);
    return found.count > 0;
}

/* The first body of those that were found behind this one. */
static uint32_t next_of(const rill_broad_found *found, uint32_t body)
{
    uint32_t k = 0;
    while (k < found->count && rill_broad_at(found, k) <= body) k = found->all ? body + 1 : k + 1;
    return k;
}

/* A path as it is held. */
typedef struct holding {
    rill_vec3 start, end, velocity;
    rill_contact worst;
    rill_broad_found found; /* the bodies that may touch it */
} holding;

static void look_again(const rill_guard *guard, holding *h)
{
    const float from[3] = {(float)h->start.x, (float)h->start.y, (float)h->start.z};
    const float to[3] = {(float)h->end.x, (float)h->end.y, (float)h->end.z};
    find_bodies(guard, from, to, &h->found);
}

/* Obstacles first, then containers, so that what cannot be held by all stays inside those. True when a container had
 * to: it may have put the particle into an obstacle. */
static bool hold_once(const rill_guard *guard, holding *h, rill_guard_note *note, void *user)
{
    bool contained = false;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t k = 0; k < h->found.count;) {
            const uint32_t b = rill_broad_at(&h->found, k++);
            const rill_body *body = &guard->bodies[b];
            if (body->solid != (pass == 0)) continue;
            const rill_vec3 to = h->end, v = h->velocity;
            const rill_contact contact = rill_body_guard(body, h->start, &h->end, &h->velocity, guard->margin);
            if (!contact) continue;
            note(user, b, rill_vec3_sub(h->end, to), rill_vec3_sub(h->velocity, v));
            if (!body->solid) contained = true;
            h->worst = contact > h->worst ? contact : h->worst;
            /* It ends elsewhere now, where others may be. */
            look_again(guard, h);
            k = next_of(&h->found, b);
        }
    return contained;
}

static bool in_obstacle(const rill_guard *guard, rill_vec3 at)
{
    rill_broad_found found;
    find_at(guard, at, &found);
    for (uint32_t k = 0; k < found.count; k++) {
        const rill_body *body = &guard->bodies[rill_broad_at(&found, k)];
        if (body->solid && !rill_body_holds(body, at, 0)) return true;
    }
    return false;
}

/* Rounds in which a particle finds a place between a ball and a wall: every round leads it further from where the two
 * touch, by a quarter or more for balls up to two diameters wide, less for larger ones. */
enum { SQUEEZE_ROUNDS = 64 };

rill_contact rill_guard_hold(const rill_guard *guard, const float from[3], float to[3], float v[3],
                             rill_guard_note *note, void *user)
{
    holding h;
    if (!guard->broad.start && !few_touch(guard, from, to)) return RILL_CONTACT_NONE;
    find_bodies(guard, from, to, &h.found);
    if (!h.found.count) return RILL_CONTACT_NONE;
    h.start = (rill_vec3){from[0], from[1], from[2]};
    h.end = (rill_vec3){to[0], to[1], to[2]};
    h.velocity = (rill_vec3){v[0], v[1], v[2]};
    h.worst = RILL_CONTACT_NONE;
    bool contained = hold_once(guard, &h, note, user);
    for (int round = 0; contained && round < SQUEEZE_ROUNDS && in_obstacle(guard, h.end); round++) {
        look_again(guard, &h);
        hold_once(guard, &h, note, user);
    }
    if (!h.worst) return h.worst;
    to[0] = (float)h.end.x, to[1] = (float)h.end.y, to[2] = (float)h.end.z;
    v[0] = (float)h.velocity.x, v[1] = (float)h.velocity.y, v[2] = (float)h.velocity.z;
    return h.worst;
}

bool rill_guard_outside(const rill_guard *guard, const float x[3])
{
    rill_broad_found found;
    const path_box path = path_of(guard, x, x);
    find_all(guard, &path, &found);
    for (uint32_t k = 0; k < found.count; k++) {
        const uint32_t b = rill_broad_at(&found, k);
        if (rill_box_holds(&guard->clear[b], x)) return false;
        if (!guard->bodies[b].solid && rill_body_holds(&guard->bodies[b], (rill_vec3){x[0], x[1], x[2]}, 0))
            return false;
    }
    return true;
}

bool rill_guard_allows(const rill_guard *guard, rill_vec3 at, double distance)
{
    bool contained = !guard->contains;
    rill_broad_found found;
    find_at(guard, at, &found);
    for (uint32_t k = 0; k < found.count; k++) {
        const rill_body *body = &guard->bodies[rill_broad_at(&found, k)];
        const bool holds = rill_body_holds(body, at, distance);
        if (body->solid && !holds) return false;
        contained = contained || (!body->solid && holds);
    }
    return contained;
}

/* What bodies do: move, say where their wall particles lie, and hold particles back. */
#include "physics/boundary/body.h"

#include "base/maths.h"

static bool is_zero(rill_vec3 v)
{
    return v.x == 0 && v.y == 0 && v.z == 0;
}

rill_body rill_body_make(const rill_shape *shape)
{
    rill_body body = {.shape = *shape, .size = rill_vec3_sub(shape->to, shape->from), .moved = true};
    body.made = body.size;
    body.shape.to = rill_vec3_add(body.shape.from, body.size);
    body.before = body.shape;
    const rill_pose pose = rill_shape_pose(shape);
    const rill_vec3 centre = rill_geometry_of(shape)->centre(shape);
    const rill_vec3 about = pose.turned ? pose.about : centre;
    const double still[4] = {1, 0, 0, 0};
    body.pose = body.pose_before = rill_pose_placed(pose.turned ? pose.rotation : still, about, about);
    return body;
}

/* ---- motion ---- */

/* The point that it turns about goes where the body does as a whole. */
static void carry_pose(rill_body *body, rill_vec3 low, rill_vec3 high)
{
    rill_pose *pose = &body->pose;
    if (!is_zero(rill_vec3_sub(high, low))) return;
    *pose = rill_pose_placed(pose->rotation, rill_vec3_add(pose->about, low),
                             rill_vec3_add(pose->position, rill_pose_rotate(pose, low)));
}

/* Own coordinates turn, its velocity in the scene does not. */
static void turn(rill_body *body, double dt)
{
    const rill_vec3 low = rill_pose_rotate(&body->pose, body->low), high = rill_pose_rotate(&body->pose, body->high);
    rill_pose_turn_by(&body->pose, rill_vec3_scale(body->spin, dt));
    body->low = rill_pose_unrotate(&body->pose, low);
    body->high = rill_pose_unrotate(&body->pose, high);
}

void rill_body_move(rill_body *body, double dt)
{
    body->before = body->shape;
    body->pose_before = body->pose;
    rill_shape *s = &body->shape;
    const rill_vec3 low = rill_vec3_scale(body->low, dt), high = rill_vec3_scale(body->high, dt);
    if (is_zero(low) && is_zero(high) && is_zero(body->spin)) return;
    body->moved = true;
    carry_pose(body, low, high);
    if (!is_zero(body->spin)) turn(body, dt);
    s->center = rill_vec3_add(s->center, low);
    for (int a = 0; a < 3; a++) {
        const double size = rill_vec3_get(&body->size, a) + (rill_vec3_get(&high, a) - rill_vec3_get(&low, a));
        /* Sides that would pass each other stop instead. */
        if (rill_geometry_of(s)->sided && !(size > 0)) continue;
        rill_vec3_set(&body->size, a, size);
        rill_vec3_set(&s->from, a, rill_vec3_get(&s->from, a) + rill_vec3_get(&low, a));
    }
    s->to = rill_vec3_add(s->from, body->size);
}

void rill_body_steer(rill_body *body, rill_vec3 low, rill_vec3 high, rill_vec3 spin)
{
    body->low = rill_pose_unrotate(&body->pose, low);
    body->high = rill_geometry_of(&body->shape)->sided ? rill_pose_unrotate(&body->pose, high) : body->low;
    body->spin = spin;
}

rill_vec3 rill_body_centre(const rill_body *body)
{
    return rill_pose_place(&body->pose, rill_geometry_of(&body->shape)->centre(&body->shape));
}

double rill_body_reach(const rill_body *body)
{
    const rill_bounds b = rill_geometry_of(&body->shape)->bounds(&body->shape);
    const rill_vec3 middle = rill_vec3_scale(rill_vec3_add(b.low, b.high), 0.5);
    return rill_vec3_length(rill_vec3_sub(middle, body->pose.about)) +
           0.5 * rill_vec3_length(rill_vec3_sub(b.high, b.low));
}

void rill_body_head_for(rill_body *body, rill_vec3 centre, const double rotation[4], double left, double dt)
{
    const rill_vec3 now = rill_body_centre(body);
    const rill_vec3 spin = rill_vec3_scale(rill_rotation_between(body->pose.rotation, rotation), 1 / left);
    /* The turn moves the centre unless it is the point that the body turns about. */
    rill_pose turned = body->pose;
    rill_pose_turn_by(&turned, rill_vec3_scale(spin, dt));
    const rill_shape *s = &body->shape;
    const rill_vec3 swept = rill_pose_place(&turned, rill_geometry_of(s)->centre(s));
    const rill_vec3 wanted = rill_vec3_add(now, rill_vec3_scale(rill_vec3_sub(centre, now), dt / left));
    const rill_vec3 velocity = rill_vec3_scale(rill_vec3_sub(wanted, swept), 1 / dt);
    rill_body_steer(body, velocity, velocity, spin);
}

rill_vec3 rill_body_image(const rill_body *body, const rill_shape *shape, const rill_pose *pose, rill_vec3 at)
{
    rill_vec3 shift = {0, 0, 0};
    if (!(body->period.x > 0 || body->period.y > 0 || body->period.z > 0)) return shift;
    const rill_vec3 middle = rill_pose_place(pose, rill_geometry_of(shape)->centre(shape));
    for (int a = 0; a < 3; a++) {
        const double period = rill_vec3_get(&body->period, a);
        if (period > 0)
            rill_vec3_set(&shift, a, period * round((rill_vec3_get(&middle, a) - rill_vec3_get(&at, a)) / period));
    }
    return shift;
}

/* ---- wall particles ---- */

static rill_sides sides_of(const rill_body *body)
{
    return (rill_sides){body->open, {body->periodic[0], body->periodic[1], body->periodic[2]}};
}

rill_sampling rill_body_sampling(const rill_body *body, double diameter)
{
    return (rill_sampling){.spacing = diameter,
                           .solid = body->solid,
                           .sides = sides_of(body),
                           .clip = body->clip,
                           .repeat = {body->repeat[0], body->repeat[1], body->repeat[2]}};
}

bool rill_body_layer(const rill_body *body, const rill_shape *shape, uint32_t k, double diameter, rill_shape *layer)
{
    const rill_geometry *g = rill_geometry_of(shape);
    const rill_sides all = {0};
    const double behind = k * diameter;
    *layer = *shape;
    if (!k) return true;
    const double deep = behind + 0.5 * diameter;
    if (body->solid && !g->unbounded && !g->inside(shape, &all, g->centre(shape), deep)) return false;
    *layer = g->grown(shape, body->solid ? -behind : behind);
    /* It goes on along periodic axes as the surface does. */
    for (int a = 0; a < 3; a++) {
        if (!body->periodic[a]) continue;
        rill_vec3_set(&layer->from, a, rill_vec3_get(&shape->from, a));
        rill_vec3_set(&layer->to, a, rill_vec3_get(&shape->to, a));
    }
    return true;
}

bool rill_body_sample_layer(const rill_body *body, rill_vec3 size, double diameter, uint32_t k,
                            rill_sample_each *each, void *user)
{
    const rill_vec3 back = rill_vec3_scale(rill_shape_anchor(&body->shape), -1);
    rill_shape own = rill_shape_moved(&body->shape, back), layer;
    rill_sampling how = rill_body_sampling(body, diameter);
    own.to = rill_vec3_add(own.from, size);
    how.clip.low = rill_vec3_add(how.clip.low, back);
    how.clip.high = rill_vec3_add(how.clip.high, back);
    if ((k && k >= body->layers) || !rill_body_layer(body, &own, k, diameter, &layer)) return false;
    rill_geometry_of(&layer)->sample(&layer, &how, each, user);
    return true;
}

rill_vec3 rill_body_place(const rill_body *body, rill_vec3 sample)
{
    return rill_pose_place(&body->pose, rill_vec3_add(rill_shape_anchor(&body->shape), sample));
}

typedef struct placing {
    const rill_body *body;
    rill_sample_each *each;
    void *user;
} placing;

static void place_sample(void *user, rill_vec3 sample)
{
    const placing *p = user;
    p->each(p->user, rill_body_place(p->body, sample));
}

void rill_body_sample(const rill_body *body, double diameter, rill_sample_each *each, void *user)
{
    placing p = {body, each, user};
    for (uint32_t k = 0; rill_body_sample_layer(body, body->size, diameter, k, place_sample, &p);) k++;
}

/* True on a side that slides. */
static bool slides(const rill_body *body, rill_vec3 own)
{
    if (!rill_geometry_of(&body->shape)->sided) return true;
    for (int a = 0; a < 3; a++) {
        const double x = rill_vec3_get(&own, a),
                     share = (x - rill_vec3_get(&body->shape.from, a)) / rill_vec3_get(&body->size, a);
        /* A container's particles lie outside the box, an obstacle's just inside. */
        const double edge = body->solid ? 0.5 : 0;
        if (body->slide_sides >> (2 * a) & 1 && (body->solid ? share < edge : share < 0)) return true;
        if (body->slide_sides >> (2 * a + 1) & 1 && (body->solid ? share > edge : share > 1)) return true;
    }
    return false;
}

/* Between the low and the high side the velocity changes evenly. */
static rill_vec3 side_velocity(const rill_body *body, rill_vec3 low, rill_vec3 high, rill_vec3 own)
{
    if (!rill_geometry_of(&body->shape)->sided) return low;
    rill_vec3 v;
    for (int a = 0; a < 3; a++) {
        const double from = rill_vec3_get(&body->shape.from, a), to = rill_vec3_get(&body->shape.to, a);
        const double share = fmin(fmax((rill_vec3_get(&own, a) - from) / (to - from), 0), 1);
        rill_vec3_set(&v, a, (1 - share) * rill_vec3_get(&low, a) + share * rill_vec3_get(&high, a));
    }
    return v;
}

/* What its turning adds to the velocity of one of its points. */
static rill_vec3 spin_velocity(const rill_body *body, rill_vec3 at)
{
    return rill_cross(body->spin, rill_vec3_sub(at, body->pose.position));
}

rill_vec3 rill_body_carried(const rill_body *body, rill_vec3 at)
{
    const rill_vec3 own = rill_pose_own(&body->pose, at);
    const rill_vec3 v = rill_pose_rotate(&body->pose, side_velocity(body, body->low, body->high, own));
    return is_zero(body->spin) ? v : rill_vec3_add(v, spin_velocity(body, at));
}

rill_vec3 rill_body_velocity(const rill_body *body, rill_vec3 at)
{
    const rill_vec3 v = rill_body_carried(body, at);
    return slides(body, rill_pose_own(&body->pose, at)) ? rill_vec3_add(v, body->slide) : v;
}

rill_vec3 rill_body_acceleration(const rill_body *body, rill_vec3 at, double between)
{
    /* The velocities of the step before were turned along with the body's own axes. */
    const rill_vec3 own = rill_pose_own(&body->pose, at), arm = rill_vec3_sub(at, body->pose.position);
    const rill_vec3 now = side_velocity(body, body->low, body->high, own);
    const rill_vec3 before = side_velocity(body, body->low_before, body->high_before, own);
    const rill_vec3 travel = rill_pose_rotate(&body->pose, rill_vec3_sub(now, before));
    const rill_vec3 turn = rill_cross(rill_vec3_sub(body->spin, body->spin_before), arm);
    const rill_vec3 inward = rill_cross(body->spin, rill_cross(body->spin, arm));
    return rill_vec3_add(rill_vec3_scale(rill_vec3_add(travel, turn), 1 / between), inward);
}

/* ---- what it holds back ---- */

bool rill_body_holds(const rill_body *body, rill_vec3 at, double margin)
{
    const rill_geometry *g = rill_geometry_of(&body->shape);
    const rill_sides sides = sides_of(body), all = {0};
    if (!body->solid) return g->inside(&body->shape, &sides, rill_pose_own(&body->pose, at), margin);
    const rill_vec3 near = rill_vec3_add(at, rill_body_image(body, &body->shape, &body->pose, at));
    return !g->inside(&body->shape, &all, rill_pose_own(&body->pose, near), -margin);
}

/* Stops motion into the faces that a path met. */
static void stop_motion(const rill_body *body, const rill_stop *stop, rill_vec3 *velocity)
{
    const bool spins = !is_zero(body->spin);
    const rill_vec3 carried = spins ? spin_velocity(body, rill_pose_place(&body->pose, stop->at)) : body->spin;
    rill_vec3 v = rill_pose_unrotate(&body->pose, spins ? rill_vec3_sub(*velocity, carried) : *velocity);
    for (int k = 0; k < stop->count; k++) {
        if (stop->side[k] >= 0) {
            const int axis = stop->side[k] / 2;
            const bool high = stop->side[k] & 1, from_above = body->solid ? high : !high;
            const double wall = rill_vec3_get(high ? &body->high : &body->low, axis), own = rill_vec3_get(&v, axis);
            if (from_above ? own < wall : own > wall) rill_vec3_set(&v, axis, wall);
        } else {
            const double along = rill_vec3_dot(rill_vec3_sub(v, body->low), stop->normal[k]);
            if (body->solid ? along < 0 : along > 0) v = rill_vec3_sub(v, rill_vec3_scale(stop->normal[k], along));
        }
    }
    *velocity = rill_pose_rotate(&body->pose, v);
    if (spins) *velocity = rill_vec3_add(*velocity, carried);
}

rill_contact rill_body_guard(const rill_body *body, rill_vec3 from, rill_vec3 *to, rill_vec3 *velocity, double margin)
{
    const rill_geometry *g = rill_geometry_of(&body->shape);
    rill_vec3 image = {0, 0, 0};
    if (body->solid) image = rill_body_image(body, &body->before, &body->pose_before, from);
    const rill_path path = {.before = &body->before,
                            .shape = &body->shape,
                            .sides = sides_of(body),
                            .margin = margin,
                            .from = rill_pose_own(&body->pose_before, rill_vec3_add(from, image)),
                            .to = rill_pose_own(&body->pose, rill_vec3_add(*to, image))};
    rill_stop stop = {.contact = RILL_CONTACT_NONE};
    if (body->solid) g->keep_out(&path, &stop);
    else g->keep_in(&path, &stop);
    if (!stop.contact) return stop.contact;
    *to = rill_vec3_sub(rill_pose_place(&body->pose, stop.at), image);
    stop_motion(body, &stop, velocity);
    return stop.contact;
}

/* A sphere: an obstacle, or a round container. */
#include "physics/boundary/body.h"

#include "base/maths.h"

/* Points of a spiral with equal areas between its turns, about a diameter apart. */
static void sphere_sample(const rill_body *body, double diameter, void (*each)(void *user, rill_vec3 at), void *user)
{
    const double radius = body->shape.radius + (body->solid ? -0.5 : 0.5) * diameter;
    if (radius < 0.5 * diameter) {
        each(user, body->shape.center);
        return;
    }
    const int count = (int)ceil(4 * RILL_PI * radius * radius / (diameter * diameter));
    const double turn = RILL_PI * (3 - sqrt(5));
    for (int i = 0; i < count; i++) {
        const double z = 1 - (2 * i + 1.0) / count, r = sqrt(1 - z * z), angle = turn * i;
        const rill_vec3 out = {radius * r * rill_cos(angle), radius * r * rill_sin(angle), radius * z};
        each(user, rill_vec3_add(body->shape.center, out));
    }
}

static rill_vec3 sphere_velocity(const rill_body *body, rill_vec3 at)
{
    (void)at;
    return rill_vec3_add(body->low, body->slide);
}

static bool sphere_holds(const rill_body *body, rill_vec3 at, double margin)
{
    const rill_vec3 near = rill_vec3_add(at, rill_body_image(body, &body->shape, at));
    const double distance = rill_vec3_length(rill_vec3_sub(near, body->shape.center));
    return body->solid ? distance >= body->shape.radius + margin : distance <= body->shape.radius - margin;
}

/* Puts a point on the sphere of this radius, along the direction from the centre, and stops motion through it. */
static void put_on(const rill_body *body, rill_vec3 out, double radius, rill_vec3 *to, rill_vec3 *velocity)
{
    const double length = rill_vec3_length(out);
    const rill_vec3 normal = length > 0 ? rill_vec3_scale(out, 1 / length) : (rill_vec3){0, 0, 1};
    *to = rill_vec3_add(body->shape.center, rill_vec3_scale(normal, radius));
    const double along = rill_vec3_dot(rill_vec3_sub(*velocity, body->low), normal);
    if (body->solid ? along < 0 : along > 0) *velocity = rill_vec3_sub(*velocity, rill_vec3_scale(normal, along));
}

static rill_contact guard_container(const rill_body *body, rill_vec3 start, rill_vec3 end, rill_vec3 *to,
                                    rill_vec3 *velocity, double margin)
{
    const double radius = fmax(body->shape.radius - margin, 0), distance = rill_vec3_length(end);
    if (distance <= radius) return RILL_CONTACT_NONE;
    if (rill_vec3_length(start) > body->before.radius + 1e-3 * margin) return RILL_CONTACT_NONE;
    put_on(body, end, radius, to, velocity);
    return distance > body->shape.radius ? RILL_CONTACT_PASSED : RILL_CONTACT_TOUCH;
}

static rill_contact guard_obstacle(const rill_body *body, rill_vec3 start, rill_vec3 end, rill_vec3 *to,
                                   rill_vec3 *velocity, double margin)
{
    const double radius = body->shape.radius + margin;
    /* The point of the path nearest to the centre, in the frame of the sphere. */
    const rill_vec3 path = rill_vec3_sub(end, start);
    const double length2 = rill_vec3_dot(path, path);
    const double t = length2 > 0 ? fmin(fmax(-rill_vec3_dot(start, path) / length2, 0), 1) : 0;
    const double nearest = rill_vec3_length(rill_vec3_add(start, rill_vec3_scale(path, t)));
    const bool passed = nearest < body->shape.radius;
    const bool ends_near = rill_vec3_length(end) < radius;
    if (!passed && !ends_near) return RILL_CONTACT_NONE;
    /* What would come out on the other side stays on this one. */
    put_on(body, ends_near && rill_vec3_dot(start, end) >= 0 ? end : start, radius, to, velocity);
    return passed ? RILL_CONTACT_PASSED : RILL_CONTACT_TOUCH;
}

static rill_contact sphere_guard(const rill_body *body, rill_vec3 from, rill_vec3 *to, rill_vec3 *velocity,
                                 double margin)
{
    const rill_vec3 image = rill_body_image(body, &body->before, from);
    const rill_vec3 start = rill_vec3_sub(rill_vec3_add(from, image), body->before.center);
    const rill_vec3 end = rill_vec3_sub(rill_vec3_add(*to, image), body->shape.center);
    const rill_contact contact = body->solid ? guard_obstacle(body, start, end, to, velocity, margin)
                                             : guard_container(body, start, end, to, velocity, margin);
    if (contact) *to = rill_vec3_sub(*to, image);
    return contact;
}

const rill_body_method rill_body_sphere = {"sphere", sphere_sample, sphere_velocity, sphere_holds, sphere_guard};

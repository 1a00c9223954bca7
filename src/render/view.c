/* Cameras and how they frame a scene. */
#include "render/view.h"
#include "text/pi.h"

#include <float.h>

/* Narrow enough that a tank looks like a drawing, wide enough to show depth. */
static const double field_of_view = 26.0 * RILL_PI / 180.0;

rill_bounds rill_bounds_empty(void)
{
    return (rill_bounds){{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}};
}

void rill_bounds_add(rill_bounds *bounds, rill_vec3 point)
{
    bounds->low = (rill_vec3){fmin(bounds->low.x, point.x), fmin(bounds->low.y, point.y), fmin(bounds->low.z, point.z)};
    bounds->high =
        (rill_vec3){fmax(bounds->high.x, point.x), fmax(bounds->high.y, point.y), fmax(bounds->high.z, point.z)};
}

bool rill_bounds_is_empty(const rill_bounds *bounds)
{
    return !(bounds->low.x <= bounds->high.x);
}

static rill_vec3 cross(rill_vec3 a, rill_vec3 b)
{
    return (rill_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static rill_vec3 unit(rill_vec3 a)
{
    return rill_vec3_scale(a, 1.0 / rill_vec3_length(a));
}

static rill_vec3 corner(const rill_bounds *b, int i)
{
    return (rill_vec3){i & 1 ? b->high.x : b->low.x, i & 2 ? b->high.y : b->low.y, i & 4 ? b->high.z : b->low.z};
}

static void axes_set(rill_view *view, rill_vec3 forward)
{
    view->forward = unit(forward);
    /* Looking straight up or down, north stays up. */
    rill_vec3 pole = fabs(view->forward.z) > 0.9999 ? (rill_vec3){0, 1, 0} : (rill_vec3){0, 0, 1};
    view->right = unit(cross(view->forward, pole));
    view->up = cross(view->right, view->forward);
}

static rill_rect corners_project(const rill_view *view, const rill_bounds *bounds)
{
    rill_rect seen = {DBL_MAX, DBL_MAX, -DBL_MAX, -DBL_MAX};
    for (int i = 0; i < 8; i++) {
        rill_screen_point p = rill_view_project(view, corner(bounds, i));
        seen.left = fmin(seen.left, p.x);
        seen.right = fmax(seen.right, p.x);
        seen.top = fmin(seen.top, p.y);
        seen.bottom = fmax(seen.bottom, p.y);
    }
    return seen;
}

rill_view rill_view_frame(const rill_bounds *bounds, double azimuth, double elevation, rill_rect into)
{
    double a = azimuth * RILL_PI / 180, e = elevation * RILL_PI / 180;
    rill_view view = {.perspective = true,
                      .centre_x = (into.left + into.right) / 2,
                      .centre_y = (into.top + into.bottom) / 2};
    axes_set(&view, (rill_vec3){-cos(a) * cos(e), -sin(a) * cos(e), -sin(e)});
    double width = into.right - into.left, height = into.bottom - into.top;
    view.scale = fmax(width, height) / (2 * tan(field_of_view / 2));

    rill_vec3 target = rill_vec3_scale(rill_vec3_add(bounds->low, bounds->high), 0.5);
    double radius = fmax(rill_vec3_length(rill_vec3_sub(bounds->high, target)), 1e-9);
    double distance = 2 * radius / tan(field_of_view / 2);
    /* Projected size falls almost as 1/distance, so a few corrections of
     * distance and centre settle it; the distance never enters the bounds. */
    for (int i = 0; i < 24; i++) {
        view.eye = rill_vec3_sub(target, rill_vec3_scale(view.forward, distance));
        rill_rect seen = corners_project(&view, bounds);
        double metres = distance / view.scale;
        double shift_x = (seen.left + seen.right) / 2 - view.centre_x;
        double shift_y = (seen.top + seen.bottom) / 2 - view.centre_y;
        target = rill_vec3_add(target, rill_vec3_scale(view.right, shift_x * metres));
        target = rill_vec3_sub(target, rill_vec3_scale(view.up, shift_y * metres));
        double fill = fmax((seen.right - seen.left) / width, (seen.bottom - seen.top) / height);
        distance = fmax(distance * fill, 1.05 * radius);
    }
    view.eye = rill_vec3_sub(target, rill_vec3_scale(view.forward, distance));
    return view;
}

rill_view rill_view_parallel(const rill_bounds *bounds, rill_vec3 direction, double size)
{
    rill_vec3 target = rill_vec3_scale(rill_vec3_add(bounds->low, bounds->high), 0.5);
    double radius = fmax(rill_vec3_length(rill_vec3_sub(bounds->high, target)), 1e-9);
    rill_view view = {.scale = size / (2 * radius), .centre_x = size / 2, .centre_y = size / 2};
    axes_set(&view, direction);
    view.eye = rill_vec3_sub(target, rill_vec3_scale(view.forward, 2 * radius));
    return view;
}

rill_vec3 rill_view_unproject(const rill_view *view, double x, double y, double depth)
{
    double metres = 1 / rill_view_scale_at(view, depth);
    rill_vec3 p = rill_vec3_add(view->eye, rill_vec3_scale(view->forward, depth));
    p = rill_vec3_add(p, rill_vec3_scale(view->right, (x - view->centre_x) * metres));
    return rill_vec3_sub(p, rill_vec3_scale(view->up, (y - view->centre_y) * metres));
}

/* Cameras that stand, go around or follow. */
#include <math.h>

#include "render/set_parts.h"
#include "text/pi.h"

/* The part of the picture's shorter edge that stays free on every side. */
static const double margin = 0.05;

const char *rill_orbit_name(rill_orbit_kind kind)
{
    static const char *const names[] = {"fixed", "orbit", "follow"};
    return kind < RILL_ORBIT_COUNT ? names[kind] : NULL;
}

rill_orbit rill_orbit_default(rill_orbit_kind kind)
{
    const rill_bounds nothing = rill_bounds_empty();
    return (rill_orbit){.kind = kind, .azimuth = -62, .elevation = 14, .box = nothing, .seen = nothing};
}

/* ---- what frames show ---- */

static bool is_within(const rill_bounds *inner, const rill_bounds *outer, double reach)
{
    const rill_vec3 low = rill_vec3_sub(inner->low, outer->low), high = rill_vec3_sub(outer->high, inner->high);
    return fmin(fmin(low.x, low.y), low.z) > -reach && fmin(fmin(high.x, high.y), high.z) > -reach;
}

/* Adds tanks that show. They stay as they are while liquid only touches their sides. */
static void tanks_take(const rill_stage_set *set, rill_bounds *water)
{
    rill_bounds tanks = rill_bounds_empty();
    for (uint32_t i = 0; i < set->scene->boundary_count; i++) {
        const rill_shape s = rill_set_boundary(set, i);
        if (rill_set_is_tank(set->scene, i)) rill_set_add_shape(&tanks, &s);
    }
    if (rill_bounds_is_empty(&tanks)) return;
    if (!is_within(water, &tanks, 2 * set->frame->diameter)) {
        rill_bounds_add(&tanks, water->low);
        rill_bounds_add(&tanks, water->high);
    }
    *water = tanks;
}

/* With a tank everything in it; without one the liquid and what stands in it. */
static rill_status bounds_of(const rill_frame_file *frame, const rill_scene *scene, bool tanks, rill_bounds *bounds,
                             rill_vec3 *middle, rill_error *err)
{
    rill_stage_set set = {.frame = frame, .position = rill_frame_file_array(frame, "position")};
    if (!set.position || set.position->type != RILL_F32 || set.position->lanes < 3)
        return rill_fail(err, RILL_BAD_FILE, "The frame holds no particle positions.");
    const rill_status status = rill_set_bounds(&set, bounds, err);
    if (status) return status;
    *middle = rill_vec3_scale(rill_vec3_add(bounds->low, bounds->high), 0.5);
    set.scene = scene;
    set.shift = rill_vec3_sub(scene->origin, frame->origin);
    if (tanks) tanks_take(&set, bounds);
    for (uint32_t i = 0; i < scene->boundary_count; i++) {
        const rill_shape s = rill_set_boundary(&set, i);
        if (rill_set_is_solid(scene, i)) rill_set_add_shape(bounds, &s);
    }
    return RILL_OK;
}

/* One that follows shows the most of the liquid there ever is around its middle; the others show all there is. */
static void seen_widen(rill_orbit *o, const rill_bounds *frame)
{
    if (o->kind != RILL_ORBIT_FOLLOW) {
        rill_bounds_add(&o->seen, frame->low);
        rill_bounds_add(&o->seen, frame->high);
        return;
    }
    rill_vec3 half = rill_vec3_scale(rill_vec3_sub(frame->high, frame->low), 0.5);
    half = (rill_vec3){fmax(half.x, 0), fmax(half.y, 0), fmax(half.z, 0)};
    rill_bounds_add(&o->seen, rill_vec3_sub(o->middle[0], half));
    rill_bounds_add(&o->seen, rill_vec3_add(o->middle[0], half));
}

rill_status rill_orbit_add(rill_orbit *orbit, const rill_frame_file *frame, const rill_scene *scene, bool glass,
                           rill_error *err)
{
    rill_bounds shown;
    const uint32_t i = orbit->track_count;
    if (i == RILL_ORBIT_FRAMES_MAX)
        return rill_fail(err, RILL_BAD_INPUT, "An orbit takes at most %d frames.", RILL_ORBIT_FRAMES_MAX);
    const bool tanks = glass && orbit->kind != RILL_ORBIT_FOLLOW;
    const rill_status status = bounds_of(frame, scene, tanks, &shown, &orbit->middle[i], err);
    if (status) return status;
    orbit->time[i] = frame->time;
    orbit->track_count = i + 1;
    seen_widen(orbit, &shown);
    orbit->box = orbit->seen;
    rill_set_make_room(scene, &orbit->box);
    return RILL_OK;
}

/* ---- cameras ---- */

static rill_rect rect_of(uint32_t width, uint32_t height)
{
    const double free = margin * (width < height ? width : height);
    return (rill_rect){free, free, width - free, height - free};
}

static rill_camera camera_of(const rill_view *view, rill_vec3 target, uint32_t height)
{
    rill_camera camera = rill_camera_default();
    camera.eye = view->eye;
    camera.target = target;
    camera.up = fabs(view->forward.z) > 0.9999 ? (rill_vec3){0, 1, 0} : (rill_vec3){0, 0, 1};
    camera.angle = 2 * atan(height / (2 * view->scale)) * 180 / RILL_PI;
    return camera;
}

static rill_camera camera_fixed(const rill_orbit *o, const rill_bounds *box, uint32_t width, uint32_t height)
{
    const rill_view view = rill_view_frame(box, o->azimuth, o->elevation, rect_of(width, height));
    const rill_vec3 middle = rill_vec3_scale(rill_vec3_add(box->low, box->high), 0.5);
    const double depth = rill_vec3_dot(rill_vec3_sub(middle, view.eye), view.forward);
    return camera_of(&view, rill_vec3_add(view.eye, rill_vec3_scale(view.forward, depth)), height);
}

/* How far from its middle a camera must stand to have all of a box in view. */
static double distance_of(const rill_view *view, const rill_bounds *box, rill_vec3 middle, rill_rect into)
{
    const double half_width = (into.right - into.left) / 2, half_height = (into.bottom - into.top) / 2;
    double distance = 0;
    for (int i = 0; i < 8; i++) {
        const rill_vec3 corner = {i & 1 ? box->high.x : box->low.x, i & 2 ? box->high.y : box->low.y,
                                  i & 4 ? box->high.z : box->low.z};
        const rill_vec3 d = rill_vec3_sub(corner, middle);
        const double depth = rill_vec3_dot(d, view->forward);
        distance = fmax(distance, view->scale * fabs(rill_vec3_dot(d, view->right)) / half_width - depth);
        distance = fmax(distance, view->scale * fabs(rill_vec3_dot(d, view->up)) / half_height - depth);
    }
    return distance;
}

/* One distance for all of the way around. */
static rill_camera camera_round(const rill_orbit *o, double share, uint32_t width, uint32_t height)
{
    const rill_vec3 middle = rill_vec3_scale(rill_vec3_add(o->box.low, o->box.high), 0.5);
    const rill_rect into = rect_of(width, height);
    double distance = 0;
    for (int k = 0; k < 90; k++) {
        const rill_view view = rill_view_frame(&o->box, o->azimuth + 4 * k, o->elevation, into);
        distance = fmax(distance, distance_of(&view, &o->box, middle, into));
    }
    rill_view view = rill_view_frame(&o->box, o->azimuth + 360 * share, o->elevation, into);
    view.eye = rill_vec3_sub(middle, rill_vec3_scale(view.forward, distance));
    return camera_of(&view, middle, height);
}

/* Straight from one place of the track to the next. */
static rill_vec3 track_at(const rill_orbit *o, double time)
{
    uint32_t i = 0;
    if (!o->track_count) return (rill_vec3){0, 0, 0};
    while (i + 1 < o->track_count && o->time[i + 1] < time) i++;
    if (i + 1 >= o->track_count || time <= o->time[0]) return o->middle[i];
    const double s = (time - o->time[i]) / fmax(o->time[i + 1] - o->time[i], 1e-12);
    return rill_vec3_add(o->middle[i], rill_vec3_scale(rill_vec3_sub(o->middle[i + 1], o->middle[i]), s));
}

rill_bounds rill_orbit_view(const rill_orbit *orbit, double time)
{
    if (orbit->kind != RILL_ORBIT_FOLLOW) return orbit->box;
    const rill_vec3 step = rill_vec3_sub(track_at(orbit, time), orbit->middle[0]);
    return (rill_bounds){rill_vec3_add(orbit->box.low, step), rill_vec3_add(orbit->box.high, step)};
}

rill_camera rill_orbit_camera(const rill_orbit *orbit, double share, double time, uint32_t width, uint32_t height)
{
    if (orbit->kind == RILL_ORBIT_ROUND) return camera_round(orbit, share, width, height);
    const rill_bounds view = rill_orbit_view(orbit, time);
    return camera_fixed(orbit, &view, width, height);
}

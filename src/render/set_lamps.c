/* The lamps of a photo studio: a key light, a fill light and a rim light, rectangles that shine towards the scene,
 * under a dim dome that is backdrop and fill at once. They go with the camera, stand outside of what it shows and are
 * scaled so that white paper on the ground sends back light of one.
 *
 * A sheet with normal n gets from a polygon of even radiance L (Lambert 1760, Photometria)
 *
 *   E = L / 2 sum_i a_i n . u_i,   a_i the angle between corners i and i + 1, u_i the unit normal of their plane
 *
 * as seen from the sheet, where all of the polygon lies before it. */
#include <math.h>

#include "render/set_parts.h"
#include "render/trace/stage.h"
#include "text/pi.h"

/* ---- vectors ---- */

static rill_vec3 cross(rill_vec3 a, rill_vec3 b)
{
    return (rill_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static rill_vec3 unit(rill_vec3 a)
{
    const double length = rill_vec3_length(a);
    return length > 0 ? rill_vec3_scale(a, 1 / length) : a;
}

static rill_vec3 along(rill_vec3 a, double s, rill_vec3 b)
{
    return rill_vec3_add(a, rill_vec3_scale(b, s));
}

/* ---- which lamps ---- */

typedef struct lamp_plan {
    double azimuth, elevation; /* degrees, seen from the scene; azimuth from the camera to its right */
    double width, height;      /* in units of its distance */
    double share;              /* of light on a sheet that faces it, against the key's */
    float colour[3];
} lamp_plan;

/* What light passes through glows with the key behind it; what it does not enter has its shape from a key at the side.
 * The key is a little warm, the others a little cool. */
static const lamp_plan clear_plan[RILL_LAMPS] = {{-150, 52, 0.8, 0.6, 1, {1, 0.97, 0.93}},
                                                 {60, 40, 0.6, 0.5, 0.3, {0.94, 0.97, 1}},
                                                 {130, 34, 0.8, 0.2, 0.25, {0.92, 0.96, 1}}};
static const lamp_plan matt_plan[RILL_LAMPS] = {{-68, 50, 0.5, 0.5, 1, {1, 0.96, 0.9}},
                                                {60, 40, 0.7, 0.5, 0.12, {0.9, 0.95, 1}},
                                                {150, 38, 0.9, 0.2, 0.4, {0.92, 0.96, 1}}};

/* ---- where they stand ---- */

/* What the camera shows: from the eye, between planes whose normals point out of the picture. The lower one is left
 * out: nothing is moved into the ground. */
typedef struct pyramid {
    rill_vec3 eye, out[3];
} pyramid;

static pyramid pyramid_of(const rill_camera *camera, double aspect)
{
    const rill_vec3 forward = unit(rill_vec3_sub(camera->target, camera->eye));
    const rill_vec3 right = unit(cross(forward, camera->up)), up = cross(right, forward);
    const double high = tan(camera->angle * RILL_PI / 360), wide = high * aspect;
    return (pyramid){camera->eye,
                     {unit(along(up, -high, forward)), unit(along(right, -wide, forward)),
                      unit(along(rill_vec3_scale(right, -1), -wide, forward))}};
}

static void lamp_aim(rill_set_lamp *lamp, rill_vec3 place, rill_vec3 target, double width, double height)
{
    const rill_vec3 normal = unit(rill_vec3_sub(target, place)), pole = {0, 0, 1};
    rill_vec3 across = cross(pole, normal);
    across = rill_vec3_length(across) > 1e-6 ? unit(across) : (rill_vec3){1, 0, 0};
    const rill_vec3 up = cross(normal, across);
    for (int i = 0; i < 4; i++) {
        const double x = i == 0 || i == 3 ? -0.5 : 0.5, y = i < 2 ? -0.5 : 0.5;
        lamp->corner[i] = along(along(place, x * width, across), y * height, up);
    }
}

/* How far the lamp must go along which way to be out of the picture; 0: it is. */
static double way_out(const rill_set_lamp *lamp, const pyramid *view, double margin, rill_vec3 *way)
{
    double least = INFINITY;
    for (int k = 0; k < 3; k++) {
        double far = -INFINITY;
        for (int i = 0; i < 4; i++)
            far = fmax(far, margin - rill_vec3_dot(rill_vec3_sub(lamp->corner[i], view->eye), view->out[k]));
        if (far < least) least = far, *way = view->out[k];
    }
    return fmax(least, 0);
}

/* At its place in the plan, or beside it where the camera would see it. No part is lower than the scene is high, or
 * upright glass would mirror it into a camera that looks down. */
static void lamp_place(const rill_set_work *work, const lamp_plan *plan, const pyramid *view, double turn,
                       rill_set_lamp *lamp)
{
    const double far = 1.9 * work->size, a = turn + plan->azimuth * RILL_PI / 180, e = plan->elevation * RILL_PI / 180;
    const double width = plan->width * far, height = plan->height * far;
    rill_vec3 place = along(work->middle, far, (rill_vec3){cos(a) * cos(e), sin(a) * cos(e), sin(e)}), way = {0, 0, 1};
    for (int i = 0; i < 32; i++) {
        lamp_aim(lamp, place, work->middle, width, height);
        place.z += fmax(0, work->top + 0.05 * work->size - fmin(lamp->corner[0].z, lamp->corner[2].z));
        lamp_aim(lamp, place, work->middle, width, height);
        const double step = way_out(lamp, view, 0.1 * work->size, &way);
        if (step == 0) break;
        place = along(place, 1.05 * step, way);
    }
}

/* ---- how bright they are ---- */

/* By a lamp of radiance one, on a sheet with this normal. */
static double irradiance_of(const rill_set_lamp *lamp, rill_vec3 at, rill_vec3 normal)
{
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        const rill_vec3 a = rill_vec3_sub(lamp->corner[i], at), b = rill_vec3_sub(lamp->corner[(i + 1) % 4], at);
        const rill_vec3 n = cross(b, a);
        sum += 0.5 * atan2(rill_vec3_length(n), rill_vec3_dot(a, b)) * rill_vec3_dot(unit(n), normal);
    }
    return fmax(sum, 0);
}

static rill_vec3 lamp_middle(const rill_set_lamp *lamp)
{
    return rill_vec3_scale(rill_vec3_add(lamp->corner[0], lamp->corner[2]), 0.5);
}

void rill_set_irradiance(const rill_set_work *work, rill_vec3 at, double light[3])
{
    const rill_heaven *sky = &work->stage->heaven;
    for (int k = 0; k < 3; k++) light[k] = (double)(&sky->irradiance.x)[k];
    for (uint32_t i = 0; i < work->lamp_count; i++) {
        const rill_set_lamp *lamp = &work->lamps[i];
        const double each = irradiance_of(lamp, at, (rill_vec3){0, 0, 1});
        float ignored;
        /* A lamp hides what of the sky is behind it. */
        const v3 behind = rill_heaven_at(sky, v3_from(unit(rill_vec3_sub(lamp_middle(lamp), at))), &ignored);
        for (int k = 0; k < 3; k++) light[k] += each * (double)(lamp->light[k] - (&behind.x)[k]);
    }
}

double rill_set_white(const rill_set_work *work)
{
    double e[3];
    rill_set_irradiance(work, (rill_vec3){work->middle.x, work->middle.y, work->ground}, e);
    return (0.2126 * e[0] + 0.7152 * e[1] + 0.0722 * e[2]) / RILL_PI;
}

/* Lamps make up for what the dome leaves to white paper. */
static void lamps_scale(rill_set_work *work, const lamp_plan *plan)
{
    work->lamp_count = RILL_LAMPS;
    const double dome = rill_set_white(work);
    for (int i = 0; i < RILL_LAMPS; i++) {
        rill_set_lamp *lamp = &work->lamps[i];
        const double own = irradiance_of(lamp, work->middle, unit(rill_vec3_sub(lamp_middle(lamp), work->middle)));
        for (int k = 0; k < 3; k++) lamp->light[k] = (float)(plan[i].share / own) * plan[i].colour[k];
    }
    const double factor = (1 - dome) / fmax(rill_set_white(work) - dome, 1e-9);
    for (int i = 0; i < RILL_LAMPS; i++)
        for (int k = 0; k < 3; k++) work->lamps[i].light[k] *= (float)factor;
}

/* ---- on the stage ---- */

/* Brighter above than at the horizon, so that ground of no more than white can look like the dome behind it; below it
 * only as far as what is seen at the horizon depends on, since the ground hides the rest. */
static rill_status dome_set(rill_set_work *work, rill_error *err)
{
    enum { ROWS = 64 };
    float map[ROWS][3] = {{0}}, backdrop[3];
    rill_look_backdrop(work->options->look, backdrop);
    for (int i = 0; i <= ROWS / 2; i++) {
        const double height = fmax(0, cos(RILL_PI * (i + 0.5) / ROWS));
        for (int k = 0; k < 3; k++) map[i][k] = (float)(1 + 0.5 * height) * backdrop[k];
    }
    rill_sky sky = rill_sky_default(RILL_SKY_MAP);
    sky.map = map[0];
    sky.map_width = 1;
    sky.map_height = ROWS;
    return rill_stage_set_sky(work->stage, &sky, err);
}

static rill_status lamp_add(rill_set_work *work, const rill_set_lamp *lamp, rill_error *err)
{
    static const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
    float position[12];
    uint32_t id;
    rill_material m = rill_material_default(RILL_MATERIAL_LIGHT);
    for (int k = 0; k < 3; k++) m.emission[k] = lamp->light[k];
    for (int i = 0; i < 12; i++) position[i] = (float)rill_vec3_get(&lamp->corner[i / 3], i % 3);
    const rill_triangles sheet = {
        .vertex_count = 4, .triangle_count = 2, .position = position, .triangle = triangles};
    const rill_status status = rill_stage_add_material(work->stage, &m, &id, err);
    return status ? status : rill_stage_add_triangles(work->stage, &sheet, id, err);
}

rill_status rill_set_add_lamps(rill_set_work *work, rill_error *err)
{
    const rill_stage_options *o = work->options;
    const lamp_plan *plan = rill_look_is_clear(o->look) ? clear_plan : matt_plan;
    const pyramid view = pyramid_of(&o->camera, o->aspect);
    const rill_vec3 back = rill_vec3_sub(o->camera.eye, o->camera.target);
    /* From straight above, what is up in the picture lies behind the scene. */
    const bool above = hypot(back.x, back.y) < 1e-3 * rill_vec3_length(back);
    const double turn = above ? atan2(-o->camera.up.y, -o->camera.up.x) : atan2(back.y, back.x);
    rill_status status = dome_set(work, err);
    for (int i = 0; i < RILL_LAMPS && !status; i++) lamp_place(work, &plan[i], &view, turn, &work->lamps[i]);
    if (!status) lamps_scale(work, plan);
    for (int i = 0; i < RILL_LAMPS && !status; i++) status = lamp_add(work, &work->lamps[i], err);
    return status;
}

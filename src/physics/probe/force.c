/* What the liquid does to a body, or to a part of its surface: the force and the torque of the step. What the liquid is
 * given is taken from bodies to rounding (fluid/touch.h), so these are no readings of pressures but the reactions
 * themselves, with friction, adhesion and what the guard stops. */
#include "physics/method.h"
#include "physics/params.h"

static void put(rill_vec3 v, double *values)
{
    values[0] = v.x, values[1] = v.y, values[2] = v.z;
}

static rill_vec3 force_on(const rill_probe_view *view, const rill_probe *probe)
{
    return view->patch ? view->patch->force : view->bodies[probe->body].force;
}

static void force_measure(const rill_probe_view *view, const rill_probe *probe, double *values)
{
    put(force_on(view, probe), values);
}

/* The torque of a step is about the centre as the step found it. */
static void torque_measure(const rill_probe_view *view, const rill_probe *probe, double *values)
{
    const rill_body *body = &view->bodies[probe->body];
    const rill_vec3 torque = view->patch ? view->patch->torque : body->torque;
    const rill_shape *before = &body->before;
    const rill_vec3 centre = rill_pose_place(&body->pose_before, rill_geometry_of(before)->centre(before));
    const rill_vec3 arm = probe->about_given ? rill_vec3_sub(centre, probe->at) : (rill_vec3){0, 0, 0};
    put(rill_vec3_add(torque, rill_cross(arm, force_on(view, probe))), values);
}

static const rill_column *force_columns(const rill_probe *probe)
{
    (void)probe;
    static const rill_column force[] = {
        {"_x", "N", RILL_COLUMN_NUMBER, RILL_OVER_LAST, "Force of the liquid on the body along x."},
        {"_y", "N", RILL_COLUMN_NUMBER, RILL_OVER_LAST, "Force of the liquid on the body along y."},
        {"_z", "N", RILL_COLUMN_NUMBER, RILL_OVER_LAST, "Force of the liquid on the body along z."},
        {0}};
    return force;
}

static const rill_column *torque_columns(const rill_probe *probe)
{
    (void)probe;
    static const rill_column torque[] = {
        {"_x", "N m", RILL_COLUMN_NUMBER, RILL_OVER_LAST, "Torque of the liquid on the body about x."},
        {"_y", "N m", RILL_COLUMN_NUMBER, RILL_OVER_LAST, "Torque of the liquid on the body about y."},
        {"_z", "N m", RILL_COLUMN_NUMBER, RILL_OVER_LAST, "Torque of the liquid on the body about z."},
        {0}};
    return torque;
}

static const rill_word given_words[] = {{"none", 0}, {"given", 1}, {0}};
static const rill_selector patch_given = {"patch", offsetof(rill_probe, patch_given), given_words};
static const rill_selector about_given = {"about", offsetof(rill_probe, about_given), given_words};
static const rill_param patch_parts[] = {
    {"from", RILL_PARAM_VECTOR, RILL_LENGTH, .offset = offsetof(rill_probe, patch_from), .required = true,
     .about = "The corner of the box with the smallest x, y and z."},
    {"to", RILL_PARAM_VECTOR, RILL_LENGTH, .offset = offsetof(rill_probe, patch_to), .required = true,
     .about = "The corner opposite to `from`."},
    {0}};

#define PROBE_BODY                                                                                                     \
    {"of", RILL_PARAM_BOUNDARY, .in = RILL_IN_PROBE, .offset = offsetof(rill_probe, body), .required = true,           \
     .about = "the boundary that the liquid acts on; a mean over the step."}
#define PROBE_PATCH                                                                                                    \
    {"patch", RILL_PARAM_GROUP, .in = RILL_IN_PROBE, .parts = patch_parts, .chooses = &patch_given, .choice = 1,       \
     .flow = true,                                                                                                     \
     .about = "only what acts on the part of the boundary's surface in this box, which stays where it is. Along the "  \
              "surface it counts from `from` up to `to`; across it the box may miss it by a diameter, and be flat. "   \
              "In the corner of a box that holds liquid each side has what presses on it."}

static const rill_param force_params[] = {PROBE_BODY, PROBE_PATCH, {0}};
static const rill_param torque_params[] = {
    PROBE_BODY,
    {"about", RILL_PARAM_VECTOR, RILL_LENGTH, .in = RILL_IN_PROBE, .offset = offsetof(rill_probe, at),
     .chooses = &about_given, .choice = 1,
     .about = "the point that the torque is about, such as one of a hinge; without it, the centre of the boundary, "
              "wherever that is."},
    PROBE_PATCH,
    {0}};

extern const rill_probe_method rill_probe_force, rill_probe_torque;
const rill_probe_method rill_probe_force = {.name = "force",
                                            .about = "the force of the liquid on a boundary or a part of it",
                                            .params = force_params,
                                            .columns = force_columns,
                                            .measure = force_measure};
const rill_probe_method rill_probe_torque = {.name = "torque",
                                             .about = "its torque",
                                             .params = torque_params,
                                             .columns = torque_columns,
                                             .measure = torque_measure};

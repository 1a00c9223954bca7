/* A frame as a rendered picture, from its camera to its light. */
#include "rill/render.h"

rill_render_options rill_render_default(rill_look look)
{
    rill_render_options options = {
        .stage = rill_stage_options_default(look), .trace = rill_trace_default(), .elevation = 14};
    /* Light that enters a pane by its edge goes along it for hundreds of reflections; cut off, edges would be black. */
    options.trace.depth = 256;
    return options;
}

/* What is to be seen and the camera, where the options leave them open. */
static rill_status view_choose(const rill_frame_file *frame, const rill_scene *scene, rill_render_options *o,
                               rill_bounds *view, rill_error *err)
{
    rill_orbit orbit = rill_orbit_default(RILL_ORBIT_FIXED);
    orbit.azimuth = o->stage.azimuth;
    orbit.elevation = o->elevation;
    const rill_status status = rill_orbit_add(&orbit, frame, scene, o->stage.glass, err);
    if (status) return status;
    if (o->stage.view) orbit.box = *o->stage.view;
    *view = orbit.box;
    o->stage.view = view;
    o->stage.aspect = (double)o->trace.width / o->trace.height;
    o->stage.camera =
        o->camera ? *o->camera : rill_orbit_camera(&orbit, 0, frame->time, o->trace.width, o->trace.height);
    return RILL_OK;
}

rill_status rill_render_frame(const rill_frame_file *frame, const rill_scene *scene, const rill_render_options *options,
                              rill_picture *picture, rill_stage_report *report, rill_error *err)
{
    rill_render_options o = *options;
    rill_stage_report ignored;
    rill_stage *stage = NULL;
    rill_trace_result result = {0};
    rill_bounds view;
    if (!report) report = &ignored;
    *picture = (rill_picture){0};
    if (!o.stage.scheduler) o.stage.scheduler = o.trace.scheduler;
    if (!o.trace.width || !o.trace.height)
        return rill_fail(err, RILL_BAD_INPUT, "A picture of %u by %u pixels is not possible.", (unsigned)o.trace.width,
                         (unsigned)o.trace.height);
    rill_status status = view_choose(frame, scene, &o, &view, err);
    if (!status) status = rill_stage_of_frame(frame, scene, &o.stage, &stage, report, err);
    if (!status && !o.trace.caustics && !(o.trace.clamp > 0)) o.trace.clamp = report->clamp;
    if (!status) status = rill_trace(stage, &o.stage.camera, &o.trace, &result, err);
    rill_stage_free(stage);
    if (!status && result.stopped) status = rill_fail(err, RILL_CANCELLED, "The picture was stopped on request.");
    if (!status) {
        *picture = (rill_picture){.width = result.width, .height = result.height, .rgb = result.rgb};
        result.rgb = NULL;
    }
    rill_trace_result_free(&result);
    return status;
}
